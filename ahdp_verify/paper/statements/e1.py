"""E1: M' of claim:2 and claim:3 is not eps-DP: how much it exceeds, inside the hypotheses and on
all datasets.
"""

from collections.abc import Iterator
from functools import partial

from ahdp_verify.paper.statements.checks import claims, decimal, holds, level_in
from ahdp_verify.paper.statements.row import Check, Row

# (k, t, 1/q): the factor by which the ratio exceeds 1/q inside H_t, its logarithm with that of 1/q;
# the same on all datasets
EXCESS = {
    (1, 1, 2): ("1", "0.6931471806", "1", "0.6931471806"),
    (1, 2, 2): ("8/7", "0.8266785732", "8/7", "0.8266785732"),
    (1, 3, 2): ("6/5", "0.8754687374", "6/5", "0.8754687374"),
    (1, 4, 2): ("38/31", "0.8967461358", "38/31", "0.8967461358"),
    (1, 8, 2): ("638/511", "0.9151158737", "638/511", "0.9151158737"),
    (1, 2, 3): ("15/13", "1.2417131323", "15/13", "1.2417131323"),
    (2, 1, 2): ("8/7", "0.8266785732", "7/5", "1.0296194172"),
    (2, 1, 3): ("15/13", "1.2417131323", "13/7", "1.7176514971"),
    (2, 2, 2): ("46/35", "0.9664405156", "28/17", "1.1921383467"),
    (2, 4, 2): ("306/217", "1.0368349290", "78/43", "1.2886558916"),
    (3, 1, 2): ("5/4", "0.9162907319", "11/7", "1.1451323043"),
}
Q = {"q": "0 < q and q < 1"}
MANY = {**Q, "k": "k >= 2"}
POWER = {**Q, "w": "0 < w and w <= q^2"}  # w = q^t for t >= 2


def line(k: int, t: int, base: int) -> Iterator[Check]:
    """The checks of one line of the table: M' is refuted, the exact level is proved and cannot
    be lowered, and it is that of the table.
    """
    inside, log_inside, outside, log_outside = EXCESS[k, t, base]
    for place, file, factor, log in (
        ("inside H_t", "-inside", inside, log_inside),
        ("all datasets", "", outside, log_outside),
    ):
        name, says = (
            f"paper/claim-2-witness-k{k}-t{t}-q{base}{file}.toml",
            f"k = {k}, t = {t}, q = 1/{base}, {place}",
        )
        if factor == "1":
            yield from claims(name, "proved", "refuted", role="more", says=says)
        else:
            yield claims(name, "refuted", says=says)[0]
            yield from claims(
                name, "refuted", "proved", "refuted", role="more", says=f"exact level, {says}"
            )[1:]
        exact = 1 if factor == "1" else 2
        yield holds(
            partial(level_in, name, exact),
            "==",
            f"log({base}) + log({factor})",
            role="more",
            says=f"the factor {factor}, {says}",
        )
        yield decimal(partial(level_in, name, exact), log, "more", f"its logarithm, {says}")


GENERAL = (
    holds(
        "(q + (1 - w)/(1 - q))/((1 - w*q)/(1 - q))",
        "==",
        "(1 + q - q^2 - w)/(1 - w*q)",
        role="more",
        says="k = 1, any t: Z(1)/Z(0), w = q^t",
        unknowns=POWER,
        given=("geometric sums",),
    ),
    holds(
        "(1 + q - q^2 - w)/(1 - w*q)",
        ">",
        "1",
        role="more",
        says="k = 1, t >= 2: more than 1",
        unknowns=POWER,
    ),
    holds(
        "1 + q - q^2", "<=", "5/4", role="more", says="k = 1: its limit is at most 5/4", unknowns=Q
    ),
    holds(
        "1 + q - q^2",
        "==",
        "5/4",
        role="more",
        says="k = 1, q = 1/2: its limit is 5/4",
        unknowns={"q": "q == 1/2"},
    ),
    decimal(lambda: "log(5/4)", "0.223143551314", "more", "its logarithm"),
    holds(
        "(1 + k*q)/(1 + q + (k - 1)*q^2)",
        ">",
        "1",
        role="more",
        says="t = 1, k >= 2: inside H_1 more than 1",
        unknowns=MANY,
    ),
    holds(
        "(q + q^2 + k - 1)/(q*(k + q))",
        ">",
        "1",
        role="more",
        says="t = 1, k >= 2: on all datasets more than 1",
        unknowns=MANY,
    ),
    decimal(
        lambda: "16/7",
        "2.285714285714",
        "more",
        "the smallest ratio at q = 1/2, where 2 is allowed",
    ),
    decimal(lambda: "log(16/7)", "0.826678573184", "more", "its logarithm"),
    decimal(lambda: "log(2)", "0.693147180560", "more", "log(2)"),
    decimal(
        lambda: "log((1 + 2*exp(-1))/(exp(-1)*(1 + exp(-1) + exp(-2))))",
        "1.143838749488",
        "more",
        "the same at q = 1/e, where 1 is allowed",
    ),
)

ROW = Row(
    label="E1. M' of claim:2 and claim:3",
    says=r"$M'$ of claim:2 and claim:3 is $\epsilon$-DP.",
    checks=(
        claims(
            "paper/claim-2-witness-as-printed.toml",
            "refuted",
            says="k = 1, t = 2, all eps: the smallest case",
        )[0],
        *(check for case in EXCESS for check in line(*case)),
        *(
            claims(
                f"paper/claim-3-witness-as-printed{place}.toml",
                "refuted",
                says="q = (1/2, 1/3), t = 1",
            )[0]
            for place in ("-inside", "")
        ),
        *claims(
            "paper/claim-2-witness-as-printed.toml",
            "refuted",
            "proved",
            "refuted",
            role="more",
            says="its exact level, k = 1, t = 2, all eps",
        )[1:],
        *GENERAL,
    ),
    note="The normaliser moves too, by up to the factor 1/q. At k = 1, t = 1 it does not, and M' "
    "is private. M' with eps/2 always is (S10); geometric noise is better (E3).",
)
