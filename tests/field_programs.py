"""The benchmark programs of the field: those of the catalogue, and other ways of writing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ahdp_verify import argmax, laplace, noise_program
from ahdp_verify.catalogue.noisy_max import noisy_max, noisy_maximum, two_largest, whole_noisy_max
from ahdp_verify.catalogue.running_sums import (
    noisy_histogram,
    noisy_histogram_upside_down,
    noisy_sum,
    running_sums,
    smart_sum,
    smart_sum_with_plain_blocks,
)
from ahdp_verify.catalogue.sparse_vector import (
    adaptive_sparse_vector,
    adaptive_sparse_vector_with_answers,
    gap_sparse_vector,
    monotone_sparse_vector,
    numeric_sparse_vector,
    sparse_vector,
    sparse_vector_with_answers,
    sparse_vector_with_little_noise,
    sparse_vector_with_plain_answers,
    sparse_vector_without_end,
    whole_sparse_vector,
)

__all__ = (
    "adaptive_sparse_vector",
    "adaptive_sparse_vector_with_answers",
    "gap_sparse_vector",
    "monotone_sparse_vector",
    "noisy_answer",
    "noisy_histogram",
    "noisy_histogram_upside_down",
    "noisy_max",
    "noisy_max_by_loop",
    "noisy_max_by_max",
    "noisy_max_with_gap_by_lists",
    "noisy_maximum",
    "noisy_sum",
    "numeric_sparse_vector",
    "running_sums",
    "smart_sum",
    "smart_sum_with_plain_blocks",
    "sparse_vector",
    "sparse_vector_with_answers",
    "sparse_vector_with_little_noise",
    "sparse_vector_with_plain_answers",
    "sparse_vector_without_end",
    "two_largest",
    "whole_noisy_max",
    "whole_sparse_vector",
)
Q = Sequence[Any]
EPS = {"eps": "eps > 0"}


@noise_program(parameters=EPS)
def noisy_answer(queries: Q, eps: Any) -> Any:
    """M1."""
    return queries[0] + laplace(1 / eps)


@noise_program(parameters=EPS)
def noisy_max_by_loop(queries: Q, eps: Any) -> Any:
    """M11, which keeps the best so far."""
    best = place = None
    for i, q in enumerate(queries):
        noisy = q + laplace(2 / eps)
        if best is None or noisy > best:
            best, place = noisy, i
    return place


@noise_program(parameters=EPS)
def noisy_max_by_max(queries: Q, eps: Any) -> int:
    """M11 with Python's own max."""
    noisy = [q + laplace(2 / eps) for q in queries]
    return max(range(len(noisy)), key=noisy.__getitem__)


@noise_program(parameters=EPS)
def noisy_max_with_gap_by_lists(queries: Q, eps: Any) -> tuple[int, Any]:
    """M-gap."""
    noisy = [q + laplace(2 / eps) for q in queries]
    best = argmax(noisy)
    others = noisy[:best] + noisy[best + 1 :]
    return best, noisy[best] - others[argmax(others)]
