"""The suite of queries on vectors: sensitivities and verdicts, typed from the table of the
benchmark's functions (corpus/functions.md); each sensitivity is compared with the functions written
anew in Python.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence

import pytest

from ahdp_verify.catalogue.functions_suite import (
    FUNCTIONS,
    HALF,
    MECHANISMS,
    RIGHT,
    FunctionRow,
    largest_noisy_item,
)
from ahdp_verify.catalogue.vector_queries import VECTOR_QUERIES, VectorQuery
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.floating_point import float_function
from ahdp_verify.search.verify import verify

Vector = Sequence[float]
M, A, B, T = 0.3, 0.25, 0.5, 0.5  # parameters of the functions below


def cycle(x: Vector) -> float:
    return math.sqrt(sum((x[k] - x[(k + 1) % len(x)]) ** 2 for k in range(len(x))))


def median(x: Vector) -> float:
    y, n = sorted(x), len(x)
    return y[n // 2] if n % 2 else (y[n // 2 - 1] + y[n // 2]) / 2


# the function, and its sensitivity at n entries
FUNCTIONS_ANEW: dict[str, tuple[Callable[[Vector], float], Callable[[int], float]]] = {
    "sum": (sum, lambda n: 1),
    "product": (math.prod, lambda n: 1),
    "max": (max, lambda n: 1),
    "min": (min, lambda n: 1),
    "mean": (lambda x: sum(x) / len(x), lambda n: 1 / n),
    "steps": (
        lambda x: sum(abs(a - b) for a, b in itertools.pairwise(x)),
        lambda n: 2 if n > 2 else 1,
    ),
    "deviation": (
        lambda x: sum(abs(v - sum(x) / len(x)) for v in x),
        lambda n: 2 * (n - 1) / n,
    ),
    "squares-from-m": (lambda x: sum((v - M) ** 2 for v in x), lambda n: (1 - M) ** 2),
    "squares": (lambda x: sum(v**2 for v in x), lambda n: 1),
    "cubes": (lambda x: sum(v**3 for v in x), lambda n: 1),
    "log": (lambda x: sum(math.log(v + 1) for v in x), lambda n: math.log(2)),
    "exp": (lambda x: sum(math.exp(v) for v in x), lambda n: math.e - 1),
    "sine": (lambda x: sum(math.sin(math.pi * v) for v in x), lambda n: 1),
    "arctan": (lambda x: sum(math.atan(v) for v in x), lambda n: math.pi / 4),
    "variance-of-bits": (lambda x: sum(v * (1 - v) for v in x), lambda n: 1 / 4),
    "median": (median, lambda n: 1),
    "median-even": (median, lambda n: 1 / 2),
    "above-half": (lambda x: sum(v > 0.5 for v in x), lambda n: 1),
    "between": (lambda x: sum(A <= v <= B for v in x), lambda n: 1),
    "above-7/10": (lambda x: sum(v > 0.7 for v in x), lambda n: 1),
    "products-in-a-row": (
        lambda x: sum(a * b for a, b in itertools.pairwise(x)),
        lambda n: 2 if n > 2 else 1,
    ),
    "pairs": (lambda x: sum(x[::2]) - sum(x[1::2]), lambda n: 1),
    "positions": (lambda x: sum(i * v for i, v in enumerate(x, 1)), lambda n: n),
    "majority": (lambda x: float(sum(x) > len(x) / 2), lambda n: 1),
    "all-above": (lambda x: float(all(v > T for v in x)), lambda n: 1),
    "first-above-second": (lambda x: float(x[0] > x[1]), lambda n: 1),
    "parity": (lambda x: sum(v > 0.5 for v in x) % 2, lambda n: 1),
    "cycle": (cycle, lambda n: math.sqrt(2)),
    "cauchy": (lambda x: sum(1 / (1 + v * v) for v in x), lambda n: 1 / 2),
    "logistic": (
        lambda x: sum(1 / (1 + math.exp(-v)) for v in x),
        lambda n: 1 / (1 + math.exp(-1)) - 1 / 2,
    ),
    "from-half": (lambda x: sum(abs(v - 0.5) for v in x), lambda n: 1 / 2),
    "reversed": (sum, lambda n: 1),
    "even-places": (lambda x: sum(x[1::2]), lambda n: 1),
    "harmonic": (lambda x: sum(v / i for i, v in enumerate(x, 1)), lambda n: 1),
}
# whose half noise is right for a number of entries that the suite has to find
FEW = {"steps": "n = 2", "products-in-a-row": "n = 2"}


def sizes(query: VectorQuery) -> list[int]:
    """Small numbers of entries of a query."""
    least = {"n": 1, "2*k + 1": 1, "2*h": 2}[query.size]
    low = 2 if ("n", "n >= 2") in query.parameters else least
    return list(range(low, 5, 1 if query.size == "n" else 2))


@pytest.mark.parametrize("query", VECTOR_QUERIES, ids=lambda query: query.id)
def test_the_stated_sensitivities_are_those_of_the_functions(query: VectorQuery) -> None:
    """Brute force over a grid of vectors, with the functions written anew."""
    f, bound = FUNCTIONS_ANEW[query.id]
    given = {"m": M, "a": A, "b": B, "t": T}
    for n in sizes(query):
        grid = (0.0, M, 0.5, 1.0)
        best = 0.0
        for x in itertools.product(grid, repeat=n):
            for i, new in itertools.product(range(n), grid):
                best = max(best, abs(f(x) - f([*x[:i], new, *x[i + 1 :]])))
        assert best == pytest.approx(bound(n))
        stated = float_function(query.stated)({**given, "n": n})
        assert stated >= bound(n) - 1e-12


@pytest.mark.parametrize("query", VECTOR_QUERIES, ids=lambda query: query.id)
def test_the_query_is_the_function(query: VectorQuery) -> None:
    f, _ = FUNCTIONS_ANEW[query.id]
    source = random.Random(query.id)
    for n in sizes(query):
        x = [round(source.random(), 3) for _ in range(n)]
        given = {"m": str(M), "a": str(A), "b": str(B), "t": str(T)}
        whole = {"n": n, "2*k + 1": (n - 1) // 2, "2*h": n // 2}[query.size]
        fixed = [str(whole) if k in "nkh" else given[k] for k, _ in query.parameters]
        claim = SensitivityClaim(query.inputs, query.query, query.stated)
        assert moved(claim, fixed, x, 0.25) == pytest.approx(f([0.25, *x[1:]]) - f(x))


def moved(claim: SensitivityClaim, fixed: list[str], x: Vector, new: float) -> float:
    """By how much the answer moves where the first entry changes, by the exact evaluation."""
    from ahdp_verify.kernel.numbers.ball import enclose  # noqa: PLC0415
    from ahdp_verify.kernel.terms.expression import number  # noqa: PLC0415

    keys = [key for key, _ in claim.inputs.parameters]
    values = [(k, number(v)) for k, v in zip(keys, fixed, strict=True)]
    values += [(f"x[{i}]", number(str(v))) for i, v in enumerate(x, 1)]
    jump, _ = claim.sides_at((*values, ("x[1]'", number(str(new)))))
    return float(sum(enclose(jump))) / 2


def test_there_are_33_functions_and_six_mechanisms() -> None:
    assert len({query.id for query in VECTOR_QUERIES} - {"median-even"}) == 33
    assert len(MECHANISMS) == 6
    assert len(FUNCTIONS) == 34 * 6 * 2


def named(row: FunctionRow) -> str:
    """The name of a case."""
    return f"{row.query.id}-{row.mechanism.id}-{row.noise}"


@pytest.mark.sweep(24)
@pytest.mark.parametrize("row", [row for row in FUNCTIONS], ids=named)
def test_verdicts_are_those_of_the_benchmark(row: FunctionRow) -> None:
    """Right noise is right, half of it is not, except where the query moves half as far."""
    found = row.decided()
    right = row.noise == RIGHT or row.id == "median-even"
    assert found.outcome == ("proved" if right else "refuted") == row.verdict
    if row.noise == HALF and row.id in FEW:
        assert found.where.endswith(f"holds for {FEW[row.id]}")


def row_of(query: str, mechanism: str, half: bool) -> FunctionRow:
    return next(
        row
        for row in FUNCTIONS
        if (row.id, row.mechanism.id, row.noise == HALF) == (query, mechanism, half)
    )


def test_a_row_of_the_suite_says_for_which_m_half_of_the_noise_is_enough() -> None:
    where = row_of("squares-from-m", "laplace", True).decided().where
    assert where.endswith("exactly where max(m^2, (m - 1)^2) <= 1/2")


@pytest.mark.parametrize("law", ["laplace", "exponential", "gumbel"])
def test_items_are_chosen_privately_among_any_number(law: str) -> None:
    claim = next(m for m in MECHANISMS if m.id == "noisy-max").claim(RIGHT)
    assert claim.queries is None  # type: ignore[union-attr]
    program, _ = largest_noisy_item(law=law).answering(None)
    assert program.inputs.n is None


def test_half_the_noise_on_two_items_is_enough_for_answers_between_0_and_1() -> None:
    """Two items with Laplace noise of scale 1/eps, from (1, 0) to (0, 1): the loss is below eps, so
    that the tables of a refutation have three columns.  P(first) = 1 - exp(-eps)(1/2 + eps/4).
    """
    for eps in (0.1, 1.0, 3.0):
        less = math.exp(-eps) * (1 / 2 + eps / 4)
        assert math.log((1 - less) / less) < eps


def test_the_premises_of_a_proof_are_proofs() -> None:
    row = row_of("variance-of-bits", "gaussian-zcdp", False)
    for claim in (row.query.sensitivity(), row.mechanism.claim(RIGHT)):
        proved = verify(claim)
        assert isinstance(proved, Proved)
        check(claim, proved.certificate)
