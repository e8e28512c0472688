"""The top-level package: every public name can be imported, and none of them loads a heavy
library.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ahdp_verify
from ahdp_verify.kernel.terms.expression import Expression

ROOT = Path(__file__).resolve().parents[1]
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


def test_the_package_alone_loads_only_the_handling_of_signals() -> None:
    program = (
        "import sys, ahdp_verify; hasattr(ahdp_verify, '__wrapped__'), hasattr(ahdp_verify, '_x'); "
        "print(sorted(m for m in sys.modules if m.startswith('ahdp_verify')))"
    )
    assert run(program) == "['ahdp_verify', 'ahdp_verify.start']\n"


EVERY_MODULE = """
import pkgutil, importlib, ahdp_verify
from ahdp_verify.kernel.errors import Missing
for module in pkgutil.walk_packages(ahdp_verify.__path__, "ahdp_verify.", onerror=lambda name: None):
    try:
        importlib.import_module(module.name)
    except (ImportError, Missing):  # it needs an extra
        pass
"""


@pytest.mark.parametrize("first", ["import ahdp_verify.cli.app", EVERY_MODULE], ids=["cli", "all"])
def test_no_public_name_is_hidden_by_a_module_that_was_imported_before(first: str) -> None:
    program = (
        f"{first}\nfrom ahdp_verify import explain, power\nimport ahdp_verify\n"
        "print(explain.__name__, power.__name__, [key for key in ahdp_verify.__all__ "
        "if type(getattr(ahdp_verify, key)).__name__ == 'module'])"
    )
    assert run(program) == "explain power []\n"


def test_no_public_name_is_that_of_a_module() -> None:
    modules = {module.name for module in pkgutil.iter_modules(ahdp_verify.__path__)}
    assert "explanation" in modules and not modules & set(ahdp_verify.__all__)


def test_one_public_name_brings_the_display_in_notebooks() -> None:
    program = "from ahdp_verify import name; print((name('x') / 2)._repr_latex_())"
    assert run(program) == "$\\frac{x}{2}$\n"


def test_pickling_and_help() -> None:
    program = (
        "import pickle, ahdp_verify; found = pickle.loads(pickle.dumps(ahdp_verify.verify)); "
        "print(found is ahdp_verify.verify); import pydoc; "
        "print('class Mechanism(' in pydoc.render_doc(ahdp_verify, renderer=pydoc.plaintext))"
    )
    assert run(program) == "True\nTrue\n"


@pytest.mark.parametrize("package", ["analysis.moments", "analysis.testing", "analysis.power"])
def test_what_a_package_lists_is_there(package: str) -> None:
    module = importlib.import_module(f"ahdp_verify.{package}")
    assert list(module.__all__) == sorted(set(module.__all__))
    assert all(callable(getattr(module, key)) for key in module.__all__)


def test_the_public_names_load_no_heavy_library() -> None:
    program = "import sys; from ahdp_verify import verify; "
    assert run(program + f"print([m for m in {HEAVY!r} if m in sys.modules])") == "[]\n"
