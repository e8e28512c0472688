"""Section 5, divergence: how much one density exceeds another, over all outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from recheck.claims import Claim
from recheck.evidence import Evidence, extended, require, require_at_most
from recheck.forms import NOTHING, Form, exp_of, tree_of
from recheck.limits import COMBINATIONS, cover, need
from recheck.moves import Inequality
from recheck.places import Output, laws_of_parts, number_of_combinations
from recheck.signs import Context
from recheck.totals import Points, marked, need_points, on_piece, piece_total, simple_total
from recheck.trees import Tree, rebuild, substitute


def require_divergence(claim: Claim, asked: Inequality, leaf: Evidence, here: Context) -> None:
    """a choice is accepted on every piece and part
    delta - (the total of what the choices count) >= 0
    ---------------------------------------------------
    no event has P(event) > exp(level) Q(event) + delta
    """
    need(leaf.kind == "divergence", "evidence of another kind is required")
    here = extended(leaf.lemmas, here)
    finite = all(o.kind == "finite" for o in claim.outputs)
    cover(number_of_combinations(claim.outputs) <= COMBINATIONS, "there are too many outputs")
    parts = laws_of_parts(claim) if finite else [mass for _, mass in claim.atoms]
    pieces = len(leaf.choices) - len(parts)
    need(pieces == 0 if finite else pieces >= 0, "there are too many or too few choices")
    need(not (finite and leaf.points), "there are points of a finite output")
    spent = NOTHING
    if not finite:
        p, q = rebuild(claim.density, asked.small.get), rebuild(claim.density, asked.large.get)
        both = Both(p, q, asked.level)
        spent = excess_over(claim.outputs, both, leaf.points, leaf.choices[:pieces], here)
    for law, choice in zip(parts, leaf.choices[pieces:], strict=True):
        p, q = rebuild(law, asked.small.get), rebuild(law, asked.large.get)
        spent = spent + counted(Both(p, q, asked.level), choice, here, here, here.form)
    final = leaf.final.proofs[0] if leaf.final.proofs else None
    require(here.form(asked.delta) - spent, ">=", final, extended(leaf.final.lemmas, here))


@dataclass(frozen=True)
class Both:
    """P and Q, and the level at which they are compared."""

    small: Tree
    large: Tree
    level: Tree

    def at(self, n: str, value: Tree) -> Both:
        there = {n: value}
        return Both(substitute(self.small, there), substitute(self.large, there), self.level)


def excess_over(
    outputs: Sequence[Output],
    both: Both,
    marks: Sequence[Tree],
    choices: Sequence[Evidence],
    here: Context,
) -> Form:
    """What is counted on the pieces of the first output; on each, a divergence over the others.

    on a piece from u to v, f is counted over the later outputs     f is a sum of exponentials
    ------------------------------------------------------------------------------------------
    the integral of f from u to v is counted on this piece
    """
    output, rest = outputs[0], outputs[1:]
    if output.kind == "finite":
        need(not marks, "there are points of a finite output")
        need(len(choices) == len(output.values), "there are too many or too few choices")
        found = NOTHING
        for v, choice in zip(output.values, choices, strict=True):
            there = both.at(output.name, v)
            if rest:
                found = found + slice_of(rest, there, choice, here)
            else:
                found = found + counted(there, choice, here, here, here.form)
        return found
    points = marked(marks, output, here)
    need_points(output, points, here)
    need(len(choices) == len(points) + 1, "there are too many or too few choices")
    found = NOTHING
    for i, choice in enumerate(choices):
        inside = on_piece(output, points, i, here)
        if rest:
            law = tree_of(slice_of(rest, both, choice, inside))
            found = found + simple_total(law, output, points, i, here, False)
        else:
            measure = partial(measured, output, points, i, here)
            found = found + counted(both, choice, inside, here, measure)
    return found


def slice_of(outputs: Sequence[Output], both: Both, choice: Evidence, here: Context) -> Form:
    """What is counted over the later outputs: a divergence without lemmas and `final`."""
    need(choice.kind == "divergence", "evidence of another kind is required")
    last = choice.final
    plain = not choice.lemmas and not last.lemmas and not last.proofs and last.form == "direct"
    need(plain, "a divergence inside another one has lemmas or a final proof")
    return excess_over(outputs, both, choice.points, choice.choices, here)


def measured(output: Output, points: Points, i: int, here: Context, law: Tree) -> Form:
    return piece_total(law, output, points, i, here, positive=False)


def counted(
    both: Both,
    choice: Evidence,
    there: Context,
    here: Context,
    measure: Callable[[Tree], Form],
) -> Form:
    """none     P <= exp(level) Q     counts as 0
    excess   P >= exp(level) Q     counts as P - exp(level) Q
    whole                          counts as P
    ---------------------------------------------------------------------
    the part of P above exp(level) Q has at most the total that is counted
    """
    need(choice.kind == "choice", "evidence of another kind is required")
    small, large, level = both.small, both.large, both.level
    if choice.counts == "none":
        require_at_most(small, large, level, choice.why, there)
        return NOTHING
    if choice.counts == "excess":
        require_at_most(small, large, level, choice.why, there, -1)
        return measure(small) - exp_of(here.form(level)) * measure(large)
    need(choice.counts == "whole", "a choice is of unknown kind")
    return measure(small)
