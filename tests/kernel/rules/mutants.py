"""Records changed at one place, sealed again: what a checker has to refuse, without a traceback."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ahdp_verify import BadInput, NotWorkedOut, Rejected
from ahdp_verify.canonical_json import seal
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.record import read_record
from tests.sweeps import WHOLE


def nodes(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in items:
        yield from nodes(value, (*path, key))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


VARIANTS = (
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    10**30,
    0.5,
    "",
    "x",
    "1/2",
    [],
    [[]],
    {},
    {"e": ["name", "z"]},
    ["number", "1/2"],
    ["oo"],
)


def mutants(record: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], Any, dict[str, Any]]]:
    """Every node of claim and certificate replaced by every variant, or left out, or doubled;
    sealed, with the fingerprint put right.
    """
    for part in ("claim", "certificate"):
        for path in nodes(record[part], (part,)):
            old = at(record, path)
            for new in (
                *(v for v in VARIANTS if type(v) is not type(old) or v != old),
                "gone",
                "doubled",
            ):
                changed = copy.deepcopy({k: v for k, v in record.items() if k != "sha256"})
                place = at(changed, path[:-1])
                if new == "gone" and len(path) > 1:
                    del place[path[-1]]
                elif new == "doubled" and isinstance(place, list):
                    place.insert(path[-1], copy.deepcopy(old))
                else:
                    place[path[-1]] = new
                yield path, new, changed


def fitted(changed: dict[str, Any], kind: Any) -> dict[str, Any] | None:
    """The record with the fingerprint of its claim, if that is one."""
    try:
        fingerprint = kind.from_json(changed["claim"]).fingerprint
    except (BadInput, NotWorkedOut):
        return None
    changed["fingerprint"] = fingerprint
    if isinstance(changed["certificate"], dict) and "claim" in changed["certificate"]:
        changed["certificate"]["claim"] = fingerprint
    return seal(changed)


def survivors(record: dict[str, Any], kind: Any) -> dict[tuple[Any, ...], list[Any]]:
    """The claims of those mutants (of every third, unless in a sweep) that are accepted, by what
    was changed; anything but BadInput, NotWorkedOut and Rejected is a failure of the test.
    """
    found: dict[tuple[Any, ...], list[Any]] = {}
    for path, _, changed in islice(mutants(record), 0, None, 1 if WHOLE else 3):
        if path == ("certificate", "claim"):  # put right below
            continue
        fit = fitted(changed, kind)
        if fit is None:
            continue
        try:
            kept = read_record(fit)
            check(kept.claim, kept.evidence)
        except (BadInput, NotWorkedOut, Rejected):
            continue
        found.setdefault(path, []).append(kept.claim)
    return found
