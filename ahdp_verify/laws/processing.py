"""What is done to a law: clamping and rounding, which are post-processing, and truncating, which is
not.

    clamp(law, low, high)      an output below low is reported as low, one above high as high
    rounded(law, step)         an output is reported as the nearest multiple of the step
    truncate(law, low, high)   outputs outside [low, high] never occur, and the others are more
                               likely by one factor

What is computed from an output alone keeps its level.  A truncated law is a different law: its
factor is 1/P(low <= S <= high), which depends on the data if the law does, so its level may be
larger; with ends that depend on the data no finite level may hold.

>>> from ahdp_verify.kernel.terms.expression import name
>>> from ahdp_verify.laws.noise import laplace
>>> law = clamp(laplace(name("q[1]"), 1), 0, 1)
>>> print(law.density(name("s")))
piecewise((exp(-abs(s - q[1]))/2, 0 < s and s < 1), (0, true))
>>> print(*law.notes)
clamp reports what lies outside [0, 1] as the nearer end: post-processing, so no loss is larger than that of laplace(q[1], 1); truncate would leave it out
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.declarations import MANY
from ahdp_verify.kernel.terms.expression import (
    Expression,
    eq,
    number,
    piecewise,
)
from ahdp_verify.laws.law import (
    Law,
    OfPoint,
    argument,
    gap,
    is_whole,
    positive_argument,
    sign_of_constant,
)


def clamp(law: Law, low: object, high: object) -> Law:
    """The law of the output moved to the nearest point of [low, high]: post-processing.

    A real law gets points of mass at low and high; a whole one becomes a finite one.  The ends are
    constants.

    >>> from ahdp_verify.laws.noise import geometric
    >>> print(clamp(geometric(0, 1), -1, 1).density(number(1)))
    piecewise((exp(-1)/(exp(-1) + 1), 1 == -1), (1 - exp(0)/(exp(-1) + 1), 1 == 1), ((1 - exp(-1))/(exp(-1) + 1)*exp(-abs(1)), true))
    """
    a, b = _ends(law, "clamp", low, high)
    if not _constant(a) or not _constant(b):
        end = a if not _constant(a) else b
        raise BadInput(
            "clamp",
            f"the end {end} is not a constant, so the reports at it would move with the input",
            "clamp to constants; truncate takes ends that depend on the input",
        )
    at_most, above = law.at_most, law.above
    if at_most is None or above is None:
        raise _unwritten(law, "clamp")
    text = f"clamp({law}, {a}, {b})"
    note = (
        f"clamp reports what lies outside [{a}, {b}] as the nearer end: post-processing, so no "
        f"loss is larger than that of {law}; truncate would leave it out"
    )
    if law.kind == "real":
        return Law(
            "real",
            text,
            lambda s: piecewise((law.density(s), (a < s) & (s < b)), (0, True)),
            atoms=((a, at_most(a)), (b, above(b))),
            notes=(*law.notes, note),
        )
    values = _whole_numbers(a, b)
    return Law(
        "finite",
        text,
        lambda k: piecewise(
            (at_most(a), eq(k, a)), (above(b - 1), eq(k, b)), (law.density(k), True)
        ),
        values=values,
        notes=(*law.notes, note),
    )


def _constant(e: Expression) -> bool:
    return sign_of_constant(e) is not None


def _whole_numbers(a: Expression, b: Expression) -> tuple[Expression, ...]:
    if not is_whole(a) or not is_whole(b):
        raise BadInput(
            "clamp",
            f"{a if is_whole(b) else b} is not a whole number, and the outputs are",
            "use whole numbers as ends",
        )
    low, high = (int(end.args[0]) for end in (a, b))
    if high - low >= MANY:
        raise BadInput(
            "clamp", f"there are more than {MANY} numbers from {low} to {high}", "use nearer ends"
        )
    return tuple(number(k) for k in range(low, high + 1))


def rounded(law: Law, step: object = 1) -> Law:
    """The law of the nearest multiple of a step, counted in steps: post-processing.  The word in
    mechanism files is `round`.

    The output is a whole number k, and k step is what is reported.  A real law without points of
    mass is rounded; of clamp and round, round comes first.

    >>> from ahdp_verify.laws.noise import laplace
    >>> print(rounded(laplace(0, 1)).density(number(0)))
    piecewise((1 - exp(-1/2), 0 == 0), ((exp(1/2) - exp(-1/2))*exp(-abs(0))/2, true))
    """
    width = positive_argument(step, "round", "step")

    def at_boundary(tail: OfPoint | None) -> OfPoint | None:
        return None if tail is None else lambda k: tail(width * k + width / 2)

    if law.kind != "real" or law.atoms:
        cure = "write clamp(round(law), low, high)" if law.atoms else "leave it out"
        raise BadInput(
            "round",
            f"{law} {'has points of mass' if law.atoms else 'is not a law of real numbers'}",
            cure,
        )
    cell = law.cell
    if cell is None:
        raise _unwritten(law, "round")
    unit = width == number(1)
    return Law(
        "integer",
        f"round({law})" if unit else f"round({law}, {width})",
        lambda k: cell(k, width),
        at_boundary(law.at_most),
        at_boundary(law.above),
        notes=(
            *law.notes,
            "round reports the nearest whole number"
            + ("" if unit else f" of steps of {width}")
            + f": post-processing, so no loss is larger than that of {law}",
        ),
    )


def truncate(law: Law, low: object, high: object) -> Law:
    """The law given that the output lies in [low, high]: renormalised, and not post-processing.

    The ends may depend on the input.

    >>> from ahdp_verify.laws.noise import laplace
    >>> print(truncate(laplace(0, 1), -1, 1).density(number(0)))
    piecewise((exp(-abs(0))/(1 - exp(-1)/2 - exp(-1)/2)/2, -1 <= 0 and 0 <= 1), (0, true))
    """
    a, b = _ends(law, "truncate", low, high)
    if law.within is None:
        raise _unwritten(law, "truncate")
    density = law.within(a, b)
    return Law(
        law.kind,
        f"truncate({law}, {a}, {b})",
        lambda s: piecewise((density(s), (a <= s) & (s <= b)), (0, True)),
        notes=(
            *law.notes,
            f"truncate leaves out what lies outside [{a}, {b}] and makes the rest more likely: not "
            f"post-processing, so losses may be larger than those of {law}; clamp would report the "
            "nearer end",
        ),
    )


def _ends(law: Law, word: str, low: object, high: object) -> tuple[Expression, Expression]:
    """The ends; BadInput where they are not in order, or the law has points of mass or labels."""
    if not isinstance(law, Law):
        raise BadInput(
            word, f"{str(law)[:60]} is not a law", f"write for example {word}(laplace(0, 1), 0, 1)"
        )
    if law.kind == "finite" or law.atoms:
        reason = "has points of mass already" if law.atoms else "lists its outputs"
        raise BadInput(word, f"{law} {reason}", f"use {word} on laplace, geometric and the like")
    a, b = argument(low, word, "low"), argument(high, word, "high")
    apart: Fraction | int | None = gap(a, b)
    apart = sign_of_constant(b - a) if apart is None else apart
    if apart is not None and apart <= 0:
        raise BadInput(word, f"{a} is not below {b}", "write the smaller end first")
    return a, b


def _unwritten(law: Law, word: str) -> BadInput:
    return BadInput(
        word,
        f"what {word} needs is not written out for {law}",
        f"use {word} on laplace or geometric noise, or write the density",
    )
