"""Section 3: what the unknown records have in common, summed over the records of a dataset."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace

from recheck.claims import Claim
from recheck.forms import ATOMS, Form, Monomial, constant, constant_sign, of_name, total, tree_of
from recheck.limits import NotCovered, Rejected
from recheck.regions import constant_ends, require_box_cover
from recheck.signs import Context, assume, polynomial
from recheck.trees import Tree, branches, conjuncts, is_number, substitute

COVER = SimpleNamespace(pieces=200)


def summed(
    claim: Claim, nodes: Sequence[Tree], rest: Sequence[Tree], endless: bool
) -> Iterator[tuple[str, Form]]:
    """every record has c_1 f_1 + ... + c_n f_n >= 0
    ------------------------------------------------------
    c_1 sum(f_1) + ... + c_n sum(f_n) >= 0 for any dataset

    Each as a relation to 0, and what has it.
    """
    here, unknown = claim.base, {n for n, _ in claim.unknowns}
    for _, condition in claim.unknowns:
        for part in conjuncts(condition):
            if not (endless and "eps" in part.names):
                here = assume([part], here)
    sums = {
        n.args[0]: of_name(r.value)
        for n, r in zip(nodes, rest, strict=True)
        if n.head == "sum" and not (endless and "eps" in n.names)
    }
    single: dict[Monomial, Form] = {}
    for body, of in sums.items():
        f = form_or_none(body, here)
        if f is not None and len(f.num) == 1 and not f.den:
            ((m, c),) = f.num.items()
            single[m] = of.scaled(Fraction(1) / c)
    for fact, relation in here.facts:
        if not unknown.isdisjoint(fact.names):
            found = summed_fact(fact, single, unknown)
            if found is not None:
                yield ("==" if relation == "=" else "<="), found
    for side in (-1, 1) if () in single else ():
        for body, of in sums.items():
            try:
                bound = bound_of(body, side, here)
            except (Rejected, NotCovered):
                continue
            yield "<=", (bound * single[()] - of).scaled(side)


def form_or_none(e: Tree, here: Context) -> Form | None:
    try:
        return here.form(e)
    except Rejected:
        return None


def summed_fact(fact: Form, single: Mapping[Monomial, Form], unknown: set[str]) -> Form | None:
    """The sum over records of a polynomial, if each of its terms is a multiple of a summed one."""
    terms = []
    for m, c in fact.num.items():
        own = tuple((a, e) for a, e in m if not unknown.isdisjoint(names_of(a)))
        if own not in single:
            return None
        outer = tuple(pair for pair in m if pair not in own)
        terms.append(Form({outer: c}) * single[own])
    return total(terms)


def names_of(atom: int) -> frozenset[str]:
    of = ATOMS[atom].of
    return of.names if isinstance(of, Form) else frozenset([of] if isinstance(of, str) else [])


def bound_of(body: Tree, side: int, here: Context) -> Form:
    """A constant that no record exceeds, on this side."""
    if body.head == "piecewise" and all(map(is_number, body.args[::2])):
        values = sorted(e.value for e in branches(body))
        return constant(values[-1] if side == 1 else values[0])
    f = here.form(body)
    if not 0 < len(f.names) <= 4:
        raise Rejected("a function of no unknown, or of many")
    inside = sorted(f.names)
    values = []
    for corner in itertools.product(*(constant_ends(n, here) for n in inside)):
        put = {n: tree_of(v) for n, v in zip(inside, corner, strict=True)}
        values.append(Context().form(substitute(tree_of(f), put)))
    best = values[0]
    for value in values[1:]:
        if constant_sign(value - best) == side:
            best = value
    require_box_cover(polynomial((best - f).scaled(side), here), ">=", COVER, here)
    return best
