"""Sections 4 and 4.1: AHDP as a bound on tests, and the power where all demands are the same."""

from __future__ import annotations

from ahdp_verify import Domain, Expression, Mechanism, exp, finite, log, name
from ahdp_verify.analysis.power import (
    BestMechanism,
    Power,
    best_power,
    best_powers,
    extra_records,
    one_more_record,
    power,
)
from ahdp_verify.analysis.testing import Errors, error_rates
from ahdp_verify.catalogue import k_ary_response
from ahdp_verify.paper.statements.questions import (
    BY_ERRORS,
    argument_check,
    claim_check,
    comparison_check,
    mechanism_in_file,
    optimum_check,
    optimum_formula_check,
    power_check,
)
from ahdp_verify.paper.statements.row import Check, PaperRow

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


ROWS = (
    THM_HT,
    POWER_HOMOGENEOUS,
    POWER_GUESS,
    POWER_BAYES,
    CLAIM_1_A,
    CLAIM_1_B,
)
