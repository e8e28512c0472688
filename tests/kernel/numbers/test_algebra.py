"""The arithmetic of polynomials and ratios against numbers in 60 digits, and against SymPy where
it has a canonical form.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from fractions import Fraction

import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Polynomial,
    Ratio,
    constant,
    divide,
    exp_of,
    inverse_ratio,
    leading_growth,
    linear_coefficients,
    log_of,
    primitive_part,
    ratio_power,
    replace_name,
    symbol,
)
from tests import oracle

a, b, s = symbol("a"), symbol("b"), symbol("s")
ATOMS = [
    a,
    b,
    constant(2),
    constant(3),
    constant(-1),
    constant(Fraction(5, 6)),
    algebra.PI,
    exp_of(a),
    exp_of(-a * b),
    exp_of(constant(Fraction(1, 2))),
    exp_of(a / (b + constant(7))),
    exp_of(log_of(constant(2)) * b),
    ratio_power(constant(2), constant(Fraction(1, 2))),
    ratio_power(constant(12), constant(Fraction(-1, 3))),
    log_of(constant(6)),
    log_of(a * a + constant(1)),
]
AT = st.fixed_dictionaries(
    {
        n: st.sampled_from([Fraction(x) for x in ("-2", "-1/3", "0", "1/2", "1", "3")])
        for n in ("a", "b", "s")
    }
)


@st.composite
def polynomials(draw: st.DrawFn, size: int = 4) -> Ratio:
    total = constant(draw(st.integers(-2, 2)))
    for _ in range(draw(st.integers(0, size))):
        piece = constant(draw(st.sampled_from([1, -1, 2, Fraction(-3, 4)])))
        for atom in draw(st.lists(st.sampled_from(ATOMS), max_size=3)):
            piece = piece * atom
        total = total + piece
    return total


@st.composite
def ratios(draw: st.DrawFn) -> Ratio:
    top = draw(polynomials())
    for _ in range(draw(st.integers(0, 2))):
        bottom = draw(polynomials(2))
        top = top if bottom.is_zero else top / bottom
    return top


def same(r: Ratio, expected: object, at: oracle.Point) -> None:
    assert oracle.near(oracle.of_ratio(r, at), expected), (r.key, at)


@given(ratios(), ratios(), AT)
def test_field_operations_are_those_of_numbers(r: Ratio, q: Ratio, at: dict[str, Fraction]) -> None:
    try:
        x, y = oracle.of_ratio(r, at), oracle.of_ratio(q, at)
    except oracle.Undefined:
        return
    same(r + q, x + y, at)
    same(r - q, x - y, at)
    same(r * q, x * y, at)
    same(-r, -x, at)
    same(r**3, x**3, at)
    same(r.scale(Fraction(-2, 7)), x * oracle.real(Fraction(-2, 7)), at)
    if oracle.sign(y):
        same(r / q, x / y, at)
        same(q**-2, y**-2, at)


@given(polynomials(), polynomials(), polynomials())
def test_identities_hold_by_construction(r: Ratio, q: Ratio, p: Ratio) -> None:
    assert (r * (q + p) - r * q - r * p).is_zero
    assert ((r + q) * (r - q) - r * r + q * q).is_zero
    if not q.is_zero:
        assert (r * q / q - r).is_zero and (inverse_ratio(inverse_ratio(q)) - q).is_zero


@given(polynomials(), polynomials(), AT)
def test_equal_forms_are_equal_numbers(r: Ratio, q: Ratio, at: dict[str, Fraction]) -> None:
    assert (r.num.key == q.num.key) is (r.num == q.num) is (r - q).is_zero
    if r.num == q.num:
        assert oracle.near(oracle.of_ratio(r, at), oracle.of_ratio(q, at))


@given(polynomials())
def test_content_and_primitive_part_multiply_to_the_polynomial(r: Ratio) -> None:
    p = r.num
    if not p.terms:
        return
    c, m, primitive = primitive_part(p)
    assert (Ratio(algebra.polynomial_of_monomial(m, c)) * Ratio(primitive) - Ratio(p)).is_zero
    coefficients = list(primitive.terms.values())
    assert (
        all(v.denominator == 1 for v in coefficients)
        and sympy.gcd_list([v.numerator for v in coefficients]) == 1
    )
    assert primitive_part(primitive) == (Fraction(1), algebra.UNIT, primitive)
    assert primitive_part(p.scale(Fraction(-6, 5)))[2] == primitive


ROOT = ratio_power(constant(2), constant(Fraction(1, 2)))


@given(polynomials(), polynomials(2))
@example(ROOT, ROOT)
def test_division_is_exact_or_refused(r: Ratio, q: Ratio) -> None:
    if not q.num.terms:
        return
    found = divide(r.num, q.num)
    if found is not None:
        assert found * q.num == r.num
    product = divide(r.num * q.num, q.num)
    assert product is None or product == r.num


@st.composite
def plain(draw: st.DrawFn) -> tuple[Polynomial, sympy.Expr]:
    """A polynomial in a, b, s with rational coefficients, in both systems."""
    ours, theirs = Ratio(algebra.ZERO), sympy.Integer(0)
    for _ in range(draw(st.integers(1, 4))):
        c, exponents = (
            draw(st.sampled_from([Fraction(1), Fraction(-2), Fraction(3, 2)])),
            draw(st.tuples(*[st.integers(0, 2)] * 3)),
        )
        piece, other = constant(c), sympy.Rational(c.numerator, c.denominator)
        for letter, e in zip("abs", exponents, strict=True):
            piece, other = piece * symbol(letter) ** e, other * sympy.Symbol(letter) ** e
        ours, theirs = ours + piece, theirs + other
    return ours.num, sympy.expand(theirs)


@given(plain(), plain())
def test_division_agrees_with_sympy(
    p: tuple[Polynomial, sympy.Expr], q: tuple[Polynomial, sympy.Expr]
) -> None:
    if q[1] == 0:
        assert not q[0].terms
        return
    found, remainder = (
        divide(p[0] * q[0], q[0]),
        sympy.rem(p[1], q[1], *sympy.symbols("a b s")) if p[1] != 0 else 0,
    )
    assert found is not None and found == p[0]
    assert (divide(p[0], q[0]) is not None) is (
        remainder == 0 or sympy.cancel(p[1] / q[1]).is_polynomial(*sympy.symbols("a b s"))
    )


@given(ratios(), AT)
def test_exponentials(r: Ratio, at: dict[str, Fraction]) -> None:
    try:
        x = oracle.of_ratio(r, at)
        expected = oracle._exp(x)
        same(exp_of(r), expected, at)
        same(exp_of(r) * exp_of(-r), oracle.mpf(1), at)
        same(log_of(exp_of(r)), x, at)
    except (oracle.Undefined, oracle.Doubtful):
        return


BASES = st.fractions(min_value=Fraction(1, 30), max_value=50, max_denominator=30)
EXPONENTS = st.fractions(min_value=-3, max_value=3, max_denominator=6)


@given(BASES, EXPONENTS, st.sampled_from([None, a, b]), AT)
def test_powers_of_positive_numbers(
    base: Fraction, exponent: Fraction, name: Ratio | None, at: dict[str, Fraction]
) -> None:
    inside = constant(base) if name is None else constant(base) * exp_of(name)
    value = oracle.of_ratio(inside, at)
    same(ratio_power(inside, constant(exponent)), value ** oracle.real(exponent), at)
    same(log_of(inside), oracle.mp.log(value), at)
    same(exp_of(log_of(inside).scale(exponent)), value ** oracle.real(exponent), at)


@given(polynomials(), st.sampled_from(["a", "b"]), AT)
def test_linear_splits(r: Ratio, name: str, at: dict[str, Fraction]) -> None:
    split = linear_coefficients(r.num, name)
    if split is not None:
        k, m = split
        assert name not in algebra.polynomial_names(k) | algebra.polynomial_names(m)
        assert k * symbol(name).num + m == r.num
    else:
        values = [oracle.of_polynomial(r.num, {**at, name: Fraction(v)}) for v in (0, 1, 2, 3)]
        straight = oracle.near(values[2] - values[1], values[1] - values[0]) and oracle.near(
            values[3] - values[2], values[1] - values[0]
        )
        assert not straight or any(
            name in algebra.atom_names(x) for x in algebra.polynomial_atoms(r.num)
        )


NEW = [
    (constant(2), lambda at: Fraction(2)),
    (Ratio(algebra.ZERO), lambda at: Fraction(0)),
    (b * b, lambda at: at["b"] ** 2),
    (constant(1) / (b * b + constant(1)), lambda at: 1 / (at["b"] ** 2 + 1)),
    (b + s, lambda at: at["b"] + at["s"]),
]


@given(ratios(), st.sampled_from(NEW), AT)
def test_replacement(r: Ratio, new: tuple[Ratio, object], at: dict[str, Fraction]) -> None:
    value = new[1](at)  # type: ignore[operator]
    try:
        expected = oracle.of_ratio(r, {**at, "a": value})
        found = replace_name(r, "a", new[0])
    except (oracle.Undefined, oracle.Doubtful, Unsupported, ZeroDivisionError):
        return
    same(found, expected, at)


@given(
    st.lists(
        st.tuples(st.integers(-2, 2), st.integers(0, 2), st.sampled_from([1, -3, Fraction(1, 2)])),
        min_size=1,
        max_size=4,
    )
)
def test_growth_is_the_behaviour_far_out(terms: list[tuple[int, int, Fraction]]) -> None:
    total = constant(0)
    for rate, degree, c in terms:
        total = total + exp_of(constant(rate) * s) * s**degree * constant(c)
    if total.is_zero:
        return
    (rate, degree), c = leading_growth(total.num, "s")
    far = oracle.mpf(10) ** 4
    exact = sum(oracle.real(Fraction(k)) * oracle.mp.exp(r * far) * far**d for r, d, k in terms)
    leading = (
        oracle.of_polynomial(c, {}) * oracle.mp.exp(oracle.real(rate) * far) * far ** int(degree)
    )
    assert abs(exact / leading - 1) < oracle.mpf(10) ** -2


def test_no_name_can_pass_for_another_atom() -> None:
    texts = ["exp(s)", "log(s)", "2'", "pi", "|s|", "floor(s)", "1"]
    genuine = [
        exp_of(s),
        log_of(s * s),
        ratio_power(constant(2), constant(Fraction(1, 2))),
        algebra.PI,
        exp_of(constant(1)),
    ]
    algebra.atom_names.cache_clear()
    for text in texts:
        try:
            forged = symbol(text)
        except Exception:
            continue
        assert forged.num != exp_of(s).num
        assert all(
            x not in algebra.polynomial_atoms(r.num)
            for r in genuine
            for x in algebra.polynomial_atoms(forged.num)
        ), text
        algebra.polynomial_names(forged.num)
    assert algebra.polynomial_names(exp_of(s).num) == {"s"}


def test_known_constants() -> None:
    two = constant(2)
    root = ratio_power(two, constant(Fraction(1, 2)))
    assert (root * root - two).is_zero and (
        ratio_power(constant(8), constant(Fraction(2, 3))) - constant(4)
    ).is_zero
    assert (log_of(constant(6)) - log_of(two) - log_of(constant(3))).is_zero
    assert not (root - constant(Fraction(141421356, 10**8))).is_zero
    with pytest.raises(ZeroDivisionError):
        inverse_ratio(constant(0))
    with pytest.raises(Unsupported):
        ratio_power(a + b, constant(65))


def test_a_polynomial_takes_no_hash_along_to_another_process() -> None:
    """Hashes of texts differ between processes: one that was kept would not be found there."""
    program = (
        "import pickle, sys; p, q = pickle.loads(sys.stdin.buffer.read()); "
        "print(p == q * q, len({p, q * q}))"
    )
    q = (symbol("a") + symbol("b")).num
    p = q * q
    assert hash(p) == hash(q * q)
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=pickle.dumps((p, q)),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        assert done.stdout.decode().split() == ["True", "1"]
