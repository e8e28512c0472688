"""The stored mechanism files: each claim gets the answer that the file expects.

Here the answers are searched for again: in the suite for the smallest file of some families of
variants, in a sweep for all files. Their records are checked by tests/proofs/test_records.py.

The expectations come from the paper's referee notes and from public issue trackers (the files say
which case they are); they were written down, and checked by an independent floating evaluation,
before the procedures existed.
"""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import pytest

from ahdp_verify.analysis.arguments import examine
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from tests.sweeps import swept

ROOT = Path(__file__).resolve().parents[2]
# bench/run.py searches for these anew; tests/proofs/test_records.py checks their records
SLOW = set((ROOT / "proofs" / "slow.txt").read_text().split())
QUICK = {
    path: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "proofs").glob("*/[!.]*.toml"))
    if f"{path.parent.name}/{path.name}" not in SLOW
}
# what the statements of the paper ask for is asked by tests/paper/statements/test_statements.py
ROWS = (ROOT / "proofs" / "INDEX.md").read_text()
ARGUMENTS = [
    path
    for path, document in QUICK.items()
    if "inequality" in document and f"({path.parent.name}/{path.name})" not in ROWS
]


def family(path: Path) -> tuple[str, ...]:
    """What the variants of one mechanism share: the beginning of their name, and the answers that
    they expect.
    """
    beginning = path.stem.split("-")[: 1 if path.parent.name == "field" else 2]
    expected = {claim.get("expect", "") for claim in QUICK[path].get("claim", [])}
    return (path.parent.name, *beginning, "", *sorted(expected))


def files() -> list[Path]:
    """Of each family the smallest file; all files in a sweep."""
    quick = [path for path, document in QUICK.items() if "inequality" not in document]
    quick.sort(key=lambda path: (family(path), path.stat().st_size, path.name))
    return [path for _, variants in itertools.groupby(quick, family) for path in swept(variants, 1)]


FILES = files()


def answer(claim: Claim) -> str:
    """The verdict in one word.  That decided ones can be stored and checked again,
    tests/proofs/test_records.py shows of the records beside the files.
    """
    try:
        return verify(claim, Limits(seconds=240)).outcome
    except BadInput:
        return "refused"


def test_the_slow_files_exist() -> None:
    assert all((ROOT / "proofs" / name).is_file() for name in SLOW)


def test_there_are_files() -> None:
    assert {f.parent.name for f in FILES} >= {"paper", "field", "public"}


@pytest.mark.sweep(23)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_claim_gets_its_expected_answer(path: Path) -> None:
    file = load(path)
    wanted = {i: note.expect for i, note in enumerate(file.notes) if note.expect}
    assert wanted, "a stored file says what it expects"
    found = {i: answer(file.claims[i]) for i in wanted}
    assert found == wanted


@pytest.mark.sweep(3)
@pytest.mark.parametrize("path", ARGUMENTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_statement_and_every_argument_gets_its_expected_answer(path: Path) -> None:
    file = load(path)
    assert isinstance(file, ArgumentFile) and file.expect, "a stored file says what it expects"
    found = examine(file.argument, Limits(seconds=120))
    assert found.verdict.outcome == file.expect
    assert file.expect_argument in ("", found.state)
    assert bool(file.argument.steps) == bool(file.expect_argument)
