"""Values on a grid against 60 digits of mpmath, point by point."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.exhaustive.arrays import Array, NotLinear, np
from ahdp_verify.kernel.exhaustive.grid import (
    Column,
    Constants,
    Grid,
    columns_of,
    condition_mask,
    linear_on_grid,
    node_value,
)
from ahdp_verify.kernel.exhaustive.linear_values import Linear, linear_entry
from ahdp_verify.kernel.terms.expression import (
    Expression,
    eq,
    floor,
    label,
    log,
    name,
    ne,
    number,
    piecewise,
)
from tests import oracle
from tests.strategies import arithmetic, conditions, fractions
from tests.sweeps import examples

ROWS, OUTPUTS = 3, 4
Point = dict[str, Fraction]


def grid(rows: list[Fraction], outputs: list[Fraction]) -> Grid:
    """A grid of the names t (by row) and s (by output)."""
    columns = {name("t"): Column(np.arange(len(rows)).reshape(-1, 1), tuple(map(number, rows)))}
    return Grid(
        {
            **columns,
            name("s"): Column(np.arange(len(outputs)).reshape(1, -1), tuple(map(number, outputs))),
        },
        Constants(),
    )


def points(rows: list[Fraction], outputs: list[Fraction]) -> Iterator[tuple[int, int, Point]]:
    """The places of a grid."""
    return ((i, j, {"t": t, "s": s}) for i, t in enumerate(rows) for j, s in enumerate(outputs))


def entry(column: Array, i: int, j: int) -> int:
    """What an array says of one place."""
    return int(np.broadcast_to(column, (ROWS, OUTPUTS))[i, j])


AXES = (
    st.lists(fractions(6), min_size=ROWS, max_size=ROWS, unique=True),
    st.lists(fractions(6), min_size=OUTPUTS, max_size=OUTPUTS, unique=True),
)


@settings(max_examples=examples(300, 12), deadline=None)
@given(arithmetic(("s", "t")), *AXES)
def test_what_is_linear_has_the_right_values(
    e: Expression, rows: list[Fraction], outputs: list[Fraction]
) -> None:
    here = grid(rows, outputs)
    try:
        found = linear_on_grid(e, here)
    except (Unsupported, ZeroDivisionError):
        return
    for i, j, point in points(rows, outputs):
        try:
            expected = oracle.value(e, point)
        except (oracle.Undefined, oracle.Doubtful, KeyError):
            continue
        value = oracle.of_ratio(
            linear_entry(found, [entry(p.column, i, j) for p in found.parts.values()]), {}
        )
        assert oracle.near(value, expected), (str(e), point)


@settings(max_examples=examples(300, 12), deadline=None)
@given(conditions(("s", "t")), *AXES)
def test_what_is_compared_is_compared_rightly(
    e: Expression, rows: list[Fraction], outputs: list[Fraction]
) -> None:
    here = grid(rows, outputs)
    try:
        found = condition_mask(e, here)
    except (Unsupported, ZeroDivisionError):
        return
    for i, j, point in points(rows, outputs):
        try:
            expected = oracle.holds(e, point)
        except (oracle.Undefined, oracle.Doubtful, KeyError):
            continue
        except AttributeError:  # labels, which the oracle does not know
            return
        assert bool(np.broadcast_to(found, (ROWS, OUTPUTS))[i, j]) is expected, (str(e), point)


def test_labels_equal_only_themselves() -> None:
    column = Column(np.array([[0, 1, 2]]), (label("a"), number(1), label("b")))
    here = Grid({name("s"): column}, Constants())
    for condition, wanted in (
        (eq(name("s"), label("a")), [True, False, False]),
        (ne(name("s"), label("b")), [True, True, False]),
        (eq(name("s"), 1), [False, True, False]),
        (eq(label("c"), name("s")), [False] * 3),
    ):
        assert condition_mask(condition, here)[0].tolist() == wanted
    with pytest.raises(NotLinear):
        condition_mask(name("s") < 2, here)
    with pytest.raises(NotLinear):
        linear_on_grid(name("s") + 1, here)


def test_irrational_values_of_a_name() -> None:
    here = Grid({name("s"): Column(np.array([[0, 1, 0]]), (log(2), log(4) - 1))}, Constants())
    found = linear_on_grid(name("s") * 2, here)
    for j, wanted in enumerate((2 * oracle.value(log(2), {}), 2 * oracle.value(log(4), {}) - 2)):
        assert oracle.near(
            oracle.of_ratio(
                linear_entry(found, [int(p.column[0, j]) for p in found.parts.values()]), {}
            ),
            wanted,
        )


def test_no_branch_and_a_floor_of_what_is_irrational_are_no_linear_values() -> None:
    here = grid([Fraction(0)], [Fraction(0), Fraction(1)])
    for e in (
        piecewise((1, name("s") > 0)),
        floor(name("s") * log(2)),
        name("s") ** Fraction(1, 2),
        1 / (1 + name("s")),
    ):
        with pytest.raises(NotLinear):
            linear_on_grid(e, here)


def test_the_constant_at_a_place_is_written_out() -> None:
    node: Linear = linear_on_grid(
        name("s") / 3 + log(2) * name("s"), grid([Fraction(0)], [Fraction(0), Fraction(2)])
    )
    tree = node_value(node, [int(c[0, 1]) for c in columns_of(node)])
    assert oracle.near(oracle.value(tree, {}), mpf(2) / 3 + 2 * oracle.value(log(2), {}))
