"""Tests that tell two inputs apart: their errors, what these say of the level, and the odds of an
adversary.
"""

from __future__ import annotations

from ahdp_verify.analysis.testing.error_rates import (
    error_rates,
    implied_level,
    odds,
    odds_range,
    privacy_region,
    satisfies,
)

__all__ = (
    "error_rates",
    "implied_level",
    "odds",
    "odds_range",
    "privacy_region",
    "satisfies",
)
