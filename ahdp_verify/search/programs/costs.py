"""The costs of shifts in units of the parameters, at a sample of their values.

The cost of a shift by s is |s|/scale; of Gaussian noise that is cut at z times its scale, z
|s|/scale + s^2/(2 scale^2).  A scale such as 4/eps makes it |s| times a rational number
(1/4) times a unit (eps).  Linear programmes minimise at sample values of the parameters; levels and
what is left are sums of rational multiples of units, which hold for all values.

>>> from ahdp_verify.kernel.model.neighbours import parameter_context
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> costs = CostUnits(parameter_context((("eps", parse("0 < eps")),)), {"eps": number("1/2")})
>>> c, unit = costs.of_scale(parse("4/eps"))
>>> print(c, costs.units[unit], costs.weight(unit))
1/4 eps 0.5
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.model.program_paths import Noise
from ahdp_verify.kernel.numbers.algebra import constant, primitive_part
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    add,
    multiply,
    number,
    reciprocal,
    substitute,
)

EMPTY = Context.empty()
Spent = Mapping[str, Fraction]  # multiples of units


@dataclass(slots=True)
class CostUnits:
    """The units met so far, by their texts.

    steep    for each scale of Gaussian noise that is cut, at how many times the scale that is
    """

    here: Context
    sample: Mapping[str, Expression]
    steep: Mapping[Expression, Fraction] = field(default_factory=dict)
    units: dict[str, Expression] = field(default_factory=dict)
    _scales: dict[Expression, tuple[Fraction, str]] = field(default_factory=dict)
    _weights: dict[str, float] = field(default_factory=dict)
    _number: Fraction | None = None  # the first cost that is a number: the unit of all such costs

    def of_scale(self, scale: Expression) -> tuple[Fraction, str]:
        """The cost of a shift by 1 of noise with this scale: a multiple of a unit."""
        if scale not in self._scales:
            cost = normal(reciprocal(scale), self.here)
            c, _, _ = primitive_part(cost.num)
            c = abs(Fraction(c))
            unit = cost / constant(c)
            if (
                unit.as_rational is not None
            ):  # in this unit even costs close to 1 are small fractions
                self._number = self._number or c
                self.units.setdefault(unit.key, number(self._number))
                c /= self._number
            self.units.setdefault(unit.key, to_expression(unit))
            self._scales[scale] = c, unit.key
        return self._scales[scale]

    def of_noise(self, noise: Noise) -> tuple[Fraction, str]:
        """The cost of a shift by 1 of this noise, of Gaussian noise without the square."""
        c, unit = self.of_scale(noise.scale)
        return c * self.steep.get(noise.scale, Fraction(1)), unit

    def may_shift(self, noise: Noise) -> bool:
        """Whether a shift has a finite cost."""
        return noise.law != "gaussian" or noise.scale in self.steep

    def weight(self, unit: str) -> float:
        """The value of a unit at the sample."""
        if unit not in self._weights:
            self._weights[unit] = self.at_sample(self.units[unit])
        return self._weights[unit]

    def at_sample(self, e: Expression) -> float:
        """The value of an expression in the parameters at the sample."""
        low, high = enclose(normal(substitute(e, self.sample), EMPTY))
        return float(low + high) / 2

    def total(self, spent: Spent) -> Expression:
        """A sum of multiples of units, as an expression."""
        parts = [
            self.units[unit] if c == 1 else multiply(number(c), self.units[unit])
            for unit, c in sorted(spent.items())
            if c
        ]
        return add(*parts) if parts else ZERO
