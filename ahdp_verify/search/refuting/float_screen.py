"""Where floats see nothing wrong: inputs at which exact distributions need not be computed before a
proof is tried.

Most claims are true, and exact events take far longer than a proof. So the loss of each small pair
is computed in floats, at outputs on both sides of every breakpoint: a pair whose loss exceeds the
level there, or has no value there, is worked out exactly at once, every other one only when no
proof was found. Nothing is concluded from a float.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ahdp_verify.kernel.evidence.counterexample import Counterexample, delta_of_move
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.terms.expression import ZERO, Expression
from ahdp_verify.search.floating_point import float_function, float_value
from ahdp_verify.search.refuting.float_laws import NOT_SEEN, FloatLaws, log_ratio
from ahdp_verify.search.refuting.float_totals import FloatTotals

SLACK = 1e-9  # what rounding may add to a loss, a total or a divergence
TINY = 1e-12


@dataclass(slots=True)
class FloatScreen:
    """What floats show of one claim, input by input."""

    claim: Claim
    laws: FloatLaws
    losses: dict[object, float | None] = field(default_factory=dict)
    totals: list[FloatTotals | None] = field(default_factory=list)  # once asked for

    @staticmethod
    def of(claim: Claim) -> FloatScreen:
        """The screen of a claim."""
        return FloatScreen(claim, FloatLaws.of(claim))

    def sees_no_fault(self, example: Counterexample) -> bool:
        """Whether the law at the first input is, as far as floats show, nowhere negative, and has
        total 1 where its outcomes can be listed.
        """
        try:
            point = self.laws.point_at(example, example.first)
            if self.laws.can_list:
                listed = [p for (p,) in self.laws.rows([point])]
                return min(listed) >= 0 and abs(math.fsum(listed) - 1) <= SLACK
            return all(mass(point) >= 0 for mass in self.laws.atoms) and not any(
                factor.at(point, outcome) < 0
                for factor in self.laws.factors
                for outcome in factor.grid([point])
            )
        except NOT_SEEN:
            return False

    def sees_total(self, example: Counterexample) -> bool:
        """Whether the law at the first input, whose outcomes cannot all be listed, has total 1, as
        far as floats show.
        """
        if not self.totals:
            self.totals.append(FloatTotals.of(self.claim.mechanism))
        try:
            point = self.laws.point_at(example, example.first)
            return self.totals[0] is not None and abs(self.totals[0].at(point) - 1) <= SLACK
        except NOT_SEEN:
            return False

    def sees_no_violation(self, example: Counterexample, level: Expression) -> bool:
        """Whether the claim holds from the first input to the second, as far as floats show; False
        where they show too little.
        """
        bound: float = float_value(level)
        if self.claim.delta != ZERO:
            return self._sees_small_divergence(example, bound)
        pair = (example.parameters, example.instances, example.first, example.second)
        if pair not in self.losses:
            back = (example.parameters, example.instances, example.second, example.first)
            self.losses[pair], self.losses[back] = self.largest_losses(example)
        loss = self.losses[pair]
        return loss is not None and loss <= bound * (1 + SLACK) + SLACK

    def _sees_small_divergence(self, example: Counterexample, level: float) -> bool:
        if not self.laws.can_list:
            return False
        try:
            points = [self.laws.point_at(example, side) for side in (example.first, example.second)]
            factor, delta = (
                math.exp(level),
                float_function(delta_of_move(self.claim, example))(points[0]),
            )
            excess = math.fsum(max(0.0, p - factor * q) for p, q in self.laws.rows(points))
            return bool(excess <= delta * (1 + SLACK) + TINY)
        except NOT_SEEN:
            return False

    def largest_losses(self, example: Counterexample) -> tuple[float | None, float | None]:
        """The largest loss seen from the first input to the second, and back; None where nothing
        is seen.
        """
        try:
            points = [self.laws.point_at(example, side) for side in (example.first, example.second)]
            listed = [factor.losses(points) for factor in self.laws.factors]
            seen = [log_ratio(mass(points[0]), mass(points[1])) for mass in self.laws.atoms]
        except NOT_SEEN:
            return None, None
        if all(listed):
            seen += [sum(map(max, listed)), sum(map(min, listed))]
        known = [loss for loss in seen if not math.isnan(loss)]
        return (max(known), -min(known)) if known else (None, None)
