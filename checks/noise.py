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
    return sealed({**made, "scope": scope_of(made)})


def outputs(*items: Any) -> Any:
    made = [{"e": ["label", i]} if isinstance(i, str) else between(*i) for i in items]
    return {"is": "outputs", "items": made}


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
ABOVE = rounds([shifts(by(1))], [head("wait", [[0, ON_YES]], [NONE], left=HALF, differences=[("rho", 1)])])
IN_NO = [shifts(by(1)), shifts(by(0))]  # where the answer does not change, and rho by 1


def above_one(sign: int) -> Any:
    """Where one answer changes by 1 or -1."""
    yes = [shifts(by(1 - sign)), shifts(by(0))]
    before = [[0, IN_NO], [1, yes]]
    common: Any = {"left": HALF, "differences": [("rho", 1)]}
    heads = [head("wait", before, [], phase=0, **common)]
    heads += [head("wait", [[1, IN_NO]], [NONE], phase=1, **common)]
    return rounds([shifts(by(1))], heads)


SUMS = (["sum", "1"], ["*", "1/2", ["sum", ["piecewise", "1", ["==", X, ["label", "a"]], "0", TRUE]]])
ROWS = [[["label", "a"], "1"], [["label", "b"], "1/2"], [["label", "c"], ["oo"]]]
EPS = ["name", "eps"]
COUNTED = draw("x", "laplace", "2", when(minus(plus(Q1, X), Q2)))


def moved_by(d: Any) -> Any:
    """The shifts of `COUNTED`, where the difference of the answers changes by d."""
    return runs(*[shifts(by(-Fraction(d)))] * 2)


A_COUNTED = [moved_by("1/2"), moved_by("-1/2")]
OTHERS = [moved_by("1"), moved_by("-1")]
EMPTY = when(plus(Q1, X), when(plus(Q1, X, "1"), say("high"), ["release", Q1, STOP]), say("low"))


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
    people_ = people(ROWS, *SUMS)
    yield proved(claim(COUNTED, people_, "ahdp", EPS), A_COUNTED + OTHERS)
    yield proved(claim(COUNTED, people_, "add-remove"), A_COUNTED + OTHERS * 2)
    swaps = [moved_by(d) for d in ("1/2", "1/2", "-1/2", "0", "-1/2", "0")]
    yield proved(claim(COUNTED, people_, "swap", "1/4"), swaps)
    tossed = ["coin", "1/3", draw("x", "laplace", "1", when(plus(Q1, X))), say("no")]
    yield proved(claim(tossed, answers(1)), [runs(*[shifts(by(FIRST))] * 2, NONE)])
    empty = shifts(never=((0, 1), (1, 1)))
    yield proved(
        claim(draw("x", "laplace", "1", EMPTY), answers(1)),
        [runs(shifts(by(FIRST)), empty, shifts(by(FIRST)))],
    )


def refutations() -> Iterator[Record]:
    yield against(claim(noisy(), answers(1), level="1/2"), [1], [0], outputs(("1", None)))
    given = [("b", "1")]
    said = claim(noisy("laplace", B), answers(1), "one", "1/2", parameters=POSITIVE)
    yield against(said, [0], [1], outputs((None, "0")), given)
    yield against(claim(two(), answers(2), level="1/2"), [-4, 4], [-5, 5], outputs("1st"))
    whole = claim(two("geometric"), answers(2, True), level="1/4")
    yield against(whole, [1, 0], [0, 1], outputs("1st"))
    yield against(claim(noisy("geometric"), answers(1, True), level="1/2"), [1], [0], outputs(("1", "1")))
    yield against(claim(noisy("exponential"), answers(1), level="5"), [0], [1], outputs((None, "1")))
    yield against(above(level=["*", "1/4", B]), [0, 1], [1, 0], outputs("no", "yes"), given)
    yield against(above("decreasing", level=["*", "1/9", B]), [1], [0], outputs("yes"), given)
    rows, low = people(ROWS, *SUMS), ["*", "1/4", EPS]
    yield against(claim(COUNTED, rows, "ahdp", low), [0, 4, 2], [0, 5, 2], outputs("no"))
    yield against(claim(COUNTED, rows, "add-remove", "1/9"), [0, 2, 2], [0, 3, 2], outputs("no"))
    yield against(claim(COUNTED, rows, "swap", "1/9"), [1, 2, 2], [0, 3, 2], outputs("no"))
    tossed = ["coin", "1/3", draw("x", "laplace", "1", when(plus(Q1, X))), say("no")]
    yield against(claim(tossed, answers(1), level="1/9"), [1], [0], outputs("yes"))
    yield against(BEST | {"level": "1/2"}, [4, 4, 0], [5, 5, -1], outputs("3rd"))
