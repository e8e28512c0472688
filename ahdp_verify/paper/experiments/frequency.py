"""Section 6, experiment 2: relative frequencies of six levels of education by five methods, on
generated records.

Each publishes (noisy weight in the bin)/max(S, 1) for every bin, where S is the noisy weight of
all.  As printed, S(D) sums the weights of the *distinct* records: with 30 kinds of records it stays
below a constant, and the quotients grow with the number of records.  The repair counts all copies;
both are run.

>>> [len(parts) for parts in (REPAIRED, laplace_outputs(printed_mechanism(HALF)))]
[7, 7]
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ahdp_verify import Domain, Mechanism
from ahdp_verify.catalogue import Body
from ahdp_verify.paper.catalogue.frequency import (
    ALPHA_1,
    ALPHA_2,
    EVERY,
    frequency,
    frequency_as_printed,
)
from ahdp_verify.paper.experiments.draws import Draws, Run, Trials
from ahdp_verify.paper.experiments.generated import (
    DEMANDS,
    LEVELS,
    GeneratedRecords,
    demand_dependence,
    experiment_setting,
    read_setting,
)
from ahdp_verify.paper.experiments.methods import HALF, Method, five_methods
from ahdp_verify.paper.experiments.outcome import Curves, MethodCurve, trials_text
from ahdp_verify.paper.experiments.released import (
    LaplaceOutput,
    centre_function,
    laplace_noise,
    laplace_outputs,
    noise_scales,
)
from ahdp_verify.sampling import Array

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
REPAIRED = laplace_outputs(MECHANISM)


def printed_mechanism(weight: Body) -> Mechanism:
    """The mechanism as printed with alpha1 = alpha2 = weight, on the kinds of records that there
    are.
    """
    return frequency_as_printed(KINDS, BINS, weights=(weight, weight))


def kind_numbers(records: GeneratedRecords) -> Array:
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
class RunnableMechanism:
    """A mechanism ready to run: its centres as a function of the counts of kinds, and the scales
    of its noise.
    """

    centres: Callable[[Array], Array]
    scales: Array

    def shares(self, rng: Any, counts: Array) -> Array:
        """The published frequencies of each dataset."""
        outputs = self.centres(counts)
        outputs = outputs + laplace_noise(rng, self.scales, outputs.shape[:-1])
        return outputs[..., :-1] / np.maximum(outputs[..., -1:], 1)


def runnable_mechanism(method: Method, parts: tuple[LaplaceOutput, ...]) -> RunnableMechanism:
    """The mechanism with these parts, at the weights of a method."""
    alpha = method.weights(COLUMNS["eps"])
    return RunnableMechanism(
        centre_function(parts, {**COLUMNS, "alpha1": alpha, "alpha2": alpha}), noise_scales(parts)
    )


def true_frequencies(counts: Array) -> Array:
    """The true frequencies of the bins of each dataset."""
    return counts.reshape(*counts.shape[:-1], len(BINS), len(DEMANDS)).sum(axis=-1) / counts.sum(
        axis=-1, keepdims=True
    )


def frequency_error_limit(method: Method, counts: Array) -> float:
    """The largest error of the weighted frequencies, to which that of the repaired mechanism
    tends.
    """
    weighted = counts * method.limiting(COLUMNS["eps"])
    return (
        float(np.abs(true_frequencies(weighted) - true_frequencies(counts)).max())
        if weighted.sum()
        else float(true_frequencies(counts).max())
    )


def frequency_trial(setting: Any) -> Run:
    """The largest errors at all sizes of all methods, each as repaired and as printed: methods
    twice, sizes.
    """
    records, sizes, thresholds = read_setting(setting)
    methods = five_methods(thresholds, share=HALF)
    run_by = [
        (
            m,
            (
                runnable_mechanism(m, REPAIRED),
                runnable_mechanism(m, laplace_outputs(printed_mechanism(m.share * m.weight))),
            ),
        )
        for m in methods
    ]
    kind = kind_numbers(records)

    def run(number: int, rng: Any) -> Array:
        order = rng.permutation(len(kind))
        true, errors = true_frequencies(tallies(kind[order], sizes)), []
        for method, both in run_by:
            counts = tallies(kind[order], sizes, method.stays(rng, records.eps)[order])
            errors += [np.abs(way.shares(rng, counts) - true).max(axis=-1) for way in both]
        return np.array(errors)

    return run


def frequency_curves(
    records: GeneratedRecords,
    sizes: Sequence[int],
    thresholds: Sequence[Fraction],
    trials: int,
    seed: int,
    draw: Draws,
) -> Curves:
    """The largest errors of all methods, averaged, against the number of records, with what they
    tend to.
    """
    methods, kind = five_methods(thresholds, share=HALF), kind_numbers(records)
    asked = Trials(frequency_trial, experiment_setting(records, sizes, thresholds))
    found = np.array(draw(asked, trials, seed))  # trials, methods twice, sizes
    every = tallies(kind, (len(kind),))[0]
    lines = tuple(
        MethodCurve(
            f"{m}{', S(D) as printed' if j else ''}",
            {
                "mean_largest_error": found[:, 2 * i + j].mean(axis=0),
                "standard_error": found[:, 2 * i + j].std(axis=0) / np.sqrt(len(found)),
            },
            None if j else frequency_error_limit(m, every),
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
        frequency_notes(records, len(found), trials, seed),
        (),
        (len(found), trials),
        variants=VARIANTS.format(trials=len(found)),
    )
    return curves.with_found(frequency_comparison(curves))


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


def frequency_notes(records: GeneratedRecords, done: int, asked: int, seed: int) -> tuple[str, ...]:
    """How the numbers came about, and what differs from the paper."""
    statistic, cramer = demand_dependence(records)
    return (
        f"{records.description}; chi-squared {statistic:.1f}, Cramer's V {cramer:.3f} (the paper gives a "
        f"p-value of 0)",
        f"levels 1 to 6: {', '.join(LEVELS)}; demands {', '.join(map(str, DEMANDS))}",
        f"seed {seed}; {trials_text(done, asked)} (the paper: {TRIALS}), each with a new random subset; "
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


def frequency_comparison(curves: Curves) -> tuple[str, ...]:
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
