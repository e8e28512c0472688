"""claim:2, proof: M' is said to be eps-DP on all datasets; its normaliser makes it worse, for
all eps.
"""

from ahdp_verify.paper.statements.checks import argument, claim, holds
from ahdp_verify.paper.statements.claim_2_b1 import INSTEAD
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="claim:2, proof: M'",
    says=r"It is easy to verify that $M'$, with $\Pr\{M'(D) = D'\} \propto e^{-\epsilon d(D, "
    r"D')}$ on $H_t$, is $\epsilon$-DP on the whole of $S(X)$.",
    checks=(
        argument(
            "paper/claim-2-proof-m.toml",
            "refuted",
            says="the step from the weights to the probabilities",
        ),
        claim("paper/claim-2-witness-as-printed.toml", 1, "refuted", says="k = 1, t = 2, all eps"),
        claim(
            "paper/claim-2-witness-k2-t1-eps-inside.toml",
            1,
            "refuted",
            says="k = 2, t = 1, inside H_1",
        ),
        claim(
            "paper/claim-2-witness-k2-t1-eps.toml",
            1,
            "refuted",
            says="k = 2, t = 1, on all datasets",
        ),
        *INSTEAD,
        claim(
            "paper/claim-2-witness-as-printed.toml",
            2,
            "proved",
            "more",
            says="the exact level at k = 1, t = 2",
        ),
        holds(
            "(1 + 2*q)/(q*(1 + q + q^2))",
            "==",
            "16/7",
            role="more",
            says="the ratio at k = 1, t = 2, q = 1/2",
            unknowns={"q": "q == 1/2"},
        ),
        claim(
            "paper/claim-2-witness-k1-t1-q2.toml",
            1,
            "proved",
            "more",
            says="k = 1, t = 1 is fine, q = 1/2",
        ),
        argument(
            "paper/claim-2-proof-m-repaired.toml",
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
