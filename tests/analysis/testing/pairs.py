"""Random pairs of finite distributions, and the local mechanism that has them as its rows."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.terms.expression import Expression, number, piecewise
from ahdp_verify.kernel.terms.grammar import parse

Laws = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def table(laws: Laws) -> Mechanism:
    """The local mechanism with these two rows, outputs 0, 1, 2, ..."""
    r, n = finite("r", range(len(laws[0]))), len(laws[0])
    rows = [row_of(row) if n > 1 else number(row[0]) for row in laws]
    return Mechanism(
        Values([0, 1]),
        outputs=[r],
        density=piecewise((rows[0], parse("v == 0", "c")), (rows[1], True)),
    )


def row_of(row: tuple[Fraction, ...]) -> Expression:
    return piecewise(
        *((number(p), parse(f"r == {i}", "c")) for i, p in enumerate(row[:-1])),
        (number(row[-1]), True),
    )


@st.composite
def rows(draw: st.DrawFn, n: int) -> tuple[Fraction, ...]:
    weights = draw(st.lists(st.integers(0, 6), min_size=n, max_size=n).filter(any))
    return tuple(Fraction(w, sum(weights)) for w in weights)


@st.composite
def laws(draw: st.DrawFn) -> Laws:
    n = draw(st.integers(1, 5))
    return draw(rows(n)), draw(rows(n))
