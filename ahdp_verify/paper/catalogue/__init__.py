"""The mechanisms that are specific to the paper, as entries of a catalogue: means and frequencies
by two weights, linear regression, and the arguments of section 2.4 against public demands.

`PAPER_CATALOGUE` lists them in order; `ahdp_verify.catalogue` has the mechanisms of wider use.

>>> from ahdp_verify.catalogue import find_entry
>>> print(find_entry("swap-dp-limit", PAPER_CATALOGUE).source)
ex:swap-dp, 0 in place of 1
"""

from __future__ import annotations

from ahdp_verify.catalogue import MechanismEntry
from ahdp_verify.paper.catalogue import frequency, hdp_story, mean, regression

__all__ = ("PAPER_CATALOGUE",)

PAPER_CATALOGUE: tuple[MechanismEntry, ...] = (
    *mean.ENTRIES,
    *frequency.ENTRIES,
    *regression.ENTRIES,
    *hdp_story.ENTRIES,
)
