"""Claims of zCDP, Rényi DP of one order and GDP about random laws whose divergences are known.

Each family gives a law as text, for the package, and its probabilities or its density as a function
of mpmath's numbers, from which the least bound is computed here: Rényi divergences as sums or by
quadrature, their largest value divided by the order over a grid of orders (with the
Kullback-Leibler divergence as the order tends to 1), and for GDP the largest normal distance
between the two probabilities of a threshold of the likelihood ratio.  A claim a little above must
not be refuted, one below not be proved.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from mpmath import inf, mp, mpf

from fuzz import ask
from fuzz.case import Outcome, document
from fuzz.generate.smooth import _decimal, number, pair, to_mpf

DIGITS = 15  # of mpmath's numbers here
SECONDS = 3.0  # limit for one question
FAR = mpf("1e-7")  # a probability of a threshold that is not looked at
CLOSE = mpf("1e-9")  # bounds below this are not asked about
ORDERS = ("5/4", "3/2", "2", "3", "5", "8")
LOGS = tuple(mpf(k) / 2 for k in range(-12, 9))  # of the orders less 1 that are tried for zCDP
CLIMBS = 25  # steps to the best order between them
FACTORS = ("9/10", "99/100", "999/1000", "1", "1001/1000", "101/100", "11/10")
INFINITE = ("1", "5", "50")  # bounds claimed where every divergence is infinite
REACH = 60  # whole numbers on either side of the values that carry all but 1e-12 of geometric noise
Sum = Callable[[Callable[[mpf], mpf]], mpf]


@dataclass(frozen=True)
class Law:
    """A law at two values v.

    output      the declaration of its one output
    text        the law as text
    at          its probability or density at an output and a value
    outputs     the outputs, or the points between which the density is smooth
    exact       bounds of notions (of an order) for which a formula is known, as text
    monotone    whether the likelihood ratio rises or falls in the output
    closed      the divergence of an order, where quadrature would miss a peak far out
    """

    name: str
    output: dict[str, Any]
    text: str
    at: Callable[[mpf, mpf], mpf]
    values: tuple[Fraction, Fraction]
    outputs: tuple[mpf, ...]
    exact: dict[str, str]
    monotone: bool = True
    closed: Callable[[mpf], mpf] | None = None

    @property
    def discrete(self) -> bool:
        """Whether the outputs are numbers one by one."""
        return bool(self.output["kind"] != "real")

    def total(self, f: Callable[[mpf], mpf]) -> mpf:
        """The sum or the integral of f over the outputs."""
        if self.discrete:
            return mp.fsum(map(f, self.outputs))
        return mp.quad(f, self.outputs)

    def below(self, s: mpf, v: mpf) -> mpf:
        """The probability of an output of at most s."""
        if self.discrete:
            return mp.fsum(self.at(x, v) for x in self.outputs if x <= s)
        return mp.quad(lambda x: self.at(x, v), [x for x in self.outputs if x < s] + [s])


REAL = {"name": "s", "kind": "real"}


def finite(rng: Random) -> Law:
    """A random law on 2 to 5 labels, at either value; sometimes a label is impossible."""
    size, (a, b) = rng.randint(2, 5), pair(rng)
    rows = dict[Fraction, list[Fraction]]()
    for v in (a, b):
        weights = [rng.randint(1, 9) for _ in range(size)]
        if rng.random() < 0.1:
            weights[rng.randrange(size)] = 0
        rows[v] = [Fraction(w, sum(weights)) for w in weights]
    cases = [
        f"({p}, s == {k} and v == {v})"
        for v, row in rows.items()
        for k, p in enumerate(row[:-1] if v == a else row)
    ]
    last = f"({rows[a][-1]}, true)"
    at = {(mpf(k), to_mpf(v)): to_mpf(p) for v, row in rows.items() for k, p in enumerate(row)}
    return Law(
        "finite",
        {"name": "s", "kind": "finite", "values": [str(k) for k in range(size)]},
        f"piecewise({', '.join((*cases, last))})",
        lambda s, v: at[s, v],
        (a, b),
        tuple(map(mpf, range(size))),
        {},
    )


def laplace(rng: Random) -> Law:
    """Laplace noise of scale g: Mironov's formula, and the Kullback-Leibler divergence for zCDP."""
    g, (a, b) = number(rng), pair(rng)
    e = (b - a) / g
    return Law(
        "laplace",
        REAL,
        f"exp(-abs(s - v)/({g}))/(2*({g}))",
        lambda s, v: mp.exp(-abs(s - v) / to_mpf(g)) / (2 * to_mpf(g)),
        (a, b),
        (-inf, to_mpf(a), to_mpf(b), inf),
        {
            "zcdp": f"({e}) + exp(-({e})) - 1",
            "renyi": f"log(a*exp((a - 1)*({e}))/(2*a - 1) + (a - 1)*exp(-a*({e}))/(2*a - 1))/(a - 1)",
        },
    )


def two_sided(rng: Random) -> Law:
    """Exponential noise of one scale to the left and of another to the right."""
    g, h, (a, b) = number(rng), number(rng), pair(rng)
    left, right = to_mpf(g), to_mpf(h)
    return Law(
        "two-sided",
        REAL,
        f"piecewise((exp((s - v)/({g}))/({g + h}), s <= v), (exp(-(s - v)/({h}))/({g + h}), true))",
        lambda s, v: mp.exp((s - v) / left if s <= v else (v - s) / right) / (left + right),
        (a, b),
        (-inf, to_mpf(a), to_mpf(b), inf),
        {},
    )


def gaussian(rng: Random) -> Law:
    """Gaussian noise of deviation g: closed forms of all three."""
    g, (a, b) = number(rng), pair(rng)
    e, deviation = (b - a) / g, to_mpf(g)
    middle = [to_mpf(a) - 12 * deviation, to_mpf(a), to_mpf(b), to_mpf(b) + 12 * deviation]
    return Law(
        "gaussian",
        REAL,
        f"exp(-(s - v)^2/(2*({g})^2))/(({g})*sqrt(2*pi))",
        lambda s, v: mp.npdf(s, v, deviation),
        (a, b),
        (-inf, *middle, inf),
        {"zcdp": f"({e})^2/2", "renyi": f"a*({e})^2/2", "gdp": f"{e}"},
        closed=lambda order: order * to_mpf(e) ** 2 / 2,
    )


def steps(rng: Random) -> Law:
    """A step function on [0, 1] of three heights, at either value."""
    a, b = pair(rng)
    cuts = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1))
    listed, heights = [], dict[mpf, list[mpf]]()
    for v in (a, b):
        weights = [rng.randint(1, 6) for _ in cuts[1:]]
        pieces = list(itertools.pairwise(cuts))
        row = [
            Fraction(w, sum(weights)) / (y - x) for w, (x, y) in zip(weights, pieces, strict=True)
        ]
        heights[to_mpf(v)] = list(map(to_mpf, row))
        listed += [
            f"({p}, v == {v} and {x} <= s and s < {y})"
            for p, (x, y) in zip(row, pieces, strict=True)
        ]

    def at(s: mpf, v: mpf) -> mpf:
        inside = [k for k, y in enumerate(cuts[1:]) if s < to_mpf(y)]
        return heights[v][inside[0]] if s >= 0 and inside else mpf(0)

    return Law(
        "steps",
        REAL,
        f"piecewise({', '.join(listed)}, (0, true))",
        at,
        (a, b),
        tuple(map(to_mpf, cuts)),
        {},
        monotone=False,
    )


def tilted(rng: Random) -> Law:
    """The exponential mechanism on [0, 1] with the score v s."""
    a, b = sorted(rng.sample([Fraction(1), Fraction(2), Fraction(1, 2), Fraction(-1)], 2))
    return Law(
        "tilted",
        REAL,
        "piecewise((exp(v*s)*v/(exp(v) - 1), 0 <= s and s <= 1), (0, true))",
        lambda s, v: mp.exp(v * s) * v / mp.expm1(v),
        (a, b),
        (mpf(0), mpf(1)),
        {},
    )


def geometric(rng: Random) -> Law:
    """Two-sided geometric noise of ratio r."""
    r, a = Fraction(1, rng.randint(2, 4)), Fraction(rng.randint(-2, 2))
    b = a + rng.randint(1, 2)
    ratio = to_mpf(r)
    return Law(
        "geometric",
        {"name": "s", "kind": "integer"},
        f"(1 - {r})/(1 + {r})*({r})^abs(s - v)",
        lambda s, v: (1 - ratio) / (1 + ratio) * ratio ** abs(s - v),
        (a, b),
        tuple(map(mpf, range(int(a) - REACH, int(b) + REACH + 1))),
        {},
    )


FAMILIES = (finite, laplace, two_sided, gaussian, steps, tilted, geometric)


def divergence(law: Law, order: mpf, first: mpf, second: mpf) -> mpf:
    """The Rényi divergence of an order > 1 of the law at the first value from that at the
    second.
    """
    if law.closed is not None:
        return law.closed(order)

    def power(s: mpf) -> mpf:
        p, q = law.at(s, first), law.at(s, second)
        if not p:
            return mpf(0)
        return inf if not q else mp.exp(order * mp.log(p) + (1 - order) * mp.log(q))

    total = law.total(power)
    return inf if total == inf else mp.log(total) / (order - 1)


def relative_entropy(law: Law, first: mpf, second: mpf) -> mpf:
    """The Kullback-Leibler divergence: the limit as the order tends to 1."""

    if law.closed is not None:
        return law.closed(mpf(1))

    def term(s: mpf) -> mpf:
        p, q = law.at(s, first), law.at(s, second)
        return mpf(0) if not p else inf if not q else p * (mp.log(p) - mp.log(q))

    return law.total(term)


def both_ways(law: Law) -> Iterator[tuple[mpf, mpf]]:
    a, b = map(to_mpf, law.values)
    yield from ((a, b), (b, a))


def least_rho(law: Law) -> mpf:
    """The least rho of zCDP: the largest divergence of an order, divided by the order."""

    def at(log: mpf, first: mpf, second: mpf) -> mpf:
        order = 1 + mp.exp(log)
        return divergence(law, order, first, second) / order

    best = mpf(0)
    for first, second in both_ways(law):
        best = max(best, relative_entropy(law, first, second))
        if best == inf:
            return inf
        seen = [at(x, first, second) for x in LOGS]
        i = max(range(len(LOGS)), key=lambda i: seen[i])
        best = max(best, seen[i])
        if 0 < i < len(LOGS) - 1:
            low, high = LOGS[i - 1], LOGS[i + 1]
            for _ in range(CLIMBS):
                left, right = low + (high - low) / 3, high - (high - low) / 3
                up = at(left, first, second) > at(right, first, second)
                low, high = (low, right) if up else (left, high)
            best = max(best, at((low + high) / 2, first, second))
    return best


def normal_distance(x: mpf, y: mpf) -> mpf:
    """The distance between the places at which N(0, 1) has these two probabilities below."""
    if not all(FAR < p < 1 - FAR for p in (x, y)):
        return mpf(0)  # too close to 0 and 1 for the digits; the largest is elsewhere
    return abs(mp.sqrt(2) * (mp.erfinv(2 * x - 1) - mp.erfinv(2 * y - 1)))


def least_mu(law: Law) -> mpf:
    """The least mu of GDP: over all thresholds of the likelihood ratio, the largest distance of the
    two probabilities, as places of N(0, 1).  Between two outputs of a discrete law, the trade-off
    curve is a line, and that of GDP convex, so only its corners count.
    """
    a, b = map(to_mpf, law.values)
    if law.discrete:
        shares = {s: (law.at(s, a), law.at(s, b)) for s in law.outputs}
        if any(bool(p) != bool(q) for p, q in shares.values()):
            return inf
        listed = sorted(
            (s for s, (p, _) in shares.items() if p), key=lambda s: shares[s][0] / shares[s][1]
        )
        below, best = (mpf(0), mpf(0)), mpf(0)
        for s in listed[:-1]:
            below = below[0] + shares[s][0], below[1] + shares[s][1]
            best = max(best, normal_distance(*below))
        return best
    return largest_distance(law, a, b)


def largest_distance(law: Law, a: mpf, b: mpf) -> mpf:
    """The same for a density whose likelihood ratio rises or falls in the output."""

    def at(s: mpf) -> mpf:
        return normal_distance(law.below(s, a), law.below(s, b))

    inner = [x for x in law.outputs if mp.isfinite(x)]
    low, high = inner[0] - (law.outputs[0] == -inf) * 4, inner[-1] + (law.outputs[-1] == inf) * 4
    points = [low + (high - low) * k / 60 for k in range(1, 60)]
    seen = [at(s) for s in points]
    i = max(range(len(points)), key=lambda i: seen[i])
    low, high = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
    for _ in range(CLIMBS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if at(left) > at(right) else (left, high)
    return max(seen[i], at((low + high) / 2))


def least_bound(law: Law, notion: str, order: str) -> mpf:
    """The least bound of the notion, to some 9 digits; infinite where there is none."""
    if notion == "gdp":
        return least_mu(law)
    if notion == "zcdp":
        return least_rho(law)
    x = to_mpf(Fraction(order))
    return max(divergence(law, x, *pair_) for pair_ in both_ways(law))


def claimed_bound(rng: Random, law: Law, notion: str, order: str, least: mpf) -> tuple[str, str]:
    """A bound as text, and the verdict that it must have."""
    if least == inf:
        return rng.choice(INFINITE), "refuted"
    factor = rng.choice(FACTORS)
    if factor == "1":
        known = law.exact.get(notion, "").replace("a", f"({order})") if notion == "renyi" else ""
        exact = known or (law.exact.get(notion, "") if notion != "renyi" else "")
        return exact or _decimal(least * mpf("1.0001")), "proved"
    wanted = "proved" if Fraction(factor) > 1 else "refuted"
    return _decimal(least * to_mpf(Fraction(factor))), wanted


def case_of(rng: Random) -> tuple[Law, str, str]:
    """A law, a notion and, for Rényi DP, an order."""
    law = rng.choice(FAMILIES)(rng)
    notions = [n for n in ("zcdp", "renyi", "gdp") if n != "gdp" or law.monotone]
    notion = rng.choice(notions)
    return law, notion, rng.choice(ORDERS) if notion == "renyi" else ""


def notion(rng: Random) -> Outcome:
    """One claim of a notion about a random law; the bound that is computed here decides it."""
    with mp.workdps(DIGITS):  # the oracles of other kinds set more
        law, word, order = case_of(rng)
        least = least_bound(law, word, order)
        bound, wanted = claimed_bound(rng, law, word, order, least)
    key = {"zcdp": "rho", "renyi": "renyi", "gdp": "mu"}[word]
    data = {
        "format": 2,
        "name": law.name,
        "domain": {"values": [str(v) for v in law.values]},
        "mechanism": {"outputs": [law.output], "density": law.text},
        "claim": [{"relation": "any", key: bound, **({"order": order} if order else {})}],
    }
    out = Outcome("notion", document(data) + f"# least {mp.nstr(least, 15)}, so {wanted}\n")
    if least < CLOSE:
        return out
    return ask.compared(out, data, wanted, f"the least bound is {mp.nstr(least, 15)}", SECONDS)


KINDS = {"notion": (4, notion)}
