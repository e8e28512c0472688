"""Stored antiderivatives and iterated totals: wrong ones are refused by both checkers, and the
closed forms of proofs/recheck agree with sums and quadrature.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from recheck import forms
from recheck.closed_forms import power_total
from recheck.growth import limit
from recheck.limits import Rejected
from recheck.signs import Context
from recheck.trees import read

from ahdp_verify.files import records as storage
from ahdp_verify.kernel.errors import AhdpError
from tests.earlier_formats import sealed
from tests.recheck.asking import answer

STORED = Path(__file__).resolve().parents[2] / "proofs" / "public" / "certificates"
Change = Callable[[Any], None]


def mass_of(record: Any) -> Any:
    return record["certificate"]["mass"]


def with_antiderivative(tree: Any) -> Change:
    def change(record: Any) -> None:
        mass_of(record)["evidence"][0]["points"] = [{"e": tree}] if tree is not None else []

    return change


def with_values(i: int, tree: Any) -> Change:
    def change(record: Any) -> None:
        mass_of(record)["values"][i] = {"e": tree}

    return change


def with_density(factor: str) -> Change:
    def change(record: Any) -> None:
        m = record["claim"]["mechanism"]
        m["density"] = ["*", factor, m["density"]]

    return change


S, A = ["name", "s"], ["name", "@1"]
GAP = ["+", S, ["*", "-1", A]]
OVER_PI = ["^", ["pi"], "-1"]
Y1, Y2 = ["name", "y1"], ["name", "y2"]
CAUCHY: list[Change] = [
    with_antiderivative(None),
    with_antiderivative(["*", "2", ["atan", GAP], OVER_PI]),
    with_antiderivative(["*", ["atan", ["*", "2", GAP]], OVER_PI]),
    with_antiderivative(["*", "-1", ["atan", ["^", GAP, "-1"]], OVER_PI]),
    with_antiderivative(["*", ["abs", ["atan", GAP]], OVER_PI]),
    with_density("2"),
]
MIXTURE: list[Change] = [
    with_values(0, "2"),
    with_values(1, ["exp", ["*", "-1", ["abs", Y1]]]),
    with_values(1, ["+", ["*", "1/2", ["exp", ["*", "-1", ["abs", Y1]]]], Y2, ["*", "-1", Y2]]),
    with_values(0, ["+", "1", Y1, ["*", "-1", Y1]]),
    with_density("1/2"),
]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *(("cauchy-noise-sum-scale-1-1", c) for c in CAUCHY),
        *(("mixture-of-products-1", c) for c in MIXTURE),
    ],
)
def test_forged_totals_are_refused(name: str, change: Change, tmp_path: Path) -> None:
    """Without the change the record is accepted (tests/proofs)."""
    record = json.loads((STORED / f"{name}.json").read_text())
    forged = copy.deepcopy(record)
    change(forged)
    forged = sealed(forged)
    place = tmp_path / "forged.json"
    assert answer(forged, place)[0] == "rejected"
    place.write_text(json.dumps(forged))
    with pytest.raises(AhdpError):
        storage.recheck(place)


@pytest.mark.parametrize("kind", ["real", "integer"])
@pytest.mark.parametrize("rate", ["0", "-1/2", "2/3"])
@pytest.mark.parametrize("power", [0, 1, 2, 5])
def test_powers_times_exponentials(power: int, rate: str, kind: str) -> None:
    low, high, k = -2, 5, Fraction(rate)
    found = power_total(power, forms.constant(k), kind, (forms.constant(low), forms.constant(high)))
    bounds = [float(Fraction(m) * Fraction(2) ** e) for m, e in forms.enclosed(found)]

    def value(x: Any) -> Any:
        return x**power * mpmath.exp(x * mpmath.mpf(k.numerator) / k.denominator)

    whole = mpmath.fsum(value(x) for x in range(low, high))
    wanted = whole if kind == "integer" else mpmath.quad(value, [low, 0, high])
    assert all(abs(b - wanted) < 1e-8 * (1 + abs(wanted)) for b in bounds)


@pytest.mark.parametrize(
    ("tree", "low", "high"),
    [
        (["atan", S], ["*", "-1/2", ["pi"]], ["*", "1/2", ["pi"]]),
        (["*", ["erf", S], ["^", ["+", "1", ["exp", ["*", "-1", S]]], "-1"]], "0", "1"),
        (["*", S, ["exp", ["*", "-1", ["^", S, "2"]]]], "0", "0"),
        (["*", S, ["^", ["+", "2", ["^", S, "2"]], "-1/2"]], "-1", "1"),
    ],
)
def test_limits(tree: Any, low: Any, high: Any) -> None:
    here = Context().given(Context().form(read(["+", "2", ["^", S, "2"]])), ">")
    for side, wanted in ((-1, low), (1, high)):
        found = limit(here.form(read(tree)), "s", side, here)
        assert (found - here.form(read(wanted))).is_zero


LOG = ["log", ["+", "1", ["exp", S]]]  # grows like s


@pytest.mark.parametrize(
    "tree",
    [S, ["exp", S], ["*", S, ["atan", S]], ["sin", S], ["*", LOG, ["^", ["+", "1", S], "-1"]]],
)
def test_no_limit(tree: Any) -> None:
    here = Context().given(Context().form(read(S)), ">")
    with pytest.raises(Rejected):
        limit(here.form(read(tree)), "s", 1, here)


def test_the_limit_of_what_does_not_depend_on_the_name() -> None:
    tree, here = read(["exp", A]), Context()
    assert limit(here.form(tree), "s", 1, here) == here.form(tree)
