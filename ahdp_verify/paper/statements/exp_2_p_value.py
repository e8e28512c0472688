"""Experiment 2: when a chi-squared test reports a p-value of 0."""

from ahdp_verify.analysis.moments.moments import mean
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism, real
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.paper.statements.checks import BY_MOMENTS, holds
from ahdp_verify.paper.statements.row import Row

LEAST_DOUBLE = "2^(-1074)"


def tail(of: str) -> Expression:
    """A mean over the chi-squared law with 20 degrees of freedom, that of six levels of
    education and five demands, independent.
    """
    law = parse("piecewise((s^9*exp(-s/2)/(2^10*362880), s > 0), (0, true))", "density")
    return mean(
        Mechanism(
            Values(["any"]),
            outputs=[real("s")],
            density=law,
            name="chi-squared, 20 degrees of freedom",
        ),
        of=of,
    )


ROW = Row(
    label="exp. 2, p-value",
    says=r"The chi-squared test of independence on 3000 records can have a p-value of 0, below "
    r"floating point precision.",
    checks=(
        holds(
            lambda: tail("indicator(s > 12000*0.3633^2)"),
            "<",
            LEAST_DOUBLE,
            says="the tail for Cramer's V = 0.3633 and 3000 records",
            given=("chi-squared limit of the statistic", *BY_MOMENTS),
            only="Cramer's V from 0.3633 on; the data are not available",
        ),
        holds(
            lambda: tail("indicator(s > 12000*0.3632^2)"),
            ">",
            LEAST_DOUBLE,
            role="more",
            says="the tail for V = 0.3632",
            given=BY_MOMENTS,
        ),
        holds(
            lambda: tail("indicator(s > 1583.3)"),
            ">",
            LEAST_DOUBLE,
            role="more",
            says="the tail above 1583.3",
            given=BY_MOMENTS,
        ),
        holds(
            lambda: tail("indicator(s > 1583.45)"),
            "<",
            LEAST_DOUBLE,
            role="more",
            says="the tail above 1583.45",
            given=BY_MOMENTS,
        ),
        holds(
            lambda: tail("s"),
            "==",
            "20",
            role="more",
            says="the mean of the statistic",
            given=BY_MOMENTS,
        ),
    ),
    note=r"Possible, from Cramer's $V = 0.3633$ on ($\chi^2 > 1583.4$ of at most 12000): the tail "
    r"is then below the least positive double.",
    section="6",
)
