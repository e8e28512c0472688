"""Laws of one output as single exponentials, against 60 digits at many places."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.exhaustive.one_output import (
    PiecewiseLaw,
    hockey_stick_divergence,
    is_dominated,
    largest_ratio,
    piecewise_law,
)
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.numbers.algebra import constant, log_of
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    Min,
    exp,
    floor,
    log,
    name,
    number,
    piecewise,
)
from tests import oracle
from tests.sweeps import examples

S = name("s")


def laplace(centre: object, rate: object) -> Expression:
    return exp(-number(rate) * Abs(S - centre))


LAWS = (
    laplace(0, 1),
    laplace(1, 1),
    laplace(Fraction(3, 2), 1),
    laplace(0, Fraction(1, 2)),
    laplace(log(2), 1),
    laplace(0, 1) * 3,
    exp(-Abs(Min(2, Max(S, -1)) - 1) - Abs(S)),
    piecewise((exp(-S), S >= 1), (0, True)),
    piecewise((exp(-S), (S >= 0) & (S < 3)), (exp(S) / 2, S < 0), (exp(-2 * S), True)),
    piecewise((2, (S >= -1) & (S <= 2)), (laplace(0, 1), True)),
)


def places(kind: str) -> list[Fraction]:
    """Where laws are compared: for real outputs beside, not at, all points of the laws that are
    listed, and far out.
    """
    if kind == "integer":
        return [Fraction(n) for n in range(-24, 25)]
    near = [
        Fraction(n, 2) + d for n in range(-6, 9) for d in (Fraction(1, 10**9), Fraction(-1, 10**9))
    ]
    return [
        *near,
        *(Fraction(n, 7) for n in range(-100, 100)),
        Fraction(-24),
        Fraction(24),
        Fraction(693147180, 10**9),
        Fraction(693147181, 10**9),
    ]


@settings(max_examples=examples(80, 8), deadline=None)
@given(
    st.sampled_from(LAWS),
    st.sampled_from(LAWS),
    st.sampled_from(["real", "integer"]),
    st.sampled_from([Fraction(0), Fraction(1), Fraction(2), Fraction(1, 3)]),
    st.sampled_from([Fraction(0), Fraction(1, 100), Fraction(-1, 100)]),
)
def test_laws_are_compared_as_at_many_places(
    p: Expression, q: Expression, kind: str, level: Fraction, gap: Fraction
) -> None:
    mp.dps = 60
    output = real("s") if kind == "real" else integer("s")
    found = is_dominated(piecewise_law(p, output), piecewise_law(q, output), constant(level + gap))
    factor = mp.exp(mpf((level + gap).numerator) / (level + gap).denominator)
    worst = [oracle.value(p, {"s": s}) - factor * oracle.value(q, {"s": s}) for s in places(kind)]
    slack = (
        mpf(0) if kind == "integer" else mpf(10) ** -7
    )  # beside a point a tie is not quite reached
    scale = [oracle.value(p, {"s": s}) for s in places(kind)]
    expected = all(w <= mpf(10) ** -40 * v for w, v in zip(worst, scale, strict=True))
    if found:
        assert all(w <= (slack + mpf(10) ** -40) * v for w, v in zip(worst, scale, strict=True))
    else:
        assert not expected or kind == "real"


@settings(max_examples=examples(40, 8), deadline=None)
@given(
    st.sampled_from(LAWS),
    st.sampled_from(LAWS),
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 3)]),
)
def test_excesses_over_whole_numbers_are_those_of_the_sum(
    p: Expression, q: Expression, level: Fraction
) -> None:
    mp.dps = 60
    output, factor = integer("s"), mp.exp(mpf(level.numerator) / level.denominator)
    found = oracle.of_ratio(
        hockey_stick_divergence(
            piecewise_law(p, output), piecewise_law(q, output), constant(level)
        ),
        {},
    )
    total = sum(
        (
            max(
                mpf(0),
                oracle.value(p, {"s": Fraction(n)}) - factor * oracle.value(q, {"s": Fraction(n)}),
            )
            for n in range(-25, 26)
        ),
        mpf(0),
    )
    assert (
        abs(found - total) < mpf(10) ** -4
    )  # beyond 25 the slowest law, of rate 1/2, leaves 2 e^-12.5 / (1 - e^-0.5), below 2e-5


@settings(max_examples=examples(25, 4), deadline=None)
@given(
    st.sampled_from(LAWS),
    st.sampled_from(LAWS),
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 3)]),
)
def test_excesses_of_densities_are_those_of_a_fine_sum(
    p: Expression, q: Expression, level: Fraction
) -> None:
    mp.dps = 20
    output, factor = real("s"), mp.exp(mpf(level.numerator) / level.denominator)
    found = oracle.of_ratio(
        hockey_stick_divergence(
            piecewise_law(p, output), piecewise_law(q, output), constant(level)
        ),
        {},
    )
    step = Fraction(1, 40)
    middles = [(2 * n + 1) * step / 2 for n in range(-480, 480)]
    total = (
        sum(
            (
                max(mpf(0), oracle.value(p, {"s": m}) - factor * oracle.value(q, {"s": m}))
                for m in middles
            ),
            mpf(0),
        )
        / 40
    )
    assert (
        abs(found - total) < mpf(1) / 15
        # jumps inside a step of 1/40, what the slowest law leaves beyond 12, and the middles elsewhere
    )


@settings(max_examples=examples(80, 8), deadline=None)
@given(st.sampled_from(LAWS), st.sampled_from(LAWS), st.sampled_from(["real", "integer"]))
def test_the_worst_ratio_is_reached_and_never_exceeded(
    p: Expression, q: Expression, kind: str
) -> None:
    mp.dps = 60
    output = real("s") if kind == "real" else integer("s")
    found = largest_ratio(piecewise_law(p, output), piecewise_law(q, output))
    pairs = [(oracle.value(p, {"s": s}), oracle.value(q, {"s": s})) for s in places(kind)]
    if found is None:
        ratios = [a / b if b else mpf(10) ** 9 for a, b in pairs if a]
        assert max(ratios) > 1000
        return
    bound = oracle.of_ratio(found, {})
    most = max((a / b for a, b in pairs if a), default=mpf(0))
    assert all(a <= bound * b * (1 + mpf(10) ** -40) for a, b in pairs) and most >= bound * (
        1 - mpf(10) ** -6
    )


def test_ties_are_exact() -> None:
    for kind in (real("s"), integer("s")):
        p, q = piecewise_law(laplace(0, 1), kind), piecewise_law(laplace(1, 1), kind)
        assert is_dominated(p, q, constant(1)) and not is_dominated(
            p, q, constant(1 - Fraction(1, 10**30))
        )
        doubled = piecewise_law(laplace(0, 1) * 2, kind)
        assert is_dominated(doubled, p, log_of(constant(2))) and not is_dominated(
            doubled, p, log_of(constant(2)) - constant(Fraction(1, 10**30))
        )


def points(found: PiecewiseLaw) -> list[str]:
    return [p.key for p in found.points]


def test_points_are_where_something_changes() -> None:
    law = piecewise((exp(-S), Fraction(1, 2) <= S), (exp(S) / 2, True))
    assert points(piecewise_law(law, real("s"))) == ["1/2"] and points(
        piecewise_law(law, integer("s"))
    ) == ["1"]
    assert points(piecewise_law(laplace(3, 1), integer("s"))) == ["3", "4"]
    assert points(
        piecewise_law(piecewise((exp(-S), log(10) <= S), (exp(S), True)), integer("s"))
    ) == ["3"]


def test_other_laws_are_refused() -> None:
    for law in (
        laplace(0, 1) + laplace(0, 2),
        exp(-S * S),
        exp(-Abs(S * S - 1)),
        piecewise((1, S * S < 1), (0, True)),
        exp(-floor(S)),
        S * exp(-Abs(S)),
        exp(-Abs(S)) * name("k"),
    ):
        with pytest.raises(Unsupported):
            piecewise_law(law, real("s"))
    with pytest.raises(Rejected):
        piecewise_law(-laplace(0, 1), real("s"))
