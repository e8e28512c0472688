"""rem:bias: the limit of the mean mechanism, and its asymptotic bias."""

from ahdp_verify.analysis.moments.asymptotics import asymptotic_bias, average
from ahdp_verify.paper.statements.checks import BY_LIMITS, claims, holds, mechanism_of, refusal
from ahdp_verify.paper.statements.row import Row

FILE = "paper/mean-rem-bias.toml"
MOMENTS = {"A": "A > 0", "X": "", "S": ""}  # A: E alpha, X: E X, S: E[alpha X]
LIMIT = ("almost-sure limits (strong law of large numbers, Borel-Cantelli lemma)",)
DEPENDENT = [({"eps": 1, "alpha": "1/2", "x": 0}, "1/2"), ({"eps": 1, "alpha": 1, "x": 1}, "1/2")]

ROW = Row(
    label="rem:bias",
    says=r"$M(D_n) \to \frac{E[X \alpha]}{E[\alpha]} = E[X] + \frac{\mathrm{Cov}(X, "
    r"\alpha)}{E[\alpha]}$ almost surely; "
    r"the bias is 0 for $\alpha(\epsilon)$ if $X$ and $\epsilon$ are independent.",
    checks=(
        *claims(FILE, "proved", "proved", says="the mechanism with noise L(2) in both parts"),
        holds(
            "S/A",
            "==",
            "X + (S - X*A)/A",
            says="the limit and the covariance",
            unknowns=MOMENTS,
            given=LIMIT,
        ),
        holds(
            "S/A",
            "==",
            "X",
            says="uncorrelated X and alpha",
            unknowns={**MOMENTS, "S": "S == X*A"},
            given=LIMIT,
        ),
        holds(
            lambda: asymptotic_bias(mechanism_of(FILE), "x", DEPENDENT, of="m/max(n, 1)"),
            "==",
            "0",
            "refuted",
            "more",
            "alpha that depends on x, one demand for all: no bias",
            given=BY_LIMITS,
        ),
        refusal(
            lambda: average("eps", [((0, 1), "1/2"), ((1, "oo"), "1/2")]),
            "E alpha for alpha = eps where some demand is oo",
            "more",
        ),
    ),
    note=r"$0 < E[\alpha] < \infty$, so that $\alpha = \epsilon$ needs finite demands.",
    section="5.2",
)
