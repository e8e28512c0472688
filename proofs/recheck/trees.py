"""Section 2 of FORMAT.md: expressions.

A tree is made once: equal trees are one object, so that they are compared by identity and what is
worked out about one is kept with it.  `forget` starts anew before every record.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from recheck.limits import CLOCK, DIGITS, TREE_DEPTH, TREE_NODES, NotCovered, Rejected, cover, need

ARITIES = {
    **dict.fromkeys(("oo", "pi"), 0),
    **dict.fromkeys(("sin", "cos", "atan", "erf", "theta3"), 1),
    **dict.fromkeys(("exp", "log", "abs", "sign", "floor", "not"), 1),
    **dict.fromkeys(("sum", "maximum", "minimum"), 1),
    **dict.fromkeys(("^", "mod", "binomial", "==", "!=", "<", "<=", "and", "or"), 2),
}
OF_VECTORS = {"index": 2, "product": 1, "ordered": 2, "total": 4}  # in queries on vectors only
AT_LEAST_ONE = ("+", "*", "min", "max", "piecewise")
PAYLOAD = {"name": str, "label": str, "boolean": bool}
COMPARISONS = ("==", "!=", "<", "<=")
AGGREGATES = {"sum": "+", "maximum": "max", "minimum": "min"}
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", re.ASCII)
NAME = re.compile(r"@level|@order|[@#][cd]?[0-9]+|[A-Za-z_]\w*(\[[1-9][0-9]*\])?'*", re.ASCII)

Number = int | Fraction


# sums, products and exponentials: their normal forms need no facts
PLAIN = ("number", "name", "pi", "+", "*", "exp")


class Tree:
    """`value` is what a number, a name, a label or a boolean is; other trees have `args`.  Of a
    plain tree `form` is the normal form, once it is known.
    """

    __slots__ = ("args", "form", "head", "is_plain", "names", "value")

    def __init__(self, head: str, args: tuple[Tree, ...], value: Any) -> None:
        self.head, self.args, self.value = head, args, value
        self.is_plain: bool = head in PLAIN and all(a.is_plain for a in args)
        self.form: Any = None
        inside = frozenset((value,)) if head == "name" else frozenset()
        self.names: frozenset[str] = inside.union(*(a.names for a in args))

    @property
    def label_free(self) -> bool:
        """True if it is neither a label nor infinity."""
        return self.head not in ("label", "oo")


MADE: dict[tuple[Any, ...], Tree] = {}


def forget() -> None:
    """Frees the trees of earlier records."""
    MADE.clear()


def make(head: str, *args: Tree, value: Any = None) -> Tree:
    """The one tree with this head and these arguments."""
    key = (head, args, type(value), value)
    if (found := MADE.get(key)) is None:
        cover(len(MADE) < TREE_NODES, "its expressions are too large")
        CLOCK.ask()
        found = MADE[key] = Tree(head, args, value)
    return found


def number(value: Number) -> Tree:
    """The tree of a number; whole numbers are kept as `int`."""
    return make("number", value=value.numerator if value.denominator == 1 else value)


def name(text: str) -> Tree:
    return make("name", value=text)


def boolean(value: bool) -> Tree:
    return make("boolean", value=value)


def infinity() -> Tree:
    return make("oo")


def plus(*terms: Tree) -> Tree:
    return make("+", *terms)


def times(*factors: Tree) -> Tree:
    return make("*", *factors)


def negated(e: Tree) -> Tree:
    return make("*", number(-1), e)


def minus(a: Tree, b: Tree) -> Tree:
    return plus(a, negated(b))


def at_most(a: Tree, b: Tree) -> Tree:
    """The condition a <= b."""
    return make("<=", a, b)


def is_number(e: Tree) -> bool:
    return e.head == "number"


def is_true(e: Tree) -> bool:
    return e.head == "boolean" and e.value is True


# from JSON


def rational(text: Any) -> Number:
    """The number of a text in lowest terms."""
    need(
        isinstance(text, str) and NUMBER.fullmatch(text) is not None,
        "a number is not written as one",
    )
    cover(len(text) <= DIGITS, f"a number has more than {DIGITS} digits")
    top, bar, bottom = text.partition("/")
    n, d = int(top), int(bottom or 1)
    lowest = math.gcd(n, d) == 1 and d > 1 if bar else text != "-0"
    need(lowest, "a number is not in lowest terms")
    return Fraction(n, d) if bar else n


def read(data: Any, depth: int = 0, arities: Mapping[str, int] = ARITIES) -> Tree:
    """The tree of its JSON."""
    if isinstance(data, str):
        return number(rational(data))
    need(
        isinstance(data, list) and bool(data) and isinstance(data[0], str),
        "what should be an expression is none",
    )
    need(depth <= TREE_DEPTH, f"an expression is more than {TREE_DEPTH} deep")
    head, args = data[0], data[1:]
    if head in PAYLOAD:
        return read_payload(head, args)
    if head == "index" and head not in arities:
        raise NotCovered("a part of the input with a computed index")
    need(head in arities or head in AT_LEAST_ONE, "an expression has an unknown head")
    need(
        len(args) == arities.get(head, len(args)), "an expression has too many or too few arguments"
    )
    need(bool(args) or head in arities, "an expression has no arguments")
    need(
        head != "piecewise" or len(args) % 2 == 0,
        "a piecewise expression has a value without a condition",
    )
    return make(head, *(read(a, depth + 1, arities) for a in args))


def read_payload(head: str, args: list[Any]) -> Tree:
    """A name, a label, or a boolean."""
    need(len(args) == 1 and type(args[0]) is PAYLOAD[head], f"a {head} has an invalid argument")
    need(head != "name" or NAME.fullmatch(args[0]) is not None, "a name is not well formed")
    return make(head, value=args[0])


# going through trees


def walk(*roots: Tree) -> Iterator[Tree]:
    """Every different node once, in the order of first appearance, parents before arguments."""
    seen: set[Tree] = set()
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack.extend(reversed(node.args))


def rebuild(e: Tree, change: Callable[[Tree], Tree | None]) -> Tree:
    """e with every node replaced for which `change` returns a tree, from the top."""
    CLOCK.ask()
    done: dict[Tree, Tree] = {}

    def of(node: Tree) -> Tree:
        new = done.get(node)
        if new is None:
            new = change(node)
            if new is None:
                new = node
                if node.args:
                    args = tuple(map(of, node.args))
                    new = node if args == node.args else make(node.head, *args)
            done[node] = new
        return new

    return of(e)


def substitute(e: Tree, values: Mapping[str, Tree]) -> Tree:
    """e with names replaced, all at once.  Inside sums over records, names of a record stay."""
    if e.names.isdisjoint(values):
        return e
    free = {n: v for n, v in values.items() if n.split("[")[0] not in ("x", "eps")}

    def change(node: Tree) -> Tree | None:
        if node.names.isdisjoint(values):
            return node
        if node.head == "name":
            return values[node.value]
        if node.head in AGGREGATES and len(free) < len(values):
            return make(node.head, substitute(node.args[0], free))
        return None

    return rebuild(e, change)


def conjuncts(c: Tree) -> list[Tree]:
    """The parts of an `and`, in order."""
    return [p for part in c.args for p in conjuncts(part)] if c.head == "and" else [c]


def conjunction(parts: Iterable[Tree]) -> Tree:
    """The condition that all of them hold."""
    found: Tree | None = None
    for part in parts:
        found = part if found is None else make("and", found, part)
    return boolean(True) if found is None else found


def branches(e: Tree) -> list[Tree]:
    """The branches of an expression: its value is that of one of them."""
    return [v for part in e.args[::2] for v in branches(part)] if e.head == "piecewise" else [e]


def is_scoped(e: Tree, outer: frozenset[str], body: frozenset[str]) -> bool:
    """Whether names outside sums over records are in `outer`, and those inside in `body`.

    Sums over records stand nowhere if `body` is empty, and never in one another.
    """
    if e.head in AGGREGATES:
        return bool(body) and is_scoped(e.args[0], body, frozenset())
    if e.head == "name":
        return e.value in outer
    return all(is_scoped(a, outer, body) for a in e.args)


def need_scoped(e: Tree, outer: Iterable[str], body: Iterable[str] = ()) -> None:
    if not is_scoped(e, frozenset(outer), frozenset(body)):
        raise Rejected("an expression mentions a name that is not allowed there")
