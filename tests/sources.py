"""The package's own files as syntax trees, read once by each process that tests a rule on them."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "ahdp_verify"


@functools.cache
def trees() -> dict[Path, ast.Module]:
    """Every Python file of the package, the empty ones too."""
    return {
        path: ast.parse(path.read_text(encoding="utf-8"), str(path))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


@functools.cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a file, as `ast.walk` finds them: each of ten tests looks through them once
    more.
    """
    return tuple(ast.walk(tree))
