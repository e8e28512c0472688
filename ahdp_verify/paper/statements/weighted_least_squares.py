"""The optimum of weighted least squares."""

from ahdp_verify.paper.statements.checks import argument, holds
from ahdp_verify.paper.statements.row import Row

TWO = {"a11": "", "a12": "", "a22": "a11*a22 - a12^2 > 0", "b1": "", "b2": ""}
DET = "(a11*a22 - a12^2)"
FIRST, SECOND = f"((a22*b1 - a12*b2)/{DET})", f"((a11*b2 - a12*b1)/{DET})"

ROW = Row(
    label="weighted least squares",
    says=r"$\theta^* = (X^T W X)^{-1} X^T W y$ minimises $\sum_i \alpha(z_i, \epsilon_i) |x_i^T "
    r"\theta - y_i|^2$.",
    checks=(
        argument(
            "paper/weighted-least-squares.toml",
            "proved",
            says="no coefficient does better than a solution of the normal equations",
        ),
        holds(
            "a*(b/a) - b",
            "==",
            "0",
            role="more",
            says="the gradient vanishes",
            unknowns={"a": "a > 0", "b": ""},
            only="d = 1",
        ),
        holds(
            f"a11*{FIRST} + a12*{SECOND} - b1",
            "==",
            "0",
            role="more",
            says="the first entry of the gradient",
            unknowns=TWO,
            only="d = 2",
        ),
        holds(
            f"a12*{FIRST} + a22*{SECOND} - b2",
            "==",
            "0",
            role="more",
            says="the second entry of the gradient",
            unknowns=TWO,
            only="d = 2",
        ),
    ),
    note=r"$X^T W X$ has to be invertible.",
    section="5.2",
)
