"""sec:SM, the proof that the Sample Mechanism is private: its last step names a fact that is too
weak.
"""

from ahdp_verify.paper.statements.checks import argument, holds
from ahdp_verify.paper.statements.row import Row

FILES = "paper/sample-mechanism-proof"
UT = {"u": "u > 1", "T": "T > 1 and T >= u"}

ROW = Row(
    label="sec:SM",
    says=r"$\frac{e^t - e^{-t}}{e^t - 1} - \frac{e^y}{e^t} = e^y (e^{-y} - e^{-t}) + e^{-t} \ge "
    r"e^{-y}$, where we used $e^y \ge 0$.",
    checks=(
        argument(FILES + "-upper.toml", "proved", says="the first display: the upper end"),
        argument(
            FILES + "-lower.toml", "proved", says="the second display, given the claim below it"
        ),
        holds(
            "(exp(t) - exp(-t))/(exp(t) - 1) - exp(min(y, t))/exp(t)",
            ">=",
            "exp(-min(y, t))",
            says="the case y >= t",
            unknowns={"t": "t > 0", "y": "y >= t"},
        ),
        argument(FILES + ".toml", "refuted", says="the last display, from e^y >= 0"),
        argument(FILES + "-repaired.toml", "proved", "repair", "the last display, from e^y >= 1"),
        holds(
            "1 + 1/T - u/T - 1/u",
            "==",
            "(u - 1)*(1/u - 1/T)",
            role="more",
            says="the gap, with u = e^y and T = e^t",
            unknowns=UT,
        ),
        holds(
            "(u - 1)*(1/u - 1/T)", ">=", "0", role="more", says="it is not negative", unknowns=UT
        ),
    ),
    note=r"The inequality is true, but does not follow from $e^y \ge 0$; it needs $e^y \ge 1$.",
    section="F",
)
