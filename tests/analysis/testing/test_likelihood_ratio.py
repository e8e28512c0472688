"""Cells of two distributions: their probabilities add up, their order is that of the ratios, and
cuts are where the ratio has the required value.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from ahdp_verify.analysis.inputs import law_at_input
from ahdp_verify.analysis.testing.likelihood_ratio import (
    SAME,
    MonotonePiece,
    cells_by_ratio,
    compare_quotients,
    cut_cell,
    merge_events,
    monotone_cell,
    require_sign,
    short_expression,
)
from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.numbers.algebra import constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import label, number
from ahdp_verify.kernel.terms.grammar import parse

s, k = real("s"), integer("k")
LAWS = [
    (s, "exp(-abs(s - 3*size))/2"),
    (s, "piecewise((2*exp(s - size)/3, s < size), (2*exp(-2*(s - size))/3, true))"),
    (k, "(1 - exp(-1))/(1 + exp(-1))*exp(-abs(k - 2*size))"),
    (s, "piecewise((1/(1 + size), 0 <= s and s < 1 + size), (0, true))"),
    (finite("r", range(5)), "piecewise((1/5, size == 0), ((2*r + 1)/25, true))"),
]


@pytest.mark.parametrize(("output", "text"), LAWS)
def test_cells_share_out_both_laws_in_falling_order(output: Output, text: str) -> None:
    m = Mechanism(Domain([(1, 1)]), outputs=[output], density=parse(text, "law"))
    cells = cells_by_ratio(law_at_input(m, [0]), law_at_input(m, [1]))
    assert all(
        (sum((getattr(c, side) for c in cells), constant(0)) - constant(1)).is_zero
        for side in ("first", "second")
    )
    assert all(compare_quotients(x.bottom, y.top) >= 0 for x, y in itertools.pairwise(cells))
    # the ratio of the probabilities lies between the ends of the ratio, at both if that is constant
    for c in cells:
        assert (
            compare_quotients(c.top, (c.second, c.first)) >= 0
            and compare_quotients((c.second, c.first), c.bottom) >= 0
        )
        assert compare_quotients(c.top, SAME) <= 0 or compare_quotients(c.bottom, SAME) >= 0
        assert c.slope is not None or compare_quotients(c.top, c.bottom) == 0


def test_a_cut_lies_where_the_ratio_is_the_given_one() -> None:
    """2 exp(s) on (0, log 4) takes the values 4 and 6 at log 2 and log 3."""
    whole = MonotonePiece(
        "s",
        (),
        constant(0),
        normal(parse("log(4)", "end"), Context.empty()),
        (constant(1), constant(-1)),
        (constant(2), constant(0)),
    )
    assert whole.rising and monotone_cell(whole).top[0].as_rational == 8
    parts = cut_cell(
        whole, [(constant(6), constant(1)), (constant(4), constant(1)), (constant(9), constant(1))]
    )
    ends = [(p.slope.low, p.slope.high) for p in parts if p.slope and p.slope.low and p.slope.high]
    assert [[math.exp(float(approximate_rational(e))) for e in pair] for pair in ends] == [
        pytest.approx(x) for x in ([1, 2], [2, 3], [3, 4])
    ]


def test_what_is_used_of_a_cell_has_its_probability() -> None:
    """Of exp(-s) on (0, oo) with a ratio that falls, 1 - exp(-t) = 1/4 is used up to t =
    log(4/3); then 3 exp(-3 s) has 1 - (3/4)^3 there.
    """
    falling = MonotonePiece(
        "s", (), constant(0), None, (constant(1), constant(-1)), (constant(3), constant(-3))
    )
    t, power = falling.reached(constant(Fraction(1, 4)))
    assert (
        not falling.rising
        and (exp_of(t) - constant(Fraction(4, 3))).is_zero
        and power.as_rational == 1 - Fraction(27, 64)
    )


def test_events_that_touch_are_reported_as_one() -> None:
    one, two, three = (number(i) for i in (1, 2, 3))
    parts = [
        Event(intervals=(("s", two, three),)),
        Event(intervals=(("s", None, one),)),
        Event(intervals=(("s", one, two),), without=(one,)),
    ]
    point = Event(atoms=(one,), continuous=False)
    assert merge_events((*parts, point)) == (Event(intervals=(("s", None, three),)),)
    assert (
        merge_events(parts)
        == merge_events(parts, (point,))
        == (Event(intervals=(("s", None, three),), without=(one,)),)
    )
    assert merge_events((parts[0], point), parts) == (parts[0], point)
    null = Event(atoms=(label("NULL"),), continuous=False)
    assert merge_events((parts[1], Event(intervals=(("s", one, None),))), (null,)) == (
        Event(without=(label("NULL"),)),
    )
    assert merge_events(
        (Event(intervals=(("s", None, one),)), Event(intervals=(("s", one, None),)))
    ) == (Event(),)
    assert merge_events(()) == ()


def test_constants_that_cannot_be_told_apart_are_not_ordered() -> None:
    """log(1 + sqrt 2) + log(sqrt 2 - 1) is 0, which no ball shows and no canonical form sees."""
    with pytest.raises(Unsupported, match="too close"):
        require_sign(normal(parse("log(1 + sqrt(2)) + log(sqrt(2) - 1)", "a"), Context.empty()))


def test_short_forms_have_roots_and_one_logarithm() -> None:
    assert (
        str(short_expression(normal(parse("log(3) - log(2)", "a"), Context.empty()))) == "log(3/2)"
    )
    x = normal(parse("exp(-log(1 + exp(1))/2)", "a"), Context.empty())
    assert str(short_expression(x)) == "(exp(1) + 1)^(-1/2)"
