"""How queries on vectors change with one entry, against a plain computation in Python: what is
claimed to hold for every rest holds for the rests of concrete vectors.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction

import pytest

from ahdp_verify.kernel.checker import check, refute_inequality
from ahdp_verify.kernel.errors import BadInput, Rejected, Unsupported
from ahdp_verify.kernel.evidence.certificate import Certificate
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.entry_changes import entry_changes
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.proving.unknowns import inequality_certificate

Vector = Sequence[Fraction]
Answer = Callable[[Vector], Fraction]
GRID = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
HALF = Fraction(1, 2)


def mean(xs: Vector) -> Fraction:
    return sum(xs, Fraction(0)) / len(xs)


# queries in the grammar, the same in Python, and how many entries they need
QUERIES: dict[str, tuple[Answer, int]] = {
    "sum(x^2)": (lambda xs: sum((x * x for x in xs), Fraction(0)), 1),
    "sum(i*x)": (lambda xs: sum((i * x for i, x in enumerate(xs, 1)), Fraction(0)), 1),
    "product(1 - x)": (lambda xs: math.prod((1 - x for x in xs), start=Fraction(1)), 1),
    "maximum(x) - minimum(x)": (lambda xs: max(xs) - min(xs), 2),
    "ordered(abs(x - 1/2), 2)": (lambda xs: sorted(abs(x - HALF) for x in xs)[1], 2),
    "(ordered(x, 1) + ordered(x, 2))/2": (lambda xs: sum(sorted(xs)[:2], Fraction(0)) / 2, 2),
    "total(abs(x[k] - x[k + 1]), k, 1, n - 1)": (
        lambda xs: sum((abs(a - b) for a, b in itertools.pairwise(xs)), Fraction(0)),
        2,
    ),
    "total(x[k]*x[k + 1], k, 1, n - 1) - x[1]": (
        lambda xs: sum((a * b for a, b in itertools.pairwise(xs)), Fraction(0)) - xs[0],
        2,
    ),
    "total(x[n + 1 - k]*k, k, 1, n)": (
        lambda xs: sum((k * x for k, x in enumerate(reversed(xs), 1)), Fraction(0)),
        1,
    ),
    "sum(abs(x - sum(x)/n))": (
        lambda xs: sum((abs(x - mean(xs)) for x in xs), Fraction(0)),
        1,
    ),
    "sum(x*x[1])": (lambda xs: sum((x * xs[0] for x in xs), Fraction(0)), 1),
    "indicator(x[1] > x[2])": (lambda xs: Fraction(xs[0] > xs[1]), 2),
    "indicator(sum(x) > n/2)": (lambda xs: Fraction(sum(xs) > Fraction(len(xs), 2)), 1),
    "mod(count(x > 1/2), 2)": (lambda xs: Fraction(sum(x > HALF for x in xs) % 2), 1),
    "(x[n] - x[1])^2": (lambda xs: (xs[-1] - xs[0]) ** 2, 2),
}


def largest_move(answer: Answer, n: int) -> Fraction:
    """By brute force over a grid."""
    best = Fraction(0)
    for xs in itertools.product(GRID, repeat=n):
        for i, z in itertools.product(range(n), GRID):
            best = max(best, answer([*xs[:i], z, *xs[i + 1 :]]) - answer(xs))
    return best


def proof_of(claim: SensitivityClaim) -> Certificate | None:
    clock = Limits(seconds=1).clock()
    with suppress(OutOfLimits), clock.running():
        found = inequality_certificate(claim, clock)
        return found if isinstance(found, Certificate) else None
    return None


@pytest.mark.parametrize("text", QUERIES)
def test_no_bound_below_the_largest_move_is_proved(text: str) -> None:
    answer, least = QUERIES[text]
    n = max(2, least)
    true = largest_move(answer, n)
    claim = SensitivityClaim(
        Entries("n", "0 <= x <= 1", {"n": f"n >= {least}"}),
        parse(text, nested=True),
        number(true - Fraction(1, 100)),
    )
    found = proof_of(claim)
    if found is not None:
        with pytest.raises(Rejected):
            check(claim, found)


@pytest.mark.parametrize("text", QUERIES)
def test_answers_on_vectors_are_those_of_python(text: str) -> None:
    answer, least = QUERIES[text]
    n, rng = max(2, least) + 1, random.Random(text)
    inputs = Entries("n", "0 <= x <= 1", {"n": f"n == {n}"})
    query = parse(text, nested=True)
    xs = [rng.choice(GRID) for _ in range(n)]
    at, z = rng.randrange(n), rng.choice(GRID)
    moved = answer([*xs[:at], z, *xs[at + 1 :]]) - answer(xs)
    values = (
        ("n", number(n)),
        *((f"x[{i}]", number(x)) for i, x in enumerate(xs, 1)),
        (f"x[{at + 1}]'", number(z)),
    )
    left, _ = SensitivityClaim(inputs, query, number(0)).sides_at(values)
    assert left.as_rational == moved


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("x[2]", "n >= 1"),
        ("ordered(x, 3)", "n >= 2"),
        ("total(x[k + 1], k, 1, n)", "n >= 1"),
        ("x[1] - x[n]", "n >= 1"),
        ("ordered(x, n/2)", "n >= 2"),
        ("maximum(x - sum(x))", "n >= 1"),
        ("total(x[k^2], k, 1, n)", "n >= 1"),
        ("total(x[2*k], k, 1, n/2)", "n >= 3"),  # n = 3 leaves no last term
    ],
)
def test_what_is_not_known_to_exist_is_declined(text: str, condition: str) -> None:
    inputs = Entries("n", "0 <= x <= 1", {"n": condition})
    with pytest.raises(Unsupported):
        list(entry_changes(parse(text, nested=True), inputs))


@pytest.mark.parametrize(
    "text", ["x", "sum(y)", "total(sum(x*k), k, 1, n)", "total(x[k], n, 1, n)", "x[x[1]]", "q > 1"]
)
def test_what_no_vector_determines_is_refused(text: str) -> None:
    inputs = Entries("n", "0 <= x <= 1")
    with pytest.raises(BadInput):
        SensitivityClaim(inputs, parse(text, nested=True), number(1))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"n": "2", "x[1]": "0", "x[2]": "1"}, "malformed"),
        ({"n": "2", "x[1]": "0", "x[1]'": "1"}, "values"),
        ({"n": "2", "x[1]": "0", "x[2]": "0", "x[3]'": "1"}, "values"),
        ({"n": "2", "x[1]": "0", "x[2]": "0", "x[1]'": "2"}, "condition"),
        ({"n": "3/2", "x[1]": "0", "x[1]'": "1"}, "integer"),
        ({"n": "1", "x[1]": "0", "x[1]'": "1"}, "condition"),
        ({"n": "2", "x[1]": "0", "x[2]": "0", "x[1]'": "t"}, "constant"),
        ({"n": "2", "x[1]": "0", "x[2]": "0", "x[1]'": "1/2"}, "fail"),
    ],
)
def test_only_vectors_that_differ_in_one_entry_refute(values: dict[str, str], why: str) -> None:
    inputs = Entries("n", "0 <= x <= 1", {"n": "n >= 2"})
    claim = SensitivityClaim(inputs, parse("sum(x)", nested=True), parse("1/2"))
    given = tuple((key, parse(value)) for key, value in values.items())
    with pytest.raises(Rejected, match=why):
        refute_inequality(claim, given)


def test_sizes_in_parameters_are_whole() -> None:
    inputs = Entries("2*k", "0 <= x <= 1", {"k": ""})
    claim = SensitivityClaim(inputs, parse("sum(x)/k", nested=True), parse("1"))
    half = (("k", parse("1/2")), ("x[1]", parse("0")), ("x[1]'", parse("1")))
    with pytest.raises(Rejected, match="integer"):
        refute_inequality(claim, half)
