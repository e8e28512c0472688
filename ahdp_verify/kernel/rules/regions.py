"""The rules `BoxCover` and `Monotone`: the sign of a differentiable expression on a region.

    p > 0 on each piece of the box by a ball, or p >= 0 at the exact end to which its slopes lead
    ---------------------------------------------------------------------------------------------
    facts bound each name of p by constants |- p >= 0

    start |- p(b) >= 0       way |- w > 0      way, x not b |- s (w p)' >= 0
    -----------------------------------------------------------------------
    here, s (x - b) >= 0 |- p >= 0

p          the polynomial of the requirement, in atoms that may be exp, log, sin, cos, atan or erf
s, b       1 if a fact bounds the name x from below, -1 if from above; its bound, free of x
w          a factor > 0, often 1, by which p is multiplied before it is differentiated
start      the facts without x, and those that x satisfies the better the nearer it is to b, at b
way        the same facts, at an x from b to where it was, and lemmas that follow from them;
           everything in w p has a value there

Without a fact, b is an infinity, and the limit of w p stands for p(b).

BoxCover cuts the box in half where it has to, as often as the evidence allows.  On a piece the ball
is that of p or, where that is finite, so that p has values there, of its mean value form.  A name
in which p grows or falls on a whole piece is replaced by the end of the piece at which p is least,
if every fact that holds beside it holds there; at a corner p is evaluated exactly, so that a zero
there is no obstacle.  A piece on which a fact fails is not looked at.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> here = assume_condition(parse("0 <= x and x <= 1"), Context.empty())
>>> check_box_cover(normal(parse("sin(x) - x/2"), here).num, ">=", BoxCover(9), here)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.evidence.certificate import BoxCover, Evidence, Lemma, Monotone
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant
from ahdp_verify.kernel.numbers.ball import Box, ball, constant_sign, ends
from ahdp_verify.kernel.numbers.derivative import inner_ratio, ratio_derivative
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context, Fact
from ahdp_verify.kernel.numbers.normal_form import message_text, normal, to_expression
from ahdp_verify.kernel.terms.expression import substitute

PIECES = 20_000  # most pieces of a box; each takes about a millisecond
BITS = 96  # of the balls
Ends = tuple[Ratio, Ratio]
Slopes = dict[str, tuple[Ratio, set[int]]]  # derivatives, and the directions that facts allow
# how a sign is shown by evidence, and what lemmas add: rules that lead to those here
RegionRules = tuple[
    Callable[[Ratio, str, Evidence, Context], None], Callable[[tuple[Lemma, ...], Context], Context]
]


def value_at(r: Ratio, values: dict[str, Ratio], here: Context) -> Ratio:
    """A ratio where names have other values."""
    return normal(
        substitute(to_expression(r), {n: to_expression(v) for n, v in values.items()}), here
    )


def constant_ends(name: str, here: Context) -> Ends:
    """The sharpest constants between which facts of the form c * name + d put a name."""
    found: dict[int, Ratio] = {}
    for fact in here.facts:
        parts = algebra.linear_coefficients(fact.polynomial, name)
        c = parts[0].as_rational if parts else None
        if not parts or not c or algebra.polynomial_names(parts[1]):
            continue
        end = Ratio(parts[1]).scale(-1 / c)
        for side in (1, -1) if fact.relation == "=" else (1 if c > 0 else -1,):
            if side not in found or constant_sign((end - found[side]).scale(side)) == 1:
                found[side] = end
    if len(found) < 2:
        raise Rejected(f"the facts do not bound {name} by constants on both sides")
    return found[1], found[-1]


def check_region(
    p: Polynomial, relation: str, proof: BoxCover | Monotone, here: Context, rules: RegionRules
) -> None:
    """Nothing if the proof shows p >= 0 (or p > 0) here; Rejected otherwise."""
    if relation not in (">=", ">"):
        raise Rejected("on a region only >= and > are shown")
    if isinstance(proof, BoxCover):
        check_box_cover(p, relation, proof, here)
    else:
        check_monotone(p, relation, proof, here, rules)


def kept_directions(name: str, here: Context) -> set[int]:
    """1 and -1, as all facts that hold somewhere still hold where the name alone is less, or more,
    within the constants between which facts put it.
    """
    found = {1, -1}
    for fact in here.facts:
        parts = algebra.linear_coefficients(fact.polynomial, name)
        if name in algebra.polynomial_names(fact.polynomial) and not (
            parts and parts[0].as_rational and not algebra.polynomial_names(parts[1])
        ):
            slope = parts[0].as_rational if parts and fact.relation != "=" else None
            found &= {-1 if slope > 0 else 1} if slope else set()
    return found


def check_box_cover(p: Polynomial, relation: str, proof: BoxCover, here: Context) -> None:
    """Nothing if p >= 0 (or p > 0) on the box that the facts leave to its names; Rejected
    otherwise.
    """
    slopes = {}
    for name in sorted(algebra.polynomial_names(p)):
        with suppress(Unsupported):
            slopes[name] = ratio_derivative(Ratio(p), name), kept_directions(name, here)
    waiting = [{name: constant_ends(name, here) for name in sorted(algebra.polynomial_names(p))}]
    for _ in range(min(proof.pieces, PIECES)):
        if not waiting:
            return
        waiting += open_parts(p, relation, slopes, waiting.pop(), here)
    if waiting:
        raise Rejected(f"{proof.pieces} pieces do not show that {message_text(p)} {relation} 0")


def open_parts(
    p: Polynomial, relation: str, slopes: Slopes, box: dict[str, Ends], here: Context
) -> list[dict[str, Ends]]:
    """The parts of a box on which p remains to be examined: none, a face, or two halves."""
    where = {n: ball(low, BITS).union(ball(high, BITS)) for n, (low, high) in box.items()}
    value = ball(Ratio(p), BITS, where)
    if value > 0 or any(fails_on(f, where) for f in here.facts):
        return []
    wide = {n: x for n, x in where.items() if box[n][0] is not box[n][1]}
    steep = {n: ball(slopes[n][0], BITS, where) for n in wide if n in slopes}
    ways = {n: 1 if s > 0 else -1 if s < 0 else 0 for n, s in steep.items()}
    faces = {n: (box[n][way < 0],) * 2 for n, way in ways.items() if way in slopes[n][1]}
    if faces:
        return [box | faces]
    if not wide:
        exact = value_at(Ratio(p), {n: low for n, (low, _) in box.items()}, Context.empty())
        if constant_sign(exact) not in OF_RELATION[relation]:
            raise Rejected(f"{message_text(p)} {relation} 0 is not shown at a corner")
        return []
    reach = {n: steep[n] * (x - x.mid()) if n in steep else x for n, x in wide.items()}
    middle = ball(Ratio(p), BITS, where | {n: x.mid() for n, x in wide.items()})
    # facts may cut a pole out of the box, which the slopes do not show
    has_values = value.is_finite() and len(steep) == len(wide)
    if has_values and sum(reach.values(), middle) > 0:
        return []
    sizes = reach if all(x.is_finite() for x in reach.values()) else wide
    widest = max(wide, key=lambda n: (float(sizes[n].rad()), n))
    cut = constant(ends(wide[widest].mid(), BITS)[0])
    return [box | {widest: (box[widest][0], cut)}, box | {widest: (cut, box[widest][1])}]


def fails_on(fact: Fact, where: Box) -> bool:
    """True only if a fact holds nowhere in a box."""
    if not algebra.polynomial_names(fact.polynomial) <= where.keys():
        return False
    value = ball(Ratio(fact.polynomial), BITS, where)
    return bool(value < 0 or (fact.relation == "=" and value > 0))


@dataclass(frozen=True, slots=True)
class Approach:
    """How a name comes from where it is to a bound, from above to a lower one (side 1) or from
    below to an upper one (-1): `start` and `way` are the contexts at the bound and before it.
    """

    name: str
    side: int
    end: Ratio | None  # None at infinity
    start: Context
    way: Context

    def least(self, weighted: Ratio, p: Polynomial) -> Ratio:
        """p at the bound; at infinity the limit of p times its factor."""
        if self.end is None:
            return limit_at_end(weighted, self.name, -self.side, self.start)
        return value_at(Ratio(p), {self.name: self.end}, self.start)


def approach_to(name: str, side: int, number: int | None, here: Context) -> Approach:
    """The way of a name to the bound that the fact of this number gives; Rejected if it gives none
    on this side.
    """
    if here.germ or side not in (1, -1) or (number is not None and number < 0):
        raise Rejected(f"no such fact bounds {name}")
    bound = None if number is None else here.facts[number]
    parts = algebra.linear_coefficients(bound.polynomial, name) if bound else None
    start = way = Context.empty(here.integers - {name})
    for fact in here.facts:
        other = algebra.linear_coefficients(fact.polynomial, name)
        if name not in algebra.polynomial_names(fact.polynomial):
            start = start.given(fact.polynomial, fact.relation)
            way = way.given(fact.polynomial, fact.relation)
        elif other and fact.relation != "=" and here.signs(other[0]) == {-side}:
            way = way.given(fact.polynomial, fact.relation)
            if parts:
                at_bound = other[1] * parts[0] - other[0] * parts[1]
                start = start.given(at_bound.scale(side), fact.relation)
    if bound is None:
        return Approach(name, side, None, start, way)
    if parts is None or here.signs(parts[0]) != {side} or bound.relation == "=":
        raise Rejected(f"no such fact bounds {name}")
    end = -Ratio(parts[1]) / Ratio(parts[0])
    return Approach(name, side, end, start, way.given(bound.polynomial, ">="))


def check_monotone(
    p: Polynomial, relation: str, proof: Monotone, here: Context, rules: RegionRules
) -> None:
    """Nothing if p >= 0 (or p > 0) at a bound of the name and p grows from there; Rejected
    otherwise.
    """
    check, extend = rules
    to = approach_to(proof.name, proof.side, proof.fact, here)
    way = extend(proof.lemmas, to.way)
    weighted = normal(proof.factor, way) * Ratio(p)
    require_values(weighted, proof.name, way)
    if not way.ratio_signs(normal(proof.factor, way)) <= OF_RELATION[">"]:
        raise Rejected("the factor of a slope is not known to be > 0")
    bound = None if proof.fact is None else here.facts[proof.fact]
    strict = relation == ">" and proof.strict
    if strict and bound is not None and bound.relation != ">":
        raise Rejected(f"{proof.name} may lie at its bound, where a slope > 0 shows only >= 0")
    check(to.least(weighted, p), ">=" if strict else relation, proof.start, to.start)
    inside = way if bound is None else way.given(bound.polynomial, ">")
    slope = ratio_derivative(weighted, proof.name).scale(proof.side)
    check(slope, ">" if strict else ">=", proof.slope, inside)


def require_values(r: Ratio, name: str, here: Context) -> None:
    """Nothing if r has a value wherever the facts hold, as far as it depends on a name; Rejected
    otherwise.
    """
    if any(0 in here.signs(f) for f, _ in r.den):
        raise Rejected(f"a divisor of {message_text(r)} is not known to be nonzero")
    for a in {a for p in (r.num, *(f for f, _ in r.den)) for a in p.exponents}:
        if a.kind == "name" or name not in algebra.atom_names(a):
            continue
        inside = inner_ratio(a)
        if a.kind == "log" and here.ratio_signs(inside) != {1}:
            raise Rejected(f"{message_text(inside)} is not known to be > 0")
        require_values(inside, name, here)
