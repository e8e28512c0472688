"""Words for the laws of outputs: noise, choices, what is done to them, and mechanisms made of them.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> W = Domain([(0, 1), (1, 1)])
>>> print(mechanism(W, clamp(laplace(W.size, 1), 0, 10)).atoms[0][1])
piecewise((exp(-size)/2, 0 <= size), (1 - exp(size)/2, true))
"""

from __future__ import annotations

from ahdp_verify.laws.building import mechanism, repeat
from ahdp_verify.laws.law import Law
from ahdp_verify.laws.noise import geometric, laplace, staircase, uniform
from ahdp_verify.laws.processing import clamp, rounded, truncate
from ahdp_verify.laws.selection import exponential_mechanism, randomised_response

__all__ = (
    "Law",
    "clamp",
    "exponential_mechanism",
    "geometric",
    "laplace",
    "mechanism",
    "randomised_response",
    "repeat",
    "rounded",
    "staircase",
    "truncate",
    "uniform",
)
