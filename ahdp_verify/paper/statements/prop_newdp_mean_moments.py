"""The unclipped mean has neither bias nor mean squared error."""

from ahdp_verify.analysis.moments.moments import infinite_mean, mean, variance
from ahdp_verify.paper.statements.checks import (
    BY_MOMENTS,
    holds,
    mechanism_of,
    refusal,
    without_mean,
)
from ahdp_verify.paper.statements.row import Row

FILE = "paper/mean.toml"

CHECKS = (
    without_mean(
        lambda: infinite_mean(mechanism_of(FILE), of="m/n"),
        "the mean of the ratio, on every dataset",
    ),
    without_mean(lambda: infinite_mean(mechanism_of(FILE), of="(m/n)^2"), "its second moment"),
    refusal(lambda: mean(mechanism_of(FILE), of="m/n"), "bias of the ratio", "more"),
    holds(
        lambda: variance(mechanism_of(FILE), of="m"),
        "==",
        "2*(h - l)^2",
        role="repair",
        says="the variance of the numerator",
        unknowns={"l": "", "h": "h > l"},
        given=BY_MOMENTS,
    ),
    holds(
        "abs(m/max(n, 1))",
        "<=",
        "abs(m)",
        role="repair",
        says="with the denominator clipped at 1 the output is at most the numerator, which has "
        "mean and variance",
        unknowns={"m": "", "n": ""},
        given=("monotonicity of the integral",),
    ),
)

ROW = Row(
    label="prop:newDP-mean, moments",
    says=r"The mean mechanism of prop:newDP-mean has a bias and a mean squared error, as the "
    r"figures of the experiments suppose.",
    checks=CHECKS,
    note=r"$E|N/S| = E|N| \cdot E(1/|S|) = \infty$, since the density of the denominator is "
    r"positive at 0; a clipped denominator $\max(S, 1)$ is needed for both.",
    section="5.2, 6",
)
