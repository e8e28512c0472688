"""Means, variances and biases of the catalogue, and what is refused or may not be said."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest

from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Max,
    Mechanism,
    Queries,
    Values,
    eq,
    exp,
    finite,
    indicator,
    integer,
    label,
    log,
    name,
    piecewise,
    real,
)
from ahdp_verify.analysis.moments import (
    bias,
    enclosure,
    infinite_mean,
    mean,
    mean_shift_bound,
    value_at,
    variance,
)
from ahdp_verify.catalogue import CATALOGUE
from ahdp_verify.catalogue import linear_queries as lq
from ahdp_verify.catalogue.entry import Entry
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.paper.catalogue import PAPER_CATALOGUE
from ahdp_verify.paper.catalogue import mean as means
from ahdp_verify.sampling.sample import sample
from ahdp_verify.search.limits import Limits, OutOfLimits
from tests.analysis.moments.test_moments import EX_SUM, SAT, F, H, L, X, equal, near


def test_E_abs_of_a_laplace_output_in_closed_form() -> None:
    """E|a + L(b)| = |a| + b exp(-|a|/b), for every a and b."""
    s, b = real("s"), name("b")
    M = Mechanism(
        Queries(1),
        outputs=[s],
        density=exp(-Abs(s - name("q[1]")) / b) / (2 * b),
        parameters={"b": "b > 0"},
    )
    for q, scale in ((3, 2), (F(-1, 2), F(1, 3)), (0, 1)):
        assert equal(
            mean(M, [q], of=Abs(s), parameters={"b": scale}),
            abs(F(q)) + F(scale) * exp(-abs(F(q)) / F(scale)),
        )
    formula = mean(M, of=Abs(s))
    for q, scale in ((3, 2), (F(-1, 2), F(1, 3)), (0, 1)):
        assert equal(
            value_at(formula, M, [q], {"b": scale}),
            abs(F(q)) + F(scale) * exp(-abs(F(q)) / F(scale)),
        )


def test_geometric_noise() -> None:
    """P(z) = (1 - q)/(1 + q) q^|z|: mean 0, variance 2 q/(1 - q)^2, fourth moment by adding up
    (textbook: Inusah and Kozubowski 2006).
    """
    W, z = Domain([("a", 1)]), integer("z")
    M = Mechanism(W, outputs=[z], density=F(1, 3) * exp(-Abs(z - W.size) * log(2)))
    assert str(mean(M)) == "size" and str(variance(M)) == "4"
    fourth = 2 * sum(F(1, 3) * F(k**4, 2**k) for k in range(1, 200))
    assert enclosure(mean(M, [3], of=(z - 3) ** 4)).agrees(f"{float(fourth):.9f}")
    assert near(
        mean(M, [3], of=1 / Max(z, 1)),
        f"{float(sum(F(1, 3) * F(1, 2) ** abs(k - 3) / max(k, 1) for k in range(-100, 200))):.12f}",
    )


def test_finite_outputs_and_labels() -> None:
    v, s = name("v"), finite("s", ["yes", "no"])
    M = Mechanism(
        Values([0, 1]),
        outputs=[s],
        density=piecewise(
            (F(3, 4), eq(s, label("yes")) & eq(v, 1)),
            (F(1, 4), eq(s, label("yes"))),
            (F(1, 4), eq(v, 1)),
            (F(3, 4), True),
        ),
    )
    assert [str(mean(M, x, of=indicator(eq(s, label("yes"))))) for x in (0, 1)] == ["1/4", "3/4"]
    with pytest.raises(BadInput, match="is a label"):
        mean(M, 0)
    with pytest.raises(BadInput, match="depends on the input value"):
        mean(M, of=indicator(eq(s, label("yes"))))


def test_atoms() -> None:
    """min(max(L(1), 0), 1): P(0) = 1/2, P(1) = e^-1/2, and the mean is (1 - e^-1)/2 (the
    integral of P(L > s) over [0, 1]).
    """
    s = real("s")
    M = Mechanism(
        Queries(1),
        outputs=[s],
        density=piecewise((exp(-s) / 2, (s.symbol > 0) & (s.symbol < 1)), (0, True)),
        atoms={0: F(1, 2), 1: exp(-1) / 2},
    )
    assert equal(mean(M, [0]), (1 - exp(-1)) / 2)
    null = Mechanism(
        Queries(1), outputs=[s], density=exp(-Abs(s)) / 4, atoms={label("NULL"): F(1, 2)}
    )
    with pytest.raises(BadInput, match='of: s has no mean, since it may be the label "NULL"'):
        mean(null, [0])


def test_outputs_that_depend_on_earlier_ones() -> None:
    """s = L(1) + q, then t = s + L(2): E t = q, Var t = 2 + 8, E[s t] = q^2 + 2."""
    s, t = real("s"), real("t")
    M = Mechanism(
        Queries(1),
        outputs=[s, t],
        density=exp(-Abs(s - name("q[1]"))) / 2 * exp(-Abs(t - s) / 2) / 4,
    )
    assert (
        str(mean(M, of=t)) == "q[1]"
        and str(variance(M, of=t)) == "10"
        and equal(mean(M, of=s * t), name("q[1]") ** 2 + 2)
    )


def test_a_finite_output_that_chooses_the_noise() -> None:
    b, s = finite("b", [1, 3]), real("s")
    M = Mechanism(
        Queries(1),
        outputs=[b, s],
        density=piecewise((F(1, 4), eq(b, 1)), (F(3, 4), True)) * exp(-Abs(s - b) / b) / (2 * b),
    )
    assert str(mean(M, of=s)) == str(F(1, 4) + F(9, 4)) and str(mean(M, of=s * s)) == str(
        F(1, 4) * 3 + F(3, 4) * 27
    )


@pytest.mark.sweep(5)
@pytest.mark.parametrize(
    "of",
    [
        "abs(s - 1)",
        "max(s, 2)^3",
        "exp(-abs(s))",
        "indicator(s > 1/3) * s",
        "1/(1 + max(s, 0))^2",
        "clip(s, -1, 1)",
        "s^2/(3 + max(s, 0))",
        "exp(s/9)",
    ],
)
@pytest.mark.parametrize("at", [F(0), F(-7, 3), F(4)])
def test_expectations_against_quadrature(of: str, at: Fraction) -> None:
    """mpmath integrates the expression times the density of two-sided noise whose sides differ."""
    s = real("s")
    q = name("q[1]")
    density = piecewise((exp(q - s) / 4, s.symbol >= q), (exp((s.symbol - q) / 3) / 4, True))
    M = Mechanism(Queries(1), outputs=[s], density=density)
    functions = {
        "max": max,
        "abs": abs,
        "exp": mpmath.exp,
        "indicator": lambda c: 1 if c else 0,
        "clip": lambda v, a, b: min(max(v, a), b),
    }
    python = of.replace("^", "**").replace("1/3", "(mpmath.mpf(1)/3)")
    x = mpmath.mpf(at.numerator) / at.denominator

    def integrand(v: mpmath.mpf) -> mpmath.mpf:
        law = mpmath.exp(x - v) / 4 if v >= x else mpmath.exp((v - x) / 3) / 4
        return law * eval(python, {"s": v, "mpmath": mpmath, **functions})

    points = sorted(
        {
            -mpmath.inf,
            mpmath.inf,
            x,
            *(mpmath.mpf(p) for p in (-60, -3, -1, 0, 1, 2, 3, 9, 40)),
            mpmath.mpf(1) / 3,
        }
    )
    expected = mpmath.quad(integrand, points)
    assert abs(mpmath.mpf(enclosure(mean(M, [at], of=of)).decimal) - expected) < 1e-9 * (
        1 + abs(expected)
    )


def concrete(entry: Entry) -> bool:
    """A distribution of numbers over a listed domain, without parameters."""
    M = entry.mechanism
    numbers_only = not M.atoms and not any(v.head == "label" for o in M.outputs for v in o.values)
    return (
        isinstance(M.inputs, Domain)
        and not M.inputs.is_universal
        and not M.parameters
        and numbers_only
    )


CATALOGUED = [
    e for e in (*CATALOGUE, *PAPER_CATALOGUE) if concrete(e) and not e.name.endswith("-half")
]  # the others differ from those by a factor in the noise
REFUSED = (
    "linear-query-infinite-weight",
    "count-as-printed",
    "staircase-from-one",
)  # an infinite weight, a scale of 0, a law of endlessly many pieces
ONLY_AT_DATASETS = (
    "known-size",
    "demand-weighted-mean",
)  # the mass of the law is 1 for reasons that its form does not show


@pytest.mark.sweep(7)
@pytest.mark.parametrize("entry", CATALOGUED, ids=lambda e: e.name)
def test_the_catalogue_against_draws(entry: Entry) -> None:
    """The sampler draws from the same distribution by another way: the mean of 20,000 draws lies
    within 6 standard errors; formulas have the same value.
    """
    M = entry.mechanism
    dataset, o = [i % 3 + 1 for i in range(len(M.inputs.records))], M.outputs[0]  # type: ignore[union-attr]
    if entry.name in REFUSED:
        with pytest.raises(
            BadInput if entry.name == "linear-query-infinite-weight" else NotWorkedOut
        ):
            mean(M, dataset, of=o)
        return
    draws = sample(M, dataset, size=20_000, rng=7)
    listed = draws[o.name] if isinstance(draws, dict) else draws
    found, spread = (enclosure(f(M, dataset, of=o), 12).decimal for f in (mean, variance))
    assert abs(listed.mean() - float(found)) <= 6 * (float(spread) / 20_000) ** 0.5 + 1e-9
    if entry.name not in ONLY_AT_DATASETS:
        assert enclosure(value_at(mean(M, of=o), M, dataset), 12).decimal == found
        assert enclosure(value_at(variance(M, of=o), M, dataset), 12).decimal == spread


def test_laws_whose_form_depends_on_signs() -> None:
    """Permute-and-flip (McKenna, Sheldon 2020) of two utilities: the worse one has probability
    q/2 with q = exp(-e gap/2).
    """
    M = next(e for e in CATALOGUE if e.name == "permute-and-flip").mechanism
    formula = mean(M)
    for a, b in ((3, 1), (1, 3), (2, 2)):
        q = exp(-F(abs(a - b)) / 2)
        assert equal(value_at(formula, M, [a, b], {"e": 1}), 1 + q / 2 if a >= b else 2 - q / 2)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda M: mean(M), "of: the mechanism has 2 outputs"),
        (lambda M: mean(M, of="k"), "the name k is not known"),
        (lambda M: mean(M, of="exp(m)"), "no closed form was found for the mean of exp(m)"),
        (lambda M: mean(M, of="log(m)"), "no closed form was found for the mean of log(m)"),
        (lambda M: mean(M, [1, 2], of="m"), "2 counts are given for 3 records"),
        (lambda M: mean(M, of="m", parameters={"b": 1}), "no parameter b"),
        (lambda M: mean(M, of="m", keep="zz"), "the name zz is not known"),
        (lambda M: mean(M, [1, 1, 1], of="m", keep="2"), "2 is not a probability"),
        (lambda M: mean(M, of=0.5), "0.5 is a float"),
        (lambda M: mean("M"), "str is not a mechanism given by its density"),
        (lambda M: bias(M, "m", of="m"), "the name m is not known"),
        (lambda M: mean(M, of="maximum(x)"), "no record sum|closed form|of: "),
    ],
)
def test_bad_input_is_one_sentence(call: object, said: str) -> None:
    M = means.weighted_mean(EX_SUM, weights=(SAT / 2, SAT / 2), bounds=(0, 2))
    if said.startswith("no record sum"):
        assert str(mean(M, of="maximum(x)")) == "maximum(x)"
        return
    with pytest.raises(
        NotWorkedOut if said.startswith("no closed form") else BadInput, match=re.escape(said)
    ) as caught:
        call(M)  # type: ignore[operator]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("density", "said"),
    [
        ("exp(-abs(s)) - exp(-2*abs(s))*2 + 1/2*0", "negative"),
        ("exp(-s^2)", "not found to be linear"),
        ("0*s", "negative"),
    ],
)
def test_what_is_not_shown_to_be_a_law_has_no_mean_that_is_worked_out(
    density: str, said: str
) -> None:
    M = Mechanism(Queries(1), outputs=[real("s")], density=parse(density))
    with pytest.raises(NotWorkedOut, match=said):
        mean(M, [0])


@pytest.mark.parametrize("call", [mean, infinite_mean])
def test_what_is_shown_not_to_be_a_distribution_is_bad_input(call: Callable[..., object]) -> None:
    """The integral of exp(-|s|) is 2; that of exp(-|s|)/2 + q exp(-|s - q|)/2 is 1 + q, so 4 at
    q = 3 and open where q is.
    """
    with pytest.raises(BadInput, match=r"^law: its total is 2, not 1; "):
        call(Mechanism(Queries(1), outputs=[real("s")], density=parse("exp(-abs(s))")), [0])
    grown = Mechanism(
        Queries(1),
        outputs=[real("s")],
        density=parse("exp(-abs(s))/2 + q[1]*exp(-abs(s - q[1]))/2"),
    )
    with pytest.raises(BadInput, match=r"^law: its total is 4, not 1; "):
        call(grown, [3])
    with pytest.raises(NotWorkedOut, match=r"not shown|is not known"):
        call(grown)


UNIVERSAL = lq.linear_query(lq.EVERY, lq.F, weight=lq.ALPHA, bounds=(L, H))
X_SUM = exp(-Abs(name("s") - EX_SUM.sum(X))) / 2
ONLY_SOME = Mechanism(EX_SUM, outputs=[real("s")], density=X_SUM, defined=EX_SUM.size >= 1)


@pytest.mark.parametrize("given", [{"l": 0}, {"h": 1}, {"l": 0, "h": 3}])
def test_a_value_for_some_parameters_keeps_the_conditions_of_the_others(
    given: dict[str, object],
) -> None:
    """prop:newDP: l + sum alpha (f - l) and 2 (h - l)^2, where h > l."""
    W, (low, high) = (
        UNIVERSAL.inputs,
        (number(given[k]) if k in given else name(k) for k in ("l", "h")),
    )
    assert isinstance(W, Domain)
    assert equal(
        mean(UNIVERSAL, parameters=given), low + W.sum(lq.ALPHA * lq.F) - low * W.sum(lq.ALPHA)
    )
    assert equal(variance(UNIVERSAL, parameters=given), 2 * (high - low) * (high - low))


def test_values_that_do_not_satisfy_the_conditions_are_refused() -> None:
    with pytest.raises(BadInput, match="h = 1 does not satisfy 5 < 1"):
        mean(UNIVERSAL, parameters={"l": 5, "h": 1})
    noisy = Mechanism(
        Queries(1),
        outputs=[real("s")],
        density=exp(-Abs(name("s") - name("b"))) / 2,
        parameters={"b": "b > 1"},
    )
    with pytest.raises(BadInput, match="b = 0 does not satisfy"):
        mean(noisy, parameters={"b": 0})


def test_a_mechanism_that_does_not_run_on_every_part_has_no_mean_of_parts() -> None:
    """With probability 1/4 or 1/8 nothing is kept, and then there is no output."""
    for call in (
        lambda: mean(ONLY_SOME, keep="1/2"),
        lambda: mean(ONLY_SOME, [1, 1, 0], keep="1/2"),
        lambda: variance(ONLY_SOME, [1, 1, 1], keep="1/2"),
    ):
        with pytest.raises(BadInput, match=r"not defined there|not defined on subsets"):
            call()
    assert str(mean(ONLY_SOME, [0, 3, 0], keep=piecewise((1, X > 0), (F(1, 2), True)))) == "3"


def test_a_formula_that_divides_by_the_size_says_where_it_has_no_value() -> None:
    M = Mechanism(EX_SUM, outputs=[real("s")], density=X_SUM)
    with pytest.raises(NotWorkedOut, match="may divide by 0 where size = 0"):
        mean(M, of="s/size")
    assert str(mean(ONLY_SOME, of="s/size")) == "sum(x)/size"


def test_a_level_below_0_bounds_nothing() -> None:
    with pytest.raises(BadInput, match="level: -1 is negative"):
        mean_shift_bound(ONLY_SOME, -1, [1, 0, 0])
    tiny = (
        exp(exp(number(-20000))) - 1
    )  # above 0, but by less than 2^-28000: its sign is not found by enclosures of 4096 bits
    with pytest.raises(NotWorkedOut, match=r"level: .* was not shown to be at least 0"):
        mean_shift_bound(ONLY_SOME, tiny, [1, 0, 0])


@pytest.mark.parametrize(
    "call",
    [
        mean,
        variance,
        infinite_mean,
        lambda M, **more: bias(M, "0", **more),
        lambda M, **more: mean_shift_bound(M, 1, **more),
    ],
)
def test_moments_take_no_longer_than_they_may(call: Callable[..., object]) -> None:
    M = Mechanism(Queries(1), outputs=[real("s")], density=exp(-Abs(name("s"))) / 2)
    with pytest.raises(
        OutOfLimits,
        match="stopped after 1e-09 s while working out a mean; give --seconds a larger value",
    ):
        call(M, of="1/s" if call is infinite_mean else "s", limits=Limits(seconds=1e-9))
