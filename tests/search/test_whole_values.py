"""Laws on 0, ..., n for every n at once: a value that equals its floor is a whole number."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from ahdp_verify.kernel.errors import LawFault
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import integer
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.unknown import Unknown
from ahdp_verify.search.verify import verify

WHOLE = "0 <= v and v <= n and v == floor(v)"
RESPONSE = "piecewise((0, r < 0 or r > n), (1/q, r == v), (1, true))/(1/q + n)"
CLAMPED = (
    "q^abs(r - v)/(1 + q)*piecewise((0, r < 0 or r > n), (1, r == 0 or r == n), (1 - q, true))"
)


def claim(law: str, level: str, values: str = WHOLE, n: str = "n >= 1 and n == floor(n)") -> Claim:
    """About every n and every q, an odds ratio of less than 1."""
    mechanism = Mechanism(
        RealValues({"v": values}),
        outputs=[integer("r")],
        density=parse(law),
        parameters={"q": "0 < q and q < 1", "n": n},
    )
    return Claim(mechanism, "any", parse(level))


def response(n: int, q: Fraction, v: int) -> list[Fraction]:
    """Randomised response on 0, ..., n."""
    return [Fraction(1 if r != v else 1 / q) / (1 / q + n) for r in range(n + 1)]


def clamped(n: int, q: Fraction, v: int) -> list[Fraction]:
    """Two-sided geometric noise, all that falls outside of 0, ..., n put on the ends."""
    inside = [(1 - q) / (1 + q) * q ** abs(r - v) for r in range(n + 1)]
    below, above = q ** (v + 1) / (1 + q), q ** (n - v + 1) / (1 + q)
    return [inside[0] + below, *inside[1:-1], inside[-1] + above]


@pytest.mark.parametrize(
    ("law", "table", "level", "power"),
    [
        (RESPONSE, response, "log(1/q)", lambda n: 1),
        (CLAMPED, clamped, "n*log(1/q)", lambda n: n),
    ],
)
def test_every_size_at_once(law, table, level, power) -> None:  # type: ignore[no-untyped-def]
    """Tables of Fractions show the level to be the least one for n = 1, ..., 5."""
    q = Fraction(1, 3)
    for n in range(1, 6):
        rows = [table(n, q, v) for v in range(n + 1)]
        assert all(sum(row) == 1 for row in rows)
        worst = max(
            max(map(Fraction.__truediv__, a, b)) for a, b in itertools.permutations(rows, 2)
        )
        assert worst == (1 / q) ** power(n)
    assert verify(claim(law, level)).outcome == "proved"
    assert isinstance(verify(claim(law, f"99/100*{level}")), Refuted)


@pytest.mark.parametrize(
    ("law", "values", "n"),
    [
        (RESPONSE, "0 <= v and v <= n", "n >= 1 and n == floor(n)"),  # no output is 1/2
        (RESPONSE, "0 <= v and v <= n and 2*v == floor(2*v)", "n >= 1 and n == floor(n)"),
        (RESPONSE.replace("r > n)", "r >= n)"), WHOLE, "n >= 1 and n == floor(n)"),
        (CLAMPED.replace("(1 - q, true)", "(1, true)"), WHOLE, "n >= 1 and n == floor(n)"),
    ],
)
def test_a_total_that_is_not_1(law: str, values: str, n: str) -> None:
    """Too small at v = 1/2 and without the last output, too large at n = 2."""
    with pytest.raises(LawFault):
        verify(claim(law, "n*log(1/q)", values, n))


def test_a_number_of_outputs_that_need_not_be_whole() -> None:
    """At n = 3/2 there are 2 outputs, not n + 1 = 5/2."""
    found = verify(claim(RESPONSE, "log(1/q)", WHOLE, "n >= 1"))
    assert isinstance(found, Unknown)
    assert "n is not known to be an integer" in str(found)
