"""Section 4.3 and what Section 4 says beside its claims: one known record, the odds of two
datasets, and datasets of known length.
"""

from __future__ import annotations

from ahdp_verify import Domain, log, name, number, oo
from ahdp_verify.analysis.power import (
    Power,
    best_power,
    best_powers,
    known_record,
    one_more_record,
    power,
)
from ahdp_verify.analysis.testing import odds_range
from ahdp_verify.paper.statements.power_additional_records import OTHER_TUPLES
from ahdp_verify.paper.statements.power_heterogeneous import EPS_AND_LOG_2
from ahdp_verify.paper.statements.questions import (
    BY_ERRORS,
    argument_check,
    claim_check,
    claim_checks,
    comparison_check,
    mechanism_in_file,
    optimum_check,
    optimum_formula_check,
    power_check,
)
from ahdp_verify.paper.statements.row import Check, PaperRow

CLAIM_4_A = PaperRow(
    identifier="claim_4_a",
    label="claim:4 (A)",
    says=r"$P(M, H(x, \epsilon)) \le \frac{1}{1 + e^{-\epsilon}}$ for any $W$-AHDP mechanism.",
    checks=(
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o",
        ),
        argument_check("paper/power-upper-bound-presence.toml", "proved", says="all eps"),
        optimum_formula_check(
            lambda: best_powers(
                EPS_AND_LOG_2,
                known_record((1, name("eps"))),
                parameters={"eps": "eps > 0"},
                everywhere=True,
            ),
            "eps > 0",
            "1/(1 + exp(-eps))",
            "more",
            "all eps > 0, all datasets of W = {(1, eps), (2, log 2)}",
        ),
        *(
            optimum_check(
                lambda d=demand: best_power(  # type: ignore[misc]
                    Domain([(1, d)]), known_record((1, d))
                ),
                value,
                "more",
                f"eps = {demand}",
            )
            for demand, value in ((log(2), "2/3"), (log(3), "3/4"), (number(0), "1/2"))
        ),
    ),
    section="4.2",
)
# claim:4 (B): M' of the proof is W-AHDP on all datasets and has the power 1/(1 + exp(-eps)).
DEMAND_AND_SEEN = {"e": "e >= 0", "n": "n >= 0"}


def right_guess(count: str, guess: str, says: str) -> Check:
    """The probability that M' names the true dataset, from the law in the file."""
    weights = [f"exp(-e*abs({count} - n - {s}))" for s in ("0", "1")]
    return comparison_check(
        f"exp(-e*abs({count} - n - {guess}))/({' + '.join(weights)})",
        "==",
        "1/(1 + exp(-e))",
        says=says,
        unknowns=DEMAND_AND_SEEN,
    )


CLAIM_4_B = PaperRow(
    identifier="claim_4_b",
    label="claim:4 (B)",
    says=r"$M'$ with $\Pr\{M'(D) = D'\} \propto e^{-d_\alpha(D, D')}$ on $H(x, \epsilon)$ is "
    r"$W$-AHDP, and $P(M', H(x, \epsilon)) \ge \frac{1}{1 + e^{-\epsilon}}$.",
    checks=(
        *claim_checks(
            "paper/guess-presence-every-demand-as-printed.toml",
            "proved",
            says="all demands, all datasets, any D_o",
            given=(OTHER_TUPLES,),
        ),
        claim_check(
            "paper/one-more-record-without-demand.toml",
            1,
            "proved",
            says="a record of demand oo: a truthful answer",
        ),
        right_guess("n", "0", "the probability of naming D_o on it"),
        right_guess("(n + 1)", "1", "the probability of naming D_o with one more record on it"),
        *claim_checks(
            "paper/guess-presence-every-demand-as-printed.toml",
            "proved",
            "proved",
            "refuted",
            role="more",
            says="its exact level",
        )[1:],
    ),
    section="4.2",
)
# claim:4, proof: the exponent of its first display has the wrong sign.
CLAIM_4_PROOF = PaperRow(
    identifier="claim_4_proof",
    label="claim:4, proof",
    says=r"$1 - \Pr\{\psi(M(D_o + x)) = D_o\} \le e^{-\epsilon} \Pr\{\psi(M(D_o)) = D_o + x\}$ by "
    r"the AHDP guarantee.",
    checks=(
        argument_check(
            "paper/power-upper-bound-presence-wrong-exponent.toml",
            "refuted",
            says="the exponent as printed",
        ),
        argument_check(
            "paper/power-upper-bound-presence.toml",
            "proved",
            role="repair",
            says="the exponent + eps",
        ),
        comparison_check(
            "1/(1 + exp(e))",
            "<",
            "1/2",
            role="more",
            says="with the printed sign the power would be below that of a blind guess",
            unknowns={"e": "e > 0"},
        ),
    ),
    note='The exponent must be + eps. In the text after claim:4 "So such guarantee is provided" '
    'should be "No such guarantee is provided".',
    section="A.4",
)
# rem:power: where the size is known the power can be 1, for W = {(x1, 0), (x2, oo)}.
RECORDS_SEEN = {"n": "n >= 0"}
WHETHER_MORE = "piecewise((1, {count} > n), (0, true))"
POWER_REMARK = PaperRow(
    identifier="power_remark",
    label="rem:power",
    says=r"If $W = \{(x_1, 0), (x_2, \infty)\}$ and the dataset is $D_o + (x_1, 0)$ or $D_o + "
    r"(x_2, \infty)$, the power is $1$ for some $W$-AHDP mechanism.",
    checks=(
        claim_check(
            "paper/one-more-record-without-demand.toml",
            1,
            "proved",
            says="whether there is one more x_2 than in D_o",
        ),
        comparison_check(
            WHETHER_MORE.format(count="n"),
            "==",
            "0",
            says="it says no if the new record is x_1",
            unknowns=RECORDS_SEEN,
        ),
        comparison_check(
            WHETHER_MORE.format(count="n + 1"),
            "==",
            "1",
            says="it says yes if the new record is x_2",
            unknowns=RECORDS_SEEN,
        ),
        optimum_check(
            lambda: best_power(Domain([(1, 0), (2, oo)]), one_more_record()),
            "1",
            "more",
            "the best power with the size known",
        ),
    ),
    section="4.2",
)
# Section 4: the odds of two datasets change by at most the level.
BOUND_ON_DENSITIES = ("a bound on all events is one on the densities, almost everywhere",)
PRIORS_AND_DENSITIES = {
    "u": "u >= 1",
    "a": "a > 0",
    "b": "b > 0",
    "q": "q > 0",
    "p": "p > 0 and p <= u*q and q <= u*p",
}


def end_of_odds(which: int) -> object:
    """The least (0) or the largest (1) change of the odds that an answer of randomised response
    at level 1 makes.
    """
    mechanism = mechanism_in_file("paper/randomised-response-meets-testing-bound.toml")
    return odds_range(mechanism, 0, 1, parameters={"eps": 1})[which]


ODDS_DISPLAY = PaperRow(
    identifier="odds_display",
    label="Bayes odds",
    says=r"The posterior odds of two datasets differ from the prior odds by a factor between "
    r"$e^{-\epsilon}$ and $e^{\epsilon}$.",
    checks=(
        comparison_check(
            "a*p/(b*q)",
            "<=",
            "u*(a/b)",
            says="from above: p, q are the densities at the output, a, b the prior masses",
            unknowns=PRIORS_AND_DENSITIES,
            given=BOUND_ON_DENSITIES,
        ),
        comparison_check(
            "a*p/(b*q)",
            ">=",
            "a/(u*b)",
            says="from below",
            unknowns=PRIORS_AND_DENSITIES,
            given=BOUND_ON_DENSITIES,
        ),
        comparison_check(
            lambda: end_of_odds(1),
            "==",
            "exp(1)",
            role="more",
            says="randomised response at level 1 attains the upper end",
            given=BY_ERRORS,
        ),
        comparison_check(
            lambda: end_of_odds(0),
            "==",
            "exp(-1)",
            role="more",
            says="and the lower end",
            given=BY_ERRORS,
        ),
    ),
    note="For almost every output, where both datasets have positive prior mass.",
    section="4.3",
)
# Section 4: the length of the dataset is heterogeneously private, and tells everything; AHDP
# does not allow that.
DEMAND_0 = Domain([(1, 0)])
PERFECT_TEST = {"A": "0 <= A and A <= 1", "B": "0 <= B and B <= 1 and B <= exp(0)*(1 - A)"}
ANY_BASE = "one record more makes another size, whatever the others are"


def power_of_size() -> Power:
    """The power against the size of the dataset, of an adversary who knows all but one record."""
    return power(mechanism_in_file("paper/exact-size.toml"), known_record((0, 0)))


HDP_FAILS = PaperRow(
    identifier="hdp_fails",
    label="HDP fails: the length",
    says=r"The mechanism $M = $ length is HDP, and an adversary has power 1; under AHDP at demand "
    r"0 the power is 1/2.",
    checks=(
        comparison_check(
            "p",
            "<=",
            "exp(eps)*p",
            says="a change of data alone does not change the size",
            unknowns={"p": "0 <= p and p <= 1", "eps": "eps >= 0"},
        ),
        power_check(
            power_of_size,
            1,
            says="an adversary who knows all but one record finds out whether it is there",
            given=(ANY_BASE,),
        ),
        comparison_check(
            "min(A, B)",
            "<=",
            "1/2",
            says="under AHDP at demand 0 no test names D_o and D_o + (x, 0), each where it is "
            "true, with a probability above 1/2",
            unknowns=PERFECT_TEST,
            given=("what a classifier makes of a private output is private, prop:pp",),
        ),
        comparison_check(
            "chance*(1/2)",
            ">=",
            "1/2",
            says="and a blind guess has 1/2 on each output",
            unknowns={"chance": "chance == 1"},
        ),
        optimum_check(
            lambda: best_power(DEMAND_0, known_record(DEMAND_0.records[0])),
            "1/2",
            "more",
            "the best power, W = {(1, 0)}",
        ),
        claim_check("paper/exact-size.toml", 2, "proved", "more", "the size is HDP at level 0"),
        argument_check(
            "paper/power-upper-bound-presence.toml",
            "proved",
            "more",
            "the bound at any demand (claim:4)",
        ),
    ),
    section="4.3",
)


ROWS = (
    CLAIM_4_A,
    CLAIM_4_B,
    CLAIM_4_PROOF,
    POWER_REMARK,
    ODDS_DISPLAY,
    HDP_FAILS,
)
