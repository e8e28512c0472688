"""Small records about noise programs: true ones, from which others are forged, and forged ones that
reach one check each.

    python checks/noise.py > OUT.jsonl

A true record is a program of a few steps, with an alignment or a counterexample made by hand.  A
forged one claims something false or meaningless, with evidence that would suffice otherwise.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from forge import Record, digest, sealed
from hand import refuted

from tests.earlier_formats import VERSIONS, scope_of

STOP, TRUE, X, Y, Z = ["stop"], ["boolean", True], *(["name", n] for n in "xyz")
B, E, T, RHO, Q, Q1, Q2, Q3 = (
    ["name", n] for n in ("b", "e", "T", "rho", "q", "q[1]", "q[2]", "q[3]")
)
POSITIVE = [["b", ["<", "0", B]]]
FREE = [["T", TRUE]]


def plus(*terms: Any) -> Any:
    return ["+", *terms]


def minus(a: Any, b: Any) -> Any:
    return ["+", a, ["*", "-1", b]]


def over(a: str, b: Any) -> Any:
    return ["*", a, ["^", b, "-1"]]


# programs


def draw(noise: str, law: str, scale: Any, then: Any) -> Any:
    return ["draw", noise, law, scale, then]


def say(word: str, then: Any = STOP) -> Any:
    return ["release", ["label", word], then]


def when(value: Any, yes: Any = None, no: Any = None, relation: str = ">") -> Any:
    return ["if", value, relation, yes or say("yes"), no or say("no")]


def answers(n: Any, whole: Any = False) -> Any:
    return {"queries": n, "whole": whole}


def people(rows: Any, *listed: Any) -> Any:
    return {"domain": {"records": rows}, "answers": list(listed)}


def claim(start: Any, inputs: Any, relation: str = "all", level: Any = "1", **more: Any) -> Any:
    """A claim; `more` are parameters, states and a name of the program, delta and queries."""
    program = {
        "name": more.get("name", "p"),
        "parameters": more.get("parameters", []),
        "inputs": inputs,
        "start": start,
        "states": more.get("states", []),
    }
    return {
        "program": program,
        "relation": relation,
        "level": level,
        "delta": more.get("delta", "0"),
        "queries": more.get("queries"),
    }


# evidence


def quantity(c: Any) -> Any:
    return {"q": str(c)}


def by(*shifts: Any) -> Any:
    """One row of shifts, each a number or {amount: coefficient}."""
    return [of_amounts(s if isinstance(s, dict) else {"": s} if s else {}) for s in shifts]


def of_amounts(shift: dict[str, Any]) -> Any:
    return [[n, quantity(c)] for n, c in shift.items()]


def shifts(*rows: Any, never: Sequence[Any] = ()) -> Any:
    return {"is": "shifts", "rows": list(rows), "never": [[i, quantity(c)] for i, c in never]}


def runs(*listed: Any) -> Any:
    return {"is": "whole runs", "shifts": list(listed)}


def cut_runs(cuts: dict[str, Any], *listed: Any) -> Any:
    said = [[noise, {"e": w}] for noise, w in cuts.items()]
    return {"is": "cut runs", "shifts": list(listed), "cuts": said}


def region(paths: Any, sums: Any) -> Any:
    return {"is": "region", "paths": paths, "sums": sums}


def head(state: str, bodies: Any, end: Any, **more: Any) -> Any:
    return {
        "is": "head",
        "state": state,
        "phase": more.get("phase", 0),
        "differences": [[n, quantity(c)] for n, c in more.get("differences", ())],
        "left": {"e": more.get("left", "0")},
        "bodies": bodies,
        "end": end,
    }


def rounds(start: Any, heads: Any, ages: Any = 1) -> Any:
    return {"is": "rounds", "ages": ages, "start": start, "heads": heads}


def proved(said: Any, moves: Any, regions: Any = ()) -> Record:
    proof = {"is": "alignment", "claim": "", "regions": list(regions), "moves": list(moves)}
    return proof_of(said, proof)


def proof_of(said: Any, proof: Any) -> Record:
    made = {
        "format": 3,
        "verdict": "proved",
        "claim": said,
        "fingerprint": "",
        "compared": None,
        "trusts": [],
        "certificate": proof,
        "made_by": dict(VERSIONS),
    }
    return sealed({**made, "scope": scope_of({**made, "certificate": {}})})


def outputs(*items: Any) -> Any:
    made = [{"e": ["label", i]} if isinstance(i, str) else between(*i) for i in items]
    return {"is": "outputs", "items": made, "increments": False}


def between(low: Any, high: Any) -> Any:
    ends = [None if e is None else {"e": e} for e in (low, high)]
    return {"is": "between", "low": ends[0], "high": ends[1]}


def against(said: Any, first: Any, second: Any, event: Any, parameters: Any = ()) -> Record:
    example = {
        "is": "inputs and outputs",
        "parameters": [[n, {"e": v}] for n, v in parameters],
        "first": list(map(quantity, first)),
        "second": list(map(quantity, second)),
        "event": event,
    }
    return refuted(said, example)


# true records: name, claim and evidence

NONE = shifts(by())
NOTHING = runs(NONE)
FIRST = {"q[1]": "-1"}


def noisy(law: str = "laplace", scale: Any = "1") -> Any:
    return draw("x", law, scale, ["release", plus(Q1, X), STOP])


def two(law: str = "laplace", scale: Any = "2") -> Any:
    """Which of two answers with noise is the greater."""
    values, trees = [plus(Q1, X), plus(Q2, Y)], [say("1st"), say("2nd")]
    return draw("x", law, scale, draw("y", law, scale, ["winner", values, trees]))


CORNERS = [by(0, 0), by(2, 0), by(0, 0), by(0, 0)]
CORNERS_2 = [by(0, 0), by(0, 0), by(0, 2), by(0, 0)]
GRID = [by(max(0, b - a), 0) for a in (-1, 0, 1) for b in (-1, 0, 1)]
GRID_2 = [by(0, max(0, a - b)) for a in (-1, 0, 1) for b in (-1, 0, 1)]


def best_of_three() -> Any:
    def against_third(best: Any, word: str) -> Any:
        return when(minus(plus(Q3, Z), best), say("3rd"), say(word))

    one, other = plus(Q1, X), plus(Q2, Y)
    choice = when(minus(other, one), against_third(other, "2nd"), against_third(one, "1st"))
    return draw("x", "laplace", "2", draw("y", "laplace", "2", draw("z", "laplace", "2", choice)))


BEST = claim(best_of_three(), answers(3))
REGIONS = (
    region([0, 2], [[[1], [0, 1]], [[0, 1], [1]]]),
    region([1], [[[0], [1]]]),
    region([3], [[[0], [1]]]),
)
BEST_SHIFTS = (shifts(by(0, 0, 2)), shifts(by(0, 2, 0)), shifts(by(2, 0, 0)))


def waiting(body: Any = None, end: Any = STOP, law: str = "laplace") -> Any:
    """One state, in which queries are compared with a threshold that is kept."""
    again = ["goto", "wait", [["rho", RHO]]]
    found = when(minus(plus(Q, X), RHO), say("yes"), say("no", again), ">=")
    return [["wait", ["rho"], body or draw("x", law, over("4", B), found), end]]


def from_threshold(law: str = "laplace") -> Any:
    return draw("r", law, over("2", B), ["goto", "wait", [["rho", ["name", "r"]]]])


def above(relation: str = "all", law: str = "laplace", **more: Any) -> Any:
    inputs = answers("n", more.pop("whole", False))
    level = more.pop("level", B)
    states = more.pop("states", waiting(law=law))
    return claim(
        from_threshold(law), inputs, relation, level, parameters=POSITIVE, states=states, **more
    )


HALF = ["*", "1/2", B]
ON_YES = [shifts(by(2)), shifts(by(0))]
ABOVE = rounds(
    [shifts(by(1))], [head("wait", [[0, ON_YES]], [NONE], left=HALF, differences=[("rho", 1)])]
)
IN_NO = [shifts(by(1)), shifts(by(0))]  # where the answer does not change, and rho by 1


def above_one(sign: int) -> Any:
    """Where one answer changes by 1 or -1."""
    yes = [shifts(by(1 - sign)), shifts(by(0))]
    before = [[0, IN_NO], [1, yes]]
    common: Any = {"left": HALF, "differences": [("rho", 1)]}
    heads = [head("wait", before, [], phase=0, **common)]
    heads += [head("wait", [[1, IN_NO]], [NONE], phase=1, **common)]
    return rounds([shifts(by(1))], heads)


SUMS = (
    ["sum", "1"],
    ["*", "1/2", ["sum", ["piecewise", "1", ["==", X, ["label", "a"]], "0", TRUE]]],
)
ROWS = [[["label", "a"], "1"], [["label", "b"], "1/2"], [["label", "c"], ["oo"]]]
EPS = ["name", "eps"]
COUNTED = draw("x", "laplace", "2", when(minus(plus(Q1, X), Q2)))


def moved_by(d: Any) -> Any:
    """The shifts of `COUNTED`, where the difference of the answers changes by d."""
    return runs(*[shifts(by(-Fraction(d)))] * 2)


A_COUNTED = [moved_by("1/2"), moved_by("-1/2")]
OTHERS = [moved_by("1"), moved_by("-1")]
EMPTY = when(plus(Q1, X), when(plus(Q1, X, "1"), say("high"), ["release", Q1, STOP]), say("low"))


def contest(law: str = "laplace", whole: Any = False, gap: Any = False, **more: Any) -> Any:
    start = ["contest", [["x", law, "2"]], plus(Q, X), gap]
    return claim(start, answers("n", whole), **more)


ON_FIRST = runs(shifts(by({"q": "-1", "": "1"})))
BY_GAP = runs(shifts(by({"q": "-1", "#other": "1"})))


def proofs() -> Iterator[Record]:
    yield proved(claim(noisy(), answers(1)), [runs(shifts(by(FIRST)))])
    inc = claim(noisy("laplace", B), answers(1), "increasing", over("1", B), parameters=POSITIVE)
    yield proved(inc, [runs(shifts(by(FIRST)))] * 2)
    both = claim(draw("x", "laplace", "1", ["release", plus(Q1, X, Q2), STOP]), answers(2), "one")
    yield proved(both, [runs(shifts(by(d))) for d in (-1, -1, 1, 1)])
    yield proved(claim(two(), answers(2)), [runs(shifts(*CORNERS), shifts(*CORNERS_2))])
    for law in ("exponential", "gumbel", "geometric"):
        fits = answers(2, law == "geometric")
        yield proved(claim(two(law), fits), [runs(shifts(by(2, 0)), shifts(by(0, 2)))])
    yield proved(claim(two("geometric"), answers(2, True)), [runs(shifts(*GRID), shifts(*GRID_2))])
    yield proved(BEST, [runs(*BEST_SHIFTS)], REGIONS)
    yield proved(above(), [ABOVE])
    yield proved(above("one"), [above_one(1), above_one(-1)])
    yield proved(above(law="geometric", whole=True), [ABOVE])
    fixed = [shifts(by(1, 2)), shifts(by(1, 0, 2)), shifts(by(1, 0, 0))]
    yield proved(above(queries=2), [runs(*fixed)])
    yield from cut_proofs()
    people_ = people(ROWS, *SUMS)
    yield proved(claim(COUNTED, people_, "ahdp", EPS), A_COUNTED + OTHERS)
    yield proved(claim(COUNTED, people_, "add-remove"), A_COUNTED + OTHERS * 2)
    swaps = [moved_by(d) for d in ("1/2", "1/2", "-1/2", "0", "-1/2", "0")]
    yield proved(claim(COUNTED, people_, "swap", "1/4"), swaps)
    tossed = ["coin", "1/3", draw("x", "laplace", "1", when(plus(Q1, X))), say("no")]
    yield proved(claim(tossed, answers(1)), [runs(*[shifts(by(FIRST))] * 2, NONE)])
    yield proved(contest(), [ON_FIRST])
    yield proved(contest(gap=True), [BY_GAP])
    yield proved(contest("geometric", whole=True), [ON_FIRST])
    ends = [runs(shifts(by(s))) for s in (0, 1, 1, 0)]
    yield proved(contest(relation="one", level="1/2"), ends)
    empty = shifts(never=((0, 1), (1, 1)))
    yield proved(
        claim(draw("x", "laplace", "1", EMPTY), answers(1)),
        [runs(shifts(by(FIRST)), empty, shifts(by(FIRST)))],
    )


def normal_noise(level: Any, delta: Any, cut: Any = "8", shift: Any = FIRST) -> Record:
    """Gaussian noise of standard deviation 2 on one answer."""
    said = claim(noisy("gaussian", "2"), answers(1), level=level, delta=delta)
    return proved(said, [cut_runs({"x": cut}, shifts(by(shift)))])


def cut_proofs() -> Iterator[Record]:
    """At w = 8 the cut is |x| <= 4 b, and exp(-8)/sqrt(8 pi) = 0.0000669 bounds the tails."""
    yield normal_noise("17/8", "67/1000000")
    delta = ["name", "delta"]
    known = [["delta", ["and", ["<", "0", delta], ["<", delta, "1"]]], *POSITIVE]
    w = ["log", over("1", delta)]
    level = plus(over(["^", ["*", "2", w], "1/2"], B), over("1/2", ["*", B, B]))
    said = claim(noisy("gaussian", B), answers(1), level=level, delta=delta, parameters=known)
    yield proved(said, [cut_runs({"x": w}, shifts(by(FIRST)))])
    both = claim(two("gaussian", "8"), answers(2), level="33/32", delta="67/500000")
    shown = shifts(by(2, 0)), shifts(by(0, 2))
    yield proved(both, [cut_runs({"x": "8", "y": "8"}, *shown)])


def cut_badly() -> Iterator[Record]:
    yield normal_noise("17/8", "33/500000")  # less than the tails
    yield normal_noise("2", "67/1000000")  # without the square of the shift
    yield normal_noise("17/8", "67/1000000", cut=["oo"])
    for w in ("0", "-8", ["name", "x"], Q1, ["name", "zz"]):
        yield normal_noise("100", "1", cut=w)
    said = claim(noisy("gaussian", "2"), answers(1), level="17/8", delta="1/2")
    for w in ("0", ["exp", ["name", "zz"]]):  # of a noise that is not drawn
        yield proved(said, [cut_runs({"x": "8", "y": w}, shifts(by(FIRST)))])
    yield proved(said, [runs(shifts(by(FIRST)))])
    yield proved(said, [cut_runs({}, shifts(by(FIRST)))])
    yield proved(said, [cut_runs({"y": "8"}, shifts(by(FIRST)))])
    both = claim(two("gaussian", "8"), answers(2), level="33/32", delta="67/1000000")
    shown = shifts(by(2, 0)), shifts(by(0, 2))
    for cuts in (["x"], ["y"], ["x", "y"]):  # the cut of the noise that wins is not known before
        yield proved(both, [cut_runs(dict.fromkeys(cuts, "8"), *shown)])
    many = contest("gaussian", level="33/2", delta="1/2")
    yield proved(many, [cut_runs({"x": "8"}, shifts(by({"q": "-1", "": "1"})))])
    many = above(law="gaussian", delta="1/2")
    yield proved(many, [ABOVE])
    yield proved(many, [cut_runs({"r": "8", "x": "8"}, *ON_YES)])


def refutations() -> Iterator[Record]:
    yield against(claim(noisy(), answers(1), level="1/2"), [1], [0], outputs(("1", None)))
    given = [("b", "1")]
    said = claim(noisy("laplace", B), answers(1), "one", "1/2", parameters=POSITIVE)
    yield against(said, [0], [1], outputs((None, "0")), given)
    yield against(claim(two(), answers(2), level="1/2"), [-4, 4], [-5, 5], outputs("1st"))
    whole = claim(two("geometric"), answers(2, True), level="1/4")
    yield against(whole, [1, 0], [0, 1], outputs("1st"))
    yield against(
        claim(noisy("geometric"), answers(1, True), level="1/2"), [1], [0], outputs(("1", "1"))
    )
    yield against(
        claim(noisy("exponential"), answers(1), level="5"), [0], [1], outputs((None, "1"))
    )
    yield against(above(level=["*", "1/4", B]), [0, 1], [1, 0], outputs("no", "yes"), given)
    yield against(above("decreasing", level=["*", "1/9", B]), [1], [0], outputs("yes"), given)
    rows, low = people(ROWS, *SUMS), ["*", "1/4", EPS]
    yield against(claim(COUNTED, rows, "ahdp", low), [0, 4, 2], [0, 5, 2], outputs("no"))
    yield against(claim(COUNTED, rows, "add-remove", "1/9"), [0, 2, 2], [0, 3, 2], outputs("no"))
    yield against(claim(COUNTED, rows, "swap", "1/9"), [1, 2, 2], [0, 3, 2], outputs("no"))
    sums = draw(
        "x",
        "laplace",
        "1",
        ["release", plus(Q1, X), draw("y", "laplace", "1", ["release", plus(Q1, X, Q2, Y), STOP])],
    )
    each = {**outputs(("1", None), (None, "0")), "increments": True}
    yield against(claim(sums, answers(2)), [1, 0], [0, 1], each)
    tossed = ["coin", "1/3", draw("x", "laplace", "1", when(plus(Q1, X))), say("no")]
    yield against(claim(tossed, answers(1), level="1/9"), [1], [0], outputs("yes"))
    yield against(BEST | {"level": "1/2"}, [4, 4, 0], [5, 5, -1], outputs("3rd"))


# claims without a meaning, whose evidence would suffice otherwise

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


# alignments that show less than they should


def yes_no(level: Any = "0", **more: Any) -> Any:
    """Whether an answer with noise is positive; 1 is the least level."""
    return claim(draw("x", "laplace", "1", when(plus(Q1, X))), answers(1), level=level, **more)


def misaligned() -> Iterator[Record]:
    good = proved(claim(noisy(), answers(1)), [runs(shifts(by(FIRST)))])
    other = {**good["certificate"], "claim": "0" * 64}
    changed = {k: v for k, v in good.items() if k != "sha256"} | {"certificate": other}
    yield {**changed, "sha256": digest(changed)}
    for kind in (
        NONE,
        NOTHING,
        ABOVE,
        region([], []),
        between(None, None),
        None,
        5,
        {"is": "mass"},
    ):
        yield proof_of(claim(noisy(), answers(1)), kind)
    example = against(claim(noisy(), answers(1)), [0], [1], outputs("a"))["counterexample"]
    yield proof_of(claim(noisy(), answers(1)), example)
    yield proved(claim(noisy(), answers(1)), [])
    yield proved(claim(noisy(), answers(1), "increasing"), [runs(shifts(by(FIRST)))])
    yield proved(claim(noisy(), answers(1)), [ABOVE])
    yield proved(above(), [NOTHING])
    yield proved(above(), [ABOVE], REGIONS[:1])
    yield proved(claim(noisy(), answers(1)), [runs()])
    yield proved(claim(noisy(), answers(1)), [runs(NONE)])
    yield proved(claim(noisy(), answers(1), level="1/2"), [runs(shifts(by(FIRST)))])
    yield proved(claim(noisy("gumbel"), answers(1), level="2"), [runs(shifts(by(FIRST)))])
    for shift in (0, {"q[1]": "-1", "": "1/9"}, {"q[2]": "0"}, {"zz": "1"}):
        yield proved(claim(noisy(), answers(1), level="2"), [runs(shifts(by(shift)))])
    twice = shifts([[["q[1]", quantity("-1")], ["q[1]", quantity("-1")]]])
    yield proved(claim(noisy(), answers(1)), [runs(twice)])
    part = proved(yes_no("1"), [runs(shifts(by({"q[1]": "-1/2"})), shifts(by(FIRST)))])
    yield part
    yield proved(claim(two(), answers(2)), [runs(shifts(*CORNERS[:3]), shifts(*CORNERS_2))])
    yield proved(claim(two(), answers(2)), [runs(shifts(*CORNERS_2), shifts(*CORNERS))])
    whole, half = claim(noisy("geometric"), answers(1, True)), claim(noisy("geometric"), answers(1))
    yield proved(half, [runs(shifts(by(FIRST)))])
    yield proved(whole | {"level": "2"}, [runs(shifts(by({"q[1]": "-1", "": "1/2"})))])
    yield proved(half, [runs(shifts(by(1), by(-1)))])
    yield proved(half | {"relation": "one"}, [runs(shifts(by(d))) for d in (-1, 1)])
    steep = claim(draw("x", "geometric", "1", when(plus(Q1, X))), answers(1, True), level="1")
    yield proved(steep, [runs(shifts(by("1/2")), shifts(by("-1/2")))])
    for never in (
        ((-1, 1),),
        ((9, 1),),
        ((0, -1), (1, -1)),
        ((0, 1),),
        ((0, 1), (1, 1)),
        ((0, 0), (1, 0)),
    ):
        shown = shifts(never=never)
        yield proved(yes_no(), [runs(shown, shown)])
        exact = when("1", ["release", Q1, STOP], ["release", Q1, STOP])
        yield proved(claim(exact, answers(1), level="0"), [runs(shown, shown)])
        gap = when(plus(Q1, X), when(minus(T, plus(Q1, X)), ["release", Q1, STOP]))
        said = claim(draw("x", "laplace", "1", gap), answers(1), parameters=FREE)
        yield proved(said, [runs(shown, *[shifts(by(FIRST))] * 2)])
    touching = when(plus(Q1, X), when(plus(Q1, X), SAID, SAID, ">="), relation=">=")
    on_line = shifts(never=((0, 1), (1, 1)))
    yield proved(
        claim(
            draw(
                "x",
                "geometric",
                "1",
                when(
                    plus(Q1, X),
                    when(["*", "-1", plus(Q1, X)], ["release", Q1, STOP], SAID, ">="),
                    SAID,
                    ">=",
                ),
            ),
            answers(1, True),
        ),
        [runs(on_line, shifts(by(FIRST)), shifts(by(FIRST)))],
    )
    del touching
    yield from merged_badly()
    yield from rounds_badly()
    yield from contests_badly()
    yield from cut_badly()


def merged_badly() -> Iterator[Record]:
    still = shifts(by(0))
    yield proved(yes_no(), [runs(still)], [region([0], [[[0]]])])
    yield proved(yes_no(), [runs(still, still)], [region([0], [[]]), region([1], [[]])])
    yield proved(yes_no(), [runs(still)], [region([0, 1], [[], []])])
    yield proved(yes_no(), [runs(still)], [region([1, 0], [[], []])])
    shown, pair = [shifts(by(FIRST))] * 2, [region([0], [[[0]]]), region([1], [[[0]]])]
    yield proved(yes_no("1"), [runs(*shown)], [*pair, region([], [])])
    for sums in ([[[-1]]], [[[5]]], [[[]]], [[[0], []]], [[[0]], [[0]]], []):
        yield proved(yes_no("1"), [runs(*shown)], [region([0], sums), pair[1]])
    yield proved(yes_no("1"), [runs(*shown, still)], [*pair, pair[1]])
    coin = ["coin", "1/2", when(plus(Q1, X)), when(plus(Q1, X))]
    tossed = claim(draw("x", "laplace", "1", coin), answers(1))
    regions = [region([0, 2], [[[0]], [[0]]]), region([1, 3], [[[0]], [[0]]])]
    yield proved(tossed, [runs(*shown)], regions)
    constant = claim(draw("x", "laplace", "1", when(plus(Q1, X, T))), answers(1), parameters=FREE)
    yield proved(constant, [runs(*shown)], pair)
    late = when(plus(Q1, X), draw("y", "laplace", "1", SAID))
    said = claim(draw("x", "laplace", "1", late), answers(1))
    yield proved(said, [runs(shifts(by(FIRST, 0)), shown[1])], pair)
    same = [region([0, 2], [[[1]], [[1]]]), *REGIONS[1:]]
    yield proved(BEST, [runs(*BEST_SHIFTS)], same)
    ties = claim(
        draw(
            "x",
            "geometric",
            "1",
            when(plus(Q1, X), when(["*", "-1", plus(Q1, X)], SAID, SAID, ">="), SAID, ">="),
        ),
        answers(1, True),
        level="0",
    )
    parts = [region([0], [[[0]]]), region([1], [[[0]]]), region([2], [[[0]]])]
    yield proved(ties, [runs(*[shifts(by(0))] * 3)], parts)
    low = when(minus(X, Q1), SAID, when(plus(X, Q1), SAID, SAID))
    yield proved(
        claim(draw("x", "geometric", "1", low), answers(1, True)),
        [runs(*[shifts(by({"q[1]": 1})), shifts(by(FIRST)), shifts(by(FIRST))])],
        [region([0], [[[0]]]), region([1], [[[1]]]), region([2], [[[1]]])],
    )


def rounds_badly() -> Iterator[Record]:
    common: Any = {"left": HALF, "differences": [("rho", 1)]}
    start, end = [shifts(by(1))], [NONE]
    for ages in (0, -1, 51):
        yield proved(above(), [rounds(start, [head("wait", [[0, ON_YES]], end, **common)], ages)])
    for heads in (
        [],
        [head("elsewhere", [[0, ON_YES]], end, **common)],
        [head("wait", [[0, ON_YES]], end, phase=1, **common)],
        [head("wait", [[7, ON_YES]], end, **common)],
        [head("wait", [], end, **common)],
        [head("wait", [[0, ON_YES]] * 2, end, **common)],
        [head("wait", [[0, ON_YES[:1]]], end, **common)],
        [head("wait", [[0, ON_YES]], [], **common)],
        [head("wait", [[0, ON_YES]], end * 2, **common)],
        [head("wait", [[0, ON_YES]], end, left=HALF)],
        [head("wait", [[0, ON_YES]], end, left=HALF, differences=[("zz", 1)])],
        [head("wait", [[0, ON_YES]], end, left=HALF, differences=[("rho", 1), ("q", 0)])],
        [head("wait", [[0, ON_YES]], end, left=HALF, differences=[("rho", 2)])],
        [head("wait", [[0, ON_YES]], end, left=HALF, differences=[("rho", 1), ("rho", 2)])],
        [head("wait", [[0, [shifts(by(1)), shifts(by(0))]]], end, **common)],
        [head("wait", [[0, [shifts(by(2), by(0)), shifts(by(0))]]], end, **common)],
        [head("wait", [[0, ON_YES]], end, left="0", differences=[("rho", 1)])],
        [head("wait", [[0, ON_YES]], end, left=["*", "-1", B], differences=[("rho", 1)])],
        [head("wait", [[0, ON_YES]], end, left=B, differences=[("rho", 1)])],
        [head("wait", [[0, ON_YES]], end, left=ZZ, differences=[("rho", 1)])],
        [head("wait", [[0, ON_YES]], end, left=["oo"], differences=[("rho", 1)])],
    ):
        yield proved(above(), [rounds(start, heads)])
    yield proved(above(), [rounds([], [head("wait", [[0, ON_YES]], end, **common)])])
    yield proved(
        above(), [rounds([shifts(by({"q": 1}))], [head("wait", [[0, ON_YES]], end, **common)])]
    )
    last = ["release", RHO, STOP]
    yield proved(above(states=waiting(end=last)), [ABOVE])
    first = [head("wait", [[0, IN_NO]], [], phase=0, **common)]
    yield proved(above("one"), [rounds(start, first)] * 2)
    one, other = above_one(1), above_one(-1)
    yield proved(above("one"), [one, one])
    yield proved(above("one"), [one | {"heads": one["heads"][:1]}, other])
    yield proved(above("one", law="geometric"), [one, other])


def contests_badly() -> Iterator[Record]:
    yield proved(contest(), [BY_GAP])
    yield proved(contest(), [runs(shifts(*[by({"": d}) for d in (0, 2, 0, 0)]))])
    yield proved(contest(level="0"), [runs(shifts())])
    yield proved(contest(gap=True), [runs(shifts())])
    yield proved(contest(gap=True), [ON_FIRST])
    yield proved(contest("geometric", True, gap=True), [BY_GAP])
    yield proved(contest(), [ON_FIRST], REGIONS[:1])
    yield proved(contest(level="0"), [runs(shifts(by(0)))])
    start = ["contest", [["x", "laplace", "2"]], plus(Q, X), False]
    for inputs, states in ((answers(1), []), (answers("n"), [["wait", [], SAID, STOP]])):
        yield proved(claim(start, inputs, states=states), [ON_FIRST])
    yield silent(when("1", start, SAID), paths=2)
    yield waited(start)
    for gap in (1, None, "true"):
        yield proved(contest(gap=gap), [ON_FIRST])
    for draws in (
        [["q", "laplace", "2"]],
        [["x", "cauchy", "2"]],
        [["x", "laplace", "-2"]],
        [["x", "laplace", SURE]],
        [["x", "laplace", "2"], ["x", "laplace", "2"]],
        [["x", "laplace"]],
        5,
    ):
        bad = ["contest", draws, plus(Q, X), False]
        two_ = runs(
            shifts(by({"q": "-1", "": "1"}, *[0] * (isinstance(draws, list) and len(draws) > 1)))
        )
        yield proved(claim(bad, answers("n")), [two_])
    for value in (ZZ, ["*", Q, Q], plus(Q, X, ZZ), Q1):
        bad = ["contest", [["x", "laplace", "2"]], value, False]
        yield proved(claim(bad, answers("n")), [ON_FIRST])


# counterexamples that refute nothing


def unlike() -> Iterator[Record]:
    said, event = claim(noisy(), answers(1), level="1/2"), outputs(("1", None))
    yield against(said, [0], [1], event)
    yield against(said, [2], [0], event)
    yield against(said, [1, 0], [0, 0], event)
    yield against(said, [1], [0, 0], event)
    yield against(said, [], [], event)
    yield against(said, [1], [0], event, [("b", "1")])
    scaled = claim(noisy("laplace", B), answers(1), "one", "1/2", parameters=[*POSITIVE, *FREE])
    low = outputs((None, "0"))
    for values in (
        [("b", "1")],
        [("T", "1"), ("b", "1")],
        [("b", "-1"), ("T", "0")],
        [("b", "0"), ("T", "0")],
        [("b", "1"), ("T", ["log", "0"])],
        [("b", "1"), ("T", ["label", "a"])],
        [("b", "1"), ("T", ["oo"])],
        [("b", "1"), ("T", ZZ)],
        [("b", "1"), ("T", ["sum", "1"])],
        [("b", ["log", "2"]), ("T", "0")],
        [("b", "1"), ("T", "0"), ("T", "0")],
    ):
        yield against(scaled, [0], [1], low, values)
    whole = claim(noisy("geometric"), answers(1, True), level="1/4")
    yield against(whole, ["1/2"], ["-1/2"], outputs(("0", None)))
    pair = claim(
        draw("x", "laplace", "1", ["release", plus(Q1, X), ["release", Q2, STOP]]),
        answers(2),
        "one",
        "1/2",
    )
    yield against(pair, [1, 1], [0, 0], outputs(("1", None), (None, None)))
    up = claim(
        draw("x", "laplace", "1", ["release", plus(Q1, ["*", "-1", Q2], X), STOP]),
        answers(2),
        "increasing",
        "1",
    )
    yield against(up, [1, 0], [0, 1], event)
    every = [["wait", [], ["release", Q, ["goto", "wait", []]], STOP]]
    many = claim(["goto", "wait", []], answers("n"), states=every, level="1")
    yield against(many, [], [0], outputs(("0", "0")))
    yield against(many, [0, 0], [0], outputs((None, None)))
    for queries, side in ((2, [0]), (1, [0, 0])):
        fixed = {**many, "queries": queries}
        yield against(fixed, side, [1] * len(side), outputs(*[("0", "0")] * len(side)))
    rows, small = people(ROWS, *SUMS), ["*", "1/4", EPS]
    by_demand = claim(COUNTED, rows, "ahdp", small)
    no = outputs("no")
    for first, second in (
        ([0, 4, 2], [0, 6, 2]),
        ([0, 4, 2], [0, 5, 3]),
        ([0, 4, 2], [0, 4, 2]),
        ([0, 4], [0, 5]),
        ([0, 4, 2, 0], [0, 5, 2, 0]),
        ([0, "1/2", 2], [0, "3/2", 2]),
        ([0, -1, 2], [0, 0, 2]),
    ):
        yield against(by_demand, first, second, no)
        yield against(claim(COUNTED, rows, "add-remove", "1/9"), first, second, no)
        yield against(claim(COUNTED, rows, "swap", "1/9"), first, second, no)
    yield against(by_demand, [0, 4, 2], [0, 4, 3], no)
    asked = people([["1", T], ["2", "1"]], ["sum", "1"])
    certain = claim(SAID, asked, "ahdp", EPS, parameters=FREE)
    yield against(certain, [1, 0], [0, 0], outputs("a"), [("T", "-1")])
    odd = people(ROWS, ["+", ["sum", "1"], ["log", "2"]], SUMS[1])
    yield against(claim(COUNTED, odd, "ahdp", small), [0, 4, 2], [0, 5, 2], no)
    for law in ("gumbel", "laplace"):
        scale = "1" if law == "gumbel" else ["log", "2"]
        yield against(claim(noisy(law, scale), answers(1), level="1/2"), [1], [0], event)
    three = draw(
        "x",
        "laplace",
        "1",
        draw("y", "laplace", "1", draw("z", "laplace", "1", when(plus(Q1, X, Y, Z)))),
    )
    yield against(claim(three, answers(1), level="1/9"), [1], [0], outputs("yes"))
    uneven = draw("x", "laplace", "1", draw("y", "laplace", "1", when(plus(Q1, X, ["*", "2", Y]))))
    yield against(claim(uneven, answers(1), level="1/9"), [1], [0], outputs("yes"))
    mixed = draw("x", "laplace", "1", draw("y", "geometric", "1", when(plus(Q1, X, Y))))
    yield against(claim(mixed, answers(1), level="1/9"), [1], [0], outputs("yes"))
    signs = when(plus(Q1, X, Y), when(minus(X, Y)))
    both = draw("x", "laplace", "1", draw("y", "laplace", "1", signs))
    yield against(claim(both, answers(1), level="1/9"), [1], [0], outputs("yes"))
    ring = when(minus(X, Y), when(minus(Y, Z), when(plus("1", minus(Z, X))), STOP), STOP)
    around = draw(
        "x",
        "laplace",
        "1",
        draw("y", "laplace", "1", draw("z", "laplace", "1", when(plus(Q1, X), ring, STOP))),
    )
    yield against(claim(around, answers(1), level="1/9"), [1], [0], outputs("yes"))
    good = against(said, [1], [0], event)
    yield sealed(
        {**good, "mass": {"counts": False, "mass": {"is": "mass", "values": [], "evidence": []}}}
    )
    yield sealed({**good, "counterexample": runs()})
    for wrong in (
        outputs("a"),
        outputs(),
        outputs(("2", "1")),
        between(None, None),
        {"is": "outputs", "items": [{"e": "1"}], "increments": False},
    ):
        yield against(said, [1], [0], wrong)


def main() -> None:
    for made in itertools.chain(proofs(), refutations(), meaningless(), misaligned(), unlike()):
        print(json.dumps(made, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    main()
