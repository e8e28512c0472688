"""Draws from the very distribution that is verified, and expressions in floats; needs numpy."""

from __future__ import annotations

from ahdp_verify.sampling.floats import Array, Columns, evaluated
from ahdp_verify.sampling.sample import sample

__all__ = ("Array", "Columns", "evaluated", "sample")
