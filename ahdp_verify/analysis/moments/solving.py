"""Expectations combined into a moment: at one dataset, for all of them in the cases that a formula
depends on, or over the random parts of a dataset that are kept.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, W = real("s"), Domain([(0, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2)
>>> print(solve_moment(MomentQuery(M, None, None, None, None), [s.symbol], [], lambda first: first))
size
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.analysis.inputs import checker_input
from ahdp_verify.analysis.moments.antiderivative import AtPole
from ahdp_verify.analysis.moments.context import (
    EMPTY,
    Given,
    MomentContext,
    at_example,
    moment_context,
    value_at,
)
from ahdp_verify.analysis.moments.enclosure import enclosure as enclosure
from ahdp_verify.analysis.moments.expectation import Tick, WrongTotal, check_law, expectation
from ahdp_verify.analysis.moments.infinite import find_infinite_mean
from ahdp_verify.analysis.moments.request import keep_probability
from ahdp_verify.kernel.errors import BadInput, DecayNotShown, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    counted_record,
    value_at_instance,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import JOINT, Mechanism
from ahdp_verify.kernel.model.mechanism import check_kind as check_kind
from ahdp_verify.kernel.model.record_expression import Body
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    aggregates,
    name,
    number,
    piecewise,
    substitute,
)
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.proving.sign_queries import is_contradictory, is_implied

# seconds for one query whether a sign follows from the facts; measured: such proofs take a
# few milliseconds
BRIEF = 0.5
DEPTH = 4  # signs that a formula may depend on, in turn
Combine = Callable[..., Ratio]  # combines expectations and values at the dataset


@dataclass(frozen=True, slots=True)
class MomentQuery:
    """A request for moments: a mechanism, a dataset or all, the records that are kept, values of
    parameters, and how long it may take.
    """

    mechanism: Mechanism
    dataset: object
    keep: Body | str | None
    parameters: Given
    limits: Limits | None


def deadline_tick(limits: Limits | None) -> Tick:
    """A function that raises OutOfLimits once the time that starts now is over."""
    clock = (limits or Limits()).clock()
    return lambda: clock.check("working out a mean")


def solve_moment(
    ask: MomentQuery,
    ofs: list[Expression],
    fixed: list[Expression],
    combine: Combine,
    tick: Tick | None = None,
) -> Expression:
    """The combination of the expectations `ofs` and of the values `fixed`, at a dataset or for all
    datasets.
    """
    with enforce_limits((ask.limits or Limits()) if tick is None else None, "working out a mean"):
        return _solution(ask, ofs, fixed, combine, tick)


def _solution(
    ask: MomentQuery,
    ofs: list[Expression],
    fixed: list[Expression],
    combine: Combine,
    tick: Tick | None,
) -> Expression:
    mechanism, dataset, parameters, tick = (
        ask.mechanism,
        ask.dataset,
        ask.parameters,
        tick or deadline_tick(ask.limits),
    )
    kept = None if ask.keep is None else keep_probability(mechanism, ask.keep)
    if kept is not None and (found := [node for e in ofs for node in aggregates(e)]):
        raise BadInput(
            "of",
            f"{found[0]} could be over all records or over those that are kept",
            "leave record sums out; the mean squared error is variance(...) + bias(...)^2",
        )
    if kept is not None and dataset is not None:
        _keep_probabilities(*checker_input(mechanism, dataset, parameters or {}), kept)
        try:
            return value_at(
                solve_moment(replace(ask, dataset=None, parameters={}), ofs, fixed, combine, tick),
                mechanism,
                dataset,
                parameters,
            )
        except (BadInput, NotWorkedOut):  # no formula for all datasets
            return _sampled(mechanism, dataset, ofs, fixed, combine, kept, parameters, tick)
    if kept is not None and mechanism.defined != TRUE:
        raise BadInput(
            "keep",
            f"the mechanism is not defined on subsets that violate {mechanism.defined}",
            "give a dataset of which enough records are kept with certainty",
        )
    there = moment_context(mechanism, dataset, [*ofs, *fixed], parameters, tick)
    random = frozenset(o.name for o in mechanism.outputs) | (
        frozenset(v.args[0] for v in there.sums.nodes.values() if v.head == "name")
        if kept is not None
        else frozenset()
    )

    def work(here: Context) -> Ratio:
        found = [expectation(there.put(e), there.law, here) for e in ofs]
        if kept is not None:
            found = [there.sums.kept(r, substitute(kept, there.given)) for r in found]
        return combine(*found, *(normal(there.put(e), here) for e in fixed))

    try:
        return there.sums.back(
            substitute(_in_cases(work, there, there.here, random, DEPTH), there.given)
        )
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise _refusal(why, ofs[-1], there) from None


def _refusal(why: Exception, of: Expression, there: MomentContext) -> BadInput | NotWorkedOut:
    """The error for a mean that is shown not to exist, or for which no closed form was found."""
    if isinstance(why, AtPole | DecayNotShown | ZeroDivisionError) and _is_law(there):
        reason = find_infinite_mean(there.put(of), there.law, there.here)
        if reason is not None:
            return BadInput(
                "of",
                f"{of} has no mean: E|{of}| is infinite, since {reason.reason}",
                f"clip the divisor, for example max({reason.output}, 1)",
            )
    if (total := _wrong_total(there)) is not None:
        return BadInput("law", f"its total is {total}, not 1", "correct the density or the atoms")
    said = re.sub(
        r"[@#]d?[0-9]+", lambda found: str(there.sums.back(name(found[0]))), refusal_text(why)
    )
    return NotWorkedOut(
        "of",
        f"no closed form was found for the mean of {of} ({said})",
        "use sums of powers and exponentials of the outputs, with divisors that do not vanish",
    )


def _wrong_total(there: MomentContext) -> str | None:
    """The total of the law, if it was computed and is not 1; that of a case of the law shows
    nothing, since the case may not occur.
    """
    try:
        check_law(there.law, there.here)
    except WrongTotal as why:
        return re.sub(
            r"[@#]d?[0-9]+", lambda found: str(there.sums.back(name(found[0]))), why.total
        )
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    return None


def _is_law(there: MomentContext) -> bool:
    try:
        check_law(there.law, there.here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
    return True


def _in_cases(
    work: Callable[[Context], Ratio],
    there: MomentContext,
    here: Context,
    random: frozenset[str],
    depth: int,
) -> Expression:
    """The result as a piecewise expression in the signs that it depends on; these must be signs of
    expressions that are not random.
    """
    there.law.tick()
    try:
        return there.sums.gathered(work(here), here)
    except Undecided as missing:
        guard = missing.guard
        if (
            depth == 0
            or not isinstance(guard, Polynomial)
            or not algebra.polynomial_names(guard)
            or not algebra.polynomial_names(guard).isdisjoint(random)
        ):
            raise Unsupported(refusal_text(missing)) from None
    if (known := _follows(guard, here)) is not None:
        return _in_cases(work, there, known, random, depth)
    failed: Unsupported = Unsupported("")
    for split in ((">=", "<"), (">", "=", "<")):
        if here.signs(guard) <= {0, 1} and ">=" in split:
            continue
        try:
            found = [
                (r, _in_cases(work, there, case, random, depth - 1))
                for r in split
                if not is_contradictory(case := here.given(guard, r), Limits(seconds=BRIEF).clock())
            ]
            return (
                number(0)
                if not found
                else _chosen(there.sums.back(to_expression(Ratio(guard))), found)
            )
        except Unsupported as why:
            failed = why
        except ZeroDivisionError:
            failed = Unsupported(f"it may divide by 0 where {to_expression(Ratio(guard))} = 0")
    raise failed


def _follows(guard: Polynomial, here: Context) -> Context | None:
    """The context with the strict sign of a guard that follows from what is known, None if none
    was found to.
    """
    for relation, p in ((">", guard), ("<", -guard)):
        if is_implied(p, ">", here, Limits(seconds=BRIEF).clock()):
            return here.given(guard, relation)
    return None


def _chosen(guard: Expression, found: list[tuple[str, Expression]]) -> Expression:
    conditions = {
        ">": guard > 0,
        ">=": guard >= 0,
        "=": Expression("==", (guard, ZERO)),
        "<": guard < 0,
    }
    last = found[-1][1]
    return (
        piecewise(*((e, conditions[r]) for r, e in found[:-1]), (last, TRUE))
        if len(found) > 1
        else last
    )


def _sampled(
    mechanism: Mechanism,
    dataset: object,
    ofs: list[Expression],
    fixed: list[Expression],
    combine: Combine,
    keep: Expression,
    parameters: Given,
    tick: Tick,
) -> Expression:
    """The same over the random subsets of one dataset, each with its probability."""
    claim, example = checker_input(mechanism, dataset, parameters or {})
    whole = at_example(
        claim, example, tuple(dict.fromkeys(node for e in fixed for node in aggregates(e)))
    )
    totals = [constant(0)] * len(ofs)
    for probability, part in _parts(claim, example, keep):
        tick()
        there = at_example(claim, part, ())
        try:
            found = [expectation(there.put(e), there.law, there.here) for e in ofs]
        except (Undecided, Unsupported, ZeroDivisionError) as why:
            raise _refusal(why, ofs[-1], there) from None
        totals = [t + probability * f for t, f in zip(totals, found, strict=True)]
    return to_expression(combine(*totals, *(normal(whole.put(e), EMPTY) for e in fixed)))


def _parts(
    claim: Claim, example: Counterexample, keep: Expression
) -> Iterator[tuple[Ratio, Counterexample]]:
    """The subsets of a dataset with their probabilities, those of probability 0 left out."""
    counts, probabilities = (
        [int(c.args[0]) for c in example.first],
        _keep_probabilities(claim, example, keep),
    )
    rows = [
        [(j, weight) for j in range(h + 1) if not (weight := _binomial(h, j, k)).is_zero]
        for h, k in zip(counts, probabilities, strict=True)
    ]
    if math.prod(map(len, rows)) > JOINT:
        raise BadInput(
            "dataset",
            f"it has more than {JOINT} random parts",
            "give fewer records, or ask for a polynomial in record sums",
        )
    for choice in itertools.product(*rows):
        probability = math.prod((w for _, w in choice), start=constant(1))
        yield (
            probability,
            Counterexample(
                example.parameters,
                example.instances,
                tuple(number(j) for j, _ in choice),
                (),
                example.event,
            ),
        )


def _keep_probabilities(claim: Claim, example: Counterexample, keep: Expression) -> list[Ratio]:
    """The probability with which each record of a dataset is kept, 0 where there is none."""
    given = dict(example.parameters)
    found = [
        normal(value_at_instance(keep, counted_record(claim, example, i), given), EMPTY)
        if c != ZERO
        else constant(0)
        for i, c in enumerate(example.first)
    ]
    for k in found:
        for gap in (k, constant(1) - k):
            if not (signs := EMPTY.ratio_signs(gap)) <= {0, 1}:
                kind, said = (
                    (BadInput, "is not a probability")
                    if signs == {-1}
                    else (NotWorkedOut, "was not shown to be a probability")
                )
                raise kind("keep", f"{to_expression(k)} {said}", "probabilities lie in [0, 1]")
    return found


def _binomial(n: int, j: int, k: Ratio) -> Ratio:
    """The probability of keeping j of n records."""
    return (k**j * (constant(1) - k) ** (n - j)).scale(Fraction(math.comb(n, j)))
