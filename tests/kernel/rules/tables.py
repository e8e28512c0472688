"""Finite mechanisms as plain tables of fractions, composed by the definition: an oracle for the
composition rules that uses no rule of the package.

A table gives for each input the probability of each output. A move is a pair of neighbouring inputs
with the key of what changes (a record, a pair of values). Inputs are datasets (sorted tuples of
record numbers, at most three of them), values, or whole query answers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import comb
from random import Random

Input = Hashable
Law = dict[Hashable, Fraction]
Table = dict[Input, Law]
Move = tuple[Input, Input, Hashable]
ONE = Fraction(1)


def datasets(records: int, most: int = 3) -> list[tuple[int, ...]]:
    """All datasets of at most so many records, as sorted tuples of record numbers."""
    return [
        d
        for n in range(most + 1)
        for d in itertools.combinations_with_replacement(range(records), n)
    ]


def additions(records: int, most: int = 3) -> list[Move]:
    """Adding one record."""
    return [
        (d, tuple(sorted((*d, r))), r) for d in datasets(records, most - 1) for r in range(records)
    ]


def replacements(records: int, most: int = 3) -> list[Move]:
    """One record becomes another; the key is the pair of them."""
    return [
        (tuple(sorted((*d, a))), tuple(sorted((*d, b))), (a, b))
        for d in datasets(records, most - 1)
        for a, b in itertools.permutations(range(records), 2)
    ]


def both(moves: Iterable[Move]) -> list[tuple[Input, Input, Hashable]]:
    """The moves and their inverses."""
    return [m for a, b, key in moves for m in ((a, b, key), (b, a, key))]


def random_law(rng: Random, outputs: Iterable[Hashable], least: int = 1) -> Law:
    """A law with small weights; with `least` 0 some outputs may be impossible."""
    listed = list(outputs)
    weights = [rng.randint(least, 6) for _ in listed]
    weights[rng.randrange(len(listed))] += 1
    return {o: Fraction(w, sum(weights)) for o, w in zip(listed, weights, strict=True)}


def random_table(rng: Random, inputs: Iterable[Input], outputs: int = 2, least: int = 1) -> Table:
    """A table of distributions with so many outputs."""
    return {d: random_law(rng, range(outputs), least) for d in inputs}


def worst(table: Table, moves: Iterable[Move]) -> dict[Hashable, Fraction | None]:
    """By key, the largest ratio of probabilities over all moves in both directions; None if it
    is infinite.
    """
    found: dict[Hashable, Fraction | None] = {}
    for a, b, key in both(moves):
        for o, p in table[a].items():
            q = table[b].get(o, Fraction(0))
            ratio = None if p and not q else p / q if q else ONE
            best = found.get(key, ONE)
            found[key] = None if ratio is None or best is None else max(best, ratio)
    return found


def excess(table: Table, moves: Iterable[Move], factors: Mapping[Hashable, Fraction]) -> Fraction:
    """The least delta for these factors exp(level), over all moves in both directions."""
    return max(
        (
            sum(
                (
                    max(Fraction(0), p - factors[key] * table[b].get(o, Fraction(0)))
                    for o, p in table[a].items()
                ),
                Fraction(0),
            )
            for a, b, key in both(moves)
        ),
        default=Fraction(0),
    )


def composed(first: Table, second: Mapping[Hashable, Table]) -> Table:
    """Both outputs of an adaptive run: the second mechanism is chosen by the first output."""
    return {
        d: {(y, z): p * q for y, p in law.items() for z, q in second[y][d].items()}
        for d, law in first.items()
    }


def pushed(table: Table, f: Callable[[Hashable], Hashable]) -> Table:
    """The distribution of f(output)."""
    found: Table = {}
    for d, law in table.items():
        found[d] = {}
        for o, p in law.items():
            found[d][f(o)] = found[d].get(f(o), Fraction(0)) + p
    return found


def mixed(weights: Iterable[Fraction], tables: Iterable[Table]) -> Table:
    """One of the tables, chosen with these probabilities."""
    pairs = list(zip(weights, tables, strict=True))
    outputs = {o for _, t in pairs for law in t.values() for o in law}
    return {
        d: {o: sum((w * t[d].get(o, Fraction(0)) for w, t in pairs), Fraction(0)) for o in outputs}
        for d in pairs[0][1]
    }


def sampled(table: Table, keep: Mapping[int, Fraction]) -> Table:
    """The table run on a random part of the dataset, each record r kept with probability
    keep[r], independently.
    """
    return {d: _sampled(table, d, keep) for d in table}


def _sampled(table: Table, d: Input, keep: Mapping[int, Fraction]) -> Law:
    assert isinstance(d, tuple)
    counts = {r: d.count(r) for r in set(d)}
    law: Law = {}
    for kept in itertools.product(*(range(n + 1) for n in counts.values())):
        probability = ONE
        for (r, n), k in zip(counts.items(), kept, strict=True):
            probability *= comb(n, k) * keep[r] ** k * (1 - keep[r]) ** (n - k)
        part = tuple(
            sorted(r for (r, _), k in zip(counts.items(), kept, strict=True) for _ in range(k))
        )
        for o, p in table[part].items():
            law[o] = law.get(o, Fraction(0)) + probability * p
    return law


def relabelled(table: Table, new: Iterable[tuple[int, ...]], becomes: Mapping[int, int]) -> Table:
    """The table run on the dataset in which each record becomes another one."""
    return {d: table[tuple(sorted(becomes[r] for r in d))] for d in new}
