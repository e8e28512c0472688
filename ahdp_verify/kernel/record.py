"""The stored record of a verdict: its contents, and how it is read.

A record that was read is a claim and evidence, still to be checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    OfInstances,
    Total,
)
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.evidence.of_vectors import AnyProof, VectorCounterexample
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.composite import claim_from_json
from ahdp_verify.kernel.model.inequality import Inequality, UnknownValues
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.ball import VERSIONS
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.compared import CheckableClaim, Compared, ComparedValues
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.rules.scope import Scope
from ahdp_verify.kernel.terms.expression import to_json
from ahdp_verify.kernel.terms.sealing import SEAL, is_sealed, seal
from ahdp_verify.kernel.terms.stored import CURE, from_stored, to_stored
from ahdp_verify.kernel.version import VERSION

FORMAT = 3
MADE_BY = {"ahdp_verify": VERSION, **VERSIONS}
OF_VERSION = re.compile(r"[0-9A-Za-z.+_-]{1,40}")


def unsealed_record(verdict: str, claim: CheckableClaim, **content: Any) -> dict[str, Any]:
    """A record without a seal."""
    return {
        "format": FORMAT,
        "verdict": verdict,
        "claim": claim.to_json(),
        "fingerprint": claim.fingerprint,
        **content,
    }


def sealed_record(content: dict[str, Any]) -> dict[str, Any]:
    """A record with the versions that made it, sealed."""
    return seal({**content, "made_by": dict(MADE_BY)})


def of_proof(
    claim: CheckableClaim,
    proof: AnyProof,
    scope: Scope,
    trusts: tuple[str, ...],
    compared: Compared | None,
) -> dict[str, Any]:
    """The record of a proof, without a seal."""
    return unsealed_record(
        "proved",
        claim,
        scope={
            "inputs": scope.inputs,
            "conditions": [to_json(c) for c in scope.conditions],
            "defined": to_json(scope.defined),
            "size": scope.size,
            "compared": scope.compared,
        },
        compared=to_stored(compared),
        trusts=list(trusts),
        certificate=to_stored(proof),
    )


TwoInputs = Counterexample | OfInstances | ProgramCounterexample | VectorCounterexample
AnyEvidence = AnyProof | TwoInputs | NotionCounterexample | UnknownValues


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """The content of a saved file: the claim and either a certificate or a counterexample, still to
    be checked.

    A certificate comes with what is compared, a counterexample possibly with a proof that the law
    has total 1 everywhere.
    """

    claim: CheckableClaim
    evidence: AnyEvidence
    compared: Compared | None = None
    mass: Total | None = None


OTHER_CLAIMS: dict[str, Any] = {
    "inequality": Inequality,
    "sensitivity": SensitivityClaim,
    "applied": AppliedClaim,
    "best": BestClaim,
    "guess": GuessClaim,
    "program": ProgramClaim,
    "notion": NotionClaim,
}  # by the key that distinguishes their JSON from that of a claim
COMMON = {"format", "verdict", "claim", "fingerprint", "made_by", SEAL}
FIELDS = {
    "proved": COMMON | {"scope", "compared", "trusts", "certificate"},
    "refuted": COMMON | {"counterexample", "mass"},
}
OLD = {
    1: "it is a record of format 1, which does not name what it compares",
    2: "it is a record of format 2, in which some fields have different names",
}


def read_record(data: Any) -> StoredRecord:
    """The claim and the evidence of a stored record; BadInput for a wrong format, a broken seal or
    a fingerprint of another claim.
    """
    if isinstance(data, dict) and type(data.get("format")) is int and data["format"] in OLD:
        raise BadInput(
            "certificate", OLD[data["format"]], "verify the claim again and save the record"
        )
    if (
        not isinstance(data, dict)
        or type(data.get("format")) is not int
        or data["format"] != FORMAT
    ):
        raise BadInput("certificate", f"it is not a stored record of format {FORMAT}", CURE)
    if data.get("verdict") == "unknown":
        raise BadInput(
            "certificate",
            "its verdict is Unknown, so it contains nothing to check",
            "save a proof or a refutation",
        )
    if FIELDS.get(str(data.get("verdict"))) != set(data):
        raise BadInput(
            "certificate", "its fields are not those of a stored proof or refutation", CURE
        )
    if not is_sealed(data):
        raise BadInput(
            "certificate", "it was changed after it was saved (its SHA-256 does not fit)", CURE
        )
    check_made_by(data["made_by"])
    about = data["claim"]
    claim = next(
        (
            kind.from_json(about)
            for key, kind in OTHER_CLAIMS.items()
            if isinstance(about, dict) and key in about
        ),
        None,
    ) or claim_from_json(about)
    if data["fingerprint"] != claim.fingerprint:
        raise BadInput("certificate", "its fingerprint is that of another claim", CURE)
    compared = from_stored(Compared | None, data.get("compared"), "compared")
    mass = from_stored(Total | None, data.get("mass"), "mass")
    return StoredRecord(claim, _evidence(data), compared, mass)


def check_made_by(versions: Any) -> None:
    """BadInput unless the versions that wrote a record are short texts; they are not otherwise
    examined.
    """
    right = isinstance(versions, dict) and set(versions) == set(MADE_BY)
    if not right or not all(
        isinstance(v, str) and OF_VERSION.fullmatch(v) for v in versions.values()
    ):
        raise BadInput("certificate", "it does not name the versions that wrote it", CURE)


def _evidence(data: dict[str, Any]) -> AnyEvidence:
    """The proof or the counterexample of a record."""
    if data["verdict"] == "proved":
        found: AnyEvidence = from_stored(AnyProof, data["certificate"], "certificate")
        return found
    example = data["counterexample"]
    if "notion" in data["claim"]:
        return NotionCounterexample.from_json(example)
    found = from_stored(TwoInputs | ComparedValues, example, "counterexample")
    return found.values if isinstance(found, ComparedValues) else found
