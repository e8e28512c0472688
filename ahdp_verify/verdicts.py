"""The answers: those that the kernel makes, `Unknown`, and how each of them is saved.

>>> from ahdp_verify.kernel.terms.expression import ONE, ZERO
>>> from ahdp_verify.kernel.model.claim import Claim
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import finite
>>> from ahdp_verify.kernel.model.domain import Values
>>> claim = Claim(Mechanism(Values(["a", "b"]), outputs=[finite("s", [0])], density=ONE, name="constant"), "any", ZERO)
>>> print(Unknown(claim, (Declined("linear", "nobody asked it"),)))
Unknown: constant is local DP at level 0; reasons: linear: nobody asked it
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ahdp_verify.canonical_json import write_json
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.record import read_record, unsealed_record
from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
)
from ahdp_verify.kernel.rules.compared import CheckableClaim
from ahdp_verify.kernel.verdict import PROVIDED, Proved, VerdictBase


@dataclass(frozen=True, slots=True)
class Unknown(VerdictBase):
    """No answer: `reasons` lists the procedures that were asked, and why each declined."""

    claim: CheckableClaim
    reasons: tuple[Declined, ...]

    def to_json(self) -> Any:
        """The record for --json; not a file that `recheck` accepts, since it contains nothing to
        check.
        """
        reasons = [[d.procedure, d.reason] for d in self.reasons]
        return unsealed_record("unknown", self.claim, reasons=reasons)


AnyRefuted = Refuted | RefutedProgram | RefutedInequality | RefutedNotion | RefutedApplied
Verdict = Proved | AnyRefuted | Unknown


def save_verdict(verdict: VerdictBase, path: str | Path) -> None:
    """Writes the stored record, which `recheck` accepts, to `path`; BadInput if it cannot be
    written, and for an Unknown.
    """
    record = verdict.to_json()
    read_record(record)
    write_json(record, path)


PROVIDED[VerdictBase, "save"] = save_verdict
