"""TOML mechanism files: the tables of the file, key by key, as a mechanism with its claims.

Every number and every expression is a quoted string in the package's own grammar, so nothing is
rounded and nothing is run.  Let names are expressions that later strings may use; count(i) is the
multiplicity of the i-th listed record.  In values, a word that is not a constant and a text in
double quotes are labels ("yes", "\\"two words\\""), and everything else is an exact constant.  In
expressions labels are in double quotes and can only be compared, with == and !=; a comparison that
no record, value or output can satisfy is an error that lists the possible labels.  An unknown key
is an error.

>>> file = read_mechanism_file({"format": 2, "domain": {"queries": "2"}, "let": {"b": "1/2"}, "mechanism": {
...     "outputs": [{"name": "s", "kind": "real"}], "density": "exp(-abs(s - max(q[1], q[2]))/b)/(2*b)"},
...     "claim": [{"relation": "all", "level": "2", "expect": "proved"}]}, "largest")
>>> print(*file.claims, file.notes[0].expect)
largest is DP for all answers moving at level 2 proved
>>> read_mechanism_file({"format": 2, "domain": {"queries": 2}}, "largest")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: domain.queries: the bare number 2 stands where a quoted text is expected; write "2" with quotes
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.files import domain_table, outputs_table
from ahdp_verify.files.domain_table import count_names, inputs_from_table
from ahdp_verify.files.notion_keys import KEYS_OF_NOTIONS, key_of_bound, notion_from_table
from ahdp_verify.files.outputs_table import (
    Distribution,
    declared_outputs,
    distribution,
    families_of,
)
from ahdp_verify.files.scope import ExpressionScope, scope_from_table
from ahdp_verify.files.table import (
    FileTable,
    check_format,
    read_table,
    required_text,
    whole_number,
)
from ahdp_verify.kernel.errors import BadInput, UnknownName, with_location
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.terms.expression import Expression, names
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.laws.building import repeat
from ahdp_verify.laws.law import Law

EXPECTED = ("proved", "vacuous", "refuted", "unknown", "refused")
OF_DEMAND = ("ahdp", "hdp")  # relations whose level is the demand unless the file says otherwise
KEYS = {
    "": ("format", "name", "note", "parameters", "let", "domain", "mechanism", "claim"),
    "domain": domain_table.KEYS,
    "mechanism": ("outputs", "density", "atoms", "defined", "repeat"),
    "output": outputs_table.KEYS,
    "atom": outputs_table.ATOM,
    "claim": (
        *("relation", "level", "delta", "public", "name", "note", "expect", "least"),
        *(*KEYS_OF_NOTIONS, "order"),
    ),
}


@dataclass(frozen=True, slots=True)
class ClaimNote:
    """What a file states besides a claim: its name, a remark, the expected verdict ("" for none),
    the least level that holds.
    """

    name: str = ""
    note: str = ""
    expect: str = ""
    least: Expression | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class MechanismFile:
    """A mechanism, its claims, and one note per claim; `laws` are the words in which the
    distribution is written, by the names of the outputs.
    """

    mechanism: Mechanism
    claims: tuple[Claim | NotionClaim, ...]
    notes: tuple[ClaimNote, ...]
    laws: Mapping[str, Law] = field(default_factory=dict)

    __repr__ = short_repr


def read_mechanism_file(
    document: Mapping[str, Any], stem: str, folder: Path | None = None
) -> MechanismFile:
    """The content of a TOML document; `stem` names a mechanism that has no name of its own, and
    paths are relative to `folder` (None: no other file is read).

    Raises BadInput, whose `where` is the dotted name of the key, for an unknown or missing key and
    for an invalid value.
    """
    check_format(document)
    top = read_table(document, "", KEYS[""])
    parameters = top.texts("parameters")
    inputs = inputs_from_table(top.table("domain", KEYS["domain"]), parameters, folder)
    outer = top.table("mechanism", KEYS["mechanism"])
    declared = declared_outputs(outer, inputs, parameters)
    taken = {
        key.split("[")[0]
        for key in (*parameters, *(d.base for d in declared), *inputs.bound, "eps", "other")
    }
    scope = scope_from_table(
        read_table(top.get("let", {}), "let", None),
        taken,
        count_names(inputs),
        families_of(declared),
        (inputs, parameters),
    )
    claims = [
        read_table(c, f"claim[{i}]", KEYS["claim"]) for i, c in enumerate(top.items("claim", ()), 1)
    ]
    notes = tuple(note_from_table(c, scope) for c in claims)
    check_distinct([note.name for note in notes if note.name])
    with telling_lets(scope):
        law = distribution(outer, declared, inputs, scope, parameters)
        name = top.text("name", stem)
        mechanism = mechanism_from_table(outer, inputs, law, parameters, scope, name)
        read = tuple(_claim(c, mechanism, scope) for c in claims)
    return MechanismFile(mechanism, read, notes, law.laws)


@contextmanager
def telling_lets(scope: ExpressionScope) -> Iterator[None]:
    """A name inside that is not known, but resembles a let name, is told so: the mechanism does
    not know the names of let expressions, which are written out in it.
    """
    try:
        yield
    except UnknownName as error:
        meant = get_close_matches(error.name, scope.lets, n=1, cutoff=0.65)
        if not meant:
            raise
        raise BadInput(
            error.where, error.reason, f"did you mean {meant[0]}, which [let] defines?"
        ) from None


def mechanism_from_table(
    table: FileTable,
    inputs: Inputs,
    law: Distribution,
    parameters: Mapping[str, str],
    scope: ExpressionScope,
    name: str,
) -> Mechanism:
    """The mechanism with the distribution that was read from the table, run `repeat` times."""
    try:
        once = Mechanism(
            inputs,
            outputs=law.outputs,
            density=law.density,
            parameters=parameters,
            name=name,
            atoms=law.atoms,
            defined=scope.condition(table, "defined"),
        )
    except BadInput as error:  # of a density that is not written, but that the laws stand for
        unwritten = law.laws and error.where == "density"
        raise (with_location(error, table.at("outputs")) if unwritten else error) from None
    if "repeat" not in table.content:
        return once
    times = whole_number(table.text("repeat"), table.at("repeat"))
    try:
        return repeat(once, times, name=name)
    except BadInput as error:
        raise with_location(error, table.at("repeat")) from None


def _claim(table: FileTable, mechanism: Mechanism, scope: ExpressionScope) -> Claim | NotionClaim:
    relation, key = table.text("relation"), key_of_bound(table)
    level = scope.parse(table, key, "eps" if key == "level" and relation in OF_DEMAND else None)
    is_demand = "eps" not in dict(mechanism.parameters)  # a parameter may have that name
    if relation in ("add-remove", "swap") and is_demand and "eps" in names(level):
        raise BadInput(
            table.at(key),
            f"it uses the demand eps of one record, and {relation} has one level for all records",
            "write ahdp or hdp for a level of each record, or a constant level",
        )
    public = tuple(required_text(part, table.at("public")) for part in table.items("public", ()))
    claim = Claim(mechanism, relation, level, scope.parse(table, "delta", "0"), public)
    return claim if key == "level" else notion_from_table(table, claim, key, scope)


def note_from_table(table: FileTable, scope: ExpressionScope) -> ClaimNote:
    expect = table.text("expect", "")
    if expect not in ("", *EXPECTED):
        raise BadInput(
            table.at("expect"),
            f"{expect[:40]!r} is not a verdict",
            f"write one of {', '.join(EXPECTED)}",
        )
    least = scope.parse(table, "least") if "least" in table.content else None
    return ClaimNote(table.text("name", ""), table.text("note", ""), expect, least)


def check_distinct(found: list[str]) -> None:
    for name in found:
        if found.count(name) > 1:
            raise BadInput(
                "claim", f"two claims are called {display_name(name)}", "rename one of them"
            )
