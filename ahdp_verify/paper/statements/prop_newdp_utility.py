"""prop:newDP, utility: the offset l makes the linear query an estimate of f(D) for l = 0 only."""

from ahdp_verify.analysis.moments.moments import bias, mean, value_at, variance
from ahdp_verify.catalogue.linear_query import ALPHA, BOUNDS, F, H, L, linear_query
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.paper.statements.checks import BY_MOMENTS, claim, holds, mechanism_of
from ahdp_verify.paper.statements.row import Row

PRINTED, REPAIRED = "paper/linear-query-universal.toml", "paper/linear-query-repaired.toml"
TEN, RANGE = [{"eps": 1, "alpha": 1, "f": -1}] * 10, {"l": -1, "h": 1}
EVERY = Domain.universal({"f": "l <= f <= h"}, BOUNDS)
FROM_0 = Domain.universal({"alpha": "0 <= alpha <= eps", "f": "0 <= f <= h"}, {"h": "h > 0"})


def unweighted_bias(query: str) -> object:
    """The bias of the printed mechanism with all weights 1, as a formula in the dataset."""
    return bias(linear_query(EVERY, F, weight=1, bounds=(L, H)), query)


CHECKS = (
    holds(
        lambda: mean(mechanism_of(PRINTED), TEN, parameters=RANGE),
        "==",
        lambda: value_at("sum(f)", mechanism_of(PRINTED), TEN, RANGE),
        "refuted",
        says="ten records at f = l = -1, h = 1, all weights 1: the mean is the sum",
        given=BY_MOMENTS,
    ),
    holds(
        lambda: mean(mechanism_of(PRINTED), TEN, parameters=RANGE),
        "==",
        "-1",
        role="more",
        says="there the mean is -1",
        given=BY_MOMENTS,
    ),
    holds(
        lambda: value_at("sum(f)", mechanism_of(PRINTED), TEN, RANGE),
        "==",
        "-10",
        role="more",
        says="there the sum is -10",
    ),
    holds(
        lambda: unweighted_bias("sum(f) - l*(size - 1)"),
        "==",
        "0",
        role="more",
        says="the mean is f(D) - l(|D| - 1) on every dataset, all weights 1",
        given=BY_MOMENTS,
    ),
    holds(
        lambda: bias(linear_query(FROM_0, F, weight=ALPHA, bounds=(0, H)), "sum(alpha*f)"),
        "==",
        "0",
        role="more",
        says="for l = 0 it is the weighted sum",
        given=BY_MOMENTS,
    ),
    holds(
        lambda: bias(mechanism_of(REPAIRED), "sum(alpha*f)"),
        "==",
        "0",
        role="repair",
        given=BY_MOMENTS,
        says="no offset: the mean is the weighted sum on every dataset, for every l",
    ),
    claim(REPAIRED, 1, "proved", "repair", "no offset: alpha-AHDP with noise of scale max |f|"),
    claim(REPAIRED, 2, "proved", "repair", "no offset: universal"),
    holds(
        lambda: variance(mechanism_of(REPAIRED)),
        "==",
        "2*F^2",
        role="more",
        says="its variance",
        unknowns={"F": "F > 0"},
        given=BY_MOMENTS,
    ),
)

ROW = Row(
    label="prop:newDP, utility",
    says=r"The linear query mechanism estimates $f(D) = \sum f(x) h_D(x)$.",
    checks=CHECKS,
    note=r"With $\alpha = 1$ its mean is $f(D) - l(|D| - 1)$, right for $l = 0$ only; $\sum "
    r"\alpha(x, \epsilon) f(x) h_D(x, \epsilon) + \mathcal{L}(\max |f|)$ has no offset.",
    section="5.2",
)
