"""`ranges`, `calibrate` and `delta`: what they print, and their exit codes."""

from __future__ import annotations

import json

from tests.cli.bench import SCALED, Bench, content


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
