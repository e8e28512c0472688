"""The suite of the field: every verdict and every least level, typed from the field's table
(corpus/field.md, sections 1 to 3, and the table of the design of noise programs), and the size of
the certificates.
"""

from __future__ import annotations

import pytest

from ahdp_verify.catalogue.field_suite import FIELD, SuiteRow, compact
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.verify import verify

ONE, ALL, UP, DOWN = "one", "all", "increasing", "decreasing"

# id, options, relation, number of queries (None: any), least level; "" for none at every number
LEAST = {
    ("M1", "", ONE, 1): "eps",
    ("M3", "", ONE, 5): "eps",
    ("M3", "", ALL, 5): "5*eps",
    ("M4", "", ONE, 5): "eps",
    ("M4", "", ONE, None): "eps",
    ("M5", "", ONE, 5): "2*eps",
    ("M5", "", ONE, None): "2*eps",
    ("M6", "", ONE, 10): "eps",
    ("M6", "", ALL, 10): "10*eps",
    ("M6", "", ONE, None): "eps",
    ("G6", "", ONE, 10): "eps",
    ("G6", "", ONE, None): "eps",
    ("M7", "", ONE, 10): "2*eps",
    ("M7", "", ONE, None): "2*eps",
    ("M7", "(block=3)", ONE, None): "2*eps",
    ("M7", "(block=4)", ONE, None): "2*eps",
    ("M8", "", ONE, 2): "oo",
    ("M8", "", ONE, None): "oo",
    ("M9", "", ONE, 10): "eps",
    ("M9", "", ALL, 10): "10*eps",
    ("M9", "", ONE, None): "eps",
    ("M10", "", ONE, 5): "1/eps",
    ("M11", "", ALL, 5): "eps",
    ("M11", "", UP, 5): "eps/2",
    ("M11", "", DOWN, 5): "eps/2",
    ("M11", "", ALL, None): "eps",
    ("M11", "", UP, None): "eps/2",
    ("L11", "", ALL, 5): "eps",
    ("L11", "", UP, 5): "eps/2",
    ("M12", "(law='exponential')", ALL, 5): "eps",
    ("M12", "(law='exponential')", UP, 5): "eps/2",
    ("M12", "(law='exponential')", ALL, None): "eps",
    ("M13", "", ALL, 2): "eps",
    ("M13", "", ALL, 3): "3/2*eps",
    ("M13", "", ALL, 5): "5/2*eps",
    ("M13", "", UP, 5): "5/2*eps",
    ("M14", "(law='exponential')", ALL, 3): "oo",
    ("M14", "(law='exponential')", UP, 3): "oo",
    ("M15", "(law='gumbel')", ALL, 5): "eps",
    ("M15", "(law='gumbel')", ALL, None): "eps",
    ("Gap", "", ALL, None): "eps",
    ("Gap", "", UP, None): "eps/2",
    ("Top2", "", ALL, 4): "eps",
    ("Top2", "", UP, 4): "eps/2",
    ("G11", "", ALL, 5): "eps",
    ("G11", "", ALL, None): "eps",
    ("M17", "", ALL, 3): "3/4*eps",
    ("M17", "", ALL, 4): "eps",
    ("M17", "", ALL, 10): "eps",
    ("M17", "", UP, 10): "3/4*eps",
    ("M17", "", ALL, None): "eps",
    ("M17", "", UP, None): "3/4*eps",
    ("M17", "(count=2)", ALL, 10): "eps",
    ("M17", "(count=2)", ALL, None): "eps",
    ("M18", "(count=2, redrawn=True)", ALL, 10): "eps",
    ("M18", "(count=2, redrawn=True)", ALL, None): "eps",
    ("M19", "", ALL, 3): "3/2*eps",
    ("M19", "", ALL, 10): "5*eps",
    ("M19", "", UP, 10): "5*eps",
    ("M19", "", ALL, None): "",
    ("M20", "", ALL, 1): "eps/4",
    ("M20", "", ALL, 2): "3/2*eps",
    ("M20", "", ALL, 3): "7/4*eps",
    ("M20", "", ALL, None): "7/4*eps",
    ("M20", "(count=2)", ALL, 5): "13/4*eps",
    ("M20", "", UP, 10): "eps",
    ("M20", "", UP, None): "eps",
    ("M20", "(count=2)", UP, 3): "eps",
    ("M20", "(count=2)", UP, 4): "3/2*eps",
    ("M21", "", ALL, 2): "oo",
    ("M21", "", UP, 2): "oo",
    ("M22", "", ALL, 2): "eps",
    ("M22", "", ALL, 3): "3/2*eps",
    ("M22", "", ALL, 8): "4*eps",
    ("M22", "", UP, 4): "eps",
    ("M22", "", UP, 5): "3/2*eps",
    ("M24", "", ALL, 10): "eps",
    ("M24", "", ALL, None): "eps",
    ("M24", "(count=2)", ALL, 8): "eps",
    ("M24", "(count=2)", ALL, None): "eps",
    ("M25", "", ALL, 10): "eps",
    ("M25", "", ALL, None): "eps",
    ("M25", "(count=2)", ALL, 8): "eps",
    ("M25", "(count=2)", ALL, None): "eps",
    ("M27", "", ALL, 6): "eps",
    ("M27", "", ALL, None): "eps",
    ("M27", "(count=2)", ALL, 6): "eps",
    ("M27", "(count=2)", ALL, None): "eps",
    ("M28", "", ALL, 3): "eps",
    ("M28", "", ALL, 5): "13/8*eps",
    ("M29", "", UP, 10): "eps",
    ("M29", "", UP, None): "eps",
    ("M29", "", DOWN, None): "eps",
    ("M29", "(count=2)", UP, 8): "eps",
    ("M29", "", ALL, 2): "eps",
    ("M29", "", ALL, 3): "3/2*eps",
    ("M29", "", ALL, None): "3/2*eps",
    ("G17", "", ALL, 10): "eps",
    ("G17", "", ALL, None): "eps",
}
# An alignment proves these, and the exact probabilities do not reach them: Gumbel noise has none, and
# the sum at the end of a block of four exceeds the sum before it by four noises.
ABOVE = {("M15", "(law='gumbel')"), ("M7", "(block=4)")}
EVERY_NUMBER = (
    "M4",
    "M6",
    "M7",
    "M9",
    "M11",
    "M12",
    "M17",
    "M18",
    "M20",
    "M24",
    "M25",
    "M27",
    "M29",
)


def key(row: SuiteRow) -> tuple[str, str, str, int | None]:
    """What the row is called in the table above."""
    _, bracket, options = row.name.partition("(")
    return row.id, bracket + options, row.relation, row.queries


def named(row: SuiteRow) -> str:
    """The name of a case."""
    return "-".join(map(str, key(row)))


def test_the_suite_has_the_rows_of_the_table() -> None:
    assert sorted(map(str, map(key, FIELD))) == sorted(map(str, LEAST))


@pytest.mark.sweep(12)
@pytest.mark.parametrize("row", FIELD, ids=named)
def test_verdicts_and_least_levels_are_those_of_the_field(row: SuiteRow) -> None:
    found, least = row.decided(), LEAST[key(row)]
    assert found.level == (parse(least) if least else None) == row.least
    shown = {"": ("no level",), "oo": ("attained",)}.get(
        least, ("attained", "limit", "to a thousandth")
    )
    assert found.shown in (("upper bound",) if key(row)[:2] in ABOVE else shown)
    assert found.outcome == row.verdict


def test_a_claim_is_proved_if_it_is_no_lower_than_the_least_level() -> None:
    """By hand for the readings that flip between relations (field.md, section 7)."""
    verdicts = {key(row): row.verdict for row in FIELD}
    assert (verdicts["M3", "", ONE, 5], verdicts["M3", "", ALL, 5]) == ("proved", "refuted")
    assert (verdicts["M6", "", ONE, 10], verdicts["M6", "", ALL, 10]) == ("proved", "refuted")
    assert (verdicts["M20", "", UP, 10], verdicts["M20", "", ALL, 2]) == ("proved", "refuted")
    assert (verdicts["M29", "", UP, 10], verdicts["M29", "", ALL, 3]) == ("proved", "refuted")
    assert verdicts["M10", "", ONE, 5] == "refuted"


@pytest.mark.parametrize(
    "row",
    [
        row
        for row in FIELD
        if row.queries is None and row.verdict == "proved" and row.id in (*EVERY_NUMBER, "Gap")
    ],
    ids=named,
)
def test_proofs_for_any_number_of_queries_are_short(row: SuiteRow) -> None:
    proved = verify(row.stated())
    assert proved.outcome == "proved"
    assert "; scope: all inputs, any number of " in str(proved)
    assert len(compact(proved.to_json())) < 20_000


def test_every_program_of_the_field_is_proved_for_any_number_of_queries() -> None:
    proved = {row.id for row in FIELD if row.queries is None and row.verdict == "proved"}
    assert proved >= {*EVERY_NUMBER, "Gap"}


@pytest.mark.parametrize("row", [FIELD[0], FIELD[40], FIELD[-1]], ids=named)
def test_a_row_says_where_it_differs_from_what_is_known(row: SuiteRow) -> None:
    found = row.decided()
    assert row.is_as_known(found) and not any("NOT" in cell for cell in row.cells(found))
    least = parse("7*eps")
    wrong = SuiteRow(row.id, row.subject, row.relation, row.queries, row.claim, "refused", least)
    assert not wrong.is_as_known(found) and sum("NOT" in c for c in wrong.cells(found)) == 2
