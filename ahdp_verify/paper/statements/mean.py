"""Section 5.2 on means: privacy, utility and bias of the mean mechanism."""

from __future__ import annotations

from ahdp_verify import Domain, Expression, Mechanism, Multiset, distance, name, number, sqrt
from ahdp_verify.analysis.moments import (
    asymptotic_bias,
    average,
    infinite_mean,
    limit,
    mean,
    value_at,
    variance,
)
from ahdp_verify.catalogue import SATURATING
from ahdp_verify.paper.catalogue.mean import weighted_mean as mean_pair
from ahdp_verify.paper.statements.linear_queries import TEN_EACH
from ahdp_verify.paper.statements.questions import (
    BY_LIMITS,
    BY_MOMENTS,
    claim_check,
    claim_checks,
    comparison_check,
    decimal_check,
    infinite_mean_check,
    least_level_check,
    mechanism_in_file,
    refusal_check,
)
from ahdp_verify.paper.statements.row import PaperRow

# prop:newDP-mean, privacy: numerator and denominator together are (alpha1 + alpha2)-AHDP.
PROP_NEWDP_MEAN_PRIVACY = PaperRow(
    identifier="prop_newdp_mean_privacy",
    label="prop:newDP-mean, privacy",
    says=r"$M(D) = \frac{l + \sum \alpha_1 h_D (x - l) + \mathcal{L}(h - l)}{\sum \alpha_2 h_D + "
    r"\mathcal{L}(1)}$ satisfies $(\alpha_1 + \alpha_2)$-AHDP.",
    checks=(
        *claim_checks(
            "paper/mean-ratio-not-clipped.toml", "proved", "proved", says="the ratio, l < h"
        ),
        *claim_checks(
            "paper/mean-numerator-and-denominator.toml",
            "proved",
            "proved",
            says="numerator and denominator",
        ),
        claim_check("paper/mean-by-composition.toml", 1, "proved", "more", "from its two parts"),
        least_level_check(
            "paper/mean-numerator-and-denominator.toml", "alpha1*(x - l)/(h - l) + alpha2"
        ),
    ),
    note="For l < h and finite weights. It holds for numerator and denominator together, so for "
    "every function of the two.",
    section="5.2",
)


# prop:newDP-mean, utility: the offset l inside the numerator is lost as the dataset grows.
MEAN_PRINTED, MEAN_REPAIRED = "paper/mean-numerator-and-denominator.toml", "paper/mean-centred.toml"
ONE_OR_TWO = [({"eps": 1, "alpha1": "1/2", "alpha2": "1/2", "x": x}, "1/2") for x in (1, 2)]
MEAN_RANGE = {"l": 1, "h": 2}
LARGE_NUMBERS = ("almost-sure limits (strong law of large numbers)",)
# A: E alpha1, B: E alpha2, S: E[alpha1 X]
MEAN_MOMENTS = {"A": "A > 0", "B": "B > 0", "S": "", "c": ""}


def ratio_without_noise(n: int) -> Expression:
    """The printed ratio without noise on n copies each of 1 and 2, weights 1/2."""
    found = mean_pair(
        Domain([(1, 1), (2, 1)]), weights=(number("1/2"), number("1/2")), bounds=(1, 2)
    )
    return mean(found, [n, n], of="m") / mean(found, [n, n], of="n")


PROP_NEWDP_MEAN_UTILITY = PaperRow(
    identifier="prop_newdp_mean_utility",
    label="prop:newDP-mean, utility",
    says=r"The mechanism $\frac{l + \sum \alpha_1 h_D (x - l) + \mathcal{L}(h - l)}{\sum \alpha_2 "
    r"h_D + \mathcal{L}(1)}$ estimates the sample mean.",
    checks=(
        comparison_check(
            lambda: limit(
                mechanism_in_file(MEAN_PRINTED), ONE_OR_TWO, of="m/max(n, 1)", parameters=MEAN_RANGE
            ),
            "==",
            lambda: average("x", ONE_OR_TWO),
            "refuted",
            says="X = {1, 2} with equal probabilities, l = 1, weights 1/2: the limit is the mean",
            given=BY_LIMITS,
        ),
        decimal_check(
            lambda: ratio_without_noise(10),
            "0.6",
            "more",
            "ratio without noise, 10 copies of each",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: ratio_without_noise(1000),
            "0.501",
            "more",
            "ratio without noise, 1000 copies of each",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: ratio_without_noise(10**6),
            "0.500001",
            "more",
            "ratio without noise, 10^6 copies of each",
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: limit(
                mechanism_in_file(MEAN_PRINTED), ONE_OR_TWO, of="m/max(n, 1)", parameters=MEAN_RANGE
            ),
            "==",
            "1/2",
            role="more",
            says="the limit there",
            given=BY_LIMITS,
        ),
        comparison_check(
            lambda: average("x", ONE_OR_TWO),
            "==",
            "3/2",
            role="more",
            says="the mean there",
            given=BY_LIMITS,
        ),
        comparison_check(
            "(S - c*A)/B",
            "==",
            "S/B - c*A/B",
            role="more",
            says="the limit of the printed ratio at c = l",
            unknowns=MEAN_MOMENTS,
            given=LARGE_NUMBERS,
        ),
        comparison_check(
            "c + (S - c*A)/A",
            "==",
            "S/A",
            role="repair",
            says="centred at any c, equal weights: the limit is the weighted mean",
            unknowns=MEAN_MOMENTS,
            given=LARGE_NUMBERS,
        ),
        comparison_check(
            lambda: limit(
                mechanism_in_file(MEAN_REPAIRED),
                ONE_OR_TWO,
                of="(l + h)/2 + m/max(n, 1)",
                parameters=MEAN_RANGE,
            ),
            "==",
            lambda: average("x", ONE_OR_TWO),
            role="more",
            says="the centred ratio on the same records",
            given=BY_LIMITS,
        ),
        claim_check(
            MEAN_REPAIRED,
            1,
            "proved",
            "repair",
            "centred at (l + h)/2 with half the noise: (alpha1 + alpha2)-AHDP",
        ),
        claim_check(MEAN_REPAIRED, 2, "proved", "repair", "centred: universal"),
    ),
    note=r"The offset $l$ stands inside the numerator, so that the ratio tends to the weighted "
    r"mean less $l$. With $c = (l + h)/2$: "
    r"$c + \frac{\sum \alpha_1 (x - c) h_D + \mathcal{L}((h - l)/2)}{\max(\sum \alpha_2 h_D + "
    r"\mathcal{L}(1), 1)}$.",
    section="5.2",
)


# The unclipped mean has neither bias nor mean squared error.
PROP_NEWDP_MEAN_MOMENTS = PaperRow(
    identifier="prop_newdp_mean_moments",
    label="prop:newDP-mean, moments",
    says=r"The mean mechanism of prop:newDP-mean has a bias and a mean squared error, as the "
    r"figures of the experiments suppose.",
    checks=(
        infinite_mean_check(
            lambda: infinite_mean(mechanism_in_file(MEAN_PRINTED), of="m/n"),
            "the mean of the ratio, on every dataset",
        ),
        infinite_mean_check(
            lambda: infinite_mean(mechanism_in_file(MEAN_PRINTED), of="(m/n)^2"),
            "its second moment",
        ),
        refusal_check(
            lambda: mean(mechanism_in_file(MEAN_PRINTED), of="m/n"), "bias of the ratio", "more"
        ),
        comparison_check(
            lambda: variance(mechanism_in_file(MEAN_PRINTED), of="m"),
            "==",
            "2*(h - l)^2",
            role="repair",
            says="the variance of the numerator",
            unknowns={"l": "", "h": "h > l"},
            given=BY_MOMENTS,
        ),
        comparison_check(
            "abs(m/max(n, 1))",
            "<=",
            "abs(m)",
            role="repair",
            says="with the denominator clipped at 1 the output is at most the numerator, which has "
            "mean and variance",
            unknowns={"m": "", "n": ""},
            given=("monotonicity of the integral",),
        ),
    ),
    note=r"$E|N/S| = E|N| \cdot E(1/|S|) = \infty$, since the density of the denominator is "
    r"positive at 0; a clipped denominator $\max(S, 1)$ is needed for both.",
    section="5.2, 6",
)


# ex:mean: the numbers belong to demand 2 in place of oo.
EX_MEAN_FILE, CLIPPED_RATIO = "paper/mean-three-records.toml", "m/max(n, 1)"


def mean_with_demand_2() -> Mechanism:
    """The mechanism of the example with demand 2 in place of oo."""
    return mean_pair(
        Domain([(0, 0), (1, 1), (2, 2)]), weights=(SATURATING / 2, SATURATING / 2), bounds=(0, 2)
    )


def mean_on_ten_each(m: Mechanism, what: str) -> Expression:
    """A mean on the dataset of the example."""
    return mean(m, TEN_EACH, of=what)


EX_MEAN = PaperRow(
    identifier="ex_mean",
    label="ex:mean",
    says=r"With $\alpha = (1 - e^{-\epsilon})/2$ the output is $\frac{11.8 + \mathcal{L}(2)}{7.48 "
    r"+ \mathcal{L}(1)}$; with the denominator clipped at 1 its mean is about 1.6.",
    checks=(
        decimal_check(
            lambda: mean_on_ten_each(mechanism_in_file(EX_MEAN_FILE), "m"),
            "11.8",
            says="numerator",
            expect="refuted",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mechanism_in_file(EX_MEAN_FILE), "n"),
            "7.48",
            says="denominator",
            expect="refuted",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mechanism_in_file(EX_MEAN_FILE), "m"),
            "13.160602794142788",
            "repair",
            "numerator",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mechanism_in_file(EX_MEAN_FILE), "n"),
            "8.160602794142788",
            "repair",
            "denominator",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mechanism_in_file(EX_MEAN_FILE), CLIPPED_RATIO),
            "1.675861175901669",
            "repair",
            "mean of the clipped output",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mean_with_demand_2(), "m"),
            "11.807249961776661",
            "more",
            "numerator, demand 2 in place of oo",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mean_with_demand_2(), "n"),
            "7.483926377959725",
            "more",
            "denominator, demand 2 in place of oo",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mean_with_demand_2(), CLIPPED_RATIO),
            "1.654225415950357",
            "more",
            "mean of the clipped output, demand 2 in place of oo",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: mean_on_ten_each(mean_with_demand_2(), CLIPPED_RATIO),
            "1.6",
            "more",
            "that mean, as about 1.6",
            expect="refuted",
            given=BY_MOMENTS,
        ),
        decimal_check(
            lambda: sqrt(variance(mean_with_demand_2(), TEN_EACH, of=CLIPPED_RATIO) / 10**7),
            "0.0002",
            "more",
            "standard error of 10^7 samples",
            given=BY_MOMENTS,
        ),
        comparison_check(
            lambda: value_at("sum(x)/size", mechanism_in_file(EX_MEAN_FILE), TEN_EACH),
            "==",
            "1",
            role="more",
            says="the true mean",
        ),
        claim_check(EX_MEAN_FILE, 1, "proved", "more", "numerator and denominator are alpha-AHDP"),
    ),
    note=r"The numbers use $1 - e^{-2}$ for the demand $\infty$: $\frac{13.16 + "
    r"\mathcal{L}(2)}{8.16 + \mathcal{L}(1)}$, with mean 1.676; with theirs it is 1.654, "
    "and both round to 1.7.",
    section="5.2",
)


# ex:mean with weights eps/2: the limit at demand oo is 2, whatever the noise.
HALF_DEMAND_FILE = "paper/mean-three-records-weights-half-the-demand.toml"
# Noise u, v; a denominator above E.
NOISE_AND_DEMAND = {"u": "", "v": "", "E": "E > 0 and 4*E + 5 + v > 0"}


def ratio_at_demand() -> Expression:
    """The output at demand E in place of oo and any values u and v of the noise; the weighted
    sums are distances from the empty dataset.
    """
    W = mechanism_in_file(HALF_DEMAND_FILE).inputs
    if not isinstance(W, Domain):
        raise TypeError(HALF_DEMAND_FILE)
    D, nobody = Multiset(W, [10, 10, 10]), Multiset(W, [0, 0, 0])
    numerator, denominator = (
        distance(D, nobody, lambda x, eps: eps / 2 * x),
        distance(D, nobody, lambda x, eps: eps / 2),
    )
    return (numerator + name("u")) / (denominator + name("v"))


EX_MEAN_HALF_DEMAND = PaperRow(
    identifier="ex_mean_half_demand",
    label="ex:mean, weights eps/2",
    says=r"Choosing $\alpha = \epsilon/2$ always outputs 2, with the demand $\infty$ as a limit.",
    checks=(
        comparison_check(
            lambda: abs(ratio_at_demand() - 2),
            "<=",
            "abs(u - 2*v - 5)/E",
            says="at any noise u, v the output differs from 2 by at most a constant over the "
            "demand E",
            unknowns=NOISE_AND_DEMAND,
            given=("limits: 1/E tends to 0",),
        ),
        claim_check(
            HALF_DEMAND_FILE, 1, "proved", "more", "private for every finite demand in place of oo"
        ),
    ),
    section="5.2",
)


# rem:bias: the limit of the mean mechanism, and its asymptotic bias.
REM_BIAS_FILE = "paper/mean-both-parts-doubled.toml"
WEIGHTED_MOMENTS = {"A": "A > 0", "X": "", "S": ""}  # A: E alpha, X: E X, S: E[alpha X]
ALMOST_SURE = ("almost-sure limits (strong law of large numbers, Borel-Cantelli lemma)",)
DEPENDENT_WEIGHTS = [
    ({"eps": 1, "alpha": "1/2", "x": 0}, "1/2"),
    ({"eps": 1, "alpha": 1, "x": 1}, "1/2"),
]

REM_BIAS = PaperRow(
    identifier="rem_bias",
    label="rem:bias",
    says=r"$M(D_n) \to \frac{E[X \alpha]}{E[\alpha]} = E[X] + \frac{\mathrm{Cov}(X, "
    r"\alpha)}{E[\alpha]}$ almost surely; "
    r"the bias is 0 for $\alpha(\epsilon)$ if $X$ and $\epsilon$ are independent.",
    checks=(
        *claim_checks(
            REM_BIAS_FILE, "proved", "proved", says="the mechanism with noise L(2) in both parts"
        ),
        comparison_check(
            "S/A",
            "==",
            "X + (S - X*A)/A",
            says="the limit and the covariance",
            unknowns=WEIGHTED_MOMENTS,
            given=ALMOST_SURE,
        ),
        comparison_check(
            "S/A",
            "==",
            "X",
            says="uncorrelated X and alpha",
            unknowns={**WEIGHTED_MOMENTS, "S": "S == X*A"},
            given=ALMOST_SURE,
        ),
        comparison_check(
            lambda: asymptotic_bias(
                mechanism_in_file(REM_BIAS_FILE), "x", DEPENDENT_WEIGHTS, of="m/max(n, 1)"
            ),
            "==",
            "0",
            "refuted",
            "more",
            "alpha that depends on x, one demand for all: no bias",
            given=BY_LIMITS,
        ),
        refusal_check(
            lambda: average("eps", [((0, 1), "1/2"), ((1, "oo"), "1/2")]),
            "E alpha for alpha = eps where some demand is oo",
            "more",
        ),
    ),
    note=r"$0 < E[\alpha] < \infty$, so that $\alpha = \epsilon$ needs finite demands.",
    section="5.2",
)


# sec:exp-det, S(D): private, but no estimate of the size, since it counts distinct records.
SIZE_PRINTED, SIZE_REPAIRED = (
    "paper/frequency-size-of-distinct-records.toml",
    "paper/weighted-count.toml",
)


ROWS = (
    PROP_NEWDP_MEAN_PRIVACY,
    PROP_NEWDP_MEAN_UTILITY,
    PROP_NEWDP_MEAN_MOMENTS,
    EX_MEAN,
    EX_MEAN_HALF_DEMAND,
    REM_BIAS,
)
