"""Error rates of a test, the region of error rates that a level allows, and the odds of an
adversary who knows a prior; all exact.

A mechanism has privacy loss at most d between D and D', in both directions, if and only if every
event R has

    e1 + e^d e2 >= 1  and  e2 + e^d e1 >= 1,   e1 = P(R | D),  e2 = 1 - P(R | D')

(paper, thm:HT, read for all *ordered* pairs; one order is not enough. Wasserman and Zhou 2010,
Kairouz et al. 2015), that is if their trade-off curve lies in this region. At d = oo there is no
condition: the display, read with oo * 0 = 0, would fail for inputs that a mechanism distinguishes
without error, which level oo allows.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.kernel.model.outputs import finite
>>> from ahdp_verify.analysis.testing.tradeoff import tradeoff
>>> flip = Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density=parse("piecewise((3/4, r == v), (1/4, true))", "law"))
>>> print(error_rates(flip, 0, 1, "r == 1"))
type I error 1/4, type II error 1/4
>>> curve = tradeoff(flip, 0, 1)
>>> print(implied_level(curve), satisfies(curve, "log(3)"), satisfies(curve, "log(299/100)"))
log(3) True False
>>> print(odds(flip, 0, 1, 1, 0))
prior odds 1, posterior odds 3, ratio 3
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ahdp_verify.analysis.inputs import LawAtInput, constant_of, law_at_input
from ahdp_verify.analysis.testing.likelihood_ratio import (
    Quotient,
    ceiling_if_integer,
    compare_quotients,
    ratio_cells,
    require_sign,
    short_expression,
)
from ahdp_verify.analysis.testing.tradeoff import (
    Tradeoff,
    constant_to_ratio,
    read_constant,
    translate_errors,
)
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.mechanism import CONDITION, Mechanism, name_scope
from ahdp_verify.kernel.model.mechanism import check_kind as check_kind
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import is_whole, normal, to_expression, truth
from ahdp_verify.kernel.rules.events import ascending_points, check_event, event_probability
from ahdp_verify.kernel.rules.integration import factors_by_output, nonnegative_value
from ahdp_verify.kernel.terms.expression import (
    CONDITIONS,
    Expression,
    boolean,
    conjuncts,
    expression,
    indicator,
    label,
    multiply,
    names,
    oo,
    substitute,
    transform,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.antiderivatives import points_with_antiderivatives
from ahdp_verify.search.proving.total_mass import output_breakpoints

EMPTY = Context.empty()
Given = Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of the test that rejects the first input on an event: P(event | D) and 1 -
    P(event | D').
    """

    type_one: Expression
    type_two: Expression

    __repr__ = short_repr

    def __str__(self) -> str:
        return f"type I error {self.type_one}, type II error {self.type_two}"


def error_rates(
    mechanism: Mechanism,
    first: object,
    second: object,
    event: Event | Expression | str,
    *,
    parameters: Given = None,
) -> Errors:
    """The errors of rejecting `first` on an event, for every mechanism whose event probabilities
    have a closed form.

    event   an `Event`, or a condition on the outputs, as an expression or a text: "s >= 1 and r ==
            0"
    Raises BadInput for an event about anything else, and for probabilities without a
    closed form.
    """
    wanted = (
        event
        if isinstance(event, Event)
        else parse(event, "event")
        if isinstance(event, str)
        else expression(event)
    )
    outputs = {o.name for o in mechanism.outputs}
    if isinstance(wanted, Expression) and (
        wanted.head not in (*CONDITIONS, "boolean") or not names(wanted) <= outputs
    ):
        raise BadInput(
            "event",
            f"{wanted} is not a condition on the outputs {', '.join(sorted(outputs))}",
            "write for example s >= 1",
        )
    if isinstance(wanted, Expression):
        check_kind(
            wanted,
            (CONDITION,),
            name_scope(mechanism, "event", mechanism.outputs, (at for at, _ in mechanism.atoms)),
        )
    if isinstance(wanted, Event):
        check_set(wanted, mechanism)
    found = []
    for dataset in (first, second):
        there = law_at_input(mechanism, dataset, parameters)
        with translate_errors(
            "event",
            "exact probabilities are available for boxes, and for densities that are sums of "
            "exponentials on finitely many pieces",
        ):
            found.append(
                event_probability_at_input(there, wanted)
                if isinstance(wanted, Event)
                else _condition_probability(there, wanted)
            )
    return Errors(short_expression(found[0]), short_expression(constant(1) - found[1]))


def check_set(event: Event, mechanism: Mechanism) -> None:
    """Passes, or raises BadInput for an event that does not determine a set of outputs."""
    try:
        check_event(event, mechanism.atoms, mechanism.outputs)
    except Unsupported as why:
        raise BadInput(
            "event",
            why.reason,
            "give an interval with an end, values of finite outputs, or points of mass",
        ) from None


def event_probability_at_input(there: LawAtInput, event: Event) -> Ratio:
    """The probability of an event at one input."""
    return event_probability(
        there.density,
        there.atoms,
        there.outputs,
        event,
        points_with_evidence(there, there.density),
    )


def _condition_probability(there: LawAtInput, condition: Expression) -> Ratio:
    """The probability that a condition on the outputs holds."""
    unlabelled = frozenset(o.name for o in there.outputs if o.kind != "finite")

    def without_labels(e: Expression) -> Expression | None:
        """The value of a comparison of a number with a label."""
        sides = (
            {a.head for a in e.args} if e.head in ("==", "!=") and names(e) <= unlabelled else set()
        )
        return boolean(e.head == "!=") if sides == {"name", "label"} else None

    density = multiply(
        there.density, *(indicator(c) for c in conjuncts(transform(condition, without_labels)))
    )
    holds = tuple(
        at
        for at, _ in there.atoms
        if truth(substitute(condition, {there.outputs[0].name: at}), EMPTY)
    )
    masses = (nonnegative_value(mass, EMPTY) for at, mass in there.atoms if at in holds)
    return event_probability(
        density, (), there.outputs, Event(), points_with_evidence(there, density)
    ) + sum(masses, constant(0))


def points_with_evidence(there: LawAtInput, density: Expression) -> Points:
    """The points of `exponential_breakpoints`, and beside them the antiderivatives that the checker
    tests where the law is not a sum of exponentials.
    """
    listed = [o.name for o in there.outputs]
    parts = dict(zip(listed, factors_by_output(density, tuple(listed))[1], strict=True))
    here = Context.empty(frozenset(o.name for o in there.outputs if o.kind == "integer"))
    outputs = {o.name: o for o in there.outputs}
    found = []
    for key, points in exponential_breakpoints(there, density):
        try:
            ends = ascending_points([normal(p, here) for p in points], here)
            found.append((key, points_with_antiderivatives(parts[key], outputs[key], ends, here)))
        except (Undecided, Unsupported, ZeroDivisionError):
            found.append((key, points))  # points that depend on other outputs have no order here
    return tuple(found)


def exponential_breakpoints(there: LawAtInput, density: Expression) -> Points:
    """For each output that is not finite the points between which a law is a sum of
    exponentials.
    """
    here = Context.empty(frozenset(o.name for o in there.outputs if o.kind == "integer"))
    table: dict[str, tuple[Expression, ...]] = {}
    for o, part in zip(
        there.outputs,
        factors_by_output(density, tuple(o.name for o in there.outputs))[1],
        strict=True,
    ):
        if o.kind != "finite":
            table[o.name] = tuple(
                dict.fromkeys(
                    to_expression(ceiling_if_integer(p, o, here))
                    for p in output_breakpoints(part, o, here)
                )
            )
    return tuple(table.items())


@dataclass(frozen=True, slots=True)
class PrivacyRegion:
    """The pairs of errors that a level leaves possible: alpha + e^level beta >= 1 and beta +
    e^level alpha >= 1; at level oo all of [0, 1]^2.
    """

    level: Expression

    __repr__ = short_repr

    @property
    def corner(self) -> Expression:
        """The error 1/(1 + e^level) of the best test whose two errors are equal; 0 at level oo."""
        return to_expression(
            constant(0)
            if self.level == oo
            else constant(1) / (constant(1) + exp_of(constant_to_ratio(self.level)))
        )

    def contains(self, alpha: object, beta: object) -> bool | None:
        """Whether errors lie in the region; None where enclosures leave it open."""
        x, y = (read_constant(e, "error") for e in (alpha, beta))
        signs = [constant_sign(e) for e in (x, y, constant(1) - x, constant(1) - y)]
        if self.level != oo:
            factor = exp_of(constant_to_ratio(self.level))
            signs += [
                constant_sign(x + factor * y - constant(1)),
                constant_sign(y + factor * x - constant(1)),
            ]
        return False if -1 in signs else None if None in signs else True


def privacy_region(level: object) -> PrivacyRegion:
    """The region of a level, a constant in [0, oo]."""
    found = constant_of(level, "level")
    known = 1 if found == oo else constant_sign(constant_to_ratio(found))
    if known == -1:
        raise BadInput("level", f"{str(level)[:40]} is negative", "levels are constants in [0, oo]")
    if known is None:
        raise NotWorkedOut(
            "level",
            f"{str(level)[:40]} was not shown to be at least 0",
            "levels are constants in [0, oo]",
        )
    return PrivacyRegion(found)


def implied_level(curve: Tradeoff) -> Expression:
    """The least level in whose region the curve lies: the largest loss between the two inputs,
    in both directions; oo if there is no bound.
    """
    return curve.level


def satisfies(curve: Tradeoff, level: object) -> bool | None:
    """Whether the curve lies in the region of a level, always so at oo; None where enclosures leave
    it open.

    It does if the steepest and the flattest line along it do, which are the largest and the least
    likelihood ratio.
    """
    region = privacy_region(level)
    if region.level == oo:
        return True
    factor, (q, p), (least, most) = (
        exp_of(constant_to_ratio(region.level)),
        curve.cells[0].top,
        curve.cells[-1].bottom,
    )
    signs = {constant_sign(factor * p - q), constant_sign(factor * least - most)}
    return False if -1 in signs else None if None in signs else True


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of D against D' before (`prior`) and after (`posterior`) an output was seen, and
    their quotient, law(D) / law(D') there; each may be oo.
    """

    prior: Expression
    posterior: Expression
    ratio: Expression

    __repr__ = short_repr

    def __str__(self) -> str:
        return f"prior odds {self.prior}, posterior odds {self.posterior}, ratio {self.ratio}"

    def within(self, level: object) -> bool | None:
        """Whether the ratio lies in [e^-level, e^level]; None where enclosures leave it open."""
        bound = privacy_region(level).level
        if bound == oo:
            return True
        if self.ratio == oo:
            return False
        factor, r = exp_of(constant_to_ratio(bound)), constant_to_ratio(self.ratio)
        signs = {constant_sign(factor - r), constant_sign(factor * r - constant(1))}
        return False if -1 in signs else None if None in signs else True


def odds(
    mechanism: Mechanism,
    first: object,
    second: object,
    prior: object,
    output: object,
    *,
    parameters: Given = None,
) -> Odds:
    """The odds of `first` against `second` once an output is seen.

    prior   the odds before, a positive number, or the pair of prior probabilities of the two inputs
    output  a value, for several outputs a table name -> value; a label or a number
    Raises BadInput for an output that occurs at neither input.
    """
    weights = prior if isinstance(prior, tuple | list) else (prior, 1)
    if len(weights) != 2:
        raise BadInput(
            "prior",
            f"{len(weights)} numbers are given",
            "give the odds, or the prior probabilities of the two inputs",
        )
    first_weight, second_weight = (read_constant(w, "prior") for w in weights)
    if require_sign(first_weight) <= 0 or require_sign(second_weight) <= 0:
        raise BadInput(
            "prior",
            "a weight is 0 or negative, and one of 0 leaves nothing to learn",
            "give positive numbers",
        )
    with translate_errors("output", "choose an output at which both densities have a value"):
        p, q = (
            _law_at_output(law_at_input(mechanism, d, parameters), output) for d in (first, second)
        )
    if p.is_zero and q.is_zero:
        raise BadInput("output", f"{output} occurs at neither input", "choose another output")
    odds_before = first_weight / second_weight
    change = oo if q.is_zero else short_expression(p / q)
    return Odds(
        short_expression(odds_before),
        oo if q.is_zero else short_expression(odds_before * p / q),
        change,
    )


def _law_at_output(there: LawAtInput, output: object) -> Ratio:
    """The density, or the probability, of an output at one input."""
    table = output if isinstance(output, Mapping) else {there.outputs[0].name: output}
    if set(table) != {o.name for o in there.outputs}:
        raise BadInput(
            "output",
            f"{str(output)[:40]} is not a value of {', '.join(o.name for o in there.outputs)}",
            'give a table such as {"s": 1, "r": "yes"}',
        )
    values = {}
    for o in there.outputs:
        known = [*o.values, *(at for at, _ in there.atoms)]
        values[o.name] = _output_value(table[o.name], known, o.name)
        if (o.kind == "finite" and values[o.name] not in o.values) or (
            values[o.name].head == "label" and values[o.name] not in known
        ):
            raise BadInput(
                "output",
                f"{table[o.name]} is not a value of {o.name}",
                f"its values are {', '.join(map(str, known[:8])) or 'numbers'}",
            )
        if (
            o.kind == "integer"
            and values[o.name] not in known
            and not is_whole(normal(values[o.name], EMPTY), EMPTY)
        ):
            raise BadInput(
                "output", f"{table[o.name]} is not a value of {o.name}", "it is a whole number"
            )
    mass = dict(there.atoms).get(values[there.outputs[0].name])
    if mass is not None and not (found := nonnegative_value(mass, EMPTY)).is_zero:
        return found
    if any(values[o.name].head == "label" and o.kind != "finite" for o in there.outputs):
        return constant(0)
    return nonnegative_value(substitute(there.density, values), EMPTY)


def _output_value(value: object, known: Iterable[Expression], where: str) -> Expression:
    """A label if that is one of the known values, else a constant."""
    if isinstance(value, str) and label(value) in known:
        return label(value)
    return (
        value
        if isinstance(value, Expression) and value.head == "label"
        else constant_of(value, where)
    )


def odds_range(
    mechanism: Mechanism, first: object, second: object, *, parameters: Given = None
) -> tuple[Expression, Expression]:
    """The least and the largest ratio of posterior to prior odds of `first` against `second`,
    over all outputs; ends may be 0 and oo, or limits.
    """
    first_law, second_law = (law_at_input(mechanism, d, parameters) for d in (first, second))
    with translate_errors("odds"):
        listed = ratio_cells(first_law, second_law)
        most, least = listed[0].top, listed[0].bottom
        for c in listed[1:]:
            most, least = (
                (c.top if compare_quotients(c.top, most) > 0 else most),
                (c.bottom if compare_quotients(c.bottom, least) < 0 else least),
            )
    return _inverse(most), _inverse(least)


def _inverse(x: Quotient) -> Expression:
    """The inverse of a quotient."""
    return oo if x[0].is_zero else short_expression(x[1] / x[0])
