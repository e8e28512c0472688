"""The two programs whose checks are counted: the kernel of the package, and the stand-alone checker."""

from __future__ import annotations

import functools
import gc
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from switches import Check, Switches, install

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("kernel", "recheck")
SECONDS = 10  # of processor time for one record
SMALL = 6000  # bytes of a true record from which others are forged


@dataclass(frozen=True, slots=True)
class Program:
    """A checker with switches.

    accepts   whether it accepts a record; whatever else it does is a refusal
    forget    empties its caches, which may hold what a run without a check left there
    seeds     true records to forge others from
    counts    whether a check is one that has to earn its place
    """

    switches: Switches
    accepts: Callable[[dict[str, Any]], bool]
    forget: Callable[[], None]
    seeds: Callable[[], list[dict[str, Any]]]
    counts: Callable[[Check], bool]


def load(name: str) -> Program:
    """The program, imported with its switches."""
    return {"kernel": _kernel, "recheck": _recheck}[name]()


def _kernel() -> Program:
    from tests.test_layers import TRUSTED

    def wanted(module: str) -> bool:
        package, _, name = module.partition(".")
        return package == "ahdp_verify" and (name in TRUSTED or f"{name.partition('.')[0]}.*" in TRUSTED)

    switches = install(wanted)
    import tempfile

    from ahdp_verify import storage

    place = Path(tempfile.mkdtemp(), "record.json")

    def accepts(record: dict[str, Any]) -> bool:
        place.write_text(json.dumps(record))
        try:
            storage.recheck(place)
        except Exception:
            return False
        return True

    return Program(switches, accepts, _forget, _small_records, lambda check: True)


def _recheck() -> Program:
    sys.path.insert(0, str(ROOT / "proofs"))
    switches = install(lambda module: module.startswith("recheck."))
    import tempfile

    from recheck.records import ACCEPTED, WORD, check_file

    place = Path(tempfile.mkdtemp(), "record.json")

    def accepts(record: dict[str, Any]) -> bool:
        place.write_text(json.dumps(record))
        return check_file(place, SECONDS).verdict in (ACCEPTED, WORD)

    def counts(check: Check) -> bool:
        return not any(word in check.key for word in (": cover(", "raise NotCovered"))

    return Program(switches, accepts, _forget, _small_records, counts)


def _forget() -> None:
    for cache in _caches():
        cache.cache_clear()


@functools.cache
def _caches() -> tuple[Any, ...]:
    """The bounded tables of all modules; there are no others once everything is imported."""
    return tuple(t for t in gc.get_objects() if type(t).__name__ == "_lru_cache_wrapper" and t.__module__ != __name__)


def _small_records() -> list[dict[str, Any]]:
    """The smaller stored records, of each kind of claim and evidence the smallest first, and at most three."""
    listed = sorted((ROOT / "proofs").glob("*/certificates/*.json"), key=lambda p: (p.stat().st_size, p.name))
    taken: dict[str, int] = {}
    found = []
    for path in listed:
        if path.stat().st_size > SMALL:
            break
        record = json.loads(path.read_text())
        kind = _kind(record)
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= 3:
            found.append(record)
    return found


def _kind(record: dict[str, Any]) -> str:
    """The words of the format that occur in a record."""
    words: set[str] = set()

    def walk(data: Any) -> None:
        if isinstance(data, dict):
            for key in ("is", "law", "relation", "form", "kind"):
                if isinstance(data.get(key), str):
                    words.add(f"{key} {data[key]}")
            words.update(f"key {key}" for key in data)
            for value in data.values():
                walk(value)
        elif isinstance(data, list):
            for value in data:
                walk(value)

    walk(record)
    return " ".join(sorted(words))
