"""Threat models: which datasets they list, and which label of each has to be named (paper,
def:capHomo and def:cap-ahdp).
"""

from __future__ import annotations

import itertools

import pytest

from ahdp_verify import BadInput, Domain, NotWorkedOut, extra_records
from ahdp_verify.analysis.power import known_record, one_more_record, these
from ahdp_verify.analysis.power.threat_models import (
    Hypotheses,
    integer_compositions,
    most_private_records,
)
from ahdp_verify.kernel.terms.expression import log, name, oo

W = Domain([("a", log(2)), ("b", log(3))])


def counts(found: Hypotheses) -> set[tuple[int, ...]]:
    return {D.counts for D in found.datasets}


@pytest.mark.parametrize("t", [1, 2, 5])
@pytest.mark.parametrize("given", [(), (2, 1)])
def test_at_most_t_extra_records(t: int, given: tuple[int, ...]) -> None:
    base = given or (0, 0)
    expected = {
        (base[0] + i, base[1] + j)
        for i, j in itertools.product(range(t + 1), repeat=2)
        if i + j <= t
    }
    found = extra_records(t, given)(W)
    assert counts(found) == expected and len(found.datasets) == len(expected) == len(
        set(found.labels)
    )


def test_one_more_and_known_records() -> None:
    assert counts(one_more_record((1, 1))(W)) == {(2, 1), (1, 2)}
    assert counts(known_record(("b", log(3)), (1, 0))(W)) == {(1, 0), (1, 1)}
    assert counts(these([[0, 0], {("a", log(2)): 2}, [("b", log(3)), ("b", log(3))]])(W)) == {
        (0, 0),
        (2, 0),
        (0, 2),
    }


def test_labels_are_values_and_not_demands() -> None:
    two = Domain([("a", 1), ("a", 2), ("b", 1)])
    found = extra_records(1)(two)
    assert found.labels == ("{}", '{"a"}', '{"a"}', '{"b"}') and found.names == (
        "{}",
        '{"a"}',
        '{"b"}',
    )
    assert these([[1, 1, 0], [0, 0, 2]])(two).labels == ('{2 x "a"}', '{2 x "b"}')


def test_the_most_private_records() -> None:
    """W_o: the least demand of each value; the first of equal ones."""
    domain = Domain([("a", oo), ("a", 2), ("b", oo), ("a", log(2)), ("c", 0), ("c", 1)])
    assert [str(r) for r in most_private_records(domain)] == [
        '("b", oo)',
        '("a", log(2))',
        '("c", 0)',
    ]
    with pytest.raises(NotWorkedOut, match="not known which"):
        most_private_records(Domain([("a", name("e")), ("a", 1)]))


@pytest.mark.parametrize(("size", "width"), [(0, 1), (4, 1), (3, 3), (2, 5)])
def test_compositions(size: int, width: int) -> None:
    expected = {c for c in itertools.product(range(size + 1), repeat=width) if sum(c) == size}
    found = list(integer_compositions(size, width))
    assert set(found) == expected and len(found) == len(expected)


def test_domains_that_are_none() -> None:
    for domain in (Domain.universal({"x": ""}), "W", None):
        with pytest.raises(BadInput, match="infinitely many"):
            extra_records(1)(domain)  # type: ignore[arg-type]
