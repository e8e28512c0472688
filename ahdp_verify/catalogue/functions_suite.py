"""Queries on vectors released by six mechanisms, with the right noise and with half of it, as one
suite.

A row is a query (`vector_queries`), a mechanism and its noise.  With D the stated sensitivity of
the query f, the right ones are

    laplace       f + Laplace noise of scale D/eps                                level eps
    gaussian-gdp  f + Gaussian noise of standard deviation D/mu                   mu-GDP
    gaussian-zcdp f + Gaussian noise of variance D^2/(2 rho)                      rho-zCDP
    exponential   item j with probability ~ exp(eps f(column j)/(2 D))            level eps
    noisy-max     the largest f(column j) + Laplace noise of scale 2 D/eps        level eps
    permute-flip  the largest f(column j) + exponential noise of mean 2 D/eps     level eps

for every eps, mu, rho > 0.  The last three choose one of any number of items: the rows of a table
are people, its columns items, and one row may move every f(column j) by up to D.  A proof is that
the query moves by at most D, and that the mechanism is private where answers, in units of D, move
by at most 1.  A refutation is two vectors (for items: two tables, each column one of the two
vectors) that differ in one row, and the privacy loss of the mechanism there.

>>> rows = [row for row in FUNCTIONS if (row.query.id, row.mechanism.id) == ("steps", "laplace")]
>>> for found in (row.decided() for row in rows):
...     print(found.outcome, "|", found.where)
proved | n >= 2
refuted | n = 3, holds for n = 2
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.catalogue.entry import EPS, POSITIVE, VerdictWord
from ahdp_verify.catalogue.exponential import acceptance_integral
from ahdp_verify.catalogue.noisy_max import noise_of
from ahdp_verify.catalogue.vector_queries import UNIT, VECTOR_QUERIES, VectorQuery
from ahdp_verify.kernel.checker import refute_program
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.program_counterexample import (
    Between,
    OutputEvent,
    ProgramCounterexample,
)
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.refuted import RefutedApplied, RefutedInequality
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    Max,
    eq,
    exp,
    label,
    multiply,
    name,
    names,
    number,
    pi,
    piecewise,
    sqrt,
    substitute,
)
from ahdp_verify.laws.noise import laplace_density
from ahdp_verify.laws.selection import proportional, weight_of
from ahdp_verify.programs import argmax, noise_program
from ahdp_verify.search import resources
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.sensitivity import sensitivity_refutation
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Verdict

MU, RHO = name("mu"), name("rho")
BEFORE, AFTER = "before", "after"
ITEMS = 3  # of the tables of a refutation
NOTE = (
    "exponential is answered by the noise program with Gumbel noise, which has the same law (cited). "
    "exponential, noisy-max, permute-flip, half: a verdict at the two tables made of the vectors shown, "
    "with answers in units of D."
)  # what a row rests on beyond the checker
RIGHT, HALF = Fraction(1), Fraction(1, 2)
COLUMNS = ("query", "mechanism", "noise", "claim", "verdict", "where", "seconds", "shown by")


EMPTY, TWO = Context.empty(), Values([BEFORE, AFTER])


@noise_program(parameters=POSITIVE)
def largest_noisy_item(queries: Any, eps: Any, law: str = "laplace", scale: int = 2) -> int:
    """The place of the greatest of any number of answers with noise of scale `scale`/eps."""
    return argmax(q + noise_of(law, scale / eps) for q in queries)


@dataclass(frozen=True, slots=True)
class TwoVectors:
    """Two vectors that differ in one entry, and by how many times the stated sensitivity the answer
    is larger at the second one (`moved`, a constant).
    """

    values: UnknownValues
    moved: Expression

    def answer(self, turned: bool = False) -> Expression:
        """The answer at the input v, before or after the change, in units of the stated sensitivity
        from the first one; that at the other input if it is turned.
        """
        first, second = (self.moved, ZERO) if turned else (ZERO, self.moved)
        return piecewise((first, eq(name("v"), label(BEFORE))), (second, True))

    def __str__(self) -> str:
        return ", ".join(f"{key} = {value}" for key, value in self.values)


def two_vectors(query: VectorQuery, refuted: RefutedInequality) -> TwoVectors:
    """The vectors of a refutation of a smaller sensitivity."""
    given = dict(refuted.values)
    bound = normal(substitute(query.stated, given), EMPTY)
    return TwoVectors(refuted.values, to_expression(refuted.left / bound))


def at_two(mechanism: Mechanism) -> Claim:
    """The claim of level eps between two inputs."""
    return Claim(mechanism, "any", EPS)


def laplace_claim(noise: Fraction) -> Claim:
    """Laplace noise of scale noise/eps on one answer that moves by at most 1."""
    s, q = real("s"), name("q[1]")
    law = laplace_density(s - q, number(noise) / EPS)
    mechanism = Mechanism(Queries(1), outputs=[s], density=law, parameters=POSITIVE, name="laplace")
    return Claim(mechanism, "one", EPS)


def gaussian_density(notion: str, distance: Expression, noise: Fraction) -> Expression:
    """The normal density of `noise` times the right standard deviation for GDP, or for zCDP."""
    size = number(noise)
    scaled = (distance / size) ** 2
    if notion == "gdp":
        return exp(-scaled * MU**2 / 2) * MU / (size * sqrt(2 * pi))
    return exp(-scaled * RHO) * sqrt(RHO) / (size * sqrt(pi))


def gaussian_claim(notion: str, noise: Fraction) -> NotionClaim:
    """Gaussian noise of `noise` times the right standard deviation on one answer that moves by at
    most 1.
    """
    return notion_claim(notion, Queries(1), name("q[1]"), noise)


def notion_claim(
    notion: str, inputs: Queries | Values, location: Expression, noise: Fraction
) -> NotionClaim:
    """The claim that a normal density is mu-GDP, or rho-zCDP."""
    s, parameter = real("s"), MU if notion == "gdp" else RHO
    mechanism = Mechanism(
        inputs,
        outputs=[s],
        density=gaussian_density(notion, s - location, noise),
        parameters={str(parameter): parameter > 0},
        name="gaussian",
    )
    relation = "one" if isinstance(inputs, Queries) else "any"
    return NotionClaim(Claim(mechanism, relation, parameter), notion)


def selection_claim(law: str, noise: Fraction) -> ProgramClaim:
    """Noise of scale 2 noise/eps on any number of answers that all move by at most 1: the place of
    the greatest.
    """
    program, _ = largest_noisy_item(law=law, scale=int(2 * noise)).answering(None)
    return ProgramClaim(program, "all", EPS)


def rates(two: TwoVectors, noise: Fraction, items: int) -> list[Expression]:
    """What is proportional to the score of each item: the first column changes one way, the others
    the other way.
    """
    rate = EPS / (2 * number(noise))
    return [multiply(rate, two.answer(turned=k > 0)) for k in range(items)]


def exponential_at(two: TwoVectors, noise: Fraction) -> Verdict:
    """The verdict on level eps of the exponential mechanism between two tables."""
    i = finite("i", range(1, ITEMS + 1))
    law = proportional(i.values, [exp(score) for score in rates(two, noise, ITEMS)])(i.symbol)
    return verify(at_two(Mechanism(TWO, outputs=[i], density=law, parameters=POSITIVE)))


def permute_at(two: TwoVectors, noise: Fraction) -> Verdict:
    """The verdict on level eps of permute-and-flip between two tables."""
    i, scores = finite("i", range(1, 3)), rates(two, noise, 2)
    accept = [exp(score - Max(*scores)) for score in scores]
    chosen = [a * acceptance_integral(accept[:k] + accept[k + 1 :]) for k, a in enumerate(accept)]
    law = weight_of(i, i.values, chosen)
    return verify(at_two(Mechanism(TWO, outputs=[i], density=law, parameters=POSITIVE)))


def noisy_max_at(two: TwoVectors, noise: Fraction) -> Verdict | None:
    """The refutation of level eps of report noisy max between two tables; None where the answer
    does not change by a rational multiple of the stated sensitivity.
    """
    if two.moved.head != "number":
        return None
    far = abs(two.moved.args[0])
    high, low = (far, *[Fraction(0)] * (ITEMS - 1)), (Fraction(0), *[far] * (ITEMS - 1))
    event = OutputEvent((Between(number(0), number(0)),))
    example = ProgramCounterexample((("eps", number(1)),), high, low, event)
    claim = replace(selection_claim("laplace", noise), queries=ITEMS)
    try:
        return refute_program(claim, example)
    except Rejected:
        return None


@dataclass(frozen=True, slots=True)
class ReleasedBy:
    """A mechanism: its claim where answers move by at most 1 (`noise` times the right noise), and
    its verdict at two vectors, where these are the columns of two tables.
    """

    id: str
    right: str
    half: str
    claim: Callable[[Fraction], Claim | NotionClaim | ProgramClaim]
    at: Callable[[TwoVectors, Fraction], Verdict | None] | None = None


MECHANISMS = (
    ReleasedBy(
        "laplace",
        "f + Laplace(D/eps) has level eps",
        "f + Laplace(D/(2 eps)) has level eps",
        laplace_claim,
    ),
    ReleasedBy(
        "gaussian-gdp",
        "f + N(0, (D/mu)^2) is mu-GDP",
        "f + N(0, (D/(2 mu))^2) is mu-GDP",
        partial(gaussian_claim, "gdp"),
    ),
    ReleasedBy(
        "gaussian-zcdp",
        "f + N(0, D^2/(2 rho)) is rho-zCDP",
        "f + N(0, D^2/(8 rho)) is rho-zCDP",
        partial(gaussian_claim, "zcdp"),
    ),
    ReleasedBy(
        "exponential",
        "P(j) ~ exp(eps f_j/(2 D)) has level eps, any number of items",
        "P(j) ~ exp(eps f_j/D) has level eps, any number of items",
        partial(selection_claim, "gumbel"),
        exponential_at,
    ),
    ReleasedBy(
        "noisy-max",
        "argmax f_j + Laplace(2 D/eps) has level eps, any number of items",
        "argmax f_j + Laplace(D/eps) has level eps, any number of items",
        partial(selection_claim, "laplace"),
        noisy_max_at,
    ),
    ReleasedBy(
        "permute-flip",
        "argmax f_j + Exponential(2 D/eps) has level eps, any number of items",
        "argmax f_j + Exponential(D/eps) has level eps, any number of items",
        partial(selection_claim, "exponential"),
        permute_at,
    ),
)


@dataclass(frozen=True, slots=True)
class FunctionAnswer:
    """What was found about a row.

    outcome  of the claim: proved, refuted or unknown
    where    the parameters for which it is proved, or those of the refutation and for which it
             holds all the same
    seconds  processor time
    shown    the vectors of a refutation, or what is missing
    """

    outcome: str
    where: str
    seconds: float
    shown: str


@dataclass(frozen=True, slots=True)
class FunctionRow:
    """A query released by a mechanism with `noise` times the right noise, and the verdict known."""

    query: VectorQuery
    mechanism: ReleasedBy
    noise: Fraction
    verdict: VerdictWord

    @property
    def id(self) -> str:
        """The name of the query."""
        return self.query.id

    def is_as_known(self, found: FunctionAnswer) -> bool:
        """Whether the verdict is the known one."""
        return found.outcome == self.verdict

    @property
    def claim(self) -> str:
        """The claim in words."""
        return self.mechanism.right if self.noise == RIGHT else self.mechanism.half

    def decided(self, limits: Limits | None = None) -> FunctionAnswer:
        """The verdict on the claim, with where it holds."""
        start = resources.processor_time()
        outcome, where, shown = self._found(limits or Limits())
        return FunctionAnswer(outcome, where, resources.processor_time() - start, shown)

    def _found(self, limits: Limits) -> tuple[str, str, str]:
        claim = self.query.sensitivity(self.noise)
        moves = find_jump(claim, limits)
        if moves is None:
            found = released_verdict(self.mechanism.claim(RIGHT), claim, limits)
            return (
                found.outcome,
                conditions(self.query),
                "" if found.outcome == "proved" else str(found),
            )
        two = two_vectors(self.query, moves)
        if self.mechanism.at is None:
            there: Verdict | None = released_verdict(self.mechanism.claim(RIGHT), claim, limits)
            if isinstance(there, RefutedApplied):
                two = replace(two, values=there.vectors[0])
        else:
            there = self.mechanism.at(two, self.noise)
        if there is None or there.outcome != "refuted":
            return "unknown", conditions(self.query), f"not decided at {two}"
        return "refuted", self._range(two, limits), str(two)

    def _range(self, two: TwoVectors, limits: Limits) -> str:
        """The number of entries of a refutation, and for which smaller ones the claim holds."""
        inputs = self.query.inputs
        given = dict(two.values[: len(inputs.parameters)])
        said = ", ".join(f"{key} = {value}" for key, value in given.items())
        for key in sorted(names(inputs.size)):
            held = []
            for smaller in range(int(given[key].args[0])):
                fixed = {
                    k: f"{c} and {k} == {smaller}" if k == key else c
                    for k, c in self.query.parameters
                }
                try:
                    fewer = Entries(self.query.size, UNIT, fixed)
                    if (
                        verify(self.query.sensitivity(self.noise, fewer), limits).outcome
                        == "proved"
                    ):
                        held.append(f"{key} = {smaller}")
                except BadInput:
                    continue
            if held:
                said += f", holds for {' and '.join(held)}"
        least = least_change(self.query, limits)
        if least is not None and names(least):
            half = multiply(number(self.noise), self.query.stated)
            said += f", f moves by at most {half} exactly where {least} <= {half}"
        return said

    def cells(self, found: FunctionAnswer) -> tuple[str, ...]:
        """The row as texts, one for each of `COLUMNS`."""
        return (
            self.query.id,
            self.mechanism.id,
            "right" if self.noise == RIGHT else "half",
            self.claim,
            found.outcome + ("" if found.outcome == self.verdict else f", NOT {self.verdict}"),
            found.where,
            f"{found.seconds:.3f}",
            found.shown,
        )


def released_verdict(
    base: Claim | NotionClaim | ProgramClaim, moves: SensitivityClaim, limits: Limits
) -> Verdict:
    """The verdict on a claim about answers that move by at most 1, applied to a query divided by
    the bound of its sensitivity.
    """
    return verify(AppliedClaim(base, moves), limits)


def find_jump(claim: SensitivityClaim, limits: Limits) -> RefutedInequality | None:
    """A refutation of a claim of sensitivity, if one is found."""
    clock = limits.clock()
    with clock.running():
        return sensitivity_refutation(claim, clock)


def least_change(query: VectorQuery, limits: Limits) -> Expression | None:
    """By how much a sum moves at most where one entry changes, as a function of its parameters: the
    exact least level of the sum with Laplace noise of scale 1; None where it is not found, and for
    other queries.
    """
    others = {key: c for key, c in query.parameters if key not in names(query.inputs.size)}
    if query.query.head != "sum" or not others or names(query.query) & names(query.inputs.size):
        return None
    s, entries = real("s"), Domain.universal({"x": UNIT})
    law = laplace_density(s - query.query, 1)
    released = Mechanism(entries, outputs=[s], density=law, parameters=others)
    (row,) = tighten(released, "swap", limits).rows
    return row.level if row.exact else None


def conditions(query: VectorQuery) -> str:
    """For which parameters a claim is made, in words."""
    size = "" if query.size == "n" else f"n = {query.size}, "
    return size + ", ".join(condition for _, condition in query.parameters)


FUNCTIONS: tuple[FunctionRow, ...] = tuple(
    FunctionRow(
        query,
        mechanism,
        noise,
        "proved" if noise == RIGHT or query.id == "median-even" else "refuted",
    )
    for query in VECTOR_QUERIES
    for mechanism in MECHANISMS
    for noise in (RIGHT, HALF)
)
