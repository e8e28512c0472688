"""Forged refutations: events, images of formulas, corners, instances."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from forge import Record, sealed
from hand_parts import (
    ANSWERS,
    BECOMES,
    BIT,
    CLOSED,
    COUNT,
    EPS,
    GIVES_1,
    N_BIT,
    NO_MASS,
    ONE,
    PEOPLE,
    TRUE,
    N,
    S,
    V,
    X,
    about,
    assumed,
    bit,
    by_rule,
    coin,
    compared,
    composite,
    enumerated,
    example,
    law,
    minus,
    of_instance,
    one_piece,
    proof,
    proved,
    record,
    refuted,
)

ANSWERED = law(
    ANSWERS,
    BIT,
    ["piecewise", bit("1/3", "2/3"), ["==", V, "0"], bit("2/3", "1/3"), TRUE],
    "any",
    "0",
)
LIKELY = {"outcomes": [[{"e": "1"}]]}


def refuted_laws() -> Iterator[Record]:
    """Counterexamples to claims about mechanisms given by their density."""
    for level in ("0", ["oo"], ["log", "2"], "5", "-1"):
        for before, after in (
            (["0"], ["1"]),
            (["0"], ["0"]),
            (["0"], ["2"]),
            ([], ["1"]),
            (["0", "0"], ["1"]),
            ([V], ["1"]),
        ):
            for more in EVENTS:
                yield refuted({**ANSWERED, "level": level}, example(before, after, **more))
    for mass in (
        {"counts": False, "mass": NO_MASS},
        {"counts": False, "mass": one_piece(1)},
        {"counts": True, "mass": one_piece(2)},
        {"counts": 1, "mass": one_piece(2)},
        {"counts": False},
        {"counts": False, "mass": CLOSED},
        [],
        "x",
        {"counts": False, "mass": one_piece(2)},
    ):
        yield refuted(ANSWERED, example(["0"], ["1"], **LIKELY), mass)
        yield refuted(
            law(
                PEOPLE,
                BIT,
                bit(
                    ["piecewise", "1", ["<", COUNT, "1"], "0", TRUE],
                    ["piecewise", "0", ["<", COUNT, "1"], "1", TRUE],
                ),
                "ahdp",
            ),
            example(["0", "0"], ["1", "0"], outcomes=[[{"e": "0"}]]),
            mass,
        )
        yield refuted(
            law(
                PEOPLE,
                BIT,
                bit(
                    ["piecewise", "1", ["<", ["maximum", X], "1"], "0", TRUE],
                    ["piecewise", "0", ["<", ["maximum", X], "1"], "1", TRUE],
                ),
                "ahdp",
                defined=["<=", COUNT, "9"],
            ),
            example(["1", "0"], ["1", "1"], outcomes=[[{"e": "0"}]]),
            mass,
        )
    for density in (
        "1",
        bit("3/2", "-1/2"),
        bit(V, ["+", "1", minus(V)]),
        bit(["+", "1", minus(V)], V),
        "1/3",
    ):
        for event in EVENTS:
            yield refuted(law(ANSWERS, BIT, density, "any"), example(["0"], ["1"], **event))
            yield refuted(law(ANSWERS, BIT, density, "any"), example(["1"], ["0"], **event))


def half_spaces() -> Iterator[Record]:
    """Events of two normal outputs, most of which are no half-spaces, or are not as likely."""
    s, t = ["name", "s"], ["name", "t"]

    def squared(e: Any, width: Any) -> Any:
        return ["exp", ["*", "-1/2", ["^", width, "-1"], ["^", ["+", e, minus(V)], "2"]]]

    root = ["^", ["pi"], "-1"]
    for width, factor in (("1", "1/2"), ("4", "1/4"), ("1", "1/3"), (["+", "1", V], "1/2")):
        density = ["*", factor, root, squared(s, "1"), squared(t, width)]
        for level, delta in (("1", "1/5"), ("0", "0"), ("5", "0")):
            both = [["s", "real", []], ["t", "real", []]]
            claim = law(ANSWERS, both, density, "any", level, delta)
            for end in (
                *("1", minus(s), ["^", s, "2"], ["*", s, t], ["abs", s], ["name", "u"]),
                *(["^", ["+", "1", ["^", s, "2"]], "-1"], ["+", t, "1"], ["^", s, "-1"]),
                ["*", t, ["+", "1", s, minus(["^", s, "2"])]],
            ):
                ends = {"e": end}
                for interval in ([["t", ends, None]], [["t", None, ends]], [["t", ends, ends]]):
                    for sides in ((["1"], ["0"]), (["0"], ["1"])):
                        yield refuted(claim, example(*sides, intervals=interval))
            yield refuted(claim, example(["1"], ["0"]))
            some = [["s", {"e": "0"}, None], ["t", {"e": "0"}, None]]
            yield refuted(claim, example(["1"], ["0"], intervals=some))


def boxes_far_out() -> Iterator[Record]:
    """Boxes on which one law of a distance is large against another one, most of them wrongly
    so.
    """
    s, t = ["name", "s"], ["name", "t"]
    both = [["s", "real", []], ["t", "real", []]]
    far = ["^", ["+", ["^", ["+", s, ["*", "-4", V]], "2"], ["^", t, "2"]], "1/2"]
    for factor, level in itertools.product(("1/2", "1/3"), ("7/2", "0", "4")):
        density = ["*", factor, ["^", ["pi"], "-1"], ["exp", minus(far)]]
        claim = law(ANSWERS, both, density, "any", level)
        for a, b in (
            ("8", "65/8"),
            ("65/8", "8"),
            ("8", "8"),
            ("-1/8", "1/8"),
            ("0", "8"),
            ("8", s),
        ):
            for c, d in (("-1/16", "1/16"), ("1/16", "-1/16"), ("-9", "9"), ("1", "9/8")):
                rows = [["s", {"e": a}, {"e": b}], ["t", {"e": c}, {"e": d}]]
                for sides in ((["1"], ["0"]), (["0"], ["1"])):
                    yield refuted(claim, example(*sides, intervals=rows))
        rows = [["s", {"e": "8"}, {"e": "65/8"}], ["t", {"e": "-1/16"}, {"e": "1/16"}]]
        for odd in (
            {"intervals": [rows[0], rows[0], rows[1]]},
            {"intervals": [*rows, ["s", {"e": "9"}, {"e": "10"}]]},
            {"intervals": rows, "without": [{"e": "8"}]},
            {"intervals": rows, "atoms": [{"e": "8"}]},
            {"intervals": rows, "continuous": False},
            {"intervals": rows, "values": [["s", [{"e": "8"}]]]},
            {"intervals": [rows[0], ["u", *rows[1][1:]]]},
        ):
            yield refuted(claim, example(["1"], ["0"], **odd))


def refuted_composites() -> Iterator[Record]:
    """Counterexamples to claims about composites, by instances of their parts."""
    given = {
        "name": "a",
        "inputs": ANSWERS,
        "assumed": ["any", ["log", "2"], "0"],
        "outputs": BIT,
        "parameters": [],
    }
    part = about(given, "any", ["log", "2"])
    wanted = about(composite("compose", [part]), "any", "0")
    keeps = {**ANSWERED, "level": ["log", "2"]}
    good = record(keeps, [CLOSED], [0] * 4, one_piece(2))["certificate"]
    kept = [
        (keeps, good),
        (keeps, record(keeps, [{"is": "enumeration", "size": 2}], [])["certificate"]),
        (keeps, record(keeps, [], [])["certificate"]),
        (
            keeps,
            record(
                keeps,
                [{"is": "solver word", "solvers": ["cvc5 1.2.0", "z3 4.13.0"]}],
                [0] * 4,
                one_piece(2),
            )["certificate"],
        ),
    ]
    for change in (
        {"level": ["log", "3"]},
        {"delta": "1/2"},
        {"relation": "one"},
        {"public": ["v"]},
    ):
        other = {**keeps, **change}
        kept.append((other, record(other, [CLOSED], [0] * 4, one_piece(2))["certificate"]))
    for change in (
        {"inputs": {"values": ["0", "1", "2"]}},
        {"defined": ["<=", V, "1"]},
        {"parameters": [["c", TRUE]]},
        {"outputs": [["s", "finite", ["0", "1", "2"]]]},
        {"outputs": [["r", "finite", ["0", "1"]]]},
    ):
        other = {**keeps, "mechanism": {**keeps["mechanism"], **change}}
        for number in (2, 4, 6):
            kept.append((other, record(other, [CLOSED], [0] * number, one_piece(2))["certificate"]))
    kept.append((part, proof(part)))
    for claim in (
        wanted,
        part,
        ANSWERED,
        about(composite("subsample", [assumed()], ["1/2"]), "ahdp", "0"),
        about(composite("group", [part]), "any", "0"),
    ):
        for pair in kept:
            for size in (None, 1, 0, True, "1"):
                yield refuted(
                    claim, of_instance([list(pair)], example(["0"], ["1"], **LIKELY), size)
                )
        yield refuted(claim, of_instance([], example(["0"], ["1"], **LIKELY)))
        yield refuted(claim, example(["0"], ["1"], **LIKELY))


def refutations() -> Iterator[Record]:
    """Refutations that show nothing."""
    yield from refuted_laws()
    yield from half_spaces()
    yield from boxes_far_out()
    yield from refuted_composites()


EVENTS: tuple[Any, ...] = (
    {"outcomes": [[{"e": "1"}]]},
    {"outcomes": [[{"e": "0"}]]},
    {"outcomes": [[{"e": "1"}], [{"e": "1"}]]},
    {"outcomes": [[{"e": "2"}]]},
    {"outcomes": [[]]},
    {"outcomes": [[{"e": "1"}, {"e": "1"}]]},
    {},
    {"values": [["s", [{"e": "1"}]]]},
    {"values": [["s", [{"e": "1"}, {"e": "1"}]]]},
    {"values": [["s", [{"e": "3"}]]]},
    {"values": [["r", [{"e": "1"}]]]},
    {"values": [["s", [{"e": "1"}]], ["s", [{"e": "0"}]]]},
    {"outcomes": [[{"e": "1"}]], "values": [["s", [{"e": "1"}]]]},
    {"intervals": [["s", None, {"e": "1"}]]},
    {"intervals": [["s", None, None]]},
    {"outcomes": [[{"e": "1"}]], "continuous": False},
    {"continuous": False},
    {"continuous": 1},
    {"atoms": [{"e": "1"}]},
    {"without": [{"e": "1"}]},
    {"outcomes": [[{"e": "1"}]], "points": [[["s", [{"e": "1"}]]], []]},
)
CENTRED = ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(V)]])]]
MASSES = ["piecewise", "1/2", ["==", V, "0"], "3/4", TRUE]


def processed(formula: Any, level: Any = "1/2", kind: str = "real", **part: Any) -> Any:
    """A claim about a formula in a real output; `part` changes the mechanism of the output."""
    of = law(ANSWERS, [["s", "real", []]], CENTRED, "any", "1")
    inner = {**of, "mechanism": {**of["mechanism"], **part}}
    made = composite("post_process", [inner], [formula], released=[["k", kind, []]])
    return about(made, "any", level)


def images() -> Iterator[Record]:
    """Events that are no preimages, and images that are no sets of what is released."""
    part = law(ANSWERS, [["s", "real", []]], CENTRED, "any", "1")["mechanism"]
    clamped = ["max", ["min", S, "3"], "0"]
    constant = ["min", ["max", S, "0"], "0"]
    bare = {"values": [], "outcomes": [], "atoms": [], "continuous": True, "without": []}
    atoms = [["0", MASSES], ["1", ["+", "1", minus(MASSES)]]]
    after = ["piecewise", "1", ["<=", "-5", S], "0", TRUE]
    two = {"outputs": [["s", "real", []], ["t", "real", []]]}
    both = ["*", CENTRED, ["exp", minus(["abs", ["name", "t"]])], "1/2"]

    def shown(claim: Any, ends: Any, told: Any, inside: Any = (), **more: Any) -> Record:
        low, high = ({"e": e} if e is not None else None for e in ends)
        marks = [[["s", [{"e": e} for e in (v, *inside)]]] for v in ("1", "0")]
        box = {"intervals": [["s", low, high]], **more}
        inner = example(["1"], ["0"], points=marks, **box)
        return refuted(claim, {**of_instance([], inner), "image": {**bare, **told}})

    def span(low: Any, high: Any, key: str = "k") -> Any:
        ends = [{"e": e} if e is not None else None for e in (low, high)]
        return {"intervals": [[key, *ends]]}

    for low, end in itertools.product(("1", "2"), ("1", "0", "-1")):
        yield shown(processed(constant), (low, None), span(end, None), ("0", "3"))
    yield shown(processed(constant), ("1", None), span(S, None))
    yield shown(processed(constant, "1/4"), ("0", None), span(None, S), ("0",))
    yield shown(processed(minus(["abs", S])), ("1", None), span(minus(S), None))
    for told in (
        {**span("1", None), "without": [{"e": "1"}]},
        {**span("1", None), "atoms": [{"e": "9"}]},
        {**span("1", None), "continuous": False},
        {**span("1", None), "values": [["k", [{"e": "1"}]]]},
        {"intervals": []},
        span(None, None),
        span("1", None, "s"),
        {"intervals": [["k", {"e": "1"}, None], ["k", {"e": "0"}, None]]},
    ):
        yield shown(processed(clamped, "99/100"), ("1", None), told, ("0", "3"))
    yield shown(processed(clamped, "99/100", "integer"), ("1", None), span("1", None), ("0", "3"))
    for gone in ([], [{"e": "1"}]):
        claim = processed(after, "1/4", density="0", atoms=atoms)
        yield shown(claim, ("-5", None), span("1", None), (), without=gone)
    claim = processed(clamped, "99/100", **two, density=both)
    yield shown(claim, ("1", None), span("1", None), ("0", "3"))
    yield shown(about(part, "any", "1/2"), ("1", None), span("1", None))
    group = about(composite("group", [about(part, "any", "1")]), "any", "1/2")
    yield shown(group, ("1", None), span("1", None, "s"))


def corners() -> Iterator[Record]:
    first = coin()
    for condition in (
        TRUE,
        ["<", N, "1"],
        ["<=", N, "1"],
        ["<", ["name", "c"], N],
        ["==", N, ["label", "a"]],
    ):
        for outputs in (
            N_BIT,
            [["n", "real", []]],
            [["n", "integer", []]],
            [["n", "finite", [["label", "a"], "1"]]],
        ):
            density = (
                "1/2" if outputs[0][1] == "finite" else ["*", "1/2", ["exp", minus(["abs", N])]]
            )
            one = law(PEOPLE, outputs, density, "ahdp")
            for own in ([["n", condition]], [["n", TRUE], ["c", condition]]):
                two = law(PEOPLE, [["m", "finite", ["0", "1"]]], "1/2", "ahdp", parameters=own)
                for level in ("0", ["abs", N]):
                    later = {**two, "level": level}
                    claim = about(composite("compose", [one, later]), "ahdp", "0")
                    for sides in (0, 1, 2, 4):
                        mass = one_piece(1) if outputs[0][1] == "finite" else one_piece(1, "0")
                        shown = [record(one, [CLOSED], [0] * 4, mass)["certificate"], proof(later)]
                        yield proved(claim, by_rule(claim, "compose", shown, sides))
    group = about(composite("group", [first]), "pairs", "0")
    for name in ("compose", "mixture", "subsample", "pull_back", "post_process", "group"):
        made = composite(name, [group], ["1"] if name in ("mixture", "subsample") else [])
        yield proved(
            about(made, "ahdp", "0"),
            by_rule(
                about(made, "ahdp", "0"), name, [by_rule(group, "group", [proof(first)], 0)], 0
            ),
        )
    universal = {"unknowns": [["x", ["<=", "0", X]], ["eps", ["<=", "0", EPS]]], "parameters": []}
    for values in (("1", "1"), ("1", "2"), ("-1", "1"), (["oo"], "1"), (X, "1")):
        for before, after in (
            (["0", "0"], ["1", "0"]),
            (["1", "0"], ["0", "1"]),
            (["5", "0"], ["6", "0"]),
            (["1/2", "0"], ["0", "0"]),
            (["0"], ["1"]),
        ):
            given = [[["x", {"e": v}], ["eps", {"e": "1"}]] for v in values]
            for relation in ("ahdp", "swap", "hdp"):
                claim = law(universal, ONE, "1", relation)
                made = record(claim, [CLOSED], [0] * 4, one_piece(1))
                made["compared"] = compared(before, after, instances=given)
                made["scope"]["compared"] = "something"
                for number in (1, 2, 3, 4, 6, 8):
                    yield sealed(
                        {**made, "certificate": {**made["certificate"], "uses": [0] * number}}
                    )
                yield refuted(
                    claim, example(before, after, instances=given, outcomes=[[{"e": "0"}]])
                )
    for before, after in (
        (["0", "0"], ["1", "0"]),
        (["5", "0"], ["6", "0"]),
        (["-1", "0"], ["0", "0"]),
        (["1/2", "0"], ["3/2", "0"]),
    ):
        made = enumerated(coin())
        made["compared"] = compared(before, after)
        made["scope"]["compared"] = "something"
        yield sealed(made)


def instances_of_values() -> Iterator[Record]:
    """Instances on single values."""
    reply = law(
        ANSWERS,
        BIT,
        ["piecewise", bit("1/3", "2/3"), ["==", V, "0"], bit("2/3", "1/3"), TRUE],
        "any",
        ["log", "2"],
    )
    good = record(reply, [CLOSED], [0] * 4, one_piece(2))["certificate"]
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
    zero = law(ANSWERS, BIT, "1/2", "any")
    wholes = [
        composite("mixture", [given, zero], w)
        for w in (
            ["9/10", "1/10"],
            ["1", "1"],
            ["3/2", "-1/2"],
            ["1"],
            ["9/10", "1/5"],
            [V, ["+", "1", minus(V)]],
        )
    ]
    wholes += [
        composite(
            "compose",
            [
                given,
                {
                    **zero,
                    "mechanism": {**zero["mechanism"], "outputs": [["s", "finite", ["0", "1"]]]},
                },
            ],
        )
    ]
    wholes += [
        composite("post_process", [given], [f], released=[["t", kind, values]])
        for f in (S, ["+", "1", S], ["^", S, "-1"], "0")
        for kind, values in (("finite", ["0", "1"]), ("integer", []), ("real", []))
    ]
    for whole in wholes:
        for size in (None, 1):
            for inner in (example(["0"], ["1"], **GIVES_1), example(["1"], ["0"], **GIVES_1)):
                yield refuted(about(whole, "any", "0"), of_instance([[reply, good]], inner, size))


def instances_on_datasets() -> Iterator[Record]:
    """Instances on datasets."""
    people = law(
        PEOPLE,
        BIT,
        bit(
            ["piecewise", "1/3", ["<", COUNT, "1"], "2/3", TRUE],
            ["piecewise", "2/3", ["<", COUNT, "1"], "1/3", TRUE],
        ),
        "add-remove",
        ["log", "2"],
    )
    sure = about(
        {
            "name": "a",
            "inputs": PEOPLE,
            "assumed": ["add-remove", ["log", "2"], "0"],
            "outputs": BIT,
            "parameters": [],
        },
        "add-remove",
        ["log", "2"],
    )
    for certificate in (
        record(people, [{"is": "enumeration", "size": 2}], [])["certificate"],
        record(people, [CLOSED], [0] * 8, one_piece(1))["certificate"],
    ):
        for keep in ("1/2", "1", "2", "-1", "0", X):
            for size in (None, 1, 2, 0):
                yield refuted(
                    about(composite("subsample", [sure], [keep]), "add-remove", "0"),
                    of_instance(
                        [[people, certificate]], example(["1", "0"], ["0", "0"], **GIVES_1), size
                    ),
                )
        for domain, formulas in BECOMES:
            yield refuted(
                about(composite("pull_back", [sure], formulas, domain=domain), "add-remove", "0"),
                of_instance([[people, certificate]], example(["1"], ["0"], **GIVES_1)),
            )


def of_instances() -> Iterator[Record]:
    """Refutations of mechanisms made of assumed ones, with instances, of which some have no law."""
    yield from instances_of_values()
    yield from instances_on_datasets()
