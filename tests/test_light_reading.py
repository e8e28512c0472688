"""Reading a file starts no search: no prover, no solver, no SymPy and no NumPy is loaded, not even
when a public name, and with it every other, is used for it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "proofs" / "paper"
PROGRAM = """
import sys
from ahdp_verify.files import records
from ahdp_verify.files.load import load
for path in sys.argv[1:]:
    print(records.read_saved_record(path).claim if path.endswith(".json") else load(path).claims[0])
searching = [f"ahdp_verify.search.{name}" for name in ("proving", "refuting", "solvers", "loss")]
libraries = ["sympy", "z3", "cvc5", "numpy", "scipy", "matplotlib"]
found = [m for m in sys.modules if m.split(".")[0] in libraries or m.startswith(tuple(searching))]
print(found)
"""


@pytest.mark.parametrize(
    "path",
    [
        "weighted-count.toml",
        "three-stages-third-stage-not-paid-for.toml",
        "certificates/weighted-count-1.json",
    ],
)
def test_reading_loads_nothing_that_searches(path: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(PAPER / path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    said, _, found = done.stdout.rstrip().rpartition("\n")
    assert " is " in said and found == "[]"


def test_the_public_names_load_no_heavy_library_for_reading() -> None:
    program = (
        "import sys; from ahdp_verify import load; load(sys.argv[1]); "
        "print([m for m in ('sympy', 'z3', 'cvc5', 'numpy', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(PAPER / "three-stages-third-stage-not-paid-for.toml")],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout == "[]\n"
