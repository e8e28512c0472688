"""Forged composites, by rules whose side conditions need no proof; proofs that nothing is compared;
solver words.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from forge import Record, sealed
from hand_parts import (
    ANSWERS,
    BECOMES,
    BIT,
    CLOSED,
    COUNT,
    EPS,
    LABEL,
    ONE,
    PEOPLE,
    SHY,
    SUM,
    TRUE,
    WORDS,
    N,
    V,
    X,
    about,
    assumed,
    bit,
    by_rule,
    coin,
    composite,
    enumerated,
    law,
    minus,
    proof,
    proved,
    record,
    stated,
)

N_READ = ["name", "n"]
SIDES = range(10)  # more side conditions than a rule has


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
