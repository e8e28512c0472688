"""The sweeps of the test suite with all of their instances: a table on stdout and in
build/sweeps.md; the exit code is 1 if a test fails.

The suite runs a few instances (tests/sweeps.py); here each file that has sweeps runs whole.

    python bench/sweeps.py [FILE...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
USES = ("from tests.sweeps import", "from hypothesis import", "pytest.mark.sweep(")


def files() -> Iterator[str]:
    """The test files with sweeps or random examples, below the root."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if any(line in path.read_text(encoding="utf-8") for line in USES):
            yield str(path.relative_to(ROOT))


def row(file: str, place: Path) -> tuple[int, int, float]:
    """Tests of the file, those that failed, and seconds."""
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={place}", file]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "SWEEP": "1"}, check=False)
    if done.returncode not in (0, 1):
        return 0, 1, 0.0
    suite = next(ElementTree.parse(place).iter("testsuite")).attrib
    wrong = int(suite["failures"]) + int(suite["errors"])
    return int(suite["tests"]), wrong, float(suite["time"])


def main() -> int:
    """The table, printed and written."""
    lines = ["| sweep | tests | failed | seconds |", "| --- | --- | --- | --- |"]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in sys.argv[1:] or files():
            tests, wrong, seconds = row(file, Path(folder, "report.xml"))
            failed += wrong
            lines.append(f"| {file} | {tests} | {wrong} | {seconds:.1f} |")
    text = "\n".join(lines)
    target = ROOT / "build" / "sweeps.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text(text + "\n", encoding="utf-8")
    print(text)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
