"""The certificate format: every kind survives JSON, and anything hostile raises BadInput."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.certificate import (
    CERTIFICATE_KINDS,
    BestTest,
    BoxCover,
    ByRule,
    CaseSplit,
    Certificate,
    CoordinatesLeaf,
    Enumeration,
    ExpSign,
    HockeyStickLeaf,
    HockeyStickPart,
    InequalityLeaf,
    Lemma,
    Mass,
    Monotone,
    Optimum,
    Products,
    SolverWord,
    StatedPremise,
    TotalLeaf,
    certificate_kind,
)
from ahdp_verify.kernel.rules.inequalities import LEMMAS
from ahdp_verify.kernel.terms.expression import exp, name, number
from ahdp_verify.kernel.terms.stored import from_stored, to_stored
from tests.stored import ANY_KIND

S = name("s")
PRODUCTS = Products(((Fraction(-1, 2), (0, 3)), (Fraction(7), ())))
EXP_SIGN = ExpSign(((exp(-S) - 1, 2, ()), (S, 1, (Fraction(1, 3), Fraction(2)))), 0, 3)
LEMMA = Lemma("bound", (S, exp(S / 3)), ">", (PRODUCTS, None))
CLOSED = InequalityLeaf((LEMMA,), "log", (PRODUCTS, None))
CHOICE = HockeyStickPart("excess", CLOSED)
DIVERGENCE = HockeyStickLeaf(
    (LEMMA,),
    (S, number(Fraction(1, 3))),
    (CHOICE, HockeyStickPart("none", InequalityLeaf())),
    CLOSED,
)
PIECES = TotalLeaf((LEMMA,), (S - 1, S))
SPLIT = CaseSplit((LEMMA,), S - 2, ((">=", CLOSED), ("<", InequalityLeaf((), "never"))))
MASS = Mass((number(1),), (PIECES, SPLIT))
ONE_OF_EACH: tuple[Any, ...] = (
    PRODUCTS,
    EXP_SIGN,
    LEMMA,
    CLOSED,
    PIECES,
    CHOICE,
    DIVERGENCE,
    CoordinatesLeaf((LEMMA,), "log", (S,), (CLOSED,), (None,)),
    SPLIT,
    BoxCover(60),
    Monotone("s", -1, None, (LEMMA,), exp(-S), True, CLOSED, SPLIT),
    SolverWord(("z3", "cvc5")),
    Enumeration(8),
    MASS,
    Certificate("f" * 64, False, (S - 1,), MASS, (SPLIT, DIVERGENCE), (0, 1, 0)),
    StatedPremise("add-remove", S, number(0)),
    Optimum(
        "f" * 64,
        (LEMMA,),
        (S, number(1)),
        ((0, 1), (1, 0)),
        (1, 1),
        (0, 1),
        (1, 0),
        (((0, 1, 1),), ()),
    ),
    BestTest("f" * 64, (S, number(1)), (number(0), number(1)), ((0, 1),), (1,), (-1,)),
    ByRule(
        "f" * 64,
        "to_swap",
        1,
        StatedPremise("add-remove", S, number(0)),
        (ByRule("e" * 64, "assumed", 1, None, (), ()),),
        (SPLIT,),
    ),
)


def there_and_back(thing: Any) -> Any:
    return from_stored(ANY_KIND, json.loads(json.dumps(to_stored(thing), allow_nan=False)))


def test_the_examples_are_one_of_each_kind() -> None:
    assert sorted(certificate_kind(t) for t in ONE_OF_EACH) == sorted(CERTIFICATE_KINDS)


@pytest.mark.parametrize("thing", ONE_OF_EACH, ids=certificate_kind)
def test_json_round_trip(thing: Any) -> None:
    back = there_and_back(thing)
    assert back == thing
    assert type(back) is type(thing)
    assert to_stored(back) == to_stored(thing)


@pytest.mark.parametrize("kind", sorted(LEMMAS))
def test_json_round_trip_of_every_lemma(kind: str) -> None:
    lemma = Lemma(kind, (S,), ">=", (None,))
    assert there_and_back(InequalityLeaf((lemma,))).lemmas == (lemma,)


@pytest.mark.parametrize("thing", ONE_OF_EACH, ids=certificate_kind)
def test_a_missing_or_additional_field_is_bad_input(thing: Any) -> None:
    data = to_stored(thing)
    for key in data:
        with pytest.raises(BadInput):
            from_stored(ANY_KIND, {k: v for k, v in data.items() if k != key})
    with pytest.raises(BadInput):
        from_stored(ANY_KIND, {**data, "more": None})
    with pytest.raises(BadInput):
        from_stored(
            ANY_KIND,
            {k: "nonsense" if v == certificate_kind(thing) else v for k, v in data.items()},
        )


@pytest.mark.parametrize("value", [0.5, float("nan"), float("inf"), -0.0])
def test_floats_are_bad_input_wherever_they_stand(value: float) -> None:
    for data in (
        value,
        [value],
        {"q": value},
        {"e": value},
        {**to_stored(SolverWord(())), "solvers": [value]},
        {"e": ["+", value, "1"]},
    ):
        with pytest.raises(BadInput):
            from_stored(ANY_KIND, data)


HOSTILE: tuple[Any, ...] = (
    {},
    {"is": None},
    {"is": ["closed"]},
    {"is": {}},
    {"is": "nonsense"},
    {"q": 1},
    {"q": "nan"},
    {"q": "1/0"},
    {"q": "1" * 5000},
    {"q": None},
    {"e": None},
    {"e": 1},
    {"e": []},
    {"e": ["nonsense", "1"]},
    {"e": ["name", 3]},
    {"e": ["name"]},
    {"e": ["number", "1"]},
    {"e": ["boolean", 1]},
    {"e": ["exp"]},
    {"e": ["+"]},
    {"e": ["piecewise", "1"]},
    {"e": [["name", "s"]]},
    {"e": {"name": "s"}},
    {"q": "1/2", "e": "1"},
)


@pytest.mark.parametrize("data", HOSTILE, ids=lambda d: str(d)[:30])
def test_hostile_json_is_bad_input(data: Any) -> None:
    with pytest.raises(BadInput):
        from_stored(ANY_KIND, data)


@pytest.mark.parametrize("depth", [1_000, 5_000])
def test_deep_nesting_is_bad_input(depth: int) -> None:
    listed: Any = "x"
    node: Any = "1"
    split: Any = to_stored(InequalityLeaf())
    for _ in range(depth):
        listed, node = [listed], ["exp", node]
        split = {**to_stored(SPLIT), "cases": [[">=", split]]}
    for data in (listed, {"e": node}, split):
        with pytest.raises(BadInput):
            from_stored(ANY_KIND, data)


@pytest.mark.parametrize("text", ["exp(1)", "a + b", "|s|", "2'", "", " s", "s\n", "x[0]", "a*b"])
def test_a_name_that_looks_like_something_else_is_bad_input(text: str) -> None:
    """Canonical texts identify atoms, so a name with an operator in it could pass for another
    number.
    """
    with pytest.raises(BadInput):
        from_stored(ANY_KIND, {"e": ["+", ["name", text], "1"]})


@pytest.mark.parametrize("text", ["s", "x[2]", "@1", "#3", "@d2", "f'", "f[2]'"])
def test_names_that_the_package_writes_are_read(text: str) -> None:
    assert from_stored(ANY_KIND, {"e": ["name", text]}) == name(text)
