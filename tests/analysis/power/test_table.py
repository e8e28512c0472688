"""Tables of power: O1 and O2 of STATEMENTS, S1 for the limit and claim:3 (A1) for the paper's
bound; a mechanism beside them by hand.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from ahdp_verify import BadInput, Domain, Mechanism, Queries
from ahdp_verify.analysis.power.table import HEAD, PowerTable, power_table
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.terms.expression import log, name
from ahdp_verify.kernel.terms.grammar import parse
from tests.minmax import domain, exact

F = Fraction
# randomised response on whether there is a record, with demand log 2
ANSWER = Mechanism(
    Domain([("x0", log(2))]),
    outputs=[finite("r", [0, 1])],
    density=parse("piecewise((2/3, r == min(size, 1)), (1/3, true))", "law"),
    name="answer",
)


@pytest.mark.parametrize(
    ("qs", "values"),
    [
        (("1/2",), "2/3 1/2 4/9 2/5"),
        (("1/3",), "3/4 3/5 9/16"),
        (("1/2", "1/2"), "1/2 8/23 1/4"),
        (("1/10",) * 3, "10/13 2900/4133"),  # O1
        (("1/2", "1/3"), "6/11 9/23 36/119"),
        (("1/2", "1/3", "1/4"), "12/25 288/865"),  # O2
        (("0",), "1 1"),
        (("1",), "1/2 1/3"),
        (("0", "1"), "1/2 1/3"),
        (("1", "1"), "1/3 1/6"),  # all is released, or only what differs in the first count
    ],
)
def test_rows_and_limits(qs: tuple[str, ...], values: str) -> None:
    most, k = len(values.split()), len(qs)
    table = power_table(domain(*qs), most, everywhere=False)
    assert [exact(row.best.value) for row in table.rows] == list(
        map(F, values.split())
    ) and table.exact
    assert [(row.t, row.hypotheses) for row in table.rows] == [
        (t, comb(t + k, k)) for t in range(1, most + 1)
    ]
    limit, bound = F(1), F(1)
    for q in map(F, qs):
        limit, bound = limit * (1 - q) / (1 + q), bound * (1 - q)
    assert (exact(table.limit), exact(table.bound)) == (limit, bound) and limit <= min(
        map(F, values.split())
    )
    head, *lines = table.lines
    assert head == HEAD and [line[2] for line in lines] == values.split()
    for line, value in zip(lines, values.split(), strict=True):
        assert (
            float(line[3]) == pytest.approx(float(F(value)), abs=1e-6)
            and float(line[4]) == pytest.approx(1 / int(line[1]), abs=1e-6)
            and line[5] == "not asked"
        )


def test_the_ending_and_the_title() -> None:
    """q = (1/2, 1/3): limit 1/3 * 1/2, bound 1/2 * 2/3."""
    text = str(power_table(domain("1/2", "1/3"), 1)).splitlines()
    assert (
        text[0] == "best power against at most t extra records"
        and text[-1].startswith("limit as t grows: 1/6")
        and text[-1].endswith("upper bound of it is 1/3")
    )


def test_extensions_are_asked_for_where_there_are_few_hypotheses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """k = 1 extends for every t, and t = 1 for every k (E4, S2)."""
    assert [row.extends for row in power_table(domain("1/2"), 3).rows] == [
        True
    ] * 3 and power_table(domain("1/2", "1/3"), 1).rows[0].extends
    monkeypatch.setattr("ahdp_verify.analysis.power.table.SMALL", 3)
    assert [row.extends for row in power_table(domain("1/2"), 3).rows] == [True, True, None]
    assert [row.extends for row in power_table(domain("1/2"), 3, everywhere=True).rows] == [
        True
    ] * 3


@pytest.mark.parametrize("given", [[0, 0], [2, 1], [0, 5]])
def test_what_has_been_seen_changes_nothing(given: list[int]) -> None:
    """The distances among D_o + v are those among the v; also where the counts come from an
    iterator that can be read once.
    """
    rows = power_table(domain("1/2", "1/3"), 2, iter(given), everywhere=False).rows
    assert [exact(row.best.value) for row in rows] == [F(6, 11), F(9, 23)]
    assert [[min(column) for column in zip(*row.best.claim.rows, strict=True)] for row in rows] == [
        given,
        given,
    ]


def test_a_mechanism_beside_the_best() -> None:
    """It is the best one for t = 1 (E4).  For t = 2 two hypotheses have one distribution: answer
    0 with probability x at output 0 only, else 1 or 2 alike; 2 x/3 = (1 - x/3)/2 gives x = 3/5,
    so 2/5.  For t = 3, three have one: 2 x/3 = (1 - x/3)/3, x = 3/7, 2/7.
    """
    table = power_table(domain("1/2"), 3, mechanism=ANSWER)
    assert [exact(row.against.value) for row in table.rows if row.against] == [
        F(2, 3),
        F(2, 5),
        F(2, 7),
    ]
    assert (
        table.title.endswith(", and power against answer")
        and table.lines[0][-1] == "this mechanism"
    )
    assert [float(line[-1]) for line in table.lines[1:]] == pytest.approx(
        [2 / 3, 2 / 5, 2 / 7], abs=1e-6
    )


def bounds_only(table: PowerTable) -> PowerTable:
    """The table as it would be if nothing better than 3/4 were known from above."""
    (row,) = table.rows
    assert row.best.found.high is not None
    return replace(
        table,
        rows=(
            replace(
                row,
                extends=False,
                best=replace(
                    row.best,
                    found=replace(row.best.found, high=replace(row.best.found.high, value=F(3, 4))),
                ),
            ),
        ),
    )


def test_bounds_are_shown_as_such() -> None:
    table = bounds_only(power_table(domain("1/2"), 1))
    assert not table.exact and table.lines[1][2:] == (
        "between 2/3 and 3/4",
        "between 0.666667 and 0.75",
        "0.5",
        "open",
    )
    nothing = replace(
        table,
        rows=(
            replace(
                table.rows[0],
                best=replace(
                    table.rows[0].best, found=replace(table.rows[0].best.found, low=None, high=None)
                ),
            ),
        ),
    )
    assert nothing.lines[1][2:4] == ("not found", "not found") and not nothing.exact


def test_long_values_are_decimals() -> None:
    """eps = 1/7, 1/5, t = 1: 1/(1 + exp(-1/7) + exp(-1/5)) is short enough, the value for t = 2
    is not.
    """
    table = power_table(Domain([("a", "1/7"), ("b", "1/5")]), 2, everywhere=False)
    first, second = table.lines[1:]
    assert (
        "exp(-1/7)" in first[2]
        and second[2] == "(long)"
        and float(second[3]) == pytest.approx(1 / 6, abs=0.1)
    )


def test_names_are_escaped_in_html() -> None:
    table = power_table(domain("1/2"), 1, mechanism=replace(ANSWER, name="<b>&"))
    assert (
        "<b>" not in table._repr_html_()
        and "against &quot;&lt;b&gt;&amp;&quot;" in table._repr_html_()
        and table._repr_html_().count("<tr>") == 2
    )


@pytest.mark.parametrize("most", [0, -1, True, 1.5, "2", None])
def test_a_table_without_rows_is_none(most: object) -> None:
    with pytest.raises(
        BadInput,
        match=r"extra records: .* leaves nothing for the adversary to find out; give a whole number >= 1",
    ):
        power_table(domain("1/2"), most)  # type: ignore[arg-type]


def test_questions_that_are_none() -> None:
    said: list[str] = []
    with pytest.raises(BadInput, match=r"hypotheses: there are \d+ of them"):
        power_table(domain("1/2", "1/2", "1/2"), 99, report=said.append)
    assert not said  # refused before anything was worked out
    with pytest.raises(BadInput, match="the name eps is not known"):
        power_table(Domain([("a", name("eps"))]), 1)
    with pytest.raises(BadInput, match="its records are not listed"):
        power_table(Queries(1), 1)  # type: ignore[arg-type]
    for given in ([-1], [1, 1]):
        with pytest.raises(BadInput, match="dataset"):
            power_table(domain("1/2"), 1, given)
