"""eps_l and W_o: the least demand of each value, where the value has a tuple at all."""

from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.paper.statements.checks import claim, holds, refusal
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="eps_l and W_o",
    says=r"$\epsilon_l(x) := \min\{\epsilon \mid (x, \epsilon) \in W\}$ for $x \in X$, and $W_o = "
    r"\{(x, \epsilon_l(x)) \mid x \in X\}$.",
    checks=(
        refusal(
            lambda: parse("min()", "the least demand of a value without tuples"),
            "the least of no demands",
        ),
        holds(
            "min(d, e)",
            "<=",
            "e",
            role="repair",
            says="a value with tuples has a least demand, which keeps each of them",
            unknowns={"d": "d >= 0", "e": "e >= 0"},
        ),
        claim(
            "laws/pull_back.toml",
            1,
            "proved",
            "repair",
            says="so a mechanism that sees the values only, at the levels eps_l, is W-AHDP",
        ),
    ),
    note="If some x has no tuple in W, the minimum is over nothing: let x range over the values "
    "that occur in W.",
    section="4.2",
)
