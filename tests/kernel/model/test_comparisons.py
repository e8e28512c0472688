"""Comparisons mean equality of values or are refused: every input here was silently false, or true,
or refused with a wrong cure.

The right answer is derived by hand beside each: the value lists are those of the inputs.
"""

# ruff: noqa: SIM201, SIM300

from __future__ import annotations

import operator
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Mechanism,
    NotWorkedOut,
    Proved,
    Queries,
    Record,
    Refuted,
    Values,
    ahdp,
    compose,
    delta,
    distance,
    dp,
    eq,
    exp,
    finite,
    holds,
    indicator,
    label,
    load,
    log,
    name,
    ne,
    number,
    oo,
    piecewise,
    post_process,
    real,
    sqrt,
    verify,
)
from ahdp_verify.analysis.moments import mean
from ahdp_verify.analysis.testing.error_rates import error_rates
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import expression_text
from tests.earlier_formats import in_this_format

ROOT = Path(__file__).resolve().parents[3]
SECOND = ROOT.parent / "shared" / "corpus" / "second"
W = Domain([(0, "1/100"), (1, "1/100")])
COLOURS = Domain([("red", "1/100"), ("blue", "1/100")])
MIXED = Domain([("none", 1), (3, 1)])
PAIRS = Domain([(("red", 0), 1), (("blue", 1), 1)])
s, x, eps = real("s"), name("x"), name("eps")
X, EPS, S = sympy.Symbol("x"), sympy.Symbol("eps", positive=True), sympy.Symbol("s", real=True)


def noisy(count: Expression, domain: Any = W, **more: Any) -> Mechanism:
    return Mechanism(domain, outputs=[s], density=exp(-Abs(s - count)) / 2, **more)


# == and != in Python


@pytest.mark.parametrize(
    "count",
    [
        lambda: W.count(lambda x, eps: x == 1),
        lambda: W.count(lambda x, eps: 1 == x),
        lambda: W.count(lambda x, eps: x == Fraction(1)),
        lambda: W.count(lambda x, eps: x == "1"),
        lambda: W.sum(lambda x, eps: piecewise((0, x != 1), (1, True))),
        lambda: W.count(x == 1),
        lambda: W.sum(lambda x, eps: indicator(x == 1)),
        lambda: W.count(lambda x, eps: (x == 1) & (eps != 2)),
        lambda: W.count(eq(X, 1)),
        lambda: W.count(lambda x, eps: ~(x == 0)),
        lambda: W.count(sympy.Eq(X, 1)),
        lambda: W.count(lambda x, eps: eq(x, sympy.Integer(1))),
        lambda: W.count(sympy.Ne(X, 0)),
        lambda: W.count(X > 0),
        lambda: W.sum(sympy.Piecewise((1, sympy.Eq(X, 1)), (0, True))),
    ],
)
def test_equality_in_python_counts_the_ones(count: Callable[[], Expression]) -> None:
    """A count of ones changes by 1 where the record says 1/100: refuted, where a condition that
    is silently false is proved.
    """
    assert isinstance(verify(ahdp(noisy(count()))), Refuted)
    assert isinstance(verify(ahdp(noisy(count()), 1)), Proved)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: W.sum(lambda x, eps: 1 if x == 1 else 0),
        lambda: W.sum(lambda x, eps: 0 if x != 1 else 1),
        lambda: W.sum(lambda x, eps: x in [1, 2]),
        lambda: W.sum(lambda x, eps: [0, 1].index(x)),
        lambda: W.sum(lambda x, eps: (x, eps) == (1, 2)),
        lambda: W.count(lambda x, eps: not x == 1),
        lambda: W.count(lambda x, eps: x == 1 and eps == 2),
        lambda: W.sum(lambda x, eps: min(x, 1)),
        lambda: W.count(lambda x, eps: 0 < x == 1),
        lambda: W.sum(lambda x, eps: {1: 5}[1] if x == "yes" else 0),
        lambda: {s == 1: 2}.get(bool(s == 2)),
        lambda: bool(s.symbol == name("t")),
        lambda: [s, real("t")].index(real("t")),
    ],
)
def test_what_python_decides_at_once_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(
        TypeError, match=r"depends on values; write indicator\(.*&, \| and|, ~ for and, or, not"
    ):
        wrong()


def test_a_match_statement_is_refused() -> None:
    def f(x: object) -> int:
        match x:
            case 1:
                return 1
        return 0

    with pytest.raises(TypeError, match="depends on values"):
        W.sum(lambda x, eps: f(x))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: W.count(operator.eq),
        lambda: W.count(lambda x, eps: False),
        lambda: W.count(X == 1),
        lambda: indicator(X == 1),
        lambda: piecewise((1, X == 1), (0, True)),
        lambda: piecewise((1, X == 1)),
        lambda: (x == 1) & (X == 1),
        lambda: (X != 1) | (x == 1),
        lambda: noisy(W.size, defined=X == 1),
        lambda: noisy(W.size, parameters={"p": X != 1}),
        lambda: indicator(sympy.Eq(2, 1)),
    ],
)
def test_a_truth_value_of_python_is_not_a_condition(wrong: Callable[[], object]) -> None:
    """SymPy's == compares objects, and so does operator.eq when this package calls it: what they
    say is not equality of values.
    """
    with pytest.raises(BadInput, match=r"just (True|False|true|false)"):
        wrong()


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (s == 1, "s == 1"),
        (1 == s, "s == 1"),
        (s != "yes", 's != "yes"'),
        (s == W.size, "s == size"),
        (sympy.Symbol("s") == s, "s == s"),
        (eq(s, "yes"), 's == "yes"'),
        (ne("no", s), '"no" != s'),
        (eq(s, "1/2"), "s == 1/2"),
        (s == oo, "s == oo"),
        (x == eps, "x == eps"),
        (finite("r", ["a"]) == "a", 'r == "a"'),
        (eq(x, "x + 1"), 'x == "x + 1"'),
    ],
)
def test_a_comparison_builds_a_condition(condition: object, said: str) -> None:
    """A text is a label or a number, never a formula."""
    assert isinstance(condition, Expression) and expression_text(condition) == said


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (s == s, True),
        (s != s, False),
        (number(1) == 1, True),
        (number(1) == 2, False),
        (number(2) < 1, False),
        (label("a") == "a", True),
        (label("a") == "b", False),
        (label("a") != 1, True),
        (oo == 1, False),
        (oo > 1, True),
        (number(2) ** 2 / 3 > 1, True),
        (~(number(1) == 1), False),
        ((number(1) == 1) & (number(2) < 1), False),
        ((number(1) == 1) | (s == 1), True),
        ((number(1) == 2) & (exp(1) > 3), False),
        (s + 1 == s + 1, True),
    ],
)
def test_what_needs_no_values_is_decided(condition: object, holds: bool) -> None:
    assert bool(condition) is holds


@pytest.mark.parametrize(
    "condition",
    [sqrt(4) == 2, exp(1) > 3, 2 * log(2) != log(4), ~(exp(1) > 3), -oo < oo],
)
def test_constants_are_worked_out_only_if_that_is_asked_for(condition: object) -> None:
    with pytest.raises(TypeError, match=r"has to be computed; write holds\("):
        bool(condition)


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (sqrt(4) == 2, True),
        (exp(1) > 3, False),
        (2 * log(2) != log(4), False),
        ((exp(1) > 3) | (log(3) > 1), True),
    ],
)
def test_whether_a_condition_on_constants_holds(condition: object, found: bool) -> None:
    assert holds(condition) is found


def test_what_holds_refuses() -> None:
    with pytest.raises(BadInput, match="x < 1 depends on x; write indicator"):
        holds(x < 1)
    with pytest.raises(BadInput, match="just True"):
        holds(True)
    with pytest.raises(NotWorkedOut, match="could not be decided"):
        holds(sqrt(2 * sqrt(2) + 3) == sqrt(2) + 1)


def test_trees_are_keys_and_members_as_before() -> None:
    trees = {s - 1: 1, s - 2: 2, exp(x): 3}
    assert [trees[s - 1], trees[s - 2], trees[exp(name("x"))]] == [1, 2, 3]
    assert len({s, real("s"), x, name("x"), number(-1), number(-2)}) == 4
    assert (
        Record(1, 2) == Record(1, 2)
        and Record("a", 2) != Record("b", 2)
        and ahdp(noisy(W.size)) == ahdp(noisy(W.size))
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: x == 1.0, "is a float"),
        (lambda: x == (0, 1), r"part by part, as in \(x\[1\] == 0\)"),
        (lambda: x < "a", "labels have no order"),
        (lambda: label("a") >= x, "labels have no order"),
        (lambda: x + "a", "a label is only compared"),
        (lambda: exp("x"), "a label is only compared"),
        (lambda: W.count("yes"), 'lambda x, eps: x == "yes"'),
        (lambda: W.sum("x"), "write a function"),
        (lambda: W.sum(lambda x, eps: sympy.exp(x)), "use exp, Abs, piecewise"),
        (lambda: s == sympy.Float("0.5"), "is a float"),
    ],
)
def test_what_cannot_be_compared_is_named(wrong: Callable[[], object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        wrong()


# labels and numbers that no value has


def refused(mechanism: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as caught:
        mechanism()
    sentence = str(caught.value)
    assert "\n" not in sentence and "@" not in sentence
    return sentence


@pytest.mark.parametrize(
    ("domain", "condition", "said"),
    [
        (
            COLOURS,
            'x == "Red"',
            'x == "Red" never holds, since x is "red" or "blue"; did you mean "red"?',
        ),
        (
            COLOURS,
            'x != "blue "',
            'x != "blue " always holds, since x is "red" or "blue"; did you mean "blue"?',
        ),
        (COLOURS, 'x == "green"', "use one of these values"),
        (COLOURS, "x == 2", 'x == 2 never holds, since x is "red" or "blue"'),
        (COLOURS, "x == red", 'write "red" in quotes'),
        (COLOURS, 'x == "red" or x == "bleu"', 'did you mean "blue"?'),
        (COLOURS, 'eps == "red"', '"red" is a value of x'),
        (COLOURS, 'size == "red"', "one side is a label"),
        (COLOURS, "x == oo", "never holds"),
        (COLOURS, 'not (x == "rot")', "never holds"),
        (COLOURS, 'x + 1 == "red"', "labels are only compared"),
        (COLOURS, "x < 1", "labels are only compared"),
        (COLOURS, '"red" == "blue"', "these are two labels"),
        (W, "x == 3", "x == 3 never holds, since x is 0 or 1"),
        (W, "1/2 + 1/3 == x", "never holds"),
        (W, 'x == "one"', "x is 0 or 1"),
        (W, 'piecewise((1, x == "a"), (0, true)) == 1', "x is 0 or 1"),
        (W, 's == "NULL"', "s is a number"),
        (MIXED, 'x == "None"', 'x is "none" or 3; did you mean "none"?'),
        (MIXED, "x == 4", 'x is "none" or 3'),
        (PAIRS, 'x[2] == "red"', '"red" is a value of x[1]'),
        (PAIRS, "x[1] == 1", 'x[1] is "red" or "blue"'),
        (PAIRS, "x[2] == 2", "x[2] is 0 or 1"),
        (PAIRS, "x[1] == x[2]", 'x[1] is "red" or "blue" and x[2] is 0 or 1'),
        (PAIRS, "x[2] == 1/2 + 1", "x[2] is 0 or 1"),
    ],
)
def test_a_comparison_that_no_record_can_meet_is_refused(
    domain: Domain, condition: str, said: str
) -> None:
    holds = parse(f"indicator({condition})")
    density = (
        indicator(holds == 1) * exp(-s * s)
        if condition.startswith("s")
        else exp(-Abs(s - domain.sum(holds))) / 2
    )
    assert said in refused(lambda: Mechanism(domain, outputs=[s], density=density))
    assert said in refused(lambda: ahdp(noisy(domain.size, domain), holds)) or condition.startswith(
        "s"
    )


@pytest.mark.parametrize(
    ("domain", "condition"),
    [
        (COLOURS, 'x == "red"'),
        (COLOURS, "eps == 7"),
        (COLOURS, "eps == oo"),
        (COLOURS, 'x == "red" or 1 == 2'),
        (W, "x + 1 == 9"),
        (W, "x == 3 - 2"),
        (W, "x == eps"),
        (MIXED, 'x == "none"'),
        (MIXED, "x == 3"),
        (PAIRS, "x[2] == 0"),
        (W, "2*x == 1"),
        (W, "floor(x) == 5"),
        (Domain([((0, 0), 1), ((0, 1), 1)]), "x[1] == 1"),
        (Domain([(("no", "no"), 1), (("yes", "no"), 1)]), 'x[2] == "yes"'),
        (Domain([("1/2", 1), (sqrt(2), 1)]), "x == 2^(1/2)"),
        (Domain([(sqrt(8), 1)]), "x == 2*sqrt(2)"),
    ],
)
def test_formulas_that_may_serve_other_records_too_are_accepted(
    domain: Domain, condition: str
) -> None:
    """The parts of a vector with a value in common are of one kind; formulas that are not just a
    part may be any number.
    """
    ahdp(noisy(domain.sum(parse(f"indicator({condition})")), domain))


LOCAL = Values(["yes", "no"])
ANSWER = finite("o", ["yes", "no"])
TELL = piecewise((Fraction(3, 4), ANSWER == name("v")), (Fraction(1, 4), True))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda: Mechanism(
                LOCAL, outputs=[ANSWER], density=piecewise((1, ANSWER == "Yes"), (0, True))
            ),
            'o is "yes" or "no"; did you mean "yes"?',
        ),
        (
            lambda: Mechanism(LOCAL, outputs=[ANSWER], density=indicator(name("v") == 1)),
            'v is "yes" or "no"',
        ),
        (
            lambda: Mechanism(
                Values([0, 1]), outputs=[ANSWER], density=indicator(ANSWER == name("v"))
            ),
            'o is "yes" or "no" and v is 0 or 1',
        ),
        (
            lambda: dp(
                Mechanism(LOCAL, outputs=[ANSWER], density=TELL),
                piecewise((1, name("other") == "NO"), (2, True)),
                "any",
            ),
            'did you mean "no"?',
        ),
        (
            lambda: Mechanism(
                W, outputs=[finite("r", [0, 1])], density=indicator(finite("r", [0, 1]) == 2)
            ),
            "r is 0 or 1",
        ),
        (lambda: noisy(W.size, defined='size == "one"'), "one side is a label"),
        (lambda: noisy(W.size, parameters={"p": 'p == "a"'}), "every parameter is a number"),
        (lambda: Domain.universal({"f": 'f == "a"'}), "every unknown is a number"),
        (
            lambda: Mechanism(Queries(1), outputs=[s], density=indicator(name("q[1]") == "a")),
            "q[1] is a number",
        ),
        (lambda: noisy(W.size, atoms={"NULL": indicator(W.count(x == "a") == 1)}), "x is 0 or 1"),
        (
            lambda: Mechanism(
                W, outputs=[s], density=piecewise((1, s == "NULL"), (0, True)), atoms={"NULL": 1}
            ),
            'write the probability of "NULL" under atoms',
        ),
        (lambda: COLOURS.count(("Red", "1/100")), 'did you mean "red"?'),
        (lambda: ahdp(noisy(W.size), 1, piecewise((0, name("p") == "a"), (1, True))), "p"),
        (
            lambda: delta(noisy(W.size), lambda x, eps: piecewise((1, x == "a"), (0, True))),
            "x is 0 or 1",
        ),
        (
            lambda: distance(
                Multiset(W, [1, 0]), Multiset(W, [0, 1]), lambda x, eps: indicator(x == 3)
            ),
            "x is 0 or 1",
        ),
        (lambda: mean(noisy(W.size), of=indicator(s == "a")), "s is a number"),
        (lambda: error_rates(noisy(W.size), [0, 0], [0, 1], s == "a"), "s is a number"),
        (
            lambda: mean(
                Mechanism(LOCAL, outputs=[ANSWER], density=TELL),
                "yes",
                of=indicator(ANSWER == "nope"),
            ),
            'did you mean "no"?',
        ),
        (
            lambda: post_process(
                dp(Mechanism(LOCAL, outputs=[ANSWER], density=TELL), 2, "any"),
                {"z": indicator(ANSWER == "Yes")},
            ),
            'did you mean "yes"?',
        ),
    ],
)
def test_labels_of_values_outputs_and_atoms(made: Callable[[], object], said: str) -> None:
    assert said in refused(made)


def test_a_later_part_asks_for_values_that_the_earlier_one_has() -> None:
    r = finite("r", [0, 1])
    coin = ahdp(
        Mechanism(
            W,
            outputs=[r],
            density=piecewise((Fraction(1, 2), r == 0), (Fraction(1, 2), True)),
            name="coin",
        ),
        0,
    )

    def after(value: int) -> object:
        return compose(
            coin,
            ahdp(
                noisy(W.size * indicator(name("r") == value), parameters={"r": ""}, name="later"), 1
            ),
        )

    after(1)
    assert "r is 0 or 1" in refused(lambda: after(2))


def test_a_value_put_in_for_a_parameter_may_leave_a_comparison_that_nothing_meets() -> None:
    """P(r == k) is 0 at k = 7, and that is an answer: only what a user writes is refused."""
    r = finite("r", [0, 1])
    fair = Mechanism(
        W, outputs=[r], density=Fraction(1, 2) + 0 * indicator(r == name("k")), parameters={"k": ""}
    )
    assert mean(fair, [0, 0], of="r", parameters={"k": 7}) == Fraction(1, 2)


# SymPy


def test_sympy_is_read_wherever_an_expression_is() -> None:
    """One mechanism in two spellings; a symbol stands for the name that it is called by,
    whatever it is assumed to be.
    """
    own = Mechanism(
        W,
        outputs=[s],
        density=exp(-Abs(s - W.sum(x * eps)) / name("b")) / (2 * name("b")),
        parameters={"b": name("b") > 0},
        defined=W.size >= 1,
    )
    b = sympy.Symbol("b", positive=True)
    total = W.sum(X * EPS)
    made = Mechanism(
        W,
        outputs=[s],
        density=exp(-Abs(S - total) / b) / (2 * b),
        parameters={"b": sympy.Symbol("b") > 0},
        defined=W.size >= sympy.Integer(1),
    )
    assert expression_text(made.density) == "exp(-abs(s - sum(x*eps))/b)/(2*b)"
    assert made.parameters == own.parameters and made.defined == own.defined
    assert ahdp(made, X * EPS / b, sympy.Integer(0)).level == X * EPS / name("b")
    assert Domain([(sympy.Rational(1, 2), sympy.log(2))]) == Domain([("1/2", parse("log(2)"))])
    assert Domain.universal(
        {"f": sympy.And(sympy.Symbol("f") >= 0, sympy.Symbol("f") <= 1)}
    ).unknowns[1][1] == parse("f >= 0 and f <= 1")
    assert noisy(W.size, atoms={sympy.Integer(3): sympy.Rational(1, 3)}).atoms == (
        (number(3), number("1/3")),
    )


@pytest.mark.parametrize(
    ("e", "said"),
    [
        (s + X, "s + x"),
        (X + s, "x + s"),
        (s * X, "s*x"),
        (X / s, "x/s"),
        (X - s, "x - s"),
        (X**s, "x^s"),
        (s % X, "mod(s, x)"),
        (X % s, "mod(x, s)"),
        (X < s, "x < s"),
        (s <= X, "s <= x"),
        ((X < 1) & (s < 1), "x < 1 and s < 1"),
        ((s < 1) | (X < 1), "s < 1 or x < 1"),
        (Abs(X - 1), "abs(x - 1)"),
        (piecewise((X, X > 1), (0, True)), "piecewise((x, 1 < x), (0, true))"),
        (s == X + 1, "s == x + 1"),
    ],
)
def test_sympy_on_both_sides_of_an_operator(e: object, said: str) -> None:
    assert isinstance(e, Expression) and expression_text(e) == said


def test_sympy_is_not_imported_for_those_who_do_not_use_it() -> None:
    code = (
        "import sys; from ahdp_verify import Domain, eq, real; W = Domain([(0, 1)]); "
        "W.count(lambda x, eps: x == 0); eq(real('s'), 'a'); print('sympy' in sys.modules)"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
        ).stdout
        == "False\n"
    )


# files


def test_a_parameter_called_eps_is_not_a_demand() -> None:
    """Where all demands are that parameter both meanings agree, and the level stands."""
    W1 = Domain([(0, 1), (1, 1)])
    assert "rename the parameter" in refused(
        lambda: ahdp(noisy(W1.size, W1, parameters={"eps": ""}))
    )
    same = Domain([(0, eps), (1, eps)])
    assert str(ahdp(noisy(same.size, same, parameters={"eps": ""})).level) == "eps"
    assert str(dp(noisy(W1.size, W1, parameters={"eps": ""}), eps).level) == "eps"


PART = """
format = 2
domain.values = ["0", "1"]
[[part]]
name = "coin"
outputs = [{name = "r", kind = "finite", values = ["heads", "tails"]}]
density = "1/2"
relation = "any"
level = "0"
[[part]]
name = "later"
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - v*indicator(r == \\"heads\\")))/2"
relation = "any"
level = "1"
"""


def test_a_part_of_a_file_that_reads_a_label_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "parts.toml"
    file.write_text(PART)
    assert 'it reads r, which may be the label "heads"' in refused(lambda: load(file))


@pytest.mark.skipif(not SECOND.exists(), reason="the shared inputs are not here")
@pytest.mark.parametrize(
    ("stem", "said"),
    [
        ("trap2", 'did you mean "red"?'),
        ("trap3", "reads as a number"),
        ("07_hist_labels_against_numbers_FALSE_PROVED", 'x is "a", "b" or "c"'),
        ("f2_epsparam", "eps is the demand of a record here"),
    ],
)
def test_traps_in_files_are_refused(stem: str, said: str, tmp_path: Path) -> None:
    file = in_this_format(SECOND / f"{stem}.toml", tmp_path)
    assert said in refused(lambda: load(file))


@pytest.mark.skipif(not SECOND.exists(), reason="the shared inputs are not here")
def test_labels_in_python_are_compared() -> None:
    """One more "yes" takes a/(a + b) to c*a/(c*a + b) with c = exp(1/4), so no probability
    changes by more than that factor: below all demands.
    """
    (claim,) = load(f"{SECOND / '19_py_label_eq_fails.py'}:claim").claims
    assert isinstance(verify(claim), Proved)
