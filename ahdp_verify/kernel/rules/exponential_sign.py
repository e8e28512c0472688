"""The rule `ExpSign`: a polynomial in one name e and powers of exp(e), with rational coefficients,
is >= 0 (or > 0) on an interval of e.

    p = f_1^k_1 ... f_n^k_n      each f_i with odd k_i has one sign on [u, v]
    the product of these signs is >= 0
    -------------------------------------------------------------------------
                          here, u <= e <= v |- p >= 0

p       the polynomial in e and exp(e);  f_i its stated factors
u, v    the constants by which two facts bound e; v may be missing, then e is unbounded

The checker multiplies the factors out.  A factor to an even power is >= 0.  Any other factor has
one sign on the whole interval, shown in one of two ways.

Without e outside exponentials it is, up to a factor exp(a e) > 0, a polynomial in r = exp(-g e) for
the largest such g > 0; Sturm's theorem counts its roots between the images of the ends.  Otherwise
points x_1 < ... < x_m cut the interval, and the factor f has the same sign on each piece:
    between two points   by a ball
    beside an end v      f and its first derivatives vanish at v exactly, k of them in all, and the
                         k-th derivative has one sign on the piece
    beyond x_m, if e is unbounded: f = exp(a e) (P(e) + terms c e^j exp(-d e), d > 0), where the
    Taylor coefficients of P at x_m have one sign, so that |P| grows, each term falls because j <= d
    x_m, and at x_m all of them together are smaller than |P|

If a fact states e = v, only the sign at v has to be shown.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of, symbol
>>> e = symbol("e")
>>> here = Context.empty().given(e.num, ">")
>>> from ahdp_verify.kernel.numbers.normal_form import to_expression
>>> p = (exp_of(-e) + e - constant(1)).num                               # vanishes to second order at 0
>>> check_exp_sign(p, ">", ExpSign(((to_expression(Ratio(p)), 1, (Fraction(2),)),), 0), here)
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import flint

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import ExpSign
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.ball_between import Terms, magnitude_bound, sign_between
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context, Fact
from ahdp_verify.kernel.numbers.normal_form import message_text, normal
from ahdp_verify.kernel.terms.expression import Expression

PRECISIONS = (128, 512, 2048)  # bits of the balls, tried in turn
POWER, DEGREE, ORDER = (
    64,
    256,
    64,
)  # largest power of a factor, degree in r, and order of a zero at an end; guard the running time
CONSTANT = (0, Fraction(0))


@dataclass(frozen=True, slots=True)
class VariableInterval:
    """Where e lies: from `low` to `high` (None: without bound), each a constant; whether the
    ends belong to it.
    """

    low: Ratio
    high: Ratio | None
    low_included: bool
    high_included: bool


def exponential_terms(p: Polynomial, name: str) -> Terms:
    """p as a table of terms c e^k exp(a e); Rejected if it is anything else."""
    e = algebra.name_atom(name)
    x = algebra.exp_atom(algebra.Monomial(((e, 1),)), ())
    table: dict[tuple[int, Fraction], Fraction] = {}
    for m, c in p.terms.items():
        powers = dict(m.powers)
        key = (int(powers.pop(e, 0)), Fraction(powers.pop(x, 0)))
        if powers or key[0] < 0:
            raise Rejected(f"{message_text(p)} is not a polynomial in {name} and exp({name})")
        table[key] = Fraction(c)
    return table


def terms_derivative(f: Terms) -> Terms:
    """The derivative by e."""
    result: dict[tuple[int, Fraction], Fraction] = {}
    for (k, a), c in f.items():
        for key, d in (((k - 1, a), c * k), ((k, a), c * a)):
            result[key] = result.get(key, Fraction(0)) + d
    return {key: c for key, c in result.items() if c}


def terms_value(f: Terms, x: Ratio) -> Ratio:
    """f at a constant."""
    terms = ((x**k * exp_of(x.scale(a))).scale(c) for (k, a), c in f.items())
    return sum(terms, constant(0))


def fact_end(fact: Fact, name: str) -> tuple[Ratio, bool]:
    """(v, whether the fact bounds e from below, if it is not an equality) for a fact k e >= k v and
    the like, or the same about exp(a e).
    """
    parts = algebra.linear_coefficients(fact.polynomial, name)
    if parts is not None and (k := parts[0].as_rational) and not algebra.polynomial_names(parts[1]):
        return Ratio(parts[1]).scale(-1 / k), k > 0
    f = exponential_terms(fact.polynomial, name)
    d = f.get(CONSTANT, Fraction(0))
    growing = [(a, c) for (k, a), c in f.items() if k == 0 and a]
    if len(f) != 2 or len(growing) != 1 or d / growing[0][1] >= 0:
        raise Rejected(f"the fact {message_text(fact.polynomial)} is not a bound of {name}")
    ((a, c),) = growing
    return log_of(constant(-d / c)).scale(1 / a), c * a > 0


def inequality_bound(fact: Fact, name: str) -> tuple[Ratio, bool, bool]:
    """(v, whether it is a lower bound, whether v is included) for an inequality that bounds e."""
    included = {">": False, ">=": True}.get(fact.relation)
    if included is None:
        raise Rejected("an equality is not a bound")
    return *fact_end(fact, name), included


def fact_interval(low: int, high: int | None, name: str, here: Context) -> VariableInterval:
    """The interval that the facts with these numbers leave to a name; Rejected if they are not
    such bounds.
    """
    numbers = (low,) if high is None else (low, high)
    if not all(isinstance(i, int) and 0 <= i < len(here.facts) for i in numbers):
        raise Rejected("a bound refers to a fact that does not exist")
    ends = [inequality_bound(here.facts[i], name) for i in numbers]
    if [lower for _, lower, _ in ends] != [True, False][: len(ends)]:
        raise Rejected(
            f"the facts do not bound {name} from below, and from above where an upper end is given"
        )
    upper = ends[1] if len(ends) > 1 else (None, False, False)
    return VariableInterval(ends[0][0], upper[0], ends[0][2], upper[2])


def check_exp_sign(p: Polynomial, relation: str, proof: ExpSign, here: Context) -> None:
    """Nothing if the factors multiply to p and their signs show p >= 0 (or p > 0) for every
    value that the facts leave to e; Rejected otherwise.
    """
    used = algebra.polynomial_names(p)
    if relation not in (">=", ">") or len(used) != 1:
        raise Rejected(f"{message_text(p)} {relation} 0 is not in one name only")
    (name,) = used
    if proof.low in range(len(here.facts)) and here.facts[proof.low].relation == "=":
        _check_at_point(
            exponential_terms(p, name), relation, proof, fact_end(here.facts[proof.low], name)[0]
        )
        return
    where = fact_interval(proof.low, proof.high, name, here)
    listed = [
        (factor_polynomial(tree, here), power, points) for tree, power, points in proof.factors
    ]
    if not all(isinstance(power, int) and 1 <= power <= POWER for _, power, _ in listed):
        raise Rejected("the power of a factor is not a positive integer")
    if algebra.multiply_factors(algebra.ONE, ((f, power) for f, power, _ in listed)) != p:
        raise Rejected(f"the factors do not multiply to {message_text(p)}")
    direction = 1
    for f, power, points in listed:
        table = exponential_terms(f, name)
        if power % 2 or relation == ">":
            direction *= factor_sign(table, points, where, relation == ">") ** power
    if direction != 1:
        raise Rejected(f"the factors show that {message_text(p)} is negative")


def _check_at_point(f: Terms, relation: str, proof: ExpSign, v: Ratio) -> None:
    """Nothing if f >= 0 (or f > 0) at the one value v that a fact leaves to e; Rejected
    otherwise.
    """
    if proof.factors or proof.high is not None:
        raise Rejected("where a fact fixes the name, no factors and no second end may be given")
    if constant_sign(terms_value(f, v)) not in OF_RELATION[relation]:
        raise Rejected("the sign at the value that a fact fixes is not the claimed one")


def factor_polynomial(tree: Expression, here: Context) -> Polynomial:
    """The polynomial that a factor is."""
    r = normal(tree, here)
    if r.den or r.is_zero:
        raise Rejected("a factor is not a polynomial")
    return r.num


def factor_sign(
    f: Terms, points: tuple[Fraction, ...], where: VariableInterval, strict: bool
) -> int:
    """The sign of f inside the interval (with `strict`, at its included ends too); Rejected if
    it is not shown.
    """
    result, low_zero, high_zero = piece_signs(f, points, where) if points else sturm_sign(f, where)
    if strict and ((low_zero and where.low_included) or (high_zero and where.high_included)):
        raise Rejected("a factor vanishes at an end that belongs to the interval")
    return result


def piece_signs(
    f: Terms, points: tuple[Fraction, ...], where: VariableInterval
) -> tuple[int, bool, bool]:
    """(the sign of f on all pieces, whether it vanishes at the lower end, at the upper end)."""
    if not all(isinstance(x, Fraction) for x in points) or not all(
        x < y for x, y in itertools.pairwise(points)
    ):
        raise Rejected("the points of a factor are not in order")
    stops = [constant(x) for x in points]
    if constant_sign(stops[0] - where.low) != 1 or (
        where.high is not None and constant_sign(where.high - stops[-1]) != 1
    ):
        raise Rejected("the points of a factor lie outside the interval")
    low, g = vanishing_order(f, where.low)
    found = [_sign_on_interval(g, where.low, stops[0])]
    found += [_sign_on_interval(f, u, v) for u, v in itertools.pairwise(stops)]
    high = 0
    if where.high is None:
        found.append(tail_sign(f, points[-1]))
    else:
        high, g = vanishing_order(f, where.high)
        last = _sign_on_interval(g, stops[-1], where.high)
        found.append(-last if last is not None and high % 2 else last)
    if found[0] is None or any(s != found[0] for s in found):
        raise Rejected("a factor is not shown to have one sign")
    return found[0], low > 0, high > 0


def vanishing_order(f: Terms, v: Ratio) -> tuple[int, Terms]:
    """(k, the k-th derivative of f) for the first derivative that does not vanish at v
    identically.
    """
    for k in range(ORDER):
        if not f or not terms_value(f, v).is_zero:
            return k, f
        f = terms_derivative(f)
    raise Rejected(f"a factor vanishes to an order above {ORDER} at an end")


def _sign_on_interval(f: Terms, low: Ratio, high: Ratio) -> int | None:
    """The one sign of f on a closed interval, None if it is not found."""
    tried = (sign_between(f, low, high, bits) for bits in PRECISIONS)
    return next((s for s in tried if s is not None), None)


def tail_sign(f: Terms, x: Fraction) -> int | None:
    """The sign of f on [x, oo), None if the leading terms do not show it."""
    top = max((a for _, a in f), default=Fraction(0))
    leading = {k: c for (k, a), c in f.items() if a == top}
    later = {(k, a - top): c for (k, a), c in f.items() if a != top}
    taylor = [
        sum((c * math.comb(k, j) * x ** (k - j) for k, c in leading.items() if k >= j), Fraction(0))
        for j in range(max(leading, default=-1) + 1)
    ]
    s = next(((t > 0) - (t < 0) for t in taylor), 0)
    grows = s != 0 and all(t * s >= 0 for t in taylor)
    falls = x > 0 and all(k <= -a * x for k, a in later)
    return (
        s
        if grows
        and falls
        and any(magnitude_bound(later, x, bits) < abs(taylor[0]) for bits in PRECISIONS)
        else None
    )


def sturm_sign(f: Terms, where: VariableInterval) -> tuple[int, bool, bool]:
    """The same for a polynomial in r = exp(-g e) without a root between the images of the ends,
    which may be rounded outwards.
    """
    g, p = exponential_polynomial(f)
    b = exponential_image(where.low, g)[1]
    a = Fraction(0) if where.high is None else exponential_image(where.high, g)[0]
    if not a < b:
        raise Rejected("the interval is empty")
    return _sign_without_root(tuple(p), a, b)


@lru_cache(maxsize=1024)  # the cases of a proof ask for the same few
def _sign_without_root(
    coefficients: tuple[Fraction, ...], a: Fraction, b: Fraction
) -> tuple[int, bool, bool]:
    """The same for the coefficients of the polynomial, between a and b."""
    p = list(coefficients)
    if roots_between(p, a, b):
        raise Rejected("a factor has a root in the interval")
    middle = coefficients_value(p, (a + b) / 2)
    return (1 if middle > 0 else -1), coefficients_value(p, b) == 0, coefficients_value(p, a) == 0


def exponential_polynomial(f: Terms) -> tuple[Fraction, list[Fraction]]:
    """(g, coefficients from the constant one up) with f = exp(a e) * (a polynomial in exp(-g
    e)); Rejected where e stands outside exponentials.
    """
    if any(k for k, _ in f):
        raise Rejected("a factor in which the name occurs outside exponentials needs points")
    top = max(a for _, a in f)
    n = math.lcm(*((top - a).denominator for _, a in f))
    g = Fraction(math.gcd(*(int((top - a) * n) for _, a in f)), n) or Fraction(1)
    exponents = {int((top - a) / g): c for (_, a), c in f.items()}
    if max(exponents) > DEGREE:
        raise Rejected(f"a factor has a degree above {DEGREE}")
    return g, [exponents.get(k, Fraction(0)) for k in range(max(exponents) + 1)]


def exponential_image(v: Ratio, g: Fraction) -> tuple[Fraction, Fraction]:
    """Rational numbers around exp(-g v), equal to it where it is rational."""
    low, high = enclose(exp_of(v.scale(-g)), PRECISIONS[0])
    return max(low, Fraction(0)), high


def coefficients_value(p: list[Fraction], x: Fraction) -> Fraction:
    """The value of a polynomial, given by its coefficients from the constant one up."""
    value = flint_polynomial(p)(flint.fmpq(x.numerator, x.denominator))
    return Fraction(int(value.p), int(value.q))


def flint_polynomial(p: list[Fraction]) -> flint.fmpq_poly:
    """The polynomial as FLINT has it."""
    return flint.fmpq_poly([flint.fmpq(c.numerator, c.denominator) for c in p])


def roots_between(p: list[Fraction], a: Fraction, b: Fraction) -> int:
    """The number of roots of a polynomial in the open interval; Rejected if it has a double root
    somewhere.
    """
    chain = sturm_chain(tuple(p))
    at_end = coefficients_value(p, b) == 0
    return _sign_changes(chain, a) - _sign_changes(chain, b) - at_end


@lru_cache(maxsize=64)  # a search and the check of its proof ask for the same one
def sturm_chain(p: tuple[Fraction, ...]) -> list[flint.fmpq_poly]:
    """The polynomial, its derivative, and the negative remainders, each up to a positive factor;
    Rejected if the polynomial has a double root.
    """
    first = flint_polynomial(list(p))
    chain, last = [first], first.derivative()
    while last:
        chain.append(last)
        rest = (-(chain[-2] % last)).numer()
        last = flint.fmpq_poly(rest) / (rest.content() if rest else 1)
    if chain[-1].degree() > 0:
        raise Rejected("a factor without points has a double root")
    return chain


def _sign_changes(chain: list[flint.fmpq_poly], x: Fraction) -> int:
    """How often the sign changes along the values of a chain of polynomials at x, zeros left
    out.
    """
    place = flint.fmpq(x.numerator, x.denominator)
    values = [v for q in chain if (v := q(place))]
    return sum((u > 0) != (v > 0) for u, v in itertools.pairwise(values))
