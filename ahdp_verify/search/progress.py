"""Where a long search says what it is doing.

>>> said: list[str] = []
>>> report: Progress = said.append
>>> report("proving"), no_progress("proving"), said
(None, None, ['proving'])
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]


def no_progress(message: str) -> None:
    """No progress report."""
    del message
