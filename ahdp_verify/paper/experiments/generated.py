"""Generated records in place of those that the authors obtained from a language model, which are
not available: a value and a demand, correlated.

Two standard normal numbers with the given correlation are drawn for each record.  One becomes the
value, the other the demand: weight in kg and demand in [0, 3], or one of six levels of education
and one of five demands.  With a negative correlation those with large values ask for more privacy,
as in the paper's first data set.

>>> eps = generate_weights(2200, -0.84, 1).eps
>>> len(eps), float(eps.min()) >= 0, float(eps.max()) <= 3
(2200, True, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ahdp_verify.sampling import Array

CORRELATION = -0.84  # of the paper's first data set; of its second it gives none
BOUNDS = (0, 150)  # of a weight, kg; the paper's l and h
AVERAGE, SPREAD, LEAST, MOST = 70.0, 15.0, 30.0, 150.0  # kg
DEMAND, DEMAND_SPREAD, DEMAND_MOST = 1.5, 0.75, 3.0  # nats
LEVELS = ("no", "primary", "secondary", "bachelor", "master", "PhD")
EDUCATED = (0.05, 0.2, 0.35, 0.22, 0.13, 0.05)  # shares of the levels
DEMANDS = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(5))
DEMANDED = (0.15, 0.2, 0.3, 0.2, 0.15)  # shares of the demands
WHY = "the authors' records, which a language model wrote, are not available; these are generated"


@dataclass(frozen=True, slots=True)
class GeneratedRecords:
    """The value x and the demand eps of each record, and the seed and correlation that made
    them.
    """

    x: Array
    eps: Array
    seed: int
    correlation: float

    @property
    def measured(self) -> float:
        """The correlation coefficient of value and demand, 0 where one of them is constant."""
        return (
            0.0
            if np.ptp(self.x) == 0 or np.ptp(self.eps) == 0
            else float(np.corrcoef(self.x, self.eps)[0, 1])
        )

    @property
    def description(self) -> str:
        """Where the records come from."""
        return (
            f"{WHY}: {len(self.x):,} records, seed {self.seed}, from normal pairs with "
            f"correlation {self.correlation:g}; "
            f"correlation of value and demand {self.measured:.3f}"
        )


Setting = tuple[GeneratedRecords, tuple[int, ...], tuple[Fraction, ...]]


def experiment_setting(
    records: GeneratedRecords, sizes: Sequence[int], thresholds: Sequence[Fraction]
) -> dict[str, Any]:
    """What a trial on these records depends on, as JSON can hold it."""
    return {
        "x": records.x.tolist(),
        "eps": records.eps.tolist(),
        "seed": records.seed,
        "correlation": records.correlation,
        "sizes": list(sizes),
        "thresholds": list(map(str, thresholds)),
    }


def read_setting(setting: Any) -> Setting:
    """The records, sizes and thresholds of a setting."""
    x, eps = np.array(setting["x"], dtype=float), np.array(setting["eps"], dtype=float)
    return (
        GeneratedRecords(x, eps, setting["seed"], setting["correlation"]),
        tuple(setting["sizes"]),
        tuple(map(Fraction, setting["thresholds"])),
    )


def correlated_normals(number: int, correlation: float, seed: int) -> tuple[Array, Array]:
    """Standard normal numbers in pairs with that correlation."""
    z, other = np.random.default_rng((seed, 0, 0)).standard_normal(
        (2, number)
    )  # trials use (seed, number of the trial)
    return z, correlation * z + np.sqrt(1 - correlation**2) * other


def generate_weights(number: int, correlation: float, seed: int) -> GeneratedRecords:
    """Weights in kg with two decimals, and demands in [0, 3] with two decimals."""
    z, w = correlated_normals(number, correlation, seed)
    x = np.clip(AVERAGE + SPREAD * z, LEAST, MOST).round(2)
    return GeneratedRecords(
        x, np.clip(DEMAND + DEMAND_SPREAD * w, 0, DEMAND_MOST).round(2), seed, correlation
    )


def generate_education(number: int, correlation: float, seed: int) -> GeneratedRecords:
    """Levels of education 1 to 6, and demands from the paper's list of five."""
    z, w = correlated_normals(number, correlation, seed)
    return GeneratedRecords(
        classes_by_rank(z, EDUCATED) + 1.0,
        np.array([float(e) for e in DEMANDS])[classes_by_rank(w, DEMANDED)],
        seed,
        correlation,
    )


def classes_by_rank(z: Array, shares: tuple[float, ...]) -> Array:
    """The class of each number, 0, 1, ..., where the smallest are in class 0 and the classes
    have these shares.
    """
    rank = (z.argsort().argsort() + 0.5) / len(z)
    return np.searchsorted(np.cumsum(shares)[:-1], rank, side="right")


def demand_dependence(records: GeneratedRecords) -> tuple[float, float]:
    """(chi-squared statistic, Cramer's V) of the table of values and demands."""
    counts = np.array(
        [
            [((records.x == x) & (records.eps == e)).sum() for e in np.unique(records.eps)]
            for x in np.unique(records.x)
        ],
        dtype=float,
    )
    if min(counts.shape) < 2:
        return 0.0, 0.0
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return statistic, float(np.sqrt(statistic / counts.sum() / (min(counts.shape) - 1)))
