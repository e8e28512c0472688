"""Every word against an independent oracle: scipy's distributions, or sums of closed forms, and
the verdicts on claims at the right scale and one percent below it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, name, number, substitute
from ahdp_verify.laws import (
    Law,
    clamp,
    exponential_mechanism,
    geometric,
    laplace,
    mechanism,
    randomised_response,
    repeat,
    rounded,
    staircase,
    truncate,
    uniform,
)
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

stats = pytest.importorskip("scipy.stats")
integrate = pytest.importorskip("scipy.integrate")

E, Q1, V, X = name("e"), name("q[1]"), name("v"), name("x")
W = Domain([(1, 1), (2, 1)])
POSITIVE = {"e": "e > 0"}
POINTS = (-7, -2, "-1/2", 0, "1/3", 1, 2, "9/2", 11)
WHOLE = (-6, -1, 0, 1, 2, 3, 9)


def value(e: Expression) -> float:
    """The value of a constant expression: a float between the ends of its enclosure."""
    low, high = enclose(normal(e, Context.empty()))
    return float((low + high) / 2)


def density(law: Law, at: object) -> float:
    return value(law.density(number(at)))


def at_most(law: Law, at: object) -> float:
    assert law.at_most is not None
    assert law.above is not None
    below, above = (value(tail(number(at))) for tail in (law.at_most, law.above))
    assert below + above == pytest.approx(1, abs=1e-12)
    return below


@pytest.mark.parametrize(("location", "scale"), [(0, 1), ("3/2", "1/3"), (-2, 5)])
def test_laplace_is_that_of_scipy(location: object, scale: object) -> None:
    law, known = (
        laplace(location, scale),
        stats.laplace(float(Fraction(location)), float(Fraction(scale))),
    )
    for at in POINTS:
        assert density(law, at) == pytest.approx(known.pdf(float(Fraction(at))), rel=1e-9)
        assert at_most(law, at) == pytest.approx(known.cdf(float(Fraction(at))), rel=1e-9)


@pytest.mark.parametrize(("location", "scale"), [(0, 1), (4, "1/3"), (-2, 5)])
def test_geometric_is_the_discrete_laplace_of_scipy(location: int, scale: object) -> None:
    law, known = (
        geometric(location, scale),
        stats.dlaplace(1 / float(Fraction(scale)), loc=location),
    )
    for at in WHOLE:
        assert density(law, at) == pytest.approx(known.pmf(at), rel=1e-9)
        assert at_most(law, at) == pytest.approx(known.cdf(at), rel=1e-9)


def test_uniform_is_that_of_scipy() -> None:
    law, known = uniform(-1, "5/2"), stats.uniform(-1, 3.5)
    for at in POINTS:
        assert density(law, at) == pytest.approx(known.pdf(float(Fraction(at))), rel=1e-9)
        assert at_most(law, at) == pytest.approx(
            known.cdf(float(Fraction(at))), rel=1e-9, abs=1e-12
        )


@pytest.mark.parametrize("gamma", ["1/3", "1/2", "9/10"])
def test_staircase_has_the_steps_of_its_paper(gamma: str) -> None:
    """Geng and Viswanath, definition 2: a on [0, gamma d), a exp(-eps) on [gamma d, d), and exp(-k
    eps) times that in the k-th interval of length d.
    """
    d, eps, g = 2.0, 0.7, float(Fraction(gamma))
    law = staircase(1, 2, "7/10", gamma)
    a = (1 - math.exp(-eps)) / (2 * d * (g + math.exp(-eps) * (1 - g)))
    for at in ("1/7", "4/5", "5/3", "17/8", "33/7", "-29/5"):
        z = abs(float(Fraction(at)) - 1)
        k, rest = divmod(z, d)
        step = a if rest < g * d else a * math.exp(-eps)
        assert density(law, at) == pytest.approx(step * math.exp(-k * eps), rel=1e-9)


LAPLACE = [laplace("1/3", 2), laplace(5, "1/2"), laplace(-4, 1)]


@pytest.mark.parametrize("law", LAPLACE, ids=str)
def test_clamp_collects_what_lies_outside(law: Law) -> None:
    clamped = clamp(law, -1, 2)
    inside, _ = integrate.quad(
        lambda s: density(clamped, Fraction(s)), -1, 2, points=[1 / 3], limit=60, epsabs=1e-9
    )
    (low, below), (high, above) = clamped.atoms
    assert (str(low), str(high)) == ("-1", "2")
    assert value(below) == pytest.approx(at_most(law, -1), rel=1e-9)
    assert inside + value(below) + value(above) == pytest.approx(1, abs=1e-6)
    assert density(clamped, 3) == 0


@pytest.mark.parametrize("law", LAPLACE, ids=str)
def test_truncate_divides_by_what_is_left(law: Law) -> None:
    cut, left = truncate(law, -1, 2), at_most(law, 2) - at_most(law, -1)
    for at in ("-1", "-1/2", "1/3", "3/2"):
        assert density(cut, at) == pytest.approx(density(law, at) / left, rel=1e-9)
    assert density(cut, "5/2") == 0
    assert cut.atoms == ()


@pytest.mark.parametrize("step", [1, "1/4", 3])
@pytest.mark.parametrize("law", LAPLACE, ids=str)
def test_round_gives_each_number_its_interval(law: Law, step: object) -> None:
    width = Fraction(step)
    for k in (-5, -1, 0, 1, 2, 20):
        low, high = (at_most(law, (k + side) * width) for side in (Fraction(-1, 2), Fraction(1, 2)))
        assert density(rounded(law, step), k) == pytest.approx(high - low, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("location", [-3, 0, 2, 8])
def test_whole_laws_are_clamped_and_truncated_by_summing(location: int) -> None:
    law = geometric(location, 2)
    weights = {k: stats.dlaplace(0.5, loc=location).pmf(k) for k in range(-200, 201)}
    clamped, cut = clamp(law, 0, 4), truncate(law, 0, 4)
    total = sum(weights[k] for k in range(5))
    reports = {k: weights[k] for k in range(1, 4)}
    reports[0] = sum(w for k, w in weights.items() if k <= 0)
    reports[4] = sum(w for k, w in weights.items() if k >= 4)
    for k in range(5):
        assert density(clamped, k) == pytest.approx(reports[k], rel=1e-9)
        assert density(cut, k) == pytest.approx(weights[k] / total, rel=1e-9)
    assert (clamped.kind, cut.kind, density(cut, 5)) == ("finite", "integer", 0)


def test_the_exponential_mechanism_halves_the_score_over_the_sensitivity() -> None:
    law = exponential_mechanism({"a": 1, "b": "5/2", "c": 0}, "3/2", 2)
    weights = [math.exp(0.375 * score) for score in (1, 2.5, 0)]
    found = [value(law.density(v)) for v in law.values]
    assert found == pytest.approx([w / sum(weights) for w in weights], rel=1e-9)


def test_randomised_response_favours_the_truth() -> None:
    law = randomised_response(["a", "b", "c"], 1, truth=Expression("label", ("b",)))
    found = [value(law.density(v)) for v in law.values]
    assert found == pytest.approx([1 / (math.e + 2), math.e / (math.e + 2), 1 / (math.e + 2)])


BITS = Domain([(0, 1), (1, 1)])
PRIVATE: dict[str, tuple[Mechanism, str, Expression]] = {
    "laplace": (mechanism(Queries(1), laplace(Q1, 1 / E), parameters=POSITIVE), "one", E),
    "geometric": (mechanism(W, geometric(W.sum(X), 2 / E), parameters=POSITIVE), "add-remove", E),
    "staircase": (mechanism(Queries(1), staircase(Q1, 1, E, "1/3"), parameters=POSITIVE), "one", E),
    "clamp": (
        mechanism(W, clamp(laplace(W.sum(X), 2 / E), 0, 10), parameters=POSITIVE),
        "add-remove",
        E,
    ),
    "clamp-whole": (
        mechanism(W, clamp(geometric(W.size, 1 / E), 0, 3), parameters=POSITIVE),
        "add-remove",
        E,
    ),
    "round": (
        mechanism(W, rounded(laplace(W.sum(X), 2 / E)), parameters=POSITIVE),
        "add-remove",
        E,
    ),
    "round-value": (
        mechanism(Values([0, "1/2", 1]), rounded(laplace(V, 1 / E)), parameters=POSITIVE),
        "any",
        E,
    ),
    "truncate": (mechanism(Values([0, "1/2", 1]), truncate(laplace(V, 1), 0, 1)), "any", number(1)),
    "choice": (
        mechanism(
            Queries(3),
            exponential_mechanism([name(f"q[{i}]") for i in (1, 2, 3)], E, 1),
            parameters=POSITIVE,
        ),
        "all",
        E,
    ),
    "response": (
        mechanism(
            Values(["a", "b", "c"]), randomised_response(["a", "b", "c"], E), parameters=POSITIVE
        ),
        "any",
        E,
    ),
    "chain": (
        mechanism(W, {"n": laplace(W.size, 2), "s": laplace(W.sum(X) / 3 + name("n"), "4/3")}),
        "add-remove",
        number(1),
    ),
    "repeat": (repeat(mechanism(Queries(1), laplace(Q1, 3 / E), parameters=POSITIVE), 3), "one", E),
}


@pytest.mark.parametrize("case", PRIVATE)
def test_the_right_scale_is_proved_and_one_percent_less_refuted(case: str) -> None:
    M, relation, level = PRIVATE[case]
    assert verify(Claim(M, relation, level), Limits(seconds=30)).outcome == "proved"
    assert (
        verify(Claim(M, relation, number("99/100") * level), Limits(seconds=30)).outcome
        == "refuted"
    )


def test_truncation_costs_more_than_clamping() -> None:
    """Where two locations are cut differently, the factors differ: the loss at the far end is 2 +
    log of the ratio of what is left, and clamp keeps 1.
    """
    values = Values([0, 1])
    cut = mechanism(values, truncate(laplace(V, 1), 0, 3))
    left = {v: math.exp(0) - math.exp(-v) / 2 - math.exp(-(3 - v)) / 2 for v in (0, 1)}
    loss = 1 + math.log(left[1] / left[0])  # at the output 0
    assert loss > 1.3
    assert verify(Claim(cut, "any", number(1))).outcome == "refuted"
    assert (
        verify(Claim(cut, "any", number(Fraction(round(loss * 1000) + 1, 1000)))).outcome
        == "proved"
    )
    assert (
        verify(Claim(cut, "any", number(Fraction(round(loss * 1000) - 1, 1000)))).outcome
        == "refuted"
    )
    assert (
        verify(Claim(mechanism(values, clamp(laplace(V, 1), 0, 3)), "any", number(1))).outcome
        == "proved"
    )


def test_ends_that_follow_the_data_leak() -> None:
    cut = mechanism(W, truncate(geometric(W.size, 1), W.size - 2, W.size + 2))
    assert verify(Claim(cut, "add-remove", number(50))).outcome == "refuted"


def test_a_scale_that_depends_on_the_data_is_read_and_refuted() -> None:
    noisy = mechanism(BITS, laplace(BITS.sum(X), 1 + BITS.sum(X)))
    assert verify(Claim(noisy, "add-remove", number(9))).outcome == "refuted"


def test_a_scale_that_may_be_negative_is_not_a_law() -> None:
    noisy = mechanism(Queries(1), laplace(Q1, E), parameters={"e": ""})
    with pytest.raises(BadInput, match="density is -"):
        verify(Claim(noisy, "one", 1 / E))


def test_words_say_whether_they_are_post_processing() -> None:
    base = laplace(0, 1)
    assert "post-processing, so no loss" in clamp(base, 0, 1).notes[-1]
    assert "post-processing, so no loss" in rounded(base).notes[-1]
    assert "not post-processing" in truncate(base, 0, 1).notes[-1]
    assert "truncate would leave it out" in clamp(base, 0, 1).notes[-1]
    assert "clamp would report" in truncate(base, 0, 1).notes[-1]


MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: laplace(0, 0), "laplace: scale: 0 is not positive"),
    (lambda: laplace(0, "-1/2"), "-1/2 is not positive"),
    (lambda: laplace(0, 0.5), 'write "0.5" in quotes'),
    (lambda: geometric("1/2", 1), "geometric: location: 1/2 is not a whole number"),
    (lambda: staircase(0, 1, 1, 1), "staircase: gamma: 1 is not in"),
    (lambda: uniform(2, 1), "uniform: 2 is not below 1; write the smaller end first"),
    (lambda: exponential_mechanism({}, 1, 1), "there is no candidate"),
    (lambda: exponential_mechanism({"a": 1}, 0, 1), "eps: 0 is not positive"),
    (lambda: randomised_response(["a"], 1), "there are 1 of them"),
    (lambda: clamp(laplace(0, 1), 1, 0), "clamp: 1 is not below 0"),
    (lambda: clamp(laplace(0, 1), W.size, 10), "the end size is not a constant"),
    (lambda: clamp(geometric(0, 1), 0, "1/2"), "1/2 is not a whole number"),
    (lambda: clamp(randomised_response(["a", "b"], 1), 0, 1), "lists its outputs"),
    (lambda: clamp(clamp(laplace(0, 1), 0, 1), 0, 1), "has points of mass already"),
    (lambda: clamp(staircase(0, 1, 1, "1/2"), 0, 1), "not written out"),
    (lambda: clamp(3, 0, 1), "clamp: 3 is not a law"),  # type: ignore[arg-type]
    (lambda: rounded(geometric(0, 1)), "is not a law of real numbers"),
    (lambda: rounded(clamp(laplace(0, 1), 0, 1)), r"write clamp\(round\(law\), low, high\)"),
    (lambda: rounded(laplace(0, 1), 0), "round: step: 0 is not positive"),
    (lambda: mechanism(W, {"s": 3}), "law of s: 3 is not a law"),  # type: ignore[dict-item]
    (
        lambda: mechanism(W, {"s": laplace(name("t"), 1), "t": laplace(0, 1)}),
        "it uses the output t, which is below it",
    ),
    (
        lambda: mechanism(W, [clamp(laplace(0, 1), 0, 1), laplace(0, 1)]),
        "points of mass are supported with one output only",
    ),
    (lambda: repeat(mechanism(W, clamp(laplace(0, 1), 0, 1)), 2), "has points of mass"),
    (lambda: repeat(mechanism(W, laplace(0, 1)), 0), "0 is not a number of runs"),
]


@pytest.mark.parametrize(("make", "says"), MISTAKES)
def test_a_mistake_is_one_sentence_with_its_cure(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()


def test_copies_are_independent_runs_on_one_input() -> None:
    once = mechanism(Queries(1), {"n": laplace(Q1, 1), "s": [laplace(2 * Q1, 3), laplace(0, 1)]})
    twice = repeat(once, 2)
    at = {"n[1]": 1, "n[2]": 0, "s[1]": 2, "s[2]": 5, "s[3]": -4, "s[4]": -1}
    assert [o.name for o in twice.outputs] == list(at)
    found = substitute(twice.density, {k: number(v) for k, v in at.items()} | {"q[1]": number(1)})
    runs = [(1, 2, 5), (0, -4, -1)]
    known = [
        stats.laplace(1, 1).pdf(n) * stats.laplace(2, 3).pdf(a) * stats.laplace().pdf(b)
        for n, a, b in runs
    ]
    assert value(found) == pytest.approx(math.prod(known), rel=1e-9)
