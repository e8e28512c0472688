"""Enumeration against brute force that shares no code with it: laws as Python functions, in
`fractions`, or in 60 decimal digits.

Where two probabilities can only be compared in decimals, differences below 1e-40 are ties: the
drawn numbers are never closer.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.files.load import load
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import BadInput, LawFault, Rejected
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Certificate,
    Enumeration,
    InequalityLeaf,
    Mass,
)
from ahdp_verify.kernel.exhaustive import datasets as space
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.model.privacy import ahdp, dp, hdp
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.canonical_json import seal
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    Min,
    add,
    eq,
    exp,
    label,
    log,
    multiply,
    name,
    number,
    oo,
    piecewise,
)
from ahdp_verify.kernel.unknown import Unknown, Verdict
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.enumeration import enumerate_datasets, enumeration_size
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verdict_search import VerdictSearch
from ahdp_verify.search.verify import verify
from tests.sweeps import examples, swept

Counts = tuple[int, ...]


def datasets(records: int, most: int) -> Iterator[Counts]:
    """All datasets of at most `most` of so many records."""
    return (c for c in itertools.product(range(most + 1), repeat=records) if sum(c) <= most)


def added(counts: Counts, w: int) -> Counts:
    """The dataset with one record more."""
    return tuple(c + (i == w) for i, c in enumerate(counts))


def pairs(relation: str, records: int, most: int) -> Iterator[tuple[Counts, Counts, int]]:
    """Every directed move between datasets of at most `most` records: from, to, and the record
    whose level counts.
    """
    for rest in datasets(records, most - 1):
        if relation == "add-remove":
            for w in range(records):
                yield from ((rest, added(rest, w), w), (added(rest, w), rest, w))
        else:
            yield from (
                (added(rest, i), added(rest, j), i)
                for i, j in itertools.permutations(range(records), 2)
            )


def worst_size(
    relation: str, records: int, most: int, allowed: Callable[[Counts, Counts, int], bool]
) -> int | None:
    """The size of the larger dataset of a smallest violation; None if every move is allowed."""
    bad = [
        max(sum(a), sum(b)) for a, b, w in pairs(relation, records, most) if not allowed(a, b, w)
    ]
    return min(bad, default=None)


def agrees(found: Verdict, violation: int | None, most: int) -> None:
    """The verdict is that of the brute force, and a counterexample is a smallest one."""
    if violation is None:
        assert isinstance(found, Proved), found
        assert found.scope_text == f"datasets of at most {most} record" + ("s" if most > 1 else "")
    else:
        assert isinstance(found, Refuted), found
        example = found.counterexample
        assert (
            max(sum(int(c.args[0]) for c in side) for side in (example.first, example.second))
            == violation
        )


# laws that are tables of fractions, levels that are logarithms of fractions: everything exact


def table_mechanism(laws: dict[Counts, tuple[Fraction, ...]], W: Domain) -> Mechanism:
    """The mechanism whose law at each dataset is listed; beyond, the law is uniform."""
    width = len(next(iter(laws.values())))
    s = finite("s", range(width))
    count = [W.count((i, 1)) for i in range(len(W.records))]
    branches: list[tuple[object, object]] = []
    for counts, law in laws.items():
        here = eq(count[0], counts[0])
        for c, h in zip(count[1:], counts[1:], strict=True):
            here = here & eq(c, h)
        branches += [(p, here & eq(s, i)) for i, p in enumerate(law)]
    return Mechanism(
        W, outputs=[s], density=piecewise(*branches, (Fraction(1, width), True)), name="table"
    )


@settings(max_examples=examples(60, 8), deadline=None)
@given(st.data())
def test_tables_of_fractions_are_decided_as_by_brute_force(data: st.DataObject) -> None:
    records, most, width = (
        data.draw(st.integers(1, 2)),
        data.draw(st.integers(1, 2)),
        data.draw(st.integers(2, 3)),
    )
    weights = st.lists(st.integers(0, 3), min_size=width, max_size=width).filter(any)
    laws = {
        c: tuple(Fraction(w, sum(ws)) for w in ws)
        for c in datasets(records, most)
        for ws in (data.draw(weights),)
    }
    factors = data.draw(
        st.lists(
            st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(6)]),
            min_size=records,
            max_size=records,
        )
    )
    relation = data.draw(st.sampled_from(["add-remove", "swap"]))
    M = table_mechanism(laws, Domain([(i, 1) for i in range(records)]))
    level = piecewise(*((log(f), eq(name("x"), i)) for i, f in enumerate(factors)), (0, True))
    claim = (
        ahdp(M, level) if relation == "add-remove" else dp(M, log(factors[0]), neighbours="swap")
    )
    factor = factors if relation == "add-remove" else [factors[0]] * records

    def allowed(a: Counts, b: Counts, w: int) -> bool:
        return all(p <= factor[w] * q for p, q in zip(laws[a], laws[b], strict=True))

    if relation == "swap" and records == 1:
        return
    agrees(verify(claim, size=most), worst_size(relation, records, most, allowed), most)


@settings(max_examples=examples(40, 8), deadline=None)
@given(st.data())
def test_deltas_are_decided_as_by_brute_force(data: st.DataObject) -> None:
    most, width = 2, 3
    weights = st.lists(st.integers(0, 3), min_size=width, max_size=width).filter(any)
    laws = {
        c: tuple(Fraction(w, sum(ws)) for w in ws)
        for c in datasets(1, most)
        for ws in (data.draw(weights),)
    }
    factor, delta = (
        data.draw(st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2)])),
        data.draw(st.sampled_from([Fraction(n, 12) for n in range(13)])),
    )
    claim = ahdp(table_mechanism(laws, Domain([(0, 1)])), log(factor), delta=delta)

    def allowed(a: Counts, b: Counts, w: int) -> bool:
        return (
            sum(
                (max(Fraction(0), p - factor * q) for p, q in zip(laws[a], laws[b], strict=True)),
                Fraction(0),
            )
            <= delta
        )

    agrees(verify(claim, size=most), worst_size("add-remove", 1, most, allowed), most)


# laws that are exponentials: 60 digits


def decimal_exp(x: Fraction) -> Decimal:
    """e^x in 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return (Decimal(x.numerator) / Decimal(x.denominator)).exp()


def at_most(p: Decimal, q: Decimal) -> bool:
    """p <= q, where what differs by less than 1e-40 is equal."""
    return p - q <= Decimal(10) ** -40 * max(p, q)


@settings(max_examples=examples(30, 8), deadline=None)
@given(st.data())
def test_normalised_exponentials_are_decided_as_by_brute_force(data: st.DataObject) -> None:
    small = st.sampled_from([Fraction(n, d) for n in range(-2, 4) for d in (1, 2)])
    weights = data.draw(st.lists(small, min_size=1, max_size=2, unique=True))
    rate, share, most = (
        data.draw(st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(1, 3)])),
        data.draw(st.sampled_from([1, 2, Fraction(1, 2), Fraction(3, 4)])),
        3,
    )
    W = Domain([(w, 1) for w in weights])
    s = finite("s", range(-1, 3))
    centre, kind = (
        W.sum(lambda x, eps: x),
        data.draw(st.sampled_from(["sum", "clipped", "extreme"])),
    )
    if kind == "clipped":
        centre = Min(2, Max(-1, centre))
    elif kind == "extreme":
        centre = W.size + W.sum(lambda x, eps: x * x) / 2

    def score(t: object) -> Expression:
        return exp(multiply(number(-rate), Abs(centre - t)))

    M = Mechanism(
        W,
        outputs=[s],
        density=score(s) / add(*(score(t) for t in range(-1, 3))),
        name="exponential",
    )

    def law(counts: Counts) -> list[Decimal]:
        total = sum((c * w for c, w in zip(counts, weights, strict=True)), Fraction(0))
        c = total if kind == "sum" else min(Fraction(2), max(Fraction(-1), total))
        if kind == "extreme":
            c = (
                sum(counts)
                + sum((k * w * w for k, w in zip(counts, weights, strict=True)), Fraction(0)) / 2
            )
        scores = [decimal_exp(-rate * abs(c - t)) for t in range(-1, 3)]
        with localcontext() as context:
            context.prec = 60
            return [p / sum(scores) for p in scores]

    level = share * rate

    def allowed(a: Counts, b: Counts, w: int) -> bool:
        with localcontext() as context:
            context.prec = 60
            return all(
                at_most(p, decimal_exp(Fraction(level)) * q)
                for p, q in zip(law(a), law(b), strict=True)
            )

    agrees(
        verify(ahdp(M, level), size=most),
        worst_size("add-remove", len(weights), most, allowed),
        most,
    )


def clamped(
    weights: list[object], top: int = 6, rate: Fraction = Fraction(1, 2), kind: str = "finite"
) -> Mechanism:
    """Two-sided geometric noise on a sum; with finite outputs clamped to 0, ..., top, as is the
    sum.
    """
    W = Domain([(w, 1) for w in weights])
    q, total = exp(-rate), W.sum(lambda x, eps: x)
    if kind != "finite":
        t = integer("t") if kind == "integer" else real("t")
        return Mechanism(
            W,
            outputs=[t],
            density=exp(-rate * Abs(t - total))
            * ((1 - q) / (1 + q) if kind == "integer" else rate / 2),
            name="noise",
        )
    s = finite("s", range(top + 1))
    ends = piecewise((1, eq(s, 0) | eq(s, top)), (1 - q, True))
    return Mechanism(
        W,
        outputs=[s],
        density=exp(-rate * Abs(s - Max(0, Min(top, total)))) * ends / (1 + q),
        name="clamped",
    )


TINY = Fraction(1, 10**30)


@pytest.mark.parametrize("kind", ["finite", "integer", "real"])
def test_a_level_is_decided_to_the_last_digit(kind: str) -> None:
    M = clamped([0, 1, 2], kind=kind)
    for gap, word in ((0, Proved), (TINY, Proved), (-TINY, Refuted)):
        found = verify(ahdp(M, lambda x, eps, gap=gap: x / 2 + gap * x), size=3)
        assert isinstance(found, word), (kind, gap, found)
        if isinstance(found, Refuted):
            assert [str(c) for c in found.counterexample.first + found.counterexample.second].count(
                "1"
            ) == 1


def smoothed() -> Mechanism:
    """One of two words, drawn with probability (1 + its count) / (size + 2)."""
    W = Domain([("a", log(2)), ("b", log(2))])
    s = finite("s", ["a", "b"])
    count = [W.count(record) for record in W.records]
    return Mechanism(
        W,
        outputs=[s],
        density=(1 + piecewise((count[0], eq(s, label("a"))), (count[1], True))) / (W.size + 2),
        name="smoothed",
    )


def test_a_rational_tie_is_decided_to_the_last_digit_and_a_scope_is_no_more_than_it_says() -> None:
    # a record more turns (1 + h)/(n + 2) into (2 + h)/(n + 3): the factor 2 (n + 2)/(n + 3) at h =
    # 0, which grows with n: 16/9 at n = 6
    level = log(Fraction(16, 9))
    assert isinstance(verify(ahdp(smoothed(), level), size=7), Proved)
    assert isinstance(verify(ahdp(smoothed(), level - TINY), size=7), Refuted)
    larger = verify(ahdp(smoothed(), level), size=9)
    assert (
        isinstance(larger, Refuted)
        and sum(int(c.args[0]) for c in larger.counterexample.first) == 8
    )


@settings(max_examples=examples(15, 8), deadline=None)
@given(
    st.lists(st.sampled_from([0, 1, 2, 3]), min_size=1, max_size=2, unique=True),
    st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2)]),
)
def test_irrational_weights_are_decided_as_by_brute_force(
    chosen: list[int], level: Fraction
) -> None:
    listed = [
        (exp(-1), decimal_exp(Fraction(-1))),
        (1 - exp(-1), 1 - decimal_exp(Fraction(-1))),
        (log(2), Decimal(2).ln()),
        (number(2), Decimal(2)),
    ]
    weights = [listed[i] for i in chosen]
    W, s = Domain([(w, 1) for w, _ in weights]), finite("s", range(3))
    centre = W.sum(lambda x, eps: x)
    M = Mechanism(
        W,
        outputs=[s],
        density=exp(-Abs(centre - s)) / add(*(exp(-Abs(centre - t)) for t in range(3))),
        name="exponential",
    )

    def law(counts: Counts) -> list[Decimal]:
        c = sum((h * w for h, (_, w) in zip(counts, weights, strict=True)), Decimal(0))
        scores = [(-abs(c - t)).exp() for t in range(3)]
        return [p / sum(scores) for p in scores]

    def allowed(a: Counts, b: Counts, w: int) -> bool:
        return all(at_most(p, decimal_exp(level) * q) for p, q in zip(law(a), law(b), strict=True))

    with localcontext() as context:
        context.prec = 60
        listed[2] = (log(2), Decimal(2).ln())
        agrees(
            verify(ahdp(M, level), size=3), worst_size("add-remove", len(weights), 3, allowed), 3
        )


# aggregates, moves and conditions


@settings(max_examples=examples(20, 8), deadline=None)
@given(
    st.lists(
        st.sampled_from([Fraction(n, 2) for n in range(-2, 4)]), min_size=1, max_size=3, unique=True
    ),
    st.sampled_from(["max", "min"]),
    st.booleans(),
)
def test_extremes_and_conditions_are_decided_as_by_brute_force(
    weights: list[Fraction], which: str, all_of_them: bool
) -> None:
    W, s, least = Domain([(w, 1) for w in weights]), finite("s", range(2)), 1 if all_of_them else 2
    extreme = W.max(lambda x, eps: x) if which == "max" else W.min(lambda x, eps: x)
    ratio = 1 / (1 + exp(extreme))
    M = Mechanism(
        W,
        outputs=[s],
        density=piecewise((ratio, eq(s, 0)), (exp(extreme) * ratio, True)),
        defined=W.size >= least,
        name="extreme",
    )
    present = {"max": max, "min": min}[which]

    def law(counts: Counts) -> list[Decimal]:
        x = decimal_exp(present(w for w, c in zip(weights, counts, strict=True) if c))
        return [1 / (1 + x), x / (1 + x)]

    def allowed(a: Counts, b: Counts, w: int) -> bool:
        if min(sum(a), sum(b)) < least:
            return True
        with localcontext() as context:
            context.prec = 60
            return all(
                at_most(p, decimal_exp(Fraction(1, 2)) * q)
                for p, q in zip(law(a), law(b), strict=True)
            )

    violation = worst_size("add-remove", len(weights), 3, allowed)
    found = verify(ahdp(M, Fraction(1, 2)), size=3)
    assert isinstance(found, Proved if violation is None else Refuted), found
    if isinstance(found, Proved):
        assert (
            found.scope_text
            == f"all moves inside {M.defined} between datasets of at most 3 records"
        )


def test_demands_decide_which_records_are_exchanged_and_at_which_level() -> None:
    W = Domain([(0, 1), (1, 1), (5, 2), (0, 2)])
    s = finite("s", range(7))
    centre = Max(0, Min(6, W.sum(lambda x, eps: x)))
    ends = piecewise((1, eq(s, 0) | eq(s, 6)), (1 - exp(-1), True))
    M = Mechanism(
        W, outputs=[s], density=exp(-Abs(s - centre)) * ends / (1 + exp(-1)), name="clamped"
    )
    assert isinstance(verify(hdp(M), size=2), Refuted)  # 5 becomes 0 at level 2
    near = Domain([(0, 1), (1, 1), (5, 2), (3, 2)])
    moved = Mechanism(
        near,
        outputs=[s],
        density=exp(-Abs(s - Max(0, Min(6, near.sum(lambda x, eps: x))))) * ends / (1 + exp(-1)),
        name="clamped",
    )
    assert isinstance(verify(hdp(moved), size=3), Proved)
    assert isinstance(verify(dp(moved, 5, neighbours="swap"), size=3), Proved)
    assert isinstance(verify(dp(moved, 5 - TINY, neighbours="swap"), size=3), Refuted)


def test_records_of_level_oo_may_do_anything() -> None:
    M = clamped([0, 1])
    W = Domain([(0, 0), (1, oo)])
    free = Mechanism(W, outputs=M.outputs, density=M.density, name="free")
    assert isinstance(verify(ahdp(free), size=3), Proved)
    assert isinstance(verify(ahdp(free, lambda x, eps: Min(eps, Fraction(1, 3))), size=3), Refuted)


def test_probabilities_of_zero_need_zeros() -> None:
    W, s = Domain([(0, 1)]), finite("s", [0, 1])
    for density, word in (
        (piecewise((1, eq(s, 0)), (0, True)), Proved),
        (
            piecewise(
                (piecewise((1, eq(W.size, 0)), (Fraction(1, 2), True)), eq(s, 0)),
                (piecewise((0, eq(W.size, 0)), (Fraction(1, 2), True)), True),
            ),
            Refuted,
        ),
    ):
        assert isinstance(
            verify(ahdp(Mechanism(W, outputs=[s], density=density), 100), size=2), word
        )


def test_several_outputs_are_compared_jointly() -> None:
    W = Domain([(0, 1), (1, 1)])
    s, t = finite("s", [0, 1]), finite("t", ["yes", "no"])
    n = W.size
    density = piecewise(
        ((1 + n) / (4 + n * 2), eq(s, 0) & eq(t, label("yes"))),
        (1 / (4 + n * 2), eq(s, 0) | eq(t, label("yes"))),
        (1 / (4 + n * 2) + n / (4 + n * 2), True),
    )
    M = Mechanism(W, outputs=[s, t], density=density, name="two")
    # (1 + n)/(4 + 2n): from 1/4 to 2/6, factor 4/3; the others: 1/4 to 1/6, factor 3/2 backwards
    assert isinstance(verify(ahdp(M, log(Fraction(3, 2))), size=4), Proved)
    assert isinstance(verify(ahdp(M, log(Fraction(3, 2)) - TINY), size=4), Refuted)


# the local model


@settings(max_examples=examples(30, 8), deadline=None)
@given(st.data())
def test_the_local_model_is_decided_as_by_brute_force(data: st.DataObject) -> None:
    values = ["a", "b", 3][: data.draw(st.integers(2, 3))]
    weights = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)
    laws = [tuple(Fraction(w, sum(ws)) for w in ws) for ws in (data.draw(weights) for _ in values)]
    factor = data.draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(4)]))
    s, v = finite("s", ["x", "y", 0]), name("v")
    trees = [label(x) if isinstance(x, str) else number(x) for x in values]
    cells = [
        (p, eq(v, t) & eq(s, o))
        for t, law in zip(trees, laws, strict=True)
        for o, p in zip(s.values, law, strict=True)
    ]
    claim = Claim(
        Mechanism(Values(values), outputs=[s], density=piecewise(*cells, (0, True)), name="local"),
        "any",
        log(factor),
    )
    expected = all(
        p <= factor * q
        for one, other in itertools.permutations(laws, 2)
        for p, q in zip(one, other, strict=True)
    )
    found = verify(claim, size=1)
    assert isinstance(found, Proved if expected else Refuted), found
    assert not isinstance(found, Proved) or found.scope_text == "all inputs"


def test_the_local_model_with_vectors_levels_of_pairs_and_computed_parts() -> None:
    s, k = finite("s", [1, 2]), name("v")
    listed = Values([(0, 1), (1, 0), (1, 1)])
    score = exp(Expression("index", (k, name("s"))))
    M = Mechanism(
        listed, outputs=[s], density=score / (exp(name("v[1]")) + exp(name("v[2]"))), name="pick"
    )
    gap = Abs(name("v[1]") - name("other[1]")) + Abs(name("v[2]") - name("other[2]"))
    assert isinstance(verify(Claim(M, "any", gap), size=1), Proved)
    assert isinstance(verify(Claim(M, "any", gap / 3), size=1), Refuted)


# other outputs


@settings(max_examples=examples(20, 8), deadline=None)
@given(
    st.lists(st.integers(-2, 2), min_size=1, max_size=2, unique=True),
    st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3, 2)]),
    st.booleans(),
)
def test_whole_numbers_are_decided_as_by_brute_force(
    weights: list[int], level: Fraction, doubled: bool
) -> None:
    W, t = Domain([(w, 1) for w in weights]), integer("t")
    total = W.sum(lambda x, eps: x)
    rate = piecewise((1, (W.size >= 2) & Expression("boolean", (doubled,))), (Fraction(1, 2), True))
    M = Mechanism(
        W,
        outputs=[t],
        density=exp(-rate * Abs(t - total)) * (1 - exp(-rate)) / (1 + exp(-rate)),
        name="geometric",
    )

    def law(counts: Counts, n: int) -> Decimal:
        r = Fraction(1) if doubled and sum(counts) >= 2 else Fraction(1, 2)
        q = decimal_exp(-r)
        return (
            decimal_exp(-r * abs(n - sum(c * w for c, w in zip(counts, weights, strict=True))))
            * (1 - q)
            / (1 + q)
        )

    def allowed(a: Counts, b: Counts, w: int) -> bool:
        with localcontext() as context:
            # 40 steps beyond all sums, laws of two rates are e^20 apart, and laws of one rate do
            # not change their ratio
            context.prec = 60
            return all(at_most(law(a, n), decimal_exp(level) * law(b, n)) for n in range(-50, 51))

    violation = worst_size("add-remove", len(weights), 2, allowed)
    found = verify(ahdp(M, level), size=2)
    assert isinstance(found, Proved if violation is None else Refuted), found


def test_atoms_are_compared_too() -> None:
    W, s = Domain([(1, 1)]), real("s")
    half = piecewise((Fraction(1, 2), W.size <= 1), (Fraction(1, 4), True))
    M = Mechanism(
        W,
        outputs=[s],
        density=(1 - half) * exp(-Abs(s)) / 2,
        atoms={label("none"): half},
        name="silent",
    )
    # the atom halves from 1 to 2 records, the density grows by 3/2
    assert isinstance(verify(ahdp(M, log(2)), size=3), Proved)
    assert isinstance(verify(ahdp(M, log(2) - TINY), size=3), Refuted)
    assert isinstance(verify(ahdp(M, 0), size=1), Proved)


def test_independent_outputs_share_the_level() -> None:
    W = Domain([(0, 1), (1, 1)])
    s, t, u = real("s"), integer("t"), finite("u", [0, 1])
    size, total = W.size, W.sum(lambda x, eps: x)
    geometric = exp(-Abs(t - total) / 3) * (1 - exp(Fraction(-1, 3))) / (1 + exp(Fraction(-1, 3)))
    bit = piecewise((2, eq(u, 0) & (size <= 0)), (1, size <= 0), (1, eq(u, 0)), (2, True)) / 3
    M = Mechanism(
        W, outputs=[s, t, u], density=exp(-Abs(s - size) / 2) / 4 * geometric * bit, name="three"
    )
    # 1/2 for the size, x/3 for the sum, and log 2 for the bit when the first record comes
    for level, word in (
        (Fraction(1, 2) + number(Fraction(1, 3)) + log(2), Proved),
        (Fraction(5, 6) + log(2) - TINY, Refuted),
    ):
        assert isinstance(verify(ahdp(M, level), size=2), word)
    later = Mechanism(W, outputs=[s, t, u], density=M.density, defined=W.size >= 1, name="three")
    for level, word in (
        (lambda x, eps: Fraction(1, 2) + x / 3, Proved),
        (lambda x, eps: Fraction(1, 2) + x / 3 - TINY, Refuted),
    ):
        assert isinstance(verify(ahdp(later, level), size=3), word)
    assert "a delta for several outputs" in reason(
        verify(ahdp(M, 1, delta=Fraction(1, 10)), size=2)
    )


def test_many_coordinates_are_compared_one_by_one() -> None:
    listed = [tuple(int(i == j) for i in range(13)) for j in range(3)]
    outputs = finite("b", [0, 1], 13)
    density = multiply(
        *(
            piecewise((Fraction(3, 4), eq(b, name(f"v[{i}]"))), (Fraction(1, 4), True))
            for i, b in enumerate(outputs, 1)
        )
    )
    M = Mechanism(
        Values(listed), outputs=outputs, density=density, name="bits"
    )  # 8192 combinations; two bits change, each by the factor 3
    assert isinstance(verify(Claim(M, "any", log(9)), size=1), Proved)
    assert isinstance(verify(Claim(M, "any", log(9) - TINY), size=1), Refuted)


@pytest.mark.parametrize("kind", ["integer", "real"])
def test_a_delta_of_one_output_is_exact(kind: str) -> None:
    M = clamped([1], kind=kind)  # noise of rate 1/2 on the size
    q = exp(Fraction(-1, 2))
    # level 0: the total variation distance of neighbours, (1 - q)/(1 + q) for whole numbers, 1 -
    # exp(-1/4) for densities (halfway they cross)
    least = (1 - q) / (1 + q) if kind == "integer" else 1 - exp(Fraction(-1, 4))
    below = (
        TINY if kind == "integer" else Fraction(1, 10**9)
    )  # an event of real outputs has ends that are cut a little short
    for gap, word in ((0, Proved), (TINY, Proved), (-below, Refuted)):
        found = verify(Claim(M, "add-remove", number(0), least + gap), size=2)
        assert isinstance(found, word), found


def test_atoms_count_in_a_delta() -> None:
    W, s = Domain([(1, 1)]), real("s")
    none = piecewise((Fraction(1, 2), W.size <= 0), (Fraction(3, 4), True))
    M = Mechanism(
        W,
        outputs=[s],
        density=(1 - none) * exp(-Abs(s - W.size)) / 2,
        atoms={label("none"): none},
        name="silent",
    )
    # at level 0 the atom alone makes a difference of 1/4, and the density, shifted as well, makes
    # it larger
    found = [verify(ahdp(M, 0, delta=delta), size=1) for delta in (1, Fraction(1, 4))]
    assert isinstance(found[0], Proved) and isinstance(found[1], Refuted)
    # from 0 to 1 records at level 0: 1/4 from the atom and nothing from the density, whose excess
    # is only the other way round
    same = Mechanism(
        W,
        outputs=[s],
        density=(1 - none) * exp(-Abs(s)) / 2,
        atoms={label("none"): none},
        name="silent",
    )
    assert isinstance(verify(ahdp(same, 0, delta=Fraction(1, 4)), size=1), Proved)
    assert isinstance(verify(ahdp(same, 0, delta=Fraction(1, 4) - TINY), size=1), Refuted)


# the stored files: what is expected of their claims comes from the literature, not from this
# package


def family(path: Path) -> list[str]:
    """What the names of the variants of one mechanism begin with."""
    return path.stem.split("-")[:2]


FILES = sorted(
    (Path(__file__).resolve().parents[3] / "proofs" / "public").glob("*.toml"),
    key=lambda path: path.stem,
)
PUBLIC = [path for _, variants in itertools.groupby(FILES, family) for path in swept(variants, 1)]


@pytest.mark.sweep(10)
@pytest.mark.parametrize("path", PUBLIC, ids=lambda p: p.stem)
def test_stored_claims_are_decided_up_to_a_size(path: Path) -> None:
    """One file of each family of variants; all of them in a sweep."""
    file = load(path)
    if not isinstance(file, MechanismFile):
        return  # statements and composed mechanisms have no datasets to be listed
    inputs = file.mechanism.inputs
    if (
        file.mechanism.parameters
        or not isinstance(inputs, Domain | Values)
        or (isinstance(inputs, Domain) and inputs.is_universal)
    ):
        return
    for claim, note in zip(file.claims, file.notes, strict=True):
        found = verify(claim, size=3) if note.expect in ("proved", "refuted") else None
        if isinstance(found, Unknown):  # a staircase has infinitely many points
            assert re.search(
                "between two points the law was not found to be a single exponential|branches "
                "that are not linear in the output",
                reason(found),
            ), found
        elif note.expect == "proved":
            assert isinstance(found, Proved), found
        elif note.expect == "refuted":  # at the latest with 16 records
            assert isinstance(found, Refuted) or isinstance(verify(claim, size=16), Refuted), claim


# what is not decided says so


def reason(found: Verdict) -> str:
    """Why a claim is not decided."""
    assert isinstance(found, Unknown), found
    return "; ".join(d.reason for d in found.reasons)


def test_a_claim_of_a_delta_below_0_does_not_hold() -> None:
    M = table_mechanism({(0,): (Fraction(1, 2), Fraction(1, 2))}, Domain([(0, 1)]))
    assert "delta is negative" in reason(
        verify(Claim(M, "ahdp", number(1), log(Fraction(1, 2))), size=2)
    )
    with pytest.raises(Rejected):
        check(
            Claim(M, "ahdp", number(1), log(Fraction(1, 2))),
            certificate(Claim(M, "ahdp", number(1), log(Fraction(1, 2))), 2),
        )


def test_what_is_not_enumerated_says_why() -> None:
    W, s = Domain([(1, 1)]), finite("s", [0, 1])
    half = Mechanism(
        W,
        outputs=[s],
        density=piecewise((name("p"), eq(s, 0)), (1 - name("p"), True)),
        parameters={"p": "0 <= p <= 1"},
    )
    assert "p has no value" in reason(verify(ahdp(half), size=2))
    universal = Mechanism(
        Domain.universal({"x": "0 <= x <= 1"}),
        outputs=[real("t")],
        density=exp(-Abs(real("t") - Expression("sum", (name("x"),)))) / 2,
    )
    assert "infinitely many inputs" in reason(verify(ahdp(universal, 1), size=2))
    t = integer("t")
    mixed = exp(-Abs(t)) / 4 * (1 - exp(-1)) / (1 + exp(-1)) + exp(-2 * Abs(t)) * Fraction(3, 4) * (
        1 - exp(-2)
    ) / (1 + exp(-2))
    bell = Mechanism(W, outputs=[t], density=mixed, name="mixture")
    assert "not found to be a single exponential" in reason(verify(ahdp(bell), size=2))


@pytest.mark.parametrize("size", [62, 63, 64, 80])
def test_whole_numbers_that_do_not_fit_are_refused_or_right(size: int) -> None:
    big = 2**size
    W, s = Domain([(big, 1), (big + 1, 1)]), finite("s", [0, 1])
    odd = Expression("mod", (W.sum(lambda x, eps: x), number(2)))
    M = Mechanism(
        W,
        outputs=[s],
        density=piecewise((Fraction(1, 3), eq(s, odd)), (Fraction(2, 3), True)),
        name="parity",
    )
    assert isinstance(verify(ahdp(M, log(2)), size=2), Proved | Unknown)
    assert isinstance(verify(ahdp(M, log(2) - TINY), size=2), Refuted | Unknown)


def test_large_weights_within_62_bits_are_exact() -> None:
    step = 2**53 + 1  # floats do not tell 2^53 and 2^53 + 1 apart
    W, s = Domain([(step, 1), (2**53, 1)]), finite("s", [0, 1])
    gap = W.sum(lambda x, eps: x)
    M = Mechanism(
        W,
        outputs=[s],
        density=piecewise(
            (Fraction(1, 3), eq(s, 0) & (gap > 2**53) | eq(s, 1) & (gap <= 2**53)),
            (Fraction(2, 3), True),
        ),
        name="step",
    )
    found = verify(dp(M, log(2) - TINY, neighbours="swap"), size=1)
    assert isinstance(found, Refuted)


def test_a_law_without_total_one_is_not_proved() -> None:
    W, s = Domain([(1, 1)]), finite("s", [0, 1])
    wrong = piecewise((Fraction(1, 2), W.size <= 4), (Fraction(1, 3), True))
    M = Mechanism(W, outputs=[s], density=wrong, name="short")
    assert isinstance(verify(ahdp(M), size=4), Proved)
    with pytest.raises(LawFault, match=r"at \{5 x \(1, 1\)\} the total is 2/3, not 1"):
        verify(ahdp(M), size=5)


def test_too_many_datasets_are_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    M = clamped([1, 10, 100, 1000])
    monkeypatch.setattr(space, "MOST", 1000)
    why = reason(verify(ahdp(M, 2), size=60))
    said = re.search(r"more than 250 different datasets of at most (\d+) records", why)
    # multisets with up to nine of each record have different sums, one record ten times excepted
    assert said and math.comb(int(said[1]) + 4, 4) - 3 > 250 and int(said[1]) <= 10


# certificates, limits, files


def certificate(about: Claim, size: object, **changes: object) -> Certificate:
    """An enumeration that leaves the mass to the checker, perhaps changed."""
    return replace(
        Certificate(about.fingerprint, False, (), Mass((), ()), (Enumeration(size),), ()), **changes
    )  # type: ignore[arg-type]


GROWING = ahdp(smoothed(), log(Fraction(16, 9)))  # true up to 7 records


def test_a_size_that_is_raised_is_rejected_or_still_true() -> None:
    for size in range(1, 12):
        if size <= 7:
            assert check(
                GROWING, certificate(GROWING, size)
            ).scope_text == f"datasets of at most {size} record" + ("s" if size > 1 else "")
        else:
            with pytest.raises(Rejected):
                check(GROWING, certificate(GROWING, size))


@pytest.mark.parametrize("size", [0, -1, True, 1.0, "3", None, 10**400, (3,)])
def test_an_invalid_size_is_rejected(size: object) -> None:
    with pytest.raises(Rejected):
        check(GROWING, certificate(GROWING, size))


def test_an_enumeration_stands_alone() -> None:
    closed = InequalityLeaf()
    for changes in (
        {"claim": "0" * 64},
        {"uses": (0,)},
        {"conditions": (number(1),)},
        {"counts": True},
        {"counts": 0},
        {"mass": Mass((number(1),), ())},
        {"evidence": (Enumeration(3), Enumeration(3))},
        {"evidence": (Enumeration(3), closed)},
        {"evidence": (CaseSplit((), number(1), ((">=", Enumeration(3)), ("<", closed))),)},
        {"mass": Mass((), (closed,))},
        {"mass": Mass((), (Enumeration(3),))},
    ):
        with pytest.raises(Rejected):
            check(GROWING, certificate(GROWING, 3, **changes))
    ordinary = verify(ahdp(clamped([0]), 0))
    assert isinstance(ordinary, Proved)
    with pytest.raises(Rejected):
        check(
            ordinary.claim,
            replace(
                ordinary.certificate,
                evidence=tuple(
                    Enumeration(3) if i == 0 else e
                    for i, e in enumerate((*ordinary.certificate.evidence, closed))
                ),
            ),
        )


def test_a_size_beyond_which_nothing_is_new_is_reached_at_once() -> None:
    W, s = Domain([(0, 1), (1, 1)]), finite("s", [0, 1])
    extreme = piecewise((Fraction(1, 3), eq(s, W.max(lambda x, eps: x))), (Fraction(2, 3), True))
    found = verify(
        ahdp(
            Mechanism(W, outputs=[s], density=extreme, defined=W.size >= 1, name="largest"), log(2)
        ),
        size=5,
    )
    assert isinstance(found, Proved)
    free = Mechanism(
        W,
        outputs=[s],
        density=piecewise((Fraction(1, 3), eq(s, 0)), (Fraction(2, 3), True)),
        name="constant",
    )
    assert check(ahdp(free, 0), certificate(ahdp(free, 0), 10**15)).scope_text.endswith(
        f"{10**15} records"
    )


def test_what_is_saved_is_small_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    found = verify(GROWING, size=7)
    found.save(path)
    assert path.stat().st_size < 6000 and recheck(path) == found
    record = json.loads(path.read_text())
    (record["certificate"]["evidence"][0])["size"] = 6
    path.write_text(json.dumps(seal({k: v for k, v in record.items() if k != "sha256"})))
    with pytest.raises(Rejected):  # true, but not what the scope says
        recheck(path)


def test_a_search_that_is_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rest.json"
    claim = ahdp(clamped([0, 1], kind="integer"))
    real_tick = VerdictSearch.tick

    def interrupt(run: VerdictSearch, what: str) -> None:
        if path.exists() and enumeration_size(recheck(path).certificate) == 2:  # type: ignore[union-attr]
            raise KeyboardInterrupt
        real_tick(run, what)

    monkeypatch.setattr(VerdictSearch, "tick", interrupt)
    with pytest.raises(
        KeyboardInterrupt,
        match=r"all datasets of at most 2 records were compared, recorded in .*rest.json",
    ):
        verify(claim, size=4, resume=path)
    monkeypatch.setattr(VerdictSearch, "tick", real_tick)
    began: list[str] = []
    found = verify(claim, size=4, resume=path, progress=began.append)
    assert isinstance(found, Proved) and found.scope_text == "datasets of at most 4 records"
    assert found.trusts == (f"{path} (up to 2 records)",) and found.word.startswith(
        "Proved, attested by"
    )
    assert isinstance(
        verify(ahdp(clamped([0, 1], kind="integer")), size=5, resume=path, trust="kernel"), Unknown
    )
    assert recheck(path).trusts == ()  # type: ignore[union-attr]
    with pytest.raises(BadInput, match="does not contain an enumeration for this claim"):
        verify(ahdp(clamped([0, 1, 2])), size=4, resume=path)
    again = verify(claim, size=3, resume=path)
    assert isinstance(again, Proved) and not again.trusts and again.scope_text.endswith("3 records")


def test_a_violation_beyond_what_was_taken_over_is_found(tmp_path: Path) -> None:
    path = tmp_path / "rest.json"
    assert isinstance(verify(GROWING, size=6, resume=path), Proved)
    found = verify(GROWING, size=9, resume=path)
    assert (
        isinstance(found, Refuted) and sum(int(c.args[0]) for c in found.counterexample.first) == 8
    )


def test_limits_say_what_was_covered() -> None:
    claim = ahdp(clamped([0, 1, 2, 3], kind="integer"), lambda x, eps: x / 2)
    seen: list[str] = []
    ticks = iter(range(10**9))
    clock = Limits(seconds=100).clock(lambda: 0.0 if next(ticks) < 200 else 1000.0)
    run = VerdictSearch(claim, clock, seen.append)
    assert enumerate_datasets(run, 50, None) is None
    assert [d.procedure for d in run.reasons] == ["finite"]
    assert (
        "stopped after 100 s while" in run.reasons[0].reason
        and "records were compared" in run.reasons[0].reason
    )
    assert any("done up to" in message for message in seen)


def test_options_that_do_not_fit() -> None:
    for options in (
        {"size": 0},
        {"size": True},
        {"size": 2, "procedure": "linear"},
        {"resume": "x.json"},
    ):
        with pytest.raises(BadInput):
            verify(GROWING, **options)  # type: ignore[arg-type]


def test_without_numpy_the_sentence_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from ahdp_verify import *\nfrom ahdp_verify.kernel.model.outputs import finite\nfrom "
        "ahdp_verify.search.verify import verify\n"
        "W, s = Domain([(0, 1)]), finite('s', [0, 1])\n"
        "print(verify(ahdp(Mechanism(W, outputs=[s], density='1/2')), size=2))"
    )
    program = program.replace(
        "density='1/2'", "density=W.size * 0 + 1 - W.size * 0 - 1 / (W.size * 0 + 2)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "install ahdp-verify[enumeration]" in done.stdout and done.stdout.startswith(
        "Unknown"
    ), done.stdout + done.stderr
