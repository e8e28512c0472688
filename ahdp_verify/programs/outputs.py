"""What a noise program releases, as the items of its tree.

A value that is returned or yielded is released item by item:

    True, False, None      the labels "true", "false" and "none"
    a text                 the label of that text
    an exact number        that number
    a noisy value          that number
    a tuple or a list      its parts in order, so ("top", gap) is the label "top", then a number

The outputs of a program may not be told apart by their shape alone, since the items would not show
it: (1, (2, 3)) and ((1, 2), 3) are refused together, as are values of which one reads like the
beginning of another in a loop over any number of queries.

>>> print(*shown_items(flattened(("top", [True, 3]), None)))
"top" "true" 3
>>> shape_of(("top", [True, 3]))
('"top"', ('"true"', '#'))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.declarations import check_label
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.terms.expression import Arithmetic, Expression, label, number
from ahdp_verify.kernel.terms.printing import quoted
from ahdp_verify.programs.amount import Amount, exact_cure

Item = Expression | LinearForm  # a label, or a number
Shape = Any  # "#" for a number, the text of a label in quotes, a tuple of shapes
CONSTANTS = {True: "true", False: "false", None: "none"}
WHERE = "output"


def flattened(value: object, run: Any) -> tuple[Item, ...]:
    """The items of a value; BadInput for what cannot be released."""
    if isinstance(value, list | tuple):
        return tuple(item for part in value for item in flattened(part, run))
    if value is None or isinstance(value, bool):
        return (label(CONSTANTS[value]),)
    if isinstance(value, str):
        if value in CONSTANTS.values():
            raise BadInput(
                WHERE,
                f"the text {value!r} could not be told from {value.title()}",
                "release that constant, or another word",
            )
        return (check_label(label(value), WHERE),)
    if isinstance(value, int | Fraction):
        return (LinearForm((), number(value)),)
    if isinstance(value, Amount):
        run.check_present(value)
        return (value.form,)
    if isinstance(value, Arithmetic):
        return (Amount.of_expression(value.symbol, run).form,)
    if isinstance(value, float):
        raise BadInput(WHERE, f"{value!r} is a float, which is not exact", exact_cure(value))
    raise BadInput(
        WHERE,
        f"a {type(value).__name__} cannot be released",
        "release numbers, texts, True, False, None, and tuples and lists of them",
    )


def shape_of(value: object) -> Shape:
    """The shape of a value that can be released."""
    if isinstance(value, list | tuple):
        return tuple(map(shape_of, value))
    if value is None or isinstance(value, bool):
        value = CONSTANTS[value]
    return quoted(value) if isinstance(value, str) else "#"


def shown_items(items: Iterable[Item]) -> tuple[str, ...]:
    """Items as texts."""
    return tuple(str(item) for item in items)


def check_released(shapes: Iterable[Shape], where: str) -> None:
    """BadInput if nothing but None is ever released: its privacy would be shown, and mean
    nothing.
    """
    if {letter for shape in shapes for letter in _letters(shape)} <= {quoted("none")}:
        raise BadInput(where, "it never releases anything", "yield or return its outputs")


def read_alike(shapes: Iterable[Shape], *, whole: bool) -> None:
    """BadInput if two different shapes release the same items or, unless they are those of `whole`
    runs, if the items of one begin those of another.
    """
    seen: dict[tuple[str, ...], Shape] = {}
    for shape in dict.fromkeys(shapes):
        word = tuple(_letters(shape))
        if word in seen:
            raise _ambiguous(seen[word], shape)
        seen[word] = shape
    if whole:
        return
    if () in seen:
        raise BadInput(WHERE, "an empty tuple or list is released", "leave it out")
    for word, shape in seen.items():
        for k in range(1, len(word)):
            if word[:k] in seen:
                raise _ambiguous(seen[word[:k]], shape)


def _letters(shape: Shape) -> Sequence[str]:
    if isinstance(shape, tuple):
        return [letter for part in shape for letter in _letters(part)]
    return [shape]


def _ambiguous(one: Shape, other: Shape) -> BadInput:
    return BadInput(
        WHERE,
        f"outputs of the shapes {_shown(one)} and {_shown(other)} read alike",
        "release the same shape everywhere, or begin each with a word of its own",
    )


def _shown(shape: Shape) -> str:
    if isinstance(shape, tuple):
        return f"({', '.join(map(_shown, shape))})"
    return "number" if shape == "#" else str(shape)
