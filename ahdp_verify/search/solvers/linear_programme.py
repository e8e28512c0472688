"""Linear programmes with named variables, whose solutions are rational proposals.

HiGHS solves them in floats where it is installed, and what it finds is rounded to small fractions;
Z3 solves them exactly otherwise, or if that is asked for.  The checker decides what a solution is
worth.

>>> programme = Programme()
>>> for key in ("x", "y"):
...     programme.variable(key, low=0, cost=1)
>>> programme.at_least({"x": Fraction(1), "y": Fraction(2)}, Fraction(3))
>>> solution = programme.solve()
>>> str(solution["x"]), str(solution["y"])
('0', '3/2')
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.errors import Missing
from ahdp_verify.search.solvers.highs import highs_solution

# largest denominator to which a float is rounded; the optima of the field's programs have divisors
# of 48
FINEST = 720
CLOSE, DIGITS = Fraction(1, 10**12), 10**15  # how close, where a solution is wanted closely
Terms = Mapping[Any, Fraction]


@dataclass(slots=True)
class Variable:
    """Bounds (None: none), the cost of one unit at the sample parameters, and whether only whole
    values serve.
    """

    low: Fraction | None
    high: Fraction | None
    cost: float
    whole: bool


@dataclass(slots=True)
class Programme:
    """The least total cost of variables under rows low <= sum of coefficient * variable <= high."""

    variables: dict[Hashable, Variable] = field(default_factory=dict)
    rows: list[tuple[dict[Hashable, Fraction], Fraction, Fraction | None]] = field(
        default_factory=list
    )
    impossible: bool = False  # a row without variables that does not hold

    def variable(
        self,
        key: Hashable,
        *,
        low: int | None = None,
        high: int | None = None,
        cost: float = 0.0,
        whole: bool = False,
    ) -> None:
        """Declares a variable, once."""
        if key not in self.variables:
            ends = [None if end is None else Fraction(end) for end in (low, high)]
            self.variables[key] = Variable(ends[0], ends[1], cost, whole)

    def at_least(self, terms: Terms, least: Fraction) -> None:
        """Adds the row sum >= least."""
        self._row(terms, least, None)

    def equal(self, terms: Terms, value: Fraction) -> None:
        """Adds the row sum = value."""
        self._row(terms, value, value)

    def _row(self, terms: Terms, low: Fraction, high: Fraction | None) -> None:
        kept = {key: c for key, c in terms.items() if c}
        if kept:
            self.rows.append((kept, low, high))
        elif low > 0 or (high is not None and high < 0):
            self.impossible = True

    def solve(
        self, *, exactly: bool = False, closely: bool = False
    ) -> dict[Hashable, Fraction] | None:
        """Values of least cost; None where there are none.  Wanted `closely`, a float is rounded to
        a small fraction only where that is next to it.
        """
        if self.impossible:
            return None
        if not self.variables:
            return {}
        if not exactly:
            try:
                return self._by_highs(closely)
            except Missing:
                pass
        return self._by_z3()

    def _by_highs(self, closely: bool) -> dict[Hashable, Fraction] | None:
        number = {key: i for i, key in enumerate(self.variables)}
        listed = list(self.variables.values())
        engine = highs_solution(
            [
                (
                    [(number[key], float(c)) for key, c in terms.items()],
                    float(low),
                    math.inf if high is None else float(high),
                )
                for terms, low, high in self.rows
            ],
            [-math.inf if v.low is None else float(v.low) for v in listed],
            [math.inf if v.high is None else float(v.high) for v in listed],
            [v.cost for v in listed],
            whole=[i for i, v in enumerate(listed) if v.whole],
        )
        if engine is None:
            return None
        found = engine.getSolution().col_value
        rounded = _close_fraction if closely else _small_fraction
        return {key: rounded(value) for key, value in zip(self.variables, found, strict=True)}

    def _by_z3(self) -> dict[Hashable, Fraction] | None:
        import z3  # noqa: PLC0415 - it takes 0.1 s to load

        named: dict[Hashable, Any] = {
            key: (z3.Int if v.whole else z3.Real)(f"v{i}")
            for i, (key, v) in enumerate(self.variables.items())
        }
        solver = z3.Optimize()
        for key, v in self.variables.items():
            if v.low is not None:
                solver.add(named[key] >= z3.Q(v.low.numerator, v.low.denominator))
            if v.high is not None:
                solver.add(named[key] <= z3.Q(v.high.numerator, v.high.denominator))
        for terms, low, high in self.rows:
            total = z3.Sum([z3.Q(c.numerator, c.denominator) * named[k] for k, c in terms.items()])
            bound = z3.Q(low.numerator, low.denominator)
            solver.add(total >= bound if high is None else total == bound)
        costs = {
            key: Fraction(v.cost).limit_denominator(10**6) for key, v in self.variables.items()
        }
        priced = [z3.Q(c.numerator, c.denominator) * named[k] for k, c in costs.items() if c]
        if priced:
            solver.minimize(z3.Sum(priced))
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        return {key: _fraction(model.eval(v, model_completion=True)) for key, v in named.items()}


def _small_fraction(value: float) -> Fraction:
    return Fraction(value).limit_denominator(FINEST)


def _close_fraction(value: float) -> Fraction:
    exact, small = Fraction(value), _small_fraction(value)
    near = abs(exact - small) <= CLOSE * max(Fraction(1), abs(exact))
    return small if near else exact.limit_denominator(DIGITS)


def _fraction(value: Any) -> Fraction:
    return Fraction(str(value))
