"""`ahdp-verify sensitivity`: its line, its document, its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ahdp_verify.cli.app import app

FILE = """
format = 2
[entries]
size = "n"
values = "0 <= x <= 1"
[parameters]
n = "n >= 2"
[query]
answer = "{}"
"""


@pytest.mark.parametrize(
    ("query", "code", "said"),
    [
        ("sum(abs(x - sum(x)/n))", 0, "is at most 2*(n - 1)/n, attained at n = 2"),
        ("maximum(x)", 0, "is 1, attained at n = 2"),
        ("log(x[1] + 1/10)*sum(x)", 3, "is at least"),
    ],
)
def test_the_bound_is_printed_and_where_it_is_attained(
    tmp_path: Path, query: str, code: int, said: str
) -> None:
    path = tmp_path / "query.toml"
    path.write_text(FILE.format(query))
    result = CliRunner().invoke(app, ["sensitivity", str(path), "--seconds", "5"])
    assert result.exit_code == code and said in result.output


def test_a_document_has_the_bound_the_vector_and_the_record(tmp_path: Path) -> None:
    path = tmp_path / "query.toml"
    path.write_text(FILE.format("sum(x)/n"))
    result = CliRunner().invoke(app, ["sensitivity", str(path), "--json"])
    found = json.loads(result.output)
    assert found["answer"]["bound"] == "1/n" and found["answer"]["least"] is True
    assert found["record"]["claim"]["sensitivity"]


NOISE = """
format = 2
[domain]
universal = true
unknowns = {x = "0 <= x <= 1"}
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - sum(x)))/2"
"""


def test_a_query_on_the_records_of_a_mechanism_file(tmp_path: Path) -> None:
    path = tmp_path / "noise.toml"
    path.write_text(NOISE)
    asked = ["sensitivity", str(path), "--query", "sum(x*(1 - x))", "--relation", "swap"]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0 and "is 1/4, attained at x = 0, x' = 1/2" in result.output
    shown = json.loads(CliRunner().invoke(app, [*asked, "--json"]).output)["answer"]
    assert shown["bound"] == "1/4" and shown["least"] and shown["relation"] == "swap"
    unbounded = CliRunner().invoke(app, [*asked[:2], "--query", "sum(x)^2"])
    assert unbounded.exit_code == 3 and "not proved" in unbounded.output
    path.write_text(NOISE.replace("universal = true", 'queries = "1"').replace("unknowns", "#"))
    path.write_text(path.read_text().replace("sum(x)", "q[1]"))
    refused = CliRunner().invoke(app, asked)
    assert refused.exit_code == 2 and "not a dataset of records" in refused.output


def test_a_file_about_a_mechanism_is_refused() -> None:
    result = CliRunner().invoke(app, ["sensitivity", "proofs/field/above-threshold.toml"])
    assert result.exit_code == 2
