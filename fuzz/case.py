"""One case of the attack, and its outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Outcome:
    """The answer of the package and the judgement of the oracle.

    wrong    contradictions that are certain
    undecided   why the oracle could not decide
    source   the question, as text from which it can be repeated
    answers  one word for each answer: proved, refuted, unknown, refused, bound ...
    over     processor time beyond the limit, in words
    """

    kind: str
    source: str = ""
    answers: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    suspect: list[str] = field(default_factory=list)
    settled: int = 0
    over: list[str] = field(default_factory=list)
    error: str = ""
    seconds: float = 0.0
    seed: int = 0

    @property
    def is_finding(self) -> bool:
        """Whether something is wrong with the package, and not only open."""
        return bool(self.wrong or self.error or self.over)

    @property
    def findings(self) -> str:
        """What is wrong, in one line."""
        last = self.error.strip().splitlines()[-1:]
        return "; ".join((*self.wrong, *self.over, *last))


def toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(k)} = {toml(v)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(toml(v) for v in value) + "]"


def key(k: str) -> str:
    return k if k.replace("_", "").replace("-", "").isalnum() and k.isascii() else quoted(k)


def quoted(s: str) -> str:
    out = "".join(
        c
        if c.isprintable() and c not in '"\\'
        else f"\\u{ord(c):04x}"
        if ord(c) < 65536
        else f"\\U{ord(c):08x}"
        for c in s
    )
    return f'"{out}"'


def document(data: dict[str, Any]) -> str:
    """A TOML file: tables one level deep, lists of tables as such."""
    lines = [f"{key(k)} = {toml(v)}" for k, v in data.items() if not is_table(v)]
    for k, v in data.items():
        for table in ([v] if isinstance(v, dict) else v) if is_table(v) else []:
            lines.append(f"\n[{key(k)}]" if isinstance(v, dict) else f"\n[[{key(k)}]]")
            lines += [f"{key(a)} = {toml(b)}" for a, b in table.items()]
    return "\n".join(lines) + "\n"


def is_table(v: Any) -> bool:
    return isinstance(v, dict) or (isinstance(v, list) and bool(v) and isinstance(v[0], dict))
