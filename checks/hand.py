"""Records made by hand: each claims something false or meaningless, with evidence that would
suffice otherwise.

    python checks/hand.py > OUT.jsonl

For example, an inequality states that an expression without a value equals itself, which needs no
proof; or datasets of at most two records are enumerated, which needs no evidence either, for
densities that do not define a distribution.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from claims import claims
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


def statements() -> Iterator[Record]:
    for e in (*STRANGE, DEEP):
        for unknowns in ([["q", TRUE]], [["q", ["<", "0", Q]]]):
            yield statement(e, "==", e, unknowns)
        yield statement("0", "<=", e, [["q", TRUE]], gaps=1)
        yield statement("1", "==", "1", [["q", e]])
        yield statement("1", "==", "1", [["q", ["<=", e, "1"]]])
        yield refuted_statement("1", "<=", "0", [["q", TRUE]], [["q", {"e": e}]])
        yield refuted_statement(e, "<=", ["+", e, "-1"], [["q", TRUE]], [["q", {"e": "1"}]])
    for relation in ("<", "<=", "==", "!=", "=", ">", "", None):
        yield statement("1", relation, "1", [])
        yield statement("2", relation, "1", [], gaps=1)
        yield statement("1", relation, "2", [], gaps=1, form="direct")
        yield refuted_statement("1", relation, "1", [], [])
        yield refuted_statement("1", relation, "2", [], [])
    for unknowns in (
        [["q", TRUE], ["q", TRUE]],
        [["q[1]", TRUE]],
        [["q[2]", TRUE]],
        [["exp", TRUE]],
        [["@1", TRUE]],
        [["pi", TRUE]],
        [["eps", TRUE]],
        [["q", ["<", Q, ["name", "zz"]]]],
        [["q", ["label", "a"]]],
        [["q", ["==", Q, ["label", "a"]]]],
        [["q", ["<", COUNT, "1"]]],
        [["q"]],
        [[1, TRUE]],
        {},
        None,
    ):
        yield statement("1", "==", "1", unknowns)
    for values in (
        [],
        [["q", {"e": "1"}], ["q", {"e": "1"}]],
        [["r", {"e": "1"}]],
        [["q", {"e": "-1"}]],
        [["q", {"e": Q}]],
        [["q", {"e": ["label", "a"]}]],
        [["q", "1"]],
        None,
        {},
    ):
        yield refuted_statement(Q, "<=", "0", [["q", ["<=", "0", Q]]], values)
    yield {
        **sealed(
            {
                **refuted_statement("1", "<=", "0", [], []),
                "mass": {"counts": False, "mass": NO_MASS},
            }
        )
    }


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


# enumerations


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
COLOURS = {"records": [[["label", "yes"], "1"], [["label", "no"], "1/2"]]}
EPS = ["name", "eps"]
PIECES = {"is": "pieces", "lemmas": [], "points": []}


def enumerated(claim: Any, size: Any = 2) -> Record:
    made = record(claim, [{"is": "enumeration", "size": size}], [])
    return made


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


def bit(zero: Any, one: Any) -> Any:
    return ["piecewise", zero, ["==", S, "0"], one, TRUE]


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


# claims that would have a meaning except for one name, value, kind or comparison

LABEL = ["label", "yes"]
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


# queries on vectors: each is multiplied by 0, so that any bound needs no proof

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


def vectors(**changes: Any) -> Any:
    made = {"entries": N, "each": ["<=", "0", X], "parameters": [["n", TRUE]]}
    return made | changes


def moves(query: Any, bound: Any = "5", inputs: Any = None, name: Any = "") -> Any:
    inputs = vectors() if inputs is None else inputs
    return {"sensitivity": query, "bound": bound, "inputs": inputs, "name": name}


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
        for vectors in listed:
            yield refuted(claim, {"vectors": vectors, "there": there})
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
    for vectors in ([row], [row, row], [away, row], [away, other], [away, away], [row, row, row]):
        yield refuted(about_both, {"vectors": vectors, "there": there})
    for notion, order in (("zcdp", None), ("renyi", "2"), ("gdp", None)):
        bounds = law({"queries": 1}, BIT, density, "one", "1/100")
        said = {"notion": notion, "order": order, "bounds": bounds}
        claim = {"applied": said, "to": moves(entry("1"), "1")}
        for at in (None, "2", "0"):
            shown = {"order": at, "points": [], "counterexample": there}
            yield refuted(claim, {"vectors": [row], "there": shown})
        yield refuted(claim, {"vectors": [row], "there": there})


# composites, by rules whose side conditions need no proof

N_BIT = [["n", "finite", ["0", "1"]]]
N_READ = ["name", "n"]
SIDES = range(10)  # more side conditions than a rule has


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


def of_parts() -> Iterator[tuple[Any, str, list[Any]]]:
    """Claims about mixtures, samples and the like, most of them false."""
    low, leaky = assumed(), assumed("ahdp", EPS, "1/10")
    other = assumed(outputs=[["n", "finite", ["0", "2"]]])
    second = assumed(outputs=[["m", "finite", ["0", "1"]]], name="b")
    wide = assumed("swap", "1")
    late = coin(defined=["<=", "2", COUNT])
    early = coin(defined=["<=", COUNT, "2"])
    odd = coin(defined=["or", ["<=", COUNT, "1"], ["<=", "4", COUNT]])
    levels = (EPS, "0", ["*", "1/2", EPS], "5", ["oo"], minus(EPS), X)
    for level, delta in itertools.product(levels, ("0", "1/10", "-1/10")):
        for weights in (
            ["1/2", "1/2"],
            ["1/2", "1"],
            ["3/2", "-1/2"],
            ["1"],
            [X, ["+", "1", minus(X)]],
        ):
            for parts in ([low, coin()], [leaky, coin()], [low, other], [low, wide], [low]):
                yield (
                    about(composite("mixture", parts, weights), "ahdp", level, delta),
                    "mixture",
                    parts,
                )
        for keep in ("1/2", "2", "-1", "0", "1", X, minus(X), ["*", "2", X], EPS):
            for part in (low, leaky, wide, late, early, coin()):
                yield (
                    about(composite("subsample", [part], [keep]), "ahdp", level, delta),
                    "subsample",
                    [part],
                )
        for parts in ([low, second], [leaky, second], [low, low], [low, wide], [low, late], [low]):
            for name in ("compose", "product"):
                yield about(composite(name, parts), "ahdp", level, delta), name, parts
        for part in (low, leaky, wide, late, early, odd, coin()):
            for relation in ("pairs", "ahdp"):
                yield about(composite("group", [part]), relation, level, delta), "group", [part]
        for domain, formulas in BECOMES:
            for part in (low, leaky, wide):
                claim = about(
                    composite("pull_back", [part], formulas, domain=domain), "ahdp", level, delta
                )
                yield claim, "pull_back", [part]
        for score, down, up in SCORES:
            released = [["t", "finite", ["0", "1"]]]
            made = composite("normalised", [], [score, down, up], domain=PEOPLE, released=released)
            for relation in ("ahdp", "add-remove", "swap"):
                yield about(made, relation, level, delta), "normalised", []
        for released, formulas in RELEASED:
            made = composite("post_process", [low], formulas, released=released)
            yield about(made, "ahdp", level, delta), "post_process", [low]


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
SCORES: tuple[tuple[Any, Any, Any], ...] = (
    (["*", ["name", "t"], SUM], "0", X),
    (["*", ["name", "t"], SUM], "0", ["*", "1/4", X]),
    (["*", ["name", "t"], SUM], X, "0"),
    (["*", ["name", "t"], SUM], "0", ["oo"]),
    (["*", ["name", "t"], SUM], minus(["oo"]), X),
    (["maximum", X], "0", "0"),
    (["^", SUM, "2"], "0", X),
    (["^", SUM, "-1"], "0", X),
    (["label", "a"], "0", X),
    ("0", "0", "0"),
)
RELEASED: tuple[tuple[Any, Any], ...] = (
    ([["t", "finite", ["0", "1"]]], [["+", "1", minus(N)]]),
    ([["t", "finite", ["0", "1"]]], [["+", "2", N]]),
    ([["t", "finite", ["0", "1"]]], [["exp", N]]),
    ([["t", "integer", []]], [["*", "1/2", N]]),
    ([["t", "integer", []]], [N]),
    ([["t", "real", []]], [["^", N, "-1"]]),
    ([["t", "real", []]], [SUM]),
    ([["t", "real", []]], [["name", "zz"]]),
    ([["t", "real", []]], []),
    ([["n", "real", []], ["n", "real", []]], [N, N]),
    ([], []),
)


def meaningless_parts() -> Iterator[Record]:
    """Composites that would have a meaning except for one thing."""
    part, second = assumed(), assumed(outputs=[["m", "finite", ["0", "1"]]], name="b")
    sent = assumed("swap", "1")
    for made, relation, level, parts in (
        (composite("compose", [part], own=[["r", TRUE]]), "ahdp", EPS, [part]),
        ({**composite("compose", [part]), "name": ["c"]}, "ahdp", EPS, [part]),
        (composite("product", [part, second], own=[["r", TRUE]]), "ahdp", "2", [part, second]),
        (composite("subsample", [sent], ["1"]), "swap", "1", [sent]),
        (
            composite("subsample", [part], [["piecewise", "1", ["==", X, "7"], "1", TRUE]]),
            "ahdp",
            EPS,
            [part],
        ),
        (composite("mixture", [part], [TRUE]), "ahdp", EPS, [part]),
        (
            composite("mixture", [part], [["piecewise", "1", ["==", "1", LABEL], "1", TRUE]]),
            "ahdp",
            EPS,
            [part],
        ),
        (composite("pull_back", [part], [X, EPS], domain=ANSWERS), "any", "1", [part]),
        (released([["r", "integer", []]], [["name", "n"]]), "ahdp", EPS, [part]),
        (released([["n", "real", []]], [["name", "n"]]), "ahdp", EPS, [part]),
        (
            released(
                [["r", "real", []]], [["piecewise", "1", ["==", ["name", "n"], "7"], "1", TRUE]]
            ),
            "ahdp",
            EPS,
            [part],
        ),
    ):
        claim = about(made, relation, level)
        for sides in SIDES:
            yield proved(claim, by_rule(claim, made["rule"], [proof(p) for p in parts], sides))
    for given in (
        ["pairs", EPS, "0"],
        ["ahdp", LABEL, "0"],
        ["ahdp", TRUE, "0"],
        ["ahdp", EPS, LABEL],
    ):
        odd = about({**part["mechanism"], "assumed": given}, "ahdp", ["oo"], "1")
        for sides in (0, 1, 2):
            yield proved(odd, by_rule(odd, "assumed", [], sides))
    for c in (["==", N_READ, N_READ], ["or", TRUE, ["<", ["name", "r"], "1"]]):
        given = [["n", c], ["r", TRUE]]
        late = law(PEOPLE, [["m", "finite", ["0", "1"]]], "1/2", "ahdp", parameters=given)
        read = about(composite("compose", [part, late]), "ahdp")
        yield proved(read, by_rule(read, "compose", [proof(part), proof(late)], 0))
    asks = ["piecewise", "1/2", ["==", N_READ, "7"], "1/2", TRUE]
    late = law(PEOPLE, [["m", "finite", ["0", "1"]]], asks, "ahdp", parameters=[["n", TRUE]])
    read = about(composite("compose", [part, late]), "ahdp")
    for sides in SIDES:
        yield proved(read, by_rule(read, "compose", [proof(part), proof(late)], sides))


def released(outputs: list[Any], formulas: list[Any]) -> Any:
    return composite("post_process", [assumed()], formulas, released=outputs)


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


def composites() -> Iterator[Record]:
    for claim, name, parts in of_parts():
        for sides in SIDES if claim["level"] in (EPS, "0") else (4, 6):
            yield proved(claim, by_rule(claim, name, [proof(p) for p in parts], sides))
    for claim, name, premises, said in single():
        for sides in (0, 1, 2):
            yield proved(claim, by_rule(claim, name, premises, sides, said))


def single() -> Iterator[tuple[Any, str, list[Any], Any]]:
    """Claims about the same mechanism, from another one."""
    kinds = [
        assumed(r, level, d)
        for r in ("ahdp", "add-remove", "swap")
        for level in (EPS, "1")
        for d in ("0", "1/10")
    ]
    kinds += [
        coin(),
        coin(defined=["<=", COUNT, "2"]),
        coin(defined=["or", ["<=", COUNT, "1"], ["<=", "4", COUNT]]),
    ]
    kinds += [
        assumed(inputs=i)
        for i in (
            SHY,
            {"unknowns": [["x", TRUE], ["eps", ["<=", "0", EPS]]], "parameters": []},
            {"queries": 1},
        )
    ]
    for part in kinds:
        for relation in ("ahdp", "add-remove", "swap", "hdp", "pairs", "any"):
            for level, delta in itertools.product(
                (EPS, "0", "1", "2", ["*", "2", EPS]), ("0", "1/10", "-1/10")
            ):
                claim = about(part["mechanism"], relation, level, delta)
                said = stated(part["relation"], part["level"], part["delta"])
                for name in ("weaken", "to_swap", "to_ahdp"):
                    yield claim, name, [proof(part)], said
                yield claim, "to_swap", [proof(part)], None
                yield claim, "assumed", [], None
                yield claim, "assumed", [], said
                yield claim, "written_out", [proof(part)], None


# proofs that nothing is compared, of claims that compare something


def vacuous() -> Iterator[Record]:
    never = {**CLOSED, "form": "never"}
    for claim in (
        coin(),
        coin(defined=["<=", COUNT, "2"]),
        law(WORDS, ONE, "1", "any"),
        law({"queries": 1}, ONE, "1", "one"),
        law(SHY, ONE, "1", "ahdp"),
    ):
        for count in range(7):
            for evidence, uses in (
                ([never], [0] * count),
                ([CLOSED], [0] * count),
                ([], [0] * count),
                ([never] * count, list(range(count))),
                ([never], [1] * count),
            ):
                for counts in (False, True, None):
                    for number in range(7):
                        mass = {
                            "is": "mass",
                            "values": [],
                            "evidence": [{"is": "pieces", "lemmas": [], "points": []}]
                            * (2 if "values" in claim["mechanism"]["inputs"] else 1),
                        }
                        made = record(claim, [CLOSED], [0] * number, mass)
                        made["compared"] = {"counts": counts, "evidence": evidence, "uses": uses}
                        made["scope"]["compared"] = "nothing"
                        if number == 4 or count == 4:
                            yield sealed(made)


# solver words


def words() -> Iterator[Record]:
    for solvers in (
        ["cvc5 1.2.0", "z3 4.13.0"],
        ["z3 4.13.0", "z3 4.13.1"],
        ["z3 4.13.0"],
        ["cvc5 1.2.0", "z3 4.13.0", "z3 4.14.0"],
        ["alice", "bob"],
        [],
        ["z3 4.13.0", "cvc5 1.2.0"],
    ):
        for trusts in (
            solvers,
            [],
            ["somebody"],
            [1],
            "x",
            ["cvc5 1.2.0", "z3 4.13.0"],
            ["old.json (up to 1 records)"],
        ):
            claim = law(WORDS, BIT, RESPONSE_TREE, "any", ["log", "2"])
            mass = {
                "is": "mass",
                "values": [],
                "evidence": [{"is": "pieces", "lemmas": [], "points": []}] * 2,
            }
            for evidence in (
                [{"is": "solver word", "solvers": solvers}],
                [
                    {"is": "solver word", "solvers": solvers},
                    {"is": "solver word", "solvers": ["cvc5 1.0.0", "z3 4.0.0"]},
                ],
            ):
                for uses in ([0, 0], [0, len(evidence) - 1], [0] * 4, [0, len(evidence) - 1] * 2):
                    yield sealed({**record(claim, evidence, uses, mass), "trusts": trusts})
    for trusts in (
        ["old.json (up to 1 records)"],
        ["old.json (up to 2 records)"],
        ["old.json (up to 3 records)"],
        ["a", "b"],
        ["somebody"],
        [1],
        "x",
    ):
        yield sealed({**enumerated(law(PEOPLE, ONE, "1", "ahdp")), "trusts": trusts})


RESPONSE_TREE = [
    "piecewise",
    bit("1/3", "2/3"),
    ["==", V, ["label", "yes"]],
    bit("2/3", "1/3"),
    TRUE,
]


# proofs by signs of sums of exponentials


def exp_signs() -> Iterator[Record]:
    """Statements about one unknown, with factors and intervals that do not show them."""
    product = ["*", Q, ["+", "1", minus(Q)]]
    gaps = (
        product,
        minus(product),
        Q,
        "1",
        "0",
        ["^", Q, "-1"],
        ["exp", Q],
        ["+", ["exp", Q], "-1"],
        ["*", Q, ["name", "r"]],
        ["^", Q, "2"],
    )
    bounds = (
        ["and", ["<", "0", Q], ["<", Q, "1"]],
        ["and", ["<=", "0", Q], ["<=", Q, "1"]],
        ["<", "0", Q],
        ["==", Q, "1/2"],
        ["<", Q, "1"],
        ["and", ["<", "0", ["^", Q, "2"]], ["<", Q, "1"]],
        ["and", ["<", "1", Q], ["<", Q, "0"]],
        TRUE,
        ["and", ["<", "0", ["+", Q, ["name", "r"]]], ["<", Q, "1"]],
    )
    q, one_less = factor(Q), factor(["+", "1", minus(Q)])
    factors = (
        [q, one_less],
        [q, factor(["+", Q, "-1"])],
        [factor(minus(Q)), factor(["+", Q, "-1"])],
        [q],
        [],
        [factor(product)],
        [factor(Q, 2)],
        [factor(Q, 0)],
        [factor(Q, -1)],
        [factor(Q, 65)],
        [factor(Q, 1, "1/2"), factor(["+", "1", minus(Q)], 1, "1/2")],
        [factor(product, 1, "1/3", "2/3")],
        [factor(product, 1, "2/3", "1/3")],
        [factor(product, 1, "2")],
        [factor(product, 1, "-1")],
        [factor(["^", Q, "-1"])],
        [factor("0")],
        [factor(["exp", Q])],
        [factor(["+", ["exp", Q], "-1"])],
        [factor(["+", ["exp", Q], "-1"], 1, "1/2")],
        [factor("-1"), factor(minus(product))],
        [factor(["name", "r"])],
        [factor(["+", ["*", Q, ["exp", Q]], "-1"])],
        [factor(["log", Q])],
    )
    for gap, bound, listed in itertools.product(gaps, bounds, factors):
        for low, high, strict in (
            (0, 1, False),
            (0, 1, True),
            (0, None, False),
            (1, 0, False),
            (0, 0, False),
            (7, None, False),
        ):
            unknowns = [
                ["q", bound],
                *([["r", TRUE]] if "r" in json.dumps([gap, bound, listed]) else []),
            ]
            made = statement("0", "<" if strict else "<=", gap, unknowns, gaps=1, form="direct")
            made["certificate"]["evidence"][0]["proofs"] = [
                {"is": "exp sign", "low": low, "high": high, "factors": listed}
            ]
            yield sealed(made)


def factor(e: Any, power: int = 1, *points: str) -> Any:
    return [{"e": e}, power, [{"q": p} for p in points]]


# evidence that belongs elsewhere


def misplaced_pieces() -> Iterator[Record]:
    """Pieces of evidence where another kind belongs."""
    pieces = {"is": "pieces", "lemmas": [], "points": []}
    word = {"is": "solver word", "solvers": ["cvc5 1.2.0", "z3 4.13.0"]}
    others = (
        pieces,
        word,
        {"is": "enumeration", "size": 2},
        {"is": "divergence", "lemmas": [], "points": [], "choices": [], "final": CLOSED},
        {**CLOSED, "form": "odd"},
        {**CLOSED, "form": "never"},
        {**CLOSED, "proofs": [[], []]},
        {"is": "separate", "lemmas": [], "form": "log", "levels": [], "leaves": [], "proofs": []},
        {"is": "case split", "lemmas": [], "cases": []},
        NO_MASS,
    )
    trusting = [
        statement("1", "<", "2", [], gaps=1),
        statement("1", "<=", "2", [], gaps=1),
        statement("2", "<", "1", [], gaps=1),
        record(coin(), [CLOSED], [0] * 4, one_piece(1)),
        proved(assumed(), proof(assumed())),
        proved(
            about(composite("group", [assumed()]), "pairs"),
            by_rule(
                about(composite("group", [assumed()]), "pairs"), "group", [proof(assumed())], 0
            ),
        ),
        enumerated(coin()),
    ]
    for made in trusting:
        yield unfitting(made)
        kind = made["certificate"]["is"]
        for other in (
            NO_MASS,
            proof(assumed()),
            proof(coin()),
            record(coin(), [{"is": "enumeration", "size": 3}], [])["certificate"],
            {
                "is": "optimum",
                "claim": "",
                "lemmas": [],
                "numbers": [],
                "kernel": [],
                "rest": [],
                "prior": [],
                "prices": [],
                "flows": [],
            },
        ):
            yield sealed({**made, "certificate": dict(other)})
        if kind == "certificate":
            for other in others:
                yield sealed(
                    {
                        **made,
                        "certificate": {
                            **made["certificate"],
                            "evidence": [other] * len(made["certificate"]["evidence"]),
                        },
                    }
                )
            for change in (
                {"counts": True},
                {"counts": 1},
                {"conditions": [{"e": "1"}]},
                {"conditions": [{"e": "-1"}]},
                {"conditions": [{"e": X}]},
                {"mass": one_piece(1)},
                {"mass": {**NO_MASS, "values": [{"e": "1"}]}},
                {"uses": []},
                {"uses": [5] * 4},
                {"uses": [-1] * 4},
                {"uses": [True] * 4},
                {"evidence": []},
            ):
                yield sealed({**made, "certificate": {**made["certificate"], **change}})


def misplaced_proofs() -> Iterator[Record]:
    """Proofs of parts where others belong."""
    inner = proof(assumed())
    claim = about(composite("group", [coin()]), "pairs", "0")
    for premise in (
        record(coin(), [{"is": "enumeration", "size": 2}], [])["certificate"],
        inner,
        {**proof(coin()), "claim": "0" * 64},
        by_rule(coin(), "written_out", [proof(coin())], 0),
    ):
        yield proved(claim, by_rule(claim, "group", [premise], 0))
        yield proved(claim, {**by_rule(claim, "group", [premise], 0), "version": 2})
        yield proved(
            claim, {**by_rule(claim, "group", [premise], 0), "stated": stated("ahdp", "0")}
        )
        yield proved(claim, by_rule(claim, "written_out", [premise], 0))
        yield proved(coin(), by_rule(coin(), "written_out", [premise], 1))


def misplaced() -> Iterator[Record]:
    """Evidence that stands where it does not belong."""
    yield from misplaced_pieces()
    yield from misplaced_proofs()


def one_piece(count: int, *points: Any) -> Any:
    return {
        "is": "mass",
        "values": [],
        "evidence": [{"is": "pieces", "lemmas": [], "points": [{"e": p} for p in points]}] * count,
    }


def unfitting(made: Record) -> Record:
    """The record with a certificate of another claim."""
    changed = {**made, "certificate": {**made["certificate"], "claim": "0" * 64}}
    return {**changed, "sha256": digest({k: v for k, v in changed.items() if k != "sha256"})}


# a few values that stand for all, where they do not


V, DIGITS = ["name", "v"], [str(i) for i in range(6)]
THREE = ["0", "2", "1"]
MERGED: tuple[tuple[Any, Any, Any, list[Any], list[Any], Any], ...] = (
    # inputs, outputs, where the output tells the value, the inputs kept, the outputs kept, how many
    # the last of these stands for
    (DIGITS, DIGITS, ["<=", "3", V], DIGITS[:2], DIGITS[:3], "4"),
    (DIGITS, DIGITS, ["==", V, ["abs", "3"]], DIGITS[:2], DIGITS[:3], "4"),
    (["0", "2", "3", "4", ["exp", "0"]], THREE, ["==", V, "1"], ["0", "2", "3", "4"], THREE, "1"),
    (
        [["vector", i] for i in DIGITS],
        DIGITS,
        ["<=", "3", ["name", "v[1]"]],
        [["vector", "0"], ["vector", "1"]],
        DIGITS[:1],
        "6",
    ),
)


def of_few_values(
    inputs: Any, outputs: Any, told: Any, kept: Any, shown: Any, many: Any
) -> Iterator[Record]:
    """Records that conclude from the inputs kept, at which the output is uniform, to all inputs, at
    some of which it tells the value.
    """
    value = ["name", "v[1]"] if isinstance(kept[0], list) else V
    tells = ["piecewise", "1", ["==", S, value], "0", TRUE]
    even = ["piecewise", tells, told, f"1/{len(outputs)}", TRUE]
    claim = law({"values": inputs}, [["s", "finite", outputs]], even, "any")
    more = ["piecewise", ["*", many, even], ["==", S, shown[-1]], even, TRUE]
    fewer = law({"values": kept}, [["s", "finite", shown]], even if many == "1" else more, "any")
    uses = [0] * (len(kept) * (len(kept) - 1) * len(shown))
    held = record(fewer, [CLOSED], uses, one_piece(len(kept)))["certificate"]
    for version, said, sides in (
        (1, None, 0),
        (2, None, 0),
        (1, stated("any", "0"), 0),
        (1, None, 1),
    ):
        yield proved(claim, by_rule(claim, "interchangeable", [held], sides, said, version))
    inner = by_rule(fewer, "interchangeable", [held], 0)
    listed = record(fewer, [{"is": "enumeration", "size": 2}], [])["certificate"]
    for premises in ([], [inner], [listed], [held, held]):
        yield proved(claim, by_rule(claim, "interchangeable", premises, 0))


def interchanged() -> Iterator[Record]:
    """Claims by the rule of interchangeable values that it does not give."""
    for row in MERGED:
        yield from of_few_values(*row)
    for claim in (
        coin(),
        assumed(),
        law(WORDS, BIT, "1/2", "any"),
        law({"queries": 1}, BIT, "1/2", "one"),
        law(WORDS, [*BIT, ["r", "finite", ["0", "1"]]], "1/4", "any"),
        law(WORDS, BIT, "1/2", "any", defined=["==", V, ["label", "yes"]]),
        law(WORDS, [["s", "real", []]], "1", "any", atoms=[["0", "1"]]),
    ):
        yield proved(claim, by_rule(claim, "interchangeable", [proof(coin())], 0))


L = ["name", "L"]


def between(low: Any, high: Any) -> Any:
    """What the premise assumes of an open level."""
    return ["and", ["<=", low, L], ["<=", L, high]]


# what is assumed of an open level, what is claimed of it, and the level concluded
OPENED: tuple[tuple[Any, Any, Any, dict[str, Any]], ...] = (
    (between("0", "1"), "0", "2", {}),
    (between("0", "1"), "0", "1/2", {"relation": "ahdp"}),
    (between("0", "1"), "1/2", "1/2", {"delta": "1/4"}),
    (between("0", "1"), "1/2", "1/2", {"delta": "1/4", "sides": 1}),
    (between("0", "1"), ["*", "1/2", L], "1/2", {"delta": "1/8", "sides": 1}),
    (["<=", L, L], "1", ["name", "e"], {"parameters": [["e", TRUE]]}),
    (["<=", ["+", L, Q], ["+", L, Q]], "0", "1", {}),
    (["<=", "0", "1"], "0", "1", {}),
    (["or", ["<=", "0", "1"], ["<=", "0", L]], "1", ["^", "0", "-1"], {}),
    (["or", ["<=", "0", "1"], ["<=", "0", L]], "1", ["oo"], {}),
    (["<=", "0", S], "0", "1", {"opened": "s"}),
    (between("0", "1"), "0", "1", {"version": 2}),
    (between("0", "1"), "0", "1", {"premises": 0}),
    (between("0", "1"), "0", "1", {"premises": 2}),
    (between("0", "1"), "0", "1", {"sides": 1}),
    (between("0", "1"), "0", "1", {"stated": None}),
    (between("0", "1"), "0", "1", {"evidence": [{"is": "enumeration", "size": 2}], "uses": []}),
    (
        between("0", "1"),
        "0",
        "1",
        {"evidence": [{"is": "solver word", "solvers": ["cvc5", "z3"]}]},
    ),
)


def of_open_level(
    inputs: Any, relation: str, condition: Any, slack: Any, level: Any, more: Any
) -> Record:
    """A conclusion from a claim about a coin whose level is a parameter."""
    delta, opened = more.get("delta", slack), more.get("opened", "L")
    own = more.get("parameters", [])
    claim = law(inputs, BIT, "1/2", relation, level, delta, parameters=own)
    wider = [*own, [opened, condition]]
    kept = more.get("relation", relation)
    every = law(inputs, BIT, "1/2", kept, ["name", opened], slack, parameters=wider)
    part = {"is": "choice", "counts": "whole" if slack == "1" else "none", "why": CLOSED}
    leaf = {"is": "divergence", "lemmas": [], "points": [], "choices": [part, part]}
    shown = [CLOSED] if slack == "0" else [{**leaf, "final": CLOSED}]
    uses = [0] * (4 if slack == "0" else 2)
    states = 2 if "values" in inputs else 1
    evidence = more.get("evidence", shown)
    held = record(every, evidence, more.get("uses", uses), one_piece(states))["certificate"]
    said = more.get("stated", stated(kept, condition, slack))
    premises = [held] * more.get("premises", 1)
    sides, version = more.get("sides", 0), more.get("version", 1)
    return proved(claim, by_rule(claim, "open_level", premises, sides, said, version))


def open_levels() -> Iterator[Record]:
    """Levels that are none of those of the premise, or that the premise does not say enough of."""
    for inputs, relation in ((ANSWERS, "any"), (PEOPLE, "add-remove")):
        for condition, slack, level, more in OPENED:
            yield of_open_level(inputs, relation, condition, slack, level, more)
    said = stated("ahdp", ["<=", "0", L])
    yield proved(assumed(), by_rule(assumed(), "open_level", [proof(coin())], 0, said))


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
    """Boxes on which one law of a distance is large against another one, most of them wrongly so."""
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


# events on what formulas release

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


# what an earlier output may do, and other corners


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


GIVES_1 = {"outcomes": [[{"e": "1"}]]}


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


# values of an interval

UNIT = ["and", ["<=", "0", V], ["<=", V, "1"]]
OTHER = ["name", "other"]
LIKELY_BIT = ["*", "1/3", bit(["+", "2", minus(V)], ["+", "1", V])]


def interval(*named: Any) -> Any:
    return {"reals": list(named)}


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


# divergences over several outputs, sums of discrete Gaussians, deltas of each record

STORED = Path(__file__).resolve().parent.parent / "proofs" / "public" / "certificates"
SLICED = ("coin-and-laplace-noise-delta-1", "two-laplace-noises-delta-1")
SLANTED = ("coin-and-laplace-noise-delta-2", "two-laplace-noises-delta-2")
K, WHOLE_K, LATER = ["name", "k"], [["k", "integer", []]], {"e": ["name", "t"]}


def stored(stem: str) -> Record:
    found: Record = json.loads((STORED / f"{stem}.json").read_text(encoding="utf-8"))
    return found


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


# notions


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


# signs on regions


def poles() -> Iterator[Record]:
    """atan jumps where x = y, outside the facts but inside the box: -atan(1/(x - y)) is < 0."""
    x, y = ["name", "x"], ["name", "y"]
    step = ["+", x, minus(y)]
    unknowns = [
        ["x", ["and", ["<=", "0", x], ["<=", x, "1/100"]]],
        ["y", ["and", ["and", ["<=", "1/250", y], ["<=", y, "1/125"]], ["<", y, x]]],
    ]
    claim = {
        "inequality": ["0", "<=", minus(["atan", ["^", step, "-1"]])],
        "parameters": unknowns,
        "name": "",
    }
    lemma = {"is": "lemma", "kind": "square", "arguments": [{"e": step}], "relation": ">="}
    for pieces, lemmas in itertools.product((1, 20), ([], [{**lemma, "proofs": []}])):
        proof = {"is": "box cover", "pieces": pieces}
        shown = {**CLOSED, "form": "direct", "lemmas": lemmas, "proofs": [proof]}
        yield record(claim, [shown], [0])


def summed_over_records() -> Iterator[Record]:
    """Sums over a universal domain of what is largest inside an interval, or of no unknown."""
    unit = ["and", ["<=", "0", X], ["<=", X, "1"]]
    universal = {"unknowns": [["x", unit], ["eps", ["<=", "0", EPS]]], "parameters": []}
    hill = ["sum", ["*", X, ["+", "1", minus(X)]]]
    for far in (hill, ["+", hill, COUNT], ["+", hill, SUM]):
        noisy = ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(far)]])]]
        claim = law(universal, REAL, noisy, "ahdp", ["*", "1/2", X])
        for uses, points in itertools.product((2, 4), (["name", "@1"], far)):
            made = record(claim, [CLOSED], [0] * uses, one_piece(1, points))
            yield sealed({**made, "certificate": {**made["certificate"], "counts": True}})


def of_no_length() -> Iterator[Record]:
    """A density 1/h from 0 to h is none at h = 0; that |h - s| + s > 0 inside does not show h > 0."""
    h, bump = ["name", "h"], ["+", ["^", ["+", S, "-1/7"], "2"], "1"]
    long = ["+", ["abs", ["+", h, minus(S)]], S]
    one = ["*", ["^", bump, "-1"], ["+", ["^", ["+", S, "-1/7"], "2"], ["*", "0", S], "1"]]
    inside = ["and", ["<", "0", S], ["<", S, h]]
    density = ["piecewise", ["*", one, ["^", long, "-1"]], inside, "0", TRUE]
    for condition in (["<=", "0", h], TRUE):
        claim = law({"queries": 1}, REAL, density, "one", "0", "1", parameters=[["h", condition]])
        points = [{"e": "0"}, {"e": h}]
        whole = {"is": "choice", "counts": "whole", "why": CLOSED}
        leaf = {"is": "divergence", "lemmas": [], "points": points, "choices": [whole] * 3}
        shown = {**leaf, "final": {**CLOSED, "form": "direct"}}
        yield record(claim, [shown], [0, 0], one_piece(1, "0", h))


def without_value() -> Iterator[Record]:
    """Sums over records that have no value at a record of level oo, of which nothing is asked."""
    near = ["+", "2", minus(X)]
    at = ["+", ["name", "@1"], minus(S)]
    more = ["+", at, "1"]
    for inner in (
        ["+", X, ["*", "0", ["^", near, "-1"]]],
        ["+", X, ["*", "0", ["log", near]]],
        ["*", X, ["piecewise", "1", ["==", X, "1"], "0", ["boolean", False]]],
    ):
        noisy = ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(["sum", inner])]])]]
        claim = law({"records": [["1", "1"], ["2", ["oo"]]]}, REAL, noisy, "ahdp", EPS)
        for fact in (0, 1):
            shown = []
            for pair in ((at, more), (more, at)):
                lemma = {"is": "lemma", "kind": "triangle", "arguments": [{"e": e} for e in pair]}
                proof = {"is": "products", "terms": [[{"q": "1"}, [fact]]]}
                lemmas = [{**lemma, "relation": ">=", "proofs": []}]
                shown.append({**CLOSED, "lemmas": lemmas, "proofs": [proof, None]})
            yield record(claim, shown, [0, 1], one_piece(1, ["name", "@1"]))


# several finite outputs


def negative_factors() -> Iterator[Record]:
    """Laws of two bits, each with a factor below 0: then what bounds the factors bounds no product,
    and level 0 is claimed where the loss is log(36/25).
    """
    pair = [["a", "finite", ["0", "1"]], ["b", "finite", ["0", "1"]]]
    a, b = ["name", "a"], ["name", "b"]
    x, y, z = (["name", f"v[{i}]"] for i in (1, 2, 3))

    def on_bits(one: Any, other: Any, put: Any) -> Any:
        values = {"values": [["vector", *one], ["vector", *other]]}
        return law(values, pair, ["*", put(a), put(b)], "any")

    def slope(bit_: Any) -> Any:
        return ["+", "1", ["*", z, ["^", bit_, "2"]]]

    direct = {**CLOSED, "form": "direct"}
    rest = {"is": "separate", "lemmas": [], "form": "log", "leaves": [direct] * 4, "proofs": []}
    shown = [{**rest, "levels": [{"e": ["log", e]}] * 2} for e in ("5/6", "9/10")]
    # in a state, a factor that is a sum or a power turns into a product with one that is < 0
    summed = [("-1/3", "0", "1"), ("-2/5", "0", "1/2"), lambda e: ["+", ["*", x, slope(e)], y]]
    divided = [("-3/2", "-1", "1"), ("-5/3", "-1", "1/2"), lambda e: ["^", ["*", x, slope(e)], y]]
    for made, power, at_zero, sums in (
        (summed, "1", ("1/3", "2/5"), ("3", "5/2")),
        (divided, "-1", ("2/3", "3/5"), ("3/2", "5/3")),
    ):
        bumps = [["+", "1", ["*", c, ["^", a, "2"]]] for c in ("1", "1/2")]
        left = [["*", c, ["^", e, power]] for c, e in zip(at_zero, bumps, strict=True)]
        for values in ([], [e for e in sums for _ in pair], ["1", left[0], "1", left[1]]):
            mass = {**one_piece(len(values) or 2), "values": [{"e": e} for e in values]}
            yield record(on_bits(*made), shown, [0, 1], mass)


def coupled_outputs() -> Iterator[Record]:
    """An event of one of two bits with a formula that has a finite sum over all whole numbers too."""
    pair = [["a", "finite", ["0", "1"]], ["b", "finite", ["0", "1"]]]
    sizes = [["abs", ["name", n]] for n in ("a", "b")]
    rest = ["+", ["^", "1/2", sizes[1]], ["*", sizes[0], ["^", "1/3", sizes[1]]]]
    told = ["*", "12/35", ["^", "1/2", sizes[0]], rest]
    claim = law(ANSWERS, pair, ["piecewise", told, ["==", V, "0"], "1/4", TRUE], "any", "1")
    zeros = [["a", [{"e": "0"}]], ["b", [{"e": "0"}]]]
    for points in ([zeros, []], [[], []], [zeros, zeros]):
        for value in ("0", "1"):
            yield refuted(claim, example(["0"], ["1"], points, values=[["a", [{"e": value}]]]))


# noise of a distance


def root(*gaps: Any, power: str = "1/2") -> Any:
    return ["^", ["+", *(["^", g, "2"] for g in gaps)], power]


def gap(a: str, b: str) -> Any:
    return ["+", ["name", a], minus(["name", b])]


def noise(factor: Any, *exponent: Any) -> Any:
    return ["*", factor, ["exp", ["*", *exponent]]]


def of_distances() -> Iterator[Record]:
    """Densities that are not quite those of a distance, and levels that do not bound it."""
    one, two = gap("a", "v[1]"), gap("b", "v[2]")
    far = root(gap("v[1]", "other[1]"), gap("v[2]", "other[2]"))
    plane = interval(["v[1]", TRUE], ["v[2]", TRUE])
    c = ["*", "4", ["^", ["*", "2", ["pi"]], "-1"]]
    wide = ["+", "1", ["^", ["name", "v[1]"], "2"]]
    densities = (
        noise(c, "-2", root(one, two)),
        noise(c, "2", root(one, two)),
        noise("1", "-2", root(one, two)),
        noise(c, "-2", root(one, two, power="1/4")),
        noise(c, "-2", root(["*", "2", one], two)),
        noise(c, "-2", root(one, two, "1")),
        noise(c, "-2", root(one, gap("b", "a"))),
        noise(c, "-2", root(one, gap("a", "v[2]"))),
        noise(["*", c, wide, wide], "-2", wide, root(one, two)),
        noise(["*", c, ["name", "a"]], "-2", root(one, two)),
        ["+", noise(c, "-2", root(one, two)), "0"],
    )
    levels = (
        ["*", "2", far],
        ["*", "-2", far],
        ["*", "199/100", far],
        ["*", "2", far, far],
        ["*", "2", gap("v[1]", "other[1]")],
        "100",
        ["*", "100", far],
        ["*", "2", wide, far],
    )
    kinds = ([["a", "real", []], ["b", "real", []]], [["a", "real", []], ["b", "integer", []]])
    shown = {"is": "closed", "lemmas": [], "form": "radial", "proofs": []}
    for density, level, outputs in itertools.product(densities, levels, kinds):
        claim = law(plane, outputs, density, "any", level)
        for number in (0, 2):
            yield record(claim, [{**shown, "proofs": [None] * number}], [0], one_piece(1))
        yield record(claim, [shown], [0], {**one_piece(1), "evidence": [CLOSED]})
        square = {"is": "lemma", "kind": "square", "arguments": [{"e": ["name", "a"]}]}
        told = {**PIECES, "lemmas": [{**square, "relation": ">=", "proofs": []}]}
        yield record(claim, [shown], [0], {**one_piece(1), "evidence": [told]})
    for outputs in (kinds[0][:1], [[n, "real", []] for n in "abcd"]):
        spoken = [["name", n] for n, _, _ in outputs]
        claim = law(plane, outputs, noise(c, "-2", root(*spoken)), "any", "1")
        yield record(claim, [shown], [0], one_piece(1))


def parabolas() -> Iterator[Record]:
    """Laws of total 1 between 0 and 1 that are negative at an end, or in the middle."""
    for least in ("-1/5", "31/10"):
        bend = str(6 * (1 - Fraction(least)))
        inside = ["+", least, ["*", bend, S], minus(["*", bend, ["^", S, "2"]])]
        density = ["piecewise", inside, ["and", ["<=", "0", S], ["<=", S, "1"]], "0", TRUE]
        shown = {**CLOSED, "form": "direct"}
        for guard in (["+", "1", minus(S)], S):
            cases = [[">=", shown], ["<", {**CLOSED, "form": "direct"}]]
            shown = {"is": "case split", "lemmas": [], "guard": {"e": guard}, "cases": cases}
        yield record(law(ANSWERS, REAL, density, "any"), [shown], [0, 0], one_piece(2, "0", "1"))


def of_strips() -> Iterator[Record]:
    """In each case a distance from one point, but of no point in all: the total is about 1.16."""
    a, b = ["name", "a"], ["name", "b"]
    parts = {n: ["+", ["mod", ["name", n], "1"], "-7/10"] for n in "ab"}

    def at(n: str) -> Any:
        return minus(["piecewise", "1/4", ["<", "0", parts[n]], "0", TRUE])

    distance = root(["+", a, at("b")], ["+", b, at("a")])
    density = noise(["*", "50", ["^", ["pi"], "-1"]], "-10", distance)
    leaf = {"is": "pieces", "lemmas": [], "points": []}
    for n in "ab":
        cases = [[">", leaf], ["<=", leaf]]
        leaf = {"is": "case split", "lemmas": [], "guard": {"e": parts[n]}, "cases": cases}
    mass = {"is": "mass", "values": [], "evidence": [leaf]}
    outputs = [["a", "real", []], ["b", "real", []]]
    claim = law(
        interval(["v", TRUE]), outputs, density, "any", ["oo"]
    )  # so the total is all it needs
    yield record(claim, [], [], mass)


def main() -> None:
    kinds = (
        statements(),
        enumerations(),
        meanings(),
        meaningless_parts(),
        points(),
        composites(),
        vacuous(),
        words(),
        exp_signs(),
        misplaced(),
        interchanged(),
        open_levels(),
        refutations(),
        images(),
        corners(),
        of_instances(),
        of_intervals(),
        of_distances(),
        of_strips(),
        levels_of_one_way(),
        poles(),
        of_no_length(),
        without_value(),
        negative_factors(),
        coupled_outputs(),
        summed_over_records(),
        wrong_slices(),
        wrong_slants(),
        gaussian_sums(),
        own_deltas(),
        queries(),
        parabolas(),
    )
    for made in itertools.chain(*kinds):
        print(json.dumps(made, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    main()
