"""Signs that a computation needs: learned from the facts, or answered case by case."""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.errors import Undecided
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    Abs,
    exp,
    log,
    name,
    number,
    piecewise,
    sqrt,
    substitute,
)
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.sign_queries import (
    answer_by_cases,
    answer_with_signs,
    expression_by_sign,
)

EMPTY = Context.empty()
eps = name("eps")


def test_a_sign_is_learned_or_does_not_matter() -> None:
    clock, a = Limits().clock(), name("a")
    here = EMPTY.given(normal(eps, EMPTY).num, ">")
    assert answer_with_signs(here, clock, lambda h: normal(sqrt(exp(eps) - 1), h))[1].key
    size = piecewise((Abs(a), a < 0), (a, True))
    assert answer_by_cases(
        EMPTY,
        clock,
        lambda h: normal(size - Abs(a), h),
        lambda p, q: (p - q).is_zero,
        lambda guard, found: pytest.fail("one answer in all cases"),
    ).is_zero
    joined = answer_by_cases(
        EMPTY,
        clock,
        lambda h: to_expression(normal(piecewise((1, a < 0), (2, True)), h)),
        lambda p, q: str(p) == str(q),
        expression_by_sign,
    )
    at_values = [normal(substitute(joined, {"a": number(v)}), EMPTY) for v in (-3, 0, 3)]
    assert [r.as_rational for r in at_values] == [1, 2, 2]
    with pytest.raises(Undecided):
        answer_with_signs(EMPTY, clock, lambda h: normal(log(a), h))
