"""Evidence for the results of `tighten` and `delta`: a checked proof of a claim, or a checked
refutation on given inputs.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.terms.expression import eq, log, name, piecewise
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import finite
>>> r = finite("r", [0, 1])
>>> flip = Mechanism(Values([0, 1]), outputs=[r], density=piecewise(("3/4", eq(r, name("v"))), ("1/4", True)), name="flip")
>>> proof, reason = prove_without_solvers(Claim(flip, "any", log(3)), Limits())
>>> print(proof)
Proved: flip is local DP at level log(3); scope: all inputs; trusts: the checker alone
>>> refute_at_examples(Claim(flip, "any", log(2)), Limits(), None).loss.key
'log(3)'
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.progress import no_progress
from ahdp_verify.search.refuting.small_inputs import candidate_counterexamples as completed
from ahdp_verify.search.refuting.small_inputs import crowd_pairs, neighbouring_inputs
from ahdp_verify.search.verdict_search import VerdictSearch
from ahdp_verify.search.wording import without_internal_names

SMALL = 3  # records in the datasets on which a refutation is searched for when no inputs are given


def prove_without_solvers(claim: Claim, limits: Limits) -> tuple[Proved | None, str]:
    """A proof without solvers, over opaque sums or in counts; or None and why there is none."""
    run = VerdictSearch(claim, limits.clock(), no_progress)
    for step in (run.opaque, run.counts):
        found = step()
        if isinstance(found, Proved):
            return found, ""
    return None, without_internal_names(
        "; ".join(dict.fromkeys(f"{d.procedure}: {d.reason}" for d in run.reasons)), claim.mechanism
    )


def refute_at_examples(
    claim: Claim, limits: Limits, examples: Iterable[Counterexample] | None
) -> Refuted | None:
    """A refutation whose two inputs are those of an example, or small ones and ones with many
    copies of a record if none is given; None if there is none.
    """
    clock = limits.clock()
    listed = (
        itertools.chain(
            neighbouring_inputs(claim, clock, min(SMALL, limits.records)), crowd_pairs(claim)
        )
        if examples is None
        else examples
    )
    try:
        for example in completed(claim, clock, listed):
            try:
                return refute(claim, example)
            except Rejected:
                continue
    except OutOfLimits:
        return None
    return None
