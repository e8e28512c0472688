"""Section 1: which names, values, conditions and formulas have a meaning.

Nothing can be shown of a claim without a clear meaning.  So all this is asked when a claim is read,
whatever its evidence needs of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recheck.forms import Form, constant_sign
from recheck.limits import CLOCK, Rejected, need
from recheck.signs import Context
from recheck.trees import AGGREGATES, Tree, at_most, conjuncts, name, need_scoped, number, walk

FUNCTIONS = ("exp", "log", "sqrt", "abs", "sign", "floor", "mod", "binomial", "min", "max", "clip")
SMOOTH = ("sin", "cos", "atan", "erf", "theta3")
OVER_MANY = ("sum", "maximum", "minimum", "count", "total", "product", "indicator", "piecewise")
OF_QUERIES = ("ordered",)
WORDS = {
    *FUNCTIONS,
    *SMOOTH,
    *OVER_MANY,
    *OF_QUERIES,
    "pi",
    "oo",
    "true",
    "false",
    "size",
    "and",
    "or",
    "not",
}
DECLARED = re.compile(r"([A-Za-z_]\w{0,59})(?:\[([1-9][0-9]{0,3})\])?", re.ASCII)
NUMERAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(/[0-9]+)?", re.ASCII)
ARITHMETIC = (
    *("+", "*", "^", "exp", "log", "abs", "sign", "floor", "mod", "min", "max", "binomial"),
    *SMOOTH,
)
MOST_PARTS = 10_000  # of a vector, and query answers

# kinds of expressions
NUMBER, LABEL, CONDITION, INFINITE = "a number", "a label", "a condition", "infinite"
AMOUNT = (NUMBER, INFINITE)
OF_LEAF = {"number": NUMBER, "pi": NUMBER, "label": LABEL, "boolean": CONDITION, "oo": INFINITE}
TAKES = {
    **dict.fromkeys(("==", "!="), (NUMBER, LABEL, INFINITE)),
    **dict.fromkeys(("<", "<=", "piecewise"), AMOUNT),
    **dict.fromkeys(("and", "or", "not"), (CONDITION,)),
}
CONDITIONS = ("==", "!=", "<", "<=", "and", "or", "not")


# names


def base_of(key: str) -> str:
    """The name of the vector of which a name is a part, or the name itself."""
    return key.partition("[")[0]


def need_names(keys: Iterable[str]) -> None:
    """Raises unless each name is one that users can type, and is declared once.

    The parts of a vector are declared as 1, 2, 3, ... in this order.
    """
    parts: dict[str, list[str | None]] = {}
    for key in keys:
        found = DECLARED.fullmatch(key)
        if found is None:
            raise Rejected("a declared name is not one that users can type")
        need(found[1] not in WORDS, "a declared name is a word of the language")
        parts.setdefault(found[1], []).append(found[2])
    for numbers in parts.values():
        need(
            numbers in ([None], [str(i + 1) for i in range(len(numbers))]),
            "a name is declared twice, or a vector lacks a part",
        )


# labels, values and demands


def need_label(label: Tree) -> None:
    """Raises unless the label is not written as a number."""
    need(NUMERAL.fullmatch(label.value.strip()) is None, "a label reads as a number")


def need_value(v: Tree) -> None:
    """Raises unless v is a label, or a constant that has a value."""
    if v.head == "label":
        need_label(v)
    else:
        need(
            all(e.head in ("number", "pi", *ARITHMETIC) for e in walk(v)),
            "a value is not a constant",
        )
        Context().form(v)


def need_demand(v: Tree, parameters: Iterable[str]) -> None:
    """Raises unless v is oo, a constant not known to be < 0, or a number given by parameters."""
    need_scoped(v, parameters)
    if v.head == "oo":
        return
    allowed = ("number", "pi", "name", *ARITHMETIC)
    need(all(e.head in allowed for e in walk(v)), "a demand is not a number")
    if not v.names:
        need(constant_sign(Context().form(v)) != -1, "a demand is below 0")


def need_rows(rows: Sequence[Mapping[str, Tree]], parameters: Sequence[str]) -> None:
    """Raises unless these are different records, or values of one person, of the same parts."""
    for row in rows:
        need(len(row) <= MOST_PARTS, "a value has too many parts")
        need([*row] == [*rows[0]], "records or values have different parts")
        for n, v in row.items():
            if n == "eps":
                need_demand(v, parameters)
            else:
                need_value(v)
    keys = {tuple(map(key_of, row.values())) for row in rows}
    need(len(keys) == len(rows), "a record or a value is listed twice")


def key_of(v: Tree) -> Tree | Form:
    """A key that equal values have in common: the normal form, for constants that have one."""
    try:
        return v if v.head in ("label", "oo") else Context().form(v)
    except Rejected:
        return v


# possible values of names, and which comparisons can hold


@dataclass(frozen=True)
class Choice:
    """The possible values of an expression: `values`, and any number if `numbers`.

    It may be compared with what is in `asked`: its values and those of similar parts of its vector.
    """

    values: tuple[Tree, ...]
    numbers: bool
    asked: frozenset[Tree]

    @property
    def is_label(self) -> bool:
        """True if it is always a label."""
        return (
            bool(self.values) and not self.numbers and all(v.head == "label" for v in self.values)
        )

    @property
    def computed(self) -> list[Tree]:
        """What it may be compared with that is neither a label nor written as a rational number."""
        return [v for v in self.asked if v.head not in ("label", "number")]


def choice(values: Iterable[Tree], *, numbers: bool = False, asked: Iterable[Tree] = ()) -> Choice:
    listed = tuple(values)
    return Choice(listed, numbers, frozenset((*listed, *asked)))


ANYTHING = choice((), numbers=True)
Choices = Mapping[str, Choice]


def choices_of(rows: Sequence[Mapping[str, Tree]]) -> dict[str, Choice]:
    """The possible values of the parts of records or values.

    Parts that have a value in common may be compared with the values of each other.
    """
    names = [n for n in (rows[0] if rows else ()) if n != "eps"]
    columns = {n: frozenset(row[n] for row in rows) for n in names}
    different = frozenset(columns.values())
    near = {one: frozenset[Tree]().union(*(c for c in different if one & c)) for one in different}
    return {n: choice(column, asked=near[column]) for n, column in columns.items()}


def choice_of(e: Tree, choices: Choices) -> Choice:
    """The possible values of a side of a comparison."""
    if e.head == "name":
        return choices.get(e.value, ANYTHING)
    open_ended = any(node.head in ("name", "piecewise", *AGGREGATES) for node in walk(e))
    return ANYTHING if open_ended else choice((e,))


def may_meet(a: Choice, b: Choice) -> bool:
    """False only if the two sides have no possible value in common."""
    if a.asked & b.asked or (a.numbers and not b.is_label) or (b.numbers and not a.is_label):
        return True
    pairs = [(v, w) for v in a.computed for w in b.values]
    pairs += [(w, v) for v in b.computed for w in a.values]
    return not all(known_to_differ(v, w) for v, w in pairs)


def known_to_differ(a: Tree, b: Tree) -> bool:
    if {a.head, b.head} & {"label", "oo"}:
        return a is not b
    try:
        return constant_sign(Context().form(a) - Context().form(b)) in (1, -1)
    except Rejected:
        return False


def need_met(c: Tree, choices: Choices) -> None:
    """Raises unless the sides of == or != may be equal; constants without a label may differ."""
    left, right = (choice_of(side, choices) for side in c.args)
    if may_meet(left, right):
        return
    labels = any(v.head == "label" for v in left.asked | right.asked)
    named = any(side.head == "name" for side in c.args)
    need(not labels and not named, "a comparison can never hold")


# the kind of an expression


@dataclass
class Reading:
    """How expressions are read: what names may be, and whether comparisons must be possible."""

    choices: Choices = field(default_factory=dict)
    strict: bool = True
    known: dict[Tree, str] = field(default_factory=dict)

    def need(self, e: Tree, *kinds: str) -> None:
        """Raises unless e is well formed, and of one of these kinds."""
        need(self.kind(e) in kinds, "an expression is of the wrong kind")

    def kind(self, e: Tree) -> str:
        """The kind of e; raises if e or a part of it is not well formed."""
        if e not in self.known:
            CLOCK.ask()
            self.known[e] = self.found(e)
        return self.known[e]

    def found(self, e: Tree) -> str:
        if e.head == "label":
            need_label(e)
        if e.head in OF_LEAF:
            return OF_LEAF[e.head]
        if e.head == "name":
            return LABEL if self.choices.get(e.value, ANYTHING).is_label else NUMBER
        for i, part in enumerate(e.args):
            condition = e.head == "piecewise" and i % 2
            self.need(part, *((CONDITION,) if condition else TAKES.get(e.head, (NUMBER,))))
        if self.strict and e.head in ("==", "!="):
            need_met(e, self.choices)
        if e.head in CONDITIONS:
            return CONDITION
        endless = e.head == "piecewise" and INFINITE in map(self.kind, e.args[::2])
        return INFINITE if endless else NUMBER


def need_conditions(named: Iterable[tuple[str, Tree]], names: Iterable[str]) -> None:
    """Raises unless these are conditions on the names, each of which is a number."""
    known = frozenset(names)
    for _, c in named:
        need_scoped(c, known)
        need(all(e.head != "label" for e in walk(c)), "a condition of a number mentions a label")
        Reading(strict=False).need(c, CONDITION)


def need_demand_unknown(unknowns: Iterable[tuple[str, Tree]]) -> None:
    """Raises unless the demand is an unknown, whose first condition is that it is >= 0."""
    at_least_zero = at_most(number(0), name("eps"))
    for n, c in unknowns:
        if n == "eps":
            need(
                c is at_least_zero or (c.head == "and" and at_least_zero in c.args),
                "a demand may be below 0",
            )
            return
    raise Rejected("a record has no demand")


# where records may be taken away, or added


def is_count(e: Tree) -> bool:
    """True only of a sum over records of numbers >= 0."""
    if e.head != "sum":
        return False
    values = e.args[0].args[::2] if e.args[0].head == "piecewise" else e.args
    return all(v.head == "number" and v.value >= 0 for v in values)


def is_still(e: Tree) -> bool:
    return e.head == "number" or (e.head == "name" and e.value not in ("x", "eps"))


def is_closed(defined: Tree, side: int) -> bool:
    """Every condition is `count <= still` (side 0), or `still <= count` (side 1)."""
    return all(
        (c.head == "boolean" and c.value)
        or (c.head == "<=" and is_count(c.args[side]) and is_still(c.args[1 - side]))
        for c in conjuncts(defined)
    )


def is_closed_below(defined: Tree) -> bool:
    """True only if records may be taken away."""
    return is_closed(defined, 0)


def is_joined(defined: Tree) -> bool:
    """True only if records may be taken away, or if they may be added."""
    return is_closed(defined, 0) or is_closed(defined, 1)
