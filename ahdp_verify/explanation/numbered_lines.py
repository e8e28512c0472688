"""Numbered lines of a proof or a refutation, each with its reason, as text, Markdown and LaTeX.

A line consists of words and formulas; a formula is an expression or a comparison of two.

>>> from ahdp_verify.kernel.terms.expression import name
>>> lines = LineWriter()
>>> first = lines.add("a fact", comparison_piece(name("a"), ">=", name("b")))
>>> _ = lines.add(f"from {first}", "hence ", name("a") - name("b"), " is not negative")
>>> print(Explanation("an example", lines.done).text)
an example
<BLANKLINE>
1   a >= b                        [a fact]
2   hence a - b is not negative   [from 1]
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ahdp_verify.display.markup import (
    ascii_only,
    escape_html,
    escape_latex,
    escape_markdown,
    latex,
)
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.printing import ends_in_quotes, one_line

SIGNS = {"<=": r"\le", "<": "<", "=": "=", "==": "=", ">=": r"\ge", ">": ">"}
GAP, WIDTH, BESIDE = 2, 76, 56  # columns between a line and its reason, of lines, of reasons
LONG, ONE_BOX = (
    400,
    50,
)  # most characters of a formula that is shown whole, of a reason that is not broken
FEW, MANY = (
    16,
    12,
)  # most lines in a row, and most parts of a proof, that are shown without --all


@dataclass(frozen=True, slots=True)
class ComparisonPiece:
    """A comparison of two expressions."""

    left: Expression
    relation: str
    right: Expression

    __repr__ = short_repr

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"

    @property
    def latex(self) -> str:
        """The comparison in LaTeX, for mathematics mode."""
        return f"{latex(self.left)} {SIGNS[self.relation]} {latex(self.right)}"


def comparison_piece(left: Expression, relation: str, right: Expression) -> ComparisonPiece:
    """left `relation` right, as a piece of a line."""
    return ComparisonPiece(left, relation, right)


LinePiece = str | Expression | ComparisonPiece


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A numbered line ("2.1"; "" for a remark): pieces, reason, depth of indentation, whether it is
    the head of a part, and what is printed below it as it is: code, or a table.
    """

    number: str
    pieces: tuple[LinePiece, ...]
    reason: str = ""
    depth: int = 0
    head: bool = False
    below: tuple[str, ...] = ()

    __repr__ = short_repr

    @property
    def text(self) -> str:
        """The line without number and reason."""
        return one_line("".join(map(str, self.pieces)), sys.maxsize)


def without_middle(text: str, before: int, after: int) -> str:
    """The first `before` and the last `after` characters; quotes are closed before the gap and
    reopened after it.
    """
    head, tail = text[:before], text[-after:]
    opened = '"' if ends_in_quotes(text[:-after]) else ""
    closed = '"' if ends_in_quotes(head) else ""
    return f"{head}{closed} ... {opened}{tail}"


def abbreviated_text(text: str) -> str:
    """The text, with its middle omitted if it is very long."""
    return text if len(text) <= LONG else without_middle(text, LONG // 2, LONG // 4)


def abbreviated_line(line: NumberedLine) -> NumberedLine:
    """The line with very long formulas cut in their middle."""
    return replace(
        line,
        pieces=tuple(abbreviated_text(str(p)) if len(str(p)) > LONG else p for p in line.pieces),
        reason=abbreviated_text(line.reason),
    )


class LineWriter:
    """A list of lines that grows, numbered in order."""

    def __init__(self) -> None:
        self._lines: list[NumberedLine] = []
        self._counts = [0]

    @property
    def done(self) -> tuple[NumberedLine, ...]:
        """The lines so far."""
        return tuple(self._lines)

    @property
    def depth(self) -> int:
        """The depth at which the next line is nested."""
        return len(self._counts) - 1

    def add(
        self, reason: str, *pieces: LinePiece, head: bool = False, below: Sequence[str] = ()
    ) -> str:
        """The number of a new line."""
        self._counts[-1] += 1
        number = ".".join(map(str, self._counts))
        self._lines.append(
            NumberedLine(number, pieces, reason, len(self._counts) - 1, head, tuple(below))
        )
        return number

    def withdraw(self, first: int) -> None:
        """Lines number `first` and later (counted from 0) are removed; the first of them was
        written at the current depth.
        """
        del self._lines[first:]
        self._counts[-1] -= 1

    def say(self, *pieces: LinePiece, below: Sequence[str] = ()) -> None:
        """One more line without a number."""
        self._lines.append(NumberedLine("", pieces, "", len(self._counts) - 1, below=tuple(below)))

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Lines written inside are numbered below the last one."""
        self._counts.append(0)
        try:
            yield
        finally:
            self._counts.pop()


def folded_lines(lines: tuple[NumberedLine, ...]) -> tuple[NumberedLine, ...]:
    """The lines that a reader starts with: the first of very many parts, and the main ones of every
    long run of lines under a head.

    Numbers are unchanged, and a remark states what is omitted.
    """
    result: list[NumberedLine] = []
    heads: dict[str, int] = {}
    run: list[NumberedLine] = []
    hidden = ""
    for line in (*lines, NumberedLine("", (), head=True)):
        within = bool(hidden) and line.number.startswith(f"{hidden}.")
        if not line.head or within:
            run.append(line)
            continue
        result += folded_run(run, 2 if hidden else FEW)
        result += [line] if line.number else []
        parent = line.number.rpartition(".")[0]
        heads[parent] = heads.get(parent, 0) + 1
        run, hidden = [], line.number if heads[parent] > MANY else ""
    return tuple(result)


def folded_run(run: list[NumberedLine], most: int) -> list[NumberedLine]:
    """The outermost lines of a run, or if these are too many the first ones and the last, with a
    remark about the rest.
    """
    numbered = [line for line in run if line.number]
    if len(numbered) <= most + 1:
        return run
    outer = [line for line in numbered if line.depth == min(n.depth for n in numbered)]
    kept = {id(line) for line in (outer if len(outer) <= most else (*outer[: most - 1], outer[-1]))}
    gone = [line for line in numbered if id(line) not in kept]
    what = (
        f"{gone[0].number} to {gone[-1].number}"
        if len(outer) > most
        else "below " + ", ".join(_above(gone))
    )
    note = NumberedLine(
        "",
        (f"... {len(gone)} lines are omitted here, {what}; --all shows them",),
        "",
        outer[-1].depth - 1,
    )
    result: list[NumberedLine] = []
    for line in run:
        result += [note] if line is outer[-1] else []
        result += [line] if id(line) in kept or not line.number else []
    return result


def _above(gone: list[NumberedLine]) -> list[str]:
    """The numbers under which lines are omitted, three of them at most."""
    found = list(
        dict.fromkeys(
            ".".join(line.number.split(".")[: min(n.depth for n in gone)]) for line in gone
        )
    )
    return found if len(found) <= 3 else [found[0], "...", found[-1]]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A proof or a refutation in numbered lines, under a title; `every` if nothing is omitted.
    Printing gives `text`; notebooks show it as Markdown.
    """

    title: str
    lines: tuple[NumberedLine, ...] = field(repr=False)
    every: bool = False

    __repr__ = short_repr

    def __str__(self) -> str:
        return self.text

    @property
    def shown(self) -> tuple[NumberedLine, ...]:
        """The lines that are printed."""
        return self.lines if self.every else tuple(map(abbreviated_line, folded_lines(self.lines)))

    @property
    def text(self) -> str:
        """Plain text, with reasons in brackets at the right."""
        rows = [
            (_prefix(line) + line.text, one_line(line.reason, sys.maxsize)) for line in self.shown
        ]
        column = (
            min(
                WIDTH,
                max(
                    (len(left) for left, reason in rows if reason and len(left) <= WIDTH), default=0
                ),
            )
            + GAP
        )
        shown = (
            "\n".join((_row(left, reason, column), *_below(line)))
            for (left, reason), line in zip(rows, self.shown, strict=True)
        )
        return "\n".join((self.title, "", *shown))

    def within(self, width: int) -> str:
        """Plain text whose lines are at most `width` characters long where words permit it, with
        each reason in brackets below its line.
        """
        parts = [textwrap.fill(self.title, width), ""]
        for line in self.shown:
            start = _prefix(line)
            below = " " * len(start)
            parts.append(_filled(line.text, width, start, below))
            if line.reason:
                reason = f"[{one_line(line.reason, sys.maxsize)}]"
                parts.append(_filled(reason, width, below, f"{below} "))
            parts += _below(line)
        return "\n".join(parts)

    @property
    def markdown(self) -> str:
        """Markdown with formulas between dollar signs."""
        return "\n".join(
            (
                f"**{escape_markdown(self.title)}**",
                "",
                *(_markdown(line) for line in self.shown),
                "",
            )
        )

    def _repr_markdown_(self) -> str:
        return self.markdown

    def _repr_html_(self) -> str:
        return "<pre>" + "\n".join(map(escape_html, self.text.splitlines())) + "</pre>"

    @property
    def latex(self) -> str:
        """A document that pdflatex compiles as it is; formulas may break over lines."""
        body = "\n".join(_latex(line) for line in self.shown)
        return f"{PREAMBLE}\\begin{{document}}\n\\section*{{{escape_latex(self.title)}}}\n{body}\n\\end{{document}}\n"

    def in_format(self, kind: str) -> str:
        """The explanation as text, markdown or latex."""
        return {"text": self.text, "markdown": self.markdown, "latex": self.latex}[kind]


PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=2cm]{geometry}
\setlength{\parindent}{0pt}
\allowdisplaybreaks
\emergencystretch=3em
\newcommand{\proofline}[4]{\par\smallskip\hangindent=#1\hangafter=0\makebox[0pt][r]{\textbf{#2}\enspace}\raggedright #3\hspace{1em plus 1fill}{\small\itshape #4}\par}
"""


def _prefix(line: NumberedLine) -> str:
    return f"{'    ' * line.depth}{line.number}   " if line.number else "    " * (line.depth + 1)


def _below(line: NumberedLine) -> list[str]:
    """The lines below a line, indented like its text; those of a remark stand apart."""
    if not line.below:
        return []
    start, apart = " " * len(_prefix(line)), [""] * (not line.number)
    kept = [f"{start}{one_line(text, sys.maxsize)}".rstrip() for text in line.below]
    return [*apart, *kept, *apart]


def _filled(text: str, width: int, first: str, later: str) -> str:
    """The text cut at spaces; `first` and `later` precede its lines."""
    return textwrap.fill(
        text,
        max(width, len(later) + 20),
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _row(left: str, reason: str, column: int) -> str:
    if not reason:
        return left.rstrip()
    beside = textwrap.wrap(
        f"[{reason}]", BESIDE, subsequent_indent=" ", break_long_words=False, break_on_hyphens=False
    )
    if len(left) <= column:
        return "\n".join(
            f"{text.ljust(column)} {part}"
            for text, part in zip((left, *("",) * (len(beside) - 1)), beside, strict=True)
        )
    return "\n".join((left, *(f"{' ' * column} {part}" for part in beside)))


def _markdown(line: NumberedLine) -> str:
    pieces = "".join(
        escape_markdown(p) if isinstance(p, str) else f"${formula_latex(p)}$" for p in line.pieces
    )
    if not line.number:
        return f"\n{'  ' * line.depth}{pieces}\n{_fenced(line, line.depth)}"
    reason = f" — *{escape_markdown(line.reason)}*" if line.reason else ""
    return f"{'  ' * line.depth}- **{line.number}** {pieces}{reason}{_fenced(line, line.depth + 1)}"


def _fenced(line: NumberedLine, depth: int) -> str:
    """The lines below a line as a block of code, in a fence that none of them can close."""
    if not line.below:
        return ""
    kept = [one_line(text, sys.maxsize) for text in line.below]
    runs = re.findall("`+", "".join(kept))
    fence = "`" * max(3, *(len(run) + 1 for run in runs), 3)
    start = "  " * depth
    return "\n\n" + "\n".join(f"{start}{text}".rstrip() for text in (fence, *kept, fence)) + "\n"


def formula_latex(piece: Expression | ComparisonPiece) -> str:
    """The LaTeX of a formula."""
    return piece.latex if isinstance(piece, ComparisonPiece) else latex(piece)


def _latex(line: NumberedLine) -> str:
    pieces = "".join(
        escape_latex(p) if isinstance(p, str) else f"${ascii_only(formula_latex(p))}$"
        for p in line.pieces
    )
    indent = f"{3 + 1.2 * line.depth:.1f}em"
    below = "".join(f"\n{_latex_code(text, indent)}" for text in line.below)
    if not line.number:
        return f"\\proofline{{{indent}}}{{}}{{{pieces}}}{{}}{below}"
    reason = (
        escape_latex(line.reason)
        if len(line.reason) > ONE_BOX
        else rf"\mbox{{{escape_latex(line.reason)}}}"
    )
    return f"\\proofline{{{indent}}}{{{line.number}}}{{{pieces}}}{{{reason}}}{below}"


def _latex_code(text: str, indent: str) -> str:
    """A line of code, in which every character has the same width."""
    kept = "".join("~" if c == " " else escape_latex(c) for c in one_line(text, sys.maxsize))
    return f"\\proofline{{{indent}}}{{}}{{\\small\\ttfamily {kept or '~'}}}{{}}"
