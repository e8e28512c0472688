"""Random queries on vectors, and bounds near how far their answers move, which is worked out over a
grid of vectors in Python: a proof of less, or a refutation by a vector that does not move so far,
is wrong.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random

from ahdp_verify import Entries, Proved, sensitivity_claim, verify
from ahdp_verify.kernel.refuted import RefutedInequality
from fuzz.ask import limits, timed
from fuzz.case import Outcome

Vector = Sequence[Fraction]
Body = Callable[[Fraction, int, Vector], Fraction]
Query = tuple[str, Callable[[Vector], Fraction]]
GRID = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
BODIES: tuple[tuple[str, Body], ...] = (
    ("x", lambda v, i, xs: v),
    ("x^2", lambda v, i, xs: v * v),
    ("abs(x - 1/2)", lambda v, i, xs: abs(v - HALF)),
    ("indicator(x > 1/2)", lambda v, i, xs: Fraction(v > HALF)),
    ("(1 - x)", lambda v, i, xs: 1 - v),
    ("i*x", lambda v, i, xs: i * v),
    ("x*x[1]", lambda v, i, xs: v * xs[0]),
    ("abs(x - x[N])", lambda v, i, xs: abs(v - xs[-1])),
    ("(x - 1/3)^2", lambda v, i, xs: (v - THIRD) ** 2),
)
ROWS: tuple[tuple[str, Callable[[Fraction, Fraction, Vector], Fraction]], ...] = (
    ("abs(x[k] - x[k + 1])", lambda a, b, xs: abs(a - b)),
    ("x[k]*x[k + 1]", lambda a, b, xs: a * b),
    ("(x[k] - x[k + 1])^2", lambda a, b, xs: (a - b) ** 2),
    ("(x[k + 1] - x[k]*x[1])", lambda a, b, xs: b - a * xs[0]),
)
JOINED: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "sum({})": lambda terms: sum(terms, Fraction(0)),
    "product({})": lambda terms: math.prod(terms, start=Fraction(1)),
    "maximum({})": max,
    "minimum({})": min,
    "ordered({}, 1)": min,
    "ordered({}, 2)": lambda terms: sorted(terms)[1],
}


def over_entries(rng: Random) -> Query:
    shape, join = rng.choice(list(JOINED.items()))
    text, body = rng.choice(BODIES)
    return shape.format(text), lambda xs: join([body(v, i, xs) for i, v in enumerate(xs, 1)])


def in_a_row(rng: Random) -> Query:
    text, pair = rng.choice(ROWS)
    shown = f"total({text}, k, 1, N - 1)"
    return shown, lambda xs: sum((pair(a, b, xs) for a, b in itertools.pairwise(xs)), Fraction(0))


def nested(rng: Random) -> Query:
    text, inner = rng.choice((over_entries, in_a_row, mean))(rng)
    shape, body = rng.choice(
        (
            ("sum(abs(x - ({})))", lambda v, g: abs(v - g)),
            ("sum(x*({}))", lambda v, g: v * g),
            ("sum(({}) - x)", lambda v, g: g - v),
        )
    )
    return shape.format(text), lambda xs: sum((body(v, inner(xs)) for v in xs), Fraction(0))


def mean(rng: Random) -> Query:
    return "sum(x)/N", lambda xs: sum(xs, Fraction(0)) / len(xs)


def one_entry(rng: Random) -> Query:
    return rng.choice((("x[1]", lambda xs: xs[0]), ("x[N]", lambda xs: xs[-1])))


def a_part(rng: Random) -> Query:
    weights = (6, 3, 2, 1, 1)
    return rng.choices((over_entries, in_a_row, nested, mean, one_entry), weights)[0](rng)


def a_query(rng: Random) -> Query:
    (a, f), (b, g) = a_part(rng), a_part(rng)
    joined: tuple[Query, ...] = (
        (a, f),
        (a, f),
        (f"({a}) + ({b})", lambda xs: f(xs) + g(xs)),
        (f"({a}) - ({b})", lambda xs: f(xs) - g(xs)),
        (f"({a})*({b})", lambda xs: f(xs) * g(xs)),
        (f"max({a}, {b})", lambda xs: max(f(xs), g(xs))),
        (f"indicator(({a}) > ({b}))", lambda xs: Fraction(f(xs) > g(xs))),
    )
    return rng.choice(joined)


def moves(answer: Callable[[Vector], Fraction], n: int) -> Iterator[Fraction]:
    """By how much the answer moves, at all vectors of a grid."""
    for xs in itertools.product(GRID, repeat=n):
        before = answer(xs)
        for i, z in itertools.product(range(n), GRID):
            yield answer([*xs[:i], z, *xs[i + 1 :]]) - before


def bounded(rng: Random) -> Outcome:
    """A bound below, at, or above the largest move that a grid shows."""
    text, answer = a_query(rng)
    n, symbolic = rng.choice((2, 3, 3, 4)), rng.random() < 0.6
    size = "n" if symbolic else str(n)
    least = rng.choice((n, 2)) if symbolic else n
    parameters = {"n": rng.choice((f"n == {least}", f"n >= {least}"))} if symbolic else {}
    largest = max(moves(answer, least))
    bound = largest * rng.choice((Fraction(9, 10), Fraction(1), Fraction(11, 10)))
    shown = text.replace("N", size)
    out = Outcome("queries", f"{shown} at most {bound}, {size} entries, {parameters}")
    claim = timed(
        out,
        "claim",
        lambda: sensitivity_claim(shown, Entries(size, "0 <= x <= 1", parameters), bound),
    )
    if claim is None:
        return out
    verdict = timed(out, "verify", lambda: verify(claim, limits()))
    if verdict is None:
        return out
    out.answers.append(verdict.outcome)
    if isinstance(verdict, Proved):
        out.settled += 1
        if largest > bound:
            out.wrong.append(f"proved, and the answer moves by {largest}")
    if isinstance(verdict, RefutedInequality):
        check_vector(out, answer, verdict, bound)
    return out


def check_vector(
    out: Outcome, answer: Callable[[Vector], Fraction], verdict: RefutedInequality, bound: Fraction
) -> None:
    """Whether the answer moves too far at the vector of a refutation."""
    given = [(key, value.args[0]) for key, value in verdict.values if key.startswith("x[")]
    *entries, (changed, new) = given
    xs, at = [value for _, value in entries], int(changed[2:-2]) - 1
    if any(not 0 <= value <= 1 for value in (*xs, new)):
        out.wrong.append("an entry is out of range")
    moved = answer([*xs[:at], new, *xs[at + 1 :]]) - answer(xs)
    out.settled += 1
    if moved <= bound:
        out.wrong.append(f"refuted at {given}, where the answer moves by {moved}")


KINDS = {"queries": (6, bounded)}
