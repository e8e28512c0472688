"""The power against one mechanism, against enumerations that do not use the package: all
deterministic tests, mixed by Z3, for finite outputs; closed forms for Laplace and geometric noise,
computed beside them.
"""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import z3

from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Mechanism,
    Proved,
    Queries,
    Values,
    best_power,
    explain,
    extra_records,
    finite,
    integer,
    power,
    real,
    recheck,
)
from ahdp_verify.analysis.power import known_record, these
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    eq,
    exp,
    label,
    log,
    name,
    number,
    piecewise,
)
from ahdp_verify.plots import float_value as value_near
from tests.minmax import demand, domain, exact, rational
from tests.sweeps import swept

F = Fraction


def game(laws: list[list[Fraction]], labels: list[int]) -> Fraction:
    """The value of the game in which one player mixes deterministic tests and the other one
    chooses an input.
    """
    answers = sorted(set(labels))
    tests = list(itertools.product(answers, repeat=len(laws[0])))
    mix, value, solver = [z3.Real(f"m{i}") for i in range(len(tests))], z3.Real("v"), z3.Optimize()
    solver.add(z3.Sum(mix) == 1, *(m >= 0 for m in mix))
    for law, u in zip(laws, labels, strict=True):
        solver.add(
            value
            <= z3.Sum(
                [
                    m
                    * rational(
                        sum((p for p, answer in zip(law, test, strict=True) if answer == u), F(0))
                    )
                    for m, test in zip(mix, tests, strict=True)
                ]
            )
        )
    goal = solver.maximize(value)
    assert solver.check() == z3.sat
    return F(str(solver.upper(goal)))


def table(laws: list[list[Fraction]]) -> Mechanism:
    """A local mechanism with these laws, input by input."""
    v, s = name("v"), name("s")
    rows = [
        piecewise(*((number(p), eq(s, o)) for o, p in enumerate(law[:-1])), (number(law[-1]), TRUE))
        if len(law) > 1
        else number(law[0])
        for law in laws
    ]
    density = piecewise(*((row, eq(v, i)) for i, row in enumerate(rows[:-1])), (rows[-1], TRUE))
    return Mechanism(
        Values(range(len(laws))),
        outputs=[finite("s", range(len(laws[0])))],
        density=density,
        name="table",
    )


def random_laws(rng: random.Random, inputs: int, outputs: int, least: int) -> list[list[Fraction]]:
    weights = [[rng.randint(least, 5) for _ in range(outputs)] for _ in range(inputs)]
    for row in weights:
        row[rng.randrange(outputs)] += 1
    return [[F(w, sum(row)) for w in row] for row in weights]


@pytest.mark.parametrize("seed", swept(range(12), 4))
def test_random_finite_mechanisms(seed: int) -> None:
    rng = random.Random(seed)
    laws = random_laws(rng, rng.choice([2, 3]), rng.choice([2, 3, 4]), seed % 2)
    found = power(table(laws), list(range(len(laws))))
    assert isinstance(found.verdict, Proved) and found.exact
    assert exact(found.value) == game(laws, list(range(len(laws))))


@pytest.mark.parametrize("seed", swept(range(6), 2))
def test_labels_that_inputs_share(seed: int) -> None:
    rng = random.Random(100 + seed)
    laws, labels = random_laws(rng, 4, 3, 0), [0, 1, 0, 1]
    found = power(table(laws), range(4), labels=["even", "odd", "even", "odd"])
    assert exact(found.value) == game(laws, labels)


@pytest.mark.parametrize("seed", range(3))
def test_the_test_and_the_prior_are_what_they_say(seed: int) -> None:
    """The test attains the value at every input, and no deterministic test exceeds it under the
    prior: both by sums over the table.
    """
    laws = random_laws(random.Random(200 + seed), 3, 3, 1)
    found = power(table(laws), range(3))
    test = [[exact(x) for x in row] for row in found.test]
    value, prior = exact(found.value), [exact(w) for w in found.weights]
    assert (
        min(sum(p * row[h] for p, row in zip(law, test, strict=True)) for h, law in enumerate(laws))
        == value
    )
    assert sum(prior) == 1 and min(prior) >= 0
    assert (
        sum(max(w * law[o] for w, law in zip(prior, laws, strict=True)) for o in range(3)) == value
    )
    assert (
        set(found.strategy) == {"s = 0", "s = 1", "s = 2"}
        and list(map(exact, found.prior.values())) == prior
    )


def test_several_finite_outputs() -> None:
    """Two independent coins of probability 3/4 that repeat the input: agreeing coins decide, the
    others say nothing, so 9/16 + 1/2 * 6/16 = 3/4.
    """
    v = name("v")
    coin = [piecewise(("3/4", eq(name(f"r[{i}]"), v)), ("1/4", TRUE)) for i in (1, 2)]
    M = Mechanism(Values(["a", "b"]), outputs=finite("r", ["a", "b"], 2), density=coin[0] * coin[1])
    assert exact(power(M, ["a", "b"]).value) == F(3, 4)


def test_randomised_response_with_eps() -> None:
    """k-ary randomised response at level 1: e/(e + 2), an exponential and not a rational number."""
    v, r, e = name("v"), name("r"), exp(number(1))
    M = Mechanism(
        Values(["a", "b", "c"]),
        outputs=[finite("r", ["a", "b", "c"])],
        density=piecewise((e, eq(r, v)), (1, TRUE)) / (e + 2),
    )
    found = power(M, ["a", "b", "c"])
    assert found.exact and abs(value_near(found.value) - math.e / (math.e + 2)) < 1e-12


def test_parameters_are_put_in() -> None:
    p = name("p")
    M = Mechanism(
        Values(["a", "b"]),
        outputs=[finite("r", ["a", "b"])],
        density=piecewise((p, eq(name("r"), name("v"))), (1 - p, TRUE)),
        parameters={"p": "1/2 <= p <= 1"},
    )
    assert exact(power(M, ["a", "b"], {"p": "4/5"}).value) == F(4, 5)
    for wrong in ({}, {"p": "1/4"}, {"p": "4/5", "z": 1}, {"p": 0.8}):
        with pytest.raises(BadInput):
            power(M, ["a", "b"], wrong)


# the best mechanism concedes what the best power says


@pytest.mark.parametrize(("qs", "t"), [(("1/2",), 3), (("1/2", "1/3"), 2), (("1/2", "1/2"), 2)])
def test_against_the_best_mechanism(qs: tuple[str, ...], t: int) -> None:
    found = best_power(domain(*qs), extra_records(t))
    assert exact(power(found.mechanism, extra_records(t)).value) == exact(found.value)


# noise on counts


def geometric(q: str) -> Mechanism:
    W, s = domain(q), name("s")
    return Mechanism(
        W,
        outputs=[integer("s")],
        density=(1 - number(q)) / (1 + number(q)) * Expression("^", (number(q), Abs(s - W.size))),
        name="geometric count",
    )


@pytest.mark.parametrize(("q", "t"), [("1/2", 1), ("1/2", 2), ("1/3", 3), ("9/10", 2)])
def test_geometric_noise(q: str, t: int) -> None:
    """Outputs below 0 tell what 0 tells and those above t what t tells; the rest is a finite
    table.
    """
    x = F(q)
    law = [
        [
            (1 - x) / (1 + x) * x ** abs(s - n) if 0 < s < t else x ** abs(s - n) / (1 + x)
            for s in range(t + 1)
        ]
        for n in range(t + 1)
    ]
    assert all(sum(row) == 1 for row in law)
    found = power(geometric(q), extra_records(t))
    assert found.exact and exact(found.value) == game(law, list(range(t + 1)))
    assert exact(found.value) <= exact(best_power(domain(q), extra_records(t)).value)
    assert t > 1 or exact(found.value) == 1 / (1 + x)  # claim:4


def laplace(scale: object = 1) -> Mechanism:
    W, s, b = Domain([(1, 1)]), real("s"), number(scale)
    return Mechanism(
        W, outputs=[s], density=exp(-Abs(s - W.size) / b) / (2 * b), name="noisy count"
    )


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("scale", "t", "expected"),
    [
        (1, 1, 1 - math.exp(-0.5) / 2),
        (3, 1, 1 - math.exp(-1 / 6) / 2),
        # thresholds a, 2 - a: a 0 is told from a 1 if 1 - exp(-a)/2 = P(a <= s < 2 - a | 1) = 1 -
        # exp(a - 1), so exp(-a)/2 = exp(a - 1) and a = (1 - log 2)/2
        (1, 2, 1 - math.exp(-(1 - math.log(2)) / 2) / 2),
    ],
)
def test_laplace_noise(scale: object, t: int, expected: float) -> None:
    found = power(laplace(scale), extra_records(t))
    low, high = exact(found.low), exact(found.high)
    assert (
        isinstance(found.verdict, Proved)
        and float(low) - 1e-9 <= expected <= float(high) + 1e-9
        and high - low <= F(1, 10**6)
    )
    assert not found.exact
    with pytest.raises(NotWorkedOut, match="only known to lie between"):
        _ = found.value


def test_laplace_noise_on_two_counts_is_not_decided() -> None:
    W, s, t = Domain([("a", 1), ("b", 1)]), real("s"), real("t")
    M = Mechanism(
        W, outputs=[s, t], density=exp(-Abs(s - W.count(("a", 1))) - Abs(t - W.count(("b", 1)))) / 4
    )
    with pytest.raises(NotWorkedOut, match="several outputs"):
        power(M, extra_records(1))


def test_an_atom_beside_a_density() -> None:
    """Half of the time the input itself, as a point of its own: 1/2 + 1/2 * 1/2."""
    v, s = name("v"), real("s")
    atoms = {
        label("A"): piecewise(("1/2", eq(v, label("a"))), (0, TRUE)),
        label("B"): piecewise((0, eq(v, label("a"))), ("1/2", TRUE)),
    }
    found = power(
        Mechanism(Values(["a", "b"]), outputs=[s], density=exp(-Abs(s)) / 4, atoms=atoms),
        ["a", "b"],
    )
    assert value_near(found.low) == pytest.approx(0.75, abs=1e-7) and exact(found.low) <= F(
        3, 4
    ) <= exact(found.high)


def test_query_answers_are_inputs() -> None:
    """One answer of three that moves by 1, with noise of scale 1: as for one record."""
    M = Mechanism(Queries(2), outputs=[real("s")], density=exp(-Abs(name("s") - name("q[1]"))) / 2)
    found = power(M, [[0, 5], [1, 5]])
    assert value_near(found.low) == pytest.approx(1 - math.exp(-0.5) / 2, abs=1e-6)


def test_equal_laws_tell_nothing() -> None:
    M = Mechanism(Queries(2), outputs=[real("s")], density=exp(-Abs(name("s"))) / 2)
    assert value_near(power(M, [[0, 0], [1, 1], [2, 2]]).high) == pytest.approx(1 / 3, abs=1e-6)


def test_save_recheck_and_explain(tmp_path: Path) -> None:
    for i, found in enumerate(
        (
            power(table(random_laws(random.Random(1), 3, 3, 1)), range(3)),
            power(laplace(), known_record((1, 1))),
            power(geometric("1/2"), extra_records(2)),
        )
    ):
        found.save(tmp_path / f"{i}.json")
        assert recheck(tmp_path / f"{i}.json", trust="kernel") == found.verdict
        text = str(explain(tmp_path / f"{i}.json"))
        assert f"at least {found.low}" in text and f"at most {found.high}" in text


@pytest.mark.parametrize(
    ("hypotheses", "reason"),
    [
        ([], "there is none"),
        ([[0]], "there is one"),
        ([[0], [0]], "have the same label"),
        ([[0], [-1]], ""),
        ([[0], [0, 1]], ""),
        ([[0], [0.5]], ""),
        ([[0], ["x"]], ""),
        (these([[0], [0]]), "listed twice"),
    ],
)
def test_questions_that_are_none(hypotheses: Any, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        power(laplace(), hypotheses)
    assert reason in str(caught.value)


def test_too_many_hypotheses_are_not_worked_out() -> None:
    with pytest.raises(NotWorkedOut, match="at most 30 are handled"):
        power(laplace(), extra_records(100))


def test_mechanisms_that_are_none() -> None:
    flip = Mechanism(Values(["a", "b"]), outputs=[finite("r", ["a", "b"])], density="1/3")
    with pytest.raises(NotWorkedOut, match="not shown to have total 1"):
        power(flip, ["a", "b"])
    with pytest.raises(BadInput, match="not a dataset"):
        power(flip, extra_records(1))
    universal = Domain.universal({"x": "0 <= x <= 1"})
    with pytest.raises(BadInput):
        power(
            Mechanism(universal, outputs=[real("s")], density=exp(-Abs(name("s"))) / 2),
            extra_records(1),
        )
    heavy = Mechanism(
        Domain([("a", 1)]), outputs=[real("s")], density=1 / (1 + name("s") ** 2) / number("22/7")
    )
    with pytest.raises(NotWorkedOut, match="a sum of exponentials on each piece"):
        power(heavy, known_record(("a", 1)))
    small = Mechanism(
        Domain([("a", demand("1/2"))]),
        outputs=[finite("s", [0, 1])],
        density="1/2",
        defined="size <= 1",
    )
    with pytest.raises(BadInput, match="not defined"):
        power(small, extra_records(2))


def test_labels_have_to_fit() -> None:
    with pytest.raises(BadInput, match="one label for each input"):
        power(laplace(), [[0], [1]], labels=["a"])
    assert log(number(1)).head == "log"
