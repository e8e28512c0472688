"""Whether a claim compares any two inputs at all, and the scope of every kind of claim.

A claim that compares nothing is true of every mechanism, so a proof comes with evidence that there
is something to compare: two inputs (`ComparedPair`), values of the unknowns (`ComparedValues`), or
the opposite, a proof that there is nothing (`NothingCompared`).

    D, D' satisfy the conditions, and M is defined at both
    a move of finite level leads from D to D'
    ------------------------------------------------------
                the claim compares something

D, D'    the two inputs of a `ComparedPair`;  M  the mechanism

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> law = exp(-Abs(name("s") - name("q[1]"))) / 2
>>> claim = dp(Mechanism(Queries(1), outputs=[real("s")], density=law, defined="q[1] == 0"), 1, "one")
>>> check_compared(claim, None, ComparedPair((), (), (number(0),), (number(1),)))
Traceback (most recent call last):
    ...
ahdp_verify.kernel.errors.Rejected: the mechanism is not defined there
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Evidence
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    check_example_conditions,
    law_at,
    level_of_move,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.comparisons import known_to_differ
from ahdp_verify.kernel.model.composite import PAIRS, AnyClaim
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Inequality, UnknownValues, checked_values
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, Output
from ahdp_verify.kernel.model.neighbours import parameter_context, substitute_nodes
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program import Contest
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import known_truth, normal
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.cases import check_cases
from ahdp_verify.kernel.rules.obligations import distinct_moves
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.rules.scope import (
    NOT_FOUND,
    NOTHING,
    SOMETHING,
    Scope,
    nontrivial_conditions,
    scope_of_moves,
)
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Expression,
    eq,
    name,
    number,
    oo,
    sum_over_records,
)

OfUnknowns = Inequality | SensitivityClaim | AppliedClaim | BestClaim | ProgramClaim
CheckableClaim = AnyClaim | OfUnknowns | GuessClaim | NotionClaim


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two inputs that a claim compares, in the form of a counterexample without an event."""

    parameters: UnknownValues
    instances: tuple[UnknownValues, ...]
    before: tuple[Expression, ...]
    after: tuple[Expression, ...]

    @property
    def example(self) -> Counterexample:
        """The same as a counterexample with an empty event."""
        return Counterexample(self.parameters, self.instances, self.before, self.after, Event())


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """Values of the unknowns of a statement, or of the parameters of an optimum, that satisfy
    all conditions.
    """

    values: UnknownValues


@dataclass(frozen=True, slots=True)
class NothingCompared:
    """A proof that nothing is compared: for each comparison the index of the evidence that it is
    impossible.

    The index is None for a comparison one of whose conditions is known to be false.
    """

    counts: bool
    evidence: tuple[Evidence, ...]
    uses: tuple[int | None, ...]


Compared = ComparedPair | ComparedValues | NothingCompared


def scope_of(claim: CheckableClaim, size: int | None, compared: Compared | None) -> Scope:
    """The scope of a proof of the claim, or of one for datasets of at most `size` records.

    `compared` must have passed `check_compared`.
    """
    found = _found(compared)
    claim = claim.bounds if isinstance(claim, NotionClaim) else claim
    if isinstance(claim, AnyClaim):
        scope = scope_of_moves(claim.mechanism, size, found)
        return replace(scope, inputs="pairs of datasets") if claim.relation == PAIRS else scope
    if isinstance(claim, ProgramClaim):
        kind = "query answers" if claim.n is not None else "any number of queries"
        if claim.n is None and isinstance(claim.program.start, Contest):
            kind = "any number of answers"
        if isinstance(claim.program.inputs, RecordAnswers):
            kind = "datasets"
        return Scope(kind, nontrivial_conditions(claim.parameters), TRUE, None, found)
    if isinstance(claim, GuessClaim):
        given = tuple(eq(name(k), v) for k, v in claim.parameters)
        return Scope("tests of the listed inputs", given, TRUE, None, found)
    if isinstance(claim, BestClaim):
        kind = _kernels(claim)
    else:
        kind = "unknowns" if isinstance(claim, Inequality) else "vectors"
    return Scope(kind, nontrivial_conditions(claim.parameters), TRUE, None, found)


def _found(compared: Compared | None) -> str:
    if compared is None:
        return NOT_FOUND
    return NOTHING if isinstance(compared, NothingCompared) else SOMETHING


def _kernels(claim: BestClaim) -> str:
    if not claim.everywhere:
        return "mechanisms on the listed datasets"
    return "mechanisms on all datasets" + (" of one size" if claim.relation == "swap" else "")


def bare_claim(claim: AnyClaim | NotionClaim, size: int | None = None) -> Claim:
    """The claim about a mechanism whose law is irrelevant: same inputs, parameters, relation and
    level, and defined at the same inputs.

    With a size, it is defined on datasets of at most so many records only.
    """
    claim = claim.bounds if isinstance(claim, NotionClaim) else claim
    m = claim.mechanism
    defined = m.defined
    if size is not None and isinstance(m.inputs, Domain):
        small = sum_over_records(ONE) <= number(size)
        defined = small if defined == TRUE else Expression("and", (defined, small))
    relation = "ahdp" if claim.relation == PAIRS else claim.relation
    law = _bare_mechanism(m.inputs, m.parameters, defined)
    level = ZERO if claim.level.head == "number" else claim.level  # finite is all that matters
    return Claim(law, relation, level, ZERO, claim.public)


@lru_cache(maxsize=8)  # the claims about one mechanism share it
def _bare_mechanism(inputs: Inputs, parameters: NamedConditions, defined: Expression) -> Mechanism:
    taken = {k.split("[")[0] for k in (*(p for p, _ in parameters), *inputs.bound)}
    output = next(key for key in map("y{}".format, itertools.count()) if key not in taken)
    listed = [Output(output, "finite", (ZERO,))]
    return Mechanism(inputs, outputs=listed, density=ONE, defined=defined, parameters=parameters)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is assumed when two different inputs are compared: the conditions, and the facts that
    they imply.
    """

    conditions: tuple[Expression, ...]
    here: Context


def comparisons(claim: Claim, counts: bool = False) -> Iterator[Comparison]:
    """The moves of a claim with the facts of its obligations; a move that may lead from an input to
    itself is listed once for each way in which one of its gaps can differ from 0.
    """
    m = claim.mechanism
    for move, here in distinct_moves(claim, counts):
        at_both = (substitute_nodes(m.defined, nodes) for nodes in (move.before, move.after))
        conditions = (*(c for _, c in m.parameters), *move.conditions, *at_both)
        if move.gaps is None:
            yield Comparison(conditions, here)
        for gap in move.gaps or ():
            for side in (gap, -gap):
                yield Comparison(conditions, here.given(normal(side, here).num, ">"))


def claim_comparisons(
    claim: CheckableClaim, size: int | None, counts: bool
) -> Iterator[Comparison]:
    """What a claim compares: its moves with the facts known about them, or all values of its
    unknowns.
    """
    if isinstance(claim, OfUnknowns):
        yield Comparison(tuple(c for _, c in claim.parameters), parameter_context(claim.parameters))
    elif not isinstance(claim, GuessClaim):
        yield from comparisons(bare_claim(claim, size), counts)


def check_compared(claim: CheckableClaim, size: int | None, compared: Compared) -> None:
    """Nothing if the claim compares these inputs, or is shown to compare none; Rejected
    otherwise.
    """
    if isinstance(compared, NothingCompared):
        _nothing(claim, size, compared)
    elif isinstance(compared, ComparedValues):
        _at(claim, compared)
    elif isinstance(compared, ComparedPair) and not isinstance(claim, OfUnknowns | GuessClaim):
        _pair(bare_claim(claim, size), compared)
    else:
        raise Rejected(
            "a claim about a mechanism compares two inputs, another one values of its unknowns"
        )


@lru_cache(maxsize=8)  # claims about one mechanism at several levels compare the same inputs
def _pair(claim: Claim, pair: ComparedPair) -> None:
    """Nothing if one move of finite level leads from one input to the other, and the mechanism is
    defined at both; Rejected otherwise.
    """
    example = pair.example
    check_example_conditions(claim, example)
    if level_of_move(claim, example) == oo:
        raise Rejected("the two compared inputs have level oo, which allows everything")
    for side in (example.first, example.second):
        law_at(claim, example, side)
    for one, other in itertools.combinations(example.instances, 2):
        if not any(known_to_differ(v, dict(other)[k]) for k, v in one):
            raise Rejected("the two compared records may be equal")


def _at(claim: CheckableClaim, at: ComparedValues) -> None:
    """Nothing if the values are those of all unknowns, in order, and satisfy all conditions."""
    if not isinstance(claim, OfUnknowns | GuessClaim):
        raise Rejected("a claim about a mechanism compares two inputs")
    parameters = () if isinstance(claim, GuessClaim) else claim.parameters
    assumed = claim.assumed if isinstance(claim, ProgramClaim) else ()
    checked_values(at.values, parameters, assumed)


def _nothing(claim: CheckableClaim, size: int | None, shown: NothingCompared) -> None:
    """Nothing if every comparison is shown to be impossible."""
    if isinstance(claim, GuessClaim) or not isinstance(shown.counts, bool):
        raise Rejected("the proof that nothing is compared does not fit the claim")
    listed = list(claim_comparisons(claim, size, shown.counts))
    if len(listed) != len(shown.uses):
        raise Rejected(
            f"there are {len(listed)} comparisons, and {len(shown.uses)} are claimed to be impossible"
        )
    for comparison, use in zip(listed, shown.uses, strict=True):
        if use is None:
            if not any(known_truth(c, comparison.here) is False for c in comparison.conditions):
                raise Rejected("a condition of a comparison may hold")
        elif type(use) is int and 0 <= use < len(shown.evidence):
            _check_impossible(shown.evidence[use], comparison.here)
        else:
            raise Rejected("a comparison has no evidence")
    if {use for use in shown.uses if use is not None} != set(range(len(shown.evidence))):
        raise Rejected("there is evidence without a comparison")


def _check_impossible(evidence: Evidence, here: Context) -> None:
    """Nothing if the facts contradict each other in every case of the evidence; Rejected
    otherwise.
    """
    check_cases(evidence, here, _possible)


def _possible(evidence: Evidence, here: Context) -> None:
    raise Rejected("the facts of a comparison are not shown to contradict each other")
