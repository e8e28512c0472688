"""How far queries on records move, against brute force over small datasets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import Domain, Entries, Mechanism, exp, hdp, oo, real, sensitivity, verify
from ahdp_verify.analysis.record_sensitivity import record_sensitivity
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse

UNIT = Domain.universal(unknowns={"x": "0 <= x <= 1"})
GRID = [Fraction(i, 12) for i in range(13)]
Answer = Callable[[tuple[Fraction, ...]], float]


def moves(answer: Answer, relation: str, sizes: range) -> Iterator[float]:
    """How far an answer moves between neighbouring datasets of values of the grid."""
    for size in sizes:
        for rest in itertools.combinations_with_replacement(GRID[::4], size):
            if relation == "add-remove":
                yield from (abs(answer((*rest, x)) - answer(rest)) for x in GRID)
            else:
                both = itertools.combinations(GRID, 2)
                yield from (abs(answer((*rest, x)) - answer((*rest, y))) for x, y in both)


@pytest.mark.parametrize("relation", ["add-remove", "swap"])
@pytest.mark.parametrize(
    ("query", "answer", "sizes"),
    [
        ("sum(x*(1 - x))", lambda d: sum(x * (1 - x) for x in d), range(3)),
        ("sum((x - 1/3)^2)", lambda d: sum((x - Fraction(1, 3)) ** 2 for x in d), range(3)),
        ("count(x > 1/2) + 2*size", lambda d: sum(x > 0.5 for x in d) + 2 * len(d), range(3)),
        ("abs(sum(x) - 1)", lambda d: abs(sum(d) - 1), range(4)),
        ("sum(log(1 + x))", lambda d: sum(math.log(1 + x) for x in d), range(2)),
    ],
)
def test_brute_force_finds_the_same(
    query: str, answer: Answer, sizes: range, relation: str
) -> None:
    found = sensitivity(query, UNIT, relation=relation)
    assert found.least and found.bound is not None
    bound = float(enclose(normal(found.bound, Context.empty()))[0])
    assert bound == pytest.approx(float(max(moves(answer, relation, sizes))))


def test_a_mean_of_at_least_one_record() -> None:
    """One record alone moves its mean by 1."""
    found = sensitivity("sum(x)/size", UNIT, relation="swap", defined="size >= 1")
    assert str(found) == "the sensitivity of sum(x)/size under swap is 1, attained at x = 0, x' = 1"


def test_each_record_moves_the_answer_by_its_own_amount() -> None:
    demands = Domain.universal(unknowns={"x": "0 <= x <= 1", "eps": "0 < eps <= 5"})
    added = sensitivity("sum(eps*x)", demands, relation="ahdp")
    assert added.least and str(added.bound) == "eps*x"
    assert "is eps*x" in str(added)
    listed = Domain([(0, 1), (1, 2), (3, oo)])
    rows = sensitivity("sum(x)", listed, relation="ahdp").levels.rows
    assert [str(row.level) for row in rows] == ["0", "1", "3"]


def test_an_entry_with_a_public_weight_up_to_its_demand_loses_at_most_its_demand() -> None:
    """From w x to w y, where only x becomes y: at most w, which is at most eps."""
    people = Domain.universal(unknowns={"x": "0 <= x <= 1", "w": "0 <= w <= eps", "eps": "0 < eps"})
    found = sensitivity("sum(w*x)", people, relation="hdp", public=("w",))
    for w, x in itertools.product((Fraction(1, 2), Fraction(3)), GRID[::3]):
        largest = max(abs(w * x - w * y) for y in GRID)
        given = {"w": f"{w}", "x": f"{x}"}
        text = str(found.bound)
        for key, value in given.items():
            text = text.replace(key, f"({value})") if key != "x" else text
        there = parse(text.replace("max", "MAX").replace("x", f"({x})").replace("MAX", "max"))
        assert normal(there, Context.empty()).as_rational == largest
    s = real("s")
    noisy = Mechanism(people, outputs=[s], density=exp(-abs(s - parse("sum(w*x)"))) / 2)
    assert verify(hdp(noisy, public=("w",))).outcome == "proved"
    heavier = Domain.universal(
        unknowns={"x": "0 <= x <= 1", "w": "0 <= w <= 2*eps", "eps": "0 < eps"}
    )
    wrong = Mechanism(heavier, outputs=[s], density=exp(-abs(s - parse("sum(w*x)"))) / 2)
    assert verify(hdp(wrong, public=("w",))).outcome == "refuted"


def test_what_is_not_found_is_said() -> None:
    line = str(sensitivity("sum(x)", Domain.universal(unknowns={"x": ""}), relation="swap"))
    assert "at least 100" in line and "infinite or unbounded" in line
    squares = sensitivity("sum(x)^2", UNIT)
    assert squares.bound is None and not squares.least and "not proved" in str(squares)


def test_bad_questions() -> None:
    with pytest.raises(BadInput, match="does not relate datasets"):
        sensitivity("sum(x)", UNIT, relation="one")
    with pytest.raises(BadInput):
        sensitivity("sum(y)", UNIT)
    with pytest.raises(BadInput, match="no query"):
        sensitivity(3, UNIT)
    with pytest.raises(BadInput, match="datasets over a domain"):
        sensitivity("sum(x)", Entries(2, "0 <= x <= 1"), relation="swap")  # type: ignore[call-overload]
    with pytest.raises(NotWorkedOut, match="demand"):
        free = Domain.universal(unknowns={"x": "0 <= x <= 1", "eps": "0 < eps"})
        sensitivity("sum(eps*x)", free, relation="ahdp")


@pytest.mark.parametrize("relation", ["add-remove", "swap"])
@pytest.mark.parametrize(
    ("query", "bound"),
    [
        ("count(1/2 < x and x < 3/4)", "1"),
        ("count(x > 1/2) - count(x >= 3/4)", "1"),
        ("1999/2000*count(1/2 < x and x < 3/4)", "1999/2000"),
        ("sum(x*indicator(1/4 <= x and x <= 1/2))", "1/2"),
    ],
)
def test_conditions_on_both_sides(query: str, bound: str, relation: str) -> None:
    """Between no such record and one; a bound that is only almost attained is not the answer."""
    found = sensitivity(query, UNIT, relation=relation)
    assert found.least and str(found.bound) == bound
    assert found.levels.rows[0].proof is not None and "attained at x = " in str(found)


TENTH = Domain.universal(unknowns={"x": "0 <= x <= 1/10"})


@pytest.mark.parametrize(("inputs", "least", "most"), [(UNIT, 2, "1/2"), (TENTH, 3, "1/30")])
def test_only_datasets_where_the_query_is_defined_show_a_move(
    inputs: Domain, least: int, most: str
) -> None:
    """A mean of n records moves by the width of a record over n; fewer records are not compared."""
    found = sensitivity("sum(x)/size", inputs, relation="swap", defined=f"size >= {least}")
    assert not found.least or found.bound == parse(most)
    assert ("attained" in str(found)) == found.least


def test_a_move_is_shown_at_records_of_the_domain() -> None:
    """1/10 is no float; the nearest one is larger."""
    found = sensitivity("sum(x)/size", TENTH, relation="swap", defined="size >= 1")
    assert found.least and found.bound == parse("1/10")
    assert str(found).endswith("is 1/10, attained at x = 0, x' = 1/10")


@pytest.mark.parametrize(
    ("inputs", "relation", "defined"),
    [
        (Domain.universal(unknowns={"x": "1 <= x <= 0"}), "add-remove", None),
        (Domain.universal(unknowns={"x": "0 <= x <= 1"}), "add-remove", "size < 0"),
        (Domain([(1, 1)]), "swap", None),
        (Domain([(1, 1), (2, 2)]), "hdp", None),
    ],
)
def test_where_nothing_is_compared_no_place_is_said_to_attain_0(
    inputs: Domain, relation: str, defined: str | None
) -> None:
    found = record_sensitivity("sum(x)", inputs, relation, defined=defined)
    assert all(line.endswith("is 0: nothing is compared") for line in found.lines)
    assert all(row.where == "nothing is compared" for row in found.levels.rows)


def test_a_record_that_cannot_be_replaced_is_compared_with_nothing() -> None:
    # demands 1, 2, 2: only the last two can become each other
    found = record_sensitivity("sum(x)", Domain([(1, 1), (2, 2), (3, 2)]), "hdp")
    assert found.lines[0].endswith("for (1, 1) is 0: nothing is compared")
    assert [str(row.level) for row in found.levels.rows] == ["0", "1", "1"]


@pytest.mark.parametrize(
    ("query", "options", "said"),
    [
        ("sum(x)/size", {}, "query: at the empty dataset it divides by 0; state where"),
        ("x", {}, "query: x belongs to one record"),
        ("sum(y)", {}, "query: the name y is not known"),
        ("sum(x)", {"relation": "swap", "public": ("x",)}, "that swap keeps; use hdp"),
    ],
)
def test_a_mistake_is_told_of_the_query_and_not_of_noise(
    query: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadInput) as error:
        record_sensitivity(query, Domain.universal(unknowns={"x": "0 <= x <= 1"}), **options)
    assert said in str(error.value) and "noise" not in str(error.value)
