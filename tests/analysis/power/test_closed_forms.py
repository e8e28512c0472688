"""Closed forms of power against the figures of STATEMENTS O4, the formula of S2, and the
programme.
"""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from ahdp_verify import BadInput, Domain, NotWorkedOut, Proved, best_power, extra_records
from ahdp_verify.analysis.power import one_more_record
from ahdp_verify.analysis.power.closed_forms import (
    ball_bound,
    known_record_power,
    limit_bound,
    limit_power,
    one_record_power,
    one_value_power,
    swap_power,
)
from ahdp_verify.kernel.terms.expression import log, name, number, oo
from ahdp_verify.plots import float_value as value_near
from tests.minmax import SHARED, domain, exact

F = Fraction
# STATEMENTS O4: (k, eps): claim:1, claim:2 A2, claim:2 A1, exact limit
FEW = {
    (1, "0.5"): "1 0.62245933120185 0.39346934028737 0.24491866240371",
    (2, "0.5"): "0.62245933120185 0.45186276187761 0.15481812174618 0.059985151193622",
    (10, "0.5"): "0.15482809896025 0.14153667448865 8.8942426068131e-5 7.7663827348089e-7",
    (2, "5"): "0.99330714907572 0.98670329104227 0.98656950593159 0.97340777331684",
}


def figures() -> dict[tuple[int, str], str]:
    """All rows of O4, where they are present."""
    if not SHARED.is_file():
        return FEW
    text = SHARED.read_text().split("**O4.", 1)[1].split("**O5.", 1)[0]
    first, second = text.split("eps=0.5: ", 1)[1].split("\n\nk=2: ", 1)
    found = {
        (int(k), "0.5"): v
        for k, v in re.findall(r"k=(\d+): ([^;]+?)(?:;|\.$)", first, re.MULTILINE)
    }
    found |= {(2, eps): v for eps, v in re.findall(r"eps=([\d.]+): ([^;T]+?)(?:;|\. )", second)}
    return {key: " ".join(v.split(", ")) for key, v in found.items()}


def test_the_figures_are_read_as_they_are_stored() -> None:
    assert FEW.items() <= figures().items() and len(figures()) in (4, 9)


@pytest.mark.parametrize(
    ("k", "eps", "values"), [(k, eps, values) for (k, eps), values in figures().items()]
)
def test_the_figures_of_the_paper(k: int, eps: str, values: str) -> None:
    W = Domain([(i, eps) for i in range(k)])
    found = [swap_power(k, eps), one_record_power(W), limit_bound(W), limit_power(W)]
    assert list(map(value_near, found)) == pytest.approx(
        [float(v) for v in values.split()], rel=1e-12
    )


@pytest.mark.sweep(5)
@pytest.mark.parametrize("t", range(1, 13))
def test_the_optimum_for_one_value(t: int) -> None:
    """S2: (1 - q)/(1 + q - q^(floor(t/2) + 1) - q^(ceil(t/2) + 1)), for all q and on all
    datasets; and the programme says the same at one q.
    """
    claim, verdict = one_value_power(t)
    assert isinstance(verdict, Proved) and verdict.claim == claim and claim.bound == "="
    assert (
        verdict.scope_text == "mechanisms that are AHDP on all datasets, 0 < eps"
        and verdict.trusts == ()
    )
    for q in (F(1, 100), F(1, 3), F(1, 2), F(99, 100)):
        assert exact(claim.value, eps=log(number(1 / q))) == (1 - q) / (
            1 + q - q ** (t // 2 + 1) - q ** ((t + 1) // 2 + 1)
        )
    assert exact(best_power(domain("1/3"), extra_records(t)).value) == exact(
        claim.value, eps=log(3)
    )


@pytest.mark.parametrize(
    "qs", [("1/2",), ("1/2", "1/3"), ("1/100", "1/2", "9/10"), ("0", "1/2"), ("1", "1/3")]
)
def test_formulas_at_rational_q(qs: tuple[str, ...]) -> None:
    """claim:3, S1: products and sums of fractions."""
    numbers, W = [F(q) for q in qs], domain(*qs)
    limit, bound = F(1), F(1)
    for q in numbers:
        limit, bound = limit * (1 - q) / (1 + q), bound * (1 - q)
    assert (exact(limit_power(W)), exact(limit_bound(W)), exact(one_record_power(W))) == (
        limit,
        bound,
        1 / (1 + sum(numbers)),
    )
    assert exact(one_record_power(W)) == exact(best_power(W, extra_records(1)).value)
    assert limit <= exact(best_power(W, extra_records(4)).value)


def test_the_limit_comes_near() -> None:
    """S1: V_t decreases to 1/3 for one value with q = 1/2."""
    values = [
        exact(best_power(domain("1/2"), extra_records(t)).value) - F(1, 3) for t in (2, 6, 12, 20)
    ]
    assert values == sorted(values, reverse=True) and 0 < values[-1] < F(1, 1000)


def test_only_the_least_demand_of_a_value_counts() -> None:
    W = Domain([("a", log(5)), ("b", log(3)), ("a", log(2)), ("a", oo)])
    assert exact(limit_power(W)) == F(1, 3) * F(1, 2)
    assert exact(limit_power(Domain([("a", oo)]))) == 1


def test_swaps_and_known_records() -> None:
    assert (
        exact(swap_power(3, log(2)))
        == F(1, 2)
        == exact(best_power(domain("1/2", "1/2", "1/2"), one_more_record(), "swap").value)
    )
    assert (
        exact(known_record_power(log(2))),
        exact(known_record_power(oo)),
        exact(known_record_power(0)),
    ) == (F(2, 3), 1, F(1, 2))


def test_what_has_no_closed_form() -> None:
    for t in (0, -1, True, F(1, 2)):
        with pytest.raises(BadInput, match="leaves nothing"):
            one_value_power(t)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="is not a number of values"):
        swap_power(0, 1)
    with pytest.raises(NotWorkedOut, match="not known which of e and f is smaller"):
        limit_power(Domain([("a", name("e")), ("a", name("f"))]))


@pytest.mark.parametrize(
    ("qs", "t", "bound"),
    [
        (("1/10",) * 3, 2, "1000/1423"),
        (("1/4",) * 3, 2, "64/139"),
        (("1/3",) * 3, 3, "243/850"),  # O3 and S3
        (("1/2", "1/3"), 1, "6/11"),
        (("1/2", "1/3"), 2, "9/23"),
        (("0", "1/2"), 1, "2/3"),  # O2; for q = 0 the other value alone is left, with 1/(1 + 1/2)
        (("1/2",), 3, "4/9"),  # O1
    ],
)
def test_the_ball_bound(qs: tuple[str, ...], t: int, bound: str) -> None:
    assert exact(ball_bound(domain(*qs), t)) == F(bound)
