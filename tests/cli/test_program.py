"""`program`, and `verify` of noise programs: of functions in Python files, and of files of data."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.bench import Bench

SOURCE = """@noise_program(parameters={"eps": "eps > 0", "T": ""})
def above(queries, eps, T, c=1, scale=4):
    rho, left = laplace(2 / eps), c
    for q in queries:
        if q + laplace(scale * c / eps) >= T + rho:
            yield True
            left -= 1
            if left == 0:
                return
        else:
            yield False
"""
MODULE = f"""from ahdp_verify import argmax, dp, laplace, noise_program

{SOURCE}

@noise_program(parameters={{"eps": "eps > 0"}})
def largest(queries, eps):
    return argmax(q + laplace(2 / eps) for q in queries)


@noise_program(parameters={{"eps": "eps > 0"}})
def total(queries, eps):
    return sum(queries) + laplace(2 / eps)


claim = dp(above(c=2), "eps", "all")
both = [claim, dp(above, "eps", "increasing", queries=3)]
"""


def ran(bench: Bench, *words: str) -> tuple[int, str]:
    """The exit code and the output of a command."""
    result = bench.run(*words)
    return result.exit_code, result.stdout


@pytest.fixture
def module(bench: Bench) -> str:
    """A Python file with noise programs."""
    return bench.write(MODULE, "svt.py")


def test_a_function_is_verified_and_its_source_is_told(bench: Bench, module: str) -> None:
    code, out = ran(bench, "verify", f"{module}:above", "--relation", "all", "--level", "eps")
    digest = sha256(SOURCE.encode()).hexdigest()
    assert code == 0 and out.startswith("Proved: above is DP for all answers moving at level eps;")
    assert "any number of queries, chosen adaptively" in out
    assert out.rstrip().endswith(f"above, SHA-256 of its source {digest}")


def test_options_and_numbers_of_queries(bench: Bench, module: str) -> None:
    level = ("--level", "eps", "--queries", "4")
    code, out = ran(bench, "verify", f"{module}:above", *level, "--set", "c=2")
    assert code == 0 and "above(c=2) is DP for all answers moving at level eps for 4" in out
    code, out = ran(bench, "verify", f"{module}:largest", *level)
    assert code == 0 and out.startswith("Proved: largest is DP for all answers moving")
    assert "at level eps for 4 queries; scope: all inputs, each answer moving by at most 1" in out
    code, out = ran(bench, "verify", f"{module}:largest", "--level", "eps")
    assert code == 0 and "scope: all inputs, any number of answers, each answer moving by" in out
    low = ("--set", "scale=1", "--level", "eps")
    code, out = ran(bench, "verify", f"{module}:above", *low)
    assert code in (1, 3) and not out.startswith("Proved")


def test_claims_of_a_python_file_are_about_programs(bench: Bench, module: str) -> None:
    code, out = ran(bench, "verify", f"{module}:claim")
    assert code == 0 and out.startswith("Proved: above(c=2) is DP") and "SHA" not in out
    code, out = ran(bench, "verify", f"{module}:both")
    assert code == 0 and out.count("Proved: above") == 2


def test_the_program_of_a_function_is_a_file_that_verify_reads(
    bench: Bench, module: str, tmp_path: Path
) -> None:
    place = tmp_path / "above.toml"
    claimed = ("--set", "c=2", "--level", "eps", "--relation", "all")
    code, out = ran(bench, "program", f"{module}:above", *claimed, "--output", str(place))
    assert code == 0 and out.startswith("written: ")
    text = place.read_text()
    assert 'name = "above(c=2)"' in text and "SHA-256 of its source" in text
    code, out = ran(bench, "program", f"{module}:above", *claimed)
    assert code == 0 and out == text
    code, out = ran(bench, "verify", str(place), "--save", str(tmp_path / "above.json"))
    assert code == 0 and out.startswith("Proved: above(c=2) is DP for all answers moving")
    code, out = ran(bench, "recheck", str(tmp_path / "above.json"), "--file", str(place))
    assert code == 0 and out.startswith("valid: ")
    code, out = ran(bench, "program", str(place))
    assert code == 0 and 'level = "eps"' in out


def test_the_program_as_data(bench: Bench, module: str) -> None:
    code, out = ran(bench, "program", f"{module}:largest", "--queries", "2", "--json")
    answer = json.loads(out)["answer"]
    assert code == 0 and answer["program"]["name"] == "largest"
    assert answer["program"]["start"][0] == "draw" and len(answer["fingerprint"]) == 64


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("verify", "above"), "above: it states no claim; give one with --level and --relation"),
        (
            ("verify", "abov", "--level", "eps"),
            "it does not define abov; it defines above, claim, largest, total",
        ),
        (("verify", "above", "--level", "eps", "--set", "c"), "'c' does not have the form NAME="),
        (("verify", "above", "--level", "eps", "--set", "d=1"), "it has no option d; the options"),
        (("verify", "above", "--level", "eps", "--set", "eps=1"), "eps is a parameter, and a verd"),
        (("verify", "claim", "--set", "c=3"), "only a function in a Python file has options"),
        (("verify", "total", "--level", "eps"), "give the number of queries"),
        (("verify", "above", "--level", "eps", "--relation", "swap"), "'swap' does not fit the in"),
        (
            ("delta", "above", "--levels", "1"),
            "it is about a noise program, which this command does not work on",
        ),
    ],
    ids=str,
)
def test_what_is_refused(bench: Bench, module: str, words: tuple[str, ...], said: str) -> None:
    command, name, *options = words
    assert said in bench.sentence(command, f"{module}:{name}", *options)


def test_options_of_programs_do_not_fit_other_files(bench: Bench) -> None:
    file = bench.write(
        'format = 2\ndomain.records = [["1", "1"]]\n'
        'mechanism = {outputs = [{name = "s", law = "laplace(size, 1)"}]}\n'
        'claim = [{relation = "ahdp", level = "1"}]\n'
    )
    assert "which alone has --queries and --set" in bench.sentence("verify", file, "--queries", "2")
    assert "it is not about a noise program" in bench.sentence("program", file)


def test_geometric_noise_on_answers_that_are_not_whole_is_told_why(bench: Bench) -> None:
    file = bench.write(
        'format = 2\nparameters.eps = "eps > 0"\ndomain.queries = "1"\n'
        'program.start = ["a ~ geometric(1/eps)", "output q[1] + a"]\n'
        'claim = [{relation = "all", level = "eps"}]\n'
    )
    code, out = ran(bench, "verify", file)
    assert code == 3 and "geometric noise is shifted by whole numbers only" in out
