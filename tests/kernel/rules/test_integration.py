"""Totals against numerical quadrature and brute-force sums; nothing is known about the integration
variable except its piece.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Certificate,
    InequalityLeaf,
    Lemma,
    Mass,
    Products,
    TotalLeaf,
)
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of, symbol
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.integration import (
    check_ascending,
    density_factors,
    factors_by_output,
    integral,
    is_whole,
    piece_bounds,
    piece_context,
    summands,
)
from ahdp_verify.kernel.rules.obligations import tasks
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    eq,
    exp,
    floor,
    indicator,
    multiply,
    name,
    number,
    piecewise,
)
from tests import oracle
from tests.sweeps import examples

s, t, u, a = name("s"), name("t"), name("u"), name("a")
HERE = Context.empty()
CUTS = st.lists(
    st.fractions(min_value=-4, max_value=4, max_denominator=3), min_size=1, max_size=3, unique=True
).map(sorted)
WHOLE_CUTS = st.lists(st.integers(-5, 5), min_size=1, max_size=3, unique=True).map(sorted)
FALLING = [
    exp(-s),
    exp(-2 * s + 1) / 3,
    2 * exp(-s / 3) + exp(-3 * s),
    number(0),
    exp(-Max(s, 1)) * 2,
]
INNER = [number(1), exp(s), exp(-s) + 2, number(0), 1 + exp(s / 2), number(Fraction(1, 7))]
RISING = [exp(s), exp(3 * s - 1) / 2, exp(s / 2) + exp(2 * s), number(0)]


@st.composite
def laws(draw: st.DrawFn, whole: bool) -> tuple[Expression, list[Fraction]]:
    cuts = [Fraction(c) for c in draw(WHOLE_CUTS if whole else CUTS)]
    branches = [(draw(st.sampled_from(RISING)), s < cuts[0])]
    branches += [(draw(st.sampled_from(INNER)), s < c) for c in cuts[1:]]
    return piecewise(*branches, (draw(st.sampled_from(FALLING)), True)), sorted(
        {*cuts, *([Fraction(1)] if cuts[-1] < 1 else [])}
    )


def points(cuts: list[Fraction]) -> tuple[Ratio, ...]:
    return tuple(constant(c) for c in cuts)


@given(laws(False))
def test_integral_is_that_of_quadrature(law: tuple[Expression, list[Fraction]]) -> None:
    density, cuts = law
    found = integral(density, "s", "real", points(cuts), HERE)
    with mp.workdps(25):
        ends = [-60, -20, *(oracle.real(c) for c in cuts), 15, 40, 150]
        expected = sum(
            mp.quad(lambda x: _at(density, x), [lo, hi]) for lo, hi in itertools.pairwise(ends)
        )
    assert abs(oracle.of_ratio(found, {}) - expected) < oracle.mpf(10) ** -10 * (1 + expected)


def _at(density: Expression, x: object) -> object:
    """The distribution at a float point inside a piece, by mpmath alone."""
    kept = oracle.real, oracle.ARITHMETIC["exp"], oracle.size_checked
    try:
        oracle.real = lambda v: v if not isinstance(v, int | Fraction) else kept[0](v)
        oracle.ARITHMETIC["exp"], oracle.size_checked = mp.exp, lambda v: v
        return oracle.value(density, {"s": x})
    finally:
        oracle.real, oracle.ARITHMETIC["exp"], oracle.size_checked = kept


@settings(max_examples=examples(40, 8), deadline=None)
@given(laws(True), st.booleans(), st.booleans())
def test_sum_is_that_of_all_terms(
    law: tuple[Expression, list[Fraction]], below: bool, above: bool
) -> None:
    density, cuts = law
    found = integral(
        density,
        "s",
        "integer",
        points(cuts),
        HERE,
        None if below else 0,
        None if above else len(cuts) - 1,
    )
    low, high = (-90 if below else int(cuts[0])), (250 if above else int(cuts[-1]))
    expected = sum((_at(density, oracle.mpf(k)) for k in range(low, high)), oracle.mpf(0))
    assert abs(oracle.of_ratio(found, {}) - expected) < oracle.mpf(10) ** -15 * (1 + expected)


@given(
    st.integers(-4, 4),
    st.integers(0, 6),
    st.fractions(min_value=Fraction(1, 5), max_value=3, max_denominator=5),
)
def test_sums_with_symbolic_ends(start: int, length: int, rate: Fraction) -> None:
    here = Context.empty(frozenset(("a",))).given(symbol("u").num, ">")
    law = u * exp(-u * (s - a))
    found = integral(law, "s", "integer", (symbol("a"), symbol("a") + constant(length)), here, 0, 1)
    expected = sum(oracle.real(rate) * mp.exp(-oracle.real(rate) * k) for k in range(length))
    assert oracle.near(
        oracle.of_ratio(found, {"a": Fraction(start), "u": rate}), oracle.mpf(expected)
    )


@given(laws(False), st.fractions(min_value=-6, max_value=6, max_denominator=4))
def test_facts_of_a_piece_hold_in_it(law: tuple[Expression, list[Fraction]], x: Fraction) -> None:
    _, cuts = law
    for i, j, upper in piece_bounds(len(cuts)):
        here = piece_context("s", "real", points(cuts), upper, HERE)
        in_piece = (i is None or cuts[i] < x) and (j is None or x < cuts[j])
        true = all(
            oracle.sign(oracle.of_polynomial(f.polynomial, {"s": x})) in OF_RELATION[f.relation]
            for f in here.facts
        )
        assert true is in_piece


@given(WHOLE_CUTS, st.integers(-7, 7))
def test_facts_of_a_whole_piece_hold_in_it(cuts: list[int], k: int) -> None:
    for i, j, upper in piece_bounds(len(cuts)):
        here = piece_context("s", "integer", points([Fraction(c) for c in cuts]), upper, HERE)
        in_piece = (i is None or cuts[i] <= k) and (j is None or k < cuts[j])
        true = all(
            oracle.sign(oracle.of_polynomial(f.polynomial, {"s": Fraction(k)}))
            in OF_RELATION[f.relation]
            for f in here.facts
        )
        assert true is in_piece


def refused(*args: object, here: Context = HERE, kind: str = "real") -> None:
    with pytest.raises((Undecided, Unsupported, ZeroDivisionError)):
        law, cuts = args
        raise AssertionError(integral(law, "s", kind, cuts, here))  # type: ignore[arg-type]


def test_what_is_not_a_law_is_refused() -> None:
    zero = constant(0)
    refused(exp(-Abs(s)) / 2, (constant(1),))  # a kink that is not a point
    refused(exp(-Abs(s)) / 2, (constant(1), zero))  # points out of order
    refused(exp(-s), (zero,))  # grows below
    refused(exp(Abs(s)), (zero,))
    refused(exp(-(s**2)), (zero,))
    refused(exp(-Abs(s)) - indicator(s < 0) / 100, (zero,))  # does not decay
    refused(s * exp(-s) * indicator(s > -1), (zero, -constant(1)))
    refused(s * exp(-s) * indicator(s > -1), (-constant(1), zero))  # negative below 0
    refused(
        exp(-s) * indicator(s > 0) - exp(-2 * s) * 2 * indicator(s > 0), (zero,)
    )  # negative near 0
    refused(exp(-a * Abs(s)) * a / 2, (zero,))  # a may be 0 or negative
    refused(exp(-Abs(s - a)) / 2, (zero, symbol("a")))  # order not known
    refused(exp(-Abs(s)), (constant(Fraction(1, 2)), constant(1)), kind="integer")
    refused(exp(-Abs(s - a)), (symbol("a"),), kind="integer")  # a need not be whole
    refused(exp(-Abs(s - floor(s))), (zero,))
    refused(number(1), ())


# laws that repeat themselves


def step(z: Expression, width: Fraction, shift: Fraction, q: Fraction) -> Expression:
    """q^floor(z / width + shift): one step after another, each q times as high."""
    return number(q) ** floor(z / number(width) + number(shift))


STEPS = (
    st.fractions(Fraction(1, 3), 2, max_denominator=3),
    st.fractions(0, Fraction(4, 5), max_denominator=5),
    st.fractions(Fraction(1, 5), Fraction(4, 5), max_denominator=5),
)


def breaks(base: Fraction, width: Fraction, shift: Fraction) -> tuple[Ratio, ...]:
    """Points of two periods beyond a base: the base, then each step, and both once more."""
    first = base + width * (1 - shift)
    return tuple(constant(x) for x in sorted({base, first, base + width, first + width}))


@given(*STEPS, st.fractions(-2, 2, max_denominator=3))
def test_a_staircase_has_the_total_of_its_steps(
    width: Fraction, shift: Fraction, q: Fraction, base: Fraction
) -> None:
    """Against the partial sum of 60 steps and the geometric series of the others, in exact
    fractions.
    """
    law = piecewise((step(s - number(base), width, shift, q), s > number(base)), (0, True))
    found = integral(law, "s", "real", breaks(base, width, shift), HERE).as_rational
    listed = [(1 - shift) * width] + [width * q**k for k in range(1, 60)]
    assert found == sum(listed) + width * q**60 / (1 - q)
    mirrored = piecewise((step(number(base) - s, width, shift, q), s < number(base)), (0, True))
    turned = tuple(
        constant(2 * base - (r.as_rational or Fraction(0)))
        for r in reversed(breaks(base, width, shift))
    )
    assert integral(mirrored, "s", "real", turned, HERE).as_rational == found


@given(
    st.integers(1, 4),
    st.integers(-3, 3),
    st.lists(st.fractions(0, 3, max_denominator=3), min_size=4, max_size=4),
    STEPS[2],
)
def test_a_sum_over_residues_is_that_of_all_terms(
    period: int, start: int, heights: list[Fraction], q: Fraction
) -> None:
    """Against the partial sum of 40 periods and the geometric series of the others, in exact
    fractions.
    """
    k = name("s") - start
    branches = [
        (number(heights[r]), eq(Expression("mod", (k, number(period))), number(r)))
        for r in range(period - 1)
    ]
    law = piecewise(
        (
            piecewise(*branches, (number(heights[period - 1]), True))
            * number(q) ** floor(k / period),
            k >= 0,
        ),
        (0, True),
    )
    listed = tuple(constant(start + j) for j in range(period + 1))
    terms = sum(heights[j % period] * q ** (j // period) for j in range(40 * period))
    assert integral(
        law, "s", "integer", listed, Context.empty(frozenset("s"))
    ).as_rational == terms + sum(heights[:period]) * q**40 / (1 - q)


def test_a_staircase_that_starts_anywhere() -> None:
    here = Context.empty(frozenset("h")).given(symbol("e").num, ">")
    law = exp(-name("e") * floor(Abs(s - name("h")) + number("1/2")))
    listed = tuple(symbol("h") + constant(Fraction(j, 2)) for j in range(-3, 4))
    e = symbol("e")
    expected = constant(1) + (exp_of(-e) / (constant(1) - exp_of(-e))).scale(2)
    assert (integral(law, "s", "real", listed, here) - expected).is_zero


ONE_SIDED = {
    "no period at all": exp(-floor(s**2)),
    "another height in the fifth step": piecewise(
        (number("1/2") ** floor(s), (s > 0) & (s < 4)),
        (number("1/3") ** floor(s), s > 0),
        (0, True),
    ),
    "it does not decay": piecewise((1 + s - floor(s), s > 0), (0, True)),
    "it grows": piecewise((number(2) ** floor(s), s > 0), (0, True)),
    "its sign changes": piecewise(
        (number(-1) ** floor(s) * number("1/2") ** floor(s), s > 0), (0, True)
    ),
    "negative": piecewise((-(number("1/2") ** floor(s)), s > 0), (0, True)),
    "negative within a step": piecewise(
        ((s - floor(s) - number("1/4")) * number("1/2") ** floor(s), s > 0), (0, True)
    ),
    "a condition that moves": piecewise(
        (0, s < 0), (number("1/2") ** floor(s), floor(s) < 7), (number("1/2") ** floor(s) * 2, True)
    ),
    "a period that is not a number": piecewise((number("1/2") ** floor(s * a), s > 0), (0, True)),
    "a factor of unknown size": piecewise((exp(-a * floor(s)), s > 0), (0, True)),
}


@pytest.mark.parametrize("case", ONE_SIDED)
@pytest.mark.parametrize("last", [1, 2, 3])
def test_what_does_not_repeat_itself_is_refused(case: str, last: int) -> None:
    refused(ONE_SIDED[case], tuple(constant(j) for j in range(last + 1)))


@pytest.mark.parametrize(
    "listed",
    [
        ("0",),
        ("0", "1/2"),
        ("-1/2", "1/2"),
        ("0", "3/2"),
        ("0", "0"),
        ("1/3", "4/3"),
        ("-1", "0"),
        (),
    ],
)
def test_points_that_are_not_a_period_are_refused(listed: tuple[str, ...]) -> None:
    """The staircase steps at 1, 2, 3, ... and starts at 0."""
    law = piecewise((number("1/2") ** floor(s), s > 0), (0, True))
    assert integral(law, "s", "real", (constant(0), constant(1)), HERE).as_rational == 2
    refused(law, tuple(constant(Fraction(p)) for p in listed))


def test_a_period_of_two_where_one_is_none() -> None:
    law = piecewise((number("1/2") ** floor(s / 2), s > 0), (0, True))
    refused(law, (constant(0), constant(1)))
    assert integral(law, "s", "real", (constant(0), constant(2)), HERE).as_rational == 4


def test_the_variable_of_integration_is_bound() -> None:
    for fact in (symbol("s"), symbol("s") - constant(1), exp_of(symbol("s")) - constant(1)):
        refused(
            indicator((s > 1) & (s < 2)) + indicator((s > -2) & (s < -1)),
            (constant(1), constant(2)),
            here=HERE.given(fact.num, ">="),
        )
    beyond = normal(Abs(s) + 1, HERE)
    ghost = piecewise((1, (Abs(s) + 1 < s) & (s < Abs(s) + 2)), (0, True))
    refused(ghost, (beyond, beyond + constant(1)), here=HERE.given((beyond - symbol("s")).num, ">"))
    refused(indicator((s > 0) & (s < 1)), (constant(0), symbol("s"), constant(1)))


@pytest.mark.parametrize("case", ["split", "points"])
def test_no_law_of_another_mass_is_accepted(case: str) -> None:
    beyond = Abs(s) + 1
    if case == "split":
        law: Expression = indicator((s > 1) & (s < 2)) + indicator((s > -2) & (s < -1))  # mass 2
        mass = CaseSplit(
            (),
            s,
            (
                (">=", TotalLeaf((), (number(1), number(2)))),
                ("<", TotalLeaf((), (number(-2), number(-1)))),
            ),
        )
        guards = [s - k for k in (1, 2, -1, -2)]
    else:
        law = piecewise((1, (beyond < s) & (s < beyond + 1)), (0, True))  # mass 0
        known = (
            Lemma("absolute", (s,)),
            Lemma(
                "proved", (beyond - s,), ">", (Products(((Fraction(1), ()), (Fraction(1), (0,)))),)
            ),
        )
        mass, guards = TotalLeaf(known, (beyond, beyond + 1)), [beyond - s, beyond + 1 - s]
    claim = ahdp(Mechanism(Domain([(0, 1)]), outputs=[real("s")], density=law))
    leaf: object = InequalityLeaf()
    for g in guards:
        leaf = CaseSplit((), g, ((">", leaf), ("=", leaf), ("<", leaf)))  # type: ignore[arg-type]
    with pytest.raises(Rejected):
        raise AssertionError(
            check(
                claim,
                Certificate(
                    claim.fingerprint,
                    False,
                    (),
                    Mass((), (mass,)),
                    (leaf,),
                    (0,) * len(list(tasks(claim))),
                ),
            )
        )  # type: ignore[arg-type]


PIECES = [
    exp(-Abs(s) - Abs(t - s)),
    exp(2 * (s + t) + a),
    1 / (a * (1 + s)),
    number(3),
    exp(-u * (s + 1)),
    1 + s,
    piecewise((1, s < t), (2, True)),
    exp(-s) * exp(t),
]


FOUR = st.tuples(*[st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2)])] * 4)


@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4),
    st.permutations(["s", "t", "u"]),
    FOUR,
)
def test_groups_multiply_to_the_law_and_mention_no_later_output(
    listed: list[Expression], outputs: list[str], v: tuple[Fraction, ...]
) -> None:
    law, at = multiply(*listed), dict(zip("stua", v, strict=True))
    prefactor, groups = factors_by_output(law, tuple(outputs))
    assert oracle.near(oracle.value(multiply(prefactor, *groups), at), oracle.value(law, at))
    assert oracle.near(oracle.value(multiply(*density_factors(law)), at), oracle.value(law, at))
    assert not {n.args[0] for e in (prefactor,) for n in _names(e)} & set(outputs)
    for i, g in enumerate(groups):
        assert not {n.args[0] for n in _names(g)} & set(outputs[i + 1 :])


@given(
    st.lists(
        st.sampled_from([s * (t + a), (s + 1) * (t - 2) * a, s, number(2), -1 * (s + t)]),
        min_size=1,
        max_size=3,
    )
)
def test_summands_add_up(listed: list[Expression]) -> None:
    at = {"s": Fraction(3), "t": Fraction(-1, 2), "a": Fraction(5)}
    e = sum(listed[1:], listed[0])
    assert oracle.near(
        sum((oracle.value(x, at) for x in summands(e)), oracle.mpf(0)), oracle.value(e, at)
    )


def _names(e: Expression) -> list[Expression]:
    return (
        [e]
        if e.head == "name"
        else [n for x in e.args if isinstance(x, Expression) for n in _names(x)]
    )


def test_whole_numbers() -> None:
    here = Context.empty(frozenset(("s",)))
    for yes in (s, 2 * s - 3, s**2 * s, floor(a), floor(a / 2) * s, number(4)):
        assert is_whole(normal(yes, here), here)
    for no in (s / 2, a, s + a, exp(s), Abs(s - a), number(Fraction(1, 2)), s + floor(a) / 3):
        assert not is_whole(normal(no, here), here)
    assert not is_whole(constant(1) / (symbol("s") * symbol("s") + constant(1)), here)
    assert not is_whole(log_of(constant(2)), here)


def test_points_must_ascend() -> None:
    one, two, b = constant(1), constant(2), symbol("b")
    check_ascending((one, one, two), HERE)
    check_ascending((b, b + one), HERE)
    for bad in ((two, one), (b, one), (one, b, two)):
        with pytest.raises((Undecided, Unsupported)):
            check_ascending(bad, HERE)


def test_degenerate_pieces_add_nothing() -> None:
    here = HERE.given(symbol("a").num, ">=")
    r = integral(
        indicator((s > 0) & (s < a)) + exp(-Abs(s)), "s", "real", (constant(0), symbol("a")), here
    )
    for v in (Fraction(0), Fraction(1), Fraction(7, 3)):
        assert oracle.near(oracle.of_ratio(r, {"a": v}), 2 + oracle.real(v))
    refused(indicator((s > 0) & (s < a)) / a, (constant(0), symbol("a")), here=here)


def test_outputs_of_integers_are_summed() -> None:
    k = integer("k")
    assert k.kind == "integer"
    law = (1 - exp(number(-1))) / (1 + exp(number(-1))) * exp(-Abs(name("k")))
    assert (integral(law, "k", "integer", (constant(0),), HERE) - constant(1)).is_zero
