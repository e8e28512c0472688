"""Report noisy max: which of several noisy answers is the greatest.

With noise of scale 2/eps on each answer, of the Laplace, exponential, Gumbel or two-sided geometric
law, the place of the greatest has level eps where all answers move by at most 1, and eps/2 where
they move in one direction: the winner's noise alone is shifted, by at most 2.  So it may be
released as well by how much the winner leads, but not its noisy answer: that costs every other
noise.

Gumbel noise of scale b makes answer i win with a probability proportional to exp(q[i]/b): the
exponential mechanism.

`noisy_max`, `whole_noisy_max` and `noisy_max_with_gap` are programs for any number of answers, the
others for a fixed number.

>>> from ahdp_verify.analysis.levels.programs import least_levels
>>> for relation in ("all", "increasing"):
...     print(least_levels(noisy_max_with_gap.program(), relation).rows[0].level)
eps
eps/2
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ahdp_verify.catalogue.entry import (
    EPS,
    Entry,
    expect_all,
    expect_least_level,
    expect_level,
    expect_no_level,
    times_eps,
)
from ahdp_verify.kernel.terms.expression import oo
from ahdp_verify.laws import geometric, laplace
from ahdp_verify.programs import argmax, exponential, gumbel, noise_program

GIVEN = {"eps": "eps > 0"}


def noise_of(law: str, scale: Any) -> Any:
    """In a noise program: new noise of a law, laplace, exponential or gumbel."""
    if law == "laplace":
        return laplace(scale)
    return exponential(scale) if law == "exponential" else gumbel(scale)


@noise_program(parameters=GIVEN)
def noisy_max(queries: Any, eps: Any, law: str = "laplace") -> int:
    """The place of the greatest noisy answer: level eps where all answers move, eps/2 where they
    move in one direction.

    law     laplace (Dwork, Roth 2014, report noisy max), exponential (the same as permute-and-flip:
            Ding, Kifer, Steinke, Wang, Xiao, Zhang 2021), or gumbel (the exponential mechanism)
    With exponential noise the level is attained, with the others it is a limit.
    """
    return argmax(q + noise_of(law, 2 / eps) for q in queries)


@noise_program(parameters=GIVEN)
def noisy_max_in_a_loop(queries: Any, eps: Any) -> int:
    """`noisy_max` that keeps the best answer so far."""
    best, place = queries[0] + laplace(2 / eps), 0
    for i in range(1, len(queries)):
        value = queries[i] + laplace(2 / eps)
        if value > best:
            best, place = value, i
    return place


@noise_program(parameters=GIVEN, whole=True)
def whole_noisy_max(queries: Any, eps: Any) -> int:
    """The place of the greatest of whole answers after two-sided geometric noise, the first one
    among equals: level eps where all move.
    """
    return argmax(q + geometric(2 / eps) for q in queries)


@noise_program(parameters=GIVEN)
def noisy_max_with_gap(queries: Any, eps: Any, law: str = "laplace") -> Any:
    """The place of the greatest noisy answer, and by how much it leads (Ding, Wang, Zhang, Kifer
    2019): the level of `noisy_max`, where continuous noise is drawn for any number of answers.

    For a fixed number of answers the second greatest is one of them, whose noise is shifted too:
    that shows the level 2 eps where all answers move.
    """
    return argmax((q + noise_of(law, 2 / eps) for q in queries), gap=True)


@noise_program(parameters=GIVEN)
def two_largest(queries: Any, eps: Any) -> tuple[int, int]:
    """The places of the greatest and of the second greatest of at least two answers after Laplace
    noise of scale 4/eps: level eps where all answers move.
    """
    values = [q + laplace(4 / eps) for q in queries]
    first = argmax(values)
    second = argmax(values[:first] + values[first + 1 :])
    return first, second + (second >= first)


@noise_program(parameters=GIVEN)
def noisy_maximum(queries: Any, eps: Any, law: str = "laplace") -> Any:
    """The greatest noisy answer itself, a broken twin of `noisy_max` (BadNoisyMax 3 and 4 of
    StatDP).

    With Laplace noise it has the level n eps/2 for n answers, in one direction too; with
    exponential noise it is never below the greatest answer, so that there is no level.
    """
    values = [q + noise_of(law, 2 / eps) for q in queries]
    return values[argmax(values)]


HALF_EPS = EPS / 2
BOTH = expect_all(expect_least_level("all", EPS), expect_least_level("increasing", HALF_EPS))

ENTRIES = (
    Entry(
        "noisy-max",
        "the place of the greatest of any number of answers with Laplace noise",
        "benchmark M11; Dwork, Roth 2014",
        noisy_max.program,
        BOTH,
    ),
    Entry(
        "noisy-max-exponential",
        "the place of the greatest of any number of answers with exponential noise",
        "benchmark M12; permute-and-flip by Ding et al. 2021",
        noisy_max(law="exponential").program,
        BOTH,
    ),
    Entry(
        "exponential-mechanism-noise",
        "the exponential mechanism as the greatest of answers with Gumbel noise",
        "benchmark M15; McSherry, Talwar 2007",
        noisy_max(law="gumbel").program,
        expect_all(expect_level("all", EPS), expect_level("increasing", HALF_EPS)),
    ),
    Entry(
        "whole-noisy-max",
        "the place of the greatest of any number of whole answers with geometric noise",
        "the discrete noisy max of SampCert",
        whole_noisy_max.program,
        BOTH,
    ),
    Entry(
        "noisy-max-gap",
        "the place of the greatest of any number of noisy answers, and by how much it leads",
        "Ding, Wang, Zhang, Kifer 2019",
        noisy_max_with_gap.program,
        BOTH,
    ),
    Entry(
        "noisy-max-of-five",
        "the place of the greatest of five answers with Laplace noise",
        "benchmark M11; Dwork, Roth 2014",
        partial(noisy_max.program, 5),
        BOTH,
    ),
    Entry(
        "noisy-max-of-five-in-a-loop",
        "noisy-max-of-five that keeps the best answer so far",
        "benchmark M11",
        partial(noisy_max_in_a_loop.program, 5),
        BOTH,
    ),
    Entry(
        "two-largest",
        "the places of the two greatest of four answers with Laplace noise, in order",
        "Qiao, Su, Zhang 2021, one-shot top-k selection",
        partial(two_largest.program, 4),
        BOTH,
    ),
    Entry(
        "noisy-maximum",
        "broken twin of noisy-max: the noisy answer itself, of three",
        "benchmark M13, public SE-02; BadNoisyMax 3 of StatDP",
        partial(noisy_maximum.program, 3),
        expect_all(
            expect_no_level("all", EPS, least=times_eps("3/2")),
            expect_least_level("all", times_eps("3/2")),
            expect_least_level("increasing", times_eps("3/2")),
        ),
    ),
    Entry(
        "noisy-maximum-exponential",
        "broken twin of noisy-max: the answer itself, of three with exponential noise",
        "benchmark M14; BadNoisyMax 4 of StatDP",
        partial(noisy_maximum(law="exponential").program, 3),
        expect_all(
            expect_no_level("all", EPS, least=oo, reason="some outputs are impossible"),
            expect_no_level("increasing", EPS, least=oo, reason="the same"),
        ),
    ),
)
