"""The largest minimum over the aims of a private mechanism, computed in another way: all pairs of
rows, as they are defined, and Z3's optimiser over the rationals.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import z3

from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, log, number, oo, substitute

SHARED = Path(__file__).resolve().parents[2] / "shared" / "STATEMENTS.md"
Row = tuple[int, ...]
Aim = list[tuple[int, int, Fraction]]


def exact(e: Expression, **values: Expression) -> Fraction:
    """The rational number that an expression is, at values of names."""
    found = normal(substitute(e, dict(values)), Context.empty()).as_rational
    assert found is not None, e
    return found


def domain(*qs: object) -> Domain:
    """One value for each q = exp(-demand); 0 for demand oo, 1 for demand 0."""
    return Domain([(f"x{i}", demand(q)) for i, q in enumerate(qs)])


def demand(q: object) -> Expression:
    f = Fraction(str(q))
    return oo if f == 0 else number(0) if f == 1 else log(number(1 / f))


def extra(width: int, t: int) -> list[Row]:
    """All datasets of at most t records."""
    return [row for row in itertools.product(range(t + 1), repeat=width) if sum(row) <= t]


def closeness(a: Row, b: Row, qs: Sequence[Fraction]) -> Fraction:
    """exp(-distance)."""
    result = Fraction(1)
    for x, y, q in zip(a, b, qs, strict=True):
        result *= q ** abs(x - y)
    return result


def best(
    rows: Sequence[Row],
    width: int,
    near: dict[tuple[int, int], Fraction],
    aims: Iterable[Aim],
    *,
    sense: str = "gain",
) -> Fraction:
    """The maximum, over mechanisms K with near(i, j) K(i, u) <= K(j, u) for all i, j, of the least
    aim; for losses the minimum of the greatest aim.
    """
    K = [[z3.Real(f"k{i}_{u}") for u in range(width)] for i in range(len(rows))]
    value, solver = z3.Real("value"), z3.Optimize()
    for row in K:
        solver.add(z3.Sum(row) == 1, *(k >= 0 for k in row))
    for i, j in itertools.permutations(range(len(rows)), 2):
        if near[i, j]:
            solver.add(*(rational(near[i, j]) * a <= b for a, b in zip(K[i], K[j], strict=True)))
    for aim in aims:
        total = z3.Sum([rational(w) * K[r][u] for r, u, w in aim])
        solver.add(value <= total if sense == "gain" else value >= total)
    goal = solver.maximize(value) if sense == "gain" else solver.minimize(value)
    assert solver.check() == z3.sat
    found = solver.upper(goal) if sense == "gain" else solver.lower(goal)
    return Fraction(str(found))


def all_near(rows: Sequence[Row], qs: Sequence[Fraction]) -> dict[tuple[int, int], Fraction]:
    return {
        (i, j): closeness(a, b, qs) for (i, a), (j, b) in itertools.permutations(enumerate(rows), 2)
    }


def naming(labels: Sequence[Any]) -> tuple[list[Aim], int]:
    """The aims "the label is named", and the number of labels."""
    names = list(dict.fromkeys(labels))
    return [[(i, names.index(label), Fraction(1))] for i, label in enumerate(labels)], len(names)


def rational(x: Fraction) -> Any:
    return z3.Q(x.numerator, x.denominator)
