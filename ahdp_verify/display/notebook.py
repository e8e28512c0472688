"""Importing this module gives expressions and verdicts their rich display in notebooks.

A notebook looks for the methods `_repr_html_` and `_repr_latex_` on the class of a value.  The
classes belong to the kernel, and trusted code should contain neither HTML nor LaTeX, so the two
methods are attached here, from outside.  `ahdp_verify/public.py` imports this module, so the first
public name that a notebook uses brings it; without it a notebook shows the text.

>>> from ahdp_verify.kernel.terms.expression import name
>>> (name("x") / 2)._repr_latex_()
'$\\\\frac{x}{2}$'
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.display.markup import latex
from ahdp_verify.display.verdict_html import verdict_html
from ahdp_verify.display.verdict_latex import verdict_latex
from ahdp_verify.kernel.refuted import Refuted, RefutedInequality
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.unknown import Unknown
from ahdp_verify.kernel.verdict import Proved


def expression_latex(e: Expression) -> str:
    """The formula, in dollar signs."""
    return f"${latex(e)}$"


VERDICTS = (Proved, Refuted, RefutedInequality, Unknown)


def attach(kinds: tuple[type, ...], method: str, picture: Callable[..., str]) -> None:
    """Every value of these classes is displayed by this function in a notebook."""
    for kind in kinds:
        setattr(kind, method, picture)


attach((Expression,), "_repr_latex_", expression_latex)
attach(VERDICTS, "_repr_latex_", verdict_latex)
attach(VERDICTS, "_repr_html_", verdict_html)
