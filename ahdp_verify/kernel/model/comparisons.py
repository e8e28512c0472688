"""Which comparisons no value can meet.

What a name may be is told by `ahdp_verify.kernel.model.alternatives`.  `a == b` and
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
from collections.abc import Iterable

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model.alternatives import ANY, Alternatives, Choices, in_short
from ahdp_verify.kernel.model.declarations import constant
from ahdp_verify.kernel.numbers.ball import sign
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression

NAMED = ("name", "index")


def differ(a: Expression, b: Expression) -> bool:
    """True only if two constants or labels are known to differ."""
    if "label" in (a.head, b.head) or "oo" in (a.head, b.head):
        return a != b
    try:
        return sign(constant(a, "comparison") - constant(b, "comparison")) in (1, -1)
    except (BadInput, Undecided, Unsupported, ZeroDivisionError):
        return False


def meet(one: Alternatives, other: Alternatives) -> bool:
    """False only if no value of one is one of the other."""
    if one.labels & other.labels or one.rationals & other.rationals or one.others & other.others:
        return True
    if (one.numbers and not other.is_label) or (other.numbers and not one.is_label):
        return True
    near = [(v, w) for v in one.others for w in other.values] + [
        (w, v) for v in other.others for w in one.values
    ]
    return any(not differ(v, w) for v, w in near)


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
    if meet(left, right) or not (
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
