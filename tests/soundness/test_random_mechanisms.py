"""Brute force: random small mechanisms, on which `verify` has to agree with an oracle that shares
no code with it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction

import mpmath
import pytest

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Expression, exp, log, name, number, piecewise
from ahdp_verify.kernel.terms.expression import eq as equals
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from tests.sweeps import swept

Law = tuple[Fraction, ...]
RATIOS = tuple(Fraction(t) for t in ("1", "5/4", "3/2", "2", "3", "5"))
LIMITS = Limits(seconds=20)


def answer(claim: Claim) -> bool | None:
    """True for Proved, False for Refuted, None for Unknown."""
    found = verify(claim, LIMITS)
    return isinstance(found, Proved) if isinstance(found, Proved | Refuted) else None


def random_law(draw: random.Random, values: int, zeros: bool = False) -> Law:
    weights = [draw.randint(0 if zeros else 1, 6) for _ in range(values)]
    weights[0] = weights[0] or 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


def excess(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """The largest p(E) - ratio * q(E) over all events E, by trying all events."""
    events = itertools.product((0, 1), repeat=len(p))
    return max(
        sum(
            (a - ratio * b for a, b, chosen in zip(p, q, event, strict=True) if chosen), Fraction(0)
        )
        for event in events
    )


def chosen(law: Law) -> Expression:
    """The distribution of a finite output as a tree."""
    return piecewise(*((p, equals(name("y"), i)) for i, p in enumerate(law[:-1])), (law[-1], True))


def near(values: Iterator[Fraction]) -> list[Fraction]:
    """Deltas at, just below and just above each exact divergence: the places where an off-by-one
    would show.
    """
    return sorted(
        {
            max(Fraction(0), v + d)
            for v in values
            for d in (Fraction(0), Fraction(-1, 1000), Fraction(1, 1000))
        }
    )


@pytest.mark.parametrize("seed", swept(range(15), 5))
def test_local_model_with_finite_outputs(seed: int) -> None:
    draw = random.Random(seed)
    inputs, outputs = draw.randint(2, 3), draw.randint(2, 3)
    laws = [random_law(draw, outputs, zeros=seed % 3 == 0) for _ in range(inputs)]
    density = piecewise(
        *((chosen(law), equals(name("v"), i)) for i, law in enumerate(laws[:-1])),
        (chosen(laws[-1]), True),
    )
    mechanism = Mechanism(
        Values(range(inputs)), outputs=[finite("y", range(outputs))], density=density, name="table"
    )
    ratio = draw.choice(RATIOS)
    worst = max(excess(p, q, ratio) for p, q in itertools.permutations(laws, 2))
    for delta in (Fraction(0), *near(iter((worst,)))):
        assert answer(Claim(mechanism, "any", log(number(ratio)), number(delta))) is (
            worst <= delta
        )


@pytest.mark.parametrize("seed", swept(range(6), 2))
def test_levels_of_pairs(seed: int) -> None:
    """A level that depends on the value and its neighbour is compared with each ordered pair by
    itself.
    """
    draw = random.Random(100 + seed)
    laws = [random_law(draw, 2) for _ in range(2)]
    mechanism = Mechanism(
        Values([0, 1]),
        outputs=[finite("y", [0, 1])],
        density=piecewise((chosen(laws[0]), equals(name("v"), 0)), (chosen(laws[1]), True)),
        name="pair",
    )
    up, down = (draw.choice(RATIOS) for _ in range(2))
    level = piecewise((log(number(up)), equals(name("v"), 0)), (log(number(down)), True))
    true = excess(laws[0], laws[1], up) <= 0 and excess(laws[1], laws[0], down) <= 0
    assert answer(Claim(mechanism, "any", level)) is true


# datasets: the law depends on the total of x, cut off at 3


def datasets(records: int, most: int) -> Iterator[tuple[int, ...]]:
    return (h for h in itertools.product(range(most + 1), repeat=records) if sum(h) <= most)


def changed(h: tuple[int, ...], steps: dict[int, int]) -> tuple[int, ...]:
    return tuple(c + steps.get(i, 0) for i, c in enumerate(h))


def pairs(
    relation: str, demands: list[Fraction], most: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], Fraction | None]]:
    """All neighbours among small datasets, both directions, with the ratio that the demand
    allows (None: the claim's own).
    """
    for h in datasets(len(demands), most):
        for i in range(len(demands)):
            if relation in ("ahdp", "add-remove"):
                other, ratio = changed(h, {i: 1}), demands[i] if relation == "ahdp" else None
                yield h, other, ratio
                yield other, h, ratio
            for j in range(len(demands)) if relation in ("hdp", "swap") and h[i] else ():
                if i != j and (relation == "swap" or demands[i] == demands[j]):
                    yield h, changed(h, {i: -1, j: 1}), demands[i] if relation == "hdp" else None


@pytest.mark.sweep(3)
@pytest.mark.parametrize("relation", ["ahdp", "add-remove", "hdp", "swap"])
@pytest.mark.parametrize("seed", swept(range(6), 2))
def test_datasets_with_finite_outputs(relation: str, seed: int) -> None:
    draw = random.Random(1000 * seed + len(relation))
    outputs, x = draw.randint(2, 3), draw.sample([0, 1, 2, 3], k=2)
    demands = [draw.choice(RATIOS[2:]) for _ in x] if seed % 2 else [draw.choice(RATIOS[2:])] * 2
    laws = [random_law(draw, outputs)]
    for _ in range(2):
        tilted = [p * draw.choice((2, 3)) for p in laws[-1]]
        laws.append(tuple(p / sum(tilted) for p in tilted))
    total = parse("sum(x)")
    density = piecewise(
        (chosen(laws[0]), total < 1), (chosen(laws[1]), total < 2), (chosen(laws[2]), True)
    )
    W = Domain([(a, log(number(d))) for a, d in zip(x, demands, strict=True)])
    mechanism = Mechanism(W, outputs=[finite("y", range(outputs))], density=density, name="total")
    own = draw.choice(RATIOS)

    def law(h: tuple[int, ...]) -> Law:
        return laws[min(2, sum(a * c for a, c in zip(x, h, strict=True)))]

    worst = max(
        (
            excess(law(h), law(g), own if ratio is None else ratio)
            for h, g, ratio in pairs(relation, demands, 4)
        ),
        default=Fraction(0),
    )
    level = name("eps") if relation in ("ahdp", "hdp") else log(number(own))
    for delta in (Fraction(0), *near(iter((worst,)))):
        assert answer(Claim(mechanism, relation, level, number(delta))) is (worst <= delta)


# additive noise: closed forms, compared at 60 digits


def hockey_stick(shift: Fraction, level: Fraction) -> mpmath.mpf:
    """The divergence of two Laplace distributions of scale 1, by numerical integration of the
    excess between its kinks.
    """
    with mpmath.workdps(30):
        gap, factor = (
            mpmath.mpf(shift.numerator) / shift.denominator,
            mpmath.exp(mpmath.mpf(level.numerator) / level.denominator),
        )
        if gap <= mpmath.log(factor):
            return mpmath.mpf(0)
        crossing = (gap - mpmath.log(factor)) / 2
        return mpmath.quad(
            lambda s: (mpmath.exp(-abs(s)) - factor * mpmath.exp(-abs(s - gap))) / 2,
            [-mpmath.inf, 0, crossing],
        )


@pytest.mark.parametrize("seed", swept(range(10), 4))
def test_laplace_with_rational_shifts(seed: int) -> None:
    draw = random.Random(seed)
    at, scale = (
        [Fraction(draw.randint(0, 8), draw.randint(1, 4)) for _ in range(2)],
        Fraction(draw.randint(1, 4), draw.randint(1, 3)),
    )
    at[1] = at[1] if at[1] != at[0] else at[0] + 1
    where = piecewise((at[0], equals(name("v"), 0)), (at[1], True))
    density = exp(-abs(name("s") - where) / scale) / (2 * scale)
    mechanism = Mechanism(Values([0, 1]), outputs=[real("s")], density=density, name="laplace")
    loss = abs(at[0] - at[1]) / scale
    for level in (loss, loss - Fraction(1, 1000), loss + Fraction(1, 1000), loss / 2):
        assert answer(Claim(mechanism, "any", number(level))) is (level >= loss)
    exact = hockey_stick(loss, loss / 2)
    for off in (Fraction(1, 50), -Fraction(1, 50)):
        delta = Fraction(str(mpmath.nstr(exact, 8))) + off * Fraction(str(mpmath.nstr(exact, 3)))
        assert answer(Claim(mechanism, "any", number(loss / 2), number(delta))) is (off > 0)


@pytest.mark.parametrize("seed", swept(range(5), 2))
def test_geometric_noise_with_whole_shifts(seed: int) -> None:
    draw = random.Random(seed)
    q, shift = Fraction(1, draw.randint(2, 5)), draw.randint(1, 3)
    noise = number(q) ** abs(name("n") - piecewise((0, equals(name("v"), 0)), (shift, True)))
    mechanism = Mechanism(
        Values([0, 1]),
        outputs=[integer("n")],
        density=noise * ((1 - q) / (1 + q)),
        name="geometric",
    )

    def loss(n: int) -> Fraction:
        return q ** abs(n) / q ** abs(n - shift)

    largest = max(max(loss(n), 1 / loss(n)) for n in range(-9, 10))
    for ratio in (largest, largest - Fraction(1, 1000), largest + 1):
        assert answer(Claim(mechanism, "any", log(number(ratio)))) is (ratio >= largest)


@pytest.mark.parametrize("seed", swept(range(4), 2))
def test_an_atom_beside_a_density(seed: int) -> None:
    """With probability a[v] nothing is said ("NULL"), else Laplace noise of scale 1 is: the loss
    is that of the atom or of the density.
    """
    draw = random.Random(seed)
    a = [Fraction(draw.randint(1, 4), 8) for _ in range(2)]
    shift = Fraction(draw.randint(0, 2), 2)
    silent = piecewise((a[0], equals(name("v"), 0)), (a[1], True))
    said = (
        (1 - silent)
        * exp(-abs(name("s") - piecewise((0, equals(name("v"), 0)), (shift, True))))
        / 2
    )
    mechanism = Mechanism(
        Values([0, 1]), outputs=[real("s")], density=said, atoms=[("NULL", silent)], name="silence"
    )
    with mpmath.workdps(40):
        atom, rest = (
            abs(mpmath.log(mpmath.mpf(b.numerator) / b.denominator))
            for b in (a[0] / a[1], (1 - a[0]) / (1 - a[1]))
        )
        worst = max(atom, rest + mpmath.mpf(shift.numerator) / shift.denominator)
        middle = Fraction(str(mpmath.nstr(worst, 12)))
    for level in (middle + Fraction(1, 1000), middle - Fraction(1, 1000)):
        if level >= 0:
            assert answer(Claim(mechanism, "any", number(level))) is (level > middle)
