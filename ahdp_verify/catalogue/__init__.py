"""The catalogue: parametric constructors of published mechanisms, one file per family, with the
claims of one instance each.

`CATALOGUE` lists all entries in order, `entry` finds one by its name.  A constructor is an ordinary
function that returns a `Mechanism`.

>>> print(entry("count").mechanism.density)
exp(-abs(s - sum(alpha)))/2
>>> entry("counts")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: entry: the catalogue has no counts; it has count, count-ex-sum, count-half
"""

from __future__ import annotations

from difflib import get_close_matches

from ahdp_verify.catalogue import (
    discrete,
    exponential,
    frequency,
    functional,
    hdp_story,
    laplace,
    linear_query,
    mean,
    randomised_response,
    regression,
    sums,
)
from ahdp_verify.catalogue.entry import Entry, Expected
from ahdp_verify.kernel.errors import BadInput

__all__ = ("CATALOGUE", "Entry", "Expected", "entry")

CATALOGUE: tuple[Entry, ...] = (
    *laplace.ENTRIES,
    *linear_query.ENTRIES,
    *mean.ENTRIES,
    *frequency.ENTRIES,
    *regression.ENTRIES,
    *functional.ENTRIES,
    *randomised_response.ENTRIES,
    *hdp_story.ENTRIES,
    *sums.ENTRIES,
    *discrete.ENTRIES,
    *exponential.ENTRIES,
)


def entry(name: str) -> Entry:
    """The entry of that name; BadInput, with names that look like it, where there is none."""
    for found in CATALOGUE:
        if found.name == name:
            return found
    close = get_close_matches(name, [e.name for e in CATALOGUE], 3)
    raise BadInput(
        "entry",
        f"the catalogue has no {name}",
        f"it has {', '.join(close)}" if close else "ahdp-verify list prints all names",
    )
