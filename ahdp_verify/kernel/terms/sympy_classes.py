"""Which values are SymPy objects, decided without importing SymPy.

>>> is_sympy(1)
False
"""

from __future__ import annotations


def is_sympy(value: object) -> bool:
    """Whether `value` is a SymPy object, decided without importing SymPy."""
    return bool(sympy_classes(value))


def sympy_classes(value: object) -> list[str]:
    """The names of the classes of SymPy that a value is of, the nearest first."""
    return [
        kind.__name__
        for kind in type(value).__mro__
        if str(kind.__module__).partition(".")[0] == "sympy"
    ]
