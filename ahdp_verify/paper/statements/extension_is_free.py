"""S4, conjecture: privacy on all datasets costs nothing against privacy on the hypotheses."""

from collections.abc import Iterator

from ahdp_verify.analysis.power.closed_forms import one_value_power
from ahdp_verify.paper.statements.checks import against, decided
from ahdp_verify.paper.statements.row import Check, Row

LISTED = {  # demands: V_2, V_3, ...
    "log(2), log(2)": ("8/23", "1/4", "8/39"),
    "log(2), log(3)": ("9/23", "36/119"),
    "log(2), log(2), log(2)": ("1/4", "32/183"),
    "log(10), log(10), log(10)": ("2900/4133",),
    "log(2), log(2), log(2), log(2)": ("2/11",),
}


def both(demands: str, t: int, value: str) -> Iterator[Check]:
    """That the optimum has this value, on the hypotheses and on all datasets."""
    for everywhere in (False, True):
        yield against(
            demands,
            t,
            value,
            everywhere=everywhere,
            only=f"demands {demands}, t <= {len(LISTED[demands]) + 1}",
        )


ROW = Row(
    label="S4. Privacy on all datasets is free",
    says=r"The largest power of mechanisms that are private on all datasets is that of mechanisms "
    r"that are private on $H_t$.",
    checks=(
        *(
            check
            for demands, values in LISTED.items()
            for t, value in enumerate(values, 2)
            for check in both(demands, t, value)
        ),
        *(
            decided(
                lambda tell, t=t: one_value_power(t)[1],  # type: ignore[misc]
                "proved",
                "more",
                f"one value, t = {t}, all eps > 0, all datasets",
            )
            for t in (1, 2, 3, 4)
        ),
    ),
    kind="conjecture",
    note="Proved for one value (S2), for t = 1 (E4) and in the limit (S1); otherwise verified in "
    "every case that was tried.",
)
