"""Evidence for a move undone is accepted wherever evidence for the move is."""

from __future__ import annotations

from pathlib import Path

import pytest
from recheck.records import ACCEPTED, check_file

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.evidence.certificate import Certificate
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.rules.obligations import obligations
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving import claim as proving
from ahdp_verify.search.proving.reversal import Reversal, evidence_undone

LEANING = "piecewise((2*exp(-2*(s - q[1]))/3, s >= q[1]), (2*exp(s - q[1])/3, true))"
CASES = (
    (1, "real", "exp(-abs(s - q[1]))/2", "one", "1/2", "1 - exp(-1/4)"),
    (1, "real", "exp(-abs(s - q[1]))/2", "one", "1/2", "1/2"),
    (1, "real", "exp(-abs(s - q[1])/e)/(2*e)", "one", "1/(2*e)", "1 - exp(-1/(4*e))"),
    (1, "real", LEANING, "one", "1", "1 - exp(-1)"),
    (2, "real", "exp(-abs(s - q[1] - q[2])/2)/4", "all", "1/2", "1 - exp(-1/4)"),
    (2, "real", "exp(-abs(s - q[1] - 2*q[2])/2)/4", "one", "1/2", "1 - exp(-1/4)"),
    (1, "real", "piecewise((1/4, q[1] - 2 <= s and s < q[1] + 2), (0, true))", "one", "0", "1/4"),
)


def claimed(n: int, kind: str, law: str, relation: str, level: str, delta: str) -> Claim:
    s = real("s") if kind == "real" else integer("s")
    own = {"e": "e > 0"} if "e)" in law and "/e" in law else {}
    m = Mechanism(Queries(n), outputs=[s], density=parse(law, "law"), parameters=own)
    return Claim(m, relation, parse(level, "level"), parse(delta, "delta"))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", CASES)
def test_both_directions_are_accepted(
    case: tuple[int, str, str, str, str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    claim = claimed(*case)
    found = proving.certify(claim, False, Limits(seconds=30).clock())
    used: list[bool] = []

    def undone(*asked: object) -> None:
        used.append(evidence_undone(*asked) is not None)  # type: ignore[arg-type]

    monkeypatch.setattr(proving, "evidence_undone", undone)
    alone = proving.certify(claim, False, Limits(seconds=30).clock())
    assert isinstance(alone, Certificate) == isinstance(found, Certificate)
    if isinstance(found, Certificate):
        assert any(used) == (claim.relation == "one")
        check(claim, found).save(tmp_path / "proof.json")
        assert check_file(tmp_path / "proof.json").verdict == ACCEPTED


def test_most_of_these_cases_are_proved() -> None:
    certificates = [proving.certify(claimed(*c), False, Limits(seconds=30).clock()) for c in CASES]
    assert sum(isinstance(c, Certificate) for c in certificates) >= len(CASES) - 1


@pytest.mark.parametrize("relation", ["increasing", "decreasing"])
def test_a_move_one_way_is_not_undone(relation: str) -> None:
    claim = claimed(1, "real", "exp(-abs(s - q[1]))/2", relation, "1/2", "1/2")
    assert all(Reversal.of(claim, o) is None for o in obligations(claim))


def test_values_are_left_alone() -> None:
    law = parse("piecewise((3/4, r == v), (1/4, true))", "law")
    flip = Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density=law)
    first, second, *_ = obligations(Claim(flip, "any", parse("0"), parse("1/2")))
    assert evidence_undone(Claim(flip, "any", parse("0")), None, first) is None
    assert Reversal.of(Claim(flip, "any", parse("0")), second) is None
