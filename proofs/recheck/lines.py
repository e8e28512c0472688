"""Section 12: lines, which are sums of rational multiples of names and of a constant.

The names are those that move when the input changes: query answers, noises and registers.  The
constant is a form in parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from recheck.forms import NOTHING, Form, atom_number, by_powers, product, total, whole
from recheck.limits import Rejected, need
from recheck.signs import Context
from recheck.trees import Number, Tree

Slopes = dict[str, Number]


def gathered(pairs: Iterable[tuple[str, Number]]) -> Slopes:
    """The sum of the numbers of each name, without names whose sum is 0."""
    out: Slopes = {}
    for n, c in pairs:
        out[n] = whole(Fraction(out.get(n, 0) + c))
    return {n: out[n] for n in sorted(out) if out[n]}


@dataclass(frozen=True)
class Line:
    """The sum of slope * name over `slopes`, plus `constant`."""

    slopes: tuple[tuple[str, Number], ...]
    constant: Form

    def __sub__(self, other: Line) -> Line:
        return added([(1, self), (-1, other)])

    def at(self, values: Mapping[str, Line]) -> Line:
        """The line with lines in place of names."""
        return added(
            [
                (1, constant_line(self.constant)),
                *((c, values.get(n) or alone(n)) for n, c in self.slopes),
            ]
        )


def added(parts: Iterable[tuple[Number, Line]]) -> Line:
    """The sum of multiples of lines."""
    listed = list(parts)
    slopes = gathered((n, c * k) for k, part in listed for n, c in part.slopes)
    return Line(tuple(slopes.items()), total(part.constant.scaled(k) for k, part in listed))


def constant_line(value: Form) -> Line:
    return Line((), value)


def alone(n: str) -> Line:
    """The line that is just a name."""
    return Line(((n, 1),), NOTHING)


def line_of(e: Tree, moving: frozenset[str], here: Context) -> Line:
    """The line that an expression is, in the names that move."""
    form = here.form(e)
    below = product(f**k for f, k in form.den)
    used = sorted(form.names & moving)
    slopes: list[tuple[str, Number]] = []
    constant = NOTHING
    for powers, c in by_powers(form.top, *(atom_number("name", n) for n in used)).items():
        part = c / below
        need(part.names.isdisjoint(used), "a value is not linear in noises and answers")
        if not any(powers):
            constant = part
            continue
        rational = part.rational
        if sum(powers) != 1 or rational is None:
            raise Rejected("a value is not linear in noises and answers")
        slopes.append((used[powers.index(1)], rational))
    return Line(tuple(gathered(slopes).items()), constant)
