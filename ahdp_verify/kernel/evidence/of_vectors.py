"""Evidence about mechanisms on the answers to a query on vectors; nothing here is believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.evidence import certificate, program_evidence
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    counterexample_from_json,
    counterexample_to_json,
)
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.model.declarations import from_canonical
from ahdp_verify.kernel.model.inequality import UnknownValues


@dataclass(frozen=True, slots=True)
class AppliedAlignment:
    """A proof of the claim with this fingerprint about a noise program: the shifts, and the proof of
    the sensitivity.
    """

    claim: str
    of_program: Alignment
    of_query: certificate.Certificate


@dataclass(frozen=True, slots=True)
class VectorCounterexample:
    """For each answer a vector of which one entry changes: parameters, entries and the new entry;
    and what refutes the claim between the inputs "before" and "after".
    """

    vectors: tuple[UnknownValues, ...]
    there: Counterexample | NotionCounterexample


OfVectors = AppliedAlignment | VectorCounterexample


def to_json(evidence: OfVectors) -> Any:
    """The JSON of a proof or of a refutation."""
    if isinstance(evidence, AppliedAlignment):
        return {
            "claim": evidence.claim,
            "of_program": program_evidence.to_json(evidence.of_program),
            "of_query": certificate.certificate_to_json(evidence.of_query),
        }
    there = evidence.there
    return {
        "vectors": certificate.certificate_to_json(evidence.vectors),
        "there": counterexample_to_json(there)
        if isinstance(there, Counterexample)
        else there.to_json(),
    }


def from_json(data: Any) -> OfVectors:
    """The proof or the refutation of its JSON; BadInput for anything else."""
    return from_canonical(_read, to_json, data, "certificate")


def _read(data: Any) -> OfVectors:
    read = certificate.certificate_from_json
    if "of_program" in data:
        shifts: Any = program_evidence.from_json(data["of_program"])
        return AppliedAlignment(data["claim"], shifts, read(data["of_query"]))
    of_notion = "order" in data["there"]
    there = NotionCounterexample.from_json if of_notion else counterexample_from_json
    return VectorCounterexample(read(data["vectors"]), there(data["there"]))
