"""Functions whose program would be another function: by state between runs, by the types of values,
by what they print; and functions that release nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ahdp_verify import coin, laplace, noise_program
from ahdp_verify.kernel.errors import BadInput

MEMO: dict[int, Any] = {}


class Shared:
    """A class with a list."""

    seen: list[Any] = []  # noqa: RUF012


@functools.lru_cache
def kept_coin(i: int) -> bool:
    del i
    return coin(Fraction(1, 2))


def noisy(function: Callable[..., Any]) -> Any:
    """The noise program of a function of queries and eps."""
    return noise_program(parameters={"eps": "eps > 0"})(function)


def refusal(function: Callable[..., Any], queries: int | None) -> str:
    """Why a function is no program, also when it is asked again in the same process."""
    said = []
    for _ in range(2):
        with pytest.raises(BadInput) as caught:
            noisy(function).program(queries)
        said.append(str(caught.value))
    assert said[0] == said[1]
    return said[0]


def with_a_cache(queries: Any, eps: Any) -> Any:
    return kept_coin(0), queries[0] + laplace(1 / eps)


def with_a_memo(queries: Any, eps: Any) -> Any:
    if 0 not in MEMO:
        MEMO[0] = laplace(1 / eps)
    return MEMO[0] + queries[0] > 0


def with_a_class(queries: Any, eps: Any) -> Any:
    Shared.seen.append(1)
    return queries[0] + laplace(len(Shared.seen) / eps)


def with_a_hash(queries: Any, eps: Any) -> Any:
    return queries[0] + laplace(1 / eps) + hash("word")


def importing(queries: Any, eps: Any) -> Any:
    import random  # noqa: PLC0415

    return 0 if random.random() < 1e-9 else queries[0] + laplace(1 / eps)


def asking_the_type(queries: Any, eps: Any) -> Any:
    q = queries[0]
    return q if isinstance(q, float) else q + laplace(1 / eps)


def asking_the_class(queries: Any, eps: Any) -> Any:
    q = queries[0]
    return q if q.__class__ is float else q + laplace(1 / eps)


def matching_the_type(queries: Any, eps: Any) -> Any:
    match queries[0]:
        case float() as q:
            return q
        case q:
            return q + laplace(1 / eps)


def printing(queries: Any, eps: Any) -> Any:
    for q in queries:
        if q + laplace(1 / eps) > 0:
            print("above")


def asking_identity(queries: Any, eps: Any) -> Any:
    return (+queries[0] is queries[0]), laplace(1 / eps)


def using_numpy(queries: Any, eps: Any) -> Any:
    return np.argmax([q + laplace(1 / eps) for q in queries])


def dividing(queries: Any, eps: Any) -> Any:
    return divmod(1, queries[0] + laplace(1 / eps))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (with_a_cache, "kept_coin is a _lru_cache_wrapper, which could keep something between ru"),
        (with_a_memo, "MEMO is a dict, which could keep something between runs; pass what it n"),
        (with_a_class, "Shared is a type, which could keep something between runs"),
        (with_a_hash, "it uses hash, which may differ from run to run"),
        (importing, "it imports random while it runs; import it at the top of the file"),
        (
            asking_the_type,
            "it asks what type a value has, which is another one when it is verified",
        ),
        (asking_the_class, "it asks what type a value has, which is another one when it is verif"),
        (matching_the_type, "it asks what type a value has, which is another one when it is ver"),
        (printing, "it uses print, and what that writes is not among its outputs; yield or ret"),
        (asking_identity, "it asks whether two values are one object; compare with =="),
        (using_numpy, "it uses np of NumPy, which rounds and draws on its own; use numbers, argm"),
        (dividing, "noise1 + q[1] is taken modulo something"),
    ],
)
def test_what_no_program_shows_is_refused_each_time(function: Any, said: str) -> None:
    assert said in refusal(function, 2)


def test_none_true_and_false_may_be_asked_for_with_is() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        last: Any = None
        for q in queries:
            if last is None:
                last = q + laplace(1 / eps)
            yield last is not False and q + last > 0

    assert noisy(f).run_on([1, 2], [0.5], eps=1) == [True, True]
    assert len(noisy(f).program().states) == 2


def forgets_to_yield(queries: Any, eps: Any) -> Any:
    for q in queries:
        q + laplace(1 / eps) > 0  # noqa: B015


def yields_nothing(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        if q + laplace(1 / eps) > 0:
            return
    for _ in ():
        yield 1


@pytest.mark.parametrize("function", [forgets_to_yield, yields_nothing])
@pytest.mark.parametrize("queries", [None, 2])
def test_a_function_that_releases_nothing_is_refused(function: Any, queries: int | None) -> None:
    assert "it never releases anything; yield or return its outputs" in refusal(function, queries)


def compared(queries: Any, eps: Any) -> Any:
    out = 0 if queries == [] else 1  # type: ignore[comparison-overlap, unused-ignore]
    for q in queries:
        out = q + laplace(1 / eps) > 0
    return out


def matched(queries: Any, eps: Any) -> Any:
    match queries:
        case [q]:
            return q
    out = 0
    for q in queries:
        out = q + laplace(1 / eps) > 0
    return out


def sorting(queries: Any, eps: Any) -> Iterator[Any]:
    queries.sort()
    for q in queries:
        yield q + laplace(1 / eps)


def writing(queries: Any, eps: Any) -> Iterator[Any]:
    yield str(queries)
    for q in queries:
        yield q + laplace(1 / eps)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (compared, "it compares all queries with something; give the number of queries"),
        (matched, "it matches a list; compare its parts, or use if"),
        (sorting, "its queries are asked for sort; give the number of queries"),
        (writing, "its queries become a text; give the number of queries"),
    ],
)
def test_what_depends_on_all_queries_is_refused_for_any_number(function: Any, said: str) -> None:
    assert said in refusal(function, None)


def test_a_real_run_of_a_function_that_returns_a_generator_is_the_list_of_its_outputs() -> None:
    def f(queries: Any, eps: Any) -> Any:
        return (q + laplace(1 / eps) for q in queries)

    assert noisy(f).run_on([1, 2], [0.5, 0.25], eps=1) == [1.5, 2.25]


def test_a_loop_until_a_noise_is_positive_is_refused_soon() -> None:
    def f(queries: Any, eps: Any) -> Any:
        noise = laplace(1 / eps)
        while noise < 0:
            noise = laplace(1 / eps)
        return queries[0] + noise

    assert "a path has no end, or more than 600 steps" in refusal(f, 1)


def test_state_of_a_class_is_refused_again_and_again() -> None:
    class Memo:
        flag: Any = None

        @classmethod
        def get(cls) -> Any:
            if cls.flag is None:
                cls.flag = coin(Fraction(1, 2))
            return cls.flag

    @noise_program(parameters={"eps": "eps > 0"})
    def remembering(queries: Any, eps: Any) -> Any:
        return Memo.get(), queries[0] + laplace(1 / eps)

    for _ in range(2):
        with pytest.raises(BadInput):
            remembering.program(1)


def of_a_written_set(queries: Any, eps: Any) -> Any:
    return [*(word for word in {"a", "b", "c"}), queries[0] + laplace(1 / eps)]


def of_a_made_set(queries: Any, eps: Any) -> Any:
    return [*set(["a", "b"]), queries[0] + laplace(1 / eps)]


def of_two_noises(queries: Any, eps: Any) -> Any:
    return [*{queries[0] + laplace(1 / eps), queries[0]}]


@pytest.mark.parametrize("function", [of_a_written_set, of_a_made_set, of_two_noises])
def test_the_order_of_a_set_is_no_output(function: Any) -> None:
    with pytest.raises(BadInput, match="set"):
        noise_program(parameters={"eps": "eps > 0"})(function).program(1)
