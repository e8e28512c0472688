"""Records that are changed in one place are rejected, or still true."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recheck import totals

from ahdp_verify.files import records as storage
from ahdp_verify.kernel.errors import AhdpError
from ahdp_verify.kernel.refuted import Refuted, RefutedInequality, RefutedNotion, RefutedProgram
from ahdp_verify.kernel.verdict import Proved
from tests.earlier_formats import canonical, converted, sealed
from tests.recheck import brute
from tests.recheck.asking import RECORDS, ROOT, Record, Way, answer, is_number, other_number, ways
from tests.sweeps import examples

RELATIONS = ("<", "<=", "=", ">=", ">")


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
