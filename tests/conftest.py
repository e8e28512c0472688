"""Hypothesis profiles: the same examples on every run, with no deadline, since a loaded machine is
no failure.

`HYPOTHESIS_PROFILE=search pytest tests` draws ten times as many, other ones on each run.
"""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import settings

from ahdp_verify.kernel.terms import expression

settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


# Where == between expressions means what it means to users.  The other test modules look at trees
# from inside, as the package's own
# modules do, so there it asks for the same tree.
OUTSIDE = (
    "argument",
    "comparisons",
    "composite",
    "context",
    "domain",
    "expression",
    "files",
    "grammar",
    "hypothesis_test",
    "init",
    "mechanism",
    "notebooks",
    "pipelines",
    "printing",
    "privacy",
    "reading",
    "readme",
    "relation",
    "sympy_bridge",
)
STEMS = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
INSIDE = [
    stem if stem.startswith("test_") else f"tests.{stem}"
    for stem in STEMS
    if stem.removeprefix("test_") not in OUTSIDE
]
expression.OWN = ("ahdp_verify.", *INSIDE)
