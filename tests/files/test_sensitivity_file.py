"""Files about queries on entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.files.sensitivity_file import SensitivityFile, read_sensitivity_file
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.applied import AppliedClaim

NOISE = """
format = 2
name = "noisy answer"
[domain]
queries = "1"
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - q[1]))/2"
[[claim]]
relation = "one"
level = "1"
"""
MEAN = """
format = 2
[let]
total_of = "sum(x)"
[entries]
size = "n"
values = "0 <= x <= 1"
[parameters]
n = "n >= 2"
[query]
answer = "sum(x)/n"
[[claim]]
name = "alone"
bound = "1/n"
expect = "proved"
[[claim]]
name = "applied"
bound = "1/n"
mechanism = "noise.toml"
"""


def test_claims_about_the_query_and_about_a_mechanism_on_its_answers(tmp_path: Path) -> None:
    (tmp_path / "noise.toml").write_text(NOISE)
    (tmp_path / "mean.toml").write_text(MEAN.replace('[let]\ntotal_of = "sum(x)"\n', ""))
    file = load(tmp_path / "mean.toml")
    assert isinstance(file, SensitivityFile) and file.name == "mean"
    alone, applied = file.claims
    assert isinstance(applied, AppliedClaim) and applied.sensitivity == alone
    assert [note.expect for note in file.notes] == ["proved", ""]
    (one,) = load(f"{tmp_path / 'mean.toml'}:applied").claims
    assert one == applied


def document(**changes: Any) -> dict[str, Any]:
    return {
        "format": 2,
        "entries": {"size": "n", "values": "0 <= x <= 1"},
        "query": {"answer": "sum(x)"},
        "claim": [{"bound": "1"}],
        **changes,
    }


@pytest.mark.parametrize(
    "change",
    [
        {"entries": {"size": "n"}},
        {"entries": {"size": "n", "values": "0 <= y"}},
        {"query": {"answer": "sum(y)"}},
        {"query": {}},
        {"claim": [{"bound": "sum(x)"}]},
        {"claim": [{"bound": "1", "expect": "yes"}]},
        {"claim": [{"bound": "1", "level": "1"}]},
        {"claim": [{"bound": "1", "name": "a"}, {"bound": "2", "name": "a"}]},
        {"domain": {"queries": "1"}},
    ],
)
def test_what_is_not_understood_is_refused(change: dict[str, Any]) -> None:
    assert len(read_sensitivity_file(document(), "a query").claims) == 1
    with pytest.raises(BadInput):
        read_sensitivity_file(document(**change), "a query")


def test_the_bound_by_which_answers_are_divided_is_positive(tmp_path: Path) -> None:
    (tmp_path / "noise.toml").write_text(NOISE)
    mean = MEAN.replace('[let]\ntotal_of = "sum(x)"\n', "")
    (tmp_path / "mean.toml").write_text(mean.replace('bound = "1/n"\nm', 'bound = "-1"\nm'))
    with pytest.raises(BadInput, match=r"claim\[2\].bound: -1 is not positive"):
        load(tmp_path / "mean.toml")
