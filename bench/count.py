"""How much there is to read, and how much of it has to be believed: lines of code, without blank
lines, comments and docstrings.

The core is what the proof of a plain inequality needs; a verdict that relied on more of the kernel
than that names it.
"""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ahdp_verify"
BEYOND_THE_CORE = ("exhaustive/", "rules/joint_law.py", "rules/best_power.py", "rules/power.py")
NO_CODE = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def lines_of_code(source: str) -> int:
    """The number of lines that hold code.

    >>> lines_of_code('def f():\\n    \"\"\"Text.\"\"\"\\n\\n    # why\\n    return 1\\n')
    2
    """
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            held |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                held -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(held)


def total(paths: list[Path]) -> int:
    """The lines of code of several files."""
    return sum(lines_of_code(path.read_text(encoding="utf-8")) for path in paths)


def table() -> str:
    """The figures, in Markdown."""
    kernel = sorted((PACKAGE / "kernel").rglob("*.py"))
    inside = {path: path.relative_to(PACKAGE / "kernel").as_posix() for path in kernel}
    core = [path for path, name in inside.items() if not name.startswith(BEYOND_THE_CORE)]
    search = sorted((PACKAGE / "search").rglob("*.py"))
    rest = sorted({*PACKAGE.rglob("*.py")} - {*kernel, *search})
    parts = {
        "kernel, the core": core,
        "kernel": kernel,
        "search": search,
        "rest of the package": rest,
        "proofs/recheck": sorted((ROOT / "proofs" / "recheck").glob("*.py")),
        "tests": sorted((ROOT / "tests").rglob("*.py")),
    }
    rows = [f"| {name} | {len(paths)} | {total(paths):,} |" for name, paths in parts.items()]
    return "\n".join(["| part | files | lines of code |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(table())
