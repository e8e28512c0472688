"""O2: the exact largest power against at most t extra records for values of different demands."""

from functools import partial

from ahdp_verify.analysis.power.closed_forms import limit_power, value
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import Expression, log
from ahdp_verify.paper.statements.checks import against, decimal, holds
from ahdp_verify.paper.statements.row import Row

VALUES: dict[tuple[int, ...], tuple[str, ...]] = {
    (2, 3): (
        "6/11 0.545454545455",
        "9/23 0.391304347826",
        "36/119 0.302521008403",
        "216/841 0.256837098692",
        "648/2819 0.229868747783",
        "3888/18193 0.213708569230",
        "7776/38735 0.200748676907",
    ),
    (2, 3, 4): ("12/25 0.48", "288/865 0.332947976879"),
}
LIMITS: dict[tuple[int, ...], str] = {(2, 3): "1/6", (2, 3, 4): "1/10"}


def chances(bases: tuple[int, ...]) -> str:
    """The chances q in words."""
    return ", ".join(f"1/{b}" for b in bases)


def limit(bases: tuple[int, ...]) -> Expression:
    """The limit of the power as t grows."""
    return value(limit_power(Domain([(b, log(b)) for b in bases])))


LINES: list[tuple[tuple[int, ...], int, str, str]] = [
    (bases, t, *entry.partition(" ")[::2])
    for bases, entries in VALUES.items()
    for t, entry in enumerate(entries, 1)
]

ROW = Row(
    label="O2. Powers for several demands",
    says=r"The largest power against at most $t$ extra records of values with $e^{-\epsilon_l(x)} "
    r"= (\frac12, \frac13)$ and $(\frac12, \frac13, \frac14)$.",
    checks=(
        *(
            against(
                ", ".join(f"log({b})" for b in bases),
                t,
                exact,
                only=f"q = ({chances(bases)}), t <= {len(VALUES[bases])}",
            )
            for bases, t, exact, _ in LINES
        ),
        *(
            holds(
                partial(limit, bases),
                "==",
                printed,
                role="more",
                says=f"the limit (S1), q = ({chances(bases)})",
            )
            for bases, printed in LIMITS.items()
        ),
        *(decimal(partial(str, exact), printed, "more", exact) for _, _, exact, printed in LINES),
    ),
)
