"""The table of the paper's statements as files: Markdown, an index of files and records, and a
self-contained HTML page.

Formulas between dollar signs become MathML, which browsers render (the extra `report`; without it
they remain LaTeX).  The records are embedded in the page, compressed: gunzip one, and `ahdp-verify
recheck` reads it.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import html
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from ahdp_verify.files import file_content, record_text
from ahdp_verify.paper.statements import SECTIONS, Finding, Result
from ahdp_verify.paper.statements.stored import proofs_folder
from ahdp_verify.plots import figure_svg

MARKS = {
    "holds": "\N{CHECK MARK}",
    "repaired": "\N{CLOCKWISE OPEN CIRCLE ARROW}",
    "false": "\N{MULTIPLICATION X}",
    "conjecture": "~",
    "open": "?",
}
FORMULA = re.compile(r"\$([^$]+)\$")
DRAWN = ("cap", "cap-2")  # figures that are computed here; others are taken from a folder
LARGEST = 16_000_000  # most bytes of one figure
WIDTH = 260  # of the longest bar of a counterexample, in pixels

HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
    'content="width=device-width"><title>ahdp-verify: the paper</title>'
)
STYLE = """
:root { --ink: #1d1d1f; --soft: #5f6368; --line: #dadce0; --paper: #ffffff; --card: #f8f9fa; --holds: #1a5fb4; --repaired: #8a5a00; --false: #b3261e; --open: #5f6368 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --soft: #9aa0a6; --line: #3c4043; --paper: #1b1c1e; --card: #26282b; --holds: #8ab4f8; --repaired: #fdd663; --false: #f28b82; --open: #9aa0a6 } }
* { box-sizing: border-box } body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.7rem; margin-bottom: 0 } h2 { margin-top: 2.5rem; border-bottom: 2px solid var(--line) } .soft { color: var(--soft) }
article { background: var(--card); border: 1px solid var(--line); border-left-width: 6px; border-radius: 6px; padding: .8rem 1rem; margin: .8rem 0 }
article.holds { border-left-color: var(--holds) } article.repaired { border-left-color: var(--repaired) } article.false { border-left-color: var(--false) }
.top { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline } .top b { font-size: 1.05rem } .outcome { font-weight: 700 }
.holds .outcome { color: var(--holds) } .repaired .outcome { color: var(--repaired) } .false .outcome { color: var(--false) }
.wrong { color: var(--paper); background: var(--false); padding: 0 .4rem; border-radius: 4px } p { margin: .4rem 0 } li { margin: .35rem 0; overflow-wrap: anywhere }
details summary { cursor: pointer; color: var(--soft) } .role { font-variant: small-caps; color: var(--soft) } code { font-size: .85em; overflow-wrap: anywhere }
table { border-collapse: collapse } td, th { text-align: left; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid var(--line) } math { font-size: 1.05em }
svg { max-width: 100%; height: auto }
figure { margin: .8rem 0; background: #ffffff; padding: .4rem; border-radius: 4px } figcaption { color: #5f6368; font-size: .85rem } a { color: var(--holds) }
nav { columns: 14rem; font-size: .9rem } .bars text { font-size: 11px; fill: var(--ink) }
"""


def sections(found: Iterable[Result]) -> Iterator[tuple[str, list[Result]]]:
    """The results by section, in order."""
    titles = {row.identifier: title for title, rows in SECTIONS for row in rows}
    for title, group in groupby(found, key=lambda result: titles.get(result.row.identifier, "")):
        yield title, list(group)


def outcome_counts(found: Iterable[Result]) -> str:
    """How many statements have which outcome."""
    listed, tally = list(found), dict[str, int]()
    for result in listed:
        tally[result.outcome] = tally.get(result.outcome, 0) + 1
    many = "statement" if len(listed) == 1 else "statements"
    return (
        f"{len(listed)} {many}: "
        + ", ".join(f"{n} {outcome}" for outcome, n in tally.items())
        + f"; {sum(r.passed for r in listed)} as expected"
    )


def markdown_report(found: list[Result]) -> str:
    """The table: statement, what becomes of it, its grade, and what is wrong or was repaired."""
    parts = ["# The paper, statement by statement", "", outcome_counts(found) + "."]
    for title, group in sections(found):
        parts += [
            "",
            f"## {title}",
            "",
            "| statement | outcome | grade | remark |",
            "| --- | --- | --- | --- |",
        ]
        parts += [
            f"| {markdown_cell(r.row.label)} | {r.outcome}{'' if r.passed else ', **not as expected**'} | "
            f"{markdown_cell(r.grade)} | {markdown_cell(r.row.note)} |"
            for r in group
        ]
    return "\n".join(parts) + "\n"


def findings_index(found: list[Result]) -> str:
    """Statement -> file -> verdict -> record, one line for each finding; files and records are
    links below proofs/.
    """
    parts = [
        "# Index of the statements",
        "",
        "Made by `make certificates`.  A finding without a file is asked in Python, in "
        "`ahdp_verify/paper/statements/`.",
        "",
        "| statement | identifier | asked | file | verdict | record |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for result in found:
        for f in result.found:
            a = f.answer
            parts.append(
                f"| {markdown_cell(result.row.label)} | {result.row.identifier} | {markdown_cell(f.check.says)} "
                f"| {link(a.file)} | {a.word} | {link(a.record)} |"
            )
    return "\n".join(parts) + "\n"


def link(path: str) -> str:
    """A link in Markdown, nothing for no path."""
    return f"[{Path(path).name}]({path})" if path else ""


def markdown_cell(text: str) -> str:
    """A text inside a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def html_page(found: list[Result], pictures: Path | None = None) -> str:
    """One HTML page with everything in it; figures that take long are taken from a folder where
    `ahdp-verify experiment` has put them.
    """
    mathml = mathml_converter()
    body = [
        f"<h1>The paper, statement by statement</h1><p "
        f"class=soft>{html.escape(outcome_counts(found))}.</p>",
        legend(),
        html_contents(found),
    ]
    for title, group in sections(found):
        body.append(f"<h2>{html.escape(title)}</h2>")
        body += [statement_card(result, mathml, pictures) for result in group]
    return f"{HEAD}<style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"


def legend() -> str:
    """The meaning of the words for outcomes and grades."""
    rows = {
        "holds": "shown as it is printed",
        "repaired": "fails as printed; a corrected statement was shown",
        "false": "fails, and there is no corrected statement",
        "conjecture": "shown in every case that was tried, not proved in general",
        "open": "an answer is missing",
        "proved": "for all values of everything that the statement speaks of",
        "proved, given ...": "each step is checked by machine; the named facts are cited, not "
        "checked",
        "verified for ...": "for the listed values only",
        "refuted": "by a counterexample that was checked",
    }
    lines = "".join(
        f"<tr><td><b>{html.escape(word)}</b></td><td>{meaning}</td></tr>"
        for word, meaning in rows.items()
    )
    return f"<details><summary>What the words mean</summary><table>{lines}</table></details>"


def html_contents(found: list[Result]) -> str:
    """Links to all statements."""
    items = (
        f'<a href="#{anchor(r)}">{MARKS.get(r.outcome, "")} {html.escape(r.row.label)}</a>'
        for r in found
    )
    return f"<nav>{'<br>'.join(items)}</nav>"


def anchor(result: Result) -> str:
    """A name for a link."""
    return re.sub(r"\W+", "-", result.row.label).strip("-")


def statement_card(result: Result, mathml: Callable[[str], str], pictures: Path | None) -> str:
    """The card of one statement: outcome, grade, note, counterexample, figures and findings."""
    row, wrong = result.row, "" if result.passed else '<span class="wrong">not as expected</span>'
    top = (
        f"<b>{html.escape(row.label)}</b><span class=outcome>{MARKS.get(result.outcome, '')} "
        f"{html.escape(result.outcome)}</span><span>{html.escape(result.grade)}</span>{wrong}"
    )
    section = f'<span class="soft">section {html.escape(row.section)}</span>' if row.section else ""
    note = f"<p>{html_with_formulas(row.note, mathml)}</p>" if row.note else ""
    items = "".join(
        f"<li>{finding_html(f, f'{anchor(result)}-{i}')}</li>"
        for i, f in enumerate(result.found, 1)
    )
    listed = (
        f"<details{'' if result.passed else ' open'}><summary>{len(result.found)} "
        f"finding{'s' * (len(result.found) > 1)}</summary><ol>{items}</ol></details>"
        if items
        else ""
    )
    drawn = "".join(embedded_figure(name, pictures) for name in row.figures)
    failing = next(
        (
            f
            for f in sorted(result.of("printed"), key=lambda f: not f.answer.probabilities)
            if f.answer.word == "refuted" and not f.check.denies
        ),
        None,
    )
    against = (
        f"<p>{question_html(failing)}<code>{html.escape(failing.answer.line)}</code>{probability_bars(failing.answer.probabilities)}</p>"
        if failing
        else ""
    )
    inner = (
        f"<div "
        f"class=top>{top}{section}</div><p>{html_with_formulas(row.says, mathml)}</p>{note}{against}{drawn}{listed}"
    )
    return f'<article id="{anchor(result)}" class="{html.escape(result.outcome)}">{inner}</article>'


def question_html(f: Finding) -> str:
    """What a check asks, on a line of its own."""
    return f"<b>{html.escape(f.check.says)}</b><br>" if f.check.says else ""


def finding_html(f: Finding, name: str) -> str:
    """One finding, with its records and a picture of its counterexample."""
    a = f.answer
    limits = "".join(
        f'<br><span class="soft">{word} {html.escape(text)}</span>'
        for word, text in (("only for", f.only), ("given", "; ".join(f.given)))
        if text
    )
    wanted = (
        ""
        if f.expected
        else f' <span class="wrong">expected: {html.escape(f.check.expect or "nothing")}</span>'
    )
    records = [
        *([(proofs_folder() / a.record).read_text(encoding="utf-8")] if a.record else []),
        *(record_text(record) for record in a.records),
    ]
    places = [
        *([html.escape(a.file)] if a.file else []),
        *(embedded_record(text, f"{name}-{i}") for i, text in enumerate(records, 1)),
    ]
    links = f'<br><span class="soft">{" ".join(places)}</span>' if places else ""
    return (
        f'<span class="role">{f.check.role}</span> '
        f"{question_html(f)}<code>{html.escape(a.line)}</code>{wanted}{limits}{links}{probability_bars(a.probabilities)}"
    )


def embedded_record(record: str, name: str) -> str:
    """A record that is kept in the page itself, packed."""
    packed = base64.b64encode(gzip.compress(record.encode(), mtime=0)).decode()
    return f'<a download="{name}.json.gz" href="data:application/gzip;base64,{packed}">record</a>'


def probability_bars(probabilities: tuple[float, ...]) -> str:
    """A picture of a counterexample: both probabilities of the event, and the most that the
    claim allows the first.
    """
    if not probabilities:
        return ""
    before, after, most = probabilities
    scale = WIDTH / max(before, after, most)
    rows = (
        ("first", before, "var(--false)"),
        ("allowed", most, "var(--line)"),
        ("second", after, "var(--holds)"),
    )
    drawn = "".join(
        f'<text x="0" y="{14 * i + 11}">{name}</text><rect x="70" y="{14 * i + 2}" '
        f'width="{max(1.0, p * scale):.1f}" height="10" style="fill:{colour}"></rect>'
        f'<text x="{76 + max(1.0, p * scale):.1f}" y="{14 * i + 11}">{p:.6g}</text>'
        for i, (name, p, colour) in enumerate(rows)
    )
    return (
        f'<br><svg class="bars" role="img" aria-label="probabilities of the event" width="430" '
        f'height="44" viewBox="0 0 430 44">{drawn}</svg>'
    )


def html_with_formulas(text: str, mathml: Callable[[str], str]) -> str:
    """A text with its formulas."""
    parts = FORMULA.split(text)
    return "".join(mathml(part) if i % 2 else html.escape(part) for i, part in enumerate(parts))


def mathml_converter() -> Callable[[str], str]:
    """What makes MathML of LaTeX; LaTeX as it is where the library is not installed or does not
    know the formula.
    """
    convert: Callable[[str], str] | None = None
    with contextlib.suppress(ImportError):
        from latex2mathml.converter import convert  # noqa: PLC0415 - it is an extra

    def made(formula: str) -> str:
        plain = f"<code>{html.escape(formula)}</code>"
        if convert is None:
            return plain
        try:
            return str(convert(formula))
        except Exception:  # a formula that the library cannot read must not cost the report
            return plain

    return made


def embedded_figure(name: str, pictures: Path | None) -> str:
    """A figure inside the page: drawn, or found in the folder; a sentence where there is none."""
    if pictures is not None and (
        found := next(iter(sorted(pictures.glob(f"**/{name}.svg"))), None)
    ):
        return captioned_svg(
            file_content(found, LARGEST, "draw it again").decode("utf-8", "replace"), name
        )
    if name in DRAWN and find_spec("matplotlib"):
        return captioned_svg(figure_svg(name), name)
    return (
        f'<p class="soft">The counterpart of fig:{html.escape(name)} is drawn by ahdp-verify '
        f"experiment; give its folder with --figures.</p>"
    )


def captioned_svg(svg: str, name: str) -> str:
    """An SVG with its caption; names inside are kept apart from those of other figures."""
    drawn = svg[svg.index("<svg") :]
    drawn = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", drawn)
    return (
        f"<figure>{drawn}<figcaption>Counterpart of fig:{html.escape(name)}</figcaption></figure>"
    )
