"""A pytest plugin that turns everything the tests pass to the checker into records, accepted or
refused.

    export PYTHONPATH=checks HARVEST=build/harvest.jsonl
    python -m pytest -p harvest tests/kernel/test_checker.py
    ...

Each line of the file that `HARVEST` names is a record of format 2, with the scope and the trusts
that a true record of its claim would have. `checks/find.py` forges others from them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

LARGEST = 12_000  # characters of a record
WATCHED = ("check", "refute", "refute_inequality", "refute_program", "refute_applied")
_lines: set[str] = set()


def pytest_collection_finish(session: Any) -> None:
    """Replaces the functions of the checker, in every module, by ones that also record their
    arguments.
    """
    from ahdp_verify.files import records as storage
    from ahdp_verify.kernel import checker
    from ahdp_verify.kernel.terms import grammar

    watched = {id(getattr(checker, n)): _watching(getattr(checker, n)) for n in WATCHED}
    watched[id(storage.read_record)] = _reading(storage.read_record)
    watched[id(grammar.parse)] = _parsing(grammar.parse)
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if id(value) in watched:
                setattr(module, name, watched[id(value)])


def pytest_sessionfinish(session: Any) -> None:
    with Path(os.environ["HARVEST"]).open("a") as file:
        file.writelines(f"{line}\n" for line in sorted(_lines))


def _watching(function: Callable[..., Any]) -> Callable[..., Any]:
    def watching(claim: Any, evidence: Any, *rest: Any, **named: Any) -> Any:
        _keep(lambda: _record(claim, evidence, rest, named))
        return function(claim, evidence, *rest, **named)

    return watching


def _reading(function: Callable[..., Any]) -> Callable[..., Any]:
    def reading(data: Any) -> Any:
        _keep(lambda: data if isinstance(data, dict) else None)
        return function(data)

    return reading


def _parsing(function: Callable[..., Any]) -> Callable[..., Any]:
    def parsing(text: Any, *rest: Any, **named: Any) -> Any:
        try:
            return function(text, *rest, **named)
        except Exception:
            _keep(lambda: {"text": text} if isinstance(text, str) else None)
            raise

    return parsing


def _keep(made: Callable[[], Any]) -> None:
    try:
        line = json.dumps(made(), sort_keys=True, separators=(",", ":"))
    except Exception:
        return
    if len(line) <= LARGEST:
        _lines.add(line)


def _record(claim: Any, evidence: Any, rest: tuple[Any, ...], named: dict[str, Any]) -> Any:
    from ahdp_verify.kernel import refuted, verdict
    from ahdp_verify.kernel.evidence.certificate import Enumeration
    from ahdp_verify.kernel.evidence.counterexample import InstanceCounterexample
    from ahdp_verify.kernel.numbers.algebra import constant
    from ahdp_verify.kernel.rules.compared import scope_of
    from ahdp_verify.kernel.terms.expression import ZERO

    if isinstance(evidence, tuple):
        return refuted.RefutedInequality(claim, evidence, constant(0), constant(0)).to_json()
    if type(evidence).__name__ == "VectorCounterexample":
        there = refuted.Refuted(claim, evidence.there, constant(0), constant(0), ZERO)
        return refuted.RefutedApplied(claim, evidence.vectors, there).to_json()
    if type(evidence).__name__ == "ProgramCounterexample":
        return refuted.RefutedProgram(claim, evidence, constant(0), constant(0), ZERO).to_json()
    if type(evidence).__name__ in ("Counterexample", "InstanceCounterexample"):
        mass = named.get("mass") or (rest[0] if rest else None)
        of = evidence if isinstance(evidence, InstanceCounterexample) else None
        made = refuted.Refuted(claim, evidence, constant(0), constant(0), ZERO, of, mass)
        return made.to_json()
    compared = named.get("compared") or (rest[1] if len(rest) > 1 else None)
    sizes = [e.size for e in getattr(evidence, "evidence", ()) if isinstance(e, Enumeration)]
    scope = scope_of(claim, sizes[0] if sizes else None, compared)
    return verdict.Proved(claim, evidence, scope, (), compared).to_json()
