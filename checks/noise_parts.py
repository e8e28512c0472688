"""Programs of a few steps, their claims and their evidence, from which small records are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from forge import Record, sealed
from hand_parts import refuted

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
