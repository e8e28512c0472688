"""def:capHomo: the power is the greatest least chance, over tests, of naming the true dataset;
it is attained.
"""

from ahdp_verify.analysis.power.against_mechanism import power
from ahdp_verify.catalogue.randomised_response import response
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.paper.statements.checks import powered
from ahdp_verify.paper.statements.row import Row

ONE = "randomised response of 3 values, q = 1/2"

ROW = Row(
    label="def:capHomo",
    says=r"$P(M, H) = \max_\psi \min_{D \in H} \Pr\{\psi(M(D)) = D\}$.",
    checks=(
        powered(
            lambda: power(response((1, 2, 3), log(2)), [1, 2, 3]),
            "1/2",
            says="a test attains the maximum 1/(1 + 2 q), and a prior shows that none exceeds it",
            only=ONE,
        ),
    ),
    note="A definition; that there is a maximum is seen in one case here. In general it is a fact "
    "about finitely many hypotheses with densities.",
    section="4.1",
)
