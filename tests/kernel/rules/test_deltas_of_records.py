"""Deltas that depend on the record under the composition rules: what a rule gives record by record
is proved, and less for a single record is not.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from ahdp_verify import (
    Domain,
    Proved,
    ahdp,
    assume,
    compose,
    eq,
    mixture,
    name,
    number,
    piecewise,
    product,
    real,
    subsample,
    verify,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search.compose import group, pull_back, to_swap
from ahdp_verify.search.limits import Limits

x, eps = name("x"), name("eps")
W = Domain([(0, 1), (1, 1), (2, 2)])
U = Domain.universal(unknowns={"x": "0 <= x and x <= 2", "eps": "0 < eps"})
QUICK = Limits(seconds=1)


def table(*values: str) -> Expression:
    """A delta for each of the values 0, 1 and 2."""
    a, b, c = map(number, values)
    return piecewise((a, eq(x, 0)), (b, eq(x, 1)), (c, True))


A = assume(W, "ahdp", eps, delta=table("0", "1/10", "1/5"), text="A", outputs=[real("a")])
B = assume(W, "ahdp", 1, delta=table("0", "0", "1/100"), text="B", outputs=[real("b")])
Rule = Callable[[], CompositeClaim]
RULES: dict[str, tuple[Rule, tuple[str, str, str]]] = {
    "compose": (lambda: compose(A, B), ("0", "1/10", "21/100")),
    "product": (lambda: product(A, B), ("0", "1/10", "21/100")),
    "mixture": (lambda: mixture(("1/2", A), ("1/2", A)), ("0", "1/10", "1/5")),
    "subsample": (lambda: subsample(A, "1/2"), ("0", "1/10", "1/5")),
    "pull_back": (
        lambda: pull_back(
            A, Domain([(0, 1), (1, 1), (2, 5)]), {"eps": piecewise((2, eq(x, 2)), (1, True))}
        ),
        ("0", "1/10", "1/5"),
    ),
}


def with_delta(claim: CompositeClaim, slack: Expression) -> CompositeClaim:
    return CompositeClaim(claim.mechanism, claim.relation, claim.level, slack)


@pytest.mark.parametrize("rule", RULES)
def test_the_delta_of_each_record_is_what_the_rule_gives(rule: str) -> None:
    make, least = RULES[rule]
    claim = with_delta(make(), table(*least))
    assert isinstance(verify(claim, limits=QUICK), Proved)
    for i in (1, 2):
        less = [Fraction(v) * (Fraction(999, 1000) if i == j else 1) for j, v in enumerate(least)]
        lower = with_delta(claim, table(*map(str, less)))
        assert not isinstance(verify(lower, limits=QUICK), Proved)
    for slack in ("1/5", "21/100"):  # the largest for all, where it is enough
        found = verify(with_delta(claim, number(slack)), limits=QUICK)
        assert isinstance(found, Proved) == (Fraction(slack) >= max(map(Fraction, least)))


def test_the_rules_say_their_own_deltas() -> None:
    assert isinstance(verify(compose(A, B), limits=QUICK), Proved)
    assert isinstance(verify(product(A, B), limits=QUICK), Proved)


def test_a_universal_domain_has_one_formula_for_all_records() -> None:
    a = assume(U, "ahdp", eps, delta=x / 10, text="A", outputs=[real("a")])
    b = assume(U, "ahdp", eps, delta=x / 20, text="B", outputs=[real("b")])
    both = compose(a, b)
    for slack, holds in (
        (3 * x / 20, True),
        (x / 5, True),
        (number("3/10"), True),
        (x / 10, False),
    ):
        found = verify(with_delta(both, slack), limits=QUICK)
        assert isinstance(found, Proved) == holds


def test_paths_of_several_moves_need_claims_without_delta() -> None:
    for make in (group, to_swap):
        with pytest.raises(BadInput):
            verify(make(A), limits=QUICK)


def test_a_smaller_delta_of_a_record_does_not_follow_from_the_assumption() -> None:
    for i, slack in enumerate((table("0", "1/10", "1/5"), table("0", "1/10", "1/6"))):
        found = verify(with_delta(A, slack), limits=QUICK)
        assert isinstance(found, Proved) == (i == 0)


def test_the_words_of_a_claim_take_a_function() -> None:
    claim = ahdp(A.mechanism, eps, delta=lambda x, eps: x / 10)
    assert str(claim.delta) == "x/10"
