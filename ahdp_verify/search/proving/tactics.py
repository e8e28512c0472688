"""Tactics: named functions that each try one way of proving something, in an order chosen from
experience.

A tactic answers, or returns None, and then the next one is asked. One that knows that no later
tactic will help raises `Hopeless`. Each tactic states the reason for its position.

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
    """No later tactic will succeed, or a better way is open."""


class Tactic(NamedTuple, Generic[Asked, Found]):
    """One way to an answer, with the reason for its position."""

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
