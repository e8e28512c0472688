"""Records with what divides by nothing known, or has no value, that are built to reach one check
each.
"""

from __future__ import annotations

import itertools
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
    ONE,
    PEOPLE,
    REAL,
    SUM,
    TRUE,
    WHOLE,
    N,
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
    statement,
)
from reach_claims import GUESS, NO_PREMISE, half, real_of, vague_of_c
from reach_parts import EVERYONE, HIDDEN, LARGEST, ROOT, SAME, changed, laplace

from ahdp_verify.kernel.terms.expression import to_json
from ahdp_verify.kernel.terms.grammar import parse


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
