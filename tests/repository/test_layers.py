"""What a reader may rely on without reading everything: who imports whom, who owns what, and who
makes a verdict.

A rule is a function from a module (its name and its syntax tree) to the sentences that it has to
say against it; each rule is applied to every module that exists, and to a few lines that break it.
"""

from __future__ import annotations

import ast
import functools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
)
from ahdp_verify.kernel.verdict import Proved
from tests.sources import nodes, trees

PACKAGE = "ahdp_verify"
ROOT = Path(__file__).resolve().parents[2]

# The rule: a package imports only packages of a lower floor, and nothing from its own floor but
# itself.  Inside the kernel the same holds of its folders.
FLOORS = (
    ("start",),
    ("kernel",),
    ("canonical_json", "constants", "datasets", "decimals", "steps", "sympy_trees"),
    ("verdicts",),
    ("programs",),
    ("display", "sympy_bridge", "laws"),
    ("search",),
    ("analysis", "files", "workers"),
    ("catalogue", "sampling", "explanation", "plots"),
    ("auditing", "reporting"),
    ("testing", "paper", "classroom"),
    ("cli",),
)
KERNEL_FLOORS = (
    ("errors", "version", "effort"),
    ("terms",),
    ("numbers",),
    ("model",),
    ("evidence",),
    ("rules",),
    ("exhaustive",),
    ("record",),
    ("verdict",),
    ("refuted",),
    ("checker",),
)
EXEMPT = ("__init__", "__main__", "public")
# What is written as a user would write it: the only packages that import the public names.
USERS = ("paper",)

# Library -> the only places that import it.  A library that is not here is imported by nobody.
OWNERS = {
    "flint": (
        "decimals",
        "kernel.numbers",
        "kernel.rules.chance",
        "kernel.rules.exponential_sign",
        "search.proving",
        "search.loss",
        "analysis.power",
    ),
    "highspy": ("search.solvers.highs",),
    "sympy": ("sympy_bridge", "search.loss.radicals"),
    "z3": ("search.proving.products", "search.solvers"),
    "cvc5": ("search.solvers",),
    "numpy": (
        "kernel.exhaustive.arrays",
        "programs.numbers",
        "sampling.floats",
        "plots",
        "analysis.power.highs",
        "search.solvers.highs",
        "paper.experiments",
    ),
    "scipy": ("sampling.goodness_of_fit", "sampling.inversion"),
    "matplotlib": ("plots",),
    "latex2mathml": ("display.formulas",),
    "distributed": ("workers",),
    "pytest": ("testing.pytest_plugin",),
    "typer": ("cli",),
    "rich": ("cli.console",),
}
EXTRAS = (
    "cvc5",
    "distributed",
    "numpy",
    "highspy",
    "scipy",
    "matplotlib",
    "marimo",
    "pytest",
    "hypothesis",
)  # what the core works without
EXTRA_OWNERS = (
    "sampling",
    "auditing",
    "plots",
    "testing",
    "paper.experiments",
)

# A trusted file reads what it runs: these would let it run something else.
HIDDEN = frozenset({"eval", "exec", "compile", "__import__"})
LOADERS = frozenset(
    {"importlib", "runpy", "pickle", "marshal", "shelve", "ctypes", "subprocess", "multiprocessing"}
)
DECISIVE = frozenset(
    kind.__name__
    for kind in (
        Proved,
        Refuted,
        RefutedProgram,
        RefutedInequality,
        RefutedNotion,
        RefutedApplied,
    )
)


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the package: its name below the package ("decide.smt"; a folder's `__init__`
    has the folder's name) and its tree.
    """

    name: str
    tree: ast.Module

    @property
    def believed(self) -> bool:
        return belongs(self.name, ("kernel",))


def named(path: Path) -> str:
    """The name of the module of a file."""
    parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


Rule = Callable[[Module], Iterator[str]]
FILES = sorted((ROOT / PACKAGE).rglob("*.py"))
KNOWN = frozenset(map(named, FILES))


@functools.cache
def modules() -> tuple[Module, ...]:
    """Every Python file of the package, the empty ones too; read by the first test that asks."""
    return tuple(Module(named(path), tree) for path, tree in trees().items())


def floor(name: str, floors: tuple[tuple[str, ...], ...] = FLOORS) -> int | None:
    """The floor on which a module's package stands, None when it stands on none."""
    first = name.partition(".")[0]
    return next((i for i, packages in enumerate(floors) if first in packages), None)


def belongs(name: str, owners: tuple[str, ...]) -> bool:
    """Whether a module is one of the owners, or lies in a folder that is."""
    return any(name == owner or name.startswith(f"{owner}.") for owner in owners)


def imports(module: Module) -> Iterator[str]:
    """The dotted names that a module imports, wherever in it; a relative import keeps its dots."""
    for node in nodes(module.tree):
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
    is_module = inside in KNOWN or (base == PACKAGE and floor(inside) is not None)
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
    """A module imports only from packages below its own, or from its own, by absolute names."""
    if module.name in EXEMPT:
        return
    if any(name.startswith(".") for name in imports(module)):
        yield f"{module.name} has a relative import"
    for name in inner(module):
        if name == "__init__" and belongs(module.name, USERS):
            continue
        if not below(name, module.name, FLOORS):
            yield f"{module.name} imports {name}, which is not below it"
        inside, of = (n.removeprefix("kernel.") for n in (name, module.name))
        both = inside != name and of != module.name
        if both and not below(inside, of, KERNEL_FLOORS):
            yield f"{module.name} imports {name}, which is not below it in the kernel"


def private(module: Module) -> Iterator[str]:
    """What is written as a user would write it imports public names only: those in `__all__` of
    the package, or of a package or a module directly below it.
    """
    if not belongs(module.name, USERS):
        return
    own = module.name.partition(".")[0]
    for node in nodes(module.tree):
        if isinstance(node, ast.Import):
            yield from (
                f"{module.name} imports {alias.name} whole"
                for alias in node.names
                if alias.name.partition(".")[0] == PACKAGE
            )
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(PACKAGE):
            continue
        inside = (node.module or "").removeprefix(PACKAGE).removeprefix(".")
        if belongs(inside, (own,)):
            continue
        public = public_names()
        shown = public.get(inside or "__init__", frozenset())
        yield from (
            f"{module.name} imports {alias.name} from {inside or PACKAGE}, where it is not public"
            for alias in node.names
            if alias.name not in shown and (inside or alias.name not in public)
        )


@functools.cache
def public_names() -> dict[str, frozenset[str]]:
    """`__all__` of every package, and of every module directly below this one."""
    names = {
        module.name: frozenset(ast.literal_eval(node.value))
        for module in modules()
        if "." not in module.name or (ROOT / PACKAGE / module.name.replace(".", "/")).is_dir()
        for node in module.tree.body
        if isinstance(node, ast.Assign)
        and [t.id for t in node.targets if isinstance(t, ast.Name)] == ["__all__"]
    }
    names["__init__"] = names.pop("public")  # the package shows the names that this module collects
    return names


def below(name: str, of: str, floors: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a module may be imported by another: from the same package, or from a lower floor."""
    here, there = floor(of, floors), floor(name, floors)
    same = name.partition(".")[0] == of.partition(".")[0]
    return here is not None and there is not None and (same or there < here)


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
        if not belongs(name, ("kernel",))
    )
    yield from (
        f"{module.name} imports {name}"
        for name in imports(module)
        if name.partition(".")[0] in LOADERS
    )
    for node in nodes(module.tree):
        if isinstance(node, ast.Assert):
            yield f"{module.name}:{node.lineno} asserts, which python -O leaves out"
        elif isinstance(node, ast.Name) and node.id in HIDDEN:
            yield f"{module.name}:{node.lineno} uses {node.id}"


def makers(module: Module) -> Iterator[str]:
    """Only the checker makes a decisive verdict, and no other file renames one."""
    if module.name == "kernel.checker":
        return
    for node in nodes(module.tree):
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


@pytest.mark.parametrize("rule", [upward, private, strangers, unbelieved, makers])
def test_every_module_keeps_every_rule(rule: Rule) -> None:
    assert sorted({sentence for module in modules() for sentence in rule(module)}) == []


def test_the_checker_makes_every_decisive_verdict() -> None:
    """So `makers` looks for what there is to be made."""
    checker = next(module for module in modules() if module.name == "kernel.checker")
    made = {called(n.func) for n in nodes(checker.tree) if isinstance(n, ast.Call)}
    assert made >= DECISIVE


def test_no_folder_imports_in_a_circle() -> None:
    graph = {
        module.name: KNOWN.intersection(inner(module)) - {module.name}
        for module in modules()
        if module.name not in EXEMPT
    }
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"these import each other: {' -> '.join(error.args[1])}")


def test_every_package_has_a_floor_and_every_owner_is_there() -> None:
    assert [name for name in KNOWN if name not in EXEMPT and floor(name) is None] == []
    inside = (name.removeprefix("kernel.") for name in KNOWN if name.startswith("kernel."))
    assert [name for name in inside if floor(name, KERNEL_FLOORS) is None] == []
    owners = (owner for listed in OWNERS.values() for owner in listed)
    assert [owner for owner in owners if owner not in KNOWN] == []


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
        (upward, "nowhere", "from ahdp_verify.kernel.errors import BadInput"),
        (upward, "kernel.errors", "from ahdp_verify.kernel.terms.exact import rational"),
        (upward, "kernel.errors", "import ahdp_verify.cli.app"),
        (upward, "kernel.errors", "from ahdp_verify import cli"),
        (upward, "kernel.errors", "def f():\n    from ahdp_verify.cli.app import main"),
        (upward, "kernel.model.claim", "from ahdp_verify.kernel.rules.obligations import Task"),
        (upward, "cli.app", "from ahdp_verify import verify"),
        (upward, "cli.app", "import ahdp_verify"),
        (upward, "cli.app", "from ahdp_verify.nowhere import x"),
        (upward, "cli.app", "from . import errors"),
        (upward, "files.load", "from ahdp_verify.analysis.levels.tighten import tighten"),
        (upward, "kernel.checker", "from ahdp_verify.search.proving import PROCEDURES"),
        (upward, "kernel.checker", "from ahdp_verify.search.solvers.smt import ask"),
        (upward, "search.solvers.smt", "from ahdp_verify.catalogue import CATALOGUE"),
        (upward, "testing.assertions", "from ahdp_verify import verify"),
        (private, "paper.page", "import ahdp_verify.plots"),
        (private, "paper.page", "from ahdp_verify import give"),
        (private, "paper.page", "from ahdp_verify.search.verify import verify"),
        (private, "paper.page", "from ahdp_verify.analysis.moments.moments import mean"),
        (private, "paper.page", "from ahdp_verify.analysis.moments import Place"),
        (strangers, "kernel.checker", "import sympy"),
        (strangers, "kernel.checker", "from z3.z3util import prove"),
        (strangers, "cli.app", "import numpy as np"),
        (strangers, "search.proving.inequality", "import networkx"),
        (unbelieved, "kernel.checker", "assert True"),
        (unbelieved, "kernel.model.domain", "if x:\n    assert True"),
        (unbelieved, "kernel.checker", "from ahdp_verify.search.limits import Limits"),
        (unbelieved, "kernel.verdict", "import importlib.util"),
        (unbelieved, "kernel.verdict", "from pickle import loads"),
        (unbelieved, "kernel.verdict", "eval('1')"),
        (makers, "search.verify", "Proved(claim)"),
        (makers, "kernel.verdict", "verdict.Refuted()"),
        (makers, "search.solvers.smt", "from ahdp_verify.kernel.verdict import Proved as P"),
    ],
)
def test_every_rule_finds_what_breaks_it(rule: Rule, name: str, source: str) -> None:
    assert list(rule(Module(name, ast.parse(source))))


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "kernel.terms.exact",
            "from __future__ import annotations\nimport re\n"
            "from ahdp_verify.kernel.errors import BadInput",
        ),
        ("kernel.numbers.ball", "import flint\nfrom ahdp_verify.kernel.terms import exact"),
        ("kernel.checker", "from ahdp_verify.kernel.verdict import Proved\nProved(1)"),
        (
            "search.solvers.smt",
            "import z3\nimport cvc5\nfrom ahdp_verify.search.proving.draft import f\n"
            "from ahdp_verify.kernel.checker import check",
        ),
        (
            "search.verify",
            "match v:\n    case Proved():\n        pass\nassert isinstance(v, Refuted)",
        ),
        (
            "cli.app",
            "import typer\nfrom ahdp_verify.cli.console import shielded\n"
            "from ahdp_verify.search.verify import verify",
        ),
        ("public", "from ahdp_verify.search.verify import verify"),
        (
            "paper.page",
            "from ahdp_verify import plots, verify\nfrom ahdp_verify.paper.statements.row import Row\n"
            "from ahdp_verify.analysis.moments import mean\nfrom ahdp_verify.plots import figure_svg",
        ),
    ],
)
def test_no_rule_forbids_what_is_right(name: str, source: str) -> None:
    module = Module(name, ast.parse(source))
    assert [
        sentence
        for rule in (upward, private, strangers, unbelieved, makers)
        for sentence in rule(module)
    ] == []


def test_only_one_function_makes_an_unknown() -> None:
    """Reasons go through `without_internal_names` only if every Unknown is made by `unknown`."""
    found = []
    for path, tree in trees().items():
        for node in nodes(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Unknown"
            ):
                found.append(path.name)
    assert found == ["wording.py"]


def test_no_function_of_the_package_relies_on_equality_of_trees() -> None:
    """The package's own lambdas are told from users' by their module: there == compares trees,
    so none may use it on x or eps.
    """
    for path, tree in trees().items():
        for node in nodes(tree):
            if isinstance(node, ast.Lambda) and [a.arg for a in node.args.args] == ["x", "eps"]:
                compared = [
                    c
                    for c in ast.walk(node.body)
                    if isinstance(c, ast.Compare)
                    and any(isinstance(o, ast.Eq | ast.NotEq | ast.In) for o in c.ops)
                ]
                assert not compared, f"{path}, line {node.lineno}"
