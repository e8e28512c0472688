"""The local model over an interval or a box, with mechanisms whose largest loss is known from the
range of a polynomial.

The range is found by mpmath from the roots of the derivative, which may lie inside the interval. A
bit whose probability is a polynomial loses the logarithm of the quotient of its extremes, or of
those of the other outcome; Laplace noise loses the range of its query, and between two values at
most the largest slope times their distance. A claim a little above the loss must not be refuted,
one below not be proved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from mpmath import mp, mpf

from fuzz import ask
from fuzz.case import Outcome, document

DIGITS = 30  # of mpmath's numbers here
SECONDS = 8.0  # limit for one question
FACTORS = ("1/2", "9/10", "99/100", "999/1000", "1001/1000", "101/100", "11/10", "2")
Coefficients = list[Fraction]  # the constant term first


@dataclass(frozen=True)
class Local:
    """A mechanism on an interval: its table of the file, the level as text of which a multiple is
    claimed, and the largest loss in units of that level.
    """

    name: str
    values: dict[str, str]
    outputs: list[dict[str, Any]]
    density: str
    unit: str
    loss: mpf


def to_mpf(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def at(p: Coefficients, x: mpf) -> mpf:
    return sum((to_mpf(c) * x**i for i, c in enumerate(p)), mpf(0))


def slope(p: Coefficients) -> Coefficients:
    return [i * c for i, c in enumerate(p)][1:] or [Fraction(0)]


def extremes(p: Coefficients, low: Fraction, high: Fraction) -> tuple[mpf, mpf]:
    """The least and the largest value between the ends."""
    places = [to_mpf(low), to_mpf(high)]
    inner = slope(p)
    while len(inner) > 1 and inner[-1] == 0:
        inner = inner[:-1]
    if len(inner) > 1:
        roots = mp.polyroots([to_mpf(c) for c in reversed(inner)], maxsteps=200, extraprec=200)
        near = [mp.re(r) for r in roots if abs(mp.im(r)) < mpf("1e-12")]
        places += [r for r in near if places[0] <= r <= places[1]]
    found = [at(p, x) for x in places]
    return min(found), max(found)


def text_of(p: Coefficients, key: str) -> str:
    return " + ".join(f"({c})*{key}^{i}" if i else f"({c})" for i, c in enumerate(p))


def polynomial(rng: Random) -> Coefficients:
    return [Fraction(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(rng.randint(2, 5))]


def ends(rng: Random) -> tuple[Fraction, Fraction]:
    low = Fraction(rng.randint(-2, 1), rng.randint(1, 2))
    return low, low + Fraction(rng.randint(1, 4), rng.randint(1, 3))


def condition(low: Fraction, high: Fraction, key: str = "v") -> str:
    return f"{low} <= {key} and {key} <= {high}"


def bit(rng: Random) -> Local:
    """A bit whose probability is a polynomial between 1/8 and 7/8, at most."""
    (low, high), p = ends(rng), polynomial(rng)
    least, most = extremes(p, low, high)
    spread = Fraction(int(most - least) + 1) * 4 / 3
    start = Fraction(int(mp.floor(least)))
    # (p - start)/spread + 1/8 lies between 1/8 and 7/8 only if the range starts near its floor
    p = [c / spread for c in p]
    p[0] += Fraction(1, 8) - start / spread
    least, most = extremes(p, low, high)
    if not 0 < least <= most < 1:
        return bit(rng)
    loss = max(mp.log(most / least), mp.log((1 - least) / (1 - most)))
    often = text_of(p, "v")
    return Local(
        "bit",
        {"v": condition(low, high)},
        [{"name": "b", "kind": "finite", "values": ["0", "1"]}],
        f"piecewise(({often}, b == 1), (1 - ({often}), true))",
        "1",
        loss,
    )


def noisy(rng: Random) -> Local:
    """Laplace noise of scale g on a polynomial."""
    (low, high), p, g = ends(rng), polynomial(rng), Fraction(rng.randint(1, 4), rng.randint(1, 3))
    least, most = extremes(p, low, high)
    return Local(
        "noisy",
        {"v": condition(low, high)},
        [{"name": "s", "kind": "real"}],
        f"exp(-abs(s - ({text_of(p, 'v')}))/({g}))/(2*({g}))",
        "1",
        (most - least) / to_mpf(g),
    )


def by_distance(rng: Random) -> Local:
    """The same, with a level that is a multiple of the distance."""
    (low, high), p, g = ends(rng), polynomial(rng), Fraction(rng.randint(1, 4), rng.randint(1, 3))
    steepest = max(map(abs, extremes(slope(p), low, high)))
    return Local(
        "by distance",
        {"v": condition(low, high)},
        [{"name": "s", "kind": "real"}],
        f"exp(-abs(s - ({text_of(p, 'v')}))/({g}))/(2*({g}))",
        "abs(v - other)",
        steepest / to_mpf(g),
    )


def box(rng: Random) -> Local:
    """Noise on the sum of two polynomials, one of each part of a value."""
    parts = [(ends(rng), polynomial(rng)) for _ in range(2)]
    spans = [extremes(p, *span) for span, p in parts]
    keys = ("v[1]", "v[2]")
    query = " + ".join(text_of(p, k) for (_, p), k in zip(parts, keys, strict=True))
    both = " and ".join(condition(*span, k) for (span, _), k in zip(parts, keys, strict=True))
    return Local(
        "box",
        {"v[2]": both},
        [{"name": "s", "kind": "real"}],
        f"exp(-abs(s - ({query})))/2",
        "1",
        sum((most - least for least, most in spans), mpf(0)),
    )


MAKERS: tuple[Callable[[Random], Local], ...] = (bit, bit, noisy, noisy, by_distance, box)


@mp.workdps(DIGITS)  # the oracles of other kinds set more
def intervals(rng: Random) -> Outcome:
    """One claim about a random local mechanism; the loss that is computed here decides it."""
    made, factor = rng.choice(MAKERS)(rng), Fraction(rng.choice(FACTORS))
    claimed = Fraction(int(made.loss * to_mpf(factor) * 10**9), 10**9)
    wanted = "proved" if factor > 1 else "refuted"
    data = {
        "format": 2,
        "name": made.name,
        "domain": {"values": made.values},
        "mechanism": {"outputs": made.outputs, "density": made.density},
        "claim": [{"relation": "any", "level": f"({claimed})*{made.unit}"}],
    }
    out = Outcome("intervals", document(data) + f"# {wanted}\n")
    if made.loss < mpf("1e-6"):
        return out
    return ask.compared(out, data, wanted, f"the largest loss is {mp.nstr(made.loss, 15)}", SECONDS)


KINDS = {"intervals": (4, intervals)}
