"""The numbers of a counterexample, rounded, for pictures."""

from __future__ import annotations

from ahdp_verify.kernel.decimals import middle
from ahdp_verify.kernel.refuted import Refuted


def rounded_probabilities(refuted: Refuted) -> tuple[float, float, float]:
    """The probabilities of the event on the one input and on the other, and the most that the
    claim allows the first to be.
    """
    before, after = middle(refuted.before), middle(refuted.after)
    return float(before), float(after), float(before - middle(refuted.delta))
