"""Records of facts, products, covers and totals that are built to reach one check each."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from forge import Record, sealed
from hand_parts import (
    ANSWERS,
    CLOSED,
    REAL,
    TRUE,
    Q,
    S,
    example,
    law,
    minus,
    record,
    refuted,
    statement,
    stored,
)
from reach_parts import PIECES, changed, laplace


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


def dependent_totals() -> Iterator[Record]:
    """Laws of several outputs whose total is not 1, and events of whole outputs cut between
    them.
    """
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
