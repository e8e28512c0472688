"""Section 4.2: the power of an adversary where demands differ."""

from __future__ import annotations

from ahdp_verify import Domain, Mechanism, finite, log, name
from ahdp_verify.analysis.power import extra_records, power
from ahdp_verify.files import parse
from ahdp_verify.paper.statements.power_additional_records import (
    GEOMETRIC_COUNTS,
    GEOMETRIC_NOISE,
    GEOMETRIC_NOISE_INSTEAD,
    OTHER_TUPLES,
)
from ahdp_verify.paper.statements.questions import (
    argument_check,
    best_power_check,
    claim_check,
    claim_checks,
    comparison_check,
    level_in_file,
    power_check,
    refusal_check,
)
from ahdp_verify.paper.statements.row import Check, PaperRow

# def:cap-ahdp: the adversary has to name the values, not the demands; the power is at least 1
# over the number of projections.
THREE_RECORDS = Domain([("a", log(2)), ("a", log(3)), ("b", log(2))])
COIN_OF_THREE = Mechanism(THREE_RECORDS, outputs=[finite("s", [0, 1])], density="1/2", name="coin")
AGAINST_A_COIN = "a coin, W = {(a, log 2), (a, log 3), (b, log 2)}, t = 1"

POWER_HETEROGENEOUS = PaperRow(
    identifier="power_heterogeneous",
    label="def:cap-ahdp",
    says=r"$P(M, H) = \max_\psi \min_{D \in H} \Pr\{\psi(M(D)) = \Pi_X(D)\} \ge \frac{1}{|H_X|}$.",
    checks=(
        comparison_check(
            "chance*(1/n)",
            ">=",
            "1/n",
            says="outputs have total probability 1, and on each a blind guess among n "
            "projections is right with probability 1/n",
            unknowns={"n": "n >= 1", "chance": "chance == 1"},
        ),
        power_check(
            lambda: power(COIN_OF_THREE, extra_records(1)),
            "1/3",
            "more",
            f"the power of {AGAINST_A_COIN}: 4 hypotheses, 3 projections",
        ),
    ),
    note="H_X should be the set of the projections Pi_X(D), not their union.",
    section="4.2",
)


# eps_l and W_o: the least demand of each value, where the value has a tuple at all.
LEAST_DEMAND = PaperRow(
    identifier="least_demand",
    label="eps_l and W_o",
    says=r"$\epsilon_l(x) := \min\{\epsilon \mid (x, \epsilon) \in W\}$ for $x \in X$, and $W_o = "
    r"\{(x, \epsilon_l(x)) \mid x \in X\}$.",
    checks=(
        refusal_check(
            lambda: parse("min()", "the least demand of a value without tuples"),
            "the least of no demands",
        ),
        comparison_check(
            "min(d, e)",
            "<=",
            "e",
            role="repair",
            says="a value with tuples has a least demand, which keeps each of them",
            unknowns={"d": "d >= 0", "e": "e >= 0"},
        ),
        claim_check(
            "laws/pull-back.toml",
            1,
            "proved",
            "repair",
            says="so a mechanism that sees the values only, at the levels eps_l, is W-AHDP",
        ),
    ),
    note="If some x has no tuple in W, the minimum is over nothing: let x range over the values "
    "that occur in W.",
    section="4.2",
)


# claim:3 (A1): the limit of the power is at most the product of 1 - q_x; this is not tight.
GEOMETRIC_SUM_TO_M = {"q": "0 <= q and q < 1", "w": "0 <= w and w <= q"}


def weights_of_values(says: str) -> tuple[Check, ...]:
    """The sum of the weights of all hypotheses is that of each value's counts, multiplied; so the
    power has the bound that `says` names.
    """
    return (
        argument_check(
            "paper/power-lower-bound-one-more-value.toml", "proved", says="value by value"
        ),
        comparison_check(
            "p",
            "<=",
            "b",
            says=says,
            unknowns={"b": "b > 0", "Z": "Z > 0 and Z*b >= 1", "p": "p >= 0 and p*Z <= 1"},
            given=("limits: q_x^(m + 1) tends to 0",),
        ),
        comparison_check(
            "p",
            "<=",
            "1/m",
            says="a value with eps_l = 0: there are more than m hypotheses of weight 1",
            unknowns={"m": "m >= 1", "Z": "Z >= m", "p": "p >= 0 and p*Z <= 1"},
            given=("limits: 1/m tends to 0",),
        ),
    )


CLAIM_3_A1 = PaperRow(
    identifier="claim_3_a1",
    label="claim:3 (A1)",
    says=r"$\lim_{t \to \infty} P(M, H_t) \le \prod_{(x, \epsilon) \in W_o} (1 - e^{-\epsilon})$ "
    r"for any $W$-AHDP mechanism.",
    checks=(
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o: hypothesis by hypothesis",
        ),
        comparison_check(
            "(1 - w)/(1 - q) + w",
            "==",
            "(1 - w*q)/(1 - q)",
            says="the weights of one value's counts up to m, w = q_x^(m + 1): one more",
            unknowns=GEOMETRIC_SUM_TO_M,
            given=("induction over the largest count",),
        ),
        comparison_check(
            "(1 - w)/(1 - q)", ">=", "1", says="they are at least 1", unknowns=GEOMETRIC_SUM_TO_M
        ),
        *weights_of_values("so the power is at most the product of (1 - q_x)/(1 - w_x)"),
        comparison_check(
            "(1 - q)/(1 + q)",
            "<",
            "1 - q",
            role="more",
            says="each factor of the exact limit (S1) is less",
            unknowns={"q": "0 < q and q < 1"},
        ),
    ),
    note="The exact limit is the product of (1 - q)/(1 + q) with q = e^-eps, see S1.",
    section="4.2",
)


# claim:3 (A2): against at most one additional record the power is at most 1/(1 + the sum of
# q_x), which is attained.
CLAIM_3_A2 = PaperRow(
    identifier="claim_3_a2",
    label="claim:3 (A2)",
    says=r"$P(M, H_1) \le \frac{1}{1 + \sum_{(x, \epsilon) \in W_o} e^{-\epsilon}}$ for any "
    r"$W$-AHDP mechanism.",
    checks=(
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o: hypothesis by hypothesis, the weights q_x add up",
        ),
        argument_check(
            "paper/power-upper-bound-one-addition-unequal-demands.toml", "proved", says="all W"
        ),
        *(
            best_power_check(demands, 1, value, "more", everywhere=everywhere)
            for demands, value in (
                ("log(2), log(3)", "6/11"),
                ("log(2), log(3), log(4)", "12/25"),
                ("log(100), log(2), log(10/9)", "100/241"),
            )
            for everywhere in (False, True)
        ),
    ),
    section="4.2",
)


# claim:3 (B1): the limit of the power is at least the product of (1 - q)/(1 + q).
CLAIM_3_B1 = PaperRow(
    identifier="claim_3_b1",
    label="claim:3 (B1)",
    says=r"There is a $W$-AHDP mechanism $M'$ with $\lim_{t \to \infty} P(M', H_t) \ge \prod_{(x, "
    r"\epsilon) \in W_o} \frac{1 - e^{-\epsilon}}{1 + e^{-\epsilon}}$.",
    checks=(
        *GEOMETRIC_NOISE,
        *(
            claim_check(
                GEOMETRIC_COUNTS[k],
                1,
                "proved",
                "more",
                says=f"{k} value{'s' * (k > 1)}, all demands",
            )
            for k in (1, 2, 3)
        ),
        claim_check(
            "paper/multiset-weights-unequal-demands.toml",
            1,
            "refuted",
            "more",
            says="M' of the proof for least demands log 2 and log 3, t = 1",
        ),
    ),
    note="True, but not by the proof: its M' is not private (E1). Geometric noise on each value's "
    "count, at its least demand, is private on all "
    "datasets, and attains the bound for every t (E3). "
    "If some least demand is 0, the bound is 0; a value of demand oo needs no noise.",
    section="4.2",
)


# claim:3 (B2): the power against at most one additional record is at least 1/(1 + the sum of
# q_x).
#
# The q of two values; that of y is not larger, so its demand is not smaller.
TWO_QS = {
    "x": "0 < x and x <= 1",
    "y": "0 < y and y <= x",
}
ROW_TO_ROW = (
    "adding a record of value y changes the row only to that of y, from that of D_o or of a value "
    "of smaller or equal demand",
    "a bound on each of finitely many outputs is one on every event",
    OTHER_TUPLES,
)


def row_change_allowed(p: str, r: str, says: str) -> Check:
    """That adding a record of value y, which costs 1/y at most, may change a probability into
    another, both ways; the common factor is left out.
    """
    return comparison_check(
        f"max(({p})/({r}), ({r})/({p}))", "<=", "1/y", says=says, unknowns=TWO_QS, given=ROW_TO_ROW
    )


LARGEST_DEMAND_ROW = (
    comparison_check(
        "p + p*s",
        "==",
        "1",
        says="a row adds up to 1: the right guess has p = 1/(1 + s), s the sum of all q, and the "
        "others have their p q",
        unknowns={"s": "s >= 0", "p": "p == 1/(1 + s)"},
    ),
    row_change_allowed("1", "y", "the row of D_o becomes that of y: guess D_o"),
    row_change_allowed("y", "1", "the row of D_o becomes that of y: guess y"),
    row_change_allowed("x", "y", "the row of x becomes that of y: guess D_o"),
    row_change_allowed("1", "x", "the row of x becomes that of y: guess x"),
    row_change_allowed("y", "1", "the row of x becomes that of y: guess y"),
)

CLAIM_3_B2 = PaperRow(
    identifier="claim_3_b2",
    label="claim:3 (B2)",
    says=r"There is a $W$-AHDP mechanism $M''$ with $P(M'', H_1) \ge \frac{1}{1 + \sum_{(x, "
    r"\epsilon) \in W_o} e^{-\epsilon}}$.",
    checks=(
        *LARGEST_DEMAND_ROW,
        *(
            claim_check(
                f"paper/guess-one-more-record-{values}-values-{seen}-seen.toml",
                1,
                "proved",
                "more",
                says=f"{values} values, {seen} seen, all demands",
            )
            for values in ("two", "three")
            for seen in ("none", "three")
        ),
        claim_check(
            "paper/multiset-weights-unequal-demands.toml",
            1,
            "refuted",
            "more",
            says="M' of the proof for least demands log 2 and log 3, t = 1",
        ),
        claim_check(
            "paper/guess-one-more-record-simple-extension-unequal-demands.toml",
            1,
            "refuted",
            "more",
            says="the row of D_o on all larger datasets does not help for unequal demands",
        ),
    ),
    note="True, but not by the proof: its M' is not private (E1). The row of the value with the "
    "largest least demand among those that the dataset has more of than D_o is private "
    "on all datasets (E4); a record of demand oo may change the row as it likes. P(M, H_1) is "
    "printed for P(M'', H_1).",
    section="4.2",
)


# claim:3, proof: M' is said to be W-AHDP on all datasets; its normaliser makes it worse.
PRINTED_INSIDE, PRINTED_EVERYWHERE = (
    "paper/multiset-weights-unequal-demands-small-datasets.toml",
    "paper/multiset-weights-unequal-demands.toml",
)

CLAIM_3_PROOF_M = PaperRow(
    identifier="claim_3_proof_m",
    label="claim:3, proof: M'",
    says=r"$M'$, with $\Pr\{M'(D) = \Pi_X(D_o + S)\} \propto e^{-d'(\Pi_X(D), \Pi_X(D_o + S))}$, "
    r"is $W$-AHDP over all inputs $D \in S(W)$.",
    checks=(
        claim_check(PRINTED_INSIDE, 1, "refuted", says="q = (1/2, 1/3), inside H_1"),
        claim_check(PRINTED_EVERYWHERE, 1, "refuted", says="q = (1/2, 1/3), on all datasets"),
        *GEOMETRIC_NOISE_INSTEAD,
        *claim_checks(
            PRINTED_INSIDE,
            "refuted",
            "proved",
            "refuted",
            "proved",
            "refuted",
            role="more",
            says="inside H_1",
        )[1:],
        *claim_checks(
            PRINTED_EVERYWHERE,
            "refuted",
            "proved",
            "refuted",
            "proved",
            "refuted",
            role="more",
            says="on all datasets",
        )[1:],
        comparison_check(
            lambda: level_in_file(PRINTED_INSIDE, 4),
            "==",
            "eps + log(11/9)",
            role="more",
            says="the largest violation inside H_1 is by the factor 11/9",
            unknowns={"eps": "eps >= 0"},
        ),
        comparison_check(
            lambda: level_in_file(PRINTED_EVERYWHERE, 4),
            "==",
            "eps + log(5/3)",
            role="more",
            says="the largest violation on all datasets is by the factor 5/3",
            unknowns={"eps": "eps >= 0"},
        ),
    ),
    note="Its normaliser moves too; geometric noise on each value's count does what M' should do.",
    section="A.4",
)


# claim:3, the rest of the proof: signs of exponents, a triangle inequality that is not an equality,
# outputs that are counted several times.
#
# The distances of two datasets to one output, and their distance.
TWO_DISTANCES = {
    "a": "a >= 0",
    "b": "b >= 0",
    "d": "abs(a - b) <= d",
}
# The counts of two tuples of one value, in two datasets.
FOUR_COUNTS = {
    "a": "a >= 0",
    "b": "b >= 0",
    "c": "c >= 0",
    "d": "d >= 0",
}

CLAIM_3_PROOF_REST = PaperRow(
    identifier="claim_3_proof_rest",
    label="claim:3, proof: the rest",
    says=r"$\frac{\Pr\{M'(D_1) = F\}}{\Pr\{M'(D_2) = F\}} = \frac{e^{d'(D_2, F)}}{e^{-d'(D_1, "
    r"F)}} \le e^{-\sum_x \epsilon_l(x) |h_{D_1}(x) - h_{D_2}(x)|}$, "
    r"which equals its counterpart over tuples, and the normaliser sums over $V \in S(W)$.",
    checks=(
        comparison_check(
            "exp(b)/exp(-a)",
            "==",
            "exp(-a)/exp(-b)",
            "refuted",
            says="the ratio of the weights",
            unknowns=TWO_DISTANCES,
        ),
        comparison_check(
            "exp(-a)/exp(-b)", "<=", "exp(-d)", "refuted", says="its bound", unknowns=TWO_DISTANCES
        ),
        comparison_check(
            "abs(a + b - (c + d))",
            "==",
            "abs(a - c) + abs(b - d)",
            "refuted",
            says="from counts of values to counts of tuples",
            unknowns=FOUR_COUNTS,
        ),
        comparison_check(
            "(1 + q)/(1 + 2*q)",
            "==",
            "1",
            "refuted",
            says="the probabilities of M' with a sum over S(W), one value with two demands, t = 1",
            unknowns={"q": "0 < q and q < 1"},
        ),
        comparison_check(
            "exp(-a)/exp(-b)",
            "==",
            "exp(b)/exp(a)",
            role="repair",
            says="the ratio of the weights",
            unknowns=TWO_DISTANCES,
        ),
        comparison_check(
            "exp(-a)/exp(-b)",
            "<=",
            "exp(d)",
            role="repair",
            says="its bound",
            unknowns=TWO_DISTANCES,
        ),
        comparison_check(
            "abs(a + b - (c + d))",
            "<=",
            "abs(a - c) + abs(b - d)",
            role="repair",
            says="from counts of values to counts of tuples",
            unknowns=FOUR_COUNTS,
        ),
        comparison_check(
            "(1 + q)/(1 + q)",
            "==",
            "1",
            role="repair",
            says="the probabilities of M' with a sum over S(W_o)",
            unknowns={"q": "0 < q and q < 1"},
        ),
    ),
    note="The exponents have the wrong sign; counts of values differ by at most, not as much as, "
    "counts of tuples; the normaliser must run over S(W_o), or a value with two "
    "demands is counted twice. Slips without content: r(x) is eps_l(x), sums over (x, eps) in X "
    "for W, D(S) for its projection, "
    "S in W_o for S(W_o), h = -oo, lim t oo, M for M'.",
    section="A.4",
)


# claim:4 (A): the power against one known record of demand eps is at most 1/(1 + exp(-eps)).
EPS_AND_LOG_2 = Domain([(1, name("eps")), (2, log(2))])


ROWS = (
    POWER_HETEROGENEOUS,
    LEAST_DEMAND,
    CLAIM_3_A1,
    CLAIM_3_A2,
    CLAIM_3_B1,
    CLAIM_3_B2,
    CLAIM_3_PROOF_M,
    CLAIM_3_PROOF_REST,
)
