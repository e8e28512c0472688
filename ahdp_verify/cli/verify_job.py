"""What `ahdp-verify verify` does: files are read one by one, and each claim is decided, printed,
saved, and compared with the verdict that its file expects.

>>> [str(path) for path in record_paths("sum.json", "proofs/sum.toml", 2)]
['sum-1.json', 'sum-2.json']
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ahdp_verify.cli.claims import READING, NotedClaim, noted_claims
from ahdp_verify.cli.console import print_error, print_line, progress, run_shielded
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import (
    ANSWERS,
    BAD,
    PROVED,
    REFUTED,
    outcome_exit_code,
    worst_exit_code,
)
from ahdp_verify.cli.option_values import make_folder
from ahdp_verify.cli.program import origin_of
from ahdp_verify.cli.program_claims import Changes, check_no_program_options, noted_program_claims
from ahdp_verify.cli.several import (
    UNEXPECTED,
    Answered,
    Source,
    Tally,
    run_answered,
)
from ahdp_verify.cli.sources import file_of, load_any, output_path
from ahdp_verify.files import records as storage
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.mechanism_file import ClaimNote
from ahdp_verify.files.program_file import ProgramFile
from ahdp_verify.files.sensitivity_file import SensitivityFile
from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.interchangeable import with_fewer_values
from ahdp_verify.kernel.terms.printing import display_name, named_path
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search import verify as search
from ahdp_verify.search.limits import LAST_WORDS, Clock, Limits, enforce_limits
from ahdp_verify.search.loss.margins import free_parameters
from ahdp_verify.search.parts import program_premises
from ahdp_verify.verdicts import AnyRefuted, Unknown, Verdict

if TYPE_CHECKING:
    from ahdp_verify.analysis.arguments import Examination

LONGEST = 2.0  # most seconds for the parameter range that is added to a refutation


@dataclass(frozen=True, slots=True)
class VerifyJob:
    """What to do with every claim of `source`: how to search, what to print, what to expect;
    `processes`, or the cluster of a `scheduler`, share one enumeration, `said` holds the errors
    that were already reported, `name` is that of the claim, and `origin` says from which function a
    program was made.
    """

    source: str
    limits: Limits
    procedure: str | None
    trust: str
    as_json: bool
    expect: bool
    size: int | None = None
    resume: Path | None = None
    processes: int = 1
    scheduler: str = ""
    clock: Clock | None = None
    said: set[str] = field(default_factory=set)
    name: str = ""
    origin: str = ""

    @property
    def printer(self) -> Printer:
        """A printer of the answer, whose work begins now."""
        return Printer(self.as_json, self.source, self.name)


@dataclass(frozen=True, slots=True)
class Question:
    """One claim of a source, or the argument of a source that makes one, and the file for its
    record.
    """

    job: VerifyJob
    about: AnyClaim | ProgramClaim | NotionClaim | SensitivityClaim | AppliedClaim | ArgumentFile
    expected: str = ""
    place: Path | None = None
    part: tuple[int, int] = (0, 1)

    def answer(self) -> Answered:
        """What was done: the answer is printed, saved and compared with what is expected."""
        if isinstance(self.about, ArgumentFile):
            return answer_argument(self.about, self.job, self.place)
        return answer_claim(self.job, self.about, self.expected, self.place, self.part)


def read_questions(
    job: VerifyJob, changes: Changes, save: str, resume: str
) -> tuple[Question, ...]:
    """The questions of a source; BadInput if it cannot be read, or an option does not fit it."""
    asked: tuple[NotedClaim, ...]
    with enforce_limits(job.limits, READING):
        file = load_any(job.source)
        asked = noted_program_claims(file, changes) if isinstance(file, ProgramFile) else ()
    if not isinstance(file, ProgramFile):
        check_no_program_options(changes, job.source)
    if isinstance(file, ArgumentFile):
        check_no_other_options(job, changes)
        (place,) = record_paths(save, job.source, 1) if save else (None,)
        return (Question(job, file, place=place),)
    if isinstance(file, SensitivityFile):
        check_no_other_options(job, changes)
        asked = tuple(zip(file.claims, file.notes, strict=True))
    elif not isinstance(file, ProgramFile):
        asked = with_premises(noted_claims(file, changes.level, changes.relation))
    job = replace(job, origin=origin_of(file, job.source))
    check_expectations(asked, job, changed=changes != Changes())
    places = record_paths(save, job.source, len(asked)) if save else (None,) * len(asked)
    kept = (
        record_paths(resume, job.source, len(asked), "--resume") if resume else (None,) * len(asked)
    )
    return tuple(
        Question(
            replace(job, resume=unfinished, name=note.name),
            claim,
            note.expect,
            place,
            (i, len(asked)),
        )
        for i, ((claim, note), place, unfinished) in enumerate(
            zip(asked, places, kept, strict=True)
        )
    )


def check_no_other_options(job: VerifyJob, changes: Changes) -> None:
    """BadInput if there are options that do not fit a statement or a query."""
    if changes != Changes() or job.procedure or job.size is not None:
        raise BadInput(
            named_path(job.source),
            "it is about a statement, which has no level, relation, procedure or size",
            "leave these options out",
        )


@dataclass(frozen=True, slots=True)
class VerifyRun:
    """All files of one command: how their claims are decided, the changes to them, where their
    records go, and who shares the work; `places` are the records so far, with their sources.
    """

    sources: tuple[Source, ...]
    job: VerifyJob
    changes: Changes
    save: str = ""
    resume: str = ""
    workers: int = 1
    scheduler: str = ""
    places: dict[Path, str] = field(default_factory=dict)

    @property
    def has_several(self) -> bool:
        """Whether the answers are of more than one file, so that each has to be named."""
        return len(self.sources) > 1

    @property
    def is_shared(self) -> bool:
        """Whether several processes, or a cluster, decide the claims."""
        return self.workers > 1 or bool(self.scheduler)

    @property
    def shares_datasets(self) -> bool:
        """Whether the processes share the datasets of each claim, and not the claims: with a size
        and one file; a cluster with a size, unless nobody but the checker is to be trusted.
        """
        if self.scheduler:
            return self.job.size is not None and self.job.trust == "all"
        return self.workers > 1 and self.job.size is not None and not self.has_several

    def read(self, source: Source) -> tuple[Question, ...]:
        """The questions of one file; BadInput if it cannot be read, or an option does not fit
        it.
        """
        save = self.save
        if save and self.has_several:
            save = f"{make_folder(str(Path(save, source.below.parent)))}/"
        questions = read_questions(
            replace(self.job, source=source.named, said=set()), self.changes, save, self.resume
        )
        for question in questions:
            place = question.place
            if place is not None and self.places.setdefault(place, source.named) != source.named:
                raise BadInput(
                    named_path(place),
                    f"it is the record of another file, {named_path(self.places[place])}, and "
                    f"would be that of {named_path(source.named)} too",
                    "verify them one after the other",
                )
        return questions

    def check(self) -> None:
        """BadInput if the options do not fit several files."""
        if self.has_several and self.resume:
            raise BadInput("--resume", "it continues the claims of one file", "name one file")
        if self.resume and self.is_shared:
            raise BadInput(
                "--resume", "it continues one size after the other", "leave --workers out"
            )
        if self.has_several and self.save:
            if Path(self.save).suffix == ".json" and not Path(self.save).is_dir():
                raise BadInput(
                    "--save",
                    f"several files are verified, and {named_path(self.save)} is one file",
                    "name a folder, for example records/",
                )
            taken: dict[str, Source] = {}
            for source in self.sources:
                stem = str(file_of(str(source.below)).with_suffix(""))
                if taken.setdefault(stem, source) is not source:
                    raise BadInput(
                        "--save",
                        f"the records of {named_path(taken[stem].named)} and of "
                        f"{named_path(source.named)} would have the same names",
                        "verify them one after the other",
                    )


def verify_files(
    run: VerifyRun, answers: Callable[[VerifyRun], Iterator[tuple[Source, Answered]]]
) -> int:
    """The exit code of all claims of all files; `answers` gives what was done with each of them."""
    run.check()
    tally, codes = Tally(), []
    for source, answered in answers(run):
        codes.append(answered.code)
        tally.add(source.named, answered)
    if run.has_several and not run.job.as_json:
        tally.print()
    return worst_exit_code(codes)


def print_heading(run: VerifyRun, source: Source) -> None:
    """The name of a file precedes its answers where there are several files."""
    if run.has_several and not run.job.as_json:
        print_line(f"-- {named_path(source.named)}")


def answers_of_this(run: VerifyRun) -> Iterator[tuple[Source, Answered]]:
    """The claims are decided here, one after the other."""
    for source in run.sources:
        print_heading(run, source)
        questions: list[Question] = []
        read = read_source(questions, run, source)
        if read.code != PROVED:
            yield source, read
        for question in questions:
            yield source, question.answer()


def read_source(questions: list[Question], run: VerifyRun, source: Source) -> Answered:
    """The questions of a file are in the list, or the reason why it cannot be read is printed."""

    def read() -> Answered:
        questions.extend(run.read(source))
        return Answered(PROVED, ())

    failed = Printer(run.job.as_json, source.named).refuse
    return run_answered(read, "reading the file", failed)


def with_premises(
    asked: tuple[tuple[AnyClaim | NotionClaim, ClaimNote], ...],
) -> tuple[NotedClaim, ...]:
    """The claims, after the claims about noise programs on which they rest, each once."""
    about = (c.bounds if isinstance(c, NotionClaim) else c for c, _ in asked)
    found = (p for claim in about for p in program_premises(claim))
    premises = dict.fromkeys(p.claim if isinstance(p, Proved) else p for p in found)
    return (*((p, ClaimNote()) for p in premises if isinstance(p, ProgramClaim)), *asked)


def check_expectations(asked: tuple[NotedClaim, ...], job: VerifyJob, *, changed: bool) -> None:
    """BadInput if there is no expectation for --expect to compare with."""
    if job.expect and changed:
        raise BadInput(
            "--expect",
            "the file states no expectation for another level or relation",
            "leave --expect out",
        )
    if job.expect and not any(note.expect for _, note in asked):
        raise BadInput(
            "--expect",
            f"no claim of {named_path(job.source)} states an expected verdict",
            'add a line expect = "proved" to it',
        )


def record_paths(save: str, source: str, number: int, option: str = "--save") -> tuple[Path, ...]:
    """The file of each claim; BadInput, before any search, for one that cannot be written."""
    folder = save.endswith(("/", os.sep)) or os.path.isdir(save)
    if folder:
        make_folder(save)
    origin = file_of(source)
    base = Path(save, f"{origin.stem}.json") if folder else Path(save)
    listed = (
        tuple(base.with_name(f"{base.stem}-{i}{base.suffix}") for i in range(1, number + 1))
        if number > 1
        else (base,)
    )
    output_path(str(base), option, origin)
    for path in listed:
        output_path(str(path), option, origin)
    return listed


def answer_claim(
    job: VerifyJob,
    claim: AnyClaim | ProgramClaim | NotionClaim | SensitivityClaim | AppliedClaim,
    expected: str,
    place: Path | None,
    part: tuple[int, int],
) -> Answered:
    """What was done with one claim; its line is printed and its record is saved."""
    job, printer = replace(job, clock=job.limits.clock()), job.printer
    return run_answered(
        lambda: report_answer(job, claim, decide_claim(job, claim, part), expected, place, printer),
        f"verifying that {claim}",
        printer.refuse,
    )


def decide_claim(
    job: VerifyJob,
    claim: AnyClaim | ProgramClaim | NotionClaim | SensitivityClaim | AppliedClaim,
    part: tuple[int, int],
) -> Verdict | BadInput:
    """The verdict on a claim, or why its mechanism is not well defined."""
    chosen: dict[str, Any] = ({"procedure": job.procedure} if job.procedure else {}) | (
        {"trust": job.trust} if job.trust != "all" else {}
    )
    chosen |= ({"size": job.size} if job.size is not None else {}) | (
        {"resume": job.resume} if job.resume else {}
    )
    with progress(*part) as report, ExitStack() as stack:
        if job.size is not None and job.processes > 1:
            from ahdp_verify.cli.verify_parts import parts_among_processes

            stack.enter_context(parts_among_processes(job.processes, job.limits))
        if job.size is not None and job.scheduler:
            from ahdp_verify.cli.verify_parts import parts_on_cluster

            stack.enter_context(parts_on_cluster(job.scheduler, job.limits))
        try:
            return search.verify(claim, limits=job.limits, progress=report, **chosen)
        except BadInput as error:
            return error


def report_answer(
    job: VerifyJob,
    claim: AnyClaim | ProgramClaim | NotionClaim | SensitivityClaim | AppliedClaim,
    found: Verdict | BadInput,
    expected: str,
    place: Path | None,
    printer: Printer,
) -> Answered:
    """What was done with an answer: it is printed, saved and compared with the expected verdict."""
    word = "refused" if isinstance(found, BadInput) else found.outcome
    if isinstance(found, BadInput):
        code = BAD
        report_refusal(job, claim, found, printer, expected)
    else:
        code = outcome_exit_code(word, expected)
        answer = partial(verdict_answer, found, expected)
        line = named_line(verdict_line(job, found), job.name)
        line += f"; {job.origin}" if job.origin else ""
        why = reason_text(found)
        printer.show(word, (line,), answer, reason=why, record=found.to_json)
    saved = run_shielded(lambda: save_verdict(found, place), "saving")
    unexpected = job.expect and expected not in ("", word)
    if unexpected:
        print_error(f"{expected} was expected, not {word}: {claim}")
        code = worst_exit_code([REFUTED, BAD if word == "refused" else PROVED])
    elif job.expect:
        code = PROVED
    return Answered(worst_exit_code([code, saved]), (word, UNEXPECTED) if unexpected else (word,))


def named_line(line: str, name: str) -> str:
    """The line of a verdict with the name that the file gives the claim, if any, after the verdict.

    >>> named_line("Proved: sum is AHDP at level eps; scope: all datasets", "W-AHDP")
    'Proved: W-AHDP: sum is AHDP at level eps; scope: all datasets'
    """
    verdict, colon, rest = line.partition(": ")
    return f"{verdict}{colon}{display_name(name)}: {rest}" if name else line


def verdict_line(job: VerifyJob, found: Verdict) -> str:
    """The line of a verdict; for a refuted claim with one parameter, also the range in which it
    holds, unless --procedure restricts the search.
    """
    if (
        not isinstance(found, Refuted)
        or not isinstance(found.claim, Claim)
        or not found.claim.mechanism.parameters
        or job.procedure
    ):
        return str(found)
    left = max(
        job.clock.left if job.clock is not None else 0.0, LAST_WORDS + job.limits.seconds / 20
    )
    return with_range(found, replace(job.limits, seconds=min(left, job.limits.seconds)))


def with_range(found: Verdict, limits: Limits) -> str:
    """The line of a verdict; for a refuted claim with one parameter it also gives the values for
    which the claim holds, if they were found.
    """
    if (
        not isinstance(found, Refuted)
        or not isinstance(found.claim, Claim)
        or len(free_parameters(found.claim)) != 1
    ):
        return str(found)
    from ahdp_verify.analysis.parameters.ranges import ranges

    claim = found.claim
    with suppress(Rejected):
        claim = with_fewer_values(claim)  # it holds for the same values of the parameter
    try:
        known = ranges(claim, replace(limits, seconds=min(limits.seconds, LONGEST)))
    except (BadInput, Undecided, Unsupported):
        return str(found)
    return f"{found}; {known.text}" if known.text else str(found)


def reason_text(found: Verdict) -> str:
    """Why each procedure that was asked declined, if there is no answer."""
    reasons = found.reasons if isinstance(found, Unknown) else ()
    return "; ".join(f"{d.procedure}: {d.reason}" for d in reasons)


def verdict_answer(found: Verdict, expected: str) -> Data:
    """A verdict as data, with the one that the file expects."""
    from ahdp_verify.analysis.answer_data import verdict_data

    return {**verdict_data(found), "expected": expected}


def report_refusal(
    job: VerifyJob,
    claim: AnyClaim | ProgramClaim | NotionClaim | SensitivityClaim | AppliedClaim,
    why: BadInput,
    printer: Printer,
    expected: str,
) -> None:
    """A claim about a mechanism that is not well defined is reported: as one line or document on
    stdout if that is an answer, else as one sentence on stderr.
    """
    from ahdp_verify.analysis.answer_data import claim_data

    quiet = job.expect and expected == "refused"
    if quiet or job.as_json:
        printer.show(
            "refused",
            (named_line(f"Refused: {claim}; reason: {why}", job.name),),
            lambda: {"outcome": "refused", **claim_data(claim), "expected": expected},
            reason=str(why),
        )
    if not quiet and str(why) not in job.said:
        job.said.add(str(why))
        print_error(f"{named_path(job.source)}, {why}")


def argument_data(found: Examination) -> Data:
    """Whether an argument is valid, and which of its steps hold."""
    steps = [
        {"number": s.number, "text": str(s), "cited": s.step.cited, "holds": s.holds}
        for s in found.steps
    ]
    return {"state": found.state, "steps": steps, "missing": found.missing}


def save_verdict(found: Verdict | BadInput, place: Path | None) -> int:
    """A proof or a refutation is saved if a place is given."""
    if place is not None and isinstance(found, Proved | AnyRefuted):
        storage.save(found, place)
    return PROVED


def answer_argument(file: ArgumentFile, job: VerifyJob, place: Path | None) -> Answered:
    """What was done with a statement and the argument for it; a line is printed for the statement,
    for each step, and for the argument, and the record is saved.  With --expect, the exit code is 0
    if both are as expected.
    """
    printer = job.printer
    return run_answered(
        lambda: report_argument(file, job, place, printer),
        f"examining the argument for {file.argument}",
        printer.refuse,
    )


def report_argument(
    file: ArgumentFile, job: VerifyJob, place: Path | None, printer: Printer
) -> Answered:
    """The same; errors are raised."""
    from ahdp_verify.analysis.arguments import examine

    with progress(1, 1) as report:
        found = examine(file.argument, job.limits, report)
    word, verdict = found.verdict.outcome, found.verdict
    printer.show(
        word,
        found.lines if file.argument.steps else found.lines[:1],
        lambda: {**verdict_answer(verdict, file.expect), "argument": argument_data(found)},
        reason=reason_text(verdict),
        record=verdict.to_json,
    )
    if place is not None and not isinstance(verdict, Unknown):
        verdict.save(place)
    if not job.expect:
        of_argument = ANSWERS[found.valid] if file.argument.steps else PROVED
        return Answered(
            worst_exit_code([outcome_exit_code(word, file.expect), of_argument]), (word,)
        )
    if not file.expect and not file.expect_argument:
        raise BadInput(
            "--expect",
            "the file states no expected verdict",
            'add a line expect = "proved" to its statement',
        )
    wrong = [
        f"{wanted} was expected, not {got}"
        for wanted, got in ((file.expect, word), (file.expect_argument, found.state))
        if wanted not in ("", got)
    ]
    for line in wrong:
        print_error(f"{line}: {file.argument}")
    return Answered(REFUTED, (word, UNEXPECTED)) if wrong else Answered(PROVED, (word,))
