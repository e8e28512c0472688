"""The claims that a command is about: those of a file, or the same with another level or
relation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import overload

from ahdp_verify.cli.console import run_shielded
from ahdp_verify.cli.documents import Printer
from ahdp_verify.cli.exit_codes import BAD, UNKNOWN, worst_exit_code
from ahdp_verify.files.composite_file import PipelineFile
from ahdp_verify.files.mechanism_file import OF_DEMAND, ClaimNote, MechanismFile
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.expression import Expression, name
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name

READING = "reading the file"  # the activity that a message names if a limit is reached meanwhile

NotedClaim = tuple[
    AnyClaim | ProgramClaim | NotionClaim | SensitivityClaim | AppliedClaim, ClaimNote
]
OneClaim = tuple[Claim | ProgramClaim, ClaimNote]  # about one mechanism or one noise program


@overload
def noted_claims(
    file: MechanismFile, level: str, relation: str
) -> tuple[tuple[Claim | NotionClaim, ClaimNote], ...]: ...


@overload
def noted_claims(
    file: MechanismFile | PipelineFile, level: str, relation: str
) -> tuple[tuple[AnyClaim | NotionClaim, ClaimNote], ...]: ...


def noted_claims(
    file: MechanismFile | PipelineFile, level: str, relation: str
) -> tuple[tuple[AnyClaim | NotionClaim, ClaimNote], ...]:
    """The claims of a file with their notes; with another level or relation, the claims that
    result, each once and without notes.
    """
    if not level and not relation:
        if not file.claims:
            raise BadInput(
                str(file.mechanism),
                "it states no claim",
                "add a [[claim]], or give one with --relation and --level",
            )
        return tuple(zip(file.claims, file.notes, strict=True))
    at = parse(level, "--level") if level else None
    bases = file.claims or (default_claim(file, relation, at is not None),)
    changed = (_changed(c, relation, at) for c in bases)
    return tuple((claim, ClaimNote()) for claim in dict.fromkeys(changed))


def _changed(
    claim: AnyClaim | NotionClaim, relation: str, level: Expression | None
) -> AnyClaim | NotionClaim:
    """The claim with another relation, or with this level, where one is given; BadInput for a level
    in place of another bound, and for a level of the file that the relation does not have.
    """
    if isinstance(claim, NotionClaim):
        if level is not None:
            said = f"{claim} states another bound than a level"
            raise BadInput("--level", said, "change the bound in the file, or leave --level out")
        bounds = _changed(claim.bounds, relation, None)
        return replace(claim, bounds=bounds) if isinstance(bounds, AnyClaim) else claim
    try:
        return replace(
            claim,
            relation=relation or claim.relation,
            level=claim.level if level is None else level,
        )
    except BadInput as why:
        if level is not None or why.where != "level":
            raise
        said = f"the level {claim.level} of the file does not fit {relation}: {why.reason}"
        raise BadInput("--relation", said, "give one with --level, or in the file") from None


def default_claim(file: MechanismFile | PipelineFile, relation: str, levelled: bool) -> Claim:
    """The claim that stands in where a file has none: at the demand, unless a level is given."""
    relation = relation or relations_of(file)[0]
    if relation not in OF_DEMAND and not levelled:
        raise BadInput(
            "--relation",
            f"{display_name(relation)} has no default level",
            "give one with --level",
        )
    if not isinstance(file.mechanism, Mechanism):
        raise BadInput(str(file.mechanism), "it states no claim", "add a [[claim]]")
    return Claim(
        file.mechanism, relation, name("eps") if relation in OF_DEMAND else parse("0", "--level")
    )


def relations_of(file: MechanismFile | PipelineFile) -> tuple[str, ...]:
    """The relations of the claims of a file; if it has none, the default for its input."""
    inputs: Inputs = file.mechanism.inputs
    usual = inputs.relations[:1]
    return tuple(dict.fromkeys(claim.relation for claim in file.claims)) or usual


def run_each_claim(
    claims: tuple[OneClaim, ...],
    one: Callable[[Claim | ProgramClaim, tuple[int, int]], int],
    doing: str,
    printer: Printer,
) -> int:
    """The worst exit code of an action on each claim, whose name the printer has meanwhile; an
    error that several share is reported on stderr once.
    """
    said: set[str] = set()

    def run(i: int, claim: Claim | ProgramClaim, note: ClaimNote) -> int:
        printer.claim = note.name
        try:
            return one(claim, (i, len(claims)))
        except (BadInput, NotWorkedOut) as error:
            if str(error) in said:
                code = BAD if isinstance(error, BadInput) else UNKNOWN
                printer.refuse(code, str(error))
                return code
            said.add(str(error))
            raise

    return worst_exit_code(
        [
            run_shielded(partial(run, i, claim, note), f"{doing} {claim}", printer.refuse)
            for i, (claim, note) in enumerate(claims)
        ]
    )
