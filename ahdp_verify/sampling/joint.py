"""Draws from a distribution of one or several outputs at one input: a finite distribution from its
joint table, others one output after the other.

Each output has its own factor of the law, in which earlier outputs may occur; what that factor adds
up to belongs to the last of these. Floats throughout: nothing here is part of a proof.  Needs
numpy.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> law = SampledLaw((real("n"), real("s")), exp(-Abs(name("n"))) / 2 * exp(-Abs(name("s") - name("n"))) / 2, ())
>>> found = law.draw(np.random.default_rng(1), 4000)
>>> abs(float(np.mean(found["s"] - found["n"]))) < 0.1
True
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import Any

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import JOINT, Output
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    eq,
    multiply,
    name,
    names,
    number,
    piecewise,
    reciprocal,
    substitute,
)
from ahdp_verify.sampling.floats import Array, Columns, evaluate_columns, np
from ahdp_verify.sampling.one_output import (
    choose_positions,
    draw_one,
    finite_values,
    output_total,
    plain_value,
    symbolic_total,
    value_array,
)

CELLS = 20_000_000  # most numbers in one table of weights
NEAR = 1e-9  # relative difference up to which totals count as equal
WHOLE = 1e-6  # difference from 1 up to which a rounded total counts as 1
Draws = dict[str, Array]  # output -> a value for each draw; an atom is its value


@dataclass(frozen=True, slots=True)
class SampledLaw:
    """The distribution of a mechanism at one input: its only names are the outputs, and those for
    which columns are given.
    """

    outputs: tuple[Output, ...]
    density: Expression
    atoms: tuple[tuple[Expression, Expression], ...]

    def draw(self, rng: Any, n: int, given: Columns | None = None) -> Draws:
        """n independent draws."""
        known = given or {}
        if self.atoms:
            return {self.outputs[0].name: self._with_atoms(rng, n, known)}
        if all(o.kind == "finite" for o in self.outputs) and self.combinations <= JOINT:
            return self._joint(rng, n, known)
        prefactor, groups = factors_by_output(self.density, tuple(o.name for o in self.outputs))
        found: Draws = {}
        total = evaluate_columns(prefactor, known)
        for output, group in zip(
            self.outputs, conditional_laws(groups, self.outputs, tuple(known)), strict=True
        ):
            found[output.name], mass = draw_one(group, output, {**known, **found}, rng, n)
            total = total * mass
        check_law_total(total)
        return found

    @property
    def combinations(self) -> int:
        """How many values finite outputs have together."""
        return math.prod(len(o.values) for o in self.outputs)

    def _joint(self, rng: Any, n: int, given: Columns) -> Draws:
        outcomes = list(itertools.product(*(range(len(o.values)) for o in self.outputs)))
        laws = [
            substitute(
                self.density,
                {o.name: o.values[i] for o, i in zip(self.outputs, outcome, strict=True)},
            )
            for outcome in outcomes
        ]
        used = {k: v for k, v in given.items() if k in names(self.density)}
        chosen = np.empty(n, dtype=np.int64)
        for rows in np.array_split(np.arange(n), 1 + (n * len(laws) // CELLS if used else 0)):
            chosen[rows], total = choose_positions(
                [evaluate_columns(law, {k: v[rows] for k, v in used.items()}) for law in laws],
                rng,
                len(rows),
            )
            check_law_total(total)
        positions = np.array(outcomes)[chosen]
        return {o.name: finite_values(o)[positions[:, i]] for i, o in enumerate(self.outputs)}

    def _with_atoms(self, rng: Any, n: int, given: Columns) -> Array:
        masses = [evaluate_columns(mass, given) for _, mass in self.atoms]
        rest = 1 - sum(masses)
        chosen, _ = choose_positions([*masses, np.where(abs(rest) < WHOLE, 0.0, rest)], rng, n)
        rows = np.flatnonzero(chosen == len(masses))
        output = self.outputs[0]
        continuous, total = (
            draw_one(self.density, output, {k: v[rows] for k, v in given.items()}, rng, len(rows))
            if len(rows)
            else (np.empty(0), 1)
        )
        check_law_total(total + 1 - (rest[rows] if np.ndim(rest) else rest) if len(rows) else 1)
        points = value_array([plain_value(at) for at, _ in self.atoms])
        mixed = (
            points.dtype
            if points.dtype.kind == continuous.dtype.kind or points.dtype.kind in "if"
            else object
        )
        values = np.empty(n, dtype=np.result_type(mixed, continuous.dtype))
        values[rows] = continuous
        values[chosen < len(masses)] = points[chosen[chosen < len(masses)]]
        return values


def check_law_total(total: Array) -> None:
    """Unsupported unless the total is 1."""
    if not np.all(np.abs(np.asarray(total, dtype=float) - 1) < WHOLE):
        raise Unsupported(f"in floating point its total is {float(np.ravel(total)[0]):.6g}, not 1")


def conditional_laws(
    groups: Iterable[Expression], outputs: tuple[Output, ...], given: tuple[str, ...] = ()
) -> list[Expression]:
    """The groups, each of which is the distribution of its own output given the earlier ones, up to
    a constant.

    From the last on, the total of a group over its output, where it depends on earlier outputs,
    goes to the group of the last of these: the 1/(1 + b) of exp(-|s|/(1 + b))/(1 + b) mentions b
    alone, and yet belongs to the law of s.
    """
    listed = list(groups)
    for i in reversed(range(len(outputs))):
        used = names(listed[i])
        earlier = [j for j, o in enumerate(outputs[:i]) if o.name in used]
        if not earlier:
            continue
        finite = [outputs[j] for j in earlier if outputs[j].kind == "finite"]
        others = [
            *(outputs[j].name for j in earlier if outputs[j].kind != "finite"),
            *(k for k in given if k in used),
        ]
        if math.prod(len(o.values) for o in finite) > JOINT:
            raise Unsupported(f"there are more than {JOINT} combinations of finite outputs")
        assignments = [
            dict(zip((o.name for o in finite), values, strict=True))
            for values in itertools.product(*(o.values for o in finite))
        ]
        totals = [_total(substitute(listed[i], put), outputs[i], others) for put in assignments]
        if not all(_same(total, totals[0]) for total in totals) or names(totals[0]):
            cases = [
                (total, reduce(and_, (eq(name(k), v) for k, v in put.items()), TRUE))
                for total, put in zip(totals, assignments, strict=True)
            ]
            share = piecewise(*cases[:-1], (cases[-1][0], True)) if finite else totals[0]
            listed[earlier[-1]], listed[i] = (
                multiply(listed[earlier[-1]], share),
                multiply(listed[i], reciprocal(share)),
            )
    return listed


def _same(a: Expression, b: Expression) -> bool:
    """True only if two totals are equal, numbers up to rounding."""
    return a == b or (
        a.head == b.head == "number" and math.isclose(a.args[0], b.args[0], rel_tol=NEAR)
    )


def _total(law: Expression, output: Output, others: list[str]) -> Expression:
    """The total of a law over its output, a number or an expression in what else it depends on."""
    if not others:
        found = output_total(law, output)
        if not math.isfinite(found):
            raise Unsupported(f"the total over {output.name} is not finite")
        return number(Fraction(found))
    try:
        return symbolic_total(law, output)
    except Undecided:
        raise Unsupported(
            f"the total over {output.name} depends on {', '.join(others)}, and has no single form"
        ) from None
