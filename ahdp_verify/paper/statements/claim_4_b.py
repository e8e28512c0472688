"""claim:4 (B): M' of the proof is W-AHDP on all datasets and has the power 1/(1 + exp(-eps))."""

from ahdp_verify.paper.statements.checks import claim, claims, holds
from ahdp_verify.paper.statements.claim_2_b1 import OTHERS
from ahdp_verify.paper.statements.row import Check, Row

SEEN = {"e": "e >= 0", "n": "n >= 0"}


def right(count: str, guess: str, says: str) -> Check:
    """The chance of M' to name the true dataset, from the law in the file."""
    weights = [f"exp(-e*abs({count} - n - {s}))" for s in ("0", "1")]
    return holds(
        f"exp(-e*abs({count} - n - {guess}))/({' + '.join(weights)})",
        "==",
        "1/(1 + exp(-e))",
        says=says,
        unknowns=SEEN,
    )


ROW = Row(
    label="claim:4 (B)",
    says=r"$M'$ with $\Pr\{M'(D) = D'\} \propto e^{-d_\alpha(D, D')}$ on $H(x, \epsilon)$ is "
    r"$W$-AHDP, and $P(M', H(x, \epsilon)) \ge \frac{1}{1 + e^{-\epsilon}}$.",
    checks=(
        *claims(
            "paper/claim-4-witness-any-demand.toml",
            "proved",
            says="all demands, all datasets, any D_o",
            given=(OTHERS,),
        ),
        claim(
            "paper/known-size-any-base.toml",
            1,
            "proved",
            says="a record of demand oo: tell the truth",
        ),
        right("n", "0", "the chance to name D_o on it"),
        right("(n + 1)", "1", "the chance to name D_o with one record more on it"),
        *claims(
            "paper/claim-4-witness-any-demand.toml",
            "proved",
            "proved",
            "refuted",
            role="more",
            says="its exact level",
        )[1:],
    ),
    section="4.2",
)
