"""Exact total of a law over one output: integrals and geometric sums of piecewise exponentials.

    here, u <= s < v |- f = sum of c exp(k s + m), f >= 0
    -----------------------------------------------------------------------------
    here |- the integral of f from u to v = sum of c exp(m) (exp(k v) - exp(k u)) / k

f          the law as a function of one output s;  u, v neighbouring points, or infinite
c, k, m    ratios free of s;  k of the sign that lets f decay at an infinite end

For an integer output the sum over u <= s < v is the same with exp(k) - 1 in place of the divisor k.
The points may be expressions in parameters, aggregates and earlier outputs; all that is assumed of
them is an order that the context knows.  On an infinite piece a law with infinitely many pieces may
repeat itself instead, as that of a staircase does (`ahdp_verify.kernel.rules.repetition`).

>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> s, a = name("s"), name("a")
>>> laplace = exp(-Abs(s - a) / 2) / 4
>>> here = Context.empty()
>>> integral(laplace, "s", "real", (normal(a, here),), here).key
'1'
"""

from __future__ import annotations

import itertools
from functools import partial

from ahdp_verify.kernel.errors import DecayNotShown, SignNotShown, Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Polynomial,
    Ratio,
    constant,
    exp_of,
    exponential_form,
    polynomial_of_monomial,
    symbol,
)
from ahdp_verify.kernel.numbers.hypotheses import (
    NONNEGATIVE,
    Context,
    check_decay,
    open_factor,
    sign_of,
    with_ratio_fact,
)
from ahdp_verify.kernel.numbers.normal_form import (
    branch_value,
    is_whole,
    message_text,
    normal,
    require_nonzero,
    signs_of,
)
from ahdp_verify.kernel.terms.expression import Expression, exp, multiply, names, number, reciprocal


def density_factors(density: Expression) -> tuple[Expression, ...]:
    """Factors whose product is the density: products and exponentials of sums are decomposed."""
    if density.head == "*":
        return tuple(f for a in density.args for f in density_factors(a))
    if density.head == "exp":
        return tuple(exp(t) for t in summands(density.args[0]))
    if density.head == "^" and density.args[1] == number(-1) and density.args[0].head == "*":
        return tuple(reciprocal(f) for f in density.args[0].args)
    return (density,)


def summands(e: Expression) -> tuple[Expression, ...]:
    """Terms with sum e: products are distributed over one sum in them."""
    if e.head == "+":
        return tuple(t for a in e.args for t in summands(a))
    if e.head == "*":
        for i, a in enumerate(e.args):
            if a.head == "+":
                return tuple(
                    u for t in a.args for u in summands(multiply(*e.args[:i], t, *e.args[i + 1 :]))
                )
    return (e,)


def factors_by_output(
    density: Expression, outputs: tuple[str, ...]
) -> tuple[Expression, tuple[Expression, ...]]:
    """(prefactor, one factor for each output) with the density as product; a factor goes to the
    last output that it mentions.
    """
    parts: list[list[Expression]] = [[] for _ in outputs]
    prefactor: list[Expression] = []
    for f in density_factors(density):
        used = names(f)
        last = next((i for i in reversed(range(len(outputs))) if outputs[i] in used), None)
        (prefactor if last is None else parts[last]).append(f)
    return multiply(*prefactor) if prefactor else number(1), tuple(
        multiply(*p) if p else number(1) for p in parts
    )


def piece_bounds(count: int) -> list[tuple[int | None, int | None, int]]:
    """The intervals between `count` neighbouring points, as (lower point, upper point, index of
    the upper point); None is an infinite end.
    """
    return [(i - 1 if i else None, i if i < count else None, i) for i in range(count + 1)]


def check_ascending(points: tuple[Ratio, ...], here: Context) -> None:
    """Nothing if the points ascend; Undecided if the context does not know it."""
    for u, v in itertools.pairwise(points):
        if not here.ratio_signs(v - u) <= {0, 1}:
            sign_of((v - u).num, here)
            for f, _ in v.den + u.den:
                sign_of(f, here)
            raise Unsupported("the points of the law were not shown to be ascending")


def piece_context(
    variable: str, kind: str, points: tuple[Ratio, ...], upper: int, here: Context
) -> Context:
    """The context of the piece below point number `upper`: the position of the output relative to
    every point, and its value if only one is left.
    """
    s = symbol(variable)
    unit = (
        kind == "integer"
        and 0 < upper < len(points)
        and (points[upper] - points[upper - 1] - constant(1)).is_zero
    )
    for j, b in enumerate(points):
        if unit and j == upper - 1:
            here = with_ratio_fact(s - b, "=", here)
            here = here if any(n == variable for n, _ in here.values) else here.fixed(variable, b)
        elif kind == "real":
            here = with_ratio_fact(s - b if j < upper else b - s, ">", here)
        else:
            here = with_ratio_fact(s - b if j < upper else b - s - constant(1), ">=", here)
            here = with_ratio_fact(s - b + constant(1) if j < upper else b - s, ">", here)
    return here


def cuts(points: tuple[Expression, ...], variable: str, here: Context) -> tuple[Ratio, ...]:
    """The points in normal form; those that mention the output are antiderivatives beside them."""
    found = tuple(normal(p, here) for p in points if variable not in names(p))
    if len(found) == len(points):
        return found
    from ahdp_verify.kernel.rules.antiderivatives import Cuts

    return Cuts(found, tuple(p for p in points if variable in names(p)))


def check_points(variable: str, kind: str, points: tuple[Ratio, ...], here: Context) -> None:
    """Nothing if the points ascend, are whole for a whole output, and neither they nor the facts
    speak of the output, so that their pieces make up all its values; Undecided or Unsupported
    otherwise.
    """
    if any(variable in algebra.polynomial_names(f.polynomial) for f in here.facts) or any(
        variable in algebra.ratio_names(b) for b in points
    ):
        raise Unsupported(f"a total over {variable} must not assume anything about {variable}")
    check_ascending(points, here)
    for b in points:
        if kind == "integer" and not is_whole(b, here):
            raise Unsupported(f"{message_text(b)} is not known to be an integer")


def integral(
    density: Expression,
    variable: str,
    kind: str,
    points: tuple[Ratio, ...],
    here: Context,
    low: int | None = None,
    high: int | None = None,
) -> Ratio:
    """The exact integral (real) or sum (integer) of a law that is shown to be nonnegative, from
    point `low` to point `high`.

    None stands for the infinite end.  Raises Undecided if a sign is missing, Unsupported for a law
    that is not piecewise exponential or is not shown to have a finite total.
    """
    check_points(variable, kind, points, here)
    total, last = constant(0), len(points) if high is None else high
    for upper in range(0 if low is None else low + 1, last + 1):
        total = total + total_on_piece(density, variable, kind, points, upper, here, positive=True)
    return total


def total_on_piece(
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
    to be nonnegative there.

    A law that is not a sum of exponentials there has another closed form, or repeats itself; see
    `ahdp_verify.kernel.rules.antiderivatives`.
    """
    place = piece_context(variable, kind, points, upper, here)
    u, v = (points[upper - 1] if upper else None), (points[upper] if upper < len(points) else None)
    law = partial(piece_law, density, variable, positive=positive)
    try:
        return exponentials_total(law(place), variable, kind, u, v, place)
    except (Undecided, Unsupported) as reason:
        from ahdp_verify.kernel.rules.antiderivatives import further_total

        def total_below(k: int) -> Ratio:
            return total_on_piece(density, variable, kind, points, k, here, positive=True)

        asked = density, variable, kind, points, upper, here
        return further_total(asked, place, law, total_below, reason)


def nonnegative_value(e: Expression, here: Context) -> Ratio:
    """The normal form of e, which is shown to be >= 0; Undecided where a sign is missing,
    SignNotShown otherwise.
    """
    r = normal(e, here)
    if here.ratio_signs(r) <= NONNEGATIVE or signs_of(e, here) <= NONNEGATIVE:
        return r
    for p in (r.num, *(f for f, _ in r.den)):
        if not here.signs(p) <= NONNEGATIVE and not here.signs(p) <= {0, -1}:
            raise Undecided(open_factor(p, here))
    raise SignNotShown(f"{message_text(r)} was not shown to be >= 0")


def piece_law(density: Expression, variable: str, place: Context, positive: bool) -> Ratio:
    """The law in the context of a piece; with `positive` it is shown to be nonnegative there."""
    law = normal(density, place)
    if positive and not place.ratio_signs(law) <= {0, 1} and not signs_of(density, place) <= {0, 1}:
        if (part := _undecided_part(density, variable, place)) is not None:
            raise Undecided(part)
        for p in (law.num, *(f for f, _ in law.den)):
            sign_of(p, place)
        raise SignNotShown(f"{message_text(law)} was not shown to be nonnegative")
    return law


def _undecided_part(e: Expression, variable: str, here: Context) -> Polynomial | None:
    """A part of a law, free of the output, whose sign is not known and on which the sign of the law
    depends; None if there is no such part.
    """
    if e.head == "piecewise":
        return _undecided_part(branch_value(e, here), variable, here)
    if variable not in names(e):
        signs = signs_of(e, here)
        return (
            None
            if len(signs) == 1 or not {-1, 1} <= signs
            else open_factor(normal(e, here).num, here)
        )
    listed = e.args if e.head in ("+", "*") else e.args[:1] if e.head == "^" else ()
    return next(
        (found for a in listed if (found := _undecided_part(a, variable, here)) is not None), None
    )


def exponentials_total(
    law: Ratio, variable: str, kind: str, u: Ratio | None, v: Ratio | None, here: Context
) -> Ratio:
    """The total of a sum of exponentials between u and v, also of powers times exponentials."""
    total = constant(0)
    for m, c in law.num.terms.items():
        rest, rate, shift = exponential_form(m, variable)
        coefficient = Ratio(polynomial_of_monomial(rest, c), law.den)
        if variable in algebra.ratio_names(coefficient):
            from ahdp_verify.kernel.rules.integration_by_parts import total_by_parts

            return total_by_parts(law, variable, kind, (u, v), here)
        total = total + coefficient * _term(rate, shift, variable, kind, u, v, here)
    return total


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
            raise DecayNotShown(f"the law was not shown to decay as {variable} tends to infinity")
        return (v - u) * exp_of(shift)
    require_nonzero(rate, here)
    check_decay(rate, variable, u, v, here)
    upper = exp_of(rate * v + shift) if v is not None else constant(0)
    lower = exp_of(rate * u + shift) if u is not None else constant(0)
    return (upper - lower) / (rate if kind == "real" else exp_of(rate) - constant(1))
