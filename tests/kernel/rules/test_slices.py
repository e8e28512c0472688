"""Integrals over one output after another: what is refused, and slanted events against
quadrature.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from scipy.integrate import quad

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.numbers.algebra import constant, exp_of, symbol
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.events import event_probability
from ahdp_verify.kernel.rules.iterated_totals import total_of_slices
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Abs,
    Expression,
    eq,
    exp,
    number,
    piecewise,
)

s, t = real("s"), real("t")
S, HERE = symbol("s"), Context.empty()
LAW = exp(-Abs(s) - Abs(t)) / 4
PLAIN: Points = (("s", (ZERO,)), ("t", (ZERO,)))


def test_what_a_piece_divides_by_is_nonzero_without_its_facts() -> None:
    a = symbol("a")
    half = constant(1) / a
    pieces = [constant(0), half, constant(0)]
    ends = (constant(0), constant(2))
    with pytest.raises(Undecided):
        total_of_slices(Output("s", "real"), ends, lambda i, _: pieces[i], HERE)
    positive = HERE.given(a.num, ">")
    found = total_of_slices(Output("s", "real"), ends, lambda i, _: pieces[i], positive)
    assert (found - constant(2) / a).is_zero


def test_points_ascend_and_pieces_decay() -> None:
    one = [constant(1)] * 3
    with pytest.raises(Unsupported, match="ascending"):
        total_of_slices(Output("s", "real"), (constant(1), constant(0)), lambda i, _: one[i], HERE)
    with pytest.raises(Unsupported, match="decay"):
        total_of_slices(Output("s", "real"), (constant(0), constant(1)), lambda i, _: one[i], HERE)
    growing = [exp_of(S), constant(0), constant(0)]
    found = total_of_slices(
        Output("s", "real"), (constant(0), constant(1)), lambda i, _: growing[i], HERE
    )
    assert (found - constant(1)).is_zero


def probability(event: Event, points: Points, law: Expression = LAW) -> float:
    low, high = enclose(event_probability(law, (), (s, t), event, points))
    return float(low + high) / 2


def test_a_triangle_has_the_probability_that_quadrature_gives() -> None:
    end = 1 - s
    event = Event(intervals=(("s", number(-1), number(2)), ("t", None, end)))
    corner = piecewise((ZERO, s < 1), (end, True))
    points: Points = (
        ("s", (ZERO, number(1))),
        ("t", (corner, piecewise((end, s < 1), (ZERO, True)))),
    )

    def below(x: float) -> float:
        return math.exp(x) / 2 if x < 0 else 1 - math.exp(-x) / 2

    wanted, _ = quad(lambda x: math.exp(-abs(x)) / 2 * below(1 - x), -1, 2, points=[0, 1])
    assert abs(probability(event, points) - wanted) < 1e-9
    assert abs(probability(Event(), points) - 1) < 1e-12


def test_an_end_that_depends_on_a_later_output_is_refused() -> None:
    event = Event(intervals=(("s", t.symbol, None),))
    with pytest.raises((Unsupported, Undecided)):
        probability(event, PLAIN)
    with pytest.raises((Unsupported, Undecided)):
        probability(Event(), (("s", (t.symbol,)), ("t", (ZERO,))))


def test_a_law_below_0_has_no_probability_of_a_slanted_event() -> None:
    event = Event(intervals=(("t", s.symbol, None),))
    negative = exp(-Abs(t)) * (exp(-Abs(s)) - number(Fraction(1, 2)))
    points: Points = (
        ("s", (ZERO,)),
        (
            "t",
            (
                piecewise((s.symbol, s < 0), (ZERO, True)),
                piecewise((ZERO, s < 0), (s.symbol, True)),
            ),
        ),
    )
    with pytest.raises((Unsupported, Undecided)):
        probability(event, points, negative)


def test_an_end_may_depend_on_a_finite_output() -> None:
    bit = finite("r", [0, 1])
    law = piecewise((number(Fraction(1, 3)), eq(bit, 0)), (number(Fraction(2, 3)), True))
    event = Event(intervals=(("t", piecewise((ZERO, eq(bit, 0)), (number(1), True)), None),))
    found = event_probability(law * exp(-Abs(t)) / 2, (), (bit, t), event, (("t", (ZERO,)),))
    low, high = enclose(found)
    wanted = 1 / 3 / 2 + 2 / 3 * math.exp(-1) / 2
    assert abs(float(low + high) / 2 - wanted) < 1e-12
