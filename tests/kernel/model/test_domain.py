"""Datasets are multisets as in the paper's appendix A:multisets; expected counts come from
Python's `Counter`, distances by hand.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.datasets import Multiset, distance
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.domain import (
    Domain,
    Queries,
    Record,
    Values,
    value_at_record,
)
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    Min,
    eq,
    exp,
    expression,
    indicator,
    label,
    log,
    multiply,
    name,
    number,
    oo,
    piecewise,
    sqrt,
    sum_over_records,
    to_json,
)

x, eps, h = name("x"), name("eps"), name("h")
W = Domain([(0, 0), (1, 1), ("none", oo)])
V = Domain([((1, "a"), log(2)), ((0, "b"), h)])
U = Domain.universal(
    unknowns={"alpha": "0 <= alpha <= eps", "f[2]": "l <= f <= h"},
    parameters={"l": "", "h": "h > l"},
)


def test_a_record_is_a_value_and_a_demand() -> None:
    assert W.records == (Record(0, 0), Record(1, 1), Record("none", oo))
    assert (Record("none", oo).value, Record("none", oo).demand) == (label("none"), oo)
    assert V.records[0].value == (number(1), label("a"))


def test_records_read_back_in_their_own_words() -> None:
    assert [str(r) for r in (*W.records, *V.records)] == [
        "(0, 0)",
        "(1, 1)",
        '("none", oo)',
        '((1, "a"), log(2))',
        '((0, "b"), h)',
    ]


def test_the_names_of_a_record() -> None:
    assert W.bindings((1, 1)) == W.records[1].bindings == {"x": number(1), "eps": number(1)}
    assert V.bindings(V.records[1]) == {"x[1]": number(0), "x[2]": label("b"), "eps": h}
    assert (W.bound, V.bound, U.bound) == (
        ("x", "eps"),
        ("x[1]", "x[2]", "eps"),
        ("eps", "alpha", "f[1]", "f[2]"),
    )


@pytest.mark.parametrize(
    ("records", "sentence"),
    [
        ([], "domain: it is empty; list at least one"),
        ([(0, 0), (1, 1), (0, 0)], "domain: the record (0, 0) is listed twice; list each once"),
        (
            [(Fraction(1, 2), 1), ("0.5", 1)],
            "domain: the record (1/2, 1) is listed twice; list each once",
        ),
        (
            [(0, Fraction(1, 2)), (0, "0.5")],
            "domain: the record (0, 1/2) is listed twice; list each once",
        ),
        (
            [(0, log(4)), (0, 2 * log(2))],
            "domain: the record (0, 2*log(2)) is listed twice; list each once",
        ),
        ([(0, h), (0, h)], "domain: the record (0, h) is listed twice; list each once"),
        (
            [((1, 2), 0), ((1,), 0)],
            "domain: its values have different numbers of parts; give every vector the same length",
        ),
        (
            [((1,), 0), (1, 0)],
            "domain: its values have different numbers of parts; give every vector the same length",
        ),
        ([(0, -1)], "demand: the demand -1 is negative; demands lie in [0, oo]"),
        (
            [(0.5, 1)],
            'value: 0.5 is a float, which is not exact; write "0.5" in quotes or Fraction(1, 2)',
        ),
        (
            [(0, 0.5)],
            'demand: 0.5 is a float, which is not exact; write "0.5" in quotes or Fraction(1, 2)',
        ),
        ([(0, float("inf"))], "demand: inf is a float, which is not exact; write oo for infinity"),
        ([0], "record: 0 is not a pair; write (value, demand)"),
        ([(0, 1, 2)], "record: (0, 1, 2) is not a pair; write (value, demand)"),
        (["ab"], "record: ab is not a pair; write (value, demand)"),
    ],
)
def test_a_domain_that_has_no_meaning(records: list[Any], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        Domain(records)
    assert str(caught.value) == sentence


def test_equal_values_with_different_demands_are_different_records() -> None:
    assert len(Domain([(0, 0), (0, 1), (0, oo), (0, h), (1, 0)]).records) == 5


def test_aggregates() -> None:
    assert (
        W.sum(lambda x, eps: (1 - exp(-eps)) * x)
        == W.sum((1 - exp(-eps)) * x)
        == sum_over_records((1 - exp(-eps)) * x)
    )
    assert W.size == sum_over_records(1)
    assert W.sum(3) == sum_over_records(3)
    assert W.max(lambda x, eps: x) == Expression("maximum", (x,))
    assert W.min(x) == Expression("minimum", (x,))
    assert V.sum(lambda x, eps: x[1] * eps) == sum_over_records(name("x[1]") * eps)
    assert U.sum(name("alpha") * name("f[1]")) == sum_over_records(name("alpha") * name("f[1]"))


def test_counts_of_records_and_of_conditions() -> None:
    assert (
        W.count((1, 1))
        == W.count(Record(1, 1))
        == sum_over_records(indicator(eq(x, 1) & eq(eps, 1)))
    )
    assert W.count(("none", oo)) == sum_over_records(indicator(eq(x, label("none")) & eq(eps, oo)))
    assert V.count(V.records[1]) == sum_over_records(
        indicator(eq(name("x[1]"), 0) & eq(name("x[2]"), label("b")) & eq(eps, h))
    )
    assert (
        W.count(lambda x, eps: eps < 1) == W.count(eps < 1) == sum_over_records(indicator(eps < 1))
    )
    assert W.count(TRUE) == sum_over_records(indicator(TRUE))


@pytest.mark.parametrize("counted", [(2, 1), (1, 2), Record("non", oo), (1,)])
def test_a_record_that_is_not_listed_is_not_counted(counted: Any) -> None:
    with pytest.raises(BadInput):
        W.count(counted)


@pytest.mark.parametrize("f", [lambda x, eps: 0.5 * x, lambda x, eps: 0.5, lambda x, eps: "one"])
def test_a_record_expression_is_exact(f: Body) -> None:
    with pytest.raises(BadInput):
        W.sum(f)


def test_a_function_of_a_record_becomes_an_expression() -> None:
    assert record_expression(lambda x, eps: 2) == number(2)
    assert record_expression(lambda x, eps: x * eps) == record_expression(x * eps) == x * eps


@pytest.mark.sweep(0)
def test_a_thousand_records_are_read_counted_and_saved() -> None:
    many = Domain([(i, Fraction(j, 25)) for i in range(40) for j in range(25)])
    assert len({many.count(r) for r in many.records}) == 1000
    assert Domain.from_json(many.to_json()) == many
    assert distance(Multiset(many, [1] * 1000), Multiset(many), eps) == number(
        40 * sum(Fraction(j, 25) for j in range(25))
    )


def test_a_universal_domain_names_unknowns_and_parameters() -> None:
    low, alpha = name("l"), name("alpha")
    assert U.is_universal and not W.is_universal and U.records == ()
    assert U.parameters == (("l", TRUE), ("h", h > low))
    one, two = name("f[1]"), name("f[2]")
    assert U.unknowns == (
        ("eps", eps >= 0),
        ("alpha", (alpha >= 0) & (alpha <= eps)),
        ("f[1]", (low <= one) & (one <= h)),
        ("f[2]", (low <= two) & (two <= h)),
    )


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("", eps >= 0),
        ("0 <= eps", eps >= 0),
        ("eps >= 0", eps >= 0),
        ("0 <= eps <= 3", (eps >= 0) & (eps <= 3)),
        ("eps <= 3", (eps >= 0) & (eps <= 3)),
        ("0 <= eps or eps < 1", (eps >= 0) & ((eps >= 0) | (eps < 1))),
    ],
)
def test_a_demand_is_never_negative(given_: str, kept: Expression) -> None:
    assert Domain.universal(unknowns={"x": "", "eps": given_}).unknowns == (
        ("x", TRUE),
        ("eps", kept),
    )


@pytest.mark.parametrize(
    ("unknowns", "parameters", "sentence"),
    [
        ({"x": "x < t"}, {}, "unknown x: the name t is not known; known are eps, x"),
        ({"x": ""}, {"h": "h > x"}, "parameter h: the name x is not known; known are h"),
        ({"x": "x + 1"}, {}, "is not a condition"),
        ({"x": "x <"}, {}, "unknown x: at character"),
        ({"x": "x < size"}, {}, "depends on the dataset"),
        ({"x": ""}, {"x": ""}, "the name x is declared twice"),
        ({"x": ""}, {"eps": ""}, "the name eps is declared twice"),
        ({"x": "", "x[2]": ""}, {}, "the name x is declared twice"),
        ({"eps[2]": ""}, {}, "the name eps is declared twice"),
        ({"size": ""}, {}, "reserved word"),
        ({"x y": ""}, {}, "is not a name"),
        ({"x[0]": ""}, {}, "is not a name"),
        ({"x": 0.5}, {}, "is a float"),
    ],
)
def test_a_universal_domain_that_has_no_meaning(
    unknowns: dict[str, Any], parameters: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput) as caught:
        Domain.universal(unknowns=unknowns, parameters=parameters)
    assert sentence in str(caught.value)


counts = st.lists(st.integers(0, 5), min_size=3, max_size=3)


@given(counts, counts)
def test_addition_subtraction_and_size_are_those_of_the_appendix(
    a: list[int], b: list[int]
) -> None:
    D, E = Multiset(W, a), Multiset(W, b)
    c, d = Counter(dict(enumerate(a))), Counter(dict(enumerate(b)))
    assert (D + E).counts == tuple((c + d)[i] for i in range(3))
    assert (D - E).counts == tuple((c - d)[i] for i in range(3))
    assert D.size == sum(a)
    assert (D - E) + E == (E - D) + D
    assert D + E == E + D and hash(D + E) == hash(E + D)


def test_a_dataset_is_its_counts_or_its_records_in_any_order() -> None:
    D = Multiset(W, [2, 0, 1])
    assert (
        D
        == Multiset(W, [(0, 0), ("none", oo), (0, 0)])
        == Multiset(W, {(0, 0): 2, ("none", oo): 1})
    )
    assert Multiset(W, {Record(0, 0): 2, Record("none", oo): 1}) == D
    assert Multiset(W) == Multiset(W, []) == Multiset(W, {}) == Multiset(W, [0, 0, 0])
    assert str(D) == '{2 x (0, 0), ("none", oo)}' and str(Multiset(W)) == "{}"


@pytest.mark.parametrize(
    "contents",
    [
        [1, 2],
        [1, 2, 3, 4],
        [1, 2, -1],
        [True, 0, 0],
        [1, 2, 0.5],
        [(2, 2)],
        {(0, 0): -1},
        {(0, 0): 0.5},
        {(0, 0): True},
        [0, (0, 0)],
    ],
)
def test_what_is_not_a_dataset(contents: Any) -> None:
    with pytest.raises(BadInput):
        Multiset(W, contents)


def test_a_universal_domain_lists_no_datasets() -> None:
    with pytest.raises(BadInput, match="not listed"):
        Multiset(U)


def test_datasets_of_different_domains_do_not_mix() -> None:
    D, E = Multiset(W), Multiset(V)
    for mix in (lambda: D + E, lambda: D - E, lambda: distance(D, E, eps)):
        with pytest.raises(BadInput, match="different domains"):
            mix()


def test_projection_forgets_demands() -> None:
    both = Domain([("a", 1), ("a", 2), ("b", 1), ("c", 0)])
    assert Multiset(both, [2, 3, 1, 0]).project() == {label("a"): 5, label("b"): 1}
    assert Multiset(V, [1, 0]).project() == {(number(1), label("a")): 1}


finite = Domain([(0, 0), (1, "1/3"), (2, 5)])


@given(counts, counts, counts)
def test_the_distance_is_a_weighted_sum_of_count_differences_and_a_pseudometric(
    a: list[int], b: list[int], c: list[int]
) -> None:
    D, E, F = (Multiset(finite, n) for n in (a, b, c))
    d = {
        pair: distance(*pair, lambda x, eps: eps).args[0]
        for pair in ((D, E), (E, D), (D, F), (F, E))
    }
    assert d[D, E] == d[E, D] == abs(a[1] - b[1]) * Fraction(1, 3) + abs(a[2] - b[2]) * 5
    assert d[D, E] <= d[D, F] + d[F, E]
    assert distance(D, D, eps) == number(0)


def test_the_distance_is_infinite_only_where_counts_differ() -> None:
    D, E = Multiset(W, [1, 0, 2]), Multiset(W, [3, 4, 2])
    assert distance(D, E, eps) == number(4)
    assert distance(D, E + Multiset(W, [0, 0, 1]), eps) == oo
    assert distance(D, D, oo) == number(0)


@pytest.mark.parametrize(
    ("level", "total"),
    [
        (lambda x, eps: 1 - exp(-eps), number(3)),
        (lambda x, eps: Min(eps, 2), number(6)),
        (lambda x, eps: 2 * eps, oo),
        (lambda x, eps: eps / (1 + eps), number(3)),
        (number(7), number(21)),
        (piecewise((5, eq(eps, oo)), (eps, True)), number(15)),
        (piecewise((5, eps < oo), (1, True)), number(3)),
        (piecewise((log(2), eq(x, label("none"))), (oo, True)), multiply(number(3), log(2))),
        (lambda x, eps: exp(eps), oo),
    ],
)
def test_a_level_at_demand_oo_is_a_limit(level: Body, total: Expression) -> None:
    assert distance(Multiset(W), Multiset(W, [0, 0, 3]), level) == total


def test_a_level_without_a_value_is_refused() -> None:
    with pytest.raises(NotWorkedOut, match=r"^level: at the record .* has no value that was found"):
        distance(Multiset(W), Multiset(W, [0, 0, 1]), lambda x, eps: x * eps)


def test_an_expression_at_a_record() -> None:
    here = Context.empty()
    assert value_at_record(x + eps, Record(2, "1/2"), here) == number("5/2")
    assert value_at_record(x / (1 + eps), Record(2, oo), here) == number(0)
    assert value_at_record(indicator(eq(x, 2) & eq(eps, oo)), Record(2, oo), here) == number(1)
    assert (
        value_at_record(piecewise((oo, eq(x, label("a"))), (eps, True)), Record("a", 1), here) == oo
    )
    assert value_at_record(eps, Record("a", h), here) == h


def test_queries() -> None:
    assert Queries(3).bound == ("q[1]", "q[2]", "q[3]")
    for n in (0, -1, True, 2.0, "3", 10**9):
        with pytest.raises(BadInput, match="not a number of queries"):
            Queries(n)  # type: ignore[arg-type]


def test_values() -> None:
    local, vectors = Values(["a", "b", 3]), Values([(0, "u"), (1, "u")])
    assert local.values == (label("a"), label("b"), number(3))
    assert local.bound == ("v",) and vectors.bound == ("v[1]", "v[2]")
    assert local.bindings("b") == {"v": label("b")}
    assert vectors.bindings((1, "u"), "other") == {"other[1]": number(1), "other[2]": label("u")}


@pytest.mark.parametrize(
    "values",
    [[], [1, 1], ["a", "a"], [1, "1"], [sqrt(8), 2 * sqrt(2)], [1, (1, 2)], [0.5], [oo], [x]],
)
def test_values_that_have_no_meaning(values: list[Any]) -> None:
    with pytest.raises(BadInput):
        Values(values)


scalars = st.fractions(max_denominator=9) | st.sampled_from(["yes", "no", log(2), sqrt(3)])
demands = st.fractions(0, max_denominator=9) | st.sampled_from([oo, log(3), h, h / 2])
domains = st.lists(
    st.tuples(scalars, demands),
    min_size=1,
    max_size=5,
    unique_by=lambda pair: tuple(map(str, pair)),
).map(Domain)


@given(domains, st.data())
def test_domains_and_datasets_read_back_from_json(domain: Domain, data: st.DataObject) -> None:
    assert Domain.from_json(domain.to_json()) == domain
    held = data.draw(
        st.lists(st.integers(0, 2), min_size=len(domain.records), max_size=len(domain.records))
    )
    D = Multiset(domain, held)
    assert Multiset.from_json(D.to_json(), domain) == D


@pytest.mark.parametrize(
    "thing",
    [W, V, U, Queries(4), Values(["a", 1]), Values([(1, 2)]), Domain.universal(unknowns={})],
)
def test_inputs_read_back_from_json(thing: Domain | Queries | Values) -> None:
    assert type(thing).from_json(thing.to_json()) == thing


def test_the_json_of_inputs() -> None:
    assert W.to_json() == {"records": [["0", "0"], ["1", "1"], [["label", "none"], ["oo"]]]}
    assert V.to_json() == {
        "records": [
            [["vector", "1", ["label", "a"]], ["log", "2"]],
            [["vector", "0", ["label", "b"]], ["name", "h"]],
        ]
    }
    assert Domain.universal({"x": ""}).to_json() == {
        "unknowns": [["eps", to_json(eps >= 0)], ["x", ["boolean", True]]],
        "parameters": [],
    }
    assert Multiset(W, [2, 0, 1]).to_json() == [["0", "0", 2], [["label", "none"], ["oo"], 1]]
    assert (Queries(2).to_json(), Values(["a"]).to_json()) == (
        {"queries": 2},
        {"values": [["label", "a"]]},
    )


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "records",
        {},
        {"records": []},
        {"records": None},
        {"records": [["0"]]},
        {"records": [["0", "0", "0"]]},
        {"records": [["0", "0"], ["0", "0"]]},
        {"records": [["0", "0.0"]]},
        {"records": [["0", "-1"]]},
        {"records": ["00"]},
        {"records": [["0", "0"]], "more": 1},
        {"records": [[0, 0]]},
        {"records": [[["name", "x"], "0"]]},
        {"records": [[["vector"], "0"]]},
        {"records": [["0", ["sum", "1"]]]},
        {"records": [[[["vector"]], "0"]]},
        {"unknowns": []},
        {"unknowns": [], "parameters": []},
        {"unknowns": [["x", ["boolean", True]]], "parameters": []},
        {"unknowns": [["eps", ["boolean", True]]], "parameters": []},
        {"unknowns": [["eps", to_json(eps >= 0)], ["@1", ["boolean", True]]], "parameters": []},
        {"unknowns": [["eps", to_json(eps >= 0)]], "parameters": [["h", "1"]]},
        {"unknowns": 1, "parameters": 1},
    ],
)
def test_odd_json_is_not_a_domain(data: Any) -> None:
    with pytest.raises(BadInput):
        Domain.from_json(data)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        [[]],
        [["0", "0"]],
        [["0", "0", "1"]],
        [["0", "0", 1.0]],
        [["0", "0", True]],
        [["0", "0", 0]],
        [["0", "0", -1]],
        [["0", "0", 1], ["0", "0", 1]],
        [["1", "1", 1], ["0", "0", 1]],
        [["7", "0", 1]],
        "001",
    ],
)
def test_odd_json_is_not_a_dataset(data: Any) -> None:
    with pytest.raises(BadInput):
        Multiset.from_json(data, W)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"queries": True},
        {"queries": 0},
        {"queries": 1.0},
        {"queries": 1, "n": 1},
        {"queries": "1"},
        [1],
    ],
)
def test_odd_json_is_not_a_query_class(data: Any) -> None:
    with pytest.raises(BadInput):
        Queries.from_json(data)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"values": []},
        {"values": "12"},
        {"values": ["1", "1.0"]},
        {"values": ["1"], "n": 1},
        {"values": [1]},
    ],
)
def test_odd_json_is_not_an_input_list(data: Any) -> None:
    with pytest.raises(BadInput):
        Values.from_json(data)


def test_everything_is_frozen() -> None:
    for thing, field in (
        (W, "records"),
        (W.records[0], "demand"),
        (Multiset(W), "counts"),
        (Queries(1), "n"),
        (Values([1]), "values"),
    ):
        with pytest.raises(AttributeError):
            setattr(thing, field, expression(1))


def test_one_number_in_two_ways_is_one_value() -> None:
    """2 and 4*(1/2) are one, and so are 2*log(2) and log(4)."""
    half = Expression("*", (number(4), number("1/2")))
    for pair in ((number(2), half), (2 * log(2), log(4))):
        with pytest.raises(BadInput, match="is listed twice"):
            Domain([(v, 1) for v in pair])
        with pytest.raises(BadInput, match="is listed twice"):
            Values(pair)
