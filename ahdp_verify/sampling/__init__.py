"""Draws from the distribution that is verified, and expressions in floats; needs numpy."""

from __future__ import annotations

from ahdp_verify.sampling.floats import Array, Columns, evaluate_columns
from ahdp_verify.sampling.goodness_of_fit import goodness_of_fit
from ahdp_verify.sampling.sample import sample

__all__ = ("Array", "Columns", "evaluate_columns", "goodness_of_fit", "sample")
