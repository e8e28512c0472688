"""Refutations of post-processings that are not one-to-one: the events on what is released have the
probabilities that sums over a fine grid give them.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.counterexample import ImageCounterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import Composite, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.floating_point import float_function
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Unknown

PEOPLE = Domain([(1, 1)])
LAPLACE = parse("exp(-abs(s - size))/2", "density")
GEOMETRIC = parse("(exp(1) - 1)/(exp(1) + 1)*exp(-abs(s - size))", "density")
HALF, AT_LEVEL = parse("99/100", "level"), number(1)


def processed(formula: str, level: object = HALF, whole: bool = False) -> CompositeClaim:
    """The claim that a formula of a noisy count is add-remove DP at a level."""
    law, output = (GEOMETRIC, integer("s")) if whole else (LAPLACE, real("s"))
    count = Mechanism(PEOPLE, outputs=[output], density=law, name="noisy count")
    rule = Composite(
        "post_process",
        [Claim(count, "add-remove", number(1))],
        formulas=[parse(formula, "formula")],
        released=[real("k")],
        name="formula of a noisy count",
    )
    return CompositeClaim(rule, "add-remove", parse(str(level), "level"))


def probability(formula: str, image: Event, size: int, whole: bool) -> float:
    """The probability of the image, as a sum over a grid."""
    ((_, low, high),) = image.intervals
    f, step = float_function(parse(formula, "formula")), 1.0 if whole else 1 / 1024
    scale = (math.e - 1) / (math.e + 1) if whole else 0.5
    total = 0.0
    for i in range(-40 if whole else -40 * 1024, 41 if whole else 40 * 1024):
        s = i if whole else (i + 0.5) * step
        value = f({"s": s})
        ends = [None if e is None else float(e.args[0]) for e in (low, high)]
        if (ends[0] is None or ends[0] <= value) and (ends[1] is None or value < ends[1]):
            total += step * scale * math.exp(-abs(s - size))
    return total


@pytest.mark.parametrize(
    ("formula", "whole"),
    [
        ("2*sign(s)*floor(abs(s)/2)", False),  # P2-13 of the second set of cases
        ("floor(s)", False),
        ("floor(s + 1/2)", False),
        ("min(max(s, 0), 5)", False),
        ("abs(s)", False),
        ("piecewise((1, s > 3), (0, true))", False),
        ("min(abs(s), 5)", True),
        ("floor(s/3)", True),
    ],
)
def test_a_hundredth_lower_is_refuted_by_an_event_on_what_is_released(
    formula: str, whole: bool
) -> None:
    assert isinstance(verify(processed(formula, AT_LEVEL, whole)), Proved)
    found = verify(processed(formula, HALF, whole), limits=Limits(seconds=20))
    assert isinstance(found, Refuted) and isinstance(found.of, ImageCounterexample)
    example = found.counterexample
    sizes = [int(side[0].args[0]) for side in (example.first, example.second)]
    for size, exact in zip(sizes, (found.first_probability, found.second_probability), strict=True):
        low, high = map(float, enclose(exact))
        assert probability(formula, found.of.image, size, whole) == pytest.approx(
            (low + high) / 2, rel=2e-3
        )
    assert f"event {found.of.image} (up to probability 0, {example.event})" in str(found)


def test_what_releases_nothing_is_not_refuted() -> None:
    assert isinstance(verify(processed("0*s + 3", HALF), limits=Limits(seconds=10)), Unknown)


def test_an_event_that_is_no_preimage_is_refused() -> None:
    claim = processed("min(max(s, 0), 5)")
    found = verify(claim)
    assert isinstance(found, Refuted) and isinstance(found.of, ImageCounterexample)
    of = found.of

    def tried(changed: ImageCounterexample) -> str:
        with pytest.raises(Rejected) as refused:
            refute(claim, changed)
        return str(refused.value)

    inner = of.counterexample
    assert inner.event.intervals == (("s", number(1), None),)
    other = replace(inner, event=Event(intervals=(("s", number(2), None),)))
    assert "not the preimage" in tried(replace(of, counterexample=other))
    for low in (number(0), number(2)):
        assert tried(replace(of, image=Event(intervals=(("k", low, None),))))
    assert "constants" in tried(
        replace(of, image=Event(intervals=(("k", parse("s", "end"), None),)))
    )
    assert "constants" in tried(replace(of, image=Event(intervals=(("s", number(1), None),))))
    atoms = Event(intervals=(("k", number(1), None),), atoms=(number(9),))
    assert "intervals only" in tried(replace(of, image=atoms))
