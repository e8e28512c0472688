"""Forged evidence: signs of sums of exponentials, what belongs elsewhere, and values or levels that
stand for others.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from forge import Record, digest, sealed
from hand_parts import (
    ANSWERS,
    BIT,
    CLOSED,
    DIGITS,
    NO_MASS,
    PEOPLE,
    TRUE,
    WORDS,
    Q,
    S,
    V,
    X,
    about,
    assumed,
    by_rule,
    coin,
    composite,
    enumerated,
    factor,
    law,
    minus,
    one_piece,
    proof,
    proved,
    record,
    stated,
    statement,
)


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


def unfitting(made: Record) -> Record:
    """The record with a certificate of another claim."""
    changed = {**made, "certificate": {**made["certificate"], "claim": "0" * 64}}
    return {**changed, "sha256": digest({k: v for k, v in changed.items() if k != "sha256"})}


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
