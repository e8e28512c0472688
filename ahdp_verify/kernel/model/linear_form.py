"""Linear forms: rational multiples of names that move (noises, query answers, registers), plus a
constant in parameters.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> e = parse("q - 2*(rho + T)")
>>> form = linear_form(e, frozenset({"q", "rho"}), Context.empty(), "comparison")
>>> print(form, form.coefficients["rho"])
q - 2*rho - 2*T -2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Expression,
    add,
    multiply,
    name,
    names,
    negative,
    number,
    substitute,
)


@dataclass(frozen=True, slots=True)
class LinearForm:
    """The sum of coefficient * name over `terms` (in the order of the names, none is 0) and of
    `constant`, an expression in parameters.
    """

    terms: tuple[tuple[str, Fraction], ...]
    constant: Expression = ZERO

    @classmethod
    def of(cls, terms: Mapping[str, Fraction], constant: Expression = ZERO) -> LinearForm:
        """The form of a mapping from names to coefficients."""
        return cls(tuple(sorted((k, c) for k, c in terms.items() if c)), constant)

    @property
    def coefficients(self) -> dict[str, Fraction]:
        """The coefficient of each name that occurs."""
        return dict(self.terms)

    def __neg__(self) -> LinearForm:
        return LinearForm(tuple((k, -c) for k, c in self.terms), negative(self.constant))

    def minus(self, other: LinearForm) -> LinearForm:
        """The difference of two forms."""
        both = LinearForm((("first", Fraction(1)), ("second", Fraction(-1))))
        return both.at({"first": self, "second": other})

    def __str__(self) -> str:
        return str(self.expression)

    @property
    def expression(self) -> Expression:
        """The form as an expression."""
        parts = [name(k) if c == 1 else multiply(number(c), name(k)) for k, c in self.terms]
        return add(*parts, *([] if self.constant == ZERO and parts else [self.constant]))

    def at(self, values: Mapping[str, LinearForm]) -> LinearForm:
        """The form with each name in `values` replaced by the form given for it."""
        if not any(k in values for k, _ in self.terms):
            return self
        terms: dict[str, Fraction] = {}
        constants = [] if self.constant == ZERO else [self.constant]
        for key, c in self.terms:
            given = values.get(key)
            if given is None:
                terms[key] = terms.get(key, Fraction(0)) + c
                continue
            for inner, d in given.terms:
                terms[inner] = terms.get(inner, Fraction(0)) + c * d
            if given.constant != ZERO:
                constants.append(multiply(number(c), given.constant))
        return LinearForm.of(terms, add(*constants) if constants else ZERO)


def linear_form(e: Expression, moving: frozenset[str], here: Context, where: str) -> LinearForm:
    """The linear form of an expression in the moving names; BadInput if it is not known to be
    linear in them with rational coefficients, under what is known `here` of the parameters.
    """
    used = sorted(names(e) & moving)
    nothing = dict.fromkeys(used, ZERO)
    constant = substitute(e, nothing)
    try:
        at_zero = normal(constant, here)  # so it has a value
        if not used:
            return LinearForm((), constant)
        terms = {
            key: (normal(substitute(e, {**nothing, key: ONE}), here) - at_zero).as_rational
            for key in used
        }
        found = {key: c for key, c in terms.items() if c is not None}
        straight = LinearForm.of(found, constant)
        if len(found) == len(used) and normal(add(e, negative(straight.expression)), here).is_zero:
            return straight
    except (Undecided, Unsupported, ZeroDivisionError):
        pass
    if not used:
        text = f"{str(e)[:60]} is not known to have a value"
        raise BadInput(where, text, "give its parameters a condition")
    raise _not_linear(e, where)


def _not_linear(e: Expression, where: str) -> BadInput:
    return BadInput(
        where,
        f"{str(e)[:60]} is not linear in noises and query answers with rational coefficients",
        "compare and release sums of them, with numbers as factors",
    )
