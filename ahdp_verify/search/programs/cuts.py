"""Where to cut Gaussian noise: alignments of least cost among those whose tails add up to the delta
of a claim (`kernel.rules.cuts` is the rule that they have to satisfy).

Cut at z times its scale b, noise that is shifted by s costs z |s|/b + s^2/(2 b^2).  With A the sum
of |s|/b over the noises of one scale on a path, and N their number, the costs are least where

    minimise  sum of A z    over the scales,    where    sum of N tail(z) = delta

so that N tail(z) is proportional to A/(z + 1/z), since the derivative of the tail is about -(z +
1/z) times the tail.  Numbers z are rounded up to few digits; where delta is not a number, every
noise gets the same part of it, delta/N, in closed form: z = sqrt(2 log(N/delta)).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.evidence.alignment import Alignment, CutRuns, PathShifts, WholeRuns
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.program import Contest, Draw, Program, Tree, children
from ahdp_verify.kernel.model.program_claim import Moves, ProgramClaim, moves_of
from ahdp_verify.kernel.model.program_paths import Noise
from ahdp_verify.kernel.rules.alignment import Area
from ahdp_verify.kernel.rules.compared import ComparedValues
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    log,
    multiply,
    names,
    number,
    reciprocal,
)
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.programs.costs import CostUnits
from ahdp_verify.search.programs.whole_runs import RunsSearch

ALIGNMENT = "alignment"
DIGITS = (10, 100, 10_000, 10**8)  # divisors to which cuts are rounded; the first that serves
ROUNDS = 2  # of shifts for given cuts, then cuts for given shifts
SHARES = 20  # steps of the fixed point in which delta is divided
NEAR = 1e-9  # relative, between costs in floats
FAR = 64.0  # times the scale: the tail is below exp(-2000)


def proved_by_cuts(
    claim: ProgramClaim, sample: ComparedValues | None, clock: Clock
) -> Proved | Declined:
    """The proof of a claim with a delta about a program that draws Gaussian noise."""
    if claim.delta == ZERO:
        return Declined(
            ALIGNMENT,
            "no shifts of the noises keep every output, and Gaussian noise can be shifted only at the "
            "price of a delta > 0",
        )
    if claim.n is None:
        return Declined(
            ALIGNMENT,
            "Gaussian noise is shifted for a fixed number of queries only; give a number of queries",
        )
    try:
        search = _CutSearch(claim, dict(sample.values) if sample is not None else {}, clock)
        for alignment in search.proposals():
            try:
                return check(claim, alignment, None, sample)
            except Rejected:
                continue
        return Declined(ALIGNMENT, search.outcome)
    except (Unsupported, Rejected) as why:
        return Declined(ALIGNMENT, str(why))


def draws_gaussian(program: Program) -> bool:
    """Whether a program draws Gaussian noise."""

    def met(tree: Tree) -> bool:
        own = isinstance(tree, Draw) and tree.law == "gaussian"
        listed = tree.draws if isinstance(tree, Contest) else ()
        return (
            own or any(law == "gaussian" for _, law, _ in listed) or any(map(met, children(tree)))
        )

    return any(map(met, (program.start, *(t for s in program.states for t in (s.body, s.end)))))


def tail(z: float) -> float:
    """An upper bound of P[|x| > z] for standard Gaussian noise: that by Mills' ratio, or 1."""
    return min(1.0, math.sqrt(2 / math.pi) * math.exp(-z * z / 2) / z)


def end_of_tail(p: float) -> float:
    """The z from 1/10 to `FAR` where `tail` is p.

    >>> round(end_of_tail(1e-5), 3)
    4.427
    """
    low, high = 0.1, FAR
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) > p else (low, middle)
    return high


@dataclass(frozen=True, slots=True)
class _ShiftedRuns:
    """The shifts for one of the moves, and what counts for the choice of its cuts.

    shifted    the Gaussian noises that are shifted on some path
    counts     for each scale, the most of them that are drawn on one path
    sizes      for each path, and each scale, the sum of the sizes of shifts, and of their squares
    """

    shifts: tuple[PathShifts, ...]
    shifted: Mapping[str, Noise]
    counts: Mapping[Expression, int]
    sizes: Sequence[Mapping[Expression, tuple[float, float]]]

    @property
    def most_drawn(self) -> int:
        """At least as many of the noises as are drawn on one path."""
        return sum(self.counts.values())


class _CutSearch:
    """The search for the cuts and shifts of one claim."""

    def __init__(self, claim: ProgramClaim, sample: Mapping[str, Expression], clock: Clock) -> None:
        self.claim, self.sample, self.clock = claim, sample, clock
        self.outcome = "no shifts of the noises keep every output"
        self.costs = CostUnits(claim.program.here, sample)
        self.delta = self.costs.at_sample(claim.delta)

    def proposals(self) -> Iterator[Alignment]:
        """Alignments with cuts, the simplest numbers first."""
        areas = RunsSearch(self.claim, self.costs, self.clock).areas
        drawn = [d for area in areas for d in area.draws if d.law == "gaussian"]
        most = max(sum(d.law == "gaussian" for d in area.draws) for area in areas)
        z = end_of_tail(self.delta / max(most, 1))
        steep = {d.scale: Fraction(z).limit_denominator(1000) for d in drawn}
        for attempt in range(ROUNDS):
            costs = CostUnits(self.claim.program.here, self.sample, steep)
            runs = RunsSearch(self.claim, costs, self.clock)
            found = runs.alignment(0.0 if attempt else None)
            if found is None:
                return
            listed = list(self._shifted_runs(runs, found[0]))
            chosen = [self._ends(runs_) for runs_ in listed]
            roundings = (1,) if names(self.claim.delta) else DIGITS
            for digits in roundings if self._may_suffice(listed, chosen) else ():
                moves = tuple(
                    self._evidence(runs_, ends, digits)
                    for runs_, ends in zip(listed, chosen, strict=True)
                )
                yield Alignment(self.claim.fingerprint, runs.regions, moves)
            steep = {
                scale: max(Fraction(ends.get(scale, z)) for ends in chosen).limit_denominator(1000)
                for scale in steep
            }

    def _shifted_runs(self, runs: RunsSearch, found: Alignment) -> Iterator[_ShiftedRuns]:
        for moves, shown in zip(moves_of(self.claim), found.moves, strict=True):
            assert isinstance(shown, WholeRuns)
            sizes = [
                _sizes(area, shifts, moves)
                for area, shifts in zip(runs.areas, shown.shifts, strict=True)
            ]
            shifted = {
                d.name: d
                for area, by in zip(runs.areas, sizes, strict=True)
                for d in area.draws
                if by.get(d.name)
            }
            counts: dict[Expression, int] = {}
            for area in runs.areas:
                here = [d.scale for d in area.draws if d.name in shifted]
                for scale in here:
                    counts[scale] = max(counts.get(scale, 0), here.count(scale))
            by_scale = [
                _by_scale([d for d in area.draws if by.get(d.name)], by)
                for area, by in zip(runs.areas, sizes, strict=True)
            ]
            yield _ShiftedRuns(shown.shifts, shifted, counts, by_scale)

    def _ends(self, runs: _ShiftedRuns) -> dict[Expression, float]:
        """For each scale, at how many times the scale its noises are cut."""
        if names(self.claim.delta) or not runs.counts:
            z = math.sqrt(2 * math.log(max(runs.most_drawn, 1) / self.delta))
            return dict.fromkeys(runs.counts, z)
        slopes = {
            scale: max(by.get(scale, (0.0, 0.0))[0] for by in runs.sizes)
            / self.costs.at_sample(scale)
            for scale in runs.counts
        }
        ends = dict.fromkeys(runs.counts, 3.0)
        for _ in range(SHARES):
            shares = {scale: slopes[scale] / (z + 1 / z) for scale, z in ends.items()}
            whole = sum(shares.values())
            ends = {
                scale: end_of_tail(self.delta * share / whole / runs.counts[scale])
                for scale, share in shares.items()
            }
        return ends

    def _evidence(
        self, runs: _ShiftedRuns, ends: Mapping[Expression, float], digits: int
    ) -> CutRuns | WholeRuns:
        if not runs.shifted:
            return WholeRuns(runs.shifts)
        if names(self.claim.delta):
            parts = multiply(number(runs.most_drawn), reciprocal(self.claim.delta))
            cuts = dict.fromkeys(runs.counts, log(parts))
        else:
            rounded = {scale: Fraction(math.ceil(z * digits), digits) for scale, z in ends.items()}
            cuts = {scale: number(z * z / 2) for scale, z in rounded.items()}
        listed = tuple((key, cuts[d.scale]) for key, d in runs.shifted.items())
        return CutRuns(runs.shifts, listed)

    def _may_suffice(
        self, listed: Sequence[_ShiftedRuns], chosen: Sequence[Mapping[Expression, float]]
    ) -> bool:
        """Whether Gaussian noise alone costs at most the level, at the sample; keeps what it costs
        on the path where that is most.
        """
        dearest, suffices = 0.0, True
        for runs, ends, moves in zip(listed, chosen, moves_of(self.claim), strict=True):
            costs = [self._cost(by, ends) for by in runs.sizes]
            suffices = suffices and max(costs) <= self.costs.at_sample(moves.level) * (1 + NEAR)
            dearest = max(dearest, *costs)
        given = ", ".join(f"{key} = {value}" for key, value in self.sample.items())
        self.outcome = (
            "in the cheapest alignment that was found, with Gaussian noise cut so that its tails add "
            f"up to delta, that noise alone costs {dearest:.5g}{f' at {given}' if given else ''}"
        )
        return suffices

    def _cost(
        self, by: Mapping[Expression, tuple[float, float]], ends: Mapping[Expression, float]
    ) -> float:
        cost = 0.0
        for scale, (total, squares) in by.items():
            b = self.costs.at_sample(scale)
            cost += ends[scale] * total / b + squares / (2 * b * b)
        return cost


def _sizes(area: Area, shifts: PathShifts, moves: Moves) -> dict[str, float]:
    """The largest size of the shift of each Gaussian noise on a path."""
    found: dict[str, float] = {}
    for row in shifts.rows:
        for noise, shift in zip(area.draws, row, strict=True):
            if noise.law == "gaussian":
                low = high = dict(shift).get("", Fraction(0))
                for key, *ends in moves.box:
                    products = [dict(shift).get(key, Fraction(0)) * end for end in ends]
                    low, high = low + min(products), high + max(products)
                found[noise.name] = max(found.get(noise.name, 0.0), float(max(-low, high)))
    return found


def _by_scale(
    noises: Sequence[Noise], sizes: Mapping[str, float]
) -> dict[Expression, tuple[float, float]]:
    """For each scale the sum of the sizes, and of their squares."""
    found: dict[Expression, tuple[float, float]] = {}
    for noise in noises:
        total, squares = found.get(noise.scale, (0.0, 0.0))
        size = sizes[noise.name]
        found[noise.scale] = total + size, squares + size * size
    return found
