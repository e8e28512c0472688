"""claim:3, proof: M' is said to be W-AHDP on all datasets; its normaliser makes it worse."""

from ahdp_verify.paper.statements.checks import claim, claims, holds, level_in
from ahdp_verify.paper.statements.claim_2_b1 import INSTEAD
from ahdp_verify.paper.statements.row import Row

INSIDE, ALL = (
    "paper/claim-3-witness-as-printed-inside.toml",
    "paper/claim-3-witness-as-printed.toml",
)

ROW = Row(
    label="claim:3, proof: M'",
    says=r"$M'$, with $\Pr\{M'(D) = \Pi_X(D_o + S)\} \propto e^{-d'(\Pi_X(D), \Pi_X(D_o + S))}$, "
    r"is $W$-AHDP over all inputs $D \in S(W)$.",
    checks=(
        claim(INSIDE, 1, "refuted", says="q = (1/2, 1/3), inside H_1"),
        claim(ALL, 1, "refuted", says="q = (1/2, 1/3), on all datasets"),
        *INSTEAD,
        *claims(
            INSIDE,
            "refuted",
            "proved",
            "refuted",
            "proved",
            "refuted",
            role="more",
            says="inside H_1",
        )[1:],
        *claims(
            ALL,
            "refuted",
            "proved",
            "refuted",
            "proved",
            "refuted",
            role="more",
            says="on all datasets",
        )[1:],
        holds(
            lambda: level_in(INSIDE, 4),
            "==",
            "eps + log(11/9)",
            role="more",
            says="the largest excess inside H_1 is the factor 11/9",
            unknowns={"eps": "eps >= 0"},
        ),
        holds(
            lambda: level_in(ALL, 4),
            "==",
            "eps + log(5/3)",
            role="more",
            says="the largest excess on all datasets is the factor 5/3",
            unknowns={"eps": "eps >= 0"},
        ),
    ),
    note="Its normaliser moves too; geometric noise on each value's count does what M' should do.",
    section="A.4",
)
