"""The words in which a claim of privacy is made: `ahdp`, `hdp` and `dp`.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Mechanism, Output
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> s, W = Output("s", "real"), Domain([(0, 1), (1, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="count")
>>> str(ahdp(M))
'count is AHDP at level eps'
"""

from __future__ import annotations

from typing import Any, cast, overload

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import Composite, CompositeClaim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.terms.expression import Expression, expression, name
from ahdp_verify.kernel.terms.grammar import parse


@overload
def ahdp(mechanism: Mechanism, level: Body | str | None = None, delta: object = 0) -> Claim: ...
@overload
def ahdp(mechanism: object, level: Body | str | None = None, delta: object = 0) -> Any: ...
def ahdp(mechanism: object, level: Body | str | None = None, delta: object = 0) -> Any:
    """The claim that adding one record (x, eps) changes log probabilities by at most level(x,
    eps), by default eps (def:newDP), but for a total of delta(x, eps), by default 0.
    """
    given = _read(level, "level") if isinstance(level, str) else level
    bound = name("eps") if given is None else record_expression(given)
    slack = record_expression(delta) if callable(delta) else _read(delta, "delta")
    return _claim_about(mechanism, "ahdp", bound, slack)


@overload
def hdp(mechanism: Mechanism, public: tuple[str, ...] = (), delta: object = 0) -> Claim: ...
@overload
def hdp(mechanism: object, public: tuple[str, ...] = (), delta: object = 0) -> Any: ...
def hdp(mechanism: object, public: tuple[str, ...] = (), delta: object = 0) -> Any:
    """The claim of heterogeneous DP with public demands: (x, eps) may become (x', eps) at level
    eps; `public` parts stay (def:hetDP).
    """
    kept = (public,) if isinstance(public, str) else tuple(dict.fromkeys(map(str, public)))
    return _claim_about(mechanism, "hdp", name("eps"), _read(delta, "delta"), kept)


@overload
def dp(
    mechanism: Mechanism, eps: object, neighbours: str = "add-remove", delta: object = 0
) -> Claim: ...
@overload
def dp(
    mechanism: object,
    eps: object,
    neighbours: str = "add-remove",
    delta: object = 0,
    *,
    queries: int | None = None,
) -> Any: ...
def dp(
    mechanism: object,
    eps: object,
    neighbours: str = "add-remove",
    delta: object = 0,
    *,
    queries: int | None = None,
) -> Any:
    """The claim of homogeneous DP at level eps for the relation `neighbours` (def:pureDP); of a
    noise program, for so many queries, or for any number of them.
    """
    level, slack = _read(eps, "level"), _read(delta, "delta")
    return _claim_about(mechanism, neighbours, level, slack, queries=queries)


def _read(value: object, where: str) -> Expression:
    return parse(value, where) if isinstance(value, str) else expression(value)


def _claim_about(
    mechanism: object,
    relation: str,
    level: Expression,
    delta: Expression,
    public: tuple[str, ...] = (),
    queries: int | None = None,
) -> Any:
    """A claim about a mechanism, a composite, a noise program, or the mechanism of another claim;
    for composites see `ahdp_verify.kernel.model.composite`.
    """
    mechanism = getattr(mechanism, "mechanism", mechanism)
    if hasattr(mechanism, "answering"):  # a function that stands for a program
        mechanism, queries = mechanism.answering(queries)
    if isinstance(mechanism, Program):
        return ProgramClaim(mechanism, relation, level, delta, queries)
    if isinstance(mechanism, Mechanism):
        return Claim(mechanism, relation, level, delta, public)
    # anything else is refused there
    return CompositeClaim(cast("Composite", mechanism), relation, level, delta, public)
