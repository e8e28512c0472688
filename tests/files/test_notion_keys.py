"""Claims with rho, mu or renyi in files: what is read, and what is refused with which words."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ahdp_verify import BadInput, NotionClaim, expanded, load
from ahdp_verify.cli.app import app
from ahdp_verify.files.composite_file import read_pipeline_file
from ahdp_verify.files.mechanism_file import read_mechanism_file

HEAD = """
format = 2
name = "noise"
[domain]
records = [["1", "1"], ["2", "1"]]
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-(s - sum(x))^2/2)/sqrt(2*pi)"
"""
PARTS = """
format = 2
[domain]
records = [["1", "1"], ["2", "1"]]
[[part]]
name = "noise"
outputs = [{name = "s", kind = "real"}]
density = "exp(-(s - sum(x))^2/2)/sqrt(2*pi)"
rho = "x^2/2"
[[part]]
name = "sign"
rule = "post_process"
of = ["noise"]
formulas = {z = "max(s, 0)"}
"""


def claim(text: str) -> Any:
    return read_mechanism_file(tomllib.loads(f"{HEAD}[[claim]]\n{text}"), "noise").claims[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('relation = "ahdp"\nrho = "x^2/2"', "zCDP with rho = x^2/2, as AHDP"),
        ('relation = "add-remove"\nmu = "2"', "GDP with mu = 2, as add-remove DP"),
        (
            'relation = "swap"\nrenyi = "1"\norder = "2"',
            "Rényi DP of order 2 with bound = 1, as swap DP",
        ),
    ],
)
def test_a_bound_in_place_of_a_level(text: str, said: str, tmp_path: Path) -> None:
    found = claim(text)
    assert isinstance(found, NotionClaim) and str(found) == f"noise is {said}"
    path = tmp_path / "again.toml"
    path.write_text(expanded(found))
    again = load(path).claims[0]
    assert again.fingerprint == found.fingerprint
    assert NotionClaim.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ('relation = "ahdp"\nrho = "1"\nlevel = "1"', "rho", "level is stated too"),
        ('relation = "ahdp"\nrho = "1"\nmu = "1"', "mu", "rho is stated too"),
        ('relation = "ahdp"\nrho = "1"\ndelta = "1/2"', "delta", "has no delta"),
        ('relation = "ahdp"\nrho = "1"\norder = "2"', "order", "has no order"),
        ('relation = "ahdp"\nrenyi = "1"', "order", ""),
        ('relation = "ahdp"\nrenyi = "1"\norder = "1"', "order", "not known to be larger than 1"),
        ('relation = "ahdp"\nrenyi = "1"\norder = "x"', "order", ""),
        ('relation = "ahdp"\nrho = "-1"', "level", "out of range"),
        ('relation = "swap"\nrho = "eps"', "rho", "demand"),
        ('relation = "one"\nrho = "1"', "relation", "does not fit"),
    ],
)
def test_what_has_no_meaning_is_refused(text: str, where: str, reason: str) -> None:
    with pytest.raises(BadInput) as refused:
        claim(text)
    assert where in refused.value.where and reason in refused.value.reason


def test_the_levels_of_parts_are_bounds_of_one_notion() -> None:
    claims = '[[claim]]\nrelation = "ahdp"\nrho = "x^2/2"\n'
    file = read_pipeline_file(tomllib.loads(PARTS + claims), "parts", Path())
    assert str(file.claims[0]) == "sign is zCDP with rho = x^2/2, as AHDP"
    for other in ('level = "1"', 'mu = "1"', 'renyi = "1"\norder = "2"'):
        with pytest.raises(BadInput, match="state bounds of one notion"):
            read_pipeline_file(
                tomllib.loads(f'{PARTS}[[claim]]\nrelation = "ahdp"\n{other}\n'), "parts", Path()
            )


def run(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


def test_the_commands(tmp_path: Path) -> None:
    """D_a is a m^2/2 for N(0, 1) and N(m, 1)."""
    path = tmp_path / "noise.toml"
    path.write_text(
        HEAD
        + '[[claim]]\nrelation = "ahdp"\nrho = "x^2/2"\nexpect = "proved"\n'
        + '[[claim]]\nrelation = "ahdp"\nrho = "x/2"\nexpect = "refuted"\n'
    )
    decided = run("verify", str(path), "--expect", "--save", f"{tmp_path}/")
    assert decided.exit_code == 0 and decided.stdout.count("\n") == 2
    assert run("recheck", *map(str, tmp_path.glob("noise-?.json"))).exit_code == 0
    assert "zCDP" in run("explain", str(tmp_path / "noise-2.json")).stdout
    assert "every order a > 1" in run("show", str(path)).stdout
    least = run("tighten", str(path), "--notion", "zcdp", "--relation", "add-remove")
    assert least.exit_code == 0 and "least rho: 2" in least.stdout
    orders = run("renyi", str(path), "--order", "2,3", "--relation", "add-remove")
    assert orders.exit_code == 0
    assert "order 2: 4" in orders.stdout and "order 3: 6" in orders.stdout
    assert run("renyi", str(path), "--order", "1").exit_code == 2
    written = run("report", str(path), "--markdown", str(tmp_path / "out.md"))
    assert written.exit_code in (0, 1) and "zCDP" in (tmp_path / "out.md").read_text()
