"""Paths of a program at sample values of its parameters, in numbers.

Parameters without a condition that occur in comparisons and released numbers alone, such as
thresholds, stay open: like query answers, they may be chosen later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, Unsupported
from ahdp_verify.kernel.model.linear_form import LinearForm, linear_form
from ahdp_verify.kernel.model.program import ONE_SIDED
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.program_paths import Item, Path
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import TRUE, Expression, names, substitute

EMPTY = Context.empty()
Vector = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class SampledForm:
    """Multiples of noises, multiples of answers and open parameters, and a constant."""

    noises: Vector
    given: Vector
    constant: Fraction

    def change(self, moved: Vector) -> Fraction:
        """By how much the form changes when answers move."""
        return sum((c * moved.get(key, 0) for key, c in self.given.items()), Fraction(0))

    def value(self, noises: Vector, given: Vector) -> Fraction:
        """The value at noises, answers and open parameters."""
        drawn = sum((c * noises.get(key, 0) for key, c in self.noises.items()), Fraction(0))
        return drawn + self.change(given) + self.constant


@dataclass(frozen=True, slots=True)
class SampledPath:
    """A path in numbers.

    rates    1/scale of each noise that occurs in a row or a released number
    upward   the noises that are never negative
    rows     what is positive on the path
    values   the released numbers, by their place among the items
    """

    rates: Vector
    upward: frozenset[str]
    rows: tuple[SampledForm, ...]
    values: Mapping[int, SampledForm]
    items: tuple[Item, ...]


@dataclass(slots=True)
class Sampler:
    """The values of the parameters of a claim; `open` are the parameters that stay open."""

    claim: ProgramClaim
    values: Mapping[str, Expression]
    open: frozenset[str]
    _forms: dict[Expression, tuple[Vector, Fraction]] = field(default_factory=dict)

    def path(self, path: Path) -> SampledPath | None:
        """The path in numbers; None where they are not rational."""
        laws = {noise.name: noise for noise in path.draws}
        try:
            rows = tuple(self._form(row.form, laws) for row in path.rows)
            values = {
                i: self._form(item, laws)
                for i, item in enumerate(path.items)
                if isinstance(item, LinearForm)
            }
            used = sorted({v for form in (*rows, *values.values()) for v in form.noises})
            rates = {v: 1 / self._constant(laws[v].scale)[1] for v in used}
        except (BadInput, Unsupported):
            return None
        upward = frozenset(v for v in used if laws[v].law in ONE_SIDED)
        return SampledPath(rates, upward, rows, values, path.items)

    def level(self, level: Expression) -> Expression:
        """A level at the values."""
        return substitute(level, dict(self.values))

    def _form(self, form: LinearForm, laws: Iterable[str]) -> SampledForm:
        given, constant = self._constant(form.constant)
        answers = {key: c for key, c in form.terms if key not in laws}
        noises = {key: c for key, c in form.terms if key in laws}
        return SampledForm(noises, {**given, **answers}, constant)

    def _constant(self, e: Expression) -> tuple[Vector, Fraction]:
        if e not in self._forms:
            known = {key: v for key, v in self.values.items() if key not in self.open}
            form = linear_form(substitute(e, known), self.open, EMPTY, "program")
            found = normal(form.constant, EMPTY).as_rational
            if found is None:
                raise Unsupported(f"{e} is not rational")
            self._forms[e] = form.coefficients, found
        return self._forms[e]


def open_parameters(claim: ProgramClaim, paths: Iterable[Path]) -> frozenset[str]:
    """The parameters without a condition that occur in comparisons and released numbers alone."""
    fixed = names(claim.level) | names(claim.delta)
    for _, condition in claim.parameters:
        fixed |= names(condition)
    for path in paths:
        fixed |= names(path.probability)
        for noise in path.draws:
            fixed |= names(noise.scale)
    return frozenset(key for key, c in claim.parameters if c == TRUE and key not in fixed)
