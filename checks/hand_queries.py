"""Forged claims about queries on vectors: each query is multiplied by 0, so that any bound needs no
proof.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from forge import Record, digest, sealed
from hand_parts import (
    ANSWERS,
    BIT,
    CLOSED,
    COUNT,
    DEEP,
    NO_MASS,
    ONE,
    PIECES,
    REAL,
    STRANGE,
    SUM,
    TRUE,
    N,
    S,
    X,
    bit,
    by_rule,
    example,
    law,
    minus,
    moves,
    one_piece,
    proved,
    record,
    refuted,
    refuted_statement,
    stated,
    vectors,
)

K_NAME, TOP = ["name", "k"], 5  # most cases of one query


def entry(k: Any) -> Any:
    return ["index", X, k]


def over(e: Any, first: Any = "1", last: Any = N, counter: Any = K_NAME) -> Any:
    return ["total", e, counter, first, last]


ODD_QUERIES: tuple[Any, ...] = (
    *(["name", "x[1]"], ["name", "x[2]"], X, ["name", "y"], ["name", "i"], K_NAME),
    *(entry(k) for k in ("1", "2", "0", "-1", "1/2", N, ["+", N, "1"], ["+", N, "-1"], K_NAME)),
    *(entry(k) for k in (["*", "1/2", N], SUM, X, ["name", "x[1]"], ["label", "a"], ["oo"])),
    *(["index", ["name", "y"], "1"], ["index", SUM, "1"], ["+", entry("1"), entry(N)]),
    *(["ordered", X, k] for k in ("1", "2", "0", "1/2", N, ["+", N, "1"], X, SUM, TRUE)),
    *(["ordered", entry(N), "1"], ["maximum", "1"], ["minimum", ["name", "y"]]),
    *(["product", e] for e in (X, ["name", "y"], ["+", X, SUM], ["label", "a"], K_NAME)),
    *(["sum", e] for e in (SUM, ["+", X, SUM], ["^", X, "-1"], ["log", X], entry(["name", "i"]))),
    *(["sum", entry(["+", ["name", "i"], "1"])], ["maximum", ["+", X, SUM]]),
    *(over(e) for e in (entry(K_NAME), entry(["+", K_NAME, "1"]), entry(["^", K_NAME, "2"]))),
    *(over(e) for e in (entry(["*", "2", K_NAME]), entry(["*", "1/2", K_NAME]), X, SUM, K_NAME)),
    *(over(e, "0") for e in (entry(K_NAME), entry(["+", K_NAME, "1"]))),
    *(over(entry(K_NAME), "1", last) for last in (["*", "1/2", N], ["+", N, "1"], X, SUM)),
    *(over(entry(c), "1", N, c) for c in (N, X, ["name", "i"], ["name", "exp"], "1")),
    over(["sum", ["*", X, K_NAME]]),
    *(over(entry(k), "1", "1") for k in (["^", K_NAME, "2"], ["+", "1", ["*", "0", K_NAME]])),
    over(over(["*", entry(K_NAME), entry(["name", "j"])], counter=["name", "j"])),
    over(["+", entry(K_NAME), over(entry(K_NAME))]),
)


def of_vectors() -> Iterator[Any]:
    """Claims of sensitivity, most of them about nothing that vectors determine."""
    for e in ODD_QUERIES:
        yield moves(["*", "0", e])
        yield moves(["*", "0", e], inputs=vectors(parameters=[["n", ["<=", "2", N]]]))
        yield moves("0", e)
        yield moves("0", inputs=vectors(entries=e))
        yield moves("0", inputs=vectors(each=["<=", e, X]))
    for e in (*STRANGE, DEEP):
        yield moves(["*", "0", e])
        yield moves("0", inputs=vectors(entries=e))
        yield moves("0", inputs=vectors(each=e))
    for named in ([], [["i", TRUE], ["n", TRUE]], [["x", TRUE], ["n", TRUE]], [["n", "1"]], None):
        yield moves("0", inputs=vectors(parameters=named))
    for condition in (["<=", N, X], ["<", COUNT, "1"], ["==", N, ["label", "a"]]):
        yield moves("0", inputs=vectors(parameters=[["n", condition]]))
    for size in ("0", "1/2", "-1"):
        yield moves("0", inputs=vectors(entries=size))
    yield moves("0", name=1)
    yield moves("0", inputs={})


def jumps() -> Iterator[Record]:
    """Refutations of the claim that the first entry moves by at most 1/2, with odd values."""
    good = [["n", "2"], ["x[1]", "0"], ["x[2]", "0"], ["x[1]'", "1"]]
    named = [["n", ["<=", "2", N]], ["m", ["<=", "0", ["name", "m"]]]]
    tried: list[Any] = [[["n", "2"], ["m", "0"], *good[1:]]]
    for key, value in itertools.product(
        ("n", "m", "x[1]", "x[2]", "x[1]'"), ("1/2", "-1", "3", ["name", "t"], ["label", "a"])
    ):
        tried.append([[k, value if k == key else v] for k, v in tried[0]])
    for last in ("x[2]'", "x[3]'", "x[0]'", "x'", "x[1]", "y[1]'"):
        tried.append([*tried[0][:-1], [last, "1"]])
    tried.append([["n", "2"], ["m", "1/2"], *([f"x[{i}]", "0"] for i in (1, 2, 3)), ["x[1]'", "1"]])
    tried += [tried[0][:-1], tried[0][1:], [*tried[0][:2], *tried[0][3:]], [], None]
    for values in tried:
        listed = [[k, {"e": v}] for k, v in values] if values else values
        for query in (
            *(entry("1"), ["*", entry("1"), "1/4"], ["ordered", X, "2"], SUM),
            *(entry("0"), entry("-1"), ["ordered", X, "0"], ["ordered", X, "-1"]),
        ):
            inputs = vectors(entries=["+", N, ["*", "2", ["name", "m"]]], parameters=named)
            made = refuted_statement("1", "<=", "0", [], listed)
            yield sealed({**made, "claim": moves(query, "1/2", inputs)})


def queries() -> Iterator[Record]:
    for claim, cases in itertools.product(of_vectors(), range(1, TOP)):
        yield record(claim, [CLOSED] * cases, list(range(cases)))
    for piece in (
        {"is": "enumeration", "size": 2},
        {"is": "solver word", "solvers": ["z3", "cvc5"]},
    ):
        yield record(moves("0"), [piece], [0])
    yield from jumps()
    yield from applied()


def applied() -> Iterator[Record]:
    """A constant output of answers of a query, with premises that do not fit."""
    mass = {"is": "mass", "values": [], "evidence": [PIECES]}
    noisy = ["*", "1/2", X, ["exp", minus(["*", X, ["abs", ["+", S, minus(["name", "q[1]"])]]])]]
    of_entry = law({"queries": 1}, REAL, noisy, "one", X, parameters=[["x", ["<", "1/2", X]]])
    to = moves(["*", "1/2", SUM], "1/2", vectors(each=["and", ["<=", "0", X], ["<=", X, "1"]]))
    for uses, cases in itertools.product((1, 2), range(1, 4)):
        shown = record(of_entry, [CLOSED], [0] * uses, one_piece(1, "0", ["name", "q[1]"]))
        premises = [shown["certificate"], record(to, [CLOSED] * cases, [0] * cases)["certificate"]]
        claim = {"applied": of_entry, "to": to}
        yield proved(claim, by_rule(claim, "by_sensitivity", premises, 0))
    sizes = (["<=", "1", N], TRUE)
    for answers, relation, bound, size in itertools.product(
        (1, 2),
        ("one", "all", "increasing"),
        ("5", "0", "-1", ["name", "i"], N, ["+", N, "-1"]),
        sizes,
    ):
        base = law({"queries": answers}, ONE, "1", relation)
        narrow = law(
            {"queries": answers}, ONE, "1", relation, defined=["<=", "0", ["name", "q[1]"]]
        )
        of_values = law(ANSWERS, ONE, "1", "any")
        shown = [record(base, [CLOSED], [0] * uses, mass)["certificate"] for uses in (1, 2, 4)]
        to = moves("0", bound, vectors(parameters=[["n", size]]))
        moved = record(to, [CLOSED], [0])["certificate"]
        claim = {"applied": base, "to": to}
        for one in shown:
            for premises in ([one, moved], [moved, one], [one], [one, moved, moved]):
                for name, sides in (("by_sensitivity", 0), ("by_sensitivity", 1), ("compose", 0)):
                    yield proved(claim, by_rule(claim, name, premises, sides))
            yield proved(claim, by_rule(claim, "by_sensitivity", [one, moved], 0, version=2))
            for other in (narrow, of_values):
                kept = record(other, [CLOSED], [0] * (2 if other is narrow else 1), mass)
                yield proved(
                    {"applied": other, "to": to},
                    by_rule(
                        {"applied": other, "to": to},
                        "by_sensitivity",
                        [kept["certificate"], moved],
                        0,
                    ),
                )
            rule = by_rule(to, "by_sensitivity", [], 0)
            yield proved(claim, by_rule(claim, "by_sensitivity", [one, rule], 0))
            of_notion = {"notion": "zcdp", "order": None, "bounds": base}
            for other in ([], of_notion):
                about_it = {"applied": other, "to": to}
                premises = [one | {"claim": digest(other)}, moved]
                yield proved(about_it, by_rule(about_it, "by_sensitivity", premises, 0))
            said = stated("one", "1")
            yield proved(claim, by_rule(claim, "by_sensitivity", [one, moved], 0, said))
    yield from shifts_applied()
    yield from failures_at_vectors()


def shifts_applied() -> Iterator[Record]:
    """A program that releases a constant, on answers of a query, with proofs of another claim."""
    moved = record(moves("0"), [CLOSED], [0])["certificate"]
    for queries, whole, relation, bound in itertools.product(
        (1, 2, "n"), (False, True), ("one", "all", "increasing"), ("5", "0")
    ):
        start = ["release", ["label", "a"], ["stop"]]
        program = {
            "name": "p",
            "parameters": [],
            "inputs": {"queries": queries, "whole": whole},
            "start": start,
            "states": [],
        }
        base = {
            "program": program,
            "relation": relation,
            "level": "1",
            "delta": "0",
            "queries": 2 if queries == "n" else None,
        }
        to = moves("0", bound)
        claim = {"applied": base, "to": to}
        runs = {"is": "whole runs", "shifts": [{"is": "shifts", "rows": [[]], "never": []}]}
        uses = 2 if relation == "increasing" or queries == 1 else 1
        for many in (1, 2, 4, uses):
            shifts = {
                "is": "alignment",
                "claim": digest(base),
                "regions": [],
                "moves": [runs] * many,
            }
            shown = {"claim": digest(claim), "of_program": shifts, "of_query": moved}
            shown["of_query"] = {**moved, "claim": digest(to)}
            for wrong in (
                {},
                {"claim": "0" * 64},
                {"of_program": {**shifts, "claim": "0" * 64}},
                {"of_query": shifts},
                {"of_program": moved},
                {"of_query": {**moved, "claim": "0" * 64}},
            ):
                yield proved(claim, {**shown, **wrong})
            yield proved(claim, by_rule(claim, "by_sensitivity", [moved, moved], 0))


def failures_at_vectors() -> Iterator[Record]:
    """The answer moves from 0 to 1, where the law of the output changes by a factor of 2."""
    q = ["name", "q[1]"]
    share = ["^", ["+", "1", ["^", q, "2"]], "-1"]
    density = bit(share, ["+", "1", minus(share)])
    row = [["n", {"e": "1"}], ["x[1]", {"e": "0"}], ["x[1]'", {"e": "1"}]]
    away = [["n", {"e": "2"}], *row[1:2], ["x[2]", {"e": "0"}], row[2]]
    other = [*away[:3], ["x[2]'", {"e": "1"}]]
    one, two = ["label", "before"], ["label", "after"]
    event = {"outcomes": [[{"e": "0"}]]}
    for bound, level, parameters in itertools.product(
        ("-1", "1", "0", N, ["+", N, "-1"]), ("1/2", ["oo"], "0", "5"), ([], [["n", TRUE]])
    ):
        given = [["n", {"e": "1"}]] if parameters else []
        base = law({"queries": 1}, BIT, density, "one", level, parameters=parameters)
        claim = {"applied": base, "to": moves(entry("1"), bound)}
        there = {**example([one], [two], **event), "parameters": given}
        listed: tuple[Any, ...] = ([row], [], [row, row], [away], [other], [row[:-1]], None)
        for chosen in listed:
            yield refuted(claim, {"vectors": chosen, "there": there})
        for wrong in (
            {**there, "parameters": [["n", {"e": "3"}]]},
            {**there, "parameters": []},
            example([two], [one], **event),
            example([one], [one], **event),
            example(["0"], ["1"], **event),
            example([], [], **event),
            {"order": "2", "points": [], "counterexample": there},
            {**there, "instances": [[]]},
            [],
        ):
            yield refuted(claim, {"vectors": [row], "there": wrong})
        yield refuted(claim, there)
        yield refuted(claim, {"values": row})
        yield refuted(claim, {"vectors": [row], "there": there}, {"counts": False, "mass": NO_MASS})
    run = {"name": "p", "parameters": [], "inputs": {"queries": 1, "whole": False}, "states": []}
    run["start"] = ["release", ["label", "a"], ["stop"]]
    base = {"program": run, "relation": "one", "level": "1", "delta": "0", "queries": None}
    claim = {"applied": base, "to": moves(entry("1"), "1")}
    yield refuted(claim, {"vectors": [row], "there": example([one], [two], **event)})
    pair = law({"queries": 2}, BIT, density, "all", "1/2")
    about_both = {"applied": pair, "to": moves(entry("1"), "1")}
    there = example([one], [two], **event)
    for chosen in ([row], [row, row], [away, row], [away, other], [away, away], [row, row, row]):
        yield refuted(about_both, {"vectors": chosen, "there": there})
    for notion, order in (("zcdp", None), ("renyi", "2"), ("gdp", None)):
        bounds = law({"queries": 1}, BIT, density, "one", "1/100")
        said = {"notion": notion, "order": order, "bounds": bounds}
        claim = {"applied": said, "to": moves(entry("1"), "1")}
        for at in (None, "2", "0"):
            shown = {"order": at, "points": [], "counterexample": there}
            yield refuted(claim, {"vectors": [row], "there": shown})
        yield refuted(claim, {"vectors": [row], "there": there})
