"""A search for the pieces of a range: how an interval is asked about, and in what part of the time.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import finite
>>> from ahdp_verify.kernel.terms.expression import number
>>> coin = Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density="1/2", name="coin")
>>> subject_name(Claim(coin, "any", number(1)))
'coin'
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

from ahdp_verify.analysis.parameters.pieces import RangePiece
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.unknown import Verdict
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.evidence import prove_without_solvers
from ahdp_verify.search.intervals import RealInterval
from ahdp_verify.search.limits import Clock, Limits
from ahdp_verify.search.loss.margins import restrict_parameter
from ahdp_verify.search.programs.decide import proved_by_alignment
from ahdp_verify.search.progress import Progress
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.verify import verify
from ahdp_verify.search.wording import unknown_verdict

HERE = "the end of a range lies here"
LEAST = 1.0  # seconds for one piece, at least


@dataclass(slots=True)
class RangeSearch:
    """A search for pieces: the claim, its parameter, the clock, the progress report, and what was
    not found.
    """

    claim: Claim | ProgramClaim
    parameter: str
    clock: Clock
    progress: Progress
    reasons: dict[str, None] = field(default_factory=dict)

    @property
    def written(self) -> Claim:
        """The claim, where it is about a mechanism given by its density."""
        return cast("Claim", self.claim)

    def verdict(self, where: RealInterval, *, hopeful: bool = True) -> Verdict:
        """The verdict on the claim in an interval; `hopeful` where it is expected to be true."""
        self.clock.check("looking for the range of a parameter")
        self.progress(f"trying {where.text(self.parameter)}")
        claim, squares = (
            restrict_parameter(self.claim, self.parameter, where, s) for s in (False, True)
        )
        if hopeful and claim != squares and (found := self._proof(squares)) is not None:
            return found
        return verify(claim, self.limits(2))

    def _proof(self, claim: Claim | ProgramClaim) -> Proved | None:
        """A proof without solvers."""
        if not isinstance(claim, ProgramClaim):
            return prove_without_solvers(claim, self.limits(4))[0]
        clock = self.limits(4).clock()
        with clock.running(), stop_at_limits([]):
            found = proved_by_alignment(claim, clock)
            return found if isinstance(found, Proved) else None
        return None

    def limits(self, share: int) -> Limits:
        """A share of the time left."""
        return replace(
            self.clock.limits,
            seconds=max(0.01, min(self.clock.left, max(LEAST, self.clock.left / share))),
        )


def subject_name(claim: Claim | ProgramClaim) -> str:
    """What a claim is about, for messages."""
    if isinstance(claim, ProgramClaim):
        return display_name(claim.program.name) or "the program"
    return display_name(claim.mechanism.name) or "the mechanism"


def undecided_piece(run: RangeSearch, where: RealInterval, why: str) -> RangePiece:
    return RangePiece(
        where,
        unknown_verdict(
            restrict_parameter(run.claim, run.parameter, where), (Declined("ranges", why),)
        ),
    )
