"""Section 2.4: what heterogeneous DP with public demands (HDP) allows, and add-remove heterogeneous
DP (AHDP) does not.

Under HDP a neighbour has other data and the same demand.  Where the demand reveals the data
(coupled records) there is no neighbour at all, and every mechanism is HDP.  Where there are
neighbours, publishing the number of people or everybody's demand is HDP too, since the data is not
used.  AHDP adds or removes a person, demand included, and refutes all of these.

The paper's own example, ex:swap-dp, is a mean weighted by the demands, with noise that shrinks with
their sum, clipped to [-1, 3]; its limit on {(1, 0), (0, oo)} is a coin on {-1, 3} where all demands
are 0, and else the constant 0 (the paper prints 1).

>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> from ahdp_verify.search.verify import verify
>>> M = size(Domain([("sick", 0), ("well", 0)]))
>>> print(*(type(verify(claim)).__name__ for claim in (hdp(M), ahdp(M))))
Proved Refuted
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from ahdp_verify import (
    Abs,
    Domain,
    Expression,
    Mechanism,
    Min,
    eq,
    exp,
    finite,
    hdp,
    indicator,
    integer,
    log,
    name,
    ne,
    number,
    oo,
    piecewise,
    real,
)
from ahdp_verify.catalogue import (
    EPS,
    Claims,
    Entry,
    Expected,
    Number,
    VerdictWord,
    X,
    expect_all,
    expect_exact_level,
    expect_proved,
    expect_refuted,
    expect_verdict,
    laplace_density,
    noise_title,
)

HALF = Fraction(1, 2)
LOW, HIGH = Fraction(1, 100), 5  # the two demands of the story
LIMIT = Domain([(1, 0), (0, oo)])
COUPLED = Domain([(1, LOW), (0, HIGH)])
FREE = Domain([(0, LOW), (1, LOW), (0, HIGH), (1, HIGH)])
NO_DEMANDS = Domain([(0, 0), (1, 0), (0, 1), (1, 1)])
WEIGHTS = (
    (HALF, 1),
    (1, 1),
    (Fraction(1, 3), Fraction(1, 4)),
)  # weight and demand of the people of the weighted family
BIT, WEIGHT = name("x[1]"), name("x[2]")


def clipped_mean(W: Domain) -> Mechanism:
    """The formula of ex:swap-dp: sum(eps x)/sum(eps) + L(1/sum(eps)), clipped to [-1, 3], on
    datasets whose demands are not all 0.

    W   a domain of numbers x in [-1, 3] with finite demands, in nats
    The two ends are atoms.  A change of x alone moves sum(eps x) by at most eps where |x - x'| <=
    1, so it is HDP on values {0, 1}.
    """
    s, demands, weighted = real("s"), W.sum(EPS), W.sum(EPS * X)
    inside = demands / 2 * exp(-Abs(demands * s - weighted))
    atoms = {-1: exp(-(weighted + demands)) / 2, 3: exp(-(3 * demands - weighted)) / 2}
    law = piecewise((inside, (s > -1) & (s < 3)), (0, True))
    return Mechanism(
        W, outputs=[s], density=law, atoms=atoms, defined=demands > 0, name="demand-weighted mean"
    )


def clipped_mean_limit() -> Mechanism:
    """ex:swap-dp in the limit, W = {(1, 0), (0, oo)}, at least one record: a fair coin on {-1,
    3} if all demands are 0, else 0.
    """
    s = finite("s", (-1, 0, 3))
    law = piecewise(
        (indicator(ne(s, 0)) / 2, eq(LIMIT.count(EPS > 0), 0)), (indicator(eq(s, 0)), True)
    )
    return Mechanism(
        LIMIT, outputs=[s], density=law, defined=LIMIT.size >= 1, name="demand-weighted mean, limit"
    )


def size(W: Domain) -> Mechanism:
    """M = length: the number of records, without noise.  HDP and swap DP at level 0, AHDP at no
    finite level.
    """
    n = integer("n")
    return Mechanism(W, outputs=[n], density=indicator(eq(n, W.size)), name="size")


def publish_demands(W: Domain, demands: Sequence[object]) -> Mechanism:
    """How many records have each of the listed demands, without noise.  HDP at level 0, AHDP at no
    finite level.

    demands   distinct demands that occur in W, in nats
    """
    c = integer("c", len(demands))
    law = prod(
        (indicator(eq(o, W.count(eq(EPS, d)))) for o, d in zip(c, demands, strict=True)),
        start=number(1),
    )
    return Mechanism(W, outputs=c, density=law, name="histogram of demands")


def presence(W: Domain, value: object) -> Mechanism:
    """Whether any record has the value: 1 or 0, without noise (rem:power).  AHDP if all records
    with that value demand oo.
    """
    s = finite("s", (0, 1))
    return Mechanism(
        W, outputs=[s], density=indicator(eq(s, Min(W.count(eq(X, value)), 1))), name="presence"
    )


def weighted_family(people: Sequence[tuple[object, object]], *, noise: Number = 1) -> Mechanism:
    """The family of Asu22 for bits: sum of w x + L(max w/eps) over the dataset; a record is a bit
    x[1], its weight x[2] = w and its demand.

    people   pairs of weight w > 0 and demand eps > 0 (nats), each of which may come with either
             bit; at least one record is present
    noise    factor on the scale
    HDP at level w/(noise max w/eps) <= eps/noise if weights are public like the demands; not if
    they are data, since they set the scale.
    """
    W = Domain([((x, w), eps) for w, eps in people for x in (0, 1)])
    s, scale = real("s"), noise * W.max(WEIGHT / EPS)
    law = laplace_density(s - W.sum(BIT * WEIGHT), scale)
    return Mechanism(
        W, outputs=[s], density=law, defined=W.size >= 1, name=noise_title("weighted sum", noise)
    )


def public_weights(verdict: VerdictWord, least: Expression) -> Claims:
    """That the weighted family is HDP with public weights, with its verdict."""
    return lambda M: (Expected(hdp(M, ("x[2]",)), verdict, least, "weights public"),)


NO_MOVES = expect_verdict("vacuous", "hdp", EPS, None, "no moves: the demand gives the value away")
CUT = Min(EPS, 100)

ENTRIES = (
    Entry(
        "swap-dp-limit",
        "the clipped mean weighted by demands, in the limit of demands 0 and oo",
        "ex:swap-dp, 0 in place of 1",
        clipped_mean_limit,
        expect_all(
            NO_MOVES,
            expect_proved("ahdp", EPS, EPS, "(0, oo) asks for nothing"),
            expect_refuted("ahdp", CUT, EPS),
            expect_refuted("swap", 100, oo, "one output tells that all demands were 0"),
        ),
        "paper/demand-weighted-mean-limit.toml",
    ),
    Entry(
        "swap-dp-formula",
        "the clipped mean weighted by demands, on {(1, 1/100), (0, 5)}",
        "ex:swap-dp",
        lambda: clipped_mean(COUPLED),
        expect_all(
            NO_MOVES,
            expect_refuted(
                "ahdp",
                EPS,
                piecewise((log(2), eq(EPS, LOW)), (15, True)),
                "a second (1, 1/100) doubles the density at 1",
            ),
            expect_refuted("swap", 5, number("749/50")),
        ),
        "paper/demand-weighted-mean-coupled-records.toml",
    ),
    Entry(
        "swap-dp-moves",
        "the clipped mean weighted by demands, values {0, 1}, demands {1/100, 5}",
        "ex:swap-dp",
        lambda: clipped_mean(FREE),
        expect_all(
            expect_exact_level("hdp", EPS),
            expect_refuted("ahdp", reason="an added person changes the scale"),
        ),
        "paper/demand-weighted-mean-all-records.toml",
    ),
    Entry(
        "size",
        "the number of people, released exactly",
        "Sec. 2.2 and Sec. 4.3, M = length",
        lambda: size(NO_DEMANDS),
        expect_all(
            expect_proved("hdp", EPS, 0),
            expect_proved("hdp", 0, 0, "the size stays"),
            expect_refuted("ahdp", EPS, oo),
            expect_refuted("ahdp", 100, oo),
            expect_refuted("add-remove", 100, oo),
            expect_proved("swap", 0, 0),
        ),
        "paper/exact-size.toml",
    ),
    Entry(
        "infinite-level",
        "the size of a dataset in which nobody demands privacy",
        "thm:HT at infinite distance",
        lambda: size(Domain([(0, oo)])),
        expect_all(
            expect_verdict("vacuous", "ahdp", EPS, oo, "a move of level oo needs no proof"),
            expect_refuted("ahdp", CUT, oo),
        ),
        "paper/exact-size-infinite-demand.toml",
    ),
    Entry(
        "publish-demands",
        "how many people demand 1/100 and 5, released exactly",
        "Sec. 2.4",
        lambda: publish_demands(FREE, (LOW, HIGH)),
        expect_all(
            expect_proved("hdp", EPS, 0),
            expect_proved("hdp", 0, 0, "the data is not used"),
            expect_refuted("ahdp", EPS, oo),
            expect_refuted("ahdp", 100, oo),
            expect_refuted("swap", 100, oo),
        ),
        "paper/publish-demands.toml",
    ),
    Entry(
        "publish-demands-coupled",
        "the same where it gives the data away",
        "Sec. 2.4",
        lambda: publish_demands(Domain([(0, HIGH), (1, LOW)]), (LOW, HIGH)),
        expect_all(NO_MOVES, expect_refuted("ahdp", EPS, oo)),
        "paper/publish-demands-coupled-to-data.toml",
    ),
    Entry(
        "known-size",
        "whether somebody without demand is there",
        "rem:power",
        lambda: presence(Domain([(1, 0), (2, oo)]), 2),
        expect_all(
            NO_MOVES,
            expect_proved("ahdp", EPS, EPS),
            expect_refuted("ahdp", CUT, EPS),
            expect_refuted("swap", 100, oo),
        ),
        "paper/presence-of-a-record-without-demand.toml",
    ),
    Entry(
        "weighted-family",
        "a weighted sum of bits, scale max w/eps over the dataset",
        "Sec. 2.4, Asu22",
        lambda: weighted_family(WEIGHTS),
        expect_all(
            public_weights("proved", EPS),
            expect_refuted("hdp", reason="a change of weight changes the scale"),
            expect_refuted("ahdp", reason="a new person may widen the noise"),
        ),
        "paper/weighted-sum-public-weights.toml",
    ),
    Entry(
        "weighted-family-half",
        "broken twin of weighted-family: half the noise",
        "Sec. 2.4, Asu22",
        lambda: weighted_family(WEIGHTS, noise=HALF),
        public_weights("refuted", 2 * EPS),
        "paper/weighted-sum-public-weights-half-noise.toml",
    ),
)
