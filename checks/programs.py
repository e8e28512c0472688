"""The two programs whose checks are counted: the kernel of the package, and the stand-alone
checker.
"""

from __future__ import annotations

import functools
import gc
import importlib
import json
import pkgutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from switches import Check, Switches, install

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("kernel", "recheck")
SECONDS = 10  # of processor time for one record
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Program:
    """A checker with switches.

    refusal   why it refuses a forgery: a record, {"raw": text of a file} or {"text": an
              expression}; None if it accepts it
    forget    empties its caches, which may hold what a run without a check left there
    counts    whether a check is one that has to be justified
    """

    switches: Switches
    refusal: Callable[[Record], str | None]
    forget: Callable[[], None]
    counts: Callable[[Check], bool]


def load(name: str) -> Program:
    """The program, imported with its switches."""
    return {"kernel": _kernel, "recheck": _recheck}[name]()


def _kernel() -> Program:
    switches = install(lambda module: module.startswith("ahdp_verify.kernel."))
    from ahdp_verify import kernel
    from ahdp_verify.files import records as storage
    from ahdp_verify.kernel.errors import AhdpError
    from ahdp_verify.kernel.terms import grammar

    for module in pkgutil.walk_packages(kernel.__path__, f"{kernel.__name__}."):
        importlib.import_module(module.name)  # also those that the checker loads when it needs them
    place = Path(tempfile.mkdtemp(), "record.json")

    def read(forgery: Record) -> None:
        if set(forgery) == {"text"}:
            grammar.parse(forgery["text"])
            return
        place.write_text(written(forgery))
        storage.recheck(place)

    def refusal(forgery: Record) -> str | None:
        try:
            read(forgery)
        except AhdpError as why:
            return str(why)
        except Exception as why:
            return f"a traceback ({type(why).__name__}: {why})"
        return None

    return Program(switches, refusal, _forget, _of_records)


def _recheck() -> Program:
    sys.path.insert(0, str(ROOT / "proofs"))
    switches = install(lambda module: module.startswith("recheck."))
    from recheck.records import ACCEPTED, WORD, check_file

    place = Path(tempfile.mkdtemp(), "record.json")

    def refusal(forgery: Record) -> str | None:
        place.write_text(written(forgery))
        try:
            answer = check_file(place, SECONDS)
        except Exception as why:
            return f"a traceback ({type(why).__name__}: {why})"
        return None if answer.verdict in (ACCEPTED, WORD) else f"{answer.verdict}: {answer.why}"

    return Program(switches, refusal, _forget, _of_records)


def written(forgery: Record) -> str:
    """The text of the file."""
    return str(forgery["raw"]) if set(forgery) == {"raw"} else json.dumps(forgery)


BOUNDS = (": cover(", "raise NotCovered", "raise OutOfLimits", "CLOCK.", "ask()", "effort.")


def _of_records(check: Check) -> bool:
    """Whether a check is not a bound on time or size, whose removal makes a checker slow but not
    wrong.
    """
    return not any(word in check.key for word in BOUNDS)


def _forget() -> None:
    for cache in _caches():
        cache.cache_clear()


@functools.cache
def _caches() -> tuple[Any, ...]:
    """The bounded tables of all modules; there are no others once everything is imported."""
    tables = (t for t in gc.get_objects() if type(t).__name__ == "_lru_cache_wrapper")
    return tuple(t for t in tables if t.__module__ != __name__)
