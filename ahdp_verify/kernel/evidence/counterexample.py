"""Two concrete inputs, an event, and what is needed to compute both probabilities again.

Inputs are counts of records (of the domain, or of concrete instances of a universal domain's
record), a value, or query answers. `first` is the input whose probability of the event exceeds the
claimed bound. Nothing here is believed: `ahdp_verify.kernel.checker.refute` computes everything
again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ahdp_verify.kernel.errors import BadInput, NotDecided, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import ByRule, Certificate, Mass
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values, value_at_bindings
from ahdp_verify.kernel.model.mechanism import dataset_nodes
from ahdp_verify.kernel.model.neighbours import Nodes, substitute_nodes
from ahdp_verify.kernel.model.replacements import known_equal, moved_places, rules_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import (
    known_truth,
    normal,
    refusal_text,
    to_expression,
    truth,
)
from ahdp_verify.kernel.terms.expression import (
    ARITHMETIC,
    ZERO,
    Expression,
    Max,
    Min,
    add,
    aggregates,
    eq,
    multiply,
    names,
    number,
    oo,
    piecewise,
    substitute,
    transform,
    walk,
)

Instance = tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A refutation that is still to be checked.

    parameters      values of the claim's parameters
    instances       for a universal domain: the concrete records, as values of its unknowns (eps may
                    be oo)
    first, second   counts in the order of the records, or one value (its parts), or query answers
    event           the event whose probability at `first` violates the claimed bound
    points          for each output the points between which the laws are sums of exponentials, one
                    table for each input
    """

    parameters: tuple[tuple[str, Expression], ...]
    instances: tuple[Instance, ...]
    first: tuple[Expression, ...]
    second: tuple[Expression, ...]
    event: Event
    points: tuple[Points, Points] = ((), ())

    def in_bounded_box(self, claim: Claim) -> bool:
        """Whether the event is a bounded box of several real outputs under laws without points."""
        ends = [end for _, *both in self.event.intervals for end in both]
        real = all(o.kind == "real" for o in claim.mechanism.outputs)
        return real and self.points == ((), ()) and len(ends) > 2 and None not in ends


@dataclass(frozen=True, slots=True)
class ProvedInstance:
    """A claim that some mechanism satisfies what is assumed of an abstract one, and its proof."""

    claim: Claim
    certificate: Certificate | ByRule


@dataclass(frozen=True, slots=True)
class InstanceCounterexample:
    """A refutation of a claim about a composite or abstract mechanism: a counterexample to the same
    claim about a mechanism given by its density.

    instances        one for each abstract mechanism, in order of appearance
    size             where a sample is taken, the distribution is one expression for datasets of at most
                     so many records; else None
    counterexample   to the claim about the resulting distribution
                     (`ahdp_verify.kernel.rules.joint_law`)
    """

    instances: tuple[ProvedInstance, ...]
    size: int | None
    counterexample: Counterexample


@dataclass(frozen=True, slots=True)
class ImageCounterexample:
    """A refutation of a claim about formulas that post-process an output and are not one-to-one: a
    counterexample to the same claim about their part, whose event is the preimage of `image`, an
    event on what they release.

    instances, size, counterexample    as in an `InstanceCounterexample`
    """

    instances: tuple[ProvedInstance, ...]
    size: int | None
    counterexample: Counterexample
    image: Event


OfInstances = InstanceCounterexample | ImageCounterexample


@dataclass(frozen=True, slots=True)
class Total:
    """A proof that a law is nonnegative and has total 1 at all inputs, and the kind of state it
    refers to.
    """

    counts: bool
    mass: Mass


EMPTY = Context.empty()


def counted_record(claim: Claim, example: Counterexample, i: int) -> Instance:
    """The concrete record that count number i refers to, as values of names: one of the domain, or
    one of the example's own.
    """
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, Domain):
        raise Rejected("the input is not a dataset")
    if inputs.is_universal:
        return example.instances[i]
    given = dict(example.parameters)
    return tuple(
        (k, v if v.head == "label" else constant_tree(substitute(v, given)))
        for k, v in inputs.records[i].bindings.items()
    )


def _counts_length(claim: Claim, example: Counterexample) -> int:
    """The number of records that the counts refer to."""
    inputs = claim.mechanism.inputs
    return (
        len(example.instances)
        if isinstance(inputs, Domain) and inputs.is_universal
        else len(inputs.records)
        if isinstance(inputs, Domain)
        else 0
    )


def present_records(
    claim: Claim, example: Counterexample, side: tuple[Expression, ...]
) -> list[tuple[Instance, int]]:
    """The records that a dataset contains, with their counts."""
    counts = whole_counts(side, _counts_length(claim, example))
    return [(counted_record(claim, example, i), h) for i, h in enumerate(counts) if h]


def constant_tree(e: Expression) -> Expression:
    """The canonical tree of a constant, oo included."""
    return e if e == oo else to_expression(normal(e, EMPTY))


def value_at_instance(e: Expression, record: Instance, given: dict[str, Expression]) -> Expression:
    """The value of a record expression at a concrete record; at demand oo its limit."""
    return value_at_bindings(
        substitute(e, {k: v for k, v in given.items() if k not in dict(record)}),
        dict(record),
        EMPTY,
    )


def side_nodes(
    claim: Claim,
    example: Counterexample,
    side: tuple[Expression, ...],
    wanted: tuple[Expression, ...] | None = None,
) -> Nodes:
    """The values of the nodes of the distribution at one side of the example; of the record
    aggregates, those requested (by default all).
    """
    inputs, given = claim.mechanism.inputs, dict(example.parameters)
    if not isinstance(inputs, Domain):
        return rules_of(inputs).nodes(claim.mechanism, side, given)
    held = present_records(claim, example, side)
    return {
        node: aggregate_value(node, held, given)
        for node in (dataset_nodes(claim.mechanism) if wanted is None else wanted)
    }


def whole_counts(side: tuple[Expression, ...], length: int) -> tuple[int, ...]:
    """The counts of a dataset; Rejected for anything but `_counts_length` integers of at least
    0.
    """
    if len(side) != length:
        raise Rejected("a dataset has one integer count for each record")
    return tuple(
        0 if c is ZERO else _whole(c) for c in side
    )  # nearly all are the shared ZERO: a fast path for large domains


def _whole(c: Expression) -> int:
    if c.head != "number" or c.args[0].denominator != 1 or c.args[0] < 0:
        raise Rejected("a dataset has one integer count for each record")
    return int(c.args[0])


def aggregate_value(
    node: Expression, held: list[tuple[Instance, int]], given: dict[str, Expression]
) -> Expression:
    """The value of a record sum, maximum or minimum on a concrete dataset."""
    values = [(value_at_instance(node.args[0], r, given), h) for r, h in held]
    if any(part == oo for value, _ in values for part in walk(value)):
        raise Rejected("a record has an infinite weight")
    if node.head == "sum":
        return constant_tree(add(number(0), *(multiply(number(h), value) for value, h in values)))
    if not values:
        raise BadInput(
            str(node), "it is undefined at the empty dataset", 'state defined = "size >= 1"'
        )
    return constant_tree((Max if node.head == "maximum" else Min)(*(value for value, _ in values)))


def law_at(
    claim: Claim, example: Counterexample, side: tuple[Expression, ...]
) -> tuple[Expression, tuple[tuple[Expression, Expression], ...]]:
    """The density and the atoms at one side, with only the outputs left as names; Rejected
    outside `defined`.
    """
    given, m = dict(example.parameters), claim.mechanism
    if not truth(
        substitute(
            substitute_nodes(m.defined, side_nodes(claim, example, side, aggregates(m.defined))),
            given,
        ),
        EMPTY,
    ):
        raise Rejected("the mechanism is not defined there")
    nodes = side_nodes(claim, example, side)
    law = _without_false_branches(
        substitute(substitute_nodes(expand_indexed_parts(m.density, nodes), nodes), given)
    )
    return law, tuple(
        (at, _without_false_branches(substitute(substitute_nodes(mass, nodes), given)))
        for at, mass in m.atoms
    )


def _without_false_branches(e: Expression) -> Expression:
    """e without the branches whose conditions are about constants and do not hold, so that their
    values are never computed.
    """

    def remaining(node: Expression) -> Expression | None:
        if node.head != "piecewise":
            return None
        known = [None if names(c) else known_truth(c, EMPTY) for c in node.args[1::2]]
        left = [i for i, holds in enumerate(known) if holds is not False]
        if not left or (len(left) == len(known) and known[0] is None):
            return None
        if known[left[0]] is True:
            return _without_false_branches(node.args[2 * left[0]])
        return Expression(
            "piecewise",
            tuple(
                part
                for i in left
                for part in (_without_false_branches(node.args[2 * i]), node.args[2 * i + 1])
            ),
        )

    return transform(e, remaining)


def expand_indexed_parts(e: Expression, nodes: Nodes) -> Expression:
    """e with every part x[k] of a computed number k written as a choice among the existing
    parts.
    """

    def choice(part: Expression) -> Expression | None:
        if part.head != "index":
            return None
        base, i = part.args
        names = [n for n in nodes if n.head == "name" and n.args[0].startswith(f"{base.args[0]}[")]
        return piecewise(*((n, eq(i, n.args[0][len(base.args[0]) + 1 : -1])) for n in names))

    return transform(e, choice)


def level_of_move(claim: Claim, example: Counterexample) -> Expression:
    """The level of the move between the two sides; Rejected if the relation has no such move."""
    given, inputs = dict(example.parameters), claim.mechanism.inputs
    if not isinstance(inputs, Domain):
        level = substitute(claim.level, given)
        return constant_tree(
            rules_of(inputs).level_between(claim.relation, level, example.first, example.second)
        )
    return _dataset_level(claim, example, given)


def delta_of_move(claim: Claim, example: Counterexample) -> Expression:
    """The delta of the move between the two sides."""
    if claim.delta_nodes:
        return level_of_move(replace(claim, level=claim.delta), example)
    return substitute(claim.delta, dict(example.parameters))


def _dataset_level(
    claim: Claim, example: Counterexample, given: dict[str, Expression]
) -> Expression:
    before, after = (
        whole_counts(side, _counts_length(claim, example))
        for side in (example.first, example.second)
    )
    moved = moved_places(claim.relation, before, after)
    records = [counted_record(claim, example, w) for w in moved]
    if claim.relation == "hdp":
        old, new = map(dict, records)
        if not all(known_equal(old[part], new[part], EMPTY) for part in ("eps", *claim.public)):
            raise Rejected("the replaced record has another demand or another public part")
        return _smaller(*(value_at_instance(claim.level, r, given) for r in records))
    if claim.relation == "ahdp":
        return value_at_instance(claim.level, records[0], given)
    return constant_tree(substitute(claim.level, given))


def _smaller(a: Expression, b: Expression) -> Expression:
    """The smaller of two levels: a replacement may be read from either side, and each level bounds
    the loss in both directions.
    """
    if oo in (a, b):
        return b if a == oo else a
    return b if truth(Expression("<=", (b, a)), EMPTY) else a


def check_example_conditions(claim: Claim, example: Counterexample) -> None:
    """Nothing if the parameters and the instances satisfy their conditions; Rejected otherwise."""
    given = dict(example.parameters)
    m = claim.mechanism
    if sorted(n for n, _ in example.parameters) != sorted(n for n, _ in m.parameters):
        raise Rejected("the parameters are not those of the mechanism")
    given_numbers = [v for _, v in example.parameters] + [
        v for r in example.instances for k, v in r if (k, v) != ("eps", oo)
    ]
    given_numbers += [] if isinstance(m.inputs, Values) else [*example.first, *example.second]
    if any(
        part.head not in ("number", "pi", *ARITHMETIC) for v in given_numbers for part in walk(v)
    ):
        raise Rejected("a parameter, an unknown or an input is not a number")
    wanted = [substitute(c, given) for _, c in m.parameters]
    if isinstance(m.inputs, Domain) and not m.inputs.is_universal:
        wanted += [number(0) <= substitute(r.demand, given) for r in m.inputs.records]
    own = m.inputs.unknowns if isinstance(m.inputs, Domain) and m.inputs.is_universal else None
    for record in example.instances:
        if own is None or {k for k, _ in record} != {u for u, _ in own}:
            raise Rejected("an instance does not give a value to every unknown")
        wanted += [substitute(c, {**given, **dict(record)}) for _, c in own]
    for condition in wanted:
        try:
            if not truth(condition, EMPTY):
                raise Rejected(f"the condition {condition} does not hold")
        except (Undecided, Unsupported) as reason:
            raise NotDecided(
                f"the condition {condition} is not decided: {refusal_text(reason)}"
            ) from None
