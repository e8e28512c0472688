"""Means, variances and biases of a mechanism's outputs, and their limits."""

from __future__ import annotations

from ahdp_verify.analysis.moments.asymptotics import (
    asymptotic_bias,
    average,
    covariance,
    limit,
    log_uniform,
)
from ahdp_verify.analysis.moments.context import value_at
from ahdp_verify.analysis.moments.enclosure import Enclosure, enclosure
from ahdp_verify.analysis.moments.infinite import InfiniteMean
from ahdp_verify.analysis.moments.moments import (
    bias,
    infinite_mean,
    mean,
    mean_shift_bound,
    variance,
)

__all__ = (
    "Enclosure",
    "InfiniteMean",
    "asymptotic_bias",
    "average",
    "bias",
    "covariance",
    "enclosure",
    "infinite_mean",
    "limit",
    "log_uniform",
    "mean",
    "mean_shift_bound",
    "value_at",
    "variance",
)
