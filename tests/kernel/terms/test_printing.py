"""What is printed: the shortest text that reads back, and LaTeX whose braces match."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given

from ahdp_verify.display.markup import latex
from ahdp_verify.kernel.terms.expression import Expression, exp, name, number, to_json
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import expression_text
from tests.strategies import expressions

READ_BACK = (
    "exp(-abs(s - 1)/2)/4",
    "sum((1 - exp(-eps))*x)",
    "size",
    "count(x == 1)",
    "piecewise((1, x < 0), (0, true))",
    "oo",
    "-oo",
    "pi/2",
    'x == "yes"',
    'x != "a \\"b\\" \\\\ c"',
    "1/3",
    "-1/3",
    "x - 1/3",
    "-x - 1/3",
    "1 - x",
    "-x - y",
    "x + 2*y - z/3",
    "-x^2",
    "(-x)^2",
    "(-2)^x",
    "(1/2)^x",
    "2^(-x)",
    "x^(-2)",
    "(x^2)^3",
    "x^y^z",
    "(x^y)^z",
    "sqrt(x + 1)",
    "sqrt(2)",
    "1/x",
    "1/x^2",
    "(1/x)^2",
    "1/(x*y)",
    "1/x/y",
    "x/y*z/3",
    "3*x/4",
    "-3*x/4",
    "0*x",
    "1/0",
    "2*(x + 1)",
    "-(x + 1)",
    "x - (y - 1)",
    "(x + y)*(x - y)",
    "a < 0 or b < 0 and c < 0",
    "(a < 0 or b < 0) and c < 0",
    "a < 0 and (b < 0 and c < 0)",
    "not (a < b)",
    "not (not (a < b))",
    "(a < b) == (c < d)",
    "q[s + 1]",
    "x[3]",
    "min(x, y, 0)",
    "max(x)",
    "mod(floor(x), 2)",
    "binomial(n, k)*sign(x)",
    "maximum(x) - minimum(x)",
    "count(x == 1 and eps < oo)/size",
)


@pytest.mark.parametrize("written", READ_BACK)
def test_a_text_in_its_shortest_form_stays_as_it_is(written: str) -> None:
    assert str(parse(written)) == written


@given(expressions())
def test_every_tree_reads_back(e: Expression) -> None:
    assert parse(expression_text(e)) == e


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("exp(-abs(s - 1)/b)/(2*b)", r"\frac{e^{-\frac{\left|s - 1\right|}{b}}}{2 \, b}"),
        (
            "sum((1 - exp(-eps))*x)",
            r"\sum_{(x, \varepsilon) \in D} \left(1 - e^{-\varepsilon}\right) \, x",
        ),
        ("size/2", r"\frac{\left|D\right|}{2}"),
        ("count(x == 1)", r"\#\left\{(x, \varepsilon) \in D : x = 1\right\}"),
        ("maximum(x)", r"\max_{(x, \varepsilon) \in D} x"),
        ("-3*alpha_2^2/4", r"-\frac{3 \, {\alpha_{2}}^{2}}{4}"),
        ("x[12] <= oo", r"x_{12} \le \infty"),
        ("my_name", r"\mathrm{my\_name}"),
        (
            "piecewise((1, x < 0), (0, true))",
            r"\begin{cases}1 & \text{if } x < 0 \\ 0 & \text{otherwise}\end{cases}",
        ),
        ("(1/x)^2", r"{\left(\frac{1}{x}\right)}^{2}"),
    ],
)
def test_latex_of_common_forms(written: str, shown: str) -> None:
    assert latex(parse(written)) == shown


@given(expressions())
def test_latex_has_matching_braces_and_delimiters(e: Expression) -> None:
    shown = latex(e)
    if '"label"' not in json.dumps(to_json(e)):
        assert shown.replace(r"\{", "").count("{") == shown.replace(r"\}", "").count("}")
        assert len(re.findall(r"\\left\b", shown)) == len(re.findall(r"\\right\b", shown))


def test_notebooks_show_latex() -> None:
    assert exp(-name("eps"))._repr_latex_() == r"$e^{-\varepsilon}$"


def test_any_node_is_printed_even_one_that_no_constructor_makes() -> None:
    assert expression_text(Expression("*", (name("x"), number(-2)))) == "x*(-2)"
    assert (
        expression_text(Expression("+", (number(1), Expression("+", (name("x"), name("y"))))))
        == "1 + (x + y)"
    )
