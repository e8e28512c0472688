"""Totals over one output after another: what is accepted has total 1, and forged values are
refused.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Mass, TotalLeaf
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.rules.total_mass import check_mass
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.total_mass import mass_certificate

REALS = (real("y"), real("z"))
MIXTURE = "1/8*(exp(-abs(y - v))*exp(-abs(z)) + exp(-abs(y))*exp(-abs(z - v)))"
CHAIN = "exp(-abs(y) - abs(z - y) - abs(z))*2/3"  # 2/3 (1 + |y|) exp(-2 |y|), if z is integrated


def mechanism(density: str, outputs: tuple[object, ...] = REALS) -> Mechanism:
    return Mechanism(Values([0, 1]), outputs=list(outputs), density=parse(density), name="m")  # type: ignore[arg-type]


def mass(m: Mechanism) -> Mass:
    found = mass_certificate(m, False, Limits(seconds=30).clock())
    assert isinstance(found, Mass), found
    return found


@pytest.mark.parametrize(
    ("density", "outputs"),
    [
        (MIXTURE, REALS),
        (CHAIN, REALS),
        ("1/9/2^(abs(y - v) + abs(z))", (integer("y"), integer("z"))),
        (
            'piecewise((exp(-abs(y))/4, b == "l"), (exp(-2*abs(y - v))/2, true))',
            (finite("b", ["l", "r"]), real("y")),
        ),
        ("exp(-abs(y) - abs(z - y))*(1 - exp(-abs(y)))/2", REALS),
    ],
)
def test_a_law_of_total_one(density: str, outputs: tuple[object, ...]) -> None:
    """The totals are 1: by Fubini, and for the third law since 1 + 2 (1/2 + 1/4 + ...) = 3."""
    m = mechanism(density, outputs)
    check_mass(m, mass(m), False)


@pytest.mark.parametrize("factor", ["1/2", "2", "101/100"])
def test_a_law_of_another_total_has_no_evidence(factor: str) -> None:
    m = mechanism(f"{factor}*({CHAIN})")
    assert not isinstance(mass_certificate(m, False, Limits(seconds=30).clock()), Mass)
    good = mass(mechanism(CHAIN))
    with pytest.raises(Rejected):
        check_mass(m, good, False)


def test_a_density_that_is_negative_somewhere_has_no_evidence() -> None:
    """Its integral is 1, by z alone from -oo to oo and then by y."""
    m = mechanism("exp(-abs(y) - abs(z))*(1/4 + y/100)")
    assert not isinstance(mass_certificate(m, False, Limits(seconds=30).clock()), Mass)


def forged(
    m: Mechanism, values: tuple[Expression, ...], points: tuple[tuple[str, ...], ...]
) -> None:
    evidence = tuple(TotalLeaf((), tuple(map(parse, listed))) for listed in points)
    with pytest.raises(Rejected):
        check_mass(m, Mass(values * 2, evidence * 2), False)


def test_the_last_value_has_to_be_one() -> None:
    """The law is a half of a distribution; y is integrated last, to 1/2."""
    half = mechanism("exp(-abs(y) - abs(z))/8")
    forged(half, (number("1/2"), parse("exp(-abs(y))/4")), (("0",), ("0",)))


def test_a_value_may_not_mention_an_output_over_which_it_is_taken() -> None:
    m = mechanism("exp(-abs(y) - abs(z))/4")
    forged(m, (parse("exp(-abs(z))/exp(-abs(z))"), parse("exp(-abs(y))/2")), (("0",), ("0",)))
    forged(m, (parse("1 + z - z"), parse("exp(-abs(y))/2 + z - z")), (("0",), ("0",)))


def test_values_and_points_are_not_believed() -> None:
    m = mechanism(CHAIN)
    good = mass(m)
    for i in range(len(good.values)):
        wrong = tuple(v * 2 if i == j else v for j, v in enumerate(good.values))
        with pytest.raises(Rejected):
            check_mass(m, replace(good, values=wrong), False)
