#!/usr/bin/env python3
"""A second opinion on stored proofs and refutations: one file, standard library only, no code of the package.

    python3 proofs/recheck.py proofs/        one line for each record, then the totals (-q: only what is not accepted)

FORMAT.md says what is checked here.  What has to be shown is worked out from the claim; the evidence only says where to split into cases,
where to integrate and which facts to multiply.  What is not shown, and whatever goes wrong on the way, is a rejection.  The comment beside
a function says what is true of its result.  A tree is a number or a tuple (head, argument, ...), as in the record.
"""
import argparse, decimal, hashlib, itertools, json, math, multiprocessing, re, sys
from fractions import Fraction
from functools import cache, partial, reduce
from pathlib import Path

class Rejected(Exception): """Something is not shown."""
class Undecided(Rejected): """A sign that is needed is not known."""
class NotCovered(Exception): """The record needs what this file does not do."""
def need(condition, why, kind=Rejected):  # nothing, if the condition holds
    if not condition: raise kind(why)

# 1. trees (section 2 of FORMAT.md)
ATOMIC, PAYLOAD = ("oo", "pi", "boolean", "label", "name"), {"name": str, "label": str, "boolean": bool}
CALCULATED = ("+", "*", "^", "exp", "log", "abs", "sign", "floor", "mod", "min", "max", "binomial")
COMPARISONS, AGGREGATES = ("==", "!=", "<", "<="), {"sum": "+", "maximum": "max", "minimum": "min"}
ARITY = {"oo": 0, "pi": 0, **dict.fromkeys(("+", "*", "min", "max", "piecewise")), **dict.fromkeys(("^", "mod", "binomial", *COMPARISONS, "and", "or", "index"), 2),
         **dict.fromkeys(("exp", "log", "abs", "sign", "floor", "not", *AGGREGATES), 1)}
NAME = re.compile(r"(?:@level|[@#][cd]?[0-9]+|[A-Za-z_]\w*(?:\[[1-9][0-9]*\])?'*)", re.ASCII)
OO, TRUE = ("oo",), ("boolean", True)
def name(text): return ("name", text)
def whole(c): return c.numerator if c.denominator == 1 else c  # whole numbers as int, which is faster
def rational(text):  # the number of a text in lowest terms
    need(isinstance(text, str) and len(text) < 3000 and str(Fraction(text)) == text, "what should be a number in lowest terms is none")
    return whole(Fraction(text))
def read(data, depth=0):  # the tree of its JSON
    if isinstance(data, str): return rational(data)
    head, *args = data
    need(depth <= 200 and head in (PAYLOAD if head in PAYLOAD else ARITY), "what should be a tree is none")
    if head in PAYLOAD: need(len(args) == 1 and type(args[0]) is PAYLOAD[head] and (head != "name" or NAME.fullmatch(args[0])), "a leaf is malformed")
    else: need((args if ARITY[head] is None else len(args) == ARITY[head]) and (head != "piecewise" or len(args) % 2 == 0), f"{head} has {len(args)} arguments")
    return (head, *args) if head in PAYLOAD else (head, *(read(a, depth + 1) for a in args))
def head(e): return e[0] if isinstance(e, tuple) else "number"
def inner(e): return () if head(e) in ("number", *ATOMIC) else e[1:]  # the arguments that are trees
@cache
def names(e): return frozenset(e[1:]) if head(e) == "name" else frozenset().union(*map(names, inner(e)))
def walk(e):  # every node of e, parents first
    yield e
    for a in inner(e): yield from walk(a)
def rebuild(e, change):  # e with every node that `change` answers for replaced by the answer, from the top
    new = change(e)
    if new is not None or not inner(e): return e if new is None else new
    args = [rebuild(a, change) for a in inner(e)]
    if e[0] != "index" or names(args[1]): return (e[0], *args)
    i = normal(args[1], EMPTY).rational
    need(i is not None and i.denominator == 1 and i >= 1, "a part number is no whole number")
    return name(f"{args[0][1]}[{i}]")
def substitute(e, values):  # e with names replaced, all at once; x, x[i] and eps of sums over records are left alone
    def change(part):
        if head(part) == "name" or names(part).isdisjoint(values): return values.get(part[1], part) if head(part) == "name" else part
        outer = {k: v for k, v in values.items() if k.split("[")[0] not in ("x", "eps")}
        return (part[0], substitute(part[1], outer)) if part[0] in AGGREGATES else None
    return rebuild(e, change)
def conjuncts(c): return [p for part in c[1:] for p in conjuncts(part)] if head(c) == "and" else [c]

# 2. normal forms (section 4): polynomials in numbered atoms, over powers of primitive polynomials
ATOMS, MONOMIALS, NUMBER_OF = [], [()], {(): 0}
class Ratio:  # num: {monomial: rational}; den: ((primitive polynomial, power), ...); equal if both are
    def __init__(self, num, den=()): self.num, self.den, self.key = num, den, (frozenset(num.items()), den)
    def __hash__(self): return hash(self.key)
    def __eq__(self, other): return self.key == other.key
    @property
    def rational(self): return None if self.den or any(self.num) else Fraction(self.num.get(0, 0))  # the number that it is, or None
    def __add__(self, other):
        if not self.den and not other.den: return Ratio(merged(self.num, other.num))
        most = {f: max(dict(self.den).get(f, 0), dict(other.den).get(f, 0)) for f, _ in self.den + other.den}
        left, right = (product((top(r), *(f ** (k - dict(r.den).get(f, 0)) for f, k in most.items()))) for r in (self, other))
        return reduced(left + right, most)
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + -other
    def __mul__(self, other):
        if not isinstance(other, Ratio): return Ratio({m: whole(c * other) for m, c in self.num.items()}, self.den) if other else NOTHING
        need(len(self.num) * len(other.num) <= 20000, "a product of polynomials is too long")
        num, powers = {}, dict(self.den)
        for (i, c), (j, d) in itertools.product(self.num.items(), other.num.items()):
            k, m = times(i, j)
            num[m] = num.get(m, 0) + c * d * k
        for f, k in other.den: powers[f] = powers.get(f, 0) + k
        return reduced(Ratio({m: whole(c) for m, c in num.items() if c}), powers)
    def __truediv__(self, other): return self * inverse(other)
    def __pow__(self, n): return inverse(self) ** -n if n < 0 else UNIT if n == 0 else self if n == 1 else (self * self) ** (n // 2) * self ** (n % 2)
def constant(c): return Ratio({0: whole(Fraction(c))} if c else {})
def total(ratios): return reduce(Ratio.__add__, ratios, NOTHING)
def product(ratios): return reduce(Ratio.__mul__, ratios, UNIT)
def top(r): return Ratio(r.num)
def merged(p, q):  # the sum of two tables of terms
    out = dict(p)
    for m, c in q.items(): out[m] = whole(out.get(m, 0) + c)
    return {m: c for m, c in out.items() if c}
def number_of(table, thing):  # the place of a thing in a table; equal things share it
    if thing not in NUMBER_OF: NUMBER_OF[thing] = len(table); table.append(thing)
    return NUMBER_OF[thing]
def settled(powers):  # (c, monomial) of a table of exponents: those of primes come to lie in [0, 1), and |x|^2 is x^2 for a name x
    c, powers = 1, dict(powers)
    for a, e in list(powers.items()):
        kind, r = ATOMS[a]
        if kind == "prime" and not 0 <= e < 1:
            need(abs(e) * r.bit_length() < 65536, "a power is too large")
            c, powers[a] = c * Fraction(r) ** math.floor(e), e - math.floor(e)
        only = MONOMIALS[min(r.num)] if kind == "abs" and e > 1 and len(r.num) == 1 else ()
        if len(only) == 1 and ATOMS[only[0][0]][0] == "name": powers[a], powers[only[0][0]] = e % 2, powers.get(only[0][0], 0) + e - e % 2
    return whole(c), number_of(MONOMIALS, tuple(sorted((a, whole(e)) for a, e in powers.items() if e)))
@cache
def times(i, j, direction=1):  # the product (direction -1: the quotient) of two monomials, as a rational and a monomial
    powers = dict(MONOMIALS[i])
    for a, e in MONOMIALS[j]: powers[a] = powers.get(a, 0) + e * direction
    return settled(powers)
def of_powers(powers):  # the ratio of a product of powers of atoms
    c, m = settled(powers)
    return Ratio({m: c})
def of_atom(kind, r=None, e=1): return of_powers({number_of(ATOMS, (kind, r)): e})
def invertible(a): return ATOMS[a][0] in ("exp", "prime")  # > 0 whatever its names stand for
@cache
def content(p):  # p = c m q: a rational, a monomial, and q primitive (whole coprime coefficients, no common atom, first coefficient > 0)
    if len(p.num) < 2: return next(((c, m, UNIT) for m, c in p.num.items()), (0, 0, UNIT))
    tables = [dict(MONOMIALS[m]) for m in p.num]
    unit, m = settled({a: min(t[a] for t in tables) for a in set(tables[0]).intersection(*tables[1:])})
    q = Ratio({times(i, m, -1)[1]: c for i, c in p.num.items()})
    c = Fraction(math.gcd(*(v.numerator for v in q.num.values())), math.lcm(*(v.denominator for v in q.num.values()))) * (-1 if q.num[min(q.num)] < 0 else 1)
    return c * unit, m, q * (1 / c)
@cache
def divide(p, d):  # the polynomial q with p = q d, or None
    tables = [[dict(MONOMIALS[m]) for m in r.num] for r in (p, d)]
    order = sorted({a for t in tables for powers in t for a in powers})
    kinds = ("exp",) if any(ATOMS[a][0] == "abs" for a in order) else ("exp", "name")  # degrees of these add up, and so do lowest ones
    span = {a: [end(t.get(a, 0) for t in tables[0]) - end(t.get(a, 0) for t in tables[1]) for end in (min, max)] for a in order if ATOMS[a][0] in kinds}
    def height(m): return [dict(MONOMIALS[m]).get(a, 0) for a in order]
    lead, rest, result = max(d.num, key=height), p, {}
    for _ in range(2 * len(p.num) + 8 if all(low <= high for low, high in span.values()) else 0):
        if not rest.num: return Ratio(result)
        first = max(rest.num, key=height)
        c, q = times(first, lead, -1)
        powers = dict(MONOMIALS[q])
        if any(e < 0 and not invertible(a) for a, e in powers.items()) or any(not low <= powers.get(a, 0) <= high for a, (low, high) in span.items()): break
        piece = Ratio({q: whole(c * Fraction(rest.num[first]) / d.num[lead])})
        result, rest = merged(result, piece.num), rest - piece * d
    return None
def reduced(p, powers):  # p / factors, with every factor cancelled that divides p
    den = []
    for f, k in sorted(powers.items(), key=lambda pair: sorted(pair[0].num)) if p.num else ():
        while k and (q := divide(p, f)) is not None: p, k = q, k - 1
        if k: den.append((f, k))
    return Ratio(p.num, tuple(den)) if den else p
def inverse(r):  # 1 / r
    c, m, q = content(top(r))
    if not c: raise ZeroDivisionError
    powers = {of_powers([(a, 1)]): e for a, e in MONOMIALS[m] if not invertible(a)} | ({q: 1} if q != UNIT else {})
    return reduced(product([of_powers((a, -e) for a, e in MONOMIALS[m] if invertible(a)) * (1 / Fraction(c)), *(f ** k for f, k in r.den)]), powers)
@cache
def names_in(r):  # the names that a ratio depends on
    inside = (ATOMS[a] for m in r.num for a, _ in MONOMIALS[m])
    return frozenset().union(*({i} if kind == "name" else names_in(i) if isinstance(i, Ratio) else () for kind, i in inside), *(names_in(f) for f, _ in r.den))
@cache
def exp_of(r):  # e^r, one atom for each monomial of r, so that exp(a + b) and exp(a) exp(b) are the same
    out = UNIT
    for part in (reduced(Ratio({m: c}), dict(r.den)) for m, c in r.num.items()):
        for m, c in part.num.items():
            kind, i = ATOMS[MONOMIALS[m][0][0]] if len(MONOMIALS[m]) == 1 and MONOMIALS[m][0][1] == 1 and not part.den else ("", UNIT)
            p = i.rational if kind == "log" else None
            if p and p.denominator == 1 and primes(p) == ((p, 1),): out = out * of_atom("prime", int(p), c)
            else: out = out * (i ** int(c) if kind == "log" and c.denominator == 1 else of_atom("exp", Ratio({m: 1}, part.den), c))
    return out
@cache
def log_of(r):  # log r for r > 0, taken apart where r is a product of primes, exponentials and at most one odd power of something else
    c, m, q = content(top(r))
    units = [(a, e) for a, e in MONOMIALS[m] if invertible(a)]
    others = [(of_powers([(a, 1)]), e) for a, e in MONOMIALS[m] if not invertible(a)] + ([(q, 1)] if q != UNIT else []) + [(f, -k) for f, k in r.den]
    rest = of_powers(units) * abs(c)
    if len(others) == 1 and others[0][1] % 2 and (others[0][1], rest) != (1, UNIT):
        return log_of(rest) + of_atom("log", others[0][0] * (1 if c > 0 else -1)) * others[0][1]
    found = primes(Fraction(c)) if c > 0 and not others else None
    if found is None: return of_atom("log", r)
    return total([of_atom("log", constant(p)) * k for p, k in found] + [(ATOMS[a][1] if ATOMS[a][0] == "exp" else of_atom("log", constant(ATOMS[a][1]))) * e for a, e in units])
@cache
def primes(value):  # the primes of a positive rational with their exponents, or None where a prime above 65536 might be composite
    powers = {}
    for part, direction in ((value.numerator, 1), (value.denominator, -1)):
        p = 2
        while p * p <= part:
            if p > 65536: return None
            while part % p == 0: powers[p], part = powers.get(p, 0) + direction, part // p
            p += 1
        if part > 1: powers[part] = powers.get(part, 0) + direction
    return tuple(sorted(powers.items()))
def inside_logs(p):  # the r > 0 with p = c log r, c > 0, for a sum of logarithms; None for another polynomial
    parts = [(MONOMIALS[m], Fraction(c)) for m, c in p.num.items()]
    if not parts or any(len(m) != 1 or m[0][1] != 1 or ATOMS[m[0][0]][0] != "log" for m, _ in parts): return None
    scale = math.lcm(*(c.denominator for _, c in parts))
    return product(ATOMS[m[0][0]][1] ** int(c * scale) for m, c in parts) if max(abs(c * scale) for _, c in parts) <= 16 else None
def power(base, exponent):  # base ^ exponent; the caller knows that base > 0 unless the exponent is whole
    e, size = exponent.rational, base.rational or Fraction(1)
    if e is None or e.denominator != 1: return exp_of(exponent * log_of(base))
    need(abs(e) <= 64 or (len(base.num) < 2 and abs(e) * (size.numerator.bit_length() + size.denominator.bit_length()) <= 65536), "a power is too large")
    return base ** int(e)
def by_powers(p, *atoms):  # {exponents of these atoms: the polynomial that they are multiplied by}
    parts = {}
    for m, c in p.num.items():
        powers = dict(MONOMIALS[m])
        found = tuple(powers.pop(number_of(ATOMS, a), 0) for a in atoms)
        parts[found] = parts.get(found, NOTHING) + of_powers(powers) * c
    return parts
def linear(p, n):  # (k, m) with p = k n + m, both free of the name n, or None
    parts = by_powers(p, ("name", n))
    k, m = parts.pop((1,), NOTHING), parts.pop((0,), NOTHING)
    return None if parts or n in names_in(k) | names_in(m) else (k, m)
def growth(p, n):  # ((r, k), c) with p ~ c exp(r n) n^k as the name n grows, c free of it
    parts = {rate: c for rate, c in by_powers(p, ("exp", of_atom("name", n)), ("name", n)).items() if c.num}
    need(not any(n in names_in(c) for c in parts.values()), "a limit is not read off leading terms")
    return max(parts), parts[max(parts)]
def tree(r):  # a tree whose normal form is r
    def part(a, e):
        kind, i = ATOMS[a]
        if kind == "exp": return ("exp", tree(i * e))
        return ("^", i if kind == "prime" else name(i) if kind == "name" else ("pi",) if kind == "pi" else (kind, tree(i)), e)
    if r.rational is not None: return whole(r.rational)
    return ("*", ("+", *(("*", c, *(part(a, e) for a, e in MONOMIALS[m])) for m, c in sorted(r.num.items()))), *(("^", tree(f), -k) for f, k in r.den))
UNIT, NOTHING = Ratio({0: 1}), Ratio({})

# 3. enclosures (low, high) of constants, rounded outwards to so many digits; decimal rounds exp and ln correctly
@cache
def rounding(digits): return [decimal.Context(prec=digits, rounding=r, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX) for r in (decimal.ROUND_FLOOR, decimal.ROUND_CEILING)]
def of_rational(q, digits): return tuple(c.divide(decimal.Decimal(q.numerator), decimal.Decimal(q.denominator)) for c in rounding(digits))
def plus(a, b, digits): return tuple(c.add(x, y) for c, x, y in zip(rounding(digits), a, b))
def mul(a, b, digits):  # around the product
    down, up = rounding(digits)
    return min(down.multiply(x, y) for x in a for y in b), max(up.multiply(x, y) for x in a for y in b)
def rising(f, a, digits):  # around the values of exp or ln
    need(f == "exp" or a[0] > 0, "the logarithm of what may be 0", Undecided)
    down, up = rounding(digits)
    return down.next_minus(getattr(down, f)(a[0])), up.next_plus(getattr(up, f)(a[1]))
def pi(digits):  # around pi, by Machin's formula; a partial sum of an alternating series is off by less than its last term
    def arctan(q): return sum(Fraction((-1) ** k, (2 * k + 1) * q ** (2 * k + 1)) for k in range(digits))
    value, error = 16 * arctan(5) - 4 * arctan(239), Fraction(20, 5 ** (2 * digits - 1))
    return of_rational(value - error, digits)[0], of_rational(value + error, digits)[1]
def enclose_atom(a, e, digits):  # around a power of an atom without names
    kind, i = ATOMS[a]
    if kind == "prime": return rising("exp", mul(of_rational(Fraction(e), digits), rising("ln", of_rational(i, digits), digits), digits), digits)
    if kind == "exp": return rising("exp", enclose(i * e, digits), digits)
    need(kind in ("pi", "log", "abs", "floor"), "what should be a constant has a name")
    low, high = pi(digits) if kind == "pi" else enclose(i, digits)
    if kind == "log": low, high = rising("ln", (low, high), digits)
    if kind == "abs": low, high = max(low, -high, decimal.Decimal(0)), max(-low, high)
    if kind == "floor": low, high = (decimal.Decimal(math.floor(x)) for x in (low, high))
    return reduce(lambda x, y: mul(x, y, digits), [(low, high)] * e)
@cache
def enclose(r, digits):  # around a constant ratio
    out = of_rational(0, digits)
    for m, c in r.num.items():
        out = plus(out, reduce(lambda x, y: mul(x, y, digits), (enclose_atom(a, e, digits) for a, e in MONOMIALS[m]), of_rational(c, digits)), digits)
    for f, k in r.den:
        low, high = enclose(f, digits)
        need(low > 0 or high < 0, "a divisor is not told from 0", Undecided)
        for _ in range(k): out = mul(out, tuple(c.divide(decimal.Decimal(1), x) for c, x in zip(rounding(digits), (high, low))), digits)
    return out
@cache
def constant_sign(r):  # -1, 0 or 1 for a constant ratio, None where it is not known or depends on a name; zero is decided by the normal form alone
    if r.rational is not None or names_in(r): return None if r.rational is None else (r.rational > 0) - (r.rational < 0)
    for digits in (20, 80, 320, 1280):
        try: low, high = enclose(r, digits)
        except Undecided: continue
        if low > 0 or high < 0: return 1 if low > 0 else -1
    return None

# 4. what is known at one place of a proof, and the normal forms of trees there
POS, NEG, NIL = frozenset((1,)), frozenset((-1,)), frozenset((0,))
RELATION, ANY, SIGN = {">": POS, ">=": POS | NIL, "=": NIL, "<=": NEG | NIL, "<": NEG}, POS | NEG | NIL, {-1: NEG, 0: NIL, 1: POS}
@cache
def both(a, b): return frozenset(x * y for x in a for y in b)  # the signs of a product
def sign_set(c): return POS if c > 0 else NEG if c else NIL
class Context:  # facts (polynomial, relation) in order; the signs of polynomials; whole-number names; values of names; the name that grows
    def __init__(self, facts=(), known=None, whole_names=frozenset(), values=None, germ=""):
        self.facts, self.known, self.whole_names, self.values, self.germ = facts, known or {}, whole_names, values or {}, germ
        self.forms, self.larger, self.seen = {}, {}, {}
    def changed(self, **changes):  # this context with something else
        return Context(**{"facts": self.facts, "known": self.known, "whole_names": self.whole_names, "values": self.values, "germ": self.germ, **changes})
    def given(self, p, relation):  # this context with one more fact
        p, relation = (-p, {"<": ">", "<=": ">="}[relation]) if relation in ("<", "<=") else (p, relation)
        if (p, relation) not in self.larger: self.larger[p, relation] = self.with_fact(p, relation)
        return self.larger[p, relation]
    def with_fact(self, p, relation):  # the same, worked out
        known, values = dict(self.known), dict(self.values)
        def learn(r, signs):  # the sign of the primitive part of r
            c, m, q = content(top(r))
            outer = reduce(both, (self.signs(f) for f, k in r.den if k % 2), both(sign_set(c), self.monomial_signs(m)))
            if q == UNIT and len(MONOMIALS[m]) == 1 and MONOMIALS[m][0][1] == 1 and not invertible(MONOMIALS[m][0][0]): q, outer = Ratio({m: 1}), sign_set(c)
            if outer in (POS, NEG) and q != UNIT: known[q] = self.signs(q) & both(signs, outer)
            return q
        q = learn(p, RELATION[relation])
        if q in known and (log := inside_logs(q)) is not None: learn(log - UNIT, known[q])
        fixed = fixed_name(p if relation == "=" else q if known.get(q) == NIL else NOTHING)
        for n, value in fixed: values.setdefault(n, value)
        out = self.changed(facts=(*self.facts, (p, relation)), known=known, values=values)
        for r in [r for n, value in fixed if len(p.num) > 1 and value.rational is None for r in known if n in names_in(r)]:  # the same of r with the value put in
            moved = normal(tree(r), out)
            c, m, q = content(moved)
            if not moved.den and not m and q != UNIT and c: known[q] = known.get(q, ANY) & both(known[r], sign_set(c))
        return out
    def signs(self, r):  # the signs that a ratio can have here
        if r not in self.seen:
            c, m, q = content(top(r))
            if r.den: out = reduce(both, (self.signs(f) for f, k in r.den if k % 2), self.signs(top(r)))
            elif self.germ in names_in(r): out = ANY if 0 in (leading := self.signs(growth(r, self.germ)[1])) else leading
            else: out = both(both(sign_set(c), self.monomial_signs(m)), POS if q == UNIT else self.primitive_signs(q))
            self.seen[r] = out
        return self.seen[r]
    def primitive_signs(self, p):  # by a fact, an enclosure, the logarithm of something, the terms, or a fact about p up to a constant
        if p in self.known: return self.known[p] if len(self.known[p]) == 1 else self.known[p] & self.shifted_signs(p)
        if (s := constant_sign(p)) is not None: return SIGN[s]
        if (log := inside_logs(p)) is not None: return self.signs(log - UNIT)
        return one_sided([both(sign_set(c), self.monomial_signs(m)) for m, c in p.num.items()]) or self.shifted_signs(p)
    def monomial_signs(self, m): return reduce(both, (frozenset(x ** (2 - e % 2) for x in self.atom_signs(a)) if e % 1 == 0 else POS for a, e in MONOMIALS[m]), POS)
    def atom_signs(self, a):
        kind, i = ATOMS[a]
        p = of_atom(kind, i) if kind not in ("exp", "prime", "pi") else UNIT
        if p == UNIT or len(self.known.get(p, ANY)) == 1: return self.known.get(p, POS)
        if kind == "log": return SIGN[s] if (s := constant_sign(p)) is not None else self.signs(i - UNIT)
        return (POS | NIL if kind == "abs" else ANY) & self.shifted_signs(p)
    def shifted_signs(self, p):  # the signs that p = k q + r has by a fact about q, where k is rational and r constant
        varying, out = [m for m in p.num if names_in(Ratio({m: 1}))], ANY
        for q, signs in self.known.items() if varying else ():
            if varying[0] in q.num and len(varying) <= len(q.num) <= len(p.num) + 2:
                k = Fraction(p.num[varying[0]]) / q.num[varying[0]]
                s, moved = constant_sign(p - q * k), both(signs, sign_set(k))
                if s is not None and (s == 0 or -s not in moved): out = out & (SIGN[s] if s else moved)
        return out
def one_sided(parts):  # the signs of a sum of terms of these signs, None where they differ
    return next(((SIGN[s] if SIGN[s] in parts else SIGN[s] | NIL) for s in (1, -1) if all(-s not in t for t in parts)), None)
def fixed_name(p):  # [(name, value)], if c * name + r = 0 with r a sum of a rational and multiples of floors
    kinds = {m: ATOMS[MONOMIALS[m][0][0]] if len(MONOMIALS[m]) == 1 and MONOMIALS[m][0][1] == 1 else ("",) for m in p.num if m}
    found = [m for m, kind in kinds.items() if kind[0] == "name"]
    if len(found) != 1 or any(kind[0] not in ("name", "floor") for kind in kinds.values()): return []
    return [(kinds[found[0]][1], (p - Ratio({found[0]: p.num[found[0]]})) * (-1 / Fraction(p.num[found[0]])))]
def sign_of(r, here):  # the one sign of r here
    need(len(here.signs(r)) == 1, "a sign that is needed is not known", Undecided)
    return min(here.signs(r))
def polynomial(r, here): return top(r) * math.prod(sign_of(f, here) ** k for f, k in r.den)  # one with the sign of r
def positive(r, here):  # r itself, known to be > 0
    need(here.signs(r) == POS, "what stands under a root or a logarithm is not known to be > 0", Undecided)
    return r
def nonzero(r, here):  # r itself, known not to be 0
    need(0 not in here.signs(top(r)), "a divisor is not known not to be 0", Undecided)
    return r
def abs_of(r, here):  # |r|: parts of known sign lose their bars, the others are atoms
    def bars(p): return p if -1 not in here.signs(p) else -p if 1 not in here.signs(p) else of_atom("abs", p)
    if {-1, 1} - here.signs(r): return r if -1 not in here.signs(r) else -r
    c, m, q = content(top(r))
    parts = [of_powers([(a, e)]) if invertible(a) else bars(of_powers([(a, 1)])) ** e for a, e in MONOMIALS[m]]
    return product([bars(q) * abs(c), *parts, *((f * sign_of(f, here)) ** -k for f, k in r.den)])
def is_whole(r, here):  # true only of polynomials with whole coefficients in whole-number names, floors and their absolute values
    def good(kind, i): return kind == "floor" or (kind == "name" and i in here.whole_names) or (kind == "abs" and is_whole(i, here))
    return not r.den and all(c.denominator == 1 and all(good(*ATOMS[a]) for a, _ in MONOMIALS[m]) for m, c in r.num.items())
def is_count(r, here): return is_whole(r, here) and all(ATOMS[a][0] == "name" for m in r.num for a, _ in MONOMIALS[m])
def floor_of(r, here):  # a number where bounds single it out, else the whole terms of r and the floor of the rest as an atom
    if r.rational is not None: return constant(math.floor(r.rational))
    if not names_in(r):
        low, high = (math.floor(end) for end in enclose(r, 80))
        return constant(low) if low == high else of_atom("floor", r)
    low, high = bounds(r, here, True)
    if low and high and (least := math.floor(low[0])) == (math.ceil(high[0]) - 1 if high[1] else math.floor(high[0])): return constant(least)
    alone = {m: top(r) / product(f ** k for f, k in r.den) for m in r.num} if False else {m: Ratio({m: c}) / product(f ** k for f, k in r.den) for m, c in r.num.items()}
    parts = total(p if m else constant(math.floor(p.rational)) for m, p in alone.items() if not p.den and (not m or is_whole(p, here)))
    rest = r - parts
    return parts + (of_atom("floor", rest) if names_in(rest) else floor_of(rest, here))
def bounds(p, here, deeper):  # rational bounds (value, strict) of p from below and above by facts, each None where there is none
    if p.rational is not None: return [(p.rational, False)] * 2
    found = [None, None]
    for q, signs in here.known.items() if not p.den else ():
        m = next((m for m in q.num if m and m in p.num), None)
        rest = p - q * (k := Fraction(p.num[m]) / q.num[m]) if m else p
        if rest.rational is not None or (deeper and len(rest.num) < len(p.num)):
            for i, b in enumerate(bounds(rest, here, False)):
                if b and 2 * i - 1 not in (moved := both(signs, sign_set(k))):
                    b = (b[0], b[1] or 0 not in moved)
                    found[i] = b if found[i] is None or ((1 - 2 * i) * b[0], b[1]) > ((1 - 2 * i) * found[i][0], found[i][1]) else found[i]
    return found
def normal(e, here):  # the normal form of a tree
    if e not in here.forms:
        need(head(e) in NORMAL, f"{head(e)} is no number")
        here.forms[e] = NORMAL[head(e)](here, *((e,) if head(e) == "number" else e[1:]))
    return here.forms[e]
def power_form(here, base, exponent):
    base, exponent = normal(base, here), normal(exponent, here)
    value = exponent.rational
    if value is None and here.signs(base) == NIL and is_count(exponent, here) and sign_of(exponent, here) > 0: return NOTHING
    return power(positive(base, here) if value is None or value.denominator != 1 else nonzero(base, here) if value < 0 else base, exponent)
def extreme_form(direction, here, first, *others):  # (a + b + |a - b|) / 2, from left to right
    best = normal(first, here)
    for a in others: best = (best + normal(a, here) + abs_of(best - normal(a, here), here) * direction) * Fraction(1, 2)
    return best
def mod_form(here, a, b): return normal(a, here) - normal(b, here) * floor_of(normal(a, here) / nonzero(normal(b, here), here), here)
def binomial_form(here, n, k):  # for whole numbers, or for a count n >= 0 and k up to 16
    n, k = normal(n, here), normal(k, here).rational
    need(k is not None and k.denominator == 1 and (0 <= n.rational <= 4096 if n.rational is not None else 0 <= k <= 16) and is_count(n, here), "no binomial")
    if n.rational is not None: return constant(math.comb(int(n.rational), int(k)) if 0 <= k <= n.rational else 0)
    need(-1 not in here.signs(n), "a binomial of what may be negative")
    order = sign_of(n - constant(k), here)
    return product((n - constant(i)) * Fraction(1, i + 1) for i in range(int(k))) if order > 0 else constant(order + 1)
def branch(here, *args):  # the value of a piecewise node that holds
    found = next((value for value, c in zip(args[::2], args[1::2]) if truth(c, here)), None)
    need(found is not None, "no branch holds")
    return found
def of_one(f): return lambda here, a: f(normal(a, here), here)
NORMAL = {
    "number": lambda here, q: constant(q), "name": lambda here, n: here.values[n] if n in here.values else of_atom("name", n), "pi": lambda here: of_atom("pi"),
    "+": lambda here, *args: total(normal(a, here) for a in args), "*": lambda here, *args: product(normal(a, here) for a in args), "^": power_form,
    "exp": of_one(lambda r, here: exp_of(r)), "log": of_one(lambda r, here: log_of(positive(r, here))), "abs": of_one(abs_of), "floor": of_one(floor_of),
    "sign": of_one(lambda r, here: constant(sign_of(r, here))), "max": lambda *a: extreme_form(1, *a), "min": lambda *a: extreme_form(-1, *a), "mod": mod_form,
    "binomial": binomial_form, "piecewise": lambda here, *args: normal(branch(here, *args), here),
}
def truth(c, here):  # whether a condition holds
    kind = head(c)
    if kind == "boolean": return c[1]
    if kind == "not": return not truth(c[1], here)
    if kind in ("and", "or"):
        found, decisive = [known_truth(part, here) for part in c[1:]], kind == "or"
        need(decisive in found or None not in found, "a condition hangs on a sign that is not known", Undecided)
        return decisive if decisive in found else not decisive
    need(kind in COMPARISONS, f"{kind} is no condition")
    a, b = c[1:]
    if "label" in (head(a), head(b)):
        need(kind in ("==", "!=") and {head(a), head(b)} <= {"label", "number", "oo"}, "a label is only compared with a value")
        return (a == b) == (kind == "==")
    if OO in (a, b):
        need(a == b or not any(p == OO for side in (a, b) if side != OO for p in walk(side)), "oo stands inside a comparison with oo")
        return kind in ("==", "<=") if a == b else kind == "!=" or (kind != "==" and b == OO)
    signs, allowed = here.signs(normal(a, here) - normal(b, here)), {"==": NIL, "!=": POS | NEG, "<": NEG, "<=": NEG | NIL}[kind]
    need(signs <= allowed or not signs & allowed, "a condition hangs on a sign that is not known", Undecided)
    return signs <= allowed
def known_truth(c, here, errors=Undecided):  # the same, and None where it is not known
    try: return truth(c, here)
    except errors: return None
UNKNOWN = (Rejected, ZeroDivisionError)
def assume(conditions, here):  # this context with the facts of conditions; one that has no normal form gives none
    def facts(c, here):
        if head(c) == "and": return reduce(lambda h, part: facts(part, h), c[1:], here)
        if head(c) not in ("==", "<", "<=") or {head(c[1]), head(c[2])} & {"oo", "label"}: return here
        return here.given(polynomial(normal(c[2], here) - normal(c[1], here), here), {"==": "=", "<": ">", "<=": ">="}[c[0]])
    for c in conditions:
        try: here = facts(c, here)
        except UNKNOWN: pass
    return here
GROWING = "@0"  # the demand on its way to oo
def limit(e, here):  # the limit of e in [-oo, oo] as the growing name of the context grows
    try:
        r = normal(e, here)
        if not r.num: return 0
        rate, c = growth(top(r), GROWING)
        for f, k in r.den: (a, b), d = growth(f, GROWING); rate, c = (rate[0] - k * a, rate[1] - k * b), c / d ** k
        if rate <= (0, 0): return tree(c) if rate == (0, 0) else 0
        need(sign_of(c, here), "a limit is not read off leading terms")
        return OO if sign_of(c, here) > 0 else ("*", -1, OO)
    except Rejected as why:
        if isinstance(why, Undecided) or head(e) not in ("+", "*", "abs", "min", "max") or GROWING not in names(e): raise
        parts = (e[0], *(limit(a, here) if GROWING in names(a) else a for a in e[1:]))
        need(OO not in walk(parts), "a limit is not read off leading terms")
        return tree(normal(parts, here))
def at_record(e, bound, here):  # the canonical value of e at a record; at demand oo its limit, which may be oo
    if bound.get("eps") == OO and "eps" in names(e):
        here, e = here.changed(germ=GROWING), substitute(e, {k: v for k, v in bound.items() if k != "eps"})
        e = rebuild(e, lambda c: substitute(c, {"eps": OO}) if head(c) in COMPARISONS and OO in c else None)
        e = substitute(e, {"eps": name(GROWING)})
    else: e = substitute(e, bound)
    while head(e) == "piecewise": e = branch(here, *e[1:])
    return OO if e == OO else limit(e, here) if here.germ else tree(normal(e, here))

# 5. evidence
FIELDS = {
    "products": "terms", "exp sign": "factors low high", "lemma": "kind arguments relation proofs", "closed": "lemmas form proofs", "pieces": "lemmas points",
    "choice": "counts why", "divergence": "lemmas points choices final", "separate": "lemmas form levels leaves proofs", "case split": "lemmas guard cases",
    "solver word": "solvers", "enumeration": "size", "mass": "values evidence", "certificate": "claim counts conditions mass evidence uses",
    "by law": "claim law version stated premises evidence", "stated": "relation level delta",
}
def decoded(data):  # the evidence of its JSON, with trees and numbers read; every object has exactly the fields of its kind
    if isinstance(data, list): return [decoded(d) for d in data]
    if not isinstance(data, dict): return data
    if set(data) in ({"e"}, {"q"}): return read(data["e"]) if "e" in data else Fraction(rational(data["q"]))
    need(set(data) == {"is", *FIELDS.get(data.get("is"), "?").split()}, f"{data.get('is')} is no kind of evidence, or has other fields")
    return {k: decoded(v) for k, v in data.items()}
def same(p, q):  # whether two polynomials are the same, up to a product of exponentials (in which two forms of one ratio may differ)
    unit = p / q if p.num and q.num else constant(p == q)
    return not unit.den and list(unit.num.values()) == [1] and all(ATOMS[a][0] == "exp" for m in unit.num for a, _ in MONOMIALS[m])
def combination(terms, here):  # (the sum of products, whether it is > 0); a product with a factor <= 0 needs an equality among its facts
    out, strict = NOTHING, False
    for c, numbers in terms:
        need(isinstance(c, Fraction) and all(type(i) is int and 0 <= i < len(here.facts) for i in numbers), "a product names a fact that is not there")
        kinds = {here.facts[i][1] for i in numbers}
        need(c > 0 or "=" in kinds, "a product of inequalities has a coefficient that is not positive")
        out, strict = out + product(here.facts[i][0] for i in numbers) * c, strict or (c > 0 and kinds <= {">"})
    return out, strict
def require(r, relation, proof, here):  # r `relation` 0, by the proof or, without one, by signs
    if proof is None: return need(here.signs(r) <= RELATION[relation], f"what should be {relation} 0 is not, by its sign")
    if proof["is"] == "exp sign": return exp_sign(polynomial(r, here), relation, proof, here)
    need(proof["is"] == "products" and relation in (">=", ">"), "a proof is of the wrong kind")
    out, strict = combination(proof["terms"], here)
    return need(same(polynomial(r, here), out) and (strict or relation == ">="), "products do not add up to what they should")
LEMMAS = {  # kind: how many arguments, what is to be proved of them, and what is then a fact
    "sign": (1, [lambda p: p], lambda here, r, p: p), "proved": (1, [lambda p: p], lambda here, r, p: p), "exp": (1, [], lambda here, r, t: exp_of(t) - UNIT - t),
    "order": (2, [lambda a, b: b - a], lambda here, r, a, b: exp_of(b) - exp_of(a)), "whole": (1, [lambda p: p], lambda here, r, p: p - UNIT),
    "triangle": (2, [], lambda here, r, u, v: abs_of(u, here) + abs_of(u - v, here) - abs_of(v, here)), "square": (1, [], lambda here, r, p: p * p),
    "absolute": (1, [], lambda here, r, w: abs_of(w, here) - w), "bound": (2, [lambda w, u: u - w, lambda w, u: u + w], lambda here, r, w, u: u - abs_of(w, here)),
    "floor": (1, [], lambda here, r, x: x - floor_of(x, here) if r == ">=" else UNIT - x + floor_of(x, here)),
}
def extended(lemmas, here):  # the context with the fact of each lemma
    for lemma in lemmas:
        kind, relation, proofs = lemma["kind"], lemma["relation"], lemma["proofs"]
        count, demands, fact = LEMMAS[kind]
        need(relation in (RELATION if kind in ("sign", "proved") else (">=", ">") if kind in ("order", "floor") else (">=",)), "a lemma has a wrong relation")
        need(len(lemma["arguments"]) == count and len(proofs) == len(demands) * (kind not in ("sign", "whole")), "a lemma has too much or too little")
        args = [normal(a, here) for a in lemma["arguments"]]
        for demand, proof in zip(demands, proofs or [None] * len(demands)): require(demand(*args), ">" if kind == "whole" else relation, proof, here)
        need(kind != "whole" or is_whole(args[0], here), "what should be a whole number is none")
        here = here.given(polynomial(fact(here, relation, *args), here), relation)
    return here
def descend(evidence, here, leaf):  # every leaf of the evidence is accepted in the context of its case
    if evidence["is"] == "closed" and evidence["form"] == "never": return never(evidence, here)
    if evidence["is"] != "case split": return leaf(evidence, here)
    here = extended(evidence["lemmas"], here)
    guard = polynomial(normal(evidence["guard"], here), here)
    need(frozenset().union(*(RELATION[relation] for relation, _ in evidence["cases"])) == ANY, "cases leave a sign of their guard out")
    for relation, rest in evidence["cases"]: descend(rest, here.given(guard, relation), leaf)
def never(leaf, here):  # the facts contradict each other
    here, proof = extended(leaf["lemmas"], here), next(iter(leaf["proofs"]), None)
    return need(frozenset() in here.known.values(), "a case is not shown to be empty") if proof is None else require(NOTHING, ">", proof, here)
def exponential_form(law, here):  # (c, e) with law = c exp(e), read off its tree
    if head(law) == "*":
        parts = [exponential_form(a, here) for a in law[1:]]
        return product(c for c, _ in parts), total(e for _, e in parts)
    if head(law) == "piecewise": return exponential_form(branch(here, *law[1:]), here)
    if head(law) == "^" and normal(law[2], here).rational is None: return UNIT, normal(law[2], here) * log_of(positive(normal(law[1], here), here))
    return (UNIT, normal(law[1], here)) if head(law) == "exp" else (normal(law, here), NOTHING)
def closes(leaf, small, large, level, here, side=1):  # the leaf shows small <= exp(level) large; with the side -1, >=
    need(leaf["is"] == "closed" and leaf["form"] in ("log", "direct", "zero", "never"), "an inequality needs a closed leaf")
    if leaf["form"] == "never": return never(leaf, here)
    here = extended(leaf["lemmas"], here)
    if leaf["form"] == "log":
        (c, e), (d, f) = exponential_form(large, here), exponential_form(small, here)
        wanted = [(normal(level, here) + e - f) * side, (c - d) * side]
    elif leaf["form"] == "zero": wanted = [-normal(small if side > 0 else large, here)]
    else: wanted = [(exp_of(normal(level, here)) * normal(large, here) - normal(small, here)) * side]
    for r, proof in zip(wanted, leaf["proofs"] or [None] * len(wanted), strict=True): require(r, ">=", proof, here)

# 6. exp sign: tables {(k, a): c} of terms c e^k exp(a e)
def terms_of(p, n):
    parts = by_powers(p, ("name", n), ("exp", of_atom("name", n)))
    need(not p.den and all(c.rational is not None for c in parts.values()), "it is no polynomial in one name and its exponential")
    return {(k, Fraction(a)): c.rational for (k, a), c in parts.items()}
def derivative(f):
    out = {}
    for (k, a), c in f.items():
        for key, d in (((k, a), c * a), ((k - 1, a), c * k)): out[key] = out.get(key, 0) + d
    return {key: c for key, c in out.items() if c}
def value_at(f, x): return total(x ** k * exp_of(x * a) * c for (k, a), c in f.items())
def end_of(fact, n):  # (v, whether the fact bounds the name from below) for a fact c n + d or c exp(a n) + d
    split = linear(fact, n)
    if split and split[0].rational and not names_in(split[1]): return split[1] * (-1 / split[0].rational), split[0].rational > 0
    f = terms_of(fact, n)
    d, (((k, a), c),) = f.pop((0, 0), 0), f.items()
    need(k == 0 and -d / c > 0, "a fact is no bound of the name")
    return log_of(constant(-d / c)) * (1 / a), c * a > 0
def exp_sign(p, relation, proof, here):  # p >= 0 (or > 0) for all values that two facts leave to its only name
    need(relation in (">=", ">") and len(names_in(p)) == 1, "an exp sign is about one name")
    (n,), low, high, factors = names_in(p), proof["low"], proof["high"], proof["factors"]
    need(all(type(i) is int and 0 <= i < len(here.facts) for i in (low, 0 if high is None else high)), "a bound names a fact that is not there")
    (low_fact, low_kind), (high_fact, high_kind) = here.facts[low], here.facts[low if high is None else high]
    (v, is_low), (w, is_too) = end_of(low_fact, n), (None, False) if high is None else end_of(high_fact, n)
    if low_kind == "=":
        return need(not factors and high is None and constant_sign(value_at(terms_of(p, n), v)) in RELATION[relation], "the sign at a fixed value is another one")
    need(is_low and not is_too and high_kind != "=", "the facts bound the name from the wrong side")
    factors = [(normal(f, here), k, points) for f, k, points in factors]
    need(all(type(k) is int and 1 <= k <= 64 and not f.den and f.num for f, k, _ in factors), "a factor is no polynomial, or has no whole power")
    need(same(p, product(f ** k for f, k, _ in factors)), "the factors do not multiply to what they should")
    sign = 1
    for f, k, points in factors:
        if k % 2 or relation == ">":
            s, low_zero, high_zero = factor_sign(terms_of(f, n), points, v, w)
            need(relation == ">=" or not (low_zero and low_kind == ">=" or high_zero and high_kind == ">="), "a factor vanishes at an end")
            sign *= s ** k
    return need(sign == 1, "the factors have another sign")
def factor_sign(f, points, low, high):  # (the sign of f between the ends, whether it vanishes at the lower one, at the upper one), piece by piece
    points = points or own_points(f, low, high)
    need(all(isinstance(x, Fraction) for x in points) and points == sorted(set(points)), "points are not in order")
    stops, (order, g), last = [constant(x) for x in points], vanishing(f, low), 0
    need(constant_sign(stops[0] - low) == 1 and (high is None or constant_sign(high - stops[-1]) == 1), "points lie outside the interval")
    found = [sign_between(g, low, stops[0]), *(sign_between(f, u, v) for u, v in itertools.pairwise(stops))]
    if high is None: found.append(tail_sign(f, points[-1]))
    else:
        last, g = vanishing(f, high)
        found.append(sign_between(g, stops[-1], high) * (-1) ** last)
    need(len(set(found)) == 1, "a factor is not shown to have one sign")
    return found[0], order > 0, last > 0
def own_points(f, low, high):  # points for a factor that comes without: towards the ends by halves, and where the leading terms prevail
    start = Fraction(enclose(low, 20)[1])
    if high is None:
        last = next(x for i in range(12) if (x := max(start, 0) + 2 ** i) and tail_sign(f, x, True))
        return [start + (last - start) / 2 ** i for i in range(12, -1, -1)]
    width = Fraction(enclose(high, 20)[0]) - start
    return [start + width / 2 ** i for i in range(12, 0, -1)] + [start + width - width / 2 ** i for i in range(2, 13)]
def vanishing(f, v):  # (k, the k-th derivative) for the first derivative that does not vanish at v by its normal form
    for k in range(64):
        if not f or value_at(f, v).num: return k, f
        f = derivative(f)
    raise Rejected("a factor vanishes to too high an order")
def ends(f, x, digits):  # around the values of f on an interval
    out = of_rational(0, digits)
    for (k, a), c in f.items():
        out = plus(out, reduce(lambda u, v: mul(u, v, digits), [of_rational(c, digits), rising("exp", mul(x, of_rational(a, digits), digits), digits)] + [x] * k), digits)
    return out
def sign_between(f, low, high, depth=8):  # the sign of f on a closed interval, cut into halves where an enclosure does not show it
    for digits in (40, 150, 600):
        u, v = ends(f, (enclose(low, digits)[0], enclose(high, digits)[1]), digits)
        if u > 0 or v < 0: return 1 if u > 0 else -1
    need(depth, "a sign between two points is not shown")
    found = {sign_between(f, u, v, depth - 1) for u, v in itertools.pairwise((low, (low + high) * Fraction(1, 2), high))}
    need(len(found) == 1, "a factor changes its sign")
    return found.pop()
def tail_sign(f, x, quietly=False):  # the sign of f on [x, oo): leading terms grow, the others fall and are less; 0 where this is not shown
    lead = max(a for _, a in f)
    leading, later = {k: c for (k, a), c in f.items() if a == lead}, {(k, a - lead): abs(c) for (k, a), c in f.items() if a != lead}
    taylor = [sum(c * math.comb(k, j) * x ** (k - j) for k, c in leading.items() if k >= j) for j in range(max(leading) + 1)]
    s = 1 if taylor[0] > 0 else -1
    shown = x > 0 and all(t * s >= 0 for t in taylor) and all(k <= -a * x for k, a in later) and ends(later, of_rational(x, 150), 150)[1] < abs(taylor[0])
    need(shown or quietly, "the leading terms are not shown to prevail")
    return s if shown else 0

# 7. totals of laws; an output is (name, kind, values)
def piece(output, points, upper, here):  # the context of the piece below point number `upper`
    n, kind, _ = output
    unit, s = kind == "integer" and 0 < upper < len(points) and points[upper] - points[upper - 1] == UNIT, of_atom("name", n)
    for j, b in enumerate(points):
        above = j < upper
        if unit and j == upper - 1: facts = [(s - b, "=")]
        elif kind == "real": facts = [(s - b if above else b - s, ">")]
        else: facts = [(s - b, ">="), (s - b + UNIT, ">")] if above else [(b - s - UNIT, ">="), (b - s, ">")]
        here = reduce(lambda h, fact: h.given(polynomial(fact[0], h), fact[1]), facts, here)
        if unit and j == upper - 1: here = here.changed(values={n: b, **here.values})
    return here
def integral(law, output, points, here, low=None, high=None):  # the total of a law that is >= 0, from point number `low` to `high` (None: infinite)
    n, kind, _ = output
    need(not any(n in names_in(r) for r in [*(p for p, _ in here.facts), *points]), "a total assumes something about its output")
    need(all(-1 not in here.signs(v - u) for u, v in itertools.pairwise(points)), "points do not ascend")
    need(kind == "real" or all(is_whole(b, here) for b in points), "a point is no whole number")
    return total(piece_total(law, output, points, i, here) for i in range(0 if low is None else low + 1, (len(points) if high is None else high) + 1))
def piece_total(law, output, points, upper, here, positive=True):  # beyond the end points a law may repeat itself instead of being a sum of exponentials
    try: return simple_total(law, output, points, upper, here, positive)
    except Rejected:
        if len(points) < 2 or upper not in (0, len(points)): raise
        return repeated_total(law, output, points, upper, here)
def simple_total(law, output, points, upper, here, positive):  # the total of a sum of exponentials on a piece
    n, kind, _ = output
    here, out = piece(output, points, upper, here), []
    form, u, v = normal(law, here), (points[upper - 1] if upper else None), (points[upper] if upper < len(points) else None)
    if positive: nonnegative(law, here)
    for m, c in form.num.items():
        growing = {a: e for a, e in MONOMIALS[m] if ATOMS[a][0] == "exp" and n in names_in(ATOMS[a][1])}
        exponent = total(ATOMS[a][1] * e for a, e in growing.items())
        factor, split = Ratio(of_powers((a, e) for a, e in MONOMIALS[m] if a not in growing).num, form.den) * c, linear(top(exponent), n)
        need(split and n not in names_in(factor) and not any(n in names_in(f) for f, _ in exponent.den), "a law is no sum of exponentials")
        rate, shift = (Ratio(part.num, exponent.den) for part in split)
        finite = u is not None and v is not None
        need(finite if not rate.num else (u is not None or here.signs(rate) == POS) and (v is not None or here.signs(rate) == NEG), "a law does not decay")
        if not rate.num: out.append(factor * (v - u) * exp_of(shift))
        else:
            below, above = (NOTHING if end is None else exp_of(rate * end + shift) for end in (u, v))
            out.append(factor * (above - below) / (nonzero(rate, here) if kind == "real" else exp_of(nonzero(rate, here)) - UNIT))
    return total(out)
def tree_signs(e, here):  # the signs of e by those of its factors and terms as they are written, or else multiplied out
    kind, signs = head(e), None
    if kind in ("exp", "piecewise"): return POS if kind == "exp" else tree_signs(branch(here, *e[1:]), here)
    if kind == "*": signs = reduce(both, (tree_signs(a, here) for a in e[1:]))
    elif kind == "+": signs = one_sided([tree_signs(a, here) for a in e[1:]])
    elif kind == "^" and -1 not in (base := tree_signs(e[1], here)) and (base == POS or here.signs(normal(e[2], here)) == POS): signs = base
    return here.signs(normal(e, here)) if signs is None or {-1, 1} <= signs else signs
def nonnegative(e, here):  # the value of e, which is >= 0 by its sign
    need(-1 not in here.signs(normal(e, here)) or -1 not in tree_signs(e, here), "a probability is not shown to be >= 0")
    return normal(e, here)
def repeated_total(law, output, points, upper, here):  # beyond the last (first) point: f(s + P) = c f(s) from another on, so c / (1 - c) times what is between
    n, kind, _ = output
    last, s = len(points) - 1, of_atom("name", n)
    for i in range(last - 1, -1, -1) if upper else range(1, last + 1):
        first, end = (i, last) if upper else (0, i)
        period, place = points[end] - points[first], here
        if here.signs(period) != POS: continue
        try:
            for b in points[:i + 1] if upper else points[i:]:
                place = place.given(polynomial(s - b if upper else b - s, place), ">=" if kind == "integer" and upper else ">")
            c = shift_factor(law, {n: ("+", name(n), tree(period if upper else -period))}, place) or NOTHING
            small = not c.num or (here.signs(c) == POS and POS != here.signs(log_of(c)) and (here.signs(log_of(c)) == NEG or here.signs(UNIT - c) == POS))
            if small and n not in names_in(c):
                return total(piece_total(law, output, points, k, here) for k in range(first + 1, end + 1)) * c / (UNIT - c)
        except UNKNOWN: continue
    raise Rejected("a law neither is a sum of exponentials nor repeats itself")
def shift_factor(law, moved, here):  # the c with f(moved) = c f, where a condition of f that is not known is the same before and after
    split = next((part for part in walk(law) if head(part) == "piecewise" and moved.keys() & names(part)), None)
    found, certain = [], False
    for value, c in zip(split[1::2], split[2::2]) if split else ():
        known = known_truth(c, here), known_truth(substitute(c, moved), here)
        need(known in ((True, True), (False, False)) or (None in known and unmoved(c, moved, here)), "a condition may change with a shift")
        if known != (False, False) and not certain: found.append(shift_factor(rebuild(law, lambda part, value=value: value if part == split else None), moved, here))
        certain = certain or known == (True, True)
    if not split:
        before, after = normal(law, here), normal(substitute(law, moved), here)
        if not before.num and not after.num: return None
        found, certain = [after / before], True
        need(not (after - found[0] * before).num, "a law does not repeat itself")
    need(certain and len({f for f in found if f}) <= 1, "a law does not repeat itself")
    return next((f for f in found if f), None)
def unmoved(c, moved, here):  # true only if a condition compares the same quantities after the move as before
    if head(c) in ("and", "or", "not"): return all(unmoved(part, moved, here) for part in c[1:])
    if not moved.keys() & names(c): return True
    return head(c) in COMPARISONS and not (normal(substitute(("+", c[1], ("*", -1, c[2])), moved), here) - normal(("+", c[1], ("*", -1, c[2])), here)).num

# 8. claims and their moves (section 3)
OF_QUERIES, OF_DATASETS = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}, ("ahdp", "hdp", "add-remove", "swap", "pairs")
DECLARED = re.compile(r"[A-Za-z_]\w*(\[[1-9][0-9]*\])?", re.ASCII)
def fields(data, wanted):  # the fields of an object that has exactly these
    need(isinstance(data, dict) and set(data) == set(wanted.split()), f"an object has not exactly the fields {wanted}")
    return [data[k] for k in wanted.split()]
def read_value(data, base):  # {name: part} of a value; the names are base[1], base[2], ... for a vector
    return {f"{base}[{i}]": read(part) for i, part in enumerate(data[1:], 1)} if data[0] == "vector" else {base: read(data)}
def equal(a, b, here=None):  # whether two constants, labels or oo are one value
    return a == b or (not {head(a), head(b)} & {"oo", "label"} and not (normal(a, here or EMPTY) - normal(b, here or EMPTY)).num)
def known_names(e, outer, body=()):  # whether names outside record sums are among `outer`, and those inside among `body`
    if head(e) in AGGREGATES: return bool(body) and known_names(e[1], body)
    if head(e) == "index": return f"{e[1][1]}[1]" in outer and known_names(e[2], outer)
    return e[1] in outer if head(e) == "name" else all(known_names(a, outer, body) for a in inner(e))
class Claim:  # a claim as its JSON says, with every name in its place
    def __init__(self, data):
        mechanism, self.relation, level, delta, self.public = fields(data, "mechanism relation level delta public")
        self.level, self.delta, self.fingerprint, self.contexts = read(level), read(delta), digest(data), {}
        title, inputs, parameters, outputs, density, atoms, defined = fields(mechanism, "name inputs parameters outputs density atoms defined")
        self.read_inputs(inputs)
        self.outputs, self.parameters = [(n, kind, [read(v) for v in values]) for n, kind, values in outputs], [(n, read(c)) for n, c in parameters]
        self.density, self.defined, self.atoms = read(density), read(defined), [(read(at), read(mass)) for at, mass in atoms]
        outs, own = [o[0] for o in self.outputs], [n for n, _ in self.parameters]
        everything, body = [*outs, *own, *self.direct, *self.bound], {*self.bound, *own} - ({"eps"} & set(own))
        twice = {n for n in everything if everything.count(n) > 1} if len(everything) < 300 else set()
        need(outs and all(DECLARED.fullmatch(n) for n in everything) and twice <= ({"eps"} if self.records else set()), "a name is malformed or declared twice")
        need(self.parameters[:len(self.given)] == self.given and isinstance(title, str), "parameters of the domain do not come first")
        for n, kind, values in self.outputs:
            need(kind in ("real", "integer", "finite") and (kind == "finite") == bool(values) and not any(map(names, values)), "an output is malformed")
            need(not any(equal(a, b) for a, b in itertools.combinations(values[:99], 2)) and len(set(values)) == len(values), "a value is listed twice")
        need(not self.atoms or (len(outs) == 1 and self.outputs[0][1] != "finite" and len(dict(self.atoms)) == len(self.atoms)), "atoms are malformed")
        need(known_names(self.density, {*outs, *own, *self.direct}, body), "a name of the law is not known")
        need(all(known_names(e, {*own, *self.direct}, body) for e in (self.defined, *(mass for _, mass in self.atoms))), "a name is not known")
        need(all(known_names(c, own) for _, c in self.parameters) and all(known_names(c, {*own, *self.bound}) for _, c in self.unknowns), "a name is not known")
        need(all(known_names(v, own) for r in self.records for v in r.values()) and not any(names(v) for r in self.values for v in r.values()), "a value has a name")
        fits = self.relation in (OF_DATASETS[:4] if self.bound else ("any",) if self.values else OF_QUERIES)
        of_one = {"ahdp": self.bound, "hdp": self.bound, "any": [*self.direct, *("other" + n[1:] for n in self.direct)]}.get(self.relation, [])
        need(fits and known_names(self.level, {*own, *of_one}) and known_names(self.delta, own), "the relation, the level or the delta does not fit")
        need(set(self.public) <= set(self.bound) and (not self.public or self.relation == "hdp"), "public parts are malformed")
        self.whole_names = frozenset(n for n, kind, _ in self.outputs if kind == "integer")
        self.base = assume([c for _, c in self.parameters], Context(whole_names=self.whole_names))
    def read_inputs(self, data):  # records, unknowns, query answers or values; `bound` are the names of a record, `direct` those of other inputs
        self.records, self.unknowns, self.given, self.values, self.direct, self.bound = [], [], [], [], [], []
        if set(data) == {"records"}:
            self.records = [{**read_value(value, "x"), "eps": read(demand)} for value, demand in data["records"]]
            self.bound = list(self.records[0])
        elif set(data) == {"queries"}: self.direct = [f"q[{i}]" for i in range(1, data["queries"] + 1)]
        elif set(data) == {"values"}:
            self.values = [read_value(v, "v") for v in data["values"]]
            self.direct = list(self.values[0])
        else:
            self.unknowns, self.given = ([(n, read(c)) for n, c in listed] for listed in fields(data, "unknowns parameters"))
            self.bound = [n for n, _ in self.unknowns]
            need("eps" in self.bound, "a universal domain has no demand")
        need(all(list(r) == self.bound for r in self.records) and all(list(v) == self.direct for v in self.values), "values have different parts")
    def at_values(self, old, new):  # the level between two values; a branch is taken where it is known
        e = substitute(self.level, {**old, **{"other" + k[1:]: v for k, v in new.items()}})
        try:
            while head(e) == "piecewise": e = branch(self.base, *e[1:])
        except UNKNOWN: pass
        return e
    def known(self, conditions, whole_names, placed):  # the context of a move or state: parameters, conditions, and `defined` wherever it is used
        conditions = (*conditions, *(() if self.defined == TRUE else [rebuild(self.defined, nodes.get) for nodes in placed]))
        if (conditions, whole_names) not in self.contexts:
            self.contexts[conditions, whole_names] = assume(conditions, self.base.changed(whole_names=self.whole_names | whole_names))
        return self.contexts[conditions, whole_names]
    @property
    def combinations(self):  # all combinations of the values of the finite outputs; none if there are no such outputs, or more than 4096
        finite = [o for o in self.outputs if o[1] == "finite"]
        few = finite and math.prod(len(o[2]) for o in finite) <= 4096
        return [dict(zip([o[0] for o in finite], values)) for values in itertools.product(*(o[2] for o in finite))] if few else []
    @property
    def separable(self):  # whether there are several finite outputs, each with a factor of its own
        outs = {o[0] for o in self.outputs}
        alone = (not (outs - {o[0]}) & names(g) for o, g in zip(self.outputs, grouped(self.density, self.outputs)[1]))
        return len(outs) > 1 and all(o[1] == "finite" for o in self.outputs) and all(alone)
    def parts(self):  # the law of each part of the output space
        listed = self.combinations
        return [self.density] * (not listed) + [substitute(self.density, c) for c in listed] + [mass for _, mass in self.atoms]
def factors(e):  # factors whose product is e: products, exponentials of sums and reciprocals of products taken apart
    if head(e) == "*": return [f for a in e[1:] for f in factors(a)]
    if head(e) == "exp": return [("exp", t) for t in summands(e[1])]
    return [("^", f, -1) for f in factors(e[1])] if head(e) == "^" and e[2] == -1 and head(e[1]) == "*" else [e]
def summands(e):  # terms whose sum is e, with products distributed over sums
    if head(e) == "+": return [t for a in e[1:] for t in summands(a)]
    flat = [f for a in e[1:] for f in (factors(a) if head(a) == "*" else [a])] if head(e) == "*" else []
    i = next((i for i, a in enumerate(flat) if head(a) == "+"), None)
    return [e] if i is None else [u for t in flat[i][1:] for u in summands(("*", *flat[:i], t, *flat[i + 1:]))]
def grouped(density, outputs):  # (prefactor, the factor of each output): a factor belongs to the last output that it mentions
    parts = [[] for _ in range(len(outputs) + 1)]
    for f in factors(density): parts[next((i for i in reversed(range(len(outputs))) if outputs[i][0] in names(f)), -1)].append(f)
    *own, prefactor = [("*", *p) if p else 1 for p in parts]
    return prefactor, own
@cache
def frame(claim, counts):  # the record sums, what they are for the rest, (contributions, level, conditions, record) of kinds of records, conditions, whole names
    nodes = list(dict.fromkeys(part for e in (claim.density, *(mass for _, mass in claim.atoms), claim.defined) for part in walk(e) if head(part) in AGGREGATES))
    base, level, of_one = claim.base, claim.level, claim.relation in ("ahdp", "hdp")
    kinds = [([at_record(n[1], r, base) for n in nodes], at_record(level, r, base) if of_one else level, (), r) for r in claim.records]
    if claim.unknowns:
        said = [c for _, condition in claim.unknowns for c in conjuncts(condition)]
        calm = tuple(c for c in said if "eps" not in names(c))
        endless, bounds_eps = assume(calm, base), [c for c in said if "eps" in names(c)]
        kinds = [([n[1] for n in nodes], level, tuple(said), None)]
        beyond = any(c[0] not in ("<", "<=") or c[2] != name("eps") or "eps" in names(c[1]) for c in bounds_eps)
        matters = beyond or "eps" in names(level).union(*(names(n[1]) for n in nodes))
        if matters and not any(known_truth(substitute(c, {"eps": OO}), endless, UNKNOWN) is False for c in bounds_eps):
            row = [at_record(n[1], {"eps": OO}, endless) if "eps" in names(n[1]) else n[1] for n in nodes]
            kinds.append((row, at_record(level, {"eps": OO}, endless), calm, None))
    need(not any(part == OO for row, *_ in kinds for c in row for part in walk(c)), "a record has an infinite weight")
    if counts:
        need(claim.records and all(n[0] == "sum" for n in nodes), "counts are for sums over listed records")
        h = [name(f"#{w + 1}") for w in range(len(kinds))]
        rest = [("+", *(("*", kind[0][j], c) for kind, c in zip(kinds, h))) for j in range(len(nodes))]
        return nodes, rest, kinds, [("<=", 0, c) for c in h], frozenset(c[1] for c in h)
    rest, conditions, whole_names = [name(f"@{j + 1}") for j in range(len(nodes))], [], set()
    for j, n in enumerate(nodes):
        column = {kind[0][j]: kind[2] for kind in kinds}
        if all(never_negative(c, assume(said, base)) for c, said in column.items()): conditions.append(("<=", 0, rest[j]))
        if n[0] != "sum" and claim.records and all(head(c) == "number" for c in column): conditions += [("<=", min(column), rest[j]), ("<=", rest[j], max(column))]
        if all(whole_valued(c) for c in column): whole_names.add(rest[j][1])
    return nodes, rest, kinds, conditions, frozenset(whole_names)
def never_negative(c, here):  # true only if a contribution is >= 0, whichever branch holds
    if head(c) == "piecewise": return all(never_negative(value, here) for value in c[1::2])
    try: return -1 not in here.signs(normal(c, here))
    except UNKNOWN: return False
def whole_valued(c):  # true only if a contribution is a whole number, whichever branch holds
    return all(map(whole_valued, c[1::2] if c[0] == "piecewise" else c[1:])) if head(c) in ("piecewise", "+", "*") else isinstance(c, int)
def moves(claim, counts):  # (before, after, conditions, whole-number names, level); moves of level oo are left out
    if claim.values:
        pairs = [(old, new, claim.at_values(old, new)) for old, new in itertools.permutations(claim.values, 2)]
        return [(*({name(k): v for k, v in side.items()} for side in (old, new)), (), frozenset(), bound) for old, new, bound in pairs if bound != OO]
    if not claim.bound:
        out, (low, high) = [], OF_QUERIES[claim.relation]
        for moved in [[q] for q in claim.direct] if claim.relation == "one" else [claim.direct]:
            amounts = {name(q): name("@d" + q[2:-1]) for q in moved}
            within = tuple(("and", ("<=", low, d), ("<=", d, high)) for d in amounts.values())
            out.append(({}, {q: ("+", q, d) for q, d in amounts.items()}, within, frozenset(), claim.level))
        return out
    nodes, rest, kinds, conditions, whole_names = frame(claim, counts)
    def joined(row): return {n: (AGGREGATES[n[0]], r, c) for n, r, c in zip(nodes, rest, row, strict=True)}
    if claim.relation in ("ahdp", "add-remove"):
        return [(dict(zip(nodes, rest)), joined(row), (*conditions, *said), whole_names, bound) for row, bound, said, _ in kinds if bound != OO]
    out, primed = [], {u: name(u + "'") for u, _ in claim.unknowns if claim.relation != "hdp" or u not in ("eps", *claim.public)}
    for (i, (row, bound, said, old)), (j, (other, _, also, new)) in itertools.product(enumerate(kinds), repeat=2):
        kept = same_parts(claim, old, new) if claim.records and claim.relation == "hdp" else []
        if bound != OO and kept is not None and (i == j or claim.records or claim.relation != "hdp") and not (i == j and claim.records):
            there = tuple(substitute(c, primed) for c in also)
            out.append((joined(row), joined([substitute(c, primed) for c in other]), (*conditions, *said, *there, *kept), whole_names, bound))
    return out
def same_parts(claim, old, new):  # the conditions under which demand and public parts of two records agree, None where they never do
    kept = []
    for a, b in ((old[k], new[k]) for k in ("eps", *claim.public) if old[k] != new[k]):
        gap = None if {"label", "oo"} & {head(a), head(b)} else normal(a, claim.base) - normal(b, claim.base)
        if gap is None or 0 not in claim.base.signs(gap): return None
        if gap.num: kept.append(("==", a, b))
    return kept
def obligations(claim, counts, conditions):  # (context, nodes of P, nodes of Q, level) of every P <= exp(level) Q; with conditions, those of the schema
    seen, listed = set(), moves(claim, counts)
    if conditions:
        need(claim.relation in ("ahdp", "add-remove") and claim.records and claim.delta == 0 and not counts, "there is no proof for all records of this claim")
        nodes, rest, kinds, known, whole_names = frame(claim, False)
        row = [name(f"@c{j + 1}") for j in range(len(nodes))]
        for values, bound, _, _ in kinds:
            filled = {**{c[1]: v for c, v in zip(row, values)}, "@level": bound}
            for c in conditions if bound != OO else (): require(normal(substitute(c, filled), claim.base), ">=", None, claim.base)
        whole_names |= {c[1] for c, r in zip(row, rest) if r[1] in whole_names}
        after = {n: (AGGREGATES[n[0]], r, c) for n, r, c in zip(nodes, rest, row)}
        listed = [(dict(zip(nodes, rest)), after, (*known, *(("<=", 0, c) for c in conditions)), whole_names, name("@level"))]
    for before, after, known, whole_names, level in listed:
        said = (*before.values(), *after.values(), known, level)
        if said in seen: continue
        seen.add(said)
        here = claim.known(known, whole_names, (before, after))
        yield here, before, after, level
        if claim.relation not in ("swap", "any", "all"): yield here, after, before, level

# 9. proofs
def check_mass(claim, mass, counts):  # the law is nowhere negative and has total 1, in every state
    states = [({name(k): v for k, v in value.items()}, claim.base) for value in claim.values] or [({}, claim.known((), frozenset(), ({},)))]
    if claim.bound:
        nodes, rest, _, conditions, whole_names = frame(claim, counts)
        states = [(alone := dict(zip(nodes, rest)), claim.known(conditions, whole_names, (alone,)))]
    at_once = len(claim.outputs) == 1 or (all(o[1] == "finite" for o in claim.outputs) and not claim.separable)
    groups, values, evidence = 1 if at_once else len(claim.outputs), mass["values"], mass["evidence"]
    need(mass["is"] == "mass" and len(evidence) == groups * len(states) and (at_once or len(values) == len(evidence)), "the mass does not cover every state")
    for i, (nodes, here) in enumerate(states):
        law = rebuild(claim.density, nodes.get)
        if at_once:
            descend(evidence[i], here, total_leaf(claim.outputs, law, [rebuild(mass, nodes.get) for _, mass in claim.atoms], 1))
            continue
        (prefactor, parts), known, stated = grouped(law, claim.outputs), here, values[i * groups:(i + 1) * groups]
        for output, part, value, leaf in zip(claim.outputs, parts, stated, evidence[i * groups:]):
            need(names(value).isdisjoint(o[0] for o in claim.outputs), "a total mentions an output")
            descend(leaf, here, total_leaf([output], part, [], value))
            shown = extended(leaf["lemmas"], here).facts[len(here.facts):] if leaf["is"] == "pieces" else ()
            known = reduce(lambda h, fact: h.given(*fact), shown, known)
        need(normal(("*", prefactor, *stated), known) == UNIT, "the totals do not multiply to 1")
def total_of(outputs, law, points, here):  # the total of a law that is >= 0
    if outputs[0][1] != "finite": return integral(law, outputs[0], points, here)
    return total(nonnegative(substitute(law, dict(zip([o[0] for o in outputs], c))), here) for c in itertools.product(*(o[2] for o in outputs)))
def total_leaf(outputs, law, atoms, value):  # the test of a leaf: law and atoms are >= 0 and add up to the value
    def leaf(evidence, here):
        need(evidence["is"] == "pieces", "a total needs points")
        here = extended(evidence["lemmas"], here)
        points = [normal(p, here) for p in evidence["points"]]
        out = total(nonnegative(mass, here) for mass in atoms) + total_of(outputs, law, points, here)
        need(not (out - normal(value, here)).num, "a total is not what it should be")
    return leaf
def separate_leaf(claim, small, large, level):  # the test of a leaf: each output keeps a level of its own, and these add up to at most the claim's
    prefactor, laws = grouped(claim.density, claim.outputs)
    laws[-1] = ("*", prefactor, laws[-1])
    def leaf(evidence, here):
        need(evidence["is"] == "separate" and evidence["form"] in ("log", "direct"), "outputs with factors of their own need a level each")
        here, leaves, levels = extended(evidence["lemmas"], here), iter(evidence["leaves"]), evidence["levels"]
        for (n, _, values), law, own in zip(claim.outputs, laws, levels, strict=True):
            for at in (substitute(law, {n: v}) for v in values): closes(next(leaves), rebuild(at, small.get), rebuild(at, large.get), own, here)
        need(next(leaves, None) is None, "there are more leaves than values")
        most, spent = normal(level, here), total(normal(own, here) for own in levels)
        require(most - spent if evidence["form"] == "log" else exp_of(most) - exp_of(spent), ">=", next(iter(evidence["proofs"]), None), here)
    return leaf
def divergence_leaf(claim, small, large, level):  # the test of a leaf: what exceeds, where it counts, has a total of at most delta
    output, laws = claim.outputs[0], [(rebuild(law, small.get), rebuild(law, large.get)) for law in claim.parts()]
    continuous = output[1] != "finite"
    need(len(claim.outputs) == 1 or (all(o[1] == "finite" for o in claim.outputs) and claim.combinations), "a delta for too many outputs")
    def leaf(evidence, here):
        need(evidence["is"] == "divergence", "a claim with delta needs the pieces where the excess counts")
        here, final = extended(evidence["lemmas"], here), evidence["final"]
        points, out = [normal(p, here) for p in evidence["points"]], [normal(claim.delta, here)]
        if continuous: integral(laws[0][0], output, points, here)
        places = [(laws[0], i) for i in range(len(points) + 1)] * continuous + [(law, None) for law in laws[continuous:]]
        for ((p, q), i), choice in zip(places, evidence["choices"], strict=True):
            need(choice["is"] == "choice" and choice["counts"] in ("none", "excess", "whole"), "a choice says how an excess counts")
            there = here if i is None else piece(output, points, i, here)
            if choice["counts"] != "whole": closes(choice["why"], p, q, level, there, 1 if choice["counts"] == "none" else -1)
            def value(law, i=i): return normal(law, here) if i is None else piece_total(law, output, points, i, here, False)
            if choice["counts"] != "none": out.append(-value(p))
            if choice["counts"] == "excess": out.append(exp_of(normal(level, here)) * value(q))
        require(total(out), ">=", next(iter(final["proofs"]), None), extended(final["lemmas"], here))
    return leaf
def check_proof(claim, certificate):  # what the certificate shows of the claim, in words
    evidence, uses = certificate["evidence"], certificate["uses"]
    need(certificate["is"] == "certificate" and certificate["claim"] == claim.fingerprint and isinstance(certificate["counts"], bool), "it belongs to another claim")
    if any(part[0] in ("maximum", "minimum") for part in frame(claim, False)[0]) if claim.bound else False:
        empty = rebuild(claim.defined, lambda part: 0 if head(part) == "sum" else None)
        need(not any(head(part) in AGGREGATES for part in walk(empty)) and not truth(empty, EMPTY), "an extreme of no records is used")
    need(not any(e["is"] == "enumeration" for e in evidence), "enumeration", NotCovered)
    if any(e["is"] == "solver word" for e in evidence): return "on the word of z3 and cvc5"
    check_mass(claim, certificate["mass"], certificate["counts"])
    laws = [None] if claim.delta != 0 or claim.separable else claim.parts()
    wanted = [(*o, law) for o in obligations(claim, certificate["counts"], certificate["conditions"]) for law in laws]
    need(len(wanted) == len(uses), f"the claim asks for {len(wanted)} inequalities, the certificate answers {len(uses)}")
    need(all(type(i) is int and 0 <= i < len(evidence) for i in uses), "an inequality has no evidence")
    for (here, small, large, level, law), i in zip(wanted, uses):
        if law is None: leaf = (divergence_leaf if claim.delta != 0 else separate_leaf)(claim, small, large, level)
        else: leaf = partial(closes_at, rebuild(law, small.get), rebuild(law, large.get), level)
        descend(evidence[i], here, leaf)
    return "proved, all obligations re-derived from the mechanism" if wanted else "proved, there are no moves"
def closes_at(small, large, level, leaf, here): closes(leaf, small, large, level, here)
def check_scope(claim, scope):  # the scope is that of the claim; of `defined` only that it is not simply true
    inside, wanted = claim.bound and claim.defined != TRUE, "scope: all datasets" if claim.bound else "scope: all inputs"
    if not moves(claim, False): inside, wanted = False, "scope: no moves"
    need(scope.startswith("scope: all moves inside ") if inside else scope == wanted, "its scope is another one")

# 10. refutations (section 6)
def check_example(claim, example):  # the counterexample refutes the claim
    parameters, instances, before, after, event, points = fields(example, "parameters instances before after event points")
    given, bound = {n: v for n, v in parameters}, claim.bound
    need(set(given) == {n for n, _ in claim.parameters} and len(given) == len(parameters) and (claim.unknowns or not instances), "the parameters are other ones")
    records = [dict(r) for r in instances] if claim.unknowns else [{k: substitute(v, given) for k, v in r.items()} for r in claim.records]
    need(all(set(r) == set(bound) for r in records), "an instance does not give every unknown")
    numbers = [*given.values(), *(v for r in records if claim.unknowns for k, v in r.items() if (k, v) != ("eps", OO)), *(() if claim.values else before + after)]
    need(all(head(part) in ("number", "pi", *CALCULATED) for v in numbers for part in walk(v)), "what should be a number is none")
    conditions = [substitute(c, given) for _, c in claim.parameters] + [("<=", 0, r["eps"]) for r in records]
    conditions += [substitute(c, {**given, **r}) for r in records for _, c in claim.unknowns]
    need(all(truth(c, EMPTY) for c in conditions), "a condition does not hold")
    claim.records, claim.unknowns, claim.base = records, [], Context(whole_names=claim.whole_names)
    claim.level = substitute(claim.level, {k: v for k, v in given.items() if k not in bound or claim.relation not in ("ahdp", "hdp")})
    claim.density, claim.defined, delta = (substitute(e, given) for e in (claim.density, claim.defined, claim.delta))
    claim.atoms = [(at, substitute(mass, given)) for at, mass in claim.atoms]
    level, chances = level_of_move(claim, before, after), []
    need(level != OO, "a move of level oo is allowed everything")
    for side, listed in zip((before, after), points, strict=True):
        nodes = input_nodes(claim, side)
        need(truth(rebuild(claim.defined, nodes.get), EMPTY), "the mechanism is not defined at an input")
        law, atoms = rebuild(claim.density, lambda part: choice_of(part, nodes) or nodes.get(part)), [(at, rebuild(mass, nodes.get)) for at, mass in claim.atoms]
        everything = probability(claim, law, atoms, ([], [], [], [at for at, _ in atoms], True), dict(listed))
        need(everything == UNIT and len(dict(listed)) == len(listed), "a law has not the total 1")
        chances.append(probability(claim, law, atoms, event, dict(listed)))
    excess = chances[0] - exp_of(normal(level, EMPTY)) * chances[1] - normal(delta, EMPTY)
    need(constant_sign(excess) == 1 and constant_sign(chances[1]) in (0, 1), "the event is not too likely")
    return "refuted, the event is too likely under exact laws"
def choice_of(part, nodes):  # what a part of the input with a computed number is, as a choice among the parts that there are
    if head(part) != "index": return None
    listed = [n for n in nodes if n[1].startswith(part[1][1] + "[")]
    return ("piecewise", *(x for n in listed for x in (nodes[n], ("==", part[2], int(n[1][len(part[1][1]) + 1:-1])))))
def dataset(claim, side):  # the counts of a dataset
    need(len(side) == len(claim.records) and all(isinstance(h, int) and h >= 0 for h in side), "a dataset is a whole count for each record")
    return side
def input_nodes(claim, side):  # what the nodes of the law are at an input
    if claim.bound:
        nodes, _, kinds, _, _ = frame(claim, False)
        held = [(row, h) for (row, *_), h in zip(kinds, dataset(claim, side)) if h]
        need(held or all(n[0] == "sum" for n in nodes), "an extreme of no records", Undecided) if False else None
        return {n: ("+", 0, *(("*", h, row[j]) for row, h in held)) if n[0] == "sum" else (AGGREGATES[n[0]], *(row[j] for row, _ in held)) for j, n in enumerate(nodes)}
    need(not claim.values or dict(zip(claim.direct, side, strict=True)) in claim.values, "the input is none of the values")
    return {name(q): v for q, v in zip(claim.direct, side, strict=True)}
def level_of_move(claim, before, after):  # the level of the move between two inputs
    if claim.values:
        need(before != after, "the two values are the same")
        return claim.at_values(dict(zip(claim.direct, before, strict=True)), dict(zip(claim.direct, after, strict=True)))
    if not claim.bound:
        gaps, (low, high) = [normal(b, EMPTY) - normal(a, EMPTY) for a, b in zip(before, after, strict=True)], OF_QUERIES[claim.relation]
        moved = [g.rational for g in gaps if g.num]
        need(moved and None not in moved and any(all(low <= s * g <= high for g in moved) for s in (1, -1)), "the answers make no move")
        need(claim.relation != "one" or len(moved) == 1, "more than one answer moves")
        return claim.level
    kinds = frame(claim, False)[2]
    gaps = {w: b - a for w, (a, b) in enumerate(zip(dataset(claim, before), dataset(claim, after))) if a != b}
    if claim.relation in ("ahdp", "add-remove"):
        need(list(map(abs, gaps.values())) == [1], "the datasets do not differ by one record")
        return kinds[min(gaps)][1]
    need(sorted(gaps.values()) == [-1, 1], "the datasets do not differ by one replacement")
    levels, moved = [kinds[w][1] for w in gaps], [kinds[w][3] for w in gaps]
    need(claim.relation == "swap" or all(equal(moved[0][k], moved[1][k]) for k in ("eps", *claim.public)), "the record has another demand or public part")
    finite = [e for e in levels if e != OO] or [OO]
    return finite[-1] if len(finite) == 1 or truth(("<=", finite[1], finite[0]), EMPTY) else finite[0]
def probability(claim, law, atoms, event, points):  # the probability of an event, of a law without names but the outputs
    here, (intervals, values, outcomes, chosen, continuous) = Context(whole_names=claim.whole_names), event
    outs, finite = [o[0] for o in claim.outputs], {o[0] for o in claim.outputs if o[1] == "finite"}
    spans, sets = {n: ends for n, *ends in intervals}, dict(values)
    need(len(spans) + len(sets) == len(intervals) + len(values) and set(spans) <= set(outs) - finite and set(sets) <= finite, "an event names a wrong output")
    need(set(chosen) <= set(dict(atoms)) and isinstance(continuous, bool), "an event names an atom that is none")
    need(not outcomes or (not intervals and not values and len(finite) == len(outs)), "outcomes are an event of their own")
    need(len(set(map(tuple, outcomes))) == len(outcomes) and all(all(v in o[2] for v, o in zip(c, claim.outputs, strict=True)) for c in outcomes), "an outcome is none")
    out = total(nonnegative(mass, here) for at, mass in atoms if at in chosen)
    if outcomes or not continuous: return out + total(nonnegative(substitute(law, dict(zip(outs, c))), here) for c in outcomes)
    if not (intervals or values) and len(finite) == len(outs) > 1 and claim.combinations: return out + total_of(claim.outputs, law, [], here)
    prefactor, groups = grouped(law, claim.outputs)
    part = normal(prefactor, here)
    for i, ((n, kind, listed), group) in enumerate(zip(claim.outputs, groups)) if part.num else ():
        ends, marks = spans.get(n, (None, None)), points.get(n, [])
        need(all(e is None or names(e) <= set(outs[:i]) for e in (*ends, *marks)), "an end depends on more than earlier outputs")
        if kind == "finite":
            need(len(set(sets.get(n, []))) == len(sets.get(n, [])) and set(sets.get(n, [])) <= set(listed), "a value is none, or listed twice")
            part = part * total_of([(n, kind, sets.get(n, listed))], group, [], here)
            continue
        low, high = (None if e is None else normal(e, here) for e in ends)
        ascending = []
        for p in [*(normal(e, here) for e in marks), *(e for e in (low, high) if e is not None)]:
            order = [sign_of(p - q, here) for q in ascending]
            if 0 not in order: ascending.insert(sum(s > 0 for s in order), p)
        start, stop = (None if e is None else next(i for i, p in enumerate(ascending) if not (p - e).num) for e in (low, high))
        if start is not None and stop is not None and start >= stop: return out
        part = part * integral(group, (n, kind, listed), ascending, here, start, stop)
    return out + part

# 11. records, files and the command
def digest(data): return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()).hexdigest()
def refuse(text): raise Rejected(f"{text[:20]} is not exact")
def distinct(pairs):  # an object, none of whose keys occurs twice
    need(len(dict(pairs)) == len(pairs), "a key occurs twice")
    return dict(pairs)
def check_record(text):  # what the record of this text shows; anything that goes wrong is an exception
    data = json.loads(text, parse_float=refuse, parse_constant=refuse, object_pairs_hook=distinct)
    verdict = data["verdict"]
    need(data["format"] == 1 and type(data["format"]) is int and verdict in ("proved", "refuted"), "it is no stored record of format 1")
    fields(data, "format verdict claim fingerprint sha256 " + ("scope trusts certificate" if verdict == "proved" else "counterexample"))
    need(digest({k: v for k, v in data.items() if k != "sha256"}) == data["sha256"], "its seal is broken")
    claim = Claim(data["claim"])
    need(data["fingerprint"] == claim.fingerprint, "its fingerprint is that of another claim")
    if verdict == "refuted":
        event = fields(data["counterexample"]["event"], "intervals values outcomes atoms continuous")
        return check_example(claim, {k: decoded(event if k == "event" else v) for k, v in data["counterexample"].items()})
    said = check_proof(claim, decoded(data["certificate"]))
    check_scope(claim, data["scope"])
    need(said.startswith("on the word") == bool(data["trusts"]), "it trusts others than it needs")
    return said
def check_file(path):  # (verdict, what is said of it)
    for table in (NUMBER_OF, ATOMS, MONOMIALS): table.clear()
    number_of(MONOMIALS, ())
    EMPTY.__init__()
    for f in CACHED: f.cache_clear()
    try: said = check_record(Path(path).read_bytes().decode("utf-8"))
    except NotCovered as why: return "not covered", str(why)
    except Exception as why: return "rejected", str(why) if isinstance(why, Rejected) else f"{type(why).__name__}: {why}"
    return "accepted" if said.startswith(("proved", "refuted")) else "word", said
EMPTY = Context()
CACHED = [f for f in list(globals().values()) if hasattr(f, "cache_clear")]
def main():  # the command
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("-q", action="store_true", help="print only what is not accepted, and the totals")
    parser.add_argument("-j", type=int, default=multiprocessing.cpu_count(), help="processes")
    options = parser.parse_args()
    files = sorted((f for p in map(Path, options.paths) for f in (p.rglob("*.json") if p.is_dir() else [p])), key=lambda f: -f.stat().st_size)
    with multiprocessing.Pool(options.j) as pool: found = pool.map(check_file, map(str, files), 1)
    for path, (verdict, said) in sorted(zip(map(str, files), found)):
        if not options.q or verdict != "accepted": print(f"{path}: {said if verdict == 'word' else verdict + ': ' + said}")
    totals = {v: sum(v == verdict for verdict, _ in found) for v in ("accepted", "word", "not covered", "rejected")}
    print(", ".join(f"{n} {'on the word of solvers' if v == 'word' else v}" for v, n in totals.items() if n) or "no records")
    return 1 if totals["rejected"] else 3 if totals["not covered"] else 0
sys.setrecursionlimit(20000)
if __name__ == "__main__": sys.exit(main())
