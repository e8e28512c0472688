"""The probabilities of a counterexample, rounded, for plots."""

from __future__ import annotations

from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.refuted import Refuted


def rounded_probabilities(refuted: Refuted) -> tuple[float, float, float]:
    """The probabilities of the event on the first input and on the second, and the largest value
    that the claim allows for the first.
    """
    before, after = (
        approximate_rational(refuted.first_probability),
        approximate_rational(refuted.second_probability),
    )
    return float(before), float(after), float(before - approximate_rational(refuted.delta))
