"""The time that optima take: HiGHS alone, the exact primal and dual (with HiGHS), the checker, and
Z3's optimiser on the sizes that it can solve.

Z3 is given the same programme without symmetries: all neighbouring rows, over the rationals.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.best import power_claim, signed_value
from ahdp_verify.analysis.power.highs import float_basis
from ahdp_verify.analysis.power.structure import programme_of_claim
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.rules.best_power import BestClaim, neighbouring_rows
from ahdp_verify.kernel.terms.expression import log

RUNS = 3
PATIENCE = 60  # limit for Z3, in seconds
SIZES = (
    ((2, 2), 1),
    ((2, 2), 2),
    ((2, 2), 3),
    ((2, 2), 5),
    ((2, 3), 5),
    ((2, 2, 2), 1),
    ((2, 2, 2), 2),
    ((2, 2, 2), 5),
    ((2, 3, 4), 5),
    ((2, 2), 10),
    ((2, 3), 10),
)
FOR_Z3 = 21  # most hypotheses at which Z3 is run


def claim_of(factors: tuple[int, ...], t: int) -> BestClaim:
    """The best power against at most t extra records, with demands log of these factors."""
    return power_claim(
        Domain([(i, log(f)) for i, f in enumerate(factors)]),
        extra_records(t),
        "ahdp",
        None,
        {},
        everywhere=False,
    )[0]


def median(f: Callable[[], object]) -> float:
    """The median of the seconds that a call takes."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        f()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def z3_value(claim: BestClaim) -> str:
    """The optimum that Z3 finds."""
    import z3  # noqa: PLC0415 - in a process of its own

    height, width, costs = len(claim.rows), len(claim.columns), claim.costs()
    K: list[list[Any]] = [[z3.Real(f"k{i}_{u}") for u in range(width)] for i in range(height)]
    value, solver = z3.Real("value"), z3.Optimize()
    for row in K:
        solver.add(z3.Sum(row) == 1, *(k >= 0 for k in row))
    for i, j in neighbouring_rows(claim):
        factor = claim.factor(i, j, costs)
        f = Fraction(factor.as_rational or 0) if factor is not None else Fraction(0)
        solver.add(
            *(
                side
                for a, b in zip(K[i], K[j], strict=True)
                for side in (int(f) * a >= b, int(f) * b >= a)
                if f
            )
        )
    solver.add(*(value <= K[r][u] for ((r, u, _),) in claim.aims))
    goal = solver.maximize(value)
    solver.check()
    return str(solver.upper(goal))


def asked_z3(factors: tuple[int, ...], t: int) -> tuple[str, str]:
    """The seconds that Z3 takes for its value, and the value."""
    start = time.perf_counter()
    try:
        run = subprocess.run(
            [sys.executable, __file__, json.dumps([factors, t])],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return f"> {PATIENCE}", "none"
    return f"{time.perf_counter() - start:.2f}", run.stdout.strip()


def rows() -> Iterator[tuple[str, ...]]:
    """One line of the table for each size."""
    for factors, t in SIZES:
        claim = claim_of(factors, t)
        found = programme.solve_best_claim(claim)
        exact = found.exact and found.low is not None
        said = (
            replace(claim, value=signed_value(claim, found, found.low))
            if exact and found.low is not None
            else claim
        )
        certificate = programme.optimum_certificate(said, found, found.low, found.high)
        alone, whole = (
            median(partial(float_basis, programme_of_claim(claim)[0], 1.0, "simplex")),
            median(partial(programme.solve_best_claim, claim)),
        )
        checked = f"{median(partial(check, said, certificate)):.2f}" if exact else "not exact"
        z3_time, z3_said = (
            asked_z3(factors, t) if len(claim.rows) <= FOR_Z3 else ("not asked", str(said.value))
        )
        agrees = "" if z3_said in (str(said.value), "none") else f" (Z3 DISAGREES: {z3_said})"
        print(
            f"{whole:8.3f} s  k={len(factors)}, t={t}, factors {factors}: {said.value}{agrees}",
            file=sys.stderr,
            flush=True,
        )
        what = f"k={len(factors)}, t={t}, q = {', '.join(f'1/{f}' for f in factors)}"
        yield (
            what,
            str(len(claim.rows)),
            str(said.value) + agrees,
            f"{alone:.3f}",
            f"{whole:.3f}",
            checked,
            z3_time,
        )


def table() -> str:
    """The figures in Markdown."""
    head = (
        "best power",
        "hypotheses",
        "exact value",
        "HiGHS, s",
        "HiGHS and exact, s",
        "checker, s",
        "Z3's optimiser, s",
    )
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ("---",) * len(head), *rows()))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        factors, t = json.loads(sys.argv[1])
        print(z3_value(claim_of(tuple(factors), t)))
    else:
        print(table())
