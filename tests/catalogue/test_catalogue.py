"""The catalogue is correct: every claim gets its verdict, files state the same distributions, and
stated least levels are the least.
"""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.catalogue import CATALOGUE, Entry, Expected, find_entry
from ahdp_verify.catalogue.entry import EPS, X, lowered_level
from ahdp_verify.catalogue.linear_queries import linear_query, linear_query_without_offset
from ahdp_verify.catalogue.randomised_response import (
    k_ary_response,
    repeated_reports,
    unary_encoding,
)
from ahdp_verify.catalogue.sums import stretched_sum
from ahdp_verify.files.load import load
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values, value_at_bindings
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.numbers.algebra import primitive_part
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.obligations import mechanism_context, output_parts
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    LEAVES,
    ONE,
    Expression,
    Min,
    aggregates,
    log,
    name,
    oo,
    piecewise,
    substitute,
    transform,
)
from ahdp_verify.paper.catalogue import PAPER_CATALOGUE
from ahdp_verify.paper.catalogue.frequency import frequency, size_as_printed
from ahdp_verify.paper.catalogue.mean import mean_centred, weighted_mean
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from tests.sweeps import WHOLE

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
LIMITS = Limits(seconds=60)
ALL = (*CATALOGUE, *PAPER_CATALOGUE)
STORED = tuple(pytest.param(e, id=e.name) for e in ALL if e.file)
SLOW = (PROOFS / "slow.txt").read_text().split()  # `make bench` searches for these anew
CLAIMS = tuple(
    pytest.param(e, expected, id=f"{e.name}-{i}")
    for e in ALL
    if e.file not in SLOW
    for i, expected in enumerate(e.claims, 1)
)


def verdict(claim: Claim) -> str:
    """The word for what becomes of a claim."""
    try:
        return verify(claim, LIMITS).outcome
    except BadInput:
        return "refused"


@pytest.mark.sweep(47)
@pytest.mark.parametrize(("e", "expected"), CLAIMS)
def test_every_claim_gets_its_verdict(e: Entry, expected: Expected) -> None:
    """A claim that the file of the entry makes too has a record, which tests/proofs checks; it is
    searched for anew in a sweep, as all others are here.
    """
    found = None if WHOLE or not e.file else recorded(e, expected.claim)
    assert (found or verdict(expected.claim)) == expected.verdict


def recorded(e: Entry, claim: Claim) -> str | None:
    """The answer to the same claim of the entry's file that has a record (tests/proofs shows that
    the record has this answer); None without one.
    """
    file, here = stored(e.file), context(e.mechanism)
    several = len(file.claims) > 1
    for i, (other, note) in enumerate(zip(file.claims, file.notes, strict=True), 1):
        path = Path(e.file)
        record = PROOFS / path.parent / "certificates" / f"{path.stem}{f'-{i}' * several}.json"
        if note.expect and record.exists() and same_claim(claim, other, here):
            return note.expect
    return None


# One or two of each kind; the others take the same ways, and their levels are proved and lowered
# above.
TIGHTENED = (
    "laplace-parallel",
    "homogeneous-histogram",
    "linear-query",
    "linear-query-repaired",
    "linear-query-ex-sum",
    "count",
    "mean",
    "mean-repaired",
    "mean-ex-mean",
    "frequency-bins",
    "regression-1",
    "regression-1-upper",
    "regression-2",
    "rappor",
    "swap-dp-limit",
    "stretched-sum",
    "one-sided-sum",
    "two-sided-geometric",
    "clamped-geometric",
    "cut-off-geometric",
    "rounded-laplace",
    "staircase",
    "staircase-from-one",
    "thresholded-count",
    "two-laplace-noises",
    "laplace-noises-of-two-scales",
    "two-geometric-noises",
)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("handle", TIGHTENED)
def test_stated_levels_are_the_least(handle: str) -> None:
    found = find_entry(handle, ALL)
    stated = dict.fromkeys(
        (e.claim.relation, e.claim.public, e.least) for e in found.claims if e.least is not None
    )
    assert stated
    for relation, public, least in stated:
        assert tighten(found.mechanism, relation, LIMITS, public=public).least_in_its_names(
            least
        ), f"{relation} {least}"


def test_a_stated_level_oo_of_an_unbounded_loss_is_found() -> None:
    """The noise is for the greatest demand of the dataset: the strictest record never changes
    it, the others do, and no event of theirs is impossible.
    """
    found = find_entry("stretched-sum-dataset", ALL)
    (least,) = {e.least for e in found.claims if e.least is not None}
    for row in tighten(found.mechanism, "ahdp", LIMITS).rows:
        stated = value_at_bindings(least, dict(row.values), Context.empty())
        if stated == oo:
            assert (str(row.bounds), row.value) == ("oo", oo)
        else:
            assert row.value is not None and same(row.value, stated, Context.empty())


# the list


def test_entries_have_distinct_handles_and_one_line_descriptions() -> None:
    handles = [e.name for e in ALL]
    assert len(set(handles)) == len(handles)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", handle) for handle in handles)
    assert all(
        e.source
        and e.description
        and len(f"{e.name}: {e.description}") <= 120
        and e.description.isprintable()
        for e in ALL
    )


@pytest.mark.parametrize("e", ALL, ids=lambda e: e.name)
def test_an_entry_is_found_and_made_anew(e: Entry) -> None:
    assert find_entry(e.name, ALL) is e
    assert e.mechanism.fingerprint == e.make().fingerprint
    assert e.claims and all(x.claim.mechanism == e.mechanism for x in e.claims)


def test_an_unknown_name_is_bad_input() -> None:
    with pytest.raises(BadInput, match="it has laplace"):
        find_entry("laplas")
    with pytest.raises(BadInput, match="ahdp-verify list"):
        find_entry("?")


def test_every_claim_is_listed_once() -> None:
    for e in ALL:
        assert len({x.claim.fingerprint for x in e.claims}) == len(e.claims), e.name


# files that state the same distribution


@cache
def stored(file: str) -> MechanismFile:
    return load(PROOFS / file)


def same(a: Expression, b: Expression, here: Context) -> bool:
    """Equal by their canonical forms, or node by node where there are none."""
    try:
        return (normal(plain(a), here) - normal(plain(b), here)).is_zero
    except (Undecided, Unsupported, ZeroDivisionError):
        if a.head in LEAVES or b.head in LEAVES:
            return a == b
        return (
            a.head == b.head
            and len(a.args) == len(b.args)
            and all(same(x, y, here) for x, y in zip(a.args, b.args, strict=True))
        )


def plain(e: Expression) -> Expression:
    """The expression with a name for every sum, maximum and minimum over the records, the same
    for sums that differ by a factor.
    """
    return transform(e, lambda node: opaque(node) if node.head in AGGREGATES else None)


def opaque(node: Expression) -> Expression:
    """A name, times the rational factor of what is summed."""
    try:
        r = normal(node.args[0], Context.empty())
        factor = primitive_part(r.num)[0] if node.head == "sum" and not r.is_zero else Fraction(1)
        return factor * token(f"{node.head} {r.scale(1 / factor).key}")
    except (Undecided, Unsupported, ZeroDivisionError):
        return token(f"{node.head} {written(node.args[0])}")


def token(text: str) -> Expression:
    """A name of its own for a text."""
    return name(f"u{sha256(text.encode()).hexdigest()}")


def stand_in(text: str) -> Expression:
    """A name that stands for a text."""
    return name("a" + hashlib.sha256(text.encode()).hexdigest()[:20])


def written(body: Expression) -> str:
    """A text that equal record expressions share."""
    try:
        return normal(body, Context.empty()).key
    except (Undecided, Unsupported, ZeroDivisionError):
        return (
            str(body)
            if body.head in LEAVES
            else f"{body.head}({', '.join(written(part) for part in body.args)})"
        )


def context(M: Mechanism) -> Context:
    """What the parameters satisfy, and that maxima, minima and sizes are positive, as they are
    in the catalogue where they are scales.
    """
    here = mechanism_context(M)
    for node in aggregates(M.density):
        if node.head != "sum" or node.args[0] == ONE:
            here = here.given(normal(plain(node), here).num, ">")
    return here


def law(M: Mechanism) -> list[Expression]:
    """The output distribution of a mechanism, whatever it and its outputs are called: one
    expression for each value of finite outputs and each single input.
    """
    inputs = (
        [M.inputs.bindings(v) for v in M.inputs.values] if isinstance(M.inputs, Values) else [{}]
    )
    place = {o.name: token(f"output {i}") for i, o in enumerate(M.outputs)}
    return [
        substitute(part.law, {**values, **place}) for part in output_parts(M) for values in inputs
    ]


def alike(M: Mechanism, other: Mechanism) -> bool:
    """Equal distributions."""
    here = context(M)
    return all(same(a, b, here) for a, b in zip(law(M), law(other), strict=True))


def declarations(M: Mechanism) -> list[Any]:
    """All but the law and the names of the mechanism and its outputs."""
    outputs = [[o.kind, *(str(value) for value in o.values)] for o in M.outputs]
    return [
        M.inputs.to_json(),
        [f"{key}: {condition}" for key, condition in M.parameters],
        outputs,
        [str(at) for at, _ in M.atoms],
        str(M.defined),
    ]


@pytest.mark.sweep(19)
@pytest.mark.parametrize("e", STORED)
def test_the_file_states_the_same_law(e: Entry) -> None:
    M, other = e.mechanism, stored(e.file).mechanism
    assert declarations(M) == declarations(other)
    assert alike(M, other)


@pytest.mark.parametrize("e", STORED)
def test_the_file_expects_the_same(e: Entry) -> None:
    here, file = context(e.mechanism), stored(e.file)
    pairs = [
        (x, note)
        for x in e.claims
        for claim, note in zip(file.claims, file.notes, strict=True)
        if same_claim(x.claim, claim, here)
    ]
    assert pairs
    for x, note in pairs:
        assert x.verdict == note.expect, f"{x.claim}"
        assert x.least is None or note.least is None or same(x.least, note.least, here), (
            f"{x.claim}"
        )


def same_claim(a: Claim, b: Claim, here: Context) -> bool:
    """Equal but for the mechanism."""
    return (
        (a.relation, a.public) == (b.relation, b.public)
        and same(a.level, b.level, here)
        and same(a.delta, b.delta, here)
    )


def test_equal_laws_are_told_from_unequal_ones() -> None:
    pairs = [
        ("linear-query", "linear-query-half"),
        ("histogram", "histogram-half"),
        ("unary-encoding", "unary-encoding-not-reset"),
        ("weighted-family", "weighted-family-half"),
        ("sum", "sum-ratio"),
        ("frequency", "frequency-half"),
        ("mean", "mean-half"),
    ]
    assert not any(
        alike(find_entry(a, ALL).mechanism, find_entry(b, ALL).mechanism) for a, b in pairs
    )


# random instances, against the formulas of the paper computed with fractions

Profile = dict[tuple[Fraction, Fraction | Expression], Fraction]
values = st.fractions(-3, 3, max_denominator=4)
positive = st.fractions(Fraction(1, 4), 3, max_denominator=4)
demands = st.fractions(0, 3, max_denominator=4) | st.just(oo)
records = st.lists(st.tuples(values, demands), min_size=1, max_size=4, unique=True)
few = settings(max_examples=8)


def capped(demand: Fraction | Expression, cap: Fraction) -> Fraction:
    """The weight min(eps, cap) of a demand."""
    return cap if isinstance(demand, Expression) else min(demand, cap)


def bounds(listed: list[tuple[Fraction, Any]], slack: Fraction) -> tuple[Fraction, Fraction]:
    """A range that holds all values, wider by slack > 0."""
    found = [x for x, _ in listed]
    return min(found) - slack, max(found) + slack / 2


def level_of(W: Domain, profile: Profile, rest: Fraction | Expression) -> Expression:
    """The level that is the profile's at its records, and another elsewhere."""
    return piecewise(*((level, W.condition(pair)) for pair, level in profile.items()), (rest, True))


def check_profile(M: Mechanism, W: Domain, profile: Profile) -> None:
    """The profile is proved; the largest of its levels, lowered by a thousandth, is refuted,
    whatever the others are.
    """
    assert verdict(ahdp(M, level_of(W, profile, Fraction(0)))) == "proved"
    worst = max(profile, key=lambda pair: profile[pair])
    if profile[worst]:
        assert (
            verdict(ahdp(M, level_of(W, {worst: profile[worst] * Fraction(999, 1000)}, oo)))
            == "refuted"
        )


@given(records, positive, positive)
@few
def test_linear_query_as_printed(
    listed: list[tuple[Fraction, Any]], cap: Fraction, slack: Fraction
) -> None:
    W, (low, high) = Domain(listed), bounds(listed, slack)
    M = linear_query(W, X, weight=Min(EPS, cap), bounds=(low, high))
    check_profile(
        M, W, {(x, eps): capped(eps, cap) * (x - low) / (high - low) for x, eps in listed}
    )


@given(records, positive, positive, st.sampled_from((1, Fraction(1, 2), 2)))
@few
def test_linear_query_repaired(
    listed: list[tuple[Fraction, Any]], cap: Fraction, slack: Fraction, noise: Fraction
) -> None:
    W, largest = Domain(listed), max(abs(x) for x, _ in listed) + slack
    M = linear_query_without_offset(W, X, weight=Min(EPS, cap), largest=largest, noise=noise)
    check_profile(
        M, W, {(x, eps): capped(eps, cap) * abs(x) / (largest * noise) for x, eps in listed}
    )


@given(records, positive, positive, positive)
@few
def test_mean(
    listed: list[tuple[Fraction, Any]], cap: Fraction, other: Fraction, slack: Fraction
) -> None:
    W, (low, high) = Domain(listed), bounds(listed, slack)
    weights = Min(EPS, cap), Min(EPS, other)
    printed = {
        (x, eps): capped(eps, cap) * (x - low) / (high - low) + capped(eps, other)
        for x, eps in listed
    }
    check_profile(weighted_mean(W, weights=weights, bounds=(low, high)), W, printed)
    centred = {
        (x, eps): capped(eps, cap) * abs(2 * x - low - high) / (high - low) + capped(eps, other)
        for x, eps in listed
    }
    check_profile(mean_centred(W, weights=weights, bounds=(low, high)), W, centred)


@given(records, positive, positive)
@few
def test_frequency(listed: list[tuple[Fraction, Any]], cap: Fraction, other: Fraction) -> None:
    W, values = Domain(listed), sorted({x for x, _ in listed})
    M = frequency(W, values[:2], weights=(Min(EPS, cap), Min(EPS, other)))
    check_profile(
        M,
        W,
        {
            (x, eps): capped(eps, other) + (capped(eps, cap) if x in values[:2] else 0)
            for x, eps in listed
        },
    )


@given(st.lists(st.tuples(values, demands), min_size=1, max_size=3, unique=True), positive)
@few
def test_size_as_printed_is_private(listed: list[tuple[Fraction, Any]], cap: Fraction) -> None:
    W = Domain(listed)
    check_profile(
        size_as_printed(W, weight=Min(EPS, cap)),
        W,
        {(x, eps): capped(eps, cap) for x, eps in listed},
    )


@given(
    st.lists(
        st.tuples(st.fractions(-1, 1, max_denominator=4), positive),
        min_size=1,
        max_size=4,
        unique=True,
    )
)
@few
def test_stretched_sum(listed: list[tuple[Fraction, Fraction]]) -> None:
    W, greatest = Domain(listed), max(eps for _, eps in listed)
    check_profile(stretched_sum(W, greatest), W, {(x, eps): eps * abs(x) for x, eps in listed})


@given(st.integers(2, 4), st.fractions(Fraction(5, 4), 9, max_denominator=4))
@few
def test_response(k: int, odds: Fraction) -> None:
    check_level(k_ary_response(range(k), log(odds)), odds)


@given(st.integers(1, 4), st.fractions(Fraction(3, 5), Fraction(19, 20), max_denominator=20))
@few
def test_reports(n: int, keep: Fraction) -> None:
    check_level(repeated_reports(n, keep), (keep / (1 - keep)) ** n)


@given(
    st.integers(2, 3),
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
    st.fractions(Fraction(1, 10), 1, max_denominator=10),
)
@few
def test_unary_encoding(k: int, keep: Fraction, part: Fraction) -> None:
    flip = keep * part
    check_level(unary_encoding(k, keep=keep, flip=flip), keep * (1 - flip) / (flip * (1 - keep)))


def check_level(M: Mechanism, odds: Fraction) -> None:
    """log(odds) is the least level for any two values."""
    assert verdict(Claim(M, "any", log(odds))) == "proved"
    if odds > 1:
        assert verdict(Claim(M, "any", lowered_level(log(odds)))) == "refuted"
