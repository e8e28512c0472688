"""Records that are built to reach checks of the stand-alone checker alone."""

from __future__ import annotations

from collections.abc import Iterator

from forge import Record, sealed
from hand_parts import (
    ANSWERS,
    BIT,
    CLOSED,
    COUNT,
    EPS,
    NO_MASS,
    PEOPLE,
    REAL,
    SUM,
    TRUE,
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
    proved,
    record,
    refuted,
    statement,
)
from reach_claims import GUESS, split_of_q
from reach_parts import (
    EVERYONE,
    HIDDEN,
    PIECES,
    REPLY,
    ROOT,
    SAME,
    WORD,
    changed,
    divergence,
    laplace,
)

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
