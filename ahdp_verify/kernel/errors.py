"""The package's errors; each carries the parts of its one-sentence message as fields.

The message names the input, the reason and the cure.  Whatever a user can cause is a `BadInput`;
the command line prints the message and exits with code 2.  What was merely not shown, or could not
be computed, is `NotWorkedOut` (exit code 3): the input may be right.  "Cannot decide" is never an
error of a search (see `ahdp_verify.kernel.evidence.certificate.Declined`).

>>> print(BadInput("level", "-1 is negative", "levels lie in [0, oo]"))
level: -1 is negative; levels lie in [0, oo]
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


class AhdpError(Exception):
    """Base of every error that this package raises on purpose."""


class BadInput(AhdpError):
    """An input that has no meaning: `where` names it, `reason` says why, `cure` says what to
    write instead; `found_in` is the text, with the number of the character from 1.
    """

    found_in: tuple[str, int] | None = None

    def __init__(self, where: str, reason: str, cure: str = "") -> None:
        self.where, self.reason, self.cure = where, reason, cure
        super().__init__(f"{where}: {reason}" + (f"; {cure}" if cure else ""))


class Missing(BadInput):
    """A library that is not installed: `where` names what needs it, `extra` the extra of this
    package that installs it.
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


class UnknownName(BadInput):
    """A name that is not declared: `name`, as messages show it."""

    def __init__(self, where: str, name: str, cure: str) -> None:
        self.name = name
        super().__init__(where, f"the name {name} is not known", cure)


def closest(word: str, known: Sequence[str], listing: str) -> str:
    """The cure for a word that is none of the known ones: the one that it resembles, if any, and
    then all of them (the first thirty).

    >>> closest("adp", ["ahdp", "hdp"], "the relations are")
    'did you mean ahdp? the relations are ahdp, hdp'
    """
    words = [k for k in known if not k.endswith("]")]  # v[2] is no spelling of v[3]
    near = get_close_matches(word.casefold(), words, n=1, cutoff=0.65)
    found = ["oo"] if word.casefold() in ("inf", "infinity") else near
    meant = f"did you mean {found[0]}? " if found else ""
    return f"{meant}{listing} {', '.join(known[:30])}"


class Undecided(AhdpError):
    """The sign of a polynomial is needed and not known in the context; `guard` is that polynomial.

    Internal: procedures answer it with a case split; it never reaches a user.
    """

    def __init__(self, guard: object) -> None:
        self.guard = guard
        super().__init__("the sign of a guard is not known here")


class LawFault(BadInput):
    """A proven fault of a law: `fault` holds at `place`, a concrete input and perhaps an output, by
    exact computation.  Unlike `Unsupported`, which says only that something was not shown.
    """

    def __init__(self, where: str, place: str, fault: str, cure: str) -> None:
        self.place, self.fault = place, fault
        super().__init__(where, f"at {place} {fault}", cure)


class Unsupported(AhdpError):
    """Something was not shown, mostly because an expression has a form that a procedure does not
    handle; `reason` says what.  Becomes a `Declined`, never a verdict.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class NotWorkedOut(Unsupported):
    """What was requested could not be computed, though the input may be right; `where`, `why` and
    `cure` are the fields of a `BadInput`, `reason` is all three together.

    >>> print(NotWorkedOut("level", "its sign is not known", "give a number"))
    level: its sign is not known; give a number
    """

    def __init__(self, where: str, why: str, cure: str = "") -> None:
        self.where, self.why, self.cure = where, why, cure
        super().__init__(f"{where}: {why}" + (f"; {cure}" if cure else ""))

    def __reduce__(self) -> tuple[type[NotWorkedOut], tuple[str, str, str]]:
        return NotWorkedOut, (self.where, self.why, self.cure)


def with_location(error: BadInput | NotWorkedOut, where: str) -> BadInput | NotWorkedOut:
    """The same error, of the same kind, about another input."""
    if isinstance(error, NotWorkedOut):
        return NotWorkedOut(where, error.why, error.cure)
    moved = BadInput(where, error.reason, error.cure)
    moved.found_in = error.found_in
    return moved


class SignNotShown(Unsupported):
    """A law was not shown to be nonnegative; it may be so nevertheless."""


class DecayNotShown(Unsupported):
    """A law was not shown to have a finite total, because a part of it was not found to decay; the
    total may be finite nevertheless.
    """


class Undefined(Unsupported):
    """An expression has no value in the context in which it is evaluated: no branch of it holds, or
    it is the logarithm of something that is not positive.
    """


class Rejected(AhdpError):
    """The checker does not accept a certificate or a counterexample; `reason` names the step."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class NotDecided(Rejected):
    """The checker does not accept what it could not decide; it may hold nevertheless."""


class OutOfLimits(AhdpError):
    """A search or a check has reached a limit: `limit` names the field of `Limits`, `reason` is the
    whole message.
    """

    def __init__(self, limit: str, used: str, what: str) -> None:
        self.limit, self.used, self.what = limit, used, what
        self.reason = f"stopped after {used} while {what}; give --{limit} a larger value"
        super().__init__(self.reason)

    def __reduce__(self) -> tuple[type[OutOfLimits], tuple[str, str, str]]:
        return OutOfLimits, (self.limit, self.used, self.what)
