"""`ahdp-verify power`: what it prints, saves and draws, its exit codes, and one plain sentence for
every invalid request.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ahdp_verify import Domain, Mechanism, Proved, finite, recheck
from ahdp_verify.analysis.power import power_table
from ahdp_verify.cli.app import app
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.plots import draw_figure, draw_power
from tests.cli.sentences import only_sentence

ROOT = Path(__file__).resolve().parents[2]
PNG = b"\x89PNG"


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, ["power", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def lines(*words: str, code: int = 0) -> list[str]:
    result = run(*words)
    assert result.exit_code == code, result.output
    return result.stdout.splitlines()


def test_a_table() -> None:
    """O2 with its limit 1/6 (S1), and the paper's bound (1 - 1/2)(1 - 1/3)."""
    found = lines("--demands", "log(2), log(3)", "--extra", "4")
    assert [line.split()[:3] for line in found[2:6]] == [
        ["1", "3", "6/11"],
        ["2", "6", "9/23"],
        ["3", "10", "36/119"],
        ["4", "15", "216/841"],
    ]
    assert found[-1] == "limit as t grows: 1/6; the paper's upper bound of it is 1/3"


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (("--demands", "log(2), log(2)", "--one-more", "--relation", "swap"), "2/3"),
        (("--demands", "log(2), log(3)", "--known", "2"), "3/4"),
        (("--demands", "log(2), log(3)", "--known", "1", "--given", "2,2"), "2/3"),
        (("--demands", "log(2), log(3)", "--datasets", "0,0; 1,0; 0,1"), "6/11"),
        (
            ("--demands", "a: log(2), a: log(5), b: log(3)", "--extra", "1", "--level", "eps"),
            "6/11",
        ),
        (
            (
                "--demands",
                "log(2), log(3)",
                "--extra",
                "1",
                "--relation",
                "add-remove",
                "--level",
                "log(4)",
            ),
            "2/3",
        ),
        (("--demands", "log(2), log(3)", "--datasets", "0,0; 1,0; 0,1", "--everywhere"), "6/11"),
        (("--demands", "oo, 0", "--datasets", "0,0; 1,0; 0,1"), "1/2"),
    ],
)
def test_one_optimum(words: tuple[str, ...], value: str) -> None:
    found = lines(*words)
    assert found[0].startswith("Proved: best power against ") and f" = {value}; scope: " in found[0]


def test_formulas() -> None:
    """S3: two formulas that meet at eps = log 3."""
    found = lines("--demands", "eps, eps, eps", "--extra", "2")
    assert any(line.startswith("Proved: ") and "log(3) < eps" in line for line in found)
    (one,) = lines("--demands", "eps", "--extra", "2")
    assert (
        one
        == "Proved: best power against at most 2 extra records = 1/(2*exp(-eps) + 1); scope: mechanisms that are AHDP on the 3 datasets, 0 < eps; trusts: the checker, the best-power rule and the exponential-sign rule"
    )


def test_the_power_against_a_file(tmp_path: Path) -> None:
    """Randomised response on presence with q = 1/2 concedes 2/3, as the best mechanism does
    (claim:4).
    """
    path = tmp_path / "flip.toml"
    path.write_text("""format = 2
name = "flip"
[domain]
records = [["1", "log(2)"]]
[mechanism]
outputs = [{name = "r", kind = "finite", values = ["0", "1"]}]
density = "piecewise((2/3, (r == 1 and size > 0) or (r == 0 and size == 0)), (1/3, true))"
[[claim]]
relation = "ahdp"
""")
    found = lines(str(path), "--known", "1")
    assert (
        " = 2/3; scope: mechanisms" in found[0]
        and found[-1].startswith("Proved: power against ")
        and " = 2/3; scope: all tests of flip" in found[-1]
    )
    assert lines(str(path), "--extra", "2")[1].split()[-2:] == ["this", "mechanism"]


def test_save_recheck_explain(tmp_path: Path) -> None:
    asked = (
        "--demands log(2),log(3) --extra 2",
        "--demands eps --extra 1",
        "--demands log(2),log(2) --one-more --relation swap",
    )
    for i, words in enumerate(text.split() for text in asked):
        path = str(tmp_path / f"{i}.json")
        assert lines(*words, "--save", path)[-1] == f"saved: {path} (the last optimum)"
        assert isinstance(recheck(path), Proved)
        for command in ("recheck", "explain"):
            result = CliRunner().invoke(app, [command, path])
            assert result.exit_code == 0 and "best power against" in result.stdout
        shown = CliRunner().invoke(app, ["explain", path]).stdout
        assert (
            "There is a private mechanism" in shown
            and "So no private mechanism has a least aim above the sum of the prices" in shown
        )


def test_plots(tmp_path: Path) -> None:
    path = tmp_path / "power.png"
    lines("--demands", "log(2), log(3)", "--extra", "3", "--plot", str(path))
    assert path.read_bytes()[:4] == PNG
    for which in ("cap", "cap-2"):
        lines("--figure", which, "--plot", str(tmp_path / f"{which}.png"))
        assert (tmp_path / f"{which}.png").read_bytes()[:4] == PNG
        draw_figure(which, str(tmp_path / f"{which}.svg"))
        assert (
            "exact" in (tmp_path / f"{which}.svg").read_text()
            or "<svg" in (tmp_path / f"{which}.svg").read_text()
        )


def test_a_table_with_a_mechanism_is_drawn(tmp_path: Path) -> None:
    W = Domain([("a", log(2))])
    M = Mechanism(W, outputs=[finite("r", [0, 1])], density="1/2", name="coin")
    table = power_table(W, 2, mechanism=M)
    assert (
        str(table).splitlines()[0]
        == "best power against at most t extra records, and power against coin"
    )
    assert [row.against and str(row.against.value) for row in table.rows] == [
        "1/2",
        "1/3",
    ]  # a coin tells nothing
    assert "<td>2/3</td>" in table._repr_html_() and table.exact
    draw_power(table, tmp_path / "t.svg")
    assert (tmp_path / "t.svg").stat().st_size > 1000


def test_a_table_does_not_ask_for_an_extension_of_many_hypotheses() -> None:
    found = power_table(Domain([("a", log(2)), ("b", log(2))]), 2, everywhere=False)
    assert [row.extends for row in found.rows] == [None, None] and str(found).count(
        "not asked"
    ) == 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "neither a file nor demands were given"),
        (("--demands", "log(2)"), "no threat models"),
        (("--demands", "log(2)", "--extra", "1", "--one-more"), "2 threat models"),
        (("--demands", "log(2)", "--extra", "0"), "leaves nothing"),
        (("--demands", "log(2)", "--extra", "-1"), "leaves nothing"),
        (("--demands", "eps", "--extra", "0"), "leaves nothing"),
        (("--demands", "-1", "--extra", "1"), "negative"),
        (("--demands", "a:, b: 1", "--extra", "1"), "the demand of a is missing"),
        (("--demands", "1,, 2", "--extra", "1"), ""),
        (("--demands", "log(", "--extra", "1"), ""),
        (("--demands", "a: 1, a: 1", "--extra", "1"), "listed twice"),
        (("--demands", "a: log(2), a: log(3)", "--datasets", "1,0; 0,1"), "nothing to tell apart"),
        (("--demands", "a: 1, a: 2", "--one-more"), "nothing to tell apart"),
        (("--demands", "log(2)", "--datasets", "0"), "there is one"),
        (("--demands", "log(2)", "--datasets", "0; 0"), "listed twice"),
        (("--demands", "log(2)", "--datasets", "0; x"), "is not a list of counts"),
        (("--demands", "log(2)", "--datasets", "0; -1"), ""),
        (("--demands", "log(2)", "--datasets", "0; 1,1"), ""),
        (("--demands", "log(2)", "--known", "2"), "no record number 2"),
        (("--demands", "log(2)", "--known", "0"), "no record number 0"),
        (("--demands", "log(2)", "--known", "1", "--given", "a"), "is not a list of counts"),
        (
            ("--demands", "log(2), log(3)", "--extra", "1", "--relation", "swap"),
            "but swap needs one level",
        ),
        (("--demands", "log(2)", "--extra", "1", "--level", "-1"), "negative"),
        (("--demands", "log(2)", "--extra", "1", "--level", "x"), ""),
        (("--demands", "log(2), log(3)", "--extra", "99"), "hypotheses"),
        (("--demands", "eps", "--extra", "2", "--plot", "x.png"), "no table"),
        (("--demands", "log(2)", "--known", "1", "--plot", "x.png"), "no table"),
        (("--figure", "cap"), "it needs an output file"),
        (("--demands", "log(2)", "--extra", "1", "--save", "/no/such/folder/x.json"), ""),
        (
            ("--demands", "log(2)", "--extra", "1", "--plot", "/no/such/folder/x.png"),
            "there is no folder",
        ),
        (("/no/such/file.toml", "--extra", "1"), ""),
    ],
)
def test_questions_that_are_none(words: tuple[str, ...], reason: str) -> None:
    result = run(*words)
    assert result.exit_code == 2, (result.exit_code, result.output)
    sentence = only_sentence(result.stderr)
    assert (
        reason in sentence
        and "Traceback" not in sentence
        and not any(
            word in sentence for word in ("KeyError", "TypeError", "ValueError", "IndexError")
        )
    )


@pytest.mark.parametrize("demands", ["1/2, sqrt(2)", "a, b", "eps, 1/2"])
def test_levels_without_one_exponential_are_not_worked_out(demands: str) -> None:
    """Each of these has a best power; that it is not worked out is not the fault of the
    question.
    """
    result = run("--demands", demands, "--extra", "1")
    assert (result.exit_code, result.stdout) == (3, "")
    (sentence,) = result.stderr.strip().splitlines()
    assert (
        "power was not possible: level: the exponentials of levels were not found to be powers of one "
        "exponential" in sentence
    )


def test_a_mechanism_that_is_given_no_list_of_records(tmp_path: Path) -> None:
    for name, part in (
        ("queries", '[domain]\nqueries = "1"'),
        ("universal", '[domain]\nunknowns = {x = "0 <= x <= 1"}'),
    ):
        path = tmp_path / f"{name}.toml"
        path.write_text(
            f'format = 2\nname = "m"\n{part}\n[mechanism]\noutputs = '
            f'[{{name = "s", kind = "real"}}]\ndensity = "exp(-abs(s))/2"\n'
        )
        result = run(str(path), "--extra", "1")
        assert result.exit_code == 2 and len(result.stderr.strip().splitlines()) == 1


def test_an_output_that_is_not_decided(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text("""format = 2
name = "two"
[domain]
records = [["1", "1"]]
[mechanism]
outputs = [{name = "s", kind = "real"}, {name = "t", kind = "real"}]
density = "exp(-abs(s - size) - abs(t))/4"
[[claim]]
relation = "ahdp"
""")
    result = run(str(path), "--extra", "1")
    assert (
        result.exit_code == 3
        and "were not worked out" in result.stderr
        and len(result.stderr.strip().splitlines()) == 1
    )
