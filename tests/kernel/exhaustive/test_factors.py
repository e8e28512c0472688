"""Laws on a grid against 60 digits of mpmath, and the error of their floats."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.exhaustive.arrays import LIMIT, np
from ahdp_verify.kernel.exhaustive.factors import FactoredLaw, approximate_logarithm, factored_law
from ahdp_verify.kernel.exhaustive.grid import Grid
from ahdp_verify.kernel.exhaustive.linear_values import linear_entry
from ahdp_verify.kernel.terms.expression import Abs, Expression, exp, log, name, number, piecewise
from tests import oracle
from tests.kernel.exhaustive.test_grid import AXES, OUTPUTS, ROWS, entry, grid, points
from tests.strategies import arithmetic, conditions
from tests.sweeps import examples


def value(found: FactoredLaw, here: Grid, i: int, j: int) -> mpf:
    """The exact value at one place in 60 digits."""
    result = mp.exp(
        oracle.of_ratio(
            linear_entry(
                found.exponent, [entry(p.column, i, j) for p in found.exponent.parts.values()]
            ),
            {},
        )
    )
    for ids in found.tables:
        result *= abs(oracle.of_ratio(here.constants.ratios[entry(ids, i, j)], {}))
    for w in found.whole:
        assert 0 < entry(w.column, i, j) <= w.bound
        result *= mpf(entry(w.column, i, j)) ** w.power
    return result * entry(found.sign, i, j)


@st.composite
def laws(draw: st.DrawFn, depth: int = 3) -> Expression:
    """Trees of the forms that laws have: products, powers, exponentials, branches, and anything."""
    kind = draw(st.integers(0, 5)) if depth else 5
    if kind == 0:
        return draw(laws(depth - 1)) * draw(laws(depth - 1))
    if kind == 1:
        return exp(draw(arithmetic(("s", "t"), 2)))
    if kind == 2:
        return draw(laws(depth - 1)) ** draw(st.sampled_from([-2, -1, 2]))
    if kind == 3:
        return piecewise(
            (draw(laws(depth - 1)), draw(conditions(("s", "t"), 1))), (draw(laws(depth - 1)), True)
        )
    if kind == 4:
        return number(draw(st.sampled_from([Fraction(1, 2), Fraction(3)]))) ** draw(
            arithmetic(("s", "t"), 1)
        )
    return draw(arithmetic(("s", "t"), 2))


@settings(max_examples=examples(150, 8), deadline=None)
@given(laws(), *AXES)
def test_a_law_has_the_right_values(
    e: Expression, rows: list[Fraction], outputs: list[Fraction]
) -> None:
    here = grid(rows, outputs)
    try:
        found = factored_law(e, here)
        approximate, size, terms = approximate_logarithm(found, here.constants)
    except (Unsupported, ZeroDivisionError):
        return
    for i, j, point in points(rows, outputs):
        try:
            expected = oracle.value(e, point)
        except (oracle.Undefined, oracle.Doubtful, KeyError, AttributeError):
            continue
        exact = value(found, here, i, j)
        assert oracle.near(exact, expected), (str(e), point)
        if exact:
            gap = abs(
                mpf(float(np.broadcast_to(approximate, (ROWS, OUTPUTS))[i, j])) - mp.log(abs(exact))
            )
            assert gap <= (terms + 64) * mpf(2) ** -52 * (size + 1), (str(e), point)


def test_usual_laws_are_worked_out_in_arrays_alone() -> None:
    here = grid([Fraction(n, 2) for n in range(40)], [Fraction(n) for n in range(50)])
    s, t = name("s"), name("t")
    for e in (
        exp(-Abs(s - t) / 3) * piecewise((1, s <= 0), (1 - exp(-1), True)),
        number(Fraction(1, 2)) ** Abs(s - t),
        (1 + s) / (2 + t),
        exp(log(3) * Abs(s - t * log(2))),
    ):
        factored_law(e, here)
    assert len(here.constants.ratios) < 12  # and not one for each of the 2000 entries


def test_an_undefined_entry_counts_only_where_it_is_needed() -> None:
    here = grid(
        [Fraction(0), Fraction(1), Fraction(2)],
        [Fraction(0), Fraction(1), Fraction(2), Fraction(3)],
    )
    s, t = name("s"), name("t")
    safe = piecewise((1, s <= t), (1 / (s - t), True))
    assert oracle.near(value(factored_law(safe, here), here, 0, 2), mpf(1) / 2)
    for unsafe in (1 / (s - t), piecewise((1, s < t), (1 / (s - t), True)), (s - t) ** -2):
        with pytest.raises(ZeroDivisionError):
            factored_law(unsafe, here)
    factored_law(1 / (s - t), here, np.array([[i != j for j in range(4)] for i in range(3)]))
    with pytest.raises(Unsupported):
        factored_law(piecewise((1, s < t)), here)
    with pytest.raises(Unsupported):
        factored_law(log(s - t), here)


def test_whole_numbers_that_do_not_fit_become_constants() -> None:
    here = grid(
        [Fraction(LIMIT - 1), Fraction(1), Fraction(3)],
        [Fraction(LIMIT - 1), Fraction(2), Fraction(5), Fraction(7)],
    )
    found = factored_law(name("s") * name("t") * (name("s") + name("t")), here)
    mp.dps = 60
    assert value(found, here, 0, 0) == mpf(LIMIT - 1) ** 2 * (2 * mpf(LIMIT - 1))
    assert value(found, here, 2, 3) == 3 * 7 * 10


def test_signs_multiply() -> None:
    here = grid(
        [Fraction(-1), Fraction(0), Fraction(2)],
        [Fraction(-3), Fraction(0), Fraction(1), Fraction(2)],
    )
    found = factored_law(name("s") * name("t") * -2, here)
    assert [[entry(found.sign, i, j) for j in range(OUTPUTS)] for i in range(ROWS)] == [
        [-1, 0, 1, 1],
        [0, 0, 0, 0],
        [1, 0, -1, -1],
    ]
