"""`verify(size=)`, totals and verdict included, compared with plain NumPy on the same tables.

NumPy is given what enumeration has to find: the rows, and which pairs of them are neighbours.  It
computes the distributions in floats, takes logarithms, and compares them along all moves, in both
directions at once; it adds up no total, and nothing that it finds is certified.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from row import Row, measured

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.terms.expression import Abs, eq, exp, log, piecewise
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

PEER = "NumPy, uncertain"
Array = Any


def clamped(weights: tuple[int, ...], most: int, factor: Fraction) -> Claim:
    """Geometric noise on a weighted count, clamped to 0, ..., the largest count, claimed at a
    multiple of its least level.
    """
    W, top = Domain([(w, Fraction(w, 2)) for w in weights]), max(weights) * most
    s, q = finite("s", range(top + 1)), exp(Fraction(-1, 2))
    ends = piecewise((1, eq(s, 0) | eq(s, top)), (1 - q, True))
    law = exp(-Abs(s - W.sum(lambda x, eps: x)) / 2) * ends / (1 + q)
    return ahdp(
        Mechanism(W, outputs=[s], density=law, name="clamped count"), lambda x, eps: eps * factor
    )


def sums(weights: tuple[int, ...], most: int) -> int:
    """The number of sums that datasets of fewer than `most` records have: for weights 1, ..., w all
    numbers up to w (most - 1).
    """
    return max(weights) * (most - 1) + 1


def comparisons(weights: tuple[int, ...], most: int) -> int:
    """Pairs of rows, times outputs, times directions."""
    return 2 * len(weights) * sums(weights, most) * (max(weights) * most + 1)


def plain(weights: tuple[int, ...], most: int, factor: Fraction) -> bool:
    """The same in floats."""
    top, before = max(weights) * most, sums(weights, most)
    s, centre, q = np.arange(top + 1), np.arange(top + 1)[:, None], np.exp(-0.5)
    logs: Array = np.log(
        np.exp(-np.abs(s - centre) / 2) * np.where((s == 0) | (s == top), 1, 1 - q) / (1 + q)
    )
    return all(
        bool((np.abs(logs[w : w + before] - logs[:before]) <= w / 2 * float(factor)).all())
        for w in weights
    )


def smoothed(cells: int) -> Claim:
    """One of `cells` cells, drawn with probability (1 + its count) / (size + cells): every dataset
    has its own distribution.
    """
    W = Domain([(i, log(2)) for i in range(cells)])
    s, counts = finite("s", range(cells)), [W.count(record) for record in W.records]
    law = piecewise(
        *((1 + count, eq(s, i)) for i, count in enumerate(counts[:-1])), (1 + counts[-1], True)
    ) / (W.size + cells)
    return ahdp(Mechanism(W, outputs=[s], density=law, name="smoothed histogram"))


def histograms(cells: int, most: int) -> tuple[Array, list[tuple[Array, Array]]]:
    """All histograms of at most `most` records, and which of them each of the smaller ones
    becomes with a record more in each cell.
    """
    listed = [h for h in itertools.product(range(most + 1), repeat=cells) if sum(h) <= most]
    place = {h: i for i, h in enumerate(listed)}
    smaller = [h for h in listed if sum(h) < most]
    before = np.array([place[h] for h in smaller])
    return np.array(listed), [
        (before, np.array([place[tuple(c + (j == w) for j, c in enumerate(h))] for h in smaller]))
        for w in range(cells)
    ]


def plain_smoothed(counts: Array, joined: list[tuple[Array, Array]]) -> bool:
    """The same in floats."""
    logs = np.log((counts + 1) / (counts.sum(axis=1, keepdims=True) + counts.shape[1]))
    return all(
        bool((np.abs(logs[after] - logs[before]) <= np.log(2)).all()) for before, after in joined
    )


def in_one_word(claim: Claim, most: int) -> str:
    """The verdict on all datasets of at most so many records."""
    return verify(claim, Limits(seconds=120), size=most).outcome


def of_smoothed(cells: int, most: int, aim: str) -> Row:
    """A smoothed histogram."""
    claim, (counts, joined) = smoothed(cells), histograms(cells, most)
    number = 2 * cells * sum(len(before) for before, _ in joined)
    ours, answer = measured(partial(in_one_word, claim, most))
    theirs, _ = measured(partial(plain_smoothed, counts, joined))
    what = f"smoothed histogram of {cells} cells, size {most}, {number:.2g} comparisons"
    return Row(what, answer, ours, PEER, theirs, aim)


def of_clamped(weights: tuple[int, ...], most: int, factor: Fraction, aim: str) -> Row:
    """A clamped weighted count."""
    claim, number = clamped(weights, most, factor), comparisons(weights, most)
    ours, answer = measured(partial(in_one_word, claim, most))
    theirs, _ = measured(partial(plain, weights, most, factor))
    what = (
        f"weighted count, {len(weights)} weights, size {most}, at {factor} of its level, "
        f"{number:.2g} comparisons"
    )
    return Row(what, answer, ours, PEER, theirs, aim)


def rows() -> Iterator[Row]:
    """Without ties, with ties only, and with a law for every dataset."""
    yield of_clamped((1, 2, 3, 4, 5, 6), 200, Fraction(101, 100), "5 x")
    yield of_clamped((1, 2, 3), 200, Fraction(1), "5 x")
    yield of_clamped((1,), 1000, Fraction(1), "5 x")
    yield of_smoothed(4, 30, "0.2")
