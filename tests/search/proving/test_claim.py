"""Independent finite coordinates: the value of an output is substituted before the state, since it
may select the part of the input.
"""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.claim import has_few_counts
from ahdp_verify.search.verify import verify


def test_a_part_that_an_output_chooses_moves_too() -> None:
    """Each output is 0 with probability 3/4 or 1/4 by the sign of q[1]: level 0 is false, for
    one output and for two.
    """
    factor = "piecewise((1/2 + (1 - 2*{0})*(1/4), q[0*{0}+1] < 0), (1/2 - (1 - 2*{0})*(1/4), true))"
    for names in (("s",), ("s", "t")):
        law = parse(" * ".join(factor.format(n) for n in names))
        mechanism = Mechanism(Queries(1), outputs=[finite(n, [0, 1]) for n in names], density=law)
        assert not isinstance(
            verify(Claim(mechanism, "one", parse("0")), Limits(seconds=5)), Proved
        )


@pytest.mark.parametrize(
    ("defined", "few"),
    [
        ("count(x == 1) <= 1 and count(x == 2) <= 1", True),
        ("count(x == 1) <= 1", False),
        ("size <= 1", False),
        ("true", False),
    ],
)
def test_counts_come_first_where_each_record_has_a_few(defined: str, few: bool) -> None:
    domain, s = Domain([(1, 1), (2, 1)]), real("s")
    density = parse("exp(-abs(s - size - count(x == 1) - sum(2*x)))/2")
    law = Mechanism(domain, outputs=[s], density=density, defined=parse(defined))
    assert has_few_counts(ahdp(law)) is few
