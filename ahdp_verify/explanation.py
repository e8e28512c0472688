"""Numbered lines of a proof or a refutation, each with the reason at its side, as text, Markdown and LaTeX.

A line is made of words and formulas; a formula is an expression or a comparison of two.

>>> from ahdp_verify.expression import name
>>> lines = Writer()
>>> first = lines.add("a fact", compared(name("a"), ">=", name("b")))
>>> _ = lines.add(f"from {first}", "hence ", name("a") - name("b"), " is not negative")
>>> print(Explanation("an example", lines.done).text)
an example
<BLANKLINE>
1   a >= b                          [a fact]
2   hence a - b is not negative     [from 1]
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ahdp_verify.expression import Expression
from ahdp_verify.printing import latex

SIGNS = {"<=": r"\le", "<": "<", "=": "=", "==": "=", ">=": r"\ge", ">": ">"}
GAP, WIDTH, LONG, ONE_BOX = 4, 100, 400, 50  # columns between a line and its reason, of lines; characters of a formula shown whole, of a reason that does not break
ESCAPES = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}",
           "~": r"\textasciitilde{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}", "|": r"\textbar{}"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of two expressions."""

    left: Expression
    relation: str
    right: Expression

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"

    @property
    def latex(self) -> str:
        """The comparison in LaTeX, for mathematics mode."""
        return f"{latex(self.left)} {SIGNS[self.relation]} {latex(self.right)}"


def compared(left: Expression, relation: str, right: Expression) -> Compared:
    """left `relation` right, as a piece of a line."""
    return Compared(left, relation, right)


Piece = str | Expression | Compared


@dataclass(frozen=True, slots=True)
class Line:
    """A numbered line ("2.1"; "" for a remark): pieces, the reason at its side, and how far it is indented."""

    number: str
    pieces: tuple[Piece, ...]
    reason: str = ""
    depth: int = 0

    @property
    def text(self) -> str:
        """The line without number and reason."""
        return "".join(piece if isinstance(piece, str) else shortened(str(piece)) for piece in self.pieces)


def shortened(text: str) -> str:
    """The text, its middle left out where it is very long."""
    return text if len(text) <= LONG else f"{text[: LONG // 2]} ... {text[-LONG // 4 :]}"


class Writer:
    """Lines that are being written, numbered as they come."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._counts = [0]

    @property
    def done(self) -> tuple[Line, ...]:
        """The lines so far."""
        return tuple(self._lines)

    def add(self, reason: str, *pieces: Piece) -> str:
        """The number of a new line."""
        self._counts[-1] += 1
        number = ".".join(map(str, self._counts))
        self._lines.append(Line(number, pieces, reason, len(self._counts) - 1))
        return number

    def say(self, *pieces: Piece) -> None:
        """One more line without a number."""
        self._lines.append(Line("", pieces, "", len(self._counts) - 1))

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Lines written inside are numbered below the last one."""
        self._counts.append(0)
        try:
            yield
        finally:
            self._counts.pop()


@dataclass(frozen=True, slots=True)
class Explanation:
    """A proof or a refutation in numbered lines, under a title.  Printing gives `text`; notebooks show it as Markdown."""

    title: str
    lines: tuple[Line, ...] = field(repr=False)

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """Plain text; reasons stand in brackets at the right."""
        rows = [(_prefix(line) + line.text, line.reason) for line in self.lines]
        column = min(WIDTH, max((len(left) for left, reason in rows if reason), default=0)) + GAP
        return "\n".join((self.title, "", *(_row(left, reason, column) for left, reason in rows)))

    @property
    def markdown(self) -> str:
        """Markdown with formulas between dollar signs."""
        return "\n".join((f"**{_plain(self.title)}**", "", *(_markdown(line) for line in self.lines)))

    def _repr_markdown_(self) -> str:
        return self.markdown

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"

    @property
    def latex(self) -> str:
        """A document that pdflatex compiles as it is; formulas may break over lines."""
        body = "\n".join(_latex(line) for line in self.lines)
        return f"{PREAMBLE}\\begin{{document}}\n\\section*{{{escaped(self.title)}}}\n{body}\n\\end{{document}}\n"

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


def _prefix(line: Line) -> str:
    return f"{'    ' * line.depth}{line.number}   " if line.number else "    " * (line.depth + 1)


def _row(left: str, reason: str, column: int) -> str:
    if not reason:
        return left.rstrip()
    return f"{left.ljust(column)} [{reason}]" if len(left) <= column else f"{left}\n{' ' * column} [{reason}]"


def _plain(text: str) -> str:
    """Text in which Markdown finds nothing to mark."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#$|" else c for c in text)


def _markdown(line: Line) -> str:
    pieces = "".join(_plain(p) if isinstance(p, str) else f"${mathematics(p)}$" for p in line.pieces)
    if not line.number:
        return f"{'  ' * line.depth}{pieces}\n"
    reason = f" — *{_plain(line.reason)}*" if line.reason else ""
    return f"{'  ' * line.depth}- **{line.number}** {pieces}{reason}"


def mathematics(piece: Expression | Compared) -> str:
    """The LaTeX of a formula; a very long one as it is in text, shortened."""
    if len(str(piece)) > LONG:
        return rf"\text{{{escaped(shortened(str(piece)))}}}"
    return piece.latex if isinstance(piece, Compared) else latex(piece)


def _latex(line: Line) -> str:
    pieces = "".join(escaped(p) if isinstance(p, str) else f"${mathematics(p)}$" for p in line.pieces)
    if not line.number:
        return f"\\proofline{{{3 + 1.2 * line.depth:.1f}em}}{{}}{{{pieces}}}{{}}"
    reason = escaped(line.reason) if len(line.reason) > ONE_BOX else rf"\mbox{{{escaped(line.reason)}}}"
    return f"\\proofline{{{3 + 1.2 * line.depth:.1f}em}}{{{line.number}}}{{{pieces}}}{{{reason}}}"


def escaped(text: str) -> str:
    """The text with the special characters of LaTeX written so that they print, and all others that fonts may lack as their numbers."""
    return "".join(ESCAPES.get(c, c if c.isascii() and c.isprintable() else _named(c)) for c in text)


def _named(c: str) -> str:
    return {"∫": r"\ensuremath{\int}", "≥": r"\ensuremath{\ge}", "≤": r"\ensuremath{\le}", "∞": r"\ensuremath{\infty}"}.get(c, f"[U+{ord(c):04X}]")
