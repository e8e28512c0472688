"""How a root of a sum of squares changes with one entry: no more than the vector of what is
squared.

    r >= 0      b >= 0      b^2 - (q_1 - p_1)^2 - ... - (q_m - p_m)^2 >= 0
    ----------------------------------------------------------------------
      sqrt(r + q_1^2 + ... + q_m^2) - sqrt(r + p_1^2 + ... + p_m^2) <= b

p_i, q_i    what is squared before and after
r           the terms that stay the same, each of them >= 0

Both sides are lengths of vectors that have sqrt(r) in common, so that their difference is at most
the length of the difference.  What is under a root may be 0, where it has no normal form.

>>> from ahdp_verify.kernel.model.entries import Entries
>>> from ahdp_verify.kernel.model.entry_changes import entry_changes
>>> from ahdp_verify.kernel.terms.expression import ONE
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> query = parse("sqrt(sum(x^2))", nested=True)
>>> (change,) = entry_changes(query, Entries("n", "0 <= x <= 1"))
>>> for gap in change_of_root(change, ONE) or ():
...     print(gap)
1
1^2 - (@3 - @2)^2
"""

from __future__ import annotations

from collections.abc import Iterator

from ahdp_verify.kernel.model.entry_changes import Change
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, add, negative, number

HALF, TWO = number("1/2"), number(2)


def change_of_root(change: Change, bound: Expression) -> tuple[Expression, ...] | None:
    """What has to be >= 0 so that a root of a sum of squares grows by at most the bound; None where
    the query is no such root, or a term that stays the same is not known to be >= 0.
    """
    before, after = (tuple(_terms(e)) for e in (change.before, change.after))
    if len(before) != len(after) or not before:
        return None
    moved = []
    for p, q in zip(before, after, strict=True):
        if _is_square(p) and _is_square(q):
            moved.append((q.args[0] - p.args[0]) ** TWO)
        elif p != q or not change.here.ratio_signs(normal(p, change.here)) <= {0, 1}:
            return None
    return bound, add(bound**TWO, negative(add(*moved)))


def _terms(e: Expression) -> Iterator[Expression]:
    """The terms under a square root; none for anything else."""
    if e.head == "^" and e.args[1] == HALF:
        waiting = [e.args[0]]
        while waiting:
            term = waiting.pop()
            if term.head == "+":
                waiting += reversed(term.args)
            else:
                yield term


def _is_square(e: Expression) -> bool:
    return e.head == "^" and e.args[1] == TWO
