"""Draws from the distribution of one output, many at once: finite values from their table, whole
and real outputs piece by piece.

Between two points the law is a sum of terms A exp(k x), x counted from an end of the piece; a term
is chosen by its mass and inverted in closed form: x = log(1 + v (exp(k L) - 1)) / k for v uniform
on [0, 1) and a piece of length L.  Where terms are negative, a piece is chosen by its mass and its
distribution function inverted by bisection.  The law may depend on earlier outputs, or on sums over
a dataset that was itself drawn: each of these is a column, and so may be points, A, k and L.
Floats throughout: nothing here is part of a proof.  Needs numpy.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.outputs import real
>>> values, total = draw_one(exp(-Abs(name("s") - name("c"))) / 2, real("s"), {"c": np.full(4000, 7.0)}, np.random.default_rng(1), 4000)
>>> bool(abs(values.mean() - 7) < 0.1), bool(np.all(total == 1))
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, signs_of, to_expression
from ahdp_verify.kernel.rules.integration import total_on_piece
from ahdp_verify.kernel.terms.expression import CONDITIONS, Expression, add, substitute
from ahdp_verify.sampling.floats import (
    EMPTY,
    Array,
    Columns,
    evaluate_columns,
    np,
    ratio_values,
    rounded_ratio,
    split_exponential,
)
from ahdp_verify.sampling.forms import PiecewiseForm, columns_by_form, hoist_constants
from ahdp_verify.sampling.inversion import draw_by_inversion, draw_from_table
from ahdp_verify.search.proving.total_mass import output_breakpoints, sort_in_context

FAR = 1e-15  # mass of a tail that is omitted if it has no closed form
LARGEST = 700.0  # largest exponent: exp overflows a double from about 709.8 on
LONGEST = 100_000  # most repetitions of a piece
NEAR = 1e-9  # points at a smaller distance are one, totals at a smaller relative distance are equal
PLACES = tuple(
    Fraction(n, 17) for n in (1, 4, 7, 10, 13, 16, 19, 30)
)  # where a repetition is looked at, in steps beyond the edge
STEPS = 80  # bisections: a double has 53 bits


@dataclass(frozen=True, slots=True)
class DrawTerm:
    """a * exp(k * x) for 0 <= x < length, where output = start + direction * x; whole x only if
    `whole`.  Numbers, or one for each row.
    """

    start: Array
    direction: Array
    length: Array
    a: Array
    k: Array
    whole: bool

    @property
    def mass(self) -> Array:
        """The integral or sum of the term."""
        return self.a * self.below(self.length)

    def below(self, x: Array) -> Array:
        """The integral or sum of exp(k * y) for 0 <= y < x."""
        per = np.where(self.k == 0, 1.0, np.expm1(self.k) if self.whole else self.k)
        return np.where(self.k == 0, x, self.grown(x) / per)

    def grown(self, x: Array) -> Array:
        """exp(k * x) - 1; a term that would be infinite has a = 0."""
        return (
            np.expm1(np.minimum(np.where(self.k == 0, 0.0, self.k) * x, LARGEST))
            if np.ndim(x) or math.isfinite(x)
            else -1.0
        )

    def at(self, v: Array) -> Array:
        """The outputs below which the share v of the term's mass lies."""
        x = np.log1p(v * self.grown(self.length)) / np.where(self.k == 0, 1.0, self.k)
        x = x if np.all(self.k != 0) else np.where(self.k == 0, v * self.length, x)
        return self.start + self.direction * (
            np.minimum(np.floor(x), self.length - 1) if self.whole else x
        )

    def of(self, rows: Array) -> DrawTerm:
        """The term in some of the rows."""
        start, direction, length, a, k = (
            x if np.ndim(x) == 0 else x[rows]
            for x in (self.start, self.direction, self.length, self.a, self.k)
        )
        return DrawTerm(start, direction, length, a, k, self.whole)


# terms


def draw_terms(form: PiecewiseForm) -> list[list[DrawTerm]]:
    """The distribution of one output as terms, piece by piece; Unsupported if it is not a sum of
    exponentials between finitely many points.
    """
    if not form.cuts:
        raise Unsupported("the law has no point from which to count")
    last = len(form.cuts)
    between = [piece_terms(form, upper) for upper in range(1, last)]
    endless: list[list[DrawTerm]] = []
    for upper in (0, last):
        try:
            endless.append(piece_terms(form, upper))
        except (Undecided, Unsupported):
            if form.output.kind == "integer":
                raise
            endless += repeating_terms(form, between, upward=upper > 0)
    return [piece for piece in between + endless if piece]


def piece_terms(form: PiecewiseForm, upper: int) -> list[DrawTerm]:
    """The terms of the piece below point number `upper`, each counted from the end at which it
    is larger; where one is negative, all from one end.
    """
    output, cuts, columns, whole = (
        form.output,
        form.cuts,
        form.columns,
        form.output.kind == "integer",
    )
    endless = upper in (0, len(cuts))
    low, high = (
        cuts[max(upper - 1, 0)],
        cuts[min(upper, len(cuts) - 1)] - algebra.constant(int(whole)),
    )
    length = (
        math.inf
        if endless
        else np.maximum(ratio_values(cuts[upper] - cuts[upper - 1], columns), 0.0)
    )
    found = []
    for size, rate, shift in rates_and_factors(form.piece(upper), output.name):
        ends = [
            ratio_values(size, columns) * np.exp(ratio_values(rate * end + shift, columns))
            for end in (low, high)
        ]
        found.append((*ends, ratio_values(rate, columns)))
    firsts, lasts = (sum(abs(term[i]) for term in found) for i in (0, 1))
    made = []
    for a, b, k in found:
        flip = (
            upper == 0
            if endless
            else lasts > firsts
            if is_signed([a for a, _, _ in found])
            else b > a
        )
        start, direction = (
            np.where(flip, ratio_values(high, columns), ratio_values(low, columns)),
            np.where(flip, -1, 1),
        )
        made.append(
            DrawTerm(start, direction, length, np.where(flip, b, a), np.where(flip, -k, k), whole)
        )
    if endless and not all(np.all(t.k < 0) for t in made):
        raise Unsupported("it was not found that the law decays")
    return made


def rates_and_factors(law: Ratio, variable: str) -> Iterator[tuple[Ratio, Ratio, Ratio]]:
    """(a, k, b) for each term a * exp(k * variable + b) of a law; Unsupported if it is not a sum
    of such terms.
    """
    for m, c in law.num.terms.items():
        rest, exponent = split_exponential(m)
        split = algebra.linear_coefficients(exponent.num, variable)
        size, bottom = (
            Ratio(algebra.polynomial_of_monomial(rest, c), law.den),
            Ratio(algebra.constant(1).num, exponent.den),
        )
        if split is None or variable in algebra.ratio_names(size) | algebra.ratio_names(bottom):
            raise Unsupported(f"the law was not found to be a sum of exponentials in {variable}")
        yield size, Ratio(split[0], exponent.den), Ratio(split[1], exponent.den)


def repeating_terms(
    form: PiecewiseForm, between: list[list[DrawTerm]], *, upward: bool
) -> list[list[DrawTerm]]:
    """The terms of an unbounded piece in which the law repeats itself, smaller by a factor each
    time: f(s + P) = c f(s).

    A tail of negligible mass is omitted.
    """
    found = law_period(form, upward=upward)
    if found is None:
        raise Unsupported(
            f"the law has endlessly many pieces in {form.output.name}, and no repetition was found"
        )
    other, step, factor = found
    block = between[other:] if upward else between[:other]
    copies = math.ceil(math.log(FAR) / math.log(factor)) if factor > 0 else 0
    if copies > LONGEST:
        raise Unsupported(
            f"the distribution of {form.output.name} falls too slowly to be drawn from here"
        )
    return [
        [replace(t, start=t.start + k * rounded_ratio(step), a=t.a * factor**k) for t in piece]
        for k in range(1, copies + 1)
        for piece in block
    ]


def law_period(form: PiecewiseForm, *, upward: bool) -> tuple[int, Ratio, float] | None:
    """(the number of a point, P, c) with f(s + P) = c f(s) from that point on, outwards; None if
    there is none.

    The factor is measured at a few points only, since draws are never part of a proof.
    """
    cuts = form.cuts
    edge = len(cuts) - 1 if upward else 0
    for other in () if form.columns else reversed(range(edge)) if upward else range(1, len(cuts)):
        step = cuts[edge] - cuts[other]
        factor = shrinking_factor(form.law, form.output, cuts[edge], step)
        if factor is not None:
            return other, step, factor
    return None


def shrinking_factor(law: Expression, output: Output, edge: Ratio, step: Ratio) -> float | None:
    """The factor below 1 by which the law falls at each step beyond the edge, None where that is
    not one factor.
    """
    seen = set()
    for share in PLACES:
        at = edge + step * algebra.constant(share)
        here, there = (
            normal(substitute(law, {output.name: to_expression(x)}), EMPTY) for x in (at, at + step)
        )
        if here.is_zero:
            if not there.is_zero:
                return None
            continue
        seen.add((there / here).key)
        factor = rounded_ratio(there / here)
    if len(seen) > 1:
        return None
    return (factor if 0 <= factor < 1 else None) if seen else 0.0


# drawing


def draw_one(
    law: Expression, output: Output, given: Columns, rng: Any, n: int
) -> tuple[Array, Array]:
    """n draws of one output from its law, which need not have total 1, and the totals; earlier
    outputs are `given` as columns.
    """
    if output.kind == "finite":
        chosen, total = choose_positions(
            [evaluate_columns(substitute(law, {output.name: v}), given) for v in output.values],
            rng,
            n,
        )
        return finite_values(output)[chosen], total
    values, total = columns_by_form(law, output, given, n, lambda form: draw_from_form(form, rng))
    return (
        np.asarray(np.rint(values), dtype=np.int64) if output.kind == "integer" else values
    ), total


def draw_from_form(form: PiecewiseForm, rng: Any) -> tuple[Array, Array]:
    """Draws from the law of a form, one for each of its rows, and the totals; a density that is not
    a sum of exponentials, and does not depend on columns, is inverted numerically.
    """
    try:
        return draw_from_terms(draw_terms(form), rng, len(form.rows))
    except (Undecided, Unsupported):
        if form.columns:
            raise
    points = tuple(rounded_ratio(cut) for cut in form.cuts)
    draw = draw_by_inversion if form.output.kind == "real" else draw_from_table
    values, total = draw(form.law, form.output.name, points, rng, len(form.rows))
    return values, np.full(len(form.rows), total)


def finite_values(output: Output) -> Array:
    """The values of a finite output."""
    return value_array([plain_value(v) for v in output.values])


def choose_positions(weights: Sequence[Array], rng: Any, n: int) -> tuple[Array, Array]:
    """n positions, drawn with probabilities proportional to the weights (or columns of weights),
    and the totals; NotWorkedOut for weights that are not valid as floats.
    """
    listed = np.stack(
        np.broadcast_arrays(*(np.atleast_1d(np.asarray(w, dtype=float)) for w in weights or (0,)))
    )
    total = listed.sum(axis=0)
    if (
        not np.all(np.isfinite(total))
        or np.any(total <= 0)
        or np.any(listed.min(axis=0) < -NEAR * total)
    ):
        said = (
            "in floating point, the probabilities at this input are not finite numbers from 0 on "
            "with a total above 0"
        )
        raise NotWorkedOut(
            "sampling", said, "verify a claim about it: that shows where its mass is not 1"
        )
    sums = np.cumsum(np.maximum(listed, 0), axis=0)
    u = rng.random(n) * sums[-1]
    if sums.shape[1] == 1:
        return np.minimum(np.searchsorted(sums[:, 0], u, side="right"), len(sums) - 1), total[0]
    return np.minimum((u >= sums).sum(axis=0), len(sums) - 1), total


def draw_from_terms(listed: list[list[DrawTerm]], rng: Any, n: int) -> tuple[Array, Array]:
    """n draws from the terms of pieces, and the totals."""
    groups = [
        group
        for piece in listed
        for group in ([piece] if is_signed([t.a for t in piece]) else [[t] for t in piece])
    ]
    chosen, total = choose_positions([sum(t.mass for t in group) for group in groups], rng, n)
    v, values = rng.random(n), np.empty(n)
    places = np.split(
        np.argsort(chosen, kind="stable"),
        np.cumsum(np.bincount(chosen, minlength=len(groups)))[:-1],
    )
    for group, rows in zip(groups, places, strict=True):
        if len(rows):
            here = [t.of(rows) for t in group]
            values[rows] = (
                inverse_transform(here, v[rows]) if len(here) > 1 else here[0].at(v[rows])
            )
    return values, total


def is_signed(factors: Iterable[Array]) -> bool:
    """Whether a factor of a term is negative somewhere, so that no term can be drawn from by
    itself.
    """
    return any(np.any(a < 0) for a in factors)


def inverse_transform(group: list[DrawTerm], v: Array) -> Array:
    """The outputs below which the shares v of the mass of a piece lie, by bisection."""
    first, goal = group[0], v * sum(t.mass for t in group)
    step = 1.0 if first.whole else 0.0
    low = np.zeros(len(v))
    high = np.broadcast_to(
        first.length - step
        if np.all(np.isfinite(first.length))
        else sufficient_length(group, goal),
        len(v),
    )
    for _ in range(STEPS):
        mid = np.floor((low + high) / 2) if first.whole else (low + high) / 2
        below = sum(t.a * t.below(mid + step) for t in group) <= goal
        low, high = np.where(below, mid + step, low), np.where(below, high, mid)
    return first.start + first.direction * low


def sufficient_length(group: list[DrawTerm], goal: Array) -> float:
    """A length beyond which an endless piece has less mass than any share asks for."""
    x = 1.0
    while np.any(sum(t.a * t.below(x) for t in group) < goal) and x < 2.0**60:
        x *= 2
    return x


def output_total(law: Expression, output: Output) -> float:
    """The total of a law of one output."""
    if output.kind == "finite":
        return float(
            sum(
                rounded_ratio(normal(substitute(law, {output.name: v}), EMPTY))
                for v in output.values
            )
        )
    return float(
        columns_by_form(
            law,
            output,
            {},
            1,
            lambda form: (sum(t.mass for piece in draw_terms(form) for t in piece), 0.0),
        )[0][0]
    )


def symbolic_total(law: Expression, output: Output) -> Expression:
    """The total of a law over its output as an expression in what else the law depends on;
    Undecided or Unsupported where that has no one form.
    """
    if output.kind == "finite":
        return add(*(substitute(law, {output.name: v}) for v in output.values))
    law, table = hoist_constants(law, output.name)
    here = Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())
    for e, key in table.items():
        signs = signs_of(e, EMPTY) if e.head not in CONDITIONS else frozenset((-1, 0, 1))
        here = (
            here.given(symbol(key).num, ">" if signs == {1} else ">=") if signs <= {0, 1} else here
        )
    cuts = sort_in_context(output_breakpoints(law, output, here), here)
    total = sum(
        (
            total_on_piece(law, output.name, output.kind, cuts, i, here)
            for i in range(len(cuts) + 1)
        ),
        algebra.constant(0),
    )
    return substitute(to_expression(total), {key: e for e, key in table.items()})


def plain_value(e: Expression) -> Any:
    """A value of an output as plain Python: a text for a label, an int or a float for a number."""
    if e.head == "label":
        return e.args[0]
    exact = approximate_rational(normal(e, EMPTY))
    return int(exact) if exact.denominator == 1 else float(exact)


def value_array(column: list[Any]) -> Array:
    """The values as a numpy array, of objects where numbers and texts are mixed."""
    alike = all(isinstance(v, int | float) for v in column) or all(
        isinstance(v, str) for v in column
    )
    return np.array(column, dtype=None if alike else object)


def random_generator(rng: Any) -> Any:
    """The numpy generator that is given, or a new one with a seed; BadInput for anything else."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise BadInput(
            "rng",
            f"{str(rng)[:40]} is not a seed",
            "give a whole number from 0, a numpy Generator, or None",
        ) from None
