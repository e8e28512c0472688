"""Section 5, enumeration: all datasets of at most n records, or all single values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from recheck import enclosures
from recheck.claims import OWN_LEVEL, Claim
from recheck.enclosures import Interval
from recheck.evidence import Evidence
from recheck.forms import UNIT, Form, constant_sign, enclosed, exp_of, total
from recheck.inputs import Side
from recheck.limits import COMBINATIONS, DATASETS, Rejected, cover, need
from recheck.places import combinations, number_of_combinations
from recheck.signs import at_record, truth
from recheck.totals import nonnegative, require_mass
from recheck.trees import Tree, make, number, substitute
from recheck.written import At, put_in

Table = dict[Side, list[Form]]


def require_enumeration(claim: Claim, proof: Evidence) -> None:
    """at every input law >= 0 and total 1
    for every move of level L between datasets of at most n records, with `defined` at both:
    P <= exp(L) Q at every output; with delta: the total of max(0, P - exp(L) Q) is at most delta
    ----------------------------------------------------------------------------------------------
    the claim is proved for datasets of at most n records
    """
    need(proof.claim == claim.fingerprint, "the certificate belongs to another claim")
    need(not claim.rule, "an enumeration of a composite")
    need(not proof.uses and not proof.conditions, "an enumeration has uses or conditions")
    need(not claim.parameters, "an enumeration with parameters")
    need(bool(claim.records or claim.values), "an enumeration needs listed records or values")
    size = proof.evidence[0].size
    need(size > 0, "an enumeration has a size below 1")
    cover(
        all(o.kind == "finite" for o in claim.outputs),
        "an enumeration of outputs that are not finite",
    )
    cover(number_of_combinations(claim.outputs) <= COMBINATIONS, "there are too many outputs")
    n = len(claim.records)
    cover(
        size <= 64 and math.comb(size + n, n) <= DATASETS,
        "an enumeration of size above 64, or of more than 3000 datasets",
    )
    if proof.mass.evidence:
        require_mass(claim, proof.mass, proof.counts)
    table = laws_of_inputs(claim, size)
    need(claim.delta.names.isdisjoint(claim.bound), "an enumeration has a delta of the record")
    delta = claim.base.form(claim.delta)
    need(constant_sign(delta) in (0, 1), "delta is not known to be >= 0")
    for before, after, level in moves_between(claim, table):
        require_near(table[before], table[after], exp_of(claim.base.form(level)), delta)


def laws_of_inputs(claim: Claim, size: int) -> Table:
    """The probability of every outcome, at every input at which the mechanism is defined."""
    table: Table = {}
    outcomes = list(combinations(claim.outputs))
    for side in inputs(claim, size):
        at = At(claim.base, tuple(claim.records), side)
        if not truth(put_in(claim.defined, claim, at), claim.base):
            continue
        law = put_in(claim.density, claim, at)
        table[side] = [nonnegative(substitute(law, c), claim.base) for c in outcomes]
        need(total(table[side]) == UNIT, "a distribution does not have total 1")
    return table


def inputs(claim: Claim, size: int) -> Iterator[Side]:
    for v in claim.values:
        yield tuple(v.values())
    places = range(len(claim.records))
    for k in range(size + 1) if claim.records else ():
        for chosen in itertools.combinations_with_replacement(places, k):
            yield tuple(number(chosen.count(i)) for i in places)


def moves_between(claim: Claim, table: Table) -> Iterator[tuple[Side, Side, Tree]]:
    """(P's input, Q's input, the level) of every inequality of finite level."""
    if claim.values:
        for v, w in itertools.permutations(claim.values, 2):
            pair = tuple(v.values()), tuple(w.values())
            named = {**v, **{"other" + n[1:]: e for n, e in w.items()}}
            yield from compared(table, *pair, at_record(claim.level, named, claim.base))
        return
    own = claim.relation in OWN_LEVEL
    levels = [at_record(claim.level, r, claim.base) if own else claim.level for r in claim.records]
    for side in table:
        for i, level in enumerate(levels):
            if claim.relation in ("ahdp", "add-remove"):
                more = changed(side, {i: 1})
                yield from compared(table, side, more, level)
                yield from compared(table, more, side, level)
            elif side[i].value:
                for j in range(len(levels)):
                    if j != i and may_replace(claim, i, j):
                        moved = changed(side, {i: -1, j: 1})
                        yield from compared(table, side, moved, level)
                        if claim.relation == "hdp":
                            yield from compared(table, moved, side, level)


def may_replace(claim: Claim, i: int, j: int) -> bool:
    if claim.relation == "swap":
        return True
    old, new = claim.records[i], claim.records[j]
    return all(truth(make("==", old[k], new[k]), claim.base) for k in ("eps", *claim.public))


def changed(side: Side, steps: dict[int, int]) -> Side:
    return tuple(number(n.value + steps.get(i, 0)) for i, n in enumerate(side))


def compared(
    table: Table, before: Side, after: Side, level: Tree
) -> Iterator[tuple[Side, Side, Tree]]:
    if before in table and after in table and level.head != "oo":
        yield before, after, level


def require_near(p: list[Form], q: list[Form], factor: Form, delta: Form) -> None:
    """The total of max(0, P - factor Q) is at most delta."""
    spread = enclosed(factor)
    above = []
    for a, b in zip(p, q, strict=True):
        if is_clearly_below(a, b, spread):
            continue
        gap = a - factor * b
        s = constant_sign(gap)
        if s is None:
            raise Rejected("a comparison of two probabilities is not decided")
        above += [gap] if s > 0 else []
    need(
        not above or constant_sign(delta - total(above)) in (0, 1),
        "the outputs violate the claimed bound",
    )


def is_clearly_below(a: Form, b: Form, factor: Interval) -> bool:
    """True only if enclosures show that a < factor * b."""
    low = enclosures.multiply(factor, enclosed(b))[0]
    return enclosures.less(enclosed(a)[1], low)
