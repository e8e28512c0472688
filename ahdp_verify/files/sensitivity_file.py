"""TOML files about a query on a vector of entries, and claims of how far its answer moves.

    [entries]
    size = "2*k + 1"          # a number, or an expression in parameters, which are whole then
    values = "0 <= x <= 1"    # what each entry may be
    [parameters]
    k = "k >= 0"
    [query]
    answer = "ordered(x, k + 1)"
    [[claim]]
    bound = "1"               # it may depend on the parameters and on the position i of the entry
    mechanism = "noise.toml"  # a claim about query answers, applied to answer/bound; may be left
    out

>>> file = read_sensitivity_file({"format": 2, "entries": {"size": "n", "values": "0 <= x <= 1"},
...     "query": {"answer": "sum(x)/n"}, "claim": [{"bound": "1/n", "expect": "proved"}]}, "mean")
>>> print(*file.claims, file.notes[0].expect)
mean: the sensitivity of sum(x)/n is at most 1/n proved
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.files.mechanism_file import EXPECTED, ClaimNote, check_distinct
from ahdp_verify.files.scope import scope_from_table
from ahdp_verify.files.table import FileTable, check_format, read_table
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.declarations import declared_conditions
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.applied import applied_claim

KEYS = {
    "": ("format", "name", "note", "parameters", "let", "entries", "query", "claim"),
    "entries": ("size", "values"),
    "query": ("answer", "note"),
    "claim": ("bound", "mechanism", "name", "note", "expect"),
}


@dataclass(frozen=True, slots=True)
class SensitivityFile:
    """A query on vectors, claims of how far its answer moves, and one note per claim."""

    inputs: Entries
    query: Expression
    name: str
    claims: tuple[SensitivityClaim | AppliedClaim, ...] = ()
    notes: tuple[ClaimNote, ...] = ()

    __repr__ = short_repr


def read_sensitivity_file(
    document: Mapping[str, Any],
    stem: str,
    folder: Path | None = None,
    claim_in_file: Callable[[str], Any] | None = None,
) -> SensitivityFile:
    """The content of a TOML document; `stem` names a query without a name, and `claim_in_file`
    reads the claim of a mechanism file, whose path is relative to `folder`.  Raises BadInput, whose
    `where` is the dotted name of the key.
    """
    check_format(document)
    top = read_table(document, "", KEYS[""])
    parameters = declared_conditions(top.texts("parameters"), "parameters")
    lets = scope_from_table(
        read_table(top.get("let", {}), "let", None), {key for key, _ in parameters}, ()
    ).lets
    entries = top.table("entries", KEYS["entries"])
    size = parse(entries.text("size"), entries.at("size"), lets)
    inputs = Entries(size, entries.text("values"), parameters)
    about = top.table("query", KEYS["query"])
    query = parse(about.text("answer"), about.at("answer"), lets, nested=True)
    inputs.check_query(query, about.at("answer"))
    name = top.text("name", stem)
    tables = [
        read_table(c, f"claim[{i}]", KEYS["claim"]) for i, c in enumerate(top.items("claim", ()), 1)
    ]

    def claim_of(t: FileTable) -> SensitivityClaim | AppliedClaim:
        bound = parse(t.text("bound"), t.at("bound"), lets)
        moves = SensitivityClaim(inputs, query, bound, name)
        file = t.text("mechanism", "")
        if not file or claim_in_file is None:
            return moves
        return applied_claim(claim_in_file(str((folder or Path()) / file)), moves, t.at("bound"))

    claims = list(map(claim_of, tables))
    notes = tuple(map(_note, tables))
    check_distinct([note.name for note in notes if note.name])
    return SensitivityFile(inputs, query, name, tuple(claims), notes)


def _note(table: FileTable) -> ClaimNote:
    expect = table.text("expect", "")
    if expect not in ("", *EXPECTED):
        cure = f"write one of {', '.join(EXPECTED)}"
        raise BadInput(table.at("expect"), f"{expect[:40]!r} is not known", cure)
    return ClaimNote(table.text("name", ""), table.text("note", ""), expect)
