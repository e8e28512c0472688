"""The weighted distance: its levels are real numbers."""

from ahdp_verify.kernel.model.domain import Domain, Multiset, distance
from ahdp_verify.paper.statements.checks import holds
from ahdp_verify.paper.statements.row import Row

W = Domain([(0, 1), (1, 2)])
TRIANGLE = {"a": "a >= 0", "h": "", "g": "", "f": ""}


def far() -> object:
    """The distance of two datasets of W for the level eps/2."""
    return distance(Multiset(W, [3, 0]), Multiset(W, [1, 1]), lambda x, eps: eps / 2)


def vanishing() -> object:
    """The distance of {} and {(0, 1)} for the level eps - 1, which vanishes there."""
    return distance(Multiset(W, [0, 0]), Multiset(W, [1, 0]), lambda x, eps: eps - 1)


ROW = Row(
    label="d_alpha",
    says=r"For $\alpha : \mathcal{W} \to \mathbb{Z}_{\ge 0}$, $d_\alpha(D, D') = \sum \alpha(x, "
    r"\epsilon)\, |h_D(x, \epsilon) - h_{D'}(x, \epsilon)|$.",
    checks=(
        holds(
            "1 - exp(-eps)",
            "==",
            "floor(1 - exp(-eps))",
            "refuted",
            says="the levels that the paper uses are whole numbers",
            unknowns={"eps": "eps > 0"},
        ),
        holds(
            "1 - exp(-eps)",
            ">=",
            0,
            role="repair",
            says="they lie in [0, oo]",
            unknowns={"eps": "eps >= 0"},
        ),
        holds(
            "eps/(1 + eps)",
            ">=",
            0,
            role="repair",
            says="and so do the others",
            unknowns={"eps": "eps >= 0"},
        ),
        holds(
            "a*abs(h - f)",
            "<=",
            "a*abs(h - g) + a*abs(g - f)",
            role="more",
            says="the triangle inequality, record by record",
            unknowns=TRIANGLE,
        ),
        holds(
            "a*abs(h - g)", "==", "a*abs(g - h)", role="more", says="symmetry", unknowns=TRIANGLE
        ),
        holds(vanishing, "==", 0, role="more", says="datasets that differ may have distance 0"),
        holds(far, "==", 2, role="more", says="two records of level 1/2 and one of level 1"),
    ),
    note="The codomain must be [0, oo], with 0 * oo = 0; the distance is a pseudo-metric, since a "
    "level may vanish.",
    section="3",
)
