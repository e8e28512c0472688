"""A mechanism that attains a known value, found without a solver.

In every column the probabilities first fall off from the aim as fast as privacy allows: K(D, u) =
value * exp(-distance of D and the dataset of u).  That is private, and the ball bound says that no
row is then more than full.  What a row has left is poured into its columns, those first whose aims
are nearest to the rows that carry the price of the dual; in a column into the rows farthest from
its aim first, each up to what its neighbours allow:

    K(D, u) <= exp(distance of D and D') K(D', u)

A larger probability takes no room from its neighbours, so the mechanism stays private, and attains
the value once all rows are full.  That is so for many programmes of up to four extra records, in about a
quarter of the time of HiGHS; where some row cannot be filled, HiGHS finds a mechanism.

>>> from ahdp_verify.analysis.power.best import power_claim
>>> from ahdp_verify.analysis.power.linear_programme import ball_bound_dual
>>> from ahdp_verify.analysis.power.structure import programme_of_claim
>>> from ahdp_verify.analysis.power.threat_models import extra_records
>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import log
>>> W = Domain([("a", log(2))])
>>> claim, _, _ = power_claim(W, extra_records(2), "ahdp", None, {}, everywhere=False)
>>> p, variable = programme_of_claim(claim)
>>> [" ".join(map(str, row)) for row in kernel_by_filling(p, ball_bound_dual(p, claim, variable)).kernel]
['1/2 3/8 1/8', '1/4 1/2 1/4', '1/8 3/8 1/2']
"""

from __future__ import annotations

from ahdp_verify.analysis.power.exact_vertex import Dual, Primal, primal
from ahdp_verify.analysis.power.few_columns import columns_by_nearness
from ahdp_verify.analysis.power.structure import Exact, Programme, to_flint
from ahdp_verify.kernel.effort import spend

SWEEPS = 12  # most times that a column is gone through


def kernel_by_filling(p: Programme, high: Dual) -> Primal | None:
    """A mechanism whose least aim is the value of a dual; None if some row cannot be filled, or if
    some number of the programme is a function.  Every aim must be one probability of weight 1.
    """
    numbers = p.in_flint
    if numbers is p:
        return None
    filling = Filling(numbers, to_flint(high.value))
    for listed in columns_by_nearness(p, high):
        if not any(filling.left):
            break
        filling.fill(dict.fromkeys(row[listed[0]] for row in p.of))
    return None if any(filling.left) else primal(numbers, filling.probabilities)


class Filling:
    """The probability of each class, and what is left of each row."""

    def __init__(self, p: Programme, value: Exact) -> None:
        self.p, self.rows = p, list(p.rows)
        self.place = {v: (i, n) for i, row in enumerate(self.rows) for v, n in row}
        self.near: list[list[tuple[int, Exact]]] = [[] for _ in range(p.count)]
        for a, b, c in p.edges:  # of each two neighbours there are both
            if a != b:
                self.near[a].append((b, p.costs[c]))
        self.probabilities = self._fallen_off(value)
        self.left = [
            p.one - sum((n * self.probabilities[v] for v, n in row), p.zero) for row in self.rows
        ]

    def _fallen_off(self, value: Exact) -> list[Exact]:
        """The probabilities that fall off from the aims as fast as privacy allows."""
        found, scale = [self.p.zero] * self.p.count, self.p.scale
        for ((v, _),) in self.p.goals:
            found[v] = value
        for v in sorted(range(self.p.count), key=lambda v: -scale[v]):
            nearer = [found[a] / cost for a, cost in self.near[v] if scale[a] > scale[v]]
            found[v] = max([found[v], *nearer])
        return found

    def fill(self, column: dict[int, None]) -> None:
        """Pours what is left of the rows into a column."""
        open_ = [v for v in column if self.left[self.place[v][0]]]
        open_.sort(key=lambda v: self.p.scale[v])
        for _ in range(SWEEPS):
            if not any([self._raise(v) for v in open_]):
                return

    def _raise(self, v: int) -> bool:
        """Whether a probability could be made larger, as it is now."""
        row, times = self.place[v]
        spend(len(self.near[v]))
        room = self.left[row] / times
        for a, cost in self.near[v]:
            room = min(room, cost * self.probabilities[a] - self.probabilities[v])
        if room <= 0:
            return False
        self.probabilities[v] += room
        self.left[row] -= times * room
        return True
