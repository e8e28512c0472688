"""`ahdp-verify show`: what a file says, in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ahdp_verify.cli.app import app
from ahdp_verify.cli.show import lines_of
from ahdp_verify.files.load import load
from tests.sweeps import spread

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "proofs").glob("*/*.toml"))


def shown(*words: str) -> str:
    result = CliRunner().invoke(app, ["show", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("path", spread(FILES, 20), ids=lambda path: path.stem)
def test_every_stored_file_can_be_told(path: Path) -> None:
    text = "\n".join(lines_of(load(path)))
    assert text.startswith(("Mechanism: ", "Statement: ", "Noise program: ", "Query: "))
    assert "\\" not in text and "  \n" not in text  # no LaTeX


def test_the_density_the_domain_and_the_claim_are_told(tmp_path: Path) -> None:
    path = tmp_path / "count.toml"
    path.write_text("""format = 2
name = "count"
[domain]
records = [["0", "1"], ["1", "log(3)"]]
[mechanism]
outputs = [{name = "s", law = "laplace(sum(x), 2)"}]
[[claim]]
name = "half"
relation = "add-remove"
level = "1/2"
expect = "proved"
""")
    text = shown(str(path))
    assert "(0, 1), (1, log(3))" in text
    assert "    exp(-abs(s - sum(x))/2)/4\n" in text
    assert "Claim 1 (half): count is add-remove DP at level 1/2\n" in text
    assert (
        "Adding one person's record to a dataset, or removing it, makes no set of outputs more"
        in text
    )
    assert "exp(1/2) is between 1.64872 and 1.64873" in text  # e^(1/2) = 1.6487212707
    assert text.endswith("The file expects: proved.\n")
    assert 'density = "exp(-abs(s - sum(x))/2)/4"' in shown("--toml", str(path))


def test_a_name_alone_is_one_of_the_catalogue() -> None:
    assert shown("laplace") == shown("catalogue:laplace")
    result = CliRunner().invoke(app, ["show", "laplac"])
    assert result.exit_code == 2 and "it has laplace" in result.stderr


def test_a_noise_program_is_told_statement_by_statement() -> None:
    text = shown("noisy-max-gap")
    assert text.startswith("Noise program: noisy_max_with_gap\n")
    assert "for each query q\n    z1 ~ laplace(2/eps)\n" in text
    assert "Claim 1: noisy_max_with_gap is DP for all answers moving" in text
    assert 'rho = z1"' in shown("above-threshold", "--toml")


def test_a_statement_has_no_density_to_write_out() -> None:
    law = str(next(iter(sorted((ROOT / "proofs" / "laws").glob("*.toml")))))
    assert shown(law).startswith("Statement: ")
    result = CliRunner().invoke(app, ["show", "--toml", law])
    assert result.exit_code == 2 and "leave --toml out" in result.stderr
