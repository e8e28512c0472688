"""`ahdp-verify list`: a line for each mechanism of the catalogue, the paper's own last."""

from __future__ import annotations

from functools import partial

from ahdp_verify.cli.documents import Printer
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.options import JsonOption


def list_command(as_json: JsonOption = False) -> int:
    """Print the catalogue: name, description and number of claims."""
    from ahdp_verify.cli.sources import catalogue_entries

    printer = Printer(as_json)
    for entry in catalogue_entries():
        number = len(entry.claims)
        data = {
            "name": entry.name,
            "description": entry.description,
            "source": entry.source,
            "claims": number,
        }
        line = f"{entry.name}: {entry.description} ({number} claims)"
        printer.show("listed", (line,), partial(dict, data))
    return PROVED
