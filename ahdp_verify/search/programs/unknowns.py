"""Sums of unknowns of a linear programme, and how a linear form changes when noises are shifted by
unknown amounts.

>>> total = Sum.of("t", 2) + Sum({}, Fraction(3))
>>> total.terms, str(total.constant)
({'t': Fraction(2, 1)}, '3')
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.model.linear_form import LinearForm

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of coefficient * unknown over `terms`, and of a constant."""

    terms: Mapping[Any, Fraction]
    constant: Fraction = NOTHING

    @classmethod
    def of(cls, unknown: Hashable, coefficient: int | Fraction = 1) -> Sum:
        """A multiple of one unknown."""
        return cls({unknown: Fraction(coefficient)})

    def __add__(self, other: Sum) -> Sum:
        terms = dict(self.terms)
        for key, c in other.terms.items():
            terms[key] = terms.get(key, NOTHING) + c
        return Sum({k: c for k, c in terms.items() if c}, self.constant + other.constant)

    def __sub__(self, other: Sum) -> Sum:
        return self + other.times(Fraction(-1))

    def times(self, factor: Fraction) -> Sum:
        """The sum with all coefficients multiplied by a factor."""
        if not factor:
            return Sum({})
        return Sum({k: factor * c for k, c in self.terms.items()}, factor * self.constant)

    def value(self, solution: Mapping[Hashable, Fraction]) -> Fraction:
        """The value at a solution."""
        return sum((c * solution[k] for k, c in self.terms.items()), self.constant)


# how a name moves: for each amount that moves, and for "" (independent of all), a sum of unknowns
Motion = Mapping[str, Sum]


def change_of(form: LinearForm, motions: Mapping[str, Motion]) -> dict[str, Sum]:
    """How a form moves when each name in it does; KeyError for a name of which that is not
    given.
    """
    total: dict[str, Sum] = {}
    for key, c in form.terms:
        for amount, moved in motions[key].items():
            total[amount] = total.get(amount, Sum({})) + moved.times(c)
    return total
