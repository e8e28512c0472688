"""Notation, S(X): datasets are finite multisets, and demands may be infinite."""

from ahdp_verify.kernel.model.domain import Domain, Multiset, distance
from ahdp_verify.kernel.model.inequality import Statement
from ahdp_verify.kernel.terms.expression import oo
from ahdp_verify.paper.statements.checks import holds, refusal
from ahdp_verify.paper.statements.row import Row

W = Domain([(0, oo), (1, 1)])


def with_one_more() -> object:
    """The distance of {(0, oo)} and {(0, oo), (1, 1)}: the record with the infinite level is in
    both.
    """
    return distance(Multiset(W, [1, 0]), Multiset(W, [1, 1]), lambda x, eps: eps)


ROW = Row(
    label="Notation, S(X)",
    says=r"$\mathcal{S}(\mathcal{X})$ are the multisets with countable elements, and $\mathbb{R}$ "
    r"stands for $\mathbb{R} \cup \{\infty\}$.",
    checks=(
        refusal(
            lambda: Statement.of({}, "0*oo", "==", 0), "0 times infinity has no value by itself"
        ),
        holds(
            with_one_more,
            "==",
            1,
            role="repair",
            says="with 0 times infinity = 0, the record that both datasets have costs nothing",
            only="one pair of datasets",
        ),
    ),
    note="Finite multisets are meant, and the convention 0 * oo = 0 has to be said: without it "
    "the distance is undefined as soon as one level is infinite.",
    section="2.1",
)
