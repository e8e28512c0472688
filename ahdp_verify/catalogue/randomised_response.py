"""Randomised response, the local model: the input is one person's value, and any two values are
neighbours.

Binary and k-ary response report the true value exp(eps) times as often as each other value.  Unary
encoding reports k bits, of which the bit of the true value is 1 with probability `keep` and every
other with probability `flip`: two values differ in two bits, which costs log(keep (1 - flip)/(flip
(1 - keep))).  RAPPOR reports all bits of a pattern, each through the same noise, so that two
patterns cost one bit's loss for every bit in which they differ.

>>> from ahdp_verify.kernel.model.claim import Claim
>>> from ahdp_verify.search.verify import verify
>>> print(verify(Claim(k_ary_response(("yes", "no"), log(3)), "any", log(3))))
Proved: randomised response is local DP at level log(3); scope: all inputs; trusts: the checker alone
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ahdp_verify.catalogue.entry import (
    EPS,
    Entry,
    expect_all,
    expect_exact_level,
    expect_refuted,
)
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.terms.expression import (
    Expression,
    eq,
    exp,
    expression,
    log,
    multiply,
    name,
    piecewise,
)
from ahdp_verify.laws import mechanism, randomised_response

Conditions = Mapping[str, object]
ANY: Conditions = {"eps": "eps > 0"}
V, RATE = name("v"), name("f")
HALF = Fraction(1, 2)
FORGETFUL = 1 / (exp(EPS) + 1)  # how often the optimised encoding flips a bit
FOUR_EACH = (
    (1, 1, 1, 1, 0, 0, 0, 0),
    (0, 0, 0, 0, 1, 1, 1, 1),
)  # two values whose four hashes never meet


def k_ary_response(
    values: Sequence[object], level: object, parameters: Conditions | None = None
) -> Mechanism:
    """k-ary randomised response: the own value with probability exp(level)/(exp(level) + k - 1),
    each other with 1/(exp(level) + k - 1).

    values       k >= 2 distinct numbers or labels, input and output alike
    level        in nats, at least 0; an expression in parameters stands for all its values at once
    parameters   names with conditions
    Level: that one, for any two values (Warner 1965 for k = 2; Kairouz, Oh, Viswanath 2014).
    """
    law = randomised_response(values, level)
    return mechanism(Values(values), law, parameters=parameters, name="randomised response")


def repeated_reports(n: int, keep: object, parameters: Conditions | None = None) -> Mechanism:
    """One bit, reported n times: each report is the bit with probability `keep`, else its opposite,
    independently.

    Level: n log(keep/(1 - keep)), for keep >= 1/2; reports of one person add up.
    """
    b = finite("b", (0, 1), n)
    law = multiply(*(piecewise((keep, eq(o, V)), (1 - expression(keep), True)) for o in b))
    return Mechanism(
        Values((0, 1)),
        outputs=b,
        density=law,
        parameters=parameters or {},
        name="reports of one bit",
    )


def unary_encoding(
    k: int, *, keep: object, flip: object, parameters: Conditions | None = None
) -> Mechanism:
    """A value v in 1, ..., k as k independent bits: bit v is 1 with probability `keep`, every other
    bit with probability `flip`.

    The symmetric choice keep = 1 - flip = exp(eps/2)/(exp(eps/2) + 1) and the optimised one, keep =
    1/2 and flip = 1/(exp(eps) + 1), have level eps.  Level: log(keep (1 - flip)/(flip (1 - keep))),
    for keep >= flip and k >= 2 (Wang, Blocki, Li, Jha 2017).
    """
    b = finite("b", (0, 1), k)
    law = multiply(
        *(
            bit_probability(o, eq(V, i), expression(keep), expression(flip))
            for i, o in enumerate(b, 1)
        )
    )
    return Mechanism(
        Values(range(1, k + 1)),
        outputs=b,
        density=law,
        parameters=parameters or {},
        name="unary encoding",
    )


def rappor(
    patterns: Sequence[Sequence[int]],
    rate: object,
    *,
    ones: tuple[object, object] = (1, 0),
    parameters: Conditions | None = None,
) -> Mechanism:
    """RAPPOR: every bit of the own pattern, independently, through two stages of noise (Erlingsson,
    Pihur, Korolova 2014).

    patterns     the distinct bit patterns (Bloom filters) of the possible values, all of one length
    rate         f in (0, 1]: the first stage keeps a bit with probability 1 - f, and else draws it
                 anew by a fair coin
    ones         (q, p): the second stage reports 1 with probability q where the first left a 1, and
                 p where it left a 0; (1, 0) leaves it out
    parameters   names with conditions
    A set bit is reported as 1 with probability r = q (1 - f/2) + p f/2, another with t = p (1 -
    f/2) + q f/2.  Level of one report, for two patterns of which each sets h bits that the other
    does not: h log(r (1 - t)/(t (1 - r))); 2 h log((2 - f)/f) with one stage.
    """
    v, half = Values(tuple(pattern) for pattern in patterns), expression(rate) / 2
    q, p = (expression(part) for part in ones)
    often, seldom = p + (q - p) * (1 - half), p + (q - p) * half
    b = finite("b", (0, 1), len(v.bound))
    law = multiply(
        *(
            bit_probability(o, eq(name(key), 1), often, seldom)
            for o, key in zip(b, v.bound, strict=True)
        )
    )
    return Mechanism(v, outputs=b, density=law, parameters=parameters or {}, name="RAPPOR")


def bit_probability(
    output: object, own: Expression, often: Expression, seldom: Expression
) -> Expression:
    """The probability of a bit that is 1 with probability `often` where the condition holds, and
    with probability `seldom` elsewhere.
    """
    one = eq(output, 1)
    return piecewise((often, own & one), (1 - often, own), (seldom, one), (1 - seldom, True))


ENTRIES = (
    Entry(
        "randomised-response",
        "one bit, reported wrongly with probability 1/(1 + exp(eps))",
        "Warner 1965; tight for thm:HT",
        lambda: k_ary_response((0, 1), EPS, ANY),
        expect_exact_level("any", EPS),
        "paper/randomised-response-meets-testing-bound.toml",
    ),
    Entry(
        "randomised-response-half",
        "broken twin of randomised-response: made for 2 eps",
        "benchmark M33",
        lambda: k_ary_response((0, 1), 2 * EPS, ANY),
        expect_all(expect_refuted("any", EPS, 2 * EPS), expect_exact_level("any", 2 * EPS)),
        "field/randomised-response-one-bit-half-noise.toml",
    ),
    Entry(
        "randomised-response-many",
        "one of four values, the truth exp(eps) times as often as each other",
        "claim:1 (B)",
        lambda: k_ary_response((1, 2, 3, 4), EPS, ANY),
        expect_exact_level("any", EPS),
        "paper/randomised-response-four-values.toml",
    ),
    Entry(
        "two-reports",
        "one bit, reported twice by randomised response at eps",
        "public RR-07",
        lambda: repeated_reports(2, exp(EPS) / (1 + exp(EPS)), ANY),
        expect_all(
            expect_refuted("any", EPS, 2 * EPS, "reports add up"),
            expect_exact_level("any", 2 * EPS),
        ),
        "public/two-reports-of-one-bit-every-eps.toml",
    ),
    Entry(
        "unary-encoding",
        "one of two values as two bits, optimised encoding at eps",
        "Wang et al. 2017",
        lambda: unary_encoding(2, keep=HALF, flip=FORGETFUL, parameters=ANY),
        expect_exact_level("any", EPS),
    ),
    Entry(
        "unary-encoding-not-reset",
        "broken twin of unary-encoding: the own bit is flipped before it is set",
        "public RR-02",
        lambda: unary_encoding(
            2, keep=HALF + FORGETFUL - HALF * FORGETFUL, flip=FORGETFUL, parameters=ANY
        ),
        expect_all(
            expect_refuted("any", EPS, log(exp(EPS) + 2), "never below log(3)"),
            expect_exact_level("any", log(exp(EPS) + 2)),
        ),
        "public/optimised-unary-encoding-bit-not-reset-every-eps.toml",
    ),
    Entry(
        "rappor",
        "two bits of which at most one is set, one stage of noise, every f",
        "public RR-04; Erlingsson et al. 2014",
        lambda: rappor(((0, 0), (1, 0), (0, 1)), RATE, parameters={"f": "0 < f and f <= 1"}),
        expect_all(
            expect_exact_level("any", 2 * log((2 - RATE) / RATE)),
            expect_refuted(
                "any", log((2 - RATE) / RATE), 2 * log((2 - RATE) / RATE), "two bits may differ"
            ),
        ),
        "public/basic-rappor-two-bits-every-f.toml",
    ),
    Entry(
        "rappor-two-stages",
        "four hashes in eight bits, f = 3/4, second stage q = 11/20 and p = 9/20",
        "public RR-04; Erlingsson et al. 2014",
        lambda: rappor(FOUR_EACH, Fraction(3, 4), ones=(Fraction(11, 20), Fraction(9, 20))),
        expect_all(
            expect_exact_level("any", 8 * log(Fraction(41, 39))),
            expect_refuted(
                "any", 4 * log(Fraction(41, 39)), 8 * log(Fraction(41, 39)), "eight bits differ"
            ),
        ),
        "public/two-stage-rappor-four-hashes.toml",
    ),
)
