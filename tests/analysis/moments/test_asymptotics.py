"""Limits and means over a distribution of records: rem:bias, rows 60 and 64, E8, S6 and O7 of
STATEMENTS, each named by its test; identities on random distributions.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

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
    Values,
    exp,
    log,
    name,
    number,
    oo,
    real,
)
from ahdp_verify.analysis.moments import (
    asymptotic_bias,
    average,
    covariance,
    enclosure,
    limit,
    log_uniform,
    mean,
    variance,
)
from ahdp_verify.catalogue import linear_queries as lq
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.paper.catalogue import mean as means
from tests.sweeps import swept

F = Fraction
X, EPS = name("x"), name("eps")
SAT = 1 - exp(-EPS)
EX_SUM = Domain([(0, 0), (1, 1), (2, oo)])
UNIFORM = {(0, 0): F(1, 3), (1, 1): F(1, 3), (2, oo): F(1, 3)}


def equal(a: Expression, b: object) -> bool:
    here = Context.empty()
    return (normal(a, here) - normal(b if isinstance(b, Expression) else number(b), here)).is_zero


def pair(W: Domain, weight: object, low: object = 0, high: object = 1) -> Mechanism:
    return means.weighted_mean(W, weights=(weight, weight), bounds=(low, high))  # type: ignore[arg-type]


def random_law(rng: Random, demands: list[Expression]) -> dict[tuple[int, Expression], Fraction]:
    """Weights of the records (x, eps) with x in {0, 1, 2}."""
    counts = {(x, e): rng.randint(1, 9) for x in range(3) for e in demands}
    return {r: F(c, sum(counts.values())) for r, c in counts.items()}


@pytest.mark.parametrize("seed", swept(range(5), 2))
def test_row_64_the_limit_is_the_mean_plus_a_covariance(seed: int) -> None:
    """rem:bias, row 64: E[alpha X]/E[alpha] = E X + Cov(X, alpha)/E alpha, on random joint
    distributions with demand oo among them.
    """
    law = random_law(Random(seed), [log(2), log(3), oo])
    M = pair(Domain(list(law)), SAT, 0, 2)
    found = limit(M, law, of="m / n")
    alpha = {
        r: F(1) if r[1] == oo else 1 - 1 / F({"log(2)": 2, "log(3)": 3}[str(r[1])]) for r in law
    }
    assert equal(
        found,
        sum(p * alpha[r] * r[0] for r, p in law.items())
        / sum(p * alpha[r] for r, p in law.items()),
    )
    assert equal(found, average(X, law) + covariance(X, SAT, law) / average(SAT, law))
    assert equal(limit(M, law, of="m / max(n, 1)"), found) and equal(
        asymptotic_bias(M, X, law, of="m / n"), covariance(X, SAT, law) / average(SAT, law)
    )


def test_row_64_independence_cures_the_bias_if_the_weight_is_one_of_the_demand() -> None:
    """Row 64: X and eps independent; alpha(eps) gives no bias, alpha(x, eps) = eps x/(1 + eps)
    does.
    """
    law = {
        (x, e): F(p, 10) * F(q, 4)
        for x, p in ((0, 1), (1, 3), (2, 6))
        for e, q in ((log(2), 1), (F(3, 2), 3))
    }
    W = Domain(list(law))
    for weight in (SAT, EPS / (1 + EPS), EPS / 2):
        assert str(asymptotic_bias(pair(W, weight, 0, 2), X, law, of="m / n")) == "0"
    biased = asymptotic_bias(pair(W, EPS * X / (1 + EPS), 0, 2), X, law, of="m / n")
    assert equal(biased, F(3 + 24, 10) / F(15, 10) - F(15, 10))  # E X^2 / E X - E X


def test_row_64_an_infinite_weight_is_excluded() -> None:
    """Row 64: eps = oo with alpha = eps."""
    with pytest.raises(BadInput, match="infinite"):
        average(EPS, UNIFORM)


def test_row_60_and_E8_the_printed_mean_tends_to_the_mean_less_l() -> None:
    """Row 60, E8: X = {1, 2}, alpha = 1/2: 1/2 where the mean is 3/2; the repaired one gives
    3/2, and in general the weighted mean.
    """
    law = {(1, 2): "1/2", (2, 2): "1/2"}
    W = Domain(list(law))
    printed = pair(W, F(1, 2), 1, 2)
    assert (
        str(limit(printed, law, of="m / n")) == "1/2"
        and str(asymptotic_bias(printed, X, law, of="m / n")) == "-1"
    )
    repaired = means.mean_centred(W, weights=(F(1, 2), F(1, 2)), bounds=(1, 2))
    assert str(limit(repaired, law, of="3/2 + m / max(n, 1)")) == "3/2"
    skew = {(1, 1): "1/4", (2, oo): "3/4"}
    V = Domain(list(skew))
    weighted = (average(SAT * X, skew), average(SAT, skew))
    assert equal(
        limit(
            means.mean_centred(V, weights=(SAT, SAT), bounds=(1, 2)), skew, of="3/2 + m / max(n, 1)"
        ),
        weighted[0] / weighted[1],
    )
    assert equal(limit(pair(V, SAT, 1, 2), skew, of="m / n"), weighted[0] / weighted[1] - 1)


def test_S6_the_asymptotic_bias_of_the_sample_mechanism() -> None:
    """S6: Cov(X, k)/E k with k = (e^min(eps, t) - 1)/(e^t - 1); zero if all demands are at least
    t; from the base with full weights.
    """
    t = log(4)
    keep = (exp(Min(EPS, t)) - 1) / (exp(t) - 1)
    law = {(0, log(2)): F(1, 2), (1, log(3)): F(1, 4), (2, oo): F(1, 4)}
    M = pair(Domain(list(law)), 1, 0, 2)
    k = {0: F(1, 3), 1: F(2, 3), 2: F(1)}
    mean_k = F(1, 2) * k[0] + F(1, 4) * k[1] + F(1, 4) * k[2]
    weighted = (F(1, 4) * k[1] + F(2, 4) * k[2]) / mean_k
    assert equal(limit(M, law, of="m / max(n, 1)", keep=keep), weighted)
    assert equal(asymptotic_bias(M, X, law, of="m / n", keep=keep), weighted - F(3, 4)) and equal(
        covariance(X, keep, law) / average(keep, law), weighted - F(3, 4)
    )
    enough = {(0, log(4)): F(1, 2), (1, 9): F(1, 4), (2, oo): F(1, 4)}
    assert (
        str(asymptotic_bias(pair(Domain(list(enough)), 1, 0, 2), X, enough, of="m / n", keep=keep))
        == "0"
    )


def test_S6_the_probability_of_level_one_hundredth() -> None:
    """S6: level 0.01 has k = 0.0955603247 at t = 0.1."""
    t = number("0.1")
    assert enclosure(average((exp(Min(EPS, t)) - 1) / (exp(t) - 1), {(0, "0.01"): 1})).agrees(
        "0.0955603247"
    )


O7 = {
    "eps": "1.05461687884736639",
    "1 - exp(-eps)": "0.367223371465289705",
    "eps / (1 + eps)": "0.302887523221979204",
}


@pytest.mark.parametrize(("of", "printed"), O7.items())
def test_O7_moments_of_log_uniform_demands(of: str, printed: str) -> None:
    """O7: log eps ~ U[-5, 2]; mpmath integrates over the logarithm."""
    found = enclosure(mean(log_uniform(-5, 2), of=of))
    assert found.agrees(printed)
    f = {
        "eps": lambda e: e,
        "1 - exp(-eps)": lambda e: 1 - mpmath.exp(-e),
        "eps / (1 + eps)": lambda e: e / (1 + e),
    }[of]
    assert (
        abs(mpmath.quad(lambda u: f(mpmath.exp(u)), [-5, 2]) / 7 - mpmath.mpf(found.decimal))
        < 1e-13
    )


def test_O7_closed_forms() -> None:
    E = log_uniform(-5, 2)
    assert equal(mean(E), (exp(2) - exp(-5)) / 7) and equal(
        mean(E, of="eps / (1 + eps)"), (log(1 + exp(2)) - log(1 + exp(-5))) / 7
    )
    assert str(mean(E, of="indicator(eps < 1)")) == "5/7"  # row 72: P(eps < 1)
    assert equal(variance(E), (exp(4) - exp(-10)) / 14 - ((exp(2) - exp(-5)) / 7) ** 2)


def test_a_sum_per_record_tends_to_its_mean() -> None:
    M = lq.linear_query(EX_SUM, X, weight=SAT, bounds=(0, 2))
    assert equal(limit(M, UNIFORM, of=M.outputs[0] / EX_SUM.size), average(SAT * X, UNIFORM))
    assert equal(limit(M, Multiset(EX_SUM, [5, 5, 5]), of="s / sum(1)"), average(SAT * X, UNIFORM))


def test_limits_over_every_domain_at_once() -> None:
    """A law over a universal domain lists tables of its unknowns; parameters stay symbols."""
    law = [({"alpha": "1/2", "f": 1, "eps": 1}, "1/2"), ({"alpha": "1/4", "f": 3, "eps": 2}, "1/2")]
    M = lq.linear_query(lq.EVERY, lq.F, weight=lq.ALPHA, bounds=(lq.L, lq.H))
    found = limit(M, law, of=M.outputs[0] / M.inputs.size)  # type: ignore[union-attr]
    assert equal(found, F(5, 8) - F(3, 8) * lq.L)


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ("m", "may grow without bound"),
        ("m^2 / n", "may grow without bound"),
        ("m / (n - n)", "divisor may tend to 0"),
        ("m / (m - n)", "divisor may tend to 0"),
        ("max(m - n, 0) / n", "the case distinction may change in the limit"),
    ],
)
def test_limits_that_are_not_known(of: str, said: str) -> None:
    """With x = 1 for all, m and n grow alike, so m - n may tend to anything."""
    law = {(1, 1): 1}
    with pytest.raises(NotWorkedOut, match=said):
        limit(pair(Domain(list(law)), SAT), law, of=of)


def test_a_divisor_may_be_a_difference() -> None:
    """E[alpha X]/(E[alpha X] - E[alpha]) with alpha = 1/2: (3/4)/(3/4 - 1/2), and a clipped
    difference below 0 is 0.
    """
    law = {(1, 1): "1/2", (2, 1): "1/2"}
    M = pair(Domain(list(law)), F(1, 2), 0, 2)
    assert (
        str(limit(M, law, of="m / (m - n)")) == "3"
        and str(limit(M, law, of="max(n - m, 0) / m")) == "0"
    )


def test_records_of_another_domain() -> None:
    with pytest.raises(BadInput, match="is not a record of the mechanism's domain"):
        limit(pair(EX_SUM, SAT, 0, 2), {(1, 2): 1}, of="m / n")


def test_bad_laws() -> None:
    wrong = (
        ({(0, 0): "1/2"}, "add up to 1/2"),
        ({(0, 0): 2, (1, 1): -1}, "negative"),
        ({(0, 0): 0.5}, "float"),
        ({"a": 1}, "not a pair"),
        ([({"q": 1}, 1)], "no value for x"),
    )
    for law, said in wrong:
        with pytest.raises(BadInput, match=said):
            average(X, law)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="not below"):
        log_uniform(2, 2)


def test_a_mechanism_whose_noise_grows_with_the_data_has_no_known_limit() -> None:
    W, s = Domain([(1, 1)]), real("s")
    M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size) / (1 + W.size)) / (2 * (1 + W.size)))
    with pytest.raises(
        NotWorkedOut, match="variance of s was not found to be the same for all datasets"
    ):
        limit(M, {(1, 1): 1}, of=s / W.size)
    with pytest.raises(BadInput):
        limit(Mechanism(Values([0]), outputs=[s], density=exp(-Abs(s)) / 2), {(1, 1): 1}, of="s")


def test_no_limit_where_the_mechanism_does_not_run_on_large_datasets() -> None:
    """At most 5 records, or at least one with x = 3, which the law never draws; at least one
    record is harmless.
    """
    W, s = Domain([(0, 1), (1, 2), (3, 1)]), real("s")
    half = {(0, 1): F(1, 2), (1, 2): F(1, 2)}

    def of(defined: Expression) -> Expression:
        M = Mechanism(
            W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, defined=defined
        )
        return limit(M, half, of=s / Max(W.size, 1))

    assert str(of(W.size >= 1)) == "1/2"
    for defined in (W.size <= 5, W.count((3, 1)) >= 1):
        with pytest.raises(
            NotWorkedOut,
            match=r"large ones were not shown to satisfy|may change in the limit",
        ):
            of(defined)


@pytest.mark.parametrize(
    "record",
    [
        {"eps": 1, "alpha": 2, "f": 0},
        {"eps": 2, "alpha": 1, "f": 3},
        {"eps": -1, "alpha": -1, "f": 0},
    ],
)
def test_a_law_of_records_that_break_the_conditions_of_the_domain_is_refused(
    record: dict[str, object],
) -> None:
    """alpha <= eps, f <= h = 1, eps >= 0."""
    M = lq.linear_query(lq.EVERY, lq.F, weight=lq.ALPHA, bounds=(name("l"), name("h")))
    with pytest.raises(BadInput, match="does not satisfy"):
        limit(M, [(record, 1)], of="s/size", parameters={"l": 0, "h": 1})
    assert (
        str(
            limit(
                M, [({"eps": 1, "alpha": "1/2", "f": "1/2"}, 1)], of="s/size", parameters={"l": 0}
            )
        )
        == "1/4"
    )
