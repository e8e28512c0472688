"""claim:4 (A): the power against one known record of demand eps is at most 1/(1 + exp(-eps))."""

from ahdp_verify.analysis.power.best import best_power, best_powers
from ahdp_verify.analysis.power.threat_models import known_record
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import log, name, number
from ahdp_verify.paper.statements.checks import argument, optima, optimum
from ahdp_verify.paper.statements.row import Row

ANY = Domain([(1, name("eps")), (2, log(2))])

ROW = Row(
    label="claim:4 (A)",
    says=r"$P(M, H(x, \epsilon)) \le \frac{1}{1 + e^{-\epsilon}}$ for any $W$-AHDP mechanism.",
    checks=(
        argument("paper/power-one-more-hypothesis.toml", "proved", says="what is named on D_o"),
        argument("paper/claim-4-proof-repaired.toml", "proved", says="all eps"),
        optima(
            lambda: best_powers(
                ANY, known_record((1, name("eps"))), parameters={"eps": "eps > 0"}, everywhere=True
            ),
            "eps > 0",
            "1/(1 + exp(-eps))",
            "more",
            "all eps > 0, all datasets of W = {(1, eps), (2, log 2)}",
        ),
        *(
            optimum(
                lambda d=demand: best_power(  # type: ignore[misc]
                    Domain([(1, d)]), known_record((1, d))
                ),
                value,
                "more",
                f"eps = {demand}",
            )
            for demand, value in ((log(2), "2/3"), (log(3), "3/4"), (number(0), "1/2"))
        ),
    ),
    section="4.2",
)
