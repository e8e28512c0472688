"""`tradeoff`: what it prints, and its exit codes."""

from __future__ import annotations

import importlib

import pytest

from tests.cli.bench import RECORDS, SCALED, Bench, content

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
