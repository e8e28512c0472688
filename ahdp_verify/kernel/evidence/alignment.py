"""Evidence that a noise program is private: by how much to shift each noise.

A shift is affine in the amounts by which the answers move: the pairs of a name and its coefficient,
the constant under the name "".

`PathShifts` are the shifts on one path, one for each noise in the order in which they are drawn.
With several `rows`, each row holds constants, for one vertex of the box of the amounts on which the
path depends (whole amounts: for each whole point), in lexicographic order of the amounts by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.model.program_claim import Affine
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.stored import name_kinds


@dataclass(frozen=True, slots=True)
class PathShifts:
    """The shifts on a path, or a proof that no noise takes it: rows of the path, by index, with
    positive factors, whose sum is a contradiction.
    """

    rows: tuple[tuple[Affine, ...], ...]
    never: tuple[tuple[int, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """Paths with one output that are treated as one; for each path, and for each row of the region,
    the rows of the path, by index, that add up to it.
    """

    paths: tuple[int, ...]
    sums: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class WholeRuns:
    """The shifts for one of the moves of a claim, for a fixed number of queries: for each path, or
    for each region.
    """

    shifts: tuple[PathShifts, ...]


@dataclass(frozen=True, slots=True)
class CutRuns:
    """The same, where Gaussian noise is considered on its cut only: for each noise that is cut, by
    its name in whole runs, w > 0, and the cut |x| <= scale * sqrt(2 w).
    """

    shifts: tuple[PathShifts, ...]
    cuts: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Head:
    """What holds when a query is awaited in a state and phase.

    differences    by how much registers of the second run exceed those of the first; a register
                   that is not listed is not used any more
    left           the privacy loss that may still occur
    bodies         for each phase of the next round, the shifts on each path of the body
    end            the shifts on each path of the end of the state; none if it cannot be reached
    """

    state: str
    phase: int
    differences: tuple[tuple[str, Fraction], ...]
    left: Expression
    bodies: tuple[tuple[int, tuple[PathShifts, ...]], ...]
    end: tuple[PathShifts, ...]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The shifts for one of the moves of a claim, for any number of queries.

    ages     where one query moves: the rounds after it that are told apart
    start    the shifts on each path before the first query
    """

    ages: int
    start: tuple[PathShifts, ...]
    heads: tuple[Head, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """A proof of the program claim with this fingerprint: for each of its moves the shifts, and the
    regions into which paths are merged (none: each path is its own).
    """

    claim: str
    regions: tuple[Region, ...]
    moves: tuple[WholeRuns | CutRuns | Rounds, ...]


ALIGNMENT_KINDS: dict[str, type] = {
    "alignment": Alignment,
    "whole runs": WholeRuns,
    "cut runs": CutRuns,
    "rounds": Rounds,
    "head": Head,
    "region": Region,
    "shifts": PathShifts,
}
name_kinds(ALIGNMENT_KINDS)
