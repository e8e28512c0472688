"""The width of the code: the formatter's 100 columns, except for what it cannot break."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("ahdp_verify", "tests", "proofs", "tools", "checks", "fuzz", "bench", "notebooks")
WIDTH = 100
ONE_IN = 350


def test_at_most_one_line_in_350_is_wider_than_the_formatter_makes_it() -> None:
    """Inputs and outputs of doctests, style sheets and the like are not broken."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    wide = [line for line in lines if len(line) > WIDTH]
    assert len(lines) > 100_000
    assert ONE_IN * len(wide) <= len(lines), f"{len(wide)} of {len(lines)} lines, one is: {wide[0]}"
