"""Laplace noise: one number, or many in parallel.

L(b) has the density exp(-|z|/b)/(2 b).  If a move between neighbouring datasets shifts a
number a by c, then a + L(b) has a privacy loss of at most |c|/b, because
| |s - a| - |s - a - c| | <= |c|, and of exactly that wherever the output s lies beyond both
centres.  Several numbers with independent noise of one scale b have the loss sum of |c[i]|, divided
by b; an output far out in every direction attains it.  So the scale must be that sum, the l1
sensitivity, divided by the level.

>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.search.verify import verify
>>> print(verify(dp(laplace_answers(2, 1 / EPS), 2 * EPS, "all")))
Proved: Laplace mechanism is DP for all answers moving at level 2*eps; scope: all inputs, 0 < eps; trusts: the checker alone
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ahdp_verify.catalogue.entry import (
    EPS,
    Entry,
    X,
    expect_all,
    expect_exact_level,
    expect_refuted,
)
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, Output
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import (
    Expression,
    eq,
    multiply,
    name,
)
from ahdp_verify.laws import laplace

E = name("e")


def real_outputs(text: str, size: int) -> tuple[Output, ...]:
    """One real output of that name, or text[1], text[2], ... for more."""
    return real(text, size) if size > 1 else (real(text),)


def laplace_mechanism(
    inputs: Inputs,
    centres: Sequence[Expression],
    *,
    scale: object,
    parameters: Mapping[str, object] | None = None,
) -> Mechanism:
    """The Laplace mechanism: every centre a[i] plus noise L(scale) of its own.

    centres      functions of the input: query answers q[i], or sums over the records
    scale        b > 0, in the units of the centres; an expression in parameters stands for all its
                 values at once
    parameters   names with conditions
    Level: the sum of |shift of a[i]| divided by b, over the worst move (Dwork, McSherry, Nissim,
    Smith 2006).
    """
    s = real_outputs("s", len(centres))
    law = multiply(*(laplace(a, scale).density(o.symbol) for o, a in zip(s, centres, strict=True)))
    return Mechanism(
        inputs, outputs=s, density=law, parameters=parameters or {}, name="Laplace mechanism"
    )


def query_answers(n: int) -> tuple[Expression, ...]:
    """The query answers q[1], ..., q[n]."""
    return tuple(name(f"q[{i}]") for i in range(1, n + 1))


def laplace_answers(n: int, scale: object, condition: str = "eps > 0") -> Mechanism:
    """n query answers, each plus noise L(scale), where eps satisfies the condition: level
    1/scale if one moves by 1, n/scale if all do.
    """
    return laplace_mechanism(
        Queries(n), query_answers(n), scale=scale, parameters={"eps": condition}
    )


def repeated_laplace(n: int, scale: object) -> Mechanism:
    """One query answer, published n times with fresh noise L(scale), for every eps > 0: level
    n/scale if it moves by 1.
    """
    return laplace_mechanism(
        Queries(1), query_answers(1) * n, scale=scale, parameters={"eps": "eps > 0"}
    )


def homogeneous_histogram() -> Mechanism:
    """How often each of the values 1 and 2 occurs, plus noise L(1/e) of its own, for every e >
    0; all demand 1.
    """
    W = Domain([(1, 1), (2, 1)])
    return laplace_mechanism(
        W, [W.count(eq(X, i)) for i in (1, 2)], scale=1 / E, parameters={"e": "e > 0"}
    )


ENTRIES = (
    Entry(
        "laplace",
        "one query answer plus Laplace noise of scale 1/eps",
        "benchmark M1; Dwork et al. 2006",
        lambda: laplace_answers(1, 1 / EPS),
        expect_all(expect_exact_level("one", EPS), expect_exact_level("increasing", EPS)),
        "field/laplace-one-query.toml",
    ),
    Entry(
        "laplace-half",
        "broken twin of laplace: half the noise",
        "benchmark M1",
        lambda: laplace_answers(1, 1 / (2 * EPS)),
        expect_all(expect_refuted("one", EPS, 2 * EPS), expect_exact_level("one", 2 * EPS)),
        "field/laplace-one-query-half-noise.toml",
    ),
    Entry(
        "laplace-copies",
        "one query answer published twenty times, with fresh noise of scale 1/eps",
        "benchmark M2",
        lambda: repeated_laplace(20, 1 / EPS),
        expect_all(
            expect_refuted("one", 19 * EPS, 20 * EPS, "one copy forgotten"),
            expect_exact_level("one", 20 * EPS),
        ),
        "field/laplace-twenty-copies.toml",
    ),
    Entry(
        "laplace-parallel",
        "five query answers, each plus Laplace noise of scale 1/eps",
        "benchmark M9",
        lambda: laplace_answers(5, 1 / EPS),
        expect_all(
            expect_exact_level("one", EPS),
            expect_refuted("increasing", EPS, 5 * EPS, "a person may be in all five"),
            expect_exact_level("increasing", 5 * EPS),
        ),
        "field/laplace-histogram-five-bins.toml",
    ),
    Entry(
        "laplace-upside-down",
        "broken twin of laplace-parallel: scale eps in place of 1/eps, eps < 1",
        "benchmark M10",
        lambda: laplace_answers(5, EPS, "0 < eps < 1"),
        expect_all(expect_refuted("one", EPS, 1 / EPS), expect_exact_level("one", 1 / EPS)),
        "field/laplace-histogram-inverted-scale.toml",
    ),
    Entry(
        "homogeneous-histogram",
        "counts of two values, each plus Laplace noise of scale 1/e",
        "Sec. 2.2: add-remove at e is swap at 2 e",
        homogeneous_histogram,
        expect_all(
            expect_exact_level("add-remove", E),
            expect_refuted("swap", E, 2 * E, "a swap shifts two bins"),
            expect_exact_level("swap", 2 * E),
        ),
        "paper/homogeneous-histogram-swap-costs-twice.toml",
    ),
)
