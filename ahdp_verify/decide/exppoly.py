"""Where a polynomial in one name e and powers of exp(e), with rational coefficients, is positive: decided completely, for all e of an interval.

F(e, r), r = exp(-g e), is split into irreducible factors over the rationals.  At e != 0 an irreducible factor has simple roots only, and no
two factors share one: otherwise e and exp(e) would both be algebraic, against Lindemann.  So bisection with a derivative of known sign
isolates every root, a Taylor coefficient tells the sign beside an end, the dominant term the sign far out, and F changes its sign
exactly at the roots of factors to odd powers.

>>> from ahdp_verify.algebra import constant, exp_of, symbol
>>> from ahdp_verify.limits import Limits
>>> e, clock = symbol("e"), Limits().clock()
>>> here = Context.empty().given(e.num, ">")
>>> found = pattern((exp_of(-e).scale(3) - constant(2)).num, here, clock)
>>> found.signs, found.roots[0].exact
((1, -1), -1*log(2) + log(3))
>>> proof((e - constant(1) + exp_of(-e)).num, ">", here, clock) is not None
True
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import flint

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, Ratio, constant, log_of, symbol
from ahdp_verify.ball import START, Terms, enclose, sign, sign_between
from ahdp_verify.certificate import Declined, ExpSign
from ahdp_verify.context import Context, Fact, to_expression
from ahdp_verify.errors import Rejected, Unsupported
from ahdp_verify.expression import Expression
from ahdp_verify.expsign import PRECISIONS, Interval, bound, check_exp_sign, derivative, end, in_one_power, interval, order, sturm_sign, tail_sign, terms_of
from ahdp_verify.limits import Clock, OutOfLimits

WHERE = "exppoly"
LARGE = (-3, -2, -1, 0, 1, 2, 3, 4, 6, 8)  # pieces beside an end are tried that are 2^-k long for these k, and for their multiples
FINE = (Fraction(1, 1 << 16), Fraction(1, 1 << 60))  # pieces below these widths get balls of more bits
SMALL = 20  # bits to which roots are isolated at first
NEAR = Fraction(1, 1 << 16)  # cases are split this near to a root without a closed form
ROUGH = tuple(Fraction(n, 8) for n in (1, 4, 8, 16, 40))  # distances from the lower end at which a wrong claim usually shows
Factors = list[tuple[Terms, int]]
Shown = tuple[Expression, int, tuple[Fraction, ...]]  # as in an ExpSign


@dataclass(frozen=True, slots=True)
class Root:
    """The one zero of a factor between two rational numbers (equal where the zero is rational); `exact` where it has a closed form."""

    low: Fraction
    high: Fraction
    exact: Ratio | None
    factor: Terms
    odd: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """The signs of a polynomial in `name` on the open intervals between its zeros, from the lower end of `where` to the upper."""

    name: str
    where: Interval
    signs: tuple[int, ...]
    roots: tuple[Root, ...]


def one_name(p: Polynomial) -> str | None:
    """The name e if p is a polynomial in e and powers of exp(e) with rational coefficients, else None."""
    used = algebra.polynomial_names(p)
    if len(used) != 1:
        return None
    (name,) = used
    try:
        terms_of(p, name)
    except Rejected:
        return None
    return name


def facts_about(name: str, here: Context) -> tuple[int, int | None] | None:
    """The numbers of the facts that leave the smallest interval to a name; None without a lower bound."""
    best: dict[bool, tuple[int, Ratio, bool]] = {}
    for i, fact in enumerate(here.facts):
        if algebra.polynomial_names(fact.polynomial) != {name} or not is_bound(fact, name):
            continue
        v, lower, included = bound(fact, name)
        kept = best.get(lower)
        gap = 1 if kept is None else sign((v - kept[1]).scale(1 if lower else -1))
        if gap == 1 or (gap == 0 and kept is not None and kept[2] and not included):
            best[lower] = i, v, included
    if True not in best:
        return None
    return best[True][0], (best[False][0] if False in best else None)


def decides(p: Polynomial, here: Context) -> bool:
    """Whether all that is known of the one name of p are its bounds, so that what has no proof here is false."""
    name = one_name(p)
    about = [f for f in here.facts if name in algebra.polynomial_names(f.polynomial)]
    if name is not None and fixing(name, here) is not None:
        return True
    return name is not None and bool(about) and all(is_bound(f, name) for f in about) and facts_about(name, here) is not None


def is_bound(fact: Fact, name: str) -> bool:
    """Whether a fact bounds a name by a constant."""
    try:
        bound(fact, name)
    except Rejected:
        return False
    return True


def factors_of(f: Terms) -> tuple[Fraction, Fraction, Factors]:
    """(c, a, irreducible factors with their powers) with f = c exp(a e) times the product."""
    top = max(a for _, a in f)
    n = math.lcm(*((top - a).denominator for _, a in f))
    g = Fraction(math.gcd(*(int((top - a) * n) for _, a in f)), n) or Fraction(1)
    unit, parts = irreducible({(k, int((top - a) / g)): c for (k, a), c in f.items()})
    listed: Factors = []
    for part, power in parts:
        table = {(k, -g * j): c for (k, j), c in part.items()}
        if len(table) == 1 and (0, -g) in table:
            top -= g * power
        else:
            listed.append((table, power))
    return unit, top, listed


def irreducible(powers: Mapping[tuple[int, ...], Fraction]) -> tuple[Fraction, list[tuple[dict[tuple[int, ...], Fraction], int]]]:
    """(c, factors with their powers) with c times their product equal to a polynomial, given by the exponents of its monomials."""
    count = len(next(iter(powers)))
    ring = flint.fmpq_mpoly_ctx.get(tuple(f"x{j}" for j in range(count)), "lex")  # python-flint 0.9 cannot factor over fmpz above 32 bits
    unit, parts = ring.from_dict({k: flint.fmpq(c.numerator, c.denominator) for k, c in powers.items()}).factor()
    return fraction(unit), [({tuple(map(int, k)): fraction(c) for k, c in part.to_dict().items()}, int(power)) for part, power in parts]


def fraction(c: flint.fmpq) -> Fraction:
    """The same rational number."""
    return Fraction(int(c.p), int(c.q))


def sign_at(f: Terms, x: Fraction, clock: Clock) -> int:
    """The sign of f at a rational point where it is not 0."""
    point, bits = constant(x), START
    while bits <= clock.limits.bits:
        found = sign_between(f, point, point, bits)
        if found is not None:
            return found
        bits *= 4
    raise OutOfLimits("bits", f"{clock.limits.bits} bits", "finding the sign of an exponential polynomial")


def sign_on(f: Terms, low: Ratio, high: Ratio, width: Fraction) -> int | None:
    """The sign of f between two constants, None if a ball does not show it; narrow pieces get more bits."""
    return sign_between(f, low, high, next((bits for bits, least in zip(PRECISIONS, FINE, strict=False) if width > least), PRECISIONS[-1]))


def between(low: Fraction, u: Fraction, v: Fraction) -> Fraction:
    """A point between u and v: the middle, or where v is much further from `low` than u, a power of 2 about as far in factors from both."""
    near, far = u - low, v - low
    if near <= 0 or far < 8 * near:
        return (u + v) / 2
    k = (size(near) + size(far)) // 2
    return low + Fraction(2) ** k


def size(x: Fraction) -> int:
    """About the logarithm to base 2 of x > 0."""
    return x.numerator.bit_length() - x.denominator.bit_length()


@dataclass(slots=True)
class Scan:
    """The search for the zeros of an irreducible factor inside an interval: `stops` cut it, `brackets` hold one zero each.

    With `proving`, every piece without a zero gets a ball that shows its sign, and the first zero ends the search.
    """

    f: Terms
    where: Interval
    clock: Clock
    proving: bool
    stops: list[Fraction]
    brackets: list[tuple[Fraction, Fraction]]
    last: int = 0  # the sign beyond the last zero

    def run(self) -> None:
        """The stops and brackets filled in."""
        if sign(self.where.low) == -1 and order(self.f, constant(0))[0]:
            raise Unsupported("a polynomial that vanishes at 0, inside the interval")
        low = self.beside(self.where.low, 1)
        if self.where.high is None:
            high = max(low, self.far())
        else:
            high = self.beside(self.where.high, -1)
            while high < low:
                low, high = self.beside(self.where.low, 1, low), self.beside(self.where.high, -1, high)
        self.stops.append(low)
        self.last = sign_at(self.f, high, self.clock)
        self.middle(low, high)

    def far(self) -> Fraction:
        """A point beyond which the dominant term decides."""
        x = Fraction(max(1, math.ceil(enclose(self.where.low)[1])))
        while tail_sign(self.f, x) is None:
            self.clock.count(1, "looking for the dominant term")
            x *= 2
        return x

    def beside(self, end: Ratio, side: int, before: Fraction | None = None) -> Fraction:
        """A point on a side of an end, nearer than `before`, up to which the first derivative that does not vanish at the end keeps its sign."""
        _, g = order(self.f, end)
        low, high = enclose(end, self.clock.limits.bits)
        for k in self.lengths():
            self.clock.count(1, "looking beside an end")
            fine = Fraction(2) ** k
            x = (math.floor(high * fine) + 1) / fine if side > 0 else (math.ceil(low * fine) - 1) / fine
            if before is not None and (before - x) * side <= 0:
                continue
            other = self.where.high if side > 0 else self.where.low
            if other is not None and sign((other - constant(x)).scale(side)) != 1:
                continue
            ends = (end, constant(x)) if side > 0 else (constant(x), end)
            if sign_on(g, *ends, 1 / fine) is not None:
                return x
        raise Unsupported("an interval that is too short, or empty")

    def lengths(self) -> Iterator[int]:
        """Exponents k, as far as the allowed bits go."""
        yield from LARGE
        k = 2 * LARGE[-1]
        while k < self.clock.limits.bits:
            yield k
            k *= 2

    def middle(self, low: Fraction, high: Fraction) -> None:
        """The stops up to `high` and the brackets between; nothing more once a zero is found while proving."""
        slope, start = derivative(self.f), Fraction(math.floor(enclose(self.where.low)[0]))
        todo = [(low, high)]
        while todo and not (self.proving and self.brackets):
            u, v = todo.pop()
            self.clock.count(1, "isolating zeros")
            a, b = constant(u), constant(v)
            if u == v or sign_on(self.f, a, b, v - u) is not None:
                self.stops += [v] if v != u else []
                continue
            if sign_on(slope, a, b, v - u) is not None:
                change = sign_at(self.f, u, self.clock) != sign_at(self.f, v, self.clock)
                self.brackets += [(u, v)] if change else []
                if change or not self.proving:
                    self.stops.append(v)
                    continue
            point = between(start, u, v)
            todo += [(point, v), (u, point)]


def scanned(f: Terms, where: Interval, clock: Clock, proving: bool) -> Scan:
    """The finished search."""
    scan = Scan(f, where, clock, proving, [], [])
    scan.run()
    return scan


def closed_forms(f: Terms) -> list[Ratio] | None:
    """All real zeros of a polynomial of low degree in e or in one power of exp(e), as constants; None for any other."""
    if all(not a for _, a in f):
        return solutions([f.get((k, Fraction(0)), Fraction(0)) for k in range(max(k for k, _ in f) + 1)])
    if any(k for k, _ in f):
        return None
    if len(f) == 2:
        (a, c), (b, d) = ((a, c) for (_, a), c in f.items())
        return [log_of(constant(-d / c)).scale(1 / (a - b))] if d / c < 0 else []
    g, p = in_one_power(f)
    found = solutions(p)
    return None if found is None else [log_of(x).scale(-1 / g) for x in found if sign(x) == 1]


def solutions(p: list[Fraction]) -> list[Ratio] | None:
    """The real zeros of a polynomial of degree 1 or 2 without a double zero; None for any other degree."""
    if len(p) == 2:
        return [constant(-p[0] / p[1])]
    if len(p) != 3:
        return None
    c, b, a = p
    if b * b < 4 * a * c:
        return []
    root = algebra.power(constant(b * b - 4 * a * c), constant(Fraction(1, 2)))
    return [(constant(-b) + root.scale(s)).scale(1 / (2 * a)) for s in (1, -1)]


def roots_of(f: Terms, odd: bool, where: Interval, clock: Clock) -> tuple[list[Root], int]:
    """(the zeros of an irreducible factor inside the interval in any order, its sign beyond the last of them)."""
    try:
        exact = closed_forms(f)
    except Unsupported:  # numbers too large to be factored
        exact = None
    linear = exact is not None and len(f) == 2 and set(f) == {(0, Fraction(0)), (1, Fraction(0))}
    if linear and exact is not None and inside(exact[0], where):
        x = enclose(exact[0])[0]
        rising = f[(1, Fraction(0))] > 0
        return [Root(x, x, exact[0], f, odd)], 1 if rising else -1
    scan = scanned(f, where, clock, False)
    return [of_bracket(Root(u, v, None, f, odd), exact or []) for u, v in scan.brackets], scan.last


def inside(v: Ratio, where: Interval) -> bool:
    """Whether a constant lies strictly between the ends."""
    return sign(v - where.low) == 1 and (where.high is None or sign(where.high - v) == 1)


def of_bracket(root: Root, exact: list[Ratio]) -> Root:
    """The root with the closed form that lies in its bracket, if there is one."""
    found = next((x for x in exact if sign(x - constant(root.low)) == 1 and sign(constant(root.high) - x) == 1), None)
    return replace(root, exact=found)


def refine(root: Root, bits: int, clock: Clock) -> Root:
    """The same root between rational numbers that are at most 2^-bits apart."""
    low, high = root.low, root.high
    if high - low <= Fraction(1, 1 << bits):
        return root
    below = sign_at(root.factor, low, clock)
    while high - low > Fraction(1, 1 << bits):
        clock.check("narrowing a zero")
        middle = (low + high) / 2
        if sign_at(root.factor, middle, clock) == below:
            low = middle
        else:
            high = middle
    return replace(root, low=low, high=high)


def in_order(roots: list[Root], clock: Clock) -> tuple[Root, ...]:
    """The roots in ascending order between numbers that do not overlap."""
    bits = SMALL
    while bits <= clock.limits.bits:
        roots = sorted((refine(r, bits, clock) for r in roots), key=lambda r: (r.low, r.high))
        if all(r.high < s.low for r, s in itertools.pairwise(roots)):
            return tuple(roots)
        bits *= 2
    raise OutOfLimits("bits", f"{clock.limits.bits} bits", "telling zeros apart")


def pattern(p: Polynomial, here: Context, clock: Clock) -> Pattern | Declined:
    """Where p is positive, zero and negative in the interval that the facts leave to its one name."""
    name = one_name(p)
    if name is None:
        return Declined(WHERE, "it is no polynomial in one name and its exponential with rational coefficients")
    numbers = facts_about(name, here)
    if numbers is None:
        return Declined(WHERE, f"no fact bounds {name} from below")
    where = interval(*numbers, name, here)
    try:
        return signs_of(terms_of(p, name), name, where, clock)
    except OutOfLimits as stop:
        return Declined(WHERE, stop.reason)
    except (Unsupported, Rejected) as reason:
        return Declined(WHERE, str(reason))


def signs_of(f: Terms, name: str, where: Interval, clock: Clock) -> Pattern:
    """The pattern of a table of terms."""
    unit, _, listed = factors_of(f)
    current, roots = (1 if unit > 0 else -1), []
    for factor, power in listed:
        found, last = roots_of(factor, bool(power % 2), where, clock)
        roots += found
        current *= last**power
    ordered = in_order(roots, clock)
    signs = [current]
    for root in reversed(ordered):
        signs.append(-signs[-1] if root.odd else signs[-1])
    return Pattern(name, where, tuple(reversed(signs)), ordered)


def separating(p: Polynomial, here: Context, clock: Clock) -> tuple[Polynomial, bool] | None:
    """(e - x, whether x is a zero of p) for an x by which facts can be told apart that leave p one sign; None where there is none.

    A case p > 0 says nothing of e that other signs could be read from, a case e > x does.
    """
    name = one_name(p)
    if name is None or fixing(name, here) is not None or is_bound(Fact(p, ">"), name):
        return None
    found = pattern(p, here, clock)
    if isinstance(found, Declined):
        return None
    e = symbol(name)
    for root in found.roots:
        places = list(map(constant, beside(root, clock))) if root.exact is None or root.exact.den else [root.exact]
        for x in places:
            if len(here.signs((e - x).num)) > 1 and inside(x, found.where):
                return (e - x).num, len(places) == 1
    return None


def beside(root: Root, clock: Clock) -> tuple[Fraction, Fraction]:
    """The neighbouring multiples of NEAR between which a root lies: the same ones from whatever interval it was found."""
    bits = SMALL
    while bits < clock.limits.bits and root.low // NEAR != root.high // NEAR:
        root, bits = refine(root, bits, clock), 2 * bits
    n = root.low // NEAR
    return n * NEAR, (n + 1) * NEAR


def proof(p: Polynomial, relation: str, here: Context, clock: Clock) -> ExpSign | None:
    """A proof of p >= 0 (or > 0) for all values that the facts leave to its one name, or None."""
    name = one_name(p)
    if name is None or relation not in (">=", ">"):
        return None
    if (fixed := fixing(name, here)) is not None:
        return accepted(p, relation, ExpSign((), fixed), here)
    numbers = facts_about(name, here)
    if numbers is None:
        return None
    where, f = interval(*numbers, name, here), terms_of(p, name)
    try:
        if fails_somewhere(f, where):
            return None
        found = shown(f, name, relation == ">", where, clock)
        if found is None:
            return None
        return accepted(p, relation, ExpSign(found, *numbers), here)
    except (Unsupported, Rejected):
        return None


def accepted(p: Polynomial, relation: str, found: ExpSign, here: Context) -> ExpSign | None:
    """The proof itself if the checker takes it."""
    try:
        check_exp_sign(p, relation, found, here)
    except (Unsupported, Rejected):
        return None
    return found


def fixing(name: str, here: Context) -> int | None:
    """The number of a fact that says which constant a name is."""
    return next((i for i, f in enumerate(here.facts) if f.relation == "=" and algebra.polynomial_names(f.polynomial) == {name} and fixes(f, name)), None)


def fixes(fact: Fact, name: str) -> bool:
    """Whether an equality can be solved for a name."""
    try:
        end(fact, name)
    except Rejected:
        return False
    return True


def fails_somewhere(f: Terms, where: Interval) -> bool:
    """Whether f is seen to be negative at one of a few points."""
    start = enclose(where.low)[1]
    points = [constant(start + d) for d in ROUGH]
    kept = [x for x in points if where.high is None or sign(where.high - x) == 1]
    return any(sign_between(f, x, x) == -1 for x in kept)


def shown(f: Terms, name: str, strict: bool, where: Interval, clock: Clock) -> tuple[Shown, ...] | None:
    """The factors of f with the points that show their signs; None if one of them has a zero where it must not."""
    unit, rate, listed = factors_of(f)
    result: list[Shown] = [(to_expression(Ratio(polynomial_of({(0, rate): unit}, name))), 1, ())]
    for factor, power in listed:
        points: tuple[Fraction, ...] | None = ()
        if power % 2 or strict:
            points = points_for(factor, where, clock)
        if points is None:
            return None
        result.append((to_expression(Ratio(polynomial_of(factor, name))), power, points))
    return tuple(result[1:]) if unit == 1 and rate == 0 and listed else tuple(result)


def points_for(f: Terms, where: Interval, clock: Clock) -> tuple[Fraction, ...] | None:
    """The points that cut the interval so that the sign of f shows, none where counting roots is enough; None if f has a zero inside."""
    if not any(k for k, _ in f):
        try:
            sturm_sign(f, where)
            return ()
        except (Rejected, Unsupported):
            pass
    scan = scanned(f, where, clock, True)
    return None if scan.brackets else tuple(dict.fromkeys(scan.stops))


def polynomial_of(f: Terms, name: str) -> Polynomial:
    """The polynomial of a table of terms."""
    e, x = algebra.name_atom(name), algebra.exp_atom(((algebra.name_atom(name), Fraction(1)),), ())
    return Polynomial({algebra.settle({e: k, x: a})[1]: c for (k, a), c in f.items()})
