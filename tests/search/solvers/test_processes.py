"""Two solvers behind one interface: they answer, or give the reason why not, and they stop."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from ahdp_verify.search.solvers import processes as solvers
from ahdp_verify.search.solvers.processes import SolverAnswer, Worker, cvc5_answer, z3_answer
from tests.search.solvers.test_smtlib import SECONDS, Solver, both

CONTRADICTION = "(set-logic QF_LRA)(declare-const x Real)(assert (< x x))(check-sat)"
# Euler's conjecture for fifth powers in two summands: nobody is known to decide it, and cvc5
# forgets its own time limit over it.
ENDLESS = (
    "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
    "(assert (and (> x 1) (> y 1) (> z 1) (= (+ (* x x x x x) (* y y y y y)) (* z z z z "
    "z))))(check-sat)"
)


@both
def test_a_solver_that_does_not_stop_is_stopped(answer: Solver) -> None:
    start = time.monotonic()
    assert answer(ENDLESS, 0.5) == SolverAnswer("unknown", "out of time")
    assert time.monotonic() - start < 15
    assert answer(CONTRADICTION, SECONDS).word == "unsat"
    assert answer(CONTRADICTION, 0) == SolverAnswer("unknown", "out of time")


@both
def test_an_invalid_text_is_answered_unknown(answer: Solver) -> None:
    said = answer("(set-logic QF_LRA)(assert (< x 1.0))(check-sat)", SECONDS)
    assert said.word == "unknown" and "x" in said.reason


@both
def test_a_text_that_asks_nothing_is_not_known(answer: Solver) -> None:
    assert answer("(set-logic QF_LRA)", SECONDS).word != "unsat"


def test_models_are_exact_or_near() -> None:
    text = (
        "(declare-const |$@1| Int)(declare-const y Real)(declare-const z Real)(assert (= |$@1| "
        "3))(assert (= (* 3.0 y) 1.0))"
    )
    found = z3_answer(f"{text}(assert (and (> z 0.0) (= (* z z) 2.0)))(check-sat)", SECONDS).values
    assert (
        found["$@1"] == 3
        and found["y"] == Fraction(1, 3)
        and abs(found["z"] ** 2 - 2) < Fraction(1, 10**9)
    )


def test_without_cvc5_the_answer_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "cvc5_version", str)
    assert cvc5_answer(CONTRADICTION, 1) == SolverAnswer(
        "unknown", "cvc5, the second solver, is not installed; install ahdp-verify[cvc5]"
    )


def test_a_process_that_dies_is_replaced() -> None:
    worker = Worker("z3")
    assert worker.ask(CONTRADICTION, SECONDS).word == "unsat"
    process = worker.process
    assert process is not None
    process.kill()
    process.wait()
    assert worker.ask(CONTRADICTION, SECONDS).word == "unsat" and worker.process is not process
    worker.close()
    assert worker.process is None
