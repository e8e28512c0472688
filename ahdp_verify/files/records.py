"""Saved proofs and refutations: `save` writes one, `recheck` makes it again with the checker, which
is all that it believes.

A saved file is the canonical JSON of one record: the claim with its whole mechanism, and the
certificate or the counterexample.  Nothing in it goes unread: the verdict that the checker makes
must store the very same record.

>>> import tempfile
>>> from ahdp_verify.search.verify import verify
>>> from ahdp_verify.files.mechanism_file import read as read_table
>>> file = read_table({"format": 1, "domain": {"queries": "1"}, "mechanism": {"outputs": [{"name": "s", "kind": "real"}],
...     "density": "exp(-abs(s - q[1]))/2"}, "claim": [{"relation": "one", "level": "1"}]}, "noisy answer")
>>> path = Path(tempfile.mkdtemp(), "answer.json")
>>> save(verify(file.claims[0]), path)
>>> print(recheck(path))
Proved: noisy answer is DP for one moving answer at level 1; scope: all inputs; trusts: the checker alone
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ahdp_verify.kernel.checker import Ask, check, replay, replay_statement
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected, elsewhere
from ahdp_verify.kernel.evidence.certificate import (
    ByLaw,
    CaseSplit,
    Certificate,
    Enumeration,
    Evidence,
    Proven,
    SolverWord,
)
from ahdp_verify.kernel.evidence.counterexample import Counterexample, OfInstance
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.inequality import Statement, Values
from ahdp_verify.kernel.record import Stored, stored
from ahdp_verify.kernel.refuted import Refuted, RefutedStatement
from ahdp_verify.kernel.rules.accepting import failing_closed
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms import canonical_json as jsonfile
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.kernel.unknown import Unknown, Verdict
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits, within
from ahdp_verify.search.wording import worded

TRUST = ("all", "kernel")


def save(verdict: Verdict, path: str | Path) -> None:
    """The file at `path` holds the record of a proof or a refutation; BadInput for an Unknown
    and where it cannot be written.
    """
    verdict.save(path)


def read(path: str | Path) -> Stored:
    """The claim and the evidence in a saved file, not yet checked; BadInput naming the path for
    anything else.
    """
    return _stored(jsonfile.read(path), path)


def proof_in(path: str | Path) -> tuple[AnyClaim, Certificate | ByLaw]:
    """The claim about a mechanism and the proof in a saved file, not yet checked; BadInput naming
    the path for anything else.
    """
    kept = read(path)
    claim, evidence = kept.claim, kept.evidence
    if isinstance(claim, Claim | CompositeClaim) and isinstance(evidence, Certificate | ByLaw):
        return claim, evidence
    raise BadInput(str(path), "it is no proof about a mechanism", "give the file of a saved proof")


def recheck(
    path: str | Path, *, trust: str = "all", limits: Limits | None = None
) -> Proved | Refuted | RefutedStatement:
    """The verdict of a saved file, made anew by the checker.

    Raises Rejected where the evidence does not show the claim, and BadInput naming the path for a
    file that is no saved record or that was changed after it was saved; OutOfLimits where the check
    takes more than `limits` allow, which without them is anything.  With trust "kernel" no solver
    is asked, so a proof that rests on the word of solvers is Rejected.
    """
    if trust not in TRUST:
        raise BadInput("trust", f"{trust!r} is not known", "use all or kernel")
    with within(limits, f"checking {path}"):
        return _rechecked(path, trust)


def _rechecked(path: str | Path, trust: str) -> Proved | Refuted | RefutedStatement:
    record = jsonfile.read(path)
    kept = _stored(record, path)
    verdict = _made(kept, trust)
    if derived(verdict.to_json()) != derived(all_derived(record, kept.evidence)):
        raise Rejected("its scope or its trusts are not those that the checker finds")
    return verdict


def derived(record: dict[str, Any]) -> dict[str, Any]:
    """What of a record has to be the same when it is made again: all but the versions of what
    wrote it, and so the seal.
    """
    return {key: value for key, value in record.items() if key not in ("made_by", jsonfile.SEAL)}


def again(verdict: Verdict) -> Verdict:
    """A proof or a refutation as the checker makes it from the record that would be saved,
    whoever made it before; Rejected where it does not.
    """
    if isinstance(verdict, Unknown):
        return verdict
    return _made(stored(verdict.to_json()), "all")


def is_enumeration(evidence: Proven | Counterexample | OfInstance | Values) -> bool:
    """Whether everything is derived again, so that what a record says of other files need not be
    believed.
    """
    return isinstance(evidence, Certificate) and any(
        isinstance(e, Enumeration) for e in evidence.evidence
    )


OTHER_FILE = re.compile(r".+ \(up to ([1-9][0-9]*) records\)")


def all_derived(
    record: dict[str, Any], evidence: Proven | Counterexample | OfInstance | Values
) -> dict[str, Any]:
    """The record of an enumeration as if it took no size over from another file, since every size
    is derived again.

    Such a record may name one file from which smaller sizes were taken over; Rejected for anything
    else among its trusts.
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
    if named is None or not int(named[1]) < size:
        raise Rejected("its scope or its trusts are not those that the checker finds")
    return {**record, "trusts": []}


def _stored(record: Any, path: str | Path) -> Stored:
    try:
        return stored(record)
    except (BadInput, NotWorkedOut) as error:
        raise elsewhere(error, f"{named_path(path)}, {error.where}") from None


def _made(kept: Stored, trust: str) -> Proved | Refuted | RefutedStatement:
    """The verdict that the checker makes; what it rejects is told in the user's own words."""
    try:
        return _checked(kept, trust)
    except Rejected as why:
        raise Rejected(worded(why.reason, getattr(kept.claim, "mechanism", None))) from None


def _checked(kept: Stored, trust: str) -> Proved | Refuted | RefutedStatement:
    if isinstance(kept.evidence, tuple):
        if not isinstance(kept.claim, Statement):
            raise Rejected("values of unknowns refute statements only")
        if kept.mass is not None:
            raise Rejected("a statement has no law")
        return replay_statement(kept.claim, kept.evidence)
    if isinstance(kept.evidence, Counterexample | OfInstance):
        if isinstance(kept.claim, Statement | BestClaim | GuessClaim):
            raise Rejected(
                "a statement is refuted by values of its unknowns, and an optimum by no "
                "counterexample"
            )
        return replay(kept.claim, kept.evidence, kept.mass)
    with failing_closed():
        asked = trust == "all" and rests_on_solvers(kept.evidence)
    return check(kept.claim, kept.evidence, solvers() if asked else None, kept.compared)


def rests_on_solvers(evidence: Proven | Evidence) -> bool:
    """Whether a solver's word stands for a proof somewhere in the evidence."""
    if isinstance(evidence, ByLaw):
        return any(rests_on_solvers(proof) for proof in evidence.premises)
    if isinstance(evidence, Certificate):
        return any(rests_on_solvers(e) for e in evidence.evidence)
    if isinstance(evidence, CaseSplit):
        return any(rests_on_solvers(rest) for _, rest in evidence.cases)
    return isinstance(evidence, SolverWord)


def solvers() -> Ask:
    """What asks z3 and cvc5 an obligation again; they are loaded only here, since few proofs
    need them.
    """
    from ahdp_verify.search.solvers.smt import ask  # noqa: PLC0415 - few proofs need solvers

    return ask
