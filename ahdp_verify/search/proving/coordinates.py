"""Independent finite coordinates: the privacy loss of each one, and a proof that the losses add up
to at most the level.
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import CoordinatesLeaf, Evidence, InequalityLeaf
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, substitute_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, log_of
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.obligations import Obligation
from ahdp_verify.kernel.rules.separation import factor_laws, level_slack
from ahdp_verify.kernel.terms.expression import Expression, substitute
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.case_splits import DEPTH, split_by_sign
from ahdp_verify.search.proving.inequality import prove_inequality
from ahdp_verify.search.proving.requirement import prove_requirement

Pairs = tuple[tuple[Dominated, Dominating], ...]  # the laws of a coordinate at each of its values
Memory = dict[tuple[Pairs, tuple[Fact, ...]], tuple[Expression, tuple[InequalityLeaf, ...]] | None]


def coordinate_evidence(
    mechanism: Mechanism, obligation: Obligation, clock: Clock, memory: Memory
) -> Evidence | None:
    """Levels of the coordinates with their proofs, or None; `memory` caches results for coordinates
    of the same form.
    """
    return _cases(mechanism, obligation, obligation.here, clock, DEPTH, memory)


def _cases(
    mechanism: Mechanism,
    obligation: Obligation,
    here: Context,
    clock: Clock,
    depth: int,
    memory: Memory,
) -> Evidence | None:
    if here.contradictory:
        return InequalityLeaf((), "never", ())
    try:
        return _leaf(mechanism, obligation, here, clock, memory)
    except Undecided as missing:
        return split_by_sign(
            missing.guard,
            lambda h, d: _cases(mechanism, obligation, h, clock, d, memory),
            here,
            clock,
            depth,
        )
    except (Unsupported, ZeroDivisionError):
        return None


def _leaf(
    mechanism: Mechanism, obligation: Obligation, here: Context, clock: Clock, memory: Memory
) -> Evidence | None:
    levels: list[Expression] = []
    leaves: list[InequalityLeaf] = []
    spent = constant(0)
    for output, law in zip(mechanism.outputs, factor_laws(mechanism), strict=True):
        at_values = [substitute(law, {output.name: v}) for v in output.values]
        pairs = tuple(
            (substitute_nodes(p, obligation.dominated), substitute_nodes(p, obligation.dominating))
            for p in at_values
        )
        key = (pairs, here.facts)
        if key not in memory:
            memory[key] = coordinate_level(pairs, here, clock)
        if (known := memory[key]) is None:
            return None
        spent = spent + normal(known[0], here)
        levels.append(known[0])
        leaves += known[1]
    for form in ("log", "direct"):
        rest = level_slack(normal(obligation.level, here), spent, form)
        if here.ratio_signs(rest) <= {0, 1}:
            return CoordinatesLeaf((), form, tuple(levels), tuple(leaves))
        answer = prove_requirement(rest, ">=", here, clock)
        if answer is not None:
            return CoordinatesLeaf(answer[0], form, tuple(levels), tuple(leaves), (answer[1],))
    return None


def coordinate_level(
    pairs: Pairs, here: Context, clock: Clock
) -> tuple[Expression, tuple[InequalityLeaf, ...]] | None:
    """The level of one coordinate and a leaf for each of its values, or None."""
    level = largest_coordinate_loss(pairs, here, clock)
    leaves = [
        prove_inequality(dominated, dominating, level, here, clock, depth=0)
        for dominated, dominating in pairs
    ]
    closed = tuple(leaf for leaf in leaves if isinstance(leaf, InequalityLeaf))
    return (level, closed) if len(closed) == len(pairs) else None


def largest_coordinate_loss(pairs: Pairs, here: Context, clock: Clock) -> Expression:
    """The largest log(dominated / dominating) over the values of a coordinate."""
    best: Ratio | None = None
    for dominated, dominating in pairs:
        p, q = normal(dominating, here), normal(dominated, here)
        if q.is_zero:
            continue
        if p.is_zero:
            raise Unsupported(
                "a value may have probability 0 on the dominating side but not on the dominated "
                "side"
            )
        ratio = q / p
        if best is None or not is_proved_at_least(best, ratio, here, clock):
            best = ratio
    return to_expression(log_of(best if best is not None else constant(1)))


def is_proved_at_least(a: Ratio, b: Ratio, here: Context, clock: Clock) -> bool:
    """Whether a >= b is proved here."""
    return (
        here.ratio_signs(a - b) <= {0, 1} or prove_requirement(a - b, ">=", here, clock) is not None
    )
