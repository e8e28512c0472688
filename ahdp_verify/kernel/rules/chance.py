"""Exact probabilities of the outputs of noise programs, by eliminating one noise after another.

    P[outputs in E] = sum over paths of P[coins] * integral of the densities where all rows hold

The rows are those of the path and those of the event.  Each has one noise or two, with coefficients
1 and -1 after division by a common factor, and a rational constant h.

The rows of x and y say that  L + s y <= x < U + s y,  s = 1 or -1.  If x is compared with y alone,
the integral over x of its density f is G(L + s y) - G(U + s y), where G(t) is that over x >= t.
This factor goes to the density of y, and x is gone.  Comparisons without a cycle can all be
eliminated.

The functions are sums of  c x^p exp(r x + a) / product of (1 - exp(d))  between breakpoints.
Products, reflections and G are such functions again.  For whole numbers (geometric noise) integrals
are sums; h is rounded to a whole number, which makes strict rows weak ones; and only there divisors
occur, d < 0.

All of x, h, L, U are multiples of one step, and r, a, d of one `unit`, so that they are integers.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, If, Release, Stop
>>> from ahdp_verify.kernel.terms.expression import label
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> test = If(parse("q[1] + x"), True, Release(label("high"), Stop()), Stop())
>>> program = Program("sign", (), Answers(1), Draw("x", "laplace", parse("2"), test))
>>> output_probability(program, (Fraction(1),), {}, OutputEvent((label("high"),)))
1 + -1/2*exp(1)^(-1/2)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, floor, lcm

from flint import fmpq

from ahdp_verify.kernel.effort import spend
from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_paths import Item, Path, PathTable, Row
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, substitute

EMPTY = Context.empty()
Terms = dict[tuple[int, int, int, tuple[int, ...]], fmpq]  # from p, r, a and all d to c
Bounds = tuple[int | None, int | None]  # L and U; None: no bound
ONE: Terms = {(0, 0, 0, ()): fmpq(1)}


def _plus(f: Terms, g: Terms, factor: int = 1) -> Terms:
    """f + factor * g."""
    result = dict(f)
    for key, c in g.items():
        result[key] = result.get(key, 0) + factor * c
    return {key: c for key, c in result.items() if c}


def _minus(f: Terms, g: Terms) -> Terms:
    return _plus(f, g, -1)


def _times(f: Terms, g: Terms) -> Terms:
    spend(len(f) * len(g))
    result: Terms = {}
    for (p, r, a, ds), c in f.items():
        for (p2, r2, a2, ds2), c2 in g.items():
            key = p + p2, r + r2, a + a2, tuple(sorted(ds + ds2))
            result[key] = result.get(key, 0) + c * c2
    return {key: c for key, c in result.items() if c}


def _scaled(f: Terms, c: fmpq, a: int = 0, ds: tuple[int, ...] = ()) -> Terms:
    """f * c exp(a) / product of (1 - exp(d))."""
    return _times(f, {(0, 0, a, ds): c})


def _composed(f: Terms, s: int, h: int) -> Terms:
    """x -> f(s x + h); with s = 0 the value of f at h."""
    result: Terms = {}
    for (p, r, a, ds), c in f.items():
        for m in range(p + 1 if s else 1):
            key = m, r * s, a + r * h, ds
            result[key] = result.get(key, 0) + c * (comb(p, m) * s**m) * h ** (p - m)
    return {key: c for key, c in result.items() if c}


@lru_cache(maxsize=4096)
def _primitive(p: int, r: int, unit: int) -> Terms:
    """A with A(x) - A(y) = the integral of t^p exp(r t) over x <= t < y (unit 0: the sum)."""
    u = p if r else p + 1
    found: Terms = {(u, r, 0, ()): fmpq(1)}
    if unit:  # (t^p e^(rt/unit))' = (r/unit) t^p e^(rt/unit) + p t^(p-1) e^(rt/unit)
        if r and p:
            found = _plus(found, _primitive(p - 1, r, unit), p)
        return _scaled(found, fmpq(-unit, r) if r else fmpq(-1, u))
    # t^u e^(rt) - (t+1)^u e^(r(t+1)) = (1 - e^r) t^u e^(rt) - e^r (the sum of these)
    for j in range(p):
        found = _plus(found, _scaled(_primitive(j, r, 0), fmpq(comb(u, j)), r))
    if r == 0:
        return _scaled(found, fmpq(-1, u))
    return _scaled(found, fmpq(1 if r < 0 else -1), min(-r, 0), (-abs(r),))  # / (1 - e^r)


@dataclass(frozen=True, slots=True)
class Pieces:
    """A function that is parts[0] before breaks[0] and parts[i] from breaks[i - 1] on.

    Exponents are multiples of 1/unit; unit 0: it is a function on the whole numbers.
    """

    unit: int
    breaks: tuple[int, ...]
    parts: tuple[Terms, ...]

    @property
    def past(self) -> int:
        """x <= h is x < h + past: 1 for whole numbers, 0 for others, up to a null set."""
        return 0 if self.unit else 1

    def joined(self, join: Callable[[Terms, Terms], Terms], other: Pieces) -> Pieces:
        """The function whose parts are joined from those of this and another function."""
        breaks = tuple(sorted({*self.breaks, *other.breaks}))
        parts = [join(self.parts[0], other.parts[0])]
        for b in breaks:
            mine, theirs = (f.parts[bisect_right(f.breaks, b)] for f in (self, other))
            parts.append(join(mine, theirs))
        return Pieces(self.unit, breaks, tuple(parts))

    def composed(self, s: int, h: int) -> Pieces:
        """x -> self(s x + h), for s = 1 or -1."""
        parts = tuple(_composed(part, s, h) for part in self.parts)
        if s == 1:
            return Pieces(self.unit, tuple(b - h for b in self.breaks), parts)
        breaks = tuple(h - b + self.past for b in reversed(self.breaks))  # x <= h - b
        return Pieces(self.unit, breaks, parts[::-1])

    def beyond(self) -> Pieces:
        """t -> the integral, or the sum, over x >= t."""
        if any(r >= 0 for _, r, _, _ in self.parts[-1]):
            raise Unsupported("a density does not decay")
        parts: list[Terms] = []
        for i in reversed(range(len(self.parts))):
            part: Terms = {}
            for (p, r, a, ds), c in self.parts[i].items():
                part = _plus(part, _scaled(_primitive(p, r, self.unit), c, a, ds))
            if parts:
                b = self.breaks[i]  # where the part has to agree with the next one
                part = _plus(part, _composed(_minus(parts[-1], part), 0, b))
            parts.append(part)
        return Pieces(self.unit, self.breaks, tuple(reversed(parts)))

    def at_minus_infinity(self) -> Terms:
        """The limit of the function."""
        if any(r < 0 or (r == 0 and p > 0) for p, r, _, _ in self.parts[0]):
            raise Unsupported("a density does not decay")
        return {key: c for key, c in self.parts[0].items() if key[1] == 0}

    def drop(self, s: int, low: int | None, high: int | None) -> Pieces:
        """y -> self(low + s y) - self(high + s y), 0 unless low < high; None is infinity."""
        if low is not None and high is not None and low >= high:
            return Pieces(self.unit, (), ({},))
        start = Pieces(self.unit, (), (self.at_minus_infinity(),))
        if low is not None:
            start = self.composed(s, low)
        return start if high is None else start.joined(_minus, self.composed(s, high))


def noise_density(law: str, r: int, unit: int) -> Pieces:
    """The density of a noise of scale unit/r, that of the geometric law without its constant."""
    if law in ("gumbel", "gaussian"):
        raise Unsupported(f"{law.title()} noise is compared, which has no exact probabilities here")
    if law == "geometric":
        return Pieces(0, (0,), ({(0, r, 0, ()): fmpq(1)}, {(0, -r, 0, ()): fmpq(1)}))
    c = fmpq(r, 2 * unit if law == "laplace" else unit)
    below: Terms = {(0, r, 0, ()): c} if law == "laplace" else {}
    return Pieces(unit, (0,), (below, {(0, -r, 0, ()): c}))


@dataclass(frozen=True, slots=True)
class Line:
    """The sum of 1 or -1 times one or two noises of one kind, and of h, is >= 0."""

    signs: Mapping[str, int]
    h: int


def chance(densities: Mapping[str, Pieces], lines: list[Line]) -> Terms:
    """The integral of the product of all densities over the noises for which the lines hold."""
    left, total = dict(densities), ONE
    while left:
        near = {v: {w for line in lines if v in line.signs for w in line.signs} - {v} for v in left}
        v = min(left, key=lambda v: len(near[v]))
        if len(near[v]) > 1:
            lines = _without_implied(lines)
            continue
        alone = [line for line in lines if v in line.signs and len(line.signs) == 1]
        pairs = [line for line in lines if v in line.signs and len(line.signs) == 2]
        lines = [line for line in lines if v not in line.signs]
        f = left.pop(v)
        zero = Pieces(f.unit, (f.past,), (ONE, {}))  # 1 for t <= 0: G of a noise that is 0
        later = f.joined(_times, zero.drop(-1, *_bounds(alone, v, f))).beyond()
        if not pairs:
            total = _times(total, later.at_minus_infinity())
            continue
        (w,) = near[v]
        slopes = {-line.signs[v] * line.signs[w] for line in pairs}
        if len(slopes) > 1:
            raise Unsupported("both the sum and the difference of two noises are bounded")
        left[w] = left[w].joined(_times, later.drop(slopes.pop(), *_bounds(pairs, v, f)))
    return total


def _bounds(lines: list[Line], v: str, f: Pieces) -> Bounds:
    """L and U in L <= x < U, or in L + s y <= x < U + s y, of a noise v with density f."""
    low = max((-line.h for line in lines if line.signs[v] > 0), default=None)
    return low, min((line.h + f.past for line in lines if line.signs[v] < 0), default=None)


def _without_implied(lines: list[Line]) -> list[Line]:
    """The lines without one that follows from two others; Unsupported if there is none."""
    for line in lines:
        others = [other for other in lines if other is not line]
        given = {(frozenset(other.signs.items()), other.h) for other in others}
        for other in others:
            both = {**line.signs, **other.signs}
            rest = {v: line.signs.get(v, 0) - other.signs.get(v, 0) for v in both}
            signs = frozenset((v, s) for v, s in rest.items() if s)
            if any(signs == there and other.h + h <= line.h for there, h in given):
                return others
    raise Unsupported("the comparisons of noises form a cycle")


@dataclass(frozen=True, slots=True)
class _Run:
    """The query answers and the values of parameters at which a program runs."""

    answers: Mapping[str, Fraction]
    given: Mapping[str, Expression]

    def rational(self, e: Expression) -> Fraction:
        """The value of an expression in parameters."""
        found = normal(substitute(e, self.given), EMPTY).as_rational
        if found is None:
            raise Unsupported(f"{e} is not a rational number at these values of the parameters")
        return found

    def probability(self, path: Path, event: OutputEvent) -> Ratio:
        """The probability that the path is taken and its outputs lie in the event."""
        laws = {noise.name: noise for noise in path.draws}
        rows: list[tuple[dict[str, int], Fraction]] = []
        for row in (*path.rows, *_event_rows(path.items, event)):
            terms = {v: c for v, c in row.form.terms if v in laws}
            h = self.rational(row.form.constant)
            h += sum(c * self.answers[q] for q, c in row.form.terms if q not in laws)
            if terms:
                rows.append(_compared(terms, h, row.strict, {laws[v].law for v in terms}))
            elif h < 0 or (row.strict and h == 0):
                return constant(0)
        rates = {v: 1 / self.rational(laws[v].scale) for signs, _ in rows for v in signs}
        step = lcm(*(h.denominator for _, h in rows))
        unit = step * lcm(*(rate.denominator for rate in rates.values()))
        result = normal(substitute(path.probability, self.given), EMPTY)
        steps = dict.fromkeys(rates, step)
        for v, rate in rates.items():
            if laws[v].law == "geometric":
                steps[v], y = 1, exp_of(constant(-rate))
                result = result * (constant(1) - y) / (constant(1) + y)
        densities = {
            v: noise_density(laws[v].law, int(rate * unit / steps[v]), unit)
            for v, rate in rates.items()
        }
        lines = [Line(signs, int(h * steps[min(signs)])) for signs, h in rows]
        return result * _ratio(chance(densities, lines), unit)


def released_numbers(items: tuple[Item, ...], increments: bool) -> dict[int, LinearForm]:
    """The numbers among the items by their places, or by how much each exceeds the one before."""
    numbers = {i: item for i, item in enumerate(items) if isinstance(item, LinearForm)}
    before = [LinearForm(()), *numbers.values()] if increments else [LinearForm(())] * len(items)
    return {i: form.minus(last) for (i, form), last in zip(numbers.items(), before, strict=False)}


def _event_rows(items: tuple[Item, ...], event: OutputEvent) -> Iterator[Row]:
    """The rows that hold where the numbers among the items lie in the intervals of the event."""
    for i, form in released_numbers(items, event.increments).items():
        wanted = event.items[i]
        if isinstance(wanted, Between):
            if wanted.low is not None:
                yield Row(form.minus(LinearForm((), wanted.low)), False)
            if wanted.high is not None:
                yield Row(LinearForm((), wanted.high).minus(form), False)


def _compared(
    terms: dict[str, Fraction], h: Fraction, strict: bool, laws: set[str]
) -> tuple[dict[str, int], Fraction]:
    """The signs of the noises and the constant of a row, divided by a common factor."""
    size = abs(next(iter(terms.values())))
    if len(terms) > 2:
        raise Unsupported("a comparison, or a number that is released, contains three noises")
    if any(abs(c) != size for c in terms.values()):
        raise Unsupported("two noises are compared with different factors")
    if "geometric" in laws:
        if len(laws) > 1:
            raise Unsupported("a whole-number noise is compared with another noise")
        h = Fraction(ceil(h / size) - 1 if strict else floor(h / size)) * size
    return {v: 1 if c > 0 else -1 for v, c in terms.items()}, h / size


def _ratio(terms: Terms, unit: int) -> Ratio:
    """The number that terms without a variable add up to."""
    for d in sorted({d for *_, ds in terms for d in ds}):
        for k in range(max((ds.count(d) for *_, ds in terms), default=0)):
            fewer = {key: c for key, c in terms.items() if key[3].count(d) == k}
            expanded = _minus(_scaled(fewer, fmpq(1), 0, (d,)), _scaled(fewer, fmpq(1), d, (d,)))
            terms = _plus(_minus(terms, fewer), expanded)
    total = constant(0)
    for (_, _, a, _), c in terms.items():
        value = exp_of(constant(Fraction(a, unit)))
        total = total + value.scale(Fraction(int(c.p), int(c.q)))
    for d in next(iter(terms), ((),))[-1]:  # now the same in all terms
        total = total / (constant(1) - exp_of(constant(Fraction(d, unit))))
    return total


def output_probability(
    program: Program,
    answers: tuple[Fraction, ...],
    parameters: Mapping[str, Expression],
    event: OutputEvent,
) -> Ratio:
    """The probability that the outputs lie in the event, exactly, at the query answers q[1], q[2],
    ... and values of all parameters.

    Unsupported if a scale or a constant of a row is not rational at these values, for a comparison
    of three noises, of two with different factors, of Gumbel noise, and for a cycle of comparisons.
    """
    run = _Run({f"q[{i}]": q for i, q in enumerate(answers, 1)}, parameters)

    def fits(i: int, item: Item) -> bool:
        if i >= len(event.items):
            return False
        wanted = event.items[i]
        return isinstance(item, LinearForm) if isinstance(wanted, Between) else item == wanted

    paths = PathTable(program).runs(len(answers), fits)
    whole = (path for path in paths if len(path.items) == len(event.items))
    return sum((run.probability(path, event) for path in whole), constant(0))
