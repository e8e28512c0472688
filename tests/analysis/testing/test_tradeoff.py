"""The trade-off curve against independent computations: all subsets of outputs, quantile
functions, fine grids, and the literature.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings

from ahdp_verify import plots
from ahdp_verify.analysis.divergence.delta import delta
from ahdp_verify.analysis.testing.error_rates import implied_level
from ahdp_verify.analysis.testing.tradeoff import Attack, Tradeoff, tradeoff
from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.plots import draw_tradeoff
from tests.analysis.testing.pairs import Laws, laws, table
from tests.sweeps import examples

EMPTY = Context.empty()
W, s, k = Domain([(1, 1)]), real("s"), integer("k")
ALPHAS = [Fraction(i, 24) for i in range(25)]


def law(text: str, output: object = s, **more: object) -> Mechanism:
    return Mechanism(W, outputs=output, density=parse(text, "law"), **more)  # type: ignore[arg-type]


def fraction(e: Expression) -> Fraction:
    found = normal(e, EMPTY).as_rational
    assert found is not None
    return found


def near(e: Expression) -> float:
    return float(approximate_rational(normal(e, EMPTY)))


def equal(e: Expression, text: str) -> bool:
    return (normal(e, EMPTY) - normal(parse(text, "value"), EMPTY)).is_zero


def of_subsets(found: Laws) -> list[tuple[Fraction, Fraction]]:
    """The errors of every subset of outputs as a rejection region."""
    n = len(found[0])
    regions = itertools.chain.from_iterable(
        itertools.combinations(range(n), size) for size in range(n + 1)
    )
    return [
        (sum((found[0][i] for i in r), Fraction(0)), 1 - sum((found[1][i] for i in r), Fraction(0)))
        for r in map(list, regions)
    ]


def best(points: list[tuple[Fraction, Fraction]], alpha: Fraction) -> Fraction:
    """The least type II error of mixtures of two tests with this type I error: the lower hull,
    with no order of ratios in it.
    """
    found = [b for a, b in points if a == alpha]
    for (a, b), (c, d) in itertools.product(points, repeat=2):
        if a < alpha < c:
            found.append(b + (d - b) * (alpha - a) / (c - a))
    return min(found)


@settings(deadline=None)
@given(laws())
def test_finite_laws_have_the_hull_of_all_tests(found: Laws) -> None:
    curve, points = tradeoff(table(found), 0, 1), of_subsets(found)
    for alpha in [*ALPHAS, *(fraction(v.alpha) for v in curve.vertices)]:
        assert fraction(curve.at(alpha)) == best(points, alpha)
    assert (
        fraction(curve.total_variation)
        == sum(abs(p - q) for p, q in zip(*found, strict=True)) / 2
        == 1 - min(a + b for a, b in points)
    )
    slopes = [
        (fraction(p.high.beta) - fraction(p.low.beta))
        / (fraction(p.high.alpha) - fraction(p.low.alpha))
        for p in curve.pieces
    ]
    assert (
        slopes == sorted(set(slopes))
        and fraction(curve.vertices[0].alpha) == 0
        and fraction(curve.vertices[-1].alpha) == 1
    )


def performance(attack: Attack, found: Laws) -> tuple[Fraction, Fraction]:
    """The errors of an attack, counted outcome by outcome."""

    def rejects(i: int) -> Fraction:
        sure, tossed = (
            any((number(i),) in e.outcomes for e in events)
            for events in (attack.rejected, attack.tossed)
        )
        return Fraction(1) if sure else fraction(attack.chance) if tossed else Fraction(0)

    probabilities = [rejects(i) for i in range(len(found[0]))]
    one, power = (
        sum((p * c for p, c in zip(row, probabilities, strict=True)), Fraction(0)) for row in found
    )
    return one, 1 - power


@settings(deadline=None)
@given(laws())
def test_every_point_of_the_curve_is_attained_by_its_attack(found: Laws) -> None:
    curve = tradeoff(table(found), 0, 1)
    for v in curve.vertices:
        assert (
            performance(v.test, found) == (fraction(v.alpha), fraction(v.beta))
            and not v.test.tossed
        )
    for alpha in ALPHAS:
        assert performance(curve.test(alpha), found) == (alpha, fraction(curve.at(alpha)))


def test_infinite_and_zero_ratios() -> None:
    """By hand: output 0 never comes from 1, output 2 never from 0; the rest is 1/2 against 1/4."""
    curve = tradeoff(
        table(
            (
                (Fraction(1, 2), Fraction(1, 2), Fraction(0)),
                (Fraction(0), Fraction(1, 4), Fraction(3, 4)),
            )
        ),
        0,
        1,
    )
    assert [(str(v.alpha), str(v.beta), str(v.test)) for v in curve.vertices] == [
        ("0", "1/4", "the output is 2"),
        ("1/2", "0", "the output is 2 or 1"),
        ("1", "0", "the output is 2 or 1 or 0"),
    ]
    assert (
        str(curve.level) == "oo"
        and str(curve.test("1/8")) == "the output is 2, and on the output is 1 with probability 1/4"
    )


# laws on whole numbers and on the line


@pytest.mark.parametrize(
    ("shift", "scale"), [("1", "1"), ("1/2", "2"), ("3", "1/3"), ("log(2)", "1"), ("1", "log(2)")]
)
def test_laplace_laws_have_the_curve_of_the_literature(shift: str, scale: str) -> None:
    """Dong, Roth and Su (2022), on the Laplace mechanism: with mu = shift/scale, 1 - e^mu alpha
    below e^-mu/2, e^-mu/(4 alpha) up to 1/2, then e^-mu (1 - alpha).
    """
    curve = tradeoff(law(f"exp(-abs(s - size*{shift})/({scale}))/(2*({scale}))"), [0], [1])
    mu = f"({shift})/({scale})"
    bend = math.exp(-near(parse(mu, "mu"))) / 2
    for alpha in [*ALPHAS[1:-1], Fraction(1, 1000)]:
        wanted = (
            f"1 - exp({mu})*{alpha}"
            if alpha <= bend
            else f"exp(-{mu})/(4*{alpha})"
            if alpha <= Fraction(1, 2)
            else f"exp(-{mu})*(1 - {alpha})"
        )
        assert equal(curve.at(alpha), wanted), alpha
    assert equal(curve.total_variation, f"1 - exp(-{mu}/2)") and equal(curve.level, mu)


def test_thresholds_of_laplace_laws_are_quantiles() -> None:
    """P(s >= t) = alpha at t = -log(2 alpha) for alpha <= 1/2 and a Laplace distribution of scale 1
    around 0.
    """
    curve = tradeoff(law("exp(-abs(s - size))/2"), [0], [1])
    for alpha in (Fraction(1, 5), Fraction(1, 3), Fraction(2, 5)):
        (event,) = curve.test(alpha).rejected
        ((_, low, high),) = event.intervals
        assert high is None and low is not None and equal(low, f"-log(2*{alpha})")


def weights(p: Callable[[float], float], points: list[float]) -> list[float]:
    listed = [p(x) for x in points]
    total = math.fsum(listed)
    return [w / total for w in listed]


def sorted_curve(p: list[float], q: list[float], alpha: float) -> float:
    """The least type II error of two tables of probabilities, by sorting their ratios in
    floating point.
    """
    left, power = alpha, 0.0
    for a, b in sorted(
        zip(p, q, strict=True), key=lambda pair: -(pair[1] / pair[0]) if pair[0] else -math.inf
    ):
        if a > left:
            return 1 - power - b * left / a
        left, power = left - a, power + b
    return 1 - power


@pytest.mark.parametrize(
    ("center", "rate"),
    [("size", "1"), ("3*size", "1/2"), ("size + 1/2", "2"), ("5*size - 1/3", "log(3/2)")],
)
def test_two_sided_geometric_laws(center: str, rate: str) -> None:
    """Against sorted tables of 1201 whole numbers; the vertices are few, since both tails have
    one ratio each.
    """
    text = f"exp(-({rate})*abs(k - ({center})))"
    r = near(parse(rate, "rate"))
    centers = [near(parse(center.replace("size", str(n)), "center")) for n in (0, 1)]
    mass = (
        f"(1/(1 - exp(-({rate})))*(exp(-({rate})*({center} - floor({center}))) + "
        f"exp(-({rate})*(1 - ({center} - floor({center}))))))"
    )
    curve = tradeoff(law(f"{text}/{mass}", k), [0], [1])
    p, q = (
        weights(lambda x, c=c: math.exp(-r * abs(x - c)), [float(i) for i in range(-600, 601)])
        for c in centers
    )  # type: ignore[misc]
    for alpha in ALPHAS:
        assert near(curve.at(alpha)) == pytest.approx(sorted_curve(p, q, float(alpha)), abs=1e-9)
    shift = f"({center.replace('size', '1')}) - ({center.replace('size', '0')})"
    assert equal(curve.level, f"({rate})*({shift})") and len(curve.vertices) <= 8


REAL: list[tuple[str, tuple[int, int], Callable[[float, int], float]]] = [
    (
        "piecewise((2*exp(s - size)/3, s < size), (2*exp(-2*(s - size))/3, true))",
        (0, 1),
        lambda x, n: 2 / 3 * math.exp(x - n if x < n else -2 * (x - n)),
    ),
    (
        "piecewise((size*exp(-s*size), s >= 0), (0, true))",
        (1, 3),
        lambda x, n: n * math.exp(-n * x) if x >= 0 else 0,
    ),
    (
        "piecewise((1/(1 + size), 0 <= s and s < 1 + size), (0, true))",
        (0, 2),
        lambda x, n: 1 / (1 + n) if 0 <= x < 1 + n else 0,
    ),
    (
        "piecewise((piecewise((1, s < 1), (0, true)), s >= 0 and size == 1), (exp(-s), s >= 0), "
        "(0, true))",
        (0, 1),
        lambda x, n: float(0 <= x < 1) if n else math.exp(-x) * (x >= 0),
    ),
    (
        "piecewise((piecewise((1, s < 1), (0, true)), s >= 0 and size == 0), (exp(-s), s >= 0), "
        "(0, true))",
        (0, 1),
        lambda x, n: math.exp(-x) * (x >= 0) if n else float(0 <= x < 1),
    ),
    (
        "piecewise((exp(-(s - size)), s >= size), (0, true))",
        (0, 1),
        lambda x, n: math.exp(n - x) if x >= n else 0,
    ),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("text", "sizes", "density"), REAL)
def test_other_laws_on_the_line(
    text: str, sizes: tuple[int, int], density: Callable[[float, int], float]
) -> None:
    """Against both distributions on a grid of 40000 cells."""
    curve = tradeoff(law(text), [sizes[0]], [sizes[1]])
    grid = [-20 + (i + 0.5) / 1000 for i in range(40000)]
    p, q = (weights(partial(lambda n, x: density(x, n), n), grid) for n in sizes)
    for alpha in ALPHAS:
        assert near(curve.at(alpha)) == pytest.approx(sorted_curve(p, q, float(alpha)), abs=2e-3)


def test_atoms_and_finite_outputs_beside_a_density() -> None:
    """Clamping a Laplace distribution to [0, 1] merges each of its tails, on which the ratio is one
    number: the curve stays that of the law itself.
    """
    ends = {
        0: parse("exp(-size)/2", "mass"),
        1: parse("piecewise((exp(-1)/2, size == 0), (1/2, true))", "mass"),
    }
    clamped = law("piecewise((exp(-abs(s - size))/2, 0 < s and s < 1), (0, true))", atoms=ends)
    whole = tradeoff(law("exp(-abs(s - size))/2"), [0], [1])
    found = tradeoff(clamped, [0], [1])
    assert all((normal(found.at(a), EMPTY) - normal(whole.at(a), EMPTY)).is_zero for a in ALPHAS)
    assert str(found.vertices[1].test) == "the output is 1"
    coin = law(
        "piecewise((1/4, b == 1), (3/4, true))*exp(-abs(s - size*b))/2", [finite("b", [0, 1]), s]
    )
    mixed = tradeoff(coin, [0], [1])
    assert equal(mixed.total_variation, "(1 - exp(-1/2))/4") and equal(
        mixed.at("1/2"), "exp(-1/2)/8 + 3/4 - (1/2 - exp(-1/2)/8)"
    )


@pytest.mark.parametrize(
    "text",
    ["exp(-abs(s - size))/2", "piecewise((exp(-(s - size)), s >= size), (0, true))", REAL[0][0]],
)
def test_total_variation_is_delta_at_level_0(text: str) -> None:
    """Of the move from no record to one, by the divergence of `delta`, which knows no ratios."""
    m = law(text)
    found = delta(m, "0", "add-remove")
    assert found.exact and found.value is not None
    assert (
        normal(tradeoff(m, [0], [1]).total_variation, EMPTY) - normal(found.value, EMPTY)
    ).is_zero


@pytest.mark.sweep(2)
@pytest.mark.parametrize("level", ["0", "1/3", "1/2", "9/10"])
def test_delta_is_read_off_the_curve(level: str) -> None:
    """delta(d) is the largest 1 - beta - e^d alpha along the curve; here over many alpha, so
    from below and close.
    """
    curve = tradeoff(law("exp(-abs(s - size))/2"), [0], [1])
    value = near(delta(law("exp(-abs(s - size))/2"), level, "add-remove").low)
    gaps = [
        1 - near(curve.at(Fraction(i, 200))) - math.exp(float(Fraction(level))) * i / 200
        for i in range(201)
    ]
    assert max(gaps) <= value + 1e-12 and max(gaps) == pytest.approx(value, abs=1e-3)


# what is refused, and how a curve looks


@pytest.mark.parametrize(
    ("mechanism", "sides", "said"),
    [
        (
            law("exp(-abs(s)/size)/size/2"),
            ([1], [2]),
            "trade-off: the likelihood ratio takes the same values in two places",
        ),
        (
            law("exp(-abs(s - size))/4 + exp(-abs(s - size)/2)/8"),
            ([0], [1]),
            "not a single exponential",
        ),
        (
            law("piecewise((2*s, 0 < s and s < 1 and size == 0), (1, 0 < s and s < 1), (0, true))"),
            ([0], [1]),
            "the density of s is not a single exponential",
        ),
        (
            law("exp(-abs(s - size) - abs(t - size))/4", [s, real("t")]),
            ([0], [1]),
            "more than one output",
        ),
        (
            law("(1 - exp(-1/(1 + size)))/(1 + exp(-1/(1 + size)))*exp(-abs(k)/(1 + size))", k),
            ([0], [1]),
            "infinitely many values",
        ),
        (law("piecewise((1, k == size), (0, true))*(3 - 2*k)", k), ([1], [3]), "negative"),
    ],
)
def test_a_curve_that_was_not_worked_out_is_not_bad_input(
    mechanism: Mechanism, sides: tuple[list[int], list[int]], said: str
) -> None:
    with pytest.raises(NotWorkedOut, match=said) as caught:
        tradeoff(mechanism, *sides)
    assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("mechanism", "sides", "said"),
    [
        (law("exp(-abs(s - 1/size))/2"), ([0], [1]), "divides by 0"),
        (law("exp(-abs(s - size))"), ([0], [1]), "add up to 2, not to 1"),
        (law("exp(-abs(s - size))/2"), ([0], [1, 2]), "2 counts are given for 1"),
        (
            law("exp(-abs(s - size)/b)/(2*b)", parameters={"b": "b > 0"}),
            ([0], [1]),
            "there is no value for b",
        ),
    ],
)
def test_what_has_no_curve_is_refused_with_one_sentence(
    mechanism: Mechanism, sides: tuple[list[int], list[int]], said: str
) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        tradeoff(mechanism, *sides)
    assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("alpha", "said"),
    [
        ("-1/2", "not a type I error"),
        (2, "not a type I error"),
        (0.5, "float"),
        ("oo", "not a number"),
        ("b", "not a constant"),
        ("1/(1 - 1)", "has no value"),
    ],
)
def test_an_alpha_is_an_exact_number_from_0_to_1(alpha: object, said: str) -> None:
    curve = tradeoff(law("exp(-abs(s - size))/2"), [0], [1])
    for ask in (curve.at, curve.test):
        with pytest.raises(BadInput, match=said):
            ask(alpha)


def test_a_curve_is_a_table_in_a_notebook_too() -> None:
    shown = tradeoff(
        table(((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))), 0, 1
    )
    assert str(shown).splitlines() == [
        "trade-off of the mechanism: 0 or 1",
        "type I  decimal  type II  decimal  the best test rejects 0 on",
        "0       0        1        1        nothing",
        "1/4     0.25     1/4      0.25     the output is 1",
        "1       1        0        0        the output is 1 or 0",
        "  total variation 1/2, level log(3) = 1.09861",
    ]
    assert (
        shown._repr_html_().count("<tr>") == 4
        and "<td>1/4</td><td>0.25</td>" in shown._repr_html_()
    )


def test_many_vertices_are_all_there_and_not_all_shown() -> None:
    """201 whole numbers lie between the centers, and each has a ratio of its own."""
    curve = tradeoff(
        law("(1 - exp(-1/10))/(1 + exp(-1/10))*exp(-abs(k - 200*size)/10)", k), [0], [1]
    )
    shown = str(curve).splitlines()
    assert len(curve.vertices) == 202 and "... 142 more" in shown[32] and len(shown) == 2 + 61 + 1
    assert near(curve.vertices[101].alpha) == pytest.approx(
        math.exp(-10) / (1 + math.exp(-0.1))
    )  # k >= 100
    assert str(curve.vertices[101].test) == "k >= 100" and equal(curve.level, "20")


def curve_of(text: str) -> Tradeoff:
    return tradeoff(law(text), [0], [1])


def test_the_points_that_are_drawn_lie_on_the_curve() -> None:
    curve = curve_of("exp(-abs(s - 2*size))/2")
    xs, ys = plots.tradeoff_points(curve)
    assert xs == sorted(xs) and len(xs) > 30 and (xs[0], xs[-1]) == (0, 1)
    mu = 2.0
    for x, y in zip(xs, ys, strict=True):
        wanted = (
            1 - math.exp(mu) * x
            if x <= math.exp(-mu) / 2
            else math.exp(-mu) / (4 * x)
            if x <= 0.5
            else math.exp(-mu) * (1 - x)
        )
        assert y == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("level", [None, "1", "oo"])
def test_a_picture_is_drawn(tmp_path: Path, level: str | None) -> None:
    pytest.importorskip("matplotlib")
    curve = curve_of("exp(-abs(s - size))/2")
    draw_tradeoff(curve, tmp_path / "curve.png", level)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadInput, match="there is no folder"):
        draw_tradeoff(curve, tmp_path / "missing" / "curve.png")
    with pytest.raises(BadInput, match="-1 is negative"):
        draw_tradeoff(curve, tmp_path / "curve.png", "-1")


@settings(deadline=None, max_examples=examples(30, 8))
@given(laws())
def test_the_two_orders_are_inverse_functions(found: Laws) -> None:
    """The curve of (D', D) is the inverse of that of (D, D') where both fall."""
    curve, other = tradeoff(table(found), 0, 1), tradeoff(table(found), 1, 0)
    inner = [
        (a, b)
        for v in curve.vertices
        if (a := fraction(v.alpha)) > 0 and (b := fraction(v.beta)) > 0
    ]
    assert [(fraction(other.at(b)), b) for _, b in inner] == inner
    assert curve.level == other.level == implied_level(curve)


@pytest.mark.parametrize(
    ("weight", "shift"), [("1/(1 + exp(-1))", 1 / (1 + math.exp(-1))), ("4/5", 0.8)]
)
def test_laplace_noise_around_a_quotient_of_exponentials(weight: str, shift: float) -> None:
    """Outside the centres the ratio is constant, however the exponents are written (seed 20280700
    of the fuzzer); the curve in closed form is that of Dong, Roth and Su, Gaussian Differential
    Privacy (2022), for Laplace noise.
    """
    W = Domain([(1, 1)])
    M = Mechanism(W, outputs=[real("s")], density=parse(f"exp(-abs(s - {weight}*size))/2"))
    curve = tradeoff(M, [0], [1])
    for a in (Fraction(1, 10), Fraction(3, 10), Fraction(9, 10)):
        low = math.exp(-shift) / 2
        expected = (
            1 - math.exp(shift) * a
            if a < low
            else math.exp(-shift) / (4 * a)
            if a < 0.5
            else math.exp(-shift) * (1 - a)
        )
        found = approximate_rational(normal(curve.at(str(a)), Context.empty()))
        assert float(found) == pytest.approx(expected, rel=1e-12)
