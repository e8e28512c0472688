"""The delta of Gaussian noise in random settings: ours, enclosed, against dp-accounting and autodp.

An accountant in floats may print less than the true delta; ours is between two numbers of which the
upper one is proved, and never below the true value.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from importlib.util import find_spec

from row import Row, measured

from ahdp_verify.analysis.divergence.delta import delta
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import exp, name, number, pi, sqrt

ABSENT = "not installed"
SETTINGS, SEED = 100, 19
DIGITS = 1e-9  # relative; the accountants add up floats
BITS = 256  # of an enclosure: deltas may be as small as 1e-40
Setting = tuple[Fraction, Fraction]  # standard deviation and level


def settings(count: int = SETTINGS) -> list[Setting]:
    """Standard deviations from 1/2 to 8 and levels from 0 to 4, drawn once for all."""
    rng = random.Random(SEED)
    return [
        (Fraction(rng.randint(50, 800), 100), Fraction(rng.randint(0, 400), 100))
        for _ in range(count)
    ]


def gaussian(sigma: Fraction) -> Mechanism:
    """Gaussian noise on one bit."""
    s = real("s")
    density = exp(-((s - name("v")) ** 2) / (2 * number(sigma) ** 2))
    law = density / (number(sigma) * sqrt(2 * pi))
    return Mechanism(Values([0, 1]), outputs=[s], density=law, name="Gaussian")


def enclosed(setting: Setting) -> tuple[Fraction, Fraction]:
    """Rational numbers around the exact delta, which is shown from both sides."""
    sigma, level = setting
    found = delta(gaussian(sigma), number(level), "any")
    if not found.exact:
        raise SystemExit(f"sigma {sigma}, level {level}: {found}")
    return enclose(normal(found.high, Context.empty()), BITS)


def by_dp_accounting(setting: Setting) -> float:
    """What dp-accounting gives."""
    from dp_accounting.pld import privacy_loss_mechanism  # noqa: PLC0415 - it may be missing

    sigma, level = map(float, setting)
    return float(privacy_loss_mechanism.GaussianPrivacyLoss(sigma).get_delta_for_epsilon(level))


def by_autodp(setting: Setting) -> float:
    """What autodp gives."""
    from autodp.dp_bank import get_logdelta_ana_gaussian  # noqa: PLC0415 - it may be missing

    return math.exp(get_logdelta_ana_gaussian(*map(float, setting)))


def compared(theirs: Callable[[Setting], float], ours: list[tuple[Fraction, Fraction]]) -> str:
    """How many deltas of an accountant agree with ours to the digits of a float, and how many lie
    below the true value.
    """
    agreeing = below = 0
    for setting, (low, high) in zip(settings(), ours, strict=True):
        value = Fraction(theirs(setting))
        agreeing += abs(value - high) <= Fraction(DIGITS) * high + Fraction(1, 10**15)
        below += value < low
    return f"{agreeing} of {len(ours)} agree, {below} below the true value"


def rows() -> Iterator[Row]:
    """One for each accountant that is installed."""
    kept: list[tuple[Fraction, Fraction]] = []
    taken, _ = measured(lambda: kept.extend(map(enclosed, settings())), 1)
    for peer, package, theirs in (
        ("dp-accounting", "dp_accounting", by_dp_accounting),
        ("autodp", "autodp", by_autodp),
    ):
        work = f"delta of Gaussian noise in {SETTINGS} random settings"
        if find_spec(package) is None:
            yield Row(work, "exact", taken, f"{peer}, {ABSENT}", None, "")
            continue
        seconds, answer = measured(partial(compared, theirs, kept), 1)
        yield Row(work, answer, taken, peer, seconds, "")
