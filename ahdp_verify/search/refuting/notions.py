"""Pairs of inputs that may violate a bound of zCDP, Rényi DP or GDP, smallest first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample, law_at, level_of_move
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.events import event_probability
from ahdp_verify.kernel.rules.notion_refutation import rate_of_normal_pair, written_claim
from ahdp_verify.kernel.terms.expression import Expression, number, oo, substitute
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.total_mass import ordered_breakpoints
from ahdp_verify.search.refuting.events import likely_events
from ahdp_verify.search.refuting.small_inputs import neighbouring_inputs

EMPTY = Context.empty()
MISSING = (Undecided, Unsupported, Rejected, BadInput, ZeroDivisionError)
# orders at which a bound for all orders is tried: the divergence may be closest to it, or exceed
# it, near 1 (Laplace noise), at a small order (permute-and-flip) or in the limit
ORDERS = tuple(map(Fraction, ("2", "3/2", "3", "11/10", "5", "101/100", "10", "1001/1000", "30")))
LEVELS = tuple(map(Fraction, ("0", "1/4", "1/2", "1", "2", "4")))  # of events that are tests
CLOSE = 1e-6  # by how much a threshold is larger than that of the event, so that it is certain
HUGE = constant(10**6)  # a loss that only an event of probability 0 on the other side exceeds
OutputLaw = tuple[Expression, tuple[tuple[Expression, Expression], ...]]


def candidate_violations(claim: NotionClaim, clock: Clock) -> Iterator[NotionCounterexample]:
    """Pairs of inputs, in both orders, with the orders at which a bound may fail."""
    try:
        written = written_claim(claim)
    except MISSING:
        return
    for example in neighbouring_inputs(written, clock, clock.limits.records):
        turned = replace(example, first=example.second, second=example.first)
        for pair in (example, turned):
            clock.count(1, "trying small inputs")
            try:
                yield from _candidates(claim, written, pair)
            except MISSING:
                continue


def _candidates(
    claim: NotionClaim, written: Claim, example: Counterexample
) -> Iterator[NotionCounterexample]:
    """What may be wrong with one pair of inputs."""
    if level_of_move(written, example) == oo:
        return
    outputs = written.mechanism.outputs
    laws = [law_at(written, example, side) for side in (example.first, example.second)]
    if rate_of_normal_pair(laws, outputs) is not None:
        yield NotionCounterexample(None, (), example)
        return
    for event, points in likely_events(laws[0], laws[1], outputs, HUGE, constant(0)):
        yield NotionCounterexample(None, (), replace(example, event=event, points=points))
    if claim.notion == "gdp":
        yield from _tests(example, laws, outputs)
        return
    own: tuple[Points, Points] = (_points(laws[0], outputs), _points(laws[1], outputs))
    both = ordered_breakpoints((laws[0][0], laws[1][0]), outputs, EMPTY)
    listed = tuple(map(to_expression, both))
    given = dict(example.parameters)
    orders = (
        [substitute(claim.order, given)] if claim.order is not None else list(map(number, ORDERS))
    )
    for order in orders:
        yield NotionCounterexample(order, listed, replace(example, event=Event(), points=own))


def _tests(
    example: Counterexample, laws: list[OutputLaw], outputs: tuple[Output, ...]
) -> Iterator[NotionCounterexample]:
    """Events, with the threshold of a test of N(0, 1) that accepts as often at the second input."""
    for event, points in _events(laws, outputs):
        second = event_probability(*laws[1], outputs, event, points[1])
        share = float(enclose(second)[1])
        if 0 < share < 1:
            at = number(Fraction(NormalDist().inv_cdf(share) + CLOSE).limit_denominator(10**7))
            yield NotionCounterexample(at, (), replace(example, event=event, points=points))


def _events(
    laws: list[OutputLaw], outputs: tuple[Output, ...]
) -> Iterator[tuple[Event, tuple[Points, Points]]]:
    """Half lines that end at or between the points of the laws, then events of a large loss."""
    if len(outputs) == 1 and outputs[0].kind == "real" and not laws[0][1]:
        own = (_points(laws[0], outputs), _points(laws[1], outputs))
        ends = ordered_breakpoints((laws[0][0], laws[1][0]), outputs, EMPTY)
        between = [(u + v).scale(Fraction(1, 2)) for u, v in itertools.pairwise(ends)]
        for end in map(to_expression, (*between, *ends)):
            for low, high in ((None, end), (end, None)):
                yield Event(intervals=((outputs[0].name, low, high),)), own
    for level in LEVELS:
        yield from likely_events(laws[0], laws[1], outputs, constant(level), constant(0))


def _points(law: OutputLaw, outputs: tuple[Output, ...]) -> Points:
    """The points between which a law of one output that is not finite is a sum of exponentials."""
    if len(outputs) != 1 or outputs[0].kind == "finite":
        return ()
    return (
        (
            outputs[0].name,
            tuple(map(to_expression, ordered_breakpoints((law[0],), outputs, EMPTY))),
        ),
    )
