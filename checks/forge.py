"""Forged records: true records changed at one to three places, sealed again and with fitting
fingerprints.

A change is structural: a node replaced by one of another kind, left out, duplicated, swapped with
its neighbour, given another head, or replaced by a node under the same key in another record.

>>> import random
>>> record = {"format": 3, "claim": {"level": "1"}, "fingerprint": "", "certificate": {"claim": ""}}
>>> changed = forged(record, [record], random.Random(1))
>>> changed["fingerprint"] == changed["certificate"]["claim"] == digest(changed["claim"])
True
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import json
import random
from collections.abc import Iterator
from typing import Any

from tests.earlier_formats import scope_of

SEAL = "sha256"
PARTS = ("claim", "certificate", "counterexample", "scope", "compared", "mass", "trusts")
VARIANTS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    "0",
    "1",
    "-1",
    "1/2",
    "2",
    [],
    [[]],
    {},
    "",
    "x",
    ["name", "x"],
    ["name", "s"],
    ["name", "@1"],
    ["oo"],
    ["label", "a"],
    ["boolean", True],
    ["boolean", False],
    {"e": "0"},
    {"e": "1"},
    {"e": ["name", "@1"]},
    {"q": "-1"},
    {"q": "1"},
    "log",
    "direct",
    "zero",
    "never",
    "excess",
    "none",
    "whole",
    ">=",
    ">",
    "=",
    "ahdp",
    "swap",
    ["^", ["name", "s"], "-1"],
    ["log", "0"],
    ["+", "1", ["oo"]],
    ["exp", ["name", "@1"]],
)
HEADS = (
    ("<", "<=", "==", "!="),
    ("and", "or"),
    ("min", "max"),
    ("sum", "maximum", "minimum"),
    ("exp", "log", "abs", "sign", "floor"),
    ("+", "*"),
    ("^", "mod", "binomial"),
)
Path = tuple[Any, ...]
Record = dict[str, Any]


def digest(data: Any) -> str:
    """The SHA-256 of the canonical text (section 1 of FORMAT.md)."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def sealed(record: Record) -> Record:
    """The record with the fingerprint of its claim, in the certificate too, and its seal."""
    changed = {key: value for key, value in record.items() if key != SEAL}
    changed["fingerprint"] = digest(changed["claim"])
    certificate = changed.get("certificate")
    if isinstance(certificate, dict) and "claim" in certificate:
        certificate["claim"] = changed["fingerprint"]
    return {**changed, SEAL: digest(changed)}


def nodes(data: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all nodes below a node, including itself."""
    yield path
    items: Any = ()
    if isinstance(data, dict):
        items = data.items()
    elif isinstance(data, list):
        items = enumerate(data)
    for key, value in items:
        yield from nodes(value, (*path, key))


def at(data: Any, path: Path) -> Any:
    """The node at a path."""
    for key in path:
        data = data[key]
    return data


def forged(
    record: Record, pool: list[Record], rng: random.Random, seen: set[str] | None = None
) -> Record:
    """A sealed record that differs from a true one at one to three places; changes of a kind not
    made before (`seen`) are preferred.
    """
    changed = copy.deepcopy(record)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        parts = [part for part in PARTS if changed.get(part)]
        if not parts:
            break
        for attempt in range(12):
            part = rng.choice(parts)
            path = rng.choice(list(nodes(changed[part], (part,))))
            kind, new = changing(changed, path, pool, rng)
            sort = (
                f"{signature(changed, path)} {kind} "
                f"{json.dumps(new)[:40] if kind == 'variant' else ''}"
            )
            if seen is None or sort not in seen or attempt == 11:
                break
        if seen is not None:
            seen.add(sort)
        change(changed, path, kind, new)
    if rng.random() < 0.5:
        fitted(changed)
    return sealed(changed)


def signature(record: Record, path: Path) -> str:
    """The position of a node, without indices in lists."""
    place = at(record, path[:-1])
    head = place[0] if isinstance(place, list) and place and isinstance(place[0], str) else ""
    kind = place.get("is", "") if isinstance(place, dict) else ""
    keys = [str(key) for key in path if not isinstance(key, int)]
    return f"{'.'.join(keys[:1] + keys[-3:])} {head}{kind} {type(at(record, path)).__name__}"


def fitted(record: Record) -> None:
    """The record with the scope of its claim, and without what is compared, so that these are
    not what stops it.
    """
    if record.get("verdict") == "proved":
        record["compared"] = None
        with contextlib.suppress(Exception):  # the claim may no longer be a valid claim
            record["scope"] = scope_of(record)


def changing(record: Record, path: Path, pool: list[Record], rng: random.Random) -> tuple[str, Any]:
    """The possible changes of a node, with the node that replaces it."""
    place, old = at(record, path[:-1]), at(record, path)
    kinds = ["variant", "graft", "tweak", "tweak"]
    if isinstance(place, list):
        kinds += ["gone", "doubled", "swapped"]
    elif len(path) > 1:
        kinds += ["gone", "named"]
    kind = rng.choice(kinds)
    if kind == "graft":
        return kind, graft(path, pool, rng, old)
    if kind == "tweak":
        return kind, tweaked(old, rng)
    if kind == "swapped":
        return kind, rng.randrange(len(place))
    return kind, rng.choice(VARIANTS)


def change(record: Record, path: Path, kind: str, new: Any) -> None:
    """One node of the record is another one."""
    place, key = at(record, path[:-1]), path[-1]
    if kind == "gone":
        del place[key]
    elif kind == "doubled":
        place.insert(key, copy.deepcopy(place[key]))
    elif kind == "swapped":
        place[key], place[new] = place[new], place[key]
    elif kind == "named":
        place[f"{key}x"] = place.pop(key)
    else:
        place[key] = copy.deepcopy(new)


def broken(record: Record) -> Iterator[Record]:
    """Malformed records: fields that are missing or of another kind, a seal or a fingerprint
    that does not fit, bad JSON.
    """
    for key in record:
        yield sealed(
            {k: v for k, v in record.items() if k != key}
            | ({"claim": {}} if key == "claim" else {})
        )
        for new in (None, 1, "x", [], {}, True, 2):
            yield {
                **(changed := {**record, key: new}),
                SEAL: digest({k: v for k, v in changed.items() if k != SEAL}),
            }
    yield sealed({**record, "more": 1})
    yield {**record, SEAL: "0" * 64}
    wrong = {**record, "fingerprint": "0" * 64}
    yield {**wrong, SEAL: digest({k: v for k, v in wrong.items() if k != SEAL})}
    for version in (
        {},
        {"ahdp_verify": "1"},
        {"ahdp_verify": "", "flint": "1", "python-flint": "1"},
    ):
        yield sealed({**record, "made_by": version})
    text = json.dumps(record)
    rest = text[1:]
    raws = [
        "",
        "[]",
        "1",
        "null",
        text[:-1],
        f"{text} x",
        '{"format": 3, ' + rest,
        '{"more": 1.5, ' + rest,
        "[" * 5000,
        '{"more": NaN, ' + rest,
        '{"more": -0, ' + rest,
        '{"more": 1e5, ' + rest,
        '{"more": ' + "9" * 30 + ", " + rest,
        '{"more": "\\ud800", ' + rest,
        "[" * 1500 + "]" * 1500,
        "[" * 1100 + "]" * 1100,
    ]
    yield from ({"raw": raw} for raw in raws)


def graft(path: Path, pool: list[Record], rng: random.Random, old: Any) -> Any:
    """A node under the same key in some record of the pool; the old one if
    none is found.
    """
    donor = rng.choice(pool)
    found = [at(donor, p) for p in nodes(donor) if p and p[-1] == path[-1] and p[0] == path[0]]
    return rng.choice(found) if found else old


def tweaked(old: Any, rng: random.Random) -> Any:
    """The node with another head, or with a number a little off."""
    if isinstance(old, list) and old and isinstance(old[0], str):
        others = [h for group in HEADS if old[0] in group for h in group if h != old[0]]
        return rng.choice(
            [
                [rng.choice(others), *old[1:]] if others else ["*", "-1", old],
                ["*", "2", old],
                ["+", "1", old],
            ]
        )
    if isinstance(old, bool) or old is None:
        return not old
    if isinstance(old, int):
        return old + rng.choice((-1, 1))
    if isinstance(old, str):
        return rng.choice((f"-{old}", "1/3", f"{old}0", "0"))
    return old
