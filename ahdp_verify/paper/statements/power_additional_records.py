"""Section 4.1: the power against additional records, where all demands are the same."""

from __future__ import annotations

from dataclasses import replace

from ahdp_verify import Domain, name
from ahdp_verify.analysis.power import best_powers, extra_records
from ahdp_verify.paper.statements.power import VALUES_AND_Q
from ahdp_verify.paper.statements.questions import (
    argument_check,
    best_power_check,
    claim_check,
    comparison_check,
    decimal_check,
    optimum_formula_check,
)
from ahdp_verify.paper.statements.row import Check, PaperRow

# claim:2 (A1): against many additional records the power is at most (1 - q)^k in the limit;
# this is not tight.
GEOMETRIC_SUM = {"q": "0 <= q and q < 1", "w": "w >= 0"}
CLAIM_2_A1 = PaperRow(
    identifier="claim_2_a1",
    label="claim:2 (A1)",
    says=r"$\lim_{t \to \infty} P(M, H_t) \le (1 - e^{-\epsilon})^k$ for any $\epsilon$-DP "
    r"mechanism in the add-remove model.",
    checks=(  # q = exp(-eps)
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o: hypothesis by hypothesis",
        ),
        argument_check(
            "paper/power-ball-bound.toml",
            "proved",
            says="the power is at most 1 over the sum of the weights",
        ),
        comparison_check(
            "(1 - w)/(1 - q) + w",
            "==",
            "(1 - w*q)/(1 - q)",
            says="the weights of one value's counts up to m, w = q^(m + 1): one more",
            unknowns=GEOMETRIC_SUM,
            given=(
                "induction over the largest count",
                "a sum of products over a box is the product of the sums",
            ),
        ),
        argument_check(
            "paper/power-upper-bound-box-of-additions.toml",
            "proved",
            says="eps > 0, before the limit",
        ),
        comparison_check(
            "p",
            "<=",
            "1/m",
            says="eps = 0: every hypothesis has weight 1, and there are more than m of them",
            unknowns={"m": "m >= 1", "Z": "Z >= m", "p": "p >= 0 and p*Z <= 1"},
            given=("limits: q^m and 1/m tend to 0",),
        ),
        comparison_check(
            "(1 - q)/(1 + q)",
            "<",
            "1 - q",
            role="more",
            says="the exact limit (S1) is less",
            unknowns={"q": "0 < q and q < 1"},
        ),
        decimal_check(
            lambda: "(1 - exp(-1/2))^2",
            "0.15481812174618",
            "more",
            "printed bound, k = 2, eps = 1/2",
        ),
        decimal_check(
            lambda: "((1 - exp(-1/2))/(1 + exp(-1/2)))^2",
            "0.059985151193622",
            "more",
            "exact limit, k = 2, eps = 1/2",
        ),
    ),
    note="The exact limit is ((1 - q)/(1 + q))^k with q = e^-eps, see S1.",
    section="4.1",
)


# claim:2 (A2): against at most one additional record the power is at most 1/(1 + k q), which is
# attained.
def one_record_formula(k: int, *, everywhere: bool) -> Check:
    """The optimum for all eps."""
    domain = Domain([(i, name("eps")) for i in range(1, k + 1)])
    return optimum_formula_check(
        lambda: best_powers(
            domain, extra_records(1), parameters={"eps": "eps > 0"}, everywhere=everywhere
        ),
        "eps > 0",
        f"1/(1 + {k}*exp(-eps))",
        "more",
        f"k = {k}, all eps > 0{', all datasets' if everywhere else ''}",
    )


CLAIM_2_A2 = PaperRow(
    identifier="claim_2_a2",
    label="claim:2 (A2)",
    says=r"$P(M, H_1) \le \frac{1}{1 + k e^{-\epsilon}}$ for any $\epsilon$-DP mechanism in the "
    r"add-remove model.",
    checks=(
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o: hypothesis by hypothesis",
        ),
        argument_check("paper/power-upper-bound-one-addition.toml", "proved", says="all k and eps"),
        *(one_record_formula(k, everywhere=True) for k in (1, 2, 3)),
        one_record_formula(4, everywhere=False),
        *(
            best_power_check(", ".join([f"log({base})"] * k), 1, f"1/(1 + {k}/{base})", "more")
            for k in (1, 2, 3, 4)
            for base in (2, 3, 10)
        ),
    ),
    section="4.1",
)
# claim:2 (B1): the power against many additional records is at least ((1 - q)/(1 + q))^k, by
# geometric noise on the counts.
OTHER_TUPLES = "other tuples cost what one other tuple costs (law pull_back)"
Q_BELOW_1 = {"q": "0 < q and q < 1"}
GEOMETRIC_NOISE = (  # also that of claim:3 (B1), with q_x for q
    claim_check(
        "paper/geometric-count-of-one-value-any-others.toml",
        1,
        "proved",
        says="one value's count with two-sided geometric noise, all eps > 0: private at the demand",
        given=(
            "independent coordinates: their levels add (law product), by induction over the values",
            OTHER_TUPLES,
        ),
    ),
    claim_check("laws/product.toml", 1, "proved", says="independent releases"),
    comparison_check(
        "(1 - q)/(1 + q) + 2*(1 - q)/(1 + q)*(q/(1 - q))",
        "==",
        "1",
        says="noise is 0 with probability (1 - q)/(1 + q): the probabilities add up to 1",
        unknowns=Q_BELOW_1,
        given=(
            "geometric sums",
            "the test that clamps the counts and returns them is right when there is no noise",
        ),
    ),
    comparison_check(
        "(1 - q)/(1 + q)", "==", "0", says="eps = 0: the bound is 0", unknowns={"q": "q == 1"}
    ),
)
GEOMETRIC_COUNTS = {  # the files of that mechanism, by the number of values
    1: "paper/geometric-counts-one-value-every-demand.toml",
    2: "paper/geometric-counts-two-values-every-demand.toml",
    3: "paper/geometric-counts-three-values-every-demand.toml",
}
GEOMETRIC_NOISE_INSTEAD = tuple(replace(check, role="repair") for check in GEOMETRIC_NOISE)
CLAIM_2_B1 = PaperRow(
    identifier="claim_2_b1",
    label="claim:2 (B1)",
    says=r"There is an $\epsilon$-DP mechanism $M'$ (add-remove) with $\lim_{t \to \infty} P(M', "
    r"H_t) \ge \left(\frac{1 - e^{-\epsilon}}{1 + e^{-\epsilon}}\right)^k$.",
    checks=(
        *GEOMETRIC_NOISE,
        claim_check(
            "paper/geometric-count-of-one-value-any-others.toml",
            2,
            "refuted",
            "more",
            says="at no lower level",
        ),
        *(
            claim_check(
                GEOMETRIC_COUNTS[k],
                1,
                "proved",
                "more",
                says=f"k = {k}, all demands",
            )
            for k in (1, 2, 3)
        ),
        claim_check(
            "paper/multiset-weights-sizes-0-to-2-as-printed.toml",
            1,
            "refuted",
            "more",
            says="M' of the proof at k = 1, t = 2, all eps",
        ),
    ),
    note="True, but not by the proof: its M' is not private (E1), and its last display inverts the "
    "fraction (E2). Two-sided geometric noise on the counts is private and attains the bound for "
    "every t (E3).",
    section="4.1",
)
# claim:2 (B2): the power against at most one additional record is at least 1/(1 + k q).
ONE_ROW_TO_ANOTHER = (
    "adding a record changes the row only from that of D_o to that of its value, or from one "
    "value's to another's",
    "a bound on each of finitely many outputs is one on every event",
)
ONE_RECORD_GUESS = (
    comparison_check(
        "p + k*(p*q)",
        "==",
        "1",
        says="the right guess has probability p = 1/(1 + k q), each of the k other ones p q: they "
        "add up to 1",
        unknowns={**VALUES_AND_Q, "p": "p == 1/(1 + k*q)"},
    ),
    comparison_check(
        "1",
        "<=",
        "1/q*q",
        says="from one row to another, where the first guesses right: p against p q",
        unknowns=VALUES_AND_Q,
        given=ONE_ROW_TO_ANOTHER,
    ),
    comparison_check(
        "q",
        "<=",
        "1/q",
        says="where the second guesses right: p q against p",
        unknowns=VALUES_AND_Q,
    ),
    comparison_check(
        "q", "<=", "1/q*q", says="where both are wrong: p q against p q", unknowns=VALUES_AND_Q
    ),
)
CLAIM_2_B2 = PaperRow(
    identifier="claim_2_b2",
    label="claim:2 (B2)",
    says=r"There is an $\epsilon$-DP mechanism $M''$ (add-remove) with $P(M'', H_1) \ge "
    r"\frac{1}{1 + k e^{-\epsilon}}$.",
    checks=(
        *ONE_RECORD_GUESS,
        *(one_record_formula(k, everywhere=True) for k in (1, 2, 3)),
        claim_check(
            "paper/guess-one-more-record-simple-extension-equal-demands.toml",
            1,
            "proved",
            "more",
            says="k = 2, all eps > 0, the row of D_o on all larger datasets",
        ),
        claim_check(
            "paper/multiset-weights-2-values-1-more-every-eps.toml",
            1,
            "refuted",
            "more",
            says="M' of the proof at k = 2, t = 1, all eps",
        ),
    ),
    note="True, but not by the proof: its M' is not private for k >= 2, t = 1 (E1). Guessing by "
    "the row of D_o, or of one value that the dataset has more of than D_o, "
    "is private on all datasets and has this power (E4).",
    section="4.1",
)
# claim:2, proof: M' is said to be eps-DP on all datasets; its normaliser makes it worse, for
# all eps.
CLAIM_2_PROOF_M = PaperRow(
    identifier="claim_2_proof_m",
    label="claim:2, proof: M'",
    says=r"It is easy to verify that $M'$, with $\Pr\{M'(D) = D'\} \propto e^{-\epsilon d(D, "
    r"D')}$ on $H_t$, is $\epsilon$-DP on the whole of $S(X)$.",
    checks=(
        argument_check(
            "paper/multiset-weights-argument-as-printed.toml",
            "refuted",
            says="the step from the weights to the probabilities",
        ),
        claim_check(
            "paper/multiset-weights-sizes-0-to-2-as-printed.toml",
            1,
            "refuted",
            says="k = 1, t = 2, all eps",
        ),
        claim_check(
            "paper/multiset-weights-2-values-1-more-every-eps-small-datasets.toml",
            1,
            "refuted",
            says="k = 2, t = 1, inside H_1",
        ),
        claim_check(
            "paper/multiset-weights-2-values-1-more-every-eps.toml",
            1,
            "refuted",
            says="k = 2, t = 1, on all datasets",
        ),
        *GEOMETRIC_NOISE_INSTEAD,
        claim_check(
            "paper/multiset-weights-sizes-0-to-2-as-printed.toml",
            2,
            "proved",
            "more",
            says="the exact level at k = 1, t = 2",
        ),
        comparison_check(
            "(1 + 2*q)/(q*(1 + q + q^2))",
            "==",
            "16/7",
            role="more",
            says="the ratio at k = 1, t = 2, q = 1/2",
            unknowns={"q": "q == 1/2"},
        ),
        claim_check(
            "paper/multiset-weights-1-value-1-more-q-half.toml",
            1,
            "proved",
            "more",
            says="k = 1, t = 1 is fine, q = 1/2",
        ),
        argument_check(
            "paper/multiset-weights-argument-twice-eps.toml",
            "proved",
            role="more",
            says="2 eps does hold (in general: S10)",
            only="k = 1, t = 2, one output",
        ),
    ),
    note="M' is the exponential mechanism without its factor 1/2 and keeps 2 eps only; geometric "
    "noise on the counts does what M' should do.",
    section="A.4",
)
# claim:2, the rest of the proof: an inverted fraction, and an equality that is an inequality.
SUMS_OVER_A_BOX = ("geometric sums", "a sum of products over a box is the product of the sums")
TWO_PRIORS = {"q": "0 < q and q <= 1", "a": "0 <= a and a <= 1", "b": "0 <= b and a + q*b <= 1"}
CLAIM_2_PROOF_REST = PaperRow(
    identifier="claim_2_proof_rest",
    label="claim:2, proof: the rest",
    says=r"$\sum_S (1 - e(S)) \pi_o(S) = 1 / \sum_S e^{-|S| \epsilon}$, and thus $P(M', H_t) \ge "
    r"\left(\frac{1 + e^{-\epsilon}}{1 - e^{-\epsilon}}\right)^k$.",
    checks=(
        argument_check(
            "paper/power-lower-bound-any-number-of-values-inverted.toml",
            "refuted",
            says="the last display, all k",
        ),
        comparison_check(
            "(a + q*b)/(1 + q)",
            "==",
            "1/(1 + q)",
            "refuted",
            says="the sum with pi_o, k = 1, t = 1",
            unknowns=TWO_PRIORS,
        ),
        argument_check(
            "paper/power-lower-bound-any-number-of-values.toml",
            "proved",
            role="repair",
            given=SUMS_OVER_A_BOX,
            says="the last display, all k: the normaliser is at most the product of sums over all "
            "whole numbers",
        ),
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            role="repair",
            says="what is named on D_o: hypothesis by hypothesis",
        ),
        argument_check(
            "paper/power-ball-bound.toml",
            "proved",
            role="repair",
            says="so the sum with pi_o is at most 1 over the sum of the weights",
        ),
    ),
    note="The last display must read ((1 - q)/(1 + q))^k with q = e^-eps, the sum with pi_o is at "
    "most, not equal to, that quotient. "
    "Slips without content: (B1) and (A) stand for (B2) and (B1), "
    "|S| >=_0 for |S| >= 0, D ~ pi has no meaning, D_o + {i} is meant by D_o u {i}.",
    section="A.4",
)


ROWS = (
    CLAIM_2_A1,
    CLAIM_2_A2,
    CLAIM_2_B1,
    CLAIM_2_B2,
    CLAIM_2_PROOF_M,
    CLAIM_2_PROOF_REST,
)
