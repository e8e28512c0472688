"""Claims of the notions of privacy that bound a divergence or a test rather than the loss.

    zcdp     D_a(M(D) || M(D')) <= rho a for every order a > 1     (Bun and Steinke 2016)
    renyi    D_a(M(D) || M(D')) <= bound for one order a > 1       (Mironov 2017)
    gdp      no test tells M(D) from M(D') better than it tells N(0, 1) from N(mu, 1)
             (Dong, Roth and Su 2022)

    D_a(P || Q) = log(integral of p^a q^(1 - a)) / (a - 1), infinite where Q misses a part of P

D, D' are neighbouring inputs, in both orders.  Which inputs are, and the bound of each move (rho,
the bound in nats, or mu), is what a claim with a level says; so a `NotionClaim` holds such a claim,
whose level is read as the bound.  The parts of a composite come with levels, which are then read
as bounds of the same notion (and order) too.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> law = parse("exp(-(s - q[1])^2/2)/sqrt(2*pi)")
>>> M = Mechanism(Queries(1), outputs=[real("s")], density=law, name="noisy answer")
>>> print(NotionClaim(dp(M, "1/2", "one"), "zcdp"))
noisy answer is zCDP with rho = 1/2, as DP for one moving answer
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.claim import RELATION_WORDS
from ahdp_verify.kernel.model.composite import (
    PAIRS,
    AbstractMechanism,
    AnyClaim,
    AnyMechanism,
    Composite,
    claim_from_json,
)
from ahdp_verify.kernel.model.mechanism import NUMBER, NameScope, check_kind
from ahdp_verify.kernel.model.neighbours import parameter_context
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import ZERO, Expression
from ahdp_verify.kernel.terms.printing import display_name

NOTIONS = {"zcdp": "zCDP", "renyi": "Rényi DP", "gdp": "GDP"}
BOUND_WORDS = {"zcdp": "rho", "renyi": "bound", "gdp": "mu"}


@dataclass(frozen=True, slots=True)
class NotionClaim(Canonical):
    """The claim that a mechanism is private in the sense of a notion.

    bounds    the claim of the same relation whose level is rho, the bound (nats) or mu; delta 0
    notion    "zcdp", "renyi" or "gdp"
    order     of "renyi": a number > 1, possibly in parameters; None for the others
    """

    bounds: AnyClaim
    notion: str
    order: Expression | None = None

    readers: ClassVar = {"bounds": claim_from_json}

    def __post_init__(self) -> None:
        if self.notion not in NOTIONS or not isinstance(self.bounds, AnyClaim):
            raise BadInput(
                "notion", f"{str(self.notion)[:20]!r} is not known", f"use {', '.join(NOTIONS)}"
            )
        if self.bounds.delta != ZERO or self.bounds.relation == PAIRS:
            raise BadInput(
                "notion",
                f"{NOTIONS[self.notion]} has no delta, and compares neighbouring inputs only",
                "claim one bound for each move",
            )
        if (self.order is not None) != (self.notion == "renyi"):
            raise BadInput("order", "only Rényi DP has an order", "give it there, and only there")
        if self.order is not None:
            parameters = self.bounds.mechanism.parameters
            known = frozenset(key for key, _ in parameters)
            check_kind(self.order, (NUMBER,), NameScope("order", known, frozenset(), {}))
            here = parameter_context(parameters)
            if here.ratio_signs(normal(self.order, here) - constant(1)) != {1}:
                said = f"{self.order} is not known to be larger than 1"
                raise BadInput("order", said, "give a larger one, or state it of a parameter")

    @property
    def mechanism(self) -> AnyMechanism:
        """The mechanism that it is about."""
        return self.bounds.mechanism

    @property
    def relation(self) -> str:
        """The relation of the inputs that it compares."""
        return self.bounds.relation

    def __str__(self) -> str:
        who = self.mechanism if isinstance(self.mechanism, Composite | AbstractMechanism) else ""
        order = "" if self.order is None else f" of order {self.order}"
        public = f" with {', '.join(self.bounds.public)} public" if self.bounds.public else ""
        return (
            f"{who or display_name(self.mechanism.name) or 'the mechanism'} is "
            f"{NOTIONS[self.notion]}{order} with {BOUND_WORDS[self.notion]} = {self.bounds.level}, "
            f"as {RELATION_WORDS[self.relation]}{public}"
        )
