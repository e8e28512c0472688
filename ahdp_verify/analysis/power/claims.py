"""Claims about optima, from numbers and texts.

>>> W = Domain([("a", "1/3")])
>>> print(best_claim(W, [(0,), (1,)], ["0", "1"], [[(0, 0, 1)], [(1, 1, 1)]], "2/3", bound="<="))
greatest least aim at most 2/3
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms import expression as ex


def best_claim(
    domain: Domain,
    rows: Iterable[Sequence[int]],
    columns: Iterable[str],
    aims: Iterable[Iterable[tuple[int, int, object]]],
    value: object,
    *,
    relation: str = "ahdp",
    level: object = None,
    parameters: Mapping[str, object] | None = None,
    bound: str = "=",
    everywhere: bool = False,
    name: str = "",
    sense: str = "gain",
) -> BestClaim:
    """The claim of numbers and texts; the level defaults to the demand."""
    weights = (((r, u, reading.exact_expression(w, "weight")) for r, u, w in aim) for aim in aims)
    return BestClaim(
        domain,
        relation,
        ex.name("eps") if level is None else reading.exact_expression(level, "level"),
        tuple(map(tuple, rows)),
        tuple(columns),
        tuple(map(tuple, weights)),
        reading.exact_expression(value, "value"),
        bound,
        everywhere,
        reading.declared_conditions(parameters or {}, "parameter"),
        name,
        sense,
    )
