"""That a counterexample refutes a claim, and that values of unknowns refute a statement.

    D, D' are inputs of M      a move of level L leads from D to D'      P[M(D)] = P[M(D')] = 1
    P[M(D) in E] > exp(L) P[M(D') in E] + delta
    -------------------------------------------------------------------------------------------
                       M is not private at level L and delta

D, D'    the inputs `first` and `second` of the counterexample, with values of the parameters
E        its event;  L in nats, finite;  all numbers are exact

For a composite or abstract mechanism the counterexample is about an instance: mechanisms that are
shown to satisfy what is assumed of the abstract ones take their place, and the law is written as
one expression.

    each A_i' satisfies what is assumed of A_i      M(A_1', ..., A_n') is not private
    ---------------------------------------------------------------------------------
         the claim about M(A_1, ..., A_n), for all such A_i, is false

Where formulas f in one output post-process it and are not one-to-one, the law of f(Y) is not
written as one expression; the counterexample is about Y, and it names the set that f(Y) lies in.

    f(y) in B exactly for the y in E, but for y of probability 0      M is not private, by the event
    E -------------------------------------------------------------------------------------------------
                          f(M) is not private, by the event B
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import AnyCertificate
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    ImageCounterexample,
    OfInstances,
    Total,
    check_example_conditions,
    delta_of_move,
    law_at,
    level_of_move,
)
from ahdp_verify.kernel.evidence.event import Event, IntervalEnd, Points
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import (
    AbstractMechanism,
    AnyClaim,
    AnyMechanism,
    CompositeClaim,
)
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.sensitivity import Statement
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import message_text, normal, truth
from ahdp_verify.kernel.rules.accepting import Acceptance, failing_closed
from ahdp_verify.kernel.rules.composition import check_well_formed
from ahdp_verify.kernel.rules.events import (
    check_event,
    event_probability,
    is_in_event,
    points_of_interval,
    total_probability,
)
from ahdp_verify.kernel.rules.integration import piece_context
from ahdp_verify.kernel.rules.joint_law import (
    abstract_mechanisms,
    explicit_claim,
    processed_part,
    substitute_instances,
    takes_sample,
)
from ahdp_verify.kernel.rules.radial import share_of_box
from ahdp_verify.kernel.rules.total_mass import check_extremes_defined, check_mass
from ahdp_verify.kernel.terms.expression import TRUE, Expression, conjunction, names, oo, substitute

AcceptCertificate = Callable[
    [Claim, AnyCertificate], Acceptance
]  # the checker on the proof of an instance


@dataclass(frozen=True, slots=True)
class Violation:
    """The probabilities of the event at the first and the second input, and the level of the move
    between them.
    """

    first: Ratio
    second: Ratio
    level: Expression


def check_violation(
    claim: AnyClaim,
    example: Counterexample | OfInstances,
    mass: Total | None,
    accept: AcceptCertificate,
) -> Violation:
    """The violation that shows that the claim fails; Rejected if the counterexample does not refute
    it.

    `mass` shows that the law has total 1 at all inputs; without it that is shown at the two inputs
    of the counterexample only.
    """
    if isinstance(example, OfInstances):
        return _of_law(_claim_of_instances(claim, example, accept), example.counterexample, mass)
    if not isinstance(claim, Claim):
        raise Rejected("a counterexample is about a mechanism given by its density")
    return _of_law(claim, example, mass)


def _claim_of_instances(claim: AnyClaim, example: OfInstances, accept: AcceptCertificate) -> Claim:
    """The claim about the law that results if instances take the place of the abstract mechanisms;
    Rejected unless they satisfy what is assumed.
    """
    if not isinstance(claim, CompositeClaim):
        raise Rejected("the mechanism is given by its density, so no instances are needed")
    wanted = abstract_mechanisms(claim.mechanism)
    if len(wanted) != len(example.instances):
        raise Rejected(
            f"there are {len(wanted)} abstract mechanisms and {len(example.instances)} instances"
        )
    for abstract, kept in zip(wanted, example.instances, strict=True):
        _check_instance(abstract, kept.claim, kept.certificate, accept)
    if takes_sample(claim.mechanism) != (example.size is not None) or (
        example.size is not None and (type(example.size) is not int or example.size < 1)
    ):
        raise Rejected("a size from 1 is given if, and only if, a sample is taken")
    instances = (kept.claim for kept in example.instances)
    whole = substitute_instances(claim.mechanism, dict(zip(wanted, instances, strict=True)))
    check_well_formed(whole)
    found = claim_about_law(claim, example)
    if isinstance(example, ImageCounterexample):
        check_preimage(whole, found.mechanism, example.counterexample, example.image)
    return found


def claim_about_law(claim: AnyClaim, example: OfInstances | None) -> Claim:
    """The claim about the mechanism given by its density that a counterexample is about."""
    if isinstance(claim, Claim):
        return claim
    kept, size = ((), None) if example is None else (example.instances, example.size)
    wanted = abstract_mechanisms(claim.mechanism)
    instances = dict(zip(wanted, (one.claim for one in kept), strict=True))
    about = processed_part(claim) if isinstance(example, ImageCounterexample) else claim
    return explicit_claim(about, size, instances)


def check_preimage(
    whole: AnyMechanism, part: Mechanism, example: Counterexample, image: Event
) -> None:
    """Nothing if the event of the example is, up to probability 0, where the formulas of a
    post-processing take values in the image; Rejected otherwise.
    """
    (output, *others), event, given = part.outputs, example.event, dict(example.parameters)
    released = zip(whole.outputs, getattr(whole, "formulas", ()), strict=True)
    formulas = {o.name: f for o, f in released if o.kind != "finite"}
    told = [(formulas.get(n, oo), low, high) for n, low, high in image.intervals]
    ends = [e for _, *pair in told for e in pair if e is not None]
    if others or output.kind == "finite" or image != Event(intervals=image.intervals):
        raise Rejected("an image is of one output, and has intervals only")
    if len({n for n, _, _ in image.intervals}) < len(told):
        raise Rejected("an image names an output twice")
    if not ends or any(f == oo for f, _, _ in told) or any(names(e) for e in ends):
        raise Rejected("an image lies between constants, and is of what formulas release")
    if not event.continuous or [n for n, _, _ in event.intervals] != [output.name]:
        raise Rejected("a preimage is an interval")
    within = substitute(_between(told), given)
    here = Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())
    ((_, low, high),) = event.intervals
    points = dict(example.points[0]).get(output.name, ())
    listed, first, last = points_of_interval(output.name, points, low, high, here)
    for upper in range(len(listed) + 1):
        place = piece_context(output.name, output.kind, listed, upper, here)
        inside = (first is None or upper > first) and (last is None or upper <= last)
        if truth(within, place) != inside:
            raise Rejected("the event is not the preimage of the image")
    for at, _ in part.atoms:
        put = {output.name: at}
        if truth(substitute(within, put), here) != is_in_event(event, put):
            raise Rejected("the event is not the preimage of the image")


def _check_instance(
    abstract: AbstractMechanism, kept: Claim, proof: AnyCertificate, accept: AcceptCertificate
) -> None:
    """Nothing if a claim states what is assumed of an abstract mechanism, about a mechanism on the
    same inputs, and is proved for all of them; Rejected otherwise.
    """
    said = (
        kept.mechanism.inputs,
        kept.relation,
        kept.level,
        kept.delta,
        kept.public,
        kept.mechanism.defined,
    )
    if said != (abstract.inputs, abstract.relation, abstract.level, abstract.delta, (), TRUE):
        raise Rejected(f"{kept} is not what is assumed about {abstract}")
    with failing_closed():
        shown = accept(kept, proof)
    if (shown.size is not None and isinstance(kept.mechanism.inputs, Domain)) or shown.trusts:
        raise Rejected(f"{kept} is shown for fewer than all inputs, or only attested by others")


def _between(told: Iterable[tuple[Expression, IntervalEnd, IntervalEnd]]) -> Expression:
    """The condition that values lie in their intervals."""
    above = (low <= f for f, low, _ in told if low is not None)
    return conjunction((*above, *(f < high for f, _, high in told if high is not None)))


def _of_law(claim: Claim, example: Counterexample, mass: Total | None) -> Violation:
    if mass is not None:
        _check_law(claim.mechanism, mass)
    check_example_conditions(claim, example)
    level = level_of_move(claim, example)
    if level == oo:
        raise Rejected("a move of level oo is unconstrained")
    sides = zip((True, False), (example.first, example.second), example.points, strict=True)
    first, second = [_event_probability_at(claim, example, *side) for side in sides]
    return violation(first, second, level, delta_of_move(claim, example))


def violation(first: Ratio, second: Ratio, level: Expression, delta: Expression) -> Violation:
    """The violation by these probabilities; Rejected if they violate nothing."""
    bound, allowed = (normal(e, Context.empty()) for e in (level, delta))
    excess = first - exp_of(bound) * second - allowed
    if constant_sign(excess) != 1 or constant_sign(second) not in (0, 1):
        raise Rejected(
            "the event was not shown to violate the claimed bound: its probability does not exceed "
            "what that allows"
        )
    return Violation(first, second, level)


# claims at several levels are refuted at the same inputs
_total_probability = lru_cache(maxsize=64)(total_probability)


def _event_probability_at(
    claim: Claim, example: Counterexample, least: bool, side: tuple[Expression, ...], points: Points
) -> Ratio:
    """The probability of the event at one input, once the law is shown to have total 1 there; of a
    bounded box without points one that it is at least (at the first input), or at most.
    """
    outputs = claim.mechanism.outputs
    law, atoms = law_at(claim, example, side)
    if example.in_bounded_box(claim):
        check_event(example.event, atoms, outputs)
        return share_of_box(law, outputs, example.event, least)
    total = _total_probability(law, atoms, outputs, points)
    if not (total - constant(1)).is_zero:
        raise Rejected(
            f"the total at an input of the counterexample is {message_text(total)}, not shown to be 1"
        )
    return event_probability(law, atoms, outputs, example.event, points)


def _check_law(mechanism: Mechanism, mass: Total) -> None:
    """Nothing if the law is nonnegative and has total 1 at every input at which it is defined;
    Rejected otherwise.
    """
    if not isinstance(mass, Total) or not isinstance(mass.counts, bool):
        raise Rejected("the evidence for the total of the law is malformed")
    with failing_closed():
        check_extremes_defined(mechanism)
        check_mass(mechanism, mass.mass, mass.counts)


def failing_sides(statement: Statement, values: UnknownValues) -> tuple[Ratio, Ratio]:
    """Both sides of a statement that fails at these values of its unknowns; Rejected otherwise."""
    left, right = statement.sides_at(values)
    found = constant_sign(right - left if statement.relation in ("<=", "<", "==") else left - right)
    fails = found is not None and (
        found == -1
        or (found == 0 and statement.strict)
        or (found == 1 and statement.relation == "==")
    )
    if not fails:
        raise Rejected("the statement was not shown to fail at these values")
    return left, right
