#!/usr/bin/env python3
"""A second opinion on stored proofs and refutations: one file, standard library only, no code of the package.

    python3 proofs/recheck.py proofs/        one line for each record, then the totals (-q: only what is not accepted; -j: how many processes)

What has to be shown is worked out from the claim, as FORMAT.md says; the evidence only says where to split into cases, where to integrate and which facts to multiply.
What is not shown, and whatever goes wrong, is a rejection; what this file does not do is "not covered".  Comments say what is true of a function's result.
"""
import argparse, copy, decimal, hashlib, itertools, json, math, multiprocessing, re, sys
from fractions import Fraction
from functools import cache, cmp_to_key, partial, reduce
from pathlib import Path
class Rejected(Exception): """Something is not shown."""
class Undecided(Rejected): """A sign that is needed is not known."""
class NotCovered(Exception): """The record needs what this file does not do."""
UNKNOWN = (Rejected, ZeroDivisionError)
def need(condition, kind=Rejected, why=""):  # nothing, if the condition holds
    if not condition: raise kind(why or f"what line {sys._getframe(1).f_lineno} of this program asks for does not hold")

# 1. trees (section 2 of FORMAT.md): a number, or a tuple (head, argument, ...)
CALCULATED = ("+", "*", "^", "exp", "log", "abs", "sign", "floor", "mod", "min", "max", "binomial")
COMPARISONS, AGGREGATES, OO, TRUE = ("==", "!=", "<", "<="), {"sum": "+", "maximum": "max", "minimum": "min"}, ("oo",), ("boolean", True)
ATOMIC, PAYLOAD = ("oo", "pi", "boolean", "label", "name"), {"name": str, "label": str, "boolean": bool}
ARITIES = "oo pi", "exp log abs sign floor not sum maximum minimum", "^ mod binomial == != < <= and or", "+ * min max piecewise"  # 0, 1, 2, one or more arguments
NAME = re.compile(r"(?:@level|[@#][cd]?[0-9]+|[A-Za-z_]\w*(?:\[[1-9][0-9]*\])?'*)", re.ASCII)
def name(text): return ("name", text)
def whole(c): return c.numerator if c.denominator == 1 else c  # whole numbers as int, which is faster
def rational(text): need(len(text) < 3000 and str(Fraction(text)) == text); return whole(Fraction(text))  # the number of a text in lowest terms
def read(data, depth=0):  # the tree of its JSON
    if isinstance(data, str): return rational(data)
    head, *args = data; need(head != "index", NotCovered, "a part of the input with a computed number")
    if head in PAYLOAD: need(len(args) == 1 and type(args[0]) is PAYLOAD[head] and (head != "name" or NAME.fullmatch(args[0]))); return (head, args[0])
    need(depth <= 200 and head in ARITIES[min(len(args), 3)].split() + ARITIES[3].split() * bool(args) and (head != "piecewise" or len(args) % 2 == 0))
    return (head, *(read(a, depth + 1) for a in args))
def head(e): return e[0] if isinstance(e, tuple) else "number"
def inner(e): return () if head(e) in ("number", *ATOMIC) else e[1:]  # the arguments that are trees
def names(e): return frozenset(e[1:]) if head(e) == "name" else frozenset().union(*map(names, inner(e)))
def walk(e): yield e; yield from (part for a in inner(e) for part in walk(a))  # every node of e, parents first
def rebuild(e, change):  # e with every node that `change` answers for replaced by the answer, from the top
    return new if (new := change(e)) is not None else (e[0], *(rebuild(a, change) for a in inner(e))) if inner(e) else e
def substitute(e, values):  # e with names replaced, all at once; x, x[i] and eps of sums over records are left alone
    if head(e) == "name": return values.get(e[1], e)
    if head(e) in AGGREGATES: values = {k: v for k, v in values.items() if k.split("[")[0] not in ("x", "eps")}
    return e if names(e).isdisjoint(values) else (e[0], *(substitute(a, values) for a in inner(e)))
def conjuncts(c): return [p for part in c[1:] for p in conjuncts(part)] if head(c) == "and" else [c]

# 2. normal forms (section 4): polynomials over powers of primitive polynomials; a monomial is a tuple of pairs (number of an atom, exponent)
ATOMS, number_of = [], cache(lambda atom: (ATOMS.append(atom), len(ATOMS) - 1)[1])  # the place of an atom in the list
def collected(pairs):  # the table of keys with the sums of their numbers, without those that are 0
    out = {}
    for key, c in pairs: out[key] = out.get(key, 0) + c
    return {key: whole(c) for key, c in out.items() if c}
class Ratio:  # num: {monomial: rational}; den: ((primitive polynomial, power), ...); equal if both are; rational: the number that it is, or None
    def __init__(self, num, den=()): self.num, self.den, self.hash = num, den, None
    def __hash__(self): self.hash = self.hash or hash((frozenset(self.num.items()), self.den)); return self.hash
    def __eq__(self, other): return self is other or (self.num == other.num and self.den == other.den)
    @property
    def rational(self): return None if self.den or any(self.num) else Fraction(self.num.get((), 0))
    def __add__(self, other):
        if not self.num or not other.num: return self if self.num else other
        if not self.den and not other.den: return Ratio(collected([*self.num.items(), *other.num.items()]))
        most = {f: max(dict(r.den).get(f, 0) for r in (self, other)) for f, _ in self.den + other.den}
        return reduced(total(product([top(r), *(f ** (k - dict(r.den).get(f, 0)) for f, k in most.items())]) for r in (self, other)), most)
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + -other
    def __mul__(self, other):
        if other is UNIT or (self is UNIT and isinstance(other, Ratio)): return self if other is UNIT else other
        if not isinstance(other, Ratio): other = whole(other); return Ratio({m: whole(c * other) for m, c in self.num.items()}, self.den) if other else NOTHING
        need(len(self.num) * len(other.num) <= 20000); pairs = [(*times(i, j), c * d) for (i, c), (j, d) in itertools.product(self.num.items(), other.num.items())]
        return reduced(Ratio(collected((m, k * c) for k, m, c in pairs)), collected(self.den + other.den))
    def __truediv__(self, other): return self * other ** -1
    def __pow__(self, n): return inverse(self) ** -n if n < 0 else UNIT if n == 0 else self if n == 1 else (self * self) ** (n // 2) * self ** (n % 2)
UNIT, NOTHING = Ratio({(): 1}), Ratio({})
def constant(c): return UNIT * Fraction(c)
def total(ratios): return reduce(Ratio.__add__, ratios, NOTHING)
def product(ratios): return reduce(Ratio.__mul__, ratios, UNIT)
def top(r): return Ratio(r.num)
def settled(powers):  # (c, monomial) of a table of exponents: those of roots come to lie in [0, 1), and |x|^2 is x^2 for a name x
    c, powers = 1, dict(powers)
    for a, e in list(powers.items()):
        (kind, i), n = ATOMS[a], math.floor(e); need(kind != "root" or abs(n) < 9999)
        if kind == "root": c, powers[a] = c * exp_of(i * n).rational, e - n
        if kind == "abs" and n > 1 and len(i.num) == 1 and ATOMS[b := min(i.num)[0][0]][0] == "name": powers[a], powers[b] = e % 2, powers.get(b, 0) + e - e % 2
    return whole(c), tuple(sorted((a, whole(e)) for a, e in powers.items() if e))
def times(i, j, direction=1): return settled(collected([*i, *((a, e * direction) for a, e in j)]))  # the product (direction -1: the quotient) of two monomials
def of_powers(powers): c, m = settled(powers); return Ratio({m: c})  # the ratio of a product of powers of atoms
def of_atom(kind, i=None, e=1): return of_powers({number_of((kind, i)): e})
def invertible(a): return ATOMS[a][0] in ("exp", "root")  # > 0 whatever its names stand for
def content(p):  # p = c m q: a rational, a monomial, and q primitive (whole coprime coefficients, no common atom, first coefficient > 0)
    tables, numbers = [dict(m) for m in p.num] or [{}], list(map(Fraction, p.num.values())) or [Fraction(0)]
    m = tuple((a, min(t[a] for t in tables)) for a in sorted(set(tables[0]).intersection(*tables))); q = {times(i, m, -1)[1]: c for i, c in p.num.items()}
    c = Fraction(math.gcd(*(v.numerator for v in numbers)), math.lcm(*(v.denominator for v in numbers))) * (-1 if q and q[min(q)] < 0 else 1)
    return c, m, Ratio(q) * (1 / c) if c else UNIT
def divide(p, d):  # the polynomial q with p = q d, or None
    order, result = sorted({a for r in (p, d) for m in r.num for a, _ in m}), NOTHING
    def height(m): return [dict(m).get(a, 0) for a in order]
    lead, spans = max(d.num, key=height), [list(zip(*map(height, r.num))) for r in (p, d)]  # in an exponential lowest and highest degrees add up
    span = {a: (min(e) - min(f), max(e) - max(f)) for a, e, f in zip(order, *spans) if ATOMS[a][0] == "exp"}
    for _ in range(2 * len(p.num) + 8):
        if not p.num: return result
        first = max(p.num, key=height); c, q = times(first, lead, -1)
        if any(e < 0 and not invertible(a) for a, e in q) or not all(low <= dict(q).get(a, 0) <= high for a, (low, high) in span.items()): return None
        piece = Ratio({q: whole(c * Fraction(p.num[first]) / d.num[lead])}); result, p = result + piece, p - piece * d
def reduced(p, powers):  # p / factors, with every factor cancelled that divides p
    den = []
    for f, k in sorted(powers.items(), key=lambda pair: sorted(pair[0].num)) if p.num else ():
        while k and (q := divide(p, f)) is not None: p, k = q, k - 1
        den += [(f, k)] * bool(k)
    return Ratio(p.num, tuple(den)) if den else p
def inverse(r):  # 1 / r
    c, m, q = content(top(r)); powers = {of_powers([(a, 1)]): e for a, e in m if not invertible(a)} | ({q: 1} if q != UNIT else {})
    return reduced(product([of_powers((a, -e) for a, e in m if invertible(a)) * (1 / c), *(f ** k for f, k in r.den)]), powers)
def names_in(r):  # the names that a ratio depends on
    inside = (ATOMS[a] for m in r.num for a, _ in m)
    return frozenset().union(*({i} if kind == "name" else names_in(i) if i else () for kind, i in inside), *(names_in(f) for f, _ in r.den))
def exp_of(r):  # e^r, one atom for each monomial of r, so that exp(a + b) and exp(a) exp(b) are the same; exp(c log p) is p^c
    out = UNIT
    for part in [reduced(Ratio({m: c}), dict(r.den)) for m, c in r.num.items()]:
        ((m, c),) = part.num.items(); kind, i = ATOMS[m[0][0]] if len(m) == 1 == m[0][1] and not part.den else ("", UNIT)
        out *= i ** int(c) if kind == "log" and c.denominator == 1 else of_atom("root" if kind == "log" and i.rational else "exp", Ratio({m: 1}, part.den), c)
    return out
def log_of(r):  # log r for r > 0, taken apart where r is a product of primes, exponentials and at most one odd power of something else
    c, m, q = content(top(r)); units = [(a, e) for a, e in m if invertible(a)]
    others = [(of_powers([(a, 1)]), e) for a, e in m if not invertible(a)] + [(q, 1)] * (q != UNIT) + [(f, -k) for f, k in r.den]
    if not others and c > 0 and (found := primes(c)) is not None: return total([*(of_atom("log", constant(p)) * k for p, k in found), *(ATOMS[a][1] * e for a, e in units)])
    if len(others) != 1 or others[0][1] % 2 == 0 or (abs(c), units, others[0][1]) == (1, [], 1): return of_atom("log", r)
    return log_of(of_powers(units) * abs(c)) + of_atom("log", others[0][0] * (1 if c > 0 else -1)) * others[0][1]
def primes(value):  # the primes of a positive rational with their exponents, or None where a prime above 65536 might be composite
    powers = []
    for part, direction in ((value.numerator, 1), (value.denominator, -1)):
        for p in range(2, min(65537, math.isqrt(part) + 1)):
            while part % p == 0: powers, part = [*powers, (p, direction)], part // p
        if part >= 65537 ** 2: return None
        powers += [(part, direction)] * (part > 1)
    return collected(powers).items()
def by_powers(p, *atoms):  # {exponents of these atoms: the polynomial that they are multiplied by}
    parts, numbers = {}, list(map(number_of, atoms))
    for m, c in p.num.items(): key = tuple(dict(m).get(a, 0) for a in numbers); parts[key] = parts.get(key, NOTHING) + of_powers(pair for pair in m if pair[0] not in numbers) * c
    return parts
def growth(r, n):  # ((a, k), c) with r ~ c exp(a n) n^k as the name n grows, c free of it
    parts = {rate: c for rate, c in by_powers(top(r), ("exp", of_atom("name", n)), ("name", n)).items() if c.num}; (a, k), c = max(parts.items(), key=lambda pair: pair[0])
    need(not any(n in names_in(part) for part in parts.values()))
    for f, e in r.den: (b, j), d = growth(f, n); a, k, c = a - e * b, k - e * j, c / d ** e
    return (a, k), c
def tree(r):  # a tree whose normal form is r
    def part(kind, i, e): return ("exp", tree(i * e)) if kind in ("exp", "root") else ("^", (kind,) if i is None else (kind, tree(i) if isinstance(i, Ratio) else i), e)
    if r.rational is not None: return whole(r.rational)
    return ("*", ("+", *(("*", c, *(part(*ATOMS[a], e) for a, e in m)) for m, c in sorted(r.num.items()))), *(("^", tree(f), -k) for f, k in r.den))

# 3. enclosures (low, high) of constants: decimal rounds exp and ln correctly, the rest is rounded outwards
PI = decimal.Decimal("3.141592653589793238462643383279502884197"), decimal.Decimal("3.141592653589793238462643383279502884198")
DOWN, UP = (decimal.Context(prec=80, rounding=r, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX) for r in (decimal.ROUND_FLOOR, decimal.ROUND_CEILING))
def of_rational(q): return tuple(c.divide(decimal.Decimal(q.numerator), decimal.Decimal(q.denominator)) for c in (DOWN, UP))
def mul(a, b): return min(DOWN.multiply(x, y) for x in a for y in b), max(UP.multiply(x, y) for x in a for y in b)
def rising(f, a): need(f == "exp" or a[0] > 0, Undecided); return DOWN.next_minus(getattr(DOWN, f)(a[0])), UP.next_plus(getattr(UP, f)(a[1]))  # exp or ln
def enclose_power(kind, i, e):  # around a power of an atom
    need(kind in ("exp", "root", "pi", "log"), Undecided)
    return rising("exp", enclose(i * e)) if kind in ("exp", "root") else reduce(mul, [PI if kind == "pi" else rising("ln", enclose(i))] * e)
def enclose(r):  # around a constant ratio
    out = of_rational(0)
    for m, c in r.num.items(): part = reduce(mul, (enclose_power(*ATOMS[a], e) for a, e in m), of_rational(c)); out = DOWN.add(out[0], part[0]), UP.add(out[1], part[1])
    for low, high in [enclose(f) for f, k in r.den for _ in range(k)]: need(low > 0 or high < 0, Undecided); out = mul(out, (DOWN.divide(1, high), UP.divide(1, low)))
    return out
def constant_sign(r):  # -1, 0 or 1 for a constant ratio, None where it is not known or depends on a name; zero is decided by the normal form alone
    try: low, high = enclose(r) if r.rational is None else (r.rational, r.rational)
    except Undecided: return None
    return 1 if low > 0 else -1 if high < 0 else 0 if r.rational == 0 else None

# 4. what is known at one place of a proof, and the normal forms of trees there
POS, NEG, NIL, ANY = frozenset((1,)), frozenset((-1,)), frozenset((0,)), frozenset((-1, 0, 1))
RELATION = {">": POS, ">=": POS | NIL, "=": NIL, "<=": NEG | NIL, "<": NEG, "==": NIL, "!=": POS | NEG}
def both(a, b): return frozenset(x * y for x in a for y in b)  # the signs of a product
def added(a, b): return frozenset(s for x in a for y in b for s in (ANY if x * y < 0 else (x or y,)))  # the signs of a sum
def sign_set(c): return POS if c > 0 else NEG if c else NIL
class Context:  # facts (polynomial, relation) in order; the signs of polynomials that they give; whole-number names; values of names; the name that grows
    def __init__(self, facts=(), known=None, whole_names=frozenset(), values=None, germ=""):
        self.facts, self.known, self.whole_names, self.values, self.germ = facts, known or {}, whole_names, values or {}, germ
        self.given, self.signs, self.form = (cache(partial(f, self)) for f in (Context.given, Context.signs, Context.form))  # each worked out once
    def changed(self, **changes): return Context(**{k: getattr(self, k) for k in ("facts", "known", "whole_names", "values", "germ")} | changes)
    def given(self, p, relation):  # this context with one more fact: it says the sign of a primitive polynomial or of an atom, and perhaps the value of a name
        if relation in ("<", "<="): return self.given(-p, {"<": ">", "<=": ">="}[relation])
        known, (c, m, q) = dict(self.known), content(p); outer = self.term_signs(m, c)
        if q == UNIT and len(m) == 1 == m[0][1] and not invertible(m[0][0]): q, outer = of_powers(m), sign_set(c)
        if outer in (POS, NEG) and q != UNIT: known[q] = self.signs(q) & both(RELATION[relation], outer)
        fixed = fixed_name(p if relation == "=" else q if known.get(q) == NIL else NOTHING)
        out = self.changed(facts=(*self.facts, (p, relation)), known=known, values=fixed | self.values)
        for r in [r for n, value in fixed.items() if len(p.num) > 1 and value.rational is None for r in known if n in names_in(r)]:  # the same of r with the value put in
            moved = normal(tree(r), out); c, m, q = content(top(moved))
            if not moved.den and not m and q != UNIT and c: known[q] = known.get(q, ANY) & both(known[r], sign_set(c))
        return out
    def signs(self, r):  # the signs that a ratio can have here
        if self.germ in names_in(r): leading = self.signs(growth(r, self.germ)[1]); return ANY if 0 in leading else leading
        c, m, q = content(top(r)); return reduce(both, (self.base_signs(f) for f, k in r.den if k % 2), both(self.term_signs(m, c), self.base_signs(q)))
    def term_signs(self, m, c):
        return reduce(both, (POS if invertible(a) else frozenset(x ** (2 - e % 2) for x in self.base_signs(of_powers([(a, 1)]))) for a, e in m), sign_set(c))
    def base_signs(self, p):  # of a primitive polynomial or of one atom: by a fact, as a constant, by logarithms, by its terms, by a fact about it up to a constant
        out, s, kinds = self.known.get(p, ANY), constant_sign(p), {ATOMS[a][0] for m in p.num for a, _ in m}
        if len(out) < 2 or s is not None: return out if len(out) < 2 else sign_set(s)
        if kinds == {"log"} and all(len(m) == 1 == m[0][1] for m in p.num):  # sums of logarithms log r have the sign of r - 1
            scaled = p * math.lcm(*(c.denominator for c in p.num.values())); out &= self.signs(exp_of(scaled) - UNIT) if max(map(abs, scaled.num.values())) <= 16 else ANY
        if len(p.num) > 1: out &= reduce(added, (self.term_signs(m, c) for m, c in p.num.items()))
        if kinds == {"abs"} and len(p.num) == 1: out &= POS | NIL
        varying = [m for m in p.num if names_in(Ratio({m: 1}))]
        for q, signs in self.known.items() if len(out) > 1 else ():  # p = k q + r, k rational and r constant
            k = Fraction(p.num[varying[0]]) / q.num[varying[0]] if varying[0] in q.num else 0
            if k and all(q.num.get(m, 0) * k == p.num[m] for m in varying) and (s := constant_sign(p - q * k)) is not None: out &= added(both(signs, sign_set(k)), sign_set(s))
        return out
    def form(self, e):  # the normal form of a tree
        kind, args = head(e), inner(e)
        if kind in ("number", "name"): return constant(e) if kind == "number" else self.values[e[1]] if e[1] in self.values else of_atom(*e)
        if kind == "piecewise": return normal(branch(self, *args), self)
        need(kind in CALCULATED or kind == "pi"); a, b, *_ = forms = [*(normal(a, self) for a in args), UNIT, UNIT]
        if kind in ("+", "*"): return (total if kind == "+" else product)(forms[:-2])
        if kind in ("max", "min"): return reduce(lambda a, b: (a + b + abs_of(a - b, self) * (1 if kind == "max" else -1)) * Fraction(1, 2), forms[:-2])
        if kind == "binomial":
            n, k = a.rational, b.rational; need(None not in (n, k) and n.denominator == k.denominator == 1 and 0 <= n <= 4096)
            return constant(math.comb(int(n), int(k)) if 0 <= k <= n else 0)
        if kind == "^" and (b.rational is None or b.rational.denominator != 1): return exp_of(b * log_of(positive(a, self)))
        if kind == "^":
            k, size = int(b.rational), a.rational or Fraction(1); need(abs(k) <= 64 or (len(a.num) < 2 and abs(k) * (size.numerator * size.denominator).bit_length() <= 65536))
            return nonzero(a, self) ** k if k < 0 else a ** k
        if kind == "mod": return a - b * floor_of(a / nonzero(b, self), self)
        if kind in ("exp", "log"): return exp_of(a) if kind == "exp" else log_of(positive(a, self))
        return abs_of(a, self) if kind == "abs" else floor_of(a, self) if kind == "floor" else of_atom("pi") if kind == "pi" else constant(sign_of(a, self))
def normal(e, here): return here.form(e)
def fixed_name(p):  # {name: value}, if c * name + r = 0 with r a sum of a rational and multiples of floors
    alone = {m: ATOMS[m[0][0]] if len(m) == 1 == m[0][1] else ("", None) for m in p.num if m}; found = [(m, n) for m, (kind, n) in alone.items() if kind == "name"]
    good = len(found) == 1 and all(kind in ("name", "floor") for kind, _ in alone.values())
    return {n: of_atom("name", n) - p * (1 / Fraction(p.num[m])) for m, n in found} if good else {}
def sign_of(r, here): need(len(here.signs(r)) == 1, Undecided); return min(here.signs(r))  # the one sign of r
def polynomial(r, here): return top(r) * math.prod(sign_of(f, here) ** k for f, k in r.den)  # one with the sign of r
def positive(r, here): need(here.signs(r) == POS, Undecided); return r
def nonzero(r, here): need(0 not in here.signs(top(r)), Undecided); return r
def abs_of(r, here):  # |r|: parts of known sign lose their bars, the others are atoms
    def bars(p): return p if -1 not in here.signs(p) else -p if 1 not in here.signs(p) else of_atom("abs", p)
    if {-1, 1} - here.signs(r): return r if -1 not in here.signs(r) else -r
    c, m, q = content(top(r)); parts = [of_powers([(a, e)]) if invertible(a) else bars(of_powers([(a, 1)])) ** e for a, e in m]
    return product([bars(q) * abs(c), *parts, *((f * sign_of(f, here)) ** -k for f, k in r.den)])
def is_whole(r, here):  # true only of polynomials with whole coefficients in whole-number names, floors and their absolute values
    def good(kind, i): return kind == "floor" or (kind == "name" and i in here.whole_names) or (kind == "abs" and is_whole(i, here))
    return not r.den and all(c.denominator == 1 and all(good(*ATOMS[a]) for a, _ in m) for m, c in r.num.items())
def whole_terms(r, here):  # the terms of r that are whole, and the whole part of its constant
    alone = [Ratio({m: c}) / product(f ** k for f, k in r.den) for m, c in r.num.items()]
    return total(p if names_in(p) else constant(math.floor(p.rational)) for p in alone if p.rational is not None or is_whole(p, here))
def floor_of(r, here):  # a whole number that facts show, or else the whole terms of r and the floor of the rest as an atom
    if not names_in(r): low, high = map(math.floor, enclose(r)); return constant(low) if low == high else of_atom("floor", r)
    def signs(p):  # also of p as a fact and something shorter
        facts = here.known.items() if len(here.signs(p)) > 1 else ()
        return reduce(frozenset.__and__, (added(s, here.signs(p - q)) for q, s in facts if len((p - q).num) < len(p.num)), here.signs(p))
    near = dict.fromkeys(whole_terms(r - q * (Fraction(r.num[m]) / q.num[m]), here) for q in here.known for m in q.num if m and m in r.num)
    for n in [n - constant(i) for n in near for i in (0, 1) if names_in(n) <= {"@k"}]:
        if signs(r - n) <= POS | NIL and signs(r - n - UNIT) == NEG: return n
    parts = whole_terms(r, here); return parts + floor_of(r - parts, here) if parts.num else of_atom("floor", r)
def branch(here, *args):  # the value of a piecewise node that holds
    found = next((value for value, c in zip(args[::2], args[1::2]) if truth(c, here)), None); need(found is not None); return found
def truth(c, here):  # whether a condition holds
    kind, a, b = c[0], c[1], c[-1]
    if kind in ("boolean", "not"): return a if kind == "boolean" else not truth(a, here)
    if kind in ("and", "or"): found = [known_truth(a, here), known_truth(b, here)]; need((kind == "or") in found or None not in found, Undecided)
    if kind in ("and", "or"): return True in found if kind == "or" else False not in found
    need(kind in COMPARISONS)
    if "label" in (head(a), head(b)): need(kind in ("==", "!=") and {head(a), head(b)} <= {"label", "number", "oo"}); return (a == b) == (kind == "==")
    if OO in (a, b):
        a, b = (substitute(p, {"@0": OO}) for p in (a, b)); need(a == b or not any(OO in walk(p) for p in (a, b) if p != OO))
        return kind in ("==", "<=") if a == b else kind == "!=" or (kind != "==" and b == OO)
    signs = here.signs(normal(a, here) - normal(b, here)); need(signs <= RELATION[kind] or not signs & RELATION[kind], Undecided); return signs <= RELATION[kind]
def known_truth(c, here, errors=Undecided):  # the same, and None where it is not known
    try: return truth(c, here)
    except errors: return None
def assume(conditions, here):  # this context with the facts of conditions; one that has no normal form gives none
    for kind, a, b in [part for c in conditions for part in conjuncts(c) if part[0] in ("==", "<", "<=") and not {head(part[1]), head(part[2])} & {"oo", "label"}]:
        try: here = here.given(polynomial(normal(b, here) - normal(a, here), here), {"==": "=", "<": ">", "<=": ">="}[kind])
        except UNKNOWN: pass
    return here
def at_record(e, bound, here):  # the canonical value of e at a record; at demand oo its limit, which may be oo, as the demand "@0" grows
    if endless := bound.get("eps") == OO and "eps" in names(e): bound, here = {**bound, "eps": name("@0")}, here.changed(germ="@0")
    e = substitute(e, bound)
    while head(e) == "piecewise": e = branch(here, *e[1:])
    if e == OO or not endless or not normal(e, here).num: return OO if e == OO else tree(normal(e, here))
    rate, c = growth(normal(e, here), "@0")
    return tree(c) if rate == (0, 0) else 0 if rate < (0, 0) else OO if sign_of(nonzero(c, here), here) > 0 else ("*", -1, OO)

# 5. evidence
def decoded(data):  # the evidence of its JSON, with trees and numbers read
    if not isinstance(data, dict): return [decoded(d) for d in data] if isinstance(data, list) else data
    return read(data["e"]) if set(data) == {"e"} else Fraction(rational(data["q"])) if set(data) == {"q"} else {k: decoded(v) for k, v in data.items()}
def same(p, q):  # whether two polynomials are the same, up to a product of exponentials (in which two forms of one ratio may differ)
    return p == q or (p.num and q.num and not (unit := p / q).den and list(unit.num.values()) == [1] and all(ATOMS[a][0] == "exp" for m in unit.num for a, _ in m))
def require(r, relation, proof, here):  # r `relation` 0, by signs, by an exp sign, or as a sum of products; a product with a factor <= 0 needs an equality among its facts
    if proof is None: return need(here.signs(r) <= RELATION[relation])
    if proof["is"] == "exp sign": return exp_sign(polynomial(r, here), relation, proof, here)
    need(proof["is"] == "products" and relation in (">=", ">")); out, strict = NOTHING, relation == ">="
    for c, numbers in proof["terms"]:
        need(all(type(i) is int for i in numbers)); facts = [here.facts[i] for i in numbers]
        need(c > 0 or "=" in dict(facts).values()); out += product(p for p, _ in facts) * c; strict |= c > 0 and all(kind == ">" for _, kind in facts)
    return need(same(polynomial(r, here), out) and strict, Rejected, "products do not add up to what they should")
LEMMAS = {  # kind: what is to be proved of the arguments, and what is then a fact
    "sign": lambda here, r, p: ([p], p), "proved": lambda here, r, p: ([p], p), "exp": lambda here, r, t: ([], exp_of(t) - UNIT - t), "square": lambda here, r, p: ([], p * p),
    "order": lambda here, r, a, b: ([b - a], exp_of(b) - exp_of(a)), "whole": lambda here, r, p: ([p] if is_whole(p, here) else None, p - UNIT),
    "triangle": lambda here, r, u, v: ([], abs_of(u, here) + abs_of(u - v, here) - abs_of(v, here)), "absolute": lambda here, r, w: ([], abs_of(w, here) - w),
    "bound": lambda here, r, w, u: ([u - w, u + w], u - abs_of(w, here)), "floor": lambda here, r, x: ([], x - floor_of(x, here) if r == ">=" else UNIT - x + floor_of(x, here)),
}
def extended(lemmas, here):  # the context with the fact of each lemma
    for lemma in lemmas:
        kind, relation = lemma["kind"], lemma["relation"]; demands, fact = LEMMAS[kind](here, relation, *(normal(a, here) for a in lemma["arguments"]))
        need(relation in (">=", ">", "=", "<=", "<")[:{"sign": 5, "proved": 5, "order": 2, "floor": 2}.get(kind, 1)])
        for demand, proof in zip(demands, lemma["proofs"] or [None] * len(demands), strict=True): require(demand, ">" if kind == "whole" else relation, proof, here)
        here = here.given(polynomial(fact, here), relation)
    return here
def descend(evidence, here, leaf):  # every leaf of the evidence is accepted in the context of its case
    if evidence["is"] != "case split": return closes(0, 0, 0, evidence, here) if evidence.get("form") == "never" else leaf(evidence, here)
    here = extended(evidence["lemmas"], here); guard, cases = polynomial(normal(evidence["guard"], here), here), evidence["cases"]
    need(frozenset().union(*(RELATION[relation] for relation, _ in cases)) == ANY and not {"!=", "=="} & {relation for relation, _ in cases})
    for relation, rest in cases: descend(rest, here.given(guard, relation), leaf)
def exponential_form(law, here):  # (c, e) with law = c exp(e), read off its tree
    if head(law) == "*": parts = [exponential_form(a, here) for a in law[1:]]; return product(c for c, _ in parts), total(e for _, e in parts)
    if head(law) == "piecewise": return exponential_form(branch(here, *law[1:]), here)
    if head(law) == "^" and normal(law[2], here).rational is None: return UNIT, normal(law[2], here) * log_of(positive(normal(law[1], here), here))
    return (UNIT, normal(law[1], here)) if head(law) == "exp" else (normal(law, here), NOTHING)
def closes(small, large, level, leaf, here, side=1):  # the leaf shows small <= exp(level) large; with the side -1, >=; or that the facts contradict each other
    form, proofs, here = leaf["form"], leaf["proofs"], extended(leaf["lemmas"], here); need(leaf["is"] == "closed" and form in ("log", "direct", "zero", "never"))
    if form == "never": return require(NOTHING, ">", proofs[0], here) if any(proofs) else need(frozenset() in here.known.values())
    (c, e), (d, f) = [exponential_form(law, here) if form == "log" else (normal(law, here), NOTHING) for law in (large, small)]
    wanted = [-d if side > 0 else c] if form == "zero" else [normal(level, here) + e - f, c - d] if form == "log" else [exp_of(normal(level, here)) * c - d]
    for r, proof in zip(wanted, proofs or [None] * len(wanted), strict=True): require(r * side, ">=", proof, here)

# 6. exp sign: tables {(k, a): c} of terms c n^k exp(a n) in one name n
def terms_of(p, n):
    parts = by_powers(p, ("name", n), ("exp", of_atom("name", n))); need(not any(names_in(c) for c in parts.values())); return parts
def value(f, x): return total(x ** k * exp_of(x * a) * c for (k, a), c in f.items())
def value_sign(f, x): return constant_sign(value(f, x))
def end_of(fact, n):  # (v, whether the fact bounds the name from below) for a fact c n + d or c exp(a n) + d
    f = terms_of(fact, n); d, (((k, a), c),) = f.pop((0, 0), NOTHING) * -1, f.items(); need((k, a) == (1, 0) or (k == 0 and constant_sign(d / c) == 1))
    return (d / c if k else log_of(d / c) * (1 / Fraction(a))), constant_sign(c) * (a or 1) > 0
def exp_sign(p, relation, proof, here):  # p >= 0 (or > 0) for all values that two facts leave to its only name
    (n,), (low, kind), (high, other) = names_in(p), *((None, ">") if i is None else here.facts[i] for i in (proof["low"], proof["high"])); need(relation in (">=", ">"))
    (v, is_low), (w, is_low_too) = end_of(low, n), end_of(high, n) if high else (None, False)
    if kind == "=": return need(value_sign(terms_of(p, n), v) in RELATION[relation])
    factors, sign = [(normal(f, here), k) for f, k, _ in proof["factors"]], 1
    need(is_low and not is_low_too and other != "=" and all(0 < k <= 64 for _, k in factors) and same(p, product(f ** k for f, k in factors)))
    for f, k in [(terms_of(f, n), k) for f, k in factors if k % 2 or relation == ">"]:
        sign *= sign_inside(f, v, w) ** k; need(relation == ">=" or all(value_sign(f, x) for x, kind in ((v, kind), (w, other)) if kind == ">="))
    return need(sign == 1)
def derived(f):  # its derivative
    slope = {}
    for key, c in [((k, a), c * d) for (i, a), c in f.items() for k, d in ((i, a), (i - 1, i)) if d]: slope[key] = slope.get(key, NOTHING) + c
    return {key: c for key, c in slope.items() if c.num}
def sign_inside(f, low, high):  # the sign of f on (low, high), or 0 where it is not shown: divided by an exponential, f rises or falls, as its derivative has a sign
    least = min(a for _, a in f); f = {(k, a - least): c for (k, a), c in f.items()}; slope = derived(f)
    if set(f) == {(0, 0)}: return constant_sign(f[0, 0]) or 0
    s = sign_inside(slope, low, high); bend = sign_inside(derived(slope), low, high) if not s and high and derived(slope) else 0
    if not bend: return s if value_sign(f, low) in (0, s) else -s if high and value_sign(f, high) in (0, -s) else 0
    ends = [(value(f, x), value(f, x) + value(slope, x) * (y - x)) for x, y in ((low, high), (high, low))]  # f there, and its tangent at the other end
    if all(constant_sign(at) in (0, -bend) for at, _ in ends): return -bend  # it lies beyond its chord, or beyond one of its tangents
    return bend if any({constant_sign(at), constant_sign(over)} <= {0, bend} for at, over in ends) else 0

# 7. totals of laws; an output is (name, kind, values)
def piece(output, points, upper, here):  # the context of the piece below point number `upper`
    n, kind, _ = output; unit, s = kind == "integer" and 0 < upper < len(points) and points[upper] - points[upper - 1] == UNIT, of_atom("name", n)
    for j, b in enumerate(points):
        gap, alone = (s - b if j < upper else b - s), unit and j == upper - 1
        facts = [(gap, "=")] if alone else [(gap, ">")] if kind == "real" else [(gap, ">="), (gap + UNIT, ">")] if j < upper else [(gap - UNIT, ">="), (gap, ">")]
        for r, relation in facts: here = here.given(polynomial(r, here), relation)
        if alone: here = here.changed(values={n: b, **here.values})
    return here
def integral(law, output, points, here, low=None, high=None):  # the total of a law that is >= 0, from point number `low` to `high` (None: infinite)
    n, kind, _ = output; need(not any(n in names_in(r) for r in [*(p for p, _ in here.facts), *points]))
    need(all(-1 not in here.signs(v - u) for u, v in itertools.pairwise(points)) and (kind == "real" or all(is_whole(b, here) for b in points)))
    return total(piece_total(law, output, points, i, here) for i in range(0 if low is None else low + 1, (len(points) if high is None else high) + 1))
def piece_total(law, output, points, upper, here, positive=True):  # beyond the end points a law may repeat itself instead of being a sum of exponentials
    try: return simple_total(law, output, points, upper, here, positive)
    except Rejected:
        if len(points) < 2 or upper not in (0, len(points)): raise
    (n, kind, _), last, way, again = output, len(points) - 1, 1 if upper else -1, here.changed(whole_names=here.whole_names | {"@k"})
    for first, end in [(i, last) for i in reversed(range(last))] if upper else [(0, i) for i in range(1, last + 1)]:  # those between, moved by k + 1 periods, cover it
        try:
            period = points[end] - points[first]; need(here.signs(period) == POS)
            there, place = again.given(of_atom("name", "@k"), ">="), of_atom("name", n) + (of_atom("name", "@k") + UNIT) * period * way
            for b in points: there = there.given((place - b) * way, ">=" if kind == "integer" and upper else ">")
            once = total(simple_total(substitute(law, {n: tree(place)}), output, points, k, there, positive) for k in range(first + 1, end + 1))
            return simple_total(tree(once), ("@k", "integer", []), [NOTHING], 1, again, False)
        except UNKNOWN: continue
    raise Rejected("a law neither is a sum of exponentials nor repeats itself")
def simple_total(law, output, points, upper, here, positive):  # the total of a sum of exponentials on a piece
    (n, kind, _), out, here = output, NOTHING, piece(output, points, upper, here); form = nonnegative(law, here) if positive else normal(law, here)
    u, v = (points[upper - 1] if upper else None), (points[upper] if upper < len(points) else None)
    for m, c in form.num.items():
        growing = {a: e for a, e in m if ATOMS[a][0] == "exp" and n in names_in(ATOMS[a][1])}; exponent = total(ATOMS[a][1] * e for a, e in growing.items())
        parts = by_powers(top(exponent), ("name", n)); rate, shift = (reduced(parts.pop((i,), NOTHING), dict(exponent.den)) for i in (1, 0))
        factor = Ratio(of_powers((a, e) for a, e in m if a not in growing).num, form.den) * c
        need(not parts and not any(n in names_in(r) for r in (factor, rate, shift)) and (u or here.signs(rate) == POS) and (v or here.signs(rate) == NEG))
        below, above = (NOTHING if end is None else exp_of(rate * end + shift) for end in (u, v)); flat = not rate.num
        out += factor * ((v - u) * exp_of(shift) if flat else (above - below) / (nonzero(rate, here) if kind == "real" else exp_of(nonzero(rate, here)) - UNIT))
    return out
def tree_signs(e, here):  # the signs of e by those of its factors and terms as they are written, or else multiplied out
    kind, signs = head(e), ANY
    if kind == "piecewise": return tree_signs(branch(here, *e[1:]), here)
    if kind in ("+", "*"): signs = reduce(added if kind == "+" else both, (tree_signs(a, here) for a in e[1:]))
    if kind == "^" and -1 not in (base := tree_signs(e[1], here)) and POS in (base, here.signs(normal(e[2], here))): signs = base
    if not {-1, 1} <= signs: return signs
    p = normal(e, here); signs = here.signs(p)  # of two exponentials of unlike signs, that of the difference of their logarithms
    if kind == "+" and {-1, 1} <= signs and len(p.num) == 2 and not p.den and all(invertible(a) for m in p.num for a, _ in m):
        (m, c), (n, d) = p.num.items(); signs = both(sign_set(c), here.signs(log_of(Ratio({m: c}) / Ratio({n: -d})))) if c * d < 0 else signs
    return signs
def nonnegative(e, here): need(-1 not in here.signs(normal(e, here)) or -1 not in tree_signs(e, here)); return normal(e, here)  # the value of e, which is >= 0 by its sign

# 8. claims and their moves (sections 3 and 9)
AMOUNTS = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}  # how far a query answer moves
OWN_LEVEL, ADDED = ("ahdp", "hdp", "any", "pairs"), ("ahdp", "add-remove", "pairs")  # relations whose level is that of a record or of two values; of added records
MADE = {"compose": (1, 99), "product": (1, 99), "post_process": (1, 2), "subsample": (1, 1), "mixture": (1, 99), "normalised": (0, 0), "pull_back": (1, 1), "group": (1, 1)}
DECLARED = re.compile(r"[A-Za-z_]\w*(\[[1-9][0-9]*\])?", re.ASCII)
def fields(data, wanted): need(set(data) == set(wanted.split())); return [data[k] for k in wanted.split()]  # of an object with exactly these
def read_value(data, base): return {f"{base}[{i}]": read(part) for i, part in enumerate(data[1:], 1)} if data[0] == "vector" else {base: read(data)}
def read_named(data): return [(n, read(c)) for n, c in data]
def scoped(e, outer, body=()):  # whether names outside record sums are among `outer`, and those inside among `body`
    if head(e) in AGGREGATES: return bool(body) and scoped(e[1], body)
    return e[1] in outer if head(e) == "name" else all(scoped(a, outer, body) for a in inner(e))
class Claim:  # a claim as its JSON says, every name in its place; `bound` are the names of a record, `direct` those of other inputs
    def __init__(self, data):
        self.mechanism, self.relation, level, delta, self.public = fields(data, "mechanism relation level delta public"); m = self.mechanism
        self.level, self.delta, self.fingerprint, self.law = read(level), read(delta), digest(data), m.get("law", "assumed" if "assumed" in m else "")
        self.parts, self.formulas, self.density, self.atoms, self.defined, self.labels = [], [], None, [], TRUE, set()
        if "law" in m: self.read_parts(*fields(m, "law parts name own domain released formulas"))
        else:
            _, self.inputs, outputs, parameters, *law = fields(m, "name inputs outputs parameters " + (self.law or "density atoms defined"))
            self.outputs, self.parameters = [(n, kind, [read(v) for v in values]) for n, kind, values in outputs], read_named(parameters)
            if not self.law: self.density, self.atoms, self.defined = read(law[0]), [(read(at), read(mass)) for at, mass in law[1]], read(law[2])
        need(sorted(self.inputs) in (["queries"], ["values"], ["records"], ["parameters", "unknowns"]))
        self.unknowns, given = (read_named(self.inputs.get(k, ())) for k in ("unknowns", "parameters"))
        self.records = [{**read_value(value, "x"), "eps": read(demand)} for value, demand in self.inputs.get("records", ())]
        self.values = [read_value(v, "v") for v in self.inputs.get("values", ())]
        self.direct = list(self.values[0]) if self.values else [f"q[{i}]" for i in range(1, self.inputs.get("queries", 0) + 1)]
        self.bound = list(self.records[0]) if self.records else [n for n, _ in self.unknowns]; self.check(given)
        self.base = assume([c for _, c in self.parameters], Context(whole_names=frozenset(n for n, kind, _ in self.outputs if kind == "integer")))
    def check(self, given):  # names are declared once, and every expression mentions only what it may; numbers are in range
        outs, own, bound, direct = [o[0] for o in self.outputs], [n for n, _ in self.parameters], self.bound, self.direct; everything = [*outs, *own, *direct, *bound]
        need(outs and all(map(DECLARED.fullmatch, everything)) and len(everything) - len(set(everything)) == bool(self.records and "eps" in own))
        need(self.parameters[:len(given)] == given and all([*r] == bound for r in self.records) and all([*v] == direct for v in self.values))
        for _, kind, values in self.outputs:
            need(kind in ("real", "integer", "finite") and (kind == "finite") == bool(values) and len(set(values)) == len(values))
            need(all(head(v) == "label" or (head(v) == "number" and (v in values or kind == "real")) for v in [*values, *dict(self.atoms)]))
        need(not self.atoms or (len(outs) == 1 and len(dict(self.atoms)) == len(self.atoms) and self.outputs[0][1] != "finite"))
        moved = [*bound, *direct, *("other" + n[1:] for n in direct if self.values)] if self.relation in OWN_LEVEL else []
        body, i, seen = {*bound, *own} - ({"eps"} & {*own}) if bound else (), int(self.law == "normalised"), [o[0] for p in self.parts for o in p.outputs]
        inside = {"post_process": seen, "mixture": []}.get(self.law, bound)
        self.labels |= {n for n, _, values in self.outputs for v in [*values, *dict(self.atoms)] if head(v) == "label"}
        for outer, within, *expressions in (
            ([*outs, *own, *direct], body, self.density, *self.formulas[:i]), ([*own, *direct], body, self.defined, *dict(self.atoms).values()),
            ([*own, *inside], (), *self.formulas[i:]), ([*own, *moved], (), self.level), ([*own, *bound], (), *dict(self.unknowns).values()),
            (own, (), self.delta, *dict(self.parameters).values(), *(v for r in self.records + self.values for v in r.values())),
        ): need(all(scoped(e, outer, within) for e in expressions))
        need(self.relation in ((*ADDED[:2 + (self.law == "group")], "hdp", "swap") if bound else ("any",) if self.values else AMOUNTS))
        need(set(self.public) <= set(bound if self.relation == "hdp" else ()) and (head(self.delta) != "number" or 0 <= self.delta <= 1))
        need((head(self.level) != "number" or self.level >= 0) and all(r["eps"] == OO or constant_sign(normal(r["eps"], EMPTY)) != -1 for r in self.records))
    def read_parts(self, law, parts, _, own, domain, released, formulas):
        self.parts, self.formulas, earlier, (least, most) = [Claim(p) for p in parts], [read(f) for f in formulas], {}, MADE[law]; parts = self.parts
        need(least <= len(parts) <= most and bool(released) == (law == "normalised" or (law == "post_process" and len(parts) == 1)) and all(p.relation != "pairs" for p in parts))
        self.inputs = parts[0].inputs if domain is None else domain; need((domain is not None) == (law in ("normalised", "pull_back")))
        need(all(domain is not None or p.inputs == self.inputs for p in parts))
        last = parts if law in ("compose", "product") else parts[-1:]
        self.outputs = [(n, kind, [read(v) for v in values]) for n, kind, values in released] or [o for p in last for o in p.outputs]
        wanted = {"subsample": 1, "mixture": len(parts), "normalised": 3, "post_process": len(released), "pull_back": len(parts[0].bound) if parts else 0}
        need(len(formulas) == wanted.get(law, 0) and (law != "mixture" or all(p.outputs == self.outputs for p in parts)))
        self.parameters = read_named(self.inputs.get("parameters", ()))
        for p in parts:  # of an output that it reads, a part assumes nothing, or what is true of all values; nothing else hangs on that
            need((names(p.level) | names(p.delta) | names(p.defined)).isdisjoint(earlier))
            for n, c in p.parameters:
                if n not in earlier: need(names(c).isdisjoint(earlier)); self.parameters += [(n, c)] * ((n, c) not in self.parameters)
                else: need(n not in self.labels and (c == TRUE or (earlier[n] and all(truth(substitute(c, {n: v}), EMPTY) for v in earlier[n]))))
            if law in ("compose", "post_process"): earlier |= {n: values for n, _, values in p.outputs}
            self.labels |= p.labels
        self.parameters += [pair for pair in read_named(own) if pair not in self.parameters]
        for (n, kind, values), f in zip(self.outputs, self.formulas) if released and parts else ():  # one that is computed is real, or takes the listed values only
            self.labels |= {n} if any(e[0] == "label" or (e[0] == "name" and e[1] in self.labels) for e in walk(f) if head(e) != "number") else set()
            listed = combinations([o for o in parts[0].outputs if o[0] in names(f)])
            need(kind == "real" or all(any(known_truth(("==", substitute(f, c), v), EMPTY, UNKNOWN) for v in values) for c in listed))
        moved = dict(zip(parts[0].bound, self.formulas)) if law == "pull_back" else {}
        def inner_moved(e): return (e[0], rebuild(e[1], lambda x: moved.get(x[1]) if head(x) == "name" else None)) if moved and head(e) in AGGREGATES else None
        said = dict.fromkeys(rebuild(c, inner_moved) for p in parts for c in conjuncts(p.defined) if c != TRUE); self.defined = reduce(lambda x, y: ("and", x, y), said or [TRUE])
def combinations(outputs):  # all combinations of the values of the finite outputs; the empty one if there are more than 4096
    finite = [o for o in outputs if o[1] == "finite"] if math.prod(max(len(o[2]), 1) for o in outputs) <= 4096 else []
    return [dict(zip([o[0] for o in finite], values)) for values in itertools.product(*(o[2] for o in finite))]
def factors(e):  # factors whose product is e: products, exponentials of sums and reciprocals of products taken apart
    if head(e) in ("*", "exp"): return [f for a in e[1:] for f in factors(a)] if e[0] == "*" else [("exp", t) for t in summands(e[1])]
    return [("^", f, -1) for f in factors(e[1])] if head(e) == "^" and e[2] == -1 and head(e[1]) == "*" else [e]
def summands(e):  # terms whose sum is e, with products distributed over sums
    if head(e) == "+": return [t for a in e[1:] for t in summands(a)]
    return [("*", *terms) for terms in itertools.product(*map(summands, e[1:]))] if head(e) == "*" else [e]
def grouped(density, outputs):  # (prefactor, the factor of each output): a factor belongs to the last output that it mentions
    last = [(f, max((i for i, (n, *_) in enumerate(outputs) if n in names(f)), default=-1)) for f in factors(density)]
    prefactor, *own = [("*", 1, *(f for f, j in last if j == i)) for i in range(-1, len(outputs))]; return prefactor, own
def separable(claim):  # whether there are several finite outputs, each with a factor of its own
    outs = {n for n, _, values in claim.outputs if values}; return len(outs) == len(claim.outputs) > 1 and all(len(outs & names(f)) < 2 for f in factors(claim.density))
def places(claim):  # [(what is known, an expression there, record or pair of values, conditions)]; for unknown records, demand oo too
    here, pairs = claim.base, [(v, w, {"other" + n[1:]: e for n, e in w.items()}) for v, w in itertools.permutations(claim.values, 2)]
    if claim.records: return [(here, partial(at_record, bound=r, here=here), r, ()) for r in claim.records]
    if claim.values: return [(here, partial(at_record, bound={**v, **other}, here=here), (v, w), ()) for v, w, other in pairs]
    said = [c for _, condition in claim.unknowns for c in conjuncts(condition)]; calm = [c for c in said if "eps" not in names(c)]
    endless = assume(calm, here); agree = [known_truth(substitute(c, {"eps": OO}), endless, UNKNOWN) for c in said if c not in calm]
    def at_oo(e): return at_record(e, {"eps": OO}, endless) if "eps" in names(e) else e
    return [(assume(said, here), lambda e: e, None, said), (endless, at_oo, None, calm)][:2 if claim.unknowns and False not in agree else 1]
def branches(c): return [v for part in c[1::2] for v in branches(part)] if head(c) == "piecewise" else [c]  # what it may be
def whole_valued(c): return all(all(map(whole_valued, v[1:])) if head(v) in ("+", "*") else isinstance(v, int) for v in branches(c))  # true of no other
def frame(claim, counts):  # (record sums, what they are for the rest, [(contributions, level, conditions, record)], conditions, context)
    law, there = ("+", claim.density, *dict(claim.atoms).values(), claim.defined), places(claim)
    nodes = list(dict.fromkeys(n for n in walk(law) if head(n) in AGGREGATES))
    kinds = [([at(n[1]) for n in nodes], at(claim.level) if claim.relation in OWN_LEVEL else claim.level, said, record) for _, at, record, said in there]
    below = all(c[0] in ("<", "<=") and c[2] == name("eps") and "eps" not in names(c[1]) for c in kinds[0][2] if "eps" in names(c))
    if claim.unknowns and below and "eps" not in names(("+", claim.level, *nodes)): kinds = kinds[:1]  # nothing depends on the demand
    rest, conditions, whole_names = [name(f"@{j + 1}") for j in range(len(nodes))], [], claim.base.whole_names
    if counts and claim.bound:
        need(claim.records and all(n[0] == "sum" for n in nodes)); often = [name(f"#{w + 1}") for w in range(len(kinds))]; whole_names |= {h[1] for h in often}
        rest, conditions = [("+", *(("*", row[j], h) for (row, *_), h in zip(kinds, often))) for j in range(len(nodes))], [("<=", 0, h) for h in often]
    for j, n in enumerate(nodes if not counts else ()):
        column = [row[j] for row, *_ in kinds]
        if all(known_truth(("<=", 0, v), here, UNKNOWN) for c, (here, *_) in zip(column, there) for v in branches(c)): conditions.append(("<=", 0, rest[j]))
        if n[0] != "sum" and claim.records and all(head(c) == "number" for c in column): conditions += [("<=", min(column), rest[j]), ("<=", rest[j], max(column))]
        if all(map(whole_valued, column)): whole_names |= {rest[j][1], f"@c{j + 1}"}
    return nodes, rest, kinds, conditions, claim.base.changed(whole_names=whole_names)
def known(claim, counts, conditions, *at):  # the context of a move or state: parameters, conditions, and `defined` wherever it is used
    return assume([*conditions, *(rebuild(claim.defined, nodes.get) for nodes in at if claim.defined != TRUE)], frame(claim, counts)[4])
def moves(claim, counts):  # [(what nodes of the law are before, and after, conditions, level)], without moves of level oo
    nodes, rest, kinds, conditions, _ = frame(claim, counts); found = []
    def joined(row): return {n: (AGGREGATES[n[0]], r, c) for n, r, c in zip(nodes, rest, row)}
    if claim.values: found = [(*({name(n): v for n, v in value.items()} for value in pair), (), level) for _, level, _, pair in kinds]
    if claim.relation in AMOUNTS:
        (low, high), amounts = AMOUNTS[claim.relation], {name(q): name("@d" + q[2:-1]) for q in claim.direct}
        for step in [{q: d} for q, d in amounts.items()] if claim.relation == "one" else [amounts]:
            bounds = [("and", ("<=", low, d), ("<=", d, high)) for d in step.values()]; found.append(({}, {q: ("+", q, d) for q, d in step.items()}, bounds, claim.level))
    if claim.relation in ("ahdp", "add-remove"): found = [(dict(zip(nodes, rest)), joined(row), [*conditions, *said], level) for row, level, said, _ in kinds]
    primed = {u: name(u + "'") for u, _ in claim.unknowns if claim.relation != "hdp" or u not in ("eps", *claim.public)}
    pairs = itertools.permutations(kinds, 2) if claim.records else [(a, b) for a in kinds for b in kinds if a is b or claim.relation == "swap"]
    for (row, level, said, old), (other, _, also, new) in pairs if claim.relation in ("hdp", "swap") else ():
        other, also = ([substitute(c, primed) for c in listed] for listed in (other, also))
        alike = [("==", old[k], new[k]) for k in ("eps", *claim.public) if claim.records and claim.relation == "hdp"]; sure = [known_truth(c, claim.base, UNKNOWN) for c in alike]
        if False not in sure: found.append((joined(row), joined(other), [*conditions, *said, *also, *(c for c, known in zip(alike, sure) if known is None)], level))
    return [move for move in found if move[3] != OO]
def schema(claim, conditions):  # the one move that stands for all additions: @c1, @c2, ... at @level, which satisfy conditions that every record satisfies
    need(claim.relation in ADDED and claim.records and claim.delta == 0); nodes, rest, kinds, known, _ = frame(claim, False); row = [name(f"@c{j + 1}") for j in range(len(nodes))]
    for values, level, c in [(kind[0], kind[1], c) for kind in kinds if kind[1] != OO for c in conditions]:
        require(normal(substitute(c, {**{x[1]: v for x, v in zip(row, values)}, "@level": level}), claim.base), ">=", None, claim.base)
    return [(dict(zip(nodes, rest)), {n: (AGGREGATES[n[0]], r, x) for n, r, x in zip(nodes, rest, row)}, [*known, *(("<=", 0, c) for c in conditions)], name("@level"))]
def obligations(claim, counts, assumed=()):  # (context, nodes of P, nodes of Q, level) of every P <= exp(level) Q
    need(not (assumed and counts)); listed = schema(claim, assumed) if assumed else moves(claim, counts)
    for before, after, conditions, level in {(*b.values(), *a.values(), *said, level): (b, a, said, level) for b, a, said, level in listed}.values():
        here = known(claim, counts, conditions, before, after)
        yield from ((here, before, after, level), (here, after, before, level))[:1 if claim.relation in ("swap", "any", "all") else 2]

# 9. proofs
def total_of(outputs, law, points, here, *ends):  # the total of a law >= 0 over finite outputs, or another one between points
    if outputs[0][1] != "finite": return integral(law, outputs[0], points, here, *ends)
    return total(nonnegative(substitute(law, c), here) for c in combinations(outputs))
def total_leaf(outputs, law, atoms, value, leaf, here):  # the leaf shows that law and atoms are >= 0 and add up to the value
    need(leaf["is"] == "pieces"); here = extended(leaf["lemmas"], here)
    out = total_of(outputs, law, [normal(p, here) for p in leaf["points"]], here) + total(nonnegative(mass, here) for mass in atoms) - normal(value, here)
    need(not out.num)
def check_mass(claim, mass, counts):  # the law is nowhere negative and has total 1, in every state
    nodes, rest, _, conditions, _ = frame(claim, counts); values, evidence = iter(mass["values"]), iter(mass["evidence"])
    at_once = len(claim.outputs) == 1 or (all(values for *_, values in claim.outputs) and not separable(claim))
    for state in [{name(n): v for n, v in value.items()} for value in claim.values] or [dict(zip(nodes, rest))]:
        law, *atoms = [rebuild(e, state.get) for e in (claim.density, *dict(claim.atoms).values())]
        here = shown = known(claim, counts, conditions, state); product_of_values, laws = (1, [law]) if at_once else grouped(law, claim.outputs)
        for part, output in zip(laws, claim.outputs):
            value, leaf = 1 if at_once else next(values), next(evidence); need(names(value).isdisjoint(o[0] for o in claim.outputs))
            descend(leaf, here, partial(total_leaf, claim.outputs if at_once else [output], part, atoms, value))
            for fact in extended(leaf["lemmas"], here).facts[len(here.facts):] if leaf["is"] == "pieces" and not at_once else (): shown = shown.given(*fact)
            product_of_values = ("*", product_of_values, value)
        need(normal(product_of_values, shown) == UNIT)
def separate_leaf(claim, small, large, level, leaf, here):  # each output keeps a level of its own; these add up to at most the claim's
    (prefactor, laws), here, leaves, levels = grouped(claim.density, claim.outputs), extended(leaf["lemmas"], here), leaf["leaves"], leaf["levels"]
    listed = [(substitute(law, {n: v}), own) for (n, _, values), law, own in zip(claim.outputs, [*laws[:-1], ("*", prefactor, laws[-1])], levels, strict=True) for v in values]
    for (law, own), shown in zip(listed, leaves, strict=True): closes(rebuild(law, small.get), rebuild(law, large.get), own, shown, here)
    most, spent = normal(level, here), total(normal(own, here) for own in levels); need(leaf["is"] == "separate" and leaf["form"] in ("log", "direct"))
    require(most - spent if leaf["form"] == "log" else exp_of(most) - exp_of(spent), ">=", next(iter(leaf["proofs"]), None), here)
def divergence_leaf(claim, small, large, level, leaf, here):  # what exceeds, where it counts, has a total of at most delta
    need(leaf["is"] == "divergence"); here, final, output = extended(leaf["lemmas"], here), leaf["final"], claim.outputs[0]
    laws = [(rebuild(law, small.get), rebuild(law, large.get)) for law in laws_of(claim)]
    points, out = [normal(p, here) for p in leaf["points"]], normal(claim.delta, here)
    continuous = output[1] != "finite"; need(len(claim.outputs) == 1 or (len(laws) > 1 and all(o[1] == "finite" for o in claim.outputs)))
    if continuous: integral(laws[0][0], output, points, here)
    where = [(laws[0], i) for i in range(len(points) + 1)] * continuous + [(law, None) for law in laws[continuous:]]
    for ((p, q), i), choice in zip(where, leaf["choices"], strict=True):
        counts, there = choice["counts"], here if i is None else piece(output, points, i, here); need(choice["is"] == "choice" and counts in ("none", "excess", "whole"))
        if counts != "whole": closes(p, q, level, choice["why"], there, 1 if counts == "none" else -1)
        amount = partial(normal, here=here) if i is None else partial(piece_total, output=output, points=points, upper=i, here=here, positive=False)
        out = out - amount(p if counts != "none" else 0) + exp_of(normal(level, here)) * amount(q if counts == "excess" else 0)
    require(out, ">=", next(iter(final["proofs"]), None), extended(final["lemmas"], here))
def laws_of(claim): return [substitute(claim.density, c) for c in combinations(claim.outputs)] + [mass for _, mass in claim.atoms]  # of each part of the output space
def enumerated(claim, size):  # the claim holds on all datasets of at most so many records, or on all values: every pair, every output
    listed, here, n, delta = combinations(claim.outputs), claim.base, len(claim.records), normal(claim.delta, EMPTY)
    need(type(size) is int and size > 0 and (n or claim.values) and not claim.parameters)
    need(len(listed[0]) == len(claim.outputs) and math.comb(size + n, n) <= 300, NotCovered, "such an enumeration")
    multisets = [d for k in range(size + 1) for d in itertools.combinations_with_replacement(range(n), k)]; table = {}
    for side in [tuple(v.values()) for v in claim.values] or [tuple(map(d.count, range(n))) for d in multisets]:
        law, defined = (rebuild(e, at_input(claim, claim.records, side, here)) for e in (claim.density, claim.defined))
        if truth(defined, here): table[side] = [nonnegative(substitute(law, c), here) for c in listed]; need(total(table[side]) == UNIT)
    for (a, p), (b, q) in itertools.permutations(table.items(), 2):
        level = level_of_move(claim, a, b)
        for rows in [(p, q), (q, p)][:1 + (claim.relation == "hdp")] if level not in (None, OO) else ():
            gaps = [x - exp_of(normal(level, here)) * y for x, y in zip(*rows)]; signs = list(map(constant_sign, gaps))
            need(None not in signs and constant_sign(delta - total(g for g, s in zip(gaps, signs) if s > 0)) in (0, 1))
def check_proof(claim, proof, alone=False):  # the proof shows the claim; whether without the word of solvers
    need(proof["claim"] == claim.fingerprint, Rejected, "it belongs to another claim")
    if proof["is"] == "by law": return by_law(claim, proof)
    evidence, uses, counts = proof["evidence"], proof["uses"], proof["counts"]; need(proof["is"] == "certificate" and isinstance(counts, bool) and not claim.law)
    if any(n[0] != "sum" for n in frame(claim, False)[0]): need(not truth(rebuild(claim.defined, lambda part: 0 if head(part) == "sum" else None), EMPTY))
    size = size_of(proof); need(size is None or (alone and not uses and not proof["conditions"] and len(evidence) == 1), Rejected, "an enumeration is a proof of its own")
    if size is None or proof["mass"]["evidence"]: check_mass(claim, proof["mass"], counts)
    if size is not None: enumerated(claim, size); return True
    laws, sure = [None] if claim.delta != 0 or separable(claim) else laws_of(claim), True
    wanted = [(*o, law) for o in obligations(claim, counts, proof["conditions"]) for law in laws]
    need(len(wanted) == len(uses) and all(type(i) is int and 0 <= i < len(evidence) for i in uses), Rejected, f"{len(wanted)} inequalities are asked for")
    for (here, small, large, level, law), i in zip(wanted, uses):
        whole = divergence_leaf if claim.delta != 0 else separate_leaf; leaf = partial(whole, claim, small, large, level)
        if evidence[i]["is"] == "solver word": sure = False
        else: descend(evidence[i], here, partial(closes, rebuild(law, small.get), rebuild(law, large.get), level) if law is not None else leaf)
    return sure
def size_of(proof): return next((e["size"] for e in proof["evidence"] if e["is"] == "enumeration"), None)  # of the datasets that are tried

# 10. refutations (section 6)
def at_input(claim, records, side, here):  # what the nodes of a law are at a known input
    known = dict(zip(map(name, claim.direct), side, strict=not claim.bound))
    def node(e):
        if head(e) not in AGGREGATES: return known.get(e)
        row = [(n, at_record(e[1], r, here)) for n, r in zip(side, records) if n]
        return ("+", 0, *(("*", n, c) for n, c in row)) if e[0] == "sum" else (AGGREGATES[e[0]], *(c for _, c in row))
    return node
def law_at(claim, records, side, here, instances):  # (outputs, density, atoms) of the mechanism at a known input, where it is defined
    def again(part, side): return law_at(part, records, side, here, instances)
    if claim.law == "assumed": return again(instances[digest(claim.mechanism)], side)
    if claim.law == "subsample":  # the sum over all samples
        keep = [at_record(claim.formulas[0], r, here) for r in records]; need(all(truth(("and", ("<=", 0, p), ("<=", p, 1)), here) for p in keep))
        laws = {kept: again(claim.parts[0], kept) for kept in itertools.product(*(range(n + 1) for n in side))}; need(not any(law[2] for law in laws.values()))
        def chances(kept): return [f for n, k, p in zip(side, kept, keep) for f in (math.comb(n, k), ("^", p, k), ("^", ("+", 1, ("*", -1, p)), n - k))]
        return laws[side][0], ("+", *(("*", density, *chances(kept)) for kept, (_, density, _) in laws.items())), []
    if claim.law:  # each part by itself; a later one may read what an earlier one releases
        need(claim.law in ("compose", "product", "mixture", "group"), NotCovered, f"the law of a {claim.law}, written out")
        laws = [again(part, side) for part in claim.parts]; outputs = [o for law in laws for o in law[0]]
        if claim.law == "group": return laws[0]
        if claim.law == "mixture":
            need(not any(atoms for *_, atoms in laws) and all(truth(("<=", 0, w), here) for w in claim.formulas) and normal(("+", *claim.formulas), here) == UNIT)
            return laws[0][0], ("+", *(("*", w, density) for w, (_, density, _) in zip(claim.formulas, laws))), []
        everything = [n for n, *_ in (*outputs, *claim.parameters)]; need(len(set(everything)) == len(everything) and not any(atoms for *_, atoms in laws))
        return outputs, ("*", *(density for _, density, _ in laws)), []
    law, defined, *masses = [rebuild(e, at_input(claim, records, side, here)) for e in (claim.density, claim.defined, *dict(claim.atoms).values())]
    need(truth(defined, here)); return claim.outputs, law, list(zip(dict(claim.atoms), masses))
def level_of_move(claim, before, after):  # the level of the move from one known input to the other; None where there is no move
    if claim.values: return next((at(claim.level) for _, at, (v, w), _ in places(claim) if ([*v.values()], [*w.values()]) == ([*before], [*after])), None)
    gaps = [normal(("+", b, ("*", -1, a)), claim.base).rational for a, b in zip(before, after, strict=True)]
    moved, records = sorted((i for i, gap in enumerate(gaps) if gap != 0), key=gaps.__getitem__), claim.records
    if not claim.bound:
        low, high = AMOUNTS[claim.relation]; fits = any(all(low <= sign * gap <= high for gap in gaps) for sign in (1, -1))
        return claim.level if fits and (len(moved) == 1 or claim.relation != "one") else None
    need(len(before) == len(records) and all(isinstance(n, int) and n >= 0 for n in (*before, *after)))
    if [gaps[i] for i in moved] not in ([[1], [-1]] if claim.relation in ADDED else [[-1, 1]]): return None
    if claim.relation == "hdp" and not all(truth(("==", *(records[i][k] for i in moved)), claim.base) for k in ("eps", *claim.public)): return None
    return places(claim)[moved[0]][1](claim.level) if claim.relation in OWN_LEVEL else claim.level
def probability(outputs, law, atoms, event, points, here):  # the probability of an event, of a law without names but the outputs
    intervals, values, outcomes, chosen, continuous = event; spans, sets, points, out = {n: ends for n, *ends in intervals}, dict(values), dict(points), NOTHING
    here = here.changed(whole_names=frozenset(n for n, kind, _ in outputs if kind == "integer"))
    for c in combinations(outputs) if continuous else ():
        if (outcomes and [*c.values()] not in outcomes) or any(v not in sets.get(n, (v,)) for n, v in c.items()): continue
        rest = [o for o in outputs if o[0] not in c]; prefactor, laws = grouped(substitute(law, c), rest); part = nonnegative(prefactor, here)
        for i, ((n, kind, listed), group) in enumerate(zip(rest, laws)) if part.num else ():
            low, high, *marks = [None if e is None else normal(substitute(e, c), here) for e in (*spans.get(n, (None, None)), *points.get(n, ()))]
            ascending = sorted({p for p in (low, high, *marks) if p is not None}, key=cmp_to_key(lambda p, q: sign_of(p - q, here)))
            need(all(names_in(p) <= {o[0] for o in rest[:i]} for p in ascending)); taken = [v for v in listed if v in sets.get(n, listed)]
            ends = [None if e is None else ascending.index(e) for e in (low, high)]; part = part * total_of([(n, kind, taken)], group, ascending, here, *ends)
        out = out + part
    return out + total(nonnegative(mass, here) for at, mass in atoms if at in chosen)
def members(claim): return [claim, *(m for part in claim.parts for m in members(part))]
def check_example(claim, example):  # the counterexample refutes the claim, with its parameters and records put in
    instances, size, sample = {}, None, False
    if claim.law:  # every instance of an abstract mechanism keeps what is assumed of it
        stated, size, example = fields(example, "instances size counterexample"); sample = any(m.law == "subsample" for m in members(claim))
        for (key, m), pair in zip({digest(m.mechanism): m for m in members(claim) if m.law == "assumed"}.items(), stated, strict=True):
            said, proof = fields(pair, "claim certificate"); instances[key] = one = Claim(said)
            need(one.density is not None and one.inputs == m.inputs and one.defined == TRUE and all(p in claim.parameters for p in one.parameters))
            need([one.relation, said["level"], said["delta"], one.public] == [*m.mechanism["assumed"], []]); check_proof(one, decoded(proof))
    example = {**example, "event": fields(example["event"], "intervals values outcomes atoms continuous")}
    given, records, before, after, event, points = map(decoded, fields(example, "parameters instances before after event points"))
    need(max(sum(before), sum(after)) <= min(size, 16) if sample else size is None)
    numbers = [*(v for _, v in given), *(v for r in records for k, v in r if (k, v) != ("eps", OO)), *(() if claim.values else (*before, *after))]
    need(not any(names_in(normal(v, EMPTY)) for v in numbers) and dict(given).keys() == dict(claim.parameters).keys())
    here, records = Context(values={n: normal(v, EMPTY) for n, v in given}), claim.records or list(map(dict, records))
    need(all(set(r) == set(claim.bound) and truth(("<=", 0, r["eps"]), here) for r in records))
    need(all(truth(c, here) for _, c in claim.parameters) and all(truth(substitute(c, r), here) for r in records for _, c in claim.unknowns))
    claim.base, claim.records, chances = here, records, []; level = level_of_move(claim, before, after)
    for side, marks in zip((before, after), points, strict=True):
        outputs, law, atoms = law_at(claim, records, tuple(side), here, instances)
        need(probability(outputs, law, atoms, ([], [], [], dict(atoms), True), marks, here) == UNIT, Rejected, "a law has not the total 1")
        chances.append(probability(outputs, law, atoms, event, marks, here))
    excess = chances[0] - exp_of(normal(level, here)) * chances[1] - normal(claim.delta, here)
    need(constant_sign(excess) == 1 and constant_sign(chances[1]) in (0, 1), Rejected, "the event is not too likely")

# 11. statements (section 10), and claims that follow by laws (section 9)
def check_statement(data, record):  # a statement is proved for all values of its unknowns, or fails at some; whether without the word of solvers
    (left, relation, right), parameters, _ = fields(data, "statement parameters name"); a, b, unknowns = read(left), read(right), read_named(parameters)
    own, conditions, strict = [n for n, _ in unknowns], [c for _, c in unknowns], relation in ("<", ">")
    need(all(map(DECLARED.fullmatch, own)) and len(set(own)) == len(own) and all(scoped(e, own) for e in (a, b, *conditions)))
    gaps = {"<=": [(b, a)], "<": [(b, a)], "==": [(b, a), (a, b)], ">=": [(a, b)], ">": [(a, b)]}[relation]; gaps = [("+", x, ("*", -1, y)) for x, y in gaps]  # >= 0, or > 0
    if record["verdict"] == "refuted":
        given = dict(decoded(*fields(record["counterexample"], "values"))); need(all(truth(substitute(c, given), EMPTY) for c in conditions))
        need(any(constant_sign(normal(substitute(gap, given), EMPTY)) in (-1, 0)[:1 + strict] for gap in gaps)); return True
    proof, wanted = decoded(record["certificate"]), (digest(data), list(range(len(gaps))), "scope: all values of its unknowns")
    need((proof["claim"], proof["uses"], record["scope"]) == wanted); here = assume(conditions, Context())
    return all_shown([(here, partial(above_zero, gap) if strict else partial(closes, 1, ("+", gap, 1), 0)) for gap in gaps], proof["evidence"])
def above_zero(gap, leaf, here):  # the leaf shows gap > 0
    need(leaf["is"] == "closed"); here = extended(leaf["lemmas"], here); require(normal(gap, here), ">", next(iter(leaf["proofs"]), None), here)
def all_shown(sides, evidence):  # each (context, what a leaf has to show) is shown by some evidence, or without any, or on the word of solvers; whether without their word
    def shown(leaf, here, what):
        try: descend(leaf, here, what); return True
        except Exception: return False
    plain = {"is": "closed", "form": "log", "lemmas": [], "proofs": []}; open_sides = sum(not any(shown(leaf, *side) for leaf in [plain, *evidence]) for side in sides)
    need(open_sides <= sum(e["is"] == "solver word" for e in evidence), Rejected, "a side condition is not shown"); return not open_sides
WAYS = {  # relations of a premise and of the claim, for laws where these may differ, or that are not for all relations
    "subsample": (("add-remove", "ahdp"), ("add-remove", "add-remove"), ("ahdp", "ahdp")), "pull_back": (("add-remove", "add-remove"), ("ahdp", "ahdp")),
    "group": (("add-remove", "pairs"), ("ahdp", "pairs")), "to_ahdp": (("add-remove", "ahdp"),), "to_swap": (("add-remove", "swap"), ("ahdp", "swap")),
}
def to_json(e): return str(e) if head(e) == "number" else [e[0], *(map(to_json, inner(e)) if inner(e) else e[1:])]
def connected(defined, sides=(1, 2)):  # true only if datasets that satisfy it are closed under taking records away (1), or under adding some (2)
    def count(e): return head(e) == "sum" and all(head(v) == "number" and v >= 0 for v in branches(e[1]))
    def still(e): return head(e) == "number" or (head(e) == "name" and e[1] not in ("x", "eps"))
    return any(all(c == TRUE or (head(c) == "<=" and count(c[i]) and still(c[3 - i])) for c in conjuncts(defined)) for i in sides)
def becomes(claim, there, at, record):  # the record of the part's domain that a record is pulled back to
    (part,) = claim.parts; new = {n: record[f[1]] if head(f) == "name" and record and f[1] in record else f if head(f) in ("label", "oo") else at(f)
        for n, f in zip(part.bound, claim.formulas, strict=True)}
    if part.records: need(any(all(known_truth(("==", new[k], v), there, UNKNOWN) for k, v in r.items()) for r in part.records))
    for n, v in new.items() if part.unknowns else (): need((n, v) == ("eps", OO) or (not any(head(e) in ("oo", "label") for e in walk(v)) and normal(v, there)))
    need(all(truth(substitute(c, new), there) for _, c in part.unknowns)); return new
def by_law(claim, proof):  # the law leads from its premises, each proved, to the claim; whether without the word of solvers
    law, stated, here, premises = proof["law"], proof["stated"], claim.base, claim.parts; need(law != "written_out", NotCovered, "a claim about a law that is written out")
    def about(relation, level, delta): return Claim({"mechanism": claim.mechanism, "relation": relation, "level": level, "delta": delta, "public": claim.public})
    if law in ("weaken", "to_ahdp", "to_swap"): premises = [about(stated["relation"], to_json(stated["level"]), to_json(stated["delta"]))]
    else: need((claim.law, stated) == (law, None))
    kept = [about(*claim.mechanism["assumed"])] if law == "assumed" else premises; first = kept[0] if kept else None; need(proof["version"] == 1)
    need(all((p.relation, claim.relation) in WAYS[law] if law in WAYS else (p.relation, p.public) == (claim.relation, claim.public) for p in kept))
    for p in [normal(name(n), here) for n, _ in claim.parameters]: here = here.given(exp_of(p) - UNIT, ">") if here.signs(p) == POS else here  # exp(p) > 1 for p > 0
    claim.base, sides, weights = here, [], [1] * len(kept)
    def level_at(c, at): return at(c.level) if c.relation in OWN_LEVEL else c.level
    def not_below(there, *gaps): sides.extend((there, 1, ("+", gap, 1), 0) for gap in gaps)
    def at_least(there, level, spent): sides.extend([(there, 1, 1, ("+", level, ("*", -1, spent)))] * (level != OO))
    if law in ("group", "to_swap"): need(first.delta == 0 and connected(claim.defined))
    if law == "subsample": need(connected(first.defined, (1,)))
    if law == "mixture": weights = claim.formulas; need(normal(("+", *weights), here) == UNIT); not_below(here, *weights)
    if law == "normalised":
        need(claim.relation in ADDED); score, low, high = claim.formulas
        for bound, i in ((high, 1), (("*", -1, low), 0)):  # no move adds more than high to the score, or less than low
            shifted = copy.copy(claim); shifted.density, shifted.level = ("exp", score), bound; need(all(n[0] == "sum" for n in frame(shifted, False)[0]))
            sides += [(there, rebuild(e, p.get), rebuild(e, q.get), level) for there, p, q, level in [*obligations(shifted, False)][i::2] for e in laws_of(shifted)]
    if law == "to_swap" and first.relation == "ahdp":
        need(claim.records)
        for (_, at, *_), (_, also, *_) in itertools.combinations(places(claim), 2): at_least(here, claim.level, ("+", at(first.level), also(first.level)))
    for there, at, record, _ in places(claim) if law != "to_swap" or first.relation != "ahdp" else ():
        levels = [level_at(p, at) for p in kept] if law != "pull_back" else []; spent = ("max" if law == "mixture" else "+", *levels)
        if law == "subsample": keep = at(claim.formulas[0]); not_below(there, keep, ("+", 1, ("*", -1, keep))); spent = ("log", ("+", 1, ("*", keep, ("+", ("exp", *levels), -1))))
        if law == "subsample" and keep == 0: spent = 0
        if law == "to_swap": spent = ("+", first.level, first.level)
        if law == "pull_back": new = becomes(claim, there, at, record); spent = at_record(first.level, new, there) if first.relation == "ahdp" else first.level
        if law == "normalised": spent = ("+", at(high), ("*", -1, at(low)))
        at_least(there, level_at(claim, at), spent)
    not_below(here, ("+", claim.delta, *(("*", -1, w, p.delta) for w, p in zip(weights, kept))))
    sure = all_shown([(there, partial(closes, *side)) for there, *side in dict.fromkeys(sides)], proof["evidence"])
    return all([sure, *(check_proof(premise, p) for premise, p in zip(premises, proof["premises"], strict=True))])

# 12. records, files and the command
def digest(data): return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()).hexdigest()
def distinct(pairs): need(len(dict(pairs)) == len(pairs), Rejected, "a key occurs twice"); return dict(pairs)
def check_record(text):  # (verdict, what the record of this text shows); anything that goes wrong is an exception
    data = json.loads(text, parse_float=bytes, parse_constant=bytes, object_pairs_hook=distinct)  # bytes(text) is an error
    need(not {"best", "guess"} & set(data["claim"]), NotCovered, "optima")
    proved, said, seal = data["verdict"] == "proved", data["claim"], digest({k: v for k, v in data.items() if k != "sha256"}); trusts = data.get("trusts", [])
    fields(data, "format verdict claim fingerprint sha256 " + {"proved": "scope trusts certificate", "refuted": "counterexample"}[data["verdict"]])
    need((data["format"], data["sha256"], data["fingerprint"]) == (1, seal, digest(said)), Rejected, "its seal is broken")
    how, size = "for all values of its unknowns" if proved else "refuted, it fails at exact values", None
    if "statement" in said: sure = check_statement(said, data)
    elif not proved: check_example(Claim(said), data["counterexample"]); return "accepted", "refuted, the event is too likely under exact laws"
    else:
        claim, proof = Claim(said), decoded(data["certificate"]); size, sure = size_of(proof), check_proof(claim, proof, True); check_scope(claim, data["scope"], size)
        how = "law by law, down to what is assumed or re-derived" if proof["is"] == "by law" else "all obligations re-derived from the mechanism"
        how = how if size is None else "every pair of small datasets, or of values, tried"
    need(size is not None or sure != bool(trusts), Rejected, "it trusts others than it says")
    return ("accepted", "proved, " * proved + how) if sure else ("word", "on the word of " + " and ".join(map(str, trusts)))
def check_scope(claim, scope, size):  # the scope is that of the claim; of `defined` only that it is not simply true
    small = f"datasets of at most {size} record{'s' * (size != 1)}" if claim.bound and size is not None else ""; some = claim.law or moves(claim, False)
    every = "all pairs of datasets" if claim.relation == "pairs" else small or "all datasets" if claim.bound else "all inputs"
    inside = "scope: " + ("all pairs of datasets" if claim.relation == "pairs" else "all moves") + " inside "; whole = not claim.bound or claim.defined == TRUE or not some
    need(scope == "scope: " + (every if some else "no moves") if whole else scope.startswith(inside) and scope.endswith(small), Rejected, "its scope is another one")
def check_file(path):  # (verdict, what is said of it)
    ATOMS.clear()
    for f in [f for f in globals().values() if hasattr(f, "cache_clear")]: f.cache_clear()
    EMPTY.__init__()
    try: return check_record(Path(path).read_bytes().decode("utf-8"))
    except Exception as why: return "not covered" if isinstance(why, NotCovered) else "rejected", str(why) or type(why).__name__
def main():  # the command
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0]); parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("-q", action="store_true"); parser.add_argument("-j", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args(); files = [f for p in options.paths for f in (p.rglob("*.json") if p.is_dir() else [p])]
    files.sort(key=lambda f: -f.stat().st_size)  # the largest first
    with multiprocessing.Pool(options.j) as pool: found = pool.map(check_file, map(str, files), 1)
    lines = [f"{f}: {verdict}: {said}".replace(": word:", ":") for f, (verdict, said) in sorted(zip(files, found)) if not options.q or verdict != "accepted"]
    totals = {v: sum(v == verdict for verdict, _ in found) for v in ("accepted", "word", "not covered", "rejected")}
    print(*lines, ", ".join(f"{n} {'on the word of solvers' if v == 'word' else v}" for v, n in totals.items() if n) or "no records", sep="\n")
    return 1 if totals["rejected"] else 3 if totals["not covered"] else 0
# what is worked out once for a record
names, times, content, divide, names_in, exp_of, log_of, primes, enclose, constant_sign, both, added, frame = map(cache,
    (names, times, content, divide, names_in, exp_of, log_of, primes, enclose, constant_sign, both, added, frame))
EMPTY = Context(); sys.setrecursionlimit(20000)
if __name__ == "__main__": sys.exit(main())
