"""Beyond the paper, S1 to S4: the exact power and its bounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ahdp_verify import Domain, Expression, log, name, oo
from ahdp_verify.analysis import canonical_form
from ahdp_verify.analysis.power import (
    BestMechanism,
    ball_bound,
    best_power,
    best_powers,
    extra_records,
    one_value_power,
)
from ahdp_verify.files import parse
from ahdp_verify.paper.statements.power_additional_records import GEOMETRIC_NOISE
from ahdp_verify.paper.statements.power_heterogeneous import GEOMETRIC_SUM_TO_M, weights_of_values
from ahdp_verify.paper.statements.questions import (
    argument_check,
    best_power_check,
    claim_check,
    comparison_check,
    optimum_check,
    optimum_formula_check,
    verdict_check,
)
from ahdp_verify.paper.statements.row import Check, PaperRow

# S1: the exact limit of the power is the product of (1 - q)/(1 + q), q = exp(-least demand),
# for every finite W.
EXACT_LIMIT = PaperRow(
    identifier="exact_limit",
    label="S1. The exact limit",
    says=r"$\lim_t \sup_M P(M, H_t) = \sup_M \lim_t P(M, H_t) = \prod_x \frac{1 - q_x}{1 + q_x} = "
    r"\prod_x \tanh\frac{\epsilon_l(x)}{2}$ "
    r"with $q_x = e^{-\epsilon_l(x)}$, for every finite $W$.",
    checks=(
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="from above: what is named on D_o with m more of each value, hypothesis by "
            "hypothesis",
        ),
        comparison_check(
            "(1 + q - 2*w)/(1 - q) + 2*w",
            "==",
            "(1 + q - 2*w*q)/(1 - q)",
            says="the weights of one value's counts at distance up to m, w = q_x^(m + 1): one more",
            unknowns=GEOMETRIC_SUM_TO_M,
            given=("induction over the largest distance",),
        ),
        comparison_check(
            "(1 + q - 2*w)/(1 - q)",
            ">=",
            "1",
            says="they are at least 1",
            unknowns=GEOMETRIC_SUM_TO_M,
        ),
        *weights_of_values("so the power is at most the product of (1 - q_x)/(1 + q_x - 2 w_x)"),
        *GEOMETRIC_NOISE,
        comparison_check(
            "(1 - exp(-e))/(1 + exp(-e))",
            "==",
            "(exp(e/2) - exp(-e/2))/(exp(e/2) + exp(-e/2))",
            says="the same as tanh(eps/2)",
            unknowns={"e": "e >= 0"},
        ),
        claim_check(
            "paper/power-upper-bound-box-around-a-dataset.toml",
            1,
            "proved",
            "more",
            says="k values of one demand, before the limit",
        ),
    ),
    note="The bound uses privacy on the hypotheses only, the mechanism has it on all datasets; it "
    "is one for all t, so that the order of limit and supremum does not matter.",
)


# S2: the optimum for one value, all t and all q.
#
# q^v = x, q^c = y, q^t = T, v <= c <= t/2
POSITION = {
    "q": "0 < q and q < 1",
    "y": "0 < y and y <= 1",
    "x": "y <= x and x <= 1",
    "T": "0 < T and T <= y^2",
}
TWO_ROWS = {"q": "0 < q and q < 1", "g": "g >= 0", "w": "w >= 0", "b": "b >= 0", "c": "c >= b"}


def total_weight(x: str) -> str:
    """Z(v), the weights q^|u - v| of u = 0 to t, with x = q^v."""
    return f"(1 + q - q*({x}) - q*T/({x}))/(1 - q)"


def one_value_formula(t: int) -> tuple[Check, Check]:
    """The optimum for one t: the toolkit proves a mechanism and prices, for all eps."""
    low, high = (f"exp(-eps)^({t // 2} + 1)", f"exp(-eps)^({t} - {t // 2} + 1)")

    def value() -> Expression:
        return one_value_power(t)[0].value

    return (
        verdict_check(
            lambda tell: one_value_power(t)[1],
            "proved",
            "more",
            f"t = {t}, all eps > 0, all datasets",
        ),
        comparison_check(
            value,
            "==",
            f"(1 - exp(-eps))/(1 + exp(-eps) - {low} - {high})",
            role="more",
            says=f"the formula at t = {t}",
            unknowns={"eps": "eps > 0"},
        ),
    )


ONE_VALUE = PaperRow(
    identifier="one_value",
    label="S2. One value",
    says=r"For one value, $\sup_M P(M, H_t) = \frac{1}{Z_t(\lfloor t/2 \rfloor)} = \frac{1 - q}{1 "
    r"+ q - q^{\lfloor t/2 \rfloor + 1} - q^{\lceil t/2 \rceil + 1}}$ for all $t$ and "
    r"$q = e^{-\epsilon} < 1$, with $Z_t(v) = \sum_{u = 0}^t q^{|u - v|}$.",
    checks=(
        comparison_check(
            "(1 - q*x)/(1 - q) + (q - q*T/x)/(1 - q)",
            "==",
            total_weight("x"),
            says="Z(v) is the sum of the weights below and above v",
            unknowns=POSITION,
            given=("geometric sums",),
        ),
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="from above: what is named on the dataset with c = floor(t/2) more records",
        ),
        claim_check(
            "paper/power-ball-bound.toml", 1, "proved", says="so the power is at most 1/Z(c)"
        ),
        claim_check(
            "paper/best-guess-one-value-rest-of-a-row.toml",
            1,
            "proved",
            says="from below: the rest B_v = Z(c) - Z(v) of row v <= c is not negative, and falls",
        ),
        comparison_check(
            "(Z + (C - Z))/C",
            "==",
            "1",
            says="row v, p (q^|u - v| + B_v w_u) with p = 1/C, C = Z(c), Z = Z(v) and sum of w_u "
            "= 1, adds up to 1",
            unknowns={"Z": "Z > 0", "C": "C >= Z"},
        ),
        comparison_check(
            "g + b*w",
            "<=",
            "(q*g + c*w)/q",
            says="columns u >= c: row v + 1 is at most 1/q times row v, since B falls",
            unknowns=TWO_ROWS,
        ),
        comparison_check(
            f"q*({total_weight('y')} - {total_weight('x')})"
            f" - ({total_weight('y')} - {total_weight('q*x')})",
            "==",
            "q*y + q*T/y - (1 + q)*T/x",
            says="q B_v - B_(v + 1)",
            unknowns=POSITION,
        ),
        claim_check(
            "paper/best-guess-one-value-neighbouring-rows.toml",
            1,
            "proved",
            says="columns u >= c: row v is at most 1/q times row v + 1",
        ),
        comparison_check(
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
        *(check for t in range(1, 7) for check in one_value_formula(t)),
    ),
)


# S3: for every t the optimum lies between the limit and the ball bound.
POWER_BOUNDS = PaperRow(
    identifier="power_bounds",
    label="S3. Bounds for every t",
    says=r"$\prod_x \frac{1 - q_x}{1 + q_x} \le V_t \le \min_v \frac{1}{Z_t(v)}$ for all $t$ and "
    r"$k$, with $V_t = \sup_M P(M, H_t)$, $q_x = e^{-\epsilon_l(x)}$ and "
    r"$Z_t(v) = \sum_{|u| \le t} \prod_x q_x^{|u_x - v_x|}$, the ball bound.",
    checks=(
        *GEOMETRIC_NOISE,
        argument_check(
            "paper/power-upper-bound-one-more-hypothesis.toml",
            "proved",
            says="from above: what is named on D_o + v, hypothesis by hypothesis",
        ),
        claim_check(
            "paper/power-ball-bound.toml", 1, "proved", says="so the power is at most 1/Z_t(v)"
        ),
    ),
    note="The ball bound is attained at t = 1 (E4) and for one value (S2).",
)


# S3, conjecture: for two values the ball bound is attained.
PAIRS_TRIED = (
    ("1/2", "1/2"),
    ("1/3", "1/3"),
    ("1/2", "1/3"),
    ("1/100", "99/100"),
    ("9/10", "1/10"),
    ("99/100", "99/100"),
)
BALL_BOUND_OF_2 = "1/(1 + 3*exp(-eps) + exp(-2*eps) + exp(-3*eps))"  # t = 2
TWO_VALUES = Domain([(1, name("eps")), (2, name("eps"))])


def ball_bound_check(first: str, second: str, t: int) -> Check:
    """That the optimum is the ball bound."""
    demands = f"log(1/({first})), log(1/({second}))"
    domain = Domain([(i, parse(d, "demand")) for i, d in enumerate(demands.split(","), 1)])
    return best_power_check(
        demands, t, lambda: ball_bound(domain, t), only=f"q = ({first}, {second}), t = 2, 3, 4"
    )


BALL_BOUND_ATTAINED = PaperRow(
    identifier="ball_bound_attained",
    label="S3. The ball bound at k = 2",
    says=r"For $k = 2$ the largest power is the ball bound: $V_t = \min_v \frac{1}{Z_t(v)}$ for "
    r"all $t$ and all demands.",
    checks=(
        *(ball_bound_check(first, second, t) for first, second in PAIRS_TRIED for t in (2, 3, 4)),
        optimum_formula_check(
            lambda: best_powers(TWO_VALUES, extra_records(2), parameters={"eps": "eps > 0"}),
            "eps > 0",
            BALL_BOUND_OF_2,
            "more",
            "t = 2, q_1 = q_2",
        ),
        comparison_check(
            lambda: ball_bound(TWO_VALUES, 2),
            "==",
            BALL_BOUND_OF_2,
            role="more",
            says="the ball bound there",
            unknowns={"eps": "eps > 0"},
        ),
    ),
    kind="conjecture",
    note="Not proved: equality in every case that was tried.",
)


# S3 and O3: for three values the ball bound is not always attained; a formula for t = 2 and q <
# 1/3.
SMALL_Q = {"q": "0 < q and q < 1/3"}
OPTIMUM_OF_3 = "(3 - q)/(3 + 11*q + 3*q^2 + 3*q^3)"
BALL_BOUND_OF_3 = "1/(1 + 4*q + 2*q^2 + 3*q^3)"
THREE_VALUES = Domain([(i, name("eps")) for i in range(3)])


def ball_bound_at(base: int, t: int, k: int = 3) -> Expression:
    """The ball bound for k values at q = 1/base."""
    return canonical_form(ball_bound(Domain([(i, log(base)) for i in range(k)]), t))


BALL_BOUND_MISSED = PaperRow(
    identifier="ball_bound_missed",
    label="S3 and O3. Below the ball bound at k = 3",
    says=r"For $k = 3$, $t = 2$, $q = e^{-\epsilon} < \frac13$ the largest power of what is "
    r"private on $H_2$ is $\frac{3 - q}{3 + 11 q + 3 q^2 + 3 q^3}$, "
    r"below the ball bound $\frac{1}{1 + 4 q + 2 q^2 + 3 q^3}$.",
    checks=(
        optimum_formula_check(
            lambda: best_powers(THREE_VALUES, extra_records(2), parameters={"eps": "eps > log(3)"}),
            "eps > log(3)",
            OPTIMUM_OF_3.replace("q", "exp(-eps)"),
            says="the optimum for all q < 1/3",
        ),
        comparison_check(
            OPTIMUM_OF_3, "<", BALL_BOUND_OF_3, says="below the ball bound", unknowns=SMALL_Q
        ),
        comparison_check(
            f"1/({OPTIMUM_OF_3})",
            "==",
            "1 + 4*q + 2*q^2 + 3*q^3 + q^2*(1 - q)*(1 - 3*q)/(3 - q)",
            says="by this much",
            unknowns=SMALL_Q,
        ),
        comparison_check(
            lambda: ball_bound(THREE_VALUES, 2),
            "==",
            BALL_BOUND_OF_3.replace("q", "exp(-eps)"),
            says="the ball bound",
            unknowns={"eps": "eps > log(3)"},
        ),
        *(
            best_power_check(", ".join([f"log({base})"] * 3), 2, printed, "more")
            for base, printed in ((20, "23600/28463"), (10, "2900/4133"), (4, "176/383"))
        ),
        *(
            comparison_check(
                partial(ball_bound_at, base, 2),
                "==",
                ball,
                role="more",
                says=f"the ball bound, k = 3, t = 2, q = 1/{base}",
            )
            for base, ball in ((10, "1000/1423"), (4, "64/139"))
        ),
        *(
            best_power_check(
                ", ".join([f"log({q})"] * 3),
                2,
                f"1/(1 + 3/({q}) + 6/({q})^2)",
                "more",
                f"1/(1 + 3 q + 6 q^2) at q = 1/({q})",
            )
            for q in ("3", "5/2", "2", "3/2", "4/3", "10/9")
        ),
        best_power_check("log(3), log(3), log(3)", 3, "2/7", "more"),
        comparison_check(
            "2/7",
            "<",
            partial(ball_bound_at, 3, 3),
            role="more",
            says="below the ball bound, k = 3, t = 3, q = 1/3",
        ),
        comparison_check(
            partial(ball_bound_at, 3, 3),
            "==",
            "243/850",
            role="more",
            says="the ball bound, k = 3, t = 3, q = 1/3",
        ),
        best_power_check(
            "log(2), log(2), log(2), log(2)",
            3,
            partial(ball_bound_at, 2, 3, 4),
            "more",
            "below the ball bound, k = 4, t = 3, q = 1/2",
            relation="<",
        ),
    ),
)


# S4: only the least demand of each value counts.
UNREDUCED_DOMAINS = {
    "W = {(a, log 2), (a, log 5), (b, log 3)}": (
        (("a", log(2)), ("a", log(5)), ("b", log(3))),
        ("6/11", "9/23"),
    ),
    "W = {(a, 0), (a, log 5), (b, log 3)}": (
        (("a", 0), ("a", log(5)), ("b", log(3))),
        ("3/7", "9/34"),
    ),
    "W = {(a, log 2), (b, oo)}": ((("a", log(2)), ("b", oo)), ("2/3", "1/2")),
}


def unreduced_optimum(text: str, t: int) -> Check:
    """The optimum on all hypotheses over W; the level is given, so that the toolkit does not
    reduce W by itself.
    """
    records, values = UNREDUCED_DOMAINS[text]

    def make() -> BestMechanism:
        return best_power(Domain(records), extra_records(t), level=name("eps"))

    return optimum_check(make, values[t - 1], "more", f"{text}, t = {t}")


REDUCTION = PaperRow(
    identifier="reduction",
    label="S4. The least demands",
    says=r"The largest power against $H_t$ is the same for $W$ and for $W_o$, which has the least "
    r"demand of each value only.",
    checks=(
        comparison_check(
            "a + r",
            ">=",
            "p",
            says="at most: the datasets over W_o are some of those over W, and a test for more "
            "hypotheses is one for fewer",
            unknowns={"p": "p >= 0", "a": "a >= p", "r": "r >= 0"},
            given=(
                "a mechanism that sees the values only has one power against the hypotheses over "
                "W and over W_o",
            ),
        ),
        claim_check(
            "laws/pull-back.toml",
            1,
            "proved",
            says="at least: a mechanism for W_o that sees the values only is private, as eps_l(x) "
            "<= eps",
        ),
        *(unreduced_optimum(text, t) for text in UNREDUCED_DOMAINS for t in (1, 2)),
    ),
)


# S4, conjecture: privacy on all datasets costs nothing against privacy on the hypotheses.
POWERS_BY_DEMANDS = {  # demands: V_2, V_3, ...
    "log(2), log(2)": ("8/23", "1/4", "8/39"),
    "log(2), log(3)": ("9/23", "36/119"),
    "log(2), log(2), log(2)": ("1/4", "32/183"),
    "log(10), log(10), log(10)": ("2900/4133",),
    "log(2), log(2), log(2), log(2)": ("2/11",),
}


def inside_and_everywhere(demands: str, t: int, value: str) -> Iterator[Check]:
    """That the optimum has this value, on the hypotheses and on all datasets."""
    for everywhere in (False, True):
        yield best_power_check(
            demands,
            t,
            value,
            everywhere=everywhere,
            only=f"demands {demands}, t <= {len(POWERS_BY_DEMANDS[demands]) + 1}",
        )


EXTENSION_IS_FREE = PaperRow(
    identifier="extension_is_free",
    label="S4. Privacy on all datasets is free",
    says=r"The largest power of mechanisms that are private on all datasets is that of mechanisms "
    r"that are private on $H_t$.",
    checks=(
        *(
            check
            for demands, values in POWERS_BY_DEMANDS.items()
            for t, value in enumerate(values, 2)
            for check in inside_and_everywhere(demands, t, value)
        ),
        *(
            verdict_check(
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


ROWS = (
    EXACT_LIMIT,
    ONE_VALUE,
    POWER_BOUNDS,
    BALL_BOUND_ATTAINED,
    BALL_BOUND_MISSED,
    REDUCTION,
    EXTENSION_IS_FREE,
)
