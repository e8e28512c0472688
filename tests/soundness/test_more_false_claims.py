"""More claims that are false, and that were once proved in an adversarial review."""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("2 - x", Refuted),
        ("1 + x", Refuted),
        ("piecewise((17/10, x == 0), (3/5, true))", Refuted),
        ("piecewise((oo, x == 0), (3/5, true))", Refuted),
        ("piecewise((17/10, x == 0), (161/100, true))", Proved),
    ],
)
def test_an_enumerated_replacement_is_held_to_the_smaller_of_the_levels_of_its_two_records(
    level: str, expected: type
) -> None:
    # the laws (1/2, 1/2) of {(0, 1)} and (1/10, 9/10) of {(1, 1)}: log(5) = 1.6094 is lost in one
    # direction and log(9/5) = 0.5878 in the other
    of_one = "piecewise((9/10, sum(x) >= 1), (1/2, true))"
    M = Mechanism(
        Domain([(0, 1), (1, 1)]),
        outputs=[finite("o", [0, 1])],
        density=parse(f"piecewise(({of_one}, o == 1), (1 - {of_one}, true))"),
    )
    assert type(verify(Claim(M, "hdp", parse(level)), Limits(seconds=20), size=3)) is expected


def test_numbers_at_the_end_of_the_range_of_floats_are_not_compared_as_floats() -> None:
    # exp(-744.104) = 1.40 units of 2^-1074 and exp(-743.97) = 1.60 of them are 1 and 2 units as
    # floats; 3 * 1.40 > 2 * 1.60, but 3 * 1 < 2 * 2
    many = "3*exp(-744104/1000)*size > 2*exp(-743970/1000)*size"  # size > 0, that is
    of_one = f"piecewise((9/10, {many}), (1/2, true))"
    M = Mechanism(
        Domain([(0, 1)]),
        outputs=[finite("o", [0, 1])],
        density=parse(f"piecewise(({of_one}, o == 1), (1 - {of_one}, true))"),
    )
    assert not isinstance(
        verify(Claim(M, "ahdp", parse("1/10")), Limits(seconds=20), size=3), Proved
    )  # the loss is log(5)
