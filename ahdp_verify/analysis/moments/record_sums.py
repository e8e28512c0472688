"""Formulas in record sums: gathered into as few sums as possible, and their expectation when
records are kept at random.

A formula is a ratio in names, each of which stands for a record sum (`RecordSums`). Factors of a
sum's body that do not depend on the record are moved in front of the sum, and sums with the same
factor in front become one: l + sum(x - l) - sum(x) is l - l*size.

If every record is kept independently with its own probability k(x, eps), then S = sum(f) has the
expectation sum(k f), and E[S T] = sum(k f) sum(k g) + sum(k (1 - k) f g) for T = sum(g).

>>> from ahdp_verify.kernel.numbers.algebra import symbol
>>> from ahdp_verify.kernel.terms.expression import name, sum_over_records
>>> x, l = name("x"), name("l")
>>> table = RecordSums(("x", "eps"), {sum_over_records(x - l): name("@1")})
>>> print(table.gathered(symbol("l") + symbol("@1") - table.symbol(sum_over_records(x)), Context.empty()))
l - l*size
>>> print(table.gathered(table.kept(table.symbol(sum_over_records(x)) ** 2, name("eps")), Context.empty()))
sum(eps*x)^2 + sum(eps*x^2*(1 - eps))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import (
    Monomial,
    Polynomial,
    Ratio,
    constant,
    polynomial_of_monomial,
    primitive_part,
    reduced_ratio,
    symbol,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.terms.expression import (
    ONE,
    Expression,
    add,
    multiply,
    name,
    negative,
    number,
    substitute,
    sum_over_records,
    walk,
)
from ahdp_verify.search.simplify import shortest_form


@dataclass(slots=True)
class RecordSums:
    """Record aggregates and the names that stand for them; `bound` are the names of parts of a
    record.
    """

    bound: tuple[str, ...]
    nodes: dict[Expression, Expression] = field(default_factory=dict)
    prefix: str = "#d"  # of new names

    def symbol(self, node: Expression) -> Ratio:
        """The name of an aggregate, a new one where there is none yet."""
        if node not in self.nodes:
            self.nodes[node] = name(f"{self.prefix}{len(self.nodes) + 1}")
        return symbol(self.nodes[node].args[0])

    def back(self, e: Expression) -> Expression:
        """An expression with the aggregates in place of their names."""
        return substitute(
            e, {v.args[0]: node for node, v in self.nodes.items() if v.head == "name"}
        )

    def of_names(self, used: frozenset[str]) -> list[Expression]:
        """The aggregates whose names are used."""
        return [node for node, v in self.nodes.items() if v.head == "name" and v.args[0] in used]

    def gathered(self, r: Ratio, here: Context) -> Expression:
        """The ratio with its aggregates, sums with the same factor in front as one."""
        inner, found = RecordSums(self.bound, prefix="@d"), r
        try:
            for node in self.of_names(algebra.ratio_names(r)):
                found = algebra.replace_name(
                    found, self.nodes[node].args[0], inner.split(node, here)
                )
        except Unsupported:  # a sum stands inside an absolute value or an exponential integral
            return self.back(to_expression(r))
        return inner.joined(found)

    def split(self, node: Expression, here: Context) -> Ratio:
        """A sum as a sum of factors, free of the record, times sums with bodies of leading
        coefficient 1.
        """
        found = constant(0)
        for outer, body in self.parts(node, here):
            found = found + outer * self.symbol(body)
        return found

    def parts(self, node: Expression, here: Context) -> Iterator[tuple[Ratio, Expression]]:
        """(factor, sum) with the node as the sum of the products; the node itself where its body
        has no canonical form.
        """
        r = _canonical_body(node.args[0], here) if node.head == "sum" else None
        if r is None or r.is_zero:
            yield (constant(1), node) if r is None else (constant(0), sum_over_records(ONE))
            return
        outer_den = tuple(
            (f, k) for f, k in r.den if algebra.polynomial_names(f).isdisjoint(self.bound)
        )
        inner_den = tuple(p for p in r.den if p not in outer_den)
        grouped: dict[Monomial, Polynomial] = {}
        for m, c in r.num.terms.items():
            free = Monomial(p for p in m.powers if algebra.atom_names(p[0]).isdisjoint(self.bound))
            grouped[free] = grouped.get(free, algebra.ZERO) + polynomial_of_monomial(
                Monomial(p for p in m.powers if p not in free.powers), c
            )
        for free, p in grouped.items():
            c = primitive_part(p)[0]
            yield (
                Ratio(polynomial_of_monomial(free, c), outer_den),
                sum_over_records(to_expression(Ratio(p.scale(1 / c), inner_den))),
            )

    def joined(self, r: Ratio) -> Expression:
        """The ratio with sums that occur once and have the same factor in front as one sum."""
        mine = {v.args[0]: node for node, v in self.nodes.items()}
        if any(not algebra.polynomial_names(f).isdisjoint(mine) for f, _ in r.den):
            return self.back(to_expression(r))
        linear: dict[Monomial, list[tuple[Expression, Fraction]]] = {}
        rest = algebra.ZERO
        for m, c in r.num.terms.items():
            own = [(a, e) for a, e in m.powers if not algebra.atom_names(a).isdisjoint(mine)]
            if (
                len(own) == 1
                and own[0][1] == 1
                and own[0][0].kind == "name"
                and mine[own[0][0].payload].head == "sum"
            ):
                linear.setdefault(Monomial(p for p in m.powers if p not in own), []).append(
                    (mine[own[0][0].payload].args[0], Fraction(c))
                )
            else:
                rest = rest + polynomial_of_monomial(m, c)
        fronts = (
            (reduced_ratio(polynomial_of_monomial(m), dict(r.den)), *_body(pairs))
            for m, pairs in linear.items()
        )
        terms = [
            multiply(to_expression(front.scale(c)), sum_over_records(b))
            for front, c, b in fronts
            if c
        ]
        return (
            self.back(
                add(
                    *([to_expression(reduced_ratio(rest, dict(r.den)))] if rest.terms else []),
                    *terms,
                )
            )
            if rest.terms or terms
            else number(0)
        )

    def kept(self, r: Ratio, keep: Expression) -> Ratio:
        """The expectation of a formula of degree at most 2 in sums, where each record is kept
        with probability `keep` (x, eps).
        """
        mine = {v.args[0]: node for node, v in self.nodes.items() if v.head == "name"}
        if any(not algebra.polynomial_names(f).isdisjoint(mine) for f, _ in r.den):
            raise Unsupported("a divisor depends on which records are kept")
        found = constant(0)
        for m, c in r.num.terms.items():
            own = [p for p in m.powers if not algebra.atom_names(p[0]).isdisjoint(mine)]
            if (
                any(a.kind != "name" for a, _ in own)
                or sum(int(e) for _, e in own) > 2
                or any(mine[a.payload].head != "sum" for a, _ in own)
            ):
                raise Unsupported(
                    "the formula is not a polynomial of degree at most 2 in record sums"
                )
            bodies = [mine[a.payload].args[0] for a, e in own for _ in range(int(e))]
            found = found + Ratio(
                polynomial_of_monomial(Monomial(p for p in m.powers if p not in own), c), r.den
            ) * self._expected(bodies, keep)
        return found

    def _expected(self, bodies: list[Expression], keep: Expression) -> Ratio:
        found = constant(1)
        for f in bodies:
            found = found * self.symbol(sum_over_records(multiply(keep, f)))
        if len(bodies) == 2:
            found = found + self.symbol(
                sum_over_records(multiply(keep, add(ONE, negative(keep)), *bodies))
            )
        return found


def _body(pairs: list[tuple[Expression, Fraction]]) -> tuple[Fraction, Expression]:
    """(c, b) with c b the sum of multiples of bodies; short where they have a canonical form,
    and c = 0 where they cancel.
    """
    found = add(*(multiply(number(c), b) for b, c in pairs))
    r = _canonical_body(found, Context.empty())
    if r is None:
        return Fraction(1), found
    c = primitive_part(r.num)[0]
    return (c, shortest_form(to_expression(r.scale(1 / c)), Context.empty())) if c else (c, found)


def _canonical_body(body: Expression, here: Context) -> Ratio | None:
    """The canonical form of the body of a sum, None where it has none that is readable: min and max
    would be written with absolute values.
    """
    if any(node.head in ("min", "max") for node in walk(body)):
        return None
    try:
        return normal(body, here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
