"""Hypothesis profiles: the same examples on every run, with no deadline, since a loaded machine is no failure.

`HYPOTHESIS_PROFILE=search pytest tests` draws ten times as many, other ones on each run.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
