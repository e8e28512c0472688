"""Section 6, experiment 1: the mean weight by five methods, on generated records.

Each publishes (noisy sum of weight * x)/max(noisy sum of weight, 1).  The clipping, as in ex:mean,
costs nothing and is needed: without it the quotient has no second moment (E12), so there is no
mean-squared error to plot.  As records become many the quotient tends to the weighted mean, and the
error to the square of Cov(x, w)/E w, w = keep * weight.

>>> records = GeneratedRecords(np.array([1.0, 3.0]), np.array([1.0, 0.0]), 1, 0.0)
>>> mean_error_limit(five_methods((Fraction(1),))[0], records)
1.0
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ahdp_verify import Domain
from ahdp_verify.paper.catalogue.mean import ALPHA_1, ALPHA_2, weighted_mean
from ahdp_verify.paper.experiments.draws import Draws, Run, Trials
from ahdp_verify.paper.experiments.generated import (
    BOUNDS,
    GeneratedRecords,
    experiment_setting,
    read_setting,
)
from ahdp_verify.paper.experiments.methods import HALF, Method, five_methods
from ahdp_verify.paper.experiments.outcome import (
    Curves,
    MethodCurve,
    nested_subsets,
    trials_text,
)
from ahdp_verify.paper.experiments.released import (
    LaplaceOutput,
    centre_function,
    laplace_noise,
    laplace_outputs,
    noise_scales,
)
from ahdp_verify.sampling import Array

THRESHOLDS = (Fraction(2), HALF)  # the paper's
NUMBER, SIZES = 2200, (50, 100, 150, 200, 300, 400, 600, 800, 1000, 1400, 1800, 2200)
TRIALS = 5000  # the paper's
# Every dataset of weights with any alpha1 + alpha2 up to the demand: the mechanism is verified for
# all of these at once.
MECHANISM = weighted_mean(
    Domain.universal(
        {
            "alpha1": "0 <= alpha1",
            "alpha2": "0 <= alpha2 and alpha1 + alpha2 <= eps",
            "x": f"{BOUNDS[0]} <= x <= {BOUNDS[1]}",
        }
    ),
    weights=(ALPHA_1, ALPHA_2),
    bounds=BOUNDS,
)


def mean_estimates(
    rng: Any,
    method: Method,
    parts: tuple[LaplaceOutput, ...],
    records: GeneratedRecords,
    subsets: Array,
) -> Array:
    """The published mean of each subset; a subset is a row of copies of each record."""
    alpha = method.weights(records.eps)
    outputs = centre_function(parts, {"alpha1": alpha, "alpha2": alpha, "x": records.x})(
        subsets * method.stays(rng, records.eps)
    )
    outputs = outputs + laplace_noise(rng, noise_scales(parts), outputs.shape[:-1])
    return outputs[..., 0] / np.maximum(outputs[..., 1], 1)


def mean_error_limit(method: Method, records: GeneratedRecords) -> float:
    """The squared bias of the weighted mean, to which the error tends."""
    w = method.limiting(records.eps)
    return (
        float((w @ records.x / w.sum() - records.x.mean()) ** 2)
        if w.sum()
        else float(records.x.mean() ** 2)
    )


def mean_trial(setting: Any) -> Run:
    """The squared errors of all methods at all sizes: methods, sizes."""
    records, sizes, thresholds = read_setting(setting)
    methods, parts = five_methods(thresholds, share=HALF), laplace_outputs(MECHANISM)

    def run(number: int, rng: Any) -> Array:
        subsets = nested_subsets(rng, len(records.x), sizes)
        true = subsets @ records.x / np.array(sizes)
        return np.stack(
            [
                (mean_estimates(rng, method, parts, records, subsets) - true) ** 2
                for method in methods
            ]
        )

    return run


def mean_curves(
    records: GeneratedRecords,
    sizes: Sequence[int],
    thresholds: Sequence[Fraction],
    trials: int,
    seed: int,
    draw: Draws,
) -> Curves:
    """The mean-squared errors of all methods against the number of records, with what they tend
    to.
    """
    methods = five_methods(thresholds, share=HALF)
    asked = Trials(mean_trial, experiment_setting(records, sizes, thresholds))
    found = np.array(draw(asked, trials, seed))  # trials, methods, sizes
    lines = tuple(
        MethodCurve(
            str(m),
            {
                "mean_squared_error": found[:, i].mean(axis=0),
                "standard_error": found[:, i].std(axis=0) / np.sqrt(len(found)),
            },
            mean_error_limit(m, records),
        )
        for i, m in enumerate(methods)
    )
    curves = Curves(
        "MSE",
        "Mean weight: error against the number of records",
        ("records", "mean-squared error, kg²"),
        tuple(sizes),
        lines,
        CAPTION.format(trials=len(found)),
        mean_notes(records, len(found), trials, seed),
        (),
        (len(found), trials),
    )
    return curves.with_found(mean_comparison(curves))


CAPTION = (
    "mean over {trials} trials; GENERATED records, since those of the paper are not available; "
    "denominators clipped at 1. Thin dotted lines: the exact limits, "
    "squares of the bias of the weighted mean."
)


def mean_notes(records: GeneratedRecords, done: int, asked: int, seed: int) -> tuple[str, ...]:
    """How the numbers came about, and what differs from the paper."""
    return (
        records.description,
        f"seed {seed}; {trials_text(done, asked)} (the paper: {TRIALS}), each with a new random subset; "
        f"error against the mean of the subset",
        f"mechanism: {MECHANISM.name}, l = {BOUNDS[0]}, h = {BOUNDS[1]}, half of everybody's "
        f"weight for each of the two",
        "the Sample Mechanism runs the same with weight t/2 on the records that stay; the paper "
        "does not say which t-DP mechanism it runs",
        "differs from the paper: the denominator is clipped at 1, since the mean-squared error "
        "does not exist otherwise",
        "limit: the square of Cov(x, w)/E w over all records, w = weight times probability of "
        "staying",
    )


def mean_comparison(curves: Curves) -> tuple[str, ...]:
    """What the paper says beside what was found."""
    best = curves.ranking[0]
    weighted = [line for line in curves.lines if line.method.startswith("alpha")]
    last = len(curves.sizes) - 1
    worst = max(weighted, key=lambda line: float(line.main[last]))
    return (
        f"paper: the Sample Mechanism with t = 0.5 outperforms the others, with vanishing error; "
        f"found: {best.method} is lowest at size {curves.sizes[-1]}, "
        f"its limit is {best.limit or 0:.4g} kg^2",
        f"paper: the others seem to incur a constant error; found: limits "
        f"{', '.join(f'{line.limit:.4g}' for line in curves.lines if line is not best)} kg^2",
        f"paper: the linear query with alpha = eps/2 is worse than the other two; found: "
        f"{worst.method} is the worst of the three",
    )
