"""One statement of the paper: the printed claim, what the toolkit finds about it, and the
grade that this earns.

A row has checks.  A check asks the toolkit one thing and says what answer is expected; an answer
without an expectation, or another answer, makes the row fail.  What a row concludes is derived
from the answers, never declared:

  holds       what the paper says was shown as it stands
  repaired    what the paper says fails somewhere, and the corrected statement was shown
  false       what the paper says fails, and there is no corrected statement
  open        an answer is missing
  conjecture  it was shown in every case that was tried, and is stated as no more than a conjecture

and the grade of what was shown is that of the weakest of its checks:

  proved              for all values of everything that the statement speaks of
  proved, given ...   a chain whose steps are checked by machine, and which cites named facts that
  are not verified for ...    for the listed values, or finitely many outcomes, only
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

AnswerWord = Literal["proved", "refuted", "refused"]
Role = Literal["printed", "repair", "more"]
RowKind = Literal["formal", "conjecture", "no formal content", "data not available"]
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """What the toolkit found.

    word           "proved", "refuted", "refused" (the mechanism has no meaning there) or "unknown"
    line           the finding in one line
    given          facts that it cites
    only           the values to which its own scope confines it, "" for none
    file           the mechanism file below proofs/ that states the claim, "" for none
    record         the stored record below proofs/, "" for none
    records        records that were made just now, as JSON
    probabilities  of a counterexample, for a plot: the probability of the event at the first
                   input and at the second, and the most that the claim allows at the first
    """

    word: str
    line: str
    given: tuple[str, ...] = ()
    only: str = ""
    file: str = ""
    record: str = ""
    records: tuple[object, ...] = field(default=(), repr=False)
    probabilities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One question to the toolkit.

    ask     the question; it gets a function to report progress to
    expect  the answer that the row needs, "" for none: then the row fails
    role    whether it is about what is printed, about what should have been, or about something
            beyond
    says    what is asked, in words, "" where the finding says it
    given   facts that the step from this finding to the statement cites
    only    the values that the check covers, "" for all that the statement speaks of
    denies  whether the statement says that this is not so: then a counterexample is what shows it
    """

    ask: Callable[[Tell], CheckAnswer]
    expect: AnswerWord | Literal[""] = ""
    role: Role = "printed"
    says: str = ""
    given: tuple[str, ...] = ()
    only: str = ""
    denies: bool = False


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A statement of the paper.

    identifier  its name in proofs/INDEX.md, and in `ahdp-verify paper NAME`
    label       its name in the paper, or its place there
    says        what is printed, in a sentence; formulas in LaTeX between dollar signs
    checks      what is asked of the toolkit, none for a row without formal content
    note        what is wrong or missing, and what should stand there, in a sentence or two
    kind        "formal", "conjecture" (formal too, but not proved in general), or why there is
                nothing to check
    section     the section of the paper, "" for what is not in it
    figures     pictures that belong to it, by name: `ahdp_verify.paper.report` draws some on the
                spot and takes the others from a folder
    """

    identifier: str
    label: str
    says: str
    checks: tuple[Check, ...] = ()
    note: str = ""
    kind: RowKind = "formal"
    section: str = ""
    figures: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.kind in ("formal", "conjecture")) != bool(self.checks):
            raise ValueError(
                f"{self.label}: a row has checks if it has formal content, and only then"
            )
        if self.checks and not any(c.role == "printed" for c in self.checks):
            raise ValueError(f"{self.label}: nothing is asked about what is printed")


@dataclass(frozen=True, slots=True)
class Finding:
    """A check and what became of it; `expected` says whether it is what the row needs."""

    check: Check
    answer: CheckAnswer

    @property
    def expected(self) -> bool:
        """True if an answer was expected, and it is this one."""
        return bool(self.check.expect) and self.answer.word == self.check.expect

    @property
    def only(self) -> str:
        """The values that the finding covers, "" for all."""
        return "; ".join(filter(None, dict.fromkeys((self.check.only, self.answer.only))))

    @property
    def given(self) -> tuple[str, ...]:
        """The facts that the finding cites."""
        return tuple(dict.fromkeys((*self.answer.given, *self.check.given)))

    @property
    def supports(self) -> bool:
        """True if the finding shows what the statement says: a proof, or a counterexample to
        what it denies.
        """
        return self.answer.word == ("refuted" if self.check.denies else "proved")


@dataclass(frozen=True, slots=True)
class Result:
    """A row and what was found."""

    row: PaperRow
    found: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """True if every check has the expected answer."""
        return all(f.expected for f in self.found)

    def of(self, role: Role) -> tuple[Finding, ...]:
        """The findings with this role."""
        return tuple(f for f in self.found if f.check.role == role)

    @property
    def outcome(self) -> str:
        """What becomes of the printed statement: holds, conjecture, repaired, false, open, or
        the kind of a row without checks.
        """
        if not self.row.checks:
            return self.row.kind
        if any(f.answer.word == "unknown" for f in self.found):
            return "open"
        printed, repairs = self.of("printed"), self.of("repair")
        if all(f.supports for f in printed) and (printed or not repairs):
            return "conjecture" if self.row.kind == "conjecture" else "holds"
        return "repaired" if repairs and all(f.supports for f in repairs) else "false"

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings on which the outcome rests: those about the printed statement, or about
        what was put in its place; all of a row beyond the paper.
        """
        printed, repairs = self.of("printed"), self.of("repair")
        return repairs if self.outcome == "repaired" else printed or self.found

    @property
    def grade(self) -> str:
        """The grade in words: the weakest of the findings on which the outcome rests."""
        if self.outcome in ("open", "false") or not self.row.checks:
            return {"open": "unknown", "false": "refuted"}.get(self.outcome, "")
        proofs = [f for f in self.shown if f.supports]
        only = "; ".join(dict.fromkeys(f.only for f in proofs if f.only))
        given = "; ".join(dict.fromkeys(fact for f in proofs for fact in f.given))
        return (f"verified for {only}" if only else "proved") + (
            f", given {given}" if given else ""
        )
