"""proofs/recheck on claims about noise programs: alignments, and exact probabilities of outputs.

The small records come from checks/noise.py.  Probabilities are compared with closed forms, with
sums over whole numbers and with integrals in floating point; that the two checkers agree on changed
evidence is a test of both, since they share no code.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recheck import forms, integrals, records
from recheck.forms import UNIT, Form, constant, exp_of
from recheck.integrals import Bound, bound_of, probability
from recheck.limits import NotCovered
from recheck.runs import Noise
from scipy import integrate

from ahdp_verify.files import records as storage
from ahdp_verify.kernel.errors import AhdpError

sys.path.append(str(Path(__file__).resolve().parents[2] / "checks"))

import noise
from forge import sealed

Record = dict[str, Any]
TRUE = [*noise.proofs(), *noise.refutations()]
FORGED = [*noise.meaningless(), *noise.misaligned(), *noise.unlike()]
BEYOND_THE_KERNEL = 5  # refutations whose probabilities only this checker can compute


@pytest.fixture(autouse=True)
def new_record() -> None:
    """Every test starts like a record, without the forms of the one before."""
    forms.forget()
    integrals.forget()


def answers(record: Record, place: Path) -> tuple[str, str]:
    """What the package's checker and this one say of a record."""
    place.write_text(json.dumps(record))
    try:
        storage.recheck(place)
        first = "accepted"
    except AhdpError:
        first = "rejected"
    return first, records.check_file(place, 60).verdict


@pytest.mark.parametrize("record", TRUE, ids=lambda r: r["fingerprint"][:6])
def test_both_checkers_accept_true_records(record: Record, tmp_path: Path) -> None:
    assert answers(record, tmp_path / "r.json") == ("accepted", "accepted")


def test_both_checkers_refuse_forged_records(tmp_path: Path) -> None:
    found = [answers(record, tmp_path / "r.json") for record in FORGED]
    assert len(FORGED) > 300 and {first for first, _ in found} == {"rejected"}
    verdicts = Counter(second for _, second in found)
    assert verdicts.pop("accepted") == BEYOND_THE_KERNEL
    assert set(verdicts) == {"rejected", "not covered"}


def numbers(data: Any) -> Iterator[dict[str, str]]:
    """All rational numbers and whole factors in a piece of evidence."""
    if isinstance(data, dict):
        if set(data) == {"q"}:
            yield data
        data = list(data.values())
    for part in data if isinstance(data, list) else ():
        yield from numbers(part)


def changed(record: Record) -> Iterator[Record]:
    """The record with one number in its evidence a little off."""
    part = "certificate" if record["verdict"] == "proved" else "counterexample"
    for i, step in itertools.product(range(len(list(numbers(record[part])))), ("1/7", "-1")):
        new = copy.deepcopy(record)
        at = list(numbers(new[part]))[i]
        at["q"] = str(Fraction(at["q"]) + Fraction(step))
        yield sealed(new)


def test_both_checkers_agree_on_every_changed_number(tmp_path: Path) -> None:
    """What they accept is a true claim all the same: the claim is not changed."""
    found = [answers(new, tmp_path / "r.json") for record in TRUE for new in changed(record)]
    assert len(found) > 250 and all(first == second for first, second in found)
    assert sum(first == "rejected" for first, _ in found) > len(found) // 2


# exact probabilities


def drawn(law: str, *scales: int | Fraction) -> dict[str, Noise]:
    return {f"x{i}": Noise(f"x{i}", law, constant(b)) for i, b in enumerate(scales)}


def row(shift: int | Fraction, *slopes: int, strict: bool = False) -> Bound:
    return bound_of({f"x{i}": c for i, c in enumerate(slopes)}, shift, strict)


def value(p: Form) -> float:
    (low, e), (high, f) = forms.enclosed(p)
    ends = Fraction(low) * Fraction(2) ** e, Fraction(high) * Fraction(2) ** f
    assert ends[1] - ends[0] < Fraction(1, 10**30)
    return float(ends[0])


def exponential(c: int | Fraction, rate: int | Fraction) -> Form:
    """c exp(rate)."""
    return exp_of(constant(rate)).scaled(c)


@pytest.mark.parametrize("t", [0, 1, Fraction(5, 2)])
def test_the_tail_of_a_sum_of_two_laplace_noises(t: int | Fraction) -> None:
    # P[X + Y >= t] = (2 + t)/4 exp(-t) for t >= 0 and scale 1 (convolution of the densities)
    found = probability(drawn("laplace", 1, 1), [row(-t, 1, 1)])
    assert found == exponential((2 + Fraction(t)) / 4, -t)


def test_the_race_of_two_exponential_noises() -> None:
    # P[X >= Y + t] = a/(a + b) exp(-t/a) for scales a, b and t >= 0
    found = probability(drawn("exponential", 2, 3), [row(-1, 1, -1)])
    assert found == exponential(Fraction(2, 5), Fraction(-1, 2))


def test_the_greatest_of_three_is_each_of_them_once() -> None:
    for law in ("laplace", "exponential"):
        noises = drawn(law, 2, 2, 2)
        assert probability(noises, [row(0, 1, -1, 0), row(0, 1, 0, -1)]) == constant(Fraction(1, 3))


def test_ties_of_whole_numbers_belong_to_one_of_the_winners() -> None:
    noises = drawn("geometric", 1, 1, 2)
    first = [row(0, 1, -1, 0), row(0, 1, 0, -1)]
    second = [row(0, -1, 1, 0, strict=True), row(0, 0, 1, -1)]
    third = [row(0, -1, 0, 1, strict=True), row(0, 0, -1, 1, strict=True)]
    total = sum(value(probability(noises, rows)) for rows in (first, second, third))
    assert total == pytest.approx(1, abs=1e-14)


CASES: list[tuple[tuple[int, ...], list[tuple[Fraction, tuple[int, ...], bool]]]] = [
    ((1, 2), [(Fraction(1, 2), (1, 1), False)]),
    ((1, 2), [(Fraction(0), (1, -1), True), (Fraction(3), (0, 1), False)]),
    ((2, 1), [(Fraction(1), (1, -1), False), (Fraction(-1), (1, 1), True)]),
    ((1, 1, 2), [(Fraction(0), (1, -1, 0), True), (Fraction(2), (0, 1, -1), False)]),
    ((1, 1, 1), [(Fraction(1), (1, 1, 1), True), (Fraction(2), (0, 0, -1), False)]),
]


@pytest.mark.parametrize(("scales", "rows"), CASES)
def test_probabilities_of_whole_numbers_are_those_of_a_sum(
    scales: tuple[int, ...], rows: list[tuple[Fraction, tuple[int, ...], bool]]
) -> None:
    reach = np.arange(-45, 46) if len(scales) > 2 else np.arange(-90, 91)
    grid = np.meshgrid(*[reach] * len(scales), indexing="ij")
    weights = np.ones(grid[0].shape)
    for k, b in zip(grid, scales, strict=True):
        y = math.exp(-1 / b)
        weights *= (1 - y) / (1 + y) * y ** abs(k)
    for h, c, strict in rows:
        s = sum(slope * k for slope, k in zip(c, grid, strict=True)) + float(h)
        weights[~(s > 0 if strict else s >= 0)] = 0
    bounds = [row(h, *c, strict=strict) for h, c, strict in rows]
    assert value(probability(drawn("geometric", *scales), bounds)) == pytest.approx(
        weights.sum(), abs=1e-9
    )


def test_comparisons_that_form_a_cycle_are_integrated() -> None:
    """x + y >= 1/2 and |x - y| <= 1, against an integral in floating point."""
    bounds = [row(Fraction(-1, 2), 1, 1), row(1, 1, -1), row(1, -1, 1)]
    found = value(probability(drawn("laplace", 1, 2), bounds))

    def density(y: float, x: float) -> float:
        return math.exp(-abs(x) - abs(y) / 2) / 8

    wanted = 0.0
    for low, high in ((-0.25, 0), (0, 0.5), (0.5, 0.75), (0.75, 1), (1, 40)):
        for side in ((-math.inf, 0.0), (0.0, math.inf)):
            part, _ = integrate.dblquad(
                density,
                low,
                high,
                lambda x, side=side: min(max(0.5 - x, x - 1, side[0]), side[1]),
                lambda x, side=side: max(
                    min(x + 1, side[1]), min(max(0.5 - x, x - 1, side[0]), side[1])
                ),
            )
            wanted += part
    assert found == pytest.approx(wanted, abs=1e-7)


def test_what_cannot_be_integrated_is_not_covered() -> None:
    for noises in (
        drawn("gumbel", 1),
        drawn("gaussian", 1),
        {"x0": Noise("x0", "laplace", exp_of(UNIT))},
    ):
        with pytest.raises(NotCovered):
            probability(noises, [row(0, 1)])
    assert probability(drawn("gumbel", 1), []) == UNIT


@pytest.mark.parametrize(("queries", "loss"), [(10, 0.420032), (20, 0.876290)])
def test_the_loss_of_sparse_vector_that_never_stops(queries: int, loss: float) -> None:
    """Item M22 of the corpus: threshold 1, all noise of scale 2/eps at eps = 1/10; half of the
    answers are below and half above, and all move towards the other side by 1.
    """
    keys = [f"x{i}" for i in range(queries)]
    noises = {key: Noise(key, "laplace", constant(20)) for key in ("rho", *keys)}

    def chance(low: int, high: int) -> float:
        sides = [(1, high) if i < queries // 2 else (-1, low) for i in range(queries)]
        pairs = zip(keys, sides, strict=True)
        return value(
            probability(
                noises, [bound_of({"rho": s, key: -s}, s * (1 - q), s > 0) for key, (s, q) in pairs]
            )
        )

    assert math.log(chance(1, 1) / chance(0, 2)) == pytest.approx(loss, abs=1e-6)
