"""O1: the exact largest power against at most t extra records for k values of one demand."""

from collections.abc import Iterator
from functools import partial

from ahdp_verify.analysis.power.closed_forms import limit_power, value
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.paper.statements.checks import against, decimal, holds
from ahdp_verify.paper.statements.row import Check, Row

VALUES = {  # (k, 1/q): V_1, V_2, ...; the last one is the limit
    (1, 2): "2/3, 1/2, 4/9, 2/5, 8/21, 4/11, 16/45, 8/23, 32/93, 16/47, 1/3",
    (1, 3): "3/4, 3/5, 9/16, 9/17, 27/52, 27/53, 81/160, 81/161, 243/484, 243/485, 1/2",
    (2, 2): "1/2, 8/23, 1/4, 8/39, 64/351, 32/197, 64/431, 128/907, 1/9",
    (2, 3): "3/5, 27/58, 27/74, 81/251, 729/2407, 729/2564, 2187/8036, 19683/73741, 1/4",
    (3, 2): "2/5, 1/4, 32/183, 32/261, 64/669, 1/27",
    (3, 3): "1/2, 3/8, 2/7, 81/367, 1/8",
    (3, 10): "10/13, 2900/4133, 1450/2261, 729/1331",
}
DECIMALS = {
    (
        2,
        2,
    ): "0.5, 0.347826086957, 0.25, 0.205128205128, 0.182336182336, 0.162436548223, "
    "0.148491879350, 0.141124586549, 0.111111111111",
    (3, 2): "0.4, 0.25, 0.174863387978, 0.122605363985, 0.095665171898, 0.037037037037",
    (3, 3): "0.5, 0.375, 0.285714285714, 0.220708446866, 0.125",
}


def line(k: int, base: int) -> Iterator[Check]:
    """The checks of one line of the table."""
    *values, limit = VALUES[k, base].split(", ")
    for t, printed in enumerate(values, 1):
        yield against(
            ", ".join([f"log({base})"] * k),
            t,
            printed,
            says=f"k = {k}, q = 1/{base}, t = {t}",
            only=f"k = {k}, q = 1/{base}, t <= {len(values)}",
        )
    yield holds(
        lambda: value(limit_power(Domain([(i, log(base)) for i in range(k)]))),
        "==",
        limit,
        role="more",
        says=f"the limit (S1), k = {k}, q = 1/{base}",
    )
    for exact, printed in zip(
        (*values, limit), DECIMALS.get((k, base), "").split(", "), strict=False
    ):
        if printed:
            yield decimal(partial(str, exact), printed, "more", exact)


ROW = Row(
    label="O1. Powers for one demand",
    says=r"The largest power against at most $t$ extra records of $k$ values at one $q = "
    r"e^{-\epsilon}$, for example $\frac{8}{23}$ at $t = 2$ for $k = 2$, $q = \frac12$.",
    checks=tuple(check for case in VALUES for check in line(*case)),
)
