"""Refusal of comparisons that no value can satisfy.

`ahdp_verify.kernel.model.alternatives` gives the possible values of a name.  `a == b` and `a != b`
are refused where a value of one side is never one of the other: labels against numbers, labels that
are listed nowhere, and numbers that equal none of the listed ones.  Formulas other than names,
labels and constants may be any number.

>>> x = Alternatives.of([ex.label("red"), ex.label("blue")])
>>> check_comparison(ex.eq(ex.name("x"), ex.label("Red")), {"x": x}, "density")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: density: x == "Red" never holds, since x is "red" or "blue"; did you mean "red"?
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model.alternatives import Alternatives, Choices, _alternatives_of_side
from ahdp_verify.kernel.model.declarations import canonical_constant
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression

NAMED = ("name", "index")


def known_to_differ(a: Expression, b: Expression) -> bool:
    """True only if two constants or labels are known to differ."""
    if "label" in (a.head, b.head) or "oo" in (a.head, b.head):
        return a != b
    try:
        return constant_sign(
            canonical_constant(a, "comparison") - canonical_constant(b, "comparison")
        ) in (1, -1)
    except (BadInput, Undecided, Unsupported, ZeroDivisionError):
        return False


def meet(one: Alternatives, other: Alternatives) -> bool:
    """False only if the two have no value in common."""
    if one.labels & other.labels or one.rationals & other.rationals or one.others & other.others:
        return True
    if (one.numbers and not other.is_label) or (other.numbers and not one.is_label):
        return True
    near = [(v, w) for v in one.others for w in other.values] + [
        (w, v) for v in other.others for w in one.values
    ]
    return any(not known_to_differ(v, w) for v, w in near)


def check_comparison(e: Expression, choices: Choices, where: str) -> None:
    """BadInput for a == b or a != b whose sides have no possible value in common; two constants may
    differ.
    """
    left, right = (_alternatives_of_side(side, choices) for side in e.args)
    if meet(left, right) or not (
        left.labels or right.labels or any(side.head in NAMED for side in e.args)
    ):
        return
    from ahdp_verify.kernel.model.suggestions import comparison_error

    raise comparison_error(e, choices, where)


def check_comparisons(e: Expression, choices: Choices, where: str) -> None:
    """BadInput for the first comparison in `e` that no value can satisfy."""
    for node in ex.walk(e):
        if node.head in ("==", "!="):
            check_comparison(node, choices, where)
