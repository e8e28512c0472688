"""S5: a Laplace release loses exactly the l1 norm of its shift over the common scale."""

from ahdp_verify.paper.statements.checks import argument, holds, least
from ahdp_verify.paper.statements.row import Row

ONE, TWO = "abs(x[1])", "(abs(x[1]) + abs(x[2]))"
EIGHT = "(" + " + ".join(f"abs(x[{i}])" for i in range(1, 9)) + ")"

ROW = Row(
    label="S5. Exact levels of Laplace releases",
    says=r"A vector of sums with Laplace noise of a common scale $b$ has the exact level ($l_1$ "
    r"norm of the shift)$/b$; so all levels stated for these mechanisms are attained.",
    checks=(
        argument("paper/laplace-shift.toml", "proved", says="any number of outputs: at most that"),
        holds(
            "(abs(s) - abs(s - w))/b",
            "==",
            "abs(w)/b",
            says="and as much for all s from w on",
            unknowns={"b": "b > 0", "w": "w >= 0", "s": "s >= w"},
        ),
        holds(
            "(abs(s) - abs(s - w))/b",
            "==",
            "abs(w)/b",
            says="or down from w, if w < 0",
            unknowns={"b": "b > 0", "w": "w < 0", "s": "s <= w"},
        ),
        holds(
            "a*(f - l)/(h - l)",
            "==",
            "a",
            says="linear query: alpha, at f = h",
            unknowns={"a": "a >= 0", "l": "", "h": "h > l", "f": "f == h"},
        ),
        holds(
            "a*(x - l)/(h - l) + c",
            "==",
            "a + c",
            says="mean: alpha1 + alpha2, at x = h",
            unknowns={"a": "a >= 0", "c": "c >= 0", "l": "", "h": "h > l", "x": "x == h"},
        ),
        holds(
            "a*s*(s + 1)/(d^2 + d)",
            "==",
            "a",
            says="regression: alpha, where all |x[i]| = |y| = 1, so that their sum s is d",
            unknowns={"a": "a >= 0", "d": "d >= 1", "s": "s == d"},
        ),
        least(
            "paper/laplace-vector.toml",
            "(abs(w[1]) + abs(w[2]) + abs(w[3]))/b",
            says="three outputs",
            only="3 outputs",
        ),
        least("paper/linear-query-universal.toml", "alpha*(f - l)/(h - l)", says="linear query"),
        least("paper/mean.toml", "alpha1*(x - l)/(h - l) + alpha2", says="mean"),
        least(
            "paper/mean-repaired.toml",
            "2*alpha1*abs(x - (l + h)/2)/(h - l) + alpha2",
            says="mean, centred",
        ),
        least(
            "paper/frequency.toml",
            "1 - exp(-eps)",
            says="frequencies: alpha1 + alpha2",
            only="three bins and five kinds of records",
        ),
        least(
            "paper/regression-1.toml",
            f"alpha*{ONE}*({ONE} + abs(y))/2",
            says="regression",
            only="d = 1",
        ),
        least(
            "paper/regression-2.toml",
            f"alpha*{TWO}*({TWO} + abs(y))/6",
            says="regression",
            only="d = 2",
        ),
    ),
)
