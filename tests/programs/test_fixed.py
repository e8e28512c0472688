"""Programs on a fixed number of queries: what a function may compute, and what is refused."""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import argmax, coin, exp, gumbel, laplace, log, noise_program
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program import Draw, Program, Release, Stop, Winner, leaf_count
from ahdp_verify.kernel.model.program_paths import PathTable
from ahdp_verify.kernel.terms.expression import label
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.sampling.programs import run_program


class Runs:
    """What a function keeps between runs where nobody sees it."""

    number = 0
    last: Any = 0

    @classmethod
    def another(cls) -> int:
        """How many runs there were."""
        cls.number += 1
        return cls.number

    @classmethod
    def swap(cls, value: Any) -> Any:
        """What the run before has left."""
        before, cls.last = cls.last, value
        return before

    @classmethod
    def tried(cls, computed: Callable[[], Any]) -> Any:
        """What is computed, or a word where it fails."""
        with suppress(Exception):
            return computed()
        return "caught"


def program(function: Callable[..., Any], n: int = 2, **options: Any) -> Program:
    """The program that a function of queries, eps and T is on n queries."""
    return noise_program(parameters={"eps": "eps > 0", "T": "", "m": "m >= 1"})(function).program(
        n, **options
    )


def refusal(function: Callable[..., Any]) -> str:
    """Why it is none."""
    with pytest.raises(BadInput) as caught:
        program(function)
    return str(caught.value)


def released(function: Callable[..., Any], n: int = 2) -> list[list[str]]:
    """What each path releases."""
    paths = PathTable(program(function, n)).runs(n)
    return [[str(item) for item in path.items] for path in paths]


# what is understood


def test_sums_multiples_and_comparisons_in_every_order() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        a, b = queries
        noise = laplace(2 / eps)
        value = 3 * a - b / 2 + noise * Fraction(1, 3) - (T - 1) + +noise
        return value if value > 0 else -value

    assert released(f) == [
        ["3*q[1] - q[2]/2 + 4*z1/3 - T + 1"],
        ["-3*q[1] + q[2]/2 - 4*z1/3 + T - 1"],
    ]


def test_budgets_are_exact() -> None:
    """eps/2 + eps/4 > eps - eps/(2 c) is decided for c = 1, 2, 3, and equality is not exceeding."""

    def f(queries: Any, eps: Any, T: Any, m: Any, c: int = 1) -> Any:
        spent = eps / 2 + eps / 4
        return laplace(1 / eps) > (1 if spent > eps - eps / (2 * c) else 0)

    values = [program(f, c=c).start.then.value for c in (1, 2, 3)]
    assert [str(v) for v in values] == ["z1 - 1", "z1", "z1"]


def test_conditions_of_parameters_decide() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return [m > 0, m * eps > 0, eps - 2 * eps * m < 0, (T - T) == 0, laplace(m / eps) * 0 == 0]

    assert released(f) == [['"true"'] * 5]


def test_functions_of_parameters() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return queries[0] + laplace(1 / eps) >= log(m) / eps and coin(exp(-eps))

    assert leaf_count(program(f).start) == 3


def test_what_follows_from_an_earlier_comparison_does_not_fork() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        a = laplace(1 / eps)
        if a < 0:
            return [a <= 0, a < 1, 2 * a < 0, -a > 0, a > 1, a >= 0, a <= eps]
        return [a >= 0, a > -m, -3 * a > 0, a > 0]

    # on a >= 0 the last two ask whether a > 0, which is new
    assert [len(path) for path in released(f)] == [7, 4, 4]
    assert released(f)[0] == ['"true"'] * 4 + ['"false"'] * 2 + ['"true"']


def test_a_winner_is_known_to_win_afterwards() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        noisy = [q + laplace(1 / eps) for q in queries]
        best = argmax(noisy)
        return best, all(noisy[best] >= value for value in noisy)

    assert released(f, 3) == [[str(i), '"true"'] for i in range(3)]


def test_the_first_of_equal_values_wins() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return argmax([queries[0], queries[0] + 0 * laplace(1), queries[1]])

    found = program(f)
    outputs = run_program(found, [1, 1], {"eps": 1, "T": 0, "m": 1}, [[5.0]]).outputs()
    assert outputs == [[0.0]]


def test_sorting_and_infinities() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        best = -math.inf
        for q in sorted(q + laplace(1 / eps) for q in queries):
            best = max(best, q)
        return best

    # two orders; where the first is not greater, whether the second is greater or equal is asked
    assert leaf_count(program(f).start) == 3


def test_equality_of_noisy_values_asks_both_ways() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        a = gumbel(1 / eps)
        return a == queries[0], a != queries[0], a is None, a == "a"

    assert sorted(released(f)) == [
        ['"false"', '"true"', '"false"', '"false"'],
        ['"false"', '"true"', '"false"', '"false"'],
        ['"true"', '"false"', '"false"', '"false"'],
    ]


def test_copies_of_a_noise_are_the_noise() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        a = laplace(1 / eps)
        return copy.deepcopy([a])[0] - copy.copy(a)

    assert released(f) == [["0"]]


def test_generators_early_returns_and_abs() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Iterator[Any]:
        for q in queries:
            noisy = q + laplace(1 / eps)
            yield abs(noisy)
            if noisy > 0:
                return

    # an answer is above 0, is 0, or is below 0; what follows the last one is the same for the first two
    assert [len(path) for path in released(f)] == [1, 2, 2, 2, 2]


def test_answers_are_computed_from_records() -> None:
    @noise_program(parameters={"e": "e > 0"})
    def f(queries: Any, e: Any) -> Any:
        return argmax(q + laplace(2 / e) for q in queries)

    W = Domain([("a", 1), ("b", 1)])
    found = f.program(inputs=W, answers=['count(x == "a")', 'count(x == "b")'])
    assert isinstance(found.start, Draw) and isinstance(found.start.then.then, Winner)
    outputs = run_program(found, Multiset(W, [3, 5]), {"e": 1}, [[1.0, 0.0], [3.0, 0.0]]).outputs()
    assert outputs == [[1.0], [0.0]]  # 4 against 5, then 6 against 5


def test_labels_and_constants() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return ("top", [True, None, Fraction(1, 2)], T, 3)

    assert released(f) == [['"top"', '"true"', '"none"', "1/2", "T", "3"]]
    assert program(f).start == Release(label("top"), program(f).start.then)
    assert isinstance(program(f).start.then, Release) and Stop() == Stop()


# what is refused


def of_noise(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A program that computes something of a noise, a query answer and eps."""

    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return compute(laplace(1 / eps), queries[0], eps, T)

    return f


def truth(a: Any, q: Any, eps: Any, T: Any) -> Any:
    return 1 if a else 2


@pytest.mark.parametrize(
    ("compute", "said"),
    [
        (truth, "f: noise1 has no truth value; compare it with something"),
        (lambda a, q, eps, T: 1 if T else 2, "T has no truth value"),
        (lambda a, q, eps, T: a * q, "noise1 is multiplied by q[1], and the product is not linear"),
        (lambda a, q, eps, T: a * eps, "is multiplied by eps, which is not a number; multiply by"),
        (lambda a, q, eps, T: a / q, "q[1] is a divisor; divide by numbers and parameters"),
        (lambda a, q, eps, T: 1 / T, "T is a divisor that may be 0; declare a condition"),
        (lambda a, q, eps, T: a / 0, "0 is a divisor that may be 0"),
        (lambda a, q, eps, T: 0.5 * a, "0.5 is a float, which is not exact; write Fraction(1, 2)"),
        (lambda a, q, eps, T: a > 1.0, "1.0 is a float, which is not exact; write 1"),
        (lambda a, q, eps, T: 1 / 4, "0.25 is a float, which is not exact; write Fraction(1, 4)"),
        (lambda a, q, eps, T: a * math.inf, "inf is a float, which is not exact; use exact"),
        (lambda a, q, eps, T: [1, 2][a], "noise1 is used as an index or a count; use argmax"),
        (lambda a, q, eps, T: float(a), "noise1 would become a float; leave it as it is"),
        (lambda a, q, eps, T: math.sqrt(a), "noise1 would become a float"),
        (lambda a, q, eps, T: int(a), "noise1 would become a whole number; compare it instead"),
        (lambda a, q, eps, T: math.floor(a), "noise1 would become a whole number"),
        (lambda a, q, eps, T: round(a), "noise1 would be rounded; compare it instead"),
        (lambda a, q, eps, T: a % 2, "noise1 is taken modulo something; compare it instead"),
        (lambda a, q, eps, T: 7 // a, "noise1 is taken modulo something"),
        (lambda a, q, eps, T: a**2, "noise1 is raised to a power; use whole powers of parameters"),
        (lambda a, q, eps, T: 2**a, "noise1 is an exponent; use exp(...) of parameters"),
        (lambda a, q, eps, T: exp(a), "noise1 stands where only parameters may; write noises"),
        (lambda a, q, eps, T: exp(eps) < a, "noise1 stands where only parameters may; write"),
        (lambda a, q, eps, T: {a: 1}, "noise1 is a key or an element of a set; use lists"),
        (lambda a, q, eps, T: str(a), "noise1 becomes a text; release the number itself"),
        (lambda a, q, eps, T: f"{a:.2f}", "noise1 becomes a text"),
        (lambda a, q, eps, T: repr([a]), "noise1 becomes a text"),
        (lambda a, q, eps, T: a.is_integer(), "noise1 is asked for is_integer"),
        (lambda a, q, eps, T: a.real, "noise1 is asked for real"),
        (lambda a, q, eps, T: T > 0, "whether T > 0 is not known of the parameters; declare a"),
        (lambda a, q, eps, T: laplace(a), "the scale noise1 depends on noise or on the data; use"),
        (lambda a, q, eps, T: laplace(q + 1), "the scale q[1] + 1 depends on noise or on the data"),
        (lambda a, q, eps, T: laplace("2"), "the scale is a str; use an exact number"),
        (lambda a, q, eps, T: laplace(T), "the scale T is not known to be positive; give its"),
        (lambda a, q, eps, T: coin(eps), "the probability eps is not known to lie in [0, 1]"),
        (lambda a, q, eps, T: coin(q), "the probability q[1] depends on noise or on the data"),
        (lambda a, q, eps, T: laplace(a, 2), "laplace: a location is given in a noise program;"),
        (lambda a, q, eps, T: argmax([]), "argmax: there is no value; give at least one"),
        (lambda a, q, eps, T: {1: a}, "a dict cannot be released; release numbers, texts"),
        (lambda a, q, eps, T: "true", "the text 'true' could not be told from True; release"),
        (lambda a, q, eps, T: "1", 'the label "1" reads as a number; write numbers without'),
        (lambda a, q, eps, T: [1][3], "running it failed with IndexError: list index out of range"),
        (lambda a, q, eps, T: a < "b", "running it failed with TypeError: '<' not supported"),
        (
            lambda a, q, eps, T: (1, (2, 3)) if a > 0 else ((1, 2), 3),
            "outputs of the shapes ((number, (number, number))) and (((number, number), number))",
        ),
    ],
)
def test_what_is_not_linear_or_not_exact_is_refused_with_the_cure(
    compute: Callable[..., Any], said: str
) -> None:
    assert said in refusal(of_noise(compute))


def test_catching_a_refusal_does_not_help() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return Runs.tried(lambda: float(laplace(1 / eps)) > 0)

    assert "noise1 would become a float" in refusal(f)


def test_the_line_of_an_error_is_told() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return queries[7]

    line = f.__code__.co_firstlineno + 1
    assert refusal(f).startswith(f"f, line {line}: running it failed with IndexError")


def test_a_function_of_more_than_its_noises_is_refused() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return laplace(Runs.another() / eps)

    def at_the_end(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return laplace(1 / eps) > 0, Runs.another()

    def by_chance(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return laplace(1 / eps) + random.randint(1, 1000)

    assert "it is not a function of its noises" in refusal(f)
    assert "it is not a function of its noises" in refusal(at_the_end)
    assert "it uses random, which may differ from run to run" in refusal(by_chance)


def test_a_value_of_another_run_is_refused() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        noise = laplace(1 / eps)
        return Runs.swap(noise) + noise > 0

    def asked(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return 1 if Runs.swap(laplace(1 / eps)) > 0 else 2

    def released(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return Runs.swap(laplace(1 / eps))

    def caught(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return Runs.tried(lambda: Runs.swap(laplace(1 / eps)) > 0)

    for function in (f, asked, released, caught):
        assert "another run; keep values in local variables" in refusal(function)


def test_too_many_paths_and_paths_without_end() -> None:
    def many(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return [laplace(1 / eps) > 0 for _ in range(13)]

    def endless(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        a = laplace(1 / eps)
        while a > 0:
            a = laplace(1 / eps)
        return a

    assert "it has more than 4096 paths; use argmax, fewer queries, or a loop" in refusal(many)
    assert "a path has no end, or more than 600 steps; loop a number of times" in refusal(endless)


def test_values_that_are_equal_on_all_paths_are_not_asked_for() -> None:
    def f(queries: Any, eps: Any, T: Any, m: Any) -> Any:
        return 2 + 3 if queries[0] + laplace(1 / eps) > 0 else 5

    assert program(f).start.then == Release(parse("5"), Stop())
