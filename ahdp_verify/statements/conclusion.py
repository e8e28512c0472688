"""The conclusion: homogeneous add-remove privacy protects who takes part."""

from ahdp_verify.statements.row import Row

ROW = Row(
    label="Conclusion",
    says="Homogeneous add-remove DP is universal for all who take part.",
    note="Informal: who does not take part adds nothing, which costs level 0.",
    kind="no formal content",
    section="7",
)
