"""All stored claims and all stored records: the time of proofs, of the package's re-check, and of
the second checker.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from row import Row

from ahdp_verify.files import records as storage
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.refuted import Refuted, RefutedInequality, RefutedProgram
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search import resources
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

ROOT = Path(__file__).resolve().parent.parent
LONG = 0.5  # seconds of a search from which its re-check is compared with it
EVERY = int(os.environ.get("EVERY", "1"))  # of so many files, one is taken


@dataclass(frozen=True, slots=True)
class Taken:
    """The seconds of a search, and of the re-check of what it found; None where it found
    nothing.
    """

    search: float
    recheck: float | None


def seconds_of_claims() -> list[Taken]:
    """The processor time of each claim of the stored files, the slow ones included."""
    found = []
    with TemporaryDirectory() as folder:
        record = Path(folder, "record.json")
        for path in sorted((ROOT / "proofs").glob("*/*.toml"))[::EVERY]:
            file = load(path)
            for claim in () if isinstance(file, ArgumentFile) else file.claims:
                start, verdict = resources.processor_time(), None
                with suppress(BadInput):
                    verdict = verify(claim, Limits(seconds=60))
                search, again = resources.processor_time() - start, None
                if isinstance(verdict, Proved | Refuted | RefutedProgram | RefutedInequality):
                    verdict.save(record)
                    start = resources.processor_time()
                    storage.recheck(record)
                    again = resources.processor_time() - start
                found.append(Taken(search, again))
    return found


def rows() -> Iterator[Row]:
    """Claims, then records; these are checked first, before the claims fill tables and memory."""
    records = sorted((ROOT / "proofs").glob("*/certificates/*.json"))[::EVERY]
    start = resources.processor_time()
    for path in records:
        storage.recheck(path)
    ours = resources.processor_time() - start
    found = seconds_of_claims()
    taken, number = sorted(t.search for t in found), len(found)
    what = f"{number} stored claims"
    yield Row(f"{what}: total", "", sum(taken))
    yield Row(f"{what}: median", "", statistics.median(taken), aim="0.02")
    yield Row(f"{what}: nine of ten take at most", "", taken[number * 9 // 10], aim="0.15")
    yield Row(f"{what}: longest", "", taken[-1], aim="2")
    shares = sorted(t.recheck / t.search for t in found if t.recheck and t.search > LONG)
    if shares:
        said = f"re-check over search, nine of ten of the {len(shares)} over {LONG} s"
        yield Row(said, "", shares[len(shares) * 9 // 10], aim="0.1")
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
