"""Where a function of one parameter vanishes or changes its sign: with an exact form if it has one,
else between two rational numbers.

A function that is a polynomial in the parameter and its exponential, once logarithms are undone and
absolute values have a sign, has all its roots isolated (`search.proving.one_variable`). Any other
is given to SymPy for roots in closed form, and searched for changes of sign on a grid, each sign
decided by a rigorous ball; that may miss roots. What is true between them is decided by the
checker.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> clock = Limits().clock()
>>> e = parse("exp(2*e) - exp(e) - 1", "e")
>>> print(roots_in_interval(e, "e", RealInterval(number(0)), clock)[0].exact)
log(sqrt(5)/2 + 1/2)
>>> r = roots_in_interval(parse("exp(e) - 2 - e", "e"), "e", RealInterval(number(0)), clock)[0]
>>> r.exact, r.low < Fraction("1.14619322062059") < r.high
(None, True)
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, partial

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.neighbours import parameter_context
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Polynomial,
    Ratio,
    constant,
    exp_of,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    Expression,
    log,
    multiply,
    negative,
    number,
    sqrt,
    substitute,
    transform,
    walk,
)
from ahdp_verify.search.intervals import EMPTY, MISSING, RealInterval, compare_constants
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.loss.largest import with_opaque_logarithms
from ahdp_verify.search.proving import root_isolation as isolate
from ahdp_verify.search.proving.one_variable import sign_pattern
from ahdp_verify.search.proving.sign_queries import answer_with_signs
from ahdp_verify.search.simplify import shortest_form

BRANCHES = 32  # most choices of signs of absolute values
GRID = 48  # points between which a change of sign is searched for
# width of the enclosure of a root without an exact form, relative to its size above 1
WIDTH = Fraction(1, 10**13)
BITS = 256
SPLIT = ("abs", "max", "min", "piecewise")
# largest degree that is factored; python-flint cannot be interrupted, and takes minutes for some
# thousands
STEEP = 400
PLACES = 44  # bits to which a root without a closed form is isolated
TINY = Fraction(1, 1 << 128)


@dataclass(frozen=True, slots=True)
class ParameterRoot:
    """A number between `low` and `high`, known exactly or not."""

    low: Fraction
    high: Fraction
    exact: Expression | None = None


def sign_at_constant(e: Expression, parameter: str, value: Expression) -> int | None:
    """The sign of a function at a constant; None where it has no value there, or its sign is not
    found.
    """
    try:
        return constant_sign(normal(substitute(e, {parameter: value}), EMPTY))
    except MISSING:
        return None


def roots_in_interval(
    e: Expression, parameter: str, where: RealInterval, clock: Clock
) -> tuple[ParameterRoot, ...]:
    """The roots inside the interval, in order."""
    isolated = all_roots_in_interval(e, parameter, where, clock)
    if isolated is not None:
        return isolated
    exact = list(closed_form_roots(e, parameter, where, clock))
    spots = probe_points(where, exact)
    found = [ParameterRoot(*enclose(normal(x, EMPTY), BITS), x) for x in exact]
    signs = [sign_at_constant(e, parameter, number(x)) for x in spots]
    for (a, s), (b, t) in itertools.pairwise(
        (x, s) for x, s in zip(spots, signs, strict=True) if s
    ):
        clock.check("looking for the roots of a function")
        if s != t and not any(a < r.high and r.low < b for r in found):
            found.append(bisect_sign_change(e, parameter, (a, b), s))
    return tuple(sorted(found, key=lambda r: r.low))


def all_roots_in_interval(
    e: Expression, parameter: str, where: RealInterval, clock: Clock
) -> tuple[ParameterRoot, ...] | None:
    """All roots inside the interval; None if a branch of the function is not an exponential
    polynomial, or the interval has no lower end.
    """
    if where.low is None:
        return None
    here, found = (
        parameter_context(((parameter, where.condition(parameter)),)),
        dict[tuple[Fraction, Fraction], ParameterRoot](),
    )
    for branch in function_branches(e):
        try:
            p = answer_with_signs(here, clock, partial(numerator, branch))[1]
            if exponential_degree(p) > STEEP:
                return None
            shape = sign_pattern(p, here, clock) if algebra.polynomial_names(p) else None
        except MISSING:
            return None
        if isinstance(shape, Declined):
            return None
        for r in shape.roots if shape is not None else ():
            root = confirmed_root(e, parameter, r, clock)
            if root is not None and not any(
                root.low <= k.high and k.low <= root.high for k in found.values()
            ):
                found[root.low, root.high] = root
    return tuple(sorted(found.values(), key=lambda r: r.low))


def exponential_degree(p: Polynomial) -> int:
    """The largest degree of p as a polynomial in its names and in one power of each of its
    exponentials.
    """
    exponents: dict[algebra.Atom, set[Fraction]] = {}
    for m in p.terms:
        for a, e in m.powers:
            if a.kind in ("exp", "name"):
                exponents.setdefault(a, {Fraction(0)}).add(Fraction(e))
    found = [0]
    for used in exponents.values():
        unit = Fraction(1, math.lcm(*(e.denominator for e in used)))
        found.append(int((max(used) - min(used)) / unit))
    return max(found)


def numerator(e: Expression, here: Context) -> Polynomial:
    """A polynomial with the zeros of e: that of exp(k e) - 1 if logarithms stand in e, k such
    that all of them are undone.
    """
    if not any(n.head == "log" for n in walk(e)):
        return normal(e, here).num
    apart = normal(with_opaque_logarithms(e), here)
    logs = {
        f"log_{hashlib.sha256(str(n).encode()).hexdigest()}": n.args[0]
        for n in walk(e)
        if n.head == "log"
    }
    terms = [
        (c, logs[m.single.payload])
        for m, c in apart.num.terms.items()
        if m.single is not None and m.single.payload in logs
    ]
    rest = Polynomial(
        {
            m: c
            for m, c in apart.num.terms.items()
            if not algebra.polynomial_names(polynomial_of_monomial(m)) & logs.keys()
        }
    )
    if apart.den or len(terms) + len(rest.terms) < len(apart.num.terms):
        raise Unsupported("a logarithm inside a product or quotient")
    k = math.lcm(*(c.denominator for c, _ in terms))
    total = exp_of(Ratio(rest.scale(k)))
    for c, inside in terms:
        total = total * normal(inside, here) ** int(c * k)
    return (total - constant(1)).num


def confirmed_root(
    e: Expression, parameter: str, r: isolate.IsolatedRoot, clock: Clock
) -> ParameterRoot | None:
    """A root of a branch as one of the whole function; None if it is not a root of it."""
    if r.exact is not None:
        x = tidy_constant(shortest_form(to_expression(r.exact), EMPTY))
        return ParameterRoot(*enclose(r.exact, BITS), x) if is_zero_at(e, parameter, x) else None
    fine = isolate.refine_root(r, PLACES, clock)
    signs = [sign_at_constant(e, parameter, number(x)) for x in (fine.low, fine.high)]
    return ParameterRoot(fine.low, fine.high) if signs[0] != signs[1] else None


def tidy_constant(x: Expression) -> Expression:
    """A constant with short divisors and one root for a product of roots, and c log(u) for -c
    log(1/u), c > 0, where 1/u has a form without a divisor.
    """
    x = _one_root(transform(x, _short_divisor))
    c, node = (
        (x.args[0], x.args[1])
        if x.head == "*" and len(x.args) == 2 and x.args[0].head == "number"
        else (number(1), x)
    )
    if node.head != "log" or c.args[0] >= 0:
        return x
    from ahdp_verify.search.loss.radicals import FAILURES, rational_inverse  # noqa: PLC0415 - SymPy is slow

    try:
        u = rational_inverse(node.args[0])
        return (
            multiply(negative(c), log(u))
            if (normal(u, EMPTY) * normal(node.args[0], EMPTY) - constant(1)).is_zero
            else x
        )
    except FAILURES:
        return x


def _one_root(x: Expression) -> Expression:
    """sqrt(v) for a constant whose square is the rational v, where that is shorter."""
    r = normal(x, EMPTY)
    square = (r * r).as_rational
    root = sqrt(number(square)) if square is not None and constant_sign(r) == 1 else x
    return root if len(str(root)) < len(str(x)) else x


def _short_divisor(e: Expression) -> Expression | None:
    below = e.head == "^" and e.args[1].head == "number" and e.args[1].args[0] < 0
    return Expression("^", (shortest_form(e.args[0], EMPTY), e.args[1])) if below else None


def bisect_sign_change(
    e: Expression, parameter: str, ends: tuple[Fraction, Fraction], below: int
) -> ParameterRoot:
    """The change of sign between two ends, the first of which has the sign `below`."""
    low, high = ends
    while high - low > WIDTH * max(Fraction(1), abs(low)):
        middle = (low + high) / 2
        middle = (
            middle.limit_denominator(1 << 64) if middle.denominator.bit_length() > 64 else middle
        )
        s = sign_at_constant(e, parameter, number(middle))
        if s == 0:
            return ParameterRoot(middle, middle, number(middle))
        if s is None:
            break
        low, high = (middle, high) if s == below else (low, middle)
    return ParameterRoot(low, high)


def probe_points(where: RealInterval, exact: list[Expression]) -> list[Fraction]:
    """Rational numbers in the interval in ascending order, some on each side of every exact
    root, close to the ends and far out.
    """
    low, high = where.bounds
    spots = sorted(enclose(normal(x, EMPTY), BITS) for x in exact)
    inner = set(probe_grid(low, high))
    for a, b in itertools.pairwise([(low, low), *spots, (high, high)]):
        between = (
            None
            if a[1] is None or b[0] is None
            else RealInterval(number(a[1]), number(b[0])).simplest
        )
        inner |= set() if between is None else {between}
    allowed = (x for x in inner if (low is None or x > low) and (high is None or x < high))
    return sorted(x for x in allowed if not any(a <= x <= b for a, b in spots))


def probe_grid(low: Fraction | None, high: Fraction | None) -> Iterator[Fraction]:
    """Numbers between two ends, closer together at an end, further apart far out."""
    steps = [Fraction(2) ** k for k in range(-20, 21)]
    if low is not None and high is not None:
        yield from (low + (high - low) * Fraction(i, GRID) for i in range(1, GRID))
        yield from (
            x
            for s in steps
            if s < 1
            for x in (low + (high - low) * s / 16, high - (high - low) * s / 16)
        )
        return
    start, directions = (
        (low, (1,))
        if low is not None
        else (high, (-1,))
        if high is not None
        else (Fraction(0), (1, -1))
    )
    yield from (
        start + d * s * f for s in steps for d in directions for f in (Fraction(1), Fraction(4, 3))
    )


def closed_form_roots(
    e: Expression, parameter: str, where: RealInterval, clock: Clock
) -> Iterator[Expression]:
    """The roots inside the interval that have a closed form, each once, in order."""
    from ahdp_verify.search.loss.radicals import FAILURES, root_forms  # noqa: PLC0415 - SymPy is slow

    found: list[Expression] = []
    for branch in function_branches(e):
        clock.check("looking for the roots of a function")
        for x in (*linear_roots(branch, parameter, where), *root_forms(branch, parameter)):
            try:
                if (
                    where.contains(x)
                    and is_zero_at(e, parameter, x)
                    and all(compare_constants(x, y) for y in found)
                ):
                    found.append(tidy_constant(shortest_form(x, EMPTY)))
            except FAILURES:
                continue
    yield from sorted(found, key=cmp_to_key(compare_constants))


def linear_roots(e: Expression, parameter: str, where: RealInterval) -> tuple[Expression, ...]:
    """The root of a function whose numerator is linear in the parameter, its coefficients constants
    such as log(2).
    """
    here = parameter_context(((parameter, where.condition(parameter)),))
    try:
        split = algebra.linear_coefficients(normal(e, here).num, parameter)
    except MISSING:
        return ()
    if split is None or any(map(algebra.polynomial_names, split)) or not split[0].terms:
        return ()
    return (to_expression(-Ratio(split[1]) / Ratio(split[0])),)


def is_zero_at(e: Expression, parameter: str, x: Expression) -> bool:
    """True if the function is 0 at x, or so close to it that a ball of 256 bits cannot separate
    them.
    """
    r = normal(substitute(e, {parameter: x}), EMPTY)
    if r.is_zero:
        return True
    low, high = enclose(r, BITS)
    return low <= 0 <= high or max(abs(low), abs(high)) < TINY


def function_branches(e: Expression) -> list[Expression]:
    """The expressions that e can be: each absolute value with either sign, each extreme one of
    its arguments, each choice one of its values.
    """
    node = next(
        (
            n
            for n in walk(e)
            if n.head in SPLIT and not any(m.head in SPLIT for a in n.args for m in walk(a))
        ),
        None,
    )
    if node is None:
        return [e]
    ways = (
        (node.args[0], negative(node.args[0]))
        if node.head == "abs"
        else node.args[::2]
        if node.head == "piecewise"
        else node.args
    )
    found = [b for way in ways for b in function_branches(transform(e, {node: way}.get))]
    return list(dict.fromkeys(found))[:BRANCHES]


def simple_samples(where: RealInterval, cuts: tuple[ParameterRoot, ...]) -> Iterator[Fraction]:
    """The simplest rational number of every gap between the roots in an interval."""
    ends = [where.low, *(number(x) for r in cuts for x in (r.low, r.high)), where.high]
    for a, b in zip(ends[::2], ends[1::2], strict=True):
        gap = RealInterval(a, b)
        if (
            not gap.is_empty
            and (found := gap.simplest) is not None
            and where.contains(number(found))
        ):
            yield found
