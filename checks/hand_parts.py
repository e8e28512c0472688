"""Claims, evidence and records in a few words, of which forged records are made by hand."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forge import Record, digest, sealed

from tests.earlier_formats import VERSIONS, scope_of

TRUE = ["boolean", True]
Q, N, S, X, V = (["name", n] for n in ("q", "n", "s", "x", "v"))
COUNT, SUM = ["sum", "1"], ["sum", ["name", "x"]]
CLOSED = {"is": "closed", "lemmas": [], "form": "log", "proofs": []}
NO_MASS = {"is": "mass", "values": [], "evidence": []}


def minus(e: Any) -> Any:
    return ["*", "-1", e]


# expressions that have no value, or none that is known
STRANGE: tuple[Any, ...] = (
    ["^", "0", "-1"],
    ["^", Q, "-1"],
    ["^", ["+", Q, minus(Q)], "-1"],
    ["^", "0", "0"],
    ["^", Q, Q],
    ["^", "-1", "1/2"],
    ["^", Q, "1/2"],
    ["^", "0", Q],
    ["^", "2", "100000"],
    ["^", "2", "100001"],
    ["^", ["+", Q, "1"], "65"],
    ["^", ["+", Q, "1"], "100"],
    ["^", Q, "1000001"],
    ["^", ["+", ["exp", Q], "1"], "1/2"],
    ["log", "0"],
    ["log", "-1"],
    ["log", Q],
    ["log", ["oo"]],
    ["exp", ["oo"]],
    ["exp", minus(["oo"])],
    ["oo"],
    ["+", ["oo"], minus(["oo"])],
    ["*", "0", ["oo"]],
    ["exp", ["exp", "100"]],
    ["log", ["+", ["exp", "1"], minus(["exp", "1"])]],
    ["binomial", "3", "1/2"],
    ["binomial", "-1", "2"],
    ["binomial", "3", "-1"],
    ["binomial", "5000", "2"],
    ["binomial", Q, "2"],
    ["binomial", "1/2", "2"],
    ["binomial", Q, Q],
    ["binomial", "3", Q],
    ["binomial", "4096", "2048"],
    ["mod", Q, "0"],
    ["mod", "3", "0"],
    ["mod", Q, Q],
    ["mod", "3", "1/2"],
    ["floor", Q],
    ["floor", ["oo"]],
    ["floor", ["log", "2"]],
    ["floor", ["exp", "50"]],
    ["abs", Q],
    ["abs", ["oo"]],
    ["sign", Q],
    ["sign", ["oo"]],
    ["max", Q, "0"],
    ["min", ["oo"], Q],
    ["max", ["label", "a"], "1"],
    ["label", "a"],
    ["+", ["label", "a"], "1"],
    TRUE,
    ["boolean", False],
    ["<", Q, "1"],
    ["not", TRUE],
    ["piecewise", "1", ["<", Q, "0"]],
    ["piecewise", "1", ["boolean", False]],
    ["piecewise", "1", Q],
    ["piecewise", "1", "1"],
    ["piecewise", "1", ["label", "a"]],
    ["piecewise", "1", ["==", ["label", "a"], Q], "2", TRUE],
    ["piecewise", "1", ["<", ["label", "a"], "1"], "2", TRUE],
    ["piecewise", "1", ["<=", ["label", "a"], ["label", "b"]], "2", TRUE],
    ["piecewise", "1", ["==", ["label", "a"], ["+", Q, "1"]], "2", TRUE],
    ["piecewise", "1", ["<", ["+", ["oo"], Q], "1"], "2", TRUE],
    ["piecewise", "1", ["<", ["oo"], ["oo"]], "2", TRUE],
    ["piecewise", "1", ["<", ["*", "2", ["oo"]], "1"], "2", TRUE],
    ["piecewise", "1", ["and", Q, TRUE], "2", TRUE],
    ["piecewise", "1", ["or", ["<", Q, "0"], "1"], "2", TRUE],
    ["piecewise", "1", ["not", Q], "2", TRUE],
    ["piecewise", ["label", "a"], TRUE],
    ["piecewise", TRUE, TRUE],
    SUM,
    COUNT,
    ["maximum", Q],
    ["name", "zz"],
    ["name", "@1"],
    ["name", "pi"],
    ["name", "q[1]"],
    ["name", ""],
    ["name", "1"],
    ["name", "x y"],
    ["sum", "1", "2"],
    ["exp"],
    ["exp", "1", "2"],
    ["+"],
    ["*"],
    ["max"],
    ["min"],
    ["unknown", "1"],
    [],
    ["index", Q, "1"],
    ["number", "1"],
    ["name"],
    ["name", 1],
    ["label", 1],
    ["boolean", "true"],
    "2/4",
    "1.5",
    "1e5",
    "",
    "--1",
    "+1",
    "1/0",
    "1/-2",
    1,
    None,
    True,
    {"e": "1"},
    "01",
    " 1",
    ["Ei", "1"],
    ["total", Q],
    ["exp", ["name", "s"]],
    ["indicator", TRUE],
    ["^", ["log", "2"], "1/2"],
    ["^", ["+", ["log", "2"], minus(["log", "3"])], "1/2"],
    ["^", ["+", ["exp", "1"], minus(["exp", "1"])], "-1"],
    ["log", ["+", "1", minus(["exp", ["^", "10", "-400"]])]],
    ["exp", ["^", "10", "30"]],
    ["^", ["exp", ["^", "10", "30"]], "-1"],
    ["log", ["exp", ["^", "10", "400"]]],
    ["^", "10", "400000"],
)
DEEP = "1"
for _ in range(260):
    DEEP = ["exp", DEEP]  # type: ignore[assignment]


def statement(
    left: Any, relation: Any, right: Any, unknowns: Any, *, gaps: int = 2, form: str = "log"
) -> Record:
    """A record of a statement that needs no proof."""
    claim = {"inequality": [left, relation, right], "parameters": unknowns, "name": ""}
    evidence = [{**CLOSED, "form": form} for _ in range(gaps)]
    return record(claim, evidence, list(range(gaps)))


def record(claim: Any, evidence: Any, uses: Any, mass: Any = NO_MASS) -> Record:
    certificate = {
        "is": "certificate",
        "claim": "",
        "counts": False,
        "conditions": [],
        "mass": mass,
        "evidence": evidence,
        "uses": uses,
    }
    made: Record = {
        "format": 3,
        "verdict": "proved",
        "claim": claim,
        "fingerprint": "",
        "scope": {},
        "compared": None,
        "trusts": [],
        "certificate": certificate,
        "made_by": dict(VERSIONS),
    }
    try:
        made["scope"] = scope_of(made)
    except Exception:
        made["scope"] = {
            "inputs": "datasets",
            "conditions": [],
            "defined": TRUE,
            "size": None,
            "compared": "not found",
        }
    return sealed(made)


def refuted_statement(left: Any, relation: Any, right: Any, unknowns: Any, values: Any) -> Record:
    claim = {"inequality": [left, relation, right], "parameters": unknowns, "name": ""}
    return sealed(
        {
            "format": 3,
            "verdict": "refuted",
            "claim": claim,
            "fingerprint": "",
            "counterexample": {"values": values},
            "mass": None,
            "made_by": dict(VERSIONS),
        }
    )


def law(
    inputs: Any,
    outputs: Any,
    density: Any,
    relation: str,
    level: Any = "0",
    delta: Any = "0",
    **more: Any,
) -> Any:
    mechanism = {
        "name": "m",
        "inputs": inputs,
        "parameters": [],
        "outputs": outputs,
        "density": density,
        "atoms": [],
        "defined": TRUE,
    }
    mechanism |= {key: more[key] for key in more if key != "public"}
    return {
        "mechanism": mechanism,
        "relation": relation,
        "level": level,
        "delta": delta,
        "public": more.get("public", []),
    }


BIT, ONE, REAL, WHOLE = (
    [["s", "finite", ["0", "1"]]],
    [["s", "finite", ["0"]]],
    [["s", "real", []]],
    [["s", "integer", []]],
)
PEOPLE = {"records": [["0", "1"], ["1", "1/2"]]}
SHY = {"records": [["0", "0"], ["1", ["oo"]]]}
ANSWERS = {"values": ["0", "1"]}
WORDS = {"values": [["label", "yes"], ["label", "no"]]}
EPS = ["name", "eps"]
PIECES = {"is": "pieces", "lemmas": [], "points": []}


def enumerated(claim: Any, size: Any = 2) -> Record:
    made = record(claim, [{"is": "enumeration", "size": size}], [])
    return made


def bit(zero: Any, one: Any) -> Any:
    return ["piecewise", zero, ["==", S, "0"], one, TRUE]


LABEL = ["label", "yes"]


# queries on vectors


def vectors(**changes: Any) -> Any:
    made = {"entries": N, "each": ["<=", "0", X], "parameters": [["n", TRUE]]}
    return made | changes


def moves(query: Any, bound: Any = "5", inputs: Any = None, name: Any = "") -> Any:
    inputs = vectors() if inputs is None else inputs
    return {"sensitivity": query, "bound": bound, "inputs": inputs, "name": name}


# composites

N_BIT = [["n", "finite", ["0", "1"]]]


def assumed(relation: str = "ahdp", level: Any = EPS, delta: Any = "0", **more: Any) -> Any:
    """A claim that is taken for granted."""
    mechanism = {
        "name": "a",
        "inputs": PEOPLE,
        "assumed": [relation, level, delta],
        "outputs": N_BIT,
    }
    return about(mechanism | {"parameters": []} | more, relation, level, delta)


def about(mechanism: Any, relation: str, level: Any = EPS, delta: Any = "0") -> Any:
    return {
        "mechanism": mechanism,
        "relation": relation,
        "level": level,
        "delta": delta,
        "public": [],
    }


def coin(**more: Any) -> Any:
    """A claim about a fair coin."""
    return law(PEOPLE, N_BIT, "1/2", "ahdp", **more)


def composite(name: str, parts: list[Any], formulas: Any = (), **more: Any) -> Any:
    made = {"rule": name, "parts": parts, "name": "c", "own": [], "domain": None, "released": []}
    return made | {"formulas": list(formulas)} | more


def proof(claim: Any) -> Any:
    """What shows an assumed claim, or one about a coin."""
    if "assumed" in claim["mechanism"]:
        return by_rule(claim, "assumed", [], 0)
    moves = {"ahdp": 4, "add-remove": 4, "swap": 2}.get(claim["relation"], 0)
    mass = {"is": "mass", "values": [], "evidence": [{"is": "pieces", "lemmas": [], "points": []}]}
    return record(claim, [CLOSED], [0] * moves, mass)["certificate"]


def by_rule(
    claim: Any, name: str, premises: list[Any], sides: int, stated: Any = None, version: Any = 1
) -> Any:
    made = {
        "is": "by rule",
        "claim": digest(claim),
        "rule": name,
        "version": version,
        "stated": stated,
    }
    return made | {"premises": premises, "evidence": [CLOSED] * sides}


def stated(relation: str, level: Any, delta: Any = "0") -> Any:
    return {"is": "stated", "relation": relation, "level": {"e": level}, "delta": {"e": delta}}


def proved(claim: Any, certificate: Any) -> Record:
    made = record(claim, [], [])
    return sealed({**made, "certificate": certificate})


BECOMES: tuple[tuple[Any, Any], ...] = (
    ({"records": [["0", "1"]]}, [X, EPS]),
    ({"records": [["0", "1"]]}, [X]),
    ({"records": [["0", "1"]]}, [["+", X, "5"], EPS]),
    ({"records": [["0", "1"]]}, [X, "3"]),
    ({"records": [["0", "1"]]}, [X, minus(EPS)]),
    ({"records": [["0", "1"]]}, [["^", X, "-1"], EPS]),
    ({"records": [["0", "1"]]}, [["oo"], EPS]),
    ({"records": [["0", "1/4"]]}, ["0", "1"]),
    ({"records": []}, [X, EPS]),
    ({"values": ["0", "1"]}, [X, EPS]),
    ({"unknowns": [["x", TRUE], ["eps", ["<=", "0", EPS]]], "parameters": []}, [X, EPS]),
    (None, [X, EPS]),
)


def points() -> Iterator[Record]:
    """A whole number that is 0, with points of probability 0 that it may not have."""
    zero = ["piecewise", "1", ["==", S, "0"], "0", TRUE]
    shown = {"is": "pieces", "lemmas": [], "points": [{"e": "0"}, {"e": "1"}]}
    mass = {"is": "mass", "values": [], "evidence": [shown, shown]}
    nothing = ["*", "0", ["name", "p"]], ["piecewise", "0", ["==", TRUE, TRUE], "0", TRUE], "0"
    for at, share in itertools.product(("1/2", "7", LABEL), nothing):
        for count in (2, 4):
            claim = law(ANSWERS, WHOLE, zero, "any", atoms=[[at, share]])
            evidence = [{**CLOSED, "form": "direct"}]
            yield record(claim, evidence, [0] * count, mass)


def factor(e: Any, power: int = 1, *points: str) -> Any:
    return [{"e": e}, power, [{"q": p} for p in points]]


def one_piece(count: int, *points: Any) -> Any:
    return {
        "is": "mass",
        "values": [],
        "evidence": [{"is": "pieces", "lemmas": [], "points": [{"e": p} for p in points]}] * count,
    }


V, DIGITS = ["name", "v"], [str(i) for i in range(6)]


# refutations


def refuted(claim: Any, example: Any, mass: Any = None) -> Record:
    return sealed(
        {
            "format": 3,
            "verdict": "refuted",
            "claim": claim,
            "fingerprint": "",
            "counterexample": example,
            "mass": mass,
            "made_by": dict(VERSIONS),
        }
    )


def example(
    before: Any,
    after: Any,
    points: Any = ((), ()),
    parameters: Any = (),
    instances: Any = (),
    **event: Any,
) -> Any:
    empty = {
        "intervals": [],
        "values": [],
        "outcomes": [],
        "atoms": [],
        "continuous": True,
        "without": [],
    }
    sides = {"first": [{"e": e} for e in before], "second": [{"e": e} for e in after]}
    rest = {
        "parameters": list(parameters),
        "instances": list(instances),
        "points": [list(p) for p in points],
    }
    return {**sides, **rest, "event": empty | event}


def compared(before: Any, after: Any, **given: Any) -> Any:
    """Two inputs that a claim compares."""
    pair = example(before, after, **given)
    same = {key: pair[key] for key in ("instances", "parameters")}
    return {"before": pair["first"], "after": pair["second"], **same}


def of_instance(kept: list[Any], inner: Any, size: Any = None) -> Any:
    pairs = [dict(zip(("claim", "certificate"), pair, strict=True)) for pair in kept]
    return {"instances": pairs, "size": size, "counterexample": inner}


GIVES_1 = {"outcomes": [[{"e": "1"}]]}


def interval(*named: Any) -> Any:
    return {"reals": list(named)}


STORED = Path(__file__).resolve().parent.parent / "proofs" / "public" / "certificates"


def stored(stem: str) -> Record:
    found: Record = json.loads((STORED / f"{stem}.json").read_text(encoding="utf-8"))
    return found


def root(*gaps: Any, power: str = "1/2") -> Any:
    return ["^", ["+", *(["^", g, "2"] for g in gaps)], power]


def gap(a: str, b: str) -> Any:
    return ["+", ["name", a], minus(["name", b])]
