"""Proved: the claim, its certificate and scope; and what all verdicts have in common.

A verdict has no truth value: use match or isinstance.  `Proved` and `Refuted`
(`ahdp_verify.kernel.refuted`) are made by `ahdp_verify.kernel.checker` alone.  A verdict prints as
one line of fixed shape: its word, the claim, then the scope or the witness or the reasons, then
what had to be trusted.  It stays one line whatever a mechanism is called, since invisible and
cursor-moving characters are written as escapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ahdp_verify.kernel.rules.scope import NOTHING, SOMETHING, Scope
from ahdp_verify.kernel.terms.printing import LINE as LINE
from ahdp_verify.kernel.terms.printing import one_line

if TYPE_CHECKING:
    from ahdp_verify.kernel.evidence.of_vectors import AnyProof
    from ahdp_verify.kernel.rules.compared import CheckableClaim, Compared


class VerdictBase:
    """What all verdicts have in common: no truth value, one line, and a file."""

    __slots__ = ()
    claim: CheckableClaim

    def __bool__(self) -> bool:
        raise TypeError("a verdict has no truth value; use isinstance(verdict, Proved) or match")

    @property
    def word(self) -> str:
        """The verdict in one word, with the solvers that were trusted."""
        return type(self).__name__

    @property
    def outcome(self) -> str:
        """The answer in one word, as files expect it: proved, vacuous, refuted or unknown."""
        return type(self).__name__.lower()

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the line after the claim."""
        return ()

    def content(self) -> dict[str, Any]:
        """The stored record without the versions that made it and without its seal."""
        raise NotImplementedError

    def to_json(self) -> Any:
        """The stored record."""
        from ahdp_verify.kernel.record import sealed_record

        return sealed_record(self.content())

    def __str__(self) -> str:
        return "; ".join((f"{self.word}: {one_line(str(self.claim))}", *self.parts))

    def save(self, path: str | Path) -> None:
        """Writes the stored record, which `recheck` accepts, to `path`; BadInput if it cannot be
        written, and for an Unknown.
        """
        from ahdp_verify.kernel.record import save_record

        save_record(self.to_json(), path)


@dataclass(frozen=True, slots=True)
class Proved(VerdictBase):
    """The claim holds in its scope: `certificate` was accepted.

    trusts      what was believed without a check: solvers, and files from which sizes were resumed
    compared    two inputs to which the claim applies, or a proof that there are none; None if
                neither was found
    beyond      the rules beyond the core of the checker that it relied on, as the checker names
                them; not stored in a record, since whoever checks it finds them again
    """

    claim: CheckableClaim
    certificate: AnyProof
    scope: Scope
    trusts: tuple[str, ...] = ()
    compared: Compared | None = None
    beyond: tuple[str, ...] = ()

    @property
    def vacuous(self) -> bool:
        """Whether nothing is compared, as far as is known: then the claim says nothing about the
        mechanism.
        """
        return self.scope.compared != SOMETHING

    @property
    def outcome(self) -> str:
        """ "proved", or "vacuous" if no two inputs are known to which the claim applies."""
        return "vacuous" if self.vacuous else "proved"

    @property
    def word(self) -> str:
        """The verdict in one word, with the solvers that were trusted."""
        vacuously = ", vacuously" if self.scope.compared == NOTHING else ""
        return f"Proved{vacuously}" + (
            f", attested by {' and '.join(self.trusts)}" if self.trusts else ""
        )

    @property
    def said_of_inputs(self) -> tuple[str, ...]:
        """What is compared, or why nothing is, and whether the input influences the output."""
        from ahdp_verify.kernel.scope_text import inputs_text

        return inputs_text(self.scope, self.claim, self.compared)

    @property
    def scope_text(self) -> str:
        """The inputs to which the proof applies, in words."""
        from ahdp_verify.kernel.scope_text import scope_text

        return scope_text(self.scope, self.claim)

    @property
    def parts(self) -> tuple[str, ...]:
        """The scope, what is assumed of abstract mechanisms, and what is trusted."""
        from ahdp_verify.kernel.scope_text import assumptions_text

        lines = (*self.said_of_inputs, *assumptions_text(self.claim))
        return *map(one_line, lines), trusts_text(*self.beyond, *self.trusts)

    def content(self) -> dict[str, Any]:
        """The stored record without its seal."""
        from ahdp_verify.kernel.record import of_proof

        return of_proof(self.claim, self.certificate, self.scope, self.trusts, self.compared)


def trusts_text(*names: str) -> str:
    """What had to be trusted: the checker, and these.

    >>> trusts_text("a rule", "another")
    'trusts: the checker, a rule and another'
    """
    return f"trusts: {listed_in_words('the checker', *names)}{'' if names else ' alone'}"


def listed_in_words(*items: str) -> str:
    """A list of one or more as a sentence has it.

    >>> listed_in_words("a", "b", "c")
    'a, b and c'
    """
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last
