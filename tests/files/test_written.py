"""A written mechanism file says what the mechanism and its claims are."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ahdp_verify.catalogue import CATALOGUE
from ahdp_verify.catalogue.entry import Entry
from ahdp_verify.files.load import load
from ahdp_verify.files.mechanism_file import ClaimNote, MechanismFile, read_mechanism_file
from ahdp_verify.files.written import expanded, mechanism_text
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import Abs, eq, exp, label, name
from tests.sweeps import spread

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "proofs").glob("*/*.toml"))


def read_again(text: str) -> MechanismFile:
    return read_mechanism_file(tomllib.loads(text), "again")


@pytest.mark.parametrize("entry", spread(CATALOGUE, 16), ids=lambda entry: entry.name)
def test_a_mechanism_of_the_catalogue_is_read_again(entry: Entry) -> None:
    M = entry.make()
    claims = [expected.claim for expected in entry.claims_of(M)]
    again = read_again(mechanism_text(M, [(claim, ClaimNote()) for claim in claims]))
    assert [c.fingerprint for c in again.claims] == [c.fingerprint for c in claims]


@pytest.mark.parametrize("path", spread(FILES, 24), ids=lambda path: path.stem)
def test_a_stored_file_is_read_again_with_its_notes(path: Path) -> None:
    file = load(path)
    if not isinstance(file, MechanismFile):
        pytest.skip("no mechanism given by one density")
    again = read_again(expanded(file))
    assert again.notes == file.notes
    assert [c.fingerprint for c in again.claims] == [c.fingerprint for c in file.claims]


@pytest.mark.parametrize(
    "word", ["red", "pi", "two words", 'a "quoted" one', "back\\slash", "é\x7f\n"]
)
def test_labels_of_all_kinds_are_read_again(word: str) -> None:
    W = Domain([(label(word), 1), (label("other"), 1)])
    s = real("s")
    law = exp(-Abs(s - W.count(lambda x, eps: eq(x, label(word))))) / 2
    claim = Claim(Mechanism(W, outputs=[s], density=law, name=word), "ahdp", name("eps"))
    (again,) = read_again(expanded(claim)).claims
    assert again.fingerprint == claim.fingerprint
