"""Section 12: the paths of a program, in order: of one tree, or of whole runs.

A path is given by the noises that are drawn, the lines that are >= 0 (or > 0), what is released and
the probability of its coins.  Whoever draws every noise goes along exactly one path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from recheck.forms import UNIT, Form, constant
from recheck.limits import CLOCK
from recheck.lines import Line, alone, constant_line, line_of
from recheck.programs import ProgramClaim, Step
from recheck.signs import Context
from recheck.trees import Tree

Lines = Mapping[str, Line]
Item = Tree | Line  # a label, or a number
Allowed = Callable[[int, Item], bool]


@dataclass(frozen=True)
class Noise:
    key: str
    law: str
    scale: Form


@dataclass(frozen=True)
class Row:
    """line >= 0, or > 0 if it is strict."""

    line: Line
    strict: bool


@dataclass(frozen=True)
class Path:
    """`state` is where the next query is awaited, with these `registers`; empty after a stop."""

    noises: tuple[Noise, ...] = ()
    rows: tuple[Row, ...] = ()
    items: tuple[Item, ...] = ()
    coins: Form = UNIT
    state: str = ""
    registers: tuple[tuple[str, Line], ...] = ()


def every(place: int, item: Item) -> bool:
    return True


@dataclass
class Walker:
    """Follows the steps of a program; `here` knows the parameters.

    Paths are left out where an item is released that is not `allowed` at its place, from 0.
    """

    claim: ProgramClaim
    here: Context
    allowed: Allowed = every

    def whole_runs(self, n: int) -> Iterator[Path]:
        """The paths of runs on n queries; noises of the answer to query i end with #i."""
        if self.claim.is_contest:
            yield from filter(self.is_allowed, self.contests(n))
            return
        given = {} if self.claim.states else {q: alone(q) for q in self.claim.names_of(n)}
        for path in self.steps(self.claim.start, given, "", Path()):
            yield from self.rounds(path, 1, n)

    def is_allowed(self, path: Path) -> bool:
        return all(self.allowed(i, item) for i, item in enumerate(path.items))

    def contestant(self, q: Line, end: str) -> tuple[tuple[Noise, ...], Line]:
        """The noises of one answer, and its value."""
        step, given, noises = self.claim.start, {"q": q}, []
        for key, law, scale in step.draws:
            noises.append(Noise(key + end, law, self.here.form(scale)))
            given[key] = alone(key + end)
        return tuple(noises), self.line(step.values[0], given)

    def contests(self, n: int) -> Iterator[Path]:
        """The paths of a contest: one for each winner; with a gap, for each winner and second."""
        each = [self.contestant(alone(f"q[{i}]"), f"#{i}") for i in range(1, n + 1)]
        noises = tuple(noise for found, _ in each for noise in found)
        values = [value for _, value in each]
        for i in range(n):
            number = constant_line(constant(i))
            if not self.claim.start.strict or n == 1:
                yield Path(noises, ahead(values, i, range(n)), (number,))
                continue
            others = [j for j in range(n) if j != i]
            for j in others:
                rows = ahead(values, i, [j]) + ahead(values, j, others)
                yield Path(noises, rows, (number, values[i] - values[j]))

    def rounds(self, so_far: Path, i: int, n: int) -> Iterator[Path]:
        """The ways in which a path goes on from query i."""
        if not so_far.state:
            yield so_far
            return
        state, given = self.claim.states[so_far.state], dict(so_far.registers)
        before = replace(so_far, state="", registers=())
        if i > n:
            yield from self.steps(state.end, given, f"#{i}", before)
            return
        given["q"] = alone(f"q[{i}]")
        for path in self.steps(state.body, given, f"#{i}", before):
            yield from self.rounds(path, i + 1, n)

    def of_tree(self, step: Step, names: list[str]) -> list[Path]:
        """The paths of one tree, in which these names move."""
        return list(self.steps(step, {n: alone(n) for n in names}, "", Path()))

    def steps(self, step: Step, given: Lines, end: str, so_far: Path) -> Iterator[Path]:
        """The paths of a tree after the path so far, where names have these values."""
        CLOCK.ask()
        if step.kind == "stop":
            yield so_far
        elif step.kind == "goto":
            kept = tuple(
                zip(step.registers, (self.line(e, given) for e in step.values), strict=True)
            )
            yield replace(so_far, state=step.key, registers=kept)
        elif step.kind == "draw":
            noise = Noise(step.key + end, step.law, self.here.form(step.values[0]))
            after = replace(so_far, noises=(*so_far.noises, noise))
            yield from self.steps(
                step.branches[0], {**given, step.key: alone(noise.key)}, end, after
            )
        elif step.kind == "release":
            (item,) = step.values
            found = item if item.head == "label" else self.line(item, given)
            if self.allowed(len(so_far.items), found):
                after = replace(so_far, items=(*so_far.items, found))
                yield from self.steps(step.branches[0], given, end, after)
        else:
            for rows, coins, branch in self.choices(step, given):
                after = replace(so_far, rows=so_far.rows + rows, coins=so_far.coins * coins)
                yield from self.steps(branch, given, end, after)

    def choices(self, step: Step, given: Lines) -> Iterator[tuple[tuple[Row, ...], Form, Step]]:
        """(the rows, the probability, what follows) of each branch of a choice."""
        if step.kind == "coin":
            p = self.here.form(step.values[0])
            yield from (((), p, step.branches[0]), ((), UNIT - p, step.branches[1]))
            return
        lines = [self.line(e, given) for e in step.values]
        if step.kind == "if":
            nothing = constant_line(UNIT - UNIT)
            yes, no = Row(lines[0], step.strict), Row(nothing - lines[0], not step.strict)
            yield from (((yes,), UNIT, step.branches[0]), ((no,), UNIT, step.branches[1]))
            return
        for i, branch in enumerate(step.branches):
            yield ahead(lines, i, range(len(lines))), UNIT, branch

    def line(self, e: Tree, given: Lines) -> Line:
        return line_of(e, frozenset(given), self.here).at(given)


def ahead(values: Sequence[Line], i: int, others: Iterable[int]) -> tuple[Row, ...]:
    """The rows that make a value the first greatest among others."""
    return tuple(Row(values[i] - values[j], j < i) for j in others if j != i)
