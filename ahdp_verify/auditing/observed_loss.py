"""Lower bounds of the privacy loss of a program, from its draws at two inputs, without any use of
the law.

For each ordered pair (first, second) an event is chosen on one half of the draws; the other half
decides.  With k of n draws in the event at the first input and k' of n' at the second, the
probabilities are at least L and at most U by Clopper and Pearson (1934), each except with
probability alpha/2, and so the loss is at least log((L - delta) / U).  This needs independent
draws, and nothing else: no approximation, and no knowledge of the mechanism.  Needs numpy and
scipy.

>>> round(clopper_pearson(5, 10, 0.025)[0], 4), round(clopper_pearson(5, 10, 0.025)[1], 4)
(0.1871, 0.8129)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ahdp_verify.auditing.events import event_text
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.sampling.floats import Array, Columns, np
from ahdp_verify.sampling.goodness_of_fit import CellGrid, scipy_stats

CAUTIOUS = (
    1e-5  # the error at which events are compared, so that few draws in a tail are not chosen
)


@dataclass(frozen=True, slots=True)
class ObservedLoss:
    """The probability of `event` is at least `low` at the first input and at most `high` at the
    second.

    first_hits, second_hits  of the draws that decide, how many are in the event
    first_draws, second_draws  how many draws decide
    """

    event: str
    low: float
    high: float
    first_hits: int
    first_draws: int
    second_hits: int
    second_draws: int

    __repr__ = short_repr

    def bound(self, delta: float = 0.0) -> float:
        """The privacy loss at this delta is at least this; 0 where the event shows nothing."""
        return max(0.0, log_ratio(self.low, self.high, delta))


def observed_loss(
    grid: CellGrid, first: Columns, second: Columns, alpha: float, delta: float = 0.0
) -> ObservedLoss:
    """Bounds of the probabilities of an event that is chosen so that the loss of the first input
    against the second is large at this delta; one of them is wrong with a probability of at most
    alpha.
    """
    size = len(grid.probabilities) + 1

    def text(cells: frozenset[int]) -> str:
        inside = cells - {size - 1}
        texts = [event_text(grid, inside)] if inside else []
        texts += ["an output that is not one of the law's"] if size - 1 in cells else []
        return " or ".join(texts)

    pair = grid.positions(first), grid.positions(second)
    return loss_between_cells(pair, size, text, alpha, delta)


def loss_between_cells(
    pair: tuple[Array, Array],
    size: int,
    text: Callable[[frozenset[int]], str],
    alpha: float,
    delta: float,
) -> ObservedLoss:
    """The same for draws of which the cell of each is known, among `size` cells; `text` says what
    some of the cells are.
    """
    # every second draw chooses the event, so that a drift of the program reaches both halves
    (a_choice, a_rest), (b_choice, b_rest) = (
        [np.bincount(places[start::2], minlength=size) for start in (0, 1)] for places in pair
    )
    ratio = np.log((a_choice + 0.5) / (a_choice.sum() + size / 2)) - np.log(
        (b_choice + 0.5) / (b_choice.sum() + size / 2)
    )
    order = np.argsort(-ratio, kind="stable")
    candidates = [order[:i] for i in range(1, size)]
    cautious = min(alpha, CAUTIOUS)
    guesses = [log_ratio(*_ends(a_choice, b_choice, c, cautious), delta) for c in candidates]
    cells = candidates[int(np.argmax(guesses))]
    return ObservedLoss(
        text(frozenset(int(i) for i in cells)),
        *_ends(a_rest, b_rest, cells, alpha),
        int(a_rest[cells].sum()),
        int(a_rest.sum()),
        int(b_rest[cells].sum()),
        int(b_rest.sum()),
    )


def _ends(a: Array, b: Array, cells: Array, alpha: float) -> tuple[float, float]:
    """A lower bound of the probability of the cells at the first input, an upper one at the
    second.
    """
    return (
        clopper_pearson(int(a[cells].sum()), int(a.sum()), alpha / 2)[0],
        clopper_pearson(int(b[cells].sum()), int(b.sum()), alpha / 2)[1],
    )


def log_ratio(low: float, high: float, delta: float) -> float:
    """log((low - delta) / high); minus infinity where the difference is not positive."""
    return math.log((low - delta) / high) if low > delta else -math.inf


def clopper_pearson(hits: int, draws: int, alpha: float) -> tuple[float, float]:
    """Bounds of a probability, each wrong with a probability of at most alpha."""
    beta = scipy_stats().beta
    low = float(beta.ppf(alpha, hits, draws - hits + 1)) if hits else 0.0
    high = float(beta.ppf(1 - alpha, hits + 1, draws - hits)) if hits < draws else 1.0
    return low, high
