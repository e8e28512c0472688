"""sec:exp-det, S(D): private, but no estimate of the size, since it counts distinct records."""

from ahdp_verify.analysis.moments.moments import bias, mean, value_at
from ahdp_verify.catalogue.frequency import size_as_printed
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.paper.statements.checks import (
    BY_MOMENTS,
    claim,
    claims,
    holds,
    least,
    mechanism_of,
)
from ahdp_verify.paper.statements.row import Row

PRINTED, REPAIRED = "paper/frequency-size-as-printed.toml", "paper/count.toml"
LISTED = "four kinds of records, weights eps/4"
TWICE = [2]


def one_kind() -> Mechanism:
    """The printed size over one kind of record with weight 1."""
    return size_as_printed(Domain([(1, 1)]), weight=1)


CHECKS = (
    claim(PRINTED, 1, "proved", says="the printed sum is private", only=LISTED),
    holds(
        lambda: mean(one_kind(), TWICE),
        "==",
        lambda: value_at("size", one_kind(), TWICE),
        "refuted",
        given=BY_MOMENTS,
        says="one record twice, weight 1: the mean is the size",
    ),
    least(PRINTED, "eps/4", only=LISTED),
    *claims(REPAIRED, "proved", "proved", role="repair", says="with the number of copies"),
    holds(
        lambda: bias(mechanism_of(REPAIRED), "sum(alpha)"),
        "==",
        "0",
        role="repair",
        says="its mean is the weighted size on every dataset",
        given=BY_MOMENTS,
    ),
)

ROW = Row(
    label="sec:exp-det, S(D)",
    says=r"$S(D) = \sum_{(x, \epsilon) \in T(D)} \alpha_2(x, \epsilon) + \mathcal{L}(1)$ is an "
    r"$\alpha_2$-AHDP estimate of the size of the dataset.",
    checks=CHECKS,
    note=r"$h_D$ is missing: the sum over $T(D)$ counts distinct records. $S(D) = \sum "
    r"\alpha_2(x, \epsilon) h_D(x, \epsilon) + \mathcal{L}(1)$.",
    section="H",
)
