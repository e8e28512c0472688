"""A report as Markdown: the same content without the pictures.

>>> from ahdp_verify.reporting.blocks import Document, Heading, Paragraph, Section, Table
>>> rows = ((("a|b",), ("1",)),)
>>> one = Section("x", Heading(2, "A"), (Paragraph.of("*b*"), Table("t", ("c", "d"), rows)))
>>> print(markdown_text(Document("Report", "", (one,))))
<!-- ahdp-verify report -->
# Report
<BLANKLINE>
## A
<BLANKLINE>
\\*b\\*
<BLANKLINE>
t:
<BLANKLINE>
| c | d |
| --- | --- |
| a\\|b | 1 |
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ahdp_verify.display.markup import escape_markdown
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.reporting.blocks import (
    Badge,
    Block,
    Code,
    Commands,
    Document,
    Figure,
    Folded,
    Formula,
    Heading,
    Listing,
    Numbered,
    Paragraph,
    Piece,
    Pieces,
    Section,
    Statements,
    Strong,
    Table,
)

BAR = re.compile(
    r"(?<!\\)\|"
)  # what would end a cell; its backslash is gone before a formula is read
FIRST = "<!-- ahdp-verify report -->"  # by which a file is recognised as one that may be replaced


def markdown_text(document: Document) -> str:
    """The document."""
    said = [f"{FIRST}\n# {escape_markdown(document.title)}", escape_markdown(document.subtitle)]
    for block in document.blocks:
        said += markdown_blocks(block)
    return "\n\n".join(filter(None, said)) + "\n"


def markdown_blocks(block: Block) -> Iterator[str]:
    """The parts of a block, each to be separated from the next by an empty line."""
    match block:
        case Heading(level, text):
            yield f"{'#' * level} {escape_markdown(text)}"
        case Paragraph(pieces):
            yield markdown_pieces(pieces)
        case Listing(items, ordered):
            signs = (f"{i}." if ordered else "*" for i in range(1, len(items) + 1))
            yield "\n".join(
                f"{mark} {markdown_pieces(item)}" for mark, item in zip(signs, items, strict=True)
            )
        case Table():
            if block.caption:
                yield f"{escape_markdown(block.caption)}:"
            yield markdown_table(block)
        case Commands(lines):
            yield "\n".join(("```bash", *(one_line(line, 10_000) for line in lines), "```"))
        case Statements(lines):
            yield "\n".join(fenced(lines))
        case Numbered(lines):
            yield "\n".join(markdown_step(*line) for line in lines)
        case Folded(summary, blocks):
            yield f"**{escape_markdown(summary)}**"
            for inner in blocks:
                yield from markdown_blocks(inner)
        case Section(_, heading, blocks):
            yield from markdown_blocks(heading)
            for inner in blocks:
                yield from markdown_blocks(inner)
        case Figure():
            return


def markdown_pieces(pieces: Pieces) -> str:
    """The pieces of a paragraph."""
    return "".join(map(markdown_piece, pieces))


def markdown_piece(piece: Piece) -> str:
    """One piece; a file in the page is no more than its text."""
    match piece:
        case Formula(latex):
            return f"${latex}$"
        case Strong(text) | Badge(_, text):
            return f"**{escape_markdown(text)}**"
        case Code(text):
            return code_span(text)
    return escape_markdown(str(piece))


def code_span(text: str) -> str:
    """A text as code, between more backticks than it contains in a row.

    >>> print(code_span("a`b"))
    `` a`b ``
    """
    shown = one_line(text, 10_000)
    if "`" not in shown:
        return f"`{shown}`"
    longest = max(len(run) for run in "".join(c if c == "`" else " " for c in shown).split())
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}"


def markdown_table(table: Table) -> str:
    """The rows; a table of facts has an empty head."""
    width = len(table.rows[0]) if table.rows else len(table.head)
    head = table.head or ("",) * width
    rows = [[escape_markdown(text) for text in head], ["---"] * width]
    rows += [[BAR.sub(r"\\|", markdown_pieces(cell)) for cell in row] for row in table.rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def fenced(lines: Iterable[str]) -> list[str]:
    """Lines as a block of code, in a fence that none of them can close."""
    kept = [one_line(line, 10_000) for line in lines]
    longest = max((len(run) for line in kept for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *kept, fence]


def markdown_step(
    number: str, depth: int, pieces: Pieces, reason: str, below: tuple[str, ...] = ()
) -> str:
    """One numbered line with its reason, and what stands below it."""
    why = f" — *{escape_markdown(reason)}*" if reason else ""
    label = f"**{number}** " if number else ""
    start = "  " * (depth + 1)
    table = "".join(f"\n{start}{line}".rstrip(" ") for line in fenced(below)) if below else ""
    return f"{'  ' * depth}- {label}{markdown_pieces(pieces)}{why}{table}"
