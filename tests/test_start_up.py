"""What the command loads before it answers: --help almost nothing, and a command only what it uses.

A test that loads nothing slow stands for a test of the time, which depends on the machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import sys
from ahdp_verify.cli.app import main
sys.argv[0] = "ahdp-verify"
try:
    main()
except SystemExit as end:
    print(*sys.modules, file=sys.stderr)
    sys.exit(end.code)
"""
# libraries, parts of the standard library and packages that take long to load
EXTRAS = ("sympy", "numpy", "z3", "cvc5", "scipy", "matplotlib", "highspy", "latex2mathml")
NEVER = (
    *EXTRAS,
    "rich",
    "multiprocessing",
    "concurrent.futures",
    "ctypes",
    "ahdp_verify.public",
)
LIGHT = {
    "ahdp_verify.kernel.effort",
    "ahdp_verify.kernel.errors",
    "ahdp_verify.kernel.terms",
    "ahdp_verify.kernel.terms.printing",
    "ahdp_verify.search.limits",
    "ahdp_verify.search.resources",
}
OTHER_COMMANDS = (
    "analysis",
    "catalogue",
    "display.kernel_repr",
    "display.markup",
    "display.notebook",
    "explanation",
    "paper",
    "plots",
    "sampling",
    "testing",
)


def loaded(*words: str) -> set[str]:
    """The modules that the command has loaded at its end."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0 and done.stdout, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def below(found: set[str], packages: tuple[str, ...]) -> list[str]:
    """Those of the modules that are one of the packages or lie in it."""
    return sorted(m for m in found if any(f"{m}.".startswith(f"{name}.") for name in packages))


@pytest.mark.parametrize(
    "words", [["--help"], ["verify", "--help"], ["paper", "--help"]], ids=" ".join
)
def test_help_loads_nothing_that_answers(words: list[str]) -> None:
    found = loaded(*words)
    own = {m for m in found if m.count(".") > 1 and m.startswith("ahdp_verify.")}
    assert {m for m in own if not m.startswith("ahdp_verify.cli.")} == LIGHT
    assert below(found, (*NEVER, "flint", "tomllib", "logging")) == []


def test_the_version_loads_nothing_that_answers() -> None:
    assert below(loaded("--version"), ("flint", *NEVER)) == []


def test_one_claim_loads_only_what_decides_it() -> None:
    found = loaded("verify", "proofs/paper/weighted-count.toml:as stated")
    assert "ahdp_verify.search.verify" in found
    assert below(found, NEVER) == []
    assert below(found, tuple(f"ahdp_verify.{name}" for name in OTHER_COMMANDS)) == []
    exhaustive = below(found, ("ahdp_verify.kernel.exhaustive",))
    assert exhaustive == [
        "ahdp_verify.kernel.exhaustive",
        "ahdp_verify.kernel.exhaustive.violation",
    ]


def test_checking_again_loads_no_search() -> None:
    found = loaded("recheck", "proofs/paper/certificates/weighted-count-1.json")
    searching = ("proving", "refuting", "loss", "solvers", "verify", "compose")
    assert below(found, tuple(f"ahdp_verify.search.{name}" for name in searching)) == []
    assert below(found, NEVER) == []
