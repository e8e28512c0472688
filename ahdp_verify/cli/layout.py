"""How an answer looks on a terminal: cut into lines of its width, its verdict in colour.

A pipe or a file gets every answer on one line, and so does a terminal with --plain, for scripts
that read lines.  NO_COLOR (https://no-color.org) leaves the colours out.

>>> answer = "Proved: count is AHDP at level eps; scope: all datasets; trusts: the checker alone"
>>> print(fitted(answer, 40, coloured=False))
Proved: count is AHDP at level eps
    scope: all datasets
    trusts: the checker alone
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap

import typer

INDENT = "    "
COLOURS = {
    "Proved": "green",
    "Proved, vacuously": "yellow",
    "valid": "green",
    "Refuted": "red",
    "Refused": "red",
    "invalid": "red",
    "Unknown": "yellow",
}
VERDICT = re.compile(rf"({'|'.join(sorted(COLOURS, reverse=True))}): ")
PLAIN = "AHDP_VERIFY_PLAIN"  # set by --plain, for the processes that share the work too


def for_stdout(line: str) -> str:
    """The line as stdout shows it: cut if that is a terminal that was not asked to be plain."""
    width = terminal_width()
    if width is None:
        return line
    return fitted(line, width, coloured=not os.environ.get("NO_COLOR"))


def terminal_width() -> int | None:
    """The columns of the terminal that stdout is; None for a pipe, a file or a plain terminal."""
    if os.environ.get(PLAIN) or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def fitted(line: str, width: int, *, coloured: bool) -> str:
    """The line cut at words into lines of at most this width; of a verdict, each part has a line of
    its own.

    The row of a table and a JSON document stay whole.
    """
    found = VERDICT.match(line)
    if found is None:
        return line if line.startswith("{") or "  " in line else cut(line, width, INDENT)
    first, *rest = line.split("; ")
    lines = [cut(first, width, INDENT), *(cut(INDENT + part, width, 2 * INDENT) for part in rest)]
    if coloured:
        word = typer.style(found[1], fg=COLOURS[found[1]], bold=True)
        lines[0] = word + lines[0].removeprefix(found[1])
    return "\n".join(lines)


def cut(line: str, width: int, indent: str) -> str:
    """The line cut at spaces; the lines after the first are indented."""
    return textwrap.fill(
        line,
        max(width, 2 * len(indent) + 1),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
