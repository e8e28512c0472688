"""`make bench`: one table of work, our time, that of a peer, and their ratio.

    python bench/run.py [PART...]    (all parts, or those that are named: see PARTS)

The table is on stdout and in build/bench.md; bench/history.json keeps every whole run, and the last
column compares with the one before it: seconds divided by those of a fixed piece of plain Python.
Compare rows of one table only; two tables only by that column. A part that ends in an error is
named on stderr, and the others go on; the exit code is then 1, and the run is not kept.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import traceback
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


def measured(part: str) -> Iterator[Row | None]:
    """The rows of a part, each as soon as it is known; None at the end if it ended in an error."""
    try:
        for row in PARTS[part]():
            print(f"{row.ours:9.3f} s  {row.work}: {row.answer}", file=sys.stderr, flush=True)
            yield row
    except Exception:
        traceback.print_exc()
        print(f"the part {part} ended here", file=sys.stderr, flush=True)
        yield None


def main() -> int:
    """The table, printed and written."""
    parser = argparse.ArgumentParser(description="one table of timings, beside those of peers")
    parser.add_argument("part", nargs="*", help=f"only these parts of {', '.join(PARTS)}")
    asked = parser.parse_args().part or list(PARTS)
    if unknown := [part for part in asked if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; the parts are {', '.join(PARTS)}")
    collect_garbage_rarely()  # as the command does
    runs, now = history(), unit()
    last = runs[-1] if runs else {}
    found = [row for part in asked for row in measured(part)]
    rows = [row for row in found if row is not None]
    lines = [HEAD, ("---",) * len(HEAD), *(cells(row, now, last) for row in rows)]
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "bench.md").write_text(text + "\n", encoding="utf-8")
    print(text)
    if None in found:
        return 1
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
