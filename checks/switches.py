"""Every check of a program becomes a switch: while a check is off, the program runs as if it had
been deleted.

A *check* is a place where the program may refuse: a `raise`, a call whose result is not used (such
a call of a function without side effects can only raise), or one of several alternatives in the
condition of a `raise` (`if a or b: raise` contains two checks). The program is not changed on disk:
its modules are compiled from a syntax tree in which each check asks its switch first.

>>> import ast
>>> tree = ast.parse("def f(n):\\n    if n < 0 or n > 9:\\n        raise ValueError(n)\\n    return n")
>>> switches = Switches()
>>> program = switches.built_in(tree, "example")
>>> [check.key for check in switches.checks]  # doctest: +NORMALIZE_WHITESPACE
['f: raise ValueError(n)', 'f: raise ValueError(n) | n < 0', 'f: raise ValueError(n) | n > 9']
>>> names = {"__switches__": switches}
>>> exec(compile(program, "example", "exec"), names)
>>> with switches.off(switches.checks[1]):
...     names["f"](-1)
-1
>>> with switches.off(switches.checks[1]):
...     names["f"](10)
Traceback (most recent call last):
    ...
ValueError: 10
"""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

# Calls made for their side effect, which check nothing: methods of lists, sets, dictionaries and
# files, of arrays (np.add.at) and tables that grow, and calls about time and memory.
EFFECTS = frozenset(
    {
        "add",
        "append",
        "at",
        "extend",
        "insert",
        "update",
        "clear",
        "pop",
        "sort",
        "remove",
        "setdefault",
        "_increase",
        "discard",
        "__setattr__",
        "setattr",
        "__init__",
        "write",
        "flush",
        "close",
        "unlink",
        "fsync",
        "mkdir",
        "popleft",
        "appendleft",
        "reverse",
        "cache_clear",
        "setrecursionlimit",
        "replace",
        "chmod",
        "begin",
        "reset",
        "set_fields",
        "_fill",
        "grow",
        "step",
        "_carry",
        "spend",
        "tick",
        "look",
        "_look",
        "_to_disk",
        "write_text",
        "write_bytes",
        "start",
        "ask",
        "forget",
        "cover",
        "take",
        "move_facts",
        "rely_on",
    }
)
# Calls that register what is checked later: they count as under way for the whole run.
COLLECTING = frozenset({"at_least_zero", "level_at_least", "delta_at_least"})
LONGEST = 110  # characters of a check's source in its key


@dataclass(frozen=True, slots=True)
class Check:
    """A check: `number` counts within one run, `key` names it for people.

    The key is the function and the source of the check, so it stays when lines and functions move.
    """

    number: int
    key: str
    module: str
    line: int

    @property
    def name(self) -> str:
        """The last part of the module's name, and the key."""
        return f"{self.module.rpartition('.')[2]} {self.key}"


@dataclass(slots=True)
class Switches:
    """The switches of all checks of the modules that were built, and a log of those consulted."""

    checks: list[Check] = field(default_factory=list)
    fired: dict[int, None] = field(default_factory=dict)
    begun: dict[int, int] = field(default_factory=dict)
    out: int = -1

    def on(self, number: int) -> bool:
        """False for the check that is off; a check that is consulted would refuse: recorded."""
        self.fired.pop(number, None)
        self.fired[number] = None
        return number != self.out

    def into(self, number: int) -> bool:
        """False for the check that is off; else it is a call, which is under way until it is
        `passed`.
        """
        self.begun[number] = self.begun.get(number, 0) + 1
        return number != self.out

    def passed(self, number: int) -> None:
        """Records that a call has returned."""
        self.begun[number] -= 1

    def forget(self) -> None:
        """Clears the log."""
        self.fired.clear()
        self.begun.clear()

    @property
    def stopping(self) -> tuple[int, ...]:
        """The checks whose removal may change what was refused: those that fired, and calls that
        did not end.

        Those that fired last come first.
        """
        return (
            *reversed(self.fired),
            *(n for n, count in reversed(self.begun.items()) if count > 0),
        )

    @contextmanager
    def off(self, check: Check) -> Iterator[None]:
        """A context in which the program runs as if the check had been deleted."""
        self.out = check.number
        try:
            yield
        finally:
            self.out = -1

    def built_in(self, tree: ast.Module, module: str) -> ast.Module:
        """The same program with a switch before each check."""
        return ast.fix_missing_locations(_Builder(self, module).visit(tree))

    def made(self, key: str, module: str, line: int) -> int:
        """The number of a new check; a key that was given before gets an ordinal."""
        known = sum(check.key == key or check.key.startswith(f"{key} #") for check in self.checks)
        number = len(self.checks)
        self.checks.append(Check(number, f"{key} #{known + 1}" if known else key, module, line))
        return number


class _Builder(ast.NodeTransformer):
    """Puts the switches into a syntax tree; `path` is the qualified name of the place."""

    def __init__(self, switches: Switches, module: str) -> None:
        self.switches, self.module, self.path = switches, module, (module,)
        self.handling = False  # inside an except clause, where a raise only changes the message

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._inside(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._inside(node)

    def _inside(self, node: ast.ClassDef | ast.FunctionDef) -> ast.AST:
        kept, self.path = self.path, (*self.path, node.name)
        self.generic_visit(node)
        self.path = kept
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        kept, self.handling = self.handling, True
        self.generic_visit(node)
        self.handling = kept
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return self._switched(node) if self._in_function() and not self.handling else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Call) and self._in_function() and not _is_effect(node.value):
            return self._switched(node)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        source = _source(node.body[0]) if isinstance(node.body[0], ast.Raise) else ""
        self.generic_visit(node)
        if (
            source
            and not self.handling
            and isinstance(node.test, ast.BoolOp)
            and isinstance(node.test.op, ast.Or)
        ):
            node.test.values = [self._alternative(source, v) for v in node.test.values]
        return node

    def _alternative(self, source: str, value: ast.expr) -> ast.expr:
        number = self._number(f"{source} | {_source(value)}", value.lineno)
        return ast.BoolOp(ast.And(), [value, _asking(number)])

    def _switched(self, node: ast.Raise | ast.Expr) -> ast.AST:
        number = self._number(_source(node), node.lineno)
        if isinstance(node, ast.Raise):
            return ast.copy_location(ast.If(_asking(number), [node], []), node)
        body = [node, ast.Expr(_asking(number, "passed"))]
        body = body[:1] if _called(node.value) in COLLECTING else body
        return ast.copy_location(ast.If(_asking(number, "into"), body, []), node)

    def _number(self, source: str, line: int) -> int:
        return self.switches.made(f"{'.'.join(self.path[1:])}: {source}", self.module, line)

    def _in_function(self) -> bool:
        return len(self.path) > 1


def _asking(number: int, what: str = "on") -> ast.expr:
    switches = ast.Name("__switches__", ast.Load())
    return ast.Call(ast.Attribute(switches, what, ast.Load()), [ast.Constant(number)], [])


def _source(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _is_effect(call: ast.Call) -> bool:
    return _called(call) in EFFECTS


def _called(call: ast.expr) -> str:
    """The last name of the function that a call calls."""
    function = getattr(call, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module with its switches, never from a cached file."""

    def __init__(self, name: str, path: str, switches: Switches) -> None:
        super().__init__(name, path)
        self.switches = switches

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(Path(self.path).read_text(encoding="utf-8"))
        return compile(self.switches.built_in(tree, fullname), self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, switches: Switches, wanted: Callable[[str], bool]) -> None:
        self.switches, self.wanted = switches, wanted

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or spec.origin is None or not self.wanted(fullname):
            return None
        loader = _Loader(fullname, spec.origin, self.switches)
        return importlib.util.spec_from_file_location(
            fullname,
            spec.origin,
            loader=loader,
            submodule_search_locations=spec.submodule_search_locations,
        )


def install(wanted: Callable[[str], bool]) -> Switches:
    """The switches of the modules with wanted names, which must not have been imported yet.

    Raises ImportError for a wanted module that was.
    """
    early = [name for name in sys.modules if wanted(name)]
    if early:
        raise ImportError(f"{', '.join(early)} was imported before its checks had switches")
    switches = Switches()
    vars(builtins)["__switches__"] = switches  # each switched module finds it there
    sys.meta_path.insert(0, _Finder(switches, wanted))
    return switches
