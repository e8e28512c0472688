"""What floats see of a claim: numbers that are too small for them do not hide the rest."""

from __future__ import annotations

import itertools

import pytest

from ahdp_verify.kernel.evidence.counterexample import level_of_move
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.refuting.float_screen import FloatScreen
from ahdp_verify.search.refuting.small_inputs import neighbouring_inputs


@pytest.mark.parametrize(("level", "holds"), [("1", True), ("999/1000", False)])
def test_a_tiny_factor_does_not_hide_the_loss(level: str, holds: bool) -> None:
    """As of the densities of hundreds of outputs together."""
    law = Mechanism(
        Domain([(1, 1)]), outputs=[real("s")], density=parse("exp(-abs(s - size))/10^400")
    )
    claim = ahdp(law, parse(level))
    screen, clock = FloatScreen.of(claim), Limits().clock()
    for example in itertools.islice(neighbouring_inputs(claim, clock, 2), 4):
        assert screen.sees_no_violation(example, level_of_move(claim, example)) is holds
