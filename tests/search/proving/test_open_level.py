"""Evidence with an open level, at a value: facts keep their meaning, splits by the level end."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    ExpSign,
    HockeyStickLeaf,
    HockeyStickPart,
    InequalityLeaf,
    Lemma,
    Products,
)
from ahdp_verify.kernel.model.domain import Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import Abs, exp, name, number
from ahdp_verify.search.proving.open_level import AtValue, FactNumbers, OpenLevel

L = OpenLevel("L", number(0), number(2))
HALF = number("1/2")


def leaf(*numbers: int) -> InequalityLeaf:
    return InequalityLeaf((), "log", (Products(((Fraction(1), numbers),)),))


def test_the_level_is_put_in_everywhere() -> None:
    inner = InequalityLeaf((Lemma("exp", (name("L"),)),), "log")
    given = HockeyStickLeaf((), (name("L") + 1,), (HockeyStickPart("none", inner),), inner)
    found = AtValue(L, HALF, FactNumbers.of(given, L, 0, 2, 2)).evidence(given)
    shown = InequalityLeaf((Lemma("exp", (HALF,)),), "log")
    assert isinstance(found, HockeyStickLeaf)
    assert found.choices == (HockeyStickPart("none", shown),) and found.final == shown
    assert str(found.points[0]) == "3/2"


def test_facts_after_those_on_the_level_move_up_where_these_are_not_used() -> None:
    """Facts 0 and 5 are before and behind; 1 and 2 are those on the level, 3 and 4 known too."""
    given = leaf(0, 3, 4, 5)
    numbers = FactNumbers.of(given, L, 1, 3, 5)
    assert not numbers.used
    assert AtValue(L, HALF, numbers).evidence(given) == leaf(0, 1, 2, 3)


def test_facts_on_the_level_that_are_used_become_lemmas_behind_what_is_known() -> None:
    given = leaf(0, 1, 2, 3, 4, 5)
    numbers = FactNumbers.of(given, L, 1, 3, 5)
    assert numbers.used
    found = AtValue(L, HALF, numbers).evidence(given)
    bounds = (Lemma("sign", (HALF,), ">="), Lemma("sign", (number("3/2"),), ">="))
    assert found == InequalityLeaf(bounds, "log", leaf(0, 3, 4, 1, 2, 5).proofs)


def test_of_a_split_by_the_level_the_case_that_holds_is_left() -> None:
    cases = (("<", leaf(3)), ("=", leaf(4)), (">", leaf(5)))
    split = CaseSplit((), name("L") - 1, cases)
    for value, sign, used in (("1/2", "<", 3), ("1", "=", 4), ("3/2", ">", 5)):
        found = AtValue(L, number(value), FactNumbers.of(split, L, 0, 0, 0)).evidence(split)
        assert isinstance(found, InequalityLeaf) and found.proofs == leaf(used).proofs
        assert [lemma.relation for lemma in found.lemmas] == [sign]


def test_a_split_by_an_apparent_zero_is_refused() -> None:
    apparent = exp(exp(name("L"))) - exp(exp(HALF))
    split = CaseSplit((), apparent, (("<", leaf(0)), (">", leaf(0))))
    with pytest.raises(Unsupported):
        AtValue(L, HALF, FactNumbers.of(split, L, 0, 0, 0)).evidence(split)


def test_the_sign_of_a_constant_needs_no_proof() -> None:
    of_level = ExpSign(((name("L"), 1, ()),), 0, 1)
    other = ExpSign(((name("e") - name("L"), 1, ()),), 2, 3)
    given = InequalityLeaf((), "direct", (of_level, other))
    numbers = FactNumbers.of(given, L, 0, 2, 3)
    found = AtValue(L, HALF, numbers).evidence(given)
    assert not numbers.used and isinstance(found, InequalityLeaf)
    assert found.proofs == (None, ExpSign(((name("e") - HALF, 1, ()),), 0, 1))


def test_a_mechanism_with_the_level_is_the_same_besides() -> None:
    law = exp(-Abs(name("s") - name("q[1]"))) / 2
    m = Mechanism(Queries(1), outputs=[real("s")], density=law, name="Laplace")
    more = L.added_to(m)
    assert [k for k, _ in more.parameters] == ["L"] and more.density == m.density
