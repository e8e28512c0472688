"""proofs/recheck accepts the stored records (some in the suite, all in a sweep), or says that it does
not cover them, with nothing installed; and what it accepts of changed records is still true.

Truth is decided here by floating-point evaluation of the JSON trees (module `brute`), which shares
nothing with the package and nothing with proofs/recheck: integrals and sums for events, datasets of
at most three records for claims.  Where a change leaves the claim as it was, the claim stays true
by the stored proof; then the changed evidence has to convince the package's own checker, which is
another program.
"""

from __future__ import annotations

import ast
import copy
import decimal
import functools
import json
import math
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from recheck import command, enclosures, exp_sign, forms, limits, records, totals

from ahdp_verify.files import records as storage
from ahdp_verify.files.load import load
from ahdp_verify.kernel import checker
from ahdp_verify.kernel.errors import AhdpError
from ahdp_verify.kernel.evidence.certificate import BestTest, Certificate, Enumeration, Mass
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import assume
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.refuted import Refuted, RefutedInequality, RefutedNotion, RefutedProgram
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.expression import exp, log, name
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search import compose as combine
from ahdp_verify.search.verify import verify
from tests.earlier_formats import canonical, converted, in_this_format, sealed
from tests.recheck import brute, dying
from tests.stored import kinds_of_record
from tests.sweeps import covering, examples

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "proofs" / "recheck"
SOURCES = sorted(PROGRAM.glob("*.py"))
ABOVE = next((p for p in ROOT.parents if (p / "shared" / "corpus").is_dir()), ROOT)
SHARED = ABOVE / "shared" / "corpus"
RECORDS = sorted(p for p in (ROOT / "proofs").rglob("*.json") if p.parent.name == "certificates")
RELATIONS = ("<", "<=", "=", ">=", ">")
Record = dict[str, Any]
Way = tuple[str | int, ...]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command in a Python that sees no installed package."""
    line = [sys.executable, "-I", "-S", str(PROGRAM), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)


# what it is


def test_it_imports_the_standard_library_alone() -> None:
    for source in SOURCES:
        nodes = list(ast.walk(ast.parse(source.read_text())))
        found = {a.name.split(".")[0] for n in nodes if isinstance(n, ast.Import) for a in n.names}
        found |= {str(n.module).split(".")[0] for n in nodes if isinstance(n, ast.ImportFrom)}
        assert found <= {*sys.stdlib_module_names, "recheck"} - {"ahdp_verify"}
        calls = [n.func for n in nodes if isinstance(n, ast.Call)]
        used = {f.id for f in calls if isinstance(f, ast.Name)}
        assert not used & {"eval", "exec", "__import__", "compile"}


def test_checks_raise_and_return_nothing() -> None:
    """A check whose answer could be dropped would not be a check."""
    checks = 0
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith(("need", "require")):
                returned = [n for n in ast.walk(node) if isinstance(n, ast.Return)]
                inner = [f for f in ast.walk(node) if isinstance(f, ast.FunctionDef)][1:]
                allowed = [n for f in inner for n in ast.walk(f) if isinstance(n, ast.Return)]
                assert all(n.value is None or n in allowed for n in returned), node.name
                checks += 1
    assert checks > 40


def test_floats_are_in_no_arithmetic() -> None:
    """Only limits of time are floats."""
    for source in SOURCES:
        nodes = list(ast.walk(ast.parse(source.read_text())))
        names = {n.id for n in nodes if isinstance(n, ast.Name)}
        numbers = [n.value for n in nodes if isinstance(n, ast.Constant)]
        if source.name not in ("limits.py", "records.py", "command.py"):
            assert "float" not in names and not any(isinstance(v, float) for v in numbers), source


def test_no_stored_record_is_rejected_with_nothing_installed() -> None:
    """Of a tenth of the records, with every kind of evidence; of all of them in a sweep."""
    checked = covering(RECORDS, kinds_of_record, 100)
    done = run("-q", *checked)
    assert done.returncode in (0, 3) and done.stderr == "", done.stdout[-2000:]
    *beyond, totals = done.stdout.splitlines()
    found = {word: int(n) for n, word in (part.split(" ", 1) for part in totals.split(", "))}
    assert set(found) <= {"accepted", "not covered"} and sum(found.values()) == len(checked)
    assert len(beyond) == found.get("not covered", 0) <= len(checked) // 50


# the command


def test_exit_codes_and_lines(tmp_path: Path) -> None:
    good, bad = (converted(json.loads(p.read_text())) for p in RECORDS[:2])
    bad["sha256"], broken = "0" * 64, tmp_path / "broken.json"
    for stem, text in (("good", json.dumps(good)), ("bad", json.dumps(bad))):
        (tmp_path / f"{stem}.json").write_text(text)
    assert run(tmp_path / "good.json").returncode == 0
    broken.write_text(json.dumps(good)[:-9])
    done = run("-j", "1", tmp_path)
    lines = done.stdout.splitlines()
    assert done.returncode == 1 and lines[-1] == "1 accepted, 2 rejected"
    assert "its seal is broken" in lines[0] and lines[1] == f"{broken}: rejected: it is not JSON"


def test_what_is_not_a_record_is_reported_in_one_sentence(tmp_path: Path) -> None:
    """Nothing hangs, nothing has a traceback, and a file that cannot be read is not rejected."""
    os.mkfifo(tmp_path / "fifo.json")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{}")
    texts = {
        "list": "[1]",
        "key": '{"a": 1, "a": 2}',
        "nan": '{"a": NaN}',
        "point": '{"a": 1.0}',
        "long": '{"format": ' + "9" * 10_000 + "}",
        "deep": "[" * 100_000,
        "nested": "[" * 2_000 + "]" * 2_000,
        "old": '{"format": 2}',
        "true": '{"format": true}',
    }
    for stem, text in texts.items():
        (tmp_path / f"{stem}.json").write_text(text)
    done = run(tmp_path, tmp_path / "none.json", "/dev/null")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (2, "")
    assert lines[-1] == f"{len(texts)} rejected, 5 unreadable"
    assert len(lines) == len(texts) + 6 and all(line.count(": ") >= 2 for line in lines[:-1])


def test_nothing_to_check_is_not_a_success(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert (done.returncode, done.stdout) == (2, "no records\n")


def test_a_limit_of_time_is_not_a_rejection() -> None:
    largest = max(RECORDS, key=lambda p: p.stat().st_size)
    done = run("--seconds", "0.01", largest)
    assert done.returncode == 3 and "not covered: it exceeds 0.01 s" in done.stdout


def test_a_process_that_dies_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "in_thread", dying.die)
    for stem in "ab":
        (tmp_path / f"{stem}.json").write_text("{}")
    assert command.main(["-j", "2", str(tmp_path)]) == 2
    out = capsys.readouterr().out
    assert out.count("failed: the process that checked it died") == 2
    assert out.endswith("2 failed\n")


# what is forged, and what is honest, elsewhere

FORGED = {  # the reason is that of its one flaw
    "03-recheck-accepts-mass-4097": "a total does not have the stated value",
    "04-recheck-accepts-normalised-real": "an output that is not finite",
    "05-recheck-accepts-false-refutation": "has a solver word",
    "06-recheck-word-for-1-le-0": "evidence of another kind",
    "07-recheck-word-for-false-law": "evidence of another kind",
    "08-recheck-word-of-nobody": "evidence of another kind",
    "09-recheck-proves-false-statement": "a factor is a quotient",
    "10-recheck-proves-false-privacy": "a factor is a quotient",
    "11-recheck-hangs-half-power": "expected an integer",
}
shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared corpus is not here")


@shared
@pytest.mark.parametrize("stem", FORGED)
def test_forgeries_are_rejected_for_what_is_wrong_with_them(stem: str, tmp_path: Path) -> None:
    record = json.loads((SHARED / "forged" / f"{stem}.json").read_text())
    assert "its format is not 3" in answer_unsealed(record, tmp_path / "r.json")[1]
    verdict, why = answer(record, tmp_path / "r.json")
    assert verdict == "rejected" and FORGED[stem] in why


@shared
@pytest.mark.parametrize(("stem", "inside"), [("01-queries", "q[1]"), ("01-values", "v")])
def test_a_scope_has_to_say_what_was_assumed(stem: str, inside: str, tmp_path: Path) -> None:
    record = converted(json.loads((SHARED / "forged" / f"{stem}.json").read_text()))
    assert record["scope"]["defined"] == ["==", ["name", inside], "0"]
    assert answer(record, tmp_path / "r.json")[0] in ("accepted", "attested by")
    record["scope"]["defined"] = ["boolean", True]
    assert answer(record, tmp_path / "r.json") == ("rejected", "its scope has another `defined`")


ROBUST = {
    "abort-recheck": ("accepted", "total 1 at both inputs"),
    "internal-case-split": ("rejected", "expected a list"),
    "memory-recheck-max-abs-40": ("rejected", "products do not add up"),
    "refuted-no-law": ("accepted", "total 1 at both inputs"),
}


@shared
@pytest.mark.parametrize("stem", ROBUST)
def test_robust_records(stem: str, tmp_path: Path) -> None:
    record = converted(json.loads((SHARED / "robust" / f"{stem}.json").read_text()))
    verdict, why = answer(record, tmp_path / "r.json")
    assert verdict == ROBUST[stem][0] and ROBUST[stem][1] in why


@shared
@pytest.mark.parametrize("stem", ["computed-value", "one-value", "output-eps"])
def test_honest_records_are_not_rejected(stem: str, tmp_path: Path) -> None:
    for claim in load(in_this_format(SHARED / "robust" / f"disagree-{stem}.toml", tmp_path)).claims:
        verdict = verify(claim)
        assert isinstance(verdict, Proved)
        assert answer(verdict.to_json(), tmp_path / "r.json")[0] in ("accepted", "not covered")


def test_forgeries_of_laws_are_rejected(tmp_path: Path) -> None:
    """The records of tests/soundness/test_forged.py: each is wrong in one way."""
    for path in (ROOT / "tests" / "soundness" / "forged").glob("*.json"):
        assert answer(json.loads(path.read_text()), tmp_path / "r.json")[0] == "rejected", path


# records that are changed in one place


def answer_unsealed(record: Record, place: Path) -> tuple[str, str]:
    """(verdict, what is said) of a record as it is."""
    place.write_text(json.dumps(record))
    found = records.check_file(place)
    return found.verdict, found.why


def answer(record: Record, place: Path) -> tuple[str, str]:
    """The same of a record in the format of now, sealed again."""
    return answer_unsealed(converted(record), place)


def ways(data: Any, wanted: Callable[[Way, Any], bool], way: Way = ()) -> Iterator[Way]:
    """The places in a record that are wanted."""
    if wanted(way, data):
        yield way
    for key, part in (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    ):
        yield from ways(part, wanted, (*way, key))


def is_number(data: Any) -> bool:
    try:
        return isinstance(data, str) and str(Fraction(data)) == data
    except (ValueError, ZeroDivisionError):
        return False


def other_number(text: str, rng: random.Random) -> str:
    q = Fraction(text)
    return str(
        rng.choice([x for x in (2 * q, q / 2, q + 1, q - 1, -q, q + Fraction(1, 1000)) if x != q])
    )


def scaled(tree: Any, rng: random.Random) -> Any:
    return ["*", rng.choice(["1/2", "2", "9/10", "11/10"]), tree]


def without_one(listed: list[Any], rng: random.Random) -> list[Any]:
    i = rng.randrange(len(listed))
    return listed[:i] + listed[i + 1 :]


def turned(example: Record, rng: random.Random) -> Record:
    return {
        **example,
        "first": example["second"],
        "second": example["first"],
        **({"points": example["points"][::-1]} if "points" in example else {}),
    }


PROOF, EXAMPLE, LAW = ("certificate",), ("counterexample",), ("claim", "mechanism")
MUTATIONS: dict[str, tuple[Callable[[Way, Any], bool], Callable[[Any, random.Random], Any]]] = {
    "coefficient": (lambda w, d: w[:1] == PROOF and w[-1] == "q", other_number),
    "fact number": (
        lambda w, d: w[:1] == PROOF and type(d) is int and "terms" in w and w[-2] == 1,
        lambda v, r: r.choice([v + 1, max(0, v - 1), v + 2]),
    ),
    "lemma left out": (lambda w, d: w[:1] == PROOF and w[-1] == "lemmas" and d != [], without_one),
    "use": (
        lambda w, d: w[:1] == PROOF and len(w) == 3 and w[1] == "uses",
        lambda v, r: v + r.choice([-1, 1]),
    ),
    "form": (
        lambda w, d: w[:1] == PROOF and w[-1] == "form",
        lambda v, r: r.choice(["log", "direct", "zero", "never"]),
    ),
    "relation": (
        lambda w, d: w[:1] == PROOF and d in RELATIONS and w[-1] in ("relation", 0),
        lambda v, r: r.choice(RELATIONS),
    ),
    "number in the evidence": (
        lambda w, d: w[:1] == PROOF and "e" in w and is_number(d),
        other_number,
    ),
    "proof left out": (
        lambda w, d: (
            w[:1] == PROOF
            and isinstance(d, dict)
            and d.get("is") in ("products", "exp sign", "box cover", "monotone")
        ),
        lambda v, r: None,
    ),
    "bound of a slope": (
        lambda w, d: w[:1] == PROOF and type(d) is int and w[-1] in ("fact", "side"),
        lambda v, r: r.choice([-v, v + 1, max(0, v - 1)]),
    ),
    "level": (lambda w, d: w == ("claim", "level"), scaled),
    "delta": (lambda w, d: w == ("claim", "delta") and d != "0", scaled),
    "number of the law": (lambda w, d: w[:3] == (*LAW, "density") and is_number(d), other_number),
    "record": (lambda w, d: w[:4] == (*LAW, "inputs", "records") and is_number(d), other_number),
    "relation of the claim": (
        lambda w, d: w == ("claim", "relation"),
        lambda v, r: r.choice(
            ["ahdp", "add-remove", "swap", "hdp", "one", "all", "increasing", "decreasing"]
        ),
    ),
    "count of a dataset": (
        lambda w, d: w[:1] == EXAMPLE and w[1:2] in (("first",), ("second",)) and is_number(d),
        other_number,
    ),
    "number of the event": (
        lambda w, d: w[:2] == (*EXAMPLE, "event") and is_number(d),
        other_number,
    ),
    "end of the event": (
        lambda w, d: w[:3] == (*EXAMPLE, "event", "intervals") and len(w) == 5 and w[-1] in (1, 2),
        lambda v, r: None,
    ),
    "event without density": (
        lambda w, d: w == (*EXAMPLE, "event", "continuous"),
        lambda v, r: not v,
    ),
    "sides": (lambda w, d: w == EXAMPLE and "first" in d, turned),
    "point": (lambda w, d: w[:2] == (*EXAMPLE, "points") and is_number(d), other_number),
    "parameter": (lambda w, d: w[:2] == (*EXAMPLE, "parameters") and is_number(d), other_number),
    "bound of a move": (lambda w, d: w == ("claim", "bounds", "level"), scaled),
    "order": (lambda w, d: w == (*EXAMPLE, "order") and is_number(d), other_number),
    "statement": (lambda w, d: w[:2] == ("claim", "inequality") and is_number(d), other_number),
    "query": (lambda w, d: w[:2] == ("claim", "sensitivity") and is_number(d), other_number),
    "bound of a query": (lambda w, d: w == ("claim", "bound"), scaled),
    "side of the statement": (lambda w, d: w == ("claim", "inequality", 0), scaled),
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


def test_a_mass_is_checked_once_and_not_taken_for_that_of_another_law(tmp_path: Path) -> None:
    folder, place = ROOT / "proofs/field/certificates", tmp_path / "record.json"
    first, second = (
        json.loads((folder / f"laplace-one-query-{i}.json").read_text()) for i in (1, 2)
    )
    totals.require_mass_of.cache_clear()
    assert answer(first, place)[0] == answer(second, place)[0] == "accepted"
    assert totals.require_mass_of.cache_info().hits == 1
    law = second["claim"]["mechanism"]
    law["density"] = ["*", "2", law["density"]]
    assert answer(sealed(second), place) == (
        "rejected",
        "a total does not have the stated value",
    )


def convinces_the_package(record: Record, place: Path) -> bool:
    place.write_text(json.dumps(converted(record)))
    try:
        return isinstance(
            storage.recheck(place),
            Proved | Refuted | RefutedProgram | RefutedInequality | RefutedNotion,
        )
    except AhdpError:
        return False


def justification(record: Record, stored: Record, place: Path, rng: random.Random) -> str:
    """Why an accepted record is true; an empty text where it is not, or not known to be."""
    if record["claim"] == stored["claim"] and record["verdict"] == "proved":
        return (
            "the stored claim, and two programs accept this evidence"
            if convinces_the_package(record, place)
            else ALONE
        )
    if {"program", "sensitivity", "applied", "notion"} & record["claim"].keys():
        return "two programs work it out" if convinces_the_package(record, place) else ALONE
    try:
        if "inequality" in record["claim"]:
            found = brute.of_statement(record, rng)
        else:
            found = (
                brute.of_event(record)
                if record["verdict"] == "refuted"
                else brute.of_claim(record["claim"], rng)
            )
    except (ArithmeticError, ValueError, brute.Undefined):
        found = None
    raised = [["*", more, stored["claim"].get("level")] for more in ("2", "11/10")]
    if (
        found is None
        and stored["verdict"] == record["verdict"] == "proved"
        and record["claim"].get("level") in raised
    ):
        # claims about composites, which brute force does not judge; levels are >= 0
        return "a level above a proved one"
    return (
        found
        if found is not None
        else "two programs work it out"
        if convinces_the_package(record, place)
        else ""
    )


# where forms differ by a product of exponentials
ALONE = "the stored claim, and the stand-alone checker alone accepts this evidence"
CHANGES = examples(500, 200)


def test_changed_records_are_rejected_or_still_true(tmp_path: Path) -> None:
    rng, place = random.Random(20261128), tmp_path / "record.json"
    small = [p for p in RECORDS if p.stat().st_size < 12_000]
    kinds, accepted = Counter[str](), Counter[str]()
    for _ in range(CHANGES):
        stored = json.loads(rng.choice(small).read_text())
        if "applied" in stored["claim"]:
            continue  # nothing of its own may change; its premises are stored alone too
        kind, record = mutated(stored, rng)
        verdict, said = answer(record, place)
        kinds[kind] += 1
        assert verdict in ("accepted", "rejected", "not covered"), (kind, said)
        if verdict == "accepted":
            why = justification(record, stored, place, rng)
            assert why, (kind, said, record)
            accepted[why] += 1
    assert len(kinds) >= 18 and sum(accepted.values()) < CHANGES * 2 // 5
    assert (
        accepted[ALONE] <= 5
        and accepted["the event violates the claimed bound, in floating point"] >= CHANGES // 25
    ), accepted


# forgeries: claims that are wrong, or mean nothing, with evidence that looks right

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


# optima, and composites as one expression


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
