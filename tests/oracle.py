"""Independent evaluation with mpmath at 60 digits: of trees, of ratios, and of facts. No code of
the package is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from mpmath import mp, mpf

from ahdp_verify.kernel.numbers.algebra import Atom, Polynomial, Ratio
from ahdp_verify.kernel.terms.expression import Expression

mp.dps = 60
SMALL = (
    mpf(10) ** -40
    # differences below this are taken for 0; the trees that are drawn have no smaller non-zero values
)
Point = Mapping[str, Fraction]


class Undefined(Exception):
    """The tree has no real value at the point."""


class Doubtful(Exception):
    """The value is too large, or too near to a kink, to be judged in 60 digits."""


def real(value: Fraction | int) -> mpf:
    """The number in 60 digits."""
    return mpf(value.numerator) / value.denominator


def sign(value: mpf) -> int:
    """-1, 0 or 1."""
    return 0 if abs(value) < SMALL else 1 if value > 0 else -1


def size_checked(value: mpf) -> mpf:
    """The value; raises if it is too large to be compared."""
    if abs(value) > mpf(10) ** 15 or 0 < abs(value) < mpf(10) ** -30:
        raise Doubtful
    return value


def value(e: Expression, at: Point) -> mpf:
    """The value of a tree without records and labels; raises Undefined if there is none."""
    if e.head == "number":
        return real(e.args[0])
    if e.head == "name":
        return real(at[e.args[0]])
    if e.head == "pi":
        return +mp.pi
    if e.head == "piecewise":
        for result, condition in zip(e.args[::2], e.args[1::2], strict=True):
            if holds(condition, at):
                return value(result, at)
        raise Undefined
    return size_checked(ARITHMETIC[e.head](*(value(a, at) for a in e.args)))


def holds(condition: Expression, at: Point) -> bool:
    """Whether a condition holds."""
    if condition.head == "boolean":
        return bool(condition.args[0])
    if condition.head == "not":
        return not holds(condition.args[0], at)
    if condition.head == "and":
        return all([holds(a, at) for a in condition.args])
    if condition.head == "or":
        return any([holds(a, at) for a in condition.args])
    s = sign(value(condition.args[0], at) - value(condition.args[1], at))
    return {"==": s == 0, "!=": s != 0, "<": s < 0, "<=": s <= 0}[condition.head]


def _total(*terms: mpf) -> mpf:
    return sum(terms, mpf(0))


def _product(*factors: mpf) -> mpf:
    result = mpf(1)
    for f in factors:
        result *= f
    return result


def _power(base: mpf, exponent: mpf) -> mpf:
    whole = mp.isint(exponent)
    if whole and not sign(exponent):
        return mpf(1)
    if (not whole and sign(base) <= 0) or (whole and exponent < 0 and not sign(base)):
        raise Undefined
    return mpf(0) if not sign(base) else base**exponent


def _exp(x: mpf) -> mpf:
    if abs(x) > 60:
        raise Doubtful
    return mp.exp(x)


def _within(reach: int, function: Callable[[mpf], mpf]) -> Callable[[mpf], mpf]:
    """A function of arguments up to `reach`; beyond, 60 digits do not tell its value from
    others.
    """

    def value_within(x: mpf) -> mpf:
        if abs(x) > reach:
            raise Doubtful
        return function(x)

    return value_within


def _theta3(x: mpf) -> mpf:
    if sign(x) <= 0:
        raise Undefined
    if x < mpf("1e-4"):
        raise Doubtful  # too many terms
    return mp.jtheta(3, 0, mp.exp(-x))


FUNCTIONS = {
    "sin": _within(1000, mp.sin),
    "cos": _within(1000, mp.cos),
    "atan": _within(10**9, mp.atan),
    "erf": _within(8, mp.erf),
    "theta3": _theta3,
}


def _log(x: mpf) -> mpf:
    if sign(x) <= 0:
        raise Undefined
    return mp.log(x)


def _floor(x: mpf) -> mpf:
    near = mp.nint(x)
    return near if abs(x - near) < SMALL else mp.floor(x)


def _mod(a: mpf, b: mpf) -> mpf:
    if not sign(b):
        raise Undefined
    return a - b * _floor(a / b)


def _binomial(n: mpf, k: mpf) -> mpf:
    if sign(n - mp.nint(n)) or sign(k - mp.nint(k)) or sign(n) < 0:
        raise Undefined
    n, k = mp.nint(n), mp.nint(k)
    return mp.binomial(n, k) if 0 <= k <= n else mpf(0)


ARITHMETIC = {
    "+": _total,
    "*": _product,
    "^": _power,
    "exp": _exp,
    "log": _log,
    **FUNCTIONS,
    "abs": abs,
    "sign": lambda x: mpf(sign(x)),
    "floor": _floor,
    "mod": _mod,
    "binomial": _binomial,
    "min": lambda *x: min(x),
    "max": lambda *x: max(x),
}


def of_atom(a: Atom, at: Point) -> mpf:
    """The value that an atom stands for."""
    if a.kind == "name":
        return real(at[a.payload])
    if a.kind == "prime":
        return mpf(a.payload)
    if a.kind == "pi":
        return +mp.pi
    if a.kind == "exp":
        m, den = a.payload
        return _exp(of_ratio(Ratio(Polynomial({m: Fraction(1)}), den), at))
    if a.kind == "log":
        return _log(of_ratio(a.payload, at))
    return {"abs": abs, "floor": _floor, **FUNCTIONS}[a.kind](*(of_ratio(r, at) for r in a.payload))


def of_polynomial(p: Polynomial, at: Point) -> mpf:
    """The value of a polynomial."""
    return _total(
        *(
            real(c) * _product(*(_power(of_atom(a, at), real(e)) for a, e in m.powers))
            for m, c in p.terms.items()
        )
    )


def of_ratio(r: Ratio, at: Point) -> mpf:
    """The value of a ratio; Undefined where a divisor vanishes."""
    bottom = _product(*(of_polynomial(f, at) ** k for f, k in r.den))
    if not sign(bottom):
        raise Undefined
    return of_polynomial(r.num, at) / bottom


def near(a: mpf, b: mpf, digits: int = 25) -> bool:
    """Whether two values agree to the given number of digits."""
    return abs(a - b) <= mpf(10) ** -digits * max(1, abs(a), abs(b))
