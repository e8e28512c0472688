"""Polynomials that are equal up to a renaming of their names get the same shape.

The names are ordered by where they occur: each gets a colour, refined by the colours of the names
beside it, and of names that still look alike the first is singled out.  What was found for one
polynomial can then be tried for another of the same shape, its names replaced place by place.
Colours are hashes of numbers alone, so that the order is the same in every process; two shapes
that are unequal although the polynomials are alike cost time, and nothing else.

>>> from ahdp_verify.kernel.numbers.normal_form import normal
>>> from ahdp_verify.kernel.numbers.hypotheses import Context
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> p, q = (normal(parse(text), Context.empty()).num for text in ("exp(a*b) - 2*b", "exp(c*a) - 2*a"))
>>> Shape.of(p).names, Shape.of(p).key == Shape.of(q).key
(('a', 'b'), True)
>>> Shape.of(q).names
('c', 'a')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Atom, Monomial, Polynomial, Rational

# a product of names in a term: 1 in an exponent, with its coefficient there, or 0 beside it
Part = tuple[int, Rational, tuple[tuple[str, Rational], ...]]
Term = tuple[Rational, tuple[Part, ...]]


@dataclass(frozen=True, slots=True)
class Shape:
    """The names of a polynomial in an order that only depends on where they occur, and what is left
    of the polynomial when they are replaced by their places.
    """

    names: tuple[str, ...]
    key: Hashable

    @staticmethod
    def of(p: Polynomial) -> Shape | None:
        """The shape of a polynomial in names and exponentials of names; None for others."""
        terms = terms_of(p)
        if terms is None:
            return None
        names = ordered_names(terms)
        return Shape(names, replaced_names(terms, names))

    def key_of(self, p: Polynomial) -> Hashable | None:
        """Another polynomial with its names replaced by their places here; None if it has others,
        or functions.
        """
        terms = terms_of(p) if algebra.polynomial_names(p) <= set(self.names) else None
        return None if terms is None else replaced_names(terms, self.names)


def terms_of(p: Polynomial) -> list[Term] | None:
    """The terms of a polynomial; None if it has other functions than exponentials of names."""
    return (
        [(c, tuple(parts_of(m))) for m, c in p.terms.items()]
        if all(has_names_only(a) for a in algebra.polynomial_atoms(p))
        else None
    )


def has_names_only(a: Atom) -> bool:
    """Whether an atom is a name, or the exponential of a product of names."""
    if a.kind != "exp":
        return a.kind == "name"
    inner, den = a.payload
    return not den and all(b.kind == "name" for b, _ in inner.powers)


def parts_of(m: Monomial) -> Iterator[Part]:
    """The products of names in a monomial."""
    yield 0, 1, tuple((a.payload, e) for a, e in m.powers if a.kind == "name")
    for a, e in m.powers:
        if a.kind == "exp":
            yield 1, e, tuple((b.payload, k) for b, k in a.payload[0].powers)


def ordered_names(terms: list[Term]) -> tuple[str, ...]:
    """The names in an order that only depends on where they occur, as far as refinement shows."""
    colours = {n: 0 for _, parts in terms for _, _, powers in parts for n, _ in powers}
    for _ in range(len(colours)):
        colours = refined_colours(terms, colours)
        count = Counter(colours.values())
        alike = [(c, n) for n, c in colours.items() if count[c] > 1]
        if not alike:
            break
        colour, first = min(alike)
        colours[first] = hash((colour, 1))
    return tuple(sorted(colours, key=lambda n: (colours[n], n)))


def refined_colours(terms: list[Term], colours: dict[str, int]) -> dict[str, int]:
    """Colours that tell names apart which occur differently among names of these colours, refined
    until there are no more of them.
    """
    different = 0
    while different < len(set(colours.values())):
        different = len(set(colours.values()))
        places = dict.fromkeys(colours, 0)
        for c, parts in terms:
            inner = [
                hash((kind, d, sum(hash((colours[n], e)) for n, e in powers)))
                for kind, d, powers in parts
            ]
            term = hash((c, sum(inner)))
            for part, (_, _, powers) in zip(inner, parts, strict=True):
                for n, e in powers:
                    places[n] += hash((term, part, e))
        colours = {n: hash((colours[n], total)) for n, total in places.items()}
    return colours


def replaced_names(terms: list[Term], names: tuple[str, ...]) -> Hashable:
    """The terms with the names replaced by their places."""
    place = {n: i for i, n in enumerate(names)}
    return frozenset(
        (
            c,
            frozenset(
                (kind, d, frozenset((place[n], e) for n, e in powers)) for kind, d, powers in parts
            ),
        )
        for c, parts in terms
    )
