"""Functions that are refused as noise programs, each with its reason."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify import exponential, laplace
from ahdp_verify.kernel.errors import BadInput
from tests.programs.test_loop import KEPT, program, refusal


def enumerating(queries: Any, eps: Any) -> Iterator[Any]:
    for i, q in enumerate(queries):
        yield q + i + laplace(1 / eps)


def zipping(queries: Any, eps: Any) -> Iterator[Any]:
    for q, k in zip(queries, (1, 2, 3), strict=False):
        yield q + laplace(k / eps)


def zipping_second(queries: Any, eps: Any) -> Iterator[Any]:
    for k, q in zip((1, 2, 3), queries, strict=False):
        yield q + laplace(k / eps)


def listing(queries: Any, eps: Any) -> Any:
    return [q + laplace(1 / eps) for q in queries]


def summing(queries: Any, eps: Any) -> Any:
    return sum(queries) + laplace(1 / eps)


def generating(queries: Any, eps: Any) -> Iterator[Any]:
    yield from (q + laplace(1 / eps) for q in queries)


def calling_next(queries: Any, eps: Any) -> Iterator[Any]:
    rho, listed = laplace(1 / eps), iter(queries)
    while True:
        yield rho * 2 + next(listed)


def unpacking(queries: Any, eps: Any) -> Any:
    first, *_ = queries
    return first + laplace(1 / eps)


def asking_whether(queries: Any, eps: Any) -> Any:
    return laplace(1 / eps) if 3 in queries else 0


@pytest.mark.parametrize(
    "function",
    [
        enumerating,
        zipping,
        zipping_second,
        listing,
        summing,
        generating,
        calling_next,
        unpacking,
        asking_whether,
    ],
)
def test_only_a_for_statement_goes_over_any_number_of_queries(function: Any) -> None:
    said = refusal(function)
    assert any(
        reason in said
        for reason in (
            "a for statement; write for q in queries",
            "another function goes",
            "it collects its queries in a list; write return argmax(... for q in queries), without",
            "a generator over its queries than return argmax of it",
        )
    )


def twice(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        yield q + laplace(1 / eps)
    for q in queries:
        yield q + laplace(1 / eps)


def never(queries: Any, eps: Any) -> Any:
    return laplace(1 / eps)


def sized(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        yield q + laplace(len(queries) / eps)


def indexed(queries: Any, eps: Any) -> Any:
    return queries[0] + laplace(1 / eps)


def emptiness(queries: Any, eps: Any) -> Any:
    return laplace(1 / eps) if queries else 0


def delegated(queries: Any, eps: Any) -> Iterator[Any]:
    yield from twice(queries, eps)


def in_a_loop(queries: Any, eps: Any) -> Iterator[Any]:
    for k in (1, 2):
        for q in queries:
            yield q + laplace(k / eps)


def in_with(queries: Any, eps: Any) -> Iterator[Any]:
    with memoryview(b""):
        for q in queries:
            yield q + laplace(1 / eps)


def in_try(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        try:
            noise = laplace(1 / eps)
        except BaseException:
            noise = 0
        yield q + noise


def finally_yields(queries: Any, eps: Any) -> Iterator[Any]:
    try:
        for q in queries:
            yield q + laplace(1 / eps)
    finally:
        yield "done"


def counting(queries: Any, eps: Any) -> Iterator[Any]:
    i = 0
    for q in queries:
        i = i + 1
        if q + laplace(1 / eps) > i:
            yield i


def collecting(queries: Any, eps: Any) -> Any:
    found = []
    for q in queries:
        found.append(q + laplace(1 / eps) > 0)
    return found


def in_a_dict(queries: Any, eps: Any) -> Iterator[Any]:
    kept = {"rho": laplace(1 / eps)}
    for q in queries:
        yield q + kept["rho"]


def in_an_iterator(queries: Any, eps: Any) -> Iterator[Any]:
    ks = iter((1, 2, 3))
    for q in queries:
        yield q + laplace(next(ks, 4) / eps)


def in_a_closure(queries: Any, eps: Any) -> Iterator[Any]:
    rho = laplace(1 / eps)

    def shifted(q: Any) -> Any:
        return q + rho

    for q in queries:
        yield shifted(q)


def in_a_global_list(queries: Any, eps: Any) -> Iterator[Any]:
    KEPT.clear()
    for q in queries:
        yield q + laplace((1 + len(KEPT) % 2) / eps)
        KEPT.append(1)


def in_an_attribute(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        yield q + laplace(1 / eps)
        in_an_attribute.last = q  # type: ignore[attr-defined]


def in_a_global(queries: Any, eps: Any) -> Iterator[Any]:
    global LIMIT
    for q in queries:
        yield q + laplace(1 / eps)
        LIMIT = 4


def by_chance(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        yield q + laplace((1 if random.random() < 1 / 2 else 2) / eps)


def floating(queries: Any, eps: Any) -> Iterator[Any]:
    share = 0.5
    for q in queries:
        yield q + laplace(1 / eps)
        share *= 1


def empty_output(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        if q + laplace(1 / eps) > 0:
            yield ()


def prefix_of_another(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        if q + laplace(1 / eps) > 0:
            yield 1
        else:
            yield (2, 3)


def yields_and_returns(queries: Any, eps: Any) -> Any:
    for q in queries:
        yield q + laplace(1 / eps)
    return 1


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (twice, "twice: it goes over the queries twice; give the number"),
        (never, "it does not go over its queries; give the number"),
        (sized, "it asks for the number of queries; give"),
        (indexed, "it asks for the query at place 0; give"),
        (emptiness, "it asks whether there is a query; give"),
        (delegated, "another function goes over the queries; loop in the function itself"),
        (in_a_loop, "the loop over the queries is inside another for loop; use one loop"),
        (in_with, "it uses try or with; leave them out"),
        (in_try, "it uses try or with; leave them out"),
        (finally_yields, "it uses try or with; leave them out"),
        (
            counting,
            "its variable i takes more and more values with the number of queries; count mod",
        ),
        (
            collecting,
            "its variable found holds more and more with the number of queries; yield out",
        ),
        (in_a_dict, "its variable kept holds a dict, which could keep something between queries"),
        (in_an_iterator, "its variable ks holds a tuple_iterator, which could keep something"),
        (in_a_closure, "its variable shifted holds a function, which could keep something"),
        (in_a_global_list, "KEPT is a list, which could keep something between queries; pass"),
        (in_an_attribute, "it changes an attribute, last; keep values in local variables"),
        (in_a_global, "it changes a global variable, LIMIT; keep values in local variables"),
        (by_chance, "it uses random, which may differ from run to run; use laplace, coin"),
        (
            floating,
            "its variable share holds 0.5, a float, which is not exact; write Fraction(1, 2)",
        ),
        (empty_output, "an empty tuple or list is released; leave it out"),
        (prefix_of_another, "outputs of the shapes number and (number, number) read alike"),
        (yields_and_returns, "it yields outputs and returns one too; yield the last output"),
    ],
)
def test_what_could_keep_something_elsewhere_is_refused_with_the_cure(
    function: Any, said: str
) -> None:
    assert said in refusal(function)


def test_a_list_of_an_enclosing_function_is_refused() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        rho = laplace(1 / eps)
        hidden.append(rho)
        del rho
        for q in queries:
            yield q + hidden[-1]

    hidden: list[Any] = []
    assert "hidden is a list" in refusal(f)


def test_options_are_exact_numbers_texts_and_tuples_of_them() -> None:
    def f(queries: Any, eps: Any, share: Any = Fraction(1, 2)) -> Iterator[Any]:
        for q in queries:
            yield q + laplace(share / eps)

    assert program(f, share=Fraction(1, 3)).name == "f(share=1/3)"
    assert program(f).name == program(f, share=Fraction(1, 2)).name == "f"
    with pytest.raises(BadInput, match=r"the option share is a float; give a whole number or a F"):
        program(f, share=0.5)
    with pytest.raises(BadInput, match=r"the option share is a list; give a number, a text"):
        program(f, share=[1])


def test_more_than_sixty_control_states_are_refused() -> None:
    def f(queries: Any, eps: Any, n: int = 2) -> Iterator[Any]:
        place = 0
        for q in queries:
            place = (place + 1) % n
            yield q + laplace(1 / eps) + place

    assert len(program(f, n=20).states) == 20
    with pytest.raises(BadInput, match="its variable place takes more and more values"):
        program(f, n=70)


def test_what_is_taken_from_modules_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept_elsewhere.py").write_text("NUMBER = 3\nLIST = []\nclass Box: n = 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(globals(), "elsewhere", importlib.import_module("kept_elsewhere"))
    assert len(program(number_elsewhere).states) == 1
    assert "elsewhere.LIST is a list, which could keep" in refusal(list_elsewhere)
    assert "elsewhere.Box is a type, which could keep" in refusal(class_elsewhere)
    assert "elsewhere is a module or variable, which could keep" in refusal(passed_elsewhere)


elsewhere: Any = None


def number_elsewhere(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        yield q + laplace(elsewhere.NUMBER / eps)


def list_elsewhere(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        elsewhere.LIST.append(q)
        yield q + laplace(1 / eps)


def class_elsewhere(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        yield q + laplace((1 + elsewhere.Box.n) / eps)


def passed_elsewhere(queries: Any, eps: Any) -> Iterator[Any]:
    module = elsewhere
    for q in queries:
        yield q + laplace(module.NUMBER / eps)


appending = KEPT.append


def bound_method(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        appending(q)
        yield q + laplace(1 / eps)


def helper_with_list(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        yield remembering(q) + laplace(1 / eps)


def remembering(q: Any, seen: Any = []) -> Any:  # noqa: B006
    seen.append(q)
    return q


def importing(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        import math  # noqa: PLC0415

        yield q + laplace(math.floor(1) / eps)


def local_function(queries: Any, eps: Any) -> Iterator[Any]:
    rho = laplace(1 / eps)
    shift = lambda q, r=rho: q + r  # noqa: E731
    for q in queries:
        yield shift(q)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (bound_method, "appending is a builtin_function_or_method, which could keep"),
        (helper_with_list, "a default is a list, which could keep something"),
        (importing, "it imports math while it runs; import it at the top of the file"),
        (local_function, "its variable shift holds a function, which could keep something"),
    ],
)
def test_methods_defaults_imports_and_local_functions_are_refused(function: Any, said: str) -> None:
    assert said in refusal(function)


def test_the_words_may_be_kept_in_a_variable() -> None:
    def f(queries: Any, eps: Any, two_sided: bool = True) -> Iterator[Any]:
        draw = laplace if two_sided else exponential
        for q in queries:
            yield q + draw(1 / eps)

    laws = [s.body.law for t in (True, False) for s in program(f, two_sided=t).states]
    assert laws == ["laplace", "exponential"]
