"""Claims about composites, by every rule, and claims that follow from others of
the same mechanism.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from ahdp_verify import (
    Domain,
    Mechanism,
    Values,
    ahdp,
    assume,
    compose,
    dp,
    finite,
    hdp,
    mixture,
    normalised,
    real,
    subsample,
)
from ahdp_verify import post_process as post_process_of
from ahdp_verify import product as product_of
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.compose import group, pull_back, to_ahdp, to_swap, weaken
from fuzz import ask
from fuzz.case import Outcome

NEAR = ("1", "1", "1", "1", "999/1000", "1001/1000", "999999999/1000000000", "1/2", "2")


def e(text: str) -> Any:
    return parse(text, "expression")


def domain(rng: Random) -> Domain:
    """A few records of small values and demands, now and then oo or a log."""
    rows: list[tuple[Any, Any]] = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        pair = (
            rng.choice((0, 1, 2, -1, Fraction(1, 2))) if rows else 1,
            e(rng.choice(("1", "2", "1/2", "log(2)", "log(3)", "oo", "0", "3"))),
        )
        if all(str(pair) != str(r) for r in rows):
            rows.append(pair)
    return Domain(rows)


def random_probability(rng: Random) -> Fraction:
    return Fraction(rng.randint(1, 9), 10)


def table_on_size(rng: Random, name: str, reads: str = "") -> tuple[str, str]:
    """A density over {0, 1} that depends on whether there are records of a kind, and the worst
    ratio.
    """
    cut = rng.choice(
        ("size >= 1", "count(x == 1) >= 1", "count(x >= 1) >= 2", "size >= 2", "sum(x^2) >= 1")
    )
    if reads and rng.random() < 0.7:
        cut = rng.choice((f"{cut} and {reads} == 1", f"size + {reads} >= 2"))
    p, q = random_probability(rng), random_probability(rng)
    worst = max(p / q, q / p, (1 - p) / (1 - q), (1 - q) / (1 - p))
    return (
        f"piecewise((piecewise(({p}, {name} == 1), ({1 - p}, true)), {cut}), (piecewise(({q}, "
        f"{name} == 1), ({1 - q}, true)), true))",
        f"log({worst})",
    )


def part(
    rng: Random,
    inputs: Any,
    name: str,
    reads: str = "",
    *,
    relation: str = "ahdp",
    continuous: float = 0.4,
) -> Any:
    """A claim about a mechanism with one output; the level near its least one, so that parts are
    mostly true.
    """
    parameters = {reads: ""} if reads else {}
    if isinstance(inputs, Values):
        p = Fraction(rng.randint(5, 9), 10)
        density = f"piecewise(({p}, {name} == v), ({1 - p}, true))"
        m = Mechanism(
            inputs, outputs=[finite(name, [0, 1])], density=e(density), name=f"response {name}"
        )
        return dp(m, e(f"log({p / (1 - p)})"), "any")
    if rng.random() < continuous:
        b, c = (
            rng.choice(("1", "2", "1/2", "3")),
            rng.choice(
                ("x", "1", "abs(x)", "min(eps, 1)", "(1 - exp(-eps))*x", "indicator(x == 1)")
            ),
        )
        centre = f"sum({c})" + (f" + {rng.choice(('', '2*', '-'))}{reads}" if reads else "")
        m = Mechanism(
            inputs,
            outputs=[real(name)],
            density=e(f"exp(-abs({name} - ({centre}))/({b}))/(2*({b}))"),
            parameters=parameters,
            name=f"noisy {name}",
        )
        level = f"abs({c})/({b})"
    else:
        density, level = table_on_size(rng, name, reads)
        m = Mechanism(
            inputs,
            outputs=[finite(name, [0, 1])],
            density=e(density),
            parameters=parameters,
            name=f"table {name}",
        )
    if relation == "ahdp":
        return ahdp(m, e(level if rng.random() < 0.9 else f"({level})*{rng.choice(NEAR)}"))
    plain = level if "x" not in level and "eps" not in level else "4"
    return dp(m, e(plain if relation == "add-remove" else f"2*({plain})"), relation)


def with_delta(rng: Random, inputs: Any, name: str) -> Any:
    """A part with a delta: with a small probability the table reveals everything."""
    d = Fraction(1, rng.choice((10, 100, 3)))
    density = (
        f"piecewise((piecewise(({d}, {name} == 2), ((1 - {d})/2, true)), size >= 1), "
        f"(piecewise((0, {name} == 2), (1/2, true)), true))"
    )
    m = Mechanism(
        inputs, outputs=[finite(name, [0, 1, 2])], density=e(density), name=f"leaky {name}"
    )
    return ahdp(m, e(f"log({1 / (1 - d)})"), delta=d)


def abstract(rng: Random, inputs: Any, name: str, relation: str = "ahdp") -> Any:
    level = (
        rng.choice(("1", "log(2)", "log(4)", "2", "1/2"))
        if relation != "ahdp"
        else rng.choice(("eps", "1", "log(3)", "min(eps, 1)", "abs(x)"))
    )
    return assume(inputs, relation, e(level), outputs=[real(name)], text=f"any {name}")


def some_part(rng: Random, inputs: Any, name: str, reads: str = "", relation: str = "ahdp") -> Any:
    if rng.random() < 0.15 and not reads and not isinstance(inputs, Values):
        return abstract(rng, inputs, name, relation)
    return part(rng, inputs, name, reads, relation=relation)


def of_compose(rng: Random) -> Any:
    w = domain(rng) if rng.random() < 0.85 else Values([0, 1])
    if isinstance(w, Values):
        return compose(part(rng, w, "a"), part(rng, w, "b"))
    relation = rng.choice(("ahdp", "ahdp", "ahdp", "add-remove", "swap"))
    first = some_part(rng, w, "a", relation=relation)
    readable = isinstance(first, Claim) and rng.random() < 0.6
    parts = [first, some_part(rng, w, "b", "a" if readable else "", relation)]
    if rng.random() < 0.25:
        parts.append(some_part(rng, w, "c", "", relation))
    return compose(*parts)


def of_product(rng: Random) -> Any:
    w = domain(rng)
    if rng.random() < 0.3:
        return product_of(with_delta(rng, w, "a"), rng.choice((part, with_delta))(rng, w, "b"))
    relation = rng.choice(("ahdp", "ahdp", "add-remove", "swap"))
    return product_of(
        *(some_part(rng, w, n, relation=relation) for n in "abc"[: rng.choice((1, 2, 2, 3))])
    )


def of_post_process(rng: Random) -> Any:
    w = domain(rng)
    if rng.random() < 0.35:
        first = part(rng, w, "a", continuous=0)
        p, q = random_probability(rng), random_probability(rng)
        kernel = Mechanism(
            w,
            outputs=[finite("b", [0, 1])],
            parameters={"a": ""},
            name="kernel",
            density=e(
                f"piecewise((piecewise(({p}, b == 1), ({1 - p}, true)), a == 1), (piecewise(({q}, "
                f"b == 1), ({1 - q}, true)), true))"
            ),
        )
        return post_process_of(first, ahdp(kernel, 0))
    if rng.random() < 0.4:
        two = compose(part(rng, w, "a", continuous=0), part(rng, w, "b", continuous=0))
        return post_process_of(
            two, {"y": rng.choice(("a + b", "a*b", "max(a, b)", "a + 2*b", "abs(a - b)"))}
        )
    first = some_part(rng, w, "a")
    return post_process_of(
        first,
        {
            "y": rng.choice(
                (
                    "2*a + 1",
                    "-a",
                    "a/3",
                    "indicator(a > 0)",
                    "max(a, 0)",
                    "a",
                    "indicator(a >= 1)*2 - 1",
                    "a^2",
                )
            )
        },
    )


KEEP = (
    "1/2",
    "1/3",
    "1",
    "0",
    "1 - exp(-eps)",
    "exp(-eps)",
    "min(1, eps)",
    "(exp(min(eps, log(4))) - 1)/3",
    "1/10",
)


def of_subsample(rng: Random) -> Any:
    w = domain(rng)
    relation = rng.choice(("ahdp", "add-remove"))
    base = (
        abstract(rng, w, "a", relation)
        if rng.random() < 0.4
        else part(rng, w, "a", relation=relation)
    )
    level = rng.choice((None, None, "eps", "1", "log(2)"))
    return subsample(base, rng.choice(KEEP), level=level if relation == "ahdp" else None)


def of_mixture(rng: Random) -> Any:
    w, p = domain(rng), random_probability(rng)
    if rng.random() < 0.25:
        return mixture((p, with_delta(rng, w, "a")), (1 - p, with_delta(rng, w, "a")))
    c = float(rng.random() < 0.4)
    return mixture((p, part(rng, w, "a", continuous=c)), (1 - p, part(rng, w, "a", continuous=c)))


def of_normalised(rng: Random) -> Any:
    w, c = domain(rng), rng.choice(("1", "x", "min(eps, 1)", "indicator(x == 1)", "abs(x)/2"))
    factor = rng.choice(("r", "r/2", "(r - 1)", "-r"))
    low, high = rng.choice(
        (
            (f"min(0, {c})", f"max(0, {c})"),
            (f"-abs({c})", f"abs({c})"),
            ("0", f"abs({c})"),
            (f"-2*abs({c})", f"2*abs({c})"),
        )
    )
    return normalised(
        w, [finite("r", [0, 1, 2][: rng.choice((2, 3))])], f"{factor}*sum({c})", e(low), e(high)
    )


def of_pull_back(rng: Random) -> Any:
    w = domain(rng)
    inner = some_part(rng, w, "a", relation=rng.choice(("ahdp", "ahdp", "add-remove")))
    rows = [(r.value, r.demand) for r in w.records]
    if rng.random() < 0.5:
        v, d = rng.choice(rows)
        return pull_back(inner, Domain([(v, d), (v, e("5")), (e("7"), d)]), {"x": v, "eps": d})
    return pull_back(inner, Domain(rng.sample(rows, rng.randint(1, len(rows)))))


def of_group(rng: Random) -> Any:
    return group(some_part(rng, domain(rng), "a"))


def of_same(rng: Random) -> Any:
    """weaken, to_ahdp, to_swap."""
    w, kind = domain(rng), rng.randrange(3)
    if kind == 0:
        return weaken(
            some_part(rng, w, "a"), rng.choice(("eps", "1", "2", "abs(x)", "log(2)", "5"))
        )
    base = some_part(rng, w, "a", relation="add-remove")
    if kind == 1:
        return to_ahdp(base, rng.choice((None, lambda x, eps: eps, lambda x, eps: 4)))
    return to_swap(base)


def of_hdp(rng: Random) -> Any:
    """Compositions of HDP claims."""
    w = domain(rng)
    parts = [hdp(part(rng, w, n).mechanism) for n in "ab"]
    return rng.choice((compose, product_of))(*parts)


def nested(rng: Random) -> Any:
    """A composite of composites on one domain."""
    w = domain(rng)
    first = compose(part(rng, w, "a", continuous=0.2), part(rng, w, "b", "a", continuous=0.2))
    pick = rng.randrange(4)
    if pick == 0:
        return subsample(first, rng.choice(KEEP))
    if pick == 1:
        return post_process_of(first, {"y": rng.choice(("a + b", "a - b", "a"))})
    if pick == 2:
        p = random_probability(rng)
        return compose(
            mixture((p, part(rng, w, "c", continuous=0)), (1 - p, part(rng, w, "c", continuous=0))),
            part(rng, w, "d"),
        )
    return group(first)


RULES: dict[str, tuple[int, Callable[[Random], Any]]] = {
    "compose": (4, of_compose),
    "product": (3, of_product),
    "post": (4, of_post_process),
    "subsample": (5, of_subsample),
    "mixture": (4, of_mixture),
    "normalised": (3, of_normalised),
    "pull_back": (3, of_pull_back),
    "group": (2, of_group),
    "same": (3, of_same),
    "hdp": (1, of_hdp),
    "nested": (2, nested),
}


def varied(rng: Random, claim: Any) -> Any:
    """The claim at another level, delta or relation now and then."""
    if rng.random() < 0.45:
        return claim
    style = rng.random()
    if style < 0.6:
        return replace(
            claim,
            level=claim.level * e(rng.choice(NEAR[4:])) if str(claim.level) != "oo" else e("1"),
        )
    if style < 0.75:
        return replace(claim, delta=e(rng.choice(("1/10", "1/1000", "1/3"))))
    return (
        replace(claim, level=claim.level - e("1/1000000000"))
        if str(claim.level) not in ("0", "oo")
        else claim
    )


def composite(rng: Random) -> Outcome:
    """One claim about a composite."""
    rule = rng.choices(list(RULES), [w for w, _ in RULES.values()])[0]
    out = Outcome("composite", rule)
    claim = ask.timed(out, rule, lambda: varied(rng, RULES[rule][1](rng)), 10 * ask.SECONDS)
    if claim is not None:
        out.source = f"# {rule}\n# {claim}\n{json.dumps(claim.to_json())}"
        size = (
            rng.choice((1, 2))
            if rng.random() < 0.05 and not isinstance(claim, CompositeClaim)
            else None
        )
        ask.ask(out, claim, rng.randrange(10**9), **({"size": size} if size else {}))
    return out


KINDS = {"composite": (30, composite)}
