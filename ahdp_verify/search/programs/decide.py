"""The verdict on a claim about a noise program: the cheapest alignment first, then inputs at which
the claim may fail.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, Program, Release, Stop
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> noisy = Draw("nu", "laplace", parse("1/eps"), Release(parse("q[1] + nu"), Stop()))
>>> program = Program("noisy answer", (("eps", parse("eps > 0")),), Answers(1), noisy)
>>> print(verify_program(ProgramClaim(program, "all", parse("eps"))))
Proved: noisy answer is DP for all answers moving at level eps; scope: all inputs of 1 query, each answer moving by at most 1, 0 < eps; trusts: the checker and the alignment rule
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ahdp_verify.kernel.checker import check, refute_program
from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.program import Contest
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.rules.compared import ComparedValues
from ahdp_verify.kernel.terms.expression import ZERO, Expression
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock, Limits
from ahdp_verify.search.programs.bad_inputs import counterexamples
from ahdp_verify.search.programs.costs import CostUnits
from ahdp_verify.search.programs.cuts import draws_gaussian, proved_by_cuts
from ahdp_verify.search.programs.rounds import rounds_alignment
from ahdp_verify.search.programs.whole_runs import RunsSearch
from ahdp_verify.search.proving.compared_inputs import values_in_turn
from ahdp_verify.search.refuting.small_inputs import condition_holds
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.wording import unknown_verdict
from ahdp_verify.verdicts import Verdict

ALIGNMENT, OUTPUTS = "alignment", "outputs"
Progress = Callable[[str], None]


def verify_program(
    claim: ProgramClaim, limits: Limits | None = None, progress: Progress = lambda text: None
) -> Verdict:
    """Proved, Refuted or Unknown for a claim about a noise program."""
    clock, reasons = (limits or Limits()).clock(), list[Declined]()
    with clock.running(), stop_at_limits(reasons):
        progress("looking for the cheapest alignment")
        proof = proved_by_alignment(claim, clock)
        if isinstance(proof, Proved):
            return proof
        reasons.append(proof)
        progress("looking for inputs at which it fails")
        for example in counterexamples(claim, clock):
            try:
                return refute_program(claim, example)
            except (Rejected, Unsupported):
                continue
        reasons.append(Declined(OUTPUTS, _nothing_found(claim)))
    return unknown_verdict(claim, reasons)


def _nothing_found(claim: ProgramClaim) -> str:
    found = "no inputs were found at which it fails"
    if draws_gaussian(claim.program):
        return f"{found}; outputs that depend on Gaussian noise have no exact probabilities here"
    return found


def proved_by_alignment(claim: ProgramClaim, clock: Clock) -> Proved | Declined:
    """The proof by the cheapest alignment that was found; where that does not suffice, by one with
    cuts of Gaussian noise.
    """
    compared = sample_parameters(claim)
    found = _proved_without_cuts(claim, compared, clock)
    if isinstance(found, Proved) or not draws_gaussian(claim.program):
        return found
    return proved_by_cuts(claim, compared, clock)


def _proved_without_cuts(
    claim: ProgramClaim, compared: ComparedValues | None, clock: Clock
) -> Proved | Declined:
    found = propose_alignment(claim, cost_units(claim, compared), clock)
    if isinstance(found, Declined):
        return found
    alignment, cost = found
    try:
        return check(claim, alignment, None, compared)
    except Rejected as why:
        if cost is None or cost == claim.level:  # then something else is wrong with it
            return Declined(ALIGNMENT, f"the alignment that was found is not accepted: {why}")
        return Declined(
            ALIGNMENT, f"the cheapest alignment that was found has level {cost}, not {claim.level}"
        )


def propose_alignment(
    claim: ProgramClaim, costs: CostUnits, clock: Clock
) -> tuple[Alignment, Expression | None] | Declined:
    """An alignment, with its cost where that is known to be the largest for all parameters."""
    try:
        if needs_rounds(claim):
            found = rounds_alignment(claim, costs, clock)
            if found is None:
                return Declined(
                    ALIGNMENT,
                    "there is no alignment with finitely many states for every number of queries; "
                    "give a number of queries",
                )
            return found[0], greatest(costs, found[1])
        runs = RunsSearch(claim, costs, clock).alignment(None)
        if runs is None:
            return Declined(ALIGNMENT, "no shifts of the noises keep every output")
        return runs[0], greatest(costs, [spent for a in runs[1] for _, _, spent in a.rows])
    except (Unsupported, Rejected) as why:
        return Declined(ALIGNMENT, str(why))


def needs_rounds(claim: ProgramClaim) -> bool:
    """Whether the claim is about any number of queries, which are answered one after the other."""
    return claim.n is None and not isinstance(claim.program.start, Contest)


def greatest(costs: CostUnits, listed: list[dict[str, Fraction]]) -> Expression | None:
    """The greatest of several costs; None where none of them is it for all parameters."""
    units = sorted({unit for spent in listed for unit in spent})
    most = {
        u: max((spent.get(u, Fraction(0)) for spent in listed), default=Fraction(0)) for u in units
    }
    if not most:
        return ZERO
    reached = any(all(spent.get(u, 0) == c for u, c in most.items()) for spent in listed)
    return costs.total(most) if reached else None


def cost_units(claim: ProgramClaim, sample: ComparedValues | None) -> CostUnits:
    """The units of cost of the claim's program, with sample values of its parameters."""
    values = dict(sample.values) if sample is not None else {}
    return CostUnits(claim.program.here, values)


def sample_parameters(claim: ProgramClaim) -> ComparedValues | None:
    """Values of the parameters that satisfy what is assumed of them; None if none were found."""
    for found in values_in_turn(claim.parameters):
        if all(condition_holds(condition, dict(found)) for condition in claim.assumed):
            return ComparedValues(found)
    return None
