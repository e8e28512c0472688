"""`tighten`, `ranges`, `calibrate`, `sample` and `audit` on noise programs: of functions in Python
files, and of files of data.

Least levels and scales are those of field.md (M17, and its broken twin M20).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.bench import Bench
from tests.cli.test_program import MODULE

SCALED = """format = 2
name = "scaled"
parameters = {b = "b > 0", T = ""}
domain = {queries = "n"}
[program]
start = ["rho ~ laplace(2*b)", "goto wait"]
[program.state.wait]
keeps = ["rho"]
query = ["nu ~ laplace(4*b)", "if q + nu >= T + rho", ["output true", "stop"], "else", ["output false", "goto wait"]]
[[claim]]
name = "all"
relation = "all"
level = "1/2"
[[claim]]
name = "one third"
relation = "all"
level = "1/3"
queries = "5"
"""
COUNT = """format = 2
name = "noisy count"
[domain]
records = [["0", "1"], ["1", "1"], ["3", "2"]]
answers = ["sum(x)"]
[program]
start = ["nu ~ laplace(2)", "output q[1] + nu"]
[[claim]]
relation = "ahdp"
level = "x/2"
"""
RUN = """import numpy
def mine(answers, size):
    rng, found = numpy.random.default_rng(5), []
    for _ in range(size):
        rho, said = rng.laplace(scale=2), []
        for q in answers:
            said.append(bool(q + rng.laplace(scale=4) >= rho))
            if said[-1]:
                break
        found.append(said)
    return found
def coin(answers):
    return [True]
"""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A folder with noise programs, in which commands run."""
    monkeypatch.chdir(tmp_path)
    made = Bench(tmp_path)
    for text, path in (
        (MODULE, "svt.py"),
        (SCALED, "scaled.toml"),
        (COUNT, "count.toml"),
        (RUN, "run.py"),
    ):
        made.write(text, path)
    return made


def answer(bench: Bench, *words: str) -> list[dict[str, object]]:
    """The documents of a command."""
    return [json.loads(line) for line in bench.run(*words, "--json").stdout.splitlines()]


def test_the_least_level_of_a_function(bench: Bench) -> None:
    result = bench.run("tighten", "svt.py:above", "--relation", "all", "--queries", "5")
    title, head, row = result.stdout.splitlines()
    assert title == "least level at which above is DP for all answers moving for 5 queries"
    assert head.split() == ["moves", "least", "level", "where", "shown"]
    assert row.startswith("all moves  eps  ") and row.endswith("limit") and result.exit_code == 0


def test_a_level_for_any_number_of_queries_is_shown_to_a_thousandth(bench: Bench) -> None:
    result = bench.run("tighten", "svt.py:above")
    assert result.exit_code == 3 and result.stdout.splitlines()[2].endswith("to a thousandth")
    (document,) = answer(bench, "tighten", "svt.py:above")
    (row,) = document["answer"]["rows"]  # type: ignore[index]
    assert document["verdict"] == "enclosed" and document["answer"]["level"] is None  # type: ignore[index]
    least = row["least"]
    assert (least["exact"], least["at_least"], least["at_most"]) == (None, "999*eps/1000", "eps")
    assert row["witness"]["parameters"] == {"eps": "1", "T": "0"}


def test_options_of_a_function_change_its_least_level(bench: Bench) -> None:
    # M17 with c = 2 and 10 queries; with noise 4/(3 eps) on two answers, by hand: each of them is
    # moved at 3/4 eps, since the threshold would cost 1/2 eps and the second answer 2 * 3/4 eps
    for words, least in (("c=2", "10"), "eps"), (("scale=4/3", "2"), "3*eps/2"):
        result = bench.run("tighten", "svt.py:above", "--set", words[0], "--queries", words[1])
        assert result.stdout.splitlines()[2].split()[2] == least


def test_a_file_gives_its_relations_and_numbers(bench: Bench) -> None:
    titles = [d["text"].splitlines()[0] for d in answer(bench, "tighten", "scaled.toml")]  # type: ignore[attr-defined]
    assert titles == [
        f"least level at which scaled is DP for all answers moving{asked}"
        for asked in ("", " for 5 queries")
    ]


def test_the_least_level_of_every_record(bench: Bench) -> None:
    result = bench.run("tighten", "count.toml")
    rows = [line.split("  ")[0] for line in result.stdout.splitlines()[2:]]
    levels = [d for d in answer(bench, "tighten", "count.toml")[0]["answer"]["rows"]]  # type: ignore[index]
    assert rows == ["(0, 1)", "(1, 1)", "(3, 2)"] and result.exit_code == 0
    assert [row["least"]["exact"] for row in levels] == ["0", "1/2", "3/2"]  # x/2, by hand


def test_ranges_of_a_file_and_of_a_function(bench: Bench) -> None:
    result = bench.run("ranges", "scaled.toml:all")
    refuted, proved = result.stdout.splitlines()
    assert refuted.startswith("Refuted for one value in 0 < b < 2: scaled is DP")
    assert proved.startswith("Proved for b >= 2: ") and result.exit_code == 3
    found = answer(bench, "ranges", "svt.py:above", "--level", "1", "--relation", "all")
    assert [i["text"] for i in found[0]["answer"]["holds"]] == ["0 < eps <= 1"]  # type: ignore[index]


def test_the_least_scale_and_the_greatest_eps(bench: Bench) -> None:
    result = bench.run("calibrate", "scaled.toml", "--parameter", "b")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("least b = 2, to 9 digits; ") and result.exit_code == 0
    assert lines[1].startswith("least b = 3, to 9 digits; ")
    words = ("--parameter", "eps", "--level", "log(2)", "--queries", "3")
    greatest = bench.run("calibrate", "svt.py:above", *words)
    # the least level for 3 queries is 3/4 eps
    assert greatest.stdout.startswith("greatest eps = 4*log(2)/3 = 0.92419624")


def test_draws_are_a_table_of_outputs_by_their_places(bench: Bench) -> None:
    words = ("sample", "svt.py:above", "--dataset", "1,0,3", "--set", "eps=1", "--set", "T=1/2")
    result = bench.run(*words, "--size", "40", "--seed", "1")
    head, *rows = result.stdout.splitlines()
    assert head == "output 1,output 2,output 3" and len(rows) == 40
    assert {row.count("true") for row in rows} <= {0, 1} and "true,," in rows
    (document,) = answer(bench, *words, "--set", "c=2", "--size", "5", "--seed", "1")
    assert list(document["answer"]["draws"]) == head.split(",")[: len(document["answer"]["draws"])]  # type: ignore[index]


def test_draws_on_a_dataset(bench: Bench) -> None:
    words = ("--dataset", "5,1,2", "--size", "2000", "--seed", "3")
    head, *rows = bench.run("sample", "count.toml", *words).stdout.splitlines()
    assert head == "output 1"
    assert abs(sum(map(float, rows)) / 2000 - 7) < 5 * 2 * 2**0.5 / 2000**0.5  # 1 + 2 * 3


def test_a_function_is_audited_against_its_own_tree(bench: Bench) -> None:
    words = ("--at", "1,0", "--at", "0,1", "--set", "eps=1", "--set", "T=0", "--size", "2000")
    result = bench.run("audit", "svt.py:above", *words)
    assert result.exit_code == 0 and "Consistent: no test found" in result.stdout
    bench.run("program", "svt.py:above", "--output", "above.toml")
    mine = bench.run("audit", "above.toml", "--python", "run.py:mine", *words)
    assert mine.exit_code == 0
    wrong = bench.run("audit", "above.toml", "--python", "run.py:coin", *words)
    assert wrong.exit_code == 1 and "Rejected: " in wrong.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tighten", "svt.py:above", "--set", "d=2"), "it has no option d"),
        (("tighten", "svt.py:above", "--set", "eps=2"), "eps is a parameter"),
        (("tighten", "svt.py:above", "--relation", "ahdp"), "does not fit the input of above"),
        (("ranges", "svt.py:above"), "it states no claim"),
        (("calibrate", "scaled.toml", "--parameter", "T"), "no noise and no level depends on T"),
        (
            (
                "sample",
                "scaled.toml",
                "--dataset",
                "1",
                "--set",
                "b=1",
                "--set",
                "T=0",
                "--set",
                "c=1",
            ),
            "the program has no parameter c",
        ),
        (
            ("sample", "svt.py:above", "--dataset", "1", "--set", "eps=1"),
            "the parameter T has no value",
        ),
        (("sample", "count.toml", "--dataset", "1,x"), "is not a list of counts"),
        (
            ("audit", "scaled.toml", "--at", "1", "--set", "b=1", "--set", "T=0"),
            "it holds no function",
        ),
        (
            ("audit", "svt.py:above", "--at", "1", "--set", "eps=1", "--set", "T=0", "--run", "x"),
            "it is about a noise program",
        ),
        (("audit", "svt.py:above", "--set", "eps=1"), "there is no input"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(
    bench: Bench, words: tuple[str, ...], said: str
) -> None:
    result = bench.run(*words)
    assert result.exit_code == 2 and not result.stdout and said in result.stderr
    assert result.stderr.count("\n") == 1


def test_options_of_programs_are_refused_for_mechanisms(bench: Bench) -> None:
    bench.write("""format = 2
parameters = {b = "b > 0"}
domain = {queries = "1"}
mechanism = {outputs = [{name = "s", kind = "real"}], density = "exp(-abs(s - q[1])/b)/(2*b)"}
claim = [{relation = "one", level = "1"}]""")
    for command in (("tighten",), ("ranges",), ("calibrate", "--parameter", "b")):
        for words in (("--queries", "2"), ("--set", "c=2")):
            result = bench.run(command[0], "sum.toml", *command[1:], *words)
            assert result.exit_code == 2
            assert "alone has --queries and --set" in result.stderr
