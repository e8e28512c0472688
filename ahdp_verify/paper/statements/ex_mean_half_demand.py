"""ex:mean with weights eps/2: the limit at demand oo is 2, whatever the noise."""

from ahdp_verify.kernel.model.domain import Domain, Multiset, distance
from ahdp_verify.kernel.terms.expression import Expression, name
from ahdp_verify.paper.statements.checks import claim, holds, mechanism_of
from ahdp_verify.paper.statements.row import Row

FILE = "paper/mean-ex-mean-demand.toml"


ENOUGH = {"u": "", "v": "", "E": "E > 0 and 4*E + 5 + v > 0"}  # noise u, v; a denominator above E


def ratio() -> Expression:
    """The output at demand E in place of oo and any values u and v of the noise; the weighted
    sums are distances from the empty dataset.
    """
    W = mechanism_of(FILE).inputs
    if not isinstance(W, Domain):
        raise TypeError(FILE)
    D, nobody = Multiset(W, [10, 10, 10]), Multiset(W, [0, 0, 0])
    numerator, denominator = (
        distance(D, nobody, lambda x, eps: eps / 2 * x),
        distance(D, nobody, lambda x, eps: eps / 2),
    )
    return (numerator + name("u")) / (denominator + name("v"))


ROW = Row(
    label="ex:mean, weights eps/2",
    says=r"Choosing $\alpha = \epsilon/2$ always outputs 2, with the demand $\infty$ as a limit.",
    checks=(
        holds(
            lambda: abs(ratio() - 2),
            "<=",
            "abs(u - 2*v - 5)/E",
            says="at any noise u, v the output differs from 2 by at most a constant over the "
            "demand E",
            unknowns=ENOUGH,
            given=("limits: 1/E tends to 0",),
        ),
        claim(FILE, 1, "proved", "more", "private for every finite demand in place of oo"),
    ),
    section="5.2",
)
