"""What random mechanisms are made of: numbers, demands, records, weights, contributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

Document = dict[str, Any]
SMALL = ("0", "1", "2", "-1", "1/2", "3", "1/3", "-1/2", "5", "10")
DEMANDS = (
    "0",
    "1",
    "2",
    "1/2",
    "1/3",
    "log(2)",
    "log(3)",
    "oo",
    "1/1000",
    "10",
    "log(3/2)",
    "100",
    "3/2",
)
SCALES = ("1", "2", "1/2", "3", "1/3", "10", "1/10", "1000", "1/1000", "3/2")


@dataclass
class Made:
    """A file without claims; `levels` are exact or at least near levels, by relation."""

    data: Document
    levels: dict[str, list[str]] = field(default_factory=dict)
    relations: tuple[str, ...] = ()
    finite: bool = False
    outputs: int = 1


def frac(rng: Random, low: int = 1, high: int = 9) -> str:
    return str(Fraction(rng.randint(low, high), rng.randint(1, 9)))


def values_of(rng: Random, n: int) -> list[str]:
    return rng.sample(SMALL, n)


def records(rng: Random, *, labels: bool = False, positive: bool = False) -> list[list[Any]]:
    """One to four records, equal demands now and then."""
    n = rng.choice((1, 2, 2, 3, 3, 4))
    demands = [rng.choice(DEMANDS) for _ in range(n)]
    if rng.random() < 0.4:
        demands = [demands[0]] * n
    if labels:
        values: list[str] = rng.sample(["red", "green", "blue", "grey"], n)
        return [[v, d] for v, d in zip(values, demands, strict=True)]
    pool = [v for v in SMALL if not (positive and v.startswith("-"))]
    values = [rng.choice(pool) for _ in range(n)]
    kept = []
    for pair in zip(values, demands, strict=True):
        if list(pair) not in kept:
            kept.append(list(pair))
    return kept


WEIGHTS = (
    "1",
    "1 - exp(-eps)",
    "min(eps, 1)",
    "1/2",
    "1/(1 + exp(-eps))",
    "exp(-eps)",
    "indicator(eps > 1)",
    "min(1, eps/2)",
)
CONTRIBUTIONS = (
    "x",
    "1",
    "abs(x)",
    "max(x, 0)",
    "indicator(x == 1)",
    "clip(x, -1, 1)",
    "x^2",
    "indicator(x > 0)",
    "min(x, 2) - 1/2",
)


def contribution(rng: Random) -> str:
    w, c = rng.choice(WEIGHTS), rng.choice(CONTRIBUTIONS)
    return c if w == "1" else f"({w})*({c})"
