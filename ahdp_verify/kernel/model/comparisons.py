"""What the names of a formula may be, and which comparisons no value can meet.

A name may be one of listed values (a part of a listed record, the value of one person, a finite
output), or any number, or both (a real output with points of its own such as "NULL").  `a == b` and
`a != b` are refused where a value of one side is never one of the other: labels against numbers,
labels that are listed nowhere, and numbers that none of the listed ones equals.  Formulas that are
no names, labels or constants may be any number.

>>> x = Alternatives.of([ex.label("red"), ex.label("blue")])
>>> check_met(ex.eq(ex.name("x"), ex.label("Red")), {"x": x}, "density")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: density: x == "Red" never holds, since x is "red" or "blue"; did you mean "red"?
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model.declarations import constant
from ahdp_verify.kernel.numbers.ball import sign
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression

NAMED = ("name", "index")
SHOWN = 10  # values that a sentence names


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What a name or a formula may be: one of `values`, or any number if `numbers`; the other
    fields say which values it may be asked for.

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
        """The choice among values, and all numbers if `numbers`; it may be asked for `akin` too."""
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

    def meets(self, other: Alternatives) -> bool:
        """False only if no value of this is one of the other."""
        if (
            self.labels & other.labels
            or self.rationals & other.rationals
            or self.others & other.others
        ):
            return True
        if (self.numbers and not other.is_label) or (other.numbers and not self.is_label):
            return True
        near = [(v, w) for v in self.others for w in other.values] + [
            (w, v) for v in other.others for w in self.values
        ]
        return any(not differ(v, w) for v, w in near)

    def __str__(self) -> str:
        shown = [str(v) for v in self.values[:SHOWN]] + ["a number"] * self.numbers
        if len(self.values) > SHOWN:
            shown.insert(SHOWN, f"one of {len(self.values) - SHOWN} other values")
        return f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else shown[0]


ANY = Alternatives.of((), numbers=True)
Choices = Mapping[str, Alternatives]


def alternatives(columns: Mapping[str, Sequence[Expression]]) -> dict[str, Alternatives]:
    """What the parts of vectors may be, from the values of each; parts that share a value are of
    one kind, and one formula may serve them all.

    So x[2] may be asked for a number or label that x[1] alone has, as in a product over all parts,
    if the two have another one in common.
    """
    sets = {key: frozenset(values) for key, values in columns.items()}
    different = frozenset(sets.values())
    akin = {
        one: frozenset().union(*(other for other in different if one & other)) for one in different
    }
    return {key: Alternatives.of(values, akin=akin[sets[key]]) for key, values in columns.items()}


def differ(a: Expression, b: Expression) -> bool:
    """True only if two constants or labels are known to differ."""
    if "label" in (a.head, b.head) or "oo" in (a.head, b.head):
        return a != b
    try:
        return sign(constant(a, "comparison") - constant(b, "comparison")) in (1, -1)
    except (BadInput, Undecided, Unsupported, ZeroDivisionError):
        return False


def choice_of(e: Expression, choices: Choices) -> Alternatives:
    """What a side of a comparison may be."""
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
        node.head in ("name", "index", "piecewise", *ex.AGGREGATES) for node in ex.walk(e)
    )
    return Alternatives.of((e,)) if constants else ANY


def check_met(e: Expression, choices: Choices, where: str) -> None:
    """BadInput for a == b or a != b where neither side may be what the other is; two constants
    may differ.
    """
    left, right = (choice_of(side, choices) for side in e.args)
    if left.meets(right) or not (
        left.labels or right.labels or any(side.head in NAMED for side in e.args)
    ):
        return
    known = [
        f"{side} is {choice}"
        for side, choice in zip(e.args, (left, right), strict=True)
        if side.head in NAMED
    ]
    if not known:
        known = [
            "these are two labels"
            if left.is_label and right.is_label
            else "one side is a label and the other a number"
        ]
    raise BadInput(
        where,
        f"{in_short(e)} {'never' if e.head == '==' else 'always'} holds, since "
        f"{' and '.join(known)}",
        _cure(e, choices),
    )


def check_all_met(e: Expression, choices: Choices, where: str) -> None:
    """BadInput for the first comparison in `e` that no value can meet."""
    for node in ex.walk(e):
        if node.head in ("==", "!="):
            check_met(node, choices, where)


def in_short(e: Expression) -> str:
    """The text of `e`, cut where it is long."""
    text = str(e)
    return text if len(text) <= 80 else text[:77] + "..."


def _cure(e: Expression, choices: Choices) -> str:
    """What may have been meant by the label of a comparison."""
    words = [side.args[0] for side in e.args if side.head == "label"]
    sides = [
        c for c in (choice_of(side, choices) for side in e.args if side.head != "label") if c.labels
    ]
    if words and sides:
        return did_you_mean(words[0], sides[0].labels)
    elsewhere = sorted(key for key, c in choices.items() if words and words[0] in c.labels)
    if elsewhere:
        return f"{ex.label(words[0])} is a value of {elsewhere[0]}"
    return "compare labels with labels and numbers with numbers"


def did_you_mean(word: str, known: Iterable[str], cure: str = "use one of these values") -> str:
    """The cure for a label that is not among the known ones: the one that looks most like it, or
    `cure`.
    """
    plain = {" ".join(k.split()).casefold(): k for k in sorted(known, reverse=True)}
    close = difflib.get_close_matches(" ".join(word.split()).casefold(), plain, n=1)
    return f"did you mean {ex.label(plain[close[0]])}?" if close else cure
