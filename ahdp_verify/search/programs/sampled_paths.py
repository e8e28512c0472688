"""Paths of a program at sample values of its parameters, in numbers.

Parameters without a condition that occur in comparisons and released numbers alone, such as
thresholds, stay open: like query answers, they may be chosen later.

>>> from ahdp_verify.kernel.model.program import Draw, If, Program, Stop
>>> from ahdp_verify.kernel.model.program_paths import PathTable
>>> from ahdp_verify.kernel.terms.expression import number
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> test = Draw("x", "laplace", parse("2/eps"), If(parse("q[1] + x - T"), True, Stop(), Stop()))
>>> program = Program("", (("eps", parse("0 < eps")), ("T", TRUE)), Answers(1), test)
>>> claim, paths = ProgramClaim(program, "all", parse("eps")), list(PathTable(program).runs(1))
>>> sampler = Sampler(claim, {"eps": number(1)}, open_parameters(claim, paths))
>>> path = sampler.path(paths[0])
>>> print(path.rates["x"], sorted(path.rows[0].given))
1/2 ['T', 'q[1]']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil

from ahdp_verify.kernel.errors import BadInput, Unsupported
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.linear_form import LinearForm, linear_form
from ahdp_verify.kernel.model.program import ONE_SIDED
from ahdp_verify.kernel.model.program_claim import Moves, ProgramClaim
from ahdp_verify.kernel.model.program_paths import Item, Path
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.chance import released_numbers
from ahdp_verify.kernel.terms.expression import TRUE, Expression, names, substitute

EMPTY = Context.empty()
Vector = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class SampledForm:
    """Multiples of noises, multiples of answers and open parameters, and a constant."""

    noises: Vector
    given: Vector
    constant: Fraction

    @property
    def is_constant(self) -> bool:
        """Whether there are neither noises nor answers in it."""
        return not self.noises and not self.given

    def change(self, moved: Vector) -> Fraction:
        """By how much the form changes when answers move."""
        return sum((c * moved.get(key, 0) for key, c in self.given.items()), Fraction(0))

    def sharpened(self) -> SampledForm:
        """For whole noises and answers: a form that is >= 0 where this one is > 0."""
        factors = (*self.noises.values(), *self.given.values())
        if any(c.denominator > 1 for c in factors):
            return self
        return replace(self, constant=Fraction(ceil(self.constant) - 1))


@dataclass(frozen=True, slots=True)
class SampledPath:
    """A path in numbers.

    rates    1/scale of each noise that occurs in a row or a released number
    upward   the noises that are never negative
    whole    the noises that are whole numbers
    rows     what is >= 0 on the path
    strict   the rows, by index, that are > 0
    values   the released numbers, by their place among the items; with `increments` by how much each
             exceeds the one before
    """

    rates: Vector
    upward: frozenset[str]
    whole: frozenset[str]
    rows: tuple[SampledForm, ...]
    strict: frozenset[int]
    values: Mapping[int, SampledForm]
    items: tuple[Item, ...]
    increments: bool


def answer_kinds(moves: Moves, inputs: Answers | RecordAnswers) -> dict[str, str]:
    """A text for each answer, equal for those that may be exchanged: those that move alike, and
    that do not depend on a dataset.
    """
    if isinstance(inputs, RecordAnswers):
        return {}
    ends = {key: (low, high) for key, low, high in moves.box}
    return {key: str([(ends.get(a), c) for a, c in affine]) for key, affine in moves.values}


def form_of_path(path: SampledPath, kinds: Mapping[str, str]) -> object:
    """What is equal for paths that differ in the names of noises and of exchangeable answers."""
    kinds = dict(kinds)
    for noise, rate in path.rates.items():
        kinds[noise] = f"noise {rate} {noise in path.upward} {noise in path.whole}"
    forms: list[tuple[SampledForm, bool | None]] = [
        (form, i in path.strict) for i, form in enumerate(path.rows)
    ]
    forms += [(form, None) for form in path.values.values()]
    listed = []
    for form, strict in forms:
        terms = sorted(
            (kinds.get(k, k), c.numerator, c.denominator, k)
            for part in (form.noises, form.given)
            for k, c in part.items()
        )
        signature = str(strict), str(form.constant), [term[:3] for term in terms]
        listed.append((signature, [term[3] for term in terms]))
    numbers: dict[str, int] = {}
    found = []
    for (strict_text, constant, terms_), keys in sorted(listed):
        numbered = [
            (numbers.setdefault(k, len(numbers)), t) for k, t in zip(keys, terms_, strict=True)
        ]
        found.append((strict_text, constant, tuple(sorted(numbered))))
    return tuple(found)


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
            numbers = released_numbers(path.items, False)
            increments = any(len(set(f.coefficients) & set(laws)) > 2 for f in numbers.values())
            if increments:  # running sums: each of them contains one new noise
                numbers = released_numbers(path.items, True)
            values = {i: self._form(form, laws) for i, form in numbers.items()}
            used = sorted({v for form in (*rows, *values.values()) for v in form.noises})
            rates = {v: 1 / self._constant(laws[v].scale)[1] for v in used}
        except (BadInput, Unsupported):
            return None
        upward = frozenset(v for v in used if laws[v].law in ONE_SIDED)
        whole = frozenset(v for v in used if laws[v].law == "geometric")
        strict = frozenset(i for i, row in enumerate(path.rows) if row.strict)
        if self.claim.program.inputs.whole:
            sharp = frozenset(i for i in strict if whole.issuperset(rows[i].noises))
            rows = tuple(row.sharpened() if i in sharp else row for i, row in enumerate(rows))
            strict -= sharp
        return SampledPath(rates, upward, whole, rows, strict, values, path.items, increments)

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
