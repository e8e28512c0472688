"""claim:2 (B1): the power against many additional records is at least ((1 - q)/(1 + q))^k."""

from ahdp_verify.statements.checks import argument, claim, claims, holds
from ahdp_verify.statements.row import Row

OTHERS = "other tuples cost what one other tuple costs (law pull_back)"
NOISE = {"q": "0 < q and q < 1"}

ROW = Row(
    label="claim:2 (B1)",
    says=r"$\lim_{t \to \infty} P(M', H_t) \ge \left(\frac{1 - e^{-\epsilon}}{1 + e^{-\epsilon}}\right)^k$ for the $\epsilon$-DP mechanism $M'$ of the proof.",
    checks=(
        claim("paper/claim-2-witness-as-printed.toml", 1, "refuted", says="M' at k = 1, t = 2, all eps"),
        argument("paper/claim-2-proof-b1-any-k.toml", "refuted", says="the last display of the proof"),
        *claims("paper/claim-3-witness-one-coordinate.toml", "proved", "refuted", role="repair", says="one value's count with geometric noise, all eps > 0",
                given=("independent coordinates: their levels add (law product), by induction over the values", OTHERS)),
        claim("laws/product.toml", 1, "proved", "repair", says="independent releases"),
        holds("(1 - q)/(1 + q) + 2*(1 - q)/(1 + q)*(q/(1 - q))", "==", "1", role="repair", says="noise is 0 with chance (1 - q)/(1 + q): the chances add up to 1", unknowns=NOISE,
              given=("the test that clamps the counts and returns them is right when there is no noise",)),
        holds("(1 - q)/(1 + q)", "==", "0", role="repair", says="eps = 0: the bound is 0", unknowns={"q": "q == 1"}),
        *(claim(f"paper/claim-3-witness-repaired-k{k}.toml", 1, "proved", "more", says=f"k = {k}, all demands") for k in (1, 2, 3)),
    ),
    note="M' is not private (E1), and the last display turns the fraction round (E2); two-sided geometric noise on the counts is private and attains the bound for every t (E3).",
    section="4.1",
)  # fmt: skip
