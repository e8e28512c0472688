#!/usr/bin/env python3
"""A second opinion on stored proofs and refutations: one file, standard library only, no code of the package.

    python3 proofs/recheck.py proofs/        one line for each record, then the totals (-q: only what is not accepted)

What has to be shown is worked out from the claim, as FORMAT.md says; the evidence only says where to split into cases, where to integrate and which facts to multiply.
What is not shown, and whatever goes wrong, is a rejection; what this file does not do is "not covered".  Comments say what is true of a function's result.
"""
import argparse, decimal, hashlib, itertools, json, math, multiprocessing, re, sys
from fractions import Fraction
from functools import cache, partial, reduce
from pathlib import Path
class Rejected(Exception): """Something is not shown."""
class Undecided(Rejected): """A sign that is needed is not known."""
class NoMove(Rejected): """Two inputs are not one move apart."""
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
    def __init__(self, num, den=()):
        self.num, self.den, self.hash = num, den, hash((frozenset(num.items()), den)); self.rational = None if den or any(num) else Fraction(num.get((), 0))
    def __hash__(self): return self.hash
    def __eq__(self, other): return self.num == other.num and self.den == other.den
    def __add__(self, other):
        if not self.den and not other.den: return Ratio(collected([*self.num.items(), *other.num.items()]))
        most = {f: max(dict(r.den).get(f, 0) for r in (self, other)) for f, _ in self.den + other.den}
        return reduced(total(product([top(r), *(f ** (k - dict(r.den).get(f, 0)) for f, k in most.items())]) for r in (self, other)), most)
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + -other
    def __mul__(self, other):
        if not isinstance(other, Ratio): return Ratio({m: whole(c * other) for m, c in self.num.items()}, self.den) if other else NOTHING
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
        if len(p.num) == 2 and out == ANY and all(invertible(a) for m in p.num for a, _ in m):
            (m, c), (n, d) = p.num.items(); out &= both(sign_set(c), self.signs(log_of(Ratio({m: c}) / Ratio({n: -d}))))
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
def value_sign(f, x): return constant_sign(total(x ** k * exp_of(x * a) * c for (k, a), c in f.items()))
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
def sign_inside(f, low, high):  # the sign of f on (low, high), or 0 where it is not shown: divided by an exponential, f rises or falls, as its derivative has a sign
    least = min(a for _, a in f); f, slope = {(k, a - least): c for (k, a), c in f.items()}, {}
    if set(f) == {(0, 0)}: return constant_sign(f[0, 0]) or 0
    for key, c in [((k, a), c * d) for (i, a), c in f.items() for k, d in ((i, a), (i - 1, i)) if d]: slope[key] = slope.get(key, NOTHING) + c
    s = sign_inside({key: c for key, c in slope.items() if c.num}, low, high)
    return s if value_sign(f, low) in (0, s) else -s if high and value_sign(f, high) in (0, -s) else 0

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
    return here.signs(normal(e, here)) if {-1, 1} <= signs else signs
def nonnegative(e, here): need(-1 not in here.signs(normal(e, here)) or -1 not in tree_signs(e, here)); return normal(e, here)  # the value of e, which is >= 0 by its sign

# 8. claims and their moves (sections 3 and 9)
OF_QUERIES, OF_DATASETS = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}, ("ahdp", "hdp", "add-remove", "swap", "pairs")
DECLARED = re.compile(r"[A-Za-z_]\w*(\[[1-9][0-9]*\])?", re.ASCII)
def fields(data, wanted): need(isinstance(data, dict) and set(data) == set(wanted.split())); return [data[k] for k in wanted.split()]  # exactly these
def read_value(data, base): return {f"{base}[{i}]": read(part) for i, part in enumerate(data[1:], 1)} if data[0] == "vector" else {base: read(data)}
def read_named(data): return [(n, read(c)) for n, c in data]
def equal(a, b, here=None):  # whether two constants, labels or oo are one value
    return a == b or (not {head(a), head(b)} & {"oo", "label"} and not (normal(a, here or EMPTY) - normal(b, here or EMPTY)).num)
def known_names(e, outer, body=()):  # whether names outside record sums are among `outer`, and those inside among `body`
    if head(e) in AGGREGATES: return bool(body) and known_names(e[1], body)
    return e[1] in outer if head(e) == "name" else all(known_names(a, outer, body) for a in inner(e))
class Claim:  # a claim as its JSON says, with every name in its place; `bound` are the names of a record, `direct` those of other inputs
    def __init__(self, data):
        mechanism, self.relation, level, delta, self.public = fields(data, "mechanism relation level delta public")
        self.level, self.delta, self.fingerprint, self.contexts, self.atoms, self.data = read(level), read(delta), digest(data), {}, [], mechanism
        self.records, self.unknowns, self.values, self.direct, self.bound, self.law, given = [], [], [], [], [], "", []
        if "law" in mechanism: inputs, outputs, parameters = read_composite(self, mechanism)
        elif "assumed" in mechanism: _, inputs, self.assumed, outputs, parameters = fields(mechanism,
            "name inputs assumed outputs parameters"); self.law, self.defined = "assumed", TRUE
        else: _, inputs, parameters, outputs, density, atoms, self.defined = fields(mechanism, "name inputs parameters outputs density atoms defined")
        if set(inputs) == {"records"}: self.records = [{**read_value(value, "x"), "eps": read(demand)} for value, demand in inputs["records"]]; self.bound = list(self.records[0])
        elif set(inputs) == {"queries"}: self.direct = [f"q[{i}]" for i in range(1, inputs["queries"] + 1)]
        elif set(inputs) == {"values"}: self.values = [read_value(v, "v") for v in inputs["values"]]; self.direct = list(self.values[0])
        else: self.unknowns, given = map(read_named, fields(inputs, "unknowns parameters")); self.bound = [n for n, _ in self.unknowns]; need("eps" in self.bound)
        self.outputs, self.parameters, self.inputs, self.raw_outputs, self.raw_parameters = [(n, kind, [read(v) for v in values]) for n, kind,
            values in outputs], read_named(parameters), inputs, outputs, parameters
        need(len({tuple(r.values()) for r in self.records}) == len(self.records) and len({tuple(v.values()) for v in self.values}) == len(self.values))
        need(not any(r["eps"] != OO and constant_sign(normal(r["eps"], EMPTY)) == -1 for r in self.records))
        outs, own = [o[0] for o in self.outputs], [n for n, _ in self.parameters]
        everything, body = [*outs, *own, *self.direct, *self.bound], {*self.bound, *own} - ({"eps"} & set(own))
        need(outs and all(DECLARED.fullmatch(n) for n in everything) and len(everything) - len(set(everything)) <= bool(self.records and "eps" in own)
            and self.parameters[:len(given)] == given)
        need(all(list(r) == self.bound and all(known_names(v, own) for v in r.values()) for r in self.records)
            and all(list(v) == self.direct and not any(map(names, v.values())) for v in self.values))
        for _, kind, values in self.outputs:
            need(kind in ("real", "integer", "finite") and (kind == "finite") == bool(values) and not any(map(names, values)) and len(set(values)) == len(values))
            need(not any(equal(a, b) for a, b in itertools.combinations(values[:99], 2)))
        if not self.law:
            self.density, self.defined, self.atoms = read(density), read(self.defined), [(read(at), read(mass)) for at, mass in atoms]
            need(not self.atoms or (len(outs) == 1 and self.outputs[0][1] != "finite" and len(dict(self.atoms)) == len(self.atoms)))
            need(known_names(self.density, {*outs, *own, *self.direct}, body)
                and all(known_names(e, {*own, *self.direct}, body) for e in (self.defined, *dict(self.atoms).values())))
        need(all(known_names(c, own) for _, c in self.parameters) and all(known_names(c, {*own, *self.bound}) for _, c in self.unknowns))
        of_one = {"ahdp": self.bound, "hdp": self.bound, "pairs": self.bound, "any": [*self.direct, *("other" + n[1:] for n in self.direct)]}.get(self.relation, [])
        need(self.relation in (OF_DATASETS[:4 + (self.law == "group")] if self.bound else ("any",) if self.values else OF_QUERIES) and known_names(self.level, {*own, *of_one}))
        need(known_names(self.delta, own) and set(self.public) <= set(self.bound) and (not self.public or self.relation == "hdp"))
        need((head(self.level) != "number" or self.level >= 0) and (head(self.delta) != "number" or 0 <= self.delta <= 1))
        labels = {n for n, _, values in self.outputs if any(head(v) == "label" for v in [*values, *dict(self.atoms)])}
        self.labelled = {n for part in getattr(self, "made_of", []) for n in part.labelled} | labels  # outputs that may be labels
        self.whole_names = frozenset(n for n, kind, _ in self.outputs if kind == "integer")
        self.base = assume([c for _, c in self.parameters], Context(whole_names=self.whole_names))
    def at_values(self, e, old, new):  # an expression between two values; a branch is taken where it is known
        e = substitute(e, {**old, **{"other" + k[1:]: v for k, v in new.items()}})
        while head(e) == "piecewise" and (known := [known_truth(c, self.base, UNKNOWN) for c in e[2::2]]) and None not in known[:known.index(True) if True in known else None]:
            e = branch(self.base, *e[1:])
        return e
    def known(self, conditions, whole_names, placed):  # the context of a move or state: parameters, conditions, and `defined` wherever it is used
        conditions = (*conditions, *(() if self.defined == TRUE else [rebuild(self.defined, nodes.get) for nodes in placed])); key = conditions, whole_names
        if key not in self.contexts: self.contexts[key] = assume(conditions, self.base.changed(whole_names=self.whole_names | whole_names))
        return self.contexts[key]
    @property
    def combinations(self):  # all combinations of the values of the finite outputs; none if there are no such outputs, or more than 4096
        finite = [o for o in self.outputs if o[1] == "finite"]; few = finite and math.prod(len(o[2]) for o in finite) <= 4096
        return [dict(zip([o[0] for o in finite], values)) for values in itertools.product(*(o[2] for o in finite))] if few else []
    @property
    def separable(self):  # whether there are several finite outputs, each with a factor of its own
        outs, parts = {o[0] for o in self.outputs}, zip(self.outputs, grouped(self.density, self.outputs)[1])
        return len(outs) > 1 and all(o[1] == "finite" and not (outs - {o[0]}) & names(g) for o, g in parts)
    def parts(self):  # the law of each part of the output space
        listed = self.combinations; return [self.density] * (not listed) + [substitute(self.density, c) for c in listed] + [mass for _, mass in self.atoms]
def factors(e):  # factors whose product is e: products, exponentials of sums and reciprocals of products taken apart
    if head(e) in ("*", "exp"): return [f for a in e[1:] for f in factors(a)] if e[0] == "*" else [("exp", t) for t in summands(e[1])]
    return [("^", f, -1) for f in factors(e[1])] if head(e) == "^" and e[2] == -1 and head(e[1]) == "*" else [e]
def summands(e):  # terms whose sum is e, with products distributed over sums
    if head(e) == "+": return [t for a in e[1:] for t in summands(a)]
    flat = [f for a in e[1:] for f in (factors(a) if head(a) == "*" else [a])] if head(e) == "*" else []; i = next((i for i, a in enumerate(flat) if head(a) == "+"), None)
    return [e] if i is None else [u for t in flat[i][1:] for u in summands(("*", *flat[:i], t, *flat[i + 1:]))]
def grouped(density, outputs):  # (prefactor, the factor of each output): a factor belongs to the last output that it mentions
    parts = [[] for _ in range(len(outputs) + 1)]
    for f in factors(density): parts[next((i for i in reversed(range(len(outputs))) if outputs[i][0] in names(f)), -1)].append(f)
    *own, prefactor = [("*", *p) if p else 1 for p in parts]; return prefactor, own
def places(claim):  # [(what is known, an expression there, record or None, conditions)] for listed records, or one of finite and one of infinite demand
    if claim.records: return [(claim.base, partial(at_record, bound=r, here=claim.base), r, ()) for r in claim.records]
    said = [c for _, condition in claim.unknowns for c in conjuncts(condition)]; calm = tuple(c for c in said if "eps" not in names(c)); endless = assume(calm, claim.base)
    if not said or any(known_truth(substitute(c, {"eps": OO}), endless, UNKNOWN) is False for c in said
        if "eps" in names(c)): return [(assume(said, claim.base), lambda e: e, None, tuple(said))]
    return [(assume(said, claim.base), lambda e: e, None, tuple(said)), (endless, lambda e: at_record(e, {"eps": OO}, endless) if "eps" in names(e) else e, None, calm)]
def frame(claim, counts):  # the record sums, what they are for the rest, (contributions, level, conditions, record) of kinds of records, conditions, whole names
    nodes = list(dict.fromkeys(part for e in (claim.density, *(mass for _, mass in claim.atoms), claim.defined) for part in walk(e) if head(part) in AGGREGATES))
    kinds = [([at(n[1]) for n in nodes], at(claim.level) if claim.relation in ("ahdp", "hdp") else claim.level, said, record) for _, at, record, said in places(claim)]
    bounds = [c for c in kinds[0][2] if "eps" in names(c)]; beyond = any(c[0] not in ("<", "<=") or c[2] != name("eps") or "eps" in names(c[1]) for c in bounds)
    if claim.unknowns and not (beyond or "eps" in names(claim.level).union(*(names(n[1]) for n in nodes))): kinds = kinds[:1]
    need(not any(part == OO for row, *_ in kinds for c in row for part in walk(c)))
    if counts:
        need(claim.records and all(n[0] == "sum" for n in nodes)); h = [name(f"#{w + 1}") for w in range(len(kinds))]
        rest = [("+", *(("*", kind[0][j], c) for kind, c in zip(kinds, h))) for j in range(len(nodes))]
        return nodes, rest, kinds, [("<=", 0, c) for c in h], frozenset(c[1] for c in h)
    rest, conditions, whole_names = [name(f"@{j + 1}") for j in range(len(nodes))], [], set()
    for j, n in enumerate(nodes):
        column = {kind[0][j]: kind[2] for kind in kinds}
        if all(never_negative(c, assume(said, claim.base)) for c, said in column.items()): conditions.append(("<=", 0, rest[j]))
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
        listed = [([{name(k): v for k, v in side.items()} for side in pair], claim.at_values(claim.level, *pair)) for pair in itertools.permutations(claim.values, 2)]
        return [(*sides, (), frozenset(), level) for sides, level in listed if level != OO]
    if not claim.bound:
        low, high = OF_QUERIES[claim.relation]
        listed = [{name(q): name("@d" + q[2:-1]) for q in moved} for moved in ([[q] for q in claim.direct] if claim.relation == "one" else [claim.direct])]
        return [({}, {q: ("+", q, d) for q, d in amounts.items()}, tuple(("and", ("<=", low, d), ("<=", d, high)) for d in amounts.values()), frozenset(), claim.level)
            for amounts in listed]
    nodes, rest, kinds, conditions, whole_names = frame(claim, counts)
    out, primed = [], {u: name(u + "'") for u, _ in claim.unknowns if claim.relation != "hdp" or u not in ("eps", *claim.public)}
    def joined(row): return {n: (AGGREGATES[n[0]], r, substitute(c, {})) for n, r, c in zip(nodes, rest, row, strict=True)}
    if claim.relation in ("ahdp", "add-remove"): return [(dict(zip(nodes, rest)), joined(row), (*conditions, *said), whole_names, level) for row, level, said, _ in kinds
        if level != OO]
    for (i, (row, level, said, old)), (j, (other, _, also, new)) in itertools.product(enumerate(kinds), repeat=2):
        kept = same_parts(claim, old, new) if claim.records and claim.relation == "hdp" else []
        if level != OO and kept is not None and (i != j if claim.records else i == j or claim.relation != "hdp"):
            there = [substitute(c, primed) for c in also]
            out.append((joined(row), joined([substitute(c, primed) for c in other]), (*conditions, *said, *there, *kept), whole_names, level))
    return out
def same_parts(claim, old, new):  # the conditions under which demand and public parts of two records agree, None where they never do
    pairs = [(old[k], new[k]) for k in ("eps", *claim.public) if old[k] != new[k]]
    if any({"label", "oo"} & {head(a), head(b)} for a, b in pairs): return None
    gaps = [normal(a, claim.base) - normal(b, claim.base) for a, b in pairs]
    return None if any(0 not in claim.base.signs(gap) for gap in gaps) else [("==", a, b) for (a, b), gap in zip(pairs, gaps) if gap.num]
def schema(claim, conditions):  # the one move that stands for all additions: contributions @c1, @c2, ... at @level, which satisfy conditions that every record satisfies
    need(claim.relation in ("ahdp", "add-remove") and claim.records and claim.delta == 0); nodes, rest, kinds, known, whole_names = frame(claim, False)
    row = [name(f"@c{j + 1}") for j in range(len(nodes))]
    for values, level, c in [(kind[0], kind[1], c) for kind in kinds if kind[1] != OO for c in conditions]:
        require(normal(substitute(c, {**{x[1]: v for x, v in zip(row, values)}, "@level": level}), claim.base), ">=", None, claim.base)
    after = {n: (AGGREGATES[n[0]], r, x) for n, r, x in zip(nodes, rest, row)}; whole_names |= {x[1] for x, r in zip(row, rest) if r[1] in whole_names}
    return [(dict(zip(nodes, rest)), after, (*known, *(("<=", 0, c) for c in conditions)), whole_names, name("@level"))]
def obligations(claim, counts, conditions):  # (context, nodes of P, nodes of Q, level) of every P <= exp(level) Q; with conditions, those of the schema
    seen = set(); need(not (conditions and counts))
    for before, after, known, whole_names, level in schema(claim, conditions) if conditions else moves(claim, counts):
        said = (*before.values(), *after.values(), known, level); here = claim.known(known, whole_names, (before, after)) if said not in seen else None
        if said not in seen: yield from ((here, before, after, level), (here, after, before, level))[:1 if claim.relation in ("swap", "any", "all") else 2]
        seen.add(said)

# 9. proofs
def check_mass(claim, mass, counts):  # the law is nowhere negative and has total 1, in every state
    states = [({name(k): v for k, v in value.items()}, claim.base) for value in claim.values] or [({}, claim.known((), frozenset(), ({},)))]
    if claim.bound: nodes, rest, _, conditions, whole_names = frame(claim, counts); states = [(alone := dict(zip(nodes, rest)), claim.known(conditions, whole_names, (alone,)))]
    at_once = len(claim.outputs) == 1 or (all(o[1] == "finite" for o in claim.outputs) and not claim.separable)
    groups, values, evidence = 1 if at_once else len(claim.outputs), mass["values"], mass["evidence"]
    need(mass["is"] == "mass" and len(evidence) == groups * len(states) and (at_once or len(values) == len(evidence)))
    for i, (nodes, here) in enumerate(states):
        law, known, stated = rebuild(claim.density, nodes.get), here, values[i * groups:(i + 1) * groups]; prefactor, parts = grouped(law, claim.outputs)
        if at_once: descend(evidence[i], here, partial(total_leaf, claim.outputs, law, [rebuild(mass, nodes.get) for _, mass in claim.atoms], 1)); continue
        for output, part, value, leaf in zip(claim.outputs, parts, stated, evidence[i * groups:]):
            need(names(value).isdisjoint(o[0] for o in claim.outputs)); descend(leaf, here, partial(total_leaf, [output], part, [], value))
            known = reduce(lambda h, fact: h.given(*fact), extended(leaf["lemmas"], here).facts[len(here.facts):] if leaf["is"] == "pieces" else (), known)
        need(normal(("*", prefactor, *stated), known) == UNIT)
def total_of(outputs, law, points, here):  # the total of a law that is >= 0
    if outputs[0][1] != "finite": return integral(law, outputs[0], points, here)
    return total(nonnegative(substitute(law, dict(zip([o[0] for o in outputs], c))), here) for c in itertools.product(*(o[2] for o in outputs)))
def total_leaf(outputs, law, atoms, value, leaf, here):  # the leaf shows that law and atoms are >= 0 and add up to the value
    need(leaf["is"] == "pieces"); here = extended(leaf["lemmas"], here)
    out = total(nonnegative(mass, here) for mass in atoms) + total_of(outputs, law, [normal(p, here) for p in leaf["points"]], here)
    need(not (out - normal(value, here)).num, Rejected, "a total is not what it should be")
def separate_leaf(claim, small, large, level, leaf, here):  # the leaf shows that each output keeps a level of its own, and that these add up to at most the claim's
    (prefactor, laws), here, leaves, levels = grouped(claim.density, claim.outputs), extended(leaf["lemmas"], here), list(leaf["leaves"]), leaf["levels"]
    listed = [(substitute(law, {n: v}), own) for (n, _, values), law, own in zip(claim.outputs, [*laws[:-1], ("*", prefactor, laws[-1])], levels, strict=True) for v in values]
    for (law, own), shown in zip(listed, leaves, strict=True): closes(rebuild(law, small.get), rebuild(law, large.get), own, shown, here)
    most, spent = normal(level, here), total(normal(own, here) for own in levels); need(leaf["is"] == "separate" and leaf["form"] in ("log", "direct"))
    require(most - spent if leaf["form"] == "log" else exp_of(most) - exp_of(spent), ">=", next(iter(leaf["proofs"]), None), here)
def divergence_leaf(claim, small, large, level, leaf, here):  # the leaf shows that what exceeds, where it counts, has a total of at most delta
    output, laws, here, final = claim.outputs[0], [(rebuild(law, small.get), rebuild(law, large.get)) for law in claim.parts()], extended(leaf["lemmas"], here), leaf["final"]
    continuous, points, out = output[1] != "finite", [normal(p, here) for p in leaf["points"]], normal(claim.delta, here)
    need(leaf["is"] == "divergence" and (len(claim.outputs) == 1 or (all(o[1] == "finite" for o in claim.outputs) and claim.combinations)))
    if continuous: integral(laws[0][0], output, points, here)
    where = [(laws[0], i) for i in range(len(points) + 1)] * continuous + [(law, None) for law in laws[continuous:]]
    for ((p, q), i), choice in zip(where, leaf["choices"], strict=True):
        counts, there = choice["counts"], here if i is None else piece(output, points, i, here); need(choice["is"] == "choice" and counts in ("none", "excess", "whole"))
        if counts != "whole": closes(p, q, level, choice["why"], there, 1 if counts == "none" else -1)
        p, q = ((normal(law, here) if i is None else piece_total(law, output, points, i, here, False)) if counts in kinds else NOTHING for law,
            kinds in ((p, ("excess", "whole")), (q, ("excess",))))
        out = out - p + exp_of(normal(level, here)) * q
    require(out, ">=", next(iter(final["proofs"]), None), extended(final["lemmas"], here))
def check_proof(claim, proof, alone=False):  # the proof shows the claim; whether it does so without solvers
    need(proof["claim"] == claim.fingerprint, Rejected, "it belongs to another claim")
    if proof["is"] == "by law": return by_law(claim, proof)
    evidence, uses, counts = proof["evidence"], proof["uses"], proof["counts"]; need(proof["is"] == "certificate" and isinstance(counts, bool) and not claim.law)
    sizes = [e["size"] for e in evidence if e["is"] == "enumeration"]; need(not sizes or alone, Rejected, "a premise is shown for some datasets only")
    empty = rebuild(claim.defined, lambda part: 0 if head(part) == "sum" else None)
    if claim.bound and any(n[0] != "sum" for n in frame(claim, False)[0]): need(not any(head(part) in AGGREGATES for part in walk(empty)) and not truth(empty, EMPTY))
    if any(e["is"] == "solver word" for e in evidence): return False
    if sizes: return enumerated(claim, proof, *sizes)
    check_mass(claim, proof["mass"], counts); laws = [None] if claim.delta != 0 or claim.separable else claim.parts()
    wanted = [(*o, law) for o in obligations(claim, counts, proof["conditions"]) for law in laws]
    need(len(wanted) == len(uses), Rejected, f"the claim asks for {len(wanted)} inequalities, the certificate answers {len(uses)}")
    need(all(type(i) is int and 0 <= i < len(evidence) for i in uses))
    for (here, small, large, level, law), i in zip(wanted, uses):
        if law is None: descend(evidence[i], here, partial(divergence_leaf if claim.delta != 0 else separate_leaf, claim, small, large, level))
        else: descend(evidence[i], here, partial(closes, rebuild(law, small.get), rebuild(law, large.get), level))
    return True
def enumerated(claim, proof, size):  # the claim holds on all datasets of at most so many records, or on all values: every pair, every output
    need(type(size) is int and size > 0 and not (proof["uses"] or proof["conditions"] or claim.parameters or claim.unknowns or (claim.direct and not claim.values)))
    need(all(o[1] == "finite" for o in claim.outputs) and claim.combinations and math.comb(size + len(claim.records), size) <= 300, NotCovered, "so large an enumeration")
    if proof["mass"]["evidence"]: check_mass(claim, proof["mass"], proof["counts"])
    counts = [[d.count(i) for i in range(len(claim.records))] for n in range(size + 1) for d in itertools.combinations_with_replacement(range(len(claim.records)), n)]
    table, delta = {}, normal(claim.delta, EMPTY)
    for side in map(tuple, counts if claim.bound else [v.values() for v in claim.values]):
        if claim.bound and not truth(rebuild(claim.defined, {n: v for n, v in input_nodes(claim, side).items() if len(v) > 1}.get), EMPTY): continue
        law = rebuild(claim.density, input_nodes(claim, side).get)
        table[side] = [nonnegative(substitute(law, c), EMPTY) for c in claim.combinations]; need(total(table[side]) == UNIT)
    for a, b in itertools.permutations(table, 2):
        try: level = level_of_move(claim, a, b)
        except NoMove: continue
        gaps = [p - exp_of(normal(level, EMPTY)) * q for p, q in zip(table[a], table[b])] if level != OO else []
        need(all(constant_sign(g) is not None for g in gaps) and constant_sign(delta - total(g for g in gaps if constant_sign(g) > 0)) in (0, 1))
    return True
def check_scope(claim, scope, proof):  # the scope is that of the claim; of `defined` only that it is not simply true
    sizes = [e["size"] for e in proof["evidence"] if e["is"] == "enumeration"] if claim.bound else []
    small = f"datasets of at most {sizes[0]} record{'s' * (sizes[0] != 1)}" if sizes else ""
    some = claim.law or moves(claim, False)
    kind = "all pairs of datasets" if claim.relation == "pairs" else "all inputs" if not claim.bound else (small or "all datasets") if some else "no moves"
    inside = "all pairs of datasets inside " if claim.relation == "pairs" else "all moves inside "
    need(scope.startswith("scope: " + inside) and scope.endswith(small) if claim.bound and claim.defined != TRUE and some
        else scope == "scope: " + (kind if some else "no moves"), Rejected,
        "its scope is another one")

# 10. refutations (section 6)
def check_example(claim, example):  # the counterexample refutes the claim: with its parameters put in, on a domain of its records
    parameters, instances, before, after, event, points = fields(example, "parameters instances before after event points")
    given, bound = {n: v for n, v in parameters}, claim.bound
    need(not claim.law and set(given) == {n for n, _ in claim.parameters} and len(given) == len(parameters) and (claim.unknowns or not instances))
    records = [dict(r) for r in instances] if claim.unknowns else [{k: substitute(v, given) for k, v in r.items()} for r in claim.records]
    need(all(set(r) == set(bound) for r in records))
    numbers = [*given.values(), *(v for r in records if claim.unknowns for k, v in r.items() if (k, v) != ("eps", OO)), *(() if claim.values else before + after)]
    conditions = [substitute(c, given) for _, c in claim.parameters] + [("<=", 0, r["eps"]) for r in records] + [substitute(c, {**given, **r}) for r in records for _,
        c in claim.unknowns]
    need(all(head(part) in ("number", "pi", *CALCULATED) for v in numbers for part in walk(v)) and all(truth(c, EMPTY) for c in conditions))
    claim.records, claim.unknowns, claim.base, claim.atoms = records, [], Context(whole_names=claim.whole_names), [(at, substitute(mass, given)) for at, mass in claim.atoms]
    claim.level = substitute(claim.level, {k: v for k, v in given.items() if k not in bound or claim.relation not in ("ahdp", "hdp")})
    claim.density, claim.defined, delta = (substitute(e, given) for e in (claim.density, claim.defined, claim.delta)); level, chances = level_of_move(claim, before, after), []
    for side, listed in zip((before, after), points, strict=True):
        nodes = input_nodes(claim, side); need(truth(rebuild(claim.defined, nodes.get), EMPTY) and level != OO)
        law, atoms, marks = rebuild(claim.density, nodes.get), [(at, rebuild(mass, nodes.get)) for at, mass in claim.atoms], dict(listed)
        need(probability(claim, law, atoms, ([], [], [], [at for at, _ in atoms], True), marks) == UNIT and len(marks) == len(listed), Rejected, "a law has not the total 1")
        chances.append(probability(claim, law, atoms, event, marks))
    excess = chances[0] - exp_of(normal(level, EMPTY)) * chances[1] - normal(delta, EMPTY)
    need(constant_sign(excess) == 1 and constant_sign(chances[1]) in (0, 1), Rejected, "the event is not too likely")
def dataset(claim, side): need(len(side) == len(claim.records) and all(isinstance(h, int) and h >= 0 for h in side)); return side
def input_nodes(claim, side):  # what the nodes of the law are at an input
    need(not claim.values or dict(zip(claim.direct, side, strict=True)) in claim.values)
    if not claim.bound: return {name(q): v for q, v in zip(claim.direct, side, strict=True)}
    nodes, _, kinds, _, _ = frame(claim, False); held = [(row, h) for (row, *_), h in zip(kinds, dataset(claim, side)) if h]
    return {n: ("+", 0, *(("*", h, row[j]) for row, h in held)) if n[0] == "sum" else (AGGREGATES[n[0]], *(row[j] for row, _ in held)) for j, n in enumerate(nodes)}
def level_of_move(claim, before, after):  # the level of the move between two inputs
    if claim.values: need(before != after, NoMove); return claim.at_values(claim.level, *(dict(zip(claim.direct, side, strict=True)) for side in (before, after)))
    if not claim.bound:
        moved, (low, high) = [g.rational for g in (normal(b, EMPTY) - normal(a, EMPTY) for a, b in zip(before, after, strict=True)) if g.num], OF_QUERIES[claim.relation]
        need(moved and None not in moved and any(all(low <= s * g <= high for g in moved) for s in (1, -1)) and (claim.relation != "one" or len(moved) == 1), NoMove)
        return claim.level
    kinds, gaps = frame(claim, False)[2], {w: b - a for w, (a, b) in enumerate(zip(dataset(claim, before), dataset(claim, after))) if a != b}
    levels, moved = [kinds[w][1] for w in gaps if kinds[w][1] != OO] or [OO], [kinds[w][3] for w in gaps]
    if claim.relation in ("ahdp", "add-remove"): need(list(map(abs, gaps.values())) == [1], NoMove); return levels[0]
    need(sorted(gaps.values()) == [-1, 1] and (claim.relation == "swap" or all(equal(moved[0][k], moved[1][k]) for k in ("eps", *claim.public))), NoMove)
    return levels[-1] if len(levels) == 1 or truth(("<=", levels[1], levels[0]), EMPTY) else levels[0]
def mixed(claim, law): return any(len({o[1] == "finite" for o in claim.outputs if o[0] in names(f)}) > 1 for f in factors(law))  # a finite output beside another one
def by_cases(claim, law, event, points):  # the probability of an event: the sum over the values of the finite outputs, put into law, ends and points
    intervals, values, outcomes, chosen, continuous = event; finite, outputs, out = [o for o in claim.outputs if o[1] == "finite"], claim.outputs, NOTHING
    sets = dict(values); taken = [sets.get(n, listed) for n, _, listed in finite]; need(continuous is True and not outcomes and not chosen and len(sets) == len(values))
    need(set(sets) <= {n for n, *_ in finite} and all(len(set(t)) == len(t) and set(t) <= set(listed) for t, (_, _, listed) in zip(taken, finite)))
    need(math.prod(len(listed) for *_, listed in finite) <= 4096); claim.outputs = [o for o in outputs if o[1] != "finite"]
    for put in (dict(zip([n for n, *_ in finite], c)) for c in itertools.product(*taken)):
        ends = [[n, *(None if e is None else substitute(e, put) for e in span)] for n, *span in intervals]
        out = out + probability(claim, substitute(law, put), [], (ends, [], [], [], True), {n: [substitute(p, put) for p in listed] for n, listed in points.items()})
    claim.outputs = outputs; return out
def probability(claim, law, atoms, event, points):  # the probability of an event, of a law without names but the outputs
    if mixed(claim, law): return by_cases(claim, law, event, points)
    here, (intervals, values, outcomes, chosen, continuous) = Context(whole_names=claim.whole_names), event; spans, sets = {n: ends for n, *ends in intervals}, dict(values)
    outs, finite = [o[0] for o in claim.outputs], {o[0] for o in claim.outputs if o[1] == "finite"}
    need(len(spans) + len(sets) == len(intervals) + len(values) and set(spans) <= set(outs) - finite and set(sets) <= finite and set(chosen) <= set(dict(atoms)))
    need(isinstance(continuous, bool) and (not outcomes or (not intervals and not values and len(finite) == len(outs))) and len(set(map(tuple, outcomes))) == len(outcomes))
    need(all(all(v in o[2] for v, o in zip(c, claim.outputs, strict=True)) for c in outcomes)); out = total(nonnegative(mass, here) for at, mass in atoms if at in chosen)
    if outcomes or not continuous: return out + total(nonnegative(substitute(law, dict(zip(outs, c))), here) for c in outcomes)
    if not (intervals or values) and len(finite) == len(outs) > 1 and claim.combinations: return out + total_of(claim.outputs, law, [], here)
    prefactor, groups = grouped(law, claim.outputs); part = normal(prefactor, here)
    for i, ((n, kind, listed), group) in enumerate(zip(claim.outputs, groups)) if part.num else ():
        span, marks, taken, ascending = spans.get(n, (None, None)), points.get(n, []), sets.get(n, listed), []
        need(all(e is None or names(e) <= set(outs[:i]) for e in (*span, *marks)) and len(set(taken)) == len(taken) and set(taken) <= set(listed))
        low, high = (None if e is None else normal(e, here) for e in span)
        for p in [*(normal(e, here) for e in marks), *(e for e in (low, high) if e is not None)]:
            order = [sign_of(p - q, here) for q in ascending]; ascending[sum(s > 0 for s in order):0] = [p] * (0 not in order)
        start, stop = (None if e is None else next(i for i, p in enumerate(ascending) if not (p - e).num) for e in (low, high))
        if start is not None and stop is not None and start >= stop: return out
        part = part * (total_of([(n, kind, taken)], group, [], here) if kind == "finite" else integral(group, (n, kind, listed), ascending, here, start, stop))
    return out + part

# 11. statements (section 10), and claims that follow by laws (section 9)
class Statement:  # left `relation` right for all values of the unknowns that satisfy their conditions; what has to be >= 0 (or > 0) are its gaps
    def __init__(self, data):
        (left, self.relation, right), parameters, _ = fields(data, "statement parameters name"); self.parameters, self.fingerprint = read_named(parameters), digest(data)
        own, sides = [n for n, _ in self.parameters], [read(left), read(right)]; self.strict = self.relation in ("<", ">")
        need(self.relation in ("<=", "<", "==", ">=", ">") and all(DECLARED.fullmatch(n) for n in own) and len(set(own)) == len(own))
        need(all(known_names(e, own) for e in (*sides, *(c for _, c in self.parameters))))
        self.gaps = [("+", b, ("*", -1, a)) for a, b in (sides, sides[::-1])][slice(*{"==": (0, 2), "<": (0, 1), "<=": (0, 1)}.get(self.relation, (1, 2)))]
    def check(self, proof):  # the certificate proves it
        need(proof["is"] == "certificate" and proof["claim"] == self.fingerprint
            and (proof["conditions"], proof["counts"], proof["mass"]["values"], proof["mass"]["evidence"]) == ([], False, [], []))
        need(proof["uses"] == list(range(len(self.gaps))) and not any(isinstance(i, bool) for i in proof["uses"]))
        for gap, evidence in zip(self.gaps, proof["evidence"], strict=True):
            leaf = partial(above_zero, gap) if self.strict else partial(closes, 1, ("+", gap, 1), 0)
            descend(evidence, assume([c for _, c in self.parameters], Context()), leaf)
    def refute(self, example):  # it fails at these values
        (values,) = fields(example, "values"); given = dict(values); need([n for n, _ in values] == [n for n, _ in self.parameters])
        need(all(head(part) in ("number", "pi", *CALCULATED) for v in given.values() for part in walk(v)) and all(truth(substitute(c, given), EMPTY) for _, c in self.parameters))
        need(constant_sign(normal(substitute(self.gaps[0], given), EMPTY)) in ((-1, 1) if self.relation == "==" else (-1, 0) if self.strict else (-1,)))
def above_zero(gap, leaf, here):  # the leaf shows gap > 0
    need(leaf["is"] == "closed" and leaf["form"] == "direct" and len(leaf["proofs"]) <= 1); here = extended(leaf["lemmas"], here)
    require(normal(gap, here), ">", next(iter(leaf["proofs"]), None), here)
MADE = {"compose": (1, 99), "product": (1, 99), "post_process": (1, 2), "subsample": (1, 1), "mixture": (1, 99), "normalised": (0, 0), "pull_back": (1, 1), "group": (1, 1)}
def read_composite(claim, data):  # (inputs, outputs, parameters) of a composite, as JSON; its parts, formulas and where it is defined become those of the claim
    law, parts, title, own, domain, released, formulas = fields(data, "law parts name own domain released formulas")
    parts, formulas, earlier = [Claim(p) for p in parts], [read(f) for f in formulas], {}
    claim.law, claim.made_of, claim.formulas = law, parts, formulas; (least, most), inputs = MADE[law], domain if domain is not None else parts[0].inputs
    need(least <= len(parts) <= most and isinstance(title, str) and (domain is not None) == (law in ("normalised", "pull_back")) and all(p.relation != "pairs" for p in parts))
    need((not own or law in ("subsample", "mixture", "normalised", "pull_back")) and (domain is not None or all(p.inputs == inputs for p in parts)))
    counts = {"subsample": 1, "mixture": len(parts), "normalised": 3, "pull_back": len(parts[0].bound) if law == "pull_back" else 0, "post_process": len(released)}
    need(len(formulas) == counts.get(law, 0) and bool(released) == (law == "normalised" or (law == "post_process" and len(parts) == 1))
        and (law != "normalised" or all(kind == "finite" for _, kind, _ in released)))
    outputs = released or ([o for p in parts for o in p.raw_outputs] if law in ("compose", "product") else parts[-1].raw_outputs)
    need(law != "mixture" or all(p.raw_outputs == outputs for p in parts)); seen = [o[0] for p in parts for o in p.outputs] if law == "post_process" else []
    parameters = list(inputs.get("parameters", []))
    for p in parts:  # a part may read an output of an earlier one: of that it assumes nothing, or what is true of all values; nothing else of it may hang on that
        need((names(p.level) | names(p.delta) | names(p.defined)).isdisjoint(earlier))
        for n, c in p.parameters:
            need(names(c).isdisjoint(earlier) or n in earlier)
            if n in earlier:
                values, labelled = earlier[n]; need(not labelled)
                need(c == TRUE or (values and names(c) <= {n} and all(truth(substitute(c, {n: v}), EMPTY) for v in values)))
        parameters += [pair for pair, (n, _) in zip(p.raw_parameters, p.parameters) if n not in earlier and pair not in parameters]
        if law in ("compose", "post_process"): earlier |= {n: (values, n in p.labelled) for n, _, values in p.outputs}
    parameters += [pair for pair in own if pair not in parameters]; everything = seen + [o[0] for o in outputs if released or law != "post_process"] + [n for n, _ in parameters]
    need(len(set(everything)) == len(everything))
    if law == "post_process" and released:
        outer = {*(n for n, _ in parameters), *seen}; need(all(known_names(f, outer) for f in formulas))
        need(all(kind == "real" for _, kind, _ in released), NotCovered, "outputs that are computed and finite")
    said = list(dict.fromkeys(c for p in parts for c in conjuncts(p.defined) if c != TRUE)); moved = dict(zip(parts[0].bound, formulas)) if law == "pull_back" else {}
    if moved: said = [rebuild(c, lambda e: (e[0], rebuild(e[1], lambda x: moved.get(x[1]) if head(x) == "name" else None)) if head(e) in AGGREGATES else None) for c in said]
    claim.defined = reduce(lambda x, y: ("and", x, y), said) if said else TRUE
    return inputs, outputs, parameters
def connected(defined, sides=(1, 2)):  # true only if datasets that satisfy it are closed under taking records away (1), or under adding some (2)
    def count(e): return head(e) == "sum" and all(head(v) == "number" and v >= 0 for v in (e[1][1::2] if head(e[1]) == "piecewise" else e[1:]))
    def still(e): return head(e) == "number" or (head(e) == "name" and e[1] not in ("x", "eps"))
    return any(all(c == TRUE or (head(c) == "<=" and count(c[i]) and still(c[3 - i])) for c in conjuncts(defined)) for i in sides)
def law_places(claim, of_records=False):  # [(what is known, an expression at the place, the record or None)]
    if of_records or claim.relation in ("ahdp", "hdp", "pairs"): return [(there, at, record) for there, at, record, _ in places(claim)]
    pairs = itertools.permutations(claim.values, 2)
    return [(claim.base, partial(claim.at_values, old=old, new=new), None) for old, new in pairs] if claim.values else [(claim.base, lambda e: e, None)]
def summed(levels, sign="+"): need(all(e == OO or OO not in walk(e) for e in levels)); return OO if OO in levels else (sign, *levels)  # in [0, oo]
def at_least(here, level, spent):  # the side conditions (context, P, Q, L), each P <= exp(L) Q, that a level is at least what is spent
    need(level == OO or (spent != OO and OO not in walk(level) and OO not in walk(spent))); return [] if level == OO else [(here, 1, 1, ("+", level, ("*", -1, spent)))]
def not_below(here, e): return [(here, 1, ("+", e, 1), 0)]  # that e >= 0
def rule(claim, law, stated):  # (premises, side conditions) under which a law gives the claim
    for n in [name(n) for n, _ in claim.parameters]:  # for each parameter that is > 0 its exponential is > 1
        if claim.base.signs(normal(n, claim.base)) == POS: claim.base = claim.base.given(exp_of(normal(n, claim.base)) - UNIT, ">")
    parts, base, records = getattr(claim, "made_of", []), claim.base, claim.relation in ("ahdp", "add-remove")
    def covered(spent, delta=0): return [s for here, at, _ in law_places(claim) for s in at_least(here, at(claim.level), spent(at))] + not_below(base,
        ("+", claim.delta, ("*", -1, delta)))
    if law in ("weaken", "to_ahdp", "to_swap"):
        before = Claim({"mechanism": claim.data, "relation": stated["relation"], "level": to_json(stated["level"]), "delta": to_json(stated["delta"]), "public": claim.public})
        need(law != "weaken" or before.relation == claim.relation); need(law != "to_ahdp" or (before.relation, claim.relation) == ("add-remove", "ahdp"))
        if law != "to_swap": return [before], covered(lambda at: at(before.level) if law == "weaken" else before.level, before.delta)
        need(claim.relation == "swap" and before.relation in ("ahdp", "add-remove") and before.delta == 0 and connected(claim.defined)
            and (claim.records or before.relation == "add-remove"))
        spent = [[before.level] * 2] if before.relation == "add-remove" else [[p[1](before.level), q[1](before.level)] for p, q in itertools.combinations(law_places(before), 2)]
        return [before], [s for pair in spent for s in at_least(base, claim.level, summed(pair))] + not_below(base, claim.delta)
    need(law != "written_out", NotCovered, "a claim about the law that is written out"); need(claim.law == law and stated is None)
    if law == "assumed": need(claim.assumed[0] == claim.relation and not claim.public); return [], covered(lambda at: at(read(claim.assumed[1])), read(claim.assumed[2]))
    if law in ("compose", "product", "post_process", "mixture"): need(all(p.relation == claim.relation and p.public == claim.public for p in parts))
    if law in ("compose", "product", "post_process"): return parts, covered(lambda at: summed([at(p.level) for p in parts]), ("+", *(p.delta for p in parts)))
    if law == "mixture":
        need(normal(("+", *claim.formulas), base) == UNIT and all(known_names(w, [n for n, _ in claim.parameters]) for w in claim.formulas))
        weights = [s for w in claim.formulas for s in not_below(base, w)]
        return parts, weights + covered(lambda at: summed([at(p.level) for p in parts], "max"), ("+", *(("*", w, p.delta) for w, p in zip(claim.formulas, parts))))
    if law == "group": need(claim.relation == "pairs" and parts[0].relation in ("ahdp", "add-remove") and parts[0].delta == 0
        and connected(claim.defined)); return parts, covered(lambda at: at(parts[0].level))
    need(records and claim.bound and all(known_names(f, {*claim.bound, *(n for n, _ in claim.parameters)}) for f in claim.formulas[law == "normalised":]))
    if law == "normalised":
        score, low, high = claim.formulas; out = []
        for bound, up in ((high, True), (("*", -1, low), False)):
            law_of = Claim({"mechanism": {"name": "", "inputs": claim.inputs, "parameters": claim.raw_parameters, "outputs": claim.raw_outputs, "density": to_json(("exp", score)),
                "atoms": [],
                                          "defined": ["boolean", True]}, "relation": claim.relation, "level": to_json(bound), "delta": "0", "public": []})
            law_of.base = base
            for before, after, known, whole_names, level in moves(law_of, False):
                here, first, second = law_of.known(known, whole_names, ()), *((before, after) if up else (after, before)); need(all(n[0] == "sum" for n in before))
                out += [(here, rebuild(part, second.get), rebuild(part, first.get), level) for part in law_of.parts()]
        return [], out + covered(lambda at: summed([at(high), ("*", -1, at(low))]))
    (part,), out, delta = parts, [], not_below(base, ("+", claim.delta, ("*", -1, parts[0].delta)))
    if law == "subsample":
        (keep,), where = claim.formulas, law_places(claim, True); need(part.relation == "add-remove" or part.relation == claim.relation == "ahdp")
        need(connected(part.defined, (1,)))
        for here, at, _ in where: out += not_below(here, at(keep)) + not_below(here, ("+", 1, ("*", -1, at(keep))))
        for here, at, _ in where:
            spent = summed([at(part.level)]) if at(part.level) == OO else ("log", ("+", 1, ("*", at(keep), ("+", ("exp", at(part.level)), -1))))
            out += at_least(here, at(claim.level), 0 if spent == OO and at(keep) == 0 else spent)
        return parts, out + delta
    need(law == "pull_back" and part.relation == claim.relation)
    for here, at, record in law_places(claim, True):
        becomes = {n: record[f[1]] if head(f) == "name" and record and f[1] in record else f if head(f) in ("label", "oo") else at(f) for n, f in zip(part.bound, claim.formulas)}
        if part.records: need(any(all(equal(becomes[k], v, here) for k, v in r.items()) for r in part.records))
        for n, v in becomes.items() if part.unknowns else (): need((n, v) == ("eps", OO) or (OO not in walk(v) and head(v) != "label" and normal(v, here)))
        need(all(truth(substitute(c, becomes), here) for _, condition in part.unknowns for c in conjuncts(condition)))
        out += at_least(here, at(claim.level), at_record(part.level, becomes, here) if part.relation == "ahdp" else part.level)
    return parts, out + delta
def by_law(claim, proof):  # the law leads from its premises, each proved, to the claim; whether without solvers
    premises, sides = rule(claim, proof["law"], proof["stated"]); need(proof["version"] == 1 and type(proof["version"]) is int and match(proof["evidence"], sides))
    return all([check_proof(premise, p) for premise, p in zip(premises, proof["premises"], strict=True)])
def match(evidence, sides):  # whether the evidence shows the side conditions, in order; for one that holds as it stands, both sides being the same, it may be left out
    def accepted(here, small, large, level):
        try: descend(evidence[0], here, partial(closes, small, large, level)); return True
        except UNKNOWN: return False
    if not sides or len(evidence) > len(sides): return not sides and not evidence
    (here, small, large, level), rest = sides[0], sides[1:]
    if evidence and accepted(here, small, large, level) and match(evidence[1:], rest): return True
    try: plain = not normal(level, here).num and not (normal(small, here) - normal(large, here)).num
    except UNKNOWN: return False
    return plain and match(evidence, rest)
def to_json(e): return str(e) if head(e) == "number" else [e[0], *(map(to_json, inner(e)) if inner(e) else e[1:])]

# the law of a composite, written out as the JSON of a mechanism; not covered where that takes more than products, sums and samples
def written(mechanism, instances, size):
    if "density" in mechanism: return mechanism
    if "assumed" in mechanism: return instances[json.dumps(mechanism, sort_keys=True)]
    law, parts, whole = mechanism["law"], [written(p["mechanism"], instances, size) for p in mechanism["parts"]], dict(mechanism)
    need(law in ("compose", "product", "mixture", "group", "subsample"), NotCovered, f"the law of a {law}, written out")
    whole["parts"] = [{**p, "mechanism": m} for p, m in zip(mechanism["parts"], parts)]
    made = Claim({"mechanism": whole, "relation": parts_relation(whole), "level": ["oo"], "delta": "0", "public": []}); defined = [m["defined"] for m in parts]
    if law == "group" or (law in ("compose", "product") and len(parts) == 1): density, atoms = parts[0]["density"], parts[0]["atoms"]
    else:
        atoms = []; need(not any(m["atoms"] for m in parts), NotCovered, "atoms of a law that is written out")
        if law == "mixture":
            density = ["+", *(["*", w, m["density"]] for w, m in zip(mechanism["formulas"], parts))]; defined += [["<=", "0", w] for w in mechanism["formulas"]]
            need(normal(("+", *made.formulas), made.base) == UNIT)
        elif law == "subsample": density, more = sampled(made, parts[0]["density"], size); defined += more
        else: density = ["*", *(m["density"] for m in parts)]
    outs = {o[0] for o in made.outputs}
    need(not any(names(e) & outs for e in walk(read(density)) if head(e) in AGGREGATES), NotCovered, "a sum over records that reads an output")
    return {"name": "", "inputs": made.inputs, "parameters": made.raw_parameters, "outputs": made.raw_outputs, "density": density, "atoms": atoms,
        "defined": reduce(lambda x, y: ["and", x, y], defined)}
def parts_relation(m): return "pairs" if m["law"] == "group" else m["parts"][0]["relation"] if m["law"] != "subsample" else "ahdp"
def put_in(e, record, here): return at_record(e, record, here) if record["eps"] == OO else substitute(e, record)  # a limit at demand oo
def sum_at(made, kept, e):  # a sum over the records of a dataset that is known
    if head(e) not in AGGREGATES: return None
    need(head(e) == "sum", NotCovered, "extremes of a sample"); values = [put_in(e[1], r, made.base) for r in made.records]; need(OO not in values)
    return ("+", 0, *(("*", k, v) for k, v in zip(kept, values) if k))
def sampled(made, density, size):  # the density of a sample of at most `size` listed records, as JSON, and where it is meant
    one = len(made.records) == 1; small = made.records and math.comb(size + len(made.records), size) <= 1024
    need(small and (one or not any(names(r["eps"]) for r in made.records)), NotCovered, "such a sample, written out")
    keep, tree, terms = [put_in(made.formulas[0], r, made.base) for r in made.records], read(density), []
    conditions = [reduce(lambda x, y: ["and", x, y], [["==", ["name", k], to_json(v)] for k, v in r.items()]) for r in made.records]
    counts = [["sum", "1"] if one else ["sum", ["piecewise", "1", c, "0", ["boolean", True]]] for c in conditions]
    for kept in itertools.product(range(size + 1), repeat=len(keep)):
        if sum(kept) > size: continue
        chances = [["piecewise", ["*", ["binomial", n, str(k)], ["^", p, str(k)], ["^", ["+", "1", ["*", "-1", p]], ["+", n, str(-k)]]], ["<=", str(k), n], "0",
            ["boolean", True]] for n, k, p in zip(counts, kept, map(to_json, keep))]
        terms.append(["*", *chances, to_json(rebuild(tree, partial(sum_at, made, kept)))])
    return ["+", *terms], [c for p in map(to_json, keep) for c in (["<=", "0", p], ["<=", p, "1"])] + [["<=", ["sum", "1"], str(size)]]
def check_of_instance(claim, data, example):  # each instance keeps what is assumed, and the claim about the law that is written out has the counterexample
    instances, size, counterexample = fields(example, "instances size counterexample"); wanted, sample = {}, []
    def collect(m):
        if "assumed" in m: wanted[json.dumps(m, sort_keys=True)] = m
        sample.append(m.get("law") == "subsample")
        for p in m.get("parts", []): collect(p["mechanism"])
    collect(data["mechanism"]); need(claim.law and len(wanted) == len(instances) and (size is not None) == any(sample) and (size is None or (type(size) is int and size > 0)))
    for a, pair in zip(wanted.values(), instances):
        said, proof = fields(pair, "claim certificate"); m, (relation, level, delta) = said["mechanism"], a["assumed"]
        need("density" in m and m["inputs"] == a["inputs"] and m["defined"] == ["boolean", True])
        need([said["relation"], said["level"], said["delta"], said["public"]] == [relation, level, delta, []])
        need(check_proof(Claim(said), decoded(proof)), Rejected, "an instance is not proved")
    law = written(data["mechanism"], {k: pair["claim"]["mechanism"] for k, pair in zip(wanted, instances)}, size)
    more = [p for p in claim.raw_parameters if p not in law["parameters"]]
    check_plain({**data, "mechanism": {**law, "parameters": law["parameters"] + more}, "relation": "ahdp" if claim.relation == "pairs" else claim.relation}, counterexample)
def check_plain(data, example):  # the counterexample refutes the claim of this JSON
    event = fields(example["event"], "intervals values outcomes atoms continuous")
    check_example(Claim(data), {k: decoded(event if k == "event" else v) for k, v in example.items()})

# 12. records, files and the command
def digest(data): return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()).hexdigest()
def refuse(text): raise Rejected(f"{text[:20]} is not exact")
def distinct(pairs): need(len(dict(pairs)) == len(pairs), Rejected, "a key occurs twice"); return dict(pairs)
def check_record(text):  # (verdict, what the record of this text shows); anything that goes wrong is an exception
    data = json.loads(text, parse_float=refuse, parse_constant=refuse, object_pairs_hook=distinct); verdict = data["verdict"]
    need(data["format"] == 1 and type(data["format"]) is int and verdict in ("proved", "refuted"), Rejected, "it is no stored record of format 1")
    fields(data, "format verdict claim fingerprint sha256 " + ("scope trusts certificate" if verdict == "proved" else "counterexample"))
    need(digest({k: v for k, v in data.items() if k != "sha256"}) == data["sha256"], Rejected, "its seal is broken")
    claim = (Statement if "statement" in data["claim"] else Claim)(data["claim"])
    need(data["fingerprint"] == claim.fingerprint, Rejected, "its fingerprint is that of another claim")
    if isinstance(claim, Statement) and verdict == "refuted": claim.refute({"values": decoded(*fields(data["counterexample"],
        "values"))}); return "accepted", "refuted, the statement fails at exact values"
    if isinstance(claim, Statement):
        claim.check(decoded(data["certificate"])); need((data["scope"], data["trusts"]) == ("scope: all values of its unknowns", []))
        return "accepted", "proved, for all values of its unknowns"
    if verdict == "refuted":
        if claim.law: check_of_instance(claim, data["claim"], data["counterexample"]); return "accepted", "refuted, by a law that is written out"
        check_plain(data["claim"], data["counterexample"])
        return "accepted", "refuted, the event is too likely under exact laws"
    sure = check_proof(claim, proof := decoded(data["certificate"]), True); check_scope(claim, data["scope"], proof)
    small = any(e["is"] == "enumeration" for e in proof["evidence"])
    need(sure != bool(data["trusts"]) or small)
    how = "law by law, down to what is assumed or re-derived" if proof["is"] == "by law" else "all obligations re-derived from the mechanism"
    how = "every pair of small datasets, or of values, tried" if small else how
    return ("accepted", f"proved, {how}") if sure else ("word", "on the word of z3 and cvc5")
def check_file(path):  # (verdict, what is said of it)
    ATOMS.clear()
    for f in [f for f in globals().values() if hasattr(f, "cache_clear")]: f.cache_clear()
    EMPTY.__init__()
    try: return check_record(Path(path).read_bytes().decode("utf-8"))
    except NotCovered as why: return "not covered", str(why)
    except Exception as why: return "rejected", str(why) if isinstance(why, Rejected) else f"{type(why).__name__}: {why}"
def main():  # the command
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0]); parser.add_argument("paths", nargs="+")
    parser.add_argument("-q", action="store_true", help="print only what is not accepted, and the totals")
    parser.add_argument("-j", type=int, default=multiprocessing.cpu_count(), help="processes")
    options = parser.parse_args(); files = [f for p in map(Path, options.paths) for f in (p.rglob("*.json") if p.is_dir() else [p])]
    files.sort(key=lambda f: -f.stat().st_size)
    with multiprocessing.Pool(options.j) as pool: found = pool.map(check_file, map(str, files), 1)
    for path, (verdict, said) in sorted(zip(map(str, files), found)):
        if not options.q or verdict != "accepted": print(f"{path}: {said if verdict == 'word' else verdict + ': ' + said}")
    totals = {v: sum(v == verdict for verdict, _ in found) for v in ("accepted", "word", "not covered", "rejected")}
    print(", ".join(f"{n} {'on the word of solvers' if v == 'word' else v}" for v, n in totals.items() if n) or "no records")
    return 1 if totals["rejected"] else 3 if totals["not covered"] else 0
# what is worked out once for a record
names, times, content, divide, names_in, exp_of, log_of, primes, enclose, constant_sign, both, added, frame = map(cache,
    (names, times, content, divide, names_in, exp_of, log_of, primes, enclose, constant_sign, both, added, frame))
EMPTY = Context(); sys.setrecursionlimit(20000)
if __name__ == "__main__": sys.exit(main())
