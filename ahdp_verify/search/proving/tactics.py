"""Tactics: named functions that try one way of proving something, in an order that is knowledge.

A tactic answers, or says None, and then the next one is asked.  One that knows that no later one
will help raises `Hopeless`.  The reason beside each says why it stands where it does.

>>> def halved(n: int) -> int | None:
...     return None if n % 2 else n // 2
>>> def given_up(n: int) -> int | None:
...     raise Hopeless
>>> listed = (Tactic("half", halved, "at once"), Tactic("none", given_up, "odd numbers have no half"))
>>> first_answer(listed, 6), first_answer(listed, 7)
(3, None)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

Asked = TypeVar("Asked")
Found = TypeVar("Found")


class Hopeless(Exception):
    """No later tactic shows it either, or another way is open that is better."""


class Tactic(NamedTuple, Generic[Asked, Found]):
    """One way to an answer, and why it stands where it does."""

    name: str
    function: Callable[[Asked], Found | None]
    reason: str


def first_answer(tactics: Iterable[Tactic[Asked, Found]], asked: Asked) -> Found | None:
    """The answer of the first tactic that has one; None where none has, or one is hopeless."""
    try:
        for tactic in tactics:
            found = tactic.function(asked)
            if found is not None:
                return found
    except Hopeless:
        pass
    return None
