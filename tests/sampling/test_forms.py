"""The distribution of an output row by row: every row is in one form, and the points of a form are
in order in each of its rows.
"""

from __future__ import annotations

from typing import Any

import pytest

from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    eq,
    exp,
    label,
    name,
    names,
    number,
    piecewise,
    substitute,
)

np = pytest.importorskip("numpy")

from ahdp_verify.sampling.floats import ratio_values  # noqa: E402
from ahdp_verify.sampling.forms import (  # noqa: E402
    PiecewiseForm,
    columns_by_form,
    group_equal_rows,
    hoist_constants,
)

S, A, B = name("s"), name("a"), name("b")


def forms(law: Expression, given: dict[str, Any], n: int) -> list[PiecewiseForm]:
    found: list[PiecewiseForm] = []

    def act(form: PiecewiseForm) -> tuple[Any, Any]:
        found.append(form)
        return np.zeros(len(form.rows)), 0.0

    columns_by_form(law, real("s"), given, n, act)
    return found


def test_points_are_in_order_in_every_row() -> None:
    rng = np.random.default_rng(1)
    given = {k: rng.normal(size=200) for k in ("a", "b")}
    found = forms(exp(-Abs(S - A) - Abs(S - B) - Abs(S)), given, 200)
    assert (
        sorted(np.concatenate([form.rows for form in found]).tolist()) == list(range(200))
        and len(found) == 6
    )  # 3! orders
    for form in found:
        places = np.stack(
            [np.broadcast_to(ratio_values(c, form.columns), len(form.rows)) for c in form.cuts]
        )
        wanted = np.sort(
            np.stack([given["a"][form.rows], given["b"][form.rows], np.zeros(len(form.rows))]),
            axis=0,
        )
        assert places == pytest.approx(wanted)


def test_conditions_on_columns_are_told_apart() -> None:
    law = piecewise((exp(-Abs(S)), A < 1), (exp(-2 * Abs(S - B)), True))
    found = forms(law, {"a": np.array([0, 1, 2, 0]), "b": np.array([5.0, 6.0, 7.0, 8.0])}, 4)
    assert sorted(form.rows.tolist() for form in found) == [[0, 3], [1, 2]]


def test_labels_are_put_in_exactly() -> None:
    law = piecewise((exp(-Abs(S)), eq(name("a"), label("no"))), (exp(-2 * Abs(S)), True))
    found = forms(law, {"a": np.array(["no", "yes", "no"])}, 3)
    assert sorted(form.rows.tolist() for form in found) == [[0, 2], [1]]


def test_rows_of_one_form_stay_together() -> None:
    """The column 1 + a is above 0 in all rows; the sign of a tells no more than two forms apart."""
    assert len(forms(exp(-Abs(S) / (1 + A)), {"a": np.arange(5)}, 5)) == 1
    assert len(forms(exp(-Abs(S)) * (2 + A * Abs(S)), {"a": np.array([1, 2, 1])}, 3)) <= 2


def test_what_is_free_of_the_output_has_one_name() -> None:
    whole = exp(-Abs(S - 2 * A)) * (A + B) + number(3)
    law, table = hoist_constants(whole, "s")
    assert names(law) == {"s", "@0", "@1"} and set(table.values()) == {"@0", "@1"}
    assert substitute(law, {key: e for e, key in table.items()}) == whole


def test_rows_that_agree_in_all_columns() -> None:
    columns = {"a": np.array([1, 2, 1, 1]), "b": np.array(["x", 2.5, "x", "y"], dtype=object)}
    found = [(rows.tolist(), values) for rows, values in group_equal_rows(columns, 4)]
    assert sorted(rows for rows, _ in found) == [[0, 2], [1], [3]]
    assert {tuple(rows): values["b"] for rows, values in found} == {
        (0, 2): "x",
        (1,): 2.5,
        (3,): "y",
    }


def test_no_rows() -> None:
    first, second = columns_by_form(
        exp(-Abs(S - A)),
        real("s"),
        {"a": np.empty(0)},
        0,
        lambda form: pytest.fail("there is nothing to be done"),
    )
    assert len(first) == len(second) == 0
