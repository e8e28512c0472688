"""Where reports go: files that are written whole or not at all, and that replace nothing but
reports.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import named_path, one_line
from ahdp_verify.reporting.html_page import GENERATOR
from ahdp_verify.reporting.markdown_text import FIRST

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 120  # most time that a browser gets for one file
OF_PDF = b"%ahdp-verify report\n"  # a comment behind the end of a PDF
MARKS = {
    "html": f'name="generator" content="{GENERATOR}"'.encode(),
    "markdown": FIRST.encode(),
    "pdf": OF_PDF,
}
BEGINNING = 2000  # bytes of a file in which its mark is, or of its end
QUIET = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-pdf-header-footer",
)


def check_places(places: Mapping[str, str | Path | None], *, force: bool) -> None:
    """Nothing if a report of each kind ("html", "markdown", "pdf") can be written to its place;
    BadInput for a place that is none, twice the same, or holds something else than such a report.
    """
    taken: dict[Path, str] = {}
    for kind, path in places.items():
        if path is None:
            continue
        target = jsonfile.writable_path(path)
        if taken.setdefault(target, kind) != kind:
            raise BadInput(
                named_path(path),
                f"the {taken[target]} and the {kind} would be the same file",
                "name two files",
            )
        if not force and not is_replaceable(target, kind):
            raise BadInput(
                named_path(path),
                "the file exists, and is not a report of this kind",
                "name a different file, or give --force to replace it",
            )


def is_replaceable(target: Path, kind: str) -> bool:
    """Whether there is nothing in a file but a report of this kind, if there is anything at all."""
    try:
        with open(target, "rb") as file:
            start = file.read(BEGINNING)
            file.seek(max(0, target.stat().st_size - BEGINNING))
            end = file.read()
    except FileNotFoundError:
        return True
    return not start or MARKS[kind] in (end if kind == "pdf" else start)


def find_browser(chosen: str) -> str:
    """The browser that makes a PDF: the one that is named, or the first of BROWSERS that is there;
    BadInput if there is none.
    """
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise BadInput(
                "--browser",
                f"{named_path(chosen)} is not a program",
                "name the program of Chromium or Chrome, for example /usr/bin/chromium",
            )
        return found
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise BadInput(
            "--pdf",
            "no Chromium or Chrome was found, which makes the PDF",
            "install one, name it with --browser, or print the page of --html from any browser",
        )
    return found


def write_pdf(page: str, path: str | Path, browser: str) -> None:
    """The page is in a PDF file; BadInput if the browser does not make one."""
    with tempfile.TemporaryDirectory(prefix="ahdp-verify-", ignore_cleanup_errors=True) as folder:
        source, made = Path(folder, "report.html"), Path(folder, "report.pdf")
        source.write_text(page, encoding="utf-8", errors="backslashreplace")
        words = [
            browser,
            *QUIET,
            *(["--no-sandbox"] if is_root() else []),
            f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={made}",
            source.as_uri(),
        ]
        said = run_browser(words)
        content = made.read_bytes() if made.is_file() else b""
    if not content.startswith(b"%PDF"):
        raise BadInput(
            "--pdf",
            f"{named_path(browser)} made no PDF{f' ({said})' if said else ''}",
            "name another browser with --browser, or print the page of --html",
        )
    jsonfile.write_bytes(content.rstrip(b"\n") + b"\n" + OF_PDF, path)


def is_root() -> bool:
    """Whether this process is root's, whom the browser's sandbox refuses."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def run_browser(words: list[str]) -> str:
    """Why the browser failed, in a few words; "" if it did not."""
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it was stopped after {SECONDS} s"
    except OSError as error:
        return str(error.strerror)
    if done.returncode == 0:
        return ""
    last = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return one_line(last[-1], 200) if last else f"exit code {done.returncode}"
