"""The lines on the hockey-stick divergence of two distributions: what each piece of the outputs
contributes at a level, and why the contributions add up to at most delta.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ahdp_verify.explanation.evidence import (
    explain_closed_leaf,
    explain_lemmas,
    explain_requirement,
)
from ahdp_verify.explanation.numbered_lines import LinePiece
from ahdp_verify.explanation.teller import Facts, Teller
from ahdp_verify.explanation.totals import piece_span
from ahdp_verify.kernel.evidence.certificate import HockeyStickLeaf, HockeyStickPart
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, substitute_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.integration import (
    cuts,
    exponentials_total,
    piece_context,
    total_on_piece,
)
from ahdp_verify.kernel.rules.obligations import Obligation, OutputPart, output_parts
from ahdp_verify.kernel.terms.expression import Expression, substitute


def explain_divergence(
    found: HockeyStickLeaf,
    here: Context,
    known: Facts,
    teller: Teller,
    claim: Claim,
    obligation: Obligation,
) -> None:
    """The lines of a claim with delta: the contribution of every piece and part to the hockey-stick
    divergence, and why their sum is at most delta.
    """
    here, known = explain_lemmas(found.lemmas, here, known, teller)
    listed, outputs, m = (
        list(output_parts(claim.mechanism)),
        claim.mechanism.outputs,
        claim.mechanism,
    )
    choices, total = list(found.choices), constant(0)
    if any(o.kind != "finite" for o in outputs):
        listed = listed[len(listed) - len(m.atoms) :]
        pieces = choices[: len(choices) - len(m.atoms)]
        laws = (
            substitute_nodes(m.density, obligation.dominated),
            substitute_nodes(m.density, obligation.dominating),
        )
        said = _DivergenceLines(obligation.level, known, teller)
        total = said.of_density(outputs, laws, replace(found, choices=tuple(pieces)), here)
        choices = choices[len(pieces) :]
    for part in listed:
        total = total + _explain_part(choices.pop(0), part, obligation, here, known, teller)
    teller.tell("the contributions, added up", "together ", teller.ratio(total))
    here, known = explain_lemmas(found.final.lemmas, here, known, teller)
    explain_requirement(
        normal(obligation.delta, here) - total,
        ">=",
        found.final.proofs[0] if found.final.proofs else None,
        here,
        known,
        teller,
        "this is at most delta: ",
    )


@dataclass(frozen=True, slots=True)
class _DivergenceLines:
    """Writes the lines of the hockey-stick divergence of a density at a level."""

    level: Expression
    known: Facts
    teller: Teller

    def of_density(
        self,
        outputs: tuple[Output, ...],
        laws: tuple[Dominated, Dominating],
        leaf: HockeyStickLeaf,
        here: Context,
    ) -> Ratio:
        """The contribution of the density, and the lines of its pieces, one output after
        another.
        """
        output, total = outputs[0], constant(0)
        if output.kind == "finite":
            for v, choice in zip(output.values, leaf.choices, strict=True):
                p, q = (substitute(law, {output.name: v}) for law in laws)
                there = Dominated(p), Dominating(q)
                at: tuple[LinePiece, ...] = (f"at {output.name} = {v}",)
                total = total + self._at(outputs[1:], there, choice, at, here)
            return total
        points = cuts(leaf.points, output.name, here)
        for upper, choice in enumerate(leaf.choices):
            place = output.name, output.kind, points, upper
            where = ("for ", *piece_span(output, points, upper, self.teller))
            if isinstance(choice, HockeyStickLeaf):
                inside = piece_context(*place, here)
                inner = replace(self, known=_more(self.known, here, inside))
                found = inner._at(outputs[1:], laws, choice, where, inside)
                u, v_ = (points[upper - 1] if upper else None), (*points, None)[upper]
                value = exponentials_total(found, output.name, output.kind, u, v_, inside)
                whole = "sum" if output.kind == "integer" else "integral"
                said = f"the {whole} over {output.name} is "
                self.teller.tell("there, a sum of exponentials", said, self.teller.ratio(value))
            else:
                value = self._of_piece(choice, laws, place, where, here)
            total = total + value
        return total

    def _at(
        self,
        rest: tuple[Output, ...],
        laws: tuple[Dominated, Dominating],
        choice: HockeyStickPart | HockeyStickLeaf,
        where: tuple[LinePiece, ...],
        here: Context,
    ) -> Ratio:
        """The contribution of a value, or of a piece to be integrated over."""
        if isinstance(choice, HockeyStickLeaf):
            said = ", the contribution is the sum of the following ones"
            self.teller.tell("piece by piece of the next output", *where, said)
            with self.teller.lines.inside():
                found = self.of_density(rest, laws, choice, here)
            self.teller.tell("added up", "together ", self.teller.ratio(found))
            return found
        counted = constant(0)
        if choice.counts != "none":
            counted = normal(laws[0], here)
        if choice.counts == "excess":
            counted = counted - exp_of(normal(self.level, here)) * normal(laws[1], here)
        _counts(choice, where, counted, (*laws, self.level), here, self.known, self.teller)
        return counted

    def _of_piece(
        self,
        choice: HockeyStickPart,
        laws: tuple[Dominated, Dominating],
        place: tuple[str, str, tuple[Ratio, ...], int],
        where: tuple[LinePiece, ...],
        here: Context,
    ) -> Ratio:
        """The contribution of a piece of the last output, and its line."""
        there, counted = piece_context(*place, here), constant(0)
        if choice.counts != "none":
            counted = total_on_piece(laws[0], *place, here)
        if choice.counts == "excess":
            factor = exp_of(normal(self.level, here))
            counted = counted - factor * total_on_piece(laws[1], *place, here)
        also = _more(self.known, here, there)
        _counts(choice, where, counted, (*laws, self.level), there, also, self.teller)
        return counted


def _explain_part(
    choice: HockeyStickPart | HockeyStickLeaf,
    part: OutputPart,
    obligation: Obligation,
    here: Context,
    known: Facts,
    teller: Teller,
) -> Ratio:
    """The contribution of an outcome or a point, and its line."""
    if isinstance(choice, HockeyStickLeaf):
        return constant(0)  # the checker refuses it
    dominated = substitute_nodes(part.law, obligation.dominated)
    dominating = substitute_nodes(part.law, obligation.dominating)
    counted = constant(0)
    if choice.counts != "none":
        counted = normal(dominated, here)
    if choice.counts == "excess":
        factor = exp_of(normal(obligation.level, here))
        counted = counted - factor * normal(dominating, here)
    where, laws = (output_part_text(part),), (dominated, dominating, obligation.level)
    _counts(choice, where, counted, laws, here, known, teller)
    return counted


def output_part_text(part: OutputPart) -> str:
    """A part of the output space in words."""
    return (
        f"at the single point {part.text.removeprefix('atom ')}"
        if part.text.startswith("atom ")
        else f"at {part.text}"
    )


def _more(known: Facts, here: Context, there: Context) -> Facts:
    """The lines of facts, with those that state where a piece lies."""
    return {
        **known,
        **{i: "where the piece lies" for i in range(len(here.facts), len(there.facts))},
    }


SAID = {
    "none": "p is at most exp(level) p', so the contribution is 0",
    "excess": "p is at least exp(level) p', so p - exp(level) p' is counted: ",
    "whole": "all of p is counted: ",
}


def _counts(
    choice: HockeyStickPart,
    where: tuple[LinePiece, ...],
    counted: Ratio,
    inequality: tuple[Dominated, Dominating, Expression],
    here: Context,
    known: Facts,
    teller: Teller,
) -> None:
    """The line of a choice, and below it why it is valid."""
    pieces_: tuple[LinePiece, ...] = () if choice.counts == "none" else (teller.ratio(counted),)
    teller.tell(
        "shown below" if choice.counts != "whole" else "an upper bound",
        *where,
        f", {SAID[choice.counts]}",
        *pieces_,
    )
    if choice.counts != "whole":
        with teller.lines.inside():
            explain_closed_leaf(
                choice.why, *inequality, here, known, teller, upper=choice.counts == "none"
            )
