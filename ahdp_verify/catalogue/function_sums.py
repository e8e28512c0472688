"""Sums over all records of a function of their value in [0, 1], with Laplace noise for its range.

Replacing one record changes the sum by f(x) - f(y), at most the largest value of f less its least.
That may lie inside: x (1 - x) is largest at 1/2, (x - m)^2 vanishes at m.

>>> from ahdp_verify.analysis.levels.tighten import tighten
>>> M = function_sum("x*(1 - x)", "1/4")
>>> print(M.density, "|", *(row.level for row in tighten(M, "swap").rows))
2*exp(-4*e*abs(s - sum(x*(1 - x))))*e | e
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from ahdp_verify.catalogue.entry import (
    Entry,
    MechanismEntry,
    Number,
    expect_all,
    expect_exact_level,
    expect_refuted,
    noise_title,
)
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import expression, name
from ahdp_verify.kernel.terms.grammar import parse

E = name("e")
NONE: Mapping[str, str] = MappingProxyType({})


def function_sum(
    f: str, change: str, *, noise: Number = 1, parameters: Mapping[str, str] = NONE
) -> Mechanism:
    """The sum of f(x) + L(noise change/e) over any records with x in [0, 1].

    f            a function of x and of the parameters, in the grammar of mechanism files
    change       positive, a bound of f(x) - f(y)
    noise        factor on the scale
    parameters   further names with conditions
    Level for swaps: e/noise times the greatest f(x) - f(y) over the change.
    """
    rate = f"e/({change})" if noise == 1 else f"e/(({noise})*({change}))"
    given = {"e": "e > 0", **parameters}
    return Mechanism(
        Domain.universal({"x": "0 <= x <= 1"}, parameters=given),
        outputs=[real("s")],
        density=parse(f"exp(-({rate})*abs(s - sum({f})))*({rate})/2"),
        parameters=given,
        name=noise_title(f"sum of {f}", noise),
    )


def entries_of(
    handle: str, f: str, change: str, *, parameters: Mapping[str, str] = NONE, least: object = E
) -> tuple[MechanismEntry, MechanismEntry]:
    """A sum with the right noise, of the level `least`, and its twin with half of it."""
    known, source = expression(least), "DPriv-Bench, category 1"
    half = Fraction(1, 2)
    return (
        Entry(
            f"sum-{handle}",
            f"the sum of {f} over values in [0, 1], with noise for its range",
            source,
            lambda: function_sum(f, change, parameters=parameters),
            expect_exact_level("swap", known),
        ),
        Entry(
            f"sum-{handle}-half",
            f"broken twin of sum-{handle}: half the noise",
            source,
            lambda: function_sum(f, change, noise=half, parameters=parameters),
            expect_all(
                expect_refuted("swap", E, 2 * known, "as stated"),
                expect_exact_level("swap", 2 * known),
            ),
        ),
    )


ENTRIES = (
    *entries_of("of-cubes", "x^3", "1"),
    *entries_of("of-logarithms", "log(1 + x)", "log(2)"),
    *entries_of("of-exponentials", "exp(x)", "exp(1) - 1"),
    *entries_of("of-sines", "sin(pi*x)", "1"),
    *entries_of("of-arctangents", "atan(x)", "pi/4"),
    *entries_of("of-bit-variances", "x*(1 - x)", "1/4"),
    *entries_of("of-reciprocals", "1/(1 + x^2)", "1/2"),
    *entries_of("of-distances-from-half", "abs(x - 1/2)", "1/2"),
    *entries_of(
        "of-squares-from-m",
        "(x - m)^2",
        "1",
        parameters={"m": "0 <= m <= 1"},
        least=parse("max(e*m^2, e*(m - 1)^2)"),
    ),
)
