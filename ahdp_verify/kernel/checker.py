"""The checker: `check` (certificates) and `refute` (counterexamples), the only makers of `Proved`
and `Refuted`.

Both start from the expression tree of the claim and derive independently what has to be shown
(`ahdp_verify.kernel.rules.obligations`); a certificate only says which facts to multiply, where to
split and where to integrate.  Everything fails closed: what is not shown is `Rejected`.

This module and what it imports at its top is the core: what the proof of a plain claim needs, one
mechanism on all its inputs without delta.  A rule beyond the core is imported inside the function
that needs it, so only a claim or a certificate that names it loads it, and the verdict says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    BestTest,
    ByRule,
    Certificate,
    Enumeration,
    Evidence,
    InequalityLeaf,
    Optimum,
    SolverWord,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.rules.accepting import Acceptance, failing_closed, noting, rely_on
from ahdp_verify.kernel.rules.cases import check_cases, inequality_check
from ahdp_verify.kernel.rules.obligations import Task, tasks
from ahdp_verify.kernel.rules.scope import Scope, scope_of_moves
from ahdp_verify.kernel.rules.total_mass import check_mass, check_matching_claim
from ahdp_verify.kernel.terms.expression import ZERO
from ahdp_verify.kernel.verdict import Proved

if TYPE_CHECKING:
    from ahdp_verify.kernel.evidence.counterexample import Counterexample, OfInstances, Total
    from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
    from ahdp_verify.kernel.evidence.of_vectors import AnyProof, VectorCounterexample
    from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
    from ahdp_verify.kernel.exhaustive.distribution_table import Tick
    from ahdp_verify.kernel.model.applied import AppliedClaim
    from ahdp_verify.kernel.model.composite import AnyClaim
    from ahdp_verify.kernel.model.notion_claim import NotionClaim
    from ahdp_verify.kernel.model.program_claim import ProgramClaim
    from ahdp_verify.kernel.model.sensitivity import Statement, UnknownValues
    from ahdp_verify.kernel.refuted import (
        Refuted,
        RefutedApplied,
        RefutedInequality,
        RefutedNotion,
        RefutedProgram,
    )
    from ahdp_verify.kernel.rules.compared import CheckableClaim, Compared

AskSolvers = Callable[[Claim, Task], tuple[str, ...]]
FindComparedInputs = Callable[[int | None], "Compared | None"]


def check(
    claim: CheckableClaim,
    certificate: AnyProof,
    ask: AskSolvers | None = None,
    compared: Compared | None = None,
) -> Proved:
    """Proved, if the certificate proves the claim; Rejected with the reason otherwise.

    `ask` asks the solvers about an obligation again and names those that confirm it; without it a
    `SolverWord` is rejected. `compared` is two inputs that the claim compares, or a proof that it
    compares nothing; without it the scope states that neither was found.
    """
    with failing_closed():
        with noting() as used:
            shown = _check_certificate(claim, certificate, ask)
        return _proved_verdict(claim, certificate, shown, used, compared)


def _proved_verdict(
    claim: CheckableClaim,
    certificate: AnyProof,
    shown: Acceptance,
    used: set[str],
    compared: Compared | None,
) -> Proved:
    """The verdict of an accepted certificate, after checking what the claim compares; Rejected if
    it does not compare that.
    """
    scope = _checked_scope(claim, shown.size, compared)
    return Proved(claim, certificate, scope, shown.trusts, compared, tuple(sorted(used)))


def _checked_scope(claim: CheckableClaim, size: int | None, compared: Compared | None) -> Scope:
    """The scope of a proof, after checking what the claim compares."""
    if compared is None and isinstance(claim, Claim):
        return scope_of_moves(claim.mechanism, size)
    from ahdp_verify.kernel.rules.compared import check_compared, scope_of

    if compared is not None:
        check_compared(claim, size, compared)
    return scope_of(claim, size, compared)


def _check_certificate(
    claim: CheckableClaim, certificate: AnyProof, ask: AskSolvers | None
) -> Acceptance:
    """What the certificate shows, if it proves the claim; Rejected with the reason otherwise."""
    match certificate:
        case Certificate():
            return _accept_certificate(claim, certificate, ask)
        case ByRule():
            from ahdp_verify.kernel.rules.notions import accept_by_any_rule

            return accept_by_any_rule(
                claim, certificate, lambda p, by: _check_certificate(p, by, ask)
            )
        case Optimum():
            from ahdp_verify.kernel.rules.best_power import accept_optimum

            return accept_optimum(claim, certificate)
        case BestTest():
            from ahdp_verify.kernel.rules.power import accept_best_test

            return accept_best_test(claim, certificate)
    from ahdp_verify.kernel.rules.alignment import accept_alignment

    return accept_alignment(claim, certificate)


def _accept_certificate(
    claim: CheckableClaim, certificate: Certificate, ask: AskSolvers | None
) -> Acceptance:
    """Accepted, if the pieces of evidence prove everything that the claim needs."""
    if not isinstance(claim, Claim):
        from ahdp_verify.kernel.rules.statements import accept_statement

        return accept_statement(claim, certificate)
    if any(isinstance(e, Enumeration) for e in certificate.evidence):
        from ahdp_verify.kernel.exhaustive.sizes import accepted_sizes, claimed_job

        *_, last = accepted_sizes(claim, claimed_job(claim, certificate))
        return last
    return _inequalities(claim, certificate, ask)


def _inequalities(claim: Claim, certificate: Certificate, ask: AskSolvers | None) -> Acceptance:
    """Accepted, if the law is a distribution and every inequality has its evidence."""
    check_matching_claim(claim, certificate)
    check_mass(claim.mechanism, certificate.mass, certificate.counts)
    wanted = list(asked_for(claim, certificate))
    if len(wanted) != len(certificate.uses):
        raise Rejected(
            f"the claim needs {len(wanted)} proofs of inequalities, the certificate has "
            f"{len(certificate.uses)}"
        )
    trusts: set[str] = set()
    for task, use in zip(wanted, certificate.uses, strict=True):
        if not 0 <= use < len(certificate.evidence):
            raise Rejected("an inequality has no evidence")
        trusts.update(check_task(claim, task, certificate.evidence[use], ask))
    return Acceptance(None, tuple(sorted(trusts)))


def asked_for(claim: Claim, certificate: Certificate) -> Iterator[Task]:
    """The inequalities that a claim needs; with conditions, those of one schema for all records
    that satisfy them, once it is shown that all do.
    """
    if not certificate.conditions:
        return tasks(claim, certificate.counts)
    from ahdp_verify.kernel.rules.schema import check_conditions_of_records, schema_tasks

    rely_on("the rule of one proof for all records")
    check_conditions_of_records(claim, certificate.conditions)
    return schema_tasks(claim, certificate.conditions)


def check_task(
    claim: Claim, task: Task, evidence: Evidence, ask: AskSolvers | None
) -> tuple[str, ...]:
    """Whoever had to be trusted for a task, once its evidence is accepted."""
    here = task.obligation.here
    if isinstance(evidence, SolverWord):
        from ahdp_verify.kernel.rules.solver_word import confirming_solvers

        return confirming_solvers(evidence, None if ask is None else ask(claim, task))
    if claim.delta != ZERO:
        from ahdp_verify.kernel.rules.hockey_stick import hockey_stick_check

        rely_on("the hockey-stick rule")
        check_cases(evidence, here, hockey_stick_check(claim, task.obligation))
    elif task.part is None:
        from ahdp_verify.kernel.rules.separation import separation_check

        rely_on("the rule of separate coordinates")
        check_cases(evidence, here, separation_check(claim.mechanism, task.obligation))
    elif isinstance(evidence, InequalityLeaf) and evidence.form == "radial":
        from ahdp_verify.kernel.rules.radial import check_radial

        rely_on("the rule of radial noise")
        check_radial(task, claim.mechanism.outputs, evidence)
    else:
        check_cases(evidence, here, inequality_check(*task.laws, task.obligation.level))
    return ()


def check_enumeration(
    claim: Claim,
    certificate: Certificate,
    tick: Tick,
    *,
    done: int = 0,
    attested_by: str = "",
    find: FindComparedInputs | None = None,
) -> Iterator[Proved]:
    """One Proved for each size that is finished, the last one the result of `check`; `tick`
    receives a text on the current step, and may raise.

    `find` proposes what the claim compares at a size.

    Sizes up to `done` are not compared again: the source `attested_by` attests them, and the
    verdict lists it among what it trusts.
    """
    from ahdp_verify.kernel.exhaustive.sizes import accepted_sizes, claimed_job

    with failing_closed():
        try:
            with noting() as used:
                job = claimed_job(claim, certificate, tick, done, attested_by)
            for shown in accepted_sizes(claim, job, attested_by):
                finished = replace(certificate, evidence=(Enumeration(shown.size or 0),))
                compared = find(shown.size) if find is not None else None
                yield _proved_verdict(claim, finished, shown, used, compared)
        except Unsupported as why:
            raise Rejected(why.reason) from None


def refute(
    claim: AnyClaim, example: Counterexample | OfInstances, mass: Total | None = None
) -> Refuted:
    """Refuted, if the counterexample refutes the claim; Rejected with the reason otherwise.

    `mass` shows that the law has total 1 at all inputs; without it that is shown at the two inputs
    of the counterexample only.
    """
    from ahdp_verify.kernel.evidence.counterexample import OfInstances
    from ahdp_verify.kernel.refuted import Refuted
    from ahdp_verify.kernel.rules.refutation import check_violation

    with failing_closed("counterexample"):
        found = check_violation(
            claim, example, mass, lambda kept, proof: _check_certificate(kept, proof, None)
        )
    of = example if isinstance(example, OfInstances) else None
    concrete = example.counterexample if isinstance(example, OfInstances) else example
    return Refuted(claim, concrete, found.first, found.second, found.level, of, mass)


def refute_program(claim: ProgramClaim, example: ProgramCounterexample) -> RefutedProgram:
    """RefutedProgram, if the outputs of a noise program have the probabilities that refute the
    claim; Rejected with the reason otherwise.
    """
    from ahdp_verify.kernel.refuted import RefutedProgram
    from ahdp_verify.kernel.rules.program_refutation import check_program_violation

    with failing_closed("counterexample"):
        found = check_program_violation(claim, example)
    return RefutedProgram(claim, example, found.first, found.second, found.level)


def refute_notion(claim: NotionClaim, example: NotionCounterexample) -> RefutedNotion:
    """RefutedNotion, if a bound of the claim fails at the two inputs; Rejected with the reason
    otherwise.
    """
    from ahdp_verify.kernel.refuted import RefutedNotion
    from ahdp_verify.kernel.rules.notion_refutation import check_bound_violation

    with failing_closed("counterexample"):
        return RefutedNotion(claim, example, *check_bound_violation(claim, example))


def refute_applied(claim: AppliedClaim, example: VectorCounterexample) -> RefutedApplied:
    """RefutedApplied, if the claim fails where an entry of the vectors changes; Rejected with the
    reason otherwise.
    """
    from ahdp_verify.kernel.refuted import RefutedApplied
    from ahdp_verify.kernel.rules.applied import claim_there

    with failing_closed("counterexample"):
        said = claim_there(claim, example)
        decide: Any = refute if isinstance(said, Claim) else refute_notion
        return RefutedApplied(claim, example.vectors, decide(said, example.there))


def refute_inequality(statement: Statement, values: UnknownValues) -> RefutedInequality:
    """RefutedInequality, if the statement fails at these values of its unknowns; Rejected with the
    reason otherwise.
    """
    from ahdp_verify.kernel.refuted import RefutedInequality
    from ahdp_verify.kernel.rules.refutation import failing_sides

    with failing_closed("counterexample"):
        return RefutedInequality(statement, values, *failing_sides(statement, values))
