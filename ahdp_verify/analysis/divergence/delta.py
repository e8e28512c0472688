"""`delta`: the exact hockey-stick divergence at a level, the least delta with which the claim
holds.

delta(M, level) is the supremum, over all inputs and the moves of the relation (steps between
neighbouring inputs), of the total of (dominated - exp(level) * dominating)+ over the outputs.
Candidate: the exact total of moves with the state of the input left open, or of pairs of small
inputs. Upper bound: the claim with that very delta goes through the prover and the checker. Lower
bound: delta lowered by a thousandth is refuted by a checked event.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(0, 1), (1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="noisy sum")
>>> print(delta(M, "1/2"))
noisy sum: the least delta at level 1/2 (ahdp) is 1 - exp(-1/4) = 0.221199, exactly; add (1, 1)
"""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from ahdp_verify.analysis.bounds import Bounds
from ahdp_verify.decimals import decimal
from ahdp_verify.display.input_text import side_text
from ahdp_verify.display.markup import bounded_latex, escape_html, latex
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample, level_of_move, side_nodes
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism, Output, dataset_nodes
from ahdp_verify.kernel.model.neighbours import (
    DominatedInput,
    DominatingInput,
    Nodes,
    substitute_nodes,
)
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression, truth
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.notions import TO_DELTA
from ahdp_verify.kernel.rules.obligations import Obligation, mechanism_context, obligations
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Expression,
    multiply,
    names,
    negative,
    number,
    oo,
    substitute,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.evidence import prove_without_solvers, refute_at_examples
from ahdp_verify.search.limits import LAST_WORDS, Clock, Limits, OutOfLimits
from ahdp_verify.search.loss.candidates import (
    EAGER,
    FAILED,
    MOST,
    LossSearch,
    corner_state,
    corners_of_queries,
    count_pairs_of_size,
    new_loss_search,
)
from ahdp_verify.search.loss.excess import PartWithLaws, excess, parts_with_laws
from ahdp_verify.search.loss.largest import LevelCandidate, largest_candidate
from ahdp_verify.search.loss.value_pairs import value_pairs
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.proving.normal_outputs import mu_of_normal_outputs
from ahdp_verify.search.proving.reversal import UNDONE
from ahdp_verify.search.proving.sign_queries import (
    answer_by_cases,
    brief_clock,
    expression_by_sign,
    has_state_names,
)
from ahdp_verify.search.refuting.small_inputs import dataset_pairs
from ahdp_verify.search.refuting.well_defined import check_smallest_inputs
from ahdp_verify.search.simplify import shortest_form
from ahdp_verify.search.verify import verify
from ahdp_verify.search.wording import without_internal_names

# the part of the time spent searching for and proving a delta; the rest is for its refutation
SEARCHED = 0.75


@dataclass(frozen=True, slots=True)
class LeastDelta:
    """The least delta at a level: enclosed by `low` and `high`, which are equal if it is `exact`.

    level       the level in the claim, nats, an expression in x and eps for ahdp and hdp
    low         the divergence of some pair of inputs, so that no lower delta holds; 0 where none
                was shown
    high        a delta for which the claim is proved (by `proof`), or 1, with which every claim is
                true
    where       the pair of inputs, or the move for every state of the input
    refutation  an event by which delta lowered by a thousandth fails, checked
    reason      what is missing where the enclosure is not exact
    """

    claim: Claim
    level: Expression
    low: Expression
    high: Expression
    where: str = ""
    proof: Proved | None = None
    refutation: Refuted | None = None
    reason: str = ""

    __repr__ = short_repr

    @property
    def exact(self) -> bool:
        """True if the enclosure is one number."""
        return self.low == self.high

    @property
    def bounds(self) -> Bounds:
        """The bounds on the least delta; it always lies in [0, 1]."""
        if self.exact:
            return Bounds(self.low, self.low)
        return Bounds(
            None if self.low == ZERO else self.low, None if self.high == ONE else self.high
        )

    @property
    def value(self) -> Expression | None:
        """The least delta, if it is known exactly."""
        return self.bounds.value

    @property
    def decimals(self) -> tuple[str, str]:
        """Both ends as decimals for display; empty for a delta that depends on parameters."""
        return _decimal(self.low), _decimal(self.high)

    def _repr_html_(self) -> str:
        return f"<p>{escape_html(str(self))}</p>"

    def _repr_latex_(self) -> str:
        what = rf"\delta\left({latex(self.level)}\right)"
        return f"${bounded_latex(what, self.bounds.low, self.bounds.high)}$"

    def __str__(self) -> str:
        head = (
            f"{display_name(self.claim.mechanism.name) or 'the mechanism'}: the least delta at "
            "level "
            f"{self.level} ({self.claim.relation})"
        )
        known = self.bounds.text(_with_decimal)
        if self.exact:
            return f"{head} is {known}, exactly" + (f"; {self.where}" if self.where else "")
        verb = (
            "was"
            if self.bounds.kind == "not found"
            else "lies"
            if self.bounds.kind == "between"
            else "is"
        )
        return f"{head} {verb} {known}; {self.reason}"


def _decimal(e: Expression) -> str:
    return "" if names(e) else decimal(normal(e, Context.empty()))


def _with_decimal(e: Expression) -> str:
    return str(e) if e.head == "number" or names(e) else f"{e} = {_decimal(e)}"


@dataclass(slots=True)
class DivergenceSearch:
    """A search for the pair of inputs with the largest divergence."""

    search: LossSearch
    claim: Claim
    best: LevelCandidate = field(default_factory=lambda: LevelCandidate(ZERO, ""))
    reasons: dict[str, None] = field(default_factory=dict)
    seen: dict[object, Expression] = field(default_factory=dict)

    def offer(self, choice: LevelCandidate) -> None:
        """The choice taken if it is larger."""
        if choice.level == self.best.level:
            return
        self.best = largest_candidate(
            self.best, choice, samples=self.search.samples, here=self.search.here
        )


def delta(
    mechanism: Mechanism,
    level: Body | str,
    relation: str = "ahdp",
    limits: Limits | None = None,
    progress: Progress = no_progress,
    public: tuple[str, ...] = (),
) -> LeastDelta:
    """The least delta at a level (a number, an expression or a function of x and eps), as a
    number or enclosed.
    """
    limits = limits or Limits()
    bound = record_expression(parse(level, "level") if isinstance(level, str) else level)
    claim = Claim(
        mechanism, relation, bound, ZERO, (public,) if isinstance(public, str) else tuple(public)
    )
    clock, part = limits.clock(), replace(limits, seconds=SEARCHED * limits.seconds).clock()
    hunt = DivergenceSearch(new_loss_search(replace(claim, level=ZERO), part), claim)
    proof, said = None, ""
    try:
        with part.running():
            check_smallest_inputs(claim, part)
            found = of_normal_outputs(claim, limits)
            if found is not None:
                return found
            proof, said = _prove_candidates(hunt, progress)
    except OutOfLimits as stop:
        said = stop.reason
    return find_least_delta(hunt, clock, proof, said)


def of_normal_outputs(claim: Claim, limits: Limits) -> LeastDelta | None:
    """The least delta of several independent normal outputs, which is that of one of them; None for
    others, or where it is not shown.
    """
    mu = mu_of_normal_outputs(claim) if len(claim.mechanism.outputs) > 1 else None
    if mu is None:
        return None
    _, delta_of = TO_DELTA["gdp_to_delta"]
    try:
        here = mechanism_context(claim.mechanism)
        value = to_expression(normal(delta_of(claim.level, mu), here))
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    proof = verify(replace(claim, delta=value), limits)
    lower = verify(replace(claim, delta=multiply(number("999/1000"), value)), limits)
    if not isinstance(proof, Proved) or not isinstance(lower, Refuted):
        return None
    return LeastDelta(claim, claim.level, value, value, "", proof, lower)


def _prove_candidates(hunt: DivergenceSearch, progress: Progress) -> tuple[Proved | None, str]:
    """The proof of one of the candidates, or why the last one was not proved."""
    proof, said, tried = None, "", set[Expression]()
    try:
        for candidate in _candidates(hunt, progress):
            if candidate in tried:
                continue
            tried.add(candidate)
            progress(f"proving delta {candidate}")
            half = hunt.search.clock.part(2)
            proof, said = prove_without_solvers(replace(hunt.claim, delta=candidate), half)
            if proof is not None or candidate == ONE:
                break
    except OutOfLimits as stop:
        said = said or stop.reason
    return proof, said


def _candidates(hunt: DivergenceSearch, progress: Progress) -> Iterator[Expression]:
    """The largest divergence so far, each time it is worth a proof."""
    m = hunt.claim.mechanism
    listed = isinstance(m.inputs, Domain) and not m.inputs.is_universal
    if m.defined == TRUE or not listed:
        progress("comparing neighbouring inputs")
        search_open_state(hunt)
        if not hunt.reasons:
            yield hunt.best.level
    pairs = 0
    for size in range(hunt.search.clock.limits.records + 1) if listed else ():
        pairs += count_pairs_of_size(hunt.claim, size)
        if hunt.best.level == ONE or (size > 1 and pairs > EAGER):
            yield hunt.best.level
            if pairs > MOST:
                break
        progress(f"looking at datasets of {size} records")
        _search_small_inputs(hunt, size)
    yield hunt.best.level


def _move_divergence(
    hunt: DivergenceSearch,
    dominated: DominatedInput,
    dominating: DominatingInput,
    level: Expression,
    here: Context,
) -> Expression:
    """The divergence of one move, independent of the rest of the input; raises one of FAILED
    otherwise.
    """
    listed = parts_with_laws(hunt.claim.mechanism, dominated, dominating, here)
    key = _laws_of_parts(listed, hunt.claim.mechanism.outputs, here), level
    if key not in hunt.seen:
        hunt.search.clock.count(1, "looking for the largest divergence")
        clock, outputs = hunt.search.clock, hunt.claim.mechanism.outputs
        try:
            total = answer_by_cases(
                here,
                clock,
                lambda h: to_expression(excess(listed, outputs, level, h, brief_clock(clock))),
                operator.eq,
                expression_by_sign,
            )
        except OutOfLimits:
            clock.check("looking for the largest divergence")
            raise Unsupported(
                "the divergence between two neighbouring inputs was not found in the time set "
                "aside for it"
            ) from None
        if has_state_names(names(total)):
            raise Unsupported(
                "the divergence was not found to be independent of the rest of the input"
            )
        hunt.seen[key] = total
    return hunt.seen[key]


def _laws_of_parts(
    listed: Sequence[PartWithLaws], outputs: tuple[Output, ...], here: Context
) -> object:
    """What the divergence depends on: the laws of the parts in any order, those of one real output
    also mirrored, so that of a symmetric mechanism all moves are alike.
    """
    if len(listed) == len(outputs) == 1 and outputs[0].kind == "real":
        (laws,), s = listed, outputs[0].symbol
        both = laws.dominated, laws.dominating
        with suppress(*FAILED):
            return min(
                tuple(normal(substitute(e, {outputs[0].name: side}), here).key for e in both)
                for side in (s, negative(s))
            )
    return frozenset(Counter((p.is_density, p.dominated, p.dominating) for p in listed).items())


def search_open_state(hunt: DivergenceSearch) -> None:
    """The divergence of every move, whatever the rest of the input; one of a move and the same move
    undone stands for both.
    """
    listed = obligations(hunt.claim)
    for o in itertools.islice(listed, 0, None, 2 if hunt.claim.relation == UNDONE else 1):
        try:
            for dominated, dominating in _extreme_inputs(hunt, o):
                value = _move_divergence(hunt, dominated, dominating, o.level, o.here)
                if names(value) - {k for k, _ in hunt.claim.mechanism.parameters}:
                    raise Unsupported(
                        "the divergence was not found to be the same for all records of the domain"
                    )
                hunt.offer(LevelCandidate(value, o.text))
        except FAILED as reason:
            hunt.reasons[refusal_text(reason)] = None


def _extreme_inputs(
    hunt: DivergenceSearch, o: Obligation
) -> Iterator[tuple[DominatedInput, DominatingInput]]:
    """Both sides unchanged; for query answers, the answers at 0 and their changes at the ends of
    the range that the relation allows; for one person's value, pairs of ends.
    """
    inputs = hunt.claim.mechanism.inputs
    pairs = [p.nodes(inputs.bound) for p in value_pairs(hunt.claim, o.here, hunt.search.clock)]
    if pairs:
        yield from pairs
        return
    if not isinstance(inputs, Queries):
        yield o.dominated, o.dominating
        return
    for corner in corners_of_queries(
        hunt.claim.relation, (*o.dominating.values(), *o.dominated.values())
    ):
        dominated, dominating = (
            corner_state(inputs.n, side, corner, True) for side in (o.dominated, o.dominating)
        )
        yield DominatedInput(dominated), DominatingInput(dominating)


def _search_small_inputs(hunt: DivergenceSearch, size: int) -> None:
    """The divergence of the pairs of datasets of which the smaller has `size` records."""
    claim, m = hunt.claim, hunt.claim.mechanism
    here, states = mechanism_context(m), dict[tuple[Expression, ...], Nodes]()
    blank = Counterexample((), (), (), (), Event())
    for example in dataset_pairs(
        claim, len(m.inputs.records) if isinstance(m.inputs, Domain) else 0, blank, size, size
    ):
        try:
            level = level_of_move(claim, example)
            for side in (example.first, example.second):
                states.setdefault(side, side_nodes(claim, example, side, dataset_nodes(m)))
            if level == oo or not all(
                truth(substitute_nodes(m.defined, states[side]), here)
                for side in (example.first, example.second)
            ):
                continue
            value = _move_divergence(
                hunt,
                DominatedInput(states[example.first]),
                DominatingInput(states[example.second]),
                level,
                here,
            )
        except FAILED as reason:
            hunt.reasons[refusal_text(reason)] = None
            continue
        first, second = (
            side_text(claim, example, side) for side in (example.first, example.second)
        )
        hunt.offer(LevelCandidate(value, f"{first} against {second}", example=example))


def _refutation(hunt: DivergenceSearch, clock: Clock, value: Expression) -> Refuted | None:
    """A checked refutation of the claim with this delta, on the inputs of the largest
    divergence or on small ones; None once time is over.
    """
    if not clock.left:
        return None
    claim, found = replace(hunt.claim, delta=value), hunt.best.example
    keys = {k for k, _ in claim.mechanism.parameters}
    given = [tuple((k, v) for k, v in s.items() if k in keys) for s in hunt.search.samples[:2]]
    examples = None if found is None else [replace(found, parameters=g) for g in given]
    return refute_at_examples(claim, replace(clock.limits, seconds=min(10.0, clock.left)), examples)


def find_least_delta(
    hunt: DivergenceSearch,
    clock: Clock,
    proof: Proved | None,
    said: str,
    shortest: Callable[[Expression, Context], Expression] = shortest_form,
) -> LeastDelta:
    """The enclosure that was found; a little time is granted for it where no time is left."""
    best, here, refutation = hunt.best, hunt.search.here, None
    value, last = (
        best.level,
        replace(
            clock.limits, seconds=max(clock.left, LAST_WORDS + clock.limits.seconds / 20)
        ).clock(),
    )
    with suppress(OutOfLimits), last.running("writing the result"):
        value = shortest(best.level, here)
        refutation = (
            _refutation(hunt, last, multiply(number("999/1000"), best.level))
            if best.level != ZERO
            else None
        )
    low = value if refutation is not None or best.level == ZERO else ZERO
    high = value if proof is not None else ONE
    missing = (
        "; ".join(dict.fromkeys((*hunt.reasons, *([said] if said else []))))
        or f"it was not shown that no delta below {value} holds"
    )
    return LeastDelta(
        hunt.claim,
        hunt.claim.level,
        low,
        high,
        best.where,
        proof,
        refutation,
        "" if low == high else without_internal_names(missing, hunt.claim.mechanism),
    )
