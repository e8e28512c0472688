"""What a test reads of an HTML page: its elements, whether they close as they open, ids, headings,
links and pictures.
"""

from __future__ import annotations

import itertools
import re
from html.parser import HTMLParser

VOID = {"meta", "br", "link", "img", "hr", "input"}


class PageReader(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({key for key, _ in attrs}) == len(attrs), f"<{tag}> has an attribute twice"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.texts.append(data)

    def of(self, *tags: str) -> list[dict[str, str | None]]:
        """The attributes of the elements with these tags."""
        return [attributes for tag, attributes in self.elements if tag in tags]

    @property
    def text(self) -> str:
        """All text, without styles."""
        return "".join(self.texts)


def read_page(page: str) -> PageReader:
    """The page, which is well formed."""
    reader = PageReader()
    reader.feed(page)
    reader.close()
    assert not reader.open
    return reader


def check_page(page: str) -> PageReader:
    """The page, after everything that every page has to satisfy."""
    reader = read_page(page)
    (document,) = reader.of("html")
    assert document["lang"] == "en"
    ids = [a["id"] for _, a in reader.elements if "id" in a]
    assert len(set(ids)) == len(ids)
    heads = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch("h[1-6]", tag)]
    assert heads[0] == 1
    assert heads.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(heads))
    for picture in reader.of("svg"):
        assert picture["role"] == "img"
        assert picture["aria-label"]
    assert not reader.of("img", "script", "iframe", "object", "link", "base", "form")
    for cell in reader.of("th"):
        assert cell["scope"] in ("row", "col")
    links = [
        a[k] or "" for _, a in reader.elements for k in ("href", "src", "xlink:href") if k in a
    ]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert not re.search(r"url\((?!#)|@import|\son\w+=\"", page)
    (policy,) = [a["content"] for a in reader.of("meta") if "http-equiv" in a]
    assert str(policy).startswith("default-src 'none'")
    for fieldset in reader.of("input"):
        assert fieldset["id"]
    return reader
