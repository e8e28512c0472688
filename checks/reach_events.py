"""Records of refutations that are built to reach one check each: events, and instances."""

from __future__ import annotations

from collections.abc import Iterator

from forge import Record
from hand_parts import (
    ANSWERS,
    BIT,
    CLOSED,
    EPS,
    PEOPLE,
    REAL,
    SHY,
    S,
    V,
    about,
    bit,
    composite,
    example,
    law,
    minus,
    one_piece,
    record,
    refuted,
)
from reach_parts import LARGEST, REPLY, WORD, laplace

REPLIED = law(ANSWERS, BIT, REPLY, "any", "0")


def impossible_events() -> Iterator[Record]:
    """Events, inputs and counts that no mechanism has."""
    noise = law(ANSWERS, REAL, ["*", "1/2", laplace(S, V)], "any", "0")
    mixed = law(
        ANSWERS, REAL, ["*", "1/4", laplace(S, V)], "any", "0", atoms=[[["label", "NULL"], "1/2"]]
    )
    at_points = ([["s", [{"e": "0"}]]], [["s", [{"e": "1"}]]])
    one_end = [["s", {"e": "1/2"}, None]]
    for claim, event in (
        (REPLIED, {"intervals": one_end}),
        (REPLIED, {"intervals": [["s", None, {"e": "1/2"}]]}),
        (noise, {"values": [["s", [{"e": "1"}]]]}),
        (noise, {"intervals": [["s", None, None]]}),
        (noise, {"intervals": [["s", None, None]], "continuous": True}),
        (noise, {"intervals": one_end, "atoms": [{"e": "1"}]}),
        (noise, {"intervals": one_end, "atoms": [{"e": ["label", "NULL"]}]}),
        (mixed, {"intervals": one_end, "atoms": [{"e": ["label", "NONE"]}]}),
        (mixed, {"intervals": one_end, "atoms": [{"e": "7"}]}),
    ):
        for before, after, places in ((["0"], ["1"], at_points), (["1"], ["0"], at_points[::-1])):
            yield refuted(claim, example(before, after, places, **event))
    yield refuted(
        REPLIED, example(["0"], ["1"], outcomes=[[{"e": "1"}]]), {"counts": False, "mass": CLOSED}
    )
    shy = law(
        SHY,
        BIT,
        bit(["exp", minus(["sum", EPS])], ["+", "1", minus(["exp", minus(["sum", EPS])])]),
        "ahdp",
        "0",
    )
    for before, after in (
        (["0", "1"], ["0", "0"]),
        (["1", "0"], ["0", "0"]),
        (["0", "0"], ["0", "1"]),
    ):
        yield refuted(shy, example(before, after, outcomes=[[{"e": "0"}]]))
    biggest = law(PEOPLE, BIT, bit(LARGEST, ["+", "1", minus(LARGEST)]), "ahdp", "0")
    yield refuted(biggest, example(["0", "0"], ["0", "1"], outcomes=[[{"e": "0"}]]))
    yield refuted(biggest, example(["0", "1"], ["0", "0"], outcomes=[[{"e": "0"}]]))
    query = law({"queries": 1}, REAL, ["*", "1/2", laplace(S, ["name", "q[1]"])], "one", "0")
    for before, after in (
        (["0"], [["log", "2"]]),
        ([["log", "2"]], ["0"]),
        (["0"], [["^", "2", "1/2"]]),
    ):
        points = ([["s", [{"e": before[0]}]]], [["s", [{"e": after[0]}]]])
        yield refuted(query, example(before, after, points, intervals=[["s", {"e": "1/2"}, None]]))


def impossible_instances() -> Iterator[Record]:
    """Groups, and instances of what was assumed."""
    group = about(composite("compose", [REPLIED]), "any", "0")
    inner = example(["0"], ["1"], outcomes=[[{"e": "1"}]])
    good = record(REPLIED, [CLOSED], [0] * 4, one_piece(2))["certificate"]
    pair = {"claim": REPLIED, "certificate": good}
    for instances, size in (
        ({}, None),
        ("x", None),
        ([pair], "1"),
        ([pair], True),
        ([], True),
        ([{"claim": REPLIED}], None),
        ([1], None),
        ([{**pair, "certificate": CLOSED}], None),
        ([{**pair, "certificate": {"is": "mass", "values": [], "evidence": []}}], None),
    ):
        yield refuted(group, {"instances": instances, "size": size, "counterexample": inner})
    given = about(
        {
            "name": "a",
            "inputs": ANSWERS,
            "assumed": ["any", ["log", "2"], "0"],
            "outputs": BIT,
            "parameters": [],
        },
        "any",
        ["log", "2"],
    )
    kept = law(ANSWERS, BIT, REPLY, "any", ["log", "2"])
    shown = record(kept, [CLOSED], [0] * 4, one_piece(2))["certificate"]
    whole = about(composite("compose", [given]), "any", "0")
    people = law(PEOPLE, BIT, "1/2", "ahdp", EPS)
    of_people = about(
        {
            "name": "a",
            "inputs": PEOPLE,
            "assumed": ["ahdp", EPS, "0"],
            "outputs": BIT,
            "parameters": [],
        },
        "ahdp",
        EPS,
    )
    sampled = about(composite("subsample", [of_people], ["1/2"]), "ahdp", "0")
    there = record(people, [CLOSED], [0] * 8, one_piece(1))["certificate"]
    listed = record(people, [{"is": "enumeration", "size": 2}], [])["certificate"]
    for claim, one, certificate, at in (
        (whole, kept, shown, inner),
        (whole, {**kept, "level": ["log", "3"]}, shown, inner),
        (sampled, people, there, example(["1", "0"], ["0", "0"], outcomes=[[{"e": "1"}]])),
        (sampled, people, listed, example(["1", "0"], ["0", "0"], outcomes=[[{"e": "1"}]])),
        (whole, kept, record(kept, [WORD], [0] * 4, one_piece(2))["certificate"], inner),
    ):
        for size in (None, 1, 0, -3):
            yield refuted(
                claim,
                {
                    "instances": [{"claim": one, "certificate": certificate}],
                    "size": size,
                    "counterexample": at,
                },
            )


def events() -> Iterator[Record]:
    """Refutations whose inputs or events are none."""
    yield from impossible_events()
    yield from impossible_instances()
