"""Section 12: refutations, by the exact probabilities of an event at two inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recheck.evidence import Evidence
from recheck.forms import NOTHING, Form, constant, constant_sign, exp_of
from recheck.inputs import need_constant
from recheck.integrals import Bound, bound_of, probability
from recheck.limits import Rejected, cover, need
from recheck.lines import Line, constant_line
from recheck.programs import ProgramClaim
from recheck.runs import Item, Path, Walker
from recheck.signs import Context, truth
from recheck.trees import Number, Tree

Answers = list[Number]


def require_outcomes(claim: ProgramClaim, example: Evidence) -> None:
    """a move of level L leads from the one input to the other
    P(event) > exp(L) Q(event) + delta
    ----------------------------------------------------------
    the claim is refuted
    """
    here = at_parameters(claim, example.parameters)
    sides = [answers_at(claim, side) for side in (example.first, example.second)]
    level = here.form(level_between(claim, example.first, example.second))
    p, q = (chance(claim, here, answers, example.event) for answers in sides)
    excess = p - exp_of(level) * q - here.form(claim.delta)
    need(constant_sign(excess) == 1, "the event does not violate the claimed bound")


def at_parameters(claim: ProgramClaim, values: list[Any]) -> Context:
    """What is known where the parameters have these exact values; all conditions hold."""
    need([n for n, _ in values] == claim.own, "not every parameter has one value")
    for _, v in values:
        need_constant(v)
    here = Context(values={n: Context().form(v) for n, v in values})
    for n, c in claim.unknowns:
        need(truth(c, here), f"the condition of the parameter {n!r} does not hold")
    claim.need_demands(here)
    return here


# inputs


def answers_at(claim: ProgramClaim, side: Answers) -> Answers:
    """The query answers of an input: those given, or those of a dataset that is given by counts."""
    if not claim.records:
        need(claim.count in (None, len(side)), "there is not one number for each query answer")
        need(
            not claim.whole or all(v.denominator == 1 for v in side),
            "an answer is not a whole number",
        )
        return side
    need(len(side) == len(claim.records), "there is not one count for each record")
    need(all(v >= 0 and v.denominator == 1 for v in side), "a count is not a whole number from 0")
    found = []
    for i, line in enumerate(claim.constants):
        c = line.constant.rational
        if c is None:
            raise Rejected("an answer is not rational")
        rows = zip(side, claim.contributions, strict=True)
        found.append(c + sum(n * row[i].get("", 0) for n, row in rows))
    return found


def level_between(claim: ProgramClaim, first: Answers, second: Answers) -> Tree:
    """The level of the move from one input to the other, which is not oo."""
    need(len(first) == len(second), "the two inputs have different lengths")
    gaps = [b - a for a, b in zip(first, second, strict=True)]
    if not claim.records:
        need(is_move(claim.relation, gaps), "no move leads from one input to the other")
        return claim.level
    changed = [i for i, gap in enumerate(gaps) if gap]
    moved = sorted(gap for gap in gaps if gap)
    if claim.relation == "swap":
        need(moved == [-1, 1], "no move leads from one input to the other")
        return claim.level
    need(moved in ([1], [-1]), "no move leads from one input to the other")
    level = claim.level_at(claim.records[changed[0]])
    need(level.head != "oo", "the level of the move is infinite")
    return level


def is_move(relation: str, gaps: Answers) -> bool:
    low, high = min(gaps, default=0), max(gaps, default=0)
    if relation == "one":
        return sum(gap != 0 for gap in gaps) < 2 and low >= -1 and high <= 1
    return low >= -1 and high <= 1 and (relation == "all" or low >= 0 or high <= 0)


# probabilities


def chance(claim: ProgramClaim, here: Context, answers: Answers, event: Evidence) -> Form:
    """The probability that exactly the items of the event are released, a constant."""
    values = {f"q[{i}]": constant_line(constant(a)) for i, a in enumerate(answers, 1)}

    def allowed(place: int, item: Item) -> bool:
        return place < len(event.items) and fits(item, event.items[place])

    found = NOTHING
    for path in Walker(claim, here, allowed).whole_runs(len(answers)):
        if len(path.items) == len(event.items):
            found = found + path.coins * chance_of(path, values, event, here)
    return found


def fits(item: Item, wanted: Tree | Evidence) -> bool:
    """True if an item may be the wanted one: a label is that label, a number any number."""
    return item is wanted if isinstance(wanted, Tree) else isinstance(item, Line)


def chance_of(path: Path, values: Mapping[str, Line], event: Evidence, here: Context) -> Form:
    """The probability that noises lead along the path, to items in the event."""
    rows = [(row.line, row.strict) for row in path.rows]
    last = constant_line(NOTHING)
    for item, wanted in zip(path.items, event.items, strict=True):
        if isinstance(item, Line):
            rows += [(line, False) for line in between(item - last, wanted, here)]
            last = item if event.increments else last
    bounds = [bound(line.at(values), strict) for line, strict in rows]
    return probability({noise.key: noise for noise in path.noises}, bounds)


def between(item: Line, wanted: Evidence, here: Context) -> Iterator[Line]:
    """The lines that are >= 0 where a number lies in an interval."""
    if wanted.low is not None:
        yield item - constant_line(here.form(wanted.low))
    if wanted.high is not None:
        yield constant_line(here.form(wanted.high)) - item


def bound(line: Line, strict: bool) -> Bound:
    h = line.constant.rational
    cover(h is not None, "a comparison with a number that is not rational")
    return bound_of(dict(line.slopes), h or 0, strict)
