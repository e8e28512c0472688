"""Where an exponential polynomial is positive, against values computed here in integer arithmetic.

`Samples` holds exp(-x/6) at fixed points as a whole number over 2^BITS, from its own Taylor series;
a value that is too small against its terms to be trusted is left out.  Expected zeros are planted.
"""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.numbers.algebra import (
    ONE,
    UNIT,
    Polynomial,
    Ratio,
    constant,
    exp_of,
    log_of,
    multiply_factors,
    polynomial_of_monomial,
    replace_name,
    symbol,
)
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.exponential_sign import exponential_terms
from ahdp_verify.kernel.rules.inequalities import check_sign, extend_context
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.proving.one_variable import (
    SignPattern,
    exp_sign_proof,
    is_decidable,
    only_name,
    polynomial_of_terms,
    sign_pattern,
)
from ahdp_verify.search.proving.requirement import prove_requirement
from ahdp_verify.search.proving.root_isolation import factored_terms, refine_root
from ahdp_verify.search.proving.signs import sign_lemmas
from tests.sweeps import examples

E, BITS = symbol("e"), 600
POINTS = tuple(
    sorted(
        {Fraction(n, 6) for n in range(1, 24)}
        | {Fraction(1, 2**k) for k in range(3, 24, 3)}
        | {Fraction(n) for n in (4, 5, 7, 11, 17, 26)}
    )
)
Table = dict[tuple[int, int], Fraction]  # (k, n) -> the coefficient of e^k exp(-n e/6)


def known(*facts: tuple[Ratio, str]) -> Context:
    here = Context.empty()
    for r, relation in facts:
        here = here.given(r.num, relation)
    return here


POSITIVE = known((E, ">"))


def clock() -> Clock:
    return Limits().clock()


def q(power: int | Fraction = 1) -> Ratio:
    """exp(-power * e)."""
    return exp_of(E.scale(-Fraction(power)))


@functools.cache
def decay(x: Fraction) -> int:
    """exp(-x/6) * 2^BITS, to the last few units: the reciprocal of a Taylor series."""
    term = total = 1 << 2 * BITS
    k = 1
    while term:
        term = term * x.numerator // (6 * x.denominator * k)
        total, k = total + term, k + 1
    return (1 << 3 * BITS) // total


@functools.cache
def decays(x: Fraction, n: int) -> int:
    return 1 << BITS if n == 0 else decays(x, n - 1) * decay(x) >> BITS


def sign_at(f: Table, x: Fraction) -> int | None:
    """The sign of f * exp(least n * x/6) at x; None where rounding could change it."""
    least, most, whole = (
        min(n for _, n in f),
        max(k for k, _ in f),
        math.lcm(*(c.denominator for c in f.values())),
    )
    u, v = (
        x.numerator,
        x.denominator,
    )  # all in whole numbers: times `whole` and v^most, which are positive
    terms = [
        c.numerator * (whole // c.denominator) * u**k * v ** (most - k) * decays(x, n - least)
        for (k, n), c in f.items()
    ]
    total, size = sum(terms), max(map(abs, terms))
    return None if abs(total) << (BITS - 100) < size else (total > 0) - (total < 0)


def table_of(p: Polynomial) -> Table:
    table: Table = {}
    for m, c in p.terms.items():
        powers = {a.kind: k for a, k in m.powers}
        table[int(powers.get("name", 0)), -int(6 * powers.get("exp", 0))] = c
    return table


def changes(signs: list[int]) -> int:
    return sum(a != b for a, b in itertools.pairwise(signs))


def agrees(p: Polynomial, found: SignPattern) -> None:
    """The pattern says the sampled sign at every point, and has at least the sampled changes of
    sign.
    """
    assert len(found.signs) == len(found.roots) + 1
    assert all(a.high < b.low for a, b in itertools.pairwise(found.roots))
    assert all(
        (r.odd and s == -t) or (not r.odd and s == t)
        for r, s, t in zip(found.roots, found.signs[:-1], found.signs[1:], strict=True)
    )
    f, seen = table_of(p), []
    for x in POINTS:
        s = sign_at(f, x)
        places = {sum(r.high < x for r in found.roots), sum(r.low <= x for r in found.roots)}
        if s is not None:
            seen.append(s)
        if s is not None and len(places) == 1:
            assert s == found.signs[places.pop()], (p, x)
    assert changes(seen) <= changes(list(found.signs))


def decided(p: Polynomial, here: Context = POSITIVE) -> SignPattern:
    found = sign_pattern(p, here, clock())
    assert isinstance(found, SignPattern), found
    return found


rates = st.builds(Fraction, st.integers(-3, 3), st.sampled_from((1, 1, 1, 2, 3)))
coefficients = st.builds(
    Fraction, st.sampled_from((-5, -3, -2, -1, 1, 2, 4, 5)), st.sampled_from((1, 1, 2, 7))
)
sums = st.dictionaries(
    st.tuples(st.sampled_from((0, 0, 0, 1, 2)), rates), coefficients, min_size=1, max_size=4
)
factors = st.lists(st.tuples(sums, st.sampled_from((1, 1, 2, 3))), min_size=1, max_size=3)
exponential_polynomials = factors.map(
    lambda listed: multiply_factors(
        ONE, [(polynomial_of_terms(table, "e"), power) for table, power in listed]
    )
)


@settings(
    max_examples=examples(300, 12), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # on a busy machine drawing is slow too
@given(exponential_polynomials)
def test_the_pattern_of_a_random_exponential_polynomial_agrees_with_brute_force(
    p: Polynomial,
) -> None:
    if only_name(p) is None:
        assert isinstance(sign_pattern(p, POSITIVE, clock()), Declined)  # no e is left in it
        return
    found = decided(p)
    agrees(p, found)
    for relation, holds in (
        (">=", set(found.signs) == {1}),
        (">", set(found.signs) == {1} and not found.roots),
    ):
        assert (exp_sign_proof(p, relation, POSITIVE, clock()) is not None) is holds


positive = st.builds(Fraction, st.integers(1, 30), st.integers(1, 12))


@settings(max_examples=examples(200, 12), deadline=None)
@given(
    st.dictionaries(positive, st.integers(1, 3), max_size=2),
    st.dictionaries(positive.filter(lambda r: r < 1), st.integers(1, 3), max_size=2),
    st.integers(0, 3),
)
def test_planted_zeros_are_found_with_their_order(
    rational: dict[Fraction, int], of_q: dict[Fraction, int], at_zero: int
) -> None:
    """Zeros at e = a and at exp(-e) = b, to given powers, times a power of e - 1 + exp(-e),
    which has a double zero at e = 0 only.
    """
    factors = [((E - constant(a)).num, k) for a, k in rational.items()] + [
        ((q() - constant(b)).num, k) for b, k in of_q.items()
    ]
    p = multiply_factors((q(2) + E).num, [*factors, ((E - constant(1) + q()).num, at_zero)])
    found = decided(p)
    wanted = [(constant(a), k) for a, k in rational.items()] + [
        (-log_of(constant(b)), k) for b, k in of_q.items()
    ]
    assert len(found.roots) == len(wanted)
    for root in found.roots:
        assert root.exact is not None
        assert [k % 2 == 1 for v, k in wanted if (v - root.exact).is_zero] == [root.odd]
    assert found.signs[-1] == (-1) ** sum(of_q.values())
    agrees(p, found)


# What no simple form has: the zero of e = exp(-e) is the omega constant (OEIS A030178), that of e =
# 2 - 2 exp(-e) is W(-2 exp(-2)) + 2.
OMEGA = Fraction(567143290409783872999968662210355549753815787186512508135131, 10**60)


def test_a_zero_without_closed_form_is_isolated_and_refined() -> None:
    (root,) = decided((E - q()).num).roots
    assert root.exact is None
    assert root.low < OMEGA < root.high
    fine = refine_root(root, 150, clock())
    assert fine.low < OMEGA < fine.high
    assert fine.high - fine.low <= Fraction(1, 1 << 150)
    assert len(decided((E - constant(2) + q().scale(2)).num).roots) == 1


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("3*exp(-e) - 2", ["log(3/2)"]),
        ("exp(-e/3) - 1/2", ["3*log(2)"]),
        ("exp(-3*e/2)*(3*exp(-2*e) - 2)", ["log(3/2)/2"]),
        ("2*e - 5", ["5/2"]),
        ("e^2 - 2", ["2^(1/2)"]),
        ("exp(-2*e) - 3*exp(-e) + 1", ["-log((3 - 5^(1/2))/2)"]),
        ("(2*exp(-e) - 1)*(e - 3)*(3*exp(-e) - 2)^2", ["log(3/2)", "log(2)", "3"]),
    ],
)
def test_a_zero_with_a_closed_form_has_it(text: str, exact: list[str]) -> None:
    here = POSITIVE
    roots = decided(normal(parse(text), here).num).roots
    assert len(roots) == len(exact)
    for root, wanted in zip(roots, exact, strict=True):
        value = normal(parse(wanted), here)
        assert root.exact is not None
        assert (root.exact - value).is_zero
        assert constant_sign(constant(root.high) - value) in (0, 1)
        assert constant_sign(value - constant(root.low)) in (0, 1)


def taylor(order: int) -> Ratio:
    """exp(-e) without the first terms of its series: it has a zero of this order at 0, and no
    other for e > 0.
    """
    total, term = q(), constant(1)
    for k in range(order):
        total = total - term
        term = term * E.scale(Fraction(-1, k + 1))
    return total


@pytest.mark.sweep(5)
@pytest.mark.parametrize("order", range(1, 13))
def test_a_tie_of_any_order_at_0_is_decided(order: int) -> None:
    p = taylor(order).scale((-1) ** order)
    assert decided(p.num).signs == (1,)
    assert exp_sign_proof(p.num, ">", POSITIVE, clock()) is not None
    assert exp_sign_proof((-p).num, ">=", POSITIVE, clock()) is None
    tiny = constant(Fraction(1, 10**30))
    assert decided((p - tiny).num).signs == (-1, 1)  # negative near 0 only


@pytest.mark.parametrize("size", [1, 10**3, 10**9, 10**40])
def test_a_tie_at_infinity_is_decided(size: int) -> None:
    small = constant(Fraction(1, size))
    assert decided((q(Fraction(1, 3)) * (constant(1) - q()) + q(2).scale(size)).num).signs == (1,)
    assert decided((small * E * q() - E**2 * q(2)).num).signs in ((1,), (-1, 1), (1, -1, 1))
    assert decided((small - E * q()).num).signs == (
        (1,) if size == 1 else (1, -1, 1)
    )  # e exp(-e) <= exp(-1)
    assert decided((small * E - constant(1)).num).roots[0].exact is not None
    for sign_ in (1, -1):
        p = (q(2).scale(sign_) + q(3).scale(size)).num  # the sign of the slower term far out
        assert decided(p).signs[-1] == sign_


TO_LOG = known((E, ">"), (log_of(constant(Fraction(3, 2))) - E, ">="))


def test_the_end_of_an_interval_counts_for_strictness() -> None:
    p = (q().scale(3) - constant(2)).num
    for relation, holds in ((">=", True), (">", False)):
        assert (exp_sign_proof(p, relation, TO_LOG, clock()) is not None) is holds
    open_end = known((E, ">"), (log_of(constant(Fraction(3, 2))) - E, ">"))
    assert exp_sign_proof(p, ">", open_end, clock()) is not None
    assert exp_sign_proof(p, ">=", POSITIVE, clock()) is None
    mixed = ((q().scale(3) - constant(2)) * (E - constant(1) + q())).num
    for relation, here in ((">=", TO_LOG), (">", open_end)):
        assert exp_sign_proof(mixed, relation, here, clock()) is not None
    assert decided(p, TO_LOG).signs == (1,)
    assert decided(p, known((E - constant(1), ">="))).signs == (-1,)
    said_of_q = known((E, ">"), (q().scale(3) - constant(2), ">="))
    assert exp_sign_proof((q(2).scale(9) - constant(4)).num, ">=", said_of_q, clock()) is not None


def test_a_factor_that_vanishes_at_an_end_that_is_not_a_rational_number() -> None:
    """e^2 - 2 at the square root of 2, 3 exp(-2 e) - 2 at log(3/2)/2, e - log(2) is not asked
    for: it has an irrational coefficient.
    """
    for p, end in (
        ((E**2 - constant(2)).num, normal(parse("2^(1/2)"), POSITIVE)),
        ((constant(2) - q(2).scale(3)).num, log_of(constant(Fraction(3, 2))).scale(Fraction(1, 2))),
    ):
        above, below = known((E - end, ">=")), known((E, ">="), (end - E, ">="))
        assert exp_sign_proof(p, ">=", above, clock()) is not None
        assert exp_sign_proof(p, ">", above, clock()) is None
        assert exp_sign_proof(-p, ">=", below, clock()) is not None
        assert exp_sign_proof(-p, ">", below, clock()) is None
        assert exp_sign_proof(p, ">=", below, clock()) is None


@pytest.mark.parametrize(
    "facts", [(), ((constant(1) - E, ">"),), ((E - symbol("f"), ">"), (symbol("f"), ">"))]
)
def test_without_a_lower_bound_it_declines(facts: tuple[tuple[Ratio, str], ...]) -> None:
    found = sign_pattern((constant(1) + q()).num, known(*facts), clock())
    assert isinstance(found, Declined)
    assert "from below" in found.reason
    assert exp_sign_proof((constant(1) + q()).num, ">", known(*facts), clock()) is None


def test_an_interval_that_reaches_below_0_is_sound() -> None:
    here = known((E + constant(2), ">"))
    assert decided((E + constant(1)).num, here).signs == (-1, 1)
    assert decided((q() + constant(1)).num, here).signs == (1,)
    assert isinstance(
        sign_pattern((E - constant(1) + q()).num, here, clock()), Declined
    )  # a double zero inside, where e and exp(e) are both algebraic
    assert exp_sign_proof((E - constant(1) + q()).num, ">=", here, clock()) is None
    assert exp_sign_proof((constant(1) - q()).num, ">=", here, clock()) is None


def test_an_empty_interval_gets_no_proof() -> None:
    here = known((E - constant(2), ">"), (constant(1) - E, ">"))
    assert exp_sign_proof((q() - constant(7)).num, ">=", here, clock()) is None
    assert isinstance(sign_pattern((E + q()).num, here, clock()), Declined)


@pytest.mark.parametrize(
    "text",
    [
        "e*f",
        "exp(e^2)",
        "exp(e) - 2^(1/2)",
        "log(2)*e",
        "pi*e",
        "2",
        "floor(e)",
        "abs(e - 1)",
        "exp(e*log(2))",
    ],
)
def test_what_is_not_a_rational_exponential_polynomial_is_declined(text: str) -> None:
    p = normal(parse(text), POSITIVE).num
    assert isinstance(sign_pattern(p, POSITIVE, clock()), Declined)
    assert exp_sign_proof(p, ">=", POSITIVE, clock()) is None


HARD = (
    (E - q())
    * (E**2 - q().scale(3))
    * (E - constant(1) - q(2))
    * (q() - constant(Fraction(1, 10**9)) * E)
).num


@pytest.mark.parametrize(
    ("limits", "word"),
    [
        (Limits(pieces=3), "--pieces"),
        (Limits(seconds=1e-9), "--seconds"),
        (Limits(bits=53), "--bits"),
    ],
)
def test_it_never_loops(limits: Limits, word: str) -> None:
    found = sign_pattern(HARD if word != "--bits" else near(OMEGA), POSITIVE, limits.clock())
    assert isinstance(found, Declined)
    assert word in found.reason


def test_what_would_take_long_to_factor_is_declined_at_once() -> None:
    p = multiply_factors(ONE, (((E**3 + q(Fraction(1, 997)) - q(2)).num, 3),))
    found = sign_pattern(p, POSITIVE, clock())
    assert isinstance(found, Declined)
    assert "degree" in found.reason
    assert exp_sign_proof(p, ">=", POSITIVE, clock()) is None


def near(x: Fraction) -> Polynomial:
    """Two zeros, of different factors, that differ by less than 10^-50: at e = exp(-e) and at a
    rational number beside it.
    """
    return ((E - q()) * (E - constant(x.limit_denominator(10**30)))).num


def test_zeros_that_are_close_are_told_apart_with_enough_bits() -> None:
    found = decided(near(OMEGA))
    assert len(found.roots) == 2
    assert sorted(r.exact is None for r in found.roots) == [False, True]


def test_a_search_that_stops_says_so_and_proves_nothing() -> None:
    with pytest.raises(OutOfLimits):
        exp_sign_proof(
            (HARD * HARD * (E - constant(1) + q()).num), ">", POSITIVE, Limits(pieces=1).clock()
        )


def test_the_factors_multiply_back() -> None:
    p = (
        (E - q(Fraction(1, 2))) ** 2 * (q(3) - constant(Fraction(2, 7))) * E**3 * q(Fraction(5, 3))
    ).num
    unit, rate, listed = factored_terms(exponential_terms(p, "e"))
    whole = polynomial_of_monomial(UNIT, unit)
    for table, power in listed:
        whole = multiply_factors(whole, ((polynomial_of_terms(table, "e"), power),))
    assert whole * polynomial_of_terms({(0, rate): Fraction(1)}, "e") == p
    assert sorted(power for _, power in listed) == [1, 2, 3]


# The sign of F at a fixed exact eps: balls, and the canonical form for ties.


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("3*exp(-e) - 2", "log(3/2)", 0),
        ("3*exp(-e) - 2", "405465108108164/10^15", 1),  # log(3/2) = 0.405465108108164381978...
        ("3*exp(-e) - 2", "405465108108165/10^15", -1),
        ("exp(2*e) - 2*exp(e) - (exp(e) - 1)^2 + 1", "1", 0),
        ("e - 1 + exp(-e)", "1/3", 1),
        ("e - log(2)", "log(2)", 0),
        ("exp(-e/2) - 2^(-1/2)", "log(2)", 0),
        ("exp(e/3)^3 - exp(e)", "1/3", 0),
        (
            "exp(-e) - 367879441171442321595523770161/10^30",
            "1",
            1,
        ),  # exp(-1) = 0.36787944117144232159552377016146...
        ("exp(-e) - 367879441171442321595523770162/10^30", "1", -1),
    ],
)
def test_at_a_fixed_eps_the_sign_is_decided_ties_included(
    text: str, at: str, expected: int
) -> None:
    value = replace_name(
        normal(parse(text), Context.empty()), "e", normal(parse(at), Context.empty())
    )
    assert constant_sign(value) == expected


# The places where the search uses it.


def test_a_requirement_is_proved_by_it() -> None:
    p = taylor(6)
    answer = prove_requirement(p, ">=", POSITIVE, clock())
    assert answer is not None
    check_sign(p, ">=", answer[1], extend_context(answer[0], POSITIVE))
    assert prove_requirement(p - constant(Fraction(1, 10**6)), ">=", POSITIVE, clock()) is None


def test_coefficients_of_other_names_are_proved_one_by_one() -> None:
    """n * (exp(-e) - 1 + e) + m * (1 - exp(-e))^2 with n, m >= 0."""
    n, m = symbol("n"), symbol("m")
    here = known((E, ">"), (n, ">="), (m, ">="))
    p = n * taylor(2) + m * m * (constant(1) - q()) ** 2 + n * m
    answer = prove_requirement(p, ">=", here, clock())
    assert answer is not None
    check_sign(p, ">=", answer[1], extend_context(answer[0], here))


def test_a_name_that_a_fact_fixes_leaves_the_exponents() -> None:
    """exp(-e s) + e - 1 with s = t + 1 and t = 0 beside it: then it is exp(-e) + e - 1 >= 0."""
    s, t = symbol("s"), symbol("t")
    here = known((E, ">"), (t, ">="), (s - t - constant(1), "="))
    p = exp_of(E * (t - s)) + E - constant(1)
    answer = prove_requirement(p, ">=", here, clock())
    assert answer is not None
    check_sign(p, ">=", answer[1], extend_context(answer[0], here))


@pytest.mark.parametrize(
    ("r", "signs"),
    [
        (taylor(3), {-1}),
        (taylor(4), {1}),
        ((q().scale(2) - constant(1)) ** 2, {0, 1}),
        (E - q(), {-1, 0, 1}),
    ],
)
def test_a_guard_gets_its_sign(r: Ratio, signs: set[int]) -> None:
    lemmas = sign_lemmas(r.num, POSITIVE, clock())
    here = extend_context(lemmas, POSITIVE)
    assert here.signs(r.num) == signs
    assert bool(lemmas) is (len(signs) < 3)
    assert is_decidable(r.num, POSITIVE)


def test_a_lower_bound_that_other_facts_give_is_used() -> None:
    """e >= d and d >= 1/2: then e - 1 + exp(-e) > 0."""
    d = symbol("d")
    here = known((E - d, ">="), (d - constant(Fraction(1, 2)), ">="))
    answer = prove_requirement(taylor(2), ">", here, clock())
    assert answer is not None
    check_sign(taylor(2), ">", answer[1], extend_context(answer[0], here))
    assert extend_context(sign_lemmas(taylor(2).num, here, clock()), here).signs(taylor(2).num) == {
        1
    }
