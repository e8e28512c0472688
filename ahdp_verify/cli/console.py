"""The output of the commands: results on stdout, line by line and without delay; everything else on
stderr, one plain sentence each.

No traceback reaches a user.  An error that a user can cause is a `BadInput`, whose sentence is
printed; any other exception is a bug in this package, and the sentence asks the user to report it
(with AHDP_VERIFY_TRACEBACK=1 in the environment, the traceback comes first).
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ahdp_verify.cli.exit_codes import BAD, CLOSED, UNKNOWN
from ahdp_verify.cli.layout import for_stdout
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Undecided, Unsupported
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.start import WATCH

if TYPE_CHECKING:
    from rich.progress import Progress

TRACEBACK = "AHDP_VERIFY_TRACEBACK"
SENTENCE = "ahdp-verify: "  # how a sentence on stderr begins
WIDEST = 100_000  # most characters of one line of output
BESIDE = 34  # most characters of an expression on either side of a place in it

Report = Callable[[str], None]
Failed = Callable[[int, str], None]  # what is done with an exit code and the sentence about it


def print_line(line: str) -> None:
    """The line is on stdout, flushed, in the layout of a terminal if that is one."""
    print_text(
        for_stdout(line if line.isascii() and line.isprintable() else one_line(line, WIDEST)) + "\n"
    )


def print_text(text: str) -> None:
    """The text is on stdout as it is; if stdout cannot be written to (a full disk), the command
    exits with 2.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence_stdout()
        print_error(f"stdout: results cannot be written there ({error.strerror}); check the disk")
        raise SystemExit(BAD) from None


def print_error(sentence: str) -> None:
    """The sentence is on stderr, on one line, if stderr can be written to at all."""
    print_error_line(f"{SENTENCE}{one_line(sentence, 2000)}")


def print_error_line(line: str) -> None:
    """The line is on stderr, if that can be written to at all."""
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def print_place(error: Exception) -> None:
    """Of an error that is about a place in an expression, the line of the expression is on stderr,
    and a caret below the place.
    """
    if isinstance(error, BadInput) and error.found_in and error.found_in[0].strip():
        for line in excerpt(*error.found_in):
            print_error_line(line)


def excerpt(text: str, position: int) -> tuple[str, str]:
    """The line of the text with its character number `position` (counted from 1), shortened to the
    neighbourhood of that character, and a caret below it.

    >>> print(*excerpt("exp(-abs(s - sum x)) / 2", 18), sep="\\n")
        exp(-abs(s - sum x)) / 2
                         ^
    """
    before, after = text[: position - 1], text[position - 1 :]
    before, after = before.rpartition("\n")[2], after.partition("\n")[0]
    first, last = ("..." if len(part) > BESIDE else "" for part in (before, after))
    shown = one_line(before[-BESIDE:], 2 * BESIDE)
    line = f"    {first}{shown}{one_line(after[:BESIDE], 2 * BESIDE)}{last}"
    return line, " " * (4 + len(first) + len(shown)) + "^"


def run_shielded(action: Callable[[], int], doing: str, failed: Failed | None = None) -> int:
    """The exit code of an action; bad input and bugs in this package are reported in one sentence,
    which `failed` gets too, and give exit code 2.
    """
    try:
        return action()
    except BrokenPipeError:
        raise
    except Exception as error:
        code, sentence = failure(error, doing)
        if (
            code == BAD
            and not isinstance(error, BadInput | RecursionError)
            and os.environ.get(TRACEBACK)
        ):
            traceback.print_exc()
        print_error(sentence)
        print_place(error)
    if failed is not None:
        failed(code, sentence)
    return code


def failure(error: Exception, doing: str) -> tuple[int, str]:
    """The exit code of an action that ended with this error, and a sentence about it."""
    if isinstance(error, BadInput):
        return BAD, str(error)
    if isinstance(error, Undecided | Unsupported):
        from ahdp_verify.kernel.numbers.normal_form import refusal_text

        return UNKNOWN, f"{doing} was not possible: {refusal_text(error)}"
    if isinstance(error, OutOfLimits):
        return UNKNOWN, f"{doing}: {error.reason}"
    if isinstance(error, MemoryError):
        return UNKNOWN, (
            f"{doing} needs more memory than the system provides; reduce the task, or lower "
            f"--megabytes to see which step needs it"
        )
    if isinstance(error, RecursionError):
        return BAD, f"{doing}: something in it is nested too deeply; flatten it"
    return BAD, (  # anything else is a bug in this package
        f"{doing} failed with an internal error ({exception_text(error)}); please report it "
        f"together with the file, and set {TRACEBACK}=1 to see the traceback"
    )


def exception_text(error: Exception) -> str:
    """The type of an exception, with its message if that is short."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if 0 < len(said) <= 100 else type(error).__name__


def run_outermost(action: Callable[[], int], doing: str, failed: Failed | None = None) -> int:
    """The exit code of a whole command, also if it is interrupted or its output is no longer
    read.
    """
    try:
        return run_shielded(action, doing, failed)
    except KeyboardInterrupt as stop:
        print_error(
            f"{doing} was interrupted; the answers above remain "
            f"valid{''.join(f'; {covered}' for covered in stop.args)}"
        )
        return WATCH.code
    except BrokenPipeError:
        silence_stdout()
        return CLOSED


def silence_stdout() -> None:
    """Further writes to stdout are discarded, so that the flush at exit does not fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it stays open until the end


@contextmanager
def progress(done: int, total: int) -> Iterator[Report]:
    """A function that shows the current activity beside a progress bar, on stderr if that is a
    terminal and nowhere otherwise.

    The bar is removed afterwards, so that a result never shares its line.
    """
    if not shows_bars():
        yield lambda message: None
        return
    with progress_bars() as bar:
        task = bar.add_task("", completed=done, total=total)
        yield lambda message: bar.update(task, description=one_line(message, 60))


@contextmanager
def step_counter(total: int, what: str) -> Iterator[Callable[[], None]]:
    """A function to be called after each of `total` steps; it advances a bar like that of
    `progress`.
    """
    if not shows_bars():
        yield lambda: None
        return
    with progress_bars() as bar:
        task = bar.add_task(one_line(what, 60), total=total)
        yield lambda: bar.advance(task)


def shows_bars() -> bool:
    """Whether stderr is a terminal on which a bar can be drawn."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def progress_bars() -> Progress:
    """Progress bars on stderr that are removed afterwards."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        BarColumn(20),
        TextColumn("{task.completed} of {task.total} {task.description}", markup=False),
        TimeElapsedColumn(),
    )
    return Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
