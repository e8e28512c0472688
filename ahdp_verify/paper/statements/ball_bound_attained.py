"""S3, conjecture: for two values the ball bound is attained."""

from ahdp_verify.analysis.power.best import best_powers
from ahdp_verify.analysis.power.closed_forms import ball_bound
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import name
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.paper.statements.checks import against, holds, optima
from ahdp_verify.paper.statements.row import Check, Row

LISTED = (
    ("1/2", "1/2"),
    ("1/3", "1/3"),
    ("1/2", "1/3"),
    ("1/100", "99/100"),
    ("9/10", "1/10"),
    ("99/100", "99/100"),
)
BALL = "1/(1 + 3*exp(-eps) + exp(-2*eps) + exp(-3*eps))"  # t = 2
TWO = Domain([(1, name("eps")), (2, name("eps"))])


def attained(first: str, second: str, t: int) -> Check:
    """That the optimum is the ball bound."""
    demands = f"log(1/({first})), log(1/({second}))"
    domain = Domain([(i, parse(d, "demand")) for i, d in enumerate(demands.split(","), 1)])
    return against(
        demands, t, lambda: ball_bound(domain, t), only=f"q = ({first}, {second}), t = 2, 3, 4"
    )


ROW = Row(
    label="S3. The ball bound at k = 2",
    says=r"For $k = 2$ the largest power is the ball bound: $V_t = \min_v \frac{1}{Z_t(v)}$ for "
    r"all $t$ and all demands.",
    checks=(
        *(attained(first, second, t) for first, second in LISTED for t in (2, 3, 4)),
        optima(
            lambda: best_powers(TWO, extra_records(2), parameters={"eps": "eps > 0"}),
            "eps > 0",
            BALL,
            "more",
            "t = 2, q_1 = q_2",
        ),
        holds(
            lambda: ball_bound(TWO, 2),
            "==",
            BALL,
            role="more",
            says="the ball bound there",
            unknowns={"eps": "eps > 0"},
        ),
    ),
    kind="conjecture",
    note="Not proved: equality in every case that was tried.",
)
