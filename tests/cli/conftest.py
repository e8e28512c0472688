"""A folder in which commands run, for each test its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify.search import verify as search
from ahdp_verify.verdicts import Unknown
from tests.cli.bench import Bench


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    return Bench(tmp_path)


@pytest.fixture
def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is decided."""
    monkeypatch.setattr(search, "verify", lambda claim, **_: Unknown(claim, ()))
