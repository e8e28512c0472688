"""`verify`: asks the procedures in order and lets the checker decide.

    finite    small inputs, every move, exact laws: finds most counterexamples, and smallest ones first; values of a parameter for which
              the largest loss exceeds the level
    linear    log forms, triangles, products and case splits over opaque record sums; then over the counts of single records
    smt       Z3, with cvc5 as the second voice of a proof; models of Z3 as further counterexamples

A procedure that has no answer says why, and the next one is asked.  Nothing that it returns is believed: certificates go to
`checker.check`, counterexamples to `checker.replay`.

>>> from ahdp_verify.domain import Domain
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import Mechanism, real
>>> from ahdp_verify.privacy import dp
>>> s, W = real("s"), Domain([(1, 1)])
>>> print(verify(dp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), 1)))
Proved: noisy size is add-remove DP at level 1; scope: all datasets; trusts: the checker alone
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from ahdp_verify.certificate import Certificate, Declined
from ahdp_verify.checker import check, replay
from ahdp_verify.counterexample import Counterexample
from ahdp_verify.decide import smt
from ahdp_verify.decide.finite import candidates, inputs, search
from ahdp_verify.decide.prover import certify
from ahdp_verify.decide.sanity import inspect
from ahdp_verify.decide.thresholds import SMALL, where_false
from ahdp_verify.domain import Domain
from ahdp_verify.errors import BadInput, Rejected
from ahdp_verify.event import Event
from ahdp_verify.expression import Expression
from ahdp_verify.limits import Clock, Limits, OutOfLimits
from ahdp_verify.privacy import Claim
from ahdp_verify.verdict import Proved, Refuted, Unknown, Verdict

COUNTS = 16  # records up to which a law is also written in counts; beyond, cases and products grow too fast
FIRST = 1  # size of the datasets tried before a proof is attempted
SHARE = 4  # the part of the time that is left in which values of parameters are looked for
TRIED = 60  # pairs of inputs tried then, fewer for many outputs

Progress = Callable[[str], None]


def silent(message: str) -> None:
    """No progress report."""
    del message


@dataclass(slots=True)
class Search:
    """One search for a verdict: the claim, the clock, where progress goes, and the refusals so far."""

    claim: Claim
    clock: Clock
    progress: Progress
    reasons: list[Declined] = field(default_factory=list)

    def small_inputs(self) -> Verdict | None:
        """A refutation among the smallest inputs."""
        self.progress("trying small inputs")
        most = max(8, TRIED // len(self.claim.mechanism.outputs))
        return self._refute(search(self.claim, self.clock, itertools.islice(candidates(self.claim, self.clock, FIRST), most)))

    def values_of_parameters(self) -> Verdict | None:
        """A refutation at values of a parameter for which the largest loss exceeds the level, however narrow their range."""
        self.progress("looking where the claim may fail")
        part = replace(self.clock.limits, seconds=max(0.01, self.clock.left / SHARE)).clock()
        return self._refute(search(self.claim, part, self._at(where_false(self.claim, part), part)))

    def _at(self, values: Iterable[dict[str, Expression]], clock: Clock) -> Iterator[Counterexample]:
        for given in values:
            yield from inputs(self.claim, Counterexample(tuple(given.items()), (), (), (), Event()), given, clock, SMALL)

    def larger_inputs(self) -> Verdict | None:
        """A refutation among inputs up to the limits."""
        self.progress("searching for a counterexample")
        return self._refute(search(self.claim, self.clock, candidates(self.claim, self.clock, self.clock.limits.records)))

    def opaque(self) -> Verdict | None:
        """A proof over opaque record sums."""
        self.progress("proving")
        return self._prove(certify(self.claim, False, self.clock))

    def counts(self) -> Verdict | None:
        """A proof over the counts of single records, for domains that are small enough."""
        inputs = self.claim.mechanism.inputs
        if not isinstance(inputs, Domain) or inputs.is_universal or len(inputs.records) > COUNTS:
            return None
        self.progress("proving in counts")
        return self._prove(certify(self.claim, True, self.clock))

    def solvers(self) -> Verdict | None:
        """A proof on the word of two solvers, or a refutation from a model."""
        self.progress("asking the solvers")
        found = self._refute(smt.models(self.claim, self.clock))
        return found if found is not None else self._prove(smt.prove(self.claim, self.clock))

    def _prove(self, answer: Certificate | Declined) -> Proved | None:
        if isinstance(answer, Certificate):
            try:
                return check(self.claim, answer, smt.ask)
            except Rejected as why:
                answer = Declined("checker", why.reason)
        self.reasons.append(answer)
        return None

    def _refute(self, examples: Iterable[Counterexample]) -> Refuted | None:
        try:
            for example in examples:
                try:
                    return replay(self.claim, example)
                except Rejected:
                    continue
        except OutOfLimits as stop:
            self.reasons.append(Declined("finite", stop.reason))
        return None


Step = Callable[[Search], Verdict | None]
PROCEDURES: tuple[tuple[str, Step], ...] = (
    ("finite", Search.small_inputs),
    ("linear", Search.opaque),
    ("linear", Search.counts),
    ("finite", Search.values_of_parameters),
    ("finite", Search.larger_inputs),
    ("smt", Search.solvers),
)
NAMES = tuple(dict.fromkeys(name for name, _ in PROCEDURES))


def verify(
    claim: Claim, limits: Limits | None = None, progress: Progress = silent, *, procedure: str | None = None, trust: str = "all"
) -> Verdict:
    """Proved, Refuted or Unknown for a claim.

    `procedure` asks one procedure alone ("finite", "linear", "smt"); `trust` "kernel" turns a proof on the word of solvers into Unknown.
    Raises BadInput for a mechanism that has no meaning (a mass other than 1, a division by 0 at a covered dataset).
    """
    if procedure is not None and procedure not in NAMES:
        raise BadInput("procedure", f"{procedure!r} is not known", "use " + ", ".join(NAMES))
    if trust not in ("all", "kernel"):
        raise BadInput("trust", f"{trust!r} is not known", "use all or kernel")
    run = Search(claim, (limits or Limits()).clock(), progress)
    inspect(claim, run.clock)
    for name, step in PROCEDURES:
        if procedure in (None, name):
            found = step(run)
            if found is not None:
                return found if trust == "all" or not getattr(found, "trusts", ()) else _not_trusted(claim, run, found)
    return Unknown(claim, tuple(dict.fromkeys(run.reasons)))


def _not_trusted(claim: Claim, run: Search, found: Verdict) -> Unknown:
    voices = " and ".join(getattr(found, "trusts", ()))
    return Unknown(claim, (*run.reasons, Declined("smt", f"there is only the word of {voices}, which --trust kernel does not take")))
