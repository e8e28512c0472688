"""The peaks of a log ratio, against its values in floating point."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import Abs, exp
from ahdp_verify.search.loss.linear_peaks import is_confirmed_peak, output_peaks

EMPTY, s = Context.empty(), real("s")


@given(st.fractions(-2, 2, max_denominator=4), st.fractions("1/4", 3, max_denominator=4))
def test_peaks_are_values_of_the_log_ratio(shift: Fraction, scale: Fraction) -> None:
    """Any output's log ratio, computed in floating point, stays below the largest peak; the
    checker's rule confirms the finite ones.
    """
    dominated, dominating = (
        Dominated(exp(-Abs(s - shift) / scale) / (2 * scale)),
        Dominating(exp(-Abs(s)) / 2),
    )
    found = list(output_peaks(dominated, dominating, s, EMPTY))
    assert all(p.value is None or is_confirmed_peak(p) for p in found)
    top = max(
        (float(approximate_rational(p.value)) if p.value is not None else math.inf for p in found),
        default=0.0,
    )
    for i in range(-40, 41):
        assert abs(i / 4) - abs(i / 4 - shift) / scale - math.log(scale) <= top + 1e-9
