"""One concrete input of a mechanism, in the form that the checker takes, and the output
distribution there.

A dataset is a `Multiset`, a list of records, or one count for each record of the domain; of a
universal domain a list of tables of its unknowns; in the local model one of the values; else a list
of query answers.  Parameters get exact values.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size) / name("b")) / (2 * name("b")), parameters={"b": "b > 0"})
>>> there = law_at_input(M, [3], {"b": "1/2"})
>>> print(there.text, there.density)
{3 x (1, 1)} exp(-2*abs(s - 3))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.datasets import Multiset
from ahdp_verify.display.input_text import side_text
from ahdp_verify.kernel.errors import (
    BadInput,
    NotDecided,
    NotWorkedOut,
    Rejected,
    Undecided,
    Unsupported,
)
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    check_example_conditions,
    constant_tree,
    counted_record,
    law_at,
    value_at_instance,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.comparisons import check_comparisons
from ahdp_verify.kernel.model.declarations import no_value_error, value_key
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.model.replacements import level_between_values, level_of_pair
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import has_no_value, normal, refusal_text
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    CONDITIONS,
    ZERO,
    Expression,
    add,
    expression,
    multiply,
    names,
    number,
    oo,
    substitute,
    walk,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name, short_text


@dataclass(frozen=True, slots=True)
class LawAtInput:
    """The output distribution at one input: density and atoms in which only the outputs are names;
    `text` shows the input.
    """

    outputs: tuple[Output, ...]
    density: Expression
    atoms: tuple[tuple[Expression, Expression], ...]
    text: str


def law_at_input(
    mechanism: Mechanism, dataset: object, parameters: Mapping[str, object] | None = None
) -> LawAtInput:
    """The output distribution of a mechanism at one input; BadInput where the mechanism does not
    accept it or is not defined there, NotWorkedOut where that is not known.
    """
    claim, example = checker_input(mechanism, dataset, parameters or {})
    shown = side_text(claim, example, example.first)
    try:
        check_example_conditions(claim, example)
        return LawAtInput(mechanism.outputs, *law_at(claim, example, example.first), shown)
    except (Rejected, Undecided, Unsupported, ZeroDivisionError) as why:
        raise input_refusal(
            why, f"input {shown[:60]}", "choose another input or other parameters"
        ) from None


def input_refusal(why: Exception, where: str, cure: str) -> BadInput | NotWorkedOut:
    """The refusal of an input: bad input where the mechanism does not accept it, or was found not
    to be defined there.
    """
    if isinstance(why, ZeroDivisionError):
        return BadInput(where, "the density or a probability divides by 0 there", cure)
    found = has_no_value(why) or (isinstance(why, Rejected) and not isinstance(why, NotDecided))
    return (BadInput if found else NotWorkedOut)(where, refusal_text(why), cure)


def checker_input(
    mechanism: Mechanism, dataset: object, parameters: Mapping[str, object]
) -> tuple[Claim, Counterexample]:
    """The input and the parameters in the form in which the checker takes them; the claim is only a
    carrier for them.
    """
    inputs = mechanism.inputs
    relation = "add-remove" if isinstance(inputs, Domain) else inputs.relations[0]
    given = _given(mechanism, parameters)
    if isinstance(inputs, Domain) and inputs.is_universal:
        records = tuple(_instance(inputs, r) for r in _listed(dataset))
        return Claim(mechanism, relation, ZERO), Counterexample(
            given, records, (number(1),) * len(records), (), Event()
        )
    if isinstance(inputs, Domain):
        held = dataset if isinstance(dataset, Multiset) else Multiset(inputs, _listed(dataset))
        if held.domain != inputs:
            raise BadInput(
                "dataset", f"{held} belongs to another domain", "use the domain of the mechanism"
            )
        side: tuple[Expression, ...] = tuple(number(c) for c in held.counts)
    elif isinstance(inputs, Values):
        side = _value(inputs, dataset)
    else:
        single = isinstance(inputs, RealValues) and not isinstance(dataset, list | tuple)
        listed = [dataset] if single else _listed(dataset)
        side = tuple(constant_of(q, "dataset") for q in listed)
    return Claim(mechanism, relation, ZERO), Counterexample(given, (), side, (), Event())


def _listed(dataset: object) -> list[Any]:
    if isinstance(dataset, str) or not isinstance(dataset, Iterable):
        raise BadInput(
            "dataset",
            f"{str(dataset)[:40]} is not a list",
            "give a list of records, or of query answers",
        )
    return list(dataset)


def _given(
    mechanism: Mechanism, parameters: Mapping[str, object]
) -> tuple[tuple[str, Expression], ...]:
    wanted = [k for k, _ in mechanism.parameters]
    for k in wanted:
        if k not in parameters:
            raise BadInput(
                "parameters",
                f"there is no value for {k}",
                f'give one, for example parameters={{"{k}": "1/2"}}',
            )
    for k in parameters:
        if k not in wanted:
            raise BadInput(
                "parameters",
                f"the mechanism has no parameter {str(k)[:40]}",
                f"its parameters are {', '.join(wanted) or 'none'}",
            )
    return tuple((k, constant_of(parameters[k], k)) for k in wanted)


def constant_of(value: object, where: str) -> Expression:
    """An exact constant from a number, a text or an expression; NotWorkedOut where its value was
    not found.
    """
    given, cure = (
        parse(value, where) if isinstance(value, str) else expression(value),
        'write for example "1/2" or "log(3)"',
    )
    if given.head in (*CONDITIONS, "boolean", "label") or any(
        node.head in ("name", "index", *AGGREGATES) for node in walk(given)
    ):
        raise BadInput(where, f"{str(value)[:40]} is not a constant", cure)
    try:
        return constant_tree(given)
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise no_value_error(why, where, short_text(str(value), 60), cure) from None


def _instance(domain: Domain, item: object) -> tuple[tuple[str, Expression], ...]:
    if not isinstance(item, Mapping) or set(item) != {u for u, _ in domain.unknowns}:
        raise BadInput(
            "dataset",
            f"{display_name(str(item))} is not a table of the unknowns",
            f"give {', '.join(u for u, _ in domain.unknowns)} for each record",
        )
    return tuple((u, constant_of(item[u], u)) for u, _ in domain.unknowns)


def _value(inputs: Values, dataset: object) -> tuple[Expression, ...]:
    wanted = dataset if isinstance(dataset, tuple) else (dataset,)
    for v in inputs.values:
        side = v if isinstance(v, tuple) else (v,)
        if len(side) == len(wanted) and all(
            a == b or (a.head == "label" and a.args[0] == b) or _equal(a, b)
            for a, b in zip(side, wanted, strict=True)
        ):
            return side
    raise BadInput(
        "dataset",
        f"{display_name(str(dataset))} is not one of the mechanism's values",
        "give one of them",
    )


def _equal(a: Expression, b: object) -> bool:
    if a.head == "label" or (isinstance(b, Expression) and b.head == "label"):
        return False
    return value_key(a) == value_key(parse(b) if isinstance(b, str) else expression(b))


def distance_between(
    mechanism: Mechanism,
    first: object,
    second: object,
    level: Body | str,
    parameters: Mapping[str, object] | None = None,
) -> Expression:
    """The distance of two inputs at a level: of datasets the sum of level |h - h'| over the
    records, of values and query answers the level itself.

    Raises BadInput for a level without a value, and for datasets over a universal domain, whose
    records are not listed; NotWorkedOut for a level whose value was not found.
    """
    (claim, first_example), (_, second_example) = (
        checker_input(mechanism, d, parameters or {}) for d in (first, second)
    )
    given, inputs = dict(first_example.parameters), mechanism.inputs
    bound = record_expression(parse(level, "level") if isinstance(level, str) else level)
    check_comparisons(bound, inputs.choices, "level")
    cure = "use a level of the records of a listed domain, or a constant"
    if isinstance(inputs, Domain) and inputs.is_universal:
        raise BadInput("dataset", "the records of a universal domain are not listed", cure)
    try:
        if isinstance(inputs, Domain):
            gaps = [
                (i, abs(a.args[0] - b.args[0]))
                for i, (a, b) in enumerate(
                    zip(first_example.first, second_example.first, strict=True)
                )
            ]
            terms = [
                (gap, value_at_instance(bound, counted_record(claim, first_example, i), given))
                for i, gap in gaps
                if gap
            ]
            found = (
                oo
                if any(e == oo for _, e in terms)
                else constant_tree(add(ZERO, *(multiply(number(gap), e) for gap, e in terms)))
            )
        else:
            at = substitute(bound, given)
            if inputs.pair_names:
                at = level_of_pair(inputs, at, first_example.first, second_example.first)
            found = constant_tree(level_between_values(at, Context.empty()))
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise no_value_error(why, "level", f"for these two inputs {bound}", cure) from None
    if names(found):
        raise BadInput(
            "level",
            f"the name {min(names(found))} is not known",
            "use x and eps of the record, v and other, or parameters",
        )
    if found != oo and constant_sign(normal(found, Context.empty())) == -1:
        raise BadInput("level", f"{bound} is negative here", "levels lie in [0, oo]")
    return found
