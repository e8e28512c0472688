"""The words of the grammar, which name nothing of the user's.

>>> is_name("alpha"), is_name("exp"), is_name("1x")
(True, False, False)
"""

from __future__ import annotations

import re

CONSTANTS = ("pi", "oo", "true", "false", "size")
CONNECTIVES = ("and", "or", "not")
FUNCTIONS = (
    *("exp", "log", "abs", "sign", "floor", "mod", "binomial", "min", "max", "sqrt", "clip"),
    *("sum", "count", "maximum", "minimum", "indicator", "piecewise", "total", "product"),
)
RESERVED = frozenset((*CONSTANTS, *CONNECTIVES, *FUNCTIONS))
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def is_name(text: str) -> bool:
    """Whether a text can name something of the user's: letters, digits and _, and no word of the
    grammar.
    """
    return NAME.fullmatch(text) is not None and text not in RESERVED
