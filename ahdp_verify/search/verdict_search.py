"""One search for a verdict on a claim about a mechanism: what it has seen so far, and its steps.

`search.verify.PROCEDURES` says in which order the steps are taken. A step returns the verdict that
it reaches, or None after it has noted its reason; certificates go to `kernel.checker.check` and
counterexamples to `kernel.checker.refute`, so that nothing here is trusted.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.terms.expression import eq, log, name, piecewise
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import finite
>>> r = finite("r", [0, 1])
>>> flip = Mechanism(Values([0, 1]), outputs=[r], density=piecewise(("3/4", eq(r, name("v"))), ("1/4", True)))
>>> claim = Claim(flip, "any", log(2))
>>> run = VerdictSearch(claim, Limits().clock(), no_progress)
>>> type(run.small_inputs()).__name__, type(run.opaque()).__name__
('Refuted', 'NoneType')
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import ByRule, Certificate, Declined
from ahdp_verify.kernel.evidence.counterexample import Counterexample, Total
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.compared import Compared
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.loss.margins import SMALL, falsifying_parameters
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.claim import certify, has_few_counts, has_summed_conditions
from ahdp_verify.search.proving.total_mass import MASS as WITHOUT_MASS
from ahdp_verify.search.refuting.float_screen import FloatScreen
from ahdp_verify.search.refuting.small_inputs import (
    candidate_counterexamples,
    neighbouring_inputs,
    neighbouring_inputs_at,
)
from ahdp_verify.search.refuting.total_proof import prove_total
from ahdp_verify.search.refuting.well_defined import (
    check_crowded_inputs,
    check_exact_totals,
    check_more_inputs,
    check_smallest_inputs,
    smallest_inputs,
)
from ahdp_verify.search.solvers import smt
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.verdicts import Verdict

# records up to which a distribution is also written in counts; beyond, cases and products grow too
# fast
COUNTS = 16
# events that are worked out exactly before a proof is attempted, where floats see too little to rule
# an input out; measured: 580 stored claims are refuted so, all by the first event
PATIENCE = 2
FIRST = 1  # size of the datasets tried before a proof is attempted
# the search for parameter values takes at most one part in SHARE of the time left, and at most
# BRIEF seconds
SHARE, BRIEF = 4, 5.0
TRIED = 60  # pairs of inputs tried in that search, fewer for many outputs


@dataclass(slots=True)
class VerdictSearch:
    """One search for a verdict: the claim, the clock, where progress goes, the refusals so far, the
    largest dataset size done (`covered`) and the size requested (`wanted`).
    """

    claim: Claim
    clock: Clock
    progress: Progress
    reasons: list[Declined] = field(default_factory=list)
    covered: int = 0
    wanted: int = 0
    found: dict[int | None, Compared | None] = field(default_factory=dict)
    counted: bool = False  # whether a proof over counts was tried
    examined: bool = False  # whether the mechanism is well defined at the smallest inputs
    totals: list[Total | None] = field(default_factory=list)  # once asked for: that of the law
    screens: list[FloatScreen] = field(default_factory=list)  # once asked for: that of the claim

    @property
    def screen(self) -> FloatScreen:
        """What floats show of the claim."""
        if not self.screens:
            self.screens.append(FloatScreen.of(self.claim))
        return self.screens[0]

    def small_inputs(self) -> Verdict | None:
        """A refutation among the smallest inputs, where floats show that the claim may fail."""
        self.progress("trying small inputs")
        most = max(8, TRIED // len(self.claim.mechanism.outputs))
        smallest = neighbouring_inputs(self.claim, self.clock, FIRST)
        return self._refute_where_floats_fail(itertools.islice(smallest, most), PATIENCE)

    def suspicious_inputs(self) -> Verdict | None:
        """The same among inputs up to the limits."""
        self.progress("searching for a counterexample")
        return self._refute_where_floats_fail(
            neighbouring_inputs(self.claim, self.clock, self.clock.limits.records)
        )

    def _refute_where_floats_fail(
        self, inputs: Iterable[Counterexample], patience: int | None = None
    ) -> Refuted | None:
        found = candidate_counterexamples(self.claim, self.clock, inputs, self.screen)
        return self.refute_by(itertools.islice(found, patience))

    def suspicious_law(self) -> None:
        """Passes, or raises `LawFault`, where floats show that the mechanism may not be well
        defined at one of the smallest inputs.
        """
        if not all(map(self.screen.sees_no_fault, smallest_inputs(self.claim, self.clock))):
            self.faults_of_smallest_inputs()

    def faults_of_smallest_inputs(self) -> None:
        """Passes, or raises `LawFault` with one of the smallest inputs at which the mechanism is
        not well defined.
        """
        if not self.examined:
            self.examined = True
            check_smallest_inputs(self.claim, self.clock)

    def faults(self) -> Verdict | None:
        """Passes, or raises `LawFault` with an input at which the mechanism is not well defined;
        inputs beyond the smallest are tried where the total was not shown to be 1.
        """
        self.faults_of_smallest_inputs()
        if any(d.procedure == WITHOUT_MASS for d in self.reasons):
            self.progress("looking for an input at which the total is not 1")
            check_exact_totals(self.claim, self.clock)
            check_more_inputs(
                self.claim,
                self.clock.part(SHARE, BRIEF).clock(),
            )
        return None

    def values_of_parameters(self) -> Verdict | None:
        """A refutation at values of a parameter for which the largest loss exceeds the level,
        however narrow their range.
        """
        self.progress("looking for parameter values at which the claim may fail")
        part = self.clock.part(SHARE, BRIEF).clock()
        return self.refute_by(
            candidate_counterexamples(
                self.claim, part, self._at(falsifying_parameters(self.claim, part), part)
            )
        )

    def _at(
        self, values: Iterable[dict[str, Expression]], clock: Clock
    ) -> Iterator[Counterexample]:
        for given in values:
            yield from neighbouring_inputs_at(
                self.claim,
                Counterexample(tuple(given.items()), (), (), (), Event()),
                given,
                clock,
                SMALL,
            )

    def larger_inputs(self) -> Verdict | None:
        """A refutation among inputs up to the limits."""
        self.progress("searching for a counterexample")
        return self.refute_by(
            candidate_counterexamples(
                self.claim,
                self.clock,
                neighbouring_inputs(self.claim, self.clock, self.clock.limits.records),
            )
        )

    def opaque(self) -> Verdict | None:
        """A proof over opaque record sums."""
        self.progress("proving")
        return self.prove(certify(self.claim, False, self.clock))

    def few_counts(self) -> Verdict | None:
        """The proof over counts, where they are simpler than the record sums."""
        return self.counts() if has_few_counts(self.claim) else None

    def counts(self) -> Verdict | None:
        """A proof over the counts of single records, for domains that are small enough, or with
        what sums have in common over a universal domain; unless it was tried.
        """
        inputs = self.claim.mechanism.inputs
        if not isinstance(inputs, Domain) or len(inputs.records) > COUNTS or self.counted:
            return None
        if inputs.is_universal and not has_summed_conditions(self.claim.mechanism):
            return None
        self.counted = True
        self.progress("proving in counts")
        return self.prove(certify(self.claim, True, self.clock))

    def solvers(self) -> Verdict | None:
        """A proof attested by two solvers, or a refutation from a model of one of them."""
        self.progress("asking the solvers")
        found = self.refute_by(smt.model_counterexamples(self.claim, self.clock))
        return (
            found if found is not None else self.prove(smt.prove_by_solvers(self.claim, self.clock))
        )

    def prove(self, answer: Certificate | ByRule | Declined) -> Proved | None:
        if not isinstance(answer, Declined):
            try:
                return check(self.claim, answer, smt.attesting_solvers, self.compared(None))
            except Rejected as why:
                answer = Declined("checker", why.reason)
        self.reasons.append(answer)
        return None

    def refute_by(self, examples: Iterable[Counterexample]) -> Refuted | None:
        try:
            for example in examples:
                try:
                    return self._refuted(example)
                except Rejected:
                    continue
        except OutOfLimits as stop:
            self.reasons.append(Declined("finite", stop.reason))
        return None

    def _refuted(self, example: Counterexample) -> Refuted:
        """The refutation by a counterexample, with a proof that the law has total 1 at all inputs
        if one is found; Rejected where the checker rejects it.
        """
        if not self.totals:
            self.totals.append(prove_total(self.claim.mechanism, self.clock))
        (total,) = self.totals
        if total is not None:
            try:
                return refute(self.claim, example, total)
            except Rejected:
                pass
        return refute(self.claim, example)

    def faults_beside(self, refuted: Refuted) -> None:
        """Passes, or raises `LawFault` with an input at which the mechanism is not well defined,
        where the total was not shown to be 1.
        """
        if refuted.mass is None:
            with suppress(OutOfLimits, MemoryError, RecursionError):
                self.faults_of_smallest_inputs()
                check_crowded_inputs(self.claim, self.clock)

    def compared(self, size: int | None) -> Compared | None:
        """Two inputs that the claim compares, or a proof that there are none; searched for once for
        each size.
        """
        if size not in self.found:
            self.found[size] = comparing.find_compared_inputs(self.claim, size, self.clock)
        return self.found[size]

    def tick(self, what: str) -> None:
        self.clock.check(what)
        self.progress(
            f"{what}, done up to {self.covered} of {self.wanted} records" if self.wanted else what
        )


def find_refutation(claim: Claim, limits: Limits) -> Refuted | None:
    """A refutation among inputs up to the limits, for a claim that is expected to be false: no
    proof is tried, and floats do not choose the inputs, so a narrow violation is found as well.
    """
    run = VerdictSearch(claim, limits.clock(), no_progress)
    with run.clock.running(), stop_at_limits(run.reasons):
        run.faults_of_smallest_inputs()
        found = run.larger_inputs()
        if isinstance(found, Refuted):
            run.faults_beside(found)
            return found
    return None


def find_counterexample(claim: Claim, size: int, clock: Clock) -> Counterexample | None:
    """A counterexample that the checker accepts: inputs at simple values of the parameters
    first, then values at which the claim may fail.
    """
    run = VerdictSearch(claim, clock.part(SHARE).clock(), no_progress)
    found: Verdict | None = run.refute_by(
        candidate_counterexamples(claim, run.clock, neighbouring_inputs(claim, run.clock, size))
    )
    found = run.values_of_parameters() if found is None else found
    return found.counterexample if isinstance(found, Refuted) else None
