"""Proofs that an expectation is infinite: a divisor vanishes where the density of an output is
positive.

Let the output n be independent of the other outputs, with a density g that is continuous at p and
positive there, and let N be a polynomial in the outputs that is not 0 for n = p.  A polynomial that
is not 0 vanishes with probability 0 where outputs have a density.  So for some d > 0 the other
outputs lie, with a probability P > 0, in a bounded set where |N| > d for all n close to p, and
there g > g(p)/2.  Hence E|N / (n - p)^j| is at least P d g(p)/2 times the integral of |n - p|^-j
over an interval around p, which is infinite for j >= 1.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.outputs import real
>>> m, n = real("m"), real("n")
>>> law = IntegrableLaw((m, n), exp(-Abs(m - name("a"))) / 2 * exp(-Abs(n - name("c"))) / 2)
>>> found = find_infinite_mean(m / n, law, Context.empty())
>>> print(found.output, found.at, found.density, found.of)
n 0 exp(-abs(c))/2 m/n
>>> find_infinite_mean((n * n - n) / n, law, Context.empty()) is None
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ahdp_verify.analysis.moments.expectation import (
    IntegrableLaw,
    poles,
    powers_as_products,
    total_over_output,
)
from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, name_atom, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.terms.expression import Expression, names, substitute, walk

CONTINUOUS = ("number", "name", "pi", "+", "*", "exp", "abs", "min", "max")


@dataclass(frozen=True, slots=True)
class InfiniteMean:
    """That E|of| is infinite: `of` has a pole where `output` is `at`, and there its density is
    continuous and has the value `density` > 0.
    """

    of: Expression
    output: str
    at: Expression
    density: Expression

    @property
    def reason(self) -> str:
        """The reason, as a clause."""
        return f"the density of {self.output} is continuous and positive at {self.at}"

    def __str__(self) -> str:
        return (
            f"E|{self.of}| is infinite: {self.reason}, where it is {self.density}, so at least "
            f"half of that on an interval around it, while the divisor vanishes there"
        )


def find_infinite_mean(of: Expression, law: IntegrableLaw, here: Context) -> InfiniteMean | None:
    """The reason why E|of| is infinite, or None where no such reason is found."""
    of, reals = powers_as_products(of), [o for o in law.outputs if o.kind == "real"]
    if law.atoms or len(reals) != len(law.outputs):
        return None
    for output in reals:
        for at in _listed(of, output, frozenset(o.name for o in reals), here):
            try:
                value = density_at(output, at, law, here)
                if value is not None and has_pole(of, output, at, law, here):
                    return InfiniteMean(of, output.name, to_expression(at), to_expression(value))
            except (Undecided, Unsupported, ZeroDivisionError):
                continue
    return None


def _listed(
    of: Expression, output: Output, outputs: frozenset[str], here: Context
) -> Iterator[Ratio]:
    """The poles that depend on no output."""
    try:
        yield from (
            at for at in poles(of, output, here) if algebra.ratio_names(at).isdisjoint(outputs)
        )
    except (Undecided, Unsupported, ZeroDivisionError):
        return


def density_at(output: Output, at: Ratio, law: IntegrableLaw, here: Context) -> Ratio | None:
    """The density of an output at a point, where it is shown to be independent of the other
    outputs, continuous, and positive there; else None.
    """
    listed = [o.name for o in law.outputs]
    groups = dict(zip(listed, factors_by_output(law.density, tuple(listed))[1], strict=True))
    own = groups[output.name]
    others = [o for o in listed if o != output.name]
    if (
        not names(own).isdisjoint(others)
        or any(output.name in names(groups[o]) for o in others)
        or not _is_continuous(own, output.name)
    ):
        return None
    value = normal(substitute(own, {output.name: to_expression(at)}), here) / total_over_output(
        own, output, here
    )
    return value if here.ratio_signs(value) == {1} else None


def _is_continuous(e: Expression, variable: str) -> bool:
    """True only if e is continuous in the variable, by how it is written: divisors are free of
    it.
    """
    if variable not in names(e):
        return True
    return e.head in CONTINUOUS and all(
        _is_continuous(a, variable) for a in e.args if isinstance(a, Expression)
    )


def has_pole(of: Expression, output: Output, at: Ratio, law: IntegrableLaw, here: Context) -> bool:
    """True only if, right of the point, `of` is N / (c (output - at)^j) with j >= 1 and a
    polynomial N in the outputs that is not 0 at the point.
    """
    beyond = here.given((symbol(output.name) - at).num, ">")
    if at.den or any(
        output.name in names(node)
        for node in walk(of)
        if node.head in ("floor", "piecewise", "mod")
    ):
        return False
    r = normal(of, beyond)
    divisors = [f for f, _ in r.den if output.name in algebra.polynomial_names(f)]
    outputs = frozenset(o.name for o in law.outputs)
    if len(divisors) != 1 or any(
        not algebra.polynomial_names(f).isdisjoint(outputs) for f, _ in r.den if f not in divisors
    ):
        return False
    split = algebra.linear_coefficients(divisors[0], output.name)
    if (
        split is None
        or not (Ratio(-split[1]) / Ratio(split[0]) - at).is_zero
        or not algebra.polynomial_names(split[0]).isdisjoint(outputs)
    ):
        return False
    return _is_polynomial(r.num, outputs) and _is_nonzero(
        algebra.replace_name(Ratio(r.num), output.name, at).num, outputs, here
    )


def _is_polynomial(p: Polynomial, outputs: frozenset[str]) -> bool:
    """True only if outputs occur in p as powers of their names and nowhere else."""
    return all(
        a.kind == "name" or algebra.atom_names(a).isdisjoint(outputs)
        for m in p.terms
        for a, _ in m.powers
    )


def _is_nonzero(p: Polynomial, outputs: frozenset[str], here: Context) -> bool:
    """True only if one of the coefficients of p, as a polynomial in outputs, is not 0."""
    own = frozenset(name_atom(o) for o in outputs)
    table: dict[algebra.Monomial, Polynomial] = {}
    for m, c in p.terms.items():
        key = algebra.Monomial(pair for pair in m.powers if pair[0] in own)
        table[key] = table.get(key, algebra.ZERO) + algebra.polynomial_of_monomial(
            algebra.Monomial(pair for pair in m.powers if pair[0] not in own), c
        )
    return any(0 not in here.signs(c) for c in table.values())
