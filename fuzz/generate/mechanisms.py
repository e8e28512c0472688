"""Random mechanisms as the data of a file, with the least levels that are known of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from fuzz.generate.finite_outputs import (
    clamped,
    labels,
    normalised,
    response,
    table,
    weights,
    written,
)
from fuzz.generate.ingredients import (
    DEMANDS,
    SCALES,
    SMALL,
    Document,
    Made,
    contribution,
    frac,
    records,
)


def laplace(rng: Random) -> Made:
    """A weighted sum with Laplace noise."""
    b, c = rng.choice(SCALES), contribution(rng)
    data = {
        "domain": {"records": records(rng)},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": f"exp(-abs(s - sum({c}))/({b}))/(2*({b}))",
        },
    }
    return Made(data, {"ahdp": [f"abs({c})/({b})"]}, ("ahdp", "ahdp", "hdp", "add-remove", "swap"))


def affine_laplace(rng: Random) -> Made:
    """A function of two sums with Laplace noise."""
    b, c, d = rng.choice(SCALES), contribution(rng), contribution(rng)
    centre = rng.choice(
        (
            f"max(sum({c}), sum({d}))",
            f"abs(sum({c})) - sum({d})",
            f"min(sum({c}), 3)",
            f"clip(sum({c}), -1, 2)",
            f"sum({c})/2 + size",
            f"max(sum({c}), 0)",
            f"abs(sum({c}) - 1)",
        )
    )
    data = {
        "domain": {"records": records(rng)},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": f"exp(-abs(s - ({centre}))/({b}))/(2*({b}))",
        },
    }
    levels = [f"max(abs({c}), abs({d}))/({b})", f"(abs({c}) + abs({d}))/({b})", f"abs({c})/({b})"]
    return Made(data, {"ahdp": levels}, ("ahdp", "ahdp", "add-remove", "swap", "hdp"))


def extremes(rng: Random) -> Made:
    """The largest or smallest value, with noise, defined on datasets that are not empty."""
    b, kind = rng.choice(SCALES), rng.choice(("maximum", "minimum"))
    rows = records(rng)
    values = [Fraction(r[0]) for r in rows]
    spread = max(values) - min(values)
    data = {
        "domain": {"records": rows},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": f"exp(-abs(s - {kind}(x))/({b}))/(2*({b}))",
            "defined": rng.choice(("size >= 1", "size >= 2", "size >= 1 and size <= 5")),
        },
    }
    return Made(data, {"ahdp": [f"{spread}/({b})"]}, ("ahdp", "add-remove", "swap", "hdp"))


def geometric(rng: Random) -> Made:
    """A whole number with geometric noise."""
    q = (
        str(Fraction(rng.randint(1, 8), 9))
        if rng.random() < 0.5
        else rng.choice(("1/2", "1/3", "9/10", "999/1000"))
    )
    if rng.random() < 0.3:
        q = "exp(-1/2)"
    c = rng.choice(("x", "1", "indicator(x == 1)", "indicator(eps > 1)", "2*x"))
    rows = [
        [str(rng.choice((0, 1, 2, -1, 3))), rng.choice(DEMANDS)]
        for _ in range(rng.choice((1, 2, 3)))
    ]
    rows = [r for i, r in enumerate(rows) if r not in rows[:i]]
    data = {
        "domain": {"records": rows},
        "mechanism": {
            "outputs": [{"name": "k", "kind": "integer"}],
            "density": f"(1 - ({q}))/(1 + ({q}))*({q})^abs(k - sum({c}))",
        },
    }
    return Made(
        data, {"ahdp": [f"-abs({c})*log({q})"]}, ("ahdp", "ahdp", "add-remove", "swap", "hdp")
    )


def queries(rng: Random) -> Made:
    """Answers to queries, each with noise."""
    many = 1
    n, b = rng.choice((1, 1, 2, 3)), rng.choice(SCALES)
    if n == 1:
        outputs = [{"name": "s", "kind": "real"}]
        density = rng.choice(
            (
                f"exp(-abs(s - q[1])/({b}))/(2*({b}))",
                f"exp(-abs(s - max(q[1], 0))/({b}))/(2*({b}))",
                f"exp(-abs(s - clip(q[1], 0, 1/2))/({b}))/(2*({b}))",
                f"exp(-abs(s - 2*q[1] - 1)/({b}))/(2*({b}))",
            )
        )
    else:
        outputs, many = [{"name": f"s[{n}]", "kind": "real"}], n
        density = "*".join(f"exp(-abs(s[{i}] - q[{i}])/({b}))/(2*({b}))" for i in range(1, n + 1))
        if rng.random() < 0.3:
            outputs, many = [{"name": "s", "kind": "real"}], 1
            density = (
                f"exp(-abs(s - "
                f"max({', '.join(f'q[{i}]' for i in range(1, n + 1))}))/({b}))/(2*({b}))"
            )
    data = {"domain": {"queries": str(n)}, "mechanism": {"outputs": outputs, "density": density}}
    relations = ("one", "all", "increasing", "decreasing")
    return Made(
        data,
        {r: [f"1/({b})", f"{n}/({b})", f"2/({b})", f"1/(2*({b}))"] for r in relations},
        relations,
        outputs=many,
    )


def threshold(rng: Random) -> Made:
    """Few answers whose probabilities depend on whether sums exceed thresholds."""
    c = rng.choice(("1", "x", "indicator(x == 1)", "indicator(eps > 1)"))
    cuts = sorted(rng.sample(range(1, 5), rng.choice((1, 2))))
    rows = [weights(rng, 2) for _ in range(len(cuts) + 1)]
    branches = [
        f"(piecewise(({r[0]}, r == 0), ({r[1]}, true)), sum({c}) < {t})"
        for r, t in zip(rows, cuts, strict=False)
    ]
    density = (
        f"piecewise({', '.join(branches)}, (piecewise(({rows[-1][0]}, r == 0), "
        f"({rows[-1][1]}, true)), true))"
    )
    data = {
        "domain": {"records": records(rng, positive=True)},
        "mechanism": {
            "outputs": [{"name": "r", "kind": "finite", "values": ["0", "1"]}],
            "density": density,
        },
    }
    ratios = [a / b for x in rows for y in rows for a, b in zip(x, y, strict=True) if a and b]
    zero = any(not a for x in rows for a in x)
    return Made(
        data,
        {"ahdp": ["oo", "1"] if zero else [f"log({max(ratios)})"]},
        ("ahdp", "add-remove", "swap", "hdp"),
        finite=True,
    )


def withheld(rng: Random) -> Made:
    """An answer that is withheld with a probability that depends on the size, or a point of mass
    inside the density.
    """
    p, q = frac(rng, 1, 3), frac(rng, 1, 3)
    p, q = (str(min(Fraction(x), Fraction(9, 10))) for x in (p, q))
    at = rng.choice(("NULL", "0", "1/2", "1", "-1"))
    mass = f"piecewise(({p}, size == 0), ({q}, true))"
    density = f"(1 - {mass})*exp(-abs(s - size))/2"
    data = {
        "domain": {"records": records(rng)},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": density,
            "atoms": [{"at": at, "mass": mass}],
        },
    }
    a, b = (Fraction(x) for x in (p, q))
    worst = max(a / b, b / a, (1 - a) / (1 - b), (1 - b) / (1 - a))
    return Made(
        data, {"ahdp": [f"1 + log({worst})", f"log({worst})", "1"]}, ("ahdp", "add-remove", "swap")
    )


def uniform(rng: Random) -> Made:
    """Bounded noise on a half-open interval, plain or with a background."""
    c, w = rng.choice(("x", "1")), rng.choice(("1", "2", "1/2"))
    flat = f"piecewise((1/({w}), sum({c}) <= s and s < sum({c}) + {w}), (0, true))"
    density = flat if rng.random() < 0.4 else f"{flat}/3 + exp(-abs(s))/3"
    data = {
        "domain": {"records": records(rng)},
        "mechanism": {"outputs": [{"name": "s", "kind": "real"}], "density": density},
    }
    return Made(data, {"ahdp": ["oo", "10", "1"]}, ("ahdp", "add-remove", "swap"))


def lopsided(rng: Random) -> Made:
    """Noise of two different scales, or a mixture of two."""
    a, b, c = rng.choice(SCALES[:6]), rng.choice(SCALES[:6]), contribution(rng)
    m = f"sum({c})"
    if rng.random() < 0.6:
        density = (
            f"piecewise((exp(-(s - {m})/({a})), s >= {m}), (exp((s - {m})/({b})), "
            f"true))/(({a}) + ({b}))"
        )
    else:
        density = f"exp(-abs(s - {m})/({a}))/(4*({a})) + exp(-abs(s - {m})/({b}))/(4*({b}))"
    data = {
        "domain": {"records": records(rng)},
        "mechanism": {"outputs": [{"name": "s", "kind": "real"}], "density": density},
    }
    least = f"min({a}, {b})"
    return Made(data, {"ahdp": [f"abs({c})/{least}"]}, ("ahdp", "add-remove", "swap", "hdp"))


def two_outputs(rng: Random) -> Made:
    """Two releases; the second may read the first."""
    b, d, c, e = (
        rng.choice(SCALES[:6]),
        rng.choice(SCALES[:6]),
        contribution(rng),
        contribution(rng),
    )
    centre = rng.choice(("", " - s", "")) + f" - sum({e})"
    density = f"exp(-abs(s - sum({c}))/({b}))/(2*({b}))*exp(-abs(t{centre})/({d}))/(2*({d}))"
    outputs = [{"name": "s", "kind": "real"}, {"name": "t", "kind": "real"}]
    if rng.random() < 0.3:
        outputs[1] = {"name": "t", "kind": "finite", "values": ["0", "1"]}
        density = (
            f"exp(-abs(s - sum({c}))/({b}))/(2*({b}))*piecewise((1/3, t == 1 and s > 0), "
            f"(2/3, t == 0 and s > 0), (1/2, true))"
        )
        e = "0"
    data = {
        "domain": {"records": records(rng)},
        "mechanism": {"outputs": outputs, "density": density},
    }
    return Made(
        data,
        {"ahdp": [f"abs({c})/({b}) + abs({e})/({d})"]},
        ("ahdp", "add-remove", "swap"),
        outputs=2,
    )


def scaled(rng: Random) -> Made:
    """A scale that depends on the data, or a scale parameter."""
    c = contribution(rng)
    condition = rng.choice(
        ("b > 0", "b >= 1", "1 <= b and b <= 2", "b > 1/1000000000 and b < 1/100000000", "b > 10")
    )
    density = f"exp(-abs(s - sum({c}))/b)/(2*b)"
    data = {
        "parameters": {"b": condition},
        "domain": {"records": records(rng)},
        "mechanism": {"outputs": [{"name": "s", "kind": "real"}], "density": density},
    }
    return Made(
        data,
        {"ahdp": [f"abs({c})/b", f"abs({c})", f"abs({c})/2", f"abs({c})/b^2"]},
        ("ahdp", "ahdp", "add-remove", "hdp"),
    )


def universal(rng: Random) -> Made:
    """A universal domain."""
    b = rng.choice(SCALES[:6])
    if rng.random() < 0.5:
        unknowns = {
            "alpha": rng.choice(
                (
                    "0 <= alpha <= eps",
                    "0 <= alpha and alpha <= min(eps, 1)",
                    "alpha == min(eps, 2)",
                    "0 < alpha < eps",
                )
            ),
            "f": rng.choice(("l <= f <= h", "0 <= f <= 1", "-1 <= f <= 1", "0 < f < 1")),
        }
        c = rng.choice(("alpha*f", "f", "alpha*(f - 1/2)"))
        level = {
            "alpha*f": f"alpha*abs(f)/({b})",
            "f": f"abs(f)/({b})",
            "alpha*(f - 1/2)": f"alpha*abs(f - 1/2)/({b})",
        }[c]
    else:
        unknowns = {
            "x": rng.choice(
                ("0 <= x <= 1", "-1 <= x and x <= 1", "x >= 0 and x <= eps", "0 <= x < 1")
            )
        }
        c = rng.choice(("x", "(1 - exp(-eps))*x", "x^2", "max(x, 1/2)"))
        level = f"abs({c})/({b})"
    domain: Document = {"universal": True, "unknowns": unknowns}
    data: Document = {}
    if any("l <=" in u for u in unknowns.values()):
        data["parameters"] = {"l": "", "h": "h > l"}
    data |= {
        "domain": domain,
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": f"exp(-abs(s - sum({c}))/({b}))/(2*({b}))",
        },
    }
    return Made(
        data,
        {"ahdp": [level, f"1/({b})", f"eps/({b})"]},
        ("ahdp", "ahdp", "ahdp", "swap", "hdp", "add-remove"),
    )


def vectors(rng: Random) -> Made:
    """Records with two parts, labels among them."""
    first = rng.sample(["red", "green"], 2) if rng.random() < 0.5 else ["0", "1"]
    rows = [
        [[rng.choice(first), rng.choice(SMALL[:4])], rng.choice(DEMANDS)]
        for _ in range(rng.choice((2, 3)))
    ]
    rows = [r for i, r in enumerate(rows) if r not in rows[:i]]
    b = rng.choice(SCALES[:6])
    c = rng.choice(
        (
            f"x[2]*indicator(x[1] == {written(first[0])})",
            "x[2]",
            f"indicator(x[1] != {written(first[0])})",
        )
    )
    data = {
        "domain": {"records": rows},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": f"exp(-abs(s - sum({c}))/({b}))/(2*({b}))",
        },
    }
    if not all(any(r[0][0] == f for r in rows) for f in first[:1]):
        rows[0][0][0] = first[0]
        data["domain"]["records"] = [r for i, r in enumerate(rows) if r not in rows[:i]]
    return Made(data, {"ahdp": [f"abs({c})/({b})"]}, ("ahdp", "hdp", "hdp", "swap", "add-remove"))


def defined_only(rng: Random) -> Made:
    """A mechanism defined on some datasets only: a mean, or weights that depend on the size."""
    if rng.random() < 0.5:
        d = rng.choice(
            ("size >= 1", "size >= 2", "size <= 2", "sum(x) >= 1", "size >= 1 and size <= 3")
        )
        density = (
            "exp(-abs(s - sum(x)))/2"
            if "sum" in d or d == "size <= 2"
            else "exp(-abs(s - sum(x)/size))/2"
        )
        data = {
            "domain": {"records": records(rng)},
            "mechanism": {
                "outputs": [{"name": "s", "kind": "real"}],
                "density": density,
                "defined": d,
            },
        }
        return Made(
            data,
            {"ahdp": ["abs(x)", "abs(x)/2", "2*abs(x)", "5"]},
            ("ahdp", "add-remove", "swap", "hdp"),
        )
    d = rng.choice(("size <= 3", "size >= 1", "size == 2", "size <= 1"))
    data = {
        "domain": {"records": records(rng)},
        "mechanism": {
            "outputs": [{"name": "r", "kind": "finite", "values": ["0", "1"]}],
            "density": "piecewise((1/(size + 2), r == 1), ((size + 1)/(size + 2), true))",
            "defined": d,
        },
    }
    return Made(
        data,
        {"ahdp": ["log(3/2)", "log(4/3)", "log(2)", "1/2"]},
        ("ahdp", "add-remove", "swap", "hdp"),
        finite=True,
    )


def broken(rng: Random) -> Made:
    """A law whose total is not 1, or that is negative somewhere: nothing may be proved."""
    factor = rng.choice(("1/3", "1001/2000", "500000001/1000000000", "1/2 - size/100"))
    data = {
        "domain": {"records": records(rng)},
        "mechanism": {
            "outputs": [{"name": "s", "kind": "real"}],
            "density": f"({factor})*exp(-abs(s - sum(x)))",
        },
    }
    return Made(data, {"ahdp": ["abs(x)", "1", "100"]}, ("ahdp", "swap", "add-remove"))


FAMILIES: tuple[tuple[int, Callable[[Random], Made]], ...] = (
    (3, laplace),
    (3, affine_laplace),
    (2, extremes),
    (3, geometric),
    (4, table),
    (2, response),
    (3, queries),
    (3, threshold),
    (3, normalised),
    (3, clamped),
    (2, withheld),
    (1, uniform),
    (2, lopsided),
    (2, two_outputs),
    (3, scaled),
    (3, universal),
    (2, vectors),
    (1, labels),
    (2, defined_only),
    (1, broken),
)


def made(rng: Random) -> Made:
    """A mechanism of a random family."""
    family = rng.choices([f for _, f in FAMILIES], [w for w, _ in FAMILIES])[0]
    found = met(rng, family(rng))
    found.data = {"format": 2, "name": family.__name__, **found.data}
    return found


COMPARED = re.compile(r"\bx == (-?\d+(?:/\d+)?)")


def met(rng: Random, m: Made) -> Made:
    """The same with comparisons x == c that some record can satisfy; one in thirty is left as it
    came.
    """
    rows = m.data["domain"].get("records", [])
    values = [r[0] for r in rows if isinstance(r[0], str) and r[0].lstrip("-")[0].isdigit()]
    if not values or rng.random() < 1 / 30:
        return m
    chosen: dict[str, str] = {}

    def put(text: str) -> str:
        def one(found: re.Match[str]) -> str:
            c = found.group(1)
            return f"x == {chosen.setdefault(c, c if c in values else rng.choice(values))}"

        return COMPARED.sub(one, text)

    mechanism = m.data["mechanism"]
    mechanism["density"] = put(mechanism["density"])
    for atom in mechanism.get("atoms", []):
        atom["mass"] = put(atom["mass"])
    m.levels = {k: [put(level) for level in listed] for k, listed in m.levels.items()}
    return m


FACTORS = (
    "1",
    "1",
    "1",
    "999/1000",
    "1001/1000",
    "999999999/1000000000",
    "1000000001/1000000000",
    "1/2",
    "2",
    "0",
    "3",
)
PLAIN = ("0", "1", "eps", "1/2", "2", "log(2)", "oo", "1/1000000000", "100", "eps/2", "2*eps")


def level(rng: Random, m: Made, relation: str) -> str:
    """A level near the least one, or any."""
    known = m.levels.get(relation) or (m.levels.get("ahdp") if relation == "hdp" else None)
    if known and rng.random() < 0.8:
        base = rng.choice(known)
        factor = rng.choice(FACTORS)
        if base == "oo":
            return base
        shifted = rng.choice(("", "", "", " - 1/1000000000", " + 1/1000000000"))
        return f"({base})*{factor}" if factor != "1" else f"{base}{'' if base == 'oo' else shifted}"
    pool = PLAIN if relation == "ahdp" else tuple(p for p in PLAIN if "eps" not in p)
    if relation in ("add-remove", "swap") and m.levels.get("ahdp"):
        pool = (*pool, "4", "6", "10", "20")
    return rng.choice(pool)


def claimed(rng: Random, m: Made, relation: str = "") -> dict[str, Any]:
    """A claim about a mechanism, as the data of a file."""
    relation = relation or rng.choice(m.relations)
    claim = {"relation": relation}
    if relation != "hdp" or rng.random() < 0.0:
        claim["level"] = level(rng, m, relation)
    if rng.random() < 0.25 and m.outputs == 1:
        claim["delta"] = rng.choice(
            ("1/10", "1/100", "1/1000000", "1/2", "1", "1/3", "1 - exp(-1/4)", "exp(-1)/2", "0")
        )
    return claim
