"""Experiment 1: mean estimation on data that are not public."""

from ahdp_verify.statements.row import Row

ROW = Row(
    label="exp. 1",
    says=r"On about 2200 generated pairs of weight and demand, with correlation $-0.84$, the Sampling Mechanism with $t = 0.5$ has vanishing error; the other methods keep a constant error.",
    kind="data not available",
    note=r"The records are not in the source. What is claimed is consistent: the limit error of the Sample Mechanism is $\mathrm{Cov}(X, \pi) / E \pi$, zero if all demands are at least $t$ (S6).",
    section="6",
)
