"""The checker: `check` (certificates) and `replay` (counterexamples), the only makers of `Proved`
and `Refuted`.

Both start from the expression tree of the claim and derive again what has to be shown
(`ahdp_verify.kernel.rules.obligations`); a certificate only says which facts to multiply, where to
split and where to integrate.  Everything fails closed: what is not shown is `Rejected`.

This module and what it imports at its top is the core: what the proof of a plain claim needs, one
mechanism on all its inputs without delta.  A rule beyond the core is imported inside the function
that needs it, so only a claim or a certificate that names it loads it, and the verdict says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    BestTest,
    ByLaw,
    Certificate,
    Enumeration,
    Evidence,
    Optimum,
    Proven,
    SolverWord,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.numbers.normal_form import sentence
from ahdp_verify.kernel.rules.accepting import MALFORMED, Shown, failing_closed, noting, rely_on
from ahdp_verify.kernel.rules.cases import descend, inequality
from ahdp_verify.kernel.rules.obligations import Task, tasks
from ahdp_verify.kernel.rules.scope import Scope, scope_of_moves
from ahdp_verify.kernel.rules.total_mass import check_mass, defined_where_used
from ahdp_verify.kernel.terms.expression import ZERO
from ahdp_verify.kernel.verdict import Proved

if TYPE_CHECKING:
    from ahdp_verify.kernel.evidence.counterexample import Counterexample, OfInstance, Total
    from ahdp_verify.kernel.exhaustive.distribution_table import Tick
    from ahdp_verify.kernel.exhaustive.enumerate import Job
    from ahdp_verify.kernel.model.composite import AnyClaim
    from ahdp_verify.kernel.model.inequality import Statement, Values
    from ahdp_verify.kernel.refuted import Refuted, RefutedStatement
    from ahdp_verify.kernel.rules.compared import Claimed, Compared

Ask = Callable[[Claim, Task], tuple[str, ...]]
Find = Callable[[int | None], "Compared | None"]

OTHER_PROOF = (
    "a mechanism that is made of others is proved by a law, an optimum by a kernel and its prices, "
    "the power against one mechanism by a test and a prior, which are no proof of privacy"
)


def check(
    claim: Claimed, certificate: Proven, ask: Ask | None = None, compared: Compared | None = None
) -> Proved:
    """Proved, if the certificate proves the claim; Rejected with the reason otherwise.

    `ask` puts an obligation to the solvers again and names those that agree; without it a
    `SolverWord` is rejected. `compared` is what the claim compares, or a proof that it compares
    nothing; without it the scope says that nothing was found.
    """
    with failing_closed():
        with noting() as used:
            shown = accepted(claim, certificate, ask)
        return proved(claim, certificate, shown, used, compared)


def proved(
    claim: Claimed, certificate: Proven, shown: Shown, used: set[str], compared: Compared | None
) -> Proved:
    """The verdict of an accepted certificate, once it is tested what the claim compares;
    Rejected if that is something else.
    """
    scope = tested_scope(claim, shown.size, compared)
    return Proved(claim, certificate, scope, shown.trusts, compared, tuple(sorted(used)))


def tested_scope(claim: Claimed, size: int | None, compared: Compared | None) -> Scope:
    """The scope of a proof, once it is tested what the claim compares."""
    if compared is None and isinstance(claim, Claim):
        return scope_of_moves(claim.mechanism, size)
    from ahdp_verify.kernel.rules.compared import check_compared, scope_of

    if compared is not None:
        check_compared(claim, size, compared)
    return scope_of(claim, size, compared)


def accepted(claim: Claimed, certificate: Proven, ask: Ask | None) -> Shown:
    """What the certificate shows, if it proves the claim; Rejected with the reason otherwise."""
    for kind, rule in RULES:
        if isinstance(certificate, kind):
            return rule(claim, certificate, ask)
    raise Rejected("the certificate is malformed: there is no rule for such evidence")


def by_evidence(claim: Claimed, certificate: Certificate, ask: Ask | None) -> Shown:
    """Shown, if the pieces of evidence close what the claim asks for."""
    if not isinstance(claim, Claim):
        return _statement(claim, certificate)
    if any(isinstance(e, Enumeration) for e in certificate.evidence):
        *_, last = _sizes(claim, _job(claim, certificate))
        return last
    return _inequalities(claim, certificate, ask)


def _inequalities(claim: Claim, certificate: Certificate, ask: Ask | None) -> Shown:
    """Shown, if the law is a distribution and every inequality has its evidence."""
    belongs(claim, certificate)
    check_mass(claim.mechanism, certificate.mass, certificate.counts)
    wanted = list(asked_for(claim, certificate))
    if len(wanted) != len(certificate.uses):
        raise Rejected(
            f"the claim asks for {len(wanted)} inequalities, the certificate answers "
            f"{len(certificate.uses)}"
        )
    trusts: set[str] = set()
    for task, use in zip(wanted, certificate.uses, strict=True):
        if not 0 <= use < len(certificate.evidence):
            raise Rejected("an inequality has no evidence")
        trusts.update(check_task(claim, task, certificate.evidence[use], ask))
    return Shown(None, tuple(sorted(trusts)))


def belongs(claim: Claim, certificate: Certificate) -> None:
    """Nothing if the certificate is one of this claim, and the law is one on all its inputs."""
    if certificate.claim != claim.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    if not isinstance(certificate.counts, bool):
        raise Rejected("the certificate does not say in which state it is written")
    defined_where_used(claim.mechanism)


def asked_for(claim: Claim, certificate: Certificate) -> Iterator[Task]:
    """The inequalities that a claim asks for; with conditions, those of one schema for all records
    that satisfy them, once it is shown that all do.
    """
    if not certificate.conditions:
        return tasks(claim, certificate.counts)
    from ahdp_verify.kernel.rules.schema import check_conditions_of_records, schema_tasks

    rely_on("the rule of one proof for all records")
    check_conditions_of_records(claim, certificate.conditions)
    return schema_tasks(claim, certificate.conditions)


def check_task(claim: Claim, task: Task, evidence: Evidence, ask: Ask | None) -> tuple[str, ...]:
    """What had to be trusted for a task, once its evidence is accepted."""
    here = task.obligation.here
    if isinstance(evidence, SolverWord):
        return _word(claim, task, evidence, ask)
    if claim.delta != ZERO:
        from ahdp_verify.kernel.rules.hockey_stick import divergence

        rely_on("the hockey-stick rule")
        descend(evidence, here, divergence(claim, task.obligation))
    elif task.part is None:
        from ahdp_verify.kernel.rules.separation import separation

        rely_on("the rule of separate coordinates")
        descend(evidence, here, separation(claim.mechanism, task.obligation))
    else:
        descend(evidence, here, inequality(*task.laws, task.obligation.level))
    return ()


def _word(claim: Claim, task: Task, evidence: SolverWord, ask: Ask | None) -> tuple[str, ...]:
    """The solvers that confirm the task when they are asked again."""
    if ask is None:
        raise Rejected("it rests on the word of solvers, which were not asked again")
    voices = ask(claim, task)
    if len(set(voices)) < 2:
        raise Rejected("fewer than two solvers confirm the obligation")
    if tuple(sorted(set(voices))) != evidence.solvers:
        raise Rejected("other solvers confirm the obligation than the certificate names")
    return voices


# Beyond the core: loaded only by claims and certificates that name it.


def _statement(claim: Claimed, certificate: Certificate) -> Shown:
    """Shown, if the evidence closes each gap of a statement."""
    from ahdp_verify.kernel.model.inequality import Statement
    from ahdp_verify.kernel.rules.statements import check_statement

    if not isinstance(claim, Statement):
        raise Rejected(OTHER_PROOF)
    rely_on("the rule of statements")
    check_statement(claim, certificate)
    return Shown()


def by_law(claim: Claimed, certificate: ByLaw, ask: Ask | None) -> Shown:
    """Shown, if the law leads from its premises, each proved on all inputs of its own, to the
    claim, and its side conditions hold.
    """
    from ahdp_verify.kernel.model.composite import AnyClaim
    from ahdp_verify.kernel.rules.composition import rule

    if not isinstance(claim, AnyClaim) or certificate.claim != claim.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    law = rule(claim, certificate.law, certificate.version, certificate.stated)
    if len(law.premises) != len(certificate.premises) or len(law.sides) != len(
        certificate.evidence
    ):
        raise Rejected(
            f"{certificate.law} asks for {len(law.premises)} premises and {len(law.sides)} side "
            f"conditions"
        )
    rely_on("the composition rules")
    if certificate.law == "written_out":
        rely_on("the joint law")
    trusts: set[str] = set()
    for premise, proof in zip(law.premises, certificate.premises, strict=True):
        shown = accepted(premise, proof, ask)
        if shown.size is not None and isinstance(premise.mechanism.inputs, Domain):
            raise Rejected(f"a premise is shown for datasets of at most {shown.size} records only")
        trusts.update(shown.trusts)
    for side, evidence in zip(law.sides, certificate.evidence, strict=True):
        descend(evidence, side.here, inequality(side.dominated, side.dominating, side.level))
    return Shown(None, tuple(sorted(trusts)))


def optimum(claim: Claimed, certificate: Optimum, _ask: Ask | None) -> Shown:
    """Shown, if the certificate is primal and dual of the optimum over private mechanisms."""
    from ahdp_verify.kernel.rules.best_power import BestClaim, check_best

    if not isinstance(claim, BestClaim):
        raise Rejected(OTHER_PROOF)
    rely_on("the best-power rule")
    check_best(claim, certificate)
    return Shown()


def best_test(claim: Claimed, certificate: BestTest, _ask: Ask | None) -> Shown:
    """Shown, if the test and the prior bound the power against one mechanism from both sides."""
    from ahdp_verify.kernel.rules.power import GuessClaim, check_guess

    if not isinstance(claim, GuessClaim):
        raise Rejected(OTHER_PROOF)
    rely_on("the power rule")
    check_guess(claim, certificate)
    return Shown()


def enumerated(
    claim: Claim,
    certificate: Certificate,
    tick: Tick,
    *,
    done: int = 0,
    voice: str = "",
    find: Find | None = None,
) -> Iterator[Proved]:
    """One Proved for each size that is finished, the last one what `check` says; `tick` is told
    what is being done, and may raise.

    `find` proposes what the claim compares at a size.

    Sizes up to `done` are taken over on the word of `voice`, which the verdict then lists among
    what it trusts.
    """
    with failing_closed():
        try:
            with noting() as used:
                job = _job(claim, certificate, tick, done, voice)
            for shown in _sizes(claim, job, voice):
                finished = replace(certificate, evidence=(Enumeration(shown.size or 0),))
                compared = find(shown.size) if find is not None else None
                yield proved(claim, finished, shown, used, compared)
        except Unsupported as why:
            raise Rejected(why.reason) from None


def _job(
    claim: Claim, certificate: Certificate, tick: Tick | None = None, done: int = 0, voice: str = ""
) -> Job:
    """What is to be enumerated for a certificate, once its mass is shown."""
    from ahdp_verify.kernel.exhaustive.enumerate import Job, silent

    rely_on("the exhaustive enumeration")
    belongs(claim, certificate)
    (evidence,) = certificate.evidence
    if not isinstance(evidence, Enumeration) or certificate.uses or certificate.conditions:
        raise Rejected("an enumeration stands alone in its certificate")
    massive = certificate.mass.evidence != ()
    if massive:
        check_mass(claim.mechanism, certificate.mass, certificate.counts)
    elif certificate.mass.values or certificate.counts:
        raise Rejected("the mass says something and shows nothing")
    if done and (not voice or not 0 < done < evidence.size):
        raise Rejected("sizes are taken over from nobody, or nothing is left to do")
    return Job(evidence.size, massive, tick or silent, done)


def _sizes(claim: Claim, job: Job, voice: str = "") -> Iterator[Shown]:
    """Shown for each size up to which all datasets are compared."""
    from ahdp_verify.kernel.exhaustive.enumerate import sizes

    for size in sizes(claim, job):
        yield Shown(size, (voice,) if job.done else ())


Rule = Callable[..., Shown]
RULES: tuple[tuple[type[Proven], Rule], ...] = (
    (Certificate, by_evidence),
    (ByLaw, by_law),
    (Optimum, optimum),
    (BestTest, best_test),
)


def replay(
    claim: AnyClaim, example: Counterexample | OfInstance, mass: Total | None = None
) -> Refuted:
    """Refuted, if the counterexample refutes the claim; Rejected with the reason otherwise.

    `mass` shows that the law has total 1 at all inputs; without it that is shown at the two inputs
    of the counterexample only.
    """
    from ahdp_verify.kernel.evidence.counterexample import OfInstance
    from ahdp_verify.kernel.refuted import Refuted
    from ahdp_verify.kernel.rules.refutation import violation

    try:
        found = violation(claim, example, mass, lambda kept, proof: accepted(kept, proof, None))
    except (Undecided, Unsupported) as reason:
        raise Rejected(f"a step of the counterexample is not decided: {sentence(reason)}") from None
    except MALFORMED as reason:
        raise Rejected(
            f"the counterexample is malformed ({type(reason).__name__}: {reason})"
        ) from None
    of = example if isinstance(example, OfInstance) else None
    concrete = example.counterexample if isinstance(example, OfInstance) else example
    return Refuted(claim, concrete, found.before, found.after, found.level, of, mass)


def replay_statement(statement: Statement, values: Values) -> RefutedStatement:
    """RefutedStatement, if the statement fails at these values of its unknowns; Rejected with
    the reason otherwise.
    """
    from ahdp_verify.kernel.refuted import RefutedStatement
    from ahdp_verify.kernel.rules.refutation import failing_sides

    with failing_closed():
        return RefutedStatement(statement, values, *failing_sides(statement, values))
