"""Records of the best mechanism, the best test, and composites written as one expression."""

from __future__ import annotations

import copy
import functools
import random
from pathlib import Path

from ahdp_verify.kernel import checker
from ahdp_verify.kernel.evidence.certificate import BestTest
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search import compose as combine
from ahdp_verify.search.verify import verify
from tests.earlier_formats import converted
from tests.recheck.asking import Record, answer, is_number, other_number, ways
from tests.recheck.test_forgeries import W, example, with_compared


def best_record() -> Record:
    """One value of demand log 2, there or not: the best power is 1/(1 + 1/2) = 2/3.

    The kernel answers right with probability 2/3.  The prior (2/3, 1/3) makes both answers worth
    the same, and a flow of 1/3 from the second row to the first shows it.
    """
    claim = {
        "best": {
            "domain": {"records": [[["label", "a"], ["log", "2"]]]},
            "relation": "ahdp",
            "level": ["name", "eps"],
            "rows": [[0], [1]],
            "columns": ["0", "1"],
            "aims": [[[0, 0, "1"]], [[1, 1, "1"]]],
        },
        "value": "2/3",
        "bound": "=",
        "everywhere": False,
        "parameters": [],
        "name": "",
        "sense": "gain",
    }
    proof = {
        "is": "optimum",
        "claim": "",
        "lemmas": [],
        "numbers": [{"e": "2/3"}, {"e": "1/3"}, {"e": "0"}],
        "kernel": [[0, 1], [1, 0]],
        "rest": [],
        "prior": [0, 1],
        "prices": [0, 2],
        "flows": [[], [[1, 0, 1]]],
    }
    record = {"format": 1, "verdict": "proved", "claim": claim, "certificate": proof, "trusts": []}
    return converted(record)


def test_the_best_mechanism(tmp_path: Path) -> None:
    place, record = tmp_path / "r.json", best_record()
    assert answer(record, place)[0] == "accepted"
    for key, said in (
        ("value", "3/4"),
        ("value", "1/2"),
        ("everywhere", "yes"),
        ("sense", "loss"),
        ("bound", "<="),
        ("bound", "=="),
    ):
        changed = {**record, "claim": {**record["claim"], key: said}}
        assert answer(changed, place)[0] == "rejected", (key, said)
    for key, said in (
        ("level", ["*", "1/2", ["name", "eps"]]),
        ("level", ["name", "y"]),
        ("rows", [[0], [2]]),
        ("rows", [[0], [0]]),
        ("rows", [[0], [True]]),
        ("columns", ["0", "0"]),
        ("aims", [[[0, 0, "1"]], [[1, 1, "9/10"]]]),
        ("aims", [[[0, 0, "1"]], [[2, 1, "1"]]]),
        ("relation", "any"),
    ):
        task = {**record["claim"]["best"], key: said}
        changed = {**record, "claim": {**record["claim"], "best": task}}
        assert answer(changed, place)[0] == "rejected", (key, said)


def test_every_number_of_an_optimum_is_needed(tmp_path: Path) -> None:
    place, record, rng = tmp_path / "r.json", best_record(), random.Random(3)
    numbers = list(ways(record, lambda w, d: w[:2] == ("certificate", "numbers") and is_number(d)))
    entries = ("kernel", "prior", "prices", "flows")
    places = list(ways(record, lambda w, d: type(d) is int and w[1:2] and w[1] in entries))
    assert len(numbers) >= 3 and len(places) > 8
    for way in numbers + places:
        changed = copy.deepcopy(record)
        *above, last = way
        part = functools.reduce(lambda p, key: p[key], above, changed)
        part[last] = other_number(part[last], rng) if way in numbers else part[last] + 1
        assert answer(changed, place)[0] == "rejected", way


def test_the_best_test(tmp_path: Path) -> None:
    """A flip that tells the truth with probability 3/4 is guessed with that probability."""
    density = parse("piecewise((3/4, r == v), (1/4, true))")
    flip = Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density=density, name="flip")
    inputs = tuple((v,) for v in map(parse, ("0", "1")))
    probability = parse("3/4")
    claim = GuessClaim(flip, (), inputs, ("a", "b"), probability, probability)
    numbers = tuple(map(parse, ("0", "1", "1/2")))
    proof = BestTest(claim.fingerprint, (), numbers, ((1, 0), (0, 1)), (2, 2), (0, 1))
    record, place = converted(checker.check(claim, proof).to_json()), tmp_path / "r.json"
    assert answer(record, place)[0] == "accepted"
    for key, said in (("low", "4/5"), ("high", "2/3")):
        changed = {**record, "claim": {**record["claim"], key: said}}
        assert answer(changed, place)[0] == "rejected"
    for key, data in (
        ("winners", [1, 1]),
        ("winners", [0, 0]),
        ("winners", [0]),
        ("winners", [-1, -1]),
        ("winners", [0, 2]),
        ("prior", [1, 1]),
        ("prior", [1, 0]),
        ("test", [[1, 0], [1, 0]]),
        ("test", [[1, 1], [0, 1]]),
        ("test", [[1, 0]]),
        ("points", [{"e": "0"}]),
        ("numbers", [{"e": "0"}, {"e": "1"}, {"e": "1/3"}]),
    ):
        changed = {**record, "certificate": {**record["certificate"], key: data}}
        assert answer(changed, place)[0] == "rejected", (key, data)


def test_a_law_that_is_written_out(tmp_path: Path) -> None:
    """The two shares of one split, by hand: composition gives 2, but no record is in both."""
    place, parts = tmp_path / "r.json", []
    for key, value in (("a", 0), ("b", 1)):
        density = parse(f"exp(-abs({key} - sum(piecewise((1, x == {value}), (0, true)))))/2")
        parts.append(ahdp(Mechanism(W, outputs=[real(key)], density=density, name=key), 1))
    record = converted(verify(ahdp(combine.compose(*parts), 1)).to_json())
    assert record["certificate"]["rule"] == "written_out"
    assert answer(record, place)[0] == "accepted"
    less = {**record, "claim": {**record["claim"], "level": "9/10"}}
    assert answer(less, place)[0] == "rejected"
    refuted = converted(verify(ahdp(combine.compose(*parts), parse("9/10"))).to_json())
    assert refuted["verdict"] == "refuted" and answer(refuted, place)[0] == "accepted"
    more = {**refuted, "claim": {**refuted["claim"], "level": "1"}}
    assert answer(more, place)[0] == "rejected"


def test_a_total_may_not_divide_by_what_is_0_outside_its_piece(tmp_path: Path) -> None:
    """Uniform between c and c + d for d >= 0: there is no such law at d = 0."""
    place, record = tmp_path / "r.json", example(0)
    s, c, d = ["name", "s"], ["name", "c"], ["name", "d"]
    end = ["+", c, d]
    inside = ["and", ["<", c, s], ["<", s, end]]
    for least, verdict in (("1", "accepted"), ("0", "rejected")):
        m = record["claim"]["mechanism"]
        m["density"] = ["piecewise", ["^", d, "-1"], inside, "0", ["boolean", True]]
        m["parameters"] = [["c", ["boolean", True]], ["d", ["<=", least, d]]]
        record["scope"]["conditions"] = [["<=", least, d]]
        leaf = {"is": "pieces", "lemmas": [], "points": [{"e": c}, {"e": end}]}
        record["certificate"]["mass"]["evidence"] = [leaf]
        record["certificate"]["evidence"] = record["certificate"]["uses"] = []
        record["claim"]["level"] = ["oo"]  # which asks for nothing but the mass
        changed = with_compared(record, None, "not found")
        assert answer(changed, place)[0] == verdict, answer(changed, place)
