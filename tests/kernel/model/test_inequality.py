"""Statements and arguments: what they state, how they are stored, what is proved and what is
refuted, and which step is the first that fails.

Truth is decided here by hand, or by floating evaluation at random points that does not go through
the package's decisions.
"""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify.analysis.arguments import examine
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.checker import check, refute_inequality
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Certificate,
    InequalityLeaf,
    Mass,
    Products,
)
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.record import read_record
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse, parse_condition
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify
from ahdp_verify.steps import Argument, Step
from ahdp_verify.verdicts import Unknown

TRUE = [
    ({"x": ""}, "exp(x)", ">=", "1 + x"),
    ({"x": "x > 0"}, "exp(x)", ">", "1 + x"),
    ({"x": "x > 0"}, "log(x)", "<=", "x - 1"),
    ({"x": "", "y": ""}, "x^2 + y^2", ">=", "2*x*y"),
    ({"x": "", "y": ""}, "abs(x + y)", "<=", "abs(x) + abs(y)"),
    ({"a": "0 <= a", "t": "a <= t"}, "min(a, t)", "==", "a"),
    ({"k": "0 <= k and k <= 1", "T": "T >= 1"}, "(1 + k*(T - 1))*(1 - k*(1 - 1/T))", ">=", "1"),
]
FALSE = [
    ({"x": ""}, "exp(x)", ">", "1 + x"),
    ({"x": ""}, "x^2", ">=", "x"),
    ({"x": "x >= 0"}, "exp(x)", "<=", "1 + 2*x"),
    ({"x": "x > 1", "y": "y > 1"}, "x*y", "==", "x + y"),
    ({"q": "0 < q and q < 1"}, "1 + 2*q", "<=", "1 + q + q^2"),
    ({}, "1/3", "==", "333/1000"),
]


@pytest.mark.parametrize("given", TRUE, ids=str)
def test_true_statements_are_proved_and_their_records_accepted(given: Any, tmp_path: Path) -> None:
    found = verify(Inequality.of(*given))
    assert isinstance(found, Proved)
    found.save(tmp_path / "s.json")
    assert str(recheck(tmp_path / "s.json")) == str(found)


@pytest.mark.parametrize("given", FALSE, ids=str)
def test_false_statements_are_refuted_at_values_that_satisfy_the_conditions(
    given: Any, tmp_path: Path
) -> None:
    found = verify(Inequality.of(*given))
    assert isinstance(found, RefutedInequality)
    at = {key: float(value.args[0]) for key, value in found.values}
    sides = [
        eval(side.replace("^", "**"), {"exp": math.exp, "log": math.log}, at)
        for side in (given[1], given[3])
    ]
    assert not {
        "<=": sides[0] <= sides[1],
        ">": sides[0] > sides[1],
        ">=": sides[0] >= sides[1],
        "==": sides[0] == sides[1],
    }[given[2]]
    found.save(tmp_path / "s.json")
    assert str(recheck(tmp_path / "s.json")) == str(found)


def test_an_open_statement_says_why() -> None:
    found = verify(
        Inequality.of(
            {"x": "0 <= x and x <= 1", "y": "0 <= y and y <= 1"},
            "exp(exp(x)*y)*x",
            "<=",
            "exp(3)*y^2 + x^2 + 100*x*exp(-y)",
        )
    )
    assert isinstance(found, Unknown) and "no proof of" in str(found)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (({"x": ""}, "y", "<=", "1"), "the name y is not known"),
        (({"x": ""}, "x", "=<", "1"), "is not a relation"),
        (({"x": "z > 0"}, "x", "<=", "1"), "z"),
        (({"x": ""}, "sum(x)", "<=", "1"), "sum|record|x"),
        (({"x": ""}, "x < 1", "<=", "1"), "condition"),
        (({"x": ""}, "x +", "<=", "1"), "character"),
    ],
)
def test_bad_statements_are_one_sentence(arguments: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Inequality.of(*arguments)


def test_json_round_trip_and_what_is_refused() -> None:
    statement = Inequality.of({"x": "x > 0"}, "log(x)", "<=", "x - 1", name="log")
    assert Inequality.from_json(json.loads(json.dumps(statement.to_json()))) == statement
    for broken in (
        {},
        {**statement.to_json(), "more": 1},
        {**statement.to_json(), "inequality": ["1", "<="]},
        {**statement.to_json(), "parameters": 3},
    ):
        with pytest.raises(BadInput):
            Inequality.from_json(broken)


def forged(statement: Inequality, *evidence: Any) -> Certificate:
    return Certificate(
        statement.fingerprint, False, (), Mass((), ()), evidence, tuple(range(len(evidence)))
    )


def test_forged_certificates_are_rejected() -> None:
    false = Inequality.of({"x": "x >= 0"}, "x", "<=", "0")
    other = Inequality.of({"x": "x >= 0"}, "0", "<=", "x")
    good = verify(other)
    assert isinstance(good, Proved) and isinstance(good.certificate, Certificate)
    forgeries = [
        forged(
            false, InequalityLeaf((), "zero")
        ),  # no law has mass here, so the sign of neither side may be taken for granted
        forged(false, InequalityLeaf((), "log")),
        forged(false, InequalityLeaf((), "direct", (Products(((number(1).args[0], (0,)),)),))),
        forged(false, InequalityLeaf((), "never")),
        forged(false, CaseSplit((), parse("x"), ((">=", InequalityLeaf((), "zero")),))),
        replace(good.certificate, claim=false.fingerprint),
        good.certificate,
        forged(false),
        forged(false, InequalityLeaf((), "direct"), InequalityLeaf((), "direct")),
        replace(forged(false, InequalityLeaf((), "zero")), conditions=(number(0),)),
    ]
    for certificate in forgeries:
        with pytest.raises(Rejected):
            check(false, certificate)
    strict = Inequality.of({"x": "x >= 0"}, "0", "<", "x")
    for leaf in (
        InequalityLeaf(),
        InequalityLeaf((), "zero"),
        InequalityLeaf((), "direct", (Products(((number(1).args[0], (0,)),)),)),
    ):
        with pytest.raises(Rejected):
            check(strict, forged(strict, leaf))


@pytest.mark.parametrize(
    "values",
    [
        (),
        (("x", number(-1)),),
        (("y", number(2)),),
        (("x", number(2)), ("x", number(2))),
        (("x", parse("y")),),
        (("x", number(0)),),
        (("x", parse("1/0")),),
    ],
)
def test_values_that_refute_nothing_are_rejected(values: Any) -> None:
    with pytest.raises(Rejected):
        refute_inequality(Inequality.of({"x": "x >= 0"}, "x", "<=", "0"), values)


def test_a_changed_record_is_rejected(tmp_path: Path) -> None:
    found = verify(Inequality.of({"x": "x >= 0"}, "x", "<=", "0"))
    record = found.to_json()
    record["counterexample"]["values"][0][1]["e"] = "0"
    with pytest.raises(BadInput, match="changed"):
        read_record(record)


def argument(
    *steps: tuple[str, str, str, str], by: tuple[str, ...] = (), statement: Inequality | None = None
) -> Argument:
    listed = [
        Step(parse(left), relation, parse(right), reason, tuple(parse_condition(f) for f in by))
        for left, relation, right, reason in steps
    ]
    return Argument(
        statement
        or Inequality.of({"x": "x >= 0", "y": "y >= 0"}, "(x + y)^2", ">=", "x^2", name="square"),
        tuple(listed),
    )


def test_all_four_combinations_of_true_and_valid() -> None:
    true_valid = examine(
        argument(
            ("(x + y)^2", "==", "x^2 + 2*x*y + y^2", ""), ("x^2 + 2*x*y + y^2", ">=", "x^2", "")
        )
    )
    assert isinstance(true_valid.verdict, Proved) and true_valid.valid is True
    true_invalid = examine(
        argument(("(x + y)^2", "==", "x^2 + y^2", ""), ("x^2 + y^2", ">=", "x^2", ""))
    )
    assert isinstance(true_invalid.verdict, Proved) and true_invalid.valid is False
    assert (
        true_invalid.first is not None
        and true_invalid.first.number == 1
        and "fails at x = 1, y = 1: 4 against 2" in str(true_invalid.first)
    )
    false = Inequality.of({"x": "x >= 0", "y": "y >= 0"}, "x", ">=", "x + y")
    false_invalid = examine(argument(("x", ">=", "x + y", "as is easily seen"), statement=false))
    assert isinstance(false_invalid.verdict, RefutedInequality) and false_invalid.valid is False
    # A valid argument for a false statement would be a contradiction; what there is, is one that
    # rests on what it cites.
    cited = Argument(
        false,
        (
            *argument(("x", "==", "x", ""), statement=false).steps,
            Step(number(0), "==", number(0), "a theorem", cited=True),
        ),
    )
    assert examine(cited).valid is False


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ((("x^2", ">=", "x^2", ""),), "step 1 does not begin with"),
        ((("(x + y)^2", ">=", "x", ""),), "step 1 is the first that fails"),
        ((("(x + y)^2", ">=", "0", ""),), "step 1 does not end with"),
        (
            (("(x + y)^2", "<=", "(x + y)^2 + 1", ""), ("(x + y)^2 + 1", ">=", "x^2", "")),
            "against the direction",
        ),
        (
            (("(x + y)^2", ">=", "0", ""), ("x^2 + 1", ">=", "x^2", "")),
            "does not begin where step 1 ends",
        ),
        ((), "no step that leads"),
    ],
)
def test_what_is_missing_between_true_steps_is_reported(steps: Any, said: str) -> None:
    found = examine(argument(*steps))
    assert found.valid is False and said in found.conclusion


def test_a_true_step_that_does_not_follow_from_the_fact_that_is_named() -> None:
    """Row 51: the printed proof of the Sample Mechanism names e^y >= 0 where it needs e^y >= 1."""
    statement = Inequality.of(
        {"y": "0 <= y", "t": "y < t"}, "exp(y)*(exp(-y) - exp(-t))", ">=", "exp(-y) - exp(-t)"
    )
    steps = (("exp(y)*(exp(-y) - exp(-t))", ">=", "exp(-y) - exp(-t)", "e^y >= 0"),)
    printed = examine(argument(*steps, by=("exp(y) >= 0",), statement=statement))
    (step,) = printed.steps
    assert (
        isinstance(step.verdict, Proved)
        and isinstance(step.follows, RefutedInequality)
        and printed.valid is False
    )
    assert "needed is exp(y) >= 1, which holds" in str(step)
    repaired = examine(argument(*steps, by=("exp(y) >= 1",), statement=statement))
    assert repaired.valid is True
    wrong = examine(argument(*steps, by=("exp(y) >= 2",), statement=statement))
    assert wrong.valid is False and "the fact exp(y) >= 2 fails at" in str(wrong.steps[0])


def test_a_lemma_serves_later_steps_and_a_false_one_fails_first() -> None:
    statement = Inequality.of(
        {"P": "P >= 0", "Q": "P <= 3*Q", "k": "0 <= k and k <= 1"},
        "(1 - k)*P + k*Q",
        ">=",
        "(1 - k*2/3)*P",
    )
    lemma = Step(parse("Q"), ">=", parse("P/3"), lemma=True)
    chain = (
        Step(statement.left, ">=", parse("(1 - k)*P + k*P/3")),
        Step(parse("(1 - k)*P + k*P/3"), "==", statement.right),
    )
    assert examine(Argument(statement, (lemma, *chain))).valid is True
    assert (
        examine(Argument(statement, (replace(lemma, right=parse("P/2")), *chain))).first.number == 1
    )  # type: ignore[union-attr]


def test_random_polynomial_statements_agree_with_floating_evaluation() -> None:
    """What is proved holds at random points, what is refuted fails at the point that is given;
    drawn polynomials in two names of degree 2.
    """
    source = random.Random(5)
    decided = 0
    for _ in range(25):
        c = [source.randint(-2, 4) for _ in range(6)]
        text = f"{c[0]} + {c[1]}*x + {c[2]}*y + {c[3]}*x^2 + {c[4]}*x*y + {c[5]}*y^2"
        found = verify(
            Inequality.of({"x": "0 <= x and x <= 1", "y": "0 <= y and y <= 1"}, text, ">=", "0")
        )
        values = [
            eval(text.replace("^", "**"), {}, {"x": source.random(), "y": source.random()})
            for _ in range(200)
        ]
        if isinstance(found, Proved):
            assert min(values) >= -1e-12
        if isinstance(found, RefutedInequality):
            at = {key: float(v.args[0]) for key, v in found.values}
            assert (
                all(0 <= v <= 1 for v in at.values()) and eval(text.replace("^", "**"), {}, at) < 0
            )
        decided += not isinstance(found, Unknown)
    assert decided >= 23


def test_a_statement_is_refuted_by_constants_only() -> None:
    """`zz` is the name of nothing; the sides do not depend on the unknown, so nothing else
    refused it.
    """
    q = Inequality((("q", parse("0") <= parse("1")),), number(1), "<=", number(0))
    assert isinstance(refute_inequality(q, (("q", number(1)),)), RefutedInequality)
    with pytest.raises(Rejected, match="zz is not a constant"):
        refute_inequality(q, (("q", parse("zz")),))
