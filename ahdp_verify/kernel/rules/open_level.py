"""A claim that is proved at every level of a range holds at each of them.

    at every level L that satisfies c(L) the claim holds with delta d(L)      c(l)      d(l) <= d
    ---------------------------------------------------------------------------------------------
                              the claim holds at level l with delta d

L   a parameter of its own, which neither the mechanism nor its inputs mention
c   a condition on L alone;  l a constant

The premise is one claim: that about the mechanism with L as one more parameter of condition c, at
level L and with delta d(L).  A parameter is any number that satisfies its condition, so the premise
speaks of l too, and there its mechanism is that of the claim.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.outputs import finite
>>> from ahdp_verify.kernel.terms.expression import eq, piecewise
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> r = finite("r", [0, 1])
>>> flip = Mechanism(Values([0, 1]), outputs=[r], density=piecewise(("3/4", eq(r, name("v"))), ("1/4", True)), name="flip")
>>> stated = StatedPremise("any", parse("0 <= L and L <= 1"), parse("3/4 - exp(L)/4"))
>>> print(claim_at_open_level(Claim(flip, "any", parse("1/2"), parse("1/2")), stated))
flip is local DP at level L and delta 3/4 - exp(L)/4
>>> claim_at_open_level(Claim(flip, "any", parse("2"), parse("1/2")), stated)
Traceback (most recent call last):
ahdp_verify.kernel.errors.Rejected: the level 2 does not satisfy 0 <= L and L <= 1
"""

from __future__ import annotations

from functools import lru_cache

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import StatedPremise
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import truth
from ahdp_verify.kernel.rules.everywhere import require_number
from ahdp_verify.kernel.terms.expression import Expression, name, names, substitute


def claim_at_open_level(claim: Claim, stated: StatedPremise) -> Claim:
    """The premise; Rejected where the level of the claim is not one of those that it is about."""
    opened = open_name(stated)
    if stated.relation != claim.relation:
        raise Rejected("an open level keeps the relation")
    if names(claim.level):
        raise Rejected(f"the level {claim.level} is not a constant")
    require_number(claim.level, Context.empty())
    if not truth(substitute(stated.level, {opened: claim.level}), Context.empty()):
        raise Rejected(f"the level {claim.level} does not satisfy {stated.level}")
    return _premise(claim.mechanism, claim.public, stated, opened)


def delta_at_level(claim: Claim, stated: StatedPremise) -> Expression:
    """What the delta of the premise is at the level of the claim."""
    return substitute(stated.delta, {open_name(stated): claim.level})


def open_name(stated: StatedPremise) -> str:
    """The name that stands for the level in the premise; Rejected if its condition has another."""
    found = names(stated.level)
    if len(found) != 1:
        raise Rejected(f"the condition {stated.level} of an open level is not about one name")
    return next(iter(found))


@lru_cache(maxsize=8)  # the claims at several levels share it
def _premise(
    mechanism: Mechanism, public: tuple[str, ...], stated: StatedPremise, opened: str
) -> Claim:
    wider = with_parameter(mechanism, opened, stated.level)
    return Claim(wider, stated.relation, name(opened), stated.delta, public)


def with_parameter(mechanism: Mechanism, parameter: str, condition: Expression) -> Mechanism:
    """The same law with one more parameter; BadInput for a name that is taken."""
    return mechanism.changed(parameters=(*mechanism.parameters, (parameter, condition)))
