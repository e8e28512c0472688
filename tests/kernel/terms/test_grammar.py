"""What a text means, checked against Python's own arithmetic, and that no text does harm or takes
long.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import BadInput, GrammarError
from ahdp_verify.kernel.terms import grammar, words
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    component,
    eq,
    exp,
    from_json,
    indicator,
    label,
    name,
    number,
    sum_over_records,
    to_json,
)
from ahdp_verify.kernel.terms.grammar import parse, parse_condition
from ahdp_verify.kernel.terms.words import is_name
from tests.strategies import expressions

x, y, s, k = (name(letter) for letter in "xysk")


@given(expressions())
def test_json_reads_back(e: Expression) -> None:
    assert from_json(to_json(e)) == e


# Precedence: Python reads the same signs in the same way, so it is asked for the value of texts
# made of numbers.
@st.composite
def sums(draw: st.DrawFn, depth: int = 4) -> str:
    """A text of small whole numbers, signs and parentheses, spaces at random."""
    if not depth or not draw(st.integers(0, 2)):
        return str(draw(st.integers(0, 9)))
    left, right = draw(sums(depth - 1)), draw(sums(depth - 1))
    gap = draw(st.sampled_from(("", " ", "\n", "\t ")))
    signs = draw(
        st.sampled_from(
            (
                "{a}{_}+{b}",
                "{a} -{_}{b}",
                "{a}*{_}{b}",
                "{a}/({b})",
                "-{a}",
                "({a}{_})",
                "{a}^{_}2",
                "2^-({b})",
            )
        )
    )
    return signs.format(a=left, b=right, _=gap)


def python_value(text: str) -> Fraction | None:
    """What Python makes of the text; None if it divides by 0, leaves the rationals or might grow
    too large to compute.
    """
    if text.count("^") > 3 or any(
        f"^{d}" in text.replace("\n", "").replace(" ", "") for d in "3456789"
    ):
        return None
    exact = "".join(
        f"F({c})" if c.isdigit() else "**" if c == "^" else c for c in text.replace("\n", " ")
    )
    try:
        found = eval(exact, {"F": Fraction})
    except ZeroDivisionError:
        return None
    large = (
        not isinstance(found, Fraction)
        or max(found.numerator.bit_length(), found.denominator.bit_length()) > 1000
    )
    return None if large else found


@given(sums())
def test_arithmetic_is_read_as_python_reads_it(text: str) -> None:
    expected = python_value(text)
    assume(expected is not None)
    assert parse(text) == number(expected)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("0.25", number(Fraction(1, 4))),
        (".5", number(Fraction(1, 2))),
        ("1/3", number(Fraction(1, 3))),
        ("-x^2", -(x**2)),
        ("x^-y^2", x ** -(y**2)),
        ("2^3^2", number(512)),
        ("x - y - 1", (x - y) - 1),
        ("x/y/2", x / y / 2),
        ("x > y", y < x),
        ("x >= y", y <= x),
        ("0 <= x < y", (x >= 0) & (x < y)),
        ("not x < y and y < 1 or x < 0", (~(x < y) & (y < 1)) | (x < 0)),
        ("size", sum_over_records(1)),
        ("count(x == 1)", sum_over_records(indicator(eq(x, 1)))),
        ('x == "ye\\"s"', eq(x, label('ye"s'))),
        ("sqrt(x)", x ** Fraction(1, 2)),
        ("2^(1/2)", number(2) ** Fraction(1, 2)),
        ("x[2]", name("x[2]")),
        ("x[8*(2 - 1) + 3]", name("x[11]")),
        ("x[s + 1]", component(x, s + 1)),
        ("clip(x, 0, 1)", parse("min(1, max(0, x))")),
        ("oo", Expression("oo")),
        ("0*x", Expression("*", (number(0), x))),
    ],
)
def test_reading(text: str, tree: Expression) -> None:
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("total(x[k], k, 1, 3)", "x[1] + x[2] + x[3]"),
        ("product(k, k, 1, 5)", "120"),
        ("total(k, k, 1, 0)", "0"),
        ("product(x, k, 2, 1)", "1"),
        ("total(total(s[8*(i - 1) + k], k, 1, i), i, 1, 2)", "s[1] + s[9] + s[10]"),
        ("total(k, k, -1, 1)", "0"),
        ("total(x^k, k, 0, 2)", "x^0 + x^1 + x^2"),
        ("total(abs(s[k] - x[k]), k, 1, n)", "abs(s[1] - x[1]) + abs(s[2] - x[2])"),
        ("total(part, k, 1, n)", "2*s[1] + 4*s[2]"),
        ("total(total(k, k, 1, 2)*k, k, 1, 2)", "3*1 + 3*2"),
        ("sum(total(x[k], k, 1, n))", "sum(x[1] + x[2])"),
        ("total(k == 1, k, 1, 1)", ""),
    ],
)
def test_totals_are_written_out(text: str, same: str) -> None:
    lets = {"n": number(2), "part": parse("2^k*s[k]")}
    if same:
        assert parse(text, lets=lets) == parse(same)
    else:
        with pytest.raises(GrammarError, match="indicator"):
            parse(text, lets=lets)


def test_lets_are_put_in_also_inside_record_sums() -> None:
    lets = {"alpha": parse("1 - exp(-eps)"), "v": name("s")}
    lets["location"] = parse("sum(alpha*x)", lets=lets)
    assert parse("exp(-abs(v[1] - location))", lets=lets) == exp(
        -abs(name("s[1]") - sum_over_records((1 - exp(-name("eps"))) * x))
    )


def test_a_bound_letter_hides_a_let_of_its_name() -> None:
    assert parse("k + total(k, k, 1, 2)", lets={"k": y}) == y + 3


def test_counts_of_records() -> None:
    records = (sum_over_records(indicator(eq(x, 0))), sum_over_records(indicator(eq(x, 1))))
    assert parse("total(k*count(k), k, 1, 2)", records=records) == records[0] + 2 * records[1]
    with pytest.raises(
        GrammarError, match="no record number 3; count a condition, or a record from 1 to 2"
    ):
        parse("count(3)", records=records)


def test_conditions() -> None:
    assert parse_condition("  ") == TRUE
    assert parse_condition("h > l") == (name("l") < name("h"))
    with pytest.raises(
        GrammarError, match=r"^parameter h: at character 1, 'h \+ 1' is not a condition"
    ):
        parse_condition("h + 1", "parameter h")


def test_words_of_the_grammar_are_not_names() -> None:
    assert [text for text in ("s", "eps", "x_1", "E") if not is_name(text)] == []
    assert [
        text
        for text in ("", "1x", "x y", "é", "x[1]", "pi", "oo", "size", "and", "exp", "total")
        if is_name(text)
    ] == []


REFUSED = (
    ("", 1, "the text is empty"),
    ("   ", 4, "the text is empty"),
    ("(1 + 2", 1, "this parenthesis is never closed"),
    ("1 + 2)", 6, "closes nothing"),
    ("2*(1 + x", 3, "this parenthesis is never closed"),
    ("x[1", 2, "this bracket is never closed"),
    ("(x[1)", 5, "not expected"),
    ("2x", 2, "'x' is not expected here"),
    ("1e5", 2, "10\\^5"),
    ("x y", 3, "not expected"),
    ("x +", 4, "ends too early"),
    ("* x", 1, "not expected"),
    ("x ** 2", 3, "write \\^"),
    ("x = 1", 3, "write =="),
    ("x $ y", 3, "cannot begin a part"),
    ("1..2", 3, "not expected"),
    ("x − 1", 3, "plain minus"),
    ("é", 1, "cannot begin a part"),
    ("x\x00", 2, "cannot begin a part"),
    ("x\u00a01", 2, "cannot begin a part"),
    ('"abc', 1, "second double quote"),
    ('"a\\q"', 1, "plain text"),
    ('__import__("os")', 1, "is not a function"),
    ("eval(1)", 1, "is not a function"),
    ("x.__class__", 2, "cannot begin a part"),
    ("lambda: 1", 7, "cannot begin a part"),
    ("exp", 1, "is a reserved word"),
    ("exp()", 5, "not expected"),
    ("exp(1, 2)", 1, "2 arguments in place of 1"),
    ("clip(1)", 1, "1 arguments in place of 3"),
    ("mod(x)", 1, "1 arguments in place of 2"),
    ("size(1)", 1, "is not a function"),
    ("x[0]", 1, "counted 1, 2, 3"),
    ("x[1/2]", 1, "counted 1, 2, 3"),
    ("(x < 1) + 1", 1, "indicator"),
    ("exp(x < 1)", 5, "indicator"),
    ("x and y", 1, "a number is used where"),
    ("not x", 5, "a number is used where"),
    ('"yes" + 1', 1, "a label is used"),
    ("true + 1", 1, "indicator"),
    ("piecewise((1, 2))", 15, "a number is used where"),
    ("piecewise(1, true)", 11, "a branch"),
    ("count(x)", 7, "a number is used where"),
    ("count(1)", 7, "no record number 1"),
    ("sum(size)", 5, "inside sum"),
    ("sum(x*maximum(x))", 7, "inside sum"),
    ("sum(m)", 5, "m sums over the records"),
    ("9^9^9", 2, "more than 4096 bits"),
    ("9^9^9^9^9", 6, "more than 4096 bits"),
    ("2^-5000", 2, "more than 4096 bits"),
    ("2^4000*2^4000", 7, "more than 4096 bits"),
    ("1" * 401, 1, "more than 400 digits"),
    ("total(k, k, 1)", 1, "3 arguments in place of 4"),
    ("total(k, 2, 1, 2)", 10, "cannot be a counter"),
    ("total(k, x, 1, 2)", 10, "cannot be a counter"),
    ("total(k, k, 1, z)", 16, "must be integers"),
    ("total(k, k, 1/2, 2)", 13, "must be integers"),
    ("total(1, k, 1, 10001)", 1, "more than 10000 terms"),
    ("total(k k, k, 1, 2)", 9, "not expected"),
    ("total(k, k, 1, 2", 6, "never closed"),
)


@pytest.mark.parametrize(("text", "position", "says"), REFUSED)
def test_a_text_that_is_not_an_expression_is_refused_with_its_place(
    text: str, position: int, says: str
) -> None:
    with pytest.raises(GrammarError, match=says) as caught:
        parse(text, "level", {"m": parse("sum(x)")})
    assert caught.value.position == position
    assert str(caught.value).startswith(f"level: at character {position}, ") and "\n" not in str(
        caught.value
    )


def doubled(times: int, join: Callable[[str], str]) -> dict[str, Expression]:
    """Let names a0, a1, ..., each of which uses the one before twice."""
    lets = {"a0": x}
    for i in range(times):
        lets[f"a{i + 1}"] = parse(join(f"a{i}"), lets=lets)
    return lets


@functools.cache
def thirteen_times() -> dict[str, Expression]:
    """Let names, the last of which stands for 2^13 copies of x and more."""
    return doubled(13, lambda a: f"exp({a}) + {a}")


HOSTILE = (
    "x" * 1_000_000,
    "x + " * 250_000 + "x",
    "(" * 10_000 + "x" + ")" * 10_000,
    "(" * 90_000,
    "-" * 150_000 + "x",
    "not " * 40_000 + "x < 1",
    "2^" * 90_000 + "2",
    "exp(" * 40_000,
    "x[" * 90_000,
    "x < " * 40_000 + "x",
    "(x < y) and " * 15_000 + "x < y",
    "9^1200*" * 20_000 + "1",
    "total(" * 30_000,
    "total(total(1, i, 1, 10000), k, 1, 10000)",
    "total(total(" + "1 + " * 40_000 + "1, i, 1, 0), k, 1, 10000)",
    '"' * 200_000,
    "1" * 200_000,
    "sum(" * 50_000,
    "piecewise((" * 15_000,
    "a13*" * 20 + "1",
    "," * 200_000,
    "1 - " + "(1 + 2*" * 90 + "x",
    "exp(1 + 2*" * 30 + "x" + ")" * 30 + ")",
)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: f"{text[:12]} of {len(text)}")
def test_a_hostile_text_is_refused_briefly(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text, lets=thirteen_times())
    assert len(str(caught.value)) < 400


def test_lets_that_double_are_stopped() -> None:
    with pytest.raises(GrammarError, match="more than 200000 parts"):
        doubled(40, lambda a: f"exp({a}) + {a}")
    with pytest.raises(GrammarError, match="more than 200000 parts"):
        doubled(40, lambda a: f"{a}*{a}")
    with pytest.raises(GrammarError, match="more than 4096 bits"):
        doubled(40, lambda a: f"2*{a}*{a}")


def test_long_flat_texts_are_read() -> None:
    assert len(parse(" + ".join(f"x[{i}]" for i in range(1, 10_001))).args) == 10_000
    assert parse("0.1 + " * 20_000 + "0") == number(2_000)


DEEP = (
    ("(", ")", 99),
    ("exp(-", ")", 49),
    ("(1 + 2*", ")", 33),
    ("exp(exp(", "))", 49),
    ("total(", ", k, 1, 1)", 99),
    ("q[", "]", 99),
    ("piecewise((", ", true))", 99),
    ("count(x < ", ")", 1),
    ("2^", "", 99),
    ("not ", " < 1", 1),
)


@pytest.mark.parametrize(("opens", "closes", "times"), DEEP)
def test_the_deepest_texts_need_no_deep_stack(opens: str, closes: str, times: int) -> None:
    text = opens * times + "x" + closes * times

    def below(frames: int) -> Expression:
        return below(frames - 1) if frames else parse(text)

    assert below(100) == parse(
        text
    )  # as many frames as a test runner or a command line may have used before
    assert parse(str(parse(text))) == parse(text)


@given(st.text(alphabet="x1 +-*/^()[],.<>=!\"'e2kandortl", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        tree = parse(text)
    except BadInput as refusal:
        assert str(refusal).startswith("expression: ")
    else:
        assert parse(str(tree)) == tree


def test_the_words_that_name_nothing_are_those_of_the_grammar() -> None:
    known = {*grammar.FUNCTIONS, *grammar.CONSTANTS, *grammar.WORDS}
    assert known == words.RESERVED
