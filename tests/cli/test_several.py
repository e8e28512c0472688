"""Several files at once, in one process, in several, and on a cluster: the same answers."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ahdp_verify.cli import verify_parts, verify_shared
from ahdp_verify.cli.app import app
from ahdp_verify.cli.verify_job import VerifyJob
from ahdp_verify.files.load import load
from ahdp_verify.kernel.exhaustive.enumerate import EnumerationJob
from ahdp_verify.kernel.exhaustive.sizes import Parts, in_parts, shown_part
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Unknown, Verdict

SUM = """
format = 2
name = "{name}"
domain.records = [["0", "1"], ["1", "2"]]
[mechanism]
outputs = [{{name = "s", kind = "real"}}]
density = "exp(-abs(s - sum(x)))/2"
"""
TRUE, FALSE = (
    '[[claim]]\nrelation = "ahdp"\nexpect = "proved"\n',
    '[[claim]]\nrelation = "ahdp"\nlevel = "eps/3"\nexpect = "refuted"\n',
)


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three files with five claims, one of them in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims" / "more").mkdir(parents=True)
    for path, claims in (
        ("claims/good.toml", TRUE),
        ("claims/mixed.toml", TRUE + FALSE),
        ("claims/more/good.toml", FALSE + TRUE),
    ):
        (tmp_path / path).write_text(SUM.format(name=Path(path).stem) + claims)
    return tmp_path


def without_times(text: str) -> list[str]:
    return [re.sub(r" +\d+\.\d+( s of processor time)?$", "", line) for line in text.splitlines()]


def test_a_folder_stands_for_its_files(folder: Path) -> None:
    result = run("verify", "claims")
    assert result.exit_code == 1 and result.stderr == ""
    shown = without_times(result.stdout)
    assert [line for line in shown if line.startswith("-- ")] == [
        "-- claims/good.toml",
        "-- claims/mixed.toml",
        "-- claims/more/good.toml",
    ]
    assert [line.split(" is ")[0] for line in shown if ": " in line][:5] == [
        "Proved: good",
        "Proved: mixed",
        "Refuted: mixed",
        "Refuted: good",
        "Proved: good",
    ]
    assert shown[-5:] == [
        "file                   proved  refuted  seconds",
        "claims/good.toml            1        0",
        "claims/mixed.toml           1        1",
        "claims/more/good.toml       1        1",
        "3 files, 5 claims: 3 proved, 2 refuted;",
    ]


def test_two_processes_answer_as_one_does(folder: Path) -> None:
    one, two = (run("verify", "claims", "--workers", n, "--save", f"by{n}/") for n in "12")
    assert without_times(one.stdout) == without_times(two.stdout)
    assert (one.exit_code, one.stderr) == (two.exit_code, two.stderr) == (1, "")
    saved = sorted(str(path.relative_to("by1")) for path in Path("by1").rglob("*.json"))
    assert saved == [
        "good.json",
        "mixed-1.json",
        "mixed-2.json",
        "more/good-1.json",
        "more/good-2.json",
    ]
    assert all(Path("by1", p).read_text() == Path("by2", p).read_text() for p in saved)
    for workers in "12":
        checked = run("recheck", "by1", "--file", "claims/mixed.toml", "--workers", workers)
        assert checked.exit_code == 2 and checked.stderr.count("is not a claim of") == 3
        assert checked.stdout.count("valid: by1/mixed-") == 2
        every = run("recheck", "by1", "--workers", workers)
        assert every.exit_code == 0
        assert every.stdout.splitlines()[-1].startswith("5 records: 5 valid; ")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_file_that_cannot_be_read_does_not_stop_the_others(folder: Path, workers: str) -> None:
    (folder / "claims" / "bad.toml").write_text(SUM.format(name="bad") + "[[claim]]\nlevle = 1\n")
    result = run("verify", "claims", "--expect", "--workers", workers)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and "claims/bad.toml" in result.stderr
    assert result.stdout.splitlines()[-1].startswith(
        "4 files, 6 claims: 3 proved, 2 refuted, 1 failed; "
    )


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_is_not_expected_is_counted(folder: Path, workers: str) -> None:
    assert run("verify", "claims", "--expect", "--workers", workers).exit_code == 0
    text = SUM.format(name="wrong") + FALSE.replace("refuted", "proved")
    (folder / "claims" / "wrong.toml").write_text(text)
    result = run("verify", "claims", "--expect", "--workers", workers)
    assert result.exit_code == 1 and "proved was expected, not refuted" in result.stderr
    assert result.stdout.splitlines()[-1].startswith(
        "4 files, 6 claims: 3 proved, 3 refuted, 1 unexpected; "
    )


def test_a_process_that_may_not_start_others_does_all_the_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = without_times(run("verify", "claims").stdout)
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    assert without_times(run("verify", "claims", "--workers", "2").stdout) == expected


def test_json_lines_stand_alone(folder: Path) -> None:
    result = run("verify", "claims", "--json", "--workers", "2")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["verdict"] for record in records] == [
        "proved",
        "proved",
        "refuted",
        "refuted",
        "proved",
    ]


def test_levels_of_several_files(folder: Path) -> None:
    one, two = (run("tighten", "claims", "--workers", n) for n in "12")
    assert without_times(one.stdout) == without_times(two.stdout)
    assert one.exit_code == two.exit_code == 0
    assert one.stdout.splitlines()[-1].startswith("3 files, 3 tables: 3 exact; ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("verify", "empty"), "empty: this folder contains no mechanism file"),
        (("recheck", "claims"), "claims: this folder contains no record"),
        (("verify", "claims", "--resume", "r.json"), "--resume: it continues the claims of one"),
        (
            ("verify", "claims/good.toml", "--workers", "2", "--resume", "r.json"),
            "--resume: it continues one size after the other",
        ),
        (("verify", "claims", "--save", "all.json"), "--save: several files are verified"),
        (
            ("verify", "claims/good.toml", "claims/more/good.toml", "--save", "out/"),
            "--save: the records of claims/good.toml and of claims/more/good.toml would have",
        ),
        (
            ("verify", "claims/good.toml", "good.py:claim", "--save", "out/"),
            "--save: the records of claims/good.toml and of good.py:claim would have",
        ),
        (
            ("verify", "claims", "--workers", "2", "--scheduler", "tcp://127.0.0.1:9"),
            "--workers: a cluster has its own",
        ),
    ],
)
def test_options_that_do_not_fit(folder: Path, words: tuple[str, ...], sentence: str) -> None:
    (folder / "empty").mkdir()
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"ahdp-verify: {sentence}") and result.stderr.count("\n") == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_no_record_takes_the_place_of_another(folder: Path, workers: str) -> None:
    """The first record of mixed.toml has the name of that of mixed-1.toml."""
    (folder / "claims" / "mixed-1.toml").write_text(SUM.format(name="other") + TRUE)
    result = run("verify", "claims", "--save", "out/", "--workers", workers)
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "mixed-1.json: it is the record of another file" in result.stderr
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "good.json",
        "mixed-1.json",
        "more",
    ]
    assert json.loads(Path("out/mixed-1.json").read_text())["claim"]["mechanism"]["name"] == "other"


def test_two_processes_share_the_datasets_of_a_claim(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file with a size: its claim is enumerated in parts, as soon as that is worthwhile."""
    monkeypatch.setattr(verify_parts, "ALONE", -1.0)
    one, two = (run("verify", "claims/good.toml", "--size", "9", "--workers", n) for n in "12")
    assert (one.exit_code, one.stdout, one.stderr) == (two.exit_code, two.stdout, two.stderr)
    assert "datasets of at most 9 records" in one.stdout and one.exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_what_is_finished_is_kept_when_interrupted(folder: Path) -> None:
    """The first claim takes long; the second is decided, and shown although its turn never
    comes.
    """
    Path("slow.toml").write_text(
        SUM.format(name="slow").replace('["1", "2"]', '["1", "2"], ["1/7", "1"], ["1/11", "1"]')
        + TRUE
    )
    words = "verify slow.toml claims/good.toml --size 200 --seconds 600 --workers 2 --save kept/"
    process = subprocess.Popen(
        [sys.executable, "-m", "ahdp_verify", *words.split()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: Path("kept/good.json").exists())
    time.sleep(1)  # the answer has yet to arrive
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "ahdp-verify: verify was interrupted; the answers above remain valid\n"
    assert out.startswith(
        "-- claims/good.toml\nProved: good is AHDP at level eps; scope: datasets of"
    )
    assert run("recheck", "kept").exit_code == 0


def wait_for(condition: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not condition() and time.monotonic() - began < 120:
        time.sleep(0.05)
    assert condition()


# a cluster


def test_a_cluster_answers_the_same_though_a_worker_is_killed(
    folder: Path, dask_cluster: Any
) -> None:
    here = run("verify", "claims", "--workers", "1", "--save", "here/")
    victim = next(iter(dask_cluster.workers.values())).pid
    killer = threading.Timer(0.3, os.kill, (victim, signal.SIGKILL))
    killer.start()
    there = run(
        "verify", "claims", "--scheduler", dask_cluster.scheduler_address, "--save", "there/"
    )
    killer.join()
    assert without_times(here.stdout) == without_times(there.stdout)
    assert (here.exit_code, here.stderr) == (there.exit_code, there.stderr)
    for path in Path("here").rglob("*.json"):
        assert path.read_text() == Path("there", path.relative_to("here")).read_text()


@pytest.mark.parametrize("killed", [False, True])
def test_a_cluster_shares_the_datasets_of_a_claim(
    folder: Path, dask_cluster: Any, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    """With a size: the verdicts of one process, which name the cluster where they are proofs, also
    if a worker is killed on the way; the records do not depend on it.
    """
    monkeypatch.setattr(verify_parts, "ALONE", -1.0)
    address = dask_cluster.scheduler_address
    here = run("verify", "claims/mixed.toml", "--size", "9", "--workers", "1")
    if killed:
        victim = next(iter(dask_cluster.workers.values())).pid
        threading.Timer(0.2, os.kill, (victim, signal.SIGKILL)).start()
    words = ("verify", "claims/mixed.toml", "--size", "9", "--scheduler", address)
    there = run(*words, "--save", "there/")
    named = f"the workers of the cluster at {address} (up to 9 records)"
    proof, refutation = there.stdout.splitlines()
    assert proof.startswith(f"Proved, attested by {named}: mixed") and proof.endswith(named)
    assert proof.split("; trusts")[0].replace(f", attested by {named}", "") in here.stdout
    assert (here.exit_code, here.stdout.splitlines()[1]) == (there.exit_code, refutation)
    assert there.stderr == "" and run("recheck", "there").exit_code == 0
    alone = run(*words, "--trust", "kernel")
    assert (here.exit_code, here.stdout) == (alone.exit_code, alone.stdout)


def test_what_a_worker_says_of_a_part_is_read_with_care(
    claims: tuple[Any, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two inputs at which a true claim is said to fail refute nothing; what is no answer is shown
    here instead.
    """
    true, _ = claims
    job = EnumerationJob(3, False)

    def said(answer: Any) -> Verdict:
        def show(claim: Any, job: Any) -> tuple[Any, ...]:
            found = verify_parts.part_of_answer(claim, job, answer, set())
            return (found or shown_part(claim, job),)

        with in_parts(Parts(show, lambda: True, "somebody")):
            return verify(true, size=3)

    own = verify_parts.part_on_worker(
        verify_parts.part_task(json.dumps(true.to_json()), job, Limits())
    )
    proved = said(own)
    assert isinstance(proved, Proved) and proved.trusts == ("somebody (up to 3 records)",)
    assert capsys.readouterr().err == ""
    inputs = [["0", "0"], ["1", "0"], [1, 0, 0]]
    assert isinstance(said(json.dumps({"undecided": "", "violated": inputs})), Unknown)
    assert isinstance(said(json.dumps({"undecided": "too hard", "violated": None})), Unknown)
    for bad in ("", "{}", '{"undecided": "", "violated": [1]}', OSError("lost"), None):
        assert isinstance(said(bad), Proved)
        assert "its part of the enumeration is shown here" in capsys.readouterr().err


@pytest.fixture
def claims(folder: Path) -> tuple[Any, Any]:
    """A true and a false claim."""
    true, false = load("claims/mixed.toml").claims
    return true, false


def proposal(record: Any, seconds: Any = 0.5) -> str:
    return json.dumps({"record": record, "seconds": seconds})


JOB = VerifyJob("", Limits(), None, "all", False, False)


def test_a_right_answer_of_a_worker_is_accepted(claims: tuple[Any, Any]) -> None:
    for claim in claims:
        verdict = verify(claim)
        found, seconds = verify_shared.checked_answer(JOB, claim, proposal(verdict.to_json()))
        assert found is not None and found.to_json() == verdict.to_json() and seconds == 0.5
    unknown = Unknown(claims[0], ())
    assert verify_shared.checked_answer(JOB, claims[0], proposal(unknown.to_json()))[0] == unknown


def test_an_answer_about_fewer_datasets_is_not_taken_for_one_about_all(
    claims: tuple[Any, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are true; neither answers what was asked.  Nor does a refutation, of unknown size."""
    true, false = claims
    small, all_ = verify(true, size=2), verify(true)
    sized = replace(JOB, size=2)
    for job, claim, verdict in (
        (JOB, true, small),
        (sized, true, all_),
        (sized, false, verify(false)),
    ):
        answer = proposal(verdict.to_json())
        assert verify_shared.checked_answer(job, claim, answer) == (None, 0.0)
        assert "about other datasets than those" in capsys.readouterr().err
    found, _ = verify_shared.checked_answer(sized, true, proposal(small.to_json()))
    assert found is not None and found.to_json() == small.to_json()


def test_no_answer_of_a_worker_is_believed(
    claims: tuple[Any, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Verdicts on other claims, evidence that shows nothing, and what is no answer at all."""
    true, false = claims
    proof, refutation = verify(true).to_json(), verify(false).to_json()
    swapped = proof | {"claim": refutation["claim"], "fingerprint": false.fingerprint}
    for claim, answer in (
        (false, proposal(proof)),
        (true, proposal(refutation)),
        (false, proposal(swapped)),
        (true, proposal(proof | {"verdict": "refuted"})),
        (true, proposal(proof | {"scope": "everything"})),
        (true, proposal(proof, "soon")),
        (true, proposal(proof, float("nan"))),
        (true, "[" * 100_000),
        (true, proposal({"fingerprint": true.fingerprint, "verdict": "unknown", "reasons": [1]})),
        (true, "[]"),
        (true, "{"),
        (true, "null"),
    ):
        assert verify_shared.checked_answer(JOB, claim, answer) == (None, 0.0), answer
    said = capsys.readouterr().err.splitlines()
    assert said and all(line.startswith("ahdp-verify: the answer of a worker") for line in said)
