"""Claims of sensitivity: what they state, and their JSON."""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.grammar import parse

UNIT = Entries("n", "0 <= x <= 1", {"n": "n >= 2"})


def claim(query: str, bound: str) -> SensitivityClaim:
    return SensitivityClaim(UNIT, parse(query, nested=True), parse(bound, nested=True), "a claim")


def test_a_bound_may_depend_on_the_position() -> None:
    assert len(claim("sum(i*x)", "i").tasks) == 1
    for bound in ("x[1]", "sum(x)", "k", "x"):
        with pytest.raises(BadInput):
            claim("sum(x)", bound)


def test_the_json_is_that_of_the_same_claim() -> None:
    said = claim("total(abs(x[k] - x[k + 1]), k, 1, n - 1)", "2")
    assert SensitivityClaim.from_json(said.to_json()) == said
    assert said.fingerprint != claim("sum(x)", "2").fingerprint
    with pytest.raises(BadInput):
        SensitivityClaim.from_json({**said.to_json(), "name": 1})


def test_ranks_of_equal_and_of_irrational_terms() -> None:
    said = claim("ordered(exp(x), 2)", "1")
    values = {"n": "3", "x[1]": "1", "x[2]": "0", "x[3]": "1", "x[3]'": "0"}
    moved, _ = said.sides_at(tuple((key, parse(value)) for key, value in values.items()))
    assert (moved - normal(parse("1 - exp(1)"), Context.empty())).is_zero
