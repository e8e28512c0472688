"""The paths of a noise program: what is drawn, which linear values have to be positive, and what is
released.

Exactly one path is taken at each choice of noises (and coins), so the paths of a run partition the
noises, and the probability of an output is the sum over its paths.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, If, Release, Stop
>>> from ahdp_verify.kernel.terms.expression import label
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> choice = If(parse("q[1] + nu"), True, Release(label("yes"), Stop()), Stop())
>>> program = Program("sign", (), Answers(1), Draw("nu", "laplace", parse("1"), choice))
>>> for path in PathTable(program).runs(1):
...     print([str(row.form) for row in path.rows], [str(item) for item in path.items])
['nu + q[1]'] ['"yes"']
['-nu - q[1]'] []
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ahdp_verify.kernel.model.answers import answer_names
from ahdp_verify.kernel.model.linear_form import LinearForm, linear_form
from ahdp_verify.kernel.model.program import (
    Coin,
    Contest,
    Draw,
    Goto,
    If,
    Program,
    Release,
    Stop,
    Tree,
    Winner,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import ONE, Expression, add, multiply, negative, number


@dataclass(frozen=True, slots=True)
class Noise:
    """A noise that is drawn on a path."""

    name: str
    law: str
    scale: Expression


@dataclass(frozen=True, slots=True)
class Row:
    """form >= 0, or form > 0 if strict."""

    form: LinearForm
    strict: bool


UNIT, STOP = Fraction(1), Stop()
Item = Expression | LinearForm  # a label, or a number that is released


@dataclass(frozen=True, slots=True)
class Path:
    """One path: the noises drawn, the rows that hold on it, the items released in order, the
    probability of its coins, and how it ends.
    """

    draws: tuple[Noise, ...] = ()
    rows: tuple[Row, ...] = ()
    items: tuple[Item, ...] = ()
    probability: Expression = ONE
    end: Goto | Stop = STOP
    registers: tuple[tuple[str, LinearForm], ...] = ()  # what a Goto keeps

    def followed_by(self, other: Path) -> Path:
        """This path and then another."""
        coins = [p for p in (self.probability, other.probability) if p != ONE]
        return Path(
            self.draws + other.draws,
            self.rows + other.rows,
            self.items + other.items,
            multiply(*coins) if coins else ONE,
            other.end,
            other.registers,
        )

    def at(self, values: Mapping[str, LinearForm], suffix: str) -> Path:
        """The path with names replaced by forms, and its own noises renamed with a suffix."""
        renamed = {d.name: LinearForm.of({d.name + suffix: UNIT}) for d in self.draws}
        values = {**values, **renamed}
        return Path(
            tuple(replace(d, name=d.name + suffix) for d in self.draws),
            tuple(Row(row.form.at(values), row.strict) for row in self.rows),
            tuple(i.at(values) if isinstance(i, LinearForm) else i for i in self.items),
            self.probability,
            self.end,
            tuple((key, form.at(values)) for key, form in self.registers),
        )


Wanted = Callable[[int, Item], bool]


def everything(i: int, item: Item) -> bool:
    """Every output."""
    del i, item
    return True


@dataclass(slots=True)
class PathTable:
    """The paths of the trees of a program, each tree walked once."""

    program: Program
    here: Context = field(init=False)
    start: tuple[Path, ...] = field(init=False)
    bodies: dict[str, tuple[Path, ...]] = field(init=False)
    ends: dict[str, tuple[Path, ...]] = field(init=False)

    def __post_init__(self) -> None:
        p = self.program
        self.here = p.here
        fixed = frozenset(() if p.states else answer_names(p.inputs))
        self.start = tuple(self._paths(p.start, fixed))
        self.bodies = {
            s.name: tuple(self._paths(s.body, frozenset(("q", *s.registers)))) for s in p.states
        }
        self.ends = {s.name: tuple(self._paths(s.end, frozenset(s.registers))) for s in p.states}

    def runs(self, n: int, wanted: Wanted = everything) -> Iterator[Path]:
        """The paths of whole runs on n queries q[1], ..., q[n], in order; without those that
        release an item that is not `wanted` at its place (counted from 0).

        The noises of the answer to query number i are named with the suffix #i.
        """
        if isinstance(self.program.start, Contest):
            whole = _contest_paths(*self.contest(self.program.start), self.program.start.gap, n)
            yield from (path for path in whole if _all_wanted(path, 0, wanted))
        for path in self.start:
            if _all_wanted(path, 0, wanted):
                yield from self._continued(path, 1, n, wanted)

    def contest(self, contest: Contest) -> tuple[tuple[Noise, ...], LinearForm]:
        """The noises and the value of one answer q of a contest."""
        draws = tuple(Noise(*drawn) for drawn in contest.draws)
        return draws, self._form(contest.value, frozenset(("q", *(d.name for d in draws))))

    def _continued(self, so_far: Path, i: int, n: int, wanted: Wanted) -> Iterator[Path]:
        if isinstance(so_far.end, Stop):
            yield so_far
            return
        last, values = i > n, dict(so_far.registers)
        if not last:
            values["q"] = LinearForm.of({f"q[{i}]": UNIT})
        for path in (self.ends if last else self.bodies)[so_far.end.state]:
            following = path.at(values, f"#{i}")
            if _all_wanted(following, len(so_far.items), wanted):
                yield from self._continued(so_far.followed_by(following), i + 1, n, wanted)

    def _paths(self, tree: Tree, bound: frozenset[str]) -> Iterator[Path]:
        """The paths of one tree, in which `bound` and the noises drawn are linear."""
        match tree:
            case Stop():
                yield Path()
            case Contest():
                return  # its runs depend on the number of queries
            case Goto():
                kept = tuple((key, self._form(value, bound)) for key, value in tree.registers)
                yield Path(end=tree, registers=kept)
            case Draw():
                step = Path(draws=(Noise(tree.noise, tree.law, tree.scale),))
                yield from self._after(step, tree.then, bound | {tree.noise})
            case Release():
                label = tree.item.head == "label"
                item = tree.item if label else self._form(tree.item, bound)
                yield from self._after(Path(items=(item,)), tree.then, bound)
            case Coin():
                yield from self._after(Path(probability=tree.probability), tree.yes, bound)
                tails = add(ONE, negative(tree.probability))
                yield from self._after(Path(probability=tails), tree.no, bound)
            case If():
                form = self._form(tree.value, bound)
                yield from self._after(Path(rows=(Row(form, tree.strict),)), tree.yes, bound)
                below = Row(-form, not tree.strict)
                yield from self._after(Path(rows=(below,)), tree.no, bound)
            case Winner():
                for i, branch in enumerate(tree.branches):
                    rows = tuple(
                        Row(self._form(add(tree.values[i], negative(other)), bound), j < i)
                        for j, other in enumerate(tree.values)
                        if j != i
                    )
                    yield from self._after(Path(rows=rows), branch, bound)

    def _after(self, step: Path, tree: Tree, bound: frozenset[str]) -> Iterator[Path]:
        for path in self._paths(tree, bound):
            yield step.followed_by(path)

    def _form(self, e: Expression, bound: frozenset[str]) -> LinearForm:
        return linear_form(e, bound, self.here, "program")


def _contest_paths(
    draws: tuple[Noise, ...], value: LinearForm, gap: bool, n: int
) -> Iterator[Path]:
    """The paths of a contest of n answers: one for each winner, or for each winner and second."""
    one = Path(draws, registers=(("value", value),))
    each = [one.at({"q": LinearForm.of({f"q[{i}]": UNIT})}, f"#{i}") for i in range(1, n + 1)]
    values, drawn = [dict(p.registers)["value"] for p in each], sum((p.draws for p in each), ())

    def above(i: int, others: Iterable[int]) -> tuple[Row, ...]:
        return tuple(Row(values[i].minus(values[j]), j < i) for j in others if j != i)

    for i in range(n):
        won: Item = LinearForm((), number(i))
        if not gap or n == 1:
            yield Path(drawn, above(i, range(n)), (won,))
            continue
        for j in range(n):
            if j != i:
                second = above(j, (k for k in range(n) if k != i))
                items = (won, values[i].minus(values[j]))
                yield Path(drawn, (*above(i, [j]), *second), items)


def _all_wanted(path: Path, before: int, wanted: Wanted) -> bool:
    return all(wanted(before + i, item) for i, item in enumerate(path.items))
