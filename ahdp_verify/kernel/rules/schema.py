"""One proof for all records of a finite domain.

    here, g_1 >= 0, ..., g_n >= 0 |- p(D) and p(D + w) keep level @level, in both directions
    g_1, ..., g_n >= 0 at every record whose level is finite
    -----------------------------------------------------------------------------------------
    the mechanism keeps the level of every record

w         a record with contributions @c1, @c2, ... to the aggregates of the law, and level @level
g_i       the conditions of the certificate, expressions in these names
"""

from __future__ import annotations

from collections.abc import Iterator

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.neighbours import (
    DominatedInput,
    DominatingInput,
    known_value_at_record,
)
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.inequalities import check_sign
from ahdp_verify.kernel.rules.obligations import (
    Obligation,
    Task,
    mechanism_context,
    mechanism_frame,
    tasks_of,
    what_is_known,
)
from ahdp_verify.kernel.terms.expression import ZERO, Expression, evaluate, name, oo, substitute


def has_schema(claim: Claim) -> bool:
    """True for additions to a finite domain: then one proof with symbols for contributions and
    level can serve all records.
    """
    inputs = claim.mechanism.inputs
    return (
        claim.relation in ("ahdp", "add-remove")
        and isinstance(inputs, Domain)
        and not inputs.is_universal
        and claim.delta == ZERO
    )


def contribution_name(j: int) -> Expression:
    """The name of the added record's contribution to aggregate number j."""
    return name(f"@c{j + 1}")


LEVEL = name("@level")


def schema(claim: Claim, conditions: tuple[Expression, ...]) -> Iterator[Obligation]:
    """The obligations of a record with contributions @c1, @c2, ... and level @level that satisfy
    conditions, each an expression >= 0.
    """
    f = mechanism_frame(claim.mechanism, False)
    without, joined = (
        f.alone(),
        f.with_record(tuple(contribution_name(j) for j in range(len(f.nodes)))),
    )
    whole = {contribution_name(j).args[0] for j, r in enumerate(f.rest) if r.args[0] in f.integers}
    assumed = (*f.conditions, *(c >= ZERO for c in conditions))
    here = what_is_known(
        claim.mechanism,
        (without, joined),
        assumed,
        f.integers | whole,
        mechanism_context(claim.mechanism),
    )
    yield Obligation("add a record", here, DominatedInput(without), DominatingInput(joined), LEVEL)
    yield Obligation(
        "add a record, backwards", here, DominatedInput(joined), DominatingInput(without), LEVEL
    )


def schema_values(claim: Claim) -> Iterator[dict[str, Expression]]:
    """The values of @c1, @c2, ... and @level at each record whose level is not oo."""
    f, here = mechanism_frame(claim.mechanism, False), mechanism_context(claim.mechanism)
    for record, row in zip(f.domain.records, f.rows, strict=True):
        bound = (
            known_value_at_record(claim.level, record, here)
            if claim.relation == "ahdp"
            else claim.level
        )
        if bound != oo:
            yield {
                **{contribution_name(j).args[0]: c for j, c in enumerate(row)},
                LEVEL.args[0]: bound,
            }


def schema_tasks(claim: Claim, conditions: tuple[Expression, ...]) -> Iterator[Task]:
    """What the schema asks for, in the order in which certificates answer it; that every record
    satisfies the conditions is left to the caller.
    """
    yield from tasks_of(claim, schema(claim, conditions))


def check_conditions_of_records(claim: Claim, conditions: tuple[Expression, ...]) -> None:
    """Nothing if the claim has a schema and every record satisfies its conditions; Rejected
    otherwise.
    """
    if not has_schema(claim):
        raise Rejected("the claim is not about adding records of a finite domain")
    here = mechanism_context(claim.mechanism)
    for filling in schema_values(claim):
        rational = {k: v.args[0] for k, v in filling.items() if v.head == "number"}
        for condition in conditions:
            simple = evaluate(condition, rational)
            if simple is None:
                check_sign(normal(substitute(condition, filling), here), ">=", None, here)
            elif simple < 0:
                raise Rejected(f"a record does not satisfy {condition} >= 0")
