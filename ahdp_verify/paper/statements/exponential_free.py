"""S9 (ii): with free additions no factor 1/2 is needed."""

from ahdp_verify.paper.statements.checks import argument, claim
from ahdp_verify.paper.statements.row import Row

FILES = "paper/personalised-exponential-"

ROW = Row(
    label="S9 (ii). Exponential mechanism, free additions",
    says=r"With the score of S9 (i) over datasets of any demands additions are free, scores only "
    r"fall when a record is added, and weight $e^{d_f}$ is universal AHDP.",
    checks=(
        argument(FILES + "proof.toml", "proved", says="a record is added"),
        argument(FILES + "proof-backwards.toml", "proved", says="a record is taken away"),
        claim(
            FILES + "universal-symbolic.toml",
            1,
            "proved",
            "more",
            "the count, every two demands",
            only="r in 0..2",
        ),
        claim(FILES + "universal-symbolic.toml", 2, "refuted", "more", "a hundredth lower"),
        *(
            claim(
                f"{FILES}universal-{demands}.toml",
                1,
                "proved",
                "more",
                f"the count, demands {demands.replace('-', ', ')}",
            )
            for demands in ("1", "1-2", "1-3", "0-1", "0-1-3")
        ),
    ),
)
