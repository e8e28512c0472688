"""What a report is about: claims with what was found of them, and the files that they come from."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from ahdp_verify.analysis.arguments import Examination
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import AhdpError, BadInput
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.compared import CheckableClaim, ComparedPair
from ahdp_verify.kernel.rules.joint_law import explicit_claim
from ahdp_verify.kernel.terms.printing import display_name, one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.verdicts import Verdict

# in the order of a report: what a reviewer has to see first
ORDER = ("invalid", "refused", "refuted", "unknown", "vacuous", "proved")


@dataclass(frozen=True, slots=True)
class NoVerdict:
    """A claim without a verdict: "invalid" (the checker does not accept its record), "refused" (its
    mechanism is not well defined) or "unknown" (a limit was reached), and why.
    """

    claim: str
    outcome: str
    reason: str

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a claim comes from: a file or a saved record as it was named, the SHA-256 of its bytes,
    and what the file says of the claim beside it.
    """

    path: str = ""
    digest: str = ""
    is_record: bool = False
    name: str = ""
    note: str = ""
    expect: str = ""

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Subject:
    """One claim of a report, and what was found."""

    found: Verdict | Examination | NoVerdict
    origin: Origin = Origin()

    __repr__ = short_repr

    @property
    def verdict(self) -> Verdict | None:
        """The verdict, if there is one."""
        if isinstance(self.found, Examination):
            return self.found.verdict
        return None if isinstance(self.found, NoVerdict) else self.found

    @property
    def outcome(self) -> str:
        """The outcome in one word, one of ORDER."""
        verdict = self.verdict
        return verdict.outcome if verdict is not None else self.no_verdict.outcome

    @property
    def no_verdict(self) -> NoVerdict:
        """What stands in place of a verdict."""
        if not isinstance(self.found, NoVerdict):
            raise BadInput("report", "this claim has a verdict", "ask for its verdict")
        return self.found

    @property
    def word(self) -> str:
        """The outcome as a reader sees it, with what a proof rests on if that is a solver."""
        verdict = self.verdict
        if verdict is None:
            return {"invalid": "Not accepted", "refused": "Not well defined"}.get(
                self.outcome, "Unknown"
            )
        return verdict.word

    @property
    def argument(self) -> str:
        """The state of the argument for a statement: "valid", "not valid" or "open"; "" if there is
        none.
        """
        found = self.found
        return found.state if isinstance(found, Examination) and found.argument.steps else ""

    @property
    def rank(self) -> int:
        """The place in a report: what a reviewer has to see first comes first."""
        of_argument = {"not valid": "refuted", "open": "unknown"}.get(self.argument, self.outcome)
        return min(map(ORDER.index, (self.outcome, of_argument)))

    @property
    def remark(self) -> str:
        """What a reader of the summary has to know beyond the verdict."""
        said = [f"the argument for it is {self.argument}"] if self.argument else []
        if self.origin.expect not in ("", self.outcome):
            said.append(f"the file expects {self.origin.expect}")
        return "; ".join(said)

    @property
    def claim(self) -> CheckableClaim | None:
        """The claim, if it could be read."""
        verdict = self.verdict
        return None if verdict is None else verdict.claim

    @property
    def subject_name(self) -> str:
        """The name of what the claim is about, or the claim where that has none."""
        claim = self.claim
        if isinstance(claim, AnyClaim | NotionClaim):
            return str(claim.mechanism)
        if isinstance(claim, ProgramClaim):
            return display_name(claim.program.name) or "a noise program"
        return display_name(getattr(claim, "name", "")) or self.text

    @property
    def text(self) -> str:
        """The claim on one line."""
        return one_line(str(self.claim) if self.claim is not None else self.no_verdict.claim)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two neighbouring inputs at which the distributions of a claim's mechanism are known."""

    claim: Claim
    example: Counterexample


def compared_pair(verdict: Verdict) -> Pair | None:
    """The two inputs that a record names: those of a counterexample, or those that a proof
    compares; None where there are none, or the distribution is not one expression.
    """
    if isinstance(verdict, Refuted):
        return Pair(verdict.written, verdict.counterexample)
    if not isinstance(verdict, Proved) or not isinstance(verdict.compared, ComparedPair):
        return None
    claim = verdict.claim
    if not isinstance(claim, AnyClaim):
        return None
    written = written_claim(claim)
    return None if written is None else Pair(written, verdict.compared.example)


def written_claim(claim: AnyClaim) -> Claim | None:
    """The same claim about a distribution as one expression; None if that is not possible."""
    if not isinstance(claim, CompositeClaim):
        return claim
    try:
        return explicit_claim(claim, None, {})
    except AhdpError:
        return None


def shell_word(path: str) -> str:
    """A path as a shell reads it, on one line."""
    return shlex.quote(one_line(path, 10_000))
