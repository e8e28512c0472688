"""Inequalities in unknowns that are tight: ours, against what dReal's authors and users published.

A delta-complete solver answers delta-sat for the negation of every inequality that is an equality
somewhere, whatever delta > 0 is (Gao, Avigad, Clarke 2012): it cannot tell such an inequality from
one that fails.  The first two rows are the query of the paper on an integrating dReal about the
Laplace mechanism, answered delta-sat both ways in 0.007 s each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from row import Row, measured

from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

UNDECIDED = "dReal, published: delta-sat both ways"
TIGHT = "a delta-complete solver: delta-sat"
EPS = {"e": "1/10 <= e and e <= 1"}
LEFT, RIGHT = "(exp(-e) - exp(-2*e))/e", "exp(e)*(exp(-2*e) - exp(-3*e))/e"
LAPLACE = {"e": "e >= 0", "a": "a > 1"}
RENYI = "a/(2*a - 1)*exp((a - 1)*e) + (a - 1)/(2*a - 1)*exp(-a*e)"
RHO = "exp((a - 1)*a*(e + exp(-e) - 1){})"
COIN = {"p": "0 < p and p < 1", "q": "0 < q and q < 1"}
DIVERGENCE = "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))"
Statement = tuple[str, Mapping[str, str], str, str, str, str, float | None]
STATEMENTS: tuple[Statement, ...] = (
    ("Laplace event, <=", EPS, LEFT, "<=", RIGHT, UNDECIDED, 0.007),
    ("Laplace event, ==", EPS, LEFT, "==", RIGHT, UNDECIDED, 0.007),
    ("Laplace event, 1 % less", EPS, LEFT, "<=", f"99/100*{RIGHT}", "", None),
    ("zCDP of Laplace, all e and a", LAPLACE, RENYI, "<=", RHO.format(""), TIGHT, None),
    ("the same, 1 % less", LAPLACE, RENYI, "<=", RHO.format("*99/100"), "", None),
    ("Pinsker", COIN, DIVERGENCE, ">=", "2*(p - q)^2", TIGHT, None),
    ("Pinsker, 1 % more", COIN, DIVERGENCE, ">=", "202/100*(p - q)^2", "", None),
    (
        "Hoeffding's lemma",
        {"p": "0 <= p and p <= 1", "t": ""},
        "log(1 - p + p*exp(t))",
        "<=",
        "p*t + t^2/8",
        TIGHT,
        None,
    ),
    ("Mills' ratio", {"x": "x > 0"}, "1 - erf(x)", "<=", "exp(-x^2)/(x*sqrt(pi))", TIGHT, None),
    ("Jordan", {"x": "0 <= x and x <= pi/2"}, "sin(x)", ">=", "2*x/pi", TIGHT, None),
    (
        "sampling",
        {"e": "e >= 0", "p": "0 <= p and p <= 1"},
        "log(1 + p*(exp(e) - 1))",
        "<=",
        "e",
        TIGHT,
        None,
    ),
)


def answer(statement: Inequality) -> str:
    """The verdict in one word."""
    return str(verify(statement, Limits(seconds=20))).split(":")[0]


def rows() -> Iterator[Row]:
    """One row for each statement."""
    for work, unknowns, left, relation, right, peer, theirs in STATEMENTS:
        asked: Callable[[], str] = partial(
            answer, Inequality.of(unknowns, left, relation, right, name=work)
        )
        seconds, said = measured(asked)
        yield Row(work, said, seconds, peer, theirs, "5")
