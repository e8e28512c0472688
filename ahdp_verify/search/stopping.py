"""How a search ends without an answer: at a limit, or at a fact that is not known, always with a
reason.

>>> reasons: list[Declined] = []
>>> with stop_at_limits(reasons):
...     raise Unsupported("a label is not a number")
>>> reasons[0].reason
'a label is not a number'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.numbers.normal_form import refusal_text
from ahdp_verify.search.limits import OutOfLimits

NO_MEMORY = (
    "stopped because the system gave no more memory; allow more, or give --megabytes a "
    "smaller value to learn which step needs it"
)
TOO_DEEP = "stopped because an expression became nested too deeply; write it in fewer steps"


@contextmanager
def stop_at_limits(reasons: list[Declined]) -> Iterator[None]:
    """A limit that is reached, or a fact that is not known, ends the block; the reason is added to
    the reasons.
    """
    try:
        yield
    except OutOfLimits as stop:
        reasons.append(Declined("limits", stop.reason))
    except MemoryError:
        reasons.append(Declined("limits", NO_MEMORY))
    except RecursionError:
        reasons.append(Declined("limits", TOO_DEEP))
    except (
        Undecided,
        Unsupported,
    ) as why:  # the claim itself depends on a fact that is not known
        reasons.append(Declined("claim", refusal_text(why)))
