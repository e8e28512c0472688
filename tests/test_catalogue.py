"""The catalogue says what is true: every claim gets its verdict, files state the same laws, and stated least levels are the least."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify import privacy
from ahdp_verify.catalogue import CATALOGUE, Entry, Expected, entry, linear_query, mean
from ahdp_verify.catalogue.entry import EPS, X, lowered
from ahdp_verify.catalogue.frequency import bins, frequency, size_as_printed
from ahdp_verify.catalogue.randomised_response import reports, response, unary_encoding
from ahdp_verify.catalogue.sums import stretched_sum, sum_at_least_demand
from ahdp_verify.context import Context, normal
from ahdp_verify.domain import Domain, Record
from ahdp_verify.errors import BadInput, Undecided, Unsupported
from ahdp_verify.expression import AGGREGATES, LEAVES, ONE, Expression, Min, log, name, names, number, oo, piecewise, substitute, transform
from ahdp_verify.files import load
from ahdp_verify.limits import Limits
from ahdp_verify.mechanism import Mechanism
from ahdp_verify.privacy import Claim, ahdp, base, parts, states
from ahdp_verify.search import verify
from ahdp_verify.tables import MechanismFile
from ahdp_verify.tighten import tighten

PROOFS = Path(__file__).resolve().parent.parent / "proofs"
LIMITS = Limits(seconds=60)
STORED = tuple(e for e in CATALOGUE if e.file)
CLAIMS = tuple(pytest.param(expected, id=f"{e.name}-{i}") for e in CATALOGUE for i, expected in enumerate(e.claims, 1))


def verdict(claim: Claim) -> str:
    """The word for what becomes of a claim."""
    try:
        return type(verify(claim, LIMITS)).__name__.lower()
    except BadInput:
        return "refused"


@pytest.mark.parametrize("expected", CLAIMS)
def test_every_claim_gets_its_verdict(expected: Expected) -> None:
    assert verdict(expected.claim) == expected.verdict


TIGHTENED = (
    "laplace-parallel", "homogeneous-histogram", "linear-query", "linear-query-repaired", "linear-query-ex-sum", "count", "mean", "mean-repaired",
    "mean-ex-mean", "frequency-bins", "regression-1", "regression-1-upper", "regression-2", "rappor", "swap-dp-limit", "stretched-sum",
    "stretched-sum-dataset", "one-sided-sum",
)  # fmt: skip


@pytest.mark.parametrize("name", TIGHTENED)
def test_stated_levels_are_the_least(name: str) -> None:
    found = entry(name)
    stated = {(e.claim.relation, e.claim.public, e.least) for e in found.claims if e.least is not None}
    for relation, public, least in stated:
        assert tighten(found.mechanism, relation, LIMITS, public=public).least_in_its_names(least), (relation, least)
    assert stated
