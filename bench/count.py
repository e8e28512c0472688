"""How much there is to read, and how much of it has to be believed: lines of code, without blank
lines, comments and docstrings.

The core is measured: a fresh interpreter checks the stored certificates of all plain claims (that
one mechanism, given by its density, is AHDP on all its inputs, without delta) whose verdict names
no rule beyond the core; the core is the modules of the kernel that are then loaded.  The second
figure adds the modules that are loaded to check also that such a claim compares any two inputs
(otherwise it would state nothing).
"""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ahdp_verify"
PROGRAM = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.evidence.certificate import Certificate
from ahdp_verify.kernel.terms.stored import from_stored
from ahdp_verify.kernel.model.claim import Claim
compared = None
for path in sys.stdin.read().splitlines():
    record = json.loads(Path(path).read_text(encoding="utf-8"))
    claim = Claim.from_json(record["claim"])
    if sys.argv[2] == "compared":
        from ahdp_verify.kernel.rules.compared import Compared
        compared = from_stored(Compared | None, record["compared"], "compared")
    proof = from_stored(Certificate, record["certificate"], "certificate")
    if check(claim, proof, None, compared).beyond:
        sys.exit(f"{path} relied on more than the core")
loaded = (m for n, m in sys.modules.items() if n.startswith("ahdp_verify.kernel"))
print(json.dumps([m.__file__ for m in loaded]))
"""
# Kinds of evidence whose rule a verdict names in `trusts`, and those that are not checked.
BEYOND = frozenset({"exp sign", "separate", "enumeration", "solver word"})
NO_CODE = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def lines_of_code(source: str) -> int:
    """The number of lines that contain code.

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


def is_plain(record: dict[str, Any]) -> bool:
    """Whether a record is a proof, by the rules of the core alone, that one mechanism, given by its
    density, is AHDP on all its inputs.
    """
    claim, proof = record["claim"], record.get("certificate", {})
    return (
        "density" in claim.get("mechanism", {})
        and claim["relation"] == "ahdp"
        and claim["delta"] == "0"
        and proof.get("is") == "certificate"
        and not proof["conditions"]
        and BEYOND.isdisjoint(kinds(proof))
    )


def kinds(thing: Any) -> Iterator[str]:
    """The kinds of evidence in a certificate."""
    if isinstance(thing, dict):
        yield from (thing["is"],) if "is" in thing else ()
        thing = list(thing.values())
    for part in thing if isinstance(thing, list) else ():
        yield from kinds(part)


def plain_records() -> list[Path]:
    """The stored proofs of plain claims."""
    paths = sorted((ROOT / "proofs").rglob("*.json"))
    return [path for path in paths if is_plain(json.loads(path.read_text(encoding="utf-8")))]


def loaded(records: list[Path], what: str) -> list[Path]:
    """The modules of the kernel that a fresh interpreter has loaded once it has checked the
    records.
    """
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(ROOT), what],
        input="\n".join(map(str, records)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return sorted(map(Path, json.loads(done.stdout)))


def table() -> str:
    """The figures, in Markdown."""
    kernel = sorted((PACKAGE / "kernel").rglob("*.py"))
    search = sorted((PACKAGE / "search").rglob("*.py"))
    rest = sorted({*PACKAGE.rglob("*.py")} - {*kernel, *search})
    plain = plain_records()
    parts = {
        "kernel, the core": loaded(plain, "claim"),
        "kernel, the core and what shows that something is compared": loaded(plain, "compared"),
        "kernel": kernel,
        "search": search,
        "rest of the package": rest,
        "proofs/recheck": sorted((ROOT / "proofs" / "recheck").glob("*.py")),
        "tests": sorted((ROOT / "tests").rglob("*.py")),
    }
    rows = [f"| {name} | {len(paths)} | {total(paths):,} |" for name, paths in parts.items()]
    return "\n".join(["| part | files | lines of code |", "| --- | --- | --- |", *rows])


def by_module() -> str:
    """The core, module by module."""
    core = loaded(plain_records(), "claim")
    lines = [f"{total([path]):6,}  {path.relative_to(PACKAGE).as_posix()}" for path in core]
    return "\n".join([*lines, f"{total(core):6,}  the core"])


if __name__ == "__main__":
    print(by_module() if "--core" in sys.argv else table())
