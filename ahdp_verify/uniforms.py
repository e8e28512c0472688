"""Draws turned into uniform numbers by the law that they should follow: the probability integral transform (Rosenblatt 1952).

If s follows a law with the continuous distribution function F, then F(s) is uniform on [0, 1]; of several outputs each is transformed by
its law given the earlier ones, and the results are independent.  A whole or finite output goes to a uniform place in the step of F at it.
F comes from the exact integral of the law, piece by piece, not from the terms that `ahdp_verify.draws` draws from.

>>> from ahdp_verify.expression import Abs, exp, name
>>> from ahdp_verify.mechanism import real
>>> below, total = distribution(exp(-Abs(name("s") - 1)), real("s"), {}, np.array([1.0, 1 + np.log(2)]))
>>> below / total
array([0.5 , 0.75])
"""

from __future__ import annotations

from typing import Any

from ahdp_verify.algebra import symbol
from ahdp_verify.context import normal
from ahdp_verify.draws import Form, by_forms, period
from ahdp_verify.errors import Undecided, Unsupported
from ahdp_verify.expression import Expression, substitute
from ahdp_verify.inputs import At
from ahdp_verify.integrate import grouped, inside, piece_total, total_on
from ahdp_verify.mechanism import Output
from ahdp_verify.numeric import Array, Columns, equal, evaluated, np, numbers, rounded, value
from ahdp_verify.sampling import conditional

HERE = "@c0"  # the place up to which a total is taken
SAME = 1e-9  # relative difference of totals that are the same


def uniforms(there: At, draws: Columns, rng: Any) -> dict[str, Array]:
    """A column for each output, uniform and independent if the draws follow the law (of its continuous part, where there are atoms)."""
    _, groups = grouped(there.density, tuple(o.name for o in there.outputs))
    found = {}
    for i, (output, group) in enumerate(zip(there.outputs, conditional(groups, there.outputs), strict=True)):
        earlier = {o.name: draws[o.name] for o in there.outputs[:i]}
        low, high, total = step(group, output, earlier, draws[output.name])
        found[output.name] = (low + rng.random(len(low)) * (high - low)) / total
    return found


def step(law: Expression, output: Output, earlier: Columns, at: Array) -> tuple[Array, Array, Array]:
    """The totals of a law below each draw, up to and with it, and everywhere; the first two are the same for a real output."""
    if output.kind == "finite":
        weights = np.stack([np.broadcast_to(evaluated(substitute(law, {output.name: v}), earlier), len(at)) for v in output.values])
        chosen = position(at, output)
        sums = np.concatenate([np.zeros((1, len(at))), np.cumsum(weights, axis=0)])
        low, high = (np.take_along_axis(sums, chosen[None] + k, axis=0)[0] for k in (0, 1))
        return np.where(chosen < 0, np.nan, low), high, sums[-1]
    places = numbers(at)
    low, total = distribution(law, output, earlier, places)
    return low, distribution(law, output, earlier, places + 1)[0] if output.kind == "integer" else low, total


def position(column: Array, output: Output) -> Array:
    """The number of each draw among the values of a finite output; -1 for what is none of them."""
    found = np.full(len(column), -1)
    for i, v in enumerate(output.values):
        wanted = evaluated(v, {})
        found[equal(column, wanted) if isinstance(wanted, str) else np.isclose(numbers(column), wanted, rtol=SAME, atol=SAME)] = i
    return found


def distribution(law: Expression, output: Output, earlier: Columns, at: Array) -> tuple[Array, Array]:
    """The total of a law of one output below each place, given earlier outputs, and its whole total."""
    return by_forms(law, output, earlier, len(at), lambda form: _of_form(form, at[form.rows]))


def _of_form(form: Form, at: Array) -> tuple[Array, Array]:
    """The same where the law has one form."""
    output, cuts = form.output, form.cuts
    masses = [value(total_on(form.law, output.name, output.kind, cuts, i, form.here), form.columns) for i in range(len(cuts) + 1)]
    which = sum((np.broadcast_to(value(c, form.columns) <= at, len(at)).astype(int) for c in cuts), start=np.zeros(len(at), dtype=int))
    below = np.zeros(len(at))
    for i in range(len(cuts) + 1):
        rows = np.flatnonzero(which == i)
        if not len(rows):
            continue
        try:
            below[rows] = _picked(sum(masses[:i]), rows) + _inside(form, i, at, rows)
        except (Undecided, Unsupported):
            if i not in (0, len(cuts)):
                raise
            below[rows] = _folded(form, masses, at[rows], upward=i > 0)
    return below, sum(masses)


def _picked(column: Array, rows: Array) -> Array:
    return column[rows] if np.ndim(column) else column


def _inside(form: Form, upper: int, at: Array, rows: Array) -> Array:
    """The total from the lower end of a piece up to places inside it."""
    output, cuts = form.output, form.cuts
    place = inside(output.name, output.kind, cuts, upper, form.here)
    total = piece_total(normal(form.law, place), output.name, output.kind, cuts[upper - 1] if upper else None, symbol(HERE), place)
    return value(total, {**{k: v[rows] for k, v in form.columns.items()}, HERE: at[rows]})


def _folded(form: Form, masses: list[Array], at: Array, *, upward: bool) -> Array:
    """The total below places in an endless piece where the law repeats itself, from the place in the block that is repeated."""
    found = period(form, upward=upward)
    if found is None:
        raise Unsupported("no repetition was found")
    other, ratio, factor = found
    edge, step_, last = rounded(form.cuts[-1 if upward else 0]), abs(rounded(ratio)), len(form.cuts)
    block, tail = sum(masses[other + 1 : last] if upward else masses[1 : other + 1]), masses[last if upward else 0]
    if not np.isclose(tail, block * factor / (1 - factor), rtol=SAME):
        raise Unsupported("the repetition does not have the total of the law")
    side = 1 if upward else -1
    k = np.floor(side * (at - edge) / step_)
    inner, _ = _of_form(form, at - side * (k + 1) * step_)
    start = sum(masses[: other + 1])
    passed = block * factor * (1 - factor**k) / (1 - factor) + factor ** (k + 1) * (inner - start) * side
    return sum(masses[:last]) + passed if upward else tail - passed
