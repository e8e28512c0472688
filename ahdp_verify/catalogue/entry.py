"""What a catalogue entry is: a mechanism, where it comes from, and what is expected of its claims.

An entry shows one instance of a parametric constructor.  A broken twin is an entry like any other:
the same constructor with half the noise, or with a scale that is read off the data, and claims that
are refuted.  Nothing stored here is believed or used by a procedure; `verify` has to find every
verdict anew, and the tests compare.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.outputs import finite
>>> M = Mechanism(Values([0, 1]), outputs=[finite("s", [0, 1])], density=number("1/2"), name="coin")
>>> for expected in exact("any", number(2))(M):
...     print(f"{expected.verdict}: {expected.claim}")
proved: coin is local DP at level 2
refuted: coin is local DP at level 999/500
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Expression, expression, multiply, name, number

Word = Literal["proved", "vacuous", "refuted", "refused"]
Number = int | Fraction
ALL_BUT_A_THOUSANDTH = number("999/1000")
X, EPS = name("x"), name("eps")


@dataclass(frozen=True, slots=True)
class Expected:
    """What becomes of a claim.

    claim     the claim
    verdict   "proved", "vacuous" (proved, and nothing is compared), "refuted", or "refused" where
              `verify` raises BadInput because there is no mechanism to speak of
    least     the least level that holds under the claim's relation, among those in its own names (a
              constant for all, say); None: not stated
    reason    why, in a few words
    """

    claim: Claim
    verdict: Word
    least: Expression | None = None
    reason: str = ""


Claims = Callable[[Mechanism], tuple[Expected, ...]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the catalogue.

    name          a short handle of letters, digits and hyphens, unique in the catalogue
    description   what the mechanism publishes, in one line
    source        the paper's label, or where else it comes from
    make          the shown instance, built anew on each call
    claims_of     the claims of that mechanism, with what is expected of each
    file          the mechanism file below proofs/ that states the same law, "" for none
    """

    name: str
    description: str
    source: str
    make: Callable[[], Mechanism]
    claims_of: Claims
    file: str = ""

    @property
    def mechanism(self) -> Mechanism:
        """The shown instance."""
        return self.make()

    @property
    def claims(self) -> tuple[Expected, ...]:
        """The claims of the shown instance, with what is expected of each."""
        return self.claims_of(self.make())


def lowered(level: Expression) -> Expression:
    """The level less a thousandth of it."""
    return multiply(ALL_BUT_A_THOUSANDTH, level)


def expect(
    verdict: Word, relation: str, level: object = EPS, least: object = None, reason: str = ""
) -> Claims:
    """One claim with its verdict; the level is the demand unless another is given."""
    known = None if least is None else expression(least)
    return lambda M: (Expected(Claim(M, relation, expression(level)), verdict, known, reason),)


def holds(relation: str, level: object = EPS, least: object = None, reason: str = "") -> Claims:
    """One claim that is proved."""
    return expect("proved", relation, level, least, reason)


def fails(relation: str, level: object = EPS, least: object = None, reason: str = "") -> Claims:
    """One claim that is refuted."""
    return expect("refuted", relation, level, least, reason)


def both(*parts: Claims) -> Claims:
    """The claims of all parts, in order."""
    return lambda M: tuple(expected for part in parts for expected in part(M))


def exact(relation: str, level: object) -> Claims:
    """A level that holds under a relation, and does not when it is lowered by a thousandth."""
    least = expression(level)
    return both(
        holds(relation, least, least, "exact level"),
        fails(relation, lowered(least), least, "exact level, lowered by a thousandth"),
    )


def private(stated: Expression, least: Expression) -> Claims:
    """What is private as stated (if that is not the least level anyway) and up to the demand,
    and has the level `least`, but no lower one.
    """
    as_stated = (holds("ahdp", stated, least, "as stated"),) if stated != least else ()
    return both(*as_stated, holds("ahdp", EPS, least, "W-AHDP"), exact("ahdp", least))


def broken(stated: Expression, least: Expression) -> Claims:
    """A twin that has neither the stated level nor the demand, but needs the level `least`."""
    return both(
        fails("ahdp", stated, least, "as stated"),
        fails("ahdp", EPS, least, "W-AHDP"),
        exact("ahdp", least),
    )


def with_noise(title: str, noise: Number) -> str:
    """The name of a mechanism, with the factor on its noise unless that is 1."""
    return title if noise == 1 else f"{title}, noise times {noise}"
