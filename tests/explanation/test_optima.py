"""Optima in words: the numbers of the lines are a private mechanism, a prior and prices by the
definitions, computed here again; what is not claimed is not printed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import Domain, Mechanism, best_power, explain, extra_records, power
from ahdp_verify.analysis.power import best_mechanism, known_record, one_more_record
from ahdp_verify.analysis.power.best import BestMechanism
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.explanation.numbered_lines import LineWriter
from ahdp_verify.explanation.optima import (
    SHOWN,
    dataset_as_counts,
    explain_best_test,
    explain_optimum,
    omission_text,
)
from ahdp_verify.kernel.evidence.certificate import Optimum
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms.expression import log, number
from ahdp_verify.kernel.terms.grammar import parse
from tests.minmax import closeness, domain, extra

F = Fraction


def explained_lines(best: BestMechanism) -> list[str]:
    """The lines of the last verdict, numbers in front."""
    claim, shown, lines = best.verdicts[-1].claim, best.verdicts[-1].certificate, LineWriter()
    assert isinstance(claim, BestClaim) and isinstance(shown, Optimum)
    explain_optimum(claim, shown, lines)
    return [f"{line.number} {line.text}".strip() for line in lines.done]


def numbers(lines: list[str], start: str, pattern: str) -> list[str]:
    """What a pattern finds below the head that starts so."""
    head = next(
        line.split()[0]
        for line in lines
        if line.split(" ", 1)[1:] and line.split(" ", 1)[1].startswith(start)
    )
    return [
        found
        for line in lines
        if line.startswith(f"{head}.")
        for found in re.findall(pattern, line.split(" ", 1)[1])
    ]


PROBABILITY = r"with probability (-?\d+(?:/\d+)?)"
PRICE = r"has the price (-?\d+(?:/\d+)?)"


@pytest.mark.parametrize(
    ("qs", "t", "value"),
    [
        (("1/2",), 1, "2/3"),
        (("1/2",), 3, "4/9"),
        (("1/2", "1/3"), 2, "9/23"),
        (("0", "1"), 1, "1/2"),
        (("1", "1"), 1, "1/3"),
    ],
)
def test_the_numbers_of_a_power(qs: tuple[str, ...], t: int, value: str) -> None:
    """O1, O2 and claim:3 (A2)."""
    lines, rows = explained_lines(best_power(domain(*qs), extra_records(t))), extra(len(qs), t)
    probabilities = [F(x) for x in numbers(lines, "There is a private mechanism", PROBABILITY)]
    K = [probabilities[i * len(rows) : (i + 1) * len(rows)] for i in range(len(rows))]
    labels = [row_text_by_hand(row) for row in rows]
    shown = [
        line.split("at ", 1)[1].split(":")[0] for line in lines if re.match(r"1\.\d+ at ", line)
    ]
    assert sorted(shown) == sorted(labels) and len(probabilities) == len(rows) ** 2
    place = {label: row for label, row in zip(labels, rows, strict=True)}
    for a, x in zip(shown, K, strict=True):
        assert sum(x) == 1 and min(x) >= 0
        for b, y in zip(shown, K, strict=True):
            q = closeness(place[a], place[b], [F(q) for q in qs])
            assert all(q * s <= r for s, r in zip(x, y, strict=True))
    assert any(line.endswith(f"its least aim is at least {value}") for line in lines)
    prior, prices = (
        numbers(lines, "Let the true dataset", PROBABILITY),
        numbers(lines, "Let these be prices", PRICE),
    )
    assert (
        sum(map(F, prior)) == 1
        and sum(map(F, prices)) == F(value)
        and lines[-1].endswith(f"= {value}")
    )
    assert any(
        line.endswith(
            f"So no private mechanism has a least aim above the sum of the prices, which is {value}"
        )
        for line in lines
    )


def row_text_by_hand(row: tuple[int, ...]) -> str:
    return (
        "{"
        + ", ".join(f'"x{i}"' if n == 1 else f'{n} x "x{i}"' for i, n in enumerate(row) if n)
        + "}"
    )


@pytest.mark.parametrize(
    ("row", "text"), [((0, 0), "{}"), ((1, 2), '{"a", 2 x 1/2}'), ((0, 3), "{3 x 1/2}")]
)
def test_datasets(row: tuple[int, ...], text: str) -> None:
    assert (
        dataset_as_counts(
            best_claim(Domain([("a", 1), (F(1, 2), 1)]), [row], ["u"], [[(0, 0, 1)]], 0), row
        )
        == text
    )


def absolute(D: Any, u: Any) -> object:
    return abs(D.size - u)


def test_a_loss() -> None:
    """|count - answer| over no or one record with demand log 2: the probability of a wrong answer,
    1/3 (claim:4); under a prior of 1/2 each it is the same.
    """
    lines = explained_lines(best_mechanism(domain("1/2"), extra_records(1), [0, 1], absolute))
    assert any(line.endswith("its greatest aim is at most 1/3") for line in lines) and any(
        "losses of an answer are at least" in line for line in lines
    )
    assert any(
        line.endswith(
            "So no private mechanism has a greatest aim below the sum of the prices, which is 1/3"
        )
        for line in lines
    )
    assert sum(F(x) for x in numbers(lines, "Let these be prices", PRICE)) == F(1, 3)
    weighted = explained_lines(
        best_mechanism(domain("1/2"), extra_records(1), [0, 1], absolute, prior=["1/2", "1/2"])
    )
    assert any(line.endswith("Let the aim be drawn from this prior:") for line in weighted) and any(
        line.endswith("number 1 with probability 1") for line in weighted
    )


@pytest.mark.parametrize(
    ("bound", "kept", "left_out"),
    [
        (">=", "There is a private mechanism", "Let these be prices"),
        ("<=", "Let these be prices", "There is a private mechanism"),
    ],
)
def test_half_of_an_optimum(bound: str, kept: str, left_out: str) -> None:
    """A bound from one side has one half of the proof: no prior and no prices, or no kernel."""
    best = best_power(domain("1/2"), known_record(("x0", log(2))))
    claim, shown, lines = best.claim, best.certificate, LineWriter()
    half = (
        replace(shown, prior=(), prices=(), flows=())
        if bound == ">="
        else replace(shown, kernel=())
    )
    explain_optimum(replace(claim, bound=bound), half, lines)
    text = "\n".join(line.text for line in lines.done)
    assert kept in text and left_out not in text and ("prior" in text) == (bound == "<=")
    assert lines.done[-1].reason == ("from 2" if bound == ">=" else "from 4")


def test_all_datasets() -> None:
    """For swaps every other dataset has a row (1/k: E5); in a box every other dataset is moved;
    the conclusion rests on that line.  Nothing is stated about the hypotheses alone.
    """
    W = domain("1/2", "1/2")
    swap = explained_lines(best_power(W, one_more_record(), "swap", everywhere=True))
    assert (
        '1.3 at every other dataset of that size: {"x0"} with probability 1/2, {"x1"} with probability 1/2'
        in swap
        and "3 So it is private on all datasets of that size" in swap
    )
    box = explained_lines(best_power(domain("1/2"), extra_records(1), everywhere=True))
    assert (
        "3 With the row of the nearest of these datasets at every other one, it is private on all "
        "datasets" in box
    )
    for lines in (
        explained_lines(best_power(W, one_more_record(), "swap")),
        explained_lines(best_power(domain("1/2"), extra_records(1))),
    ):
        assert not any("all datasets" in line or "every other" in line for line in lines)
    best = best_power(domain("1/2"), extra_records(1), everywhere=True)
    assert [line.reason for line in explain(best.verdicts[0]).lines if line.number == "8"] == [
        "from 2, 3, 7"
    ]


@pytest.mark.parametrize(
    ("t", "remark"),
    [(SHOWN - 1, None), (SHOWN, "and 1 more dataset"), (SHOWN + 1, "and 2 more datasets")],
)
def test_many_datasets(t: int, remark: str | None) -> None:
    lines = explained_lines(best_power(domain("1/2"), extra_records(t)))
    assert [line for line in lines if line.startswith("and ")] == (
        [remark] if remark else []
    ) and sum(bool(re.match(r"1\.\d+ at ", line)) for line in lines) == SHOWN


@pytest.mark.parametrize(("n", "text"), [(1, "1 more cell"), (2, "2 more cells")])
def test_plurals(n: int, text: str) -> None:
    assert omission_text(n, "cell") == text


# tests against one mechanism


@pytest.mark.parametrize(("right", "value"), [("2/3", "2/3"), ("1", "1"), ("1/2", "1/2")])
def test_the_best_test(right: str, value: str) -> None:
    """Randomised response on whether there is a record: named with the probability of the true
    answer, and no better by the Bayes test under the stated prior.
    """
    law = parse(f"piecewise(({right}, r == size), (1 - {right}, true))", "law")
    M = Mechanism(
        Domain([("x0", log(2))]),
        outputs=[finite("r", [0, 1])],
        density=law,
        defined="size <= 1",
        name="answer",
    )
    found = power(M, extra_records(1))
    assert found.value == number(value)
    lines = LineWriter()
    explain_best_test(found.claim, found.verdict.certificate, lines)  # type: ignore[arg-type]
    text = [f"{line.number} {line.text}".strip() for line in lines.done]
    assert any(line.endswith(f"with a probability of at least {value}") for line in text) and any(
        line.endswith(f"with a probability of at most {value}") for line in text
    )
    (a, b), p = map(F, numbers(text, "Let the true input", PROBABILITY)), F(right)
    assert (
        a + b == 1
        and max(a * p, b * (1 - p)) + max(a * (1 - p), b * p) == F(value)
        and lines.done[-1].reason == "from 2 and 4"
    )


def test_a_test_of_many_cells() -> None:
    """Fourteen outputs that tell nothing: twelve cells are listed."""
    M = Mechanism(
        Domain([("x0", log(2))]),
        outputs=[finite("r", list(range(SHOWN + 2)))],
        density=f"1/{SHOWN + 2}",
        name="die",
    )
    lines = LineWriter()
    found = power(M, extra_records(1))
    explain_best_test(found.claim, found.verdict.certificate, lines)  # type: ignore[arg-type]
    assert found.value == number("1/2") and "and 2 more cells" in [line.text for line in lines.done]
