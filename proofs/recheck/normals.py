"""Sections 6 and 14: independent normal outputs, and the probability of a half-space."""

from __future__ import annotations

from fractions import Fraction

from recheck.evidence import exponential_form
from recheck.forms import (
    NOTHING,
    UNIT,
    Form,
    atom_number,
    by_powers,
    exp_of,
    log_of,
    of_atom,
    of_name,
    reduced,
    total,
    tree_of,
)
from recheck.limits import need
from recheck.signs import Context, nonzero, positive
from recheck.trees import Tree, make, number, substitute, times
from recheck.written import Law

HALF = Fraction(1, 2)
Normals = list[tuple[Form, Form]]


def normal_laws(law: Law, here: Context) -> Normals:
    """(mean, variance) of each output of a law that is the product of such normal densities."""
    need(not law.atoms, "a normal density has no atoms")
    need(all(o.kind == "real" for o in law.outputs), "a normal density has real outputs")
    names = {o.name for o in law.outputs}
    c, rest = exponential_form(law.density, here)
    pi, top, found = of_atom("pi"), c**2, list[tuple[Form, Form]]()
    plain = rooted_whole = rooted_parts = UNIT
    for o in law.outputs:
        parts = by_powers(rest.top, atom_number("name", o.name))
        need(set(parts) <= {(0,), (1,), (2,)}, "an exponent is not quadratic in its output")
        low, slope, square = (reduced(parts.get((k,), NOTHING), dict(rest.den)) for k in (0, 1, 2))
        free = all(names.isdisjoint(r.names) for r in (slope, square)) and o.name not in low.names
        need(free, "an exponent is not quadratic in its output")
        v = positive(UNIT / nonzero(square.scaled(-2), here), here)
        plain, rooted_whole = plain * pi * v.scaled(2), rooted_whole * rooted(pi * v.scaled(2))
        rooted_parts = rooted_parts * v.scaled(2) * rooted(pi)
        top, rest = top * exp_of(slope**2 * v), low
        found.append((slope * v, v))
    top = top * exp_of(rest.scaled(2))
    need(names.isdisjoint(c.names) and names.isdisjoint(rest.names), "a density mentions an output")
    need(-1 not in here.signs(c), "a density is not known to be >= 0")
    forms = plain, rooted_whole, rooted_parts
    need(any((top * form - UNIT).is_zero for form in forms), "a law is not a normal density")
    return found


def rooted(r: Form) -> Form:
    """The square of a root, which is not multiplied out."""
    return exp_of(log_of(r).scaled(HALF)) ** 2


def share_of_normal(x: Form, here: Context) -> Form:
    """The probability that N(0, 1) is at most x."""
    root = make("^", number(2), number(-HALF))
    return (UNIT + here.form(make("erf", times(tree_of(x), root)))).scaled(HALF)


def half_space(law: Law, end: tuple[str, Tree, bool] | None, here: Context) -> Form:
    """s_i has mean m_i and variance v_i     g = s_k - end = a.s + b, linear in all outputs
    ------------------------------------------------------------------------------------
    P(g >= 0) = F((a.m + b)/sqrt(a^2.v))     the probability of everything is 1

    `end` has the output k, its end, and whether that is the lower one.
    """
    outputs = normal_laws(law, here)
    if end is None:
        return UNIT
    key, bound, lower = end
    gap = of_name(key) - here.form(bound)
    names = [o.name for o in law.outputs]

    def at(values: dict[str, int]) -> Form:
        return here.form(substitute(tree_of(gap), {n: number(v) for n, v in values.items()}))

    start = at(dict.fromkeys(names, 0))
    slopes = [at({n: int(n == other) for n in names}) - start for other in names]
    line = start + total(a * of_name(n) for a, n in zip(slopes, names, strict=True))
    need((gap - line).is_zero, "an end is not linear in the outputs")
    need(not any(r.names for r in (start, *slopes)), "an end mentions another name")
    mean = start + total(a * m for a, (m, _) in zip(slopes, outputs, strict=True))
    spread = total(a**2 * v for a, (_, v) in zip(slopes, outputs, strict=True))
    root = make("^", tree_of(positive(spread, here)), number(-HALF))
    above = share_of_normal(here.form(times(tree_of(mean), root)), here)
    return above if lower else UNIT - above
