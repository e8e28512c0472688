"""`ahdp-verify new`: the templates are mechanism files whose claims hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import ahdp_verify
from ahdp_verify.catalogue import CATALOGUE, PROGRAMS
from ahdp_verify.cli.app import app
from ahdp_verify.cli.new import NAMES, templates
from ahdp_verify.cli.sources import catalogue_file
from ahdp_verify.files.load import load
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify
from tests.sweeps import spread


def test_every_template_of_the_package_is_offered() -> None:
    folder = Path(ahdp_verify.__file__).parent / "templates"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(NAMES)
    printed = CliRunner().invoke(app, ["new"])
    assert printed.exit_code == 0
    assert [line.split(":")[0] for line in printed.stdout.splitlines()[:-1]] == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_template_is_a_file_whose_claims_are_proved(name: str, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(CliRunner().invoke(app, ["new", name]).stdout, encoding="utf-8")
    claims = load(path).claims
    assert claims and all(isinstance(verify(claim), Proved) for claim in claims)


def test_a_weight_of_one_is_refuted_as_the_comment_says(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(templates()["laplace"].replace('"1 - exp(-eps)"', '"1"'), encoding="utf-8")
    assert verify(load(path).claims[0]).outcome == "refuted"


@pytest.mark.parametrize(
    "entry", [*spread(CATALOGUE, 8), *spread(PROGRAMS, 12)], ids=lambda entry: entry.name
)
def test_a_mechanism_of_the_catalogue_is_written_out(entry: object, tmp_path: Path) -> None:
    name = entry.name  # type: ignore[attr-defined]
    if name in NAMES:
        pytest.skip("the template of this name comes first")
    path = tmp_path / "my.toml"
    path.write_text(CliRunner().invoke(app, ["new", name]).stdout, encoding="utf-8")
    assert [claim.fingerprint for claim in load(path).claims] == [
        claim.fingerprint for claim in catalogue_file(name).claims
    ]


def test_another_name_is_refused_with_what_it_resembles() -> None:
    result = CliRunner().invoke(app, ["new", "lapalce"])
    assert result.exit_code == 2 and "did you mean laplace?" in result.stderr
