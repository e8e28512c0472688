"""What users write is read exactly, or refused in one sentence that names it."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify import (
    Domain,
    Entries,
    Inequality,
    Mechanism,
    Queries,
    noise_program,
    real,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.declarations import (
    check_conditions,
    check_depth,
    check_known,
    check_names,
    declared_conditions,
    exact_expression,
    from_canonical,
    named_from_json,
    named_to_json,
    read_condition,
    read_demand,
    read_value,
    split_name,
    value_bindings,
    value_from_json,
    value_key,
    value_text,
    value_to_json,
)
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    exp,
    label,
    log,
    name,
    number,
    oo,
    pi,
    sqrt,
    sum_over_records,
    to_json,
)

x, h = name("x"), name("h")


def test_values_are_numbers_labels_and_vectors() -> None:
    assert read_value(3) == read_value("3") == number(3)
    assert read_value("0.5") == read_value("1/2") == number("1/2")
    assert read_value("yes") == read_value(label("yes")) == label("yes")
    assert read_value((1, "a")) == read_value([1, "a"]) == (number(1), label("a"))
    assert read_value(sqrt(2)) == sqrt(2)


@pytest.mark.parametrize(
    "value",
    [
        0.5,
        float("inf"),
        oo,
        x,
        1 + x,
        sum_over_records(1),
        x < 1,
        True,
        None,
        (),
        (1, 0.5),
        ((1, 2), 3),
        b"a",
        1 / number(0),
        log(0),
    ],
)
def test_what_is_not_a_value(value: object) -> None:
    with pytest.raises(BadInput, match=r"^value: "):
        read_value(value)


def test_a_label_that_reads_as_a_number_is_refused() -> None:
    with pytest.raises(BadInput, match="reads as a number"):
        read_value(label("1"))


def test_sympy_is_read_by_the_names_of_its_symbols() -> None:
    assert exact_expression(sympy.Symbol("s", positive=True) + 1, "density") == name("s") + 1
    assert read_value(sympy.Rational(1, 2)) == number("1/2")
    with pytest.raises(BadInput, match=r"^density: 0.5 is a float"):
        exact_expression(sympy.Float("0.5"), "density")


@pytest.mark.parametrize(
    ("demand", "tree"),
    [
        (0, number(0)),
        ("1/3", number("1/3")),
        (oo, oo),
        (log(2), log(2)),
        (h, h),
        (h / 2 + 1, h / 2 + 1),
        (1 - log(2), 1 - log(2)),
    ],
)
def test_demands(demand: object, tree: Expression) -> None:
    assert read_demand(demand) == tree


@pytest.mark.parametrize(
    "demand",
    [
        -1,
        "-0.1",
        log(number("1/2")),
        log(2) - 1,
        0.5,
        float("inf"),
        "oo",
        "h",
        label("a"),
        h < 1,
        oo + h,
        -oo,
        1 / number(0),
        None,
        True,
    ],
)
def test_what_is_not_a_demand(demand: object) -> None:
    with pytest.raises(BadInput, match=r"^demand: "):
        read_demand(demand)


def test_a_negative_demand_is_quoted() -> None:
    with pytest.raises(
        BadInput, match=r"^demand: the demand -1 is negative; demands lie in \[0, oo\]$"
    ):
        read_demand(-1)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (log(4), 2 * log(2)),
        (number(2) ** 3, number(8)),
        (sqrt(8), 2 * sqrt(2)),
        (exp(log(3)), number(3)),
        (pi + pi, 2 * pi),
    ],
)
def test_equal_constants_share_a_key(a: Expression, b: Expression) -> None:
    assert value_key(a) == value_key(b)
    assert value_key((a, label("u"))) == value_key((b, label("u")))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (log(4), log(2)),
        (number(1), label("one")),
        (sqrt(2), number("1.4142135")),
        ((number(1),), number(1)),
        (oo, label("oo")),
    ],
)
def test_different_values_do_not(a: Any, b: Any) -> None:
    assert value_key(a) != value_key(b)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("s", ("s", None)),
        ("alpha_2", ("alpha_2", None)),
        ("x[8]", ("x", 8)),
        ("_", ("_", None)),
        ("e1", ("e1", None)),
    ],
)
def test_names(text: str, parts: tuple[str, int | None]) -> None:
    assert split_name(text, "name") == parts


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1s",
        "s t",
        "s-t",
        "x[0]",
        "x[01]",
        "x[]",
        "x[1][2]",
        "x[99999]",
        "ä",
        "s\n",
        "@1",
        "x'",
        "a" * 61,
        3,
        None,
    ],
)
def test_what_is_not_a_name(text: object) -> None:
    with pytest.raises(BadInput):
        split_name(text, "name")


@pytest.mark.parametrize(
    "word", ["pi", "oo", "exp", "sum", "size", "and", "not", "true", "maximum", "total", "exp[3]"]
)
def test_words_of_the_grammar_are_not_names(word: str) -> None:
    with pytest.raises(BadInput, match="reserved word"):
        split_name(word, "name")


@pytest.mark.parametrize(
    "keys",
    [["s", "s"], ["x[1]", "x[3]"], ["x[2]", "x[1]"], ["x", "x[1]"], ["x[1]", "x[1]"], ["x[2]"]],
)
def test_a_name_is_declared_once_and_a_vector_whole(keys: list[str]) -> None:
    with pytest.raises(BadInput, match="declared twice, or its parts are not 1, 2, 3"):
        check_names(keys, "names")


def test_names_of_vectors_may_stand_between_others() -> None:
    check_names(["x[1]", "s", "x[2]", "t"], "names")


def test_a_vector_is_declared_part_by_part() -> None:
    one, two = name("x[1]"), name("x[2]")
    assert declared_conditions({"x[2]": "-1 <= x <= h", "h": "h > x[1]"}, "unknown") == (
        ("x[1]", (one >= -1) & (one <= h)),
        ("x[2]", (two >= -1) & (two <= h)),
        ("h", h > one),
    )


@pytest.mark.parametrize("none", ["", "  ", TRUE])
def test_no_condition(none: object) -> None:
    assert declared_conditions({"h": none}, "parameter") == (("h", TRUE),)


def test_a_condition_is_a_text_or_an_expression() -> None:
    assert read_condition("h > 1", "defined") == read_condition(h > 1, "defined")


@pytest.mark.parametrize("wrong", ["h + 1", "h >", "h = 1", h, 1, label("a"), 0.5])
def test_what_is_not_a_condition(wrong: object) -> None:
    with pytest.raises(BadInput, match=r"^defined: "):
        read_condition(wrong, "defined")


def test_an_unknown_name_is_named_with_those_that_are_known() -> None:
    with pytest.raises(BadInput, match=r"^level: the name t is not known; known are h, s$"):
        check_known(h + name("t"), ["s", "h"], "level")
    with pytest.raises(BadInput, match="declare it"):
        check_known(h, [], "demand")


def test_a_tree_that_could_not_be_read_again_is_refused() -> None:
    e: Expression = x
    for _ in range(5000):
        e = exp(e)
    with pytest.raises(BadInput, match=r"^density: it is nested more than 200 deep"):
        exact_expression(e, "density")
    assert check_depth(exp(x), "density") == exp(x)


def test_the_names_of_values() -> None:
    assert value_bindings(number(3), "x") == {"x": number(3)}
    assert value_bindings((number(3), label("a")), "v") == {"v[1]": number(3), "v[2]": label("a")}
    assert value_text((number(3), label("a"))) == '(3, "a")'


scalars = st.fractions(max_denominator=99) | st.sampled_from(["yes", "no", log(2), sqrt(3) / 2])
values = scalars | st.lists(scalars, min_size=1, max_size=3)


@given(values)
def test_values_read_back_from_json(value: object) -> None:
    assert value_from_json(value_to_json(read_value(value))) == read_value(value)


def test_conditions_read_back_from_json() -> None:
    named = declared_conditions({"x[2]": "x < h", "h": ""}, "unknown")
    assert named_from_json(named_to_json(named)) == named
    assert named_to_json((("h", h < 1),)) == [["h", to_json(h < 1)]]


@pytest.mark.parametrize("data", ["0.5", "2/4", " 1", "+1"])
def test_json_is_accepted_to_the_letter_only(data: str) -> None:
    with pytest.raises(BadInput, match="canonical"):
        from_canonical(value_from_json, value_to_json, data, "value")


@pytest.mark.parametrize(
    "data",
    [
        None,
        1,
        [],
        [[]],
        {},
        ["vector"],
        ["vector", ["vector", "1"]],
        ["vector", None],
        [["vector"]],
        ["name", "x"],
        float("nan"),
    ],
)
def test_odd_json_is_bad_input(data: Any) -> None:
    with pytest.raises(BadInput):
        from_canonical(value_from_json, value_to_json, data, "value")


@pytest.mark.parametrize("text", ["log(2)", "1/2 + 1", "pi", "oo", "-(1)", "2*pi"])
def test_a_text_that_reads_as_a_formula_is_not_a_label(text: str) -> None:
    """A natural mistake: in Python `"log(2)"` would be a label, and the point of mass in no
    interval.
    """
    with pytest.raises(BadInput, match="reads as a formula"):
        read_value(text)


@pytest.mark.parametrize("text", ["NULL", "a-b", "f(x", "x + 1", "age < 30", "yes or no"])
def test_words_stay_labels(text: str) -> None:
    assert str(read_value(text)).strip('"') == text


def test_conditions_are_made_of_conditions() -> None:
    """A number in the place of a condition, and the other way round, has no meaning, whoever
    wrote the tree.
    """
    a, holds = name("a"), Expression("<", (number(1), number(2)))
    check_conditions((("a", holds & Expression("<", (a, number(3)))),), ["a"], "parameter")
    for odd in (
        Expression("and", (a, holds)),
        Expression("<", (holds, number(1))),
        Expression("<", (oo + a, number(1))),
        Expression("not", (number(3),)),
    ):
        with pytest.raises(BadInput, match=r"condition|computes with oo"):
            check_conditions((("a", odd),), ["a"], "parameter")


def test_long_numbers_are_not_labels() -> None:
    for text in ("1" * 1400, "-." + "2" * 2000):
        with pytest.raises(BadInput):
            read_value(text)
        with pytest.raises(BadInput, match="reads as a number"):
            read_value(label(text))


@pytest.mark.parametrize("table", [["e > 0"], "e > 0", None, [("e", "e > 0")], {"e > 0"}])
@pytest.mark.parametrize(
    "made",
    [
        lambda table: Mechanism(Queries(1), outputs=[real("s")], density=1, parameters=table),
        lambda table: Domain.universal(unknowns=table),
        lambda table: Entries("n", "0 <= x", table),
        lambda table: Inequality.of(table, "1", "<=", "2"),
        lambda table: noise_program(parameters=table),
    ],
    ids=["mechanism", "domain", "entries", "inequality", "program"],
)
def test_conditions_that_are_no_table_are_refused_with_an_example(
    made: Callable[[Any], object], table: object
) -> None:
    with pytest.raises(BadInput) as said:
        made(table)
    assert "is no table" in said.value.reason and '{"b": "b > 0"}' in str(said.value)


@pytest.mark.parametrize("text", ["1e-5", "2E5", "1.5e+3", "50%", "12.5 %", "1,5", "10_000"])
def test_a_number_in_another_notation_is_no_label(text: str) -> None:
    with pytest.raises(BadInput, match="reads as a formula or number"):
        Domain([(text, 1)])
    with pytest.raises(BadInput):
        Domain([(1, text)])


@pytest.mark.parametrize(
    "text", ["1.2.3", "e5", "5th", "90210 a", "a,b", "100% sure", "inf", "x_1"]
)
def test_a_word_with_digits_is_a_label(text: str) -> None:
    assert str(Domain([(text, 1)]).records[0].value).strip('"') == text


@pytest.mark.parametrize("number", [1e-5, 0.1, 2.5e17, numpy.float64(0.5)])
def test_what_is_said_to_write_for_a_float_is_read_as_that_number(number: float) -> None:
    with pytest.raises(BadInput) as said:
        Domain([(number, 1)])
    cure = re.search('write "([^"]*)" in quotes', str(said.value))
    assert cure is not None and "numpy" not in str(said.value)
    (record,) = Domain([(cure[1], 1)]).records
    assert record.value == exact_expression(Fraction(repr(float(number))), "")
