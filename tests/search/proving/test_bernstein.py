"""Polynomials in several exponentials: what is proved is accepted by the checker and true at every
sample, and nothing false is proved.

Truth is judged by exact values of the polynomial in q at rational points of the unit cube, and by
how each example is built.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import assume as assume_
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.files.mechanism_file import read_mechanism_file
from ahdp_verify.kernel.evidence.certificate import Products
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers.algebra import (
    UNIT,
    Polynomial,
    Ratio,
    constant,
    exp_of,
    polynomial_of_monomial,
    symbol,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.cases import check_cases, inequality_check
from ahdp_verify.kernel.rules.inequalities import check_sign, extend_context
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.proving.bernstein import (
    BoxEnd,
    bernstein_coefficients,
    box_cut_guard,
    exponent_generators,
    polynomial_on_box,
    prove_on_box,
    solve_columns,
)
from ahdp_verify.search.proving.draft import Draft
from ahdp_verify.search.proving.inequality import prove_inequality
from ahdp_verify.search.verify import verify
from tests.sweeps import examples

FREE = ("e > 0", "f > 0", "g > 0")
ORDERED = ("e > 0", "f >= e")


def known(*conditions: str) -> Context:
    here = Context.empty()
    for condition in conditions:
        here = assume_condition(parse(condition), here)
    return here


def in_q(text: str) -> str:
    """q1, q2, q3 stand for exp(-e), exp(-f), exp(-g)."""
    for q, e in (("q1", "e"), ("q2", "f"), ("q3", "g")):
        text = text.replace(q, f"exp(-{e})")
    return text


def clock(seconds: float = 60) -> Clock:
    return Limits(seconds=seconds).clock()


def proved(text: str, *conditions: str) -> bool:
    """Whether 1 + p >= 1 is proved, by evidence that the checker accepts."""
    here, law = known(*conditions), parse(in_q(text)) + 1
    found = prove_inequality(Dominated(number(1)), Dominating(law), number(0), here, clock())
    if found is not None:
        check_cases(found, here, inequality_check(Dominated(number(1)), Dominating(law), number(0)))
    return found is not None


TRUE = (
    ("(1-q1)*(1-q2) + q1*q2/10", FREE),
    ("1 - q1*q2", FREE),
    ("1 - q1 - q2 + q1*q2", FREE),
    ("q1^2 + q2^2 - q1*q2", FREE),  # 0 at the corner q = 0 of every box: squares
    ("q1^2 + q2^2 - 2*q1*q2", FREE),
    ("q1^2 + q2^2 - 2*q1*q2 + 1/1000", FREE),  # at least 1/1000
    ("(q1 - 1/2)^2 + (q2 - 1/2)^2 + 1/100", FREE),
    ("(q1 - 1/3)^2 + (q2 - 1/4)^2 + 1/1000", FREE),
    ("(q1 + q2 - 1)^2 + q1*q2/10", FREE),  # cut many times
    ("q1^3 + q2^3 + q3^3 - 3*q1*q2*q3", FREE),  # the arithmetic mean is above the geometric
    (
        "q1^4*q2^2 + q1^2*q2^4 - 3*q1^2*q2^2 + 1",
        FREE,
    ),  # Motzkin's polynomial, which is not a sum of squares
    ("q1 - q2", ORDERED),
    ("q1*(1-q2) - q2*(1-q1)", ORDERED),
    ("q1^2*(1-q2^2)*(1+q2) - q2^2*(1-q1^2)*(1+q1)", ORDERED),
    ("q1^2*q2^(1/2) - q1*q2^(3/2)", ORDERED),
)
FALSE = (
    ("q1 + q2 - 1", FREE),
    ("q1 - q2", FREE),
    ("q2 - q1", ORDERED),
    ("q1^2 + q2^2 - 201*q1*q2/100", FREE),
    ("(q1 - 1/3)^2 + (q2 - 1/4)^2 - 1/1000", FREE),
    ("1 - q1 - q2 + q1*q2 - q3/1000", FREE),
    (
        "q1^4*q2^2 + q1^2*q2^4 - 3*q1^2*q2^2 + 999/1000",
        FREE,
    ),  # Motzkin's minimum is 0, at q1 = q2 = 1
)


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("text", "conditions"), TRUE)
def test_what_is_true_is_proved_and_checked(text: str, conditions: tuple[str, ...]) -> None:
    assert proved(text, *conditions)


@pytest.mark.parametrize(("text", "conditions"), FALSE)
def test_what_is_false_is_not(text: str, conditions: tuple[str, ...]) -> None:
    assert not proved(text, *conditions)


def test_it_stops_with_a_reason() -> None:
    law = parse(in_q("(q1 + q2 - 1)^2 + q1*q2/10000")) + 1
    with pytest.raises(OutOfLimits) as stop:
        prove_inequality(
            Dominated(number(1)), Dominating(law), number(0), known(*FREE), Limits(pieces=5).clock()
        )
    assert "--pieces" in stop.value.reason


GRID = [Fraction(n, 6) for n in range(1, 6)]
powers = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.integers(-4, 6).filter(bool).map(Fraction),
    min_size=2,
    max_size=6,
)


def value(table: dict[tuple[int, ...], Fraction], point: tuple[Fraction, ...]) -> Fraction:
    return sum(
        (
            c * math.prod(x**k for x, k in zip(point, exponents, strict=True))
            for exponents, c in table.items()
        ),
        Fraction(0),
    )


def polynomial(table: dict[tuple[int, int], Fraction]) -> Polynomial:
    total = constant(0)
    for (k, n), c in table.items():
        total = total + exp_of(symbol("e").scale(-k) + symbol("f").scale(-n)).scale(c)
    return total.num


@settings(max_examples=examples(200, 12), deadline=None)
@given(powers)
def test_what_is_shown_on_the_whole_box_is_true_at_its_points_and_checked(
    table: dict[tuple[int, int], Fraction],
) -> None:
    here, p = known("e > 0", "f > 0"), polynomial(table)
    draft = Draft(here)
    if prove_on_box(p, draft, clock()):
        check_sign(Ratio(p), ">=", Products(tuple(draft.terms)), extend_context(draft.lemmas, here))
        assert all(value(table, point) >= 0 for point in itertools.product(GRID, repeat=2))


@settings(max_examples=examples(100, 8), deadline=None)
@given(powers)
def test_a_shift_that_makes_it_positive_makes_it_provable(
    table: dict[tuple[int, int], Fraction],
) -> None:
    """With the sum of its negative coefficients added, every polynomial is >= 0 on the box, and
    every Bernstein coefficient is.
    """
    shifted = {
        **table,
        (0, 0): table.get((0, 0), Fraction(0))
        - sum(min(c, Fraction(0)) for c in table.values())
        + 1,
    }
    assume_(all(any(k[j] for k in shifted) for j in range(2)))
    assert prove_on_box(polynomial(shifted), Draft(known("e > 0", "f > 0")), clock())


@settings(max_examples=examples(100, 8), deadline=None)
@given(
    powers,
    st.tuples(
        *[st.sampled_from(((0, 1), (Fraction(1, 4), Fraction(1, 2)), (Fraction(2, 3), 1)))] * 2
    ),
)
def test_bernstein_coefficients_give_the_polynomial_back(
    table: dict[tuple[int, int], Fraction], ends: tuple[tuple[Fraction, Fraction], ...]
) -> None:
    box = tuple((BoxEnd(Fraction(low)), BoxEnd(Fraction(high))) for low, high in ends)
    coefficients = bernstein_coefficients(dict(table), box)
    degrees = [max(k[j] for k in table) for j in range(2)]
    for s in itertools.product([Fraction(n, 5) for n in range(6)], repeat=2):
        point = tuple(
            low.value + t * (high.value - low.value) for t, (low, high) in zip(s, box, strict=True)
        )
        total = sum(
            (
                b
                * math.prod(
                    math.comb(d, i) * t**i * (1 - t) ** (d - i)
                    for d, i, t in zip(degrees, k, s, strict=True)
                )
                for k, b in coefficients.items()
            ),
            Fraction(0),
        )
        assert total == value(table, point)


def test_the_coordinates_use_the_order_of_the_exponents() -> None:
    here = known("e > 0", "f >= e", "g >= f")
    p = normal(parse("exp(-e) - exp(-f) + exp(-g)"), here).num
    found = polynomial_on_box(p, here)
    assert found is not None
    e, f, g = (symbol(n) for n in "efg")
    assert set(found.exponents) == {e.num, (f - e).num, (g - f).num}
    assert set(
        exponent_generators(tuple(m for t in (e, f, g) for m in t.num.terms), known(*FREE)) or ()
    ) == {e.num, f.num, g.num}


@pytest.mark.parametrize(
    "text",
    [
        "exp(-e)",
        "e*exp(-f)",
        "exp(-e)*exp(-f) + e",
        "exp(-e) - 2^(1/2)*exp(-f)",
        "exp(-e*f) - exp(1)*exp(-e)",
        "e + f",
        "abs(e - f)",
    ],
)
def test_other_polynomials_are_left_alone(text: str) -> None:
    here = known("e > 0", "f > 0")
    p = normal(parse(text), here).num
    assert polynomial_on_box(p, here) is None
    assert box_cut_guard(p, here) is None
    assert not prove_on_box(p, Draft(here), clock())


def test_without_bounds_there_are_no_coordinates() -> None:
    p = normal(parse("exp(-e) + exp(-f)"), known("e > 0")).num
    assert polynomial_on_box(p, known("e > 0")) is None


def test_products_of_names_are_exponents_too() -> None:
    """exp(-e n) and exp(-f) with a count n >= 0."""
    here = known("e > 0", "f > 0", "n >= 0")
    p = normal(parse("(1 - exp(-e*n))*(1 - exp(-f)) + exp(-e*n - f)/2"), here).num
    draft = Draft(here)
    assert prove_on_box(p, draft, clock())
    check_sign(Ratio(p), ">=", Products(tuple(draft.terms)), extend_context(draft.lemmas, here))


def test_linear_equations() -> None:
    columns = ((Fraction(1), Fraction(1)), (Fraction(0), Fraction(2)))
    assert solve_columns(columns, (Fraction(3), Fraction(7))) == (3, 2)
    assert (
        solve_columns(
            ((Fraction(1), Fraction(2)), (Fraction(2), Fraction(4))), (Fraction(1), Fraction(0))
        )
        is None
    )
    assert polynomial_of_monomial(UNIT).as_rational == 1


def two_demands(density: str, level: str, conditions: tuple[str, str]) -> type:
    """The verdict on an AHDP claim over the records (1, a) and (2, b), for all a and b with
    these conditions.
    """
    table = {
        "format": 2,
        "name": "test",
        "parameters": {"a": conditions[0], "b": conditions[1]},
        "domain": {"records": [["1", "a"], ["2", "b"]]},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "finite", "values": ["0", "1", "2"]}],
            "density": density,
        },
        "claim": [{"relation": "ahdp", "level": level}],
    }
    (claim,) = read_mechanism_file(table, "test").claims
    return type(verify(claim))


N1, N2 = "count(x == 1)", "count(x == 2)"
WEIGHTS = (
    f"exp(-a*{N1} - b*{N2})",
    f"exp(-a*abs({N1} - 1) - b*{N2})",
    f"exp(-a*{N1} - b*abs({N2} - 1))",
)
NORMALISED = (
    f"piecewise(({WEIGHTS[0]}, s == 0), ({WEIGHTS[1]}, s == 1), ({WEIGHTS[2]}, "
    f"true))/({' + '.join(WEIGHTS)})"
)
TOTAL = "(exp(-a) + exp(-b) + exp(-a - b))"
EXACT = (
    f"piecewise((a + log((1 + exp(-b) + exp(-a - b))/{TOTAL}), x == 1), (b + log((1 + exp(-a) "
    f"+ exp(-a - b))/{TOTAL}), true))"
)
ROWS = """piecewise(
 (piecewise((exp(-b), s == 0), (exp(-a), s == 1), (1, true))/(1 + exp(-a) + exp(-b)), count(x == 2) >= 1),
 (piecewise((exp(-a), s == 0), (1, s == 1), (exp(-b), true))/(1 + exp(-a) + exp(-b)), count(x == 1) >= 1),
 (piecewise((1, s == 0), (exp(-a), s == 1), (exp(-b), true))/(1 + exp(-a) + exp(-b)), true))"""


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("density", "level", "conditions", "verdict"),
    [
        (
            NORMALISED,
            EXACT,
            ("a > 0", "b >= a"),
            Proved,
            # from (1, 1) to (0, 1) or (1, 0); at exp(-a) = 1/2, exp(-b) = 1/3 the excess of b is 5/3
        ),
        (NORMALISED, EXACT, ("a > 0", "b > 0"), Proved),
        (NORMALISED, f"{EXACT} - a/1000", ("a > 0", "b >= a"), Refuted),
        (NORMALISED, "eps", ("a > 0", "b >= a"), Refuted),
        (
            ROWS,
            "eps",
            ("a > 0", "b >= a"),
            Proved,
        ),  # the row of the present record with the larger demand
        (ROWS, "eps", ("a > 0", "b > 0"), Refuted),  # for b < a it is the wrong row
    ],
)
def test_claims_with_two_free_demands_are_decided(
    density: str, level: str, conditions: tuple[str, str], verdict: type
) -> None:
    assert two_demands(density, level, conditions) is verdict
