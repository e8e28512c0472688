"""Several independent normal outputs: delta against SciPy's distribution function of N(0, 1)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, hypot

import pytest
from scipy.stats import multivariate_normal, norm

from ahdp_verify import Mechanism, Queries, Values, delta, dp, real, recheck, verify
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.events import event_probability
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved

S, T = real("s"), real("t")
PLANE = "exp(-(s - {a})^2/(2*{v}))*exp(-(t - {b})^2/(2*{w}))/(2*pi*sqrt({v}*{w}))"


def least_delta(level: float, mu: float) -> float:
    """That of N(0, 1) against N(mu, 1) (Balle, Wang 2018, theorem 8)."""
    up, down = mu / 2 - level / mu, -mu / 2 - level / mu
    return float(norm.cdf(up) - exp(level) * norm.cdf(down))


def two(v: str, w: str, inputs: object = None, a: str = "q[1]", b: str = "q[2]") -> Mechanism:
    law = parse(PLANE.format(a=a, b=b, v=v, w=w))
    return Mechanism(inputs or Queries(2), outputs=[S, T], density=law, name="two normal outputs")


@pytest.mark.parametrize(("v", "w"), [("1", "1"), ("1", "4"), ("1/4", "9")])
@pytest.mark.parametrize("level", ["1/2", "1", "2"])
def test_the_least_delta_is_that_of_one_output(v: str, w: str, level: str) -> None:
    mu = hypot(*(1 / float(Fraction(x)) ** 0.5 for x in (v, w)))
    found = delta(two(v, w), level, relation="all")
    assert found.exact and isinstance(found.proof, Proved) and isinstance(found.refutation, Refuted)
    assert float(enclose(normal(found.high, Context.empty()))[0]) == pytest.approx(
        least_delta(float(Fraction(level)), mu), abs=1e-12
    )


def test_a_claim_is_proved_above_and_refuted_below(tmp_path: object) -> None:
    m, least = two("1", "1"), least_delta(1, 2**0.5)
    above, below = Fraction(least + 1e-6), Fraction(least - 1e-6)
    shown = verify(dp(m, 1, "all", delta=above))
    assert isinstance(shown, Proved)
    refuted = verify(dp(m, 1, "all", delta=below))
    assert isinstance(refuted, Refuted) and "event t" in str(refuted)
    for verdict in (shown, refuted):
        verdict.save(f"{tmp_path}/record.json")
        assert str(recheck(f"{tmp_path}/record.json")) == str(verdict)


def test_a_pair_of_values_and_a_level_without_delta() -> None:
    m = two("1", "1", Values([0, 1]), "v", "2*v")
    assert delta(m, 1, relation="any").exact
    assert isinstance(verify(Claim(m, "any", parse("7"))), Refuted)


@pytest.mark.parametrize(
    ("low", "high", "gap", "share"),
    [
        ("2 - 3*s", None, lambda s, t: t + 3 * s - 2, norm.cdf((3 * 1 + 2 - 2) / 13**0.5)),
        (None, "s/2 + 1", lambda s, t: s / 2 + 1 - t, norm.cdf((1 / 2 + 1 - 2) / 4.25**0.5)),
        ("1", None, lambda s, t: t - 1, norm.cdf(1 / 2)),
    ],
)
def test_the_probability_of_a_half_space(
    low: str | None, high: str | None, gap: Callable[[float, float], float], share: float
) -> None:
    """s ~ N(1, 1) and t ~ N(2, 4): t + 3 s - 2 and s/2 + 1 - t are normal too."""
    law = two("1", "4", Values([0]), "1", "2").density
    ends = (None if low is None else parse(low), None if high is None else parse(high))
    event = Event(intervals=(("t", *ends),))
    found = event_probability(law, (), (S, T), event, ())
    assert float(enclose(found)[0]) == pytest.approx(share, abs=1e-12)
    draws = multivariate_normal([1, 2], [[1, 0], [0, 4]], seed=1).rvs(20_000)
    inside = [gap(*draw) >= 0 for draw in draws]
    assert sum(inside) / len(inside) == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("end", ["s^2", "1/(1 + s^2)", "abs(s)", "t*(1 + s - s^2)"])
def test_no_other_end_is_taken(end: str) -> None:
    law = two("1", "4", Values([0]), "1", "2").density
    event = Event(intervals=(("t", parse(end), None),))
    with pytest.raises((Unsupported, Undecided, Rejected)):
        event_probability(law, (), (S, T), event, ())
