"""The hockey-stick divergence of one move: the exact total of (dominated - exp(level) *
dominating)+ over all outputs.

For finite outputs a sum, for one continuous output an integral between the points of both laws and
the points where the excess changes sign.  Whatever is needed is exact and in closed form; a sign
that the context does not know ends it.

>>> from ahdp_verify.kernel.numbers.normal_form import to_expression
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name, number
>>> from ahdp_verify.search.limits import Limits
>>> from ahdp_verify.kernel.model.outputs import real
>>> s = real("s")
>>> moved = PartOfBoth("density", Dominated(exp(-Abs(s - 1)) / 2), Dominating(exp(-Abs(s)) / 2))
>>> print(to_expression(excess((moved,), (s,), number("1/2"), Context.empty(), Limits().clock())))
1 - exp(-1/4)
"""

from __future__ import annotations

from dataclasses import dataclass

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import (
    Dominated,
    DominatedInput,
    Dominating,
    DominatingInput,
    place,
)
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.integration import inside, pieces, total_on
from ahdp_verify.kernel.rules.obligations import parts, separable
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.hockey_stick import choose, crossings


@dataclass(frozen=True, slots=True)
class PartOfBoth:
    """A part of the output space with its law at both sides of an obligation."""

    text: str
    dominated: Dominated
    dominating: Dominating


Pairs = tuple[PartOfBoth, ...]


def pairs_of(mechanism: Mechanism, dominated: DominatedInput, dominating: DominatingInput) -> Pairs:
    """Every part of the output space with its laws at both sides; parts that do not change are
    left out.
    """
    if separable(mechanism):
        raise Unsupported("the outcomes are too many to be added up")
    both = [
        PartOfBoth(p.text, place(p.law, dominated), place(p.law, dominating))
        for p in parts(mechanism)
    ]
    return tuple(p for p in both if p.dominated != p.dominating)


def excess(
    listed: Pairs, outputs: tuple[Output, ...], level: Expression, here: Context, clock: Clock
) -> Ratio:
    """The sum or integral of what the dominated law exceeds exp(level) times the dominating law."""
    continuous = tuple(o for o in outputs if o.kind != "finite")
    if len(outputs) > 1 and continuous:
        raise Unsupported(
            "the divergence of more than one output that is not finite has no closed form here"
        )
    total, factor = constant(0), exp_of(normal(level, here))
    for part in listed:
        if continuous and part.text == "density":
            total = total + of_density(
                part.dominated, part.dominating, level, continuous[0], here, clock
            )
        elif choose(part.dominated, part.dominating, level, here, clock).counts == "excess":
            total = total + normal(part.dominated, here) - factor * normal(part.dominating, here)
    return total


def of_density(
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    output: Output,
    here: Context,
    clock: Clock,
) -> Ratio:
    """The part of a density: the pieces where the excess is positive, added up."""
    cuts = crossings(output, dominated, dominating, level, here)
    factor, total = exp_of(normal(level, here)), constant(0)
    for _, _, upper in pieces(len(cuts)):
        spot = inside(output.name, output.kind, cuts, upper, here)
        if choose(dominated, dominating, level, spot, clock).counts == "excess":
            p, q = (
                total_on(law, output.name, output.kind, cuts, upper, here)
                for law in (dominated, dominating)
            )
            total = total + p - factor * q
    return total
