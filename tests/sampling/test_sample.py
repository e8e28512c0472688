"""Draws follow the distribution that the mechanism states.

Real and whole outputs are compared with distribution functions of textbooks, written down here in
floats, by the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart: the empirical distribution
function of n draws is further than sqrt(log(2 / p) / (2 n)) from the true one with probability at
most p, for every law.  Finite outputs are compared by chi-squared, with the tail bound of Laurent
and Massart (2000): k + 2 sqrt(k x) + 2 x is exceeded with probability at most exp(-x).  Seeds are
fixed, so that a test that passes always passes.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify.catalogue import find_entry
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    eq,
    exp,
    floor,
    indicator,
    log,
    name,
    number,
    oo,
    piecewise,
)
from ahdp_verify.sampling.sample import sample

np = pytest.importorskip("numpy")

ROOT = Path(__file__).resolve().parents[2]
N, RARE = 20_000, 1e-6
S = name("s")
ONE_QUERY = Queries(1)
Q = name("q[1]")


def laplace(centre: float, scale: float) -> Callable[[float], float]:
    return lambda x: (
        math.exp((x - centre) / scale) / 2
        if x < centre
        else 1 - math.exp(-(x - centre) / scale) / 2
    )


def geometric(centre: int, q: float) -> Callable[[float], float]:
    """The distribution function of a whole number k with probability (1 - q)/(1 + q) q^|k -
    centre|.
    """

    def below(x: float) -> float:
        k = math.floor(x) - centre
        return q ** (-k) / (1 + q) if k < 0 else 1 - q ** (k + 1) / (1 + q)

    return below


def follows(values: Any, cdf: Callable[[float], float]) -> None:
    """The largest distance between the empirical and the true distribution function is what
    chance allows; ties are counted together.
    """
    x, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    upper = np.cumsum(counts) / len(values)
    at = np.array([cdf(v) for v in x])
    before = np.array([cdf(np.nextafter(v, -math.inf)) for v in x])
    bound = math.sqrt(math.log(2 / RARE) / (2 * len(values)))
    assert np.abs(upper - at).max() < bound
    assert np.abs(upper - counts / len(values) - before).max() < bound


def fits(values: list[Any], probabilities: dict[Any, float]) -> None:
    """Pearson's statistic of the counts is what chance allows, and nothing impossible occurred."""
    assert abs(sum(probabilities.values()) - 1) < 1e-12 and set(values) <= set(probabilities)
    expected = {v: p * len(values) for v, p in probabilities.items() if p}
    statistic = sum((values.count(v) - m) ** 2 / m for v, m in expected.items())
    k, x = len(expected) - 1, math.log(1 / RARE)
    assert statistic < k + 2 * math.sqrt(k * x) + 2 * x


def one(density: Expression, kind: Any = real, **more: Any) -> Mechanism:
    """A mechanism on one query answer with one output s."""
    return Mechanism(ONE_QUERY, outputs=[kind("s")], density=density, **more)


CONTINUOUS = [
    ("laplace", one(exp(-Abs(S - Q) / 2) / 4), 3, laplace(3, 2)),
    ("narrow", one(exp(-1000 * Abs(S - Q)) * 500), Fraction(1, 3), laplace(1 / 3, 1 / 1000)),
    (
        "irrational",
        one(exp(-log(number(2)) * Abs(S - exp(Q))) * log(number(2)) / 2),
        1,
        laplace(math.e, 1 / math.log(2)),
    ),
    (
        "uniform",
        one(indicator((Q <= S) & (S < Q + 2)) / 2),
        -1,
        lambda x: min(1.0, max(0.0, (x + 1) / 2)),
    ),
    (
        "one-sided",
        one(piecewise((exp(Q - S), S >= Q), (0, True))),
        5,
        lambda x: 1 - math.exp(5 - x) if x > 5 else 0.0,
    ),
    (
        "mixture",
        one((exp(-Abs(S - 1)) + 3 * exp(-Abs(S + 2) * 2)) * Fraction(1, 5)),
        0,
        lambda x: 0.4 * laplace(1, 1)(x) + 0.6 * laplace(-2, 0.5)(x),
    ),
    # the larger of two independent exponential times: a term of its density is negative
    (
        "larger of two",
        one(piecewise((2 * exp(-S) - 2 * exp(-2 * S), S >= 0), (0, True))),
        0,
        lambda x: (1 - math.exp(-x)) ** 2 if x > 0 else 0.0,
    ),
    (
        "triangle",
        one(piecewise((2 * exp(S) / (exp(number(1)) - 1) / 2, (S >= 0) & (S < 1)), (0, True))),
        0,
        lambda x: math.expm1(min(1.0, max(0.0, x))) / math.expm1(1),
    ),
]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("mechanism", "at", "cdf"),
    [case[1:] for case in CONTINUOUS],
    ids=[case[0] for case in CONTINUOUS],
)
def test_a_real_output_follows_its_distribution_function(
    mechanism: Mechanism, at: Any, cdf: Callable[[float], float]
) -> None:
    follows(sample(mechanism, [at], size=N, rng=7), cdf)


def two_sided(q: Expression, centre: Expression) -> Expression:
    return (1 - q) / (1 + q) * q ** Abs(S - centre)


def sampled_count(n: int, keep: float, q: float) -> Callable[[float], float]:
    """Each of n records is kept with probability `keep`, the kept ones are counted, with
    two-sided geometric noise.
    """
    weights = [math.comb(n, k) * keep**k * (1 - keep) ** (n - k) for k in range(n + 1)]
    return lambda x: sum(w * geometric(k, q)(x) for k, w in enumerate(weights))


W = Domain([("a", log(number(2)))])
MIXED = sum(
    (
        number(math.comb(3, k)) * Fraction(1, 8) * two_sided(number("1/3"), number(k))
        for k in range(4)
    ),
    number(0),
)
WHOLE = [
    (
        "geometric",
        Mechanism(W, outputs=[integer("s")], density=two_sided(number("1/2"), W.size)),
        [("a", log(number(2)))] * 2,
        geometric(2, 0.5),
    ),
    (
        "sampled",
        Mechanism(W, outputs=[integer("s")], density=MIXED),
        [],
        sampled_count(3, 0.5, 1 / 3),
    ),
    (
        "range",
        Mechanism(W, outputs=[integer("s")], density=indicator((S >= -2) & (S < 4)) / 6),
        [],
        lambda x: min(1.0, max(0.0, (math.floor(x) + 3) / 6)),
    ),
    (
        "between",
        Mechanism(
            W,
            outputs=[integer("s")],
            density=exp(-Abs(S - Fraction(1, 2))) * (1 - exp(-1)) / (2 * exp(number("-1/2"))),
        ),
        [],
        lambda x: math.exp(math.floor(x)) / 2 if x < 1 else 1 - math.exp(-math.floor(x)) / 2,
    ),
    # two series of throws of a fair coin until heads: the larger number of throws before it, whose
    # distribution has a negative term
    (
        "larger of two",
        Mechanism(
            W,
            outputs=[integer("s")],
            density=piecewise(
                (
                    2 * exp(-log(number(2)) * (S + 1)) - 3 * exp(-2 * log(number(2)) * (S + 1)),
                    S >= 0,
                ),
                (0, True),
            ),
        ),
        [],
        lambda x: (1 - 0.5 ** (math.floor(x) + 1)) ** 2 if x >= 0 else 0.0,
    ),
]


@pytest.mark.parametrize(
    ("mechanism", "at", "cdf"), [case[1:] for case in WHOLE], ids=[case[0] for case in WHOLE]
)
def test_a_whole_output_follows_its_distribution_function(
    mechanism: Mechanism, at: Any, cdf: Callable[[float], float]
) -> None:
    values = sample(mechanism, at, size=N, rng=11)
    assert values.dtype.kind == "i"
    follows(values, cdf)


def test_a_finite_output_has_its_probabilities() -> None:
    values = sample(
        find_entry("randomised-response").mechanism, 1, size=N, rng=3, parameters={"eps": "log(3)"}
    )
    fits(list(values.tolist()), {1: 3 / 4, 0: 1 / 4})


def test_labels_come_back_as_texts() -> None:
    M = Mechanism(
        Values(["yes", "no"]),
        outputs=[finite("s", ["yes", "no"])],
        density=piecewise((number("2/3"), Expression("==", (S, name("v")))), (number("1/3"), True)),
    )
    fits(list(sample(M, "no", size=N, rng=5)), {"no": 2 / 3, "yes": 1 / 3})
    assert sample(M, "no", rng=5) in ("yes", "no")


def test_several_finite_outputs_have_their_joint_law() -> None:
    r = finite("r", [0, 1], 2)
    law = exp(-Abs(name("r[1]") - name("r[2]"))) / (2 + 2 * exp(-1))
    values = sample(Mechanism(ONE_QUERY, outputs=r, density=law), [0], size=N, rng=2)
    e = math.exp(-1)
    fits(
        list(zip(*(values[k].tolist() for k in ("r[1]", "r[2]")), strict=True)),
        {(a, b): (e if a != b else 1) / (2 + 2 * e) for a in (0, 1) for b in (0, 1)},
    )


def test_independent_outputs_are_drawn_one_by_one() -> None:
    values = sample(
        find_entry("laplace-parallel").mechanism,
        [0, 1, 2, 3, 4],
        size=N,
        rng=4,
        parameters={"eps": 2},
    )
    for i in range(5):
        follows(values[f"s[{i + 1}]"], laplace(i, 0.5))
    assert abs(np.corrcoef(values["s[1]"], values["s[5]"])[0, 1]) < 5 / math.sqrt(N)


def test_a_later_output_may_depend_on_an_earlier_one() -> None:
    a, b = integer("a"), real("b")
    M = Mechanism(
        ONE_QUERY,
        outputs=[a, b],
        density=(1 - exp(-1))
        / (1 + exp(-1))
        * exp(-Abs(name("a") - Q))
        * exp(-Abs(name("b") - name("a")))
        / 2,
    )
    values = sample(M, [2], size=N, rng=6)
    follows(values["a"], geometric(2, math.exp(-1)))
    follows(values["b"] - values["a"], laplace(0, 1))


def test_atoms_are_drawn_beside_the_density() -> None:
    """A Laplace answer that is clamped to [0, 1]: both ends are atoms, and a draw of an atom is
    its number.
    """
    density = piecewise((exp(-Abs(S - number("1/4"))) / 2, (S > 0) & (S < 1)), (0, True))
    M = one(density, atoms={0: exp(number("-1/4")) / 2, 1: exp(number("-3/4")) / 2})
    values = sample(M, [0], size=N, rng=8)
    unclamped = laplace(0.25, 1)
    follows(values, lambda x: 0.0 if x < 0 else 1.0 if x >= 1 else unclamped(x))
    nothing = sample(
        one(piecewise((exp(-S) / 2, S >= 0), (0, True)), atoms={"NULL": number("1/2")}),
        [0],
        size=200,
        rng=9,
    )
    assert 60 < sum(v == "NULL" for v in nothing) < 140 and all(
        v == "NULL" or v >= 0 for v in nothing
    )


def test_universal_records_are_given_as_tables() -> None:
    M = find_entry("linear-query").mechanism
    assert {k for k, _ in M.inputs.unknowns} == {"eps", "alpha", "f"}  # type: ignore[union-attr]
    people = [{"eps": 1, "alpha": "1/2", "f": 2}, {"eps": oo, "alpha": 1, "f": -1}]
    follows(
        sample(M, people, size=N, rng=10, parameters={"l": -1, "h": 3}),
        laplace(-1 + 0.5 * 3 + 1 * 0, 4),
    )  # l + sum alpha (f - l), scale h - l


def test_the_same_seed_gives_the_same_draws() -> None:
    M = find_entry("laplace").mechanism
    first, again, other = (
        sample(M, [0], size=5, rng=seed, parameters={"eps": 1}).tolist() for seed in (1, 1, 2)
    )
    assert first == again != other
    assert (
        sample(M, [0], size=5, rng=np.random.default_rng(1), parameters={"eps": 1}).tolist()
        == first
    )
    assert isinstance(sample(M, [0], rng=1, parameters={"eps": 1}), float)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "parameters: there is no value for eps"),
        ({"eps": 1, "e": 1}, "parameters: the mechanism has no parameter e"),
        ({"eps": -1}, "sampling: the condition"),
        ({"eps": 0.5}, "exact"),
        ({"eps": "1 +"}, "eps"),
    ],
)
def test_parameters_are_asked_for_in_plain_words(given: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        sample(find_entry("laplace").mechanism, [0], size=3, parameters=given)


@pytest.mark.parametrize(
    ("mechanism", "at", "options", "said"),
    [
        (one(exp(-Abs(S - Q)) / 2), 3, {}, "dataset: 3 is not a list"),
        (one(exp(-Abs(S - Q)) / 2), [1, 2], {}, "number of query answers"),
        (one(exp(-Abs(S - Q)) / 2), [1], {"size": -1}, "size: -1 draws"),
        (one(exp(-Abs(S - Q)) / 2), [1], {"size": 2.5}, "size: 2.5 is not a number of draws"),
        (one(exp(-Abs(S - Q)) / 2), [1], {"rng": "seed"}, "rng: seed is not a seed"),
        (one(exp(-((S - Q) ** 2))), [1], {}, "no way to draw from this distribution was found"),
        (one(exp(-(floor(S) ** 2))), [1], {}, "no way to draw from this distribution was found"),
        (
            Mechanism(Values([0, 1]), outputs=[finite("s", [0, 1])], density=number("1/2")),
            2,
            {},
            "2 is not one of the mechanism's values",
        ),
        (
            Mechanism(
                W,
                outputs=[real("s")],
                density=exp(-Abs(S) * W.size) * W.size / 2,
                defined=W.size >= 1,
            ),
            [],
            {},
            "not defined",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_plain_words(
    mechanism: Mechanism, at: Any, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(NotWorkedOut if said.startswith("no way") else BadInput, match=said):
        sample(mechanism, at, **{"size": 3, **options})


def test_a_dataset_is_a_multiset_or_a_list() -> None:
    M = Mechanism(W, outputs=[integer("s")], density=indicator(Expression("==", (S, W.size))))
    record = ("a", log(number(2)))
    assert (
        sample(M, Multiset(W, [2]), size=3).tolist()
        == sample(M, [record, record], size=3).tolist()
        == [2, 2, 2]
    )


def test_without_numpy_one_sentence_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "import ahdp_verify as a\n"
        "M = a.Mechanism(a.Queries(1), outputs=[a.integer('s')], "
        "density=a.indicator(a.eq(a.name('s'), 0)))\n"
        "try:\n    a.sample(M, [0])\nexcept a.BadInput as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (
        done.stdout == "sampling: numpy is not installed; pip install 'ahdp-verify[sampling]'\n"
    ), done.stderr


def test_a_normaliser_that_mentions_an_earlier_output_alone_belongs_to_the_later_one() -> None:
    """b is 1 with probability 1/3, then s has scale 1 + b: by hand P(b = 1) = 1/3 and P(b = 1,
    |s| > 2) = exp(-1)/3; so too with an unbounded n before them.
    """
    n, b, s = real("n"), finite("b", [0, 1]), real("s")
    coin = piecewise((Fraction(1, 3), eq(name("b"), 1)), (Fraction(2, 3), True))
    noise = exp(-Abs(name("s") - name("n")) / (1 + name("b"))) / (2 * (1 + name("b")))
    W = Domain([(1, 1)])
    M = Mechanism(
        W,
        outputs=[n, b, s],
        density=exp(-Abs(n - W.size)) / 2 * coin * noise,
        name="scale by a coin",
    )
    drawn = sample(M, [(1, 1)], size=4_000, rng=7)
    far = abs(drawn["s"] - drawn["n"]) > 2
    for share, probability in (
        ((drawn["b"] == 1).mean(), 1 / 3),
        ((far & (drawn["b"] == 1)).mean(), math.exp(-1) / 3),
        ((far & (drawn["b"] == 0)).mean(), math.exp(-2) * 2 / 3),
    ):
        assert abs(share - probability) < 5 * math.sqrt(probability * (1 - probability) / 4_000)


def test_a_total_that_depends_on_an_unbounded_output_belongs_to_that_output() -> None:
    """By hand: n has the density (exp(-|n|) + exp(-2 |n|))/3, which mixes two Laplace
    distributions, and P(b = 1) is the integral of exp(-2 |n|)/3, 1/3.
    """
    n, b = real("n"), finite("b", [0, 1])
    W = Domain([(1, 1)])
    M = Mechanism(
        W,
        outputs=[n, b],
        density=exp(-Abs(n)) / 3 * piecewise((exp(-Abs(n)), eq(name("b"), 1)), (1, True)),
        name="tilted",
    )
    values = sample(M, [], size=N, rng=1)
    follows(values["n"], lambda x: laplace(0, 1)(x) * 2 / 3 + laplace(0, 0.5)(x) / 3)
    fits(list(values["b"].tolist()), {0: 2 / 3, 1: 1 / 3})


def test_a_scale_may_depend_on_an_unbounded_output() -> None:
    """s/(1 + |n|) is Laplace noise whatever n was."""
    n, s = real("n"), real("s")
    scale = 1 + Abs(name("n"))
    M = Mechanism(
        ONE_QUERY,
        outputs=[n, s],
        density=exp(-Abs(n - Q)) / 2 * exp(-Abs(s) / scale) / (2 * scale),
        name="scale by n",
    )
    values = sample(M, [1], size=N, rng=2)
    follows(values["n"], laplace(1, 1))
    follows(values["s"] / (1 + abs(values["n"])), laplace(0, 1))


@pytest.mark.parametrize(
    ("density", "total"), [(exp(-Abs(S - Q)), "2"), (exp(-Abs(S - Q)) / 4, "0.5")]
)
def test_a_density_of_another_total_is_not_a_distribution(density: Expression, total: str) -> None:
    with pytest.raises(NotWorkedOut, match=f"in floating point its total is {total}, not 1"):
        sample(one(density), [0], size=5)


def test_a_million_draws_are_made_at_once() -> None:
    assert len(sample(one(exp(-Abs(S - Q)) / 2), [0], size=1_000_000, rng=1)) == 1_000_000
