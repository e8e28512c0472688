"""That two inputs of a noise program refute a claim.

    q, q' are answers that a move of level L relates (or those of two datasets that it relates)
    P[outputs at q lie in E] > exp(L) P[outputs at q' lie in E] + delta
    -------------------------------------------------------------------------------------------
                     the program is not private at level L and delta

E    lists the items that are released: labels, and numbers in intervals;  all numbers are exact
"""

from __future__ import annotations

from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.answers import RecordAnswers, answers_at
from ahdp_verify.kernel.model.domain import value_at_record
from ahdp_verify.kernel.model.inequality import checked_values
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.replacements import moved_places
from ahdp_verify.kernel.rules.chance import output_probability
from ahdp_verify.kernel.rules.refutation import Violation, violation
from ahdp_verify.kernel.terms.expression import Expression, oo, substitute


def check_program_violation(claim: ProgramClaim, example: ProgramCounterexample) -> Violation:
    """The violation that shows that the claim fails; Rejected if the example does not refute it."""
    given = checked_values(example.parameters, claim.parameters, claim.assumed)
    level = substitute(_level_of_move(claim, example), given)
    first, second = (
        output_probability(claim.program, _answers(claim, side), given, example.event)
        for side in (example.first, example.second)
    )
    return violation(first, second, level, substitute(claim.delta, given))


def _answers(claim: ProgramClaim, side: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """The query answers of one side of the example; Rejected if it is not an input."""
    inputs = claim.program.inputs
    if isinstance(inputs, RecordAnswers):
        if not all(c >= 0 and c.denominator == 1 for c in side):
            raise Rejected("a dataset holds each record of the domain a whole number of times")
        return answers_at(inputs, tuple(map(int, side)))
    if claim.n is not None and len(side) != claim.n:
        raise Rejected(f"the claim is about {claim.n} answers")
    if inputs.whole and any(value.denominator != 1 for value in side):
        raise Rejected("the answers are whole numbers")
    return side


def _level_of_move(claim: ProgramClaim, example: ProgramCounterexample) -> Expression:
    """The level of the move between the two inputs; Rejected if there is none."""
    if len(example.first) != len(example.second):
        raise Rejected("the two inputs do not have the same form")
    moved = [b - a for a, b in zip(example.first, example.second, strict=True)]
    inputs = claim.program.inputs
    if not isinstance(inputs, RecordAnswers):
        if not _is_move(claim.relation, moved):
            raise Rejected(f"the answers differ by more than the relation {claim.relation} allows")
        return claim.level
    place, *_ = moved_places(claim.relation, example.first, example.second)
    level = claim.level
    if claim.relation == "ahdp":
        level = value_at_record(level, inputs.domain.records[place], claim.program.here)
    if level == oo:
        raise Rejected("the record has level oo, which allows everything")
    return level


def _is_move(relation: str, moved: list[Fraction]) -> bool:
    """Whether answers may move by these amounts."""
    if any(abs(d) > 1 for d in moved):
        return False
    if relation == "one":
        return sum(1 for d in moved if d) <= 1
    return relation == "all" or all(d >= 0 for d in moved) or all(d <= 0 for d in moved)
