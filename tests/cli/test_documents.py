"""What --json prints: every command against one schema, and its values against the Python API."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import NoneType
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ahdp_verify import (
    Domain,
    Expression,
    Proved,
    Refuted,
    best_power,
    calibrate,
    explain,
    extra_records,
    log,
    power,
    ranges,
    simulate,
    tighten,
    tradeoff,
    verify,
)
from ahdp_verify.analysis.divergence.curve import delta_curve
from ahdp_verify.catalogue import CATALOGUE
from ahdp_verify.cli.app import app, main
from ahdp_verify.decimals import approximate_rational
from ahdp_verify.files.load import load_mechanism
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.sampling import sample

SUM = """
format = 2
name = "noisy sum"
[domain]
records = [["0", "1"], ["1", "1/3"]]
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - sum(eps*x)))/2"
[[claim]]
name = "at the demand"
relation = "ahdp"
level = "eps"
[[claim]]
name = "a quarter"
relation = "ahdp"
level = "eps/4"
"""
SCALE = """
format = 2
name = "scale b"
[parameters]
b = "b > 0"
[domain]
queries = "1"
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - q[1])/b)/(2*b)"
[[claim]]
name = "third"
relation = "one"
level = "1/3"
"""
UNDEFINED = SUM.replace("exp(-abs(s - sum(eps*x)))/2", "exp(-abs(s - sum(eps*x)))")

# A schema: a type, several of them, a list, a table with exactly these keys, or one of anything.
Schema = Any
MAYBE = (str, NoneType)
VALUE = {"exact": MAYBE, "at_least": MAYBE, "at_most": MAYBE, "bounds": [MAYBE]}
ANY = {"...": object}
CLAIM = {
    "statement": str,
    "mechanism": str,
    "relation": str,
    "level": str,
    "delta": str,
    "public": [str],
    "fingerprint": str,
}
PROOF = CLAIM | {
    "outcome": str,
    "scope": str,
    "size": (int, NoneType),
    "compared": str,
    "assumes": [str],
    "trusts": [str],
}
OF_OPTIMUM = {key: PROOF[key] for key in PROOF if key not in CLAIM} | {
    "statement": str,
    "fingerprint": str,
}
INPUT = {"text": str, "entries": [str]}
EVENT = {
    "text": str,
    "continuous": bool,
    "intervals": [{"output": str, "low": MAYBE, "high": MAYBE}],
    "values": {"...": [str]},
    "outcomes": [[str]],
    "atoms": [str],
    "without": [str],
}
REFUTATION = CLAIM | {
    "outcome": str,
    "total": str,
    "trusts": [str],
    "witness": {
        "instead": str,
        "parameters": {"...": str},
        "records": ([ANY], NoneType),
        "first": INPUT,
        "second": INPUT,
        "event": EVENT,
        "first_probability": VALUE,
        "second_probability": VALUE,
        "level": VALUE,
        "loss": VALUE,
        "delta": VALUE,
    },
}
VERDICT = (PROOF, REFUTATION)
OPEN = CLAIM | {"outcome": str, "expected": str, "reasons": [{"procedure": str, "reason": str}]}
INTERVAL = {"text": str, "low": MAYBE, "high": MAYBE, "low_closed": bool, "high_closed": bool}
WRITTEN = {"written": [str]}
ESTIMATE = {
    "input": str,
    "draws": int,
    "hits": int,
    "estimate": float,
    "interval": [float],
    "probability": VALUE,
}
LEVELS = {
    "mechanism": str,
    "relation": str,
    "level": MAYBE,
    "rows": [
        {
            "record": str,
            "least": VALUE,
            "upward": (VALUE, NoneType),
            "downward": (VALUE, NoneType),
            "where": str,
            "exact": bool,
            "reason": str,
        }
    ],
    "notes": [str],
}
RANGES = CLAIM | {
    "parameter": str,
    "exact": bool,
    "holds": [INTERVAL],
    "pieces": [{"interval": INTERVAL, "decided": bool, "verdict": VERDICT}],
    "missing": str,
}
CALIBRATION = CLAIM | {
    "parameter": str,
    "side": str,
    "value": VALUE,
    "exact": bool,
    "attained": bool,
    "end": VALUE,
    "holds": [INTERVAL],
    "proof": (PROOF, NoneType),
    "refutation": (REFUTATION, NoneType),
}
POINT = {"level": str, "delta": VALUE, "where": str, "exact": bool, "reason": str}
TRADEOFF = {
    "first": str,
    "second": str,
    "vertices": [{"type_1": VALUE, "type_2": VALUE, "rejects": str}],
    "pieces": [{"from": str, "to": str, "type_2": str}],
    "total_variation": VALUE,
    "level": VALUE,
    "distance": VALUE,
    "inside": (bool, NoneType),
} | WRITTEN
OPTIMUM = {
    "best": VALUE,
    "parameters": {"...": str},
    "hypotheses": int,
    "prior": {"...": str},
    "mechanism": {"...": {"...": str}},
    "verdicts": [OF_OPTIMUM],
    "note": str,
}
AGAINST = {"power": VALUE, "prior": {"...": str}, "verdict": OF_OPTIMUM}
EXPERIMENT = {
    "experiment": str,
    "seed": int,
    "trials": int,
    "trials_asked": int,
    "notes": [str],
    "sizes": [int],
    "methods": [
        {
            "method": str,
            "kind": str,
            "values": {"...": [(float, NoneType)]},
            "limit": (float, NoneType),
        }
    ],
} | WRITTEN
PAPER = {
    "label": str,
    "says": str,
    "kind": str,
    "section": str,
    "outcome": str,
    "grade": str,
    "passed": bool,
    "note": str,
    "findings": [
        {"role": str, "says": str, "word": str, "line": str, "expect": str, "expected": bool}
    ],
}
ANSWERS: dict[str, Schema] = {
    "verify": (PROOF | {"expected": str}, REFUTATION | {"expected": str}),
    "recheck": VERDICT,
    "explain": {
        "title": str,
        "lines": [{"number": str, "text": str, "reason": str, "depth": int, "below": [str]}],
    }
    | WRITTEN,
    "tighten": LEVELS,
    "ranges": RANGES,
    "calibrate": CALIBRATION,
    "delta": {"mechanism": str, "relation": str, "points": [POINT]} | WRITTEN,
    "tradeoff": TRADEOFF,
    "power": (
        {"optima": [OPTIMUM]} | WRITTEN,
        AGAINST,
        {
            "rows": [
                {
                    "t": int,
                    "hypotheses": int,
                    "best": VALUE,
                    "extends": (bool, NoneType),
                    "against": (VALUE, NoneType),
                }
            ],
            "limit": VALUE,
            "limit_at_most": VALUE,
            "against": str,
        }
        | WRITTEN,
    ),
    "simulate": REFUTATION | {"estimates": [ESTIMATE]},
    "sample": {"size": int, "draws": ({"...": [(float, int, str)]}, NoneType)} | WRITTEN,
    "experiment": EXPERIMENT,
    "paper": PAPER,
    "report": (
        VERDICT[0] | {"expected": str},
        VERDICT[1] | {"expected": str},
        {"claims": int} | WRITTEN,
    ),
    "audit": {
        "outcome": str,
        "conclusion": str,
        "findings": [str],
        "notes": [str],
        "mechanism": str,
        "parameters": {"...": str},
        "certified": MAYBE,
        "alpha": float,
        "tests": int,
        "inputs": [ANY],
        "scale": (ANY, NoneType),
        "detectable": {"...": (float, NoneType)},
        "privacy_loss": [ANY],
        "others": [{"name": str, "consistent": bool}],
    }
    | WRITTEN,
    "list": {"name": str, "description": str, "source": str, "claims": int},
}
DOCUMENT = {
    "file": str,
    "claim": str,
    "verdict": str,
    "text": str,
    "seconds": float,
    "reason": str,
    "answer": dict,
    "record": (dict, NoneType),
}


def conforms(value: Any, schema: Schema) -> bool:
    """Whether a value of a document has the form that a schema states."""
    if isinstance(schema, tuple):
        return any(conforms(value, one) for one in schema)
    if isinstance(schema, list):
        return isinstance(value, list) and all(conforms(v, schema[0]) for v in value)
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            return False
        if "..." in schema:
            return all(conforms(v, schema["..."]) for v in value.values())
        return set(value) == set(schema) and all(conforms(value[k], schema[k]) for k in schema)
    return isinstance(value, schema) and (schema is bool or not isinstance(value, bool))


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def documents(*words: str, code: int = 0) -> list[Any]:
    """The documents of a command that ends with this code; each conforms to the schema, and has its
    keys in its order."""
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    assert result.stdout.isascii() and (code or not result.stderr)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    for document in found:
        assert list(document) == list(DOCUMENT) and conforms(document, DOCUMENT), document
        assert document["seconds"] >= 0
        if document["reason"] == "":
            assert conforms(document["answer"], ANSWERS[words[0]]), document["answer"]
    return found


def printed(*words: str) -> list[str]:
    """The lines that the same command prints without --json."""
    return run(*words).stdout.splitlines()


def is_value(found: Any, e: Expression) -> bool:
    """Whether a value of a document is that of an expression, and its bounds enclose it closely."""
    value = approximate_rational(normal(e, Context.empty()))
    low, high = (Fraction(Decimal(end)) for end in found["bounds"])
    assert low <= value <= high and high - low <= abs(value) / 10**11
    return bool(found["exact"] == found["at_least"] == found["at_most"] == str(e))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two mechanism files."""
    monkeypatch.chdir(tmp_path)
    Path("sum.toml").write_text(SUM)
    Path("scale.toml").write_text(SCALE)
    return tmp_path


def test_verify_and_what_reads_its_records(folder: Path) -> None:
    found = documents("verify", "sum.toml", code=1)
    assert [d["claim"] for d in found] == ["at the demand", "a quarter"]
    assert [d["verdict"] for d in found] == ["proved", "refuted"]
    assert [d["text"] for d in found] == printed("verify", "sum.toml")
    proved, refuted = (verify(claim) for claim in load_mechanism("sum.toml").claims)
    assert isinstance(proved, Proved) and isinstance(refuted, Refuted)
    assert [d["record"] for d in found] == [proved.to_json(), refuted.to_json()]
    assert found[0]["answer"]["scope"] == proved.scope_text
    witness = found[1]["answer"]["witness"]
    assert [r["demand"] for r in witness["records"]] == ["1", "1/3"]
    assert witness["first"]["entries"] == [str(c) for c in refuted.counterexample.first]
    assert witness["event"]["text"] == str(refuted.counterexample.event)
    p, q = (parse(witness[f"{side}_probability"]["exact"]) for side in ("first", "second"))
    assert refuted.loss is not None and is_value(witness["loss"], parse("1/3"))
    assert (normal(log(p / q), Context.empty()) - refuted.loss).is_zero

    for i, document in enumerate(found):
        Path(f"{i}.json").write_text(json.dumps(document, indent=i))  # one line, or several
        (again,) = documents("recheck", f"{i}.json")
        assert again["verdict"] == "valid" and again["answer"]["outcome"] == document["verdict"]
        assert str(recheck(f"{i}.json")) == document["text"].replace(
            f"{document['claim']}: ", "", 1
        )
    (told,) = documents("explain", "0.json")
    assert [line["text"] for line in told["answer"]["lines"]] == [
        line.text for line in explain(proved).shown
    ]
    (counted,) = documents("simulate", "1.json", "--samples", "500", "--seed", "3")
    estimates, same = counted["answer"]["estimates"], simulate(refuted, 500, 3)
    assert [e["hits"] for e in estimates] == [same.first.hits, same.second.hits]
    assert is_value(estimates[0]["probability"], p)


def test_the_documents_of_several_claims_are_rechecked_one_by_one(folder: Path) -> None:
    lines = run("verify", "sum.toml", "--json").stdout.splitlines()
    forged = json.loads(lines[0])
    forged["record"]["claim"]["level"] = "0"
    unknown = json.loads(lines[0]) | {"record": None}
    Path("all.jsonl").write_text("\n".join([*lines, json.dumps(forged), "", json.dumps(unknown)]))
    result = run("recheck", "all.jsonl")
    assert result.exit_code == 2 and [line[:27] for line in result.stdout.splitlines()] == [
        "valid: all.jsonl, line 1: P",
        "valid: all.jsonl, line 2: R",
    ]
    changed, empty = result.stderr.splitlines()
    assert "all.jsonl, line 3, certificate: it was changed after it was saved" in changed
    assert "all.jsonl, line 5: this document has no record" in empty
    assert [d["verdict"] for d in documents("recheck", "all.jsonl", code=2)] == [
        "valid",
        "valid",
        "refused",
        "refused",
    ]
    assert "contains 4 documents, and one is needed" in run("explain", "all.jsonl").stderr


def test_levels_deltas_and_curves(folder: Path) -> None:
    (found,) = documents("tighten", "sum.toml")
    mechanism = load_mechanism("sum.toml").mechanism
    for row, same in zip(found["answer"]["rows"], tighten(mechanism).rows, strict=True):
        assert same.value is not None and is_value(row["least"], same.value)
        assert row["record"] == same.record and row["where"] == same.where
    (found,) = documents("delta", "sum.toml", "--levels", "0,1/5")
    curve = delta_curve(mechanism, ["0", "1/5"])
    for point, least in zip(found["answer"]["points"], curve.points, strict=True):
        assert least.value is not None and is_value(point["delta"], least.value)
    assert found["text"] == str(curve) and found["verdict"] == "exact"
    (found,) = documents("tradeoff", "sum.toml", "--first", "0,0", "--second", "0,1")
    errors = tradeoff(mechanism, [0, 0], [0, 1])
    assert [v["type_1"]["exact"] for v in found["answer"]["vertices"]] == [
        str(v.alpha) for v in errors.vertices
    ]
    assert is_value(found["answer"]["total_variation"], errors.total_variation)
    assert (found["verdict"], found["answer"]["inside"]) == ("exact", None)
    (found,) = documents(
        "tradeoff", "sum.toml", "--first", "0,0", "--second", "0,1", "--level", "eps/2", code=1
    )
    assert (found["verdict"], found["answer"]["inside"]) == ("not inside", False)
    assert is_value(found["answer"]["distance"], parse("1/6"))


def test_parameters(folder: Path) -> None:
    (claim,) = load_mechanism("scale.toml").claims
    (found,) = documents("ranges", "scale.toml")
    same = ranges(claim)
    assert found["claim"] == "third" and found["answer"]["exact"] is same.exact is True
    assert [p["interval"]["text"] for p in found["answer"]["pieces"]] == ["0 < b < 3", "b >= 3"]
    assert [i["low"] for i in found["answer"]["holds"]] == [str(i.low) for i in same.holds]
    (found,) = documents("calibrate", "scale.toml", "--parameter", "b")
    least = calibrate(claim, "b").value
    assert least is not None and is_value(found["answer"]["value"], least)
    assert (found["verdict"], found["answer"]["attained"]) == ("exact", True)
    (found,) = documents("tighten", "scale.toml")
    assert found["answer"]["rows"][0]["least"] == {
        "exact": "1/b",
        "at_least": "1/b",
        "at_most": "1/b",
        "bounds": [None, None],
    }


def test_power(folder: Path) -> None:
    (found,) = documents("power", "--demands", "log(2), log(3)", "--extra", "2")
    W = Domain([("x1", log(2)), ("x2", log(3))])
    assert is_value(found["answer"]["rows"][1]["best"], best_power(W, extra_records(2)).value)
    found, other = documents("power", "sum.toml", "--datasets", "0,0; 0,1")
    mechanism = load_mechanism("sum.toml").mechanism
    against = power(mechanism, [[0, 0], [0, 1]])
    shown = other["answer"]["power"]
    assert (shown["at_least"], shown["at_most"]) == (str(against.low), str(against.high))
    assert shown["exact"] is None and other["verdict"] == "enclosed" and against.low != against.high
    low, high = (Fraction(Decimal(end)) for end in shown["bounds"])
    assert low <= Fraction(str(against.low)) <= Fraction(str(against.high)) <= high
    assert found["answer"]["optima"][0]["verdicts"][0]["trusts"] == ["the best-power rule"]


def test_draws_experiments_the_paper_and_the_catalogue(folder: Path) -> None:
    words = ("sample", "sum.toml", "--dataset", "1,2", "--size", "4", "--seed", "7")
    (found,) = documents(*words)
    drawn = sample(load_mechanism("sum.toml").mechanism, [1, 2], 4, 7)
    assert found["answer"]["draws"]["s"] == drawn.tolist()
    assert found["text"].splitlines() == printed(*words)
    (found,) = documents(*words, "--out", "draws.csv")
    assert found["answer"] == {"size": 4, "draws": None, "written": ["draws.csv"]}
    (found,) = documents("experiment", "mean", "--trials", "1", "--sizes", "50", "--out", "e")
    assert (found["answer"]["trials"], found["answer"]["sizes"]) == (1, [50])
    assert all(Path(path).exists() for path in found["answer"]["written"])
    (found,) = documents("paper", "claim_2_a2")
    assert found["claim"] == "claim_2_a2" and found["verdict"] == "holds"
    assert found["text"].splitlines() == printed("paper", "claim_2_a2")[:-1]
    listed = documents("list")
    assert [d["answer"]["name"] for d in listed[: len(CATALOGUE)]] == [e.name for e in CATALOGUE]
    assert len(listed) == len({d["answer"]["name"] for d in listed}) == len(printed("list"))


def test_a_report_and_an_audit(folder: Path) -> None:
    Path("made.json").write_text(json.dumps(verify(load_mechanism("sum.toml").claims[0]).to_json()))
    found = documents("report", "sum.toml", "made.json", "--html", "page.html", code=1)
    assert [d["verdict"] for d in found] == ["proved", "refuted", "proved", "done"]
    assert (
        found[1]["answer"]["witness"]
        == documents("verify", "sum.toml", code=1)[1]["answer"]["witness"]
    )
    assert found[-1]["answer"] == {"claims": 3, "written": ["page.html"]}
    for name, counts in (("one", "1,1"), ("two", "1,2")):
        run(
            "sample",
            "sum.toml",
            "--dataset",
            counts,
            "--size",
            "200",
            "--seed",
            "1",
            "--out",
            f"{name}.csv",
        )
    words = ("--draws", "one.csv", "two.csv", "--at", "1,1", "--at", "1,2", "--html", "audit.html")
    (found,) = documents("audit", "sum.toml", *words)
    assert (found["verdict"], found["answer"]["outcome"]) == ("consistent", "consistent")
    assert found["answer"]["written"] == ["audit.html"] and "written: audit.html" in found["text"]


def test_several_files_have_the_same_documents_however_many_processes_share_them(
    folder: Path,
) -> None:
    Path("wrong.toml").write_text("format = 2\n")
    files = ("sum.toml", "wrong.toml", "scale.toml")
    for command in ("verify", "tighten"):
        one, two = (documents(command, *files, "--workers", n, code=2) for n in "12")
        for found in (one, two):
            for document in found:
                del document["seconds"]
        assert one == two
        assert [d["file"] for d in one if d["verdict"] == "refused"] == ["wrong.toml"]


def test_what_cannot_be_answered_is_a_document_too(folder: Path) -> None:
    Path("double.toml").write_text(UNDEFINED)
    for words, code, verdict in (
        (["verify", "double.toml"], 2, "refused"),
        (["ranges", "sum.toml"], 2, "refused"),
        (["recheck", "sum.toml"], 2, "refused"),
        (["sample", "sum.toml", "--dataset", "x"], 2, "refused"),
        (["power", "--demands", "1"], 2, "refused"),
        (["tighten", "missing.toml"], 2, "refused"),
        (["verify", "sum.toml", "--procedure", "smt", "--seconds", "0.001"], 3, "unknown"),
    ):
        result = run(*words, "--json")
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert found and result.exit_code == code, words
        for document in found:
            assert document["verdict"] == verdict and list(document) == list(DOCUMENT)
            assert conforms(document, DOCUMENT) and document["reason"]
            assert code == 2 or conforms(document["answer"], OPEN), document["answer"]
        if code == 2:
            assert result.stderr.startswith("ahdp-verify: ") and "Traceback" not in result.output
            assert found[0]["reason"] in result.stderr and found[0]["answer"].get("scope") is None


def test_a_command_line_that_cannot_be_read_is_a_document_too(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["ahdp-verify", "verify", "a.toml", "--json", "--seconds", "x"])
    with pytest.raises(SystemExit) as end:
        main()
    shown = capsys.readouterr()
    assert end.value.code == 2 and json.loads(shown.out)["reason"] in shown.err


@pytest.mark.parametrize(
    ("value", "schema", "right"),
    [
        ({"a": 1}, {"a": int}, True),
        ({"a": True}, {"a": int}, False),
        ({"a": 1, "b": 1}, {"a": int}, False),
        ({}, {"a": int}, False),
        ([1, "x"], [int], False),
        ([1, "x"], [(int, str)], True),
        ({"x": ["y"]}, {"...": [str]}, True),
        ({"x": [1]}, {"...": [str]}, False),
    ],
)
def test_the_schema_can_fail(value: Any, schema: Schema, right: bool) -> None:
    assert conforms(value, schema) is right
