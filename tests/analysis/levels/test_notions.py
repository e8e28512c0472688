"""The least bounds of zCDP, Rényi DP and GDP against closed forms of the literature."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Mechanism,
    Multiset,
    Queries,
    Values,
    ahdp,
    delta,
    distance,
    exp,
    finite,
    gdp,
    integer,
    name,
    number,
    real,
    renyi,
    renyi_dp,
    tighten,
    zcdp,
)
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits

LIMITS = Limits(seconds=60)


def same(found: Expression, wanted: str, **values: str) -> bool:
    """Whether two expressions have one value, at values of their names."""
    at = {k: parse(v) for k, v in values.items()}
    gap = normal(substitute(found, at), Context.empty()) - normal(
        substitute(parse(wanted), at), Context.empty()
    )
    return gap.is_zero


def laplace(query: str) -> Mechanism:
    inputs = Queries(1) if "q" in query else Domain([(1, 1)])
    law = parse(f"exp(-e*abs(s - {query}))*e/2")
    return Mechanism(
        inputs, outputs=[real("s")], density=law, parameters={"e": "e > 0"}, name="Laplace"
    )


@pytest.mark.parametrize(("query", "relation"), [("size", "add-remove"), ("q[1]", "one")])
@pytest.mark.parametrize("order", ["3/2", "2", "4"])
def test_laplace_noise(query: str, relation: str, order: str) -> None:
    """log(a exp((a-1) e)/(2a-1) + (a-1) exp(-a e)/(2a-1))/(a-1) (Mironov 2017, proposition 6)."""
    found = renyi(laplace(query), order, relation, LIMITS)
    a, e = mpmath.mpf(Fraction(order).numerator) / Fraction(order).denominator, mpmath.mpf("0.7")
    total = a / (2 * a - 1) * mpmath.exp((a - 1) * e) + (a - 1) / (2 * a - 1) * mpmath.exp(-a * e)
    value = normal(substitute(found.bound, {"e": parse("7/10")}), Context.empty())
    low, high = enclose(value)
    assert found.exact and low <= high
    assert abs(float(low) - float(mpmath.log(total) / (a - 1))) < 1e-12


@pytest.mark.parametrize(("query", "relation"), [("size", "add-remove"), ("q[1]", "one")])
def test_the_least_rho_of_laplace_noise(query: str, relation: str) -> None:
    found = tighten(laplace(query), relation, LIMITS, notion="zcdp")
    assert found.exact and same(found.bound, "e + exp(-e) - 1", e="3/2")


def test_normal_noise_by_record() -> None:
    """a m^2/(2 v), m^2/(2 v) and m/sqrt(v) for a record that moves the mean by m."""
    law = parse("exp(-(s - sum(x))^2/(2*sigma^2))/(sigma*sqrt(2*pi))")
    W = Domain([(0, 1), (1, 1), (3, 2)])
    m = Mechanism(
        W, outputs=[real("s")], density=law, parameters={"sigma": "sigma > 0"}, name="sum"
    )
    for found, wanted in (
        (tighten(m, "ahdp", LIMITS, notion="zcdp"), "x^2/(2*sigma^2)"),
        (tighten(m, "ahdp", LIMITS, notion="gdp"), "x/sigma"),
        (renyi(m, 3, "ahdp", LIMITS), "3*x^2/(2*sigma^2)"),
    ):
        assert found.exact
        for x in ("0", "1", "3"):
            assert same(found.bound, wanted, x=x, sigma="2")


def test_randomised_response_attains_the_bound_of_pure_mechanisms() -> None:
    law = parse("piecewise((exp(e), r == v), (1, true))/(1 + exp(e))")
    m = Mechanism(
        Values([0, 1]),
        outputs=[finite("r", [0, 1])],
        density=law,
        parameters={"e": "e > 0"},
        name="response",
    )
    found = tighten(m, "any", LIMITS, notion="zcdp")
    assert found.exact and same(found.bound, "e*(exp(e) - 1)/(exp(e) + 1)", e="3/2")


def test_geometric_noise() -> None:
    """Its Kullback-Leibler divergence is e (1 - exp(-e))/(1 + exp(-e))."""
    law = parse("(1 - exp(-e))/(1 + exp(-e))*exp(-e*abs(k - size))")
    m = Mechanism(
        Domain([(1, 1)]),
        outputs=[integer("k")],
        density=law,
        parameters={"e": "e > 0"},
        name="geometric",
    )
    found = tighten(m, "add-remove", LIMITS, notion="zcdp")
    assert same(found.bound, "e*(1 - exp(-e))/(1 + exp(-e))", e="3/2") and found.exact


def test_what_depends_on_the_answers_is_a_lower_bound_only() -> None:
    """Permute-and-flip: 1.3769 at order 2 (opendp/opendp, issue 2911)."""
    gap = "abs(q[1] - q[2])"
    first = f"1 - exp(-{gap})/2"
    law = parse(
        f"piecewise(({first}, (i == 1 and q[1] >= q[2]) or (i == 2 and q[1] < q[2])),"
        f" (exp(-{gap})/2, true))"
    )
    m = Mechanism(Queries(2), outputs=[finite("i", [1, 2])], density=law, name="flip")
    found = renyi(m, 2, "all", Limits(seconds=8))
    assert not found.exact and "1.3769" in str(found) and "larger one" in str(found)


def test_a_notion_that_is_not_known_is_refused() -> None:
    for notion in ("renyi", "pure"):
        with pytest.raises(BadInput):
            tighten(laplace("size"), "add-remove", notion=notion)
    with pytest.raises(BadInput):
        renyi(laplace("size"), 1, "add-remove")


def test_a_bound_that_is_not_worked_out_is_not_found() -> None:
    """The divergence of noise about q[1]^2 grows with q[1], and parameters leave no small
    inputs.
    """
    law = parse("exp(-e*abs(s - q[1]^2))*e/2")
    noisy = Mechanism(
        Queries(1), outputs=[real("s")], density=law, parameters={"e": "e > 0"}, name="noisy"
    )
    found = renyi(noisy, 2, "one", LIMITS)
    assert found.bound is None and found.verdict is None and not found.exact
    assert str(found).startswith("noisy, one: least Rényi bound of order 2: not found; ")


def test_a_bound_is_printed_exactly_since_a_rounded_decimal_may_be_too_small() -> None:
    # Laplace noise, and an answer that moves by c = 1 - exp(-2): the second moment of the quotient
    # is the integral below; 0.495879 alone is less than its logarithm
    W = Domain([(1, 2)])
    M = Mechanism(
        W,
        outputs=[real("s")],
        density=exp(-Abs(real("s").symbol - W.sum(lambda x, eps: 1 - exp(-eps)))) / 2,
        name="noisy",
    )
    text = str(renyi(M, 2))
    bound = text.partition("order 2: ")[2].partition(" = ")[0]
    with mpmath.workdps(30):
        c = 1 - mpmath.exp(-2)
        moment = mpmath.quad(
            lambda s: mpmath.exp(abs(s - c) - 2 * abs(s)) / 2, [-mpmath.inf, 0, c, mpmath.inf]
        )
        low, high = enclose(normal(parse(bound), Context.empty()))
        assert low <= Fraction(str(mpmath.log(moment))) + Fraction(1, 10**20)
        assert high >= Fraction(str(mpmath.log(moment))) - Fraction(1, 10**20)
        assert Fraction("0.495879") < low


@pytest.mark.parametrize("bound", ["e^2/2", "e*e/2"])
def test_bounds_are_read_from_texts_as_levels_are(bound: str) -> None:
    e, s = name("e"), real("s")
    M = Mechanism(
        Queries(1),
        outputs=[s],
        density=exp(-e * Abs(s.symbol - name("q[1]"))) * e / 2,
        parameters={"e": "e > 0"},
    )
    for made in (zcdp(M, bound), gdp(M, bound), renyi_dp(M, 2, bound)):
        assert (
            normal(made.bounds.level, Context.empty()) - normal(e * e / 2, Context.empty())
        ).is_zero
    W = Domain([(0, 1), (1, 1)])
    count = Mechanism(W, outputs=[s], density=exp(-Abs(s.symbol - W.size)) / 2)
    assert ahdp(count, "x*eps/2").level == parse("x*eps/2")
    # Laplace noise that moves by 1 at the level 1/2: the delta 1 - exp(-(1 - 1/2)/2), for x = 1
    assert str(delta(count, "x/2 + (1 - x)").bounds.value) == "1 - exp(-1/4)"
    D, E = Multiset(W, [(0, 1)]), Multiset(W, [(1, 1), (1, 1)])
    assert distance(D, E, "eps + x") == number(5)  # 1 for (0, 1), and 2 twice
