"""A limit is the value far out, and nothing is concluded where a leading coefficient may vanish."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume as given_that
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers.algebra import symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.limits_at_infinity import limit_at_infinity
from ahdp_verify.kernel.numbers.normal_form import truth
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    Min,
    exp,
    floor,
    multiply,
    name,
    number,
    oo,
    piecewise,
)
from tests import oracle
from tests.sweeps import examples

CANNOT = (Undecided, Unsupported, ZeroDivisionError)
NAMES = ("a", "b", "c")
a, b, c, eps = name("a"), name("b"), name("c"), name("eps")
GERM = [
    eps,
    1 / (1 + eps),
    exp(-eps),
    a,
    a * eps,
    a * eps - 1,
    b * eps**2 - eps,
    exp(-2 * eps) * eps,
    a + exp(-eps),
    number(2),
    eps / (a * eps + 1),
    exp(eps),
    -b * exp(eps) + eps,
    c,
]
AT = st.fixed_dictionaries(
    {n: st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(-2)]) for n in NAMES}
)


@st.composite
def closed_places(draw: st.DrawFn) -> tuple[dict[str, Fraction], Context]:
    """A point and a context in which the sign of every name is known up to zero."""
    at = draw(AT)
    here = Context.empty()
    for n, v in at.items():
        here = here.given(
            symbol(n).num,
            draw(
                st.sampled_from(
                    [">=", ">"] if v > 0 else ["<=", "<"] if v < 0 else [">=", "<=", "="]
                )
            ),
        )
    return at, here


GROWING = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    Min,
    Max,
    lambda x, y: Abs(x - y),
    lambda x, y: piecewise((x, y < 1), (y, True)),
    lambda x, y: piecewise((x, number(1) <= y), (0, True)),
    lambda x, y: x / (1 + Abs(y)),
    lambda x, y: Min(x, 1) + floor(number(Fraction(5, 2))),
]


@settings(max_examples=examples(300, 6))
@given(
    closed_places(),
    st.sampled_from(GERM),
    st.sampled_from(GERM),
    st.sampled_from(GROWING),
    st.sampled_from(GROWING),
)
def test_limit_is_the_value_at_a_huge_demand(
    place: tuple[dict[str, Fraction], Context], u: Expression, v: Expression, f: object, g: object
) -> None:
    at, here = place
    e = g(f(u, v), u)  # type: ignore[operator]
    try:
        found = limit_at_infinity(e, "eps", here)
    except CANNOT:
        given_that(False)
    _same_limit(e, found, at)


def _same_limit(e: Expression, found: Expression, at: dict[str, Fraction]) -> None:
    far = _far(e, at)
    if found == oo or found == multiply(number(-1), oo):
        assert far * (1 if found == oo else -1) > 10**3, (str(e), str(found), at, far)
    else:
        assert oracle.near(far, oracle.value(found, at), 4), (str(e), str(found), at, far)


def _far(e: Expression, at: dict[str, Fraction]) -> object:
    kept = oracle.ARITHMETIC["exp"], oracle.size_checked
    oracle.ARITHMETIC["exp"], oracle.size_checked = oracle.mp.exp, lambda x: x
    try:
        with oracle.mp.workdps(50_000):  # exp(10^5) has 43,430 digits, and may cancel
            return oracle.value(e, {**at, "eps": Fraction(10**5)})
    finally:
        oracle.ARITHMETIC["exp"], oracle.size_checked = kept


SWITCHED = [
    Min(a * eps, 1),
    Max(1 - a * eps, 0),
    Abs(a * eps - 1) - a * eps,
    piecewise((oo, number(1) <= a * eps), (0, True)),
]


@pytest.mark.parametrize("level", SWITCHED)
def test_a_leading_coefficient_that_may_vanish_decides_nothing(level: Expression) -> None:
    here = Context.empty().given(symbol("a").num, ">=")
    with pytest.raises((Undecided, Unsupported)):
        found = (
            truth(level.args[1], here.at_infinity("eps"))
            if level.head == "piecewise"
            else limit_at_infinity(level, "eps", here)
        )
        raise AssertionError(found)


def test_a_limit_whose_leading_coefficient_is_zero_is_not_infinite() -> None:
    here = Context.empty().given(symbol("a").num, "=")
    assert limit_at_infinity(a * eps, "eps", here) == number(0)
