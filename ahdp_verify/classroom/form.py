"""A mechanism and a claim from the fields of a form, by way of a mechanism file.

The form writes the text of a file, and this text is what is read: what a student sees is what is
decided, and it can be taken to the command line.

>>> text = form_toml("0, 0\\n1, log(2)", "exp(-abs(s - sum(x))/b)/(2*b)", "1/b", {"b": "2"})
>>> print(form_claim(text))
my mechanism is AHDP at level 1/2
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping

from ahdp_verify.files.mechanism_file import read_mechanism_file
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim

RECORDS = 50  # most records of a form


def form_toml(
    records: str,
    density: str,
    level: str,
    lets: Mapping[str, str],
    *,
    relation: str = "ahdp",
    parameters: Mapping[str, str] | None = None,
) -> str:
    """The text of a mechanism file with one real output s.

    records       a line for each record: its value and its demand, with a comma between them
    lets          names that density and level may use, with what they stand for
    parameters    open names, with their conditions
    """
    pairs = [_record(i, line) for i, line in enumerate(records.splitlines(), 1) if line.strip()]
    if not 0 < len(pairs) <= RECORDS:
        raise BadInput(
            "records", f"there are {len(pairs)}", f"give 1 to {RECORDS}, a line for each"
        )
    lines = ["format = 2", 'name = "my mechanism"']
    for table, entries in (("parameters", parameters or {}), ("let", lets)):
        if entries:
            lines += ["", f"[{table}]", *(f"{k} = {_quoted(v)}" for k, v in entries.items())]
    listed = ", ".join(f"[{_quoted(x)}, {_quoted(eps)}]" for x, eps in pairs)
    lines += ["", "[domain]", f"records = [{listed}]", "", "[mechanism]"]
    lines += ['outputs = [{name = "s", kind = "real"}]', f"density = {_quoted(density)}"]
    lines += ["", "[[claim]]", f"relation = {_quoted(relation)}", f"level = {_quoted(level)}", ""]
    return "\n".join(lines)


def _record(number: int, line: str) -> tuple[str, str]:
    """The value and the demand of a line."""
    value, comma, demand = line.rpartition(",")
    if not comma or not value.strip() or not demand.strip():
        raise BadInput(
            f"records, line {number}",
            "it has no two parts",
            "write value, demand, such as 1, log(2)",
        )
    return value.strip(), demand.strip()


def _quoted(text: str) -> str:
    """The text as a string of TOML, on one line."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def form_claim(text: str) -> Claim:
    """The one claim of the file; BadInput for what cannot be read."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput("form", f"it is not TOML ({error})", "use printable characters") from None
    (claim,) = read_mechanism_file(document, "my mechanism").claims
    if not isinstance(claim, Claim):
        raise BadInput("form", "it is a claim of another notion", "state a level")
    return claim
