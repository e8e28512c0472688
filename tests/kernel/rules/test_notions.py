"""zCDP, Rényi DP and GDP against divergences that mpmath computes from the densities: nothing below
the true value is proved, nothing above it is refuted, and forged records are rejected by both
checkers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import pytest
from recheck import limits as recheck_limits
from recheck import records as standalone

import ahdp_verify.canonical_json as canonical_json
from ahdp_verify import (
    Domain,
    Mechanism,
    Proved,
    Queries,
    RefutedNotion,
    Unknown,
    Values,
    ahdp,
    assume,
    compose,
    dp,
    finite,
    gdp,
    post_process,
    real,
    renyi_dp,
    verify,
    zcdp,
)
from ahdp_verify.files.records import recheck_record
from ahdp_verify.kernel import checker
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence import certificate as ev
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.model.composite import Composite, CompositeClaim
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.stored import to_stored
from ahdp_verify.search.limits import Limits

LIMITS = Limits(seconds=20)
ORDERS = [Fraction(k, 8) for k in (9, 10, 12, 16, 20, 24, 32, 48, 64, 120)]


def table(rows: list[list[Fraction]]) -> Mechanism:
    """The mechanism with a row of probabilities for each value."""
    cells = [
        (str(p), f"v == {v} and r == {r}") for v, row in enumerate(rows) for r, p in enumerate(row)
    ]
    branches = ", ".join(f"({p}, {c})" for p, c in cells[:-1])
    law = parse(f"piecewise({branches}, ({cells[-1][0]}, true))")
    outputs = [finite("r", list(range(len(rows[0]))))]
    return Mechanism(Values(list(range(len(rows)))), outputs=outputs, density=law, name="table")


def mp(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def divergence(p: list[Fraction], q: list[Fraction], a: Fraction) -> Any:
    """The Rényi divergence of order a, by mpmath."""
    total = mpmath.fsum(mp(x) ** mp(a) * mp(y) ** mp(1 - a) for x, y in zip(p, q, strict=True))
    return mpmath.log(total) / mp(a - 1)


def worst(rows: list[list[Fraction]], a: Fraction) -> Any:
    """The largest divergence over pairs of rows."""
    return max(divergence(p, q, a) for p, q in itertools.permutations(rows, 2))


def random_rows(draw: Random, values: int, outcomes: int) -> list[list[Fraction]]:
    rows = []
    for _ in range(values):
        weights = [draw.randint(1, 9) for _ in range(outcomes)]
        rows.append([Fraction(w, sum(weights)) for w in weights])
    return rows


def checked_twice(verdict: Any) -> None:
    """Both checkers accept the record, and read the same claim in it."""
    record = verdict.to_json()
    assert str(recheck_record(record, "here")) == str(verdict)
    recheck_limits.CLOCK.start(0)
    assert standalone.check_record(record).verdict == standalone.ACCEPTED


@pytest.mark.parametrize("seed", range(6))
def test_a_renyi_bound_is_proved_above_the_divergence_and_refuted_below(seed: int) -> None:
    draw = Random(seed)
    rows = random_rows(draw, draw.choice((2, 3)), draw.choice((2, 3, 4)))
    order = draw.choice(ORDERS[:7])
    true = Fraction(str(mpmath.nstr(worst(rows, order), 12)))
    above = verify(renyi_dp(table(rows), order, true + Fraction(1, 10**6)), LIMITS)
    below = verify(
        renyi_dp(table(rows), order, max(Fraction(0), true - Fraction(1, 10**6))), LIMITS
    )
    assert isinstance(above, Proved)
    checked_twice(above)
    if true > Fraction(1, 10**5):
        assert isinstance(below, RefutedNotion)
        checked_twice(below)


@pytest.mark.parametrize("seed", range(5))
def test_zcdp_of_a_table_is_never_decided_wrongly(seed: int) -> None:
    draw = Random(100 + seed)
    rows = random_rows(draw, 2, draw.choice((2, 3)))
    least = max(worst(rows, a) / mp(a) for a in ORDERS)
    for factor in ("0.5", "0.97", "1.02", "3"):
        rho = Fraction(str(mpmath.nstr(least * mpmath.mpf(factor), 10)))
        found = verify(zcdp(table(rows), rho), Limits(seconds=1))
        if isinstance(found, Proved):
            assert float(factor) >= 1
            checked_twice(found)
        if isinstance(found, RefutedNotion):
            checked_twice(found)
            fine = [1 + Fraction(k, 40) for k in range(1, 400)]
            near = max(worst(rows, a) / mp(a) for a in (Fraction(1001, 1000), *fine))
            assert rho < Fraction(str(mpmath.nstr(near, 15))) + Fraction(1, 10**9)
        if factor == "0.5":
            assert isinstance(found, RefutedNotion)


def laplace(text: str = "size") -> Mechanism:
    law = parse(f"exp(-e*abs(s - {text}))*e/2")
    inputs = Queries(1) if "q" in text else Domain([(1, 1)])
    return Mechanism(
        inputs, outputs=[real("s")], density=law, parameters={"e": "e > 0"}, name="Laplace"
    )


@pytest.mark.parametrize("order", ["3/2", "2", "5"])
@pytest.mark.parametrize("e", ["1/2", "2"])
def test_the_divergence_of_laplace_noise(order: str, e: str) -> None:
    """By quadrature of the densities at 0 and 1."""
    a, rate = mp(Fraction(order)), mp(Fraction(e))

    def integrand(s: Any) -> Any:
        return rate / 2 * mpmath.exp(-a * rate * abs(s) - (1 - a) * rate * abs(s - 1))

    total = mpmath.quad(integrand, [-60, 0, 1, 60])
    true = Fraction(str(mpmath.nstr(mpmath.log(total) / (a - 1), 10)))
    law = parse(f"exp(-({e})*abs(s - size))*({e})/2")
    m = Mechanism(Domain([(1, 1)]), outputs=[real("s")], density=law, name="Laplace")
    tiny = Fraction(1, 10**6)
    assert isinstance(verify(renyi_dp(m, order, true + tiny), LIMITS), Proved)
    assert isinstance(verify(renyi_dp(m, order, true - tiny), LIMITS), RefutedNotion)


@pytest.mark.parametrize("inputs", ["size", "q[1]"])
def test_the_least_rho_of_laplace_noise(inputs: str) -> None:
    """The Kullback-Leibler divergence of two Laplace laws at distance e is e + exp(-e) - 1."""
    found = verify(zcdp(laplace(inputs), parse("e + exp(-e) - 1")), Limits(seconds=60))
    assert isinstance(found, Proved)
    checked_twice(found)
    below = verify(zcdp(laplace(inputs), parse("99/100*(e + exp(-e) - 1)")), LIMITS)
    assert isinstance(below, RefutedNotion)
    checked_twice(below)


def noisy_sum(**more: Any) -> Mechanism:
    law = parse("exp(-(s - sum(x))^2/(2*sigma^2))/(sigma*sqrt(2*pi))")
    sigma = {"sigma": "sigma > 0"}
    W = Domain([(0, 1), (1, 1), (2, 1)])
    return Mechanism(W, outputs=[real("s")], density=law, parameters=sigma, name="sum", **more)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        (lambda m: zcdp(m, parse("x^2/(2*sigma^2)")), True),
        (lambda m: zcdp(m, parse("x/(2*sigma^2)")), False),
        (lambda m: zcdp(m, "2", "add-remove"), False),
        (lambda m: gdp(m, parse("x/sigma")), True),
        (lambda m: gdp(m, parse("99*x/(100*sigma)")), False),
        (lambda m: renyi_dp(m, 3, parse("6/sigma^2"), "add-remove"), True),
        (lambda m: renyi_dp(m, 3, parse("59/(10*sigma^2)"), "add-remove"), False),
        (lambda m: renyi_dp(m, 3, parse("6/sigma^2"), "swap"), True),
    ],
)
def test_normal_noise(claim: Callable[[Mechanism], NotionClaim], holds: bool) -> None:
    """D_a(N(m, v) || N(n, v)) = a (m - n)^2/(2 v) (van Erven and Harremoes 2014)."""
    found = verify(claim(noisy_sum()), LIMITS)
    assert isinstance(found, Proved if holds else RefutedNotion)
    checked_twice(found)


@pytest.mark.parametrize(
    "density",
    [
        "exp(-(s - sum(x))^2/(2*sigma^2))/sigma",  # total sqrt(2 pi)
        "exp(-(s - sum(x))^2/sigma^2)/(sigma*sqrt(2*pi))",  # another variance
        "exp(-(s - sum(x))^4/(2*sigma^2))/(sigma*sqrt(2*pi))",
        "-exp(-(s - sum(x))^2/(2*sigma^2))/(sigma*sqrt(2*pi))",
        "exp((s - sum(x))^2/(2*sigma^2))/(sigma*sqrt(2*pi))",
    ],
)
def test_what_is_not_a_normal_density_is_not_taken_for_one(density: str) -> None:
    sigma = {"sigma": "sigma > 0"}
    m = Mechanism(
        Domain([(1, 1)]), outputs=[real("s")], density=parse(density), parameters=sigma, name="m"
    )
    claim = zcdp(m, parse("1/(2*sigma^2)"))
    leaf = ev.InequalityLeaf((), "direct", (None,))
    proof = ev.Certificate(claim.fingerprint, False, (), ev.Mass((), ()), (leaf,), (0, 0))
    with pytest.raises(Rejected):
        checker.check(claim, proof)


def test_a_variance_that_depends_on_the_input_is_not_accepted() -> None:
    law = parse("exp(-s^2/(2*(1 + size)^2))/((1 + size)*sqrt(2*pi))")
    m = Mechanism(Domain([(1, 1)]), outputs=[real("s")], density=law, name="m")
    for claim in (zcdp(m, 100), gdp(m, 100), renyi_dp(m, 2, 100)):
        assert not isinstance(verify(claim, Limits(seconds=1)), Proved)


def test_supports_that_differ_have_an_infinite_divergence() -> None:
    law = parse("piecewise((1, size <= s and s < size + 1), (0, true))")
    m = Mechanism(Domain([(1, 1)]), outputs=[real("s")], density=law, name="uniform")
    for claim in (zcdp(m, 10**6), gdp(m, 10**6), renyi_dp(m, 2, 10**6)):
        found = verify(claim, LIMITS)
        assert isinstance(found, RefutedNotion) and found.found is None
        checked_twice(found)


def test_both_directions_are_compared() -> None:
    """D_2 is log 2 in one direction, log(4/3) in the other."""
    rows = [[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]]
    found = verify(renyi_dp(table(rows), 2, "7/10"), LIMITS)
    assert isinstance(found, RefutedNotion) and found.found is None
    mixed = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    uneven = [[Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 2), Fraction(1, 2)]]
    one, other = divergence(*uneven, Fraction(2)), divergence(*uneven[::-1], Fraction(2))
    assert one != other
    low, high = sorted(Fraction(str(mpmath.nstr(d, 10))) for d in (one, other))
    assert isinstance(verify(renyi_dp(table(uneven), 2, (low + high) / 2), LIMITS), RefutedNotion)
    assert isinstance(verify(renyi_dp(table(uneven), 2, high + Fraction(1, 1000)), LIMITS), Proved)
    assert isinstance(verify(renyi_dp(table(mixed), 2, 1), LIMITS), Proved)


# orders and declarations


@pytest.mark.parametrize("order", ["1", "1/2", "0", "e", "oo"])
def test_an_order_is_known_to_be_larger_than_1(order: str) -> None:
    with pytest.raises(BadInput):
        renyi_dp(laplace(), order, 1, "add-remove")


def test_a_notion_has_no_delta_and_no_order_of_its_own() -> None:
    bounds = dp(laplace(), 1, delta="1/2")
    with pytest.raises(BadInput):
        NotionClaim(bounds, "zcdp")
    with pytest.raises(BadInput):
        NotionClaim(dp(laplace(), 1), "zcdp", number(2))
    with pytest.raises(BadInput):
        NotionClaim(dp(laplace(), 1), "renyi")
    with pytest.raises(BadInput):
        NotionClaim(dp(laplace(), 1), "pure")


# rules


def any_mechanism(level: str) -> CompositeClaim:
    return assume(Domain([(0, 1), (1, 2)]), "ahdp", parse(level))


@pytest.mark.parametrize(
    ("rho", "holds"),
    [
        ("eps*(exp(eps) - 1)/(exp(eps) + 1)", True),
        ("eps^2/2", True),
        ("eps*(exp(eps) - 1)/(exp(eps) + 2)", False),
        ("eps^2/3", False),
    ],
)
def test_every_pure_mechanism_is_concentrated(rho: str, holds: bool) -> None:
    """Randomised response attains eps (exp(eps) - 1)/(exp(eps) + 1); nothing smaller is proved."""
    found = verify(NotionClaim(replace(any_mechanism("eps"), level=parse(rho)), "zcdp"), LIMITS)
    assert isinstance(found, Proved if holds else Unknown)
    if holds:
        checked_twice(found)


def releases(first: str, second: str) -> Composite:
    parts = []
    for output, query, bound in (("a", "size", first), ("b", "sum(x)", second)):
        law = parse(f"exp(-({output} - {query})^2/2)/sqrt(2*pi)")
        W = Domain([(0, 1), (1, 1)])
        m = Mechanism(W, outputs=[real(output)], density=law, name=output)
        parts.append(ahdp(m, parse(bound)))
    return Composite("compose", parts, name="both")


@pytest.mark.parametrize(
    ("notion", "parts", "whole", "holds"),
    [
        ("zcdp", ("1/2", "x^2/2"), "(1 + x^2)/2", True),
        ("zcdp", ("1/2", "x^2/2"), "1/2", False),
        ("gdp", ("1", "x"), "sqrt(1 + x^2)", True),
        ("gdp", ("1", "x"), "1", False),
    ],
)
def test_bounds_of_parts_add_up(
    notion: str, parts: tuple[str, str], whole: str, holds: bool
) -> None:
    """For GDP their squares do (Dong, Roth and Su 2022, corollary 2)."""
    claim = NotionClaim(CompositeClaim(releases(*parts), "ahdp", parse(whole)), notion)
    found = verify(claim, LIMITS)
    assert isinstance(found, Proved if holds else RefutedNotion)
    checked_twice(found)


@pytest.mark.parametrize("parts", [("1/3", "x^2/2"), ("1/2", "x^2/3")])
def test_a_part_has_to_have_its_bound(parts: tuple[str, str]) -> None:
    claim = NotionClaim(CompositeClaim(releases(*parts), "ahdp", parse("1 + x^2")), "zcdp")
    found = verify(claim, LIMITS)
    law = found.certificate.rule if isinstance(found, Proved) else ""
    assert law in ("", "written_out")  # never from the parts' bounds, which are too small


def test_scores_of_bounded_change_are_concentrated() -> None:
    outputs, W = [finite("c", ["u", "v", "w"])], Domain([(1, 1), (2, 1)])
    score = parse('sum(x)*piecewise((1, c == "u"), (1/2, c == "v"), (0, true))')
    m = Composite(
        "normalised",
        domain=W,
        released=outputs,
        formulas=[score, number(0), parse("x")],
        name="scores",
    )
    found = verify(NotionClaim(CompositeClaim(m, "ahdp", parse("x^2/8")), "zcdp"), LIMITS)
    assert isinstance(found, Proved)
    checked_twice(found)
    below = verify(NotionClaim(CompositeClaim(m, "ahdp", parse("x^2/20")), "zcdp"), LIMITS)
    assert isinstance(below, RefutedNotion)


# forged evidence


def good() -> tuple[NotionClaim, ev.Certificate]:
    """A claim of zCDP with a proof of a bounded range."""
    claim = zcdp(table([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]), "1")
    leaf = ev.InequalityLeaf((), "direct", (None,))
    range_ = ev.CoordinatesLeaf((), "log", (parse("2*log(3)"),), (leaf, leaf), (None,))
    mass = ev.Mass((), (ev.TotalLeaf(), ev.TotalLeaf()))
    return claim, ev.Certificate(claim.fingerprint, False, (), mass, (range_,), (0, 0))


def test_the_proof_that_the_forgeries_are_made_of_is_accepted() -> None:
    assert isinstance(checker.check(*good()), Proved)


FORGERIES: dict[str, Callable[[ev.Certificate], ev.Certificate]] = {
    "another claim": lambda c: replace(c, claim="0" * 64),
    "conditions": lambda c: replace(c, conditions=(number(1),)),
    "no mass": lambda c: replace(c, mass=ev.Mass((), ())),
    "half a mass": lambda c: replace(c, mass=ev.Mass((), (ev.TotalLeaf(),))),
    "too few uses": lambda c: replace(c, uses=(0,)),
    "too many uses": lambda c: replace(c, uses=(0, 0, 0)),
    "a use of nothing": lambda c: replace(c, uses=(0, 1)),
    "a use from the end": lambda c: replace(c, uses=(0, -1)),
    "a smaller range": lambda c: changed(c, levels=(parse("19/10*log(3)"),)),
    "a larger range": lambda c: changed(c, levels=(parse("3"),)),
    "two ranges": lambda c: changed(c, levels=(parse("2*log(3)"),) * 2),
    "one pair": lambda c: changed(c, leaves=c.evidence[0].leaves[:1]),  # type: ignore[union-attr]
    "no proof": lambda c: changed(c, proofs=()),
    "another kind": lambda c: replace(c, evidence=(ev.InequalityLeaf((), "direct", (None,)),)),
    "a divergence without points": lambda c: replace(
        c,
        evidence=(ev.HockeyStickLeaf((), (), (), ev.InequalityLeaf((), "direct", (None,))),),
    ),
    "a divergence with a choice": lambda c: replace(
        c,
        evidence=(
            ev.HockeyStickLeaf(
                (), (), (ev.HockeyStickPart("none"),), ev.InequalityLeaf((), "direct", (None,))
            ),
        ),
    ),
}


def changed(c: ev.Certificate, **fields: Any) -> ev.Certificate:
    return replace(c, evidence=(replace(c.evidence[0], **fields),))


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_proof_is_rejected_by_both_checkers(forgery: str) -> None:
    claim, proof = good()
    forged = FORGERIES[forgery](proof)
    with pytest.raises(Rejected):
        checker.check(claim, forged)
    record = checker.check(claim, proof).to_json()
    record["certificate"] = to_stored(forged)
    sealed = canonical_json.seal({k: v for k, v in record.items() if k != "sha256"})
    recheck_limits.CLOCK.start(0)
    with pytest.raises((recheck_limits.Rejected, recheck_limits.NotCovered)):
        standalone.check_record(sealed)


def pair(first: int, second: int) -> Counterexample:
    return Counterexample((), (), (number(first),), (number(second),), Event())


BAD_VIOLATIONS = {
    "a bound that holds": (zcdp, "1", NotionCounterexample(number(2), (), pair(0, 1))),
    "order 1": (zcdp, "1/100", NotionCounterexample(number(1), (), pair(0, 1))),
    "an order below 1": (zcdp, "1/100", NotionCounterexample(parse("1/2"), (), pair(0, 1))),
    "one input": (zcdp, "1/100", NotionCounterexample(number(2), (), pair(0, 0))),
    "another input": (zcdp, "1/100", NotionCounterexample(number(2), (), pair(0, 7))),
    "an event that both give": (zcdp, "1/100", NotionCounterexample(None, (), pair(0, 1))),
    "an order for GDP": (gdp, "1/100", NotionCounterexample(number(2), (), pair(0, 1))),
}


@pytest.mark.parametrize("forgery", BAD_VIOLATIONS)
def test_a_forged_refutation_is_rejected_by_both_checkers(forgery: str) -> None:
    word, bound, example = BAD_VIOLATIONS[forgery]
    rows = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    claim = word(table(rows), bound)
    with pytest.raises(Rejected):
        checker.refute_notion(claim, example)
    true = zcdp(table(rows), "1/100")
    record = checker.refute_notion(true, NotionCounterexample(number(2), (), pair(0, 1))).to_json()
    record |= {"claim": claim.to_json(), "fingerprint": claim.fingerprint}
    record["counterexample"] = example.to_json()
    sealed = canonical_json.seal({k: v for k, v in record.items() if k != "sha256"})
    recheck_limits.CLOCK.start(0)
    with pytest.raises((recheck_limits.Rejected, recheck_limits.NotCovered)):
        standalone.check_record(sealed)


def test_the_order_of_a_renyi_claim_is_that_of_its_refutation() -> None:
    rows = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    claim = renyi_dp(table(rows), "3/2", "8/10")  # D_2 is 0.847, D_(3/2) is 0.72
    with pytest.raises(Rejected):
        checker.refute_notion(claim, NotionCounterexample(number(2), (), pair(0, 1)))


WRONG_RULES = {
    "pure_to_zcdp for renyi": ("renyi", "pure_to_zcdp", "1"),
    "zcdp_to_renyi for zcdp": ("zcdp", "zcdp_to_renyi", "1"),
    "zcdp_to_delta for zcdp": ("zcdp", "zcdp_to_delta", "1"),
    "subsample": ("zcdp", "subsample", None),
    "group": ("zcdp", "group", None),
    "interchangeable": ("zcdp", "interchangeable", None),
    "open_level": ("zcdp", "open_level", "1"),
    "to_swap": ("zcdp", "to_swap", "1"),
    "assumed": ("zcdp", "assumed", None),
    "scores_to_zcdp": ("zcdp", "scores_to_zcdp", None),
    "unknown": ("zcdp", "none of them", None),
}


@pytest.mark.parametrize("case", WRONG_RULES)
def test_a_rule_that_does_not_apply_is_rejected(case: str) -> None:
    notion, rule, level = WRONG_RULES[case]
    bounds = replace(any_mechanism("1"), level=number(5))
    claim = NotionClaim(bounds, notion, number(2) if notion == "renyi" else None)
    stated = None if level is None else ev.StatedPremise("ahdp", parse(level), number(0))
    inner = ev.ByRule(any_mechanism("1").fingerprint, "assumed", 1, None, (), ())
    for premises in ((), (inner,)):
        with pytest.raises(Rejected):
            checker.check(claim, ev.ByRule(claim.fingerprint, rule, 1, stated, premises, ()))


# a level and a delta


def normal_cdf(x: Any) -> Any:
    return mpmath.ncdf(x)


@pytest.mark.parametrize("level", ["1/2", "1", "2"])
def test_a_delta_of_two_normal_releases(level: str) -> None:
    """They are GDP with mu = sqrt(2) (Dong, Roth and Su 2022, corollary 1)."""
    mu, at = mpmath.sqrt(2), mp(Fraction(level))
    true = normal_cdf(mu / 2 - at / mu) - mpmath.exp(at) * normal_cdf(-mu / 2 - at / mu)
    exact = Fraction(str(mpmath.nstr(true, 12)))
    tiny = Fraction(1, 10**8)
    for delta, holds in ((exact + tiny, True), (exact - tiny, False)):
        both = releases("1", "1")
        claim = CompositeClaim(both, "ahdp", parse(level), number(delta))
        found = verify(claim, Limits(seconds=4 if holds else 1))
        assert isinstance(found, Proved) == holds
        if holds:
            checked_twice(found)


@pytest.mark.parametrize(("delta", "holds"), [("1/10", True), ("1/1000", False)])
def test_a_delta_of_zcdp(delta: str, holds: bool) -> None:
    """exp(-(3 - 1)^2/(4 * 1)) is 0.3679, exp(-(5 - 1)^2/4) is 0.0183."""
    rule = ev.StatedPremise("ahdp", number(1), number(0))
    claim = CompositeClaim(releases("1/2", "1/2"), "ahdp", number(5), parse(delta))
    if not holds:
        sides = [ev.InequalityLeaf((), "direct", (None,))] * 4
        forged = ev.ByRule(claim.fingerprint, "zcdp_to_delta", 1, rule, (), tuple(sides))
        with pytest.raises(Rejected):
            checker.check(claim, forged)
        return
    found = verify(claim, LIMITS)
    assert isinstance(found, Proved)
    checked_twice(found)


# GDP by a test


@pytest.mark.parametrize(("mu", "holds"), [("1.34", False), ("1.36", True)])
def test_a_test_refutes_gdp_of_randomised_response(mu: str, holds: bool) -> None:
    """It accepts 3/4 against 1/4, so that mu is at least 2 F^-1(3/4) = 1.34898 (scipy's normal
    quantile), which is also enough.
    """
    rows = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    found = verify(gdp(table(rows), mu), Limits(seconds=3))
    assert isinstance(found, RefutedNotion) != holds
    if not holds:
        checked_twice(found)
        for t in ("-1", "0", "-2"):  # the event of 1/4 has the threshold -0.6745
            example = replace(found.counterexample, order=parse(t))  # type: ignore[union-attr]
            with pytest.raises(Rejected):
                checker.refute_notion(found.claim, example)  # type: ignore[arg-type]


@pytest.mark.parametrize(("mu", "holds"), [("1.02", False), ("1.04", True)])
def test_a_test_refutes_gdp_of_laplace_noise(mu: str, holds: bool) -> None:
    """At s < 1/2: mu is at least 2 F^-1(1 - exp(-1/2)/2) = 1.0300 (scipy's normal quantile)."""
    law = parse("exp(-abs(s - size))/2")
    m = Mechanism(Domain([(1, 1)]), outputs=[real("s")], density=law, name="Laplace")
    found = verify(gdp(m, mu, "add-remove"), Limits(seconds=3))
    assert isinstance(found, RefutedNotion) != holds
    if not holds:
        checked_twice(found)


def test_claims_of_a_notion_are_composed_in_python() -> None:
    """The bounds of zCDP add up; (1 + x^2)^(1/2) is that of GDP."""
    first, second = (part.mechanism for part in releases("0", "0").parts)
    both = compose(zcdp(first, "1/2"), zcdp(second, parse("x^2/2")), name="both")
    assert str(both) == "both is zCDP with rho = x^2/2 + 1/2, as AHDP"
    assert isinstance(verify(both, LIMITS), Proved)
    squares = compose(gdp(first, "1"), gdp(second, parse("x")))
    assert squares.notion == "gdp" and isinstance(verify(squares, LIMITS), Proved)
    least = post_process(both, {"z": parse("max(a, b)")})
    assert isinstance(verify(least, LIMITS), Proved)
    for other in (gdp(second, "1"), renyi_dp(second, 2, "1"), ahdp(second, 1)):
        with pytest.raises(BadInput, match="different notions"):
            compose(zcdp(first, "1/2"), other)  # type: ignore[call-overload]
