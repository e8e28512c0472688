"""Peaks of losses that are not linear between the points, and the least levels that they give.

The expected values are the closed forms of the largest log-likelihood ratio, computed by hand: for
Cauchy noise of scale g moved by d it is 2 asinh(d/(2 g)), for Student's noise with n degrees of
freedom (n + 1) asinh(d/(2 g sqrt(n))), for logistic noise d/g; or the largest value on a grid.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import oo, substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.loss.curved_peaks import (
    conjugate,
    curved_peaks,
    is_curved,
    lies_inside,
    quadratic_roots,
    tidy,
)

EMPTY = Context.empty()
S = real("s")


def near(r: object) -> float:
    low, high = enclose(r)  # type: ignore[arg-type]
    return float((low + high) / 2)


def largest(p: str, q: str, low: str | None = None, high: str | None = None) -> float:
    """The largest of the peaks."""
    ends = tuple(None if e is None else normal(parse(e), EMPTY) for e in (low, high))
    found = curved_peaks((Dominated(parse(p)), Dominating(parse(q))), S, (ends[0], ends[1]), EMPTY)
    return max(math.inf if peak.value is None else near(peak.value) for peak in found)


@pytest.mark.parametrize(
    ("law", "shift", "expected"),
    [
        ("1/(1 + (s - v)^2)", "1", 2 * math.asinh(1 / 2)),
        ("1/(1 + (s - v)^2)", "5/2", 2 * math.asinh(5 / 4)),
        ("3/(9 + (s - v)^2)", "1", 2 * math.asinh(1 / 6)),
        ("(1 + (s - v)^2/3)^(-2)", "1", 4 * math.asinh(1 / (2 * math.sqrt(3)))),
        ("(2 + (s - v)^2)^(-3/2)", "1", 3 * math.asinh(1 / (2 * math.sqrt(2)))),
        ("exp(-(s - v))/(1 + exp(-(s - v)))^2", "2", 2.0),
        ("1/(exp(s - v) + exp(v - s))", "3", 3.0),
    ],
)
def test_the_largest_peak_is_the_largest_loss(law: str, shift: str, expected: float) -> None:
    moved = str(substitute(parse(law), {"v": parse(shift)}))
    assert largest(law.replace("v", "0"), moved) == pytest.approx(expected, abs=1e-12)
    assert largest(moved, law.replace("v", "0")) == pytest.approx(expected, abs=1e-12)


def test_a_peak_without_a_closed_form_is_a_rational_number_just_below() -> None:
    p, q = (
        f"exp(-abs(s - {v}))/4 + 1/(2*pi*(1 + (s - {v})^2))".replace("abs(s - 0)", "(0 - s)")
        for v in (0, 1)
    )
    p, q = p.replace("abs(s - 1)", "(1 - s)"), q.replace("abs(s - 1)", "(1 - s)")
    here = EMPTY.given((constant(0) - normal(parse("s"), EMPTY)).num, ">")
    ends = None, constant(0)
    peaks = list(curved_peaks((Dominated(parse(p)), Dominating(parse(q))), S, ends, here))
    (found,) = [peak.value for peak in peaks if peak.rounded]
    assert found is not None and found.as_rational is not None

    def loss(s: float) -> float:
        below, above = (
            math.exp(-abs(s - v)) / 4 + 1 / (2 * math.pi * (1 + (s - v) ** 2)) for v in (0, 1)
        )
        return math.log(below / above)

    best = max(loss(-k / 10000) for k in range(1, 40000))
    assert 0 <= best + 1e-9 - float(found.as_rational) < 1e-8


def test_unbounded_losses_have_no_value() -> None:
    assert largest("exp(-s^2)/(1 + s^2)", "exp(-s^2 - s)/(1 + s^2)^2") == math.inf


def test_roots_outside_a_piece_are_no_peaks() -> None:
    assert not lies_inside(constant(2), (constant(0), constant(1)), EMPTY)
    assert lies_inside(constant(Fraction(1, 2)), (constant(0), None), EMPTY)
    with pytest.raises(Unsupported):
        lies_inside(normal(parse("a"), EMPTY), (constant(0), None), EMPTY)
    beyond = EMPTY.given(normal(parse("a - 1"), EMPTY).num, ">")
    assert lies_inside(normal(parse("a"), EMPTY), (constant(0), None), beyond)
    assert not lies_inside(normal(parse("-a"), EMPTY), (constant(0), None), beyond)


def test_quadratic_roots() -> None:
    roots = quadratic_roots([constant(-1), constant(-1), constant(1)], EMPTY)
    assert sorted(map(near, roots)) == pytest.approx(
        [(1 - math.sqrt(5)) / 2, (1 + math.sqrt(5)) / 2]
    )
    assert quadratic_roots([constant(1), constant(0), constant(1)], EMPTY) == []


def test_divisors_of_roots_are_made_rational() -> None:
    r = normal(parse("1/(1 + sqrt(5))"), EMPTY)
    assert not tidy(r, EMPTY).den and near(tidy(r, EMPTY)) == pytest.approx(1 / (1 + math.sqrt(5)))
    here = EMPTY.given(normal(parse("x"), EMPTY).num, ">")
    f = normal(parse("x + sqrt(x^2 + 4)"), here).num
    other = conjugate(f)
    assert other is not None and f + other == normal(parse("2*x"), here).num


def test_powers_and_functions_curve_a_law() -> None:
    assert is_curved(parse("1/(1 + s^2)"), S) and is_curved(parse("1 + sin(s)"), S)
    assert not is_curved(parse("exp(-abs(s - a))*b^2"), S)


@pytest.mark.parametrize(
    ("law", "level"),
    [
        ("1/(pi*(1 + (s - sum(x))^2))", "log((3 + sqrt(5))/2)"),
        ("exp(-(s - sum(x)))/(1 + exp(-(s - sum(x))))^2", "1"),
        ("2/(pi*sqrt(3))/(1 + (s - sum(x))^2/3)^2", "2*log((7 + sqrt(13))/6)"),
    ],
)
def test_least_levels_of_smooth_noise_are_exact(law: str, level: str) -> None:
    m = Mechanism(Domain([(1, 1)]), outputs=[S], density=parse(law), name="noise")
    (row,) = tighten(m, "add-remove").rows
    assert row.exact and row.level is not None
    assert near(normal(row.level, EMPTY) - normal(parse(level), EMPTY)) == pytest.approx(
        0, abs=1e-15
    )


def test_gaussian_noise_has_no_level() -> None:
    law = parse("exp(-(s - v)^2/2)/sqrt(2*pi)")
    m = Mechanism(Values(["0", "1"]), outputs=[S], density=law, name="Gaussian noise")
    assert all(row.level == oo and "without bound" in row.reason for row in tighten(m, "any").rows)


def test_a_level_without_a_closed_form_is_enclosed() -> None:
    """Within 10^-12, around the largest value on a grid."""
    inner = "v*(1 + cos(pi*s))/4 + v*(s + 1)/16 + (1/2 - 5/16*v)"
    law = f"piecewise(({inner}, -1 <= s and s <= 1), (0, true))"
    m = Mechanism(Values(["0", "1"]), outputs=[S], density=parse(law), name="wave on a slope")
    row = tighten(m, "any").rows[1]
    assert row.level is not None and row.bounds.kind == "between"
    ends = row.bounds.low, row.bounds.high
    low, high = (None if e is None else normal(e, EMPTY).as_rational for e in ends)
    assert low is not None and high is not None and 0 < high - low <= Fraction(1, 10**12)

    def loss(s: float) -> float:
        return math.log((1 + math.cos(math.pi * s)) / 2 + (s + 1) / 8 + 3 / 8)

    assert max(loss(k / 10**5) for k in range(-(10**5), 10**5)) == pytest.approx(
        float(low), abs=1e-9
    )
