"""Several files at once: the files that a folder stands for, processes that share the work, and a
table at the end.

>>> Tally(files={"sum.toml": FileTally(Counter(proved=2, unknown=1), 0.25)}).print()
file      proved  unknown  seconds
sum.toml       2        1      0.2
1 file, 3 claims: 2 proved, 1 unknown; 0.2 s of processor time
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ahdp_verify.cli.console import (
    SENTENCE,
    Failed,
    exception_text,
    print_error,
    print_error_line,
    print_line,
    print_text,
    progress,
    run_shielded,
)
from ahdp_verify.cli.documents import Printer
from ahdp_verify.cli.exit_codes import UNKNOWN, worst_exit_code
from ahdp_verify.cli.layout import for_stdout
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.search import resources

if TYPE_CHECKING:
    from ahdp_verify.workers import Workers

# more files, or other items, than this are shared among all cores unless the user says otherwise: a process takes
# longer to start than a few claims take
FEW = 8
UNEXPECTED = "unexpected"  # not an outcome of its own: one that the file does not expect
OUTCOMES = (
    "proved",
    "vacuous",
    "refuted",
    "unknown",
    "refused",
    "valid",
    "invalid",
    "exact",
    "enclosed",
    "failed",
    UNEXPECTED,
)


@dataclass(frozen=True, slots=True)
class Source:
    """A file that a command works on: as it is named (perhaps with the name of a claim), and below
    the folder from which it comes.
    """

    named: str
    below: Path


def listed_sources(named: list[str], suffix: str, what: str) -> tuple[Source, ...]:
    """The files that are named, and all files with this suffix in the folders that are named, those
    in hidden folders excepted; BadInput for a folder without any.
    """
    found: dict[str, Source] = {}
    for name in named:
        if os.path.isdir(name):
            inside = sorted(
                path
                for path in Path(name).rglob(f"*{suffix}")
                if not any(part.startswith(".") for part in path.relative_to(name).parts)
            )
            if not inside:
                raise BadInput(
                    named_path(name), f"this folder contains no {what}", f"name a {suffix} file"
                )
            sources = [Source(str(path), path.relative_to(name)) for path in inside]
        else:
            sources = [Source(name, Path(Path(name).name))]
        for source in sources:
            found.setdefault(source.named, source)
    return tuple(found.values())


def number_of_workers(asked: int | None, items: int, scheduler: str = "") -> int:
    """The processes to share the work: those asked for, else one for a few items and one for each
    core for more; one where this process may not start others, and beside a cluster.

    Raises BadInput where both processes and a cluster are asked for.
    """
    if scheduler and asked is not None:
        raise BadInput("--workers", "a cluster has its own", "leave --workers or --scheduler out")
    if scheduler:
        return 1
    number = asked if asked is not None else 1 if items <= FEW else available_cores()
    if number == 1:
        return 1
    import multiprocessing

    return 1 if multiprocessing.current_process().daemon else number


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def report_failure(error: Exception, instead: str, said: set[str]) -> None:
    """That a worker of the cluster failed is on stderr, once, with what is done instead."""
    sentence = (
        f"a worker of the cluster failed ({exception_text(error)}), so {instead} here; is the same "
        f"version of ahdp-verify installed there?"
    )
    if sentence not in said:
        said.add(sentence)
        print_error(sentence)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a command did with one claim or file: its exit code, the words for its outcome, and the
    processor time in seconds.
    """

    code: int
    outcomes: tuple[str, ...]
    seconds: float = 0.0


def run_answered(
    action: Callable[[], Answered], doing: str, failed: Failed | None = None
) -> Answered:
    """What the action did, with the processor time that it took; an error is printed, given to
    `failed`, and leaves the question open or failed.
    """
    kept: list[Answered] = []

    def run() -> int:
        kept.append(action())
        return kept[0].code

    start = resources.processor_time()
    code = run_shielded(run, doing, failed)
    outcomes = kept[0].outcomes if kept else ("unknown" if code == UNKNOWN else "failed",)
    return Answered(code, outcomes, resources.processor_time() - start)


@dataclass(frozen=True, slots=True)
class Printed:
    """What was done in another process, and what it had to print."""

    answered: Answered
    stdout: str
    stderr: str


def captured(action: Callable[..., Answered], *arguments: Any) -> Printed:
    """What the action does, printing nothing: for another process, whose caller prints it."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        done = action(*arguments)
    return Printed(done, out.getvalue(), err.getvalue())


def show_printed(printed: Printed, said: set[str]) -> Answered:
    """What was done, once its output is printed; a sentence on stderr that was said is not said
    again.
    """
    for line in printed.stdout.splitlines():
        print_text(f"{for_stdout(line)}\n")
    new = True
    for line in printed.stderr.splitlines():
        if line.startswith(SENTENCE):
            new = line not in said
            said.add(line)
        if new:  # with the lines that belong to it
            print_error_line(line)
    return printed.answered


Key = TypeVar("Key")
Shown = tuple[Source, Answered]


def shared_answers(
    workers: Workers,
    function: Callable[..., Any],
    tasks: Iterable[tuple[Key, tuple[Any, ...] | None]],
    show: Callable[[Key, Any], Shown],
    files: int,
) -> Iterator[Shown]:
    """What was done with each task that the workers share, once its result is shown: in the order
    of the tasks, and if the command is interrupted also those whose results are there.
    """
    from ahdp_verify.workers import TaskRun

    results = TaskRun(workers, function, tasks)
    coming, begun = iter(results), set[str]()
    try:
        while True:
            with progress(max(0, len(begun) - 1), files) as report:
                report("waiting for the processes that share the work")
                arrived = next(coming, None)
            if arrived is None:
                break
            source, answered = show(*arrived)
            begun.add(source.named)
            yield source, answered
    except KeyboardInterrupt:
        for arrived in results.finished():
            show(*arrived)
        raise


def answer_files(
    sources: tuple[Source, ...],
    action: Callable[[str], Answered],
    workers: int | None,
    *,
    as_json: bool,
    doing: str,
    counted: str,
    with_table: bool,
) -> int:
    """The exit code of an action on each file, shared among processes.

    as_json     whether documents are printed: then no table or summary follows
    doing       what the action is, before the name of the file ("checking")
    counted     what its outcomes are about ("record")
    with_table  whether the name of each file precedes its answer, and a table follows; else its
                lines name the file, and a summary follows
    """
    tally, codes = Tally(counted), []
    number = number_of_workers(workers, len(sources))
    with_table &= len(sources) > 1 and not as_json

    def done(source: Source, answer: Callable[[], Answered]) -> Shown:
        if with_table:
            print_line(f"-- {named_path(source.named)}")
        return source, answer()

    def shown(source: Source, result: Any) -> Shown:
        return done(
            source,
            lambda: show_result(
                result,
                f"{doing} {named_path(source.named)}",
                Printer(as_json, source.named).refuse,
            ),
        )

    one = partial(answer_file, action, doing, as_json)
    with ExitStack() as stack:
        answers: Iterator[Shown]
        if number == 1:
            answers = (done(source, partial(one, source.named)) for source in sources)
        else:
            from ahdp_verify.workers import local_processes

            processes = stack.enter_context(local_processes(number))
            tasks = ((source, (one, source.named)) for source in sources)
            answers = shared_answers(processes, captured, tasks, shown, len(sources))
        for source, answered in answers:
            codes.append(answered.code)
            tally.add(source.named, answered)
    if with_table:
        tally.print()
    elif len(sources) > 1 and not as_json:
        print_line(tally.summary())
    return worst_exit_code(codes)


def answer_file(
    action: Callable[[str], Answered], doing: str, as_json: bool, named: str
) -> Answered:
    """What the action did with one file."""
    return run_answered(
        lambda: action(named), f"{doing} {named_path(named)}", Printer(as_json, named).refuse
    )


def show_result(result: Any, doing: str, failed: Failed | None = None) -> Answered:
    """What another process did, once its output is printed; a process that was lost, or failed,
    leaves the question open.
    """
    if isinstance(result, Printed):
        return show_printed(result, set())
    if isinstance(result, Exception):
        return run_answered(lambda: raise_error(result), doing, failed)
    sentence = (
        f"{doing} was given up: the process that worked on it ended whenever it was tried; provide "
        "more memory, or lower --megabytes to learn which step needs it"
    )
    print_error(sentence)
    if failed is not None:
        failed(UNKNOWN, sentence)
    return Answered(UNKNOWN, ("unknown",))


def raise_error(error: Exception) -> NoReturn:
    """Never returns."""
    raise error


@dataclass(slots=True)
class FileTally:
    """The outcomes of the claims of one file, and the processor time in seconds."""

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


@dataclass(slots=True)
class Tally:
    """The outcomes by file, in the order in which the files were read; `counted` is what an outcome
    is about.
    """

    counted: str = "claim"
    files: dict[str, FileTally] = field(default_factory=dict)

    def add(self, file: str, answered: Answered) -> None:
        """One more answer."""
        entry = self.files.setdefault(file, FileTally())
        entry.outcomes.update(answered.outcomes)
        entry.seconds += answered.seconds

    @property
    def total(self) -> Counter[str]:
        """How often each outcome occurred."""
        return sum((entry.outcomes for entry in self.files.values()), Counter[str]())

    def table(self) -> list[str]:
        """A line for each file, below a heading."""
        columns = [word for word in OUTCOMES if self.total[word]]
        wide = max(map(len, ["file", *map(named_path, self.files)]))
        rows = [
            [
                f"{named_path(file):{wide}}",
                *(f"{entry.outcomes[word]:{len(word)}}" for word in columns),
                f"{entry.seconds:7.1f}",
            ]
            for file, entry in self.files.items()
        ]
        return ["  ".join(row) for row in ([f"{'file':{wide}}", *columns, "seconds"], *rows)]

    def summary(self) -> str:
        """The outcomes of all files in one line."""
        total = self.total
        number = total.total() - total[UNEXPECTED]
        said = ", ".join(f"{total[word]} {word}" for word in OUTCOMES if total[word])
        seconds = sum(entry.seconds for entry in self.files.values())
        return f"{plural(number, self.counted)}: {said}; {seconds:.1f} s of processor time"

    def print(self) -> None:
        """The table and the summary are on stdout."""
        for line in self.table():
            print_line(line)
        print_line(f"{plural(len(self.files), 'file')}, {self.summary()}")


def plural(number: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "file"), plural(2, "file"), plural(2, "query")
    ('1 file', '2 files', '2 queries')
    """
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else several}"
