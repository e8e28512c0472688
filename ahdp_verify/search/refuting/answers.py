"""Vectors between which a claim about a mechanism on the answers to a query fails.

The query is asked at vectors at which its answer moves far, in units of the bound; the claim
between their answers is one about two inputs, and is decided as any other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ahdp_verify.kernel.checker import refute_applied
from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.evidence.of_vectors import VectorCounterexample
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.refuted import Refuted, RefutedApplied, RefutedNotion
from ahdp_verify.kernel.rules.applied import claim_there
from ahdp_verify.kernel.terms.expression import Expression, substitute
from ahdp_verify.search.limits import Clock, Limits
from ahdp_verify.search.refuting.vectors import (
    ROUNDED,
    Jump,
    Question,
    largest_jump,
    parameter_values,
)
from ahdp_verify.verdicts import Verdict

Decide = Callable[..., Verdict]
WRONG = (Rejected, Undecided, Unsupported, BadInput, ZeroDivisionError)
FAR = 3  # vectors that are tried, those with the largest move first
COLUMNS = 4  # choices of which of several answers move the other way
SHARE = 4  # one pair of lists of answers takes at most one part in so many of the time
NEAR = 1e-6
NO_EXAMPLE = Counterexample((), (), (), (), Event())


def refutation_at_vectors(
    claim: AppliedClaim, clock: Clock, decide: Decide
) -> RefutedApplied | Declined:
    """The claim is refuted between two lists of vectors, or why none were found."""
    if isinstance(claim.base, ProgramClaim):
        said = "a claim about a noise program on answers of vectors is proved here, never refuted"
        return Declined("vectors", f"{said}; refute the claim on answers, or write the law")
    tried = 0
    for vector in itertools.islice(far_vectors(claim.sensitivity, clock), FAR):
        for vectors in columns(vector, claim.answers or 1):
            tried += 1
            found = refutation_between(claim, vectors, clock, decide)
            if found is not None:
                return found
    said = f"no violation was found at {tried} pairs of vectors"
    return Declined("vectors", f"{said} at which the answer moves farthest")


def refutation_between(
    claim: AppliedClaim, vectors: tuple[UnknownValues, ...], clock: Clock, decide: Decide
) -> RefutedApplied | None:
    """The claim is refuted between these vectors; None if that is not found."""
    part = Limits(seconds=max(0.1, clock.left / SHARE))
    try:
        said = claim_there(claim, VectorCounterexample(vectors, NO_EXAMPLE))
        found = decide(_fixed(said, dict(vectors[0])), part)
        if not isinstance(found, Refuted | RefutedNotion):
            return None
        there = _with_parameters(found.counterexample, said, dict(vectors[0]))
        return refute_applied(claim, VectorCounterexample(vectors, there))
    except WRONG:
        return None


def far_vectors(claim: SensitivityClaim, clock: Clock) -> Iterator[UnknownValues]:
    """Vectors at which the answer moves, those first where it moves farthest in units of the
    bound.
    """
    question = Question(claim.inputs, claim.query, claim.bound)
    found: list[tuple[float, UnknownValues]] = []
    for given in parameter_values(claim.inputs):
        jump = largest_jump(question, given, clock)
        exact = None if jump is None else _exact(claim, jump)
        if exact is not None:
            found.append(exact)
    yield from (values for _, values in sorted(found, key=lambda pair: -pair[0]))


def _exact(claim: SensitivityClaim, jump: Jump) -> tuple[float, UnknownValues] | None:
    """A jump in exact numbers, and how far the answer moves in units of the bound."""
    for tried, most in itertools.product((jump, jump.shortened()), ROUNDED):
        values = tried.values(most)
        try:
            moved, bound = (float(enclose(side)[0]) for side in claim.sides_at(values))
        except WRONG:
            continue
        if bound > 0 and moved > 0 and (tried is not jump or moved - bound > jump.size - NEAR):
            return moved / bound, values
    return None


def columns(vector: UnknownValues, many: int) -> Iterator[tuple[UnknownValues, ...]]:
    """One vector for each answer: the first changes one way, the others this way or the other."""
    both = (vector, turned(vector))
    chosen = itertools.product(both, repeat=many - 1)
    yield from ((vector, *others) for others in itertools.islice(chosen, COLUMNS))
    if 2 ** (many - 1) > COLUMNS:
        yield (vector, *[both[1]] * (many - 1))


def turned(vector: UnknownValues) -> UnknownValues:
    """The same change backwards."""
    *others, (key, new) = vector
    entry = key.removesuffix("'")
    back = [(k, new if k == entry else v) for k, v in others]
    return (*back, (key, dict(others)[entry]))


def _fixed(said: Claim | NotionClaim, given: dict[str, Expression]) -> Claim | NotionClaim:
    """The claim with the values of some of its parameters."""
    if isinstance(said, NotionClaim):
        order = None if said.order is None else substitute(said.order, given)
        bounds: Any = said.bounds
        bounds = _fixed(bounds, given)
        return replace(said, bounds=bounds, order=order)
    m = said.mechanism
    law = Mechanism(
        m.inputs,
        outputs=m.outputs,
        density=substitute(m.density, given),
        atoms=[(at, substitute(mass, given)) for at, mass in m.atoms],
        parameters={k: substitute(c, given) for k, c in m.parameters if k not in given},
        name=m.name,
    )
    return Claim(law, said.relation, substitute(said.level, given), substitute(said.delta, given))


def _with_parameters(
    found: Counterexample | NotionCounterexample,
    said: Claim | NotionClaim,
    given: dict[str, Expression],
) -> Counterexample | NotionCounterexample:
    """The counterexample with the values that were fixed, in the order of the parameters."""
    if isinstance(found, NotionCounterexample):
        pair: Any = _with_parameters(found.counterexample, said, given)
        return replace(found, counterexample=pair)
    known = {**given, **dict(found.parameters)}
    keys = [key for key, _ in said.mechanism.parameters]
    return replace(found, parameters=tuple((key, known[key]) for key in keys))
