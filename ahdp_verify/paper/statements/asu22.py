"""Section 2.4: weighted sums with noise max(w/eps) are heterogeneously private."""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.row import Row

UNKNOWNS = {
    "eps": "eps >= 0",
    "w": "w >= 0",
    "b": "b > 0 and b*eps >= w",
    "c": "",
    "s": "",
    "d": "-w <= d and d <= w",
}

ROW = Row(
    label="Family of Asu22",
    says=r"All mechanisms $\langle w, x \rangle + \mathcal{L}(\|w/\epsilon\|_\infty)$ with $x_i "
    r"\in \{0, 1\}$ are $\epsilon$-DP in the sense of def:hetDP.",
    checks=(
        holds(
            "exp(-abs(s - c)/b)",
            "<=",
            "exp(eps)*exp(-abs(s - c - d)/b)",
            unknowns=UNKNOWNS,
            given=("densities integrate over events",),
            says="the densities at s: user i moves the sum c by d, at most w, and the scale b is "
            "at least w/eps",
        ),
        claim(
            "paper/weighted-family.toml",
            1,
            "proved",
            "more",
            "three weights, all datasets, the weights public",
        ),
        claim("paper/weighted-family.toml", 2, "refuted", "more", "and at no lower level"),
        claim(
            "paper/weighted-family-half.toml", 1, "refuted", "more", "half the noise is too little"
        ),
    ),
    note="Where w and eps are both 0 the quotient is left out. A weight w > 0 at eps = 0 would "
    "need infinite noise.",
    section="2.4",
)
