"""Pairs of values of one person between which the loss may be largest: ends of their conditions,
and values inside at which floats see a larger loss.

The ends may depend on parameters, and hold for all of them. What is found inside is a pair of
simple fractions, found at one choice of parameters; whether the loss is largest there is left to
the prover.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import value_text
from ahdp_verify.kernel.model.neighbours import DominatedInput, DominatingInput
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import truth
from ahdp_verify.kernel.terms.expression import Expression, name, substitute
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.loss.ends import unknown_bounds, with_bound_included
from ahdp_verify.search.refuting.small_inputs import assignments
from ahdp_verify.search.refuting.worst_values import worst_value_pairs

MOST = 64  # pairs of ends that are tried
NEARLY_ALL = 1 - 1e-9  # of the largest loss that floats see is left at the simple values
Parts = tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ValuePair:
    """Two values, part by part, and whether both satisfy their conditions (else they are
    limits).
    """

    first: Parts
    second: Parts
    met: bool

    @property
    def text(self) -> str:
        """The pair for display."""
        shown = (value_text(v if len(v) > 1 else v[0]) for v in (self.first, self.second))
        return "at {} against {}".format(*shown)

    def nodes(self, keys: tuple[str, ...]) -> tuple[DominatedInput, DominatingInput]:
        """Both values as values of the parts of v."""
        first, second = (
            {name(k): e for k, e in zip(keys, side, strict=True)}
            for side in (self.first, self.second)
        )
        return DominatedInput(first), DominatingInput(second)


def value_pairs(claim: Claim, here: Context, clock: Clock) -> Iterator[ValuePair]:
    """Pairs of ends, then pairs of values inside; none where a part has no end."""
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, RealValues):
        return
    ends = list(value_ends(claim, inputs, here))
    for (first, one), (second, other) in itertools.islice(itertools.permutations(ends, 2), MOST):
        yield ValuePair(first, second, one and other)
    for given in itertools.islice(assignments(claim.mechanism.parameters, {}, 1), 1 if ends else 0):
        base = Counterexample(tuple(given.items()), (), (), (), Event())
        for found in worst_value_pairs(claim, base, given, clock, share=NEARLY_ALL):
            sides = [dict(zip(inputs.bound, s, strict=True)) for s in (found.first, found.second)]
            if all(conditions_hold(inputs, side, here, strict=True) for side in sides):
                yield ValuePair(found.first, found.second, True)


def value_ends(claim: Claim, inputs: RealValues, here: Context) -> Iterator[tuple[Parts, bool]]:
    """Combinations of ends of the parts that satisfy all conditions, and whether none is only a
    limit.
    """
    listed = [unknown_bounds(claim.mechanism, key, here) for key in inputs.bound]
    if not all({above for _, above, _ in bounds} == {True, False} for bounds in listed):
        return
    for chosen in itertools.product(*listed):
        side = dict(zip(inputs.bound, (end for end, _, _ in chosen), strict=True))
        if conditions_hold(inputs, side, here, strict=False):
            yield tuple(side.values()), all(met for _, _, met in chosen)


def conditions_hold(
    inputs: RealValues, side: dict[str, Expression], here: Context, *, strict: bool
) -> bool:
    """Whether a value satisfies the conditions, whatever the parameters; if not `strict`, their
    bounds included.
    """
    try:
        return all(
            truth(substitute(c if strict else with_bound_included(c), side), here)
            for _, c in inputs.conditions
        )
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
