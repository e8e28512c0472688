"""Reading what is printed: expressions, events, and the line of a refutation; a grammar of its own.

An event is read as people read it: a box of intervals and values, including points of mass inside
unless the text excludes them, and further points.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from mpmath import mp, mpf

from fuzz.oracle.trees import CannotTell, Label, Tree, equal, value

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<name>[A-Za-z_@#]\w*(?:\[\d+\])?'*)"
    r'|(?P<label>"(?:[^"\\]|\\.)*")|(?P<op>==|!=|<=|>=|[-+*/^()<>=,\[\]]))'
)


class Unreadable(Exception):
    """The text is not of the form that the package prints."""


class Reading:
    """A text as tokens, read from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            m = TOKEN.match(text, at)
            if m is None:
                raise Unreadable(text[at : at + 40])
            self.tokens.append(m.group().strip())
            at = m.end()
        self.i = 0

    @property
    def next(self) -> str:
        return self.tokens[self.i] if self.i < len(self.tokens) else ""

    def take(self, *expected: str) -> str:
        token = self.next
        if expected and token not in expected:
            raise Unreadable(f"{token!r} where {expected} is expected")
        self.i += 1
        return token

    def took(self, *words: str) -> bool:
        if self.tokens[self.i : self.i + len(words)] == list(words):
            self.i += len(words)
            return True
        return False

    def sum(self) -> Tree:
        minus = self.took("-")
        total: list[Tree] = ["+", negated(self.product()) if minus else self.product()]
        while self.next in ("+", "-"):
            sign = self.take()
            total.append(negated(self.product()) if sign == "-" else self.product())
        return total if len(total) > 2 else total[1]

    def product(self) -> Tree:
        found = self.power()
        while self.next in ("*", "/"):
            op, right = self.take(), self.power()
            found = ["*", found, right if op == "*" else ["^", right, "-1"]]
        return found

    def power(self) -> Tree:
        base = self.atom()
        if self.took("^"):
            minus = self.took("-")
            exponent = self.power()
            return ["^", base, negated(exponent) if minus else exponent]
        return base

    def atom(self) -> Tree:
        token = self.take()
        if token == "(":
            found = self.sum()
            self.take(")")
            return found
        if token and token[0].isdigit():
            return token
        if token and token[0] == '"':
            return ["label", json.loads(token)]
        if token in ("oo", "pi"):
            return [token]
        if token and (token[0].isalpha() or token[0] in "_@#"):
            if self.next != "(":
                return ["name", token]
            return self.call(token)
        raise Unreadable(f"{token!r} is not an expression")

    def call(self, name: str) -> Tree:
        self.take("(")
        args = [self.condition()]
        while self.took(","):
            if name == "piecewise" or self.next != "(":
                args.append(self.condition())
            else:
                args.append(self.condition())
        self.take(")")
        if name == "sqrt":
            return ["^", args[0], "1/2"]
        if name in (
            "exp",
            "log",
            "sin",
            "cos",
            "atan",
            "erf",
            "theta3",
            "abs",
            "sign",
            "floor",
            "mod",
            "binomial",
            "min",
            "max",
        ):
            return [name, *args]
        if name == "clip":
            return ["min", ["max", args[0], args[1]], args[2]]
        raise Unreadable(name)

    def condition(self) -> Tree:
        left = self.sum()
        if self.next in ("==", "!=", "<", "<="):
            return [self.take(), left, self.sum()]
        if self.next in (">", ">="):
            op = self.take()
            return ["<" if op == ">" else "<=", self.sum(), left]
        return left


def negated(e: Tree) -> Tree:
    return ["*", "-1", e]


def expression(text: str) -> Tree:
    """The tree of a printed expression."""
    reading = Reading(text)
    found = reading.sum()
    if reading.next:
        raise Unreadable(text[:60])
    return found


@dataclass
class EventText:
    """The content of a printed event."""

    intervals: list[tuple[str, Tree | None, Tree | None]] = field(default_factory=list)
    values: list[tuple[str, list[Tree]]] = field(default_factory=list)
    outcomes: list[list[Tree]] = field(default_factory=list)
    atoms: list[Tree] = field(default_factory=list)
    without: list[Tree] = field(default_factory=list)
    box: bool = True
    numbers: set[str] = field(default_factory=set)


def event(text: str, outputs: list[str]) -> EventText:
    """The event of a printed text; raises Unreadable if it has another form."""
    found, r = EventText(), Reading(text)
    if text == "no output":
        found.box = False
        return found
    if r.tokens[:3] == ["the", "output", "is"]:
        points(r, found, outputs)
        found.box = bool(found.outcomes)
        end(r, text)
        return found
    if not r.took("any", "output"):
        box(r, found, outputs)
    if r.took("except"):
        left_out(r, found, outputs)
    r.took(",")
    if r.next == "or":
        r.take()
        points(r, found, outputs)
    end(r, text)
    return found


def end(r: Reading, text: str) -> None:
    if r.next:
        raise Unreadable(text[:80])


def points(r: Reading, found: EventText, outputs: list[str]) -> None:
    """the output is a or the output is b; the output is 0 or 1; the output is (0, 1) or (1, 1)."""
    while True:
        if not r.took("the", "output", "is") and not (found.outcomes or found.atoms):
            raise Unreadable("points")
        found.atoms.append(point(r, outputs))
        if not r.took("or"):
            return


def point(r: Reading, outputs: list[str]) -> Tree:
    if len(outputs) > 1:
        r.take("(")
        listed = [r.sum()]
        while r.took(","):
            listed.append(r.sum())
        r.take(")")
        return ["point", *listed]
    return r.sum()


def box(r: Reading, found: EventText, outputs: list[str]) -> None:
    while True:
        part(r, found, outputs)
        if not r.took("and"):
            return


def part(r: Reading, found: EventText, outputs: list[str]) -> None:
    """s < 1, 0 <= s < 1, s >= 0, s is a number, r = 1 or r = 2, (r = 1 or r = 2)."""
    closed = r.tokens[r.i : r.i + 3] if r.next == "(" else []
    if len(closed) == 3 and closed[1] in outputs and closed[2] == "=":
        r.take("(")
        values(r, found)
        r.take(")")
        return
    if r.next in outputs and r.tokens[r.i + 1 : r.i + 2] == ["="]:
        values(r, found)
        return
    if r.next in outputs and r.tokens[r.i + 1 : r.i + 4] == ["is", "a", "number"]:
        found.numbers.add(r.take())
        r.i += 3
        return
    left = r.sum()
    op = r.take("<", "<=", ">=")
    if op == "<=":
        name = r.take()
        r.take("<")
        found.intervals.append((name, left, r.sum()))
    else:
        assert isinstance(left, list) and left[0] == "name", left
        right = r.sum()
        found.intervals.append((left[1], None, right) if op == "<" else (left[1], right, None))


def values(r: Reading, found: EventText) -> None:
    name = r.take()
    r.take("=")
    listed = [r.sum()]
    while r.tokens[r.i : r.i + 3] == ["or", name, "="]:
        r.i += 3
        listed.append(r.sum())
    found.values.append((name, listed))


def left_out(r: Reading, found: EventText, outputs: list[str]) -> None:
    while True:
        if r.next in outputs and r.tokens[r.i + 1 : r.i + 2] == ["="]:
            r.i += 2
        found.without.append(r.sum())
        if not r.took("and"):
            return


def contains(e: EventText, outputs: list[str], point_: dict[str, Any]) -> bool:
    """Whether one output, a value for each name, is in the event."""
    if any(matches(a, outputs, point_) for a in e.atoms):
        return True
    if not e.box or any(matches(a, outputs, point_) for a in e.without):
        return False
    for n, low, high in e.intervals:
        s = point_[n]
        if isinstance(s, Label):
            return False
        if low is not None and s < at(low, point_) and not equal(s, at(low, point_)):
            return False
        if high is not None and (s > at(high, point_) or equal(s, at(high, point_))):
            return False
    if any(isinstance(point_[n], Label) for n in e.numbers):
        return False
    return all(any(equal(point_[n], at(v, point_)) for v in listed) for n, listed in e.values)


def at(e: Tree, point_: dict[str, Any]) -> Any:
    return value(e, point_)


def matches(a: Tree, outputs: list[str], point_: dict[str, Any]) -> bool:
    if isinstance(a, list) and a and a[0] == "point":
        return all(equal(value(v, {}), point_[n]) for v, n in zip(a[1:], outputs, strict=True))
    return equal(value(a, {}), point_[outputs[0]])


def shown_number(text: str) -> tuple[mpf, mpf]:
    """A printed number and how exact it is: an expression, or a decimal rounded to its digits."""
    left, _, right = text.rpartition(" = ")
    exact = left or right
    try:
        found = value(expression(exact), {})
    except (Unreadable, CannotTell):
        if not left:
            raise
        found, exact = value(expression(right), {}), right
    if re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", exact):
        return found, rounding(exact)
    return found, abs(found) * mpf(10) ** -30 + mpf(10) ** -40


def rounding(decimal: str) -> mpf:
    """Half a unit of the last place of a decimal, six significant digits assumed where zeros
    were dropped.
    """
    found = mpf(decimal)
    if found == 0:
        return mpf(10) ** -6
    return abs(found) * mpf(10) ** -5


__all__ = ["EventText", "contains", "event", "expression", "mp", "shown_number"]
