"""Forgeries: claims that are wrong, or mean nothing, with evidence that looks right."""

from __future__ import annotations

import copy
import decimal
import functools
import json
import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from recheck import enclosures, exp_sign, forms, limits, records

from ahdp_verify.kernel import checker
from ahdp_verify.kernel.evidence.certificate import Certificate, Enumeration, Mass
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import assume
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.terms.expression import exp, log, name
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search import compose as combine
from ahdp_verify.search.verify import verify
from tests.earlier_formats import canonical, converted, sealed
from tests.recheck.asking import PROGRAM, RECORDS, ROOT, Record, answer, answer_unsealed, ways
from tests.sweeps import examples

W = Domain([(0, 1), (1, 2)])


def example(index: int) -> Record:
    """The proof (0) or refutation (1) of FORMAT.md."""
    blocks = (PROGRAM.parent / "FORMAT.md").read_text().split("```json\n")[1:]
    found = [json.loads(b.split("```")[0]) for b in blocks]
    return converted([r for r in found if "verdict" in r][index])


@functools.cache
def composed() -> str:
    """The record of a proof by rule: a count and a sum with Laplace noise, one after the other."""
    n, s = real("n"), real("s")
    count = ahdp(Mechanism(W, outputs=[n], density=parse("exp(-abs(n - size))/2"), name="count"), 1)
    total = ahdp(
        Mechanism(W, outputs=[s], density=parse("exp(-abs(s - sum(x)))/2"), name="sum"), name("x")
    )
    return json.dumps(verify(combine.compose(count, total)).to_json())


def sampled() -> Record:
    """The record of a proof about any log(4)-DP mechanism that is run on a sample."""
    base = assume(W, "add-remove", log(4))
    found: Record = verify(combine.subsample(base, parse("1/3"))).to_json()
    return found


def test_the_examples_of_the_format(tmp_path: Path) -> None:
    place = tmp_path / "r.json"
    assert answer(example(0), place)[0] == answer(example(1), place)[0] == "accepted"
    twice = example(0)
    twice["certificate"]["evidence"][1]["proofs"][0]["terms"][0][0]["q"] = "2"
    assert answer(twice, place) == ("rejected", "products do not add up to what they should")


def test_what_is_not_a_number_is_not_a_fact_number(tmp_path: Path) -> None:
    forged = example(0)
    forged["certificate"]["evidence"][1]["proofs"][0]["terms"][0][1][0] = True
    assert answer(forged, tmp_path / "r.json")[0] == "rejected"


def test_a_law_that_is_too_small_or_speaks_of_states_is_none(tmp_path: Path) -> None:
    halved, state = example(0), example(0)
    halved["claim"]["mechanism"]["density"][1] = "1/4"
    state["claim"]["mechanism"]["density"][2][1][2][1][2][2] = ["name", "@1"]
    assert [answer(r, tmp_path / "r.json")[0] for r in (halved, state)] == ["rejected"] * 2


def test_an_empty_case_has_to_be_empty(tmp_path: Path) -> None:
    for proofs in (
        [],
        [None],
        [{"is": "products", "terms": []}],
        [{"is": "products", "terms": [[{"q": "1"}, [0]]]}],
    ):
        forged = example(0)
        forged["claim"]["level"] = ["*", "1/2", ["name", "eps"]]
        forged["certificate"]["evidence"] = [
            {"form": "never", "is": "closed", "lemmas": [], "proofs": proofs}
        ] * 3
        assert answer(forged, tmp_path / "r.json")[0] == "rejected"


def test_fewer_or_other_obligations_than_the_claim_asks_for(tmp_path: Path) -> None:
    for uses in ([0, 0, 1], [0, 0, 1, 2, 0], [0, 0, 1, 1], [0, 0, 2, 1], [], [0, 0, 1, -1]):
        forged = example(0)
        forged["certificate"]["uses"] = uses
        assert answer(forged, tmp_path / "r.json")[0] == "rejected"


COMPARED = ("something", "nothing", "not found")


def test_scope_and_trusts_say_what_is_so(tmp_path: Path) -> None:
    place, record = tmp_path / "r.json", example(0)
    for key, said in (
        ("trusts", ["z3"]),
        ("verdict", "refuted"),
        ("verdict", None),
        ("mass", None),
    ):
        assert answer({**record, key: said}, place)[0] == "rejected"
    for format_ in (1, 2, True, "3", None):
        assert answer_unsealed(sealed({**record, "format": format_}), place)[0] == "rejected"
    x = ["<=", ["sum", "1"], "3"]
    for key, said in (
        ("inputs", "values"),
        ("conditions", [["boolean", True]]),
        ("defined", x),
        ("size", 3),
        *(("compared", c) for c in COMPARED if c != record["scope"]["compared"]),
    ):
        assert answer({**record, "scope": {**record["scope"], key: said}}, place)[0] == "rejected"
    for versions in ({}, {**record["made_by"], "flint": "a\nb"}, {**record["made_by"], "x": "1"}):
        assert answer({**record, "made_by": versions}, place)[0] == "rejected"


PAIR: Record = {
    "parameters": [],
    "instances": [],
    "before": [{"e": "0"}, {"e": "0"}],
    "after": [{"e": "0"}, {"e": "1"}],
}


def with_compared(record: Record, compared: Any, said: str) -> Record:
    return {**record, "compared": compared, "scope": {**record["scope"], "compared": said}}


def test_what_is_compared_is_a_move(tmp_path: Path) -> None:
    """One move of finite level leads from one input to the other, or the record is rejected."""
    place, record = tmp_path / "r.json", example(0)
    assert answer(with_compared(record, PAIR, "something"), place)[0] == "accepted"
    assert answer(with_compared(record, PAIR, "not found"), place)[0] == "rejected"
    two = [{"e": "0"}, {"e": "2"}]
    for wrong in ({"after": two}, {"after": PAIR["before"]}, {"parameters": [["a", {"e": "1"}]]}):
        changed = with_compared(record, {**PAIR, **wrong}, "something")
        assert answer(changed, place)[0] == "rejected"
    empty = {"counts": False, "evidence": [], "uses": []}
    for nothing in (empty, {**empty, "uses": [None, None]}, {**empty, "uses": [0, 0]}):
        assert answer(with_compared(record, nothing, "nothing"), place)[0] == "rejected"


def test_a_claim_that_compares_nothing_is_reported(tmp_path: Path) -> None:
    """Defined on the empty dataset only: each of the two moves ends where `defined` fails."""
    place, record = tmp_path / "r.json", example(0)
    small = ["<=", ["sum", "1"], "0"]
    record["claim"]["mechanism"]["defined"] = record["scope"]["defined"] = small
    never = {"is": "closed", "form": "never", "lemmas": [], "proofs": [None]}
    use = {"is": "products", "terms": [[{"q": "1"}, [0]], [{"q": "1"}, [2]]]}
    for uses, evidence, verdict in (
        ([None, None], [], "accepted"),
        ([0, 0], [{**never, "proofs": []}], "accepted"),
        ([0], [never], "rejected"),
        ([0, 0], [{**never, "proofs": [use]}], "rejected"),
        ([0, None, None], [never], "rejected"),
        ([1, 1], [never], "rejected"),
    ):
        nothing = {"counts": False, "evidence": evidence, "uses": uses}
        mass = with_compared(record, nothing, "nothing")
        mass["certificate"] = {
            **record["certificate"],
            "evidence": [{**never, "proofs": []}],
            "uses": [0] * 4,
        }
        assert answer(mass, place)[0] == verdict, (uses, answer(mass, place))


def test_a_refutation_needs_a_move_a_law_and_an_excess(tmp_path: Path) -> None:
    def forged(**changes: Any) -> Record:
        record = example(1)
        return {**record, "counterexample": {**record["counterexample"], **changes}}

    event = example(1)["counterexample"]["event"]
    wrong = [
        forged(second=[{"e": "0"}, {"e": "2"}]),
        forged(second=[{"e": "0"}, {"e": "0"}]),
        forged(second=[{"e": "0"}, {"e": "-1"}]),
        forged(first=[{"e": "1"}, {"e": "1"}]),
        forged(event={**event, "intervals": [["s", None, None]]}),
        forged(event={**event, "continuous": False}),
        forged(event={**event, "intervals": []}),
        forged(event={**event, "intervals": [["t", None, {"e": "0"}]]}),
        forged(points=[[["s", [{"e": "0"}]]], [["s", [{"e": "0"}]]]]),
        forged(parameters=[["eps", {"e": "1"}]]),
    ]
    assert [answer(r, tmp_path / "r.json")[0] for r in wrong] == ["rejected"] * len(wrong)


def test_laws_with_a_level_that_is_too_small_or_a_part_that_is_not_proved(tmp_path: Path) -> None:
    place = tmp_path / "r.json"
    assert answer(json.loads(composed()), place)[0] == "accepted"
    less, unproved, moved = (json.loads(composed()) for _ in range(3))
    less["claim"]["level"] = ["+", ["name", "x"], "9/10"]
    unproved["claim"]["mechanism"]["parts"][0]["level"] = "1/2"
    moved["certificate"]["rule"] = "post_process"
    assert [answer(r, place)[0] for r in (less, unproved, moved)] == ["rejected"] * 3


def test_a_sample_that_keeps_too_much(tmp_path: Path) -> None:
    place, record = tmp_path / "r.json", sampled()
    assert answer(record, place)[0] == "accepted"
    record["claim"]["mechanism"]["formulas"] = ["34/100"]
    assert answer(record, place)[0] == "rejected"


def small_enumeration() -> Record:
    """The record of a proof for datasets of at most 4 records."""
    y, weight = finite("y", [0, 1]), exp(parse("sum(x)/4"))
    probability = parse("piecewise((exp(sum(x)/4), y == 1), (1, true))")
    m = Mechanism(W, outputs=[y], density=probability / (1 + weight), name="logistic")
    claim = Claim(m, "add-remove", parse("1/4"))
    tried = Certificate(claim.fingerprint, False, (), Mass((), ()), (Enumeration(4),), ())
    return converted(checker.check(claim, tried).to_json())


def test_an_enumeration_tries_everything_and_is_not_a_premise(tmp_path: Path) -> None:
    place, record = tmp_path / "r.json", small_enumeration()
    assert answer(record, place)[0] == "accepted"
    less = {**record, "claim": {**record["claim"], "level": "1/8"}}
    assert answer(less, place) == ("rejected", "the outputs violate the claimed bound")
    for trusts in (["nobody"], ["a file (up to 5 records)"], ["a (up to 1 records)"] * 2):
        assert answer({**record, "trusts": trusts}, place)[0] == "rejected"
    assert answer({**record, "trusts": ["a file (up to 4 records)"]}, place)[0] == "accepted"
    for size in (None, 3, True):
        other = {**record, "scope": {**record["scope"], "size": size}}
        assert answer(other, place) == ("rejected", "its scope has another size")
    law = {
        "is": "by rule",
        "rule": "weaken",
        "version": 1,
        "evidence": [LEAF],
        "claim": "",
        "stated": {
            "is": "stated",
            "relation": "add-remove",
            "level": {"e": "1/4"},
            "delta": {"e": "0"},
        },
        "premises": [record["certificate"]],
    }
    weaker = {**record, "certificate": law, "claim": {**record["claim"], "level": "1/2"}}
    weaker["scope"] = {**record["scope"], "size": None}
    assert answer(weaker, place) == ("rejected", "an enumeration is not a proof on all inputs")


BOTH = ["cvc5 1.3.1", "z3 4.15.4"]


def test_the_word_of_solvers_is_a_verdict_of_its_own(tmp_path: Path) -> None:
    """What solvers say is not checked here; all the rest of the record is, and who they are."""
    place, words = tmp_path / "r.json", {**example(0), "trusts": BOTH}
    words["certificate"]["evidence"][1] = {"is": "solver word", "solvers": BOTH}
    assert answer(words, place) == ("attested by", " and ".join(BOTH))
    for trusts in ([], BOTH[:1], BOTH[::-1], [*BOTH, "nobody"], ["nobody"], [BOTH[0], "z3 4.8"]):
        assert answer({**words, "trusts": trusts}, place)[0] == "rejected"
    assert answer({**example(0), "trusts": BOTH[1:]}, place)[0] == "rejected"
    for solvers in ([], BOTH[:1], ["nobody", "z3 1"], ["cvc5", "z3"], [BOTH[1], BOTH[1]]):
        other = copy.deepcopy(words)
        other["certificate"]["evidence"][1]["solvers"] = other["trusts"] = solvers
        assert answer(other, place)[0] == "rejected"
    words["claim"]["level"] = ["*", "1/2", ["name", "eps"]]
    words["certificate"]["evidence"][1] = example(0)["certificate"]["evidence"][1]
    assert answer(words, place)[0] == "rejected"


def test_solvers_have_no_word_inside_other_evidence(tmp_path: Path) -> None:
    place, word = tmp_path / "r.json", {"is": "solver word", "solvers": BOTH}
    split = {"is": "case split", "lemmas": [], "guard": {"e": "1"}, "cases": [[">", word]]}
    inside, mass, law = example(0), example(0), json.loads(composed())
    inside["certificate"]["evidence"][1] = {**split, "cases": [[">=", word], ["<", word]]}
    mass["certificate"]["mass"]["evidence"] = [word]
    law["certificate"]["evidence"] = [word] * len(law["certificate"]["evidence"])
    for record in (inside, mass, law):
        assert answer({**record, "trusts": BOTH}, place)[0] == "rejected"
    deep = json.loads(composed())
    deep["certificate"]["premises"][0]["evidence"] = [word]
    deep["certificate"]["premises"][0]["uses"] = [0] * 8
    assert answer({**deep, "trusts": []}, place)[0] == "rejected"


def test_what_is_not_covered_is_said_to_be(tmp_path: Path) -> None:
    """A part of the input with a computed number, and an enumeration that is too large."""
    place, index, many = tmp_path / "r.json", example(0), small_enumeration()
    density = index["claim"]["mechanism"]["density"]
    density[2][1][2][1][2] = ["index", "x", "1"]
    many["certificate"]["evidence"] = [{"is": "enumeration", "size": 5_000}]
    many["scope"]["size"] = 5_000
    assert answer(index, place)[0] == answer(many, place)[0] == "not covered"


def test_replacements_in_a_universal_domain(tmp_path: Path) -> None:
    """A record of any demand, oo too, becomes another one.

    Its level with a demand that stays is that of the change of f alone.
    """
    place, u = tmp_path / "r.json", Domain.universal(unknowns={"f": "0 <= f <= 1"})
    m = Mechanism(
        u, outputs=[real("s")], density=parse("exp(-abs(s - sum(f*(1 - exp(-eps)))))/2"), name="sum"
    )
    for relation, level in (("swap", "1"), ("hdp", "1 - exp(-eps)")):
        record: Record = verify(Claim(m, relation, parse(level))).to_json()
        assert answer(record, place)[0] == "accepted"
        less = {
            **record,
            "claim": {**record["claim"], "level": ["*", "9/10", record["claim"]["level"]]},
        }
        assert answer(less, place)[0] == "rejected"


LEAF = {"is": "closed", "form": "log", "lemmas": [], "proofs": []}


def test_weaker_claims_and_pairs(tmp_path: Path) -> None:
    """Twice the level follows from the level, half of it does not.

    The sum over single moves bounds the loss of two datasets that are joined by such moves.
    """
    place, base = tmp_path / "r.json", example(0)

    def weaker(factor: str, relation: str = "ahdp") -> str:
        law = {
            "is": "by rule",
            "rule": "weaken",
            "version": 1,
            "evidence": [LEAF],
            "claim": "",
            "premises": [base["certificate"]],
            "stated": {
                "is": "stated",
                "relation": relation,
                "level": {"e": base["claim"]["level"]},
                "delta": {"e": "0"},
            },
        }
        return answer(
            {
                **base,
                "certificate": law,
                "claim": {**base["claim"], "level": ["*", factor, base["claim"]["level"]]},
            },
            place,
        )[0]

    assert [weaker("2"), weaker("1/2"), weaker("2", "swap")] == ["accepted", "rejected", "rejected"]
    paired: Record = verify(
        combine.group(
            ahdp(
                Mechanism(
                    W, outputs=[real("s")], density=parse("exp(-abs(s - sum(x)))/2"), name="sum"
                ),
                name("x"),
            )
        )
    ).to_json()
    assert (
        answer(paired, place)[0] == "accepted"
        and converted(paired)["scope"]["inputs"] == "pairs of datasets"
    )
    paired = converted(paired)
    less = {**paired, "claim": {**paired["claim"], "level": ["*", "1/2", ["name", "x"]]}}
    other = {**paired, "scope": {**paired["scope"], "inputs": "datasets"}}
    assert answer(less, place)[0] == answer(other, place)[0] == "rejected"


def test_what_a_part_assumes_of_an_output_holds_for_all_its_values(tmp_path: Path) -> None:
    """A part that reads an earlier output may not assume that it is positive.

    A real output with an atom at 1 takes other values, too.
    """
    place, record = tmp_path / "r.json", json.loads(composed())
    first, second = (part["mechanism"] for part in record["claim"]["mechanism"]["parts"])
    first["atoms"], second["parameters"] = [["1", "0"]], [["n", ["boolean", True]]]
    # the claim can be read; only the premises' fingerprints are those of others
    assert answer(record, place) == ("rejected", "the certificate belongs to another claim")
    second["parameters"] = [["n", ["<", "0", ["name", "n"]]]]
    why = "a parameter that is an output has a condition and no listed values"
    assert answer(record, place) == ("rejected", why)


def test_signs_on_an_interval_are_those_of_values_there() -> None:
    """Random c0 + c1 n + c2 n^2 + c3 n^3 + c4 exp(n), in floating point at 200 places of (0, 1)."""
    rng, signs = random.Random(11), Counter[int]()
    keys = [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)]
    for _ in range(150):
        c = [rng.randint(-4, 4) for _ in range(4)] + [rng.choice([0, 0, 1, -1])]
        f = {key: forms.constant(x) for key, x in zip(keys, c, strict=True) if x}
        try:
            s = exp_sign.sign_inside(f, forms.NOTHING, forms.UNIT)
        except limits.Rejected:
            continue
        places = [(i + 0.5) / 200 for i in range(200)]
        values = [sum(x * n**k for k, x in enumerate(c[:4])) + c[4] * math.exp(n) for n in places]
        signs[s] += 1
        assert all(v * s > 0 for v in values), (c, s)
    assert signs[1] > 30 and signs[-1] > 30, signs


def test_signs_by_roots_are_those_of_values() -> None:
    """Random polynomials of degree up to 6, at 400 places of (0, 1) and of (0, 50)."""
    rng, signs = random.Random(5), Counter[int]()
    for _ in range(300):
        c = [rng.randint(-5, 5) for _ in range(rng.randint(1, 7))]
        f = {(k, 0): forms.constant(x) for k, x in enumerate(c) if x}
        for high, top in ((forms.UNIT, 1.0), (None, 50.0)):
            s = exp_sign.sign_by_roots(f, forms.NOTHING, high)
            signs[s] += 1
            places = [top * (i + 0.5) / 400 for i in range(400)]
            assert not s or all(s * sum(x * n**k for k, x in enumerate(c)) > 0 for n in places), c
    assert min(signs[1], signs[-1], signs[0]) > 50, signs


def test_enclosures_hold_what_they_should() -> None:
    """exp and log of random rationals against `decimal`, which rounds them correctly."""
    rng = random.Random(7)
    with decimal.localcontext() as context:
        context.prec = 120
        slack = decimal.Decimal(10) ** -110

        def ends(interval: enclosures.Interval) -> list[decimal.Decimal]:
            return [decimal.Decimal(m) * decimal.Decimal(2) ** e for m, e in interval]

        for _ in range(300):
            q = Fraction(rng.randint(-(10**5), 10**5), rng.randint(1, 10 ** rng.randint(1, 9)))
            value = decimal.Decimal(q.numerator) / q.denominator
            low, high = ends(enclosures.exp(enclosures.of_rational(q)))
            assert low <= value.exp() * (1 + slack) and value.exp() <= high * (1 + slack)
            assert high - low <= value.exp() * decimal.Decimal(10) ** -75
            low, high = ends(enclosures.log(enclosures.of_rational(abs(q) + 1)))
            size = (abs(value) + 1).ln()
            assert low - slack <= size <= high + slack and high - low < decimal.Decimal(10) ** -75


def test_tiny_numbers_are_numbers_like_others() -> None:
    """exp(-10^18) > 0, and log of it is -10^18."""
    tiny = forms.exp_of(forms.constant(-(10**18)))
    assert forms.constant_sign(tiny) == 1
    assert forms.constant_sign(forms.constant(1) - tiny) == 1
    assert forms.log_of(tiny) == forms.constant(-(10**18))
    assert enclosures.floor_of_end(enclosures.log(forms.enclosed(tiny))[1]) == -(10**18)


def test_whatever_goes_wrong_is_a_rejection(tmp_path: Path) -> None:
    """A record with one character changed, left out or put in."""
    rng, text, place = random.Random(5), canonical(example(0)), tmp_path / "r.json"
    for _ in range(60):
        i = rng.randrange(len(text))
        new = rng.choice(["", "0", "[", '"', "null", "NaN", "1e9"])
        changed = text[:i] + new + text[i + 1 :]
        if changed != text:
            place.write_text(changed)
            assert records.check_file(place).verdict == "rejected"


JUNK = (None, True, 0, -1, 10**30, "", "x", "1/0", "1/2", [], {}, [[]], ["name", "@1"], {"e": "1"})
NONSENSE = examples(400, 120)


def test_nonsense_anywhere_is_a_plain_sentence(tmp_path: Path) -> None:
    """Any part of a record replaced by something else: no exception but those that are meant."""
    rng, place, said = random.Random(9), tmp_path / "r.json", Counter[str]()
    small = [p for p in RECORDS if p.stat().st_size < 6_000]
    for _ in range(NONSENSE):
        record = converted(json.loads(rng.choice(small).read_text()))
        *above, last = rng.choice([w for w in ways(record, lambda w, d: True) if w])
        functools.reduce(lambda part, key: part[key], above, record)[last] = rng.choice(JUNK)
        try:
            record = sealed(record)
        except (TypeError, AttributeError, KeyError):
            continue
        verdict, why = answer_unsealed(record, place)
        assert why.isprintable() and "Error" not in why, why
        said[verdict] += 1
    assert said["rejected"] > NONSENSE // 2 and set(said) <= {
        "accepted",
        "rejected",
        "not covered",
    }, said


def test_refutations_of_mechanisms_that_are_made_of_others(tmp_path: Path) -> None:
    """An instance that keeps less than is assumed refutes nothing.

    Nor do another one's proof, a size too small or without need, and a false event.
    """
    stem = "sample-mechanism-over-any-mechanism-kept-too-often-2"
    path = ROOT / "proofs" / "paper" / "certificates" / f"{stem}.json"
    record = converted(json.loads(path.read_text()))

    def spoilt(change: Callable[[Record], object]) -> str:
        data = copy.deepcopy(record)
        change(data["counterexample"])
        return answer(data, tmp_path / "r.json")[0]

    assert answer(record, tmp_path / "r.json")[0] == "accepted", answer(record, tmp_path / "r.json")
    for change in (
        lambda c: c["instances"].clear(),
        lambda c: c["instances"].append(c["instances"][0]),
        lambda c: c.update(size=None),
        lambda c: c.update(size=0),
        lambda c: c["instances"][0]["claim"].update(
            level=["*", "2", c["instances"][0]["claim"]["level"]]
        ),
        lambda c: c["instances"][0]["certificate"].update(claim="0" * 64),
        lambda c: c["counterexample"].update(first=c["counterexample"]["second"]),
        lambda c: c["counterexample"]["event"].update(outcomes=[]),
        lambda c: c.update(more=1),
    ):
        assert spoilt(change) == "rejected"
