"""What a user waits for at the command line: start-up, one claim, and many files with one process
and with two.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from row import Row

ROOT = Path(__file__).resolve().parent.parent
ONE_CLAIM = "proofs/paper/linear-query-universal.toml:W-AHDP"
MANY = ("proofs/public", "proofs/field")
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def seconds_of(*words: str) -> float:
    """The processor time of a command, which has to succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median_of(*words: str) -> float:
    """The median of a few runs."""
    return sorted(seconds_of(*words) for _ in range(5))[2]


def elapsed(*words: str) -> float:
    """The time on the clock that a command takes."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=False
    )
    return time.perf_counter() - start


def rows() -> Iterator[Row]:
    """Processor time, but for the last row, which is about time on the clock."""
    plain = median_of("this")  # a module of one page
    yield Row(
        "ahdp-verify --help", "", median_of("ahdp_verify", "--help"), "Python alone", plain, "0.2"
    )
    one = median_of("ahdp_verify", "verify", ONE_CLAIM)
    yield Row("verify, one claim of a file", "", one, "Python alone", plain, "0.4")
    first, second = (
        elapsed("ahdp_verify", "verify", *MANY, "--seconds", "10", "--workers", n) for n in "21"
    )
    what = f"verify {' '.join(MANY)} with two processes, on the clock"
    yield Row(what, "", first, "one process", second, "0.6 x")
