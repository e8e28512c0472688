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

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import AnyCertificate, Declined, StatedPremise
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim, Statement
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import ZERO
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.by_rules import verify_by_rules
from ahdp_verify.search.enumeration import enumerate_datasets, table_of_values
from ahdp_verify.search.inequalities import verify_inequality
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.notions import verify_notion
from ahdp_verify.search.parts import program_premises
from ahdp_verify.search.programs.decide import verify_program
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.proposed import answered
from ahdp_verify.search.proving.composition import Derivation, Leaf
from ahdp_verify.search.proving.normal_outputs import mu_of_normal_outputs
from ahdp_verify.search.refuting.well_defined import check_deltas
from ahdp_verify.search.sensitivity import verify_applied, verify_sensitivity
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.verdict_search import SHARE, VerdictSearch
from ahdp_verify.search.wording import unknown_verdict
from ahdp_verify.verdicts import Unknown, Verdict

MANY_VALUES = 9  # values of a person from which a few are tried in place of all
SEVERAL = 2  # outputs of which a delta needs an integral over the plane, or more


def interchangeable_values(run: VerdictSearch) -> Verdict | None:
    """A proof with a few values that stand for many."""
    inputs = run.claim.mechanism.inputs
    if not isinstance(inputs, Values) or len(inputs.values) < MANY_VALUES:
        return None
    limits = run.clock.part(SHARE)
    leaf = proving_leaf(limits, run.progress, "all")
    found = verify_by_rules(run.claim, limits, leaf, run.progress, alone=True)
    return found if isinstance(found, Proved) else None


def normal_outputs(run: VerdictSearch) -> Verdict | None:
    """A proof of a delta where several outputs are independent and normal."""
    m = run.claim.mechanism
    if run.claim.delta == ZERO or len(m.outputs) < SEVERAL:
        return None
    if any(o.kind != "real" for o in m.outputs) or run.claim.delta_nodes:
        return None
    mu = mu_of_normal_outputs(run.claim)
    if mu is None:
        return None
    limits = run.clock.part(SHARE)
    premise = StatedPremise(run.claim.relation, mu, ZERO)
    derivation = Derivation(proving_leaf(limits, run.progress, "all"), limits.clock())
    return run.prove(derivation.by_rule(run.claim, "gdp_to_delta", premise))


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
        interchangeable_values,
        "pairs of many values take long, and a rule of composition may reduce them to a few",
    ),
    Procedure(
        "laws",
        normal_outputs,
        "an integral over several normal outputs has no closed form, and the rule takes milliseconds",
    ),
    Procedure(
        "finite",
        table_of_values,
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
    claim to one of another relation or about fewer values); `trust` "kernel" turns a proof attested
    by solvers into Unknown. With `size`, the claim is decided on all datasets of at most so many
    records instead, as the scope of the verdict states; the file `resume` records the finished
    sizes, so that a stopped search continues from them. Raises BadInput for a mechanism that is not
    well defined (a mass other than 1, a division by 0 at a covered dataset).
    """
    if limits is not None and not isinstance(limits, Limits):
        raise BadInput("limits", f"{limits!r} is not Limits", "write Limits(seconds=60)")
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

    check_deltas(claim)
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

    leaf = proving_leaf(limits, progress, "kernel")
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
        leaf = proving_leaf(limits, progress, trust)
        return verify_by_rules(claim, limits, leaf, progress, alone=procedure == LAWS)
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
            "finite",
            lambda run: enumerate_datasets(run, size, kept),
            "the only procedure requested",
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
