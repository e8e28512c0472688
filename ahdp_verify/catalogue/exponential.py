"""Selection: the exponential mechanism, permute-and-flip, and the personalised exponential
mechanism (PE) for a count.

P(i) is proportional to exp(score of i).  A move that changes scores by amounts in [a, b] moves log
P(i) by at most b - a: its own weight by at most b, the normaliser by no less than a.  So scores
that move by at most eps/2 either way give level eps, and so do scores that all rise (or all fall)
by at most eps.  Candidates with very low scores come arbitrarily close to that bound.

Permute-and-flip takes the candidates in uniformly random order and accepts i with probability
exp(score of i - largest score).  With order by arrival times in [0, 1], i is the first accepted if
no other j came before with acceptance: P(i) = a[i] * integral of the product of 1 - t a[j].

PE for a count: the score of r is minus the least total demand of people who must leave or join to
make the count r.  The k smallest demands of those present sum to the sum over demands e of (e -
next smaller e) * max(0, people of demand at least e - r), where k is the size less r.

>>> print(exponential_mechanism(2, E / 2).density)
piecewise((exp(e*q[1]/2), i == 1), (exp(e*q[2]/2), true))/(exp(e*q[1]/2) + exp(e*q[2]/2))
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from ahdp_verify.catalogue.entry import (
    EPS,
    Claims,
    Entry,
    expect_all,
    expect_exact_level,
    expect_proved,
    expect_refuted,
)
from ahdp_verify.catalogue.laplace import query_answers
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.model.record_expression import record_expression
from ahdp_verify.kernel.terms.expression import (
    Expression,
    Max,
    add,
    exp,
    multiply,
    name,
    number,
    reciprocal,
)
from ahdp_verify.laws.selection import proportional, weight_of

E = name("e")
POSITIVE = {"e": "e > 0"}
USERS = Domain.universal({"u1": "0 <= u1 <= 1", "u2": "0 <= u2 <= 1", "eps": "eps < oo"})


def exponential_selection(
    inputs: Inputs,
    scores: Sequence[Expression],
    *,
    title: str,
    parameters: Mapping[str, object] | None = None,
) -> Mechanism:
    """Candidate i of 1, ..., n with probability proportional to exp(scores[i]).

    scores       functions of the input, one for each candidate
    parameters   names with conditions
    Level: the most by which a move changes one score, less the least (McSherry, Talwar 2007).
    """
    i = finite("i", range(1, len(scores) + 1))
    law = proportional(i.values, [exp(s) for s in scores])(i.symbol)
    return Mechanism(inputs, outputs=[i], density=law, parameters=parameters or {}, name=title)


def exponential_mechanism(n: int, rate: Expression) -> Mechanism:
    """The exponential mechanism over n query answers: scores rate * q[i].  Level: 2 rate if
    answers move by at most 1, rate if all rise or all fall.
    """
    return exponential_selection(
        Queries(n),
        [rate * q for q in query_answers(n)],
        title="exponential mechanism",
        parameters=POSITIVE,
    )


def exponential_over_records(W: Domain, terms: Sequence[Expression]) -> Mechanism:
    """The exponential mechanism over the records: scores are sums of one term for each
    candidate.  Level: the largest term, less the least, or 0.
    """
    return exponential_selection(
        W, [W.sum(record_expression(t)) for t in terms], title="exponential mechanism of utilities"
    )


def permute_and_flip(n: int, rate: Expression) -> Mechanism:
    """Permute-and-flip over n query answers, acceptance exp(rate * (q[i] - largest q)).  Levels as
    those of `exponential_mechanism`, and reached.

    (McKenna, Sheldon 2020.)
    """
    q, i = query_answers(n), finite("i", range(1, n + 1))
    accept = [exp(rate * (each - Max(*q))) for each in q]
    chosen = [a * acceptance_integral(accept[:k] + accept[k + 1 :]) for k, a in enumerate(accept)]
    law = weight_of(i, i.values, chosen)
    return Mechanism(
        Queries(n), outputs=[i], density=law, parameters=POSITIVE, name="permute-and-flip"
    )


def acceptance_integral(others: Sequence[Expression]) -> Expression:
    """The integral over t in [0, 1] of the product of 1 - t a[j]."""
    sets = (c for k in range(len(others) + 1) for c in itertools.combinations(others, k))
    return add(*(multiply(number(Fraction((-1) ** len(c), len(c) + 1)), *c) for c in sets))


def personalised_count(
    demands: Sequence[Fraction | int], most: int, *, half: bool, joining: bool
) -> Mechanism:
    """PE for the count r in 0, ..., most, of people with these finite demands.

    demands   distinct, ascending, at least 0
    half      weights exp(score/2) in place of exp(score)
    joining   people of the least demand may join to reach a larger r; otherwise additions are free,
              as in a domain with demand 0
    Level: at most the demand with `half`, or without `joining`; twice the demand otherwise.
    """
    W, r = Domain([(1, e) for e in demands]), finite("r", range(most + 1))
    people = [W.size, *(W.count(number(e) <= EPS) for e in demands[1:])]
    steps = [
        (Fraction(e - before), n)
        for e, before, n in zip(demands, (0, *demands), people, strict=False)
        if e != before
    ]

    def weight(at: Expression) -> Expression:
        leaving = [step * Max(0, n - at) for step, n in steps]
        entering = [Fraction(demands[0]) * Max(0, at - W.size)] if joining else []
        return exp(-add(*leaving, *entering) * (Fraction(1, 2) if half else 1))

    law = multiply(
        weight(name(r.name)), reciprocal(add(*(weight(number(k)) for k in range(most + 1))))
    )
    return Mechanism(W, outputs=[r], density=law, name="personalised exponential mechanism")


def expect_selection_levels(
    two_sided: Expression, rising: Expression, stated: Expression
) -> Claims:
    """The least levels of a selection over query answers; the stated one fails unless it is that
    of two-sided moves.
    """
    as_stated = (
        () if stated == two_sided else (expect_refuted("all", stated, two_sided, "as stated"),)
    )
    return expect_all(
        *as_stated, expect_exact_level("all", two_sided), expect_exact_level("increasing", rising)
    )


ENTRIES = (
    Entry(
        "exponential",
        "one of two query answers, weights exp(e*q/2)",
        "benchmark M15; McSherry, Talwar 2007",
        lambda: exponential_mechanism(2, E / 2),
        expect_selection_levels(E, E / 2, E),
        "field/exponential-mechanism-two-queries.toml",
    ),
    Entry(
        "exponential-twice",
        "broken twin of exponential: the exponent is not halved",
        "benchmark M15",
        lambda: exponential_mechanism(2, E),
        expect_selection_levels(2 * E, E, E),
        "field/exponential-mechanism-exponent-not-halved.toml",
    ),
    Entry(
        "permute-and-flip",
        "one of two query answers, accepted with probability exp(e*(q - largest q)/2)",
        "benchmark M31; McKenna, Sheldon 2020",
        lambda: permute_and_flip(2, E / 2),
        expect_selection_levels(E, E / 2, E),
        "field/permute-and-flip-two-queries.toml",
    ),
    Entry(
        "permute-and-flip-twice",
        "broken twin of permute-and-flip: the exponent is not halved",
        "benchmark M31",
        lambda: permute_and_flip(2, E),
        expect_selection_levels(2 * E, E, E),
        "field/permute-and-flip-exponent-not-halved.toml",
    ),
    Entry(
        "exponential-utilities",
        "one of two candidates by utilities in [0, 1] times the demand, every domain at once",
        "benchmark A12",
        lambda: exponential_over_records(USERS, [EPS * name("u1"), EPS * name("u2")]),
        expect_exact_level("ahdp", EPS),
        "field/demand-weighted-exponential-two-candidates.toml",
    ),
    Entry(
        "exponential-utilities-half",
        "the same with half of each exponent: half of the demand is not used",
        "benchmark A12",
        lambda: exponential_over_records(USERS, [EPS * name("u1") / 2, EPS * name("u2") / 2]),
        expect_all(expect_proved("ahdp", EPS, EPS / 2), expect_proved("ahdp", EPS / 2, EPS / 2)),
        "field/demand-weighted-exponential-half-exponent.toml",
    ),
    Entry(
        "personalised-exponential",
        "a count by the demands of those who must leave or join, halved",
        "Jorgensen, Yu, Cormode 2015, repaired",
        lambda: personalised_count((1, 2), 3, half=True, joining=True),
        expect_proved("ahdp"),
        "paper/personalised-exponential-demands-1-2.toml",
    ),
    Entry(
        "personalised-exponential-whole",
        "broken twin of personalised-exponential: not halved",
        "Jorgensen, Yu, Cormode 2015",
        lambda: personalised_count((1, 2), 3, half=False, joining=True),
        expect_all(expect_refuted("ahdp"), expect_proved("ahdp", 2 * EPS)),
    ),
    Entry(
        "personalised-exponential-universal",
        "a count by the demands of those who must leave, additions free",
        "universal AHDP of PE",
        lambda: personalised_count((1, 2), 3, half=False, joining=False),
        expect_proved("ahdp"),
        "paper/personalised-exponential-free-additions-demands-1-2.toml",
    ),
)
