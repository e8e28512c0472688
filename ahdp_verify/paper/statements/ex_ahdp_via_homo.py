"""ex:ahdp-via-homo: the least demand for everybody."""

from ahdp_verify.paper.statements.checks import argument, claims
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="ex:ahdp-via-homo",
    says=r"A homogeneous $\epsilon_l$-DP mechanism with $\epsilon_l = \min_{\mathcal{W}} \epsilon "
    r"> 0$ is $\mathcal{W}$-AHDP.",
    checks=(
        argument(
            "laws/to_ahdp.toml",
            "proved",
            says="add-remove DP at e is AHDP at every level that is at least e",
        ),
        *claims(
            "paper/ex-ahdp-via-homo-symbolic.toml",
            "proved",
            "refuted",
            role="more",
            says="a sum at the least of several demands",
        ),
    ),
    section="3",
)
