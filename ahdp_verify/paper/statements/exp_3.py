"""Experiment 3: the privacy demands, whose law is public."""

from ahdp_verify.analysis.moments.asymptotics import log_uniform
from ahdp_verify.analysis.moments.moments import mean
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.paper.statements.checks import BY_MOMENTS, decimal, holds
from ahdp_verify.paper.statements.row import Row


def expected(of: str) -> Expression:
    """The mean of a weight over the law of the demands."""
    return mean(log_uniform(-5, 2), of=of)


CHECKS = (
    decimal(lambda: expected("eps"), "1.05461687884736639", says="E eps", given=BY_MOMENTS),
    decimal(
        lambda: expected("1 - exp(-eps)"),
        "0.367223371465289705",
        says="E(1 - exp(-eps))",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: expected("eps/(1 + eps)"),
        "0.302887523221979204",
        says="E eps/(1 + eps)",
        given=BY_MOMENTS,
    ),
    holds(lambda: expected("eps"), "==", "(exp(2) - exp(-5))/7", says="E eps", given=BY_MOMENTS),
    holds(
        lambda: expected("eps/(1 + eps)"),
        "==",
        "log((1 + exp(2))/(1 + exp(-5)))/7",
        says="E eps/(1 + eps)",
        given=BY_MOMENTS,
    ),
)

ROW = Row(
    label="exp. 3",
    says=r"Eight covariates, 18000 training and about 2000 test records; demands with $\log "
    r"\epsilon$ uniform on $[-5, 2]$.",
    checks=(
        *CHECKS,
        holds(
            lambda: expected("indicator(eps < 1)"), "==", "5/7", says="P(eps < 1)", given=BY_MOMENTS
        ),
    ),
    note=r"The law of the demands is public, so are its means, which are not printed: $E \epsilon "
    r"= 1.0546$, $E(1 - e^{-\epsilon}) = 0.3672$, $E \frac{\epsilon}{1 + \epsilon} = "
    r"0.3029$, $P(\epsilon < 1) = \frac57$; these are what is checked. "
    "What the methods err is measured by an experiment on the public data (20,640 rows, 20,000 in "
    "the usual file).",
    section="6",
)
