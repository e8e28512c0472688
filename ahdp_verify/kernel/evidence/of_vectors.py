"""Evidence about mechanisms on the answers to a query on vectors; nothing here is believed."""

from __future__ import annotations

from dataclasses import dataclass

from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import AnyCertificate, Certificate
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.model.inequality import UnknownValues


@dataclass(frozen=True, slots=True)
class AppliedAlignment:
    """A proof of the claim with this fingerprint about a noise program: the shifts, and the proof
    of the sensitivity.
    """

    claim: str
    of_program: Alignment
    of_query: Certificate


@dataclass(frozen=True, slots=True)
class VectorCounterexample:
    """For each answer a vector of which one entry changes: parameters, entries and the new entry;
    and what refutes the claim between the inputs "before" and "after".
    """

    vectors: tuple[UnknownValues, ...]
    there: Counterexample | NotionCounterexample


AnyProof = AnyCertificate | Alignment | AppliedAlignment
