"""Privacy of noise programs by randomness alignment.

    a path p of the program is taken where every row  A x + B q + c  is >= 0 (or > 0)
    shifts s with A s + B d >= 0 for every row, V s + W d = 0 for every number released on p
    the costs of the shifts add up to at most L
    ---------------------------------------------------------------------------------------
             P[outputs of p at q] <= exp(L) P[outputs of p at q + d], on every path p

x    the noises drawn on p, q the query answers, d the move, s the shifts, constant in x

Where x leads along p with the answers q, x + s leads along p with the answers q + d, to the same
output, and the density of x is at most exp(L) that of x + s.  Substituting x + s in the integral
(or sum) over each path and adding up gives the conclusion, since the paths partition the noises.

The cost of a shift by s, the largest log f(x)/f(x + s), is |s|/b for Laplace noise of scale b,
|s|/b for whole s and geometric noise, s/b for s >= 0 and exponential or Gumbel noise.  Gaussian
noise has to be cut (`cuts`).

Merged paths (`Region`).  Let each region Q contain its paths, which release the same, and let any
two regions contradict each other in a row.  Then Q is the union of its paths up to a null set, and
may stand for them.

Any number of queries (`Rounds`).  At each state c and phase let D(c) be the differences of the
registers and F(c) what is left.  If the rows and outputs of every path of a body are as above, with
D for the registers, the registers differ by D(c') when it goes on to c', and F(c) >= its cost +
F(c'), then the shifts along any run add up to an alignment of cost at most F at its start.  The
queries may be chosen adaptively, since the outputs so far agree.

A contest of any number of answers (`Contest`).  Let only the noises of the winner be shifted.  Its
value has to stay above each other one, which moves with its answer alone; the shift may depend on
how far the winner's answer moves.  With continuous noise and a gap it may also depend on how far
the greatest of the others moves, which is between the least and the greatest move of an answer.

Moves.  All conditions are linear in d, so they are checked at the ends of the box of each amount.
Between the vertices of a box the convex combination of the shifts at the vertices serves.  If all
conditions hold at d they hold at t d, for t in [0, 1], with shifts t s.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.alignment import (
    Alignment,
    CutRuns,
    Head,
    PathShifts,
    Region,
    Rounds,
    WholeRuns,
)
from ahdp_verify.kernel.evidence.certificate import Certificate
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import ONE_SIDED, Contest, Goto
from ahdp_verify.kernel.model.program_claim import OTHER, Affine, Moves, ProgramClaim, moves_of
from ahdp_verify.kernel.model.program_paths import Item, Noise, Path, PathTable, Row
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.accepting import OTHER_PROOF, Acceptance, rely_on
from ahdp_verify.kernel.rules.applied import accept_applied
from ahdp_verify.kernel.rules.cuts import checked_cuts, prices
from ahdp_verify.kernel.rules.inequalities import check_sign
from ahdp_verify.kernel.rules.statements import accept_statement
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Expression,
    add,
    multiply,
    negative,
    number,
    reciprocal,
)

MOST_PATHS = 100_000  # of one claim; the longest stored has about 1,000
MOST_AGES = 50  # rounds after a move that are told apart
Vector = dict[str, Fraction]  # a linear form in amounts, the constant under ""
Box = tuple[tuple[str, Fraction, Fraction], ...]
Costs = tuple[tuple[Expression, Fraction], ...]  # for each divisor, what is divided by it


def accept_alignment(claim: object, certificate: object) -> Acceptance:
    """Accepted, if the shifts prove the claim about a noise program, also one about the answers of
    a query; Rejected otherwise.
    """
    if isinstance(certificate, AppliedAlignment) and isinstance(claim, AppliedClaim):
        return accept_applied(claim, certificate, _accept_premise)
    if not isinstance(certificate, Alignment):
        raise Rejected("the certificate is malformed: there is no rule for such evidence")
    if not isinstance(claim, ProgramClaim):
        raise Rejected(OTHER_PROOF)
    if certificate.claim != claim.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    rely_on("the alignment rule")
    table = PathTable(claim.program)
    check_sign(normal(claim.delta, table.here), ">=", None, table.here)
    wanted = moves_of(claim)
    if not wanted:
        raise Rejected("the claim compares nothing")
    if len(wanted) != len(certificate.moves):
        raise Rejected(f"the claim has {len(wanted)} kinds of moves to treat")
    start = claim.program.start
    if claim.n is None and certificate.regions:
        raise Rejected("regions need a fixed number of queries")
    if claim.n is None and isinstance(start, Contest):
        areas = [contest_area(table, start)]
    elif claim.n is None:
        for moves, shown in zip(wanted, certificate.moves, strict=True):
            if not isinstance(shown, Rounds):
                raise Rejected("any number of queries needs shifts for each round")
            _RoundsCheck(table, moves, shown).check()
        return Acceptance()
    else:
        areas = areas_of_runs(table, claim.n, certificate.regions)
    for moves, shown in zip(wanted, certificate.moves, strict=True):
        if not isinstance(shown, WholeRuns | CutRuns) or len(shown.shifts) != len(areas):
            raise Rejected(f"{len(areas)} paths or regions need shifts")
        cuts: Mapping[str, Expression] = {}
        if isinstance(shown, CutRuns):
            cuts = checked_cuts(claim, shown.cuts, [area.draws for area in areas])
        budget = _Budget(table, moves.level)
        for area, shifts in zip(areas, shown.shifts, strict=True):
            for costs in _AreaCheck(table, moves, area, cuts=cuts).costs(shifts):
                budget.check(costs, ZERO)
    return Acceptance()


def _accept_premise(claim: object, certificate: object) -> Acceptance:
    if isinstance(certificate, Certificate):
        return accept_statement(claim, certificate)
    return accept_alignment(claim, certificate)


@dataclass(frozen=True, slots=True)
class Area:
    """Where some noises lead: rows, what is released there, and the noises drawn."""

    draws: tuple[Noise, ...]
    rows: tuple[Row, ...]
    items: tuple[Item, ...]
    updates: tuple[tuple[LinearForm, Fraction], ...] = ()  # forms that have to change by this much
    contest: bool = False  # the shift may not depend on how another answer moves


def area_of_path(path: Path, updates: tuple[tuple[LinearForm, Fraction], ...] = ()) -> Area:
    """Where one path leads."""
    return Area(path.draws, path.rows, path.items, updates)


def contest_area(table: PathTable, contest: Contest) -> Area:
    """Where one answer wins a contest against any other."""
    draws, value = table.contest(contest)
    others = LinearForm.of({OTHER: dict(value.terms).get("q", Fraction(0))})
    ahead = LinearForm.of(dict(value.terms)).minus(others)
    if contest.gap and any(d.law == "geometric" for d in draws):
        raise Rejected("a gap between whole numbers is not shown for any number of answers")
    return Area(
        draws, (Row(ahead, False),), (ahead,) if contest.gap else (), contest=not contest.gap
    )


def areas_of_runs(table: PathTable, n: int, regions: tuple[Region, ...]) -> list[Area]:
    """The paths of runs on n queries, or the regions into which they are merged."""
    paths = list(itertools.islice(table.runs(n), MOST_PATHS + 1))
    if len(paths) > MOST_PATHS:
        raise Rejected(f"the program has more than {MOST_PATHS} paths on {n} queries")
    if not regions:
        return [area_of_path(path) for path in paths]
    if sorted(i for region in regions for i in region.paths) != list(range(len(paths))):
        raise Rejected("each path has to belong to one region")
    areas = [_merged([paths[i] for i in region.paths], region) for region in regions]
    for one, other in itertools.combinations(areas, 2):
        if one.draws != other.draws:
            raise Rejected("merged paths have to draw the same noises")
        if not _exclusive(one, other):
            raise Rejected("two regions may overlap")
    return areas


def _merged(paths: list[Path], region: Region) -> Area:
    """The area of a region, once every path is shown to lie in it."""
    first = paths[0]
    if any(p.draws != first.draws or p.items != first.items for p in paths):
        raise Rejected("merged paths have to draw and release the same")
    if any(p.probability != ONE for p in paths) or len(region.sums) != len(paths):
        raise Rejected("merged paths cannot toss coins, and each needs its sums")
    listed = [
        [_sum_of_rows(p, rows) for rows in sums] for p, sums in zip(paths, region.sums, strict=True)
    ]
    if any([row.form for row in rows] != [row.form for row in listed[0]] for rows in listed):
        raise Rejected("the rows of a region do not follow from each of its paths")
    strict = [all(rows[k].strict for rows in listed) for k in range(len(listed[0]))]
    rows = tuple(Row(row.form, s) for row, s in zip(listed[0], strict, strict=True))
    return Area(first.draws, rows, first.items)


def _sum_of_rows(path: Path, chosen: tuple[int, ...]) -> Row:
    if not chosen or not all(0 <= i < len(path.rows) for i in chosen):
        raise Rejected("a row of a region is the sum of rows of its paths")
    terms: Vector = {}
    for i in chosen:
        row = path.rows[i]
        if row.form.constant != ZERO:
            raise Rejected("rows with constants are not merged")
        _increase(terms, dict(row.form.terms), Fraction(1))
    return Row(LinearForm.of(terms), any(path.rows[i].strict for i in chosen))


def _exclusive(one: Area, other: Area) -> bool:
    """Whether a row of one is the opposite of a row of the other, one of them strict or the two
    meeting in a null set.
    """
    continuous = {d.name for d in one.draws if d.law != "geometric"}
    opposite = {(-row.form).terms: row.strict for row in other.rows}
    return any(
        row.form.terms in opposite
        and (row.strict or opposite[row.form.terms] or continuous & set(row.form.coefficients))
        for row in one.rows
    )


@dataclass(slots=True)
class _Budget:
    """Checks that costs do not exceed a level, each kind of costs once."""

    table: PathTable
    level: Expression
    seen: set[tuple[Costs, Expression]] = field(default_factory=set)

    def check(self, costs: Costs, left: Expression) -> None:
        """Rejected unless level >= costs + left."""
        if (costs, left) in self.seen:
            return
        spent = [multiply(number(u), reciprocal(scale)) for scale, u in costs]
        gap = add(self.level, negative(left), *map(negative, spent))
        check_sign(normal(gap, self.table.here), ">=", None, self.table.here)
        self.seen.add((costs, left))


@dataclass(frozen=True, slots=True)
class _AreaCheck:
    """Checks the shifts on one area; `differences` are those of the registers."""

    table: PathTable
    moves: Moves
    area: Area
    differences: tuple[tuple[str, Fraction], ...] = ()
    cuts: Mapping[str, Expression] = field(default_factory=dict)

    def costs(self, shifts: PathShifts) -> Iterator[Costs]:
        """What the shifts cost, at each vertex if they are given so, after checking them; nothing
        where the area is empty.
        """
        if shifts.never:
            self._check_never(shifts.never)
            return
        values = {key: dict(v) for key, v in self.moves.values}
        values |= {key: {"": d} for key, d in self.differences}
        if len(shifts.rows) == 1:
            yield self._costs_at(shifts.rows[0], values, self.moves.box)
            return
        if self.area.contest:
            raise Rejected("one row of shifts has to serve for every other answer of a contest")
        vertices = list(corners(self.area, self.moves, self.table.program.inputs.whole))
        if len(vertices) != len(shifts.rows):
            raise Rejected(f"{len(vertices)} vertices need shifts")
        for corner, row in zip(vertices, shifts.rows, strict=True):
            at = {key: {"": _value(v, corner)} for key, v in values.items()}
            yield self._costs_at(row, at, ())

    def _costs_at(
        self, shifts: tuple[Affine, ...], values: Mapping[str, Vector], box: Box
    ) -> Costs:
        draws = self.area.draws
        if len(shifts) != len(draws):
            raise Rejected(f"{len(draws)} noises need shifts")
        moved = dict(values)
        spent: dict[Expression, Fraction] = {}
        for noise, shift in zip(draws, shifts, strict=True):
            vector = _vector(shift, box)
            if self.area.contest and OTHER in vector:
                raise Rejected("the shift of a winner depends on another answer")
            self._check_shift(noise, vector, box)
            moved[noise.name] = vector
            size = max(-_least(vector, box), _greatest(vector, box))
            for scale, amount in prices(noise, size, self.cuts) if size else ():
                spent[scale] = spent.get(scale, Fraction(0)) + amount
        for row in self.area.rows:
            if _least(_change(row.form, moved), box) < 0:
                raise Rejected(f"a shift leaves the row {row.form} >= 0")
        for item in self.area.items:
            if isinstance(item, LinearForm) and _change(item, moved):
                raise Rejected(f"the released number {item} changes")
        for form, wanted in self.area.updates:
            if _change(form, moved) != ({"": wanted} if wanted else {}):
                raise Rejected(f"the register set to {form} does not differ as stated")
        return tuple(sorted(spent.items(), key=lambda pair: str(pair[0])))

    def _check_shift(self, noise: Noise, shift: Vector, box: Box) -> None:
        """Rejected if the law does not allow the shift at a bounded cost."""
        if noise.law in ONE_SIDED and _least(shift, box) < 0:
            raise Rejected(f"{noise.law} noise is shifted upwards only")
        if noise.law == "geometric" and shift:
            at_vertices = len(self.moves.box) > len(box)  # and between them by convex combination
            varies = self.moves.scaled or at_vertices or set(shift) != {""}
            if any(c.denominator != 1 for c in shift.values()) or (
                varies and not self.table.program.inputs.whole
            ):
                raise Rejected("geometric noise is shifted by whole numbers only")

    def _check_never(self, chosen: tuple[tuple[int, Fraction], ...]) -> None:
        """Rejected unless the rows, with these factors, add up to a contradiction."""
        rows = self.area.rows
        terms: Vector = {}
        constants: list[Expression] = []
        strict = False
        for i, c in chosen:
            if not 0 <= i < len(rows) or c <= 0:
                raise Rejected("a contradiction is a sum of rows with positive factors")
            _increase(terms, dict(rows[i].form.terms), c)
            constants.append(multiply(number(c), rows[i].form.constant))
            strict = strict or rows[i].strict
        if terms:
            raise Rejected("the rows do not add up to a constant")
        opposite = normal(negative(add(*constants)), self.table.here)
        check_sign(opposite, ">=" if strict else ">", None, self.table.here)


@dataclass(slots=True)
class _RoundsCheck:
    """Checks the shifts for any number of queries."""

    table: PathTable
    moves: Moves
    shown: Rounds
    heads: dict[tuple[str, int], Head] = field(init=False)

    def __post_init__(self) -> None:
        self.heads = {(head.state, head.phase): head for head in self.shown.heads}

    def check(self) -> None:
        """Rejected unless the shifts serve for every number of queries."""
        if not 1 <= self.shown.ages <= MOST_AGES:
            raise Rejected(f"between 1 and {MOST_AGES} rounds are told apart")
        still = Moves(self.moves.text, self.moves.level, (), (), False, self.moves.scaled)
        todo = list(self._paths(self.table.start, self.shown.start, 0, still, (), self.moves.level))
        seen: set[tuple[str, int]] = set()
        while todo:
            key = todo.pop()
            if key in seen:
                continue
            seen.add(key)
            todo += self._rounds(self.heads[key], still)

    def _rounds(self, head: Head, still: Moves) -> Iterator[tuple[str, int]]:
        """The heads that follow on a head, after checking its bodies and its end."""
        nexts = self._next_phases(head.phase)
        if [phase for phase, _ in head.bodies] != [phase for phase, _ in nexts]:
            raise Rejected("a body needs shifts for each phase that may follow")
        kept, left = head.differences, head.left
        for (phase, moving), (_, shifts) in zip(nexts, head.bodies, strict=True):
            moves = (
                self.moves
                if moving
                else Moves(still.text, still.level, (("q", ()),), (), False, still.scaled)
            )
            yield from self._paths(self.table.bodies[head.state], shifts, phase, moves, kept, left)
        if self.moves.single and head.phase == 0:
            return  # no answer has moved yet, so two runs that end here are not compared
        yield from self._paths(self.table.ends[head.state], head.end, head.phase, still, kept, left)

    def _next_phases(self, phase: int) -> tuple[tuple[int, bool], ...]:
        """The phases that may follow, and whether the answer in between moves.

        Where one answer moves: phase 0 before it, then the rounds since, up to `ages`.
        """
        if not self.moves.single:
            return ((0, True),)
        if phase == 0:
            return ((0, False), (1, True))
        return ((min(phase + 1, self.shown.ages), False),)

    def _paths(
        self,
        paths: tuple[Path, ...],
        shifts: tuple[PathShifts, ...],
        phase: int,
        moves: Moves,
        kept: tuple[tuple[str, Fraction], ...],
        level: Expression,
    ) -> Iterator[tuple[str, int]]:
        """The heads to which paths lead, after checking their shifts and costs."""
        if len(paths) != len(shifts):
            raise Rejected(f"{len(paths)} paths need shifts")
        budget = _Budget(self.table, level)
        for path, shift in zip(paths, shifts, strict=True):
            if len(shift.rows) > 1:
                raise Rejected("rounds need shifts that are affine in the amounts")
            updates: tuple[tuple[LinearForm, Fraction], ...] = ()
            left = ZERO
            if isinstance(path.end, Goto) and not shift.never:
                head = self.heads.get((path.end.state, phase))
                if head is None:
                    raise Rejected(f"nothing is stated for state {path.end.state} in phase {phase}")
                forms = dict(path.registers)
                updates = tuple((forms[key], d) for key, d in head.differences)
                left = head.left
                yield head.state, head.phase
            check = _AreaCheck(self.table, moves, area_of_path(path, updates), kept)
            for costs in check.costs(shift):
                budget.check(costs, left)


def corners(area: Area, moves: Moves, whole: bool) -> Iterator[dict[str, Fraction]]:
    """The vertices of the box of the amounts on which an area depends; the whole points, where
    answers are whole numbers.
    """
    forms = [row.form for row in area.rows]
    forms += [item for item in area.items if isinstance(item, LinearForm)]
    used = {key for form in forms for key, _ in form.terms}
    box = sorted(entry for entry in moves.box if entry[0] in used)
    ends = [_whole_points(low, high) if whole else (low, high) for _, low, high in box]
    for point in itertools.product(*ends):
        yield {entry[0]: value for entry, value in zip(box, point, strict=True)}


def _vector(shift: Affine, box: Box) -> Vector:
    known = {"", *(key for key, _, _ in box)}
    vector = dict(shift)
    if len(vector) != len(shift) or not set(vector) <= known:
        raise Rejected("a shift is affine in the amounts that move, each named once")
    return {key: c for key, c in vector.items() if c}


def _change(form: LinearForm, moved: Mapping[str, Vector]) -> Vector:
    """By how much a form changes; Rejected if it uses something of which that is not known."""
    total: Vector = {}
    for key, c in form.terms:
        if key not in moved:
            raise Rejected(f"the change of {key} is not known")
        _increase(total, moved[key], c)
    return total


def _increase(total: Vector, vector: Mapping[str, Fraction], factor: Fraction) -> None:
    """Adds factor * vector to a total, in which no coefficient stays 0."""
    for key, c in vector.items():
        found = total.get(key, 0) + factor * c
        if found:
            total[key] = found
        else:
            total.pop(key, None)


def _value(vector: Mapping[str, Fraction], point: Mapping[str, Fraction]) -> Fraction:
    """The value at a point; amounts that are not named there do not matter, and count as 0."""
    return sum((c * (point.get(key, 0) if key else 1) for key, c in vector.items()), Fraction(0))


def _least(vector: Vector, box: Box) -> Fraction:
    """The least value on the box."""
    total = vector.get("", Fraction(0))
    for key, low, high in box:
        c = vector.get(key)
        if c is not None:
            total += min(c * low, c * high)
    return total


def _greatest(vector: Vector, box: Box) -> Fraction:
    """The greatest value on the box."""
    return -_least({key: -c for key, c in vector.items()}, box)


def _whole_points(low: Fraction, high: Fraction) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, range(int(low), int(high) + 1)))
