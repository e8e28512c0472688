"""All stored claims and all stored records: the time of proofs, of the package's re-check, and of the
second checker.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from row import Row

from ahdp_verify.files import records as storage
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.search import resources
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

ROOT = Path(__file__).resolve().parent.parent
EVERY = int(os.environ.get("EVERY", "1"))  # of so many files, one is taken


def seconds_of_claims() -> list[float]:
    """The processor time of each claim of the stored files."""
    found = []
    slow = {ROOT / "proofs" / name for name in (ROOT / "proofs" / "slow.txt").read_text().split()}
    for path in sorted((ROOT / "proofs").glob("*/*.toml"))[::EVERY]:
        file = load(path)
        if isinstance(file, ArgumentFile) or path in slow:
            continue
        for claim in file.claims:
            start = resources.processor_time()
            with suppress(BadInput):
                verify(claim, Limits(seconds=60))
            found.append(resources.processor_time() - start)
    return found


def rows() -> Iterator[Row]:
    """Claims, then records."""
    taken = sorted(seconds_of_claims())
    number = len(taken)
    what = f"{number} stored claims"
    yield Row(f"{what}: total", "", sum(taken))
    yield Row(f"{what}: median", "", statistics.median(taken), aim="0.02")
    yield Row(f"{what}: nine of ten take at most", "", taken[number * 9 // 10], aim="0.15")
    yield Row(f"{what}: longest", "", taken[-1], aim="2")
    records = sorted((ROOT / "proofs").glob("*/certificates/*.json"))[::EVERY]
    start = resources.processor_time()
    for path in records:
        storage.recheck(path)
    ours = resources.processor_time() - start
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, ROOT / "proofs" / "recheck", *records],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    second = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    yield Row(f"{len(records)} records checked again", "", ours, aim="8")
    yield Row(f"{len(records)} records checked by proofs/recheck", "", second, aim="30")
