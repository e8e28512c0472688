"""Two concrete inputs at which a bound of zCDP, Rényi DP or GDP fails; nothing here is believed.

>>> from ahdp_verify.kernel.evidence.event import Event
>>> from ahdp_verify.kernel.terms.expression import number
>>> pair = Counterexample((), (), (number(0),), (number(1),), Event())
>>> found = NotionCounterexample(number(2), (number(0), number(1)), pair)
>>> NotionCounterexample.from_json(found.to_json()) == found
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.model.declarations import from_canonical
from ahdp_verify.kernel.terms.expression import Expression, from_json, to_json
from ahdp_verify.kernel.terms.stored import from_stored, to_stored


@dataclass(frozen=True, slots=True)
class NotionCounterexample:
    """The divergence of the two inputs at an order exceeds the bound.

    order            larger than 1, or for GDP the threshold t of a test of N(0, 1); None for an
                     event that has probability 0 at `second` only, so that every divergence is
                     infinite, and for normal densities
    points           between which both laws, raised to powers, are sums of exponentials
    counterexample   the inputs `first` and `second`, in this order, and the event
    """

    order: Expression | None
    points: tuple[Expression, ...]
    counterexample: Counterexample

    def to_json(self) -> Any:
        """The exact JSON."""
        return {
            "order": None if self.order is None else to_json(self.order),
            "points": [to_json(p) for p in self.points],
            "counterexample": to_stored(self.counterexample),
        }

    @classmethod
    def from_json(cls, data: Any) -> NotionCounterexample:
        """The counterexample of its JSON; BadInput for anything else."""
        return from_canonical(_read, cls.to_json, data, "counterexample")


def _read(data: Any) -> NotionCounterexample:
    order = None if data["order"] is None else from_json(data["order"])
    points = tuple(from_json(p) for p in data["points"])
    pair = from_stored(Counterexample, data["counterexample"], "counterexample")
    return NotionCounterexample(order, points, pair)
