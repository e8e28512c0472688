"""Total mass over several outputs, one after another, where the law is not a product of one factor
for each: a mixture of products, say, or noise whose centre is an earlier output.

The total over an output is an expression in the earlier ones.  Where its form depends on their
order, the evidence is a case split, and the total a piecewise expression with the same cases.

>>> from ahdp_verify.kernel.terms.expression import exp, name
>>> t = name("t")
>>> print(value_by_cases(t, [("<", exp(t)), ("=", number(1)), (">", exp(-t))]))
piecewise((exp(t), t < 0), (1, t == 0), (exp(-t), true))
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.certificate import CaseSplit, Evidence, TotalLeaf
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.cases import LeafCheck
from ahdp_verify.kernel.rules.inequalities import extend_context, split_cases
from ahdp_verify.kernel.rules.iterated_totals import integration_order
from ahdp_verify.kernel.rules.obligations import InputState
from ahdp_verify.kernel.rules.total_mass import law_total, output_total_check
from ahdp_verify.kernel.terms.expression import TRUE, Expression, eq, number, piecewise

# finds evidence that a leaf accepts for a law of one output in a context
FindEvidence = Callable[[Expression, Output, LeafCheck, Context], Evidence]
CONDITIONS: dict[str, Callable[[Expression], Expression]] = {
    "<": lambda g: g < number(0),
    "<=": lambda g: g <= number(0),
    "=": lambda g: eq(g, number(0)),
    ">=": lambda g: number(0) <= g,
    ">": lambda g: number(0) < g,
}


def iterated_totals(
    mechanism: Mechanism, state: InputState, find: FindEvidence
) -> list[tuple[Expression, Evidence]]:
    """The total over each output of the total over those after it, with its evidence, in the order
    of the outputs; passes on what `find` raises.
    """
    law = substitute_nodes(mechanism.density, state.nodes)
    found: dict[int, tuple[Expression, Evidence]] = {}
    for i in integration_order(mechanism):
        output = mechanism.outputs[i]
        law, piece = stated_total(law, output, state.here, find)
        found[i] = law, piece
    if not (normal(law, state.here) - constant(1)).is_zero:
        raise Unsupported(f"the total {law} was not shown to be 1")
    return [found[i] for i in range(len(found))]


def stated_total(
    law: Expression, output: Output, here: Context, find: FindEvidence
) -> tuple[Expression, Evidence]:
    """A total over one output as an expression in the others, with evidence for it."""

    def leaf(piece: Evidence, there: Context) -> None:
        if isinstance(piece, TotalLeaf):
            law_total((output,), law, piece.points, there)

    first = find(law, output, leaf, here)
    value = total_of(first, law, output, here)
    if value is None:
        raise Unsupported("no case of a total can occur")
    return value, find(law, output, output_total_check(output, law, value), here)


def total_of(
    evidence: Evidence, law: Expression, output: Output, here: Context
) -> Expression | None:
    """The total that a piece of evidence finds, by its cases; None where no case can occur."""
    if isinstance(evidence, TotalLeaf):
        there = extend_context(evidence.lemmas, here)
        return to_expression(law_total((output,), law, evidence.points, there))
    if not isinstance(evidence, CaseSplit):
        return None
    cases = split_cases(evidence, extend_context(evidence.lemmas, here))
    listed = [
        (relation, value)
        for (case, rest), (relation, _) in zip(cases, evidence.cases, strict=True)
        if (value := total_of(rest, law, output, case)) is not None
    ]
    return value_by_cases(evidence.guard, listed) if listed else None


def value_by_cases(guard: Expression, listed: list[tuple[str, Expression]]) -> Expression:
    """The value of each case where its relation holds."""
    if len({value for _, value in listed}) == 1:
        return listed[0][1]
    *others, (_, last) = listed
    return piecewise(*((value, CONDITIONS[r](guard)) for r, value in others), (last, TRUE))
