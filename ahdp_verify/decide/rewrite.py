"""Which lemmas a requirement calls for: triangles, bounds of absolute values, exponentials, whole numbers, constants.

Each function proposes lemmas and adds up the products that use them; the checker tests every one again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, Ratio, names_of, of_atom, of_monomial, polynomial_names
from ahdp_verify.ball import enclose
from ahdp_verify.certificate import Enumeration, Evidence, Lemma, Products, SolverWord
from ahdp_verify.context import OF_RELATION, Context, abs_atom, is_whole, to_expression
from ahdp_verify.decide.exppoly import decides, facts_about, fixing, one_name, proof
from ahdp_verify.decide.factors import factors
from ahdp_verify.decide.products import find
from ahdp_verify.decide.residues import floor_atoms
from ahdp_verify.errors import Rejected, Undecided, Unsupported
from ahdp_verify.expression import Expression
from ahdp_verify.limits import Clock
from ahdp_verify.proof import extended, polynomial

COMPARED = 8  # exponents of which all pairs are compared; more make the programme too large
BOUNDS = 2  # bounds of one absolute value that are kept, those in fewest names


def tree(p: Polynomial) -> Expression:
    """The tree of a polynomial."""
    return to_expression(Ratio(p))


def prefixed(lemmas: tuple[Lemma, ...], evidence: Evidence) -> Evidence:
    """The evidence with more lemmas in front."""
    if not lemmas or isinstance(evidence, SolverWord | Enumeration):
        return evidence
    return replace(evidence, lemmas=(*lemmas, *evidence.lemmas))


class Draft:
    """A growing proof: lemmas taken so far, the context with them, and products that are already part of the sum."""

    def __init__(self, here: Context) -> None:
        self.here, self.lemmas, self.terms = here, (), []  # type: Context, tuple[Lemma, ...], list[tuple[Fraction, tuple[int, ...]]]

    def copy(self) -> Draft:
        """Another draft that starts from what this one has."""
        other = Draft(self.here)
        other.lemmas, other.terms = self.lemmas, list(self.terms)
        return other

    def take(self, lemma: Lemma) -> int:
        """The number of the fact that the lemma adds."""
        self.here = extended((lemma,), self.here)
        self.lemmas = (*self.lemmas, lemma)
        return len(self.here.facts) - 1

    def offer(self, lemma: Lemma) -> None:
        """The lemma taken if its conditions hold; a heuristic may propose one that does not."""
        try:
            self.take(lemma)
        except (Rejected, Undecided, Unsupported):
            return

    def take_sign(self, p: Polynomial, relation: str = ">=") -> int:
        """The number of a fact p >= 0 that follows from signs."""
        known = next((i for i, f in enumerate(self.here.facts) if f.polynomial == p and f.relation in (relation, ">")), None)
        return self.take(Lemma("sign", (tree(p),), relation)) if known is None else known


def abs_terms(p: Polynomial) -> dict[Polynomial, Polynomial]:
    """What stands inside the absolute values of p, with the polynomial that multiplies each, for terms that hold exactly one."""
    found: dict[Polynomial, Polynomial] = {}
    for m, c in p.terms.items():
        inside = [(a, e) for a, e in m if a.kind == "abs"]
        if len(inside) == 1 and inside[0][1] == 1:
            w = inside[0][0].payload[0].num
            rest = tuple(pair for pair in m if pair[0] != inside[0][0])
            found[w] = found.get(w, algebra.ZERO) + of_monomial(rest, c)
    return found


def triangles(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after pairs d |u| - c |v| were replaced by multiples of -|u - k v|, where that loses a name."""
    while (found := _pair(p, draft.here)) is not None:
        c, factor, u, v = found
        number = draft.take(Lemma("triangle", (tree(u), tree(v))))
        gain = draft.here.facts[number].polynomial
        draft.terms.append((c, (number,) if factor == algebra.ONE else (draft.take_sign(factor), number)))
        p = p - (factor * gain).scale(c)
    return p


def _pair(p: Polynomial, here: Context) -> tuple[Fraction, Polynomial, Polynomial, Polynomial] | None:
    """(c, F, u, k v) with F >= 0, so that c F (|u| + |u - k v| - |k v|) can be taken out of p, u and k v as near as can be; None if no pair loses a name."""
    return min(_pairs(p, here), key=lambda pair: _distance(pair[2] - pair[3]), default=None)


def _distance(gap: Polynomial) -> tuple[int, int, Fraction]:
    """How much is left of |u - k v|: names first, then terms, then the size of a rational number."""
    value = gap.as_rational
    return len(polynomial_names(gap)), len(gap.terms), abs(value) if value is not None else Fraction(0)


def _pairs(p: Polynomial, here: Context) -> Iterator[tuple[Fraction, Polynomial, Polynomial, Polynomial]]:
    terms = [(w, f, here.signs(f)) for w, f in abs_terms(p).items()]
    for v, f, signs in terms:
        if not signs <= {0, -1}:
            continue
        for u, g, positive in terms:
            if not positive <= {0, 1} or u == v:
                continue
            ratio = _proportion(g, f)
            k = _multiple(u, v) if ratio is not None else None
            if ratio is not None and k is not None:
                unit, _, _ = algebra.content(g)
                factor, size = g.scale(1 / abs(unit)), abs(unit)
                yield size * min(Fraction(1), -ratio / abs(k)), factor, u, v.scale(k)


def _proportion(g: Polynomial, f: Polynomial) -> Fraction | None:
    """The negative rational f / g, or None."""
    m = next(iter(g.terms))
    if m not in f.terms or len(f.terms) != len(g.terms):
        return None
    ratio = f.terms[m] / g.terms[m]
    return ratio if ratio < 0 and g.scale(ratio) == f else None


def _multiple(u: Polynomial, v: Polynomial) -> Fraction | None:
    """The k for which u - k v loses most of the names that u and v share; None if it loses none."""
    best, lost = None, 0
    shared = polynomial_names(u) & polynomial_names(v)
    for k in dict.fromkeys(c / v.terms[m] for m, c in u.terms.items() if m in v.terms and m):
        gone = len(shared - polynomial_names(u - v.scale(k)))
        if gone > lost:
            best, lost = k, gone
    return best


def bounds(p: Polynomial, draft: Draft) -> None:
    """Facts u >= |w| for the absolute values in p, where two known facts add up to such a bound."""
    for w in dict.fromkeys(w for a in algebra.atoms(p) if a.kind == "abs" for w in (a.payload[0].num,)):
        for i, j, u, above, below in sorted(_bounds(w, draft.here), key=lambda found: (len(polynomial_names(found[2])), found[2].key))[:BOUNDS]:
            draft.offer(Lemma("bound", (tree(w), tree(u)), ">=", (Products(((above, (i,)),)), Products(((below, (j,)),)))))
        draft.offer(Lemma("sign", (tree(of_monomial(((abs_atom(w), 1),))),)))


def _bounds(w: Polynomial, here: Context) -> list[tuple[int, int, Polynomial, Fraction, Fraction]]:
    """All (i, j, u, a, b) with u - w = a * fact i and u + w = b * fact j, hence w = (b fact_j - a fact_i) / 2."""
    near = [i for i, f in enumerate(here.facts) if polynomial_names(f.polynomial) & polynomial_names(w) and len(f.polynomial.terms) <= 4]
    found = []
    for i in near:
        for j in near:
            f, g = here.facts[i].polynomial, here.facts[j].polynomial
            scale = _solve(w, g, f)
            if scale is not None:
                b, a = scale
                found.append((i, j, (f.scale(a) + g.scale(b)).scale(Fraction(1, 2)), a, b))
    return found


def _solve(w: Polynomial, g: Polynomial, f: Polynomial) -> tuple[Fraction, Fraction] | None:
    """(b, a), both positive, with 2 w = b g - a f."""
    lead = next((m for m in g.terms if m not in f.terms), None)
    mono = next((m for m in f.terms if m not in g.terms), None)
    if lead is not None:
        b = 2 * w.terms.get(lead, Fraction(0)) / g.terms[lead]
        rest = g.scale(b) - w.scale(Fraction(2))
        m = next(iter(f.terms))
        a = rest.terms.get(m, Fraction(0)) / f.terms[m]
    elif mono is not None:
        a = -2 * w.terms.get(mono, Fraction(0)) / f.terms[mono]
        rest = w.scale(Fraction(2)) + f.scale(a)
        m = next(iter(g.terms))
        b = rest.terms.get(m, Fraction(0)) / g.terms[m]
    else:
        return _solve_two(w, g, f)
    return (b, a) if a > 0 and b > 0 and w.scale(Fraction(2)) == g.scale(b) - f.scale(a) else None


def _solve_two(w: Polynomial, g: Polynomial, f: Polynomial) -> tuple[Fraction, Fraction] | None:
    """The same where f and g have the same monomials: two of them determine a and b."""
    keys = list(f.terms)
    for m, n in itertools.pairwise(keys):
        det = -g.terms[m] * f.terms[n] + g.terms[n] * f.terms[m]
        if det:
            p, q = 2 * w.terms.get(m, Fraction(0)), 2 * w.terms.get(n, Fraction(0))
            b = (-p * f.terms[n] + q * f.terms[m]) / det
            a = (g.terms[m] * q - g.terms[n] * p) / det
            return (b, a) if a > 0 and b > 0 and w.scale(Fraction(2)) == g.scale(b) - f.scale(a) else None
    return None


def exponentials(p: Polynomial, draft: Draft) -> None:
    """Facts about the exponentials and logarithms in p: signs, exp(t) >= 1 + t, and bounds that known bounds of the exponent give."""
    for a in sorted(algebra.atoms(p), key=lambda a: a.key):
        if not names_of(a):
            continue
        if a.kind == "log":
            for e in (Fraction(1), Fraction(-1)):
                draft.offer(Lemma("exp", (tree(of_monomial(((a, 1),), e)),)))
        if a.kind != "exp":
            continue
        exponents = sorted({e for m in p.terms for b, e in m if b == a})
        m, den = a.payload
        for e in dict.fromkeys((Fraction(1), Fraction(-1), *map(Fraction, exponents))):
            draft.offer(Lemma("sign", (tree(of_atom(a, e).num),), ">"))
            draft.offer(Lemma("exp", (to_expression(Ratio(of_monomial(m, e), den)),)))
    for m in p.terms:
        ordered(m, draft)
        ordered_quotients(m, draft)
    undone(draft)
    for t in compared(p, draft.here):
        draft.offer(Lemma("order", (tree(-t), tree(algebra.ZERO)), ">" if draft.here.signs(t) == {1} else ">=", (None,)))


def undone(draft: Draft) -> None:
    """exp(t) >= 1 for every fact t >= 0 that is a sum of multiples of logarithms and of what stands in no other function, so that they are undone."""
    for i, f in enumerate(draft.here.facts):
        single = all(len(m) == 1 and m[0][1] == 1 for m in f.polynomial.terms if any(a.kind == "log" for a, _ in m))
        if f.relation in (">", ">=") and single and any(a.kind == "log" and names_of(a) for a in algebra.atoms(f.polynomial)):
            draft.offer(Lemma("order", (tree(algebra.ZERO), tree(f.polynomial)), ">=", (Products(((Fraction(1), (i,)),)),)))


def compared(p: Polynomial, here: Context) -> list[Polynomial]:
    """The differences t >= 0 of the exponents of two terms of p, each once: then 1 >= exp(-t).

    Differences with constants are left out: the programmes become hard, and `ordered` compares with constants.
    """
    logarithms = {b.payload.key: b for m in p.terms for a, _ in m if a.kind == "exp" for b, _ in a.payload[0] if b.kind == "log"}
    exponents = list(dict.fromkeys(exponent_of(m) + powers_of(m, logarithms) for m in p.terms))
    if len(exponents) > COMPARED:
        return []
    found: dict[Polynomial, None] = {}
    for a, b in itertools.combinations(exponents, 2):
        for t in (a - b, b - a):
            if t.terms and all(polynomial_names(of_monomial(m)) for m in t.terms) and here.signs(t) <= {0, 1}:
                found[t] = None
    return list(found)


def exponent_of(m: algebra.Monomial) -> Polynomial:
    """t for the factor exp(t) of a monomial, as far as it has no divisors."""
    total = algebra.ZERO
    for a, e in m:
        if a.kind == "exp" and not a.payload[1]:
            total = total + of_monomial(a.payload[0], Fraction(e))
    return total


def powers_of(m: algebra.Monomial, logarithms: dict[str, algebra.Atom]) -> Polynomial:
    """The sum of k * log(x) for the factors x^k of a monomial whose logarithms stand in exponents."""
    total = algebra.ZERO
    for a, e in m:
        if a.kind == "name" and a.key in logarithms:
            total = total + of_monomial(((logarithms[a.key], 1),), Fraction(e))
    return total


def ordered(m: algebra.Monomial, draft: Draft) -> None:
    """For a monomial exp(c * a * n + r), r constant: how it compares with exp(c * a * k + r), for each fact that bounds n by a constant k.

    The factor a stands for names and constants of known sign beside the name n; where a * n itself is bounded, for 1.
    """
    exponent = exponent_of(m)
    varying = [t for t in exponent.terms if polynomial_names(of_monomial(t))]
    if len(varying) != 1:
        return
    c, fixed = exponent.terms[varying[0]], exponent - of_monomial(varying[0], exponent.terms[varying[0]])
    for i, f in enumerate(draft.here.facts):
        for n, rest in ((varying[0], algebra.UNIT), *_parted(varying[0])):
            d = f.polynomial.terms.get(n, Fraction(0))
            k = f.polynomial - of_monomial(n, d)
            if d and not polynomial_names(k) and f.relation != "=":
                _compared(exponent, of_monomial(rest) * k.scale(-c / d) + fixed, (i, abs(c / d), c * d > 0, of_monomial(rest)), draft)


def ordered_quotients(m: algebra.Monomial, draft: Draft) -> None:
    """For a monomial exp(t), t a quotient in one name n: how it compares with its value at k, for each fact that bounds n by a constant k."""
    exponent = Ratio(algebra.ZERO)
    for a, e in m:
        if a.kind == "exp":
            exponent = exponent + Ratio(of_monomial(a.payload[0], Fraction(e)), a.payload[1])
    used = algebra.ratio_names(exponent)
    if not exponent.den or len(used) != 1:
        return
    (n,) = used
    for i, f in enumerate(draft.here.facts):
        if polynomial_names(f.polynomial) != {n} or (split := algebra.linear(f.polynomial, n)) is None or f.relation == "=":
            continue
        try:
            there = algebra.replace(exponent, n, -Ratio(split[1]) / Ratio(split[0]))
            gap = polynomial(exponent - there, draft.here)
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
        scale = _multiple_of(gap, f.polynomial)
        if scale:
            ends = (to_expression(there), to_expression(exponent))
            draft.offer(Lemma("order", ends if scale > 0 else ends[::-1], ">=", (Products(((abs(scale), (i,)),)),)))
            constants(algebra.exp_of(there).num, draft)


def _multiple_of(p: Polynomial, q: Polynomial) -> Fraction | None:
    """The rational p / q, or None."""
    m = next(iter(q.terms))
    scale = p.terms.get(m, Fraction(0)) / q.terms[m]
    return scale if p == q.scale(scale) else None


def _parted(m: algebra.Monomial) -> list[tuple[algebra.Monomial, algebra.Monomial]]:
    """Each name in a product of several, with the others."""
    return [(((a, e),), tuple(pair for pair in m if pair[0] != a)) for a, e in m if a.kind == "name" and e == 1 and len(m) > 1]


def _compared(exponent: Polynomial, bound: Polynomial, why: tuple[int, Fraction, bool, Polynomial], draft: Draft) -> None:
    """The order lemma between two exponents whose difference is a multiple of a fact times a factor of known sign."""
    i, scale, above, factor = why
    numbers: tuple[int, ...] = (i,)
    if factor != algebra.ONE:
        signs = draft.here.signs(factor)
        if not signs <= {0, 1} and not signs <= {0, -1}:
            return
        positive = signs <= {0, 1}
        numbers, above = (i, draft.take_sign(factor if positive else -factor)), above is positive
    low, high = (tree(bound), tree(exponent)) if above else (tree(exponent), tree(bound))
    draft.offer(Lemma("order", (low, high), ">=", (Products(((scale, numbers),)),)))


def constants(p: Polynomial, draft: Draft) -> None:
    """Rational enclosures of the constants in p, as facts."""
    for a in sorted(algebra.atoms(p), key=lambda a: a.key):
        if names_of(a) or a.kind == "abs":
            continue
        for e in sorted({e for m in p.terms for b, e in m if b == a}):
            low, high = (Fraction(x).limit_denominator(10**6) for x in enclose(of_atom(a, e)))
            value, width = of_atom(a, e).num, Fraction(1, 10**5)
            draft.offer(Lemma("sign", (tree(value - of_monomial((), low - width)),), ">"))
            draft.offer(Lemma("sign", (tree(of_monomial((), high + width) - value),), ">"))


def floors(p: Polynomial, draft: Draft) -> None:
    """0 <= r - floor(r) < 1 for the floors in p."""
    for a in dict.fromkeys(floor_atoms(p)):
        for relation in (">=", ">"):
            draft.offer(Lemma("floor", (to_expression(a.payload[0]),), relation))


def rounded(p: Polynomial, draft: Draft, clock: Clock) -> None:
    """q >= 0 for the whole-valued q with p = c * m * q, where q > -1 follows from the facts."""
    c, _, q = algebra.content(p)
    q = q if c > 0 else -q
    if q == algebra.ONE or not is_whole(Ratio(q), draft.here):
        return
    above = q + algebra.ONE
    found = find(above, ">", draft.here, clock, degrees=(1,))
    if found is not None:
        draft.take(Lemma("proved", (tree(above),), ">", (found,)))
        draft.offer(Lemma("whole", (tree(above),)))


def whole_numbers(draft: Draft) -> None:
    """p >= 1 for every known p > 0 that takes whole values."""
    for f in draft.here.facts:
        if f.relation == ">" and is_whole(Ratio(f.polynomial), draft.here) and polynomial_names(f.polynomial):
            draft.offer(Lemma("whole", (tree(f.polynomial),)))


def equated(p: Polynomial, draft: Draft) -> Polynomial:
    """What is left of p >= 0 after exponentials of a name that a fact fixes were replaced by those of its value."""
    for i, fact in enumerate(draft.here.facts):
        name_ = fixed_name(fact.polynomial) if fact.relation == "=" else None
        if name_ is None:
            continue
        for m, c in list(p.terms.items()):
            inner = tuple((a, k) for a, k in m if a.kind == "exp" and name_ in names_of(a))
            rest = of_monomial(tuple(pair for pair in m if pair not in inner))
            signs = draft.here.signs(rest)
            if not inner or not (signs <= {0, 1} or signs <= {0, -1}):
                continue
            if (number := _same_exponential(inner, name_, i, draft)) is not None:
                side = 1 if signs <= {0, 1} else -1
                draft.terms.append((c * side, (number,) if rest == algebra.ONE else (draft.take_sign(rest.scale(side)), number)))
                p = p - (rest * draft.here.facts[number].polynomial).scale(c)
    return p


def fixed_name(p: Polynomial) -> str | None:
    """The last name x, in alphabetical order, with p = c * x + r, c rational and r free of x; None if there is none."""
    for name_ in sorted(polynomial_names(p), reverse=True):
        parts = algebra.linear(p, name_)
        if parts is not None and parts[0].as_rational:
            return name_
    return None


def _same_exponential(m: algebra.Monomial, name_: str, i: int, draft: Draft) -> int | None:
    """The number of a fact exp(t) - exp(t') = 0, where exp(t) is m and fact i replaces the name in t; None if t is not linear in it."""
    t = exponent_of(m)
    parts, fact = algebra.linear(t, name_), draft.here.facts[i].polynomial
    solved = algebra.linear(fact, name_)
    k = solved[0].as_rational if solved is not None else None
    if parts is None or not k or len(parts[0].terms) != 1:
        return None
    slope = parts[0].scale(1 / k)
    signs = draft.here.signs(slope)
    if not (signs <= {0, 1} or signs <= {0, -1}):
        return None
    side = 1 if signs <= {0, 1} else -1
    there = t - slope * fact
    constant_ = slope.as_rational
    factor: tuple[int, ...] = () if constant_ is not None else (draft.take_sign(slope.scale(side)),)
    size = Fraction(side) if constant_ is None else constant_
    for low, high, c in ((t, there, -size), (there, t, size)):
        draft.take(Lemma("order", (tree(low), tree(high)), ">=", (Products(((c, (*factor, i)),)),)))
    return draft.take(Lemma("sign", (tree(draft.here.facts[-1].polynomial),), "="))


def by_coefficients(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was shown because p = sum of m * c(e), monomials m >= 0 in other names times c(e) >= 0 in one; the draft then holds it."""
    for e in sorted(algebra.polynomial_names(p)):
        trial = draft.copy()
        if all(_term(m, c, trial, clock) for m, c in coefficients(p, e).items()):
            draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
            return True
    return False


def coefficients(p: Polynomial, e: str) -> dict[algebra.Monomial, Polynomial]:
    """The coefficient, in e and constants alone, of each monomial in the other names."""
    found: dict[algebra.Monomial, Polynomial] = {}
    for m, c in p.terms.items():
        outer = tuple((a, k) for a, k in m if names_of(a) - {e})
        inner = tuple((a, k) for a, k in m if not names_of(a) - {e})
        found[outer] = found.get(outer, algebra.ZERO) + of_monomial(inner, c)
    return found


def bounded(p: Polynomial, draft: Draft, clock: Clock) -> None:
    """The one name of an exponential polynomial shown to be > 0 or >= 0 by other facts (e >= d and d > 0), if none bounds it from below."""
    name_ = one_name(p)
    if name_ is None or fixing(name_, draft.here) is not None or facts_about(name_, draft.here) is not None:
        return
    e = algebra.symbol(name_).num
    for relation in (">", ">="):
        if (found := find(e, relation, draft.here, clock, degrees=(1,))) is not None:
            draft.take(Lemma("proved", (tree(e),), relation, (found,)))
            return


def _term(m: algebra.Monomial, c: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether m * c >= 0 was added to the draft."""
    if not draft.here.signs(of_monomial(m)) <= {0, 1}:
        return False
    bounded(c, draft, clock)
    if draft.here.signs(c) <= {0, 1}:
        number = draft.take_sign(c)
    elif (found := proof(c, ">=", draft.here, clock)) is not None:
        number = draft.take(Lemma("proved", (tree(c),), ">=", (found,)))
    else:
        return False
    draft.terms.append((Fraction(1), (draft.take_sign(of_monomial(m)), number) if m else (number,)))
    return True


def sign_lemmas(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that settle the sign of p by its zeros or by products of facts, exponentials and constants included; none if it stays open."""
    draft = Draft(here)
    bounded(p, draft, clock)
    for relation, q in sides(p):
        if not here.signs(q) <= OF_RELATION[relation] and (shown := proof(q, relation, draft.here, clock)) is not None:
            return (*draft.lemmas, Lemma("proved", (tree(q),), relation, (shown,)))
    if decides(p, here):
        return ()
    exponentials(p, draft)
    for f in draft.here.facts[len(here.facts) :]:
        constants(f.polynomial, draft)
    for relation, q in sides(p):
        if here.signs(q) <= {0, 1} and relation == ">=":
            continue
        found = find(q, relation, draft.here, clock, degrees=(1, 2))
        if found is not None:
            return (*draft.lemmas, Lemma("proved", (tree(q),), relation, (found,)))
    return factor_lemmas(p, here, clock)


def factor_lemmas(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that settle the sign of p by those of its factors; none if one stays open, or if there is only one."""
    draft = Draft(here)

    def signed(f: Polynomial) -> bool:
        lemmas = sign_lemmas(f, draft.here, clock)
        for lemma in lemmas:
            draft.take(lemma)
        return bool(lemmas)

    found = product(p, draft, signed)
    if found is None:
        return ()
    c, numbers = found
    strict = all(draft.here.facts[i].relation == ">" for i in numbers)
    q = p if c > 0 else -p
    return (*draft.lemmas, Lemma("proved", (tree(q),), ">" if strict else ">=", (Products(((abs(c), numbers),)),)))


def product(p: Polynomial, draft: Draft, signed: Callable[[Polynomial], bool]) -> tuple[Fraction, tuple[int, ...]] | None:
    """(c, numbers of facts f >= 0) with p = c times their product; None for a p without factors, or if the sign of one was not found.

    `signed` adds a fact about a factor of unknown sign to the draft, if it can.
    """
    c, listed = factors(p)
    if len(listed) < 2 and all(k == 1 for _, k in listed):
        return None
    numbers: list[int] = []
    for f, k in sorted(listed, key=lambda pair: len(pair[0].terms)):
        if len(draft.here.signs(f)) > 2 and not (k % 2 and signed(f)):
            if k % 2:
                return None
            numbers += [draft.take(Lemma("square", (tree(f),)))] * (k // 2)
            continue
        signs = draft.here.signs(f)
        s = 1 if signs <= {0, 1} else -1
        if not frozenset(s * x for x in signs) <= {0, 1}:
            return None
        c, numbers = c * s**k, [*numbers, *[draft.take_sign(f.scale(s), ">" if 0 not in signs else ">=")] * k]
    return c, tuple(numbers)


def sides(p: Polynomial) -> tuple[tuple[str, Polynomial], ...]:
    """What there is to know about the sign of p, the most telling first."""
    return (">", p), (">", -p), (">=", p), (">=", -p)


def inner_absolutes(p: Polynomial) -> list[Polynomial]:
    """What stands inside the absolute values of p, however deep, the innermost first."""
    found: dict[str, Polynomial] = {}

    def visit(q: Polynomial) -> None:
        for a in sorted(algebra.atoms(q), key=lambda a: a.key):
            if a.kind == "abs":
                visit(a.payload[0].num)
                found.setdefault(a.key, a.payload[0].num)
            elif a.kind == "exp":
                m, den = a.payload
                visit(of_monomial(m))
                for f, _ in den:
                    visit(f)
            elif a.kind == "floor":
                for f in (a.payload[0].num, *(f for f, _ in a.payload[0].den)):
                    visit(f)

    visit(p)
    return list(found.values())
