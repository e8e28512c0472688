"""Functions of one parameter whose sign says whether a claim is true: level minus privacy loss for
each move (step between neighbouring inputs), and how far one event violates the bound.

A claim is false wherever one of its margins is negative, and may change from false to true where
one of them vanishes. Margins are searched for with the rest of the input left open, and on small
inputs. A missing function can only lose an answer, never produce a wrong one.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.terms.expression import eq, name, piecewise
>>> from ahdp_verify.search.limits import Limits
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import finite
>>> law = piecewise(("3/4", eq(name("r"), name("v"))), ("1/4", True))
>>> flip = Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density=law, parameters={"e": "e > 0"}, name="flip")
>>> [str(m) for m in margins(Claim(flip, "any", name("e")), "e", Limits().clock())]
['e - log(3)', 'e + log(3)']
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar, overload

from ahdp_verify.kernel.errors import Undecided
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    law_at,
    level_of_move,
    side_nodes,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import dataset_nodes
from ahdp_verify.kernel.model.neighbours import DominatedInput, DominatingInput, substitute_nodes
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression, truth
from ahdp_verify.kernel.rules.events import atoms_in_event, box_probability
from ahdp_verify.kernel.rules.obligations import (
    is_separable,
    mechanism_context,
    obligations,
    output_parts,
)
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Abs,
    Expression,
    Max,
    add,
    names,
    number,
    oo,
    substitute,
)
from ahdp_verify.search.intervals import RealInterval, interval_of
from ahdp_verify.search.limits import Clock, OutOfLimits
from ahdp_verify.search.loss.candidates import (
    EAGER,
    FAILED,
    corner_state,
    corners_of_queries,
    count_pairs_of_size,
    new_loss_search,
    search_open_states,
)
from ahdp_verify.search.loss.excess import excess, parts_with_laws
from ahdp_verify.search.loss.linear_peaks import coordinate_peaks
from ahdp_verify.search.loss.roots import roots_in_interval, sign_at_constant, simple_samples
from ahdp_verify.search.programs.margins import deciding_parameters, with_condition
from ahdp_verify.search.proving.sign_queries import (
    answer_by_cases,
    answer_with_signs,
    brief_clock,
    expression_by_sign,
)
from ahdp_verify.search.refuting.small_inputs import dataset_pairs

SMALL = 2  # records in the datasets whose margins are examined
PEAKS = 8  # most distinct peaks of one coordinate that are kept separate
MOST = 64  # margins that are kept
T = TypeVar("T")
PlacedMove = tuple[DominatedInput, DominatingInput, Expression, Context]


def parameters_of(claim: Claim | ProgramClaim) -> NamedConditions:
    """The parameters of what a claim is about, with their conditions."""
    return claim.parameters if isinstance(claim, ProgramClaim) else claim.mechanism.parameters


def free_parameters(claim: Claim | ProgramClaim) -> tuple[str, ...]:
    """The parameters that their conditions do not fix; of a noise program, those of them on which
    the truth of the claim can depend.
    """
    listed = parameters_of(claim)
    if isinstance(claim, ProgramClaim):
        deciding = deciding_parameters(claim)
        listed = tuple((k, c) for k, c in listed if k in deciding)
    return tuple(
        k
        for k, c in listed
        if not ((i := interval_of(c, k)) is not None and i.low == i.high and i.low is not None)
    )


def margins(claim: Claim, parameter: str, clock: Clock) -> tuple[Expression, ...]:
    """The margins of a claim that depend on no other name, each once; functions that only cut
    its values are >= 0.
    """
    found: dict[Expression, None] = {}
    ask, learned = move_margins if claim.delta == ZERO else delta_margins, LearnedSigns(parameter)
    for moves in (open_moves, small_moves):
        for dominated, dominating, level, here in moves(claim) if learned.missing else ():
            clock.count(1, "looking for the largest privacy loss")
            for f in ask(claim, (dominated, dominating), level, learned, here, clock):
                if names(f) == {parameter}:
                    found[f] = None
                learned.missed |= not names(f) <= {parameter}
            if len(found) >= MOST:
                return tuple(found)
        learned.missing, learned.missed = learned.missed, False
    return tuple(found) or tuple(universal_margins(claim, parameter, clock))


def universal_margins(claim: Claim, parameter: str, clock: Clock) -> Iterator[Expression]:
    """Level minus the largest loss that was found over the unknowns of a universal domain."""
    m = claim.mechanism
    one = claim.relation in ("add-remove", "swap") and claim.delta == ZERO
    if not (one and isinstance(m.inputs, Domain) and m.inputs.is_universal):
        return
    search = new_loss_search(replace(claim, level=ZERO), clock)
    search_open_states(search)
    here = mechanism_context(m)
    for choice in search.best.values():
        gap = level_minus_loss(claim.level, choice.level, here)
        if names(gap) == {parameter}:
            yield gap


@dataclass(slots=True)
class LearnedSigns:
    """Signs of functions of the parameter that were found once, to be known in every move; whether
    moves are missing, and whether the current one is.
    """

    parameter: str
    missing: bool = True
    missed: bool = False
    facts: dict[Polynomial, str] = field(default_factory=dict)

    def known(self, here: Context, clock: Clock, ask: Callable[[Context], T]) -> T:
        """The answer of `answer_with_signs`, with what was learned before and what is learned
        now.
        """
        for p, relation in self.facts.items():
            here = here.given(p, relation)
        wider, answer = answer_with_signs(here, clock, ask)
        self.facts |= {
            f.polynomial: f.relation
            for f in wider.facts[len(here.facts) :]
            if algebra.polynomial_names(f.polynomial) == {self.parameter}
        }
        return answer


def open_moves(claim: Claim) -> Iterator[PlacedMove]:
    """Both sides and the level of every move with the rest of the input open."""
    m = claim.mechanism
    for o in obligations(claim):
        if isinstance(m.inputs, Queries):
            for corner in corners_of_queries(
                claim.relation, (*o.dominating.values(), *o.dominated.values())
            ):
                nodes = [
                    corner_state(m.inputs.n, side, corner, True)
                    for side in (o.dominated, o.dominating)
                ]
                yield DominatedInput(nodes[0]), DominatingInput(nodes[1]), o.level, o.here
        else:
            yield o.dominated, o.dominating, o.level, o.here


def small_moves(claim: Claim) -> Iterator[PlacedMove]:
    """Small datasets that are a move apart, as both sides, and the level of the move."""
    m, here = claim.mechanism, mechanism_context(claim.mechanism)
    if not isinstance(m.inputs, Domain) or m.inputs.is_universal:
        return
    pairs = 0
    for size in range(SMALL + 1):
        pairs += count_pairs_of_size(claim, size)
        if pairs > EAGER:
            return
        for example in dataset_pairs(
            claim, len(m.inputs.records), Counterexample((), (), (), (), Event()), size, size
        ):
            try:
                level = level_of_move(claim, example)
                below, above = (
                    side_nodes(claim, example, side, dataset_nodes(m))
                    for side in (example.second, example.first)
                )
                if level != oo and all(
                    m.defined == TRUE or truth(substitute_nodes(m.defined, nodes), here)
                    for nodes in (below, above)
                ):
                    yield DominatedInput(above), DominatingInput(below), level, here
            except FAILED:
                continue


def move_margins(
    claim: Claim,
    sides: tuple[DominatedInput, DominatingInput],
    level: Expression,
    learned: LearnedSigns,
    here: Context,
    clock: Clock,
) -> Iterator[Expression]:
    """Level minus loss on every part of the output space, and what else must have a known sign
    for that.
    """
    m = claim.mechanism
    for law in [m.density] if is_separable(m) else [p.law for p in output_parts(m)]:
        laws = substitute_nodes(law, sides[0]), substitute_nodes(law, sides[1])
        if laws[0] == laws[1]:
            continue
        try:
            found = learned.known(here, clock, partial(coordinate_peaks, *laws, m.outputs))
        except Undecided as missing:
            if isinstance(missing.guard, Polynomial):
                yield Abs(to_expression(Ratio(missing.guard)))
            learned.missed = True
            continue
        except FAILED:
            learned.missed = True
            continue
        if found and not any(p.value is None for c in found for p in c):
            yield from coordinate_margins(
                level,
                [undominated([p.value for p in c if p.value is not None], here) for c in found],
                here,
            )


def coordinate_margins(
    level: Expression, values: list[list[Ratio]], here: Context
) -> Iterator[Expression]:
    """Level minus the sum of the largest value of each coordinate; for one coordinate, level
    minus each value.
    """
    if len(values) == 1:
        yield from (level_minus_loss(level, to_expression(v), here) for v in values[0])
    elif all(0 < len(v) <= PEAKS for v in values):
        listed = [[to_expression(r) for r in v] for v in values]
        yield level_minus_loss(level, add(*(Max(*v) if len(v) > 1 else v[0] for v in listed)), here)


def level_minus_loss(level: Expression, loss: Expression, here: Context) -> Expression:
    """Level minus loss, in canonical form where it has one."""
    try:
        return to_expression(normal(level - loss, here))
    except FAILED:
        return level - loss


def undominated(values: list[Ratio], here: Context) -> list[Ratio]:
    """The values of which no other is known to be at least as large."""
    kept: list[Ratio] = []
    for v in values:
        if not any(here.ratio_signs(w - v) <= {0, 1} for w in kept):
            kept = [w for w in kept if not here.ratio_signs(v - w) <= {0, 1}] + [v]
    return kept


def delta_margins(
    claim: Claim,
    sides: tuple[DominatedInput, DominatingInput],
    level: Expression,
    learned: LearnedSigns,
    here: Context,
    clock: Clock,
) -> Iterator[Expression]:
    """Delta minus the divergence of the move, in the cases of the signs that it needs; the
    guards of the cases as absolute values.
    """
    guards: dict[Expression, None] = {}
    if claim.delta_nodes:
        learned.missed = True
        return

    def join(guard: Expression, found: dict[str, Expression]) -> Expression:
        guards[guard] = None
        return expression_by_sign(guard, found)

    try:
        listed, outputs = parts_with_laws(claim.mechanism, *sides, here), claim.mechanism.outputs
        total = answer_by_cases(
            here,
            clock,
            lambda h: to_expression(excess(listed, outputs, level, h, brief_clock(clock))),
            operator.eq,
            join,
        )
    except (*FAILED, OutOfLimits):
        learned.missed = True
        return
    yield from map(Abs, guards)
    yield claim.delta - total


def event_probabilities(
    claim: Claim, example: Counterexample, here: Context
) -> tuple[Ratio, Ratio]:
    """Both probabilities of the event of an example with the parameters left open; raises one of
    FAILED where they have no form here.
    """
    generic, outputs, found = replace(example, parameters=()), claim.mechanism.outputs, []
    for side, table in zip((example.first, example.second), example.points, strict=True):
        law, atoms = law_at(claim, generic, side)
        total = sum(
            (normal(mass, here) for _, mass in atoms_in_event(example.event, atoms, outputs)),
            start=constant(0),
        )
        for outcome in example.event.outcomes:
            total = total + normal(
                substitute(law, {o.name: v for o, v in zip(outputs, outcome, strict=True)}), here
            )
        if example.event.continuous and not example.event.outcomes:
            total = total + box_probability(law, outputs, example.event, dict(table), here)
        found.append(total)
    return found[0], found[1]


def violations(
    claim: Claim, example: Counterexample, here: Context, clock: Clock
) -> Iterator[Expression]:
    """Functions of the open parameters that are positive where the event of an example refutes
    the claim, the simpler form first.
    """
    try:
        here, (p, q) = answer_with_signs(here, clock, partial(event_probabilities, claim, example))
        own = names(claim.level) <= {k for k, _ in claim.mechanism.parameters}
        level = normal(
            claim.level if own else level_of_move(claim, replace(example, parameters=())), here
        )
        if claim.delta == ZERO and not q.is_zero:
            yield to_expression(log_of(p / q) - level)
        if not claim.delta_nodes:
            yield to_expression(p - exp_of(level) * q - normal(claim.delta, here))
    except FAILED:
        return


def falsifying_parameters(claim: Claim, clock: Clock) -> Iterator[dict[str, Expression]]:
    """Values of the parameters at which a margin is negative, the simplest of each range: for
    one free parameter, or the others at sample values.
    """
    free, conditions = free_parameters(claim), dict(claim.mechanism.parameters)
    if len(free) != 1:
        return
    (t,), seen = free, set()
    fixed = {
        k: i.low
        for k, c in conditions.items()
        if k != t and (i := interval_of(c, k)) is not None and i.low is not None
    }
    where = interval_of(conditions[t], t)
    for f in (
        margins(claim, t, clock) if where is not None and len(fixed) + 1 == len(conditions) else ()
    ):
        for x in simple_samples(
            where or RealInterval(),
            roots_in_interval(substitute(f, fixed), t, where or RealInterval(), clock),
        ):
            if x not in seen and sign_at_constant(substitute(f, fixed), t, number(x)) == -1:
                seen.add(x)
                yield {**fixed, t: number(x)}


@overload
def restrict_parameter(
    claim: Claim, parameter: str, where: RealInterval, squares: bool = False
) -> Claim: ...
@overload
def restrict_parameter(
    claim: Claim | ProgramClaim, parameter: str, where: RealInterval, squares: bool = False
) -> Claim | ProgramClaim: ...
def restrict_parameter(
    claim: Claim | ProgramClaim, parameter: str, where: RealInterval, squares: bool = False
) -> Claim | ProgramClaim:
    """The claim for the values of the parameter in an interval; `squares` as in its condition."""
    if isinstance(claim, ProgramClaim):
        return with_condition(claim, parameter, where.condition(parameter, squares))
    m = claim.mechanism
    listed = {
        k: where.condition(parameter, squares) if k == parameter else c for k, c in m.parameters
    }
    inputs = m.inputs
    if isinstance(inputs, Domain) and inputs.is_universal:
        inputs = Domain.universal(
            dict(inputs.unknowns), {k: listed[k] for k, _ in inputs.parameters}
        )
    return replace(claim, mechanism=replace(m, inputs=inputs, parameters=tuple(listed.items())))
