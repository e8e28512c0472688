"""prop:newDP-mean, privacy: numerator and denominator together are (alpha1 + alpha2)-AHDP."""

from ahdp_verify.paper.statements.checks import claim, claims, least
from ahdp_verify.paper.statements.row import Row

ROW = Row(
    label="prop:newDP-mean, privacy",
    says=r"$M(D) = \frac{l + \sum \alpha_1 h_D (x - l) + \mathcal{L}(h - l)}{\sum \alpha_2 h_D + "
    r"\mathcal{L}(1)}$ satisfies $(\alpha_1 + \alpha_2)$-AHDP.",
    checks=(
        *claims("paper/mean-ratio.toml", "proved", "proved", says="the ratio, l < h"),
        *claims("paper/mean.toml", "proved", "proved", says="numerator and denominator"),
        claim("paper/mean-composed.toml", 1, "proved", "more", "from its two parts"),
        least("paper/mean.toml", "alpha1*(x - l)/(h - l) + alpha2"),
    ),
    note="For l < h and finite weights. It holds for numerator and denominator together, so for "
    "every function of the two.",
    section="5.2",
)
