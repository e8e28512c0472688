"""Whether the mechanism is well defined: at small inputs its distribution has a value, is nowhere
negative and has total 1.

A fault is reported only where it was found: at a concrete input, and a concrete output unless it is
the total, by exact values computed there. It is bad input. Finding no fault proves nothing (the
`Mass` certificate does), and what cannot be computed here is not a fault: the procedures report
what they could not show.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import prod

from ahdp_verify.display.input_text import dataset_text, side_text
from ahdp_verify.kernel.errors import (
    BadInput,
    DecayNotShown,
    LawFault,
    Rejected,
    Undecided,
    Undefined,
    Unsupported,
)
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    check_example_conditions,
    law_at,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.domain import Domain, Queries, value_at_record
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.numbers.algebra import (
    Ratio,
    constant,
    exponential_form,
    ratio_names,
)
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import message_text, normal, to_expression
from ahdp_verify.kernel.rules.events import ascending_points, total_probability
from ahdp_verify.kernel.rules.integration import factors_by_output, piece_context
from ahdp_verify.kernel.terms.expression import (
    ONE,
    Expression,
    names,
    number,
    oo,
    substitute,
    walk,
)
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.antiderivatives import points_with_antiderivatives
from ahdp_verify.search.proving.total_mass import output_breakpoints
from ahdp_verify.search.refuting.float_screen import FloatScreen
from ahdp_verify.search.refuting.small_inputs import (
    GIVEN,
    assignments,
    neighbouring_inputs,
    simple_records,
)

INPUTS = 6  # inputs examined before anything else
MORE = 200  # inputs that are examined once the total was not shown to be 1
# copies of one record, tried where a claim is refuted and the total was not shown to be 1
COPIES = (3, 4, 5, 8, 12)
LARGE = (16, 24, 40, 64, 100)  # copies of one record beyond the limit on records
# further dataset sizes that occur in the formula, and the largest of them
NAMED, LARGEST = 12, 1000
# combinations of outputs at which the density is computed; measured: with 256 this took three
# quarters of the time of claims about two or more outputs
LISTED = 32
EMPTY = Context.empty()
NEAR = (
    Fraction(3, 7),
    Fraction(-1, 7),
    Fraction(2),
    Fraction(-2),
)  # outputs tried where no breakpoints are known; rarely special points of a density
# laws with the inputs at which no fault was found: the claims of one file, and the steps of one
# derivation, are often about the same law
KEPT = 1024
FAULTLESS: dict[object, None] = {}
Atoms = tuple[tuple[Expression, Expression], ...]
OutputValues = dict[str, Expression]


def check_deltas(claim: AnyClaim) -> None:
    """Passes, or raises BadInput for a delta that lies outside of [0, 1] at a listed record: it may
    be a level that stands in the wrong place.
    """
    inputs, delta = claim.mechanism.inputs, claim.delta
    listed = inputs.records if isinstance(inputs, Domain) else ()
    for r in listed if names(delta) & set(inputs.bound) else ():
        try:
            found = value_at_record(delta, r, EMPTY)
            signs = (
                ()
                if found == oo
                else [constant_sign(normal(e, EMPTY)) for e in (found, ONE - found)]
            )
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
        if found == oo or -1 in signs:
            said = f"{delta} is {found} at the record {r}"
            raise BadInput("delta", said, "a delta lies in [0, 1]; write for example min(1, ...)")


def check_smallest_inputs(claim: Claim, clock: Clock) -> None:
    """Passes, or raises `LawFault` with one of the smallest inputs at which the law is undefined,
    negative or of another total than 1.
    """
    check_examples(claim, smallest_inputs(claim, clock), INPUTS, clock)


def smallest_inputs(claim: Claim, clock: Clock) -> Iterator[Counterexample]:
    """Pairs whose first inputs are the smallest ones, each once."""
    listed = itertools.islice(neighbouring_inputs(claim, clock, 2), 4 * INPUTS)
    return itertools.islice(with_distinct_inputs(listed), INPUTS)


def check_more_inputs(claim: Claim, clock: Clock) -> None:
    """The same for more and larger inputs."""
    check_examples(claim, larger_examples(claim, clock), MORE, clock)


def check_crowded_inputs(claim: Claim, clock: Clock) -> None:
    """The same at a few datasets of several equal records."""
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Domain):
        sizes = dict.fromkeys((*COPIES, *itertools.islice(named_sizes(claim), NAMED)))
        check_examples(
            claim,
            (example for copies in sizes for example in crowds_of_copies(claim, inputs, copies)),
            MORE,
            clock,
        )


def check_exact_totals(claim: Claim, clock: Clock) -> None:
    """The same for the smallest inputs, where floats see a total of 1 too."""
    check_examples(claim, smallest_inputs(claim, clock), INPUTS, clock, exact=True)


def check_examples(
    claim: Claim,
    examples: Iterator[Counterexample],
    most: int,
    clock: Clock,
    *,
    exact: bool = False,
) -> None:
    """Passes, or raises `LawFault` at the first of different inputs of the examples, at most so
    many and while the clock allows it; totals that floats see are believed unless `exact`.
    """
    screen, m = FloatScreen.of(claim), claim.mechanism
    law = (m.inputs, m.parameters, m.outputs, m.density, m.atoms, m.defined)
    for example in itertools.islice(with_distinct_inputs(examples), most):
        examined = (law, example.parameters, example.instances, example.first, exact)
        try:
            if examined not in FAULTLESS:
                check_example(claim, example, screen, exact)
                while len(FAULTLESS) >= KEPT:
                    del FAULTLESS[next(iter(FAULTLESS))]
                FAULTLESS[examined] = None
        except LawFault:  # the values of names were chosen in floats
            if has_allowed_values(claim, example):
                raise
        if not clock.left:
            return


def has_allowed_values(claim: Claim, example: Counterexample) -> bool:
    """Whether the parameters and the records of an example satisfy their conditions, exactly."""
    try:
        check_example_conditions(claim, example)
    except Rejected:
        return False
    return True


def with_distinct_inputs(examples: Iterator[Counterexample]) -> Iterator[Counterexample]:
    """The examples whose first inputs no other one has before them."""
    seen: set[tuple[object, ...]] = set()
    for example in examples:
        key = (example.parameters, example.instances, example.first)
        if key not in seen:
            seen.add(key)
            yield example


def larger_examples(claim: Claim, clock: Clock) -> Iterator[Counterexample]:
    """Many copies of one record, fewest first, then all small inputs."""
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Domain):
        for copies in (*range(1, clock.limits.records + 1), *LARGE):
            yield from crowds_of_copies(claim, inputs, copies)
    yield from neighbouring_inputs(claim, clock, clock.limits.records)


def crowds_of_copies(claim: Claim, domain: Domain, copies: int) -> Iterator[Counterexample]:
    """Datasets of so many copies of one of the first records, for the first values of the
    parameters.
    """
    for given in assignments(claim.mechanism.parameters, {}, GIVEN // 4):
        base = Counterexample(tuple(given.items()), (), (), (), Event())
        if domain.is_universal:
            for record in simple_records(domain.unknowns, given)[:4]:
                yield replace(base, instances=(record,), first=(number(copies),))
        else:
            for w in range(min(4, len(domain.records))):
                yield replace(
                    base,
                    first=tuple(
                        number(copies if i == w else 0) for i in range(len(domain.records))
                    ),
                )


def named_sizes(claim: Claim) -> Iterator[int]:
    """Whole numbers that occur in comparisons of the law, and their neighbours."""
    m = claim.mechanism
    for e in (m.density, *(mass for _, mass in m.atoms)):
        for node in walk(e):
            for part in node.args if node.head in ("==", "!=", "<", "<=") else ():
                if part.head == "number" and 0 < part.args[0] <= LARGEST:
                    yield from (n for n in (int(part.args[0]), int(part.args[0]) + 1) if n)


def check_example(
    claim: Claim, example: Counterexample, screen: FloatScreen, exact: bool = False
) -> None:
    """The same for the first input of one example; unless `exact`, nothing is computed exactly
    where floats see enough.
    """
    m, seen = claim.mechanism, screen.sees_no_fault(example)
    if seen and not exact and (screen.laws.can_list or screen.sees_total(example)):
        return
    at = "".join(f"{k} = {v}, " for k, v in example.parameters) + input_text(claim, example)
    try:
        law, atoms = law_at(claim, example, example.first)
    except (Rejected, Undecided, Unsupported):
        return  # not examined here: the procedures state why they decline
    except ZeroDivisionError:
        raise undefined_law_fault(m, at, "its density or a probability divides by 0") from None
    if not seen:
        check_atom_masses(m, atoms, at)
        for values in trial_outcomes(law, m.outputs):
            check_outcome_law(m, law, values, at)
    check_concrete_total(m, law, atoms, at)


def undefined_law_fault(m: Mechanism, at: str, fault: str) -> LawFault:
    """The fault of a density that has no value."""
    cure = 'change the formula or state where it is defined, for example defined = "size >= 1"'
    return LawFault(display_name(m.name) or "mechanism", at, fault, cure)


def check_atom_masses(m: Mechanism, atoms: Atoms, at: str) -> None:
    """Passes, or raises `LawFault` for a point of mass with a negative probability, or with
    none.
    """
    for output, mass in atoms:
        check_constant(m, mass, f"{at}, output {output}", "probability")


def check_outcome_law(m: Mechanism, law: Expression, values: OutputValues, at: str) -> None:
    """Passes, or raises `LawFault` for an output at which the law is negative or has no value."""
    place = f"{at}, output " + ", ".join(f"{k} = {v}" for k, v in values.items())
    finite = all(o.kind != "real" for o in m.outputs)
    check_constant(m, substitute(law, values), place, "probability" if finite else "density")


def check_constant(m: Mechanism, e: Expression, place: str, what: str) -> None:
    """Passes, or raises `LawFault` for a constant that is negative or has no value."""
    try:
        r = normal(e, EMPTY)
    except ZeroDivisionError:
        raise undefined_law_fault(m, place, f"the {what} divides by 0") from None
    except Undefined as why:
        raise undefined_law_fault(m, place, f"the {what} has no value: {why.reason}") from None
    except (Undecided, Unsupported):
        return
    if not ratio_names(r) and constant_sign(r) == -1:
        raise LawFault(
            display_name(m.name) or "mechanism",
            place,
            f"the {what} is {message_text(r)}",
            f"a {what} is at least 0; correct the formula",
        )


def check_concrete_total(m: Mechanism, law: Expression, atoms: Atoms, at: str) -> None:
    """Passes, or raises `LawFault` for a law of another total than 1, or of none."""
    where = display_name(m.name) or "mechanism"
    try:
        total = concrete_total(law, atoms, m.outputs)
    except DecayNotShown:
        if (end := nonvanishing_end(law, m.outputs)) is not None:
            cure = "a density has total 1; bound the range of its output, or make it decay"
            raise LawFault(
                where, at, f"the density does not decay as {end}, so its total is infinite", cure
            ) from None
        return
    if total is not None and constant_sign(total - constant(1)) not in (0, None):
        raise LawFault(
            where,
            at,
            f"the total is {message_text(total)}, not 1",
            "a density has total 1; correct the normaliser",
        )


def input_text(claim: Claim, example: Counterexample) -> str:
    """The first input of an example in words."""
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Domain):
        text = side_text(claim, example, example.first)
        return "the empty dataset" if text == dataset_text((), ()) else text
    what = "the query answers" if isinstance(inputs, Queries) else "the input"
    return f"{what} {side_text(claim, example, example.first)}"


def concrete_total(law: Expression, atoms: Atoms, outputs: tuple[Output, ...]) -> Ratio | None:
    """The total of a concrete law, or None where it has no closed form here; DecayNotShown is
    passed on.
    """
    try:
        listed = tuple(
            (o.name, concrete_breakpoints(law, o)) for o in outputs if o.kind != "finite"
        )
        return total_probability(law, atoms, outputs, listed)
    except DecayNotShown:
        raise
    except (Undecided, Unsupported, ZeroDivisionError):
        return None


def concrete_breakpoints(law: Expression, output: Output) -> tuple[Expression, ...]:
    """The points of a concrete distribution in one output, and what is stored beside them."""
    _, (factor,) = factors_by_output(law, (output.name,))
    listed = ascending_points(output_breakpoints(factor, output, EMPTY), EMPTY)
    return points_with_antiderivatives(factor, output, listed, EMPTY)


def trial_outcomes(law: Expression, outputs: tuple[Output, ...]) -> Iterator[OutputValues]:
    """Outputs at which a concrete distribution is computed: the values of finite ones, and a few
    between the points of the others.
    """
    if not outputs:
        yield {}
        return
    first, rest = outputs[0], outputs[1:]
    few = max(1, LISTED // prod(len(o.values) if o.kind == "finite" else len(NEAR) for o in rest))
    for value in itertools.islice(trial_values(law, first), few):
        for values in itertools.islice(
            trial_outcomes(substitute(law, {first.name: value}), rest), LISTED // few
        ):
            yield {first.name: value, **values}


def trial_values(law: Expression, output: Output) -> Iterator[Expression]:
    """Values of an output: all of a finite one; else one between any two points that are
    numbers, and some beyond.
    """
    if output.kind == "finite":
        yield from output.values
        return
    try:
        found = sorted(
            r for p in output_breakpoints(law, output, EMPTY) if (r := p.as_rational) is not None
        )
    except (Undecided, Unsupported, ZeroDivisionError):
        found = []
    if not found:
        listed = list(NEAR)
    else:
        between = [low + (high - low) * Fraction(3, 7) for low, high in itertools.pairwise(found)]
        listed = [
            *between,
            found[-1] + Fraction(3, 7),
            found[0] - Fraction(3, 7),
            found[-1] + 40,
            found[0] - 40,
        ]
    if output.kind == "integer":
        listed = [Fraction(n) for x in (*found, *listed) for n in (x.__floor__(), x.__ceil__())]
    yield from map(number, dict.fromkeys(listed))


def nonvanishing_end(law: Expression, outputs: tuple[Output, ...]) -> str | None:
    """The end towards which a concrete density of one output stays above a positive number; None
    where this is not found.
    """
    if len(outputs) != 1 or outputs[0].kind == "finite":
        return None
    (output,) = outputs
    here = Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())
    try:
        listed = ascending_points(output_breakpoints(law, output, EMPTY), EMPTY)
        for upper, side, end in ((len(listed), 1, "oo"), (0, -1, "-oo")):
            beyond = normal(law, piece_context(output.name, output.kind, listed, upper, here))
            if has_positive_limit(beyond, output.name, side):
                return f"{output.name} tends to {end}"
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    return None


def has_positive_limit(law: Ratio, variable: str, side: int) -> bool:
    """True only if a sum of exponentials tends to a positive number or to oo as the variable
    tends to oo (or to -oo, for side -1).
    """
    if not law.den:
        parts: dict[Fraction, Ratio] = {}
        for m, c in law.num.terms.items():
            rest, rate, shift = exponential_form(m, variable)
            k = rate.as_rational
            factor = normal(to_expression(Ratio(type(law.num)({rest: c}))), EMPTY)
            if k is None or variable in ratio_names(factor) | ratio_names(shift):
                return False
            factor = factor * normal(Expression("exp", (to_expression(shift),)), EMPTY)
            parts[side * k] = parts.get(side * k, constant(0)) + factor
        leading = next(
            (k for k in sorted(parts, reverse=True) if constant_sign(parts[k]) != 0), None
        )
        return leading is not None and leading >= 0 and constant_sign(parts[leading]) == 1
    return False
