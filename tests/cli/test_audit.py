"""`ahdp-verify audit`, as a user calls it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ahdp_verify.cli.app import app

pytest.importorskip("numpy")
pytest.importorskip("scipy")

NOISY = """
format = 2
name = "noisy answer"
[domain]
queries = "1"
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - q[1])) / 2"
[[claim]]
relation = "one"
level = "1"
"""
PROGRAM = """
import random, sys
at, size = float(sys.argv[1]), int(sys.argv[2])
noise = random.Random(at)
for _ in range(size):
    print(at + noise.expovariate(1) - noise.expovariate(1))
"""
SCALE_BY_N = NOISY.replace(
    'outputs = [{name = "s", kind = "real"}]',
    'outputs = [{name = "n", kind = "real"}, {name = "s", kind = "real"}]',
).replace(
    '"exp(-abs(s - q[1])) / 2"', '"exp(-abs(n))/2 * exp(-abs(s)/(1 + abs(n)))/(2*(1 + abs(n)))"'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "noisy.toml").write_text(NOISY)
    (tmp_path / "twice.toml").write_text(
        NOISY.replace("- q[1])) / 2", "- q[1]) / 2) / 4").replace('level = "1"', 'level = "1/2"')
    )
    (tmp_path / "program.py").write_text(PROGRAM)
    for at in (3, 4):
        noise = random.Random(at)
        lines = (at + 2 * noise.expovariate(1) - 2 * noise.expovariate(1) for _ in range(1500))
        (tmp_path / f"twice-{at}.csv").write_text("s\n" + "".join(f"{x}\n" for x in lines))
    return tmp_path


def answer(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["audit", *words])
    return done.exit_code, done.stdout, done.stderr


def test_a_program_that_follows_the_law_is_consistent(folder: Path) -> None:
    code, out, _ = answer(
        *("noisy.toml", "--run", "python3 program.py", "--at", "3", "--at", "4", "--size", "1500")
    )
    assert code == 0 and "Consistent: no test found" in out and "certified" in out
    assert max(map(len, out.splitlines())) <= 80


def test_files_of_another_law_are_rejected_and_its_law_recognised(folder: Path) -> None:
    words = ["noisy.toml", "--draws", "twice-3.csv", "twice-4.csv", "--at", "3", "--at", "4"]
    code, out, _ = answer(*words, "--other", "twice.toml", "--html", "page.html")
    assert code == 1 and "also twice.toml: the draws are consistent with it" in out
    assert (folder / "page.html").read_text().startswith("<!doctype html>")
    code, out, _ = answer(*words, "--json")
    document = json.loads(out)
    assert (code, document["verdict"], document["file"]) == (1, "rejected", "noisy.toml")
    assert document["answer"]["outcome"] == "rejected"
    assert 1.8 < document["answer"]["scale"]["factor"] < 2.2


def test_a_function_of_a_file(folder: Path) -> None:
    (folder / "noise.py").write_text(
        "import random\nsource = random.Random(1)\n"
        "def draw(value):\n    return value + source.expovariate(1) - source.expovariate(1)\n"
    )
    code, out, _ = answer("noisy.toml", "--python", "noise.py:draw", "--at", "3", "--size", "500")
    assert code == 0 and "500 draws" in out


def test_nothing_to_test_is_exit_code_3(folder: Path) -> None:
    (folder / "hard.toml").write_text(SCALE_BY_N)
    (folder / "d.csv").write_text("0,0\n" * 200)
    code, _, err = answer("hard.toml", "--draws", "d.csv", "--at", "3")
    assert code == 3 and "the exact probabilities of the cells" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--at", "3"], "audit: no program is named; give one of --run, --draws and --python"),
        (["--run", "x", "--python", "a:b", "--at", "3"], "draws come from two places"),
        (["--run", "python3 program.py"], "--at: there is no input"),
        (["--draws", "twice-3.csv", "--at", "3", "--at", "4"], "there are 1 files, and 2 inputs"),
        (["--run", "python3 gone.py", "--at", "3"], "it ended with exit code 2"),
        (["--run", "echo 3", "--at", "3"], "it printed 1 draws at 3, and 20,000 were asked for"),
        (["--draws", "twice-3.csv", "--at", "x"], "x is not"),
        (["--draws", "twice-3.csv", "--at", "3", "--alpha", "2"], "alpha: 2 is not in"),
        (["--draws", "twice-3.csv", "--at", "3", "--html", "no/folder/x.html"], "no/folder"),
    ],
)
def test_a_mistake_is_named_with_its_cure(folder: Path, words: list[str], said: str) -> None:
    code, out, err = answer("noisy.toml", *words)
    assert (code, out) == (2, "") and said in err and "Traceback" not in err
