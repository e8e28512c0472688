#!/usr/bin/env python3
"""A second opinion on stored proofs and refutations: one file, standard library only, no code of the package.

    python3 proofs/recheck.py proofs/        one line for each record, then the totals (-q: only what is not accepted)

FORMAT.md is what this file implements.  It works out from the claim what has to be shown, and reads in the evidence only where to split into
cases, where to integrate and which facts to multiply.  Whatever is not shown, and whatever goes wrong on the way, is a rejection.
"""

import argparse
import hashlib
import itertools
import json
import math
import multiprocessing
import re
import sys
from fractions import Fraction
from functools import cache, reduce
from pathlib import Path


class Rejected(Exception):
    """Something is not shown."""


class Undecided(Rejected):
    """A sign that is needed is not known."""


class NotCovered(Exception):
    """The record needs what this file does not do."""


def need(condition, why):
    """Nothing if the condition holds."""
    if not condition:
        raise Rejected(why)


# 1. trees: equal trees are one object

LEAVES = ("number", "oo", "pi", "boolean", "label", "name")
PAYLOAD = {"name": str, "label": str, "boolean": bool}
BINARY, UNARY = ("^", "mod", "binomial", "==", "!=", "<", "<=", "and", "or", "index"), ("exp", "log", "abs", "sign", "floor", "not", "sum", "maximum", "minimum")
ARITY = {"oo": 0, "pi": 0, **dict.fromkeys(UNARY, 1), **dict.fromkeys(BINARY, 2), **dict.fromkeys(("+", "*", "min", "max", "piecewise"))}
AGGREGATES, COMPARISONS = ("sum", "maximum", "minimum"), ("==", "!=", "<", "<=")
NAME = re.compile(r"(?:@level|[@#][cd]?[0-9]+|[A-Za-z_]\w*(?:\[[1-9][0-9]*\])?'*)", re.ASCII)
TREES, ATOMS, MONOMIALS, NUMBER_OF = {}, [], [()], {(): 0}


class Node:
    """A tree: a head, its arguments (of a leaf its payload), and the names in it."""

    __slots__ = ("args", "head", "names")

    def __init__(self, head, args):
        self.head, self.args = head, args
        self.names = frozenset(args if head == "name" else ()) if head in LEAVES else frozenset().union(*(a.names for a in args))


def node(head, *args):
    """The tree with this head and these arguments."""
    if (head, args) not in TREES:
        TREES[head, args] = Node(head, args)
    return TREES[head, args]


def number(value):
    """The tree of a rational number."""
    return node("number", Fraction(value))


def read_tree(data, depth=0):
    """The tree of its JSON."""
    if isinstance(data, str):
        return number(read_rational(data))
    need(isinstance(data, list) and data and isinstance(data[0], str) and depth <= 200, "what should be a tree is none")
    head, args = data[0], data[1:]
    if head in PAYLOAD:
        need(len(args) == 1 and type(args[0]) is PAYLOAD[head] and (head != "name" or NAME.fullmatch(args[0])), "a leaf is malformed")
        return node(head, args[0])
    need(head in ARITY and (len(args) == ARITY[head] or (ARITY[head] is None and args)), f"{head} has {len(args)} arguments")
    need(head != "piecewise" or len(args) % 2 == 0, "a branch has no condition")
    return node(head, *(read_tree(a, depth + 1) for a in args))


def read_rational(text):
    """The rational number of a text in lowest terms."""
    need(isinstance(text, str) and len(text) < 3000 and str(Fraction(text)) == text, "what should be a number in lowest terms is none")
    return Fraction(text)


def rebuild(e, change):
    """e with every node that `change` answers for replaced by the answer, from the top."""
    new = change(e)
    if new is not None or e.head in LEAVES:
        return e if new is None else new
    args = tuple(rebuild(a, change) for a in e.args)
    if e.head == "index" and not args[1].names:
        i = normal(args[1], Context()).rational
        need(i is not None and i.denominator == 1 and i >= 1, "a part number is no whole number")
        return node("name", f"{args[0].args[0]}[{i}]")
    return e if args == e.args else node(e.head, *args)


def substitute(e, values):
    """e with names replaced, all at once; x, x[i] and eps of sums over records are left alone."""
    def change(part):
        if part.head == "name" or part.names.isdisjoint(values):
            return values.get(part.args[0], part) if part.head == "name" else part
        if part.head in AGGREGATES:
            return node(part.head, substitute(part.args[0], {k: v for k, v in values.items() if k.split("[")[0] not in ("x", "eps")}))
        return None
    return rebuild(e, change)


def place(e, nodes):
    """e with its record sums, values or query answers replaced by what they are in one state."""
    return rebuild(e, nodes.get) if nodes else e


def walk(e):
    """Every node of e, parents first."""
    yield e
    for a in e.args if e.head not in LEAVES else ():
        yield from walk(a)


def conjuncts(c):
    """The conditions that a conjunction joins."""
    return tuple(p for part in c.args for p in conjuncts(part)) if c.head == "and" else (c,)


OO, TRUE, ZERO, ONE = node("oo"), node("boolean", True), number(0), number(1)


# 2. polynomials and ratios in numbered atoms, in normal form (section 4)

class Ratio:
    """{monomial: rational} over powers of primitive polynomials; immutable."""

    __slots__ = ("_hash", "den", "num")

    def __init__(self, num, den=()):
        self.num, self.den, self._hash = num, den, None

    def __hash__(self):
        if self._hash is None:
            self._hash = hash((frozenset(self.num.items()), self.den))
        return self._hash

    def __eq__(self, other):
        return self is other or (self.num == other.num and self.den == other.den)

    @property
    def rational(self):
        """The rational number that it is, or None."""
        if self.den or len(self.num) > 1 or (self.num and 0 not in self.num):
            return None
        return Fraction(self.num.get(0, 0))

    @property
    def names(self):
        """The names that it depends on."""
        return names_of(self)

    def __add__(self, other):
        if self.den == other.den == ():
            return Ratio(merged(self.num, other.num))
        mine, theirs = dict(self.den), dict(other.den)
        both = {f: max(mine.get(f, 0), theirs.get(f, 0)) for f in mine | theirs}
        parts = [reduce(Ratio.__mul__, (f for f, k in both.items() for _ in range(k - own.get(f, 0))), Ratio(r.num)) for r, own in ((self, mine), (other, theirs))]
        return reduced(merged(parts[0].num, parts[1].num), both)

    def __neg__(self):
        return Ratio({m: -c for m, c in self.num.items()}, self.den)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        if not isinstance(other, Ratio):
            return Ratio({m: whole(c * other) for m, c in self.num.items()} if other else {}, self.den if other else ())
        need(len(self.num) * len(other.num) <= 20000, "a product of polynomials is too long")
        num = {}
        for i, c in self.num.items():
            for j, d in other.num.items():
                k, m = times(i, j)
                num[m] = num.get(m, 0) + c * d * k
        num = {m: whole(c) for m, c in num.items() if c}
        if not self.den and not other.den:
            return Ratio(num)
        powers = dict(self.den)
        for f, k in other.den:
            powers[f] = powers.get(f, 0) + k
        return reduced(num, powers)

    def __truediv__(self, other):
        return self * inverse(other)

    def __pow__(self, n):
        if n < 0:
            return inverse(self) ** -n
        half = self ** (n // 2) if n > 1 else UNIT
        return half * half * (self if n % 2 else UNIT)


def whole(c):
    """The same number, as an int where it is one (ints are added and hashed faster)."""
    return c.numerator if c.denominator == 1 else c


def merged(p, q):
    """The sum of two tables of terms."""
    out = dict(p)
    for m, c in q.items():
        total = out.get(m, 0) + c
        if total:
            out[m] = whole(total)
        else:
            del out[m]
    return out


def constant(c):
    """The ratio of a rational number."""
    return Ratio({0: whole(Fraction(c))} if c else {})


def number_of(table, thing):
    """The place of a thing in a table; equal things share it."""
    if thing not in NUMBER_OF:
        NUMBER_OF[thing] = len(table)
        table.append(thing)
    return NUMBER_OF[thing]


def settled(powers):
    """(c, number of the monomial) of a table of exponents: primes to exponents in [0, 1), |x|^2 is x^2 for a name x."""
    c, powers = 1, dict(powers)
    for a, e in list(powers.items()):
        kind, inner = ATOMS[a]
        if kind == "prime" and not 0 <= e < 1:
            need(abs(e) * inner.bit_length() < 65536, "a power is too large")
            c, powers[a] = c * Fraction(inner) ** math.floor(e), e - math.floor(e)
        if kind == "abs" and e > 1 and len(inner.num) == 1 and len(only := MONOMIALS[next(iter(inner.num))]) == 1 and ATOMS[only[0][0]][0] == "name":
            powers[a], powers[only[0][0]] = e % 2, powers.get(only[0][0], 0) + e - e % 2
    return whole(c), number_of(MONOMIALS, tuple(sorted((a, whole(e)) for a, e in powers.items() if e)))


@cache
def times(i, j):
    """The product of two monomials, as a rational and a monomial."""
    powers = dict(MONOMIALS[i])
    for a, e in MONOMIALS[j]:
        powers[a] = powers.get(a, 0) + e
    return settled(powers)


def of_atom(kind, inner, e=1):
    """The ratio of a power of an atom."""
    c, m = settled({number_of(ATOMS, (kind, inner)): e})
    return Ratio({m: c})


def of_monomial(m, c=1):
    """The ratio of a multiple of a monomial."""
    return Ratio({m: whole(c)} if c else {})


def invertible(a):
    """Whether an atom is positive whatever its names stand for."""
    return ATOMS[a][0] in ("exp", "prime")


@cache
def content(p):
    """p = c m q: a rational, a monomial, and q primitive (whole coprime coefficients, no common atom, first coefficient positive)."""
    if len(p.num) < 2:
        return next(((c, m, UNIT) for m, c in p.num.items()), (0, 0, UNIT))
    tables = [dict(MONOMIALS[m]) for m in p.num]
    common = {a: min(t[a] for t in tables) for a in set(tables[0]).intersection(*tables[1:])}
    q = p * of_monomial(settled({a: -e for a, e in common.items()})[1]) if common else p
    c = Fraction(math.gcd(*(v.numerator for v in q.num.values())), math.lcm(*(v.denominator for v in q.num.values())))
    c = -c if q.num[min(q.num)] < 0 else c
    unit, m = settled(common)
    return c * unit, m, q * (1 / Fraction(c))


def quotient(m, n):
    """m / n for monomials, as a rational and a monomial."""
    c, n = settled({a: -e for a, e in MONOMIALS[n]})
    k, q = times(m, n)
    return c * k, q


@cache
def divide(p, d):
    """The polynomial q with p = q d, or None."""
    tables = [{m: dict(MONOMIALS[m]) for m in r.num} for r in (p, d)]
    order = sorted({a for t in tables for powers in t.values() for a in powers})
    plain = all(ATOMS[a][0] != "abs" for a in order)
    span = {}
    for a in order:  # degrees add up, and so do lowest ones; powers of |x| are rewritten
        if ATOMS[a][0] == "exp" or (plain and ATOMS[a][0] == "name"):
            top, bottom = ([powers.get(a, 0) for powers in t.values()] for t in tables)
            span[a] = min(top) - min(bottom), max(top) - max(bottom)
            if span[a][0] > span[a][1]:
                return None

    def height(m):
        powers = dict(MONOMIALS[m])
        return [powers.get(a, 0) for a in order]
    lead, rest, result = max(d.num, key=height), dict(p.num), {}
    for _ in range(2 * len(rest) + 8):
        if not rest:
            return Ratio(result)
        top = max(rest, key=height)
        c, q = quotient(top, lead)
        powers = dict(MONOMIALS[q])
        if any(e < 0 and not invertible(a) for a, e in powers.items()) or any(not low <= powers.get(a, 0) <= high for a, (low, high) in span.items()):
            return None
        piece = of_monomial(q, c * Fraction(rest[top]) / d.num[lead])
        result = merged(result, piece.num)
        rest = merged(rest, (-(piece * d)).num)
    return None


def reduced(num, powers):
    """num / factors, with every factor cancelled that divides the numerator."""
    p, den = Ratio(num), []
    for f, k in sorted(powers.items(), key=lambda pair: sorted(pair[0].num)) if num else ():
        while k and (q := divide(p, f)) is not None:
            p, k = q, k - 1
        den += [(f, k)] if k else []
    return Ratio(p.num, tuple(den))


def inverse(r):
    """1 / r."""
    c, m, q = content(Ratio(r.num))
    if not c:
        raise ZeroDivisionError
    unit, inverted = settled({a: -e for a, e in MONOMIALS[m] if invertible(a)})
    powers = {of_monomial(number_of(MONOMIALS, ((a, 1),))): e for a, e in MONOMIALS[m] if not invertible(a)}
    powers |= {} if q == UNIT else {q: 1}
    top = reduce(Ratio.__mul__, (f for f, k in r.den for _ in range(k)), of_monomial(inverted, unit / Fraction(c)))
    return reduced(top.num, powers)


@cache
def monomial_names(m):
    """The names that a monomial depends on."""
    return frozenset().union(*({inner} if kind == "name" else names_of(inner) if isinstance(inner, Ratio) else () for kind, inner in (ATOMS[a] for a, _ in MONOMIALS[m])))


@cache
def names_of(r):
    """The names that a ratio depends on."""
    return frozenset().union(*(monomial_names(m) for m in r.num), *(names_of(f) for f, _ in r.den))


@cache
def exp_of(r):
    """e^r, one atom for each monomial of r, so that exp(a + b) and exp(a) exp(b) are the same."""
    out = UNIT
    for m, c in r.num.items():
        part = reduced({m: c}, dict(r.den)) if r.den else of_monomial(m, c)
        for n, d in part.num.items():
            kind, inner = ATOMS[MONOMIALS[n][0][0]] if len(MONOMIALS[n]) == 1 and MONOMIALS[n][0][1] == 1 and not part.den else ("", None)
            base = inner.rational if kind == "log" else None
            if base is not None and base.denominator == 1 and primes(base) == ((base, 1),):
                out = out * of_atom("prime", int(base), d)
            elif kind == "log" and Fraction(d).denominator == 1:
                out = out * inner ** int(d)
            else:
                out = out * of_atom("exp", Ratio({n: 1}, part.den), d)
    return out


@cache
def log_of(r):
    """log r for positive r, taken apart where r is a product of primes, exponentials and at most one odd power of something else."""
    c, m, q = content(Ratio(r.num))
    units = tuple((a, e) for a, e in MONOMIALS[m] if invertible(a))
    others = [(of_monomial(number_of(MONOMIALS, ((a, 1),))), e) for a, e in MONOMIALS[m] if not invertible(a)]
    others += ([] if q == UNIT else [(q, 1)]) + [(f, -k) for f, k in r.den]
    if len(others) == 1 and others[0][1] % 2:
        rest = of_monomial(number_of(MONOMIALS, units), abs(c))
        if not (others[0][1] == 1 and rest.rational == 1):
            return log_of(rest) + of_atom("log", others[0][0] if c > 0 else -others[0][0]) * others[0][1]
    found = primes(Fraction(c)) if c > 0 and not others else None
    if found is None:
        return of_atom("log", r)
    total = Ratio({})
    for p, k in found:
        total = total + of_atom("log", constant(p)) * k
    for a, e in units:
        kind, inner = ATOMS[a]
        total = total + (of_atom("log", constant(inner)) if kind == "prime" else inner) * e
    return total


@cache
def primes(value):
    """The primes of a positive rational with their exponents, or None where a prime above 65536 might be composite."""
    powers = {}
    for part, direction in ((value.numerator, 1), (value.denominator, -1)):
        p = 2
        while p * p <= part:
            if p > 65536:
                return None
            while part % p == 0:
                powers[p], part = powers.get(p, 0) + direction, part // p
            p += 1 + (p > 2)
        if part > 1:
            powers[part] = powers.get(part, 0) + direction
    return tuple(sorted(powers.items()))


def inside_logs(p):
    """The r > 0 with p = c log r, c > 0, for a sum of logarithms; None for another polynomial."""
    pairs = [(MONOMIALS[m], Fraction(c)) for m, c in p.num.items()]
    if not pairs or any(len(m) != 1 or m[0][1] != 1 or ATOMS[m[0][0]][0] != "log" for m, _ in pairs):
        return None
    scale = math.lcm(*(c.denominator for _, c in pairs))
    if max(abs(c * scale) for _, c in pairs) > 16:
        return None
    return reduce(Ratio.__mul__, (ATOMS[m[0][0]][1] ** int(c * scale) for m, c in pairs))


def power(base, exponent):
    """base ^ exponent; the caller knows that base > 0 unless the exponent is whole."""
    e = exponent.rational
    if e is None or e.denominator != 1:
        return exp_of(exponent * log_of(base))
    size = base.rational
    need(abs(e) <= 64 or len(base.num) <= 1, "a power above 64 of a sum")
    need(size is None or abs(e) * max(size.numerator.bit_length(), size.denominator.bit_length()) <= 65536, "a power is too large")
    return base ** int(e)


def linear(p, name):
    """(k, m) with p = k name + m, both free of the name, or None."""
    parts = [{}, {}]
    for m, c in p.num.items():
        powers = dict(MONOMIALS[m])
        e = powers.pop(number_of(ATOMS, ("name", name)), 0)
        rest = number_of(MONOMIALS, tuple(sorted(powers.items())))
        if e not in (0, 1) or name in monomial_names(rest):
            return None
        parts[e][rest] = c
    return Ratio(parts[1]), Ratio(parts[0])


def growth(p, name):
    """((r, k), c) with p ~ c exp(r name) name^k as the name grows, c free of it."""
    parts, atom, exponential = {}, number_of(ATOMS, ("name", name)), number_of(ATOMS, ("exp", of_atom("name", name)))
    for m, c in p.num.items():
        powers = dict(MONOMIALS[m])
        rate = powers.pop(exponential, 0), powers.pop(atom, 0)
        rest = number_of(MONOMIALS, tuple(sorted(powers.items())))
        need(name not in monomial_names(rest), "a limit is not read off leading terms")
        parts[rate] = parts.get(rate, Ratio({})) + of_monomial(rest, c)
    rate = max(r for r, c in parts.items() if c.num)
    return rate, parts[rate]


def tree(r):
    """A tree whose normal form is r."""
    def power_of(a, e):
        kind, inner = ATOMS[a]
        if kind == "exp":
            return node("exp", tree(inner * e))
        base = node("name", inner) if kind == "name" else number(inner) if kind == "prime" else node("pi") if kind == "pi" else node(kind, tree(inner))
        return node("^", base, number(e))
    if r.rational is not None:
        return number(r.rational)
    terms = [node("*", number(c), *(power_of(a, e) for a, e in MONOMIALS[m])) for m, c in sorted(r.num.items())]
    return node("*", node("+", *terms), *(node("^", tree(f), number(-k)) for f, k in r.den))


UNIT, NOTHING = Ratio({0: 1}), Ratio({})

# 3. enclosures of constants: pairs of whole numbers, in units of 2^-bits, rounded outwards
@cache
def exp_ends(x, bits):
    """Around exp(x), for one x."""
    if x < 0:
        low, high = exp_ends(-x, bits)
        return (1 << 2 * bits) // high, -(-(1 << 2 * bits) // low)
    need(x >> bits < 50000, "a constant is too large")
    halvings = max(0, x.bit_length() - bits) + 8
    wide = bits + 2 * halvings + 16
    r, n, term = (x << wide - bits) >> halvings, 0, 1 << wide
    low = 0
    while term:
        low, n = low + term, n + 1
        term = (term * r >> wide) // n
    high = low + 2 * n + 6  # r, each term and the tail are at most 2 units too small
    for _ in range(halvings):
        low, high = low * low >> wide, -(-high * high >> wide)
    return low >> wide - bits, -(-high >> wide - bits)
@cache
def atanh_ends(p, q, wide, sign=1):
    """Around atanh(p/q), or with the sign -1 atan(p/q), for |p/q| <= 1/2."""
    if p < 0:
        low, high = atanh_ends(-p, q, wide, sign)
        return -high, -low
    term, total, k = (p << wide) // q, 0, 0
    while term:
        total += term // (2 * k + 1) * (sign if k % 2 else 1)
        term, k = term * p * p // (q * q), k + 1
    return total - 3 * k - 4, total + 3 * k + 4
def log_ends(x, bits):
    """Around log(x), for one x > 0: log(2) times the length and log of what lies in [1/2, 1)."""
    need(x > 0, "the logarithm of what may be 0")
    size, two, m = x.bit_length(), atanh_ends(1, 3, bits), None
    m = atanh_ends(x - (1 << size), x + (1 << size), bits)
    ends = [2 * (m[i] + (size - bits) * two[i if size >= bits else 1 - i]) for i in (0, 1)]
    return ends[0], ends[1]
def product_ends(a, b, bits):
    """Around the product of two intervals."""
    listed = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(listed) >> bits, -(-max(listed) >> bits)
def scaled(a, c):
    """Around c times an interval."""
    listed = sorted((a[0] * c, a[1] * c))
    return math.floor(listed[0]), math.ceil(listed[1])
def power_ends(a, n, bits):
    """Around the n-th power of an interval, n >= 0."""
    out = (1 << bits, 1 << bits)
    for _ in range(n):
        out = product_ends(out, a, bits)
    return (max(out[0], 0), out[1]) if n % 2 == 0 else out
def atom_ends(a, e, bits):
    """Around a power of an atom without names."""
    kind, inner = ATOMS[a]
    if kind in ("exp", "prime"):
        low, high = enclose(inner * e, bits) if kind == "exp" else scaled(log_ends(inner << bits, bits), e)
        return exp_ends(low, bits)[0], exp_ends(high, bits)[1]
    need(kind in ("pi", "log", "abs", "floor"), "what should be a constant has a name")
    if kind == "pi":
        first, second = atanh_ends(1, 5, bits, -1), atanh_ends(1, 239, bits, -1)
        base = 16 * first[0] - 4 * second[1], 16 * first[1] - 4 * second[0]
    else:
        low, high = enclose(inner, bits)
    if kind == "log":
        base = log_ends(low, bits)[0], log_ends(high, bits)[1]
    elif kind == "abs":
        base = (max(low, -high, 0), max(-low, high))
    elif kind == "floor":
        base = low >> bits << bits, high >> bits << bits
    return power_ends(base, e, bits)
@cache
def enclose(r, bits):
    """Around a constant ratio."""
    total = (0, 0)
    for m, c in r.num.items():
        piece = reduce(lambda a, b: product_ends(a, b, bits), (atom_ends(a, e, bits) for a, e in MONOMIALS[m]), (1 << bits, 1 << bits))
        piece = scaled(piece, c)
        total = total[0] + piece[0], total[1] + piece[1]
    for f, k in r.den:
        low, high = power_ends(enclose(f, bits), k, bits)
        if low <= 0 <= high:
            raise Undecided("a divisor is not told from 0")
        total = product_ends(total, ((1 << 2 * bits) // high, -(-(1 << 2 * bits) // low)), bits)
    return total
@cache
def constant_sign(r):
    """-1, 0 or 1 for a constant ratio, or None; zero is decided by the normal form alone."""
    if r.rational is not None or r.names:
        return None if r.rational is None else (r.rational > 0) - (r.rational < 0)
    for bits in (64, 256, 1024, 4096):
        try:
            low, high = enclose(r, bits)
        except Undecided:
            continue
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
    return None

# 4. what is known at one place of a proof, and normal forms there
POS, NEG, NIL = frozenset((1,)), frozenset((-1,)), frozenset((0,))
RELATION = {">": POS, ">=": POS | NIL, "=": NIL, "<=": NEG | NIL, "<": NEG}
MIRROR, ANY = {"<": ">", "<=": ">="}, POS | NEG | NIL
SIGN = {-1: NEG, 0: NIL, 1: POS}
@cache
def both(a, b):
    """The signs of a product."""
    return frozenset(x * y for x in a for y in b)
def sign_set(c):
    """The sign of a rational, as a set."""
    return POS if c > 0 else NEG if c else NIL
class Context:
    """Facts (polynomial, relation) in order; signs known of primitive polynomials; whole-number names; values of names; a name that grows."""
    def __init__(self, facts=(), known=None, whole_names=frozenset(), values=None, germ=""):
        self.facts, self.known, self.whole_names, self.values, self.germ = facts, known or {}, whole_names, values or {}, germ
        self.forms, self.larger, self.seen = {}, {}, {}
    def changed(self, **changes):
        """This context with other whole-number names, values or growing name."""
        return Context(**{"facts": self.facts, "known": self.known, "whole_names": self.whole_names, "values": self.values, "germ": self.germ, **changes})
    def given(self, p, relation):
        """This context with one more fact."""
        p, relation = (-p, MIRROR[relation]) if relation in MIRROR else (p, relation)
        need(relation in (">", ">=", "=") and not p.den, "there is no such fact")
        if (p, relation) not in self.larger:
            self.larger[p, relation] = self.with_fact(p, relation)
        return self.larger[p, relation]
    def with_fact(self, p, relation):
        """The same, worked out."""
        known, values = dict(self.known), dict(self.values)
        def learn(c, m, q, signs):
            outer = both(sign_set(c), self.monomial_signs(m))
            if q == UNIT and len(MONOMIALS[m]) == 1 and MONOMIALS[m][0][1] == 1 and not invertible(MONOMIALS[m][0][0]):
                q, outer = of_monomial(m), sign_set(c)
            if outer in (POS, NEG) and q != UNIT:
                known[q] = self.signs(q) & both(signs, outer)
            return q
        q = learn(*content(p), RELATION[relation])
        if q in known and known[q] != self.known.get(q) and (inner := inside_logs(q)) is not None:
            gap = inner - UNIT
            outer = reduce(both, (self.signs(f) for f, k in gap.den if k % 2), POS)
            learn(*content(Ratio(gap.num)), both(known[q], outer) if outer in (POS, NEG) else ANY)
        fixed = fixed_name(p if relation == "=" else q if known.get(q) == NIL else NOTHING)
        for name, value in fixed:
            values.setdefault(name, value)
        out = self.changed(facts=(*self.facts, (p, relation)), known=known, values=values)
        for name, value in fixed if len(p.num) > 1 else ():
            for r in [r for r in known if name in r.names and value.rational is None]:  # what is known of r holds with the value put in
                moved = normal(tree(r), out)
                c, m, q = content(moved)
                if not moved.den and not m and q != UNIT and c:
                    known[q] = known.get(q, ANY) & both(known[r], sign_set(c))
        return out
    def signs(self, p):
        """The signs that a polynomial, or a ratio, can have here."""
        if p not in self.seen:
            if p.den:
                self.seen[p] = reduce(both, (self.signs(f) for f, k in p.den if k % 2), self.signs(Ratio(p.num)))
            elif self.germ in p.names:
                leading = self.signs(growth(p, self.germ)[1])
                self.seen[p] = ANY if 0 in leading else leading
            else:
                c, m, q = content(p)
                outer = both(sign_set(c), self.monomial_signs(m)) if c else NIL
                self.seen[p] = outer if q == UNIT else both(outer, self.primitive_signs(q))
        return self.seen[p]
    def primitive_signs(self, p):
        """The signs of a primitive polynomial."""
        if p in self.known:
            return self.known[p] if len(self.known[p]) == 1 else self.known[p] & self.shifted_signs(p)
        if not p.names and (s := constant_sign(p)) is not None:
            return SIGN[s]
        if (inner := inside_logs(p)) is not None:
            return self.signs(inner - UNIT)
        terms = [both(sign_set(c), self.monomial_signs(m)) for m, c in p.num.items()]
        for s in (1, -1):
            if all(-s not in t for t in terms):
                return SIGN[s] if SIGN[s] in terms else SIGN[s] | NIL
        return self.shifted_signs(p)
    def monomial_signs(self, m):
        """The signs of a monomial."""
        return reduce(both, (frozenset(x * x for x in self.atom_signs(a)) if e % 2 == 0 else self.atom_signs(a) for a, e in MONOMIALS[m]), POS)
    def atom_signs(self, a):
        """The signs of an atom."""
        kind, inner = ATOMS[a]
        if kind in ("exp", "prime", "pi"):
            return POS
        p = of_atom(kind, inner)
        if len(self.known.get(p, ANY)) == 1:
            return self.known[p]
        if kind == "log":
            s = None if p.names else constant_sign(p)
            return SIGN[s] if s is not None else self.signs(inner - UNIT)
        return (POS | NIL if kind == "abs" else ANY) & self.shifted_signs(p)
    def shifted_signs(self, p):
        """The signs that p = k q + r has by a fact about q, where k is rational and r constant."""
        varying, result = [m for m in p.num if monomial_names(m)], ANY
        for q, signs in self.known.items() if varying else ():
            if varying[0] in q.num and len(varying) <= len(q.num) <= len(p.num) + 2:
                k = Fraction(p.num[varying[0]]) / q.num[varying[0]]
                r = p - q * k
                s = constant_sign(r) if not r.names else None
                moved = both(signs, sign_set(k))
                if s is not None and (s == 0 or -s not in moved):
                    result = result & (SIGN[s] if s else moved)
        return result
def fixed_name(p):
    """The name and its value, if c * name + r = 0 with r a sum of a rational and multiples of floors."""
    singles = {m: c for m, c in p.num.items() if len(MONOMIALS[m]) == 1 and MONOMIALS[m][0][1] == 1}
    found = [m for m in singles if ATOMS[MONOMIALS[m][0][0]][0] == "name"]
    if len(found) != 1 or any(m and m != found[0] and (m not in singles or ATOMS[MONOMIALS[m][0][0]][0] != "floor") for m in p.num):
        return ()
    rest = Ratio({m: c for m, c in p.num.items() if m != found[0]})
    return ((ATOMS[MONOMIALS[found[0]][0][0]][1], rest * (-1 / Fraction(p.num[found[0]]))),)
def sign_of(r, here):
    """The one sign of r here."""
    signs = here.signs(r)
    if len(signs) != 1:
        raise Undecided("a sign that is needed is not known")
    return min(signs)
def polynomial(r, here):
    """A polynomial with the sign of r here."""
    return Ratio(r.num) if math.prod(sign_of(f, here) ** k for f, k in r.den) > 0 else -Ratio(r.num)
def abs_of(r, here):
    """|r| here: parts of known sign lose their bars, the others are atoms."""
    signs = here.signs(r)
    if -1 not in signs or 1 not in signs:
        return r if -1 not in signs else -r
    def bars(p):
        signs = here.signs(p)
        return p if -1 not in signs else -p if 1 not in signs else of_atom("abs", p)
    c, m, q = content(Ratio(r.num))
    out = bars(q) * abs(c)
    for a, e in MONOMIALS[m]:
        base = of_monomial(number_of(MONOMIALS, ((a, 1),)))
        out = out * (of_atom(*ATOMS[a], e) if invertible(a) else bars(base) ** e)
    for f, k in r.den:
        out = out / (f * sign_of(f, here)) ** k
    return out
def is_whole(r, here):
    """True only if r is a polynomial with whole coefficients in whole-number names, floors and absolute values of such polynomials."""
    return not r.den and all(c.denominator == 1 and whole_monomial(m, here) for m, c in r.num.items())
def whole_monomial(m, here):
    """The same for a monomial."""
    return all(kind == "floor" or (kind == "name" and inner in here.whole_names) or (kind == "abs" and is_whole(inner, here)) for kind, inner in (ATOMS[a] for a, _ in MONOMIALS[m]))
def floor_of(r, here):
    """floor(r): a number where bounds single it out, else the whole terms of r and the floor of the rest as an atom."""
    if r.rational is not None:
        return constant(math.floor(r.rational))
    if not r.names:
        low, high = (end >> 256 for end in enclose(r, 256))
        return constant(low) if low == high else of_atom("floor", r)
    low, high = bounds(r, here, True) if not r.den else (None, None)
    if low and high and (least := math.floor(low[0])) == (math.ceil(high[0]) - 1 if high[1] else math.floor(high[0])):
        return constant(least)
    terms = r.num
    if r.den:
        divisors = [next(iter(f.num)) for f, k in r.den if k == 1 and len(f.num) == 1]
        terms = {q: whole(c * k) for m, c in r.num.items() if len(divisors) == len(r.den) == 1 for k, q in [quotient(m, divisors[0])] if all(e > 0 or invertible(a) for a, e in MONOMIALS[q])}
    whole_part = Ratio({m: v for m, c in terms.items() if (not m or (c.denominator == 1 and whole_monomial(m, here))) and (v := c if m else math.floor(c))})
    rest = r - whole_part
    return whole_part + (of_atom("floor", rest) if rest.names else floor_of(rest, here))
def bounds(p, here, deeper):
    """Rational bounds (value, strict) of p from below and above, each None where there is none."""
    if p.rational is not None:
        return (p.rational, False), (p.rational, False)
    found = [None, None]
    for q, signs in here.known.items():
        m = next((m for m in q.num if m and m in p.num), None)
        if m is None:
            continue
        k = Fraction(p.num[m]) / q.num[m]
        rest, moved = p - q * k, both(signs, sign_set(k))
        if rest.rational is None and not (deeper and len(rest.num) < len(p.num)):
            continue
        for i, b in enumerate(bounds(rest, here, False)):
            side = 1 - 2 * i
            if b is not None and -side not in moved:
                b = (b[0], b[1] or 0 not in moved)
                found[i] = b if found[i] is None or (side * b[0], b[1]) > (side * found[i][0], found[i][1]) else found[i]
    return found
def normal(e, here):
    """The normal form of a tree here."""
    if e not in here.forms:
        need(e.head in NORMAL, f"{e.head} is no number")
        here.forms[e] = NORMAL[e.head](e, here)
    return here.forms[e]
def power_form(e, here):
    """base ^ exponent."""
    base, exponent = (normal(a, here) for a in e.args)
    value = exponent.rational
    if value is None and here.signs(base) == NIL and counts(exponent, here) and sign_of(exponent, here) > 0:
        return NOTHING
    if value is None or value.denominator != 1:
        if here.signs(base) != POS:
            raise Undecided("a root or power of what is not known to be > 0")
    elif value < 0:
        nonzero(base, here)
    return power(base, exponent)
def counts(n, here):
    """True only if n is a sum of whole multiples of whole-number names."""
    return is_whole(n, here) and all(ATOMS[a][0] == "name" for m in n.num for a, _ in MONOMIALS[m])
def nonzero(r, here):
    """r itself, known not to be 0."""
    if 0 in here.signs(Ratio(r.num)):
        raise Undecided("a divisor is not known not to be 0")
    return r
def extreme_form(e, here):
    """The maximum or minimum, from left to right."""
    best, direction = normal(e.args[0], here), 1 if e.head == "max" else -1
    for a in e.args[1:]:
        other = normal(a, here)
        best = (best + other + abs_of(best - other, here) * direction) * Fraction(1, 2)
    return best
def log_form(e, here):
    """The logarithm of what is known to be > 0."""
    r = normal(e.args[0], here)
    if here.signs(r) != POS:
        raise Undecided("a logarithm of what is not known to be > 0")
    return log_of(r)
def mod_form(e, here):
    """a - b floor(a / b)."""
    a, b = (normal(x, here) for x in e.args)
    return a - b * floor_of(a / nonzero(b, here), here)
def binomial_form(e, here):
    """n choose k, for whole numbers, or for a count n >= 0 and 0 <= k <= 16."""
    n, k = (normal(x, here) for x in e.args)
    total, chosen = n.rational, k.rational
    need(chosen is not None and chosen.denominator == 1, "n choose k needs a whole number k")
    if total is not None:
        need(total.denominator == 1 and 0 <= total <= 4096, "n choose k needs a whole number n from 0 to 4096")
        return constant(math.comb(int(total), int(chosen)) if 0 <= chosen <= total else 0)
    need(0 <= chosen <= 16 and counts(n, here) and -1 not in here.signs(n), "n choose k needs a count n >= 0 and k from 0 to 16")
    order = sign_of(n - constant(chosen), here)
    return reduce(Ratio.__mul__, ((n - constant(i)) * Fraction(1, i + 1) for i in range(int(chosen) if order > 0 else 0)), constant(int(order >= 0)))
def branch(e, here):
    """The value of a piecewise node that holds here."""
    found = next((value for value, condition in zip(e.args[::2], e.args[1::2], strict=True) if truth(condition, here)), None)
    need(found is not None, "no branch of a piecewise expression holds")
    return found
NORMAL = {
    "number": lambda e, here: constant(e.args[0]), "pi": lambda e, here: of_atom("pi", None),
    "name": lambda e, here: here.values[e.args[0]] if e.args[0] in here.values else of_atom("name", e.args[0]),
    "+": lambda e, here: reduce(Ratio.__add__, (normal(a, here) for a in e.args)), "*": lambda e, here: reduce(Ratio.__mul__, (normal(a, here) for a in e.args)),
    "^": power_form, "exp": lambda e, here: exp_of(normal(e.args[0], here)), "log": log_form, "abs": lambda e, here: abs_of(normal(e.args[0], here), here),
    "max": extreme_form, "min": extreme_form, "sign": lambda e, here: constant(sign_of(normal(e.args[0], here), here)), "binomial": binomial_form,
    "floor": lambda e, here: floor_of(normal(e.args[0], here), here), "mod": mod_form, "piecewise": lambda e, here: normal(branch(e, here), here),
}
def truth(c, here):
    """Whether a condition holds here."""
    if c.head == "boolean":
        return c.args[0]
    if c.head == "not":
        return not truth(c.args[0], here)
    if c.head in ("and", "or"):
        found = [known_truth(part, here) for part in c.args]
        decisive = c.head == "or"
        if decisive in found or None not in found:
            return decisive if decisive in found else not decisive
        raise Undecided("a condition hangs on a sign that is not known")
    need(c.head in COMPARISONS, f"{c.head} is no condition")
    a, b = c.args
    if "label" in (a.head, b.head):
        need(c.head in ("==", "!=") and {a.head, b.head} <= {"label", "number", "oo"}, "a label is only compared with a value")
        return (a is b) == (c.head == "==")
    if OO in (a, b):
        need(a is b or not any(p is OO for side in (a, b) if side is not OO for p in walk(side)), "oo stands inside a comparison with oo")
        return c.head in ("==", "<=") if a is b else c.head == "!=" or (c.head != "==" and b is OO)
    signs = here.signs(normal(a, here) - normal(b, here))
    allowed = {"==": NIL, "!=": POS | NEG}.get(c.head) or RELATION[c.head]
    if signs <= allowed or not signs & allowed:
        return signs <= allowed
    raise Undecided("a condition hangs on a sign that is not known")
def known_truth(c, here):
    """The same, and None where it is not known."""
    try:
        return truth(c, here)
    except Undecided:
        return None
def assume(c, here):
    """This context with the facts of a condition; a condition that has no normal form gives none."""
    def facts(c, here):
        if c.head == "and":
            return reduce(lambda h, part: facts(part, h), c.args, here)
        if c.head not in ("==", "<", "<=") or any(a.head in ("oo", "label") for a in c.args):
            return here
        return here.given(polynomial(normal(c.args[1], here) - normal(c.args[0], here), here), {"==": "=", "<": ">", "<=": ">="}[c.head])
    try:
        return facts(c, here)
    except (Rejected, ZeroDivisionError):
        return here
GROWING = "@0"  # the demand on its way to oo
def limit(e, here):
    """The limit of e in [-oo, oo] as the growing name of the context grows."""
    try:
        r = normal(e, here)
        if not r.num:
            return ZERO
        rate, c = growth(Ratio(r.num), GROWING)
        for f, k in r.den:
            (a, b), d = growth(f, GROWING)
            rate, c = (rate[0] - k * a, rate[1] - k * b), c / d ** k
        if rate <= (0, 0):
            return tree(c) if rate == (0, 0) else ZERO
        s = sign_of(c, here)
        need(s, "a limit is not read off leading terms")
        return OO if s > 0 else node("*", number(-1), OO)
    except Undecided:
        raise
    except Rejected:
        if e.head not in ("+", "*", "abs", "min", "max") or GROWING not in e.names:
            raise
        parts = [limit(a, here) if GROWING in a.names else a for a in e.args]
        if any(part is OO for p in parts for part in walk(p)):
            raise
        return tree(normal(node(e.head, *parts), here))
def at_record(e, bound, here):
    """The canonical value of e at a record; at demand oo its limit, which may be oo."""
    if bound.get("eps") is OO and "eps" in e.names:
        here = here.changed(germ=GROWING)
        e = substitute(e, {k: v for k, v in bound.items() if k != "eps"})
        e = rebuild(e, lambda c: substitute(c, {"eps": OO}) if c.head in COMPARISONS and OO in c.args else None)
        e = substitute(e, {"eps": node("name", GROWING)})
    else:
        e = substitute(e, bound)
    while e.head == "piecewise":
        e = branch(e, here)
    return OO if e is OO else limit(e, here) if here.germ else tree(normal(e, here))

# 5. evidence
FIELDS = {
    "products": "terms", "exp sign": "factors low high", "lemma": "kind arguments relation proofs", "closed": "lemmas form proofs", "pieces": "lemmas points",
    "choice": "counts why", "divergence": "lemmas points choices final", "separate": "lemmas form levels leaves proofs", "case split": "lemmas guard cases",
    "solver word": "solvers", "enumeration": "size", "mass": "values evidence", "certificate": "claim counts conditions mass evidence uses",
    "by law": "claim law version stated premises evidence", "stated": "relation level delta",
}
def decoded(data, depth=0):
    """The evidence of its JSON, with trees and numbers read; every object has exactly the fields of its kind."""
    need(depth < 400, "evidence is nested too deep")
    if isinstance(data, list):
        return [decoded(d, depth + 1) for d in data]
    if isinstance(data, dict) and set(data) == {"e"}:
        return read_tree(data["e"])
    if isinstance(data, dict) and set(data) == {"q"}:
        return read_rational(data["q"])
    if isinstance(data, dict) and "is" in data:
        need(set(data) == {"is", *FIELDS.get(data.get("is"), "?").split()}, f"{data.get('is')} is no kind of evidence, or has other fields")
        return {k: decoded(v, depth + 1) for k, v in data.items()}
    need(data is None or isinstance(data, (str, bool, int)), "evidence is malformed")
    return data
def same(p, q):
    """Whether two polynomials are the same, up to a product of exponentials (in which two forms of one ratio may differ)."""
    unit = p / q if p.num and q.num else UNIT if not p.num and not q.num else NOTHING
    return not unit.den and len(unit.num) == 1 and all(c == 1 and all(ATOMS[a][0] == "exp" for a, _ in MONOMIALS[m]) for m, c in unit.num.items())
def at_most_one(proofs):
    """The one proof of a list that may be empty."""
    return proofs[0] if proofs else None
def combination(terms, here):
    """(the sum of products, whether it is > 0); a product with a negative factor needs an equality among its facts."""
    total, strict = NOTHING, False
    for c, numbers in terms:
        need(isinstance(c, Fraction) and all(type(i) is int and 0 <= i < len(here.facts) for i in numbers), "a product names a fact that is not there")
        facts = [here.facts[i] for i in numbers]
        need(c > 0 or any(relation == "=" for _, relation in facts), "a product of inequalities has a coefficient that is not positive")
        total = total + reduce(Ratio.__mul__, (p for p, _ in facts), constant(c))
        strict = strict or (c > 0 and all(relation == ">" for _, relation in facts))
    return total, strict
def require(r, relation, proof, here):
    """r `relation` 0 here, by the proof or, without one, by signs."""
    if proof is None:
        need(here.signs(r) <= RELATION[relation], f"what should be {relation} 0 is not, by its sign")
    elif proof["is"] == "exp sign":
        exp_sign(polynomial(r, here), relation, proof, here)
    else:
        need(proof["is"] == "products" and relation in (">=", ">"), "a proof is of the wrong kind")
        total, strict = combination(proof["terms"], here)
        need(same(polynomial(r, here), total) and (strict or relation == ">="), "products do not add up to what they should")
def extended(lemmas, here):
    """The context with the fact of each lemma."""
    for lemma in lemmas:
        need(lemma["is"] == "lemma" and lemma["kind"] in LEMMAS and lemma["relation"] in RELATION, "there is no such lemma")
        kind, relation, proofs = lemma["kind"], lemma["relation"], lemma["proofs"]
        wanted, demands, fact = LEMMAS[kind]
        need(relation == ">=" or kind in ("sign", "proved") or (kind in ("order", "floor") and relation == ">"), "a lemma has another relation than its kind")
        need(len(lemma["arguments"]) == wanted and len(proofs) == (len(demands) if kind not in ("sign", "whole") else 0), "a lemma has too much or too little")
        args = [normal(a, here) for a in lemma["arguments"]]
        for demand, proof in zip(demands, proofs or [None] * len(demands), strict=True):
            require(demand(*args), ">" if kind == "whole" else relation, proof, here)
        need(kind != "whole" or is_whole(args[0], here), "what should be a whole number is none")
        here = here.given(polynomial(fact(here, relation, *args), here), relation)
    return here
LEMMAS = {  # kind: number of arguments, what is to be proved of them, and what is then a fact
    "sign": (1, [lambda p: p], lambda here, r, p: p), "proved": (1, [lambda p: p], lambda here, r, p: p), "exp": (1, [], lambda here, r, t: exp_of(t) - UNIT - t),
    "order": (2, [lambda a, b: b - a], lambda here, r, a, b: exp_of(b) - exp_of(a)), "whole": (1, [lambda p: p], lambda here, r, p: p - UNIT),
    "triangle": (2, [], lambda here, r, u, v: abs_of(u, here) + abs_of(u - v, here) - abs_of(v, here)), "square": (1, [], lambda here, r, p: p * p),
    "absolute": (1, [], lambda here, r, w: abs_of(w, here) - w), "bound": (2, [lambda w, u: u - w, lambda w, u: u + w], lambda here, r, w, u: u - abs_of(w, here)),
    "floor": (1, [], lambda here, r, x: x - floor_of(x, here) if r == ">=" else UNIT - x + floor_of(x, here)),
}
def descend(evidence, here, leaf):
    """Every leaf of the evidence is accepted in the context of its case."""
    if evidence["is"] == "case split":
        here = extended(evidence["lemmas"], here)
        guard = polynomial(normal(evidence["guard"], here), here)
        need(frozenset().union(*(RELATION[relation] for relation, _ in evidence["cases"])) == ANY, "cases leave a sign of their guard out")
        for relation, rest in evidence["cases"]:
            descend(rest, here.given(guard, relation), leaf)
    elif evidence["is"] == "closed" and evidence["form"] == "never":
        never(evidence["proofs"], extended(evidence["lemmas"], here))
    else:
        leaf(evidence, here)
def never(proofs, here):
    """The facts contradict each other."""
    if at_most_one(proofs) is None:
        need(any(not s for s in here.known.values()), "a case is not shown to be empty")
    else:
        require(NOTHING, ">", proofs[0], here)
def exponential_form(law, here):
    """(c, e) with law = c exp(e), read off its tree."""
    if law.head == "*":
        parts = [exponential_form(a, here) for a in law.args]
        return reduce(Ratio.__mul__, (c for c, _ in parts)), reduce(Ratio.__add__, (e for _, e in parts))
    if law.head == "piecewise":
        return exponential_form(branch(law, here), here)
    if law.head == "^" and normal(law.args[1], here).rational is None:
        return UNIT, normal(law.args[1], here) * log_form(node("log", law.args[0]), here)
    return (UNIT, normal(law.args[0], here)) if law.head == "exp" else (normal(law, here), NOTHING)
def closes(leaf, small, large, level, here, side=1):
    """The leaf shows small <= exp(level) large; with the side -1, >=."""
    need(leaf["is"] == "closed", "an inequality needs a closed leaf")
    here, form = extended(leaf["lemmas"], here), leaf["form"]
    if form == "never":
        return never(leaf["proofs"], here)
    if form == "log":
        (c, e), (d, f) = exponential_form(large, here), exponential_form(small, here)
        wanted = [normal(level, here) + e - f, c - d]
    else:
        need(form in ("direct", "zero"), "there is no such form")
        wanted = [exp_of(normal(level, here)) * normal(large, here) - normal(small, here)] if form == "direct" else [-normal(small if side > 0 else large, here) * side]
    proofs = leaf["proofs"] or [None] * len(wanted)
    for r, proof in zip(wanted, proofs, strict=True):
        require(r * side, ">=", proof, here)
    return None

# 6. exp sign: tables {(k, a): c} of terms c e^k exp(a e)
def terms_of(p, name):
    """The table of a polynomial."""
    table, e, x = {}, number_of(ATOMS, ("name", name)), number_of(ATOMS, ("exp", of_atom("name", name)))
    for m, c in p.num.items():
        powers = dict(MONOMIALS[m])
        key = powers.pop(e, 0), Fraction(powers.pop(x, 0))
        need(not powers and not p.den, "it is no polynomial in one name and its exponential")
        table[key] = Fraction(c)
    return table
def derivative(f):
    """The derivative."""
    out = {}
    for (k, a), c in f.items():
        out[k, a] = out.get((k, a), 0) + c * a
        if k:
            out[k - 1, a] = out.get((k - 1, a), 0) + c * k
    return {key: c for key, c in out.items() if c}
def value_at(f, x):
    """The value at a constant."""
    return reduce(Ratio.__add__, (x ** k * exp_of(x * a) * c for (k, a), c in f.items()), NOTHING)
def end_of(fact, name):
    """(v, whether the fact bounds the name from below) for a fact c e + d or c exp(a e) + d."""
    split = linear(fact, name)
    if split and split[0].rational and not split[1].names:
        return split[1] * (-1 / split[0].rational), split[0].rational > 0
    f = terms_of(fact, name)
    d = f.pop((0, 0), 0)
    (((k, a), c),) = f.items()
    need(k == 0 and -d / c > 0, "a fact is no bound of the name")
    return log_of(constant(-d / c)) * (1 / a), c * a > 0
def exp_sign(p, relation, proof, here):
    """p >= 0 (or > 0) for all values that two facts leave to its only name."""
    need(relation in (">=", ">") and len(p.names) == 1, "an exp sign is about one name")
    (name,), low, high, factors = p.names, proof["low"], proof["high"], proof["factors"]
    need(all(type(i) is int and 0 <= i < len(here.facts) for i in (low, high) if i is not None) and low is not None, "a bound is not there")
    (low_fact, low_kind), (high_fact, high_kind) = here.facts[low], here.facts[low if high is None else high]
    if low_kind == "=":
        need(not factors and high is None and constant_sign(value_at(terms_of(p, name), end_of(low_fact, name)[0])) in RELATION[relation], "the sign at a fixed value is another one")
        return
    low_end, is_low = end_of(low_fact, name)
    high_end, is_too = (None, False) if high is None else end_of(high_fact, name)
    need(is_low and not is_too and high_kind != "=", "the facts bound the name from the wrong side")
    total, sign = UNIT, 1
    for f, k, points in factors:
        f = normal(f, here)
        need(type(k) is int and 1 <= k <= 64 and not f.den and f.num, "a factor is no polynomial, or has no whole power")
        total = reduce(Ratio.__mul__, (f for _ in range(k)), total)
        if k % 2 or relation == ">":
            s, low_zero, high_zero = (piece_signs if points else sturm_sign)(terms_of(f, name), points, low_end, high_end)
            need(relation == ">=" or (not (low_zero and low_kind == ">=") and not (high_zero and high_kind == ">=")), "a factor vanishes at an end")
            sign *= s ** k
    need(same(p, total) and sign == 1, "the factors do not multiply to what they should, or have another sign")
def piece_signs(f, points, low, high):
    """(the sign of f between the ends, whether it vanishes at the lower one, at the upper one), shown piece by piece."""
    need(all(isinstance(x, Fraction) for x in points) and points == sorted(set(points)), "points are not in order")
    stops = [constant(x) for x in points]
    need(constant_sign(stops[0] - low) == 1 and (high is None or constant_sign(high - stops[-1]) == 1), "points lie outside the interval")
    order, g = vanishing(f, low)
    found, last = [sign_between(g, low, stops[0])] + [sign_between(f, u, v) for u, v in itertools.pairwise(stops)], 0
    if high is None:
        found.append(tail_sign(f, points[-1]))
    else:
        last, g = vanishing(f, high)
        found.append(sign_between(g, stops[-1], high) * (-1) ** last)
    need(len(set(found)) == 1 and found[0], "a factor is not shown to have one sign")
    return found[0], order > 0, last > 0
def vanishing(f, v):
    """(k, the k-th derivative) for the first derivative that does not vanish at v by its normal form."""
    for k in range(64):
        if not f or value_at(f, v).num:
            return k, f
        f = derivative(f)
    raise Rejected("a factor vanishes to too high an order")
def table_ends(f, x, bits):
    """Around the values of f on an interval."""
    total = (0, 0)
    for (k, a), c in f.items():
        ends = scaled(x, a)
        growing = exp_ends(ends[0], bits)[0], exp_ends(ends[1], bits)[1]
        piece = scaled(product_ends(power_ends(x, k, bits), growing, bits) if k else growing, c)
        total = total[0] + piece[0], total[1] + piece[1]
    return total
def sign_between(f, low, high):
    """The sign of f on a closed interval, by an enclosure of its terms or of Taylor's formula of order 12 in the middle; or a rejection."""
    slopes = [f]
    for bits in (128, 512, 2048):
        x = enclose(low, bits)[0], enclose(high, bits)[1]
        u, v = table_ends(f, x, bits)
        if u <= 0 <= v:
            while len(slopes) <= 12:
                slopes.append(derivative(slopes[-1]))
            middle, half, rest = (x[0] + x[1]) // 2, (x[1] - x[0]) // 2 + 1, 0
            u, v = table_ends(f, (middle, middle), bits)
            for j in range(12, 0, -1):  # rest = |f'| h + ... + |f^(12)| h^12 / 12!, by Horner's rule
                ends = table_ends(slopes[j], x if j == 12 else (middle, middle), bits)
                rest = -(-(max(-ends[0], ends[1]) + rest) * half // (j << bits))
            u, v = u - rest, v + rest
        if u > 0 or v < 0:
            return 1 if u > 0 else -1
    raise Rejected("a sign between two points is not shown")
def tail_sign(f, x):
    """The sign of f on [x, oo) by its leading terms; or a rejection."""
    top = max(a for _, a in f)
    leading = {k: c for (k, a), c in f.items() if a == top}
    later = {(k, a - top): abs(c) for (k, a), c in f.items() if a != top}
    taylor = [sum(c * math.comb(k, j) * x ** (k - j) for k, c in leading.items() if k >= j) for j in range(max(leading) + 1)]
    s = 1 if taylor[0] > 0 else -1
    need(x > 0 and all(t * s >= 0 for t in taylor) and all(k <= -a * x for k, a in later), "the leading terms do not grow, or the others do not fall")
    bits = 512
    need(table_ends(later, scaled((1 << bits, 1 << bits), x), bits)[1] < abs(taylor[0]) * (1 << bits), "the leading terms do not prevail")
    return s
def sturm_sign(f, points, low, high):
    """The same as piece_signs for a polynomial in a power of exp(e), by counting its roots between the images of the ends."""
    need(not any(k for k, _ in f) and not points, "a name outside exponentials needs points")
    top = max(a for _, a in f)
    n = math.lcm(*((top - a).denominator for _, a in f))
    g = Fraction(math.gcd(*(int((top - a) * n) for _, a in f)), n) or Fraction(1)
    exponents = {int((top - a) / g): c for (_, a), c in f.items()}
    need(max(exponents) <= 256, "a factor has too high a degree")
    p = [exponents.get(k, Fraction(0)) for k in range(max(exponents) + 1)]
    def image(v, i):
        exact = exp_of(v * -g)
        return exact.rational if exact.rational is not None else max(Fraction(enclose(exact, 128)[i], 1 << 128), Fraction(0))
    b, a = image(low, 1), Fraction(0) if high is None else image(high, 0)
    need(a < b, "the interval is empty")
    def at(q, x):
        return reduce(lambda total, c: total * x + c, reversed(q), Fraction(0))
    chain = [p, [k * c for k, c in enumerate(p)][1:]]
    while chain[-1]:
        chain.append([-c for c in remainder(chain[-2], chain[-1])])
    need(len(chain[-2]) == 1, "a factor without points has a double root")
    def changes(x):
        found = [at(q, x) for q in chain[:-1]]
        return sum((u > 0) != (v > 0) for u, v in itertools.pairwise(v for v in found if v))
    need(changes(a) - changes(b) == (at(p, b) == 0), "a factor has a root in the interval")
    return (1 if at(p, (a + b) / 2) > 0 else -1), at(p, b) == 0, at(p, a) == 0
def remainder(p, d):
    """The remainder of a division of polynomials (lists of coefficients), up to a positive factor."""
    p = list(p)
    while len(p) >= len(d):
        q = p[-1] / d[-1]
        p = [c - q * d[i - len(p) + len(d)] if i >= len(p) - len(d) else c for i, c in enumerate(p)]
        while p and not p[-1]:
            p.pop()
    unit = Fraction(math.gcd(*(c.numerator for c in p)), math.lcm(*(c.denominator for c in p))) if p else 1
    return [c / unit for c in p]

# 7. totals of laws
def pieces(output, points, upper, here):
    """The context of the piece below point number `upper`."""
    name, kind = output[:2]
    s = of_atom("name", name)
    unit = kind == "integer" and 0 < upper < len(points) and (points[upper] - points[upper - 1] - UNIT).num == {}
    for j, b in enumerate(points):
        facts = [(s - b if j < upper else b - s, ">")]
        if unit and j == upper - 1:
            facts = [(s - b, "=")]
        elif kind == "integer":
            facts = [(s - b, ">="), (s - b + UNIT, ">")] if j < upper else [(b - s - UNIT, ">="), (b - s, ">")]
        for r, relation in facts:
            here = here.given(polynomial(r, here), relation)
        if unit and j == upper - 1 and name not in here.values:
            here = here.changed(values={**here.values, name: b})
    return here
def integral(law, output, points, here, low=None, high=None):
    """The total of a law that is shown to be >= 0, from point number `low` to number `high` (None: the infinite end)."""
    name, kind = output[:2]
    need(not any(name in p.names for p, _ in here.facts) and not any(name in b.names for b in points), "a total assumes something about its output")
    need(all(-1 not in here.signs(v - u) for u, v in itertools.pairwise(points)), "points do not ascend")
    need(kind == "real" or all(is_whole(b, here) for b in points), "a point is no whole number")
    start, stop = 0 if low is None else low + 1, len(points) if high is None else high
    return reduce(Ratio.__add__, (piece_total(law, output, points, i, here) for i in range(start, stop + 1)), NOTHING)
def piece_total(law, output, points, upper, here, positive=True):
    """The total on the piece below point number `upper`; beyond the ends a law may repeat itself instead of being a sum of exponentials."""
    try:
        return simple_total(law, output, points, upper, here, positive)
    except Rejected:
        if len(points) < 2 or upper not in (0, len(points)):
            raise
        return repeated_total(law, output, points, upper, here)
def simple_total(law, output, points, upper, here, positive):
    """The total of a sum of exponentials on a piece."""
    name, kind = output[:2]
    place = pieces(output, points, upper, here)
    form = normal(law, place)
    need(not positive or -1 not in place.signs(form) or -1 not in tree_signs(law, place), "a law is not shown to be >= 0")
    u, v = (points[upper - 1] if upper else None), (points[upper] if upper < len(points) else None)
    total = NOTHING
    for m, c in form.num.items():
        rest, exponent = [], NOTHING
        for a, e in MONOMIALS[m]:
            if ATOMS[a][0] == "exp" and name in ATOMS[a][1].names:
                exponent = exponent + ATOMS[a][1] * e
            else:
                rest.append((a, e))
        factor, split = Ratio({number_of(MONOMIALS, tuple(rest)): c}, form.den), linear(Ratio(exponent.num), name)
        need(split and name not in factor.names and not any(name in f.names for f, _ in exponent.den), "a law is no sum of exponentials")
        rate, shift = (Ratio(part.num, exponent.den) for part in split)
        if not rate.num:
            need(u is not None and v is not None, "a law does not decay")
            total = total + factor * (v - u) * exp_of(shift)
            continue
        need((u is not None or place.signs(rate) == POS) and (v is not None or place.signs(rate) == NEG), "a law does not decay")
        ends = [NOTHING if end is None else exp_of(rate * end + shift) for end in (u, v)]
        total = total + factor * (ends[1] - ends[0]) / (nonzero(rate, place) if kind == "real" else exp_of(nonzero(rate, place)) - UNIT)
    return total
def tree_signs(e, here):
    """The signs of e by those of its factors and terms as they are written, or else multiplied out."""
    signs = ANY
    if e.head in ("exp", "piecewise"):
        return POS if e.head == "exp" else tree_signs(branch(e, here), here)
    if e.head == "*":
        signs = reduce(both, (tree_signs(a, here) for a in e.args))
    elif e.head == "+":
        parts = [tree_signs(a, here) for a in e.args]
        signs = next(((SIGN[s] if SIGN[s] in parts else SIGN[s] | NIL) for s in (1, -1) if all(-s not in p for p in parts)), ANY)
    elif e.head == "^" and -1 not in (base := tree_signs(e.args[0], here)) and (base == POS or here.signs(normal(e.args[1], here)) == POS):
        return POS if base == POS else POS | NIL
    return signs if len(signs) == 1 or -1 not in signs or 1 not in signs else here.signs(normal(e, here))
def repeated_total(law, output, points, upper, here):
    """The total beyond the last (first) point of a law with f(s + P) = c f(s), 0 <= c < 1, from another point on: c / (1 - c) times that between them."""
    name, kind = output[:2]
    last, s = len(points) - 1, of_atom("name", name)
    for i in range(last - 1, -1, -1) if upper else range(1, last + 1):
        first, end = (i, last) if upper else (0, i)
        period, place = points[end] - points[first], here
        if here.signs(period) != POS:
            continue
        try:
            for j, b in enumerate(points):
                if j <= i if upper else j >= i:
                    place = place.given(polynomial(s - b if upper else b - s, place), ">=" if kind == "integer" and upper else ">")
            c = shift_factor(law, {name: node("+", node("name", name), tree(period if upper else -period))}, place)
            small = not c.num or (here.signs(c) == POS and (here.signs(log_of(c)) == NEG or here.signs(UNIT - c) == POS))
            if name not in c.names and small:
                between = reduce(Ratio.__add__, (piece_total(law, output, points, k, here) for k in range(first + 1, end + 1)))
                return between * c / (UNIT - c)
        except (Rejected, ZeroDivisionError):
            continue
    raise Rejected("a law neither is a sum of exponentials nor repeats itself")
def shift_factor(law, moved, here):
    """The c with f(moved) = c f; where a condition of f is not known it is the same before and after, and every branch has the same c."""
    factor = None
    for f in choices(law, moved, here):
        before, after = normal(f, here), normal(substitute(f, moved), here)
        if before.num or after.num:
            ratio = after / before
            need(not (after - ratio * before).num and (factor is None or not (ratio - factor).num), "a law does not repeat itself")
            factor = ratio
    return factor or NOTHING
def choices(law, moved, here):
    """The laws that f can be where a condition is not known."""
    found = next((part for part in walk(law) if part.head == "piecewise" and not part.names.isdisjoint(moved)), None)
    if found is None:
        yield law
        return
    for value, condition in zip(found.args[::2], found.args[1::2], strict=True):
        known = known_truth(condition, here), known_truth(substitute(condition, moved), here)
        if known != (False, False):
            need(known == (True, True) or (None in known and unmoved(condition, moved, here)), "a condition may change with a shift")
            yield from choices(rebuild(law, {found: value}.get), moved, here)
        if known == (True, True):
            return
    raise Rejected("no branch of a piecewise expression holds")
def unmoved(c, moved, here):
    """True only if a condition compares the same quantities after the move as before."""
    if c.head in ("and", "or", "not"):
        return all(unmoved(part, moved, here) for part in c.args)
    return c.names.isdisjoint(moved) or (c.head in COMPARISONS and not (normal(substitute(c.args[0], moved), here) - normal(substitute(c.args[1], moved), here)
                                                                       - normal(c.args[0], here) + normal(c.args[1], here)).num)

# 8. claims, moves, and what they ask for (section 3)
DECLARED = re.compile(r"[A-Za-z_]\w*(\[[1-9][0-9]*\])?", re.ASCII)
OF_QUERIES = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}
def keys(data, wanted):
    """The fields of an object that has exactly these."""
    need(isinstance(data, dict) and set(data) == set(wanted.split()), f"an object has not exactly the fields {wanted}")
    return [data[k] for k in wanted.split()]
def read_value(data, base):
    """The names of a value, with what they are: base, or base[1], base[2], ... for a vector."""
    if isinstance(data, list) and data[:1] == ["vector"]:
        return {f"{base}[{i}]": read_tree(part) for i, part in enumerate(data[1:], 1)}
    return {base: read_tree(data)}
def same_value(a, b):
    """Whether two constants, labels or oo are one value."""
    return a is b or (not {a.head, b.head} & {"oo", "label"} and not (normal(a, Context()) - normal(b, Context())).num)
def joined(parts):
    """A product of trees."""
    return node("*", *parts) if parts else ONE
class Mechanism:
    """A mechanism as its JSON says, with every name in its place."""
    def __init__(self, data):
        name, inputs, parameters, outputs, density, atoms, defined = keys(data, "name inputs parameters outputs density atoms defined")
        self.read_inputs(inputs)
        self.name, self.outputs = name, [(n, kind, [read_tree(v) for v in values]) for n, kind, values in outputs]
        self.parameters = [(n, read_tree(c)) for n, c in parameters]
        self.density, self.defined = read_tree(density), read_tree(defined)
        self.atoms = [(read_tree(at), read_tree(mass)) for at, mass in atoms]
        outs, own = [o[0] for o in self.outputs], [n for n, _ in self.parameters]
        declared, record = [*outs, *own], set(self.record_names)
        need(outs and all(isinstance(n, str) and DECLARED.fullmatch(n) for n in [*declared, *(n for n, _ in self.unknowns)]), "a name is malformed")
        spoken = [*declared, *self.direct, *(record - set(own) if self.records else record)]
        need(len(set(spoken)) == len(spoken) and not set(self.record_names[:-1]) & set(own) and isinstance(name, str), "a name is declared twice")
        need(self.parameters[:len(self.given)] == self.given, "parameters of the domain do not come first")
        for n, kind, values in self.outputs:
            need(kind in ("real", "integer", "finite") and (kind == "finite") == bool(values) and not any(v.names for v in values), "an output is malformed")
            need(not any(same_value(a, b) for a, b in itertools.combinations(values, 2)) if len(values) < 100 else len(set(values)) == len(values), "a value is listed twice")
        need(not self.atoms or (len(outs) == 1 and self.outputs[0][1] != "finite" and len({at for at, _ in self.atoms}) == len(self.atoms)), "atoms are malformed")
        for e, outer in [(self.density, {*outs, *own, *self.direct}), *((e, {*own, *self.direct}) for e in (self.defined, *(mass for _, mass in self.atoms))),
                         *((c, set(own)) for _, c in self.parameters), *((c, {*own, *record}) for _, c in self.unknowns),
                         *((v, set(own)) for r in self.records for v in r.values()), *((v, set()) for r in self.values for v in r.values())]:
            check_names(e, outer, record ^ set(own) if e is self.density or outer == {*own, *self.direct} else set())
        self.aggregates = list(dict.fromkeys(part for e in (self.density, *(mass for _, mass in self.atoms), self.defined) for part in walk(e) if part.head in AGGREGATES))
        self.whole_names = frozenset(n for n, kind, _ in self.outputs if kind == "integer")
        self.base = reduce(lambda here, pair: assume(pair[1], here), self.parameters, Context(whole_names=self.whole_names))
    def read_inputs(self, data):
        """Records, unknowns, query answers or values."""
        self.records, self.unknowns, self.given, self.values, self.direct = [], [], [], [], []
        self.record_names = []
        if set(data) == {"records"}:
            self.records = [{**read_value(value, "x"), "eps": read_tree(demand)} for value, demand in data["records"]]
            self.record_names = list(self.records[0])
            need(all(list(r) == self.record_names for r in self.records), "records have different parts")
        elif set(data) == {"queries"}:
            need(type(data["queries"]) is int and 1 <= data["queries"] <= 10000, "there is no such number of query answers")
            self.direct = [f"q[{i}]" for i in range(1, data["queries"] + 1)]
        elif set(data) == {"values"}:
            self.values = [read_value(v, "v") for v in data["values"]]
            self.direct = list(self.values[0])
            need(all(list(v) == self.direct for v in self.values), "values have different parts")
        else:
            unknowns, given = keys(data, "unknowns parameters")
            self.unknowns, self.given = ([(n, read_tree(c)) for n, c in listed] for listed in (unknowns, given))
            self.record_names = [n for n, _ in self.unknowns]
            need(len(set(self.record_names)) == len(self.record_names) and "eps" in self.record_names, "a universal domain has one demand")
    @property
    def of_datasets(self):
        """Whether the input is a dataset."""
        return bool(self.records or self.unknowns)
    def combinations(self):
        """All combinations of the values of the finite outputs, or None if there are more than 4096 (or no such outputs)."""
        finite = [o for o in self.outputs if o[1] == "finite"]
        if not finite or math.prod(len(o[2]) for o in finite) > 4096:
            return None
        return [dict(zip((o[0] for o in finite), values, strict=True)) for values in itertools.product(*(o[2] for o in finite))]
    @property
    def separable(self):
        """Whether there are several finite outputs, each with a factor of its own."""
        outs = {o[0] for o in self.outputs}
        finite = len(outs) > 1 and all(o[1] == "finite" for o in self.outputs)
        return finite and all(not (outs - {o[0]}) & g.names for o, g in zip(self.outputs, grouped(self.density, self.outputs)[1], strict=True))
    def parts(self):
        """The law of each part of the output space."""
        listed = self.combinations()
        return [self.density] * (not listed) + [substitute(self.density, c) for c in listed or ()] + [mass for _, mass in self.atoms]
def check_names(e, outer, inner):
    """Names outside record sums are among `outer`, those inside among `inner`; record sums stand in no other."""
    if e.head == "index":
        need(f"{e.args[0].args[0]}[1]" in outer, "a name is not known")
        return check_names(e.args[1], outer, inner)
    if e.head in AGGREGATES:
        need(inner and not any(part.head in AGGREGATES for part in walk(e.args[0])), "a record sum stands where there is none")
        return check_names(e.args[0], inner, set())
    need(e.head != "name" or e.args[0] in outer, "a name is not known")
    for a in e.args if e.head not in LEAVES else ():
        check_names(a, outer, inner)
    return None
def factors(e):
    """Factors whose product is e: products, exponentials of sums and reciprocals of products taken apart."""
    if e.head == "*":
        return [f for a in e.args for f in factors(a)]
    if e.head == "exp":
        return [node("exp", t) for t in summands(e.args[0])]
    return [node("^", f, number(-1)) for f in factors(e.args[0])] if e.head == "^" and e.args[1] is number(-1) and e.args[0].head == "*" else [e]
def summands(e):
    """Terms whose sum is e, with products distributed over sums."""
    if e.head == "+":
        return [t for a in e.args for t in summands(a)]
    i = next((i for i, a in enumerate(e.args) if a.head == "+"), None) if e.head == "*" else None
    if e.head == "*" and i is None and any(a.head == "*" for a in e.args):
        return summands(node("*", *(f for a in e.args for f in (a.args if a.head == "*" else (a,)))))
    return [e] if i is None else [u for t in e.args[i].args for u in summands(node("*", *e.args[:i], t, *e.args[i + 1:]))]
def grouped(density, outputs):
    """(prefactor, the factor of each output): a factor belongs to the last output that it mentions."""
    parts = [[] for _ in outputs]
    prefactor = []
    for f in factors(density):
        last = next((i for i in reversed(range(len(outputs))) if outputs[i][0] in f.names), None)
        (prefactor if last is None else parts[last]).append(f)
    return joined(prefactor), [joined(p) for p in parts]
class Claim:
    """A claim as its JSON says."""
    def __init__(self, data):
        mechanism, self.relation, level, delta, self.public = keys(data, "mechanism relation level delta public")
        self.m, self.level, self.delta = Mechanism(mechanism), read_tree(level), read_tree(delta)
        self.fingerprint, self.frames, self.contexts = digest(data), {}, {}
        m, own = self.m, {n for n, _ in self.m.parameters}
        fits = m.of_datasets if self.relation in ("ahdp", "hdp", "add-remove", "swap") else m.values if self.relation == "any" else self.relation in OF_QUERIES and not m.of_datasets and not m.values
        need(fits, "the relation does not fit the input")
        of_one = {"ahdp": m.record_names, "hdp": m.record_names, "any": [*m.direct, *("other" + n[1:] for n in m.direct)]}.get(self.relation, [])
        check_names(self.level, own | set(of_one), set())
        check_names(self.delta, own, set())
        need(isinstance(self.public, list) and (not self.public or self.relation == "hdp") and set(self.public) <= set(m.record_names), "public parts are malformed")
    def frame(self, counts):
        """What records add to the record sums, worked out once."""
        if counts not in self.frames:
            self.frames[counts] = Frame(self.m, counts)
        return self.frames[counts]
    def known(self, conditions, whole_names, placed):
        """The context of a move or state: parameters, conditions, and `defined` wherever it is used."""
        conditions = tuple(conditions) + (() if self.m.defined is TRUE else tuple(place(self.m.defined, nodes) for nodes in placed))
        if (conditions, whole_names) not in self.contexts:
            here = self.m.base.changed(whole_names=self.m.whole_names | whole_names)
            self.contexts[conditions, whole_names] = reduce(lambda here, c: assume(c, here), conditions, here)
        return self.contexts[conditions, whole_names]
class Frame:
    """The record sums of a mechanism: what each record adds (rows), what they are for the rest of a dataset, and what is known of that."""
    def __init__(self, m, counts):
        self.m, self.nodes, here = m, m.aggregates, m.base
        self.infinite, without_demand = None, here
        if m.unknowns:
            self.rows = [[n.args[0] for n in self.nodes]]
            for c in (c for _, condition in m.unknowns for c in conjuncts(condition) if "eps" not in c.names):
                without_demand = assume(c, without_demand)
            self.infinite = self.at_demand_oo()
            here = reduce(lambda here, pair: assume(pair[1], here), m.unknowns, here)
        else:
            self.rows = [[at_record(n.args[0], r, here) for n in self.nodes] for r in m.records]
        need(not any(part is OO for row in (*self.rows, self.infinite or ()) for c in row for part in walk(c)), "a record has an infinite weight")
        self.rest, self.conditions, whole_names = [node("name", f"@{j + 1}") for j in range(len(self.nodes))], [], set()
        if counts:
            need(m.records and all(n.head == "sum" for n in self.nodes), "counts are for sums over listed records")
            h = [node("name", f"#{w + 1}") for w in range(len(self.rows))]
            self.rest = [node("+", *(node("*", row[j], h[w]) for w, row in enumerate(self.rows))) for j in range(len(self.nodes))]
            self.conditions, whole_names = [node("<=", ZERO, c) for c in h], {c.args[0] for c in h}
        for j, n in enumerate(self.nodes if not counts else ()):
            column, last = [row[j] for row in self.rows], [self.infinite[j]] if self.infinite else []
            if all(self.nonnegative(c, here) for c in dict.fromkeys(column)) and all(self.nonnegative(c, without_demand) for c in last):
                self.conditions.append(node("<=", ZERO, self.rest[j]))
            if n.head != "sum" and m.records and all(c.head == "number" for c in column):
                values = [c.args[0] for c in column]
                self.conditions += [node("<=", number(min(values)), self.rest[j]), node("<=", self.rest[j], number(max(values)))]
            if all(self.whole(c) for c in column + last):
                whole_names.add(self.rest[j].args[0])
        self.whole_names = frozenset(whole_names)
    def at_demand_oo(self):
        """The contributions at demand oo of a record of a universal domain; None if its conditions exclude that demand."""
        here = self.m.base
        for c in (c for _, condition in self.m.unknowns for c in conjuncts(condition)):
            if "eps" not in c.names:
                here = assume(c, here)
            elif excluded(substitute(c, {"eps": OO}), here):
                return None
        return [at_record(n.args[0], {"eps": OO}, here) if "eps" in n.args[0].names else n.args[0] for n in self.nodes]
    def nonnegative(self, c, here):
        """True only if a contribution is >= 0, whichever branch holds."""
        if c.head == "piecewise":
            return all(self.nonnegative(value, here) for value in c.args[::2])
        try:
            return -1 not in here.signs(normal(c, here))
        except (Rejected, ZeroDivisionError):
            return False
    def whole(self, c):
        """True only if a contribution is a whole number, whichever branch holds."""
        if c.head in ("piecewise", "+", "*"):
            return all(self.whole(a) for a in (c.args[::2] if c.head == "piecewise" else c.args))
        return c.head == "number" and c.args[0].denominator == 1
    def alone(self):
        """The record sums of the rest."""
        return dict(zip(self.nodes, self.rest, strict=True))
    def with_record(self, row):
        """The record sums of the rest and one record."""
        heads = {"sum": "+", "maximum": "max", "minimum": "min"}
        return {n: node(heads[n.head], r, c) for n, r, c in zip(self.nodes, self.rest, row, strict=True)}
def excluded(c, here):
    """True if a condition certainly does not hold."""
    try:
        return not truth(c, here)
    except (Rejected, ZeroDivisionError):
        return False
def moves(claim, counts):
    """The moves (before, after, conditions, whole-number names, level); those of level oo are left out."""
    m, relation, level = claim.m, claim.relation, claim.level
    if m.values:
        for old, new in itertools.permutations(m.values, 2):
            bound = branch_of(substitute(level, {**old, **{"other" + k[1:]: v for k, v in new.items()}}), m.base)
            if bound is not OO:
                yield *({node("name", k): v for k, v in side.items()} for side in (old, new)), (), frozenset(), bound
        return
    if not m.of_datasets:
        for moved in [[q] for q in m.direct] if relation == "one" else [m.direct]:
            amounts = {node("name", q): node("name", "@d" + q[2:-1]) for q in moved}
            low, high = OF_QUERIES[relation]
            bounds_of = tuple(node("and", node("<=", number(low), d), node("<=", d, number(high))) for d in amounts.values())
            yield {}, {q: node("+", q, d) for q, d in amounts.items()}, bounds_of, frozenset(), level
        return
    frame = claim.frame(counts)
    kinds = record_kinds(claim, frame)
    for row, bound, conditions, _ in kinds if relation in ("ahdp", "add-remove") else ():
        if bound is not OO:
            yield frame.alone(), frame.with_record(row), (*frame.conditions, *conditions), frame.whole_names, bound
    primed = {u: node("name", u + "'") for u, _ in m.unknowns if relation != "hdp" or u not in ("eps", *claim.public)}
    for (i, old), (j, new) in itertools.product(enumerate(kinds), repeat=2) if relation in ("hdp", "swap") else ():
        kept = same_parts(claim, old[3], new[3]) if m.records else ()
        if (m.records and i == j) or old[1] is OO or kept is None or (m.unknowns and relation == "hdp" and i != j):
            continue
        row, conditions = (tuple(substitute(c, primed) for c in part) for part in (new[0], new[2]))
        yield frame.with_record(old[0]), frame.with_record(row), (*frame.conditions, *old[2], *conditions, *kept), frame.whole_names, old[1]
def branch_of(e, here):
    """The branch of a level that holds, or the level itself where that is not known."""
    try:
        while e.head == "piecewise":
            e = branch(e, here)
    except (Rejected, ZeroDivisionError):
        pass
    return e
def record_kinds(claim, frame):
    """(contributions, level, conditions, record) of every listed record, or of the generic record and, where it differs, that of demand oo."""
    m, level = claim.m, claim.level
    if m.records:
        at = [at_record(level, r, m.base) if claim.relation in ("ahdp", "hdp") else level for r in m.records]
        return [(row, bound, (), r) for row, bound, r in zip(frame.rows, at, m.records, strict=True)]
    parts = [c for _, condition in m.unknowns for c in conjuncts(condition)]
    beyond = any("eps" in c.names and not (c.head in ("<", "<=") and c.args[1] is node("name", "eps") and "eps" not in c.args[0].names) for c in parts)
    found = [(frame.rows[0], level, tuple(parts), None)]
    if frame.infinite is not None and (beyond or "eps" in level.names.union(*(c.names for c in frame.rows[0]))):
        rest = tuple(c for c in parts if "eps" not in c.names)
        here = reduce(lambda here, c: assume(c, here), rest, m.base)
        found.append((frame.infinite, at_record(level, {"eps": OO}, here), rest, None))
    return found
def same_parts(claim, old, new):
    """For hdp: the conditions under which demand and public parts of two records agree, or None where they never do."""
    kept = []
    for a, b in ((old[k], new[k]) for k in ("eps", *claim.public) if claim.relation == "hdp" and old[k] is not new[k]):
        gap = None if {"label", "oo"} & {a.head, b.head} else normal(a, claim.m.base) - normal(b, claim.m.base)
        if gap is None or 0 not in claim.m.base.signs(gap):
            return None
        kept += [node("==", a, b)] if gap.num else []
    return tuple(kept)
def obligations(claim, counts, conditions):
    """(context, nodes of P, nodes of Q, level) of every inequality P <= exp(level) Q, moves that say the same once; with conditions: of the schema."""
    seen, listed = set(), moves(claim, counts)
    if conditions:
        need(claim.relation in ("ahdp", "add-remove") and claim.m.records and claim.delta is ZERO and not counts, "there is no proof for all records of this claim")
        frame = claim.frame(False)
        row, level = [node("name", f"@c{j + 1}") for j in range(len(frame.nodes))], node("name", "@level")
        for values, bound, _, _ in record_kinds(claim, frame):
            filled = {**{c.args[0]: v for c, v in zip(row, values, strict=True)}, "@level": bound}
            for c in conditions if bound is not OO else ():
                require(normal(substitute(c, filled), claim.m.base), ">=", None, claim.m.base)
        whole_names = frame.whole_names | {c.args[0] for c, r in zip(row, frame.rest, strict=True) if r.args[0] in frame.whole_names}
        listed = [(frame.alone(), frame.with_record(row), (*frame.conditions, *(node("<=", ZERO, c) for c in conditions)), whole_names, level)]
    for before, after, known, whole_names, level in listed:
        said = tuple(before.values()), tuple(after.values()), tuple(known), level
        if said not in seen:
            seen.add(said)
            here = claim.known(known, whole_names, (before, after))
            yield here, before, after, level
            if claim.relation not in ("swap", "any", "all"):
                yield here, after, before, level

# 9. proofs
def check_mass(claim, mass, counts):
    """The law is nowhere negative and has total 1, in every state."""
    m, need_of = claim.m, mass["is"] == "mass"
    if m.values:
        states = [({node("name", k): v for k, v in value.items()}, m.base) for value in m.values]
    elif m.of_datasets:
        frame = claim.frame(counts)
        states = [(frame.alone(), claim.known(frame.conditions, frame.whole_names, (frame.alone(),)))]
    else:
        states = [({}, claim.known((), frozenset(), ({},)))]
    at_once = len(m.outputs) == 1 or (all(o[1] == "finite" for o in m.outputs) and not m.separable)
    groups = 1 if at_once else len(m.outputs)
    values, evidence = mass["values"], mass["evidence"]
    need(need_of and len(evidence) == groups * len(states) and (at_once or len(values) == len(evidence)), "the mass does not cover every state and output")
    for i, (nodes, here) in enumerate(states):
        law, slots = place(m.density, nodes), slice(i * groups, (i + 1) * groups)
        if at_once:
            descend(evidence[i], here, total_leaf(m.outputs, law, [place(mass, nodes) for _, mass in m.atoms], ONE))
            continue
        prefactor, parts = grouped(law, m.outputs)
        known = here
        for output, part, value, piece in zip(m.outputs, parts, values[slots], evidence[slots], strict=True):
            need(value.names.isdisjoint(o[0] for o in m.outputs), "a total mentions an output")
            descend(piece, here, total_leaf([output], part, [], value))
            for p, relation in extended(piece["lemmas"], here).facts[len(here.facts):] if piece["is"] == "pieces" else ():
                known = known.given(p, relation)
        need(not (normal(joined([prefactor, *values[slots]]), known) - UNIT).num, "the totals do not multiply to 1")
def nonnegative(e, here):
    """The value of e, which is >= 0 by its sign."""
    r = normal(e, here)
    need(-1 not in here.signs(r) or -1 not in tree_signs(e, here), "a probability is not shown to be >= 0")
    return r
def total_leaf(outputs, law, atoms, value):
    """The test of a leaf: law and atoms are >= 0 and add up to the value."""
    def leaf(evidence, here):
        need(evidence["is"] == "pieces", "a total needs points")
        here = extended(evidence["lemmas"], here)
        parts = [nonnegative(mass, here) for mass in atoms]
        if outputs[0][1] != "finite":
            parts.append(integral(law, outputs[0], [normal(p, here) for p in evidence["points"]], here))
        else:
            names = [o[0] for o in outputs]
            parts += [nonnegative(substitute(law, dict(zip(names, c, strict=True))), here) for c in itertools.product(*(o[2] for o in outputs))]
        need(not (reduce(Ratio.__add__, parts) - normal(value, here)).num, "a total is not what it should be")
    return leaf
def separate_leaf(m, small, large, level):
    """The test of a leaf: each output keeps a level of its own, and these add up to at most the claim's."""
    prefactor, laws = grouped(m.density, m.outputs)
    laws[-1] = joined([prefactor, laws[-1]])
    def leaf(evidence, here):
        need(evidence["is"] == "separate" and len(evidence["levels"]) == len(laws) and evidence["form"] in ("log", "direct"), "outputs with factors of their own need a level each")
        here, leaves, spent = extended(evidence["lemmas"], here), iter(evidence["leaves"]), NOTHING
        for output, law, own in zip(m.outputs, laws, evidence["levels"], strict=True):
            spent = spent + normal(own, here)
            for v in output[2]:
                at = substitute(law, {output[0]: v})
                closes(next(leaves), place(at, small), place(at, large), own, here)
        need(next(leaves, None) is None, "there are more leaves than values")
        total = normal(level, here)
        require(total - spent if evidence["form"] == "log" else exp_of(total) - exp_of(spent), ">=", at_most_one(evidence["proofs"]), here)
    return leaf
def divergence_leaf(claim, small, large, level):
    """The test of a leaf: what exceeds, where it counts, has a total of at most delta."""
    m, output = claim.m, claim.m.outputs[0]
    continuous, listed = output[1] != "finite", m.parts()
    need(len(m.outputs) == 1 or (all(o[1] == "finite" for o in m.outputs) and m.combinations()), "a delta for several outputs needs at most 4096 combinations")
    def leaf(evidence, here):
        need(evidence["is"] == "divergence", "a claim with delta needs the pieces where the excess counts")
        here, choices_of = extended(evidence["lemmas"], here), iter(evidence["choices"])
        factor, points, total = exp_of(normal(level, here)), [normal(p, here) for p in evidence["points"]], NOTHING
        def counted(p, q, here, of_p, of_q):
            choice = next(choices_of)
            need(choice["is"] == "choice" and choice["counts"] in ("none", "excess", "whole"), "a choice says how an excess counts")
            if choice["counts"] != "whole":
                closes(choice["why"], p, q, level, here, 1 if choice["counts"] == "none" else -1)
            return NOTHING if choice["counts"] == "none" else of_p() - (factor * of_q() if choice["counts"] == "excess" else NOTHING)
        if continuous:
            p, q = place(m.density, small), place(m.density, large)
            integral(p, output, points, here)
            for i in range(len(points) + 1):
                total = total + counted(p, q, pieces(output, points, i, here), *(lambda law=law, i=i: piece_total(law, output, points, i, here, False) for law in (p, q)))
        for law in listed[continuous:]:
            p, q = place(law, small), place(law, large)
            total = total + counted(p, q, here, *(lambda law=law: normal(law, here) for law in (p, q)))
        need(next(choices_of, None) is None, "there are more choices than parts")
        require(normal(claim.delta, here) - total, ">=", at_most_one(evidence["final"]["proofs"]), extended(evidence["final"]["lemmas"], here))
    return leaf
def inequality_leaf(small, large, level):
    """The test of a leaf: small <= exp(level) large."""
    return lambda evidence, here: closes(evidence, small, large, level, here)
def check_proof(claim, certificate):
    """The certificate proves the claim; what is returned says how far that goes."""
    m, evidence, uses = claim.m, certificate["evidence"], certificate["uses"]
    need(certificate["is"] == "certificate" and certificate["claim"] == claim.fingerprint and isinstance(certificate["counts"], bool), "the certificate belongs to another claim")
    if any(n.head != "sum" for n in m.aggregates):
        empty = place(m.defined, {n: ZERO for n in m.aggregates if n.head == "sum"})
        need(not any(part.head in AGGREGATES for part in walk(empty)) and not truth(empty, Context()), "an extreme of no records is used")
    if any(e["is"] == "solver word" for e in evidence):
        return "on the word of z3 and cvc5"
    if any(e["is"] == "enumeration" for e in evidence):
        return enumerated(claim, certificate)
    check_mass(claim, certificate["mass"], certificate["counts"])
    laws = [None] if claim.delta is not ZERO or m.separable else m.parts()
    wanted = [(o, law) for o in obligations(claim, certificate["counts"], certificate["conditions"]) for law in laws]
    need(len(wanted) == len(uses), f"the claim asks for {len(wanted)} inequalities, the certificate answers {len(uses)}")
    need(all(type(i) is int and 0 <= i < len(evidence) for i in uses), "an inequality has no evidence")
    for ((here, small, large, level), law), i in zip(wanted, uses, strict=True):
        if claim.delta is not ZERO:
            leaf = divergence_leaf(claim, small, large, level)
        elif law is None:
            leaf = separate_leaf(m, small, large, level)
        else:
            leaf = inequality_leaf(place(law, small), place(law, large), level)
        descend(evidence[i], here, leaf)
    return "proved, all obligations re-derived from the mechanism" if wanted else "proved, there are no moves"
def scope_of(claim, size=None):
    """What a proof speaks of; of `defined` only that it is not simply true."""
    if next(iter(moves(claim, False)), None) is None:
        return "scope: no moves"
    if not claim.m.of_datasets:
        return "scope: all inputs"
    small = f"datasets of at most {size} record{'s' * (size != 1)}"
    return f"scope: {small if size else 'all datasets'}" if claim.m.defined is TRUE else ("scope: all moves inside ", f" between {small}" if size else "")
def enumerated(claim, certificate):
    """All datasets up to a size."""
    raise NotCovered("enumeration")

# 10. refutations (section 6)
EMPTY = Context()
def check_example(claim, data):
    """The counterexample refutes the claim."""
    m, relation = claim.m, claim.relation
    parameters, instances, before, after, event, points = keys(data, "parameters instances before after event points")
    given = {n: v for n, v in parameters}
    need(set(given) == {n for n, _ in m.parameters} and len(given) == len(parameters), "the parameters are not those of the mechanism")
    records = [dict(r) for r in instances] if m.unknowns else [{k: v if v.head in ("label", "oo") else tree(normal(substitute(v, given), EMPTY)) for k, v in r.items()} for r in m.records]
    need(m.unknowns or not instances, "instances are for universal domains")
    numbers = [*given.values(), *(v for r in records for k, v in r.items() if m.unknowns and (k, v) != ("eps", OO)), *(() if m.values else (*before, *after))]
    plain = ("number", "pi", "+", "*", "^", "exp", "log", "abs", "sign", "floor", "mod", "min", "max", "binomial")
    need(all(part.head in plain for v in numbers for part in walk(v)), "what should be a number is none")
    conditions = [substitute(c, given) for _, c in m.parameters] + [node("<=", ZERO, r["eps"]) for r in records]
    for r in records if m.unknowns else ():
        need(set(r) == {u for u, _ in m.unknowns}, "an instance does not give every unknown")
        conditions += [substitute(c, {**given, **r}) for _, c in m.unknowns]
    need(all(truth(c, EMPTY) for c in conditions), "a condition does not hold")
    level = level_of_move(claim, given, records, before, after)
    need(level is not OO, "a move of level oo is allowed everything")
    chances = []
    for side, listed in zip((before, after), points, strict=True):
        law, atoms = law_at(claim, given, records, side)
        free = [], [], [], [at for at, _ in atoms], True
        need(len(dict(listed)) == len(listed), "points are listed twice")
        need(not (probability(m, law, atoms, free, dict(listed)) - UNIT).num, "a law has not the total 1")
        chances.append(probability(m, law, atoms, event, dict(listed)))
    excess = chances[0] - exp_of(normal(level, EMPTY)) * chances[1] - normal(substitute(claim.delta, given), EMPTY)
    need(constant_sign(excess) == 1 and constant_sign(chances[1]) in (0, 1), "the event is not too likely")
    return "refuted, the event is too likely under exact laws"
def dataset(side, records):
    """The counts of a dataset."""
    need(len(side) == len(records) and all(c.head == "number" and c.args[0].denominator == 1 and c.args[0] >= 0 for c in side), "a dataset is a whole count for each record")
    return [int(c.args[0]) for c in side]
def at_instance(e, r, given):
    """The value of a record expression at a concrete record."""
    return at_record(substitute(e, {k: v for k, v in given.items() if k not in r}), r, EMPTY)
def law_at(claim, given, records, side):
    """The density and the atoms at an input, with no names but the outputs."""
    m = claim.m
    if m.values:
        found = [v for v in m.values if list(v.values()) == list(side)]
        need(found, "the input is none of the values")
        nodes = {node("name", k): v for k, v in found[0].items()}
    elif not m.of_datasets:
        nodes = {node("name", q): v for q, v in zip(m.direct, side, strict=True)}
    else:
        held, nodes = [(r, h) for r, h in zip(records, dataset(side, records), strict=True) if h], {}
        for n in sorted(m.aggregates, key=lambda n: n not in set(walk(m.defined))):
            if n not in set(walk(m.defined)):
                need(truth(substitute(place(m.defined, nodes), given), EMPTY), "the mechanism is not defined at an input")
            values = [(at_instance(n.args[0], r, given), h) for r, h in held]
            need(not any(part is OO for v, _ in values for part in walk(v)) and (values or n.head == "sum"), "a record sum has no value")
            combined = node("+", ZERO, *(node("*", number(h), v) for v, h in values)) if n.head == "sum" else node({"maximum": "max", "minimum": "min"}[n.head], *(v for v, _ in values))
            nodes[n] = tree(normal(combined, EMPTY))
    need(truth(substitute(place(m.defined, nodes), given), EMPTY), "the mechanism is not defined at an input")
    def choice(part):
        if part.head != "index":
            return None
        base, i = part.args
        listed = [n for n in nodes if n.head == "name" and n.args[0].startswith(base.args[0] + "[")]
        return node("piecewise", *(x for n in listed for x in (n, node("==", i, number(n.args[0][len(base.args[0]) + 1:-1])))))
    return substitute(place(rebuild(m.density, choice), nodes), given), [(at, substitute(place(mass, nodes), given)) for at, mass in m.atoms]
def level_of_move(claim, given, records, before, after):
    """The level of the move between two inputs."""
    m, relation = claim.m, claim.relation
    def simple(e):
        return e if e is OO else tree(normal(e, EMPTY))
    if m.values:
        need(before != after and len(before) == len(after) == len(m.direct), "the two values are the same")
        bound = {**dict(zip(m.direct, before, strict=True)), **{"other" + k[1:]: v for k, v in zip(m.direct, after, strict=True)}}
        return simple(branch_of(substitute(claim.level, {**given, **bound}), EMPTY))
    if not m.of_datasets:
        gaps = [normal(b, EMPTY) - normal(a, EMPTY) for a, b in zip(before, after, strict=True)]
        moved, (low, high) = [g.rational for g in gaps if g.num], OF_QUERIES[relation]
        need(moved and None not in moved and any(all(low <= s * g <= high for g in moved) for s in (1, -1)), "the answers make no move")
        need(relation != "one" or len(moved) == 1, "more than one answer moves")
        return simple(substitute(claim.level, given))
    gaps = {w: b - a for w, (a, b) in enumerate(zip(dataset(before, records), dataset(after, records), strict=True)) if a != b}
    if relation in ("ahdp", "add-remove"):
        need(sorted(map(abs, gaps.values())) == [1], "the datasets do not differ by one record")
        return at_instance(claim.level, records[min(gaps)], given) if relation == "ahdp" else simple(substitute(claim.level, given))
    need(sorted(gaps.values()) == [-1, 1], "the datasets do not differ by one replacement")
    old, new = (records[w] for w in sorted(gaps, key=gaps.get))
    if relation == "swap":
        return simple(substitute(claim.level, given))
    need(all(same_value(old[part], new[part]) for part in ("eps", *claim.public)), "the replaced record has another demand or public part")
    levels = [level for level in (at_instance(claim.level, r, given) for r in (old, new)) if level is not OO] or [OO]
    return levels[-1] if len(levels) == 1 or truth(node("<=", levels[1], levels[0]), EMPTY) else levels[0]
def probability(m, law, atoms, event, points):
    """The probability of an event, of a law without names but the outputs."""
    here = Context(whole_names=m.whole_names)
    intervals, values, outcomes, chosen, continuous = event
    names, finite = [o[0] for o in m.outputs], {o[0] for o in m.outputs if o[1] == "finite"}
    spans, sets = {n: ends for n, *ends in intervals}, dict(values)
    need(len(spans) + len(sets) == len(intervals) + len(values) and set(spans) <= set(names) - finite and set(sets) <= finite, "an event names an output twice, or one that is none")
    need(set(chosen) <= {at for at, _ in atoms} and isinstance(continuous, bool), "an event names an atom that is none")
    need(not outcomes or (not intervals and not values and len(finite) == len(names)), "outcomes are an event of their own")
    total = reduce(Ratio.__add__, (nonnegative(mass, here) for at, mass in atoms if at in chosen), NOTHING)
    def joint(law, outputs, listed):
        need(len({tuple(o) for o in listed}) == len(listed), "an event lists an outcome twice")
        need(all(len(c) == len(outputs) and all(v in o[2] for v, o in zip(c, outputs, strict=True)) for c in listed), "an event lists an outcome that is none")
        return reduce(Ratio.__add__, (nonnegative(substitute(law, {o[0]: v for o, v in zip(outputs, c, strict=True)}), here) for c in listed), NOTHING)
    if outcomes:
        return total + joint(law, m.outputs, outcomes)
    if not continuous:
        return total
    if not (intervals or values) and len(names) > 1 and m.combinations() and len(finite) == len(names):
        return total + joint(law, m.outputs, list(itertools.product(*(o[2] for o in m.outputs))))
    prefactor, groups = grouped(law, m.outputs)
    product = normal(prefactor, here)
    for i, (output, group) in enumerate(zip(m.outputs, groups, strict=True)) if product.num else ():
        ends, listed = spans.get(output[0], (None, None)), points.get(output[0], [])
        need(all(e is None or e.names <= set(names[:i]) for e in (*ends, *listed)), "an end depends on more than earlier outputs")
        if output[1] == "finite":
            product = product * joint(group, [output], [(v,) for v in sets.get(output[0], output[2])])
            continue
        low, high = (None if e is None else normal(e, here) for e in ends)
        ascending = []
        for p in [*(normal(e, here) for e in listed), *(e for e in (low, high) if e is not None)]:
            order = [sign_of(p - q, here) for q in ascending]
            if 0 not in order:
                ascending.insert(sum(s > 0 for s in order), p)
        start, stop = (None if e is None else next(i for i, p in enumerate(ascending) if not (p - e).num) for e in (low, high))
        if start is not None and stop is not None and start >= stop:
            return total
        product = product * integral(group, output, ascending, here, start, stop)
    return total + product

# 11. records, files and the command
def canonical(data):
    """The canonical text of JSON data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
def digest(data):
    """The SHA-256 of the canonical text."""
    return hashlib.sha256(canonical(data).encode()).hexdigest()
def refuse(text):
    """No number with a point or an exponent, no NaN."""
    raise Rejected(f"{text[:20]} is not exact")
def distinct(pairs):
    """An object, none of whose keys occurs twice."""
    need(len(dict(pairs)) == len(pairs), "a key occurs twice")
    return dict(pairs)
def check_record(text):
    """What the record of this text shows; anything that goes wrong is an exception."""
    data = json.loads(text, parse_float=refuse, parse_constant=refuse, object_pairs_hook=distinct)
    verdict = data["verdict"] if isinstance(data, dict) and data.get("format") == 1 and type(data["format"]) is int else None
    need(verdict in ("proved", "refuted"), "it is no stored record of format 1")
    keys(data, "format verdict claim fingerprint sha256 " + ("scope trusts certificate" if verdict == "proved" else "counterexample"))
    need(digest({k: v for k, v in data.items() if k != "sha256"}) == data["sha256"], "its seal is broken")
    claim = Claim(data["claim"])
    need(data["fingerprint"] == claim.fingerprint, "its fingerprint is that of another claim")
    if verdict == "refuted":
        example = data["counterexample"]
        plain = {**example, "event": list(keys(example["event"], "intervals values outcomes atoms continuous"))}
        return check_example(claim, {k: decoded(v) for k, v in plain.items()})
    said = check_proof(claim, decoded(data["certificate"]))
    scope = scope_of(claim)
    need(data["scope"] == scope if isinstance(scope, str) else data["scope"].startswith(scope[0]) and data["scope"].endswith(scope[1]), f"its scope should be {scope}")
    need(said.startswith("on the word") == bool(data["trusts"]), "it trusts others than it needs")
    return said
def check_file(path):
    """(whether the record is accepted, what is said of it)."""
    TREES.clear()
    TREES.update(KEPT)
    NUMBER_OF.clear()
    ATOMS.clear()
    MONOMIALS[:] = [()]
    EMPTY.__init__()
    NUMBER_OF[()] = 0
    for f in CACHED:
        f.cache_clear()
    try:
        said = check_record(Path(path).read_bytes().decode("utf-8"))
        return ("word" if said.startswith("on the word") else "accepted"), said
    except NotCovered as why:
        return "not covered", str(why)
    except Exception as why:
        return "rejected", f"{type(why).__name__}: {why}" if not isinstance(why, Rejected) else str(why)
KEPT, CACHED = dict(TREES), [f for f in list(globals().values()) if hasattr(f, "cache_clear")]
def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("-q", action="store_true", help="print only what is not accepted, and the totals")
    parser.add_argument("-j", type=int, default=multiprocessing.cpu_count(), help="processes")
    options = parser.parse_args()
    sys.setrecursionlimit(20000)
    files = [f for p in map(Path, options.paths) for f in (sorted(p.rglob("*.json")) if p.is_dir() else [p])]
    files.sort(key=lambda f: -f.stat().st_size if f.exists() else 0)
    with multiprocessing.Pool(options.j) if options.j > 1 else None as pool:
        found = pool.map(check_file, map(str, files), 1)
    totals = {}
    for path, (verdict, said) in sorted(zip(map(str, files), found, strict=True)):
        totals[verdict] = totals.get(verdict, 0) + 1
        if not options.q or verdict != "accepted":
            print(f"{path}: {said if verdict == 'word' else verdict + ': ' + said}")
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(totals.items())) or "no records")
    return 1 if "rejected" in totals else 3 if "not covered" in totals else 0
if __name__ == "__main__":
    sys.exit(main())
