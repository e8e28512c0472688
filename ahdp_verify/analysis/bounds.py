"""Bounds on a value that was searched for: the value itself, a bound on one side, on both, or none.

A bound is printed as a bound and never as the value; `oo` is printed only where it was shown to be
the value.

>>> from ahdp_verify.kernel.terms.expression import number, oo
>>> half, one = number("1/2"), number(1)
>>> [str(Bounds(*ends)) for ends in ((half, half), (half, one), (half, None), (None, one))]
['1/2', 'between 1/2 and 1', 'at least 1/2', 'at most 1']
>>> str(Bounds(None, None)), str(Bounds(oo, oo)), Bounds(half, None).value
('not found', 'oo', None)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.terms.expression import Expression, oo

BoundsKind = Literal["exact", "infinite", "between", "at least", "at most", "not found"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """A value lies between `low` and `high`, each of which was shown; None where nothing was shown
    on that side.

    Equal ends are the value.  `low` is oo only where it is shown that no number suffices.
    """

    low: Expression | None
    high: Expression | None

    __repr__ = short_repr

    @property
    def kind(self) -> BoundsKind:
        """One of "exact", "infinite", "between", "at least", "at most" and "not found"."""
        if self.low == oo:
            return "infinite"
        if self.low is not None and self.high is not None:
            return "exact" if self.low == self.high else "between"
        return (
            "at least"
            if self.low is not None
            else "at most"
            if self.high is not None
            else "not found"
        )

    @property
    def value(self) -> Expression | None:
        """The value, oo included; None where it is not known."""
        return self.low if self.kind in ("exact", "infinite") else None

    def text(self, shown: Callable[[Expression], str] = str) -> str:
        """The bounds in words, with ends written by `shown`."""
        low, high = ("" if e is None else shown(e) for e in (self.low, self.high))
        if self.kind == "between":
            return f"between {low} and {high}"
        if self.kind in ("at least", "at most"):
            return f"{self.kind} {low or high}"
        return low or "not found"

    def __str__(self) -> str:
        return self.text()


UNKNOWN = Bounds(None, None)
