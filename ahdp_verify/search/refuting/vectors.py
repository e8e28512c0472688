"""Vectors at which the answer to a query moves far when one entry changes.

Vectors of few entries are tried at the ends of what an entry may be and between them, in floats;
the best are improved entry by entry. The checker works the jumps out exactly.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> X = Entries(3, "0 <= x <= 1")
>>> jump = largest_jump(Question(X, parse("ordered(x, 2)"), parse("0")), {}, Limits().clock())
>>> [f"{key} = {value}" for key, value in jump.values(1)]
['x[1] = 0', 'x[2] = 0', 'x[3] = 1', "x[1]' = 1"]
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.entries import POSITION, Entries, is_part, position
from ahdp_verify.kernel.model.entry_changes import depends
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.sensitivity import JOINED
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import truth
from ahdp_verify.kernel.terms.expression import (
    Expression,
    Max,
    Min,
    conjuncts,
    name,
    names,
    number,
    substitute,
    transform,
)
from ahdp_verify.search.floating_point import WITHOUT_VALUE, float_function
from ahdp_verify.search.limits import Clock

LONGEST = 6  # entries of the longest vectors that are tried
GRID = 4000  # vectors of one length that are tried
DRAWN = 200  # random ones tried after them
ROUNDS = 40  # steps of the climb from the best of them
CHOSEN = 12  # values of the parameters that are tried
MARGIN = 1e-9
ROUNDED = (1, 2, 3, 4, 10, 100, 1000, 10**6, 10**15)  # denominators to which places are rounded
SIMPLE = ("1", "2", "3", "1/2", "4", "0", "5", "1/4", "3/4", "1/3", "6", "7/10")
OUTER = (1.0, -1.0, 100.0, -100.0)  # from the only end of what an entry may be
INNER = (0.5, 0.25, 0.75, 0.4, 0.9)  # between the ends of what an entry may be
Floats = tuple[float, ...]
Given = dict[str, Expression]
Place = tuple[Floats, int, float]  # a vector, a position from 1, and the new value of that entry


@dataclass(frozen=True, slots=True)
class Question:
    """A query on vectors, and a bound of how far its answer moves."""

    inputs: Entries
    query: Expression
    bound: Expression


@dataclass(frozen=True, slots=True)
class Jump:
    """By how much more than the bound the answer moves at a place."""

    size: float
    given: tuple[tuple[str, Expression], ...]
    vector: Floats
    at: int
    new: float

    def values(self, most: int) -> UnknownValues:
        """The same as values of a counterexample, entries rounded to denominators up to `most`."""
        entries = ((f"x[{i}]", _rounded(e, most)) for i, e in enumerate(self.vector, 1))
        return (*self.given, *entries, (f"x[{self.at}]'", _rounded(self.new, most)))

    def shortened(self) -> Jump:
        """The last nine tenths of the jump: where it starts the answer may have no value."""
        i = self.at - 1
        start = self.vector[i] + (self.new - self.vector[i]) / 10
        return replace(self, vector=(*self.vector[:i], start, *self.vector[i + 1 :]))


def _rounded(value: float, most: int) -> Expression:
    return number(Fraction(value).limit_denominator(most))


def jumps_beyond(question: Question, clock: Clock) -> Iterator[Jump]:
    """Jumps that exceed the bound, as far as floats tell."""
    for given in parameter_values(question.inputs):
        best = largest_jump(question, given, clock)
        if best is not None and best.size > MARGIN:
            yield best


def parameter_values(inputs: Entries) -> Iterator[Given]:
    """Simple values of the parameters that satisfy the conditions, with few entries."""
    keys = [key for key, _ in inputs.parameters]
    whole = names(inputs.size)
    options = [[number(v) for v in SIMPLE if key not in whole or "/" not in v] for key in keys]
    ranks = sorted(itertools.product(*(range(len(o)) for o in options)), key=sum)
    listed = ({key: o[i] for key, o, i in zip(keys, options, r, strict=True)} for r in ranks[:4096])
    yield from itertools.islice((given for given in listed if _fits(inputs, given)), CHOSEN)


def _fits(inputs: Entries, given: Given) -> bool:
    """Whether the conditions hold there, and vectors have at most `LONGEST` entries."""
    try:
        n = float_function(substitute(inputs.size, given))({})
        conditions = [substitute(c, given) for _, c in inputs.parameters]
        return (
            1 <= n <= LONGEST and n == int(n) and all(truth(c, Context.empty()) for c in conditions)
        )
    except (Undecided, Unsupported, *WITHOUT_VALUE):
        return False


def ends_of_entries(inputs: Entries, given: Given) -> list[float]:
    """The ends of what an entry may be, and numbers between them; where an end is missing, also
    numbers farther out, as far as they are allowed.
    """
    compared = (c for c in conjuncts(substitute(inputs.values, given)) if c.head in ("<", "<="))
    sides = {side for c in compared for side in c.args if not names(side)}
    found = [float(float_function(side)({})) for side in sides] or [-1.0, 1.0]
    low, high = min(found), max(found)
    if low == high or not sides:
        return [*dict.fromkeys((low, high)), *(low + far for far in OUTER)]
    return [low, high, *(low + (high - low) * part for part in INNER)]


def largest_jump(question: Question, given: Given, clock: Clock) -> Jump | None:
    """The largest jump beyond the bound that is found at these values of the parameters; None if
    the answer has no value.
    """
    inputs = question.inputs
    n = int(float_function(substitute(inputs.size, given))({}))
    listed, height = ends_of_entries(inputs, given), _height(question, given, n)
    best: tuple[float, Place] | None = None
    for start in _starts(listed, n):
        clock.check("trying vectors")
        found = height(start)
        if found > -math.inf and (best is None or found > best[0] + MARGIN):
            best = found, start
    if best is None:
        return None
    size, place = climbed(height, best, listed[1] - listed[0])
    return Jump(size, tuple(given.items()), *place)


def _starts(listed: list[float], n: int) -> Iterator[Place]:
    """Places at the listed values, all combinations of the first of them, then random ones."""
    most = max(2, min(len(listed), int((GRID / n) ** (1 / (n + 1)))))
    grid = itertools.product(listed[:most], repeat=n)
    yield from itertools.product(grid, range(1, n + 1), listed[:most])
    source = random.Random(0)
    for _ in range(DRAWN):
        vector = tuple(source.choice(listed) for _ in range(n))
        yield vector, source.randint(1, n), source.choice(listed)


def _height(question: Question, given: Given, n: int) -> Callable[[Place], float]:
    """How far the answer moves at a place, minus the bound; -oo where that has no value."""
    formula = float_function(written_out(substitute(question.query, given), question.inputs, given))
    allowed = float_function(substitute(question.inputs.values, given))
    limit = float_function(substitute(question.bound, given))
    keys = [f"x[{k}]" for k in range(1, n + 1)]

    def height(place: Place) -> float:
        vector, at, new = place
        try:
            if not all(allowed({"x": value}) for value in (*vector, new)):
                return -math.inf
            before = dict(zip(keys, vector, strict=True))
            moved = formula({**before, keys[at - 1]: new}) - formula(before)
            size = float(moved - limit({POSITION: float(at)}))
            return -math.inf if math.isnan(size) else size
        except WITHOUT_VALUE:
            return -math.inf

    return height


def climbed(
    height: Callable[[Place], float], best: tuple[float, Place], width: float
) -> tuple[float, Place]:
    """A better place near the best one, entry by entry."""
    size, place = best
    step = width / 4
    for _ in range(ROUNDS):
        there = max(
            ((height(near), near) for near in _near(place, step)), key=lambda found: found[0]
        )
        if there[0] > size + MARGIN:
            size, place = there
        else:
            step /= 2
    return size, place


def _near(place: Place, step: float) -> Iterator[Place]:
    vector, at, new = place
    for shift in (step, -step):
        yield vector, at, new + shift
        for i, value in enumerate(vector):
            yield (*vector[:i], value + shift, *vector[i + 1 :]), at, new


def written_out(e: Expression, inputs: Entries, given: Mapping[str, Expression]) -> Expression:
    """A query on the entries of a vector as a formula in x[1], ..., x[n]."""

    def whole(k: Expression) -> int:
        return int(float_function(substitute(k, {**given}))({}))

    def value(p: Expression) -> Expression | None:
        if not is_part(p):
            return None
        if (k := position(p)) is not None:
            return name(f"x[{whole(k)}]")
        body, counter, *ends = inputs.opened(p)
        body = transform(body, lambda q: None if depends(q, counter) else value(q))
        first, last = map(whole, ends)
        terms = [
            transform(substitute(body, {counter: number(k)}), value) for k in range(first, last + 1)
        ]
        return _ranked(terms, whole(p.args[1])) if p.head == "ordered" else JOINED[p.head](*terms)

    return transform(e, value)


def _ranked(terms: list[Expression], k: int) -> Expression:
    """The k-th smallest of a few terms: the least of the largest of k of them."""
    return Min(*(Max(*chosen) for chosen in itertools.combinations(terms, k)))
