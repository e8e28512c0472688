"""`ahdp-verify experiment`: what it prints, writes and draws, its exit codes, and one plain
sentence for every invalid request.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

np = pytest.importorskip("numpy")
pytest.importorskip("matplotlib")

from ahdp_verify.cli.app import app  # noqa: E402
from ahdp_verify.paper.experiments import draws, figures  # noqa: E402
from ahdp_verify.paper.experiments.housing import HEADER  # noqa: E402
from tests.answering import at_once, cluster_of  # noqa: E402

PNG = b"\x89PNG"


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, ["experiment", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def data_file(folder: Path, rows: int = 60) -> str:
    rng = np.random.default_rng(3)
    path = folder / "housing.csv"
    path.write_text(
        "\n".join([HEADER, *(",".join(f"{v:.4f}" for v in row) for row in rng.random((rows, 9)))])
        + "\n"
    )
    return str(path)


def pictures(folder: Path, *stems: str) -> None:
    for stem in stems:
        assert (folder / f"{stem}.png").read_bytes().startswith(PNG)
        assert ElementTree.parse(folder / f"{stem}.svg").getroot().tag.endswith("svg")


def test_examples(tmp_path: Path) -> None:
    result = run("examples", "--trials", "2000", "--out", str(tmp_path / "new" / "folder"))
    assert (
        result.exit_code == 0
        and "26.321205588 = 30 - 10*exp(-1) (printed: 23.6)" in result.stdout
        and "1.675861176 (printed: about 1.6)" in result.stdout
    )
    place = tmp_path / "new" / "folder"
    pictures(place, "emp-dist")
    table = (place / "examples.csv").read_text()
    assert (
        '"ex:mean, mean of the output",,1.654225416,about 1.6' in table and "2,000, 2,000" in table
    )
    rows = [
        line
        for line in (place / "emp-dist.csv").read_text().splitlines()
        if line.startswith('"stated')
    ]
    assert len(rows) == 162 and sum(int(row.split(",")[-3]) for row in rows) == 2000
    assert sum(float(row.split(",")[-1]) for row in rows) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "label", "methods"), [("mean", "MSE", 5), ("frequency", "li", 10)]
)
def test_generated(tmp_path: Path, name: str, label: str, methods: int) -> None:
    result = run(
        name,
        "--trials",
        "3",
        "--out",
        str(tmp_path),
        "--sizes",
        "200,100,200",
        "--correlation",
        "-0.5",
        "--thresholds",
        "0.3, 1",
    )
    assert (
        result.exit_code == 0
        and "at size 200" in result.stdout
        and "Sample Mechanism, t = 0.3" in result.stdout
    )
    pictures(tmp_path, label)
    text = (tmp_path / f"{label}.csv").read_text()
    comments = [line for line in text.splitlines() if line.startswith("# ")]
    assert (
        "GENERATED" in comments[0]
        and "not available" in comments[1]
        and "correlation -0.5" in text
        and "differs from the paper" in text
        and "seed 1; 3 trials" in text
    )
    assert len(text.splitlines()) == len(comments) + 1 + 2 * methods


@pytest.mark.sweep(0)
def test_regression(tmp_path: Path) -> None:
    result = run(
        "regression",
        "--data",
        data_file(tmp_path),
        "--training",
        "40",
        "--trials",
        "4",
        "--sizes",
        "20,40",
        "--seed",
        "7",
        "--out",
        str(tmp_path),
    )
    assert (
        result.exit_code == 0
        and "paper: the linear query with the largest weights" in result.stdout
    )
    pictures(tmp_path, "LR", "LR-variants")
    text = (tmp_path / "LR.csv").read_text()
    assert (
        "seed 7; 4 trials" in text
        and "40 training rows, 20 test rows" in text
        and text.count("\n20,") == 13
    )
    again = run(
        "regression",
        "--data",
        data_file(tmp_path),
        "--training",
        "40",
        "--trials",
        "4",
        "--sizes",
        "20,40",
        "--seed",
        "7",
        "--out",
        str(tmp_path / "b"),
    )
    assert again.exit_code == 0 and (tmp_path / "b" / "LR.csv").read_text() == text


def test_every_file_that_is_named_is_there(tmp_path: Path) -> None:
    result = run("mean", "--trials", "2", "--sizes", "60", "--out", str(tmp_path))
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("written: ")]
    assert [Path(name).is_file() for name in line.removeprefix("written: ").split(", ")] == [
        True
    ] * 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("regression",),
            "--data: regression needs the California housing data, which is not part of this "
            "package; give a comma-separated file whose first line is longitude,",
        ),
        (("regression", "--data", "nowhere.csv"), "nowhere.csv: there is no such file"),
        (("mean", "--data", "x.csv"), "--data: it does not apply to mean; leave it out"),
        (("examples", "--correlation", "0"), "--correlation: it does not apply to examples"),
        (("mean", "--sizes", "0,5"), "--sizes: 0,5 is not a list of numbers from 1 to 2200"),
        (("mean", "--sizes", "2201"), "--sizes: 2201 is not a list of numbers from 1 to 2200"),
        (("frequency", "--sizes", "ten"), "--sizes: ten is not a list of numbers"),
        (("mean", "--thresholds", "0"), "--thresholds: 0 is not a list of thresholds"),
        (("mean", "--correlation", "nan"), "--correlation: nan lies outside [-1, 1]"),
        (("mean", "--trials", "10000000"), "--trials: 10000000 are too many"),
        (("regression", "--correlation", "0"), "--correlation: it does not apply to regression"),
    ],
)
def test_questions_that_are_none(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    result = run(*words, "--out", str(tmp_path))
    assert (
        result.exit_code == 2
        and result.stderr.startswith(f"ahdp-verify: {said}")
        and result.stderr.count("\n") == 1
        and result.stdout == ""
    )


@pytest.mark.parametrize(
    "words",
    [
        ("means",),
        (),
        ("mean", "--trials", "0"),
        ("mean", "--trials", "many"),
        ("mean", "--seed", "-1"),
        ("mean", "--correlation", "2"),
    ],
)
def test_usage(words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("mean", "--trials", "1", "--out", str(tmp_path / "file" / "below"))
    assert (
        result.exit_code == 2
        and "--out: " in result.stderr
        and "cannot be created (Not a directory); name another folder" in result.stderr
    )


def test_an_interrupt_writes_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopping(run: Any, asked: int, seed: int, step: Any) -> list[Any]:
        def some(number: int, rng: Any) -> Any:
            if number == 3:
                raise KeyboardInterrupt
            return run(number, rng)

        return run_trials(some, asked, seed, step)

    run_trials = draws.run_trials
    monkeypatch.setattr(draws, "run_trials", stopping)
    result = run("mean", "--trials", "10", "--sizes", "60,90", "--out", str(tmp_path))
    assert (
        result.exit_code == 130
        and "interrupted after 3 of 10 trials; what is written covers only these" in result.stderr
    )
    text = (tmp_path / "MSE.csv").read_text()
    assert (
        "3 trials for each size (10 were asked for; interrupted)" in text
        and "mean over 3 trials" in text
    )
    monkeypatch.undo()
    run("mean", "--trials", "3", "--sizes", "60,90", "--out", str(tmp_path / "whole"))
    numbers = [
        [line for line in t.splitlines() if not line.startswith("#")]
        for t in (text, (tmp_path / "whole" / "MSE.csv").read_text())
    ]
    assert numbers[0] == numbers[1]


def test_the_table_is_there_even_if_the_picture_cannot_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*arguments: object) -> None:
        raise RuntimeError("no ink")

    monkeypatch.setattr(figures, "draw_curves", fails)
    result = run("mean", "--trials", "2", "--sizes", "60", "--out", str(tmp_path))
    assert result.exit_code == 2 and (tmp_path / "MSE.csv").is_file()


def test_the_package_names_no_data_of_its_own() -> None:
    files = tuple(Path(figures.__file__).parent.glob("*.py"))
    assert Path(figures.__file__) in files
    source = "".join(path.read_text() for path in files)
    assert not re.search(r"\.\./|shared/|\"/", source)


def test_the_output_says_what_a_cluster_drew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("mean", "--trials", "3", "--sizes", "60", "--out")
    here = run(*words, str(tmp_path / "here"))
    monkeypatch.setattr(draws, "cluster", cluster_of(at_once))
    there = run(*words, str(tmp_path / "there"), "--scheduler", "tcp://nowhere:1")
    note = "drawn by a cluster: 3 trials, of which 1, chosen at random, were drawn again here"
    assert there.exit_code == 0 and there.stdout.splitlines()[-2].startswith(note)
    table = (tmp_path / "there" / "MSE.csv").read_text()
    assert table.startswith(f"# {note}")
    assert table.partition("\n")[2] == (tmp_path / "here" / "MSE.csv").read_text()
    assert "cluster" not in here.stdout
    both = run(*words, str(tmp_path), "--scheduler", "tcp://nowhere:1", "--workers", "2")
    assert both.exit_code == 2 and "--workers: a cluster has its own" in both.stderr
