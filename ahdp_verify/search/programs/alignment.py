"""The linear programmes of alignments (`kernel.rules.alignment` is the rule that a solution has to
satisfy).

On one path, the unknowns are the shifts s of the noises and their sizes u, for the move d:

    minimise  sum of u / scale    where    A s + B d >= 0,   V s + W d = 0,   u >= |s|

The square in the cost of Gaussian noise is bounded from below by its tangents at `TANGENTS`.

Where d varies in a box, the conditions have to hold on all of it: the least value of (unknown sum)
times an amount is a further unknown, bounded by its values at both ends.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import ONE_SIDED
from ahdp_verify.kernel.model.program_claim import Affine
from ahdp_verify.kernel.model.program_paths import Item, Noise, Row
from ahdp_verify.kernel.terms.expression import multiply, number
from ahdp_verify.search.programs.costs import CostUnits
from ahdp_verify.search.programs.unknowns import Motion, Sum, change_of
from ahdp_verify.search.solvers.linear_programme import Programme

Box = Mapping[str, tuple[Fraction, Fraction]]
TANGENTS = (
    Fraction(1, 2),
    Fraction(1),
    Fraction(3, 2),
    Fraction(2),
    Fraction(4),
)  # sizes of shifts
NamedShifts = dict[str, dict[str, Fraction]]  # of each noise: coefficients of amounts, "" for none
Spent = dict[str, Sum]  # for each unit of the cost, what is spent of it


@dataclass(slots=True)
class ShiftProgramme:
    """A linear programme to which the conditions of paths are added one path after the other.

    affine    whether shifts may depend on the amounts that move, but for those that are `hidden`
    """

    costs: CostUnits
    affine: bool
    hidden: frozenset[str] = frozenset()
    programme: Programme = field(default_factory=Programme)
    _ends: int = 0
    _amounts: dict[tuple[Hashable, str], tuple[str, ...]] = field(default_factory=dict)

    def add_path(
        self,
        tag: Hashable,
        draws: Sequence[Noise],
        rows: Sequence[Row],
        fixed: Iterable[tuple[LinearForm, Sum]],
        moved: tuple[Mapping[str, Motion], Box],
    ) -> Spent:
        """Adds the unknowns and the conditions of a path: its rows stay, and each form in `fixed`
        changes by the given sum.  `moved` says how all names but the noises move, and in which box
        the amounts lie.  Returns what the shifts cost.
        """
        motions, box = dict(moved[0]), moved[1]
        fixed = list(fixed)
        depends = (
            self._dependence(rows, [form for form, _ in fixed], motions) if self.affine else {}
        )
        spent: Spent = {}
        for noise in draws:
            motions[noise.name] = self._shift(tag, noise, depends.get(noise.name, ()))
            size = self._size(tag, noise, motions[noise.name], box)
            c, unit = self.costs.of_noise(noise)
            spent[unit] = spent.get(unit, Sum({})) + size.times(c)
            if noise.law == "gaussian":
                c, unit = self.costs.of_scale(multiply(number(2), noise.scale, noise.scale))
                square = self._square(tag, noise, size)
                spent[unit] = spent.get(unit, Sum({})) + square.times(c)
        for row in rows:
            self._stays(change_of(row.form, motions), box)
        for form, wanted in fixed:
            change = change_of(form, motions)
            change[""] = change.get("", Sum({})) - wanted
            for gap in change.values():
                self.programme.equal(gap.terms, -gap.constant)
        return spent

    def cheapest(self, spent: Spent) -> dict[Hashable, Fraction] | None:
        """The solution in which least is spent, at the sample of the parameters; None if there is
        no solution.
        """
        for unit, total in spent.items():
            for unknown, c in total.terms.items():
                self.programme.variables[unknown].cost += float(c) * self.costs.weight(unit)
        return self.programme.solve()

    def shifts(
        self, tag: Hashable, draws: Sequence[Noise], solution: Mapping[Hashable, Fraction]
    ) -> NamedShifts:
        """The shifts of a path in a solution."""
        named: NamedShifts = {}
        for noise in draws:
            keys = self._amounts[tag, noise.name]
            pairs = {key: solution["shift", tag, noise.name, key] for key in keys}
            named[noise.name] = {key: c for key, c in pairs.items() if c}
        return named

    def _dependence(
        self, rows: Sequence[Row], fixed: Sequence[LinearForm], motions: Mapping[str, Motion]
    ) -> dict[str, tuple[str, ...]]:
        """For each noise the amounts of the answers that occur together with it in a form."""
        found: dict[str, set[str]] = {}
        for form in (*(row.form for row in rows), *fixed):
            amounts = {a for key, _ in form.terms for a in motions.get(key, ()) if a} - self.hidden
            for key, _ in form.terms:
                if key not in motions:
                    found.setdefault(key, set()).update(amounts)
        return {key: tuple(sorted(amounts)) for key, amounts in found.items()}

    def _shift(self, tag: Hashable, noise: Noise, amounts: tuple[str, ...]) -> Motion:
        keys = ("", *amounts)
        self._amounts[tag, noise.name] = keys
        for key in keys:
            shift, whole = ("shift", tag, noise.name, key), noise.law == "geometric"
            end = None if self.costs.may_shift(noise) else 0
            self.programme.variable(shift, low=end, high=end, whole=whole)
        return {key: Sum.of(("shift", tag, noise.name, key)) for key in keys}

    def _size(self, tag: Hashable, noise: Noise, shift: Motion, box: Box) -> Sum:
        """An unknown that is at least the size of a shift; the shift is >= 0 where the law asks for
        that.
        """
        size = ("size", tag, noise.name)
        self.programme.variable(size, low=0)
        up = {key: moved.times(Fraction(-1)) for key, moved in shift.items()}
        self._stays({**up, "": up[""] + Sum.of(size)}, box)
        down = shift if noise.law in ONE_SIDED else {**shift, "": shift[""] + Sum.of(size)}
        self._stays(down, box)
        return Sum.of(size)

    def _square(self, tag: Hashable, noise: Noise, size: Sum) -> Sum:
        """An unknown that is at least the values of all tangents of the square of a size."""
        square = ("square", tag, noise.name)
        self.programme.variable(square, low=0)
        for k in TANGENTS:
            gap = Sum.of(square) - size.times(2 * k)
            self.programme.at_least(gap.terms, -k * k)
        return Sum.of(square)

    def _stays(self, change: Mapping[str, Sum], box: Box) -> None:
        """Adds the row that a change is >= 0 on the whole box."""
        total = change.get("", Sum({}))
        for amount, moved in change.items():
            if amount:
                total = total + self._least(moved, box[amount])
        self.programme.at_least(total.terms, -total.constant)

    def _least(self, moved: Sum, ends: tuple[Fraction, Fraction]) -> Sum:
        """A sum that is at most `moved` times an amount between the ends."""
        if not moved.terms:
            return Sum({}, min(moved.constant * end for end in ends))
        self._ends += 1
        least = ("least", self._ends)
        self.programme.variable(least)
        for end in ends:
            gap = moved.times(end) - Sum.of(least)
            self.programme.at_least(gap.terms, -gap.constant)
        return Sum.of(least)


def unmoved(items: Iterable[Item]) -> list[tuple[LinearForm, Sum]]:
    """The released numbers among items, which must not change."""
    return [(item, Sum({})) for item in items if isinstance(item, LinearForm)]


def shifts_in_order(draws: Sequence[Noise], named: NamedShifts) -> tuple[Affine, ...]:
    """The shifts of the noises in the order in which they are drawn, as evidence has them."""
    return tuple(tuple(sorted(named.get(noise.name, {}).items())) for noise in draws)
