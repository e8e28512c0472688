"""prop:newDP-mean, utility: the offset l inside the numerator is lost as the dataset grows."""

from ahdp_verify.analysis.moments.asymptotics import average, limit
from ahdp_verify.analysis.moments.moments import mean
from ahdp_verify.catalogue.mean import mean as mean_pair
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.paper.statements.checks import (
    BY_LIMITS,
    BY_MOMENTS,
    claim,
    decimal,
    holds,
    mechanism_of,
)
from ahdp_verify.paper.statements.row import Row

PRINTED, REPAIRED = "paper/mean.toml", "paper/mean-repaired.toml"
LAW = [({"eps": 1, "alpha1": "1/2", "alpha2": "1/2", "x": x}, "1/2") for x in (1, 2)]
RANGE = {"l": 1, "h": 2}
LIMIT = ("almost-sure limits (strong law of large numbers)",)
MOMENTS = {"A": "A > 0", "B": "B > 0", "S": "", "c": ""}  # A: E alpha1, B: E alpha2, S: E[alpha1 X]


def noise_free(n: int) -> Expression:
    """The printed ratio without noise on n copies each of 1 and 2, weights 1/2."""
    found = mean_pair(
        Domain([(1, 1), (2, 1)]), weights=(number("1/2"), number("1/2")), bounds=(1, 2)
    )
    return mean(found, [n, n], of="m") / mean(found, [n, n], of="n")


CHECKS = (
    holds(
        lambda: limit(mechanism_of(PRINTED), LAW, of="m/max(n, 1)", parameters=RANGE),
        "==",
        lambda: average("x", LAW),
        "refuted",
        says="X = {1, 2} with equal chances, l = 1, weights 1/2: the limit is the mean",
        given=BY_LIMITS,
    ),
    decimal(
        lambda: noise_free(10),
        "0.6",
        "more",
        "ratio without noise, 10 copies of each",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: noise_free(1000),
        "0.501",
        "more",
        "ratio without noise, 1000 copies of each",
        given=BY_MOMENTS,
    ),
    decimal(
        lambda: noise_free(10**6),
        "0.500001",
        "more",
        "ratio without noise, 10^6 copies of each",
        given=BY_MOMENTS,
    ),
    holds(
        lambda: limit(mechanism_of(PRINTED), LAW, of="m/max(n, 1)", parameters=RANGE),
        "==",
        "1/2",
        role="more",
        says="the limit there",
        given=BY_LIMITS,
    ),
    holds(
        lambda: average("x", LAW), "==", "3/2", role="more", says="the mean there", given=BY_LIMITS
    ),
    holds(
        "(S - c*A)/B",
        "==",
        "S/B - c*A/B",
        role="more",
        says="the limit of the printed ratio at c = l",
        unknowns=MOMENTS,
        given=LIMIT,
    ),
    holds(
        "c + (S - c*A)/A",
        "==",
        "S/A",
        role="repair",
        says="centred at any c, equal weights: the limit is the weighted mean",
        unknowns=MOMENTS,
        given=LIMIT,
    ),
    holds(
        lambda: limit(mechanism_of(REPAIRED), LAW, of="(l + h)/2 + m/max(n, 1)", parameters=RANGE),
        "==",
        lambda: average("x", LAW),
        role="more",
        says="the centred ratio on the same records",
        given=BY_LIMITS,
    ),
    claim(
        REPAIRED,
        1,
        "proved",
        "repair",
        "centred at (l + h)/2 with half the noise: (alpha1 + alpha2)-AHDP",
    ),
    claim(REPAIRED, 2, "proved", "repair", "centred: universal"),
)

ROW = Row(
    label="prop:newDP-mean, utility",
    says=r"The mechanism $\frac{l + \sum \alpha_1 h_D (x - l) + \mathcal{L}(h - l)}{\sum \alpha_2 "
    r"h_D + \mathcal{L}(1)}$ estimates the sample mean.",
    checks=CHECKS,
    note=r"The offset $l$ stands inside the numerator, so that the ratio tends to the weighted "
    r"mean less $l$. With $c = (l + h)/2$: "
    r"$c + \frac{\sum \alpha_1 (x - c) h_D + \mathcal{L}((h - l)/2)}{\max(\sum \alpha_2 h_D + "
    r"\mathcal{L}(1), 1)}$.",
    section="5.2",
)
