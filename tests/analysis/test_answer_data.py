"""Answers about noise programs as data for JSON documents."""

from __future__ import annotations

import json
import math
from decimal import Decimal

import pytest

from ahdp_verify import verify
from ahdp_verify.analysis.answer_data import claim_data, verdict_data
from ahdp_verify.kernel.evidence.program_counterexample import Between
from ahdp_verify.kernel.terms.expression import label, number
from tests.programs_by_hand import (
    buggy_twin,
    claim,
    most_popular,
    noisy_max,
    refuted,
    sparse_vector,
)


def test_a_claim_about_a_program_is_data() -> None:
    about = claim(sparse_vector("2/eps", "4/eps"), "all", "eps")
    assert claim_data(about) == {
        "statement": "sparse vector is DP for all answers moving at level eps",
        "program": "sparse vector",
        "relation": "all",
        "level": "eps",
        "delta": "0",
        "queries": None,
        "fingerprint": about.fingerprint,
    }
    assert claim_data(claim(about.program, "all", "eps", 7))["queries"] == 7


def test_a_proof_about_a_program_is_data() -> None:
    found = verdict_data(verify(claim(sparse_vector("2/eps", "4/eps"), "all", "eps")))
    assert found["outcome"] == "proved" and found["trusts"] == ["the alignment rule"]
    assert (
        found["scope"]
        == "all inputs, any number of queries, chosen adaptively, each answer moving by at most 1, 0 < eps"
    )
    assert json.loads(json.dumps(found)) == found


def test_a_refutation_of_a_program_is_data() -> None:
    found = verdict_data(buggy_twin())
    witness = found["witness"]
    assert found["outcome"] == "refuted"
    assert found["trusts"] == ["the rule of exact probabilities of programs"]
    assert witness["parameters"] == {"eps": "1", "T": "0"} and witness["records"] is None
    assert witness["first"] == {"text": "(1/2, -1/2)", "entries": ["1/2", "-1/2"]}
    assert witness["outputs"]["items"] == [{"label": "no"}, {"label": "yes"}]
    low, high = (
        [float(Decimal(end)) for end in witness[side]["bounds"]]
        for side in ("first_probability", "second_probability")
    )
    loss = float(Decimal(witness["loss"]["bounds"][0]))
    assert loss == pytest.approx(math.log(low[0] / high[0]), abs=1e-9)


def test_datasets_and_intervals_of_a_refutation_are_data() -> None:
    popular = claim(most_popular("2/eps"), "add-remove", "eps/4")
    witness = verdict_data(refuted(popular, [0, 0], [1, 0], [label("2")], eps="8"))["witness"]
    assert witness["records"] == [
        {"value": '"a"', "demand": "1/2"},
        {"value": '"b"', "demand": "1"},
    ]
    assert witness["second"] == {"text": '{("a", 1/2)} (answers 1, 0)', "entries": ["1", "0"]}
    value = claim(noisy_max(2, "laplace", released="value"), "all", "eps/2")
    low = Between(None, number("-1/2"))
    witness = verdict_data(refuted(value, [0, 0], [1, 1], [low], eps="1"))["witness"]
    assert witness["outputs"]["items"] == [{"low": None, "high": "-1/2"}]
