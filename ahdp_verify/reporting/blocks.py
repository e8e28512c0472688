"""What a report consists of, before it is HTML or Markdown: headings, paragraphs, tables, lists,
figures, and parts that are folded.

A paragraph is made of pieces: strings, which are text and never markup, and the few classes here.

>>> Paragraph.of("at most ", Formula("e^{1}", "exp(1)"), " times").text
'at most exp(1) times'
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ahdp_verify.display.markup import latex
from ahdp_verify.kernel.terms.expression import Expression

EXPONENTIAL = re.compile(r"(?<![A-Za-z\\])e\^\{")
TALL = (r"\frac", r"\left", r"\sum", r"\begin", r"\max", r"\min", "^")  # too small as an exponent


def spelled_exponents(formula: str) -> str:
    r"""The LaTeX with exp(...) in place of an exponential whose exponent would be too small to
    read.

    >>> print(spelled_exponents(r"\frac{e^{-\left|s\right|}}{2} e^{x}"))
    \frac{\exp\left(-\left|s\right|\right)}{2} e^{x}
    """
    found = EXPONENTIAL.search(formula)
    if found is None:
        return formula
    depth, end = 1, found.end()
    while depth and end < len(formula):
        step = 2 if formula[end] == "\\" else 1
        depth += {"{": 1, "}": -1}.get(formula[end], 0)
        end += step
    inner = spelled_exponents(formula[found.end() : end - 1])
    rest = spelled_exponents(formula[end:])
    spelled = any(part in inner for part in TALL)
    said = rf"\exp\left({inner}\right)" if spelled else f"e^{{{inner}}}"
    return f"{formula[: found.start()]}{said}{rest}"


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula: its LaTeX, and the text that stands for it where that cannot be drawn."""

    latex: str
    plain: str

    @classmethod
    def of(cls, e: Expression) -> Formula:
        """An expression as a formula."""
        return cls(spelled_exponents(latex(e)), str(e))

    def __str__(self) -> str:
        return self.plain


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that carry weight."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Code:
    """What is typed or read literally: a command, a digest, an event."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Badge:
    """An outcome as one word with a sign and a colour; `outcome` chooses these two."""

    outcome: str
    word: str

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class Jump:
    """A link to a place on the same page."""

    text: str
    target: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that is kept in the page itself, to be saved from it."""

    text: str
    name: str
    content: str

    def __str__(self) -> str:
        return self.text


Piece = str | Formula | Strong | Code | Badge | Jump | Attached
Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 2 or more."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences; `kind` is "" or "note" (smaller), "lead" (larger) or "display" (a formula on a
    line of its own).
    """

    pieces: Pieces
    kind: str = ""

    @classmethod
    def of(cls, *pieces: Piece, kind: str = "") -> Paragraph:
        """A paragraph of these pieces."""
        return cls(pieces, kind)

    @property
    def text(self) -> str:
        """The paragraph without markup."""
        return "".join(map(str, self.pieces))


@dataclass(frozen=True, slots=True)
class Listing:
    """Items below each other, numbered or not."""

    items: tuple[Pieces, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below a head, with a caption; the first cell of a row names the row.  Without a head it
    is a list of names with what belongs to them.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Pieces, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture as SVG, with a text that stands for it and a caption; Markdown leaves it out.  A
    narrow one does not take the whole width.
    """

    svg: str
    alternative: str
    caption: str
    narrow: bool = False


@dataclass(frozen=True, slots=True)
class Commands:
    """Lines to be typed into a terminal."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a program, line by line."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Numbered:
    """Numbered lines of an explanation: number, depth, pieces, reason, and what stands below the
    line in columns.
    """

    lines: tuple[tuple[str, int, Pieces, str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks behind a summary, opened by a reader who wants them, and always when printed."""

    summary: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: its name for links, its heading and its blocks; `outcome` colours the
    card of a claim.
    """

    name: str
    heading: Heading
    blocks: tuple[Block, ...]
    outcome: str = ""


Block = (
    Heading
    | Paragraph
    | Listing
    | Table
    | Figure
    | Commands
    | Statements
    | Numbered
    | Folded
    | Section
)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
