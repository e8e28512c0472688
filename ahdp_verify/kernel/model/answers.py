"""The inputs of noise programs: query answers, any numbers or computed from a dataset.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> counts = RecordAnswers(Domain([(0, 1), (1, 2)]), (parse("count(x == 1)"), parse("sum(x*eps)/4")))
>>> [[str(d) for d in contributions(counts, r)] for r in counts.domain.records]
[['0', '0'], ['1', '1/2']]
>>> [str(answer) for answer in answers_at(counts, (5, 3))]
['3', '3/2']
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.declarations import MANY
from ahdp_verify.kernel.model.domain import Domain, Record
from ahdp_verify.kernel.model.linear_form import LinearForm, linear_form
from ahdp_verify.kernel.model.neighbours import finite_weight
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, aggregates, name, transform, walk

EMPTY = Context.empty()


@dataclass(frozen=True, slots=True)
class Answers:
    """n query answers q[1], ..., q[n], or any number of them (None); `whole`: they are whole
    numbers.
    """

    n: int | None
    whole: bool = False

    def __post_init__(self) -> None:
        if type(self.whole) is not bool or (
            self.n is not None and (type(self.n) is not int or not 1 <= self.n <= MANY)
        ):
            raise BadInput(
                "queries",
                f"{str(self.n)[:60]} is not a number of queries",
                f"use 1 to {MANY}, or n for any number",
            )

    def to_json(self) -> Any:
        """The canonical JSON."""
        return {"queries": "n" if self.n is None else self.n, "whole": self.whole}


@dataclass(frozen=True, slots=True)
class RecordAnswers(Canonical):
    """The query answers q[1], ..., q[n] of a dataset of listed records: linear combinations of sums
    over records, each record contributing a rational number.  Raises BadInput for anything else.
    """

    domain: Domain
    answers: tuple[Expression, ...]

    def __post_init__(self) -> None:
        if self.domain.is_universal:
            raise BadInput("domain", "its records are not listed", "use Domain([...])")
        if not 1 <= len(self.answers) <= MANY:
            raise BadInput("answers", f"there are {len(self.answers)}", f"use 1 to {MANY}")
        for e in self.answers:
            if not aggregates(e) or any(a.head != "sum" for a in aggregates(e)):
                raise BadInput(
                    "answers", f"{e} is not a sum over records", "write sum(x) or count(...)"
                )
            reading.check_known(e, self.domain.bound, "answers")
            for node in walk(e):
                if node.head == "label":
                    reading.check_label(node, "answers")
            _form_in_sums(e)
        for r in self.domain.records:
            contributions(self, r)

    @property
    def n(self) -> int:
        """The number of answers."""
        return len(self.answers)

    @property
    def whole(self) -> bool:
        """Whether every record contributes whole numbers."""
        rows = (contributions(self, r) for r in self.domain.records)
        return all(d.denominator == 1 for row in rows for d in row)


def inputs_from_json(data: Any) -> Answers | RecordAnswers:
    """The inputs of their canonical JSON."""
    if "queries" in data:
        return Answers(None if data["queries"] == "n" else data["queries"], data["whole"])
    return RecordAnswers.of_json(data)


def answer_names(inputs: Answers | RecordAnswers) -> tuple[str, ...]:
    """The names of the answers: q alone where there is any number of them."""
    return ("q",) if inputs.n is None else tuple(f"q[{i}]" for i in range(1, inputs.n + 1))


@lru_cache(maxsize=256)  # of the records of a few domains
def contributions(inputs: RecordAnswers, record: Record) -> tuple[Fraction, ...]:
    """By how much each answer grows when the record is added; BadInput where that is not a rational
    number.
    """
    return tuple(_contribution(answer, record) for answer in inputs.answers)


def answers_at(inputs: RecordAnswers, counts: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The answers of the dataset that holds each record of the domain so many times."""
    rows = [contributions(inputs, r) for r in inputs.domain.records]
    return tuple(
        _rational(_form_in_sums(e)[0].constant, e)
        + sum((k * row[i] for k, row in zip(counts, rows, strict=True)), Fraction(0))
        for i, e in enumerate(inputs.answers)
    )


def _contribution(answer: Expression, record: Record) -> Fraction:
    form, sums = _form_in_sums(answer)
    weights = {key: _rational(finite_weight(e, record, EMPTY), e) for e, key in sums.items()}
    return sum((c * weights[key] for key, c in form.terms), Fraction(0))


@lru_cache(maxsize=256)
def _form_in_sums(answer: Expression) -> tuple[LinearForm, dict[Expression, str]]:
    """An answer as a linear form in the names that stand for its sums."""
    sums = {e: f"@{i}" for i, e in enumerate(dict.fromkeys(aggregates(answer)), 1)}
    named = transform(answer, lambda e: name(sums[e]) if e in sums else None)
    if any(node.head == "name" and node.args[0] not in sums.values() for node in walk(named)):
        raise BadInput(
            "answers", f"{answer} is not a sum over records", "use x and eps inside sums"
        )
    try:
        return linear_form(named, frozenset(sums.values()), EMPTY, "answers"), sums
    except BadInput:
        raise BadInput(
            "answers",
            f"{answer} is not linear in its sums over records",
            "add them up, with rational numbers as factors",
        ) from None


def _rational(value: Expression, e: Expression) -> Fraction:
    found = normal(value, EMPTY).as_rational
    if found is None:
        raise BadInput(
            "answers", f"{value}, a value of {e}, is not rational", "use rational numbers"
        )
    return found
