"""The negation of an obligation: satisfied wherever the inequality fails, and never contradictory
on its own.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.model.domain import Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.rules.obligations import tasks
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Abs,
    Min,
    exp,
    multiply,
    name,
    number,
    piecewise,
)
from ahdp_verify.search.solvers.negation import (
    assert_context,
    exponential_branches,
    negated_obligation,
    violation_condition,
)
from ahdp_verify.search.solvers.smtlib import Script, real_literal
from tests.search.solvers.test_smtlib import SECONDS, Solver, both

PROOFS = Path(__file__).resolve().parents[3] / "proofs"
FILES = (
    "field/laplace-one-query",
    "field/randomised-response-one-bit",
    "paper/linear-query-universal",
    "public/laplace-clamped-to-unit-interval-every-eps",
    "paper/mean-numerator-and-denominator",
    "field/demand-weighted-sum-scale-from-dataset",
    "public/integer-sum-of-known-size-every-eps",
)


def test_laws_come_apart_into_branches() -> None:
    s = name("s")
    law = piecewise((exp(-s) / 2, s > 0), (0, True)) * exp(s * 3)
    assert [(len(g), str(c), str(e)) for g, c, e in exponential_branches(law)] == [
        (1, "1/2", "-s + 3*s"),
        (1, "0", "3*s"),
    ]
    assert exponential_branches(
        piecewise((1, number(2) < 1), (exp(s), number(1) < 2), (3, True))
    ) == [((), ONE, s)]
    many = multiply(*(piecewise((1, name(f"b{i}") > 0), (2, True)) for i in range(30)))
    assert len(exponential_branches(many)) <= 16


@both
def test_nothing_proves_that_zero_is_at_least_one(answer: Solver) -> None:
    """The facts of real obligations, and of the exponentials in their laws, leave a point."""
    for file in FILES:
        for c in load(PROOFS / f"{file}.toml").claims[:2]:
            for task in list(tasks(c))[:2]:
                script = Script(task.obligation.here.integers)
                assert_context(script, task.obligation.here)
                if task.part is not None:
                    violation_condition(script, *task.laws, task.obligation.level)
                script.holds(
                    violation_condition(
                        script, Dominated(ONE), Dominating(ZERO), task.obligation.level
                    )
                )
                assert answer(script.text, SECONDS).word != "unsat", task.text


@both
@pytest.mark.parametrize("level", ["99/100", "1"])
def test_a_point_where_the_inequality_fails_satisfies_the_text(level: str, answer: Solver) -> None:
    """Laplace noise of scale 1 and of scale 2: at s = 0 the ratio is 2 at every level below log
    2, at s = 9 it is exp(9/2)/2.
    """
    s = name("s")
    wide, narrow = exp(-Abs(s) / 2) / 4, exp(-Abs(s)) / 2
    for at, small, large in ((0, wide, narrow), (9, narrow, wide)):
        script = Script()
        script.holds(
            violation_condition(script, Dominated(large), Dominating(small), number(level) / 2)
        )
        script.add("=", script.symbol("s"), real_literal(Fraction(at)))
        assert answer(script.text, SECONDS).word == "sat"
        script = Script()
        script.holds(
            violation_condition(script, Dominated(small), Dominating(large), number(level) / 2)
        )
        script.add("=", script.symbol("s"), real_literal(Fraction(at)))
        assert answer(script.text, SECONDS).word == "unsat"


def test_the_negation_speaks_the_conditions_of_parameters() -> None:
    """A condition with alternatives is not a fact of a context, but the text has it."""
    a, s = name("a"), real("s")
    M = Mechanism(
        Queries(1),
        outputs=[s],
        density=exp(-Abs(s - Min(a, 1) * name("q[1]"))) / 2,
        parameters={"a": (a <= 0) | (a >= 1)},
    )
    claim = dp(M, 1, neighbours="one")
    assert "(or (<= |$a| 0.0) (<= 1.0 |$a|))" in negated_obligation(next(tasks(claim)), claim)


@pytest.mark.parametrize(
    ("file", "i", "word"),
    [
        ("field/one-time-rappor-two-values", 0, "--procedure linear"),
        ("public/one-sided-exponential-noise-eps-log-2", 2, "integrals"),
    ],
)
def test_what_has_no_text_says_so(file: str, i: int, word: str) -> None:
    claim = load(PROOFS / f"{file}.toml").claims[i]
    with pytest.raises(Unsupported, match=word):
        negated_obligation(next(tasks(claim)), claim)
