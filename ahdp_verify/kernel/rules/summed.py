"""What the records of a universal domain have in common, summed over the records of a dataset.

    every record has  c_1 f_1 + ... + c_n f_n >= 0,  the c free of its unknowns
    ---------------------------------------------------------------------------
             c_1 sum(f_1) + ... + c_n sum(f_n) >= 0,  for any dataset

The size is the sum of 1.  The inequalities of a record are its conditions, where each of their
terms is a multiple of some f_i, and low <= f_i and f_i <= high, where f_i is a choice among
numbers, or where this is its least or largest value at the corners of the box of its unknowns and a
cover of that box shows that it is a bound (`ahdp_verify.kernel.rules.regions`).  If a record may
have demand oo, only what does not mention the demand is summed.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.neighbours import frame
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> U = Domain.universal(unknowns={"x": "0 <= x and x <= h"}, parameters={"h": "h > 0"})
>>> here = assume_known_facts(parse("h > 0"), Context.empty())
>>> f = frame(U, (parse("sum(x)", "sum"), parse("size", "size")), here)
>>> print(*f.conditions, "and", *summed_conditions(f, here), sep=", ")
0 <= @1, 0 <= @2, and, 0 <= -@1 + @2*h
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import BoxCover
from ahdp_verify.kernel.model.neighbours import Frame, assume_known_facts
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Monomial, Ratio, constant
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.inequalities import sign_polynomial
from ahdp_verify.kernel.rules.regions import check_box_cover, constant_ends, value_at
from ahdp_verify.kernel.terms.expression import Expression, conjuncts, eq, names, number

COVER = BoxCover(200)
MOST = 4  # unknowns of a box
MISSING = (Undecided, Unsupported, Rejected, ZeroDivisionError)
Sums = dict[Monomial, tuple[Ratio, Ratio]]  # of the unknowns' part of a term: c, and sum of c * it


def summed_conditions(f: Frame, here: Context) -> tuple[Expression, ...]:
    """Conditions on the sums over the rest of a dataset of a universal domain, beyond those of its
    frame.
    """
    known = set(f.conditions)
    return tuple(c for c in dict.fromkeys(_conditions(f, here)) if c not in known)


def _conditions(f: Frame, here: Context) -> Iterator[Expression]:
    unknown, endless = {u for u, _ in f.domain.unknowns}, f.infinite is not None
    for _, condition in f.domain.unknowns:
        for part in conjuncts(condition):
            if not (endless and "eps" in names(part)):
                here = assume_known_facts(part, here)
    bodies = {
        n.args[0]: Ratio(algebra.symbol(rest.args[0]).num)
        for n, rest in zip(f.nodes, f.rest, strict=True)
        if n.head == "sum" and not (endless and "eps" in names(n))
    }
    terms: Sums = {}
    for body, total in bodies.items():
        with suppress(*MISSING):
            r = normal(body, here)
            if len(r.num.terms) == 1 and not r.den:
                ((m, c),) = r.num.terms.items()
                terms[m] = constant(c), total
    for fact in here.facts:
        if unknown & algebra.polynomial_names(fact.polynomial):
            yield from _summed(fact, terms, unknown)
    if algebra.UNIT in terms:
        size = terms[algebra.UNIT][1] / terms[algebra.UNIT][0]
        for side, (body, total) in itertools.product((-1, 1), bodies.items()):
            with suppress(*MISSING):
                gap = (_bound(body, side, here) * size - total).scale(side)
                yield number(0) <= to_expression(gap)


def _summed(fact: Fact, terms: Sums, unknown: set[str]) -> Iterator[Expression]:
    """A fact about a record, summed over records; nothing if a term of it has no sum."""
    total = constant(0)
    for m, c in fact.polynomial.terms.items():
        own = Monomial((a, e) for a, e in m.powers if unknown & algebra.atom_names(a))
        if own not in terms:
            return
        rest = Monomial(pair for pair in m.powers if pair not in own.powers)
        scale, of = terms[own]
        total = total + Ratio(algebra.polynomial_of_monomial(rest, c)) / scale * of
    side = to_expression(total)
    yield eq(side, 0) if fact.relation == "=" else number(0) <= side


def _bound(body: Expression, side: int, here: Context) -> Ratio:
    """A constant that is at least what every record contributes (side 1), or at most that (-1);
    Rejected if none is shown.
    """
    if body.head == "piecewise" and all(e.head == "number" for e in body.args[::2]):
        listed = [e.args[0] for e in body.args[::2]]
        return constant(max(listed) if side == 1 else min(listed))
    r = normal(body, here)
    inside = sorted(algebra.ratio_names(r))
    if not 0 < len(inside) <= MOST:
        raise Unsupported(f"a function of no name, or of more than {MOST}")
    corners = itertools.product(*(constant_ends(n, here) for n in inside))
    values = [value_at(r, dict(zip(inside, c, strict=True)), Context.empty()) for c in corners]
    found = reduce(lambda a, b: b if constant_sign(b - a) == side else a, values)
    check_box_cover(sign_polynomial((found - r).scale(side), here), ">=", COVER, here)
    return found
