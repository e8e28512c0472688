"""Signal handling from process start: Ctrl-C and SIGTERM end the command with one sentence,
whatever it is doing.

The package imports this module before anything slow, and it does nothing unless the program is the
command itself.  While modules are being loaded there is nothing to clean up, so the first signal
ends the process at once.  Later the first one raises KeyboardInterrupt, which unwinds the current
work; a second one, or a SIGTERM that is not obeyed in time, ends the process.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}  # 128 + the signal's number, as shells report it
PATIENCE = 5  # seconds for unwinding after a SIGTERM
COMMANDS = ("ahdp-verify", "ahdp-verify.exe")


class SignalWatch:
    """The signal received so far by the watching process, and whether that is still loading."""

    def __init__(self) -> None:
        self.owner, self.loading, self.received = 0, False, 0

    @property
    def code(self) -> int:
        """The exit code of what was interrupted."""
        return CODES.get(signal.Signals(self.received), 130) if self.received else 130


WATCH = SignalWatch()


def is_command() -> bool:
    """Whether this program is the command, by either of its names."""
    at = sys.argv[0] if sys.argv else ""
    run_as_module = at == "-m" and any(
        pair == ("-m", "ahdp_verify")
        for pair in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    )
    return run_as_module or os.path.basename(at) in COMMANDS


def watch_signals() -> None:
    """Signals are handled from now on; one that was deliberately ignored (nohup, a background
    job) stays ignored.
    """
    WATCH.owner, WATCH.loading = os.getpid(), True
    for number in CODES:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handle_signal)


def collect_garbage_rarely() -> None:
    """What is loaded is looked through no more, and only 100,000 new objects, not 700, start a
    search for cycles: of expressions and proofs hardly any is one.  A tenth of the time of the
    stored claims; it is for a process of our own, not for a library in somebody else's.
    """
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def mark_loaded() -> None:
    """From now on there may be something to clean up, so the first signal unwinds."""
    WATCH.loading = False


def mark_finished() -> None:
    """The command is done: a signal from now on does not change the exit code."""
    if WATCH.owner == os.getpid():
        for number in CODES:
            signal.signal(number, signal.SIG_IGN)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def handle_signal(number: int, frame: FrameType | None) -> None:
    """The first signal raises KeyboardInterrupt; a second one ends the process, and so does the
    first one while modules are loaded.
    """
    del frame
    if os.getpid() != WATCH.owner:
        os._exit(128 + number)
    if WATCH.loading or WATCH.received:
        end_process(number)
    WATCH.received = number
    if number == signal.SIGTERM and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda alarm, _: end_process(number))
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    raise KeyboardInterrupt


def end_process(number: int) -> NoReturn:
    """The process ends at once; unfinished files are removed."""
    files = getattr(sys.modules.get("ahdp_verify.canonical_json"), "UNFINISHED", ())
    for path in tuple(files):
        with contextlib.suppress(OSError):
            os.unlink(path)
    try:
        os.write(2, b"ahdp-verify: it was interrupted; the answers above remain valid\n")
    finally:
        os._exit(128 + number)


if is_command():
    watch_signals()
