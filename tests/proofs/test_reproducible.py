"""A record is byte for byte the same for every hash seed and in every run; `bench/reproducible.py`
goes through all stored files.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "paper/weighted-count",
    "paper/linear-regression-d-1",
)  # records of the second one did depend on it


def test_records_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    files = [str(ROOT / "proofs" / f"{name}.toml") for name in FILES]
    command = [
        sys.executable,
        str(ROOT / "bench" / "reproducible.py"),
        "--seeds",
        "2",
        "--seconds",
        "600",
        "--out",
        str(tmp_path),
        *files,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    records = sorted(path.name for path in (tmp_path / "0").glob("*.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(records) >= len(FILES)
    assert all(
        (tmp_path / "0" / name).read_bytes() == (tmp_path / "1" / name).read_bytes()
        for name in records
    )
