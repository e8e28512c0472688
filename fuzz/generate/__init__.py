"""Generators of cases, one file for each family; KINDS has the weight of each kind."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fuzz.case import Outcome
from fuzz.generate import (
    analyses,
    composites,
    deltas,
    intervals,
    mutations,
    notions,
    queries,
    smooth,
    statements,
    verdicts,
)

KINDS: dict[str, tuple[int, Callable[[Random], Outcome]]] = {
    **verdicts.KINDS,
    **composites.KINDS,
    **analyses.KINDS,
    **mutations.KINDS,
    **statements.KINDS,
    **smooth.KINDS,
    **deltas.KINDS,
    **intervals.KINDS,
    **notions.KINDS,
    **queries.KINDS,
}
