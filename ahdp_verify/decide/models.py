"""Counterexamples from models: Z3 is asked for two inputs and an output at which the inequality fails, and the inputs are made simple.

A model gives parameters, unknowns of records, whole counts or query answers; they are put, one after the other, at the simplest value
that still leaves a model.  An event is then looked for as for any other pair of inputs, and where the model owes its existence to a
missing fact about an exponential, that fact is added and Z3 asked again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.algebra import constant, exp_of
from ahdp_verify.ball import enclose
from ahdp_verify.counterexample import Counterexample
from ahdp_verify.decide.finite import search
from ahdp_verify.decide.moves import Pair, at, pairs
from ahdp_verify.decide.smtlib import Script, connected, decimal
from ahdp_verify.decide.solvers import Answer, z3_answer
from ahdp_verify.decide.violation import excess, violation
from ahdp_verify.errors import Unsupported
from ahdp_verify.event import Event
from ahdp_verify.expression import ZERO, Expression, names, number
from ahdp_verify.limits import Clock
from ahdp_verify.privacy import Claim, Part, Task, parts
from ahdp_verify.relation import place

SLICES = (0.5, 4.0)  # seconds for one question, in a first and a second round over all pairs of inputs
SHARE = 0.5  # of the time left, for models; the rest is for proofs
TOGETHER = 8  # parts of the output space in one question
ROUNDS = 6  # facts about exponentials that are added to one question
SIMPLE = tuple(Fraction(x) for x in ("0", "1", "-1", "2", "1/2", "3", "1/10", "10", "1/100", "100"))
NEAR = (1, 10, 1000, 10**6)  # denominators of values near the model's
SIZES = (0, 1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 256)  # datasets' sizes that are tried before any size


@dataclass(slots=True)
class Question:
    """A pair of inputs with some parts of the output space, as a text, and what was added to it since."""

    claim: Claim
    pair: Pair
    script: Script
    names: tuple[str, ...]
    added: list[str] = field(default_factory=list)

    def ask(self, seconds: float, *more: str) -> Answer:
        """Z3's answer to the text with further assertions."""
        text = self.script.text.removesuffix("(check-sat)")
        return z3_answer("\n".join((text, *self.added, *(f"(assert {m})" for m in more), "(check-sat)")), seconds)


def models(claim: Claim, clock: Clock) -> Iterator[Counterexample]:
    """Candidates for counterexamples, each with an event, to be replayed by the checker."""
    end, closed = clock.left * (1 - SHARE), set[int]()
    for seconds in SLICES:
        for i, question in enumerate(questions(claim)):
            clock.check("looking for models")
            if clock.left <= end:
                return
            if i in closed:
                continue
            answer = question.ask(min(seconds, clock.left - end))
            if answer.word != "unknown":
                closed.add(i)
            if answer.word == "sat":
                yield from followed(question, answer, seconds, clock)


def questions(claim: Claim) -> Iterator[Question]:
    """One question for every pair of inputs and every few parts of the output space; what has no text is left out."""
    listed: list[tuple[Part | None, ...]] = [(None,)]
    if claim.delta == ZERO:
        every = parts(claim.mechanism)
        listed = [every[i : i + TOGETHER] for i in range(0, len(every), TOGETHER)]
    for pair in pairs(claim):
        for some in listed:
            try:
                yield question(claim, pair, some)
            except Unsupported:
                continue


def question(claim: Claim, pair: Pair, some: tuple[Part | None, ...]) -> Question:
    """The text that asks for a violation on one of the parts."""
    o = pair.obligation
    script = Script(o.here.integers)
    for condition in pair.conditions:
        script.holds(script.condition(condition))
    failed = [
        excess(script, claim, Task(o, None)) if part is None else violation(script, place(part.law, o.before), place(part.law, o.after), o.level)
        for part in some
    ]
    script.holds(connected("or", failed))
    filled = (*(n for n, _ in claim.mechanism.parameters), *pair.filled)
    for n in filled:
        script.symbol(n)
    return Question(claim, pair, script, filled)


def followed(question: Question, answer: Answer, seconds: float, clock: Clock) -> Iterator[Counterexample]:
    """The counterexamples of a question's models, the model made simple, with facts about exponentials added while none has an event."""
    for _ in range(ROUNDS):
        clock.check("looking for models")
        answer = simplified(question, answer, clock)
        found = False
        for example in candidates(question, answer):
            for complete in search(question.claim, clock, [example]):
                found = True
                yield complete
        if found or not sharpened(question, answer):
            return
        answer = question.ask(min(seconds, clock.left))
        if answer.word != "sat":
            return


def simplified(question: Question, answer: Answer, clock: Clock) -> Answer:
    """A model whose filled names have simple values, as far as Z3 finds one at once and in a part of the time left."""
    kept: list[str] = []
    end = clock.left * (1 - SHARE)
    counts = [question.script.symbol(n) for n in question.names if n.startswith("#")]
    if counts:
        sizes = [f"(<= (+ 0.0 {' '.join(counts)}) {decimal(Fraction(k))})" for k in SIZES]
        answer = _first(question, kept, sizes, answer, clock, end)
    for n in question.names:
        symbol = question.script.symbol(n)
        if not n.startswith("#"):
            tried = [f"(= {symbol} {decimal(v)})" for v in simple_values(value_of(answer, n))]
            answer = _first(question, kept, tried, answer, clock, end)
        kept.append(f"(= {symbol} {decimal(value_of(answer, n))})")
    return answer


def _first(question: Question, kept: list[str], tried: list[str], answer: Answer, clock: Clock, end: float) -> Answer:
    """The model of the first assertion that leaves one; the answer as it is if none does or the time is over."""
    for more in tried:
        found = question.ask(min(SLICES[0], clock.left - end), *kept, more)
        if found.word == "sat":
            return found
    return answer


def value_of(answer: Answer, name_: str) -> Fraction:
    """The value of a name in a model, 0 where any value will do."""
    return answer.values.get(f"${name_}", Fraction(0))


def simple_values(value: Fraction) -> list[Fraction]:
    """Simple numbers, then numbers near the value of growing denominators, then the value itself."""
    near = [value.limit_denominator(d) for d in NEAR]
    return list(dict.fromkeys((*SIMPLE, *near, value)))


def candidates(question: Question, answer: Answer) -> Iterator[Counterexample]:
    """The two inputs of a model, the second as the one under which the event is too likely."""
    values: dict[str, Expression] = {n: number(value_of(answer, n)) for n in question.names}
    pair = question.pair
    sides = [tuple(at(e, values) if names(e) else e for e in side) for side in pair.sides]
    given = tuple((n, values[n]) for n, _ in question.claim.mechanism.parameters)
    instances = tuple(tuple((u, values[e.args[0]]) for u, e in table) for table in pair.instances)
    first, second = (tuple(e for e in side if e is not None) for side in sides)
    if len(first) == len(sides[0]) and len(second) == len(sides[1]):
        yield Counterexample(given, instances, second, first, Event())


def sharpened(question: Question, answer: Answer) -> bool:
    """True once facts were added that a model, which has other values for exponentials than the true ones, does not satisfy."""
    points = [(x, symbol, answer.values[x]) for x, symbol in question.script.exponents if x in answer.values]
    for x, symbol, value in points:
        question.added += tangents(x, symbol, value.limit_denominator(10**6))
    return bool(points)


def tangents(x: str, symbol: str, a: Fraction) -> list[str]:
    """exp(x) >= exp(a) (1 + x - a) and exp(x) (1 - (x - a)) <= exp(a), with exp(a) between rational numbers."""
    low, high = enclose(exp_of(constant(a)))
    fine = 10**24
    low, high = Fraction(math.floor(low * fine), fine), Fraction(math.ceil(high * fine), fine)
    gap = f"(- {x} {decimal(a)})"
    return [f"(assert (>= {symbol} (* {decimal(low)} (+ 1.0 {gap}))))", f"(assert (<= (* {symbol} (- 1.0 {gap})) {decimal(high)}))"]

