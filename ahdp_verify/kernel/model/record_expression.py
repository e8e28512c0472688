"""The expression of a function f(x, eps) of one record.

>>> print(record_expression(lambda x, eps: x * eps))
x*eps
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression, name

Body = Callable[[Expression, Expression], object] | ex.Arithmetic | int


def record_expression(f: Body) -> Expression:
    """The expression of a function f(x, eps), called on the names x and eps, or of an
    expression.
    """
    found = _called(f) if callable(f) and ex.reader_of(f) is None else f
    if isinstance(found, bool):
        cure = (
            "write x == 1, eq(x, 1) or piecewise((1, x == 1), (0, True)) with the x and eps "
            "that the function is given"
        )
        raise BadInput("record expression", f"it is just {found}, whatever the record is", cure)
    if ex.is_label(found):
        cure = 'write a function, for example lambda x, eps: x == "yes"'
        raise BadInput("record expression", f"it is the text {str(found)[:60]!r}", cure)
    return reading.exact_expression(found, "record expression")


def _called(f: Callable[[Expression, Expression], object]) -> object:
    """f at the names x and eps; BadInput if f passes them to a SymPy function, which accepts only
    SymPy's own symbols.
    """
    try:
        return f(name("x"), name("eps"))
    except ValueError as error:
        if ex.reader_of(error) is None:
            raise
        cure = (
            'use exp, Abs, piecewise ... of ahdp_verify inside it, or SymPy symbols called "x" '
            'and "eps" in place of the function'
        )
        raise BadInput(
            "record expression",
            f"SymPy cannot compute with the x and eps of a function ({str(error)[:80]})",
            cure,
        ) from None
