"""Mean, variance and bias against the rows of STATEMENTS, against mpmath's quadrature, and against
sums over all outcomes.

The figures are those of rows 54, 57, 60 to 62, 64, errata E7 to E9 and E12, S6, S8, oracles O5 to
O7; each test names its row.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath
import pytest

from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Expression,
    Max,
    Mechanism,
    Min,
    Multiset,
    Queries,
    eq,
    exp,
    finite,
    log,
    name,
    oo,
    piecewise,
    real,
)
from ahdp_verify.analysis.moments import (
    bias,
    enclosure,
    infinite_mean,
    mean,
    mean_shift_bound,
    value_at,
    variance,
)
from ahdp_verify.catalogue import linear_queries as lq
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import aggregates, number, sqrt, transform
from ahdp_verify.paper.catalogue import mean as means

F = Fraction
X, EPS = name("x"), name("eps")
L, H = name("l"), name("h")
SAT = 1 - exp(-EPS)
TEN = [10, 10, 10]  # the dataset of ex:sum and ex:mean
EX_SUM, EPS_2 = (
    Domain([(0, 0), (1, 1), (2, oo)]),
    Domain([(0, 0), (1, 1), (2, 2)]),
)  # as stated, and with eps = 2 for oo as the authors computed


def equal(a: Expression, b: object) -> bool:
    """Whether two formulas in the same sums are the same, by their canonical forms."""
    here = Context.empty()
    first, second = (e if isinstance(e, Expression) else number(e) for e in (a, b))
    listed = {node: name(f"@{i + 1}") for i, node in enumerate(aggregates(first + second))}
    return (
        normal(transform(first, listed.get), here) - normal(transform(second, listed.get), here)
    ).is_zero


def near(e: Expression, printed: str) -> bool:
    return enclosure(e).agrees(printed)


# the linear query


def test_the_mean_of_a_linear_query_is_its_location_and_its_variance_that_of_the_noise() -> None:
    """prop:newDP: l + sum alpha (f - l), and 2 (h - l)^2, for every domain and dataset at once."""
    M = lq.linear_query(lq.EVERY, lq.F, weight=lq.ALPHA, bounds=(L, H))
    W = M.inputs
    assert isinstance(W, Domain)
    assert equal(mean(M), L + W.sum(lq.ALPHA * lq.F) - L * W.sum(lq.ALPHA))
    assert equal(variance(M), 2 * (H - L) * (H - L))


def test_row_54_the_offset_makes_the_printed_query_biased() -> None:
    """Row 54: with alpha = 1 the mean output is f(D) - l (|D| - 1); ten copies with f = l = -1,
    h = 1: true -10, mechanism -1.
    """
    M = lq.linear_query(lq.EVERY_VALUE, X, weight=1, bounds=(L, H))
    assert equal(bias(M, lambda x, eps: x), L - L * M.inputs.size)  # type: ignore[union-attr]
    W = Domain([(-1, 1), (1, 1)])
    printed = lq.linear_query(W, X, weight=1, bounds=(-1, 1))
    assert (
        str(value_at(lambda x, eps: x, printed, [10, 0])),
        str(mean(printed, [10, 0])),
        str(bias(printed, lambda x, eps: x, [10, 0])),
    ) == ("-10", "-1", "9")
    zero = lq.linear_query(
        Domain.universal({"x": "0 <= x <= h"}, {"h": "h > 0"}), X, weight=1, bounds=(0, H)
    )
    assert str(bias(zero, lambda x, eps: x)) == "0"


def test_E7_the_repaired_query_is_unbiased_and_counts() -> None:
    """E7: without offset, alpha = 1 gives f(D) + noise; f = 1 gives the size, with L(1)."""
    M = lq.linear_query_without_offset(lq.EVERY_WITHIN, lq.F, weight=1, largest=lq.LARGEST)
    assert str(bias(M, lambda x, eps: lq.F)) == "0" and equal(
        variance(M), 2 * lq.LARGEST * lq.LARGEST
    )
    count = lq.weighted_count(EX_SUM, weight=1)
    assert (
        str(mean(count)) == "size"
        and str(variance(count)) == "2"
        and str(bias(count, lambda x, eps: 1)) == "0"
    )


@pytest.mark.parametrize(
    ("W", "sum_", "its_bias", "m", "n", "ratio"),
    [
        (
            EX_SUM,
            "26.321205588285577",
            "-3.678794411714423",
            "13.160602794142788",
            "8.160602794142788",
            "1.612699836780282",
        ),
        (
            EPS_2,
            "23.614499923553323",
            "-6.385500076446677",
            "11.807249961776661",
            "7.483926377959725",
            "1.577681201748482",
        ),
    ],
    ids=["eps = oo", "eps = 2"],
)
def test_E9_the_figures_of_the_examples(
    W: Domain, sum_: str, its_bias: str, m: str, n: str, ratio: str
) -> None:
    """Rows 57 and 62, E9."""
    M = lq.linear_query(W, X, weight=SAT, bounds=(0, 2))
    assert (
        near(mean(M, TEN), sum_)
        and near(bias(M, lambda x, eps: x, TEN), its_bias)
        and str(variance(M, TEN)) == "8"
    )
    pair = means.weighted_mean(W, weights=(SAT / 2, SAT / 2), bounds=(0, 2))
    parts = [mean(pair, TEN, of=o) for o in ("m", "n")]
    assert near(parts[0], m) and near(parts[1], n) and near(parts[0] / parts[1], ratio)
    assert equal(
        bias(lq.linear_query(EX_SUM, X, weight=SAT, bounds=(0, 2)), lambda x, eps: x, TEN),
        -10 * exp(-1),
    )


# means as quotients


@pytest.mark.parametrize(
    ("W", "inverse", "expected", "deviation"),
    [
        (EPS_2, "0.140102515090774", "1.654225415950357", "0.670246806673121"),
        (EX_SUM, "0.127339241379393", "1.675861175901669", None),
    ],
    ids=["eps = 2", "eps = oo"],
)
def test_O5_the_clipped_mean_of_the_example(
    W: Domain, inverse: str, expected: str, deviation: str | None
) -> None:
    """Row 62, O5, to all printed digits."""
    M = means.weighted_mean(W, weights=(SAT / 2, SAT / 2), bounds=(0, 2))
    assert near(mean(M, TEN, of="1 / max(n, 1)"), inverse) and near(
        mean(M, TEN, of="m / max(n, 1)"), expected
    )
    assert deviation is None or near(sqrt(variance(M, TEN, of="m / max(n, 1)")), deviation)


def test_O5_the_formula_for_every_dataset() -> None:
    """O5: E[1/max(c + L(1), 1)] = e^-(c-1)/2 + e^-c (Ei(c) - Ei(1))/2 + e^c E1(c)/2 for c >= 1;
    mpmath integrates the definition for c < 1 too.
    """
    W, n, c = Domain([("a", 1)]), real("n"), name("c")
    M = Mechanism(W, outputs=[n], density=exp(-Abs(n - c)) / 2, parameters={"c": ""})
    formula = mean(M, of=1 / Max(n, 1))
    assert formula.head == "piecewise"
    for at in (F(3, 2), F(9), F(1, 3), F(-2)):
        found = mpmath.mpf(enclosure(value_at(formula, M, [0], {"c": at}), 25).decimal)
        assert (
            mpmath.mpf(enclosure(mean(M, [0], of=1 / Max(n, 1), parameters={"c": at}), 25).decimal)
            == found
        )
        x = mpmath.mpf(at.numerator) / at.denominator
        law = lambda s, x=x: mpmath.exp(-abs(s - x)) / 2 / max(s, 1)  # noqa: E731
        points = sorted({-mpmath.inf, x, mpmath.mpf(1), mpmath.inf})
        assert abs(mpmath.quad(law, points) - found) < 1e-12
        if at >= 1:
            closed = (
                mpmath.exp(1 - x) / 2
                + mpmath.exp(-x) * (mpmath.ei(x) - mpmath.ei(1)) / 2
                + mpmath.exp(x) * mpmath.e1(x) / 2
            )
            assert abs(closed - found) < 1e-14


@pytest.mark.parametrize(("copies", "ratio"), [(10, "0.6"), (1000, "0.501"), (10**6, "0.500001")])
def test_row_60_the_printed_mean_tends_to_the_mean_less_l(copies: int, ratio: str) -> None:
    """Row 60, E8: X = {1, 2}, n copies each, alpha = 1/2; the true mean is 3/2."""
    W = Domain([(1, 2), (2, 2)])
    M = means.weighted_mean(W, weights=(F(1, 2), F(1, 2)), bounds=(1, 2))
    parts = [mean(M, Multiset(W, [copies, copies]), of=o) for o in ("m", "n")]
    assert equal(parts[0] / parts[1], F(ratio))


def test_row_61_and_E12_the_unclipped_mean_has_none() -> None:
    """Row 61, E12: E|m/n| is infinite for every dataset; the reason names the output, the pole
    and the density there.
    """
    M = means.weighted_mean(means.EVERY, weights=(means.ALPHA_1, means.ALPHA_2), bounds=(L, H))
    W = M.inputs
    assert isinstance(W, Domain)
    found = infinite_mean(M, of="m / n")
    assert (found.output, str(found.at)) == ("n", "0") and equal(
        found.density, exp(-W.sum(means.ALPHA_2)) / 2
    )
    ex_mean = means.weighted_mean(EX_SUM, weights=(SAT / 2, SAT / 2), bounds=(0, 2))
    for of in ("m / n", "1 / n", "(m + 1) / (2 * n)", "m^2 / n^2", "1 / abs(n)", "2 + m / n"):
        assert infinite_mean(ex_mean, TEN, of=of).output == "n"
        with pytest.raises(
            BadInput,
            match=r"E\|.*\| is infinite, since the density of n is continuous and positive at 0; "
            r"clip the divisor",
        ):
            mean(ex_mean, TEN, of=of)
    with pytest.raises(BadInput, match="no mean"):
        variance(ex_mean, TEN, of="m / n")


@pytest.mark.parametrize("of", ["m / max(n, 1)", "n / n", "m", "n^2 / n", "m / (1 + n^2)"])
def test_nothing_else_is_called_infinite(of: str) -> None:
    M = means.weighted_mean(EX_SUM, weights=(SAT / 2, SAT / 2), bounds=(0, 2))
    with pytest.raises(NotWorkedOut, match="no divisor in"):
        infinite_mean(M, TEN, of=of)


def test_a_density_that_vanishes_at_the_pole_is_not_called_positive() -> None:
    """|s| exp(-|s|)/2 has mass 1, and E[1/|s|] is the integral of exp(-|s|)/2, which is 1."""
    s = real("s")
    M = Mechanism(Queries(1), outputs=[s], density=Abs(s) * exp(-Abs(s)) / 2)
    with pytest.raises(NotWorkedOut, match="no divisor"):
        infinite_mean(M, [0], of=1 / Abs(s))
    assert str(mean(M, [0], of=1 / Abs(s))) == "1"


# the Sample Mechanism


def keep(t: object) -> Expression:
    return (exp(Min(EPS, t)) - 1) / (exp(t) - 1)


O6 = {
    "0.1": {"0.01": "0.095560324736722", "7": "1"},
    "1": {"0.01": "0.0058489631431306", "0.5": "0.37754066879815"},
    "0.5": {"0.5": "1"},
    "2": {"0.1": "0.016461104183019"},
}


@pytest.mark.parametrize(
    ("t", "eps", "printed"), [(t, eps, p) for t, row in O6.items() for eps, p in row.items()]
)
def test_O6_sampling_probabilities(t: str, eps: str, printed: str) -> None:
    """O6; and they are the mean number of records of one that are kept."""
    W = Domain([(1, eps)])
    found = mean(lq.weighted_count(W, weight=1), [1], keep=lambda x, eps: keep(number(t)))
    assert near(found, printed)


def test_O6_one_of_them_in_closed_form() -> None:
    found = mean(lq.weighted_count(Domain([(1, 1)]), weight=1), [1], keep=keep(number(2)))
    assert equal(found, 1 / (1 + exp(1)))


def test_the_moments_of_a_sampled_sum() -> None:
    """S6: mean sum k f, variance that of the noise and sum k (1 - k) f^2, for every dataset;
    here k = (u - 1)/(T - 1) with u = 2, T = 4.
    """
    W = Domain([(3, log(2)), (5, log(4))])
    M = lq.linear_query_without_offset(W, X, weight=1, largest=5)
    k = keep(log(4))
    assert str(mean(M, [2, 1], keep=k)) == "7" and str(variance(M, [2, 1], keep=k)) == str(
        50 + 2 * 9 * F(2, 9)
    )
    assert (
        equal(value_at(mean(M, keep=k), M, [2, 1]), 7)
        and str(bias(M, lambda x, eps: x, [2, 1], keep=k)) == "-4"
    )


def test_a_sampled_mechanism_is_gone_through_part_by_part() -> None:
    """A probability 1/(1 + size) has no formula in sums; the oracle keeps or drops every single
    record.
    """
    W, s = Domain([(0, log(2)), (1, log(3))]), finite("s", [0, 1])
    one = 1 / (1 + W.size + 2 * W.sum(lambda x, eps: x))
    M = Mechanism(W, outputs=[s], density=piecewise((one, eq(s, 1)), (1 - one, True)))
    people = [
        (0, F(1, 3)),
        (0, F(1, 3)),
        (1, F(2, 3)),
        (1, F(2, 3)),
    ]  # (x, k) with k = (e^eps - 1)/3
    expected = F(0)
    for kept in itertools.product((True, False), repeat=4):
        probability = F(1)
        for (_, k), stays in zip(people, kept, strict=True):
            probability *= k if stays else 1 - k
        expected += probability / (
            1 + sum(kept) + 2 * sum(x for (x, _), stays in zip(people, kept, strict=True) if stays)
        )
    assert str(mean(M, [2, 2], keep=(exp(EPS) - 1) / 3)) == str(expected)
    assert str(variance(M, [2, 2], keep=(exp(EPS) - 1) / 3)) == str(expected - expected**2)


def test_sums_in_a_sampled_expectation_are_refused_and_else_allowed() -> None:
    """E (s - sum x)^2 = Var + bias^2; with keep it is not said which records are meant."""
    M = lq.linear_query(EX_SUM, X, weight=SAT, bounds=(0, 2))
    error = (name("s") - EX_SUM.sum(X)) ** 2
    assert equal(mean(M, TEN, of=error), 8 + (10 * exp(-1)) ** 2)
    with pytest.raises(BadInput, match="or over those that are kept"):
        mean(M, TEN, of=error, keep="1/2")


# S8


@pytest.mark.parametrize("dataset", [[0, 0, 0], [3, 5, 1]])
def test_S8_a_mean_moves_no_more_than_the_level_allows(dataset: list[int]) -> None:
    """S8: |E M(D + w) - E M(D)| <= (e^eps - 1) E|M(D)|; the linear query of prop:newDP is AHDP
    at alpha f/F.
    """
    W = Domain([(-2, F(1, 10)), (1, 1), (2, 3)])
    M = lq.linear_query_without_offset(W, X, weight=SAT, largest=2)
    for i, r in enumerate(W.records):
        more = [c + (i == j) for j, c in enumerate(dataset)]
        level = (1 - exp(-r.demand)) * Abs(r.value) / 2  # type: ignore[operator]
        moved = enclosure(Abs(mean(M, more) - mean(M, dataset)))
        assert moved.high <= enclosure(mean_shift_bound(M, level, dataset)).low
        with_less = enclosure(mean_shift_bound(M, F(1, 1000), dataset))
        assert with_less.high < enclosure(mean_shift_bound(M, level, dataset)).low
    assert str(mean_shift_bound(M, 0, dataset)) == "0"


def test_S8_some_dataset_has_a_large_bias() -> None:
    """S8: records of demand 0 leave no trace in a universal mechanism, so with m of them the two
    biases differ by m f(x_o).
    """
    W = Domain([(7, 0), (1, 1)])
    M = lq.linear_query_without_offset(W, X, weight=SAT, largest=7)
    for m in (1, 2, 9):
        first, second = (bias(M, lambda x, eps: x, d) for d in ([0, 3], [m, 3]))
        assert equal(first - second, 7 * m)
        assert max(abs(enclosure(b).low) for b in (first, second)) >= F(7 * m, 2)
