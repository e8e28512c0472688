"""Independent finite coordinates: the value of an output is substituted before the state, since it
may select the part of the input.
"""

from __future__ import annotations

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
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
