"""Events for densities that are sums of exponentials, and the facts about counts and signs that
their proofs need.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.numbers.algebra import ZERO, Polynomial, Ratio, constant, log_of, symbol
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, signs_of
from ahdp_verify.kernel.rules.events import event_probability
from ahdp_verify.kernel.terms.expression import Abs, Expression, binomial, exp, log, name, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.factorisation import polynomial_factors
from ahdp_verify.search.proving.products import prove_by_products
from ahdp_verify.search.refuting.mixture_events import mixture_events

EMPTY = Context.empty()
S = name("s")


def laplace(centre: int) -> Expression:
    return exp(-Abs(S - centre)) / 2


def geometric(centre: int) -> Expression:
    return parse(f"2^(-abs(s - ({centre})))/3")


@pytest.mark.parametrize(
    ("p", "q", "output", "level", "found"),
    [
        (
            (laplace(1) + laplace(-1)) / 2,
            laplace(-1),
            real("s"),
            "1",
            True,
        ),  # in the tail the ratio is (1 + e^2)/2 = 4.19
        ((laplace(1) + laplace(-1)) / 2, laplace(-1), real("s"), "log(4)", True),
        ((laplace(1) + laplace(-1)) / 2, laplace(-1), real("s"), "log(21/5)", False),
        (
            laplace(-1),
            (laplace(1) + laplace(-1)) / 2,
            real("s"),
            "1/2",
            True,
        ),  # and 2/(1 + e^-2) = 1.76 the other way round
        (laplace(-1), (laplace(1) + laplace(-1)) / 2, real("s"), "log(9/5)", False),
        (
            (geometric(0) + geometric(3)) / 2,
            geometric(0),
            integer("s"),
            "log(4)",
            True,
        ),  # (1 + 8)/2
        ((geometric(0) + geometric(3)) / 2, geometric(0), integer("s"), "log(9/2)", False),
        # largest in the middle: the second distribution has heavier tails on both sides
        (
            (laplace(0) + parse("exp(-2*abs(s))")) / 2,
            (laplace(4) + laplace(-4)) / 2,
            real("s"),
            "3",
            True,
        ),
    ],
)
def test_an_event_is_found_where_the_ratio_exceeds_the_level_and_nowhere_else(
    p: Expression, q: Expression, output: Output, level: str, found: bool
) -> None:
    here = Context.empty(frozenset(("s",) if output.kind == "integer" else ()))
    factor, hits = normal(exp(parse(level)), EMPTY), 0
    for event, points in mixture_events(
        (p, q), output, normal(parse(level), EMPTY), constant(0), here
    ):
        probabilities = [
            event_probability(law, (), (output,), event, table)
            for law, table in zip((p, q), points, strict=True)
        ]
        assert constant_sign(probabilities[0] - factor * probabilities[1]) == 1
        hits += 1
    assert bool(hits) is found


def polynomial(text: str) -> Polynomial:
    return normal(parse(text), EMPTY).num


def test_factors_multiply_to_the_polynomial() -> None:
    for text in (
        "u^2 - T^2",
        "(u - 1)^3*(T + 2)",
        "exp(2*a) - exp(2*b)",
        "exp(-a)*x - exp(-a)",
        "6*x*y",
        "x^2 + 1",
        "3",
        "sqrt(2)*x - sqrt(2)",
    ):
        p = polynomial(text)
        c, listed = polynomial_factors(p)
        product = constant(c)
        for f, k in listed:
            product = product * Ratio(f) ** k
        assert (product - Ratio(p)).is_zero
    assert len(
        polynomial_factors(polynomial("exp(2*a) - exp(2*b)"))[1]
    ) == 2 and polynomial_factors(ZERO) == (0, ())


def test_high_powers_of_the_walls_of_a_corner_are_found() -> None:
    here = EMPTY.given(polynomial("u - 1"), ">").given(polynomial("T - u"), ">=")
    clock = Limits(seconds=30).clock()
    assert (
        prove_by_products(polynomial("(T - u)^3*(u - 1)^2*T + (u - 1)^5"), ">", here, clock)
        is not None
    )
    assert (
        prove_by_products(polynomial("(T - u)^3*(u - 1)^2*T - (u - 1)^5"), ">=", here, clock)
        is None
    )


# what the context knows of counts


def counted(n: str, *facts: tuple[str, str]) -> Context:
    here = Context.empty(frozenset((n,)))
    for text, relation in facts:
        here = here.given(polynomial(text), relation)
    return here


def test_a_binomial_of_a_count_is_a_polynomial_once_it_is_large_enough() -> None:
    large = counted("n", ("n", ">="), ("n - 3", ">"))
    for k in range(4):
        r = normal(binomial(name("n"), number(k)), large)
        for n in range(4, 9):
            assert normal(
                binomial(name("n"), number(k)), large.given(polynomial(f"n - {n}"), "=")
            ).as_rational == comb(n, k)
            assert (r.as_rational or 0) == 1 or k > 0
    small = counted("n", ("n", ">="), ("3 - n", ">"))
    assert normal(binomial(name("n"), number(3)), small).is_zero
    with pytest.raises(Undecided):
        normal(binomial(name("n"), number(2)), counted("n", ("n", ">=")))
    for here in (counted("m"), EMPTY):  # no whole number, or one that may be negative
        with pytest.raises((Unsupported, Undecided)):
            normal(binomial(name("n"), number(2)), here)
    with pytest.raises((Unsupported, Undecided)):
        normal(binomial(name("n"), number(2)), counted("n", ("n + 5", ">=")))


def test_bounds_that_meet_fix_a_name() -> None:
    here = counted("n", ("n - 2", ">="), ("2 - n", ">="))
    assert normal(name("n"), here).as_rational == 2
    assert normal(name("n"), counted("n", ("n - 2", ">="), ("3 - n", ">="))).as_rational is None
    assert counted("n", ("n - 2", ">"), ("2 - n", ">=")).contradictory


def test_a_whole_positive_power_of_zero_is_zero() -> None:
    here = counted("n", ("n - 1", ">=")).given(polynomial("T - u"), "=")
    assert normal(parse("(T - u)^n"), here).is_zero
    with pytest.raises(Undecided):
        normal(parse("(T - u)^n"), counted("n", ("n", ">=")).given(polynomial("T - u"), "="))
    with pytest.raises(Unsupported):  # not known to be whole
        normal(
            parse("(T - u)^x"), EMPTY.given(polynomial("x"), ">").given(polynomial("T - u"), "=")
        )


def test_the_sign_of_a_logarithm_is_that_of_its_argument_less_one() -> None:
    T = log_of(symbol("T"))
    assert EMPTY.given(polynomial("T - 1"), ">").ratio_signs(T) == {1}
    assert EMPTY.given(polynomial("T"), ">").given(polynomial("1 - T"), ">").ratio_signs(T) == {-1}
    assert EMPTY.given(polynomial("T"), ">").ratio_signs(T) == {-1, 0, 1}


def test_the_sign_of_a_product_as_it_is_written() -> None:
    here = EMPTY.given(polynomial("T - u"), ">=").given(polynomial("u - 1"), ">")
    assert signs_of(parse("(T - u)*(u - 1)^3 + (u - 1)*exp(-y)"), here) == {1}
    assert signs_of(parse("(T - u)^2*(u - 1)"), here) <= {0, 1} and signs_of(
        parse("(T - u)*(1 - u)"), here
    ) <= {0, -1}
    assert signs_of(parse("(T - u) - (u - 1)"), here) == {-1, 0, 1}
    assert signs_of(log(number(Fraction(1, 2))) * name("z"), here) == {-1, 0, 1}
