"""Whether a formula has a value wherever its names may be: no divisor is 0, and whatever is under a
logarithm or a root is positive.

    every part of e has a value      no divisor is 0      what is under a logarithm or root is > 0
    ----------------------------------------------------------------------------------------------
                                        e has a value

    every v_i has a value where c_1, ..., c_(i-1) fail and c_i holds
    c_1, ..., c_n cannot all fail      e is piecewise((v_1, c_1), ..., (v_n, c_n))
    ------------------------------------------------------------------------------
                                  e has a value

What is not shown is Rejected, with the part of the formula and the reason.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> require_number(parse("piecewise((m/n, n != 0), (0, true)) + m/max(n, 1)"), Context.empty())
>>> require_number(parse("m/n"), Context.empty())
Traceback (most recent call last):
ahdp_verify.kernel.errors.Rejected: n, a divisor, is not known to be nonzero
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import (
    NOT_KNOWN,
    assume_condition,
    known_signs,
    known_truth,
    normal,
)
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.words import SMOOTH

AS_PARTS = ("+", "*", "exp", "abs", "sign", "floor", "min", "max", *SMOOTH)
MOST = 1000  # contexts considered together; guards against an explosion of cases
OPPOSITE = {"<": "<=", "<=": "<"}  # not a < b is b <= a


def require_number(e: Expression, here: Context) -> None:
    """Nothing if e is known to be a number here; Rejected otherwise.

    every part is a number     no divisor is 0     what is under a logarithm or a root is > 0
    ------------------------------------------------------------------------------------------
    e is a number
    """
    if e.head in ("number", "pi", "name"):
        return
    if e.head == "piecewise":
        require_branches(e, here)
        return
    if e.head not in (*AS_PARTS, "^", "log", "theta3", "mod", "binomial"):
        raise Rejected(f"{e} is not known to be a number")
    for part in e.args:
        require_number(part, here)
    if e.head == "^":
        require_power(e.args[0], e.args[1], here)
    elif e.head in ("log", "theta3") and _possible_signs(e.args[0], here) != {1}:
        raise Rejected(f"{e.args[0]}, whose {e.head} is taken, is not known to be > 0")
    elif e.head == "mod" and 0 in _possible_signs(e.args[1], here):
        raise Rejected(f"{e.args[1]}, a divisor, is not known to be nonzero")
    elif e.head == "binomial":
        try:
            normal(e, here)
        except NOT_KNOWN:
            raise Rejected(f"{e} is not known to be a number") from None


def require_power(base: Expression, exponent: Expression, here: Context) -> None:
    whole = exponent.head == "number" and exponent.args[0].denominator == 1
    if whole and exponent.args[0] >= 0:
        return
    found = _possible_signs(base, here)
    if whole and 0 in found:
        raise Rejected(f"{base}, a divisor, is not known to be nonzero")
    if not whole and found != {1}:
        raise Rejected(f"{base}, the base of a power, is not known to be > 0")


def require_branches(e: Expression, here: Context) -> None:
    """Nothing if each value is a number where the earlier conditions fail and its own holds, and
    one of the conditions always holds; Rejected otherwise.
    """
    left = [here]
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        for at in left:
            require_condition(condition, at)
        for at in (c for before in left for c in _covering_contexts(condition, True, before)):
            require_number(value, at)
        left = [c for before in left for c in _covering_contexts(condition, False, before)]
        if len(left) > MOST:
            raise Rejected(f"a piecewise expression has more than {MOST} cases")
    if left:
        raise Rejected("possibly no branch of a piecewise expression holds")


def require_condition(condition: Expression, here: Context) -> None:
    """Nothing if both sides of every comparison are numbers, or labels or oo on their own; Rejected
    otherwise.
    """
    for part in condition.args if condition.head != "boolean" else ():
        if condition.head in ("and", "or", "not"):
            require_condition(part, here)
        elif part.head not in ("label", "oo"):
            require_number(part, here)


def _covering_contexts(condition: Expression, holds: bool, here: Context) -> list[Context]:
    """Contexts that together cover every point of `here` at which the condition holds (or, if
    `holds` is false, fails); each may cover more.
    """
    if condition.head == "not":
        return _covering_contexts(condition.args[0], not holds, here)
    if condition.head in ("and", "or"):
        if (condition.head == "or") == holds:
            return [c for part in condition.args for c in _covering_contexts(part, holds, here)]
        found = [here]
        for part in condition.args:
            found = [c for before in found for c in _covering_contexts(part, holds, before)]
        return found
    if (known := known_truth(condition, here)) is not None:
        return [here] if known is holds else []
    return [
        c
        for c in (_assume_fact(fact, here) for fact in _alternative_facts(condition, holds))
        if not c.contradictory
    ]


def _alternative_facts(condition: Expression, holds: bool) -> list[Expression]:
    """Comparisons of which at least one is true where a comparison holds, or where it fails."""
    a, b = condition.args
    if condition.head in OPPOSITE:
        return [condition if holds else Expression(OPPOSITE[condition.head], (b, a))]
    if (condition.head == "==") == holds:
        return [Expression("==", (a, b))]
    return [Expression("<", (a, b)), Expression("<", (b, a))]


def _assume_fact(fact: Expression, here: Context) -> Context:
    """The context with a fact; without it where it has no normal form, which covers more."""
    try:
        return assume_condition(fact, here)
    except NOT_KNOWN:
        return here


def _possible_signs(e: Expression, here: Context) -> frozenset[int]:
    """The signs that e may have; a maximum is positive if one of its arguments is, and so on."""
    if e.head in ("max", "min"):
        parts, s = [_possible_signs(a, here) for a in e.args], 1 if e.head == "max" else -1
        if {s} in parts:
            return frozenset({s})
        if all(s not in found for found in parts):
            return frozenset().union(*parts)
    return known_signs(e, here)
