"""Section 1: one record, from its bytes to the answer."""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recheck import forms, integrals, signs, trees
from recheck.alignments import require_alignment
from recheck.applied import AppliedClaim, require_applied, require_failure_at_vectors
from recheck.certificates import Words, size_of
from recheck.claims import Claim
from recheck.comparisons import compared_by, require_scope
from recheck.enumerations import require_enumeration
from recheck.evidence import PROOF, one_of
from recheck.inequalities import InequalityClaim, require_failure, require_inequality_claim
from recheck.limits import CLOCK, FILE_BYTES, NESTING, NotCovered, Rejected, Unreadable, need
from recheck.notions import NotionClaim, require_notion, require_violation
from recheck.optima import Best, Guess, require_best_test, require_optimum
from recheck.outcomes import require_outcomes
from recheck.programs import ProgramClaim
from recheck.refutations import require_refutation
from recheck.rules import require_proof
from recheck.shapes import digest, fields, listed
from recheck.vectors import VectorClaim, require_jump, require_vector_claim

ACCEPTED, WORD, NOT_COVERED, REJECTED = "accepted", "attested by", "not covered", "rejected"
UNREADABLE, FAILED = "unreadable", "failed"
PROVED_FIELDS = "scope compared trusts certificate"
REFUTED_FIELDS = "counterexample mass"
COMMON_FIELDS = "format verdict claim fingerprint made_by sha256"
VERSION = re.compile(r"[A-Za-z0-9.+_-]{1,40}", re.ASCII)
SOLVER = re.compile(r"(cvc5|z3) [0-9]+(\.[0-9]+)*", re.ASCII)
TAKEN_OVER = re.compile(r".* \(up to ([1-9][0-9]{0,5}) records\)", re.ASCII)


@dataclass(frozen=True)
class Answer:
    """The verdict on one record, and the reason."""

    verdict: str
    why: str


# from bytes to JSON


def read_file(path: Path) -> str:
    """The text of a regular file that is not too large."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("it is not a regular file")
            data = file.read(FILE_BYTES + 1)
    except OSError as why:
        raise Unreadable(f"it cannot be read: {why.strerror or 'an error'}") from None
    if len(data) > FILE_BYTES:
        raise Unreadable(f"it has more than {FILE_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("it is not text in UTF-8") from None


def parse(text: str) -> Any:
    """The JSON of a record: keys are distinct, numbers are integers, nesting is bounded."""
    try:
        data = json.loads(
            text,
            parse_float=refuse_number,
            parse_constant=refuse_number,
            parse_int=small_number,
            object_pairs_hook=distinct_keys,
        )
    except ValueError:
        raise Rejected("it is not JSON") from None
    except RecursionError:
        raise Rejected("its brackets are nested too deeply") from None
    need_shallow(data)
    return data


def need_shallow(data: Any) -> None:
    """Raises unless brackets are not nested too deeply."""
    level = [data]
    for _ in range(NESTING):
        nested = [part for part in level if isinstance(part, (dict, list))]
        if not nested:
            return
        parts = (p.values() if isinstance(p, dict) else p for p in nested)
        level = [inner for part in parts for inner in part]
    raise Rejected("its brackets are nested too deeply")


def refuse_number(text: str) -> Any:
    raise Rejected("it has a number that is not an integer")


def small_number(text: str) -> int:
    need(len(text) <= 20, "it has a number that is too large")
    need(text != "-0", "it has the number -0")
    return int(text)


def distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len(dict(pairs)) == len(pairs), "a key occurs twice")
    return dict(pairs)


# one record


def check_file(path: Path, seconds: float = 0) -> Answer:
    """The answer for a file, within a limit of processor time."""
    forms.forget()
    integrals.forget()
    signs.forget()
    trees.forget()
    CLOCK.start(seconds)
    try:
        return check_record(parse(read_file(path)))
    except Unreadable as why:
        return Answer(UNREADABLE, str(why))
    except NotCovered as why:
        return Answer(NOT_COVERED, str(why))
    except Rejected as why:
        return Answer(REJECTED, str(why))
    except RecursionError:
        return Answer(NOT_COVERED, "it is nested too deeply")
    except MemoryError:
        return Answer(NOT_COVERED, "it needs more memory than available")
    except Exception as why:  # a bug in this program, not a verdict
        return Answer(FAILED, f"an internal error, {type(why).__name__}")


def check_record(data: Any) -> Answer:
    """The answer for a record that is accepted; raises if a check fails."""
    need(isinstance(data, dict), "it is not a record")
    verdict = data.get("verdict")
    need(data.get("format") == 3 and type(data["format"]) is int, "its format is not 3")
    need(verdict in ("proved", "refuted"), "it has an unknown verdict")
    own = PROVED_FIELDS if verdict == "proved" else REFUTED_FIELDS
    fields(data, f"{COMMON_FIELDS} {own}", "the record")
    seal = digest({k: v for k, v in data.items() if k != "sha256"})
    need(data["sha256"] == seal, "its seal is broken")
    need(data["fingerprint"] == digest(data["claim"]), "its fingerprint is that of another claim")
    need_versions(data["made_by"])
    need(isinstance(data["claim"], dict), "the claim is not an object")
    return check_proof(data) if verdict == "proved" else check_refutation(data)


def need_versions(data: Any) -> None:
    for version in fields(data, "ahdp_verify flint python-flint", "made_by"):
        good = isinstance(version, str) and VERSION.fullmatch(version) is not None
        need(good, "made_by has an invalid version")


def check_refutation(data: Any) -> Answer:
    said = data["claim"]
    need("best" not in said and "guess" not in said, "an optimum cannot be refuted")
    if "inequality" in said:
        need(data["mass"] is None, "an inequality has no mass")
        require_failure(InequalityClaim(said), data["counterexample"])
        return Answer(ACCEPTED, "refuted, the inequality fails at exact values")
    if "sensitivity" in said:
        need(data["mass"] is None, "a query has no mass")
        require_jump(VectorClaim(said), data["counterexample"])
        return Answer(ACCEPTED, "refuted, the answer moves too far at exact values")
    if "applied" in said:
        need(data["mass"] is None, "a refutation at vectors has no mass")
        require_failure_at_vectors(AppliedClaim(said), data["counterexample"])
        return Answer(ACCEPTED, "refuted, the claim fails between two lists of vectors")
    if "program" in said:
        need(data["mass"] is None, "a program has no mass")
        require_outcomes(ProgramClaim(said), one_of("inputs and outputs")(data["counterexample"]))
        return Answer(ACCEPTED, "refuted, exact probabilities violate the claimed bound")
    if "notion" in said:
        need(data["mass"] is None, "a refutation of a notion has no mass")
        require_violation(NotionClaim(said), data["counterexample"])
        return Answer(ACCEPTED, "refuted, a divergence exceeds the claimed bound")
    require_refutation(Claim(said), data["counterexample"], data["mass"])
    where = "both inputs" if data["mass"] is None else "all inputs"
    return Answer(ACCEPTED, f"refuted, the event violates the claimed bound; total 1 at {where}")


def check_proof(data: Any) -> Answer:
    said, words, size = data["claim"], set[tuple[str, ...]](), None
    how = "everything it needs was derived again"
    claim: Any
    if "inequality" in said:
        claim = InequalityClaim(said)
        require_inequality_claim(claim, one_of("certificate")(data["certificate"]))
    elif "sensitivity" in said:
        claim = VectorClaim(said)
        require_vector_claim(claim, one_of("certificate")(data["certificate"]))
    elif "applied" in said:
        claim = AppliedClaim(said)
        require_applied(claim, data["certificate"], words)
    elif "best" in said:
        claim = Best(said)
        require_optimum(claim, one_of("optimum")(data["certificate"]))
    elif "guess" in said:
        claim = Guess(said)
        require_best_test(claim, one_of("best test")(data["certificate"]))
    elif "program" in said:
        claim = ProgramClaim(said)
        require_alignment(claim, one_of("alignment")(data["certificate"]))
    elif "notion" in said:
        notion, proof = NotionClaim(said), PROOF(data["certificate"])
        claim = notion.bounds
        require_notion(notion, proof, words)
    else:
        claim, proof = Claim(said), PROOF(data["certificate"])
        size = size_of(proof)
        require_claim(claim, proof, size, words)
    found = compared_by(claim, data["compared"], size if said_of_records(claim) else None)
    require_scope(claim, data["scope"], size, found)
    need_trusts(data["trusts"], words, size)
    if found == "nothing":
        how = "vacuously: it compares nothing"
    if words:
        return Answer(WORD, " and ".join(data["trusts"]))
    return Answer(ACCEPTED, f"proved, {how}")


def said_of_records(claim: Any) -> bool:
    return isinstance(claim, Claim) and bool(claim.bound)


def require_claim(claim: Claim, proof: Any, size: int | None, words: Words) -> None:
    """Raises unless the claim is proved, or shown for datasets of at most `size` records."""
    if size is None:
        require_proof(claim, proof, words)
    else:
        require_enumeration(claim, proof)


def need_trusts(trusts: Any, words: Words, size: int | None) -> None:
    """Raises unless `trusts` names exactly the solvers (or the file or cluster) that the record
    relies on.
    """
    names = listed(trusts)
    need(all(isinstance(n, str) for n in names), "an entry of trusts is not a string")
    if size is not None and names:
        found = TAKEN_OVER.fullmatch(names[0]) if len(names) == 1 else None
        need(
            found is not None and int(found[1]) <= size,
            "trusts differs from what the record relies on",
        )
        return
    for pair in words:
        solvers = [SOLVER.fullmatch(n) for n in pair]
        need(all(solvers), "a solver word names an unknown solver")
        need(
            [m[1] for m in solvers if m] == ["cvc5", "z3"],
            "a solver word does not name cvc5 and z3",
        )
    need(len(words) <= 1, "solver words name different solvers")
    need(
        names == sorted({n for pair in words for n in pair}),
        "trusts differs from what the record relies on",
    )
