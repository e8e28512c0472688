"""S4: only the least demand of each value counts."""

from ahdp_verify.analysis.power.best import Best, best_power
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import log, name, oo
from ahdp_verify.paper.statements.checks import claim, holds, optimum
from ahdp_verify.paper.statements.row import Check, Row

DOMAINS = {
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


def unreduced(text: str, t: int) -> Check:
    """The optimum on all hypotheses over W; the level is given, so that the toolkit does not
    reduce W by itself.
    """
    records, values = DOMAINS[text]

    def make() -> Best:
        return best_power(Domain(records), extra_records(t), level=name("eps"))

    return optimum(make, values[t - 1], "more", f"{text}, t = {t}")


ROW = Row(
    label="S4. The least demands",
    says=r"The largest power against $H_t$ is the same for $W$ and for $W_o$, which has the least "
    r"demand of each value only.",
    checks=(
        holds(
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
        claim(
            "laws/pull_back.toml",
            1,
            "proved",
            says="at least: a mechanism for W_o that sees the values only is private, as eps_l(x) "
            "<= eps",
        ),
        *(unreduced(text, t) for text in DOMAINS for t in (1, 2)),
    ),
)
