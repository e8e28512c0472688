"""Draws from a smooth density of one real output, by SciPy's numerical inversion of its
distribution function (PINV, Derflinger, Hörmann and Leydold 2010), and of one whole output by a
table.

Between two points of the law the density is smooth.  A piece is chosen by its mass, and inverted to
within 10^-10 of a probability.  The table holds all numbers next to the likeliest one but those of
negligible probability.  Floats throughout: nothing here is part of a proof.  Needs scipy.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> rng = np.random.default_rng(1)
>>> values, total = draw_by_inversion(parse("1/(pi*(1 + (s - 3)^2))"), "s", (), rng, 4000)
>>> bool(abs(np.median(values) - 3) < 0.1), round(total, 6)
(True, 1.0)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from ahdp_verify.kernel.errors import Missing, Unsupported
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.sampling.floats import Array, np
from ahdp_verify.search.floating_point import WITHOUT_VALUE, float_function

REACH = 60  # powers of 2, up and down, at which the density beyond a point is looked at
INNER = 201  # places at which it is looked at between two points
RESOLUTION = 1e-10  # of a probability
# values of a density after which its inversion is given up; those that fall take 8,000 to 30,000
MOST_VALUES = 300_000
NEGLIGIBLE = 1e-12  # mass of a piece that is left out
LONGEST, QUIET = 100_000, 100  # numbers of a table, and negligible ones in a row at which it ends

Density = Callable[[float], float]


def draw_by_inversion(
    law: Expression, name: str, points: tuple[float, ...], rng: Any, n: int
) -> tuple[Array, float]:
    """n draws of an output from its density, smooth between ascending points, and the total of the
    density; Unsupported where it could not be inverted.
    """
    density = float_density(law, name)
    pieces = list(itertools.pairwise((-math.inf, *points, math.inf)))
    masses = [mass_between(density, low, high) for low, high in pieces]
    total = sum(masses)
    if not 0 < total < math.inf:
        raise Unsupported(f"the density of {name} has no total in floats")
    chosen = rng.choice(len(pieces), size=n, p=[mass / total for mass in masses])
    values = np.empty(n)
    for k, (low, high) in enumerate(pieces):
        rows = np.flatnonzero(chosen == k)
        if len(rows):
            values[rows] = inverted(density, low, high, rng, len(rows))
    return values, total


def draw_from_table(
    law: Expression, name: str, points: tuple[float, ...], rng: Any, n: int
) -> tuple[Array, float]:
    """n draws of a whole output from its probabilities, and their total; Unsupported where more
    than `LONGEST` of them are not negligible.
    """
    density = float_density(law, name)
    listed = [math.floor(p) + k for p in points or (0.0,) for k in (-1, 0, 1)]
    start = max(listed, key=density)
    found = {start: density(start)}
    for side in (1, -1):
        k, quiet = start, 0
        while quiet < QUIET:
            k += side
            found[k] = density(k)
            quiet = quiet + 1 if found[k] < NEGLIGIBLE * NEGLIGIBLE else 0
            if len(found) > LONGEST:
                raise Unsupported(f"the distribution of {name} falls too slowly for a table")
    total = sum(found.values())
    if not 0 < total < math.inf:
        raise Unsupported(f"the probabilities of {name} have no total in floats")
    values = np.asarray(list(found))
    return rng.choice(values, size=n, p=[p / total for p in found.values()]), total


def float_density(law: Expression, name: str) -> Density:
    """A law as a function of its output in floats; 0 where it has no value."""
    value = float_function(law)

    def density(s: float) -> float:
        try:
            found = float(value({name: s}))
        except WITHOUT_VALUE:
            return 0.0
        return found if math.isfinite(found) and found > 0 else 0.0

    return density


def mass_between(density: Density, low: float, high: float) -> float:
    """The integral of a density between two places; 0 where it is negligible."""
    quad = _scipy().integrate.quad
    middle = likeliest_place(density, low, high)
    parts = ((low, middle), (middle, high))
    found = sum(quad(density, a, b, limit=200, full_output=True)[0] for a, b in parts if a < b)
    return found if found > NEGLIGIBLE else 0.0


def likeliest_place(density: Density, low: float, high: float) -> float:
    """The place, of those looked at, where a density is largest."""
    steps = [math.ldexp(1.0, k) for k in range(-REACH, REACH)]
    if math.isfinite(low) and math.isfinite(high):
        places = [low + (high - low) * (k + 0.5) / INNER for k in range(INNER)]
    elif math.isfinite(low):
        places = [low + step for step in steps]
    elif math.isfinite(high):
        places = [high - step for step in steps]
    else:
        near = [k / 10 for k in range(-INNER, INNER + 1)]
        places = [*near, *steps, *(-step for step in steps)]
    return max(places, key=density)


def inverted(density: Density, low: float, high: float, rng: Any, n: int) -> Array:
    """n draws from a density between two places; Unsupported where SciPy does not invert it."""
    sampling = _scipy().stats.sampling
    asked = itertools.count()

    class Law:
        """The density, as SciPy asks for it."""

        def pdf(self, s: float) -> float:
            if next(asked) > MOST_VALUES:
                raise Unsupported("a piece of the density does not seem to fall off")
            return density(s)

    try:
        inverse = sampling.NumericalInversePolynomial(
            Law(),
            center=likeliest_place(density, low, high),
            domain=(low, high),
            u_resolution=RESOLUTION,
            random_state=rng,
        )
        found: Array = inverse.rvs(n)
        return found
    except sampling.UNURANError as why:
        raise Unsupported(f"a piece of the density was not inverted ({why})") from None


def _scipy() -> Any:
    """The module scipy with what is used of it; Missing where it is not installed."""
    try:
        import scipy.integrate  # noqa: PLC0415 - it is an extra, and slow to load
        import scipy.stats.sampling  # noqa: PLC0415
    except ImportError:
        raise Missing("sampling", "scipy", "sampling") from None
    return scipy
