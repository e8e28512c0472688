"""How much of a sweep is run: the suite takes a few instances of many that are checked in the same
way, `make bench` (bench/sweeps.py, which sets SWEEP) takes all of them.

`@pytest.mark.sweep(n)` stands above a test with many cases of which the suite runs n, from the
first to the last in equal steps (0 for a single large one); tests/conftest.py leaves the others
out.

>>> swept(range(100), 3)
[0, 1, 2]
>>> examples(100, 20)
20
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
WHOLE = bool(os.environ.get("SWEEP"))


def swept(instances: Iterable[T], kept: int) -> list[T]:
    """All instances in a sweep, otherwise the first ones: so list the smallest and most different
    ones first.
    """
    return list(instances)[: None if WHOLE else kept]


def spread(instances: Sequence[T], kept: int) -> list[T]:
    """So many instances, from the first to the last in equal steps; all of them in a sweep.

    >>> spread("abcdefg", 3)
    ['a', 'd', 'g']
    >>> spread("ab", 3)
    ['a', 'b']
    """
    last = len(instances) - 1
    if WHOLE or kept > last:
        return list(instances)
    return [instances[i * last // max(kept - 1, 1)] for i in range(kept)]


def covering(instances: Sequence[T], kinds: Callable[[T], frozenset[str]], kept: int) -> list[T]:
    """So many instances, from the first to the last in equal steps, and where a kind is not among
    theirs the first one that has it, the rarest kinds first; all of them in a sweep.

    >>> covering(["a", "ab", "abc", "ad", "a"], frozenset, 2)
    ['a', 'abc', 'ad', 'a']
    """
    if WHOLE:
        return list(instances)
    having = [kinds(instance) for instance in instances]
    chosen = set(spread(range(len(instances)), kept))
    found = {kind for i in chosen for kind in having[i]}
    numbers = Counter(kind for each in having for kind in each)
    for kind in sorted(numbers, key=lambda kind: (numbers[kind], kind)):
        if kind not in found:
            first = next(i for i, each in enumerate(having) if kind in each)
            chosen.add(first)
            found |= having[first]
    return [instances[i] for i in sorted(chosen)]


def shared_out(variants: Sequence[T], i: int) -> list[T]:
    """What is done to the i-th of many places: one of the variants in turn, all in a sweep.

    >>> [shared_out("abc", i) for i in range(4)]
    [['a'], ['b'], ['c'], ['a']]
    """
    return list(variants) if WHOLE else [variants[i % len(variants)]]


def examples(all_: int, kept: int) -> int:
    """The number of examples that Hypothesis draws."""
    return all_ if WHOLE else kept
