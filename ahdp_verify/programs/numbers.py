"""Real runs of a noise program: the words draw numbers.

Parameters are exact fractions in a real run too, so that what is decided about them is decided as
in the program that is verified; noises and query answers are floats.

>>> from ahdp_verify.kernel.terms.expression import log
>>> run = GivenRun([0.5, -2.0])
>>> run.draw("laplace", 1) + run.draw("gumbel", 2) > -log(2)
False
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.errors import BadInput, Missing
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Arithmetic
from ahdp_verify.programs.words import listed_values


def as_float(value: Any) -> float:
    """A number, or an exact constant such as log(2), as a float."""
    if isinstance(value, Arithmetic):
        return float(approximate_rational(normal(value.symbol, Context.empty())))
    return float(value)


def _with_constants(operation: Callable[[float, Any], Any]) -> Callable[[Real, Any], Any]:
    def apply(self: Real, other: Any) -> Any:
        found = operation(float(self), as_float(other) if isinstance(other, Arithmetic) else other)
        return Real(found) if type(found) is float else found

    return apply


class Real(float):
    """A noise or a query answer in a real run: a float that can be added to, and compared with,
    exact constants such as log(2).
    """

    __slots__ = ()
    __add__ = __radd__ = _with_constants(operator.add)
    __mul__ = __rmul__ = _with_constants(operator.mul)
    __sub__ = _with_constants(operator.sub)
    __rsub__ = _with_constants(lambda a, b: b - a)
    __truediv__ = _with_constants(operator.truediv)
    __lt__ = _with_constants(operator.lt)
    __le__ = _with_constants(operator.le)
    __gt__ = _with_constants(operator.gt)
    __ge__ = _with_constants(operator.ge)

    def __neg__(self) -> Real:
        return Real(-float(self))


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

    def draw(self, law: str, scale: Any) -> Real:
        """A new noise."""
        b = as_float(scale)
        if law == "geometric":
            p = -math.expm1(-1 / b)
            return Real(self.rng.geometric(p) - self.rng.geometric(p))
        if law == "exponential":
            return Real(self.rng.exponential(b))
        return Real(getattr(self.rng, "normal" if law == "gaussian" else law)(0.0, b))

    def coin(self, probability: Any) -> bool:
        """How a coin falls."""
        return bool(self.rng.random() < as_float(probability))

    def argmax(self, values: Iterable[Any], gap: bool) -> Any:
        """The place of the first greatest value, and by how much it leads."""
        listed = listed_values(values)
        first = max(range(len(listed)), key=listed.__getitem__)
        others = listed[:first] + listed[first + 1 :]
        return (first, *([listed[first] - max(others)] if others else [])) if gap else first


class GivenRun:
    """Uses given noises in the order of drawing; a coin uses one in [0, 1), and falls on True below
    its probability.
    """

    def __init__(self, noises: Sequence[float]) -> None:
        self.noises = list(noises)
        self.used = 0

    def draw(self, law: str, scale: Any) -> Real:
        """The next noise; BadInput if there is none."""
        del law, scale
        if self.used == len(self.noises):
            raise BadInput("noises", f"there are only {self.used}", "give more")
        self.used += 1
        return Real(self.noises[self.used - 1])

    def coin(self, probability: Any) -> bool:
        """How a coin falls."""
        return bool(self.draw("coin", probability) < as_float(probability))

    argmax = DrawnRun.argmax
