"""Requirements on lines and half-lines that are > 0 by a margin: proved, and left open where mpmath
finds a negative value or a zero.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from mpmath import exp, linspace, mpf, pi, sqrt

from ahdp_verify import Limits
from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.certificate import CaseSplit
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.rules.inequalities import check_sign
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.proving.tails import (
    Tail,
    is_bounded,
    prove_tail,
    prove_with_tails,
    shares_at,
)

# formula, the same for mpmath, what is known, and the range of values that are tried
Case = tuple[str, Callable[[mpf], mpf], str, tuple[int, int]]
CASES: tuple[Case, ...] = (
    ("17/4 - pi*x^3*exp(-x)", lambda x: mpf(17) / 4 - pi * x**3 * exp(-x), "0 <= x", (0, 40)),
    ("21/5 - pi*x^3*exp(-x)", lambda x: mpf(21) / 5 - pi * x**3 * exp(-x), "0 <= x", (0, 40)),
    ("x^2/pi - x + 4/5", lambda x: x**2 / pi - x + mpf(4) / 5, "true", (-40, 40)),
    ("x^2/pi - x + 3/4", lambda x: x**2 / pi - x + mpf(3) / 4, "true", (-40, 40)),
    (
        "pi - x*exp(-x^2/2) + exp(x - x^2)",
        lambda x: pi - x * exp(-(x**2) / 2) + exp(x - x**2),
        "true",
        (-40, 40),
    ),
    (
        "pi*exp(x) + x^3 + 40",
        lambda x: pi * exp(x) + x**3 + 40,
        "x >= -3",
        (-3, 40),
    ),
    (
        "sqrt(2)*x^4 - x^3*exp(x) + 1",
        lambda x: sqrt(2) * x**4 - x**3 * exp(x) + 1,
        "x <= 0",
        (-40, 0),
    ),
    (  # terms of equal growth: one falls to its share, the other rises to it
        "3 - (2 + x^2)^(3/2)*(5 + (x - 1)^2)^(-3/2)",
        lambda x: 3 - (2 + x * x) ** mpf(1.5) / (5 + (x - 1) ** 2) ** mpf(1.5),
        "5 + (x - 1)^2 > 0",
        (-40, 40),
    ),
    (
        "pi*(2 + x^2)^(-3/2) + x^2*(7 + (x - 3)^2)^(-5/2) - exp(-x^2/2)/99",
        lambda x: (
            pi * (2 + x * x) ** mpf(-1.5)
            + x * x * (7 + (x - 3) ** 2) ** mpf(-2.5)
            - exp(-x * x / 2) / 99
        ),
        "7 + (x - 3)^2 > 0",
        (-40, 40),
    ),
    ("sqrt(2)*x^4 + 9*x^3 + 1", lambda x: sqrt(2) * x**4 + 9 * x**3 + 1, "x <= 0", (-40, 0)),
)


@pytest.mark.parametrize(("text", "at", "condition", "ends"), CASES, ids=[c[0] for c in CASES])
@pytest.mark.parametrize("relation", [">=", ">"])
def test_what_is_positive_by_a_margin_is_proved_and_nothing_else(
    text: str, at: Callable[[mpf], mpf], condition: str, ends: tuple[int, int], relation: str
) -> None:
    here = assume_condition(parse(condition), Context.empty())
    p = normal(parse(text), here)
    found = prove_with_tails(p.num, relation, here, Limits().clock())
    assert (found is not None) is (min(map(at, linspace(*ends, 8001))) > 0)
    if found is not None:
        check_sign(p, relation, found, here)


@pytest.mark.parametrize(
    ("condition", "sides"), [("x > 1", [1]), ("x <= 1", [-1]), ("true", [1, -1])]
)
def test_the_cuts_are_on_the_sides_that_are_open(condition: str, sides: list[int]) -> None:
    here = assume_condition(parse(condition), Context.empty())
    assert [s for s in (1, -1) if not is_bounded("x", s, here)] == sides
    found = prove_with_tails(normal(parse("pi + x^2"), here).num, ">", here, Limits().clock())
    guards = []
    while isinstance(found, CaseSplit):
        guards.append(str(found.guard)[0] != "-" and str(found.guard).count("-x") == 0)
        found = found.cases[1][1]  # type: ignore[assignment]
    assert guards == [side == 1 for side in sides]


@pytest.mark.parametrize("condition", ["0 <= x and x <= 1", "x == 2", "0 <= x and 0 <= y"])
def test_bounded_names_and_several_names_are_left_to_others(condition: str) -> None:
    here = assume_condition(parse(condition), Context.empty())
    text = "pi + x*y" if "y" in condition else "pi + x"
    assert prove_with_tails(normal(parse(text), here).num, ">=", here, Limits().clock()) is None


@pytest.mark.parametrize("side", [1, -1])
def test_the_dominant_term_outgrows_the_others(side: int) -> None:
    p = normal(parse("exp(x) - x^5 + pi*x^2*exp(x) - 3"), Context.empty()).num
    tail = Tail.of(p, "x", side)
    size = 200 * side
    values = {m: abs(_value(str(m), size)) for m in tail.terms}
    assert max(values, key=lambda m: values[m]) == tail.dominant


def _value(monomial: str, x: int) -> mpf:
    """A monomial such as exp(x)*x^(2), read by Python."""
    return mpf(eval(monomial.replace("^", "**") or "1", {"exp": exp, "x": mpf(x)}))


def test_shares_add_up_to_less_than_the_dominant_term() -> None:
    here = Context.empty()
    tail = Tail.of(normal(parse("x^4 - pi*x^3 - 2*x"), here).num, "x", 1)
    assert shares_at(tail, 2) is None
    found = shares_at(tail, 8)
    assert found is not None
    exact = {3: (pi, pi / 8), 1: (mpf(2), mpf(2) / 512)}
    for m, share in found.items():
        power = 3 if "3" in str(m) else 1
        for mine, true in zip((share.size, share.part), exact[power], strict=True):
            assert true <= _mpf(mine) < true * mpf("1.001")


def _mpf(q: Fraction) -> mpf:
    return mpf(q.numerator) / q.denominator


def test_a_tail_whose_dominant_term_is_negative_is_not_found() -> None:
    tail = Tail.of(normal(parse("pi*x - x^2"), Context.empty()).num, "x", 1)
    with pytest.raises(Unsupported):
        prove_tail(tail, ">=", Context.empty())
