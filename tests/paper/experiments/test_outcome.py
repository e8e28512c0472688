"""Tables, trials that stop early, and rankings."""

from __future__ import annotations

import csv

import pytest

np = pytest.importorskip("numpy")

from ahdp_verify.paper.experiments.outcome import (  # noqa: E402
    Curves,
    MethodCurve,
    csv_table,
    nested_subsets,
    trials_text,
)


def curves(*lines: MethodCurve) -> Curves:
    return Curves(
        "X",
        "a title",
        ("n", "error"),
        (1, 2),
        lines,
        "a caption,\nin two lines",
        ("a note",),
        ("found",),
        (3, 3),
    )


def line(
    name: str, *values: float, kind: str = "method", limit: float | None = None
) -> MethodCurve:
    return MethodCurve(
        name, {"error": np.array(values), "standard_error": np.array(values) / 10}, limit, kind
    )


def test_the_table_can_be_read_back() -> None:
    found = curves(line("a, b", 0.5, 0.25, limit=0.125), line("c", 1 / 3, 2e-9)).csv.splitlines()
    assert found[:3] == ["# counterpart of fig:X: a caption, in two lines", "# a note", "# found"]
    rows = list(csv.DictReader(found[3:]))
    assert [(r["size"], r["method"], float(r["error"]), r["limit"]) for r in rows] == [
        ("1", "a, b", 0.5, "0.125"),
        ("2", "a, b", 0.25, "0.125"),
        ("1", "c", pytest.approx(1 / 3, rel=1e-9), ""),
        ("2", "c", pytest.approx(2e-9), ""),
    ]


def test_the_ranking_leaves_out_variants() -> None:
    found = curves(
        line("a", 9, 3),
        line("b", 1, 4),
        line("v", 0, 0, kind="variant"),
        line("z", 1, 1, kind="baseline"),
    )
    assert [each.method for each in found.ranking] == ["z", "a", "b"]
    assert found.summary[0] == "a title, 3 trials: error at size 2" and found.summary[-1] == "found"


def test_it_says_how_many_trials_there_were() -> None:
    assert trials_text(10, 10) == "10 trials for each size"
    assert trials_text(4, 10) == "4 trials for each size (10 were asked for; interrupted)"


def test_subsets_are_nested_and_have_their_sizes() -> None:
    rows = nested_subsets(np.random.default_rng(2), 10, (1, 4, 10))
    assert rows.sum(axis=1).tolist() == [1, 4, 10] and (np.diff(rows, axis=0) >= 0).all()


def test_a_table_keeps_ten_digits() -> None:
    assert csv_table(("a",), [(1 / 3,), ("x,y",), (7,)], ()) == 'a\n0.3333333333\n"x,y"\n7\n'
