"""The largest overrun of a limit of one second, over all stored claims and inputs that once hung.

The time is processor time, including solvers; reading a file has its own limit.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from row import Row

from ahdp_verify.files import records as storage
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, OutOfLimits, Rejected
from ahdp_verify.search import resources
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.verify import verify
from tests.earlier_formats import in_this_format

ROOT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("AHDP_CORPUS", ROOT.parent / "shared" / "corpus")) / "robust"
ALLOWED = Limits(seconds=1)
MOST = 1.1 + 1  # a tenth and one second more than the limit


def taken(path: Path) -> Iterator[tuple[str, float]]:
    """Each action on a file, with the seconds that it took."""
    start = resources.processor_time()
    try:
        if path.suffix == ".json":
            storage.recheck(path, limits=ALLOWED)
            return
        with enforce_limits(ALLOWED, "reading the file"):
            file = load(path)
    except (BadInput, NotWorkedOut, Rejected, OutOfLimits):
        return
    finally:
        yield f"{path.name}, reading", resources.processor_time() - start
    for i, claim in enumerate(() if isinstance(file, ArgumentFile) else file.claims, 1):
        start = resources.processor_time()
        with suppress(BadInput, NotWorkedOut):
            verify(claim, ALLOWED)
        yield f"{path.name}, claim {i}", resources.processor_time() - start


def once_hung(folder: Path) -> list[Path]:
    """The shared inputs that once hung, in the format of today."""
    return [
        in_this_format(path, folder) if path.suffix == ".toml" else path
        for path in sorted(CORPUS.glob("*.*"))
    ]


def rows() -> Iterator[Row]:
    """The longest time of all actions on the stored files, and on the inputs that once hung."""
    with tempfile.TemporaryDirectory() as folder:
        for what, listed in (
            ("stored files", sorted((ROOT / "proofs").rglob("[!.]*.toml"))),
            ("inputs that once hung", once_hung(Path(folder))),
        ):
            found = [
                pair for path in listed if path.suffix in (".toml", ".json") for pair in taken(path)
            ]
            if found:
                name, longest = max(found, key=lambda pair: pair[1])
                over = sum(seconds > MOST for _, seconds in found)
                yield Row(
                    f"longest of {len(found)} actions at --seconds 1, {what}",
                    f"{name}; {over} over {MOST}",
                    longest,
                    aim=str(MOST),
                )


if __name__ == "__main__":
    for row in rows():
        print(f"{row.work}: {row.ours:.2f} s, {row.answer}", flush=True)
