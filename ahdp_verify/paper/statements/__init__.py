"""The paper, statement by statement: what is printed, what the toolkit is asked about it, and the
answer that is expected.

The statements are in files by section; each file ends with its `ROWS`, in the paper's order.  What
a row concludes is worked out from the answers (`row`), the questions are made by `questions`.
`results()` asks them.

>>> found = next(results(["neighbours"]))
>>> found.row.label, found.passed, found.outcome, found.grade
('Neighbours', True, 'holds', 'proved')
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from difflib import get_close_matches
from functools import partial
from itertools import starmap
from types import ModuleType
from typing import Any

from ahdp_verify import AhdpError, BadInput, Limits
from ahdp_verify.analysis import enforce_limits
from ahdp_verify.files import display_name as named_in_message
from ahdp_verify.files import noted_records, taking_over
from ahdp_verify.paper.statements import (
    ahdp,
    background,
    beyond_exponential,
    beyond_mechanisms,
    beyond_numbers,
    beyond_power,
    errata,
    errata_power,
    experiments,
    linear_queries,
    mean,
    mechanisms,
    power,
    power_additional_records,
    power_curves,
    power_heterogeneous,
    power_known_record,
    regression,
)
from ahdp_verify.paper.statements.row import Check, CheckAnswer, Finding, PaperRow, Result, Tell
from ahdp_verify.workers import LOST, ONE_TASK, TaskRun, cluster, local_processes

__all__ = (
    "SECTIONS",
    "STATEMENTS",
    "Check",
    "CheckAnswer",
    "Finding",
    "PaperRow",
    "Result",
    "matching_identifiers",
    "result_of",
    "results",
    "results_with_cluster",
)


def rows_of(*files: ModuleType) -> tuple[PaperRow, ...]:
    """The rows of some files, in their order."""
    return tuple(row for file in files for row in file.ROWS)


SECTIONS: tuple[tuple[str, tuple[PaperRow, ...]], ...] = (
    ("Background and AHDP", rows_of(background, ahdp)),
    (
        "What an adversary learns",
        rows_of(
            power, power_additional_records, power_curves, power_heterogeneous, power_known_record
        ),
    ),
    (
        "Mechanisms and experiments",
        rows_of(mechanisms, linear_queries, mean, regression, experiments),
    ),
    ("Errata", rows_of(errata_power, errata)),
    (
        "Beyond the paper",
        rows_of(beyond_power, beyond_mechanisms, beyond_exponential, beyond_numbers),
    ),
)
NO_PROCESS = CheckAnswer("unknown", "the process that worked on it ended whenever it was tried")
# every row by its identifier, in the order of the sections
STATEMENTS: dict[str, PaperRow] = {row.identifier: row for _, rows in SECTIONS for row in rows}


def matching_identifiers(label: str) -> tuple[str, ...]:
    """The identifiers of the rows whose label, or whose own identifier, is this or begins with it;
    BadInput if there is none.
    """
    plain = "".join(label.lower().split())
    found = [(i, "".join(row.label.lower().split())) for i, row in STATEMENTS.items()]
    chosen = [i for i, text in found if plain in (i, text)] or [
        i for i, text in found if plain and text.startswith(plain)
    ]
    if not chosen:
        close = get_close_matches(plain, [text for _, text in found], 3)
        raise BadInput(
            named_in_message(label),
            "there is no such statement",
            f"write for example {', '.join(close)}"
            if close
            else "ahdp-verify paper prints all labels",
        )
    return tuple(chosen)


def answer_row(
    identifier: str, tell: Tell = lambda said: None, limits: Limits | None = None
) -> tuple[CheckAnswer, ...]:
    """The answers to the checks of a row, which share the limits; a fault of one check does not
    stop the others.
    """
    with enforce_limits(limits, "going through the statement"):
        return tuple(answer_check(check, tell) for check in STATEMENTS[identifier].checks)


def answer_check(check: Check, tell: Tell) -> CheckAnswer:
    """The answer to one check; a question that cannot be answered gives unknown, with the
    reason.
    """
    try:
        return check.ask(tell)
    except AhdpError as error:
        return CheckAnswer("unknown", str(error))


def result_of(row: PaperRow, found: Iterable[CheckAnswer]) -> Result:
    """A row with its answers."""
    return Result(
        row, tuple(Finding(check, answer) for check, answer in zip(row.checks, found, strict=True))
    )


def results(
    identifiers: Iterable[str] = tuple(STATEMENTS),
    workers: int = 1,
    tell: Tell = lambda said: None,
    limits: Limits | None = None,
) -> Iterator[Result]:
    """The results of rows in their order, each as soon as it is there; with more workers, several
    rows are worked on at once.

    `limits` are those of one row; what is not answered within them is unknown. After an interrupt,
    the rows that are finished are given before it is raised.
    """
    listed = list(identifiers)
    if workers == 1:
        for identifier in listed:
            tell(STATEMENTS[identifier].label)
            yield result_of(STATEMENTS[identifier], answer_row(identifier, tell, limits))
        return

    def result(identifier: str, found: Any) -> Result:
        tell(STATEMENTS[identifier].label)
        if isinstance(found, Exception):
            raise found
        row = STATEMENTS[identifier]
        return result_of(row, [NO_PROCESS] * len(row.checks) if found is LOST else found)

    answer = partial(answer_row, limits=limits)
    with local_processes(workers) as processes:
        run = TaskRun(processes, answer, ((i, (i,)) for i in listed))
        yield from starmap(result, run.with_finished())


def results_with_cluster(
    identifiers: Iterable[str],
    address: str,
    limits: Limits,
    failed: Callable[[str, object], None],
) -> Iterator[Result]:
    """The same, where the workers of a Dask cluster search: they propose records of verdicts, the
    checker here reaches these again, and whatever has no record is worked out here.

    `failed` is told the label of a row for which a worker proposed nothing, or what the checker did
    not accept, and why.
    """

    def result(identifier: str, found: Any) -> Result:
        label = STATEMENTS[identifier].label
        if not isinstance(found, str):
            failed(label, found)
            return result_of(STATEMENTS[identifier], answer_row(identifier, limits=limits))
        with taking_over(found, partial(failed, label)):
            return result_of(STATEMENTS[identifier], answer_row(identifier, limits=limits))

    tasks = ((i, (json.dumps({"row": i, "limits": asdict(limits)}),)) for i in identifiers)
    with cluster(address) as workers:
        run = TaskRun(workers, propose_records, tasks)
        yield from starmap(result, run.with_finished())


def propose_records(text: str) -> str:
    """What a worker of a cluster answers to a row and its limits, as JSON: the records of the
    verdicts that it reached.
    """
    task = json.loads(text)
    with ONE_TASK, noted_records() as records:
        answer_row(task["row"], limits=Limits(**task["limits"]))
    return json.dumps(records)
