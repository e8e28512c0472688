"""Rows about mechanisms and experiments: their kinds of checks can fail.

Outcomes and figures: the statement table beside the paper, rows 50 to 73, E7 to E12, S5 to S9, O5
to O7.
"""

from __future__ import annotations

import pytest

from ahdp_verify.analysis.moments.moments import infinite_mean, mean
from ahdp_verify.kernel.terms.expression import Expression, exp, number
from ahdp_verify.paper.statements import STATEMENTS, answer_check
from ahdp_verify.paper.statements.experiments import size_of_one_kind
from ahdp_verify.paper.statements.questions import (
    comparison_check,
    decimal_check,
    identity_check,
    infinite_mean_check,
    least_level_check,
    mechanism_in_file,
)
from ahdp_verify.paper.statements.row import Check


def word(check: Check) -> str:
    """What is answered."""
    return answer_check(check, lambda said: None).word


EX_MEAN, TEN_EACH = "paper/mean-three-records.toml", [10, 10, 10]


def clipped() -> Expression:
    """The mean of the output of ex:mean."""
    return mean(mechanism_in_file(EX_MEAN), TEN_EACH, of="m/max(n, 1)")


@pytest.mark.parametrize("printed", ["1.675861175901669", "1.67586117590166868358"])
def test_right_digits(printed: str) -> None:
    """O5, and more digits by mpmath: a (e^-(c-1)/2 + e^-c (Ei(c) - Ei(1))/2 + e^c E1(c)/2)."""
    assert word(decimal_check(clipped, printed)) == "proved"


@pytest.mark.parametrize(
    "printed", ["1.675861175901668", "1.67586117590166868357", "-1.675861175901669"]
)
def test_wrong_digits(printed: str) -> None:
    assert word(decimal_check(clipped, printed)) == "refuted"


@pytest.mark.parametrize(
    ("name", "level", "downward"),
    [
        ("paper/linear-query-universal.toml", "alpha", ""),
        ("paper/linear-query-universal.toml", "999/1000*alpha*(f - l)/(h - l)", ""),
        ("paper/sample-mechanism-geometric-count-u-2.toml", "log(2)", "log(2)"),
    ],
)
def test_another_least_level_is_not_shown(name: str, level: str, downward: str) -> None:
    assert word(least_level_check(name, level, downward=downward)) == "unknown"


def test_least_level() -> None:
    """S6: T = 4, u = 2 has ratios from 3/4 to 2; and datasets that the mechanism excludes are
    said.
    """
    answer = answer_check(
        least_level_check(
            "paper/sample-mechanism-geometric-count-u-2.toml", "log(2)", downward="log(4/3)"
        ),
        lambda said: None,
    )
    assert (answer.word, answer.only) == ("proved", "datasets with size <= 4")


def test_a_law_in_parts_has_no_least_level() -> None:
    assert word(least_level_check("paper/mean-by-composition.toml", "alpha1")) == "unknown"


def test_a_mean_that_exists_is_not_called_infinite() -> None:
    file = "paper/mean-numerator-and-denominator.toml"
    assert (
        word(infinite_mean_check(lambda: infinite_mean(mechanism_in_file(file), of="m/n"), ""))
        == "refuted"
    )
    assert (
        word(
            infinite_mean_check(
                lambda: infinite_mean(mechanism_in_file(file), of="m/max(n, 1)"), ""
            )
        )
        == "unknown"
    )


def test_identical_constants() -> None:
    assert word(identity_check(lambda: exp(1) * exp(2), lambda: exp(3))) == "proved"
    assert word(identity_check(lambda: exp(1), lambda: number("2.718281828459045"))) == "refuted"


def test_the_printed_size_is_right_where_nobody_is_alike() -> None:
    """E11: the printed sum counts each kind of record once, so that one copy is not a
    counterexample.
    """
    printed = STATEMENTS["size_estimate"].checks[1]
    assert word(printed) == "refuted"
    assert word(comparison_check(lambda: mean(size_of_one_kind(), [1]), "==", "1")) == "proved"
