"""Catalogue entries: a mechanism, its source, and the expected verdicts on its claims.

A mechanism is given by its density (`MechanismEntry`) or as a noise program (`ProgramEntry`).  An
entry shows one instance of a parametric constructor.  A broken twin is an entry like any other:
the same constructor with half the noise, or with a scale that depends on the data, and claims that
are refuted.  No procedure trusts or uses anything stored here; `verify` has to find every verdict
anew, and the tests compare.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.outputs import finite
>>> M = Mechanism(Values([0, 1]), outputs=[finite("s", [0, 1])], density=number("1/2"), name="coin")
>>> for expected in expect_exact_level("any", number(2))(M):
...     print(f"{expected.verdict}: {expected.claim}")
proved: coin is local DP at level 2
refuted: coin is local DP at level 999/500
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal, TypeVar

from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import Expression, expression, multiply, name, number
from ahdp_verify.sympy_trees import from_sympy as from_sympy  # SymPy's expressions are read

VerdictWord = Literal["proved", "vacuous", "refuted", "refused"]
Made = TypeVar("Made", Mechanism, Program)
Stated = TypeVar("Stated", Claim, ProgramClaim)
Number = int | Fraction
ALL_BUT_A_THOUSANDTH = number("999/1000")
X, EPS = name("x"), name("eps")
POSITIVE: Mapping[str, str] = {"eps": "eps > 0"}  # the parameter of most entries


@dataclass(frozen=True, slots=True)
class Expected(Generic[Stated]):
    """A claim with its expected verdict.

    claim     the claim
    verdict   "proved", "vacuous" (proved, and nothing is compared), "refuted", or "refused" where
              `verify` raises BadInput because there is no mechanism to speak of
    least     the least level that holds under the claim's relation, among those in its own names (a
              constant for all, say); None: not stated
    reason    why, in a few words
    """

    claim: Stated
    verdict: VerdictWord
    least: Expression | None = None
    reason: str = ""

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Entry(Generic[Made, Stated]):
    """One line of the catalogue.

    name          a short handle of letters, digits and hyphens, unique in the catalogue
    description   what the mechanism publishes, in one line
    source        the paper's label, or where else it comes from
    make          the shown instance, built anew on each call
    claims_of     the claims of that mechanism, with what is expected of each
    file          the mechanism file below proofs/ that states the same distribution, "" for none
    """

    name: str
    description: str
    source: str
    make: Callable[[], Made]
    claims_of: Callable[[Made], tuple[Expected[Stated], ...]]
    file: str = ""

    __repr__ = short_repr

    @property
    def mechanism(self) -> Made:
        """The shown instance."""
        return self.make()

    @property
    def claims(self) -> tuple[Expected[Stated], ...]:
        """The claims of the shown instance, with what is expected of each."""
        return self.claims_of(self.make())


Claims = Callable[[Mechanism], tuple[Expected[Claim], ...]]
ProgramClaims = Callable[[Program], tuple[Expected[ProgramClaim], ...]]
MechanismEntry = Entry[Mechanism, Claim]
ProgramEntry = Entry[Program, ProgramClaim]
AnyEntry = MechanismEntry | ProgramEntry


def times_eps(factor: object) -> Expression:
    """So many eps: a rational number of them."""
    return multiply(number(factor), EPS)


def lowered_level(level: Expression) -> Expression:
    """The level less a thousandth of it."""
    return multiply(ALL_BUT_A_THOUSANDTH, level)


def expect_verdict(
    verdict: VerdictWord, relation: str, level: object = EPS, least: object = None, reason: str = ""
) -> Claims:
    """One claim with its verdict; the level is the demand unless another is given."""
    known = None if least is None else expression(least)
    return lambda M: (Expected(Claim(M, relation, expression(level)), verdict, known, reason),)


def expect_proved(
    relation: str, level: object = EPS, least: object = None, reason: str = ""
) -> Claims:
    """One claim that is proved."""
    return expect_verdict("proved", relation, level, least, reason)


def expect_refuted(
    relation: str, level: object = EPS, least: object = None, reason: str = ""
) -> Claims:
    """One claim that is refuted."""
    return expect_verdict("refuted", relation, level, least, reason)


def expect_all(
    *parts: Callable[[Made], tuple[Expected[Stated], ...]],
) -> Callable[[Made], tuple[Expected[Stated], ...]]:
    """The claims of all parts, in order."""
    return lambda M: tuple(expected for part in parts for expected in part(M))


def expect_exact_level(relation: str, level: object) -> Claims:
    """A level that holds under a relation, and does not when it is lowered by a thousandth."""
    least = expression(level)
    return expect_all(
        expect_proved(relation, least, least, "exact level"),
        expect_refuted(
            relation, lowered_level(least), least, "exact level, lowered by a thousandth"
        ),
    )


def expect_private_as_stated(stated: Expression, least: Expression) -> Claims:
    """The claims of a mechanism that is private as stated (if that is not the least level anyway)
    and at the demand, and has the level `least`, but no lower one.
    """
    as_stated = (expect_proved("ahdp", stated, least, "as stated"),) if stated != least else ()
    return expect_all(
        *as_stated, expect_proved("ahdp", EPS, least, "W-AHDP"), expect_exact_level("ahdp", least)
    )


def expect_broken_twin(stated: Expression, least: Expression) -> Claims:
    """The claims of a twin that has neither the stated level nor the demand, but the level
    `least`.
    """
    return expect_all(
        expect_refuted("ahdp", stated, least, "as stated"),
        expect_refuted("ahdp", EPS, least, "W-AHDP"),
        expect_exact_level("ahdp", least),
    )


def expect_level(
    relation: str,
    level: object,
    *,
    queries: int | None = None,
    least: object = None,
    reason: str = "",
) -> ProgramClaims:
    """A level of a noise program that is proved; `queries` is the number of answers, of a program
    on any number of them.
    """
    known = None if least is None else expression(least)
    return lambda P: (
        Expected(
            ProgramClaim(P, relation, expression(level), queries=queries), "proved", known, reason
        ),
    )


def expect_no_level(
    relation: str,
    level: object,
    *,
    queries: int | None = None,
    least: object = None,
    reason: str = "",
) -> ProgramClaims:
    """A level of a noise program that is refuted."""
    known = None if least is None else expression(least)
    return lambda P: (
        Expected(
            ProgramClaim(P, relation, expression(level), queries=queries), "refuted", known, reason
        ),
    )


def expect_least_level(relation: str, level: object, queries: int | None = None) -> ProgramClaims:
    """A level of a noise program that holds, and does not when it is lowered by a thousandth."""
    least = expression(level)
    return expect_all(
        expect_level(relation, least, queries=queries, least=least, reason="least level"),
        expect_no_level(
            relation,
            lowered_level(least),
            queries=queries,
            least=least,
            reason="least level, lowered by a thousandth",
        ),
    )


def noise_title(title: str, noise: Number) -> str:
    """The name of a mechanism, with the factor on its noise unless that is 1."""
    return title if noise == 1 else f"{title}, noise times {noise}"
