"""The library: two releases about the patients of a clinic, each a record (age group, privacy
demand).
"""

from __future__ import annotations

from ahdp_verify import Abs, Domain, Mechanism, exp, number, real

SCALE = number(1)  # of the Laplace noise on a count; half of it would spend twice the level

PATIENTS = Domain([(0, "1/2"), (1, 1), (2, 2)])


def noisy_count(scale: object = SCALE) -> Mechanism:
    """The number of patients, with Laplace noise."""
    n = real("n")
    return Mechanism(
        PATIENTS,
        outputs=[n],
        density=exp(-Abs(n - PATIENTS.size) / scale) / (2 * scale),
        name="noisy count",
    )


def weighted_sum() -> Mechanism:
    """The sum of age groups, each weighted by half the demand of the record."""
    s = real("s")
    total = PATIENTS.sum(lambda x, eps: eps * x / 2)
    return Mechanism(
        PATIENTS, outputs=[s], density=exp(-Abs(s - total) / 2) / 4, name="weighted sum"
    )
