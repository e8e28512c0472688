"""Verdicts on claims of sensitivity: vectors at which a claim fails, then a proof of its cases.

Vectors of few entries are tried at the ends of what an entry may be and between them, in floats;
the best are improved entry by entry, and rounded to simple numbers.  A proof is one piece of
evidence for each case of `kernel.model.entry_moves`.  Both are judged by the checker.

>>> from ahdp_verify.kernel.model.entries import Entries
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> X = Entries("n", "0 <= x <= 1")
>>> print(verify_sensitivity(SensitivityClaim(X, parse("maximum(x)"), parse("1/2")), Limits()).text)
n = 1, x[1] = 0, x[1]' = 1: 1 against 1/2 (0.5000)
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.checker import check, refute_inequality
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.entries import POSITION, Entries, is_part, position
from ahdp_verify.kernel.model.entry_moves import depends
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import truth
from ahdp_verify.kernel.terms.expression import (
    Expression,
    conjuncts,
    name,
    names,
    number,
    substitute,
    transform,
)
from ahdp_verify.kernel.unknown import Unknown, Verdict
from ahdp_verify.search.floating_point import WITHOUT_VALUE, float_function
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.unknowns import inequality_certificate
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.wording import unknown_verdict

LONGEST = 6  # entries of the longest vectors that are tried
GRID = 4000  # vectors of one length that are tried
ROUNDS = 40  # steps of the climb from the best of them
CHOSEN = 12  # values of the parameters that are tried
ROUNDED = (1, 2, 3, 4, 10, 100, 1000)  # denominators to which the end of a climb is rounded
MARGIN = 1e-9
Floats = tuple[float, ...]
Given = dict[str, Expression]


@dataclass(frozen=True, slots=True)
class Jump:
    """By how much the answer moves where the entry at a position (from 1) gets a new value."""

    size: float
    given: tuple[tuple[str, Expression], ...]
    vector: Floats
    at: int
    new: float

    def values(self, most: int) -> UnknownValues:
        """The same as values of a counterexample, entries rounded to denominators up to `most`."""
        entries = [(f"x[{i}]", rounded(value, most)) for i, value in enumerate(self.vector, 1)]
        return (*self.given, *entries, (f"x[{self.at}]'", rounded(self.new, most)))


def rounded(value: float, most: int) -> Expression:
    """A simple number near a float."""
    return number(Fraction(value).limit_denominator(most))


def verify_sensitivity(claim: SensitivityClaim, limits: Limits) -> Verdict:
    """Proved, Refuted or Unknown for a claim of sensitivity."""
    clock, reasons = limits.clock(), list[Declined]()
    with clock.running(), stop_at_limits(reasons):
        for jump in itertools.islice(jumps(claim, clock), 3):
            for most in ROUNDED:
                try:
                    return refute_inequality(claim, jump.values(most))
                except (Rejected, Undecided, Unsupported):
                    continue
        found = inequality_certificate(claim, clock)
        if isinstance(found, Declined):
            reasons.append(found)
        else:
            try:
                return check(claim, found, None, comparing.find_compared_inputs(claim))
            except Rejected as why:
                reasons.append(Declined("checker", why.reason))
    return unknown_verdict(claim, reasons)


def jumps(claim: SensitivityClaim, clock: Clock) -> Iterator[Jump]:
    """Jumps of the answer that exceed the bound, as far as floats tell."""
    for given in parameter_values(claim.inputs, claim.bound):
        best = largest_jump(claim.inputs, claim.query, given, clock, claim.bound)
        if best is not None and best.size > MARGIN:
            yield best


def parameter_values(inputs: Entries, *others: Expression) -> Iterator[Given]:
    """Simple values of the parameters that satisfy the conditions, with few entries."""
    keys = [key for key, _ in inputs.parameters]
    simple = ("1", "2", "3", "1/2", "4", "0", "5", "1/4", "3/4", "1/3", "6", "7/10")
    options = [
        [number(v) for v in simple if key not in inputs.whole or "/" not in v] for key in keys
    ]
    ranks = sorted(itertools.product(*(range(len(o)) for o in options)), key=sum)
    found = 0
    for row in itertools.islice(ranks, 4096):
        given = {key: o[i] for key, o, i in zip(keys, options, row, strict=True)}
        conditions = (substitute(c, given) for _, c in inputs.parameters)
        try:
            holds = all(truth(c, Context.empty()) for c in conditions)
            n = float_function(substitute(inputs.size, given))({})
        except (Undecided, Unsupported, ZeroDivisionError, *WITHOUT_VALUE):
            continue
        if holds and 1 <= n <= LONGEST and n == int(n):
            yield given
            found += 1
            if found >= CHOSEN:
                return


def ends_of_entries(inputs: Entries, given: Given) -> list[float]:
    """The ends of what an entry may be, and numbers between them."""
    found = []
    for c in conjuncts(substitute(inputs.values, given)):
        for side in c.args if c.head in ("<", "<=", "==") else ():
            if not names(side):
                found.append(float(float_function(side)({})))
    low, high = (min(found), max(found)) if found else (-1.0, 1.0)
    inner = [low + (high - low) * part for part in (0.5, 0.25, 0.75, 0.4, 0.9)]
    return [low, high, *inner]


def largest_jump(
    inputs: Entries,
    query: Expression,
    given: Given,
    clock: Clock,
    bound: Expression = number(0),
) -> Jump | None:
    """The largest jump minus the bound that is found at these values of the parameters."""
    n = int(float_function(substitute(inputs.size, given))({}))
    listed = ends_of_entries(inputs, given)
    allowed = float_function(substitute(inputs.values, given))
    answer = vector_function(substitute(query, given), inputs, n, given)
    limit = float_function(substitute(bound, given))
    source = random.Random(0)

    def height(vector: Floats, at: int, new: float) -> float:
        try:
            if not all(allowed({"x": v}) for v in (*vector, new)):
                return -math.inf
            moved = (*vector[: at - 1], new, *vector[at:])
            return float(answer(moved) - answer(vector) - limit({POSITION: float(at)}))
        except WITHOUT_VALUE:
            return -math.inf

    most = max(2, min(len(listed), int((GRID / n) ** (1 / (n + 1)))))
    starts = [
        (vector, at, new)
        for vector in itertools.product(listed[:most], repeat=n)
        for at in range(1, n + 1)
        for new in listed[:most]
    ]
    for _ in range(200):
        drawn = tuple(source.choice(listed) for _ in range(n))
        starts.append((drawn, source.randint(1, n), source.choice(listed)))
    best = (-math.inf, starts[0])
    for start in starts:
        clock.check("trying vectors")
        found = height(*start)
        if found > best[0] + MARGIN:
            best = (found, start)
    if best[0] == -math.inf:
        return None
    size, (vector, at, new) = climbed(height, best, listed[1] - listed[0])
    return Jump(size, tuple(given.items()), vector, at, new)


def climbed(height, best, width):  # type: ignore[no-untyped-def]
    """A better place near the best one, entry by entry."""
    size, (vector, at, new) = best
    step = width / 4
    for _ in range(ROUNDS):
        moved = False
        for i in range(-1, len(vector)):
            for shift in (step, -step):
                changed = (
                    (vector, at, new + shift)
                    if i < 0
                    else ((*vector[:i], vector[i] + shift, *vector[i + 1 :]), at, new)
                )
                if (there := height(*changed)) > size + MARGIN:
                    size, (vector, at, new), moved = there, changed, True
        step = step if moved else step / 2
    return size, (vector, at, new)


def vector_function(query: Expression, inputs: Entries, n: int, given: Mapping[str, Expression]):  # type: ignore[no-untyped-def]
    """The answer to a query as a function of the entries, in floats."""
    formula = float_function(expanded(query, inputs, n, given))
    keys = [f"x[{k}]" for k in range(1, n + 1)]
    return lambda vector: formula(dict(zip(keys, vector, strict=True)))


def expanded(e: Expression, inputs: Entries, n: int, given: Mapping[str, Expression]) -> Expression:
    """A query on n entries as a formula in x[1], ..., x[n]."""
    from ahdp_verify.kernel.terms.expression import Max, Min, add, multiply

    def value(p: Expression) -> Expression | None:
        if not is_part(p):
            return None
        if (k := position(p)) is not None:
            return name(f"x[{int(float_function(k)({}))}]")
        body, counter, *ends = inputs.opened(p)
        body = transform(body, lambda q: None if depends(q, counter) else value(q))
        first, last = (int(float_function(substitute(end, given))({})) for end in ends)
        terms = [
            transform(substitute(body, {counter: number(k)}), value) for k in range(first, last + 1)
        ]
        if p.head == "ordered":
            return _ranked(terms, int(float_function(p.args[1])({})))
        joined = {"sum": add, "total": add, "product": multiply, "maximum": Max, "minimum": Min}
        return joined[p.head](*terms)

    return transform(e, value)


def _ranked(terms: list[Expression], k: int) -> Expression:
    """The k-th smallest of a few terms: the least of the largest of k of them."""
    from ahdp_verify.kernel.terms.expression import Max, Min

    return Min(*(Max(*chosen) for chosen in itertools.combinations(terms, k)))
