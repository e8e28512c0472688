"""S2: the optimum for one value, all t and all q."""

from ahdp_verify.analysis.power.closed_forms import one_value_power
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.paper.statements.checks import argument, claim, decided, holds
from ahdp_verify.paper.statements.row import Check, Row

PLACE = {
    "q": "0 < q and q < 1",
    "y": "0 < y and y <= 1",
    "x": "y <= x and x <= 1",
    "T": "0 < T and T <= y^2",
}  # q^v = x, q^c = y, q^t = T, v <= c <= t/2
ROWS = {"q": "0 < q and q < 1", "g": "g >= 0", "w": "w >= 0", "b": "b >= 0", "c": "c >= b"}


def size(x: str) -> str:
    """Z(v), the weights q^|u - v| of u = 0 to t, with x = q^v."""
    return f"(1 + q - q*({x}) - q*T/({x}))/(1 - q)"


def formula(t: int) -> tuple[Check, Check]:
    """The optimum for one t: the toolkit proves a kernel and prices, for all eps."""
    low, high = (f"exp(-eps)^({t // 2} + 1)", f"exp(-eps)^({t} - {t // 2} + 1)")

    def value() -> Expression:
        return one_value_power(t)[0].value

    return (
        decided(
            lambda tell: one_value_power(t)[1],
            "proved",
            "more",
            f"t = {t}, all eps > 0, all datasets",
        ),
        holds(
            value,
            "==",
            f"(1 - exp(-eps))/(1 + exp(-eps) - {low} - {high})",
            role="more",
            says=f"the formula at t = {t}",
            unknowns={"eps": "eps > 0"},
        ),
    )


ROW = Row(
    label="S2. One value",
    says=r"For one value, $\sup_M P(M, H_t) = \frac{1}{Z_t(\lfloor t/2 \rfloor)} = \frac{1 - q}{1 "
    r"+ q - q^{\lfloor t/2 \rfloor + 1} - q^{\lceil t/2 \rceil + 1}}$ for all $t$ and "
    r"$q = e^{-\epsilon} < 1$, with $Z_t(v) = \sum_{u = 0}^t q^{|u - v|}$.",
    checks=(
        holds(
            "(1 - q*x)/(1 - q) + (q - q*T/x)/(1 - q)",
            "==",
            size("x"),
            says="Z(v) is the sum of the weights below and above v",
            unknowns=PLACE,
            given=("geometric sums",),
        ),
        argument(
            "paper/power-one-more-hypothesis.toml",
            "proved",
            says="from above: what is named on the dataset with c = floor(t/2) more records",
        ),
        claim("paper/power-ball-bound.toml", 1, "proved", says="so the power is at most 1/Z(c)"),
        claim(
            "paper/one-value-witness-rest.toml",
            1,
            "proved",
            says="from below: the rest B_v = Z(c) - Z(v) of row v <= c is not negative, and falls",
        ),
        holds(
            "(Z + (C - Z))/C",
            "==",
            "1",
            says="row v, p (q^|u - v| + B_v w_u) with p = 1/C, C = Z(c), Z = Z(v) and sum of w_u "
            "= 1, adds up to 1",
            unknowns={"Z": "Z > 0", "C": "C >= Z"},
        ),
        holds(
            "g + b*w",
            "<=",
            "(q*g + c*w)/q",
            says="columns u >= c: row v + 1 is at most 1/q times row v, since B falls",
            unknowns=ROWS,
        ),
        holds(
            f"q*({size('y')} - {size('x')}) - ({size('y')} - {size('q*x')})",
            "==",
            "q*y + q*T/y - (1 + q)*T/x",
            says="q B_v - B_(v + 1)",
            unknowns=PLACE,
        ),
        claim(
            "paper/one-value-witness-column.toml",
            1,
            "proved",
            says="columns u >= c: row v is at most 1/q times row v + 1",
        ),
        holds(
            "q",
            "<=",
            "1/q",
            says="columns u < c: the rows are geometric",
            unknowns={"q": "0 < q and q < 1"},
            given=(
                "the rows above c are mirror images, and for odd t the two in the middle are "
                "geometric",
                "counts above t are treated as t, which keeps neighbours neighbours",
            ),
        ),
        *(check for t in range(1, 7) for check in formula(t)),
    ),
)
