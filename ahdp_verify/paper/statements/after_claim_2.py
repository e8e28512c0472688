"""Text after claim:2: the limit of the power is lower than at t = 1, and t = 1 is comparable
with the swap model.
"""

from ahdp_verify.analysis.power.closed_forms import one_record_power, swap_power
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import name
from ahdp_verify.paper.statements.checks import holds
from ahdp_verify.paper.statements.row import Row

Q = {"k": "k >= 1", "q": "0 < q and q <= 1"}
EPS = name("eps")

ROW = Row(
    label="after claim:2",
    says=r"At $t = 1$ the add-remove and the swap model offer comparable protection, and for $t "
    r"\to \infty$ the power is lower than at $t = 1$.",
    checks=(
        holds(
            "1/(1 + (k + 1 - 1)*q)",
            "==",
            "1/(1 + k*q)",
            says="with equally many hypotheses, k + 1, the two optima are equal",
            unknowns=Q,
            given=("claim:1 and claim:2",),
        ),
        holds(
            "a + r",
            ">=",
            "p",
            says="a test for more extra records is one for fewer, which answers something else "
            "where it named too many; so the power does not grow with t",
            unknowns={"p": "p >= 0", "a": "a >= p", "r": "r >= 0"},
        ),
        holds(
            "(1 - q)*(1 + q)",
            "<",
            "1",
            says="(1 - q)^k (1 + k q) < 1 for one value: the bound of (A1) is below the optimum "
            "at t = 1",
            unknowns=Q,
            given=("induction over the number of values",),
        ),
        holds(
            "b*(1 - q)*(1 + (k + 1)*q)",
            "<",
            "1",
            says="and for one more, b = (1 - q)^k",
            unknowns={**Q, "b": "b >= 0 and b*(1 + k*q) < 1"},
        ),
        *(
            holds(
                swap_power(k + 1, EPS),
                "==",
                one_record_power(Domain([(i, EPS) for i in range(k)])),
                role="more",
                says=f"{k + 1} hypotheses",
                unknowns={"eps": "eps > 0"},
            )
            for k in (1, 2, 3)
        ),
    ),
    section="4.1",
)
