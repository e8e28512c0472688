"""Links of the Markdown pages, which point into the repository, as links of the built site.

A link to a file outside this folder leads to its page here, if it has one; otherwise its text stays
and the path follows, since the site stands alone.

>>> for_site("[the format](../proofs/FORMAT.md#scope) and [a project](../tests/testing) and [trust](trust.md)")
'[the format](formats.md#scope) and a project (`tests/testing`) and [trust](trust.md)'
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

PAGES = {"../proofs/FORMAT.md": "formats.md", "../README.md": "index.md"}
OUTSIDE = re.compile(r"\[([^\]]+)\]\((\.\./[^)#\s]+|recheck/[^)#\s]*)(#[^)\s]*)?\)")


def for_site(text: str) -> str:
    """The text of a page with its links into the repository rewritten."""
    return OUTSIDE.sub(_link, text)


def _link(found: re.Match[str]) -> str:
    words, path, place = found[1], found[2], found[3] or ""
    if path in PAGES:
        return f"[{words}]({PAGES[path]}{place})"
    inside = path.removeprefix("../") if path.startswith("../") else f"proofs/{path}"
    return f"`{inside}`" if words.strip("`") in (inside, path) else f"{words} (`{inside}`)"


def of_page(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = for_site(source[0])


def of_included(app: Sphinx, path: Path, page: str, source: list[str]) -> None:
    source[0] = for_site(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", of_page)
    app.connect("include-read", of_included)
    return {"parallel_read_safe": True}
