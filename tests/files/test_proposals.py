"""What another machine proposes: taken over where the checker reaches it, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ahdp_verify.files.proposals import noted_records, taking_over
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.terms.expression import Abs, exp
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.unknown import Verdict
from ahdp_verify.search import inequalities
from ahdp_verify.search import verify as searching
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify


def noisy_size(level: str) -> Claim:
    s, W = real("s"), Domain([(1, 1)])
    law = exp(-Abs(s - W.size)) / 2
    return dp(Mechanism(W, outputs=[s], density=law, name="noisy size"), parse(level))


TRUE, FALSE = noisy_size("1"), noisy_size("1/2")
STATEMENT = Inequality.of({"y": "y >= 0"}, parse("exp(y)"), ">=", parse("1 + y"))


@pytest.fixture(scope="module")
def records() -> list[Any]:
    with noted_records() as noted:
        for claim in (TRUE, FALSE, STATEMENT):
            verify(claim)
    return noted


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The claims that are searched for all the same."""
    asked: list[Any] = []
    of_claims, of_statements = searching._searched_verdict, inequalities._searched_statement

    def claims(claim: Any, *more: Any, **options: Any) -> Verdict:
        asked.append(claim)
        return of_claims(claim, *more, **options)

    def statements(statement: Any, *more: Any) -> Verdict:
        asked.append(statement)
        return of_statements(statement, *more)

    monkeypatch.setattr(searching, "_searched_verdict", claims)
    monkeypatch.setattr(inequalities, "_searched_statement", statements)
    return asked


def test_what_the_checker_reaches_again_needs_no_search(
    records: list[Any], searched: list[Any]
) -> None:
    assert [record["verdict"] for record in records] == ["proved", "refuted", "proved"]
    said: list[str] = []
    with taking_over(json.dumps(records), said.append):
        found = [verify(claim) for claim in (TRUE, FALSE, STATEMENT)]
    assert [verdict.to_json() for verdict in found] == records
    assert searched == said == []


def test_other_questions_are_searched(records: list[Any], searched: list[Any]) -> None:
    """A proposal is about all inputs, and may rest on anybody."""
    with taking_over(json.dumps(records), pytest.fail):
        verify(TRUE, size=1)
        verify(TRUE, procedure="linear")
        verify(TRUE, trust="kernel")
        verify(noisy_size("2"))
    assert len(searched) == 4
    verify(TRUE)
    assert len(searched) == 5


def forged(records: list[Any]) -> dict[str, Any]:
    """Proposals for the false claim, by what is wrong with them."""
    proof, refutation, _ = records
    few = verify(TRUE, Limits(), size=1).to_json()
    return {
        "a proof of another claim": proof | {"fingerprint": FALSE.fingerprint},
        "another claim in it": proof
        | {"claim": refutation["claim"], "fingerprint": FALSE.fingerprint},
        "a changed word": refutation | {"verdict": "proved"},
        "no record": {"fingerprint": FALSE.fingerprint},
        "about few datasets": few | {"fingerprint": FALSE.fingerprint},
    }


def test_nothing_else_is_taken_over(records: list[Any], searched: list[Any]) -> None:
    for what, record in forged(records).items():
        searched.clear()
        said: list[str] = []
        with taking_over(json.dumps([record]), said.append):
            assert verify(FALSE).outcome == "refuted", what
        assert len(said) == len(searched) == 1, what


def test_a_true_proof_about_few_datasets_answers_nothing(
    records: list[Any], searched: list[Any]
) -> None:
    few = verify(TRUE, size=1).to_json()
    said: list[str] = []
    with taking_over(json.dumps([few]), said.append):
        assert verify(TRUE).to_json() == records[0]
    assert said == ["it is about other datasets than those that were asked about"]


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "null", "[1]", '[{"fingerprint": []}]', "{}"])
def test_what_is_no_proposal_changes_nothing(text: str) -> None:
    with taking_over(text, lambda why: None):
        assert verify(FALSE).outcome == "refuted"
