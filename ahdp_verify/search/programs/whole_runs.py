"""The cheapest alignment for a fixed number of queries: a linear programme for each path and move.

Constant shifts are tried first, then shifts that are affine in the amounts, then a table with one
row for each vertex of the box.  At a vertex nothing cheaper than its own programme exists, so a
table is the cheapest alignment, but it has 2^k rows for k answers (3^k where they are whole
numbers).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.alignment import Alignment, PathShifts, Region, WholeRuns
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import Contest
from ahdp_verify.kernel.model.program_claim import OTHER, Moves, ProgramClaim, moves_of
from ahdp_verify.kernel.model.program_paths import PathTable
from ahdp_verify.kernel.rules.alignment import Area, areas_of_runs, contest_area, corners
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.programs.alignment import (
    Box,
    NamedShifts,
    ShiftProgramme,
    shifts_in_order,
    unmoved,
)
from ahdp_verify.search.programs.costs import CostUnits
from ahdp_verify.search.programs.regions import contradiction, merged_regions
from ahdp_verify.search.programs.unknowns import Motion, Sum

CORNERS = 256  # most vertices of a table: each takes a linear programme of about 1 ms
LIKELY = 4  # vertices that are tried before a table, which has up to 256
CONSTANT, AFFINE, TABLE = TEMPLATES = ("constant", "affine", "table")
WHAT = "looking for the cheapest alignment"
NEAR = 1e-9  # relative, between costs in floats
Spent = dict[str, Fraction]
Point = dict[str, Fraction]
Vector = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class AreaShifts:
    """Shifts on one area.

    rows       for each vertex of a table, or once, the shifts and what they cost of each unit
    cost       the highest of these costs at the sample of the parameters
    template   the last template that was tried
    cheapest   whether no other shifts cost less
    never      a proof that no noise leads there, in place of shifts
    """

    rows: tuple[tuple[Point, NamedShifts, Spent], ...]
    cost: float
    template: str
    cheapest: bool
    never: tuple[tuple[int, Fraction], ...] = ()

    def renamed(self, names: dict[str, str]) -> AreaShifts:
        """The same for an area that differs in names only."""
        rows = tuple(
            (
                {names[key]: value for key, value in corner.items()},
                {
                    names[noise]: {names.get(key, key): c for key, c in moved.items()}
                    for noise, moved in named.items()
                    if noise in names
                },
                spent,
            )
            for corner, named, spent in self.rows
        )
        return replace(self, rows=rows)

    def evidence(self, area: Area) -> PathShifts:
        """The evidence for an area."""
        rows = sorted(self.rows, key=lambda row: sorted(row[0].items()))
        return PathShifts(tuple(shifts_in_order(area.draws, row[1]) for row in rows), self.never)


@dataclass(slots=True)
class RunsSearch:
    """The search for the alignment of one claim."""

    claim: ProgramClaim
    costs: CostUnits
    clock: Clock
    regions: tuple[Region, ...] = field(init=False)
    areas: list[Area] = field(init=False)
    known: dict[object, tuple[AreaShifts | None, list[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        table, n, start = PathTable(self.claim.program), self.claim.n, self.claim.program.start
        if n is None:
            self.regions = ()
            self.areas = [contest_area(table, start)] if isinstance(start, Contest) else []
        else:
            self.regions = merged_regions(list(table.runs(n)))
            try:
                self.areas = areas_of_runs(table, n, self.regions)
            except Rejected:  # of regions that may overlap, for example
                self.regions = ()
                self.areas = areas_of_runs(table, n, ())

    def alignment(self, target: float | None) -> tuple[Alignment, list[AreaShifts]] | None:
        """An alignment, and the shifts of all its areas; the search for cheaper shifts ends where
        they cost at most `target`, at the sample of the parameters (None: the level of the move).
        None if an area has none.
        """
        runs, used = [], list[AreaShifts]()
        for moves in moves_of(self.claim):
            evidence = []
            enough = self.costs.at_sample(moves.level) if target is None else target
            for area in self.areas:
                found = self.shifts_on(area, moves, enough)
                if found is None:
                    return None
                evidence.append(found.evidence(area))
                used.append(found)
            runs.append(WholeRuns(tuple(evidence)))
        return Alignment(self.claim.fingerprint, self.regions, tuple(runs)), used

    def shifts_on(self, area: Area, moves: Moves, target: float) -> AreaShifts | None:
        """The shifts of the first template that cost at most `target`, or the cheapest found; None
        if there are none.
        """
        self.clock.count(1, WHAT)
        key, names = _canonical(area, moves)
        if key not in self.known:
            self.known[key] = self._by_templates(area, moves, target), names
        found, of = self.known[key]
        if found is None or of == names:
            return found
        return found.renamed(dict(zip(of, names, strict=True)))

    def _by_templates(self, area: Area, moves: Moves, target: float) -> AreaShifts | None:
        best: AreaShifts | None = None
        for template in TEMPLATES if moves.box else (CONSTANT,):
            if template == TABLE and best is not None and self._costs_more(area, moves, target):
                break
            found = self._by(template, area, moves)
            if found is not None and (best is None or found.cost < best.cost * (1 - NEAR)):
                best = found
            if best is not None and best.cost <= target + NEAR * abs(target):
                return best
        never = contradiction(area.rows)
        return AreaShifts((), 0.0, TABLE, True, never) if never else best

    def _costs_more(self, area: Area, moves: Moves, target: float) -> bool:
        """Whether no shifts cost at most `target`, as one of the likely vertices shows."""
        for corner in itertools.islice(self._likely_corners(area, moves), LIKELY):
            at = {key: _at(dict(moved), corner) for key, moved in moves.values}
            found = self._solved(area, at, {}, CONSTANT)
            if found is not None and found.cost > target + NEAR * abs(target):
                return True
        return False

    def cheapest(self, moves: Moves) -> list[AreaShifts] | None:
        """Shifts on all areas of which the most expensive are made as cheap as the templates allow,
        and are known to be the cheapest if they say so; None if an area has none.
        """
        found = {}
        for i, area in enumerate(self.areas):
            shifts = self.shifts_on(area, moves, math.inf)
            if shifts is None:
                return None
            found[i] = shifts
        while True:
            i = max(found, key=lambda k: found[k].cost)
            if found[i].cheapest or found[i].template == TABLE:
                return list(found.values())
            self.clock.count(1, WHAT)
            key, names = _canonical(self.areas[i], moves)
            better = self._improved(self.areas[i], moves, found[i])
            self.known[key] = better, names
            for k, area in enumerate(self.areas):
                if found[k].cost >= found[i].cost and _canonical(area, moves)[0] == key:
                    found[k] = self.shifts_on(area, moves, math.inf) or found[k]
            found[i] = better

    def evidence(self, found: list[AreaShifts]) -> tuple[PathShifts, ...]:
        """The evidence of shifts on all areas."""
        return tuple(a.evidence(area) for a, area in zip(found, self.areas, strict=True))

    def _improved(self, area: Area, moves: Moves, found: AreaShifts) -> AreaShifts:
        """The same shifts, once they are known to be the cheapest, or those of the next
        template.
        """
        for corner in itertools.islice(self._likely_corners(area, moves), CORNERS):
            at = {key: _at(dict(moved), corner) for key, moved in moves.values}
            least = self._solved(area, at, {}, CONSTANT)
            if least is not None and least.cost >= found.cost * (1 - NEAR):
                return replace(found, cheapest=True)
        template = TEMPLATES[TEMPLATES.index(found.template) + 1]
        other = self._by(template, area, moves)
        if other is None or other.cost > found.cost:
            return replace(found, template=template)
        return other

    def _likely_corners(self, area: Area, moves: Moves) -> Iterator[Point]:
        """The vertices of the box, first those that go against most rows, or are all low or
        high.
        """
        total = {key: Fraction(0) for key, _, _ in moves.box}
        for row in area.rows:
            for key, c in row.form.terms:
                if key in total:
                    total[key] += c
        for sign in (1, -1):
            yield {key: low if sign * total[key] > 0 else high for key, low, high in moves.box}
            yield {key: high if sign > 0 else low for key, low, high in moves.box}
        yield from corners(area, moves, self.claim.program.inputs.whole)

    def _by(self, template: str, area: Area, moves: Moves) -> AreaShifts | None:
        box = {key: (low, high) for key, low, high in moves.box}
        values = {key: dict(v) for key, v in moves.values}
        if template != TABLE:
            return self._solved(area, values, box, template)
        if area.contest:
            return None
        vertices = list(corners(area, moves, self.claim.program.inputs.whole))
        if len(vertices) > CORNERS:
            return None
        rows, costs = [], []
        for corner in vertices:
            at = {key: _at(moved, corner) for key, moved in values.items()}
            found = self._solved(area, at, {}, CONSTANT)
            if found is None:
                return None
            rows.append((corner, *found.rows[0][1:]))
            costs.append(found.cost)
        return AreaShifts(tuple(rows), max(costs), TABLE, True)

    def _solved(
        self, area: Area, values: dict[str, Vector], box: Box, template: str
    ) -> AreaShifts | None:
        hidden = frozenset((OTHER,)) if area.contest else frozenset[str]()
        search = ShiftProgramme(self.costs, template == AFFINE, hidden)
        motions: dict[str, Motion] = {
            key: {amount: Sum({}, c) for amount, c in moved.items()}
            for key, moved in values.items()
        }
        spent = search.add_path("", area.draws, area.rows, unmoved(area.items), (motions, box))
        solution = search.cheapest(spent)
        if solution is None:
            return None
        parts = {unit: total.value(solution) for unit, total in spent.items()}
        cost = sum(float(c) * self.costs.weight(unit) for unit, c in parts.items())
        named = search.shifts("", area.draws, solution)
        return AreaShifts((({}, named, parts),), cost, template, not box)


def _at(moved: Vector, corner: Point) -> Vector:
    """How an answer moves at a vertex."""
    value = sum((c * (corner.get(key, 0) if key else 1) for key, c in moved.items()), Fraction(0))
    return {"": value} if value else {}


def _canonical(area: Area, moves: Moves) -> tuple[object, list[str]]:
    """A key that is equal for areas that differ in names only, and the names in the order in which
    the key numbers them.
    """
    noises = {d.name: (d.law, str(d.scale)) for d in area.draws}
    values = dict(moves.values)

    def kind(name: str) -> str:
        if name in noises:
            return str(noises[name])
        return str([(c if not key else "amount") for key, c in values.get(name, ())])

    forms: list[tuple[LinearForm, str]] = [(row.form, "row") for row in area.rows]
    forms += [(item, "item") for item in area.items if isinstance(item, LinearForm)]
    signed = sorted(
        (sorted((kind(k), c) for k, c in form.terms), str(form.constant), tag, i)
        for i, (form, tag) in enumerate(forms)
    )
    numbers: dict[str, int] = {}
    key: list[object] = []
    for _, constant, tag, i in signed:
        terms = sorted(forms[i][0].terms, key=lambda pair: (kind(pair[0]), pair[1], pair[0]))
        listed = [(numbers.setdefault(k, len(numbers)), kind(k), c) for k, c in terms]
        key.append((tuple(sorted(listed)), constant, tag))
    box = moves.box[0][1:] if moves.box else None
    return (tuple(key), box, len(area.draws)), list(numbers)
