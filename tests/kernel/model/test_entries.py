"""Vectors of entries: what they may be, and their JSON."""

from __future__ import annotations

from typing import Any

import pytest

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.entries import Entries, parts, position
from ahdp_verify.kernel.terms.grammar import parse


def test_a_size_makes_its_parameters_whole() -> None:
    inputs = Entries("2*k + m", "0 <= x <= h", {"h": "h > 0", "k": "k >= 1"})
    assert inputs.whole == {"k", "m"}
    assert {key for key, _ in inputs.parameters} == {"h", "k", "m"}


@pytest.mark.parametrize(
    ("size", "values", "parameters"),
    [
        ("0", "0 <= x <= 1", {}),
        ("1/2", "0 <= x <= 1", {}),
        ("n", "0 <= y <= 1", {}),
        ("n", "0 <= x + 1", {"x": ""}),
        ("n", "0 <= x <= 1", {"i": "i > 0"}),
        ("n", "x", {}),
        ("n > 1", "0 <= x <= 1", {}),
        ("sum(1)", "0 <= x <= 1", {}),
        ("n", "0 <= x <= 1", {"n": "n >= x"}),
    ],
)
def test_what_is_no_vector_is_refused(size: str, values: str, parameters: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        Entries(size, values, parameters)


def test_the_json_is_that_of_the_same_vectors() -> None:
    inputs = Entries("n", "a <= x <= b", {"n": "n >= 3", "a": "", "b": "a < b"})
    assert Entries.from_json(inputs.to_json()) == inputs
    changed: list[Any] = [{}, {**inputs.to_json(), "more": 1}, {**inputs.to_json(), "each": "1"}]
    for data in changed:
        with pytest.raises(BadInput):
            Entries.from_json(data)


def test_parts_are_the_outermost_ones() -> None:
    query = parse("x[1] + exp(sum(abs(x - sum(x)/n))) - n*ordered(x, 2)", nested=True)
    assert list(map(str, parts(query))) == ["x[1]", "sum(abs(x - sum(x)/n))", "ordered(x, 2)"]
    assert str(position(parse("x[k + 1]"))) == "k + 1"
    assert position(parse("y[k]")) is None and position(parse("x")) is None


def test_the_text_of_a_query_reads_as_the_query() -> None:
    for text in ("ordered(x, 2)", "product(1 - x)", "total(x[k] - x[k + 1], k, 1, n - 1)"):
        assert str(parse(text, nested=True)) == text


def test_a_total_with_ends_that_are_numbers_is_written_out() -> None:
    assert str(parse("total(x[k]*k, k, 1, 3)", nested=True)) == "x[1] + 2*x[2] + 3*x[3]"
    with pytest.raises(BadInput):
        parse("total(x[k], k, 1, n)")
    with pytest.raises(BadInput):
        parse("sum(abs(x - sum(x)))")
