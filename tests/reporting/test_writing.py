"""Where reports go: nothing but reports is replaced, and a browser makes the PDF, or a sentence
says why there is none.
"""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.reporting import NoVerdict, Report, Subject, report_on, writing
from ahdp_verify.reporting.style import CARD, INK, LINK, OUTCOMES, PAPER, SOFT

BROWSER = next(filter(None, map(shutil.which, writing.BROWSERS)), None)


@pytest.fixture(scope="module")
def made() -> Report:
    return report_on([Subject(NoVerdict("a claim", "unknown", "a limit"))], date="2026-01-02")


def test_a_report_replaces_a_report_of_its_kind_only(made: Report, tmp_path: Path) -> None:
    page, text = tmp_path / "page.html", tmp_path / "page.md"
    made.save(html=page, markdown=text)
    made.save(html=page, markdown=text)
    assert page.read_text(encoding="utf-8") == made.html
    for html, markdown in ((text, None), (None, page)):
        with pytest.raises(BadInput, match="not a report of this kind; name a different file, or"):
            made.save(html=html, markdown=markdown)
    other = tmp_path / "notes.html"
    other.write_text("my notes")
    with pytest.raises(BadInput, match=r"notes\.html: the file exists"):
        made.save(html=other, markdown=tmp_path / "new.md")
    assert other.read_text() == "my notes"
    assert not (tmp_path / "new.md").exists()  # nothing is written if something cannot be
    made.save(html=other, force=True)
    assert other.read_text(encoding="utf-8") == made.html
    empty = tmp_path / "empty.html"
    empty.touch()
    made.save(html=empty)


def test_two_reports_need_two_files(made: Report, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the html and the markdown would be the same file"):
        made.save(html=tmp_path / "a", markdown=tmp_path / "." / "a")


def test_a_place_that_is_none_is_refused(made: Report, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no folder"):
        made.save(html=tmp_path / "none" / "page.html")
    with pytest.raises(BadInput, match="it is a folder"):
        made.save(html=tmp_path)


def browser(tmp_path: Path, body: str) -> str:
    """A program that stands for a browser."""
    path = tmp_path / "browser"
    path.write_text(f"#!{sys.executable}\nimport sys\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


KEEP = """
place = next(w.partition("=")[2] for w in sys.argv if w.startswith("--print-to-pdf="))
open(place, "wb").write(b"%PDF-1.4 " + " ".join(sys.argv).encode())
"""


@pytest.mark.parametrize("root", [True, False])
def test_the_sandbox_is_given_up_for_root_only(
    made: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: bool
) -> None:
    monkeypatch.setattr(writing.os, "geteuid", lambda: 0 if root else 1000)
    made.save(pdf=tmp_path / "page.pdf", browser=browser(tmp_path, KEEP))
    content = (tmp_path / "page.pdf").read_bytes()
    assert (b"--no-sandbox" in content) == root
    assert b"--headless" in content
    assert content.endswith(writing.OF_PDF)
    made.save(pdf=tmp_path / "page.pdf", browser=browser(tmp_path, KEEP))  # it may be replaced


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("print('no display', file=sys.stderr); sys.exit(3)", "made no PDF (no display)"),
        ("sys.exit(0)", "made no PDF; name another"),
        (KEEP.replace("%PDF", "oops"), "made no PDF"),
        ("import os; os.kill(os.getpid(), 9)", "made no PDF (exit code -9)"),
    ],
)
def test_a_browser_that_fails_leaves_nothing(
    made: Report, tmp_path: Path, body: str, said: str
) -> None:
    page = tmp_path / "page.pdf"
    with pytest.raises(BadInput) as error:
        made.save(pdf=page, browser=browser(tmp_path, body))
    assert said in str(error.value)
    assert not page.exists()


def test_a_browser_that_hangs_is_stopped(
    made: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "SECONDS", 0.3)
    with pytest.raises(BadInput, match="it was stopped after"):
        made.save(pdf=tmp_path / "a.pdf", browser=browser(tmp_path, "import time; time.sleep(60)"))


def test_no_browser_is_a_plain_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing.shutil, "which", lambda name: None)
    with pytest.raises(BadInput, match="--pdf: no Chromium or Chrome was found"):
        writing.find_browser("")
    with pytest.raises(BadInput, match="--browser: nowhere is not a program"):
        writing.find_browser("nowhere")


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
def test_chromium_makes_a_pdf(made: Report, tmp_path: Path) -> None:
    made.save(pdf=tmp_path / "page.pdf")
    content = (tmp_path / "page.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert len(content) > 5000
    if shutil.which("pdftotext"):
        words = ["pdftotext", str(tmp_path / "page.pdf"), "-"]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        assert "What this report does not cover" in text
        assert "Floating point." in text


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", sorted({INK, SOFT, LINK, *(c for c, _ in OUTCOMES.values())}))
def test_every_text_can_be_read(colour: str) -> None:
    for behind in (PAPER, CARD):
        assert (luminance(behind) + 0.05) / (luminance(colour) + 0.05) >= 4.5
