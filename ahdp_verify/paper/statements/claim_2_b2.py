"""claim:2 (B2): the power against at most one additional record is at least 1/(1 + k q)."""

from ahdp_verify.analysis.power.best import best_powers
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import name
from ahdp_verify.paper.statements.checks import claim, holds, optima
from ahdp_verify.paper.statements.row import Check, Row

Q = {"k": "k >= 1", "q": "0 < q and q <= 1"}
GIVEN = (
    "adding a record changes the row only from that of D_o to that of its value, or from one "
    "value's to another's",
    "a bound on each of finitely many outputs is one on every event",
)


def everywhere(k: int) -> Check:
    """The optimum for all eps over mechanisms that are private on all datasets."""
    domain = Domain([(i, name("eps")) for i in range(1, k + 1)])
    return optima(
        lambda: best_powers(
            domain, extra_records(1), parameters={"eps": "eps > 0"}, everywhere=True
        ),
        "eps > 0",
        f"1/(1 + {k}*exp(-eps))",
        "more",
        f"k = {k}, all eps > 0, all datasets",
    )


WITNESS = (
    holds(
        "p + k*(p*q)",
        "==",
        "1",
        says="the right guess has chance p = 1/(1 + k q), each of the k other ones p q: they add "
        "up to 1",
        unknowns={**Q, "p": "p == 1/(1 + k*q)"},
    ),
    holds(
        "1",
        "<=",
        "1/q*q",
        says="from one row to another, where the first guesses right: p against p q",
        unknowns=Q,
        given=GIVEN,
    ),
    holds("q", "<=", "1/q", says="where the second guesses right: p q against p", unknowns=Q),
    holds("q", "<=", "1/q*q", says="where both are wrong: p q against p q", unknowns=Q),
)

ROW = Row(
    label="claim:2 (B2)",
    says=r"There is an $\epsilon$-DP mechanism $M''$ (add-remove) with $P(M'', H_1) \ge "
    r"\frac{1}{1 + k e^{-\epsilon}}$.",
    checks=(
        *WITNESS,
        *map(everywhere, (1, 2, 3)),
        claim(
            "paper/claim-3-witness-two-or-more-equal.toml",
            1,
            "proved",
            "more",
            says="k = 2, all eps > 0, the row of D_o on all larger datasets",
        ),
        claim(
            "paper/claim-2-witness-k2-t1-eps.toml",
            1,
            "refuted",
            "more",
            says="M' of the proof at k = 2, t = 1, all eps",
        ),
    ),
    note="True, but not by the proof: its M' is not private for k >= 2, t = 1 (E1). Guessing by "
    "the row of D_o, or of one value that the dataset has more of than D_o, "
    "is private on all datasets and has this power (E4).",
    section="4.1",
)
