"""A value or a limit of the log-likelihood ratio of two laws: one candidate for the largest privacy
loss.

>>> Peak(None, "large s").attained
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, log_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import Expression, substitute

Laws = tuple[Dominated, Dominating]


@dataclass(frozen=True, slots=True)
class Peak:
    """A value of log(dominated / dominating): None for oo; `attained` on an event of positive
    probability, otherwise only approached.

    `laws` and `spot` are the two distributions and the context in which the ratio is this value,
    where one context suffices for that. A `rounded` value is a rational number just below one that
    has no closed form.
    """

    value: Ratio | None
    where: str
    attained: bool = True
    laws: Laws | None = None
    spot: Context | None = None
    rounded: bool = False


def log_of_ratio(r: Ratio) -> Ratio:
    """log r of a positive ratio, as -log(1/r) where that has no divisor."""
    turned = constant(1) / r
    return -log_of(turned) if r.den and not turned.den else log_of(r)


def substitute_in_both(laws: Laws, table: Mapping[str, Expression]) -> Laws:
    """Both distributions with expressions substituted for names."""
    return Dominated(substitute(laws[0], table)), Dominating(substitute(laws[1], table))
