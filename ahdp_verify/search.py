"""`verify`: tries the procedures in order, shrinks what refutes, and asks the checker, whose word alone counts."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ahdp_verify.certificate import Declined
from ahdp_verify.checker import check, replay
from ahdp_verify.decide.finite import candidates, search
from ahdp_verify.decide.prover import certify
from ahdp_verify.decide.sanity import inspect
from ahdp_verify.domain import Domain
from ahdp_verify.errors import Rejected
from ahdp_verify.limits import Clock, Limits, OutOfLimits
from ahdp_verify.privacy import Claim
from ahdp_verify.verdict import Proved, Refuted, Unknown, Verdict

COUNTS = 16  # records up to which a law is also written in counts; beyond, cases and products grow too fast
FIRST = 1  # size of the datasets tried before a proof is attempted
TRIED = 60  # pairs of inputs tried then, fewer for many outputs

Progress = Callable[[str], None]


def silent(message: str) -> None:
    """No progress report."""
    del message


def verify(claim: Claim, limits: Limits | None = None, progress: Progress = silent) -> Verdict:
    """Proved, Refuted or Unknown for a claim; raises BadInput for a mechanism that has no meaning (a mass other than 1, say)."""
    clock = (limits or Limits()).clock()
    reasons: list[Declined] = []
    progress("trying small inputs")
    inspect(claim, clock)
    found = refute(claim, clock, FIRST, reasons, max(8, TRIED // len(claim.mechanism.outputs)))
    if found is not None:
        return found
    for counts in (False, True):
        if counts and not written_in_counts(claim):
            continue
        progress("proving" + (" in counts" if counts else ""))
        answer = certify(claim, counts, clock)
        if not isinstance(answer, Declined):
            try:
                return check(claim, answer)
            except Rejected as why:
                answer = Declined("checker", why.reason)
        reasons.append(answer)
    progress("searching for a counterexample")
    found = refute(claim, clock, clock.limits.records, reasons)
    return found if found is not None else Unknown(claim, tuple(dict.fromkeys(reasons)))


def written_in_counts(claim: Claim) -> bool:
    """Whether the law is worth writing in the counts of single records."""
    inputs = claim.mechanism.inputs
    return isinstance(inputs, Domain) and not inputs.is_universal and len(inputs.records) <= COUNTS


def refute(claim: Claim, clock: Clock, most_records: int, reasons: list[Declined], most: int | None = None) -> Refuted | None:
    """A refutation found among inputs of at most so many records (and among the first `most` pairs of them), or None."""
    try:
        for example in search(claim, clock, itertools.islice(candidates(claim, clock, most_records), most)):
            try:
                return replay(claim, example)
            except Rejected:
                continue
    except OutOfLimits as stop:
        reasons.append(Declined("finite", stop.reason))
    return None


def proved(verdict: Verdict) -> bool:
    """True for a proof."""
    return isinstance(verdict, Proved)
