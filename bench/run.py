"""`make bench`: one table of work, our time, that of a peer, and their ratio.

    python bench/run.py [PART...]    (all parts, or those that are named: see PARTS)

The table is on stdout and in build/bench.md; bench/history.json keeps every whole run, and the last
column compares with the one before it: seconds divided by those of a fixed piece of plain Python.
Compare rows of one table only; two tables only by that column.
"""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import accountants
import commands
import enumeration
import field
import functions
import gaussians
import inequalities
import power
import stored
import verdicts
from row import Row, unit

from ahdp_verify.start import collect_garbage_rarely

ROOT = Path(__file__).resolve().parent.parent
HISTORY = ROOT / "bench" / "history.json"


def overruns() -> Iterator[Row]:
    """The rows of `overrun`, which needs the project's own tests: a library installs a package of
    that name too.
    """
    sys.path.insert(0, str(ROOT))
    import overrun  # noqa: PLC0415 - see above

    yield from overrun.rows()


PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "enumeration": enumeration.rows,
    "verdicts": verdicts.rows,
    "field": field.rows,
    "functions": functions.rows,
    "accountants": accountants.rows,
    "gaussians": gaussians.rows,
    "inequalities": inequalities.rows,
    "power": power.rows,
    "commands": commands.rows,
    "stored": stored.rows,
    "overrun": overruns,
}
HEAD = ("work", "answer", "ours, s", "peer", "peer, s", "ratio", "aim", "against last")


def history() -> list[dict[str, Any]]:
    """The runs so far, the last one at the end."""
    if not HISTORY.exists():
        return []
    found: list[dict[str, Any]] = json.loads(HISTORY.read_text(encoding="utf-8"))
    return found


def commit() -> str:
    """The commit that is measured, with a + if files differ from it."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return said.stdout.strip() or "unknown"


def cells(row: Row, now: float, last: dict[str, Any]) -> tuple[str, ...]:
    """A row as texts."""
    before = last.get("rows", {}).get(row.work)
    met = {True: " (met)", False: " (NOT met)", None: ""}[row.is_met]
    return (
        row.work,
        row.answer,
        f"{row.ours:.3f}",
        row.peer,
        "" if row.theirs is None else f"{row.theirs:.4f}",
        "" if row.ratio is None else f"{row.ratio:.1f}",
        row.aim + met,
        f"{row.ours / now / (before / last['unit']):.2f}" if before else "",
    )


def main() -> int:
    """The table, printed and written."""
    collect_garbage_rarely()  # as the command does
    asked = sys.argv[1:] or list(PARTS)
    runs, now = history(), unit()
    last = runs[-1] if runs else {}
    rows, lines = list[Row](), [HEAD, ("---",) * len(HEAD)]
    for part in asked:
        for row in PARTS[part]():
            print(f"{row.ours:9.3f} s  {row.work}: {row.answer}", file=sys.stderr, flush=True)
            rows.append(row)
            lines.append(cells(row, now, last))
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "bench.md").write_text(text + "\n", encoding="utf-8")
    print(text)
    if asked == list(PARTS):
        runs.append(
            {
                "commit": commit(),
                "day": datetime.date.today().isoformat(),
                "unit": now,
                "rows": {row.work: row.ours for row in rows},
            }
        )
        HISTORY.write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
