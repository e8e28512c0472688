"""Where moments are taken: the output distribution at one dataset, or, with a name for each record
sum, at all of them.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, W = real("s"), Domain([(0, 1), (3, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2)
>>> print(value_at(W.sum(lambda x, eps: x), M, [1, 2]))
6
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ahdp_verify.analysis.inputs import checker_input, constant_of, input_refusal
from ahdp_verify.analysis.moments.enclosure import enclosure as enclosure
from ahdp_verify.analysis.moments.expectation import IntegrableLaw, Tick, idle
from ahdp_verify.analysis.moments.record_sums import RecordSums
from ahdp_verify.analysis.moments.request import read_expression
from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample, law_at, side_nodes
from ahdp_verify.kernel.evidence.counterexample import check_example_conditions as check_input
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import no_value_error
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.mechanism import check_kind as check_kind
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.model.record_expression import Body
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression, truth
from ahdp_verify.kernel.rules.obligations import input_states
from ahdp_verify.kernel.terms.expression import (
    ONE,
    Expression,
    aggregates,
    names,
    substitute,
    to_json,
)

EMPTY = Context.empty()
Given = Mapping[str, object] | None


def value_at(
    e: Body | str, mechanism: Mechanism, dataset: object, parameters: Given = None
) -> Expression:
    """The exact value of an expression in record sums, query answers or the value, at one input: of
    formulas for all datasets, those with Ei too.

    A function f(x, eps) stands for its sum over the records.  Raises BadInput where it has no
    value, NotWorkedOut where none was found.
    """
    target = (
        mechanism.inputs.sum(e)
        if callable(e) and isinstance(mechanism.inputs, Domain)
        else read_expression(e, "expression")
    )
    there = moment_context(mechanism, dataset, [target], parameters)
    placed = there.put(target)
    if left := names(placed):
        raise BadInput(
            "expression",
            f"the name {min(left)} is not known",
            "use record sums, query answers and parameters",
        )
    try:
        return to_expression(normal(placed, EMPTY))
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise no_value_error(
            why, "expression", f"at this input {target}", "choose another input"
        ) from None


@dataclass(frozen=True, slots=True)
class MomentContext:
    """Where moments are taken: the output distribution there, the values of record sums and
    parameters, and the facts about the names that are left.
    """

    law: IntegrableLaw
    sums: RecordSums
    here: Context
    given: Mapping[str, Expression]

    def put(self, e: Expression) -> Expression:
        """An expression with its record sums, answers and parameters replaced by their values
        here.
        """
        return substitute_nodes(
            substitute(substitute_nodes(e, self.sums.nodes), self.given), self.sums.nodes
        )


def moment_context(
    mechanism: Mechanism,
    dataset: object,
    extra: Sequence[Expression],
    parameters: Given,
    tick: Tick = idle,
) -> MomentContext:
    wanted = tuple(dict.fromkeys(node for e in extra for node in aggregates(e)))
    found = (
        _everywhere(mechanism, wanted, parameters or {})
        if dataset is None
        else _at(mechanism, dataset, wanted, parameters or {})
    )
    return replace(found, law=replace(found.law, tick=tick))


def _everywhere(
    mechanism: Mechanism, extra: tuple[Expression, ...], parameters: Mapping[str, object]
) -> MomentContext:
    """All datasets, with a name for every record sum."""
    known = {k for k, _ in mechanism.parameters}
    if unknown := sorted(set(parameters) - known):
        raise BadInput(
            "parameters",
            f"the mechanism has no parameter {unknown[0]}",
            f"its parameters are {', '.join(sorted(known)) or 'none'}",
        )
    given = {k: constant_of(v, k) for k, v in parameters.items()}
    mechanism = with_values(mechanism, given)
    listed = list(input_states(mechanism, False))
    if len(listed) > 1:
        raise BadInput(
            "dataset",
            "the output distribution depends on the input value",
            "give one of the values",
        )
    sums = RecordSums(mechanism.inputs.bound, dict(listed[0].nodes))
    for node in extra:
        sums.symbol(substitute(node, given))
    there = MomentContext(IntegrableLaw(mechanism.outputs, ONE), sums, listed[0].here, given)
    return MomentContext(
        IntegrableLaw(
            mechanism.outputs,
            there.put(mechanism.density),
            tuple((at, there.put(mass)) for at, mass in mechanism.atoms),
        ),
        sums,
        there.here,
        given,
    )


def with_values(m: Mechanism, given: Mapping[str, Expression]) -> Mechanism:
    """The mechanism with values in place of some parameters, whose conditions hold there or are
    conditions of the parameters that are left.
    """
    if not given:
        return m
    left = {k: substitute(c, given) for k, c in m.parameters if k not in given}
    for k, c in ((k, substitute(c, given)) for k, c in m.parameters if k in given):
        if (other := next((n for n in left if n in names(c)), None)) is not None:
            left[other] = left[other] & c
        elif not truth(c, EMPTY):
            raise BadInput(
                "parameters", f"{k} = {given[k]} does not satisfy {c}", "choose another value"
            )
    inputs = m.inputs
    if isinstance(inputs, Domain) and inputs.is_universal:
        unknowns = [[k, to_json(substitute(c, given))] for k, c in inputs.unknowns]
        inputs = Domain.from_json(
            {
                "unknowns": unknowns,
                "parameters": [[k, to_json(left[k])] for k, _ in inputs.parameters if k in left],
            }
        )
    elif isinstance(inputs, Domain):
        inputs = Domain((r.value, substitute(r.demand, given)) for r in inputs.records)
    atoms, density, defined = (
        [(at, substitute(mass, given)) for at, mass in m.atoms],
        substitute(m.density, given),
        substitute(m.defined, given),
    )
    return Mechanism.derived(
        inputs,
        outputs=m.outputs,
        density=density,
        defined=defined,
        name=m.name,
        atoms=atoms,
        parameters=tuple(left.items()),
    )


def _at(
    mechanism: Mechanism,
    dataset: object,
    extra: tuple[Expression, ...],
    parameters: Mapping[str, object],
) -> MomentContext:
    """One dataset."""
    claim, example = checker_input(mechanism, dataset, parameters)
    return at_example(claim, example, extra)


def at_example(
    claim: Claim, example: Counterexample, extra: tuple[Expression, ...]
) -> MomentContext:
    try:
        check_input(claim, example)
        law = IntegrableLaw(claim.mechanism.outputs, *law_at(claim, example, example.first))
        nodes = {
            **side_nodes(claim, example, example.first),
            **(side_nodes(claim, example, example.first, extra) if extra else {}),
        }
    except (Rejected, Undecided, Unsupported, ZeroDivisionError) as why:
        raise input_refusal(why, "dataset", "choose another dataset or other parameters") from None
    whole = frozenset(o.name for o in claim.mechanism.outputs if o.kind == "integer")
    return MomentContext(
        law,
        RecordSums(claim.mechanism.inputs.bound, nodes),
        Context.empty(whole),
        dict(example.parameters),
    )
