"""E10: ex:swap-dp has the output 0, not 1."""

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.ex_swap_dp_other import FAR, SOME, SQUEEZED, UNKNOWNS
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="E10. ex:swap-dp",
    says="Any other dataset will have a deterministic output of 1.",
    checks=(
        holds(
            "m*d/(m*d + (n - m)*E)",
            ">=",
            "1/2",
            "refuted",
            says="the centre comes near 1 (d near 0, E large)",
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
            role="repair",
            says="or swap the coupling to {(0, 0), (1, oo)}: then the centre tends to 1",
            unknowns=SOME,
            given=SQUEEZED,
        ),
        claim(
            "paper/swap-dp-limit.toml",
            4,
            "refuted",
            "more",
            "one output tells that all demands were 0",
        ),
    ),
    note="Replace 1 by 0, or swap the coupling.",
)
