"""`verify`: asks the `PROCEDURES` in their order and lets the checker decide.

"finite" finds counterexamples on inputs with exact distributions, "linear" proofs by log forms,
triangles, products and case splits, "smt" asks Z3, with cvc5 as the second solver that a proof
needs, and "laws" reduces a claim by the composition rules.

A procedure without an answer gives its reason, and the next one is asked. Nothing that a procedure
returns is trusted: certificates go to `kernel.checker.check`, counterexamples to
`kernel.checker.refute`.

>>> from ahdp_verify.kernel.model.domain import Domain, Values
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> s, W = real("s"), Domain([(1, 1)])
>>> print(verify(dp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), 1)))
Proved: noisy size is add-remove DP at level 1; scope: all datasets; trusts: the checker alone
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.kernel.checker import check, check_enumeration, refute, refute_inequality
from ahdp_verify.kernel.errors import (
    BadInput,
    NotWorkedOut,
    Rejected,
    Undecided,
    Unsupported,
    with_location,
)
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import (
    AnyCertificate,
    ByRule,
    Certificate,
    Declined,
    Enumeration,
    Mass,
    StatedPremise,
)
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    ImageCounterexample,
    InstanceCounterexample,
    ProvedInstance,
    Total,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment
from ahdp_verify.kernel.exhaustive.violation import ClaimViolated
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism, outcome_count
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim, Statement
from ahdp_verify.kernel.record import read_record
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.compared import Compared
from ahdp_verify.kernel.rules.joint_law import (
    explicit_claim,
    processed_part,
    substitute_instances,
)
from ahdp_verify.kernel.terms.expression import ZERO, Expression
from ahdp_verify.kernel.terms.printing import display_name, named_path
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.loss.margins import SMALL, falsifying_parameters
from ahdp_verify.search.notions import verify_notion
from ahdp_verify.search.parts import program_premises
from ahdp_verify.search.programs.decide import verify_program
from ahdp_verify.search.proposed import answered
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.claim import certify, has_few_counts, has_summed_conditions
from ahdp_verify.search.proving.composition import Derivation, Leaf
from ahdp_verify.search.proving.normal_outputs import mu_of_normal_outputs
from ahdp_verify.search.proving.total_mass import MASS as WITHOUT_MASS
from ahdp_verify.search.proving.total_mass import mass_certificate
from ahdp_verify.search.proving.unknowns import certificate_by_steps, inequality_certificate
from ahdp_verify.search.refuting.float_screen import FloatScreen
from ahdp_verify.search.refuting.images import image_counterexamples
from ahdp_verify.search.refuting.instances import instantiations
from ahdp_verify.search.refuting.small_inputs import (
    candidate_counterexamples,
    neighbouring_inputs,
    neighbouring_inputs_at,
)
from ahdp_verify.search.refuting.values import (
    PointValues,
    candidate_points,
    failing_values,
    undefined_values,
)
from ahdp_verify.search.refuting.well_defined import (
    check_crowded_inputs,
    check_exact_totals,
    check_more_inputs,
    check_smallest_inputs,
    smallest_inputs,
)
from ahdp_verify.search.sensitivity import verify_applied, verify_sensitivity
from ahdp_verify.search.solvers import smt
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.wording import unknown_verdict
from ahdp_verify.verdicts import Unknown, Verdict

# records up to which a distribution is also written in counts; beyond, cases and products grow too
# fast
COUNTS = 16
# values at which a statement is tried before a proof: they take some 10 ms, all others up to 0.5 s
SIMPLE_POINTS = 300
SEVERAL = 2  # outputs of which a delta needs an integral over the plane, or more
MANY_VALUES = 9  # values of a person from which a few are tried in place of all
# events that are worked out exactly before a proof is attempted, where floats see too little to rule
# an input out; measured: 580 stored claims are refuted so, all by the first event
PATIENCE = 2
IMAGED = 6  # pairs of inputs at which events on what formulas release are tried
FIRST = 1  # size of the datasets tried before a proof is attempted
# probabilities of all outputs at all values beyond which their totals are not shown beside a
# refutation; measured: each takes 0.1 ms
CELLS = 10_000
MASS_PIECES = 2000  # cases of a density whose total is still proved beside a refutation
# seconds for one proof that the total is 1 on all inputs, before it is computed input by input
MASS = 5.0
# the search for parameter values takes at most one part in SHARE of the time left, and at most
# BRIEF seconds
SHARE, BRIEF = 4, 5.0
TRIED = 60  # pairs of inputs tried in that search, fewer for many outputs

Progress = Callable[[str], None]


def no_progress(message: str) -> None:
    """No progress report."""
    del message


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
        return self._refute(itertools.islice(found, patience))

    def suspicious_law(self) -> None:
        """Passes, or raises `LawFault`, where floats show that the mechanism may not be well defined
        at one of the smallest inputs.
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
                replace(
                    self.clock.limits, seconds=max(0.01, min(BRIEF, self.clock.left / SHARE))
                ).clock(),
            )
        return None

    def values_of_parameters(self) -> Verdict | None:
        """A refutation at values of a parameter for which the largest loss exceeds the level,
        however narrow their range.
        """
        self.progress("looking for parameter values at which the claim may fail")
        part = replace(
            self.clock.limits, seconds=max(0.01, min(BRIEF, self.clock.left / SHARE))
        ).clock()
        return self._refute(
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
        return self._refute(
            candidate_counterexamples(
                self.claim,
                self.clock,
                neighbouring_inputs(self.claim, self.clock, self.clock.limits.records),
            )
        )

    def interchangeable_values(self) -> Verdict | None:
        """A proof with a few values that stand for many."""
        inputs = self.claim.mechanism.inputs
        if not isinstance(inputs, Values) or len(inputs.values) < MANY_VALUES:
            return None
        limits = replace(self.clock.limits, seconds=max(0.01, self.clock.left / SHARE))
        found = verify_by_rules(self.claim, limits, self.progress, "all", alone=True)
        return found if isinstance(found, Proved) else None

    def normal_outputs(self) -> Verdict | None:
        """A proof of a delta where several outputs are independent and normal."""
        m = self.claim.mechanism
        if self.claim.delta == ZERO or len(m.outputs) < SEVERAL:
            return None
        if any(o.kind != "real" for o in m.outputs) or self.claim.delta_nodes:
            return None
        mu = mu_of_normal_outputs(self.claim)
        if mu is None:
            return None
        limits = replace(self.clock.limits, seconds=max(0.01, self.clock.left / SHARE))
        premise = StatedPremise(self.claim.relation, mu, ZERO)
        derivation = Derivation(proving_leaf(limits, self.progress, "all"), limits.clock())
        return self._prove(derivation.by_rule(self.claim, "gdp_to_delta", premise))

    def table_of_values(self) -> Verdict | None:
        """A decision by the table of the probabilities of all outputs at all values, for many
        values.
        """
        m = self.claim.mechanism
        if not isinstance(m.inputs, Values) or len(m.inputs.values) < MANY_VALUES or m.parameters:
            return None
        if not self._is_table:
            return None
        self.progress("comparing all values")
        table = self._enumerated(1)  # a value is compared in one step, whatever the size
        try:
            (found,) = check_enumeration(self.claim, table, self._tick, find=self._compared)
            return found
        except ClaimViolated as violated:
            return self._refute_violation(violated)
        except Rejected as why:
            self.reasons.append(Declined("finite", why.reason))
            return None

    def opaque(self) -> Verdict | None:
        """A proof over opaque record sums."""
        self.progress("proving")
        return self._prove(certify(self.claim, False, self.clock))

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
        return self._prove(certify(self.claim, True, self.clock))

    def solvers(self) -> Verdict | None:
        """A proof attested by two solvers, or a refutation from a model of one of them."""
        self.progress("asking the solvers")
        found = self._refute(smt.model_counterexamples(self.claim, self.clock))
        return (
            found
            if found is not None
            else self._prove(smt.prove_by_solvers(self.claim, self.clock))
        )

    def _prove(self, answer: Certificate | ByRule | Declined) -> Proved | None:
        if not isinstance(answer, Declined):
            try:
                return check(self.claim, answer, smt.attesting_solvers, self._compared(None))
            except Rejected as why:
                answer = Declined("checker", why.reason)
        self.reasons.append(answer)
        return None

    def _refute(self, examples: Iterable[Counterexample]) -> Refuted | None:
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
        """The refutation by a counterexample, with a proof that the law has total 1 at all inputs if
        one is found; Rejected where the checker rejects it.
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

    def enumeration(self, size: int, resume: Path | None) -> Verdict | None:
        """A decision on all datasets of at most so many records; finished sizes are recorded in the
        file `resume`, and resumed from it.
        """
        covered = 0 if resume is None else resumed_size(self.claim, resume)
        if covered >= size:
            covered, resume = (
                0,
                None,
            )  # nothing to resume: everything is derived again, and the file stays as it is
        self.covered, self.wanted = covered, size
        certificate = self._enumerated(size)
        attested_by, found = (
            (f"{named_path(resume)} (up to {covered} records)" if covered else ""),
            None,
        )
        try:
            for found in check_enumeration(
                self.claim,
                certificate,
                self._tick,
                done=covered,
                attested_by=attested_by,
                find=self._compared,
            ):
                covered = self.covered = enumeration_size(found.certificate)
                if resume is not None:
                    found.save(resume)
            return found
        except ClaimViolated as violated:
            return self._refute_violation(violated)
        except (OutOfLimits, Rejected) as stop:
            self.reasons.append(
                Declined(
                    "finite", f"{stop.reason}; {coverage_text(covered)}" if covered else stop.reason
                )
            )
            if isinstance(stop, Rejected):
                self.faults_of_smallest_inputs()
                check_more_inputs(
                    self.claim,
                    replace(
                        self.clock.limits,
                        seconds=max(0.01, min(BRIEF, self.clock.left)),
                        records=size,
                    ).clock(),
                )
            return None
        except KeyboardInterrupt:
            kept = f", recorded in {named_path(resume)}" if resume is not None and covered else ""
            raise KeyboardInterrupt(
                f"{coverage_text(covered)}{kept}" if covered else "no dataset size was completed"
            ) from None

    def _refute_violation(self, violated: ClaimViolated) -> Refuted | None:
        """The refutation at the two inputs at which an enumeration ended."""
        self.progress("describing the counterexample")
        event = Counterexample((), (), violated.before, violated.after, Event())
        refuted = self._refute(candidate_counterexamples(self.claim, self.clock, [event]))
        if refuted is None:
            self.reasons.append(
                Declined("finite", f"{violated.reason}, but no violating event was found")
            )
        return refuted

    def _compared(self, size: int | None) -> Compared | None:
        """Two inputs that the claim compares, or a proof that there are none; searched for once for
        each size.
        """
        if size not in self.found:
            self.found[size] = comparing.find_compared_inputs(self.claim, size, self.clock)
        return self.found[size]

    def _enumerated(self, size: int) -> Certificate:
        """The certificate that asks for an enumeration up to a size."""
        return Certificate(
            self.claim.fingerprint, False, (), self._mass(), (Enumeration(size),), ()
        )

    @property
    def _is_table(self) -> bool:
        """Whether the probabilities of all outputs can be listed."""
        from ahdp_verify.kernel.exhaustive.enumerate import is_table  # noqa: PLC0415 - few claims are enumerated

        return is_table(self.claim.mechanism)

    def _mass(self) -> Mass:
        """A proof for all inputs that the law has mass 1, or an empty one: then the total is
        computed input by input, which is quicker wherever outputs can be listed.
        """
        if self._is_table:
            return Mass((), ())
        try:
            found = mass_certificate(
                self.claim.mechanism,
                False,
                Limits(seconds=max(0.1, min(MASS, self.clock.left))).clock(),
            )
            return found if isinstance(found, Mass) else Mass((), ())
        except (Undecided, Unsupported, Rejected, OutOfLimits, ZeroDivisionError):
            return Mass((), ())

    def _tick(self, what: str) -> None:
        self.clock.check(what)
        self.progress(
            f"{what}, done up to {self.covered} of {self.wanted} records" if self.wanted else what
        )


def resumed_size(claim: Claim, resume: Path) -> int:
    """The dataset size up to which the record in a file proves the claim; 0 if there is no such
    file, BadInput for any other file.
    """
    if not resume.exists():
        return 0
    record = jsonfile.read_json(resume)
    try:
        kept = read_record(record)
    except (BadInput, NotWorkedOut) as error:
        raise with_location(error, f"{named_path(resume)}, {error.where}") from None
    if (
        kept.claim.fingerprint != claim.fingerprint
        or not isinstance(kept.evidence, Certificate)
        or not enumeration_size(kept.evidence)
    ):
        raise BadInput(
            named_path(resume),
            "it does not contain an enumeration for this claim",
            "name another file",
        )
    return enumeration_size(kept.evidence)


def enumeration_size(certificate: object) -> int:
    """The size of an enumeration, 0 for another proof."""
    return (
        0
        if not isinstance(certificate, Certificate)
        else next((e.size for e in certificate.evidence if isinstance(e, Enumeration)), 0)
    )


def coverage_text(size: int) -> str:
    """The datasets that were compared, in words."""
    return f"all datasets of at most {size} record{'s' if size > 1 else ''} were compared"


class Procedure(NamedTuple):
    """A step of the search: the name by which `procedure` selects it, and the reason for its
    position.
    """

    name: str
    step: Callable[[VerdictSearch], Verdict | None]
    reason: str


PROCEDURES = (
    Procedure(
        "finite",
        VerdictSearch.small_inputs,
        "most false claims fail on the smallest inputs, and these give the simplest "
        "counterexamples",
    ),
    Procedure(
        "laws",
        VerdictSearch.interchangeable_values,
        "pairs of many values take long, and a rule of composition may reduce them to a few",
    ),
    Procedure(
        "laws",
        VerdictSearch.normal_outputs,
        "an integral over several normal outputs has no closed form, and the rule takes milliseconds",
    ),
    Procedure(
        "finite",
        VerdictSearch.table_of_values,
        "a table takes a fraction of a second where each pair at each output would be an "
        "inequality of its own",
    ),
    Procedure(
        "linear",
        VerdictSearch.few_counts,
        "a few counts decide cases that many sums would leave open",
    ),
    Procedure(
        "linear",
        VerdictSearch.opaque,
        "a proof over opaque record sums is one for all datasets at once",
    ),
    Procedure(
        "linear",
        VerdictSearch.counts,
        "counts carry more information than sums, but cases and products grow with the number of "
        "records",
    ),
    Procedure(
        "linear",
        VerdictSearch.faults,
        "where the total was not shown to be 1, an input at which it is not ends the search",
    ),
    Procedure(
        "finite",
        VerdictSearch.values_of_parameters,
        "a claim may fail only in a narrow range, which simple values miss",
    ),
    Procedure(
        "finite",
        VerdictSearch.suspicious_inputs,
        "floats look at all inputs up to the limits in the time that one exact distribution takes",
    ),
    Procedure(
        "smt", VerdictSearch.solvers, "they are slow, and the proof must be attested by them"
    ),
    Procedure("finite", VerdictSearch.larger_inputs, "it runs until a limit is reached"),
)
LAWS = "laws"
NAMES = tuple(dict.fromkeys(procedure.name for procedure in PROCEDURES))


def verify(
    claim: AnyClaim | Statement | ProgramClaim | NotionClaim | AppliedClaim,
    limits: Limits | None = None,
    progress: Progress = no_progress,
    *,
    procedure: str | None = None,
    trust: str = "all",
    size: int | None = None,
    resume: str | Path | None = None,
) -> Verdict:
    """Proved, Refuted or Unknown for a claim.

    `procedure` asks one procedure alone ("finite", "linear", "smt", or "laws", which reduces a
    claim to one of another relation or about fewer values); `trust` "kernel" turns a proof attested by solvers into
    Unknown. With `size`, the claim is decided on all datasets of at most so many records instead,
    as the scope of the verdict states; the file `resume` records the finished sizes, so that a
    stopped search continues from them. Raises BadInput for a mechanism that is not well defined (a
    mass other than 1, a division by 0 at a covered dataset).
    """
    if procedure is not None and procedure not in NAMES:
        raise BadInput("procedure", f"{procedure!r} is not known", "use " + ", ".join(NAMES))
    if trust not in ("all", "kernel"):
        raise BadInput("trust", f"{trust!r} is not known", "use all or kernel")
    if size is None and resume is not None:
        raise BadInput("resume", "resume needs a size", "give a size too")
    if isinstance(claim, Inequality):
        return verify_inequality(claim, limits or Limits(), progress)
    if isinstance(claim, SensitivityClaim):
        return answered(claim, lambda: verify_sensitivity(claim, limits or Limits()))
    if isinstance(claim, ProgramClaim):
        for option, value in (("procedure", procedure), ("size", size)):
            if value is not None:
                raise BadInput(option, "it does not apply to noise programs", "leave it out")
        return verify_program(claim, limits, progress)
    if isinstance(claim, AppliedClaim):
        return answered(claim, lambda: verify_applied(claim, limits or Limits(), verify))
    if isinstance(claim, NotionClaim):
        return _verdict_on_notion(claim, limits or Limits(), progress, (procedure, size))
    if not isinstance(claim, Claim | CompositeClaim):
        raise BadInput(
            "claim",
            f"{type(claim).__name__} is not a claim",
            "give one, as in ahdp(M, level) or dp(M, eps)",
        )

    if missing := _missing_premises(claim, limits, progress):
        return unknown_verdict(claim, missing)

    def search() -> Verdict:
        return _searched_verdict(
            claim,
            limits or Limits(),
            progress,
            procedure=procedure,
            trust=trust,
            size=size,
            resume=resume,
        )

    plain = (procedure, trust, size) == (None, "all", None)
    return answered(claim, search) if plain else search()


def _verdict_on_notion(
    claim: NotionClaim, limits: Limits, progress: Progress, options: tuple[object, object]
) -> Verdict:
    """The verdict of `verify` on a claim of another notion, which has procedures of its own."""
    for option, value in zip(("procedure", "size"), options, strict=True):
        if value is not None:
            raise BadInput(option, f"it does not apply to {claim.notion}", "leave it out")

    def leaf(part: Claim | NotionClaim) -> AnyCertificate | Declined:
        progress(f"proving that {part}")
        found = verify(part, limits, progress, trust="kernel")
        proof = found.certificate if isinstance(found, Proved) else None
        return (
            Declined(LAWS, str(found))
            if proof is None or isinstance(proof, Alignment | AppliedAlignment)
            else proof
        )

    return answered(claim, lambda: verify_notion(claim, limits, leaf))


def _missing_premises(claim: AnyClaim, limits: Limits | None, progress: Progress) -> list[Declined]:
    """Why claims about noise programs that stand beside the parts of a composite are not proved;
    none for those that are.
    """
    found = []
    for premise in program_premises(claim):
        if isinstance(premise, ProgramClaim):
            verdict = verify_program(premise, limits, progress)
            if not isinstance(verdict, Proved):
                found.append(Declined(LAWS, f"a premise is {verdict.outcome}: {premise}"))
    return found


def _searched_verdict(
    claim: AnyClaim,
    limits: Limits,
    progress: Progress,
    *,
    procedure: str | None,
    trust: str,
    size: int | None,
    resume: str | Path | None,
) -> Verdict:
    """The verdict of `verify` on a claim about a mechanism."""
    if isinstance(claim, CompositeClaim) or procedure == LAWS:
        if size is not None or procedure not in (None, LAWS):
            raise BadInput(
                "procedure",
                f"{claim.mechanism} is proved by composition rules"
                if procedure != LAWS
                else "composition rules apply to all datasets",
                "leave out size and procedure",
            )
        return verify_by_rules(claim, limits, progress, trust, alone=procedure == LAWS)
    run = VerdictSearch(claim, limits.clock(), progress)
    steps = PROCEDURES if size is None else enumeration_steps(size, procedure, resume)
    with run.clock.running(), stop_at_limits(run.reasons):
        if size is None and procedure is None:
            run.suspicious_law()
        elif size is None:
            run.faults_of_smallest_inputs()
        for name, step, _ in steps:
            found = step(run) if procedure in (None, name) else None
            if found is not None:
                if isinstance(found, Refuted):
                    run.faults_beside(found)
                return (
                    found
                    if trust == "all" or not getattr(found, "trusts", ())
                    else _not_trusted(claim, run, found)
                )
        if size is not None and run.clock.left:  # an enumeration has looked at what it reached
            run.faults_of_smallest_inputs()
    return unknown_verdict(claim, run.reasons)


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


def with_total_proof(refuted: Refuted, clock: Clock) -> Refuted:
    """The refutation, with a proof that the law has total 1 at all inputs if one is found in a part
    of the time that is left.

    Raises BadInput where an input is found at which the total is not 1.
    """
    try:
        return _with_total(refuted, clock)
    except (OutOfLimits, MemoryError, RecursionError):
        return refuted


def _with_total(refuted: Refuted, clock: Clock) -> Refuted:
    claim = refuted.written
    total = prove_total(claim.mechanism, clock)
    if total is None:
        check_smallest_inputs(claim, clock)
        check_crowded_inputs(claim, clock)
        return refuted
    try:
        return refute(refuted.claim, refuted.of or refuted.counterexample, total)
    except Rejected:
        return refuted


def prove_total(mechanism: Mechanism, clock: Clock) -> Total | None:
    """A proof that the law has total 1 at all inputs, in opaque sums or in counts, or None."""
    inputs = mechanism.inputs
    if isinstance(inputs, Values) and len(inputs.values) * outcome_count(mechanism.outputs) > CELLS:
        return None
    few = isinstance(inputs, Domain) and (
        has_summed_conditions(mechanism) if inputs.is_universal else len(inputs.records) <= COUNTS
    )
    for counts in (False, True) if few else (False,):
        part = Limits(seconds=max(0.1, min(MASS, clock.left / SHARE)), pieces=MASS_PIECES).clock()
        try:
            with part.running("proving that the total is 1"):
                found = mass_certificate(mechanism, counts, part)
            if isinstance(found, Mass):
                return Total(counts, found)
        except (Undecided, Unsupported, Rejected, OutOfLimits, BadInput, ZeroDivisionError):
            continue
    return None


def verify_inequality(
    statement: Inequality, limits: Limits, progress: Progress, steps: tuple[Inequality, ...] = ()
) -> Verdict:
    """Proved, Refuted or Unknown for a statement about unknown numbers; `steps` may give a
    proof.
    """
    return answered(statement, lambda: _searched_statement(statement, limits, progress, steps))


def _searched_statement(
    statement: Inequality, limits: Limits, progress: Progress, steps: tuple[Inequality, ...]
) -> Verdict:
    """The same, of nobody but the search."""
    clock, reasons = limits.clock(), list[Declined]()
    progress(f"deciding {display_name(statement.name) or 'the statement'}")
    with clock.running(), stop_at_limits(reasons):
        found = _decided(statement, clock, steps, reasons)
        if not isinstance(found, Unknown):
            return found
        return unknown_verdict(statement, (*undefined_sides(statement, clock), *reasons))
    return unknown_verdict(statement, reasons)


def _decided(
    statement: Inequality, clock: Clock, steps: tuple[Inequality, ...], reasons: list[Declined]
) -> Verdict:
    """The verdict on a statement: simple values at which it may fail are tried before its proofs,
    all others after them, since most statements are true and the others take longer than a proof.
    """
    points = candidate_points(statement)
    found = _fails_at_some(statement, clock, itertools.islice(points, SIMPLE_POINTS), reasons)
    if isinstance(found, Unknown):
        found = _proved_statement(statement, clock, inequality_certificate, reasons)
    if isinstance(found, Unknown) and statement.parameters:
        found = _fails_at_some(statement, clock, points, reasons)
    if isinstance(found, Unknown) and steps:
        found = _proved_statement(
            statement, clock, lambda s, part: certificate_by_steps(s, steps, part), reasons
        )
    return found


def _half(clock: Clock) -> Clock:
    """A clock with half of the time left."""
    return replace(clock.limits, seconds=max(0.01, clock.left / 2)).clock()


def _fails_at_some(
    statement: Inequality, clock: Clock, points: Iterable[PointValues], reasons: list[Declined]
) -> Verdict:
    """Refuted if the statement fails at one of the points; half of the time left goes to them."""
    part = _half(clock)
    try:
        with part.running():
            for values in failing_values(statement, part, points):
                try:
                    return refute_inequality(statement, values)
                except Rejected:
                    continue
    except OutOfLimits as stop:
        reasons.append(Declined("values", stop.reason))
    return unknown_verdict(statement, ())


def _proved_statement(
    statement: Inequality,
    clock: Clock,
    certify: Callable[[Inequality, Clock], Certificate | Declined],
    reasons: list[Declined],
) -> Verdict:
    """Proved if a certificate is found, in half of the time left, and the checker accepts it."""
    part = _half(clock)
    try:
        with part.running():
            found = certify(statement, part)
    except OutOfLimits as stop:
        found = Declined("proof", stop.reason)
    try:
        if not isinstance(found, Declined):
            return check(statement, found, None, comparing.find_compared_inputs(statement))
        reasons.append(found)
    except Rejected as why:
        reasons.append(Declined("checker", why.reason))
    return unknown_verdict(statement, ())


def undefined_sides(statement: Inequality, clock: Clock) -> Iterator[Declined]:
    """Where a side of the statement has no value, if such a place is found."""
    try:
        place = undefined_values(statement, clock)
    except OutOfLimits:
        return
    if place is not None:
        where = ", ".join(f"{key} = {value}" for key, value in place)
        yield Declined("values", f"a side has no value at {where}; exclude it by a condition")


# proofs of parts are cached, since several claims of one file often build on the same parts; the
# checker checks them again
KEPT = 32
LEAVES: dict[tuple[str, str], AnyCertificate] = {}


def proving_leaf(limits: Limits, progress: Progress, trust: str) -> Leaf:
    """How a premise about a mechanism given by its density is proved."""

    def leaf(part: Claim | NotionClaim) -> AnyCertificate | Declined:
        if (part.fingerprint, trust) in LEAVES:
            return LEAVES[part.fingerprint, trust]
        progress(f"proving that {part}")
        found = verify(part, limits, progress, trust=trust)
        if not isinstance(found, Proved) or isinstance(
            found.certificate, Alignment | AppliedAlignment
        ):
            return Declined(LAWS, str(found))
        while len(LEAVES) >= KEPT:
            del LEAVES[next(iter(LEAVES))]
        return LEAVES.setdefault((part.fingerprint, trust), found.certificate)

    return leaf


def verify_by_rules(
    claim: AnyClaim, limits: Limits, progress: Progress, trust: str, *, alone: bool
) -> Verdict:
    """Proved or Unknown for a claim, by composition rules, whose premises are proved first; Refuted
    is possible unless the rules are the only procedure.
    """

    leaf = proving_leaf(limits, progress, trust)
    clock, reasons = limits.clock(), list[Declined]()
    with clock.running(), stop_at_limits(reasons):
        found = Derivation(leaf, clock).by_rules(claim)
        if not isinstance(found, Declined):
            try:
                return check(
                    claim, found, smt.attesting_solvers, comparing.find_compared_inputs(claim)
                )
            except Rejected as why:
                found = Declined("checker", why.reason)
        reasons.append(found)
        refuted = (
            composite_refutation(claim, leaf, clock, progress)
            if isinstance(claim, CompositeClaim) and not alone
            else None
        )
        if refuted is not None:
            return with_total_proof(refuted, clock)
    return unknown_verdict(claim, reasons)


def composite_refutation(
    claim: CompositeClaim, leaf: Leaf, clock: Clock, progress: Progress
) -> Refuted | None:
    """A refutation of a claim about a composite: of its distribution as one expression, with
    concrete instances in place of abstract mechanisms, each proved to satisfy what is assumed.
    """
    progress("searching for a counterexample")
    try:
        for size, instances in instantiations(claim):
            try:
                example = find_counterexample(
                    explicit_claim(claim, size, instances), size or clock.limits.records, clock
                )
                proofs = (
                    [(kept, leaf(kept)) for kept in instances.values()]
                    if example is not None
                    else []
                )
            except (
                Unsupported,
                Undecided,
                BadInput,
                ZeroDivisionError,
            ):  # an instance that we chose may not be well defined on this domain
                continue
            proved = tuple(
                ProvedInstance(kept, proof)
                for kept, proof in proofs
                if isinstance(proof, Certificate | ByRule)
            )
            if example is not None and len(proved) == len(instances):
                return refute(claim, InstanceCounterexample(proved, size, example))
        return image_refutation(claim, leaf, clock)
    except (OutOfLimits, Rejected):
        return None


def image_refutation(claim: CompositeClaim, leaf: Leaf, clock: Clock) -> Refuted | None:
    """A refutation of a claim about a post-processing that is not one-to-one, by an event on what
    its formulas release.
    """
    for size, instances in instantiations(claim):
        try:
            whole = substitute_instances(claim.mechanism, instances)
            part = explicit_claim(processed_part(claim), size, instances)
            pairs = candidate_counterexamples(
                part, clock, neighbouring_inputs(part, clock, size or clock.limits.records)
            )
            for example in itertools.islice(pairs, IMAGED):
                proofs = [(kept, leaf(kept)) for kept in instances.values()]
                proved = tuple(
                    ProvedInstance(kept, proof)
                    for kept, proof in proofs
                    if isinstance(proof, Certificate | ByRule)
                )
                if len(proved) < len(instances):
                    break
                for at, image in image_counterexamples(whole, part, example):
                    clock.check("looking for an event on what is released")
                    with suppress(Rejected):
                        return refute(claim, ImageCounterexample(proved, size, at, image))
        except (Unsupported, Undecided, BadInput, ZeroDivisionError):
            continue
    return None


def find_counterexample(claim: Claim, size: int, clock: Clock) -> Counterexample | None:
    """A counterexample that the checker accepts: inputs at simple values of the parameters
    first, then values at which the claim may fail.
    """
    run = VerdictSearch(
        claim, replace(clock.limits, seconds=max(0.01, clock.left / SHARE)).clock(), no_progress
    )
    found: Verdict | None = run._refute(
        candidate_counterexamples(claim, run.clock, neighbouring_inputs(claim, run.clock, size))
    )
    found = run.values_of_parameters() if found is None else found
    return found.counterexample if isinstance(found, Refuted) else None


def enumeration_steps(
    size: int, procedure: str | None, resume: str | Path | None
) -> tuple[Procedure, ...]:
    """The one procedure for datasets of at most so many records."""
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise BadInput(
            "size", f"{str(size)[:40]} is not a number of records", "give a whole number from 1"
        )
    if procedure not in (None, "finite"):
        raise BadInput(
            "procedure",
            f"{procedure} does not enumerate datasets by size",
            "leave it out, or use finite",
        )
    kept = None if resume is None else Path(resume)
    return (
        Procedure(
            "finite", lambda run: run.enumeration(size, kept), "the only procedure requested"
        ),
    )


def _not_trusted(claim: Claim, run: VerdictSearch, found: Verdict) -> Unknown:
    solvers = " and ".join(getattr(found, "trusts", ()))
    return unknown_verdict(
        claim,
        (
            *run.reasons,
            Declined(
                "smt",
                f"the claim is attested only by {solvers}, which --trust kernel does not accept",
            ),
        ),
    )
