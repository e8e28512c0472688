"""What a reader may rely on without reading everything: who imports whom, who owns what, and who
makes a verdict.

A rule is a function from a module (its name and its syntax tree) to the sentences that it has to
say against it; each rule is applied to every module that exists, and to a few lines that break it.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = "ahdp_verify"
ROOT = Path(__file__).resolve().parent.parent

# A module imports only from modules before it; "decide.*" is the whole folder, whose files may
# import each other but in no circle.
ORDER = (
    "start",
    "errors",
    "shape",
    "effort",
    "version",
    "extension",
    "exact",
    "printing",
    "expression",
    "tokens",
    "grammar",
    "jsonfile",
    "algebra",
    "ball",
    "context",
    "growth",
    "reading",
    "comparisons",
    "domain",
    "mechanism",
    "relation",
    "integrate",
    "certificate",
    "expsign",
    "proof",
    "event",
    "privacy",
    "composite",
    "explicit",
    "everywhere",
    "laws",
    "argument",
    "enumeration.*",
    "counterexample",
    "optimum",
    "guess",
    "scope",
    "influence",
    "scope_text",
    "verdict",
    "checker",
    "wording",
    "limits",
    "tables",
    "argumentfile",
    "sympy_bridge",
    "decide.*",
    "search",
    "examine",
    "proving",
    "bounds",
    "levels",
    "delta",
    "tighten",
    "ranges",
    "calibrate",
    "curve",
    "inputs",
    "likelihood",
    "antiderivative",
    "expectation",
    "infinite",
    "enclosure",
    "sums",
    "moments",
    "asymptotics",
    "tradeoff",
    "hypothesis_test",
    "threats",
    "graph",
    "closed_forms",
    "best",
    "power",
    "powertable",
    "storage",
    "explanation",
    "explain.*",
    "combine",
    "pipelines",
    "files",
    "numeric",
    "forms",
    "draws",
    "joint",
    "sampling",
    "replaying",
    "fit",
    "catalogue.*",
    "plots",
    "experiments.*",
    "testing",
    "pytest_plugin",
    "console",
    "commands",
    "power_command",
    "sample_command",
    "experiment_command",
    "statements.*",
    "report",
    "paper_command",
    "cli",
)
EXEMPT = ("__init__", "__main__")

# What must be believed.  The grammar is among it: what a text claims is what the grammar reads.
TRUSTED = (
    "errors",
    "shape",
    "effort",
    "version",
    "extension",
    "exact",
    "printing",
    "expression",
    "tokens",
    "grammar",
    "jsonfile",
    "algebra",
    "ball",
    "context",
    "growth",
    "reading",
    "comparisons",
    "domain",
    "mechanism",
    "relation",
    "integrate",
    "certificate",
    "expsign",
    "proof",
    "event",
    "privacy",
    "composite",
    "explicit",
    "everywhere",
    "laws",
    "argument",
    "enumeration.*",
    "counterexample",
    "optimum",
    "guess",
    "scope",
    "influence",
    "scope_text",
    "verdict",
    "checker",
)

# Library -> the only places that import it.  A library that is not here is imported by nobody.
OWNERS = {
    "flint": (
        "ball",
        "decide.isolate",
        "decide.functions",
        "decide.vertex",
    ),  # all but the first propose only, and are not believed
    "highspy": ("decide.highs",),
    "sympy": ("sympy_bridge", "decide.*"),
    "z3": ("decide.*",),
    "cvc5": ("decide.*",),
    "numpy": (
        "enumeration.arrays",
        "numeric",
        "plots",
        "decide.highs",
        "experiments.*",
    ),  # the first for exact whole numbers and rigorous filters, at the speed of arrays
    "scipy": ("fit",),
    "matplotlib": ("plots",),
    "latex2mathml": ("report",),
    "pytest": ("pytest_plugin",),
    "typer": ("cli",),
    "rich": ("console",),
}
EXTRAS = (
    "cvc5",
    "numpy",
    "highspy",
    "scipy",
    "matplotlib",
    "marimo",
    "pytest",
    "hypothesis",
)  # what the core works without
EXTRA_OWNERS = (
    "numeric",
    "forms",
    "draws",
    "joint",
    "sampling",
    "replaying",
    "fit",
    "plots",
    "experiments.*",
    "sample_command",
    "experiment_command",
    "testing",
    "pytest_plugin",
)

# A trusted file reads what it runs: these would let it run something else.
HIDDEN = frozenset({"eval", "exec", "compile", "__import__"})
LOADERS = frozenset(
    {"importlib", "runpy", "pickle", "marshal", "shelve", "ctypes", "subprocess", "multiprocessing"}
)
DECISIVE = frozenset({"Proved", "Refuted", "RefutedStatement"})


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the package: its name below the package ("decide.smt"; a folder's `__init__`
    has the folder's name) and its tree.
    """

    name: str
    tree: ast.Module

    @property
    def believed(self) -> bool:
        return belongs(self.name, TRUSTED)


def read_package() -> Iterator[Module]:
    """Every Python file of the package, the empty ones too."""
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)
        yield Module(name, ast.parse(path.read_text(encoding="utf-8"), str(path)))


Rule = Callable[[Module], Iterator[str]]
MODULES = tuple(read_package())
KNOWN = frozenset(module.name for module in MODULES)


def place(name: str) -> int | None:
    """The position of a module in `ORDER`, None when it has none."""
    group = f"{name.partition('.')[0]}.*"
    return ORDER.index(name) if name in ORDER else ORDER.index(group) if group in ORDER else None


def belongs(name: str, owners: tuple[str, ...]) -> bool:
    return name in owners or f"{name.partition('.')[0]}.*" in owners


def imports(module: Module) -> Iterator[str]:
    """The dotted names that a module imports, wherever in it; a relative import keeps its dots."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from (target(base, alias.name) for alias in node.names)


def target(base: str, name: str) -> str:
    """`from base import name` as one module: `name` itself where that is a module of the
    package, else `base`.
    """
    inside = f"{base}.{name}".removeprefix(f"{PACKAGE}.")
    is_module = inside in KNOWN or (base == PACKAGE and place(inside) is not None)
    return f"{base}.{name}" if base.partition(".")[0] == PACKAGE and is_module else base


def inner(module: Module) -> Iterator[str]:
    """The modules of the package that it imports; "__init__" is the package itself."""
    for name in imports(module):
        if name == PACKAGE:
            yield "__init__"
        elif name.startswith(f"{PACKAGE}."):
            yield name.removeprefix(f"{PACKAGE}.")


def outer(module: Module) -> Iterator[str]:
    """The libraries that it imports: neither the standard library nor the package."""
    for name in imports(module):
        root = name.partition(".")[0]
        if root and root != PACKAGE and root not in sys.stdlib_module_names:
            yield root


def upward(module: Module) -> Iterator[str]:
    """A module has a place in the order and imports only from places before it, by absolute
    names.
    """
    if module.name in EXEMPT:
        return
    if (own := place(module.name)) is None:
        yield f"{module.name} has no place in ORDER"
        return
    if any(name.startswith(".") for name in imports(module)):
        yield f"{module.name} has a relative import"
    for name in inner(module):
        other = place(name)
        same_folder = other == own and "." in ORDER[own]
        if other is None or other > own or (other == own and not same_folder):
            yield f"{module.name} imports {name}, which is not below it"


def strangers(module: Module) -> Iterator[str]:
    """A library is imported only by the files that own it."""
    for library in outer(module):
        if not belongs(module.name, OWNERS.get(library, ())):
            yield (
                f"{module.name} imports {library}, which "
                f"{' and '.join(OWNERS.get(library, ())) or 'nobody'} owns"
            )


def unbelieved(module: Module) -> Iterator[str]:
    """A trusted file imports only trusted files, loads nothing by name, and raises where another
    would assert.
    """
    if not module.believed:
        return
    yield from (
        f"{module.name} imports {name}, which is not trusted"
        for name in inner(module)
        if not belongs(name, TRUSTED)
    )
    yield from (
        f"{module.name} imports {name}"
        for name in imports(module)
        if name.partition(".")[0] in LOADERS
    )
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assert):
            yield f"{module.name}:{node.lineno} asserts, which python -O leaves out"
        elif isinstance(node, ast.Name) and node.id in HIDDEN:
            yield f"{module.name}:{node.lineno} uses {node.id}"


def makers(module: Module) -> Iterator[str]:
    """Only the checker makes a decisive verdict, and no other file renames one."""
    if module.name == "checker":
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and called(node.func) in DECISIVE:
            yield f"{module.name}:{node.lineno} makes a {called(node.func)}"
        elif isinstance(node, ast.ImportFrom):
            yield from (
                f"{module.name}:{node.lineno} renames {alias.name}"
                for alias in node.names
                if alias.name in DECISIVE and alias.asname
            )


def called(function: ast.expr) -> str:
    return (
        function.id
        if isinstance(function, ast.Name)
        else function.attr
        if isinstance(function, ast.Attribute)
        else ""
    )


@pytest.mark.parametrize("rule", [upward, strangers, unbelieved, makers])
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_every_module_keeps_every_rule(module: Module, rule: Rule) -> None:
    assert sorted(set(rule(module))) == []


def test_no_folder_imports_in_a_circle() -> None:
    graph = {
        module.name: KNOWN.intersection(inner(module)) - {module.name}
        for module in MODULES
        if module.name not in EXEMPT
    }
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"these import each other: {' -> '.join(error.args[1])}")


def test_the_lists_agree() -> None:
    assert len(set(ORDER)) == len(ORDER)
    assert [name for name in ORDER if name in TRUSTED] == list(TRUSTED)
    assert [owner for owners in OWNERS.values() for owner in owners if place(owner) is None] == []


def test_the_core_imports_without_any_extra() -> None:
    core = [
        PACKAGE,
        *(
            f"{PACKAGE}.{name}"
            for name in sorted(KNOWN)
            if not belongs(name, (*EXEMPT, *EXTRA_OWNERS))
        ),
    ]
    program = (
        f"import importlib, sys; sys.modules.update(dict.fromkeys({EXTRAS!r})); "
        f"[importlib.import_module(name) for name in {core!r}]"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("rule", "name", "source"),
    [
        (upward, "nowhere", ""),
        (upward, "errors", "from ahdp_verify.exact import rational"),
        (upward, "errors", "import ahdp_verify.cli"),
        (upward, "errors", "from ahdp_verify import cli"),
        (upward, "errors", "def f():\n    from ahdp_verify.cli import main"),
        (upward, "errors", "from ahdp_verify.errors import BadInput"),
        (upward, "cli", "from ahdp_verify import verify"),
        (upward, "cli", "import ahdp_verify"),
        (upward, "cli", "from ahdp_verify.nowhere import x"),
        (upward, "cli", "from . import errors"),
        (upward, "checker", "from ahdp_verify.decide import PROCEDURES"),
        (upward, "checker", "from ahdp_verify.decide.smt import ask"),
        (upward, "decide.smt", "from ahdp_verify.catalogue import CATALOGUE"),
        (strangers, "checker", "import sympy"),
        (strangers, "checker", "from z3.z3util import prove"),
        (strangers, "cli", "import numpy as np"),
        (strangers, "decide.linear", "import networkx"),
        (unbelieved, "checker", "assert True"),
        (unbelieved, "domain", "if x:\n    assert True"),
        (unbelieved, "checker", "from ahdp_verify.limits import Limits"),
        (unbelieved, "verdict", "import importlib.util"),
        (unbelieved, "verdict", "from pickle import loads"),
        (unbelieved, "verdict", "eval('1')"),
        (makers, "search", "Proved(claim)"),
        (makers, "verdict", "verdict.Refuted()"),
        (makers, "decide.smt", "from ahdp_verify.verdict import Proved as P"),
    ],
)
def test_every_rule_finds_what_breaks_it(rule: Rule, name: str, source: str) -> None:
    assert list(rule(Module(name, ast.parse(source))))


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "exact",
            "from __future__ import annotations\nimport re\nfrom ahdp_verify.errors import "
            "BadInput",
        ),
        ("ball", "import flint\nfrom ahdp_verify import exact"),
        ("checker", "from ahdp_verify.verdict import Proved\nProved(1)"),
        (
            "decide.smt",
            "import z3\nimport cvc5\nfrom ahdp_verify.decide.draft import f\nfrom "
            "ahdp_verify.checker import check",
        ),
        ("decide", "from ahdp_verify.decide import smt\nfrom ahdp_verify.decide.smt import ask"),
        ("search", "match v:\n    case Proved():\n        pass\nassert isinstance(v, Refuted)"),
        (
            "cli",
            "import typer\nfrom ahdp_verify.console import shielded\nfrom ahdp_verify.search "
            "import verify",
        ),
        ("__init__", "from ahdp_verify.search import verify"),
    ],
)
def test_no_rule_forbids_what_is_right(name: str, source: str) -> None:
    module = Module(name, ast.parse(source))
    assert [
        sentence for rule in (upward, strangers, unbelieved, makers) for sentence in rule(module)
    ] == []
