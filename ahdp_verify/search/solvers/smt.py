"""Claims attested by Z3 and cvc5: both find the negation of every inequality unsatisfiable.

The text of an inequality (`ahdp_verify.search.solvers.negation`) is written once from the
expression tree and given to both; each reads it with its own parser. Two solvers that agree do not
give a proof that the checker can follow, so the certificate is a `SolverWord`: the checker asks
both again, and the verdict names them. That the distribution has total 1 is proved by the usual
certificate.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.search.limits import Limits
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> s, W = real("s"), Domain([(0, 1), (1, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="sum")
>>> prove_by_solvers(ahdp(M, 0), Limits().clock()).reason
'z3 finds a point at which the inequality fails, unless facts are missing: add (1, 1) (density)'
"""

from __future__ import annotations

from functools import lru_cache

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Certificate, Declined, SolverWord
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.numbers.normal_form import refusal_text
from ahdp_verify.kernel.rules.obligations import Task, tasks
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.proving.total_mass import mass_certificate
from ahdp_verify.search.solvers.models import model_counterexamples
from ahdp_verify.search.solvers.negation import negated_obligation
from ahdp_verify.search.solvers.processes import (
    MISSING,
    OVER,
    cvc5_answer,
    cvc5_version,
    z3_answer,
    z3_version,
)

__all__ = ["attesting_solvers", "model_counterexamples", "negated_obligation", "prove_by_solvers"]
COUNTS = 16  # records up to which a distribution is also written in counts
SOLVERS = ((z3_version, z3_answer), (cvc5_version, cvc5_answer))  # the faster one first


def prove_by_solvers(
    claim: Claim, clock: Clock, counts: bool | None = None
) -> Certificate | Declined:
    """A certificate attested by both solvers, to be checked, or the reason why there is none.

    The dataset is its opaque record sums, or, with `counts`, the counts of single records; by
    default one after the other.
    """
    if not cvc5_version():
        return Declined("smt", MISSING)
    answer = _attempt(claim, clock, bool(counts))
    inputs = claim.mechanism.inputs
    if (
        counts is None
        and isinstance(answer, Declined)
        and isinstance(inputs, Domain)
        and 0 < len(inputs.records) <= COUNTS
        and clock.left
    ):
        again = _attempt(claim, clock, True)
        return answer if isinstance(again, Declined) else again
    return answer


def _attempt(claim: Claim, clock: Clock, counts: bool) -> Certificate | Declined:
    try:
        return _prove(claim, clock, counts)
    except OutOfLimits as stop:
        return Declined("smt", stop.reason)
    except (Undecided, Unsupported, ZeroDivisionError) as reason:
        return Declined("smt", refusal_text(reason))


def _prove(claim: Claim, clock: Clock, counts: bool) -> Certificate | Declined:
    texts: dict[str, str] = {}
    listed = 0
    for task in tasks(claim, counts):
        clock.check("writing inequalities for solvers")
        texts.setdefault(negated_obligation(task, claim), task.text)
        listed += 1
    for text, what in texts.items():
        refusal = _objection(text, what, clock)
        if refusal:
            return Declined("smt", refusal)
    total = mass_certificate(claim.mechanism, counts, clock)
    if isinstance(total, Declined):
        return total
    return Certificate(
        claim.fingerprint,
        counts,
        (),
        total,
        (SolverWord(tuple(sorted((z3_version(), cvc5_version())))),) if listed else (),
        (0,) * listed,
    )


def _objection(text: str, what: str, clock: Clock) -> str:
    """Why an inequality is not shown by both solvers; nothing if it is."""
    for version, answer in SOLVERS:
        solver = version()
        clock.check(f"waiting for {solver}")
        said = answer(text, clock.left)
        if said.word == "sat":
            return (
                f"{solver.partition(' ')[0]} finds a point at which the inequality fails, "
                f"unless facts are missing: {what}"
            )
        if said.word != "unsat":
            clock.check(f"waiting for {solver}" if said.reason == OVER else "asking solvers")
            return f"{solver.partition(' ')[0]} answered unknown ({said.reason}): {what}"
    return ""


def attesting_solvers(claim: Claim, task: Task, seconds: float | None = None) -> tuple[str, ...]:
    """The solvers, with their versions, that find the negation of the task unsatisfiable, each
    in so many seconds (60 by default).
    """
    try:
        confirming = _solvers_that_confirm(
            negated_obligation(task, claim), Limits().seconds if seconds is None else seconds
        )
    except (Undecided, Unsupported, ZeroDivisionError):
        return ()
    if len(confirming) < len(SOLVERS):
        _solvers_that_confirm.cache_clear()  # a later call may have more time
    return confirming


@lru_cache(maxsize=4096)
def _solvers_that_confirm(text: str, seconds: float) -> tuple[str, ...]:
    """The solvers that find a text unsatisfiable; a text that many tasks share is asked once."""
    named = [(version(), answer) for version, answer in SOLVERS]
    return tuple(
        sorted(
            solver for solver, answer in named if solver and answer(text, seconds).word == "unsat"
        )
    )
