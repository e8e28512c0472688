"""Sums of answers with noise: one sum, all running sums, running sums in blocks, histograms.

If one answer moves by 1, so does every sum that contains it.  A running sum of noisy answers is
computed from them alone, hence costs as much as one of them.  In blocks of M answers each answer is
in one block total with noise of its own and, within its block, in one noisy answer, so that
SmartSum (Chan, Shi, Song 2011) has level 2 eps with far less noise in late sums: the number of
noises in a sum is at most n/M + M, not n.

Two programs that differ in the relation: a histogram has level eps if one answer moves, and n eps
if n do.

>>> from ahdp_verify.analysis.levels.programs import least_levels
>>> print(least_levels(smart_sum(block=3).program(), "one").rows[0].level)
2*eps
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ahdp_verify.catalogue.entry import (
    EPS,
    Entry,
    expect_all,
    expect_least_level,
    expect_no_level,
    times_eps,
)
from ahdp_verify.kernel.terms.expression import oo
from ahdp_verify.laws import geometric, laplace
from ahdp_verify.programs import noise_program

GIVEN = {"eps": "eps > 0"}


@noise_program(parameters=GIVEN)
def noisy_sum(queries: Any, eps: Any) -> Any:
    """The sum of the answers with Laplace noise (CheckDP's PartialSum): level eps if one moves."""
    total = 0
    for q in queries:
        total = total + q
    return total + laplace(1 / eps)


@noise_program(parameters=GIVEN)
def noisy_sum_with_half_the_noise(queries: Any, eps: Any) -> Any:
    """BadPartialSum of CheckDP: level 2 eps if one answer moves."""
    total = 0
    for q in queries:
        total = total + q
    return total + laplace(1 / (2 * eps))


@noise_program(parameters=GIVEN)
def noisy_histogram(queries: Any, eps: Any) -> Iterator[Any]:
    """Each answer with Laplace noise: level eps if one moves, n eps if all of n do."""
    for q in queries:
        yield q + laplace(1 / eps)


@noise_program(parameters=GIVEN)
def noisy_histogram_upside_down(queries: Any, eps: Any) -> Iterator[Any]:
    """Each answer with Laplace noise of scale eps in place of 1/eps: level 1/eps if one moves."""
    for q in queries:
        yield q + laplace(eps)


@noise_program(parameters=GIVEN)
def running_sums(queries: Any, eps: Any) -> Iterator[Any]:
    """All sums of the first answers, each of which has Laplace noise (ShadowDP's PrefixSum): level
    eps if one answer moves, n eps if all of n do.
    """
    total = 0
    for q in queries:
        total = total + q + laplace(1 / eps)
        yield total


@noise_program(parameters=GIVEN, whole=True)
def whole_running_sums(queries: Any, eps: Any) -> Iterator[Any]:
    """`running_sums` of whole answers with two-sided geometric noise."""
    total = 0
    for q in queries:
        total = total + q + geometric(1 / eps)
        yield total


@noise_program(parameters=GIVEN)
def smart_sum(queries: Any, eps: Any, block: int = 2) -> Iterator[Any]:
    """Sums of the first answers, in blocks of `block`: whole blocks with one noise each, and the
    answers after them with one each (Chan, Shi, Song 2011): level 2 eps if one answer moves.
    """
    blocks, within, shown, place = 0, 0, 0, 0
    for q in queries:
        place = (place + 1) % block
        if place == 0:
            blocks = blocks + within + q + laplace(1 / eps)
            within, shown = 0, blocks
        else:
            within = within + q
            shown = shown + q + laplace(1 / eps)
        yield shown


@noise_program(parameters=GIVEN)
def smart_sum_with_plain_blocks(queries: Any, eps: Any, block: int = 2) -> Iterator[Any]:
    """BadSmartSum of CheckDP: no noise at the end of a block, whose sum is released as it is.  No
    level from `block` answers on.
    """
    blocks, within, shown, place = 0, 0, 0, 0
    for q in queries:
        place = (place + 1) % block
        if place == 0:
            blocks = blocks + within + q
            within, shown = 0, blocks
        else:
            within = within + q
            shown = shown + q + laplace(1 / eps)
        yield shown


IF_ALL_MOVE = "all of them may move"

ENTRIES = (
    Entry(
        "noisy-sum",
        "the sum of any number of answers with Laplace noise",
        "benchmarks M3 and M4; PartialSum of CheckDP",
        noisy_sum.program,
        expect_all(
            expect_least_level("one", EPS),
            expect_no_level("all", EPS, queries=5, least=times_eps(5), reason=IF_ALL_MOVE),
            expect_least_level("all", times_eps(5), 5),
        ),
    ),
    Entry(
        "noisy-sum-half-noise",
        "broken twin of noisy-sum: half the noise",
        "benchmark M5; BadPartialSum of CheckDP",
        noisy_sum_with_half_the_noise.program,
        expect_all(
            expect_no_level("one", EPS, least=times_eps(2)),
            expect_least_level("one", times_eps(2)),
        ),
    ),
    Entry(
        "noisy-histogram",
        "each of any number of answers with Laplace noise",
        "benchmark M9",
        noisy_histogram.program,
        expect_all(
            expect_least_level("one", EPS),
            expect_no_level("all", EPS, queries=10, least=times_eps(10), reason=IF_ALL_MOVE),
            expect_least_level("all", times_eps(10), 10),
        ),
    ),
    Entry(
        "noisy-histogram-upside-down",
        "broken twin of noisy-histogram: scale eps in place of 1/eps",
        "benchmark M10",
        noisy_histogram_upside_down.program,
        expect_all(expect_no_level("one", EPS, least=1 / EPS), expect_least_level("one", 1 / EPS)),
    ),
    Entry(
        "running-sums",
        "all sums of the first answers, each of which has Laplace noise",
        "benchmark M6, public SV-08; PrefixSum of ShadowDP",
        running_sums.program,
        expect_all(
            expect_least_level("one", EPS),
            expect_no_level("all", EPS, queries=10, least=times_eps(10), reason=IF_ALL_MOVE),
            expect_least_level("all", times_eps(10), 10),
        ),
    ),
    Entry(
        "whole-running-sums",
        "running-sums of whole answers with two-sided geometric noise",
        "benchmark M6 with the noise of M37",
        whole_running_sums.program,
        expect_least_level("one", EPS),
    ),
    Entry(
        "smart-sum",
        "sums of the first answers, with one noise for each whole block of three",
        "benchmark M7; Chan, Shi, Song 2011",
        smart_sum(block=3).program,
        expect_least_level("one", times_eps(2)),
    ),
    Entry(
        "smart-sum-plain-blocks",
        "broken twin of smart-sum: no noise at the end of a block",
        "benchmark M8, public SV-07; BadSmartSum of CheckDP",
        smart_sum_with_plain_blocks.program,
        expect_all(
            expect_no_level("one", times_eps(2), queries=2, least=oo, reason="a sum is exact"),
            expect_no_level("one", times_eps(2), least=oo, reason="the same"),
        ),
    ),
)
