"""What records that are built to reach one check each are made of, and those about evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from forge import Record, sealed
from hand_parts import (
    ANSWERS,
    BIT,
    CLOSED,
    COUNT,
    EPS,
    PEOPLE,
    TRUE,
    WORDS,
    S,
    V,
    X,
    bit,
    coin,
    enumerated,
    law,
    minus,
    one_piece,
    record,
    statement,
)

WORD = {"is": "solver word", "solvers": ["cvc5 1.2.0", "z3 4.13.0"]}
PIECES = {"is": "pieces", "lemmas": [], "points": []}
NEVER = {**CLOSED, "form": "never"}
REPLY = ["piecewise", bit("1/3", "2/3"), ["==", V, "0"], bit("2/3", "1/3"), TRUE]
EVERYONE = {
    "unknowns": [["x", TRUE], ["eps", ["<=", "0", EPS]]],
    "parameters": [],
}
LARGEST = ["maximum", X]


def piece(*points: Any, lemmas: Any = ()) -> Any:
    return {"is": "pieces", "lemmas": list(lemmas), "points": [{"e": p} for p in points]}


def mass(evidence: list[Any], *values: Any) -> Any:
    return {"is": "mass", "values": [{"e": v} for v in values], "evidence": evidence}


def laplace(output: Any, centre: Any = "0") -> Any:
    return ["exp", minus(["abs", ["+", output, minus(centre)]])]


# evidence of a claim


def evidence() -> Iterator[Record]:
    strict = statement("1", "<", "2", [], gaps=1, form="direct")
    yield changed(strict, evidence=[{**CLOSED, "form": "direct", "proofs": [None, None]}])
    yield changed(statement("1", "<=", "2", [], gaps=1), counts=True)
    for more in (
        {"uses": [0]},
        {"conditions": [{"e": "1"}]},
        {"mass": one_piece(1)},
        {"counts": True},
    ):
        yield changed(enumerated(coin()), **more)
    # a law of total 2, in an enumeration with a mass that claims to be shown
    yield changed(enumerated(law(PEOPLE, BIT, "1", "ahdp")), mass=one_piece(1))
    for relation in ("swap", "ahdp"):
        for delta in ("0", "1/10"):
            claim = law(PEOPLE, BIT, "1/2", relation, "0", delta)
            yield changed(
                record(claim, [CLOSED], [0] * 4, one_piece(1)),
                conditions=[{"e": "1"}],
                uses=[0] * 4,
            )
    biggest = law(
        PEOPLE,
        BIT,
        bit(["*", "1/2", LARGEST], ["+", "1", minus(["*", "1/2", LARGEST])]),
        "ahdp",
        "5",
        defined=["and", ["<=", "1", COUNT], ["<=", LARGEST, "5"]],
    )
    yield record(biggest, [CLOSED], [0] * 8, one_piece(1))
    yield enumerated(biggest)
    two = [["s", "real", []], ["r", "real", []]]
    both = ["*", "1/4", ["exp", minus(["+", ["abs", S], ["abs", ["name", "r"]]])]]
    claim = law(PEOPLE, two, both, "ahdp", "0")
    for pieces, values in (
        ([piece("0"), piece("0")], ("2", "2")),
        ([piece("0"), piece("0")], ("2", ["+", "2", S, minus(S)])),
        ([CLOSED, piece("0")], ("2", "2")),
        ([piece("0"), CLOSED], ("2", "2")),
        ([piece("0"), piece("0")], ("2", "1")),
    ):
        yield record(claim, [CLOSED], [0] * 4, mass(pieces, *values))
        yield record(
            {**claim, "delta": "1/10"}, [divergence(["none"])], [0] * 2, mass(pieces, *values)
        )
    false = law(WORDS, BIT, REPLY_OF_WORDS, "any", "0")
    for solvers in ([], ["cvc5 1.2.0", "z3 4.13.0"]):
        word = {**WORD, "solvers": solvers}
        for uses in ([0, 1, 1, 0], [1, 0, 0, 1]):  # the word stands where the inequality is false
            yield record(false, [CLOSED, word], uses, one_piece(2))
    slack = law(ANSWERS, BIT, REPLY, "any", "0", "1/4")
    for shown in (
        CLOSED,
        divergence(["excess", "none"]),
        divergence(["none", "excess"]),
        divergence(["whole", "whole"]),
        divergence(["whole", "whole", "whole"]),
        divergence(["excess", "none", "none"]),
        divergence(["whole"]),
    ):
        for delta in ("1/4", "1"):
            yield record({**slack, "delta": delta}, [shown], [0, 0], one_piece(2))
    loose = law(ANSWERS, BIT, REPLY, "any", "0", "1")
    yield record(loose, [divergence(["whole", "whole"])], [0, 0], one_piece(2))


# constants whose difference is 0, where nothing shows it
ROOT = ["^", ["+", "5", ["*", "2", ["^", "6", "1/2"]]], "1/2"]
SAME = ["+", ["^", "2", "1/2"], ["^", "3", "1/2"]]
HIDDEN = ["+", ROOT, minus(SAME)]


def changed(made: Record, **fields: Any) -> Record:
    """The record with other fields in its certificate."""
    return sealed({**made, "certificate": {**made["certificate"], **fields}})


def divergence(choices: list[str], *points: Any, final: Any = CLOSED) -> Any:
    return {
        "is": "divergence",
        "lemmas": [],
        "points": [{"e": p} for p in points],
        "choices": [{"is": "choice", "counts": c, "why": CLOSED} for c in choices],
        "final": final,
    }


REPLY_OF_WORDS = [
    "piecewise",
    bit("1/3", "2/3"),
    ["==", V, ["label", "yes"]],
    bit("2/3", "1/3"),
    TRUE,
]
