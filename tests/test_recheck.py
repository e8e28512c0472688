"""proofs/recheck.py accepts every stored record with nothing installed, and what it accepts of mutated records is still true.

Truth is decided here by floating-point evaluation of the JSON trees (module `brute`), which shares nothing with the package and nothing with
recheck.py: integrals and sums for events, datasets of at most three records for claims.  Where a mutation leaves the claim as it was, the
claim stays true by the stored proof; then the changed evidence has to convince the package's own checker, which is another program.
"""

from __future__ import annotations

import ast
import copy
import functools
import hashlib
import importlib.util
import json
import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from ahdp_verify import checker, combine, storage
from ahdp_verify.certificate import Certificate, Enumeration, Mass
from ahdp_verify.composite import assume
from ahdp_verify.domain import Domain
from ahdp_verify.errors import AhdpError
from ahdp_verify.expression import exp, log, name
from ahdp_verify.grammar import parse
from ahdp_verify.mechanism import Mechanism, finite, real
from ahdp_verify.privacy import Claim, ahdp
from ahdp_verify.search import verify
from ahdp_verify.verdict import Proved, Refuted
from tests import brute

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "proofs" / "recheck.py"
RECORDS = sorted(p for p in (ROOT / "proofs").rglob("*.json") if p.parent.name == "certificates")
RELATIONS = ("<", "<=", "=", ">=", ">")
Record = dict[str, Any]
Way = tuple[str | int, ...]


@functools.cache
def program() -> ModuleType:
    """recheck.py as a module."""
    spec = importlib.util.spec_from_file_location("stand_alone_recheck", PROGRAM)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# what it is


def test_it_imports_the_standard_library_alone() -> None:
    nodes = list(ast.walk(ast.parse(PROGRAM.read_text())))
    found = {a.name.split(".")[0] for n in nodes if isinstance(n, ast.Import) for a in n.names}
    found |= {str(n.module).split(".")[0] for n in nodes if isinstance(n, ast.ImportFrom)}
    assert found <= set(sys.stdlib_module_names) and "ahdp_verify" not in found
    assert not {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)} & {"eval", "exec", "__import__", "compile", "float"}


def test_it_is_one_file_of_bounded_length() -> None:
    lines = PROGRAM.read_text().splitlines()
    assert len(lines) <= 810 and max(map(len, lines)) <= 180


def test_it_accepts_every_stored_record_with_nothing_installed() -> None:
    done = subprocess.run([sys.executable, "-I", "-S", str(PROGRAM), "-q", str(ROOT / "proofs")], capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-2000:]
    assert done.stdout.splitlines()[-1].startswith(f"{len(RECORDS)} accepted")


def test_exit_codes_and_lines(tmp_path: Path) -> None:
    good, bad, broken = RECORDS[0].read_text(), json.loads(RECORDS[1].read_text()), tmp_path / "broken.json"
    bad["sha256"] = "0" * 64
    for stem, text in (("good", good), ("bad", json.dumps(bad)), ("broken", good[:-9])):
        (tmp_path / f"{stem}.json").write_text(text)
    done = subprocess.run([sys.executable, "-I", "-S", str(PROGRAM), "-j", "1", str(tmp_path)], capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    assert done.returncode == 1 and lines[-1] == "1 accepted, 2 rejected" and "its seal is broken" in lines[0] and str(broken) in lines[1]


# records that are changed in one place


def canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def digest(data: object) -> str:
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def sealed(record: Record) -> Record:
    """The record with fitting fingerprints and a fitting seal, so that these find nothing."""
    record = {**record, "fingerprint": digest(record["claim"])}
    if "certificate" in record:
        record["certificate"] = {**record["certificate"], "claim": record["fingerprint"]}
    record.pop("sha256", None)
    return {**record, "sha256": digest(record)}


def ways(data: Any, wanted: Callable[[Way, Any], bool], way: Way = ()) -> Iterator[Way]:
    """The places in a record that are wanted."""
    if wanted(way, data):
        yield way
    for key, part in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from ways(part, wanted, (*way, key))


def is_number(data: Any) -> bool:
    try:
        return isinstance(data, str) and str(Fraction(data)) == data
    except (ValueError, ZeroDivisionError):
        return False


def other_number(text: str, rng: random.Random) -> str:
    q = Fraction(text)
    return str(rng.choice([x for x in (2 * q, q / 2, q + 1, q - 1, -q, q + Fraction(1, 1000)) if x != q]))


def scaled(tree: Any, rng: random.Random) -> Any:
    return ["*", rng.choice(["1/2", "2", "9/10", "11/10"]), tree]


def without_one(listed: list[Any], rng: random.Random) -> list[Any]:
    i = rng.randrange(len(listed))
    return listed[:i] + listed[i + 1 :]


def turned(example: Record, rng: random.Random) -> Record:
    return {**example, "before": example["after"], "after": example["before"], "points": example["points"][::-1]}


PROOF, EXAMPLE, LAW = ("certificate",), ("counterexample",), ("claim", "mechanism")
MUTATIONS: dict[str, tuple[Callable[[Way, Any], bool], Callable[[Any, random.Random], Any]]] = {
    "coefficient": (lambda w, d: w[:1] == PROOF and w[-1] == "q", other_number),
    "fact number": (lambda w, d: w[:1] == PROOF and type(d) is int and "terms" in w and w[-2] == 1, lambda v, r: r.choice([v + 1, max(0, v - 1), v + 2])),
    "lemma left out": (lambda w, d: w[:1] == PROOF and w[-1] == "lemmas" and d != [], without_one),
    "use": (lambda w, d: w[:1] == PROOF and len(w) == 3 and w[1] == "uses", lambda v, r: v + r.choice([-1, 1])),
    "form": (lambda w, d: w[:1] == PROOF and w[-1] == "form", lambda v, r: r.choice(["log", "direct", "zero", "never"])),
    "relation": (lambda w, d: w[:1] == PROOF and d in RELATIONS and w[-1] in ("relation", 0), lambda v, r: r.choice(RELATIONS)),
    "number in the evidence": (lambda w, d: w[:1] == PROOF and "e" in w and is_number(d), other_number),
    "proof left out": (lambda w, d: w[:1] == PROOF and isinstance(d, dict) and d.get("is") in ("products", "exp sign"), lambda v, r: None),
    "level": (lambda w, d: w == ("claim", "level"), scaled),
    "delta": (lambda w, d: w == ("claim", "delta") and d != "0", scaled),
    "number of the law": (lambda w, d: w[:3] == (*LAW, "density") and is_number(d), other_number),
    "record": (lambda w, d: w[:4] == (*LAW, "inputs", "records") and is_number(d), other_number),
    "relation of the claim": (lambda w, d: w == ("claim", "relation"), lambda v, r: r.choice(["ahdp", "add-remove", "swap", "hdp", "one", "all", "increasing", "decreasing"])),
    "count of a dataset": (lambda w, d: w[:1] == EXAMPLE and w[1:2] in (("before",), ("after",)) and is_number(d), other_number),
    "number of the event": (lambda w, d: w[:2] == (*EXAMPLE, "event") and is_number(d), other_number),
    "end of the event": (lambda w, d: w[:3] == (*EXAMPLE, "event", "intervals") and len(w) == 5 and w[-1] in (1, 2), lambda v, r: None),
    "event without density": (lambda w, d: w == (*EXAMPLE, "event", "continuous"), lambda v, r: not v),
    "sides": (lambda w, d: w == EXAMPLE and "before" in d, turned),
    "point": (lambda w, d: w[:2] == (*EXAMPLE, "points") and is_number(d), other_number),
    "parameter": (lambda w, d: w[:2] == (*EXAMPLE, "parameters") and is_number(d), other_number),
    "statement": (lambda w, d: w[:2] == ("claim", "statement") and is_number(d), other_number),
    "side of the statement": (lambda w, d: w == ("claim", "statement", 0), scaled),
}


def mutated(record: Record, rng: random.Random) -> tuple[str, Record]:
    """(the kind of change, the record with one change of it), sealed again."""
    for kind in rng.sample(list(MUTATIONS), len(MUTATIONS)):
        wanted, change = MUTATIONS[kind]
        if found := list(ways(record, wanted)):
            *above, last = rng.choice(found)
            new = copy.deepcopy(record)
            place = functools.reduce(lambda part, key: part[key], above, new)
            place[last] = change(place[last], rng)
            if canonical(new) != canonical(record):
                return kind, sealed(new)
    raise AssertionError("nothing to change")


def convinces_the_package(record: Record, place: Path) -> bool:
    place.write_text(json.dumps(record))
    try:
        return isinstance(storage.recheck(place), Proved | Refuted)
    except AhdpError:
        return False


def justification(record: Record, stored: Record, place: Path, rng: random.Random) -> str:
    """Why an accepted record is true; an empty text where it is not, or not known to be."""
    if record["claim"] == stored["claim"] and record["verdict"] == "proved":
        return "the stored claim, and two programs accept this evidence" if convinces_the_package(record, place) else ALONE
    try:
        if "statement" in record["claim"]:
            found = brute.of_statement(record, rng)
        else:
            found = brute.of_event(record) if record["verdict"] == "refuted" else brute.of_claim(record["claim"], rng)
    except (ArithmeticError, ValueError, brute.Undefined):
        found = None
    raised = [["*", more, stored["claim"].get("level")] for more in ("2", "11/10")]
    if found is None and stored["verdict"] == record["verdict"] == "proved" and record["claim"].get("level") in raised:
        return "a level above a proved one"  # of claims made of others, which brute force does not judge; levels are >= 0
    return found if found is not None else "two programs work it out" if convinces_the_package(record, place) else ""


ALONE = "the stored claim, and recheck.py alone accepts this evidence"  # where forms differ by a product of exponentials
CHANGES = 500


def test_changed_records_are_rejected_or_still_true(tmp_path: Path) -> None:
    rng, place = random.Random(20261128), tmp_path / "record.json"
    small = [p for p in RECORDS if p.stat().st_size < 12_000]
    kinds, accepted = Counter[str](), Counter[str]()
    for _ in range(CHANGES):
        stored = json.loads(rng.choice(small).read_text())
        kind, record = mutated(stored, rng)
        place.write_text(json.dumps(record))
        verdict, said = program().check_file(str(place))
        kinds[kind] += 1
        assert verdict in ("accepted", "rejected", "not covered"), (kind, said)
        if verdict == "accepted":
            why = justification(record, stored, place, rng)
            assert why, (kind, said, record)
            accepted[why] += 1
    assert len(kinds) >= 18 and sum(accepted.values()) < CHANGES * 2 // 5
    assert accepted[ALONE] <= 5 and accepted["the event is too likely, in floating point"] >= 20, accepted


# forgeries: claims that are wrong, or mean nothing, with evidence that looks right

W = Domain([(0, 1), (1, 2)])


def answer(record: Record, place: Path) -> tuple[str, str]:
    """(verdict, what is said) of a record, sealed again."""
    place.write_text(json.dumps(sealed(record)))
    found: tuple[str, str] = program().check_file(str(place))
    return found


def example(index: int) -> Record:
    """The stored proof (0) or refutation (1) of FORMAT.md."""
    blocks = (PROGRAM.parent / "FORMAT.md").read_text().split("```json\n")[1:]
    records = [json.loads(b.split("```")[0]) for b in blocks]
    return [r for r in records if "verdict" in r][index]


@functools.cache
def composed() -> str:
    """The record of a proof by law: a count and a sum with Laplace noise, one after the other."""
    n, s = real("n"), real("s")
    count = ahdp(Mechanism(W, outputs=[n], density=parse("exp(-abs(n - size))/2"), name="count"), 1)
    total = ahdp(Mechanism(W, outputs=[s], density=parse("exp(-abs(s - sum(x)))/2"), name="sum"), name("x"))
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


def test_what_is_no_number_is_no_fact_number(tmp_path: Path) -> None:
    forged = example(0)
    forged["certificate"]["evidence"][1]["proofs"][0]["terms"][0][1][0] = True
    assert answer(forged, tmp_path / "r.json")[0] == "rejected"


def test_a_law_that_is_too_small_or_speaks_of_states_is_none(tmp_path: Path) -> None:
    halved, state = example(0), example(0)
    halved["claim"]["mechanism"]["density"][1] = "1/4"
    state["claim"]["mechanism"]["density"][2][1][2][1][2][2] = ["name", "@1"]
    assert [answer(r, tmp_path / "r.json")[0] for r in (halved, state)] == ["rejected"] * 2


def test_an_empty_case_has_to_be_empty(tmp_path: Path) -> None:
    for proofs in ([], [None], [{"is": "products", "terms": []}], [{"is": "products", "terms": [[{"q": "1"}, [0]]]}]):
        forged = example(0)
        forged["claim"]["level"] = ["*", "1/2", ["name", "eps"]]
        forged["certificate"]["evidence"] = [{"form": "never", "is": "closed", "lemmas": [], "proofs": proofs}] * 3
        assert answer(forged, tmp_path / "r.json")[0] == "rejected"


def test_fewer_or_other_obligations_than_the_claim_asks_for(tmp_path: Path) -> None:
    for uses in ([0, 0, 1], [0, 0, 1, 2, 0], [0, 0, 1, 1], [0, 0, 2, 1], [], [0, 0, 1, -1]):
        forged = example(0)
        forged["certificate"]["uses"] = uses
        assert answer(forged, tmp_path / "r.json")[0] == "rejected"


def test_scope_and_trusts_say_what_is_so(tmp_path: Path) -> None:
    for key, said in (("scope", "scope: no moves"), ("scope", "scope: all inputs"), ("trusts", ["z3"]), ("format", 2), ("verdict", "refuted")):
        assert answer({**example(0), key: said}, tmp_path / "r.json")[0] == "rejected"


def test_a_refutation_needs_a_move_a_law_and_an_excess(tmp_path: Path) -> None:
    def forged(**changes: Any) -> Record:
        record = example(1)
        return {**record, "counterexample": {**record["counterexample"], **changes}}

    event = example(1)["counterexample"]["event"]
    wrong = [
        forged(after=[{"e": "0"}, {"e": "2"}]), forged(after=[{"e": "0"}, {"e": "0"}]), forged(after=[{"e": "0"}, {"e": "-1"}]), forged(before=[{"e": "1"}, {"e": "1"}]),
        forged(event={**event, "intervals": [["s", None, None]]}), forged(event={**event, "continuous": False}), forged(event={**event, "intervals": []}),
        forged(event={**event, "intervals": [["t", None, {"e": "0"}]]}), forged(points=[[["s", [{"e": "0"}]]], [["s", [{"e": "0"}]]]]), forged(parameters=[["eps", {"e": "1"}]]),
    ]  # fmt: skip
    assert [answer(r, tmp_path / "r.json")[0] for r in wrong] == ["rejected"] * len(wrong)


def test_laws_with_a_level_that_is_too_small_or_a_part_that_is_not_proved(tmp_path: Path) -> None:
    place = tmp_path / "r.json"
    assert answer(json.loads(composed()), place)[0] == "accepted"
    less, unproved, moved = (json.loads(composed()) for _ in range(3))
    less["claim"]["level"] = ["+", ["name", "x"], "9/10"]
    unproved["claim"]["mechanism"]["parts"][0]["level"] = "1/2"
    moved["certificate"]["law"] = "post_process"
    assert [answer(r, place)[0] for r in (less, unproved, moved)] == ["rejected"] * 3


def test_a_sample_that_keeps_too_much(tmp_path: Path) -> None:
    place, record = tmp_path / "r.json", sampled()
    assert answer(record, place)[0] == "accepted"
    record["claim"]["mechanism"]["formulas"] = ["34/100"]
    assert answer(record, place)[0] == "rejected"


def test_an_enumeration_tries_everything_and_is_no_premise(tmp_path: Path) -> None:
    place, y = tmp_path / "r.json", finite("y", [0, 1])
    weight = exp(parse("sum(x)/4"))
    m = Mechanism(W, outputs=[y], density=parse("piecewise((exp(sum(x)/4), y == 1), (1, true))") / (1 + weight), name="logistic")
    claim = Claim(m, "add-remove", parse("1/4"))
    record = checker.check(claim, Certificate(claim.fingerprint, False, (), Mass((), ()), (Enumeration(4),), ())).to_json()
    assert answer(record, place)[0] == "accepted"
    for key, said in (("level", "1/8"), ("relation", "hdp")):
        assert answer({**record, "claim": {**record["claim"], key: said}}, place)[0] == "rejected"
    law = {
        "is": "by law", "law": "weaken", "version": 1, "evidence": [{"is": "closed", "form": "log", "lemmas": [], "proofs": []}], "claim": "",
        "stated": {"is": "stated", "relation": "add-remove", "level": {"e": "1/4"}, "delta": {"e": "0"}}, "premises": [record["certificate"]],
    }  # fmt: skip
    assert answer({**record, "certificate": law, "claim": {**record["claim"], "level": "1/2"}, "scope": "scope: all datasets"}, place)[0] == "rejected"


def test_the_word_of_solvers_is_a_verdict_of_its_own(tmp_path: Path) -> None:
    """What solvers say is not checked here; a record that does not name them, or in which something else is wrong, is rejected."""
    place, words = tmp_path / "r.json", {**example(0), "trusts": ["z3", "cvc5"]}
    words["certificate"]["evidence"][1] = {"is": "solver word", "solvers": ["cvc5", "z3"]}
    assert answer(words, place) == ("word", "on the word of z3 and cvc5")
    assert answer({**words, "trusts": []}, place)[0] == answer({**example(0), "trusts": ["z3"]}, place)[0] == "rejected"
    words["claim"]["level"] = ["*", "1/2", ["name", "eps"]]
    words["certificate"]["evidence"][1] = example(0)["certificate"]["evidence"][1]
    assert answer(words, place)[0] == "rejected"


def test_what_is_not_covered_is_said_to_be(tmp_path: Path) -> None:
    """Optima, and a claim that is proved of the law of a composite, written out."""
    place, optimum, law = tmp_path / "r.json", example(0), json.loads(composed())
    optimum["claim"] = {"best": "1", "mechanism": optimum["claim"]["mechanism"]}
    law["certificate"]["law"] = "written_out"
    assert answer(optimum, place) == ("not covered", "optima")
    assert answer(law, place)[0] == "not covered"


def test_replacements_in_a_universal_domain(tmp_path: Path) -> None:
    """A record of any demand, oo too, becomes another one; its level with a demand that stays is that of the change of f alone."""
    place, u = tmp_path / "r.json", Domain.universal(unknowns={"f": "0 <= f <= 1"})
    m = Mechanism(u, outputs=[real("s")], density=parse("exp(-abs(s - sum(f*(1 - exp(-eps)))))/2"), name="sum")
    for relation, level in (("swap", "1"), ("hdp", "1 - exp(-eps)")):
        record: Record = verify(Claim(m, relation, parse(level))).to_json()
        assert answer(record, place)[0] == "accepted"
        less = {**record, "claim": {**record["claim"], "level": ["*", "9/10", record["claim"]["level"]]}}
        assert answer(less, place)[0] == "rejected"


LEAF = {"is": "closed", "form": "log", "lemmas": [], "proofs": []}


def test_weaker_claims_and_pairs(tmp_path: Path) -> None:
    """Twice the level follows from the level, half of it does not; the sum over single moves bounds the loss of two datasets if these are joined by such moves."""
    place, base = tmp_path / "r.json", example(0)

    def weaker(factor: str, relation: str = "ahdp") -> str:
        law = {
            "is": "by law", "law": "weaken", "version": 1, "evidence": [LEAF], "claim": "", "premises": [base["certificate"]],
            "stated": {"is": "stated", "relation": relation, "level": {"e": base["claim"]["level"]}, "delta": {"e": "0"}},
        }  # fmt: skip
        return answer({**base, "certificate": law, "claim": {**base["claim"], "level": ["*", factor, base["claim"]["level"]]}}, place)[0]

    assert [weaker("2"), weaker("1/2"), weaker("2", "swap")] == ["accepted", "rejected", "rejected"]
    paired: Record = verify(combine.group(ahdp(Mechanism(W, outputs=[real("s")], density=parse("exp(-abs(s - sum(x)))/2"), name="sum"), name("x")))).to_json()
    assert answer(paired, place)[0] == "accepted" and paired["scope"] == "scope: all pairs of datasets"
    less = {**paired, "claim": {**paired["claim"], "level": ["*", "1/2", ["name", "x"]]}}
    assert answer(less, place)[0] == answer({**paired, "scope": "scope: all datasets"}, place)[0] == "rejected"


def test_what_a_part_assumes_of_an_output_holds_for_all_its_values(tmp_path: Path) -> None:
    """A part that reads an earlier output may not assume that it is positive: a real output with an atom at 1 takes other values, too."""
    place, record = tmp_path / "r.json", json.loads(composed())
    first, second = (part["mechanism"] for part in record["claim"]["mechanism"]["parts"])
    first["atoms"], second["parameters"] = [["1", "0"]], [["n", ["boolean", True]]]
    assert answer(record, place) == ("rejected", "it belongs to another claim")  # the claim can be read; only the premises' fingerprints are those of others
    second["parameters"] = [["n", ["<", "0", ["name", "n"]]]]
    assert answer(record, place)[0] == "rejected" and answer(record, place)[1].startswith("what line")


def test_signs_on_an_interval_are_those_of_values_there() -> None:
    """Random c0 + c1 n + c2 n^2 + c3 n^3 + c4 exp(n), in floating point at 200 places of (0, 1)."""
    rng, told, rc = random.Random(11), Counter[int](), program()
    for _ in range(150):
        c = [rng.randint(-4, 4) for _ in range(4)] + [rng.choice([0, 0, 1, -1])]
        f = {key: rc.constant(x) for key, x in zip([(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)], c, strict=True) if x}
        s = rc.sign_inside(f, rc.NOTHING, rc.UNIT) if f else 0
        values = [sum(x * n**k for k, x in enumerate(c[:4])) + c[4] * math.exp(n) for n in ((i + 0.5) / 200 for i in range(200))]
        told[s] += 1
        assert s == 0 or all(v * s > 0 for v in values), (c, s)
    assert told[1] > 30 and told[-1] > 30, told


def test_whatever_goes_wrong_is_a_rejection(tmp_path: Path) -> None:
    rng, text = random.Random(5), canonical(example(0))
    for _ in range(60):
        i = rng.randrange(len(text))
        place = tmp_path / "r.json"
        changed = text[:i] + rng.choice(["", "0", "[", '"', "null", "NaN", "1e9"]) + text[i + 1 :]
        if changed == text:
            continue
        place.write_text(changed)
        assert program().check_file(str(place))[0] == "rejected"
    assert program().check_file(str(tmp_path / "none.json"))[0] == "rejected"


def test_refutations_of_mechanisms_that_are_made_of_others(tmp_path: Path) -> None:
    """An instance that keeps less than is assumed, another one's proof, a size too small or without need, and a false event refute nothing."""
    record = json.loads((ROOT / "proofs" / "paper" / "certificates" / "sample-mechanism-any-base-kept-too-often-2.json").read_text())

    def spoilt(change: Callable[[Record], object]) -> str:
        data = copy.deepcopy(record)
        change(data["counterexample"])
        return answer(data, tmp_path / "r.json")[0]

    assert spoilt(lambda c: None) == "accepted"
    for change in (
        lambda c: c["instances"].clear(), lambda c: c["instances"].append(c["instances"][0]), lambda c: c.update(size=None), lambda c: c.update(size=0),
        lambda c: c["instances"][0]["claim"].update(level=["*", "2", c["instances"][0]["claim"]["level"]]),
        lambda c: c["instances"][0]["certificate"].update(claim="0" * 64), lambda c: c["counterexample"].update(before=c["counterexample"]["after"]),
        lambda c: c["counterexample"]["event"].update(outcomes=[]), lambda c: c.update(more=1),
    ):  # fmt: skip
        assert spoilt(change) == "rejected"
