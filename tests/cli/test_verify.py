"""`verify`: what it prints, and its exit codes; datasets of at most so many records."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

import pytest

from ahdp_verify.kernel.record import read_record
from ahdp_verify.search import verify as search
from ahdp_verify.verdicts import Unknown
from tests.cli.bench import DENSITY, PROVED, PROVED_LINE, REFUTED, Bench, content, refuse


def test_a_claim_is_one_line_and_its_verdict_the_exit_code(bench: Bench) -> None:
    assert bench.run("verify", bench.write(content())).stdout == PROVED_LINE
    result = bench.run("verify", bench.write(content(claims=REFUTED)))
    assert result.exit_code == 1 and result.stdout.count("\n") == 1 and result.stderr == ""
    assert result.stdout.startswith("Refuted: sum is AHDP at level eps/3; witness: {")
    both = bench.run("verify", bench.write(content(claims=PROVED + REFUTED)))
    assert both.exit_code == 1 and [line.split(":")[0] for line in both.stdout.splitlines()] == [
        "Proved",
        "Refuted",
    ]


def test_an_unknown_is_exit_code_3(bench: Bench, undecided: None) -> None:
    result = bench.run("verify", bench.write(content()))
    assert (result.exit_code, result.stdout) == (
        3,
        "Unknown: sum is AHDP at level eps; reasons: \n",
    )


def test_one_claim_is_chosen_by_its_name(bench: Bench) -> None:
    bench.write(content(claims=PROVED + 'name = "good"\n' + REFUTED + 'name = "bad"\n'))
    assert bench.run("verify", "sum.toml:good").stdout == PROVED_LINE.replace(": ", ": good: ", 1)
    assert bench.run("verify", "sum.toml:bad").exit_code == 1
    assert "none is called other; the names are good, bad" in bench.sentence(
        "verify", "sum.toml:other"
    )


def test_python_files_are_run(bench: Bench) -> None:
    bench.write(
        "from ahdp_verify.files.load import load\nclaim = load('sum.toml').claims[0]\n", "m.py"
    )
    bench.write(content())
    assert bench.run("verify", "m.py:claim").stdout == PROVED_LINE
    bench.write("x = 1\n1/0\n", "m.py")
    assert "m.py, line 2: running it failed with ZeroDivisionError" in bench.sentence(
        "verify", "m.py:claim"
    )


def test_another_level_or_relation_is_another_question(bench: Bench) -> None:
    bench.write(content(claims=PROVED + 'name = "a"\nexpect = "proved"\n' + REFUTED))
    assert bench.run("verify", "sum.toml", "--level", "eps").stdout == PROVED_LINE
    assert bench.run("verify", "sum.toml", "--level", "eps/3").exit_code == 1
    assert bench.run("verify", "sum.toml", "--relation", "swap", "--level", "2").stdout.startswith(
        "Proved: sum is swap DP at level 2;"
    )
    assert "'swop' is not a known relation" in bench.sentence(
        "verify", "sum.toml", "--relation", "swop"
    )
    assert "--level: at character 1, this parenthesis is never closed" in bench.sentence(
        "verify", "sum.toml", "--level", "(eps"
    )
    assert "the name tau is not known" in bench.sentence("verify", "sum.toml", "--level", "tau")
    assert "leave --expect out" in bench.sentence(
        "verify", "sum.toml", "--level", "eps", "--expect"
    )


def test_a_file_without_claims_can_still_be_asked(bench: Bench) -> None:
    bench.write(content(claims=""))
    assert "it states no claim" in bench.sentence("verify", "sum.toml")
    assert bench.run("verify", "sum.toml", "--level", "eps").stdout == PROVED_LINE
    assert bench.run("verify", "sum.toml", "--relation", "ahdp").stdout == PROVED_LINE
    assert "give one with --level" in bench.sentence(
        "verify", "sum.toml", "--relation", "add-remove"
    )


def test_json_lines_contain_stored_records(
    bench: Bench, undecided: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(content(claims=PROVED + REFUTED))
    assert (
        json.loads(bench.run("verify", "sum.toml", "--json").stdout.splitlines()[0])["verdict"]
        == "unknown"
    )
    monkeypatch.undo()
    os.chdir(bench.folder)
    result = bench.run("verify", "sum.toml", "--json")
    assert result.exit_code == 1 and result.stderr == ""
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [d["verdict"] for d in documents] == ["proved", "refuted"]
    assert all(read_record(d["record"]) for d in documents)
    bench.write(result.stdout.splitlines()[0], "first.json")
    assert bench.run("recheck", "first.json").exit_code == 0


def test_a_refused_mechanism(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "verify", refuse)
    bench.write(content())
    assert (
        bench.sentence("verify", "sum.toml")
        == "ahdp-verify: sum.toml, density: its mass is 2 at {}; divide by 2"
    )
    bench.write(content(claims=PROVED + REFUTED))
    bench.sentence("verify", "sum.toml")  # once for both claims
    bench.write(content())
    result = bench.run("verify", "sum.toml", "--json")
    assert (
        result.exit_code == 2
        and json.loads(result.stdout)["reason"] == "density: its mass is 2 at {}; divide by 2"
    )
    bench.write(content(claims=PROVED + 'expect = "refused"\n'))
    result = bench.run("verify", "sum.toml", "--expect")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == "Refused: sum is AHDP at level eps; reason: density: its mass is 2 at {}; divide by 2\n"
    )
    bench.write(content(claims=PROVED + 'expect = "proved"\n'))
    result = bench.run("verify", "sum.toml", "--expect")
    assert result.exit_code == 2 and "proved was expected, not refused" in result.stderr


def test_expectations(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = PROVED + 'expect = "proved"\n', REFUTED + 'expect = "refuted"\n'
    result = bench.run("verify", bench.write(content(claims=good + bad)), "--expect")
    assert (result.exit_code, result.stdout.count("\n"), result.stderr) == (0, 2, "")
    wrong = bench.run(
        "verify", bench.write(content(claims=good + REFUTED + 'expect = "unknown"\n')), "--expect"
    )
    assert wrong.exit_code == 1 and wrong.stdout.count("\n") == 2
    assert (
        wrong.stderr
        == "ahdp-verify: unknown was expected, not refuted: sum is AHDP at level eps/3\n"
    )
    free = bench.run("verify", bench.write(content(claims=good + REFUTED)), "--expect")
    assert free.exit_code == 0, "a claim without an expectation does not count"
    assert "no claim of sum.toml states an expected verdict" in bench.sentence(
        "verify", bench.write(content(claims=PROVED)), "--expect"
    )
    monkeypatch.setattr(search, "verify", lambda claim, **_: Unknown(claim, ()))
    assert (
        bench.run(
            "verify", bench.write(content(claims=PROVED + 'expect = "unknown"\n')), "--expect"
        ).exit_code
        == 0
    )
    assert (
        bench.run(
            "verify", bench.write(content(claims=PROVED + 'expect = "proved"\n')), "--expect"
        ).exit_code
        == 1
    )


def test_options_reach_the_search(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def verify(claim: Any, **options: Any) -> Unknown:
        seen.update(options)
        return Unknown(claim, ())

    monkeypatch.setattr(search, "verify", verify)
    words = (
        "--seconds",
        "1.5",
        "--pieces",
        "7",
        "--records",
        "2",
        "--bits",
        "64",
        "--procedure",
        "smt",
        "--trust",
        "kernel",
    )
    assert bench.run("verify", bench.write(content()), *words).exit_code == 3
    limits = seen["limits"]
    assert (limits.seconds, limits.pieces, limits.records, limits.bits) == (1.5, 7, 2, 64)
    assert (seen["procedure"], seen["trust"]) == ("smt", "kernel")


@pytest.mark.parametrize(
    "words",
    [
        ["--seconds", "0"],
        ["--seconds", "nan"],
        ["--pieces", "0"],
        ["--bits", "52"],
        ["--records", "-1"],
    ],
)
def test_limits_have_limits(bench: Bench, words: list[str]) -> None:
    assert words[0].strip("-") in bench.sentence("verify", bench.write(content()), *words)


@pytest.mark.parametrize(
    "words",
    ["verify", "verify a.toml --procedure magic", "verify a.toml --pieces x", "prove", "recheck"],
)
def test_usage_is_reported_in_plain_lines(bench: Bench, words: str) -> None:
    result = bench.run(*words.split())
    assert (
        result.exit_code == 2
        and result.stdout == ""
        and result.stderr.splitlines()[-1].startswith("Error: ")
    )


BAD_FILES: dict[str, tuple[str, str]] = {
    "float data": (content(records='[[0.5, "1"]]'), "0.5"),
    "negative demand": (content(records='[["0", "-1"]]'), "the demand -1 is negative"),
    "duplicate record": (content(records='[["0", "1"], ["0", "1"]]'), "listed twice"),
    "unknown name": (content(density=DENSITY + "*t"), "the name t is not known"),
    "mass 2": (content(density="exp(-abs(s - sum(x)))"), "2"),
    "negative density": (
        content(density="-exp(-abs(s - sum(x)))/2"),
        "output s = 3/7 the density is -exp(-3/7)/2",
    ),  # by hand
    "negative in part": (
        content(density="exp(-abs(s - sum(x)))*piecewise((-1, s < sum(x)), (3, true))/2"),
        "a density is at least 0",
    ),
    "unbalanced parenthesis": (content(density="exp(-abs(s - sum(x))/2"), "at character 4"),
    "tower": (content(density=DENSITY + " + 9^9^9"), "more than 4096 bits"),
    "tower in a level": (content(claims=PROVED + 'level = "9^9^9"'), "more than 4096 bits"),
    "1 MB": (content(density="1+" * 500_000 + "1"), "longer than"),
    "nested": (content(density="(" * 10_000 + "1" + ")" * 10_000), "nested"),
    "import": (content(density='__import__("os")'), "is not a function"),
    "no claim": (content(claims=""), "states no claim"),
    "not TOML": ("name = ", "it is not TOML"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_every_bad_file_is_one_sentence(bench: Bench, kind: str) -> None:
    text, said = BAD_FILES[kind]
    assert said in bench.sentence("verify", bench.write(text), "--seconds", "10")


def test_what_is_not_a_mechanism_file_is_one_sentence(bench: Bench) -> None:
    (bench.folder / "binary.toml").write_bytes(bytes(range(256)))
    (bench.folder / "folder.toml").mkdir()
    said_of = {
        "binary.toml": "not UTF-8",
        "folder.toml": "folder",
        "none.toml": "no such file",
        "x.txt": "neither a .toml nor a .py",
    }
    for path, said in said_of.items():
        assert said in bench.sentence("verify", path)


def test_an_internal_error_is_one_sentence_and_other_claims_go_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def verify(claim: Any, **_: Any) -> Unknown:
        if str(claim.level) == "eps":
            raise KeyError("@1")
        return Unknown(claim, ())

    monkeypatch.setattr(search, "verify", verify)
    result = bench.run("verify", bench.write(content(claims=PROVED + REFUTED)))
    assert (
        result.exit_code == 2
        and result.stdout == "Unknown: sum is AHDP at level eps/3; reasons: \n"
    )
    said = (
        "ahdp-verify: verifying that sum is AHDP at level eps failed with an internal error "
        "(KeyError: '@1'); please report it"
    )
    assert result.stderr.startswith(said)


def test_an_interrupt_leaves_what_is_finished(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = search.verify

    def verify(claim: Any, **options: Any) -> Any:
        if str(claim.level) != "eps":
            raise KeyboardInterrupt
        return real(claim, **options)

    monkeypatch.setattr(search, "verify", verify)
    result = bench.run(
        "verify", bench.write(content(claims=PROVED + REFUTED)), "--save", "sum.json"
    )
    assert (result.exit_code, result.stdout) == (130, PROVED_LINE)
    assert result.stderr == "ahdp-verify: verify was interrupted; the answers above remain valid\n"
    assert bench.run("recheck", "sum-1.json").exit_code == 0


def test_a_size_is_in_the_scope_and_in_what_is_saved(bench: Bench) -> None:
    bench.write(content(claims=PROVED + REFUTED))
    result = bench.run("verify", "sum.toml", "--size", "3", "--save", "sum.json")
    proved, refuted = result.stdout.splitlines()
    assert result.exit_code == 1 and refuted.startswith(
        "Refuted: sum is AHDP at level eps/3; witness: {} against {(1, 2)}, event "
    )
    assert (
        proved
        == "Proved: sum is AHDP at level eps; scope: datasets of at most 3 records; trusts: the checker and the exhaustive enumeration"
    )
    assert bench.run("recheck", "sum-1.json", "sum-2.json").stdout.startswith(
        f"valid: sum-1.json: {proved}\nvalid: sum-2.json: {refuted}\n2 records: 2 valid; "
    )


def test_sizes_that_are_finished_are_kept_and_taken_over(bench: Bench) -> None:
    bench.write(content())
    assert bench.run("verify", "sum.toml", "--size", "2", "--resume", "rest.json").exit_code == 0
    assert "at most 2 records" in bench.run("recheck", "rest.json").stdout
    went_on = bench.run(
        "verify", "sum.toml", "--size", "4", "--resume", "rest.json", "--save", "sum.json"
    )
    said = "trusts: the checker, the exhaustive enumeration and rest.json (up to 2 records)"
    assert (
        went_on.exit_code == 0
        and "scope: datasets of at most 4 records" in went_on.stdout
        and said in went_on.stdout
    )
    assert (
        "at most 4 records; trusts: the checker and the exhaustive enumeration"
        in bench.run("recheck", "sum.json").stdout
    )
    assert (
        bench.run(
            "verify", "sum.toml", "--size", "6", "--resume", "sum.json", "--trust", "kernel"
        ).exit_code
        == 3
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--size", "0"), "size: 0 is not a number of records"),
        (("--size", "2", "--procedure", "smt"), "procedure: smt does not enumerate datasets"),
        (("--resume", "rest.json"), "resume: resume needs a size"),
        (("--size", "2", "--resume", "missing/rest.json"), "there is no folder missing"),
        (
            ("--size", "2", "--resume", "sum.toml"),
            "--resume: sum.toml is the file that is read",
        ),
    ],
)
def test_sizes_that_mean_nothing_are_one_sentence(
    bench: Bench, options: tuple[str, ...], said: str
) -> None:
    bench.write(content())
    assert said in bench.sentence("verify", "sum.toml", *options)


def test_a_file_that_is_not_an_enumeration_is_not_taken_over(bench: Bench) -> None:
    bench.write(content())
    bench.run("verify", "sum.toml", "--save", "sum.json")
    assert "it does not contain an enumeration for this claim" in bench.sentence(
        "verify", "sum.toml", "--size", "3", "--resume", "sum.json"
    )
    bench.write("{}", "odd.json")
    assert "odd.json" in bench.sentence("verify", "sum.toml", "--size", "3", "--resume", "odd.json")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_says_what_was_covered(bench: Bench) -> None:
    bench.write(
        content(records='[["0", "1"], ["1", "2"], ["1/7", "1"], ["1/11", "1"], ["1/13", "1"]]')
    )
    process = bench.spawn(
        "verify", "sum.toml", "--size", "60", "--seconds", "600", "--resume", "rest.json"
    )
    began = time.monotonic()
    while not (bench.folder / "rest.json").exists() and time.monotonic() - began < 120:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err.startswith(
        "ahdp-verify: verify was interrupted; the answers above remain valid; all datasets of at most "
    )
    assert (
        "compared, recorded in rest.json" in err
        and bench.run("recheck", "rest.json").exit_code == 0
    )
