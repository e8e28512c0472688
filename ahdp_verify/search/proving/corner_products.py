"""Products of many facts in few names: powers of linear facts, each times at most one other fact.

A polynomial that is >= 0 because its names lie in a corner (1 < u <= T, say) is often a sum of
products of the linear facts that bound the corner, of as high a degree as its own.  These products
are few, so that one linear programme takes them all.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from ahdp_verify.kernel.numbers.algebra import ONE, UNIT, Polynomial, polynomial_atoms
from ahdp_verify.kernel.numbers.hypotheses import Fact

Candidate = tuple[
    tuple[int, ...], Polynomial, bool, bool
]  # fact numbers, product, equality, strict
Entails = Callable[[Polynomial, list[Candidate]], bool]
WALLS = 4  # linear facts that are multiplied with each other
OTHERS = 12  # facts that occur at most once in a product
CACHED = 256
INDEPENDENT: dict[tuple[Fact, ...], tuple[int, ...]] = {}
MOST = 1500  # products; measured: a linear programme with this many takes a second or two


def products_of_corner(
    target: Polynomial, facts: tuple[Fact, ...], entails: Entails
) -> list[Candidate]:
    """The products to be tried, none if the degrees of the target do not fit a corner; `entails`
    decides whether candidates add up to a polynomial.
    """
    inside = [
        i
        for i, f in enumerate(facts)
        if polynomial_atoms(f.polynomial)
        and polynomial_atoms(f.polynomial) <= polynomial_atoms(target)
    ]
    walls = independent_facts([i for i in inside if is_linear(facts[i].polynomial)], facts, entails)
    if not walls or len(walls) > WALLS:
        return []
    names = {a for i in walls for a in polynomial_atoms(facts[i].polynomial)}
    degree = max(sum(int(e) for a, e in m.powers if a in names) for m in target.terms)
    others = [i for i in reversed(inside) if not is_linear(facts[i].polynomial)][:OTHERS]
    if degree < 2 or math.comb(degree + len(walls), len(walls)) * (1 + len(others)) > MOST:
        return []
    powers = [
        power
        for k in range(degree + 1)
        for power in itertools.combinations_with_replacement(walls, k)
    ]
    return [
        product_of_facts((*power, *other), facts)
        for other in ((), *((i,) for i in others))
        for power in powers
    ]


def is_linear(p: Polynomial) -> bool:
    """Whether p is linear in names, and in nothing else."""
    return all(m == UNIT or (m.single is not None and m.single.kind == "name") for m in p.terms)


def independent_facts(numbers: list[int], facts: tuple[Fact, ...], entails: Entails) -> list[int]:
    """The facts that do not follow from the others by adding; cached, since all requirements of a
    case ask for the same.
    """
    key = tuple(facts[i] for i in numbers)
    if key not in INDEPENDENT:
        while len(INDEPENDENT) >= CACHED:
            del INDEPENDENT[next(iter(INDEPENDENT))]
        left = [i for i in numbers if facts[i].relation in (">=", ">")]
        for i in list(left):
            rest = [product_of_facts((j,), facts) for j in left if j != i]
            gaps = [facts[i].polynomial - p for _, p, _, _ in rest]
            if any((gap.as_rational or -1) >= 0 for gap in gaps) or entails(
                facts[i].polynomial, [product_of_facts((), facts), *rest]
            ):
                left.remove(i)
        INDEPENDENT[key] = tuple(numbers.index(i) for i in left)
    return [numbers[place] for place in INDEPENDENT[key]]


def product_of_facts(numbers: tuple[int, ...], facts: tuple[Fact, ...]) -> Candidate:
    """The product of facts with these numbers."""
    total = ONE
    for i in numbers:
        total = total * facts[i].polynomial
    chosen = [facts[i].relation for i in numbers]
    return numbers, total, "=" in chosen, all(r == ">" for r in chosen)
