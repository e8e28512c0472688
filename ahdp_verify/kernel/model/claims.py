"""The claims of each relation in the words of the field, about a mechanism that is written out or
one that is made of others.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Mechanism, real
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> s, W = real("s"), Domain([(0, 1), (1, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="count")
>>> str(ahdp(M))
'count is AHDP at level eps'
"""

from __future__ import annotations

from typing import Any, overload

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.model.domain import Body, body
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Expression, expression, name


@overload
def ahdp(mechanism: Mechanism, level: Body | None = None, delta: object = 0) -> Claim: ...
@overload
def ahdp(mechanism: object, level: Body | None = None, delta: object = 0) -> Any: ...
def ahdp(mechanism: object, level: Body | None = None, delta: object = 0) -> Any:
    """The claim that adding one record (x, eps) changes log probabilities by at most level(x,
    eps), by default eps (def:newDP).
    """
    return about(
        mechanism, "ahdp", name("eps") if level is None else body(level), expression(delta)
    )


@overload
def hdp(mechanism: Mechanism, public: tuple[str, ...] = (), delta: object = 0) -> Claim: ...
@overload
def hdp(mechanism: object, public: tuple[str, ...] = (), delta: object = 0) -> Any: ...
def hdp(mechanism: object, public: tuple[str, ...] = (), delta: object = 0) -> Any:
    """The claim of heterogeneous DP with public demands: (x, eps) may become (x', eps) at level
    eps; `public` parts stay (def:hetDP).
    """
    return about(mechanism, "hdp", name("eps"), expression(delta), tuple(public))


@overload
def dp(
    mechanism: Mechanism, eps: object, neighbours: str = "add-remove", delta: object = 0
) -> Claim: ...
@overload
def dp(
    mechanism: object, eps: object, neighbours: str = "add-remove", delta: object = 0
) -> Any: ...
def dp(mechanism: object, eps: object, neighbours: str = "add-remove", delta: object = 0) -> Any:
    """The claim of homogeneous DP at level eps for the relation `neighbours` (def:pureDP)."""
    return about(mechanism, neighbours, expression(eps), expression(delta))


def about(
    mechanism: Any,
    relation: str,
    level: Expression,
    delta: Expression,
    public: tuple[str, ...] = (),
) -> Any:
    """A claim about a mechanism, or about that of another claim."""
    mechanism = getattr(mechanism, "mechanism", mechanism)
    kind = Claim if isinstance(mechanism, Mechanism) else CompositeClaim
    return kind(mechanism, relation, level, delta, public)
