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

from fractions import Fraction
from functools import lru_cache
from typing import overload

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    Evidence,
    HockeyStickLeaf,
    HockeyStickPart,
    InequalityLeaf,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import JOINT, Mechanism, Output
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
from ahdp_verify.kernel.rules.inequalities import check_leaf, check_sign, extend_context
from ahdp_verify.kernel.rules.integration import (
    check_points,
    cuts,
    piece_bounds,
    piece_context,
    total_on_piece,
)
from ahdp_verify.kernel.rules.obligations import (
    Obligation,
    OutputPart,
    combination_count,
    output_parts,
)
from ahdp_verify.kernel.terms.expression import Expression, number


def hockey_stick_check(claim: Claim, obligation: Obligation) -> LeafCheck:
    """The test of a leaf: the hockey-stick integrand dominated - exp(level) * dominating, summed
    over the pieces and parts where it counts, is at most delta.
    """
    continuous = is_continuous(claim.mechanism)
    parts = compared_parts(claim.mechanism)

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, HockeyStickLeaf):
            raise Rejected(
                "a claim with delta needs the pieces on which the hockey-stick integrand counts"
            )
        here = extend_context(evidence.lemmas, here)
        choices, total = list(evidence.choices), constant(0)
        if continuous:
            output, law = claim.mechanism.outputs[0], parts[0].law
            points = cuts(evidence.points, output.name, here)
            laws = (
                substitute_nodes(law, obligation.dominated),
                substitute_nodes(law, obligation.dominating),
            )
            total = _hockey_stick_of_density(output, laws, points, choices, obligation.level, here)
        for part in parts[1 if continuous else 0 :]:
            dominated = law_here(part.law, obligation.dominated, here)
            dominating = law_here(part.law, obligation.dominating, here)
            kind = _check_counts(choices.pop(0), dominated, dominating, obligation.level, here)
            if kind != "none":
                total = total + normal(dominated, here)
            if kind == "excess":
                factor = exp_of(normal(obligation.level, here))
                total = total - factor * normal(dominating, here)
        if choices:
            raise Rejected("there are more choices than parts")
        final = evidence.final
        spare = normal(claim.delta, here) - total
        check_sign(
            spare,
            ">=",
            final.proofs[0] if final.proofs else None,
            extend_context(final.lemmas, here),
        )

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
    """Whether the divergence is an integral over one output that is not finite; Unsupported for
    more such outputs, and for too many outcomes.
    """
    outputs = mechanism.outputs
    continuous = any(o.kind != "finite" for o in outputs)
    if not continuous and combination_count(mechanism) > JOINT:
        raise Unsupported(f"delta for more than {JOINT} outcomes")
    if continuous and len(outputs) > 1:
        raise Unsupported("delta for more than one output that is not finite")
    return continuous


def _check_counts(
    choice: HockeyStickPart,
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


def _hockey_stick_of_density(
    output: Output,
    laws: tuple[Dominated, Dominating],
    points: tuple[Ratio, ...],
    choices: list[HockeyStickPart],
    level: Expression,
    here: Context,
) -> Ratio:
    """The integral of dominated - exp(level) * dominating over the pieces where it counts; both
    laws are known to be >= 0 by the mass. Removes the choices of these pieces from the list.
    """
    dominated, dominating = laws
    name, kind = output.name, output.kind
    check_points(name, kind, points, here)
    factor, total = exp_of(normal(level, here)), constant(0)
    for _, _, upper in piece_bounds(len(points)):
        piece = piece_context(name, kind, points, upper, here)
        counted = _check_counts(choices.pop(0), dominated, dominating, level, piece)
        if counted != "none":
            total = total + total_on_piece(dominated, name, kind, points, upper, here)
        if counted == "excess":
            total = total - factor * total_on_piece(dominating, name, kind, points, upper, here)
    return total
