"""The time that optima take, exact primal and dual together, beside HiGHS alone (the faster of its
simplex and interior point methods), and beside Z3's optimiser on the sizes that it can solve.

Z3 is given the same programme without symmetries: all neighbouring rows, over the rationals.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from row import Row, measured

from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.best import best_power, power_claim, signed_value
from ahdp_verify.analysis.power.highs import float_basis
from ahdp_verify.analysis.power.structure import programme_of_claim
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.kernel.errors import OutOfLimits
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.rules.best_power import BestClaim, neighbouring_rows
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.search.limits import Limits

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


def asked_z3(factors: tuple[int, ...], t: int) -> tuple[float, str]:
    """The seconds that Z3 takes for its value, all that it was given if it ends without one, and
    the value.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        run = subprocess.run(
            [sys.executable, __file__, json.dumps([factors, t])],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        said = run.stdout.strip()
    except subprocess.TimeoutExpired:
        said = "none"
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, said


def everywhere(k: int, t: int) -> str:
    """The power of mechanisms that are private on all datasets, k records with different
    demands.
    """
    domain = Domain([(i, log(2 + i)) for i in range(k)])
    found = best_power(domain, extra_records(t), everywhere=True, limits=Limits(seconds=120))
    return str(found.value)


def attempted(action: Callable[[], str]) -> str:
    """The answer, or that there is none."""
    try:
        return action()
    except OutOfLimits:
        return "none in 120 s"


def rows() -> Iterator[Row]:
    """Plain optima beside HiGHS and Z3, then optima over mechanisms that are private everywhere."""
    for factors, t in SIZES:
        claim = claim_of(factors, t)
        found = programme.solve_best_claim(claim)
        value = str(signed_value(claim, found, found.low)) if found.low else "none"
        said = value if found.exact else f"at least {value}"
        what = f"power, k={len(factors)}, t={t}, q = {', '.join(f'1/{f}' for f in factors)}"
        ours, _ = measured(partial(programme.solve_best_claim, claim))
        p, _ = programme_of_claim(claim)
        alone = min(
            measured(partial(float_basis, p, 1.0, solver))[0] for solver in ("simplex", "ipm")
        )
        yield Row(what, said, ours, "HiGHS alone", alone, "2 x")
        if len(claim.rows) <= FOR_Z3:
            z3_time, z3_said = asked_z3(factors, t)
            agrees = said if z3_said in (value, "none") else f"{said}, BUT Z3 SAYS {z3_said}"
            yield Row(f"{what}, beside Z3", agrees, ours, "Z3's optimiser", z3_time)
    for k, t in ((3, 3), (5, 2), (4, 3), (3, 5), (2, 12)):
        ours, answer = measured(partial(attempted, partial(everywhere, k, t)), 1)
        yield Row(f"power everywhere, k={k}, t={t}", answer, ours, aim="5")


if __name__ == "__main__":
    factors, t = json.loads(sys.argv[1])
    print(z3_value(claim_of(tuple(factors), t)))
