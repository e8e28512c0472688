"""The top-level package: every public name can be imported, and none of them loads a heavy
library.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ahdp_verify
from ahdp_verify.kernel.terms.expression import Expression

ROOT = Path(__file__).resolve().parents[1]
# seconds of processor time for the whole import; 0.3 when measured, and a loaded machine is not
# a failure
FAST = 2.0
HEAVY = ("sympy", "z3", "cvc5", "numpy", "scipy", "matplotlib", "rich", "typer")
PROMISED = (
    "Domain",
    "Multiset",
    "Record",
    "distance",
    "Queries",
    "Values",
    "real",
    "integer",
    "finite",
    "Mechanism",
    "ahdp",
    "hdp",
    "dp",
    "verify",
    "recheck",
    "tighten",
    "delta",
    "Limits",
    "Proved",
    "Refuted",
    "Unknown",
    "exp",
    "log",
    "Abs",
    "Max",
    "Min",
    "clip",
    "sqrt",
    "sign",
    "floor",
    "binomial",
    "piecewise",
    "indicator",
    "eq",
    "ne",
    "oo",
    "pi",
    "name",
    "load",
    "explain",
    "sample",
    "simulate",
    "draw_tradeoff",
    "holds",
)


def run(program: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("key", sorted({*PROMISED, *ahdp_verify.__all__}))
def test_every_name_opens(key: str) -> None:
    assert key in ahdp_verify.__all__ and key in dir(ahdp_verify)
    found = getattr(ahdp_verify, key)
    assert not isinstance(found, ModuleType)
    assert callable(found) or isinstance(found, Expression) or hasattr(found, "__args__")


def test_all_of_them_at_once() -> None:
    names: dict[str, object] = {}
    exec("from ahdp_verify import *", names)
    assert set(ahdp_verify.__all__) <= set(names)
    assert list(ahdp_verify.__all__) == sorted(set(ahdp_verify.__all__))


def test_another_name_is_missing_in_the_usual_way() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        ahdp_verify.nothing  # noqa: B018
    assert not hasattr(ahdp_verify, "nothing")


def test_a_function_is_not_hidden_by_the_package_of_its_name() -> None:
    program = (
        "import ahdp_verify.explanation.teller, ahdp_verify.analysis.power.best; "
        "from ahdp_verify import explain, power; print(callable(explain), callable(power))"
    )
    assert run(program) == "True True\n"


@pytest.mark.parametrize("package", ["analysis.moments", "analysis.testing", "analysis.power"])
def test_what_a_package_lists_is_there(package: str) -> None:
    module = importlib.import_module(f"ahdp_verify.{package}")
    assert list(module.__all__) == sorted(set(module.__all__))
    assert all(callable(getattr(module, key)) for key in module.__all__)


def test_importing_is_fast_and_loads_no_solver() -> None:
    program = (
        "import sys, time; a = time.process_time(); import ahdp_verify; "
        "print(time.process_time() - a, "
    )
    program += f"[m for m in {HEAVY!r} if m in sys.modules])"
    seconds, _, loaded = run(program).partition(" ")
    assert loaded == "[]\n" and float(seconds) < FAST
