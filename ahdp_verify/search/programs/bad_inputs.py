"""Inputs at which a claim about a noise program fails: few queries first, small numbers first.

For each output, the prices of its path, or of the region into which its paths are merged, tell
which move of the answers it can detect best, and how far the privacy loss can get; outputs that
cannot beat the level are left out.  For the others inputs are placed where the prices are paid
(`placing`), nearer ones first, until the exact probabilities refute the claim.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, Program, Release, Stop
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> noisy = Draw("nu", "laplace", parse("1/(2*eps)"), Release(parse("q[1] + nu"), Stop()))
>>> program = Program("noisy answer", (("eps", parse("0 < eps")),), Answers(1), noisy)
>>> claim = ProgramClaim(program, "all", parse("eps"))
>>> example = next(counterexamples(claim, Limits().clock()))
>>> print(*example.first, *example.second, example.event)
0 1 (-oo, 0]
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.program_claim import Moves, ProgramClaim, moves_of
from ahdp_verify.kernel.model.program_paths import Path, PathTable
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.rules.alignment import areas_of_runs
from ahdp_verify.kernel.rules.program_refutation import check_program_violation
from ahdp_verify.kernel.terms.expression import Expression, number, substitute
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.programs.placing import Inputs, Placement, contradicted, placed
from ahdp_verify.search.programs.prices import Prices, best_prices
from ahdp_verify.search.programs.regions import merged_regions
from ahdp_verify.search.programs.sampled_paths import (
    SampledPath,
    Sampler,
    answer_kinds,
    form_of_path,
    open_parameters,
)
from ahdp_verify.search.proving.compared_inputs import values_in_turn

EMPTY = Context.empty()
WHAT = "looking for inputs at which the claim fails"
SIMPLE = tuple(Fraction(v) for v in ("1", "1/10", "10", "1/2", "2", "0", "-1", "3"))
SAMPLES = 4  # of the parameters
MOST_QUERIES = 8  # where there is any number of them
MOST_PATHS = 2000  # of the number of queries that is asked for; each takes about 1 ms
MOST_PATHS_IN_TURN = 256  # of one number of queries, where there is any number of them
OUTPUTS = 4  # tried at each number of queries, those of greatest gain
NEAR = 1e-12  # relative: gains are exact up to the last digits of a float
# of far noises, in the unit of the answers: the loss may fall short of the gain by a multiple of
# 1/distance, and calibration asks for losses that are close to the level up to 10^-9
DISTANCES = (0, *(2**k for k in range(14)), *(2**k for k in range(16, 37, 4)))

Promising = tuple[float, int, SampledPath, Prices, Moves]  # level less gain, and a number


def counterexamples(claim: ProgramClaim, clock: Clock) -> Iterator[ProgramCounterexample]:
    """Inputs and outputs that refute the claim, each confirmed exactly, best first."""
    numbers = range(1, MOST_QUERIES + 1) if claim.n is None else (claim.n,)
    most = MOST_PATHS_IN_TURN if claim.n is None else MOST_PATHS
    table = PathTable(claim.program)
    for n in numbers:
        fixed = claim if claim.n is not None else replace(claim, queries=n)
        paths = list(itertools.islice(table.runs(n), most + 1))
        if len(paths) > most and n > 1 and claim.n is None:
            return
        regions = merged_regions(paths)
        if regions:
            areas = areas_of_runs(table, n, regions)
            paths = [Path(area.draws, area.rows, area.items) for area in areas]
        paths = [path for path in paths if not _compares_inexact(path)]
        left = open_parameters(claim, paths)
        alike = _is_alike_everywhere(claim, paths)
        for values in sample_values(claim, left):
            sampler = Sampler(claim, values, left)
            attempt = _Attempt(fixed, n, sampler, clock)
            promising = attempt.promising([s for p in paths if (s := sampler.path(p)) is not None])
            yield from attempt.examples(promising)
            if alike and not promising:
                break


def _compares_inexact(path: Path) -> bool:
    """Whether a comparison on a path has noise without exact probabilities."""
    inexact = {d.name for d in path.draws if d.law in ("gaussian", "gumbel")}
    return any(key in inexact for row in path.rows for key, _ in row.form.terms)


def _is_alike_everywhere(claim: ProgramClaim, paths: list[Path]) -> bool:
    """Whether the level and the inverse of every scale are numbers times one expression, such as
    eps, so that a gain exceeds the level either for all values of the parameters or for none.
    """
    if claim.relation == "ahdp" or not paths:
        return False
    here = claim.program.here
    try:
        level = normal(claim.level, here)
        scales = {noise.scale for path in paths for noise in path.draws}
        return all((level * normal(scale, here)).as_rational is not None for scale in scales)
    except (Undecided, Unsupported):
        return False


def sample_values(claim: ProgramClaim, left: frozenset[str]) -> Iterator[Mapping[str, Expression]]:
    """A few simple values of the parameters; those that are left open are 0."""
    closed = [key for key, _ in claim.parameters if key not in left]
    zero = {key: number(0) for key in left}
    found = 0
    for total in range(len(SIMPLE)):
        for choice in _summing_to(total, len(closed)):
            values = {key: number(SIMPLE[i]) for key, i in zip(closed, choice, strict=True)}
            given = {key: {**zero, **values}[key] for key, _ in claim.parameters}
            if all(_holds(condition, given) for _, condition in claim.parameters):
                yield given
                found += 1
            if found == SAMPLES or not closed:
                return
    if not found:
        yield from (dict(values) for values in values_in_turn(claim.parameters))


def _summing_to(total: int, length: int) -> Iterator[tuple[int, ...]]:
    if length <= 1:
        yield (total,) * length
        return
    for first in range(total + 1):
        for rest in _summing_to(total - first, length - 1):
            yield first, *rest


def _holds(condition: Expression, given: Mapping[str, Expression]) -> bool:
    try:
        return truth(substitute(condition, dict(given)), EMPTY)
    except (Undecided, Unsupported, ZeroDivisionError):
        return False


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A claim for a number of queries, at values of the parameters."""

    claim: ProgramClaim
    n: int
    sampler: Sampler
    clock: Clock

    def examples(self, promising: Sequence[Promising]) -> Iterator[ProgramCounterexample]:
        """The first refutation for each output, in order."""
        tried = 0
        for _, _, path, prices, moves in promising:
            inputs = self._inputs(moves)
            placements = self._placements(path, prices, inputs)
            first = next(placements, None)
            if first is None:  # no noise leads there
                continue
            for placement in itertools.chain([first], placements):
                self.clock.check(WHAT)
                example = self._example(placement, inputs, prices, moves)
                try:
                    check_program_violation(self.claim, example)
                except (Rejected, Undecided):
                    continue
                except Unsupported:  # so it will be at other distances
                    break
                yield example
                break
            tried += 1
            if tried == OUTPUTS:
                return

    def promising(self, paths: list[SampledPath]) -> list[Promising]:
        """The outputs whose gain is above the level, with their prices, greatest gain first; one of
        those that differ in names alone.
        """
        listed: list[Promising] = []
        seen = set()
        for moves in moves_of(self.claim):
            level = self._value(self.sampler.level(moves.level))
            kinds = answer_kinds(moves, self.claim.program.inputs)
            for path in paths:
                form = level, moves.text * (not kinds), form_of_path(path, kinds)
                if form in seen:
                    continue
                seen.add(form)
                self.clock.count(1, WHAT)
                prices = best_prices(path, moves)
                if prices is not None and prices.gain > level * (1 + NEAR):
                    listed.append((level - prices.gain, len(listed), path, prices, moves))
        return sorted(listed, key=lambda one: one[:2])

    def _placements(self, path: SampledPath, prices: Prices, inputs: Inputs) -> Iterator[Placement]:
        if math.isinf(prices.gain):
            found = contradicted(path, prices, inputs)
            if found is not None:
                yield found
            return
        for far in DISTANCES:
            found = placed(path, prices, inputs, far)
            if found is not None:
                yield found

    def _inputs(self, moves: Moves) -> Inputs:
        change = self._change(moves)
        needed = frozenset(i for i, c in enumerate(change) if c < 0)
        return Inputs(self.claim.program.inputs, self.n, self.sampler.open, needed)

    def _change(self, moves: Moves) -> tuple[int, ...]:
        """How the counts of records change in a move of a dataset."""
        inputs = self.claim.program.inputs
        if not isinstance(inputs, RecordAnswers):
            return ()
        records = inputs.domain.records
        for i, r in enumerate(records):
            if moves.text in (f"{r} is added", f"{r} is removed"):
                sign = 1 if moves.text.endswith("added") else -1
                return tuple(sign * (k == i) for k in range(len(records)))
            for j, other in enumerate(records):
                if i != j and moves.text == f"{r} becomes {other}":
                    return tuple((k == j) - (k == i) for k in range(len(records)))
        return (0,) * len(records)

    def _example(
        self, placement: Placement, inputs: Inputs, prices: Prices, moves: Moves
    ) -> ProgramCounterexample:
        given = {**self.sampler.values}
        given |= {k: number(v) for k, v in placement.chosen.items() if k in given}
        first = tuple(placement.chosen[key] for key in inputs.keys)
        change = self._change(moves) or [prices.move.get(key, 0) for key in inputs.keys]
        second = tuple(a + b for a, b in zip(first, change, strict=True))
        return ProgramCounterexample(tuple(given.items()), first, second, placement.event)

    @staticmethod
    def _value(level: Expression) -> float:
        low, high = enclose(normal(level, EMPTY))
        return float(low + high) / 2
