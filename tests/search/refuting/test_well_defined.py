"""A fault of a law is reported only at values that the conditions allow, decided exactly."""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.errors import LawFault
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import Abs, exp, name, number
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.refuting.well_defined import check_examples


def noisy_size(condition: str) -> Claim:
    """The density is negative wherever p < 0."""
    s, p = real("s"), name("p")
    W = Domain([(1, 1)])
    density = exp(-Abs(s - W.size) / Abs(p)) / (2 * p)
    m = Mechanism(W, outputs=[s], density=density, parameters={"p": condition})
    return Claim(m, "add-remove", number(1))


def test_a_fault_at_a_value_that_the_condition_excludes_is_not_reported() -> None:
    one, none = (number(1),), (number(0),)
    excluded = Counterexample((("p", number(-1)),), (), none, one, Event())
    clock = Limits().clock()
    check_examples(noisy_size("p > 0"), iter([excluded]), 5, clock)
    with pytest.raises(LawFault, match="p = -1"):
        check_examples(noisy_size("p < 2"), iter([excluded]), 5, clock)
