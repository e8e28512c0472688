"""Tests that tell two inputs apart: what their errors say of the level, and the odds of an adversary.

The errors themselves are `error_rates.error_rates` and `tradeoff.tradeoff`.
"""

from __future__ import annotations

from ahdp_verify.analysis.testing.error_rates import (
    implied_level,
    odds,
    odds_range,
    privacy_region,
    satisfies,
)

__all__ = (
    "implied_level",
    "odds",
    "odds_range",
    "privacy_region",
    "satisfies",
)
