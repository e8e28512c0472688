"""claim:1 (A): under swap DP the power against one unknown record of k values is at most 1/(1 +
(k - 1) q).
"""

from ahdp_verify.analysis.power.best import Best, best_power, best_powers
from ahdp_verify.analysis.power.threat_models import one_more_record
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import log, name
from ahdp_verify.paper.statements.checks import argument, optima, optimum
from ahdp_verify.paper.statements.row import Check, Row


def of_size(k: int, n: int, base: int) -> Check:
    """The optimum at q = 1/base, private on all datasets of n records, of which n - 1 are seen."""

    def make() -> Best:
        domain = Domain([(i, log(base)) for i in range(1, k + 1)])
        return best_power(domain, one_more_record([n - 1, *[0] * (k - 1)]), "swap", everywhere=True)

    return optimum(
        make,
        f"1/(1 + ({k} - 1)/{base})",
        "more",
        f"k = {k}, n = {n}, q = 1/{base}, all datasets of that size",
    )


def formula(k: int) -> Check:
    """The optimum for all eps."""
    domain = Domain([(i, name("eps")) for i in range(1, k + 1)])
    return optima(
        lambda: best_powers(
            domain, one_more_record(), "swap", parameters={"eps": "eps > 0"}, everywhere=True
        ),
        "eps > 0",
        f"1/(1 + ({k} - 1)*exp(-eps))",
        "more",
        f"k = {k}, all eps > 0",
    )


ROW = Row(
    label="claim:1 (A)",
    says=r"Under $\epsilon$-DP in the swap model, with $k$ values, $P(M, H) \le \frac{1}{1 + (k - "
    r"1) e^{-\epsilon}}$.",
    checks=(
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            says="what is named on D_j: hypothesis by hypothesis",
        ),
        argument("paper/claim-1-proof-a.toml", "proved", says="all k and eps"),
        *map(formula, (2, 3, 4)),
        *(
            of_size(k, n, base)
            for k, n in ((2, 1), (2, 2), (2, 4), (3, 1), (3, 2), (3, 3), (4, 2))
            for base in (2, 3)
        ),
    ),
    section="4.1",
)
