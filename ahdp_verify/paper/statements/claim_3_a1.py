"""claim:3 (A1): the limit of the power is at most the product of 1 - q_x; this is not tight."""

from ahdp_verify.paper.statements.checks import argument, holds
from ahdp_verify.paper.statements.row import Row

Q = {"q": "0 <= q and q < 1", "w": "0 <= w and w <= q"}

ROW = Row(
    label="claim:3 (A1)",
    says=r"$\lim_{t \to \infty} P(M, H_t) \le \prod_{(x, \epsilon) \in W_o} (1 - e^{-\epsilon})$ "
    r"for any $W$-AHDP mechanism.",
    checks=(
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o: hypothesis by hypothesis",
        ),
        holds(
            "(1 - w)/(1 - q) + w",
            "==",
            "(1 - w*q)/(1 - q)",
            says="the weights of one value's counts up to m, w = q_x^(m + 1): one more",
            unknowns=Q,
            given=("induction over the largest count",),
        ),
        holds("(1 - w)/(1 - q)", ">=", "1", says="they are at least 1", unknowns=Q),
        argument("paper/power-one-more-coordinate.toml", "proved", says="value by value"),
        holds(
            "p",
            "<=",
            "b",
            says="so the power is at most the product of (1 - q_x)/(1 - w_x)",
            unknowns={"b": "b > 0", "Z": "Z > 0 and Z*b >= 1", "p": "p >= 0 and p*Z <= 1"},
            given=("limits: q_x^(m + 1) tends to 0",),
        ),
        holds(
            "p",
            "<=",
            "1/m",
            says="a value with eps_l = 0: there are more than m hypotheses of weight 1",
            unknowns={"m": "m >= 1", "Z": "Z >= m", "p": "p >= 0 and p*Z <= 1"},
            given=("limits: 1/m tends to 0",),
        ),
        holds(
            "(1 - q)/(1 + q)",
            "<",
            "1 - q",
            role="more",
            says="each factor of the exact limit (S1) is less",
            unknowns={"q": "0 < q and q < 1"},
        ),
    ),
    note="The exact limit is the product of (1 - q)/(1 + q) with q = e^-eps, see S1.",
    section="4.2",
)
