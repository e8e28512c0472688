"""Does the mechanism mean anything?  Its law at small inputs: defined, nowhere negative, of total mass 1.

What is found here is bad input, told with the input and the mass; that no fault is found proves nothing (the `Mass` certificate does).
"""

from __future__ import annotations

import itertools

from ahdp_verify.algebra import Ratio, constant
from ahdp_verify.ball import sign
from ahdp_verify.context import Context, normal, to_expression
from ahdp_verify.counterexample import Counterexample, law_at, side_text
from ahdp_verify.decide.finite import assignments, candidates
from ahdp_verify.decide.mass import points
from ahdp_verify.domain import Domain
from ahdp_verify.errors import BadInput, Infinite, Negative, Rejected, Undecided, Unsupported
from ahdp_verify.event import Event, everything
from ahdp_verify.expression import Expression, number
from ahdp_verify.limits import Clock, OutOfLimits
from ahdp_verify.mechanism import Output
from ahdp_verify.privacy import Claim

INPUTS = 6  # inputs that are looked at
COPIES = (3, 4, 5, 8, 12)  # of one record, at which a law is looked at whose total is not shown
EMPTY = Context.empty()
Atoms = tuple[tuple[Expression, Expression], ...]


def inspect(claim: Claim, clock: Clock) -> None:
    """Nothing, or BadInput that names an input at which the law is undefined, negative or of another mass than 1."""
    seen: set[tuple[object, ...]] = set()
    for example in itertools.islice(candidates(claim, clock, 2), 4 * INPUTS):
        key = (example.parameters, example.instances, example.before)
        if key in seen:
            continue
        seen.add(key)
        look(claim, example)
        if len(seen) >= INPUTS:
            return


def inspect_crowds(claim: Claim, clock: Clock) -> None:
    """The same at datasets of several equal records, where no proof says that the total is always 1."""
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, Domain) or inputs.is_universal:
        return
    places = {0: None, len(inputs.records) - 1: None}
    for given, copies in itertools.product(assignments(claim.mechanism.parameters, {}, 1), COPIES):
        for place in places:
            side = tuple(number(copies if i == place else 0) for i in range(len(inputs.records)))
            try:
                clock.count(1, "trying small inputs")
            except OutOfLimits:
                return
            look(claim, Counterexample(tuple(given.items()), (), side, side, Event()))


def look(claim: Claim, example: Counterexample) -> None:
    """The same for the first input of one example."""
    where = claim.mechanism.name or "mechanism"
    at = "".join(f"{k} = {v}, " for k, v in example.parameters) + input_text(claim, example)
    try:
        law, atoms = law_at(claim, example, example.before)
        total = total_mass(law, atoms, claim.mechanism.outputs)
    except Negative:
        raise BadInput(where, f"its law is negative somewhere at {at}", "a density or probability is at least 0; correct the formula") from None
    except Infinite:
        raise BadInput(where, f"its law has no finite total at {at}", "a law has mass 1; bound the range of its output, or let it decay") from None
    except (Rejected, Undecided, Unsupported):
        return  # not looked at here: the procedures say why they decline
    except ZeroDivisionError:
        raise BadInput(where, f"its law divides by 0 at {at}", 'change the formula or state where it is defined, for example defined = "size >= 1"') from None
    if total is not None and sign(total - constant(1)) not in (0, None):
        raise BadInput(where, f"its total mass is {to_expression(total)} at {at}", "a law has mass 1; correct the normaliser")


def input_text(claim: Claim, example: Counterexample) -> str:
    """The first input of an example in words."""
    text = side_text(claim, example, example.before)
    return "the empty dataset" if text == "{}" else text


def total_mass(law: Expression, atoms: Atoms, outputs: tuple[Output, ...]) -> Ratio | None:
    """The mass of a concrete law, or None where it has no closed form here; ZeroDivisionError and BadInput pass."""
    try:
        for _, mass in atoms:
            refuse_negative(normal(mass, EMPTY), "an atom")
        points = tuple((o.name, cuts(law, o)) for o in outputs if o.kind != "finite")
        return everything(law, atoms, outputs, points)
    except (Infinite, Negative):
        raise
    except (Undecided, Unsupported):
        return None


def refuse_negative(r: Ratio, what: str) -> None:
    """BadInput for a negative probability."""
    if sign(r) == -1:
        raise BadInput(what, f"its probability is {to_expression(r)}", "probabilities are at least 0")


def cuts(law: Expression, output: Output) -> tuple[Expression, ...]:
    """The points of a concrete law in one output."""
    return tuple(to_expression(p) for p in points(law, output, Context.empty()))
