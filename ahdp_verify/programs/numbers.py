"""Real runs of a noise program: the words draw numbers.

Parameters are exact fractions in a real run too, so that what is decided about them is decided as
in the program that is verified; noises and query answers are floats.

>>> run = GivenRun([0.5, -2.0])
>>> run.draw("laplace", 1) + run.draw("gumbel", 2)
-1.5
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ahdp_verify.kernel.errors import BadInput, Missing


def generator(rng: object) -> Any:
    """The NumPy generator of a seed, or a new one for None; a generator as it is."""
    try:
        import numpy  # noqa: PLC0415 - it is an extra, and slow to load
    except ImportError:
        raise Missing("sampling", "numpy", "sampling") from None
    return numpy.random.default_rng(rng)  # type: ignore[arg-type]


class DrawnRun:
    """Draws with a NumPy generator."""

    def __init__(self, rng: Any) -> None:
        self.rng = rng

    def draw(self, law: str, scale: Any) -> float:
        """A new noise."""
        b = float(scale)
        if law == "geometric":
            p = -math.expm1(-1 / b)
            return float(self.rng.geometric(p) - self.rng.geometric(p))
        if law == "exponential":
            return float(self.rng.exponential(b))
        return float(getattr(self.rng, law)(0.0, b))

    def coin(self, probability: Any) -> bool:
        """How a coin falls."""
        return bool(self.rng.random() < probability)

    def argmax(self, values: list[Any]) -> int:
        """The place of the first greatest value."""
        return max(range(len(values)), key=values.__getitem__)


class GivenRun:
    """Uses given noises in the order of drawing; a coin uses one in [0, 1), and falls on True below
    its probability.
    """

    def __init__(self, noises: Sequence[float]) -> None:
        self.noises = list(noises)
        self.used = 0

    def draw(self, law: str, scale: Any) -> float:
        """The next noise; BadInput if there is none."""
        del law, scale
        if self.used == len(self.noises):
            raise BadInput("noises", f"there are only {self.used}", "give more")
        self.used += 1
        return self.noises[self.used - 1]

    def coin(self, probability: Any) -> bool:
        """How a coin falls."""
        return bool(self.draw("coin", probability) < probability)

    argmax = DrawnRun.argmax
