"""Obligations that no rule shows and two solvers attest."""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import SolverWord


def confirming_solvers(evidence: SolverWord, confirming: tuple[str, ...] | None) -> tuple[str, ...]:
    """The solvers that confirm an obligation when asked again (None: they were not asked);
    Rejected unless they are two at least, and those that the certificate names.
    """
    if confirming is None:
        raise Rejected("it is attested by solvers only, which were not asked again")
    if len(set(confirming)) < 2:
        raise Rejected("fewer than two solvers confirm the obligation")
    if tuple(sorted(set(confirming))) != evidence.solvers:
        raise Rejected(
            "the solvers that confirm the obligation are not those that the certificate names"
        )
    return confirming
