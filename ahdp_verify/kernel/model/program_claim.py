"""A claim of privacy about a noise program, and the moves of its query answers.

A move says by how much each answer differs between two neighbouring inputs.  A proof has to treat
each `Moves` of a claim:

    all                   every answer moves by its own amount in [-1, 1]
    increasing,           every answer moves by its own amount in [0, 1], or every one by an amount
    decreasing            in [-1, 0]: the two directions of one relation
    one                   one answer moves by an amount in [-1, 1]
    ahdp, add-remove      each answer moves by what one record of W contributes, or by the opposite
    swap                  by the difference of what two records contribute

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, Release, Stop
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> noisy = Draw("nu", "laplace", parse("1"), Release(parse("q[1] + nu"), Stop()))
>>> claim = ProgramClaim(Program("noisy", (), Answers(1), noisy), "increasing", parse("1"))
>>> for moves in moves_of(claim):
...     print(moves.text, moves.box)
all answers increase by at most 1 (('q[1]', Fraction(0, 1), Fraction(1, 1)),)
all answers decrease by at most 1 (('q[1]', Fraction(-1, 1), Fraction(0, 1)),)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, closest
from ahdp_verify.kernel.model.answers import RecordAnswers, answer_names, contributions
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.claim import RELATION_WORDS, check_range
from ahdp_verify.kernel.model.declarations import MANY, NamedConditions
from ahdp_verify.kernel.model.domain import Queries, value_at_record
from ahdp_verify.kernel.model.mechanism import Inputs, Output, check_level
from ahdp_verify.kernel.model.neighbours import OF_QUERIES
from ahdp_verify.kernel.model.program import Contest, Program
from ahdp_verify.kernel.terms.expression import ZERO, Expression, oo
from ahdp_verify.kernel.terms.printing import display_name

OF_DATASETS = ("ahdp", "add-remove", "swap")
UNIT = Fraction(1)
OTHER = "#other"  # any answer that does not win a contest, and its value
BOXES = {
    "all": (("all answers move by at most 1", -UNIT, UNIT),),
    "increasing": (
        ("all answers increase by at most 1", Fraction(0), UNIT),
        ("all answers decrease by at most 1", -UNIT, Fraction(0)),
    ),
}
BOXES["decreasing"] = BOXES["increasing"]
Affine = tuple[tuple[str, Fraction], ...]  # coefficients of moves, and the constant under ""


@dataclass(frozen=True, slots=True)
class Moves:
    """Some moves of a claim, to be treated at once.

    text     in words
    level    what the privacy loss of each of these moves has to respect
    values   how far each answer moves; names in `box` stand for amounts
    box      the amounts, with the least and the greatest value of each
    single   of any number of queries exactly one moves, by the value given for q
    scaled   moves of t times this, for every t in [0, 1], belong to them too
    """

    text: str
    level: Expression
    values: tuple[tuple[str, Affine], ...]
    box: tuple[tuple[str, Fraction, Fraction], ...] = ()
    single: bool = False
    scaled: bool = False


@dataclass(frozen=True, slots=True)
class ProgramClaim(Canonical):
    """The claim that a noise program is private under a relation, at a level in nats and a delta in
    [0, 1].

    queries    for a program on any number of query answers: the claim for exactly so many; None
               for every number of them, each chosen after the outputs before it are known
    """

    program: Program
    relation: str
    level: Expression
    delta: Expression = ZERO
    queries: int | None = None

    def __post_init__(self) -> None:
        p = self.program
        if not isinstance(p, Program):
            raise BadInput("program", f"{type(p).__name__} is not a noise program", "give one")
        allowed = OF_DATASETS if isinstance(p.inputs, RecordAnswers) else OF_QUERIES
        if self.relation not in allowed:
            raise BadInput(
                "relation",
                f"{str(self.relation)[:20]!r} does not fit the input of {self._subject}",
                closest(str(self.relation), allowed, "the relations are"),
            )
        self._check_queries()
        described = _Described(p)
        check_level(described, self.level, of_record=self.relation == "ahdp")
        check_level(described, self.delta, of_record=False, what="delta")
        check_range(self.level, self.delta)
        if self.level == oo:
            raise BadInput("level", "oo allows everything", "give a finite level")

    def _check_queries(self) -> None:
        n, fixed = self.queries, self.program.inputs.n
        if n is None:
            return
        if fixed is not None:
            raise BadInput("queries", f"the program has {fixed} queries", "leave the number out")
        if type(n) is not int or not 1 <= n <= MANY:
            raise BadInput(
                "queries", f"{str(n)[:60]} is not a number of queries", f"use 1 to {MANY}"
            )

    @property
    def _subject(self) -> str:
        return display_name(self.program.name) or "the program"

    def __str__(self) -> str:
        slack = "" if self.delta == ZERO else f" and delta {self.delta}"
        asked = "" if self.queries is None else f" for {self.queries} queries"
        return (
            f"{self._subject} is "
            f"{RELATION_WORDS[self.relation]} at level {self.level}{slack}{asked}"
        )

    @property
    def parameters(self) -> NamedConditions:
        """The parameters of the program."""
        return self.program.parameters

    @property
    def assumed(self) -> tuple[Expression, ...]:
        """What is assumed of the parameters: their conditions, and that no demand is negative."""
        inputs = self.program.inputs
        records = inputs.domain.records if isinstance(inputs, RecordAnswers) else ()
        return (*(c for _, c in self.parameters), *(r.demand >= ZERO for r in records))

    @property
    def n(self) -> int | None:
        """The number of queries that the claim is about; None for any number."""
        return self.program.inputs.n if self.queries is None else self.queries


@dataclass(frozen=True, slots=True)
class _Described:
    """A program as the checks of levels see it."""

    program: Program
    outputs: tuple[Output, ...] = ()
    name: str = ""

    @property
    def parameters(self) -> NamedConditions:
        return self.program.parameters

    @property
    def inputs(self) -> Inputs:
        inputs = self.program.inputs
        return inputs.domain if isinstance(inputs, RecordAnswers) else Queries(1)


def moves_of(claim: ProgramClaim) -> tuple[Moves, ...]:
    """All moves that a proof of the claim has to treat, in order; none of level oo."""
    if isinstance(claim.program.inputs, RecordAnswers):
        return tuple(_record_moves(claim, claim.program.inputs))
    if claim.n is None and isinstance(claim.program.start, Contest):
        return tuple(_contest_moves(claim))
    if claim.relation == "one":
        return tuple(_single_moves(claim))
    if claim.n is None:
        listed: tuple[str, ...] = ("q",)
    else:
        listed = tuple(f"q[{i}]" for i in range(1, claim.n + 1))
    return tuple(
        Moves(
            text,
            claim.level,
            tuple((key, ((key, UNIT),)) for key in listed),
            tuple((key, low, high) for key in listed),
        )
        for text, low, high in BOXES[claim.relation]
    )


def _single_moves(claim: ProgramClaim) -> Iterator[Moves]:
    for sign, word in ((UNIT, "increases"), (-UNIT, "decreases")):
        if claim.n is None:
            moved: tuple[tuple[str, Affine], ...] = (("q", (("", sign),)),)
            text = f"one answer {word} by at most 1"
            yield Moves(text, claim.level, moved, single=True, scaled=True)
        for i in range(1, (claim.n or 0) + 1):
            values = tuple(
                (f"q[{j}]", ((("", sign),) if j == i else ())) for j in range(1, (claim.n or 0) + 1)
            )
            yield Moves(f"answer {i} {word} by at most 1", claim.level, values, scaled=True)


def _contest_moves(claim: ProgramClaim) -> Iterator[Moves]:
    """How far the answer that wins a contest moves, q, and how far another one does, `other`."""
    if claim.relation != "one":
        for text, low, high in BOXES[claim.relation]:
            both = tuple((key, ((key, UNIT),)) for key in ("q", OTHER))
            box = tuple((key, low, high) for key in ("q", OTHER))
            yield Moves(text, claim.level, both, box)
        return
    for sign, word in ((UNIT, "increases"), (-UNIT, "decreases")):
        text = f"one answer {word} by at most 1"
        own = (("q", (("", sign),)), (OTHER, ()))
        yield Moves(text, claim.level, own, scaled=True)
        ends = (min(sign, Fraction(0)), max(sign, Fraction(0)))
        others: tuple[tuple[str, Affine], ...] = (("q", ()), (OTHER, ((OTHER, UNIT),)))
        yield Moves(text, claim.level, others, ((OTHER, *ends),))


def _record_moves(claim: ProgramClaim, inputs: RecordAnswers) -> Iterator[Moves]:
    keys = answer_names(inputs)
    rows = [(r, contributions(inputs, r)) for r in inputs.domain.records]
    if claim.relation == "swap":
        for (r, row), (other, gained) in itertools.permutations(rows, 2):
            gaps = tuple(b - a for a, b in zip(row, gained, strict=True))
            yield Moves(f"{r} becomes {other}", claim.level, _point(keys, gaps))
        return
    for r, row in rows:
        level = claim.level
        if claim.relation == "ahdp":
            level = value_at_record(level, r, claim.program.here)
        if level != oo:
            yield Moves(f"{r} is added", level, _point(keys, row))
            yield Moves(f"{r} is removed", level, _point(keys, tuple(-d for d in row)))


def _point(keys: tuple[str, ...], moved: tuple[Fraction, ...]) -> tuple[tuple[str, Affine], ...]:
    return tuple((key, (("", d),) if d else ()) for key, d in zip(keys, moved, strict=True))
