"""Records of claims that are not well formed, and of composites, that are built to reach one check
each.
"""

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
)
from reach_parts import EVERYONE, LARGEST, NEVER, ROOT, SAME, changed, laplace


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
