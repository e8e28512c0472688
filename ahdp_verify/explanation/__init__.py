"""`explain`: the proof or the refutation in a record as numbered lines, each with its reason.

The record is checked first, and an invalid one is refused.  Then the checker's own functions are
called again, step by step, for what the certificate omits: the facts that lemmas add, what a form
requires, the integrals between points, the signs of factors.  Every statement comes from them.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.search.verify import verify
>>> s, W = real("s"), Domain([(1, 1)])
>>> proof = verify(dp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), 1))
>>> for line in explain(proof).lines[-3:-1]:
...     print(line.number, line.text, "--", line.reason)
4.2 in logarithms, abs(S - s + 1) - abs(S - s) + 1 >= 0 -- it equals (4.1)
5 noisy size is add-remove DP at level 1 -- from 2 to 4
"""

from __future__ import annotations

from pathlib import Path

from ahdp_verify.analysis.arguments import Examination
from ahdp_verify.explanation.numbered_lines import Explanation
from ahdp_verify.explanation.probabilities import rounded_probabilities
from ahdp_verify.explanation.program_refutations import explain_program_refutation
from ahdp_verify.explanation.proofs import explain_proof
from ahdp_verify.explanation.refutations import (
    explain_bound_violation,
    explain_examination,
    explain_failure,
    explain_refutation,
    explain_violation_at_vectors,
)
from ahdp_verify.files import records as storage
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
)
from ahdp_verify.kernel.terms.printing import display_name, one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.verdicts import Verdict

__all__ = ("Explanation", "explain", "rounded_probabilities")


def explain(
    source: Verdict | Examination | str | Path, *, every: bool = False, limits: Limits | None = None
) -> Explanation:
    """The explanation of a verdict, of the record in a file, or of an argument that was examined;
    with `every`, nothing is left out.

    Raises Rejected for what the checker does not accept, BadInput for an Unknown, and OutOfLimits
    for more work than `limits` allow.
    """
    with enforce_limits(limits, "explaining it"):
        return _explained(source, every)


def _explained(source: Verdict | Examination | str | Path, every: bool) -> Explanation:
    if isinstance(source, Examination):
        return Explanation(
            one_line(f"Argument: {source.argument}"), explain_examination(source), every
        )
    verdict = (
        storage.recheck(source)
        if isinstance(source, str | Path)
        else storage.remake_verdict(source)
    )
    if isinstance(verdict, Proved):
        title = one_line(f"Proof that {claim_in_sentence(verdict.claim)}")
        return Explanation(title, explain_proof(verdict), every)
    told = one_line(f"It is not true that {claim_in_sentence(verdict.claim)}")
    match verdict:
        case Refuted():
            return Explanation(told, explain_refutation(verdict), every)
        case RefutedProgram():
            return Explanation(told, explain_program_refutation(verdict), every)
        case RefutedInequality():
            return Explanation(told, explain_failure(verdict), every)
        case RefutedNotion():
            return Explanation(told, explain_bound_violation(verdict), every)
        case RefutedApplied():
            return Explanation(told, explain_violation_at_vectors(verdict), every)
    raise BadInput("verdict", "it decides nothing", "explain a proof or a refutation")


def claim_in_sentence(claim: object) -> str:
    """A claim after "that": the name of a statement follows it.

    >>> claim_in_sentence(Inequality.of({"a": "a > 0"}, "a", ">=", "0", name="positive"))
    'a >= 0 (positive)'
    """
    if not isinstance(claim, Inequality | SensitivityClaim) or not claim.name:
        return str(claim)
    name = display_name(claim.name)
    return f"{str(claim).removeprefix(f'{name}: ')} ({name})"
