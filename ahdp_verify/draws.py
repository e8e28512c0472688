"""Draws from the law of one output: finite values from their table, whole and real outputs piece by piece.

Between two points the law is a sum of terms A exp(k x), x counted from an end of the piece; a term is chosen by its mass and inverted in
closed form: x = log(1 + v (exp(k L) - 1)) / k for v uniform on [0, 1) and a piece of length L.  Where terms are negative, a piece is chosen
by its mass and its distribution function inverted by bisection.  Floats throughout: nothing here is part of a proof.  Needs numpy.

>>> from ahdp_verify.expression import Abs, exp, name
>>> from ahdp_verify.mechanism import real
>>> draw = draw_one(exp(-Abs(name("s"))) / 2, real("s"))
>>> abs(sum(draw(np.random.default_rng(1), 4000)) / 4000) < 0.1
True
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ahdp_verify import algebra
from ahdp_verify.algebra import Ratio
from ahdp_verify.context import Context, normal, to_expression
from ahdp_verify.decide.mass import in_known_order, points
from ahdp_verify.errors import BadInput, Undecided, Unsupported
from ahdp_verify.expression import Expression, substitute
from ahdp_verify.integrate import exponential, inside, pieces
from ahdp_verify.mechanism import Output
from ahdp_verify.verdict import middle

try:
    import numpy as np
except ImportError:
    raise BadInput("sampling", "numpy is not installed", "install it with: pip install 'ahdp-verify[sampling]'") from None

EMPTY = Context.empty()
FAR = 1e-15  # mass of a tail of whole numbers that is left out where it has no closed form
LONGEST = 100_000  # whole numbers of one piece that are listed
NEAR = 1e-9  # points at a smaller distance are one
PLACES = tuple(Fraction(n, 17) for n in (1, 4, 7, 10, 13, 16, 19, 30))  # where a repetition is looked at, in steps beyond the edge
Draw = Callable[[Any, int], list[Any]]  # (generator, how many) -> values


@dataclass(frozen=True, slots=True)
class Term:
    """a * exp(k * x) for 0 <= x < length, where output = start + direction * x; whole x only if `whole`."""

    start: float
    direction: int
    length: float
    a: float
    k: float
    whole: bool

    @property
    def mass(self) -> float:
        """The integral or sum of the term."""
        if self.k == 0:
            return self.a * self.length
        top = math.expm1(self.k * self.length) if math.isfinite(self.length) else -1.0
        return self.a * top / (math.expm1(self.k) if self.whole else self.k)

    def at(self, v: Any) -> Any:
        """The outputs below which the share v of the term's mass lies."""
        if self.k == 0:
            x = v * self.length
        else:
            top = math.expm1(self.k * self.length) if math.isfinite(self.length) else -1.0
            x = np.log1p(v * top) / self.k
        return self.start + self.direction * (np.minimum(np.floor(x), self.length - 1) if self.whole else x)


def terms(law: Expression, output: Output) -> list[Term]:
    """The law of one output as terms; Unsupported where it is no sum of exponentials between finitely many points."""
    here = Context.empty(frozenset((output.name,))) if output.kind == "integer" else EMPTY
    cuts = in_known_order(points(law, output, here), here)
    if output.kind == "integer":
        cuts = tuple(algebra.constant(c) for c in sorted({first_whole(c) for c in cuts}))
    if not cuts:
        raise Unsupported("the law has no point from which to count")
    between: list[Term] = []
    endless: list[Term] = []
    for i, j, upper in sorted(pieces(len(cuts)), key=lambda piece: None in piece[:2]):  # the endless pieces last
        low, high = (cuts[i] if i is not None else None), (cuts[j] if j is not None else None)
        if low is not None and high is not None and middle(high - low) <= 0:
            continue
        try:
            made = list(of_piece(normal(law, inside(output.name, output.kind, cuts, upper, here)), output, low, high))
        except (Undecided, Unsupported):
            if (low is not None and high is not None) or output.kind == "integer":
                raise
            made = repeating(law, output, cuts, between, upward=high is None)
        (between if low is not None and high is not None else endless).extend(made)
    return between + endless


def repeating(law: Expression, output: Output, cuts: Sequence[Ratio], between: list[Term], *, upward: bool) -> list[Term]:
    """The terms of an endless piece in which the law does again what it does between two points, a factor smaller each time: f(s + P) = c f(s).

    The factor is read off at a few numbers, since nothing that is drawn is part of a proof; what has hardly any mass is left out.
    """
    edge = cuts[-1] if upward else cuts[0]
    for other in reversed(cuts[:-1]) if upward else cuts[1:]:
        step = edge - other
        factor = shrinking(law, output, edge, step)
        if factor is None:
            continue
        low, high = sorted((rounded(edge), rounded(other)))
        block = [t for t in between if low - NEAR < t.start < high - NEAR]
        copies = math.ceil(math.log(FAR) / math.log(factor)) if factor > 0 else 0
        if copies <= LONGEST and block:
            return [replace(t, start=t.start + k * rounded(step), a=t.a * factor**k) for k in range(1, copies + 1) for t in block]
    raise Unsupported(f"the law has endlessly many pieces in {output.name}, and no repetition was found")


def shrinking(law: Expression, output: Output, edge: Ratio, step: Ratio) -> float | None:
    """The factor below 1 by which the law falls at each step beyond the edge, None where that is not one factor."""
    seen = set()
    for share in PLACES:
        at = edge + step * algebra.constant(share)
        here, there = (normal(substitute(law, {output.name: to_expression(x)}), EMPTY) for x in (at, at + step))
        if here.is_zero:
            if not there.is_zero:
                return None
            continue
        seen.add((there / here).key)
        factor = rounded(there / here)
    if len(seen) > 1:
        return None
    return (factor if 0 <= factor < 1 else None) if seen else 0.0


def first_whole(c: Ratio) -> int:
    """The smallest whole number from a constant on."""
    value = c.as_rational
    return math.ceil(middle(c) if value is None else value)


def of_piece(law: Ratio, output: Output, low: Ratio | None, high: Ratio | None) -> Iterator[Term]:
    """The terms of one piece."""
    whole = output.kind == "integer"
    backwards = low is None
    start = high - algebra.constant(1) if backwards and whole and high is not None else high if backwards else low
    length = float(middle(high - low)) if low is not None and high is not None else math.inf
    if start is None:
        raise Unsupported("the law has no point from which to count")
    for m, c in law.num.terms.items():
        rest, rate, shift = exponential(m, output.name)
        size = Ratio(algebra.of_monomial(rest, c), law.den) * algebra.exp_of(rate * start + shift)
        if output.name in algebra.ratio_names(size):
            raise Unsupported(f"the law is not a sum of exponentials in {output.name}")
        k = rounded(rate)
        yield Term(rounded(start), -1 if backwards else 1, length, rounded(size), -k if backwards else k, whole)


def rounded(r: Ratio) -> float:
    """A constant as a float."""
    return float(middle(r))


def total_of(law: Expression, output: Output) -> float:
    """The total of a law of one output."""
    if output.kind == "finite":
        return sum(rounded(normal(substitute(law, {output.name: v}), EMPTY)) for v in output.values)
    return sum(t.mass for t in terms(law, output))


def draw_one(law: Expression, output: Output) -> Draw:
    """What draws one output from its law, which need not have total 1."""
    if output.kind == "finite":
        weights = [rounded(normal(substitute(law, {output.name: v}), EMPTY)) for v in output.values]
        return lambda rng, n: [plain(output.values[i]) for i in rng.choice(len(weights), n, p=shares(weights))]
    listed = terms(law, output)
    if any(t.a < 0 for t in listed):
        return draw_signed(listed)
    masses = shares([t.mass for t in listed])

    def draw(rng: Any, n: int) -> list[Any]:
        chosen, v, values = rng.choice(len(listed), n, p=masses), rng.random(n), np.empty(n)
        for i, term in enumerate(listed):
            values[chosen == i] = term.at(v[chosen == i])
        return [int(x) for x in values] if output.kind == "integer" else [float(x) for x in values]

    return draw


def draw_signed(listed: list[Term]) -> Draw:
    """What draws from terms some of which are negative: the pieces by their mass, and inside a piece by bisection or from a list."""
    groups = [list(g) for _, g in itertools.groupby(listed, key=lambda t: (t.start, t.direction, t.length))]
    masses = shares([sum(t.mass for t in g) for g in groups])

    def draw(rng: Any, n: int) -> list[Any]:
        chosen, v, values = rng.choice(len(groups), n, p=masses), rng.random(n), np.empty(n)
        for i, group in enumerate(groups):
            values[chosen == i] = inverted(group, v[chosen == i])
        return [int(x) for x in values] if listed[0].whole else [float(x) for x in values]

    return draw


def inverted(group: list[Term], v: Any) -> Any:
    """The outputs below which the shares v of the mass of a piece lie."""
    first, total = group[0], sum(t.mass for t in group)
    if first.whole:
        reach = min(first.length, 1.0 + next((j for j in range(LONGEST) if tail(group, j) < FAR * total), LONGEST))
        x = np.arange(int(reach))
        sums = np.cumsum(sum(t.a * np.exp(t.k * x) for t in group))
        return first.start + first.direction * np.minimum(np.searchsorted(sums, v * total, side="right"), len(x) - 1)
    low = np.zeros(len(v))
    high = np.full(len(v), first.length if math.isfinite(first.length) else reaching(group, total))
    for _ in range(80):
        mid = (low + high) / 2
        below = sum((t.a * mid if t.k == 0 else t.a * np.expm1(t.k * mid) / t.k) for t in group) < v * total
        low, high = np.where(below, mid, low), np.where(below, high, mid)
    return first.start + first.direction * (low + high) / 2


def tail(group: list[Term], x: float) -> float:
    """The mass of an endless piece from x on."""
    return sum(t.mass * math.exp(t.k * x) for t in group) if not math.isfinite(group[0].length) else math.inf


def reaching(group: list[Term], total: float) -> float:
    """A length beyond which an endless piece has hardly any mass."""
    x = 1.0
    while tail(group, x) > FAR * total:
        x *= 2
    return x


def shares(weights: Sequence[float]) -> Any:
    """Weights divided by their sum; BadInput where one is clearly negative, or all are 0."""
    listed = np.array(weights, dtype=float)
    if not len(listed) or listed.sum() <= 0 or listed.min() < -1e-9 * listed.sum():
        raise BadInput("sampling", "the law is no probability law at this input", "verify a claim about it: that shows where its mass is not 1")
    listed = np.maximum(listed, 0)
    return listed / listed.sum()


def plain(e: Expression) -> Any:
    """A value of an output for people: a text for a label, an int or a float for a number."""
    if e.head == "label":
        return e.args[0]
    value = middle(normal(e, EMPTY))
    return int(value) if value.denominator == 1 else float(value)


def array(column: list[Any]) -> Any:
    """The values as a numpy array, of objects where numbers and texts are mixed."""
    alike = all(isinstance(v, int | float) for v in column) or all(isinstance(v, str) for v in column)
    return np.array(column, dtype=None if alike else object)


def generator(rng: Any) -> Any:
    """The numpy generator that is given, or a new one with a seed; BadInput for anything else."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise BadInput("rng", f"{str(rng)[:40]} is no seed", "give a whole number from 0, a numpy Generator, or None") from None
