"""The Sample Mechanism over a count: the exact loss of both directions, and its sampling
probabilities.

With u = exp(min(alpha, t)) and T = exp(t), adding a record multiplies the probability of an event
by something in [1 + 1/T - u/T, u], and a geometric count reaches both ends (referee notes on the
paper, S6); the figures below are the notes' own for T = 4.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.files.load import load
from ahdp_verify.kernel.evidence.counterexample import Counterexample, law_at
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.events import event_probability
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.kernel.terms.grammar import parse

ROOT = Path(__file__).resolve().parents[3] / "proofs"
HERE = Context.empty()


def losses(file: str, relation: str = "ahdp") -> list[tuple[Expression | None, Expression | None]]:
    """The exact losses upward and downward of every row."""
    levels = tighten(load(ROOT / file).mechanism, relation)
    assert levels.exact
    return [(row.upward, row.downward) for row in levels.rows]


def equal(found: Expression | None, text: str) -> bool:
    return found is not None and (normal(found, HERE) - normal(parse(text), HERE)).is_zero


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("file", "up", "least_ratio"),
    [
        ("geometric-count-u-3-2", "3/2", "7/8"),
        ("geometric-count-u-2", "2", "3/4"),
        ("geometric-count-u-3", "3", "1/2"),
        ("geometric-count-u-4", "4", "1/4"),
        ("laplace-count-u-2", "2", "3/4"),
    ],
)
def test_both_directions_are_exact_for_T_4(file: str, up: str, least_ratio: str) -> None:
    ((upward, downward),) = losses(f"paper/sample-mechanism-{file}.toml")
    assert equal(upward, f"log({up})") and equal(downward, f"-log({least_ratio})")


@pytest.mark.sweep(0)
def test_two_demands_have_their_own_losses() -> None:
    first, second = losses("paper/sample-mechanism-geometric-count-two-demands.toml")
    assert equal(first[0], "log(3/2)") and equal(first[1], "-log(7/8)")
    assert equal(second[0], "log(2)") and equal(second[1], "-log(3/4)")


def test_the_benchmark_with_threshold_log_3() -> None:
    ((upward, downward),) = losses("public/sample-by-public-threshold-then-count.toml")
    assert equal(upward, "log(2)") and equal(downward, "log(3/2)")


def test_both_directions_as_functions_of_u_and_T() -> None:
    """log(u) and -log(1 + 1/T - u/T), compared at exact values of u and T."""
    ((upward, downward),) = losses(
        "paper/sample-mechanism-geometric-count-every-u-and-t-two-records.toml", "add-remove"
    )
    for u, T in (
        (Fraction(3, 2), Fraction(4)),
        (Fraction(2), Fraction(3)),
        (Fraction(11, 10), Fraction(7, 2)),
        (Fraction(5), Fraction(5)),
    ):
        here = HERE.given(normal(parse(f"u - {u}"), HERE).num, "=").given(
            normal(parse(f"T - {T}"), HERE).num, "="
        )
        for found, ratio in ((upward, u), (downward, 1 / (1 + 1 / T - u / T))):
            assert (
                found is not None
                and (normal(found, here) - normal(parse(f"log({ratio})"), HERE)).is_zero
            )


# (t, demand, (exp(min(demand, t)) - 1)/(exp(t) - 1)) as the notes have them, computed there with
# another program
PROBABILITIES = (
    ("1/10", "1/100", 0.095560324736722),
    ("1/10", "1/2", 1.0),
    ("1", "1/100", 0.0058489631431306),
    ("1", "1/10", 0.061207024560089),
    ("1", "1/2", 0.37754066879815),
    ("1", "2", 1.0),
    ("1/2", "1/10", 0.16212034786857),
    ("1/2", "1/4", 0.4378234991142),
    ("2", "1/10", 0.016461104183019),
    ("2", "1/2", 0.10153632409155),
    ("2", "1", 0.26894142137),
)


@pytest.mark.parametrize(("t", "demand", "keep"), PROBABILITIES)
def test_the_sampling_probability_shows_in_the_law(t: str, demand: str, keep: float) -> None:
    """One record: y >= 1 has probability keep * T/(T + 1) + (1 - keep)/(T + 1), so it tells
    keep.
    """
    claim = load(ROOT / "paper/sample-mechanism-geometric-count-two-records.toml").claims[0]
    example = Counterexample(
        (("a", parse(demand)), ("t", parse(t))), (), (number(1),), (number(0),), Event()
    )
    law, atoms = law_at(claim, example, example.first)
    points = (("y", (number(0), number(1))),)
    found = middle(
        event_probability(
            law, atoms, claim.mechanism.outputs, Event(intervals=(("y", number(1), None),)), points
        )
    )
    T = math.exp(Fraction(t))
    assert math.isclose((found * (T + 1) - 1) / (T - 1), keep, rel_tol=1e-9)


def middle(r: Ratio) -> float:
    low, high = enclose(r + constant(0))
    return float((low + high) / 2)
