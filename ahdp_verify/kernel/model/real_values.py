"""The local model over intervals and boxes: the input is any real value v (or v[1], v[2], ...) of
one person that satisfies a condition, and any two of these are neighbours.

    c(v, t) and c(w, t) imply p(s; v) <= exp(L(v, w)) p(s; w)
    ---------------------------------------------------------
    p is private at level L between any two values for which c holds

v, w    the values of one person and of another (`other` in a level), free names in the proof
c       the condition, in the values and the parameters t;  L in nats

One obligation stands for all ordered pairs, so the inverse of a move is a move.  A counterexample
gives two numbers, which have to satisfy the condition and to differ.

>>> unit = RealValues({"v": "-1 <= v <= 1"})
>>> unit.bound, sorted(unit.pair_names), unit == RealValues.from_json(unit.to_json())
(('v',), ['other', 'v'], True)
>>> [str(c) for _, c in RealValues({"v[2]": "v[1]^2 + v[2]^2 <= 1"}).conditions][:1]
['v[1]^2 + v[2]^2 <= 1']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import Inputs, neighbour_name
from ahdp_verify.kernel.model.neighbours import Move, Nodes, assume_all
from ahdp_verify.kernel.model.replacements import Parts, State, level_of_pair
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.terms.expression import Expression, name, oo, substitute

EMPTY = Context.empty()


@dataclass(frozen=True, slots=True, init=False)
class RealValues(Inputs):
    """The input is one person's value, any numbers v (or v[1], v[2], ...) that satisfy the
    `conditions`, which may mention parameters of the mechanism.

    A condition is a text or an expression, "" for none; "v[2]" declares two parts, and its
    condition refers to each part as v, or to both as v[1] and v[2].  Raises BadInput for any other
    name.
    """

    conditions: NamedConditions
    relations, noun, cure = ("any",), "values", "use any for single values"
    where, keys = "values", {"conditions": "reals"}

    def __init__(self, conditions: Mapping[str, object] | NamedConditions) -> None:
        known = isinstance(conditions, Mapping | tuple)
        named = reading.declared_conditions(conditions, "value") if known else ()
        if {reading.split_name(key, "value")[0] for key, _ in named} != {"v"}:
            raise BadInput(
                "values",
                "the value of one person is not called v",
                'write for example {"v": "-1 <= v <= 1"}, or {"v[2]": "0 <= v <= 1"} for two parts',
            )
        reading.check_names((key for key, _ in named), "values")
        reading.set_fields(self, conditions=named)

    @property
    def bound(self) -> tuple[str, ...]:
        """The names that stand for the value."""
        return tuple(key for key, _ in self.conditions)

    def check_parameters(self, parameters: Iterable[str]) -> None:
        """BadInput for a condition that mentions anything but the value and parameters."""
        reading.check_conditions(self.conditions, (*self.bound, *parameters), "value")

    def states(self, m: Any, here: Context) -> Iterator[State]:
        """One for all values."""
        yield "all inputs", {}, assume_all((*(c for _, c in self.conditions), m.defined), here)

    def moves(self, claim: Any, here: Context) -> Iterator[Move]:
        """One for all pairs; none if every level is oo."""
        to = {key: name(neighbour_name(key)) for key in self.bound}
        known = [c for _, c in self.conditions]
        both = (*known, *(substitute(c, to) for c in known))
        after = {name(key): e for key, e in to.items()}
        gaps = tuple(e - v for v, e in after.items())
        if claim.level != oo:
            yield Move("replace v by other", {}, after, both, frozenset(), claim.level, gaps)

    def nodes(self, m: Any, side: Parts, given: Mapping[str, Expression]) -> Nodes:
        """The value of v, or of its parts, as many as there are; Rejected unless the conditions
        hold.
        """
        at = dict(zip(self.bound, side, strict=True))
        for _, condition in self.conditions:
            if not truth(substitute(condition, {**given, **at}), EMPTY):
                raise Rejected(f"the input does not satisfy {condition}")
        return {name(key): e for key, e in at.items()}

    def level_between(
        self, relation: str, level: Expression, before: Parts, after: Parts
    ) -> Expression:
        """The level at v and other; Rejected for two values that are not known to differ."""
        gaps = [normal(b - a, EMPTY) for a, b in zip(before, after, strict=True)]
        if not any(constant_sign(g) in (1, -1) for g in gaps):
            raise Rejected("the two values are not known to differ")
        return level_of_pair(self, level, before, after)
