"""Numbered lines in three formats: numbers stay when lines are left out, and no name can break a
format.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ahdp_verify.explanation.numbered_lines import (
    FEW,
    MANY,
    Explanation,
    LineWriter,
    NumberedLine,
    comparison_piece,
    folded_lines,
)
from ahdp_verify.kernel.terms.expression import label, name
from ahdp_verify.kernel.terms.grammar import parse

NASTY = "50% of $x_1$ & {a}^2 ~ #3 \\input{x} <b> |y| -- `z` *q* é \u202e end\nnext"


def of_lines(count: int, *, below: int = 0) -> tuple[LineWriter, str]:
    """A head and `count` lines under it, each with `below` lines under it."""
    writer = LineWriter()
    head = writer.add("", "head", head=True)
    with writer.inside():
        for i in range(count):
            writer.add("reason", f"line {i}")
            with writer.inside():
                for j in range(below):
                    writer.add("reason", f"detail {j}")
    return writer, head


def test_numbers_are_complete_and_in_order() -> None:
    writer, _ = of_lines(3, below=2)
    assert [line.number for line in writer.done] == [
        "1",
        "1.1",
        "1.1.1",
        "1.1.2",
        "1.2",
        "1.2.1",
        "1.2.2",
        "1.3",
        "1.3.1",
        "1.3.2",
    ]


def test_a_short_run_is_shown_whole() -> None:
    writer, _ = of_lines(FEW)
    assert folded_lines(writer.done) == writer.done


def test_details_are_left_out_first() -> None:
    writer, _ = of_lines(FEW - 1, below=3)
    shown = folded_lines(writer.done)
    assert [line.number for line in shown if line.number] == [
        "1",
        *(f"1.{i}" for i in range(1, FEW)),
    ]
    (note,) = [line.text for line in shown if not line.number]
    assert f"{3 * (FEW - 1)} lines" in note and "--all" in note


def test_a_long_run_keeps_its_end_and_says_what_is_missing() -> None:
    writer, _ = of_lines(100)
    shown = folded_lines(writer.done)
    kept = [line for line in shown if line.number]
    (note,) = [line.text for line in shown if not line.number]
    assert kept[-1].number == "1.100" and len(kept) == FEW + 1
    assert f"{101 - len(kept)} lines" in note and f"1.{FEW} to 1.99" in note
    assert set(kept) <= set(writer.done)


def test_of_very_many_parts_the_later_ones_are_short() -> None:
    writer = LineWriter()
    for _ in range(MANY + 2):
        writer.add("", "head", head=True)
        with writer.inside():
            for i in range(6):
                writer.add("reason", f"line {i}")
    shown = [line.number for line in folded_lines(writer.done) if line.number]
    assert (
        f"{MANY}.3" in shown
        and f"{MANY + 1}.3" not in shown
        and f"{MANY + 1}" in shown
        and f"{MANY + 2}.6" in shown
    )


def nasty() -> Explanation:
    writer = LineWriter()
    writer.say(NASTY)
    writer.add(
        NASTY,
        NASTY,
        comparison_piece(label(NASTY), "==", name("v")),
        " ",
        name("a_b"),
        name("x'"),
        head=True,
    )
    return Explanation("title", writer.done, True)


def test_text_stays_on_its_lines() -> None:
    text = nasty().text
    assert "next" in text and "\nnext" not in text and "\u202e" not in text


def test_markdown_has_no_live_marks() -> None:
    words = nasty().markdown
    assert (
        "&lt;b\\>" in words
        and "\\`z\\`" in words
        and "\\*q\\*" in words
        and "\\|y\\|" in words
        and "\nnext" not in words
    )
    assert "\\$x\\_1\\$" in words and "<b>" not in words.split("- **1**")[0]


def test_latex_has_no_live_commands() -> None:
    body = nasty().latex.partition("\\begin{document}")[2]
    assert "\\input" not in body and body.isascii()


@pytest.mark.skipif(
    shutil.which("pdflatex") is None,
    reason="pdflatex is not installed (Debian: texlive-latex-base)",
)
def test_nasty_names_compile(tmp_path: Path) -> None:
    compiles(nasty(), tmp_path)


def compiles(explanation: Explanation, folder: Path) -> None:
    """pdflatex makes a document of it without an error."""
    (folder / "proof.tex").write_text(explanation.latex, encoding="utf-8")
    command = [
        "pdflatex",
        "-interaction=nonstopmode",
        "-halt-on-error",
        "-no-shell-escape",
        "proof.tex",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]
    assert (folder / "proof.pdf").stat().st_size > 1000


@pytest.mark.parametrize("width", [60, 80, 100])
def test_lines_for_a_narrow_terminal_say_the_same(width: int) -> None:
    formula = parse("exp(-abs(s - sum(weight*x)))*(1 + sum(weight*x))/2 + 1/7")
    lines = tuple(
        NumberedLine(
            number, ("there the law is ", formula), " ".join(["substituted in (1)"] * 8), depth
        )
        for number, depth in (("1", 0), ("1.1", 1), ("1.1.1", 2))
    )
    wide = Explanation("It is true that " + "a long title " * 9, lines)
    narrow = wide.within(width)
    assert (
        narrow.split()
        == " ".join([wide.title, *(f"{n.number} {n.text} [{n.reason}]" for n in wide.shown)])
        .replace(" ]", "]")
        .split()
    )
    longest = max(map(len, narrow.split()))
    assert all(len(line) <= max(width, longest + 20) for line in narrow.splitlines())
