"""Forged records about values of an interval, divergences over several outputs, and notions."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from forge import Record, sealed
from hand_parts import (
    ANSWERS,
    BIT,
    CLOSED,
    COUNT,
    EPS,
    ONE,
    PEOPLE,
    SUM,
    TRUE,
    S,
    V,
    X,
    about,
    assumed,
    bit,
    by_rule,
    compared,
    composite,
    enumerated,
    example,
    interval,
    law,
    minus,
    one_piece,
    proof,
    proved,
    record,
    refuted,
    stated,
    stored,
)

UNIT = ["and", ["<=", "0", V], ["<=", V, "1"]]
OTHER = ["name", "other"]
LIKELY_BIT = ["*", "1/3", bit(["+", "2", minus(V)], ["+", "1", V])]


def of_intervals() -> Iterator[Record]:
    """Claims about values of an interval without a meaning, and inputs that are none."""
    two = (["v[1]", TRUE], ["v[2]", ["<=", ["name", "v[1]"], ["name", "v[2]"]]])
    odd: tuple[Any, ...] = (
        interval(),
        interval(["w", TRUE]),
        interval(["v", TRUE], ["w", TRUE]),
        interval(["v[2]", TRUE]),
        interval(["v[2]", TRUE], ["v[1]", TRUE]),
        interval(["v", TRUE], ["v", TRUE]),
        interval(["v", TRUE], ["v[1]", TRUE]),
        interval(["v", V]),
        interval(["v", ["<=", V, OTHER]]),
        interval(["v", ["<=", V, S]]),
        interval(["v", ["<=", V, SUM]]),
        interval(["v", ["==", V, ["label", "a"]]]),
        interval(["v", ["<=", V, ["name", "c"]]]),
        interval(*two),
        interval(["v", UNIT]),
    )
    for inputs in odd:
        for parameters in ([], [["c", TRUE]], [["v", TRUE]], [["other", TRUE]]):
            claim = law(inputs, ONE, "1", "any", parameters=parameters)
            for number in (1, 2):
                yield record(claim, [CLOSED], [0] * number, one_piece(1))
    for relation in ("ahdp", "swap", "one", "any"):
        claim = law(interval(["v", UNIT]), BIT, LIKELY_BIT, relation)
        yield record(claim, [CLOSED], [0, 0], one_piece(1))
        yield proved(
            about(composite("compose", [claim]), relation, "0"),
            by_rule(
                about(composite("compose", [claim]), relation, "0"), "compose", [proof(claim)], 1
            ),
        )
    sides = (
        ["0"],
        ["1"],
        ["1/2"],
        ["2"],
        ["-1"],
        [["^", "1/4", "1/2"]],
        ["0", "1"],
        [],
        [["oo"]],
        [V],
    )
    on = {"values": [["s", [{"e": "1"}]]]}
    for level in ("0", minus("1"), ["+", ["abs", ["+", V, minus(OTHER)]], minus("1")], ["oo"]):
        claim = law(interval(["v", UNIT]), BIT, LIKELY_BIT, "any", level)
        shown = record(claim, [CLOSED], [0, 0], one_piece(1))
        for before, after in itertools.product(sides, sides):
            yield refuted(claim, example(before, after, **on))
            shown["compared"] = compared(before, after)
            shown["scope"]["compared"] = "something"
            yield sealed(dict(shown))
    same = ["name", "zz"]
    for key, condition in (
        ("w", TRUE),
        ("v[2]", TRUE),
        ("v", ["<=", same, same]),
        ("v", ["==", V, V]),
        ("v", ["==", ["label", "a"], ["label", "a"]]),
    ):
        likely = json.loads(
            json.dumps(LIKELY_BIT).replace(json.dumps(V), json.dumps(["name", key]))
        )
        claim = law(interval([key, condition]), BIT, likely, "any")
        yield refuted(claim, example(["1"], ["0"], **on))
    claim = law(interval(*two), BIT, "1/2", "any", "0")
    for before, after in (
        (["0", "1"], ["1", "0"]),
        (["0", "1"], ["0", "1"]),
        (["0", "1"], ["0", "2"]),
        (["0"], ["1"]),
    ):
        yield refuted(claim, example(before, after, **on))


SLICED = ("coin-and-laplace-noise-delta-1", "two-laplace-noises-delta-1")
SLANTED = ("coin-and-laplace-noise-delta-2", "two-laplace-noises-delta-2")
K, WHOLE_K, LATER = ["name", "k"], [["k", "integer", []]], {"e": ["name", "t"]}


def wrong_slices() -> Iterator[Record]:
    """Divergences in which the pieces of a later output are missing, or say something else."""
    square = {
        "is": "lemma",
        "kind": "square",
        "arguments": [{"e": "1"}],
        "relation": ">=",
        "proofs": [],
    }
    for stem in SLICED:
        count = len(stored(stem)["certificate"]["evidence"][0]["choices"])
        for i in range(count):
            inner = stored(stem)["certificate"]["evidence"][0]["choices"][i]
            for wrong in (
                {"is": "choice", "counts": "none", "why": CLOSED},
                {"is": "choice", "counts": "whole", "why": CLOSED},
                {**inner, "lemmas": [square]},
                {**inner, "final": {**inner["final"], "form": "log"}},
                {**inner, "final": {**inner["final"], "lemmas": [square]}},
                {**inner, "points": inner["points"][::-1]},
                {**inner, "points": [*inner["points"][:-1], LATER]},
                {**inner, "points": [{"e": "0"}]},
                {**inner, "choices": inner["choices"][1:]},
                {**inner, "choices": [*inner["choices"], inner["choices"][0]]},
                {**inner, "choices": [inner] * len(inner["choices"])},
            ):
                made = stored(stem)
                made["certificate"]["evidence"][0]["choices"][i] = wrong
                yield sealed(made)
        leaf = stored(stem)["certificate"]["evidence"][0]
        for points in ([{"e": "0"}], leaf["points"][::-1], [LATER] * len(leaf["points"])):
            made = stored(stem)
            made["certificate"]["evidence"][0]["points"] = points
            yield sealed(made)
        for choices in (leaf["choices"][1:], [*leaf["choices"], leaf["choices"][0]]):
            made = stored(stem)
            made["certificate"]["evidence"][0]["choices"] = choices
            yield sealed(made)


def wrong_slants() -> Iterator[Record]:
    """Events whose ends depend on what they may not depend on, or whose pieces are out of order."""
    for stem in SLANTED:
        for i, end in itertools.product(
            (0, 1), ({"e": ["name", "t"]}, {"e": ["name", "s"]}, {"e": ["name", "r"]})
        ):
            made = stored(stem)
            spans = made["counterexample"]["event"]["intervals"]
            if i < len(spans):
                for j in (1, 2):
                    made = stored(stem)
                    made["counterexample"]["event"]["intervals"][i][j] = end
                    yield sealed(made)
        for side in (0, 1):
            for row in range(len(stored(stem)["counterexample"]["points"][side])):
                made = stored(stem)
                made["counterexample"]["points"][side][row][1] = [LATER]
                yield sealed(made)
                made = stored(stem)
                made["counterexample"]["points"][side][row][1] = []
                yield sealed(made)


def bell(exponent: Any, normaliser: Any) -> Any:
    return ["*", ["exp", exponent], ["^", normaliser, "-1"]]


def gaussian_sums() -> Iterator[Record]:
    """Laws that are sums of discrete Gaussians, and whose total is another, or no number."""
    theta = ["theta3", "1/8"]

    def around(c: Any, rate: Any = "-1/8") -> Any:
        return ["*", rate, ["^", ["+", K, minus(c)], "2"]]

    laws_of_k = (
        bell(around("1/2"), theta),
        bell(around(["*", "1/3", V]), theta),
        bell(around(V), ["theta3", "1/7"]),
        bell(around("0", "1/8"), theta),
        bell(around("0", "1/8"), ["theta3", "-1/8"]),
        bell(around("0"), ["theta3", "0"]),
        bell(["+", around("0"), ["*", "-1/8", ["^", K, "4"]]], theta),
        ["*", K, K, bell(around("0"), theta)],
        bell(around("0"), "5"),
    )
    pieces = ((), ("0",), ("1/2",), ("5000",), ("-5000",), (V,), ("0", "1"))
    whole = {"is": "choice", "counts": "whole", "why": CLOSED}
    for density, points in itertools.product(laws_of_k, pieces):
        claim = law(ANSWERS, WHOLE_K, density, "any", "0", "1")
        leaf = {
            "is": "divergence",
            "lemmas": [],
            "points": [{"e": p} for p in points],
            "choices": [whole] * (len(points) + 1),
            "final": CLOSED,
        }
        yield sealed(record(claim, [leaf], [0] * 2, one_piece(2, *points)))
    for points in pieces:
        claim = law(PEOPLE, WHOLE_K, bell(around(COUNT), theta), "ahdp", "0", "1")
        counted = {"is": "divergence", "lemmas": [], "final": CLOSED}
        counted |= {"points": [], "choices": [whole]}
        yield sealed(record(claim, [counted], [0] * 4, one_piece(1, *points)))
        counted |= {"points": [{"e": p} for p in points], "choices": [whole] * (len(points) + 1)}
        yield sealed(record(claim, [counted], [0] * 4, one_piece(1)))
    for density in (bell(around(V), theta), bell(around(V), ["theta3", ["+", V, "-1"]])):
        for points in pieces:
            claim = law(ANSWERS, WHOLE_K, density, "any", "0", "1")
            leaf = {
                "is": "divergence",
                "lemmas": [],
                "points": [{"e": p} for p in points],
                "choices": [{**whole, "counts": "none"}] * (len(points) + 1),
                "final": CLOSED,
            }
            yield sealed(record(claim, [leaf], [0] * 2, one_piece(2)))


def own_deltas() -> Iterator[Record]:
    """Deltas that depend on the record where they may not, or that are too small for one."""
    for delta in (X, ["*", "1/10", X], EPS, ["name", "v"], ["name", "other"], ["oo"]):
        yield enumerated(
            law(
                PEOPLE,
                BIT,
                bit(["^", "2", minus(COUNT)], ["+", "1", minus(["^", "2", minus(COUNT)])]),
                "ahdp",
                "0",
                delta,
            )
        )
        for inputs, relation in (
            (PEOPLE, "ahdp"),
            (PEOPLE, "add-remove"),
            (PEOPLE, "hdp"),
            (ANSWERS, "any"),
        ):
            yield enumerated(law(inputs, BIT, "1/2", relation, "0", delta))
            leaf = {
                "is": "divergence",
                "lemmas": [],
                "points": [],
                "choices": [{"is": "choice", "counts": "none", "why": CLOSED}] * 2,
                "final": CLOSED,
            }
            claim = law(inputs, BIT, "1/2", relation, "0", delta)
            yield sealed(record(claim, [leaf], [0] * 4, one_piece(2 if inputs is ANSWERS else 1)))
        part = assumed("ahdp", EPS, delta)
        second = assumed("ahdp", EPS, delta, outputs=[["m", "finite", ["0", "1"]]], name="b")
        for rule, claimed in itertools.product(("compose", "product"), ("0", "1/100", X, delta)):
            whole = about(composite(rule, [part, second]), "ahdp", ["*", "2", EPS], claimed)
            for sides in (0, 1, 2):
                shown = by_rule(whole, rule, [proof(part), proof(second)], sides)
                yield proved(whole, shown)
    for stem in ("sum-with-a-delta-of-each-record-1", "sum-with-a-delta-of-any-record-1"):
        for delta in ("0", "1/5", X, EPS, ["*", "1/10", X], minus(X)):
            made = stored(stem)
            made["claim"]["delta"] = delta
            yield sealed(made)
    for stem in ("sum-with-a-delta-of-each-record-2", "sum-with-a-delta-of-any-record-2"):
        for own in ("1", X, ["*", "2", X], EPS):
            made = stored(stem)
            made["claim"]["delta"] = own
            yield sealed(made)


def levels_of_one_way() -> Iterator[Record]:
    """zCDP from a level that bounds the loss from 0 to 1 but not back: both make divergences."""
    first = ["==", V, "0"]
    for at_zero, forth, back in (
        (bit("0", "1"), ["log", "2"], ["oo"]),
        (bit("1/10", "9/10"), ["log", "9/5"], ["log", "5"]),
    ):
        ratio = ["exp", forth]
        rate = ["*", forth, ["+", ratio, "-1"], ["^", ["+", ratio, "1"], "-1"]]
        level = ["piecewise", forth, first, back, TRUE]
        density = ["piecewise", at_zero, first, "1/2", TRUE]
        pure = law(ANSWERS, BIT, density, "any", level)
        bounds = law(ANSWERS, BIT, density, "any", ["piecewise", rate, first, ["oo"], TRUE])
        claim = {"notion": "zcdp", "order": None, "bounds": bounds}
        uses = [0] * (2 if back == ["oo"] else 4)
        shown = record(pure, [{**CLOSED, "form": "direct"}], uses, one_piece(2))["certificate"]
        for sides in range(3):
            by = by_rule(claim, "pure_to_zcdp", [shown], sides, stated("any", level))
            made = proved(claim, by)
            yield sealed({**made, "scope": {**made["scope"], "inputs": "values"}})
