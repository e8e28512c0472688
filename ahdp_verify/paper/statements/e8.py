"""E8: the mean with an offset in its numerator."""

from ahdp_verify.analysis.moments.moments import mean
from ahdp_verify.catalogue.linear_query import EX_SUM, SATURATING
from ahdp_verify.catalogue.mean import mean_centred
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.paper.statements import prop_newdp_mean_utility
from ahdp_verify.paper.statements.checks import BY_MOMENTS, decimal, holds, least
from ahdp_verify.paper.statements.row import Row

TEN_EACH, CENTRE = [10, 10, 10], 1


def of(what: str) -> Expression:
    """A mean of the centred mechanism on the dataset of ex:mean."""
    return mean(
        mean_centred(EX_SUM, weights=(SATURATING / 2, SATURATING / 2), bounds=(0, 2)),
        TEN_EACH,
        of=what,
    )


ROW = Row(
    label="E8. The mean without offset",
    says=r"$\frac{l + \sum \alpha_1 (x - l) h_D + \mathcal{L}(h - l)}{\sum \alpha_2 h_D + "
    r"\mathcal{L}(1)}$ estimates the mean.",
    checks=(
        *prop_newdp_mean_utility.CHECKS,
        least(
            prop_newdp_mean_utility.REPAIRED,
            "2*alpha1*abs(x - (l + h)/2)/(h - l) + alpha2",
            says="centred: no lower level holds",
        ),
        holds(
            lambda: of("m"),
            "==",
            "5",
            role="more",
            says="ex:mean, centred at 1: numerator",
            given=BY_MOMENTS,
        ),
        decimal(
            lambda: of("n"),
            "8.1606027941",
            "more",
            "ex:mean, centred at 1: denominator",
            given=BY_MOMENTS,
        ),
        decimal(
            lambda: CENTRE + of("m") / of("n"),
            "1.6126998368",
            "more",
            "ex:mean, centred at 1: output without noise",
            given=BY_MOMENTS,
        ),
    ),
    note=r"$M(D) = c + \frac{\sum \alpha_1 (x - c) h_D + \mathcal{L}((h - l)/2)}{\max(\sum "
    r"\alpha_2 h_D + \mathcal{L}(1), 1)}$ with $c = (l + h)/2$, at half the noise.",
)
