"""Polynomials and ratios in atoms over the rationals, in one canonical form: the exact arithmetic
of every check.

An atom is a name, a prime under a root, exp of a monomial, a logarithm, a power of pi, or an
unexpanded function of a polynomial (abs, floor, erf). Products collect exponents, so exp(a) exp(b)
= exp(a + b), 2^(1/2) 2^(1/2) = 2 and exp(-log(2)/3) = 2^(-1/3) hold by construction. A `Ratio` is
zero when its numerator has no terms; over the constants exp(r) prod p^(s_p) this is exact by the
theorems of Lindemann-Weierstrass and Besicovitch; elsewhere a non-zero form may still be zero,
which can lose an answer but never make a wrong one.

Coefficients and exponents are int where they are whole and Fraction elsewhere.  A polynomial is a
table from monomials to coefficients; a monomial is its own canonical text, since a tuple of powers
would be hashed anew, with its Fractions, at each look-up.  Exact division is FLINT's, where the
degrees do not refuse it already.  Products are not: those of a proof have some four pairs of terms
(measured over the stored claims), and making polynomials of FLINT's from the factors takes longer.

>>> a, b = symbol("a"), symbol("b")
>>> ((a * a - b * b) / (a - b) - (a + b)).is_zero
True
>>> (exp_of(log_of(constant(2)) * constant(Fraction(-1, 3))) ** 3).key
'1/2'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import flint
from flint.utils.flint_exceptions import DomainError

from ahdp_verify.kernel.effort import spend
from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.terms.exact import NAME, guard_size, prime_factors
from ahdp_verify.kernel.terms.printing import short_text

TERMS = 20_000  # most terms of a polynomial; guards the memory and time of one product
# most bits of a coefficient: the product of two such numbers takes some hundredths of a second
WIDE = 1 << 18
STEEP = 256  # largest power of a sum that is expanded; guards against polynomials that explode


class Atom(str):
    """An indeterminate of `kind` with `payload`.  It is a text, the canonical one that determines
    both, so that atoms are hashed and compared as texts are.
    """

    __slots__ = ("key", "kind", "payload")
    key: str
    kind: str
    payload: Any

    def __new__(cls, kind: str, payload: Any, key: str) -> Atom:
        self = super().__new__(cls, key)
        self.kind, self.payload, self.key = kind, payload, key
        return self

    def __reduce__(self) -> tuple[type[Atom], tuple[str, Any, str]]:
        return Atom, (self.kind, self.payload, self.key)


# A rational number.  Whole ones are int, whose arithmetic takes less than a twentieth of the time of
# that of Fraction; the quotient of two is `quotient`, since / between two of int is a float.
Rational = Fraction | int
Powers = tuple[tuple[Atom, Rational], ...]


class Monomial(str):
    """A product of atoms to powers other than 0, in the order of the atoms.  It is a text, the
    canonical one that determines it, so that monomials are hashed once and compared as texts are.

    >>> x, y = name_atom("x"), name_atom("y")
    >>> Monomial(((x, 1), (y, Fraction(1, 2))))
    'x*y^(1/2)'
    """

    __slots__ = ("powers", "single")
    powers: Powers
    single: Atom | None  # the atom that it is

    def __new__(cls, powers: Iterable[tuple[Atom, Rational]] = ()) -> Monomial:
        powers = tuple(powers)
        self = super().__new__(cls, "*".join([a if e == 1 else f"{a}^({e})" for a, e in powers]))
        self.powers = powers
        self.single = powers[0][0] if len(powers) == 1 and powers[0][1] == 1 else None
        return self

    def __reduce__(self) -> tuple[type[Monomial], tuple[Powers]]:
        return Monomial, (self.powers,)


Factors = tuple[tuple["Polynomial", int], ...]
UNIT = Monomial()
INVERTIBLE = ("exp", "prime", "pi")  # atoms that are positive whatever their names stand for


def exact(c: Rational) -> Rational:
    """c, as an int if it is whole."""
    return c if type(c) is int or c.denominator != 1 else c.numerator


def fraction(c: Rational) -> Fraction:
    """c, as a Fraction."""
    return c if type(c) is Fraction else _whole(c)


_whole = lru_cache(maxsize=4096)(Fraction)  # a table is four times as fast as the constructor


def quotient(c: Rational, d: Rational) -> Rational:
    """c / d.

    >>> quotient(6, 3), quotient(1, 2)
    (2, Fraction(1, 2))
    """
    if type(c) is int and type(d) is int:
        return Fraction(c, d) if c % d else c // d
    return exact(fraction(c) / d)


@lru_cache(maxsize=1 << 16)
def _monomial_product(m: Monomial, n: Monomial) -> tuple[Rational, Monomial]:
    """The product of two monomials, as a rational factor (whole powers of primes) and a
    monomial.
    """
    if not m or not n:
        return 1, m or n
    powers = dict(m.powers)
    for atom, e in n.powers:
        powers[atom] = powers[atom] + e if atom in powers else e
    return monomial_of_powers(powers)


def monomial_of_powers(powers: Mapping[Atom, Rational]) -> tuple[Rational, Monomial]:
    """The monomial of a table of exponents: primes to exponents in [0, 1), the rest in the
    rational factor; |x|^2 is x^2 for a name x.
    """
    coefficient: Rational = 1
    kept = []
    if any(a.kind == "abs" and e > 1 for a, e in powers.items()):
        powers = _even_powers(powers)
    for atom, e in powers.items():
        if atom.kind == "prime":
            whole = math.floor(e)
            if abs(whole) * atom.payload.bit_length() > 65536:
                raise Unsupported("a power that is a number of more than 65536 bits")
            if whole:
                coefficient *= guard_size(Fraction(atom.payload) ** whole)
                e -= whole
        if e:
            kept.append((atom, exact(e)))
    kept.sort()
    return exact(coefficient), Monomial(kept)


def _even_powers(powers: Mapping[Atom, Rational]) -> dict[Atom, Rational]:
    result = dict(powers)
    for atom, e in powers.items():
        inside = tuple(atom.payload[0].num.terms) if atom.kind == "abs" else ()
        if e > 1 and len(inside) == 1 and (x := inside[0].single) and x.kind == "name":
            odd = int(e) % 2
            result[atom], result[x] = odd, result.get(x, 0) + int(e) - odd
    return result


Terms = tuple[tuple[Monomial, Rational], ...]


class Polynomial:
    """A finite sum of rational multiples of monomials; immutable, equal by canonical text.

    All but the terms is found when it is first asked for, by the function of `FOUND`.
    """

    __slots__ = ("exponents", "hashed", "key", "names", "primitive", "split", "terms")
    exponents: dict[Atom, set[Rational]]
    hashed: int
    key: str
    names: frozenset[str]
    primitive: tuple[Fraction, Monomial, Polynomial]
    split: tuple[Rational, Terms, Polynomial]

    def __init__(self, terms: Mapping[Monomial, Rational]) -> None:
        self.terms = terms

    def __getattr__(self, name: str) -> Any:
        if name not in FOUND:
            return object.__getattribute__(self, name)  # which raises AttributeError
        found = FOUND[name](self)
        setattr(self, name, found)
        return found

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is Polynomial and self.terms == other.terms)

    def __hash__(self) -> int:
        return self.hashed

    def __reduce__(self) -> tuple[type[Polynomial], tuple[Mapping[Monomial, Rational]]]:
        return Polynomial, (self.terms,)  # hashes differ between processes

    def __repr__(self) -> str:
        return self.key

    def __add__(self, other: Polynomial) -> Polynomial:
        if not self.terms or not other.terms:
            return other if other.terms else self
        spend(len(other.terms))
        terms = dict(self.terms)
        for m, c in other.terms.items():
            if m in terms:
                _increase(terms, m, c)
            else:
                terms[m] = c
        return Polynomial(terms)

    def __neg__(self) -> Polynomial:
        return Polynomial({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Polynomial) -> Polynomial:
        if not other.terms:
            return self
        spend(len(other.terms))
        terms = dict(self.terms)
        for m, c in other.terms.items():
            _increase(terms, m, -c)
        return Polynomial(terms)

    def scale(self, c: Rational) -> Polynomial:
        """c times the polynomial."""
        if c == 1:
            return self
        return Polynomial({m: exact(c * d) for m, d in self.terms.items()} if c else {})

    def __mul__(self, other: Polynomial) -> Polynomial:
        if self is ONE or other is ONE:  # two thirds of the products of a proof
            return other if self is ONE else self
        if len(self.terms) * len(other.terms) > TERMS:
            raise Unsupported(f"a product of polynomials has more than {TERMS} terms")
        terms: dict[Monomial, Rational] = {}
        for m, c in self.terms.items():
            spend(len(other.terms))
            if _bits(c) > WIDE:
                raise Unsupported(f"a number of more than {WIDE} bits")
            for n, d in other.terms.items():
                k, mn = _monomial_product(m, n) if m and n else (1, m or n)
                _increase(terms, mn, c * d if k == 1 else c * d * k)
        return Polynomial(terms)

    def coefficient(self, m: Monomial) -> Fraction:
        """The coefficient of a monomial."""
        return fraction(self.terms.get(m, 0))

    @property
    def as_rational(self) -> Fraction | None:
        """The rational number that the polynomial is, or None."""
        if not self.terms:
            return Fraction(0)
        return self.coefficient(UNIT) if len(self.terms) == 1 and UNIT in self.terms else None


def _increase(terms: dict[Monomial, Rational], m: Monomial, c: Rational) -> None:
    """A term is added to a table of terms."""
    if m in terms:
        c = terms[m] + c
    if c:
        terms[m] = c if type(c) is int else exact(c)
    else:
        terms.pop(m, None)


def _key(p: Polynomial) -> str:
    """The canonical text."""
    spend(len(p.terms))
    parts = sorted(p.terms.items())
    texts = [m if m and c == 1 else f"{c}*{m}" if m else str(c) for m, c in parts]
    return " + ".join(texts) or "0"


def _exponents(p: Polynomial) -> dict[Atom, set[Rational]]:
    """The exponents of each atom; 0 is one where a term lacks the atom."""
    found: dict[Atom, list[Rational]] = {}
    for m in p.terms:
        for a, e in m.powers:
            found.setdefault(a, []).append(e)
    n = len(p.terms)
    return {a: {*e, 0} if len(e) < n else {*e} for a, e in found.items()}


ZERO, ONE = Polynomial({}), Polynomial({UNIT: 1})


def polynomial_of_monomial(m: Monomial, c: Rational = 1) -> Polynomial:
    """c times a monomial as a polynomial."""
    return ONE if not m and c == 1 else Polynomial({m: exact(c)} if c else {})


@lru_cache(maxsize=4096)
def polynomial_of_atom(a: Atom) -> Polynomial:
    """An atom as a polynomial."""
    return Polynomial({Monomial(((a, 1),)): 1})


def primitive_part(p: Polynomial) -> tuple[Fraction, Monomial, Polynomial]:
    """p = c * m * q with q primitive: coprime whole coefficients, no common atom, first
    coefficient (in key order) positive.
    """
    return p.primitive


def _primitive_part(p: Polynomial) -> tuple[Fraction, Monomial, Polynomial]:
    if len(p.terms) > 1:
        return _primitive_part_of_sum(p)
    m, c = next(iter(p.terms.items()), (UNIT, 0))
    return fraction(c), m, ONE


@lru_cache(maxsize=8192)  # nine of ten sums that are asked about are equal to another one
def _primitive_part_of_sum(p: Polynomial) -> tuple[Fraction, Monomial, Polynomial]:
    spend(len(p.terms))
    exponents = {} if UNIT in p.terms else p.exponents
    common = Monomial(sorted((a, min(es)) for a, es in exponents.items() if 0 not in es))
    if common:
        inverse, terms = Monomial((a, -e) for a, e in common.powers), dict[Monomial, Rational]()
        for m, v in p.terms.items():
            k, left = _monomial_product(m, inverse)
            _increase(terms, left, k * v)
        p = Polynomial(terms)
    values = p.terms.values()
    c = quotient(
        math.gcd(*[v.numerator for v in values]), math.lcm(*[v.denominator for v in values])
    )
    if p.terms[min(p.terms)] < 0:
        c = -c
    return Fraction(c), common, p.scale(quotient(1, c))


def _split(p: Polynomial) -> tuple[Rational, Terms, Polynomial]:
    """p = c * (v + r) with a constant r: v are the terms that depend on names, in order, the first
    with coefficient 1.
    """
    varying = sorted((m, c) for m, c in p.terms.items() if monomial_names(m))
    c = varying[0][1] if varying else 1
    rest = {m: quotient(d, c) for m, d in p.terms.items() if not monomial_names(m)}
    return c, tuple((m, quotient(d, c)) for m, d in varying), Polynomial(rest)


def monomial_quotient(m: Monomial, n: Monomial) -> tuple[Rational, Monomial] | None:
    """m / n as factor and monomial, or None if a name or function would get a negative exponent."""
    k, inverse_ = monomial_of_powers({a: -e for a, e in n.powers})
    c, q = _monomial_product(m, inverse_)
    c *= k
    return (c, q) if all(e > 0 or a.kind in INVERTIBLE for a, e in q.powers) else None


def whole_quotient(e: Rational, unit: Rational) -> int:
    """e / unit, where that is whole: by integers, since / of Fractions takes five times as long."""
    return e.numerator * unit.denominator // (e.denominator * unit.numerator)


@dataclass(frozen=True, slots=True)
class FlintRing:
    """Polynomials as FLINT has them, whose exponents are whole and not negative: each atom is
    replaced by the power of it whose exponent is the unit, and the lowest exponents are taken out.
    """

    atoms: tuple[Atom, ...]
    units: tuple[Rational, ...]

    @staticmethod
    def of(*polynomials: Polynomial) -> FlintRing:
        """The ring that contains the polynomials, up to monomials."""
        atoms = tuple(sorted(set[Atom]().union(*(p.exponents for p in polynomials))))
        used = [{e for p in polynomials for e in p.exponents.get(a, ())} for a in atoms]
        return FlintRing(atoms, tuple(map(_common_step, used)))

    def to_flint(self, p: Polynomial) -> tuple[Any, list[int]]:
        """p without its lowest exponents, and these, in units."""
        tables = [dict(m.powers) for m in p.terms]
        columns = [
            [whole_quotient(t[a], unit) if a in t else 0 for t in tables]
            for a, unit in zip(self.atoms, self.units, strict=True)
        ]
        low = [min(column) for column in columns]
        shifted = ([e - i for e in column] for column, i in zip(columns, low, strict=True))
        values = [flint.fmpq(c.numerator, c.denominator) for c in p.terms.values()]
        rows = list(zip(*shifted, strict=True)) or [()]
        table = dict(zip(rows, values, strict=True))
        return _flint_context(len(self.atoms)).from_dict(table), low

    def of_flint(self, found: Any, low: list[int]) -> Polynomial:
        """What FLINT found, times the monomial of the exponents `low`."""
        terms: dict[Monomial, Rational] = {}
        for row, c in found.terms():
            places = zip(self.atoms, self.units, row, low, strict=True)
            k, m = monomial_of_powers({a: (int(e) + i) * unit for a, unit, e, i in places})
            _increase(terms, m, k * quotient(int(c.p), int(c.q)))
        return Polynomial(terms)


def _common_step(exponents: set[Rational]) -> Rational:
    """The largest rational of which all exponents are whole multiples."""
    below = math.lcm(*(e.denominator for e in exponents))
    return quotient(math.gcd(*((e * below).numerator for e in exponents)), below)


@lru_cache(maxsize=256)
def _flint_context(count: int) -> Any:
    return flint.fmpq_mpoly_ctx.get(("x", count), "lex")


@lru_cache(maxsize=4096)  # nine of ten divisions of a proof are repeated ones
def divide(p: Polynomial, d: Polynomial) -> Polynomial | None:
    """The polynomial q with p = q * d, where roots and functions are independent of each other;
    None if there is none, or if it may have too many terms.
    """
    if not p.terms:
        return ZERO
    spend(len(p.terms) + len(d.terms))
    for a, mine in d.exponents.items():
        theirs = p.exponents.get(a, {0})
        low, lowest = min(theirs), min(mine)
        if max(theirs) - low < max(mine) - lowest or (low < lowest and a.kind not in INVERTIBLE):
            return None  # two thirds of the divisions of a proof, before polynomials are converted
    ring = FlintRing.of(p, d)
    (above, first), (below, second) = ring.to_flint(p), ring.to_flint(d)
    left = [i - j for i, j in zip(first, second, strict=True)]
    spans = [int(i) - int(j) for i, j in zip(above.degrees(), below.degrees(), strict=True)]
    # where no name is left, balls read the sign off (e^9 - 1)/(e^(1/99) - 1), which stays short
    most = TERMS if polynomial_names(primitive_part(p)[2]) else max(STEEP, len(p.terms))
    if math.prod(span for span in spans if span > STEEP) > most:
        return None
    try:
        return ring.of_flint(above / below, left)
    except DomainError:
        return None


class Ratio:
    """numerator / product of primitive polynomials to powers; equal to another when the
    difference is zero.
    """

    __slots__ = ("den", "num")

    def __init__(self, num: Polynomial, den: Factors = ()) -> None:
        self.num, self.den = num, den

    @property
    def key(self) -> str:
        """The canonical text of this form (two forms of one ratio may differ in it)."""
        return self.num.key if not self.den else f"({self.num.key})/{factors_key(self.den)}"

    def __repr__(self) -> str:
        return self.key

    @property
    def is_zero(self) -> bool:
        """True only if the ratio is identically zero."""
        return not self.num.terms

    @property
    def as_rational(self) -> Fraction | None:
        """The rational number that the ratio is, or None."""
        return None if self.den else self.num.as_rational

    def __add__(self, other: Ratio) -> Ratio:
        if not self.den and not other.den:
            return Ratio(self.num + other.num)
        if not self.num.terms or not other.num.terms:
            return other if other.num.terms else self
        mine, theirs = dict(self.den), dict(other.den)
        both = {f: max(mine.get(f, 0), theirs.get(f, 0)) for f in {**mine, **theirs}}
        left = multiply_factors(self.num, ((f, k - mine.get(f, 0)) for f, k in both.items()))
        right = multiply_factors(other.num, ((f, k - theirs.get(f, 0)) for f, k in both.items()))
        return reduced_ratio(left + right, both)

    def __neg__(self) -> Ratio:
        return Ratio(-self.num, self.den)

    def __sub__(self, other: Ratio) -> Ratio:
        if not self.den and not other.den:
            return Ratio(self.num - other.num)
        return self + (-other) if other.num.terms else self

    def __mul__(self, other: Ratio) -> Ratio:
        if not self.den and not other.den:
            return Ratio(self.num * other.num)
        powers = dict(self.den)
        for f, k in other.den:
            powers[f] = powers.get(f, 0) + k
        return reduced_ratio(self.num * other.num, powers)

    def __truediv__(self, other: Ratio) -> Ratio:
        return self * inverse_ratio(other)

    def __pow__(self, n: int) -> Ratio:
        if n < 0:
            return inverse_ratio(self) ** -n
        if n > 1 and any(n * (_bits(c) - 1) > WIDE for c in self.num.terms.values()):
            raise Unsupported(f"a power that is a number of more than {WIDE} bits")
        result, base = constant(1), self
        while n:
            if n & 1:
                result = result * base
            n >>= 1
            base = base * base if n else base
        return result

    def scale(self, c: Rational) -> Ratio:
        """c times the ratio."""
        return Ratio(self.num.scale(c), self.den)


def factors_key(den: Factors) -> str:
    """The canonical text of a product of factors."""
    return "*".join(f"({f.key})^{k}" for f, k in den)


def multiply_factors(p: Polynomial, factors: Iterable[tuple[Polynomial, int]]) -> Polynomial:
    """p times the factors."""
    for f, k in factors:
        if len(f.terms) == 1:
            p = p * (Ratio(f) ** k).num
            continue
        if k > STEEP:
            raise Unsupported(f"a power above {STEEP} of a sum is multiplied out")
        for _ in range(k):
            p = p * f
    return p


def _bits(c: Rational) -> int:
    if type(c) is int:
        return c.bit_length()
    return max(c.numerator.bit_length(), c.denominator.bit_length())


def reduced_ratio(num: Polynomial, powers: Mapping[Polynomial, int]) -> Ratio:
    """num / factors with every factor cancelled that divides the numerator."""
    if not num.terms:
        return Ratio(ZERO)
    den = []
    ordered = (
        sorted(powers.items(), key=lambda pair: pair[0].key) if len(powers) > 1 else powers.items()
    )
    for f, k in ordered:
        while k and (q := divide(num, f)) is not None:
            num, k = q, k - 1
        if k:
            den.append((f, k))
    return Ratio(num, tuple(den))


def inverse_ratio(r: Ratio) -> Ratio:
    """1 / r; raises ZeroDivisionError when r is identically zero."""
    if r.is_zero:
        raise ZeroDivisionError
    c, m, primitive = primitive_part(r.num)
    k, unit = monomial_of_powers({a: -e for a, e in m.powers if a.kind in INVERTIBLE})
    powers = {polynomial_of_atom(a): int(e) for a, e in m.powers if a.kind not in INVERTIBLE}
    if primitive != ONE:
        powers[primitive] = 1
    return reduced_ratio(multiply_factors(polynomial_of_monomial(unit, k / c), r.den), powers)


@lru_cache(maxsize=4096)
def constant(value: Rational) -> Ratio:
    """The ratio of a rational number."""
    return Ratio(polynomial_of_monomial(UNIT, value))


@lru_cache(maxsize=65536)
def name_atom(text: str) -> Atom:
    """The atom of a name."""
    if text == "pi" or not NAME.fullmatch(text):
        raise Unsupported(f"{text[:40]!r} is not a name")
    return Atom("name", text, text)


@lru_cache(maxsize=4096)
def symbol(text: str) -> Ratio:
    """The ratio of a name."""
    return Ratio(polynomial_of_atom(name_atom(text)))


PI_ATOM = Atom("pi", None, "pi")
PI = Ratio(polynomial_of_atom(PI_ATOM))


@lru_cache(maxsize=4096)
def ratio_of_atom(atom: Atom, e: Rational = 1) -> Ratio:
    """The ratio of a power of an atom (of a prime, pi or an exponential for any e, of another atom
    for whole e > 0).
    """
    c, m = monomial_of_powers({atom: e})
    return Ratio(polynomial_of_monomial(m, c))


def prime_atom(p: int) -> Atom:
    """The atom of a prime under a root."""
    return Atom("prime", p, f"{p:d}'")


def exp_atom(m: Monomial, den: Factors) -> Atom:
    """The atom exp(m / den)."""
    inside = m or "1"
    return Atom(
        "exp", (m, den), f"exp({inside})" if not den else f"exp({inside}/{factors_key(den)})"
    )


def log_atom(r: Ratio) -> Atom:
    """The atom log(r) of a ratio that cannot be decomposed."""
    return Atom("log", r, f"log({r.key})")


def exp_of(r: Ratio) -> Ratio:
    """e^r, one atom for each monomial of r, so that exp(a + b) and exp(a) exp(b) are the same."""
    result = constant(1)
    for m, c in r.num.terms.items():
        part = (
            reduced_ratio(polynomial_of_monomial(m, c), dict(r.den))
            if r.den
            else Ratio(polynomial_of_monomial(m, c))
        )
        for n, d in part.num.terms.items():
            result = result * _exp_term(n, d, part.den)
    return result


def _exp_term(m: Monomial, c: Rational, den: Factors) -> Ratio:
    if not den and (a := m.single) and a.kind == "log":
        inside = a.payload
        value = inside.as_rational
        if (
            value is not None
            and value.denominator == 1
            and prime_factors(value) == ((value.numerator, 1),)
        ):
            return ratio_of_atom(prime_atom(value.numerator), c)
        if inside.key == PI_ATOM:
            return ratio_of_atom(PI_ATOM, c)
        if c.denominator == 1:
            return Ratio(inside.num, inside.den) ** int(c)
    return ratio_of_atom(exp_atom(m, den), c)


def log_of(r: Ratio) -> Ratio:
    """log r for positive r: products of primes and exponentials and one odd power of another factor
    are decomposed, anything else is one atom.
    """
    if (odd := _one_odd_factor(r)) is not None:
        rest, base, times_ = odd
        return log_of(rest) + ratio_of_atom(log_atom(Ratio(base))).scale(times_)
    if r.den or len(r.num.terms) != 1:
        return ratio_of_atom(log_atom(r))
    ((m, c),) = r.num.terms.items()
    primes = prime_factors(c) if c > 0 else None
    if primes is None or any(a.kind not in INVERTIBLE for a, _ in m.powers):
        return ratio_of_atom(log_atom(r))
    result = Ratio(ZERO)
    for p, k in primes:
        result = result + ratio_of_atom(log_atom(constant(p))).scale(k)
    for a, e in m.powers:
        inside = (
            Ratio(polynomial_of_monomial(a.payload[0]), a.payload[1])
            if a.kind == "exp"
            else ratio_of_atom(log_atom(PI if a.kind == "pi" else constant(a.payload)))
        )
        result = result + inside.scale(e)
    return result


def log_argument(p: Polynomial) -> Ratio | None:
    """The r > 0 with p = c log r, c > 0, for a sum of logarithms (log 2 + log x belongs to 2 x);
    None for another polynomial.
    """
    if not p.terms or any(m.single is None or m.single.kind != "log" for m in p.terms):
        return None
    scale = math.lcm(*(c.denominator for c in p.terms.values()))
    if any(not -16 <= c * scale <= 16 for c in p.terms.values()):
        return None
    result = constant(1)
    for m, c in p.terms.items():
        result = result * m.powers[0][0].payload ** int(c * scale)
    return result


def _one_odd_factor(r: Ratio) -> tuple[Ratio, Polynomial, int] | None:
    """(t, p, e) with r = t * p^e, e odd, t a positive product of numbers, roots and exponentials
    other than 1, and p one atom or primitive polynomial.
    """
    c, m, primitive = primitive_part(r.num)
    others: list[tuple[Polynomial, int]] = [
        (polynomial_of_atom(a), int(e)) for a, e in m.powers if a.kind not in INVERTIBLE
    ]
    others += [(primitive, 1)] if primitive != ONE else []
    others += [(f, -k) for f, k in r.den]
    if len(others) != 1 or others[0][1] % 2 == 0:
        return None
    base, power_ = (others[0][0] if c > 0 else -others[0][0]), others[0][1]
    unit = Monomial((a, x) for a, x in m.powers if a.kind in INVERTIBLE)
    units = Ratio(polynomial_of_monomial(unit, abs(c)))
    return None if power_ == 1 and units.as_rational == 1 else (units, base, power_)


def ratio_power(base: Ratio, exponent: Ratio) -> Ratio:
    """base ^ exponent; anything but a whole exponent needs base > 0 (the caller's duty)."""
    e = exponent.as_rational
    if e is not None and e.denominator == 1:
        if abs(e) > 64 and len(base.num.terms) > 1:
            raise Unsupported("a power above 64 of a sum")
        if (value := base.as_rational) is not None and abs(e) * _bits(value) > 65536:
            raise Unsupported("a power that is a number of more than 65536 bits")
        return base ** int(e)
    return exp_of(exponent * log_of(base))


def polynomial_atoms(p: Polynomial) -> set[Atom]:
    """The atoms of a polynomial, those inside exponents not opened."""
    return {*p.exponents}


@lru_cache(maxsize=65536)
def atom_names(atom: Atom) -> frozenset[str]:
    """The names that an atom depends on."""
    if atom.kind == "name":
        return frozenset((atom.payload,))
    if atom.kind == "exp":
        m, den = atom.payload
        return frozenset().union(
            *(atom_names(a) for a, _ in m.powers), *(polynomial_names(f) for f, _ in den)
        )
    if atom.kind == "log":
        return ratio_names(atom.payload)
    if isinstance(atom.payload, tuple):
        return frozenset().union(*(ratio_names(r) for r in atom.payload))
    return frozenset()


@lru_cache(maxsize=65536)
def monomial_names(m: Monomial) -> frozenset[str]:
    """The names that a monomial depends on."""
    return frozenset().union(*(atom_names(a) for a, _ in m.powers))


@lru_cache(maxsize=4096)  # there are fifty times as many polynomials as sets of names
def _one_set(names: frozenset[str]) -> frozenset[str]:
    return names


def polynomial_names(p: Polynomial) -> frozenset[str]:
    """The names that a polynomial depends on."""
    return p.names


FOUND: dict[str, Callable[[Polynomial], Any]] = {
    "exponents": _exponents,
    "hashed": lambda p: hash((sum([c.numerator for c in p.terms.values()]), frozenset(p.terms))),
    "key": _key,
    "names": lambda p: _one_set(frozenset().union(*map(monomial_names, p.terms))),
    "primitive": _primitive_part,
    "split": _split,
}


def ratio_names(r: Ratio) -> frozenset[str]:
    """The names that a ratio depends on."""
    return polynomial_names(r.num).union(*(polynomial_names(f) for f, _ in r.den))


def linear_coefficients(p: Polynomial, name: str) -> tuple[Polynomial, Polynomial] | None:
    """(k, m) with p = k * name + m, both free of the name, or None."""
    atom = name_atom(name)
    if any(name in atom_names(a) for a in p.exponents if a != atom):
        return None
    if not p.exponents.get(atom, {0}) <= {0, 1}:
        return None
    factor, without = dict[Monomial, Rational](), dict[Monomial, Rational]()
    for m, c in p.terms.items():
        rest = Monomial(pair for pair in m.powers if pair[0] != atom)
        (without if rest == m else factor)[rest] = c
    return Polynomial(factor), Polynomial(without)


def exponential_form(m: Monomial, variable: str) -> tuple[Monomial, Ratio, Ratio]:
    """(rest, k, b) with m = rest * exp(k * variable + b); Unsupported if an exponent is not
    linear.
    """
    rest, exponent = split_exponent(m, variable)
    split = linear_coefficients(exponent.num, variable)
    if split is None or any(variable in polynomial_names(f) for f, _ in exponent.den):
        raise Unsupported(f"an exponent was not found to be linear in {variable}")
    return rest, Ratio(split[0], exponent.den), Ratio(split[1], exponent.den)


def split_exponent(m: Monomial, variable: str) -> tuple[Monomial, Ratio]:
    """(rest, e) with m = rest * exp(e), where every exponential of the variable is in exp(e)."""
    rest, exponent = [], constant(0)
    for a, e in m.powers:
        if a.kind == "exp" and variable in atom_names(a):
            mono, den = a.payload
            exponent = exponent + Ratio(polynomial_of_monomial(mono, e), den)
        else:
            rest.append((a, e))
    return Monomial(rest), exponent


def replace_name(r: Ratio, name: str, value: Ratio) -> Ratio:
    """r with a name replaced, also inside exponents; Unsupported where the name stands inside
    another function.
    """
    result = _replace(r.num, name, value)
    for f, k in r.den:
        result = result / _replace(f, name, value) ** k
    return result


def _replace(p: Polynomial, name: str, value: Ratio) -> Ratio:
    untouched = Polynomial(
        {m: c for m, c in p.terms.items() if not any(name in atom_names(a) for a, _ in m.powers)}
    )
    result = Ratio(untouched)
    for m, c in p.terms.items():
        if m in untouched.terms:
            continue
        piece = constant(c)
        for a, e in m.powers:
            piece = piece * _replace_atom(a, e, name, value)
        result = result + piece
    return result


def _replace_atom(a: Atom, e: Rational, name: str, value: Ratio) -> Ratio:
    if name not in atom_names(a):
        return ratio_of_atom(a, e)
    if a.kind == "name":
        return value ** int(e)
    if a.kind == "exp":
        m, den = a.payload
        return exp_of(replace_name(Ratio(polynomial_of_monomial(m, e), den), name, value))
    raise Unsupported(f"{name} stands inside {short_text(a.key)}")


def leading_growth(p: Polynomial, name: str) -> tuple[tuple[Rational, Rational], Polynomial]:
    """((r, k), c) with p ~ c * exp(r * name) * name^k as the name tends to infinity, c free of it;
    p must not be zero.
    """
    atom = name_atom(name)
    parts: dict[tuple[Rational, Rational], Polynomial] = {}
    exponential = exp_atom(Monomial(((atom, 1),)), ())
    for m, c in p.terms.items():
        powers = dict(m.powers)
        rate = (powers.pop(exponential, 0), powers.pop(atom, 0))
        if any(name in atom_names(a) for a in powers):
            raise Unsupported(f"the limit of {short_text(p.key)} as {name} grows is not known")
        rest = polynomial_of_monomial(Monomial(powers.items()), c)
        parts[rate] = parts.get(rate, ZERO) + rest
    rate = max(r for r, c in parts.items() if c.terms)
    return rate, parts[rate]
