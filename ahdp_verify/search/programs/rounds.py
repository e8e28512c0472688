"""The cheapest alignment for any number of queries: one linear programme for all bodies of a
program.

Its unknowns are the shifts on each path, the differences of the registers at each state and phase,
and what is left there of each unit of the cost; it minimises what is spent from the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.evidence.alignment import Alignment, Head, PathShifts, Rounds
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import Goto
from ahdp_verify.kernel.model.program_claim import Moves, ProgramClaim, moves_of
from ahdp_verify.kernel.model.program_paths import Path, PathTable
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.programs.alignment import (
    Box,
    ShiftProgramme,
    Spent,
    shifts_in_order,
    unmoved,
)
from ahdp_verify.search.programs.costs import CostUnits
from ahdp_verify.search.programs.unknowns import Motion, Sum

AGES = 4  # rounds after the one moving answer that are told apart; sums in blocks of M need M
WHAT = "looking for an alignment for any number of queries"
HeadKey = tuple[str, int]  # a state and a phase
NOTHING: Mapping[str, Motion] = {}


def rounds_alignment(
    claim: ProgramClaim, costs: CostUnits, clock: Clock
) -> tuple[Alignment, list[dict[str, Fraction]]] | None:
    """An alignment for any number of queries, with what each of its moves costs of each unit; None
    if none was found.
    """
    table = PathTable(claim.program)
    shown, spent = [], []
    for moves in moves_of(claim):
        for ages in range(1, AGES + 1) if moves.single else (1,):
            clock.count(1, WHAT)
            found = RoundsSearch(table, moves, ages, ShiftProgramme(costs, affine=True)).solve()
            if found is not None:
                shown.append(found[0])
                spent.append(found[1])
                break
        else:
            return None
    return Alignment(claim.fingerprint, (), tuple(shown)), spent


@dataclass(frozen=True, slots=True)
class PlacedPath:
    """A path of the programme: its tag, where it starts (None: before the first query), where it
    leads (None: it stops), and what it costs.
    """

    tag: tuple[object, ...]
    path: Path
    start: HeadKey | None
    end: HeadKey | None
    spent: Spent


@dataclass(slots=True)
class RoundsSearch:
    """The linear programme for one of the moves of a claim."""

    table: PathTable
    moves: Moves
    ages: int
    search: ShiftProgramme
    live: dict[str, tuple[str, ...]] = field(init=False)
    placed: list[PlacedPath] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.live = live_registers(self.table)

    def solve(self) -> tuple[Rounds, dict[str, Fraction]] | None:
        """The cheapest shifts, and what they cost of each unit; None if there are none."""
        heads = list(self._add_all())
        units = sorted({unit for placed in self.placed for unit in placed.spent})
        programme = self.search.programme
        for unit in units:
            programme.variable(("level", unit), low=0, cost=self.search.costs.weight(unit))
            for head in heads:
                programme.variable(("left", head, unit), low=0)
            for p in self.placed:
                budget = ("level", unit) if p.start is None else ("left", p.start, unit)
                gap = Sum.of(budget) - p.spent.get(unit, Sum({}))
                if p.end is not None:
                    gap = gap - Sum.of(("left", p.end, unit))
                programme.at_least(gap.terms, -gap.constant)
        solution = programme.solve()
        if solution is None:
            return None
        shifts = {p.tag: self._evidence(p, solution) for p in self.placed}
        total = {unit: solution["level", unit] for unit in units}
        start = tuple(shifts["start", i] for i in range(len(self.table.start)))
        shown = [self._head(head, shifts, solution, units) for head in heads]
        return Rounds(self.ages, start, tuple(shown)), total

    def _evidence(self, placed: PlacedPath, solution: Mapping[object, Fraction]) -> PathShifts:
        draws = placed.path.draws
        named = self.search.shifts(placed.tag, draws, solution)
        return PathShifts((shifts_in_order(draws, named),))

    def _head(
        self,
        head: HeadKey,
        shifts: Mapping[tuple[object, ...], PathShifts],
        solution: Mapping[object, Fraction],
        units: list[str],
    ) -> Head:
        state, phase = head
        table = self.table
        differences = tuple((key, solution["difference", head, key]) for key in self.live[state])
        left = self.search.costs.total({unit: solution["left", head, unit] for unit in units})
        bodies = tuple(
            (after, tuple(shifts["body", head, after, i] for i in range(len(table.bodies[state]))))
            for after, _ in self._next_phases(phase)
        )
        ends = range(len(table.ends[state])) if self._may_end(phase) else ()
        end = tuple(shifts["end", head, i] for i in ends)
        return Head(state, phase, differences, left, bodies, end)

    def _add_all(self) -> Iterator[HeadKey]:
        """Adds all paths that can be reached, and lists the heads between them."""
        self._add("start", self.table.start, None, 0, NOTHING)
        seen: set[HeadKey] = set()
        done = 0
        while done < len(self.placed):
            head = self.placed[done].end
            done += 1
            if head is None or head in seen:
                continue
            seen.add(head)
            yield head
            state, phase = head
            for after, moving in self._next_phases(phase):
                self._add("body", self.table.bodies[state], head, after, self._motions(moving))
            if self._may_end(phase):
                self._add("end", self.table.ends[state], head, phase, NOTHING)

    def _add(
        self,
        kind: str,
        paths: tuple[Path, ...],
        start: HeadKey | None,
        phase: int,
        motions: Mapping[str, Motion],
    ) -> None:
        known = {**motions, **({} if start is None else self._differences(start))}
        box: Box = {key: (low, high) for key, low, high in self.moves.box}
        for i, path in enumerate(paths):
            tag: tuple[object, ...] = (kind, i)
            if start is not None:
                tag = (kind, start, phase, i) if kind == "body" else (kind, start, i)
            end = (path.end.state, phase) if isinstance(path.end, Goto) else None
            fixed = unmoved(path.items) + ([] if end is None else self._updates(path, end))
            spent = self.search.add_path(tag, path.draws, path.rows, fixed, (known, box))
            self.placed.append(PlacedPath(tag, path, start, end, spent))

    def _differences(self, head: HeadKey) -> dict[str, Motion]:
        """The unknown differences of the registers at a head."""
        found: dict[str, Motion] = {}
        for key in self.live[head[0]]:
            self.search.programme.variable(("difference", head, key), whole=False)
            found[key] = {"": Sum.of(("difference", head, key))}
        return found

    def _updates(self, path: Path, end: HeadKey) -> list[tuple[LinearForm, Sum]]:
        """What the registers are set to, with the difference that each has to have afterwards."""
        after, forms = self._differences(end), dict(path.registers)
        return [(forms[key], after[key][""]) for key in self.live[end[0]]]

    def _motions(self, moving: bool) -> Mapping[str, Motion]:
        if not moving:
            return {"q": {}}
        return {
            key: {amount: Sum({}, c) for amount, c in moved} for key, moved in self.moves.values
        }

    def _next_phases(self, phase: int) -> tuple[tuple[int, bool], ...]:
        """The phases that may follow, and whether the answer in between moves."""
        if not self.moves.single:
            return ((0, True),)
        return ((0, False), (1, True)) if not phase else ((min(phase + 1, self.ages), False),)

    def _may_end(self, phase: int) -> bool:
        return not self.moves.single or phase > 0


def live_registers(table: PathTable) -> dict[str, tuple[str, ...]]:
    """The registers of each state that matter: those in rows or outputs, and those that others
    which matter are set to.
    """
    live: dict[str, set[str]] = {state.name: set() for state in table.program.states}
    todo = True
    while todo:
        todo = False
        for state in table.program.states:
            used = {
                key
                for path in (*table.bodies[state.name], *table.ends[state.name])
                for form in _used_forms(path, live)
                for key, _ in form.terms
            }
            more = (used & set(state.registers)) - live[state.name]
            live[state.name] |= more
            todo = todo or bool(more)
    return {key: tuple(sorted(names)) for key, names in live.items()}


def _used_forms(path: Path, live: Mapping[str, set[str]]) -> Iterator[LinearForm]:
    yield from (row.form for row in path.rows)
    yield from (item for item in path.items if isinstance(item, LinearForm))
    if isinstance(path.end, Goto):
        yield from (form for key, form in path.registers if key in live[path.end.state])
