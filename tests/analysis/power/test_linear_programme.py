"""The modules that propose optima (kernels, vertex, face, highs, programme, pieces): that the
proposals are true is tested where the checker decides; here they meet wrong bases and degenerate
programmes, and their exact vertices are the solutions of their equations.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import BadInput, Domain, Proved, best_power, extra_records
from ahdp_verify.analysis.power import best as module
from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power import parametric as pieces
from ahdp_verify.analysis.power import these
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.exact_vertex import Dual, Primal, at_basis, primal, solve_exactly
from ahdp_verify.analysis.power.highs import float_basis, float_solution
from ahdp_verify.analysis.power.structure import (
    distances,
    programme_of_claim,
    programme_of_test,
    symmetries,
    symmetry_classes,
)
from ahdp_verify.analysis.power.variable import variable_of
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms.expression import log, name
from tests.minmax import all_near, best, domain, exact, extra, naming
from tests.sweeps import swept

F = Fraction


def claim(qs: tuple[str, ...], t: int) -> BestClaim:
    rows = extra(len(qs), t)
    return best_claim(
        domain(*qs), rows, [str(r) for r in rows], [[(i, i, 1)] for i in range(len(rows))], 0
    )


def value(low: Primal, qs: tuple[str, ...], t: int) -> Fraction:
    """The least aim of a kernel, once it is private by the definition."""
    rows = extra(len(qs), t)
    near = all_near(rows, list(map(F, qs)))
    assert all(sum(row) == 1 and min(row) >= 0 for row in low.kernel)
    assert all(
        near[i, j] * a <= b
        for i, j in near
        for a, b in zip(low.kernel[i], low.kernel[j], strict=True)
    )
    return min(row[i] for i, row in enumerate(low.kernel))


@pytest.mark.parametrize(
    ("qs", "t"),
    [
        (("1/2",), 3),
        (("1/2", "1/3"), 2),
        (("1/2", "1/2"), 2),
        (("1/10",) * 3, 2),
        (("0", "1/2"), 2),
        (("1", "1/2"), 2),
    ],
)
def test_what_is_found_is_feasible_and_meets(qs: tuple[str, ...], t: int) -> None:
    found = programme.solve_best_claim(claim(qs, t))
    assert found.exact and found.low is not None and found.high is not None
    assert value(found.low, qs, t) == found.low.value == found.high.value == sum(found.high.prices)


@pytest.mark.parametrize("seed", swept(range(10), 4))
def test_any_basis_gives_true_bounds_or_nothing(seed: int) -> None:
    """Bases drawn at random, and the right one with entries flipped: a primal is private and
    below the optimum, a dual proves a bound that the checker accepts.
    """
    rng, qs, t = random.Random(seed), ("1/2", "1/3"), 1
    of = claim(qs, t)
    p, variable = programme_of_claim(of)
    right = float_basis(p, 1.0, "simplex")
    assert right is not None
    for flips in range(6):
        basis = tuple([entry ^ (rng.random() < flips / 10) for entry in part] for part in right)
        low, high = at_basis(p, basis)  # type: ignore[arg-type]
        if low is not None:
            assert value(low, qs, t) == low.value <= F(6, 11)
        if high is not None:
            said = replace(of, value=variable.tree(high.value), bound="<=")
            assert high.value >= F(6, 11) and isinstance(
                check(
                    said,
                    programme.optimum_certificate(
                        said, programme.PrimalDual(None, high, variable), None, high
                    ),
                ),
                Proved,
            )
        assert flips or (
            low is not None and high is not None and low.value == high.value == F(6, 11)
        )


def test_mechanisms_that_are_not_private_are_not_a_primal() -> None:
    p, _ = programme_of_claim(claim(("1/2",), 1))
    assert primal(p, [F(1), F(0)] if p.count == 2 else [F(1), F(0), F(0), F(1)]) is None
    assert primal(p, [F(-1)] * p.count) is None


@pytest.mark.parametrize(
    ("qs", "t"),
    [
        (("1/2", "1/2"), 2),
        (("1/2", "1/2", "1/2"), 2),
        (("1/2", "1/3"), 2),
        (("1/2", "1/3", "1/2"), 1),
    ],
)
def test_symmetries_are_symmetries(qs: tuple[str, ...], t: int) -> None:
    """Each carries rows at a distance into rows at that distance, and the aim of a row into that
    of its image; equal demands have some.
    """
    of = claim(qs, t)
    rows, numbers = extra(len(qs), t), list(map(F, qs))
    aims = [[(r, u, F(1)) for r, u, _ in aim] for aim in of.aims]
    found = list(symmetries(of, aims))
    assert len(found) == sum(a == b for a, b in itertools.combinations(qs, 2))
    near = all_near(rows, numbers)
    for carried, columns in found:
        assert sorted(carried) == sorted(columns) == list(range(len(rows)))
        assert all(near[i, j] == near[carried[i], carried[j]] for i, j in near) and all(
            columns[i] == carried[i] for i in range(len(rows))
        )
    count = symmetry_classes(of, aims, *distances(of, variable_of(of, [])))[1]
    orbits = {frozenset(((i, u),)) for i in range(len(rows)) for u in range(len(rows))}
    for carried, columns in found * 4:
        orbits = merged(orbits, carried, columns)
    assert count == len(orbits)


def merged(orbits: Any, carried: list[int], columns: list[int]) -> Any:
    place = {x: orbit for orbit in orbits for x in orbit}
    for i, u in list(place):
        joined = place[i, u] | place[carried[i], columns[u]]
        place |= dict.fromkeys(joined, joined)
    return set(place.values())


@pytest.mark.parametrize("seed", swept(range(5), 2))
def test_systems_are_solved_exactly(seed: int) -> None:
    rng = random.Random(seed)
    matrix = [[F(rng.randint(-4, 4), rng.randint(1, 5)) for _ in range(5)] for _ in range(5)]
    solution = [F(rng.randint(-9, 9), 7) for _ in range(5)]
    right = [sum((a * x for a, x in zip(row, solution, strict=True)), F(0)) for row in matrix]
    found = solve_exactly(matrix, right)
    assert found is None or found == solution
    assert (
        solve_exactly([*matrix[:4], matrix[0]], right) is None
        and solve_exactly([row[:4] for row in matrix], right) is None
    )


def test_the_best_test_is_near_that_of_floats() -> None:
    kernel, prior = float_solution(
        programme_of_test([[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], [0, 1], 2)
    )  # type: ignore[misc]
    assert (
        abs(sum(prior) - 1) < 1e-6 and abs(kernel[0][0] - 1) < 1e-6 and abs(kernel[1][1] - 1) < 1e-6
    )


def test_the_ball_bound_is_that_of_the_definition() -> None:
    """S3: the least of 1 over the sum of closeness to all hypotheses, here with q = (1/2, 1/3),
    t = 3.
    """
    of = claim(("1/2", "1/3"), 3)
    p, variable = programme_of_claim(of)
    high = programme.ball_bound_dual(p, of, variable)
    rows = extra(2, 3)
    near = all_near(rows, [F(1, 2), F(1, 3)]) | {(i, i): F(1) for i in range(len(rows))}
    assert isinstance(high, Dual) and high.value == min(
        1 / sum(near[v, u] for u in range(len(rows))) for v in range(len(rows))
    )
    loss = replace(of, aims=(((0, 0, log(2)), (1, 1, log(2))),))
    assert (
        programme.ball_bound_dual(programme_of_claim(of)[0], of, variable) is not None
        and loss != of
    )


def test_bounds_without_an_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no kernel is found, the answer is the bound alone, and says so; where nothing is
    found but a kernel, the kernel alone.
    """
    real = programme.solve_best_claim

    def half(which: str) -> Any:
        return lambda of, report=None: replace(real(of), **{which: None})

    for missing, word, kept in (("low", "at most", "bound"), ("high", "at least", "attained")):
        monkeypatch.setattr(module.programme, "solve_best_claim", half(missing))
        found = best_power(domain("1/2", "1/3"), extra_records(1))
        (verdict,) = found.verdicts
        assert (
            not found.exact
            and not found.extends
            and f"{word} 6/11" in str(verdict)
            and exact(getattr(found, kept)) == F(6, 11)
        )
        with pytest.raises(NotWorkedOut, match="its value is not known"):
            _ = found.value
        with pytest.raises(NotWorkedOut, match="only bounds are known"):
            found.save("nowhere.json")
    with pytest.raises((BadInput, NotWorkedOut), match="none was found"):
        monkeypatch.setattr(module.programme, "solve_best_claim", half("low"))
        _ = best_power(domain("1/2"), extra_records(1)).mechanism


def test_a_formula_needs_a_formula() -> None:
    with pytest.raises(NotWorkedOut, match="no formula was found"):
        pieces.proved_on_interval(
            claim(("1/2",), 1), programme.solve_best_claim(claim(("1/2",), 1))
        )


def test_pieces_cover_what_they_say() -> None:
    """k = 3, t = 2: no gap wider than 10^-4 between eps = 0 and the last piece, which has no
    upper end; all below log 3 have one formula (S3).
    """
    W = Domain([(c, name("eps")) for c in "abc"])
    rows = extra(3, 2)
    of = best_claim(
        W,
        rows,
        list(map(str, rows)),
        [[(i, i, 1)] for i in range(len(rows))],
        0,
        parameters={"eps": "0 < eps < 2"},
    )
    found = pieces.formulas(of)
    assert [str(v.claim.value) for _, _, v in found][-1].startswith("(3 - exp(-eps))")  # type: ignore[union-attr]
    assert len({str(v.claim.value) for _, _, v in found}) == 2  # type: ignore[union-attr]


def test_degenerate_hypotheses() -> None:
    """Rows at distance 0 are one row: with q = (1, 1/2), datasets that differ by free records
    cannot be told apart at all.
    """
    rows = [(0, 0), (1, 0), (2, 0), (0, 1), (3, 1)]
    aims, width = naming(rows)
    assert exact(best_power(domain("1", "1/2"), these(rows)).value) == best(
        rows, width, all_near(rows, [F(1), F(1, 2)]), aims
    )
