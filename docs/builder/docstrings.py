"""Docstrings of the package, which are plain text, as reStructuredText for Sphinx.

A docstring is a sequence of paragraphs.  One that starts with >>> is an example; one that has
aligned columns, or is indented, stays as it is laid out; in all others `names` are set as code, and
no other character has a meaning.

>>> in_rst(["E|m/n| of *all* `n`.", "", "    low   the least", "", ">>> 1 + 1", "2"])
['E\\\\|m/n\\\\| of \\\\*all\\\\* ``n``.', '', '::', '', '    low   the least', '', '>>> 1 + 1', '2', '']
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from sphinx.application import Sphinx

COLUMNS = re.compile(r"\S {3,}\S")
SPECIAL = re.compile(r"([\\*|_])")


def in_rst(lines: list[str]) -> list[str]:
    """The lines of a docstring as reStructuredText."""
    found: list[str] = []
    for blank, group in groupby(lines, key=lambda line: not line.strip()):
        if not blank:
            found += [*_paragraph(list(group)), ""]
    return found


def _paragraph(lines: list[str]) -> list[str]:
    if lines[0].startswith(">>>"):
        return lines
    if lines[0].startswith(" ") or any(COLUMNS.search(line) for line in lines):
        indent = min(len(line) - len(line.lstrip()) for line in lines)
        return ["::", "", *(f"    {line[indent:]}" for line in lines)]
    return _prose("\n".join(lines)).split("\n")


def _prose(text: str) -> str:
    """A paragraph; every second part of it, between backquotes, is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return SPECIAL.sub(r"\\\1", text).replace("`", "\\`")
    return "".join(
        f"``{part}``" if i % 2 and part else SPECIAL.sub(r"\\\1", part)
        for i, part in enumerate(parts)
    )


def process(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    lines[:] = in_rst(lines)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}
