"""The verdict on a claim that composition rules reduce to premises.

A derivation is searched for first, with a proof of each premise. A claim about a composite may also
be false: then a counterexample is looked for in its joint distribution, with concrete instances in
place of the abstract mechanisms, or in what its formulas release.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> from ahdp_verify.search.compose import post_process
>>> from ahdp_verify.search.verify import verify
>>> s, W = real("s"), Domain([(0, 1)])
>>> count = ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="count"), 1)
>>> double = post_process(count, {"z": 2 * s})
>>> print(verify(double))
Proved: post_process(count) is AHDP at level 1; scope: all datasets; trusts: the checker and the composition rules
"""

from __future__ import annotations

import itertools
from contextlib import suppress

from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import ByRule, Certificate, Declined
from ahdp_verify.kernel.evidence.counterexample import (
    ImageCounterexample,
    InstanceCounterexample,
    ProvedInstance,
)
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.joint_law import explicit_claim, processed_part, substitute_instances
from ahdp_verify.kernel.unknown import Verdict
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.progress import Progress
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.composition import Derivation, Leaf
from ahdp_verify.search.refuting.images import image_counterexamples
from ahdp_verify.search.refuting.instances import instantiations
from ahdp_verify.search.refuting.small_inputs import candidate_counterexamples, neighbouring_inputs
from ahdp_verify.search.refuting.total_proof import with_total_proof
from ahdp_verify.search.solvers import smt
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.verdict_search import find_counterexample
from ahdp_verify.search.wording import unknown_verdict

IMAGED = 6  # pairs of inputs at which events on what formulas release are tried


def verify_by_rules(
    claim: AnyClaim, limits: Limits, leaf: Leaf, progress: Progress, *, alone: bool
) -> Verdict:
    """Proved or Unknown for a claim, by composition rules, whose premises `leaf` proves first;
    Refuted is possible unless the rules are the only procedure.
    """
    clock, reasons = limits.clock(), list[Declined]()
    with clock.running(), stop_at_limits(reasons):
        found = Derivation(leaf, clock).by_rules(claim)
        if not isinstance(found, Declined):
            try:
                return check(
                    claim, found, smt.attesting_solvers, comparing.find_compared_inputs(claim)
                )
            except Rejected as why:
                found = Declined("checker", why.reason)
        reasons.append(found)
        refuted = (
            composite_refutation(claim, leaf, clock, progress)
            if isinstance(claim, CompositeClaim) and not alone
            else None
        )
        if refuted is not None:
            return with_total_proof(refuted, clock)
    return unknown_verdict(claim, reasons)


def composite_refutation(
    claim: CompositeClaim, leaf: Leaf, clock: Clock, progress: Progress
) -> Refuted | None:
    """A refutation of a claim about a composite: of its distribution as one expression, with
    concrete instances in place of abstract mechanisms, each proved to satisfy what is assumed.
    """
    progress("searching for a counterexample")
    try:
        for size, instances in instantiations(claim):
            try:
                example = find_counterexample(
                    explicit_claim(claim, size, instances), size or clock.limits.records, clock
                )
                proofs = (
                    [(kept, leaf(kept)) for kept in instances.values()]
                    if example is not None
                    else []
                )
            except (
                Unsupported,
                Undecided,
                BadInput,
                ZeroDivisionError,
            ):  # an instance that we chose may not be well defined on this domain
                continue
            proved = tuple(
                ProvedInstance(kept, proof)
                for kept, proof in proofs
                if isinstance(proof, Certificate | ByRule)
            )
            if example is not None and len(proved) == len(instances):
                return refute(claim, InstanceCounterexample(proved, size, example))
        return image_refutation(claim, leaf, clock)
    except (OutOfLimits, Rejected):
        return None


def image_refutation(claim: CompositeClaim, leaf: Leaf, clock: Clock) -> Refuted | None:
    """A refutation of a claim about a post-processing that is not one-to-one, by an event on what
    its formulas release.
    """
    for size, instances in instantiations(claim):
        try:
            whole = substitute_instances(claim.mechanism, instances)
            part = explicit_claim(processed_part(claim), size, instances)
            pairs = candidate_counterexamples(
                part, clock, neighbouring_inputs(part, clock, size or clock.limits.records)
            )
            for example in itertools.islice(pairs, IMAGED):
                proofs = [(kept, leaf(kept)) for kept in instances.values()]
                proved = tuple(
                    ProvedInstance(kept, proof)
                    for kept, proof in proofs
                    if isinstance(proof, Certificate | ByRule)
                )
                if len(proved) < len(instances):
                    break
                for at, image in image_counterexamples(whole, part, example):
                    clock.check("looking for an event on what is released")
                    with suppress(Rejected):
                        return refute(claim, ImageCounterexample(proved, size, at, image))
        except (Unsupported, Undecided, BadInput, ZeroDivisionError):
            continue
    return None
