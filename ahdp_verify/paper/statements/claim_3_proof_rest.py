"""claim:3, the rest of the proof: signs of exponents, a triangle inequality that is no equality,
outputs that are counted several times.
"""

from ahdp_verify.paper.statements.checks import holds
from ahdp_verify.paper.statements.row import Row

DISTANCES = {
    "a": "a >= 0",
    "b": "b >= 0",
    "d": "abs(a - b) <= d",
}  # of two datasets to one output, and of each other
COUNTS = {
    "a": "a >= 0",
    "b": "b >= 0",
    "c": "c >= 0",
    "d": "d >= 0",
}  # of two tuples of one value, in two datasets

ROW = Row(
    label="claim:3, proof: the rest",
    says=r"$\frac{\Pr\{M'(D_1) = F\}}{\Pr\{M'(D_2) = F\}} = \frac{e^{d'(D_2, F)}}{e^{-d'(D_1, "
    r"F)}} \le e^{-\sum_x \epsilon_l(x) |h_{D_1}(x) - h_{D_2}(x)|}$, "
    r"which equals its counterpart over tuples, and the normaliser sums over $V \in S(W)$.",
    checks=(
        holds(
            "exp(b)/exp(-a)",
            "==",
            "exp(-a)/exp(-b)",
            "refuted",
            says="the ratio of the weights",
            unknowns=DISTANCES,
        ),
        holds("exp(-a)/exp(-b)", "<=", "exp(-d)", "refuted", says="its bound", unknowns=DISTANCES),
        holds(
            "abs(a + b - (c + d))",
            "==",
            "abs(a - c) + abs(b - d)",
            "refuted",
            says="from counts of values to counts of tuples",
            unknowns=COUNTS,
        ),
        holds(
            "(1 + q)/(1 + 2*q)",
            "==",
            "1",
            "refuted",
            says="the chances of M' with a sum over S(W), one value with two demands, t = 1",
            unknowns={"q": "0 < q and q < 1"},
        ),
        holds(
            "exp(-a)/exp(-b)",
            "==",
            "exp(b)/exp(a)",
            role="repair",
            says="the ratio of the weights",
            unknowns=DISTANCES,
        ),
        holds(
            "exp(-a)/exp(-b)", "<=", "exp(d)", role="repair", says="its bound", unknowns=DISTANCES
        ),
        holds(
            "abs(a + b - (c + d))",
            "<=",
            "abs(a - c) + abs(b - d)",
            role="repair",
            says="from counts of values to counts of tuples",
            unknowns=COUNTS,
        ),
        holds(
            "(1 + q)/(1 + q)",
            "==",
            "1",
            role="repair",
            says="the chances of M' with a sum over S(W_o)",
            unknowns={"q": "0 < q and q < 1"},
        ),
    ),
    note="The exponents have the wrong sign; counts of values differ by at most, not as much as, "
    "counts of tuples; the normaliser must run over S(W_o), or a value with two "
    "demands is counted twice. Slips without content: r(x) is eps_l(x), sums over (x, eps) in X "
    "for W, D(S) for its projection, "
    "S in W_o for S(W_o), h = -oo, lim t oo, M for M'.",
    section="A.4",
)
