"""Section 12: proofs by alignment."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from recheck.evidence import Evidence, require
from recheck.forms import NOTHING, UNIT, Form, exp_of, inverse, log_of, of_atom, total
from recheck.limits import CLOCK, Rejected, cover, need
from recheck.lines import Line, Slopes, added, alone, gathered
from recheck.programs import OTHER, Move, ProgramClaim
from recheck.runs import Item, Noise, Path, Row, Walker
from recheck.signs import RELATION
from recheck.trees import Number, need_scoped

MOST_PATHS, MOST_AGES = 100_000, 50
UPWARDS = ("exponential", "gumbel")
Changes = Mapping[str, Slopes]  # of each name, in amounts; of no other name is it known
Box = tuple[tuple[str, int, int], ...]


def require_alignment(claim: ProgramClaim, proof: Evidence) -> None:
    """delta >= 0     for each move the shifts on all paths are accepted, at cost <= level
    --------------------------------------------------------------------------------------
    the claim is proved
    """
    need(proof.claim == claim.fingerprint, "the certificate belongs to another claim")
    require(claim.here.form(claim.delta), ">=", None, claim.here)
    need(bool(claim.moves), "the claim compares nothing")
    need(len(proof.moves) == len(claim.moves), f"{len(claim.moves)} kinds of moves are required")
    need(
        claim.count is not None or not proof.regions,
        "regions where the number of queries is not fixed",
    )
    if claim.count is None and not claim.is_contest:
        for move, shown in zip(claim.moves, proof.moves, strict=True):
            need(shown.kind == "rounds", "evidence of another kind is required")
            Rounds(claim, move, shown).require()
        return
    areas = [contest(claim)] if claim.count is None else areas_of(claim, proof.regions)
    for move, shown in zip(claim.moves, proof.moves, strict=True):
        need(shown.kind in ("whole runs", "cut runs"), "evidence of another kind is required")
        need(len(shown.shifts) == len(areas), f"{len(areas)} paths or regions need shifts")
        cuts = cut(claim, areas, shown.cuts) if shown.kind == "cut runs" else {}
        asked = Asked(move, move.changes, claim.here.form(move.level), cuts)
        for area, shifts in zip(areas, shown.shifts, strict=True):
            require_shifts(claim, area, asked, shifts)


@dataclass(frozen=True)
class Area:
    """Where noises lie that lead to the same items: where all rows hold.

    `updates` are lines that have to change by a given number; shifts do not depend on `hidden`
    amounts.
    """

    noises: tuple[Noise, ...]
    rows: tuple[Row, ...]
    items: tuple[Item, ...]
    updates: tuple[tuple[Line, Number], ...] = ()
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Asked:
    """What shifts have to do: lead from an area to itself, where names change, at cost <= most,
    where the noises lie in their cuts.
    """

    move: Move
    changes: Changes
    most: Form
    cuts: Mapping[str, Form] = field(default_factory=dict)


# shifts


def require_shifts(claim: ProgramClaim, area: Area, asked: Asked, shifts: Evidence) -> None:
    """at each vertex, or in the whole box, the shifts are accepted, or the area is empty
    -------------------------------------------------------------------------------------
    P[items, in the area] <= exp(most) P[items, in the area after the move]
    """
    CLOCK.ask()
    if shifts.never:
        require_empty(claim, area, shifts.never)
        return
    if len(shifts.rows) == 1:
        require_shifts_in(claim, area, asked, shifts.rows[0], asked.move.box)
        return
    need(not area.hidden, "shifts at vertices that they do not know")
    points = list(vertices(claim, area, asked.move))
    need(len(points) == len(shifts.rows), f"{len(points)} vertices need shifts")
    for point, row in zip(points, shifts.rows, strict=True):
        fixed = {n: at_point(change, point) for n, change in asked.changes.items()}
        require_shifts_in(claim, area, replace(asked, changes=fixed), row, ())


def vertices(claim: ProgramClaim, area: Area, move: Move) -> Iterator[dict[str, int]]:
    """The vertices of the box of those amounts that the area mentions, in order of their names; the
    whole points if answers are whole numbers.
    """
    items = [item for item in area.items if isinstance(item, Line)]
    named = {n for line in (*(r.line for r in area.rows), *items) for n, _ in line.slopes}
    box = sorted(entry for entry in move.box if entry[0] in named)
    ends = [range(low, high + 1) if claim.whole else (low, high) for _, low, high in box]
    for point in itertools.product(*ends):
        yield dict(zip((n for n, _, _ in box), point, strict=True))


def at_point(change: Slopes, point: Mapping[str, int]) -> Slopes:
    """The change at a point; an amount that is not named there does not matter."""
    return gathered(("", c * (point.get(n, 0) if n else 1)) for n, c in change.items())


def require_shifts_in(
    claim: ProgramClaim, area: Area, asked: Asked, shifts: list[Any], box: Box
) -> None:
    """rows change by >= 0     released numbers by 0     registers by what is stated
    each law allows its shift     the sum of the costs of the shifts <= most
    --------------------------------------------------------------------------------
    the shifts are accepted, for all amounts in the box
    """
    need(len(shifts) == len(area.noises), f"{len(area.noises)} noises need shifts")
    after, spent = dict(asked.changes), [NOTHING]
    for noise, pairs in zip(area.noises, shifts, strict=True):
        shift = gathered(map(tuple, pairs))
        known = {"", *(n for n, _, _ in box)} - area.hidden
        need(len({n for n, _ in pairs}) == len(pairs), "an amount is named twice")
        need(known.issuperset(n for n, _ in pairs), "a shift depends on an unknown amount")
        low, high = span(shift, box)
        need(low >= 0 or noise.law not in UPWARDS, "a noise can be shifted upwards only")
        if noise.law == "geometric" and shift:
            need_whole(claim, asked.move, shift, box)
        after[noise.key] = shift
        spent.append(cost(noise, max(-low, high), asked))
    for row in area.rows:
        need(span(changed(row.line, after), box)[0] >= 0, "a shift leads out of the path")
    for item in area.items:
        if isinstance(item, Line):
            need(not changed(item, after), "a released number changes")
    for line, wanted in area.updates:
        need(
            changed(line, after) == gathered([("", wanted)]), "a register changes by something else"
        )
    require(asked.most - total(spent), ">=", None, claim.here)


def cost(noise: Noise, size: Number, asked: Asked) -> Form:
    """The greatest log f(x)/f(x + s) for |s| = size; of Gaussian noise, where |x| <= b sqrt(2
    w).
    """
    slope = inverse(noise.scale).scaled(size)
    if noise.law != "gaussian" or not size:
        return slope
    need(noise.key in asked.cuts, "Gaussian noise that is not cut cannot be shifted")
    steepness = exp_of(log_of(asked.cuts[noise.key].scaled(2)).scaled(Fraction(1, 2)))
    return slope * steepness + (slope * slope).scaled(Fraction(1, 2))


def cut(claim: ProgramClaim, areas: list[Area], listed: list[Any]) -> dict[str, Form]:
    """0 < w for every cut     on every path, sum of tails of the cut noises <= delta
    -------------------------------------------------------------------------------
    all noises that are drawn lie in their cuts, but for an event of probability <= delta
    """
    need(claim.count is not None, "cuts where the number of queries is not fixed")
    cuts = {}
    for key, w in listed:
        need_scoped(w, claim.own)
        cuts[key] = claim.here.form(w)
        require(cuts[key], ">", None, claim.here)
    pi = of_atom("pi")
    for met in {tuple(noise.key for noise in area.noises if noise.key in cuts) for area in areas}:
        plain = [exp_of(-cuts[key]) for key in met]
        sharp = [exp_of(-cuts[key] - log_of(cuts[key] * pi).scaled(Fraction(1, 2))) for key in met]
        left = [claim.here.form(claim.delta) - total(tails) for tails in (plain, sharp)]
        if not any(claim.here.signs(gap) <= RELATION[">="] for gap in left):
            raise Rejected("the tails of the cut noises exceed delta")
    return cuts


def need_whole(claim: ProgramClaim, move: Move, shift: Slopes, box: Box) -> None:
    """Raises unless the shift is a whole number, whatever the amounts are."""
    need(
        all(c.denominator == 1 for c in shift.values()), "geometric noise is shifted by a fraction"
    )
    steady = not move.scaled and move.box == box and set(shift) == {""}
    need(steady or claim.whole, "geometric noise is shifted by something between whole numbers")


def span(change: Slopes, box: Box) -> tuple[Number, Number]:
    """The least and the greatest value in the box."""
    low = high = change.get("", 0)
    for n, *ends in box:
        values = [change.get(n, 0) * end for end in ends]
        low, high = low + min(values), high + max(values)
    return low, high


def changed(line: Line, changes: Changes) -> Slopes:
    """By how much a line changes."""
    for n, _ in line.slopes:
        need(n in changes, "the change of a name is not known")
    return gathered((k, c * v) for n, c in line.slopes for k, v in changes[n].items())


def require_empty(claim: ProgramClaim, area: Area, chosen: list[Any]) -> None:
    """rows with factors > 0 add up to a number < 0, or to 0 if one of them is strict
    ---------------------------------------------------------------------------------
    the area is empty
    """
    need(
        all(0 <= i < len(area.rows) and c > 0 for i, c in chosen),
        "a contradiction is no sum of rows",
    )
    sum_ = added((c, area.rows[i].line) for i, c in chosen)
    need(not sum_.slopes, "the rows do not add up to a constant")
    strict = any(area.rows[i].strict for i, _ in chosen)
    require(-sum_.constant, ">=" if strict else ">", None, claim.here)


# a fixed number of queries


def areas_of(claim: ProgramClaim, regions: list[Evidence]) -> list[Area]:
    """The paths of whole runs, or the regions into which they are merged."""
    runs = Walker(claim, claim.here).whole_runs(claim.count or 0)
    paths = list(itertools.islice(runs, MOST_PATHS + 1))
    cover(len(paths) <= MOST_PATHS, "the program has too many paths")
    if not regions:
        return [Area(p.noises, p.rows, p.items) for p in paths]
    numbers = sorted(i for region in regions for i in region.paths)
    need(numbers == list(range(len(paths))), "a path belongs to no region, or to several")
    need(len({p.noises for p in paths}) == 1, "merged paths draw different noises")
    need(all(p.coins == UNIT for p in paths), "merged paths toss coins")
    areas = [merged([paths[i] for i in region.paths], region.sums) for region in regions]
    for one, other in itertools.combinations(areas, 2):
        need(
            any(exclude(a, b, one.noises) for a in one.rows for b in other.rows),
            "two regions may overlap",
        )
    return areas


def merged(paths: list[Path], sums: list[list[list[int]]]) -> Area:
    """the paths release the same     each row is a sum of rows of every path
    -------------------------------------------------------------------------
    the area of these rows contains the paths
    """
    need(bool(paths) and len(paths) == len(sums), "a region does not have sums for each path")
    (first, *_) = paths
    need(all(p.items == first.items for p in paths), "merged paths release different items")
    rows = [[sum_of(p, chosen) for chosen in listed] for p, listed in zip(paths, sums, strict=True)]
    lines = [[row.line for row in listed] for listed in rows]
    need(all(found == lines[0] for found in lines), "a region has different rows on its paths")
    strict = [
        all(column)
        for column in zip(*([row.strict for row in listed] for listed in rows), strict=True)
    ]
    return Area(first.noises, tuple(map(Row, lines[0], strict)), first.items)


def sum_of(path: Path, chosen: list[int]) -> Row:
    need(bool(chosen) and all(0 <= i < len(path.rows) for i in chosen), "a row is no sum of rows")
    rows = [path.rows[i] for i in chosen]
    line = added((1, row.line) for row in rows)
    need(line.constant.is_zero, "a row of a region has a constant")
    return Row(line, any(row.strict for row in rows))


def exclude(a: Row, b: Row, noises: tuple[Noise, ...]) -> bool:
    """True only if both hold at most where a line with continuous noise is 0."""
    if added([(1, a.line), (1, b.line)]).slopes:
        return False
    continuous = {noise.key for noise in noises if noise.law != "geometric"}
    return a.strict or b.strict or any(n in continuous for n, _ in a.line.slopes)


# any number of queries


def contest(claim: ProgramClaim) -> Area:
    """the value of one answer stays above every other     (gap: above their greatest, by as much)
    ---------------------------------------------------------------------------------------------
    it wins again, where its noises alone are shifted
    """
    noises, value = Walker(claim, claim.here).contestant(alone("q"), "")
    other = Line(tuple((OTHER, c) for n, c in value.slopes if n == "q"), NOTHING)
    lead = value - other
    rows = (Row(lead, False),)
    if not claim.start.strict:
        return Area(noises, rows, (), hidden=frozenset((OTHER,)))
    need(all(noise.law != "geometric" for noise in noises), "a gap between whole numbers")
    return Area(noises, rows, (lead,))


class Rounds:
    """heads for all states and phases that are reached     left >= 0 at the end, and
    left >= cost of a path + left where it leads     level >= cost of a path + left, at the start
    ---------------------------------------------------------------------------------------------
    the claim is proved for this move, for any number of queries
    """

    def __init__(self, claim: ProgramClaim, move: Move, shown: Evidence) -> None:
        self.claim, self.move, self.ages = claim, move, shown.ages
        self.heads = {(head.state, head.phase): head for head in shown.heads}
        self.start, self.walker = shown.start, Walker(claim, claim.here)
        self.still = Move(move.level, {}, (), False, move.scaled)

    def require(self) -> None:
        need(0 < self.ages <= MOST_AGES, "the number of rounds that are told apart is out of range")
        level = self.claim.here.form(self.move.level)
        paths = self.walker.of_tree(self.claim.start, [])
        todo = self.reached(paths, self.start, 0, Asked(self.still, {}, level))
        done: set[tuple[str, int]] = set()
        while todo:
            key = todo.pop()
            if key not in done:
                done.add(key)
                todo += self.after(*key)

    def after(self, key: str, phase: int) -> list[tuple[str, int]]:
        """The heads that follow on a head, after its body and its end are checked."""
        head, state = self.head(key, phase), self.claim.states[key]
        known = {n: gathered([("", d)]) for n, d in head.differences}
        left, found = self.claim.here.form(head.left), []
        registers = list(state.registers)
        nexts = self.phases(phase)
        need(
            [k for k, _ in head.bodies] == [k for k, _ in nexts], "a body lacks shifts for a phase"
        )
        paths = self.walker.of_tree(state.body, ["q", *registers])
        for (later, moves), (_, shifts) in zip(nexts, head.bodies, strict=True):
            move = self.move if moves else self.still
            changes = {"q": {}, **move.changes, **known}
            found += self.reached(paths, shifts, later, Asked(move, changes, left))
        if self.move.single and phase == 0:
            return found  # nothing has moved, and the two inputs are the same
        asked = Asked(self.still, known, left)
        return found + self.reached(
            self.walker.of_tree(state.end, registers), head.end, phase, asked
        )

    def phases(self, phase: int) -> list[tuple[int, bool]]:
        """(the phase after the next round, whether its answer moves), for each possibility.

        If one answer moves, phase 0 is before, and later phases count the rounds since, up to
        `ages`.
        """
        if not self.move.single:
            return [(0, True)]
        return [(0, False), (1, True)] if phase == 0 else [(min(phase + 1, self.ages), False)]

    def head(self, key: str, phase: int) -> Evidence:
        if (key, phase) not in self.heads:
            raise Rejected("nothing is stated for a state in a phase that is reached")
        found: Evidence = self.heads[key, phase]
        return found

    def reached(
        self, paths: list[Path], shifts: list[Evidence], phase: int, asked: Asked
    ) -> list[tuple[str, int]]:
        """The heads to which paths lead, after their shifts are checked."""
        need(len(paths) == len(shifts), f"{len(paths)} paths need shifts")
        found = []
        for path, shown in zip(paths, shifts, strict=True):
            need(len(shown.rows) < 2, "shifts at vertices where the number of queries is not fixed")
            most = asked.most
            updates: tuple[tuple[Line, Number], ...] = ()
            if path.state and not shown.never:
                head, kept = self.head(path.state, phase), dict(path.registers)
                need(
                    all(n in kept for n, _ in head.differences), "a head lists an unknown register"
                )
                updates = tuple((kept[n], d) for n, d in head.differences)
                most = most - self.claim.here.form(head.left)
                found.append((path.state, phase))
            area = Area(path.noises, path.rows, path.items, updates)
            require_shifts(self.claim, area, replace(asked, most=most), shown)
        return found
