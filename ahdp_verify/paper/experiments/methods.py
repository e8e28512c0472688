"""The five methods of section 6: three weights for linear queries, and the Sample Mechanism with
two thresholds.

Each is one thing stated twice: a record stays with probability `keep`, and what stays enters every
sum with `weight`.  A linear query keeps all and weighs by alpha(eps); the Sample Mechanism of
threshold t keeps with probability (exp(min(eps, t)) - 1)/(exp(t) - 1) and then runs a t-DP
mechanism, which weighs all alike, by t.  A ratio of such sums tends to the mean with weights keep *
weight as records become many (S. 4, rem:bias).

>>> [str(m) for m in five_methods((Fraction(1, 2), Fraction(2)), share=Fraction(1, 2))][::4]
['alpha = eps/2', 'Sample Mechanism, t = 2']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ahdp_verify import BadInput, Expression, Min, exp, number
from ahdp_verify.catalogue import EPS, RATIO, SATURATING
from ahdp_verify.sampling import Array, evaluate_columns

HALF = Fraction(1, 2)
WEIGHTS = (EPS, SATURATING, RATIO)  # as the paper lists them


@dataclass(frozen=True, slots=True)
class Method:
    """A record is kept with probability `keep` and has the weight `share` * `weight` in each sum;
    both are expressions in eps, `threshold` is t or None.
    """

    keep: Expression
    weight: Expression
    share: Fraction = Fraction(1)
    threshold: Fraction | None = None

    def __str__(self) -> str:
        return (
            f"alpha = {self.share * self.weight}"
            if self.threshold is None
            else f"Sample Mechanism, t = {fraction_text(self.threshold)}"
        )

    def weights(self, eps: Array) -> Array:
        """The weight of each record that stays."""
        return np.broadcast_to(evaluate_columns(self.share * self.weight, {"eps": eps}), eps.shape)

    def keep_probabilities(self, eps: Array) -> Array:
        """The probability that a record is kept, for each."""
        return np.broadcast_to(evaluate_columns(self.keep, {"eps": eps}), eps.shape)

    def stays(self, rng: Any, eps: Array) -> Array:
        """1.0 for each record that stays, else 0.0, drawn anew."""
        return (
            np.ones(eps.shape)
            if self.threshold is None
            else (rng.random(eps.shape) < self.keep_probabilities(eps)).astype(float)
        )

    def limiting(self, eps: Array) -> Array:
        """The weights of the mean to which the ratio of two such sums tends."""
        return self.keep_probabilities(eps) * self.weights(eps)


def sample_method(t: Fraction, share: Fraction = Fraction(1)) -> Method:
    """The Sample Mechanism with alpha(x, eps) = eps and threshold t > 0, in nats."""
    return Method((exp(Min(EPS, number(t))) - 1) / (exp(number(t)) - 1), number(t), share, t)


def five_methods(
    thresholds: Sequence[Fraction], *, share: Fraction = Fraction(1)
) -> tuple[Method, ...]:
    """The three weighted linear queries and a Sample Mechanism for each threshold; each sum gets
    this share of everybody's demand.
    """
    return (
        *(Method(number(1), w, share) for w in WEIGHTS),
        *(sample_method(t, share) for t in thresholds),
    )


def fraction_text(t: Fraction) -> str:
    """A short fraction as a decimal."""
    return f"{float(t):g}"


def read_thresholds(text: str, usual: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """The thresholds of a list such as "0.5, 2", or the usual ones for an empty text; BadInput
    for anything else.
    """
    try:
        found = tuple(number(part.strip()).args[0] for part in text.split(",")) if text else usual
    except BadInput:
        found = ()
    if not found or not all(0 < t <= 50 for t in found) or len(set(found)) != len(found):
        raise BadInput(
            "--thresholds",
            f"{text[:60]} is not a list of thresholds",
            'write different numbers above 0, at most 50, such as "0.5, 2"',
        )
    return found
