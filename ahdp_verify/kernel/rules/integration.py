"""Exact total of a law over one output: integrals and geometric sums of piecewise exponentials.

Between two neighbouring points the law must be a sum of terms c * exp(k s + m), with c, k, m free
of the output s.  Then its integral is c exp(m) (exp(k v) - exp(k u)) / k, and its sum over whole
numbers u <= s < v the same with exp(k) - 1 in place of k.  The points may be expressions in
parameters, aggregates and earlier outputs; nothing is assumed of them but an order that the context
knows.  In an infinite piece a law of endlessly many pieces may repeat itself instead: f(s + P) = c
f(s), as that of a staircase does.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> s, a = name("s"), name("a")
>>> laplace = exp(-Abs(s - a) / 2) / 4
>>> here = Context.empty()
>>> integral(laplace, "s", "real", (normal(a, here),), here).key
'1'
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from ahdp_verify.kernel.errors import DecayNotShown, SignNotShown, Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Polynomial,
    Ratio,
    constant,
    exp_of,
    of_monomial,
    symbol,
)
from ahdp_verify.kernel.numbers.hypotheses import Context, open_factor, sign_of
from ahdp_verify.kernel.numbers.normal_form import (
    branch,
    is_whole,
    nonzero,
    normal,
    said,
    signs_of,
    to_expression,
    truth,
)
from ahdp_verify.kernel.terms.expression import (
    Expression,
    add,
    exp,
    multiply,
    name,
    names,
    number,
    reciprocal,
    substitute,
    transform,
    walk,
)


def factors(density: Expression) -> tuple[Expression, ...]:
    """Factors whose product is the density: products and exponentials of sums taken apart."""
    if density.head == "*":
        return tuple(f for a in density.args for f in factors(a))
    if density.head == "exp":
        return tuple(exp(t) for t in summands(density.args[0]))
    if density.head == "^" and density.args[1] == number(-1) and density.args[0].head == "*":
        return tuple(reciprocal(f) for f in density.args[0].args)
    return (density,)


def summands(e: Expression) -> tuple[Expression, ...]:
    """Terms whose sum is e, with products distributed over one sum in them."""
    if e.head == "+":
        return tuple(t for a in e.args for t in summands(a))
    if e.head == "*":
        for i, a in enumerate(e.args):
            if a.head == "+":
                return tuple(
                    u for t in a.args for u in summands(multiply(*e.args[:i], t, *e.args[i + 1 :]))
                )
    return (e,)


def grouped(
    density: Expression, outputs: tuple[str, ...]
) -> tuple[Expression, tuple[Expression, ...]]:
    """(prefactor, one factor for each output) with the density as product; a factor goes to the
    last output that it mentions.
    """
    parts: list[list[Expression]] = [[] for _ in outputs]
    prefactor: list[Expression] = []
    for f in factors(density):
        used = names(f)
        last = next((i for i in reversed(range(len(outputs))) if outputs[i] in used), None)
        (prefactor if last is None else parts[last]).append(f)
    return multiply(*prefactor) if prefactor else number(1), tuple(
        multiply(*p) if p else number(1) for p in parts
    )


def pieces(count: int) -> list[tuple[int | None, int | None, int]]:
    """The intervals between `count` neighbouring points, as (lower point, upper point, index of
    the upper point); None is an infinite end.
    """
    return [(i - 1 if i else None, i if i < count else None, i) for i in range(count + 1)]


def in_order(points: tuple[Ratio, ...], here: Context) -> None:
    """Nothing, or Undecided where the context does not know that points ascend."""
    for u, v in itertools.pairwise(points):
        if not here.ratio_signs(v - u) <= {0, 1}:
            sign_of((v - u).num, here)
            for f, _ in v.den + u.den:
                sign_of(f, here)
            raise Unsupported("it was not shown that the points of the law ascend")


def inside(
    variable: str, kind: str, points: tuple[Ratio, ...], upper: int, here: Context
) -> Context:
    """The context of the piece below point number `upper`: where the output lies with respect to
    every point, and what it is if only one is left.
    """
    s = symbol(variable)
    unit = (
        kind == "integer"
        and 0 < upper < len(points)
        and (points[upper] - points[upper - 1] - constant(1)).is_zero
    )
    for j, b in enumerate(points):
        if unit and j == upper - 1:
            here = _fact(s - b, "=", here)
            here = here if any(n == variable for n, _ in here.values) else here.fixed(variable, b)
        elif kind == "real":
            here = _fact(s - b if j < upper else b - s, ">", here)
        else:
            here = _fact(s - b if j < upper else b - s - constant(1), ">=", here)
            here = _fact(s - b + constant(1) if j < upper else b - s, ">", here)
    return here


def _fact(r: Ratio, relation: str, here: Context) -> Context:
    direction = 1
    for f, k in r.den:
        direction *= sign_of(f, here) ** k
    return here.given(r.num if direction > 0 else -r.num, relation)


def integral(
    density: Expression,
    variable: str,
    kind: str,
    points: tuple[Ratio, ...],
    here: Context,
    low: int | None = None,
    high: int | None = None,
) -> Ratio:
    """The exact integral (real) or sum (integer) of a law that is shown to be nowhere negative,
    from point `low` to point `high`.

    None stands for the infinite end.  Raises Undecided where a sign is missing, Unsupported for a
    law that is not piecewise exponential or is not shown to have a finite total.
    """
    if any(variable in algebra.polynomial_names(f.polynomial) for f in here.facts) or any(
        variable in algebra.ratio_names(b) for b in points
    ):
        raise Unsupported(f"a total over {variable} cannot assume anything about it")
    in_order(points, here)
    if kind == "integer":
        _whole_points(points, here)
    total = constant(0)
    for i, j, upper in pieces(len(points)):
        if (low is not None and (i is None or i < low)) or (
            high is not None and (j is None or j > high)
        ):
            continue
        total = total + total_on(density, variable, kind, points, upper, here, positive=True)
    return total


def total_on(
    density: Expression,
    variable: str,
    kind: str,
    points: tuple[Ratio, ...],
    upper: int,
    here: Context,
    *,
    positive: bool = False,
) -> Ratio:
    """The total of a law on the piece below point number `upper`; with `positive` the law is shown
    to be nowhere negative there.

    In an infinite piece a law that is not a sum of exponentials has to repeat itself, see
    `repeated`.
    """
    try:
        return _simple_total(density, variable, kind, points, upper, here, positive)
    except (Undecided, Unsupported) as reason:
        found = (
            repeated(density, variable, kind, points, upper, here)
            if len(points) > 1 and upper in (0, len(points))
            else None
        )
        if found is None:
            raise reason from None
        return found


def _simple_total(
    density: Expression,
    variable: str,
    kind: str,
    points: tuple[Ratio, ...],
    upper: int,
    here: Context,
    positive: bool,
) -> Ratio:
    place = inside(variable, kind, points, upper, here)
    law = normal(density, place)
    if positive and not place.ratio_signs(law) <= {0, 1} and not signs_of(density, place) <= {0, 1}:
        if (part := open_part(density, variable, place)) is not None:
            raise Undecided(part)
        for p in (law.num, *(f for f, _ in law.den)):
            sign_of(p, place)
        raise SignNotShown(f"that {said(law)} is nowhere negative was not shown")
    u, v = (points[upper - 1] if upper else None), (points[upper] if upper < len(points) else None)
    return piece_total(law, variable, kind, u, v, place)


def open_part(e: Expression, variable: str, here: Context) -> Polynomial | None:
    """What stands in a law, free of the output, and has no known sign, so that the sign of the
    law hangs on it; None if there is no such part.
    """
    if e.head == "piecewise":
        return open_part(branch(e, here), variable, here)
    if variable not in names(e):
        signs = signs_of(e, here)
        return (
            None
            if len(signs) == 1 or not {-1, 1} <= signs
            else open_factor(normal(e, here).num, here)
        )
    listed = e.args if e.head in ("+", "*") else e.args[:1] if e.head == "^" else ()
    return next(
        (found for a in listed if (found := open_part(a, variable, here)) is not None), None
    )


def repeated(
    density: Expression,
    variable: str,
    kind: str,
    points: tuple[Ratio, ...],
    upper: int,
    here: Context,
) -> Ratio | None:
    """The total of a law beyond the last (before the first) point, where it repeats itself: f(s +
    P) = c f(s), 0 <= c < 1, from another point on.

    P > 0 is the distance of the two points and c is free of s.  What lies beyond is then c + c^2 +
    ... times the total between them.  None where no point serves, Undecided where one may serve
    once a sign is known.
    """
    last, missing = len(points) - 1, None
    for i in reversed(range(last)) if upper else range(1, last + 1):
        ends = (i, last) if upper else (0, i)
        period = points[ends[1]] - points[ends[0]]
        if here.ratio_signs(period) != {1}:
            continue
        place = here
        for j, b in enumerate(points):
            if j <= i if upper else j >= i:
                s = symbol(variable) - b
                place = _fact(
                    s if upper else -s, ">=" if kind == "integer" and upper else ">", place
                )
        try:
            factor = shift_factor(density, variable, period if upper else -period, place)
            if factor is not None and shrinks(factor, here):
                parts = (
                    total_on(density, variable, kind, points, k, here, positive=True)
                    for k in range(ends[0] + 1, ends[1] + 1)
                )
                return sum(parts, constant(0)) * factor / (constant(1) - factor)
        except Undecided as reason:
            missing = (
                missing
                if isinstance(reason.guard, Polynomial)
                and variable in algebra.polynomial_names(reason.guard)
                else missing or reason
            )
        except (Unsupported, ZeroDivisionError):
            continue
    if missing is not None:
        raise missing
    return None


def shrinks(factor: Ratio, here: Context) -> bool:
    """True only if 0 <= factor < 1 here."""
    if factor.is_zero:
        return True
    if here.ratio_signs(factor) != {1}:
        return False
    return here.ratio_signs(algebra.log_of(factor)) == {-1} or here.ratio_signs(
        constant(1) - factor
    ) == {1}


def shift_factor(density: Expression, variable: str, period: Ratio, here: Context) -> Ratio | None:
    """The c, free of the variable, with f(variable + period) = c f(variable) here; None where
    there is none, or none was found.
    """
    moved = {variable: add(name(variable), to_expression(period))}
    factor: Ratio | None = None
    for law in choices(density, moved, here):
        value, after = normal(law, here), normal(substitute(law, moved), here)
        if value.is_zero and after.is_zero:
            continue
        if value.is_zero:
            return None
        ratio = after / value
        if (
            variable in algebra.ratio_names(ratio)
            or not (after - ratio * value).is_zero
            or (factor is not None and not (ratio - factor).is_zero)
        ):
            return None
        factor = ratio
    return constant(0) if factor is None else factor


def choices(
    law: Expression, moved: Mapping[str, Expression], here: Context
) -> Iterator[Expression]:
    """The laws that f can be where a condition in it is not decided, each with the same branch
    before and after the move.

    Such a condition must compare the same quantity after the move as before; Unsupported otherwise.
    """
    for node in walk(law):
        if node.head == "piecewise" and not names(node).isdisjoint(moved):
            for branch in branches(node, moved, here):
                yield from choices(transform(law, {node: branch}.get), moved, here)
            return
    yield law


def branches(node: Expression, moved: Mapping[str, Expression], here: Context) -> list[Expression]:
    """The values that a piecewise node can have here, none of which is another after the move."""
    found: list[Expression] = []
    for value, condition in zip(node.args[::2], node.args[1::2], strict=True):
        known = [_known_truth(c, here) for c in (condition, substitute(condition, moved))]
        if known == [True, True]:
            return [*found, value]
        if known == [False, False]:
            continue
        if None not in known or not unmoved(condition, moved, here):
            raise Unsupported(f"{condition} may change with a shift")
        found.append(value)
    raise Unsupported("no branch of a piecewise expression holds here")


def _known_truth(condition: Expression, here: Context) -> bool | None:
    try:
        return truth(condition, here)
    except Undecided:
        return None


def unmoved(condition: Expression, moved: Mapping[str, Expression], here: Context) -> bool:
    """True only if a condition compares the same quantities after the move as before."""
    if condition.head in ("and", "or", "not"):
        return all(unmoved(part, moved, here) for part in condition.args)
    if names(condition).isdisjoint(moved):
        return True
    if condition.head not in ("==", "!=", "<", "<="):
        return False
    gap = condition.args[0] - condition.args[1]
    return (normal(substitute(gap, moved), here) - normal(gap, here)).is_zero


def _whole_points(points: tuple[Ratio, ...], here: Context) -> None:
    for b in points:
        if not is_whole(b, here):
            raise Unsupported(f"{said(b)} is not known to be a whole number")


def piece_total(
    law: Ratio, variable: str, kind: str, u: Ratio | None, v: Ratio | None, here: Context
) -> Ratio:
    """The total of a sum of exponentials between u and v."""
    total = constant(0)
    for m, c in law.num.terms.items():
        rest, rate, shift = exponential(m, variable)
        coefficient = Ratio(of_monomial(rest, c), law.den)
        if variable in algebra.ratio_names(coefficient):
            raise Unsupported(
                f"between its points the law was not found to be a sum of exponentials in "
                f"{variable}"
            )
        total = total + coefficient * _term(rate, shift, variable, kind, u, v, here)
    return total


def exponential(m: Monomial, variable: str) -> tuple[Monomial, Ratio, Ratio]:
    """(rest, k, b) with m = rest * exp(k * variable + b); Unsupported if an exponent is not
    linear.
    """
    rest, exponent = [], constant(0)
    for a, e in m:
        if a.kind == "exp" and variable in algebra.names_of(a):
            mono, den = a.payload
            exponent = exponent + Ratio(of_monomial(mono, e), den)
        else:
            rest.append((a, e))
    split = algebra.linear(exponent.num, variable)
    if split is None or any(variable in algebra.polynomial_names(f) for f, _ in exponent.den):
        raise Unsupported(f"an exponent was not found to be linear in {variable}")
    return tuple(rest), Ratio(split[0], exponent.den), Ratio(split[1], exponent.den)


def _term(
    rate: Ratio,
    shift: Ratio,
    variable: str,
    kind: str,
    u: Ratio | None,
    v: Ratio | None,
    here: Context,
) -> Ratio:
    if rate.is_zero:
        if u is None or v is None:
            raise DecayNotShown(
                f"that the law decays as {variable} grows beyond all bounds was not shown"
            )
        return (v - u) * exp_of(shift)
    nonzero(rate, here)
    decays(rate, variable, u, v, here)
    upper = exp_of(rate * v + shift) if v is not None else constant(0)
    lower = exp_of(rate * u + shift) if u is not None else constant(0)
    return (upper - lower) / (rate if kind == "real" else exp_of(rate) - constant(1))


def decays(rate: Ratio, variable: str, u: Ratio | None, v: Ratio | None, here: Context) -> None:
    """Nothing if exp(rate s) vanishes at the ends that are infinite; Undecided or DecayNotShown
    otherwise.
    """
    for end, wanted in ((u, 1), (v, -1)):
        if end is None and here.ratio_signs(rate) != {wanted}:
            sign_of(rate.num, here)
            for f, _ in rate.den:
                sign_of(f, here)
            raise DecayNotShown(
                f"that the law decays as {variable} grows beyond all bounds was not shown"
            )
