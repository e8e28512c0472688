"""Suggestions for a label or a record that is listed nowhere.

>>> did_you_mean("Red", ["red", "blue"])
'did you mean "red"?'
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping

from ahdp_verify.kernel.errors import BadInput, UnknownName
from ahdp_verify.kernel.model.alternatives import (
    Alternatives,
    Choices,
    _alternatives_of_side,
    shortened_text,
)
from ahdp_verify.kernel.model.declarations import check_known
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression

SHOWN = 10  # values that a message lists


def comparison_error(e: Expression, choices: Choices, where: str) -> BadInput:
    """The error for a == b or a != b whose sides have no possible value in common."""
    sides = [_alternatives_of_side(side, choices) for side in e.args]
    known = [
        f"{side} is {values_text(found)}"
        for side, found in zip(e.args, sides, strict=True)
        if side.head in ("name", "index")
    ]
    if not known:
        known = [
            "these are two labels"
            if all(found.is_label for found in sides)
            else "one side is a label and the other a number"
        ]
    return BadInput(
        where,
        f"{shortened_text(e)} {'never' if e.head == '==' else 'always'} holds, since "
        f"{' and '.join(known)}",
        cure_of_comparison(e, choices),
    )


def kind_error(
    e: Expression, kind: str, kinds: tuple[str, ...], choices: Choices, where: str
) -> BadInput:
    """The error for an expression of another kind than those that are accepted in its place."""
    said, cure = f"{shortened_text(e)} is {kind}", f"write {' or '.join(kinds)}"
    if kind != "a label":
        return BadInput(where, said, cure)
    if e.head == "name" and e.args[0] in choices:
        said += f", {values_text(choices[e.args[0]])}"
    return BadInput(where, said, f"{cure}; labels are only compared, with == or !=")


def refuse_unknown_name(key: str, known: frozenset[str], choices: Choices, where: str) -> None:
    """BadInput for a name that is not known, perhaps a label without its quotes."""
    quoted = next((k for k, c in choices.items() if key in c.labels), None)
    if quoted is not None:
        cure = f'write "{key}" in quotes for the label that {quoted} may be'
        raise UnknownName(where, key, cure)
    check_known(ex.name(key), known, where)


def values_text(found: Alternatives) -> str:
    """The possible values in words.

    >>> values_text(Alternatives.of([ex.label("red"), ex.label("blue")]))
    '"red" or "blue"'
    """
    shown = [str(v) for v in found.values[:SHOWN]] + ["a number"] * found.numbers
    if len(found.values) > SHOWN:
        shown.insert(SHOWN, f"one of {len(found.values) - SHOWN} other values")
    return f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else shown[0]


def cure_of_comparison(e: Expression, choices: Choices) -> str:
    """The suggestion for the label of a comparison."""
    words = [side.args[0] for side in e.args if side.head == "label"]
    sides = [
        c
        for c in (_alternatives_of_side(side, choices) for side in e.args if side.head != "label")
        if c.labels
    ]
    if words and sides:
        return did_you_mean(words[0], sides[0].labels)
    elsewhere = sorted(key for key, c in choices.items() if words and words[0] in c.labels)
    if elsewhere:
        return f"{ex.label(words[0])} is a value of {elsewhere[0]}"
    return "compare labels with labels and numbers with numbers"


def did_you_mean(word: str, known: Iterable[str], cure: str = "use one of these values") -> str:
    """The suggestion for a label that is not among the known ones: the most similar known one, or
    `cure`.
    """
    plain = {" ".join(k.split()).casefold(): k for k in sorted(known, reverse=True)}
    close = difflib.get_close_matches(" ".join(word.split()).casefold(), plain, n=1)
    return f"did you mean {ex.label(plain[close[0]])}?" if close else cure


def cure_of_record(parts: Mapping[str, Expression], choices: Choices) -> str:
    """The suggestion for a record that is not listed."""
    usual = "count a listed record or a condition on x and eps"
    for key, part in parts.items():
        choice = choices.get(key)
        if part.head == "label" and choice and part.args[0] not in choice.labels:
            return did_you_mean(part.args[0], choice.labels, usual)
    return usual


def check_labels_of_atoms(labels: Iterable[Expression], known: Collection[str]) -> None:
    """BadInput for the label of an atom that reads as a formula in known names: the place of an
    atom is a constant, and a label that looks like v is not the value of v.
    """
    from ahdp_verify.kernel.terms.grammar import parse

    for at in labels:
        try:
            meant = ex.names(parse(at.args[0], "atom"))
        except BadInput:
            continue
        if meant and meant <= set(known):
            raise BadInput(
                f"atom {at}",
                f"it would be a label, not the value of {at.args[0]}",
                "an atom lies at a constant or is a label: use another word, or write whole numbers "
                "that depend on the input as an integer output",
            )
