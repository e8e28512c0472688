"""Formulas are MathML and nothing else, whatever texts are in them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ahdp_verify.display.formulas import checked_mathml, formula_html
from ahdp_verify.display.markup import latex, upright_latex
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.reporting.blocks import Formula, spelled_exponents
from ahdp_verify.reporting.html_page import piece_html
from tests.reporting.pages import read_page


@pytest.mark.parametrize(
    "text", ["<b>", "a & b", "100% #1 {x} $y_1$", "\"'", "&lt;script&gt;", "Ж中"]
)
def test_texts_in_formulas_are_texts(text: str) -> None:
    found = formula_html(upright_latex(text), text)
    assert found.startswith("<math")
    assert {tag for tag, _ in read_page(found).elements} <= {"math", "mrow", "mtext"}
    shown = read_page(found).text.replace("\xa0", " ")
    assert shown == text.translate(str.maketrans("<>", "＜＞"))


@pytest.mark.parametrize(
    "tree",
    [
        "<math><script>1</script></math>",
        '<math href="http://x"><mi>x</mi></math>',
        '<math><mi onclick="x">x</mi></math>',
        '<math><mstyle style="x"><mi>x</mi></mstyle></math>',
        "<math><annotation>x</annotation></math>",
        "<math><mfrac><mn>1</mn></mfrac></math>",
        "<p>x</p>",
    ],
)
def test_anything_but_complete_mathml_is_refused(tree: str) -> None:
    assert checked_mathml(ElementTree.fromstring(tree)) is None


def test_what_is_not_read_stays_a_text() -> None:
    assert formula_html("x^{", "x < 1") == "<code>x &lt; 1</code>"
    assert formula_html("x" * 5000, "long") == "<code>long</code>"


def test_what_is_too_wide_for_a_sheet_breaks_over_lines() -> None:
    wide = Formula.of(parse(" + ".join(f"abs(x{i})" for i in range(30)), "test"))
    for block in (False, True):
        assert piece_html(wide, block) == f"<code>{wide.plain}</code>"
        assert piece_html(Formula.of(parse("abs(x)", "test")), block).startswith("<math")


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("exp(x)", "e^{x}"),
        ("exp(-abs(s))/2", r"\frac{\exp\left(-\left|s\right|\right)}{2}"),
        ("exp(x/2)*exp(y)", r"\exp\left(\frac{x}{2}\right) \, e^{y}"),
        ("exp(exp(x/2))", r"\exp\left(\exp\left(\frac{x}{2}\right)\right)"),
        ("e^(x/2)", r"{e}^{\frac{x}{2}}"),
    ],
)
def test_exponents_that_are_too_small_to_read_are_spelled(said: str, wanted: str) -> None:
    assert spelled_exponents(latex(parse(said, "test"))) == wanted
    assert formula_html(Formula.of(parse(said, "test")).latex, said).startswith("<math")
