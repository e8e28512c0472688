"""A certificate for a whole claim: the mass, then every inequality, each distinct one once."""

from __future__ import annotations

from ahdp_verify.certificate import Certificate, Declined, Evidence
from ahdp_verify.decide.divergence import divergence_evidence
from ahdp_verify.decide.linear import prove
from ahdp_verify.decide.mass import mass
from ahdp_verify.decide.separate import separate_evidence
from ahdp_verify.errors import Undecided, Unsupported
from ahdp_verify.expression import ZERO
from ahdp_verify.limits import Clock, OutOfLimits
from ahdp_verify.privacy import Claim, Task, tasks


def certify(claim: Claim, counts: bool, clock: Clock) -> Certificate | Declined:
    """A certificate to be checked, or the reason why there is none."""
    where = "linear (counts)" if counts else "linear"
    try:
        total = mass(claim.mechanism, counts, clock)
        if isinstance(total, Declined):
            return total
        pieces: dict[Evidence, int] = {}
        uses = []
        for task in tasks(claim, counts):
            clock.check("proving inequalities")
            found = evidence(claim, task, clock)
            if found is None:
                return Declined(where, f"no proof was found for: {task.text}")
            uses.append(pieces.setdefault(found, len(pieces)))
    except OutOfLimits as stop:
        return Declined(where, stop.reason)
    except (Undecided, Unsupported) as reason:
        return Declined(where, str(reason))
    return Certificate(claim.fingerprint, counts, total, tuple(pieces), tuple(uses))


def evidence(claim: Claim, task: Task, clock: Clock) -> Evidence | None:
    """Evidence for one inequality, or None."""
    if claim.delta != ZERO:
        return divergence_evidence(claim, task.obligation, clock)
    if task.part is None:
        return separate_evidence(claim.mechanism, task.obligation, clock)
    before, after = task.laws
    return prove(before, after, task.obligation.level, task.obligation.here, clock)
