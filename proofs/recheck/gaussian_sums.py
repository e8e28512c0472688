"""Section 5, pieces: sums of discrete Gaussians over whole numbers.

    E(k) = -a (k - c)^2 + m     a > 0     c whole     u - c and v - c whole numbers, or infinite
    --------------------------------------------------------------------------------------------
    the sum of exp(E(k)) over u <= k < v is exp(m) (T(v - c) - T(u - c))

T(n), the sum of exp(-a j^2) over whole j < n, is 0 at -oo and theta3(a) at oo.  By symmetry it is
(theta3(a) - 1)/2 at 0, from where it steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from recheck.forms import (
    ATOMS,
    NOTHING,
    UNIT,
    Form,
    Monomial,
    atom_number,
    by_powers,
    exp_of,
    of_atom,
    reduced,
    total,
)
from recheck.limits import cover, need
from recheck.signs import Context, is_whole
from recheck.trees import Number

FURTHEST = 4096  # from the centre, of an end of a sum


def is_gaussian(m: Monomial, n: str) -> bool:
    """Whether an exponent has a square of the output."""
    s = atom_number("name", n)
    inside = [ATOMS[a].of.top for a, _ in m if ATOMS[a].kind == "exp"]
    return any(dict(p).get(s) == 2 for exponent in inside for p in exponent.num)


def gaussian_total(
    m: Monomial, factor: Form, n: str, ends: Sequence[Form | None], here: Context
) -> Form:
    """The sum of the factor times the exponentials of the monomial that depend on the output."""
    exponent = total(
        ATOMS[a].of.scaled(e) for a, e in m if ATOMS[a].kind == "exp" and n in ATOMS[a].of.names
    )
    parts = by_powers(exponent.top, atom_number("name", n))
    need(set(parts) <= {(0,), (1,), (2,)}, "an exponent is not quadratic in its output")
    den = dict(exponent.den)
    free, slope, square = (reduced(parts.get((i,), NOTHING), dict(den)) for i in range(3))
    need(
        not any(n in f.names for f in (free, slope, square, factor)), "a sum depends on its output"
    )
    need(here.signs(square) == {-1}, "a discrete Gaussian does not decay")
    a = -square
    centre = slope / a.scaled(2)
    need(is_whole(centre, here), "the centre of a discrete Gaussian is not whole")
    low, high = (None if end is None else (end - centre).rational for end in ends)
    need(
        (low is None) == (ends[0] is None) and (high is None) == (ends[1] is None),
        "an end of a sum is not at a known distance from the centre",
    )
    first = NOTHING if low is None else below(low, a)
    last = of_atom("theta3", a) if high is None else below(high, a)
    return factor * exp_of(free + a * centre * centre) * (last - first)


def below(n: Number, a: Form) -> Form:
    """The sum of exp(-a j^2) over whole j < n."""
    cover(-FURTHEST <= n <= FURTHEST, "an end of a sum is far from the centre")
    half = (of_atom("theta3", a) - UNIT).scaled(Fraction(1, 2))
    whole = int(n)
    steps = range(whole) if whole > 0 else range(whole, 0)
    passed = total(exp_of(a.scaled(-j * j)) for j in steps)
    return half + passed if whole > 0 else half - passed
