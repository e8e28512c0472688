"""Candidates in the limit of inputs that grow: datasets with more and more copies of one record, or
of all records equally.

The distribution and the privacy loss are written in the number of copies; the limit is that of the
leading terms, of the loss or, outcome by outcome, of the probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.neighbours import (
    ONE_WAY,
    DominatedInput,
    DominatingInput,
    substitute_nodes,
)
from ahdp_verify.kernel.numbers.algebra import constant, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.limits_at_infinity import limit_at_infinity
from ahdp_verify.kernel.numbers.normal_form import refusal_text, truth
from ahdp_verify.kernel.rules.obligations import mechanism_context, mechanism_frame, moves
from ahdp_verify.kernel.terms.expression import (
    Expression,
    add,
    multiply,
    name,
    number,
    oo,
    substitute,
)
from ahdp_verify.search.loss.at_infinity import limits_of_loss, search_growing_states
from ahdp_verify.search.loss.candidates import (
    FAILED,
    UP,
    LossSearch,
    loss_supremum,
    move_directions,
    moved_records,
    slot_of,
)
from ahdp_verify.search.loss.largest import LevelCandidate, largest_candidate

COPIES = "n'"  # the number of copies of the pattern; no user can write this name
MANY = number(10**6)  # copies at which candidates are compared
MOST = 64  # patterns that are tried
CopyPattern = tuple[int, ...]


def search_growing_inputs(search: LossSearch, wanted: frozenset[int]) -> None:
    """Candidates for the slots that are wanted, for every pattern."""
    inputs = search.mechanism.inputs
    if not isinstance(inputs, Domain) or inputs.is_universal:
        search_growing_states(search, wanted)
        return
    far = replace(
        search, samples=tuple({**s, COPIES: MANY} for s in search.samples), seen={}, factors={}
    )
    for pattern, rest in copy_patterns(search, len(inputs.records)):
        for i, move in enumerate(moves(search.claim)):
            slot = slot_of(search, i, move)
            for direction, dominated, dominating in (
                move_directions(search.claim, move) if slot in wanted else ()
            ):
                above, below = (
                    {n: substitute(e, rest) for n, e in side.items()}
                    for side in (dominated, dominating)
                )
                found = largest_loss_in_limit(far, DominatedInput(above), DominatingInput(below))
                if found is not None:
                    pair = moved_records(inputs)[move.text]
                    upward = direction == UP and search.claim.relation not in ONE_WAY
                    example = pattern_example(pattern, pair if upward else pair[::-1])
                    search.offer((slot, direction), replace(found, example=example, grows=pattern))


def copy_patterns(
    search: LossSearch, k: int
) -> Iterator[tuple[CopyPattern, dict[str, Expression]]]:
    """Each pattern with the values that it gives the aggregates of the rest, which must be sums."""
    frame = mechanism_frame(search.mechanism, False)
    if any(node.head != "sum" for node in frame.nodes):
        return
    listed = [*(tuple(int(i == w) for i in range(k)) for w in range(k)), (1,) * k]
    for pattern in dict.fromkeys(listed[-MOST:]):
        held = [
            add(*(multiply(number(h), frame.rows[w][j]) for w, h in enumerate(pattern)))
            for j in range(len(frame.nodes))
        ]
        yield pattern, {f"@{j + 1}": multiply(name(COPIES), e) for j, e in enumerate(held)}


def largest_loss_in_limit(
    far: LossSearch, dominated: DominatedInput, dominating: DominatingInput
) -> LevelCandidate | None:
    """The limit of the largest loss as the number of copies grows, or None where the mechanism
    is not defined or the limit is not found.
    """
    here = mechanism_context(far.mechanism)
    here = Context(here.facts, here.known, here.integers | {COPIES}).given(
        (symbol(COPIES) - constant(1)).num, ">="
    )
    try:
        if not all(
            truth(substitute_nodes(far.mechanism.defined, nodes), here.at_infinity(COPIES))
            for nodes in (dominating, dominated)
        ):
            return None
        choice = limit_of_largest_loss(far, dominated, dominating, here)
    except FAILED as reason:
        far.reasons[refusal_text(reason)] = None
        return None
    return LevelCandidate(choice.level, f"{choice.where}, as the dataset grows", False)


def limit_of_largest_loss(
    far: LossSearch, dominated: DominatedInput, dominating: DominatingInput, here: Context
) -> LevelCandidate:
    """The limit of the largest loss, or the largest limit of the loss of an outcome where that
    is what can be found.
    """
    try:
        choice = loss_supremum(far, dominated, dominating, here)
        return (
            choice
            if choice.level == oo
            else replace(choice, level=limit_at_infinity(choice.level, COPIES, here))
        )
    except FAILED:
        return largest_candidate(
            *limits_of_loss(far, dominated, dominating, COPIES, here),
            samples=far.samples,
            here=far.here,
        )


def pattern_example(pattern: CopyPattern, pair: tuple[int | None, int | None]) -> Counterexample:
    """Two datasets with one copy of the pattern and one record of the pair each, if it is one;
    the second is the likelier.
    """
    below, above = (tuple(number(h + (i == w)) for i, h in enumerate(pattern)) for w in pair)
    return Counterexample((), (), above, below, Event())


def with_more_copies(choice: LevelCandidate, n: int) -> Counterexample | None:
    """The example of a choice with n more copies of the growing records."""
    example = choice.example
    if example is None or not choice.grows:
        return example
    before, after = (
        tuple(number(c.args[0] + n * h) for c, h in zip(side, choice.grows, strict=True))
        for side in (example.first, example.second)
    )
    return replace(example, first=before, second=after)
