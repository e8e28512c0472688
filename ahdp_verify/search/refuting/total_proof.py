"""A proof beside a refutation that the law has total 1 at all inputs.

A counterexample shows both probabilities at its own two inputs. That the mechanism is well defined
everywhere is more: it is proved in a part of the time left, or bad inputs are looked for.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, W = real("s"), Domain([(1, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> type(prove_total(M, Limits().clock())).__name__
'Total'
"""

from __future__ import annotations

from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Mass
from ahdp_verify.kernel.evidence.counterexample import Total
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.obligations import combination_count
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.proving.claim import has_summed_conditions
from ahdp_verify.search.proving.total_mass import mass_certificate
from ahdp_verify.search.refuting.well_defined import check_crowded_inputs, check_smallest_inputs

# probabilities of all outputs at all values beyond which their totals are not shown beside a
# refutation; measured: each takes 0.1 ms
CELLS = 10_000
COUNTS = 16  # records up to which the total is also proved in counts
MASS_PIECES = 2000  # cases of a density whose total is still proved beside a refutation
SHARE, MOST = 4, 5.0  # one part in SHARE of the time left, and at most MOST seconds


def with_total_proof(refuted: Refuted, clock: Clock) -> Refuted:
    """The refutation, with a proof that the law has total 1 at all inputs if one is found in a part
    of the time that is left.

    Raises BadInput where an input is found at which the total is not 1.
    """
    try:
        return _with_total(refuted, clock)
    except (OutOfLimits, MemoryError, RecursionError):
        return refuted


def _with_total(refuted: Refuted, clock: Clock) -> Refuted:
    claim = refuted.written
    total = prove_total(claim.mechanism, clock)
    if total is None:
        check_smallest_inputs(claim, clock)
        check_crowded_inputs(claim, clock)
        return refuted
    try:
        return refute(refuted.claim, refuted.of or refuted.counterexample, total)
    except Rejected:
        return refuted


def prove_total(mechanism: Mechanism, clock: Clock) -> Total | None:
    """A proof that the law has total 1 at all inputs, in opaque sums or in counts, or None."""
    inputs = mechanism.inputs
    if isinstance(inputs, Values) and len(inputs.values) * combination_count(mechanism) > CELLS:
        return None
    few = isinstance(inputs, Domain) and (
        has_summed_conditions(mechanism) if inputs.is_universal else len(inputs.records) <= COUNTS
    )
    for counts in (False, True) if few else (False,):
        part = Limits(seconds=max(0.1, min(MOST, clock.left / SHARE)), pieces=MASS_PIECES).clock()
        try:
            with part.running("proving that the total is 1"):
                found = mass_certificate(mechanism, counts, part)
            if isinstance(found, Mass):
                return Total(counts, found)
        except (Undecided, Unsupported, Rejected, OutOfLimits, BadInput, ZeroDivisionError):
            continue
    return None
