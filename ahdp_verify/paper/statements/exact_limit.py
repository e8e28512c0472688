"""S1: the exact limit of the power is the product of (1 - q)/(1 + q), q = exp(-least demand),
for every finite W.
"""

from ahdp_verify.paper.statements.checks import argument, claim, holds
from ahdp_verify.paper.statements.claim_2_b1 import WITNESS
from ahdp_verify.paper.statements.row import Row

SUM = {"q": "0 <= q and q < 1", "w": "0 <= w and w <= q"}

ROW = Row(
    label="S1. The exact limit",
    says=r"$\lim_t \sup_M P(M, H_t) = \sup_M \lim_t P(M, H_t) = \prod_x \frac{1 - q_x}{1 + q_x} = "
    r"\prod_x \tanh\frac{\epsilon_l(x)}{2}$ "
    r"with $q_x = e^{-\epsilon_l(x)}$, for every finite $W$.",
    checks=(
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            says="from above: what is named on D_o with m more of each value, hypothesis by "
            "hypothesis",
        ),
        holds(
            "(1 + q - 2*w)/(1 - q) + 2*w",
            "==",
            "(1 + q - 2*w*q)/(1 - q)",
            says="the weights of one value's counts at distance up to m, w = q_x^(m + 1): one more",
            unknowns=SUM,
            given=("induction over the largest distance",),
        ),
        holds("(1 + q - 2*w)/(1 - q)", ">=", "1", says="they are at least 1", unknowns=SUM),
        argument("paper/power-one-more-coordinate.toml", "proved", says="value by value"),
        holds(
            "p",
            "<=",
            "b",
            says="so the power is at most the product of (1 - q_x)/(1 + q_x - 2 w_x)",
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
        *WITNESS,
        holds(
            "(1 - exp(-e))/(1 + exp(-e))",
            "==",
            "(exp(e/2) - exp(-e/2))/(exp(e/2) + exp(-e/2))",
            says="the same as tanh(eps/2)",
            unknowns={"e": "e >= 0"},
        ),
        claim(
            "paper/claim-2-proof-limit.toml",
            1,
            "proved",
            "more",
            says="k values of one demand, before the limit",
        ),
    ),
    note="The bound uses privacy on the hypotheses only, the mechanism has it on all datasets; it "
    "is one for all t, so that the order of limit and supremum does not matter.",
)
