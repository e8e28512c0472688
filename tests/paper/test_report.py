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
from pathlib import Path

import pytest

from ahdp_verify import recheck
from ahdp_verify.paper.page import (
    AUTHORS,
    TITLE,
    headline,
    html_page,
    html_with_formulas,
    probability_bars,
)
from ahdp_verify.paper.report import findings_index, markdown_report
from ahdp_verify.paper.statements import result_of, results
from ahdp_verify.paper.statements.row import Check, CheckAnswer, PaperRow, Result, Tell
from tests.reporting.pages import check_page

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@functools.cache
def found() -> list[Result]:
    """Two rows with their answers."""
    return list(results(["pure_dp", "claim_2_b1"]))


def test_a_page_is_well_formed_and_fetches_nothing() -> None:
    reader = check_page(html_page(found()))
    assert len(reader.of("article")) == 2
    assert len(reader.of("math")) >= 4


def unasked(tell: Tell) -> CheckAnswer:
    """A question that nobody asks here."""
    raise NotImplementedError


def made(label: str, *words: tuple[str, str], note: str = "") -> Result:
    """A row with checks of these roles, each answered with its word as expected."""
    checks = tuple(Check(unasked, word, role=role) for role, word in words)  # type: ignore[arg-type]
    row = PaperRow(label, label, f"says {label}", checks, note)
    return result_of(row, [CheckAnswer(word, "") for _, word in words])


HOLDS = made("claim:1", ("printed", "proved"))
REPAIRED = made("claim:2", ("printed", "refuted"), ("repair", "proved"))
FALSE = made("claim:3", ("printed", "refuted"))


def test_the_headline_is_counted() -> None:
    assert headline([HOLDS, REPAIRED, FALSE]) == (
        "2 of 3 statements fail as printed, 1 of these is repaired."
    )
    assert headline([HOLDS]) == "0 of 1 statement fails as printed."
    wrong = result_of(HOLDS.row, [CheckAnswer("unknown", "")])
    assert headline([HOLDS, wrong]) == (
        "0 of 2 statements fail as printed; 1 is open; 1 is not as expected."
    )
    text = check_page(html_page([HOLDS, REPAIRED, FALSE])).text
    assert headline([HOLDS, REPAIRED, FALSE]) in text


def test_the_page_says_what_it_is_about_and_failures_come_first() -> None:
    reader = check_page(html_page([HOLDS, REPAIRED, FALSE], date="2026-01-02"))
    for wanted in (TITLE, AUTHORS, "2026-01-02", "ahdp_verify ", "trusts", "a claim; (A1)"):
        assert wanted in reader.text
    order = [reader.text.index(f"says claim:{i}") for i in (3, 2, 1)]
    assert order == sorted(order)


def test_filters_need_no_script_and_name_what_is_there() -> None:
    page = html_page([HOLDS, REPAIRED, FALSE])
    reader = check_page(page)
    choices = [str(a["id"]) for a in reader.of("input")]
    assert choices == [
        "outcome-all",
        "outcome-holds",
        "outcome-repaired",
        "outcome-false",
        "part-all",
        "part-1",
    ]
    assert [a["id"] for a in reader.of("input") if "checked" in a] == ["outcome-all", "part-all"]
    kinds = [str(a["class"]).split() for a in reader.of("article")]
    assert kinds == [["card", kind, "part-1"] for kind in ("false", "repaired", "holds")]
    for choice in choices:
        rule = f"body:has(#{choice}:checked)"
        assert (rule in page) == (not choice.endswith("all"))


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
    check_page(text)
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
