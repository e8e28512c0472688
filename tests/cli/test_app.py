"""The commands: what they print, where, and their exit codes; every bad input is one sentence."""

from __future__ import annotations

import ast
import importlib
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.cli import app as cli
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.record import read_record
from ahdp_verify.search import verify as search
from ahdp_verify.verdicts import Unknown
from tests.cli.sentences import only_sentence

ROOT = Path(__file__).resolve().parents[2]
SUM = """
format = 2
name = "sum"
{top}
[domain]
records = {records}
[mechanism]
outputs = [{{name = "s", kind = "real"}}]
density = '{density}'
{claims}
"""
DENSITY = "exp(-abs(s - sum(x)))/2"
RECORDS = '[["0", "1"], ["1", "2"]]'
PROVED, REFUTED = (
    '[[claim]]\nrelation = "ahdp"\n',
    '[[claim]]\nrelation = "ahdp"\nlevel = "eps/3"\n',
)
PROVED_LINE = "Proved: sum is AHDP at level eps; scope: all datasets; trusts: the checker alone\n"


def content(
    density: str = DENSITY, records: str = RECORDS, claims: str = PROVED, top: str = ""
) -> str:
    return SUM.format(density=density, records=records, claims=claims, top=top)


@dataclass
class Bench:
    """A folder, and the commands run in it."""

    folder: Path

    def write(self, text: str, path: str = "sum.toml") -> str:
        (self.folder / path).write_text(text, encoding="utf-8")
        return path

    def run(self, *words: str) -> Result:
        result = CliRunner().invoke(cli.app, list(words))
        assert result.exception is None or isinstance(result.exception, SystemExit), (
            result.exception
        )
        assert "Traceback" not in result.output
        return result

    def spawn(self, *words: str, **options: Any) -> subprocess.Popen[str]:
        """The command as its own program."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        settings = {
            "cwd": self.folder,
            "env": environment,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
        } | options
        return subprocess.Popen([sys.executable, "-m", "ahdp_verify", *words], **settings)

    def sentence(self, *words: str) -> str:
        """The one sentence on stderr of a command that ends with 2 and prints nothing else."""
        result = self.run(*words)
        assert (result.exit_code, result.stdout) == (2, ""), result.output
        sentence = only_sentence(result.stderr)
        assert len(sentence) < 400
        return sentence


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    return Bench(tmp_path)


@pytest.fixture
def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is decided."""
    monkeypatch.setattr(search, "verify", lambda claim, **_: Unknown(claim, ()))


# verify


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


def refuse(claim: Any, **_: Any) -> Any:
    raise BadInput("density", "its mass is 2 at {}", "divide by 2")


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


# saving


def saved(bench: Bench) -> list[str]:
    return sorted(str(path.relative_to(bench.folder)) for path in bench.folder.rglob("*.json"))


def test_one_claim_is_saved_under_its_name_and_several_under_numbers(bench: Bench) -> None:
    bench.write(content())
    assert bench.run("verify", "sum.toml", "--save", "a.json").exit_code == 0
    assert saved(bench) == ["a.json"]
    bench.write(content(claims=PROVED + 'name = "good"\n' + REFUTED))
    bench.run("verify", "sum.toml", "--save", "b.c.json")
    assert saved(bench) == ["a.json", "b.c-1.json", "b.c-2.json"]
    bench.run("verify", "sum.toml:good", "--save", "c.json")
    assert saved(bench)[-1] == "c.json"
    result = bench.run("recheck", *saved(bench))
    assert result.exit_code == 0 and result.stdout.count("valid: ") == 4


def test_a_folder_gets_files_named_like_the_mechanism_file(bench: Bench) -> None:
    bench.write(content(claims=PROVED + 'name = "good"\n' + REFUTED))
    bench.run("verify", "sum.toml", "--save", "deep/er/")
    bench.run("verify", "sum.toml:good", "--save", "deep")
    assert saved(bench) == ["deep/er/sum-1.json", "deep/er/sum-2.json", "deep/sum.json"]


def test_an_unknown_saves_nothing(bench: Bench, undecided: None) -> None:
    assert bench.run("verify", bench.write(content()), "--save", "a.json").exit_code == 3
    assert saved(bench) == []


def test_where_nothing_can_be_saved_nothing_is_searched(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "verify", refuse)
    bench.write(content())
    assert "there is no folder none" in bench.sentence(
        "verify", "sum.toml", "--save", "none/a.json"
    )
    assert "is the file that is read" in bench.sentence(
        "verify", "sum.toml", "--save", "./sum.toml"
    )
    assert "not an ordinary file" in bench.sentence("verify", "sum.toml", "--save", os.devnull)
    assert "it cannot be created" in bench.sentence(
        "verify", "sum.toml", "--save", "sum.toml/folder/"
    )


def test_a_record_that_cannot_be_saved_is_still_printed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    result = bench.run("verify", bench.write(content()), "--save", "a.json")
    assert (result.exit_code, result.stdout) == (2, PROVED_LINE)
    assert (
        result.stderr
        == "ahdp-verify: a.json: it cannot be written (No space left on device); check the folder and its permissions\n"
    )


# recheck


@pytest.fixture
def certificate(bench: Bench) -> Path:
    bench.run("verify", bench.write(content()), "--save", "sum.json")
    return bench.folder / "sum.json"


def test_recheck_says_what_is_proved(bench: Bench, certificate: Path) -> None:
    assert bench.run("recheck", "sum.json").stdout == f"valid: sum.json: {PROVED_LINE}"
    assert bench.run("recheck", "sum.json", "--trust", "kernel").exit_code == 0
    assert bench.run("recheck", "sum.json", "--file", "sum.toml").exit_code == 0


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def changed(path: Path) -> None:
    path.write_text(path.read_text().replace('"1/2"', '"1/3"', 1))


def emptied(path: Path) -> None:
    path.write_text("")


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (truncated, "not a complete JSON"),
        (changed, "changed after it was saved"),
        (emptied, "not a complete JSON"),
        (binary, "not UTF-8"),
        (Path.unlink, "no such file"),
    ],
)
def test_a_damaged_certificate_is_bad_input(
    bench: Bench, certificate: Path, damage: Callable[[Path], None], said: str
) -> None:
    damage(certificate)
    assert said in bench.sentence("recheck", "sum.json")


def test_a_certificate_of_another_mechanism_is_bad_input(bench: Bench, certificate: Path) -> None:
    bench.write(content(density=DENSITY.replace("sum(x)", "size")))
    said = bench.sentence("recheck", "sum.json", "--file", "sum.toml")
    assert "it says that sum is AHDP at level eps, which is not a claim of sum.toml" in said


def test_a_forged_certificate_is_invalid(bench: Bench, certificate: Path) -> None:
    record = jsonfile.read_json(certificate)
    record["scope"] = "scope: everything"
    del record[jsonfile.SEAL]
    jsonfile.write_json(jsonfile.seal(record), certificate)
    result = bench.run("recheck", "sum.json")
    assert (result.exit_code, result.stderr) == (1, "")
    assert (
        result.stdout
        == "invalid: sum.json: its scope or its trusts are not those that the checker finds\n"
    )
    assert bench.run("recheck", "sum.json", "none.json").exit_code == 2, (
        "bad input comes before invalid"
    )


def test_every_certificate_is_checked_whatever_the_others_are(
    bench: Bench, certificate: Path
) -> None:
    result = bench.run("recheck", "none.json", "sum.json", "sum.toml")
    assert (
        result.exit_code == 2
        and result.stdout.startswith(
            f"valid: sum.json: {PROVED_LINE}3 records: 1 valid, 2 failed; "
        )
        and result.stderr.count("\n") == 2
    )


# tighten and list


def test_tighten_prints_the_least_levels(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Levels:
        exact = True

        def __str__(self) -> str:
            return "least levels\n(1, 2)  1"

    def tighten(mechanism: Any, relation: str, limits: Any) -> Levels:
        asked.append(relation)
        return Levels()

    monkeypatch.setitem(
        sys.modules, "ahdp_verify.analysis.levels.tighten", SimpleNamespace(tighten=tighten)
    )
    bench.write(content(claims=PROVED + REFUTED + '[[claim]]\nrelation = "swap"\nlevel = "1"\n'))
    result = bench.run("tighten", "sum.toml")
    assert (result.exit_code, result.stdout, asked) == (
        0,
        "least levels\n(1, 2)  1\n" * 2,
        ["ahdp", "swap"],
    )
    bench.run("tighten", "sum.toml", "--relation", "hdp")
    assert asked[2:] == ["hdp"]
    monkeypatch.setattr(Levels, "exact", False)
    assert bench.run("tighten", bench.write(content(claims=""))).exit_code == 3 and asked[3:] == [
        "ahdp"
    ]
    assert "no such file" in bench.sentence("tighten", "none.toml")


def test_tighten_really(bench: Bench) -> None:
    result = bench.run("tighten", bench.write(content()))
    assert result.exit_code == 0 and "(1, 2)" in result.stdout


# ranges, calibrate and delta: the one record of value 1 has the demand 2, and its loss under noise
# of scale b is 1/b

SCALED = content(density="exp(-abs(s - sum(x))/b)/(2*b)", top='[parameters]\nb = "b > 0"')


def test_ranges_prints_one_line_for_each_piece(bench: Bench) -> None:
    result = bench.run("ranges", bench.write(SCALED))
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and len(lines) == 2
    assert lines[0].startswith(
        "Refuted for 0 < b < 1/2: sum is AHDP at level eps; everywhere there; at b = "
    )
    assert (
        lines[1]
        == "Proved for b >= 1/2: sum is AHDP at level eps; scope: all datasets, 1/2 <= b; trusts: the checker alone"
    )
    assert "it has no parameter whose range can be found" in bench.sentence(
        "ranges", bench.write(content())
    )
    assert "none is called other" in bench.sentence("ranges", f"{bench.write(SCALED)}:other")


def test_a_refutation_says_where_the_claim_holds(bench: Bench) -> None:
    result = bench.run("verify", bench.write(SCALED))
    assert result.exit_code == 1 and result.stdout.count("\n") == 1
    assert result.stdout.endswith("; trusts: the checker alone; holds exactly for b >= 1/2\n")
    alone = bench.run("verify", "sum.toml", "--procedure", "finite")
    assert alone.exit_code == 1 and alone.stdout.endswith("; trusts: the checker alone\n")
    document = json.loads(bench.run("verify", "sum.toml", "--json", "--save", "out.json").stdout)
    assert document["text"].endswith("holds exactly for b >= 1/2")
    assert (
        document["record"] == json.loads((bench.folder / "out.json").read_text(encoding="utf-8"))
        and bench.run("recheck", "out.json").exit_code == 0
    )
    expected = bench.run(
        "verify",
        bench.write(SCALED.replace('relation = "ahdp"', 'relation = "ahdp"\nexpect = "refuted"')),
        "--expect",
    )
    assert expected.exit_code == 0 and expected.stdout.endswith("holds exactly for b >= 1/2\n")


def test_calibrate_prints_the_least_noise(bench: Bench) -> None:
    result = bench.run(
        "calibrate", bench.write(SCALED), "--parameter", "b", "--level", "2*eps/3", "--digits", "5"
    )
    assert result.exit_code == 0 and result.stdout.startswith(
        "least b = 3/4, exactly; sum is AHDP at level 2*eps/3, proved for b >= 3/4 and refuted "
        "for 0 < b < 3/4; "
    )
    logs = bench.run(
        "calibrate", "sum.toml", "--parameter", "b", "--level", "eps*log(2)", "--digits", "5"
    )
    assert logs.stdout.startswith("least b = 1/log(2)/2 = 0.72135, exactly; ")
    assert "c is not a parameter of sum; known are b" in bench.sentence(
        "calibrate", "sum.toml", "--parameter", "c"
    )
    assert "there is no greatest value" in bench.sentence(
        "calibrate", "sum.toml", "--parameter", "b", "--side", "greatest"
    )


def test_delta_prints_a_table(bench: Bench) -> None:
    """1 - exp(-(1 - t)/2) for Laplace noise of scale 1 and a record of value 1."""
    result = bench.run(
        "delta",
        bench.write(content(claims='[[claim]]\nrelation = "add-remove"\nlevel = "1"\n')),
        "--levels",
        "0,1/2, max(1, 1)",
    )
    assert result.exit_code == 0
    assert [line.split("  ")[0].strip() for line in result.stdout.splitlines()] == [
        "least delta of sum (add-remove)",
        "level",
        "0",
        "1/2",
        "max(1, 1)",
    ]
    assert "1 - exp(-1/4)" in result.stdout and "0.221199" in result.stdout
    assert len(bench.run("delta", "sum.toml").stdout.splitlines()) == 2 + 9
    assert "--levels" in bench.sentence("delta", "sum.toml", "--levels", "0,,1")


# tradeoff: the loss between {} and {(1, 2)} is 1/b, the demands are 1 and 2

FLIP = """
format = 2
name = "flip"
[domain]
values = ["yes", "no"]
[mechanism]
outputs = [{name = "r", kind = "finite", values = ["yes", "no"]}]
density = 'piecewise((3/4, r == v), (1/4, true))'
"""


def test_tradeoff_prints_the_best_tests(bench: Bench) -> None:
    """By hand: the curve of two Laplace distributions of scale 1, 1 apart, bends at exp(-1)/2 and
    1/2 (Dong, Roth and Su 2022).
    """
    result = bench.run("tradeoff", bench.write(content()), "--first", "0,0", "--second", "0,1")
    assert result.exit_code == 0 and [
        line.split("  ")[0] for line in result.stdout.splitlines()[2:7]
    ] == ["0", "exp(-1)/2", "exp(-1/2)/2", "1/2", "1"]
    assert (
        result.stdout.splitlines()[0] == "trade-off of sum: {} or {(1, 2)}"
        and "the type II error is exp(-1)/alpha/4" in result.stdout
    )


@pytest.mark.parametrize(
    ("level", "b", "code", "line"),
    [
        (
            "eps",
            "1/2",
            0,
            "inside the privacy region of level 2, which is the distance of the two inputs at eps",
        ),
        ("eps", "1/3", 1, "not inside the privacy region of level 2, "),
        ("x/b", "3/7", 0, "inside the privacy region of level 7/3, "),
        ("7/4", "4/7", 0, "inside the "),
        ("174999/100000", "4/7", 1, "not inside "),
        ("oo", "1/100", 0, "inside the "),
    ],
)
def test_tradeoff_says_whether_a_level_holds(
    bench: Bench, level: str, b: str, code: int, line: str
) -> None:
    result = bench.run(
        "tradeoff",
        bench.write(SCALED),
        "--first",
        "1,0",
        "--second",
        "1,1",
        "--level",
        level,
        "--set",
        f"b = {b}",
    )
    assert (result.exit_code, result.stdout.splitlines()[-1][: len(line)]) == (code, line)


def test_tradeoff_of_values_and_query_answers(bench: Bench) -> None:
    result = bench.run(
        "tradeoff", bench.write(FLIP), "--first", "yes", "--second", "no", "--level", "log(3)"
    )
    assert (
        result.exit_code == 0
        and '1/4     0.25     1/4      0.25     the output is "no"' in result.stdout
    )
    queries = FLIP.replace('values = ["yes", "no"]\n[', 'queries = "2"\n[').replace(
        'kind = "finite", values = ["yes", "no"]', 'kind = "real"'
    )
    queries = queries.replace(
        "piecewise((3/4, r == v), (1/4, true))", "exp(-abs(r - q[1] - q[2]))/2"
    )
    result = bench.run(
        "tradeoff", bench.write(queries), "--first", "1/2,1", "--second", "log(2),3/2"
    )
    assert result.exit_code == 0 and result.stdout.splitlines()[-1].endswith(
        "level log(2) = 0.693147"
    )


def test_tradeoff_draws(bench: Bench) -> None:
    pytest.importorskip("matplotlib")
    assert (
        bench.run(
            "tradeoff",
            bench.write(FLIP),
            "--first",
            "yes",
            "--second",
            "no",
            "--level",
            "1",
            "--plot",
            "curve.png",
        ).exit_code
        == 1
    )
    assert (bench.folder / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert (
        "there is no folder"
        in bench.run(
            "tradeoff", "sum.toml", "--first", "yes", "--second", "no", "--plot", "no/curve.png"
        ).stderr
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("0", "0,1", "--set", "b=1"), "1 counts are given for 2 records"),
        (("0,a", "0,1", "--set", "b=1"), "--first: '0,a' is not a list of counts"),
        (("0,1", "-1,0", "--set", "b=1"), "--second: '-1,0' is not a list of counts"),
        (("", "0,1", "--set", "b=1"), "is not a list of counts"),
        (("0,1", "0,2", "--set", "b"), "does not have the form NAME=VALUE"),
        (("0,1", "0,2", "--set", "b=1", "--set", "c=1"), "no parameter c"),
        (("0,1", "0,2", "--set", "b=1", "--set", "b=2"), "b is given two values"),
        (("0,1", "0,2"), "b has no value; add for example --set b=1/2"),
        (("0,1", "0,2", "--set", "b=0"), "the condition"),
        (("0,1", "0,2", "--set", "b=1", "--level", "-1"), "-1 is negative here"),
        (("0,1", "0,2", "--set", "b=1", "--level", "y"), "the name y is not known"),
        (("0,1", "0,2", "--set", "b=1", "--level", "1+"), "--level: at character"),
    ],
)
def test_tradeoff_refuses_bad_input_with_one_sentence(
    bench: Bench, words: tuple[str, ...], said: str
) -> None:
    before, after, *rest = words
    assert said in bench.sentence(
        "tradeoff", bench.write(SCALED), "--first", before, "--second", after, *rest
    )


def test_tradeoff_of_what_has_no_curve_is_one_sentence(bench: Bench) -> None:
    two = content(density="exp(-abs(s)/(1 + sum(x)))/2/(1 + sum(x))")
    undone = bench.run("tradeoff", bench.write(two), "--first", "0,0", "--second", "0,1")
    assert (
        undone.exit_code == 3
        and "the likelihood ratio takes the same values in two places" in undone.stderr
    )
    assert "divides by 0" in bench.sentence(
        "tradeoff",
        bench.write(content(density="exp(-abs(s - 1/size))/2")),
        "--first",
        "0,0",
        "--second",
        "0,1",
    )
    assert "is not one of the mechanism's values" in bench.sentence(
        "tradeoff", bench.write(FLIP), "--first", "yes", "--second", "maybe"
    )
    universal = content(density="exp(-abs(s))/2").replace(
        "records = " + RECORDS, "universal = true\nunknowns = {}"
    )
    assert "a universal domain does not list its records" in bench.sentence(
        "tradeoff", bench.write(universal), "--first", "0", "--second", "1"
    )


def test_list_prints_the_catalogue(bench: Bench) -> None:
    result = bench.run("list")
    catalogue = (
        *importlib.import_module("ahdp_verify.catalogue").CATALOGUE,
        *importlib.import_module("ahdp_verify.catalogue").PROGRAMS,
        *importlib.import_module("ahdp_verify.paper.catalogue").PAPER_CATALOGUE,
    )
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and len(lines) == len(catalogue) > 0
    assert all(
        line.startswith(f"{entry.name}: ") and line.endswith(" claims)")
        for line, entry in zip(lines, catalogue, strict=True)
    )


def test_help_says_what_the_exit_codes_are(bench: Bench) -> None:
    assert "2 usage error or bad input" in " ".join(bench.run("--help").stdout.split())
    assert "of several claims, claim N is saved in CERT-N" in " ".join(
        bench.run("verify", "--help").stdout.split()
    )
    assert bench.run("--version").stdout.startswith("ahdp-verify")


# datasets of at most so many records


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


# as a program of its own


def test_the_program_has_these_exit_codes(bench: Bench) -> None:
    bench.write(content(claims=PROVED + REFUTED))
    for words, code in (
        (["verify", "sum.toml"], 1),
        (["verify", "none.toml"], 2),
        (["verify", "sum.toml", "--level", "eps"], 0),
        ([], 2),
    ):
        process = bench.spawn(*words)
        _, err = process.communicate(timeout=120)
        assert process.returncode == code and "Traceback" not in err, err


def test_the_program_prints_on_any_terminal(bench: Bench) -> None:
    bench.write(content().replace('"sum"', '"s\\u00fcm"'))
    process = bench.spawn(
        "verify",
        "sum.toml",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "ascii"},
    )
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "") and out.startswith('Proved: "s\\xfcm" is AHDP')


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_is_one_line_and_130(bench: Bench) -> None:
    bench.write("import time\nprint('running', flush=True)\ntime.sleep(60)\n", "slow.py")
    process = bench.spawn("verify", "slow.py:claim")
    assert process.stdout is not None and process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (
        130,
        "ahdp-verify: verify was interrupted; the answers above remain valid\n",
    )
    assert time.monotonic() - began < 30


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_closed_pipe_is_silent(bench: Bench) -> None:
    process = bench.spawn("verify", bench.write(content()))
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert (process.wait(timeout=120), process.stderr.read()) == (141, "")
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
def test_a_full_disk_is_one_sentence(bench: Bench) -> None:
    with Path("/dev/full").open("w") as full:
        process = bench.spawn("verify", bench.write(content()), stdout=full)
        _, err = process.communicate(timeout=120)
    assert (
        process.returncode == 2
        and err.startswith("ahdp-verify: stdout: results cannot be written there")
        and err.count("\n") == 1
    )


def test_the_console_script_is_this_program() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"ahdp-verify": "ahdp_verify.cli.app:main"} and callable(cli.main)


COMMANDS = [command for command in cli.app.registered_commands if command.callback is not None]
FILES = sorted(Path(cli.__file__).parent.glob("*.py"))
# A command's file imports these at its top, and everything else inside the functions that use it.
LIGHT = (
    "canonical_json",
    "cli",
    "datasets",
    "files",
    "kernel",
    "programs",
    "search",
    "start",
    "verdicts",
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_the_function_of_its_file(command: Any) -> None:
    found = (command.callback.__module__, command.callback.__name__)
    assert found == (f"ahdp_verify.cli.{command.name}", f"{command.name}_command")


def test_every_command_ends_with_the_exit_code_that_its_function_returns() -> None:
    assert len(COMMANDS) == 23
    for command in COMMANDS:
        function = getattr(command.callback, "__wrapped__", None)
        assert function is not None and function.__annotations__["return"] == "int", command.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_command_waits_for_what_only_another_one_needs(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    named = [
        alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
        for node in at_top
        for alias in node.names
    ]
    own = [name.split(".")[1] for name in named if name.startswith("ahdp_verify.")]
    assert [name for name in own if name not in LIGHT] == []
    used = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(tree)}
    assert not used & {"import_module", "__import__"}, "a name in a string is not found by search"


def test_what_is_bad_about_all_claims_of_a_file_is_reported_once(bench: Bench) -> None:
    file = bench.write(content(claims=PROVED + PROVED))
    assert bench.sentence("calibrate", file, "--parameter", "b").count("b is not a parameter") == 1
