"""The exact JSON of evidence about noise programs: kinds as {"is": ..., fields}, rationals as {"q":
"p/r"}, expressions as {"e": tree}.
"""

from __future__ import annotations

from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.alignment import (
    Alignment,
    CutRuns,
    Head,
    PathShifts,
    Region,
    Rounds,
    WholeRuns,
)
from ahdp_verify.kernel.evidence.certificate import certificate_from_json, certificate_to_json
from ahdp_verify.kernel.evidence.program_counterexample import (
    Between,
    OutputEvent,
    ProgramCounterexample,
)

KINDS: dict[str, type] = {
    "alignment": Alignment,
    "whole runs": WholeRuns,
    "cut runs": CutRuns,
    "rounds": Rounds,
    "head": Head,
    "region": Region,
    "shifts": PathShifts,
    "inputs and outputs": ProgramCounterexample,
    "outputs": OutputEvent,
    "between": Between,
}
NAMES = {kind: text for text, kind in KINDS.items()}


def to_json(evidence: Alignment | ProgramCounterexample) -> Any:
    """The JSON of a proof or of a refutation."""
    return certificate_to_json(evidence, NAMES)


def from_json(data: Any) -> Alignment | ProgramCounterexample:
    """The proof or the refutation of its JSON; BadInput for anything else."""
    found = certificate_from_json(data, 0, KINDS)
    if not isinstance(found, Alignment | ProgramCounterexample):
        raise BadInput(
            "certificate",
            "it is neither an alignment nor two inputs and outputs",
            "use a file that ahdp-verify saved",
        )
    return found
