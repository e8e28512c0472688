"""What the generators of questions about a mechanism share."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from mpmath import mpf

from ahdp_verify.kernel.terms.expression import to_json
from fuzz import ask
from fuzz.case import Outcome, document
from fuzz.generate import mechanisms
from fuzz.generate.ingredients import Made
from fuzz.oracle.trees import CannotTell, Undefined, value

SLACK = mpf(10) ** -22


def tree(e: Any) -> Any:
    return to_json(e)


def at(e: Any, given: Any) -> Any:
    """The value of an expression of the package, by the oracle."""
    return value(to_json(e), given)


def asked(rng: Random, kind: str, keep: Callable[[Made], bool]) -> tuple[Outcome, Any, Made]:
    """A mechanism of a file that suits, read."""
    while not keep(m := mechanisms.made(rng)):
        pass
    m.data["claim"] = [mechanisms.claimed(rng, m)]
    out = Outcome(kind, document(m.data))
    return out, ask.timed(out, "read", lambda: ask.mechanism_of(m.data)), m


def guarded(out: Outcome, work: Callable[[], None]) -> None:
    """The oracle's answer, which may be unknown."""
    try:
        work()
        out.settled += 1
    except CannotTell as why:
        out.undecided.append(str(why))
    except Undefined as why:
        out.undecided.append(f"undefined: {why}")
