"""The package's errors: each carries the fields of its one plain sentence.

A sentence names the input, the reason and the cure.  Whatever a user can cause is a `BadInput`; the
command line prints the sentence and exits with 2.  What was merely not shown, or not worked out, is
`NotWorkedOut` (exit code 3): it says nothing against the input. "Cannot decide" is never an error
of a search (see `ahdp_verify.kernel.evidence.certificate.Declined`).

>>> print(BadInput("level", "-1 is negative", "levels lie in [0, oo]"))
level: -1 is negative; levels lie in [0, oo]
"""

from __future__ import annotations


class AhdpError(Exception):
    """Base of every error that this package raises on purpose."""


class BadInput(AhdpError):
    """An input that has no meaning: `where` names it, `reason` says why, `cure` says what to
    write instead.
    """

    def __init__(self, where: str, reason: str, cure: str = "") -> None:
        self.where, self.reason, self.cure = where, reason, cure
        super().__init__(f"{where}: {reason}" + (f"; {cure}" if cure else ""))


class Missing(BadInput):
    """A library that is not installed: `where` names what needs it, `extra` the extra of this
    package that brings it.
    """

    def __init__(self, where: str, library: str, extra: str) -> None:
        self.library, self.extra = library, extra
        super().__init__(
            where, f"{library} is not installed", f"pip install 'ahdp-verify[{extra}]'"
        )


class GrammarError(BadInput):
    """A text that is not an expression: `position` counts characters from 1."""

    def __init__(self, where: str, position: int, reason: str, cure: str = "") -> None:
        self.position = position
        super().__init__(where, f"at character {position}, {reason}", cure)


class Undecided(AhdpError):
    """A rewriting needs the sign of a polynomial that its context does not know: `guard` is that
    polynomial.

    Internal: procedures answer it with a case split, nothing else escapes to a user.
    """

    def __init__(self, guard: object) -> None:
        self.guard = guard
        super().__init__("the sign of a guard is not known here")


class LawFault(BadInput):
    """A fault of a law that was found: at `place`, a concrete input and perhaps an output, `fault`
    is true, worked out exactly.

    The other kind is `Unsupported`, which says only that something was not shown.
    """

    def __init__(self, where: str, place: str, fault: str, cure: str) -> None:
        self.place, self.fault = place, fault
        super().__init__(where, f"at {place} {fault}", cure)


class Unsupported(AhdpError):
    """Something was not shown, mostly since a rewriting met a form that it does not know:
    `reason` says what.  Becomes a `Declined`, never a verdict.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class NotWorkedOut(Unsupported):
    """What was asked for was not worked out, though the input may be right: `where`, `why` and
    `cure` are what a `BadInput` has; `reason` is all three.

    >>> print(NotWorkedOut("level", "its sign is not known", "give a number"))
    level: its sign is not known; give a number
    """

    def __init__(self, where: str, why: str, cure: str = "") -> None:
        self.where, self.why, self.cure = where, why, cure
        super().__init__(f"{where}: {why}" + (f"; {cure}" if cure else ""))

    def __reduce__(self) -> tuple[type[NotWorkedOut], tuple[str, str, str]]:
        return NotWorkedOut, (self.where, self.why, self.cure)


def with_location(error: BadInput | NotWorkedOut, where: str) -> BadInput | NotWorkedOut:
    """The same refusal, of the same kind, said of another place."""
    if isinstance(error, NotWorkedOut):
        return NotWorkedOut(where, error.why, error.cure)
    return BadInput(where, error.reason, error.cure)


class SignNotShown(Unsupported):
    """That a law is nowhere negative was not shown; it may be so all the same."""


class DecayNotShown(Unsupported):
    """That a law has a finite total was not shown, since a part of it was not found to decay; it
    may have one all the same.
    """


class WrongTotal(Unsupported):
    """The total of a law was worked out, and it is not 1: `total` is its text."""

    def __init__(self, total: str) -> None:
        self.total = total
        super().__init__(
            f"the probabilities were not shown to add up to 1: in a case that was "
            f"tried, their total is {total}"
        )


class Undefined(Unsupported):
    """An expression has no value in the context in which it was asked for: no branch of it
    holds, or it is the logarithm of what is not positive.
    """


class Rejected(AhdpError):
    """The checker does not accept a certificate or a counterexample: `reason` says at which
    step.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class NotDecided(Rejected):
    """The checker does not accept what it could not decide, which may be so all the same."""


class OutOfLimits(AhdpError):
    """A search or a check has used up what it was allowed: `limit` names the field of `Limits`,
    `reason` is the whole sentence.
    """

    def __init__(self, limit: str, used: str, what: str) -> None:
        self.limit, self.used, self.what = limit, used, what
        self.reason = f"stopped after {used} while {what}; give --{limit} a larger value"
        super().__init__(self.reason)

    def __reduce__(self) -> tuple[type[OutOfLimits], tuple[str, str, str]]:
        return OutOfLimits, (self.limit, self.used, self.what)
