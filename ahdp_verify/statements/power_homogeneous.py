"""def:capHomo: the power is the greatest least chance, over tests, of naming the true dataset; it is attained."""

from ahdp_verify.catalogue.randomised_response import response
from ahdp_verify.expression import log
from ahdp_verify.power import power
from ahdp_verify.statements.checks import decided, holds
from ahdp_verify.statements.row import Row

ONE = "randomised response of 3 values, q = 1/2"

ROW = Row(
    label="def:capHomo",
    says=r"$P(M, H) = \max_\psi \min_{D \in H} \Pr\{\psi(M(D)) = D\}$.",
    checks=(
        decided(lambda tell: power(response((1, 2, 3), log(2)), [1, 2, 3]).verdict, "proved", says="a test attains the maximum, and a prior shows that none exceeds it", only=ONE),
        holds(lambda: power(response((1, 2, 3), log(2)), [1, 2, 3]).value, "==", "1/2", says="its power is 1/(1 + 2 q)", only=ONE),
    ),
    note="A definition. For finitely many hypotheses the maximum is attained.",
    section="4.1",
)
