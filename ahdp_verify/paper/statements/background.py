"""Sections 1 and 2: privacy, and heterogeneous privacy."""

from __future__ import annotations

from ahdp_verify import (
    Domain,
    Expression,
    Inequality,
    Mechanism,
    Multiset,
    Values,
    distance,
    oo,
    real,
)
from ahdp_verify.analysis.moments import mean
from ahdp_verify.analysis.testing import error_rates
from ahdp_verify.files import parse
from ahdp_verify.paper.statements.questions import (
    BY_ERRORS,
    BY_MOMENTS,
    argument_check,
    claim_check,
    claim_checks,
    comparison_check,
    mechanism_in_file,
    refusal_check,
)
from ahdp_verify.paper.statements.row import PaperRow

# Notation, S(X): datasets are finite multisets, and demands may be infinite.
INFINITE_AND_ONE = Domain([(0, oo), (1, 1)])


def distance_to_one_more() -> object:
    """The distance of {(0, oo)} and {(0, oo), (1, 1)}: the record with the infinite level is in
    both.
    """
    return distance(
        Multiset(INFINITE_AND_ONE, [1, 0]), Multiset(INFINITE_AND_ONE, [1, 1]), lambda x, eps: eps
    )


NOTATION = PaperRow(
    identifier="notation",
    label="Notation, S(X)",
    says=r"$\mathcal{S}(\mathcal{X})$ are the multisets with countable elements, and $\mathbb{R}$ "
    r"stands for $\mathbb{R} \cup \{\infty\}$.",
    checks=(
        refusal_check(
            lambda: Inequality.of({}, "0*oo", "==", 0), "0 times infinity has no value by itself"
        ),
        comparison_check(
            distance_to_one_more,
            "==",
            1,
            role="repair",
            says="with 0 times infinity = 0, the record that both datasets have costs nothing",
            only="one pair of datasets",
        ),
    ),
    note="Finite multisets are meant, and the convention 0 * oo = 0 must be stated: without it "
    "the distance is undefined as soon as one level is infinite.",
    section="2.1",
)


# def:pureDP: the logarithm is a bound in both directions, and a bound on every outcome is one
# on every event.
TWO_OUTCOMES = {
    "u": "u >= 1",
    "p1": "p1 >= 0",
    "p2": "p2 >= 0",
    "q1": "q1 >= 0 and p1 <= u*q1",
    "q2": "q2 >= 0 and p2 <= u*q2",
}
BOUNDED_BOTH_WAYS = {"u": "u >= 1", "q": "q > 0", "p": "p > 0 and p <= u*q and q <= u*p"}
# L: the logarithm of the ratio, so that p = exp(L) q
LOG_RATIO = {
    "eps": "eps >= 0",
    "L": "abs(L) <= eps",
    "q": "q > 0",
}

PURE_DP = PaperRow(
    identifier="pure_dp",
    label="def:pureDP",
    says=r"$\left| \log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}} \right| \le \epsilon$ for "
    r"all neighbours $D, D'$ and all measurable $S$, "
    r"with $|\log \frac00| = 0$ and $|\log \frac c0| = \infty$.",
    checks=(
        comparison_check(
            "abs(log(p/q))",
            "<=",
            "log(u)",
            says="two bounds, p <= e^eps q and q <= e^eps p, give that of the logarithm (u = "
            "e^eps)",
            unknowns=BOUNDED_BOTH_WAYS,
        ),
        comparison_check("exp(L)*q", "<=", "exp(eps)*q", says="and back", unknowns=LOG_RATIO),
        comparison_check(
            "q", "<=", "exp(eps)*(exp(L)*q)", says="and back, the other one", unknowns=LOG_RATIO
        ),
        comparison_check(
            "0",
            "<=",
            "u*0",
            says="|log 0/0| = 0: two impossible events satisfy both bounds",
            unknowns={"u": "u >= 1"},
        ),
        comparison_check(
            "c",
            "<=",
            "u*0",
            "refuted",
            says="|log c/0| = oo: what is possible on one side only satisfies none",
            unknowns={"u": "u >= 1", "c": "c > 0"},
            denies=True,
        ),
        comparison_check(
            "p1 + p2",
            "<=",
            "u*(q1 + q2)",
            role="more",
            says="a bound on two disjoint events is one on their union, so a bound on outcomes is "
            "one on events",
            unknowns=TWO_OUTCOMES,
            given=("measurable sets as limits of finite unions",),
        ),
    ),
    section="2.2",
)


# The swap and the add-remove neighbours: at most one, or exactly one, record differs.
NEIGHBOURS = PaperRow(
    identifier="neighbours",
    label="Neighbours",
    says=r"Swap: same size and at most one element different, $|D - D'| = |D' - D| = 1$. "
    r"Add-remove: $|D - D'| + |D' - D| = 1$.",
    checks=(
        comparison_check(
            "p",
            "<=",
            "exp(eps)*p",
            says="a dataset and itself satisfy every bound",
            unknowns={"p": "p >= 0", "eps": "eps >= 0"},
        ),
    ),
    note="The text says at most one, the formulas say exactly one; that makes no difference.",
    section="2.2",
)


# Add-remove eps-DP is swap 2 eps-DP, and no less.
ADD_REMOVE_TO_SWAP = PaperRow(
    identifier="add_remove_to_swap",
    label="Add-remove to swap",
    says=r"An add-remove $\epsilon$-DP algorithm is a swap $2\epsilon$-DP algorithm.",
    checks=(
        argument_check("laws/to-swap.toml", "proved", says="remove one record, then add the other"),
        *claim_checks(
            "paper/homogeneous-histogram-swap-costs-twice.toml",
            "proved",
            "refuted",
            "proved",
            "refuted",
            "refuted",
            role="more",
            says="a histogram, where 2 eps cannot be lowered",
        ),
    ),
    section="2.2",
)


# Swap privacy does not give add-remove privacy.
SWAP_TO_ADD_REMOVE = PaperRow(
    identifier="swap_to_add_remove",
    label="Swap to add-remove",
    says="A transformation from the swap model to the add-remove model does not hold in general.",
    checks=(
        claim_check(
            "paper/exact-size.toml",
            6,
            "proved",
            says="the size of the dataset is swap private at level 0",
        ),
        claim_check(
            "paper/exact-size.toml",
            5,
            "refuted",
            says="but it is not add-remove private, even at level 100",
            denies=True,
        ),
    ),
    section="2.2",
)


# eq:altDP-def: losses add up along a path.
EQ_ALT_DP = PaperRow(
    identifier="eq_alt_dp",
    label="eq:altDP-def",
    says=r"By applying the definition many times, $|\log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in "
    r"S\}}| \le \epsilon\, d(D, D')$, and this implies the definition.",
    checks=(
        argument_check(
            "laws/group.toml",
            "proved",
            says="one more step on the path",
            given=("induction along a path of d(D, D') moves from D to D'",),
        ),
        comparison_check(
            "eps*d",
            "==",
            "eps",
            says="and back: neighbours have distance 1",
            unknowns={"eps": "eps >= 0", "d": "d == 1"},
        ),
    ),
    note="This is group privacy, not basic composition. For swap and datasets of different sizes "
    "the distance is infinite, and nothing is claimed.",
    section="2.2",
)


# def:hetDP: the usual definition of heterogeneous privacy.
DEF_HET_DP = PaperRow(
    identifier="def_het_dp",
    label="def:hetDP",
    says=r"$M$ is $\epsilon$-DP for a vector $\epsilon$ if $|\log \frac{\Pr\{M(x) \in "
    r"S\}}{\Pr\{M(x') \in S\}}| \le \epsilon_i$ whenever $x, x'$ differ in user $i$ only.",
    note="A definition: the vector of demands is fixed, hence public. Here it is the relation hdp.",
    kind="no formal content",
    section="2.3",
)


# Section 2.4: weighted sums with noise max(w/eps) are heterogeneously private.
WEIGHTED_NOISE = {
    "eps": "eps >= 0",
    "w": "w >= 0",
    "b": "b > 0 and b*eps >= w",
    "c": "",
    "s": "",
    "d": "-w <= d and d <= w",
}

ASU22 = PaperRow(
    identifier="asu22",
    label="Family of Asu22",
    says=r"All mechanisms $\langle w, x \rangle + \mathcal{L}(\|w/\epsilon\|_\infty)$ with $x_i "
    r"\in \{0, 1\}$ are $\epsilon$-DP in the sense of def:hetDP.",
    checks=(
        comparison_check(
            "exp(-abs(s - c)/b)",
            "<=",
            "exp(eps)*exp(-abs(s - c - d)/b)",
            unknowns=WEIGHTED_NOISE,
            given=("densities integrate over events",),
            says="the densities at s: user i moves the sum c by d, at most w, and the scale b is "
            "at least w/eps",
        ),
        claim_check(
            "paper/weighted-sum-public-weights.toml",
            1,
            "proved",
            "more",
            "three weights, all datasets, the weights public",
        ),
        claim_check(
            "paper/weighted-sum-public-weights.toml", 2, "refuted", "more", "and at no lower level"
        ),
        claim_check(
            "paper/weighted-sum-public-weights-half-noise.toml",
            1,
            "refuted",
            "more",
            "half the noise is too little",
        ),
    ),
    note="Where w and eps are both 0 the quotient is left out. A weight w > 0 at eps = 0 would "
    "need infinite noise.",
    section="2.4",
)


# ex:swap-dp: the dataset of demand 0 gives a fair coin.
NOISE_SCALE = {"b": "b > 0"}


def clipped_probability(event: str) -> Expression:
    """The probability of an event for 1 + L(b): what is beyond -1 or 3 is clipped to that end."""
    law = Mechanism(
        Values(["any"]),
        outputs=[real("s")],
        density=parse("exp(-abs(s - 1)/b)/(2*b)", "density"),
        parameters=NOISE_SCALE,
        name="1 + L(b)",
    )
    return mean(law, of=f"indicator({event})")


def clipped_mass(end: str) -> object:
    """The mass at an end of the clipped output, for ten users at (1, 1/100): it is that of one
    error of a test.
    """
    mechanism = mechanism_in_file("paper/demand-weighted-mean-coupled-records.toml")
    return error_rates(mechanism, [10, 0], [10, 0], f"s == {end}").type_one


EX_SWAP_DP_COIN = PaperRow(
    identifier="ex_swap_dp_coin",
    label="ex:swap-dp, the coin",
    says=r"With all users at $(1, 0)$ the output follows $4\,\mathrm{Bern}(1/2) - 1$.",
    checks=(
        comparison_check(
            "n*d*1/(n*d)",
            "==",
            "1",
            says="with n users at (1, d) the centre is 1, and the scale b = 1/(n d)",
            unknowns={"n": "n >= 1", "d": "d > 0"},
        ),
        comparison_check(
            lambda: clipped_probability("s <= -1"),
            "==",
            "exp(-2/b)/2",
            says="the mass at -1",
            unknowns=NOISE_SCALE,
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: clipped_probability("s >= 3"),
            "==",
            "exp(-2/b)/2",
            says="the mass at 3",
            unknowns=NOISE_SCALE,
            given=BY_MOMENTS,
        ),
        comparison_check(
            "1/2 - exp(-2/b)/2",
            "<=",
            "1/b",
            says="each tends to 1/2 as d falls to 0, since b grows",
            unknowns=NOISE_SCALE,
            given=("limits: 1/b tends to 0",),
        ),
        comparison_check(
            lambda: clipped_mass("-1"),
            "==",
            "exp(-2*10/100)/2",
            role="more",
            says="the mass at -1 for ten users and d = 1/100",
            given=BY_ERRORS,
        ),
        comparison_check(
            lambda: clipped_mass("3"),
            "==",
            "exp(-2*10/100)/2",
            role="more",
            says="and as much at 3",
            given=BY_ERRORS,
        ),
        *claim_checks(
            "paper/demand-weighted-mean-limit.toml",
            "proved",
            "proved",
            "refuted",
            "refuted",
            role="more",
            says="the mechanism in the limit",
        ),
    ),
    note="At eps = 0 itself the formula is 0/0; it is the limit that is meant.",
    section="2.4",
)


# ex:swap-dp: what any other dataset gives.
TWO_DEMANDS = {"n": "n > 1", "m": "0 <= m and m <= n - 1", "E": "E > 0", "d": "d > 0"}
# demands as far apart as the limit has them
DEMANDS_FAR_APART = {
    **TWO_DEMANDS,
    "E": "E >= n",
    "d": "d > 0 and d <= 1/n",
}
SOME_AT_ONE = {**TWO_DEMANDS, "m": "1 <= m and m <= n - 1"}
SQUEEZED = (
    "what lies between bounds with one limit has this limit",
    "Laplace noise whose scale tends to 0 tends to 0 in probability",
)

CENTRE_AND_NOISE_VANISH = (
    comparison_check(
        "m*d/(m*d + (n - m)*E)",
        "<=",
        "m*d/((n - m)*E)",
        role="repair",
        says="the centre tends to 0 as d falls to 0 or E grows",
        unknowns=TWO_DEMANDS,
        given=SQUEEZED,
    ),
    comparison_check(
        "1/(m*d + (n - m)*E)",
        "<=",
        "1/((n - m)*E)",
        role="repair",
        says="and the scale of the noise as E grows",
        unknowns=TWO_DEMANDS,
        given=SQUEEZED,
    ),
)

EX_SWAP_DP_OTHER = PaperRow(
    identifier="ex_swap_dp_other",
    label="ex:swap-dp, any other dataset",
    says="Any other dataset of size n has the deterministic output 1.",
    checks=(
        comparison_check(
            "m*d/(m*d + (n - m)*E)",
            ">=",
            "1/2",
            "refuted",
            says="with m users at (1, d) and n - m at (0, E), the centre is near 1 (d near 0, E "
            "large)",
            unknowns=DEMANDS_FAR_APART,
        ),
        *CENTRE_AND_NOISE_VANISH,
        comparison_check(
            "m*E/(m*E + (n - m)*d)",
            ">=",
            "1 - (n - m)*d/(m*E)",
            role="more",
            says="with the coupling {(0, 0), (1, oo)} the centre tends to 1",
            unknowns=SOME_AT_ONE,
        ),
        claim_check(
            "paper/demand-weighted-mean-limit.toml",
            4,
            "refuted",
            "more",
            "the conclusion survives: one output tells the dataset",
        ),
    ),
    note="The output is 0. The value 1 belongs to the other coupling, {(0, 0), (1, oo)}.",
    section="2.4",
)


# Section 2.4: publishing the demands is heterogeneously private, and the dataset of demand 0
# has no neighbour.
PUBLISH_DEMANDS = PaperRow(
    identifier="publish_demands",
    label="Publishing the demands",
    says=r"The mechanism that outputs $\epsilon$ satisfies def:hetDP; under the correlation of "
    r"ex:swap-dp the dataset has no neighbours.",
    checks=(
        comparison_check(
            "p",
            "<=",
            "exp(eps)*p",
            says="a change of data alone does not change the output",
            unknowns={"p": "0 <= p and p <= 1", "eps": "eps >= 0"},
        ),
        claim_check(
            "paper/demand-weighted-mean-limit.toml",
            1,
            "proved",
            says="with W = {(1, 0), (0, oo)} every mechanism is HDP, since there is no move at all",
        ),
        claim_check(
            "paper/publish-demands.toml",
            2,
            "proved",
            "more",
            "the histogram of two demands is HDP at level 0",
        ),
        claim_check(
            "paper/publish-demands.toml", 4, "refuted", "more", "it is not AHDP, even at level 100"
        ),
        claim_check(
            "paper/publish-demands-coupled-to-data.toml",
            1,
            "proved",
            "more",
            "coupled to the data it is HDP, for want of moves",
        ),
        claim_check(
            "paper/publish-demands-coupled-to-data.toml", 2, "refuted", "more", "but not W-AHDP"
        ),
    ),
    section="2.4",
)


ROWS = (
    NOTATION,
    PURE_DP,
    NEIGHBOURS,
    ADD_REMOVE_TO_SWAP,
    SWAP_TO_ADD_REMOVE,
    EQ_ALT_DP,
    DEF_HET_DP,
    ASU22,
    EX_SWAP_DP_COIN,
    EX_SWAP_DP_OTHER,
    PUBLISH_DEMANDS,
)
