"""A mechanism that attains a known value, of which only a few columns are free.

In every other column the probabilities fall off from the aim as fast as privacy allows: K(D, u) =
value * exp(-distance of D and the dataset of u). That is private whatever the value, and leaves
1 - sum of these for the free columns of row D. Near the rows that carry the price of the dual
little is left, so the columns whose aims are nearest to them are freed first, twice as many each
time.

Against at most t extra records, with q = 1/2, 1/3, ...: 2 free columns of 21 are enough for 5
values and t = 2, 7 of 35 for 4 values and t = 3, 3 of 56 for 3 values and t = 5, 11 to 13 of 91 for
2 values and t = 12.
"""

from __future__ import annotations

from dataclasses import replace

from ahdp_verify.analysis.power.exact_vertex import Dual, Primal
from ahdp_verify.analysis.power.optimal_face import kernel_in_face
from ahdp_verify.analysis.power.structure import Programme

FIRST = 8  # free columns at first
EQUAL = 1e-9  # difference of two logarithms of distances below which they are taken to be equal


def kernel_with_few_columns(p: Programme, high: Dual) -> Primal | None:
    """A mechanism whose least aim is the value of a dual; None if none was found with at most
    two thirds of the columns free, or if an aim is more than one probability of weight 1.
    """
    if any(len(goal) != 1 or goal[0][1] != 1 for goal in p.goals):
        return None
    order, steps = columns_by_nearness(p, high), steps_from_aims(p)
    count = FIRST
    while 3 * count <= 2 * len(order):
        free = {u for listed in order[:count] for u in listed}
        fixed = {p.of[i][u] for listed in order[count:] for u in listed for i in range(len(p.of))}
        if found := kernel_in_face(
            p,
            replace(
                high,
                flows=tuple(flow if u in free else () for u, flow in enumerate(high.flows)),
            ),
            {e for v, e in steps.items() if v in fixed},
            fixed,
        ):
            return found
        count *= 2
    return None


def columns_by_nearness(p: Programme, high: Dual) -> list[list[int]]:
    """The columns that have an aim, in groups that symmetries carry into each other; those with the
    aim nearest to a row that has a price come first.
    """
    group: dict[int, int] = {}  # of a variable, the first column that holds it
    columns: dict[int, list[int]] = {}
    for u in range(p.width):
        first = min((group.setdefault(row[u], u) for row in p.of), default=u)
        columns.setdefault(first, []).append(u)
    priced = [row for row, price in zip(p.of, high.prices, strict=True) if price]
    return sorted(
        columns.values(),
        key=lambda listed: -max(p.scale[row[u]] for u in listed for row in priced),
    )


def steps_from_aims(p: Programme) -> dict[int, int]:
    """For each variable but the aims the inequality of the last step of a shortest way from an aim
    of its column.
    """
    found: dict[int, int] = {}
    for e, (a, b, c) in enumerate(p.edges):
        if a != b and abs(p.scale[b] - p.logs[c] - p.scale[a]) < EQUAL:
            found.setdefault(a, e)
    return found
