"""The package and proofs/recheck agree on which claims have a meaning.

Each case takes a stored proof and changes its claim in one way that leaves no clear meaning, with
its evidence changed alike where it names the same things and with fitting fingerprints. Both
checkers have to refuse it while they read it: the package with BadInput, the other one as rejected
for the reason that FORMAT.md gives. Changes that leave a meaning are accepted by both, so it is not
the change as such that is refused.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from recheck import records
from recheck.meaning import WORDS

from ahdp_verify.files import records as storage
from ahdp_verify.kernel.errors import AhdpError, BadInput, NotWorkedOut
from ahdp_verify.kernel.terms import grammar
from tests.earlier_formats import digest, sealed
from tests.sweeps import swept

ROOT = Path(__file__).resolve().parents[2]
STORED = sorted(p for p in (ROOT / "proofs").rglob("*.json") if p.parent.name == "certificates")
Record = dict[str, Any]
Change = Callable[[Record], object]
TRUE = ["boolean", True]
S, T, V, X, EPS = (["name", n] for n in ("s", "t", "v", "x", "eps"))

FLIP = "field/certificates/randomised-response-one-bit-1"  # of v, 0 or 1, with the output s and the parameter eps
COLOURS = "public/certificates/colour-histogram-of-labels-2"  # of red and blue, outputs h[1], h[2]
PAIR = "paper/certificates/randomised-response-twice-by-composition-1"  # two parts with the outputs s and t
RATIO = "paper/certificates/mean-ratio-not-clipped-1"  # m and n become their ratio
SAMPLE = "field/certificates/sample-by-demand-then-any-mechanism-1"  # an abstract mechanism runs on a sample
WHOLE = "field/certificates/drop-low-demands-then-geometric-count-threshold-1-1"  # a whole number y
LEMMA = "laws/certificates/compose"  # a statement


def loaded(stem: str) -> Record:
    record: Record = json.loads((ROOT / "proofs" / f"{stem}.json").read_text())
    return record


def signed(certificate: Record, claim: Record) -> None:
    """The fingerprints of the parts in the evidence are those of the parts of the claim."""
    certificate["claim"] = digest(claim)
    if certificate["is"] == "by rule":
        parts = claim["mechanism"].get("parts", [])
        for premise, part in zip(certificate["premises"], parts, strict=False):
            signed(premise, part)


def changed(stem: str, *changes: Change) -> Record:
    record = loaded(stem)
    for change in changes:
        change(record)
    if "certificate" in record:
        signed(record["certificate"], record["claim"])
    return sealed(record)


def renamed(old: str, new: str) -> Change:
    """Every text that is `old` is `new`, wherever it stands."""

    def of(data: Any) -> Any:
        if isinstance(data, dict):
            return {k: of(v) for k, v in data.items()}
        if isinstance(data, list):
            return [of(v) for v in data]
        return new if data == old else data

    def change(record: Record) -> None:
        record.update(of(record))

    return change


def put(value: Any, *way: str | int) -> Change:
    """The value at this place of the claim."""

    def change(record: Record) -> None:
        place = record["claim"]
        for step in way[:-1]:
            place = place[step]
        place[way[-1]] = copy.deepcopy(value)

    return change


def added(value: Any, *way: str | int) -> Change:
    """The value at the end of this list of the claim."""

    def change(record: Record) -> None:
        place = record["claim"]
        for step in way:
            place = place[step]
        place.append(copy.deepcopy(value))

    return change


def both(*changes: Change) -> Change:
    return lambda record: [change(record) for change in changes]


def either(condition: Any, value: Any, other: Any = None) -> Any:
    """The value, whether the condition holds or not, or another one where it does not hold."""
    return ["piecewise", value, condition, value if other is None else other, TRUE]


def by_package(record: Record, place: Path) -> AhdpError | None:
    place.write_text(json.dumps(record))
    try:
        storage.recheck(place)
    except AhdpError as why:
        return why
    return None


def by_the_other(record: Record, place: Path) -> tuple[str, str]:
    place.write_text(json.dumps(record))
    found = records.check_file(place)
    return found.verdict, found.why


M = "mechanism"
MEANINGLESS: dict[str, tuple[str, str, Change]] = {
    # names
    **{
        f"an output called {word}": (FLIP, "a word of the language", renamed("s", word))
        for word in ("exp", "pi", "oo", "true", "size", "count", "not", "piecewise", "sqrt")
    },
    "a parameter called log": (FLIP, "a word of the language", renamed("eps", "log")),
    "an output of a part": (PAIR, "a word of the language", renamed("t", "false")),
    "an unknown called max": (LEMMA, "a word of the language", renamed("q", "max")),
    "the parameter of an abstraction": (SAMPLE, "a word of the language", renamed("t", "floor")),
    "a name of 61 letters": (FLIP, "not one that users can type", renamed("s", "s" * 61)),
    "a part of five digits": (FLIP, "not one that users can type", renamed("s", "s[10000]")),
    "a part without the first": (FLIP, "lacks a part", renamed("s", "s[2]")),
    "a part left out": (COLOURS, "lacks a part", renamed("h[2]", "h[3]")),
    "a vector and its part": (COLOURS, "lacks a part", renamed("h[2]", "h")),
    "parts out of order": (PAIR, "lacks a part", both(renamed("s", "r[2]"), renamed("t", "r[1]"))),
    "an output called other": (FLIP, "a part of the input", renamed("s", "other")),
    "an output called v[1]": (FLIP, "a part of the input", renamed("s", "v[1]")),
    "an output called x": (WHOLE, "a part of the input", renamed("y", "x")),
    "a parameter x where records have none": (SAMPLE, "a part of the input", renamed("t", "x")),
    "an output twice": (PAIR, "is declared twice", renamed("t", "s")),
    "a released output like a hidden one": (RATIO, "is declared twice", renamed("mean", "m")),
    # labels and values
    "a label that is a number": (COLOURS, "reads as a number", renamed("red", "1")),
    "a label with a point": (COLOURS, "reads as a number", renamed("red", " -.5 ")),
    "a long number as a label": (COLOURS, "reads as a number", renamed("red", "1" * 1400)),
    "a value with a name": (FLIP, "not a constant", put(EPS, M, "inputs", "values", 0)),
    "a value oo": (FLIP, "not a constant", put(["oo"], M, "inputs", "values", 0)),
    "an output with a name": (FLIP, "not a constant", put(EPS, M, "outputs", 0, 2, 0)),
    "a value twice": (FLIP, "listed twice", added(["*", "2", "1/2"], M, "inputs", "values")),
    "a demand that is a label": (
        COLOURS,
        "a demand is not a number",
        put(["label", "red"], M, "inputs", "records", 0, 1),
    ),
    "an atom of a finite output": (FLIP, "has atoms", added(["2", "0"], M, "atoms")),
    "a number as an atom of a whole output": (
        WHOLE,
        "at a number",
        added(["1/2", "0"], M, "atoms"),
    ),
    "a record without demand": (
        SAMPLE,
        "has no demand",
        put([], M, "parts", 0, M, "inputs", "unknowns"),
    ),
    "a demand that may be below 0": (
        SAMPLE,
        "may be below 0",
        put(["<=", "-1", EPS], M, "parts", 0, M, "inputs", "unknowns", 0, 1),
    ),
    # kinds
    "a label as a density": (COLOURS, "of the wrong kind", put(["label", "red"], M, "density")),
    "a label that is added": (
        COLOURS,
        "of the wrong kind",
        put(either(["==", ["+", ["label", "red"], "1"], "2"], "1"), "level"),
    ),
    "a condition as a number": (FLIP, "of the wrong kind", put(["<", "0", EPS], "level")),
    "a number as a condition": (FLIP, "of the wrong kind", put(["and", TRUE, "1"], M, "defined")),
    "a delta without end": (FLIP, "of the wrong kind", put(["oo"], "delta")),
    "a condition that mentions a label": (
        FLIP,
        "mentions a label",
        put(["and", ["<", "0", EPS], ["!=", EPS, ["label", "a"]]], M, "parameters", 0, 1),
    ),
    "a condition with a number for a condition": (
        FLIP,
        "of the wrong kind",
        put(["and", ["<", "0", EPS], "1"], M, "parameters", 0, 1),
    ),
    "a statement about a label": (
        LEMMA,
        "of the wrong kind",
        put(["label", "a"], "inequality", 0),
    ),
    # comparisons that can never hold
    "a label that no record has": (
        COLOURS,
        "can never hold",
        put(either(["==", X, ["label", "grey"]], "1"), "level"),
    ),
    "a value and a label": (
        FLIP,
        "can never hold",
        put(either(["==", V, ["label", "a"]], EPS), "level"),
    ),
    "a label and a number": (
        COLOURS,
        "can never hold",
        put(either(["!=", X, "3"], "1"), "level"),
    ),
    "a number that no value is": (
        FLIP,
        "can never hold",
        put(either(["==", V, "2"], EPS), "level"),
    ),
    "a computed number and a label": (
        FLIP,
        "can never hold",
        put(either(["==", ["+", V, "1"], ["label", "a"]], EPS), "level"),
    ),
    "two labels": (
        COLOURS,
        "can never hold",
        put(either(["==", ["label", "a"], ["label", "b"]], "1"), "level"),
    ),
    "what no output of a part is": (
        RATIO,
        "can never hold",
        put(either(["==", ["name", "n"], ["label", "none"]], ["name", "m"]), M, "formulas", 0),
    ),
    # composites
    "parameters that a law does not take": (PAIR, "should not", added(["r", TRUE], M, "own")),
    "an assumption about pairs": (
        SAMPLE,
        "does not fit the inputs",
        put("pairs", M, "parts", 0, M, "assumed", 0),
    ),
    "an assumption without a level": (
        SAMPLE,
        "of the wrong kind",
        put(TRUE, M, "parts", 0, M, "assumed", 1),
    ),
    "a whole number that is computed": (
        RATIO,
        "a computed output is integer",
        put("integer", M, "released", 0, 1),
    ),
    "a name that is not a text": (FLIP, "expected a string", put(["a"], M, "name")),
}


@pytest.mark.parametrize("case", MEANINGLESS)
def test_what_has_no_meaning_is_refused_by_both(case: str, tmp_path: Path) -> None:
    stem, reason, change = MEANINGLESS[case]
    record = changed(stem, change)
    assert record["claim"] != loaded(stem)["claim"]
    verdict, why = by_the_other(record, tmp_path / "r.json")
    assert verdict == "rejected" and reason in why, why
    assert isinstance(by_package(record, tmp_path / "r.json"), BadInput | NotWorkedOut)


SOUND: dict[str, tuple[str, Change]] = {
    "nothing": (PAIR, renamed("nothing", "else")),
    "another output": (FLIP, renamed("s", "answer")),
    "an output of 60 letters": (FLIP, renamed("s", "s" * 60)),
    "the only part": (FLIP, renamed("s", "s[1]")),
    "a word with another case": (FLIP, renamed("s", "Exp")),
    "a part of a part": (PAIR, renamed("e1", "q[1]")),
    "another label": (COLOURS, renamed("red", "crimson")),
    "a label like a formula": (COLOURS, renamed("red", "log(2)")),
    "a label with a digit": (COLOURS, renamed("red", "1st")),
    "a label that a record has": (COLOURS, put(either(["==", X, ["label", "red"]], "1"), "level")),
    "a value that there is": (FLIP, put(either(["==", V, "1"], EPS), "level")),
    "a number that may be": (FLIP, put(either(["==", ["+", V, "1"], "7"], EPS), "level")),
    "constants that differ": (FLIP, put(either(["==", "1", "2"], EPS), "level")),
    "a density that asks for what v never is": (
        FLIP,
        lambda r: put(
            either(["==", V, ["label", "a"]], "9", r["claim"][M]["density"]), M, "density"
        )(r),
    ),
    "a density that compares a computed number with a label": (
        FLIP,
        lambda r: put(
            either(["==", ["+", V, ["log", "2"]], ["label", "a"]], "9", r["claim"][M]["density"]),
            M,
            "density",
        )(r),
    ),
}


@pytest.mark.parametrize("case", SOUND)
def test_a_change_that_means_something_is_accepted_by_both(case: str, tmp_path: Path) -> None:
    """What mechanisms are put into may leave comparisons in a density that never hold."""
    stem, change = SOUND[case]
    record = changed(stem, change)
    assert by_the_other(record, tmp_path / "r.json")[0] == "accepted", case
    assert by_package(record, tmp_path / "r.json") is None


def test_the_words_of_the_language_are_those_of_the_grammar() -> None:
    """Three lists that are written down on their own: of the grammar, of recheck, of FORMAT.md."""
    assert {*grammar.CONSTANTS, *grammar.FUNCTIONS, *grammar.WORDS} == WORDS
    text = (ROOT / "proofs" / "FORMAT.md").read_text()
    (line,) = [line for line in text.splitlines() if "not a word of the language" in line]
    assert set(re.findall(r"`(\w+)`", line)) == WORDS


@pytest.mark.parametrize("seed", swept(range(6), 2))
def test_stored_records_are_accepted_by_both(seed: int, tmp_path: Path) -> None:
    """A sample of the small ones."""
    small = [p for p in STORED if p.stat().st_size < 6_000]
    for path in random.Random(seed).sample(small, 8):
        record = json.loads(path.read_text())
        assert by_the_other(record, tmp_path / "r.json")[0] == "accepted", path
        assert by_package(record, tmp_path / "r.json") is None, path
