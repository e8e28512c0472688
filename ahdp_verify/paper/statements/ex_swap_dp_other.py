"""ex:swap-dp: what any other dataset gives."""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.row import Row

UNKNOWNS = {"n": "n > 1", "m": "0 <= m and m <= n - 1", "E": "E > 0", "d": "d > 0"}
FAR = {
    **UNKNOWNS,
    "E": "E >= n",
    "d": "d > 0 and d <= 1/n",
}  # demands as far apart as the limit has them
SOME = {**UNKNOWNS, "m": "1 <= m and m <= n - 1"}
SQUEEZED = (
    "what lies between bounds with one limit has this limit",
    "Laplace noise whose scale tends to 0 tends to 0 in probability",
)

ROW = Row(
    label="ex:swap-dp, any other dataset",
    says="Any other dataset of size n has the deterministic output 1.",
    checks=(
        holds(
            "m*d/(m*d + (n - m)*E)",
            ">=",
            "1/2",
            "refuted",
            says="with m users at (1, d) and n - m at (0, E), the centre is near 1 (d near 0, E "
            "large)",
            unknowns=FAR,
        ),
        holds(
            "m*d/(m*d + (n - m)*E)",
            "<=",
            "m*d/((n - m)*E)",
            role="repair",
            says="the centre tends to 0 as d falls to 0 or E grows",
            unknowns=UNKNOWNS,
            given=SQUEEZED,
        ),
        holds(
            "1/(m*d + (n - m)*E)",
            "<=",
            "1/((n - m)*E)",
            role="repair",
            says="and the scale of the noise as E grows",
            unknowns=UNKNOWNS,
            given=SQUEEZED,
        ),
        holds(
            "m*E/(m*E + (n - m)*d)",
            ">=",
            "1 - (n - m)*d/(m*E)",
            role="more",
            says="with the coupling {(0, 0), (1, oo)} the centre tends to 1",
            unknowns=SOME,
        ),
        claim(
            "paper/swap-dp-limit.toml",
            4,
            "refuted",
            "more",
            "the conclusion survives: one output tells the dataset",
        ),
    ),
    note="The output is 0. The value 1 belongs to the other coupling, {(0, 0), (1, oo)}.",
    section="2.4",
)
