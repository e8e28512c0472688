"""E5: randomised response of claim:1 (B) on all datasets of that size."""

from ahdp_verify.paper.statements.claim_1_b import ROW as RESPONSE
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="E5. claim:1 (B), all datasets",
    says=r"$M'$ of claim:1 (B) is a mechanism on all datasets.",
    checks=RESPONSE.checks,
    note="It is defined on H alone; the uniform answer on all other datasets of that size "
    "completes it.",
)
