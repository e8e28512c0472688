"""TOML files about a statement: its unknowns, the inequality, and the steps of an argument for it.

>>> file = read_argument_file({"format": 2, "parameters": {"y": "y >= 0"}, "inequality": {"left": "exp(y)", "relation": ">=", "right": "1", "expect": "proved"},
...     "step": [{"left": "exp(y)", "relation": ">=", "right": "1 + y", "reason": "convexity"}, {"relation": ">=", "right": "1"}]}, "growth")
>>> print(file.argument.statement, len(file.argument.steps), file.notes[0].expect)
growth: exp(y) >= 1 2 proved
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.files.mechanism_file import EXPECTED, ClaimNote
from ahdp_verify.files.scope import scope_from_table
from ahdp_verify.files.table import FileTable, check_format, read_table
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.declarations import declared_conditions
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.terms.expression import ZERO, Expression
from ahdp_verify.kernel.terms.grammar import parse, parse_condition
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.steps import Argument, Step

KEYS = {
    "": (
        "format",
        "name",
        "note",
        "rule",
        "version",
        "parameters",
        "let",
        "inequality",
        "step",
        "cited",
    ),
    "inequality": ("left", "relation", "right", "expect", "argument", "note"),
    "step": ("left", "relation", "right", "reason", "by", "lemma"),
    "cited": ("fact", "source"),
}
ARGUMENTS = ("", "valid", "not valid", "open")


@dataclass(frozen=True, slots=True)
class ArgumentFile:
    """An argument, what is expected of it ("valid", "not valid", "open", or "" for nothing), and
    the composition rule whose general form it proves, if any.
    """

    argument: Argument
    expect: str
    expect_argument: str
    note: str = ""
    rule: str = ""
    version: int = 0

    __repr__ = short_repr

    @property
    def claims(self) -> tuple[Inequality, ...]:
        """What can be decided, and stored: the statement."""
        return (self.argument.statement,)

    @property
    def notes(self) -> tuple[ClaimNote, ...]:
        """One note for each claim."""
        return (ClaimNote("", self.note, self.expect),)


def read_argument_file(document: Mapping[str, Any], stem: str) -> ArgumentFile:
    """The content of a TOML document; `stem` names a statement without a name.  Raises BadInput,
    whose `where` is the dotted name of the key.
    """
    check_format(document)
    top = read_table(document, "", KEYS[""])
    unknowns = declared_conditions(top.texts("parameters"), "unknown")
    taken = {key.split("[")[0] for key, _ in unknowns}
    lets = scope_from_table(read_table(top.get("let", {}), "let", None), taken, ()).lets
    about = top.table("inequality", KEYS["inequality"])
    statement = Inequality(
        unknowns,
        parse(about.text("left"), about.at("left"), lets),
        about.text("relation"),
        parse(about.text("right"), about.at("right"), lets),
        top.text("name", stem),
    )
    steps: list[Step] = []
    for i, given in enumerate(top.items("step", ()), 1):
        steps.append(_step(read_table(given, f"step[{i}]", KEYS["step"]), steps, statement, lets))
    cited = [
        read_table(c, f"cited[{i}]", KEYS["cited"]) for i, c in enumerate(top.items("cited", ()), 1)
    ]
    quoted = [
        Step(
            ZERO,
            "==",
            ZERO,
            ", ".join(filter(None, (c.text("fact"), c.text("source", "")))),
            cited=True,
        )
        for c in cited
    ]
    return ArgumentFile(
        Argument(statement, (*steps, *quoted)),
        _one_of(about, "expect", ("", *EXPECTED)),
        _one_of(about, "argument", ARGUMENTS),
        about.text("note", top.text("note", "")),
        top.text("rule", ""),
        _version(top),
    )


def _version(top: FileTable) -> int:
    version = top.get("version", 0)
    if type(version) is not int or version < 0:
        raise BadInput(
            "version",
            f"{display_name(str(version)[:40])} is not a version",
            "write a whole number from 0",
        )
    return version


def _one_of(at: FileTable, key: str, words: tuple[str, ...]) -> str:
    text = at.text(key, "")
    if text not in words:
        raise BadInput(
            at.at(key),
            f"{text[:40]!r} is not known",
            f"write one of {', '.join(w for w in words if w)}",
        )
    return text


def _step(
    at: FileTable, before: list[Step], statement: Inequality, lets: Mapping[str, Expression]
) -> Step:
    """A step; without a left side it continues the previous step, or starts from the statement."""
    chain = [s for s in before if not s.lemma]
    usual = chain[-1].right if chain else statement.left
    left = parse(at.text("left"), at.at("left"), lets) if "left" in at.content else usual
    by = tuple(
        parse_condition(_quoted(f, at.at("by")), at.at("by"), lets) for f in at.items("by", ())
    )
    if any(f.head not in ("==", "<", "<=") for f in by):
        raise BadInput(
            at.at("by"), "a fact is not a comparison", 'write for example by = ["exp(y) >= 1"]'
        )
    lemma = at.get("lemma", False)
    if not isinstance(lemma, bool):
        raise BadInput(
            at.at("lemma"), f"{str(lemma)[:40]!r} is neither true nor false", "write lemma = true"
        )
    step = Step(
        left,
        at.text("relation"),
        parse(at.text("right"), at.at("right"), lets),
        at.text("reason", ""),
        by,
        lemma=lemma,
    )
    Inequality(statement.parameters, step.left, step.relation, step.right, at.where)
    return step


def _quoted(fact: object, where: str) -> str:
    if not isinstance(fact, str):
        raise BadInput(where, "a fact is not a string", 'write for example by = ["exp(y) >= 1"]')
    return fact
