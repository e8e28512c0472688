"""The paper's page: what became of each statement, what fails first, with filters that need no
script.

Formulas between dollar signs become MathML, which browsers render (the extra `report`; without it
they remain LaTeX).  The records are embedded in the page, compressed: gunzip one, and `ahdp-verify
recheck` reads it.  Every number on the page is counted from the results.

>>> from ahdp_verify.paper.statements import results
>>> headline(list(results(["neighbours"])))
'0 of 1 statement fails as printed.'
"""

from __future__ import annotations

import base64
import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from ahdp_verify.files import file_content, record_text
from ahdp_verify.paper.page_filters import css_class, filter_style, filters_html
from ahdp_verify.paper.page_words import OUTCOME_WORDS, legend
from ahdp_verify.paper.report import sections
from ahdp_verify.paper.statements import Finding, Result
from ahdp_verify.paper.statements.stored import proofs_folder
from ahdp_verify.plots import figure_svg
from ahdp_verify.reporting import (
    Formula,
    Html,
    element,
    join,
    labelled_svg,
    page_frame,
    piece_html,
    sign,
    versions,
)

TITLE = "Managing Correlations in Data and Privacy Demand"
AUTHORS = "Syomantak Chaudhuri and Thomas A. Courtade"
PLACE = "CCS '25, October 13 to 17, 2025, Taipei; doi 10.1145/3719027.3765048"
GENERATOR = "ahdp-verify paper"
FAILING = ("false", "repaired")
# what is first on the page: a heading, and the outcomes below it
GROUPS = (
    ("Not as expected", ()),
    ("Fails, and is not repaired", ("false",)),
    ("Open", ("open",)),
    ("Fails as printed, and is repaired", ("repaired",)),
    ("Conjectures", ("conjecture",)),
    ("Holds as printed", ("holds",)),
    ("Nothing to check", ("no formal content", "data not available")),
)
FORMULA = re.compile(r"\$([^$]+)\$")
DRAWN = ("cap", "cap-2")  # figures that are computed here; others are taken from a folder
LARGEST = 16_000_000  # most bytes of one figure
WIDTH = 260  # of the longest bar of a counterexample, in pixels
FALSE, SOFT, HOLDS = "#b3261e", "#8a8f96", "#1a5fb4"  # colours of the bars
STYLE = """
article { border: 1px solid #c9ccd1; border-left: 6px solid #55595f; border-radius: 6px; padding: .5rem 1rem; margin: .9rem 0 }
.top { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline } .top h3 { margin: .2rem 0 }
.filters { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; border: 1px solid #c9ccd1; border-radius: 6px; margin: .6rem 0 }
.filters label { white-space: nowrap } nav ul { columns: 15rem; padding-left: 0; list-style: none; font-size: .92rem }
.role { font-variant: small-caps; color: #55595f } .wrong { color: #fff; background: #b3261e; padding: 0 .4rem; border-radius: 4px }
@media print { .findings { display: none } } .bars text { font-size: 11px; fill: #1d1d1f } article code { overflow-wrap: anywhere }
"""


def html_page(found: list[Result], pictures: Path | None = None, date: str = "") -> str:
    """One HTML page with everything in it; figures that take long are taken from a folder where
    `ahdp-verify experiment` has put them.  `date` is today unless it is given.
    """
    titles = [title for title, _ in sections(found)]
    groups = (
        group_html(number, heading, listed, titles, found, pictures)
        for number, (heading, listed) in enumerate(grouped(found), 1)
    )
    content = join(
        element("h1", f"{TITLE}: statement by statement"),
        element("p", f"{AUTHORS}. {PLACE}.", class_="subtitle"),
        element("p", element("strong", headline(found)), class_="lead"),
        element("p", split(found)),
        trust_html(found, date),
        section_table(found),
        legend(found),
        filters_html(found, titles),
        contents_html(found),
        groups,
    )
    return page_frame(
        f"{TITLE}, statement by statement", GENERATOR, content, STYLE + filter_style(titles)
    )


# what is counted


def headline(found: Sequence[Result]) -> str:
    """How many statements fail as printed, and how many of these are repaired."""
    failing = [r for r in found if r.outcome in FAILING]
    repaired = sum(r.outcome == "repaired" for r in failing)
    one = len(failing) == 1 or len(found) == 1
    said = f"{len(failing)} of {numbered(len(found))} {'fails' if one else 'fail'} as printed"
    if failing:
        said += f", {repaired} of these {'is' if repaired == 1 else 'are'} repaired"
    others = [
        f"{count} {'is' if count == 1 else 'are'} {word}"
        for word, count in (
            ("open", sum(r.outcome == "open" for r in found)),
            ("not as expected", sum(not r.passed for r in found)),
        )
        if count
    ]
    return "; ".join((said, *others)) + "."


def numbered(count: int) -> str:
    """A number of statements."""
    return f"{count} statement{'' if count == 1 else 's'}"


def split(found: list[Result]) -> str:
    """The same by where the statements stand, since not all are printed in the paper."""
    said = [
        f"{title}: {sum(r.outcome in FAILING for r in group)} of {len(group)}"
        for title, group in sections(found)
    ]
    return (
        f"By part: {'; '.join(said)}. The errata single out passages that are wrong, so these may be "
        "counted at their statement as well; results beyond the paper are not printed in it."
    )


def grouped(found: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    """The results below the headings of the page, what fails first."""
    for heading, outcomes in GROUPS:
        listed = [
            r for r in found if (r.passed and r.outcome in outcomes) or not (outcomes or r.passed)
        ]
        if listed:
            yield heading, listed


def section_table(found: list[Result]) -> Html:
    """How many statements of each part of the paper have which outcome."""
    present = [word for word in OUTCOME_WORDS if any(r.outcome == word for r in found)]
    rows = (
        element(
            "tr",
            element("th", title or "other", scope="row"),
            (element("td", str(Counter(r.outcome for r in group)[word] or "")) for word in present),
            element("td", str(len(group))),
        )
        for title, group in sections(found)
    )
    head = (element("th", word, scope="col") for word in ("part", *present, "in all"))
    table = element(
        "table",
        element("caption", element("span", "Outcomes by part of the paper")),
        element("thead", element("tr", head)),
        element("tbody", rows),
    )
    return element(
        "div",
        table,
        class_="scroll keep",
        tabindex=0,
        role="region",
        aria_label="Outcomes by part of the paper",
    )


def trust_html(found: Sequence[Result], date: str) -> Html:
    """What the page relies on, and what made it."""
    given = sorted({fact for r in found for f in r.found for fact in f.given})
    when = date or datetime.now(UTC).strftime("%Y-%m-%d")
    made = ", ".join(f"{name} {value}" for name, value in versions())
    cited = (
        element(
            "details",
            element("summary", f"The {len(given)} facts that are cited and not checked"),
            element("ul", (element("li", fact) for fact in given)),
        )
        if given
        else None
    )
    return join(
        element(
            "p",
            "Proofs and counterexamples are accepted by the checker of ahdp-verify, and their records "
            "are kept in this page; findings without a record were computed by other parts of it. What "
            "a finding relies on beyond that is said at its end (trusts). Whether the questions asked "
            "here are those of the paper was judged by people.",
        ),
        cited,
        element("p", f"Made on {when} by {made}.", class_="note"),
    )


def classes(result: Result, titles: list[str], found: list[Result]) -> str:
    """What the filters know of a statement."""
    part = next(
        i for i, (_, group) in enumerate(sections(found), 1) if any(r is result for r in group)
    )
    return f"{css_class(result.outcome)} part-{part}" if titles else css_class(result.outcome)


def contents_html(found: list[Result]) -> Html:
    """Links to all statements, in the order of the page."""
    titles = [title for title, _ in sections(found)]
    items = (
        element(
            "li",
            element("a", f"{sign(r.outcome)} {r.row.label}", href=f"#{anchor(r)}"),
            class_=f"entry {classes(r, titles, found)}",
        )
        for _, listed in grouped(found)
        for r in listed
    )
    listed = element("details", element("summary", "Go to a statement"), element("ul", items))
    return element("nav", listed, aria_label="All statements", class_="screen")


def anchor(result: Result) -> str:
    """A name for a link."""
    return re.sub(r"\W+", "-", result.row.label).strip("-") or "statement"


# statements


def group_html(
    number: int,
    heading: str,
    listed: list[Result],
    titles: list[str],
    found: list[Result],
    pictures: Path | None,
) -> Html:
    """The statements below one heading."""
    return element(
        "section",
        element("h2", heading, id=f"group-{number}"),
        (statement_card(r, pictures, classes(r, titles, found)) for r in listed),
        class_="group",
        aria_labelledby=f"group-{number}",
    )


def statement_card(result: Result, pictures: Path | None, kind: str) -> Html:
    """The card of one statement: outcome, grade, note, counterexample, figures and findings."""
    row = result.row
    wrong = None if result.passed else element("span", "not as expected", class_="wrong")
    mark = element("span", f"{sign(result.outcome)} ", aria_hidden="true")
    top = element(
        "div",
        element("h3", row.label, id=anchor(result)),
        element("span", mark, result.outcome, class_=f"badge {css_class(result.outcome)}"),
        element("span", result.grade) if result.grade else None,
        wrong,
        element("span", f"section {row.section}", class_="note") if row.section else None,
        class_="top",
    )
    listed = None
    if result.found:
        many = f"{len(result.found)} finding{'s' * (len(result.found) > 1)}"
        listed = element(
            "details",
            element("summary", many),
            element(
                "ol",
                (
                    element("li", finding_html(f, f"{anchor(result)}-{i}"))
                    for i, f in enumerate(result.found, 1)
                ),
            ),
            open=not result.passed,
            class_="findings",
        )
    return element(
        "article",
        top,
        element("p", html_with_formulas(row.says)),
        element("p", html_with_formulas(row.note)) if row.note else None,
        counterexample_html(result),
        (embedded_figure(name, pictures) for name in row.figures),
        listed,
        class_=f"card {kind}",
        aria_labelledby=anchor(result),
    )


def counterexample_html(result: Result) -> Html | None:
    """The counterexample to what is printed, with a picture if it has probabilities."""
    printed = sorted(result.of("printed"), key=lambda f: not f.answer.probabilities)
    failing = [f for f in printed if f.answer.word == "refuted" and not f.check.denies]
    if not failing:
        return None
    first = failing[0]
    return element(
        "p",
        question_html(first),
        element("code", first.answer.line),
        probability_bars(first.answer.probabilities),
    )


def question_html(f: Finding) -> Html | None:
    """What a check asks, on a line of its own."""
    return join(element("b", f.check.says), element("br")) if f.check.says else None


def finding_html(f: Finding, name: str) -> Html:
    """One finding, with its records and a picture of its counterexample."""
    a = f.answer
    limits = [
        (element("br"), element("span", f"{word} {text}", class_="note"))
        for word, text in (("only for", f.only), ("given", "; ".join(f.given)))
        if text
    ]
    expected = f.check.expect or "nothing"
    records = [
        *([(proofs_folder() / a.record).read_text(encoding="utf-8")] if a.record else []),
        *(record_text(record) for record in a.records),
    ]
    places: list[str | Html] = [a.file] if a.file else []
    places += [embedded_record(text, f"{name}-{i}") for i, text in enumerate(records, 1)]
    return join(
        element("span", f.check.role, class_="role"),
        " ",
        question_html(f),
        element("code", a.line),
        None if f.expected else join(" ", element("span", f"expected: {expected}", class_="wrong")),
        (part for parts in limits for part in parts),
        join(element("br"), element("span", spaced(places), class_="note")) if places else None,
        probability_bars(a.probabilities),
    )


def spaced(parts: Iterable[str | Html]) -> Iterator[str | Html]:
    """The parts with spaces between them."""
    for i, part in enumerate(parts):
        yield from (" ",) if i else ()
        yield part


def embedded_record(record: str, name: str) -> Html:
    """A record that is kept in the page itself, packed."""
    packed = base64.b64encode(gzip.compress(record.encode(), mtime=0)).decode()
    return element(
        "a",
        "record",
        download=f"{name}.json.gz",
        href=f"data:application/gzip;base64,{packed}",
        aria_label=f"record {name}",
    )


def probability_bars(probabilities: tuple[float, ...]) -> Html | None:
    """A picture of a counterexample: both probabilities of the event, and the most that the
    claim allows the first.
    """
    if not probabilities:
        return None
    before, after, most = probabilities
    scale = WIDTH / max(before, after, most)
    drawn = []
    for i, (name, p, colour) in enumerate(
        (("first", before, FALSE), ("allowed", most, SOFT), ("second", after, HOLDS))
    ):
        long = f"{max(1.0, p * scale):.1f}"
        after_bar = f"{76 + max(1.0, p * scale):.1f}"
        drawn += [
            element("text", name, x=0, y=14 * i + 11),
            element("rect", x=70, y=14 * i + 2, width=long, height=10, fill=colour),
            element("text", f"{p:.6g}", x=after_bar, y=14 * i + 11),
        ]
    text = (
        f"Probabilities of the event, in decimals: {before:.6g} at the first input, where "
        f"{most:.6g} is allowed, and {after:.6g} at the second"
    )
    picture = element(
        "svg",
        drawn,
        class_="bars",
        role="img",
        aria_label=text,
        width=430,
        height=44,
        viewBox="0 0 430 44",
    )
    return join(element("br"), picture)


def html_with_formulas(text: str) -> Html:
    """A text with its formulas."""
    parts = FORMULA.split(text)
    return join(piece_html(Formula(part, part)) if i % 2 else part for i, part in enumerate(parts))


# figures


def embedded_figure(name: str, pictures: Path | None) -> Html:
    """A figure inside the page: drawn, or found in the folder; a sentence where there is none."""
    if pictures is not None and (
        found := next(iter(sorted(pictures.glob(f"**/{name}.svg"))), None)
    ):
        svg = file_content(found, LARGEST, "draw it again").decode("utf-8", "replace")
        return captioned_svg(svg, name)
    if name in DRAWN and find_spec("matplotlib"):
        return captioned_svg(figure_svg(name), name)
    return element(
        "p",
        f"The counterpart of fig:{name} is drawn by ahdp-verify experiment; give its folder with "
        "--figures.",
        class_="note",
    )


def captioned_svg(svg: str, name: str) -> Html:
    """An SVG with its caption; names inside are kept apart from those of other figures."""
    drawn = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg[svg.index("<svg") :])
    caption = f"Counterpart of fig:{name}"
    return element("figure", labelled_svg(drawn, caption), element("figcaption", caption))
