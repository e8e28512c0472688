"""Why an expectation is infinite: a divisor that vanishes where the density of an output is positive.

Let the law of the output n be independent of the other outputs, with a density g that is continuous at p and positive there.  Then g >= g(p)/2
on an interval around p, however short, so that E|N / (n - p)^j| >= E|N| g(p)/2 times the integral of |n - p|^-j over the interval, which
is infinite for j >= 1, provided that N, a function of the other outputs, is not 0 almost surely.  A polynomial in outputs that have a
density is 0 with probability 0 unless all its coefficients are.

>>> from ahdp_verify.expression import Abs, exp, name
>>> from ahdp_verify.mechanism import real
>>> m, n = real("m"), real("n")
>>> law = Law((m, n), exp(-Abs(m - name("a"))) / 2 * exp(-Abs(n - name("c"))) / 2)
>>> found = why_infinite(m / n, law, Context.empty())
>>> print(found.output, found.at, found.density, found.of)
n 0 exp(-abs(c))/2 m/n
>>> why_infinite((n * n - n) / n, law, Context.empty()) is None
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ahdp_verify import algebra
from ahdp_verify.algebra import Polynomial, Ratio, name_atom, symbol
from ahdp_verify.context import Context, normal, to_expression
from ahdp_verify.errors import Undecided, Unsupported
from ahdp_verify.expectation import Law, over_output, poles
from ahdp_verify.expression import Expression, names, substitute, walk
from ahdp_verify.integrate import grouped
from ahdp_verify.mechanism import Output

CONTINUOUS = ("number", "name", "pi", "+", "*", "exp", "abs", "min", "max")


@dataclass(frozen=True, slots=True)
class InfiniteMean:
    """That E|of| is infinite: `of` has a pole where `output` is `at`, and there its density is continuous and has the value `density` > 0."""

    of: Expression
    output: str
    at: Expression
    density: Expression

    @property
    def reason(self) -> str:
        """The reason, as a clause."""
        return f"the density of {self.output} is continuous and positive at {self.at}"

    def __str__(self) -> str:
        return f"E|{self.of}| is infinite: {self.reason}, where it is {self.density}, so at least half of that on an interval around it, and the divisor vanishes there"


def why_infinite(of: Expression, law: Law, here: Context) -> InfiniteMean | None:
    """The reason why E|of| is infinite, or None where none of this kind is found."""
    reals = [o for o in law.outputs if o.kind == "real"]
    if law.atoms or len(reals) != len(law.outputs):
        return None
    for output in reals:
        for at in _listed(of, output, here):
            try:
                value = density_at(output, at, law, here)
                if value is not None and has_pole(of, output, at, law, here):
                    return InfiniteMean(of, output.name, to_expression(at), to_expression(value))
            except (Undecided, Unsupported, ZeroDivisionError):
                continue
    return None


def _listed(of: Expression, output: Output, here: Context) -> Iterator[Ratio]:
    try:
        yield from poles(of, output, here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return


def density_at(output: Output, at: Ratio, law: Law, here: Context) -> Ratio | None:
    """The density of an output at a point, where it is shown to be independent of the other outputs, continuous, and positive there; else None."""
    listed = [o.name for o in law.outputs]
    groups = dict(zip(listed, grouped(law.density, tuple(listed))[1], strict=True))
    own = groups[output.name]
    others = [o for o in listed if o != output.name]
    if not names(own).isdisjoint(others) or any(output.name in names(groups[o]) for o in others) or not continuous(own, output.name):
        return None
    value = normal(substitute(own, {output.name: to_expression(at)}), here) / over_output(own, output, here)
    return value if here.ratio_signs(value) == {1} else None


def continuous(e: Expression, variable: str) -> bool:
    """True only if e is continuous in the variable, by how it is written: divisors are free of it."""
    if variable not in names(e):
        return True
    return e.head in CONTINUOUS and all(continuous(a, variable) for a in e.args if isinstance(a, Expression))


def has_pole(of: Expression, output: Output, at: Ratio, law: Law, here: Context) -> bool:
    """True only if, right of the point, `of` is N / (c (output - at)^j) with j >= 1 and a polynomial N in the other outputs that is not 0."""
    beyond = here.given((symbol(output.name) - at).num, ">")
    if at.den or any(output.name in names(node) for node in walk(of) if node.head in ("floor", "piecewise", "mod")):
        return False
    r = normal(of, beyond)
    divisors = [f for f, _ in r.den if output.name in algebra.polynomial_names(f)]
    outputs = frozenset(o.name for o in law.outputs)
    if len(divisors) != 1 or any(not algebra.polynomial_names(f).isdisjoint(outputs) for f, _ in r.den if f not in divisors):
        return False
    split = algebra.linear(divisors[0], output.name)
    if split is None or not (Ratio(-split[1]) / Ratio(split[0]) - at).is_zero or not algebra.polynomial_names(split[0]).isdisjoint(outputs):
        return False
    return output.name not in algebra.polynomial_names(r.num) and not_zero(r.num, outputs, here)


def not_zero(p: Polynomial, outputs: frozenset[str], here: Context) -> bool:
    """True only if p is a polynomial in outputs one of whose coefficients is not 0."""
    own = frozenset(name_atom(o) for o in outputs)
    table: dict[algebra.Monomial, Polynomial] = {}
    for m, c in p.terms.items():
        if any(a not in own and not algebra.names_of(a).isdisjoint(outputs) for a, _ in m):
            return False
        key = tuple(pair for pair in m if pair[0] in own)
        table[key] = table.get(key, algebra.ZERO) + algebra.of_monomial(tuple(pair for pair in m if pair[0] not in own), c)
    return any(0 not in here.signs(c) for c in table.values())
