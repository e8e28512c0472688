"""claim:4, proof: the exponent of its first display has the wrong sign."""

from ahdp_verify.paper.statements.checks import argument, holds
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="claim:4, proof",
    says=r"$1 - \Pr\{\psi(M(D_o + x)) = D_o\} \le e^{-\epsilon} \Pr\{\psi(M(D_o)) = D_o + x\}$ by "
    r"the AHDP guarantee.",
    checks=(
        argument("paper/claim-4-proof.toml", "refuted", says="the exponent as printed"),
        argument(
            "paper/claim-4-proof-repaired.toml", "proved", role="repair", says="the exponent + eps"
        ),
        holds(
            "1/(1 + exp(e))",
            "<",
            "1/2",
            role="more",
            says="with the printed sign the power would be below that of a blind guess",
            unknowns={"e": "e > 0"},
        ),
    ),
    note='The exponent must be + eps. In the text after claim:4 "So such guarantee is provided" '
    'should be "No such guarantee is provided".',
    section="A.4",
)
