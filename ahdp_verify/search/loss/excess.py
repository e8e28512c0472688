"""The hockey-stick divergence of one move: the exact total of (dominated - exp(level) *
dominating)+ over all outputs.

For finite outputs a sum, for others an integral, one output after another, between the breakpoints
of both densities and the points where dominated - exp(level) * dominating changes sign. All values
are exact and in closed form; a sign that the context does not know ends the computation.

>>> from ahdp_verify.kernel.numbers.normal_form import to_expression
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name, number
>>> from ahdp_verify.search.limits import Limits
>>> from ahdp_verify.kernel.model.outputs import real
>>> s = real("s")
>>> moved = PartWithLaws("density", Dominated(exp(-Abs(s - 1)) / 2), Dominating(exp(-Abs(s)) / 2))
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
    substitute_nodes,
)
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.hockey_stick import compared_parts, law_here
from ahdp_verify.kernel.rules.obligations import OutputPart, is_separable
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.hockey_stick import PiecesSearch, choose_excess

DENSITY = "density"  # the text of the part that is no outcome and no atom
ATOM = "atom "  # how the text of an atom begins


@dataclass(frozen=True, slots=True)
class PartWithLaws:
    """A part of the output space with its distribution at both sides of an obligation."""

    text: str
    dominated: Dominated
    dominating: Dominating

    @property
    def is_density(self) -> bool:
        """Whether it is the law of an output that is not finite."""
        return self.text == DENSITY


PartsWithLaws = tuple[PartWithLaws, ...]


def parts_with_laws(
    mechanism: Mechanism, dominated: DominatedInput, dominating: DominatingInput, here: Context
) -> PartsWithLaws:
    """Every part of the output space with its distributions at both sides, as numbers where they
    are numbers here; parts that do not change are left out.
    """
    if is_separable(mechanism):
        raise Unsupported("there are too many outcomes to add up")
    both = [_with_laws(p, dominated, dominating, here) for p in compared_parts(mechanism)]
    return tuple(p for p in both if p.dominated != p.dominating)


def _with_laws(
    part: OutputPart, dominated: DominatedInput, dominating: DominatingInput, here: Context
) -> PartWithLaws:
    if part.text == DENSITY:
        laws = substitute_nodes(part.law, dominated), substitute_nodes(part.law, dominating)
    else:
        laws = law_here(part.law, dominated, here), law_here(part.law, dominating, here)
    return PartWithLaws(part.text, *laws)


def excess(
    listed: PartsWithLaws,
    outputs: tuple[Output, ...],
    level: Expression,
    here: Context,
    clock: Clock,
) -> Ratio:
    """The sum or integral of (dominated - exp(level) * dominating)+."""
    continuous = tuple(o for o in outputs if o.kind != "finite")
    total, factor = constant(0), exp_of(normal(level, here))
    pieces = PiecesSearch(level, clock, {})
    for part in listed:
        laws = part.dominated, part.dominating
        if continuous and not part.text.startswith(ATOM):
            total = total + pieces.of_density(continuous, laws, here).total
        elif choose_excess(*laws, level, here, clock).counts == "excess":
            total = total + normal(part.dominated, here) - factor * normal(part.dominating, here)
    return total
