"""The one variable of an optimum: none if all exponentials of levels are rational, else Q =
exp(-eps / N) or exp(-1 / N).

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import name, number
>>> from ahdp_verify.analysis.power.claims import best_claim
>>> of_name = variable_of(best_claim(Domain([("a", name("eps"))]), [(0,), (1,)], ["0"], [[(0, 0, 1)]], 1, parameters={"eps": "eps > log(2)"}), [])
>>> of_name.text, of_name.field.sample
('exp(-eps)', Fraction(3, 7))
>>> of_number = variable_of(best_claim(Domain([("a", "1/2"), ("b", "1/3")]), [(0, 0), (1, 0)], ["0"], [[(0, 0, 1)]], 1), [])
>>> of_number.text, str(of_number.tree(1 / (1 + of_number.field.variable)))
('exp(-1/6)', '1/(exp(-1/6) + 1)')
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ahdp_verify.analysis.power.rational_functions import FunctionField, RationalFunction
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.numbers.algebra import Atom, Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import to_expression, truth
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import (
    Expression,
    add,
    exp,
    log,
    multiply,
    number,
    substitute,
)

# values of Q that are tried where the conditions of a parameter leave a choice; bases change at
# rounder ones, such as 1/3 for three values and t = 2
FIRST = (
    "3/7 2/7 5/7 2/11 9/11 1/11 10/11 3/13 10/13 2/13 11/13 1/21 20/21 1/101 100/101 1/1001 "
    "1000/1001"
)
SAMPLES = (*map(Fraction, FIRST.split()), *(Fraction(k, 97) for k in range(1, 97)))
CURE = "use levels that are logarithms of rational numbers, or rational multiples of one eps"


@dataclass(frozen=True, slots=True)
class Variable:
    """exp(-base / root) as Q, where base is a name or 1; without an atom there is none, and all
    numbers are rational.
    """

    field: FunctionField
    base: Expression
    root: int
    atom: Atom | None

    __repr__ = short_repr

    @property
    def text(self) -> str:
        """Q in words."""
        return str(exp(multiply(number(Fraction(-1, self.root)), self.base)))

    @property
    def name(self) -> str:
        """The name in Q, or ""."""
        return str(self.base.args[0]) if self.base.head == "name" else ""

    def number(self, r: Ratio) -> Any:
        """The Fraction or the Function of Q that a ratio is; NotWorkedOut for another one."""
        if (value := r.as_rational) is not None:
            return value
        result = self._polynomial(r.num)
        for f, k in r.den:
            result = result / self._polynomial(f) ** k
        return result

    def _polynomial(self, p: Polynomial) -> RationalFunction:
        result = self.field.of(0)
        for m, c in p.terms.items():
            if any(a != self.atom for a, _ in m.powers):
                raise NotWorkedOut("level", f"exp of it is {str(Ratio(p).key)[:60]}", CURE)
            exponent = Fraction(m.powers[0][1]) * self.root if m else Fraction(0)
            result = result + self.field.of(c) * self.field.variable ** -int(exponent)
        return result

    def tree(self, x: Any) -> Expression:
        """The expression of a number or a function."""
        if not isinstance(x, RationalFunction):
            return number(Fraction(x))
        scale = Fraction(math.lcm(*(int(c.q) for p in (x.num, x.den) for c in p.coeffs())))
        scale /= math.gcd(
            *(int(c.p) * int(scale / int(c.q)) for p in (x.num, x.den) for c in p.coeffs())
        )
        top, bottom = self._sum(x.num, scale), self._sum(x.den, scale)
        return (
            self._sum(x.num, Fraction(1))
            if x.den.degree() == 0
            else multiply(top, Expression("^", (bottom, number(-1))))
        )

    def _sum(self, p: Any, scale: Fraction) -> Expression:
        terms = []
        for n, c in enumerate(p.coeffs()):
            c = Fraction(int(c.p), int(c.q)) * scale
            if c:
                terms.append(
                    number(c)
                    if n == 0
                    else multiply(
                        number(c), exp(multiply(number(Fraction(-n, self.root)), self.base))
                    )
                )
        return add(*terms) if terms else number(0)


@lru_cache(maxsize=8)
def costs_of(claim: BestClaim) -> tuple[Ratio | None, ...]:
    """The costs of a claim, which are asked for several times in a row."""
    return claim.costs()


def variable_of(claim: BestClaim, more: Iterable[Ratio]) -> Variable:
    """The variable in which the costs of a claim, and more ratios, are functions; NotWorkedOut
    if none was found.
    """
    return variable_for(
        [*(c for c in costs_of(claim) if c is not None), *more],
        lambda base, root: _sample_value(claim, base, root),
    )


def variable_for(
    ratios: Iterable[Ratio], sampled: Callable[[Expression, int], Fraction]
) -> Variable:
    """The variable in which all ratios are functions; `sampled` gives a value of one that holds
    a name.
    """
    found = {
        (a, Fraction(e))
        for r in ratios
        for p in (r.num, *(f for f, _ in r.den))
        for m in p.terms
        for a, e in m.powers
    }
    kinds = {a for a, _ in found}
    if not kinds:
        return Variable(FunctionField(None), ex.ONE, 1, None)
    root = math.lcm(*(e.denominator for _, e in found))
    if len(kinds) > 1 or (atom := kinds.pop()).kind != "exp":
        raise NotWorkedOut(
            "level",
            "the exponentials of levels were not found to be powers of one exponential",
            CURE,
        )
    base = _base(atom)
    if base.head == "name":
        return Variable(FunctionField(sampled(base, root)), base, root, atom)
    if base != ex.ONE:
        raise NotWorkedOut("level", f"exp({base}) was not found to be a power of one eps", CURE)
    return Variable(FunctionField(None, root), base, root, atom)


def _base(atom: Atom) -> Expression:
    m, den = atom.payload
    return to_expression(Ratio(Polynomial({m: Fraction(1)}), den))


def _sample_value(claim: BestClaim, base: Expression, root: int) -> Fraction:
    """A value of Q at which all conditions hold; NotWorkedOut if none of those that are tried
    will do.
    """
    empty = Context.empty()
    for q in SAMPLES:
        value = {base.args[0]: multiply(number(root), log(number(1 / q)))}
        try:
            if all(truth(substitute(c, value), empty) for _, c in claim.parameters):
                return q
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
    raise NotWorkedOut(
        str(base),
        "no value that satisfies its conditions was found",
        'give a simpler condition, such as "eps > 0"',
    )
