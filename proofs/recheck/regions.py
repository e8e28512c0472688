"""Section 5, box cover and monotone: signs of differentiable functions of several names.

Derivatives are those of trees; enclosures on a box are those of `enclosures` and `smooth`.  How a
box was cut is not stored: it is cut here in another way, in halves at the middle of the name that
contributes most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from recheck import enclosures
from recheck.enclosures import End, Interval, greatest, less, of_rational, sign_of_end
from recheck.forms import (
    ATOMS,
    ENCLOSED,
    Atom,
    Form,
    atom_number,
    by_powers,
    constant,
    constant_sign,
    enclosed,
    exponent_of,
    tree_of,
)
from recheck.growth import limit
from recheck.limits import CLOCK, NotCovered, Rejected, Undecided, cover, need
from recheck.signs import NEG, POS, RELATION, Context
from recheck.trees import Number, Tree, make, negated, number, plus, substitute, times

# how a sign is shown by evidence, and what lemmas add
Rules = tuple[Callable[[Form, str, Any, Context], None], Callable[[Any, Context], Context]]
Ends = dict[str, tuple[Form, Form]]
MORE = 20  # pieces that are examined here for each one that was needed elsewhere


# derivatives of trees


def derivative(e: Tree, n: str) -> Tree:
    """The derivative in the name n of the tree of a form, whose exponents are numbers."""
    if n not in e.names:
        return number(0)
    if e.head == "name":
        return number(1)
    if e.head == "+":
        return plus(*(derivative(a, n) for a in e.args))
    if e.head == "*":
        parts = [
            times(*e.args[:i], derivative(a, n), *e.args[i + 1 :])
            for i, a in enumerate(e.args)
            if n in a.names
        ]
        return plus(*parts)
    if e.head == "^":
        base, exponent = e.args
        less_one = make("^", base, plus(exponent, number(-1)))
        return times(exponent, less_one, derivative(base, n))
    if e.head not in OUTER:
        raise Rejected("a derivative is not known")
    (inside,) = e.args
    return times(OUTER[e.head](inside), derivative(inside, n))


def inverse(e: Tree) -> Tree:
    return make("^", e, number(-1))


OUTER: dict[str, Callable[[Tree], Tree]] = {
    "exp": lambda u: make("exp", u),
    "log": inverse,
    "sin": lambda u: make("cos", u),
    "cos": lambda u: negated(make("sin", u)),
    "atan": lambda u: inverse(plus(number(1), times(u, u))),
    "erf": lambda u: times(
        number(2), inverse(make("^", make("pi"), number(Fraction(1, 2)))), gauss(u)
    ),
}


def gauss(u: Tree) -> Tree:
    return make("exp", negated(times(u, u)))


# enclosures on a box


def on_box(r: Form, box: dict[str, Interval]) -> Interval:
    """An enclosure of the values of r; raises `Undecided` where something may have none."""
    CLOCK.ask()
    out = of_rational(0)
    for m, c in r.num.items():
        part = of_rational(c)
        for a, e in m:
            part = enclosures.multiply(part, atom_on_box(ATOMS[a], e, box))
        out = enclosures.add(out, part)
    for f, k in r.den:
        below = whole_power(on_box(f, box), k)
        out = enclosures.multiply(out, enclosures.reciprocal(below))
    return out


def atom_on_box(atom: Atom, e: Number, box: dict[str, Interval]) -> Interval:
    if atom.kind == "name":
        return whole_power(box[atom.of], int(e))
    if atom.kind in ("root", "pi"):
        return enclosures.exp(enclosed(exponent_of(atom).scaled(e)))
    if atom.kind == "exp":
        return enclosures.exp(on_box(atom.of.scaled(e), box))
    if atom.kind == "abs":
        return whole_power(size_of(on_box(atom.of, box)), int(e))
    if atom.kind not in ENCLOSED:
        raise Undecided("a function on a box is not known")
    return whole_power(ENCLOSED[atom.kind](on_box(atom.of, box)), int(e))


def size_of(a: Interval) -> Interval:
    low, high = a
    flipped = (-high[0], high[1]), (-low[0], low[1])
    nothing: End = (0, 0)
    if sign_of_end(low) >= 0:
        return a
    return flipped if sign_of_end(high) <= 0 else (nothing, greatest([high, flipped[1]]))


def whole_power(a: Interval, n: int) -> Interval:
    """a^n for n >= 1: by the ends, since it rises in a, or in |a| for an even n."""
    low, high = size_of(a) if n % 2 == 0 else a
    return enclosures.power((low, low), n)[0], enclosures.power((high, high), n)[1]


def hull(ends: tuple[Form, Form]) -> Interval:
    low, high = (enclosed(v) for v in ends)
    return low[0], high[1]


def middle_of(a: Interval) -> Fraction:
    low, high = (Fraction(m) * Fraction(2) ** e for m, e in a)
    return (low + high) / 2


def width(a: Interval) -> End:
    return enclosures.plus_end(a[1], (-a[0][0], a[0][1]), True)


# box cover


def constant_ends(n: str, here: Context) -> tuple[Form, Form]:
    """The sharpest constants between which facts c n + d put a name."""
    found: dict[bool, Form] = {}
    for fact, relation in here.facts:
        parts = line(fact, n)
        if parts is None or parts[0].rational is None or parts[1].names:
            continue
        c = Fraction(parts[0].rational)
        end = parts[1].scaled(-1 / c)
        for lower in (True, False) if relation == "=" else (c > 0,):
            gain = constant_sign(end - found[lower]) if lower in found else None
            if lower not in found or gain == (1 if lower else -1):
                found[lower] = end
    need(len(found) == 2, "facts do not bound a name by constants on both sides")
    return found[True], found[False]


def line(p: Form, n: str) -> tuple[Form, Form] | None:
    """(k, m) with p = k n + m, k not 0, both free of the name n; or None."""
    parts = by_powers(p, atom_number("name", n))
    if (1,) not in parts or not parts.keys() <= {(0,), (1,)}:
        return None
    if any(n in part.names for part in parts.values()):
        return None
    return parts[(1,)], parts.get((0,), constant(0))


def allowed_ways(n: str, here: Context) -> set[int]:
    """1 if every fact, but constant bounds of n, that holds somewhere holds where n is smaller, -1
    where it is larger.
    """
    ways = {1, -1}
    for fact, relation in here.facts:
        parts = line(fact, n) if n in fact.names else None
        if n not in fact.names or (
            parts is not None and parts[0].rational is not None and not parts[1].names
        ):
            continue
        c = None if parts is None or relation == "=" else parts[0].rational
        ways &= set() if c is None else {-1} if c > 0 else {1}
    return ways


@dataclass(frozen=True)
class Region:
    """What is known of the names, and how each may be moved without leaving it."""

    here: Context
    ways: dict[str, set[int]]

    def misses(self, box: dict[str, Interval]) -> bool:
        """True only if a fact fails on all of a box."""
        for fact, relation in self.here.facts:
            if fact.names and fact.names <= box.keys():
                s = surely(fact, box)
                if s == -1 or (s == 1 and relation == "="):
                    return True
        return False


def require_box_cover(p: Form, relation: str, proof: Any, here: Context) -> None:
    """facts bound each name by constants     on each piece of the box: an enclosure of p is > 0,
    or p rises or falls in a name, and the same holds for the end where it is least, which
    the facts allow, or a fact fails, or p is a constant with the sign
    ---------------------------------------------------------------------------------------------
    p >= 0 (p > 0)
    """
    slopes: dict[str, Form] = {}
    ways = {n: allowed_ways(n, here) for n in p.names}
    for n in sorted(p.names):
        try:
            slopes[n] = here.form(derivative(tree_of(p), n))
        except Rejected:
            continue
    waiting: list[Ends] = [{n: constant_ends(n, here) for n in sorted(p.names)}]
    for _ in range(MORE * max(proof.pieces, 0)):
        if not waiting:
            return
        waiting += rest_of(p, relation, slopes, waiting.pop(), Region(here, ways))
    cover(not waiting, "a box needs too many pieces")


def rest_of(
    p: Form, relation: str, slopes: dict[str, Form], piece: Ends, region: Region
) -> list[Ends]:
    """What is left of a piece."""
    box = {n: hull(ends) for n, ends in piece.items()}
    free = {n for n, (low, high) in piece.items() if low != high}
    if surely(p, box) == 1 or region.misses(box):
        return []
    if not free:
        corner = substitute(tree_of(p), {n: tree_of(low) for n, (low, _) in piece.items()})
        s = constant_sign(Context().form(corner))
        need(s is not None and s in RELATION[relation], "the sign at a corner is not shown")
        return []
    for n in sorted(free & slopes.keys()):
        s = surely(slopes[n], box)
        if s and s in region.ways[n]:
            end = piece[n][0 if s > 0 else 1]
            return [{**piece, n: (end, end)}]
    cut, settled = largest_part(p, slopes, box, free)
    if settled:
        return []
    at = constant(middle_of(box[cut]))
    return [{**piece, cut: (piece[cut][0], at)}, {**piece, cut: (at, piece[cut][1])}]


def surely(r: Form, box: dict[str, Interval]) -> int | None:
    """The sign of r on all of a box, if its enclosure shows one."""
    try:
        return enclosures.sign(on_box(r, box)) or None
    except (Undecided, NotCovered):
        return None


def largest_part(
    p: Form, slopes: dict[str, Form], box: dict[str, Interval], free: set[str]
) -> tuple[str, bool]:
    """(the name that contributes most, whether p in the middle outweighs all of them)."""
    centre, parts = dict(box), dict[str, Interval]()
    try:
        on_box(p, box)  # p has a value everywhere, where facts may cut out a pole too
        for n in sorted(free):
            centre[n] = of_rational(middle_of(box[n]))
            away = enclosures.add(box[n], opposite(centre[n]))
            parts[n] = enclosures.multiply(on_box(slopes[n], box), away)
        value = on_box(p, centre)
        for part in parts.values():
            value = enclosures.add(value, part)
    except (Undecided, NotCovered, KeyError):
        return max(sorted(free), key=lambda n: Rank(width(box[n]))), False
    best = max(sorted(free), key=lambda n: Rank(width(parts[n])))
    return best, enclosures.sign(value) == 1


def opposite(a: Interval) -> Interval:
    return (-a[1][0], a[1][1]), (-a[0][0], a[0][1])


class Rank:
    """Ends in their order."""

    def __init__(self, end: End) -> None:
        self.end = end

    def __lt__(self, other: Rank) -> bool:
        return less(self.end, other.end)

    def __gt__(self, other: Rank) -> bool:
        return less(other.end, self.end)


# monotone


def require_monotone(p: Form, relation: str, proof: Any, here: Context, rules: Rules) -> None:
    """start |- p >= 0 at the bound     way |- the derivative of w p leads away from it
    way |- w > 0, and w p has a value
    -----------------------------------------------------------------------------------
    here |- p >= 0
    """
    check, extended = rules
    n, side, number = proof.name, proof.side, proof.fact
    need(side in (1, -1) and not here.germ, "a fact does not bound the name")
    need(number is None or 0 <= number < len(here.facts), "there is no fact with this number")
    bound, kind = (None, ">") if number is None else here.facts[number]
    parts = None if bound is None else line(bound, n)
    start, way = towards(n, parts, side, here)
    if bound is not None:
        if parts is None or kind == "=":
            raise Rejected("a fact does not bound the name")
        need(here.signs(parts[0]) == (POS if side > 0 else NEG), "a fact bounds on the other side")
        way = way.given(bound, ">=")
    way = extended(proof.lemmas, way)
    factor = way.form(proof.factor)
    need(way.signs(factor) <= POS, "a factor is not known to be > 0")
    need_value(tree_of(p), n, way)
    strict = relation == ">" and proof.strict
    need(not strict or kind == ">", "the name may lie at its bound")
    if parts is None:
        least_value = limit(factor * p, n, -side, start)
    else:
        end = tree_of(-parts[1] / parts[0])
        least_value = start.form(substitute(tree_of(p), {n: end}))
    check(least_value, ">=" if strict else relation, proof.start, start)
    inside = way if bound is None else way.given(bound, ">")
    slope = inside.form(derivative(tree_of(factor * p), n)).scaled(side)
    check(slope, ">" if strict else ">=", proof.slope, inside)


def towards(
    n: str, bound: tuple[Form, Form] | None, side: int, here: Context
) -> tuple[Context, Context]:
    """(the facts at the bound, the facts on the way there)."""
    start = on_the_way = Context(whole_names=here.whole_names - {n})
    for fact, relation in here.facts:
        if n not in fact.names:
            start, on_the_way = start.given(fact, relation), on_the_way.given(fact, relation)
            continue
        parts = line(fact, n)
        if parts is None or relation == "=" or here.signs(parts[0]) != (NEG if side > 0 else POS):
            continue
        on_the_way = on_the_way.given(fact, relation)
        if bound is not None:
            moved = (parts[1] * bound[0] - parts[0] * bound[1]).scaled(side)
            start = start.given(moved, relation)
    return start, on_the_way


def need_value(e: Tree, n: str, here: Context) -> None:
    """Raises unless every divisor, and every argument of a logarithm, that depends on the name n in
    the tree of a form is known to be what it has to be.
    """
    if n not in e.names:
        return
    for a in e.args:
        need_value(a, n, here)
    if e.head == "log":
        need(here.signs(here.form(e.args[0])) == POS, "the argument of a logarithm may be <= 0")
    elif e.head == "^" and e.args[1].value < 0:
        need(0 not in here.signs(here.form(e.args[0])), "a divisor may be 0")


def require_region(p: Form, relation: str, proof: Any, here: Context, rules: Rules) -> None:
    """By a cover of a box, or from the bound of a name on."""
    if proof.kind == "box cover":
        require_box_cover(p, relation, proof, here)
    else:
        require_monotone(p, relation, proof, here, rules)
