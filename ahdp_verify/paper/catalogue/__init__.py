"""The mechanisms of the paper that nobody else has, as entries of a catalogue: means and frequencies
by two weights, linear regression, and what section 2.4 tells against public demands.

`PAPER_CATALOGUE` lists them in order; `ahdp_verify.catalogue` has what is of use beyond the paper.

>>> from ahdp_verify.catalogue import find_entry
>>> print(find_entry("swap-dp-limit", PAPER_CATALOGUE).source)
ex:swap-dp, 0 in place of 1
"""

from __future__ import annotations

from ahdp_verify.catalogue import Entry
from ahdp_verify.paper.catalogue import frequency, hdp_story, mean, regression

__all__ = ("PAPER_CATALOGUE",)

PAPER_CATALOGUE: tuple[Entry, ...] = (
    *mean.ENTRIES,
    *frequency.ENTRIES,
    *regression.ENTRIES,
    *hdp_story.ENTRIES,
)
