"""The page, the table and the index: nothing is fetched, formulas are drawn, records in the page
are accepted by the checker.
"""

from __future__ import annotations

import base64
import functools
import gzip
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ahdp_verify import recheck
from ahdp_verify.paper.page import html_page, html_with_formulas, probability_bars
from ahdp_verify.paper.report import findings_index, markdown_report
from ahdp_verify.paper.statements import result_of, results
from ahdp_verify.paper.statements.row import Check, CheckAnswer, PaperRow, Result

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
VOID = {"meta", "br", "link", "img", "hr", "input"}


@functools.cache
def found() -> list[Result]:
    """Two rows with their answers."""
    return list(results(["pure_dp", "claim_2_b1"]))


class Reader(HTMLParser):
    """The tags of a page, and whether they close as they open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.links += [value or "" for key, value in attrs if key in ("href", "src", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    assert not reader.open
    return reader


def test_a_page_is_well_formed_and_fetches_nothing() -> None:
    text = html_page(found())
    reader = read(text)
    assert reader.seen["article"] == 2
    assert reader.seen["math"] >= 4
    assert all(link.startswith(("#", "data:")) for link in reader.links)
    assert not re.search(r"url\((?!#)|@import|<script", text)


def test_a_record_in_the_page_is_accepted_by_the_checker(tmp_path: Path) -> None:
    packed = re.findall(r'href="data:application/gzip;base64,([^"]*)"', html_page(found()))
    assert len(packed) >= 5
    for i, data in enumerate(packed):
        path = tmp_path / f"{i}.json"
        path.write_bytes(gzip.decompress(base64.b64decode(data)))
        recheck(path)


def test_texts_are_escaped() -> None:
    row = PaperRow(
        "row",
        "<b>",
        "x < y & $a < b$",
        (Check(lambda tell: CheckAnswer("proved", ""), "proved", says="<i>"),),
    )
    text = html_page([result_of(row, [CheckAnswer("proved", "<u> & more")])])
    read(text)
    assert ">&lt;b&gt;</h3>" in text
    assert "&lt;u&gt; &amp; more" in text


def test_what_is_not_expected_is_shown() -> None:
    row = PaperRow(
        "row", "row", "says", (Check(lambda tell: CheckAnswer("proved", ""), "refuted"),)
    )
    found = [result_of(row, [CheckAnswer("proved", "")])]
    assert "expected: refuted" in html_page(found)
    assert "not as expected" in markdown_report(found)


def test_a_formula_that_cannot_be_read_stays_as_it_is() -> None:
    assert "<math" in html_with_formulas("of $x^2$")
    assert html_with_formulas("of $\\frac{1$").startswith("of <code>\\frac{1")


def test_the_bars_of_a_counterexample() -> None:
    """1/2 against 1/8 where 1/4 is allowed: bars of the full, half and a quarter of the width."""
    widths = [
        float(w)
        for w in re.findall(
            r'width="([0-9.]+)" height="10"', str(probability_bars((0.5, 0.125, 0.25)))
        )
    ]
    assert widths == pytest.approx([260, 130, 65])
    assert probability_bars(()) is None


def test_the_figures_of_the_paper_are_inside() -> None:
    row = PaperRow(
        "row",
        "fig:cap",
        "says",
        (Check(lambda tell: CheckAnswer("proved", ""), "proved"),),
        figures=("cap", "emp-dist"),
    )
    text = html_page([result_of(row, [CheckAnswer("proved", "")])])
    assert text.count("<figure>") == 1  # the other one is drawn by an experiment
    assert "fig:emp-dist is drawn by" in text
    assert "#1a5fb4" in text  # colours keep their names


def test_figures_of_experiments_are_taken_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "emp-dist.svg").write_text(
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><g id="a"/></svg>'
    )
    row = PaperRow(
        "row",
        "fig:emp-dist",
        "says",
        (Check(lambda tell: CheckAnswer("proved", ""), "proved"),),
        figures=("emp-dist",),
    )
    assert 'id="emp-dist-a"' in html_page([result_of(row, [CheckAnswer("proved", "")])], tmp_path)


def test_the_table_and_the_index() -> None:
    table = markdown_report(found()).splitlines()
    assert any(line.startswith("| def:pureDP | holds | proved") for line in table)
    lines = findings_index(found()).splitlines()
    assert any(
        "[multiset-weights-sizes-0-to-2-as-printed-1.json](paper/certificates/multiset-weights-sizes-0-to-2-as-printed-1.json)"
        in line
        for line in lines
    )
    assert all(
        (Path(__file__).parents[2] / "proofs" / path).is_file()
        for path in re.findall(r"\]\(([^)]*)\)", findings_index(found()))
    )


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
def test_a_browser_shows_it_without_errors_and_without_a_network(tmp_path: Path) -> None:
    row = PaperRow(
        "row",
        "fig:cap",
        "says $x^2$",
        (Check(lambda tell: CheckAnswer("proved", ""), "proved"),),
        figures=("cap",),
    )
    path = tmp_path / "paper.html"
    path.write_text(
        html_page([*found(), result_of(row, [CheckAnswer("proved", "")])]), encoding="utf-8"
    )
    words = [
        str(BROWSER),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ]
    shown = subprocess.run(
        [*words, "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "CONSOLE" not in shown.stderr
    assert shown.stdout.count("</article>") == 3
    picture = tmp_path / "paper.png"
    subprocess.run(
        [*words, f"--screenshot={picture}", "--window-size=900,1400", path.as_uri()],
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert len(set(picture.read_bytes())) == 256  # a picture with something in it
