"""Saved proofs and refutations: what is saved can be read again, and a changed record is either
refused or still true.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.files import records as storage
from ahdp_verify.files.load import load
from ahdp_verify.files.records import recheck, rests_on_solvers, save
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Certificate,
    InequalityLeaf,
    SolverWord,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import ahdp, dp
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import ONE, Abs, exp, name
from ahdp_verify.kernel.terms.stored import to_stored
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify

S = real("s")
W = Domain([(0, 1), (1, 2)])
SUM = Mechanism(W, outputs=[S], density=exp(-Abs(S - W.sum(lambda x, eps: x))) / 2, name="sum")
ANSWER = Mechanism(
    Queries(1), outputs=[S], density=exp(-Abs(S - name("q[1]"))) / 2, name="noisy answer"
)
CLAIMS = (
    ahdp(SUM),
    ahdp(SUM, lambda x, eps: eps / 3),
    dp(ANSWER, 1, "one"),
    dp(ANSWER, Fraction(999, 1000), "one"),
)
VERDICTS = tuple(verify(claim) for claim in CLAIMS)
PROVED, REFUTED = VERDICTS[:2]


def resealed(record: dict[str, Any]) -> dict[str, Any]:
    return jsonfile.seal({key: value for key, value in record.items() if key != jsonfile.SEAL})


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda v: str(v)[:40])
def test_what_is_saved_is_found_again(tmp_path: Path, verdict: Proved | Refuted) -> None:
    path = tmp_path / "a.json"
    save(verdict, path)
    again = recheck(path)
    assert (
        type(again) is type(verdict)
        and str(again) == str(verdict)
        and again.to_json() == verdict.to_json()
    )
    assert storage.read_saved_record(path).claim == verdict.claim
    assert path.stat().st_size < 10_000
    first = path.read_bytes()
    again.save(path)
    assert (
        path.read_bytes() == first == (jsonfile.canonical_text(verdict.to_json()) + "\n").encode()
    )


def test_the_same_record_laid_out_otherwise_is_the_same_record(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(PROVED.to_json(), indent=2))
    assert str(recheck(path)) == str(PROVED)


def numbers(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Where numbers stand in JSON data, and other ones to put there."""
    if isinstance(data, bool):
        yield at, not data
    elif isinstance(data, int):
        yield from ((at, data + d) for d in (-1, 1))
    elif isinstance(data, str) and re.fullmatch(r"-?\d+(/\d+)?", data):
        yield from ((at, str(Fraction(data) + d)) for d in (-1, Fraction(1, 7)))
    elif isinstance(data, list | dict):
        for key, inner in data.items() if isinstance(data, dict) else enumerate(data):
            yield from numbers(inner, (*at, key))


def changed(data: Any, at: tuple[Any, ...], value: Any) -> Any:
    if not at:
        return value
    copy: Any = data.copy()
    copy[at[0]] = changed(data[at[0]], at[1:], value)
    return copy


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda v: str(v)[:40])
def test_every_changed_number_is_noticed(tmp_path: Path, verdict: Proved | Refuted) -> None:
    path, record = tmp_path / "a.json", verdict.to_json()
    for at, value in numbers(record):
        jsonfile.write_json(changed(record, at, value), path)
        with pytest.raises(BadInput):
            recheck(path)


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda v: str(v)[:40])
def test_a_forger_who_seals_again_passes_nothing_false(
    tmp_path: Path, verdict: Proved | Refuted
) -> None:
    path, record = tmp_path / "a.json", verdict.to_json()
    refused = 0
    for at, value in numbers(record):
        jsonfile.write_json(resealed(changed(record, at, value)), path)
        try:
            again = recheck(path)
        except (BadInput, Rejected):
            refused += 1
        else:
            assert type(again) is type(verdict) and again.claim == verdict.claim
    assert refused > 10


def test_evidence_for_another_claim_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    lower = ahdp(SUM, lambda x, eps: eps / 3)
    record = PROVED.to_json() | {"claim": lower.to_json(), "fingerprint": lower.fingerprint}
    jsonfile.write_json(resealed(record), path)
    with pytest.raises(Rejected, match="another claim"):
        recheck(path)
    certificate = record["certificate"] | {"claim": lower.fingerprint}
    jsonfile.write_json(resealed(record | {"certificate": certificate}), path)
    with pytest.raises(Rejected):
        recheck(path)


@pytest.mark.parametrize(
    "changes", [{"scope": "scope: everything"}, {"trusts": ["z3"]}, {"trusts": None}, {"scope": 1}]
)
def test_what_a_record_says_beside_its_evidence_is_checked_too(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    jsonfile.write_json(resealed(PROVED.to_json() | changes), tmp_path / "a.json")
    with pytest.raises(Rejected, match="scope or its trusts"):
        recheck(tmp_path / "a.json")


def test_bad_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    save(PROVED, path)
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(BadInput, match="not a complete JSON document") as error:
        recheck(path)
    assert error.value.where == str(path)
    path.write_text("{}")
    with pytest.raises(BadInput, match=r"a\.json, certificate: it is not a stored record"):
        recheck(path)


def attested_certificate(claim: Claim) -> Certificate:
    """A certificate whose inequalities are attested by two solvers only."""
    proved = verify(claim)
    assert isinstance(proved, Proved)
    return replace(
        proved.certificate,
        evidence=(SolverWord(("cvc5", "z3")),) * len(proved.certificate.evidence),
    )


def test_a_solvers_word_is_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, certificate = tmp_path / "a.json", attested_certificate(CLAIMS[0])
    record = PROVED.to_json() | {
        "certificate": to_stored(certificate),
        "trusts": ["cvc5", "z3"],
    }
    jsonfile.write_json(resealed(record), path)
    monkeypatch.setattr(storage, "solver_confirmation", lambda: lambda claim, task: ("cvc5", "z3"))
    assert str(recheck(path)).startswith("Proved, attested by cvc5 and z3:")
    with pytest.raises(Rejected):
        recheck(path, trust="kernel")
    with pytest.raises(BadInput, match="use all or kernel"):
        recheck(path, trust="none")
    monkeypatch.setattr(storage, "solver_confirmation", lambda: lambda claim, task: ("z3",))
    with pytest.raises(Rejected):
        recheck(path)


def test_only_a_word_sends_for_solvers() -> None:
    split = CaseSplit((), ONE, ((">=", InequalityLeaf()), ("<", SolverWord(("z3", "cvc5")))))
    assert rests_on_solvers(split) and rests_on_solvers(replace(split, cases=((">=", split),)))
    assert not rests_on_solvers(InequalityLeaf()) and not rests_on_solvers(
        replace(split, cases=((">=", InequalityLeaf()),))
    )


# one stored file for each new kind of reasoning, its first claim that is proved; `--size` makes the
# last one an enumeration
REASONS = {
    "products and triangles": ("paper/weighted-count", None),
    "zeros of polynomials in q": (
        "paper/multiset-weights-2-values-1-more-every-eps-small-datasets",
        None,
    ),
    "a normaliser": ("field/exponential-mechanism-two-queries", None),
    "floors and repeated tails": ("public/staircase-count-every-eps-and-gamma", None),
    "mixtures over the records that are kept": (
        "public/sample-by-public-threshold-then-count",
        None,
    ),
    "delta of whole numbers": ("public/thresholded-count-one-user", None),
    "enumeration": ("public/optimised-unary-encoding-bit-not-reset-eps-log-2", 2),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("kind", REASONS)
def test_a_proof_is_checked_again_without_the_search(tmp_path: Path, kind: str) -> None:
    name_, size = REASONS[kind]
    file = load(Path(__file__).resolve().parents[2] / "proofs" / f"{name_}.toml")
    claim = next(
        c for c, note in zip(file.claims, file.notes, strict=True) if note.expect == "proved"
    )
    path = tmp_path / "a.json"
    save(verify(claim, size=size), path)
    program = (
        "import sys; from ahdp_verify.files.records import recheck; print(recheck(sys.argv[1])); "
        "print([m for m in sys.modules if m.startswith(('ahdp_verify.search.proving', "
        "'ahdp_verify.search.verify', 'z3', 'cvc5', 'sympy'))])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert lines[0].startswith("Proved: ") and lines[1] == "[]"
