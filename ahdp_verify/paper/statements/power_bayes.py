"""The power is the Bayes success under the least favourable prior, where the paper says error."""

from ahdp_verify.analysis.power.against_mechanism import Power, power
from ahdp_verify.catalogue.randomised_response import response
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.paper.statements.checks import argument, holds
from ahdp_verify.paper.statements.row import Row


def found() -> Power:
    """The power against randomised response of 2 values at q = 1/2."""
    return power(response((1, 2), log(2)), [1, 2])


ROW = Row(
    label="Bayes error",
    says=r"The power can equivalently be viewed as the Bayes error over the worst-case prior.",
    checks=(
        holds(
            lambda: found().value,
            "==",
            lambda: 1 - found().value,
            "refuted",
            says="power and Bayes error, randomised response of 2 values, q = 1/2",
        ),
        argument(
            "paper/power-bayes.toml",
            "proved",
            role="repair",
            says="no prior gives a Bayes test a smaller chance of success than the power",
        ),
    ),
    note="It is the Bayes success, 1 minus the Bayes error, under the least favourable prior.",
    section="4.1",
)
