"""`ahdp-verify list`: a line for each mechanism of the catalogue, the paper's own last."""

from __future__ import annotations

from ahdp_verify.cli.console import print_line
from ahdp_verify.cli.exit_codes import PROVED


def list_command() -> int:
    """Print the catalogue: name, description and number of claims."""
    from ahdp_verify.catalogue import CATALOGUE
    from ahdp_verify.paper.catalogue import PAPER_CATALOGUE

    for entry in (*CATALOGUE, *PAPER_CATALOGUE):
        print_line(f"{entry.name}: {entry.description} ({len(entry.claims)} claims)")
    return PROVED
