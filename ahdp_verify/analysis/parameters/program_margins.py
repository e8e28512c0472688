"""The margins of a claim about a noise program, as functions of one parameter, for as many
alignments as are the cheapest somewhere in its range.

An alignment is searched for at a few values, and its margins are functions of the parameter. Their
roots cut the range; in each part that has not been looked at the search is repeated, until no part
shows another alignment.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, Program, Release, Stop
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> noisy = Draw("nu", "laplace", parse("b"), Release(parse("q[1] + nu"), Stop()))
>>> program = Program("noisy answer", (("b", parse("b > 0")),), Answers(1), noisy)
>>> claim = ProgramClaim(program, "all", parse("2"))
>>> found = choices_of_margins(claim, "b", RealInterval(number(0)), Limits().clock())
>>> [[str(f) for f in choice] for choice in found]
[['(2*b - 1)/b']]
"""

from __future__ import annotations

from collections.abc import Iterable

from ahdp_verify.analysis.parameters.cuts import distinct_roots, split_at_roots
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import Expression, eq, name, names, number
from ahdp_verify.search.intervals import RealInterval
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.loss.roots import probe_points, roots_in_interval
from ahdp_verify.search.programs.decide import sample_parameters
from ahdp_verify.search.programs.margins import alignment_margins, with_condition

ROUNDS = 6  # of searches, each in the parts into which the ones before it cut the range
Margins = tuple[Expression, ...]


def value_inside(interval: RealInterval) -> Expression | None:
    """A simple value of an interval; None where none was found."""
    if interval.is_point:
        return interval.low
    simple = interval.simplest
    return None if simple is None else number(simple)


def choices_of_margins(
    claim: ProgramClaim, parameter: str, where: RealInterval, clock: Clock
) -> list[Margins]:
    """The margins of each alignment that was found in the range: where all those of one of them are
    >= 0, the claim is expected to be true.
    """
    found: dict[Margins, None] = {}
    tried: set[Expression] = set()
    wanted = _first_values(where)
    for _ in range(ROUNDS):
        known = len(found)
        for x in wanted:
            if x is not None and x not in tried:
                tried.add(x)
                there = with_condition(claim, parameter, eq(name(parameter), x))
                found[alignment_margins(claim, sample_parameters(there), clock)] = None
        if len(found) == known:
            break
        wanted = [value_inside(part) for part in _parts(found, parameter, where, clock)]
    return list(found)


def _first_values(where: RealInterval) -> list[Expression | None]:
    """A simple value of the range, and some nearer to its ends."""
    spots = probe_points(where, [])
    few = [spots[len(spots) * i // 4] for i in (1, 2, 3)] if spots else []
    return [value_inside(where), *map(number, few)]


def _parts(
    choices: Iterable[Margins], parameter: str, where: RealInterval, clock: Clock
) -> list[RealInterval]:
    """The open intervals between the roots of all margins of one parameter."""
    functions = dict.fromkeys(f for choice in choices for f in choice if names(f) == {parameter})
    cuts = [r for f in functions for r in roots_in_interval(f, parameter, where, clock)]
    return [i for i, _ in split_at_roots(where, distinct_roots(cuts)) if not i.is_point]
