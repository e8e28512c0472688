"""Formulas as MathML, which browsers draw by themselves: no script and no font is loaded.

>>> in_mathml("e^{\\\\varepsilon}", "inline").startswith("<math")
True
"""

from __future__ import annotations

from typing import Any, Literal

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

OPERATOR = "<mo>&#x0221E;</mo>"  # infinity is a number here, and has no space around it


def in_mathml(latex: str, display: Literal["inline", "block"]) -> str:
    """The formula as a <math> element, with its LaTeX as the label that is read aloud."""
    return convert(latex, display=display).replace(OPERATOR, "<mi>∞</mi>")


def inline(self: Any, node: nodes.math) -> None:
    self.body.append(in_mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def block(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula">{in_mathml(node.astext(), "block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True}
