"""Level minus cost of the cheapest alignment, as functions of the parameters: a claim about a noise
program is proved where all of them are >= 0.

Which alignment is the cheapest depends on the parameters, so the functions belong to the values at
which it was searched for; at other values they are those of an alignment that may cost too much.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, Program, Release, Stop
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> from ahdp_verify.search.programs.decide import sample_parameters
>>> noisy = Draw("nu", "laplace", parse("b"), Release(parse("2*q[1] + nu"), Stop()))
>>> program = Program("noisy answer", (("b", parse("b > 0")),), Answers(1), noisy)
>>> claim = ProgramClaim(program, "all", parse("3"))
>>> [str(f) for f in alignment_margins(claim, sample_parameters(claim), Limits().clock())]
['(3*b - 2)/b']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, Rejected, Unsupported
from ahdp_verify.kernel.model.program import Coin, Contest, Draw, Tree, children
from ahdp_verify.kernel.model.program_claim import ProgramClaim, moves_of
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.compared import ComparedValues
from ahdp_verify.kernel.terms.expression import Expression, names, number
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.programs.costs import CostUnits
from ahdp_verify.search.programs.decide import cost_units, needs_rounds
from ahdp_verify.search.programs.rounds import rounds_alignment
from ahdp_verify.search.programs.whole_runs import RunsSearch

NEVER = number(-1)  # the margin where no shifts keep every output
Spent = dict[str, Fraction]


def deciding_parameters(claim: ProgramClaim) -> tuple[str, ...]:
    """The parameters on which the truth of a claim can depend: those in its level and delta, in
    scales and in probabilities of coins; the others only move the answers.
    """
    trees = (claim.program.start, *(t for s in claim.program.states for t in (s.body, s.end)))
    used = names(claim.level) | names(claim.delta)
    for tree in trees:
        for e in _constants(tree):
            used |= names(e)
    return tuple(key for key, _ in claim.parameters if key in used)


def _constants(tree: Tree) -> Iterator[Expression]:
    """The scales and the probabilities of a tree."""
    match tree:
        case Draw():
            yield tree.scale
        case Coin():
            yield tree.probability
        case Contest():
            yield from (scale for _, _, scale in tree.draws)
    for child in children(tree):
        yield from _constants(child)


def with_condition(claim: ProgramClaim, parameter: str, condition: Expression) -> ProgramClaim:
    """The claim for values of a parameter that satisfy a narrower condition; both, where the new
    one alone does not show that the scales are positive.
    """

    def at(here: Expression) -> ProgramClaim:
        listed = tuple((k, here if k == parameter else c) for k, c in claim.parameters)
        return replace(claim, program=replace(claim.program, parameters=listed))

    try:
        return at(condition)
    except BadInput:
        return at(dict(claim.parameters)[parameter] & condition)


def alignment_margins(
    claim: ProgramClaim, sample: ComparedValues | None, clock: Clock
) -> tuple[Expression, ...]:
    """Level minus cost on each path, for an alignment that is the cheapest at a sample of the
    parameters.
    """
    costs = cost_units(claim, sample)
    found: dict[Expression, None] = {}
    for level, listed in _level_and_costs(claim, costs, clock):
        for spent in [None] if listed is None else listed:
            margin = NEVER if spent is None else level - costs.total(spent)
            found[to_expression(normal(margin, costs.here))] = None
    return tuple(found)


def _level_and_costs(
    claim: ProgramClaim, costs: CostUnits, clock: Clock
) -> Iterator[tuple[Expression, list[Spent] | None]]:
    """For each move its level, and what each path costs; None if there are no shifts."""
    moves = moves_of(claim)
    try:
        if needs_rounds(claim):
            found = rounds_alignment(claim, costs, clock)
            for i, one in enumerate(moves):
                yield one.level, None if found is None else [found[1][i]]
            return
        search = RunsSearch(claim, costs, clock)
        for one in moves:
            areas = search.cheapest(one)
            spent = None if areas is None else [s for a in areas for _, _, s in a.rows]
            yield one.level, spent
    except (Rejected, Unsupported):
        yield claim.level, None
