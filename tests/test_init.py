"""The package's front door: every promised name opens, and opening it loads no more than is
needed.
"""

from __future__ import annotations

import ast
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
# seconds of processor time for the whole import; 0.12 when measured, and a loaded machine is no
# failure
FAST = 0.5
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
    "from_sympy",
    "to_sympy",
    "load",
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


def test_a_function_is_not_hidden_by_the_module_of_its_name() -> None:
    keys = [key for key in sorted(ahdp_verify.LATER) if ahdp_verify.LATER[key] == key]
    for key in keys:
        importlib.import_module(f"ahdp_verify.{key}")
    program = "".join(
        f"import ahdp_verify.{key}; from ahdp_verify import {key}; print(callable({key})); "
        for key in keys
    )
    assert run(program) == "True\n" * len(keys)


def test_type_checkers_see_what_is_loaded_later() -> None:
    tree = ast.parse((ROOT / "ahdp_verify" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {key: f"ahdp_verify.{module}" for key, module in ahdp_verify.LATER.items()}


def test_importing_is_fast_and_loads_no_solver() -> None:
    program = (
        "import sys, time; a = time.process_time(); import ahdp_verify; "
        "print(time.process_time() - a, "
    )
    program += f"[m for m in {HEAVY!r} if m in sys.modules])"
    seconds, _, loaded = run(program).partition(" ")
    assert loaded == "[]\n" and float(seconds) < FAST
