"""`tighten`: the exact least level of every record, removed record or pair, or one for all moves.

Three steps. Candidate: the largest privacy loss that is found over neighbouring inputs, with the
state of the input left open (`search.loss.candidates`), or on small inputs, or along inputs that
grow. Every candidate is a value or a limit of privacy losses, so no lower level holds; the
checker's own rules confirm this, where the loss is largest or by a checked refutation of the level
lowered by a thousandth. Upper bound: the claim with that very level goes through the prover and the
checker, and the `Proved` is stored. Both together make a row exact; otherwise it states which bound
is shown, or that none was found. Level oo is shown by an event that has probability 0 at one of the
two inputs only, or by a limit: the quotient of the densities at two inputs tends to 0 far out
(`search.loss.tails`). Where the search finds an unbounded loss without either, a checked refutation
of level 100 shows that the least level is more than 100, and nothing more is claimed.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(0, 1), (1, 1), (1, 2)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: eps * x)) / 2) / 4, name="weighted sum")
>>> print(tighten(M))
least ahdp level of weighted sum: eps*x/2
record  least level  upward  downward  where                   shown
(0, 1)  0            0       0         attained at any output  exact
(1, 1)  1/2          1/2     1/2       attained at large s     exact
(1, 2)  1            1       1         attained at large s     exact
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from operator import and_, or_
from typing import overload

from ahdp_verify.analysis.levels.notions import NotionBound, least_bound
from ahdp_verify.analysis.levels.programs import ProgramLevels, least_levels
from ahdp_verify.analysis.levels.table import NOTHING_COMPARED, LevelRow, Levels, claim_context
from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.scope import NOTHING
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    add,
    eq,
    multiply,
    name,
    number,
    oo,
    piecewise,
)
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.programs import NoiseProgram
from ahdp_verify.search.evidence import prove_without_solvers, refute_at_examples
from ahdp_verify.search.limits import LAST_WORDS, Clock, Limits, OutOfLimits
from ahdp_verify.search.loss.candidates import (
    DOWN,
    EAGER,
    MOST,
    UP,
    LossSearch,
    count_pairs_of_size,
    new_loss_search,
    search_open_states,
    search_small_inputs,
)
from ahdp_verify.search.loss.curved_peaks import PEAK_WIDTH
from ahdp_verify.search.loss.formula import level_formula
from ahdp_verify.search.loss.growing_inputs import search_growing_inputs, with_more_copies
from ahdp_verify.search.loss.largest import LevelCandidate, Sample, largest_candidate
from ahdp_verify.search.loss.linear_peaks import is_confirmed_peak
from ahdp_verify.search.loss.margins import falsifying_parameters
from ahdp_verify.search.loss.tails import unbounded_tail
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.proving.sign_queries import answer_with_signs, with_known_signs
from ahdp_verify.search.refuting.well_defined import check_smallest_inputs
from ahdp_verify.search.simplify import shortest_form
from ahdp_verify.search.wording import without_internal_names

FEW = 4  # most slots whose level is enclosed
# the share of the time spent on candidates and proofs; the rest is for refutations and for the
# table
SEARCHED = 0.75
ONE_BY_ONE = 24  # most slots that are proved one by one when they are not proved all together
GROWTH = (0, 9, 99, 999, 9999)  # numbers of copies that are added until a refutation is found
MISSING = "not found"
FINITE = number(100)  # the level that is refuted where the search finds none that suffices
Proofs = dict[int, Proved]


@dataclass(slots=True)
class Attempt:
    """The proofs so far: for each slot that its candidate suffices, or a looser level; which levels
    were tried, and the reasons given.
    """

    search: LossSearch
    limits: Limits
    clock: Clock
    formula: tuple[Expression, Context] | None = None
    proofs: Proofs = field(default_factory=dict)
    looser: dict[int, tuple[Expression, Proved]] = field(default_factory=dict)
    tried: set[tuple[tuple[int, Expression], ...]] = field(default_factory=set)
    shortest: dict[object, Expression] = field(default_factory=dict)
    said: str = ""

    @property
    def levels(self) -> dict[int, LevelCandidate]:
        """The candidate of every slot; level 0, which every mechanism attains, where none was
        found.
        """
        result = {}
        for i in range(len(self.search.slots)):
            found = [self.search.best[i, d] for d in (UP, DOWN) if (i, d) in self.search.best]
            result[i] = (
                largest_candidate(*found, samples=self.search.samples, here=self.search.here)
                if found
                else LevelCandidate(ZERO, "any output")
            )
        return result

    @property
    def unproved(self) -> dict[int, Expression]:
        """The finite candidates without a proof."""
        return {
            i: c.level for i, c in self.levels.items() if c.level != oo and i not in self.proofs
        }


@overload
def tighten(
    mechanism: Mechanism,
    relation: str = "ahdp",
    limits: Limits | None = None,
    progress: Progress = no_progress,
    public: tuple[str, ...] = (),
) -> Levels: ...
@overload
def tighten(
    mechanism: Mechanism,
    relation: str = "ahdp",
    limits: Limits | None = None,
    progress: Progress = no_progress,
    *,
    notion: str,
) -> NotionBound: ...
@overload
def tighten(
    mechanism: Program | NoiseProgram,
    relation: str = "ahdp",
    limits: Limits | None = None,
    progress: Progress = no_progress,
    *,
    queries: int | None = None,
) -> ProgramLevels: ...
def tighten(
    mechanism: Mechanism | Program | NoiseProgram,
    relation: str = "ahdp",
    limits: Limits | None = None,
    progress: Progress = no_progress,
    public: tuple[str, ...] = (),
    *,
    queries: int | None = None,
    notion: str = "",
) -> Levels | ProgramLevels | NotionBound:
    """The least level of every record (ahdp), removed record (hdp) or ordered pair (any), or one
    for all moves; see `Levels`, and `ProgramLevels` for noise programs.

    `public` are parts of a record that stay as they are (hdp); `queries` is for how many of them a
    noise program on any number of queries is asked; with `notion` "zcdp" or "gdp" the least rho or
    mu, see `NotionBound`.  Raises BadInput for a mechanism that has no meaning.
    """
    if notion:
        if not isinstance(mechanism, Mechanism) or public or notion == "renyi":
            raise BadInput("notion", f"{notion} is not worked out here", "use renyi, or verify")
        return least_bound(mechanism, relation, notion, limits=limits)
    if isinstance(mechanism, NoiseProgram):
        mechanism, queries = mechanism.answering(queries)
    if isinstance(mechanism, Program):
        if public:
            raise BadInput("public", "it does not apply to noise programs", "leave it out")
        return least_levels(mechanism, relation, queries, limits, progress)
    if queries is not None:
        raise BadInput("queries", "it applies to noise programs alone", "leave it out")
    limits = limits or Limits()
    claim = Claim(
        mechanism, relation, ZERO, ZERO, (public,) if isinstance(public, str) else tuple(public)
    )
    whole = limits.clock()
    part = replace(limits, seconds=SEARCHED * limits.seconds).clock()
    attempt = Attempt(new_loss_search(claim, part), limits, whole)
    try:
        with part.running():
            check_smallest_inputs(claim, part)
            search_all(attempt, progress)
    except OutOfLimits as stop:
        attempt.said = stop.reason
    progress("writing the table")
    return _level_table(attempt)


def _level_table(attempt: Attempt) -> Levels:
    """The rows found, for which a little time is granted where none is left; where that is too
    little, rows without a level.
    """
    attempt.clock = replace(
        attempt.limits, seconds=max(attempt.clock.left, LAST_WORDS + attempt.limits.seconds / 20)
    ).clock()
    rows = list[LevelRow]()
    with suppress(OutOfLimits), attempt.clock.running("writing the table"):
        rows += (_level_row(attempt, i, choice) for i, choice in attempt.levels.items())
        return Levels(attempt.search.claim, tuple(rows), _common_formula(attempt, tuple(rows)))
    texts = [slot.text for slot in attempt.search.slots]
    rows += (
        LevelRow(
            t,
            None,
            ZERO,
            None,
            None,
            MISSING,
            False,
            attempt.said or "the time limit was reached before this row was examined",
            None,
            None,
            (),
        )
        for t in texts[len(rows) :]
    )
    return Levels(attempt.search.claim, tuple(rows), None)


def search_all(attempt: Attempt, progress: Progress) -> None:
    """Candidates and proofs: the open state first, then datasets by size and in the limit."""
    found, m = attempt.search, attempt.search.mechanism
    listed = isinstance(m.inputs, Domain) and not m.inputs.is_universal
    progress("looking for the largest privacy loss")
    if m.defined == TRUE or not listed:
        attempt.formula = level_formula(found)
        if attempt.formula is None:
            search_open_states(found)
        if not found.reasons and _prove_candidates(attempt, progress):
            return
        if attempt.formula is None and _widen_samples(attempt):
            search_open_states(found)
            if _prove_candidates(attempt, progress):
                return
    pairs = 0
    for size in range(attempt.limits.records + 1) if listed else ():
        pairs += count_pairs_of_size(found.claim, size)
        if size > 1 and pairs > EAGER:
            if _prove_candidates(
                attempt,
                progress,
                grown=size == 2 or pairs - count_pairs_of_size(found.claim, size) <= EAGER,
            ):
                return
            if pairs > MOST:
                break
        progress(f"looking at datasets of {size} records")
        search_small_inputs(found, size)
    if not _prove_candidates(attempt, progress, grown=True, last=True):
        progress("bounding the levels that were not proved")
        _prove_looser_levels(attempt)


def _widen_samples(attempt: Attempt) -> bool:
    """True if values of the one parameter were found at which a candidate does not suffice; the
    search then knows them as samples.
    """
    found, new = attempt.search, list[Sample]()
    for i, level in list(attempt.unproved.items())[:FEW]:
        clock = replace(attempt.limits, seconds=max(0.1, found.clock.left / 8)).clock()
        try:
            new += falsifying_parameters(
                with_levels(replace(attempt, formula=None), {i: level}), clock
            )
        except OutOfLimits:
            continue
    found.samples += tuple(s for s in new if s not in found.samples)
    found.seen.clear()
    return bool(new)


def _prove_candidates(
    attempt: Attempt, progress: Progress, grown: bool = False, last: bool = False
) -> bool:
    """True once every finite candidate is proved to suffice; each set of candidates is tried
    once, together and then one by one.
    """
    if grown and attempt.unproved:
        progress("examining growing inputs")
        search_growing_inputs(attempt.search, frozenset(attempt.unproved))
    wanted = attempt.unproved
    key, complete = tuple(wanted.items()), all((i, UP) in attempt.search.best for i in wanted)
    if wanted and key not in attempt.tried and (complete or last):
        attempt.tried.add(key)
        progress(
            "proving " + ", ".join(dict.fromkeys(str(level) for level in list(wanted.values())[:3]))
        )
        _prove_levels(attempt, wanted)
        other = {
            i: _shortest_form(attempt, level, claim_context(attempt.search.claim))
            for i, level in attempt.unproved.items()
            if len(wanted) == 1
        }
        if other and other != wanted:
            _prove_levels(attempt, other, share=4)
        for i, level in list(attempt.unproved.items())[: ONE_BY_ONE if len(wanted) > 1 else 0]:
            _prove_levels(attempt, {i: level}, share=8)
    return complete and not attempt.unproved


def _prove_levels(attempt: Attempt, wanted: Mapping[int, Expression], share: int = 2) -> None:
    """The proofs of these levels added, if the claim that has them (and oo elsewhere) is proved
    in its share of the time that is left.
    """
    proof, reason = prove_without_solvers(
        with_levels(attempt, wanted),
        replace(attempt.limits, seconds=max(0.1, attempt.search.clock.left / share)),
    )
    if proof is not None:
        attempt.proofs |= dict.fromkeys(wanted, proof)
    attempt.said = attempt.said or reason
    attempt.search.clock.check("proving levels")


def _prove_looser_levels(attempt: Attempt) -> None:
    """Proofs of somewhat higher levels where the candidate itself was not proved."""
    for i, level in list(attempt.unproved.items())[:FEW]:
        rounded = any(p.rounded for p in attempt.levels[i].peaks)
        listed = (add(level, number(PEAK_WIDTH)),) if rounded else ()
        for higher in (*listed, add(multiply(number(2), level), number("1/100"))):
            limits = replace(attempt.limits, seconds=max(0.1, attempt.search.clock.left / 4))
            proof, _ = prove_without_solvers(
                with_levels(replace(attempt, formula=None), {i: higher}), limits
            )
            if proof is not None:
                attempt.looser[i] = higher, proof
                break


def with_levels(attempt: Attempt, wanted: Mapping[int, Expression]) -> Claim:
    """The claim that these slots have these levels; all other moves have level oo."""
    claim, slots = attempt.search.claim, attempt.search.slots
    if attempt.formula is not None and len(wanted) == len(slots):
        return replace(claim, level=attempt.formula[0])
    if len(wanted) == len(slots) and len(set(wanted.values())) == 1:
        return replace(claim, level=next(iter(wanted.values())))
    groups: dict[Expression, list[Expression]] = {}
    for i, level in wanted.items():
        groups.setdefault(level, []).append(
            reduce(and_, (eq(name(k), v) for k, v in slots[i].values))
        )
    return replace(
        claim,
        level=piecewise(
            *((level, reduce(or_, conditions)) for level, conditions in groups.items()), (oo, TRUE)
        ),
    )


def _proof_that_nothing_is_compared(attempt: Attempt, i: int) -> Proved | None:
    """A proof of level 0 for a row in which no two inputs are compared, so that the level says
    nothing about the mechanism.
    """
    proof, only = attempt.proofs.get(i), len(attempt.search.slots) == 1
    if proof is None:
        return None
    if proof.scope.compared != NOTHING and (only or _has_candidate(attempt.search, i)):
        return None
    alone = with_levels(replace(attempt, formula=None), {i: ZERO})
    own, _ = prove_without_solvers(alone, Limits(seconds=max(0.1, attempt.clock.left)))
    return own if own is not None and own.scope.compared == NOTHING else None


def _level_row(attempt: Attempt, i: int, choice: LevelCandidate) -> LevelRow:
    """The row of a slot."""
    found, slot = attempt.search, attempt.search.slots[i]
    vacuous = _proof_that_nothing_is_compared(attempt, i)
    if vacuous is not None:
        said, values = NOTHING_COMPARED, slot.values
        return LevelRow(slot.text, ZERO, ZERO, None, None, said, True, proof=vacuous, values=values)
    here = claim_context(found.claim)
    low = _shortest_form(attempt, choice.level, here)
    each = (found.best[i, d].level if (i, d) in found.best else None for d in (UP, DOWN))
    up, down = (
        None if e is None else low if e == choice.level else _shortest_form(attempt, e, here)
        for e in each
    )
    proof, refutation = attempt.proofs.get(i), None
    somewhere = (
        choice.example is not None or found.mechanism.defined == TRUE
    )  # else the mechanism might not be defined at any input
    reached = choice.level == ZERO or (
        choice.level != oo
        and somewhere
        and bool(choice.peaks)
        and all(is_confirmed_peak(p) for p in choice.peaks)
    )
    if not reached:
        lowered = FINITE if choice.level == oo else multiply(number("999/1000"), choice.level)
        refutation = _refutation(attempt, i, choice, lowered)
    tail = _tail(choice, refutation)
    endless = tail is not None
    exact = endless or (proof is not None and (reached or refutation is not None))
    at = "" if choice.where.startswith("far") else " at"
    why = (
        _infinite_reason(choice, refutation, tail)
        if choice.level == oo
        else _inexact_reason(attempt, i, choice, proof, exact)
    )
    least = (
        ZERO
        if not reached and refutation is None
        else FINITE
        if choice.level == oo and not endless
        else low
    )
    reaches = "attained" if choice.attained else "limit"
    where = f"limit at {tail}" if tail else f"{reaches}{at} {in_words(attempt, choice.where)}"
    has_place = _has_candidate(found, i) and (exact or (least != ZERO and choice.level != oo))
    where = where if has_place else MISSING
    level: Expression | None = low if proof is not None or endless else None
    if level is None and i in attempt.looser:
        level, proof = attempt.looser[i]
    return LevelRow(
        slot.text, level, least, up, down, where, exact, why, proof, refutation, slot.values
    )


def _has_candidate(found: LossSearch, i: int) -> bool:
    """True if a candidate was found for a slot."""
    return (i, UP) in found.best or (i, DOWN) in found.best


def in_words(attempt: Attempt, where: str) -> str:
    """A place or a reason with the aggregates of the rest of the dataset written as in the
    mechanism.
    """
    return without_internal_names(where, attempt.search.mechanism)


def _inexact_reason(
    attempt: Attempt, i: int, choice: LevelCandidate, proof: Proved | None, exact: bool
) -> str:
    """What is missing in a row that is not exact."""
    if exact:
        return ""
    if (i, UP) not in attempt.search.best:
        why = (
            in_words(attempt, "; ".join(attempt.search.reasons) or attempt.said)
            or "no input was found at which the mechanism is defined"
        )
        return f"the loss was not found in closed form: {why}"
    if proof is None:
        why = in_words(attempt, attempt.said or "; ".join(attempt.search.reasons))
        return f"level {choice.level} was not proved ({why})"
    return f"level {choice.level} suffices, but it was not shown that no lower level does"


def _tail(choice: LevelCandidate, refutation: Refuted | None) -> str | None:
    """Where a refuted level shows that every level fails: "" for an event of probability 0 at one
    input only, an end of the line for an unbounded loss; None if that is not shown.
    """
    if choice.level != oo or refutation is None:
        return None
    if refutation.second_probability.is_zero:
        return ""
    return unbounded_tail(refutation.written, refutation.counterexample)


def _infinite_reason(choice: LevelCandidate, refutation: Refuted | None, tail: str | None) -> str:
    """What is shown where the search found no finite level: an event of probability 0 at one input
    only, an unbounded loss, a refutation of a large level, or nothing.
    """
    if tail:
        return f"the privacy loss grows without bound at {tail}, so no finite level suffices"
    if tail is not None:
        return (
            "the privacy loss is infinite: an event has probability 0 at one of the two inputs only"
        )
    kind = (
        "the privacy loss grows without bound with the dataset"
        if choice.grows
        else "the privacy loss is infinite or unbounded over the outputs"
    )
    found = (
        f"level {FINITE} is refuted, and"
        if refutation is not None
        else f"no refutation of level {FINITE} was found, though"
    )
    return f"{found} the search suggests that {kind}"


def _refutation(
    attempt: Attempt, i: int, choice: LevelCandidate, level: Expression
) -> Refuted | None:
    """A checked refutation of a level in one slot: on the choice's own inputs, whatever the
    level elsewhere, or on small ones.
    """
    if not attempt.clock.left:
        return None
    limits, given = (
        replace(attempt.limits, seconds=min(10.0, attempt.clock.left)),
        _growing_inputs(attempt, choice),
    )
    claim = (
        replace(attempt.search.claim, level=level)
        if given is not None
        else with_levels(replace(attempt, formula=None), {i: level})
    )
    return refute_at_examples(claim, limits, given)


def _growing_inputs(attempt: Attempt, choice: LevelCandidate) -> list[Counterexample] | None:
    """The inputs of a choice, if it has some, with more and more copies of the growing records, at
    sample parameters.
    """
    if choice.example is None:
        return None
    given: list[Sample] = [
        {k: v for k, v in s.items() if k in dict(attempt.search.mechanism.parameters)}
        for s in attempt.search.samples[:2]
    ]
    listed = dict.fromkeys(with_more_copies(choice, n) for n in (GROWTH if choice.grows else (0,)))
    return [replace(e, parameters=tuple(g.items())) for e in listed if e is not None for g in given]


def _common_formula(attempt: Attempt, rows: tuple[LevelRow, ...]) -> Expression | None:
    """One formula for all rows, if they are exact: the one that was found, or the demand."""
    if not all(r.exact for r in rows):
        return None
    if attempt.formula is not None:
        return _shortest_form(attempt, *attempt.formula)
    of_records = all("eps" in dict(r.values) for r in rows)
    return (
        name("eps") if of_records and all(r.level == dict(r.values)["eps"] for r in rows) else None
    )


def _shortest_form(attempt: Attempt, level: Expression, here: Context) -> Expression:
    """A level in its shortest form, which many rows share."""
    if level == oo or not attempt.clock.left:
        return level
    asked = level, here.facts
    if asked not in attempt.shortest:
        clock = replace(attempt.limits, seconds=min(2.0, attempt.clock.left)).clock()
        known = with_known_signs(level, here, clock)
        with suppress(Undecided, Unsupported, ZeroDivisionError, OutOfLimits):
            here, _ = answer_with_signs(here, clock, partial(normal, known))
        attempt.shortest[asked] = shortest_form(known, here)
    return attempt.shortest[asked]
