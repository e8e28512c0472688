"""`ahdp-verify sample`: what it prints and writes, its exit codes, and one plain sentence for every
invalid request.
"""

from __future__ import annotations

import csv
import io
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

np = pytest.importorskip("numpy")

from ahdp_verify import load  # noqa: E402
from ahdp_verify.cli.app import app  # noqa: E402
from ahdp_verify.sampling.sample import sample  # noqa: E402
from tests.cli.sentences import only_sentence  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PAPER, PUBLIC = ROOT / "proofs" / "paper", ROOT / "proofs" / "public"
FLIP = PAPER / "randomised-response-meets-testing-bound.toml"
QUERY = PAPER / "linear-query-universal.toml"
PIPELINE = PAPER / "three-stages-count-threshold-sum.toml"
RECORDS = "eps=1, alpha=1/2, f=2; eps=oo, alpha=1, f=-1"
HEAD = 'format = 2\nname = "m"\n'


def run(source: object, *words: str) -> Result:
    result = CliRunner().invoke(app, ["sample", str(source), *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def drawn(source: object, *words: str) -> dict[str, list[str]]:
    """The columns of the table."""
    result = run(source, *words)
    assert result.exit_code == 0, result.output
    first, *rows = csv.reader(io.StringIO(result.stdout))
    return {k: [row[i] for row in rows] for i, k in enumerate(first)}


def test_a_finite_output_has_its_probabilities() -> None:
    """Reported truthfully with probability exp(eps)/(1 + exp(eps)) = 3/4: within five standard
    errors.
    """
    found = drawn(FLIP, "--dataset", "1", "--set", "eps=log(3)", "--size", "2000", "--seed", "1")
    assert abs(found["s"].count("1") / 2000 - 0.75) < 5 * math.sqrt(0.75 * 0.25 / 2000) and set(
        found["s"]
    ) == {"0", "1"}


def test_it_prints_what_sample_gives_without_loss() -> None:
    """The same draws as in Python, to the last bit; Laplace noise of scale h - l = 4 around l +
    sum alpha (f - l) = 1/2.
    """
    words = ("--dataset", RECORDS, "--set", "l=-1", "--set", "h=3", "--size", "500", "--seed", "3")
    people = [{"eps": 1, "alpha": "1/2", "f": 2}, {"eps": "oo", "alpha": 1, "f": -1}]
    found = [float(v) for v in drawn(QUERY, *words)["s"]]
    assert (
        found
        == sample(
            load(QUERY).mechanism, people, size=500, rng=3, parameters={"l": -1, "h": 3}
        ).tolist()
    )  # type: ignore[union-attr]
    assert abs(np.abs(np.array(found) - 0.5).mean() - 4) < 5 * 4 / math.sqrt(500)


def test_a_mechanism_made_of_others_has_a_column_for_each_output() -> None:
    found = drawn(PIPELINE, "--dataset", "2,1,1,0,3", "--size", "50", "--seed", "1")
    assert (
        list(found) == ["n", "b", "s"]
        and {len(column) for column in found.values()} == {50}
        and set(found["b"]) <= {"0", "1"}
    )


def test_the_same_seed_gives_the_same_table() -> None:
    words = ("--dataset", "2", "--size", "20")
    one, again, other, none = (
        run(PUBLIC / "sample-by-public-threshold-then-count.toml", *words, *more).stdout
        for more in (("--seed", "1"), ("--seed", "1"), ("--seed", "2"), ())
    )
    assert one == again != other and len(none.splitlines()) == 21


def test_no_draws_are_a_table_without_rows() -> None:
    assert run(FLIP, "--dataset", "1", "--set", "eps=1", "--size", "0").stdout == "s\n"
    assert run(PIPELINE, "--dataset", "0,0,0,0,1", "--size", "0").stdout == "n,b,s\n"


def test_the_file_holds_what_stdout_would(tmp_path: Path) -> None:
    path = tmp_path / "draws.csv"
    words = ("--dataset", "1", "--set", "eps=1", "--seed", "5")
    assert run(FLIP, *words, "--out", str(path)).stdout == f"written: {path} (10 draws)\n"
    assert path.read_text() == run(FLIP, *words).stdout
    assert [p.name for p in tmp_path.iterdir()] == ["draws.csv"]


def test_labels_are_quoted_where_they_must_be(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(
        HEAD
        + '[domain]\nvalues = ["a"]\n[mechanism]\noutputs = [{name = "s", kind = "finite", values = [\'"yes, sure"\', \'"é"\']}]\ndensity = "1/2"\n'
    )
    assert set(drawn(path, "--dataset", "a", "--size", "99", "--seed", "1")["s"]) == {
        "yes, sure",
        "é",
    }


def test_a_text_among_numbers(tmp_path: Path) -> None:
    """An answer is kept back with probability 1/2."""
    path = tmp_path / "m.toml"
    path.write_text(
        HEAD + '[domain]\nqueries = "1"\n[mechanism]\noutputs = [{name = "s", kind = "real"}]\n'
        'density = "exp(-abs(s - q[1]))/4"\natoms = [{at = "NULL", mass = "1/2"}]\n'
    )
    found = drawn(path, "--dataset", "1000", "--size", "400", "--seed", "1")["s"]
    assert abs(found.count("NULL") - 200) < 50 and all(
        v == "NULL" or 900 < float(v) < 1100 for v in found
    )


@pytest.mark.parametrize(
    ("source", "words", "said"),
    [
        (
            FLIP,
            ("--dataset", "2", "--set", "eps=1"),
            "dataset: 2 is not one of the mechanism's values",
        ),
        (FLIP, ("--dataset", "1"), "--set: the parameter eps has no value"),
        (
            FLIP,
            ("--dataset", "1", "--set", "eps"),
            "--set: 'eps' does not have the form NAME=VALUE",
        ),
        (
            FLIP,
            ("--dataset", "1", "--set", "eps=1", "--set", "eps=2"),
            "--set: eps is given two values",
        ),
        (
            FLIP,
            ("--dataset", "1", "--set", "eps=1", "--set", "t=2"),
            "--set: the mechanism has no parameter t",
        ),
        (FLIP, ("--dataset", "1", "--set", "eps=-1"), "the condition"),
        (FLIP, ("--dataset", "1", "--set", "eps=1", "--size", "-1"), "size: -1 draws at once"),
        (
            FLIP,
            ("--dataset", "1", "--set", "eps=1", "--size", "100000000"),
            "size: 100000000 draws at once",
        ),
        (FLIP, ("--dataset", "1", "--set", "eps=1", "--seed", "-1"), "rng: -1 is not a seed"),
        (PIPELINE, ("--dataset", "1,2"), "counts are given for 5 records"),
        (PIPELINE, ("--dataset", "1,2,x,0,0"), "--dataset: '1,2,x,0,0' is not a list of counts"),
        (
            PIPELINE,
            ("--dataset", "0,0,0,0,0", "--set", "eps=1"),
            "--set: the mechanism has no parameter eps",
        ),
        (
            QUERY,
            ("--dataset", "1,2", "--set", "l=0", "--set", "h=1"),
            "and '1,2' does not give the unknowns of one; write for example \"eps=1",
        ),
        (
            QUERY,
            ("--dataset", "eps=1, f=1", "--set", "l=0", "--set", "h=1"),
            "does not give the unknowns of one",
        ),
        (
            QUERY,
            ("--dataset", "eps=1, eps=1, alpha=0, f=0", "--set", "l=0", "--set", "h=1"),
            "does not give the unknowns of one",
        ),
        (
            QUERY,
            ("--dataset", "eps=1, alpha=(, f=0", "--set", "l=0", "--set", "h=1"),
            "does not give the unknowns of one",
        ),
        (QUERY, ("--dataset", "eps=1, alpha=1/, f=0", "--set", "l=0", "--set", "h=1"), "alpha"),
        (QUERY, ("--dataset", "eps=1, alpha=1/2, f=9", "--set", "l=0", "--set", "h=1"), ""),
        (PUBLIC / "sample-by-public-threshold-then-count.toml", ("--dataset", "4"), "not defined"),
        (
            PAPER / "sample-mechanism-proof-lower-end-as-printed.toml",
            ("--dataset", "0"),
            "it is about a statement, so there is nothing to run",
        ),
        (PAPER / "missing.toml", ("--dataset", "0"), "there is no such file"),
    ],
)
def test_bad_input_is_one_sentence(source: Path, words: tuple[str, ...], said: str) -> None:
    result = run(source, *words)
    assert (result.exit_code, result.stdout) == (2, "") and said in result.stderr, result.output
    assert "internal error" not in only_sentence(result.stderr)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "draws.csv"
    path.write_text("before")
    assert run(FLIP, "--dataset", "2", "--set", "eps=1", "--out", str(path)).exit_code == 2
    assert path.read_text() == "before"
    for place, said in (
        (tmp_path, "it is a folder"),
        (tmp_path / "none" / "draws.csv", "there is no folder"),
    ):
        result = run(FLIP, "--dataset", "1", "--set", "eps=1", "--out", str(place))
        assert (result.exit_code, result.stdout) == (2, "") and said in result.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["draws.csv"]


def test_a_law_that_cannot_be_drawn_from(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(
        HEAD
        + '[domain]\nqueries = "1"\n[mechanism]\noutputs = [{name = "s", kind = "real"}]\ndensity = "exp(-(s - q[1])^2)"\n'
    )
    result = run(path, "--dataset", "0")
    assert (result.exit_code, result.stdout) == (
        3,
        "",
    ) and "sampling: no way to draw from this distribution was found" in result.stderr


def test_without_numpy_one_sentence_says_what_to_install() -> None:
    program = (
        f"import sys; sys.modules['numpy'] = None\nfrom ahdp_verify.cli.app import "
        f"app\napp(['sample', {str(FLIP)!r}, '--dataset', '1', '--set', 'eps=1'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        2,
        "ahdp-verify: sampling: numpy is not installed; pip install 'ahdp-verify[sampling]'\n",
    )
