"""Linear values: sums of integer arrays times constants over one denominator, exact, with a bound
on every array.

Anything that might exceed 62 bits is refused.  A sign that floats with a proven error bound do not
decide is decided by `ahdp_verify.kernel.numbers.ball`, once for each distinct combination of
entries.

>>> third = linear_of_constant(constant(Fraction(1, 3)))
>>> total = add_linear(third, linear_of_array(np.array([[1, -2]])))
>>> total.parts["1"].column.tolist(), total.den, linear_signs(total).tolist()
([[4, -5]], 3, [[1, -1]])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.exhaustive.arrays import (
    Array,
    approximate_float,
    column_bound,
    distinct_rows,
    guard_overflow,
    np,
)
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, polynomial_of_monomial
from ahdp_verify.kernel.numbers.ball import constant_sign

UNIT = "1"  # the key of the base 1


@dataclass(frozen=True, slots=True)
class LinearPart:
    """`column` times the constant `base`; no entry of the column is larger in size than
    `column_bound`.
    """

    base: Ratio
    column: Array
    bound: int


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of the parts, divided by `den` > 0; the key of a part is the canonical text of its
    base.
    """

    parts: Mapping[str, LinearPart]
    den: int = 1

    @property
    def is_rational(self) -> bool:
        """Whether every value is a rational number."""
        return set(self.parts) <= {UNIT}

    def mapped(
        self,
        change: Callable[[Array], Array],
        bound: Callable[[int], int] = int,
        den: int | None = None,
    ) -> Linear:
        """The value with changed columns, and so with other bounds, over another denominator."""
        parts = {
            key: LinearPart(p.base, change(p.column), guard_overflow(bound(p.bound)))
            for key, p in self.parts.items()
        }
        return Linear(parts, self.den if den is None else den)


def linear_of_constant(r: Ratio) -> Linear:
    """A constant as a linear value, one base for each of its terms."""
    den = guard_overflow(math.lcm(*(c.denominator for c in r.num.terms.values())))
    parts = {}
    for m, c in r.num.terms.items():
        base, whole = Ratio(polynomial_of_monomial(m), r.den), int(c * den)
        parts[base.key] = LinearPart(
            base, bound=guard_overflow(abs(whole)), column=np.array([[whole]], dtype=np.int64)
        )
    return Linear(parts, den)


def linear_of_array(column: Array, den: int = 1) -> Linear:
    """An array of integers, over a denominator."""
    return Linear(
        {
            UNIT: LinearPart(
                constant(1), column.astype(np.int64), guard_overflow(column_bound(column))
            )
        },
        den,
    )


def scale_linear(a: Linear, k: int) -> Linear:
    """a times an integer."""
    if k == 1:
        return a
    guard_overflow(abs(k))
    return a.mapped(lambda column: column * np.int64(k), lambda most: most * abs(k))


def _common_denominator(a: Linear, b: Linear) -> tuple[Linear, Linear]:
    """The same two values over one denominator."""
    if a.den == b.den:
        return a, b
    den = guard_overflow(math.lcm(a.den, b.den))
    return Linear(scale_linear(a, guard_overflow(den // a.den)).parts, den), Linear(
        scale_linear(b, guard_overflow(den // b.den)).parts, den
    )


def add_linear(a: Linear, b: Linear) -> Linear:
    """a + b."""
    a, b = _common_denominator(a, b)
    parts = dict(a.parts)
    for key, p in b.parts.items():
        if (mine := parts.get(key)) is not None:
            bound = guard_overflow(mine.bound + p.bound)
            p = LinearPart(p.base, mine.column + p.column, bound)
        parts[key] = p
    return Linear(parts, a.den)


def subtract_linear(a: Linear, b: Linear) -> Linear:
    """a - b."""
    return add_linear(a, scale_linear(b, -1))


def multiply_linear(a: Linear, b: Linear) -> Linear:
    """a * b; a product of two bases is a constant, which is decomposed again."""
    result = Linear({}, 1)
    for p in a.parts.values():
        for q in b.parts.values():
            factor = linear_of_constant(p.base * q.base)
            bound = guard_overflow(p.bound * q.bound)
            piece = {
                k: LinearPart(
                    f.base, p.column * (q.column * f.column), guard_overflow(bound * f.bound)
                )
                for k, f in factor.parts.items()
            }
            result = add_linear(result, Linear(piece, factor.den))
    return Linear(result.parts, guard_overflow(result.den * a.den * b.den))


def select_linear(where: Array, a: Linear, b: Linear) -> Linear:
    """a where a condition holds, b elsewhere."""
    a, b = _common_denominator(a, b)
    parts = {}
    for key in {**a.parts, **b.parts}:
        p, q = a.parts.get(key), b.parts.get(key)
        base = (p or q or LinearPart(constant(0), 0, 0)).base
        column = np.where(where, p.column if p else np.int64(0), q.column if q else np.int64(0))
        parts[key] = LinearPart(base, column, max(p.bound if p else 0, q.bound if q else 0))
    return Linear(parts, a.den)


def linear_signs(a: Linear) -> Array:
    """The sign of every value, -1, 0 or 1.

    Bases are floats within 2^-52 of themselves, they are divided by the denominator, entries are
    converted and multiplied, each with one rounding, and k products are added with at most k - 1
    roundings: the error is below (k + 4) 2^-52 times the sum of the bounds.  Below 2^-1022, where
    floats lose precision, each rounding has an error of 2^-1075 instead, multiplied by the entries.
    Values no larger than the error are decided exactly.
    """
    if a.is_rational:
        return np.sign(a.parts[UNIT].column) if a.parts else np.zeros((1, 1), dtype=np.int64)
    value, size = approximate_linear(a)
    error = (len(a.parts) + 8) * 2.0**-51 * size + sum(
        p.bound + 4 for p in a.parts.values()
    ) * 2.0**-1070
    if not np.isfinite(error):
        raise Unsupported("numbers that are too large for floats")
    result = np.where(value > error, 1, np.where(value < -error, -1, 0)).astype(np.int64)
    unclear = np.abs(value) <= error
    if unclear.any():
        columns = [np.broadcast_to(p.column, value.shape)[unclear] for p in a.parts.values()]
        first, inverse = distinct_rows(columns)
        exact = [constant_sign(linear_entry(a, [int(c[i]) for c in columns])) for i in first]
        if None in exact:
            raise Unsupported("a comparison of constants that could not be decided")
        result[unclear] = np.array(exact, dtype=np.int64)[inverse]
    return result


def approximate_linear(a: Linear) -> tuple[Array, float]:
    """Floats near a, and a bound on the sum of the sizes of the terms."""
    terms, size = [], 0.0
    for p in a.parts.values():
        base = approximate_float(p.base) / float(a.den)
        terms.append(base * p.column)
        size += abs(base) * p.bound * (1 + 2.0**-40)
    return sum(terms[1:], terms[0]) if terms else np.zeros((1, 1)), size


def linear_entry(a: Linear, entries: Sequence[int]) -> Ratio:
    """The value of a at one place, from the entries of its columns there."""
    terms = zip(a.parts.values(), entries, strict=True)
    return sum((p.base.scale(Fraction(entry, a.den)) for p, entry in terms), constant(0))
