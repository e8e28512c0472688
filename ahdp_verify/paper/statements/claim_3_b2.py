"""claim:3 (B2): the power against at most one additional record is at least 1/(1 + the sum of
q_x).
"""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.claim_2_b1 import OTHERS
from ahdp_verify.paper.statements.row import Check, Row

Q = {
    "x": "0 < x and x <= 1",
    "y": "0 < y and y <= x",
}  # q of two values; that of y is not larger, so its demand is not smaller
GIVEN = (
    "adding a record of value y changes the row only to that of y, from that of D_o or of a value "
    "of smaller or equal demand",
    "a bound on each of finitely many outputs is one on every event",
    OTHERS,
)


def allowed(p: str, r: str, says: str) -> Check:
    """That adding a record of value y, which costs 1/y at most, may change a chance into
    another, both ways; the common factor is left out.
    """
    return holds(f"max(({p})/({r}), ({r})/({p}))", "<=", "1/y", says=says, unknowns=Q, given=GIVEN)


WITNESS = (
    holds(
        "p + p*s",
        "==",
        "1",
        says="a row adds up to 1: the right guess has p = 1/(1 + s), s the sum of all q, and the "
        "others have their p q",
        unknowns={"s": "s >= 0", "p": "p == 1/(1 + s)"},
    ),
    allowed("1", "y", "the row of D_o becomes that of y: guess D_o"),
    allowed("y", "1", "the row of D_o becomes that of y: guess y"),
    allowed("x", "y", "the row of x becomes that of y: guess D_o"),
    allowed("1", "x", "the row of x becomes that of y: guess x"),
    allowed("y", "1", "the row of x becomes that of y: guess y"),
)

ROW = Row(
    label="claim:3 (B2)",
    says=r"There is a $W$-AHDP mechanism $M''$ with $P(M'', H_1) \ge \frac{1}{1 + \sum_{(x, "
    r"\epsilon) \in W_o} e^{-\epsilon}}$.",
    checks=(
        *WITNESS,
        *(
            claim(
                f"paper/claim-3-witness-repaired-t1-{case}.toml",
                1,
                "proved",
                "more",
                says=f"{case}, all demands",
            )
            for case in ("k2", "k2-seen", "k3", "k3-seen")
        ),
        claim(
            "paper/claim-3-witness-as-printed.toml",
            1,
            "refuted",
            "more",
            says="M' of the proof for least demands log 2 and log 3, t = 1",
        ),
        claim(
            "paper/claim-3-witness-two-or-more.toml",
            1,
            "refuted",
            "more",
            says="the row of D_o on all larger datasets is no way out for unequal demands",
        ),
    ),
    note="True, but not by the proof: its M' is not private (E1). The row of the value with the "
    "largest least demand among those that the dataset has more of than D_o is private "
    "on all datasets (E4); a record of demand oo may change the row as it likes. P(M, H_1) is "
    "printed for P(M'', H_1).",
    section="4.2",
)
