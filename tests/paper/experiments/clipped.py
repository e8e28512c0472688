"""An oracle for quotients with clipped denominator, by mpmath's quadrature: no code of the package
is used.
"""

from __future__ import annotations

import mpmath


def inverse_moment(c: float, k: int, d: float = 1.0) -> float:
    """E[max(c + L(d), 1)^-k]."""
    with mpmath.workdps(20):
        cuts = sorted(
            {
                mpmath.mpf(1),
                *([mpmath.mpf(c)] if c > 1 else []),
                mpmath.mpf(max(c, 1)) + 10 * d,
                mpmath.inf,
            }
        )
        above = mpmath.quad(lambda s: s**-k * mpmath.exp(-abs(s - c) / d) / (2 * d), cuts)
        below = mpmath.exp((1 - c) / d) / 2 if c > 1 else 1 - mpmath.exp((c - 1) / d) / 2
        return float(above + below)
