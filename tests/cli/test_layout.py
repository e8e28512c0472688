"""Answers on a terminal: nothing is lost where a line is cut, and scripts get whole lines."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.cli import layout

WORDS = st.lists(st.text("abc();:,=", min_size=1, max_size=12), min_size=1, max_size=40)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ANSWER = (
    "Refuted: count is AHDP at level eps; witness: {} against {(1, 1)}; trusts: the checker alone"
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@given(WORDS, st.sampled_from(["", "Proved: ", "Refuted: ", "Unknown: "]), st.integers(20, 120))
def test_a_cut_line_has_the_same_words(words: list[str], verdict: str, width: int) -> None:
    line = verdict + " ".join(words)
    shown = layout.fitted(line, width, coloured=True)
    assert COLOUR.sub("", shown).replace(";", "").split() == line.replace(";", "").split()
    longest = max(map(len, line.split()))
    assert all(len(part) <= max(width, longest + 8) for part in COLOUR.sub("", shown).splitlines())


def test_rows_and_documents_stay_whole() -> None:
    for line in ("(1, 1/2)  1 - exp(-1/2)  same", '{"verdict": "proved", "text": "a b c"}'):
        assert layout.fitted(line, 20, coloured=True) == line


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, **environment: str) -> str:
    for name in ("NO_COLOR", layout.PLAIN):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", "COLUMNS": "60", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", stream)
    return layout.for_stdout(ANSWER)


def test_a_terminal_is_given_colours_unless_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    coloured = shown(monkeypatch, Terminal())
    assert coloured.startswith("\x1b[") and len(coloured.splitlines()) == 3
    plain = shown(monkeypatch, Terminal(), NO_COLOR="1")
    assert plain == COLOUR.sub("", coloured)


def test_a_pipe_and_a_plain_terminal_get_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO()) == ANSWER
    assert shown(monkeypatch, Terminal(), **{layout.PLAIN: "1"}) == ANSWER
    assert shown(monkeypatch, Terminal(), TERM="dumb") == ANSWER
