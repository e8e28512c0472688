"""How far the answer to a query moves when one entry of a vector changes: the least bound.

Vectors of few entries show how far it moves at least; a formula in the number of entries that fits
them all is proposed as the bound, and becomes the answer once the checker has proved it. The bound
is least if the checker finds that the answer moves by exactly that much at some vector.

>>> from ahdp_verify.kernel.model.entries import Entries
>>> print(sensitivity("sum(abs(x - sum(x)/n))", Entries("n", "0 <= x <= 1", {"n": "n >= 2"})))
the sensitivity of sum(abs(x - sum(x)/n)) is at most 2*(n - 1)/n, attained at n = 2, x[1] = 0, x[2] = 0, x[1]' = 1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload

from ahdp_verify.analysis.record_sensitivity import RecordSensitivity, record_sensitivity
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.declarations import exact_expression
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Expression,
    multiply,
    names,
    number,
    substitute,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.applied import applied_claim
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.refuting.vectors import (
    ROUNDED,
    Question,
    largest_jump,
    parameter_values,
)
from ahdp_verify.search.sensitivity import verify_sensitivity
from ahdp_verify.verdicts import Unknown, Verdict

SHARE = 4  # the search for vectors takes at most one part in so many of the time
EMPTY = Context.empty()
SIMPLE, CLOSE = 100, Fraction(1, 10**4)  # largest denominator, and how far below it moves lie


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The sensitivity of a query.

    bound      the answer never moves by more, in the parameters; None if no bound was proved
    proof      of that
    attained   parameters, entries and a new entry at which the answer moves by `moved`
    least      whether `moved` is the bound there, so that no smaller one is valid for these
               parameters
    reason     why no bound was proved, with the bound that was tried last; "" if one was
    """

    claim: SensitivityClaim
    bound: Expression | None
    proof: Proved | None
    attained: UnknownValues
    moved: Expression
    reason: str = ""

    __repr__ = short_repr

    @property
    def least(self) -> bool:
        """Whether the bound is attained."""
        if self.bound is None:
            return False
        moved, bound = self.claim.sides_at(self.attained)
        return constant_sign(bound - moved) == 0

    def __str__(self) -> str:
        where = ", ".join(f"{key} = {value}" for key, value in self.attained)
        if self.bound is None:
            said = f"the sensitivity of {self.claim.query} is at least {self.moved}, at {where}"
            return f"{said}; no bound was proved: {self.reason or 'none was found to try'}"
        if self.least:
            # one vector shows what is least for its own parameters
            word = "at most " if names(self.bound) else ""
            said = f"the sensitivity of {self.claim.query} is {word}{self.bound}"
            return f"{said}, attained at {where}"
        return f"{self.claim}; it is at least {self.moved}, at {where}"


def sensitivity_claim(
    query: object, inputs: Entries, bound: object, name: str = ""
) -> SensitivityClaim:
    """The claim that the answer to a query moves by at most `bound` when one entry changes; both
    are texts or expressions.
    """
    return SensitivityClaim(inputs, read_query(query), read_query(bound, "bound"), name)


def by_sensitivity(
    claim: AnyClaim | NotionClaim | Proved, moves: SensitivityClaim | Sensitivity | Proved
) -> AppliedClaim:
    """The claim that a mechanism on query answers, private where they move by at most 1, is private
    to the same extent on the answers of a query, divided by the bound of its sensitivity.

    `claim` is about the mechanism on answers, of which all move, or its only one; `moves` may be
    what `sensitivity` found; both may be proofs.  Raises BadInput for a bound that is not positive,
    by which no answer can be divided, and for a name with two conditions; NotWorkedOut where
    `sensitivity` found no bound.
    """
    if isinstance(moves, RecordSensitivity):
        said = "it is of a query on records, whose mechanism reads the records itself"
        raise BadInput("sensitivity", said, "claim ahdp, hdp or dp of a mechanism over the domain")
    if isinstance(moves, Sensitivity) and moves.bound is None:
        said, cure = f"no bound was proved: {moves.reason}", "claim one with sensitivity_claim"
        raise NotWorkedOut("sensitivity", said, cure)
    claimed: Any = claim.claim if isinstance(claim, Proved) else claim
    moved: Any = moves.claim if isinstance(moves, Sensitivity | Proved) else moves
    return applied_claim(claimed, moved)


def read_query(query: object, where: str = "query") -> Expression:
    """The expression of a query, which may be a text."""
    if isinstance(query, str):
        return parse(query, where, nested=True)
    return query if isinstance(query, Expression) else exact_expression(query, where)


@overload
def sensitivity(query: object, inputs: Entries, limits: Limits | None = None) -> Sensitivity: ...
@overload
def sensitivity(
    query: object,
    inputs: Domain,
    limits: Limits | None = None,
    *,
    relation: str = "add-remove",
    public: tuple[str, ...] = (),
    defined: object = None,
    parameters: Mapping[str, object] | None = None,
) -> RecordSensitivity: ...
def sensitivity(
    query: object, inputs: Entries | Domain, limits: Limits | None = None, **options: Any
) -> Sensitivity | RecordSensitivity:
    """How far the answer to a query moves at most: on vectors, when one entry changes, for all
    values of the parameters; on datasets over a domain, between neighbours of a `relation`.

    For datasets `relation` is add-remove, swap, ahdp (how far each record moves the answer) or hdp
    (each record, replaced by one of the same demand and the same `public` parts); `defined` says of
    which datasets, and `parameters` are those of the query.  Raises BadInput for a query that the
    entries or records do not determine.
    """
    if isinstance(inputs, Domain):
        relation = options.pop("relation", "add-remove")
        return record_sensitivity(query, inputs, relation, limits, **options)
    if options:
        cure = "leave it out: neighbouring vectors differ in one entry"
        raise BadInput(next(iter(options)), "it is about datasets over a domain", cure)
    if not isinstance(inputs, Entries):
        said = f"{type(inputs).__name__} is not what a query is about"
        raise BadInput("inputs", said, "give Entries, or a Domain of records")
    question = SensitivityClaim(inputs, read_query(query), ZERO)
    limits = limits or Limits()
    clock = limits.clock()
    found = list(_jumps(question, clock))
    if not found:
        raise _no_value(verify_sensitivity(question, Limits(seconds=max(0.1, clock.left / 2))))
    top_values, top = found[0]
    for values, moved in found[1:]:
        if constant_sign(moved - top) == 1:
            top_values, top = values, moved
    reason = ""
    for bound in _candidates(inputs, found, top):
        claim = SensitivityClaim(inputs, question.query, bound)
        verdict = verify_sensitivity(claim, Limits(seconds=max(0.1, clock.left / 2)))
        if isinstance(verdict, Proved):
            at = _attaining(claim, found) or top_values
            return Sensitivity(claim, bound, verdict, at, to_expression(question.sides_at(at)[0]))
        reason = f"{bound} is not shown to be enough: {why_not(verdict)}"
    return Sensitivity(question, None, None, top_values, to_expression(top), reason)


def _no_value(verdict: Verdict) -> NotWorkedOut:
    """Why the query has no value at any vector that was tried."""
    if isinstance(verdict, Proved):
        said = "no vectors are compared, since none was found that satisfies the conditions"
        return NotWorkedOut("entries", said, "correct the conditions")
    said = f"it has no value at the vectors that were tried ({why_not(verdict)})"
    return NotWorkedOut("query", said, "state in the conditions where it has one")


def why_not(verdict: Verdict) -> str:
    """Why a bound was not proved: where the answer moves farther, or what a proof lacks."""
    if isinstance(verdict, RefutedInequality):
        return f"it is exceeded at {verdict.text}"
    if isinstance(verdict, Unknown):
        return "; ".join(f"{declined.procedure}: {declined.reason}" for declined in verdict.reasons)
    return verdict.outcome


def _jumps(question: SensitivityClaim, clock: Clock) -> Iterator[tuple[UnknownValues, Ratio]]:
    """Places where the answer moves far, one for each choice of the parameters, and how far."""
    asked = Question(question.inputs, question.query, ZERO)
    part = Limits(seconds=max(0.1, clock.left / SHARE)).clock()
    try:
        for given in parameter_values(question.inputs):
            jump = largest_jump(asked, given, part)
            if jump is None:
                continue
            for most in ROUNDED:
                values = jump.values(most)
                try:
                    moved, _ = question.sides_at(values)
                except (Rejected, Undecided, Unsupported):
                    continue
                if _is_near(moved, jump.size):
                    yield values, moved
                    break
    except OutOfLimits:
        return


def _is_near(moved: Ratio, size: float) -> bool:
    gap = moved.as_rational
    near = Fraction(size).limit_denominator(10**9)
    return gap is None or abs(gap - near) < Fraction(1, 10**6)


def _candidates(
    inputs: Entries, found: list[tuple[UnknownValues, Ratio]], top: Ratio
) -> Iterator[Expression]:
    """Formulas in the number of entries that fit all places, and the largest move; where moves lie
    just below simple numbers, as in an open interval, the same of these.
    """
    yield from _formulas(inputs, found)
    rounded = [(values, _rounded_up(moved)) for values, moved in found]
    if any(a is not b for (_, a), (_, b) in zip(found, rounded, strict=True)):
        yield from _formulas(inputs, rounded)
        yield to_expression(_rounded_up(top))
    yield to_expression(top)


def _rounded_up(moved: Ratio) -> Ratio:
    """A simple number that is only a little larger; the same where there is none."""
    exact = moved.as_rational
    near = None if exact is None else Fraction(exact).limit_denominator(SIMPLE)
    if exact is None or near is None or not 0 < near - exact < CLOSE:
        return moved
    return normal(number(near), EMPTY)


def _formulas(inputs: Entries, found: list[tuple[UnknownValues, Ratio]]) -> Iterator[Expression]:
    """Formulas in the number of entries that fit all places."""
    n, shapes = inputs.size, [ONE, inputs.size]
    shapes += [ONE / n, (n - ONE) / n, (n - ONE) / (n * n), n - ONE, ONE / (n - ONE)]
    others = {key for key, _ in inputs.parameters} - names(n)
    for shape in shapes if not others else ():
        factor = _common_factor(shape, found)
        if factor is not None:
            yield factor if shape == ONE else multiply(factor, shape)
    yield from _linear(inputs, found) if not others else ()


def _common_factor(
    shape: Expression, found: list[tuple[UnknownValues, Ratio]]
) -> Expression | None:
    """What the moves are, divided by a shape, if that is one number."""
    factor: Ratio | None = None
    for values, moved in found:
        try:
            at = normal(substitute(shape, dict(values)), EMPTY)
            here = moved / at
        except (Undecided, Unsupported, ZeroDivisionError):
            return None
        if factor is not None and not (factor - here).is_zero:
            return None
        factor = here
    return None if factor is None else to_expression(factor)


def _linear(inputs: Entries, found: list[tuple[UnknownValues, Ratio]]) -> Iterator[Expression]:
    """The linear function of the number of entries through the first two places."""
    points: dict[Fraction, Fraction] = {}
    for values, moved in found:
        at = normal(substitute(inputs.size, dict(values)), EMPTY).as_rational
        if at is not None and moved.as_rational is not None:
            points.setdefault(Fraction(at), Fraction(moved.as_rational))
    if len(points) < 3:
        return
    (a, p), (b, q), *rest = points.items()
    slope = (q - p) / (b - a)
    if slope and all(p + slope * (c - a) == r for c, r in rest):
        yield number(slope) * inputs.size + number(p - slope * a)


def _attaining(
    claim: SensitivityClaim, found: list[tuple[UnknownValues, Ratio]]
) -> UnknownValues | None:
    """The first place where the answer moves by the whole bound."""
    for values, moved in found:
        _, bound = claim.sides_at(values)
        if constant_sign(bound - moved) == 0:
            return values
    return None
