"""The numbers of a counterexample, rounded, for pictures."""

from __future__ import annotations

from ahdp_verify.kernel.decimals import approximate_rational
from ahdp_verify.kernel.refuted import Refuted


def rounded_probabilities(refuted: Refuted) -> tuple[float, float, float]:
    """The probabilities of the event on the one input and on the other, and the most that the
    claim allows the first to be.
    """
    before, after = (
        approximate_rational(refuted.first_probability),
        approximate_rational(refuted.second_probability),
    )
    return float(before), float(after), float(before - approximate_rational(refuted.delta))
