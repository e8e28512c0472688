"""Lines about noise whose density falls off with the distance from a point, in two or three
outputs.

The total is a product in polar coordinates, a comparison the triangle inequality, and the
probability of a box is bounded by its volume times the density at its nearest and its farthest
point.

>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> plane, w = (real("s"), real("t")), LineWriter()
>>> explain_radial_total(parse("exp(-sqrt((s - 1)^2 + t^2))/(2*pi)"), plane, EMPTY, Teller(w))
>>> print(*(line.text for line in w.done))
the law is 1/pi/2 * exp(-1 * the distance of (s, t) from (1, 0)), so its total is 1
"""

from __future__ import annotations

from ahdp_verify.explanation.evidence import explain_lemmas, explain_requirement
from ahdp_verify.explanation.numbered_lines import LinePiece, LineWriter
from ahdp_verify.explanation.teller import Facts, Teller
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import InequalityLeaf
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.obligations import Task
from ahdp_verify.kernel.rules.radial import (
    RadialLaw,
    radial_excess,
    radial_law,
    radial_total,
    share_of_box,
)
from ahdp_verify.kernel.terms.expression import Expression

EMPTY = Context.empty()
VOLUMES = {2: ("polar coordinates", "2*pi/k^2"), 3: ("spherical coordinates", "8*pi/k^3")}


def explain_radial_total(
    law: Expression, outputs: tuple[Output, ...], here: Context, teller: Teller
) -> None:
    """One line: the law is a multiple of exp(-k r), and its total is 1."""
    found, total = radial_law(law, outputs, here), radial_total(law, outputs, here)
    how, volume = VOLUMES[len(outputs)]
    teller.tell(
        f"in {how} the integral of exp(-k*distance) is {volume}",
        "the law is ",
        *in_words(found, outputs, teller),
        ", so its total is ",
        teller.ratio(total),
    )


def in_words(found: RadialLaw, outputs: tuple[Output, ...], teller: Teller) -> list[LinePiece]:
    """A law of this form, with its centre."""
    spot = ", ".join(o.name for o in outputs)
    centre = ", ".join(str(teller.ratio(a)) for a in found.centre)
    return [
        teller.ratio(found.factor),
        " * exp(-",
        teller.ratio(found.rate),
        f" * the distance of ({spot}) from ({centre}))",
    ]


def explain_radial_leaf(
    leaf: InequalityLeaf,
    task: Task,
    outputs: tuple[Output, ...],
    here: Context,
    known: Facts,
    teller: Teller,
) -> None:
    """The lines of a comparison of two such laws, which differ in their centres."""
    here, known = explain_lemmas(leaf.lemmas, here, known, teller)
    for i, law in enumerate(task.laws):
        found = radial_law(law, outputs, here)
        side = ("smaller", "larger")[i]
        teller.tell("read off", f"the {side} side is ", *in_words(found, outputs, teller))
    explain_requirement(
        radial_excess(task, outputs, here),
        ">=",
        leaf.proofs[0] if leaf.proofs else None,
        here,
        known,
        teller,
        "by the triangle inequality it is enough that L >= 0 and that L^2, minus the square of the "
        "rate times the distance of both centres, is >= 0: ",
    )


def explain_share(
    law: Expression,
    outputs: tuple[Output, ...],
    event: Event,
    value: Ratio,
    least: bool,
    w: LineWriter,
) -> None:
    """One line: why the probability of a box is at least, or at most, this value."""
    if not (share_of_box(law, outputs, event, least) - value).is_zero:
        raise Rejected("the bound of a probability is another one")
    teller, found = Teller(w), radial_law(law, outputs, EMPTY)
    place, word = ("farthest from", "least") if least else ("nearest to", "largest")
    w.add(
        f"the density is {word} where the box is {place} the centre; times the volume of the box",
        "the law is ",
        *in_words(found, outputs, teller),
    )
