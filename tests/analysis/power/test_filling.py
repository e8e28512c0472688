"""Mechanisms that are found without a solver: they are private by the definition and attain the
optimum, which Z3 finds independently from the whole programme.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.best import power_claim
from ahdp_verify.analysis.power.exact_vertex import Dual, Primal, at_basis
from ahdp_verify.analysis.power.filling import kernel_by_filling
from ahdp_verify.analysis.power.highs import float_basis
from ahdp_verify.analysis.power.structure import programme_of_claim
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms.expression import name
from tests.minmax import all_near, best, domain, extra
from tests.sweeps import swept

F = Fraction


def filled(qs: tuple[str, ...], t: int) -> tuple[BestClaim, Dual, Primal | None]:
    """The claim on the hypotheses, the dual of the ball bound, and what is found by filling."""
    return of_domain(domain(*qs), t, {})


def of_domain(
    inputs: Domain, t: int, parameters: dict[str, str]
) -> tuple[BestClaim, Dual, Primal | None]:
    """The same for a domain."""
    claim, _, _ = power_claim(inputs, extra_records(t), "ahdp", None, parameters, everywhere=False)
    p, variable = programme_of_claim(claim)
    high = programme.ball_bound_dual(p, claim, variable)
    assert high is not None
    return claim, high, kernel_by_filling(p, high)


def is_private(low: Primal, claim: BestClaim, qs: tuple[str, ...]) -> bool:
    """The definition, in fractions, on all pairs of hypotheses."""
    near = all_near(claim.rows, list(map(F, qs)))
    return all(sum(row) == 1 and min(row) >= 0 for row in low.kernel) and all(
        near[i, j] * a <= b
        for i, j in near
        for a, b in zip(low.kernel[i], low.kernel[j], strict=True)
    )


@pytest.mark.parametrize(
    ("qs", "t"),
    [
        (("1/2",), 3),
        (("1/2", "1/2"), 1),
        (("1/2", "1/2"), 2),
        (("1/2", "1/2"), 3),
        (("1/2", "1/3"), 2),
        (("1/2", "1/2", "1/2"), 1),
        (("1/2", "1/2", "1/2"), 2),
        (("1/2", "1/3", "1/4"), 2),
        (("0", "1/2"), 2),
        (("1/101", "1/102"), 4),
    ],
)
def test_a_filled_mechanism_is_private_and_attains_the_optimum(qs: tuple[str, ...], t: int) -> None:
    claim, high, low = filled(qs, t)
    assert low is not None and is_private(low, claim, qs)
    assert min(low.kernel[r][u] for ((r, u, _),) in claim.aims) == low.value == high.value
    rows = extra(len(qs), t)
    if len(rows) <= 10:
        aims = [[(i, i, F(1))] for i in range(len(rows))]
        assert low.value == best(rows, len(rows), all_near(rows, list(map(F, qs))), aims)


@pytest.mark.parametrize("seed", swept(range(40), 8))
def test_what_is_filled_is_right_or_nothing(seed: int) -> None:
    rng = random.Random(seed)
    qs = tuple(f"{rng.randint(1, 9)}/{rng.randint(10, 12)}" for _ in range(rng.randint(1, 3)))
    t = rng.randint(1, 4 if len(qs) < 3 else 3)
    claim, high, low = filled(qs, t)
    if low is not None:
        assert is_private(low, claim, qs)
        assert min(low.kernel[r][u] for ((r, u, _),) in claim.aims) == high.value


def test_rows_that_cannot_be_filled() -> None:
    """With q = 1/10 three times and t = 2 no mechanism attains the ball bound; with q = 1/2 twice
    and t = 5 one does (the whole programme finds it), but not by filling.
    """
    assert filled(("1/10",) * 3, 2)[2] is None
    claim, high, low = filled(("1/2", "1/2"), 5)
    assert low is None
    found = programme.solve_best_claim(claim)
    assert found.exact and found.low is not None and found.low.value == high.value


def test_functions_are_left_to_other_ways() -> None:
    W = Domain([(c, name("eps")) for c in "ab"])
    assert of_domain(W, 2, {"eps": "0 < eps < 2"})[2] is None


def test_no_dual_is_worked_out_for_a_bound_that_is_attained() -> None:
    """Where filling fails, the basis of HiGHS only has to give the mechanism."""
    claim, high, _ = filled(("1/2", "1/2"), 5)
    p, _ = programme_of_claim(claim)
    basis = float_basis(p, 1.0, "simplex")
    assert basis is not None
    (low, other), (again, dual) = at_basis(p, basis), at_basis(p, basis, high.value)
    assert low is not None and low == again and low.value == high.value
    assert other is not None and other.value == high.value and dual is None
    assert is_private(low, claim, ("1/2", "1/2"))
