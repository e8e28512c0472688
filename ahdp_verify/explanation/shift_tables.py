"""The table of a path of a noise program: its steps, what differs in the second run, and what the
shifts of the noises cost.

A `gap` is the difference of the two sides of a comparison that holds on the path; the second run
takes the same path if no gap shrinks.  d stands for the amount by which the answer q moves.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ahdp_verify.display.program_text import name_in_words, state_name
from ahdp_verify.explanation.program_steps import DRAW, ITEM, ROW, Steps
from ahdp_verify.kernel.evidence.alignment import Head, PathShifts
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program_claim import OTHER, Moves
from ahdp_verify.kernel.model.program_paths import Noise
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.alignment import Area, corners
from ahdp_verify.kernel.rules.cuts import prices
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    add,
    multiply,
    number,
    reciprocal,
)

Vector = Mapping[str, Fraction]  # coefficients of amounts, the constant under ""
Row = tuple[str, str, str]
HEAD: Row = ("step", "in the second run", "cost")
STEP, CELL, WIDEST = 34, 21, 66  # columns of a step, of a cell, of a table
FEW = 6  # rows in a run that are all shown


@dataclass(frozen=True, slots=True)
class Motion:
    """How everything but the noises differs between two runs.

    values   of answers and registers, in amounts;  box  the least and greatest value of each amount
    cuts     of Gaussian noise, as evidence has them
    """

    values: Mapping[str, Vector]
    box: tuple[tuple[str, Fraction, Fraction], ...]
    here: Context
    n: int = 0
    cuts: Mapping[str, Expression] = field(default_factory=dict)

    def at(self, corner: Vector) -> Motion:
        """The same where the amounts have these values, and those that are not named do not
        matter.
        """
        values = {
            key: {"": sum((c * (corner.get(k, 0) if k else 1) for k, c in v.items()), Fraction(0))}
            for key, v in self.values.items()
        }
        return replace(self, values=values, box=())


@dataclass(frozen=True, slots=True)
class ShiftedPath:
    """The shifts on a path, at the vertex `corner` of the box if they are given for several, and
    the cost of each.
    """

    area: Area
    shifts: tuple[Vector, ...]
    costs: tuple[Expression, ...]
    motion: Motion
    corner: Vector | None = None
    corners: int = 1

    @property
    def cost(self) -> Expression:
        """What all shifts cost together."""
        return simple(add(*self.costs) if self.costs else ZERO, self.motion.here)

    def moves_something(self, then: Head | None) -> bool:
        """Whether a noise is shifted, a gap grows, or something is left that it may cost later."""
        moved = self.moved
        grown = any(change(row.form, moved) for row in self.area.rows)
        return (
            grown
            or any(map(any, (s.values() for s in self.shifts)))
            or (then is not None and then.left != ZERO)
        )

    @property
    def moved(self) -> dict[str, Vector]:
        """By how much each name differs in the second run."""
        shifts = zip(self.area.draws, self.shifts, strict=True)
        return {**self.motion.values, **{draw.name: shift for draw, shift in shifts}}


def shifted_paths(
    area: Area, shifts: PathShifts, moves: Moves, motion: Motion, whole: bool
) -> Iterator[ShiftedPath]:
    """The shifts on a path, for each vertex for which they are given."""
    if len(shifts.rows) <= 1:
        for row in shifts.rows:
            yield _shifted(area, tuple(map(dict, row)), motion, None, 1)
        return
    for corner, row in zip(corners(area, moves, whole), shifts.rows, strict=True):
        yield _shifted(area, tuple(map(dict, row)), motion.at(corner), corner, len(shifts.rows))


def _shifted(
    area: Area, shifts: tuple[Vector, ...], motion: Motion, corner: Vector | None, many: int
) -> ShiftedPath:
    costs = tuple(
        _cost(draw, size(s, motion), motion) for draw, s in zip(area.draws, shifts, strict=True)
    )
    return ShiftedPath(area, shifts, costs, motion, corner, many)


def _cost(noise: Noise, size: Fraction, motion: Motion) -> Expression:
    """What a shift of a noise costs."""
    parts = prices(noise, size, motion.cuts) if size else ()
    listed = [multiply(number(amount), reciprocal(divisor)) for divisor, amount in parts]
    return simple(add(*listed) if listed else ZERO, motion.here)


def size(vector: Vector, motion: Motion) -> Fraction:
    """The largest absolute value of a shift."""
    total = vector.get("", Fraction(0))
    low = high = total
    for key, least, most in motion.box:
        ends = (vector.get(key, Fraction(0)) * least, vector.get(key, Fraction(0)) * most)
        low, high = low + min(ends), high + max(ends)
    return max(abs(low), abs(high))


def simple(e: Expression, here: Context) -> Expression:
    """The normal form of a cost."""
    return to_expression(normal(e, here))


# the table


def path_table(path: ShiftedPath, steps: Steps, then: Head | None) -> list[str]:
    """The lines of a table; `then` is what holds where the path waits for the next query."""
    rows = list(_rows(path, steps))
    total = path.cost
    if then is not None:
        kept = [shifted_text(key, {"": d}) for key, d in then.differences]
        rows[-1] = (rows[-1][0], ", ".join(kept), "")
        rows.append((f"left in state {state_name(then.state)}", "", str(then.left)))
        total = simple(add(total, then.left), path.motion.here)
    if sum(1 for row in rows if row[2] not in ("", "0")) != 1:
        rows.append(("together", "", str(total)))
    return table_lines(rows)


def _rows(path: ShiftedPath, steps: Steps) -> Iterator[Row]:
    area, moved = path.area, path.moved
    draws = iter(zip(area.draws, path.shifts, path.costs, strict=True))
    gaps = [change(row.form, moved) for row in area.rows]
    forms = iter(gaps)
    shown = 0
    for i, step in enumerate(steps):
        if step.kind == DRAW:
            draw, shift, cost = next(draws)
            own = (
                name_in_words(draw.name, path.motion.n)
                if "#" in step.text
                else step.text.split()[0]
            )
            yield step.text, shifted_text(own, shift), str(cost)
        elif step.kind == ROW:
            gap = next(forms)
            shown = shown + 1 if i and steps[i - 1].kind == ROW else 1
            if shown <= FEW:
                yield step.text, gap_text(gap), ""
            elif i + 1 == len(steps) or steps[i + 1].kind != ROW:
                yield f"... {shown - FEW} more comparisons", "no gap shrinks", ""
        elif step.kind == ITEM:
            yield step.text, "the same", ""
        else:
            yield step.text, "", ""


def change(form: LinearForm, moved: Mapping[str, Vector]) -> Vector:
    """By how much a form differs in the second run."""
    total: dict[str, Fraction] = {}
    for key, c in form.terms:
        for amount, d in moved.get(key, {}).items():
            total[amount] = total.get(amount, Fraction(0)) + c * d
    return {key: c for key, c in total.items() if c}


def gap_text(gap: Vector) -> str:
    """By how much a gap grows."""
    return f"gap + {vector_text(gap)}".replace("+ -", "- ") if any(gap.values()) else "the same gap"


def shifted_text(key: str, shift: Vector) -> str:
    """A noise or register with what is added to it.

    >>> shifted_text("nu", {"": Fraction(2), "q": Fraction(-1)}), shifted_text("nu", {})
    ('nu - d + 2', 'nu')
    """
    if not any(shift.values()):
        return key
    return f"{key} + {vector_text(shift)}".replace("+ -", "- ")


def vector_text(vector: Vector) -> str:
    """A vector of amounts.

    >>> vector_text({"": Fraction(1), "q[2]": Fraction(-1, 2)}), vector_text({})
    ('-d[2]/2 + 1', '0')
    """
    ordered = sorted(vector.items(), key=lambda pair: (pair[0] == "", pair[0]))
    parts = [amount_times(key, c) for key, c in ordered if c]
    return " + ".join(parts).replace("+ -", "- ") or "0"


def amount_times(key: str, c: Fraction) -> str:
    """A multiple of an amount, or a constant."""
    if not key:
        return str(c)
    top = {1: "", -1: "-"}.get(c.numerator, f"{c.numerator}*")
    return f"{top}{amount_name(key)}" + ("" if c.denominator == 1 else f"/{c.denominator}")


def amount_name(key: str) -> str:
    """The amount by which an answer moves: d for q, d[2] for q[2], d' for another one."""
    return "d'" if key == OTHER else f"d{key.removeprefix('q')}"


def table_lines(rows: Sequence[Row], head: Row = HEAD) -> list[str]:
    """Rows below a head, in columns; a long step stands alone on its lines."""
    listed = [head, *rows]
    first = min(STEP, max(len(step) for step, _, _ in listed))
    second = min(CELL, max(len(cell) for _, cell, _ in listed))
    lines: list[str] = []
    for i, (step, cell, cost) in enumerate(listed):
        if len(step) > first:
            lines += textwrap.wrap(
                step,
                WIDEST,
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            step = ""
        if step or cell or cost:
            lines.append(f"{step.ljust(first)}  {cell.ljust(second)}  {cost}".rstrip())
        if not i:
            lines.append("-" * (first + second + 4 + max(4, *(len(c) for _, _, c in listed))))
    return lines


def listed_values(pairs: Iterable[tuple[str, Fraction]]) -> str:
    """d[1] = 1, d[2] = -1."""
    return ", ".join(f"{amount_name(key)} = {value}" for key, value in pairs)
