"""claim:3 (B2): the power against at most one additional record is at least 1/(1 + the sum of q_x)."""

from ahdp_verify.statements.checks import claim, holds
from ahdp_verify.statements.row import Check, Row

Q = {"x": "0 < x and x <= 1", "y": "0 < y and y <= x"}  # q of two values; that of y is not larger, so its demand is not smaller
GIVEN = (
    "adding a record of value y changes the row only to that of y, from that of D_o or of a value of smaller or equal demand",
    "a bound on each of finitely many outputs is one on every event",
)


def allowed(p: str, r: str, says: str) -> Check:
    """That adding a record of value y, which costs 1/y at most, may change a chance into another, both ways; the common factor is left out."""
    return holds(f"max(({p})/({r}), ({r})/({p}))", "<=", "1/y", role="repair", says=says, unknowns=Q, given=GIVEN)


ROW = Row(
    label="claim:3 (B2)",
    says=r"$P(M'', H_1) \ge \frac{1}{1 + \sum_{(x, \epsilon) \in W_o} e^{-\epsilon}}$ for the $W$-AHDP mechanism $M''$ that is $M'$ of the proof at $t = 1$.",
    checks=(
        claim("paper/claim-3-witness-as-printed.toml", 1, "refuted", says="M' for q = (1/2, 1/3), t = 1"),
        holds("p*(1 + s) + p*q", "==", "p*(1 + (s + q))", role="repair", says="a row adds up to 1: the right guess has p = 1/(1 + sum of q), each other one its p q",
              unknowns={"p": "p > 0", "s": "s >= 0", "q": "0 <= q and q <= 1"}),
        allowed("1", "y", "the row of D_o becomes that of y: guess D_o"),
        allowed("y", "1", "the row of D_o becomes that of y: guess y"),
        allowed("x", "y", "the row of x becomes that of y: guess D_o"),
        allowed("1", "x", "the row of x becomes that of y: guess x"),
        allowed("y", "1", "the row of x becomes that of y: guess y"),
        *(claim(f"paper/claim-3-witness-repaired-t1-{case}.toml", 1, "proved", "more", says=f"{case}, all demands") for case in ("k2", "k2-seen", "k3", "k3-seen")),
        claim("paper/claim-3-witness-two-or-more.toml", 1, "refuted", "more", says="the row of D_o on all larger datasets is no way out for unequal demands"),
    ),
    note="M' is not private (E1); the row of the value with the largest demand among those that the dataset has more of than D_o is private on all datasets (E4). "
         "P(M, H_1) should be P(M'', H_1).",
    section="4.2",
)  # fmt: skip
