"""What is wrong in the paper about its mechanisms and examples, and what should stand there: E7 to
E12.
"""

from __future__ import annotations

from ahdp_verify import Expression, Mechanism
from ahdp_verify.analysis.moments import infinite_mean, mean
from ahdp_verify.catalogue import EX_SUM as EX_SUM_DOMAIN
from ahdp_verify.catalogue import SATURATING
from ahdp_verify.paper.catalogue.mean import mean_centred
from ahdp_verify.paper.statements.background import (
    CENTRE_AND_NOISE_VANISH,
    DEMANDS_FAR_APART,
    SOME_AT_ONE,
    SQUEEZED,
)
from ahdp_verify.paper.statements.experiments import SIZE_ESTIMATE
from ahdp_verify.paper.statements.linear_queries import (
    COUNT_AS_QUERY,
    EX_SUM,
    PROP_NEWDP_UTILITY,
    QUERY_REPAIRED,
    TEN_EACH,
)
from ahdp_verify.paper.statements.mean import (
    EX_MEAN,
    EX_MEAN_FILE,
    MEAN_REPAIRED,
    PROP_NEWDP_MEAN_MOMENTS,
    PROP_NEWDP_MEAN_UTILITY,
    mean_on_ten_each,
    mean_with_demand_2,
)
from ahdp_verify.paper.statements.questions import (
    BY_MOMENTS,
    claim_check,
    comparison_check,
    decimal_check,
    infinite_mean_check,
    least_level_check,
    mechanism_in_file,
)
from ahdp_verify.paper.statements.row import PaperRow

# E7: the linear query with an offset, and the count it is said to give.
E7 = PaperRow(
    identifier="e7",
    label="E7. The linear query without offset",
    says=r"$l + \sum \alpha (f - l) h_D + \mathcal{L}(h - l)$ estimates $f(D)$, and with $f = 1$ "
    r"the size of the dataset.",
    checks=(
        *PROP_NEWDP_UTILITY.checks,
        *COUNT_AS_QUERY.checks,
        least_level_check(QUERY_REPAIRED, "alpha*abs(f)/F", says="no offset: no lower level holds"),
    ),
    note=r"$M(D) = \sum \alpha(x, \epsilon) f(x) h_D(x, \epsilon) + \mathcal{L}(F)$ with $F = "
    r"\max |f| > 0$; $f = 1$ gives the count with $\mathcal{L}(1)$.",
)


# E8: the mean with an offset in its numerator.
CENTRE = 1


def centred_mean(what: str) -> Expression:
    """A mean of the centred mechanism on the dataset of ex:mean."""
    return mean(
        mean_centred(EX_SUM_DOMAIN, weights=(SATURATING / 2, SATURATING / 2), bounds=(0, 2)),
        TEN_EACH,
        of=what,
    )


E8 = PaperRow(
    identifier="e8",
    label="E8. The mean without offset",
    says=r"$\frac{l + \sum \alpha_1 (x - l) h_D + \mathcal{L}(h - l)}{\sum \alpha_2 h_D + "
    r"\mathcal{L}(1)}$ estimates the mean.",
    checks=(
        *PROP_NEWDP_MEAN_UTILITY.checks,
        least_level_check(
            MEAN_REPAIRED,
            "2*alpha1*abs(x - (l + h)/2)/(h - l) + alpha2",
            says="centred: no lower level holds",
        ),
        comparison_check(
            lambda: centred_mean("m"),
            "==",
            "5",
            role="more",
            says="ex:mean, centred at 1: numerator",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: centred_mean("n"),
            "8.1606027941",
            "more",
            "ex:mean, centred at 1: denominator",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: CENTRE + centred_mean("m") / centred_mean("n"),
            "1.6126998368",
            "more",
            "ex:mean, centred at 1: output without noise",
            given=BY_MOMENTS,
        ),
    ),
    note=r"$M(D) = c + \frac{\sum \alpha_1 (x - c) h_D + \mathcal{L}((h - l)/2)}{\max(\sum "
    r"\alpha_2 h_D + \mathcal{L}(1), 1)}$ with $c = (l + h)/2$, at half the noise.",
)


# E9: ex:sum and ex:mean with the demand oo.
def ratio_of_means(m: Mechanism) -> Expression:
    """The output of ex:mean without noise."""
    return mean_on_ten_each(m, "m") / mean_on_ten_each(m, "n")


E9 = PaperRow(
    identifier="e9",
    label="E9. ex:sum and ex:mean with the demand oo",
    says=r"The worked examples: $23.6$ with a bias of $-6.4$, and $11.8 / 7.48$, for the demands "
    r"0, 1 and $\infty$.",
    checks=(
        *EX_SUM.checks,
        *EX_MEAN.checks,
        decimal_check(
            lambda: ratio_of_means(mechanism_in_file(EX_MEAN_FILE)),
            "1.612699836780282",
            "repair",
            "ratio without noise",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: ratio_of_means(mean_with_demand_2()),
            "1.577681201748482",
            "more",
            "ratio without noise, demand 2 in place of oo",
            given=BY_MOMENTS,
        ),
    ),
    note=r"These are the numbers for demand 2; for $\infty$ they are $26.32$, $-3.68 = -10/e$ and "
    r"$13.16 / 8.16$.",
)


# E10: ex:swap-dp has the output 0, not 1.
E10 = PaperRow(
    identifier="e10",
    label="E10. ex:swap-dp",
    says="Any other dataset will have a deterministic output of 1.",
    checks=(
        comparison_check(
            "m*d/(m*d + (n - m)*E)",
            ">=",
            "1/2",
            "refuted",
            says="the centre comes near 1 (d near 0, E large)",
            unknowns=DEMANDS_FAR_APART,
        ),
        *CENTRE_AND_NOISE_VANISH,
        comparison_check(
            "m*E/(m*E + (n - m)*d)",
            ">=",
            "1 - (n - m)*d/(m*E)",
            role="repair",
            says="or swap the coupling to {(0, 0), (1, oo)}: then the centre tends to 1",
            unknowns=SOME_AT_ONE,
            given=SQUEEZED,
        ),
        claim_check(
            "paper/demand-weighted-mean-limit.toml",
            4,
            "refuted",
            "more",
            "one output tells that all demands were 0",
        ),
    ),
    note="Replace 1 by 0, or swap the coupling.",
)


# E11: the size in the frequency estimate.
E11 = PaperRow(
    identifier="e11",
    label="E11. The size in the frequency estimate",
    says=r"$S(D) = \sum_{(x, \epsilon) \in T(D)} \alpha_2(x, \epsilon) + \mathcal{L}(1)$ "
    r"estimates the size.",
    checks=(
        *SIZE_ESTIMATE.checks,
        claim_check(
            "paper/frequency-bins-and-size.toml",
            1,
            "proved",
            "more",
            "bins and repaired size together",
            only="three bins and five kinds of records",
        ),
        claim_check(
            "paper/frequency-by-composition.toml",
            1,
            "proved",
            "more",
            "clipped frequencies made of these",
            only="three bins and five kinds of records",
        ),
    ),
    note=r"$S(D) = \sum_{(x, \epsilon) \in T(D)} \alpha_2(x, \epsilon) h_D(x, \epsilon) + "
    r"\mathcal{L}(1)$.",
)


# E12: moments of the mean mechanism.
E12 = PaperRow(
    identifier="e12",
    label="E12. No moments without a clipped denominator",
    says=r"The ratio $N/S$ of the mean mechanism has a bias and a mean squared error.",
    checks=(
        *PROP_NEWDP_MEAN_MOMENTS.checks,
        infinite_mean_check(
            lambda: infinite_mean(mechanism_in_file(EX_MEAN_FILE), TEN_EACH, of="m/n"),
            "the mean on the dataset of ex:mean",
            "more",
        ),
    ),
    note=r"$E|N/S| = \infty$. The almost sure limit of rem:bias exists; the denominator has to be "
    r"clipped for moments to exist.",
)


ROWS = (
    E7,
    E8,
    E9,
    E10,
    E11,
    E12,
)
