"""Changes to texts, command lines and records: of bytes, of tokens and of structure."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

ODD = (
    "0",
    "-1",
    "1",
    "2",
    "1/2",
    "1/0",
    "0/1",
    "oo",
    "-oo",
    "pi",
    "1e400",
    "0.1",
    "10^30",
    "10^(10^9)",
    "exp(1000)",
    "exp(-10^18)",
    "log(0)",
    "log(-1)",
    "nan",
    "true",
    "false",
    "x",
    "eps",
    "s",
    "v",
    "other",
    "q[1]",
    "q[0]",
    "x[1]",
    "x[999999999]",
    "size",
    '"red"',
    "sum(x)",
    "sum(sum(x))",
    "count(x == 1)",
    "piecewise()",
    "piecewise((1, true))",
    "mod(x, 0)",
    "sqrt(-1)",
    "0^0",
    "0^-1",
    "binomial(10^9, 5)",
    "total(k, k, 1, 10)",
    "maximum(x)",
    "((((((",
    "))",
    ",",
    "@1",
    "#1",
    "x'",
    "é",
    "",
    " ",
    "abs",
    "1 -",
    "999999999/1000000000",
    "1/1000000000",
    "2^0.5",
)
TOKENS = re.compile(r"[A-Za-z_]\w*|\d+(?:/\d+)?|[-+*/^()\[\]{}=<>!,\"]+|\s+|.", re.DOTALL)
BYTES = (
    b"\x00",
    b"\xff",
    b"\xc3",
    b"\r",
    b"\n",
    b'"',
    b"'",
    b"\\",
    b"[",
    b"{",
    b"=",
    b"#",
    b"\xe2\x80\x8b",
    b"\xef\xbb\xbf",
    b"1",
    b"e",
    b"-",
)


def of_bytes(text: str, rng: Random) -> bytes:
    """The text with a few bytes changed, left out or duplicated, or cut off at the end."""
    data = bytearray(text.encode())
    for _ in range(rng.choice((1, 1, 2, 4))):
        i = rng.randrange(len(data) + 1)
        pick = rng.randrange(6)
        if pick == 0:
            data[i:i] = rng.choice(BYTES)
        elif pick == 1 and i < len(data):
            data[i : i + 1] = rng.choice(BYTES)
        elif pick == 2:
            del data[i : i + rng.choice((1, 1, 5, 40))]
        elif pick == 3:
            data[i:i] = data[i : i + rng.choice((1, 5, 60))]
        elif pick == 4 and i < len(data):
            data[i] ^= 1 << rng.randrange(8)
        else:
            del data[i : len(data) if rng.random() < 0.2 else i + 1]
    return bytes(data)


def of_tokens(text: str, rng: Random) -> bytes:
    """Tokens exchanged for others."""
    tokens = TOKENS.findall(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        i = rng.randrange(len(tokens))
        pick = rng.randrange(6)
        if pick <= 1:
            tokens[i] = rng.choice(ODD)
        elif pick == 2:
            tokens[i] = rng.choice(tokens)
        elif pick == 3:
            del tokens[i]
        elif pick == 4:
            tokens.insert(i, rng.choice((*ODD, *tokens)))
        else:
            j = rng.randrange(len(tokens))
            tokens[i], tokens[j] = tokens[j], tokens[i]
        tokens = tokens or [" "]
    return "".join(tokens).encode()


DEEP = (
    "[" * 300 + "]" * 300,
    "a" + ".a" * 300 + " = 1",
    "(" * 300 + "1" + ")" * 300,
    "-" * 500 + "1",
    "exp(" * 150 + "x" + ")" * 150,
    "1" * 5000,
    "x" * 5000,
    " + ".join(["x"] * 3000),
    "max(" + ", ".join(f"abs(s - {i})" for i in range(30)) + ")",
)

OTHER = (
    "1",
    "1.5",
    "true",
    "[]",
    "{}",
    "[[]]",
    "1979-05-27",
    '[1, "a"]',
    '""',
    "inf",
    "{a = {b = {}}}",
)
LINES = (
    "[mechanism]",
    "[[claim]]",
    "[domain]",
    "[parameters]",
    "[let]",
    "format = 2",
    "x = 1",
    "[[part]]",
    '[let]\neps = "1"',
    '[let]\na = "a"',
)


def of_structure(text: str, rng: Random) -> bytes:
    """Lines left out, doubled, exchanged; values of another type; things that are deep or long."""
    lines = text.splitlines()
    for _ in range(rng.choice((1, 1, 2))):
        i = rng.randrange(len(lines))
        pick = rng.randrange(7)
        left, equals, right = lines[i].partition(" = ")
        if pick == 0:
            del lines[i]
        elif pick == 1:
            lines.insert(i, lines[i])
        elif pick == 2:
            lines.insert(rng.randrange(len(lines)), lines.pop(i))
        elif pick == 3 and equals:
            lines[i] = f"{left} = {rng.choice(OTHER)}"
        elif pick == 4 and equals:
            inner = rng.choice(DEEP)
            lines[i] = f'{left} = "{inner}"' if rng.random() < 0.7 else f"{left} = {inner}"
        elif pick == 5:
            lines.insert(i, rng.choice(LINES))
        elif '"' in right:
            quoted = re.findall(r'"[^"]*"', right)
            lines[i] = (
                f"{left} = {right.replace(rng.choice(quoted), json.dumps(rng.choice(ODD)), 1)}"
            )
        lines = lines or [""]
    return "\n".join(lines).encode()


SWAPS = {
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "exp": "log",
    "abs": "sign",
    "min": "max",
    "max": "min",
    "maximum": "minimum",
    "minimum": "maximum",
    "and": "or",
    "or": "and",
    "sum": "count",
}
NUMBERS = ("0", "1", "2", "3", "1/2", "1/3", "-1", "1/10", "10", "999/1000", "1001/1000")


def of_meaning(text: str, rng: Random) -> bytes:
    """Numbers, signs and names inside quotes exchanged, so that most mutants are still read."""
    parts = re.findall(r'"[^"\n]*"|[^"]+|"', text)
    quoted = [i for i, p in enumerate(parts) if len(p) > 2 and p[0] == '"']
    for _ in range(rng.choice((1, 1, 2, 3))):
        if not quoted:
            break
        i = rng.choice(quoted)
        tokens = TOKENS.findall(parts[i][1:-1])
        if not tokens:
            continue
        j = rng.randrange(len(tokens))
        token = tokens[j]
        if token[0].isdigit():
            tokens[j] = rng.choice(NUMBERS)
        elif token in SWAPS:
            tokens[j] = SWAPS[token]
        elif token.isidentifier():
            names = [t for p in quoted for t in TOKENS.findall(parts[p][1:-1]) if t.isidentifier()]
            tokens[j] = rng.choice(names)
        parts[i] = f'"{"".join(tokens)}"'
    return "".join(parts).encode()


def file(text: str, rng: Random) -> bytes:
    """A mutated file; sometimes after two mutations of different kinds."""
    if rng.random() < 0.5:
        return of_meaning(text, rng)
    changed = rng.choice((of_bytes, of_tokens, of_tokens, of_structure))(text, rng)
    if rng.random() < 0.15:
        changed = rng.choice((of_bytes, of_tokens))(changed.decode("utf-8", "replace") or " ", rng)
    return changed


# records


def nodes(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all nodes of a document."""
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


VARIANTS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    10**30,
    "",
    "x",
    "0",
    "1",
    "-1",
    "1/2",
    "2",
    "1000",
    [],
    [[]],
    {},
    ["oo"],
    ["pi"],
    ["name", "z"],
    ["name", "eps"],
    ["number", "1/2"],
    {"e": "0"},
    {"e": "1"},
    {"e": ["oo"]},
    {"q": "0"},
    {"q": "1"},
    {"q": "-1"},
    ["boolean", True],
    ["boolean", False],
    ["sum", "1"],
    ["sum", ["name", "x"]],
    "==",
    "<=",
    "<",
    ">=",
    "=",
    "never",
    "zero",
    "direct",
    "log",
    "sign",
    "proved",
    "ahdp",
    "swap",
    "any",
    "add-remove",
    "real",
    "integer",
    "scope: all datasets",
    "scope: all inputs",
    "scope: no moves",
)


def record(data: Any, rng: Random) -> Any:
    """A record with one to three nodes changed; often numbers by a little, so that much of it stays
    meaningful.
    """
    changed = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        changed = node_changed(changed, rng)
    return changed


def node_changed(changed: Any, rng: Random) -> Any:
    part = rng.choice(
        [
            k
            for k in (
                "claim",
                "claim",
                "certificate",
                "certificate",
                "counterexample",
                "counterexample",
                "scope",
                "trusts",
                "verdict",
            )
            if k in changed
        ]
    )
    paths = list(nodes(changed[part], (part,)))
    path = rng.choice(paths)
    old, place = at(changed, path), at(changed, path[:-1])
    pick = rng.random()
    if pick < 0.3 and isinstance(old, str) and re.fullmatch(r"-?\d+(/\d+)?", old):
        place[path[-1]] = rng.choice(
            ("0", "1", "-1", "2", "1/2", "3/2", "-" + old.lstrip("-"), old + "0", "1/3", "999/1000")
        )
    elif pick < 0.3 and type(old) is int:
        place[path[-1]] = old + rng.choice((1, -1, 2))
    elif pick < 0.45 and isinstance(place, list) and place:
        del place[path[-1]]
    elif pick < 0.55 and isinstance(place, list):
        place.insert(path[-1], copy.deepcopy(old))
    elif pick < 0.6 and isinstance(place, list) and len(place) > 1:
        rng.shuffle(place)
    elif pick < 0.8:
        place[path[-1]] = copy.deepcopy(at(changed, rng.choice(paths)))
    elif pick < 0.85 and isinstance(place, dict) and len(path) > 1:
        del place[path[-1]]
    else:
        place[path[-1]] = copy.deepcopy(rng.choice(VARIANTS))
    return changed


def digest(data: Any) -> str:
    return hashlib.sha256(
        json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


def fitted(changed: dict[str, Any]) -> dict[str, Any]:
    """The record with fingerprints and seal recomputed."""
    old = changed.get("fingerprint")
    changed = (
        json.loads(
            json.dumps(changed).replace(json.dumps(old), json.dumps(digest(changed.get("claim"))))
        )
        if old
        else changed
    )
    rest = {k: v for k, v in changed.items() if k != "sha256"}
    return {**rest, "sha256": digest(rest)}
