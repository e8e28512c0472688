"""Rows of datasets against all datasets, one by one."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.exhaustive.arrays import np
from ahdp_verify.kernel.exhaustive.datasets import DatasetSpace, RecordChange
from ahdp_verify.kernel.exhaustive.grid import columns_of, node_value
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.terms.expression import Expression, eq, exp, number, piecewise
from tests import oracle
from tests.sweeps import examples


def quiet(message: str) -> None:
    del message


def aggregates(W: Domain) -> dict[str, Expression]:
    """The aggregates that a law may mention."""
    return {
        "sum": W.sum(lambda x, eps: x),
        "size": W.size,
        "max": W.max(lambda x, eps: x),
        "min": W.min(lambda x, eps: x * x),
    }


def mechanism(weights: list[Expression], kinds: tuple[str, ...], defined: int) -> Mechanism:
    """A mechanism whose law mentions these aggregates."""
    W = Domain([(w, 1) for w in weights])
    s, mentioned = finite("s", [0, 1]), number(0)
    for kind in kinds:
        mentioned = mentioned + aggregates(W)[kind] * 0
    law = piecewise((Fraction(1, 2) + mentioned, eq(s, 0)), (Fraction(1, 2) - mentioned, True))
    return Mechanism(
        W, outputs=[s], density=law, defined=W.size >= defined if defined else None, name="rows"
    )


NUMBERS = [number(0), number(1), number(Fraction(1, 2)), number(-2), exp(-1)]


@settings(max_examples=examples(60, 8), deadline=None)
@given(
    st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=3, unique=True),
    st.sets(st.sampled_from(["sum", "size", "max", "min"]), min_size=1),
    st.integers(1, 4),
)
def test_every_dataset_and_every_move_has_its_row(
    weights: list[Expression], kinds: set[str], most: int
) -> None:
    M = mechanism(weights, tuple(sorted(kinds)), 1 if kinds & {"max", "min"} else 0)
    space, values = DatasetSpace.of(ahdp(M), most, quiet), [oracle.value(w, {}) for w in weights]
    names = {e: kind for kind, e in aggregates(M.inputs).items()}  # type: ignore[arg-type]
    nodes = {names[e]: node for e, node in space.rows.nodes.items()}

    def row_of(chosen: tuple[int, ...]) -> int:
        row = 0
        for w in chosen:
            row = int(space.after[space.place(w), row])
        return row

    for chosen in (
        c
        for size in range(most + 1)
        for c in itertools.combinations_with_replacement(range(len(weights)), size)
    ):
        row = row_of(chosen)
        end = space.starts[min(len(chosen), space.last) + 1]  # no larger size has new rows
        assert row < end and row == row_of(chosen[::-1])
        if not space.inside[row]:
            assert not chosen and M.defined.head != "boolean"
            continue
        place = int(space.defined[row])
        expected = {
            "sum": sum((values[w] for w in chosen), mpf(0)),
            "size": mpf(len(chosen)),
            "max": max((values[w] for w in chosen), default=None),
            "min": min((values[w] ** 2 for w in chosen), default=None),
        }
        for text, node in nodes.items():
            shown = oracle.value(
                node_value(
                    node,
                    [
                        int(np.broadcast_to(c, (space.rows.number, 1))[place, 0])
                        for c in columns_of(node)
                    ],
                ),
                {},
            )
            assert expected[text] is not None and oracle.near(shown, expected[text]), (text, chosen)


def test_a_move_is_reported_as_counts() -> None:
    space = DatasetSpace.of(ahdp(mechanism([number(1), number(3)], ("sum",), 0)), 4, quiet)
    seen = set()
    for w in (0, 1):
        change = RecordChange(None, w, constant(1), True)
        _, _, rest = space.pairs(change, 1, 4)
        for r in rest:
            before, after = ([int(c.args[0]) for c in side] for side in space.sides(change, int(r)))
            assert [b - a for a, b in zip(before, after, strict=True)] == [
                int(i == w) for i in range(2)
            ]
            seen.add((w, before[0] + 3 * before[1]))
    assert seen == {
        (w, a + 3 * b) for w in (0, 1) for a in range(4) for b in range(4) if a + b <= 3
    }


def test_an_extreme_of_nothing_is_never_used() -> None:
    M = mechanism([number(0), number(1)], ("max",), 0)
    with pytest.raises(Rejected):
        DatasetSpace.of(ahdp(M), 2, quiet)


def test_sums_that_leave_62_bits_are_refused() -> None:
    for weights in (
        [number(2**62)],
        [number(2**61), number(1)],
        [number(Fraction(1, 2**40)), number(Fraction(1, 3**30))],
    ):
        with pytest.raises(Unsupported):
            DatasetSpace.of(ahdp(mechanism(weights, ("sum",), 0)), 3, quiet)


def test_blocks_end_with_the_last_size_and_skip_what_is_done() -> None:
    space = DatasetSpace.of(ahdp(mechanism([number(1), number(3)], ("sum", "size"), 0)), 6, quiet)
    assert (
        list(space.blocks(1, 0)) == [1, 2, 3, 4, 5, 6]
        and list(space.blocks(1, 4)) == [5, 6]
        and list(space.blocks(10**9, 0)) == [6]
    )
