"""Inequalities in unknown numbers, and arguments for them: chains of claimed steps.

An `Inequality` compares two expressions for all values of its unknowns that satisfy their
conditions. An `Argument` adds the steps by which it is claimed to follow; whether the statement is
true and whether the argument shows it are two questions.  A step may name the facts that its author
used, and a step may be cited mathematics, which is not checked here.

>>> y = Inequality.of({"y": "0 <= y", "t": "y < t"}, "exp(-y)", ">=", "exp(-t)", name="order")
>>> print(y, len(y.gaps), Inequality.from_json(y.to_json()) == y)
order: exp(-y) >= exp(-t) 1 True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.declarations import NamedConditions, exact_expression
from ahdp_verify.kernel.model.mechanism import NUMBER, NameScope, check_kind
from ahdp_verify.kernel.model.neighbours import parameter_context
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.terms.expression import (
    Expression,
    add,
    from_json,
    names,
    negative,
    substitute,
    to_json,
    walk,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name

COMPARISONS = ("<=", "<", "==", ">=", ">")


UnknownValues = tuple[tuple[str, Expression], ...]


def checked_values(
    values: UnknownValues, named: NamedConditions, more: Iterable[Expression] = ()
) -> dict[str, Expression]:
    """The values by name, which are constants, one for each name in order, and satisfy all its
    conditions and more; Rejected otherwise.
    """
    given = dict(values)
    if [key for key, _ in values] != [key for key, _ in named]:
        raise Rejected("the values are not those of the unknowns or parameters")
    for value in given.values():
        if names(value):
            raise Rejected(f"the value {value} is not a constant")
        reading.canonical_constant(value, "value")
    for condition in (*(c for _, c in named), *more):
        if not truth(substitute(condition, given), Context.empty()):
            raise Rejected(f"the condition {condition} does not hold")
    return given


@dataclass(frozen=True, slots=True)
class Inequality(Canonical):
    """left `relation` right (<=, <, ==, >= or >) for all real values of the unknowns in
    `parameters` that satisfy their conditions.
    """

    parameters: NamedConditions
    left: Expression
    relation: str
    right: Expression
    name: str = ""

    where = "inequality"

    def __post_init__(self) -> None:
        listed = [key for key, _ in self.parameters]
        reading.check_names(listed, "unknowns")
        reading.check_conditions(self.parameters, listed, "unknown")
        if self.relation not in COMPARISONS:
            raise BadInput(
                "relation",
                f"{str(self.relation)[:20]!r} is not a relation",
                "use " + ", ".join(COMPARISONS),
            )
        if not isinstance(self.name, str):
            raise BadInput("name", f"{str(self.name)[:20]!r} is not a string", "give a text")
        scope = NameScope(self.name or "inequality", frozenset(listed), frozenset(), {})
        for side in (self.left, self.right):
            check_kind(side, (NUMBER,), scope)
            if any(node.head in ("sum", "maximum", "minimum") for node in walk(side)):
                raise BadInput(
                    scope.where,
                    f"{str(side)[:60]} refers to records",
                    "write a statement about numbers",
                )

    @classmethod
    def of(
        cls,
        parameters: Mapping[str, object],
        left: object,
        relation: str,
        right: object,
        *,
        name: str = "",
    ) -> Inequality:
        """The inequality of texts or expressions; conditions of unknowns are "" for none.  Raises
        BadInput for malformed input.
        """
        sides = [
            parse(side, what) if isinstance(side, str) else exact_expression(side, what)
            for side, what in ((left, "left"), (right, "right"))
        ]
        return cls(
            reading.declared_conditions(parameters, "unknown"), sides[0], relation, sides[1], name
        )

    @property
    def here(self) -> Context:
        """The context given by the conditions."""
        return parameter_context(self.parameters)

    @property
    def gaps(self) -> tuple[Expression, ...]:
        """What has to be >= 0, or > 0 for a strict statement; for an equation both differences."""
        gap = (
            add(self.right, negative(self.left))
            if self.relation in ("<=", "<", "==")
            else add(self.left, negative(self.right))
        )
        return (gap, add(self.left, negative(self.right))) if self.relation == "==" else (gap,)

    @property
    def tasks(self) -> tuple[tuple[Context, Expression], ...]:
        """The gaps, each with what is known there."""
        return tuple((self.here, gap) for gap in self.gaps)

    @property
    def strict(self) -> bool:
        """True for < and >."""
        return self.relation in ("<", ">")

    def sides_at(self, values: UnknownValues) -> tuple[Ratio, Ratio]:
        """Both sides at the values of all unknowns, which satisfy all conditions; Rejected
        otherwise.
        """
        given = checked_values(values, self.parameters)
        left, right = (substitute(side, given) for side in (self.left, self.right))
        return normal(left, Context.empty()), normal(right, Context.empty())

    def __str__(self) -> str:
        said = f"{self.left} {self.relation} {self.right}"
        return f"{display_name(self.name)}: {said}" if self.name else said

    def to_json(self) -> Any:
        """The canonical JSON, distinguished from that of a claim by the key "inequality"."""
        return {
            "inequality": [to_json(self.left), self.relation, to_json(self.right)],
            "parameters": reading.named_to_json(self.parameters),
            "name": self.name,
        }

    @classmethod
    def of_json(cls, data: Any) -> Inequality:
        """The statement of JSON that may not be canonical."""
        left, relation, right = data["inequality"]
        named = reading.named_from_json(data["parameters"])
        return cls(named, from_json(left), relation, from_json(right), data["name"])
