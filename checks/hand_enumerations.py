"""Forged enumerations, and claims that would have a meaning except for one name, value, kind or
comparison.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from claims import claims
from forge import Record, sealed
from hand_parts import (
    ANSWERS,
    BIT,
    CLOSED,
    COUNT,
    DEEP,
    EPS,
    LABEL,
    ONE,
    PEOPLE,
    PIECES,
    REAL,
    SHY,
    STRANGE,
    SUM,
    TRUE,
    WHOLE,
    WORDS,
    Q,
    S,
    V,
    X,
    bit,
    enumerated,
    law,
    minus,
    record,
    statement,
)

COLOURS = {"records": [[["label", "yes"], "1"], [["label", "no"], "1/2"]]}


def half(e: Any) -> Any:
    """A distribution of a bit that requires the sign of an expression, on which it does not
    depend.
    """
    return ["piecewise", "1/2", ["<", e, "0"], "1/2", TRUE]


def strange_laws() -> Iterator[Any]:
    """Laws, levels and deltas that have no value somewhere."""
    for e, inputs in itertools.product((*STRANGE, DEEP), (PEOPLE, ANSWERS)):
        relation = "ahdp" if inputs is PEOPLE else "any"
        at = json.loads(
            json.dumps(e).replace('["name", "q"]', json.dumps(SUM if inputs is PEOPLE else V))
        )
        yield law(inputs, BIT, half(at), relation)
        yield law(inputs, ONE, ["+", "1", at, minus(at)], relation)
        yield law(inputs, ONE, ["*", at, ["^", at, "-1"]], relation)
        yield law(inputs, ONE, ["exp", ["*", "0", at]], relation)
        yield law(inputs, ONE, "1", relation, ["abs", at])
        yield law(inputs, ONE, "1", relation, "0", at)
        yield law(inputs, ONE, "1", relation, defined=["<=", at, "5"])
        yield law(
            inputs, REAL, ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(at)]])]], relation, "5"
        )
        yield law(inputs, REAL, "0", relation, atoms=[[at, "1"]])
    for inputs, relation in (
        (PEOPLE, "ahdp"),
        (PEOPLE, "swap"),
        (SHY, "ahdp"),
        (WORDS, "any"),
        (ANSWERS, "any"),
        ({"queries": 1}, "one"),
        ({"records": []}, "ahdp"),
        ({"values": []}, "any"),
    ):
        for outputs, density in LAWS:
            yield law(inputs, outputs, density, relation)
            yield law(inputs, outputs, density, relation, "-1")
            yield law(inputs, outputs, density, relation, "0", "-1/2")
            yield law(inputs, outputs, density, relation, "0", "3/2")
            yield law(inputs, outputs, density, relation, "0", "1/8")
            yield law(inputs, outputs, density, relation, parameters=[["c", TRUE]])
        for values in (
            [],
            ["0", "0"],
            ["1", ["log", ["exp", "1"]]],
            [["exp", "0"], "1"],
            [["label", "a"], ["label", "a"]],
            [["label", "1"]],
            [["vector", "0", "1"]],
            [Q],
            [["oo"]],
        ):
            yield law(
                inputs, [["s", "finite", values]], ["^", str(max(len(values), 1)), "-1"], relation
            )


def strange_declarations() -> Iterator[Any]:
    """Records, names and atoms that are none."""
    for records in (
        [["0", "-1"]],
        [["0", ["log", "1/2"]]],
        [["0", "1"], ["0", "1"]],
        [["0", "1"], [["vector", "0", "1"], "1"]],
        [[["label", "1"], "1"]],
        [[["label", "a"], Q]],
        [["0", ["name", "c"]]],
        [["0", ["label", "a"]]],
        [["0"]],
        [["0", "1", "2"]],
        [[Q, "1"]],
        [[["vector"], "1"]],
        [["0", TRUE]],
        [[["exp", "0"], "1"], ["1", "1"]],
    ):
        yield law({"records": records}, ONE, "1", "ahdp")
        yield law(
            {"records": records},
            REAL,
            ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(SUM)]])]],
            "ahdp",
            "5",
        )
        yield law({"values": [r[0] for r in records]}, ONE, "1", "any")
    for name in (
        "x",
        "eps",
        "v",
        "exp",
        "@1",
        "s[1]",
        "s[2]",
        "pi",
        "other",
        "",
        "a b",
        "q",
        "1",
        "size",
        "oo",
        "true",
    ):
        for inputs, relation in ((PEOPLE, "ahdp"), (ANSWERS, "any"), ({"queries": 1}, "one")):
            yield law(inputs, [[name, "finite", ["0"]]], "1", relation)
            yield law(inputs, ONE, "1", relation, parameters=[[name, TRUE]])
            yield law(inputs, [*ONE, [name, "finite", ["0"]]], "1", relation)
    for atoms in (
        [["0", "1"], ["0", "1"]],
        [["0", "2"]],
        [["0", "1"], [["log", "1"], "0"]],
        [[["exp", "0"], "1/2"], ["1", "1/2"]],
        [[["oo"], "1"]],
        [["1/2", "1"]],
        [[["label", "a"], "1"]],
        [["0", S]],
        [["0", "-1"], ["1", "2"]],
        [[SUM, "1"]],
    ):
        for outputs in (REAL, WHOLE, ONE, [*REAL, ["r", "real", []]]):
            yield law(PEOPLE, outputs, "0", "ahdp", atoms=atoms)
            yield law(ANSWERS, outputs, "0", "any", atoms=atoms)


def laws() -> Iterator[Any]:
    """Claims that have no meaning."""
    yield from strange_laws()
    yield from strange_declarations()


LAWS: tuple[tuple[Any, Any], ...] = (
    (BIT, "1"),
    (BIT, "1/3"),
    (BIT, bit("3/2", "-1/2")),
    (BIT, bit("1", "0")),
    (BIT, bit(COUNT, ["+", "1", minus(COUNT)])),
    (BIT, bit(["^", ["+", "1", COUNT], "-1"], ["+", "1", minus(["^", ["+", "1", COUNT], "-1"])])),
    (BIT, bit(["maximum", X], ["+", "1", minus(["maximum", X])])),
    (BIT, bit(["^", COUNT, "-1"], ["+", "1", minus(["^", COUNT, "-1"])])),
    (BIT, ["piecewise", "1", ["==", S, "0"]]),
    (BIT, ["piecewise", "1/2", ["<", "3", COUNT]]),
    (ONE, ["maximum", X]),
    (ONE, "1"),
    (REAL, "1"),
    (REAL, "0"),
    (REAL, ["exp", minus(["abs", S])]),
    (REAL, minus(["*", "1/2", ["exp", minus(["abs", S])]])),
    (REAL, ["*", "1/2", ["exp", ["abs", S]]]),
    (REAL, ["piecewise", "1", ["and", ["<=", COUNT, S], ["<=", S, ["+", COUNT, "1"]]], "0", TRUE]),
    (
        REAL,
        [
            "piecewise",
            ["+", "2", minus(["*", "2", S])],
            ["and", ["<=", "0", S], ["<=", S, "1"]],
            "0",
            TRUE,
        ],
    ),
    (REAL, ["piecewise", ["*", "2", S], ["and", ["<=", "0", S], ["<=", S, "1"]], "0", TRUE]),
    (REAL, ["exp", minus(["^", S, "2"])]),
    (REAL, ["piecewise", "1", ["and", ["<=", "0", ["^", S, "2"]], ["<=", S, "1"]], "0", TRUE]),
    (REAL, ["piecewise", "1", ["<", ["*", S, S], "1/4"], "0", TRUE]),
    (WHOLE, ["piecewise", "1", ["==", S, COUNT], "0", TRUE]),
    (WHOLE, ["*", "1/3", ["^", "2", minus(["abs", S])]]),
    (WHOLE, ["^", "2", minus(["abs", S])]),
    (WHOLE, "1"),
    (WHOLE, ["piecewise", "1", ["==", ["*", "2", S], "1"], "0", TRUE]),
    (WHOLE, ["piecewise", "1/2", ["<=", ["abs", S], "1/2"], "0", TRUE]),
    ([*BIT, ["r", "finite", ["0", "1"]]], "1/4"),
    ([*BIT, ["r", "finite", ["0", "1"]]], "1"),
    ([*BIT, ["r", "real", []]], ["*", "1/4", ["exp", minus(["abs", ["name", "r"]])]]),
    (
        [*REAL, ["r", "real", []]],
        ["*", "1/4", ["exp", minus(["+", ["abs", S], ["abs", ["+", ["name", "r"], minus(S)]]])]],
    ),
    (
        [*BIT, ["r", "finite", ["0", "1"]]],
        ["piecewise", "1/2", ["==", S, ["name", "r"]], "0", TRUE],
    ),
    ([], "1"),
    ([["s", "complex", []]], "1"),
    ([["s", "real", ["0"]]], "1"),
)


def enumerations() -> Iterator[Record]:
    for claim in laws():
        yield enumerated(claim)
    for make in itertools.chain(claims(true=True), claims(true=False)):
        try:
            claim = make().to_json()
        except Exception:
            continue
        if "inequality" not in claim:
            yield enumerated(claim)
            yield enumerated(claim, 1)
    for size in (0, -1, True, "2", None, 1):
        yield enumerated(law(PEOPLE, ONE, "1", "ahdp"), size)


ODD_NAMES = ("exp", "pi", "true", "size", "s[2]", "s[10000]", "s" * 61, "q[1]", "v", "other", "x")
ODD_VALUES = (
    ["label", "1"],
    ["label", " -.5/2"],
    ["oo"],
    ["name", "p"],
    TRUE,
    ["+", LABEL, "1"],
    ["^", "0", "-1"],
    ["piecewise", "1", TRUE],
    ["*", "2", "1/2"],
)


def odd_conditions(e: Any) -> list[Any]:
    """Conditions on e that no value meets, or that are of another kind."""
    met = [["==", e, v] for v in (LABEL, ["label", "x"], "7", ["log", "2"])]
    met += [["==", ["+", e, "1"], LABEL], ["==", LABEL, ["label", "no"]], ["!=", "3", LABEL]]
    return [
        *met,
        ["and", "1", TRUE],
        ["<", LABEL, "1"],
        ["==", TRUE, TRUE],
        ["<", ["+", ["oo"], e], "1"],
    ]


def either(condition: Any, value: Any) -> Any:
    return ["piecewise", value, condition, value, TRUE]


def meanings() -> Iterator[Record]:
    """Most have no clear meaning; each needs no more evidence than one that has."""
    some = (ANSWERS, "any", V), (WORDS, "any", V), (PEOPLE, "ahdp", X), (COLOURS, "ahdp", X)
    for inputs, relation, e in some:
        for key in (*ODD_NAMES, "eps"):
            yield enumerated(law(inputs, [[key, "finite", ["0"]]], "1", relation))
            yield enumerated(law(inputs, ONE, "1", relation, parameters=[[key, TRUE]]))
        for v in ODD_VALUES:
            yield enumerated(law(inputs, [["s", "finite", [v]]], "1", relation))
            yield enumerated(law(inputs, [["s", "finite", ["1", v]]], "1/2", relation))
            (key,) = inputs
            row = [v, "1"] if key == "records" else v
            more = {key: [*inputs[key], row]}
            yield enumerated(law(more, ONE, "1", relation))
        for c in odd_conditions(e):
            yield enumerated(law(inputs, ONE, "1", relation, either(c, "1")))
            yield enumerated(law(inputs, ONE, either(c, "1"), relation))
            yield enumerated(law(inputs, ONE, "1", relation, defined=["or", TRUE, c]))
        for v in (*ODD_VALUES, ["<", "0", "1"]):
            yield enumerated(law(inputs, ONE, v, relation))
            yield enumerated(law(inputs, ONE, "1", relation, v))
            yield enumerated(law(inputs, ONE, "1", relation, "0", v))
    for demand in (LABEL, TRUE, ["name", "p"], ["piecewise", "1", TRUE], minus("1"), ["log", "0"]):
        yield enumerated(law({"records": [["0", demand]]}, ONE, "1", "ahdp"))
    for c in odd_conditions(["name", "p"]):
        yield enumerated(law(ANSWERS, ONE, "1", "any", parameters=[["p", c]]))
    for outputs in (["s[2]", "s[1]"], ["s", "s[1]"], ["s[1]", "s[1]"], ["s[1]", "s[3]"]):
        listed = [[n, "finite", ["0"]] for n in outputs]
        yield enumerated(law(ANSWERS, listed, "1", "any"))
    yield enumerated(law(PEOPLE, ONE, "1", "ahdp", EPS, parameters=[["eps", ["<=", "0", EPS]]]))
    yield enumerated(law(ANSWERS, ONE, "1", "any", name=["m"]))
    for called in (["a"], None, 1):
        said = statement("1", "==", "1", [])
        said["claim"]["name"] = called
        yield sealed(said)
    for unknowns in ([], [["x", TRUE]], [["eps", TRUE]], [["eps", ["<=", "-1", EPS]]]):
        inputs = {"unknowns": unknowns, "parameters": []}
        mass = {"is": "mass", "values": [], "evidence": [PIECES]}
        for relation in ("ahdp", "one"):
            yield record(law(inputs, ONE, "1", relation), [CLOSED], [0, 0], mass)
