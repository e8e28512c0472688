"""Draws from the very law that was verified, and the Monte Carlo picture of a refutation.

The law at one input with concrete parameters is worked out exactly, then drawn from with floats: finite outputs from their table, whole
and real outputs piece by piece.  Between two points the law is a sum of terms A exp(k x), x counted from an end of the piece; a piece is
chosen by its mass, a term of the piece by its mass, and the term is inverted in closed form: x = log(1 + v (exp(k L) - 1)) / k for v
uniform on [0, 1) and a piece of length L.  Nothing here is part of a proof.  Needs numpy.

>>> from ahdp_verify.domain import Domain, Multiset
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> round(float(sample(M, Multiset(W, [3]), size=4000, rng=1).mean()), 1)
3.0
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ahdp_verify import algebra
from ahdp_verify.algebra import Ratio
from ahdp_verify.context import Context, normal
from ahdp_verify.counterexample import Counterexample, check_conditions, constant_tree, law_at, side_text
from ahdp_verify.decide.mass import in_known_order, points
from ahdp_verify.domain import Domain, Multiset, Queries, Values
from ahdp_verify.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.event import Event
from ahdp_verify.expression import ZERO, Expression, expression, number, substitute
from ahdp_verify.grammar import parse
from ahdp_verify.integrate import exponential, grouped, inside, pieces
from ahdp_verify.mechanism import Mechanism, Output
from ahdp_verify.privacy import JOINT, Claim, combinations
from ahdp_verify.verdict import Refuted, decimal, middle, one_line

try:
    import numpy as np
except ImportError:
    raise BadInput("sampling", "numpy is not installed", "install it with: pip install 'ahdp-verify[sampling]'") from None

EMPTY = Context.empty()
FAR = 1e-15  # mass of a tail of whole numbers that is left out where it has no closed form
LONGEST = 100_000  # whole numbers of one piece that are listed
MOST = 10_000_000  # draws at once
SURE = 1.959963984540054  # standard errors that a 95 % interval extends to either side
Row = dict[str, Any]
End = Callable[[Row], float]
Draw = Callable[[Any, int], list[Any]]  # (generator, how many) -> values


# a law, piece by piece


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
    found: list[Term] = []
    for i, j, upper in pieces(len(cuts)) if cuts else []:
        spot = inside(output.name, output.kind, cuts, upper, here)
        low, high = (cuts[i] if i is not None else None), (cuts[j] if j is not None else None)
        if low is None or high is None or middle(high - low) > 0:
            found += of_piece(normal(law, spot), output, low, high)
    if not cuts:
        raise Unsupported("the law has no point from which to count")
    return found


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


# a mechanism at one input


@dataclass(frozen=True, slots=True)
class Law:
    """The law of a mechanism at one input: only the outputs are left as names."""

    outputs: tuple[Output, ...]
    density: Expression
    atoms: tuple[tuple[Expression, Expression], ...]

    def draw(self, rng: Any, n: int) -> list[Row]:
        """n independent draws, each a table output -> value."""
        if self.atoms:
            return self._with_atoms(rng, n)
        if all(o.kind == "finite" for o in self.outputs) and self._combinations <= JOINT:
            return self._joint(rng, n)
        _, groups = grouped(self.density, tuple(o.name for o in self.outputs))
        rows: list[Row] = [{} for _ in range(n)]
        for i, (output, group) in enumerate(zip(self.outputs, groups, strict=True)):
            earlier = [o.name for o in self.outputs[:i] if o.name in names_of(group)]
            for given, members in _alike(rows, earlier):
                values = draw_one(substitute(group, given), output)(rng, len(members))
                for row, value in zip(members, values, strict=True):
                    row[output.name] = value
        return rows

    @property
    def _combinations(self) -> int:
        return math.prod(len(o.values) for o in self.outputs)

    def _joint(self, rng: Any, n: int) -> list[Row]:
        outcomes = list(itertools.product(*(o.values for o in self.outputs)))
        listed = [o.name for o in self.outputs]
        weights = [rounded(normal(substitute(self.density, dict(zip(listed, outcome, strict=True))), EMPTY)) for outcome in outcomes]
        shown = [tuple(plain(v) for v in outcome) for outcome in outcomes]
        return [dict(zip(listed, shown[i], strict=True)) for i in rng.choice(len(outcomes), n, p=shares(weights))]

    def _with_atoms(self, rng: Any, n: int) -> list[Row]:
        masses = [rounded(normal(mass, EMPTY)) for _, mass in self.atoms]
        rest = max(0.0, 1 - sum(masses))
        chosen = rng.choice(len(masses) + 1, n, p=shares([*masses, rest if rest > FAR else 0.0]))
        name = self.outputs[0].name
        continuous = iter(draw_one(self.density, self.outputs[0])(rng, k) if (k := int((chosen == len(masses)).sum())) else [])
        return [{name: next(continuous) if i == len(masses) else Atom(self.atoms[i][0])} for i in chosen]


@dataclass(frozen=True, slots=True)
class Atom:
    """A drawn atom, which is not the same as a real output of that value."""

    at: Expression


def names_of(e: Expression) -> frozenset[str]:
    """The names in an expression."""
    return frozenset(node.args[0] for node in _leaves(e))


def _leaves(e: Expression) -> Iterator[Expression]:
    if e.head == "name":
        yield e
    elif e.args and isinstance(e.args[0], Expression):
        for a in e.args:
            yield from _leaves(a)


def _alike(rows: list[Row], earlier: list[str]) -> Iterator[tuple[dict[str, Expression], list[Row]]]:
    """The rows grouped by the values of earlier outputs, with these as exact expressions."""
    table: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        table.setdefault(tuple(row[k] for k in earlier), []).append(row)
    for key, members in table.items():
        yield {k: exact(v) for k, v in zip(earlier, key, strict=True)}, members


def exact(value: Any) -> Expression:
    """A drawn value as an expression."""
    return Expression("label", (value,)) if isinstance(value, str) else number(Fraction(value))


def law_of(claim: Claim, example: Counterexample, side: tuple[Expression, ...]) -> Law:
    """The law at one side of an example; BadInput where the mechanism has none there."""
    try:
        check_conditions(claim, example)
        density, atoms = law_at(claim, example, side)
    except (Rejected, Undecided, Unsupported) as why:
        raise BadInput("sampling", str(why), "choose another input or other parameters") from None
    except ZeroDivisionError:
        raise BadInput("sampling", "the law divides by 0 at this input", "choose another input") from None
    return Law(claim.mechanism.outputs, density, atoms)


def drawn(law: Law, rng: Any, n: int) -> list[Row]:
    """Draws from a law; BadInput where it has no form that can be drawn from."""
    if not 0 <= n <= MOST:
        raise BadInput("size", f"{n} draws at once", f"ask for 0 to {MOST}")
    try:
        return law.draw(rng, n)
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise BadInput("sampling", f"this law cannot be drawn from ({why})", "laws that are sums of exponentials between finitely many points can") from None


# what a user asks for


def sample(mechanism: Mechanism, dataset: object, size: int | None = None, rng: object = None, parameters: Mapping[str, object] | None = None) -> Any:
    """Independent draws from the mechanism's law at one input, as a numpy array; a dict of arrays for several outputs, one value without a size.

    dataset     a Multiset or a list of records (of a universal domain: tables of its unknowns), one of the values, or a list of query answers
    size        how many draws; None for one, as a plain value
    rng         a numpy Generator, a seed, or None for a new one
    parameters  the values of the mechanism's parameters, exact numbers or texts
    Raises BadInput for a missing parameter, an input that the mechanism does not take, and laws without a form that can be drawn from.
    """
    claim, example = _question(mechanism, dataset, parameters or {})
    rows = drawn(law_of(claim, example, example.before), np.random.default_rng(rng), 1 if size is None else _count(size))
    shown = {o.name: [v.at if isinstance(v := row[o.name], Atom) else v for row in rows] for o in mechanism.outputs}
    columns = {k: [plain(v) if isinstance(v, Expression) else v for v in column] for k, column in shown.items()}
    if size is None:
        first = {k: column[0] for k, column in columns.items()}
        return first if len(first) > 1 else next(iter(first.values()))
    arrays = {k: np.array(column, dtype=None if _numbers(column) else object) for k, column in columns.items()}
    return arrays if len(arrays) > 1 else next(iter(arrays.values()))


def _numbers(column: list[Any]) -> bool:
    return all(isinstance(v, int | float) for v in column) or all(isinstance(v, str) for v in column)


def _count(size: object) -> int:
    if not isinstance(size, int) or isinstance(size, bool):
        raise BadInput("size", f"{str(size)[:40]} is no number of draws", "give a whole number, or None for one draw")
    return size


def _question(mechanism: Mechanism, dataset: object, parameters: Mapping[str, object]) -> tuple[Claim, Counterexample]:
    """The input and the parameters in the form in which the checker takes them; the claim is none that anybody made."""
    inputs = mechanism.inputs
    relation = "add-remove" if isinstance(inputs, Domain) else "one" if isinstance(inputs, Queries) else "any"
    given = _given(mechanism, parameters)
    if isinstance(inputs, Domain) and inputs.is_universal:
        records = tuple(_instance(inputs, r, given) for r in _listed(dataset))
        return Claim(mechanism, relation, ZERO), Counterexample(given, records, (number(1),) * len(records), (), Event())
    if isinstance(inputs, Domain):
        held = dataset if isinstance(dataset, Multiset) else Multiset(inputs, _listed(dataset))
        side: tuple[Expression, ...] = tuple(number(c) for c in held.counts)
    elif isinstance(inputs, Queries):
        side = tuple(_constant(q, "dataset") for q in _listed(dataset))
    else:
        side = _value(inputs, dataset)
    return Claim(mechanism, relation, ZERO), Counterexample(given, (), side, (), Event())


def _listed(dataset: object) -> list[Any]:
    if isinstance(dataset, str) or not isinstance(dataset, Iterable):
        raise BadInput("dataset", f"{str(dataset)[:40]} is no list", "give a list of records, or of query answers")
    return list(dataset)


def _given(mechanism: Mechanism, parameters: Mapping[str, object]) -> tuple[tuple[str, Expression], ...]:
    wanted = [k for k, _ in mechanism.parameters]
    for k in wanted:
        if k not in parameters:
            raise BadInput("parameters", f"there is no value for {k}", f'give one, for example parameters={{"{k}": "1/2"}}')
    for k in parameters:
        if k not in wanted:
            raise BadInput("parameters", f"the mechanism has no parameter {str(k)[:40]}", f"its parameters are {', '.join(wanted) or 'none'}")
    return tuple((k, _constant(parameters[k], k)) for k in wanted)


def _constant(value: object, where: str) -> Expression:
    """An exact constant from a number, a text or an expression."""
    try:
        return constant_tree(parse(value, where) if isinstance(value, str) else expression(value))
    except (Undecided, Unsupported, ZeroDivisionError):
        raise BadInput(where, f"{str(value)[:40]} is no constant", 'write for example "1/2" or "log(3)"') from None


def _instance(domain: Domain, item: object, given: tuple[tuple[str, Expression], ...]) -> tuple[tuple[str, Expression], ...]:
    del given
    if not isinstance(item, Mapping) or set(item) != {u for u, _ in domain.unknowns}:
        raise BadInput("dataset", f"{str(item)[:60]} is no table of the unknowns", f"give {', '.join(u for u, _ in domain.unknowns)} for each record")
    return tuple((u, _constant(item[u], u)) for u, _ in domain.unknowns)


def _value(inputs: Values, dataset: object) -> tuple[Expression, ...]:
    wanted = dataset if isinstance(dataset, tuple) else (dataset,)
    for v in inputs.values:
        side = v if isinstance(v, tuple) else (v,)
        if len(side) == len(wanted) and all(a == b or (a.head == "label" and a.args[0] == b) or _equal(a, b) for a, b in zip(side, wanted, strict=True)):
            return side
    raise BadInput("dataset", f"{str(dataset)[:40]} is none of the mechanism's values", "give one of them")


def _equal(a: Expression, b: object) -> bool:
    return a.head != "label" and not isinstance(b, Expression) and a == (parse(b) if isinstance(b, str) else expression(b))


# the picture of a refutation


@dataclass(frozen=True, slots=True)
class Estimate:
    """How often the event occurred in `samples` draws: `share`, a 95 % interval (Wilson's) around it, and the exact probability."""

    text: str
    hits: int
    samples: int
    exact: Ratio

    @property
    def share(self) -> float:
        """The share of draws in which the event occurred."""
        return self.hits / self.samples

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of Wilson (1927)."""
        n, p, z = self.samples, self.share, SURE
        centre, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (centre - half) / (1 + z * z / n)), min(1.0, (centre + half) / (1 + z * z / n))

    @property
    def deviation(self) -> float:
        """How many standard errors the share is away from the exact probability."""
        p = rounded(self.exact)
        spread = math.sqrt(p * (1 - p) / self.samples)
        return abs(self.share - p) / spread if spread else 0.0 if self.share == p else math.inf


@dataclass(frozen=True, slots=True)
class Replay:
    """Both estimates of a refutation's event, beside the exact probabilities; prints as a small table."""

    refuted: Refuted
    before: Estimate
    after: Estimate

    def rows(self) -> list[tuple[str, ...]]:
        """The table, its head first."""
        head = ("input", "draws", "event", "estimate", "95 % interval", "exact")
        return [head, *((e.text, str(e.samples), str(e.hits), f"{e.share:.6g}", "{:.6g} to {:.6g}".format(*e.interval), decimal(e.exact)) for e in (self.before, self.after))]

    def __str__(self) -> str:
        table = self.rows()
        widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in table]
        event = one_line(str(self.refuted.counterexample.event), 160)
        given = "".join(f"{k} = {v}, " for k, v in self.refuted.counterexample.parameters)
        return "\n".join([f"{one_line(str(self.refuted.claim))}", f"{given}event {event}", *lines, self.refuted.excess])


def replay(refuted: Refuted, samples: int = 100_000, rng: object = None) -> Replay:
    """The event of a refutation counted in draws from both laws, beside its exact probabilities.

    `rng` is a numpy Generator, a seed, or None.  Raises BadInput for laws without a form that can be drawn from.
    """
    if not isinstance(refuted, Refuted):
        raise BadInput("replay", f"{type(refuted).__name__} has no counterexample", "give a Refuted")
    if _count(samples) < 1:
        raise BadInput("samples", "no draws were asked for", "give a whole number above 0")
    generator, example = np.random.default_rng(rng), refuted.counterexample
    found = []
    for side, probability in ((example.before, refuted.before), (example.after, refuted.after)):
        rows = drawn(law_of(refuted.claim, example, side), generator, samples)
        hits = occurrences(rows, example.event, refuted.claim.mechanism)
        found.append(Estimate(one_line(side_text(refuted.claim, example, side), 60), hits, samples, probability))
    return Replay(refuted, found[0], found[1])


def occurrences(rows: list[Row], event: Event, mechanism: Mechanism) -> int:
    """In how many draws the event occurred."""
    outputs = mechanism.outputs
    if event.outcomes:
        wanted = {tuple(plain(v) for v in outcome) for outcome in event.outcomes}
        return sum(tuple(row[o.name] for o in outputs) in wanted for row in rows)
    values = {k: {plain(v) for v in listed} for k, listed in event.values}
    ends = [(output, _end(low, -math.inf), _end(high, math.inf)) for output, low, high in event.intervals]
    return sum(_occurs(row, event, values, ends) for row in rows)


def _occurs(row: Row, event: Event, values: Mapping[str, set[Any]], ends: Sequence[tuple[str, End, End]]) -> bool:
    atoms = [v for v in row.values() if isinstance(v, Atom)]
    if atoms:
        return atoms[0].at in event.atoms
    if not event.continuous:
        return False
    return all(row[k] in v for k, v in values.items()) and all(low(row) <= row[k] < high(row) for k, low, high in ends)


def _end(e: Expression | None, otherwise: float) -> End:
    """An end of an interval as a function of the outputs."""
    if e is None:
        return lambda row: otherwise
    if not names_of(e):
        value = rounded(normal(e, EMPTY))
        return lambda row: value
    return lambda row: rounded(normal(substitute(e, {k: exact(v) for k, v in row.items()}), EMPTY))
