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
        (field.running_sums, 10, {}, 1),
        (field.smart_sum, 10, {}, 1),
        (field.smart_sum_with_plain_blocks, 4, {}, 1),
        (field.noisy_histogram_upside_down, 5, {}, 1),
        (field.noisy_max, 5, {}, 5),
        (field.noisy_max_by_loop, 5, {}, 2**4),
        (field.noisy_max_by_max, 5, {}, 2**4),
        (field.noisy_max, 5, {"law": "exponential"}, 5),
        (field.noisy_maximum, 5, {}, 5),
        (field.noisy_maximum, 3, {"law": "exponential"}, 3),
        (field.noisy_max, 5, {"law": "gumbel"}, 5),
        (field.noisy_max_with_gap_by_lists, 4, {}, 4 * 3),
        (field.two_largest, 4, {}, 4 * 3),
        (field.whole_noisy_max, 5, {}, 5),
        (field.sparse_vector, 10, {}, 11),
        (field.sparse_vector, 10, {"count": 3}, 176),
        (field.sparse_vector, 10, {"count": 2, "redrawn": True}, first_stops(10, 2)),
        (field.sparse_vector_with_answers, 10, {}, 11),
        (field.sparse_vector_with_little_noise, 5, {"count": 2}, first_stops(5, 2)),
        (field.sparse_vector_with_plain_answers, 3, {}, 2**3),
        (field.sparse_vector_without_end, 10, {}, 1024),
        (field.numeric_sparse_vector, 8, {"count": 2}, first_stops(8, 2)),
        (field.gap_sparse_vector, 10, {}, 11),
        (field.adaptive_sparse_vector, 6, {}, 2 * 6 + 1),
        (field.adaptive_sparse_vector_with_answers, 5, {}, 2 * 5 + 1),
        (field.monotone_sparse_vector, 8, {"count": 2}, first_stops(8, 2)),
        (field.whole_sparse_vector, 10, {}, 11),
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
        (field.running_sums, {}, [(), ("total_",)]),
        (field.noisy_histogram, {}, [()]),
        (field.sparse_vector, {}, [("rho",)]),
        (field.sparse_vector, {"count": 3}, [("rho",)] * 3),
        (field.sparse_vector, {"count": 3, "redrawn": True}, [("rho",)] * 3),
        (field.sparse_vector_without_end, {}, [("rho",)]),
        (field.gap_sparse_vector, {"count": 2}, [("rho",)] * 2),
        # eps/2 is spent at first, eps/8 at each "top", eps/4 at "middle", and 3 eps/4 is the limit
        (field.adaptive_sparse_vector, {}, [("rho",), ()]),
        (field.adaptive_sparse_vector, {"count": 2}, [("rho",)] * 3 + [()]),
        (field.smart_sum, {}, [(), ("within",), ("blocks",), ("blocks", "within")]),
        (field.whole_sparse_vector, {}, [("rho",)]),
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
    (field.running_sums, {}),
    (field.smart_sum, {}),
    (field.smart_sum, {"block": 3}),
    (field.sparse_vector, {"count": 2}),
    (field.sparse_vector, {"count": 2, "redrawn": True}),
    (field.sparse_vector_with_answers, {"count": 2}),
    (field.numeric_sparse_vector, {"count": 2}),
    (field.gap_sparse_vector, {"count": 2}),
    (field.adaptive_sparse_vector, {"count": 2}),
    (field.adaptive_sparse_vector_with_answers, {}),
]
FIXED_N = [
    (field.noisy_max, {}),
    (field.noisy_max_by_loop, {}),
    (field.noisy_max_by_max, {}),
    (field.noisy_maximum, {"law": "exponential"}),
    (field.noisy_max_with_gap_by_lists, {}),
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
    program, options = field.adaptive_sparse_vector, {"count": 2}
    trees = [program.program(**options), program.program(6, **options)]
    assert differences(program, trees, 10_000, options, 6) == 0


def test_a_tree_of_another_function_does_not_do_the_same() -> None:
    """So the comparison above notices something."""
    other = field.adaptive_sparse_vector_with_answers.program(4)
    assert differences(field.adaptive_sparse_vector, [other], 100, {}, 4) == 1
