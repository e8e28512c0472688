"""The hockey-stick divergence of one move: the exact total of (p' - exp(level) p)+ over all outputs.

For finite outputs a sum, for one continuous output an integral between the points of both laws and the points where the excess changes
sign.  Whatever is needed is exact and in closed form; a sign that the context does not know ends it.

>>> from ahdp_verify.context import to_expression
>>> from ahdp_verify.expression import Abs, exp, name, number
>>> from ahdp_verify.limits import Limits
>>> from ahdp_verify.mechanism import real
>>> s = real("s")
>>> laws = (Part("density", exp(-Abs(s)) / 2), Part("density", exp(-Abs(s - 1)) / 2))
>>> print(to_expression(excess((laws,), (s,), number("1/2"), Context.empty(), Limits().clock())))
1 - exp(-1/4)
"""

from __future__ import annotations

from ahdp_verify.algebra import Ratio, constant, exp_of
from ahdp_verify.context import Context, normal
from ahdp_verify.decide.divergence import choose, crossings
from ahdp_verify.errors import Unsupported
from ahdp_verify.expression import Expression
from ahdp_verify.integrate import inside, pieces, total_on
from ahdp_verify.limits import Clock
from ahdp_verify.mechanism import Mechanism, Output
from ahdp_verify.privacy import Part, parts, separable
from ahdp_verify.relation import Nodes, place

Pairs = tuple[tuple[Part, Part], ...]


def pairs_of(mechanism: Mechanism, before: Nodes, after: Nodes) -> Pairs:
    """Every part of the output space with its law before and after a move; parts that do not change are left out."""
    if separable(mechanism):
        raise Unsupported("the outcomes are too many to be added up")
    both = [(Part(p.text, place(p.law, before)), Part(p.text, place(p.law, after))) for p in parts(mechanism)]
    return tuple((a, b) for a, b in both if a.law != b.law)


def excess(listed: Pairs, outputs: tuple[Output, ...], level: Expression, here: Context, clock: Clock) -> Ratio:
    """The sum or integral of what the law after a move exceeds exp(level) times the law before."""
    continuous = tuple(o for o in outputs if o.kind != "finite")
    if len(outputs) > 1 and continuous:
        raise Unsupported("the divergence of more than one output that is not finite has no closed form here")
    total, factor = constant(0), exp_of(normal(level, here))
    for before, after in listed:
        if continuous and before.text == "density":
            total = total + of_density(before.law, after.law, level, continuous[0], here, clock)
        elif choose(before.law, after.law, level, here, clock).counts == "excess":
            total = total + normal(after.law, here) - factor * normal(before.law, here)
    return total


def of_density(before: Expression, after: Expression, level: Expression, output: Output, here: Context, clock: Clock) -> Ratio:
    """The part of a density: the pieces where the excess is positive, added up."""
    cuts = crossings(output, before, after, level, here)
    factor, total = exp_of(normal(level, here)), constant(0)
    for _, _, upper in pieces(len(cuts)):
        spot = inside(output.name, output.kind, cuts, upper, here)
        if choose(before, after, level, spot, clock).counts == "excess":
            p, q = (total_on(law, output.name, output.kind, cuts, upper, here) for law in (after, before))
            total = total + p - factor * q
    return total
