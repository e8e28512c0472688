"""An event: one set of outputs, as counterexamples store it and verdicts print it.

A box without some of the atoms in it, together with some atoms outside it.  A box gives for each
output an interval (an end may be missing, and may depend on earlier outputs) or a set of values; or
it is a set of joint outcomes of finite outputs.  Intervals are half open, low <= output < high, and
an atom inside one belongs to the event unless it is excluded.

>>> from ahdp_verify.kernel.terms.expression import label, number
>>> print(Event(intervals=(("s", number(1), None),), atoms=(label("NULL"),)))
s >= 1 or the output is "NULL"
"""

from __future__ import annotations

from dataclasses import dataclass

from ahdp_verify.kernel.terms.expression import Expression

Points = tuple[tuple[str, tuple[Expression, ...]], ...]
IntervalEnd = Expression | None


@dataclass(frozen=True, slots=True)
class Event:
    """The outputs in a box except those in `without`, and those in `atoms`; prints as exactly this
    set.

    intervals, values    the box; an output that is not mentioned is unconstrained, labels included
    outcomes             joint outcomes of finite outputs, also a box
    atoms                atoms outside the box that belong to the event
    continuous           whether there is a box; without one the event is its `atoms`
    without              atoms inside the box that do not belong to the event
    """

    intervals: tuple[tuple[str, IntervalEnd, IntervalEnd], ...] = ()
    values: tuple[tuple[str, tuple[Expression, ...]], ...] = ()
    outcomes: tuple[tuple[Expression, ...], ...] = ()
    atoms: tuple[Expression, ...] = ()
    continuous: bool = True
    without: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        points = " or ".join(f"the output is {a}" for a in self.atoms)
        if not self.continuous:
            return points or "no output"
        box = _box_text(self)
        if not self.without:
            return f"{box} or {points}" if points else box
        output = f"{self.intervals[0][0]} = " if self.intervals else ""
        left_out = " and ".join(f"{output}{a}" for a in self.without)
        return f"{box} except {left_out}" + (f", or {points}" if points else "")


def _box_text(event: Event) -> str:
    """The box for people."""
    if event.outcomes:
        listed = (", ".join(map(str, o)) for o in event.outcomes)
        single = len(event.outcomes[0]) == 1
        return "the output is " + " or ".join(o if single else f"({o})" for o in listed)
    sets = [" or ".join(f"{n} = {v}" for v in vs) or "no output" for n, vs in event.values]
    parts = [_interval_text(*i) for i in event.intervals]
    if len(sets) + len(parts) > 1:
        sets = [f"({text})" if " or " in text else text for text in sets]
    return " and ".join([*parts, *sets]) or "any output"


def _interval_text(output: str, low: IntervalEnd, high: IntervalEnd) -> str:
    if low is not None and high is not None:
        return f"{low} <= {output} < {high}"
    if low is not None:
        return f"{output} >= {low}"
    return f"{output} < {high}" if high is not None else f"{output} is a number"
