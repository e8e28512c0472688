"""Expressions as text, which parses back to the same tree (`ahdp_verify.kernel.terms.grammar`), and
names and messages on one line.

Any object with a `head` and `args` of the closed set in `ahdp_verify.kernel.terms.expression` is
printed, so this file needs no tree of its own. A part is put in parentheses if it binds less
tightly than its position requires; from loose to tight: or, and, not, comparison, sum (and every
leading minus), product, power, atom.  A product prints its number as p * ... / q and b ^ -1 as / b.

>>> from ahdp_verify.kernel.terms.expression import exp, name
>>> expression_text(exp(-abs(name("s") - 1) / 2) / 4)
'exp(-abs(s - 1)/2)/4'
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

OR, AND, NOT, COMPARISON, SUM, PRODUCT, POWER, ATOM = range(8)
COMPARISONS = ("==", "!=", "<", "<=")
LEVELS = {
    "or": OR,
    "and": AND,
    "not": NOT,
    **dict.fromkeys(COMPARISONS, COMPARISON),
    "+": SUM,
    "*": PRODUCT,
    "^": POWER,
}


class Node(Protocol):
    """What is printed: a head and its arguments."""

    @property
    def head(self) -> str:
        """The word from the closed set of heads."""

    @property
    def args(self) -> tuple[Any, ...]:
        """The sub-expressions, or the payload of a leaf."""


# Texts under a user's control (names, labels, paths, messages of other programs), written so that
# they cannot pose as anything else.
# There is one function for each place where they are shown; all code that shows such a text uses
# it.

LINE, NAME, WHOLE = 600, 160, sys.maxsize  # characters of one line, of one name, and all
# What needs no quotes: ASCII, since other letters may look alike, and no sign that ends a part of
# a verdict's line.
BARE = re.compile(r"(?! )(?!.* $)(?!.*  )(?!.*:(?: |$))[A-Za-z0-9 ,.\-_/+=^()':~{}\[\]]+")
# Words with which a name would pose as a verdict.
TELLING = re.compile(
    r"\b(?:is|are|level|(?i:proved|refuted|refused|vacuous|vacuously|valid|invalid)|Unknown|scope|witness|reasons|assumes|trusts|checker)\b"
)
# A part in quotes whose first and last mark can be distinguished by the characters next to them.
IN_QUOTES = re.compile(r'(?<![^ ({\[])"(?! )(?:[^"\\]|\\.)*(?<! )"(?![^ ,)}\]])')
# Characters that count as printable but are invisible.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
MARKS_LIKE_QUOTES = frozenset(
    "\u02ba\u02dd\u02ee\u05f4\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u301d\u301e\u3003\uff02"
)


def is_visible(c: str) -> bool:
    """Whether a character is visible as one sign: not a control or format character, and not a
    space other than the ordinary one.
    """
    return c.isprintable() and not INVISIBLE.match(c)


def one_line(text: str, most: int = LINE) -> str:
    """The text on one line: invisible characters as escapes, truncated after `most` characters with
    quotes closed.

    >>> one_line("a\\nProved: b"), one_line('"' + "a" * 9 + '" is', 8)
    ('a\\\\nProved: b', '"aaa..."')
    """
    if not text.isascii() or not text.isprintable():
        text = "".join(c if is_visible(c) else c.encode("unicode_escape").decode() for c in text)
    if len(text) <= most:
        return text
    kept = text[: most - 3]
    return f'{kept[:-1]}..."' if ends_in_quotes(kept) else f"{kept}..."


def ends_in_quotes(text: str) -> bool:
    """Whether a text ends inside double quotes."""
    return re.sub(r"\\.", "", text).count('"') % 2 == 1


def quoted(text: str) -> str:
    """The text in double quotes, on one line, as JSON and the grammar read it back; anything that
    could look like a closing quote is an escape.

    >>> print(quoted('a "b" \\u202e\\u201d'))
    "a \\"b\\" \\u202e\\u201d"
    """
    return "".join(
        c if is_visible(c) and c not in MARKS_LIKE_QUOTES else json.dumps(c)[1:-1]
        for c in json.dumps(text, ensure_ascii=False)
    )


def display_name(name: str, most: int = NAME) -> str:
    """A name as messages show it: bare if it cannot be mistaken for anything else, otherwise in
    double quotes; a very long one is shortened.

    >>> print(display_name("noisy sum, b = 1/2"), display_name("sum is AHDP at level 0; trusts: the checker alone"))
    noisy sum, b = 1/2 "sum is AHDP at level 0; trusts: the checker alone"
    """
    if not name or (len(name) <= most and is_bare(name)):
        return name
    return quoted(name if len(name) <= most else f"{name[: most - 3]}...")


def is_bare(name: str) -> bool:
    """Whether a name is unambiguous without quotes around it; it may contain well-formed quotes, as
    names built from labels do.
    """
    rest = IN_QUOTES.sub("()", name)
    return (
        BARE.fullmatch(rest) is not None
        and not TELLING.search(rest)
        and all(map(is_quoted, IN_QUOTES.findall(name)))
    )


def is_quoted(part: str) -> bool:
    """Whether a text is the output of `quoted`."""
    try:
        return quoted(str(json.loads(part))) == part
    except ValueError:
        return False


def named_path(path: object) -> str:
    """A path in a message: unabridged, in quotes if it needs them."""
    return display_name(str(path), WHOLE)


def expression_text(node: Node) -> str:
    """The text of a node in the package's own grammar."""
    printer = PRINTERS.get(node.head)
    return (
        printer(node) if printer else f"{node.head}({', '.join(map(expression_text, node.args))})"
    )


def short_text(shown: str, most: int = 80) -> str:
    """A text for a message: beyond `most` characters it ends with "..." at the end of a word, so
    that no name in it is cut.
    """
    if len(shown) <= most:
        return shown
    end = next(
        (
            i
            for i in range(most, 0, -1)
            if not (shown[i - 1].isalnum() and shown[i].isalnum()) and shown[i - 1] not in "@#_["
        ),
        most,
    )
    return shown[:end].rstrip() + " ..."


def binding_level(node: Node) -> int:
    """How tightly the text of a node binds; whatever starts with a minus binds like a sum."""
    if node.head == "number":
        return SUM if node.args[0] < 0 else ATOM if node.args[0].denominator == 1 else PRODUCT
    if node.head == "*" and coefficient(node)[0] < 0:
        return SUM
    if is_reciprocal(node):
        return PRODUCT
    return ATOM if is_root(node) else LEVELS.get(node.head, ATOM)


def _parenthesised(node: Node, least: int) -> str:
    """The text of a node, in parentheses unless it binds at least as tightly as `least`."""
    return expression_text(node) if binding_level(node) >= least else f"({expression_text(node)})"


def is_number_leaf(node: Node, value: Fraction | int) -> bool:
    """Whether a node is the leaf of one number."""
    return node.head == "number" and bool(node.args[0] == value)


def is_reciprocal(node: Node) -> bool:
    """Whether a node is b ^ -1."""
    return node.head == "^" and is_number_leaf(node.args[1], -1)


def is_root(node: Node) -> bool:
    """Whether a node is b ^ (1/2)."""
    return node.head == "^" and is_number_leaf(node.args[1], Fraction(1, 2))


def coefficient(node: Node) -> tuple[Fraction, tuple[Any, ...]]:
    """The leading number of a product (1 if it has none) and its other factors."""
    first = node.args[0]
    return (first.args[0], node.args[1:]) if first.head == "number" else (Fraction(1), node.args)


def indicator_condition(node: Node) -> Any | None:
    """The condition c of a node indicator(c), else None."""
    if (
        node.head == "piecewise"
        and len(node.args) == 4
        and is_number_leaf(node.args[0], 1)
        and is_number_leaf(node.args[2], 0)
    ):
        return node.args[1] if node.args[3].head == "boolean" and node.args[3].args[0] else None
    return None


def join_signed(pieces: list[str], last: Node) -> str:
    """Pieces joined by + or -; a positive number at the end (`last`) comes first where all would
    begin with a minus.
    """
    if pieces[0].startswith("-") and last.head == "number" and last.args[0] > 0:
        pieces = [pieces[-1], *pieces[:-1]]
    return pieces[0] + "".join(
        f" - {p[1:]}" if p.startswith("-") else f" + {p}" for p in pieces[1:]
    )


def _sum(node: Node) -> str:
    return join_signed(
        [
            expression_text(t) if t.head in ("*", "number") else _parenthesised(t, PRODUCT)
            for t in node.args
        ],
        node.args[-1],
    )


def _product(node: Node) -> str:
    number, factors = coefficient(node)
    pieces = (
        [str(abs(number.numerator))]
        if abs(number.numerator) != 1 or not factors or is_reciprocal(factors[0])
        else []
    )
    pieces += [
        f"/{_parenthesised(f.args[0], POWER)}"
        if is_reciprocal(f)
        else f"*{_parenthesised(f, POWER)}"
        for f in factors
    ]
    tail = f"/{number.denominator}" if number.denominator != 1 else ""
    return ("-" if number < 0 else "") + "".join(pieces).removeprefix("*") + tail


def _power(node: Node) -> str:
    base, exponent = node.args
    if is_root(node):
        return f"sqrt({expression_text(base)})"
    return (
        f"1/{_parenthesised(base, POWER)}"
        if is_reciprocal(node)
        else f"{_parenthesised(base, ATOM)}^{_parenthesised(exponent, POWER)}"
    )


def _infix(node: Node) -> str:
    left, right = node.args
    place = LEVELS[node.head]
    return (
        f"{_parenthesised(left, place + (node.head in COMPARISONS))} {node.head} "
        f"{_parenthesised(right, place + 1)}"
    )


def _record_sum(node: Node) -> str:
    condition = indicator_condition(node.args[0])
    if condition is not None:
        return f"count({expression_text(condition)})"
    return "size" if is_number_leaf(node.args[0], 1) else f"sum({expression_text(node.args[0])})"


def _piecewise(node: Node) -> str:
    return f"piecewise({', '.join(f'({expression_text(v)}, {expression_text(c)})' for v, c in zip(node.args[::2], node.args[1::2], strict=True))})"


PRINTERS: dict[str, Callable[[Node], str]] = {
    "number": lambda node: str(node.args[0]),
    "name": lambda node: str(node.args[0]),
    "label": lambda node: quoted(node.args[0]),
    "boolean": lambda node: "true" if node.args[0] else "false",
    "oo": lambda node: "oo",
    "pi": lambda node: "pi",
    "index": lambda node: f"{expression_text(node.args[0])}[{expression_text(node.args[1])}]",
    "not": lambda node: f"not {_parenthesised(node.args[0], ATOM)}",
    "+": _sum,
    "*": _product,
    "^": _power,
    **dict.fromkeys((*COMPARISONS, "and", "or"), _infix),
    "sum": _record_sum,
    "piecewise": _piecewise,
}
