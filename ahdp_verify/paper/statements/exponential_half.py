"""S9 (i): the personalised exponential mechanism inside a domain needs the factor 1/2."""

from ahdp_verify.paper.statements.checks import argument, claim
from ahdp_verify.paper.statements.row import Row

FILES = "paper/personalised-exponential-"

ROW = Row(
    label="S9 (i). Exponential mechanism in a domain",
    says=r"With score $d_f(D, r) = -\min\{d_\epsilon(D, D') : f(D') = r\}$ over datasets of $W$, "
    r"weight $e^{d_f/2}$ is $W$-AHDP; weight $e^{d_f}$ is not.",
    checks=(
        argument(FILES + "proof-half.toml", "proved", says="a record is added"),
        argument(FILES + "proof-half-backwards.toml", "proved", says="a record is taken away"),
        claim(FILES + "whole.toml", 1, "refuted", says="weights without the 1/2", denies=True),
        *(
            claim(
                f"{FILES}{demands}.toml",
                1,
                "proved",
                "more",
                f"the count, demands {demands.replace('-', ', ')}",
            )
            for demands in ("1", "1-2", "1-3", "0-1", "0-1-3")
        ),
        claim(
            FILES + "witness.toml",
            1,
            "refuted",
            "more",
            "without the 1/2, q = 2/3, r in 0..14: level log(3/2)",
        ),
        claim(FILES + "witness.toml", 3, "proved", "more", "its ratio is at most 1.832385"),
        claim(FILES + "witness.toml", 4, "refuted", "more", "its ratio is above 1.832375"),
    ),
)
