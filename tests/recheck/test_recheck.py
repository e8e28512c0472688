"""proofs/recheck accepts the stored records (some in the suite, all in a sweep), or says that it
does not cover them, with nothing installed; and what it accepts of changed records is still true.

Truth is decided here by floating-point evaluation of the JSON trees (module `brute`), which shares
nothing with the package and nothing with proofs/recheck: integrals and sums for events, datasets of
at most three records for claims.  Where a change leaves the claim as it was, the claim stays true
by the stored proof; then the changed evidence has to convince the package's own checker, which is
another program.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path

import pytest
from recheck import command

from ahdp_verify.files.load import load
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify
from tests.earlier_formats import converted, in_this_format
from tests.recheck import dying
from tests.recheck.asking import PROGRAM, RECORDS, ROOT, answer, answer_unsealed, run
from tests.stored import kinds_of_record
from tests.sweeps import covering

SOURCES = sorted(PROGRAM.glob("*.py"))
ABOVE = next((p for p in ROOT.parents if (p / "shared" / "corpus").is_dir()), ROOT)
SHARED = ABOVE / "shared" / "corpus"


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
