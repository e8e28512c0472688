"""ex:mean with weights eps/2: the limit at demand oo is 2, whatever the noise."""

from ahdp_verify.context import Context
from ahdp_verify.domain import Domain, Multiset, distance
from ahdp_verify.expression import Expression, name
from ahdp_verify.growth import limit
from ahdp_verify.statements.checks import claim, holds, mechanism_of
from ahdp_verify.statements.row import Row

FILE = "paper/mean-ex-mean-demand.toml"


def ratio_at_large_demand() -> Expression:
    """What the ratio tends to as E grows, at any values u and v of the noise; the weighted sums are distances from the empty dataset."""
    W = mechanism_of(FILE).inputs
    if not isinstance(W, Domain):
        raise TypeError(FILE)
    D, nobody = Multiset(W, [10, 10, 10]), Multiset(W, [0, 0, 0])
    numerator, denominator = distance(D, nobody, lambda x, eps: eps / 2 * x), distance(D, nobody, lambda x, eps: eps / 2)
    return limit((numerator + name("u")) / (denominator + name("v")), "E", Context.empty())


ROW = Row(
    label="ex:mean, weights eps/2",
    says=r"Choosing $\alpha = \epsilon/2$ always outputs 2, with the demand $\infty$ as a limit.",
    checks=(
        holds(ratio_at_large_demand, "==", "2", says="the limit of the ratio at any noise"),
        claim(FILE, 1, "proved", "more", "private for every finite demand in place of oo"),
    ),
    section="5.2",
)
