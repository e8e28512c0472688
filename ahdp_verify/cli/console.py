"""How the commands speak: results on stdout, line by line and at once; everything else on stderr,
in one plain sentence each.

No traceback reaches a user.  What a user can cause is a `BadInput` and its sentence is printed; any
other exception is a bug of this package, and the sentence asks to report it (with
AHDP_VERIFY_TRACEBACK=1 in the environment, the traceback comes first).
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ahdp_verify.cli.exit_codes import BAD, CLOSED, REFUTED, UNKNOWN
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.numbers.normal_form import refusal_text
from ahdp_verify.kernel.terms.printing import named_path, one_line
from ahdp_verify.start import WATCH

TRACEBACK = "AHDP_VERIFY_TRACEBACK"
WIDEST = 100_000  # characters of one line of output

Report = Callable[[str], None]


def print_line(line: str) -> None:
    """The line is on stdout, whatever happens next."""
    print_text((line if line.isascii() and line.isprintable() else one_line(line, WIDEST)) + "\n")


def print_text(text: str) -> None:
    """The text is on stdout as it is; where stdout takes nothing more (a full disk), the command
    ends with 2.
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
    with suppress(OSError):
        print(f"ahdp-verify: {one_line(sentence, 2000)}", file=sys.stderr, flush=True)


def report_invalid_record(path: str, why: Rejected) -> int:
    """The exit code of a record that the checker rejects; stdout says why."""
    print_line(f"invalid: {named_path(path)}: {one_line(why.reason, 300)}")
    return REFUTED


def run_shielded(action: Callable[[], int], doing: str) -> int:
    """The exit code of an action; bad input and bugs of this package are one sentence each and
    exit code 2.
    """
    try:
        return action()
    except BadInput as error:
        print_error(str(error))
    except (Undecided, Unsupported) as error:
        print_error(f"{doing} was not done: {refusal_text(error)}")
        return UNKNOWN
    except BrokenPipeError:
        raise
    except OutOfLimits as stop:
        print_error(f"{doing}: {stop.reason}")
        return UNKNOWN
    except MemoryError:
        print_error(
            f"{doing} needs more memory than the system gives; ask for less, or give --megabytes "
            f"a smaller value to be told where it goes"
        )
        return UNKNOWN
    except RecursionError:
        print_error(f"{doing}: something in it is nested too deep; write it flatter")
    except Exception as error:  # anything else is a bug here, and the user's own program goes on
        if os.environ.get(TRACEBACK):
            traceback.print_exc()
        print_error(
            f"{doing} failed with an internal error ({exception_text(error)}); please report it together "
            f"with the file, set {TRACEBACK}=1 to see where"
        )
    return BAD


def exception_text(error: Exception) -> str:
    """The type of an exception, and what it says if that is short."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if 0 < len(said) <= 100 else type(error).__name__


def run_outermost(action: Callable[[], int], doing: str) -> int:
    """The exit code of a whole command, also when it is interrupted or nobody reads its output
    any more.
    """
    try:
        return run_shielded(action, doing)
    except KeyboardInterrupt as stop:
        print_error(
            f"{doing} was interrupted; the answers above stay "
            f"true{''.join(f'; {covered}' for covered in stop.args)}"
        )
        return WATCH.code
    except BrokenPipeError:
        silence_stdout()
        return CLOSED


def silence_stdout() -> None:
    """Nothing more is written to stdout, so that leaving does not fail again on what could not
    be written.
    """
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it stays open until the end


@contextmanager
def progress(done: int, total: int) -> Iterator[Report]:
    """A function that shows what is being done, beside a bar of how much is done, on stderr if that
    is a terminal, nowhere else.

    The bar is gone afterwards, so that a result never shares its line.
    """
    if not shows_bars():
        yield lambda message: None
        return
    with progress_bars() as bar:
        task = bar.add_task("", completed=done, total=total)
        yield lambda message: bar.update(task, description=one_line(message, 60))


@contextmanager
def step_counter(total: int, what: str) -> Iterator[Callable[[], None]]:
    """A function that is called after each of `total` steps, with a bar like that of `progress`."""
    if not shows_bars():
        yield lambda: None
        return
    with progress_bars() as bar:
        task = bar.add_task(one_line(what, 60), total=total)
        yield lambda: bar.advance(task)


def shows_bars() -> bool:
    """Whether stderr is a terminal that a bar can be drawn on."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def progress_bars() -> Progress:
    """Bars on stderr that are gone afterwards."""
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
