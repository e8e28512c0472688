"""Formulas in HTML: MathML, which browsers draw without a network or a script.

LaTeX is converted by latex2mathml (the extra `report`). What it returns is not believed: only
MathML without links or scripts passes; for anything else, and without the library, the formula
stays a text.

>>> formula_html("x^2", "x^2").startswith("<math")
True
>>> print(formula_html("x^", "x < 1"))
<code>x &lt; 1</code>
"""

from __future__ import annotations

import contextlib
import functools
import re
import warnings
from collections.abc import Callable
from xml.etree import ElementTree

from ahdp_verify.display.markup import escape_html

NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
ELEMENTS = re.compile(
    "math|mrow|mi|mn|mo|mtext|mspace|mfrac|msqrt|mroot|msub|msup|msubsup|munder|mover|munderover|"
    "mtable|mtr|mtd|mstyle|mpadded|mphantom"
)
ATTRIBUTES = re.compile(
    "display|stretchy|fence|form|mathvariant|columnalign|rowspacing|columnspacing|linethickness|"
    "minsize|maxsize|displaystyle|scriptlevel|largeop|movablelimits|lspace|rspace|width|height|"
    "depth|separator|symmetric|accent|accentunder"
)
PARTS = dict.fromkeys(("mfrac", "msub", "msup", "mroot", "munder", "mover"), 2) | dict.fromkeys(
    ("msubsup", "munderover"), 3
)
LONGEST = 4000  # characters of LaTeX beyond which a formula stays a text
TEXT = re.compile(r"\\text\{((?:[^{}\\]|\\.)*)\}")
# what the library does not unescape inside \text, kept apart from markup on its way through it
SPARE = {c: chr(0xE000 + i) for i, c in enumerate("#$%&_{}")}
BACK = str.maketrans({there: c for c, there in SPARE.items()})


def formula_html(latex: str, plain: str, *, block: bool = False) -> str:
    """A formula as MathML, or as the text `plain` where that is not possible."""
    found = mathml(latex, block)
    return f"<code>{escape_html(plain)}</code>" if found is None else found


@functools.lru_cache(maxsize=4096)
def mathml(latex: str, block: bool = False) -> str | None:
    """The MathML of a formula; None if the library is missing, cannot read it, or returns anything
    but MathML.
    """
    convert = converter()
    if convert is None or len(latex) > LONGEST:
        return None
    spared = TEXT.sub(spare_text, latex)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = convert(spared, display="block" if block else "inline")
        tree = ElementTree.fromstring(found)
    except Exception:  # whatever the library or its output is not fit for, the text remains
        return None
    return checked_mathml(tree)


def spare_text(found: re.Match[str]) -> str:
    """A \\text with its escaped characters replaced by spare ones."""
    inner = re.sub(r"\\([#$%&_{}])", lambda c: SPARE[c[1]], found[1])
    return f"\\text{{{inner}}}"


@functools.cache
def converter() -> Callable[..., str] | None:
    """The library's function; None where it is not installed."""
    with contextlib.suppress(ImportError):
        from latex2mathml.converter import convert  # noqa: PLC0415 - it is an extra

        return convert
    return None


def checked_mathml(tree: ElementTree.Element) -> str | None:
    """The tree as HTML, if nothing in it is anything but complete MathML for display."""
    for node in tree.iter():
        tag = node.tag.removeprefix(NAMESPACE) if isinstance(node.tag, str) else ""
        if not ELEMENTS.fullmatch(tag) or not all(map(ATTRIBUTES.fullmatch, node.attrib)):
            return None
        if tag in PARTS and len(node) != PARTS[tag]:
            return None
        node.tag = tag
        node.text = node.text.translate(BACK) if node.text else node.text
        node.tail = node.tail.translate(BACK) if node.tail else node.tail
    return ElementTree.tostring(tree, encoding="unicode")
