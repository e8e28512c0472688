"""Proved: the claim, its certificate and scope; and what all verdicts have in common.

A verdict has no truth value: use match or isinstance.  `Proved` and `Refuted`
(`ahdp_verify.kernel.refuted`) are made by `ahdp_verify.kernel.checker` alone.  Verdicts are data:
their words come from `ahdp_verify.display.verdict_text`, and how they are saved from
`ahdp_verify.verdicts`, both by `provided`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.rules.scope import NOTHING, SOMETHING, Scope
from ahdp_verify.kernel.terms.printing import one_line

if TYPE_CHECKING:
    from ahdp_verify.kernel.evidence.of_vectors import AnyProof
    from ahdp_verify.kernel.rules.compared import CheckableClaim, Compared


# What the kernel leaves to others, by the class of a verdict and what is asked of it
PROVIDED: dict[tuple[type, str], Callable[..., Any]] = {}


def provided(kind: type, what: str) -> Callable[..., Any]:
    """The function that answers this of verdicts of a class; BadInput where the module that has the
    words was not imported, as `import ahdp_verify.search.verify` does.
    """
    if (kind, what) not in PROVIDED:
        cure = "import ahdp_verify.display.verdict_text, which has the words of verdicts"
        raise BadInput(kind.__name__, f"the kernel alone does not say its {what}", cure)
    return PROVIDED[kind, what]


class VerdictBase:
    """What all verdicts have in common: no truth value, one line, and a file."""

    __slots__ = ()
    claim: CheckableClaim

    def __str__(self) -> str:
        return "; ".join((f"{self.word}: {one_line(str(self.claim))}", *self.parts))

    @property
    def parts(self) -> tuple[str, ...]:
        """What the line has after the claim."""
        said: tuple[str, ...] = provided(type(self), "parts")(self)
        return said

    def save(self, path: str | Path) -> None:
        """Writes the stored record, which `recheck` accepts, to `path`; BadInput if it cannot be
        written, and for an Unknown.
        """
        provided(VerdictBase, "save")(self, path)

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
    """

    claim: CheckableClaim
    certificate: AnyProof
    scope: Scope
    trusts: tuple[str, ...] = ()
    compared: Compared | None = None
    beyond: tuple[str, ...] = ()

    @property
    def scope_text(self) -> str:
        """The inputs to which the proof applies, in words."""
        return str(provided(Proved, "scope_text")(self))

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
