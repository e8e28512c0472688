"""Candidates for the least level of every slot: a record, a removed record, a pair of values, or
all moves together.

Candidates come from moves (steps between neighbouring inputs) with the state of the input left
open, at the ends of the range of unknowns, and on small datasets; `search.loss.growing_inputs` adds
datasets that grow. A candidate is a value or a limit of the privacy loss of some move, so it is
never above the least level.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from ahdp_verify.display.input_text import side_text
from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample, level_of_move, side_nodes
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import Value, value_text
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism, dataset_nodes
from ahdp_verify.kernel.model.neighbours import (
    ONE_WAY,
    Dominated,
    DominatedInput,
    Dominating,
    DominatingInput,
    Move,
    Nodes,
    assume_known_facts,
    substitute_nodes,
)
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.model.replacements import INTERVAL
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import refusal_text, truth
from ahdp_verify.kernel.rules.hockey_stick import law_here
from ahdp_verify.kernel.rules.obligations import (
    is_separable,
    mechanism_context,
    moves,
    obligations,
    output_parts,
)
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    name,
    names,
    number,
    oo,
    substitute,
)
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.loss.ends import eliminate_unknowns, unknowns_of_both
from ahdp_verify.search.loss.largest import (
    LevelCandidate,
    Sample,
    condition_samples,
    largest_candidate,
    sum_of_largest_peaks,
)
from ahdp_verify.search.loss.linear_peaks import (
    coordinate_peaks,
    is_free_of_state,
    mentions_names,
    output_names,
)
from ahdp_verify.search.loss.peak import Peak
from ahdp_verify.search.loss.value_pairs import value_pairs
from ahdp_verify.search.proving.radial import radial_loss
from ahdp_verify.search.proving.sign_queries import answer_by_cases, expression_by_sign
from ahdp_verify.search.refuting.small_inputs import dataset_pairs
from ahdp_verify.search.simplify import is_same_value

UP, DOWN = "up", "down"
FAILED = (Undecided, Unsupported, Rejected, ZeroDivisionError, BadInput)
# pairs of datasets examined before the first proof is tried; measured: they take half a second
EAGER = 120
MOST = 2000  # pairs of datasets examined altogether
PATTERNS = 64  # combinations of ends of query answers up to which all are tried
SlotKey = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Slot:
    """A record, pair or move that gets its own level, and what the names in that level stand
    for.
    """

    text: str
    values: tuple[tuple[str, Expression], ...] = ()


def claim_slots(claim: Claim) -> tuple[Slot, ...]:
    """The slots of a claim, in the order of the records or pairs."""
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Values):
        return tuple(_pair(inputs, a, b) for a, b in itertools.permutations(inputs.values, 2))
    if claim.relation in ("ahdp", "hdp") and isinstance(inputs, Domain) and not inputs.is_universal:
        return tuple(Slot(str(r), tuple(r.bindings.items())) for r in inputs.records)
    return (Slot("every record" if claim.relation in ("ahdp", "hdp") else "every move"),)


def _pair(inputs: Values, a: Value, b: Value) -> Slot:
    return Slot(
        f"{value_text(a)} to {value_text(b)}",
        (*inputs.bindings(a).items(), *inputs.bindings(b, "other").items()),
    )


def moved_records(domain: Domain) -> dict[str, tuple[int | None, int | None]]:
    """For the text of a move in a listed domain: the numbers of the removed and of the added
    record.
    """
    added: dict[str, tuple[int | None, int | None]] = {
        f"add {r}": (None, i) for i, r in enumerate(domain.records)
    }
    listed = enumerate(domain.records)
    return added | {
        f"replace {a} by {b}": (i, j) for (i, a), (j, b) in itertools.permutations(listed, 2)
    }


@dataclass(slots=True)
class LossSearch:
    """A search for candidates: the claim with level 0, its slots, the largest candidate of each
    slot and direction, and why others are missing.
    """

    claim: Claim
    clock: Clock
    slots: tuple[Slot, ...]
    samples: tuple[Sample, ...]
    here: Context
    best: dict[SlotKey, LevelCandidate] = field(default_factory=dict)
    reasons: dict[str, None] = field(default_factory=dict)
    seen: dict[object, LevelCandidate] = field(default_factory=dict)
    factors: dict[object, tuple[Peak, ...]] = field(default_factory=dict)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism of the claim."""
        return self.claim.mechanism

    def offer(self, key: SlotKey, choice: LevelCandidate) -> None:
        """The choice taken where it is larger than what is there."""
        self.best[key] = (
            largest_candidate(self.best[key], choice, samples=self.samples, here=self.here)
            if key in self.best
            else choice
        )


def new_loss_search(claim: Claim, clock: Clock) -> LossSearch:
    """A search without candidates."""
    conditions, inputs = list(claim.mechanism.parameters), claim.mechanism.inputs
    if isinstance(inputs, Domain) and inputs.is_universal:
        replaced = claim.relation in ("hdp", "swap")
        conditions += [
            *inputs.unknowns,
            *(unknowns_of_both(claim.mechanism)[1] if replaced else ()),
        ]
    if isinstance(inputs, RealValues):
        conditions += [*inputs.conditions, *unknowns_of_both(claim.mechanism)[1]]
    here = mechanism_context(claim.mechanism)
    for _, condition in conditions:
        here = assume_known_facts(condition, here)
    return LossSearch(claim, clock, claim_slots(claim), condition_samples(tuple(conditions)), here)


def loss_supremum(
    search: LossSearch, dominated: DominatedInput, dominating: DominatingInput, here: Context
) -> LevelCandidate:
    """The largest log(dominated / dominating) over all outputs; raises one of FAILED where it
    depends on the state or has another form.
    """
    key = (tuple(dominated.items()), tuple(dominating.items()))
    if key not in search.seen:
        search.clock.count(1, "looking for the largest privacy loss")
        search.seen[key] = _supremum(search, dominated, dominating, here)
    return search.seen[key]


def _supremum(
    search: LossSearch, dominated: DominatedInput, dominating: DominatingInput, here: Context
) -> LevelCandidate:
    m, found = search.mechanism, [LevelCandidate(ZERO, "any output")]
    listed = (
        [("", m.density)]
        if is_separable(m)
        else [("" if p.text == "density" else p.text, p.law) for p in output_parts(m)]
    )
    for text, law in listed:
        if text:  # outcomes and atoms, which many inputs share as numbers
            laws = law_here(law, dominated, here), law_here(law, dominating, here)
        else:
            laws = substitute_nodes(law, dominated), substitute_nodes(law, dominating)
        if laws[0] == laws[1]:
            continue
        if (laws, here) not in search.seen:
            search.seen[laws, here] = answer_by_cases(
                here,
                search.clock,
                partial(part_supremum, search, laws),
                lambda a, b: is_same_value(a.level, b.level, search.here),
                candidate_by_sign,
            )
        choice = search.seen[laws, here]
        if text:
            choice = replace(
                choice, where=text if choice.where == "everywhere" else f"{text}, {choice.where}"
            )
        if not any(c.level == choice.level and c.attained >= choice.attained for c in found):
            found.append(choice)
    return largest_candidate(*found, samples=search.samples, here=search.here)


def candidate_by_sign(guard: Expression, found: dict[str, LevelCandidate]) -> LevelCandidate:
    """One choice for the cases of a sign."""
    listed = list(found.values())
    if any(c.level == oo for c in listed):
        raise Unsupported(
            "whether the privacy loss is infinite depends on a sign that is not known"
        )
    where = " or ".join(dict.fromkeys(c.where for c in listed if c.level != ZERO))
    return LevelCandidate(
        expression_by_sign(guard, {r: c.level for r, c in found.items()}),
        where,
        all(c.attained for c in listed),
    )


def part_supremum(
    search: LossSearch, laws: tuple[Dominated, Dominating], here: Context
) -> LevelCandidate:
    """The largest loss on one part of the output space."""
    outputs = search.mechanism.outputs
    peaks = coordinate_peaks(*laws, outputs, here, seen=search.factors)
    if peaks is None:
        return LevelCandidate(ZERO, "any output")
    if not is_free_of_state(peaks) or mentions_names(peaks, output_names(outputs)):
        raise Unsupported(
            "the privacy loss was not found to be independent of the rest of the input"
        )
    return sum_of_largest_peaks(peaks, search.samples, search.here)


def search_open_states(search: LossSearch) -> None:
    """Candidates that hold whatever the rest of the input is."""
    claim = search.claim
    contexts = {_key(o.dominated, o.dominating): o.here for o in obligations(claim)}
    pairs = pairs_of_values(search.mechanism)
    for number_, move in enumerate(moves(claim)):
        if number_ and claim.relation in ("ahdp", "hdp") and _is_universal(search.mechanism):
            break  # the record with demand oo: its level is the limit of the generic one's
        for direction, dominated, dominating in move_directions(claim, move):
            key = (slot_of(search, number_, move), direction)
            try:
                choice = eliminate_unknowns(
                    search.claim,
                    _at_ends(search, dominated, dominating, contexts[_key(dominated, dominating)]),
                    search.samples,
                    search.here,
                )
                search.offer(
                    key, choice if pairs is None else replace(choice, example=pairs[number_])
                )
            except FAILED as reason:
                search.reasons[refusal_text(reason)] = None


def pairs_of_values(m: Mechanism) -> list[Counterexample] | None:
    """For the local model: the two inputs of every move."""
    if not isinstance(m.inputs, Values):
        return None
    sides = [v if isinstance(v, tuple) else (v,) for v in m.inputs.values]
    return [Counterexample((), (), a, b, Event()) for a, b in itertools.permutations(sides, 2)]


def _key(
    dominated: DominatedInput, dominating: DominatingInput
) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    return tuple(dominated.values()), tuple(dominating.values())


def move_directions(
    claim: Claim, move: Move
) -> Iterator[tuple[str, DominatedInput, DominatingInput]]:
    """For each direction the dominated and the dominating side: upward the input after the move is
    dominated.

    A relation that lists the inverse of a move as a move of its own bounds p(input before)/p(input
    after) only.
    """
    if claim.relation in ONE_WAY:
        yield UP, DominatedInput(move.before), DominatingInput(move.after)
    else:
        yield UP, DominatedInput(move.after), DominatingInput(move.before)
        yield DOWN, DominatedInput(move.before), DominatingInput(move.after)


def slot_of(search: LossSearch, number_: int, move: Move) -> int:
    """The number of the slot of a move."""
    inputs = search.mechanism.inputs
    if len(search.slots) == 1:
        return 0
    if not isinstance(inputs, Domain) or search.claim.relation == "ahdp":
        return number_
    removed, _ = moved_records(inputs)[move.text]
    return removed or 0


def _at_ends(
    search: LossSearch, dominated: DominatedInput, dominating: DominatingInput, here: Context
) -> LevelCandidate:
    """The supremum; for query answers over the ends of their amounts, and at answers 0 if the
    answers matter; for one person's value at pairs of values; else, with no other record.
    """
    found = list(_at_value_pairs(search, here))
    if found:
        return largest_candidate(*found, samples=search.samples, here=search.here)
    if not isinstance(search.mechanism.inputs, Queries):
        try:
            return loss_supremum(search, dominated, dominating, here)
        except Unsupported:
            if not _is_universal(search.mechanism):
                raise
            rest = {
                n: ZERO
                for e in (*dominating.values(), *dominated.values())
                for n in names(e)
                if n.startswith("@")
            }
            alone = [
                {k: substitute(e, rest) for k, e in nodes.items()}
                for nodes in (dominated, dominating)
            ]
            return loss_supremum(search, DominatedInput(alone[0]), DominatingInput(alone[1]), here)
    for corner in corners_of_queries(
        search.claim.relation, (*dominating.values(), *dominated.values())
    ):
        for zero in (False, True):
            nodes = [
                corner_state(search.mechanism.inputs.n, side, corner, zero)
                for side in (dominated, dominating)
            ]
            try:
                found.append(
                    loss_supremum(search, DominatedInput(nodes[0]), DominatingInput(nodes[1]), here)
                )
                break
            except FAILED:
                if zero:
                    raise
    return largest_candidate(*found, samples=search.samples, here=search.here)


def _at_value_pairs(search: LossSearch, here: Context) -> Iterator[LevelCandidate]:
    """The supremum between two values of one person, for each pair that is tried."""
    for pair in value_pairs(search.claim, search.here, search.clock):
        first, second = pair.nodes(search.mechanism.inputs.bound)
        radial = radial_loss(search.mechanism, first, second, here)
        try:
            choice = (
                loss_supremum(search, first, second, here)
                if radial is None
                else LevelCandidate(radial, "the centre of the first", attained=False)
            )
        except FAILED:
            continue
        where = f"{choice.where}, {pair.text}"
        yield replace(choice, where=where, attained=choice.attained and pair.met)


def _is_universal(m: Mechanism) -> bool:
    return isinstance(m.inputs, Domain) and m.inputs.is_universal


def corners_of_queries(relation: str, answers: tuple[Expression, ...]) -> Iterator[Sample]:
    """Amounts by which the moved answers change: constant, in two runs, in turns, and all
    combinations of ends while they are few.
    """
    low, high = INTERVAL[relation]
    amounts = [n for e in answers for n in sorted(names(e)) if n.startswith("@d")]
    k = len(amounts)
    ends = sorted({low, high})
    patterns = {p: None for p in itertools.product(ends, repeat=k)} if 2**k <= PATTERNS else {}
    for a, b in itertools.product(ends, repeat=2):
        patterns |= {tuple(a if j < cut else b for j in range(k)): None for cut in range(k + 1)}
        patterns |= {tuple(a if j % 2 else b for j in range(k)): None}
    for pattern in patterns:
        yield {n: number(p) for n, p in zip(amounts, pattern, strict=True)}


def corner_state(n: int, side: Nodes, corner: Sample, zero: bool) -> dict[Expression, Expression]:
    """A state of query answers with these amounts, the answers themselves 0 or left open."""
    answers = {f"q[{i}]": ZERO for i in range(1, n + 1)} if zero else {}
    start = {name(q): ZERO for q in answers}
    return start | {q: substitute(e, {**corner, **answers}) for q, e in side.items()}


def count_pairs_of_size(claim: Claim, size: int) -> int:
    """How many ordered pairs there are of a dataset of this size and one that is a move away."""
    inputs = claim.mechanism.inputs
    k = len(inputs.records) if isinstance(inputs, Domain) else 1
    return math.comb(k + size - 1, size) * (
        2 * k if claim.relation in ("ahdp", "add-remove") else k * (k - 1)
    )


def search_small_inputs(search: LossSearch, size: int) -> None:
    """Candidates from pairs of datasets of which the smaller has `size` records."""
    claim, inputs = search.claim, search.mechanism.inputs
    if not isinstance(inputs, Domain) or inputs.is_universal:
        return
    blank, here = Counterexample((), (), (), (), Event()), mechanism_context(search.mechanism)
    states: dict[tuple[Expression, ...], Nodes] = {}
    for example in dataset_pairs(claim, len(inputs.records), blank, size, size):
        try:
            level_of_move(claim, example)
            for side in (example.first, example.second):
                if side not in states:
                    states[side] = side_nodes(claim, example, side, dataset_nodes(search.mechanism))
            dominated, dominating = (
                DominatedInput(states[example.first]),
                DominatingInput(states[example.second]),
            )
            if not all(
                truth(substitute_nodes(search.mechanism.defined, nodes), here)
                for nodes in (dominating, dominated)
            ):
                continue
            choice = loss_supremum(search, dominated, dominating, here)
        except FAILED as reason:
            search.reasons[refusal_text(reason)] = None
            continue
        texts = [side_text(claim, example, side) for side in (example.first, example.second)]
        for key in slot_keys(search, example):
            search.offer(
                key,
                replace(
                    choice, where=f"{choice.where}, {texts[0]} against {texts[1]}", example=example
                ),
            )


def slot_keys(search: LossSearch, example: Counterexample) -> tuple[SlotKey, ...]:
    """The slots that a pair of datasets speaks of; a replacement speaks of both records, as the
    removed one of a move or of its inverse.
    """
    gaps = [
        int(a.args[0]) - int(b.args[0]) for a, b in zip(example.first, example.second, strict=True)
    ]
    if search.claim.relation == "hdp" and len(search.slots) > 1:
        return (gaps.index(-1), UP), (gaps.index(1), DOWN)
    direction = DOWN if sum(gaps) < 0 else UP
    return ((next(i for i, g in enumerate(gaps) if g) if len(search.slots) > 1 else 0, direction),)
