"""Relative frequencies, sec:exp-det: private bins N_i and a private size S, whose quotients
estimate the frequencies.

Every record is in one bin, where it counts alpha1, and in the size, where it counts alpha2: level
alpha1 + alpha2, at most eps for universal AHDP.  The quotients are post-processing.

As printed, S(D) sums alpha2 over T(D), the distinct records that are present.  That is alpha2-AHDP
too (the first copy of a record shifts the sum, further copies do not), but it does not estimate the
size.  The repair counts every copy.

>>> W = Domain([("yes", 1), ("no", 1)])
>>> print(size_as_printed(W, weight=EPS / 4).density)
exp(-abs(t - (min(count(x == "yes" and eps == 1), 1)/4 + min(count(x == "no" and eps == 1), 1)/4)))/2
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from ahdp_verify import Domain, Mechanism, Min, eq, indicator, name, number, real
from ahdp_verify.catalogue import (
    BINS,
    EPS,
    SATURATING,
    Body,
    Entry,
    Number,
    X,
    expect_broken_twin,
    expect_exact_level,
    expect_private_as_stated,
    laplace_density,
    noise_title,
    record_expression,
    weight_at,
)

HALF = Fraction(1, 2)
FINITE_DEMANDS = Domain([(1, HALF), (1, 2), (2, 1), (3, 2)])
ALPHA_1, ALPHA_2 = name("alpha1"), name("alpha2")
EVERY = Domain.universal(
    {"alpha1": "0 <= alpha1", "alpha2": "0 <= alpha2 and alpha1 + alpha2 <= eps", "x": ""}
)


def bins(W: Domain, values: Sequence[object], *, weight: Body, noise: Number = 1) -> Mechanism:
    """The N_i of sec:exp-det: for every value the sum of alpha1(x, eps) over the records that have
    it, plus L(1) of its own.

    values   the bins, distinct numbers or labels
    weight   alpha1, at least 0 and finite at demand oo
    noise    factor on the scale 1
    Level: alpha1/noise for a value in the bins, 0 for others.
    """
    n = real("n", len(values))
    law = prod(
        (
            laplace_density(o - W.sum(record_expression(weight) * indicator(eq(X, value))), noise)
            for o, value in zip(n, values, strict=True)
        ),
        start=number(1),
    )
    return Mechanism(W, outputs=n, density=law, name=noise_title("frequencies: bins", noise))


def frequency(
    W: Domain, values: Sequence[object], *, weights: tuple[Body, Body], noise: Number = 1
) -> Mechanism:
    """sec:exp-det repaired: the bins N_i with weight alpha1, and the size S, the sum of alpha2(x,
    eps) over all records + L(1).

    values    the bins, distinct numbers or labels
    weights   (alpha1, alpha2), at least 0 and finite at demand oo
    noise     factor on all scales, which are 1
    Level: (alpha1 + alpha2)/noise for a value in the bins.
    """
    first, t = bins(W, values, weight=weights[0], noise=noise), real("t")
    law = first.density * laplace_density(t - W.sum(weights[1]), noise)
    return Mechanism(
        W,
        outputs=[*first.outputs, t],
        density=law,
        name=noise_title("frequencies: bins and size", noise),
    )


def size_as_printed(W: Domain, *, weight: Body) -> Mechanism:
    """S(D) of sec:exp-det as printed: the sum of alpha2(x, eps) over the distinct records that are
    present, + L(1).  Level: alpha2.

    W        a listed domain
    weight   alpha2, at least 0 and finite at demand oo
    """
    each = (weight_at(weight, r) * Min(W.count(r), 1) for r in W.records)
    distinct = sum(each, number(0))
    t = real("t")
    return Mechanism(
        W,
        outputs=[t],
        density=laplace_density(t - distinct, 1),
        name="frequencies: size as printed",
    )


def frequency_as_printed(
    W: Domain, values: Sequence[object], *, weights: tuple[Body, Body]
) -> Mechanism:
    """sec:exp-det as printed: the bins N_i with weight alpha1 and `size_as_printed` with alpha2.
    Level: alpha1 + alpha2 for a value in the bins.
    """
    first, last = bins(W, values, weight=weights[0]), size_as_printed(W, weight=weights[1])
    return Mechanism(
        W,
        outputs=first.outputs + last.outputs,
        density=first.density * last.density,
        name="frequencies as printed",
    )


ENTRIES = (
    Entry(
        "frequency-bins",
        "the weights in each of three bins, alpha1 = eps/2",
        "sec:exp-det, N_i",
        lambda: bins(FINITE_DEMANDS, (1, 2, 3), weight=EPS / 2),
        expect_private_as_stated(EPS / 2, EPS / 2),
        "paper/frequency-bins-alone.toml",
    ),
    Entry(
        "frequency",
        "bins and size, alpha1 and alpha2 two thirds and one third of 1 - exp(-eps)",
        "sec:exp-det, repaired",
        lambda: frequency(BINS, (1, 2, 3), weights=(SATURATING * 2 / 3, SATURATING / 3)),
        expect_private_as_stated(SATURATING, SATURATING),
        "paper/frequency-bins-and-size.toml",
    ),
    Entry(
        "frequency-universal",
        "bins 1, 2, 3 and size, every domain of numbers at once",
        "sec:exp-det, repaired",
        lambda: frequency(EVERY, (1, 2, 3), weights=(ALPHA_1, ALPHA_2)),
        expect_private_as_stated(ALPHA_1 + ALPHA_2, ALPHA_1 + ALPHA_2),
    ),
    Entry(
        "frequency-half",
        "broken twin of frequency: half the noise",
        "sec:exp-det, repaired",
        lambda: frequency(
            BINS, (1, 2, 3), weights=(SATURATING * 2 / 3, SATURATING / 3), noise=HALF
        ),
        expect_broken_twin(SATURATING, 2 * SATURATING),
        "paper/frequency-bins-and-size-half-noise.toml",
    ),
    Entry(
        "frequency-size-as-printed",
        "the size over distinct records, alpha2 = eps/4: private, but no size",
        "sec:exp-det, S(D)",
        lambda: size_as_printed(FINITE_DEMANDS, weight=EPS / 4),
        expect_exact_level("ahdp", EPS / 4),
        "paper/frequency-size-of-distinct-records.toml",
    ),
    Entry(
        "frequency-as-printed",
        "bins and size as printed, alpha1 = eps/2 and alpha2 = eps/4: private, but no frequencies",
        "sec:exp-det",
        lambda: frequency_as_printed(FINITE_DEMANDS, (1, 2, 3), weights=(EPS / 2, EPS / 4)),
        expect_exact_level("ahdp", EPS * 3 / 4),
        "paper/frequency-bins-and-size-of-distinct-records.toml",
    ),
)
