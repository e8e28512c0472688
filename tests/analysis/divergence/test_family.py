"""The least delta as a function of the level is, at each level, what a search for that level alone
finds, with a proof that the checker and the stand-alone checker accept.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from recheck.records import ACCEPTED, check_file

from ahdp_verify.analysis.divergence.curve import delta_curve
from ahdp_verify.analysis.divergence.delta import delta
from ahdp_verify.analysis.divergence.family import find_family
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import LawFault
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.terms.expression import ZERO, Expression, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits

LAPLACE = Mechanism(
    Queries(1),
    outputs=[real("s")],
    density=parse("exp(-abs(s - q[1]))/2", "law"),
    name="Laplace",
)
NOISY = Mechanism(
    Domain([(0, 1), (1, 1), (2, 3)]),
    outputs=[real("s")],
    density=parse("exp(-abs(s - sum(x))/2)/4", "law"),
    name="noisy sum",
)
RESPONSE = Mechanism(
    Values([0, 1, 2]),
    outputs=[finite("r", [0, 1, 2])],
    density=parse("piecewise((5/7, r == v), (1/7, true))", "law"),
    name="response",
)
GEOMETRIC = Mechanism(
    Domain([(1, 1)]),
    outputs=[integer("k")],
    density=parse("exp(-abs(k - size))*(1 - exp(-1))/(1 + exp(-1))", "law"),
    name="geometric",
)
LEVELS = ("0", "1/3", "log(3/2)", "9/10", "1", "2")


def numbers(levels: tuple[str, ...]) -> list[Expression]:
    return [parse(text, "level") for text in levels]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("mechanism", "relation"),
    [(LAPLACE, "one"), (NOISY, "add-remove"), (RESPONSE, "any"), (GEOMETRIC, "add-remove")],
)
def test_many_levels_have_the_deltas_of_single_ones(mechanism: Mechanism, relation: str) -> None:
    curve = delta_curve(mechanism, LEVELS, relation)
    for level, point in zip(LEVELS, curve.points, strict=True):
        alone = delta(mechanism, parse(level, "level"), relation)
        assert (point.low, point.high, point.where) == (alone.low, alone.high, alone.where), level
        assert str(point) == str(alone)
        assert point.proof is not None and alone.proof is not None
        assert str(point.proof.claim) == str(alone.proof.claim)
        check(point.proof.claim, point.proof.certificate, None, point.proof.compared)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("mechanism", "relation"),
    [(LAPLACE, "one"), (NOISY, "add-remove"), (RESPONSE, "any"), (GEOMETRIC, "add-remove")],
)
def test_a_delta_of_a_family_is_written_as_that_of_a_single_level(
    mechanism: Mechanism, relation: str
) -> None:
    levels = ("0", "1/10", "1/3", "log(3/2)", "1/2", "9/10")
    family = find_family(Claim(mechanism, relation, ZERO), numbers(levels), Limits())
    assert family is not None
    for level in numbers(levels):
        found = family.at(level, Limits())
        assert found is not None and str(found) == str(delta(mechanism, level, relation))


@pytest.mark.parametrize(("mechanism", "relation"), [(LAPLACE, "one"), (RESPONSE, "any")])
def test_one_search_serves_all_levels_between_two(mechanism: Mechanism, relation: str) -> None:
    claim = Claim(mechanism, relation, ZERO)
    family = find_family(claim, numbers(("9/10", "0")), Limits())
    assert family is not None
    for level in numbers(("0", "1/10", "log(2)", "9/10")):
        found = family.at(level, Limits())
        assert found is not None and found.exact
        assert found.proof is not None and found.refutation is not None


def test_beyond_its_levels_a_family_gives_what_the_checker_accepts_or_nothing() -> None:
    family = find_family(Claim(LAPLACE, "one", ZERO), numbers(("0", "1/2")), Limits())
    assert family is not None
    assert family.at(number(2), Limits()) is None
    found = family.at(number("3/4"), Limits())
    assert found is None or str(found.value) == str(delta(LAPLACE, "3/4", "one").value)


def test_where_no_delta_is_needed_the_level_is_left_to_a_search_of_its_own() -> None:
    family = find_family(Claim(LAPLACE, "one", ZERO), numbers(("0", "2")), Limits())
    assert family is not None and family.at(number("3/2"), Limits()) is None


def test_the_stand_alone_checker_accepts_a_proof_of_a_family(tmp_path: Path) -> None:
    for mechanism, relation in ((LAPLACE, "one"), (RESPONSE, "any")):
        family = find_family(Claim(mechanism, relation, ZERO), numbers(("0", "1")), Limits())
        found = None if family is None else family.at(number("1/2"), Limits())
        assert found is not None and found.proof is not None
        found.proof.save(tmp_path / "proof.json")
        assert check_file(tmp_path / "proof.json").verdict == ACCEPTED


def test_a_fault_of_the_mechanism_is_reported_as_for_one_level() -> None:
    wrong = Mechanism(
        Queries(1), outputs=[real("s")], density=parse("exp(-abs(s - q[1]))", "law"), name="twice"
    )
    with pytest.raises(LawFault):
        delta_curve(wrong, LEVELS, "one")


def test_without_time_there_is_no_family() -> None:
    assert (
        find_family(Claim(LAPLACE, "one", ZERO), numbers(("0", "1")), Limits(seconds=1e-6)) is None
    )
