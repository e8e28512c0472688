"""A report as one HTML page: nothing is fetched, nothing is run, everything is escaped.

The page forbids its reader's browser to load or run anything (a content security policy), so that
even a text that escaped the escaping could do neither.

>>> from ahdp_verify.reporting.blocks import Document, Heading, Paragraph, Section
>>> one = Section("a", Heading(2, "<A>"), (Paragraph.of("1 < 2"),))
>>> page = html_page(Document("Report", "of today", (one,)))
>>> "<h2 id=\\"a\\">&lt;A&gt;</h2><p>1 &lt; 2</p>" in page
True
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable

from ahdp_verify.display.formulas import formula_html
from ahdp_verify.reporting.blocks import (
    Attached,
    Badge,
    Block,
    Code,
    Commands,
    Document,
    Figure,
    Folded,
    Formula,
    Heading,
    Jump,
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
from ahdp_verify.reporting.markup import Html, element, join
from ahdp_verify.reporting.style import STYLE, sign

GENERATOR = "ahdp-verify report"  # by which a page is recognised as one that may be replaced
WIDE, WIDE_INLINE = (
    160,
    90,
)  # characters of a formula that fits on a line by itself, or in a sentence
SHORT = 24  # characters of a cell that stays on one line
TOGETHER = 15  # rows of a table that is printed on one sheet
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def html_page(document: Document, *, opened: bool = False) -> str:
    """The page of a document; with `opened` nothing in it is folded."""
    return page_frame(
        document.title,
        GENERATOR,
        join(
            element("h1", document.title),
            element("p", document.subtitle, class_="subtitle"),
            (block_html(block, opened) for block in document.blocks),
        ),
    )


def page_frame(title: str, generator: str, content: Html, style: str = "") -> str:
    """A page with this content in its main part; `style` is added to the common one."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="generator", content=generator),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Html(STYLE + style)),
    )
    body = element(
        "body",
        element("a", "Skip to the content", href="#main", class_="skip"),
        element("main", content, id="main"),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def block_html(block: Block, opened: bool) -> Html:
    """One block."""
    match block:
        case Heading(level, text):
            return element(f"h{level}", text)
        case Paragraph(pieces, kind):
            shown = pieces_html(pieces, block=kind == "display")
            return element("div" if kind == "display" else "p", shown, class_=kind or None)
        case Listing(items, ordered):
            listed = (element("li", pieces_html(item)) for item in items)
            return element("ol" if ordered else "ul", listed)
        case Table():
            return table_html(block)
        case Figure():
            return figure_html(block)
        case Commands(lines):
            return element("pre", element("code", Html("\n".join(element_texts(lines)))))
        case Statements(lines):
            return columns_html(lines)
        case Numbered(lines):
            return element("ol", (step_html(*line) for line in lines), class_="steps")
        case Folded(summary, blocks):
            inner = (block_html(b, opened) for b in blocks)
            return element("details", element("summary", summary), inner, open=opened)
        case Section(name, heading, blocks, outcome):
            return element(
                "section",
                element(f"h{heading.level}", heading.text, id=name),
                (block_html(b, opened) for b in blocks),
                class_=f"card {outcome}" if outcome else None,
                aria_labelledby=name,
            )


def columns_html(lines: Iterable[str]) -> Html:
    """Lines whose columns stay below each other; wide ones scroll."""
    return element(
        "pre",
        Html("\n".join(element_texts(lines))),
        class_="columns",
        tabindex=0,
        role="region",
        aria_label="program",
    )


def element_texts(lines: Iterable[str]) -> Iterable[str]:
    """The lines, escaped one by one, so that line ends remain."""
    return (join(line) for line in lines)


def pieces_html(pieces: Pieces, block: bool = False) -> Html:
    """The pieces of a paragraph."""
    return join(piece_html(piece, block) for piece in pieces)


def piece_html(piece: Piece, block: bool = False) -> Html:
    """One piece."""
    match piece:
        case str():
            return join(piece)
        case Formula(_, plain) if len(plain) > (WIDE if block else WIDE_INLINE):
            return element("code", plain)  # which breaks over lines, as MathML does not
        case Formula(latex, plain):
            return Html(formula_html(latex, plain, block=block))
        case Strong(text):
            return element("strong", text)
        case Code(text):
            return element("code", text)
        case Badge(outcome, word):
            mark = element("span", f"{sign(outcome)} ", aria_hidden="true")
            return element("span", mark, word, class_=f"badge {outcome}")
        case Jump(text, target):
            return element("a", text, href=f"#{target}")
        case Attached(text, name, content):
            data = base64.b64encode(content.encode("utf-8", "backslashreplace")).decode()
            return element("a", text, download=name, href=f"data:application/json;base64,{data}")


def table_html(table: Table) -> Html:
    """A table that scrolls inside the page where it is wide; one without a head is a list of
    facts.
    """
    rows = (
        element("tr", cell_html(first, "th", table), (cell_html(c, "td", table) for c in rest))
        for first, *rest in table.rows
    )
    top = (element("th", text, scope="col") for text in table.head)
    shown = element(
        "table",
        element("caption", element("span", table.caption)) if table.caption else None,
        element("thead", element("tr", top)) if table.head else None,
        element("tbody", rows),
        class_=None if table.head else "facts",
    )
    if not table.head:
        return shown
    return element(
        "div",
        shown,
        class_="scroll keep" if len(table.rows) <= TOGETHER else "scroll",
        tabindex=0,
        role="region",
        aria_label=table.caption,
    )


def cell_html(pieces: Pieces, tag: str, table: Table) -> Html:
    """One cell; a short one stays on one line, a long one has a width at which it can be read."""
    length = len("".join(map(str, pieces)))
    kind = None if not table.head else "short" if length <= SHORT else "long"
    scope = "row" if tag == "th" else None
    return element(tag, pieces_html(pieces), scope=scope, class_=kind)


def figure_html(figure: Figure) -> Html:
    """A figure: the picture is one image with a text, described by its caption."""
    return element(
        "figure",
        labelled_svg(figure.svg, figure.alternative),
        element("figcaption", figure.caption),
        class_="narrow" if figure.narrow else None,
    )


def labelled_svg(svg: str, alternative: str) -> Html:
    """The SVG, made by this package, as one image whose text is `alternative`."""
    attributes = join(" role=", Html('"img"'), " aria-label=", Html('"'), alternative, Html('"'))
    return Html(re.sub(r"^<svg", lambda _: f"<svg{attributes}", svg, count=1))


def step_html(
    number: str, depth: int, pieces: Pieces, reason: str, below: tuple[str, ...] = ()
) -> Html:
    """One numbered line with its reason, and what stands below it in columns."""
    return element(
        "li",
        element("b", number) if number else None,
        pieces_html(pieces),
        element("span", f"[{reason}]", class_="why") if reason else None,
        columns_html(below) if below else None,
        style=f"--depth: {depth}" if depth else None,
    )
