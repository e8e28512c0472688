"""Sections 4 and 4.1: AHDP as a bound on tests, and the power where all demands are the same."""

from __future__ import annotations

from dataclasses import replace

from ahdp_verify import Domain, Expression, Mechanism, exp, finite, log, name
from ahdp_verify.analysis.power import (
    BestMechanism,
    Power,
    best_power,
    best_powers,
    extra_records,
    limit_bound,
    limit_power,
    one_more_record,
    one_record_power,
    power,
    swap_power,
)
from ahdp_verify.analysis.testing import Errors, error_rates
from ahdp_verify.catalogue import k_ary_response
from ahdp_verify.paper.statements.questions import (
    BY_ERRORS,
    argument_check,
    best_power_check,
    claim_check,
    comparison_check,
    decimal_check,
    mechanism_in_file,
    optimum_check,
    optimum_formula_check,
    power_check,
)
from ahdp_verify.paper.statements.row import Check, PaperRow, Role

# thm:HT: AHDP is a bound on the errors of every test.
BOUND_ON_ACCEPTANCE = {
    "u": "u >= 1",
    "e2": "0 <= e2 and e2 <= 1",
    "e1": "0 <= e1 and 1 - e1 <= u*e2",
}
BOUND_ON_ERRORS = {"u": "u >= 1", "e2": "0 <= e2 and e2 <= 1", "e1": "0 <= e1 and e1 + u*e2 >= 1"}
ONE_ORDER_ONLY = {
    "u": "u >= 1",
    "q": "0 <= q and q <= 1",
    "p": "0 <= p and p <= 1 and p <= u*q and 1 - p <= u*(1 - q)",
}
FACTOR = {"u": "u >= 1"}


def errors_of_test(
    file: str, before: object, after: object, event: str, **parameters: object
) -> Errors:
    """The errors of a test against the mechanism in a file."""
    return error_rates(mechanism_in_file(file), before, after, event, parameters=parameters)


def errors_at_infinite_distance() -> Expression:
    """e1 + u e2 for the size of {} and {(x, oo)}, with the test n >= 1: which factor u is taken
    makes no difference.
    """
    found = errors_of_test("paper/exact-size-infinite-demand.toml", [0], [1], "n >= 1")
    return found.type_one + name("u") * found.type_two


def errors_at_level_1() -> Expression:
    """e1 + e^1 e2 for randomised response at level 1."""
    found = errors_of_test(
        "paper/randomised-response-meets-testing-bound.toml", 0, 1, "s == 1", eps=1
    )
    return found.type_one + exp(1) * found.type_two


THM_HT = PaperRow(
    identifier="thm_ht",
    label="thm:HT",
    says=r"$M$ is $\alpha$-AHDP iff $e_I + e^{d_\alpha(D, D')} e_{II} \ge 1$ for all $D, D'$ and "
    r"all rejection regions.",
    checks=(
        comparison_check(
            errors_at_infinite_distance,
            ">=",
            "1",
            "refuted",
            says="at an infinite distance with oo * 0 = 0: the size tells {} from {(x, oo)} with "
            "both errors 0",
            unknowns=FACTOR,
            given=BY_ERRORS,
        ),
        claim_check(
            "paper/exact-size-infinite-demand.toml", 1, "proved", "more", "that mechanism is AHDP"
        ),
        comparison_check(
            "e1 + u*e2",
            ">=",
            "1",
            role="repair",
            says="at a finite distance, from the bound on the region where D is accepted",
            unknowns=BOUND_ON_ACCEPTANCE,
        ),
        comparison_check(
            "1 - e1",
            "<=",
            "u*e2",
            role="repair",
            says="and back: the region of acceptance may be any event",
            unknowns=BOUND_ON_ERRORS,
        ),
        comparison_check(
            "q",
            "<=",
            "u*p",
            "refuted",
            "more",
            "with one order of D and D' only it would be false",
            unknowns=ONE_ORDER_ONLY,
        ),
        comparison_check(
            errors_at_level_1,
            "==",
            1,
            role="more",
            says="randomised response at level 1 attains equality",
            given=BY_ERRORS,
        ),
    ),
    note="It holds for pairs at finite distance, in both orders (or with oo * 0 = oo, against the "
    "convention of the distance).",
    section="4",
)


# def:capHomo: the power is the greatest least probability, over tests, of naming the true dataset;
# it is attained.
RESPONSE_OF_3 = "randomised response of 3 values, q = 1/2"

POWER_HOMOGENEOUS = PaperRow(
    identifier="power_homogeneous",
    label="def:capHomo",
    says=r"$P(M, H) = \max_\psi \min_{D \in H} \Pr\{\psi(M(D)) = D\}$.",
    checks=(
        power_check(
            lambda: power(k_ary_response((1, 2, 3), log(2)), [1, 2, 3]),
            "1/2",
            says="a test attains the maximum 1/(1 + 2 q), and a prior shows that none exceeds it",
            only=RESPONSE_OF_3,
        ),
    ),
    note="A definition; that there is a maximum is seen in one case here. In general it is a fact "
    "about finitely many hypotheses with densities.",
    section="4.1",
)


# The power is at least 1/|H|, by a blind guess, and not smaller for fewer hypotheses.
FEWER_HYPOTHESES = {"p": "p >= 0", "a": "a >= p", "b": "b >= p", "r": "r >= 0"}
TWO_AT_LOG_2 = Domain([("a", log(2)), ("b", log(2))])
COIN = Mechanism(
    TWO_AT_LOG_2,
    outputs=[finite("s", [0, 1])],
    density="1/2",
    name="coin",
)

POWER_GUESS = PaperRow(
    identifier="power_guess",
    label="P >= 1/|H|",
    says=r"$P(M, H) \ge \frac{1}{|H|}$ for any mechanism, by a uniformly random test, so that the "
    r"power is larger for fewer hypotheses.",
    checks=(
        comparison_check(
            "chance*(1/n)",
            ">=",
            "1/n",
            says="outputs have total probability 1, and on each a blind guess is right with "
            "probability 1/n",
            unknowns={"n": "n >= 1", "chance": "chance == 1"},
        ),
        comparison_check(
            "a + r",
            ">=",
            "p",
            says="with fewer hypotheses a test names a remaining one where it named "
            "another, so no probability falls",
            unknowns=FEWER_HYPOTHESES,
        ),
        power_check(
            lambda: power(COIN, extra_records(2)),
            "1/6",
            "more",
            "a mechanism that tells nothing, two values, t = 2: 6 hypotheses",
        ),
    ),
    section="4.1",
)


# The power is the Bayes success under the least favourable prior, where the paper says error.
def power_of_response() -> Power:
    """The power against randomised response of 2 values at q = 1/2."""
    return power(k_ary_response((1, 2), log(2)), [1, 2])


POWER_BAYES = PaperRow(
    identifier="power_bayes",
    label="Bayes error",
    says=r"The power can equivalently be viewed as the Bayes error over the worst-case prior.",
    checks=(
        comparison_check(
            lambda: power_of_response().value,
            "==",
            lambda: 1 - power_of_response().value,
            "refuted",
            says="power and Bayes error, randomised response of 2 values, q = 1/2",
        ),
        argument_check(
            "paper/power-bound-from-a-prior-one-more-hypothesis.toml",
            "proved",
            role="repair",
            says="no prior gives a Bayes test a smaller success probability than the power",
        ),
    ),
    note="It is the Bayes success, 1 minus the Bayes error, under the least favourable prior.",
    section="4.1",
)


# claim:1 (A): under swap DP the power against one unknown record of k values is at most 1/(1 +
# (k - 1) q).
def swap_optimum(k: int, n: int, base: int) -> Check:
    """The optimum at q = 1/base, private on all datasets of n records, of which n - 1 are seen."""

    def make() -> BestMechanism:
        domain = Domain([(i, log(base)) for i in range(1, k + 1)])
        return best_power(domain, one_more_record([n - 1, *[0] * (k - 1)]), "swap", everywhere=True)

    return optimum_check(
        make,
        f"1/(1 + ({k} - 1)/{base})",
        "more",
        f"k = {k}, n = {n}, q = 1/{base}, all datasets of that size",
    )


def swap_formula(k: int) -> Check:
    """The optimum for all eps."""
    domain = Domain([(i, name("eps")) for i in range(1, k + 1)])
    return optimum_formula_check(
        lambda: best_powers(
            domain, one_more_record(), "swap", parameters={"eps": "eps > 0"}, everywhere=True
        ),
        "eps > 0",
        f"1/(1 + ({k} - 1)*exp(-eps))",
        "more",
        f"k = {k}, all eps > 0",
    )


CLAIM_1_A = PaperRow(
    identifier="claim_1_a",
    label="claim:1 (A)",
    says=r"Under $\epsilon$-DP in the swap model, with $k$ values, $P(M, H) \le \frac{1}{1 + (k - "
    r"1) e^{-\epsilon}}$.",
    checks=(
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_j: hypothesis by hypothesis",
        ),
        argument_check(
            "paper/power-upper-bound-datasets-of-one-size.toml", "proved", says="all k and eps"
        ),
        *map(swap_formula, (2, 3, 4)),
        *(
            swap_optimum(k, n, base)
            for k, n in ((2, 1), (2, 2), (2, 4), (3, 1), (3, 2), (3, 3), (4, 2))
            for base in (2, 3)
        ),
    ),
    section="4.1",
)


# claim:1 (B): randomised response on the hypotheses, the uniform answer on all other datasets
# of that size, attains the bound of (A).
VALUES_AND_Q = {"k": "k >= 1", "q": "0 < q and q <= 1"}
# the probability of the true hypothesis, of another one, and of each off the hypotheses
RIGHT_GUESS, WRONG_GUESS, UNIFORM_GUESS = (
    "1/(1 + (k - 1)*q)",
    "q/(1 + (k - 1)*q)",
    "1/k",
)


def response_allowed(p: str, r: str, says: str) -> Check:
    """That the level allows a probability to become another one."""
    return comparison_check(
        p,
        "<=",
        f"1/q*({r})",
        role="repair",
        says=says,
        unknowns=VALUES_AND_Q,
        given=("a bound on each of finitely many outputs is one on every event",),
    )


CLAIM_1_B = PaperRow(
    identifier="claim_1_b",
    label="claim:1 (B)",
    says=r"Randomised response on $H$, an $\epsilon$-DP mechanism $M'$, has $P(M', H) \ge "
    r"\frac{1}{1 + (k - 1) e^{-\epsilon}}$.",
    checks=(
        claim_check(
            "paper/randomised-response-on-two-hypotheses-as-printed.toml",
            1,
            "refused",
            says="M' as printed, k = 2, n = 2",
        ),
        comparison_check(
            f"{RIGHT_GUESS} + (k - 1)*({WRONG_GUESS})",
            "==",
            "1",
            role="repair",
            says="the probabilities add up to 1",
            unknowns=VALUES_AND_Q,
        ),
        response_allowed(
            RIGHT_GUESS, WRONG_GUESS, "from one hypothesis to another, its own output"
        ),
        response_allowed(
            WRONG_GUESS, RIGHT_GUESS, "from one hypothesis to another, the output of the other"
        ),
        response_allowed(
            RIGHT_GUESS, UNIFORM_GUESS, "from a hypothesis to another dataset, its own output"
        ),
        response_allowed(
            WRONG_GUESS, UNIFORM_GUESS, "from a hypothesis to another dataset, another output"
        ),
        response_allowed(
            UNIFORM_GUESS, RIGHT_GUESS, "from another dataset to a hypothesis, its own output"
        ),
        response_allowed(
            UNIFORM_GUESS, WRONG_GUESS, "from another dataset to a hypothesis, another output"
        ),
        *(
            claim_check(
                f"paper/randomised-response-{n}-records-{k}-values.toml",
                1,
                "proved",
                "more",
                says=f"all eps > 0, k = {k}, n = {n}",
            )
            for k, n in ((2, 2), (2, 3), (3, 3), (4, 2))
        ),
    ),
    note="M' of the proof is defined on the hypotheses only; on all other datasets of that size "
    "it may answer uniformly, which keeps it private and its power.",
    section="4.1",
)


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


# Text after claim:2: the limit of the power is lower than at t = 1, and t = 1 is comparable
# with the swap model.
EPS = name("eps")

AFTER_CLAIM_2 = PaperRow(
    identifier="after_claim_2",
    label="after claim:2",
    says=r"At $t = 1$ the add-remove and the swap model offer comparable protection, and for $t "
    r"\to \infty$ the power is lower than at $t = 1$.",
    checks=(
        comparison_check(
            "1/(1 + (k + 1 - 1)*q)",
            "==",
            "1/(1 + k*q)",
            says="with equally many hypotheses, k + 1, the two optima are equal",
            unknowns=VALUES_AND_Q,
            given=("claim:1 and claim:2",),
        ),
        comparison_check(
            "a + r",
            ">=",
            "p",
            says="a test for more extra records is one for fewer, which answers something else "
            "where it named too many; so the power does not grow with t",
            unknowns={"p": "p >= 0", "a": "a >= p", "r": "r >= 0"},
        ),
        comparison_check(
            "(1 - q)*(1 + q)",
            "<",
            "1",
            says="(1 - q)^k (1 + k q) < 1 for one value: the bound of (A1) is below the optimum "
            "at t = 1",
            unknowns=VALUES_AND_Q,
            given=("induction over the number of values",),
        ),
        comparison_check(
            "b*(1 - q)*(1 + (k + 1)*q)",
            "<",
            "1",
            says="and for one more, b = (1 - q)^k",
            unknowns={**VALUES_AND_Q, "b": "b >= 0 and b*(1 + k*q) < 1"},
        ),
        *(
            comparison_check(
                swap_power(k + 1, EPS),
                "==",
                one_record_power(Domain([(i, EPS) for i in range(k)])),
                role="more",
                says=f"{k + 1} hypotheses",
                unknowns={"eps": "eps > 0"},
            )
            for k in (1, 2, 3)
        ),
    ),
    section="4.1",
)


# fig:cap: the bounds of the power for eps = 1/2 as the number of values grows; STATEMENTS O4.
CURVES = (
    "swap, one unknown record",
    "at most one extra record",
    "many extra records, the paper's bound",
    "many extra records, exact",
)
HEIGHTS_BY_K = {
    1: ("1", "0.62245933120185", "0.39346934028737", "0.24491866240371"),
    2: ("0.62245933120185", "0.45186276187761", "0.15481812174618", "0.059985151193622"),
    3: ("0.45186276187761", "0.35466124439244", "0.060916184227997", "0.014691482994426"),
    5: ("0.29187513274058", "0.24797569390761", "0.0094309292261225", "0.00088127082867918"),
    10: ("0.15482809896025", "0.14153667448865", "0.000088942426068131", "0.00000077663827348089"),
}


def curve_heights(k: int, eps: object) -> tuple[Expression, ...]:
    """The heights of the four curves for k values of demand eps."""
    domain = Domain([(i, eps) for i in range(k)])
    return (
        swap_power(k, eps),
        one_record_power(domain),
        limit_bound(domain),
        limit_power(domain),
    )


def points_on_curves(k: int, eps: object, printed: tuple[str, ...]) -> tuple[Check, ...]:
    """That the curves pass through these points; the last one is not in the paper."""

    def height(i: int) -> Check:
        role: Role = "more" if i == len(CURVES) - 1 else "printed"
        return decimal_check(
            lambda: curve_heights(k, eps)[i],
            printed[i],
            role,
            f"{CURVES[i]}, k = {k}, eps = {eps}",
            only=f"k = {k}, eps = {eps}",
        )

    return tuple(map(height, range(len(CURVES))))


FIG_CAP = PaperRow(
    identifier="fig_cap",
    label="fig:cap",
    says=r"Upper bounds of the power for claim:1, claim:2 at $t = 1$ and claim:2 for $t \to "
    r"\infty$ as $k$ varies, $\epsilon = 0.5$.",
    checks=tuple(
        check
        for k, printed in HEIGHTS_BY_K.items()
        for check in points_on_curves(k, "1/2", printed)
    ),
    note="The curve for t to infinity should be the exact limit ((1 - q)/(1 + q))^k with q = "
    "e^-eps (S1).",
    section="4.1",
    figures=("cap",),
)


# fig:cap-2: the bounds of the power for two values as eps grows, and the blind guesses;
# STATEMENTS O4.
HEIGHTS_BY_EPS = {
    "1/10": ("0.52497918747894", "0.35591307120722", "0.0090559170060627", "0.0024958392284321"),
    "1": ("0.73105857863", "0.57611688476583", "0.39957640089373", "0.21355226703407"),
    "2": ("0.88079707797788", "0.7869860421616", "0.74764507241551", "0.58002565838597"),
    "5": ("0.99330714907572", "0.98670329104227", "0.98656950593159", "0.97340777331684"),
}

FIG_CAP_2 = PaperRow(
    identifier="fig_cap_2",
    label="fig:cap-2",
    says=r"The same bounds as $\epsilon$ varies, $k = 2$, with the trivial lower bounds "
    r"$\frac{1}{|H|}$.",
    checks=(
        *(
            check
            for eps, printed in HEIGHTS_BY_EPS.items()
            for check in points_on_curves(2, eps, printed)
        ),
        comparison_check(
            lambda: len(one_more_record()(TWO_AT_LOG_2).datasets),
            "==",
            2,
            says="swap: 2 hypotheses, so the blind guess is 1/2",
        ),
        comparison_check(
            lambda: len(extra_records(1)(TWO_AT_LOG_2).datasets),
            "==",
            3,
            says="at most one extra record: 3 hypotheses, so the blind guess is 1/3",
        ),
        comparison_check(
            lambda: len(extra_records(9)(TWO_AT_LOG_2).datasets),
            "==",
            "(9 + 1)*(9 + 2)/2",
            role="more",
            says="at most 9 extra records",
        ),
        comparison_check(
            "1/((t + 1)*(t + 2)/2)",
            "<",
            "1/t",
            says="at most t: (t + 1)(t + 2)/2 hypotheses, so the blind guess tends to 0",
            unknowns={"t": "t >= 1"},
            given=("limits: 1/t tends to 0",),
        ),
    ),
    note="The curve for t to infinity should be the exact limit ((1 - q)/(1 + q))^k with q = "
    "e^-eps (S1).",
    section="4.1",
    figures=("cap-2",),
)


ROWS = (
    THM_HT,
    POWER_HOMOGENEOUS,
    POWER_GUESS,
    POWER_BAYES,
    CLAIM_1_A,
    CLAIM_1_B,
    CLAIM_2_A1,
    CLAIM_2_A2,
    CLAIM_2_B1,
    CLAIM_2_B2,
    CLAIM_2_PROOF_M,
    CLAIM_2_PROOF_REST,
    AFTER_CLAIM_2,
    FIG_CAP,
    FIG_CAP_2,
)
