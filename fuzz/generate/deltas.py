"""Claims with delta whose least delta is known: Gaussian, discrete Gaussian and binomial noise, two
independent outputs, and datasets in which each record has a delta of its own.

The least deltas are computed here with mpmath, by formulas and sums that share nothing with the
package.  A claim a little above must not be refuted, one a little below must not be proved.
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
FACTORS = ("9/10", "99/100", "999/1000", "1001/1000", "101/100", "11/10")
STEP = 10**12  # deltas are multiples of 1/STEP
SMALL = mpf("1e-7")  # deltas below this are not asked for, since rounding would decide


@dataclass(frozen=True)
class Noise:
    """Noise on a number v: its outputs and density as text, and the least delta of a move by d at
    a level, which may be negative.
    """

    name: str
    outputs: tuple[dict[str, Any], ...]
    density: str
    least: Callable[[mpf, int], mpf]
    parts: tuple[Callable[[mpf], mpf], Callable[[mpf], mpf]] | None = None


def to_mpf(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def scale(rng: Random) -> Fraction:
    return Fraction(rng.randint(1, 6), rng.randint(1, 3))


def gaussian_delta(sigma: mpf, level: mpf, d: int) -> mpf:
    """Phi(d/(2 sigma) - level sigma/d) - exp(level) Phi(-d/(2 sigma) - level sigma/d)."""
    if d == 0:
        return max(mpf(0), 1 - mp.exp(level))
    half, far = d / (2 * sigma), level * sigma / d
    return mp.ncdf(half - far) - mp.exp(level) * mp.ncdf(-half - far)


def laplace_delta(rate: mpf, level: mpf, d: int) -> mpf:
    """1 - exp((level - rate d)/2) between -rate d and rate d, beyond 1 - exp(level) or 0."""
    if level >= rate * d:
        return mpf(0)
    return 1 - mp.exp(level) if level <= -rate * d else 1 - mp.exp((level - rate * d) / 2)


def gaussian(rng: Random, output: str = "s") -> Noise:
    """Gaussian noise."""
    sigma = scale(rng)
    return Noise(
        "gaussian",
        ({"name": output, "kind": "real"},),
        f"exp(-({output} - v)^2/(2*({sigma})^2))/(({sigma})*sqrt(2*pi))",
        lambda level, d: gaussian_delta(to_mpf(sigma), level, d),
    )


def laplace(rng: Random, output: str = "s") -> Noise:
    """Laplace noise."""
    rate = 1 / scale(rng)
    return Noise(
        "laplace",
        ({"name": output, "kind": "real"},),
        f"exp(-({rate})*abs({output} - v))*({rate})/2",
        lambda level, d: laplace_delta(to_mpf(rate), level, d),
    )


def discrete_gaussian(rng: Random) -> Noise:
    """Discrete Gaussian noise."""
    a = 1 / (2 * scale(rng) ** 2)
    p = {k: mp.exp(-to_mpf(a) * k * k) for k in range(-80, 81)}
    total = mp.fsum(p.values())

    def least(level: mpf, d: int) -> mpf:
        e = mp.exp(level)
        return mp.fsum(max(mpf(0), p[k] - e * p.get(k - d, mpf(0))) for k in p) / total

    return Noise(
        "discrete gaussian",
        ({"name": "s", "kind": "integer"},),
        f"exp(-({a})*(s - v)^2)/theta3({a})",
        least,
    )


def binomial(rng: Random) -> Noise:
    """Binomial noise: the number of heads of n coins of probability p."""
    n, p = rng.randint(1, 12), Fraction(rng.randint(1, 5), 6)
    at = [mp.binomial(n, k) * to_mpf(p) ** k * to_mpf(1 - p) ** (n - k) for k in range(n + 1)]

    def least(level: mpf, d: int) -> mpf:
        e, zero = mp.exp(level), mpf(0)
        there = [at[k] if 0 <= k <= n else zero for k in range(-d, n + d + 1)]
        moved = [at[k - d] if 0 <= k - d <= n else zero for k in range(-d, n + d + 1)]
        both = ((there, moved), (moved, there))
        return max(
            mp.fsum(max(zero, a - e * b) for a, b in zip(*pair, strict=True)) for pair in both
        )

    law = f"binomial({n}, s - v)*({p})^(s - v)*({1 - p})^({n} - s + v)"
    density = f"piecewise(({law}, v <= s and s <= v + {n}), (0, true))"
    return Noise("binomial", ({"name": "s", "kind": "integer"},), density, least)


def two_noises(rng: Random) -> Noise:
    """Two Laplace noises: the second has to make up for the loss of the first."""
    rates = [1 / scale(rng) for _ in range(2)]
    a, b = map(to_mpf, rates)

    def least(level: mpf, d: int) -> mpf:
        if d == 0:
            return max(mpf(0), 1 - mp.exp(level))

        def integrand(s: mpf) -> mpf:
            loss = a * (abs(s) - abs(s - d))
            return a / 2 * mp.exp(-a * abs(s - d)) * laplace_delta(b, level - loss, d)

        kinks = {mpf(0), mpf(d)}
        for side in (-1, 1):  # where level - loss is -b d or b d
            kinks.add(min(max((level + side * b * d + a * d) / (2 * a), mpf(0)), mpf(d)))
        far = 80 / a
        return mp.quad(integrand, [-far, *sorted(kinks), d + far])

    law = "*".join(f"exp(-({r})*abs({n} - v))*({r})/2" for r, n in zip(rates, "st", strict=True))
    outputs = tuple({"name": n, "kind": "real"} for n in "st")
    return Noise("two noises", outputs, law, least)


def bit_and_noise(rng: Random) -> Noise:
    """A flipped bit, which tells whether v is positive, and noise."""
    inner = rng.choice((laplace, gaussian))(rng, "t")
    kept = Fraction(rng.randint(3, 5), 6)

    def least(level: mpf, d: int) -> mpf:
        if d == 0:
            return max(mpf(0), 1 - mp.exp(level))
        p, q = to_mpf(kept), to_mpf(1 - kept)
        return mp.fsum(x * inner.least(level - mp.log(x / y), d) for x, y in ((p, q), (q, p)))

    law = f"piecewise(({kept}, r == indicator(v > 0)), ({1 - kept}, true))*{inner.density}"
    outputs = ({"name": "r", "kind": "finite", "values": ["0", "1"]}, *inner.outputs)
    return Noise(f"bit and {inner.name}", outputs, law, least)


FAMILIES = (gaussian, laplace, discrete_gaussian, binomial, two_noises, bit_and_noise)


def near(rng: Random, least: mpf) -> tuple[Fraction, bool]:
    """A delta a little above or below the least one, and whether it suffices."""
    factor = Fraction(rng.choice(FACTORS))
    value = least * to_mpf(factor)
    if factor > 1:
        return min(Fraction(1), Fraction(int(value * STEP) + 1, STEP)), True
    return Fraction(int(value * STEP), STEP), False


def on_values(
    rng: Random, law: Noise, level: Fraction
) -> tuple[dict[str, Any], dict[str, str], bool]:
    """A move of 1 or 2 in the local model: the domain, the claim, and whether it holds."""
    d = rng.choice((1, 1, 2))
    slack, holds = near(rng, law.least(to_mpf(level), d))
    claim = {"relation": "any", "level": str(level), "delta": str(slack)}
    return {"values": ["0", str(d)]}, claim, holds


def on_records(
    rng: Random, law: Noise, level: Fraction
) -> tuple[dict[str, Any], dict[str, str], bool]:
    """A sum over records of value 0, 1 and 2, each with a delta of its own."""
    slacks = [near(rng, law.least(to_mpf(level), d)) for d in (1, 2)]
    cases = ", ".join(f"({slack}, x == {d})" for d, (slack, _) in zip((1, 2), slacks, strict=True))
    claim = {"relation": "ahdp", "level": str(level), "delta": f"piecewise({cases}, (0, true))"}
    records = [["0", "1"], ["1", "1"], ["2", "1"]]
    return {"records": records}, claim, all(holds for _, holds in slacks)


@mp.workdps(DIGITS)  # the oracles of other kinds set more
def slack(rng: Random) -> Outcome:
    """One claim with delta; the least delta that is computed here decides it."""
    law, level = rng.choice(FAMILIES)(rng), Fraction(rng.randint(0, 6), 4)
    least = min(law.least(to_mpf(level), d) for d in (1, 2))
    on_data = law.name not in ("binomial",) and "bit" not in law.name and rng.random() < 0.4
    make = on_records if on_data else on_values
    domain, claim, holds = make(rng, law, level)
    density = law.density.replace("v", "(sum(x))") if on_data else law.density
    data = {
        "format": 2,
        "name": law.name,
        "domain": domain,
        "mechanism": {"outputs": list(law.outputs), "density": density},
        "claim": [claim],
    }
    wanted = "proved" if holds else "refuted"
    out = Outcome("known_delta", document(data) + f"# {wanted} expected\n")
    if least < SMALL:
        return out
    return ask.compared(out, data, wanted, f"the least delta says {wanted}", SECONDS)


KINDS = {"known_delta": (6, slack)}
