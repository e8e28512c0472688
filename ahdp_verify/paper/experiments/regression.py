"""Section 6, experiment 3: linear regression on California housing, with demands drawn at random,
log eps ~ U[-5, 2].

alg:LR publishes A = X' diag(alpha) X and b = X' diag(alpha) y, noisy, and solves A theta = b.  The
Sample Mechanism keeps records at random and runs the functional mechanism of Zhang et al. (PVLDB
2012) at level t on them: it publishes the noisy coefficients of the squared error, adds 5 standard
deviations of the noise to the diagonal, leaves out the eigenvalues that are not positive, and
minimises what is left, as the program of its authors does (Functional_Linear.m, 2012; that program
also fits a constant, and leaves out y^2: scale 2 d^2 + 4 d over t).

Everything published is a sum over the records, so that one pass over them gives it for all sizes
and weights.

>>> x = np.array([[1.0, 0.5], [-0.5, 1.0], [0.2, -1.0]])
>>> release = make_release(parts_per_unit(regression(2)), x, x @ [2.0, -1.0])
>>> solve_full(np.ones((1, 3)) @ release.added, release.scales).round(9).tolist()
[[2.0, -1.0]]
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ahdp_verify import Mechanism
from ahdp_verify.catalogue import functional
from ahdp_verify.paper.catalogue.regression import ALPHA, regression, regression_upper
from ahdp_verify.paper.experiments.draws import Draws, Run, Trials
from ahdp_verify.paper.experiments.housing import Housing, housing_setting, read_housing_setting
from ahdp_verify.paper.experiments.methods import HALF, Method, five_methods
from ahdp_verify.paper.experiments.outcome import Curves, MethodCurve, trials_text
from ahdp_verify.paper.experiments.released import (
    LaplaceOutput,
    laplace_noise,
    laplace_outputs,
    noise_scales,
    output_per_unit,
    record_contributions,
)
from ahdp_verify.sampling import Array, Columns

LOG_EPS = (-5.0, 2.0)
# standard deviations of the noise that go onto the diagonal, as in the program of the mechanism's
# authors
RIDGE = 5
THRESHOLDS = (
    Fraction(1, 2),
    Fraction(2),
)  # those of the paper's first experiment: it gives none for this one
TRIALS = 200  # the paper's
UNREPAIRED = ", as it is"
Solve = Callable[[Array, Array], Array]  # (outputs in the last axis, their scales) -> theta


@dataclass(frozen=True, slots=True)
class Release:
    """A mechanism on given rows: what each row adds to each output at weight 1, rows by outputs,
    and the scale of each output's noise.
    """

    added: Array
    scales: Array

    def with_noise(self, rng: Any, centres: Array) -> Array:
        """What is published."""
        return centres + laplace_noise(rng, self.scales, centres.shape[:-1])


@dataclass(frozen=True, slots=True)
class RegressionFit:
    """A method, what it publishes, and the ways in which coefficients are worked out from that:
    (name, kind, solve).
    """

    method: Method
    release: Release
    ways: tuple[tuple[str, str, Solve], ...]

    def weights(self, rng: Any, eps: Array) -> Array:
        """The weight of each row: that of alg:LR, or 1 for those that the Sample Mechanism keeps
        (its level is in the scale of the noise).
        """
        return (
            self.method.weights(eps)
            if self.method.threshold is None
            else self.method.stays(rng, eps)
        )


def parts_per_unit(mechanism: Mechanism) -> tuple[LaplaceOutput, ...]:
    """The parts of a mechanism at weight alpha = 1."""
    return tuple(output_per_unit(part, ALPHA) for part in laplace_outputs(mechanism))


def make_release(parts: tuple[LaplaceOutput, ...], x: Array, y: Array) -> Release:
    """The mechanism with these parts on rows x with targets y."""
    return Release(record_contributions(parts, record_columns(x, y)), noise_scales(parts))


def record_columns(x: Array, y: Array) -> Columns:
    """The parts of the records with these rows and targets."""
    return {"y": y, **{f"x[{i}]": column for i, column in enumerate(x.T, 1)}}


def solve_full(outputs: Array, b: Array) -> Array:
    """A^-1 b of alg:LR: the d^2 entries of A row by row, then b."""
    d = number_of_features(outputs.shape[-1], lambda d: d * d + d)
    return solve_systems(
        outputs[..., : d * d].reshape(*outputs.shape[:-1], d, d), outputs[..., d * d :]
    )


def solve_upper(outputs: Array, b: Array) -> Array:
    """A^-1 b where only the upper triangle of A is published, row by row."""
    d = number_of_features(outputs.shape[-1], lambda d: d * (d + 3) // 2)
    rows, columns = np.triu_indices(d)
    matrix = np.empty((*outputs.shape[:-1], d, d))
    matrix[..., rows, columns] = matrix[..., columns, rows] = outputs[..., : len(rows)]
    return solve_systems(matrix, outputs[..., len(rows) :])


def solve_systems(matrix: Array, right: Array) -> Array:
    """The solutions of many systems of equations."""
    return np.linalg.solve(matrix, right[..., None])[..., 0]


def noisy_quadratic(outputs: Array) -> tuple[Array, Array]:
    """(A, b) of the noisy squared error theta' A theta + b' theta + c, with A symmetric."""
    d = number_of_features(outputs.shape[-1], lambda d: (d + 1) ** 2 - d)
    matrix = outputs[..., 1 + d :].reshape(*outputs.shape[:-1], d, d)
    return (matrix + np.swapaxes(matrix, -1, -2)) / 2, outputs[..., 1 : 1 + d]


def stationary_coefficients(outputs: Array, b: Array) -> Array:
    """The place where the noisy squared error is stationary, without any repair."""
    matrix, linear = noisy_quadratic(outputs)
    return solve_systems(2 * matrix, -linear)


def repaired_coefficients(outputs: Array, b: Array) -> Array:
    """The minimum of the noisy squared error after `RIDGE` and without the eigenvalues that are
    not positive.
    """
    matrix, linear = noisy_quadratic(outputs)
    values, vectors = np.linalg.eigh(matrix + RIDGE * np.sqrt(2) * b[-1] * np.eye(matrix.shape[-1]))
    inverse = np.divide(1, values, out=np.zeros_like(values), where=values > 0)
    turned = np.einsum("...ij,...i->...j", vectors, linear)
    return -np.einsum("...ij,...j->...i", vectors, inverse * turned) / 2


def number_of_features(outputs: int, count: Callable[[int], int]) -> int:
    """The number d of features of so many outputs."""
    return next(d for d in range(1, outputs + 1) if count(d) == outputs)


def all_fits(x: Array, y: Array, thresholds: Sequence[Fraction]) -> tuple[RegressionFit, ...]:
    """All methods on the training rows: each weight with all of A and with its upper triangle,
    each threshold as published, without repair, with half the noise.
    """
    full, upper = (
        make_release(parts_per_unit(make(x.shape[1])), x, y)
        for make in (regression, regression_upper)
    )
    parts, halved = (laplace_outputs(functional(x.shape[1], noise=factor)) for factor in (1, HALF))
    coefficients = record_contributions(parts, record_columns(x, y))
    weighted, sampled = (
        [m for m in five_methods(thresholds) if (m.threshold is None) == plain]
        for plain in (True, False)
    )

    def at(noisy: tuple[LaplaceOutput, ...], method: Method) -> Release:
        assert method.threshold is not None
        return Release(coefficients, noise_scales(noisy, {"t": float(method.threshold)}))

    return (
        *(RegressionFit(m, full, ((str(m), "method", solve_full),)) for m in weighted),
        *(
            RegressionFit(m, upper, ((f"{m}, upper triangle", "variant", solve_upper),))
            for m in weighted
        ),
        *(
            RegressionFit(
                m,
                at(parts, m),
                (
                    (str(m), "method", repaired_coefficients),
                    (f"{m}{UNREPAIRED}", "variant", stationary_coefficients),
                ),
            )
            for m in sampled
        ),
        *(
            RegressionFit(
                m, at(halved, m), ((f"{m}, half the noise", "variant", repaired_coefficients),)
            )
            for m in sampled
        ),
    )


def residuals(theta: Array, x: Array, y: Array) -> Array:
    """(median absolute, root mean square) residual of each row of coefficients, in the first
    axis.
    """
    errors = theta @ x.T - y
    return np.stack([np.median(np.abs(errors), axis=-1), np.sqrt((errors**2).mean(axis=-1))])


def random_demands(rng: Any, n: int) -> Array:
    """n independent demands with log eps ~ U[-5, 2]."""
    return np.exp(rng.uniform(*LOG_EPS, n))


LEAST_SQUARES = "least squares, not private"


def trial_residuals(
    rng: Any, data: Housing, listed: tuple[RegressionFit, ...], sizes: Sequence[int]
) -> Array:
    """The residuals of all ways of all fits, then of least squares: ways, measures, sizes."""
    n = len(data.train_y)
    eps, order = random_demands(rng, n), rng.permutation(n)
    thetas: list[Array] = []
    for _, group in itertools.groupby(listed, key=lambda fit: id(fit.release.added)):
        fitted = tuple(group)
        added = fitted[0].release.added
        sums = running_sums(
            np.stack([*(fit.weights(rng, eps) for fit in fitted), np.ones(n)]), added, order, sizes
        )
        for fit, centres in zip(fitted, sums, strict=False):
            outputs = fit.release.with_noise(rng, centres)
            thetas += [solve(outputs, fit.release.scales) for _, _, solve in fit.ways]
    thetas.append(
        stationary_coefficients(sums[-1], np.zeros(1))
    )  # of the functional mechanism without weights and noise
    return np.stack([residuals(theta, data.test_x, data.test_y) for theta in thetas])


def running_sums(weights: Array, added: Array, order: Array, sizes: Sequence[int]) -> Array:
    """The weighted sums over the first rows in that order, for each size: weights, sizes,
    outputs.
    """
    parts = [
        weights[:, rows] @ added[rows]
        for rows in (order[a:b] for a, b in itertools.pairwise((0, *sizes)))
    ]
    return np.cumsum(np.stack(parts, axis=1), axis=1)


def regression_trial(setting: Any) -> Run:
    """The residuals of all ways: ways, measures, sizes."""
    data = read_housing_setting(setting["data"])
    listed = all_fits(data.train_x, data.train_y, tuple(map(Fraction, setting["thresholds"])))
    return lambda number, rng: trial_residuals(rng, data, listed, setting["sizes"])


def regression_curves(
    data: Housing,
    sizes: Sequence[int],
    thresholds: Sequence[Fraction],
    trials: int,
    seed: int,
    draw: Draws,
) -> Curves:
    """The test errors of all methods against the number of training rows, the medians over the
    trials.
    """
    listed = all_fits(data.train_x, data.train_y, thresholds)
    setting = {
        "data": housing_setting(data),
        "sizes": list(sizes),
        "thresholds": list(map(str, thresholds)),
    }
    found = np.array(
        draw(Trials(regression_trial, setting), trials, seed)
    )  # trials, ways, measures, sizes
    ways = [(name, kind) for fit in listed for name, kind, _ in fit.ways] + [
        (LEAST_SQUARES, "baseline")
    ]
    lines = tuple(
        MethodCurve(name, residual_measures(found[:, i], data.dollars), None, kind)
        for i, (name, kind) in enumerate(ways)
    )
    unit = (
        f"median absolute test residual\nof the scaled target (1 = {data.dollars:,.0f} US dollars)"
    )
    curves = Curves(
        "LR",
        "Linear regression on California housing: median test error",
        ("training rows", unit),
        tuple(sizes),
        lines,
        CAPTION.format(trials=len(found), tests=len(data.test_y)),
        regression_notes(data, len(found), trials, seed),
        (),
        (len(found), trials),
        (float(np.median(np.abs(data.test_y))), "answering 0 to everything"),
        VARIANTS.format(trials=len(found)),
    )
    return curves.with_found(regression_comparison(curves, found, ways))


def residual_measures(found: Array, dollars: float) -> dict[str, Array]:
    """The columns of one way, from its residuals: trials, measures, sizes."""
    low, middle, high = np.quantile(found[:, 0], (0.25, 0.5, 0.75), axis=0)
    return {
        "median_absolute_residual": middle,
        "lower_quartile": low,
        "upper_quartile": high,
        "median_absolute_residual_in_dollars": middle * dollars,
        "root_mean_square_residual": np.median(found[:, 1], axis=0),
    }


CAPTION = (
    "median over {trials} trials of the median absolute residual on {tests:,} test rows; demands "
    "log eps ~ U[-5, 2]; linear queries by alg:LR, "
    "Sample Mechanism followed by the functional mechanism of Zhang et al. The paper says neither "
    "of which residual it takes the median nor which "
    "thresholds it takes."
)


VARIANTS = (
    "median over {trials} trials of the median absolute residual. alg:LR with only the upper "
    "triangle of A published, noise L(44) in place of L(72); Sample Mechanism with "
    "the functional mechanism as it is, without its repair, and with half its noise, which is "
    "what added records need."
)


def regression_notes(data: Housing, done: int, asked: int, seed: int) -> tuple[str, ...]:
    """How the numbers came about, and what differs from the paper."""
    return (
        f"seed {seed}; {trials_text(done, asked)}",
        f"data: {len(data.train_y):,} training rows, {len(data.test_y):,} test rows (the paper: "
        f"18,000 and about 2,000)",
        "every column is rescaled linearly to [-1, 1] by its least and greatest value in the "
        "whole file, which count as public",
        "demands are drawn anew in every trial, log eps ~ U[-5, 2], and so is the subset of each "
        "size",
        "alg:LR: noise L(d^2 + d) as printed, weights alpha = eps, 1 - exp(-eps), eps/(1 + eps), "
        "not halved, as the text says (the description of fig:LR has eps/2)",
        "upper triangle: the variant that publishes A once, noise L(d (d + 3)/2); level alpha too",
        "Sample Mechanism: alpha = eps, then the functional mechanism with its published noise "
        "L(2 (d + 1)^2/t), which is for replaced records: added ones lose t/2",
        f"its repair, as in its authors' program: {RIDGE} standard deviations of the noise on the "
        f"diagonal, no eigenvalue that is not positive; 'as it is' goes without",
        "half the noise: L((d + 1)^2/t), which added records need at level t",
        "columns: medians and quartiles over the trials; root_mean_square_residual: the median "
        "over the trials of that of the test rows; target 1 = half of its range",
    )


def regression_comparison(
    curves: Curves, found: Array, ways: list[tuple[str, str]]
) -> tuple[str, ...]:
    """What the paper says beside what was found; `found` are the residuals: trials, ways,
    measures, sizes.
    """
    names = [name for name, _ in ways]
    ranking = [line for line in curves.ranking if line.kind == "method"]
    first, second, stated = *ranking[:2], curves.lines[0]
    wins = int(
        (
            found[:, names.index(first.method), 0, -1] < found[:, names.index(second.method), 0, -1]
        ).sum()
    )
    remark = (
        " (not more than by chance: within two standard deviations of half)"
        if abs(wins - len(found) / 2) <= len(found) ** 0.5
        else ""
    )
    unrepaired = [line for line in curves.lines if line.method.endswith(UNREPAIRED)]
    weighted = [line for line in ranking if line.method.startswith("alpha")]
    rising = [line.method for line in ranking if line.main[-1] >= line.main[0]]
    return (
        f"paper: the linear query with the largest weights has lower error than the other "
        f"methods; found: {stated.method} is lowest at {times_lowest(stated, ranking)} "
        f"of {len(curves.sizes)} sizes, and at {times_lowest(stated, weighted + unrepaired)} with the "
        f"functional mechanism as it is, without its repair",
        f"found at size {curves.sizes[-1]}: {first.method} is lowest, below {second.method} in "
        f"{wins} of {len(found)} trials" + remark,
        "paper: more training rows generally help; found: the error falls from the smallest to "
        "the largest size for all methods" + (f" but {', '.join(rising)}" if rising else ""),
    )


def times_lowest(line: MethodCurve, others: Sequence[MethodCurve]) -> int:
    """At how many sizes a line lies below all others."""
    return int((line.main <= np.min([other.main for other in others], axis=0)).sum())
