"""The possible values of the names of a formula: listed values, any number, or both.

The parts of a listed record, the value of one person and the values of a finite output are listed;
a real output with atoms such as "NULL" may be a number or such an atom.

>>> from ahdp_verify.kernel.terms.expression import label
>>> found = Alternatives.of([label("red"), label("blue")])
>>> print(sorted(found.labels), found.is_label, found.numbers)
['blue', 'red'] True False
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ahdp_verify.kernel.terms.expression import AGGREGATES, Expression, walk


@dataclass(frozen=True, slots=True)
class Alternatives:
    """The possible values of a name or a formula: `values`, and any number if `numbers`; the other
    fields are the values with which it may be compared.

    Those are its own, by kind, and those of the parts of its vector that are of the same kind.
    """

    values: tuple[Expression, ...]
    numbers: bool
    is_label: bool
    labels: frozenset[str]
    rationals: frozenset[object]
    others: frozenset[Expression]

    @classmethod
    def of(
        cls, values: Iterable[Expression], *, numbers: bool = False, akin: Iterable[Expression] = ()
    ) -> Alternatives:
        """The choice among values, and all numbers if `numbers`; it may be compared with `akin`
        too.
        """
        listed = tuple(dict.fromkeys(values))
        asked = frozenset((*listed, *akin))
        labels, rationals = (
            frozenset(v.args[0] for v in asked if v.head == head) for head in ("label", "number")
        )
        is_label = bool(listed) and not numbers and all(v.head == "label" for v in listed)
        return cls(
            listed,
            numbers,
            is_label,
            labels,
            rationals,
            frozenset(v for v in asked if v.head not in ("label", "number")),
        )


ANY = Alternatives.of((), numbers=True)


Choices = Mapping[str, Alternatives]


def alternatives(columns: Mapping[str, Sequence[Expression]]) -> dict[str, Alternatives]:
    """The possible values of the parts of vectors, from the values of each; parts that share a
    value are of one kind, so that one formula may serve them all.

    So x[2] may be compared with a number or label that only x[1] has, as in a product over all
    parts, if the two have another value in common.
    """
    sets = {key: frozenset(values) for key, values in columns.items()}
    different = frozenset(sets.values())
    akin = {
        one: frozenset().union(*(other for other in different if one & other)) for one in different
    }
    return {key: Alternatives.of(values, akin=akin[sets[key]]) for key, values in columns.items()}


def shortened_text(e: Expression) -> str:
    """The text of `e`, cut where it is long."""
    text = str(e)
    return text if len(text) <= 80 else text[:77] + "..."


def _alternatives_of_side(e: Expression, choices: Choices) -> Alternatives:
    """The possible values of one side of a comparison."""
    if e.head in ("label", "number", "oo", "pi"):
        return Alternatives.of((e,))
    if e.head == "name":
        return choices.get(e.args[0], ANY)
    if e.head == "index":  # a part of a vector, which one is not known here
        parts = [c for key, c in choices.items() if key.partition("[")[0] == e.args[0].args[0]]
        return Alternatives.of(
            (v for c in parts for v in c.values), numbers=not parts or any(c.numbers for c in parts)
        )
    constants = not any(
        node.head in ("name", "index", "piecewise", *AGGREGATES) for node in walk(e)
    )
    return Alternatives.of((e,)) if constants else ANY
