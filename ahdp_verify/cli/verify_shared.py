"""The claims of `ahdp-verify verify` decided by processes that share the work, or by the workers of
a Dask cluster.

The answers of a cluster are proposals: the checker reaches every proof and every refutation again
from its record, and what it does not accept, like any refusal of a mechanism, is worked out here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ahdp_verify.cli.console import print_error
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.cli.several import (
    Answered,
    Printed,
    Source,
    captured,
    report_failure,
    run_answered,
    shared_answers,
    show_printed,
    show_result,
)
from ahdp_verify.cli.sources import load_named
from ahdp_verify.cli.verify_job import (
    Question,
    VerifyJob,
    VerifyRun,
    answer_argument,
    answer_claim,
    decide_claim,
    print_heading,
    read_source,
    report_answer,
)
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.proposals import UNREADABLE
from ahdp_verify.files.records import accepted_record
from ahdp_verify.kernel.errors import AhdpError, BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.composite import CompositeClaim, claim_from_json
from ahdp_verify.kernel.record import OTHER_CLAIMS
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search import resources
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.parts import program_premises
from ahdp_verify.search.wording import unknown_verdict
from ahdp_verify.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Turn:
    """What is shown when the turn of a question comes: the answer to it, or why the file could not
    be read.
    """

    source: Source
    question: Question | None
    unread: Printed | None = None


def answers_of_others(run: VerifyRun) -> Iterator[tuple[Source, Answered]]:
    """The claims are decided by several processes, or by a cluster."""
    from ahdp_verify.workers import cluster, local_processes

    headed, failures = set[str](), set[str]()

    def show(turn: Turn, result: Any) -> tuple[Source, Answered]:
        if turn.source.named not in headed:
            headed.add(turn.source.named)
            print_heading(run, turn.source)
        if run.scheduler and isinstance(result, Exception):
            report_failure(result, "its claims are decided", failures)
            result = None
        return turn.source, show_answer(turn, result)

    with cluster(run.scheduler) if run.scheduler else local_processes(run.workers) as workers:
        function = propose_answer if run.scheduler else answer_in_process
        yield from shared_answers(workers, function, turns(run), show, len(run.sources))


def turns(run: VerifyRun) -> Iterator[tuple[Turn, tuple[Any, ...] | None]]:
    """The questions of all files with the arguments for the worker; a file is read when its turn
    comes.
    """
    for source in run.sources:
        questions: list[Question] = []
        read = captured(read_source, questions, run, source)
        if read.answered.code != PROVED:
            yield Turn(source, None, read), None
        for question in questions:
            yield Turn(source, question), task_of(question, run)


def task_of(question: Question, run: VerifyRun) -> tuple[Any, ...] | None:
    """The arguments for the worker; None for what is decided here: what a cluster is not asked, and
    composites whose JSON does not contain the claims about noise programs on which they rest.
    """
    about = question.about
    if isinstance(about, CompositeClaim) and program_premises(about):
        return None
    if run.scheduler:
        return None if isinstance(about, ArgumentFile) else (task_text(question.job, about),)
    text = "" if isinstance(about, ArgumentFile) else json.dumps(about.to_json())
    return question.job, text, question.expected, question.place, question.part


def show_answer(turn: Turn, result: Any) -> Answered:
    """What was done with a question, once its answer is printed and its record is saved."""
    question = turn.question
    if question is None:
        return show_printed(turn.unread, set()) if turn.unread else Answered(PROVED, ())
    if isinstance(result, Printed):
        return show_printed(result, question.job.said)
    if isinstance(result, str):
        return accept_answer(question, result)
    if result is None:
        return question.answer()
    return show_result(result, f"verifying that {question.about}", question.job.printer.refuse)


# What a process of this machine does with a question.


def answer_in_process(
    job: VerifyJob, claim: str, expected: str, place: Path | None, part: tuple[int, int]
) -> Printed:
    """What was done with a claim, given as JSON, or with the argument of the file."""
    if not claim:
        file = load_named(job.source)
        return captured(answer_argument, file, job, place)
    return captured(answer_claim, job, claim_of_data(json.loads(claim)), expected, place, part)


def claim_of_data(data: Any) -> Any:
    """The claim of its canonical JSON, of whatever kind."""
    kinds = (kind for key, kind in OTHER_CLAIMS.items() if isinstance(data, dict) and key in data)
    kind = next(kinds, None)
    return claim_from_json(data) if kind is None else kind.from_json(data)


# What a worker of a cluster does with a question, and what becomes of its answer.


def task_text(job: VerifyJob, claim: Any) -> str:
    """A claim and how it is searched, as JSON."""
    return json.dumps(
        {
            "claim": claim.to_json(),
            "limits": asdict(job.limits),
            "procedure": job.procedure,
            "trust": job.trust,
            "size": job.size,
        }
    )


def propose_answer(text: str) -> str:
    """What a worker answers to a task, as JSON: the record of its verdict and the processor time in
    seconds; an error instead of the record if there is no verdict.
    """
    from ahdp_verify.workers import ONE_TASK

    task = json.loads(text)
    with ONE_TASK:  # the threads of a worker share its processor time and its memory
        start = resources.processor_time()
        job = VerifyJob(
            "",
            Limits(**task["limits"]),
            task["procedure"],
            task["trust"],
            False,
            False,
            task["size"],
        )
        try:
            found = decide_claim(job, claim_of_data(task["claim"]), (0, 1))
            answer = {"record": None if isinstance(found, BadInput) else found.to_json()}
        except (AhdpError, MemoryError, RecursionError) as error:
            answer = {"record": None, "error": str(error)}
        return json.dumps(answer | {"seconds": resources.processor_time() - start})


def accept_answer(question: Question, text: str) -> Answered:
    """What was done with the answer of a cluster: it is taken over if it is Unknown or the checker
    reaches it again, else the claim is decided here.
    """
    job, claim = question.job, question.about
    if isinstance(claim, ArgumentFile):
        return question.answer()
    found, seconds = checked_answer(job, claim, text)
    if found is None:
        return question.answer()
    printer = job.printer
    printer.start -= seconds
    done = run_answered(
        lambda: report_answer(job, claim, found, question.expected, question.place, printer),
        f"reporting that {claim}",
        printer.refuse,
    )
    return replace(done, seconds=done.seconds + seconds)


def checked_answer(job: VerifyJob, claim: Any, text: str) -> tuple[Verdict | None, float]:
    """The verdict that a worker proposed, as the checker reaches it, and the processor time of the
    worker; None for anything else, such as a proof about fewer datasets than were asked about.
    """
    try:
        answer = json.loads(text)
        record, seconds = answer["record"], float(answer["seconds"])
        if record is None or record["fingerprint"] != claim.fingerprint:
            return None, 0.0
        if not 0 <= seconds < math.inf:
            raise Rejected("its processor time is no number of seconds")
        if record["verdict"] == "unknown":
            return unknown_verdict(claim, map(declined, record["reasons"])), seconds
        with enforce_limits(job.limits, "checking the answer of a worker"):
            found = accepted_record(record, claim, job.trust)
        if not answers_question(found, job.size):
            raise Rejected("it is about other datasets than those that were asked about")
        return found, seconds
    except UNREADABLE as error:
        print_error(
            f"the answer of a worker was not accepted ({one_line(str(error), 300)}); the claim is "
            f"decided here"
        )
        return None, 0.0


def answers_question(found: Verdict, size: int | None) -> bool:
    """Whether a verdict is about all inputs or, where a size was asked for, a proof for exactly the
    datasets up to that size.
    """
    if isinstance(found, Proved):
        return found.scope.size == size
    return size is None


def declined(reason: Any) -> Declined:
    """Why a procedure declined, as a worker says it."""
    procedure, said = reason
    return Declined(one_line(str(procedure), 40), one_line(str(said), 2000))
