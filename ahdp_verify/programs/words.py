"""The words with which a noise program draws and chooses, and what they mean on the present run.

`laplace(scale)` and `geometric(scale)`, with one argument, are the same words as those for the
distribution of an output, with two (`ahdp_verify.laws.noise`); they draw only while a noise program
runs.  A run is real, with numbers, or explores what can happen: a context variable says which.

>>> exponential(2)
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: exponential: no noise program is running; call it in a function that @noise_program wraps
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, overload

from ahdp_verify.kernel.errors import BadInput


class Drawing(Protocol):
    """What a run does with the words."""

    def draw(self, law: str, scale: Any) -> Any:
        """A new noise of the law."""

    def coin(self, probability: Any) -> bool:
        """How a coin falls."""

    def argmax(self, values: Iterable[Any], gap: bool) -> Any:
        """The place of the first greatest value, and by how much it leads."""


RUN: ContextVar[Drawing | None] = ContextVar("noise program", default=None)


@contextmanager
def drawing_with(run: Drawing) -> Iterator[None]:
    """Inside, the words draw with this run."""
    token = RUN.set(run)
    try:
        yield
    finally:
        RUN.reset(token)


def is_running() -> bool:
    """Whether a noise program is running."""
    return RUN.get() is not None


def draw(law: str, scale: object) -> Any:
    """A new noise of a law with a scale > 0; BadInput outside noise programs."""
    return _run(law).draw(law, scale)


def exponential(scale: object) -> Any:
    """In a noise program: new noise with density exp(-x/scale)/scale for x >= 0, in the units of
    the scale; BadInput elsewhere.
    """
    return draw("exponential", scale)


def gumbel(scale: object) -> Any:
    """In a noise program: new noise with distribution function exp(-exp(-x/scale)); BadInput
    elsewhere.
    """
    return draw("gumbel", scale)


def gaussian(scale: object) -> Any:
    """In a noise program: new Gaussian noise around 0, whose standard deviation is the scale;
    BadInput elsewhere.
    """
    return draw("gaussian", scale)


def coin(probability: object) -> bool:
    """In a noise program: True with that probability, in [0, 1]; BadInput elsewhere.

    The probability depends on parameters alone.
    """
    return _run("coin").coin(probability)


@overload
def argmax(values: Iterable[Any]) -> int: ...
@overload
def argmax(values: Iterable[Any], *, gap: bool) -> Any: ...
def argmax(values: Iterable[Any], *, gap: bool = False) -> Any:
    """In a noise program: the place of the greatest value, counted from 0, of the first one among
    equals; BadInput elsewhere, and for no values.

    gap     the place and by how much that value exceeds the greatest of the others, as a tuple, which
            is the place alone where there are no others
    One step of the program, where `max` would compare value by value and need 2^k paths.  A
    function that is `return argmax(... for q in queries)` is a program for any number of queries.
    """
    if type(gap) is not bool:
        raise BadInput("argmax", "gap is neither True nor False", "write gap=True or leave it out")
    return _run("argmax").argmax(values, gap)


def listed_values(values: Iterable[Any]) -> list[Any]:
    """The values among which a run chooses; BadInput for none."""
    listed = list(values)
    if not listed:
        raise BadInput("argmax", "there is no value", "give at least one")
    return listed


def _run(word: str) -> Drawing:
    run = RUN.get()
    if run is None:
        raise BadInput(
            word,
            "no noise program is running",
            "call it in a function that @noise_program wraps",
        )
    return run
