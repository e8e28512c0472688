"""Everything that a context concludes is true at every point where its facts hold."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume as given_that
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers.algebra import Atom, constant, log_of, ratio_of_atom, symbol
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context, sign_of
from ahdp_verify.kernel.numbers.normal_form import (
    abs_of,
    assume_condition,
    is_whole,
    normal,
    require_nonzero,
    require_positive,
    signs_of,
    to_expression,
    truth,
)
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    eq,
    exp,
    floor,
    label,
    log,
    name,
    ne,
    number,
    oo,
    piecewise,
    sqrt,
)
from ahdp_verify.kernel.terms.grammar import parse
from tests import oracle
from tests.strategies import KINKED, SMOOTH, fractions
from tests.sweeps import examples

CANNOT = (Undecided, Unsupported, ZeroDivisionError)
NAMES = ("a", "b", "c")
a, b, c, eps = name("a"), name("b"), name("c"), name("eps")
SMALL = st.sampled_from([Fraction(0)] * 4 + [Fraction(n, d) for n in range(-3, 4) for d in (1, 2)])


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> Expression:
    if not depth or not draw(st.integers(0, 3)):
        return draw(fractions(3).map(number) | st.sampled_from(NAMES).map(name))
    kind = draw(st.integers(0, 6))
    if kind == 6:
        return piecewise(
            (draw(trees(depth - 1)), draw(comparisons(depth - 1))), (draw(trees(depth - 1)), True)
        )
    arity, build = draw(st.sampled_from(SMOOTH if kind < 3 else KINKED[:-1]))
    return build(*(draw(trees(depth - 1)) for _ in range(arity)))


@st.composite
def comparisons(draw: st.DrawFn, depth: int = 1) -> Expression:
    left, right = draw(trees(depth)), draw(trees(depth))
    c = draw(st.sampled_from([lambda x, y: x < y, lambda x, y: x <= y, eq, ne]))(left, right)
    return draw(st.sampled_from([c, ~c, c & (a <= b), c | (a < b)]))


@st.composite
def places(draw: st.DrawFn) -> tuple[dict[str, Fraction], Context]:
    """A point and a context whose facts hold there: simple ones, whose signs often leave zero
    open, and odd ones.
    """
    at = {n: draw(SMALL) for n in NAMES}
    here = Context.empty()
    for _ in range(draw(st.integers(0, 5))):
        p = draw(
            st.sampled_from(
                [
                    a,
                    b,
                    c,
                    a - b,
                    b - c,
                    a * b,
                    1 - a,
                    a + b - 1,
                    a - floor(a),
                    b - floor(b),
                    b**2 - c,
                    a * exp(b) - c,
                    Abs(a) - 1,
                    exp(a) - exp(b),
                    a**2 * c,
                ]
            )
        )
        s = oracle.sign(oracle.value(p, at))
        relation = draw(
            st.sampled_from([r for r, signs in OF_RELATION.items() if s in signs and r != "!="])
        )
        try:
            here = here.given(normal(p, here).num, relation)
        except CANNOT:
            continue
    return at, here


@given(places(), trees())
def test_normal_form_has_the_value_of_the_tree(
    place: tuple[dict[str, Fraction], Context], e: Expression
) -> None:
    at, here = place
    try:
        r = normal(e, here)
    except CANNOT:
        given_that(False)
    try:
        expected = oracle.value(e, at)
        found = oracle.of_ratio(r, at)
    except oracle.Doubtful:
        given_that(False)
    assert oracle.near(found, expected), (str(e), r.key, at)


@given(places(), trees())
def test_signs_hold(place: tuple[dict[str, Fraction], Context], e: Expression) -> None:
    at, here = place
    try:
        r = normal(e, here)
        s = oracle.sign(oracle.of_ratio(r, at))
        parts = [
            (p, oracle.sign(oracle.of_polynomial(p, at))) for p in (r.num, *(f for f, _ in r.den))
        ]
    except (*CANNOT, oracle.Doubtful):
        given_that(False)
    assert not here.contradictory
    assert s in here.ratio_signs(r)
    assert all(t in here.signs(p) for p, t in parts)
    for rule, allowed in ((require_positive, {1}), (require_nonzero, {-1, 1})):
        try:
            rule(r, here)
        except CANNOT:
            continue
        assert s in allowed
    try:
        assert sign_of(r.num, here) == parts[0][1]
    except Undecided:
        assert len(here.signs(r.num)) > 1


def test_a_fact_makes_a_number_whole() -> None:
    """n = floor(n) says that n is whole; 2 m = floor(2 m) does not say it of m = 1/2."""
    here = assume_condition(parse("n == floor(n) and 2*m == floor(2*m)"), Context.empty())
    assert normal(parse("floor(n + 1/2) - n"), here).is_zero
    assert is_whole(normal(parse("3*n"), here), here)
    assert not is_whole(normal(name("m"), here), here)
    equal = assume_condition(parse("r == n + 2"), here)
    assert normal(
        parse("exp(r*log(a)) - a^2*exp(n*log(a))"), equal.given(symbol("a").num, ">")
    ).is_zero


@given(places(), trees(2))
def test_abs_of(place: tuple[dict[str, Fraction], Context], e: Expression) -> None:
    at, here = place
    try:
        r = normal(e, here)
        found = abs_of(r, here)
        assert oracle.near(oracle.of_ratio(found, at), abs(oracle.of_ratio(r, at)))
    except (*CANNOT, oracle.Doubtful):
        given_that(False)


@given(places(), comparisons(2))
def test_truth_is_true(place: tuple[dict[str, Fraction], Context], condition: Expression) -> None:
    """Wherever a sign is missing, the context gets the one at the point, as a proof by cases
    does.
    """
    at, here = place
    try:
        expected = oracle.holds(condition, at)
        answer = truth_by_cases(condition, at, here)
    except (*CANNOT, oracle.Doubtful, oracle.Undefined):
        given_that(False)
    assert answer is expected


def truth_by_cases(condition: Expression, at: dict[str, Fraction], here: Context) -> bool:
    for _ in range(8):
        try:
            return truth(condition, here)
        except Undecided as missing:
            sign = oracle.sign(oracle.of_polynomial(missing.guard, at))
            here = here.given(missing.guard, {1: ">", 0: "=", -1: "<"}[sign])
    return truth(condition, here)


PLAIN = [
    a,
    b,
    c,
    a - b,
    1 - a * b,
    Abs(a) - 1,
    (a - 1) / (1 + b**2),
    Max(a, b) - c,
    exp(a) - 1,
    a / (b - 4),
    -a / Abs(c - 5),
    number(0),
]


COMPARED = st.sampled_from([lambda x, y: x < y, lambda x, y: x <= y, eq])
SIMPLE = st.builds(
    lambda f, u, v: f(u, v), COMPARED, st.sampled_from(PLAIN), st.sampled_from(PLAIN)
)


@given(places(), st.lists(SIMPLE, min_size=1, max_size=3))
def test_assumed_facts_hold_where_the_condition_does(
    place: tuple[dict[str, Fraction], Context], listed: list[Expression]
) -> None:
    at, here = place
    condition = listed[0] if len(listed) == 1 else Expression("and", tuple(listed))
    try:
        there = assume_condition(condition, here)
        if not oracle.holds(condition, at):
            return
        signs = [(f, oracle.sign(oracle.of_polynomial(f.polynomial, at))) for f in there.facts]
    except (*CANNOT, oracle.Doubtful, oracle.Undefined):
        given_that(False)
    assert all(s in OF_RELATION[f.relation] for f, s in signs)
    assert not there.contradictory


@given(places(), trees())
def test_tree_of_a_ratio_is_that_ratio(
    place: tuple[dict[str, Fraction], Context], e: Expression
) -> None:
    _, here = place
    try:
        r = normal(e, here)
        back = normal(to_expression(r), here)
    except CANNOT:
        given_that(False)
    assert (back - r).is_zero


def test_nothing_is_divided_by_what_may_vanish() -> None:
    for e in (a / a, (a**2 - b**2) / (a - b), a**0 / a, (a * b) / b, a % a):
        with pytest.raises(CANNOT):
            raise AssertionError(normal(e, Context.empty()))
    with pytest.raises(CANNOT):
        raise AssertionError(
            normal(
                (a - b) / (a - b), Context.empty().given(normal(a - b, Context.empty()).num, "=")
            )
        )


def test_roots_and_logarithms_need_a_positive_argument() -> None:
    here = Context.empty().given(symbol("a").num, ">=")
    for e in (
        sqrt(a),
        log(a),
        a**b,
        log(a * b),
        sqrt(a**2),
        log(a**2),
        number(0) ** Fraction(-1, 2),
        number(-8) ** Fraction(1, 3),
    ):
        with pytest.raises(CANNOT):
            raise AssertionError(normal(e, here))


def test_a_root_of_0_is_0() -> None:
    here = Context.empty()
    assert normal(number(0) ** Fraction(1, 2), here).is_zero
    vanishing = here.given((symbol("a") + symbol("b")).num, "=")
    assert normal(sqrt(a + b), vanishing).is_zero


def test_even_powers_are_not_positive_where_their_base_may_vanish() -> None:
    here = Context.empty()
    assert here.signs((symbol("a") * symbol("a")).num) == {0, 1}
    assert 0 in here.signs((symbol("a") ** 2 * symbol("b") ** 2 + symbol("c") ** 4).num)
    assert here.signs((symbol("a") ** 2 + constant(1)).num) == {1}
    square = here.given((symbol("a") ** 2).num, ">")
    assert {-1, 1} <= square.signs(symbol("a").num)


def test_infinity_and_labels_in_conditions() -> None:
    here = Context.empty()
    assert (
        truth(a < oo, here)
        and not truth(eq(a, oo), here)
        and truth(oo <= oo, here)
        and not truth(Expression("<", (oo, oo)), here)
    )
    assert not truth(Expression("<=", (oo, a)), here)
    assert truth(eq(label("x"), label("x")), here) and truth(ne(label("x"), number(1)), here)
    for odd in (Expression("<", (label("x"), label("y"))), eq(label("x"), a)):
        with pytest.raises(Unsupported):
            truth(odd, here)
    for sum_ in (Expression("<", (2 * oo, oo)), eq(oo + 1, oo), ne(oo + a, oo)):
        with pytest.raises(Unsupported):
            raise AssertionError(truth(sum_, here))


@given(SMALL, SMALL, st.sampled_from(["<", "<=", "=", ">=", ">"]))
def test_two_facts_contradict_each_other_only_when_they_do(
    low: Fraction, high: Fraction, relation: str
) -> None:
    x = symbol("a")
    here = (
        Context.empty()
        .given((x - constant(low)).num, ">=")
        .given((x - constant(high)).num, relation)
    )
    points = [low, high, low + 1, high + 1, (low + high) / 2, high - 1, low - 1]
    possible = any(
        p >= low
        and {"<": p < high, "<=": p <= high, "=": p == high, ">=": p >= high, ">": p > high}[
            relation
        ]
        for p in points
    )
    assert not (here.contradictory and possible)
    if low == high:
        assert here.contradictory is not possible


# floors

LINES = [
    a,
    a - c,
    a / 2 + c / 3,
    c / 3,
    c / 2 + a,
    a - c / 2 + 1,
    -a,
    2 * a + c,
    (c + 1) / 3,
    -c / 3,
    c * 5 / 2,
    Abs(a - c),
    exp(a),
    a / (1 + b**2),
    c + log(number(3)),
    (c * log(number(2)) + a) / log(number(2)),
]


@st.composite
def floored_places(draw: st.DrawFn) -> tuple[dict[str, Fraction], Context]:
    """A point with a whole number c, and true facts: bounds of lines by numbers or each other,
    residues of c.
    """
    at = {
        "a": draw(st.fractions(-4, 4, max_denominator=6)),
        "b": draw(SMALL),
        "c": Fraction(draw(st.integers(-7, 7))),
    }
    here = Context.empty(frozenset("c"))
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.integers(0, 2))
        if kind == 0:
            m = draw(st.integers(2, 4))
            p = c - m * floor(c / m) - draw(st.integers(0, m - 1))
        else:
            p = draw(st.sampled_from(LINES[:9])) - (
                draw(fractions(4).map(number)) if kind == 1 else draw(st.sampled_from(LINES[:9]))
            )
        s = oracle.sign(oracle.value(p, at))
        try:
            here = here.given(
                normal(p, here).num,
                {
                    1: draw(st.sampled_from((">", ">="))),
                    0: draw(st.sampled_from(("=", ">=", "<="))),
                    -1: "<",
                }[s],
            )
        except CANNOT:
            continue
    return at, here


@settings(max_examples=examples(400, 80))
@given(
    floored_places(),
    st.lists(
        st.tuples(st.integers(-2, 2), st.sampled_from(LINES), fractions(3)), min_size=1, max_size=3
    ),
)
def test_a_floor_is_the_floor_of_the_value(
    place: tuple[dict[str, Fraction], Context], listed: list[tuple[int, Expression, Fraction]]
) -> None:
    """Against the floor of 60 digits, at a point where all facts hold: settled, taken apart or
    kept whole, it is that number.
    """
    at, here = place
    e = sum((k * floor(line + number(shift)) for k, line, shift in listed), number(0))
    try:
        r = normal(e, here)
        expected, found = oracle.value(e, at), oracle.of_ratio(r, at)
    except (*CANNOT, oracle.Doubtful):
        given_that(False)
    assert oracle.near(found, expected), (str(e), r.key, at)
    assert not is_whole(r, here) or found == oracle.value(floor(e), at)


def test_floors_come_out_as_numbers_where_bounds_say_so() -> None:
    here = Context.empty(frozenset("c"))
    inside = here.given((symbol("a") - symbol("c")).num, ">").given(
        (symbol("c") + constant(1) - symbol("a")).num, ">"
    )
    assert normal(floor(a - c), inside).as_rational == 0
    assert normal(floor(a - c + 2), inside).as_rational == 2
    assert normal(floor(c - a), inside).as_rational == -1
    assert normal(floor(a - c), here).key == normal(floor(a) - c, here).key
    weak = here.given((symbol("a") - symbol("c")).num, ">=").given(
        (symbol("c") + constant(1) - symbol("a")).num, ">="
    )
    assert normal(floor(a - c), weak).as_rational is None
    assert (
        normal(floor(a - b), here).as_rational is None
        and normal(floor(a + b) - b, here).key != normal(floor(a), here).key
    )
    assert normal(floor(c + log(number(3))), here).key == normal(c + 1, here).key


def test_a_parameter_that_is_its_own_floor_is_whole() -> None:
    here = assume_condition(eq(a, floor(a)), Context.empty())
    assert is_whole(normal(3 * a - 1, here), here) and not is_whole(normal(a / 2, here), here)
    assert normal(floor(a + b) - a, here).key == normal(floor(b), here).key


@given(
    st.fractions(Fraction(1, 5), 4, max_denominator=5),
    st.fractions(Fraction(1, 5), 4, max_denominator=5),
    st.integers(-3, 3),
    st.integers(-3, 3),
    st.booleans(),
)
def test_sums_of_logarithms_have_the_sign_of_the_product(
    x: Fraction, y: Fraction, j: int, k: int, close: bool
) -> None:
    """j log(a) + k log(b), where bounds of a and b are known that hold at (x, y)."""
    here = Context.empty()
    for n, v in (("a", x), ("b", y)):
        low, high = (v, v) if close else (v / 2, v * 2)
        here = (
            here.given((symbol(n) - constant(low)).num, ">=")
            .given((constant(high) - symbol(n)).num, ">=")
            .given(symbol(n).num, ">")
        )
    e = j * log(a) + k * log(b)
    assert oracle.sign(oracle.value(e, {"a": x, "b": y})) in here.ratio_signs(normal(e, here))


def test_a_logarithm_of_a_multiple_is_a_sum() -> None:
    here = (
        Context.empty()
        .given(symbol("a").num, ">")
        .given((constant(1) - symbol("a").scale(2)).num, ">")
    )
    assert (
        normal(log(2 * a) - log(number(2)) - log(a), here).is_zero
        and normal(log(1 / a) + log(a), here).is_zero
    )
    assert here.ratio_signs(normal(log(2 * a), here)) == {-1} and here.ratio_signs(
        normal(log(1 / (3 * a)), here)
    ) == {-1, 0, 1}
    negative = Context.empty().given(symbol("a").num, "<")
    assert normal(log(a**2), negative).key == "log(a^(2))"  # 2 log(a) has no value
    assert (normal(log(-(a**3)), negative) - normal(log(-a), negative).scale(3)).is_zero


@given(
    st.fractions(Fraction(1, 5), 5, max_denominator=6),
    st.fractions(Fraction(1, 5), 5, max_denominator=6),
    st.sampled_from(["<", "<=", "=", ">=", ">"]),
)
def test_what_is_known_of_sums_of_logarithms_holds_where_they_have_that_sign(
    factor: Fraction, value: Fraction, relation: str
) -> None:
    # log(c x) rel 0 and c x rel 1 are the same: whatever a context says of c x - 1 must be the sign
    # it has at a point that satisfies the fact
    x = symbol("x")
    here = (
        Context.empty()
        .given(x.num, ">")
        .given((log_of(constant(factor)) + log_of(x)).num, relation)
    )
    gap = factor * value - 1
    if (gap > 0) - (gap < 0) in OF_RELATION[relation]:
        assert (gap > 0) - (gap < 0) in here.signs((x.scale(factor) - constant(1)).num)
        assert (value > 1) - (value < 1) in here.signs((x - constant(1)).num)
    assert here.signs((x.scale(factor) - constant(1)).num) == OF_RELATION[relation]


@given(
    st.fractions(-4, 4, max_denominator=3),
    st.fractions(-4, 4, max_denominator=3),
    st.fractions(-2, 2, max_denominator=3),
    st.fractions(-2, 2, max_denominator=3),
)
def test_a_number_against_an_exponential_has_the_sign_of_the_difference_of_logarithms(
    a: Fraction, b: Fraction, k: Fraction, x: Fraction
) -> None:
    """a + b exp(k s), where s is known to be above x - 1 or below x + 1: the sign at s = x is
    among those that are said.
    """
    s = symbol("s")
    e = number(a) + number(b) * exp(number(k) * name("s"))
    truth_ = oracle.sign(oracle.value(e, {"s": x}))
    for here in (
        Context.empty().given((s - constant(x - 1)).num, ">"),
        Context.empty().given((constant(x + 1) - s).num, ">"),
        Context.empty(),
    ):
        assert truth_ in signs_of(e, here)


def test_an_exponential_below_one_leaves_something_of_one() -> None:
    s = symbol("s")
    below = 1 - exp(-name("s") / 2) / 2
    assert signs_of(below, Context.empty().given(s.num, ">")) == {1}
    assert signs_of(-1 + exp(name("s")) / 3, Context.empty().given((constant(1) - s).num, ">")) == {
        -1
    }
    assert signs_of(1 - exp(name("s")), Context.empty().given((s - constant(1)).num, ">")) == {-1}
    assert signs_of(below, Context.empty().given((s + constant(2)).num, ">")) == {-1, 0, 1}


@pytest.mark.parametrize("at", ["0", "x - x", "x"])
def test_an_exponential_integral_of_0_has_no_value(at: str) -> None:
    with pytest.raises((ZeroDivisionError, Undecided)):
        normal(0 * Expression("Ei", (parse(at),)), Context.empty())


def test_a_label_is_not_a_number_however_that_is_written() -> None:
    """What has a name may still become a label; what has no value is compared with nothing."""
    a, here = label("a"), Context.empty()
    for said in (number(1), log(2), exp(1) + 1):
        assert truth(Expression("!=", (a, said)), here) and not truth(
            Expression("==", (said, a)), here
        )
    for side in (name("s"), name("s") + 1, log(0), Expression("<", (number(1), number(2)))):
        with pytest.raises((Unsupported, Undecided)):
            truth(Expression("==", (a, side)), here)


def test_a_sum_of_logarithms_that_is_0_is_no_contradiction() -> None:
    """log(1 + a) + log(1/(1 + a)) >= 0 holds: the product inside is 1, and its gap to 1 is 0."""
    inside = symbol("a") + constant(1)
    atoms = [Atom("log", r, f"log({r.key})") for r in (inside, constant(1) / inside)]
    p = (ratio_of_atom(atoms[0]) + ratio_of_atom(atoms[1])).num
    here = Context.empty().given(symbol("a").num, ">")
    assert len(p.terms) == 2
    assert not here.given(p, ">=").contradictory
    assert here.given(p, ">=").signs(constant(1).num) == {1}
