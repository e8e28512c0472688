"""claim:1 (B): randomised response on the hypotheses, the uniform answer on all other datasets
of that size, attains the bound of (A).
"""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.row import Check, Row

K = {"k": "k >= 1", "q": "0 < q and q <= 1"}
TRUE, OTHER, ANY = (
    "1/(1 + (k - 1)*q)",
    "q/(1 + (k - 1)*q)",
    "1/k",
)  # the chance of the true hypothesis, of another one, and of each off the hypotheses


def allowed(p: str, r: str, says: str) -> Check:
    """That the level allows a chance to become another one."""
    return holds(
        p,
        "<=",
        f"1/q*({r})",
        role="repair",
        says=says,
        unknowns=K,
        given=("a bound on each of finitely many outputs is one on every event",),
    )


ROW = Row(
    label="claim:1 (B)",
    says=r"Randomised response on $H$, an $\epsilon$-DP mechanism $M'$, has $P(M', H) \ge "
    r"\frac{1}{1 + (k - 1) e^{-\epsilon}}$.",
    checks=(
        claim(
            "paper/claim-1-witness-as-printed.toml",
            1,
            "refused",
            says="M' as printed, k = 2, n = 2",
        ),
        holds(
            f"{TRUE} + (k - 1)*({OTHER})",
            "==",
            "1",
            role="repair",
            says="the chances add up to 1",
            unknowns=K,
        ),
        allowed(TRUE, OTHER, "from one hypothesis to another, its own output"),
        allowed(OTHER, TRUE, "from one hypothesis to another, the output of the other"),
        allowed(TRUE, ANY, "from a hypothesis to another dataset, its own output"),
        allowed(OTHER, ANY, "from a hypothesis to another dataset, another output"),
        allowed(ANY, TRUE, "from another dataset to a hypothesis, its own output"),
        allowed(ANY, OTHER, "from another dataset to a hypothesis, another output"),
        *(
            claim(
                f"paper/claim-1-witness-{case}.toml",
                1,
                "proved",
                "more",
                says=f"all eps > 0, {case}",
            )
            for case in ("k2-n2", "k2-n3", "k3-n3", "k4-n2")
        ),
    ),
    note="M' of the proof is defined on the hypotheses only; on all other datasets of that size "
    "it may answer uniformly, which keeps it private and its power.",
    section="4.1",
)
