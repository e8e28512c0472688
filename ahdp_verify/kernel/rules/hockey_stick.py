"""Claims with delta: the hockey-stick divergence of the two distributions at the level is at most
delta.

    here |- p >= exp(L) q on every piece that counts as "excess"
    here |- p <= exp(L) q on every piece that counts as "none"
    here |- sum over "excess" of (p - exp(L) q)  +  sum over "whole" of p  <=  delta
    -------------------------------------------------------------------------------
    here |- the hockey-stick divergence of p from q at level L is at most delta

p, q    the laws on the dominated and on the dominating side, both >= 0 by the mass
L       the level of the move, in nats
pieces  the intervals between the points of one output that is not finite, and each outcome or
        atom; a "whole" piece bounds its part of the divergence by all of p there
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import overload

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    Evidence,
    HockeyStickLeaf,
    HockeyStickPart,
    InequalityLeaf,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import JOINT, Mechanism, Output, outcome_count
from ahdp_verify.kernel.model.neighbours import (
    Dominated,
    DominatedInput,
    Dominating,
    DominatingInput,
    Nodes,
    substitute_nodes,
)
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.accepting import noting, rely_on
from ahdp_verify.kernel.rules.cases import LeafCheck
from ahdp_verify.kernel.rules.inequalities import check_leaf, check_sign_by, extend_context
from ahdp_verify.kernel.rules.integration import check_points, cuts, piece_context, total_on_piece
from ahdp_verify.kernel.rules.iterated_totals import total_of_slices
from ahdp_verify.kernel.rules.obligations import Obligation, OutputPart, output_parts
from ahdp_verify.kernel.terms.expression import Expression, number, substitute


def hockey_stick_check(claim: Claim, obligation: Obligation) -> LeafCheck:
    """The test of a leaf: the hockey-stick integrand dominated - exp(level) * dominating, summed
    over the pieces and parts where it counts, is at most delta.
    """
    continuous = is_continuous(claim.mechanism)
    parts = compared_parts(claim.mechanism)
    atoms = parts[len(parts) - len(claim.mechanism.atoms) :]

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, HockeyStickLeaf):
            raise Rejected(
                "a claim with delta needs the pieces on which the hockey-stick integrand counts"
            )
        here = extend_context(evidence.lemmas, here)
        outputs, choices, total = claim.mechanism.outputs, evidence.choices, constant(0)
        if continuous:
            law, count = claim.mechanism.density, len(choices) - len(atoms)
            laws = (
                substitute_nodes(law, obligation.dominated),
                substitute_nodes(law, obligation.dominating),
            )
            pieces = replace(evidence, choices=choices[:count])
            total = divergence_of_density(outputs, laws, pieces, obligation.level, here)
            choices = choices[count:]
        for part, choice in zip(atoms if continuous else parts, choices, strict=True):
            both = (
                law_here(part.law, obligation.dominated, here),
                law_here(part.law, obligation.dominating, here),
            )
            measure = partial(normal, here=here)
            total = total + _counted(choice, both, obligation.level, here, measure)
        final = evidence.final
        spare = normal(obligation.delta, here) - total
        check_sign_by(spare, ">=", final.proofs, extend_context(final.lemmas, here))

    return leaf


@lru_cache(maxsize=8)
def compared_parts(mechanism: Mechanism) -> tuple[OutputPart, ...]:
    """The parts of the output space, once for all obligations of a claim."""
    return output_parts(mechanism)


@overload
def law_here(law: Expression, nodes: DominatedInput, here: Context) -> Dominated: ...
@overload
def law_here(law: Expression, nodes: DominatingInput, here: Context) -> Dominating: ...
@overload
def law_here(law: Expression, nodes: Nodes, here: Context) -> Expression: ...
def law_here(law: Expression, nodes: Nodes, here: Context) -> Expression:
    """The law of a part in a state of the input, as a number where it is one: few pairs of numbers
    stand for all outcomes and pairs of inputs.
    """
    found = _law_without_facts(law, tuple(nodes.items()), here.integers)
    return found if found.head == "number" or has_no_facts(here) else _as_number(found, here)


def has_no_facts(here: Context) -> bool:
    """Whether nothing is known that could decide a sign."""
    return not (here.facts or here.germ or here.values)


@lru_cache(maxsize=4096)
def _law_without_facts(
    law: Expression, nodes: tuple[tuple[Expression, Expression], ...], integers: frozenset[str]
) -> Expression:
    return _as_number(substitute_nodes(law, dict(nodes)), Context.empty(integers))


def _as_number(law: Expression, here: Context) -> Expression:
    """The law, as a number where its normal form is one."""
    try:
        value = normal(law, here).as_rational
    except (Undecided, Unsupported, ZeroDivisionError):
        return law  # a form may prove an inequality of laws that have no normal form
    return law if value is None else number(Fraction(value))


def is_continuous(mechanism: Mechanism) -> bool:
    """Whether the divergence is an integral, over outputs of which one at least is not finite;
    Unsupported for too many outcomes.
    """
    if outcome_count(mechanism.outputs) > JOINT:
        raise Unsupported(f"delta for more than {JOINT} outcomes")
    return any(o.kind != "finite" for o in mechanism.outputs)


def _check_counts(
    choice: HockeyStickPart | HockeyStickLeaf,
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    here: Context,
) -> str:
    """How the integrand counts here, once it is shown to be >= 0 ("excess") or <= 0 ("none");
    "whole" bounds it by all of the dominated law.
    """
    if (
        not isinstance(choice, HockeyStickPart)
        or choice.counts not in ("excess", "none", "whole")
        or not isinstance(choice.why, InequalityLeaf)
    ):
        raise Rejected("a choice states how the hockey-stick integrand counts, with a proof")
    if choice.counts != "whole" and has_no_facts(here):
        for rule in _check_without_facts(choice, dominated, dominating, level, here.integers):
            rely_on(rule)
    elif choice.counts != "whole":
        said = choice, dominated, dominating, level
        for rule in here.once(said, lambda: _rules_of_choice(*said, here)):
            rely_on(rule)
    return choice.counts


@lru_cache(maxsize=1024)  # what is accepted where nothing is known is accepted for all pairs alike
def _check_without_facts(
    choice: HockeyStickPart,
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    integers: frozenset[str],
) -> frozenset[str]:
    return _rules_of_choice(choice, dominated, dominating, level, Context.empty(integers))


def _rules_of_choice(
    choice: HockeyStickPart,
    dominated: Dominated,
    dominating: Dominating,
    level: Expression,
    here: Context,
) -> frozenset[str]:
    """The rules beyond the core that accept how the integrand counts."""
    with noting() as used:
        check_leaf(choice.why, dominated, dominating, level, here, upper=choice.counts == "none")
    return frozenset(used)


def _counted(
    choice: HockeyStickPart | HockeyStickLeaf,
    laws: tuple[Dominated, Dominating],
    level: Expression,
    there: Context,
    measure: Callable[[Expression], Ratio],
) -> Ratio:
    """What a piece or part adds to the divergence, given the measure of a law there."""
    dominated, dominating = laws
    counts = _check_counts(choice, dominated, dominating, level, there)
    if counts == "none":
        return constant(0)
    if counts == "whole":
        return measure(dominated)
    return measure(dominated) - exp_of(normal(level, there)) * measure(dominating)


def divergence_of_density(
    outputs: tuple[Output, ...],
    laws: tuple[Dominated, Dominating],
    leaf: HockeyStickLeaf,
    level: Expression,
    here: Context,
) -> Ratio:
    """The integral of dominated - exp(level) * dominating over the pieces where it counts; both
    laws are known to be >= 0 by the mass.

    One output after another: on a piece of the first, which may bound the points of the next ones,
    the choice is the leaf of the rest.
    """
    output, rest = outputs[0], outputs[1:]
    if output.kind == "finite":
        if leaf.points:
            raise Rejected("there are points of a finite output")
        total = constant(0)
        for v, choice in zip(output.values, leaf.choices, strict=True):
            p, q = (substitute(law, {output.name: v}) for law in laws)
            there = Dominated(p), Dominating(q)
            if rest:
                total = total + divergence_of_density(rest, there, _slice(choice), level, here)
            else:
                total = total + _counted(choice, there, level, here, partial(normal, here=here))
        return total
    points, total = cuts(leaf.points, output.name, here), constant(0)
    pieces = dict(zip(range(len(points) + 1), leaf.choices, strict=True))
    if rest:

        def value(upper: int, piece: Context) -> Ratio:
            return divergence_of_density(rest, laws, _slice(pieces[upper]), level, piece)

        return total_of_slices(output, points, value, here)
    check_points(output.name, output.kind, points, here)
    for upper, choice in pieces.items():
        piece = piece_context(output.name, output.kind, points, upper, here)

        def measure(law: Expression, upper: int = upper) -> Ratio:
            return total_on_piece(law, output.name, output.kind, points, upper, here)

        total = total + _counted(choice, laws, level, piece, measure)
    return total


def _slice(choice: HockeyStickPart | HockeyStickLeaf) -> HockeyStickLeaf:
    """The leaf of the later outputs on a piece of an output."""
    if not isinstance(choice, HockeyStickLeaf) or choice.lemmas or choice.final != InequalityLeaf():
        raise Rejected("a piece of an output needs the pieces of the next one")
    return choice
