"""Smooth and heavy-tailed densities whose largest privacy loss is known.

Each family gives a density as text, for the package, and as a function of mpmath's numbers, from
which the largest loss between two values is computed here: on a grid, around the largest values on
it more closely, and as a limit in the tails.  The functions are written beside the texts and share
nothing with the package.  A claim a little above the loss must not be refuted, one below not be
proved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from mpmath import inf, mp, mpf

from fuzz import ask
from fuzz.case import Outcome, document

Density = Callable[[mpf, mpf], mpf]
DIGITS = 30  # of mpmath's numbers here
GRID, FAR, CLIMBS = 200, 10**6, 60
SECONDS = 5.0  # limit for one question
CLOSE = mpf("1e-9")  # relative distance to the loss within which nothing is asked
FACTORS = ("9/10", "99/100", "999/1000", "1", "1001/1000", "101/100", "11/10")
UNBOUNDED = ("1", "5", "10")  # levels claimed where the loss is unbounded


@dataclass(frozen=True)
class Smooth:
    """A density at a value v: its text, its function, its ends, the two values, the exact loss as
    text where a formula is known, and whether the loss is unbounded.
    """

    name: str
    text: str
    at: Density
    values: tuple[Fraction, Fraction]
    ends: tuple[mpf, mpf] = (-inf, inf)
    level: str = ""
    unbounded: bool = False


def number(rng: Random) -> Fraction:
    """A rational number such as a scale."""
    return Fraction(rng.randint(1, 6), rng.randint(1, 4))


def to_mpf(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def pair(rng: Random) -> tuple[Fraction, Fraction]:
    """Two values of a person."""
    low = Fraction(rng.randint(-2, 2))
    return low, low + number(rng)


def cauchy(rng: Random) -> Smooth:
    """Cauchy noise of scale g: the loss is 2 asinh(d/(2 g))."""
    g, (a, b) = number(rng), pair(rng)
    t = (b - a) / g
    return Smooth(
        "cauchy",
        f"({g})/(pi*(({g})^2 + (s - v)^2))",
        lambda s, v: to_mpf(g) / (mp.pi * (to_mpf(g) ** 2 + (s - v) ** 2)),
        (a, b),
        level=f"log(({t * t + 2} + ({t})*sqrt({t * t + 4}))/2)",
    )


STUDENT = {  # the constant of the density for each number of degrees of freedom, as text
    1: "1/pi",
    2: "1/(2*sqrt(2))",
    3: "2/(pi*sqrt(3))",
    4: "3/8",
    5: "8/(3*pi*sqrt(5))",
}


def student(rng: Random) -> Smooth:
    """Student's noise with n degrees of freedom: the loss is (n + 1) asinh(d/(2 g sqrt(n)))."""
    n, g, (a, b) = rng.randint(1, 5), number(rng), pair(rng)
    t2 = (b - a) ** 2 / g**2 / n  # the square of the shift in units of g sqrt(n)
    power = Fraction(n + 1, 2)
    factor = mp.gamma(mpf(n + 1) / 2) / (mp.sqrt(n * mp.pi) * mp.gamma(mpf(n) / 2))
    return Smooth(
        f"student {n}",
        f"({STUDENT[n]})/({g})/(1 + (s - v)^2/({n * g * g}))^({power})",
        lambda s, v: (
            factor / to_mpf(g) * (1 + (s - v) ** 2 / to_mpf(n * g * g)) ** (-to_mpf(power))
        ),
        (a, b),
        level=f"({power})*log(({t2 + 2} + sqrt({t2 * (t2 + 4)}))/2)",
    )


def logistic(rng: Random) -> Smooth:
    """Logistic noise of scale g: the loss tends to d/g in the tails."""
    g, (a, b) = number(rng), pair(rng)
    z = f"(s - v)/({g})"

    def at(s: mpf, v: mpf) -> mpf:
        x = abs(s - v) / to_mpf(g)
        return mp.exp(-x) / (1 + mp.exp(-x)) ** 2 / to_mpf(g)

    return Smooth(
        "logistic",
        f"exp(-{z})/(({g})*(1 + exp(-{z}))^2)",
        at,
        (a, b),
        level=str((b - a) / g),
    )


def secant(rng: Random) -> Smooth:
    """Noise of density 1/(pi g cosh(z/g)): the loss tends to d/g in the tails."""
    g, (a, b) = number(rng), pair(rng)
    z = f"(s - v)/({g})"
    return Smooth(
        "secant",
        f"2/(pi*({g})*(exp({z}) + exp(-{z})))",
        lambda s, v: mp.sech((s - v) / to_mpf(g)) / (mp.pi * to_mpf(g)),
        (a, b),
        level=str((b - a) / g),
    )


def gaussian(rng: Random) -> Smooth:
    """Gaussian noise: the loss is unbounded."""
    g, (a, b) = number(rng), pair(rng)
    return Smooth(
        "gaussian",
        f"exp(-(s - v)^2/(2*({g})^2))/(({g})*sqrt(2*pi))",
        lambda s, v: mp.npdf(s, v, to_mpf(g)),
        (a, b),
        unbounded=True,
    )


def two_laplace(rng: Random) -> Smooth:
    """A mixture of two Laplace noises, with public weights."""
    g, h, w, (a, b) = number(rng), number(rng), Fraction(rng.randint(1, 7), 8), pair(rng)
    return Smooth(
        "laplace mixture",
        f"({w})*exp(-abs(s - v)/({g}))/(2*({g})) + (1 - ({w}))*exp(-abs(s - v)/({h}))/(2*({h}))",
        lambda s, v: (
            to_mpf(w) * mp.exp(-abs(s - v) / to_mpf(g)) / (2 * to_mpf(g))
            + (1 - to_mpf(w)) * mp.exp(-abs(s - v) / to_mpf(h)) / (2 * to_mpf(h))
        ),
        (a, b),
    )


def cut_laplace(rng: Random) -> Smooth:
    """Laplace noise cut to [0, 1] and renormalised."""
    k, listed = number(rng), [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(1, 3)]
    a, b = sorted(rng.sample(listed, 2))
    rate = to_mpf(k)
    return Smooth(
        "cut laplace",
        f"piecewise((exp(-({k})*abs(s - v))*({k})/(2 - exp(-({k})*v) - exp(-({k})*(1 - v))), "
        "0 <= s and s <= 1), (0, true))",
        lambda s, v: (
            rate * mp.exp(-rate * abs(s - v)) / (2 - mp.exp(-rate * v) - mp.exp(-rate * (1 - v)))
        ),
        (a, b),
        (mpf(0), mpf(1)),
    )


def cut_normal(rng: Random) -> Smooth:
    """Gaussian noise of deviation 1/k cut to [0, 1] and renormalised."""
    k, listed = number(rng), [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(1, 3)]
    a, b = sorted(rng.sample(listed, 2))
    rate = to_mpf(k)

    def total(v: mpf) -> mpf:
        halves = mp.erf(rate * (1 - v) / mp.sqrt(2)) + mp.erf(rate * v / mp.sqrt(2))
        return mp.sqrt(mp.pi / 2) / rate * halves

    return Smooth(
        "cut normal",
        f"piecewise((exp(-({k})^2*(s - v)^2/2)*({k})/(sqrt(pi/2)*(erf(({k})*(1 - v)/sqrt(2)) + "
        f"erf(({k})*v/sqrt(2)))), 0 <= s and s <= 1), (0, true))",
        lambda s, v: mp.exp(-(rate**2) * (s - v) ** 2 / 2) / total(v),
        (a, b),
        (mpf(0), mpf(1)),
    )


def bump(rng: Random) -> Smooth:
    """Uniform on [0, 1] at 0, and at the other value 1 + t (b(s) - 1) for a density b that is a
    bump of s^i (1 - s)^j.
    """
    i, j, t = rng.randint(1, 3), rng.randint(1, 3), Fraction(rng.randint(1, 7), 8)
    c = mp.factorial(i + j + 1) / (mp.factorial(i) * mp.factorial(j))
    return Smooth(
        "bump",
        f"piecewise((1 - ({t})*v + ({t})*v*{int(c)}*s^{i}*(1 - s)^{j}, 0 <= s and s <= 1), (0, true))",
        lambda s, v: 1 + v * to_mpf(t) * (c * s**i * (1 - s) ** j - 1),
        (Fraction(0), Fraction(1)),
        (mpf(0), mpf(1)),
    )


def wave(rng: Random) -> Smooth:
    """(1 + v t cos(pi s))/2 on [-1, 1]: the largest loss is at s = 0 or at an end."""
    t, (a, b) = Fraction(rng.randint(1, 7), 8), rng.choice(((-1, 0), (-1, 1), (0, 1)))
    return Smooth(
        "wave",
        f"piecewise(((1 + v*({t})*cos(pi*s))/2, -1 <= s and s <= 1), (0, true))",
        lambda s, v: (1 + v * to_mpf(t) * mp.cospi(s)) / 2,
        (Fraction(a), Fraction(b)),
        (mpf(-1), mpf(1)),
    )


def tilted(rng: Random) -> Smooth:
    """The exponential mechanism on [0, 1] with the score v s."""
    a, b = sorted(rng.sample([Fraction(1), Fraction(2), Fraction(1, 2), Fraction(-1)], 2))
    return Smooth(
        "tilted",
        "piecewise((exp(v*s)*v/(exp(v) - 1), 0 <= s and s <= 1), (0, true))",
        lambda s, v: mp.exp(v * s) * v / mp.expm1(v),
        (a, b),
        (mpf(0), mpf(1)),
    )


def folded(rng: Random) -> Smooth:
    """The size of a value with Laplace noise of scale g."""
    g, listed = number(rng), [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)]
    a, b = sorted(rng.sample(listed, 2))
    return Smooth(
        "folded",
        f"piecewise(((exp(-abs(s - v)/({g})) + exp(-abs(s + v)/({g})))/(2*({g})), 0 <= s), (0, true))",
        lambda s, v: (
            (mp.exp(-abs(s - v) / to_mpf(g)) + mp.exp(-abs(s + v) / to_mpf(g))) / (2 * to_mpf(g))
        ),
        (a, b),
        (mpf(0), inf),
    )


def heavy_mixture(rng: Random) -> Smooth:
    """A mixture of Laplace and Cauchy noise of scale 1, with public weights."""
    w, (a, b) = Fraction(rng.randint(1, 7), 8), pair(rng)
    return Smooth(
        "heavy mixture",
        f"({w})*exp(-abs(s - v))/2 + (1 - ({w}))/(pi*(1 + (s - v)^2))",
        lambda s, v: (
            to_mpf(w) * mp.exp(-abs(s - v)) / 2 + (1 - to_mpf(w)) / (mp.pi * (1 + (s - v) ** 2))
        ),
        (a, b),
    )


def part(rng: Random) -> tuple[str, str, Density]:
    """A noise of a random scale: its name, its density as text, and the same as a function."""
    g = number(rng)
    scale, z = to_mpf(g), f"((s - v)/({g}))"
    listed: dict[str, tuple[str, Callable[[mpf], mpf]]] = {
        "laplace": (f"exp(-abs{z})/(2*({g}))", lambda x: mp.exp(-abs(x)) / 2),
        "cauchy": (f"1/(pi*({g})*(1 + {z}^2))", lambda x: 1 / (mp.pi * (1 + x * x))),
        "normal": (f"exp(-{z}^2/2)/(({g})*sqrt(2*pi))", mp.npdf),
        "student 2": (f"(2 + {z}^2)^(-3/2)/({g})", lambda x: (2 + x * x) ** mpf("-1.5")),
        "student 3": (
            f"2/(pi*sqrt(3)*({g})*(1 + {z}^2/3)^2)",
            lambda x: 2 / (mp.pi * mp.sqrt(3) * (1 + x * x / 3) ** 2),
        ),
        "logistic": (
            f"exp(-{z})/(({g})*(1 + exp(-{z}))^2)",
            lambda x: mp.exp(-abs(x)) / (1 + mp.exp(-abs(x))) ** 2,
        ),
    }
    name = rng.choice(list(listed))
    text, at = listed[name]
    return name, text, lambda s, v: at((s - v) / scale) / scale


def two_families(rng: Random) -> Smooth:
    """A mixture of two noises of any families, with public weights."""
    w, (a, b) = Fraction(rng.randint(1, 7), 8), pair(rng)
    (name, text, at), (other, further, there) = part(rng), part(rng)
    return Smooth(
        f"{name} and {other}",
        f"({w})*{text} + ({1 - w})*{further}",
        lambda s, v: to_mpf(w) * at(s, v) + (1 - to_mpf(w)) * there(s, v),
        (a, b),
        unbounded=name == other == "normal",
    )


def two_sided(rng: Random) -> Smooth:
    """Exponential noise of one scale to the left and of another to the right."""
    g, h, (a, b) = number(rng), number(rng), pair(rng)
    left, right = to_mpf(g), to_mpf(h)
    return Smooth(
        "two-sided",
        f"piecewise((exp((s - v)/({g})), s <= v), (exp(-(s - v)/({h})), true))/({g + h})",
        lambda s, v: mp.exp((s - v) / left if s <= v else (v - s) / right) / (left + right),
        (a, b),
        level=str((b - a) / min(g, h)),
    )


def own_scale(rng: Random) -> Smooth:
    """Cauchy or Student noise whose scale depends on the value."""
    k, (a, b) = number(rng), pair(rng)
    text, rate = f"(({k}) + abs(v))", to_mpf(k)
    if rng.random() < 0.5:
        density = f"{text}/(pi*({text}^2 + (s - v)^2))"
        return Smooth(
            "cauchy of own scale",
            density,
            lambda s, v: (rate + abs(v)) / (mp.pi * ((rate + abs(v)) ** 2 + (s - v) ** 2)),
            (a, b),
        )
    return Smooth(
        "student of own scale",
        f"{text}^2*(2*{text}^2 + (s - v)^2)^(-3/2)",
        lambda s, v: (
            (rate + abs(v)) ** 2 * (2 * (rate + abs(v)) ** 2 + (s - v) ** 2) ** mpf("-1.5")
        ),
        (a, b),
    )


def own_laplace(rng: Random) -> Smooth:
    """Laplace noise whose scale depends on the value: the loss is unbounded."""
    k, low = number(rng), Fraction(rng.randint(0, 2))
    return Smooth(
        "laplace of own scale",
        f"exp(-abs(s - v)/(({k}) + v))/(2*(({k}) + v))",
        lambda s, v: mp.exp(-abs(s - v) / (to_mpf(k) + v)) / (2 * (to_mpf(k) + v)),
        (low, low + number(rng)),
        unbounded=True,
    )


def powers(rng: Random) -> Smooth:
    """The exponential mechanism on [0, 1] with the score v log(1 + s)."""
    a, b = sorted(rng.sample([Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2)], 2))
    return Smooth(
        "powers",
        "piecewise((exp(v*log(1 + s))*(v + 1)/(2^(v + 1) - 1), 0 <= s and s <= 1), (0, true))",
        lambda s, v: (1 + s) ** v * (v + 1) / (mpf(2) ** (v + 1) - 1),
        (a, b),
        (mpf(0), mpf(1)),
    )


def valley(rng: Random) -> Smooth:
    """On [0, 1] a parabola that is least at the value, where it is > 0."""
    m = Fraction(rng.randint(1, 6), rng.randint(2, 9))
    a, b = sorted(rng.sample([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(1, 3)], 2))
    return Smooth(
        "valley",
        f"piecewise((((s - v)^2 + ({m}))/(({m}) + 1/3 - v + v^2), 0 <= s and s <= 1), (0, true))",
        lambda s, v: ((s - v) ** 2 + to_mpf(m)) / (to_mpf(m) + mpf(1) / 3 - v + v * v),
        (a, b),
        (mpf(0), mpf(1)),
    )


def hill(rng: Random) -> Smooth:
    """On [0, 1] at 0 uniform, and at 1 a parabola multiplied out, so that its sign is not seen."""
    t = Fraction(rng.randint(1, 9), 10)
    sign = rng.choice((1, -1))
    c, k = 1 - sign * t, 6 * sign * t
    return Smooth(
        "hill",
        f"piecewise((1 - v + v*(({c}) + ({k})*s - ({k})*s^2), 0 <= s and s <= 1), (0, true))",
        lambda s, v: 1 - v + v * (to_mpf(c) + to_mpf(k) * s * (1 - s)),
        (Fraction(0), Fraction(1)),
        (mpf(0), mpf(1)),
    )


def cut_cauchy(rng: Random) -> Smooth:
    """Cauchy noise of scale 1/k cut to [0, 1] and renormalised."""
    k, listed = number(rng), [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(1, 3)]
    a, b = sorted(rng.sample(listed, 2))
    rate = to_mpf(k)
    return Smooth(
        "cut cauchy",
        f"piecewise((({k})/((1 + ({k})^2*(s - v)^2)*(atan(({k})*(1 - v)) + atan(({k})*v))), "
        "0 <= s and s <= 1), (0, true))",
        lambda s, v: (
            rate / (1 + (rate * (s - v)) ** 2) / (mp.atan(rate * (1 - v)) + mp.atan(rate * v))
        ),
        (a, b),
        (mpf(0), mpf(1)),
    )


def folded_heavy(rng: Random) -> Smooth:
    """The size of a value with Cauchy or normal noise of scale g."""
    g, listed = number(rng), [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)]
    a, b = sorted(rng.sample(listed, 2))
    scale = to_mpf(g)
    heavy = rng.random() < 0.5

    def one(x: mpf) -> mpf:
        z = x / scale
        return (1 / (mp.pi * (1 + z * z)) if heavy else mp.npdf(z)) / scale

    texts = [
        f"1/(pi*({g})*(1 + ({x})^2/({g})^2))"
        if heavy
        else f"exp(-({x})^2/(2*({g})^2))/(({g})*sqrt(2*pi))"
        for x in ("s - v", "s + v")
    ]
    return Smooth(
        "folded cauchy" if heavy else "folded normal",
        f"piecewise(({texts[0]} + {texts[1]}, 0 <= s), (0, true))",
        lambda s, v: one(s - v) + one(s + v),
        (a, b),
        (mpf(0), inf),
        unbounded=not heavy,
    )


FAMILIES = (
    cauchy,
    student,
    logistic,
    secant,
    gaussian,
    two_laplace,
    cut_laplace,
    cut_normal,
    bump,
    wave,
    tilted,
    folded,
    heavy_mixture,
    two_families,
    two_families,  # of 36 pairs
    two_sided,
    own_scale,
    own_laplace,
    powers,
    valley,
    hill,
    cut_cauchy,
    folded_heavy,
)


def grid(law: Smooth) -> list[mpf]:
    """Outputs in ascending order: between the ends or, outwards from the values, in steps that
    grow.
    """
    low, high = law.ends
    a, b = sorted(map(to_mpf, law.values))
    inner = [max(low, a - 3), min(high, b + 3)]
    found = {inner[0] + (inner[1] - inner[0]) * k / GRID for k in range(GRID + 1)}
    found |= {x for x in (a, b) if low <= x <= high}
    step = mpf(1)
    while step < FAR and not (mp.isfinite(low) and mp.isfinite(high)):
        found |= {x for x in (inner[0] - step, inner[1] + step) if low <= x <= high}
        step *= mpf(3) / 2
    return sorted(found)


def largest_loss(law: Smooth) -> mpf:
    """The largest |log p - log q| over the outputs, to some 12 digits; infinite if unbounded."""
    if law.unbounded:
        return inf
    a, b = map(to_mpf, law.values)

    def loss(s: mpf) -> mpf:
        p, q = law.at(s, a), law.at(s, b)
        return abs(mp.log(p) - mp.log(q)) if p > 0 and q > 0 else mpf(0)

    points = grid(law)
    seen = [loss(s) for s in points]
    best = max(seen)
    for i in sorted(range(len(points)), key=lambda i: -seen[i])[:6]:
        low, high = points[max(0, i - 1)], points[min(len(points) - 1, i + 1)]
        for _ in range(CLIMBS):
            left, right = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, right) if loss(left) > loss(right) else (left, high)
        best = max(best, loss((low + high) / 2))
    return best


def claimed_level(rng: Random, law: Smooth, loss: mpf) -> tuple[str, str]:
    """A level as text, and the verdict that it must have: "proved", "refuted", or "" for the limit
    between the two.
    """
    if law.unbounded:
        return rng.choice(UNBOUNDED), "refuted"
    factor = rng.choice(FACTORS)
    if factor == "1":
        return (law.level, "proved") if law.level else (_decimal(loss * mpf("1.0001")), "proved")
    wanted = "proved" if Fraction(factor) > 1 else "refuted"
    return _decimal(loss * to_mpf(Fraction(factor))), wanted


def _decimal(x: mpf) -> str:
    return str(Fraction(int(x * 10**9), 10**9))


def smooth(rng: Random) -> Outcome:
    """One claim about a random smooth density; the loss that is computed here decides it."""
    with mp.workdps(DIGITS):
        law = rng.choice(FAMILIES)(rng)
        loss = largest_loss(law)
        level, wanted = claimed_level(rng, law, loss)
    data = {
        "format": 2,
        "name": law.name,
        "domain": {"values": [str(v) for v in law.values]},
        "mechanism": {"outputs": [{"name": "s", "kind": "real"}], "density": law.text},
        "claim": [{"relation": "any", "level": level}],
    }
    out = Outcome("smooth", document(data) + f"# loss {mp.nstr(loss, 15)}, so {wanted}\n")
    if loss < CLOSE:
        return out
    return ask.compared(out, data, wanted, f"the largest loss is {mp.nstr(loss, 15)}", SECONDS)


KINDS = {"smooth": (6, smooth)}
