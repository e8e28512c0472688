"""The prices of rows and released numbers: which inputs an output tells apart best.

The cheapest shifts s of the noises of a path, for the move d
(`ahdp_verify.search.programs.alignment`), have a dual programme, whose unknowns are prices y of the
rows and z of the released numbers:

    maximise  -(y B d + z W d)    where    y >= 0,   |A'y + V'z| <= 1/scale   (<= for one-sided)

It has the same optimum, the gain: no privacy loss on this path is larger, and far inputs at which
exactly the rows with a price are tight come close to it.  Where the gain has no bound, there is no
alignment, and the output may be impossible at one of the inputs.

>>> from ahdp_verify.kernel.model.linear_form import LinearForm
>>> item = LinearForm.of({"q[1]": Fraction(1), "x": Fraction(1)})
>>> noisy = SampledForm({"x": Fraction(1)}, {"q[1]": Fraction(1)}, Fraction(0))
>>> path = SampledPath(
...     {"x": Fraction(1, 2)}, frozenset(), frozenset(), (), frozenset(), {0: noisy}, (item,), False
... )
>>> prices_of_move(path, {"q[1]": Fraction(1)}).gain
0.5
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.model.program_claim import Moves
from ahdp_verify.search.programs.sampled_paths import SampledForm, SampledPath, Vector
from ahdp_verify.search.solvers.linear_programme import Programme

HUGE = 10_000  # the largest price, in the unit of the programme
LARGE = 100  # a gain above, in that unit, may have no bound; n noises seldom give more than n
ROUNDS = 8  # of improving a move; two or three are needed


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices for one move of the answers; `gain` is infinite where they may be multiplied
    without end.
    """

    move: Vector
    gain: float
    rows: Mapping[int, Fraction]
    values: Mapping[int, Fraction]

    def pull(self, path: SampledPath) -> dict[str, Fraction]:
        """What the prices ask of each noise: it is likely to be as far that way as possible where
        this is 1/scale.
        """
        total = dict.fromkeys(path.rates, Fraction(0))
        for form, price in self.of_forms(path):
            for noise, c in form.noises.items():
                total[noise] += c * price
        return total

    def of_forms(self, path: SampledPath) -> Iterator[tuple[SampledForm, Fraction]]:
        """The rows and released numbers with their prices."""
        yield from ((path.rows[i], price) for i, price in self.rows.items())
        yield from ((path.values[i], price) for i, price in self.values.items())


def best_prices(path: SampledPath, moves: Moves) -> Prices | None:
    """The prices of greatest gain that were found, with the move; None if no prices are any
    good.
    """
    found: Prices | None = None
    tried: set[tuple[tuple[str, Fraction], ...]] = set()
    for corner in _corners(path, moves):
        for _ in range(ROUNDS):
            move = _move(moves, corner)
            key = tuple(sorted(move.items()))
            if key in tried:
                break
            tried.add(key)
            prices = prices_of_move(path, move)
            if prices is None:
                break
            if found is None or prices.gain > found.gain:
                found = prices
            if math.isinf(prices.gain):
                return prices
            corner = _against(path, moves, prices, corner)
    return found


def _move(moves: Moves, corner: Vector) -> dict[str, Fraction]:
    return {
        key: sum((c * corner[a] if a else c for a, c in affine), Fraction(0))
        for key, affine in moves.values
    }


def _corners(path: SampledPath, moves: Moves) -> Iterator[Vector]:
    """A few vertices of the box to start from: all high, all low, against the rows and against rows
    and released numbers, alternating.
    """
    ends = {key: (low, high) for key, low, high in moves.box}
    if not ends:
        yield {}
        return
    for i in (1, 0):
        yield {key: end[i] for key, end in ends.items()}
    for forms in (path.rows, (*path.rows, *path.values.values())):
        total = dict.fromkeys(ends, Fraction(0))
        for form in forms:
            for key, c in form.given.items():
                if key in total:
                    total[key] += c
        for sign in (1, -1):
            yield {key: ends[key][0 if sign * c > 0 else 1] for key, c in total.items()}
    for start in (0, 1):
        turn = itertools.cycle((start, 1 - start))
        yield {key: end[next(turn)] for key, end in ends.items()}


def _against(path: SampledPath, moves: Moves, prices: Prices, corner: Vector) -> Vector:
    """The vertex that gains most from the prices."""
    slope = {key: Fraction(0) for key, _, _ in moves.box}
    for key, affine in moves.values:
        for form, price in prices.of_forms(path):
            for amount, c in affine:
                if amount:
                    slope[amount] += price * form.given.get(key, 0) * c
    return {
        key: corner[key] if not slope[key] else (low if slope[key] > 0 else high)
        for key, low, high in moves.box
    }


def prices_of_move(path: SampledPath, move: Vector) -> Prices | None:
    """The prices of greatest gain for one move; None if there is no gain."""
    solution = _dual(path, move, bounded=True).solve(closely=True)
    if solution is None:
        return None
    prices = _read(path, move, solution)
    if prices.gain < LARGE * _unit(path):
        return prices if prices.gain > 0 else None
    ray = _dual(path, move, bounded=False).solve()
    return prices if ray is None else _read(path, move, ray, unbounded=True)


def _unit(path: SampledPath) -> Fraction:
    """The largest rate: in this unit prices are small fractions, however close two rates are."""
    return max(path.rates.values(), default=Fraction(1))


def _dual(path: SampledPath, move: Vector, *, bounded: bool) -> Programme:
    """The programme of the prices, in the largest rate; not bounded: of directions of gain 1 in
    which they may grow.
    """
    programme = Programme()
    pulls: dict[str, dict[Hashable, Fraction]] = {noise: {} for noise in path.rates}
    gain: dict[Hashable, Fraction] = {}
    unit, most = _unit(path), HUGE
    for key, form in _priced(path):
        change = form.change(move)
        cost = float(change) if bounded else (1.0 if key[0] == "row" else 0.0)
        programme.variable(key, low=0 if key[0] == "row" else -most, high=most, cost=cost)
        gain[key] = -change
        for noise, c in form.noises.items():
            pulls[noise][key] = c
    for noise, terms in pulls.items():
        most_pull = path.rates[noise] / unit if bounded else Fraction(0)
        programme.at_least({key: -c for key, c in terms.items()}, -most_pull)
        if noise not in path.upward:
            programme.at_least(terms, -most_pull)
    if not bounded:
        programme.equal(gain, Fraction(1))
    return programme


def _priced(path: SampledPath) -> Iterator[tuple[tuple[str, int], SampledForm]]:
    """The rows, and the released numbers that an event can bound: those of two noises at most."""
    yield from ((("row", i), form) for i, form in enumerate(path.rows))
    yield from (
        (("value", i), form)
        for i, form in path.values.items()
        if len(form.noises) <= 2 and not form.is_constant
    )


def _read(
    path: SampledPath,
    move: Vector,
    solution: Mapping[Hashable, Fraction],
    *,
    unbounded: bool = False,
) -> Prices:
    unit = Fraction(1) if unbounded else _unit(path)
    rows = {i: unit * p for i in range(len(path.rows)) if (p := solution["row", i]) > 0}
    values = {i: unit * p for i in path.values if (p := solution.get(("value", i), Fraction(0)))}
    gain = -sum((p * path.rows[i].change(move) for i, p in rows.items()), Fraction(0))
    gain -= sum((p * path.values[i].change(move) for i, p in values.items()), Fraction(0))
    return Prices(move, math.inf if unbounded else float(gain), rows, values)
