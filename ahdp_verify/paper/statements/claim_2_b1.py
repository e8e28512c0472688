"""claim:2 (B1): the power against many additional records is at least ((1 - q)/(1 + q))^k, by
geometric noise on the counts.
"""

from dataclasses import replace

from ahdp_verify.paper.statements.checks import claim, holds
from ahdp_verify.paper.statements.row import Row

OTHERS = "other tuples cost what one other tuple costs (law pull_back)"
NOISE = {"q": "0 < q and q < 1"}
WITNESS = (  # also that of claim:3 (B1), with q_x for q
    claim(
        "paper/claim-3-witness-one-coordinate.toml",
        1,
        "proved",
        says="one value's count with two-sided geometric noise, all eps > 0: private at the demand",
        given=(
            "independent coordinates: their levels add (law product), by induction over the values",
            OTHERS,
        ),
    ),
    claim("laws/product.toml", 1, "proved", says="independent releases"),
    holds(
        "(1 - q)/(1 + q) + 2*(1 - q)/(1 + q)*(q/(1 - q))",
        "==",
        "1",
        says="noise is 0 with chance (1 - q)/(1 + q): the chances add up to 1",
        unknowns=NOISE,
        given=(
            "geometric sums",
            "the test that clamps the counts and returns them is right when there is no noise",
        ),
    ),
    holds("(1 - q)/(1 + q)", "==", "0", says="eps = 0: the bound is 0", unknowns={"q": "q == 1"}),
)
INSTEAD = tuple(replace(check, role="repair") for check in WITNESS)

ROW = Row(
    label="claim:2 (B1)",
    says=r"There is an $\epsilon$-DP mechanism $M'$ (add-remove) with $\lim_{t \to \infty} P(M', "
    r"H_t) \ge \left(\frac{1 - e^{-\epsilon}}{1 + e^{-\epsilon}}\right)^k$.",
    checks=(
        *WITNESS,
        claim(
            "paper/claim-3-witness-one-coordinate.toml",
            2,
            "refuted",
            "more",
            says="at no lower level",
        ),
        *(
            claim(
                f"paper/claim-3-witness-repaired-k{k}.toml",
                1,
                "proved",
                "more",
                says=f"k = {k}, all demands",
            )
            for k in (1, 2, 3)
        ),
        claim(
            "paper/claim-2-witness-as-printed.toml",
            1,
            "refuted",
            "more",
            says="M' of the proof at k = 1, t = 2, all eps",
        ),
    ),
    note="True, but not by the proof: its M' is not private (E1), and its last display turns the "
    "fraction round (E2). Two-sided geometric noise on the counts is private and "
    "attains the bound for every t (E3).",
    section="4.1",
)
