"""Truth by plain numbers: JSON trees evaluated in floating point, laws summed and integrated,
claims tried on small datasets.

No code of the package or of proofs/recheck is used. A violation that is found is one, up to
rounding; that none is found is evidence only.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Env = dict[str, Any]
Law = dict[str, Any]
CLOSE = 1e-9
REACH = 90  # how far from 0 sums over whole numbers go
BETWEEN = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}


class Undefined(Exception):
    """There is no such value."""


@functools.cache
def number(text: str) -> float:
    return float(Fraction(text))


def value(e: Any, env: Env) -> Any:
    """The number, label or truth value of a tree."""
    if isinstance(e, str):
        return number(e)
    head, *args = e
    if head in ("name", "label", "boolean"):
        return env[args[0]] if head == "name" else args[0]
    if head in ("oo", "pi"):
        return math.inf if head == "oo" else math.pi
    if head in ("sum", "maximum", "minimum"):
        inside = [value(args[0], {**env, **r}) for r in env["@data"]]
        if not inside and head != "sum":
            raise Undefined
        return sum(inside) if head == "sum" else (max if head == "maximum" else min)(inside)
    if head == "piecewise":
        return next(
            value(v, env) for v, c in zip(args[::2], args[1::2], strict=True) if value(c, env)
        )
    if head == "index":
        return env[f"{args[0][1]}[{round(value(args[1], env))}]"]
    if head in ("and", "or"):
        return (all if head == "and" else any)([value(a, env) for a in args])
    found = FUNCTIONS[head](*(value(a, env) for a in args))
    if isinstance(found, float) and math.isnan(found):
        raise Undefined
    return found


def theta3(r: float) -> float:
    """The sum of exp(-r k^2) over all whole numbers k; for small r by Poisson's formula, whose
    other terms are below exp(-pi^2/r).
    """
    if r <= 0:
        raise Undefined
    if r < 0.01:
        return math.sqrt(math.pi / r)
    return 1 + 2 * math.fsum(math.exp(-r * k * k) for k in range(1, 70))


FUNCTIONS: dict[str, Any] = {
    "+": lambda *a: math.fsum(a) if all(map(math.isfinite, a)) else sum(a),
    "*": lambda *a: math.prod(a),
    "^": lambda a, b: a**b,
    "exp": lambda a: math.exp(min(a, 700.0)),
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
    "erf": math.erf,
    "theta3": theta3,
    "abs": abs,
    "sign": lambda a: (a > CLOSE) - (a < -CLOSE),
    "floor": lambda a: math.floor(a + CLOSE),
    "mod": lambda a, b: a - b * math.floor(a / b + CLOSE),
    "min": min,
    "max": max,
    "binomial": lambda n, k: math.comb(round(n), round(k)) if 0 <= round(k) <= round(n) else 0,
    "not": lambda a: not a,
    "==": lambda a, b: (
        a == b if isinstance(a, str) or isinstance(b, str) else a == b or abs(a - b) < CLOSE
    ),
    "!=": lambda a, b: (
        a != b if isinstance(a, str) or isinstance(b, str) else not (a == b or abs(a - b) < CLOSE)
    ),
    "<": lambda a, b: a < b - CLOSE,
    "<=": lambda a, b: a <= b + CLOSE,
}


def parts(given: Any, base: str) -> Env:
    """A value as names: base, or base[1], base[2], ... for a vector."""
    return (
        {f"{base}[{i}]": value(v, {}) for i, v in enumerate(given[1:], 1)}
        if given[0] == "vector"
        else {base: value(given, {})}
    )


# events


def outcomes(m: Law) -> list[Env]:
    return [
        dict(zip([o[0] for o in m["outputs"]], c, strict=True))
        for c in itertools.product(*([value(v, {}) for v in o[2]] for o in m["outputs"]))
    ]


def integral(m: Law, env: Env, cuts: list[float], low: float, high: float) -> float:
    """The probability that the one output lies in [low, high), without atoms."""
    name, kind, _ = m["outputs"][0]
    if kind == "integer":
        reach = REACH + 2 * math.ceil(max(map(abs, cuts), default=0.0))
        return math.fsum(
            value(m["density"], {**env, name: float(k)})
            for k in range(-reach, reach + 1)
            if low - CLOSE <= k < high - CLOSE
        )
    inner = sorted({c for c in cuts if low < c < high})
    ends = [
        max(low, min([*inner, 0.0, high]) - 400),
        *inner,
        min(high, max([*inner, 0.0, low]) + 400),
    ]
    cells = [
        cell
        for a, b in itertools.pairwise(ends)
        if a < b
        for cell in itertools.pairwise(split(a, b))
    ]
    return math.fsum(
        (b - a) / 2 * w * value(m["density"], {**env, name: (a + b) / 2 + x * (b - a) / 2})
        for a, b in cells
        for x, w in gauss(10)
    )


@functools.cache
def gauss(n: int) -> list[tuple[float, float]]:
    """Nodes and weights of Gauss and Legendre on [-1, 1]."""
    found = []
    for i in range(n):
        x = math.cos(math.pi * (i + 0.75) / (n + 0.5))
        for _ in range(50):
            below, here = 1.0, x
            for k in range(2, n + 1):
                below, here = here, ((2 * k - 1) * x * here - (k - 1) * below) / k
            slope = n * (x * here - below) / (x * x - 1)
            x -= here / slope
        found.append((x, 2 / ((1 - x * x) * slope * slope)))
    return found


def split(a: float, b: float) -> list[float]:
    """Points from a to b that are dense near both ends, where exponentials vary most."""
    steps = [x for x in (2, 10, 40, 120) if x < (b - a) / 2]
    return [a, *(a + x for x in steps), *(b - x for x in reversed(steps)), b]


def of_event(record: dict[str, Any]) -> str | None:
    """That the event of a refutation violates the claimed bound, in words; None where sums and
    integrals are too rough; an empty text if it does not.
    """
    claim, example = record["claim"], record["counterexample"]
    m, event = claim["mechanism"], example.get("event")
    if "outputs" not in m or event is None:
        return None  # a composite mechanism
    finite = all(o[1] == "finite" for o in m["outputs"])
    if (not finite and len(m["outputs"]) > 1) or (
        finite and math.prod(len(o[2]) for o in m["outputs"]) > 64
    ):
        return None
    env = {n: value(v["e"], {}) for n, v in example["parameters"]}
    sides = [{**env, **side} for side in inputs(m, example, env)]
    level = level_between(claim, env, *sides)
    probabilities = []
    for side, points in zip(sides, example["points"], strict=True):
        atoms = {str(at): value(mass, side) for at, mass in m["atoms"]}
        cuts = [value(p["e"], env) for _, listed in points for p in listed]
        spans = [
            (value(a["e"], env) if a else -math.inf, value(b["e"], env) if b else math.inf)
            for _, a, b in event["intervals"]
        ] or [(-math.inf, math.inf)]
        cuts += [x for x in spans[0] if math.isfinite(x)]
        if finite:
            listed = [(o, value(m["density"], {**side, **o})) for o in outcomes(m)]
            whole, inside = (
                math.fsum(p for _, p in listed),
                math.fsum(p for o, p in listed if happens(o, event, m)),
            )
        else:
            whole = integral(m, side, cuts, -math.inf, math.inf) + sum(atoms.values())
            inside = integral(m, side, cuts, *spans[0]) if event["continuous"] else 0.0
        if abs(whole - 1) > 1e-6:
            return None if abs(whole - 1) < 0.02 else ""
        probabilities.append(inside + sum(atoms[str(at["e"])] for at in event["atoms"]))
    delta = value(claim["delta"], env)
    if level is None:
        return ""
    allowed = math.exp(min(level, 700.0)) * probabilities[1] + delta
    if abs(probabilities[0] - allowed) <= 1e-6 * (probabilities[0] + allowed):
        return None
    return (
        "the event violates the claimed bound, in floating point"
        if probabilities[0] > allowed
        else ""
    )


def happens(outcome: Env, event: dict[str, Any], m: Law) -> bool:
    """Whether an outcome of finite outputs belongs to the event."""
    if event["outcomes"]:
        return [outcome[o[0]] for o in m["outputs"]] in [
            [value(v["e"], {}) for v in listed] for listed in event["outcomes"]
        ]
    return bool(event["continuous"]) and all(
        outcome[n] in [value(v["e"], {}) for v in listed] for n, listed in event["values"]
    )


def inputs(m: Law, example: dict[str, Any], env: Env) -> list[Env]:
    """Both inputs of a counterexample as environments."""
    sides = [[value(x["e"], env) for x in example[side]] for side in ("first", "second")]
    if "queries" in m["inputs"]:
        return [{f"q[{i}]": q for i, q in enumerate(side, 1)} for side in sides]
    if "reals" in m["inputs"]:
        names = [n for n, _ in m["inputs"]["reals"]]
        return [dict(zip(names, side, strict=True)) for side in sides]
    if "values" in m["inputs"]:
        names = list(parts(m["inputs"]["values"][0], "v"))
        return [dict(zip(names, side, strict=True)) for side in sides]
    if "records" in m["inputs"]:
        records = [
            {**parts(v, "x"), "eps": value(demand, env)} for v, demand in m["inputs"]["records"]
        ]
    else:
        records = [{k: value(v["e"], {}) for k, v in r} for r in example["instances"]]
    return [
        {"@data": [r for r, h in zip(records, side, strict=True) for _ in range(round(h))]}
        for side in sides
    ]


def level_between(claim: dict[str, Any], env: Env, before: Env, after: Env) -> float | None:
    """The level of the move between two inputs; None if the relation has no such move, or allows
    everything.
    """
    relation = claim["relation"]
    if relation == "any":
        return (
            level_at(claim, {**env, **before, **{"other" + k[1:]: v for k, v in after.items()}})
            if before != after
            else None
        )
    if relation in BETWEEN:
        low, high = BETWEEN[relation]
        gaps = [g for g in (after[k] - before[k] for k in before if k.startswith("q[")) if g]
        fits = (
            gaps
            and any(all(low <= s * g <= high for g in gaps) for s in (1, -1))
            and (relation != "one" or len(gaps) == 1)
        )
        return level_at(claim, env) if fits else None
    gone, new = list(before["@data"]), []
    for r in after["@data"]:
        gone.remove(r) if r in gone else new.append(r)
    if relation in ("ahdp", "add-remove"):
        return level_at(claim, {**env, **(gone + new)[0]}) if len(gone + new) == 1 else None
    if (len(gone), len(new)) != (1, 1) or (
        relation == "hdp" and any(gone[0][k] != new[0][k] for k in ("eps", *claim["public"]))
    ):
        return None
    levels = [
        x for x in (level_at(claim, {**env, **r}) for r in (gone[0], new[0])) if x is not None
    ]
    return min(levels, default=None)


def level_at(claim: dict[str, Any], env: Env) -> float | None:
    found = limit(claim["level"], env)
    return None if found == math.inf else found


def limit(e: Any, env: Env) -> float:
    """The value at a record; at demand oo the value at a very large demand, where there is no
    other.
    """
    try:
        return float(value(e, env))
    except (Undefined, OverflowError):
        found = float(value(e, {**env, "eps": 1e9}))
        return math.inf if found > 1e6 else found


# claims


def of_claim(claim: dict[str, Any], rng: random.Random) -> str | None:
    """That no violation of a claim is found on small inputs, in words; an empty text if one is
    found, None if nothing could be tried.
    """
    m, tried = claim["mechanism"], 0
    if "density" not in m:
        return None  # a composite mechanism
    if "records" in m["inputs"] and not m["parameters"] and not any_move(claim):
        return "there is no move"
    for _ in range(25):
        try:
            env, before, after = drawn(claim, rng)
            level = level_between(claim, env, {**env, **before}, {**env, **after})
            if level is None or not all(
                value(m["defined"], {**env, **side}) for side in (before, after)
            ):
                continue
            backwards = (
                claim["relation"] != "any"
            )  # of a pair of values each order is drawn on its own
            for p, q in ((before, after), (after, before))[: 1 + backwards]:
                if exceeds(m, {**env, **p}, {**env, **q}, level, value(claim["delta"], env), rng):
                    return ""
            tried += 1
        except (Undefined, OverflowError, ZeroDivisionError, ValueError, StopIteration):
            continue
    return f"no violation among {'many' if tried > 5 else 'some'} small inputs" if tried else None


def any_move(claim: dict[str, Any]) -> bool:
    """Whether some record, or some pair of records, makes a move of finite level."""
    records = [
        {**parts(v, "x"), "eps": value(demand, {})}
        for v, demand in claim["mechanism"]["inputs"]["records"]
    ]
    empty: Env = {"@data": []}
    single = claim["relation"] in ("ahdp", "add-remove")
    pairs = (
        [({"@data": [r]}, empty) for r in records]
        if single
        else [({"@data": [r]}, {"@data": [t]}) for r in records for t in records if r != t]
    )
    return any(level_between(claim, {}, a, b) is not None for a, b in pairs)


def drawn(claim: dict[str, Any], rng: random.Random) -> tuple[Env, Env, Env]:
    """Parameters that satisfy their conditions, and two inputs that may be one move apart."""
    m = claim["mechanism"]
    env = satisfying(m["parameters"], rng)
    given = m["inputs"]
    if "values" in given:
        first, second = rng.sample(given["values"], 2)
        return env, parts(first, "v"), parts(second, "v")
    if "reals" in given:
        return env, satisfying(given["reals"], rng, env), satisfying(given["reals"], rng, env)
    if "queries" in given:
        names = [f"q[{i}]" for i in range(1, given["queries"] + 1)]
        before = {n: rng.choice([0.0, 1.0, -2.0, rng.uniform(-3, 3)]) for n in names}
        low, high = BETWEEN[claim["relation"]]
        moved = [rng.choice(names)] if claim["relation"] == "one" else names
        return (
            env,
            before,
            {
                n: q + (rng.choice([low, high, rng.uniform(low, high)]) if n in moved else 0)
                for n, q in before.items()
            },
        )
    if "records" in given:
        records = [{**parts(v, "x"), "eps": value(demand, env)} for v, demand in given["records"]]
    else:
        records = [satisfying(given["unknowns"], rng, env) for _ in range(3)]
    rest = [rng.choice(records) for _ in range(rng.randint(0, 2))]
    one, other = [*rest, rng.choice(records)], [*rest, rng.choice(records)]
    return (
        env,
        {"@data": rest if claim["relation"] in ("ahdp", "add-remove") else one},
        {"@data": other},
    )


def satisfying(named: list[Any], rng: random.Random, env: Env | None = None) -> Env:
    """Values of names that satisfy their conditions."""
    for _ in range(400):
        found = {
            n: rng.choice(
                [0.0, 0.25, 0.5, 1.0, 2.0, 3.0, -1.0, rng.uniform(0, 1), rng.uniform(-2, 4)]
            )
            for n, _ in named
        }
        if all(value(c, {**(env or {}), **found}) for _, c in named):
            return found
    raise Undefined


def exceeds(m: Law, p: Env, q: Env, level: float, delta: float, rng: random.Random) -> bool:
    """Whether some output has more than exp(level) times its probability under q; with delta,
    whether the outputs that do exceed it by more than delta in total.
    """
    factor = math.exp(level)
    if all(o[1] == "finite" for o in m["outputs"]):
        few = math.prod(len(o[2]) for o in m["outputs"]) <= 64
        tried = (
            outcomes(m)
            if delta or few
            else [{o[0]: value(rng.choice(o[2]), {}) for o in m["outputs"]} for _ in range(40)]
        )
    elif delta and m["outputs"][0][1] == "real":
        return False  # left to the exact programs
    elif delta:
        tried = [{m["outputs"][0][0]: float(k)} for k in range(-REACH, REACH + 1)]
    else:
        tried = [{o[0]: point(o, rng) for o in m["outputs"]} for _ in range(40)]
    pairs = [(value(m["density"], {**p, **t}), value(m["density"], {**q, **t})) for t in tried] + [
        (value(mass, p), value(mass, q)) for _, mass in m["atoms"]
    ]
    if delta:
        return math.fsum(max(0.0, a - factor * b) for a, b in pairs) > delta + CLOSE
    return any(a > factor * b * (1 + CLOSE) + 1e-300 for a, b in pairs)


def point(output: Any, rng: random.Random) -> Any:
    """A value of an output."""
    if output[1] == "finite":
        return value(rng.choice(output[2]), {})
    return (
        float(rng.randint(-6, 9))
        if output[1] == "integer"
        else rng.choice([rng.uniform(-4, 7), rng.uniform(-40, 40), float(rng.randint(-3, 5))])
    )


def of_statement(record: dict[str, Any], rng: random.Random) -> str | None:
    """That a statement holds at all values that are tried, or fails at those of the record."""
    left, relation, right = record["claim"]["inequality"]
    if record["verdict"] == "refuted":
        env = {n: value(v["e"], {}) for n, v in record["counterexample"]["values"]}
        inside = all(value(c, env) for _, c in record["claim"]["parameters"])
        return (
            "the statement fails there, in floating point"
            if inside and not holds(left, relation, right, env, -1e-12)
            else ""
        )
    tried = 0
    for env in samples(record["claim"]["parameters"], rng):
        tried += 1
        if not holds(left, relation, right, env, CLOSE):
            return ""
    return f"the statement holds at {'many' if tried > 5 else 'some'} values" if tried else ""


def samples(named: list[Any], rng: random.Random) -> Iterator[Env]:
    for _ in range(20):
        try:
            yield satisfying(named, rng)
        except Undefined:
            continue


def holds(left: Any, relation: str, right: Any, env: Env, slack: float) -> bool:
    gap = value(right, env) - value(left, env)
    return (
        abs(gap) <= slack
        if relation == "=="
        else gap >= -slack
        if relation in ("<", "<=")
        else gap <= slack
    )
