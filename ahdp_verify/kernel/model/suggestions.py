"""Suggestions for a label or a record that is listed nowhere.

>>> did_you_mean("Red", ["red", "blue"])
'did you mean "red"?'
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from ahdp_verify.kernel.model.alternatives import Choices, _alternatives_of_side
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression


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
