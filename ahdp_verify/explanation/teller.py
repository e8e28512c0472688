"""The state of an explanation: the lines so far, how state names are shown, and the line in which
each fact appears.

>>> from ahdp_verify.kernel.numbers.algebra import constant, symbol
>>> here = Context.empty().given(symbol("@1").num, ">=").given(symbol("b").num, ">")
>>> teller = Teller(LineWriter(), {"@1": name("S")})
>>> lines = teller.introduced(here, lambda i, fact: "known")
>>> teller.sure(symbol("b") + constant(1), ">", here, lines)
'by its sign, from (2)'
>>> teller.lines.done[0].text
'S >= 0'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ahdp_verify.decimals import decimal
from ahdp_verify.explanation.numbered_lines import (
    ComparisonPiece,
    LinePiece,
    LineWriter,
    comparison_piece,
)
from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Products
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context, Fact, sign_of
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.terms.expression import (
    Expression,
    add,
    exp,
    multiply,
    name,
    names,
    number,
    substitute,
    transform,
)
from ahdp_verify.kernel.terms.printing import is_reciprocal

Facts = dict[int, str]  # the line in which each fact of a context stands, by the fact's number
LARGEST = 24  # most facts among which a sufficient subset is sought: each trial is a sign query


@dataclass(slots=True)
class Teller:
    """The lines, the expressions shown for state names, and the lines of the facts introduced in
    the current part.
    """

    lines: LineWriter
    spoken: dict[str, Expression] = field(default_factory=dict)
    stands: dict[Fact, str] = field(default_factory=dict)

    def afresh(self, spoken: dict[str, Expression]) -> Teller:
        """A teller that appends to the same lines, with names and facts of its own."""
        return Teller(self.lines, spoken)

    def show(self, e: Expression) -> Expression:
        """e with the names by which the states were introduced."""
        return substitute(e, self.spoken) if self.spoken and names(e) & set(self.spoken) else e

    def ratio(self, r: Ratio) -> Expression:
        """A ratio as an expression."""
        return self.show(merge_exponentials(to_expression(r)))

    def fact(self, p: Polynomial, relation: str) -> ComparisonPiece:
        """p `relation` 0."""
        return comparison_piece(self.ratio(Ratio(p)), relation, to_expression(algebra.constant(0)))

    def compare(self, r: Ratio, relation: str) -> ComparisonPiece:
        """r `relation` 0."""
        return comparison_piece(self.ratio(r), relation, to_expression(algebra.constant(0)))

    def tell(self, reason: str, *parts: LinePiece) -> str:
        """The number of a new line."""
        return self.lines.add(reason, *parts)

    def introduced(self, here: Context, source: Callable[[int, Fact], str]) -> Facts:
        """The lines of all facts of a context; new facts get a line."""
        for i, fact in enumerate(here.facts):
            if fact not in self.stands:
                self.stands[fact] = self.tell(
                    source(i, fact), self.fact(fact.polynomial, fact.relation)
                )
        return {i: self.stands[fact] for i, fact in enumerate(here.facts)}

    def sure(self, r: Ratio, relation: str, here: Context, known: Facts) -> str:
        """The reason for the sign of r, with facts that suffice for it."""
        if not algebra.ratio_names(r):
            return "a constant" if r.as_rational is not None else f"a constant, about {decimal(r)}"
        used = sufficient_facts(
            lambda context: context.ratio_signs(r) <= OF_RELATION[relation],
            here,
            algebra.ratio_names(r),
        )
        if used is None:
            return "by the signs of its parts"
        return "by its sign" + (f", from {number_list([known[i] for i in used])}" if used else "")


def merge_exponentials(e: Expression) -> Expression:
    """e with one exponential in each product, and products of products flat."""
    return transform(e, _merged)


def _merged(e: Expression) -> Expression | None:
    if e.head != "*":
        return None
    factors = [
        f
        for a in (merge_exponentials(a) for a in e.args)
        for f in (a.args if a.head == "*" else (a,))
    ]
    exponents = [f.args[0] for f in factors if f.head == "exp"]
    rest = [f for f in factors if f.head != "exp"]
    numbers, others = (
        [f for f in rest if f.head == "number"],
        [f for f in rest if f.head != "number"],
    )
    together = [exp(over_common_divisor(exponents))] if exponents else []
    below = [f for f in others if is_reciprocal(f)]
    return multiply(*numbers, *together, *(f for f in others if not is_reciprocal(f)), *below)


def over_common_divisor(terms: list[Expression]) -> Expression:
    """The sum of terms, as one fraction if all have the same divisor."""
    parts = [t.args if t.head == "*" else (t,) for t in terms]
    divisors = {tuple(f for f in p if is_reciprocal(f)) for p in parts}
    if len(divisors) != 1 or divisors == {()}:
        return add(*terms)
    (divisor,) = divisors
    return multiply(
        add(*(multiply(number(1), *(f for f in p if not is_reciprocal(f))) for p in parts)),
        *divisor,
    )


def sufficient_facts(
    test: Callable[[Context], bool], here: Context, about: frozenset[str] | set[str]
) -> list[int] | None:
    """The numbers of facts that suffice for a test, none of which can be dropped; None if they were
    not found.
    """
    used = [i for i, f in enumerate(here.facts) if algebra.polynomial_names(f.polynomial) & about]
    for few in ([], *([i] for i in reversed(used))):
        if is_sufficient(test, here, few):
            return few
    if len(used) > LARGEST or not is_sufficient(test, here, used):
        used = list(range(len(here.facts)))
        if len(used) > LARGEST or not is_sufficient(test, here, used):
            return None
    for i in list(used):
        fewer = [j for j in used if j != i]
        if is_sufficient(test, here, fewer):
            used = fewer
    return used


def is_sufficient(test: Callable[[Context], bool], here: Context, used: list[int]) -> bool:
    """Whether a test succeeds if only these facts are known."""
    context = Context.empty(here.integers)
    try:
        for i in used:
            context = context.given(here.facts[i].polynomial, here.facts[i].relation)
        return test(context)
    except (Undecided, Unsupported, ZeroDivisionError):
        return False


def number_list(numbers: list[str]) -> str:
    """(1), (2) and (3.1)."""
    shown = [f"({n})" for n in dict.fromkeys(numbers)]
    return (
        ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + shown[-1]
        if shown
        else "nothing"
    )


def products_text(proof: Products, known: Facts) -> str:
    """A sum of products of facts, by the numbers of their lines."""
    terms = []
    for c, facts in proof.terms:
        factors = [f"({known[i]})" for i in facts]
        terms.append(
            "*".join(
                factors
                if c == 1 and factors
                else [str(c) if c.denominator == 1 else f"({c})", *factors]
            )
        )
    return " + ".join(terms) or "0"


def explain_identity(r: Ratio, proof: Products, here: Context, known: Facts, teller: Teller) -> str:
    """Why r >= 0: it, or it times its divisors, is a sum of products of facts."""
    if not r.den:
        return f"it equals {products_text(proof, known)}"
    divisor, direction = algebra.constant(1), 1
    for f, k in r.den:
        divisor, direction = divisor * Ratio(f) ** k, direction * sign_of(f, here) ** k
    shown = teller.ratio(divisor if direction > 0 else -divisor)
    return f"times {shown}, which is > 0, it equals {products_text(proof, known)}"


def state_name(text: str, j: int, many: bool) -> Expression:
    """S, or S[j] where there are several."""
    return name(f"{text}[{j}]" if many else text)
