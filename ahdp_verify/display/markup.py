"""Expressions as LaTeX, and any text in HTML, in Markdown and in a LaTeX document.

Free text (names, labels, messages of other programs) is escaped, so that it prints as it is and
cannot be taken for markup.  The kernel itself produces plain text only.

>>> from ahdp_verify.kernel.terms.expression import name
>>> print(latex(name("x") / name("eps")))
\\frac{x}{\\varepsilon}
>>> escape_html("<b>"), upright_latex("50%")
('&lt;b&gt;', '\\\\text{50\\\\%}')
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from ahdp_verify.kernel.terms.printing import (
    ATOM,
    COMPARISONS,
    LEVELS,
    POWER,
    PRODUCT,
    WHOLE,
    Node,
    binding_level,
    coefficient,
    indicator_condition,
    is_number_leaf,
    is_reciprocal,
    is_root,
    join_signed,
    one_line,
    quoted,
)

WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")


IDENTIFIER = re.compile(r"[A-Za-z0-9_']*")


def escape_html(text: str) -> str:
    """The text in HTML, as an element or in quotes."""
    return html.escape(one_line(text, WHOLE))


MARKED = {c: f"\\{c}" for c in "\\`*_{}[]>#$|~"} | {
    "<": "&lt;",
    "&": "&amp;",
}  # not every dialect takes a backslash before <


def escape_markdown(text: str) -> str:
    """The text in Markdown, with nothing left that would be read as markup."""
    return "".join(MARKED.get(c, c) for c in one_line(text, WHOLE))


# Look-alikes of what no dialect has in \text, and of what is a tag, a link, code or a cell's end to
# a reader of Markdown that knows no mathematics.
SPECIAL = {c: rf"\{c}" for c in "#$%&_{}"} | dict(zip("\\^~<>`*|[]", "∖ˆ∼＜＞ˋ∗∣［］", strict=True))


def upright_latex(text: str) -> str:
    """The text as upright LaTeX inside mathematics, of a document and of Markdown."""
    return rf"\text{{{''.join(SPECIAL.get(c, c) for c in one_line(text, WHOLE))}}}"


IN_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\textbar{}",
}


OF_LOOK_ALIKE = {
    "∖": r"\ensuremath{\backslash}",
    "ˆ": r"\^{}",
    "∼": r"\ensuremath{\sim}",
    "＜": r"\ensuremath{<}",
    "＞": r"\ensuremath{>}",
    "ˋ": r"\`{}",
    "∗": r"\ensuremath{\ast}",
    "∣": r"\ensuremath{|}",
    "［": "[",
    "］": "]",
}


def escape_latex(text: str) -> str:
    """The text in a LaTeX document, outside of mathematics: it prints as it is, and what fonts
    may lack as its number.
    """
    return "".join(
        IN_TEX.get(c, c if c.isascii() and c.isprintable() else _numbered_character(c))
        for c in text
    ).replace("--", "-{}-")


def ascii_only(mathematics: str) -> str:
    """LaTeX mathematics with what is not ASCII (in labels) written so that pdflatex prints it."""
    return "".join(
        c if c.isascii() and c.isprintable() else OF_LOOK_ALIKE.get(c, _numbered_character(c))
        for c in mathematics
    )


def _numbered_character(c: str) -> str:
    """A character by its number."""
    return f"[U+{ord(c):04X}]"


LETTERS = (
    "alpha beta gamma delta zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi chi psi "
    "omega "
    "Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega"
)


GREEK = {"eps": "varepsilon", "epsilon": "varepsilon"} | {
    letter: letter for letter in LETTERS.split()
}


SIGNS = {"==": "=", "!=": r"\ne", "<": "<", "<=": r"\le", "and": r"\land", "or": r"\lor"}


RECORDS = r"_{(x, \varepsilon) \in D}"


def latex(node: Node) -> str:
    """The LaTeX of a node, for mathematics mode; sums over records run over (x, eps) in D."""
    printer = LATEX.get(node.head)
    return (
        printer(node)
        if printer
        else rf"\operatorname{{{node.head}}}\left({', '.join(map(latex, node.args))}\right)"
    )


def bounded_latex(what: str, low: Node | None, high: Node | None) -> str:
    """A formula for something that lies between two bounds, which may be missing or equal.

    >>> from ahdp_verify.kernel.terms.expression import number
    >>> print(bounded_latex("b", number(1), None), bounded_latex("b", number(1), number(1)))
    1 \\le b b = 1
    """
    if low is not None and low == high:
        return f"{what} = {latex(low)}"
    if low is None and high is None:
        return rf"{what}\ {upright_latex('was not found')}"
    left = "" if low is None else rf"{latex(low)} \le "
    return f"{left}{what}" + ("" if high is None else rf" \le {latex(high)}")


def _latex_in(node: Node, least: int) -> str:
    return latex(node) if binding_level(node) >= least else rf"\left({latex(node)}\right)"


def _latex_name(node: Node) -> str:
    stem, _, index = str(node.args[0]).partition("[")
    word = stem.rstrip("0123456789")
    digits = stem[len(word) :]
    word = word.removesuffix("_") if digits else word
    shown = word.replace("_", r"\_")
    base = (
        f"\\{GREEK[word]}"
        if word in GREEK
        else upright_latex(word)
        if not IDENTIFIER.fullmatch(word)
        else word
        if len(word) == 1
        else rf"\mathrm{{{shown}}}"
    )
    below = ", ".join(
        part if IDENTIFIER.fullmatch(part) else upright_latex(part)
        for part in (digits, index.removesuffix("]"))
        if part
    )
    return f"{base}_{{{below}}}" if below else base


def _latex_fraction(top: str, bottom: str) -> str:
    return rf"\frac{{{top or 1}}}{{{bottom}}}" if bottom else top or "1"


def _latex_number(node: Node) -> str:
    value = node.args[0]
    sign = "-" if value < 0 else ""
    return sign + _latex_fraction(
        str(abs(value.numerator)), str(value.denominator) if value.denominator != 1 else ""
    )


def _latex_sum(node: Node) -> str:
    return join_signed(
        [latex(t) if t.head in ("*", "number") else _latex_in(t, PRODUCT) for t in node.args],
        node.args[-1],
    )


def _latex_product(node: Node) -> str:
    number, factors = coefficient(node)
    above = [f for f in factors if not is_reciprocal(f)]
    below = [f.args[0] for f in factors if is_reciprocal(f)]
    top = _latex_factors(abs(number.numerator), above, alone=bool(below) or number.denominator != 1)
    bottom = _latex_factors(number.denominator, below, alone=True)
    return ("-" if number < 0 else "") + _latex_fraction(top, bottom)


def _latex_factors(number: int, factors: list[Any], *, alone: bool) -> str:
    """number * factors without a factor 1; a single factor that stands alone in a fraction needs
    no parentheses.
    """
    if number == 1 and len(factors) == 1 and alone:
        return latex(factors[0])
    pieces = [str(number)] if number != 1 else []
    pieces += [_latex_in(f, POWER) for f in factors]
    return "".join(
        (r" \cdot " if i and p[0].isdigit() else r" \, " if i else "") + p
        for i, p in enumerate(pieces)
    )


def _latex_power(node: Node) -> str:
    base, exponent = node.args
    if is_root(node):
        return rf"\sqrt{{{latex(base)}}}"
    return (
        _latex_fraction("1", latex(base))
        if is_reciprocal(node)
        else f"{{{_latex_in(base, ATOM)}}}^{{{latex(exponent)}}}"
    )


def _latex_infix(node: Node) -> str:
    left, right = node.args
    place = LEVELS[node.head]
    return (
        f"{_latex_in(left, place + (node.head in COMPARISONS))} {SIGNS[node.head]} "
        f"{_latex_in(right, place + 1)}"
    )


def _latex_record_sum(node: Node) -> str:
    condition = indicator_condition(node.args[0])
    if condition is not None:
        return rf"\#\left\{{(x, \varepsilon) \in D : {latex(condition)}\right\}}"
    return (
        r"\left|D\right|"
        if is_number_leaf(node.args[0], 1)
        else rf"\sum{RECORDS} {_latex_in(node.args[0], PRODUCT)}"
    )


def _latex_piecewise(node: Node) -> str:
    branches = zip(node.args[::2], node.args[1::2], strict=True)
    return (
        r"\begin{cases}"
        + r" \\ ".join(f"{latex(v)} & {_latex_case(c)}" for v, c in branches)
        + r"\end{cases}"
    )


def _latex_case(condition: Node) -> str:
    return (
        r"\text{otherwise}"
        if condition.head == "boolean" and condition.args[0]
        else rf"\text{{if }} {latex(condition)}"
    )


LATEX: dict[str, Callable[[Node], str]] = {
    "number": _latex_number,
    "name": _latex_name,
    "label": lambda node: upright_latex(
        node.args[0] if WORD.fullmatch(node.args[0]) else quoted(node.args[0])
    ),
    "boolean": lambda node: r"\text{true}" if node.args[0] else r"\text{false}",
    "oo": lambda node: r"\infty",
    "pi": lambda node: r"\pi",
    "index": lambda node: f"{latex(node.args[0])}_{{{latex(node.args[1])}}}",
    "not": lambda node: rf"\lnot {_latex_in(node.args[0], ATOM)}",
    "+": _latex_sum,
    "*": _latex_product,
    "^": _latex_power,
    "exp": lambda node: f"e^{{{latex(node.args[0])}}}",
    "sin": lambda node: rf"\sin\left({latex(node.args[0])}\right)",
    "cos": lambda node: rf"\cos\left({latex(node.args[0])}\right)",
    "theta3": lambda node: rf"\vartheta_3\left({latex(node.args[0])}\right)",
    "atan": lambda node: rf"\arctan\left({latex(node.args[0])}\right)",
    "abs": lambda node: rf"\left|{latex(node.args[0])}\right|",
    "floor": lambda node: rf"\left\lfloor {latex(node.args[0])} \right\rfloor",
    "binomial": lambda node: rf"\binom{{{latex(node.args[0])}}}{{{latex(node.args[1])}}}",
    **dict.fromkeys((*COMPARISONS, "and", "or"), _latex_infix),
    "sum": _latex_record_sum,
    "maximum": lambda node: rf"\max{RECORDS} {_latex_in(node.args[0], PRODUCT)}",
    "minimum": lambda node: rf"\min{RECORDS} {_latex_in(node.args[0], PRODUCT)}",
    "piecewise": _latex_piecewise,
}
