"""What the checker accepts, and how it refuses: everything fails closed.

>>> with failing_closed():
...     (1,)[2]
Traceback (most recent call last):
ahdp_verify.kernel.errors.Rejected: the certificate is malformed (IndexError: tuple index out of range)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.numbers.normal_form import sentence

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


@dataclass(frozen=True, slots=True)
class Shown:
    """What an accepted certificate shows.

    size     the claim on datasets of at most so many records; None for all inputs
    trusts   who was believed without a check: solvers, and files whose sizes were taken over
    beyond   the rules beyond the core of the checker that were used
    """

    size: int | None = None
    trusts: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()


@contextmanager
def failing_closed() -> Iterator[None]:
    """Whatever goes wrong inside is a Rejected."""
    try:
        yield
    except (Undecided, Unsupported, BadInput) as reason:
        raise Rejected(f"a step needs what is not shown: {sentence(reason)}") from None
    except MALFORMED as reason:
        raise Rejected(
            f"the certificate is malformed ({type(reason).__name__}: {reason})"
        ) from None
