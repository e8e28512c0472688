"""A test is run where Python has room for the frames of some thousand nested calls.

From 3.11 on Python keeps frames in pieces of 16 KB: the call that needs a new piece takes it from
the system, its return gives it back.  Where a loop stands at the end of a piece each of its calls
does so, and takes several times as long; the depth at which pytest and xdist call a test decides
which loops these are.  A function that says it needs much room gets a piece of 1 MB, of which it
uses nothing.

>>> with_room(divmod, 7, 2)
(3, 1)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# Python takes the first of 16 KB, 32 KB, 64 KB, ... that holds the words asked for and 1,000 more:
# these are just over 512 KB, so that as much is left.
WORDS = 2**16


def with_room(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What the call returns."""
    return call(*arguments, **named)


with_room.__code__ = with_room.__code__.replace(co_stacksize=WORDS)
