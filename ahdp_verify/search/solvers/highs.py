"""HiGHS: linear programmes in floats, whose solutions are proposals and are checked exactly.

>>> rows, most = [([(0, 1.0), (1, 1.0)], 1, 1)], [math.inf, math.inf]
>>> found = highs_solution(rows, [0.0, 0.0], most, [1.0, 2.0]).getSolution()
>>> [round(x, 9) for x in found.col_value]
[1.0, 0.0]
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from ahdp_verify.kernel import effort
from ahdp_verify.kernel.errors import Missing

TINY = 1e-12  # HiGHS drops coefficients below this, whatever its options
ConstraintRow = tuple[
    list[tuple[int, float]], float, float
]  # coefficients of variables, least and greatest value of the sum


def load_highs() -> Any:
    """HiGHS; Missing where it is not installed."""
    try:
        import highspy  # noqa: PLC0415 - it is an extra
    except ImportError:
        raise Missing("power", "highspy", "power") from None
    return highspy


def highs_solution(
    rows: list[ConstraintRow],
    low: list[float],
    high: list[float],
    cost: list[float],
    solver: str = "simplex",
    *,
    crossover: bool = True,
    whole: Collection[int] = (),
) -> Any:
    """HiGHS after it has made the cost least, with whole values of the variables in `whole`; None
    where it does not end at an optimum.  Without crossover the interior point method ends inside of
    the optimal face, and does not presolve, since that moves variables to their ends.
    """
    highspy = load_highs()
    import numpy as np  # noqa: PLC0415 - it comes with highspy

    start, index, value = [0], list[int](), list[float]()
    for terms, _, _ in rows:
        kept = [(i, v) for i, v in terms if abs(v) >= TINY]
        index.extend(i for i, _ in kept)
        value.extend(v for _, v in kept)
        start.append(len(index))
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(cost), len(rows)
    model.col_cost_, model.col_lower_, model.col_upper_ = (
        np.array(x, float) for x in (cost, low, high)
    )
    model.row_lower_, model.row_upper_ = (np.array([row[k] for row in rows], float) for k in (1, 2))
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = (
        np.array(start),
        np.array(index),
        np.array(value),
    )
    if whole:
        kinds = highspy.HighsVarType
        model.integrality_ = [
            kinds.kInteger if i in whole else kinds.kContinuous for i in range(len(cost))
        ]
    engine, options = (
        highspy._Highs(),
        highspy.HighsOptions(),
    )  # not Highs(), which prints its name when it is made
    for option, setting in (
        ("output_flag", False),
        ("primal_feasibility_tolerance", 1e-10),
        ("dual_feasibility_tolerance", 1e-10),
        ("small_matrix_value", TINY),
        ("threads", 1),
        ("solver", solver),
        ("run_crossover", "on" if crossover else "off"),
        ("presolve", "choose" if crossover else "off"),
    ):
        setattr(options, option, setting)
    if effort.seconds_left() < math.inf:
        options.time_limit = effort.seconds_left()
    engine.passOptions(options)
    engine.passModel(model)
    engine.run()
    effort.spend(effort.EVERY)
    return engine if engine.getModelStatus() == highspy.HighsModelStatus.kOptimal else None
