"""Section 5: universal mechanisms, sampling, the exponential mechanism."""

from __future__ import annotations

from ahdp_verify.analysis.moments import bias
from ahdp_verify.paper.statements.questions import (
    BY_MOMENTS,
    argument_check,
    claim_check,
    claim_checks,
    comparison_check,
    least_level_check,
    mechanism_in_file,
)
from ahdp_verify.paper.statements.row import PaperRow

# Section 5: a mechanism for the demand of one domain need not suit a wider one.
WIDER = {"e": "e > 0", "s": "s >= 1"}

WIDER_DOMAIN = PaperRow(
    identifier="wider_domain",
    label="M_h on a wider domain",
    says=r"A homogeneous $\epsilon_h$-DP mechanism $M_h$ is not $\mathcal{W}'$-AHDP if "
    r"$\mathcal{W}'$ adds records of demand $\epsilon_h / 2$.",
    checks=(
        claim_check(
            "paper/constant-on-a-wider-domain.toml",
            1,
            "proved",
            says="a constant mechanism",
            denies=True,
        ),
        argument_check(
            "laws/weaken.toml",
            "proved",
            "repair",
            "if: a level of at most the demand eps_h/2 keeps it",
        ),
        comparison_check(
            "exp(-e*abs(s - 1))",
            ">",
            "exp(e/2)*exp(-e*abs(s))",
            role="repair",
            unknowns=WIDER,
            says="only if, for the sum at any e: a record (1, e/2) changes the density at s by "
            "more than its demand allows, for all s >= 1",
            given=(
                "a strict bound on densities is one on the event",
                "the exact level is the least upper bound of the losses",
            ),
        ),
        claim_check(
            "paper/homogeneous-sum-on-a-wider-domain.toml",
            1,
            "refuted",
            "more",
            "a sum whose exact level exceeds the new demand",
        ),
        claim_check(
            "paper/homogeneous-sum-on-a-wider-domain.toml", 2, "proved", "more", "its exact level"
        ),
    ),
    note="True if and only if the exact level of M_h at a record of demand eps_h/2 is above "
    "eps_h/2; a constant M_h is a counterexample.",
    section="5",
)


# def:uAHDP: universal mechanisms keep every demand of every domain.
ALONG_A_PATH = (
    "induction along the path",
    "two finite datasets have finitely many different records, which make a finite W",
)

DEF_UAHDP = PaperRow(
    identifier="def_uahdp",
    label="def:uAHDP",
    says=r"$M$ on $\mathcal{S}(\mathcal{X} \times \mathbb{R}_{\ge 0})$ is universal AHDP if it is "
    r"$\mathcal{W}$-AHDP for all finite $\mathcal{W}$.",
    checks=(
        argument_check(
            "laws/group.toml",
            "proved",
            says="the same as one bound: adding (x, eps) costs at most eps, for each finite D",
            given=ALONG_A_PATH,
        ),
        claim_check(
            "paper/linear-query-universal.toml", 2, "proved", "more", "a universal mechanism"
        ),
    ),
    section="5",
)


# prop:Bias: no universal mechanism is unbiased.
SAME_MEAN = ("laws that agree on all events have the same mean",)
LEAST_DEMAND_FILE = "paper/homogeneous-sum-at-the-least-demand-every-demand.toml"
FORCED_BIAS = (
    comparison_check(
        "p",
        "==",
        "q",
        says="a record of demand 0 leaves the output distribution as it is, so the mean output e "
        "too",
        given=SAME_MEAN,
        unknowns={"q": "q >= 0", "p": "p >= 0 and p <= exp(0)*q and q <= exp(0)*p"},
    ),
    comparison_check(
        "max(abs(e - s), abs(e - s - m*f))",
        ">=",
        "m*abs(f)/2",
        unknowns={"e": "", "s": "", "m": "m >= 0", "f": ""},
        says="so for D with the sum s, and D with m such records more, the larger bias is at "
        "least m |f(x)|/2",
    ),
)

PROP_BIAS = PaperRow(
    identifier="prop_bias",
    label="prop:Bias",
    says=r"In general there is no universal AHDP mechanism with $E[M(D)] = f(D) = \sum_{(x, "
    r"\epsilon)} f(x) h_D(x, \epsilon)$.",
    checks=(
        *FORCED_BIAS,
        claim_check(
            LEAST_DEMAND_FILE,
            1,
            "proved",
            "more",
            "for fixed demands above 0, the sum with noise at the least demand is private",
        ),
        comparison_check(
            lambda: bias(mechanism_in_file(LEAST_DEMAND_FILE), "sum(x)"),
            "==",
            "0",
            role="more",
            says="and unbiased, on every dataset",
            given=BY_MOMENTS,
        ),
    ),
    note="Stronger than printed: true of every f other than 0, even if only demands > 0 are "
    "allowed (S8). Not true for a fixed domain with demands above 0.",
    section="5",
)


# Sample Mechanism: level min(alpha, t) over any t-DP mechanism, and no lower one over counts.
SAMPLE_FILES = "paper/sample-mechanism-"
# T = 4: the largest ratio is u, the least 7/8, 3/4, 1/2, 1/4
SAMPLE_RATIOS = (
    ("u-3-2", "3/2", "8/7"),
    ("u-2", "2", "4/3"),
    ("u-3", "3", "2"),
    ("u-4", "4", "4"),
)

SAMPLE_MECHANISM = PaperRow(
    identifier="sample_mechanism",
    label="Sample Mechanism",
    says=r"Sampling each record with probability $\frac{e^{\alpha \wedge t} - 1}{e^t - 1}$ before "
    r"a $t$-DP mechanism "
    r"is $(\alpha \wedge t)$-AHDP, and universal if $\alpha \le \epsilon$.",
    checks=(
        *claim_checks(SAMPLE_FILES + "over-any-mechanism.toml", "proved", "proved"),
        least_level_check(
            SAMPLE_FILES + "geometric-count-every-u-and-t-two-records.toml",
            "log(u)",
            downward="log(T/(T - u + 1))",
            says="no lower level holds for geometric counts, which lose less when a record is "
            "removed",
        ),
        *(
            least_level_check(
                f"{SAMPLE_FILES}geometric-count-{name}.toml",
                f"log({u})",
                downward=f"log({down})",
                says=f"T = 4, u = {u}",
            )
            for name, u, down in SAMPLE_RATIOS
        ),
        claim_check(
            SAMPLE_FILES + "over-any-mechanism-kept-too-often.toml",
            2,
            "refuted",
            "more",
            "kept more often by any factor",
        ),
        claim_check(
            SAMPLE_FILES + "geometric-count-kept-too-often.toml",
            1,
            "refuted",
            "more",
            "kept more often by a thousandth",
        ),
    ),
    section="5.1",
)


# sec:SM, the proof that the Sample Mechanism is private: its last step names a fact that is too
# weak.
SAMPLE_PROOF = "paper/sample-mechanism-proof"
U_UP_TO_T = {"u": "u > 1", "T": "T > 1 and T >= u"}

SAMPLE_MECHANISM_PROOF = PaperRow(
    identifier="sample_mechanism_proof",
    label="sec:SM",
    says=r"$\frac{e^t - e^{-t}}{e^t - 1} - \frac{e^y}{e^t} = e^y (e^{-y} - e^{-t}) + e^{-t} \ge "
    r"e^{-y}$, where we used $e^y \ge 0$.",
    checks=(
        argument_check(
            SAMPLE_PROOF + "-upper-end.toml", "proved", says="the first display: the upper end"
        ),
        argument_check(
            SAMPLE_PROOF + "-mixture-to-lower-end.toml",
            "proved",
            says="the second display, given the claim below it",
        ),
        comparison_check(
            "(exp(t) - exp(-t))/(exp(t) - 1) - exp(min(y, t))/exp(t)",
            ">=",
            "exp(-min(y, t))",
            says="the case y >= t",
            unknowns={"t": "t > 0", "y": "y >= t"},
        ),
        argument_check(
            SAMPLE_PROOF + "-lower-end-as-printed.toml",
            "refuted",
            says="the last display, from e^y >= 0",
        ),
        argument_check(
            SAMPLE_PROOF + "-lower-end.toml",
            "proved",
            "repair",
            "the last display, from e^y >= 1",
        ),
        comparison_check(
            "1 + 1/T - u/T - 1/u",
            "==",
            "(u - 1)*(1/u - 1/T)",
            role="more",
            says="the gap, with u = e^y and T = e^t",
            unknowns=U_UP_TO_T,
        ),
        comparison_check(
            "(u - 1)*(1/u - 1/T)",
            ">=",
            "0",
            role="more",
            says="it is not negative",
            unknowns=U_UP_TO_T,
        ),
    ),
    note=r"The inequality is true, but does not follow from $e^y \ge 0$; it needs $e^y \ge 1$.",
    section="F",
)


# The adaptation of the exponential mechanism: universal once additions are free and the range
# is finite.
EXPONENTIAL_FILES = "paper/personalised-exponential-"

EXPONENTIAL_MECHANISM = PaperRow(
    identifier="exponential_mechanism",
    label="Exponential Mechanism",
    says=r"An adaptation of the exponential mechanism (Jorgensen et al.), with weights in the "
    r"cost $\min\{d_\epsilon(D, D') : f(D') = r\}$, satisfies universal AHDP.",
    checks=(
        claim_check(
            EXPONENTIAL_FILES + "not-halved-every-two-demands.toml",
            1,
            "refuted",
            says="the count, additions at their demand, no factor 1/2",
        ),
        claim_check(
            EXPONENTIAL_FILES + "deletions-only.toml",
            2,
            "refuted",
            says="the count, deletions only: not even a hundred times the demand holds (S9)",
        ),
        claim_check(
            EXPONENTIAL_FILES + "unbounded-range.toml",
            1,
            "refused",
            says="the count, unbounded range: the weights have no finite sum",
        ),
        argument_check(
            EXPONENTIAL_FILES + "proof-free-additions.toml",
            "proved",
            "repair",
            "free additions, finite range: a record is added",
        ),
        argument_check(
            EXPONENTIAL_FILES + "proof-free-additions-backwards.toml",
            "proved",
            "repair",
            "free additions, finite range: a record is removed",
        ),
    ),
    note="Costs have to be taken over datasets with any demands, so that additions are free, and "
    "the range has to be finite; otherwise a factor 1/2 is needed (S9).",
    section="5.1",
)


ROWS = (
    WIDER_DOMAIN,
    DEF_UAHDP,
    PROP_BIAS,
    SAMPLE_MECHANISM,
    SAMPLE_MECHANISM_PROOF,
    EXPONENTIAL_MECHANISM,
)
