"""O6: sampling probabilities of the experiments."""

from functools import partial

from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.paper.statements.checks import decimal, holds
from ahdp_verify.paper.statements.row import Row

FIGURES = (
    ("0.1", "0.01", "0.095560324736722"),
    ("1", "0.01", "0.0058489631431306"),
    ("1", "0.1", "0.061207024560089"),
    ("1", "0.5", "0.37754066879815"),
    ("0.5", "0.1", "0.16212034786857"),
    ("0.5", "0.25", "0.4378234991142"),
    ("2", "0.1", "0.016461104183019"),
    ("2", "0.5", "0.10153632409155"),
    ("2", "1", "0.26894142137"),
)


def kept(t: str, eps: str) -> Expression:
    """The probability with which a record of this demand is kept at threshold t."""
    return parse(f"(exp(min({eps}, {t})) - 1)/(exp({t}) - 1)", "keep")


ROW = Row(
    label="O6. Sampling probabilities",
    says=r"The sampling probabilities $\frac{e^{\epsilon \wedge t} - 1}{e^t - 1}$ at the demands "
    r"and thresholds of the experiments.",
    checks=(
        *(
            decimal(partial(kept, t, eps), printed, says=f"t = {t}, demand {eps}")
            for t, eps, printed in FIGURES
        ),
        holds(kept("2", "1"), "==", "1/(1 + exp(1))", says="t = 2, demand 1"),
        holds(
            kept("t", "e"),
            "==",
            "1",
            says="demands from t on",
            unknowns={"t": "t > 0", "e": "e >= t"},
        ),
    ),
)
