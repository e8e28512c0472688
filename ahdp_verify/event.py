"""Events of positive probability and their exact probability under a concrete law.

An event is a box: for each output an interval (of which an end may be missing, and may depend on earlier outputs) or a set of values;
or a set of joint outcomes of finite outputs; and, for one output, a set of atoms.  Intervals are half open, low <= output < high.  Where
finite and other outputs hang on each other, the law is looked at for each combination of finite values, which ends may then mention.

>>> from ahdp_verify.expression import Abs, exp, name, number
>>> from ahdp_verify.mechanism import real
>>> event = Event(intervals=(("s", number(1), None),))
>>> law = exp(-Abs(name("s"))) / 2
>>> str(event), probability(law, (), (real("s"),), event, (("s", (number(0),)),)).key
('s >= 1', '1/2*exp(1)^(-1)')
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from math import prod

from ahdp_verify.algebra import Ratio, constant
from ahdp_verify.context import Context, normal, said, signs_of
from ahdp_verify.errors import SignNotShown, Undecided, Unsupported
from ahdp_verify.expression import Expression, names, substitute
from ahdp_verify.integrate import factors, grouped, integral
from ahdp_verify.mechanism import Output

Points = tuple[tuple[str, tuple[Expression, ...]], ...]
End = Expression | None
JOINT = 4096  # most combinations of finite outputs that are written out, or gone through; beyond it coordinates must separate


@dataclass(frozen=True, slots=True)
class Event:
    """A box of intervals and value sets (an output that is not mentioned is free), or joint outcomes; `atoms` count besides.

    With `continuous` false only the atoms count.
    """

    intervals: tuple[tuple[str, End, End], ...] = ()
    values: tuple[tuple[str, tuple[Expression, ...]], ...] = ()
    outcomes: tuple[tuple[Expression, ...], ...] = ()
    atoms: tuple[Expression, ...] = ()
    continuous: bool = True

    def __str__(self) -> str:
        shown = [_interval_text(*i) for i in self.intervals] if self.continuous else []
        shown += [_values_text(n, v) for n, v in self.values]
        text = " and ".join(s for s in shown if s)
        if self.outcomes:
            text = "the output is " + " or ".join(", ".join(map(str, o)) if len(o) == 1 else f"({', '.join(map(str, o))})" for o in self.outcomes)
        atoms = " or ".join(f"the output is {a}" for a in self.atoms)
        return " or ".join(t for t in (text, atoms) if t) or "any output"


def _interval_text(output: str, low: End, high: End) -> str:
    if low is not None and high is not None:
        return f"{low} <= {output} < {high}"
    return f"{output} >= {low}" if low is not None else f"{output} < {high}" if high is not None else ""


def _values_text(output: str, values: tuple[Expression, ...]) -> str:
    return " or ".join(f"{output} = {v}" for v in values)


def sign_between(a: Ratio, b: Ratio, here: Context) -> int:
    """The sign of a - b; Unsupported if the context does not know it."""
    signs = here.ratio_signs(a - b)
    if len(signs) != 1:
        raise Unsupported("the points of the law could not be put in order")
    return next(iter(signs))


def ascending(points: list[Ratio], here: Context) -> tuple[Ratio, ...]:
    """The points in ascending order, each once (insertion sort by exact comparison)."""
    result: list[Ratio] = []
    for p in points:
        place = next((i for i, q in enumerate(result) if sign_between(p, q, here) <= 0), len(result))
        if place == len(result) or sign_between(p, result[place], here) != 0:
            result.insert(place, p)
    return tuple(result)


def measure(law: Expression, output: Output, points: tuple[Expression, ...], low: End, high: End, here: Context) -> Ratio:
    """The integral or sum of a law over low <= output < high."""
    ends = [normal(e, here) if e is not None else None for e in (low, high)]
    listed = ascending([*(normal(e, here) for e in points), *(e for e in ends if e is not None)], here)
    first, last = (None if e is None else position(e, listed, here) for e in ends)
    if first is not None and last is not None and first >= last:
        return constant(0)
    return integral(law, output.name, output.kind, listed, here, first, last)


def position(end: Ratio, listed: tuple[Ratio, ...], here: Context) -> int:
    """The index of an end among the points."""
    return next(i for i, p in enumerate(listed) if sign_between(p, end, here) == 0)


def joint(law: Expression, outputs: tuple[Output, ...], outcomes: tuple[tuple[Expression, ...], ...] | None, here: Context) -> Ratio:
    """The probability of joint outcomes of finite outputs, of all of them for None; each outcome must be one and be listed once."""
    if outcomes is not None and (len(set(outcomes)) < len(outcomes) or not all(_is_outcome(o, outputs) for o in outcomes)):
        raise Unsupported("an event lists an outcome twice, or one that is none")
    total, here = constant(0), here.keeping()
    for outcome in itertools.product(*(o.values for o in outputs)) if outcomes is None else outcomes:
        total = total + chance(substitute(law, {o.name: v for o, v in zip(outputs, outcome, strict=True)}), here)
    return total


def _is_outcome(outcome: tuple[Expression, ...], outputs: tuple[Output, ...]) -> bool:
    return len(outcome) == len(outputs) and all(v in o.values for v, o in zip(outcome, outputs, strict=True))


def chance(e: Expression, here: Context) -> Ratio:
    """The value of e once it is known to be >= 0 here; SignNotShown or Undecided otherwise."""
    r = normal(e, here)
    signs = here.ratio_signs(r)
    if not signs <= {0, 1} and not signs_of(e, here) <= {0, 1}:
        raise SignNotShown(f"that the probability {said(r)} is not negative was not shown") if signs == {-1} else Undecided(r.num)
    return r


def probability(law: Expression, atoms: tuple[tuple[Expression, Expression], ...], outputs: tuple[Output, ...], event: Event, points: Points) -> Ratio:
    """The exact probability of an event under a law without names other than the outputs; Unsupported where it has no closed form here."""
    here = Context.empty(frozenset(o.name for o in outputs if o.kind == "integer"))
    total = constant(0)
    for at, mass in atoms:
        if at in event.atoms:
            total = total + chance(mass, here)
    check_event(event, atoms, outputs)
    if event.outcomes:
        return total + joint(law, outputs, event.outcomes, here)
    return total + box(law, outputs, event, dict(points), here) if event.continuous else total


def check_event(event: Event, atoms: tuple[tuple[Expression, Expression], ...], outputs: tuple[Output, ...]) -> None:
    """Nothing, or Unsupported for an event that says something which its probability would not count."""
    finite = {o.name for o in outputs if o.kind == "finite"}
    named = {n for n, _, _ in event.intervals} & finite or {n for n, _ in event.values} - finite
    if not isinstance(event.continuous, bool) or named or not set(event.atoms) <= {at for at, _ in atoms}:
        raise Unsupported("an event speaks of what the mechanism does not have")
    if event.outcomes and (event.intervals or event.values or len(finite) < len(outputs)):
        raise Unsupported("joint outcomes are an event of their own, for finite outputs")


def is_mixed(law: Expression, outputs: tuple[Output, ...]) -> bool:
    """Whether a factor of a law mentions a finite output beside one that is not finite."""
    finite = frozenset(o.name for o in outputs if o.kind == "finite")
    others = frozenset(o.name for o in outputs) - finite
    return any(names(f) & finite and names(f) & others for f in factors(law))


def by_cases(law: Expression, outputs: tuple[Output, ...], event: Event, points: dict[str, tuple[Expression, ...]], here: Context) -> Ratio:
    """The probability of a box as the sum over the values of the finite outputs, which are put into the law, the ends and the points."""
    chosen, finite = dict(event.values), [o for o in outputs if o.kind == "finite"]
    listed = [chosen.get(o.name, o.values) for o in finite]
    if len(chosen) < len(event.values) or any(len(set(vs)) < len(vs) or not set(vs) <= set(o.values) for o, vs in zip(finite, listed, strict=True)):
        raise Unsupported("an event lists a value twice, or one that is none")
    if prod(len(o.values) for o in finite) > JOINT:
        raise Unsupported(f"there are more than {JOINT} combinations of finite outputs")
    rest, total = tuple(o for o in outputs if o.kind != "finite"), constant(0)
    for values in itertools.product(*listed):
        put = {o.name: v for o, v in zip(finite, values, strict=True)}
        intervals = tuple((n, _at(low, put), _at(high, put)) for n, low, high in event.intervals)
        places = {n: tuple(substitute(e, put) for e in listed_) for n, listed_ in points.items()}
        total = total + box(substitute(law, put), rest, Event(intervals=intervals), places, here)
    return total


def _at(end: End, values: dict[str, Expression]) -> End:
    """An end of an interval at values of finite outputs."""
    return None if end is None else substitute(end, values)


def box(law: Expression, outputs: tuple[Output, ...], event: Event, points: dict[str, tuple[Expression, ...]], here: Context) -> Ratio:
    """The probability of a box: the product of the totals of the output groups, each of which must be free of outputs; of a mixed law, case by case."""
    if is_mixed(law, outputs):
        return by_cases(law, outputs, event, points, here)
    prefactor, groups = grouped(law, tuple(o.name for o in outputs))
    total = normal(prefactor, here)
    if total.is_zero:
        return total
    intervals, values = {n: (a, b) for n, a, b in event.intervals}, dict(event.values)
    listed = [o.name for o in outputs]
    if len(intervals) + len(values) < len(event.intervals) + len(event.values) or not {*intervals, *values} <= set(listed):
        raise Unsupported("an event names an output twice, or one that is none")
    for i, (output, group) in enumerate(zip(outputs, groups, strict=True)):
        if any(not names(e) <= set(listed[:i]) for e in (*intervals.get(output.name, ()), *points.get(output.name, ())) if e is not None):
            raise Unsupported("the ends of an interval depend on more than earlier outputs")
        if output.kind == "finite":
            part = joint(group, (output,), tuple((v,) for v in values.get(output.name, output.values)), here)
        else:
            part = measure(group, output, points.get(output.name, ()), *intervals.get(output.name, (None, None)), here)
        total = total * part
    return total


def everything(law: Expression, atoms: tuple[tuple[Expression, Expression], ...], outputs: tuple[Output, ...], points: Points) -> Ratio:
    """The total mass of a law."""
    if all(o.kind == "finite" for o in outputs) and len(outputs) > 1 and prod(len(o.values) for o in outputs) <= JOINT:
        here = Context.empty()
        return joint(law, outputs, None, here)
    return probability(law, atoms, outputs, Event(atoms=tuple(at for at, _ in atoms)), points)
