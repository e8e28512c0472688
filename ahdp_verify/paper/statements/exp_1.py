"""Experiment 1: mean estimation on data that are not public."""

from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="exp. 1",
    says=r"On about 2200 generated pairs of weight and demand the Sampling Mechanism with $t = "
    r"0.5$ has vanishing error; the other methods keep a constant error.",
    kind="data not available",
    note=r"The records are not in the source. "
    r"The claim is consistent: the limit error of the Sample Mechanism is $\mathrm{Cov}(X, \pi) / "
    r"E \pi$, zero if no demand is below $t$ (S6).",
    section="6",
)
