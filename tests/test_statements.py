"""Statements about unknown numbers: what they may say, what the checker accepts as their proof, and which values refute them.

What is true is worked out by hand beside each case, or by `oracle`, which evaluates both sides with mpmath and shares nothing with the package.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import oracle
import pytest

from ahdp_verify import jsonfile
from ahdp_verify.argument import Argument, Statement, Step, sides_at
from ahdp_verify.certificate import Closed, Products
from ahdp_verify.checker import check, replay_statement
from ahdp_verify.errors import BadInput, Rejected
from ahdp_verify.expression import ONE, TRUE, ZERO, Expression, log, name, number, oo, pi, sqrt
from ahdp_verify.grammar import parse
from ahdp_verify.limits import Limits
from ahdp_verify.search import verify
from ahdp_verify.storage import recheck
from ahdp_verify.verdict import Proved, RefutedStatement, stored

Given = dict[str, object]
AREA: Given = {"a": "0 <= a and a <= 1", "b": "a <= b"}
TRUE_ONES: tuple[tuple[Given, str, str, str], ...] = (
    ({"x": ""}, "2*x", "<=", "x^2 + 1"),  # (x - 1)^2 >= 0
    ({"x": "x > 0"}, "log(x)", "<=", "x - 1"),  # log is concave, with slope 1 at 1
    ({"x": "x >= 0"}, "1 + x + x^2/2", "<=", "exp(x)"),  # its series
    ({"x": "x > 0"}, "1 + x", "<", "exp(x)"),
    (AREA, "a^2", "<=", "b"),  # a^2 <= a <= b
    ({"p": "0 < p and p < 1"}, "p*(1 - p)", ">", "0"),
    ({"x": "", "y": ""}, "exp(x + y)", "==", "exp(x)*exp(y)"),
    ({"q": "0 < q and q < 1"}, "1/(1 + q)", ">=", "1 - q"),  # 1 >= 1 - q^2
    ({}, "exp(1)", "<", "68/25"),  # 2.71828... < 2.72
)
FALSE_ONES: tuple[tuple[Given, str, str, str], ...] = (
    ({"x": ""}, "x", "<=", "x^2"),  # x = 1/2
    ({"x": ""}, "1 + x", "<", "exp(x)"),  # equal at 0
    ({"x": ""}, "1 + x + x^2/2", "<=", "exp(x)"),  # x = -1: 1/2 > 0.37
    (AREA, "b", "<=", "a"),
    ({"p": "0 <= p and p <= 1"}, "p*(1 - p)", ">", "0"),  # at the ends
    ({"x": "", "y": ""}, "exp(x*y)", "==", "exp(x)*exp(y)"),
    ({}, "exp(1)", "<", "27/10"),
    ({}, "pi", "==", "22/7"),
)


def statement(given: Given, left: str, relation: str, right: str) -> Statement:
    return Statement.of(given, left, relation, right, name="s")


def truth(s: Statement, at: dict[str, Fraction]) -> bool | None:
    """Whether the statement holds at a point, True where its conditions do not, None where that is not clear."""
    try:
        if not all(oracle.holds(condition, at) for _, condition in s.parameters):
            return True
        gap = oracle.sign(oracle.value(s.right, at) - oracle.value(s.left, at))
    except (oracle.Undefined, oracle.Doubtful):
        return None
    return {"<=": gap >= 0, "<": gap > 0, "==": gap == 0, ">=": gap <= 0, ">": gap < 0}[s.relation]


def false_somewhere(s: Statement, tries: int = 400) -> bool:
    """Whether one of many points shows that the statement is false."""
    source, keys = random.Random(5), [key for key, _ in s.parameters]
    corners = [0, 1, -1, 2, Fraction(1, 2), Fraction(-1, 2), Fraction(1, 10), 5, -5, Fraction(99, 100)]
    return any(
        truth(s, {key: Fraction(source.choice(corners) if i % 2 else source.randint(-300, 300)) / source.choice((1, 1, 7, 100)) for key in keys}) is False for i in range(tries)
    )


def proof(s: Statement) -> Proved:
    found = verify(s, Limits(seconds=30))
    assert isinstance(found, Proved), found
    return found


@pytest.fixture(scope="module")
def proofs() -> tuple[Proved, ...]:
    return tuple(proof(statement(*case)) for case in TRUE_ONES)


def test_true_statements_are_proved_and_say_so(proofs: tuple[Proved, ...]) -> None:
    for found, case in zip(proofs, TRUE_ONES, strict=True):
        s = found.claim
        assert isinstance(s, Statement) and s == statement(*case) and not false_somewhere(s)
        assert (found.word, found.scope, found.trusts) == ("Proved", "scope: all values of its unknowns", ())


@pytest.mark.parametrize("case", FALSE_ONES, ids=lambda case: f"{case[1]} {case[2]} {case[3]}")
def test_false_statements_are_refuted_by_values_at_which_they_fail(case: tuple[Given, str, str, str]) -> None:
    found = verify(statement(*case), Limits(seconds=30))
    assert isinstance(found, RefutedStatement) and found.word == "Refuted"
    given = {key: value.args[0] for key, value in found.values}
    assert list(given) == list(case[0]) and truth(found.claim, given) is False


def test_what_is_saved_is_found_again(tmp_path: Path, proofs: tuple[Proved, ...]) -> None:
    refuted = verify(statement(*FALSE_ONES[2]))
    for found in (*proofs, refuted):
        found.save(tmp_path / "a.json")
        again = recheck(tmp_path / "a.json")
        assert type(again) is type(found) and str(again) == str(found) and again.to_json() == found.to_json()


@pytest.mark.parametrize("case", TRUE_ONES + FALSE_ONES, ids=lambda case: f"{case[1]} {case[2]} {case[3]}")
def test_the_json_is_canonical(case: tuple[Given, str, str, str]) -> None:
    s = statement(*case)
    again = Statement.from_json(s.to_json())
    assert again == s and again.fingerprint == s.fingerprint
    assert replace(s, name="other").fingerprint != s.fingerprint
    short, listed = s.to_json()["statement"][:2], ["1", ["<="], "1"]
    for damaged in ({**s.to_json(), "more": 1}, {**s.to_json(), "name": 3}, *({**s.to_json(), "statement": sides} for sides in (short, listed)), [], None):
        with pytest.raises(BadInput):
            Statement.from_json(damaged)


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        (({"x": ""}, "x", "=<", "1"), "=<"),
        (({"x": ""}, "x", "!=", "1"), "!="),
        (({"x": ""}, "z", "<=", "1"), "z"),
        (({"x": "z >= 0"}, "x", "<=", "1"), "z"),
        (({"x": "x + 1"}, "x", "<=", "1"), "x"),
        (({"x": ""}, "sum(x)", "<=", "1"), "sum"),
        (({"x": ""}, "x", "<=", "oo"), "oo"),
        (({"x": ""}, "x < 1", "<=", "1"), "x < 1"),
        (({"x": ""}, '"yes"', "==", "1"), "yes"),
        (({"x": ""}, 0.5, "<=", "1"), "0.5"),
    ],
)
def test_what_has_no_meaning_is_refused_in_a_sentence(parts: tuple[Given, Any, str, str], named: str) -> None:
    with pytest.raises(BadInput) as error:
        Statement.of(*parts)
    assert named in str(error.value) and "\n" not in str(error.value)


def test_an_argument_has_steps_about_the_same_unknowns() -> None:
    s = statement({"x": "x >= 0"}, "x", "<=", "x + 1")
    for step in (Step(name("z"), "<=", ONE), Step(s.left, "~", s.right), Step(s.left, "<=", s.right, by=(TRUE,)), Step(s.left, "<=", s.right, by=(parse("z"),))):
        with pytest.raises(BadInput):
            Argument(s, (step,))
    with pytest.raises(BadInput):
        Argument(s, (Step(s.left, "<=", s.right, by=(name("z") <= ONE,)),))
    assert Argument(s, (Step(ZERO, "==", ZERO, "measurability", cited=True),)).steps


# the checker


def test_a_proof_proves_its_own_statement_alone(proofs: tuple[Proved, ...]) -> None:
    for found in proofs:
        for other in proofs:
            if other is not found:
                with pytest.raises(Rejected):
                    check(other.claim, found.certificate)


def test_the_evidence_of_a_true_statement_does_not_prove_a_false_one(proofs: tuple[Proved, ...]) -> None:
    false = [statement(*case) for case in FALSE_ONES]
    assert all(false_somewhere(s) for s in false)
    for found in proofs:
        for s in false:
            forged = replace(found.certificate, claim=s.fingerprint)
            for certificate in (forged, replace(forged, uses=(0, 0)), replace(forged, evidence=forged.evidence * 2, uses=(0, 1)), replace(forged, evidence=(), uses=())):
                with pytest.raises(Rejected):
                    check(s, certificate)


@pytest.mark.parametrize("form", ["direct", "log", "zero", "never"])
def test_no_form_closes_a_false_statement_without_a_proof(proofs: tuple[Proved, ...], form: str) -> None:
    for case in FALSE_ONES:
        s = statement(*case)
        for shown in ((), (None,), (None, None), (Products(()),), (Products(((Fraction(1), ()),)),)):
            forged = replace(proofs[0].certificate, claim=s.fingerprint, evidence=(Closed((), form, shown),) * len(s.gaps), uses=tuple(range(len(s.gaps))))
            with pytest.raises(Rejected):
                check(s, forged)


def test_a_proof_that_a_gap_is_at_least_zero_does_not_show_that_it_is_more() -> None:
    weak = proof(statement({"x": ""}, "2*x", "<=", "x^2 + 1"))
    strict = statement({"x": ""}, "2*x", "<", "x^2 + 1")  # equal at 1
    with pytest.raises(Rejected):
        check(strict, replace(weak.certificate, claim=strict.fingerprint))


def numbers(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the numbers of a record are, texts and whole ones."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from numbers(value, (*path, key))
    elif (isinstance(data, int) and not isinstance(data, bool)) or (isinstance(data, str) and data.lstrip("-").replace("/", "").isdigit()):
        yield path


def changed(data: Any, path: tuple[Any, ...], by: int) -> Any:
    """The record with one number larger or smaller."""
    if not path:
        return data + by if isinstance(data, int) else str(Fraction(data) + by)
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = changed(data[path[0]], path[1:], by)
    return copy


def test_a_record_with_another_number_is_refused_or_still_true(proofs: tuple[Proved, ...]) -> None:
    accepted = refused = 0
    for found in proofs:
        record = {key: value for key, value in found.to_json().items() if key != jsonfile.SEAL}
        for path in numbers(record):
            for by in (1, -1):
                other = changed(record, path, by)
                try:
                    claim = Statement.from_json(other["claim"])
                    other["fingerprint"] = other["certificate"]["claim"] = claim.fingerprint
                    kept = stored(jsonfile.seal(other))
                    check(kept.claim, kept.evidence)  # type: ignore[arg-type]
                except (BadInput, Rejected):
                    refused += 1
                    continue
                accepted += 1
                assert not false_somewhere(claim, 150), claim
    assert refused > 100 and accepted  # such as 2 x <= x^2 + 2, which the same products do not show, or x^2 / 3 under exp


# refutations


@pytest.mark.parametrize(
    ("given", "relation", "values"),
    [
        ("x >= 0", "<=", {"x": number(-1)}),  # outside of the condition
        ("x >= 0", "<=", {"x": number(2)}),  # 2 <= 4 holds
        ("x >= 0", "<=", {"x": oo}),
        ("x >= 0", "<=", {"x": parse("1/0")}),
        ("x >= 0", "<=", {"x": parse("log(0)")}),
        ("x >= 0", "<=", {"x": name("x")}),
        ("x >= 0", "<=", {"x": parse("sum(1)")}),
        ("x >= 0", "<=", {"y": number(Fraction(1, 2))}),
        ("x >= 0", "<=", {"x": number(Fraction(1, 2)), "y": ONE}),
        ("x >= 0", "<=", {}),
        ("x >= 0", "<=", {"x": number(1)}),  # 1 <= 1
        ("x >= 1/2", "<=", {"x": sqrt(number(Fraction(1, 5)))}),  # 0.447... is outside
        ("x == 1 or x == 0", "==", {"x": ONE}),
    ],
)
def test_values_that_do_not_refute_are_refused(given: str, relation: str, values: dict[str, Expression]) -> None:
    s = statement({"x": given}, "x", relation, "x^2")
    with pytest.raises(Rejected):
        replay_statement(s, tuple(values.items()))


def test_values_may_be_any_exact_constants() -> None:
    s = statement({"x": "x >= 0"}, "(exp(x) - 3)^2*(x^2 - 2)^2", ">", "0")
    for value in (log(3), sqrt(2)):
        assert isinstance(replay_statement(s, (("x", value),)), RefutedStatement)
    with pytest.raises(Rejected):
        replay_statement(s, (("x", pi),))
    assert isinstance(replay_statement(statement({"x": ""}, "x", "<=", "314159/100000"), (("x", pi),)), RefutedStatement)  # pi = 3.1415926...
    with pytest.raises(Rejected):
        replay_statement(statement({"x": ""}, "x", "<=", "31416/10000"), (("x", pi),))


def test_where_a_side_has_no_value_nothing_is_refuted() -> None:
    s = statement({"x": ""}, "1/x", "<=", "x")
    for value in (ZERO, ONE, number(2)):
        with pytest.raises(Rejected):
            sides_at(s, (("x", value),)) if value == ZERO else replay_statement(s, (("x", value),))
    assert isinstance(replay_statement(s, (("x", number(Fraction(1, 2))),)), RefutedStatement)  # 2 > 1/2
    found = verify(statement({"x": ""}, "x/x", "==", "1"))
    assert not isinstance(found, Proved | RefutedStatement) and "no value at x = 0" in str(found)
