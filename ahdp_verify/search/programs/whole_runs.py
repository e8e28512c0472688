"""The cheapest alignment for a fixed number of queries: a linear programme for each path and move.

Constant shifts are tried first, then shifts that are affine in the amounts, then a table with one
row for each vertex of the box.  At a vertex nothing cheaper than its own programme exists, so a
table is the cheapest alignment, but it has 2^k rows for k answers (3^k where they are whole
numbers).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from ahdp_verify.kernel.evidence.alignment import Alignment, PathShifts, Region, WholeRuns
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program_claim import Moves, ProgramClaim, moves_of
from ahdp_verify.kernel.model.program_paths import PathTable
from ahdp_verify.kernel.rules.alignment import Area, areas_of_runs, corners
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
CONSTANT, AFFINE, TABLE = TEMPLATES = ("constant", "affine", "table")
WHAT = "looking for the cheapest alignment"
NEAR = 1e-9  # relative, between costs in floats
Spent = dict[str, Fraction]
Point = dict[str, Fraction]
Vector = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class AreaShifts:
    """Shifts on one area: for each vertex of a table, or once, the shifts and what they cost of
    each unit; the highest of these costs at the sample of the parameters; and whether no other
    shifts cost less.
    """

    rows: tuple[tuple[Point, NamedShifts, Spent], ...]
    cost: float
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
        table, n = PathTable(self.claim.program), self.claim.n or 0
        self.regions = merged_regions(list(table.runs(n)))
        self.areas = areas_of_runs(table, n, self.regions)

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
            found = self._by(template, area, moves)
            if found is not None and (best is None or found.cost < best.cost * (1 - NEAR)):
                best = found
            if best is not None and best.cost <= target + NEAR * abs(target):
                return best
        never = contradiction(area.rows)
        return AreaShifts((), 0.0, True, never) if never else best

    def _by(self, template: str, area: Area, moves: Moves) -> AreaShifts | None:
        box = {key: (low, high) for key, low, high in moves.box}
        values = {key: dict(v) for key, v in moves.values}
        if template != TABLE:
            return self._solved(area, values, box, affine=template == AFFINE)
        vertices = list(corners(area, moves, self.claim.program.inputs.whole))
        if len(vertices) > CORNERS:
            return None
        rows, costs = [], []
        for corner in vertices:
            at = {key: _at(moved, corner) for key, moved in values.items()}
            found = self._solved(area, at, {}, affine=False)
            if found is None:
                return None
            rows.append((corner, *found.rows[0][1:]))
            costs.append(found.cost)
        return AreaShifts(tuple(rows), max(costs), True)

    def _solved(
        self, area: Area, values: dict[str, Vector], box: Box, *, affine: bool
    ) -> AreaShifts | None:
        search = ShiftProgramme(self.costs, affine)
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
        return AreaShifts((({}, named, parts),), cost, not box)


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
