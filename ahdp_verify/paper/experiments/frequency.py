"""Section 6, experiment 2: relative frequencies of six levels of education by five methods, on
generated records.

Each publishes (noisy weight in the bin)/max(S, 1) for every bin, where S is the noisy weight of
all.  As printed, S(D) sums the weights of the *distinct* records: with 30 kinds of records it stays
below a constant, and the quotients grow with the number of records.  The repair counts all copies;
both are run.

>>> [len(parts) for parts in (REPAIRED, read_off(printed(HALF)))]
[7, 7]
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ahdp_verify.catalogue.frequency import ALPHA_1, ALPHA_2, EVERY, frequency, frequency_as_printed
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.record_expression import Body
from ahdp_verify.paper.experiments.generated import DEMANDS, LEVELS, Records, chi_squared
from ahdp_verify.paper.experiments.methods import HALF, Method, five
from ahdp_verify.paper.experiments.outcome import Curves, Line, Step, repeated, told
from ahdp_verify.paper.experiments.released import Part, centres, noise, read_off, scales
from ahdp_verify.sampling.floats import Array

THRESHOLDS = (Fraction(1, 10), Fraction(1))  # the paper's
NUMBER, SIZES = 3000, (50, 100, 200, 300, 500, 750, 1000, 1500, 2000, 2500, 3000)
TRIALS = 5000  # the paper's
BINS = tuple(range(1, len(LEVELS) + 1))
KINDS = Domain([(x, e) for x in BINS for e in DEMANDS])
COLUMNS = {
    "x": np.array([float(x) for x in BINS for _ in DEMANDS]),
    "eps": np.array([float(e) for _ in BINS for e in DEMANDS]),
}
MECHANISM = frequency(
    EVERY, BINS, weights=(ALPHA_1, ALPHA_2)
)  # verified for any numbers and weights at once
REPAIRED = read_off(MECHANISM)


def printed(weight: Body) -> Mechanism:
    """The mechanism as printed with alpha1 = alpha2 = weight, on the kinds of records that there
    are.
    """
    return frequency_as_printed(KINDS, BINS, weights=(weight, weight))


def kinds(records: Records) -> Array:
    """The number of the kind of each record, in the order of `KINDS`."""
    demand = np.array([float(e) for e in DEMANDS])
    return (records.x.astype(int) - 1) * len(DEMANDS) + np.searchsorted(demand, records.eps)


def tallies(kind: Array, sizes: Sequence[int], stays: Array | None = None) -> Array:
    """How many of the first records there are of each kind, for each size; with `stays`, of
    those that stay.
    """
    weights = np.ones(len(kind)) if stays is None else stays
    parts = [
        np.bincount(kind[a:b], weights[a:b], len(KINDS.records))
        for a, b in itertools.pairwise((0, *sizes))
    ]
    return np.cumsum(parts, axis=0)


@dataclass(frozen=True, slots=True)
class Published:
    """A mechanism ready to run: its centres as a function of the counts of kinds, and the scales
    of its noise.
    """

    centres: Callable[[Array], Array]
    scales: Array

    def shares(self, rng: Any, counts: Array) -> Array:
        """The published frequencies of each dataset."""
        outputs = self.centres(counts)
        outputs = outputs + noise(rng, self.scales, outputs.shape[:-1])
        return outputs[..., :-1] / np.maximum(outputs[..., -1:], 1)


def published(method: Method, parts: tuple[Part, ...]) -> Published:
    """The mechanism with these parts, at the weights of a method."""
    alpha = method.weights(COLUMNS["eps"])
    return Published(centres(parts, {**COLUMNS, "alpha1": alpha, "alpha2": alpha}), scales(parts))


def fractions_of(counts: Array) -> Array:
    """The true frequencies of the bins of each dataset."""
    return counts.reshape(*counts.shape[:-1], len(BINS), len(DEMANDS)).sum(axis=-1) / counts.sum(
        axis=-1, keepdims=True
    )


def limit_of(method: Method, counts: Array) -> float:
    """The largest error of the weighted frequencies, to which that of the repaired mechanism
    tends.
    """
    weighted = counts * method.limiting(COLUMNS["eps"])
    return (
        float(np.abs(fractions_of(weighted) - fractions_of(counts)).max())
        if weighted.sum()
        else float(fractions_of(counts).max())
    )


def frequency_curves(
    records: Records,
    sizes: Sequence[int],
    thresholds: Sequence[Fraction],
    trials: int,
    seed: int,
    step: Step,
) -> Curves:
    """The largest errors of all methods, averaged, against the number of records, with what they
    tend to.
    """
    methods = five(thresholds, share=HALF)
    run_by = [
        (m, (published(m, REPAIRED), published(m, read_off(printed(m.share * m.weight)))))
        for m in methods
    ]
    kind = kinds(records)

    def run(rng: Any) -> Array:
        order = rng.permutation(len(kind))
        true, errors = fractions_of(tallies(kind[order], sizes)), []
        for method, both in run_by:
            counts = tallies(kind[order], sizes, method.stays(rng, records.eps)[order])
            errors += [np.abs(way.shares(rng, counts) - true).max(axis=-1) for way in both]
        return np.array(errors)

    found = np.array(repeated(run, trials, seed, step))  # trials, methods twice, sizes
    every = tallies(kind, (len(kind),))[0]
    lines = tuple(
        Line(
            f"{m}{', S(D) as printed' if j else ''}",
            {
                "mean_largest_error": found[:, 2 * i + j].mean(axis=0),
                "standard_error": found[:, 2 * i + j].std(axis=0) / np.sqrt(len(found)),
            },
            None if j else limit_of(m, every),
            "variant" if j else "method",
        )
        for j in (0, 1)
        for i, m in enumerate(methods)
    )
    curves = Curves(
        "li",
        "Frequencies of levels of education: error against the number of records",
        ("records", "mean largest error of a frequency (l∞), no unit"),
        tuple(sizes),
        lines,
        CAPTION.format(trials=len(found)),
        notes(records, len(found), trials, seed),
        (),
        (len(found), trials),
        variants=VARIANTS.format(trials=len(found)),
    )
    return curves.with_found(compared(curves))


CAPTION = (
    "mean over {trials} trials of the largest error among six frequencies; GENERATED records, "
    "since those of the paper are not available; S(D) repaired to count all "
    "copies, clipped at 1. Thin dotted lines: the exact limits."
)


VARIANTS = (
    "mean over {trials} trials; GENERATED records; S(D) as printed sums the weights of the "
    "distinct records, stays below a constant, and lets the quotients grow with "
    "the number of records."
)


def notes(records: Records, done: int, asked: int, seed: int) -> tuple[str, ...]:
    """How the numbers came about, and what differs from the paper."""
    statistic, cramer = chi_squared(records)
    return (
        f"{records.told}; chi-squared {statistic:.1f}, Cramer's V {cramer:.3f} (the paper gives a "
        f"p-value of 0)",
        f"levels 1 to 6: {', '.join(LEVELS)}; demands {', '.join(map(str, DEMANDS))}",
        f"seed {seed}; {told(done, asked)} (the paper: {TRIALS}), each with a new random subset; "
        f"error against the frequencies of the subset",
        f"mechanism: {MECHANISM.name}, half of everybody's weight for each of the two",
        "the Sample Mechanism runs the same with weight t/2 on the records that stay; the paper "
        "does not say which t-DP mechanism it runs",
        "differs from the paper: S(D) counts every copy (as printed it counts distinct records, "
        "which estimates no size), and is clipped at 1",
        "S(D) as printed: the same with the sum over distinct records; its error grows with the "
        "number of records, and has no limit",
        "limit: the largest difference of the frequencies weighted by w from the true ones, over "
        "all records, w = weight times probability of staying",
    )


def compared(curves: Curves) -> tuple[str, ...]:
    """What the paper says beside what was found."""
    best = curves.ranking[0]
    others = ", ".join(f"{line.limit:.4g}" for line in curves.ranking[1:])
    grown = [line for line in curves.lines if line.kind == "variant"]
    return (
        f"paper: the Sample Mechanism with t = 0.1 outperforms the others; found: {best.method} "
        f"is lowest at size {curves.sizes[-1]}",
        f"paper: its error does not vanish, and the others' is significant; found: its limit is "
        f"{best.limit or 0:.4g}, the others' are {others}",
        f"with S(D) as printed the error at size {curves.sizes[-1]} is "
        f"{min(line.main[-1] for line in grown):.4g} or more",
    )
