"""The reserved words of the grammar, which users cannot use as names.

>>> is_name("alpha"), is_name("exp"), is_name("1x")
(True, False, False)
"""

from __future__ import annotations

import re

CONSTANTS = ("pi", "oo", "true", "false", "size")
CONNECTIVES = ("and", "or", "not")
SMOOTH = ("sin", "cos", "atan", "erf")  # real functions with a value and a slope everywhere
FUNCTIONS = (
    *(*SMOOTH, "theta3", "ordered"),
    *("exp", "log", "abs", "sign", "floor", "mod", "binomial", "min", "max", "sqrt", "clip"),
    *("sum", "count", "maximum", "minimum", "indicator", "piecewise", "total", "product"),
)
RESERVED = frozenset((*CONSTANTS, *CONNECTIVES, *FUNCTIONS))
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def is_name(text: str) -> bool:
    """Whether a user may use a text as a name: letters, digits and _, and not a reserved word."""
    return NAME.fullmatch(text) is not None and text not in RESERVED
