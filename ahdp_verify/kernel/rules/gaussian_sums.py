"""Sums of discrete Gaussians, exp of a quadratic polynomial with a whole centre, over whole numbers.

       E(k) = -a (k - c)^2 + m      a > 0      c, u and v whole
    ---------------------------------------------------------------
    sum of exp(E(k)) over u <= k < v  =  exp(m) (T(v - c) - T(u - c))

    T(n) = sum of exp(-a j^2) over whole j < n,     T(-oo) = 0,     T(oo) = theta3(a)

theta3(a), the sum over all whole j, is Jacobi's theta_3(0, exp(-a)).  By symmetry T(0) is
(theta3(a) - 1)/2, so at a number n, T is this and finitely many exponentials.

>>> from ahdp_verify.kernel.numbers.algebra import symbol
>>> here, k = Context.empty(frozenset("k")), symbol("k")
>>> term = exp_of((-k * k + k.scale(2)).scale(Fraction(1, 8)))
>>> gaussian_sum(term, "k", (constant(2), None), here).key
'-1/2*exp(1)^(1/8) + 1/2*exp(1)^(1/8)*theta3(1/8)'
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import is_whole, require_positive
from ahdp_verify.kernel.numbers.smooth import function_value
from ahdp_verify.kernel.rules.accepting import rely_on

HALF = Fraction(1, 2)
MOST = 4096  # terms of a finite sum


def gaussian_sum(
    term: Ratio, variable: str, ends: tuple[Ratio | None, Ratio | None], here: Context
) -> Ratio:
    """The sum of a term from the first end to before the second one, None for an infinite one;
    Undecided or Unsupported unless it is a factor times exp(-a (k - c)^2 + m) as above.
    """
    ((monomial, c),) = term.num.terms.items()
    rest, exponent = algebra.split_exponent(monomial, variable)
    factor = Ratio(algebra.polynomial_of_monomial(rest, c), term.den)
    at = {i: algebra.replace_name(exponent, variable, constant(i)) for i in (-1, 0, 1)}
    a = require_positive(at[0] - (at[1] + at[-1]).scale(HALF), here)
    centre = (at[1] - at[-1]).scale(HALF) / a.scale(2)
    m, k = at[0] + a * centre * centre, symbol(variable) - centre
    free = variable not in algebra.ratio_names(factor) and (m - a * k * k - exponent).is_zero
    if not free or not is_whole(centre, here):
        raise Unsupported("an exponent was not found to be quadratic, with a whole centre")
    steps = [None if end is None else (end - centre).as_rational for end in ends]
    known = [
        end is None or (n is not None and n.denominator == 1)
        for n, end in zip(steps, ends, strict=True)
    ]
    if not all(known):
        raise Unsupported("an end of a sum is not at a known whole distance from the centre")
    rely_on("the rule of Gaussian sums")
    theta = function_value("theta3", a)
    first = constant(0) if steps[0] is None else _below(steps[0], a, theta)
    last = theta if steps[1] is None else _below(steps[1], a, theta)
    return factor * exp_of(m) * (last - first)


def _below(n: algebra.Rational, a: Ratio, theta: Ratio) -> Ratio:
    """The sum of exp(-a j^2) over whole j < n."""
    if not -MOST <= n <= MOST:
        raise Unsupported(f"an end of a sum is more than {MOST} from the centre")
    total = (theta - constant(1)).scale(HALF)
    for j in range(min(0, int(n)), max(0, int(n))):
        term = exp_of(a.scale(-(j * j)))
        total = total + (term if n > 0 else -term)
    return total
