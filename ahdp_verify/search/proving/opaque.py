"""What follows from the named facts alone: the functions in these facts become unknowns about which
nothing else is assumed.

Exponentials, logarithms and roots are veiled, sums, products and quotients are not.  An exponential
whose exponent holds that of a veiled one is a product with it, exp(2 y + z) = exp(y)^2 exp(z); its
inverse exp(-y) stays what it is, since a veiled exponential may be 0.

>>> from ahdp_verify.kernel.terms.grammar import parse_condition
>>> claim = Inequality.of({"y": "y >= 0", "z": ""}, "exp(2*y + z)", ">=", "exp(z)")
>>> veil = OpaqueInequality.over(claim, (parse_condition("exp(y) >= 0"),))
>>> print(veil.statement, "|", veil.statement.parameters[-1][1], "|", *[said for pair in veil.wanted() for said in pair])
follows: opaque_1^2*exp(z) >= exp(z) | 0 <= opaque_1 | 1 <= exp(y) exp(y) <= 1 -1 <= exp(y) exp(y) <= -1
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Polynomial,
    Ratio,
    polynomial_of_atom,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    exp,
    multiply,
    name,
    names,
    number,
    substitute,
    transform,
    walk,
)
from ahdp_verify.search.proving.draft import polynomial_tree
from ahdp_verify.search.proving.factorisation import polynomial_factors


@dataclass(frozen=True, slots=True)
class OpaqueInequality:
    """A statement in which the functions of some facts are unknowns, and what each of these
    stands for.
    """

    statement: Inequality
    terms: tuple[tuple[str, Expression], ...]

    @staticmethod
    def over(claim: Inequality, facts: tuple[Expression, ...]) -> OpaqueInequality:
        """The claim with the functions in the facts veiled, and the facts as conditions."""
        found = dict.fromkeys(node for fact in facts for node in walk(fact) if is_function(node))
        free = (
            key for i in itertools.count(1) if (key := f"opaque_{i}") not in dict(claim.parameters)
        )
        terms = {term: name(key) for term, key in zip(found, free, strict=False)}
        parameters = {
            key: with_opaque_terms(condition, terms) for key, condition in claim.parameters
        } | {key.args[0]: TRUE for key in terms.values()}
        for fact in (with_opaque_terms(f, terms) for f in facts):
            spoken = [key for key in parameters if key in names(fact)]
            if spoken:  # a fact about constants says nothing about the unknowns
                parameters[spoken[-1]] = (
                    fact if parameters[spoken[-1]] == TRUE else parameters[spoken[-1]] & fact
                )
        statement = Inequality(
            tuple(parameters.items()),
            with_opaque_terms(claim.left, terms),
            claim.relation,
            with_opaque_terms(claim.right, terms),
            "follows",
        )
        return OpaqueInequality(
            statement, tuple((key.args[0], term) for term, key in terms.items())
        )

    def wanted(self) -> Iterator[tuple[Expression, Expression]]:
        """For each factor of the gap in which something is veiled, the facts that it is >= 0 and
        that it is <= 0.
        """
        try:
            gap = normal(self.statement.gaps[0], Context.empty())
        except (Undecided, Unsupported, ZeroDivisionError):
            return
        for factor, times in (
            pair for f, k in polynomial_factors(gap.num)[1] for pair in _singly(f, k)
        ):
            if times % 2 and algebra.polynomial_names(factor) & {key for key, _ in self.terms}:
                yield self._solved(factor), self._solved(-factor)

    def _solved(self, p: Polynomial) -> Expression:
        """The condition p >= 0 without veils, solved for the first function that occurs alone."""
        back = dict(self.terms)
        for key, term in self.terms:
            line = algebra.linear_coefficients(p, key)
            slope = line[0].as_rational if line is not None else None
            if line is not None and slope:
                rest = substitute(to_expression(Ratio(line[1]).scale(-1 / slope)), back)
                return rest <= term if slope > 0 else term <= rest
        return substitute(polynomial_tree(p), back) >= ZERO


def _singly(p: Polynomial, times: int) -> Iterator[tuple[Polynomial, Fraction]]:
    """A power of a polynomial; a monomial as powers of its atoms."""
    if len(p.terms) == 1:
        yield from (
            (polynomial_of_atom(atom), Fraction(e * times)) for m in p.terms for atom, e in m.powers
        )
    else:
        yield p, Fraction(times)


def is_function(node: Expression) -> bool:
    """Whether a node is an exponential, a logarithm or a root of something that varies."""
    if node.head == "^":
        exponent = node.args[1]
        return bool(names(node)) and not (
            exponent.head == "number" and exponent.args[0].denominator == 1
        )
    return node.head in ("exp", "log") and bool(names(node))


def with_opaque_terms(e: Expression, terms: dict[Expression, Expression]) -> Expression:
    """e with names in place of terms, those inside the exponents of other exponentials too."""
    return transform(
        e,
        lambda node: (
            terms[node] if node in terms else _split(node, terms) if node.head == "exp" else None
        ),
    )


def _split(node: Expression, terms: dict[Expression, Expression]) -> Expression | None:
    """An exponential as a product with veiled ones; None if its exponent holds that of none."""
    for term, key in terms.items():
        times = _times(node.args[0], term.args[0]) if term.head == "exp" else 0
        if times:
            rest = to_expression(
                normal(node.args[0], Context.empty())
                - normal(term.args[0], Context.empty()).scale(times)
            )
            return multiply(key ** number(times), with_opaque_terms(exp(rest), terms))
    return None


def _times(e: Expression, part: Expression) -> int:
    """How often the terms of `part` are those of e: the whole number k >= 1 with which e - k
    part has none of them left; else 0.
    """
    try:
        whole, piece = normal(e, Context.empty()), normal(part, Context.empty())
    except (Undecided, Unsupported, ZeroDivisionError):
        return 0
    if whole.den or piece.den or not piece.num.terms:
        return 0
    quotients = {whole.num.coefficient(m) / c for m, c in piece.num.terms.items()}
    k = quotients.pop()
    return int(k) if not quotients and k >= 1 and k.denominator == 1 else 0
