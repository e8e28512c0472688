"""What an accepted certificate shows, which rules were used for it, and how the checker refuses:
any error is a refusal.

>>> with failing_closed():
...     (1,)[2]
Traceback (most recent call last):
ahdp_verify.kernel.errors.Rejected: the certificate is malformed (IndexError: tuple index out of range)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.numbers.normal_form import refusal_text

MALFORMED = (
    TypeError,
    AttributeError,
    ValueError,
    KeyError,
    IndexError,
    ZeroDivisionError,
    RecursionError,
    OverflowError,
)


OTHER_PROOF = (
    "the certificate is of another kind than the claim: a composite is proved by a composition "
    "rule, a best power by a mechanism and prices, the power against one mechanism by a test and a "
    "prior, and neither of these last two proves privacy"
)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What an accepted certificate shows.

    size     the claim on datasets of at most so many records; None for all inputs
    trusts   what was believed without a check: solvers, and files from which sizes were resumed
    """

    size: int | None = None
    trusts: tuple[str, ...] = ()


_used: ContextVar[set[str] | None] = ContextVar("used", default=None)


@contextmanager
def noting() -> Iterator[set[str]]:
    """Collects the rules beyond the core that are used inside, as verdicts name them."""
    found: set[str] = set()
    token = _used.set(found)
    try:
        yield found
    finally:
        _used.reset(token)


def rely_on(rule: str) -> None:
    """Records that a rule beyond the core is used here, if a surrounding `noting` collects
    these.
    """
    found = _used.get()
    if found is not None:
        found.add(rule)


@contextmanager
def failing_closed(what: str = "certificate") -> Iterator[None]:
    """Whatever goes wrong inside becomes a Rejected, which names what is refused."""
    try:
        yield
    except (Undecided, Unsupported, BadInput) as reason:
        raise Rejected(f"a step needs what is not shown: {refusal_text(reason)}") from None
    except MALFORMED as reason:
        raise Rejected(f"the {what} is malformed ({type(reason).__name__}: {reason})") from None
