"""Questions about mechanisms and claims beyond whether a claim is true."""

from __future__ import annotations

from ahdp_verify.search.limits import enforce_limits
from ahdp_verify.search.simplify import canonical_form

__all__ = (
    "canonical_form",
    "enforce_limits",
)
