"""claim:2, the rest of the proof: an inverted fraction, and an equality that is an inequality."""

from ahdp_verify.paper.statements.checks import argument, holds
from ahdp_verify.paper.statements.row import Row

SUMS = ("geometric sums", "a sum of products over a box is the product of the sums")
PRIOR = {"q": "0 < q and q <= 1", "a": "0 <= a and a <= 1", "b": "0 <= b and a + q*b <= 1"}

ROW = Row(
    label="claim:2, proof: the rest",
    says=r"$\sum_S (1 - e(S)) \pi_o(S) = 1 / \sum_S e^{-|S| \epsilon}$, and thus $P(M', H_t) \ge "
    r"\left(\frac{1 + e^{-\epsilon}}{1 - e^{-\epsilon}}\right)^k$.",
    checks=(
        argument("paper/claim-2-proof-b1-any-k.toml", "refuted", says="the last display, all k"),
        holds(
            "(a + q*b)/(1 + q)",
            "==",
            "1/(1 + q)",
            "refuted",
            says="the sum with pi_o, k = 1, t = 1",
            unknowns=PRIOR,
        ),
        argument(
            "paper/claim-2-proof-b1-any-k-repaired.toml",
            "proved",
            role="repair",
            given=SUMS,
            says="the last display, all k: the normaliser is at most the product of sums over all "
            "whole numbers",
        ),
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            role="repair",
            says="what is named on D_o: hypothesis by hypothesis",
        ),
        argument(
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
