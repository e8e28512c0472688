"""`delta` returns the least delta at a level, exactly where possible, with evidence from both
sides.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.analysis.divergence.delta import LeastDelta, delta
from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.obligations import mechanism_context
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Abs,
    Expression,
    eq,
    exp,
    log,
    name,
    number,
    pi,
    piecewise,
    sqrt,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.simplify import is_same_value
from tests.sweeps import examples

PROOFS = Path(__file__).resolve().parents[3] / "proofs"
EMPTY = Context.empty()
x, s = name("x"), real("s")
W = Domain([(0, 1), (1, 1)])
NOISY = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(x))) / 2, name="noisy sum")
STORED = (
    "sum-without-noise",
    "bit-without-noise",
    "exact-size-swap-and-add-remove",
    "count-inverted-laplace-scale-eps-half",
    "sum-of-squares-lower-bound-0-no-noise-all-datasets",
    "sum-of-squares-lower-bound-0-no-noise",
    "sum-in-a-group-of-one-row",
    "one-sided-exponential-noise-sum-of-squares",
    "one-sided-exponential-noise-every-eps",
    "one-sided-exponential-noise-eps-log-2",
    "censored-geometric-equal-bounds-raw-input",
    "geometric-noise-lumped-at-distance-1",
    "rarity-threshold-with-uniform-noise",
    "laplace-threshold-one-user-every-eps-and-delta",
    "laplace-threshold-one-user",
    "geometric-noise-cut-off-at-1",
    "geometric-noise-cut-off-at-2",
    "geometric-noise-cut-off-at-1-every-ratio",
    "geometric-noise-cut-off-at-2-every-ratio",
    "thresholded-count-one-user",
)


def claims() -> list[tuple[str, Claim]]:
    """The claims of stored files whose delta is the least: those that are proved with one."""
    files = [(stem, load(PROOFS / f"public/{stem}.toml")) for stem in STORED]
    return [
        (stem, c)
        for stem, f in files
        for c, n in zip(f.claims, f.notes, strict=True)
        if c.delta != ZERO and n.expect == "proved"
    ]


def supported(found: LeastDelta) -> bool:
    """Both sides stand up to the checker again."""
    if found.proof is not None:
        check(found.proof.claim, found.proof.certificate)
    if found.refutation is not None:
        refute(found.refutation.claim, found.refutation.counterexample)
    return (found.proof is not None or found.high == ONE) and (
        found.refutation is not None or found.low == ZERO
    )


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("stem", "claim"), claims())
def test_the_delta_is_that_of_the_file(stem: str, claim: Claim) -> None:
    found = delta(claim.mechanism, claim.level, claim.relation, public=claim.public)
    assert found.exact and supported(found), str(found)
    assert is_same_value(found.low, claim.delta, mechanism_context(claim.mechanism)), stem


@pytest.mark.parametrize("level", ["0", "1/2", "1", "2"])
def test_laplace_noise_has_its_closed_form(level: str) -> None:
    """1 - exp(-(c - level)/2) for a shift c of scales, 0 from level c on."""
    found = delta(NOISY, level)
    wanted = 1 - exp(-(1 - number(level)) / 2) if Fraction(level) < 1 else ZERO
    assert found.exact and supported(found) and is_same_value(found.low, wanted, EMPTY)


def test_the_level_may_depend_on_the_record() -> None:
    assert delta(NOISY, lambda x, eps: eps * x).value == ZERO
    half = delta(NOISY, lambda x, eps: eps * x / 2)
    assert half.value is not None and is_same_value(half.value, 1 - exp(number("-1/4")), EMPTY)


def test_query_answers_move_by_one() -> None:
    M = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2)
    for relation in ("one", "all", "increasing", "decreasing"):
        found = delta(M, "1/2", relation)
        assert found.exact and is_same_value(found.low, 1 - exp(number("-1/4")), EMPTY)


# By hand: 1 - exp(-(1/b - 1/2)/2) for a shift of 1/b scales at level 1/2, while that is above 0;
# |2p - 1| for a response at level 0.
IN_CASES = [
    (
        Mechanism(
            W,
            outputs=[s],
            density=parse("exp(-abs(s - sum(x))/b)/(2*b)", "law"),
            parameters={"b": "b > 0"},
        ),
        "add-remove",
        "1/2",
        "b",
        {"1": "1 - exp(-1/4)", "4/3": "1 - exp(-1/8)", "2": "0", "3": "0"},
    ),
    (
        Mechanism(
            W,
            outputs=[s],
            density=parse("exp(-abs(s - sum(x)))/2", "law"),
            parameters={"t": "t >= 0"},
        ),
        "add-remove",
        "t",
        "t",
        {"0": "1 - exp(-1/2)", "1/2": "1 - exp(-1/4)", "1": "0", "5": "0"},
    ),
    (
        Mechanism(
            Values([0, 1]),
            outputs=[finite("r", [0, 1])],
            density=parse("piecewise((p, r == v), (1 - p, true))", "law"),
            parameters={"p": "0 < p < 1"},
        ),
        "any",
        "0",
        "p",
        {"1/4": "1/2", "1/2": "0", "3/4": "1/2", "9/10": "4/5"},
    ),
]


@pytest.mark.parametrize(("mechanism", "relation", "level", "name_", "values"), IN_CASES)
def test_the_delta_of_a_parameter_comes_in_cases(
    mechanism: Mechanism, relation: str, level: str, name_: str, values: dict[str, str]
) -> None:
    found = delta(mechanism, parse(level, "level"), relation)
    assert found.exact and supported(found) and found.value is not None
    for at, wanted in values.items():
        gap = normal(parse(f"({found.value}) - ({wanted})", "gap", {name_: number(at)}), EMPTY)
        assert gap.is_zero, at


def test_it_prints_as_one_sentence() -> None:
    assert (
        str(delta(NOISY, "1/2"))
        == "noisy sum: the least delta at level 1/2 (ahdp) is 1 - exp(-1/4) = 0.221199, exactly; add (1, 1)"
    )
    assert delta(NOISY, "1/2").decimals == ("0.221199", "0.221199")


RATIOS = st.fractions(Fraction(1, 5), Fraction(4, 5), max_denominator=5)


@settings(max_examples=examples(12, 6), deadline=None)
@given(RATIOS, st.integers(1, 3), st.fractions(Fraction(1), Fraction(6), max_denominator=3))
def test_brute_force_agrees_on_geometric_noise(a: Fraction, shift: int, factor: Fraction) -> None:
    """At the level log(factor): max(0, p - factor p') summed over 400 whole numbers; what lies
    beyond is below 10^-30.
    """
    law = number((1 - a) / (1 + a)) * number(a) ** Abs(integer("k") - name("v"))
    found = delta(
        Mechanism(Values([0, shift]), outputs=[integer("k")], density=law),
        log(number(factor)),
        "any",
    )
    wanted = sum(
        max(Fraction(0), probability(a, k) - factor * probability(a, k - shift))
        for k in range(-200, 200)
    )
    assert found.value is not None and supported(found)
    value = normal(found.value, EMPTY)
    assert value.as_rational is not None and abs(value.as_rational - wanted) < Fraction(1, 10**15)


def probability(a: Fraction, k: int) -> Fraction:
    return (1 - a) / (1 + a) * a ** abs(k)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("stem", "level", "wanted"),
    [
        ("field/geometric-size", "eps/2", "(1 - exp(-eps/2))/(1 + exp(-eps))"),
        ("field/geometric-size", "0", "(1 - exp(-eps))/(1 + exp(-eps))"),
        ("public/rounded-laplace-count-every-eps", "eps/2", "(1 - exp(-eps/2))/2"),
        ("public/staircase-count-eps-log-2", "1/2", "(2 - exp(1/2))/3"),
        ("field/geometric-sum-ratio-half", "1", "(4 - exp(1))/6"),
    ],
)
def test_delta_of_whole_numbers_and_stairs(stem: str, level: str, wanted: str) -> None:
    """By hand: where p > exp(level) p', p is one flat or geometric tail, whose sum is (1 -
    exp(level - eps)) times its mass.
    """
    M = load(PROOFS / f"{stem}.toml").claims[0].mechanism
    found = delta(M, parse(level), "add-remove")
    assert (
        found.exact
        and supported(found)
        and is_same_value(found.low, parse(wanted), mechanism_context(M))
    ), str(found)


def test_two_answers_that_all_move_are_exact() -> None:
    """Both move by 1: 0.24184, by a sum over a grid of 15,500 x 15,500 points."""
    t = real("t", 2)
    two = Mechanism(
        Queries(2),
        outputs=t,
        density=exp(-Abs(t[0] - name("q[1]"))) * exp(-Abs(t[1] - name("q[2]"))) / 4,
    )
    found = delta(two, 1, "all", Limits(seconds=20))
    assert is_same_value(found.low, parse("1 - 5/4*exp(-1/2)"), mechanism_context(two))
    assert delta(two, 2, "all").value == ZERO


def test_what_is_not_found_is_enclosed_with_a_reason() -> None:
    """The part of one output that counts depends on the other, by noise of two different kinds, so
    its integral does not have a closed form.
    """
    t = real("t", 2)
    law = exp(-((t[0] - name("v")) ** 2) / 2) * exp(-Abs(t[1] - name("v"))) / sqrt(8 * pi)
    two = Mechanism(Values([0, 1]), outputs=t, density=law)
    found = delta(two, 1, "any", Limits(seconds=5))
    assert (found.low, found.high, found.exact) == (ZERO, ONE, False)
    assert found.reason and "(any) was not found; " in str(found)


def test_bad_input_is_refused() -> None:
    with pytest.raises(BadInput, match="the total is 2, not 1"):
        delta(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(x)))), 1)
    with pytest.raises(BadInput, match="float"):
        delta(NOISY, 0.5)  # type: ignore[arg-type]


def laws(size: int) -> st.SearchStrategy[tuple[Fraction, ...]]:
    return (
        st.lists(st.integers(0, 4), min_size=size, max_size=size)
        .filter(any)
        .map(lambda w: tuple(Fraction(i, sum(w)) for i in w))
    )


@settings(max_examples=examples(25, 8))
@given(st.lists(laws(3), min_size=2, max_size=3), st.sampled_from([1, 2, 3]))
def test_brute_force_agrees_on_finite_laws(table: list[tuple[Fraction, ...]], factor: int) -> None:
    v, r = name("v"), finite("r", [0, 1, 2])
    cases: list[tuple[Fraction, Expression]] = [
        (p, eq(v, i) & eq(r, j)) for i, law in enumerate(table) for j, p in enumerate(law)
    ]
    found = delta(
        Mechanism(
            Values(range(len(table))),
            outputs=[r],
            density=piecewise(*cases[:-1], (cases[-1][0], True)),
        ),
        log(factor),
        "any",
    )
    wanted = max(
        sum(max(Fraction(0), q - factor * p) for p, q in zip(a, b, strict=True))
        for a in table
        for b in table
    )
    assert found.exact and supported(found)
    assert (normal(found.low, EMPTY) - constant(wanted)).is_zero
