"""Proved: the claim, its certificate and scope; and what all verdicts have in common.

A verdict has no truth value: use match or isinstance.  `Proved` and `Refuted`
(`ahdp_verify.kernel.refuted`) are made by `ahdp_verify.kernel.checker` alone.  Verdicts are data: the
line as which one prints, and other words, come from `ahdp_verify.display.verdict_text`, and how they
are saved from `ahdp_verify.verdicts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ahdp_verify.kernel.rules.scope import NOTHING, SOMETHING, Scope

if TYPE_CHECKING:
    from ahdp_verify.kernel.evidence.of_vectors import AnyProof
    from ahdp_verify.kernel.rules.compared import CheckableClaim, Compared


class VerdictBase:
    """What all verdicts have in common: no truth value, one line, and a file.

    parts    what the line has after the claim, in words
    save     writes the stored record, which `recheck` accepts, to a file
    """

    __slots__ = ()
    claim: CheckableClaim
    parts: tuple[str, ...]
    save: Callable[[str | Path], None]

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

    def content(self) -> dict[str, Any]:
        """The stored record without the versions that made it and without its seal."""
        raise NotImplementedError

    def to_json(self) -> Any:
        """The stored record."""
        from ahdp_verify.kernel.record import sealed_record

        return sealed_record(self.content())


@dataclass(frozen=True, slots=True)
class Proved(VerdictBase):
    """The claim holds in its scope: `certificate` was accepted.

    trusts      what was believed without a check: solvers, and files from which sizes were resumed
    compared    two inputs to which the claim applies, or a proof that there are none; None if
                neither was found
    beyond      the rules beyond the core of the checker that it relied on, as the checker names
                them; not stored in a record, since whoever checks it finds them again
    scope_text  the inputs to which the proof applies, in words
    """

    claim: CheckableClaim
    certificate: AnyProof
    scope: Scope
    trusts: tuple[str, ...] = ()
    compared: Compared | None = None
    beyond: tuple[str, ...] = ()
    scope_text: ClassVar[str]

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

    def content(self) -> dict[str, Any]:
        """The stored record without its seal."""
        from ahdp_verify.kernel.record import of_proof

        return of_proof(self.claim, self.certificate, self.scope, self.trusts, self.compared)
