"""Saved proofs and refutations: `save` writes one, `recheck` reproduces it with the checker, the
only thing that it trusts.

A saved file is the canonical JSON of one record: the claim with its whole mechanism, and the
certificate or the counterexample.  No part of it is ignored: the verdict that the checker reaches
must store the very same record.

>>> import tempfile
>>> from ahdp_verify.search.verify import verify
>>> from ahdp_verify.files.mechanism_file import read_mechanism_file as read_table
>>> file = read_table({"format": 2, "domain": {"queries": "1"}, "mechanism": {"outputs": [{"name": "s", "kind": "real"}],
...     "density": "exp(-abs(s - q[1]))/2"}, "claim": [{"relation": "one", "level": "1"}]}, "noisy answer")
>>> path = Path(tempfile.mkdtemp(), "answer.json")
>>> save(verify(file.claims[0]), path)
>>> print(recheck(path))
Proved: noisy answer is DP for one moving answer at level 1; scope: all inputs; trusts: the checker alone
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.files.documents import only_record
from ahdp_verify.kernel.checker import (
    AskSolvers,
    check,
    refute,
    refute_applied,
    refute_inequality,
    refute_notion,
    refute_program,
)
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected, with_location
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import (
    AnyCertificate,
    ByRule,
    CaseSplit,
    Certificate,
    Enumeration,
    Evidence,
    SolverWord,
)
from ahdp_verify.kernel.evidence.counterexample import Counterexample, OfInstances
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment, VectorCounterexample
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.record import AnyEvidence, StoredRecord, read_record
from ahdp_verify.kernel.rules.accepting import failing_closed
from ahdp_verify.kernel.rules.compared import CheckableClaim
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.wording import without_internal_names
from ahdp_verify.verdicts import AnyRefuted, Unknown, Verdict

TRUST = ("all", "kernel")


def save(verdict: Verdict, path: str | Path) -> None:
    """The file at `path` holds the record of a proof or a refutation; BadInput for an Unknown and
    for a file that cannot be written.
    """
    verdict.save(path)


def read_saved_record(path: str | Path) -> StoredRecord:
    """The claim and the evidence in a saved file, not yet checked; BadInput naming the path for
    anything else.
    """
    return _stored(*only_record(path))


def proof_in(path: str | Path) -> tuple[AnyClaim, Certificate | ByRule]:
    """The claim about a mechanism and the proof in a saved file, not yet checked; BadInput naming
    the path for anything else.
    """
    kept = read_saved_record(path)
    claim, evidence = kept.claim, kept.evidence
    if isinstance(claim, Claim | CompositeClaim) and isinstance(evidence, Certificate | ByRule):
        return claim, evidence
    cure = "give the file of a saved proof"
    if isinstance(claim, ProgramClaim):
        cure = 'name the file of the noise program instead, as in file = "svt.toml"'
    raise BadInput(str(path), "it is not a proof about a mechanism", cure)


def recheck(
    path: str | Path,
    *,
    trust: str = "all",
    limits: Limits | None = None,
    need_wanted: Callable[[CheckableClaim], None] | None = None,
) -> Proved | AnyRefuted:
    """The verdict of a saved file, reached anew by the checker; `need_wanted` may raise, given the
    claim, before that is checked.

    The file may also be a document that `ahdp-verify verify --json` printed.  Raises Rejected if
    the evidence does not show the claim, BadInput naming the path for a file that is not a saved
    record or was changed after it was saved, and OutOfLimits if the check takes more than `limits`
    allow (no limits if None).  With trust "kernel" no solver is asked, so a proof that rests on
    solver attestation is Rejected.
    """
    with enforce_limits(limits, f"checking {path}"):
        return recheck_record(*only_record(path), trust=trust, need_wanted=need_wanted)


def recheck_record(
    record: Any,
    where: str,
    *,
    trust: str = "all",
    need_wanted: Callable[[CheckableClaim], None] | None = None,
) -> Proved | AnyRefuted:
    """The same for a record itself; `where` names it in messages."""
    if trust not in TRUST:
        raise BadInput("trust", f"{trust!r} is not known", "use all or kernel")
    if record is None:
        raise BadInput(
            where,
            "this document has no record, since there was no verdict",
            "give a document of a proof or a refutation, or a file that verify --save wrote",
        )
    kept = _stored(record, where)
    if need_wanted is not None:
        need_wanted(kept.claim)
    return _reproduced(record, kept, trust)


def accepted_record(record: Any, claim: AnyClaim, trust: str = "all") -> Proved | AnyRefuted:
    """The verdict of a record that somebody else made, reached anew by the checker.

    Raises Rejected if its evidence does not show the claim or it is about another claim, and
    BadInput for anything that is not a record.
    """
    kept = read_record(record)
    if kept.claim != claim:
        raise Rejected("it is about another claim")
    return _reproduced(record, kept, trust)


def _reproduced(record: dict[str, Any], kept: StoredRecord, trust: str) -> Proved | AnyRefuted:
    """The verdict of a record, with nothing in the record that the checker does not find."""
    verdict = _made(kept, trust)
    if verdict.content() != reproducible_content(without_other_files(record, kept.evidence)):
        raise Rejected("its scope or its trusts are not those that the checker finds")
    return verdict


def reproducible_content(record: dict[str, Any]) -> dict[str, Any]:
    """The part of a record that must be identical when it is reproduced: all but the versions of
    the program that wrote it, and the seal, which depends on them.
    """
    return {key: value for key, value in record.items() if key not in ("made_by", jsonfile.SEAL)}


def remake_verdict(verdict: Verdict) -> Verdict:
    """A proof or a refutation as the checker reaches it from the record that would be saved,
    whoever constructed the verdict; Rejected if the checker does not accept it.
    """
    if isinstance(verdict, Unknown):
        return verdict
    return _made(read_record(verdict.to_json()), "all")


def is_enumeration(evidence: AnyEvidence) -> bool:
    """Whether the evidence is an enumeration: then everything is derived again, so that what a
    record says of other files need not be believed.
    """
    return isinstance(evidence, Certificate) and any(
        isinstance(e, Enumeration) for e in evidence.evidence
    )


OTHER_FILE = re.compile(r".+ \(up to ([1-9][0-9]*) records\)")


def without_other_files(record: dict[str, Any], evidence: AnyEvidence) -> dict[str, Any]:
    """The record of an enumeration as if it had taken no size from elsewhere, since every size is
    derived again.

    Such a record may name one file, or a cluster, from which it took the result for sizes up to its
    own; Rejected for anything else among its trusts.
    """
    if not is_enumeration(evidence) or not record["trusts"]:
        return record
    size = max(e.size for e in evidence.evidence if isinstance(e, Enumeration))  # type: ignore[union-attr]
    said = record["trusts"]
    named = (
        OTHER_FILE.fullmatch(said[0])
        if isinstance(said, list) and len(said) == 1 and isinstance(said[0], str)
        else None
    )
    if named is None or int(named[1]) > size:
        raise Rejected("its scope or its trusts are not those that the checker finds")
    return {**record, "trusts": []}


def _stored(record: Any, where: str) -> StoredRecord:
    try:
        return read_record(record)
    except (BadInput, NotWorkedOut) as error:
        raise with_location(error, f"{where}, {error.where}") from None


def _made(kept: StoredRecord, trust: str) -> Proved | AnyRefuted:
    """The verdict that the checker reaches; the reason of a rejection is in the user's own
    names.
    """
    try:
        return _checked(kept, trust)
    except Rejected as why:
        raise Rejected(without_internal_names(why.reason, kept.claim)) from None


def _checked(kept: StoredRecord, trust: str) -> Proved | AnyRefuted:
    if isinstance(kept.evidence, VectorCounterexample):
        if not isinstance(kept.claim, AppliedClaim) or kept.mass is not None:
            raise Rejected("vectors refute a claim about answers only")
        return refute_applied(kept.claim, kept.evidence)
    if isinstance(kept.evidence, NotionCounterexample):
        if not isinstance(kept.claim, NotionClaim) or kept.mass is not None:
            raise Rejected("an order refutes a claim of another notion only")
        return refute_notion(kept.claim, kept.evidence)
    if isinstance(kept.evidence, tuple):
        if not isinstance(kept.claim, Inequality | SensitivityClaim):
            raise Rejected("values of unknowns refute statements only")
        if kept.mass is not None:
            raise Rejected("a statement has no output distribution")
        return refute_inequality(kept.claim, kept.evidence)
    if isinstance(kept.evidence, ProgramCounterexample):
        if not isinstance(kept.claim, ProgramClaim) or kept.mass is not None:
            raise Rejected("outputs of a program refute a claim about a program only")
        return refute_program(kept.claim, kept.evidence)
    if isinstance(kept.evidence, Counterexample | OfInstances):
        if not isinstance(kept.claim, AnyClaim):
            raise Rejected(
                "a statement is refuted by values of its unknowns, and an optimum is not refuted "
                "by a counterexample"
            )
        return refute(kept.claim, kept.evidence, kept.mass)
    with failing_closed():
        asked = trust == "all" and rests_on_solvers(kept.evidence)
    return check(kept.claim, kept.evidence, solver_confirmation() if asked else None, kept.compared)


def rests_on_solvers(evidence: AnyCertificate | Alignment | AppliedAlignment | Evidence) -> bool:
    """Whether solver attestation stands in for a proof somewhere in the evidence."""
    if isinstance(evidence, ByRule):
        return any(rests_on_solvers(proof) for proof in evidence.premises)
    if isinstance(evidence, Certificate):
        return any(rests_on_solvers(e) for e in evidence.evidence)
    if isinstance(evidence, CaseSplit):
        return any(rests_on_solvers(rest) for _, rest in evidence.cases)
    return isinstance(evidence, SolverWord)


def solver_confirmation() -> AskSolvers:
    """The function that puts an obligation to z3 and cvc5 again; they are loaded only here, since
    few proofs need them.
    """
    from ahdp_verify.search.solvers.smt import attesting_solvers  # noqa: PLC0415 - few proofs need solvers

    return attesting_solvers
