"""S7: regression needs the upper triangle of its matrix only."""

from ahdp_verify.analysis.moments.moments import variance
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.paper.statements.checks import (
    BY_MOMENTS,
    argument,
    claims,
    holds,
    least,
    mechanism_of,
)
from ahdp_verify.paper.statements.row import Row

TWO = "(abs(x[1]) + abs(x[2]))"
NOISE, PRINTED = "d*(d + 3)/2", "d^2 + d"
FIGURES = ((1, 2, 2), (2, 5, 6), (3, 9, 12), (4, 14, 20), (8, 44, 72))


def spread(file: str, of: str) -> Expression:
    """The variance of what is computed from the entries, on every dataset."""
    return variance(mechanism_of(f"paper/{file}.toml"), of=of)


ROW = Row(
    label="S7. Regression from the upper triangle",
    says=r"Publishing the upper triangle of $X^T W X$ only, noise $\mathcal{L}(d(d + 3)/2)$ "
    r"suffices, in place of $\mathcal{L}(d^2 + d)$; the ratio is $\frac{d + 3}{2(d + 1)}$.",
    checks=(
        argument("paper/regression-upper-proof.toml", "proved", says="any dimension"),
        holds(
            f"({NOISE})/({PRINTED})",
            "==",
            "(d + 3)/(2*(d + 1))",
            says="the ratio",
            unknowns={"d": "d >= 1"},
        ),
        *claims(
            "paper/regression-1-upper.toml",
            "proved",
            "proved",
            role="more",
            says="as one mechanism",
            only="d = 1",
        ),
        *claims(
            "paper/regression-2-upper.toml",
            "proved",
            "proved",
            role="more",
            says="as one mechanism",
            only="d = 2",
        ),
        *claims(
            "paper/regression-8-upper.toml",
            "proved",
            role="more",
            says="as one mechanism",
            only="d = 8",
        ),
        least(
            "paper/regression-2-upper.toml",
            f"alpha*(({TWO}^2 + x[1]^2 + x[2]^2)/2 + {TWO}*abs(y))/5",
            only="d = 2",
        ),
        *(
            holds(
                NOISE,
                "==",
                str(new),
                role="more",
                says=f"noise at d = {d}",
                unknowns={"d": f"d == {d}"},
            )
            for d, new, _ in FIGURES
        ),
        *(
            holds(
                PRINTED,
                "==",
                str(old),
                role="more",
                says=f"noise as printed at d = {d}",
                unknowns={"d": f"d == {d}"},
            )
            for d, _, old in FIGURES
        ),
        holds(
            lambda: spread("regression-2", "(a[2] + a[3])/2"),
            "==",
            "(d^2 + d)^2",
            role="more",
            says="variance of the mean of two off-diagonal entries",
            unknowns={"d": "d == 2"},
            given=BY_MOMENTS,
            only="d = 2",
        ),
        holds(
            lambda: spread("regression-2-upper", "a[2]"),
            "==",
            f"2*({NOISE})^2",
            role="more",
            says="variance of one",
            unknowns={"d": "d == 2"},
            given=BY_MOMENTS,
            only="d = 2",
        ),
        holds(
            PRINTED,
            "<",
            f"sqrt(2)*({NOISE})",
            role="more",
            says="the mean of two varies less for small d",
            unknowns={"d": "1 <= d and d < 1 + 2*sqrt(2)"},
        ),
        holds(
            PRINTED,
            ">",
            f"sqrt(2)*({NOISE})",
            role="more",
            says="the mean of two varies more for large d",
            unknowns={"d": "d > 1 + 2*sqrt(2)"},
        ),
    ),
)
