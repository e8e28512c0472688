"""Section 4: contexts, signs, and the normal forms of trees.

A set of signs holds the true one wherever the facts of the context hold.  An empty set says that
the facts contradict each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache

from recheck import enclosures
from recheck.forms import (
    ATOMS,
    NOTHING,
    UNIT,
    WAVES,
    Atom,
    Form,
    Monomial,
    atom_number,
    by_powers,
    constant,
    constant_sign,
    content,
    enclosed,
    exp_of,
    folded,
    log_of,
    magnitude,
    odd_function,
    of_atom,
    of_name,
    of_number,
    of_powers,
    product,
    total,
    tree_of,
    under_logarithm,
    wave,
    whole,
)
from recheck.limits import BITS, CLOCK, POWER, Rejected, Undecided, cover, need
from recheck.trees import (
    COMPARISONS,
    Number,
    Tree,
    conjuncts,
    infinity,
    name,
    negated,
    number,
    substitute,
    walk,
)

Signs = frozenset[int]
POS, NEG, NIL = frozenset((1,)), frozenset((-1,)), frozenset((0,))
ANY = POS | NEG | NIL
RELATION = {">": POS, ">=": POS | NIL, "=": NIL, "<=": NEG | NIL, "<": NEG}
CONDITION = {**RELATION, "==": NIL, "!=": POS | NEG}
FLIPPED = {"<": ">", "<=": ">="}
# bounds of what is bounded; those of atan and erf are not attained
SMOOTH: dict[str, Callable[[], Form]] = {
    **dict.fromkeys((*WAVES, "erf"), lambda: UNIT),
    "atan": lambda: of_atom("pi").scaled(Fraction(1, 2)),
}
GROWING = "@oo"  # a demand that tends to oo; records cannot contain this name
PERIOD = "@k"  # the number of a period; records cannot contain this name


@cache
def both(a: Signs, b: Signs) -> Signs:
    """The signs of a product."""
    return frozenset(x * y for x in a for y in b)


@cache
def added(a: Signs, b: Signs) -> Signs:
    """The signs of a sum."""
    out: Signs = frozenset()
    for x in a:
        for y in b:
            out |= ANY if x * y < 0 else {x or y}
    return out


def sign_set(c: Number) -> Signs:
    return POS if c > 0 else NEG if c else NIL


# the polynomials of which a context knows a sign, by what they are a multiple of but for constants
PARALLEL: dict[frozenset[tuple[Monomial, Number]], dict[Form, None]] = {}


def noted(p: Form) -> Form:
    """p, which is in the table from now on."""
    PARALLEL.setdefault(p.slope[1], {})[p] = None
    return p


def forget() -> None:
    """Frees the table of earlier records."""
    PARALLEL.clear()


class Context:
    """The facts at one point of a proof, and the signs and normal forms that they imply.

    `facts` are pairs (polynomial, relation) in order; `known` are the signs of primitive
    polynomials and atoms that they give; `values` are values of names; `germ` is a name that grows;
    `rounded` are the whole names n of which a fact says n = floor(n); `split` keeps what
    `exponential_form` finds here.
    """

    def __init__(
        self,
        facts: tuple[tuple[Form, str], ...] = (),
        known: Mapping[Form, Signs] | None = None,
        whole_names: frozenset[str] = frozenset(),
        values: Mapping[str, Form] | None = None,
        germ: str = "",
        rounded: frozenset[str] = frozenset(),
    ) -> None:
        CLOCK.ask()
        self.rounded = rounded
        self.facts, self.known, self.whole_names = facts, dict(known or {}), whole_names
        self.values, self.germ = dict(values or {}), germ
        self._given: dict[tuple[Form, str], Context] = {}
        self._whole: dict[frozenset[str], Context] = {}
        self._signs: dict[Form, Signs] = {}
        self._base: dict[Form, Signs] = {}
        self._forms: dict[Tree, Form | Rejected] = {}
        self.split: dict[Tree, tuple[Form, Form]] = {}

    def with_whole_names(self, names: Iterable[str]) -> Context:
        """The context in which these names stand for integers too; the same one for the same."""
        whole = self.whole_names | frozenset(names)
        if whole == self.whole_names:
            return self
        if whole not in self._whole:
            self._whole[whole] = Context(
                self.facts, self.known, whole, self.values, self.germ, self.rounded
            )
        return self._whole[whole]

    def with_value(self, text: str, value: Form) -> Context:
        """The context with a name replaced by its value; a name that already has one keeps it."""
        values = {text: value, **self.values}
        return Context(self.facts, self.known, self.whole_names, values, self.germ, self.rounded)

    def growing(self) -> Context:
        return Context(self.facts, self.known, self.whole_names, self.values, GROWING, self.rounded)

    # facts

    def given(self, p: Form, relation: str) -> Context:
        """The context with one more fact: p `relation` 0."""
        if relation in FLIPPED:
            return self.given(-p, FLIPPED[relation])
        if (p, relation) not in self._given:
            self._given[p, relation] = self.with_fact(p, relation)
        return self._given[p, relation]

    def with_fact(self, p: Form, relation: str) -> Context:
        c, m, q = content(p)
        outer = self.term_signs(m, c)
        if q == UNIT and len(m) == 1 and m[0][1] == 1 and not ATOMS[m[0][0]].invertible:
            q, outer = of_powers(m), sign_set(c)
        known = dict(self.known)
        if outer in (POS, NEG) and q != UNIT:
            known[noted(q)] = self.signs(q) & both(RELATION[relation], outer)
        if p.rational is not None and not sign_set(p.rational) <= RELATION[relation]:
            known[NOTHING] = frozenset()  # a fact that is false; no sign is asked of 0
        equation = p if relation == "=" else q if known.get(q) == NIL else NOTHING
        fixed = fixed_name(equation, self.rounded)
        rounded = {n for n, v in fixed.items() if v == of_atom("floor", of_name(n))}
        values = self.values if rounded else {**fixed, **self.values}
        facts = *self.facts, (p, relation)
        whole, rounded = self.whole_names | rounded, self.rounded | rounded
        out = Context(facts, known, whole, values, self.germ, rounded)
        moved = [n for n, v in fixed.items() if len(p.num) > 1 and v.rational is None]
        for n in moved:
            out.move_facts(n)
        if not moved:
            return out  # what it has cached so far depends on what it knows
        return Context(facts, out.known, whole, values, self.germ, rounded)

    def move_facts(self, n: str) -> None:
        """Adds the facts about polynomials in n also with the value of n substituted."""
        for r in [r for r in self.known if n in r.names]:
            moved = Context.form(self, tree_of(r))
            c, m, q = content(moved.top)
            if not moved.den and not m and q != UNIT:
                self.known[noted(q)] = self.known.get(q, ANY) & both(self.known[r], sign_set(c))

    def contradicts_itself(self) -> bool:
        return frozenset() in self.known.values()

    # signs

    def signs(self, r: Form) -> Signs:
        """The signs that a form can have here."""
        if r not in self._signs:
            CLOCK.ask()
            self._signs[r] = self.signs_anew(r)
        return self._signs[r]

    def vanishes(self, r: Form) -> bool:
        return r.is_zero or self.signs(r) == NIL

    def signs_anew(self, r: Form) -> Signs:
        if self.germ and self.germ in r.names:
            leading = self.signs(growth(r, self.germ)[2])
            return ANY if 0 in leading else leading
        c, m, q = content(r.top)
        out = both(self.term_signs(m, c), self.base_signs(q))
        for f, k in r.den:
            out = both(out, self.base_signs(f)) if k % 2 else out
        return out

    def term_signs(self, m: Monomial, c: Number) -> Signs:
        """Of a rational times a monomial."""
        out = sign_set(c)
        for a, e in m:
            if not ATOMS[a].invertible:
                signs = self.base_signs(of_number(a))
                out = both(out, signs if e % 2 else both(signs, signs) & (POS | NIL))
        return out

    def base_signs(self, p: Form) -> Signs:
        """Of a primitive polynomial, or of one atom."""
        if p not in self._base:
            self._base[p] = self.base_signs_anew(p)
        return self._base[p]

    def base_signs_anew(self, p: Form) -> Signs:
        out, s = self.known.get(p, ANY), constant_sign(p)
        if len(out) < 2:
            return out
        if s is not None:
            return out & sign_set(s)
        kinds = {ATOMS[a].kind for m in p.num for a, _ in m}
        if kinds == {"log"} and all(len(m) == 1 and m[0][1] == 1 for m in p.num):
            out &= self.signs_of_logarithms(p)
        if kinds & SMOOTH.keys():
            out &= self.signs_by_bounds(p)
        if kinds == {"floor"}:
            out &= self.signs_of_floor(p)
        if len(p.num) > 1:
            out &= self.signs_of_terms(p)
        elif kinds == {"theta3"}:
            out &= POS
        elif kinds == {"abs"}:
            out &= POS | NIL
        return self.shifted_signs(p, out) if len(out) > 1 else out

    def signs_by_bounds(self, p: Form) -> Signs:
        """The signs that the bounds of sin, cos, atan and erf leave, and for one of these alone
        those that follow from its argument.
        """
        ((m, _), *others) = p.num.items()
        if not others and len(m) == 1 and m[0][1] == 1:
            return self.signs_of_function(ATOMS[m[0][0]])
        low, strict = [NOTHING, NOTHING], False
        for m, c in p.num.items():
            size = Form({tuple((a, e) for a, e in m if ATOMS[a].kind not in SMOOTH): c})
            bounded = [(ATOMS[a].kind, e) for a, e in m if ATOMS[a].kind in SMOOTH]
            if bounded:
                s = constant_sign(size)
                if s is None:
                    return ANY
                for kind, e in bounded:
                    size = size * SMOOTH[kind]() ** int(e)
                    strict = strict or kind not in WAVES
                low = [part - size.scaled(s) for part in low]
            else:
                low = [low[0] + size, low[1] - size]
        for part, out in zip(low, (POS, NEG), strict=True):
            s = constant_sign(part)
            if s == 1 or (s == 0 and strict):
                return out
            if s == 0:
                return out | NIL
        return ANY

    def signs_of_floor(self, p: Form) -> Signs:
        """Of k floor(r) + c: floor(r) >= n as r >= n, for a whole n."""
        rows = [(m, k) for m, k in p.num.items() if m]
        if len(rows) > 1 or len(rows[0][0]) > 1 or rows[0][0][0][1] != 1:
            return ANY
        ((((a, _),), k),) = rows
        r, t = ATOMS[a].of, -Fraction(p.num.get((), 0)) / k
        from_next = self.signs(r - constant(math.floor(t) + 1))
        from_this = self.signs(r - constant(math.ceil(t)))
        out = (POS if from_next & (POS | NIL) else frozenset()) | (from_this & NEG)
        if t.denominator == 1 and from_next & NEG and from_this & (POS | NIL):
            out |= NIL
        return both(out, sign_set(k))

    def signs_of_function(self, atom: Atom) -> Signs:
        """atan and erf have the sign of their argument, sin(t) is >= 0 for 0 <= t <= pi."""
        if atom.kind not in WAVES:
            return self.signs(atom.of)
        pi = of_atom("pi")
        t = atom.of + pi.scaled(Fraction(1, 2)) if atom.kind == "cos" else atom.of
        out = self.signs(t) | self.signs(pi - t)
        return ANY if -1 in out else out

    def signs_of_logarithms(self, p: Form) -> Signs:
        """A sum of logarithms that is log(r) has the sign of r - 1."""
        scaled = p.scaled(math.lcm(*(c.denominator for c in p.num.values())))
        if max(magnitude(c) for c in scaled.num.values()) > 16:
            return ANY
        return self.signs(exp_of(scaled) - UNIT)

    def signs_of_terms(self, p: Form) -> Signs:
        out = NIL
        for m, c in p.num.items():
            out = added(out, self.term_signs(m, c))
            if out == ANY:
                break
        return out

    def shifted_signs(self, p: Form, out: Signs) -> Signs:
        """By facts about q where p = k q + r with k rational and r constant."""
        slope, varying = p.slope
        for q in PARALLEL.get(varying, ()) if varying else ():
            if q in self.known:
                k = whole(Fraction(slope) / q.slope[0])
                s = constant_sign(p - q.scaled(k))
                if s is not None:
                    out &= added(both(self.known[q], sign_set(k)), sign_set(s))
        return out

    # normal forms

    def form(self, e: Tree) -> Form:
        """The normal form of a tree; Rejected where a required sign is not known."""
        if e.is_plain and self.values.keys().isdisjoint(e.names):
            if e.form is None:
                CLOCK.ask()
                e.form = self.form_anew(e)
            known: Form = e.form
            return known
        found = self._forms.get(e)
        if found is None:
            CLOCK.ask()
            try:
                found = self.form_anew(e)
            except Rejected as why:
                found = why
            self._forms[e] = found
        if isinstance(found, Rejected):
            raise found.with_traceback(None)
        return found

    def form_anew(self, e: Tree) -> Form:
        if e.head == "number":
            return constant(e.value)
        if e.head == "name":
            return self.values[e.value] if e.value in self.values else of_name(e.value)
        if e.head == "pi":
            return of_atom("pi")
        if e.head == "piecewise":
            return self.form(branch(e, self))
        if e.head not in CALCULATED:
            raise Rejected(f"expected a number, found {WORDS.get(e.head, 'something else')}")
        return CALCULATED[e.head](self, *map(self.form, e.args))


WORDS = {"oo": "infinite", "label": "a label", "boolean": "a condition"}


def fixed_name(p: Form, rounded: frozenset[str]) -> dict[str, Form]:
    """{name: value} if p = 0 has the form c name + r = 0, with r a rational plus floors and rounded
    names.
    """
    found = []
    for m in p.num:
        if m:
            atom = ATOMS[m[0][0]] if len(m) == 1 and m[0][1] == 1 else None
            if atom is None or atom.kind not in ("name", "floor"):
                return {}
            if atom.kind == "name":
                found.append((m, atom.of))
    if len(found) > 1:
        found = [(m, n) for m, n in found if n not in rounded]
    if len(found) != 1:
        return {}
    m, n = found[0]
    return {n: of_name(n) - p.scaled(1 / Fraction(p.num[m]))}


def growth(r: Form, n: str) -> tuple[Number, Number, Form]:
    """(a, k, c) with r ~ c exp(a n) n^k as the name n grows; c is free of n."""
    atoms = atom_number("exp", of_name(n)), atom_number("name", n)
    parts = {key: c for key, c in by_powers(r.top, *atoms).items() if not c.is_zero}
    need(bool(parts), "what grows is 0")
    need(all(n not in c.names for c in parts.values()), "the growth of an expression is not known")
    (a, k), c = max(parts.items(), key=lambda pair: pair[0])
    for f, e in r.den:
        b, j, d = growth(f, n)
        a, k, c = a - e * b, k - e * j, c / d**e
    return a, k, c


# the meaning of the heads of trees


def sign_of(r: Form, here: Context) -> int:
    """The one sign of r."""
    signs = here.signs(r)
    if len(signs) != 1:
        raise Undecided("a required sign is not known")
    return min(signs)


def polynomial(r: Form, here: Context) -> Form:
    """A polynomial with the sign of r."""
    out = r.top
    for f, k in r.den:
        out = out.scaled(nonzero_sign(f, here)) if k % 2 else out
    return out


def nonzero_sign(r: Form, here: Context) -> int:
    s = sign_of(r, here)
    if not s:
        raise Undecided("a divisor may be 0")
    return s


def positive(r: Form, here: Context) -> Form:
    if here.signs(r) != POS:
        raise Undecided("an expression that must be > 0 is not known to be")
    return r


def nonzero(r: Form, here: Context) -> Form:
    """r, which is known not to be 0."""
    need(not r.is_zero, "a divisor is 0")
    if 0 in here.signs(r.top):
        raise Undecided("a divisor may be 0")
    return r


def maximum_of(here: Context, first: Form, *others: Form) -> Form:
    for b in others:
        first = (first + b + abs_of(here, first - b)).scaled(Fraction(1, 2))
    return first


def minimum_of(here: Context, first: Form, *others: Form) -> Form:
    for b in others:
        first = (first + b - abs_of(here, first - b)).scaled(Fraction(1, 2))
    return first


def abs_of(here: Context, r: Form) -> Form:
    """|r|, without bars around parts of known sign; the others are atoms."""
    if -1 not in here.signs(r) or 1 not in here.signs(r):
        return r if -1 not in here.signs(r) else -r

    def bars(p: Form) -> Form:
        signs = here.signs(p)
        return p if -1 not in signs else -p if 1 not in signs else of_atom("abs", p)

    c, m, q = content(r.top)
    out = bars(q).scaled(magnitude(c))
    for a, e in m:
        atom = of_powers([(a, e)]) if ATOMS[a].invertible else bars(of_number(a)) ** int(e)
        out = out * atom
    for f, k in r.den:
        out = out / f.scaled(nonzero_sign(f, here)) ** k
    return out


def power_of(here: Context, a: Form, b: Form) -> Form:
    k = b.rational
    if k is not None and k > 0 and k.denominator != 1 and here.signs(a) == NIL:
        return NOTHING
    if k is None or k.denominator != 1:
        a, out = positive(a, here), UNIT
        for f, i in factors_of(a):
            e = None if k is None else Fraction(k) * i
            if e is not None and e.denominator == 1 and here.signs(f) in (POS, NEG):
                f = f if here.signs(f) == POS else -f
                out, a = out * f ** int(e), a * f**-i
        return out * exp_of(b * log_of(a))
    cover(magnitude(k) <= BITS, "a power is too large")
    cover(magnitude(k) <= POWER or len(a.num) < 2, "a power of a sum is too large")
    out = nonzero(a, here) ** int(k) if k < 0 else a ** int(k)
    return with_whole_roots(out)


def with_whole_roots(r: Form) -> Form:
    """The same form, where exp(k log p) is p^k if k is whole: a root was raised to a power."""
    whole = [a for m in r.num for a, e in m if ATOMS[a].kind == "exp" and e == int(e)]
    if any(under_logarithm(ATOMS[a].of) is not None for a in whole):
        return folded(r)
    return r


def factors_of(r: Form) -> list[tuple[Form, int]]:
    """The divisors, and the atoms that divide the polynomial above, with the powers of them."""
    _, m, _ = content(r.top)
    above = [(of_number(a), int(e)) for a, e in m if not ATOMS[a].invertible]
    return above + [(f, -k) for f, k in r.den]


def binomial_of(here: Context, a: Form, b: Form) -> Form:
    n, k = a.rational, b.rational
    if n is None or k is None or n.denominator != 1 or k.denominator != 1 or not 0 <= n <= 4096:
        raise Undecided("a binomial coefficient is not known")
    return constant(math.comb(int(n), int(k)) if 0 <= k <= n else 0)


def modulo(here: Context, a: Form, b: Form) -> Form:
    return a - b * floor_of(here, a / nonzero(b, here))


def is_whole(r: Form, here: Context) -> bool:
    """True only for polynomials with integer coefficients in atoms known to be integers."""
    if r.den or any(c.denominator != 1 for c in r.num.values()):
        return False
    atoms = {ATOMS[a] for m in r.num for a, _ in m}
    return all(is_whole_atom(atom.kind, atom.of, here) for atom in atoms)


def is_whole_atom(kind: str, of: Form | str, here: Context) -> bool:
    if isinstance(of, Form):
        return kind == "floor" or (kind == "abs" and is_whole(of, here))
    return kind == "name" and of in here.whole_names


def whole_terms(r: Form, here: Context) -> Form:
    """The terms of r that are integers, and the floor of its constant."""
    below = product(f**k for f, k in r.den)
    found = []
    for m, c in r.num.items():
        term = Form({m: c}) / below
        if term.rational is not None:
            found.append(constant(math.floor(term.rational)))
        elif is_whole(term, here):
            found.append(term)
    return total(found)


def floor_of(here: Context, r: Form) -> Form:
    """The floor of r: determined by facts, or the integer terms of r plus the floor of the rest."""
    if not r.names:
        return floor_of_constant(r)
    for n in nearby(r, here):
        above = signs_by_facts(r - n, here) <= POS | NIL
        if above and signs_by_facts(r - n - UNIT, here) == NEG:
            return n
    parts = whole_terms(r, here)
    return of_atom("floor", r) if parts.is_zero else parts + floor_of(here, r - parts)


def floor_of_constant(r: Form) -> Form:
    if r.rational is not None:
        return constant(math.floor(r.rational))
    low, high = map(enclosures.floor_of_end, enclosed(r))
    return constant(low) if low == high else of_atom("floor", r)


def nearby(r: Form, here: Context) -> list[Form]:
    """Integers that may be the floor of r, from the facts that compare it with constants."""
    found: dict[Form, None] = {}
    for q in here.known:
        for m in q.num:
            if m and m in r.num:
                shifted = r - q.scaled(Fraction(r.num[m]) / q.num[m])
                found[whole_terms(shifted, here)] = None
    both_sides = [n - constant(i) for n in found for i in (0, 1)]
    return [n for n in both_sides if n.names <= {PERIOD}]


def signs_by_facts(p: Form, here: Context) -> Signs:
    """The signs of p, also by writing p as the polynomial of a fact plus something shorter."""
    out = here.signs(p)
    for q, s in here.known.items() if len(out) > 1 else ():
        for k in {Fraction(p.num[m]) / c for m, c in q.num.items() if m and m in p.num}:
            rest = p - q.scaled(k)
            if len(rest.num) < len(p.num):
                out &= added(both(s, sign_set(k)), here.signs(rest))
    return out


CALCULATED: dict[str, Callable[..., Form]] = {
    "+": lambda here, *a: total(a),
    "*": lambda here, *a: product(a),
    "^": power_of,
    "exp": lambda here, a: exp_of(a),
    "log": lambda here, a: log_of(positive(a, here)),
    "abs": abs_of,
    "sign": lambda here, a: constant(sign_of(a, here)),
    "floor": floor_of,
    "mod": modulo,
    "min": minimum_of,
    "max": maximum_of,
    "binomial": binomial_of,
    "sin": lambda here, a: wave(a, 0),
    "cos": lambda here, a: wave(a, 1),
    "atan": lambda here, a: odd_function("atan", a),
    "erf": lambda here, a: odd_function("erf", a),
    "theta3": lambda here, a: of_atom("theta3", positive(a, here)),
}


# conditions


def branch(e: Tree, here: Context) -> Tree:
    """The value of a piecewise expression that holds."""
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        if truth(condition, here):
            return value
    raise Rejected("no condition of a piecewise expression holds")


def truth(c: Tree, here: Context) -> bool:
    """Whether a condition holds; raises `Undecided` if that is not known."""
    if c.head == "boolean":
        return bool(c.value)
    if c.head == "not":
        return not truth(c.args[0], here)
    if c.head in ("and", "or"):
        return truth_of_two(c, here)
    need(c.head in COMPARISONS, "expected a condition")
    a, b = c.args
    if a.head == "label" or b.head == "label":
        return truth_of_labels(c.head, a, b, here)
    if a.head == "oo" or b.head == "oo":
        return truth_at_infinity(c.head, a, b)
    signs, wanted = here.signs(here.form(a) - here.form(b)), CONDITION[c.head]
    if signs <= wanted or not signs & wanted:
        return signs <= wanted
    raise Undecided("it is not known whether a condition holds")


def truth_of_two(c: Tree, here: Context) -> bool:
    found = [known_truth(a, here) for a in c.args]
    settles = c.head == "or"  # one part with this value is enough
    if settles in found:
        return settles
    if None in found:
        raise Undecided("it is not known whether a condition holds")
    return not settles


def truth_of_labels(head: str, a: Tree, b: Tree, here: Context) -> bool:
    """Whether a comparison with a label holds: a label equals itself only, and no number."""
    need(head in ("==", "!="), "a label is compared with < or <=")
    for side in (a, b):
        if side.head not in ("label", "oo"):
            need(not side.names, "a label is compared with an expression that may be a label")
            here.form(side)
    return (a is b) == (head == "==")


def truth_at_infinity(head: str, a: Tree, b: Tree) -> bool:
    a, b = (substitute(p, {GROWING: infinity()}) for p in (a, b))
    if a is b:
        return head in ("==", "<=")
    inside = any(part.head == "oo" for p in (a, b) if p.head != "oo" for part in walk(p))
    need(not inside, "infinity occurs inside an expression")
    return head == "!=" or (head != "==" and b.head == "oo")


def known_truth(c: Tree, here: Context, errors: type[Rejected] = Undecided) -> bool | None:
    """Whether a condition holds; None if that is not known."""
    try:
        return truth(c, here)
    except errors:
        return None


def assume(conditions: Iterable[Tree], here: Context) -> Context:
    """The context with the facts of conditions; a condition without a normal form gives none."""
    for c in conditions:
        before = here
        for part in conjuncts(c):
            if part.head not in ("==", "<", "<=") or not all(a.label_free for a in part.args):
                continue
            a, b = part.args
            try:
                gap = polynomial(here.form(b) - here.form(a), here)
            except Rejected:
                here = before
                break
            here = here.given(gap, {"==": "=", "<": ">", "<=": ">="}[part.head])
    return here


# values at a record


def at_record(e: Tree, record: Mapping[str, Tree], here: Context) -> Tree:
    """The value of e at a record; at demand oo its limit, which may be oo, as the demand grows."""
    CLOCK.ask()
    endless = "eps" in e.names and "eps" in record and record["eps"].head == "oo"
    if endless:
        record, here = {**record, "eps": name(GROWING)}, here.growing()
    e = substitute(e, record)
    while e.head == "piecewise":
        e = branch(e, here)
    if e.head == "oo":
        return e
    if not endless:
        return settled_tree(e, here)
    form = here.form(e)
    if form.is_zero:
        return number(0)
    a, k, c = growth(form, GROWING)
    if (a, k) == (0, 0):
        return tree_of(c)
    if (a, k) < (0, 0):
        return number(0)
    return infinity() if nonzero_sign(c, here) > 0 else negated(infinity())


def settled_tree(e: Tree, here: Context) -> Tree:
    """The normal form as a tree; e itself if a sign that this requires is not known here, or if it
    is no number.  Rejected for what has no value, whether or not anything depends on it.
    """
    if e.head in WORDS:
        return e
    try:
        return tree_of(here.form(e))
    except Undecided:
        need(bool(e.names), "an expression has no value at a record")
        return e
