"""Programs on any number of queries: what is a control state, what is a register, what is
refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ahdp_verify import coin, exp, laplace, noise_program
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.program import Coin, Draw, If, Program, Release, Stop
from ahdp_verify.kernel.model.program_paths import PathTable
from ahdp_verify.kernel.terms.expression import label, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.sampling.programs import run_program

KEPT: list[Any] = []
LIMIT, SHARES = 3, (1, 2)


def program(function: Callable[..., Any], **options: Any) -> Program:
    """The program that a function of queries and eps is on any number of queries."""
    return noise_program(parameters={"eps": "eps > 0"})(function).program(**options)


def refusal(function: Callable[..., Any]) -> str:
    """Why it is none."""
    with pytest.raises(BadInput) as caught:
        program(function)
    return str(caught.value)


# what is understood


def test_a_counter_with_a_limit_is_a_control_state_and_a_noise_is_a_register() -> None:
    def f(queries: Any, eps: Any, n: int = 2) -> Iterator[Any]:
        rho, seen = laplace(1 / eps), 0
        for q in queries:
            seen = seen + 1
            yield q + rho
            if seen == n:
                return

    found = program(f, n=4)
    assert [s.registers for s in found.states] == [("rho",)] * 4
    last = found.states[-1]
    assert last.body == Release(parse("q + rho"), Stop()) and last.end == Stop()


def test_what_comes_after_the_last_query_is_the_end_of_every_state() -> None:
    def f(queries: Any, eps: Any) -> str:
        high = False
        for q in queries:
            high = q + laplace(1 / eps) > 0
        return "high" if high else "low"

    found = program(f)
    ends = {s.end.item for s in found.states if isinstance(s.end, Release)}
    assert ends == {label("high"), label("low")} and len(found.states) == 2


def test_true_and_one_are_different_control_states() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        last: Any = 1
        for q in queries:
            yield last
            last = True if last is not True and q + laplace(1 / eps) > 0 else 1

    released = {s.body.item for s in program(f).states if isinstance(s.body, Release)}
    assert released == {label("true"), number(1)}


def test_two_variables_with_one_noise_share_a_register() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        a = b = laplace(1 / eps)
        for q in queries:
            yield q + a - b
            a = laplace(2 / eps)

    found = program(f)
    bodies = [s.body for s in found.states]
    # a - b is 0 at first, where they are one noise, and is not 0 later
    assert isinstance(bodies[0], Release) and bodies[0].item == parse("q")
    assert found.states[1].registers == ("a", "b")


def test_variables_named_like_noises_and_queries_are_told_from_them() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        z1, q = laplace(1 / eps), laplace(2 / eps)
        for x in queries:
            noise = laplace(3 / eps)
            yield x + 2 * z1 + 3 * q + 4 * noise

    (state,) = program(f).states
    assert state.registers == ("q_", "z1")
    assert isinstance(state.body, Draw) and state.body.noise not in ("q", "q_", "z1")
    assert run_program(program(f), [1], {"eps": 1}, [[10, 100, 1000]]).outputs() == [[4321.0]]


def test_a_variable_called_like_a_label_is_renamed() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        none = laplace(1 / eps)
        for q in queries:
            yield None if q + laplace(1 / eps) > 0 else none

    assert [state.registers for state in program(f).states] == [("none_",)]


def test_a_noise_and_a_variable_called_z_do_not_mix() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        z = laplace(1 / eps)
        for q in queries:
            yield q + 2 * z
            z = z + laplace(5 / eps)

    assert [s.registers for s in program(f).states] == [("z",)]
    given = [[1.0, 10.0, 100.0]]
    assert run_program(program(f), [0, 0], {"eps": 1}, given).outputs() == [[2.0, 22.0]]


def test_a_parameter_that_gets_noise_is_a_register_of_another_name() -> None:
    @noise_program(parameters={"eps": "eps > 0", "T": ""})
    def f(queries: Any, eps: Any, T: Any) -> Iterator[Any]:
        for q in queries:
            T = T + laplace(1 / eps)
            yield q + T

    registers = {r for s in f.program().states for r in s.registers}
    assert registers == {"T_"}


def test_short_lists_of_noises_are_registers() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        last = [0, laplace(1 / eps)]
        for q in queries:
            yield q + last[0] + last[1]
            last = [last[1], laplace(1 / eps)]

    outputs = run_program(program(f), [0, 0, 0], {"eps": 1}, [[1.0, 10.0, 100.0, 1000.0]]).outputs()
    assert outputs == [[1.0, 11.0, 110.0]]


def test_what_was_compared_before_the_last_query_is_asked_again() -> None:
    """A fact about a noise does not outlive its query: the register may have any value."""

    def f(queries: Any, eps: Any) -> Iterator[Any]:
        rho = laplace(1 / eps)
        for q in queries:
            yield rho > 0
            yield q + rho > 0

    (state,) = program(f).states
    assert isinstance(state.body, If) and str(state.body.value) == "rho"


def test_a_question_whose_answer_does_not_matter_is_left_out() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        for q in queries:
            noise = laplace(1 / eps)
            last = 1 if noise > 0 else 2
            yield q + noise
            del last

    (state,) = program(f).states
    assert isinstance(state.body, Draw) and isinstance(state.body.then, Release)


def test_coins_with_probabilities_in_parameters() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        for q in queries:
            fair = coin(1 / (1 + exp(eps)))
            yield (q + laplace(1 / eps) > 0) == fair

    (state,) = program(f).states
    assert isinstance(state.body, Coin) and state.body.probability == parse("1/(exp(eps) + 1)")


def test_helpers_and_constants_of_the_module_may_be_used() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        for q in queries:
            yield noisy(q, eps) + SHARES[1] * LIMIT

    assert len(program(f).states) == 1


def noisy(q: Any, eps: Any) -> Any:
    """A helper."""
    return q + laplace(1 / eps)


def test_a_program_may_end_before_its_first_query() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        if laplace(1 / eps) > 0:
            yield "early"
            return
        for q in queries:
            yield q + laplace(1 / eps)

    found = program(f)
    assert isinstance(found.start, Draw) and isinstance(found.start.then, If)
    assert found.start.then.yes == Release(label("early"), Stop()) and len(found.states) == 1


def test_tracing_and_profiling_change_nothing() -> None:
    def f(queries: Any, eps: Any) -> Iterator[Any]:
        rho = laplace(1 / eps)
        for q in queries:
            yield q + rho > sum(rho for _ in range(2))

    plain = program(f)
    traced, profiled = sys.gettrace(), sys.getprofile()
    try:
        sys.settrace(lambda frame, *_: (lambda *_: None) if frame.f_code is f.__code__ else None)
        sys.setprofile(lambda *_: None)
        seen = program(f)
    finally:
        sys.settrace(traced)
        sys.setprofile(profiled)
    assert seen.fingerprint == plain.fingerprint


def test_an_inner_loop_is_unrolled() -> None:
    def f(queries: Any, eps: Any, n: int = 3) -> Iterator[Any]:
        for q in queries:
            total = q
            for _ in range(n):
                total = total + laplace(1 / eps)
            yield total

    (path,) = PathTable(program(f, n=3)).bodies["wait"]
    assert len(path.draws) == 3
