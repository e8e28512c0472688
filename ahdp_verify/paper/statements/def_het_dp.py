"""def:hetDP: the usual definition of heterogeneous privacy."""

from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="def:hetDP",
    says=r"$M$ is $\epsilon$-DP for a vector $\epsilon$ if $|\log \frac{\Pr\{M(x) \in "
    r"S\}}{\Pr\{M(x') \in S\}}| \le \epsilon_i$ whenever $x, x'$ differ in user $i$ only.",
    note="A definition: the vector of demands is fixed, hence public. Here it is the relation hdp.",
    kind="no formal content",
    section="2.3",
)
