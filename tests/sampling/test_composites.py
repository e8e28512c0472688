"""Samples of composites are compared with distributions that are worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import assume
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Max,
    eq,
    exp,
    label,
    log,
    name,
    number,
    oo,
    piecewise,
)
from ahdp_verify.sampling.sample import sample
from ahdp_verify.search.compose import (
    compose,
    group,
    mixture,
    normalised,
    post_process,
    product,
    pull_back,
    subsample,
)
from tests.sampling.test_sample import ONE_QUERY, N, Q, S, fits, follows, geometric, laplace, np

P = Domain([("a", 1), ("b", 2), ("c", oo)])
PEOPLE = [("a", 1)] * 3 + [("b", 2)] * 2 + [("c", oo)]
COUNT = Mechanism(P, outputs=[real("n")], density=exp(-Abs(name("n") - P.size)) / 2, name="count")
GEOMETRIC = Mechanism(
    P,
    outputs=[integer("k")],
    density=(1 - exp(-1)) / (1 + exp(-1)) * exp(-Abs(name("k") - P.size)),
    name="geometric",
)
COIN = Mechanism(
    P,
    outputs=[finite("b", [0, 1])],
    density=piecewise((Fraction(1, 4), eq(name("b"), 1)), (Fraction(3, 4), True)),
    name="coin",
)


def claimed(M: Mechanism) -> Claim:
    return Claim(M, "ahdp", number(1))


def two_laplace(x: float) -> float:
    """The distribution function of the sum of two independent Laplace noises of scale 1: 1 - (2
    + x) exp(-x)/4 for x >= 0.
    """
    return 1 - (2 + x) * math.exp(-x) / 4 if x >= 0 else (2 - x) * math.exp(x) / 4


def kept(probabilities: list[float]) -> list[float]:
    """The probabilities that 0, 1, 2, ... of independent records are kept."""
    found = [1.0]
    for p in probabilities:
        found = [
            (found[i] if i < len(found) else 0) * (1 - p) + (found[i - 1] if i else 0) * p
            for i in range(len(found) + 1)
        ]
    return found


def test_a_part_reads_what_an_earlier_one_released() -> None:
    more = Mechanism(
        P,
        outputs=[real("t")],
        density=exp(-Abs(name("t") - name("n"))) / 2,
        parameters={"n": ""},
        name="more",
    )
    values = sample(compose(claimed(COUNT), claimed(more)).mechanism, PEOPLE, size=N, rng=1)
    follows(values["n"], laplace(6, 1))
    follows(values["t"] - values["n"], laplace(0, 1))
    follows(values["t"] - 6, two_laplace)


def test_a_part_says_whether_a_bound_was_passed() -> None:
    """The second output is a function of the first, and the third has another scale on either
    side.
    """
    passed = (1, eq(name("b"), 1) & (name("n") >= 7)), (1, eq(name("b"), 0) & (name("n") < 7))
    second = Mechanism(
        P,
        outputs=[finite("b", [0, 1])],
        density=piecewise(*passed, (0, True)),
        parameters={"n": ""},
        name="passed",
    )
    third = Mechanism(
        P,
        outputs=[real("t")],
        density=exp(-Abs(name("t")) / (1 + name("b"))) / (2 * (1 + name("b"))),
        parameters={"b": ""},
        name="third",
    )
    values = sample(compose(*map(claimed, (COUNT, second, third))).mechanism, PEOPLE, size=N, rng=1)
    assert (values["b"] == (values["n"] >= 7)).all()
    fits(values["b"].tolist(), {1: math.exp(-1) / 2, 0: 1 - math.exp(-1) / 2})
    for b in (0, 1):
        follows(values["t"][values["b"] == b], laplace(0, 1 + b))


def test_a_part_reads_a_whole_output() -> None:
    noise = (1 - exp(-2)) / (1 + exp(-2)) * exp(-2 * Abs(name("j") - 3 * name("k")))
    more = Mechanism(P, outputs=[integer("j")], density=noise, parameters={"k": ""}, name="more")
    values = sample(compose(claimed(GEOMETRIC), claimed(more)).mechanism, PEOPLE, size=N, rng=2)
    follows(values["k"], geometric(6, math.exp(-1)))
    follows(values["j"] - 3 * values["k"], geometric(0, math.exp(-2)))


def test_formulas_in_what_a_part_released() -> None:
    found = sample(
        post_process(
            claimed(COUNT), {"double": 2 * name("n") + 1, "positive": Max(0, name("n") - 6)}
        ).mechanism,
        PEOPLE,
        size=N,
        rng=3,
    )
    follows(found["double"], laplace(13, 2))
    follows(found["positive"], lambda x: laplace(0, 1)(x) if x >= 0 else 0.0)


def test_a_kernel_reads_what_a_part_released() -> None:
    kernel = Mechanism(
        P,
        outputs=[real("t")],
        density=exp(-Abs(name("t")) / (1 + name("b"))) / (2 * (1 + name("b"))),
        parameters={"b": ""},
        name="kernel",
    )
    values = sample(post_process(claimed(COIN), claimed(kernel)).mechanism, PEOPLE, size=N, rng=4)
    follows(values, lambda x: laplace(0, 1)(x) * 3 / 4 + laplace(0, 2)(x) / 4)


def test_a_label_passes_through_a_formula() -> None:
    """With probability 1/2 nothing is said, else an exponential time is."""
    silent = Mechanism(
        P,
        outputs=[real("y")],
        density=piecewise((exp(-name("y")) / 2, name("y") >= 0), (0, True)),
        atoms={"nothing": number("1/2")},
        name="silent",
    )
    shown = piecewise((-1, eq(name("y"), label("nothing"))), (3 * name("y"), True))
    values = sample(
        post_process(claimed(silent), {"z": shown}).mechanism, PEOPLE, size=N, rng=5
    ).astype(float)
    follows(values, lambda x: 0.0 if x < -1 else 1 / 2 + (1 - math.exp(-max(x, 0) / 3)) / 2)


def test_a_sample_of_the_records_is_taken_first() -> None:
    """Records of demand e are kept with probability 1 - exp(-e), 1 at demand oo: the size of
    what is kept is a sum of coins, computed here.
    """
    probabilities = kept([1 - math.exp(-1)] * 3 + [1 - math.exp(-2)] * 2 + [1.0])
    for base, law, key in (
        (COUNT, lambda k: laplace(k, 1), "n"),
        (GEOMETRIC, lambda k: geometric(k, math.exp(-1)), "k"),
    ):
        M = subsample(claimed(base), lambda x, eps: 1 - exp(-eps)).mechanism
        assert [o.name for o in M.outputs] == [key]
        follows(
            sample(M, PEOPLE, size=N, rng=6),
            lambda x, law=law: sum(p * law(k)(x) for k, p in enumerate(probabilities)),
        )


def test_a_sample_of_records_that_are_not_listed() -> None:
    """The sum of f over three records of which each is kept with probability p: 1 with 1/2, 2
    with 1/4, 4 with 1.
    """
    U = Domain.universal({"f": "0 <= f <= 4", "p": "0 <= p <= 1"})
    base = Mechanism(
        U, outputs=[real("s")], density=exp(-Abs(S - U.sum(name("f"))) / 4) / 8, name="sum"
    )
    people = [
        {"f": 1, "p": "1/2", "eps": 1},
        {"f": 2, "p": "1/4", "eps": 0},
        {"f": 4, "p": 1, "eps": oo},
    ]
    values = sample(
        subsample(
            Claim(base, "add-remove", number(1)), name("p"), level=lambda x, eps: number(1)
        ).mechanism,
        people,
        size=N,
        rng=7,
    )
    follows(
        values,
        lambda x: (
            3 / 8 * laplace(4, 4)(x)
            + 3 / 8 * laplace(5, 4)(x)
            + 1 / 8 * laplace(6, 4)(x)
            + 1 / 8 * laplace(7, 4)(x)
        ),
    )


def test_the_largest_of_a_sample() -> None:
    """Values 1 and 3, each kept with probability 1/2, beside one of 0 that is always kept: the
    largest is 3, 1, 0 with probability 1/2, 1/4, 1/4.
    """
    V = Domain([(0, oo), (1, log(number(2))), (3, log(number(2)))])
    largest = Mechanism(
        V, outputs=[real("s")], density=exp(-Abs(S - V.max(name("x"))) * 5) * 5 / 2, name="largest"
    )
    M = subsample(Claim(largest, "ahdp", oo), lambda x, eps: 1 - exp(-eps), level=oo).mechanism
    follows(
        sample(M, [1, 1, 1], size=N, rng=8),
        lambda x: laplace(3, 0.2)(x) / 2 + laplace(1, 0.2)(x) / 4 + laplace(0, 0.2)(x) / 4,
    )
    with pytest.raises(BadInput, match="undefined where no record is kept"):
        sample(M, [0, 1, 1], size=N, rng=8)


def test_a_part_is_chosen_with_its_probability() -> None:
    shifted = Mechanism(
        P, outputs=[real("n")], density=exp(-Abs(name("n") + 4) * 2), name="shifted"
    )
    values = sample(
        mixture(("1/3", claimed(COUNT)), ("2/3", claimed(shifted))).mechanism, PEOPLE, size=N, rng=9
    )
    follows(values, lambda x: laplace(6, 1)(x) / 3 + laplace(-4, 0.5)(x) * 2 / 3)


def test_records_become_other_records() -> None:
    """x is an age in months, the part counts years: 3 + 2 * 5 = 13."""
    years, months = Domain([(3, 1), (5, 1)]), Domain([(36, 1), (60, 1)])
    part = Mechanism(
        years, outputs=[real("s")], density=exp(-Abs(S - years.sum(name("x")))) / 2, name="years"
    )
    M = pull_back(Claim(part, "ahdp", number(5)), months, {"x": name("x") / 12}).mechanism
    follows(sample(M, [1, 2], size=N, rng=10), laplace(13, 1))
    follows(sample(group(claimed(COUNT)).mechanism, PEOPLE, size=N, rng=10), laplace(6, 1))


def test_outputs_by_their_score() -> None:
    b = finite("b", ["few", "many"])
    score = piecewise((P.size, eq(name("b"), label("many"))), (5, True))
    e = math.e
    fits(
        list(sample(normalised(P, [b], score, 0, 1).mechanism, PEOPLE, size=N, rng=11)),
        {"many": e / (1 + e), "few": 1 / (1 + e)},
    )


def test_a_sample_of_a_chain_has_the_same_sample_in_both_parts() -> None:
    """One record, kept with probability 1/2: then both parts see it. With very little noise both
    answers are 1, or both are 0.
    """
    one_record = Domain([("a", log(number(2)))])
    parts = [
        Mechanism(
            one_record,
            outputs=[real(k)],
            density=exp(-50 * Abs(name(k) - one_record.size)) * 25,
            name=k,
        )
        for k in ("u", "v")
    ]
    M = subsample(product(*(Claim(m, "ahdp", number(50)) for m in parts)), "1/2").mechanism
    values = sample(M, [1], size=N, rng=12)
    low = {k: laplace(k, 0.02)(0.5) for k in (0, 1)}
    both = {k: {False: low[k], True: 1 - low[k]} for k in (0, 1)}
    probabilities = {
        (a, b): (both[0][a] * both[0][b] + both[1][a] * both[1][b]) / 2
        for a in (False, True)
        for b in (False, True)
    }
    fits(
        list(zip((values["u"] > 0.5).tolist(), (values["v"] > 0.5).tolist(), strict=True)),
        probabilities,
    )


def test_parameters_of_a_part_are_given_by_name() -> None:
    M = Mechanism(
        P,
        outputs=[real("s")],
        density=exp(-Abs(S - P.size) / name("b")) / (2 * name("b")),
        parameters={"b": "b > 0"},
        name="scaled",
    )
    whole = product(claimed(COUNT), Claim(M, "ahdp", 1 / name("b"))).mechanism
    follows(sample(whole, PEOPLE, size=N, rng=13, parameters={"b": "1/4"})["s"], laplace(6, 0.25))
    with pytest.raises(BadInput, match="there is no value for b"):
        sample(whole, PEOPLE, size=3)
    with pytest.raises(BadInput, match="the condition 0 < 0 does not hold"):
        sample(whole, PEOPLE, size=3, parameters={"b": 0})


def test_any_mechanism_of_a_kind_is_not_run() -> None:
    whole = compose(assume(P, "ahdp", 1, text="A"), claimed(COUNT)).mechanism
    with pytest.raises(BadInput, match="A: it is an assumed mechanism, so there is nothing to run"):
        sample(whole, PEOPLE, size=3)


def test_the_same_seed_gives_the_same_draws_of_a_composite() -> None:
    M = subsample(claimed(COUNT), "1/2").mechanism
    first, again, other = (sample(M, PEOPLE, size=5, rng=seed).tolist() for seed in (1, 1, 2))
    assert first == again != other
    assert isinstance(sample(M, PEOPLE, rng=1), float)


def test_labels_and_numbers_are_mixed() -> None:
    """The values of a finite output keep their kinds, whole, fractional and text, also beside an
    output that reads which of them it was.
    """
    s, t = finite("s", ["none", 1, "5/2"]), real("t")
    law = piecewise(
        (Fraction(1, 2), eq(S, label("none"))), (Fraction(1, 3), eq(S, 1)), (Fraction(1, 6), True)
    )
    noise = piecewise(
        (exp(-Abs(name("t"))) / 2, eq(S, label("none"))), (exp(-2 * Abs(name("t") - 5)), True)
    )
    alone, both = (
        Mechanism(ONE_QUERY, outputs=[s], density=law),
        Mechanism(ONE_QUERY, outputs=[s, t], density=law * noise),
    )
    fits(sample(alone, [0], size=N, rng=1).tolist(), {"none": 1 / 2, 1: 1 / 3, 2.5: 1 / 6})
    found = sample(both, [0], size=N, rng=1)
    fits(found["s"].tolist(), {"none": 1 / 2, 1: 1 / 3, 2.5: 1 / 6})
    follows(found["t"][found["s"] == "none"], laplace(0, 1))
    follows(found["t"][found["s"] != "none"], laplace(5, 0.5))


def test_no_draws_have_the_form_of_draws() -> None:
    """For every kind of law: a dict of empty columns, and a seed that is not used up."""
    rng = np.random.default_rng(1)
    for M, at in (
        (COUNT, PEOPLE),
        (compose(claimed(COUNT), claimed(GEOMETRIC)).mechanism, PEOPLE),
        (subsample(claimed(COUNT), "1/2").mechanism, PEOPLE),
    ):
        found = sample(M, at, size=0, rng=rng)
        assert all(
            len(column) == 0 for column in (found.values() if isinstance(found, dict) else [found])
        )
    assert rng.random() == np.random.default_rng(1).random()


def test_a_million_draws_of_which_the_second_depends_on_the_first() -> None:
    """However many different values the first output has."""
    n, s = real("n"), real("s")
    M = Mechanism(
        ONE_QUERY, outputs=[n, s], density=exp(-Abs(n - Q)) / 2 * exp(-Abs(s - n)) / 2, name="twice"
    )
    values = sample(M, [0], size=1_000_000, rng=1)
    follows(values["s"][:N], two_laplace)
