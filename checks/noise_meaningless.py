"""Records about noise programs that claim something without a meaning, with evidence that would
suffice otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from forge import Record, sealed
from noise_parts import (
    FREE,
    POSITIVE,
    Q1,
    Q2,
    STOP,
    TRUE,
    B,
    Q,
    T,
    X,
    answers,
    by,
    claim,
    draw,
    head,
    people,
    proved,
    rounds,
    runs,
    say,
    shifts,
    when,
)
from noise_true import EPS, NONE, NOTHING, ROWS

ZZ = ["name", "zz"]
SURE = ["+", "1", ["exp", ZZ]]  # > 0, whatever zz is
SAID = say("a")


def silent(start: Any = SAID, inputs: Any = None, paths: int = 1, **more: Any) -> Record:
    """A claim that nothing is lost, with shifts on this many paths that draw nothing."""
    given = answers(1) if inputs is None else inputs
    said = claim(start, given, **{"level": "0", **more})
    return proved(said, [runs(*[NONE] * paths)])


def waited(body: Any = SAID, end: Any = STOP, registers: Any = (), **more: Any) -> Record:
    """The same for any number of queries, which are awaited in one state."""
    kept = [[r, "0"] for r in registers]
    start = more.pop("start", ["goto", "wait", kept])
    states = more.pop("states", [["wait", list(registers), body, end]])
    said = claim(start, answers("n"), level="0", states=states, **more)
    return proved(said, [rounds([NONE], [head("wait", [[0, [NONE]]], [NONE])])])


def drawn(law: Any = "laplace", scale: Any = "1", noise: Any = "x", **more: Any) -> Record:
    """A claim about a noise that is drawn and not used."""
    said = claim(draw(noise, law, scale, SAID), answers(1), **{"level": "0", **more})
    return proved(said, [runs(shifts(by(0)))])


def meaningless() -> Iterator[Record]:
    yield silent(name=5)
    for parameters in (
        [["q", TRUE]],
        [["q[1]", TRUE]],
        [["b", TRUE], ["b", TRUE]],
        [["b", ["<", "0", ZZ]]],
        [["b", ["sum", "1"]]],
        [["b", B]],
        [["b", ["==", B, ["label", "a"]]]],
    ):
        yield silent(parameters=parameters)
    for inputs in (answers(0), answers(True), answers(1, 1), answers(1, None), answers("m"), 5, {}):
        yield silent(inputs=inputs)
    yield silent(states=[["wait", [], STOP, STOP]])
    yield silent(inputs=answers("n"), queries=1)
    said = claim(SAID, answers("n"), level="0")
    yield proved(said, [rounds([NONE], [])])
    wait = ["wait", [], SAID, STOP]
    yield waited(states=[wait, wait])
    for registers in (["q"], ["r", "r"], ["1x"], ["b"]):
        yield waited(registers=registers, parameters=POSITIVE)
    unknown = ["release", ZZ, STOP]
    yield silent(unknown)
    yield waited(unknown)
    yield waited(end=unknown)
    yield waited(end=["goto", "wait", []])
    yield waited(start=["goto", "elsewhere", []])
    yield waited(start=["goto", "wait", [["r", "0"]]])
    yield waited(registers=["r"], start=["goto", "wait", []])
    yield waited(registers=["r"], start=["goto", "wait", [["r", ZZ]]])
    yield silent(["goto", "wait", []])
    for value in (ZZ, ["^", "0", "-1"], ["log", T], ["^", T, "-1"], ["sum", "1"], TRUE, ["oo"]):
        yield silent(["release", value, STOP], parameters=FREE)
        yield silent(when(value, SAID, SAID), paths=2, parameters=FREE)
    for value in (["label", "a"], ["piecewise", "1", ["==", T, ["label", "a"]], "2", TRUE]):
        yield silent(when(value, SAID, SAID), paths=2, parameters=FREE)
    for value in (["*", Q1, Q1], ["*", T, Q1], ["abs", Q1], ["exp", Q1], ["*", Q1, Q2]):
        yield silent(["release", value, STOP], answers(2), parameters=FREE)
        yield proved(claim(when(value), answers(2), parameters=FREE, level="0"), [runs(NONE, NONE)])
    yield silent(["release", ["index", Q, "1"], STOP])
    yield silent(["winner", ["1"], [SAID]])
    yield silent(["winner", ["1", "2"], [SAID, SAID, SAID]], paths=3)
    yield silent(["winner", ["1", "2", "3"], [SAID, SAID]], paths=2)
    yield silent(["winner", ["1", ZZ], [SAID, SAID]], paths=2)
    yield silent(["winner", [], []], paths=0)
    for p in ("2", "-1", T, ZZ, ["^", SURE, "-1"], ["label", "a"], TRUE, ["^", "0", "-1"]):
        yield silent(["coin", p, SAID, SAID], paths=2, parameters=FREE)
    steps = (["jump"], [], 5, ["stop", 1], ["if", "1", "<", SAID, SAID], ["draw", "x"], ["release"])
    for step in steps:
        yield silent(step)
    yield silent(["if", "1", ">", SAID, SAID, SAID], paths=3)
    yield silent(["coin", "1/2", SAID], paths=1)
    for noise in ("1x", "q", "q[1]", "q[2]", "b", "pi", ""):
        yield drawn(noise=noise, parameters=POSITIVE)
    yield proved(
        claim(draw("x", "laplace", "1", draw("x", "laplace", "1", SAID)), answers(1), level="0"),
        [runs(shifts(by(0, 0)))],
    )
    for scale in ("0", "-1", T, SURE, ["label", "a"], TRUE, ["sum", "1"], ["oo"], Q1):
        yield drawn(scale=scale, parameters=FREE)
    yield drawn("cauchy")
    yield drawn(5)
    yield from about_records()
    yield from said_badly()


def about_records() -> Iterator[Record]:
    rows = ROWS[:2]
    own = claim(SAID, people([["1", T], ["2", "1"]], ["sum", "1"]), "swap", "0", parameters=FREE)
    compared = {"values": [["T", {"e": "-1"}]]}
    made = proved(own, [NOTHING] * 2)
    scope = {**made["scope"], "compared": "something"}
    yield sealed({**made, "compared": compared, "scope": scope})
    universal = {"unknowns": [["eps", ["<=", "0", EPS]]], "parameters": []}
    listed = [["sum", "1"]]

    def counted(rows: Any, answers: Any, relation: str = "add-remove", **more: Any) -> Record:
        said = claim(SAID, people(rows, *answers), relation, **{"level": "0", **more})
        return proved(said, [NOTHING] * more.pop("moves", 4))

    yield counted([], listed, moves=0)
    yield counted(rows, [])
    yield counted([rows[0], rows[0]], listed)
    yield counted([["1", "-1"], ["2", "1"]], listed)
    yield counted([["1", ZZ], ["2", "1"]], listed)
    yield counted([["1", "1"], [["vector", "1", "2"], "1"]], listed)
    for answer in (
        "5",
        ["maximum", X],
        ["+", ["sum", "1"], X],
        ["+", ["sum", "1"], ZZ],
        ["*", ["sum", "1"], ["sum", "1"]],
        ["sum", ZZ],
        ["sum", ["log", "2"]],
        ["sum", ["sum", "1"]],
        ["sum", ["piecewise", "1", ["==", X, ["label", "1"]], "0", TRUE]],
        ["sum", X],
        ["sum", TRUE],
        TRUE,
    ):
        yield counted(rows, [answer])
    for demands in (["1", ["oo"]], ["1", ["log", "2"]]):
        yield counted([["1", demands[0]], ["2", demands[1]]], [["sum", EPS]])
    yield proved(
        claim(SAID, {"domain": universal, "answers": listed}, "add-remove", "0"), [NOTHING] * 2
    )
    yield counted(rows, listed, "all")
    yield counted(rows, listed, "one")
    yield counted(rows, listed, "hdp")
    yield counted(rows[:1], listed, "swap", moves=0)
    yield counted([["1", ["oo"]]], listed, "ahdp", level=EPS, moves=0)
    yield counted(rows, listed, level=["oo"], moves=0)
    yield counted(rows, listed, level=EPS)
    yield counted(rows, listed, "ahdp", level=EPS, parameters=[["eps", ["<", "0", EPS]]])
    yield counted(rows, listed, "ahdp", level=["+", EPS, ["exp", ZZ]])
    near = ["piecewise", "1", ["==", X, ["label", "c"]], "2", TRUE]
    yield counted(rows, listed, "ahdp", level=near)


def said_badly() -> Iterator[Record]:
    """Relations, levels, deltas and numbers of queries that a claim cannot have."""
    for relation in ("ahdp", "swap", "any", "", 5, None):
        yield silent(relation=relation)
    for level in (
        "-1",
        ["oo"],
        ["exp", ZZ],
        TRUE,
        ["label", "a"],
        ["+", "1", ["oo"]],
        ["log", T],
        X,
    ):
        yield silent(level=level, parameters=FREE)
    for delta in ("-1", "2", T, ["exp", ZZ], TRUE, ["oo"], ["label", "a"], ["*", "-1", ["exp", T]]):
        yield silent(delta=delta, parameters=FREE)
    for queries in (1, 0, True):
        yield silent(queries=queries)
    waits = [["wait", [], SAID, STOP]]
    for queries in (0, True, "1", -1, 10_001):
        said = claim(["goto", "wait", []], answers("n"), level="0", states=waits, queries=queries)
        yield proved(said, [runs(NONE)])
