"""A verdict as LaTeX: its word and the claim, without the evidence."""

from __future__ import annotations

from ahdp_verify.display.markup import latex, upright_latex
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import ALL_RELATION_WORDS, AnyClaim
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.rules.best_power import SENSES, BestClaim
from ahdp_verify.kernel.rules.compared import CheckableClaim
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.expression import ZERO
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.verdicts import Verdict

SIGNS = {"<=": r"\le", "<": "<", "==": "=", "=": "=", ">=": r"\ge", ">": ">"}


def verdict_latex(verdict: Verdict) -> str:
    """One formula, in dollar signs; a proof for small datasets only says so."""
    only = ""
    if isinstance(verdict, Proved) and verdict.scope.size is not None:
        only = rf",\ {upright_latex(verdict.scope_text)}"
    return rf"$\textbf{{{verdict.word}}}:\ {claim_formula(verdict.claim)}{only}$"


def claim_formula(claim: CheckableClaim) -> str:
    """What is claimed, as a formula without dollar signs."""
    if isinstance(claim, Inequality):
        return f"{latex(claim.left)} {SIGNS[claim.relation]} {latex(claim.right)}"
    if isinstance(claim, AppliedClaim):
        return rf"\text{{applied to }} {upright_latex(str(claim.sensitivity.query))}:\ {claim_formula(claim.base)}"
    if isinstance(claim, SensitivityClaim):
        return (
            rf"\text{{sensitivity of }} {upright_latex(str(claim.query))} \le {latex(claim.bound)}"
        )
    if isinstance(claim, GuessClaim):
        return _power(claim)
    if isinstance(claim, BestClaim):
        said = upright_latex(display_name(claim.name) or SENSES[claim.sense])
        return f"{said} {SIGNS[claim.bound]} {latex(claim.value)}"
    if isinstance(claim, NotionClaim):
        said = upright_latex(str(claim).partition(f" = {claim.bounds.level}, as ")[0])
        return rf"{said} = {latex(claim.bounds.level)}"
    return _privacy(claim)


def _power(claim: GuessClaim) -> str:
    said = upright_latex(display_name(claim.name) or "power")
    if claim.low == claim.high:
        return f"{said} = {latex(claim.low)}"
    return rf"{said}  \in [{latex(claim.low)}, {latex(claim.high)}]"


def _privacy(claim: AnyClaim | ProgramClaim) -> str:
    slack = "" if claim.delta == ZERO else rf",\ \delta = {latex(claim.delta)}"
    asked = claim.queries if isinstance(claim, ProgramClaim) else None
    many = "" if asked is None else rf"\ \text{{for {asked} queries}}"
    return (
        rf"{upright_latex(_subject(claim))}\ \text{{is {ALL_RELATION_WORDS[claim.relation]} at "
        rf"level}}\ {latex(claim.level)}{slack}{many}"
    )


def _subject(claim: AnyClaim | ProgramClaim) -> str:
    """What a claim of privacy is about."""
    if isinstance(claim, ProgramClaim):
        return display_name(claim.program.name) or "the program"
    nameless = isinstance(claim, Claim) and not claim.mechanism.name
    return "the mechanism" if nameless else str(claim.mechanism)
