"""Section 4: the odds of two datasets change by at most the level."""

from ahdp_verify.statements.checks import holds
from ahdp_verify.statements.row import Row

UNKNOWNS = {"u": "u >= 1", "a": "a > 0", "b": "b > 0", "q": "q > 0", "p": "p > 0 and p <= u*q and q <= u*p"}

ROW = Row(
    label="Bayes odds",
    says=r"The posterior odds of two datasets differ from the prior odds by a factor between $e^{-\epsilon}$ and $e^{\epsilon}$.",
    checks=(
        holds("a*p/(b*q)", "<=", "u*(a/b)", says="from above", unknowns=UNKNOWNS),
        holds("a*p/(b*q)", ">=", "a/(u*b)", says="from below", unknowns=UNKNOWNS),
    ),
    note="For almost every output, where both datasets have positive prior mass.",
    section="4.3",
)
