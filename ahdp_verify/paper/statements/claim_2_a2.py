"""claim:2 (A2): against at most one additional record the power is at most 1/(1 + k q), which is
attained.
"""

from ahdp_verify.analysis.power.best import best_powers
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import name
from ahdp_verify.paper.statements.checks import against, argument, optima
from ahdp_verify.paper.statements.row import Check, Row


def formula(k: int, *, everywhere: bool) -> Check:
    """The optimum for all eps."""
    domain = Domain([(i, name("eps")) for i in range(1, k + 1)])
    return optima(
        lambda: best_powers(
            domain, extra_records(1), parameters={"eps": "eps > 0"}, everywhere=everywhere
        ),
        "eps > 0",
        f"1/(1 + {k}*exp(-eps))",
        "more",
        f"k = {k}, all eps > 0{', all datasets' if everywhere else ''}",
    )


ROW = Row(
    label="claim:2 (A2)",
    says=r"$P(M, H_1) \le \frac{1}{1 + k e^{-\epsilon}}$ for any $\epsilon$-DP mechanism in the "
    r"add-remove model.",
    checks=(
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_o: hypothesis by hypothesis",
        ),
        argument("paper/claim-2-proof-a2.toml", "proved", says="all k and eps"),
        *(formula(k, everywhere=True) for k in (1, 2, 3)),
        formula(4, everywhere=False),
        *(
            against(", ".join([f"log({base})"] * k), 1, f"1/(1 + {k}/{base})", "more")
            for k in (1, 2, 3, 4)
            for base in (2, 3, 10)
        ),
    ),
    section="4.1",
)
