"""The site of the documentation: every page is in its contents, every public name on the page of
the Python interface, and it is built without a warning and loads nothing from elsewhere.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer

import ahdp_verify.public
import ahdp_verify.testing
from ahdp_verify.cli.app import app
from tests.repository.test_readme import PAGES, ROOT, blocks

DOCS = ROOT / "docs"
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")
API = (DOCS / "api.md").read_text(encoding="utf-8")


def test_every_page_is_once_in_the_contents() -> None:
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```", INDEX, re.MULTILINE | re.DOTALL)
    listed = [line for tree in trees for line in tree.split("\n") if line and line[0] != ":"]
    pages = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    assert sorted(listed) == sorted(pages), "docs/index.md lists every page of docs/ once"


def test_files_of_different_pages_have_different_names() -> None:
    """The commands of all pages run in one folder."""
    shown = {
        (block.text.partition("\n")[0], block.text)
        for text in PAGES.values()
        for language in ("toml", "csv")
        for block in blocks(text, language)
    }
    names = [name for name, _ in shown]
    assert sorted(names) == sorted(set(names))


def test_every_page_is_linked_from_the_readme_or_from_a_page() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in texts.keys() - {DOCS / "index.md"}:
        others = [text for path, text in texts.items() if path != page]
        assert any(f"]({page.name}" in text for text in others) or f"docs/{page.name}" in readme


def test_the_page_of_the_interface_has_every_public_name_once() -> None:
    shown = re.findall(
        r"^\.\. (?:auto\w+|py:data):: (?:ahdp_verify\.)?([\w.]+)$", API, re.MULTILINE
    )
    public = [
        *ahdp_verify.public.__all__,
        *(f"testing.{name}" for name in ahdp_verify.testing.__all__),
    ]
    assert sorted(shown) == sorted(public)


@pytest.mark.parametrize("module", ["docstrings", "links", "mathml"])
def test_what_builds_the_site_does_what_its_examples_show(module: str) -> None:
    pytest.importorskip("sphinx")
    result = doctest.testmod(importlib.import_module(f"docs.builder.{module}"))
    assert result.attempted and not result.failed


def commands_named_in(text: str) -> set[str]:
    return set(re.findall(r"`ahdp-verify ([a-z]+)", text))


def test_the_tasks_name_every_command_and_pages_name_no_other() -> None:
    known = set(getattr(typer.main.get_command(app), "commands"))  # noqa: B009 - of a group only
    assert commands_named_in((DOCS / "tasks.md").read_text("utf-8")) == known
    for path in DOCS.glob("*.md"):
        assert commands_named_in(path.read_text("utf-8")) <= known, path.name


class Loaded(HTMLParser):
    """The addresses that a page loads when it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "link", "iframe", "source"):
            self.addresses += [value for key, value in attrs if key in ("src", "href") and value]


def loaded(html: str) -> list[str]:
    page = Loaded()
    page.feed(html)
    return page.addresses


def test_what_a_page_loads_is_found() -> None:
    html = '<a href="https://a.b">x</a><script src="https://c.d/e.js"></script><link href="f.css">'
    assert loaded(html) == ["https://c.d/e.js", "f.css"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The site, built as `make docs` does, with every warning an error."""
    pytest.importorskip("furo")
    folder = tmp_path_factory.mktemp("site")
    words = ("-W", "--keep-going", "-q", "-b", "html", "-d", str(folder / "trees"))
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words, str(DOCS), str(folder / "html")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    yield folder / "html"


def test_the_site_has_every_page_and_loads_nothing_from_elsewhere(site: Path) -> None:
    built = {path.stem for path in site.glob("*.html")}
    assert {path.stem for path in DOCS.glob("*.md")} <= built
    outside = re.compile(r"(https?:)?//")
    for path in site.glob("*.html"):
        html = path.read_text(encoding="utf-8")
        assert [a for a in loaded(html) if outside.match(a)] == [], path.name
    for path in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", path.read_text("utf-8"))


def test_formulas_are_mathml_and_names_have_their_docstrings(site: Path) -> None:
    formulas = (site / "mathematics.html").read_text(encoding="utf-8")
    assert formulas.count("<math") > 20 and "$" not in re.sub(
        r"<(pre|code).*?</\1>", "", formulas, flags=re.DOTALL
    )
    interface = (site / "api.html").read_text(encoding="utf-8")
    for name in ahdp_verify.public.__all__:
        anchor = f'id="ahdp_verify.{name}"'
        assert anchor in interface or f'id="{name}"' in interface, name
