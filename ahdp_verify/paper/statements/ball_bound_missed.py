"""S3 and O3: for three values the ball bound is not always attained; a formula for t = 2 and q <
1/3.
"""

from functools import partial

from ahdp_verify.analysis.power.best import best_powers
from ahdp_verify.analysis.power.closed_forms import ball_bound, value
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import Expression, log, name
from ahdp_verify.paper.statements.checks import against, holds, optima
from ahdp_verify.paper.statements.row import Row

FEW = {"q": "0 < q and q < 1/3"}
OPTIMUM = "(3 - q)/(3 + 11*q + 3*q^2 + 3*q^3)"
BALL = "1/(1 + 4*q + 2*q^2 + 3*q^3)"
THREE = Domain([(i, name("eps")) for i in range(3)])


def bound(base: int, t: int, k: int = 3) -> Expression:
    """The ball bound for k values at q = 1/base."""
    return value(ball_bound(Domain([(i, log(base)) for i in range(k)]), t))


ROW = Row(
    label="S3 and O3. Below the ball bound at k = 3",
    says=r"For $k = 3$, $t = 2$, $q = e^{-\epsilon} < \frac13$ the largest power of what is "
    r"private on $H_2$ is $\frac{3 - q}{3 + 11 q + 3 q^2 + 3 q^3}$, "
    r"below the ball bound $\frac{1}{1 + 4 q + 2 q^2 + 3 q^3}$.",
    checks=(
        optima(
            lambda: best_powers(THREE, extra_records(2), parameters={"eps": "eps > log(3)"}),
            "eps > log(3)",
            OPTIMUM.replace("q", "exp(-eps)"),
            says="the optimum for all q < 1/3",
        ),
        holds(OPTIMUM, "<", BALL, says="below the ball bound", unknowns=FEW),
        holds(
            f"1/({OPTIMUM})",
            "==",
            "1 + 4*q + 2*q^2 + 3*q^3 + q^2*(1 - q)*(1 - 3*q)/(3 - q)",
            says="by this much",
            unknowns=FEW,
        ),
        holds(
            lambda: ball_bound(THREE, 2),
            "==",
            BALL.replace("q", "exp(-eps)"),
            says="the ball bound",
            unknowns={"eps": "eps > log(3)"},
        ),
        *(
            against(", ".join([f"log({base})"] * 3), 2, printed, "more")
            for base, printed in ((20, "23600/28463"), (10, "2900/4133"), (4, "176/383"))
        ),
        *(
            holds(
                partial(bound, base, 2),
                "==",
                ball,
                role="more",
                says=f"the ball bound, k = 3, t = 2, q = 1/{base}",
            )
            for base, ball in ((10, "1000/1423"), (4, "64/139"))
        ),
        *(
            against(
                ", ".join([f"log({q})"] * 3),
                2,
                f"1/(1 + 3/({q}) + 6/({q})^2)",
                "more",
                f"1/(1 + 3 q + 6 q^2) at q = 1/({q})",
            )
            for q in ("3", "5/2", "2", "3/2", "4/3", "10/9")
        ),
        against("log(3), log(3), log(3)", 3, "2/7", "more"),
        holds(
            "2/7",
            "<",
            partial(bound, 3, 3),
            role="more",
            says="below the ball bound, k = 3, t = 3, q = 1/3",
        ),
        holds(
            partial(bound, 3, 3),
            "==",
            "243/850",
            role="more",
            says="the ball bound, k = 3, t = 3, q = 1/3",
        ),
        against(
            "log(2), log(2), log(2), log(2)",
            3,
            partial(bound, 2, 3, 4),
            "more",
            "below the ball bound, k = 4, t = 3, q = 1/2",
            relation="<",
        ),
    ),
)
