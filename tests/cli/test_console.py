"""The messages of the commands: whatever goes wrong is reported in one sentence."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.cli import console
from ahdp_verify.cli.console import print_error, print_line, progress, run_outermost, run_shielded
from ahdp_verify.cli.exit_codes import (
    BAD,
    CLOSED,
    INTERRUPTED,
    PROVED,
    REFUTED,
    UNKNOWN,
    worst_exit_code,
)
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Unsupported


@given(st.lists(st.sampled_from([PROVED, REFUTED, BAD, UNKNOWN])))
def test_bad_input_comes_before_refuted_before_unknown_before_proved(codes: list[int]) -> None:
    assert worst_exit_code(codes) == min(
        codes, key=[BAD, REFUTED, UNKNOWN, PROVED].index, default=PROVED
    )
    assert worst_exit_code(codes) == worst_exit_code(reversed(codes))


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (
            BadInput("level", "-1 is negative", "levels lie in [0, oo]"),
            BAD,
            "ahdp-verify: level: -1 is negative; levels lie in [0, oo]\n",
        ),
        (BadInput("a\nb", "\x1b[31m", ""), BAD, "ahdp-verify: a\\nb: \\x1b[31m\n"),
        (
            KeyError("x"),
            BAD,
            "ahdp-verify: looking failed with an internal error (KeyError: 'x'); please report it "
            "together with the file, "
            "and set AHDP_VERIFY_TRACEBACK=1 to see the traceback\n",
        ),
        (
            ValueError("many words " * 20),
            BAD,
            "ahdp-verify: looking failed with an internal error (ValueError); please report it "
            "together with "
            "the file, and set AHDP_VERIFY_TRACEBACK=1 to see the traceback\n",
        ),
        (
            Unsupported("a form is not known"),
            UNKNOWN,
            "ahdp-verify: looking was not possible: a form is not known\n",
        ),
        (
            RecursionError(),
            BAD,
            "ahdp-verify: looking: something in it is nested too deeply; flatten it\n",
        ),
        (
            MemoryError(),
            UNKNOWN,
            "ahdp-verify: looking needs more memory than the system provides; reduce the "
            "task, or lower --megabytes to see which step needs it\n",
        ),
        (
            OutOfLimits("seconds", "1 s", "counting"),
            UNKNOWN,
            "ahdp-verify: looking: stopped after 1 s while counting; give --seconds a larger "
            "value\n",
        ),
        (
            KeyboardInterrupt(),
            INTERRUPTED,
            "ahdp-verify: looking was interrupted; the answers above remain valid\n",
        ),
    ],
)
def test_every_error_is_one_sentence(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, sentence: str
) -> None:
    def fail() -> int:
        raise error

    assert run_outermost(fail, "looking") == code
    assert capsys.readouterr() == ("", sentence)


def test_a_traceback_is_there_for_whoever_asks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(console.TRACEBACK, "1")
    assert run_shielded(lambda: 1 // 0, "dividing") == BAD
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_who_leaves_ends_the_command_quietly(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Left(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Left())
    assert run_outermost(lambda: print_line("a line") or PROVED, "speaking") == CLOSED
    assert capsys.readouterr().err == ""
    print_line("into nothing")


def test_a_full_disk_ends_the_command_with_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(SystemExit) as end:
        print_line("a line")
    assert end.value.code == BAD
    assert (
        capsys.readouterr().err
        == "ahdp-verify: stdout: results cannot be written there (No space left on device); check the disk\n"
    )


def test_nobody_hears_complaints_where_stderr_is_shut(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shut(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(9, "Bad file descriptor")

    monkeypatch.setattr(sys, "stderr", Shut())
    print_error("a sentence")


def test_lines_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    print_line("a\nb\tü")
    print_line("x" * 200_000)
    out = capsys.readouterr().out
    assert out == "a\\nb\\tü\n" + "x" * 200_000 + "\n"


def test_progress_is_for_terminals_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with progress(0, 2) as report:
        report("searching")
    assert capsys.readouterr() == ("", "")

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress(1, 2) as report:
        report("searching [/] for [bold]\x1b a counterexample")
    shown = terminal.getvalue()
    assert "1 of 2" in shown and "[/] for [bold]\\x1b" in shown
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("TERM", "dumb")
    with progress(1, 2) as report:
        report("more")
    assert terminal.getvalue() == shown
