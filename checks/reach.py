"""Records that are built to reach one check each: they pass everything before it in the checker.

    python checks/reach.py > OUT.jsonl

Each claims something false or meaningless, or has evidence that does not belong there. What the
checker tests before is taken from its code: the total mass, the shape of the fields, the premises.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from forge import Record, sealed
from hand import (
    ANSWERS,
    BIT,
    CLOSED,
    COUNT,
    EPS,
    N_BIT,
    NO_MASS,
    ONE,
    PEOPLE,
    REAL,
    SHY,
    SUM,
    TRUE,
    WHOLE,
    WORDS,
    N,
    Q,
    S,
    V,
    X,
    about,
    assumed,
    bit,
    by_rule,
    coin,
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
    stated,
    statement,
    stored,
)

from ahdp_verify.kernel.terms.expression import to_json
from ahdp_verify.kernel.terms.grammar import parse

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


# facts, products and signs


def facts() -> Iterator[Record]:
    """Statements with lemmas, cases and products that show nothing."""
    positive = [["q", ["<", "0", Q]]]
    free = [["q", TRUE]]

    def shown(gap: Any, unknowns: Any, leaf: Any, strict: bool = False) -> Record:
        made = statement("0", "<" if strict else "<=", gap, unknowns, gaps=1, form="direct")
        return changed(made, evidence=[leaf])

    def lemma(kind: str, *arguments: Any, relation: str = ">=", proofs: Any = ()) -> Any:
        listed = [{"e": a} for a in arguments]
        return {
            "is": "lemma",
            "kind": kind,
            "arguments": listed,
            "relation": relation,
            "proofs": list(proofs),
        }

    def leaf(*lemmas: Any, proofs: Any = ()) -> Any:
        return {"is": "closed", "lemmas": list(lemmas), "form": "direct", "proofs": list(proofs)}

    def split(guard: Any, *cases: Any) -> Any:
        return {
            "is": "case split",
            "lemmas": [],
            "guard": {"e": guard},
            "cases": [list(c) for c in cases],
        }

    def products(*terms: Any) -> Any:
        return {"is": "products", "terms": [[{"q": c}, list(numbers)] for c, numbers in terms]}

    # a case with an unknown relation, beside cases that cover all signs
    for relation in ("odd", "!=", "<>"):
        for gap in (["^", Q, "2"], "1"):
            yield shown(gap, free, split(Q, [">=", leaf()], ["<", leaf()], [relation, leaf()]))
    # |q| <= r from q <= r alone
    yield shown(
        ["+", ["name", "r"], minus(["abs", Q])],
        [["q", TRUE], ["r", ["<=", Q, ["name", "r"]]]],
        leaf(
            lemma("bound", Q, ["name", "r"], proofs=[products(["1", [0]]), None]),
            proofs=[products(["1", [1]])],
        ),
    )
    # a product proves >= where > is required
    yield shown(Q, [["q", ["<=", "0", Q]]], leaf(proofs=[products(["1", [0]])]), strict=True)
    # a lemma <= and = shown by products
    for relation in ("<=", "=", "<"):
        yield shown(
            Q,
            positive,
            leaf(lemma("proved", Q, relation=relation, proofs=[products(["1", [0]])])),
        )
        yield shown(
            Q,
            [["q", ["and", ["<", "0", Q], ["<", Q, "1"]]]],
            leaf(
                lemma(
                    "proved",
                    Q,
                    relation=relation,
                    proofs=[
                        {
                            "is": "exp sign",
                            "low": 0,
                            "high": 1,
                            "factors": [[{"e": Q}, 1, [{"q": "1/2"}]]],
                        }
                    ],
                )
            ),
        )


FACTORIALS = ((2, 2), (3, 6), (4, 24))
BETWEEN_0_AND_1 = ["and", ["<", "0", Q], ["<", Q, "1"]]
EXP_Q = ["exp", Q]
DEEP_ZERO = [
    "+",
    EXP_Q,
    "-1",
    minus(Q),
    *(["*", f"-1/{f}", ["^", Q, str(k)]] for k, f in FACTORIALS),
]
SIGN_CASES: tuple[Any, ...] = (
    # the interval is one point
    (Q, ["==", Q, "-1/2"], [], 0, None, False),
    (Q, ["==", Q, "-1/2"], [[{"e": Q}, 1, []]], 0, None, False),
    (Q, ["==", Q, "1/2"], [[{"e": Q}, 1, []]], 0, None, False),
    (Q, ["==", Q, "1/2"], [], 0, 0, False),
    (["+", ["^", Q, "2"], "-1"], ["==", Q, "1/2"], [], 0, None, False),
    (["+", EXP_Q, "-3"], ["==", EXP_Q, "2"], [], 0, None, False),
    (["+", EXP_Q, "-1"], ["==", EXP_Q, "2"], [[{"e": ["+", EXP_Q, "-1"]}, 1, []]], 0, None, False),
    (["+", EXP_Q, "-1"], ["==", EXP_Q, "2"], [], 0, 0, False),
    # an equality as an end
    (
        ["+", EXP_Q, "-1"],
        ["and", ["<", "0", Q], ["==", EXP_Q, "2"]],
        [[{"e": ["+", EXP_Q, "-1"]}, 1, []]],
        0,
        1,
        False,
    ),
    (Q, ["and", ["<", "0", Q], ["==", Q, "1/2"]], [[{"e": Q}, 1, []]], 0, 1, False),
    # factors that are negative
    (minus(Q), BETWEEN_0_AND_1, [[{"e": minus(Q)}, 1, [{"q": "1/2"}]]], 0, 1, False),
    (
        ["*", Q, ["+", Q, "-1"]],
        BETWEEN_0_AND_1,
        [[{"e": Q}, 1, [{"q": "1/2"}]], [{"e": ["+", Q, "-1"]}, 1, [{"q": "1/2"}]]],
        0,
        1,
        False,
    ),
    # a root inside, and a double one
    (
        ["+", ["^", EXP_Q, "2"], ["*", "-3", EXP_Q], "2"],
        ["<", "0", Q],
        [[{"e": ["+", ["^", EXP_Q, "2"], ["*", "-3", EXP_Q], "2"]}, 1, []]],
        0,
        None,
        False,
    ),
    (
        ["+", EXP_Q, "-2"],
        ["<", "0", Q],
        [[{"e": ["+", EXP_Q, "-2"]}, 1, []]],
        0,
        None,
        False,
    ),
    (
        ["+", ["^", EXP_Q, "2"], ["*", "-4", EXP_Q], "4"],
        ["<", "0", Q],
        [[{"e": ["+", ["^", EXP_Q, "2"], ["*", "-4", EXP_Q], "4"]}, 1, []]],
        0,
        None,
        False,
    ),
    # a degree above the bound of the rule
    (
        ["+", ["exp", ["*", "257", Q]], EXP_Q],
        ["<", "0", Q],
        [[{"e": ["+", ["exp", ["*", "257", Q]], EXP_Q, "1"]}, 1, []]],
        0,
        None,
        False,
    ),
    (
        ["+", ["exp", ["*", "300", Q]], EXP_Q, "1"],
        ["<", "0", Q],
        [[{"e": ["+", ["exp", ["*", "300", Q]], EXP_Q, "1"]}, 1, []]],
        0,
        None,
        False,
    ),
    # a power of the name below 0
    (
        ["+", ["^", Q, "-1"], EXP_Q],
        ["<", "0", Q],
        [[{"e": ["+", "1", ["*", Q, EXP_Q]]}, 1, [{"q": "1"}]]],
        0,
        None,
        False,
    ),
    (
        ["+", Q, EXP_Q],
        ["<", "0", ["+", ["^", Q, "-1"], EXP_Q]],
        [[{"e": ["+", Q, EXP_Q]}, 1, [{"q": "1"}]]],
        0,
        None,
        False,
    ),
    # facts that bound nothing
    (
        ["+", Q, EXP_Q],
        ["<", "0", ["+", EXP_Q, ["exp", ["*", "2", Q]]]],
        [[{"e": ["+", Q, EXP_Q]}, 1, [{"q": "1"}]]],
        0,
        None,
        False,
    ),
    (
        ["+", Q, EXP_Q],
        ["<", "0", ["+", EXP_Q, ["^", Q, "2"]]],
        [[{"e": ["+", Q, EXP_Q]}, 1, [{"q": "1"}]]],
        0,
        None,
        False,
    ),
    (
        ["+", Q, EXP_Q],
        ["<", "0", ["+", "1", EXP_Q]],
        [[{"e": ["+", Q, EXP_Q]}, 1, [{"q": "1"}]]],
        0,
        None,
        False,
    ),
    # a zero of high order at an end
    (DEEP_ZERO, ["<", "0", Q], [[{"e": DEEP_ZERO}, 1, [{"q": "1"}]]], 0, None, False),
    (["^", Q, "70"], ["<", "0", Q], [[{"e": ["^", Q, "70"]}, 1, [{"q": "1"}]]], 0, None, False),
)


def signs() -> Iterator[Record]:
    """Proofs by the sign of a sum of exponentials that come to one check of `expsign` each."""
    for gap, bound, factors, low, high, strict in SIGN_CASES:
        made = statement("0", "<" if strict else "<=", gap, [["q", bound]], gaps=1, form="direct")
        made["certificate"]["evidence"][0]["proofs"] = [
            {"is": "exp sign", "low": low, "high": high, "factors": factors}
        ]
        yield sealed(made)


# covers of boxes and slopes


def grown(fact: int | None, side: int = 1, **other: Any) -> dict[str, Any]:
    """That Q grows from a bound of it."""
    plain = {"is": "monotone", "name": "q", "side": side, "fact": fact, "lemmas": []}
    both = {"factor": {"e": "1"}, "strict": False, "slope": DIRECT, "start": DIRECT}
    return {**plain, **both, **other}


DIRECT = {**CLOSED, "form": "direct"}
UP, UNIT = ["<=", "0", Q], ["and", ["<=", "0", Q], ["<=", Q, "1"]]
FALSE_LEMMA = {
    "is": "lemma",
    "kind": "sign",
    "arguments": [{"e": ["+", Q, "-1"]}],
    "relation": ">=",
    "proofs": [],
}
P = ["name", "p"]
LOG_Q, BELOW_3_Q = ["log", Q], ["<=", P, ["*", "3", Q]]
BELOW, SQUARE, SQUARE_P = ["<=", Q, "0"], ["^", Q, "2"], ["^", P, "2"]
PQ, ZERO_P = ["*", P, Q], ["==", P, "0"]


R = ["name", "r"]
ON_CIRCLE = ["+", ["*", SQUARE_P, Q], ["*", ["^", R, "2"], Q], minus(Q)]  # 0 on the circle
CIRCLE = ["==", ["+", SQUARE_P, ["^", R, "2"]], "1"]


def under(e: Any, power: str = "-1") -> Any:
    return ["^", e, power]


# a gap that is negative, and tends to a negative number or to none: it grows from there, or falls;
# conditions of p and q, and the side from which q comes
AT_INFINITY: tuple[tuple[Any, Any, Any, int], ...] = (
    (minus(["exp", minus(under(["+", "1", SQUARE]))]), TRUE, BELOW, 1),
    (minus(["exp", ["*", Q, under(["+", "1", SQUARE])]]), TRUE, ["<=", Q, "-1"], 1),
    (minus(["exp", ["^", Q, "3"]]), TRUE, BELOW, -1),
    (minus(["exp", ["atan", Q]]), TRUE, ["<=", "0", Q], -1),
    (minus(["exp", PQ]), TRUE, ["<=", "0", Q], -1),
    (minus(["exp", ["*", "-1", PQ]]), TRUE, BELOW, 1),
    (minus(["atan", ["+", PQ, "1"]]), ZERO_P, TRUE, 1),
    (minus(["erf", ["+", PQ, "1"]]), ZERO_P, TRUE, 1),
    (minus(["atan", PQ]), TRUE, TRUE, 1),
    (minus(["atan", ["+", ON_CIRCLE, "1"]]), CIRCLE, TRUE, 1),
    (minus(["erf", ["+", ON_CIRCLE, "1"]]), CIRCLE, TRUE, 1),
    (minus(["log", ["+", "1", SQUARE]]), TRUE, BELOW, 1),
    (minus(["log", ["+", "1", ["exp", Q]]]), TRUE, ["<=", "0", Q], -1),
    (minus(["log", ["+", "1", ["*", ["^", P, "2"], SQUARE]]]), TRUE, BELOW, 1),
    (minus(["sin", Q]), TRUE, ["<=", "0", Q], -1),
    (minus(["cos", under(["+", "1", SQUARE])]), TRUE, BELOW, 1),
    (minus(["abs", Q]), TRUE, BELOW, 1),
    (minus(["*", Q, ["exp", Q]]), TRUE, BELOW, 1),
)
# a gap that is not always >= 0 (> 0 where strict), conditions of its unknowns, its proof
REGION_CASES: tuple[tuple[Any, list[Any], dict[str, Any], bool], ...] = (
    # a box without an end, too few pieces, a wrong sign at a corner, and none at all
    (["+", Q, "-1/2"], [["q", UP]], {"is": "box cover", "pieces": 9}, False),
    (["+", Q, "-1/2"], [["q", UNIT]], {"is": "box cover", "pieces": 0}, False),
    (["+", Q, "-1/2"], [["q", UNIT]], {"is": "box cover", "pieces": 9}, False),
    (["+", ["sin", Q], minus(Q)], [["q", UNIT]], {"is": "box cover", "pieces": 9}, False),
    (Q, [["q", UNIT]], {"is": "box cover", "pieces": 9}, True),
    # a face beside which a fact holds that fails on it
    (
        ["+", ["^", Q, "3"], minus(P), "1/10"],
        [["q", UNIT], ["p", ["and", ["and", ["<=", "0", P], ["<=", P, "1"]], BELOW_3_Q]]],
        {"is": "box cover", "pieces": 900},
        False,
    ),
    # no such fact, another side of it, an equality, a coefficient without a sign
    (["+", Q, "-1"], [["q", UP]], grown(-1), False),
    (["+", Q, "-1"], [["q", UP]], grown(5), False),
    (["+", Q, "-1"], [["q", ["<=", "1", Q]]], grown(0, 2), False),
    (["+", minus(Q), "1"], [["q", UP]], grown(0, -1), False),
    (Q, [["q", ["==", ["^", Q, "2"], "1"]]], grown(0), False),
    (["+", Q, "-1"], [["p", TRUE], ["q", ["<=", "1", ["*", P, Q]]]], grown(0), False),
    # what does not grow, or is negative at the bound
    (minus(Q), [["q", UP]], grown(0), False),
    (["+", Q, "-1"], [["q", UP]], grown(0), False),
    # a factor without a sign, poles and logarithms on the way
    (minus(Q), [["q", UP]], grown(0, factor={"e": minus(["exp", Q])}), False),
    (["+", "2", minus(["^", Q, "-1"])], [["q", ["!=", Q, "0"]]], grown(0), False),
    (["+", "9", LOG_Q], [["q", ["<", "0", Q]]], grown(0), False),
    # > 0 by a slope where the name may lie at its bound
    (Q, [["q", UP]], grown(0, strict=True), True),
    # at infinity: a negative limit, none, and a slope of the other sign
    (["+", ["atan", Q], "1"], [["q", TRUE]], grown(None), False),
    (["+", ["^", Q, "3"], Q], [["q", TRUE]], grown(None), False),
    (["atan", Q], [["q", TRUE]], grown(None, -1), False),
    # a lemma on the way that does not hold, and evidence of another form
    (
        ["+", Q, "-1"],
        [["q", UP]],
        grown(0, lemmas=[FALSE_LEMMA]),
        False,
    ),
    (["+", Q, "-1"], [["q", UP]], grown(0, start={**CLOSED, "form": "zero"}), False),
    (["+", Q, "-1"], [["q", UP]], grown(0, start={**CLOSED, "form": "never"}), False),
    (minus(Q), [["q", UP]], grown(0, slope={**CLOSED, "form": "log"}), False),
    # a pole inside of an exponential, at which the name does not stop
    (
        ["+", "1/2", minus(["exp", ["^", Q, "-1"]])],
        [["q", ["and", ["<=", "-1", Q], ["!=", Q, "0"]]]],
        grown(0),
        False,
    ),
    (
        ["+", "1", minus(["exp", ["^", Q, "-1"]])],
        [["q", ["and", ["<=", "-9", Q], ["<", "0", Q]]]],
        grown(0),
        False,
    ),
    # boxes on which a function is not known, or has no value at an end
    *[
        (["+", minus(["theta3", Q]), "1"], [["q", c]], {"is": "box cover", "pieces": 99}, False)
        for c in (
            ["and", ["<", "0", Q], ["<=", Q, "5"]],
            ["and", ["<=", "1/10", Q], ["<=", Q, "5"]],
        )
    ],
    *[
        ([e, Q], [["q", UNIT]], {"is": "box cover", "pieces": 99}, False)
        for e in ("floor", "sign", "abs")
    ],
    (minus(Q), [["q", UP]], grown(0, start={**DIRECT, "proofs": [None, None]}), False),
    # the square root of what is negative on the way
    (
        ["+", ["^", Q, "1/2"], "1"],
        [["q", ["and", ["<=", "-9", Q], ["<", "0", Q]]]],
        grown(0),
        False,
    ),
    *[
        (gap, [["r", TRUE], ["p", p], ["q", q]], grown(None, side), False)
        for gap, p, q, side in AT_INFINITY
    ],
    # cases as a proof
    (
        Q,
        [["q", TRUE]],
        {"is": "case split", "lemmas": [], "guard": {"e": Q}, "cases": [[">=", DIRECT]]},
        False,
    ),
    *[
        (
            Q,
            [["q", TRUE]],
            {
                "is": "case split",
                "lemmas": [],
                "guard": {"e": Q},
                "cases": [[">=", case], ["<", PIECES]],
            },
            False,
        )
        for case in (DIRECT, PIECES)
    ],
    (
        ["+", Q, "1"],
        [["q", TRUE]],
        {
            "is": "case split",
            "lemmas": [],
            "guard": {"e": Q},
            "cases": [[">=", DIRECT], ["<", {**CLOSED, "form": "log"}]],
        },
        False,
    ),
)


def slow_or_not() -> Iterator[Record]:
    """Statements about a negative gap whose product with a factor seems to tend to 0."""
    one = ["+", "1", SQUARE]
    for inside in (
        *(["+", "1", ["exp", SQUARE]], ["+", "1", ["exp", minus(Q)]], ["+", "1", PQ]),
        *(one, ["+", "1", ["*", SQUARE_P, SQUARE]], ["+", "2", ["sin", Q]]),
    ):
        for power, condition in itertools.product(("-1", "-2", "-1/2"), (BELOW, ["<=", Q, "-1"])):
            made = statement(
                "0", "<=", minus(["log", inside]), [["p", TRUE], ["q", condition]], gaps=1
            )
            made["certificate"]["evidence"] = [
                {**DIRECT, "proofs": [grown(None, 1, factor={"e": under(one, power)})]}
            ]
            yield sealed(made)


def lemmas_on_boxes() -> Iterator[Record]:
    """Statements from a lemma with a relation that neither a cover nor a slope shows."""
    for relation, shown in itertools.product(
        ("=", "<", "<=", ">=", ">"), ({"is": "box cover", "pieces": 99}, grown(0), None)
    ):
        lemma = {"is": "lemma", "kind": "proved", "arguments": [{"e": ["+", Q, "1"]}]}
        lemma |= {"relation": relation, "proofs": [shown]}
        for gap in (minus(["+", Q, "1"]), ["+", Q, "-1"]):
            made = statement("0", "<=", gap, [["q", UNIT]], gaps=1)
            made["certificate"]["evidence"] = [{**DIRECT, "lemmas": [lemma]}]
            yield sealed(made)


def regions() -> Iterator[Record]:
    """Statements that are false somewhere, by covers of boxes and by slopes."""
    yield from slow_or_not()
    yield from lemmas_on_boxes()
    for gap, unknowns, shown_by, strict in REGION_CASES:
        made = statement("0", "<" if strict else "<=", gap, unknowns, gaps=1, form="direct")
        made["certificate"]["evidence"][0]["proofs"] = [shown_by]
        yield sealed(made)


# totals by antiderivatives, and of one output after another


def dependent_totals() -> Iterator[Record]:
    """Laws of several outputs whose total is not 1, and events of whole outputs cut between them."""
    mixture = stored("mixture-of-products-1")
    twice = json.loads(json.dumps(mixture))
    m, listed = twice["claim"]["mechanism"], twice["certificate"]["mass"]["values"]
    m["density"] = ["*", "2", m["density"]]
    for value in listed:
        value["e"] = ["*", "2", value["e"]]
    yield sealed(twice)
    for i, value in itertools.product(range(4), ("2", "1", ["name", "y1"], ["name", "y2"])):
        made = json.loads(json.dumps(mixture))
        made["certificate"]["mass"]["values"][i] = {"e": value}
        yield sealed(made)
    k, r = ["name", "k"], ["name", "r"]
    near = ["*", "1/6", laplace(r, k), ["^", "2", minus(["abs", k])]]
    both = law(ANSWERS, [["k", "integer", []], ["r", "real", []]], near, "any", "0")
    for point, low in itertools.product(("0", "1/2", k), ("0", "1/2")):
        marks = [["k", [{"e": point}]], ["r", [{"e": k}]]]
        over = [["k", {"e": low}, None], ["r", {"e": k}, None]]
        yield refuted(both, example(["0"], ["1"], (marks, marks), intervals=over))


def unlike_exponentials() -> Iterator[Record]:
    """Laws that an exponential and another function make up, without an antiderivative or with a
    wrong one.
    """
    fall = ["exp", minus(S)]
    for factor in (
        *(["atan", S], ["erf", S], ["+", "1", ["sin", S]], ["^", S, "70"], ["log", ["+", "1", S]]),
        *(["^", ["+", "1", S], "-1"], ["^", ["+", "1", S], "1/2"], ["abs", ["sin", S]]),
    ):
        density = ["piecewise", ["*", fall, factor], ["<", "0", S], "0", TRUE]
        claim = law(ANSWERS, REAL, density, "any", "0")
        for more in ([], [minus(["*", fall, factor])], [minus(fall)], [["atan", S]], [S]):
            points = [{"e": p} for p in ("0", *more)]
            mass = {"values": [], "evidence": [{**PIECES, "points": points}] * 2}
            yield record(claim, [CLOSED], [0] * 2, {"is": "mass", **mass})


# what is compared


def compared() -> Iterator[Record]:
    def with_(made: Record, what: Any, said: str) -> Record:
        return sealed({**made, "compared": what, "scope": {**made["scope"], "compared": said}})

    pair = {key: value for key, value in example(["0"], ["1"]).items() if key in PAIR}
    sure = statement("1", "<=", "2", [["q", ["<=", "0", Q]]], gaps=1)
    bare = statement("1", "<=", "2", [["q", TRUE]], gaps=1)
    people = record(coin(), [CLOSED], [0] * 4, one_piece(1))
    yield with_(sure, pair, "something")
    yield with_(people, {"values": []}, "something")
    yield with_(people, {"values": [["q", {"e": "1"}]]}, "something")
    for value in (
        ["label", "a"],
        ["^", "0", "-1"],
        ["oo"],
        ["name", "zz"],
        "-1",
        ["sum", "1"],
        TRUE,
    ):
        yield with_(sure, {"values": [["q", {"e": value}]]}, "something")
        yield with_(bare, {"values": [["q", {"e": value}]]}, "something")
    for made in (sure, people):
        for counts in (False, True):
            for shown, uses in (
                ([], [None]),
                ([], [None] * 2),
                ([], [None] * 4),
                ([NEVER], [0]),
                ([NEVER], [None] * 2),
                ([split_of_q()], [0]),
                ([split_of_q()], [0, 0]),
            ):
                yield with_(made, {"counts": counts, "evidence": shown, "uses": uses}, "nothing")
    never = statement("2", "<=", "1", [["q", ["and", ["<=", "0", Q], ["<=", Q, "-1"]]]], gaps=1)
    empty = changed(never, evidence=[{**NEVER}])
    for shown, uses in (
        ([NEVER], [0]),
        ([NEVER, NEVER], [0]),
        ([NEVER], [None]),
        ([split_of_q()], [0]),
        ([], [None]),
    ):
        yield with_(empty, {"counts": False, "evidence": shown, "uses": uses}, "nothing")
        yield with_(never, {"counts": False, "evidence": shown, "uses": uses}, "nothing")
    # an empty domain, and evidence that nothing uses
    nobody = record(law({"records": []}, ONE, "1", "ahdp"), [], [], one_piece(1))
    yield with_(nobody, {"counts": False, "evidence": [NEVER], "uses": []}, "nothing")
    guess = GUESS()
    yield with_(guess, {"counts": False, "evidence": [], "uses": []}, "nothing")
    yield with_(guess, {"values": []}, "something")
    yield with_(guess, {"values": [["q", {"e": "1"}]]}, "something")


PAIR = {"parameters", "instances", "before", "after"}


def split_of_q() -> Any:
    cases = [[">=", NEVER], ["<", NEVER]]
    return {"is": "case split", "lemmas": [], "guard": {"e": Q}, "cases": cases}


# the power against one mechanism


def GUESS(mechanism: Any = None, **claim: Any) -> Record:
    """A true record of the power against an answer that is right in three of four cases."""
    flip = (
        mechanism
        or law(
            {"values": [["label", "a"], ["label", "b"]]},
            [["r", "finite", [["label", "a"], ["label", "b"]]]],
            ["piecewise", "3/4", ["==", ["name", "r"], V], "1/4", TRUE],
            "any",
        )["mechanism"]
    )
    task = {
        "mechanism": flip,
        "parameters": claim.pop("parameters", []),
        "inputs": claim.pop("inputs", [[["label", "a"]], [["label", "b"]]]),
        "labels": claim.pop("labels", ["a", "b"]),
    }
    said = {
        "guess": task,
        "low": claim.pop("low", "3/4"),
        "high": claim.pop("high", "3/4"),
        "name": "",
    }
    shown = {
        "is": "best test",
        "claim": "",
        "points": [],
        "numbers": [{"e": e} for e in ("0", "1", "1/2")],
        "test": [[1, 0], [0, 1]],
        "prior": [2, 2],
        "winners": [0, 1],
    }
    made = record(said, [], [])
    made["scope"] = {
        "inputs": "tests of the listed inputs",
        "conditions": [["==", ["name", k], v] for k, v in task["parameters"]],
        "defined": TRUE,
        "size": None,
        "compared": "not found",
    }
    return sealed({**made, "certificate": {**shown, **claim}})


def guesses() -> Iterator[Record]:
    yield GUESS()
    yield GUESS(inputs=[], labels=[])
    yield GUESS(parameters=[["p", "1"], ["p", "2"]])
    for fields in (
        {"points": "x"},
        {"points": {"e": "0"}},
        {"test": [1, 0]},
        {"winners": ["0", "1"]},
        {"winners": [True, False]},
        {"points": [{"e": "0"}]},
        {"winners": [1, 0]},
        {"winners": [1, 1]},
        {"winners": [0, 0]},
        {"winners": [1, 0], "high": "1/4"},
    ):
        yield GUESS(**fields)
    noisy = law(
        ANSWERS, REAL, ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(V)]])]], "any", "1"
    )["mechanism"]
    odd = [
        (
            ["piecewise", ["*", "2", S], ["and", ["<=", "0", S], ["<=", S, "1"]], "0", TRUE],
            ["0", "1"],
        ),
        (
            [
                "piecewise",
                ["*", ["^", ["log", "2"], "-1"], ["^", S, "-1"]],
                ["and", ["<=", "1", S], ["<=", S, "2"]],
                "0",
                TRUE,
            ],
            ["1", "2"],
        ),
        (
            ["piecewise", ["+", "1/2", S], ["and", ["<=", "0", S], ["<=", S, "1"]], "0", TRUE],
            ["0", "1"],
        ),
    ]
    for mechanism, points in (
        (noisy, ["0", "1/2", "1"]),
        *(({**noisy, "density": density}, points) for density, points in odd),
    ):
        count = len(points) + 1
        for winners in ([0] * count, [1] * count, [0, 0, 1, 1][:count], [-1] * count):
            yield GUESS(
                mechanism,
                inputs=[["0"], ["1"]],
                points=[{"e": p} for p in points],
                test=[[1, 0]] * 2 + [[0, 1]] * (count - 2),
                winners=winners,
                low="0",
                high="1",
            )


# claims that are not well formed


def meanings() -> Iterator[Record]:
    """Claims without a meaning."""
    yield enumerated(law(PEOPLE, [["s", "finite", [ROOT, SAME]]], "1/2", "ahdp"))
    yield enumerated(law(PEOPLE, REAL, "0", "ahdp", atoms=[[ROOT, "1/2"], [SAME, "1/2"]]))
    yield enumerated(law(PEOPLE, ONE, "1", "ahdp", EPS, parameters=[["eps", TRUE]]))
    yield record(
        law(PEOPLE, ONE, "1", "ahdp", EPS, parameters=[["eps", TRUE]]),
        [CLOSED],
        [0] * 4,
        one_piece(1),
    )
    doubled = law(
        PEOPLE, ONE, ["exp", ["*", "0", ["sum", EPS]]], "ahdp", parameters=[["eps", TRUE]]
    )
    yield record(doubled, [CLOSED], [0] * 4, one_piece(1))
    yield record(law(WORDS, ONE, ["name", "yes"], "any"), [CLOSED], [0] * 4, one_piece(2))
    for e in (
        half(["==", ["label", "a"], ["+", V, "1"]]),
        half(["==", ["+", V, "1"], ["label", "a"]]),
        half(["<", ["piecewise", ["oo"], ["<", V, "0"], "1", TRUE], ["oo"]]),
        half(["==", ["piecewise", ["oo"], ["<", V, "0"], "1", TRUE], ["oo"]]),
    ):
        claim = law(ANSWERS, BIT, e, "any")
        yield record(claim, [CLOSED], [0] * 4, one_piece(2))
        yield enumerated(claim)
    for points in ((), ("0",), ("-1", "0"), ("5",)):
        claim = law(PEOPLE, WHOLE, ["*", "1/3", ["binomial", S, "2"]], "ahdp")
        yield record(claim, [CLOSED], [0] * 4, one_piece(1, *points))
    weighted = law(SHY, REAL, ["*", "1/2", laplace(S, ["sum", EPS])], "ahdp", "5")
    yield record(weighted, [CLOSED], [0] * 2, one_piece(1))
    yield enumerated(weighted)
    weighted = law(EVERYONE, REAL, ["*", "1/2", laplace(S, ["sum", EPS])], "ahdp", "5")
    yield record(weighted, [CLOSED], [0] * 2, one_piece(1))
    counted = law(
        PEOPLE,
        BIT,
        bit(["*", "1/2", LARGEST], ["+", "1", minus(["*", "1/2", LARGEST])]),
        "ahdp",
        "5",
        defined=["<=", "1", COUNT],
    )
    yield changed(record(counted, [CLOSED], [0] * 8, one_piece(1)), counts=True)
    # a level whose leading coefficient is 0 by a fact
    squares = ["+", ["^", ["name", "c"], "2"], minus(["^", ["name", "d"], "2"])]
    known = [["c", TRUE], ["d", ["==", squares, "0"]]]
    vague = law(SHY, ONE, "1", "ahdp", ["abs", ["*", squares, EPS]], parameters=known)
    yield record(vague, [CLOSED], [0] * 4, one_piece(1))
    vague = law(SHY, ONE, "1", "ahdp", ["*", squares, EPS], parameters=known)
    yield record(vague, [CLOSED], [0] * 4, one_piece(1))
    endless = {"records": [["1", ["oo"]]]}
    beside = ["piecewise", "1", ["==", EPS, ["oo"]], "2", TRUE]
    unknown = ["abs", ["+", ["name", "c"], ["^", EPS, "-1"]]]
    yield record(
        law(
            endless, ONE, "1", "ahdp", ["+", beside, minus(EPS), unknown], parameters=[["c", TRUE]]
        ),
        [CLOSED],
        [0] * 4,
        one_piece(1),
    )
    for level in (["log", EPS], ["floor", EPS], ["^", ["log", ["+", "2", EPS]], "2"]):
        yield record(law(endless, ONE, "1", "ahdp", level), [CLOSED], [0] * 4, one_piece(1))
    for e in (
        half(["==", ["label", "a"], ["name", "q[1]"]]),
        half(["==", ["name", "q[1]"], ["label", "a"]]),
    ):
        yield record(law({"queries": 1}, BIT, e, "one"), [CLOSED], [0] * 4, one_piece(1))
    for level in (
        ["exp", ["*", ["log", EPS], EPS]],
        ["log", EPS],
        ["^", ["log", ["+", "2", EPS]], "2"],
        ["floor", EPS],
    ):
        yield record(law(SHY, ONE, "1", "ahdp", level), [CLOSED], [0] * 4, one_piece(1))
    yield {**(made := enumerated(coin())), "format": 2, "sha256": made["sha256"]}
    yield sealed({**enumerated(coin()), "format": 0})


def half(condition: Any) -> Any:
    return ["piecewise", "1/2", condition, "1/2", TRUE]


M = ["name", "m"]


def kinds() -> Iterator[Record]:
    """Composites that are not well formed."""
    first, real = coin(), real_of("n")
    numbers = [str(i) for i in range(65)]
    wide = law(PEOPLE, [["n", "finite", numbers], ["m", "finite", numbers]], "1/4225", "ahdp")
    second = law(PEOPLE, [["m", "finite", ["0", "1"]]], "1/2", "ahdp")
    reading = law(PEOPLE, [["m", "finite", ["0", "1"]]], "1/2", "ahdp", parameters=[["n", TRUE]])
    asking = law(
        PEOPLE,
        [["m", "finite", ["0", "1"]]],
        half(["==", N, ["label", "a"]]),
        "ahdp",
        parameters=[["n", TRUE]],
    )
    released = [["t", "finite", ["0", "1"]]]
    made = [
        composite("group", [first, second]),
        composite("subsample", [first, second], ["1/2"]),
        composite("normalised", [], ["0", "0", "0"], released=released),
        composite("normalised", [], ["0", "0", "0"], domain=PEOPLE),
        composite("normalised", [], ["0", "0", "0"], domain=PEOPLE, released=[["t", "real", []]]),
        composite("product", [first, reading]),
        composite("compose", [first, asking]),
        composite("compose", [first, second], ["1"]),
        composite("compose", [first, second], released=released),
        composite("product", [first, second], own=[["c", TRUE]]),
        composite("post_process", [first], ["0"], released=released, domain=PEOPLE),
        composite("post_process", [first, reading], ["0"], released=released),
        composite(
            "post_process", [real], [["sign", N]], released=[["t", "finite", ["0", "1", "-1"]]]
        ),
        composite("post_process", [wide], [["*", "0", N, M]], released=released),
        composite("mixture", [first, first], ["1/2", "1/2"], released=released),
        composite("mixture", [first, first], ["1/2", "1/2"], domain=PEOPLE),
        composite("pull_back", [first], [X, EPS], domain=PEOPLE, released=released),
    ]
    for m in made:
        claim = about(m, "ahdp", "0")
        yield proved(claim, by_rule(claim, m["rule"], [proof(p) for p in m["parts"]], 4))


def real_of(output: str, density: Any = None, **more: Any) -> Any:
    """A claim about noise."""
    default = ["*", "1/2", laplace(["name", output])]
    return law(
        more.pop("inputs", PEOPLE), [[output, "real", []]], density or default, "ahdp", "0", **more
    )


# nested composites, and their distribution as one expression


BIGGEST = law(
    PEOPLE,
    BIT,
    bit(["*", "1/2", LARGEST], ["+", "1", minus(["*", "1/2", LARGEST])]),
    "ahdp",
    "0",
)


def unwritable_laws() -> Iterator[Record]:
    """Composites whose distribution is not one expression."""
    first, real = coin(), real_of("n")
    later = law(
        PEOPLE,
        [["m", "real", []]],
        ["*", "1/2", laplace(M, ["sum", ["*", X, N]])],
        "ahdp",
        "0",
        parameters=[["n", TRUE]],
    )
    with_atom = real_of("n", ["*", "1/4", laplace(N)], atoms=[[["label", "NULL"], "1/2"]])
    plain = real_of("m")
    both = law(
        PEOPLE,
        [["n", "real", []], ["m", "real", []]],
        ["*", "1/4", laplace(N), laplace(M)],
        "ahdp",
        "0",
    )
    kernel = law(
        PEOPLE, [["m", "finite", ["0", "1"]]], "1/2", "ahdp", "0", parameters=[["n", TRUE]]
    )
    t_real = [["t", "real", []]]
    t_two = [["t", "real", []], ["u", "real", []]]
    mapped = about(composite("post_process", [first], [N], released=t_real), "ahdp", "0")
    with_c = law(PEOPLE, N_BIT, "1/2", "ahdp", "0", parameters=[["c", TRUE]])
    shy = law(SHY, [["n", "real", []]], ["*", "1/2", laplace(N, ["sum", EPS])], "ahdp", "0")
    wide = law(EVERYONE, N_BIT, "1/2", "ahdp", "0")
    wide_eps = law(EVERYONE, [["n", "real", []]], ["*", "1/2", laplace(N, SUM)], "ahdp", "0")
    short = law(PEOPLE, N_BIT, "1/2", "ahdp", "0", defined=["<=", COUNT, "2"])
    made = [
        composite("compose", [assumed()]),
        composite("compose", [with_atom, plain]),
        composite("compose", [real, later]),
        composite("mixture", [mapped, real_of("t")], ["1/2", "1/2"]),
        composite("mixture", [first, first], ["1/2", "1"]),
        composite("mixture", [first, first], [["*", "1/2", "1"], "1/3"]),
        composite("pull_back", [shy], [X, EPS], domain={"records": [["1", ["oo"]]]}),
        composite("pull_back", [shy], [X, EPS], domain=SHY),
        composite("pull_back", [wide], [X, ["*", "2", EPS]], domain=EVERYONE),
        composite("pull_back", [wide_eps], [X, ["*", "2", EPS]], domain=EVERYONE),
        composite("pull_back", [wide], [X, ["oo"]], domain=EVERYONE),
        composite("pull_back", [wide_eps], [X, ["oo"]], domain=EVERYONE),
        composite("pull_back", [wide], [X, "1"], domain=EVERYONE),
        composite("post_process", [real, kernel]),
        composite("post_process", [both], [["+", N, M]], released=t_real),
        composite("post_process", [both], [N], released=t_real),
        composite("post_process", [both], [N, N], released=t_two),
        composite("post_process", [real], ["0"], released=t_real),
        composite("post_process", [real], [["^", N, "2"]], released=t_real),
        composite("post_process", [real], [["exp", N]], released=t_real),
        composite("post_process", [with_atom], [["*", "2", N]], released=t_real),
        composite("post_process", [with_c], [["*", N, ["name", "c"]]], released=t_real),
        composite("subsample", [first], ["1/2"]),
        composite("subsample", [short], ["1/2"]),
        composite("pull_back", [first], [["+", X, "5"], EPS], domain=PEOPLE),
        composite(
            "compose",
            [
                about(
                    composite("pull_back", [first], [["+", X, "5"], EPS], domain=PEOPLE),
                    "ahdp",
                    "0",
                )
            ],
        ),
        composite(
            "pull_back",
            [first],
            ["0", "1"],
            domain={"records": [["0", ["name", "c"]], ["0", "1/2"]]},
            own=[["c", TRUE]],
        ),
    ]
    for m in made:
        claim = about(m, "ahdp", "0")
        for premise in (
            NO_PREMISE,
            *(proof(p) for p in m["parts"][:1] if "rule" not in p["mechanism"]),
        ):
            yield proved(claim, by_rule(claim, "written_out", [premise], 0))


def unwritable_instances() -> Iterator[Record]:
    """Refutations whose distribution at these inputs is not one expression."""
    event = {"outcomes": [[{"e": "1"}]]}
    no_one, someone = ["0", "0"], ["1", "0"]
    shy_bit = law(
        SHY,
        BIT,
        bit(["exp", minus(["sum", EPS])], ["+", "1", minus(["exp", minus(["sum", EPS])])]),
        "ahdp",
        "0",
    )
    fair = law(PEOPLE, BIT, "1/2", "ahdp", "0")
    misled = about(composite("pull_back", [fair], [["+", X, "5"], EPS], domain=PEOPLE), "ahdp", "0")
    everyone = law(EVERYONE, BIT, "1/2", "ahdp", "0")
    given = [[["x", {"e": "1"}], ["eps", {"e": "1"}]]]
    for m, inner in (
        (
            composite("subsample", [everyone], ["1/2"]),
            example(["1"], ["0"], instances=given, **event),
        ),
        (composite("subsample", [shy_bit], ["1/2"]), example(no_one, someone, **event)),
        (composite("subsample", [BIGGEST], ["1/2"]), example(no_one, someone, **event)),
        (
            composite("compose", [law(PEOPLE, BIT, "1/2", "ahdp", "0")]),
            example(no_one, someone, **event),
        ),
        (composite("compose", [misled]), example(no_one, someone, **event)),
    ):
        for size in (None, 1, 0, -1):
            yield refuted(about(m, "ahdp", "0"), of_instance([], inner, size))


def written_out() -> Iterator[Record]:
    """Composites whose distribution cannot be written as one expression."""
    yield from unwritable_laws()
    yield from unwritable_instances()


NO_PREMISE = {
    "is": "certificate",
    "claim": "",
    "counts": False,
    "conditions": [],
    "mass": NO_MASS,
    "evidence": [],
    "uses": [],
}


def rules() -> Iterator[Record]:
    """Rules that do not lead to the claim."""
    group = about(composite("group", [assumed()]), "pairs")
    shown = by_rule(group, "group", [proof(assumed())], 0)
    yield proved(group, {**shown, "version": True})
    yield proved(group, {**shown, "version": "1"})
    yield proved(group, {**shown, "stated": stated("ahdp", EPS)})
    yield proved(group, {**by_rule(group, "weaken", [shown], 0)})
    part = assumed()
    # a level with oo inside
    vague = ["piecewise", ["oo"], ["<", ["name", "c"], "0"], "1", TRUE]
    for level in (vague,):
        mechanism = {**part["mechanism"], "parameters": [["c", TRUE]]}
        claim = about(mechanism, "ahdp", level)
        for sides in (0, 2):
            yield proved(claim, by_rule(claim, "assumed", [], sides))
        open_part = about({**mechanism, "assumed": ["ahdp", level, "0"]}, "ahdp", level)
        swap = about(open_part["mechanism"], "add-remove", "1")
        yield proved(swap, by_rule(swap, "assumed", [], 2))
        for wanted in ("5", level):
            whole = about(composite("compose", [open_part]), "ahdp", wanted)
            yield proved(
                whole, by_rule(whole, "compose", [by_rule(open_part, "assumed", [], 2)], 2)
            )
    # an assumption about hdp, said with public parts
    hdp = about({**part["mechanism"], "assumed": ["hdp", EPS, "0"]}, "hdp")
    yield proved({**hdp, "public": ["x"]}, by_rule({**hdp, "public": ["x"]}, "assumed", [], 0))
    for relation in ("swap", "hdp", "add-remove", "pairs"):
        for name, formulas, more in (
            ("subsample", ["1/2"], {}),
            ("pull_back", [X, EPS], {"domain": PEOPLE}),
        ):
            for inner in (
                assumed(),
                assumed("add-remove", "1"),
                assumed("swap", "1"),
                assumed("hdp", EPS),
            ):
                claim = about(composite(name, [inner], formulas, **more), relation, "1")
                for sides in (0, 2, 4, 6):
                    yield proved(claim, by_rule(claim, name, [proof(inner)], sides))
    # a score without bounds
    for low, high in ((vague_of_c(), X), ("0", vague_of_c()), (["oo"], X), ("0", ["oo"])):
        made = composite(
            "normalised",
            [],
            [["*", ["name", "t"], SUM], low, high],
            domain=PEOPLE,
            released=[["t", "finite", ["0", "1"]]],
            own=[["c", TRUE]],
        )
        claim = about(made, "ahdp", X)
        for sides in range(0, 13, 2):
            yield proved(claim, by_rule(claim, "normalised", [], sides))
    # pulled back from inputs that are not datasets
    replies = law(ANSWERS, N_BIT, "1/2", "any", "0")
    claim = about(composite("pull_back", [replies], [X], domain=PEOPLE), "ahdp", "0")
    yield proved(claim, by_rule(claim, "pull_back", [proof(replies)], 0))
    # a premise that is not stated, swaps that leave what is defined, universal swaps
    odd = law(PEOPLE, N_BIT, "1/2", "ahdp", defined=["or", ["<=", COUNT, "1"], ["<=", "4", COUNT]])
    for base in (odd, coin()):
        for relation, level, name in (
            ("swap", "0", "to_swap"),
            ("ahdp", "1", "weaken"),
            ("ahdp", "1", "to_ahdp"),
        ):
            claim = {**base, "relation": relation, "level": level}
            for said in (None, stated("ahdp", "0"), stated("add-remove", "0")):
                for sides in (0, 1, 2):
                    premise = {**base, "relation": said["relation"] if said else "ahdp"}
                    yield proved(claim, by_rule(claim, name, [proof(premise)], sides, said))
    universal = law(EVERYONE, N_BIT, "1/2", "swap", "0")
    inner = {**universal, "relation": "ahdp"}
    shown = record(inner, [CLOSED], [0] * 4, one_piece(1))["certificate"]
    for sides in (0, 1, 2, 4):
        yield proved(universal, by_rule(universal, "to_swap", [shown], sides, stated("ahdp", "0")))


def vague_of_c() -> Any:
    return ["piecewise", ["oo"], ["<", ["name", "c"], "0"], "1", TRUE]


# refutations


REPLIED = law(ANSWERS, BIT, REPLY, "any", "0")


def impossible_events() -> Iterator[Record]:
    """Events, inputs and counts that no mechanism has."""
    noise = law(ANSWERS, REAL, ["*", "1/2", laplace(S, V)], "any", "0")
    mixed = law(
        ANSWERS, REAL, ["*", "1/4", laplace(S, V)], "any", "0", atoms=[[["label", "NULL"], "1/2"]]
    )
    at_points = ([["s", [{"e": "0"}]]], [["s", [{"e": "1"}]]])
    one_end = [["s", {"e": "1/2"}, None]]
    for claim, event in (
        (REPLIED, {"intervals": one_end}),
        (REPLIED, {"intervals": [["s", None, {"e": "1/2"}]]}),
        (noise, {"values": [["s", [{"e": "1"}]]]}),
        (noise, {"intervals": [["s", None, None]]}),
        (noise, {"intervals": [["s", None, None]], "continuous": True}),
        (noise, {"intervals": one_end, "atoms": [{"e": "1"}]}),
        (noise, {"intervals": one_end, "atoms": [{"e": ["label", "NULL"]}]}),
        (mixed, {"intervals": one_end, "atoms": [{"e": ["label", "NONE"]}]}),
        (mixed, {"intervals": one_end, "atoms": [{"e": "7"}]}),
    ):
        for before, after, places in ((["0"], ["1"], at_points), (["1"], ["0"], at_points[::-1])):
            yield refuted(claim, example(before, after, places, **event))
    yield refuted(
        REPLIED, example(["0"], ["1"], outcomes=[[{"e": "1"}]]), {"counts": False, "mass": CLOSED}
    )
    shy = law(
        SHY,
        BIT,
        bit(["exp", minus(["sum", EPS])], ["+", "1", minus(["exp", minus(["sum", EPS])])]),
        "ahdp",
        "0",
    )
    for before, after in (
        (["0", "1"], ["0", "0"]),
        (["1", "0"], ["0", "0"]),
        (["0", "0"], ["0", "1"]),
    ):
        yield refuted(shy, example(before, after, outcomes=[[{"e": "0"}]]))
    biggest = law(PEOPLE, BIT, bit(LARGEST, ["+", "1", minus(LARGEST)]), "ahdp", "0")
    yield refuted(biggest, example(["0", "0"], ["0", "1"], outcomes=[[{"e": "0"}]]))
    yield refuted(biggest, example(["0", "1"], ["0", "0"], outcomes=[[{"e": "0"}]]))
    query = law({"queries": 1}, REAL, ["*", "1/2", laplace(S, ["name", "q[1]"])], "one", "0")
    for before, after in (
        (["0"], [["log", "2"]]),
        ([["log", "2"]], ["0"]),
        (["0"], [["^", "2", "1/2"]]),
    ):
        points = ([["s", [{"e": before[0]}]]], [["s", [{"e": after[0]}]]])
        yield refuted(query, example(before, after, points, intervals=[["s", {"e": "1/2"}, None]]))


def impossible_instances() -> Iterator[Record]:
    """Groups, and instances of what was assumed."""
    group = about(composite("compose", [REPLIED]), "any", "0")
    inner = example(["0"], ["1"], outcomes=[[{"e": "1"}]])
    good = record(REPLIED, [CLOSED], [0] * 4, one_piece(2))["certificate"]
    pair = {"claim": REPLIED, "certificate": good}
    for instances, size in (
        ({}, None),
        ("x", None),
        ([pair], "1"),
        ([pair], True),
        ([], True),
        ([{"claim": REPLIED}], None),
        ([1], None),
        ([{**pair, "certificate": CLOSED}], None),
        ([{**pair, "certificate": {"is": "mass", "values": [], "evidence": []}}], None),
    ):
        yield refuted(group, {"instances": instances, "size": size, "counterexample": inner})
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
    kept = law(ANSWERS, BIT, REPLY, "any", ["log", "2"])
    shown = record(kept, [CLOSED], [0] * 4, one_piece(2))["certificate"]
    whole = about(composite("compose", [given]), "any", "0")
    people = law(PEOPLE, BIT, "1/2", "ahdp", EPS)
    of_people = about(
        {
            "name": "a",
            "inputs": PEOPLE,
            "assumed": ["ahdp", EPS, "0"],
            "outputs": BIT,
            "parameters": [],
        },
        "ahdp",
        EPS,
    )
    sampled = about(composite("subsample", [of_people], ["1/2"]), "ahdp", "0")
    there = record(people, [CLOSED], [0] * 8, one_piece(1))["certificate"]
    listed = record(people, [{"is": "enumeration", "size": 2}], [])["certificate"]
    for claim, one, certificate, at in (
        (whole, kept, shown, inner),
        (whole, {**kept, "level": ["log", "3"]}, shown, inner),
        (sampled, people, there, example(["1", "0"], ["0", "0"], outcomes=[[{"e": "1"}]])),
        (sampled, people, listed, example(["1", "0"], ["0", "0"], outcomes=[[{"e": "1"}]])),
        (whole, kept, record(kept, [WORD], [0] * 4, one_piece(2))["certificate"], inner),
    ):
        for size in (None, 1, 0, -3):
            yield refuted(
                claim,
                {
                    "instances": [{"claim": one, "certificate": certificate}],
                    "size": size,
                    "counterexample": at,
                },
            )


def events() -> Iterator[Record]:
    """Refutations whose inputs or events are none."""
    yield from impossible_events()
    yield from impossible_instances()


# totals, and what divides by nothing known


def totals() -> Iterator[Record]:
    """Laws whose total is not shown, at one step each."""
    c, d = ["name", "c"], ["name", "d"]
    free = [["c", TRUE]]
    apart = [["c", TRUE], ["d", ["<", "0", ["^", ["+", c, minus(d)], "2"]]]]
    gap = ["+", c, minus(d)]

    def shown(density: Any, *points: Any, parameters: Any = (), outputs: Any = REAL) -> Record:
        claim = law(PEOPLE, outputs, density, "ahdp", parameters=list(parameters))
        return record(claim, [CLOSED], [0] * 2, one_piece(1, *points))

    yield shown(["*", c, laplace(S)], "0", parameters=free)
    # facts that contradict each other
    nobody = [["c", ["and", ["<", "0", c], ["<", c, "0"]]]]
    for power in ("1", "-1"):
        yield shown(["exp", minus(["*", ["^", c, power], ["abs", S]])], "0", parameters=nobody)
        yield shown(["exp", ["*", ["^", c, power], S]], "0", parameters=nobody)
        yield shown(laplace(S), "0", ["^", c, power], parameters=nobody)
    yield shown(["*", "1/2", ["exp", minus(["*", c, ["abs", S]])]], "0", parameters=free)
    for power in ("1", "-1"):
        rate = ["*", ["^", gap, power], ["abs", S]]
        yield shown(["*", "1/2", ["exp", minus(rate)]], "0", parameters=apart)
        yield shown(["exp", minus(rate)], "0", parameters=apart)
        yield shown(laplace(S), "0", ["^", gap, power], parameters=apart)
        yield shown(laplace(S), ["^", gap, "-1"], "0", parameters=apart)
    yield shown(
        ["piecewise", ["exp", ["^", S, "-1"]], ["and", ["<=", "1", S], ["<=", S, "2"]], "0", TRUE],
        "1",
        "2",
    )
    yield shown(["piecewise", ["exp", S], ["<", S, "0"]], "-1", "0")
    yield shown(["piecewise", ["*", "1/2", laplace(S)], ["<", ["^", S, "2"], "1"]], "-1", "0")
    yield shown(["piecewise", ["*", "1/2", laplace(S)], ["<", ["+", S, "1"], S]], "-1", "0")
    yield shown(["piecewise", ["exp", S], ["<", S, "0"]], "-1", "0", "1")
    # a fact about 1/(c mod 3) beside one that 3 divides c
    rest = ["+", c, minus(["*", "3", ["floor", ["*", "1/3", c]]])]
    contradiction = [
        "and",
        ["<", "0", rest],
        ["<", ["+", "2", c], ["exp", ["^", rest, "-1"]]],
        ["==", rest, "0"],
    ]
    yield statement("1", "<=", "0", [["c", contradiction]], gaps=1)
    # 1/(c - d) where only (c - d)^2 > 0 is known, and lemmas about undeclared names
    made = statement("0", "<=", ["^", gap, "2"], apart, gaps=1, form="direct")
    for e in (["name", "pi"], ["name", "zz"], ["^", "0", "-1"], ["^", ["+", c, minus(c)], "-1"]):
        lemma = {
            "is": "lemma",
            "kind": "square",
            "arguments": [{"e": e}],
            "relation": ">=",
            "proofs": [],
        }
        yield changed(made, evidence=[{**CLOSED, "form": "direct", "lemmas": [lemma]}])


def undecided_probabilities() -> Iterator[Record]:
    """Of finite outputs."""
    tall = ["exp", ["exp", ["exp", "100"]]]
    yield enumerated(law(PEOPLE, [["s", "finite", [tall, "0"]]], "1/2", "ahdp"))
    swung = bit(
        ["piecewise", ["+", "3/5", HIDDEN], ["==", V, "0"], "1/2", TRUE],
        ["piecewise", ["+", "2/5", minus(HIDDEN)], ["==", V, "0"], "1/2", TRUE],
    )
    for level in ("0", ["log", "6/5"]):
        for delta in ("0", "1/10"):
            claim = law(ANSWERS, BIT, swung, "any", level, delta)
            yield enumerated(claim)
    hidden = ["piecewise", "1/2", ["<", HIDDEN, "0"], "1/2", TRUE]
    yield enumerated(law(ANSWERS, BIT, hidden, "any"))
    yield enumerated(
        law(
            PEOPLE, BIT, ["piecewise", "1/2", ["<", ["*", COUNT, HIDDEN], "0"], "1/2", TRUE], "ahdp"
        )
    )
    yield enumerated(
        law(
            PEOPLE,
            BIT,
            ["*", "1/2", ["exp", ["*", "0", ["log", ["+", "1", ["^", ["sum", HIDDEN], "2"]]]]]],
            "ahdp",
        )
    )
    yield enumerated(
        law(PEOPLE, BIT, ["piecewise", "1/2", ["<", ["sum", HIDDEN], "0"], "1/2", TRUE], "ahdp")
    )
    yield enumerated(law(PEOPLE, ONE, ["exp", ["*", "0", ["abs", ["*", COUNT, HIDDEN]]]], "ahdp"))
    either = ["piecewise", ROOT, ["==", X, "0"], SAME, TRUE]
    for head in ("maximum", "minimum"):
        most = [head, either]
        yield enumerated(
            law(
                PEOPLE,
                BIT,
                ["piecewise", "1/2", ["<", most, "0"], "1/2", TRUE],
                "ahdp",
                defined=["<=", "1", COUNT],
            )
        )
    nothing = ["*", HIDDEN, ["exp", SUM]]
    yield enumerated(law(PEOPLE, BIT, bit(nothing, ["+", "1", minus(nothing)]), "ahdp"))
    yield enumerated(
        law(
            PEOPLE,
            BIT,
            bit(["*", HIDDEN, ["exp", V]], ["+", "1", minus(["*", HIDDEN, ["exp", V]])]),
            "ahdp",
        )
    )
    yield enumerated(
        law(PEOPLE, BIT, half(["<", ["*", COUNT, ["exp", "-700"]], ["exp", "-1"]]), "ahdp")
    )
    yield enumerated(law(PEOPLE, BIT, half(["<", ["sum", ["*", X, ["exp", "-700"]]], "1"]), "ahdp"))


def undecided_densities() -> Iterator[Record]:
    """Of real and whole outputs."""
    noise = ["*", "1/2", laplace(S, V)]
    for density in (
        ["piecewise", noise, ["<", HIDDEN, "0"], noise, TRUE],
        ["piecewise", noise, ["<", S, "0"], noise, ["<", ["^", S, "2"], "1"], noise, TRUE],
        ["*", "1/2", ["exp", minus(["abs", ["+", S, minus(["*", V, HIDDEN])]])]],
        [
            "piecewise",
            ["*", "1/2", ["exp", S]],
            ["<", S, HIDDEN],
            ["*", "1/2", ["exp", minus(S)]],
            TRUE,
        ],
    ):
        yield enumerated(law(ANSWERS, REAL, density, "any", "1"))
    near = ["+", "3", HIDDEN]
    geometric = ["*", "1/3", ["^", "2", minus(["abs", S])]]
    yield enumerated(
        law(ANSWERS, WHOLE, ["piecewise", geometric, ["<", S, near], geometric, TRUE], "any", "1")
    )
    yield enumerated(
        law(
            ANSWERS,
            WHOLE,
            ["piecewise", geometric, ["<", S, ["+", "3", ["^", "2", "1/2"]]], geometric, TRUE],
            "any",
            "1",
        )
    )
    slow = [["^", "2", minus(S)], ["*", "3", ["^", "4", minus(["+", S, "1"])]]]
    fast = [
        "piecewise",
        ["piecewise", ["*", "1/2", slow[0]], ["==", V, "0"], slow[1], TRUE],
        ["<=", "0", S],
        "0",
        TRUE,
    ]
    for level in (["exp", "300"], "1", ["+", ["log", "2"], HIDDEN], ["exp", "30"]):
        for delta in ("0", "1/2"):
            yield enumerated(law(ANSWERS, WHOLE, fast, "any", level, delta))
    steep = [["*", ["+", "1", minus(["exp", f"-{k}"])], ["exp", ["*", f"-{k}", S]]] for k in (1, 2)]
    far = [
        "piecewise",
        ["piecewise", steep[0], ["==", V, "0"], steep[1], TRUE],
        ["<=", "0", S],
        "0",
        TRUE,
    ]
    for level in (["exp", "300"], ["exp", "200"]):
        yield enumerated(law(ANSWERS, WHOLE, far, "any", level, "1/2"))
    shifted = ["*", "1/2", laplace(S, V)]
    for level in (["+", "1", HIDDEN], ["+", "1", minus(HIDDEN)]):
        for delta in ("0", "1/10"):
            yield enumerated(law(ANSWERS, REAL, shifted, "any", level, delta))
    many = [str(i) for i in range(4097)]
    yield enumerated(law(ANSWERS, [["s", "finite", many]], "1/4097", "any"))


def largest_of_none() -> Iterator[Record]:
    """The largest of no records."""
    # the largest of no records
    for defined in (TRUE, ["<=", COUNT, "5"]):
        yield enumerated(
            law(
                PEOPLE,
                BIT,
                ["piecewise", "1/2", ["<", LARGEST, "0"], "1/2", TRUE],
                "ahdp",
                defined=defined,
            )
        )


def undecided() -> Iterator[Record]:
    """Comparisons of constants that are equal, where nothing shows it."""
    yield from undecided_probabilities()
    yield from undecided_densities()
    yield from largest_of_none()


def odd_densities() -> Iterator[Record]:
    """Power against laws that repeat themselves, and levels with oo."""
    # of whole numbers, so that every total of a piece is known; the law beyond the last point is not
    # a sum of exponentials
    step = ["+", S, minus(["*", "2", ["floor", ["*", "1/2", S]]])]
    decay = ["^", "2", minus(S)]
    for density in (
        ["*", "3/8", decay, ["+", "1", step]],
        ["*", "9/8", decay, ["^", ["+", "2", step], "-1"]],
    ):
        mechanism = law(ANSWERS, WHOLE, ["piecewise", density, ["<=", "0", S], "0", TRUE], "any")[
            "mechanism"
        ]
        for winners in ([0] * 4, [1] * 4):
            yield GUESS(
                mechanism,
                inputs=[["0"], ["1"]],
                points=[{"e": p} for p in ("0", "1", "2")],
                low="0",
                high="1",
                numbers=[{"e": e} for e in ("0", "1", "1/3", "2/3")],
                prior=[2, 3],
                test=[[1, 0]] * 2 + [[0, 1]] * 2,
                winners=winners,
            )
    vague = vague_of_c()
    mechanism = {
        **assumed()["mechanism"],
        "parameters": [["c", TRUE]],
        "assumed": ["add-remove", vague, "0"],
    }
    for level in (vague, "5", ["+", "1", ["abs", ["name", "c"]]]):
        claim = about(mechanism, "add-remove", level)
        for sides in (0, 1, 2):
            yield proved(claim, by_rule(claim, "assumed", [], sides))
    for low, high in ((minus_oo(), X), (["oo"], "1"), ("0", ["oo"]), (vague, "1"), ("0", vague)):
        made = composite(
            "normalised",
            [],
            [["*", ["name", "t"], SUM], low, high],
            domain=PEOPLE,
            released=[["t", "finite", ["0", "1"]]],
            own=[["c", TRUE]],
        )
        for relation, level in (("add-remove", "1"), ("ahdp", X)):
            claim = about(made, relation, level)
            for sides in range(0, 13, 2):
                yield proved(claim, by_rule(claim, "normalised", [], sides))


def odd_optima() -> Iterator[Record]:
    """Optima over no datasets."""
    best = {
        "best": {
            "domain": {"records": [[["label", "a"], ["log", "2"]], [["label", "b"], ["log", "2"]]]},
            "relation": "ahdp",
            "level": EPS,
            "rows": [],
            "columns": ["0", "1"],
            "aims": [[[0, 0, "1"]]],
        },
        "value": "1",
        "bound": "=",
        "everywhere": False,
        "parameters": [],
        "name": "",
        "sense": "gain",
    }
    shown = {
        "is": "optimum",
        "claim": "",
        "lemmas": [],
        "numbers": [],
        "kernel": [],
        "rest": [],
        "prior": [],
        "prices": [],
        "flows": [],
    }
    for rows, aims in (([], [[[0, 0, "1"]]]), ([], []), ([[0, 0]], [])):
        said = {**best, "best": {**best["best"], "rows": rows, "aims": aims}}
        made = record(said, [], [])
        made["scope"] = {
            "inputs": "mechanisms on the listed datasets",
            "conditions": [],
            "defined": TRUE,
            "size": None,
            "compared": "not found",
        }
        yield sealed({**made, "certificate": shown})


def oddities() -> Iterator[Record]:
    """Power against laws that repeat themselves, levels with oo inside, and optima without rows."""
    yield from odd_densities()
    yield from odd_optima()


def minus_oo() -> Any:
    return minus(["oo"])


def negative_laws() -> Iterator[Record]:
    """Laws with outputs of both kinds that are negative at one value of the finite one, and have
    total 1 all the same.
    """
    b = ["name", "b"]
    weights = [
        "piecewise",
        ["piecewise", "3/4", ["==", b, "0"], "-1/4", TRUE],
        ["==", V, "0"],
        "1/4",
        TRUE,
    ]
    density = ["*", weights, laplace(S, b)]
    claim = law(ANSWERS, [["b", "finite", ["0", "1"]], ["s", "real", []]], density, "any", "0")
    marks = [["s", [{"e": b}]]]
    for event in (
        {"values": [["b", [{"e": "0"}]]]},
        {"values": [["b", [{"e": "0"}]]], "intervals": [["s", {"e": "0"}, None]]},
        {"values": [["b", [{"e": "1"}]]]},
    ):
        for before, after in ((["0"], ["1"]), (["1"], ["0"])):
            yield refuted(claim, example(before, after, (marks, marks), **event))


def negative_deltas() -> Iterator[Record]:
    """Enumerations of claims that all differences of probabilities are below a number below 0."""
    for delta in (["log", "1/2"], ["+", "1/2", "-1"], minus(["exp", "-1"])):
        yield enumerated(law(ANSWERS, BIT, "1/2", "any", "0", delta))
        yield enumerated(law(PEOPLE, BIT, "1/2", "ahdp", "0", delta))


def twice_a_label() -> Iterator[Record]:
    """A density of 2 n, where n may be the label NULL."""
    with_atom = real_of("n", ["*", "1/4", laplace(N)], atoms=[[["label", "NULL"], "1/2"]])
    doubled = about(
        composite("post_process", [with_atom], [["*", "2", N]], released=[["t", "real", []]]),
        "ahdp",
        "0",
    )
    for number in (2, 4, 8):
        premise = record(with_atom, [CLOSED], [0] * number, one_piece(1, "0"))["certificate"]
        yield proved(doubled, by_rule(doubled, "written_out", [premise], 0))


def pulled_back() -> Iterator[Record]:
    """False claims about pull_back: with formulas substituted for what a record becomes, they look
    true.

    A record of demand oo becomes one of demand 1/oo = 0, which counts, while 1/eps is 0 for no
    demand on its way to oo.
    """
    known = [["x", TRUE], ["eps", ["and", ["<=", "0", EPS], ["<", "0", EPS]]]]
    patient = {"unknowns": known, "parameters": []}
    idle = ["sum", ["piecewise", "1", ["==", EPS, "0"], "0", TRUE]]
    part = law(EVERYONE, [["n", "real", []]], ["*", "1/2", laplace(N, idle)], "ahdp", "5")
    premise = {**record(part, [CLOSED], [], one_piece(1, ["name", "@1"]))["certificate"]}
    for domain in (patient, {"records": [["1", ["oo"]]]}, {"records": [["1", "1"], ["1", ["oo"]]]}):
        claim = about(
            composite("pull_back", [part], [X, ["^", EPS, "-1"]], domain=domain), "ahdp", "0"
        )
        for number in (2, 4):
            yield proved(
                claim, by_rule(claim, "written_out", [{**premise, "uses": [0] * number}], 0)
            )
    # a record that is not in the domain of the part, whose law does not cover it
    first = coin()
    shown = record(first, [CLOSED], [0] * 4, one_piece(1))["certificate"]
    claim = about(composite("pull_back", [first], [["+", X, "5"], EPS], domain=PEOPLE), "ahdp", "0")
    yield proved(claim, by_rule(claim, "written_out", [shown], 0))
    inside = about(composite("compose", [claim]), "ahdp", "0")
    yield proved(inside, by_rule(inside, "written_out", [shown], 0))


def valueless() -> Iterator[Record]:
    """Releases by formulas that have no value at some output of an abstract part.

    Each formula is refused for one reason: of its divisors, logarithms, roots and branches one
    alone is unsafe.
    """
    part = assumed(outputs=[["n", "integer", []], ["s", "real", []]])
    bits = assumed(outputs=N_BIT)
    words = assumed(outputs=[["n", "finite", [["label", "a"], "1"]]])
    real, with_atom = (
        real_of("n"),
        real_of("n", ["*", "1/4", laplace(N)], atoms=[[["label", "NULL"], "1/2"]]),
    )
    for source, formulas in (
        (part, VALUELESS),
        (bits, ("1/n", "log(n)", "log(n - 1)", "n^(-1/2)")),
        (words, ("2*n", 'piecewise((n, n == "a"), (0, true))')),
        (
            with_atom,
            (
                "2*n",
                "abs(n)",
                "piecewise((n, exp(n) > 0), (0, true))",
                "piecewise((2*n, n < oo), (0, true))",
            ),
        ),
        (
            real,
            (
                "1/n",
                "n + 0/(n - 3)",
                "piecewise((n, n > 0))",
                "log(n)",
                "n*piecewise((1, 1/n > 0), (1, true))",
                "piecewise((oo, n > 0), (1, true))",
            ),
        ),
    ):
        level = EPS if "assumed" in source["mechanism"] else "0"
        for formula in formulas:
            made = composite(
                "post_process", [source], [to_json(parse(formula))], released=[["t", "real", []]]
            )
            claim = about(made, "ahdp", level)
            premises = [proof(source)]
            if "atoms" in source["mechanism"]:
                shown = [
                    record(source, [CLOSED], [0] * number, one_piece(1, "0"))["certificate"]
                    for number in (2, 4, 8)
                ]
                premises += shown
                for premise in (NO_PREMISE, *shown):
                    yield proved(claim, by_rule(claim, "written_out", [premise], 0))
            for premise in premises:
                yield proved(claim, by_rule(claim, "post_process", [premise], 0))
    # refuted by what the law would be if the label stayed as it is
    withheld = ["^", ["+", "2", COUNT], "-1"]
    shy = real_of(
        "n",
        ["*", "1/2", ["+", "1", minus(withheld)], laplace(N)],
        atoms=[[["label", "NULL"], withheld]],
    )
    marks = [["t", [{"e": "0"}]]]
    inner = example(
        ["0", "0"], ["1", "0"], (marks, marks), atoms=[{"e": ["label", "NULL"]}], continuous=False
    )
    for formula in (
        "piecewise((n, exp(n) > 0), (0, true))",
        "piecewise((n, 0 < 1 or 1/n > 0), (0, true))",
        "2*n",
    ):
        made = composite(
            "post_process", [shy], [to_json(parse(formula))], released=[["t", "real", []]]
        )
        yield refuted(about(made, "ahdp", "0"), of_instance([], inner))


VALUELESS = (
    "1/n",
    "s/(n - 3)^2",
    "s^(1/2)",
    "log(s)",
    "mod(s, n)",
    "binomial(n, 2)",
    "1 + 1/n",
    "exp(log(s))",
    "piecewise((1/n, n >= 0), (0, true))",
    "piecewise((0, 1/n > 0), (1, true))",
    "piecewise((0, 1/n > 0 and s > 0), (1, true))",
    "piecewise((0, not (log(s) > 0)), (1, true))",
    "piecewise((1, n > 0))",
    "piecewise((s, n > 0), (0, n < 0))",
)


def along_a_formula() -> Iterator[Record]:
    """False claims about a part that is defined by a sum over what the records become, which at
    demand oo is not a limit.

    (0, oo) becomes (0, 0), which does not count; the sum over indicator(1/eps > 0) would tend to 1.
    """

    def counted(demand: Any) -> Any:
        return ["<=", "1", ["sum", ["piecewise", "1", ["<", "0", demand], "0", TRUE]]]

    listed = {"records": [["0", "0"], ["0", "1"]]}
    for inputs, domain, formula in (
        (listed, {"records": [["0", "1"], ["0", ["oo"]]]}, ["^", EPS, "-1"]),
        (EVERYONE, {"records": [["0", "1"], ["0", ["oo"]]]}, ["^", EPS, "-1"]),
        (EVERYONE, EVERYONE, ["exp", minus(EPS)]),
    ):
        part = law(inputs, N_BIT, "1/2", "ahdp", "0", defined=counted(EPS))
        claim = about(composite("pull_back", [part], [X, formula], domain=domain), "ahdp", "0")
        whole = about(composite("compose", [claim]), "ahdp", "0")
        for number in (2, 4, 8):
            shown = record(part, [CLOSED], [0] * number, one_piece(1))["certificate"]
            for said, name in (
                (claim, "pull_back"),
                (claim, "written_out"),
                (whole, "written_out"),
            ):
                made = proved(said, by_rule(said, name, [shown], 0))
                yield sealed({**made, "scope": {**made["scope"], "defined": counted(formula)}})


def unknown_values() -> Iterator[Record]:
    """Composites of which something is neither found nor shown, and values that are written in two
    ways.
    """
    free = assumed(outputs=[["n", "real", []]])
    near = assumed(outputs=[["n", "finite", [HIDDEN, "1"]]])
    for first, condition in ((free, ["<", "0", N]), (near, ["<=", "0", N])):
        later = assumed(
            outputs=[["m", "finite", ["0", "1"]]], name="b", parameters=[["n", condition]]
        )
        claim = about(composite("compose", [first, later]), "ahdp", ["*", "2", EPS])
        for sides in (0, 2):
            yield proved(claim, by_rule(claim, "compose", [proof(first), proof(later)], sides))
    two = assumed(outputs=[["n", "finite", [ROOT, "1"]]])
    for formula, values in (
        (N, [SAME, "1"]),
        (["+", N, minus(SAME)], ["0", ["+", "1", minus(SAME)]]),
    ):
        claim = about(
            composite("post_process", [two], [formula], released=[["t", "finite", values]]), "ahdp"
        )
        yield proved(claim, by_rule(claim, "post_process", [proof(two)], 0))
    for defined in (["<=", SUM, "5"], ["or", ["<=", COUNT, "1"], ["<=", "4", COUNT]]):
        part = coin(defined=defined)
        claim = about(composite("subsample", [part], ["1/2"]), "ahdp", "0")
        for number, sides in itertools.product((2, 4, 6, 8), (4, 6, 8)):
            shown = record(part, [CLOSED], [0] * number, one_piece(1))["certificate"]
            yield proved(claim, by_rule(claim, "subsample", [shown], sides))
    # 1/(1 + sqrt(2)) is sqrt(2) - 1
    root = ["^", "2", "1/2"]
    twice = [["^", ["+", "1", root], "-1"], ["+", root, "-1"]]
    yield enumerated(law(PEOPLE, [["s", "finite", twice]], "1/2", "ahdp"))
    yield enumerated(law(ANSWERS, [["s", "finite", twice]], "1/2", "any"))
    yield record(
        law(PEOPLE, [["s", "finite", twice]], "1/2", "ahdp"), [CLOSED], [0] * 8, one_piece(1)
    )


# checks of the stand-alone checker alone


RELEASED = law(
    PEOPLE,
    BIT,
    bit(
        ["piecewise", "1/3", ["<", COUNT, "1"], "2/3", TRUE],
        ["piecewise", "2/3", ["<", COUNT, "1"], "1/3", TRUE],
    ),
    "ahdp",
    "0",
)
BIT_IS_1 = {"outcomes": [[{"e": "1"}]]}
ONE_OR_NONE = ["1", "0"], ["0", "0"]


def unfitting_evidence() -> Iterator[Record]:
    """Evidence that does not fit the claim that it is brought for."""
    both = [["eps", "finite", ["0"]]]
    yield record(
        law(PEOPLE, both, "1", "ahdp", parameters=[["eps", TRUE]]), [CLOSED], [0] * 2, one_piece(1)
    )
    square = statement("0", "<=", ["^", Q, "2"], [["q", ["<", "0", Q]]], gaps=1, form="direct")
    one_fact = {"is": "products", "terms": [[{"q": "1"}, [0]]]}
    yield changed(square, evidence=[{**CLOSED, "form": "direct", "proofs": [one_fact]}])
    e = ["exp", Q]
    for gap, bound in (
        (["+", e, minus(SAME)], ["==", e, ROOT]),
        (["+", e, "1"], ["<=", "0", ["+", "1", ["*", HIDDEN, Q]]]),
        (["+", e, "1"], ["<=", "0", ["+", "1", ["*", HIDDEN, e]]]),
    ):
        made = statement("0", "<=", gap, [["q", bound]], gaps=1, form="direct")
        made["certificate"]["evidence"][0]["proofs"] = [
            {"is": "exp sign", "low": 0, "high": None, "factors": []}
        ]
        yield sealed(made)
    mixed = changed(
        record(coin(), [CLOSED], [0] * 4, one_piece(1)), conditions=[{"e": "1"}], counts=True
    )
    yield mixed
    slack = law(ANSWERS, BIT, REPLY, "any", "0", "1/3")
    yield record(slack, [divergence(["whole", "whole"], "0")], [0, 0], one_piece(2))
    yield record(
        {**slack, "delta": "1"}, [divergence(["whole", "whole"], "0")], [0, 0], one_piece(2)
    )
    plain = about(composite("compose", [coin()]), "ahdp", "0")
    listed = record(coin(), [{"is": "enumeration", "size": 2}], [])["certificate"]
    yield proved(plain, by_rule(plain, "written_out", [listed], 0))
    mechanism = {**assumed()["mechanism"], "assumed": ["hdp", EPS, "0"]}
    part = about(mechanism, "hdp")
    whole = {**about(composite("compose", [part]), "hdp"), "public": ["x"]}
    yield proved(whole, by_rule(whole, "compose", [by_rule(part, "assumed", [], 0)], 0))
    inner = about({**assumed()["mechanism"], "inputs": EVERYONE}, "ahdp")
    for formula in (minus(EPS), ["+", EPS, "-1"]):
        claim = about(composite("pull_back", [inner], [X, formula], domain=EVERYONE), "ahdp")
        for sides in range(3):
            yield proved(
                claim, by_rule(claim, "pull_back", [by_rule(inner, "assumed", [], 0)], sides)
            )


def unkept_conditions() -> Iterator[Record]:
    """Refutations of composites whose rule requires what their parts do not satisfy."""
    bit_s = law(PEOPLE, BIT, "1/2", "ahdp", "0")
    far = ["3", "0"], ["2", "0"]
    nonnegative = {"unknowns": [["x", ["<=", "0", X]], ["eps", ["<=", "0", EPS]]], "parameters": []}
    of_positive = law(
        nonnegative,
        BIT,
        bit(["^", ["+", "1", SUM], "-1"], ["+", "1", minus(["^", ["+", "1", SUM], "-1"])]),
        "ahdp",
        "0",
    )
    given = [[["x", {"e": "1"}], ["eps", {"e": "1"}]]]
    beside = law(
        PEOPLE,
        [["s", "finite", ["0", "1"]], ["r", "real", []]],
        ["*", "1/4", laplace(["name", "r"])],
        "ahdp",
        "0",
    )
    released = [["t", "finite", ["0", "1", "2"]], ["u", "real", []]]
    twice = law(PEOPLE, [["s", "finite", ["0", "1"]]], "1/2", "ahdp", "0")
    for made, (before, after), size, extra in (
        (composite("mixture", [RELEASED, bit_s], ["3/2", "-1/2"]), ONE_OR_NONE, None, {}),
        (composite("mixture", [RELEASED, bit_s], ["1/2", "1/3"]), ONE_OR_NONE, None, {}),
        (composite("subsample", [RELEASED], ["2"]), ONE_OR_NONE, 1, {}),
        (composite("subsample", [RELEASED], ["-1"]), ONE_OR_NONE, 1, {}),
        (composite("subsample", [RELEASED], ["1/2"]), far, 2, {}),
        (composite("subsample", [RELEASED], ["1/2"]), far, 3, {}),
        (
            composite("pull_back", [of_positive], [minus(X), EPS], domain=EVERYONE),
            (["1"], ["0"]),
            None,
            {"instances": given},
        ),
        (
            composite("pull_back", [RELEASED], [["+", X, "5"], EPS], domain=PEOPLE),
            ONE_OR_NONE,
            None,
            {},
        ),
        (
            composite("post_process", [beside], [S, ["name", "r"]], released=released),
            ONE_OR_NONE,
            None,
            {},
        ),
        (composite("compose", [twice, RELEASED]), ONE_OR_NONE, None, {}),
    ):
        claim = about(made, "ahdp", "0")
        points = ([], [])
        if made["rule"] == "post_process":
            points = ([["u", [{"e": "0"}]]], [["u", [{"e": "0"}]]])
            yield refuted(
                claim,
                of_instance([], example(before, after, points, values=[["t", [{"e": "1"}]]]), size),
            )
            continue
        yield refuted(
            claim, of_instance([], example(before, after, points, **extra, **BIT_IS_1), size)
        )


def unshown_signs() -> Iterator[Record]:
    """Signs of constants and of parameters that nothing shows."""
    c, d = ["name", "c"], ["name", "d"]
    uniform = law(
        PEOPLE,
        REAL,
        ["piecewise", ["^", d, "-1"], ["and", ["<", c, S], ["<", S, ["+", c, d]]], "0", TRUE],
        "ahdp",
        ["oo"],
        parameters=[["c", TRUE], ["d", ["<=", "0", d]]],
    )
    yield record(uniform, [], [], one_piece(1, c, ["+", c, d]))
    # a divisor, and what stands under a logarithm, above 0 by no more than an enclosure can show
    hair = ["log", ["+", "1", ["exp", "-10000"]]]
    for delta in (["^", hair, "-1"], ["log", hair]):
        yield enumerated(law(PEOPLE, BIT, "1/2", "ahdp", "0", delta))
        yield enumerated(law(ANSWERS, BIT, "1/2", "any", "0", delta))
    for first in (CLOSED, WORD, split_of_q()):
        yield changed(enumerated(coin()), evidence=[first, {"is": "enumeration", "size": 2}])


def unlike_instances() -> Iterator[Record]:
    """Refutations by instances that are not what was assumed."""
    # invalid instances
    wanted = about(
        {
            "name": "a",
            "inputs": PEOPLE,
            "assumed": ["ahdp", "1", "0"],
            "outputs": BIT,
            "parameters": [],
        },
        "ahdp",
        "1",
    )
    claim = about(composite("compose", [wanted]), "ahdp", "0")
    kept = {**RELEASED, "level": "1"}
    shown = record(kept, [CLOSED], [0] * 8, one_piece(1))["certificate"]
    late = law(PEOPLE, BIT, "1/2", "ahdp", "1", defined=["<=", "1", COUNT])
    tuned = law(PEOPLE, BIT, "1/2", "ahdp", "1", parameters=[["c", TRUE]])
    whole = about(composite("compose", [kept]), "ahdp", "1")
    hdp = about(
        {
            "name": "a",
            "inputs": PEOPLE,
            "assumed": ["hdp", "1", "0"],
            "outputs": BIT,
            "parameters": [],
        },
        "hdp",
        "1",
    )
    of_hdp = about(composite("compose", [hdp]), "hdp", "0")
    public = {**law(PEOPLE, BIT, "1/2", "hdp", "1"), "public": ["x"]}
    at = example(*ONE_OR_NONE, **BIT_IS_1)
    for said, one, proof_ in (
        (claim, kept, shown),
        (claim, whole, by_rule(whole, "compose", [shown], 1)),
        (claim, late, record(late, [CLOSED], [0] * 4, one_piece(1))["certificate"]),
        (claim, tuned, record(tuned, [CLOSED], [0] * 4, one_piece(1))["certificate"]),
        (of_hdp, public, record(public, [], [], one_piece(1))["certificate"]),
    ):
        yield refuted(said, of_instance([[one, proof_]], at))


def close_probabilities() -> Iterator[Record]:
    """Events whose probabilities no enclosure separates, or no law gives."""
    # a probability that is too small to be distinguished from 0, under the second input of the
    # refutation
    tiny = ["exp", "-10000"]
    step = law(
        ANSWERS,
        REAL,
        ["piecewise", ["*", "1/4", laplace(S)], ["==", V, "0"], ["*", "1/2", laplace(S)], TRUE],
        "any",
        "0",
        atoms=[["0", ["piecewise", "1/2", ["==", V, "0"], "0", TRUE]]],
    )
    marks = [["s", [{"e": "0"}, {"e": tiny}]]]
    yield refuted(
        step, example(["0"], ["1"], (marks, marks), intervals=[["s", {"e": "0"}, {"e": tiny}]])
    )
    yield refuted(
        step,
        example(["0"], ["1"], (marks, marks), atoms=[{"e": "0"}, {"e": "0"}], continuous=False),
    )
    r = ["name", "r"]
    tied = law(
        ANSWERS,
        [["s", "real", []], ["r", "real", []]],
        ["*", "1/4", laplace(S), ["exp", minus(["*", ["abs", r], ["+", "1", ["^", S, "2"]]])]],
        "any",
    )
    marks = [["s", [{"e": "0"}]], ["r", [{"e": "0"}]]]
    yield refuted(tied, example(["0"], ["1"], (marks, marks), intervals=[["s", {"e": "0"}, None]]))


def unpriced_optima() -> Iterator[Record]:
    """Powers and optima of odd inputs, without the numbers that they need."""
    noisy = law(ANSWERS, REAL, ["*", "1/2", laplace(S, V)], "any", "1")["mechanism"]
    yield GUESS(
        noisy, inputs=[["0"], ["1"]], points=[], test=[[1, 0]], winners=[0], low="0", high="1"
    )
    yield GUESS(numbers=[{"e": x} for x in ("0", "1", "-1", "2")], prior=[2, 3])
    domain = {"records": [[["label", "a"], ["log", "2"]], [["label", "b"], ["log", "2"]]]}
    odd = {"records": [[["label", "a"], "1"], [["vector", "0", "1"], "1"]]}
    for where, parameters in (
        (domain, [["p", TRUE], ["p", TRUE]]),
        (odd, []),
        ({"records": []}, []),
    ):
        task = {
            "domain": where,
            "relation": "ahdp",
            "level": EPS,
            "rows": [[0, 0]],
            "columns": ["0"],
            "aims": [[[0, 0, "1"]]],
        }
        said = {
            "best": task,
            "value": "1",
            "bound": "=",
            "everywhere": False,
            "parameters": parameters,
            "name": "",
            "sense": "gain",
        }
        made = record(said, [], [])
        made["scope"] = {
            "inputs": "mechanisms on the listed datasets",
            "conditions": [],
            "defined": TRUE,
            "size": None,
            "compared": "not found",
        }
        nothing = {
            "is": "optimum",
            "claim": "",
            "lemmas": [],
            "numbers": [],
            "kernel": [],
            "rest": [],
            "prior": [],
            "prices": [],
            "flows": [],
        }
        yield sealed({**made, "certificate": nothing})


def uncovered_cases() -> Iterator[Record]:
    """Evidence in cases that is not valid."""
    for other in (CLOSED, PIECES, WORD, NO_MASS, divergence([]), split_of_q()):
        made = statement("0", "<=", "1", [["q", TRUE]], gaps=1, form="direct")
        yield changed(made, evidence=[{**split_of_q(), "cases": [[">=", other], ["<", other]]}])


def alone() -> Iterator[Record]:
    """Records that come to checks of `proofs/recheck/` which the kernel has elsewhere."""
    yield from unfitting_evidence()
    yield from unkept_conditions()
    yield from unshown_signs()
    yield from unlike_instances()
    yield from close_probabilities()
    yield from unpriced_optima()
    yield from uncovered_cases()


GRAMMAR = (
    "piecewise((1 < 2, x == 1), (0, true))",
    "piecewise((1 == 1, true))",
    "piecewise((1), (0, true))",
    "piecewise((1 x == 1))",
    "piecewise((1; true))",
    "total(k 2, k, 1, 2)",
    "total(k, k k, 1, 2)",
    "total(k, k, 1 1, 2)",
    "total(k, k, 1, 2 2)",
    "total(k, k, 1, (2",
    "total(k, k, 1, 2",
    "product((k, k, 1, 2",
    "total(k) 3",
    " + ".join(["10^1000"] * 3) + " + 10^1233 * 10^1200",
    "*".join(["99999999999999999999"] * 100),
    "product(10^100, k, 1, 50)",
    "1/3 + " + " + ".join(f"1/{10**300 + 2 * i + 1}" for i in range(8)),
    "-" * 150 + "1",
    "exp(" * 90 + "1" + ")" * 90,
    "ordered(x 2)",
    "ordered(x)",
    "^".join(["x"] * 300),
)


def main() -> None:
    kinds_ = (
        evidence(),
        facts(),
        signs(),
        regions(),
        dependent_totals(),
        unlike_exponentials(),
        compared(),
        guesses(),
        meanings(),
        kinds(),
        written_out(),
        rules(),
        events(),
        totals(),
        undecided(),
        oddities(),
        negative_laws(),
        negative_deltas(),
        twice_a_label(),
        pulled_back(),
        valueless(),
        along_a_formula(),
        unknown_values(),
        alone(),
        ({"text": text} for text in GRAMMAR),
    )
    for made in itertools.chain(*kinds_):
        print(json.dumps(made, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    main()
