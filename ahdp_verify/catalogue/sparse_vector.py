"""The sparse vector technique: which of a stream of answers exceed a threshold, for the privacy
loss of a few of them.

Noise rho is added to the threshold T once, noise nu to each answer q; q is reported as above where
q + nu >= T + rho, and the program ends after c answers above.  If every answer moves by at most 1,
rho is shifted by 1 and the noises of the answers above by at most 2, so that the answers below cost
nothing:

    1/(scale of rho) + c * 2/(scale of nu)

is a level for every number of queries, each chosen after the outputs before it are known.  Where
all answers move in one direction the noises of the answers above are shifted by at most 1.

Lyu, Su and Li ("Understanding the sparse vector technique for differential privacy", VLDB 2017)
compare six versions, of which two are right.  They are the entries svt-1 to svt-6 of the field.

>>> from ahdp_verify.analysis.levels.programs import least_levels
>>> print(least_levels(sparse_vector(count=2).program(), "all").rows[0].level)
eps
>>> print(least_levels(sparse_vector_refilled(count=2).program(), "all").rows[0].level)
5*eps/4
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
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

GIVEN = {"eps": "eps > 0", "T": ""}


@noise_program(parameters=GIVEN)
def above_threshold(queries: Any, eps: Any, T: Any) -> Iterator[bool]:
    """Whether each answer is above T, up to the first one that is: level eps where all answers move
    (Dwork, Roth 2014, Algorithm 1); for n queries and with one of them less the same, as a limit,
    if n >= 4.
    """
    rho = laplace(2 / eps)
    for q in queries:
        is_above = q + laplace(4 / eps) >= T + rho
        yield is_above
        if is_above:
            return


@noise_program(parameters=GIVEN)
def sparse_vector(
    queries: Any, eps: Any, T: Any, count: int = 1, redrawn: bool = False
) -> Iterator[bool]:
    """Whether each answer is above T, until `count` are: level eps where all answers move.

    redrawn     the noise on T, of `count` times the scale, is drawn anew after each answer above
    This is version 1 of Lyu, Su and Li or, redrawn, version 2 (Dwork, Roth 2014, Algorithm 2).
    """
    scale = 2 * count / eps if redrawn else 2 / eps
    rho, left = laplace(scale), count
    for q in queries:
        if q + laplace(4 * count / eps) >= T + rho:
            yield True
            left -= 1
            if left == 0:
                return
            if redrawn:
                rho = laplace(scale)
        else:
            yield False


@noise_program(parameters=GIVEN)
def sparse_vector_refilled(queries: Any, eps: Any, T: Any, count: int = 1) -> Iterator[bool]:
    """A broken twin of `sparse_vector`, easily written: the scale follows the number of answers
    above that are left.  Level eps/2 + eps/2 (1 + 1/2 + ... + 1/count) where all answers move.
    """
    rho, left = laplace(2 / eps), count
    for q in queries:
        if q + laplace(4 * left / eps) >= T + rho:
            yield True
            left -= 1
            if left == 0:
                return
        else:
            yield False


@noise_program(parameters=GIVEN)
def monotone_sparse_vector(queries: Any, eps: Any, T: Any, count: int = 1) -> Iterator[bool]:
    """`sparse_vector` with half the noise on the answers: level eps where all move in one
    direction, as counts do when a person joins or leaves (Lyu, Su, Li 2017, section 4.3).
    """
    rho, left = laplace(2 / eps), count
    for q in queries:
        if q + laplace(2 * count / eps) >= T + rho:
            yield True
            left -= 1
            if left == 0:
                return
        else:
            yield False


@noise_program(parameters=GIVEN)
def numeric_sparse_vector(queries: Any, eps: Any, T: Any, count: int = 1) -> Iterator[Any]:
    """For each answer 0 or, if it is above T, the answer with fresh noise, until `count` are: level
    eps where all answers move (Dwork, Roth 2014, Algorithm 3, with the scales of ShadowDP).
    """
    rho, left = laplace(3 / eps), count
    for q in queries:
        if q + laplace(6 * count / eps) >= T + rho:
            yield q + laplace(3 * count / eps)
            left -= 1
            if left == 0:
                return
        else:
            yield False


@noise_program(parameters=GIVEN)
def gap_sparse_vector(queries: Any, eps: Any, T: Any, count: int = 1) -> Iterator[Any]:
    """For each answer False or, if it is above T, by how much the noisy one exceeds the noisy T,
    until `count` are: level eps where all answers move (Wang, Ding, Wang, Kifer, Zhang 2019).
    """
    rho, left = laplace(2 / eps), count
    for q in queries:
        gap = q + laplace(4 * count / eps) - (T + rho)
        if gap >= 0:
            yield gap
            left -= 1
            if left == 0:
                return
        else:
            yield False


@noise_program(parameters=GIVEN)
def adaptive_sparse_vector(
    queries: Any, eps: Any, T: Any, count: int = 1, margin: int = 16
) -> Iterator[Any]:
    """For each answer False or by how much it exceeds T, at half the cost if that is by a `margin`,
    until what is left of eps does not suffice for another one: level eps where all answers move
    (Ding, Wang, Zhang, Kifer 2019).
    """
    rho, left = laplace(2 / eps), eps / 2
    for q in queries:
        if left < eps / (2 * count):
            return
        far = q + laplace(8 * count / eps) - (T + rho)
        if far >= margin:
            yield "far", far
            left = left - eps / (4 * count)
            continue
        gap = q + laplace(4 * count / eps) - (T + rho)
        if gap >= 0:
            yield "near", gap
            left = left - eps / (2 * count)
        else:
            yield False


@noise_program(parameters=GIVEN)
def adaptive_sparse_vector_with_answers(
    queries: Any, eps: Any, T: Any, count: int = 1, margin: int = 16
) -> Iterator[Any]:
    """BadAdaptiveSVT, the broken twin of `adaptive_sparse_vector` in CheckDP: beyond the margin it
    releases the noisy answer that was compared, and not by how much it exceeds T.
    """
    rho, left = laplace(2 / eps), eps / 2
    for q in queries:
        if left < eps / (2 * count):
            return
        answer = q + laplace(8 * count / eps)
        if answer - (T + rho) >= margin:
            yield "far", answer
            left = left - eps / (4 * count)
            continue
        gap = q + laplace(4 * count / eps) - (T + rho)
        if gap >= 0:
            yield "near", gap
            left = left - eps / (2 * count)
        else:
            yield False


@noise_program(parameters=GIVEN)
def sparse_vector_with_answers(queries: Any, eps: Any, T: Any, count: int = 1) -> Iterator[Any]:
    """Version 3 of Lyu, Su and Li: False for each answer or, if it is above T, the very noisy
    answer that was compared.  Level n eps/2 for n answers and `count` 1, and none for every n.
    """
    rho, left = laplace(2 / eps), count
    for q in queries:
        answer = q + laplace(2 * count / eps)
        if answer >= T + rho:
            yield answer
            left -= 1
            if left == 0:
                return
        else:
            yield False


@noise_program(parameters=GIVEN)
def sparse_vector_with_little_noise(
    queries: Any, eps: Any, T: Any, count: int = 1
) -> Iterator[bool]:
    """Version 4 of Lyu, Su and Li: the noise of the answers does not grow with `count`.  Level
    (1 + 6 count)/4 eps where all answers move.
    """
    rho, left = laplace(4 / eps), count
    for q in queries:
        if q + laplace(Fraction(4, 3) / eps) >= T + rho:
            yield True
            left -= 1
            if left == 0:
                return
        else:
            yield False


@noise_program(parameters=GIVEN)
def sparse_vector_with_plain_answers(queries: Any, eps: Any, T: Any) -> Iterator[bool]:
    """Version 5 of Lyu, Su and Li: answers without noise are compared with one noisy threshold, so
    that some outputs contradict their order.  No level from two answers on.
    """
    rho = laplace(2 / eps)
    for q in queries:
        yield q >= T + rho


@noise_program(parameters=GIVEN)
def sparse_vector_without_end(queries: Any, eps: Any, T: Any) -> Iterator[bool]:
    """Version 6 of Lyu, Su and Li: no limit on the answers above T.  Level n eps/2 for n >= 2
    answers where all move, as a limit, and none for every n.
    """
    rho = laplace(2 / eps)
    for q in queries:
        yield q + laplace(2 / eps) >= T + rho


@noise_program(parameters=GIVEN, whole=True)
def whole_sparse_vector(queries: Any, eps: Any, T: Any, count: int = 1) -> Iterator[bool]:
    """`sparse_vector` on whole numbers, with two-sided geometric noise: level eps where all answers
    move (SampCert proves such a version for one answer above).
    """
    rho, left = geometric(2 / eps), count
    for q in queries:
        if q + geometric(4 * count / eps) >= T + rho:
            yield True
            left -= 1
            if left == 0:
                return
        else:
            yield False


ENTRIES = (
    Entry(
        "above-threshold",
        "whether each answer is above a threshold, up to the first that is",
        "benchmark M17; Dwork, Roth 2014",
        above_threshold.program,
        expect_all(
            expect_least_level("all", EPS),
            expect_least_level("all", times_eps("3/4"), 3),
            expect_least_level("increasing", times_eps("3/4")),
        ),
    ),
    Entry(
        "sparse-vector",
        "whether each answer is above a threshold, until two are",
        "benchmark M17; Lyu, Su, Li 2017, version 1",
        sparse_vector(count=2).program,
        expect_all(
            expect_least_level("all", EPS), expect_least_level("increasing", times_eps("3/4"))
        ),
    ),
    Entry(
        "sparse-vector-redrawn",
        "sparse-vector with new noise on the threshold after each answer above it",
        "benchmark M18; Lyu, Su, Li 2017, version 2",
        sparse_vector(count=2, redrawn=True).program,
        expect_least_level("all", EPS),
    ),
    Entry(
        "sparse-vector-refilled",
        "broken twin of sparse-vector: the scale follows what is left of the two",
        "easily written for benchmark M17",
        sparse_vector_refilled(count=2).program,
        expect_all(
            expect_no_level("all", EPS, least=times_eps("5/4")),
            expect_least_level("all", times_eps("5/4")),
        ),
    ),
    Entry(
        "whole-sparse-vector",
        "sparse-vector on whole numbers, with two-sided geometric noise",
        "the discrete sparse vector technique of SampCert",
        whole_sparse_vector.program,
        expect_least_level("all", EPS),
    ),
    Entry(
        "monotone-sparse-vector",
        "sparse-vector with half the noise on answers that move in one direction",
        "benchmark M29; Lyu, Su, Li 2017, section 4.3",
        monotone_sparse_vector(count=2).program,
        expect_all(
            expect_least_level("increasing", EPS),
            expect_least_level("decreasing", EPS),
            expect_no_level("all", EPS, least=times_eps("3/2"), reason="in both directions"),
            expect_least_level("all", times_eps("3/2")),
        ),
    ),
    Entry(
        "numeric-sparse-vector",
        "sparse-vector that releases the answers above with fresh noise",
        "benchmark M24; Dwork, Roth 2014",
        numeric_sparse_vector(count=2).program,
        expect_least_level("all", EPS),
    ),
    Entry(
        "gap-sparse-vector",
        "sparse-vector that releases by how much the answers above exceed the threshold",
        "benchmark M25; Wang et al. 2019",
        gap_sparse_vector(count=2).program,
        expect_least_level("all", EPS),
    ),
    Entry(
        "adaptive-sparse-vector",
        "sparse-vector that pays half for answers far above the threshold",
        "benchmark M27; Ding et al. 2019",
        adaptive_sparse_vector(count=2).program,
        expect_least_level("all", EPS),
    ),
    Entry(
        "adaptive-sparse-vector-answers",
        "broken twin of adaptive-sparse-vector: it releases the compared answers",
        "benchmark M28; BadAdaptiveSVT of CheckDP",
        adaptive_sparse_vector_with_answers.program,
        expect_all(
            expect_no_level("all", EPS, least=oo, reason="no level for every number of answers"),
            expect_no_level("all", EPS, queries=5, least=times_eps("13/8")),
            expect_least_level("all", times_eps("13/8"), 5),
        ),
    ),
    Entry(
        "sparse-vector-answers",
        "broken twin of sparse-vector: it releases the compared answer itself",
        "benchmark M19; Lyu, Su, Li 2017, version 3",
        sparse_vector_with_answers.program,
        expect_all(
            expect_no_level("all", EPS, queries=3, least=times_eps("3/2")),
            expect_least_level("all", times_eps(5), 10),
            expect_least_level("increasing", times_eps(5), 10),
        ),
    ),
    Entry(
        "sparse-vector-little-noise",
        "broken twin of sparse-vector: the noise of answers does not grow with their number",
        "benchmark M20; Lyu, Su, Li 2017, version 4",
        sparse_vector_with_little_noise.program,
        expect_all(
            expect_no_level("all", EPS, queries=2, least=times_eps("3/2")),
            expect_least_level("all", times_eps("7/4")),
            expect_least_level("all", times_eps("1/4"), 1),
            expect_least_level("increasing", EPS),
        ),
    ),
    Entry(
        "sparse-vector-plain-answers",
        "broken twin of sparse-vector: no noise on the answers, and no end",
        "benchmark M21; Lyu, Su, Li 2017, version 5",
        sparse_vector_with_plain_answers.program,
        expect_all(
            expect_no_level("all", EPS, queries=2, least=oo, reason="an output is impossible"),
            expect_no_level("increasing", EPS, queries=2, least=oo, reason="the same"),
        ),
    ),
    Entry(
        "sparse-vector-without-end",
        "broken twin of sparse-vector: no limit on the answers above",
        "benchmark M22; Lyu, Su, Li 2017, version 6",
        sparse_vector_without_end.program,
        expect_all(
            expect_no_level("all", EPS, queries=3, least=times_eps("3/2")),
            expect_least_level("all", EPS, 2),
            expect_least_level("all", times_eps("3/2"), 3),
            expect_least_level("increasing", EPS, 4),
        ),
    ),
)
