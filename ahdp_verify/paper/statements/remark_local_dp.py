"""The remark on local privacy, the introduction and related work."""

from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="Remark on Local-DP, introduction, related work",
    says="In the local model the server would not know which data is useful.",
    note="A comparison in words.",
    kind="no formal content",
    section="3",
)
