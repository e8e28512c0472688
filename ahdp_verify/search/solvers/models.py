"""Counterexamples from models: Z3 is asked for two inputs and an output at which the inequality
fails, and the inputs are then simplified.

A model gives parameters, unknowns of records, whole counts or query answers; they are fixed, one
after the other, at the simplest value that still leaves a model. An event is then searched for as
for any other pair of inputs; where the model exists only because a fact about an exponential is
missing, that fact is added and Z3 is asked again.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.search.limits import Limits
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> s, a = real("s"), name("a")
>>> M = Mechanism(Queries(1), outputs=[s], density=a * exp(-a * Abs(s - name("q[1]"))) / 2, parameters={"a": "a > 7"})
>>> found = next(model_counterexamples(dp(M, a - "1/8", neighbours="one"), Limits().clock()))
>>> [(n, str(e)) for n, e in found.parameters], str(found.first[0]), str(found.second[0]), str(found.event)
([('a', '10')], '1', '0', 's >= 1')
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import outcome_count
from ahdp_verify.kernel.model.neighbours import DominatedInput, DominatingInput, Nodes
from ahdp_verify.kernel.numbers.algebra import constant, exp_of
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.rules.obligations import Obligation, OutputPart, output_parts
from ahdp_verify.kernel.terms.expression import ZERO, Expression, name, names, number, substitute
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.refuting.small_inputs import assignments, candidate_counterexamples
from ahdp_verify.search.solvers.negation import failure_condition
from ahdp_verify.search.solvers.processes import SolverAnswer, z3_answer
from ahdp_verify.search.solvers.smtlib import Script, connective, real_literal
from ahdp_verify.search.solvers.symbolic_inputs import SymbolicPair, rational_value, symbolic_pairs

SLICES = (
    0.5,
    4.0,
)  # seconds for one question, in a first and a second round over all pairs of inputs
SHARE = 0.5  # share of the time left that is spent on models; the rest is for proofs
TOGETHER = 8  # parts of the output space in one question
# parts of the output space; with more, finite outputs are left to the enumeration of small inputs
MOST_PARTS = 256
ROUNDS = 6  # facts about exponentials that are added to one question
# choices of simple parameter values that are tried where Z3 answers unknown with parameters free
TABLES = 2
SIMPLE = tuple(Fraction(x) for x in ("0", "1", "-1", "2", "1/2", "3", "1/10", "10", "1/100", "100"))
NEAR = (1, 10, 1000, 10**6)  # denominators of values near the model's
FAR = Fraction(200)  # exponents beyond which no fact is added
# dataset sizes that are tried before the size is left free
SIZES = (0, 1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 256)

FixedValues = dict[str, Expression]
Batch = tuple[OutputPart, ...] | tuple[None]


@dataclass(slots=True)
class SolverQuestion:
    """Two inputs and some parts of the output space as a text; `names` are left to the model,
    `fixed` are not.
    """

    claim: Claim
    pair: SymbolicPair
    script: Script
    names: tuple[str, ...]
    fixed: FixedValues
    added: list[str] = field(default_factory=list)

    def ask(self, seconds: float, *more: str) -> SolverAnswer:
        """Z3's answer to the text with further assertions."""
        text = self.script.text.removesuffix("(check-sat)")
        return z3_answer(
            "\n".join((text, *self.added, *(f"(assert {m})" for m in more), "(check-sat)")), seconds
        )


def model_counterexamples(claim: Claim, clock: Clock) -> Iterator[Counterexample]:
    """Candidates for counterexamples, each with an event, for the checker to refute with."""
    end, closed = clock.left * (1 - SHARE), set[tuple[int, int]]()
    for seconds in SLICES:
        for i, pair in enumerate(symbolic_pairs(claim)):
            for j, batch in enumerate(batches(claim)):
                if (i, j) in closed:
                    continue
                for question in solver_questions(claim, pair, batch):
                    answer = question.ask(min(seconds, clock.left - end))
                    if answer.word == "sat":
                        yield from follow_models(question, answer, seconds, clock)
                    if answer.word != "unknown" and question.fixed == {}:
                        closed.add((i, j))
                        break
                    if clock.left <= end:
                        return


def batches(claim: Claim) -> list[Batch]:
    """The parts of the output space, a few at a time; all at once, as None, where they are added
    up for delta.
    """
    if outcome_count(claim.mechanism.outputs) > MOST_PARTS:
        return []
    if claim.delta != ZERO and all(o.kind == "finite" for o in claim.mechanism.outputs):
        return [(None,)]
    every = output_parts(claim.mechanism)
    return [every[i : i + TOGETHER] for i in range(0, len(every), TOGETHER)]


def solver_questions(claim: Claim, pair: SymbolicPair, batch: Batch) -> Iterator[SolverQuestion]:
    """The question with all names free, then with parameters at simple values and query answers
    at 0; none if there is no text for it.
    """
    zeros = {n: ZERO for n in pair.filled if n.startswith("q[")}
    try:
        yield violation_question(claim, pair, batch, {})
        for table in assignments(claim.mechanism.parameters, {}, TABLES):
            if table or zeros:
                yield violation_question(claim, pair, batch, {**table, **zeros})
    except Unsupported:
        return


def violation_question(
    claim: Claim, pair: SymbolicPair, batch: Batch, fixed: FixedValues
) -> SolverQuestion:
    """The text that asks for a violation on one of the parts, some names put at given values."""
    o, said = pair.obligation, replace(claim, delta=substitute(claim.delta, fixed))
    here = Obligation(
        o.text,
        o.here,
        DominatedInput(_at(o.dominated, fixed)),
        DominatingInput(_at(o.dominating, fixed)),
        substitute(o.level, fixed),
        substitute(o.delta, fixed),
    )
    script = Script(o.here.integers)
    for condition in pair.conditions:
        script.holds(script.condition(substitute(condition, fixed)))
    script.holds(connective("or", [failure_condition(script, said, here, part) for part in batch]))
    filled = tuple(
        n for n in (*(n for n, _ in claim.mechanism.parameters), *pair.filled) if n not in fixed
    )
    for n in filled:
        script.symbol(n)
    return SolverQuestion(claim, pair, script, filled, fixed)


def _at(nodes: Nodes, fixed: FixedValues) -> Nodes:
    return {
        **{name(n): e for n, e in fixed.items()},
        **{node: substitute(e, fixed) for node, e in nodes.items()},
    }


def follow_models(
    question: SolverQuestion, answer: SolverAnswer, seconds: float, clock: Clock
) -> Iterator[Counterexample]:
    """The counterexamples of a question's models, the model made simple, with facts about
    exponentials added while none has an event.
    """
    for _ in range(ROUNDS):
        clock.check("looking for models")
        answer = simplify_model(question, answer, clock)
        example, found = counterexample_of_model(question, answer), False
        for complete in candidate_counterexamples(
            question.claim, clock, [example] if example is not None else []
        ):
            found = True
            yield complete
        if found or not exclude_model(question, answer):
            return
        answer = question.ask(min(seconds, clock.left))
        if answer.word != "sat":
            return


def simplify_model(question: SolverQuestion, answer: SolverAnswer, clock: Clock) -> SolverAnswer:
    """A model whose filled names have simple values, as far as Z3 finds one at once and in a
    part of the time left.
    """
    kept: list[str] = []
    end = clock.left * (1 - SHARE)
    counts = [question.script.symbol(n) for n in question.names if n.startswith("#")]
    if counts:
        sizes = [f"(<= (+ 0.0 {' '.join(counts)}) {real_literal(Fraction(k))})" for k in SIZES]
        answer = _first(question, kept, sizes, answer, clock.left - end, clock)
    for n in question.names:
        symbol = question.script.symbol(n)
        if not n.startswith("#"):
            tried = [
                f"(= {symbol} {real_literal(v)})" for v in simple_values(model_value(answer, n))
            ]
            answer = _first(question, kept, tried, answer, clock.left - end, clock)
        kept.append(f"(= {symbol} {real_literal(model_value(answer, n))})")
    return answer


def _first(
    question: SolverQuestion,
    kept: list[str],
    tried: list[str],
    answer: SolverAnswer,
    seconds: float,
    clock: Clock,
) -> SolverAnswer:
    """The model of the first assertion that leaves one; the answer as it is if none does in
    these seconds.
    """
    end = clock.left - seconds
    for more in tried:
        found = question.ask(min(SLICES[0], clock.left - end), *kept, more)
        if found.word == "sat":
            return found
    return answer


def model_value(answer: SolverAnswer, name_: str) -> Fraction:
    """The value of a name in a model, 0 where any value will do."""
    return answer.values.get(f"${name_}", Fraction(0))


def simple_values(value: Fraction) -> list[Fraction]:
    """Simple numbers, then numbers near the value of growing denominators, then the value
    itself.
    """
    near = [value.limit_denominator(d) for d in NEAR]
    return list(dict.fromkeys((*SIMPLE, *near, value)))


def counterexample_of_model(
    question: SolverQuestion, answer: SolverAnswer
) -> Counterexample | None:
    """The two inputs of a model, the dominated one being that under which the event violates the
    bound; None if one is not rational.
    """
    values = {**question.fixed, **{n: number(model_value(answer, n)) for n in question.names}}
    given = tuple((n, values[n]) for n, _ in question.claim.mechanism.parameters)
    instances = tuple(
        tuple((u, values[e.args[0]]) for u, e in table) for table in question.pair.instances
    )
    dominated, dominating = (
        tuple(rational_value(e, values) if names(e) else e for e in side)
        for side in question.pair.sides
    )
    if any(e is None for e in (*dominated, *dominating)):
        return None
    return Counterexample(
        given,
        instances,
        tuple(e for e in dominated if e is not None),
        tuple(e for e in dominating if e is not None),
        Event(),
    )


def exclude_model(question: SolverQuestion, answer: SolverAnswer) -> bool:
    """True once facts were added that a model, which has other values for exponentials than the
    true ones, does not satisfy.
    """
    points = [
        (x, symbol, answer.values[x])
        for x, symbol in question.script.exponents
        if abs(answer.values.get(x, FAR)) < FAR
    ]
    for x, symbol, value in points:
        question.added += tangent_facts(x, symbol, value.limit_denominator(10**6))
    return bool(points)


def tangent_facts(x: str, symbol: str, a: Fraction) -> list[str]:
    """exp(x) >= exp(a) (1 + x - a) and exp(x) (1 - (x - a)) <= exp(a), with exp(a) between
    rational numbers.
    """
    low, high = enclose(exp_of(constant(a)))
    fine = 10**24
    low, high = Fraction(math.floor(low * fine), fine), Fraction(math.ceil(high * fine), fine)
    gap = f"(- {x} {real_literal(a)})"
    return [
        f"(assert (>= {symbol} (* {real_literal(low)} (+ 1.0 {gap}))))",
        f"(assert (<= (* {symbol} (- 1.0 {gap})) {real_literal(high)}))",
    ]
