"""Section 2.4: weighted sums with noise max(w/eps) are heterogeneously private."""

from ahdp_verify.statements.checks import claim, holds
from ahdp_verify.statements.row import Row

ROW = Row(
    label="Family of Asu22",
    says=r"All mechanisms $\langle w, x \rangle + \mathcal{L}(\|w/\epsilon\|_\infty)$ with $x_i \in \{0, 1\}$ are $\epsilon$-DP in the sense of def:hetDP.",
    checks=(
        holds("w/b", "<=", "eps", says="user i moves the sum by at most w, and the scale b is at least w/eps", unknowns={"eps": "eps > 0", "w": "w > 0", "b": "b >= w/eps"},
              given=("Laplace noise of scale b has loss at most |shift|/b",)),
        claim("paper/weighted-family.toml", 1, "proved", "more", "three weights, all datasets, the weights public"),
        claim("paper/weighted-family.toml", 2, "refuted", "more", "and at no lower level"),
        claim("paper/weighted-family-half.toml", 1, "refuted", "more", "half the noise is too little"),
    ),
    section="2.4",
)  # fmt: skip
