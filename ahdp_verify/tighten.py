"""`tighten`: the exact least level of every record, removed record or pair, or one for all moves.

Three steps.  Candidate: the largest log ratio that is found, with the state of the input left open (`decide.suprema`), or on small inputs,
or along datasets that grow.  Every candidate is a value or a limit of log ratios, so no lower level holds; the checker's own rules confirm
it, at the peak or by a replayed refutation of the level lowered by a thousandth.  Upper bound: the claim with that very level goes through
the prover and the checker, and the `Proved` is kept.  Both together make a row exact; otherwise it says how far each went.  An unbounded
loss has level oo, with a replayed refutation of level 100.

>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import real
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

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_

from ahdp_verify.certificate import Declined
from ahdp_verify.checker import check, replay
from ahdp_verify.context import Context
from ahdp_verify.counterexample import Counterexample
from ahdp_verify.decide.finite import search as completed
from ahdp_verify.decide.formula import formula
from ahdp_verify.decide.growing import copies, growing
from ahdp_verify.decide.largest import Choice, Sample, upper
from ahdp_verify.decide.loss import confirmed, signed
from ahdp_verify.decide.pretty import factored
from ahdp_verify.decide.prover import certify
from ahdp_verify.decide.suprema import DOWN, UP, Search, open_state, small_inputs, started
from ahdp_verify.domain import Domain
from ahdp_verify.errors import Rejected
from ahdp_verify.expression import TRUE, ZERO, Expression, eq, multiply, name, number, oo, piecewise
from ahdp_verify.levels import Levels, Row, conditions_of
from ahdp_verify.limits import Limits, OutOfLimits
from ahdp_verify.mechanism import Mechanism
from ahdp_verify.privacy import Claim
from ahdp_verify.search import Progress, refute, silent, written_in_counts
from ahdp_verify.verdict import Proved, Refuted

EAGER = 120  # pairs of datasets that are looked at before the first proof is tried; measured: they take half a second
MOST = 2000  # and altogether
ONE_BY_ONE = 24  # most slots that are proved one by one when not all together are
GROWTH = (0, 9, 99, 999, 9999)  # copies that are added until a refutation is found
FINITE = number(100)  # the level that is refuted where the least one is oo
Proofs = dict[int, Proved]


@dataclass(slots=True)
class Attempt:
    """What is proved so far: for each slot a proof that its candidate suffices, the levels that were tried in vain, and what was said then."""

    search: Search
    limits: Limits
    formula: tuple[Expression, Context] | None = None
    proofs: Proofs = field(default_factory=dict)
    tried: set[tuple[tuple[int, Expression], ...]] = field(default_factory=set)
    said: str = ""

    @property
    def levels(self) -> dict[int, Choice]:
        """The candidate of every slot; level 0, which every law reaches, where none was found."""
        result = {}
        for i in range(len(self.search.slots)):
            found = [self.search.best[i, d] for d in (UP, DOWN) if (i, d) in self.search.best]
            result[i] = upper(*found, samples=self.search.samples, here=self.search.here) if found else Choice(ZERO, "any output")
        return result

    @property
    def unproved(self) -> dict[int, Expression]:
        """The finite candidates without a proof."""
        return {i: c.level for i, c in self.levels.items() if c.level != oo and i not in self.proofs}


def tighten(
    mechanism: Mechanism, relation: str = "ahdp", limits: Limits | None = None, progress: Progress = silent, public: tuple[str, ...] = ()
) -> Levels:
    """The least level of every record (ahdp), removed record (hdp) or ordered pair (any), or one for all moves; see `Levels`."""
    limits = limits or Limits()
    claim = Claim(mechanism, relation, ZERO, ZERO, tuple(public))
    attempt = Attempt(started(claim, limits.clock()), limits)
    try:
        search_all(attempt, progress)
    except OutOfLimits as stop:
        attempt.said = stop.reason
    progress("writing the table")
    rows = tuple(row(attempt, i, choice) for i, choice in attempt.levels.items())
    return Levels(claim, rows, common(attempt, rows))


def search_all(attempt: Attempt, progress: Progress) -> None:
    """Candidates and proofs: the open state first, then datasets by size and in the limit."""
    found, m = attempt.search, attempt.search.mechanism
    listed = isinstance(m.inputs, Domain) and not m.inputs.is_universal
    progress("looking for the largest loss")
    if m.defined == TRUE or not listed:
        attempt.formula = formula(found)
        if attempt.formula is None:
            open_state(found)
        if not found.reasons and finished(attempt, progress):
            return
    pairs = 0
    for size in range(attempt.limits.records + 1) if listed else ():
        pairs += pairs_of_size(found, size)
        if size > 1 and pairs > EAGER:
            if finished(attempt, progress, grown=size == 2 or pairs - pairs_of_size(found, size) <= EAGER):
                return
            if pairs > MOST:
                break
        progress(f"looking at datasets of {size} records")
        small_inputs(found, size)
    finished(attempt, progress, grown=True, last=True)


def pairs_of_size(search: Search, size: int) -> int:
    """How many ordered pairs there are of a dataset of this size and one that is a move away."""
    inputs = search.mechanism.inputs
    k = len(inputs.records) if isinstance(inputs, Domain) else 1
    return math.comb(k + size - 1, size) * (2 * k if search.claim.relation in ("ahdp", "add-remove") else k * (k - 1))


def finished(attempt: Attempt, progress: Progress, grown: bool = False, last: bool = False) -> bool:
    """True once every finite candidate is proved to suffice; each set of candidates is tried once, together and then one by one."""
    if grown and attempt.unproved:
        progress("letting datasets grow")
        growing(attempt.search, frozenset(attempt.unproved))
    wanted = attempt.unproved
    key, complete = tuple(wanted.items()), all((i, UP) in attempt.search.best for i in wanted)
    if wanted and key not in attempt.tried and (complete or last):
        attempt.tried.add(key)
        progress("proving " + ", ".join(dict.fromkeys(str(level) for level in list(wanted.values())[:3])))
        prove(attempt, wanted)
        for i, level in list(attempt.unproved.items())[: ONE_BY_ONE if len(wanted) > 1 else 0]:
            prove(attempt, {i: level}, share=8)
    return complete and not attempt.unproved


def prove(attempt: Attempt, wanted: Mapping[int, Expression], share: int = 2) -> None:
    """The proofs of these levels added, if the claim that has them (and oo elsewhere) is proved."""
    claim = with_levels(attempt, wanted)
    left = attempt.search.clock.left
    clock = replace(attempt.limits, seconds=max(0.1, left / share)).clock()
    for counts in (False, True) if written_in_counts(claim) else (False,):
        answer = certify(claim, counts, clock)
        if not isinstance(answer, Declined):
            try:
                attempt.proofs |= dict.fromkeys(wanted, check(claim, answer))
                return
            except Rejected as why:
                answer = Declined("checker", why.reason)
        attempt.said = attempt.said or f"{answer.procedure}: {answer.reason}"
    attempt.search.clock.check("proving levels")


def with_levels(attempt: Attempt, wanted: Mapping[int, Expression]) -> Claim:
    """The claim that these slots have these levels; all other moves have level oo."""
    claim, slots = attempt.search.claim, attempt.search.slots
    if attempt.formula is not None and len(wanted) == len(slots):
        return replace(claim, level=attempt.formula[0])
    if len(wanted) == len(slots) and len(set(wanted.values())) == 1:
        return replace(claim, level=next(iter(wanted.values())))
    groups: dict[Expression, list[Expression]] = {}
    for i, level in wanted.items():
        groups.setdefault(level, []).append(reduce(and_, (eq(name(k), v) for k, v in slots[i].values)))
    return replace(claim, level=piecewise(*((level, reduce(or_, conditions)) for level, conditions in groups.items()), (oo, TRUE)))


# rows


def row(attempt: Attempt, i: int, choice: Choice) -> Row:
    """The row of a slot."""
    found, slot = attempt.search, attempt.search.slots[i]
    here = conditions_of(found.claim)
    low = shown(attempt, choice.level, here)
    up, down = (shown(attempt, found.best[i, d].level, here) if (i, d) in found.best else None for d in (UP, DOWN))
    proof, refutation = attempt.proofs.get(i), None
    reached = choice.level == ZERO or (choice.level != oo and choice.attained and bool(choice.peaks) and all(confirmed(p) for p in choice.peaks))
    if not reached:
        lowered = FINITE if choice.level == oo else multiply(number("999/1000"), choice.level)
        refutation = refuted(attempt, i, choice, lowered)
    exact = (proof is not None or choice.level == oo) and (reached or refutation is not None)
    where = f"{'attained' if choice.attained else 'limit'}{'' if choice.where.startswith('far') else ' at'} {choice.where}"
    why, least = reason(attempt, choice, proof, exact), low if reached or refutation is not None else ZERO
    return Row(slot.text, low if proof is not None else oo, least, up, down, where, exact, why, proof, refutation, slot.values)


def reason(attempt: Attempt, choice: Choice, proof: Proved | None, exact: bool) -> str:
    """What is missing in a row that is not exact, or why there is no finite level."""
    if choice.level == oo:
        kind = "the loss grows with the dataset" if choice.grows else "the loss is infinite or unbounded on the outputs"
        return f"{kind}; level {FINITE} is refuted" if exact else f"{kind}, but the refutation of level {FINITE} was not found"
    if exact:
        return ""
    if proof is None:
        why = attempt.said or "; ".join(attempt.search.reasons)
        return f"level {choice.level} was not proved ({why})"
    return f"level {choice.level} suffices, but that no lower one does was not shown"


def refuted(attempt: Attempt, i: int, choice: Choice, level: Expression) -> Refuted | None:
    """A replayed refutation of a level in one slot: on the choice's own inputs, or on small ones."""
    claim = with_levels(replace(attempt, formula=None), {i: level})
    clock = replace(attempt.limits, seconds=min(10.0, attempt.limits.seconds)).clock()
    try:
        for example in examples(attempt, choice):
            for whole in completed(claim, clock, [example]):
                try:
                    return replay(claim, whole)
                except Rejected:
                    continue
        return None if choice.example is not None else refute(claim, clock, attempt.limits.records, [])
    except OutOfLimits:
        return None


def examples(attempt: Attempt, choice: Choice) -> list[Counterexample]:
    """The inputs of a choice, with more and more copies of what grows, at sample parameters."""
    given: list[Sample] = [{k: v for k, v in s.items() if k in dict(attempt.search.mechanism.parameters)} for s in attempt.search.samples[:2]]
    listed = dict.fromkeys(copies(choice, n) for n in (GROWTH if choice.grows else (0,)))
    return [replace(e, parameters=tuple(g.items())) for e in listed if e is not None for g in given]


def common(attempt: Attempt, rows: tuple[Row, ...]) -> Expression | None:
    """One formula for all rows, if they are exact: the one that was found, or the demand."""
    if not all(r.exact for r in rows):
        return None
    if attempt.formula is not None:
        return shown(attempt, *attempt.formula)
    of_records = all("eps" in dict(r.values) for r in rows)
    return name("eps") if of_records and all(r.level == dict(r.values)["eps"] for r in rows) else None


def shown(attempt: Attempt, level: Expression, here: Context) -> Expression:
    """A level in its shortest form."""
    clock = replace(attempt.limits, seconds=min(2.0, attempt.limits.seconds)).clock()
    return level if level == oo else factored(signed(level, here, clock), here)
