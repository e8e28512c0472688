"""Residues: floors are computed case by case, and agree with Python's floor at every whole
number.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import CaseSplit, InequalityLeaf
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.cases import check_cases, inequality_check
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Expression,
    add,
    eq,
    floor,
    multiply,
    name,
    number,
    piecewise,
)
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.inequality import prove_inequality
from ahdp_verify.search.proving.residues import open_residue

N = name("n")
WHOLE = Context.empty(frozenset("n"))
LAWS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(1, 5), st.integers(-4, 4)), min_size=1, max_size=2
)


def mod(a: Expression, m: int) -> Expression:
    return Expression("mod", (a, number(m)))


@given(st.integers(-20, 20), st.integers(1, 6), st.integers(-9, 9))
def test_a_fixed_residue_settles_every_floor(n: int, m: int, j: int) -> None:
    """Where n = m floor(n/m) + r is a fact, floor((n + j)/m) - floor(n/m) is a number: that of
    Python.
    """
    base = normal(floor(N / m), WHOLE)
    r = n % m
    here = WHOLE.given((normal(N, WHOLE) - base.scale(m)).num - normal(number(r), WHOLE).num, "=")
    steps = normal(floor((N + j) / m) - floor(N / m), here).as_rational
    assert steps == math.floor(Fraction(n + j, m)) - math.floor(Fraction(n, m))
    assert normal(mod(N + j, m), here).as_rational == (n + j) % m


@given(LAWS, st.integers(0, 12))
def test_an_inequality_of_residues_is_proved_just_when_it_holds(
    parts: list[tuple[int, int, int]], bound: int
) -> None:
    """sum of c mod(n + j, m) <= bound for all whole n: against all residues of the product of
    the moduli.
    """
    total = add(*(multiply(number(c), mod(N + j, m)) for c, m, j in parts))
    period = math.lcm(*(m for _, m, _ in parts))
    holds = all(sum(c * ((n + j) % m) for c, m, j in parts) <= bound for n in range(period))
    dominated, dominating = (
        Dominated(total + 100),
        Dominating(number(bound) + 100),
    )  # laws are not negative
    found = prove_inequality(
        dominated, dominating, ZERO, WHOLE, Limits(seconds=20, pieces=300).clock()
    )
    if found is not None:
        check_cases(found, WHOLE, inequality_check(dominated, dominating, ZERO))
    assert (found is not None) is holds or (holds and len({m for _, m, _ in parts if m > 1}) > 1)


def test_the_middle_residue_comes_first_and_known_ones_are_left_out() -> None:
    lemmas, guard = open_residue([normal(floor(N / 5), WHOLE)], WHOLE) or ((), None)
    assert [lemma.relation for lemma in lemmas] == [">=", ">"] and guard == normal(
        N - 5 * floor(N / 5) - 2, WHOLE
    ).num
    here = extend_context(lemmas, WHOLE).given(guard, ">") if guard is not None else WHOLE
    assert open_residue([normal(floor(N / 5), here)], here) == (
        (),
        normal(N - 5 * floor(N / 5) - 4, WHOLE).num,
    )


@pytest.mark.parametrize(
    "e",
    [floor(name("x") / 3), floor(N / 1000), floor(N * N / 3), floor(N / name("m")), N, floor(N)],
    ids=str,
)
def test_what_has_no_residues_is_left_alone(e: Expression) -> None:
    assert open_residue([normal(e, WHOLE.given(normal(name("m"), WHOLE).num, ">"))], WHOLE) is None


def test_a_case_that_is_left_out_proves_nothing() -> None:
    """mod(n, 3) <= 1 is false; a split without the residue 2 is refused."""
    guard = N - 3 * floor(N / 3)
    law = piecewise((ONE, eq(mod(N, 3), 2)), (ZERO, True))
    forged = CaseSplit(
        (), guard - 1, (("<", InequalityLeaf((), "zero")), ("=", InequalityLeaf((), "zero")))
    )
    with pytest.raises(Rejected, match="do not cover all signs"):
        check_cases(forged, WHOLE, inequality_check(Dominated(law), Dominating(ZERO), ZERO))
