"""`tighten` and `list`: what they print, and their exit codes."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.bench import PROVED, REFUTED, Bench, content


def test_tighten_prints_the_least_levels(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Levels:
        exact = True

        def __str__(self) -> str:
            return "least levels\n(1, 2)  1"

    def tighten(mechanism: Any, relation: str, limits: Any) -> Levels:
        asked.append(relation)
        return Levels()

    monkeypatch.setitem(
        sys.modules, "ahdp_verify.analysis.levels.tighten", SimpleNamespace(tighten=tighten)
    )
    bench.write(content(claims=PROVED + REFUTED + '[[claim]]\nrelation = "swap"\nlevel = "1"\n'))
    result = bench.run("tighten", "sum.toml")
    assert (result.exit_code, result.stdout, asked) == (
        0,
        "least levels\n(1, 2)  1\n" * 2,
        ["ahdp", "swap"],
    )
    bench.run("tighten", "sum.toml", "--relation", "hdp")
    assert asked[2:] == ["hdp"]
    monkeypatch.setattr(Levels, "exact", False)
    assert bench.run("tighten", bench.write(content(claims=""))).exit_code == 3 and asked[3:] == [
        "ahdp"
    ]
    assert "no such file" in bench.sentence("tighten", "none.toml")


def test_tighten_really(bench: Bench) -> None:
    result = bench.run("tighten", bench.write(content()))
    assert result.exit_code == 0 and "(1, 2)" in result.stdout
