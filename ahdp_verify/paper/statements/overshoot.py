"""S10: M' of claim:2 keeps 2 eps, and not much less; with half the exponent it is private and
reaches less.
"""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="S10. M' with and without 1/2",
    says=r"The worst log-ratio of $M'$ is at most $2\epsilon$ and tends to $2\epsilon$; "
    r"with exponent $\epsilon/2$ it is private, but reaches only, with $q = e^{-\epsilon}$, the "
    r"power $\left(\frac{1 - \sqrt q}{1 + \sqrt q}\right)^k$.",
    checks=(
        claim(
            "laws/normalised-sum.toml",
            1,
            "proved",
            says="each weight moves by the factor 1/q at most, so their sum does",
        ),
        claim(
            "laws/normalised.toml",
            1,
            "proved",
            says="so the ratio of probabilities moves by at most 1/q^2, and with half the "
            "exponent by 1/q",
        ),
        claim(
            "laws/normalised-backwards.toml", 1, "proved", says="the same in the other direction"
        ),
        holds(
            "(q*a + q^2*a + (k - 1)*a)/(q^2*a + k*q*a)",
            "==",
            "(q + q^2 + k - 1)/(q*(k + q))",
            says="t = 1: the sum of the weights at (0, 1, ..., 1), at distances k - 1, k and k - "
            "2, over that at (1, ..., 1), at distances k and k - 1; a = q^(k - 2)",
            unknowns={"k": "k >= 1", "q": "0 < q and q < 1", "a": "a > 0"},
            given=("the distances of these datasets to D_o and to D_o with one record more",),
        ),
        holds(
            "1/q*((q + q^2 + k - 1)/(q*(k + q)))",
            ">=",
            "1/q*(1/q - 1/(q*k))",
            says="so the ratio, 1/q times this, is nearly 1/q^2",
            unknowns={"k": "k >= 1", "q": "0 < q and q < 1"},
            given=("induction over the outcomes", "limits: 1/k tends to 0"),
        ),
        claim(
            "paper/claim-2-proof-b1-any-k-repaired.toml",
            1,
            "proved",
            says="half the exponent, sqrt(q) for q: every dataset is named rightly with at least "
            "this chance",
        ),
        claim(
            "paper/claim-2-proof-limit.toml",
            1,
            "proved",
            says="and D_o with m more of each value with the inverse of a sum that tends to that "
            "of the limit",
            given=("geometric sums",),
        ),
        holds(
            "(1 - r)/(1 + r)",
            "<",
            "(1 - r^2)/(1 + r^2)",
            role="more",
            says="less than with geometric noise",
            unknowns={"r": "0 < r and r < 1"},
        ),
        *(
            claim(
                f"paper/claim-2-witness-{case}-half.toml",
                1,
                "proved",
                "more",
                says=f"half the exponent, {case}, all eps",
            )
            for case in ("k1-t1", "k1-t2", "k1-t3", "k1-t4", "k2-t1", "k3-t1")
        ),
    ),
)
