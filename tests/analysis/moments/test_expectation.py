"""Expectations of expressions in outputs: products, dependence, finite outputs against sums in
fractions, and densities that are not distributions.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from ahdp_verify.analysis.moments.expectation import IntegrableLaw, expectation
from ahdp_verify.kernel.errors import SignNotShown, Undecided, Unsupported
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    eq,
    exp,
    log,
    name,
    number,
    piecewise,
)
from ahdp_verify.kernel.terms.grammar import parse

F = Fraction
EMPTY = Context.empty()
S, T, A, B = real("s"), real("t"), name("a"), name("b")


def laplace(at: Expression, b: object = 1) -> Expression:
    return exp(-Abs(at) / b) / (2 * b)  # type: ignore[operator,no-any-return]


def same(r: Ratio, text: str, here: Context = EMPTY) -> bool:
    return (r - normal(parse(text), here)).is_zero


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("s*t", "a*b"),
        ("(s + t)^2", "(a + b)^2 + 2 + 18"),
        ("s^2*t^2", "(a^2 + 2)*(b^2 + 18)"),
        ("(s - a)*(t - b)", "0"),
        ("(s - a)^4", "24"),
        ("s^2*(t - b)^3", "0"),
        ("7", "7"),
    ],
)
def test_independent_outputs(of: str, expected: str) -> None:
    """Moments of L(b) are k! b^k for even k (Johnson, Kotz, Balakrishnan 1995), 0 for odd ones;
    products of independent outputs multiply.
    """
    law = IntegrableLaw((S, T), laplace(S - A) * laplace(T - B, 3))
    assert same(expectation(parse(of), law, EMPTY), expected)


def test_a_scale_that_is_a_parameter() -> None:
    here = EMPTY.given(normal(B, EMPTY).num, ">")
    law = IntegrableLaw((S,), laplace(S - A, B))
    assert same(expectation(S * S, law, here), "a^2 + 2*b^2")
    with pytest.raises((Undecided, Unsupported)):
        expectation(S * S, law, EMPTY)


@pytest.mark.parametrize(
    "of", ["s + 2*t", "s*t^2", "indicator(s < t)", "max(s, t)", "abs(s - 2)*t", "1/(s + t + 1)"]
)
def test_finite_outputs(of: str) -> None:
    """Against the sum over all values."""
    s, t = finite("s", [0, 1, 4]), finite("t", [0, 3])
    weight = {
        (x, y): F(1 + x + 2 * y, 0 + sum(1 + a + 2 * b for a in (0, 1, 4) for b in (0, 3)))
        for x in (0, 1, 4)
        for y in (0, 3)
    }
    density = piecewise(
        *((w, eq(s, x) & eq(t, y)) for (x, y), w in list(weight.items())[:-1]),
        (list(weight.values())[-1], True),
    )
    python = of.replace("^", "**").replace("1/", "F(1)/")
    functions = {"F": F, "indicator": int, "max": max, "abs": abs}
    expected = sum(
        w * F(eval(python, {"s": x, "t": y, **functions})) for (x, y), w in weight.items()
    )
    assert expectation(parse(of), IntegrableLaw((s, t), density), EMPTY).as_rational == expected


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_whole_outputs(order: int) -> None:
    """Two-sided geometric noise with q = 1/3 around 2, against the first 300 terms on either
    side.
    """
    z = integer("z")
    law = IntegrableLaw((z,), F(1, 2) * exp(-Abs(z - 2) * log(3)))
    found = expectation(
        z.symbol**order if order else number(1), law, Context.empty(frozenset(("z",)))
    ).as_rational
    expected = sum(F(1, 2) * F(1, 3) ** abs(k - 2) * k**order for k in range(-300, 304))
    assert found is not None and abs(found - expected) < F(1, 10**100)


def test_a_whole_and_a_real_output() -> None:
    z = integer("z")
    law = IntegrableLaw((z, S), F(1, 3) * exp(-Abs(z) * log(2)) * laplace(S - z))
    assert same(
        expectation(S * z, law, Context.empty(frozenset(("z",)))), "4"
    )  # E[z E[s | z]] = E z^2 = 2 q/(1 - q)^2


@pytest.mark.parametrize(
    ("density", "error"),
    [
        (laplace(S - A) * 2, Unsupported),
        (laplace(S - A) * -1, SignNotShown),
        (2 * laplace(S, 2) - laplace(S, 1), Unsupported),
        (exp(-S * S), Unsupported),
        (exp(-Abs(S) / A) / A, Undecided),
    ],
)
def test_what_is_not_a_distribution(density: Expression, error: type[Exception]) -> None:
    """2 L(2) - L(1) has mass 1 and is negative nowhere but near 0 if at all: 1/2 e^-|s|/2 - 1/2
    e^-|s| >= 0, which is not shown, so it is refused.
    """
    with pytest.raises(error):
        expectation(S.symbol, IntegrableLaw((S,), density), EMPTY)


@pytest.mark.parametrize("pair", list(itertools.product(("s", "s*t"), ("t - s", "t - 2*s"))))
def test_dependent_outputs(pair: tuple[str, str]) -> None:
    """t = c s + L(1): E[s t] = c E s^2."""
    of, centre = pair
    c = 1 if centre == "t - s" else 2
    found = expectation(
        parse(of), IntegrableLaw((S, T), laplace(S - 1) * laplace(parse(centre))), EMPTY
    )
    assert found.as_rational == (1 if of == "s" else 3 * c)


def pareto(power: int) -> Expression:
    """The distribution of n with density (k - 1) n^-k beyond 1, and of m, which is n plus L(1)."""
    return piecewise(((power - 1) * S.symbol**-power, S.symbol > 1), (0, True)) * laplace(T - S)


def test_a_mean_that_exists_only_in_one_order_is_refused() -> None:
    """E[n (m - n)]: its positive part has the mean E n / 2, infinite for the density n^-2 and
    3/4 for 3 n^-4; the inner total is 0.
    """
    of = piecewise((S * (T - S), S.symbol < T), (S * (T - S), True))
    with pytest.raises(Unsupported, match="not shown to be finite"):
        expectation(of, IntegrableLaw((S, T), pareto(2)), EMPTY)
    assert expectation(of, IntegrableLaw((S, T), pareto(4)), EMPTY).is_zero
