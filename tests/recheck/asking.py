"""What the stand-alone checker answers: as a program, and on one record."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from recheck import records

from tests.earlier_formats import converted

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "proofs" / "recheck"
RECORDS = sorted(p for p in (ROOT / "proofs").rglob("*.json") if p.parent.name == "certificates")
Record = dict[str, Any]
Way = tuple[str | int, ...]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command in a Python that sees no installed package."""
    line = [sys.executable, "-I", "-S", str(PROGRAM), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)


def answer_unsealed(record: Record, place: Path) -> tuple[str, str]:
    """(verdict, what is said) of a record as it is."""
    place.write_text(json.dumps(record))
    found = records.check_file(place)
    return found.verdict, found.why


def answer(record: Record, place: Path) -> tuple[str, str]:
    """The same of a record in the format of now, sealed again."""
    return answer_unsealed(converted(record), place)


def ways(data: Any, wanted: Callable[[Way, Any], bool], way: Way = ()) -> Iterator[Way]:
    """The places in a record that are wanted."""
    if wanted(way, data):
        yield way
    for key, part in (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    ):
        yield from ways(part, wanted, (*way, key))


def is_number(data: Any) -> bool:
    try:
        return isinstance(data, str) and str(Fraction(data)) == data
    except (ValueError, ZeroDivisionError):
        return False


def other_number(text: str, rng: random.Random) -> str:
    q = Fraction(text)
    return str(
        rng.choice([x for x in (2 * q, q / 2, q + 1, q - 1, -q, q + Fraction(1, 1000)) if x != q])
    )
