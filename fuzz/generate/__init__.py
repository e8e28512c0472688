"""Generators of cases, one file for each family; KINDS has the weight of each kind."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fuzz.case import Outcome
from fuzz.generate import (
    composites,
    deltas,
    error_rates,
    intervals,
    levels,
    moments,
    mutations,
    notions,
    parameters,
    powers,
    queries,
    smooth,
    statements,
    verdicts,
)

FAMILIES = (
    verdicts,
    composites,
    levels,
    parameters,
    error_rates,
    powers,
    moments,
    mutations,
    statements,
    smooth,
    deltas,
    intervals,
    notions,
    queries,
)
KINDS: dict[str, tuple[int, Callable[[Random], Outcome]]] = {
    kind: drawn for family in FAMILIES for kind, drawn in family.KINDS.items()
}
