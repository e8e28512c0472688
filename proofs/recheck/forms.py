"""Section 4: normal forms, as polynomials over powers of primitive polynomials.

A monomial is a tuple of pairs (number of an atom, exponent), sorted.  Exponents of exponentials and
roots are rational, those of other atoms are whole and > 0.  A form is

    (sum of rational * monomial) / (product of powers of primitive polynomials).

Two forms are the same if their difference has no terms.  A form says nothing about divisors: who
divides has to know that the divisor is not 0 (`signs.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from recheck import enclosures, smooth
from recheck.enclosures import Interval
from recheck.limits import BITS, CLOCK, POWER, TERMS, Undecided, cover
from recheck.trees import Number, Tree, make, name, number, plus, times

Monomial = tuple[tuple[int, Number], ...]
Terms = dict[Monomial, Number]
Slope = tuple[Number, frozenset[tuple[Monomial, Number]]]
SMALL_PRIMES = 65_536  # a factor without a prime up to this is a prime if it is below its square


@dataclass(frozen=True)
class Atom:
    """An indeterminate; `of` is a name, a form, a positive rational (of a root), or None (pi)."""

    kind: str
    of: Any

    @property
    def invertible(self) -> bool:
        """True if it is > 0 whatever its names stand for."""
        return self.kind in ("exp", "root", "pi")


ATOMS: list[Atom] = []
NUMBERS: dict[Atom, int] = {}


def atom_number(kind: str, of: Any) -> int:
    """The place of an atom in the list of all."""
    atom = Atom(kind, of)
    if atom not in NUMBERS:
        NUMBERS[atom] = len(ATOMS)
        ATOMS.append(atom)
    return NUMBERS[atom]


def whole(c: Number) -> Number:
    """The same number; whole ones as `int`, which is faster."""
    return c.numerator if c.denominator == 1 else c


def times_number(a: Number, b: Number) -> Number:
    """Their product; quotients of integers are multiplied only where there are any."""
    if type(a) is int and type(b) is int:
        return a * b
    n, d = a.numerator * b.numerator, a.denominator * b.denominator
    return Fraction(n, d) if n % d else n // d


def magnitude(c: Number) -> Number:
    """The absolute value."""
    return -c if c < 0 else c


class Form:
    """Equal forms are equal as objects."""

    __slots__ = ("_hash", "_names", "_slope", "den", "num")

    def __init__(self, num: Terms, den: tuple[tuple[Form, int], ...] = ()) -> None:
        self.num, self.den = num, den
        self._hash: int | None = None
        self._names: frozenset[str] | None = None
        self._slope: Slope | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((frozenset(self.num.items()), self.den))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Form) and self.num == other.num and self.den == other.den
        )

    @property
    def is_zero(self) -> bool:
        return not self.num

    @property
    def rational(self) -> Number | None:
        """The rational number that the form is, or None."""
        if self.den or len(self.num) > 1 or any(self.num):
            return None
        return self.num.get((), 0)

    @property
    def top(self) -> Form:
        return Form(self.num) if self.den else self

    @property
    def names(self) -> frozenset[str]:
        """The names that the form depends on."""
        if self._names is None:
            found = [*map(names_in, self.num), *(f.names for f, _ in self.den)]
            self._names = frozenset[str]().union(*found)
        return self._names

    @property
    def slope(self) -> Slope:
        """(k, terms): the terms above the fraction bar that depend on names are k times these.

        Two polynomials differ by a multiple of one another and a constant if their terms are equal.
        """
        if self._slope is None:
            varying = {m: c for m, c in self.num.items() if names_in(m)}
            k, primitive = without_factor(varying)
            self._slope = k, frozenset(primitive.items())
        return self._slope

    def __add__(self, other: Form) -> Form:
        if self.is_zero or other.is_zero:
            return other if self.is_zero else self
        if not self.den and not other.den:
            return Form(collected(other.num.items(), self.num))
        mine, others = dict(self.den), dict(other.den)
        most = {f: max(mine.get(f, 0), others.get(f, 0)) for f in [*mine, *others]}
        out = NOTHING
        for r, den in ((self, mine), (other, others)):
            out = out + product([r.top, *(f ** (k - den.get(f, 0)) for f, k in most.items())])
        return reduced(out, most)

    def __neg__(self) -> Form:
        return Form({m: -c for m, c in self.num.items()}, self.den)

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def scaled(self, c: Number) -> Form:
        """The form times the constant c."""
        if c == 1:
            return self
        return (
            Form({m: times_number(v, c) for m, v in self.num.items()}, self.den) if c else NOTHING
        )

    def __mul__(self, other: Form) -> Form:
        if other is UNIT or self is UNIT:
            return self if other is UNIT else other
        cover(len(self.num) * len(other.num) <= TERMS, "a polynomial has too many terms")
        CLOCK.ask()
        num = collected(products_of_terms(self.num, other.num))
        for c in num.values():
            cover(c.numerator.bit_length() < BITS, "a number is too large")
            cover(c.denominator.bit_length() < BITS, "a number is too large")
        if not self.den and not other.den:
            return Form(num)
        return reduced(Form(num), collected_powers(self.den + other.den))

    def __truediv__(self, other: Form) -> Form:
        return self * inverse(other)

    def __pow__(self, n: int) -> Form:
        if n < 0:
            return inverse(self) ** -n
        need_affordable(self, n)
        out, base = UNIT, self
        while n:
            out = out * base if n % 2 else out
            n //= 2
            base = base * base if n else base
        return out


@cache
def names_in(m: Monomial) -> frozenset[str]:
    """The names that a monomial depends on."""
    found: frozenset[str] = frozenset()
    for a, _ in m:
        atom = ATOMS[a]
        found |= {atom.of} if atom.kind == "name" else names_of(atom.of)
    return found


def names_of(payload: Any) -> frozenset[str]:
    return payload.names if isinstance(payload, Form) else frozenset()


def need_affordable(r: Form, n: int) -> None:
    """Raises if the power n of r is too large to compute."""
    if n < 2:
        return
    cover(n <= POWER or len(r.num) == 1, "a power of a sum is too large")
    bits = max((c.numerator * c.denominator).bit_length() for c in r.num.values()) if r.num else 1
    cover(n * (bits if bits > 1 else 1) <= BITS, "a power is too large")


def collected(pairs: Iterable[tuple[Monomial, Number]], start: Terms | None = None) -> Terms:
    """The sums of the numbers of each monomial, none of which is 0, without sums that are."""
    out = dict(start or {})
    for key, c in pairs:
        if key in out:
            c = whole(out.pop(key) + c)
        if c:
            out[key] = c
    return out


def products_of_terms(left: Terms, right: Terms) -> Iterator[tuple[Monomial, Number]]:
    for i, c in left.items():
        for j, d in right.items():
            k, m = monomial_product(i, j) if i and j else (1, i or j)
            cd = times_number(c, d)
            yield m, cd if k == 1 else times_number(k, cd)


def without_factor(num: Terms) -> tuple[Number, Terms]:
    """(c, rest) with the numbers c times those of `rest`, which are whole and coprime, the first
    of them > 0.
    """
    if not num:
        return 1, {}
    values = num.values()
    top = math.gcd(*(v.numerator for v in values))
    bottom = math.lcm(*(v.denominator for v in values))
    top = -top if num[min(num)] < 0 else top
    if top == bottom == 1:
        return 1, num
    rest: Terms = {m: v.numerator * (bottom // v.denominator) // top for m, v in num.items()}
    return whole(Fraction(top, bottom)), rest


def collected_powers(pairs: Iterable[tuple[Form, int]]) -> dict[Form, int]:
    out: dict[Form, int] = {}
    for f, k in pairs:
        out[f] = out.get(f, 0) + k
    return out


UNIT, NOTHING = Form({(): 1}), Form({})


def constant(c: Number) -> Form:
    return Form({(): whole(c)}) if c else NOTHING


def total(forms: Iterable[Form]) -> Form:
    """Their sum, collected at once where nothing is divided."""
    listed = list(forms)
    plain = Form(collected(pair for r in listed if not r.den for pair in r.num.items()))
    for r in listed:
        plain = plain + r if r.den else plain
    return plain


def product(forms: Iterable[Form]) -> Form:
    out = UNIT
    for r in forms:
        out = out * r
    return out


# monomials


def settled(powers: dict[int, Number]) -> tuple[Number, Monomial]:
    """(c, m) with c * m the product of powers of atoms.

    Exponents of roots come to lie in [0, 1), and |x|^2 is x^2 for a name x.
    """
    c: Number = 1
    for a, e in list(powers.items()):
        atom = ATOMS[a]
        if atom.kind == "root":
            n = math.floor(e)
            bits = atom.of.numerator.bit_length() + atom.of.denominator.bit_length()
            cover(abs(n) * bits <= BITS, "a power is too large")
            c, powers[a] = c * Fraction(atom.of) ** n, e - n
        if atom.kind == "abs" and e > 1:
            inside = plain_name(atom.of)
            if inside is not None:
                powers[a] = e % 2
                powers[inside] = powers.get(inside, 0) + e - e % 2
    return c, tuple(sorted((a, whole(e)) for a, e in powers.items() if e))


def plain_name(r: Form) -> int | None:
    """The number of the name that a form is."""
    if r.den or len(r.num) != 1:
        return None
    ((m, c),) = r.num.items()
    if c != 1 or len(m) != 1 or m[0][1] != 1 or ATOMS[m[0][0]].kind != "name":
        return None
    return m[0][0]


@cache
def monomial_product(i: Monomial, j: Monomial) -> tuple[Number, Monomial]:
    powers: dict[int, Number] = dict(i)
    for a, e in j:
        powers[a] = powers.get(a, 0) + e
    return settled(powers)


@cache
def monomial_quotient(i: Monomial, j: Monomial) -> tuple[Number, Monomial]:
    powers: dict[int, Number] = dict(i)
    for a, e in j:
        powers[a] = powers.get(a, 0) - e
    return settled(powers)


def of_powers(powers: Iterable[tuple[int, Number]]) -> Form:
    c, m = settled(dict(powers))
    return Form({m: whole(c)})


@cache
def of_number(a: int) -> Form:
    """The atom of this number."""
    return of_powers([(a, 1)])


def of_atom(kind: str, of: Any = None, e: Number = 1) -> Form:
    return of_powers([(atom_number(kind, of), e)])


def of_name(text: str) -> Form:
    return of_atom("name", text)


# division


@cache
def content(p: Form) -> tuple[Number, Monomial, Form]:
    """(c, m, q) with p = c * m * q for a polynomial p, and q primitive.

    Primitive: whole coprime coefficients, no common atom, the first coefficient > 0.
    """
    if p.is_zero:
        return 0, (), UNIT
    m, num = common_monomial(p.num), p.num
    if m:
        num = {}
        for i, v in p.num.items():
            k, rest = monomial_quotient(i, m)
            num[rest] = v * k
    c, num = without_factor(num)
    return c, m, p if num is p.num and not p.den else Form(num)


def common_monomial(num: Terms) -> Monomial:
    """The largest monomial that divides all."""
    if () in num:
        return ()
    tables = [dict(m) for m in num]
    common = set(tables[0]).intersection(*tables[1:])
    return tuple((a, min(t[a] for t in tables)) for a in sorted(common))


@cache
def divided(p: Form, d: Form) -> Form | None:
    """The polynomial q with p = q * d, or None where it is not found."""
    order = sorted({a for r in (p, d) for m in r.num for a, _ in m})

    def height(m: Monomial) -> list[Number]:
        table = dict(m)
        return [table.get(a, 0) for a in order]

    heights = [[height(m) for m in r.num] for r in (p, d)]
    spans = {}  # lowest and highest degrees in an exponential add up
    for i, a in enumerate(order):
        if ATOMS[a].kind == "exp":
            columns = [[row[i] for row in rows] for rows in heights]
            spans[a] = (min(columns[0]) - min(columns[1]), max(columns[0]) - max(columns[1]))
    lead, out = max(d.num, key=height), NOTHING
    for _ in range(2 * len(p.num) + 8):
        if p.is_zero:
            return out
        first = max(p.num, key=height)
        c, q = monomial_quotient(first, lead)
        table = dict(q)
        if any(e < 0 and not ATOMS[a].invertible for a, e in q):
            return None
        if not all(low <= table.get(a, 0) <= high for a, (low, high) in spans.items()):
            return None
        piece = Form({q: whole(c * Fraction(p.num[first]) / d.num[lead])})
        out, p = out + piece, p - piece * d
    return None


def reduced(p: Form, powers: dict[Form, int]) -> Form:
    """The polynomial p over powers of primitive ones, with what divides p cancelled."""
    if p.is_zero:
        return NOTHING
    den = []
    for f, k in sorted(powers.items(), key=lambda pair: sorted(pair[0].num)):
        while k:
            quotient = divided(p, f)
            if quotient is None:
                break
            p, k = quotient, k - 1
        if k:
            den.append((f, k))
    return Form(p.num, tuple(den))


def inverse(r: Form) -> Form:
    """1 / r, for r that is known not to be 0."""
    c, m, q = content(r.top)
    if not c:
        raise Undecided("a divisor is 0")
    powers = {of_number(a): int(e) for a, e in m if not ATOMS[a].invertible}
    if q != UNIT:
        powers[q] = 1
    up = of_powers((a, -e) for a, e in m if ATOMS[a].invertible).scaled(1 / Fraction(c))
    return reduced(product([up, *(f**k for f, k in r.den)]), powers)


# exponentials and logarithms


@cache
def exp_of(r: Form) -> Form:
    """exp(r), one atom for each monomial, so that exp(a + b) is exp(a) exp(b)."""
    out = UNIT
    for m, c in r.num.items():
        part = reduced(Form({m: c}), dict(r.den))
        ((i, k),) = part.num.items()
        atom = ATOMS[i[0][0]] if len(i) == 1 and i[0][1] == 1 and not part.den else None
        if atom is not None and atom.kind == "log" and k.denominator == 1:
            out = out * atom.of ** int(k)
        elif atom is not None and atom.kind == "log" and atom.of.rational is not None:
            out = out * of_atom("root", atom.of.rational, k)
        elif atom is not None and atom.kind == "log" and atom.of == of_atom("pi"):
            out = out * of_atom("pi", None, k)
        else:
            out = out * of_atom("exp", Form({i: 1}, part.den), k)
    return out


def exponent_of(atom: Atom) -> Form:
    """The logarithm of an exponential or a root."""
    if atom.kind == "exp":
        found: Form = atom.of
        return found
    return of_atom("log", of_atom("pi") if atom.kind == "pi" else constant(atom.of))


@cache
def log_of(r: Form) -> Form:
    """log r for r > 0, split as far as section 4 states."""
    c, m, q = content(r.top)
    units = [(a, e) for a, e in m if ATOMS[a].invertible]
    others = [(of_number(a), int(e)) for a, e in m if not ATOMS[a].invertible]
    others += [(q, 1)] * (q != UNIT) + [(f, -k) for f, k in r.den]
    if not others and c > 0:
        found = primes(Fraction(c))
        if found is not None:
            logs = [of_atom("log", constant(p)).scaled(k) for p, k in found.items()]
            return total([*logs, *(exponent_of(ATOMS[a]).scaled(e) for a, e in units)])
    single = len(others) == 1 and others[0][1] % 2 == 1
    if not single or (abs(c) == 1 and not units and others[0][1] == 1):
        return of_atom("log", r)
    base, odd = others[0]
    inner = log_of(of_powers(units).scaled(magnitude(c)))
    return inner + of_atom("log", base.scaled(1 if c > 0 else -1)).scaled(odd)


# sin, cos, atan and erf

WAVES = ("sin", "cos")


def turned(r: Form) -> bool:
    """Whether the first coefficient is < 0, so that the form is written as minus another."""
    return content(r.top)[0] < 0


def odd_function(kind: str, r: Form) -> Form:
    """atan(r) or erf(r)."""
    if r.is_zero:
        return NOTHING
    if turned(r):
        return -odd_function(kind, -r)
    if kind == "atan":
        square = (r * r).rational
        twelfths: dict[Number | None, int] = {1: 3, 3: 4, Fraction(1, 3): 2}
        if square in twelfths and (r.rational == 1 or enclosures.sign(enclosed(r)) == 1):
            return of_atom("pi").scaled(Fraction(twelfths[square], 12))
    return of_atom(kind, r)


def wave(r: Form, quarters: int) -> Form:
    """sin(r + quarters * pi/2), with the multiple of pi in r between 0 and pi/2."""
    pi = atom_number("pi", None)
    share = Fraction(0) if r.den else Fraction(r.num.get(((pi, 1),), 0))
    rest = r - of_number(pi).scaled(share)
    if turned(rest):
        return -wave(-r, -quarters)
    n = math.floor(2 * share)
    share, quarters = share - Fraction(n, 2), (quarters + n) % 4
    if quarters >= 2:
        return -wave(rest + of_number(pi).scaled(share), quarters - 2)
    if rest.is_zero and quarters:
        share, quarters = Fraction(1, 2) - share, 0
    if rest.is_zero and share.denominator in (1, 2, 3, 4, 6):
        squares: dict[int, Number] = {
            0: 0,
            2: Fraction(1, 4),
            3: Fraction(1, 2),
            4: Fraction(3, 4),
            6: 1,
        }
        return root_of(Fraction(squares[int(12 * share)]))
    return of_atom(WAVES[quarters], rest + of_number(pi).scaled(share))


def root_of(value: Fraction) -> Form:
    """The square root of a rational that is >= 0."""
    return exp_of(log_of(constant(value)).scaled(Fraction(1, 2))) if value else NOTHING


@cache
def primes(value: Fraction) -> dict[int, int] | None:
    """The primes of a positive rational with exponents; None where one might be composite."""
    powers: dict[int, int] = {}
    for part, direction in ((value.numerator, 1), (value.denominator, -1)):
        p = 2
        while p <= SMALL_PRIMES and p * p <= part:
            while part % p == 0:
                powers[p], part = powers.get(p, 0) + direction, part // p
            p += 1 if p == 2 else 2
        if part >= SMALL_PRIMES**2:
            return None
        if part > 1:
            powers[part] = powers.get(part, 0) + direction
    return {p: k for p, k in powers.items() if k}


# powers of logarithms in exponents


def folded(r: Form) -> Form:
    """The same form, in which every exp(e log p) has 0 <= e < 1, inside exponentials too."""
    return total(
        product([Form({(): c}), *(folded_power(a, e) for a, e in m)]) for m, c in r.num.items()
    ) * Form(UNIT.num, r.den)


def folded_power(a: int, e: Number) -> Form:
    atom = ATOMS[a]
    if atom.kind != "exp":
        return of_powers([(a, e)])
    base = under_logarithm(atom.of)
    if base is not None:
        whole = math.floor(e)
        return of_powers([(a, e - whole)]) * base**whole
    inside: Form = folded(atom.of)
    return of_powers([(a, e)]) if inside == atom.of else exp_of(inside.scaled(e))


def under_logarithm(r: Form) -> Form | None:
    """The p if r is log p."""
    if r.den or len(r.num) != 1:
        return None
    ((m, c),) = r.num.items()
    if c != 1 or len(m) != 1 or m[0][1] != 1 or ATOMS[m[0][0]].kind != "log":
        return None
    found: Form = ATOMS[m[0][0]].of
    return found


# other views


def by_powers(p: Form, *atoms: int) -> dict[tuple[Number, ...], Form]:
    """{exponents of these atoms: what they are multiplied by} of a polynomial."""
    parts: dict[tuple[Number, ...], dict[Monomial, Number]] = {}
    for m, c in p.num.items():
        table = dict(m)
        key = tuple(table.pop(a, 0) for a in atoms)
        parts.setdefault(key, {})[tuple(sorted(table.items()))] = c
    return {key: Form(num) for key, num in parts.items()}


def tree_of(r: Form) -> Tree:
    """A tree whose value is r wherever r has one."""
    if r.rational is not None:
        return number(r.rational)
    terms = [
        times(number(c), *(tree_of_power(ATOMS[a], e) for a, e in m))
        for m, c in sorted(r.num.items())
    ]
    return times(plus(*terms), *(make("^", tree_of(f), number(-k)) for f, k in r.den))


def tree_of_power(atom: Atom, e: Number) -> Tree:
    if atom.kind in ("exp", "root"):
        return make("exp", tree_of(exponent_of(atom).scaled(e)))
    if atom.kind == "name":
        base = name(atom.of)
    else:
        base = make("pi") if atom.kind == "pi" else make(atom.kind, tree_of(atom.of))
    return make("^", base, number(e))


# constants

ENCLOSED = {
    "log": enclosures.log,
    "sin": smooth.sin,
    "cos": smooth.cos,
    "atan": smooth.atan,
    "erf": smooth.erf,
    "theta3": smooth.theta3,
}


def enclosed_power(atom: Atom, e: Number) -> Interval:
    if atom.kind == "pi" and e == 1:
        return enclosures.pi()
    if atom.kind == "pi":
        return enclosures.exp(
            enclosures.multiply(enclosures.log(enclosures.pi()), enclosures.of_rational(e))
        )
    if atom.invertible:
        return enclosures.exp(enclosed(exponent_of(atom).scaled(e)))
    if atom.kind not in ENCLOSED:
        raise Undecided("an expression that must be a constant depends on a name")
    base = ENCLOSED[atom.kind](enclosed(atom.of))
    return enclosures.power(base, int(e))


def without_ends(terms: Mapping[Monomial, Number]) -> tuple[dict[Monomial, Number], Interval]:
    """The terms, with s = 1 or -1 for every erf(x) with |x| > 1, and an enclosure of what is then
    missing: erf(x) = s - s erfc(s x).
    """
    kept: dict[Monomial, Number] = {}
    out = enclosures.of_rational(0)
    for m, c in terms.items():
        ends = [(a, e) for a, e in m if ATOMS[a].kind == "erf" and e == 1]
        x = enclosed(ATOMS[ends[0][0]].of) if ends else enclosures.of_rational(0)
        side = 1 if enclosures.less((1, 0), x[0]) else -1 if enclosures.less(x[1], (-1, 0)) else 0
        if side:
            m, c = tuple(pair for pair in m if pair != ends[0]), c * side
            tail = smooth.erfc(x if side > 0 else smooth.negative(x))
            part = enclosures.multiply(enclosed(Form({m: c})), tail)
            out = enclosures.add(out, smooth.negative(part))
        kept[m] = kept.get(m, 0) + c
    return {m: c for m, c in kept.items() if c}, out


@cache
def enclosed(r: Form) -> Interval:
    """An enclosure of a constant; raises `Undecided` for a form with names."""
    terms, out = without_ends(r.num)
    for m, c in terms.items():
        part = enclosures.of_rational(c)
        for a, e in m:
            part = enclosures.multiply(part, enclosed_power(ATOMS[a], e))
        out = enclosures.add(out, part)
    for f, k in r.den:
        out = enclosures.multiply(out, enclosures.power(enclosures.reciprocal(enclosed(f)), k))
    return out


@cache
def constant_sign(r: Form) -> int | None:
    """The sign of a constant; None where it is not known, or where it depends on a name.

    Zero is decided by the normal form alone.
    """
    q = r.rational
    if q is not None:
        return (q > 0) - (q < 0)
    if r.names:
        return None
    try:
        return enclosures.sign(enclosed(r)) or None
    except Undecided:
        return None


CACHES = (
    names_in,
    of_number,
    monomial_product,
    monomial_quotient,
    content,
    divided,
    exp_of,
    log_of,
    primes,
    enclosed,
    constant_sign,
)


def forget() -> None:
    """Frees the forms of earlier records."""
    ATOMS.clear()
    NUMBERS.clear()
    for cached in CACHES:
        cached.cache_clear()
