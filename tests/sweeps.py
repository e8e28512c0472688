"""How much of a sweep is run: the suite takes the first instances of many that are checked in the
same way, `make bench` (bench/sweeps.py, which sets SWEEP) takes all of them.

>>> swept(range(100), 3)
[0, 1, 2]
>>> examples(100, 20)
20
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
WHOLE = bool(os.environ.get("SWEEP"))


def swept(instances: Iterable[T], kept: int) -> list[T]:
    """All instances in a sweep, otherwise the first ones: so list the smallest and most different
    ones first.
    """
    return list(instances)[: None if WHOLE else kept]


def shared_out(variants: Sequence[T], i: int) -> list[T]:
    """What is done to the i-th of many places: one of the variants in turn, all in a sweep.

    >>> [shared_out("abc", i) for i in range(4)]
    [['a'], ['b'], ['c'], ['a']]
    """
    return list(variants) if WHOLE else [variants[i % len(variants)]]


def examples(all_: int, kept: int) -> int:
    """The number of examples that Hypothesis draws."""
    return all_ if WHOLE else kept
