"""Forged records about signs on regions, several finite outputs, and noise of a distance."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forge import Record, sealed
from hand_parts import (
    ANSWERS,
    CLOSED,
    COUNT,
    EPS,
    PIECES,
    REAL,
    SUM,
    TRUE,
    S,
    V,
    X,
    example,
    gap,
    interval,
    law,
    minus,
    one_piece,
    record,
    refuted,
    root,
)


def poles() -> Iterator[Record]:
    """atan jumps where x = y, outside the facts but inside the box: -atan(1/(x - y)) is < 0."""
    x, y = ["name", "x"], ["name", "y"]
    step = ["+", x, minus(y)]
    unknowns = [
        ["x", ["and", ["<=", "0", x], ["<=", x, "1/100"]]],
        ["y", ["and", ["and", ["<=", "1/250", y], ["<=", y, "1/125"]], ["<", y, x]]],
    ]
    claim = {
        "inequality": ["0", "<=", minus(["atan", ["^", step, "-1"]])],
        "parameters": unknowns,
        "name": "",
    }
    lemma = {"is": "lemma", "kind": "square", "arguments": [{"e": step}], "relation": ">="}
    for pieces, lemmas in itertools.product((1, 20), ([], [{**lemma, "proofs": []}])):
        proof = {"is": "box cover", "pieces": pieces}
        shown = {**CLOSED, "form": "direct", "lemmas": lemmas, "proofs": [proof]}
        yield record(claim, [shown], [0])


def summed_over_records() -> Iterator[Record]:
    """Sums over a universal domain of what is largest inside an interval, or of no unknown."""
    unit = ["and", ["<=", "0", X], ["<=", X, "1"]]
    universal = {"unknowns": [["x", unit], ["eps", ["<=", "0", EPS]]], "parameters": []}
    hill = ["sum", ["*", X, ["+", "1", minus(X)]]]
    for far in (hill, ["+", hill, COUNT], ["+", hill, SUM]):
        noisy = ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(far)]])]]
        claim = law(universal, REAL, noisy, "ahdp", ["*", "1/2", X])
        for uses, points in itertools.product((2, 4), (["name", "@1"], far)):
            made = record(claim, [CLOSED], [0] * uses, one_piece(1, points))
            yield sealed({**made, "certificate": {**made["certificate"], "counts": True}})


def of_no_length() -> Iterator[Record]:
    """A density 1/h from 0 to h is none at h = 0; that |h - s| + s > 0 inside does not show h >
    0.
    """
    h, bump = ["name", "h"], ["+", ["^", ["+", S, "-1/7"], "2"], "1"]
    long = ["+", ["abs", ["+", h, minus(S)]], S]
    one = ["*", ["^", bump, "-1"], ["+", ["^", ["+", S, "-1/7"], "2"], ["*", "0", S], "1"]]
    inside = ["and", ["<", "0", S], ["<", S, h]]
    density = ["piecewise", ["*", one, ["^", long, "-1"]], inside, "0", TRUE]
    for condition in (["<=", "0", h], TRUE):
        claim = law({"queries": 1}, REAL, density, "one", "0", "1", parameters=[["h", condition]])
        points = [{"e": "0"}, {"e": h}]
        whole = {"is": "choice", "counts": "whole", "why": CLOSED}
        leaf = {"is": "divergence", "lemmas": [], "points": points, "choices": [whole] * 3}
        shown = {**leaf, "final": {**CLOSED, "form": "direct"}}
        yield record(claim, [shown], [0, 0], one_piece(1, "0", h))


def without_value() -> Iterator[Record]:
    """Sums over records that have no value at a record of level oo, of which nothing is asked."""
    near = ["+", "2", minus(X)]
    at = ["+", ["name", "@1"], minus(S)]
    more = ["+", at, "1"]
    for inner in (
        ["+", X, ["*", "0", ["^", near, "-1"]]],
        ["+", X, ["*", "0", ["log", near]]],
        ["*", X, ["piecewise", "1", ["==", X, "1"], "0", ["boolean", False]]],
    ):
        noisy = ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(["sum", inner])]])]]
        claim = law({"records": [["1", "1"], ["2", ["oo"]]]}, REAL, noisy, "ahdp", EPS)
        for fact in (0, 1):
            shown = []
            for pair in ((at, more), (more, at)):
                lemma = {"is": "lemma", "kind": "triangle", "arguments": [{"e": e} for e in pair]}
                proof = {"is": "products", "terms": [[{"q": "1"}, [fact]]]}
                lemmas = [{**lemma, "relation": ">=", "proofs": []}]
                shown.append({**CLOSED, "lemmas": lemmas, "proofs": [proof, None]})
            yield record(claim, shown, [0, 1], one_piece(1, ["name", "@1"]))


def negative_factors() -> Iterator[Record]:
    """Laws of two bits, each with a factor below 0: then what bounds the factors bounds no product,
    and level 0 is claimed where the loss is log(36/25).
    """
    pair = [["a", "finite", ["0", "1"]], ["b", "finite", ["0", "1"]]]
    a, b = ["name", "a"], ["name", "b"]
    x, y, z = (["name", f"v[{i}]"] for i in (1, 2, 3))

    def on_bits(one: Any, other: Any, put: Any) -> Any:
        values = {"values": [["vector", *one], ["vector", *other]]}
        return law(values, pair, ["*", put(a), put(b)], "any")

    def slope(bit_: Any) -> Any:
        return ["+", "1", ["*", z, ["^", bit_, "2"]]]

    direct = {**CLOSED, "form": "direct"}
    rest = {"is": "separate", "lemmas": [], "form": "log", "leaves": [direct] * 4, "proofs": []}
    shown = [{**rest, "levels": [{"e": ["log", e]}] * 2} for e in ("5/6", "9/10")]
    # in a state, a factor that is a sum or a power turns into a product with one that is < 0
    summed = [("-1/3", "0", "1"), ("-2/5", "0", "1/2"), lambda e: ["+", ["*", x, slope(e)], y]]
    divided = [("-3/2", "-1", "1"), ("-5/3", "-1", "1/2"), lambda e: ["^", ["*", x, slope(e)], y]]
    for made, power, at_zero, sums in (
        (summed, "1", ("1/3", "2/5"), ("3", "5/2")),
        (divided, "-1", ("2/3", "3/5"), ("3/2", "5/3")),
    ):
        bumps = [["+", "1", ["*", c, ["^", a, "2"]]] for c in ("1", "1/2")]
        left = [["*", c, ["^", e, power]] for c, e in zip(at_zero, bumps, strict=True)]
        for values in ([], [e for e in sums for _ in pair], ["1", left[0], "1", left[1]]):
            mass = {**one_piece(len(values) or 2), "values": [{"e": e} for e in values]}
            yield record(on_bits(*made), shown, [0, 1], mass)


def coupled_outputs() -> Iterator[Record]:
    """An event of one of two bits with a formula that has a finite sum over all whole numbers
    too.
    """
    pair = [["a", "finite", ["0", "1"]], ["b", "finite", ["0", "1"]]]
    sizes = [["abs", ["name", n]] for n in ("a", "b")]
    rest = ["+", ["^", "1/2", sizes[1]], ["*", sizes[0], ["^", "1/3", sizes[1]]]]
    told = ["*", "12/35", ["^", "1/2", sizes[0]], rest]
    claim = law(ANSWERS, pair, ["piecewise", told, ["==", V, "0"], "1/4", TRUE], "any", "1")
    zeros = [["a", [{"e": "0"}]], ["b", [{"e": "0"}]]]
    for points in ([zeros, []], [[], []], [zeros, zeros]):
        for value in ("0", "1"):
            yield refuted(claim, example(["0"], ["1"], points, values=[["a", [{"e": value}]]]))


def noise(factor: Any, *exponent: Any) -> Any:
    return ["*", factor, ["exp", ["*", *exponent]]]


def of_distances() -> Iterator[Record]:
    """Densities that are not quite those of a distance, and levels that do not bound it."""
    one, two = gap("a", "v[1]"), gap("b", "v[2]")
    far = root(gap("v[1]", "other[1]"), gap("v[2]", "other[2]"))
    plane = interval(["v[1]", TRUE], ["v[2]", TRUE])
    c = ["*", "4", ["^", ["*", "2", ["pi"]], "-1"]]
    wide = ["+", "1", ["^", ["name", "v[1]"], "2"]]
    densities = (
        noise(c, "-2", root(one, two)),
        noise(c, "2", root(one, two)),
        noise("1", "-2", root(one, two)),
        noise(c, "-2", root(one, two, power="1/4")),
        noise(c, "-2", root(["*", "2", one], two)),
        noise(c, "-2", root(one, two, "1")),
        noise(c, "-2", root(one, gap("b", "a"))),
        noise(c, "-2", root(one, gap("a", "v[2]"))),
        noise(["*", c, wide, wide], "-2", wide, root(one, two)),
        noise(["*", c, ["name", "a"]], "-2", root(one, two)),
        ["+", noise(c, "-2", root(one, two)), "0"],
    )
    levels = (
        ["*", "2", far],
        ["*", "-2", far],
        ["*", "199/100", far],
        ["*", "2", far, far],
        ["*", "2", gap("v[1]", "other[1]")],
        "100",
        ["*", "100", far],
        ["*", "2", wide, far],
    )
    kinds = ([["a", "real", []], ["b", "real", []]], [["a", "real", []], ["b", "integer", []]])
    shown = {"is": "closed", "lemmas": [], "form": "radial", "proofs": []}
    for density, level, outputs in itertools.product(densities, levels, kinds):
        claim = law(plane, outputs, density, "any", level)
        for number in (0, 2):
            yield record(claim, [{**shown, "proofs": [None] * number}], [0], one_piece(1))
        yield record(claim, [shown], [0], {**one_piece(1), "evidence": [CLOSED]})
        square = {"is": "lemma", "kind": "square", "arguments": [{"e": ["name", "a"]}]}
        told = {**PIECES, "lemmas": [{**square, "relation": ">=", "proofs": []}]}
        yield record(claim, [shown], [0], {**one_piece(1), "evidence": [told]})
    for outputs in (kinds[0][:1], [[n, "real", []] for n in "abcd"]):
        spoken = [["name", n] for n, _, _ in outputs]
        claim = law(plane, outputs, noise(c, "-2", root(*spoken)), "any", "1")
        yield record(claim, [shown], [0], one_piece(1))


def parabolas() -> Iterator[Record]:
    """Laws of total 1 between 0 and 1 that are negative at an end, or in the middle."""
    for least in ("-1/5", "31/10"):
        bend = str(6 * (1 - Fraction(least)))
        inside = ["+", least, ["*", bend, S], minus(["*", bend, ["^", S, "2"]])]
        density = ["piecewise", inside, ["and", ["<=", "0", S], ["<=", S, "1"]], "0", TRUE]
        shown = {**CLOSED, "form": "direct"}
        for guard in (["+", "1", minus(S)], S):
            cases = [[">=", shown], ["<", {**CLOSED, "form": "direct"}]]
            shown = {"is": "case split", "lemmas": [], "guard": {"e": guard}, "cases": cases}
        yield record(law(ANSWERS, REAL, density, "any"), [shown], [0, 0], one_piece(2, "0", "1"))


def of_strips() -> Iterator[Record]:
    """In each case a distance from one point, but of no point in all: the total is about 1.16."""
    a, b = ["name", "a"], ["name", "b"]
    parts = {n: ["+", ["mod", ["name", n], "1"], "-7/10"] for n in "ab"}

    def at(n: str) -> Any:
        return minus(["piecewise", "1/4", ["<", "0", parts[n]], "0", TRUE])

    distance = root(["+", a, at("b")], ["+", b, at("a")])
    density = noise(["*", "50", ["^", ["pi"], "-1"]], "-10", distance)
    leaf = {"is": "pieces", "lemmas": [], "points": []}
    for n in "ab":
        cases = [[">", leaf], ["<=", leaf]]
        leaf = {"is": "case split", "lemmas": [], "guard": {"e": parts[n]}, "cases": cases}
    mass = {"is": "mass", "values": [], "evidence": [leaf]}
    outputs = [["a", "real", []], ["b", "real", []]]
    claim = law(
        interval(["v", TRUE]), outputs, density, "any", ["oo"]
    )  # so the total is all it needs
    yield record(claim, [], [], mass)
