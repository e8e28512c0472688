"""Sample Mechanism: level min(alpha, t) over any t-DP mechanism, and no lower one over counts."""

from ahdp_verify.paper.statements.checks import claim, claims, least
from ahdp_verify.paper.statements.row import Row

FILES = "paper/sample-mechanism-"
RATIOS = (
    ("three-halves", "3/2", "8/7"),
    ("two", "2", "4/3"),
    ("three", "3", "2"),
    ("four", "4", "4"),
)  # T = 4: the largest ratio is u, the least 7/8, 3/4, 1/2, 1/4

ROW = Row(
    label="Sample Mechanism",
    says=r"Sampling each record with probability $\frac{e^{\alpha \wedge t} - 1}{e^t - 1}$ before "
    r"a $t$-DP mechanism "
    r"is $(\alpha \wedge t)$-AHDP, and universal if $\alpha \le \epsilon$.",
    checks=(
        *claims(FILES + "any-base.toml", "proved", "proved"),
        least(
            FILES + "u-t.toml",
            "log(u)",
            downward="log(T/(T - u + 1))",
            says="no lower level holds for geometric counts, which lose less when a record is "
            "taken away",
        ),
        *(
            least(
                f"{FILES}{name}.toml", f"log({u})", downward=f"log({down})", says=f"T = 4, u = {u}"
            )
            for name, u, down in RATIOS
        ),
        claim(
            FILES + "any-base-kept-too-often.toml",
            2,
            "refuted",
            "more",
            "kept more often by any factor",
        ),
        claim(FILES + "raised.toml", 1, "refuted", "more", "kept more often by a thousandth"),
    ),
    section="5.1",
)
