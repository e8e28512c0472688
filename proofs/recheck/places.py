"""Section 1: output spaces, the factors of a density, and the places where levels are compared."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recheck.limits import COMBINATIONS, Rejected, cover
from recheck.shapes import Record, listed, text
from recheck.signs import Context, assume, at_record, known_truth
from recheck.trees import (
    Tree,
    branches,
    conjunction,
    conjuncts,
    is_number,
    is_true,
    make,
    name,
    read,
    substitute,
)

if TYPE_CHECKING:
    from recheck.claims import Claim


@dataclass(frozen=True)
class Output:
    name: str
    kind: str
    values: tuple[Tree, ...]


def read_outputs(data: Any) -> list[Output]:
    rows = (listed(row, 3) for row in listed(data))
    return [Output(text(n), text(kind), tuple(map(read, listed(v)))) for n, kind, v in rows]


@dataclass(frozen=True)
class Place:
    """Where levels are compared: a record, or a pair of values.

    `here` is what is known there; `record` is None for a record with unknowns.
    """

    here: Context
    values: Mapping[str, Tree] | None
    record: Any
    conditions: tuple[Tree, ...] = ()

    def at(self, e: Tree) -> Tree:
        """The expression at this record, or pair of values."""
        return e if self.values is None else at_record(e, self.values, self.here)


def number_of_combinations(outputs: Iterable[Output]) -> int:
    return math.prod(len(o.values) for o in outputs if o.kind == "finite")


def combinations(outputs: list[Output]) -> Iterator[Record]:
    """Every combination of values of the finite outputs, the last one changing fastest."""
    finite = [o for o in outputs if o.kind == "finite"]
    cover(number_of_combinations(finite) <= 16 * COMBINATIONS, "there are too many outputs")
    names = [o.name for o in finite]
    for values in itertools.product(*(o.values for o in finite)):
        yield dict(zip(names, values, strict=True))


def laws_of_parts(claim: Claim) -> list[Tree]:
    """The law of each part of the output space, section 3."""
    laws = [claim.density]
    if number_of_combinations(claim.outputs) <= COMBINATIONS:
        laws = [substitute(claim.density, c) for c in combinations(claim.outputs)]
    return laws + [mass for _, mass in claim.atoms]


def factors(e: Tree) -> list[Tree]:
    """Factors whose product is e."""
    if e.head == "*":
        return [f for a in e.args for f in factors(a)]
    if e.head == "exp":
        return [make("exp", t) for t in summands(e.args[0])]
    if e.head == "^" and e.args[0].head == "*" and is_number(e.args[1]) and e.args[1].value == -1:
        return [make("^", f, e.args[1]) for f in factors(e.args[0])]
    return [e]


def summands(e: Tree) -> list[Tree]:
    """Terms whose sum is e, with products distributed over sums."""
    if e.head == "+":
        return [t for a in e.args for t in summands(a)]
    if e.head == "*":
        parts = [summands(a) for a in e.args]
        cover(math.prod(map(len, parts)) <= COMBINATIONS, "an exponent has too many terms")
        return [make("*", *terms) for terms in itertools.product(*parts)]
    return [e]


def grouped(density: Tree, outputs: list[Output]) -> tuple[Tree, list[Tree]]:
    """(prefactor, the factor of each output): a factor belongs to the last that it mentions."""
    own: list[list[Tree]] = [[] for _ in range(len(outputs) + 1)]
    for f in factors(density):
        last = max((i for i, o in enumerate(outputs, 1) if o.name in f.names), default=0)
        own[last].append(f)
    prefactor, *laws = [make("*", read("1"), *fs) for fs in own]
    return prefactor, laws


def places(claim: Claim) -> list[Place]:
    """Where levels are compared, in order; for unknown records, demand oo too."""
    here = claim.base
    if claim.records:
        return [Place(here, r, r) for r in claim.records]
    if claim.values:
        pairs = itertools.permutations(claim.values, 2)
        cover(len(claim.values) <= 1000, "there are too many values")
        return [Place(here, {**v, **other(w)}, (v, w)) for v, w in pairs]
    said = [c for _, c in claim.unknowns]
    finite = Place(assume(said, here), None, None, tuple(said))
    if not claim.unknowns:
        return [finite]
    calm = [conjunction(p for p in conjuncts(c) if "eps" not in p.names) for c in said]
    endless = assume(calm, here)
    at_oo = {"eps": make("oo")}
    with_eps = [p for c in said for p in conjuncts(c) if "eps" in p.names]
    if False in [known_truth(substitute(p, at_oo), endless, Rejected) for p in with_eps]:
        return [finite]
    return [finite, EndlessPlace(endless, at_oo, None, tuple(c for c in calm if not is_true(c)))]


class EndlessPlace(Place):
    """A record of demand oo; what does not depend on the demand stays as it is written."""

    def at(self, e: Tree) -> Tree:
        return super().at(e) if "eps" in e.names else e


def other(value: Record) -> Record:
    return {neighbour(n): e for n, e in value.items()}


def neighbour(part: str) -> str:
    """The name of a part of the other value."""
    return "other" + part[1:]


def query_number(text_: str) -> Tree:
    """The name of the amount by which a query answer moves."""
    return name("@d" + text_[2:-1])


def whole_valued(e: Tree) -> bool:
    """True only of expressions all whose values are whole."""
    for v in branches(e):
        if v.head in ("+", "*"):
            if not all(map(whole_valued, v.args)):
                return False
        elif not (is_number(v) and isinstance(v.value, int)):
            return False
    return True
