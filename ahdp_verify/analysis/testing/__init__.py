"""Hypothesis tests between two inputs: error rates, odds and trade-off curves."""

from __future__ import annotations

from ahdp_verify.analysis.testing.error_rates import (
    Errors,
    Odds,
    PrivacyRegion,
    error_rates,
    implied_level,
    odds,
    odds_range,
    privacy_region,
    satisfies,
)
from ahdp_verify.analysis.testing.tradeoff import Tradeoff, tradeoff

__all__ = (
    "Errors",
    "Odds",
    "PrivacyRegion",
    "Tradeoff",
    "error_rates",
    "implied_level",
    "odds",
    "odds_range",
    "privacy_region",
    "satisfies",
    "tradeoff",
)
