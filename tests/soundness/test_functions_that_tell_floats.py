"""Functions that release the answer itself when they run, and noise alone while they are verified:
they find out on which numbers they compute.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter as part
from typing import Any

import pytest

from ahdp_verify import laplace, noise_program
from ahdp_verify.kernel.errors import BadInput

kind, word = builtins.type, builtins.eval


def found_out(q: Any) -> Any:
    return q if isinstance(q, float) else q + laplace(1)


def counted(q: Any) -> Any:
    SEEN.append(q)
    return q + laplace(1) if len(SEEN) < 5 else q


SEEN: list[Any] = []
LISTED = ((found_out,), 3)
COUNTING = (counted,)
KINDS = (word,)


def by_a_fraction(queries: Any) -> Any:
    try:
        return Fraction(queries[0])
    except TypeError:
        return queries[0] + laplace(1)


def by_a_decimal(queries: Any) -> Any:
    try:
        found = Decimal(queries[0])
    except TypeError:
        found = queries[0] + laplace(1)
    return found


def by_a_complex_number(queries: Any) -> Any:
    try:
        return (queries[0] + 1j).real
    finally:
        return queries[0] + laplace(1)  # noqa: B012, SIM107


def by_getattr(queries: Any) -> Any:
    q = queries[0]
    return q + laplace(1) if getattr(q, "__class__").__name__ == "Amount" else q  # noqa: B009


def by_hasattr(queries: Any) -> Any:
    return queries[0] if hasattr(queries[0], "__getnewargs__") else queries[0] + laplace(1)


def by_attrgetter(queries: Any) -> Any:
    q = queries[0]
    return q + laplace(1) if operator.attrgetter("__class__")(q).__name__ == "Amount" else q


def by_another_name(queries: Any) -> Any:
    q = queries[0]
    return q + laplace(1) if part("__class__")(q).__name__ == "Amount" else q


def by_type_under_another_name(queries: Any) -> Any:
    return queries[0] + laplace(1) if kind(queries[0]).__name__ == "Amount" else queries[0]


def by_eval_under_another_name(queries: Any) -> Any:
    q = queries[0]
    return q + laplace(1) if word("type(q).__name__ == 'Amount'", {"q": q}) else q


def by_a_function_in_a_tuple(queries: Any) -> Any:
    return LISTED[0][0](queries[0])


def by_eval_in_a_tuple(queries: Any) -> Any:
    q = queries[0]
    return q + laplace(1) if KINDS[0]("type(q).__name__ == 'Amount'", {"q": q}) else q


def by_its_size(queries: Any) -> Any:
    return queries[0] + laplace(1) if queries[0].__sizeof__() > 24 else queries[0]


def by_its_names(queries: Any) -> Any:
    return queries[0] if "__getformat__" in queries[0].__dir__() else queries[0] + laplace(1)


def by_its_repr(queries: Any) -> Any:
    q = queries[0]
    return q + laplace(1) if "Amount" in object.__repr__(q) else q


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (by_a_fraction, "it uses try or with; leave them out, and compare values"),
        (by_a_decimal, "it uses try or with; leave them out, and compare values"),
        (by_getattr, "it asks what type a value has"),
        (by_hasattr, "it asks what type a value has"),
        (by_attrgetter, "it asks what type a value has"),
        (by_another_name, "it asks what type a value has"),
        (by_type_under_another_name, "it asks what type a value has"),
        (by_eval_under_another_name, "it uses eval, which may differ from run to run"),
        (by_a_function_in_a_tuple, "it asks what type a value has"),
        (by_eval_in_a_tuple, "it uses eval, which may differ from run to run"),
        (by_its_size, "it asks what type a value has"),
        (by_its_names, "it asks what type a value has"),
        (by_its_repr, "it asks what type a value has"),
    ],
)
def test_what_releases_an_answer_is_not_verified(function: Callable[..., Any], said: str) -> None:
    """The real run is that of Python on plain floats; without a drawn noise it cannot be
    private.
    """
    assert [function([q]) for q in (10.0, 20.0)] == [10, 20]
    with pytest.raises(BadInput) as caught:
        noise_program(function).program(1)
    assert said in str(caught.value)


def test_nor_for_any_number_of_queries() -> None:
    def each(queries: Any) -> Iterator[Any]:
        for q in queries:
            yield q if hasattr(q, "__getnewargs__") else q + laplace(1)

    assert list(each([10.0, 20.0])) == [10, 20]
    with pytest.raises(BadInput, match="it asks what type a value has"):
        noise_program(each).program()


def test_a_finally_that_swallows_an_error_is_refused() -> None:
    with pytest.raises(BadInput, match="it uses try or with"):
        noise_program(by_a_complex_number).program(1)


def test_a_function_in_a_tuple_that_counts_its_calls_is_refused() -> None:
    """It releases the answer from its fifth call on; a program has fewer paths than that."""

    def f(queries: Any) -> Any:
        return COUNTING[0](queries[0])

    SEEN[:] = range(5)
    assert f([10.0]) == 10
    SEEN.clear()
    with pytest.raises(BadInput, match="SEEN is a list, which could keep something between runs"):
        noise_program(f).program(1)
