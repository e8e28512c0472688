"""Records about zCDP, Rényi DP and GDP: most claim a bound that is too small, or are about a law
that is none.

    python checks/divergences.py > OUT.jsonl

In each of them the evidence would suffice for another claim: of zCDP for GDP, of one output for
two, of a part without delta, of means that move where the variance moves too.
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
from hand_parts import (
    ANSWERS,
    BIT,
    CLOSED,
    COUNT,
    GIVES_1,
    N_BIT,
    NO_MASS,
    PEOPLE,
    REAL,
    SUM,
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
    example,
    law,
    minus,
    moves,
    of_instance,
    one_piece,
    proof,
    proved,
    record,
    refuted,
    stated,
    stored,
    vectors,
)

DIRECT = {**CLOSED, "form": "direct", "proofs": [None]}
SIGNS = {"values": ["-1", "1"]}
FAR = {"records": [["-1", "1"], ["1", "1"]]}
LARGEST = ["maximum", X]
REPLY = ["piecewise", bit("1/3", "2/3"), ["==", V, "0"], bit("2/3", "1/3"), ["boolean", True]]
TWO_BITS = [["s", "finite", ["0", "1"]], ["r", "finite", ["0", "1"]]]
PLANE = [["s", "real", []], ["r", "real", []]]


def notion(bounds: Any, word: str = "zcdp", order: Any = None) -> Any:
    return {"notion": word, "order": order, "bounds": bounds}


def words(bounds: Any) -> Iterator[Any]:
    """The claim in each notion."""
    yield from (notion(bounds), notion(bounds, "renyi", "2"), notion(bounds, "gdp"))


def bell(mean: Any, variance: Any = "1", output: Any = S) -> Any:
    """The density of a normal output."""
    far = ["^", ["+", output, minus(mean)], "2"]
    scale = ["^", ["*", "2", ["pi"], variance], "-1/2"]
    return ["*", ["exp", ["*", "-1/2", far, ["^", variance, "-1"]]], scale]


def laplace(centre: Any, output: Any = S) -> Any:
    return ["*", "1/2", ["exp", minus(["abs", ["+", output, minus(centre)]])]]


def many(claim: Any, evidence: list[Any], mass: Any = NO_MASS, **more: Any) -> Iterator[Record]:
    """The claim with one piece of evidence for each of several numbers of moves."""
    for uses in (1, 2, 4):
        made = record(claim, evidence, [0] * uses, mass)
        yield sealed({**made, "certificate": made["certificate"] | more})


def divergence(points: Any = (), form: str = "direct", choices: Any = ()) -> Any:
    made = {"is": "divergence", "lemmas": [], "points": [{"e": p} for p in points]}
    final = {**CLOSED, "form": form, "proofs": [None]}
    return made | {"choices": list(choices), "final": final}


def range_of(level: Any, leaves: int) -> Any:
    said = {"is": "separate", "lemmas": [], "form": "log", "levels": [{"e": level}]}
    return said | {"leaves": [CLOSED] * leaves, "proofs": [None]}


# evidence of a bound


def normal_laws() -> Iterator[Record]:
    """Laws that are not normal, or whose variance moves, with evidence for normal ones."""
    odd = (
        law(PEOPLE, REAL, bell("0", ["+", "1", COUNT]), "ahdp"),
        law(PEOPLE, REAL, minus(bell("0")), "ahdp"),
        law(PEOPLE, REAL, ["*", S, bell("0")], "ahdp"),
        law(PEOPLE, REAL, ["*", ["^", S, "2"], bell("0")], "ahdp"),
        law(PEOPLE, REAL, bell("0"), "ahdp", atoms=[["0", "1/2"]]),
        law(PEOPLE, WHOLE, bell("0"), "ahdp"),
        law(PEOPLE, REAL, laplace("0"), "ahdp"),
        law(PEOPLE, REAL, ["exp", ["*", "-1", ["^", S, "4"]]], "ahdp"),
        law(PEOPLE, REAL, bell(LARGEST), "ahdp", "5"),
        law(PEOPLE, REAL, bell(SUM), "ahdp", "-1"),
        law(PEOPLE, REAL, bell(SUM), "ahdp", minus(X)),
        law(PEOPLE, REAL, bell(SUM), "ahdp", ["*", "1/4", X]),
        law(PEOPLE, REAL, bell(["+", SUM, S]), "ahdp", "5"),
        law(PEOPLE, PLANE, bell("0"), "ahdp"),
        law(PEOPLE, PLANE, ["*", bell("0"), bell(S, "1", ["name", "r"])], "ahdp"),
        law(PEOPLE, PLANE, ["*", bell("0"), bell("0", "1", ["name", "r"]), S], "ahdp"),
    )
    for bounds in odd:
        for claim in words(bounds):
            yield from many(claim, [DIRECT])
    good = law(PEOPLE, REAL, bell(SUM), "ahdp", X)
    for claim in words(good):
        yield from many(claim, [DIRECT], conditions=[{"e": "1"}])
        yield from many(claim, [{**DIRECT, "form": "log"}])
        yield from many(claim, [divergence()])


def divergences() -> Iterator[Record]:
    """Divergences of bits and of Laplace noise, with evidence of another kind or of other laws."""
    flat = law(ANSWERS, BIT, REPLY, "any", ["*", "1/4", ["log", "2"]])
    direct = {**range_of(["*", "2", ["log", "2"]], 2), "leaves": [DIRECT] * 2}
    for level in ("1/5", "0", "-1"):
        for claim in words({**flat, "level": level}):
            yield from many(claim, [direct], one_piece(2))
    pieces = (
        *(CLOSED, DIRECT, divergence(), divergence(form="log"), range_of("0", 2)),
        *(range_of(["log", "2"], 2), range_of(["log", "4"], 2), range_of(["log", "4"], 0)),
        divergence(choices=[{"is": "choice", "counts": "none", "why": CLOSED}]),
        {**range_of(["log", "4"], 2), "levels": []},
        {**range_of(["log", "4"], 2), "proofs": []},
        {**divergence(), "final": {**DIRECT, "proofs": []}},
    )
    small = ["*", "1/100", ["log", "2"]]
    for level, piece in itertools.product((flat["level"], small, "0", "5", "-1"), pieces):
        for claim in words({**flat, "level": level}):
            yield from many(claim, [piece], one_piece(2))
    noisy = law(PEOPLE, REAL, laplace(COUNT), "add-remove", "0")
    for piece in (range_of("0", 0), range_of("0", 1), divergence(), divergence(["0"])):
        for claim in words(noisy):
            yield from many(claim, [piece], one_piece(1, ["name", "@1"]))
    for second in (laplace("0", ["name", "r"]), bell("0", "1", ["name", "r"])):
        both = law(PEOPLE, PLANE, ["*", laplace(COUNT), second], "add-remove", "0")
        first = one_piece(1, ["name", "@1"])["evidence"]
        mass = {**one_piece(1, "0"), "values": [{"e": "2"}, {"e": "2"}]}
        mass["evidence"] = [*first, *mass["evidence"]]
        for claim in words(both):
            yield from many(claim, [divergence([["name", "@1"]])], mass)
            yield from many(claim, [range_of("0", 0)], mass)
    largest = ["*", "1/2", LARGEST]
    of_largest = law(PEOPLE, BIT, bit(largest, ["+", "1", minus(largest)]), "ahdp", "5")
    for claim in words(of_largest):
        yield from many(claim, [divergence()], one_piece(1))


# rules with premises


def with_sides(claim: Any, rule: str, premises: list[Any], said: Any = None) -> Iterator[Record]:
    for sides, version in (*((n, 1) for n in range(5)), (1, 2)):
        yield proved(claim, by_rule(claim, rule, premises, sides, said, version))


def of_bell(claim: Any, uses: int) -> Any:
    """What shows a bound of a normal output."""
    return record(claim, [DIRECT], [0] * uses)["certificate"]


def converted() -> Iterator[Record]:
    """Conversions to another notion than the rule gives, from premises with a delta or about other
    moves.
    """
    rate = ["*", ["log", "2"], "1/3"]
    for delta, level in itertools.product(("0", "1/10"), (["log", "2"], ["oo"])):
        given = assumed("ahdp", level, delta)
        m = given["mechanism"]
        for bound, other in itertools.product((rate, "0", "1/5"), (delta, "0")):
            for claim in (*words(about(m, "ahdp", bound)), about(m, "ahdp", bound, delta)):
                for rule in ("pure_to_zcdp", "gdp_to_zcdp", "zcdp_to_renyi", "assumed", "weaken"):
                    said = None if rule == "assumed" else stated("ahdp", level, other)
                    shown = [] if rule == "assumed" else [proof(given)]
                    yield from with_sides(claim, rule, shown, said)
    small = law(PEOPLE, REAL, bell(SUM), "ahdp", "1")
    for word, bound, target in itertools.product(
        ("zcdp", "gdp"), ("1/2", "1", ["oo"], "0"), ("1/4", "1/2", "1")
    ):
        before = notion({**small, "level": bound}, word)
        for claim in words({**small, "level": target}):
            for rule in ("gdp_to_zcdp", "zcdp_to_renyi", "weaken", "zcdp_to_delta"):
                for said in (stated("ahdp", bound), stated("swap", bound)):
                    yield from with_sides(claim, rule, [of_bell(before, 4)], said)
    far = law(FAR, REAL, bell(SUM), "ahdp", "1/2")
    for claim in words({**far, "relation": "swap", "level": "1"}):
        before = {**claim, "bounds": far}
        for rule in ("to_swap", "weaken", "group"):
            yield from with_sides(claim, rule, [of_bell(before, 4)], stated("ahdp", "1/2"))


def to_deltas() -> Iterator[Record]:
    """Levels and deltas that zCDP or GDP do not give."""
    base = law(PEOPLE, REAL, bell(SUM), "ahdp", "1")
    for word, bound in (("zcdp", "1/2"), ("gdp", "1"), ("zcdp", ["oo"]), ("gdp", ["oo"])):
        before = notion({**base, "level": bound}, word)
        for level, delta in itertools.product(("1/4", "1", "4", ["oo"]), ("0", "1/100", "1/2")):
            claim = {**base, "level": level, "delta": delta}
            for shown in (of_bell(before, 4), of_bell(notion({**base, "level": "9"}, word), 4)):
                said = stated("ahdp", bound)
                yield from with_sides(claim, f"{word}_to_delta", [shown], said)
            said = stated("ahdp", bound, "1/10")
            yield from with_sides(claim, f"{word}_to_delta", [of_bell(before, 4)], said)


def composed() -> Iterator[Record]:
    """Compositions of normal releases at less than what they spend, or with parts of another
    kind.
    """
    first = law(PEOPLE, [["n", "real", []]], bell(COUNT, "1", N), "ahdp", "1")
    second = law(PEOPLE, [["m", "real", []]], bell(SUM, "1", ["name", "m"]), "ahdp", "1")
    for rule, level in itertools.product(
        ("compose", "product", "mixture", "group"), ("1", "4/5", "2", "-2", ["oo"])
    ):
        weights = ["1/2", "1/2"] if rule == "mixture" else []
        for own, delta in itertools.product(("1", "1/2", ["oo"]), ("0", "1/10")):
            parts = [{**p, "level": own, "delta": delta} for p in (first, second)]
            whole = about(composite(rule, parts, weights), "ahdp", level)
            for claim in words(whole):
                shown = [of_bell({**claim, "bounds": p}, 4) for p in parts]
                yield from with_sides(claim, rule, shown)
                yield from with_sides(claim, rule, shown[:1])
                yield from with_sides(claim, rule, [*shown, shown[0]])
    formulas: tuple[Any, ...] = (["^", N, "-1"], ["log", N], ["+", "1", N], N)
    for f, level in itertools.product(formulas, ("1/2", "1", "5")):
        made = composite("post_process", [first], [f], released=[["t", "real", []]])
        for claim in words(about(made, "ahdp", level)):
            yield from with_sides(claim, "post_process", [of_bell({**claim, "bounds": first}, 4)])
    pairs = composite("group", [first])
    for claim in words(about(pairs, "pairs", "1")):
        yield from with_sides(claim, "group", [of_bell({**claim, "bounds": first}, 4)])
        yield from with_sides(claim, "group", [of_bell(first, 4)])


def written() -> Iterator[Record]:
    """Composites written out as one law, with too small a bound or without a meaning."""
    first = law(PEOPLE, [["n", "real", []]], bell(COUNT, "1", N), "ahdp", "1")
    second = law(PEOPLE, [["m", "real", []]], bell(SUM, "1", ["name", "m"]), "ahdp", "1")
    whole = composite("compose", [first, second])
    density = ["*", first["mechanism"]["density"], second["mechanism"]["density"]]
    joint = law(PEOPLE, [["n", "real", []], ["m", "real", []]], density, "ahdp")
    joint["mechanism"] |= {"name": "c"}
    for level in ("1/2", "1", "2", "-2"):
        for claim in words(about(whole, "ahdp", level)):
            inner = {**claim, "bounds": {**joint, "level": level}}
            for premise in (inner, {**inner, "bounds": {**joint, "level": "9"}}):
                for said in (None, stated("ahdp", level)):
                    yield from with_sides(claim, "written_out", [of_bell(premise, 4)], said)
            yield from with_sides(claim, "written_out", [of_bell(inner, 4)] * 2)
            yield proved(claim, of_bell(claim, 4))
        for claim in words({**first, "level": level}):
            yield from with_sides(claim, "written_out", [of_bell(claim, 4)])
    base = coin()
    for f, kind in itertools.product((["^", N, "-1"], ["log", N], "5"), ("real", "finite")):
        listed = [["t", kind, ["0", "1"] if kind == "finite" else []]]
        made = composite("post_process", [base], [f], released=listed)
        for claim in words(about(made, "ahdp", "0")):
            yield from with_sides(claim, "written_out", [proof(base)])


def of_scores() -> Iterator[Record]:
    """Mechanisms that normalise scores, with another notion or a range that is too small."""
    score = ["*", ["name", "t"], SUM]
    for low, high in (("0", X), ("0", ["*", "1/2", X]), (X, "0"), ("0", ["oo"]), ("0", "0")):
        made = composite(
            "normalised",
            [],
            [score, low, high],
            domain=PEOPLE,
            released=[["t", "finite", ["0", "1"]]],
        )
        eighth = ["*", "1/8", ["^", X, "2"]]
        for level in (eighth, ["*", "1/16", X], "0", "1", ["oo"]):
            bounds = about(made, "ahdp", level)
            for claim in (*words(bounds), bounds):
                for said in (None, stated("ahdp", level)):
                    for sides in range(9):
                        yield proved(claim, by_rule(claim, "scores_to_zcdp", [], sides, said))
        for relation in ("swap", "hdp", "add-remove"):
            claim = notion(about(made, relation, "5"))
            for sides in range(9):
                yield proved(claim, by_rule(claim, "scores_to_zcdp", [], sides))
    first = law(PEOPLE, REAL, bell(COUNT), "ahdp", "1")
    for claim in words(first):
        yield from with_sides(claim, "scores_to_zcdp", [])


def rules() -> Iterator[Record]:
    yield from converted()
    yield from to_deltas()
    yield from composed()
    yield from written()
    yield from of_scores()


# refutations


def tests_of_bits() -> Iterator[Record]:
    """Events and thresholds that show less than is said."""
    for level in ("0", "1/10", "1", "-1", ["oo"], ["log", "2"]):
        bounds = law(ANSWERS, BIT, REPLY, "any", level)
        sure = law(ANSWERS, BIT, bit(["+", "1", minus(V)], V), "any", level)
        for said, order in itertools.product(
            (*words(bounds), *words(sure)), (None, "-1", "0", "1", "2", "1/2", "-1/2", N)
        ):
            for event in (GIVES_1, {"outcomes": []}, {"outcomes": [[{"e": "0"}]]}):
                inner = example(["1"], ["0"], **event)
                yield refuted(said, {"order": order, "points": [], "counterexample": inner})
        inner = example(["1"], ["0"], **GIVES_1)
        for said in words(bounds):
            shown = {"order": "2", "points": [], "counterexample": inner}
            yield refuted(said, shown, {"counts": False, "mass": NO_MASS})


def refutations() -> Iterator[Record]:
    yield from tests_of_bits()
    base = coin()
    for f, kind in itertools.product((["^", N, "-1"], ["log", N], N, "5"), ("real", "finite")):
        listed = [["t", kind, ["0", "1"] if kind == "finite" else []]]
        made = composite("post_process", [base], [f], released=listed)
        for claim, order in itertools.product(words(about(made, "ahdp", "0")), (None, "2")):
            inner = example(["0", "0"], ["1", "0"], **GIVES_1)
            yield refuted(claim, {"order": order, "points": [], "counterexample": inner})
    noisy = law(PEOPLE, [["n", "real", []]], bell(COUNT, "1", N), "ahdp", "1")
    for f in (["^", N, "-1"], ["log", N]):
        made = composite("post_process", [noisy], [f], released=[["t", "real", []]])
        for claim in words(about(made, "ahdp", "0")):
            inner = example(["0", "0"], ["1", "0"])
            yield refuted(claim, {"order": None, "points": [], "counterexample": inner})
    order = ["name", "zz"]
    bounds = law(ANSWERS, BIT, REPLY, "any", "5")
    for wrong in (order, "1", "1/2", ["label", "a"], V, SUM):
        yield from many(notion(bounds, "renyi", wrong), [divergence()], one_piece(2))
    to = moves("0", "0", vectors())
    inner = example(["1"], ["0"], **GIVES_1)
    applied = {"applied": law({"queries": 1}, BIT, "1/2", "one"), "to": to}
    yield refuted(applied, inner)
    entry = [["n", {"e": "2"}], ["x[1]", {"e": "0"}], ["x[2]", {"e": "0"}], ["x[1]'", {"e": "1"}]]
    jump = moves(["name", "x[1]"], "1/2", vectors())
    yield refuted(jump, {"values": entry}, {"counts": False, "mass": NO_MASS})


# half-spaces of normal outputs, images of formulas, and answers at vectors


def half_spaces() -> Iterator[Record]:
    """Refutations of true claims about normal outputs by events that are no half-space, or have no
    larger probability.
    """
    t, u = ["name", "t"], ["name", "u"]
    plane = [["s", "real", []], ["t", "real", []]]
    law_of_two = ["*", bell(V), bell(V, "1", t)]
    spaces = (
        (plane, law_of_two),
        ([*plane, ["u", "real", []]], ["*", law_of_two, bell("0", "1", u)]),
    )
    bent = ["*", ["+", ["^", t, "2"], minus(t)], u]  # 0 where t is 0 or 1
    events: tuple[Any, ...] = (
        [["s", {"e": ["^", t, "2"]}, None]],
        [["s", {"e": "0"}, {"e": "1"}]],
        [["s", {"e": "0"}, None], ["t", {"e": "0"}, None]],
        [["s", {"e": bent}, None]],
        [["s", {"e": t}, None]],
        [["s", {"e": ["*", t, u]}, None]],
    )
    for (outputs, density), intervals in itertools.product(spaces, events):
        claim = law(ANSWERS, outputs, density, "any", "0", "1")
        yield refuted(claim, example(["0"], ["1"], ([], []), intervals=intervals))
        yield refuted({**claim, "delta": "0"}, example(["1"], ["0"], ([], []), intervals=intervals))


def images() -> Iterator[Record]:
    """Refutations by events on what formulas release, whose preimage is another or none."""
    bits = law(ANSWERS, N_BIT, "1/2", "any")
    noise = law(ANSWERS, [["n", "real", []]], laplace("0", N), "any")
    planes = law(ANSWERS, PLANE, ["*", laplace("0"), laplace("0", ["name", "r"])], "any")
    more = law(ANSWERS, [["m", "real", []]], laplace("0", ["name", "m"]), "any")
    for parts, output in (([bits], "n"), ([noise], "n"), ([planes], "s"), ([noise, more], "n")):
        made = composite("post_process", parts)
        if len(parts) == 1:
            made |= {"formulas": [["abs", ["name", output]]], "released": [["k", "real", []]]}
        for event, low in itertools.product(
            (
                {"intervals": [[output, {"e": "0"}, {"e": "1"}]]},
                {"intervals": []},
                {"intervals": [[output, None, None]], "continuous": False},
            ),
            ("0", N, "-1"),
        ):
            image = example([], [], intervals=[["k", {"e": low}, {"e": "1"}]])["event"]
            zero = [{"e": "0"}]
            marks = [[n, zero] for n, kind, _ in parts[0]["mechanism"]["outputs"] if kind == "real"]
            inner = example(["0"], ["1"], (marks, marks), **event)
            shown = {**of_instance([], inner), "image": image}
            for wrong in (shown, {**shown, "image": {**image, "more": []}}):
                yield refuted(about(made, "any", "0"), wrong)


def at_vectors() -> Iterator[Record]:
    """Refutations at vectors of claims without a meaning, or with a mass, or about programs."""
    good = stored("vectors-mean-with-noise-3")
    yield sealed({**good, "mass": {"counts": False, "mass": NO_MASS}})
    answer = ["name", "q[1]"]
    noise = law({"queries": 1}, [["n", "real", []]], laplace(answer, N), "one", "1")
    made = composite("post_process", [noise], [["^", N, "-1"]], released=[["t", "real", []]])
    bases: list[Any] = [about(made, "one", "1"), notion(about(made, "one", "1"))]
    people = {"domain": PEOPLE, "answers": [SUM]}
    steps = ["draw", "x", "laplace", "1", ["release", ["+", answer, X], ["stop"]]]
    for inputs, relation in (
        ({"queries": 1, "whole": True}, "all"),
        ({"queries": 1, "whole": False}, "all"),
        (people, "all"),
        (people, "add-remove"),
    ):
        program = {"name": "p", "parameters": [], "inputs": inputs, "start": steps, "states": []}
        said = {"program": program, "relation": relation, "level": "1", "delta": "0"}
        bases.append({**said, "queries": None})
    for base in bases:
        yield sealed({**good, "claim": {**good["claim"], "applied": base}})


ROOT = ["^", ["+", "5", ["*", "2", ["^", "6", "1/2"]]], "1/2"]
HIDDEN = ["+", ROOT, minus(["+", ["^", "2", "1/2"], ["^", "3", "1/2"]])]  # 0, which nothing shows


def boxes() -> Iterator[Record]:
    """Boxes without an end, or at a distance from the centre that is not decided."""
    good = stored("local-planar-laplace-unit-square-below")
    for low, high in (
        (None, "1"),
        ("1", None),
        (["+", "1", HIDDEN], "2"),
        ("0", ["+", "2", HIDDEN]),
    ):
        made = json.loads(json.dumps(good))
        row = made["counterexample"]["event"]["intervals"][0]
        row[1:] = [None if e is None else {"e": e} for e in (low, high)]
        yield sealed(made)


def open_box() -> Iterator[Record]:
    """A box in space that two of three outputs bound."""
    a, b, c = (["name", n] for n in "abc")
    squares = ["+", ["^", ["+", a, minus(V)], "2"], ["^", b, "2"], ["^", c, "2"]]
    density = ["*", "1/8", ["^", ["pi"], "-1"], ["exp", ["*", "-1", ["^", squares, "1/2"]]]]
    claim = law(ANSWERS, [[n, "real", []] for n in "abc"], density, "any", "1")
    ends = [{"e": "0"}, {"e": "1"}]
    yield refuted(claim, example(["0"], ["1"], ([], []), intervals=[["a", *ends], ["b", *ends]]))


def main() -> None:
    kinds = (
        *(normal_laws(), divergences(), rules(), refutations()),
        *(half_spaces(), images(), at_vectors(), boxes(), open_box()),
    )
    for made in itertools.chain(*kinds):
        print(json.dumps(made, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    main()
