"""Trees mean what was written: an independent evaluator (Python's fractions) agrees before and
after every rewriting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    DEPTH,
    FALSE,
    HEADS,
    LEAVES,
    ONE,
    TRUE,
    ZERO,
    Abs,
    Expression,
    Max,
    Min,
    add,
    aggregates,
    binomial,
    clip,
    eq,
    exp,
    expression,
    floor,
    from_json,
    indicator,
    label,
    log,
    multiply,
    name,
    names,
    ne,
    negative,
    number,
    oo,
    pi,
    piecewise,
    reciprocal,
    sign,
    sqrt,
    substitute,
    sum_over_records,
    to_json,
    transform,
    walk,
)

x, y, s, eps = name("x"), name("y"), name("s"), name("eps")
half = Fraction(1, 2)


def value(e: Expression, at: Mapping[str, Fraction]) -> Fraction:
    """The value of an expression of +, *, ^ with whole exponents, abs, min and max, from the
    definition of each.
    """
    if e.head == "number":
        return Fraction(e.args[0])
    if e.head == "name":
        return at[e.args[0]]
    parts = [value(a, at) for a in e.args]
    if e.head == "+":
        return sum(parts, Fraction(0))
    if e.head == "*":
        product = Fraction(1)
        for part in parts:
            product *= part
        return product
    if e.head == "^":
        return parts[0] ** int(parts[1])
    return {"abs": lambda p: abs(p[0]), "min": min, "max": max}[e.head](parts)


small = st.fractions(-9, 9, max_denominator=5)
points = st.fixed_dictionaries({"x": small, "y": small, "s": small})
arithmetic = st.recursive(
    st.builds(number, small) | st.sampled_from([x, y, s]),
    lambda inner: st.builds(
        lambda f, a, b: f(a, b),
        st.sampled_from(
            [
                lambda a, b: a + b,
                lambda a, b: a - b,
                lambda a, b: a * b,
                lambda a, b: Max(a, b),
                lambda a, b: Min(a, b),
                lambda a, b: Abs(a) - b,
                lambda a, b: -a * b,
            ]
        ),
        inner,
        inner,
    ),
    max_leaves=8,
)

words = st.text(max_size=5)
typed = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,4}(\[[1-9][0-9]?\])?", fullmatch=True)
leaves = st.one_of(
    st.builds(number, st.fractions(max_denominator=10**6)),
    st.builds(name, typed),
    st.builds(label, words),
    st.sampled_from([oo, pi, TRUE, FALSE]),
)
ONE_ARGUMENT = (
    *("exp", "log", "sin", "cos", "atan", "erf", "theta3", "abs", "sign", "floor", "not"),
    *AGGREGATES,
)
TWO_ARGUMENTS = ("^", "mod", "binomial", "==", "!=", "<", "<=", "and", "or", "index")
SEVERAL = ("+", "*", "min", "max")


def nodes(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Every head with a number of arguments that it takes."""

    def some(heads: tuple[str, ...], least: int, most: int) -> st.SearchStrategy[Expression]:
        return st.builds(
            Expression,
            st.sampled_from(heads),
            st.lists(inner, min_size=least, max_size=most).map(tuple),
        )

    pairs = st.lists(st.tuples(inner, inner), min_size=1, max_size=3).map(lambda ps: piecewise(*ps))
    return some(ONE_ARGUMENT, 1, 1) | some(TWO_ARGUMENTS, 2, 2) | some(SEVERAL, 1, 4) | pairs


trees = st.recursive(leaves, nodes, max_leaves=12)


def test_the_strategy_knows_every_head() -> None:
    assert {*ONE_ARGUMENT, *TWO_ARGUMENTS, *SEVERAL, *LEAVES, "piecewise"} == HEADS


@pytest.mark.parametrize(
    ("built", "tree"),
    [
        (x - y, Expression("+", (x, Expression("*", (number(-1), y))))),
        (3 - x, Expression("+", (Expression("*", (number(-1), x)), number(3)))),
        (x / y, Expression("*", (x, Expression("^", (y, number(-1)))))),
        (1 / x, Expression("^", (x, number(-1)))),
        (x / 2, Expression("*", (number(half), x))),
        (x**2, Expression("^", (x, number(2)))),
        (2**x, Expression("^", (number(2), x))),
        (x % 2, Expression("mod", (x, number(2)))),
        (abs(x), Expression("abs", (x,))),
        (x > y, Expression("<", (y, x))),
        (x >= y, Expression("<=", (y, x))),
        (x < 1, Expression("<", (x, ONE))),
        (x > 1, Expression("<", (ONE, x))),
        ((x < y) & (y < 1), Expression("and", (x < y, y < 1))),
        ((x < y) | (y < 1), Expression("or", (x < y, y < 1))),
        (~(x < y), Expression("not", (x < y,))),
        (eq(x, 1), Expression("==", (x, ONE))),
        (ne(x, label("a")), Expression("!=", (x, label("a")))),
        (sqrt(x), Expression("^", (x, number(half)))),
        (clip(x, 0, 1), Expression("min", (ONE, Expression("max", (ZERO, x))))),
        (indicator(x < 1), Expression("piecewise", (ONE, x < 1, ZERO, TRUE))),
        (sum_over_records(1), Expression("sum", (ONE,))),
        (x[2], name("x[2]")),
        (x[s], Expression("index", (x, s))),
        (binomial(5, x), Expression("binomial", (number(5), x))),
    ],
)
def test_what_operators_and_functions_build(built: Expression, tree: Expression) -> None:
    assert built == tree


@pytest.mark.parametrize(
    ("f", "head"), [(exp, "exp"), (log, "log"), (sign, "sign"), (floor, "floor"), (Abs, "abs")]
)
def test_a_function_is_a_node_of_its_name(f: Callable[[object], Expression], head: str) -> None:
    assert f(x + 1) == Expression(head, (x + 1,))
    assert f("1/2") == Expression(head, (number(half),))


def test_sums_are_flat_with_one_number_at_the_end() -> None:
    assert (1 + x) + (y + 2) == Expression("+", (x, y, number(3)))
    assert add(x, ZERO) == x
    assert x + 1 - 1 == x
    assert add() == ZERO


def test_products_are_flat_with_one_number_in_front() -> None:
    assert (2 * x) * (y * 3) == Expression("*", (number(6), x, y))
    assert multiply(x, ONE) == x
    assert multiply() == ONE
    assert 2 * x / 2 == x


def test_a_zero_factor_stays() -> None:
    assert 0 * oo == Expression("*", (ZERO, oo))


def test_numbers_are_inverted_at_once_but_zero_is_not() -> None:
    assert reciprocal(number(4)) == number(Fraction(1, 4))
    assert reciprocal(ZERO) == Expression("^", (ZERO, number(-1)))


def test_equality_is_of_trees_and_hashes_agree() -> None:
    assert (x + y).same(name("x") + name("y")) and not (x + y).same(y + x)
    assert len({exp(x), exp(name("x")), exp(y)}) == 2


def test_a_truth_value_and_a_number_are_not_the_same_leaf() -> None:
    assert expression(True) == TRUE and not TRUE.same(ONE)
    assert expression(1) == ONE


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: x + 0.5,
        lambda: 0.5 * x,
        lambda: exp(0.1),
        lambda: x < float("inf"),
        lambda: number(1.0),
        lambda: piecewise((0.5, True)),
    ],
)
def test_floats_are_refused_everywhere(wrong: Callable[[], object]) -> None:
    with pytest.raises(BadInput, match="is a float"):
        wrong()


@pytest.mark.parametrize("wrong", [lambda: x + None, lambda: exp("one"), lambda: Max(x, [1])])
def test_what_is_not_a_number_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(BadInput):
        wrong()


@pytest.mark.parametrize(
    "wrong", [lambda: bool(x < 1), lambda: bool(x), lambda: list(x), lambda: 1 if 0 < x < 1 else 0]
)
def test_conditions_have_no_truth_value_and_names_no_length(wrong: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="expression"):
        wrong()


@pytest.mark.parametrize("part", [0, -1, half])
def test_parts_are_counted_from_one(part: object) -> None:
    with pytest.raises(BadInput, match="counted 1, 2, 3"):
        x[part]


def test_only_names_have_parts() -> None:
    with pytest.raises(BadInput, match="only a name has parts"):
        (x + 1)[1]


@given(arithmetic, arithmetic, points)
def test_operators_mean_what_they_say(
    a: Expression, b: Expression, at: dict[str, Fraction]
) -> None:
    u, v = value(a, at), value(b, at)
    assert value(a + b, at) == u + v
    assert value(a - b, at) == u - v
    assert value(a * b, at) == u * v
    assert value(-a, at) == value(negative(a), at) == -u
    if v:
        assert value(a / b, at) == u / v


@given(arithmetic, arithmetic, points)
def test_substitution_evaluates_as_the_value_does(
    a: Expression, b: Expression, at: dict[str, Fraction]
) -> None:
    assert value(substitute(a, {"x": b}), at) == value(a, {**at, "x": value(b, at)})


def test_substitution_is_all_at_once() -> None:
    assert substitute(x - y, {"x": y, "y": x}) == y - x


def test_substitution_leaves_the_names_of_a_record_alone_in_record_sums_only() -> None:
    e = x + sum_over_records(x * eps * s + x[1])
    assert substitute(
        e, {"x": number(2), "eps": number(3), "s": number(5), "x[1]": number(7)}
    ) == 2 + sum_over_records(5 * (x * eps) + x[1])


def test_a_part_is_named_once_its_number_is_known() -> None:
    assert substitute(x[s], {"s": number(2)}) == name("x[2]")
    assert substitute(1 / s, {"s": number(4)}) == number(Fraction(1, 4))


def test_transform_replaces_from_the_top() -> None:
    inner = exp(x)
    assert transform(exp(inner) + x, {inner: y, exp(inner): s}.get) == s + x
    assert transform(exp(inner) + x, {inner: y}.get) == exp(y) + x


@given(trees)
def test_transform_without_changes_and_empty_substitution_keep_the_very_tree(e: Expression) -> None:
    assert transform(e, lambda node: None) is e
    assert substitute(e, {}) is e


def test_walk_meets_every_node_parents_first() -> None:
    e = exp(x + 1)
    assert list(walk(e)) == [e, x + 1, x, ONE]


def test_names_are_found_inside_record_sums_and_parts() -> None:
    assert names(exp(s) + sum_over_records(x * eps) + name("q")[name("k")] + label("not") + pi) == {
        "s",
        "x",
        "eps",
        "q",
        "k",
    }


def test_aggregates_are_listed_once_in_order() -> None:
    first, second = sum_over_records(x), Expression("maximum", (x,))
    assert aggregates(second * first + first) == (second, first)


@given(trees)
def test_json_reads_back(e: Expression) -> None:
    assert from_json(to_json(e)) == e


@given(trees, trees)
def test_json_tells_trees_apart(a: Expression, b: Expression) -> None:
    assert (to_json(a) == to_json(b)) is a.same(b)


@pytest.mark.parametrize(
    ("e", "data"),
    [
        (number("-2/6"), "-1/3"),
        (number(3), "3"),
        (oo, ["oo"]),
        (TRUE, ["boolean", True]),
        (label("yes"), ["label", "yes"]),
        (exp(-x), ["exp", ["*", "-1", ["name", "x"]]]),
        (
            piecewise((1, x < 2), (0, True)),
            ["piecewise", "1", ["<", ["name", "x"], "2"], "0", ["boolean", True]],
        ),
    ],
)
def test_the_json_of_some_trees(e: Expression, data: Any) -> None:
    assert to_json(e) == data


@pytest.mark.parametrize(
    "data",
    [
        None,
        True,
        1,
        0.5,
        {},
        [],
        ["tan", "1"],
        ["number", "1"],
        [1, "1"],
        [["name", "x"]],
        [{}],
        {"head": "oo"},
        ["oo", "1"],
        ["pi", []],
        ["name"],
        ["name", 1],
        ["name", "a", "b"],
        ["label", None],
        ["boolean", 1],
        ["boolean", "true"],
        ["+"],
        ["min"],
        ["^", "1"],
        ["exp"],
        ["exp", "1", "2"],
        ["and", ["boolean", True]],
        ["exp", 1],
        ["exp", [["exp"]]],
        ["piecewise"],
        ["piecewise", "1"],
        ["piecewise", "1", "2", "3"],
        "",
        "one",
        "1e9",
        "1/0",
    ],
)
def test_odd_json_is_bad_input(data: Any) -> None:
    with pytest.raises(BadInput):
        from_json(data)


def nested(depth: int) -> Any:
    data: Any = "1"
    for _ in range(depth):
        data = ["exp", data]
    return data


def test_json_is_read_to_a_bounded_depth() -> None:
    assert to_json(from_json(nested(DEPTH))) == nested(DEPTH)
    for depth in (DEPTH + 1, 900):
        with pytest.raises(BadInput, match="nested"):
            from_json(nested(depth))


def test_the_text_is_the_grammars() -> None:
    assert str(exp(-Abs(s - 1) / 2) / 4) == "exp(-abs(s - 1)/2)/4"
