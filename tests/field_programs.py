"""The benchmark programs of the field (the noise programs of its papers), as plain functions.

Named after the mechanisms, with the number that the field's table gives them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ahdp_verify import argmax, exponential, geometric, gumbel, laplace, noise_program

Q = Sequence[Any]
EPS = {"eps": "eps > 0"}
EPS_T = {"eps": "eps > 0", "T": ""}


# sums


@noise_program(parameters=EPS)
def noisy_answer(queries: Q, eps: Any) -> Any:
    """M1."""
    return queries[0] + laplace(1 / eps)


@noise_program(parameters=EPS)
def noisy_sum(queries: Q, eps: Any) -> Any:
    """M4."""
    total = 0
    for q in queries:
        total = total + q
    return total + laplace(1 / eps)


@noise_program(parameters=EPS)
def noisy_sum_half_noise(queries: Q, eps: Any) -> Any:
    """M5."""
    total = 0
    for q in queries:
        total = total + q
    return total + laplace(1 / (2 * eps))


@noise_program(parameters=EPS)
def partial_sums(queries: Q, eps: Any) -> Iterator[Any]:
    """M6."""
    total = 0
    for q in queries:
        total = total + q + laplace(1 / eps)
        yield total


@noise_program(parameters=EPS)
def smart_sum(queries: Q, eps: Any, block: int = 2, noisy_blocks: bool = True) -> Iterator[Any]:
    """M7, and M8 with exact blocks."""
    finished = inside = shown = place = 0
    for q in queries:
        place = (place + 1) % block
        if place:
            shown = shown + q + laplace(1 / eps)
            inside = inside + q
        else:
            finished = finished + inside + q
            if noisy_blocks:
                finished = finished + laplace(1 / eps)
            shown, inside = finished, 0
        yield shown


@noise_program(parameters=EPS)
def noisy_answers(queries: Q, eps: Any) -> Iterator[Any]:
    """M9."""
    for q in queries:
        yield q + laplace(1 / eps)


@noise_program(parameters=EPS)
def answers_with_scale_eps(queries: Q, eps: Any) -> list[Any]:
    """M10."""
    return [q + laplace(eps) for q in queries]


# noisy max


@noise_program(parameters=EPS)
def noisy_max(queries: Q, eps: Any) -> int:
    """M11."""
    return argmax(q + laplace(2 / eps) for q in queries)


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
def exponential_noisy_max(queries: Q, eps: Any) -> int:
    """M12."""
    return argmax(q + exponential(2 / eps) for q in queries)


@noise_program(parameters=EPS)
def noisy_max_value(queries: Q, eps: Any) -> Any:
    """M13."""
    noisy = [q + laplace(2 / eps) for q in queries]
    return noisy[argmax(noisy)]


@noise_program(parameters=EPS)
def exponential_noisy_max_value(queries: Q, eps: Any) -> Any:
    """M14."""
    noisy = [q + exponential(2 / eps) for q in queries]
    return noisy[argmax(noisy)]


@noise_program(parameters=EPS)
def gumbel_noisy_max(queries: Q, eps: Any) -> int:
    """M15."""
    return argmax(q + gumbel(2 / eps) for q in queries)


@noise_program(parameters=EPS)
def noisy_max_with_gap(queries: Q, eps: Any) -> tuple[int, Any]:
    """M-gap."""
    noisy = [q + laplace(2 / eps) for q in queries]
    best = argmax(noisy)
    others = noisy[:best] + noisy[best + 1 :]
    return best, noisy[best] - others[argmax(others)]


@noise_program(parameters=EPS)
def two_largest(queries: Q, eps: Any) -> tuple[int, int]:
    """M-top-2."""
    noisy = [q + laplace(4 / eps) for q in queries]
    best = argmax(noisy)
    others = noisy[:best] + noisy[best + 1 :]
    second = argmax(others)
    return best, second + (second >= best)


@noise_program(parameters=EPS, whole=True)
def geometric_noisy_max(queries: Q, eps: Any) -> int:
    """G11."""
    return argmax(q + geometric(2 / eps) for q in queries)


# sparse vector


@noise_program(parameters=EPS_T)
def sparse_vector(queries: Q, eps: Any, T: Any, c: int = 1) -> Iterator[bool]:
    """M17."""
    rho, left = laplace(2 / eps), c
    for q in queries:
        above = q + laplace(4 * c / eps) >= T + rho
        yield above
        left -= above
        if left == 0:
            return


@noise_program(parameters=EPS_T)
def sparse_vector_new_thresholds(queries: Q, eps: Any, T: Any, c: int = 1) -> Iterator[bool]:
    """M18."""
    rho, found = laplace(2 * c / eps), 0
    for q in queries:
        if q + laplace(4 * c / eps) >= T + rho:
            yield True
            rho, found = laplace(2 * c / eps), found + 1
            if found == c:
                return
        else:
            yield False


@noise_program(parameters=EPS_T)
def sparse_vector_with_values(queries: Q, eps: Any, T: Any, c: int = 1) -> Iterator[Any]:
    """M19, which is not private at a constant level."""
    rho, found = laplace(2 / eps), 0
    for q in queries:
        noisy = q + laplace(2 * c / eps)
        if noisy >= T + rho:
            yield noisy
            found += 1
            if found == c:
                return
        else:
            yield False


@noise_program(parameters=EPS_T)
def sparse_vector_too_little_noise(queries: Q, eps: Any, T: Any, c: int = 1) -> Iterator[bool]:
    """M20."""
    rho, found = laplace(4 / eps), 0
    for q in queries:
        if q + laplace(Fraction(4, 3) / eps) >= T + rho:
            yield True
            found += 1
            if found == c:
                return
        else:
            yield False


@noise_program(parameters=EPS_T)
def sparse_vector_exact_queries(queries: Q, eps: Any, T: Any) -> Iterator[bool]:
    """M21."""
    rho = laplace(2 / eps)
    for q in queries:
        yield q >= T + rho


@noise_program(parameters=EPS_T)
def sparse_vector_unlimited(queries: Q, eps: Any, T: Any) -> Iterator[bool]:
    """M22."""
    rho = laplace(2 / eps)
    for q in queries:
        yield q + laplace(2 / eps) >= T + rho


@noise_program(parameters=EPS_T)
def numerical_sparse_vector(queries: Q, eps: Any, T: Any, c: int = 1) -> Iterator[Any]:
    """M24."""
    rho, found = laplace(3 / eps), 0
    for q in queries:
        if q + laplace(6 * c / eps) >= T + rho:
            yield q + laplace(3 * c / eps)
            found += 1
            if found == c:
                return
        else:
            yield 0


@noise_program(parameters=EPS_T)
def gap_sparse_vector(queries: Q, eps: Any, T: Any, c: int = 1) -> Iterator[Any]:
    """M25."""
    rho, found = laplace(2 / eps), 0
    for q in queries:
        gap = q + laplace(4 * c / eps) - (T + rho)
        if gap < 0:
            yield 0
            continue
        yield gap
        found += 1
        if found == c:
            return


@noise_program(parameters=EPS_T)
def adaptive_sparse_vector(
    queries: Q, eps: Any, T: Any, c: int = 1, sigma: int = 16, gaps: bool = True
) -> Iterator[Any]:
    """M27, and M28 which releases values instead of gaps."""
    rho, spent = laplace(2 / eps), eps / 2
    for q in queries:
        if spent > eps - eps / (2 * c):
            return
        top = q + laplace(8 * c / eps) - (T + rho)
        if top >= sigma:
            yield ("top", top if gaps else top + (T + rho))
            spent = spent + eps / (4 * c)
        else:
            middle = q + laplace(4 * c / eps) - (T + rho)
            if middle >= 0:
                yield ("middle", middle)
                spent = spent + eps / (2 * c)
            else:
                yield 0


@noise_program(parameters=EPS_T)
def monotone_sparse_vector(queries: Q, eps: Any, T: Any, c: int = 1) -> Iterator[bool]:
    """M29."""
    rho, found = laplace(2 / eps), 0
    for q in queries:
        if q + laplace(2 * c / eps) >= T + rho:
            yield True
            found += 1
            if found == c:
                return
        else:
            yield False


@noise_program(parameters=EPS_T, whole=True)
def geometric_sparse_vector(queries: Q, eps: Any, T: Any, c: int = 1) -> Iterator[bool]:
    """G17."""
    rho, found = geometric(2 / eps), 0
    for q in queries:
        if q + geometric(4 * c / eps) >= T + rho:
            yield True
            found += 1
            if found == c:
                return
        else:
            yield False
