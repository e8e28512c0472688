"""The programs of the field, from their functions: how many paths and control states they have, and
that a function and its tree do the same on the same noises.
"""

from __future__ import annotations

import random
from math import comb
from typing import Any

import pytest

from ahdp_verify.kernel.model.program import Program, leaf_count
from ahdp_verify.programs import NoiseProgram
from ahdp_verify.sampling.programs import run_program
from tests import field_programs as field


def first_stops(n: int, c: int) -> int:
    """Sequences of at most n truth values that end at the c-th True, or are n long."""
    ended = sum(comb(k - 1, c - 1) for k in range(c, n + 1))
    return ended + sum(comb(n, k) for k in range(min(c, n + 1)))


@pytest.mark.parametrize(
    ("program", "n", "options", "paths"),
    [
        (field.noisy_answer, 1, {}, 1),
        (field.noisy_sum, 5, {}, 1),
        (field.partial_sums, 10, {}, 1),
        (field.smart_sum, 10, {}, 1),
        (field.smart_sum, 4, {"noisy_blocks": False}, 1),
        (field.answers_with_scale_eps, 5, {}, 1),
        (field.noisy_max, 5, {}, 5),
        (field.noisy_max_by_loop, 5, {}, 2**4),
        (field.noisy_max_by_max, 5, {}, 2**4),
        (field.exponential_noisy_max, 5, {}, 5),
        (field.noisy_max_value, 5, {}, 5),
        (field.exponential_noisy_max_value, 3, {}, 3),
        (field.gumbel_noisy_max, 5, {}, 5),
        (field.noisy_max_with_gap, 4, {}, 4 * 3),
        (field.two_largest, 4, {}, 4 * 3),
        (field.geometric_noisy_max, 5, {}, 5),
        (field.sparse_vector, 10, {}, 11),
        (field.sparse_vector, 10, {"c": 3}, 176),
        (field.sparse_vector_new_thresholds, 10, {"c": 2}, first_stops(10, 2)),
        (field.sparse_vector_with_values, 10, {}, 11),
        (field.sparse_vector_too_little_noise, 5, {"c": 2}, first_stops(5, 2)),
        (field.sparse_vector_exact_queries, 3, {}, 2**3),
        (field.sparse_vector_unlimited, 10, {}, 1024),
        (field.numerical_sparse_vector, 8, {"c": 2}, first_stops(8, 2)),
        (field.gap_sparse_vector, 10, {}, 11),
        (field.adaptive_sparse_vector, 6, {}, 2 * 6 + 1),
        (field.adaptive_sparse_vector, 5, {"gaps": False}, 2 * 5 + 1),
        (field.monotone_sparse_vector, 8, {"c": 2}, first_stops(8, 2)),
        (field.geometric_sparse_vector, 10, {}, 11),
    ],
    ids=str,
)
def test_paths_on_a_fixed_number_of_queries(
    program: NoiseProgram, n: int, options: dict[str, Any], paths: int
) -> None:
    found = program.program(n, **options)
    assert leaf_count(found.start) == paths and not found.states


def test_the_number_of_stopped_sequences_is_the_published_one() -> None:
    assert [first_stops(10, c) for c in (1, 3, 10)] == [11, 176, 1024]


@pytest.mark.parametrize(
    ("program", "options", "kept"),
    [
        (field.noisy_sum, {}, [(), ("total_",)]),
        (field.partial_sums, {}, [(), ("total_",)]),
        (field.noisy_answers, {}, [()]),
        (field.sparse_vector, {}, [("rho",)]),
        (field.sparse_vector, {"c": 3}, [("rho",)] * 3),
        (field.sparse_vector_new_thresholds, {"c": 3}, [("rho",)] * 3),
        (field.sparse_vector_unlimited, {}, [("rho",)]),
        (field.gap_sparse_vector, {"c": 2}, [("rho",)] * 2),
        # eps/2 is spent at first, eps/8 at each "top", eps/4 at "middle", and 3 eps/4 is the limit
        (field.adaptive_sparse_vector, {}, [("rho",), ()]),
        (field.adaptive_sparse_vector, {"c": 2}, [("rho",)] * 3 + [()]),
        (field.smart_sum, {}, [(), ("inside",), ("finished",), ("finished", "inside")]),
        (field.geometric_sparse_vector, {}, [("rho",)]),
    ],
    ids=str,
)
def test_control_states_and_what_they_keep(
    program: NoiseProgram, options: dict[str, Any], kept: list[tuple[str, ...]]
) -> None:
    found = program.program(**options)
    assert [state.registers for state in found.states] == kept


EVERY_N = [
    (field.noisy_sum, {}),
    (field.partial_sums, {}),
    (field.smart_sum, {}),
    (field.smart_sum, {"block": 3}),
    (field.sparse_vector, {"c": 2}),
    (field.sparse_vector_new_thresholds, {"c": 2}),
    (field.sparse_vector_with_values, {"c": 2}),
    (field.numerical_sparse_vector, {"c": 2}),
    (field.gap_sparse_vector, {"c": 2}),
    (field.adaptive_sparse_vector, {"c": 2}),
    (field.adaptive_sparse_vector, {"gaps": False}),
]
FIXED_N = [
    (field.noisy_max, {}),
    (field.noisy_max_by_loop, {}),
    (field.noisy_max_by_max, {}),
    (field.exponential_noisy_max_value, {}),
    (field.noisy_max_with_gap, {}),
    (field.two_largest, {}),
]


def items(value: Any) -> list[Any]:
    """What a function returned or yielded, as labels and numbers one after the other."""
    if isinstance(value, list | tuple):
        return [item for part in value for item in items(part)]
    return [str(value).lower()] if isinstance(value, bool) else [value]


def agree(found: list[list[Any]], expected: list[list[Any]]) -> bool:
    """Whether labels are equal and numbers are up to rounding."""
    return all(
        len(a) == len(b)
        and all(
            x == y if isinstance(x, str) or isinstance(y, str) else abs(x - y) < 1e-9 * (1 + abs(y))
            for x, y in zip(a, b, strict=True)
        )
        for a, b in zip(found, expected, strict=True)
    )


def differences(
    program: NoiseProgram, trees: list[Program], runs: int, options: dict[str, Any], n: int
) -> int:
    """How many of the trees differ from the function on random answers and noises."""
    rng = random.Random(18)
    answers = [rng.randint(-5, 25) for _ in range(n)]
    noises = [[rng.gauss(0, 1) * rng.choice([1, 30]) for _ in range(20)] for _ in range(runs)]
    values = {"eps": "7/10", "T": "10/3"}
    given = {key: values[key] for key, _ in program.parameters}
    expected = [items(program.run_on(answers, row, **given, **options)) for row in noises]
    return sum(
        not agree(run_program(tree, answers, given, noises).outputs(), expected) for tree in trees
    )


@pytest.mark.parametrize(("program", "options"), EVERY_N, ids=str)
def test_function_loop_and_tree_do_the_same_on_the_same_noises(
    program: NoiseProgram, options: dict[str, Any]
) -> None:
    trees = [program.program(**options), program.program(4, **options)]
    assert differences(program, trees, 500, options, 4) == 0


@pytest.mark.parametrize(("program", "options"), FIXED_N, ids=str)
def test_function_and_tree_do_the_same_on_the_same_noises(
    program: NoiseProgram, options: dict[str, Any]
) -> None:
    assert differences(program, [program.program(4, **options)], 500, options, 4) == 0


def test_ten_thousand_runs_of_adaptive_sparse_vector_on_the_same_noises() -> None:
    program, options = field.adaptive_sparse_vector, {"c": 2}
    trees = [program.program(**options), program.program(6, **options)]
    assert differences(program, trees, 10_000, options, 6) == 0


def test_a_tree_of_another_function_does_not_do_the_same() -> None:
    """So the comparison above notices something."""
    other = field.adaptive_sparse_vector.program(4, gaps=False)
    assert differences(field.adaptive_sparse_vector, [other], 100, {}, 4) == 1
