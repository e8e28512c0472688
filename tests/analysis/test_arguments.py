"""Arguments: whether the statement is true and whether the steps prove it are separate answers; the
first step that fails is named, with its counterexample.

The cases are elementary inequalities, computed beside them; the printed proof of the Sample
Mechanism is row 51 of the shared statements.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from mpmath import mp

from ahdp_verify.analysis.arguments import Examination, examine
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.terms.expression import ZERO, Expression
from ahdp_verify.kernel.terms.grammar import parse, parse_condition
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.steps import Argument, Step
from ahdp_verify.verdicts import Unknown
from tests import oracle
from tests.sweeps import swept

Given = dict[str, object]
Line = tuple[str, str, str] | tuple[str, str, str, tuple[str, ...]]
LIMITS = Limits(seconds=30)
WORDS = {True: "valid", False: "not valid", None: "open"}


def step(line: Line) -> Step:
    return Step(
        parse(line[0]),
        line[1],
        parse(line[2]),
        by=tuple(parse_condition(fact, "by") for fact in line[3:][0]) if len(line) > 3 else (),
    )


def constant(value: Expression) -> Fraction:
    return value.args[0]


def examined(given: Given, said: tuple[str, str, str], *steps: Line | Step) -> Examination:
    statement = Inequality.of(given, *said)
    return examine(
        Argument(statement, tuple(s if isinstance(s, Step) else step(s) for s in steps)), LIMITS
    )


X: Given = {"x": "0 <= x and x <= 1"}
CASES: dict[str, tuple[Given, tuple[str, str, str], tuple[Line, ...], str, str, int | None]] = {
    # the statement is true and the argument valid: x^3 <= x^2 <= x on [0, 1]
    "true and valid": (
        X,
        ("x^3", "<=", "x"),
        (("x^3", "<=", "x^2"), ("x^2", "<=", "x")),
        "Proved",
        "valid",
        None,
    ),
    # true, but x^3 <= x^4 fails at 1/2
    "true and not valid": (
        X,
        ("x^3", "<=", "x"),
        (("x^3", "<=", "x^4"), ("x^4", "<=", "x")),
        "Proved",
        "not valid",
        1,
    ),
    # false, and so is the second step: x <= x^2 fails at 1/2
    "false and not valid": (
        X,
        ("x^3", "<=", "x^2/2"),
        (("x^3", "<=", "x^2"), ("x^2", "<=", "x^2/2")),
        "Refuted",
        "not valid",
        2,
    ),
    "a step is missing": (
        X,
        ("x^3", "<=", "x"),
        (("x^3", "<=", "x^2"), ("x^2*x", "<=", "x")),
        "Proved",
        "not valid",
        None,
    ),
    "it begins elsewhere": (
        X,
        ("x^3", "<=", "x"),
        (("x^2", "<=", "x"),),
        "Proved",
        "not valid",
        None,
    ),
    "it ends elsewhere": (
        X,
        ("x^3", "<=", "x"),
        (("x^3", "<=", "x^2"),),
        "Proved",
        "not valid",
        None,
    ),
    "it turns round": (
        X,
        ("x^3", "<=", "x"),
        (("x^3", ">=", "x^4"), ("x^4", "<=", "x")),
        "Proved",
        "not valid",
        None,
    ),
    "written otherwise": (
        X,
        ("x^3", "<=", "x"),
        (("x*x*x", "<=", "x^2"), ("x*x", "<=", "2*x - x")),
        "Proved",
        "valid",
        None,
    ),
    "no step is strict": (
        {"x": "0 < x and x < 1"},
        ("x^2", "<", "x"),
        (("x^2", "<=", "x"),),
        "Proved",
        "not valid",
        None,
    ),
    "one step is strict": (
        {"x": "0 < x and x < 1"},
        ("x^3", "<", "x"),
        (("x^3", "<=", "x^2"), ("x^2", "<", "x")),
        "Proved",
        "valid",
        None,
    ),
    "an equation by inequalities": (
        X,
        ("x + x", "==", "2*x"),
        (("x + x", "<=", "2*x"),),
        "Proved",
        "not valid",
        None,
    ),
    "no step": (X, ("x^3", "<=", "x"), (), "Proved", "not valid", None),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_statement_and_the_argument_are_answered_apart(
    case: tuple[Given, tuple[str, str, str], tuple[Line, ...], str, str, int | None],
) -> None:
    given, said, steps, word, argued, first = case
    found = examined(given, said, *steps)
    assert found.verdict.word == word and WORDS[found.valid] == argued
    assert (found.first.number if found.first else None) == first
    assert len(found.lines) == len(steps) + 2 and found.lines[-1].startswith(f"argument: {argued}")
    assert bool(found.missing) == (argued == "not valid" and first is None)


def test_a_step_that_is_neither_proved_nor_refuted_leaves_the_argument_open() -> None:
    waves = "sin(x) + sin(sqrt(2)*x)"
    found = examined(
        {"x": "1 <= x"},
        (waves, "<=", "3"),
        (waves, "<=", "2 - exp(-x)/1000000"),
        ("2 - exp(-x)/1000000", "<=", "3"),
    )
    opened = [s.number for s in found.steps if isinstance(s.verdict, Unknown)]
    assert (
        opened
        and found.valid is None
        and found.first is not None
        and found.first.number == opened[0]
    )
    assert found.lines[-1] == f"argument: open, step {opened[0]} is the first that is open"


def test_a_cited_step_is_named_in_the_answer() -> None:
    found = examined(
        X,
        ("x^2", "<=", "x"),
        ("x^2", "<=", "x"),
        Step(ZERO, "==", ZERO, "every power is attained (minimax)", cited=True),
    )
    assert (
        found.valid is True
        and found.lines[-1] == "argument: valid, given: every power is attained (minimax)"
    )
    assert found.lines[-2] == "step 2: cited, not checked: every power is attained (minimax)"
    only = examined(X, ("x^2", "<=", "x"), Step(ZERO, "==", ZERO, "trust me", cited=True))
    assert only.valid is False  # what is cited compares nothing


def test_a_lemma_is_known_to_the_steps_after_it() -> None:
    lemma = Step(parse("b"), ">=", parse("1 - a"), lemma=True)
    given: Given = {"a": "", "b": "exp(a - 1)*b >= exp(a - 1)*(1 - a)"}
    found = examined(given, ("a + b", ">=", "1"), lemma, ("a + b", ">=", "1"))
    assert found.valid is True and all(isinstance(s.verdict, Proved) for s in found.steps)
    false = examined({"a": "", "b": ""}, ("a + b", ">=", "1"), lemma, ("a + b", ">=", "1"))
    assert false.valid is False and [s.holds for s in false.steps] == [
        False,
        False,
    ]  # a lemma that fails is not used


POWERS = (
    ("x^4", "x^3"),
    ("x^3", "x^2"),
    ("x^2", "x"),
    ("x", "(1 + x)/2"),
    ("(1 + x)/2", "1"),
    ("1", "exp(x)"),
    ("exp(x)", "1 + 2*x"),
    ("1 + 2*x", "3*exp(x)"),
)  # on [0, 1]


@pytest.mark.parametrize("seed", swept(range(8), 3))
def test_the_first_step_that_fails_is_found_in_a_chain_that_was_broken_on_purpose(
    seed: int,
) -> None:
    source = random.Random(seed)
    low = source.randint(0, 3)
    chain = list(POWERS[low : source.randint(low + 3, len(POWERS))])
    broken = sorted(source.sample(range(len(chain)), source.randint(0, 2)))
    lines: list[Line] = [(a, "<=", b) for a, b in chain]
    # the same step with a right side that is too small in the middle of [0, 1], and a correct step
    # back to the chain
    for i in broken:
        lines[i] = (chain[i][0], "<=", f"{chain[i][0]} - x*(1 - x)/100")
    repaired = [
        part
        for i, line in enumerate(lines)
        for part in ([line, (line[2], "<=", chain[i][1])] if i in broken else [line])
    ]
    found = examined(X, (chain[0][0], "<=", chain[-1][1]), *repaired)
    assert isinstance(found.verdict, Proved) and not found.missing
    assert found.valid is (not broken)
    if broken:
        assert found.first is not None and found.first.number == broken[0] + 1
        witness = found.first.verdict
        assert isinstance(witness, RefutedInequality)
        at = {key: value.args[0] for key, value in witness.values}
        assert 0 <= at["x"] <= 1 and oracle.value(witness.claim.left, at) > oracle.value(
            witness.claim.right, at
        )


# named facts


def test_the_printed_proof_of_the_sample_mechanism_names_too_little() -> None:
    """Row 51: e^y (e^-y - e^-t) + e^-t >= e^-y does not follow from e^y >= 0 (put 0 for e^y:
    e^-t >= e^-y is false for y < t); e^y >= 1 is needed.
    """
    given: Given = {"y": "0 <= y", "t": "y < t"}
    left, right = "exp(y)*(exp(-y) - exp(-t)) + exp(-t)", "exp(-y) - exp(-t) + exp(-t)"
    found = examined(given, (left, ">=", right), (left, ">=", right, ("exp(y) >= 0",)))
    (only,) = found.steps
    assert (
        isinstance(found.verdict, Proved)
        and isinstance(only.verdict, Proved)
        and found.valid is False
    )
    assert all(isinstance(verdict, Proved) for _, verdict in only.facts)
    assert isinstance(only.follows, RefutedInequality) and [key for key, _ in only.terms] == [
        "opaque_1"
    ]
    y, t, u = (
        oracle.real(constant(dict(only.follows.values)[key])) for key in ("y", "t", "opaque_1")
    )
    assert 0 <= y < t and 0 <= u < 1 and u * (mp.exp(-y) - mp.exp(-t)) + mp.exp(-t) < mp.exp(-y)
    assert [(str(fact), verdict.word) for fact, verdict in only.needed] == [
        ("1 <= exp(y)", "Proved")
    ]
    assert "needed is exp(y) >= 1, which holds" in str(only)
    repaired = examined(given, (left, ">=", right), (left, ">=", right, ("exp(y) >= 1",)))
    assert repaired.valid is True


FOLLOWS: dict[str, tuple[Given, Line, bool | None, tuple[str, ...]]] = {
    # exp(2 y) is exp(y) twice, exp(y + z) is exp(y) exp(z)
    "square": ({"y": "y >= 0"}, ("exp(2*y)", ">=", "exp(y)", ("exp(y) >= 1",)), True, ()),
    "square, too little": (
        {"y": "y >= 0"},
        ("exp(2*y)", ">=", "exp(y)", ("exp(y) >= 0",)),
        False,
        ("1 <= exp(y)",),
    ),
    "sum": ({"y": "y >= 0", "z": ""}, ("exp(y + z)", ">=", "exp(z)", ("exp(y) >= 1",)), True, ()),
    "sum, too little": (
        {"y": "y >= 0", "z": ""},
        ("exp(y + z)", ">=", "exp(z)", ("exp(y) >= 1/2",)),
        False,
        ("1 <= exp(y)",),
    ),
    # powers with whole exponents are not functions to be hidden
    "quotient": ({"y": "0 < y and y <= 1"}, ("y", "<=", "1", ("1/y >= 1",)), True, ()),
    "logarithm": ({"a": "a >= 1"}, ("a*log(a)", ">=", "0", ("log(a) >= 0",)), True, ()),
    "logarithm, too little": (
        {"a": "a >= 1"},
        ("a*log(a)", ">=", "0", ("log(a) >= -1",)),
        False,
        ("0 <= log(a)",),
    ),
    "root": ({"a": "a >= 1"}, ("sqrt(a) + 1", ">=", "2", ("sqrt(a) >= 1",)), True, ()),
    # what the conditions say of the function is known too
    "condition": ({"y": "exp(y) <= 2"}, ("exp(y)", "<=", "2", ("exp(y) >= 0",)), True, ()),
    "name in use": (
        {"opaque_1": "opaque_1 >= 0"},
        ("exp(opaque_1)", ">=", "1", ("exp(opaque_1) >= 1",)),
        True,
        (),
    ),
    "fact without unknowns": ({"y": "y >= 0"}, ("2*y", ">=", "y", ("2 >= 1",)), True, ()),
}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("case", FOLLOWS.values(), ids=FOLLOWS)
def test_whether_a_step_follows_from_the_facts_that_it_names(
    case: tuple[Given, Line, bool | None, tuple[str, ...]],
) -> None:
    given, line, follows, needed = case
    (only,) = examined(given, (line[0], line[1], line[2]), line).steps
    assert isinstance(only.verdict, Proved), only
    assert (
        isinstance(only.follows, Proved if follows else RefutedInequality) and only.holds is follows
    )
    assert tuple(str(fact) for fact, _ in only.needed) == needed


def test_a_fact_that_is_false_makes_the_step_invalid() -> None:
    (only,) = examined(
        {"y": ""}, ("exp(y)", ">=", "0"), ("exp(y)", ">=", "0", ("exp(y) >= 1",))
    ).steps
    assert (
        isinstance(only.verdict, Proved)
        and isinstance(only.follows, Proved)
        and only.holds is False
    )
    assert "the fact exp(y) >= 1 fails at y = -1" in str(only)


def test_of_a_step_that_fails_only_that_is_reported() -> None:
    (only,) = examined(
        {"y": "y >= 0"}, ("exp(y)", ">=", "2"), ("exp(y)", ">=", "2", ("exp(y) >= 1",))
    ).steps
    assert only.follows is None and not only.needed and only.holds is False
    assert str(only) == "step 1: exp(y) >= 2: fails at y = 0: 1 against 2"


def test_a_fact_is_called_needed_only_if_it_is_enough() -> None:
    """With exp(y) = 1 and x = y = 1 it is false, so exp(y) >= 1 is not enough."""
    (only,) = examined(
        {"x": "x >= 1", "y": "0 <= y and y <= 1"},
        ("2*x*exp(y)", ">=", "2*x + y^2"),
        ("2*x*exp(y)", ">=", "2*x + y^2", ("exp(y) >= 1",)),
    ).steps
    assert isinstance(only.follows, RefutedInequality) and "1 <= exp(y)" not in [
        str(fact) for fact, _ in only.needed
    ]
    for fact, verdict in only.needed:
        assert isinstance(verdict, Proved)
        again = examined(
            {"x": "x >= 1", "y": "0 <= y and y <= 1"},
            ("2*x*exp(y)", ">=", "2*x + y^2"),
            ("2*x*exp(y)", ">=", "2*x + y^2", (str(fact),)),
        )
        assert again.valid is True


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", swept(range(12), 4))
def test_a_valid_argument_without_citations_never_leads_to_what_is_false(seed: int) -> None:
    """Random chains of random polynomials: whenever the argument is valid, the statement holds
    at random points.
    """
    source = random.Random(seed)
    terms = [
        f"{source.randint(-2, 2)}*x^2 + {source.randint(-2, 2)}*x + {source.randint(-2, 3)}"
        for _ in range(3)
    ]
    relations = [source.choice(("<=", "<=", ">=", "==", "<")) for _ in range(2)]
    said = (terms[0], source.choice(("<=", ">=", "<")), terms[-1])
    found = examined(
        X, said, *((a, r, b) for a, r, b in zip(terms, relations, terms[1:], strict=False))
    )
    points = [{"x": Fraction(i, 97)} for i in range(98)]
    gaps = [
        oracle.sign(oracle.value(parse(said[2]), at) - oracle.value(parse(said[0]), at))
        for at in points
    ]
    true = {"<=": min(gaps) >= 0, "<": min(gaps) > 0, ">=": max(gaps) <= 0}[said[1]]
    assert found.valid is not True or true
    assert not isinstance(found.verdict, Proved) or true
    for i, s in enumerate(found.steps):
        step_gaps = [
            oracle.sign(oracle.value(parse(terms[i + 1]), at) - oracle.value(parse(terms[i]), at))
            for at in points
        ]
        holds = {
            "<=": min(step_gaps) >= 0,
            "<": min(step_gaps) > 0,
            ">=": max(step_gaps) <= 0,
            "==": set(step_gaps) == {0},
        }[relations[i]]
        assert s.holds is not True or holds
        if isinstance(s.verdict, RefutedInequality):
            at = {key: constant(value) for key, value in s.verdict.values}
            assert 0 <= at["x"] <= 1
